/* Fitting constants: what is known comes back, what the runs cannot hold is refused and said, the same runs give the
 * same bits. The runs are made up: expected times under known constants, with noise from a fixed sequence. */
#include "test.h"

#include "roofline_expected.h"

enum { RUNS = 60, GROUPS = 12 };

typedef struct bench {
    roof_machine machine;
    roof_constants constants; /* where the fit starts: the defaults */
    roof_operation operations[RUNS];
    roof_observation runs[RUNS];
    size_t count;
    double scratch[RUNS];
    roof_fit_report report;
} bench;

static void start(bench *b, roof_engine engine) {
    roof_error error;
    *b = (bench){0};
    assert_int_equal(roof_machine_find("h100-sxm", &b->machine, NULL, 0, &error), 0);
    roof_constants_of(&b->machine, engine, &b->constants);
}

static void add_gemm(bench *b, double m, double n, double k, size_t group) {
    size_t at = b->count++;
    roof_gemm(&(roof_gemm_shape){.batch = 1, .m = m, .n = n, .k = k, .a = ROOF_BF16, .b = ROOF_BF16, .c = ROOF_BF16},
              &b->operations[at]);
    b->runs[at] = (roof_observation){
        .machine = &b->machine, .operations = &b->operations[at], .operation_count = 1, .group = group};
}

static void add_prefill_attention(bench *b, double tokens, size_t group) {
    size_t at = b->count++;
    roof_attention(&(roof_attention_shape){.batch = 2,
                                           .heads = 32,
                                           .kv_heads = 8,
                                           .q_len = tokens,
                                           .kv_len = tokens,
                                           .qk_width = 128,
                                           .v_width = 128,
                                           .causal = true,
                                           .q = ROOF_BF16,
                                           .kv = ROOF_BF16,
                                           .out = ROOF_BF16},
                   &b->operations[at]);
    b->runs[at] = (roof_observation){
        .machine = &b->machine, .operations = &b->operations[at], .operation_count = 1, .group = group};
}

/* From one row, which is launch and weights, to many, which are FLOPs. */
static void add_gemms(bench *b) {
    static const double rows[] = {1, 16, 256, 2048, 16384};
    for (size_t group = 0; group < GROUPS; group++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            add_gemm(b, rows[i], 1024 * (double)(1 + group % 4), 1024 * (double)(1 + group / 4), group);
}

/* Between -1 and 1, the same each time. */
static double next(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1u << 23) - 1;
}

static void measure(bench *b, const roof_constants *truth, double noise) {
    unsigned state = 1;
    for (size_t i = 0; i < b->count; i++) {
        roof_time span;
        roof_error error;
        assert_int_equal(roof_observation_expect(&b->runs[i], truth, &span, &error), 0);
        b->runs[i].seconds = span.expected.seconds * exp(noise * next(&state));
    }
}

static roof_constants changed(const bench *b, roof_constant which, double factor) {
    roof_constants out = b->constants;
    out.value[which].value *= factor;
    return out;
}

static int fit(bench *b, const roof_constant *free, size_t count, roof_constants *constants, roof_error *error) {
    return roof_fit(b->runs, b->count, free, count, constants, &b->report, b->scratch, error);
}

