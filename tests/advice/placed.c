/* Measured kernels under their roofs: hand-made numbers, the rules about what is missing, properties over random ones.
 */
#include "advice/fixtures.h"
#include "roofline_profile.h"

static roof_machine machine(const char *id) {
    roof_machine m;
    assert_int_equal(roof_machine_find(id, &m, NULL, 0, NULL), 0);
    return m;
}

static roof_count counted(double value) {
    return (roof_count){.value = value, .certainty = ROOF_CERTAINTY_COUNTED, .from = "test"};
}

static roof_count computed(double value) {
    return (roof_count){.value = value, .certainty = ROOF_CERTAINTY_COMPUTED, .from = "shapes"};
}

static roof_count at_least(double value) {
    return (roof_count){.value = value, .certainty = ROOF_CERTAINTY_AT_LEAST, .from = "test"};
}

/* A kernel of one call, with nothing counted. */
static roof_measured kernel(double seconds) {
    return (roof_measured){.name = "kernel", .calls = 1, .seconds = counted(seconds), .matrix_active = -1, .line = -1};
}

static void add_flops(roof_measured *m, roof_unit unit, roof_dtype dtype, roof_count count) {
    m->flops[m->flop_count].unit = unit;
    m->flops[m->flop_count].dtype = dtype;
    m->flops[m->flop_count++].count = count;
}

static roof_measured both(double seconds, roof_unit unit, roof_dtype dtype, double flops, double bytes) {
    roof_measured m = kernel(seconds);
    add_flops(&m, unit, dtype, counted(flops));
    m.bytes[ROOF_DRAM] = counted(bytes);
    return m;
}

static roof_placement place_on(const roof_machine *on, const roof_measured *m) {
    roof_placement out;
    assert_int_equal(roof_place(on, m, 1, &out, NULL), 0);
    assert_true(strlen(out.diagnosis) < sizeof out.diagnosis);
    return out;
}

static roof_placement place(const char *id, const roof_measured *m) {
    roof_machine on = machine(id);
    return place_on(&on, m);
}

#define assert_silent(placed, words)                                                                                   \
    do {                                                                                                               \
        if (strstr((placed).diagnosis, words))                                                                         \
            fail_msg("'%s' is in: %s", words, (placed).diagnosis);                                                     \
    } while (0)

/* ---- case: an axpy and a flash attention as Nsight Compute counts them, H100 SXM ---- */

static void test_memory_bound_axpy(void **state) {
    (void)state;
    roof_measured m = both(412.48e-6, ROOF_VECTOR, ROOF_F32, 201326592, 1207.96e6);
    roof_placement p = place("h100-sxm", &m);
    assert_int_equal(p.standing, ROOF_STANDING_NEAR);
    assert_int_equal(p.bound, ROOF_BOUND_MEMORY);
    assert_int_equal(p.level, ROOF_DRAM);
    assert_false(p.one_sided);
    assert_near(p.level_fraction[ROOF_DRAM], 0.8742, 1e-3); /* 2.929 of 3.35 TB/s */
    assert_near(p.intensity[ROOF_DRAM], 0.16666660485446538, 1e-12);
    assert_near(p.attained, 488.1e9, 1e-3);
    assert_near(p.least_seconds, 1207.96e6 / 3.35e12, 1e-12);
    assert_near(p.gain, 412.48e-6 - 1207.96e6 / 3.35e12, 1e-12);
    assert_string_equal(p.diagnosis, "");
}

