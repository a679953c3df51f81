/* Every number of this room that no data sheet states, each with its source: where it was fitted, who published it, or
 * "judgement". docs/expected.md prints these tables. Private to the room. */
#ifndef ROOFLINE_EXPECT_DEFAULTS_H
#define ROOFLINE_EXPECT_DEFAULTS_H

#include "roofline_expected.h"

/* Kinds of hardware, as a data sheet tells them. */
typedef enum expect_family {
    FAMILY_ANY,
    FAMILY_OTHER,
    FAMILY_NVIDIA,
    FAMILY_CDNA,
    FAMILY_RDNA,
    FAMILY_APPLE
} expect_family;

enum { ENGINE_ANY = -1 };

/* The default of a constant: the row that says most about the engine, the hardware and the memory wins. */
typedef struct expect_default {
    roof_constant constant;
    int engine;           /* ENGINE_ANY, or this class alone */
    expect_family family; /* FAMILY_ANY, or this one alone */
    const char *memory;   /* NULL, or what the kind of memory has in its name */
    double value;
    const char *source;
} expect_default;

extern const expect_default expect_defaults[];
extern const size_t expect_default_count;
const expect_default *expect_default_of(roof_constant constant, int engine, expect_family family, const char *memory);

/* Numbers of the terms, one value wherever they are used. */
typedef enum expect_number {
    /* the sustained rate of matrix units */
    JOULES_FROM_REGISTERS,
    JOULES_FROM_SHARED_MEMORY,
    ENERGY_FLOAT_8,
    ENERGY_INT_8,
    ENERGY_FLOAT_4,
    POWER_PART,
    POWER_EXPONENT,
    SUSTAINED_MOST,
    /* weights that are unpacked */
    UNPACK_BYTE_FLOPS,
    UNPACK_WEIGHT_FLOPS,
    UNPACK_WEIGHT_BYTES,
    /* kernels of an execution */
    ATTENTION_UNFUSED_KERNELS,
    ATTENTION_HANDED_OVER_KERNELS,
    ATTENTION_BARE_KERNELS,
    ATTENTION_LATENT_KERNELS,
    ATTENTION_DECODE_KERNELS,
    ATTENTION_ENGINE_KERNELS,
    EXPERTS_KERNELS,
    EXPERTS_ENGINE_KERNELS,
    TENSOR_SCALE_KERNELS,
    BLOCK_SCALE_KERNELS,
    /* products */
    TILE,
    TILE_INTEGER_WIDTH,
    SPLIT_MOST,
    SPLIT_INNER,
    SPLIT_SECONDS,
    SPLIT_BYTES,
    SHARED_CACHE_RATE,
    NARROW_INNER,
    BLOCK_SCALE_SHARE,
    /* attention */
    DECODE_QUERIES,
    ATTENTION_ROWS,
    ATTENTION_LATENT_HEADS,
    EXPONENTIALS,
    ATTENTION_TILE_SECONDS,
    ATTENTION_BARE_SHARE,
    /* experts */
    EXPERTS_PADDED_ROWS,
    EXPERTS_TOKEN_PASSES,
    EXPERTS_PACKED_SHARE,
    EXPERTS_PACKED_KERNELS,
    /* collectives, phases, serving */
    HOST_DEVICES,
    MICRO_BATCH,
    STEP_TOKENS,
    ENGINE_BYTES,
    ENGINE_MEMORY,
    SEQUENCES_MOST,
    /* a CPU that was measured */
    BLAS_SHARE,
    ROWS_SHARE,
    SPMV_LOADS,
    UNALIGNED_LOADS,
    PACKING_PASSES,
    LOOP_SECONDS,
    MEETING_SECONDS,
    HOST_LOW,
    HOST_HIGH,
    /* intervals */
    CONFIDENCE,
    UNLIKE,
    THROTTLED,
    LONGER_LAUNCHES,
    /* the fit */
    FIT_FIRST_STEP,
    FIT_LAST_STEP,
    FIT_SMOOTH,
    FIT_BUMP,
    FIT_FELT,
    FIT_UNEXPLAINED,
    FIT_SPREAD_MOST,
    FIT_HALF_WIDTH,
    FIT_SHARE_LEAST,
    FIT_SHARE_MOST,
    FIT_OVERLAP_MOST,
    FIT_SECONDS_LEAST,
    FIT_SECONDS_MOST,
    FIT_NOISE_LEAST,
    FIT_NEAR_LIMIT,
    FIT_TRIED_LEAST,
    FIT_TAIL,
    EXPECT_NUMBER_COUNT
} expect_number;

typedef struct expect_assumed {
    double value;
    const char *unit, *what, *source;
} expect_assumed;

extern const expect_assumed expect_numbers[EXPECT_NUMBER_COUNT];

static inline double assumed(expect_number which) {
    return expect_numbers[which].value;
}

/* Latency and bytes of a collective by whose code it is: engines bring kernels of their own; launched one by one, they
 * wait for the host; all others call the vendor's library. */
typedef enum link_code { LINK_LIBRARY, LINK_CAPTURED, LINK_LAUNCHED, LINK_CODES } link_code;

typedef struct link_constants {
    double share, latency, peer, two_shot;
    const char *source;
} link_constants;

extern const link_constants expect_links[2][LINK_CODES]; /* over the host's bus; over links of their own */

/* 80 % of measured / expected lie between. */
typedef struct expect_interval {
    double low, high;
    const char *source;
} expect_interval;

extern const expect_interval expect_intervals[ROOF_REGIME_COUNT];

#endif
