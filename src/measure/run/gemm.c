/* Matrix products, by a BLAS found at run time: every thread of ours calls it for its own tile of C. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "measure/run/run.h"
#include "work/ops.h"

enum { A, B, C };

static int refuse(roof_error *error, const char *what, const char *hint) {
    roof_fail(error, ROOF_EUNSUPPORTED, "a gemm with %s cannot be run", what);
    roof_hint(error, "%s", hint);
    return -1;
}

/* Only the plain product is run: what a stored format or a bias adds would be another operation. */
static int check_plain(const double *shape, roof_error *error) {
    double format = 0;
    for (int i = 0; i < 5; i++)
        format += shape[GEMM_FORMAT + i];
    if (shape[GEMM_BIAS] > 0)
        return refuse(error, "a bias", "leave bias out");
    if (format > 0)
        return refuse(error, "a weight format", "say dtype=f32 or f64 and leave the format out");
    if (shape[GEMM_NARROW] > 0)
        return refuse(error, "sums in f16", "leave f16_accumulate out");
    if (!(shape[GEMM_M] <= INT_MAX && shape[GEMM_N] <= INT_MAX && shape[GEMM_K] <= INT_MAX))
        return refuse(error, "a dimension of more than 2147483647", "a BLAS counts in 32 bits");
    return 0;
}

/* Threads across the rows of C, those left across its columns: the split that reads least. */
static void choose_tiles(run_job *job) {
    double least = HUGE_VAL;
    for (size_t rows = 1; rows <= (size_t)job->threads; rows++) {
        size_t cols = (size_t)job->threads / rows;
        double reads = (double)job->rows / (double)rows + (double)job->cols / (double)cols;
        if (rows * cols == (size_t)job->threads && reads < least) {
            least = reads;
            job->tiles = rows;
        }
    }
}

static int plan(run_job *job, roof_error *error) {
    const double *shape = job->operation->shape;
    size_t element = (size_t)roof_dtype_bytes(job->dtype);
    if (check_plain(shape, error) || blas_open(job->blas_names, &job->blas, error))
        return -1;
    job->rows = (size_t)shape[GEMM_M];
    job->cols = (size_t)shape[GEMM_N];
    job->depth = (size_t)shape[GEMM_K];
    job->batch = (size_t)shape[GEMM_BATCH];
    run_add_array(job, job->batch * job->rows * job->depth, element);
    run_add_array(job, job->batch * job->depth * job->cols, element);
    run_add_array(job, job->batch * job->rows * job->cols, element);
    job->variants = 1;
    choose_tiles(job);
    return 0;
}

static void fill(run_job *job, int rank) {
    run_fill_array(job, A, rank);
    run_fill_array(job, B, rank);
    run_clear_array(job, C, rank);
}

static void run_tile(run_job *job, size_t product, const size_t rows[2], const size_t cols[2]) {
    size_t element = job->arrays[A].element, m = job->rows, n = job->cols, k = job->depth;
    if (rows[0] < rows[1] && cols[0] < cols[1])
        blas_multiply(&job->blas, job->dtype, (int)(rows[1] - rows[0]), (int)(cols[1] - cols[0]), (int)k,
                      job->arrays[A].bytes + (product * m * k + rows[0] * k) * element, (int)k,
                      job->arrays[B].bytes + (product * k * n + cols[0]) * element, (int)n,
                      job->arrays[C].bytes + (product * m * n + rows[0] * n + cols[0]) * element, (int)n);
}

/* Whole products where there are enough of them, else a tile of each. */
static void run(run_job *job, int rank) {
    size_t rows[2] = {0, job->rows}, cols[2] = {0, job->cols}, products[2] = {0, job->batch};
    if (job->batch >= (size_t)job->threads) {
        run_share(job->batch, 1, job->threads, rank, &products[0], &products[1]);
    } else {
        int across = (int)job->tiles, along = job->threads / across;
        run_share(job->rows, 8, across, rank / along, &rows[0], &rows[1]);
        run_share(job->cols, 8, along, rank % along, &cols[0], &cols[1]);
    }
    for (size_t product = products[0]; product < products[1]; product++)
        run_tile(job, product, rows, cols);
}

static double expected(const run_job *job, size_t at) {
    size_t column = at % job->cols, row = at / job->cols, product = row / job->rows;
    double sum = 0;
    for (size_t i = 0; i < job->depth; i++)
        sum += run_value(A, row * job->depth + i) * run_value(B, (product * job->depth + i) * job->cols + column);
    return sum;
}

/* All of C where that is quick, else elements spread over every row and tile: a stride that meets no tile's width. */
static double check(const run_job *job, int rank) {
    const double terms = 1e8;
    size_t count = job->arrays[C].count, from, to, stride = 1;
    double most = 0, all = (double)count * (double)job->depth;
    if (all > terms)
        stride = (size_t)(all / terms) | 1;
    run_share(count, 1, job->threads, rank, &from, &to);
    for (size_t i = from; i < to; i += stride)
        most = fmax(most, run_difference(run_element(job, C, i), expected(job, i)));
    return most;
}

static void method(const run_job *job, char *buffer, size_t size) {
    snprintf(buffer, size, "%s %s", job->blas.name, job->dtype == ROOF_F64 ? "dgemm" : "sgemm");
}

const run_kind run_gemm = {.plan = plan, .fill = fill, .run = run, .check = check, .method = method, .math = true};