static void test_uncounted_tensor_work(void **state) {
    (void)state;
    roof_measured m = kernel(1.25e-3);
    add_flops(&m, ROOF_VECTOR, ROOF_F32, at_least(4294967296.0));
    m.bytes[ROOF_DRAM] = counted(404217730);
    m.matrix_active = 0.632;
    m.missing = "tensor FLOPs: --metrics sm__ops_path_tensor.sum";
    roof_placement p = place("h100-sxm", &m);
    assert_int_equal(p.standing, ROOF_STANDING_UNKNOWN);
    assert_int_equal(p.bound, ROOF_BOUND_NONE);
    assert_true(p.one_sided);
    assert_exact(p.compute_fraction, 0);
    assert_exact(p.flops, 4294967296.0);
    assert_near(p.level_fraction[ROOF_DRAM], 404217730 / 1.25e-3 / 3.35e12, 1e-12);
    assert_exact(p.gain, 0);
    assert_says(p.diagnosis, "FLOPs incomplete: tensor work not counted");
    assert_says(p.diagnosis, "63.2%");
    assert_says(p.diagnosis, "it attains 9.7% of DRAM");
    assert_says(p.diagnosis, "sm__ops_path_tensor.sum");
}

/* The same when the vector count looks whole: a busy tensor pipe without a count is the evidence. */
static void test_tensor_evidence_alone(void **state) {
    (void)state;
    roof_measured m = both(1.25e-3, ROOF_VECTOR, ROOF_F32, 60e9, 404217730);
    m.matrix_active = 0.632;
    roof_placement p = place("h100-sxm", &m);
    assert_int_not_equal(p.bound, ROOF_BOUND_COMPUTE);
    assert_true(p.one_sided);
    m.bytes[ROOF_DRAM] = counted(3.0e9); /* 72 % of the bandwidth: that much is sure */
    m.seconds = counted(1.25e-3);
    p = place("h100-sxm", &m);
    assert_int_equal(p.standing, ROOF_STANDING_NEAR);
    assert_int_equal(p.bound, ROOF_BOUND_MEMORY);
    assert_says(p.diagnosis, "tensor work not counted");
}

/* ---- case: perf stat with events not counted ---- */

static void test_incomplete_flops(void **state) {
    (void)state;
    roof_measured m = kernel(2);
    add_flops(&m, ROOF_VECTOR, ROOF_F64, at_least(9e9));
    roof_placement p = place("epyc-9654", &m);
    assert_int_equal(p.standing, ROOF_STANDING_UNKNOWN);
    assert_int_equal(p.bound, ROOF_BOUND_NONE);
    assert_true(p.one_sided);
    assert_exact(p.flops, 9e9);
    assert_exact(p.attained, 4.5e9);
    assert_says(p.diagnosis, "FLOPs are at least 9.00 GFLOP (4.50 GFLOP/s) and bytes are missing: no verdict");
    m.bytes[ROOF_DRAM] = counted(100e9); /* 50 GB/s: judged on bandwidth */
    p = place("epyc-9654", &m);
    assert_int_equal(p.bound, ROOF_BOUND_MEMORY);
    assert_true(p.one_sided);
    assert_says(p.diagnosis, "no verdict about compute");
}

static void test_nothing_known(void **state) {
    (void)state;
    roof_measured m = kernel(1);
    m.missing = "bytes: --metrics dram__bytes.sum";
    roof_placement p = place("h100-sxm", &m);
    assert_int_equal(p.standing, ROOF_STANDING_UNKNOWN);
    assert_true(p.one_sided);
    assert_says(p.diagnosis, "neither FLOPs nor bytes");
    assert_says(p.diagnosis, "dram__bytes.sum");
    m = both(1, ROOF_VECTOR, ROOF_F32, 1e9, 1e9);
    m.seconds = (roof_count){0};
    p = place("h100-sxm", &m);
    assert_int_equal(p.standing, ROOF_STANDING_UNKNOWN);
    assert_exact(p.headroom, 0);
    assert_says(p.diagnosis, "no time");
}

/* ---- above the roof: each hypothesis with its numbers ---- */

static roof_placement above(const char *id, roof_measured m) {
    roof_placement p = place(id, &m);
    assert_int_equal(p.standing, ROOF_STANDING_ABOVE);
    assert_true(p.headroom < 1);
    assert_exact(p.gain, 0);
    return p;
}

/* Just over a roof is rounding; 0.6 % is not. */
static void test_tolerance(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_VECTOR, ROOF_F32, 1, 3.35e12 * 1.004);
    assert_int_equal(place("h100-sxm", &m).standing, ROOF_STANDING_NEAR);
    m.bytes[ROOF_DRAM].value = 3.35e12 * 1.006;
    assert_int_equal(place("h100-sxm", &m).standing, ROOF_STANDING_ABOVE);
}

