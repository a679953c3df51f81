/* Matrix times vector, dense and sparse, and stencils: work that the memory limits, so our own loops do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/run/run.h"
#include "work/ops.h"

static int too_large(const char *what, double value, roof_error *error) {
    return roof_fail(error, ROOF_EARGUMENT, "%s=%.0f does not fit a 32-bit index", what, value);
}

/* ---- gemv: rows are shared out ---- */

enum { GEMV_A, GEMV_X, GEMV_Y };

static int plan_gemv(run_job *job, roof_error *error) {
    const double *shape = job->operation->shape;
    size_t element = (size_t)roof_dtype_bytes(job->dtype);
    (void)error;
    job->rows = (size_t)shape[GEMV_M];
    job->cols = (size_t)shape[GEMV_N];
    job->batch = (size_t)shape[GEMV_BATCH];
    run_add_array(job, job->batch * job->rows * job->cols, element);
    run_add_array(job, job->batch * job->cols, element);
    run_add_array(job, job->batch * job->rows, element);
    job->variants = 1;
    return 0;
}

/* Rows of all products in one sequence; a piece never crosses from one product to the next. */
static void run_rows(run_job *job, int rank) {
    size_t from, to, element = job->arrays[GEMV_A].element;
    run_share(job->batch * job->rows, 4, job->threads, rank, &from, &to);
    while (from < to) {
        size_t product = from / job->rows, end = (product + 1) * job->rows;
        end = end < to ? end : to;
        job->loops->gemv(job->arrays[GEMV_Y].bytes + from * element,
                         job->arrays[GEMV_A].bytes + from * job->cols * element,
                         job->arrays[GEMV_X].bytes + product * job->cols * element, end - from, job->cols);
        from = end;
    }
}

static void fill_gemv(run_job *job, int rank) {
    run_fill_array(job, GEMV_A, rank);
    run_fill_array(job, GEMV_X, rank);
    run_clear_array(job, GEMV_Y, rank);
}

static double check_gemv(const run_job *job, int rank) {
    size_t from, to;
    double most = 0;
    run_share(job->batch * job->rows, 4, job->threads, rank, &from, &to);
    for (size_t row = from; row < to; row++) {
        double sum = 0;
        size_t product = row / job->rows;
        for (size_t i = 0; i < job->cols; i++)
            sum += run_value(GEMV_A, row * job->cols + i) * run_value(GEMV_X, product * job->cols + i);
        most = fmax(most, run_difference(run_element(job, GEMV_Y, row), sum));
    }
    return most;
}

static void method_gemv(const run_job *job, char *buffer, size_t size) {
    snprintf(buffer, size, "own %s loop, four rows at once", job->loops->isa);
}

/* ---- spmv: a band around the diagonal, rows of equal length ---- */

enum { SPMV_VALUES, SPMV_COLUMNS, SPMV_STARTS, SPMV_X, SPMV_Y };

/* nnz values spread evenly over the rows. */
static size_t row_start(const run_job *job, size_t row) {
    size_t each = job->depth / job->rows, more = job->depth % job->rows;
    return row * each + (row < more ? row : more);
}

/* Neighbouring columns around the diagonal, so that x crosses once and stays in the cache, as the bytes are counted. */
static size_t first_column(const run_job *job, size_t row) {
    size_t length = row_start(job, row + 1) - row_start(job, row);
    size_t centre = (size_t)((double)row / (double)job->rows * (double)job->cols), half = length / 2;
    size_t first = centre > half ? centre - half : 0;
    return first + length <= job->cols ? first : job->cols - length;
}

static int plan_spmv(run_job *job, roof_error *error) {
    const double *shape = job->operation->shape;
    size_t element = (size_t)roof_dtype_bytes(job->dtype);
    if (job->operation->dtype[1] != ROOF_INT32) {
        roof_fail(error, ROOF_EUNSUPPORTED, "spmv with %s indices cannot be run",
                  roof_dtype_name(job->operation->dtype[1]));
        roof_hint(error, "leave index= out: int32 indices can be run");
        return -1;
    }
    if (!(shape[SPMV_NNZ] <= INT32_MAX && shape[SPMV_COLS] <= INT32_MAX))
        return too_large(shape[SPMV_NNZ] > INT32_MAX ? "nnz" : "cols", fmax(shape[SPMV_NNZ], shape[SPMV_COLS]), error);
    if (ceil(shape[SPMV_NNZ] / shape[SPMV_ROWS]) > shape[SPMV_COLS])
        return roof_fail(error, ROOF_EARGUMENT, "nnz=%.0f: %.0f rows of %.0f columns hold at most %.0f values",
                         shape[SPMV_NNZ], shape[SPMV_ROWS], shape[SPMV_COLS], shape[SPMV_ROWS] * shape[SPMV_COLS]);
    job->rows = (size_t)shape[SPMV_ROWS];
    job->depth = (size_t)shape[SPMV_NNZ];
    job->cols = (size_t)shape[SPMV_COLS];
    run_add_array(job, job->depth, element);
    run_add_array(job, job->depth, sizeof(int32_t));
    run_add_array(job, job->rows + 1, sizeof(int32_t));
    run_add_array(job, job->cols, element);
    run_add_array(job, job->rows, element);
    job->variants = 1;
    return 0;
}

