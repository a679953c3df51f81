/* The verdict and the sum: which roof binds, by how much, and what happens where a roof is missing. */
#include "test.h"

static roof_figure given(double value) {
    return (roof_figure){.value = value, .origin = ROOF_ORIGIN_GIVEN};
}

/* 1e15 FLOP/s, 1e12 B/s, ridge 1,000: times can be read off. */
static roof_machine machine_of_tens(void) {
    roof_machine machine = {.id = "tens", .bandwidth[ROOF_DRAM] = given(1e12)};
    machine.peak[ROOF_MATRIX][ROOF_BF16] = given(1e15);
    machine.peak[ROOF_VECTOR][ROOF_F32] = given(1e13);
    return machine;
}

static roof_operation work(double matrix, double vector, double bytes) {
    return (roof_operation){.kind = ROOF_KIND_CUSTOM,
                            .name = "work",
                            .count = 1,
                            .matrix_flops = matrix,
                            .vector_flops = vector,
                            .matrix_dtype = ROOF_BF16,
                            .vector_dtype = ROOF_F32,
                            .bytes[ROOF_DRAM] = bytes,
                            .least_bytes = bytes,
                            .most_bytes = bytes};
}

static roof_verdict judge(const roof_machine *machine, const roof_operation *operation) {
    roof_verdict verdict;
    roof_error error = {0};
    if (roof_judge(machine, operation, &verdict, &error))
        fail_msg("%s", error.what);
    return verdict;
}

static const char *roof_of(const roof_verdict *verdict) {
    static char name[32];
    return roof_verdict_roof(verdict, name, sizeof name);
}

static void test_compute_binds(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation operation = work(4e12, 0, 1e9);
    roof_verdict verdict = judge(&machine, &operation);
    assert_int_equal(verdict.bound, ROOF_BOUND_COMPUTE);
    assert_string_equal(roof_of(&verdict), "bf16 matrix");
    assert_near(verdict.seconds, 4e-3, 1e-15);
    assert_near(verdict.margin, 4, 1e-15);
    assert_near(verdict.intensity, 4000, 1e-15);
    assert_near(verdict.ridge, 1000, 1e-15);
    assert_near(verdict.attainable, 1e15, 1e-15);
}

static void test_memory_binds(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation operation = work(1e12, 0, 5e9);
    roof_verdict verdict = judge(&machine, &operation);
    assert_int_equal(verdict.bound, ROOF_BOUND_MEMORY);
    assert_string_equal(roof_of(&verdict), "DRAM");
    assert_near(verdict.seconds, 5e-3, 1e-15);
    assert_near(verdict.margin, 5, 1e-15);
    assert_near(verdict.attainable, verdict.intensity * 1e12, 1e-15); /* on the slope */
}

static void test_the_vector_unit_binds(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation operation = work(1e12, 1e11, 1e9);
    roof_verdict verdict = judge(&machine, &operation);
    assert_int_equal(verdict.unit, ROOF_VECTOR);
    assert_string_equal(roof_of(&verdict), "f32 vector");
    assert_near(verdict.seconds, 1e-2, 1e-15);
    assert_near(verdict.ridge, 10, 1e-15);
    operation = work(0, 1e9, 1e9); /* vector work alone keeps the vector unit's ridge under memory, too */
    verdict = judge(&machine, &operation);
    assert_int_equal(verdict.bound, ROOF_BOUND_MEMORY);
    assert_near(verdict.ridge, 10, 1e-15);
}

/* A machine without a matrix unit multiplies with its vectors: the roof is named after them. */
static void test_matrix_work_under_a_vector_roof(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation operation = work(1e15, 0, 1e9);
    roof_dtype dtype = operation.matrix_dtype;
    assert_int_equal(judge(&machine, &operation).under, ROOF_MATRIX);
    machine.peak[ROOF_VECTOR][dtype] = machine.peak[ROOF_MATRIX][dtype];
    machine.peak[ROOF_MATRIX][dtype] = (roof_figure){0};
    roof_verdict verdict = judge(&machine, &operation);
    assert_int_equal(verdict.unit, ROOF_MATRIX);
    assert_int_equal(verdict.under, ROOF_VECTOR);
    assert_non_null(strstr(roof_of(&verdict), " vector"));
}

static void test_the_ridge_is_where_the_bound_flips(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation below = work(999e9, 0, 1e9), above = work(1001e9, 0, 1e9);
    assert_int_equal(judge(&machine, &below).bound, ROOF_BOUND_MEMORY);
    assert_int_equal(judge(&machine, &above).bound, ROOF_BOUND_COMPUTE);
}

