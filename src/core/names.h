/* Names people type: comparing them loosely and offering the nearest. Shared by machines, models, operations and
 * options. */
#ifndef ROOFLINE_CORE_NAMES_H
#define ROOFLINE_CORE_NAMES_H

#include "roofline.h"

/* A table of names to search. `at` may return NULL for an index to skip. */
typedef struct name_list {
    size_t count;
    const char *(*at)(const void *context, size_t index);
    const void *context;
} name_list;

/* Equal but for case, blanks and punctuation: "H100 SXM" is "h100-sxm". Empty names equal nothing. */
bool name_equal(const char *a, const char *b);

/* Is `name` one of the names in `list`, a text separated by commas? Compared as by name_equal(). */
bool name_in_list(const char *name, const char *list);

/* The names nearest to `name`, nearest first and table order among equals; none when nothing is near. */
size_t nearest_names(const name_list *names, const char *name, const char *best[], size_t limit);

/* The hint "did you mean 'A' or 'B'?" of the nearest names, `limit` (1 or 2) at most. Returns how many it offers. */
size_t offer_names(const name_list *names, const char *name, size_t limit, roof_error *error);

/* Fill `error` with "unknown KIND 'NAME'", a hint that offers the two nearest, and the remedy that lists all. Returns
 * -1.
 */
int unknown_name(const name_list *names, const char *kind, const char *name, roof_remedy lister, roof_error *error);

#endif