static void known_constants_come_back(void **state) {
    (void)state;
    static const roof_constant free[] = {ROOF_CONSTANT_STREAM, ROOF_CONSTANT_MATRIX_16, ROOF_CONSTANT_LAUNCH};
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_ALONE);
    add_gemms(&b);
    roof_constants truth = changed(&b, ROOF_CONSTANT_STREAM, 0.8), constants = b.constants;
    truth.value[ROOF_CONSTANT_MATRIX_16].value *= 0.7;
    truth.value[ROOF_CONSTANT_LAUNCH].value *= 2.5;
    measure(&b, &truth, 0.1);
    assert_int_equal(fit(&b, free, 3, &constants, &error), 0);
    for (size_t i = 0; i < 3; i++) {
        const roof_fitted *fitted = &b.report.constants[free[i]];
        assert_true(fitted->identified);
        assert_string_equal(fitted->why, "");
        assert_exact(fitted->before, b.constants.value[free[i]].value);
        assert_exact(fitted->after, constants.value[free[i]].value);
        assert_near(fitted->after, truth.value[free[i]].value, 0.05);
        if (!(fitted->spread > 0.001 && fitted->spread < 0.15))
            fail_msg("%s: spread %g", roof_constant_name(free[i]), fitted->spread);
        assert_int_equal(constants.value[free[i]].origin, ROOF_ORIGIN_MEASURED);
    }
    assert_exact(constants.value[ROOF_CONSTANT_GEMM].value, b.constants.value[ROOF_CONSTANT_GEMM].value);
    assert_false(b.report.constants[ROOF_CONSTANT_GEMM].identified);
    assert_string_equal(b.report.constants[ROOF_CONSTANT_GEMM].why, "not asked for");
    assert_int_equal(b.report.count, RUNS);
    assert_true(b.report.error_before > 0.2);
    assert_true(b.report.error_after < 0.07 && b.report.error_after >= 0.9 * b.report.in_sample);
    assert_true(b.report.low[ROOF_REGIME_GEMM] > 0.88 && b.report.low[ROOF_REGIME_GEMM] < 0.96);
    assert_true(b.report.high[ROOF_REGIME_GEMM] > 1.04 && b.report.high[ROOF_REGIME_GEMM] < 1.14);
    assert_exact(b.report.low[ROOF_REGIME_EXPERTS], 0);
}

/* Without noise the runs are met; every constant they cannot hold says why. */
static void what_the_runs_cannot_hold_is_refused(void **state) {
    (void)state;
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_ALONE);
    add_gemms(&b);
    roof_constants truth = changed(&b, ROOF_CONSTANT_MATRIX_16, 0.6), constants = b.constants;
    measure(&b, &truth, 0);
    assert_int_equal(fit(&b, NULL, 0, &constants, &error), 0);
    assert_near(constants.value[ROOF_CONSTANT_MATRIX_16].value, truth.value[ROOF_CONSTANT_MATRIX_16].value, 0.01);
    assert_true(b.report.error_after < 0.005);
    const roof_fitted *all = b.report.constants;
    assert_string_equal(all[ROOF_CONSTANT_GEMM].why, "these runs determine it only together with matrix-16");
    assert_string_equal(all[ROOF_CONSTANT_EXPERTS].why, "no run multiplies with experts for long");
    assert_string_equal(all[ROOF_CONSTANT_LINK].why, "no run sends much between devices");
    for (int c = 0; c < ROOF_CONSTANT_COUNT; c++) {
        assert_int_equal(all[c].constant, c);
        assert_true(all[c].identified || all[c].why[0]);
        if (!all[c].identified)
            assert_exact(constants.value[c].value, b.constants.value[c].value);
    }
    /* the one named first is kept */
    static const roof_constant other[] = {ROOF_CONSTANT_GEMM, ROOF_CONSTANT_MATRIX_16};
    constants = b.constants;
    assert_int_equal(fit(&b, other, 2, &constants, &error), 0);
    assert_true(b.report.constants[ROOF_CONSTANT_GEMM].identified);
    assert_string_equal(b.report.constants[ROOF_CONSTANT_MATRIX_16].why,
                        "these runs determine it only together with gemm");
}

