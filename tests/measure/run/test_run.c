/* Operations that are run: every kind, dtype and instruction set gives the numbers of a plain computation, a wrong
 * result is noticed, and what cannot be run is refused. Values are chosen so that sums are exact: the difference must
 * be 0. */
#include <stdlib.h>
#include <unistd.h>

#include "alloc/alloc.h"
#include "host/made_tree.h"
#include "measure/run/run.h"
#include "roofline_measure.h"
#include "test.h"

/* ---- building operations ---- */

static roof_operation build(roof_kind kind, roof_dtype dtype, const char *words) {
    roof_argument arguments[12];
    char names[12][24];
    size_t count = 0;
    int length;
    for (const char *at = words; *at; at += length) {
        arguments[count] = (roof_argument){.name = names[count]};
        assert_int_equal(sscanf(at, "%23[a-z_]=%lf%n", names[count], &arguments[count].value, &length), 2);
        at += at[length] == ' ';
        count++;
    }
    if (dtype != ROOF_DTYPE_NONE)
        arguments[count++] = (roof_argument){.name = "dtype", .dtype = dtype};
    roof_operation operation;
    roof_error error;
    if (roof_operation_build(kind, arguments, count, &operation, &error))
        fail_msg("%s", error.what);
    return operation;
}

static roof_machine machine_of(double l1, double l2, double l3) {
    roof_machine machine = {.id = "this"};
    machine.size[ROOF_L1] = (roof_figure){.value = l1, .origin = ROOF_ORIGIN_GIVEN};
    machine.size[ROOF_L2] = (roof_figure){.value = l2, .origin = ROOF_ORIGIN_GIVEN};
    machine.size[ROOF_L3] = (roof_figure){.value = l3, .origin = ROOF_ORIGIN_GIVEN};
    return machine;
}

/* Odd sizes: shares end between vectors, lines between cache lines. */
static const struct {
    roof_kind kind;
    const char *words;
} cases[] = {
    {ROOF_KIND_COPY, "n=1"},
    {ROOF_KIND_COPY, "n=10007"},
    {ROOF_KIND_SCALE, "n=10007"},
    {ROOF_KIND_ADD, "n=10007"},
    {ROOF_KIND_TRIAD, "n=10007"},
    {ROOF_KIND_TRIAD, "n=10007 write_allocate=1"},
    {ROOF_KIND_AXPY, "n=10007"},
    {ROOF_KIND_DOT, "n=20011"},
    {ROOF_KIND_ELEMENTWISE, "n=1003 inputs=1 flops=0"},
    {ROOF_KIND_ELEMENTWISE, "n=1003 inputs=1 flops=1"},
    {ROOF_KIND_ELEMENTWISE, "n=1003 inputs=2 flops=1"},
    {ROOF_KIND_ELEMENTWISE, "n=1003 inputs=2 flops=2"},
    {ROOF_KIND_GEMV, "m=61 n=103"},
    {ROOF_KIND_GEMV, "m=3 n=77 batch=5"},
    {ROOF_KIND_GEMV, "m=1 n=1"},
    {ROOF_KIND_SPMV, "rows=501 nnz=3007"},
    {ROOF_KIND_SPMV, "rows=7 nnz=20 cols=5"},
    {ROOF_KIND_SPMV, "rows=9 nnz=4"},
    {ROOF_KIND_STENCIL, "points=3 nx=1003"},
    {ROOF_KIND_STENCIL, "points=5 nx=67 ny=31"},
    {ROOF_KIND_STENCIL, "points=9 nx=67 ny=31"},
    {ROOF_KIND_STENCIL, "points=13 nx=40 ny=9"},
    {ROOF_KIND_STENCIL, "points=7 nx=33 ny=9 nz=8"},
    {ROOF_KIND_STENCIL, "points=27 nx=37 ny=5 nz=6"},
    {ROOF_KIND_STENCIL, "points=25 nx=5 ny=11 nz=7 write_allocate=1"},
    {ROOF_KIND_STENCIL, "points=1 nx=100 ny=3"},
};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- loops, one instruction set after the other, without threads ---- */

static const run_kind *how(roof_kind kind) {
    switch (kind) {
    case ROOF_KIND_GEMV:
        return &run_gemv;
    case ROOF_KIND_SPMV:
        return &run_spmv;
    case ROOF_KIND_STENCIL:
        return &run_stencil;
    case ROOF_KIND_ELEMENTWISE:
        return &run_elementwise;
    default:
        return &run_stream;
    }
}

