/* Advice by the expected time: factors worked out by hand on a machine whose constants are all said, the class where
 * the bound says another, the words, the order, and no memory. */
#include "roofline_expected.h"

#include "advice/fixtures.h"
#include "alloc/alloc.h"

/* 100 TFLOP/s in bf16, 200 in fp8, 1 TB/s; half of each is reached, one time after the other; 10 us a kernel, 40 where
 * the host launches, 5 in a graph. Calibrated, so that no default of an engine class is among the numbers here. */
typedef struct known {
    roof_machine machine;
    roof_calibration calibrations[3];
} known;

static roof_calibration calibration(roof_engine engine, double launch) {
    roof_calibration made = {.engine = engine};
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++)
        made.value[i] = (roof_figure){.value = 0.5, .origin = ROOF_ORIGIN_MEASURED};
    const roof_constant ones[] = {ROOF_CONSTANT_GEMM, ROOF_CONSTANT_ATTENTION, ROOF_CONSTANT_EXPERTS,
                                  ROOF_CONSTANT_PACKED_MATH, ROOF_CONSTANT_OVERLAP};
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        made.value[ones[i]].value = 1;
    made.value[ROOF_CONSTANT_PACKED_BYTES].value = 0.8;
    made.value[ROOF_CONSTANT_LAUNCH].value = launch;
    made.value[ROOF_CONSTANT_LINK_LATENCY].value = made.value[ROOF_CONSTANT_SKEW].value = 5e-6;
    made.value[ROOF_CONSTANT_LINK_PEER].value = made.value[ROOF_CONSTANT_LINK_TWO_SHOT].value = 0;
    return made;
}

static void make_known(known *k) {
    *k = (known){.machine = {.id = "known"},
                 .calibrations = {calibration(ROOF_ENGINE_SERVING, 10e-6), calibration(ROOF_ENGINE_EAGER, 40e-6),
                                  calibration(ROOF_ENGINE_GRAPH, 5e-6)}};
    k->machine.peak[ROOF_MATRIX][ROOF_BF16] = example_figure(100e12);
    k->machine.peak[ROOF_MATRIX][ROOF_FP8] = example_figure(200e12);
    k->machine.peak[ROOF_VECTOR][ROOF_F32] = example_figure(10e12);
    k->machine.bandwidth[ROOF_DRAM] = example_figure(1e12);
    k->machine.link = example_figure(1e11);
    k->machine.calibration = k->calibrations;
    k->machine.calibration_count = 3;
}

/* 500 x 1000 x 1000: 1 GFLOP, 4 MB. Bound 10 us by compute beside 4 us. In an engine that serves 20 + 8 + 10 = 38 us.
 */
static roof_operation gemm_of(double rows) {
    roof_format weights = roof_format_plain(ROOF_BF16);
    roof_operation made;
    roof_gemm(
        &(roof_gemm_shape){
            .batch = 1, .m = rows, .n = 1000, .k = 1000, .a = ROOF_BF16, .c = ROOF_BF16, .weights = &weights},
        &made);
    made.name = "gemm";
    made.count = 1;
    return made;
}

static roof_operation gemm(void) {
    return gemm_of(500);
}

typedef struct answer {
    roof_advice list[ROOF_ADVICE_MAX];
    int count;
} answer;

static const roof_advice *get(const answer *a, const char *idea) {
    const roof_advice *found = find_advice(a->list, a->count, idea);
    if (!found)
        fail_msg("no idea '%s'", idea);
    return found;
}

static double factor_of(const roof_advice *advice) {
    return advice->expected > 0 ? advice->expected : advice->speedup;
}

static void check_order(const answer *a) {
    for (int i = 0; i < a->count; i++) {
        assert_int_equal(a->list[i].effect, roof_effect_of(factor_of(&a->list[i])));
        if (i > 0 && a->list[i - 1].fits == a->list[i].fits)
            assert_true(factor_of(&a->list[i - 1]) >= factor_of(&a->list[i]));
    }
}

static answer ask(const roof_machine *machine, roof_engine engine, const roof_machine *others, size_t count) {
    roof_operation operation = gemm();
    roof_error error;
    answer a;
    a.count = roof_advise_operation_in(engine, machine, &operation, others, count, a.list, &error);
    if (a.count < 0)
        fail_msg("%s", error.what);
    check_order(&a);
    return a;
}

static void check(const answer *a, const char *idea, double bound, double expected, roof_effect effect) {
    const roof_advice *advice = get(a, idea);
    assert_near(advice->speedup, bound, 1e-9);
    assert_near(advice->expected, expected, 1e-9);
    assert_int_equal(advice->effect, effect);
}

