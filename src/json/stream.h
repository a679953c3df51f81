/* JSON of any length as a stream of calls, in constant memory. Raw control bytes are blanks, NaN and Infinity are null,
 * a damaged item of the list is left out and the next one is looked for, a text that ends early keeps what was whole.
 */
#ifndef ROOFLINE_READ_PROFILE_JSON_STREAM_H
#define ROOFLINE_READ_PROFILE_JSON_STREAM_H

#include "read/profile/stream.h"

enum { JSON_DEPTH_MAX = 64 };

/* Texts are not terminated and live during the call only. false: stop, the handler has filled the error. */
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

typedef struct json_end {
    bool early;     /* the text ended inside a value */
    double damaged; /* items dropped because they are no JSON */
} json_end;

/* 0, or -1 with the error filled (offset where known): no JSON from the start, nested too deep, a text too long. */
int json_stream(stream *in, const json_calls *calls, void *to, json_end *end, roof_error *error);
/* A number as JSON writes it, in any locale. false: it is none. */
bool json_figure(const char *text, size_t length, double *value);

#endif
