/* The one reader of JSON: a pull parser. Each call of json_next() gives the next token of a text that lies in memory or
 * comes piece by piece from a callback; memory does not grow with the text, only with its longest token.
 *
 *     { "a" : [ 1 , true ] }      JSON_OBJECT  JSON_KEY a  JSON_LIST  JSON_NUMBER 1  JSON_WORD t  JSON_END_LIST  ...
 *     ^ at          ^ held        buffer[at] is the next byte, buffer[keep..held) stays when more is read
 *
 * tree.h builds on it what a configuration needs, calls.h what a trace of gigabytes needs. Grammar: RFC 8259. */
#ifndef ROOFLINE_JSON_PULL_H
#define ROOFLINE_JSON_PULL_H

#include <stdint.h>

#include "roofline.h"
#include "json/scalars.h"

enum { JSON_DEPTH_MAX = 64 };

typedef enum json_token {
    JSON_FAILED = -1, /* json_fail() says why */
    JSON_END,         /* of the text */
    JSON_OBJECT,
    JSON_END_OBJECT,
    JSON_LIST,
    JSON_END_LIST,
    JSON_KEY, /* its colon is taken too */
    JSON_TEXT,
    JSON_NUMBER,
    JSON_WORD /* true, false, null; `word` has the first letter. 'N': NaN or Infinity, which Python writes */
} json_token;

/* Up to `room` bytes into `into`; 0 at the end. */
typedef size_t (*json_feed)(void *from, char *into, size_t room);

typedef struct json_pull {
    json_feed feed; /* NULL: the buffer holds the whole text */
    void *from;
    char *buffer; /* '\0' behind buffer[held] */
    size_t room, at, held, keep;
    uint64_t before; /* bytes of the text before buffer[0] */
    long line;       /* 1 for the first */
    bool lenient;    /* a control character is a blank, nan and inf are words, texts are not checked as UTF-8 */
    bool ended;      /* the feed has no more */
    bool cut;        /* it failed because the text ended */
    bool hopeless;   /* what failed is no damage that one could read past: memory, depth, a text without end */
    char nested[JSON_DEPTH_MAX];
    long opened[JSON_DEPTH_MAX]; /* line of each bracket */
    int depth, expect;
    /* the token */
    char *text; /* of a key, a text (escapes resolved) or a number, '\0' behind the first two; until the next call */
    size_t length;
    char word;
    uint64_t start; /* where it begins, in bytes from the start of the text */
    long start_line;
    char what[120];   /* after JSON_FAILED */
    roof_status code; /* ROOF_EFORMAT or ROOF_ENOMEM */
} json_pull;

/* A text in memory, which must be writable (escapes are resolved in place), with '\0' behind it. Nothing to free. */
void json_pull_memory(json_pull *p, char *text, size_t length);
/* A text that comes from `feed`. -1: no memory. Free with json_pull_end(). */
int json_pull_feed(json_pull *p, json_feed feed, void *from);
void json_pull_end(json_pull *p);

json_token json_next(json_pull *p);
/* Does another member or item of the open object or list follow? 1 (its comma is taken), 0 (the bracket is taken), -1.
 */
int json_more(json_pull *p);
int json_skip(json_pull *p);      /* any value; -1 */
int json_peek_byte(json_pull *p); /* the next byte that is no blank, not taken; -1 at the end */
int json_refuse(json_pull *p, const char *format, ...) ROOF_PRINTF(2, 3); /* make the next token JSON_FAILED; -1 */
/* Put the finding into `error` (NULL allowed): "not valid JSON: ...", offset and line. -1. */
int json_fail(const json_pull *p, roof_error *error);

/* After a failure: go on behind the next "}" that is followed by a comma and another object, as an item of a list that
 * lies `depth` brackets deep. false: there is none. */
bool json_resume(json_pull *p, int depth);

#endif
