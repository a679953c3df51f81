/* A measured CPU: rates by pattern from the samples, and operations under the rate of their own traffic. Figures are
 * round ones of ours; expected times are worked out beside them. */
#include <math.h>

#include "roofline_expected.h"
#include "roofline_measure.h"
#include "test.h"

#define MEMORY(pattern_, level_, threads_, value_)                                                                     \
    {                                                                                                                  \
        .pattern = ROOF_PATTERN_##pattern_, .isa = "avx2", .level = ROOF_##level_, .threads = threads_,                \
        .value = value_, .from_node = -1, .to_node = -1                                                                \
    }

static const roof_sample samples[] = {
    MEMORY(LOAD, DRAM, 1, 30e9),
    MEMORY(COPY, DRAM, 1, 25e9),
    MEMORY(COPY_NT, DRAM, 1, 40e9),
    MEMORY(TRIAD, DRAM, 1, 20e9),
    MEMORY(UPDATE, DRAM, 1, 60e9),
    MEMORY(LOAD, L1, 1, 160e9),
    MEMORY(LOAD, L2, 1, 100e9),
    MEMORY(LOAD, L1, 2, 100e9), /* disturbed: one core alone reached more */
    MEMORY(LOAD, DRAM, 2, 35e9),
    {.pattern = ROOF_PATTERN_FMA,
     .isa = "avx2",
     .unit = ROOF_VECTOR,
     .dtype = ROOF_F64,
     .threads = 1,
     .value = 50e9,
     .from_node = -1,
     .to_node = -1},
};

static roof_measurement measurement(void) {
    roof_measurement out = {.threads = 2, .samples = samples, .sample_count = sizeof samples / sizeof samples[0]};
    roof_figure dram = {.value = 60e9, .origin = ROOF_ORIGIN_MEASURED},
                l1 = {.value = 500e9, .origin = ROOF_ORIGIN_MEASURED};
    out.machine.bandwidth[ROOF_DRAM] = dram;
    out.machine.bandwidth[ROOF_L1] = l1;
    out.machine.bandwidth[ROOF_L2] = l1;
    out.machine.peak[ROOF_VECTOR][ROOF_F64] = (roof_figure){.value = 80e9, .origin = ROOF_ORIGIN_MEASURED};
    out.machine.id = "this:1";
    return out;
}

static void rates_by_pattern(void **state) {
    (void)state;
    roof_measurement all = measurement();
    roof_sustained one, two;
    roof_sustained_of(&all, 1, &one);
    roof_sustained_of(&all, 2, &two);
    assert_near(one.traffic[ROOF_TRAFFIC_READ][ROOF_DRAM], 30e9, 1e-12);
    assert_near(one.traffic[ROOF_TRAFFIC_COPY][ROOF_DRAM], 40e9, 1e-12); /* the better of both kinds of stores */
    assert_near(one.traffic[ROOF_TRAFFIC_UPDATE][ROOF_DRAM], 60e9, 1e-12);
    assert_near(one.traffic[ROOF_TRAFFIC_TRIAD][ROOF_L3], 0, 1e-12);
    assert_near(one.fma[ROOF_F64], 50e9, 1e-12);
    assert_near(one.loads, 5e9, 1e-12);  /* 160 GB/s in vectors of 32 bytes */
    assert_near(two.loads, 10e9, 1e-12); /* two L1s */
    assert_near(two.traffic[ROOF_TRAFFIC_READ][ROOF_L2], 200e9, 1e-12);
    assert_near(two.traffic[ROOF_TRAFFIC_READ][ROOF_DRAM], 35e9, 1e-12); /* shared: as measured */
}

static roof_expected expect(roof_kind kind, const roof_argument *arguments, size_t count, const roof_measurement *all,
                            const roof_sustained *sustained) {
    roof_machine machine = all->machine;
    roof_constants constants;
    roof_operation operation;
    roof_expected out = {0};
    machine.sustained = sustained;
    assert_int_equal(roof_operation_build(kind, arguments, count, &operation, NULL), 0);
    roof_constants_of(&machine, ROOF_ENGINE_ALONE, &constants);
    assert_int_equal(roof_expect(&machine, &constants, &operation, &out, NULL), 0);
    return out;
}