static void test_clock(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_MATRIX, ROOF_BF16, 1.05 * 989.4e12, 1e9);
    roof_placement p = above("h100-sxm", m); /* catalogue: 1830 MHz */
    assert_says(p.diagnosis,
                "1.05x the bf16 matrix roof (989 TFLOP/s); catalogue clock: if the roof is for its 1.83 GHz, 1.92 GHz");
    m.clock = 1.98e9; /* 1.05 * 1.83 / 1.98 = 0.970 */
    p = above("h100-sxm", m);
    assert_says(p.diagnosis, "it ran at 1.98 GHz, the machine's clock is 1.83 GHz: 97.0% of the roof at that clock");
    m.clock = 1.83e9; /* the clock explains nothing */
    assert_silent(above("h100-sxm", m), "clock");
    m = both(1, ROOF_VECTOR, ROOF_F32, 1e9, 1.05 * 3.35e12); /* nor does it for DRAM */
    m.clock = 1.98e9;
    assert_silent(above("h100-sxm", m), "ran at");
    m = both(1, ROOF_VECTOR, ROOF_F32, 1.05 * 66.9e12,
             1e9); /* a vector roof of 1980 MHz on a machine of 1830 MHz: no share */
    m.clock = 1.98e9;
    assert_silent(above("h100-sxm", m), "at that clock");
}

static void test_other_compute_roof(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_MATRIX, ROOF_BF16, 1500e12, 1e9); /* 1500 / 1978.8 */
    roof_placement p = above("h100-sxm", m);
    assert_says(
        p.diagnosis,
        "1.52x the bf16 matrix roof (989 TFLOP/s); fits the 2:4 sparse bf16 matrix roof (1.98 PFLOP/s) at 75.8%");
    assert_says(p.diagnosis,
                "FLOPs counted twice (an FMA's 2 doubled again) would leave 75.8% of the roof"); /* 1500 / 2 / 989.4 */
    m = both(1, ROOF_VECTOR, ROOF_F32, 300e12, 1e9); /* 300 / 494.7: on the tensor cores */
    assert_says(above("h100-sxm", m).diagnosis,
                "4.48x the f32 vector roof (66.9 TFLOP/s); fits the tf32 matrix roof (495 TFLOP/s) at 60.6%");
    m = both(1, ROOF_MATRIX, ROOF_F16, 250e12, 1e9); /* 250 / 330.3 */
    assert_says(above("rtx-4090", m).diagnosis, "fits the f16-accumulate f16 matrix roof (330 TFLOP/s) at 75.7%");
}

static void test_counted_twice(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_VECTOR, ROOF_F64, 1.9 * 33.5e12, 1e9);
    assert_says(above("h100-sxm", m).diagnosis, "would leave 95% of the roof");
    m.flops[0].count.value = 2.2 * 33.5e12;
    assert_silent(above("h100-sxm", m), "counted twice");
}

static void test_wrong_bytes(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_VECTOR, ROOF_F32, 1e9, 1.5 * 3.35e12);
    assert_says(above("h100-sxm", m).diagnosis,
                "bytes counted twice (reads and writes added to a total that has both): 75%");
    m.bytes[ROOF_DRAM].value = 32 * 0.8 * 3.35e12;
    assert_says(above("h100-sxm", m).diagnosis, "a sector's 32 once too often: 80% of the roof");
    m.bytes[ROOF_DRAM].value = 1.02 * 3.35e12;
    assert_says(above("h100-sxm", m).diagnosis, "KB taken as KiB: 99.6% of the roof");
    m.bytes[ROOF_DRAM] = computed(1.5 * 3.35e12); /* shapes do not count twice */
    assert_silent(above("h100-sxm", m), "counted twice");
}

