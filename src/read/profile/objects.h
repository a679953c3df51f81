/* JSON objects of a stream, one at a time: a lone object, a list of them, one a line, and any of these behind lines of
 * a log or cut off in the middle. Memory grows with the largest object. */
#ifndef ROOFLINE_READ_PROFILE_OBJECTS_H
#define ROOFLINE_READ_PROFILE_OBJECTS_H

#include "read/profile/stream.h"

enum { OBJECT_MAX_BYTES = 1 << 26 };

typedef struct objects objects;
objects *objects_of(stream *in, roof_error *error); /* NULL: out of memory. Does not own the stream */
void objects_free(objects *from);
/* The text of the next whole object, '\0' behind it; it lives until the next call. NULL at the end, or when there is no
 * memory or the object is too large (*failed, with the error filled). */
const char *objects_next(objects *from, size_t *length, bool *failed);
long objects_line(const objects *from); /* where that object begins */
bool objects_cut(const objects *from);  /* the stream ended inside an object or a list */

#endif