/* A thread fills the rows it will work on, so their pages are its own. */
static void fill_spmv(run_job *job, int rank) {
    int32_t *columns = (int32_t *)(void *)job->arrays[SPMV_COLUMNS].bytes,
            *starts = (int32_t *)(void *)job->arrays[SPMV_STARTS].bytes;
    size_t from, to;
    run_fill_array(job, SPMV_VALUES, rank);
    run_fill_array(job, SPMV_X, rank);
    run_clear_array(job, SPMV_Y, rank);
    run_share(job->rows, 1, job->threads, rank, &from, &to);
    for (size_t row = from; row < to; row++) {
        size_t at = row_start(job, row), end = row_start(job, row + 1), column = first_column(job, row);
        starts[row + 1] = (int32_t)end;
        while (at < end)
            columns[at++] = (int32_t)column++;
    }
    if (rank == 0)
        starts[0] = 0;
}

static void run_sparse(run_job *job, int rank) {
    size_t from, to;
    run_share(job->rows, 1, job->threads, rank, &from, &to);
    job->loops->spmv(job->arrays[SPMV_Y].bytes, job->arrays[SPMV_VALUES].bytes,
                     (const int32_t *)(void *)job->arrays[SPMV_COLUMNS].bytes,
                     (const int32_t *)(void *)job->arrays[SPMV_STARTS].bytes, job->arrays[SPMV_X].bytes, from, to);
}

static double check_spmv(const run_job *job, int rank) {
    size_t from, to;
    double most = 0;
    run_share(job->rows, 1, job->threads, rank, &from, &to);
    for (size_t row = from; row < to; row++) {
        size_t at = row_start(job, row), end = row_start(job, row + 1), column = first_column(job, row);
        double sum = 0;
        while (at < end)
            sum += run_value(SPMV_VALUES, at++) * run_value(SPMV_X, column++);
        most = fmax(most, run_difference(run_element(job, SPMV_Y, row), sum));
    }
    return most;
}

static void method_spmv(const run_job *job, char *buffer, size_t size) {
    snprintf(buffer, size, "own %s CSR loop on a band matrix", job->loops->isa);
}

/* ---- stencil: lines are shared out; in one dimension the one line ---- */

enum { STENCIL_IN, STENCIL_OUT };

static void add_point(run_grid *grid, int dx, int dy, int dz) {
    grid->dx[grid->points] = dx;
    grid->dy[grid->points] = dy;
    grid->dz[grid->points++] = dz;
    if (abs(dx) > grid->radius)
        grid->radius = abs(dx);
}

/* 3 x 3 (x 3) neighbours. */
static void make_box(run_grid *grid, int dimensions) {
    int y = dimensions > 1, z = dimensions > 2;
    for (int dz = -z; dz <= z; dz++)
        for (int dy = -y; dy <= y; dy++)
            for (int dx = -1; dx <= 1; dx++)
                add_point(grid, dx, dy, dz);
    grid->shape = "box";
}

/* The point and `radius` neighbours on either side along each axis. */
static void make_star(run_grid *grid, int dimensions, int radius) {
    add_point(grid, 0, 0, 0);
    for (int step = 1; step <= radius; step++)
        for (int sign = -1; sign <= 1; sign += 2) {
            add_point(grid, sign * step, 0, 0);
            if (dimensions > 1)
                add_point(grid, 0, sign * step, 0);
            if (dimensions > 2)
                add_point(grid, 0, 0, sign * step);
        }
    grid->shape = "star";
}

static int make_grid(run_grid *grid, const double *shape, roof_error *error) {
    int points = shape[STENCIL_POINTS] <= MOST_STENCIL_POINTS ? (int)shape[STENCIL_POINTS] : 0;
    *grid =
        (run_grid){.nx = (size_t)shape[STENCIL_NX], .ny = (size_t)shape[STENCIL_NY], .nz = (size_t)shape[STENCIL_NZ]};
    int dimensions = grid->nz > 1 ? 3 : grid->ny > 1 ? 2 : 1;
    if (dimensions > 1 && points == (dimensions == 2 ? 9 : 27)) {
        make_box(grid, dimensions);
        return 0;
    }
    if (points > 0 && (points - 1) % (2 * dimensions) == 0) {
        make_star(grid, dimensions, (points - 1) / (2 * dimensions));
        return 0;
    }
    roof_fail(error, ROOF_EUNSUPPORTED, "a stencil of %.0f points in %d dimension%s cannot be run",
              shape[STENCIL_POINTS], dimensions, dimensions > 1 ? "s" : "");
    roof_hint(
        error,
        "what can: stars (3, 5, 7.. points in 1-d; 5, 13.. in 2-d; 7, 13, 25.. in 3-d), boxes of 9 and 27, up to %d",
        MOST_STENCIL_POINTS);
    return -1;
}

