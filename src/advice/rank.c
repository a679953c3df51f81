/* Sorting of indices. qsort() cannot be told what the indices stand for without global state, and may allocate; a heap
 * does neither:
 *
 *     order  [ 3 | 0 4 | 1 2 5 6 ]   children of i: 2i + 1 and 2i + 2; the last of the order on top
 */
#include "advice/rank.h"

#include "roofline_profile.h"

static void swap(size_t *a, size_t *b) {
    size_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Put the item at `root` in its place among the first `count` of the heap. */
static void sift(size_t *order, size_t root, size_t count, rank_rule rule, const void *context) {
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && rule(context, order[child], order[child + 1]))
            child++;
        if (!rule(context, order[root], order[child]))
            return;
        swap(&order[root], &order[child]);
    }
}

void rank_sort(size_t *order, size_t count, rank_rule rule, const void *context) {
    for (size_t i = count / 2; i-- > 0;)
        sift(order, i, count, rule, context);
    for (size_t last = count; last-- > 1;) {
        swap(&order[0], &order[last]);
        sift(order, 0, last, rule, context);
    }
}

/* Ties: more time first, then the order of the file. */
static bool gains_more(const void *context, size_t a, size_t b) {
    const roof_placement *placed = context, *x = &placed[a], *y = &placed[b];
    bool bound_x = x->bound != ROOF_BOUND_NONE, bound_y = y->bound != ROOF_BOUND_NONE;
    if (bound_x != bound_y)
        return bound_x;
    if (x->gain < y->gain || x->gain > y->gain)
        return x->gain > y->gain;
    if (x->seconds < y->seconds || x->seconds > y->seconds)
        return x->seconds > y->seconds;
    return a < b;
}

void roof_rank(const roof_placement *placed, size_t count, size_t *order) {
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    rank_sort(order, count, gains_more, placed);
}