static void each_rank(run_job *job, void (*work)(run_job *job, int rank)) {
    for (int rank = 0; rank < job->threads; rank++)
        work(job, rank);
}

static double check_all(const run_kind *kind, const run_job *job) {
    double most = 0;
    for (int rank = 0; rank < job->threads; rank++)
        most = fmax(most, kind->check(job, rank));
    return most;
}

/* The place of the output among the arrays. */
static int output_of(roof_kind kind) {
    return kind == ROOF_KIND_GEMV ? 2 : kind == ROOF_KIND_SPMV ? 4 : kind == ROOF_KIND_STENCIL ? 1 : 0;
}

static void spoil(run_job *job) {
    run_array *output = &job->arrays[output_of(job->operation->kind)];
    if (job->operation->kind == ROOF_KIND_DOT)
        job->result *= 1.001;
    else
        output->bytes[output->count * output->element - 2] ^= 0x10;
}

static void run_variants(const run_kind *kind, run_job *job) {
    for (job->variant = 0; job->variant < job->variants; job->variant++) {
        each_rank(job, kind->fill);
        job->executions = 0;
        for (int times = 0; times < 3; times++) {
            each_rank(job, kind->run);
            if (kind->join)
                kind->join(job);
            job->executions++;
        }
        assert_exact(check_all(kind, job), 0);
        spoil(job);
        assert_true(check_all(kind, job) > 1e-4);
    }
}

static void run_case(const loops *row, feature_set features, int threads, const roof_operation *operation) {
    const run_kind *kind = how(operation->kind);
    run_job job = {.operation = operation,
                   .features = features,
                   .loops = row,
                   .dtype = row->dtype,
                   .threads = threads,
                   .may_stream = true};
    double partial[8 * 16];
    job.partial = partial;
    assert_int_equal(kind->plan(&job, NULL), 0);
    for (int i = 0; i < job.array_count; i++) {
        size_t bytes = (job.arrays[i].count * job.arrays[i].element + 63) / 64 * 64;
        job.arrays[i].bytes = aligned_alloc(64, bytes ? bytes : 64);
    }
    run_variants(kind, &job);
    for (int i = 0; i < job.array_count; i++)
        free(job.arrays[i].bytes);
}

static void loops_compute(void **state) {
    feature_set features = host_features() | FEATURE(BASE);
    const loops *row;
    (void)state;
    for (size_t i = 0; (row = loops_at(i)); i++) {
        if (row->needs & ~features)
            continue;
        for (int c = 0; c < CASES; c++)
            for (int threads = 1; threads <= 3; threads++) {
                roof_operation operation = build(cases[c].kind, row->dtype, cases[c].words);
                run_case(row, row->needs, threads, &operation);
                run_case(row, features, threads, &operation);
            }
    }
}

static void loops_are_chosen_by_features(void **state) {
    (void)state;
    assert_ptr_equal(loops_for(FEATURE(BASE), ROOF_BF16), NULL);
    for (roof_dtype dtype = ROOF_F64; dtype <= ROOF_F32; dtype++) {
        const loops *base = loops_for(FEATURE(BASE), dtype);
        assert_non_null(base);
        assert_true(base->dtype == dtype && base->needs == FEATURE(BASE));
        assert_ptr_equal(loops_for(0, dtype), NULL);
#ifdef __x86_64__
        assert_string_equal(loops_for(FEATURE(BASE) | FEATURE(AVX2), dtype)->isa, "sse2"); /* FMA masked */
        assert_string_equal(loops_for(FEATURE(BASE) | FEATURE(AVX2) | FEATURE(FMA), dtype)->isa, "avx2");
        assert_string_equal(loops_for(~(feature_set)0, dtype)->isa, "avx512");
#endif
    }
}

/* ---- shares ---- */

static void shares_cover(void **state) {
    static const size_t lengths[] = {0, 1, 7, 8, 9, 1000, 1023};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t unit = 1; unit <= 16; unit *= 4)
            for (int threads = 1; threads <= 9; threads++) {
                size_t at = 0, from, to;
                for (int rank = 0; rank < threads; rank++) {
                    run_share(lengths[i], unit, threads, rank, &from, &to);
                    assert_int_equal(from, at);
                    assert_true(to >= from && (to % unit == 0 || to == lengths[i]));
                    at = to;
                }
                assert_int_equal(at, lengths[i]);
            }
}

/* ---- levels ---- */

