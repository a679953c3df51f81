/* One operation alone, worked out by hand on a machine of round figures; and what has to hold on every machine. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "roofline_expected.h"

/* 100 units at 1 GHz, 100 and 200 TFLOP/s, 1 TB/s; half of the peaks and 0.8 of the bandwidth are reached. */
static roof_figure figure(double value) {
    return (roof_figure){.value = value, .origin = ROOF_ORIGIN_GIVEN};
}

static roof_machine round_machine(void) {
    roof_machine machine = {.name = "round", .vendor = "NVIDIA", .scope = "GPU", .memory_kind = "HBM3"};
    machine.peak[ROOF_MATRIX][ROOF_BF16] = figure(1e14);
    machine.peak[ROOF_MATRIX][ROOF_FP8] = figure(2e14);
    machine.peak[ROOF_VECTOR][ROOF_F32] = figure(1e14);
    machine.bandwidth[ROOF_DRAM] = figure(1e12);
    machine.bandwidth[ROOF_L2] = figure(4e12);
    machine.units = figure(100);
    machine.clock = figure(1e9);
    return machine;
}

static roof_constants round_constants(void) {
    static const struct {
        roof_constant which;
        double value;
    } values[] = {
        {ROOF_CONSTANT_STREAM, 0.8},     {ROOF_CONSTANT_MATRIX_32, 0.5}, {ROOF_CONSTANT_MATRIX_16, 0.5},
        {ROOF_CONSTANT_MATRIX_8, 0.5},   {ROOF_CONSTANT_MATRIX_4, 0.5},  {ROOF_CONSTANT_VECTOR, 0.5},
        {ROOF_CONSTANT_GEMM, 1},         {ROOF_CONSTANT_ATTENTION, 1},   {ROOF_CONSTANT_EXPERTS, 1},
        {ROOF_CONSTANT_PACKED_BYTES, 1}, {ROOF_CONSTANT_PACKED_MATH, 1}, {ROOF_CONSTANT_OVERLAP, 3},
        {ROOF_CONSTANT_LAUNCH, 1e-6},
    };
    roof_constants out = {.engine = ROOF_ENGINE_ALONE};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        out.value[values[i].which] = figure(values[i].value);
    for (int i = 0; i < ROOF_REGIME_COUNT; i++) {
        out.low[i] = 0.5;
        out.high[i] = 2;
    }
    return out;
}

static roof_expected expect_on(const roof_machine *machine, const roof_operation *operation) {
    roof_constants constants = round_constants();
    roof_expected out;
    roof_error error;
    assert_int_equal(roof_expect(machine, &constants, operation, &out, &error), 0);
    return out;
}

static roof_expected expect(const roof_operation *operation) {
    roof_machine machine = round_machine();
    return expect_on(&machine, operation);
}

#define near(value, wanted) assert_near(value, wanted, 1e-9)

static roof_operation product(double m, double n, double k, roof_dtype dtype) {
    roof_operation out;
    roof_gemm(&(roof_gemm_shape){.batch = 1, .m = m, .n = n, .k = k, .a = dtype, .b = dtype, .c = ROOF_BF16}, &out);
    return out;
}

static roof_operation quantised(double block) {
    roof_format format = {.dtype = ROOF_FP8, .bits = 8, .math = ROOF_FP8};
    if (block > 0) {
        format.block_rows = format.block_cols = block;
        format.scale_bits = 32;
    }
    roof_operation out;
    roof_gemm(
        &(roof_gemm_shape){
            .batch = 1, .m = 64, .n = 6400, .k = 8192, .a = ROOF_BF16, .c = ROOF_BF16, .weights = &format},
        &out);
    return out;
}

static roof_operation attention(double q_len, double kv_len, bool append) {
    roof_operation out;
    roof_attention(&(roof_attention_shape){.batch = 1,
                                           .heads = 100,
                                           .kv_heads = 100,
                                           .q_len = q_len,
                                           .kv_len = kv_len,
                                           .qk_width = 64,
                                           .v_width = 64,
                                           .causal = true,
                                           .append = append,
                                           .q = ROOF_BF16,
                                           .kv = ROOF_BF16,
                                           .out = ROOF_BF16},
                   &out);
    return out;
}

