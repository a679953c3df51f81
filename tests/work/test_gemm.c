/* Matrix products, weight formats and experts. */
#include "work/line.h"
#include "work/ops.h"

static void test_dtypes_are_separate(void **state) {
    (void)state;
    roof_gemm_shape shape = {.batch = 1, .m = 3, .n = 5, .k = 7, .a = ROOF_FP8, .b = ROOF_BF16, .c = ROOF_F32};
    roof_operation operation;
    roof_gemm(&shape, &operation);
    assert_exact(dram_bytes(&operation), 3 * 7 * 1 + 5 * 7 * 2 + 3 * 5 * 4);
    assert_int_equal(operation.matrix_dtype, ROOF_BF16); /* the wider of a and b */
    assert_exact(operation.weight_bytes, 0);             /* B is nobody's weights */
    shape.math = ROOF_FP8;
    roof_gemm(&shape, &operation);
    assert_int_equal(operation.matrix_dtype, ROOF_FP8);
    assert_string_equal(operation.name, "gemm");
    assert_exact(operation.count, 1);
}

/* Peers: weight-only formats that shrink A and C too. */
static void test_weight_only(void **state) {
    (void)state;
    roof_format int4 = roof_format_plain(ROOF_INT4);
    roof_gemm_shape shape = {
        .batch = 1, .m = 64, .n = 4096, .k = 4096, .a = ROOF_BF16, .c = ROOF_BF16, .weights = &int4};
    roof_operation operation;
    roof_gemm(&shape, &operation);
    assert_exact(operation.weight_bytes, 4096 * 4096 / 2);
    assert_exact(dram_bytes(&operation) - operation.weight_bytes, 2 * 64 * 4096 * 2);
    assert_int_equal(operation.matrix_dtype, ROOF_BF16);
    roof_format fp8 = roof_format_plain(ROOF_FP8);
    shape.weights = &fp8;
    roof_gemm(&shape, &operation);
    assert_int_equal(operation.matrix_dtype, ROOF_FP8);
}

static void test_plain_formats(void **state) {
    (void)state;
    for (int dtype = ROOF_F64; dtype < ROOF_DTYPE_COUNT; dtype++) {
        roof_format format = roof_format_plain((roof_dtype)dtype);
        /* whole blocks of 32 x 16: exactly the bits the table of dtypes states */
        assert_exact(roof_format_bytes(&format, 64, 96), 64 * 96 * roof_dtype_bytes((roof_dtype)dtype));
        assert_int_equal(format.dtype, dtype);
    }
    assert_int_equal(roof_format_plain(ROOF_INT8).math, ROOF_INT8);
    assert_int_equal(roof_format_plain(ROOF_MXFP4).math, ROOF_MXFP4);
    assert_int_equal(roof_format_plain(ROOF_INT4).math, ROOF_DTYPE_NONE);
    assert_int_equal(roof_format_plain(ROOF_BF16).math, ROOF_DTYPE_NONE);
}

/* A format nobody knows adds nothing, in memory and in traffic alike, and the cost says "at least". */
static void test_unknown_format_adds_nothing(void **state) {
    (void)state;
    roof_format unknown = {.dtype = ROOF_BF16, .bits = 16, .unknown = true};
    assert_exact(roof_format_bytes(&unknown, 4096, 4096), 0);
    roof_gemm_shape shape = {
        .batch = 1, .m = 64, .n = 4096, .k = 4096, .a = ROOF_BF16, .c = ROOF_BF16, .weights = &unknown};
    roof_operation operation;
    roof_gemm(&shape, &operation);
    assert_true(operation.at_least);
    assert_exact(operation.weight_bytes, 0);
    assert_exact(dram_bytes(&operation), 2 * 64 * 4096 * 2);
    assert_exact(operation.matrix_flops, 2.0 * 64 * 4096 * 4096);
}