static void too_few_groups_hold_nothing(void **state) {
    (void)state;
    static const roof_constant free[] = {ROOF_CONSTANT_STREAM, ROOF_CONSTANT_ATTENTION};
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_ALONE);
    add_gemms(&b);
    b.count -= 4;
    add_prefill_attention(&b, 8192, 0);
    add_prefill_attention(&b, 16384, 0);
    add_prefill_attention(&b, 32768, 1);
    roof_constants constants = b.constants;
    measure(&b, &b.constants, 0.05);
    assert_int_equal(fit(&b, free, 2, &constants, &error), 0);
    assert_string_equal(b.report.constants[ROOF_CONSTANT_ATTENTION].why, "2 groups of runs depend on it; 3 are needed");
    for (size_t i = 0; i < b.count; i++)
        b.runs[i].group = 7;
    constants = b.constants;
    assert_int_equal(fit(&b, free, 2, &constants, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    assert_string_equal(b.report.constants[ROOF_CONSTANT_STREAM].why, "1 group of runs depends on it; 3 are needed");
}

/* Runs twice as fast as any memory: no share of it explains them. */
static void values_that_cannot_be_are_refused(void **state) {
    (void)state;
    static const roof_constant free[] = {ROOF_CONSTANT_STREAM};
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_ALONE);
    for (size_t i = 0; i < GROUPS; i++)
        add_gemm(&b, 1, 16384, 1024 * (double)(8 + i), i);
    roof_constants truth = changed(&b, ROOF_CONSTANT_STREAM, 3), constants = b.constants;
    measure(&b, &truth, 0.02);
    assert_int_equal(fit(&b, free, 1, &constants, &error), -1);
    assert_string_equal(b.report.constants[ROOF_CONSTANT_STREAM].why,
                        "at its limit: these runs drive it to 1, so something else is missing");
    assert_exact(constants.value[ROOF_CONSTANT_STREAM].value, b.constants.value[ROOF_CONSTANT_STREAM].value);
}

/* Launches that take less than is thought would pass for a share above the roof; only a default above it allows one. */
static void a_share_of_a_roof_ends_at_the_roof(void **state) {
    (void)state;
    static const roof_constant free[] = {ROOF_CONSTANT_STREAM};
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_ALONE);
    for (size_t i = 0; i < GROUPS; i++)
        add_gemm(&b, 1, 4096, 1024 * (double)(2 + i), i);
    b.constants.value[ROOF_CONSTANT_STREAM].value = 0.98;
    roof_constants truth = changed(&b, ROOF_CONSTANT_STREAM, 1.12), constants = b.constants;
    measure(&b, &truth, 0.01);
    assert_int_equal(fit(&b, free, 1, &constants, &error), -1);
    assert_says(b.report.constants[ROOF_CONSTANT_STREAM].why, "at its limit");
    assert_exact(constants.value[ROOF_CONSTANT_STREAM].value, 0.98);
    b.constants.value[ROOF_CONSTANT_STREAM].value = 1.25;
    constants = b.constants;
    assert_int_equal(fit(&b, free, 1, &constants, &error), 0);
    assert_near(constants.value[ROOF_CONSTANT_STREAM].value, truth.value[ROOF_CONSTANT_STREAM].value, 0.02);
}

/* What products reach of what is sustained: 0.9 of the roof times 1.25 is more than the roof. */
static void shares_of_shares_end_at_the_roof_too(void **state) {
    (void)state;
    static const roof_constant free[] = {ROOF_CONSTANT_GEMM};
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_GRAPH);
    add_gemms(&b);
    b.constants.value[ROOF_CONSTANT_MATRIX_16].value = 0.9;
    roof_constants truth = changed(&b, ROOF_CONSTANT_GEMM, 1.25), constants = b.constants;
    measure(&b, &truth, 0.01);
    assert_int_equal(fit(&b, free, 1, &constants, &error), -1);
    assert_says(b.report.constants[ROOF_CONSTANT_GEMM].why, "at its limit: these runs drive it to 1.11");
    b.constants.value[ROOF_CONSTANT_MATRIX_16].value = 0.75;
    truth = changed(&b, ROOF_CONSTANT_GEMM, 1.25);
    measure(&b, &truth, 0.01);
    constants = b.constants;
    assert_int_equal(fit(&b, free, 1, &constants, &error), 0);
    assert_near(constants.value[ROOF_CONSTANT_GEMM].value, 1.25, 0.02);
}