/* 50 tiles of 64 x 64 leave half of 100 units idle; k = 512 is too short to split. */
static void half_a_wave(void **state) {
    (void)state;
    roof_operation operation = product(64, 3200, 512, ROOF_BF16);
    roof_expected e = expect(&operation);
    double compute = 2 * 64.0 * 3200 * 512 / 0.5e14 / 0.5;
    double memory = 2 * (64.0 * 512 + 512.0 * 3200 + 64.0 * 3200) / 0.8e12;
    near(e.fill, 0.5);
    near(e.term[ROOF_TERM_COMPUTE], compute);
    near(e.term[ROOF_TERM_MEMORY], memory);
    near(e.term[ROOF_TERM_LAUNCH], 1e-6);
    near(e.seconds, cbrt(pow(compute, 3) + pow(memory, 3)) + 1e-6);
    assert_int_equal(e.regime, ROOF_REGIME_GEMM);
}

/* k = 8192 is split in two, which fills the machine and costs a pass over two f32 results through L2. */
static void long_products_are_split(void **state) {
    (void)state;
    roof_operation operation = product(64, 3200, 8192, ROOF_BF16);
    roof_expected e = expect(&operation);
    near(e.fill, 1);
    near(e.term[ROOF_TERM_COMPUTE], 2 * 64.0 * 3200 * 8192 / 0.5e14);
    near(e.term[ROOF_TERM_PASSES], 2e-6 + 8 * 64.0 * 3200 * 2 / 4e12);
}

static void narrow_products_are_not(void **state) {
    (void)state;
    roof_operation operation = product(64, 3200, 8192, ROOF_FP8);
    roof_expected e = expect(&operation);
    near(e.fill, 0.5);
    near(e.term[ROOF_TERM_COMPUTE], 2 * 64.0 * 3200 * (8192 + 256) / 1e14 / 0.5);
    near(e.term[ROOF_TERM_PASSES] + 1, 1);
}

/* 16-bit activations are read and written once more as 8 bits, by further kernels. */
static void activations_are_quantised(void **state) {
    (void)state;
    roof_operation tensor = quantised(0), block = quantised(128);
    roof_expected whole = expect(&tensor), blocks = expect(&block);
    near(whole.term[ROOF_TERM_PASSES], 64.0 * 8192 * 4 / 0.8e12);
    near(blocks.term[ROOF_TERM_PASSES], whole.term[ROOF_TERM_PASSES]);
    near(whole.kernels, 2.7);
    near(blocks.kernels, 1.6);
    near(blocks.term[ROOF_TERM_COMPUTE], whole.term[ROOF_TERM_COMPUTE]);
}

static void hopper_scales_blocks_slowly(void **state) {
    (void)state;
    roof_machine machine = round_machine();
    roof_operation operation = quantised(128);
    double other = expect(&operation).term[ROOF_TERM_COMPUTE];
    machine.architecture = "Hopper";
    near(expect_on(&machine, &operation).term[ROOF_TERM_COMPUTE], other / 0.88);
}

/* 800 tiles of 128 rows; each multiplies half of a tile more than it sees; 8 tiles a unit. */
static void prefill_tiles(void **state) {
    (void)state;
    roof_operation operation = attention(1024, 1024, false);
    roof_expected e = expect(&operation);
    double pair = hypot(2 * 128 * 100 / (1.17 * 0.5e14), 1 / 16e9),
           pairs = 100 * 1024.0 * 1025 / 2 + 800 * 128.0 * 128 / 2;
    near(e.term[ROOF_TERM_COMPUTE], (pairs * pair + 800 * 5.8e-6) / 100);
    near(e.kernels, 2);
    assert_int_equal(e.regime, ROOF_REGIME_PREFILL_ATTENTION);
}

/* One head has too few tiles for all units: the longest one says when it ends. */
static void longest_tile(void **state) {
    (void)state;
    roof_operation operation;
    roof_attention(&(roof_attention_shape){.batch = 1,
                                           .heads = 1,
                                           .kv_heads = 1,
                                           .q_len = 1024,
                                           .kv_len = 1024,
                                           .qk_width = 64,
                                           .v_width = 64,
                                           .causal = true,
                                           .q = ROOF_BF16,
                                           .kv = ROOF_BF16,
                                           .out = ROOF_BF16},
                   &operation);
    double pair = hypot(2 * 128 * 100 / (1.17 * 0.5e14), 1 / 16e9);
    near(expect(&operation).term[ROOF_TERM_COMPUTE], 128 * 1024 * pair + 5.8e-6);
}