static void levels(void **state) {
    enum { KB = 1000, MB = 1000 * KB };
    (void)state;
    host *here = calloc(1, sizeof *here);
    assert_non_null(here);
    here->core_count = 4;
    here->sharing[ROOF_L1] = here->sharing[ROOF_L2] = 1;
    here->sharing[ROOF_L3] = 4;
    roof_machine machine = machine_of(4 * 32 * KB, 4 * MB, 16 * MB); /* of all four cores */
    const struct {
        int threads;
        double bytes;
        roof_level level;
        bool near_edge;
    } wanted[] = {
        {4, 10 * KB, ROOF_L1, false},   {4, 90 * KB, ROOF_L1, true},  {4, 120 * KB, ROOF_L2, true},
        {4, 1 * MB, ROOF_L2, false},    {4, 5 * MB, ROOF_L3, true},   {4, 15 * MB, ROOF_DRAM, true},
        {4, 50 * MB, ROOF_DRAM, false}, {1, 10 * KB, ROOF_L1, false}, {1, 90 * KB, ROOF_L2, false},
        {1, 7 * MB, ROOF_L3, false}, /* L3 is shared: one core has all of it */
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        bool near_edge;
        assert_int_equal(run_level(&machine, here, wanted[i].threads, wanted[i].bytes, &near_edge), wanted[i].level);
        if (near_edge != wanted[i].near_edge)
            fail_msg("case %zu", i);
    }
    bool near_edge = true;
    assert_int_equal(run_level(&(roof_machine){0}, here, 4, KB, &near_edge), ROOF_DRAM); /* sizes not known */
    assert_false(near_edge);
    free(here);
}

/* ---- whole runs ---- */

static int cores(void) {
    host *here = malloc(sizeof *here);
    assert_non_null(here);
    host_read("", here);
    int count = here->core_count;
    free(here);
    return count;
}

static void check_run(const roof_run *run, int threads) {
    assert_exact(run->error, 0);
    assert_int_equal(run->threads, threads);
    assert_true(run->times >= 1 && run->seconds > 0);
    assert_true(run->seconds <= run->median && run->median <= run->worst);
    assert_true(run->method[0] != '\0');
}

static void runs(void **state) {
    roof_machine machine = machine_of(64e3, 2e6, 16e6);
    int most = cores() < 2 ? 1 : 2;
    (void)state;
    for (int c = 0; c < CASES; c++)
        for (int threads = 1; threads <= most; threads++)
            for (roof_dtype dtype = ROOF_F64; dtype <= ROOF_F32; dtype++) {
                roof_operation operation = build(cases[c].kind, dtype, cases[c].words);
                roof_run run;
                roof_error error = {0};
                if (roof_run_operation(&machine, &operation, &(roof_run_options){threads, 0.005}, &run, &error))
                    fail_msg("%s: %s", cases[c].words, error.what);
                check_run(&run, threads);
            }
}

/* Larger than the last level that the machine is said to have: both kinds of stores are tried. */
static void runs_past_the_caches(void **state) {
    roof_machine machine = machine_of(1e3, 10e3, 100e3);
    roof_operation operation = build(ROOF_KIND_TRIAD, ROOF_F64, "n=100003");
    roof_run run;
    (void)state;
    assert_int_equal(roof_run_operation(&machine, &operation, &(roof_run_options){0, 0.005}, &run, NULL), 0);
    assert_int_equal(run.level, ROOF_DRAM);
    assert_exact(run.set_bytes, 3 * 8 * 100003.0);
    check_run(&run, cores());
}

static bool has_blas(void) {
    blas found;
    if (blas_open(blas_names(), &found, NULL))
        return false;
    blas_close(&found);
    return true;
}

/* Threads of ours call the BLAS side by side, each for its tile or its products. */
static void gemm_runs(void **state) {
    static const char *const shapes[] = {"m=1 n=1 k=1",    "m=65 n=37 k=129",     "m=7 n=300 k=20",
                                         "m=300 n=7 k=20", "m=9 n=8 k=7 batch=5", "m=128 n=128 k=128"};
    roof_machine machine = machine_of(64e3, 2e6, 16e6);
    int most = cores() < 2 ? 1 : 2;
    (void)state;
    if (!has_blas())
        skip();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int threads = 1; threads <= most; threads++)
            for (roof_dtype dtype = ROOF_F64; dtype <= ROOF_F32; dtype++) {
                roof_operation operation = build(ROOF_KIND_GEMM, dtype, shapes[i]);
                roof_run run;
                roof_error error = {0};
                if (roof_run_operation(&machine, &operation, &(roof_run_options){threads, 0.02}, &run, &error))
                    fail_msg("%s: %s", shapes[i], error.what);
                check_run(&run, threads);
                assert_non_null(strstr(run.method, dtype == ROOF_F64 ? "dgemm" : "sgemm"));
            }
}

