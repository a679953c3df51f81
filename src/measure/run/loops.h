/* The inner loops of operations that are run, one row a dtype and instruction set. Written once (loop_bodies.h) with
 * the compiler's vectors; which row is used is decided at run time. */
#ifndef ROOFLINE_MEASURE_RUN_LOOPS_H
#define ROOFLINE_MEASURE_RUN_LOOPS_H

#include "measure/kernels/kernels.h"

enum { MOST_STENCIL_POINTS = 64 };

typedef enum stream_kind { STREAM_COPY, STREAM_SCALE, STREAM_ADD, STREAM_TRIAD, STREAM_AXPY, STREAM_DOT } stream_kind;

/* a = b, s b, b + c, b + s c, a + s b, for n elements. The streaming form needs `a` on a cache line. */
typedef void stream_loop(void *a, const void *b, const void *c, double s, size_t n);

/* Sites from .. to of one line of a grid of nx: out[x] = sum of weight[p] * at[p][x + dx[p]], x + dx clamped to the
 * line. */
typedef struct stencil_line {
    void *out;
    const void *at[MOST_STENCIL_POINTS];
    const int *dx;
    const double *weight;
    int points, radius;
    size_t nx, from, to;
} stencil_line;

typedef struct loops {
    const char *isa;
    feature_set needs;
    roof_dtype dtype;
    stream_loop *stream[STREAM_AXPY + 1], *past_caches[STREAM_AXPY + 1]; /* [STREAM_COPY] .. */
    double (*dot)(const void *x, const void *y, size_t n);
    void (*gemv)(void *y, const void *a, const void *x, size_t rows, size_t cols);
    void (*spmv)(void *y, const void *values, const int32_t *columns, const int32_t *starts, const void *x, size_t from,
                 size_t to);
    void (*stencil)(const stencil_line *line);
    void (*stencil_past)(const stencil_line *line); /* storing past the caches where the line allows it */
} loops;

const loops *loops_at(size_t index);                            /* NULL past the end; wider ones first */
const loops *loops_for(feature_set features, roof_dtype dtype); /* NULL: no row for the dtype */

#endif
