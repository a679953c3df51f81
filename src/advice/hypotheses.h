/* Why a measurement stands above its roof, as a table: what each hypothesis is worth and for which rates it is thought
 * of. One list for kernels, operations, graphs and runs of a model. Private to the room. */
#ifndef ROOFLINE_ADVICE_HYPOTHESES_H
#define ROOFLINE_ADVICE_HYPOTHESES_H

#include "roofline_profile.h"

typedef enum hypothesis {
    /* of a kernel */
    CLOCK_MEASURED,
    CACHE,
    CACHE_COUNTED,
    ONE_CALL,
    TIME_UNIT,
    CLOCK_CATALOGUE,
    PARTLY_CACHED,
    OTHER_ROOF,
    OTHER_ROOF_FAR,
    VARIANT,
    ARCHITECTURE,
    MEASURED_ROOF,
    KB_AS_KIB,
    MB_AS_MIB,
    GB_AS_GIB,
    SOCKETS,
    FLOPS_TWICE,
    FLOPS_TWICE_NEAR,
    SHAPES_TWICE,
    SHAPES_TWICE_NEAR,
    BYTES_TWICE,
    SECTORS,
    BITS,
    /* of a phase of a model */
    RUN_QUANTISED,
    RUN_HALF_SUMS,
    RUN_CACHED,
    RUN_DEVICES,
    RUN_SPECULATION,
    RUN_BATCH,
    RUN_TABLE,
    RUN_EXPERTS,
    RUN_BYTES,
    RUN_OTHER,
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