static void blas_tells_what_it_is(void **state) {
    blas found;
    (void)state;
    if (blas_open(blas_names(), &found, NULL))
        skip();
    double a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {7, 8, 9, 10, 11, 12}, c[4];
    blas_multiply(&found, ROOF_F64, 2, 2, 3, a, 3, b, 2, c, 2);
    assert_true(found.name[0] != '\0');
    assert_true(c[0] == 58 && c[1] == 64 && c[2] == 139 && c[3] == 154); /* by hand */
    blas_close(&found);
    assert_null(found.library);
}

/* ---- what is refused ---- */

static void refused(const roof_operation *operation, const roof_run_options *options, const char *what) {
    roof_machine machine = machine_of(64e3, 2e6, 16e6);
    roof_run run = {.seconds = 1};
    roof_error error = {0};
    assert_int_equal(roof_run_operation(&machine, operation, options, &run, &error), -1);
    if (!strstr(error.what, what))
        fail_msg("'%s' is not said by '%s'", what, error.what);
    assert_exact(run.seconds, 0);
    assert_int_equal(roof_run_operation(&machine, operation, options, &run, NULL), -1);
}

static void refusals(void **state) {
    static const struct {
        roof_kind kind;
        roof_dtype dtype;
        const char *words, *what;
    } wanted[] = {
        {ROOF_KIND_FFT, ROOF_F64, "n=1024", "there is no kernel for fft here"},
        {ROOF_KIND_TRIAD, ROOF_BF16, "n=1024", "triad in bf16 cannot be run: the kernels compute in f64 and f32"},
        {ROOF_KIND_GEMM, ROOF_DTYPE_NONE, "m=8 n=8 k=8", "gemm in bf16 cannot be run"},
        {ROOF_KIND_TRIAD, ROOF_F64, "n=0", "this triad has nothing to do"},
        {ROOF_KIND_GEMV, ROOF_F64, "m=5 n=0", "this gemv has nothing to do"},
        {ROOF_KIND_SPMV, ROOF_F64, "rows=10 nnz=0", "this spmv has nothing to do"},
        {ROOF_KIND_SPMV, ROOF_F64, "rows=2 nnz=20 cols=3", "at most 6 values"},
        {ROOF_KIND_SPMV, ROOF_F64, "rows=10 nnz=3000000000 cols=1000000000", "32-bit index"},
        {ROOF_KIND_STENCIL, ROOF_F64, "points=6 nx=10 ny=10", "a stencil of 6 points in 2 dimensions cannot be run"},
        {ROOF_KIND_STENCIL, ROOF_F64, "points=65 nx=100", "a stencil of 65 points in 1 dimension cannot be run"},
        {ROOF_KIND_STENCIL, ROOF_F64, "points=7 nx=9 ny=9 nz=9 inputs=2", "inputs=2"},
        {ROOF_KIND_STENCIL, ROOF_F64, "points=7 nx=9 ny=9 nz=9 flops=8", "flops=8"},
        {ROOF_KIND_ELEMENTWISE, ROOF_F32, "n=10 inputs=3", "elementwise inputs=3 outputs=1 flops=1 cannot be run"},
        {ROOF_KIND_ELEMENTWISE, ROOF_F32, "n=10 inputs=2 outputs=2", "outputs=2"},
        {ROOF_KIND_GEMM, ROOF_F32, "m=8 n=8 k=8 bias=1", "with a bias"},
        {ROOF_KIND_GEMM, ROOF_F32, "m=8 n=8 k=8 bits=4", "with a weight format"},
        {ROOF_KIND_TRIAD, ROOF_F64, "n=1000000000000", "this triad needs 24.0 TB of memory"},
        {ROOF_KIND_COPY, ROOF_F64, "n=1000000000000000", "of memory"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        roof_operation operation = build(wanted[i].kind, wanted[i].dtype, wanted[i].words);
        refused(&operation, NULL, wanted[i].what);
    }
    roof_operation operation = build(ROOF_KIND_COPY, ROOF_F64, "n=100");
    refused(&operation, &(roof_run_options){.threads = 100000}, "100000 threads are asked for");
    refused(&operation, &(roof_run_options){.threads = -1}, "-1 threads are asked for");
    operation = build(ROOF_KIND_GEMV, ROOF_F64, "m=8 n=8");
    operation.dtype[1] = ROOF_F32;
    refused(&operation, NULL, "all operands have one dtype");
    operation = build(ROOF_KIND_SPMV, ROOF_F64, "rows=8 nnz=8");
    operation.dtype[1] = ROOF_INT16;
    refused(&operation, NULL, "int16 indices");
}

/* What no memory would help is said on a machine of 1 GB too; what it would help, with the memory that is there. */
static void refusals_of_a_small_machine(void **state) {
    static const struct {
        const char *words, *what;
    } wanted[] = {{"rows=10 nnz=3000000000 cols=1000000000", "32-bit index"},
                  {"rows=1000000 nnz=300000000 cols=1000", "are available (MemAvailable)"}};
    roof_machine machine = machine_of(64e3, 2e6, 16e6);
    made_tree tree;
    (void)state;
    made_begin(&tree);
    made_file(&tree, "MemTotal: 1000000 kB\nMemAvailable: 1000000 kB\n", "/proc/meminfo");
    made_file(&tree, "0\n", "/sys/devices/system/cpu/online");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        roof_operation operation = build(ROOF_KIND_SPMV, ROOF_F64, wanted[i].words);
        roof_error error = {0};
        roof_run run;
        assert_int_equal(run_operation(&(run_place){.root = tree.root, .blas_names = blas_names()}, &machine,
                                       &operation, &(roof_run_options){.threads = 1}, &run, &error),
                         -1);
        if (!strstr(error.what, wanted[i].what))
            fail_msg("'%s' does not say '%s'", error.what, wanted[i].what);
    }
    made_end(&tree);
}

