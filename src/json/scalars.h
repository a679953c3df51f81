/* Texts and numbers of JSON, as they lie in memory: escapes, UTF-8, digits. */
#ifndef ROOFLINE_JSON_SCALARS_H
#define ROOFLINE_JSON_SCALARS_H

#include "roofline.h"

extern const bool json_is_plain[256]; /* bytes that neither end a text, nor escape, nor are control or beyond ASCII */
extern const bool json_is_digit[256]; /* bytes that a number is made of */

/* Resolve the escapes of a text in place (it only gets shorter). false: one that JSON does not have, a NUL or half a
 * surrogate pair; with `lenient` those two become '?'. */
bool json_unescape(char *text, size_t *length, bool lenient);
bool json_is_utf8(const char *text, size_t length);
bool json_is_number(const char *text, size_t length); /* by the grammar: no leading zero, digits around the point */

/* A number as JSON writes it, correctly rounded, in any locale. false: it is none, or has no finite value. */
bool json_figure(const char *text, size_t length, double *value);

#endif