/* Three groups, each of which says something else: doubling or halving is worse, and yet nothing is known. */
static void what_the_runs_leave_open_is_refused(void **state) {
    (void)state;
    static const roof_constant free[] = {ROOF_CONSTANT_OVERLAP};
    static const double exponent[] = {1, 2.5, 8};
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_GRAPH);
    for (size_t i = 0; i < RUNS; i++)
        add_gemm(&b, 256, 4096, 4096, i % 3);
    b.constants.value[ROOF_CONSTANT_OVERLAP].value = 2;
    b.constants.value[ROOF_CONSTANT_LAUNCH].value = 1e-7;
    for (size_t i = 0; i < RUNS; i++) {
        roof_time span;
        roof_constants truth = b.constants;
        truth.value[ROOF_CONSTANT_OVERLAP].value = exponent[i % 3];
        assert_int_equal(roof_observation_expect(&b.runs[i], &truth, &span, &error), 0);
        b.runs[i].seconds = span.expected.seconds;
    }
    roof_constants constants = b.constants;
    assert_int_equal(fit(&b, free, 1, &constants, &error), -1);
    assert_string_equal(error.what, "these 60 runs determine none of the constants");
    assert_string_equal(b.report.constants[ROOF_CONSTANT_OVERLAP].why, "these runs leave it between 1.2 and 5.3");
    assert_exact(b.report.constants[ROOF_CONSTANT_OVERLAP].spread, 0);
    assert_exact(constants.value[ROOF_CONSTANT_OVERLAP].value, 2);
}

static void one_run_is_not_called_runs(void **state) {
    (void)state;
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_ALONE);
    add_gemm(&b, 1, 1024, 1024, 0);
    roof_constants constants = b.constants;
    measure(&b, &b.constants, 0);
    assert_int_equal(fit(&b, NULL, 0, &constants, &error), -1);
    assert_string_equal(error.what, "this run alone determines none of the constants");
}

/* Every run its own group: more than are left out one by one. */
static void many_groups_are_left_out_together(void **state) {
    (void)state;
    static const roof_constant free[] = {ROOF_CONSTANT_STREAM};
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_ALONE);
    for (size_t i = 0; i < RUNS; i++)
        add_gemm(&b, 1, 16384, 16384, i);
    measure(&b, &b.constants, 0);
    for (size_t i = 0; i < RUNS; i++) /* a third, in other folds: left out alone, the others of the twenty stay */
        b.runs[i].seconds *= i % 20 < 6 ? 2 : 1;
    roof_constants constants = b.constants;
    assert_int_equal(fit(&b, free, 1, &constants, &error), 0);
    for (size_t i = 0; i < RUNS; i++)
        assert_true(fabs(b.scratch[i] + (i % 20 < 6 ? log(2) : 0)) < 0.02);
}

/* One odd group does not bend the others' fit, and its own error is that of a fit without it. */
static void a_group_is_judged_by_the_others(void **state) {
    (void)state;
    static const roof_constant free[] = {ROOF_CONSTANT_STREAM};
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_ALONE);
    for (size_t i = 0; i < GROUPS; i++)
        add_gemm(&b, 1, 16384, 16384, i % 4);
    measure(&b, &b.constants, 0);
    for (size_t i = 0; i < b.count; i++)
        b.runs[i].seconds *= b.runs[i].group == 3 ? 2 : 1;
    roof_constants constants = b.constants;
    assert_int_equal(fit(&b, free, 1, &constants, &error), 0);
    for (size_t i = 0; i < b.count; i++)
        assert_true(fabs(b.scratch[i] + (b.runs[i].group == 3 ? log(2) : 0)) < 0.02);
    constants = b.constants;
    assert_int_equal(roof_fit_rest(b.runs, 1, b.runs[0].group, free, 1, &constants, &error), -1);
    for (size_t i = 0; i < b.count; i++)
        b.runs[i].group = b.runs[i].group == 3 ? 3 : 0;
    assert_int_equal(roof_fit_rest(b.runs, b.count, 0, free, 1, &constants, &error), 0);
    assert_near(constants.value[ROOF_CONSTANT_STREAM].value, 0.5 * b.constants.value[ROOF_CONSTANT_STREAM].value, 0.02);
}

