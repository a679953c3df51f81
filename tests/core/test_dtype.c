/* Data types: exact sizes (OCP MX v1.0; NVIDIA's NVFP4 note), names that read back, the usual spellings. */
#include "test.h"

static void test_sizes(void **state) {
    (void)state;
    const struct {
        roof_dtype dtype;
        double bits;
    } want[] = {
        {ROOF_F64, 64},
        {ROOF_F32, 32},
        {ROOF_TF32, 32},
        {ROOF_F16, 16},
        {ROOF_BF16, 16},
        {ROOF_FP8, 8},
        {ROOF_FP8_E5M2, 8},
        {ROOF_MXFP8, 8 + 8 / 32.0},
        {ROOF_FP6, 6},
        {ROOF_MXFP6, 6 + 8 / 32.0},
        {ROOF_FP4, 4},
        {ROOF_MXFP4, 4 + 8 / 32.0},
        {ROOF_NVFP4, 4 + 8 / 16.0},
        {ROOF_INT32, 32},
        {ROOF_INT16, 16},
        {ROOF_INT8, 8},
        {ROOF_INT4, 4},
    };
    assert_int_equal(sizeof want / sizeof *want, ROOF_DTYPE_COUNT - 1); /* every dtype */
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_exact(roof_dtype_bits(want[i].dtype), want[i].bits);
        assert_exact(roof_dtype_bytes(want[i].dtype), want[i].bits / 8);
    }
}

static void test_names_read_back(void **state) {
    (void)state;
    for (int dtype = ROOF_DTYPE_NONE + 1; dtype < ROOF_DTYPE_COUNT; dtype++)
        assert_int_equal(roof_dtype_parse(roof_dtype_name((roof_dtype)dtype)), dtype);
}

static void test_spellings(void **state) {
    (void)state;
    const struct {
        const char *text;
        roof_dtype dtype;
    } want[] = {
        {"bfloat16", ROOF_BF16},
        {"torch.bfloat16", ROOF_BF16},
        {"BF16", ROOF_BF16},
        {"half", ROOF_F16},
        {"torch.float16", ROOF_F16},
        {"fp16", ROOF_F16},
        {"float", ROOF_F32},
        {"float32", ROOF_F32},
        {"double", ROOF_F64},
        {"FP64", ROOF_F64},
        {"e4m3", ROOF_FP8},
        {"torch.float8_e4m3fn", ROOF_FP8},
        {"float8_e4m3fnuz", ROOF_FP8},
        {"F8_E4M3", ROOF_FP8},
        {"fp8_e5m2", ROOF_FP8_E5M2},
        {"float8_e5m2", ROOF_FP8_E5M2},
        {"nvfp4", ROOF_NVFP4},
        {"MXFP4", ROOF_MXFP4},
        {"int8", ROOF_INT8},
        {"w8", ROOF_INT8},
        {"w4", ROOF_INT4},
        {"INT4", ROOF_INT4},
        {"tf32", ROOF_TF32},
        {"uint8", ROOF_INT8},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (roof_dtype_parse(want[i].text) != want[i].dtype)
            fail_msg("%s is %s", want[i].text, roof_dtype_name(roof_dtype_parse(want[i].text)));
}

static void test_what_is_no_dtype(void **state) {
    (void)state;
    const char *texts[] = {"",
                           " ",
                           "-",
                           "zebra",
                           "bf",
                           "fp",
                           "16",
                           "bf16 f16",
                           "none",
                           "torch.",
                           "a name that is far longer than any data type has"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (roof_dtype_parse(texts[i]) != ROOF_DTYPE_NONE)
            fail_msg("'%s' is %s", texts[i], roof_dtype_name(roof_dtype_parse(texts[i])));
    assert_int_equal(roof_dtype_parse(NULL), ROOF_DTYPE_NONE);
}

static void test_out_of_range(void **state) {
    (void)state;
    const roof_dtype wrong[] = {ROOF_DTYPE_NONE, ROOF_DTYPE_COUNT, (roof_dtype)-1, (roof_dtype)9999};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(roof_dtype_name(wrong[i]), "none");
        assert_exact(roof_dtype_bits(wrong[i]), 0);
        assert_int_equal(roof_dtype_math(wrong[i]), ROOF_DTYPE_NONE);
    }
}

static void test_roofs_are_shared(void **state) {
    (void)state;
    assert_int_equal(roof_dtype_math(ROOF_FP8_E5M2), ROOF_FP8);
    assert_int_equal(roof_dtype_math(ROOF_MXFP8), ROOF_FP8);
    assert_int_equal(roof_dtype_math(ROOF_MXFP6), ROOF_FP6);
    assert_int_equal(roof_dtype_math(ROOF_MXFP4), ROOF_FP4);
    assert_int_equal(roof_dtype_math(ROOF_NVFP4), ROOF_FP4);
    for (int dtype = ROOF_DTYPE_NONE + 1; dtype < ROOF_DTYPE_COUNT; dtype++) { /* a roof is its own roof */
        roof_dtype math = roof_dtype_math((roof_dtype)dtype);
        assert_int_equal(roof_dtype_math(math), math);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),        cmocka_unit_test(test_names_read_back),
        cmocka_unit_test(test_spellings),    cmocka_unit_test(test_what_is_no_dtype),
        cmocka_unit_test(test_out_of_range), cmocka_unit_test(test_roofs_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