static void test_block_formats(void **state) {
    (void)state;
    roof_format awq = {
        .dtype = ROOF_INT4, .bits = 4, .block_rows = 1, .block_cols = 128, .scale_bits = 16, .zero_bits = 4};
    assert_exact(roof_format_bytes(&awq, 11008, 4096), 11008.0 * 4096 / 2 + 11008 * 32 * 20.0 / 8);
    roof_format tile = {.dtype = ROOF_FP8, .bits = 8, .block_rows = 128, .block_cols = 128, .scale_bits = 32};
    assert_exact(roof_format_bytes(&tile, 576, 7168),
                 576.0 * 7168 + 5 * 56 * 4); /* 576 rows: 4.5 tiles need 5 scales */
    roof_format channel = {.dtype = ROOF_INT8, .bits = 8, .block_rows = 1, .block_cols = 0, .scale_bits = 32};
    assert_exact(roof_format_bytes(&channel, 100, 50), 100 * 50 + 100 * 4);
    roof_format tensor = {.dtype = ROOF_FP8, .bits = 8, .scale_bits = 32};
    assert_exact(roof_format_bytes(&tensor, 100, 50), 100 * 50 + 4);
    roof_format nvfp4 = roof_format_plain(ROOF_NVFP4);
    assert_exact(roof_format_bytes(&nvfp4, 10, 17), 10 * 17 / 2.0 + 10 * 2); /* 17 inputs: two blocks of 16 */
    assert_exact(roof_format_bytes(&awq, 0, 4096), 0);
    assert_exact(roof_format_bytes(&awq, 4096, 0), 0);
}

static void test_an_unknown_format_is_at_least(void **state) {
    (void)state;
    roof_format unknown = {.name = "somebody's", .unknown = true};
    roof_gemm_shape shape = {.batch = 1, .m = 1, .n = 8, .k = 8, .a = ROOF_BF16, .c = ROOF_BF16, .weights = &unknown};
    roof_operation operation;
    roof_gemm(&shape, &operation);
    assert_true(operation.at_least);
    roof_grouped_gemm_shape grouped = {.tokens = 1,
                                       .experts = 8,
                                       .top_k = 2,
                                       .n = 8,
                                       .k = 8,
                                       .matrices = 1,
                                       .a = ROOF_BF16,
                                       .c = ROOF_BF16,
                                       .weights = &unknown};
    roof_grouped_gemm(&grouped, &operation);
    assert_true(operation.at_least);
}

static void test_zero_and_huge(void **state) {
    (void)state;
    roof_operation operation = operation_of("gemm m=0 n=4096 k=4096 weights=1 bias=1");
    assert_exact(roof_operation_flops(&operation), 0);
    assert_exact(dram_bytes(&operation), 0);
    assert_exact(operation.weight_bytes, 0);
    operation = operation_of("gemm m=1e15 n=1e15 k=1e15 batch=1e15 weights=1");
    assert_true(isfinite(operation.matrix_flops) && isfinite(dram_bytes(&operation)));
    assert_near(operation.matrix_flops, 2e60, 1e-12);
    operation = operation_of("gemm m=1 n=1 k=1");
    assert_exact(roof_operation_flops(&operation), 2);
    assert_exact(dram_bytes(&operation), 6);
}

static void test_flops_add_over_the_batch(void **state) {
    (void)state;
    roof_operation one = operation_of("gemm m=17 n=31 k=13 bias=1");
    roof_operation many = operation_of("gemm m=17 n=31 k=13 bias=1 batch=11");
    assert_exact(roof_operation_flops(&many), 11 * roof_operation_flops(&one));
    assert_exact(dram_bytes(&many), 11 * dram_bytes(&one));
}

/* ---------------------------------------------------------------- experts -- */

/* An oracle: simulate the choice of top_k distinct experts by each token, all of them equally likely. */
static double simulate_touched(int experts, int top_k, int tokens, int rounds) {
    uint64_t random = 88172645463325252u; /* xorshift64, Marsaglia 2003 */
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
        bool any[64] = {false};
        for (int token = 0; token < tokens; token++)
            for (int chosen = 0, first = 0; chosen < top_k; first++) { /* selection sampling */
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                if ((double)(random % 1000003) / 1000003 * (experts - first) < top_k - chosen) {
                    any[first] = true;
                    chosen++;
                }
            }
        for (int i = 0; i < experts; i++)
            sum += any[i];
    }
    return sum / rounds;
}