static void test_wrong_time(void **state) {
    (void)state;
    roof_measured m = both(0.7e-3, ROOF_VECTOR, ROOF_F32, 1e9, 0.5 * 3.35e12); /* 0.7 s, told in another unit: 71 % */
    roof_placement p = above("h100-sxm", m);
    assert_says(p.diagnosis,
                "714x the DRAM roof (3.35 TB/s); time in the wrong unit: 1000x longer would be 71.4% of the roof");
    m.calls = 1000; /* or all calls beside the time of one: 714 / 1000 */
    assert_says(above("h100-sxm", m).diagnosis,
                "the time may be of one call and the counts of 1,000; then 71.4% of the roof");
}

static void test_variant(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_VECTOR, ROOF_F32, 1e9, 1.9e12); /* 40 GB: 1.555 TB/s; 80 GB: 2.039 */
    roof_placement p = above("a100-sxm-40", m);
    assert_says(p.diagnosis, "another machine: under the roof of");
    assert_says(p.diagnosis, "a100-sxm-80 (93.2%)");
}

static void test_fits_cache(void **state) {
    (void)state;
    roof_measured m = both(1e-3, ROOF_VECTOR, ROOF_F32, 1e6, 0);
    m.calls = 100;
    m.bytes[ROOF_DRAM] = computed(100 * 40e6); /* 4 TB/s of 3.35, 40 MB of 50 MiB; no L2 bandwidth in the catalogue */
    roof_placement p = above("h100-sxm", m);
    assert_says(p.diagnosis,
                "1.19x the DRAM roof (3.35 TB/s); the 40.0 MB of a call fit the L2 (52.4 MB): judge at L2, "
                "whose bandwidth is unknown");
    m.bytes[ROOF_DRAM] = counted(100 * 40e6);
    assert_says(above("h100-sxm", m).diagnosis, "unless DRAM counters gave them, the 40.0 MB");
    m.bytes[ROOF_DRAM] = computed(100 * 80e6); /* 1.5 times DRAM; without the 52.4 MB that L2 can keep 0.517 */
    m.seconds.value = 100 * 80e6 / 3.35e12 / 1.5;
    assert_says(above("h100-sxm", m).diagnosis,
                "up to 52.4 MB of the 80.0 MB of a call may stay in the L2: at least 51.7% of the roof");
    m.bytes[ROOF_DRAM] = computed(100 * 800e6);
    m.seconds.value *= 10;
    assert_silent(above("h100-sxm", m), "L2");
}

/* Where the bandwidth of the cache is known it is judged there: 4 MB in 2.2 us is 1.82 of 2.4 TB/s, not 202 % of DRAM.
 */
static void test_judged_at_cache(void **state) {
    (void)state;
    roof_measured m = kernel(2.2e-6);
    add_flops(&m, ROOF_VECTOR, ROOF_F32, computed(1e6));
    m.bytes[ROOF_DRAM] = computed(4e6);
    roof_placement p = place("v100-pcie", &m);
    assert_int_equal(p.standing, ROOF_STANDING_NEAR);
    assert_int_equal(p.bound, ROOF_BOUND_MEMORY);
    assert_int_equal(p.level, ROOF_L2);
    assert_near(p.headroom, 2.4 * 2.2 / 4, 1e-12);
    assert_near(p.level_fraction[ROOF_L2], 4 / 2.2 / 2.4, 1e-12);
    assert_says(p.diagnosis, "2.02x DRAM's bandwidth: the 4.00 MB of a call fit the L2 (6.29 MB), so judged there");
}

/* perf counts both sockets of a machine; an EPYC 9654 has 460.8 GB/s. */
static void test_sockets(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_VECTOR, ROOF_F64, 1e9, 700e9);
    assert_says(above("epyc-9654", m).diagnosis, "counts of 2 sockets beside the roof of one: 76.0% of 2 roofs");
    assert_silent(above("h100-sxm", both(1, ROOF_VECTOR, ROOF_F32, 1e9, 4e12)), "sockets");
}

/* ---- below the roof ---- */

