/* Running an operation: what run.c asks of each kind, and what it gives them. The kinds are rows of one table. */
#ifndef ROOFLINE_MEASURE_RUN_RUN_H
#define ROOFLINE_MEASURE_RUN_RUN_H

#include "measure/engine/team.h"
#include "measure/run/blas.h"
#include "measure/run/loops.h"

enum { RUN_ARRAYS = 5, RUN_VARIANTS = 4, RUN_EXECUTIONS = 1 << 16 };
enum { RUN_APART = 16 }; /* doubles between what different threads write */

/* One array of the operation: memory of its own, filled in equal shares by the threads that work on them. */
typedef struct run_array {
    size_t count, element; /* elements; bytes of one */
    block memory;
    unsigned char *bytes; /* its first element, on a cache line */
} run_array;

typedef struct run_job run_job;

/* How one kind is run. `rank` is a thread's number, 0 .. job->threads - 1; each does its share. */
typedef struct run_kind {
    int (*plan)(run_job *job, roof_error *error); /* arrays, variants; refuse what no kernel does */
    void (*fill)(run_job *job, int rank);         /* first touch */
    void (*run)(run_job *job, int rank);
    void (*join)(run_job *job);                    /* after all shares, inside the time; NULL: nothing */
    double (*check)(const run_job *job, int rank); /* largest relative difference in this share */
    void (*method)(const run_job *job, char *buffer, size_t size);
    bool math; /* operands a, b, c and math have dtypes of their own */
} run_kind;

/* Where a stencil looks. */
typedef struct run_grid {
    size_t nx, ny, nz;
    int points, radius, dx[MOST_STENCIL_POINTS], dy[MOST_STENCIL_POINTS], dz[MOST_STENCIL_POINTS];
    const char *shape;
} run_grid;

struct run_job {
    const roof_operation *operation;
    feature_set features;
    const loops *loops; /* of the operation's dtype, for this CPU */
    roof_dtype dtype;
    int threads;
    roof_level level;
    bool may_stream; /* non-temporal stores are worth a try */
    run_array arrays[RUN_ARRAYS];
    int array_count;
    size_t rows, cols, depth, batch, tiles; /* as the kind uses them */
    stream_kind stream;
    const stream_kernel *kernels[RUN_VARIANTS]; /* assembly; NULL: the loop of `loops` */
    bool streams[RUN_VARIANTS];                 /* this variant stores past the caches */
    int variants, variant;
    size_t executions; /* so far, of any variant */
    double *partial;   /* one a thread, a cache line apart: run_partial() */
    double result;
    run_grid grid;
    const char *const *blas_names;
    blas blas;
};

/* What stands before /proc and /sys and which BLAS libraries are looked for: tests say otherwise. */
typedef struct run_place {
    const char *root;
    const char *const *blas_names;
} run_place;
int run_operation(const run_place *place, const roof_machine *machine, const roof_operation *operation,
                  const roof_run_options *options, roof_run *out, roof_error *error);

extern const run_kind run_stream, run_elementwise, run_gemv, run_spmv, run_stencil, run_gemm;

/* ---- arrays.c ---- */

/* The part of 0 .. n that thread `rank` works on: whole multiples of `unit`, but for the end. */
void run_share(size_t n, size_t unit, int threads, int rank, size_t *from, size_t *to);
/* Small numbers whose products and sums are exact in f32 up to millions of terms: 0.5, 1, 1.5 or 2. */
double run_value(int array, size_t index);
double run_element(const run_job *job, int array, size_t index); /* what lies there now */
void run_fill_array(run_job *job, int array, int rank);          /* with run_value() */
void run_clear_array(run_job *job, int array, int rank);         /* with -1, so that what was never written shows */
void run_add_array(run_job *job, size_t count, size_t element);
double run_difference(double got, double want);
double *run_partial(const run_job *job, int rank);

/* The smallest level that holds `bytes` used by `threads` threads. `near_edge`: within a factor of two of a cache's
 * size. */
roof_level run_level(const roof_machine *machine, const host *here, int threads, double bytes, bool *near_edge);

#endif
