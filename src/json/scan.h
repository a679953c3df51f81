/* A JSON text read once, front to back, without keeping it: for headers that list a hundred thousand tensors. */
#ifndef ROOFLINE_READ_SCAN_H
#define ROOFLINE_READ_SCAN_H

#include "read/source.h"

typedef struct scan {
    source *s;
    uint64_t at, end; /* bytes of the source */
    const unsigned char *piece;
    size_t left;      /* of the piece */
    const char *what; /* "safetensors header", for messages */
    roof_error *error;
    bool failed;
} scan;

void scan_begin(scan *j, source *s, uint64_t from, uint64_t to, const char *what, roof_error *error);
int scan_fail(scan *j, const char *format, ...) ROOF_PRINTF(2, 3); /* with the place; the first one counts; -1 */

int scan_peek(scan *j);          /* the next character that is no blank, or -1 at the end */
bool scan_take(scan *j, char c); /* take it when it is `c` */
int scan_need(scan *j, char c);
int scan_text(scan *j, char *text,
              size_t size); /* a string, cut when longer; what is not printable ASCII becomes '?' */
int scan_number(scan *j, double *out);
int scan_whole(scan *j, uint64_t *out);
int scan_skip(scan *j); /* any value */
/* Members of an object: 1 with its key read and the colon taken, 0 at the closing brace, -1. `*first` starts true. */
int scan_member(scan *j, bool *first, char *key, size_t size);
int scan_element(scan *j, bool *first); /* 1: an element follows, 0 at the closing bracket, -1 */

#endif
