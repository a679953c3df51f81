/* The JSON header of a checkpoint, read once, front to back, without keeping it: it may list a hundred thousand
 * tensors. What is wrong is said with the byte of the file where it is. */
#ifndef ROOFLINE_READ_CHECKPOINT_HEADER_H
#define ROOFLINE_READ_CHECKPOINT_HEADER_H

#include "read/source.h"
#include "json/pull.h"

typedef struct header {
    json_pull pull;
    source *s;
    uint64_t from, at, end; /* bytes of the source */
    const char *what;       /* "safetensors header", for messages */
    roof_error *error;
    bool failed, token; /* token: what failed is the token at hand */
} header;

/* -1: no memory. Free with header_end() in any case. */
int header_begin(header *h, source *s, uint64_t from, uint64_t to, const char *what, roof_error *error);
void header_end(header *h);
int header_fail(header *h, const char *format, ...) ROOF_PRINTF(2, 3); /* with the place; the first one counts; -1 */

int header_peek(header *h);                   /* the next character that is no blank, or -1 at the end */
int header_need(header *h, json_token token); /* JSON_OBJECT, JSON_LIST */
int header_whole(header *h, uint64_t *out);   /* a whole number */
int header_number(header *h, double *out);
int header_skip(header *h); /* any value */
/* A string, cut when longer; what is not printable ASCII becomes '?'. */
int header_text(header *h, char *text, size_t size);
/* Members of an object: 1 with its key read, 0 behind the closing brace, -1. */
int header_member(header *h, char *key, size_t size);
int header_item(header *h); /* 1: an item of the list follows, 0 behind the closing bracket, -1 */

#endif