static void test_launch(void **state) {
    (void)state;
    roof_measured m = both(1000 * 4e-6, ROOF_VECTOR, ROOF_F32, 1e6, 1000 * 1e6);
    m.calls = 1000;
    roof_placement p = place("h100-sxm", &m);
    assert_int_equal(p.standing, ROOF_STANDING_BELOW);
    assert_says(p.diagnosis, "launch-bound: 4.00 us per call, of which launch overhead is about 3.30 us");
    roof_machine on = machine("h100-sxm");
    on.launch = example_figure(0.5e-6);
    assert_silent(place_on(&on, &m), "launch-bound");
    assert_says(place_on(&on, &m).diagnosis,
                "too little work per call to fill the machine: 299 ns at the roof, 4.00 us measured");
    on.launch = example_figure(1e-6);
    assert_says(place_on(&on, &m).diagnosis, "of which launch overhead is 1.00 us");
    m = both(4e-6, ROOF_VECTOR, ROOF_F64, 1e3, 1e3); /* a region on a CPU is not launched */
    assert_silent(place("epyc-9654", &m), "launch");
}

static void test_below_both(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_VECTOR, ROOF_F32, 0.03 * 66.9e12, 0.12 * 3.35e12);
    roof_placement p = place("h100-sxm", &m);
    assert_int_equal(p.standing, ROOF_STANDING_BELOW);
    assert_near(p.headroom, 1 / 0.12, 1e-12);
    assert_string_equal(p.diagnosis,
                        "below both roofs (12% of DRAM, 3% of f32 vector); latency, occupancy or instruction "
                        "overhead");
}

static void test_level_binds(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_VECTOR, ROOF_F32, 1e9, 0.2 * 900e9);
    m.bytes[ROOF_L2] = counted(0.5 * 2.4e12);
    roof_placement p = place("v100-pcie", &m);
    assert_int_equal(p.level, ROOF_L2);
    assert_near(p.level_fraction[ROOF_L2], 0.5, 1e-12);
    assert_near(p.level_fraction[ROOF_DRAM], 0.2, 1e-12);
    assert_says(p.diagnosis, "L2 binds, not DRAM");
    m.bytes[ROOF_L2] = counted(0.25 * 2.4e12); /* nearer than DRAM, yet far from binding */
    assert_silent(place("v100-pcie", &m), "binds");
}

static void test_slow_clock(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_MATRIX, ROOF_BF16, 0.55 * 989.4e12, 1e9);
    m.clock = 1.1e9;
    assert_says(place("h100-sxm", &m).diagnosis,
                "it ran at 1.10 GHz, the machine's clock is 1.83 GHz: 91.5% of the roof at that clock");
    assert_silent(place("h100-sxm", &m), "latency");
    m.clock = 1.6e9; /* 63 % would be near; 31 % is not explained */
    m.flops[0].count.value = 0.27 * 989.4e12;
    assert_says(place("h100-sxm", &m).diagnosis, "30.9% of the roof at that clock; latency, occupancy");
    m = both(1, ROOF_VECTOR, ROOF_F32, 0.27 * 66.9e12, 1e9); /* the clock of a vector roof is not the machine's */
    m.clock = 1.1e9;
    assert_says(place("h100-sxm", &m).diagnosis,
                "it ran at 1.10 GHz, the machine's clock is 1.83 GHz; latency, occupancy");
}

/* One side is missing: the verdict is about the other. */
static void test_one_side(void **state) {
    (void)state;
    roof_measured m = kernel(1);
    m.bytes[ROOF_DRAM] = counted(0.3 * 3.35e12);
    roof_placement p = place("h100-sxm", &m);
    assert_int_equal(p.bound, ROOF_BOUND_MEMORY);
    assert_true(p.one_sided);
    assert_exact(p.flops, 0);
    assert_string_equal(p.diagnosis,
                        "FLOPs are missing: judged on bandwidth alone; below its roof (30% of DRAM); compute, "
                        "latency, occupancy or instruction overhead");
    m = kernel(1);
    add_flops(&m, ROOF_MATRIX, ROOF_BF16, counted(0.7 * 989.4e12));
    p = place("h100-sxm", &m);
    assert_int_equal(p.bound, ROOF_BOUND_COMPUTE);
    assert_int_equal(p.standing, ROOF_STANDING_NEAR);
    assert_true(p.one_sided);
    assert_string_equal(p.diagnosis, "bytes are missing: judged on compute alone");
}

