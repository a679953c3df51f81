/* Tables that are looked up millions of times a second, and the inlined look-ups. Private to the library. */
#ifndef ROOFLINE_CORE_TABLES_H
#define ROOFLINE_CORE_TABLES_H

#include "roofline.h"

#ifdef __GNUC__
#pragma GCC visibility push(hidden) /* spares position-independent code the detour */
#endif

typedef struct dtype_traits {
    double bits;     /* stored bits an element, block scales included */
    roof_dtype math; /* the roof it multiplies under */
} dtype_traits;

extern const dtype_traits dtype_table[ROOF_DTYPE_COUNT];
extern const char *const kind_names[ROOF_KIND_COUNT];

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

/* Anything out of range counts as ROOF_DTYPE_NONE: no bits, no roof. */
static inline const dtype_traits *dtype_of(roof_dtype dtype) {
    return &dtype_table[(unsigned)dtype < ROOF_DTYPE_COUNT ? dtype : ROOF_DTYPE_NONE];
}

static inline double dtype_bits(roof_dtype dtype) {
    return dtype_of(dtype)->bits;
}

static inline double dtype_bytes(roof_dtype dtype) {
    return dtype_of(dtype)->bits / 8;
}

#endif