static void classes_by_hand(void **state) {
    (void)state;
    known k;
    make_known(&k);
    answer a = ask(&k.machine, ROOF_ENGINE_SERVING, NULL, 0);
    check(&a, "2x the FLOP/s", 2, 38.0 / 28, ROOF_EFFECT_HELPS); /* compute 10 beside 8 and 10 */
    check(&a, "2x the bandwidth", 1, 38.0 / 34,
          ROOF_EFFECT_HELPS); /* memory 4: times add up, where the bound has the larger */
    check(&a, "no launch overhead", 1, 38.0 / 28,
          ROOF_EFFECT_HELPS); /* the machine itself says nothing about launches */
    /* 3 MB, of which 1 MB are weights unpacked at 0.8 of the bandwidth: all bytes of the operation are read at that */
    check(&a, "8-bit weights", 1, 38.0 / (20 + 3 / 0.4 + 10), ROOF_EFFECT_WASTE);
    check(&a, "fp8 operands and math", 2, 38.0 / (10 + 2 * 2.5 + 10), ROOF_EFFECT_HELPS); /* 0.5 + 1 + 1 MB */
    assert_null(find_advice(a.list, a.count, "captured graph"));
    assert_string_equal(a.list[0].idea, "fp8 operands and math");
    assert_string_equal(get(&a, "2x the bandwidth")->reason,
                        "memory needs 4.00 us of the 10.0 us; expected: compute 52.6%, launches 26.3%, memory 21.1%");
    assert_string_equal(get(&a, "2x the FLOP/s")->reason, "compute needs 10.0 us of the 10.0 us"); /* both say helps */
    assert_string_equal(get(&a, "no launch overhead")->reason,
                        "kernel launch overhead is 26.3% of the expected time, 10.0 us each");
}

/* 20 + 8 + 40 = 68 us, captured 33; the rest of the constants stays that of the engine. */
static void a_graph_is_captured(void **state) {
    (void)state;
    known k;
    make_known(&k);
    answer a = ask(&k.machine, ROOF_ENGINE_EAGER, NULL, 0);
    check(&a, "captured graph", 1, 68.0 / 33, ROOF_EFFECT_HELPS);
    check(&a, "no launch overhead", 1, 68.0 / 28, ROOF_EFFECT_HELPS);
    k.calibrations[1].value[ROOF_CONSTANT_LAUNCH].value = 5.5e-6; /* 0.5 of 33.5 us would be saved */
    a = ask(&k.machine, ROOF_ENGINE_EAGER, NULL, 0);
    assert_null(find_advice(a.list, a.count, "captured graph"));
    k.calibrations[1].value[ROOF_CONSTANT_LAUNCH].value = 0.4e-6; /* of 28.4 us */
    a = ask(&k.machine, ROOF_ENGINE_EAGER, NULL, 0);
    assert_null(find_advice(a.list, a.count, "no launch overhead"));
}

/* The same roofs in a machine that was never calibrated: its own constants, and the reason says that they are defaults.
 */
static void another_machine_has_its_own_constants(void **state) {
    (void)state;
    known k;
    make_known(&k);
    roof_machine other = k.machine;
    roof_constants there;
    roof_operation operation = gemm();
    roof_expected time;
    other.id = "other";
    other.calibration_count = 0;
    roof_constants_of(&other, ROOF_ENGINE_SERVING, &there);
    assert_int_equal(roof_expect(&other, &there, &operation, &time, NULL), 0);
    answer a = ask(&k.machine, ROOF_ENGINE_SERVING, &other, 1);
    const roof_advice *advice = get(&a, "other instead");
    assert_near(advice->expected, 38e-6 / time.seconds, 1e-9);
    assert_exact(advice->speedup, 1);
    assert_says(advice->reason, "; measured constants here, defaults there");
    other.calibration_count = 3;
    a = ask(&k.machine, ROOF_ENGINE_SERVING, &other, 1);
    assert_exact(get(&a, "other instead")->expected, 1);
    assert_null(strstr(get(&a, "other instead")->reason, "constants"));
}

/* Work that grows: 1000 rows take 40 + 6 / 0.5 + 10 = 62 us for twice the FLOPs. */
static void a_list_of_operations(void **state) {
    (void)state;
    known k;
    make_known(&k);
    roof_operation now = gemm(), larger = gemm_of(1000);
    roof_variant variant = {.idea = "batch 2", .operations = &larger, .count = 1, .work = 2};
    answer a, old;
    a.count = roof_advise_operations_in(ROOF_ENGINE_EAGER, &k.machine, &now, 1, &variant, 1, NULL, 0, a.list, NULL);
    check_order(&a);
    check(&a, "batch 2", 1, 2 * 68.0 / (40 + 12 + 40), ROOF_EFFECT_HELPS);
    check(&a, "2x the bandwidth", 1, 68.0 / 64, ROOF_EFFECT_LITTLE);
    check(&a, "captured graph", 1, 68.0 / 33, ROOF_EFFECT_HELPS);
    assert_says(get(&a, "batch 2")->reason, "; expected: launches 58.8%, compute 29.4%, memory 11.8%");
    old.count = roof_advise_operations(&k.machine, &now, 1, &variant, 1, NULL, 0, old.list, NULL);
    assert_null(find_advice(old.list, old.count, "captured graph"));
    for (int i = 0; i < old.count; i++) {
        assert_exact(old.list[i].expected, 0);
        assert_near(old.list[i].speedup, get(&a, old.list[i].idea)->speedup, 1e-12);
    }
    assert_int_equal(roof_advise_operations_in(ROOF_ENGINE_EAGER, &k.machine, &now, 0, NULL, 0, NULL, 0, a.list, NULL),
                     0);
}