static void test_link_and_its_latency(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation operation = work(0, 0, 1e9);
    operation.link_bytes = 1e9;
    operation.link_steps = 14;
    roof_error error = {0};
    roof_verdict verdict;
    assert_int_equal(roof_judge(&machine, &operation, &verdict, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    assert_non_null(strstr(error.what, "tens has no device-to-device link"));
    assert_int_equal(error.remedy, ROOF_REMEDY_LINK);
    assert_string_equal(error.subject, "64GB/s");
    machine.link = given(1e11);
    assert_near(judge(&machine, &operation).seconds, 1e-2, 1e-15);
    machine.link_latency = given(1e-3);
    verdict = judge(&machine, &operation);
    assert_int_equal(verdict.bound, ROOF_BOUND_LINK);
    assert_string_equal(roof_of(&verdict), "link");
    assert_near(verdict.seconds, 1e-2 + 14e-3, 1e-15);
}

static void test_launch_is_added_and_may_bind(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    machine.launch = given(5e-6);
    roof_operation tiny = work(1, 0, 1e6), large = work(0, 0, 1e9); /* 1 us and 1 ms of memory */
    roof_verdict verdict = judge(&machine, &tiny);
    assert_int_equal(verdict.bound, ROOF_BOUND_LATENCY);
    assert_near(verdict.seconds, 6e-6, 1e-12);
    assert_near(verdict.margin, 5, 1e-12);
    verdict = judge(&machine, &large);
    assert_int_equal(verdict.bound, ROOF_BOUND_MEMORY);
    assert_near(verdict.seconds, 1e-3 + 5e-6, 1e-12);
}

static void test_an_inner_level_binds_where_it_is_known(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation operation = work(1e9, 0, 1e9);
    operation.bytes[ROOF_L2] = 1e11;
    assert_int_equal(judge(&machine, &operation).level, ROOF_DRAM); /* the L2 roof is not known: not judged there */
    machine.bandwidth[ROOF_L2] = given(5e12);
    roof_verdict verdict = judge(&machine, &operation);
    assert_int_equal(verdict.level, ROOF_L2);
    assert_string_equal(roof_of(&verdict), "L2");
    assert_near(verdict.seconds, 2e-2, 1e-15);
    assert_near(verdict.ridge, 200, 1e-15);
}

static void test_a_missing_roof_names_the_substitute(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation operation = work(1e12, 0, 1e9);
    operation.matrix_dtype = ROOF_FP8;
    roof_verdict verdict;
    roof_error error = {0};
    assert_int_equal(roof_judge(&machine, &operation, &verdict, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    assert_string_equal(error.what, "tens has no fp8 peak; fp8 work cannot be judged");
    assert_string_equal(error.hint, "bf16 is the usual substitute");
    assert_int_equal(error.remedy, ROOF_REMEDY_DTYPE);
    assert_string_equal(error.subject, "bf16");
    operation.matrix_flops = 0; /* without such work the roof is not needed */
    assert_int_equal(roof_judge(&machine, &operation, &verdict, &error), 0);
    assert_int_equal(roof_judge(&machine, &operation, &verdict, NULL), 0);
}

static void test_variants_have_their_own_roofs(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation operation = work(4e12, 0, 1e9);
    roof_verdict verdict;
    roof_error error = {0};
    operation.sparse = true;
    assert_int_equal(roof_judge(&machine, &operation, &verdict, &error), -1);
    assert_non_null(strstr(error.what, "no sparse bf16 peak"));
    assert_non_null(strstr(error.hint, "dense"));
    machine.sparse[ROOF_BF16] = given(2e15);
    assert_near(judge(&machine, &operation).seconds, 2e-3, 1e-15);
    operation.sparse = false;
    operation.narrow_accumulate = true;
    assert_int_equal(roof_judge(&machine, &operation, &verdict, &error), -1);
    machine.narrow[ROOF_BF16] = given(4e15);
    assert_near(judge(&machine, &operation).seconds, 1e-3, 1e-15);
}

static void test_no_bandwidth_no_verdict(void **state) {
    (void)state;
    roof_machine machine = {0};
    roof_operation operation = work(0, 0, 1);
    roof_verdict verdict;
    roof_error error = {0};
    assert_int_equal(roof_judge(&machine, &operation, &verdict, &error), -1);
    assert_non_null(strstr(error.what, "the machine has no DRAM bandwidth"));
}

static void test_edges(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation nothing = work(0, 0, 0), pure = work(1e12, 0, 0), copy = work(0, 0, 1e9);
    roof_verdict verdict = judge(&machine, &nothing);
    assert_int_equal(verdict.bound, ROOF_BOUND_NONE);
    assert_exact(verdict.seconds, 0);
    assert_exact(verdict.intensity, 0);
    assert_exact(verdict.attainable, 0);
    assert_string_equal(roof_of(&verdict), "none");
    verdict = judge(&machine, &pure);
    assert_true(isinf(verdict.intensity) && isinf(verdict.margin));
    verdict = judge(&machine, &copy);
    assert_exact(verdict.intensity, 0);
    assert_exact(verdict.attainable, 0);
    assert_true(isinf(verdict.margin));
}

/* --------------------------------------------------------------------- sums -- */

static void test_a_phase_is_the_sum_of_maxima(void **state) {
    (void)state;
    roof_machine machine = machine_of_tens();
    roof_operation compute = work(4e12, 0, 1e9), memory = work(1e12, 0, 5e9);
    compute.count = 32;
    memory.count = 2;
    memory.kind = ROOF_KIND_ATTENTION;
    memory.weight_bytes = 1e9;
    memory.cache_bytes = 3e9;
    memory.least_bytes = 4e9;
    memory.most_bytes = 6e9;
    memory.at_least = true;
    roof_sum sum = {0};
    roof_verdict verdict = judge(&machine, &compute);
    roof_sum_add(&sum, &compute, &verdict);
    verdict = judge(&machine, &memory);
    roof_sum_add(&sum, &memory, &verdict);
    assert_near(sum.seconds, 32 * 4e-3 + 2 * 5e-3, 1e-15);
    assert_near(sum.bound_seconds[ROOF_BOUND_COMPUTE], 32 * 4e-3, 1e-15);
    assert_near(sum.bound_seconds[ROOF_BOUND_MEMORY], 2 * 5e-3, 1e-15);
    assert_exact(sum.flops, 32 * 4e12 + 2 * 1e12);
    assert_exact(sum.attention_flops, 2e12);
    assert_exact(sum.bytes, 32 * 1e9 + 2 * 5e9);
    assert_exact(sum.weight_bytes, 2e9);
    assert_exact(sum.cache_bytes, 6e9);
    assert_exact(sum.least_bytes, 32 * 1e9 + 2 * 4e9);
    assert_exact(sum.most_bytes, 32 * 1e9 + 2 * 6e9);
    assert_int_equal(sum.operations, 2);
    assert_true(sum.at_least);
    assert_int_equal(roof_sum_bound(&sum), ROOF_BOUND_COMPUTE);
    /* not the maximum of sums, which would hide the memory time under the compute time */
    assert_true(sum.seconds > fmax(sum.flops / 1e15, sum.bytes / 1e12));
    assert_int_equal(roof_sum_bound(&(roof_sum){0}), ROOF_BOUND_NONE);
}

static void test_errors_are_made_one_way(void **state) {
    (void)state;
    roof_error error = {.hint = "old", .line = 7, .remedy = ROOF_REMEDY_LINK, .subject = "old"};
    assert_int_equal(roof_fail(&error, ROOF_EARGUMENT, "n=%d is too small", 3), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
    assert_string_equal(error.what, "n=3 is too small");
    assert_string_equal(error.hint, "");
    assert_int_equal(error.remedy, ROOF_REMEDY_NONE);
    assert_string_equal(error.subject, "");
    assert_int_equal(error.line, -1);
    roof_hint(&error, "n=%d", 4);
    assert_string_equal(error.hint, "n=4");
    assert_int_equal(roof_fail(NULL, ROOF_EIO, "nobody listens"), -1);
    roof_hint(NULL, "nobody listens");
    roof_suggest(&error, ROOF_REMEDY_DTYPE, "f16");
    assert_int_equal(error.remedy, ROOF_REMEDY_DTYPE);
    assert_string_equal(error.subject, "f16");
    roof_suggest(NULL, ROOF_REMEDY_DTYPE, "nobody listens");
    char big[1000];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    roof_fail(&error, ROOF_EIO, "%s", big);
    assert_int_equal(strlen(error.what), sizeof error.what - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compute_binds),
        cmocka_unit_test(test_memory_binds),
        cmocka_unit_test(test_the_vector_unit_binds),
        cmocka_unit_test(test_matrix_work_under_a_vector_roof),
        cmocka_unit_test(test_the_ridge_is_where_the_bound_flips),
        cmocka_unit_test(test_link_and_its_latency),
        cmocka_unit_test(test_launch_is_added_and_may_bind),
        cmocka_unit_test(test_an_inner_level_binds_where_it_is_known),
        cmocka_unit_test(test_a_missing_roof_names_the_substitute),
        cmocka_unit_test(test_variants_have_their_own_roofs),
        cmocka_unit_test(test_no_bandwidth_no_verdict),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_a_phase_is_the_sum_of_maxima),
        cmocka_unit_test(test_errors_are_made_one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