static int plan_stencil(run_job *job, roof_error *error) {
    const double *shape = job->operation->shape;
    if (make_grid(&job->grid, shape, error))
        return -1;
    if (shape[STENCIL_INPUTS] != 1 || shape[STENCIL_FLOPS] != 2 * shape[STENCIL_POINTS] - 1) {
        roof_fail(error, ROOF_EUNSUPPORTED, "a stencil of inputs=%g flops=%g cannot be run", shape[STENCIL_INPUTS],
                  shape[STENCIL_FLOPS]);
        roof_hint(error, "leave both out: one grid read, one multiply per point and the adds between them");
        return -1;
    }
    size_t sites = job->grid.nx * job->grid.ny * job->grid.nz, element = (size_t)roof_dtype_bytes(job->dtype);
    run_add_array(job, sites, element);
    run_add_array(job, sites, element);
    job->variants = 1;
    if (job->may_stream && !(shape[STENCIL_ALLOCATES] > 0) && job->loops->stencil_past)
        job->streams[job->variants++] = true;
    return 0;
}

static double weight_of(int point) {
    return 0.25 * (1 + point % 4);
}

static size_t clamped(size_t at, int by, size_t n) {
    ptrdiff_t moved = (ptrdiff_t)at + by;
    return moved < 0 ? 0 : moved >= (ptrdiff_t)n ? n - 1 : (size_t)moved;
}

/* Lines, and within a line sites, that thread `rank` works on. */
static void share_lines(const run_job *job, int rank, size_t lines[2], size_t sites[2]) {
    size_t count = job->grid.ny * job->grid.nz;
    lines[0] = sites[0] = 0;
    lines[1] = count;
    sites[1] = job->grid.nx;
    if (count > 1)
        run_share(count, 1, job->threads, rank, &lines[0], &lines[1]);
    else
        run_share(job->grid.nx, 64 / job->arrays[STENCIL_IN].element, job->threads, rank, &sites[0], &sites[1]);
}

static void run_lines(run_job *job, int rank) {
    const run_grid *grid = &job->grid;
    size_t lines[2], sites[2], pitch = grid->nx * job->arrays[STENCIL_IN].element;
    double weights[MOST_STENCIL_POINTS];
    share_lines(job, rank, lines, sites);
    for (int p = 0; p < grid->points; p++)
        weights[p] = weight_of(p);
    stencil_line line = {.dx = grid->dx,
                         .weight = weights,
                         .points = grid->points,
                         .radius = grid->radius,
                         .nx = grid->nx,
                         .from = sites[0],
                         .to = sites[1]};
    for (size_t at = lines[0]; at < lines[1]; at++) {
        size_t y = at % grid->ny, z = at / grid->ny;
        line.out = job->arrays[STENCIL_OUT].bytes + at * pitch;
        for (int p = 0; p < grid->points; p++)
            line.at[p] = job->arrays[STENCIL_IN].bytes +
                         (clamped(z, grid->dz[p], grid->nz) * grid->ny + clamped(y, grid->dy[p], grid->ny)) * pitch;
        (job->streams[job->variant] ? job->loops->stencil_past : job->loops->stencil)(&line);
    }
}

static void fill_stencil(run_job *job, int rank) {
    run_fill_array(job, STENCIL_IN, rank);
    run_clear_array(job, STENCIL_OUT, rank);
}

static double expected_site(const run_grid *grid, size_t x, size_t y, size_t z) {
    double sum = 0;
    for (int p = 0; p < grid->points; p++) {
        size_t at = (clamped(z, grid->dz[p], grid->nz) * grid->ny + clamped(y, grid->dy[p], grid->ny)) * grid->nx +
                    clamped(x, grid->dx[p], grid->nx);
        sum += weight_of(p) * run_value(STENCIL_IN, at);
    }
    return sum;
}

static double check_stencil(const run_job *job, int rank) {
    size_t lines[2], sites[2];
    double most = 0;
    share_lines(job, rank, lines, sites);
    for (size_t at = lines[0]; at < lines[1]; at++)
        for (size_t x = sites[0]; x < sites[1]; x++)
            most = fmax(most, run_difference(run_element(job, STENCIL_OUT, at * job->grid.nx + x),
                                             expected_site(&job->grid, x, at % job->grid.ny, at / job->grid.ny)));
    return most;
}

static void method_stencil(const run_job *job, char *buffer, size_t size) {
    snprintf(buffer, size, "own %s %s stencil%s", job->loops->isa, job->grid.shape,
             job->streams[job->variant] ? ", non-temporal stores" : "");
}

const run_kind run_gemv = {
    .plan = plan_gemv, .fill = fill_gemv, .run = run_rows, .check = check_gemv, .method = method_gemv, .math = true};
const run_kind run_spmv = {
    .plan = plan_spmv, .fill = fill_spmv, .run = run_sparse, .check = check_spmv, .method = method_spmv};
const run_kind run_stencil = {
    .plan = plan_stencil, .fill = fill_stencil, .run = run_lines, .check = check_stencil, .method = method_stencil};
