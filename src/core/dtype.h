/* The table of data types, readable from hot loops without a call. Private to the library. */
#ifndef ROOFLINE_CORE_DTYPE_H
#define ROOFLINE_CORE_DTYPE_H

#include "roofline.h"

typedef struct dtype_row {
    const char *name;
    double bits;           /* stored bits an element, block scales included */
    roof_dtype math;       /* the roof it multiplies under */
    const char *spellings; /* further names, each between spaces, lower case, letters and digits only */
} dtype_row;

extern const dtype_row dtype_rows[ROOF_DTYPE_COUNT];

/* Row of a dtype; that of NONE for what is no dtype. */
static inline const dtype_row *dtype_of(roof_dtype dtype) {
    return &dtype_rows[(unsigned)dtype < ROOF_DTYPE_COUNT ? dtype : ROOF_DTYPE_NONE];
}

static inline double dtype_bytes(roof_dtype dtype) {
    return dtype_of(dtype)->bits / 8;
}

#endif