static void layers_hand_over(void **state) {
    (void)state;
    roof_operation operation = attention(1024, 1024, true);
    roof_expected e = expect(&operation);
    near(e.kernels, 3.3);
    near(e.term[ROOF_TERM_PASSES], 2 * 1024.0 * (100 * 64 + 100 * 128) / 0.8e12);
}

static void decode_attention(void **state) {
    (void)state;
    roof_operation operation = attention(1, 4096, false), latent = operation;
    roof_expected e = expect(&operation);
    near(e.kernels, 6);
    near(e.term[ROOF_TERM_MEMORY], operation.bytes[ROOF_DRAM] / 0.8e12);
    near(e.high, 2 * e.seconds + 0.3 * 6e-6);
    assert_int_equal(e.regime, ROOF_REGIME_DECODE_ATTENTION);
    roof_attention(&(roof_attention_shape){.batch = 1,
                                           .heads = 16,
                                           .kv_heads = 1,
                                           .q_len = 1,
                                           .kv_len = 4096,
                                           .qk_width = 576,
                                           .v_width = 512,
                                           .latent = true,
                                           .q = ROOF_BF16,
                                           .kv = ROOF_BF16,
                                           .out = ROOF_BF16},
                   &latent);
    near(expect(&latent).kernels, 4);
}

/* 300 sequences of 2 rows are three waves of a tile each on 100 units: two beyond the first. */
static void latent_waves(void **state) {
    (void)state;
    roof_operation operation;
    roof_attention(&(roof_attention_shape){.batch = 300,
                                           .heads = 16,
                                           .kv_heads = 1,
                                           .q_len = 1,
                                           .kv_len = 2,
                                           .qk_width = 576,
                                           .v_width = 512,
                                           .latent = true,
                                           .q = ROOF_BF16,
                                           .kv = ROOF_BF16,
                                           .out = ROOF_BF16},
                   &operation);
    near(expect(&operation).term[ROOF_TERM_COMPUTE], 2 * 5.8e-6);
}

/* 8 tokens go to 2 of 4 experts each: 16 rows, and 16 more for each of the 4 experts touched. */
static void experts_are_padded(void **state) {
    (void)state;
    roof_format format = {.dtype = ROOF_INT4, .bits = 4};
    roof_grouped_gemm_shape shape = {.tokens = 8,
                                     .experts = 4,
                                     .top_k = 2,
                                     .touched = 4,
                                     .n = 512,
                                     .k = 1024,
                                     .matrices = 2,
                                     .a = ROOF_BF16,
                                     .b = ROOF_BF16,
                                     .c = ROOF_BF16};
    roof_operation operation, packed;
    roof_grouped_gemm(&shape, &operation);
    roof_expected e = expect(&operation);
    near(e.term[ROOF_TERM_COMPUTE], 2 * (16 + 4 * 16) * 512.0 * 1024 * 2 / 0.5e14);
    near(e.term[ROOF_TERM_PASSES], 2 * (16 * (1024 + 2 * 512.0) + 3 * 8 * 1024.0) / 0.8e12);
    near(e.kernels, 4);

    shape.weights = &format;
    roof_grouped_gemm(&shape, &packed);
    roof_machine machine = round_machine();
    near(expect_on(&machine, &packed).term[ROOF_TERM_COMPUTE], e.term[ROOF_TERM_COMPUTE]);
    machine.architecture = "Hopper";
    near(expect_on(&machine, &packed).term[ROOF_TERM_COMPUTE], 2 * e.term[ROOF_TERM_COMPUTE]);
    near(expect_on(&machine, &packed).kernels, 10);
}

/* Without counted units the shares of the roofs are all that is known. */
static void unknown_units(void **state) {
    (void)state;
    roof_machine machine = round_machine();
    machine.units = (roof_figure){0};
    roof_operation gemm = product(64, 3200, 512, ROOF_BF16), prefill = attention(1024, 1024, false);
    roof_expected e = expect_on(&machine, &gemm);
    near(e.term[ROOF_TERM_COMPUTE], gemm.matrix_flops / 0.5e14);
    near(e.fill + 1, 1);
    near(expect_on(&machine, &prefill).term[ROOF_TERM_COMPUTE], prefill.matrix_flops / (1.17 * 0.5e14));
}

