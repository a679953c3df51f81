/* JSON of any length as a stream of calls, in constant memory, for files that other programs wrote while they crashed:
 * raw control bytes are blanks, NaN and Infinity are null, a damaged item of the list is left out and the next one is
 * looked for, a text that ends early keeps what was whole. */
#ifndef ROOFLINE_JSON_CALLS_H
#define ROOFLINE_JSON_CALLS_H

#include "json/pull.h"

/* Texts live during the call only. false: stop, the handler has filled the error. */
typedef struct json_calls {
    bool (*open)(void *to, char bracket);  /* '{' or '[' */
    bool (*close)(void *to, char bracket); /* '{' or '[': what is closed */
    bool (*key)(void *to, const char *text, size_t length);
    bool (*text)(void *to, const char *text, size_t length);
    bool (*number)(void *to, const char *text, size_t length);
    bool (*word)(void *to, char first); /* 't', 'f', 'n' */
    int (*list)(void *to);              /* how deep the list lies whose items may be dropped; 0: it has not begun */
    void (*drop)(void *to);             /* forget the item that was begun */
} json_calls;

typedef struct json_ending {
    bool early;     /* the text ended inside a value */
    double damaged; /* items dropped because they are no JSON */
} json_ending;

/* 0, or -1 with the error filled (offset where known): no JSON from the start, nested too deep, a text too long. */
int json_stream(json_feed feed, void *from, const json_calls *calls, void *to, json_ending *end, roof_error *error);

#endif
