/* Roofs of a machine: which one work runs under, what stands in where there is none, the ridge, the capacity. */
#include "test.h"

static roof_figure given(double value) {
    return (roof_figure){.value = value, .origin = ROOF_ORIGIN_GIVEN};
}

static roof_machine small_machine(void) {
    roof_machine machine = {.id = "small", .bandwidth[ROOF_DRAM] = given(2e12)};
    machine.peak[ROOF_VECTOR][ROOF_F32] = given(2e13);
    machine.peak[ROOF_MATRIX][ROOF_F16] = given(3e14);
    machine.peak[ROOF_MATRIX][ROOF_INT8] = given(6e14);
    return machine;
}

static void test_matrix_falls_back_to_vector(void **state) {
    (void)state;
    roof_machine machine = small_machine();
    assert_exact(roof_machine_peak(&machine, ROOF_MATRIX, ROOF_F32)->value, 2e13);
    assert_exact(roof_machine_peak(&machine, ROOF_MATRIX, ROOF_F16)->value, 3e14);
    assert_null(roof_machine_peak(&machine, ROOF_VECTOR, ROOF_F16));
    machine.peak[ROOF_MATRIX][ROOF_F32] = given(1e13); /* slower than the vector unit: nobody would use it */
    assert_exact(roof_machine_peak(&machine, ROOF_MATRIX, ROOF_F32)->value, 2e13);
    machine.peak[ROOF_MATRIX][ROOF_F32] = given(4e13);
    assert_exact(roof_machine_peak(&machine, ROOF_MATRIX, ROOF_F32)->value, 4e13);
}

static void test_unknown_is_not_zero(void **state) {
    (void)state;
    roof_machine machine = small_machine();
    machine.peak[ROOF_MATRIX][ROOF_BF16] = (roof_figure){.value = 3e14, .origin = ROOF_ORIGIN_UNKNOWN};
    assert_null(roof_machine_peak(&machine, ROOF_MATRIX, ROOF_BF16));
    assert_null(roof_machine_peak(&machine, ROOF_MATRIX, ROOF_DTYPE_NONE));
    assert_exact(roof_machine_ridge(&machine, ROOF_MATRIX, ROOF_BF16), 0);
    assert_exact(roof_machine_capacity(&machine), 0);
}

static void test_dtypes_that_share_a_roof(void **state) {
    (void)state;
    roof_machine machine = small_machine();
    machine.peak[ROOF_MATRIX][ROOF_FP8] = given(1e15);
    assert_exact(roof_machine_peak(&machine, ROOF_MATRIX, ROOF_FP8_E5M2)->value, 1e15);
    assert_exact(roof_machine_peak(&machine, ROOF_MATRIX, ROOF_MXFP8)->value, 1e15);
}

static void test_substitutes(void **state) {
    (void)state;
    roof_machine machine = small_machine();
    assert_int_equal(roof_machine_substitute(&machine, ROOF_MATRIX, ROOF_BF16), ROOF_F16);
    assert_int_equal(roof_machine_substitute(&machine, ROOF_MATRIX, ROOF_FP8), ROOF_F16); /* no bf16 here */
    assert_int_equal(roof_machine_substitute(&machine, ROOF_MATRIX, ROOF_NVFP4), ROOF_F16);
    assert_int_equal(roof_machine_substitute(&machine, ROOF_MATRIX, ROOF_INT4), ROOF_INT8);
    assert_int_equal(roof_machine_substitute(&machine, ROOF_MATRIX, ROOF_TF32), ROOF_F32);
    assert_int_equal(roof_machine_substitute(&machine, ROOF_VECTOR, ROOF_F16), ROOF_F32);
    roof_machine nothing = {0};
    assert_int_equal(roof_machine_substitute(&nothing, ROOF_MATRIX, ROOF_BF16), ROOF_DTYPE_NONE);
}

static void test_a_substitute_has_a_roof_and_is_another(void **state) {
    (void)state;
    roof_machine machine = small_machine();
    for (int dtype = ROOF_DTYPE_NONE + 1; dtype < ROOF_DTYPE_COUNT; dtype++) {
        roof_dtype other = roof_machine_substitute(&machine, ROOF_MATRIX, (roof_dtype)dtype);
        assert_int_not_equal(other, ROOF_DTYPE_NONE);
        assert_int_not_equal(other, roof_dtype_math((roof_dtype)dtype));
        assert_non_null(roof_machine_peak(&machine, ROOF_MATRIX, other));
    }
}

static void test_ridge_capacity_and_bus(void **state) {
    (void)state;
    roof_machine machine = small_machine();
    assert_exact(roof_machine_ridge(&machine, ROOF_MATRIX, ROOF_F16), 150);
    machine.size[ROOF_DRAM] = given(80e9);
    assert_exact(roof_machine_capacity(&machine), 80e9);
    machine.usable = given(79.6e9);
    assert_exact(roof_machine_capacity(&machine), 79.6e9);
    /* an A100's 5,120-bit bus at 1,593 MHz, double data rate: 2,039 GB/s (NVIDIA A100 80GB datasheet) */
    assert_near(roof_bus_bandwidth(5120, 1593e6, 2), 2039e9, 1e-4);
}

static void test_names(void **state) {
    (void)state;
    assert_string_equal(roof_origin_name(ROOF_ORIGIN_UNKNOWN), "unknown");
    assert_string_equal(roof_origin_name(ROOF_ORIGIN_GIVEN), "given");
    assert_string_equal(roof_origin_name((roof_origin)77), "unknown");
    assert_string_equal(roof_unit_name(ROOF_MATRIX), "matrix");
    assert_string_equal(roof_level_name(ROOF_DRAM), "DRAM");
    assert_string_equal(roof_level_name(ROOF_LEVEL_COUNT), "?");
    assert_string_equal(roof_bound_name(ROOF_BOUND_LATENCY), "latency");
    assert_string_equal(roof_bound_name((roof_bound)77), "none");
    assert_string_equal(roof_kind_name(ROOF_KIND_CUSTOM), "custom");
    assert_string_equal(roof_kind_name(ROOF_KIND_COUNT), "?");
    assert_string_equal(roof_version(), ROOF_VERSION);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_falls_back_to_vector),
        cmocka_unit_test(test_unknown_is_not_zero),
        cmocka_unit_test(test_dtypes_that_share_a_roof),
        cmocka_unit_test(test_substitutes),
        cmocka_unit_test(test_a_substitute_has_a_roof_and_is_another),
        cmocka_unit_test(test_ridge_capacity_and_bus),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