/* ---- dtypes, shapes ---- */

static void test_substitute(void **state) {
    (void)state;
    roof_measured m = both(1, ROOF_MATRIX, ROOF_FP8, 200e12, 1e9); /* an A100 has no fp8: 312 TFLOP/s of bf16 */
    roof_placement p = place("a100-sxm-80", &m);
    assert_int_equal(p.dtype, ROOF_BF16);
    assert_near(p.compute_fraction, 200.0 / 312, 1e-12);
    assert_says(p.diagnosis, "a100-sxm-80 has no fp8 matrix roof; its bf16 roof is used instead");
    m = both(1, ROOF_VECTOR, ROOF_DTYPE_NONE, 50e12, 1e9); /* FLOPs of no stated dtype have no roof */
    p = place("h100-sxm", &m);
    assert_true(p.one_sided);
    assert_int_equal(p.bound, ROOF_BOUND_MEMORY);
    assert_exact(p.flops, 50e12);
    assert_says(p.diagnosis,
                "FLOPs without a dtype have no roof: 50.0 TFLOP/s would be 149.3% of f64 vector, 74.7% of f32 vector");
    m.bytes[ROOF_DRAM] = (roof_count){0};
    p = place("h100-sxm", &m);
    assert_int_equal(p.standing, ROOF_STANDING_UNKNOWN);
    assert_silent(p, "judged on");
    m = both(1, ROOF_VECTOR, ROOF_DTYPE_NONE, 1e9, 1e9); /* next to nothing is not nothing */
    p = place("h100-sxm", &m);
    assert_says(p.diagnosis, "1.00 GFLOP/s would be 0.003% of f64 vector, 0.001% of f32 vector");
    m = both(1, ROOF_MATRIX, ROOF_DTYPE_NONE, 500e12, 1e9); /* matrix work: beside the roofs of that unit */
    p = place("h100-sxm", &m);
    assert_says(p.diagnosis, "500 TFLOP/s would be 50.5% of bf16 matrix, 25.3% of fp8 matrix");
    p = place("a100-sxm-80", &m); /* has no fp8 */
    assert_says(p.diagnosis, "500 TFLOP/s would be 160.3% of bf16 matrix");
}

/* A trace: 2 * 4096 * 4096 * 11008 FLOPs in 560 us, nothing counted but the time. */
static void test_shapes(void **state) {
    (void)state;
    roof_measured m = kernel(3 * 560e-6);
    m.calls = 3;
    m.has_operation = true;
    roof_gemm(
        &(roof_gemm_shape){
            .batch = 1, .m = 4096, .n = 11008, .k = 4096, .a = ROOF_BF16, .b = ROOF_BF16, .c = ROOF_BF16},
        &m.operation);
    roof_placement p = place("h100-sxm", &m);
    assert_int_equal(p.bound, ROOF_BOUND_COMPUTE);
    assert_int_equal(p.unit, ROOF_MATRIX);
    assert_false(p.one_sided);
    assert_exact(p.flops, 3 * 369367187456.0);
    assert_near(p.compute_fraction, 659.5842633142857 / 989.4, 1e-9);
    roof_verdict one;
    roof_machine on = machine("h100-sxm");
    assert_int_equal(roof_judge(&on, &m.operation, &one, NULL), 0);
    assert_near(p.least_seconds, 3 * one.seconds, 1e-12);
    m.bytes[ROOF_DRAM] = counted(3 * 2e9); /* counters go first: 2 GB take 597 us at least */
    p = place("h100-sxm", &m);
    assert_int_equal(p.bound, ROOF_BOUND_MEMORY);
}

