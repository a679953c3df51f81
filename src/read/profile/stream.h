/* A file, a pipe or memory as one stream of bytes, gzip unpacked on the way. Memory does not grow with the length. */
#ifndef ROOFLINE_READ_PROFILE_STREAM_H
#define ROOFLINE_READ_PROFILE_STREAM_H

#include "roofline.h"

enum { STREAM_HEAD = 1 << 16 }; /* bytes that can be looked at before reading */

typedef struct stream stream;

/* NULL with the error filled. `bytes` must live as long as the stream. */
stream *stream_open(const char *path, roof_error *error);
stream *stream_memory(const void *bytes, size_t length, roof_error *error);
void stream_close(stream *in); /* NULL is fine */

/* The first bytes (unpacked), as many as there are up to STREAM_HEAD, without consuming them; '\0' follows. */
const char *stream_head(stream *in, size_t *length);
/* Up to `size` bytes; 0 at the end, after which stream_cut() and stream_failed() say how it ended. */
size_t stream_read(stream *in, void *out, size_t size);
bool stream_cut(const stream *in);   /* a gzip that ends early or is damaged: what came before was good */
int stream_failed(const stream *in); /* errno of a failed read; 0 */

#endif
