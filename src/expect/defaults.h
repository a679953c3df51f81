/* Every number of this room that no datasheet states, each with its source: where it was fitted, who published it, or
 * "judgement". docs/expected.md prints these tables. Private to the room. */
#ifndef ROOFLINE_EXPECT_DEFAULTS_H
#define ROOFLINE_EXPECT_DEFAULTS_H

#include "roofline_expected.h"

/* Kinds of hardware, as a datasheet tells them. */
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

/* Numbers of the terms, one value wherever they are used; numbers.inc has them. */
typedef enum expect_number {
#define NUMBER(name, value, unit, what, source) name,
#include "expect/numbers.inc"
#undef NUMBER
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
