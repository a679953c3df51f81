/* Why a measurement stands above its roof, as a table: what each hypothesis is worth and for which rates it is thought
 * of. One list for kernels, operations, graphs and runs of a model. Private to the room. */
#ifndef ROOFLINE_ADVICE_HYPOTHESES_H
#define ROOFLINE_ADVICE_HYPOTHESES_H

#include "roofline_profile.h"

typedef enum hypothesis {
#define HYPOTHESIS(which, ...) which,
#include "advice/hypotheses.inc"
#undef HYPOTHESIS
    HYPOTHESES
} hypothesis;

typedef struct hypothesis_row {
    const char *name;
    double score;     /* orders the hypotheses that fit */
    double low, high; /* r for which it is thought of; 0, HUGE_VAL: any */
    double factor;    /* that the count or the time is wrong by; 0: none */
    const char *fits; /* what else must hold */
    const char *source;
} hypothesis_row;

extern const hypothesis_row hypothesis_rows[HYPOTHESES];

/* r lies in the row's range. */
bool hypothesis_takes(hypothesis which, double r);

/* The best first; of equals the one that was found first. */
void hypotheses_sort(roof_hypothesis *found, size_t count);

#endif