/* Two halves of the rows read the weights twice, 12 us instead of 8, and are launched twice: 20 + 12 + 80 us. */
static void what_grows_is_said(void **state) {
    (void)state;
    known k;
    make_known(&k);
    roof_operation now = gemm(), halves[] = {gemm_of(250), gemm_of(250)};
    roof_variant variant = {.idea = "in halves", .operations = halves, .count = 2};
    answer a;
    a.count = roof_advise_operations_in(ROOF_ENGINE_EAGER, &k.machine, &now, 1, &variant, 1, NULL, 0, a.list, NULL);
    check(&a, "in halves", 1, 68.0 / 112, ROOF_EFFECT_WORSE);
    assert_string_equal(
        get(&a, "in halves")->reason,
        "moves 6.00 MB instead of 4.00 MB; expected: launches 58.8%, compute 29.4%, memory 11.8%; 40.0 us "
        "more in launches");
}

/* 64 rows by 1024 columns are few tiles for 132 units: said where compute is the point, with the share itself. */
static void a_grid_that_is_too_small(void **state) {
    (void)state;
    roof_machine h100 = example_h100();
    roof_argument small[] = {{.name = "m", .value = 64}, {.name = "n", .value = 1024}, {.name = "k", .value = 512}};
    roof_operation operation;
    roof_constants constants;
    roof_expected time;
    answer a;
    char clause[64];
    h100.scope = "GPU";
    h100.units = example_figure(132);
    assert_int_equal(roof_operation_build(ROOF_KIND_GEMM, small, 3, &operation, NULL), 0);
    roof_constants_of(&h100, ROOF_ENGINE_ALONE, &constants);
    assert_int_equal(roof_expect(&h100, &constants, &operation, &time, NULL), 0);
    assert_true(time.fill > 0 && time.fill < 0.95);
    snprintf(clause, sizeof clause, "; the grid fills %.1f%% of the units", 100 * time.fill);
    a.count = roof_advise_operation_in(ROOF_ENGINE_ALONE, &h100, &operation, NULL, 0, a.list, NULL);
    assert_says(get(&a, "2x the FLOP/s")->reason, clause);
    assert_null(strstr(get(&a, "2x the bandwidth")->reason, "the grid"));
    a.count = roof_advise_operation(&h100, &operation, NULL, 0, a.list, NULL);
    assert_null(strstr(get(&a, "2x the FLOP/s")->reason, "the grid"));
}

/* Two devices halve the bytes of a step but not its launches, and every collective waits for the slower one. */
static void tensor_parallel_pays_for_collectives(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine h100 = example_h100();
    roof_plan plan = plan_of(&e.model, (roof_plan){0});
    answer a;
    a.count =
        roof_advise_model_in(ROOF_ENGINE_SERVING, &h100, &e.model, &plan, ROOF_PHASE_DECODE, NULL, 0, a.list, NULL);
    check_order(&a);
    const roof_advice *split = get(&a, "tensor parallel 2");
    roof_constants constants, still;
    roof_plan halved = plan;
    roof_expected one, two, prompt;
    halved.tensor = 2;
    roof_constants_of(&h100, ROOF_ENGINE_SERVING, &constants);
    assert_int_equal(roof_expect_phase(&h100, &constants, &e.model, &plan, ROOF_PHASE_DECODE, &one, NULL), 0);
    assert_int_equal(roof_expect_phase(&h100, &constants, &e.model, &halved, ROOF_PHASE_DECODE, &two, NULL), 0);
    assert_near(split->expected, one.seconds / two.seconds, 1e-9);
    still = constants;
    still.value[ROOF_CONSTANT_SKEW].value = 0;
    assert_int_equal(roof_expect_phase(&h100, &still, &e.model, &halved, ROOF_PHASE_DECODE, &prompt, NULL), 0);
    assert_true(split->expected < one.seconds / prompt.seconds);
    assert_true(split->expected < split->speedup);
    char start[64];
    snprintf(start, sizeof start, "%.2fx per device on 2 times the devices; collectives take ", split->expected / 2);
    assert_int_equal(strncmp(split->reason, start, strlen(start)), 0);
}