/* ---- every machine ---- */

enum { CASES = 9 };

static void cases(roof_operation out[CASES]) {
    out[0] = product(1, 4096, 4096, ROOF_BF16);
    out[1] = product(4096, 4096, 4096, ROOF_BF16);
    out[2] = product(130, 1000, 16384, ROOF_BF16);
    out[3] = attention(2048, 2048, true);
    out[4] = attention(100, 5000, false);
    out[5] = attention(1, 8192, false);
    roof_grouped_gemm(&(roof_grouped_gemm_shape){.tokens = 100,
                                                 .experts = 64,
                                                 .top_k = 6,
                                                 .n = 1408,
                                                 .k = 2048,
                                                 .matrices = 2,
                                                 .a = ROOF_BF16,
                                                 .b = ROOF_BF16,
                                                 .c = ROOF_BF16},
                      &out[6]);
    out[7] = quantised(128);
    out[8] = product(16384, 16384, 256, ROOF_F16);
}

static void check(const roof_machine *machine, const roof_operation *operation) {
    roof_constants constants;
    roof_expected e, again;
    roof_verdict verdict;
    roof_constants_of(machine, ROOF_ENGINE_ALONE, &constants);
    if (roof_judge(machine, operation, &verdict, NULL)) {
        assert_int_equal(roof_expect(machine, &constants, operation, &e, NULL), -1);
        return;
    }
    assert_int_equal(roof_expect(machine, &constants, operation, &e, NULL), 0);
    assert_int_equal(roof_expect(machine, &constants, operation, &again, NULL), 0);
    double sum = 0;
    for (int i = 0; i < ROOF_TERM_COUNT; i++) {
        sum += e.term[i];
        assert_true(e.term[i] >= 0 || i == ROOF_TERM_OVERLAP);
        assert_true(e.term[i] <= again.term[i] && e.term[i] >= again.term[i]);
    }
    near(e.seconds, sum);
    assert_true(e.seconds >= verdict.seconds * (1 - 1e-12));
    assert_true(e.low > 0 && e.low < e.seconds && e.seconds < e.high);
    assert_true(e.fill >= 0 && e.fill <= 1);
}

static void never_below_the_bound(void **state) {
    (void)state;
    roof_operation operations[CASES];
    cases(operations);
    for (size_t i = 0; i < roof_machine_count(); i++) {
        roof_machine machine;
        assert_int_equal(roof_machine_at(i, &machine), 0);
        for (size_t k = 0; k < CASES; k++)
            check(&machine, &operations[k]);
    }
}

static double seconds_on(const roof_machine *machine, const roof_operation *operation) {
    roof_constants constants;
    roof_expected e;
    roof_constants_of(machine, ROOF_ENGINE_ALONE, &constants);
    assert_int_equal(roof_expect(machine, &constants, operation, &e, NULL), 0);
    return e.seconds;
}

/* More rows, more columns, more keys: never less time. */
static void more_work_takes_longer(void **state) {
    (void)state;
    roof_machine machine;
    roof_error error;
    assert_int_equal(roof_machine_find("h100-sxm", &machine, NULL, 0, &error), 0);
    double rows = 0, columns = 0, keys = 0, tokens = 0;
    for (double n = 1; n < 20000; n = ceil(n * 1.1)) {
        roof_operation by_rows = product(n, 4096, 4096, ROOF_BF16), by_columns = product(64, n, 8192, ROOF_BF16);
        roof_operation by_keys = attention(1, n, false), by_tokens = attention(n + 16, n + 16, true);
        double a = seconds_on(&machine, &by_rows), b = seconds_on(&machine, &by_columns);
        double c = seconds_on(&machine, &by_keys), d = seconds_on(&machine, &by_tokens);
        assert_true(a >= rows && b >= columns && c >= keys && d >= tokens);
        rows = a;
        columns = b;
        keys = c;
        tokens = d;
    }
}