static void test_no_roof(void **state) {
    (void)state;
    roof_machine none = {.id = "nothing"};
    roof_measured m = both(1, ROOF_VECTOR, ROOF_F32, 1, 1);
    roof_placement out;
    roof_error error;
    assert_int_equal(roof_place(&none, &m, 1, &out, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
}

/* ---- properties ---- */

static double random_unit(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

static roof_measured random_kernel(unsigned *seed) {
    roof_measured m = kernel(pow(10, -6 + 4 * random_unit(seed)));
    m.calls = 1 + floor(100 * random_unit(seed));
    if (random_unit(seed) < 0.8)
        add_flops(&m, random_unit(seed) < 0.5 ? ROOF_VECTOR : ROOF_MATRIX,
                  random_unit(seed) < 0.5 ? ROOF_F32 : ROOF_F16,
                  random_unit(seed) < 0.8 ? counted(pow(10, 6 + 8 * random_unit(seed))) : at_least(1e6));
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++)
        if (random_unit(seed) < 0.6)
            m.bytes[level] = counted(pow(10, 3 + 7 * random_unit(seed)));
    m.matrix_active = random_unit(seed) < 0.3 ? random_unit(seed) : -1;
    return m;
}

enum { RANDOM = 400 };

static void check_one(const roof_placement *p) {
    const roof_measured *m = p->measured;
    assert_true(p->saved <= p->share && p->gain >= 0 && p->gain <= p->seconds);
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++)
        if (m->bytes[level].certainty == ROOF_CERTAINTY_MISSING) {
            assert_exact(p->level_fraction[level], 0);
            assert_exact(p->intensity[level], 0);
        }
    if (p->standing != ROOF_STANDING_ABOVE)
        assert_true(p->compute_fraction <= 1.005 && p->level_fraction[ROOF_DRAM] <= 1.005);
    if (m->flop_count == 0)
        assert_true(p->bound != ROOF_BOUND_COMPUTE && p->one_sided);
    else if (m->flops[0].count.certainty == ROOF_CERTAINTY_AT_LEAST && p->standing != ROOF_STANDING_ABOVE)
        assert_true(p->bound != ROOF_BOUND_COMPUTE && p->one_sided);
    if (p->bound != ROOF_BOUND_NONE)
        assert_near(p->headroom * p->least_seconds, p->seconds, 1e-12);
    if (p->standing == ROOF_STANDING_UNKNOWN || p->standing == ROOF_STANDING_ABOVE)
        assert_true(p->diagnosis[0] != '\0');
}

static void test_properties(void **state) {
    (void)state;
    roof_machine on = machine("v100-pcie");
    roof_measured all[RANDOM];
    roof_placement placed[RANDOM];
    size_t order[RANDOM];
    bool seen[RANDOM] = {false};
    unsigned seed = 7;
    for (int i = 0; i < RANDOM; i++)
        all[i] = random_kernel(&seed);
    assert_int_equal(roof_place(&on, all, RANDOM, placed, NULL), 0);
    double shares = 0;
    for (int i = 0; i < RANDOM; i++) {
        check_one(&placed[i]);
        shares += placed[i].share;
    }
    assert_near(shares, 1, 1e-12);
    roof_rank(placed, RANDOM, order);
    for (int i = 0; i < RANDOM; i++) {
        assert_true(order[i] < RANDOM && !seen[order[i]]);
        seen[order[i]] = true;
        if (i == 0)
            continue;
        const roof_placement *before = &placed[order[i - 1]], *here = &placed[order[i]];
        bool none_before = before->bound == ROOF_BOUND_NONE, none_here = here->bound == ROOF_BOUND_NONE;
        assert_true(!none_before || none_here);
        if (none_before == none_here)
            assert_true(before->gain >= here->gain);
    }
}

/* Whatever a damaged file says: no figure that is not a number, no diagnosis that does not end. */
static void test_hostile(void **state) {
    (void)state;
    static const double odd[] = {0, -1, 1e-300, 5e-324, 1, 1e12, 1e300, HUGE_VAL, -HUGE_VAL, (double)NAN};
    enum { ODD = sizeof odd / sizeof *odd };
    roof_machine on = machine("v100-pcie");
    unsigned seed = 3;
    for (int i = 0; i < 3000; i++) {
        double pick[8];
        for (int j = 0; j < 8; j++)
            pick[j] = odd[(int)(ODD * random_unit(&seed))];
        roof_measured m =
            both(pick[0], random_unit(&seed) < 0.5 ? ROOF_VECTOR : ROOF_MATRIX, ROOF_F32, pick[1], pick[2]);
        m.calls = pick[3];
        m.clock = pick[4];
        m.matrix_active = pick[5];
        m.bytes[ROOF_L2] = computed(pick[6]);
        m.flops[0].count.certainty = (roof_certainty)(random_unit(&seed) * 4);
        m.bytes[ROOF_DRAM].certainty = (roof_certainty)(random_unit(&seed) * 4);
        roof_placement p = place_on(&on, &m);
        assert_false(isnan(p.seconds) || isnan(p.gain) || isnan(p.headroom) || isnan(p.share) || isnan(p.attained));
        assert_near(p.gain, p.least_seconds > 0 ? fmax(0, p.seconds - p.least_seconds) : 0, 1e-12);
        assert_int_equal(p.headroom > 1, p.gain > 0);
        assert_int_equal(p.bound != ROOF_BOUND_NONE, p.least_seconds > 0);
    }
}

/* Twice the time is twice the headroom; a machine twice as fast in everything too. */
static void test_scaling(void **state) {
    (void)state;
    roof_machine on = machine("v100-pcie");
    unsigned seed = 99;
    for (int i = 0; i < RANDOM; i++) {
        roof_measured m = random_kernel(&seed);
        m.matrix_active = -1;
        roof_placement once = place_on(&on, &m);
        m.seconds.value *= 2;
        roof_placement twice = place_on(&on, &m);
        if (once.bound != ROOF_BOUND_NONE && twice.bound == once.bound)
            assert_near(twice.headroom, 2 * once.headroom, 1e-12);
    }
}

static void test_names(void **state) {
    (void)state;
    assert_string_equal(roof_standing_name(ROOF_STANDING_UNKNOWN), "unknown");
    assert_string_equal(roof_standing_name(ROOF_STANDING_NEAR), "near its roof");
    assert_string_equal(roof_standing_name(ROOF_STANDING_BELOW), "below its roof");
    assert_string_equal(roof_standing_name(ROOF_STANDING_ABOVE), "above the roof");
    assert_string_equal(roof_standing_name((roof_standing)9), "unknown");
}

/* Which bytes are a lower bound: those at L1 say nothing of DRAM's. */
static void test_level_of_a_lower_bound(void **state) {
    (void)state;
    roof_measured m = both(1e-3, ROOF_VECTOR, ROOF_F32, 1e9, 1e9);
    m.bytes[ROOF_L1] = at_least(3e9);
    roof_placement p = place("h100-sxm", &m);
    assert_says(p.diagnosis, "bytes at L1 are at least 3.00 GB");
    assert_silent(p, "bytes at DRAM");
    m.bytes[ROOF_DRAM] = at_least(1e9);
    assert_says(place("h100-sxm", &m).diagnosis,
                "bytes at DRAM are at least 1.00 GB; bytes at L1 are at least 3.00 GB");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_level_of_a_lower_bound),
        cmocka_unit_test(test_memory_bound_axpy),
        cmocka_unit_test(test_uncounted_tensor_work),
        cmocka_unit_test(test_tensor_evidence_alone),
        cmocka_unit_test(test_incomplete_flops),
        cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_other_compute_roof),
        cmocka_unit_test(test_counted_twice),
        cmocka_unit_test(test_wrong_bytes),
        cmocka_unit_test(test_wrong_time),
        cmocka_unit_test(test_variant),
        cmocka_unit_test(test_fits_cache),
        cmocka_unit_test(test_judged_at_cache),
        cmocka_unit_test(test_sockets),
        cmocka_unit_test(test_launch),
        cmocka_unit_test(test_below_both),
        cmocka_unit_test(test_level_binds),
        cmocka_unit_test(test_slow_clock),
        cmocka_unit_test(test_one_side),
        cmocka_unit_test(test_substitute),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_no_roof),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