/* Norms and activations take their launches with them: more is saved than their bytes. */
static void fusing_saves_launches(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine h100 = example_h100();
    roof_plan plan = plan_of(&e.model, (roof_plan){0});
    answer a;
    a.count =
        roof_advise_model_in(ROOF_ENGINE_UNKNOWN, &h100, &e.model, &plan, ROOF_PHASE_DECODE, NULL, 0, a.list, NULL);
    assert_true(get(&a, "fused norms and activations")->expected > get(&a, "fused norms and activations")->speedup);
    assert_true(get(&a, "captured graph")->expected > 1.02);
    assert_true(get(&a, "no launch overhead")->expected > get(&a, "captured graph")->expected);
}

/* What cannot be judged at all is refused in both ways. */
static void refusals(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine bare = {.id = "bare"};
    roof_operation operation = gemm();
    roof_advice list[ROOF_ADVICE_MAX];
    roof_error error = {0};
    roof_plan plan = {0};
    assert_int_equal(roof_advise_operation_in(ROOF_ENGINE_ALONE, &bare, &operation, NULL, 0, list, &error), -1);
    assert_true(strlen(error.what) > 0);
    error.what[0] = '\0';
    assert_int_equal(
        roof_advise_model_in(ROOF_ENGINE_SERVING, &bare, &e.model, &plan, ROOF_PHASE_DECODE, NULL, 0, list, &error),
        -1);
    assert_true(strlen(error.what) > 0);
    assert_int_equal(roof_advise_operations_in(ROOF_ENGINE_ALONE, &bare, &operation, 1, NULL, 0, NULL, 0, list, &error),
                     -1);
}

static void no_memory_is_taken(void **state) {
    (void)state;
    example e;
    known k;
    answer a;
    example_llama(&e);
    make_known(&k);
    roof_machine other = h200();
    roof_operation operation = gemm();
    roof_plan plan = plan_of(&e.model, (roof_plan){.batch = 64});
    alloc_start(0);
    roof_advise_operation(&k.machine, &operation, &other, 1, a.list, NULL);
    roof_advise_operation_in(ROOF_ENGINE_EAGER, &k.machine, &operation, &other, 1, a.list, NULL);
    roof_advise_operations_in(ROOF_ENGINE_EAGER, &k.machine, &operation, 1, NULL, 0, &other, 1, a.list, NULL);
    a.count = roof_advise_model_in(ROOF_ENGINE_SERVING, &k.machine, &e.model, &plan, ROOF_PHASE_DECODE, &other, 1,
                                   a.list, NULL);
    assert_int_equal(alloc_count(), 0);
    assert_true(a.count > 8);
}

/* A measured CPU goes by its rates: they change with the roofs, and stay as they are where they were. Reading 1.6 GB at
 * 40 GB/s takes 40 ms, and half of it at twice the rate. */
static void rates_of_a_measured_cpu_change_too(void **state) {
    (void)state;
    const roof_argument arguments[] = {{.name = "n", .value = 1e8}, {.name = "dtype", .dtype = ROOF_F64}};
    roof_sustained rates = {.loads = 1e10, .vector = 32, .threads = 1};
    roof_machine machine = {.id = "measured"};
    roof_operation dot;
    answer a;
    rates.traffic[ROOF_TRAFFIC_READ][ROOF_DRAM] = 40e9;
    rates.fma[ROOF_F64] = 1e15;
    machine.bandwidth[ROOF_DRAM] = example_figure(80e9);
    machine.peak[ROOF_VECTOR][ROOF_F64] = example_figure(1e15);
    machine.sustained = &rates;
    assert_int_equal(roof_operation_build(ROOF_KIND_DOT, arguments, 2, &dot, NULL), 0);
    a.count = roof_advise_operation_in(ROOF_ENGINE_ALONE, &machine, &dot, NULL, 0, a.list, NULL);
    assert_near(get(&a, "2x the bandwidth")->expected, 2, 1e-5);
    assert_near(get(&a, "2x the FLOP/s")->expected, 1, 1e-5);
    assert_exact(rates.traffic[ROOF_TRAFFIC_READ][ROOF_DRAM], 40e9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_by_hand),
        cmocka_unit_test(a_graph_is_captured),
        cmocka_unit_test(another_machine_has_its_own_constants),
        cmocka_unit_test(a_list_of_operations),
        cmocka_unit_test(what_grows_is_said),
        cmocka_unit_test(a_grid_that_is_too_small),
        cmocka_unit_test(tensor_parallel_pays_for_collectives),
        cmocka_unit_test(fusing_saves_launches),
        cmocka_unit_test(rates_of_a_measured_cpu_change_too),
        cmocka_unit_test(refusals),
        cmocka_unit_test(no_memory_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