static void test_touched_experts_simulated(void **state) {
    (void)state;
    assert_near(roof_experts_touched(8, 2, 3), simulate_touched(8, 2, 3, 20000), 0.01);
    assert_near(roof_experts_touched(32, 4, 10), simulate_touched(32, 4, 10, 20000), 0.01);
    assert_near(roof_experts_touched(60, 1, 60), simulate_touched(60, 1, 60, 5000), 0.01);
}

static void test_touched_experts_stay_in_range(void **state) {
    (void)state;
    for (double experts = 1; experts <= 512; experts *= 2)
        for (double top_k = 1; top_k <= experts; top_k *= 2)
            for (double tokens = 1, last = 0; tokens <= 1e15; tokens *= 10) {
                double touched = roof_experts_touched(experts, top_k, tokens);
                assert_true(touched >= top_k && touched <= experts && touched <= top_k * tokens && touched >= last);
                last = touched;
            }
    assert_exact(roof_experts_touched(8, 2, 0), 0);
    assert_exact(roof_experts_touched(8, 2, 1), 2);
    assert_exact(roof_experts_touched(256, 8, 1), 8);
    assert_exact(roof_experts_touched(8, 8, 5), 8);
    assert_exact(roof_experts_touched(0, 0, 5), 0);
    assert_near(roof_experts_touched(1e9, 1, 2), 2 - 1e-9, 1e-15); /* no digits lost */
}

/* Peers: tokens x top_k / experts rounded down to no work at all. */
static void test_fewer_choices_than_experts(void **state) {
    (void)state;
    roof_operation operation = operation_of("grouped-gemm tokens=1 experts=256 top_k=8 n=2048 k=7168");
    assert_exact(operation.matrix_flops, 2.0 * 8 * 2048 * 7168);
    assert_exact(operation.weight_bytes, 8.0 * 2048 * 7168 * 2);
}

static void test_expert_bytes_carry_their_range(void **state) {
    (void)state;
    roof_operation operation = operation_of("grouped-gemm tokens=32 experts=256 top_k=8 n=2048 k=7168 matrices=2");
    double expert = 2.0 * 2048 * 7168 * 2, rest = 32.0 * 8 * (7168 + 2 * 2048) * 2;
    assert_exact(operation.least_bytes, 8 * expert + rest);
    assert_exact(operation.most_bytes, 256 * expert + rest);
    assert_true(operation.least_bytes < dram_bytes(&operation) && dram_bytes(&operation) < operation.most_bytes);
    operation = operation_of("grouped-gemm tokens=32 experts=256 top_k=8 n=2048 k=7168 matrices=2 touched=170.5");
    assert_exact(dram_bytes(&operation), 170.5 * expert + rest);
    assert_exact(operation.least_bytes, dram_bytes(&operation));
    assert_exact(operation.most_bytes, dram_bytes(&operation));
}

static void test_no_tokens_no_experts(void **state) {
    (void)state;
    roof_operation operation = operation_of("grouped-gemm tokens=0 experts=256 top_k=8 n=2048 k=7168 bias=1");
    assert_exact(roof_operation_flops(&operation), 0);
    assert_exact(operation.most_bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dtypes_are_separate),
        cmocka_unit_test(test_weight_only),
        cmocka_unit_test(test_plain_formats),
        cmocka_unit_test(test_unknown_format_adds_nothing),
        cmocka_unit_test(test_block_formats),
        cmocka_unit_test(test_an_unknown_format_is_at_least),
        cmocka_unit_test(test_zero_and_huge),
        cmocka_unit_test(test_flops_add_over_the_batch),
        cmocka_unit_test(test_touched_experts_simulated),
        cmocka_unit_test(test_touched_experts_stay_in_range),
        cmocka_unit_test(test_fewer_choices_than_experts),
        cmocka_unit_test(test_expert_bytes_carry_their_range),
        cmocka_unit_test(test_no_tokens_no_experts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
