/* Advice for lists of operations: factors against sums judged here, operation by operation. */
#include "advice/fixtures.h"

enum { COUNT = 3 };

/* A large gemm (compute), a copy (memory), a small gemm run 10 times. */
static void build(roof_operation out[COUNT], double rows, roof_dtype dtype) {
    roof_gemm(
        &(roof_gemm_shape){.batch = 1, .m = 4096 * rows, .n = 4096, .k = 4096, .a = dtype, .b = dtype, .c = dtype},
        &out[0]);
    roof_argument copy[] = {{.name = "n", .value = 1e8 * rows}, {.name = "dtype", .dtype = dtype}};
    assert_int_equal(roof_operation_build(ROOF_KIND_COPY, copy, 2, &out[1], NULL), 0);
    roof_gemm(&(roof_gemm_shape){.batch = 1, .m = 8 * rows, .n = 4096, .k = 4096, .a = dtype, .b = dtype, .c = dtype},
              &out[2]);
    out[0].name = "large";
    out[1].name = "copy";
    out[2].name = "small";
    out[0].count = out[1].count = 1;
    out[2].count = 10;
}

static double seconds(const roof_machine *machine, const roof_operation *operations) {
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        roof_verdict verdict;
        assert_int_equal(roof_judge(machine, &operations[i], &verdict, NULL), 0);
        sum += verdict.seconds * operations[i].count;
    }
    return sum;
}

static const roof_advice *find(const roof_advice *list, int count, const char *idea) {
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].idea, idea) == 0)
            return &list[i];
    fail_msg("no idea '%s'", idea);
    return NULL;
}

static void test_sum(void **state) {
    (void)state;
    roof_operation operations[COUNT];
    roof_machine machine = example_h100();
    roof_sum sum;
    build(operations, 1, ROOF_BF16);
    assert_int_equal(roof_judge_operations(&machine, operations, COUNT, &sum, NULL), 0);
    assert_true(fabs(sum.seconds / seconds(&machine, operations) - 1) < 1e-12);
    assert_int_equal(sum.operations, COUNT);
    assert_int_equal(roof_judge_operations(&machine, NULL, 0, &sum, NULL), 0);
    assert_true(sum.seconds == 0);
}

static void test_factors(void **state) {
    (void)state;
    roof_operation now[COUNT], larger[COUNT], narrow[COUNT];
    roof_machine machine = example_h100(), other = h200(), fast = machine, wide = machine;
    roof_advice list[ROOF_ADVICE_MAX];
    build(now, 1, ROOF_BF16);
    build(larger, 2, ROOF_BF16);
    build(narrow, 1, ROOF_FP8);
    roof_variant variants[] = {{.idea = "batch 2", .operations = larger, .count = COUNT, .work = 2},
                               {.idea = "fp8", .operations = narrow, .count = COUNT, .cost = true}};
    int count = roof_advise_operations(&machine, now, COUNT, variants, 2, &other, 1, list, NULL);
    double before = seconds(&machine, now);
    fast.peak[ROOF_MATRIX][ROOF_BF16].value *= 2;
    wide.bandwidth[ROOF_DRAM].value *= 2;
    assert_true(fabs(find(list, count, "batch 2")->speedup - 2 * before / seconds(&machine, larger)) < 1e-12);
    assert_true(fabs(find(list, count, "fp8")->speedup - before / seconds(&machine, narrow)) < 1e-12);
    assert_true(fabs(find(list, count, "2x the FLOP/s")->speedup - before / seconds(&fast, now)) < 1e-12);
    assert_true(fabs(find(list, count, "2x the bandwidth")->speedup - before / seconds(&wide, now)) < 1e-12);
    assert_true(find(list, count, "fp8")->cost && !find(list, count, "batch 2")->cost);
    for (int i = 0; i < count; i++) {
        assert_int_equal(list[i].effect, roof_effect_of(list[i].speedup));
        assert_true(list[i].fits && list[i].reason[0] && list[i].after.seconds > 0);
        assert_true(i == 0 || list[i].speedup <= list[i - 1].speedup);
    }
}

/* Nothing to compare with, and a machine that cannot judge a variant. */
static void test_edges(void **state) {
    (void)state;
    roof_operation now[COUNT], exact[COUNT];
    roof_machine machine = example_h100(), bare = machine;
    roof_advice list[ROOF_ADVICE_MAX];
    roof_error error = {0};
    build(now, 1, ROOF_BF16);
    build(exact, 1, ROOF_F64);
    assert_int_equal(roof_advise_operations(&machine, now, 0, NULL, 0, NULL, 0, list, &error), 0);
    bare.peak[ROOF_MATRIX][ROOF_F64] = bare.peak[ROOF_VECTOR][ROOF_F64] = (roof_figure){0};
    roof_variant variant = {.idea = "f64", .operations = exact, .count = COUNT};
    int count = roof_advise_operations(&bare, now, COUNT, &variant, 1, NULL, 0, list, &error);
    for (int i = 0; i < count; i++)
        assert_string_not_equal(list[i].idea, "f64");
    assert_int_equal(roof_advise_operations(&bare, exact, COUNT, NULL, 0, NULL, 0, list, &error), -1);
    assert_says(error.what, "f64");
}

/* Ideas about the machine are one table: a list of one operation is told what the operation is. */
static void test_machine_ideas(void **state) {
    (void)state;
    static const char *const ideas[] = {"2x the FLOP/s", "2x the bandwidth", "2x the link"};
    roof_machine machine = example_h100();
    roof_operation sum;
    roof_argument arguments[] = {{.name = "devices", .value = 4}, {.name = "bytes", .value = 1e8}};
    roof_advice list[ROOF_ADVICE_MAX], one[ROOF_ADVICE_MAX];
    machine.link = example_figure(450e9);
    machine.link_devices = example_figure(8);
    assert_int_equal(roof_operation_build(ROOF_KIND_ALL_REDUCE, arguments, 2, &sum, NULL), 0);
    int count = roof_advise_operations(&machine, &sum, 1, NULL, 0, NULL, 0, list, NULL);
    int alone = roof_advise_operation(&machine, &sum, NULL, 0, one, NULL);
    assert_true(count > 0 && alone > 0);
    for (int i = 0; i < 3; i++) {
        assert_non_null(find(list, count, ideas[i]));
        assert_near(find(list, count, ideas[i])->speedup, find(one, alone, ideas[i])->speedup, 1e-12);
    }
    assert_near(find(list, count, "2x the link")->speedup, 2, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sum), cmocka_unit_test(test_factors),
                                       cmocka_unit_test(test_edges), cmocka_unit_test(test_machine_ideas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
