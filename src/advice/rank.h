/* Order by a rule that needs context. Private to the room. */
#ifndef ROOFLINE_ADVICE_RANK_H
#define ROOFLINE_ADVICE_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* Is item `a` to come before item `b`? A total order: of two different items exactly one comes first. */
typedef bool (*rank_rule)(const void *context, size_t a, size_t b);

/* Sort indices in place: O(count log count) calls of `rule`, no memory of its own. */
void rank_sort(size_t *order, size_t count, rank_rule rule, const void *context);

#endif