/* Runs of two machines move by one factor, each from its own constants. */
static void machines_share_factors(void **state) {
    (void)state;
    static const roof_constant free[] = {ROOF_CONSTANT_LAUNCH};
    static bench b;
    roof_machine other;
    roof_constants others;
    roof_error error;
    start(&b, ROOF_ENGINE_ALONE);
    assert_int_equal(roof_machine_find("a100-sxm-80", &other, NULL, 0, &error), 0);
    roof_constants_of(&other, ROOF_ENGINE_ALONE, &others);
    others.value[ROOF_CONSTANT_LAUNCH].value *= 3;
    for (size_t i = 0; i < GROUPS; i++)
        add_gemm(&b, 16, 512, 512, i);
    for (size_t i = 0; i < GROUPS; i += 2) {
        b.runs[i].machine = &other;
        b.runs[i].constants = &others;
    }
    measure(&b, &b.constants, 0);
    for (size_t i = 0; i < GROUPS; i++) {
        roof_time span;
        roof_constants twice = b.runs[i].constants ? others : b.constants;
        twice.value[ROOF_CONSTANT_LAUNCH].value *= 2;
        assert_int_equal(roof_observation_expect(&b.runs[i], &twice, &span, &error), 0);
        b.runs[i].seconds = span.expected.seconds;
    }
    roof_constants constants = b.constants;
    assert_int_equal(fit(&b, free, 1, &constants, &error), 0);
    assert_near(constants.value[ROOF_CONSTANT_LAUNCH].value, 2 * b.constants.value[ROOF_CONSTANT_LAUNCH].value, 0.01);
    assert_true(b.report.error_after < 0.005);
}

static void the_same_runs_give_the_same_bits(void **state) {
    (void)state;
    static bench b;
    roof_error error;
    roof_constants constants[2];
    roof_fit_report reports[2];
    start(&b, ROOF_ENGINE_ALONE);
    add_gemms(&b);
    roof_constants truth = changed(&b, ROOF_CONSTANT_LAUNCH, 1.7);
    measure(&b, &truth, 0.2);
    for (size_t i = 0; i < 2; i++) {
        constants[i] = b.constants;
        assert_int_equal(fit(&b, NULL, 0, &constants[i], &error), 0);
        reports[i] = b.report;
    }
    for (int c = 0; c < ROOF_CONSTANT_COUNT; c++) {
        assert_memory_equal(&constants[0].value[c].value, &constants[1].value[c].value, sizeof(double));
        assert_memory_equal(&reports[0].constants[c].spread, &reports[1].constants[c].spread, sizeof(double));
    }
    assert_memory_equal(&reports[0].error_after, &reports[1].error_after, sizeof(double));
}

static void bad_runs_are_errors(void **state) {
    (void)state;
    static bench b;
    roof_error error;
    start(&b, ROOF_ENGINE_ALONE);
    roof_constants constants = b.constants;
    assert_int_equal(fit(&b, NULL, 0, &constants, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
    add_gemm(&b, 1, 1024, 1024, 0);
    assert_int_equal(fit(&b, NULL, 0, &constants, &error), -1);
    assert_string_equal(error.what, "run 1 has no measured time");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_constants_come_back),           cmocka_unit_test(what_the_runs_cannot_hold_is_refused),
        cmocka_unit_test(too_few_groups_hold_nothing),         cmocka_unit_test(values_that_cannot_be_are_refused),
        cmocka_unit_test(a_group_is_judged_by_the_others),     cmocka_unit_test(machines_share_factors),
        cmocka_unit_test(the_same_runs_give_the_same_bits),    cmocka_unit_test(bad_runs_are_errors),
        cmocka_unit_test(a_share_of_a_roof_ends_at_the_roof),  cmocka_unit_test(shares_of_shares_end_at_the_roof_too),
        cmocka_unit_test(what_the_runs_leave_open_is_refused), cmocka_unit_test(one_run_is_not_called_runs),
        cmocka_unit_test(many_groups_are_left_out_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