static void no_blas(void **state) {
    static const char *const names[] = {"libnothing-here.so.7", "libm.so.6", NULL}; /* the second has no dgemm */
    roof_machine machine = machine_of(64e3, 2e6, 16e6);
    roof_operation operation = build(ROOF_KIND_GEMM, ROOF_F64, "m=8 n=8 k=8");
    roof_run run;
    roof_error error;
    (void)state;
    assert_int_equal(run_operation(&(run_place){.root = "", .blas_names = names}, &machine, &operation,
                                   &(roof_run_options){0}, &run, &error),
                     -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    assert_non_null(strstr(error.what, "gemm needs a BLAS, and none was found"));
    assert_non_null(strstr(error.what, "libnothing-here.so.7, libm.so.6"));
    assert_non_null(strstr(error.hint, "libopenblas0-pthread"));
}

/* Memory that cannot be had is an error and leaves nothing behind; where the host can be read without it, all is well.
 */
static void out_of_memory(void **state) {
    roof_machine machine = machine_of(64e3, 2e6, 16e6);
    roof_operation operation = build(ROOF_KIND_DOT, ROOF_F64, "n=1000");
    (void)state;
    int failures = 0;
    ALLOC_FAIL_EACH(n, {
        roof_run run;
        roof_error error = {0};
        int failed = roof_run_operation(&machine, &operation, &(roof_run_options){1, 0.001}, &run, &error);
        assert_int_equal(alloc_live(), 0);
        assert_true(!failed || (alloc_failed() && error.code == ROOF_ENOMEM));
        failures += failed != 0;
    })
    alloc_start(0);
    assert_true(failures >= 5); /* the host, CPUs, times, starts, the threads' results, the team */
}

static void what_can_run(void **state) {
    int count = 0;
    (void)state;
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++)
        count += roof_can_run((roof_kind)kind);
    assert_int_equal(count, 11);
    assert_true(roof_can_run(ROOF_KIND_SPMV) && !roof_can_run(ROOF_KIND_ATTENTION) && !roof_can_run(ROOF_KIND_COUNT));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_compute),
        cmocka_unit_test(loops_are_chosen_by_features),
        cmocka_unit_test(shares_cover),
        cmocka_unit_test(levels),
        cmocka_unit_test(runs),
        cmocka_unit_test(runs_past_the_caches),
        cmocka_unit_test(gemm_runs),
        cmocka_unit_test(blas_tells_what_it_is),
        cmocka_unit_test(refusals),
        cmocka_unit_test(no_blas),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(what_can_run),
        cmocka_unit_test(refusals_of_a_small_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