static void own_traffic(void **state) {
    (void)state;
    roof_measurement all = measurement();
    roof_sustained one;
    roof_sustained_of(&all, 1, &one);
    const roof_argument vector[] = {{.name = "n", .value = 1e8}, {.name = "dtype", .dtype = ROOF_F64}};
    /* dot reads 1.6 GB at 30 GB/s; beside it 0.2 GFLOP at 50 GFLOP/s, smooth maximum with p = 3; 70 ns to begin */
    double memory = 1.6e9 / 30e9, compute = 0.2e9 / 50e9;
    double seconds = cbrt(memory * memory * memory + compute * compute * compute) + 0.07e-6;
    assert_near(expect(ROOF_KIND_DOT, vector, 2, &all, &one).seconds, seconds, 1e-9);
    /* axpy: a third read, two thirds updated in place */
    double axpy = 2.4e9 / 3 / 30e9 + 2 * 2.4e9 / 3 / 60e9;
    assert_near(expect(ROOF_KIND_AXPY, vector, 2, &all, &one).term[ROOF_TERM_MEMORY], axpy, 1e-12);
    /* spmv: three loads a stored value, 5e9 a second */
    const roof_argument sparse[] = {{.name = "rows", .value = 1000}, {.name = "nnz", .value = 1e6}};
    assert_near(expect(ROOF_KIND_SPMV, sparse, 2, &all, &one).term[ROOF_TERM_COMPUTE], 3e6 / 5e9, 1e-12);
    /* a product packs its operands: A, B and C of 64 x 64 doubles twice across L2 */
    const roof_argument square[] = {{.name = "m", .value = 64},
                                    {.name = "n", .value = 64},
                                    {.name = "k", .value = 64},
                                    {.name = "dtype", .dtype = ROOF_F64}};
    roof_expected product = expect(ROOF_KIND_GEMM, square, 4, &all, &one);
    assert_near(product.term[ROOF_TERM_PASSES], 2 * 3 * 64 * 64 * 8 / 100e9, 1e-12);
    assert_near(product.term[ROOF_TERM_COMPUTE], 2.0 * 64 * 64 * 64 / (0.9 * 50e9), 1e-12);
}

static void terms_sum(void **state) {
    (void)state;
    roof_measurement all = measurement();
    roof_sustained two;
    roof_sustained_of(&all, 2, &two);
    const roof_argument grid[] = {{.name = "points", .value = 7},
                                  {.name = "nx", .value = 100},
                                  {.name = "ny", .value = 100},
                                  {.name = "nz", .value = 100}};
    roof_expected expected = expect(ROOF_KIND_STENCIL, grid, 4, &all, &two);
    double sum = 0;
    for (int i = 0; i < ROOF_TERM_COUNT; i++)
        sum += expected.term[i];
    assert_near(sum, expected.seconds, 1e-12);
    assert_true(fabs(expected.term[ROOF_TERM_OVERLAP]) < 1e-15);  /* in DRAM the loads add to the traffic */
    assert_near(expected.term[ROOF_TERM_LAUNCH], 0.37e-6, 1e-12); /* two threads meet */
}

/* A socket of the catalogue: no kernels are launched on it, its 96 cores meet. */
static void cores_meet(void **state) {
    (void)state;
    roof_machine machine;
    roof_constants constants;
    assert_int_equal(roof_machine_find("epyc-9654", &machine, NULL, 0, NULL), 0);
    roof_constants_of(&machine, ROOF_ENGINE_ALONE, &constants);
    assert_near(constants.value[ROOF_CONSTANT_LAUNCH].value, 0.07e-6 + 0.3e-6 * log2(96), 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_by_pattern),
        cmocka_unit_test(own_traffic),
        cmocka_unit_test(terms_sum),
        cmocka_unit_test(cores_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
