/* Predictions for this machine: runs operations at several sizes on one and on all cores and holds their expected time
 * against it. Prints the table of docs/validation.md, "This machine". bench_host MACHINE_FILE, as roofline measure
 * writes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roofline_expected.h"
#include "roofline_measure.h"

enum { ARGUMENTS = 6, ROWS = 128 };

typedef struct sized {
    roof_kind kind;
    const char *say;
    roof_argument arguments[ARGUMENTS];
} sized;

#define N(name_, value_)                                                                                               \
    { .name = #name_, .value = value_ }
#define F64                                                                                                            \
    { .name = "dtype", .dtype = ROOF_F64 }
#define VECTOR(kind_, n_)                                                                                              \
    {                                                                                                                  \
        ROOF_KIND_##kind_, #n_, {                                                                                      \
            N(n, n_), F64                                                                                              \
        }                                                                                                              \
    }
#define GEMV(m_)                                                                                                       \
    {                                                                                                                  \
        ROOF_KIND_GEMV, #m_ " x 1024", {                                                                               \
            N(m, m_), N(n, 1024), F64                                                                                  \
        }                                                                                                              \
    }
#define GEMM(n_)                                                                                                       \
    {                                                                                                                  \
        ROOF_KIND_GEMM, #n_ "^3", {                                                                                    \
            N(m, n_), N(n, n_), N(k, n_), F64                                                                          \
        }                                                                                                              \
    }
#define SPMV(rows_)                                                                                                    \
    {                                                                                                                  \
        ROOF_KIND_SPMV, #rows_ " rows, 10 per row", {                                                                  \
            N(rows, rows_), N(nnz, 10.0 * rows_), F64                                                                  \
        }                                                                                                              \
    }
#define GRID(points_, nx_, ny_, nz_)                                                                                   \
    {                                                                                                                  \
        ROOF_KIND_STENCIL, #points_ " points, " #nx_ " x " #ny_ " x " #nz_, {                                          \
            N(points, points_), N(nx, nx_), N(ny, ny_), N(nz, nz_), F64                                                \
        }                                                                                                              \
    }

static const sized all[] = {
    VECTOR(TRIAD, 1e3),
    VECTOR(TRIAD, 1e4),
    VECTOR(TRIAD, 1e5),
    VECTOR(TRIAD, 5e7),
    VECTOR(DOT, 1e3),
    VECTOR(DOT, 1e4),
    VECTOR(DOT, 1e5),
    VECTOR(DOT, 5e7),
    GEMV(128),
    GEMV(512),
    GEMV(8192),
    GEMV(32768),
    GEMM(64),
    GEMM(256),
    GEMM(512),
    GEMM(1024),
    GEMM(2048),
    SPMV(10000),
    SPMV(100000),
    SPMV(5000000),
    GRID(5, 500, 500, 1),
    GRID(5, 8000, 4000, 1),
    GRID(9, 500, 500, 1),
    GRID(7, 400, 200, 200),
    GRID(27, 400, 200, 200),
};

static double errors[ROWS];
static size_t error_count, inside;

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int row(const roof_machine *machine, const roof_constants *constants, const sized *of, int threads) {
    roof_operation operation;
    roof_verdict verdict;
    roof_expected expected;
    roof_run run;
    roof_error error = {0};
    size_t count = 0;
    while (count < ARGUMENTS && of->arguments[count].name)
        count++;
    roof_run_options options = {.threads = threads, .seconds = 0.6};
    if (roof_operation_build(of->kind, of->arguments, count, &operation, &error) ||
        roof_run_operation(machine, &operation, &options, &run, &error)) {
        fprintf(stderr, "bench_host: %s %s: %s\n", roof_kind_name(of->kind), of->say, error.what);
        return -1;
    }
    roof_operation_at_level(machine, &run, &operation);
    if (roof_judge(machine, &operation, &verdict, &error) ||
        roof_expect(machine, constants, &operation, &expected, &error))
        return -1;
    bool holds = run.seconds >= expected.low && run.seconds <= expected.high;
    errors[error_count++] = fabs(log(expected.seconds / run.seconds));
    inside += holds;
    printf("| %s | %s | %d | %s%s | %.3g | %.3g | %.3g | %.2f | %.2f%s |\n", roof_kind_name(of->kind), of->say, threads,
           run.near_edge ? "~" : "", roof_level_name(run.level), 1e6 * verdict.seconds, 1e6 * expected.seconds,
           1e6 * run.seconds, verdict.seconds / run.seconds, expected.seconds / run.seconds, holds ? "" : " *");
    return 0;
}

static int rows(const roof_machine *machine, int threads) {
    roof_constants constants;
    int failed = 0;
    roof_constants_of(machine, ROOF_ENGINE_ALONE, &constants);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        failed |= row(machine, &constants, &all[i], threads);
    return failed;
}

static roof_machine_file *load(const char *path) {
    static char text[1 << 22];
    roof_error error = {0};
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    roof_machine_file *read = length ? roof_read_machine(text, length, &error) : NULL;
    if (!read)
        fprintf(stderr, "bench_host: %s: %s\n", path, length ? error.what : "cannot be read");
    return read;
}

int main(int count, char **words) {
    roof_machine_file *file = count == 2 ? load(words[1]) : NULL;
    const roof_measurement *measurement = file ? roof_machine_file_measurement(file) : NULL;
    if (!measurement) {
        fprintf(stderr, "usage: bench_host MACHINE_FILE, as 'roofline measure' writes one\n");
        roof_machine_file_free(file);
        return 2;
    }
    printf("| operation | size | cores | lies in | bound, us | expected, us | measured, us | bound / measured | "
           "expected / measured |\n|-|-|-:|-|-:|-:|-:|-:|-:|\n");
    int failed = rows(&measurement->one, 1);
    if (measurement->threads > 1)
        failed |= rows(roof_machine_file_machine(file), measurement->threads);
    qsort(errors, error_count, sizeof errors[0], compare);
    printf("\n%zu rows: median error %.3f, 90th percentile %.3f; %zu in the 80 %% interval\n", error_count,
           errors[error_count / 2], errors[error_count * 9 / 10], inside);
    roof_machine_file_free(file);
    return failed != 0;
}