/* Less power, less of the peak; a kind of machine the constants were not fitted on has a wider interval. */
static void defaults(void **state) {
    (void)state;
    roof_machine machine;
    roof_constants full, less, other;
    roof_error error;
    assert_int_equal(roof_machine_find("h100-sxm", &machine, NULL, 0, &error), 0);
    roof_constants_of(&machine, ROOF_ENGINE_ALONE, &full);
    near(full.value[ROOF_CONSTANT_MATRIX_16].value,
         pow(0.7 * 700 / (0.69e-12 * machine.peak[ROOF_MATRIX][ROOF_BF16].value), 0.6));
    machine.power.value = 350;
    roof_constants_of(&machine, ROOF_ENGINE_ALONE, &less);
    near(less.value[ROOF_CONSTANT_MATRIX_16].value / full.value[ROOF_CONSTANT_MATRIX_16].value, pow(0.5, 0.6));
    machine.vendor = "Somebody";
    roof_constants_of(&machine, ROOF_ENGINE_ALONE, &other);
    assert_true(other.low[ROOF_REGIME_GEMM] < full.low[ROOF_REGIME_GEMM]);
    assert_true(other.high[ROOF_REGIME_GEMM] > full.high[ROOF_REGIME_GEMM]);
}

/* Only parts of a split are never shorter than 512: 0.5 waves of 64 x 3200 x 64 take what they are. */
static void short_products_are_short(void **state) {
    (void)state;
    roof_operation operation = product(64, 3200, 64, ROOF_BF16);
    near(expect(&operation).term[ROOF_TERM_COMPUTE], 2 * 64.0 * 3200 * 64 / 0.5e14 / 0.5);
}

/* The inner dimension where a further split pays: never less time for more of it. */
static void longer_products_take_longer(void **state) {
    (void)state;
    static const char *const names[] = {"h20", "rtx-3090", "a100-pcie-80", "l40s", "mi100"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        roof_machine machine;
        double last = 0;
        assert_int_equal(roof_machine_find(names[i], &machine, NULL, 0, NULL), 0);
        for (double k = 64; k < 20000; k += 48) {
            roof_operation operation = product(64, 1024, k, ROOF_BF16);
            double seconds = seconds_on(&machine, &operation);
            assert_true(seconds >= last);
            last = seconds;
        }
    }
}

/* A measured time is never below the bound, so no interval begins there. */
static void intervals_begin_at_the_bound(void **state) {
    (void)state;
    roof_machine machine = round_machine();
    roof_constants constants = round_constants();
    roof_operation operation = product(64, 8192, 8192, ROOF_BF16);
    roof_verdict verdict;
    roof_expected e;
    assert_int_equal(roof_judge(&machine, &operation, &verdict, NULL), 0);
    assert_int_equal(roof_expect(&machine, &constants, &operation, &e, NULL), 0);
    assert_true(0.5 * e.seconds < verdict.seconds); /* which is where it would begin */
    near(e.low, verdict.seconds);
    near(e.least, verdict.seconds);
}

/* Scores, softmax and values, however many queries there are. */
static void unfused_attention_is_three_kernels(void **state) {
    (void)state;
    for (double queries = 1; queries <= 64; queries *= 64) {
        roof_argument shape[] = {{.name = "heads", .value = 32},
                                 {.name = "q_len", .value = queries},
                                 {.name = "kv_len", .value = 4096},
                                 {.name = "qk_width", .value = 128},
                                 {.name = "unfused", .value = 1}};
        roof_operation operation;
        assert_int_equal(roof_operation_build(ROOF_KIND_ATTENTION, shape, 5, &operation, NULL), 0);
        near(expect(&operation).kernels, 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_wave),
        cmocka_unit_test(long_products_are_split),
        cmocka_unit_test(narrow_products_are_not),
        cmocka_unit_test(activations_are_quantised),
        cmocka_unit_test(hopper_scales_blocks_slowly),
        cmocka_unit_test(prefill_tiles),
        cmocka_unit_test(longest_tile),
        cmocka_unit_test(layers_hand_over),
        cmocka_unit_test(decode_attention),
        cmocka_unit_test(latent_waves),
        cmocka_unit_test(experts_are_padded),
        cmocka_unit_test(unknown_units),
        cmocka_unit_test(never_below_the_bound),
        cmocka_unit_test(more_work_takes_longer),
        cmocka_unit_test(defaults),
        cmocka_unit_test(short_products_are_short),
        cmocka_unit_test(longer_products_take_longer),
        cmocka_unit_test(intervals_begin_at_the_bound),
        cmocka_unit_test(unfused_attention_is_three_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
