/* Nothing expected is faster than the bound: no time and no lower end, on any machine, in any engine. */
#include "roofline_expected.h"
#include "test.h"

typedef struct asked {
    roof_kind kind;
    roof_argument arguments[4];
    size_t count;
} asked;

#define N(name_, value_)                                                                                               \
    { .name = name_, .value = value_ }

static const asked all[] = {
    {ROOF_KIND_GEMM, {N("m", 1), N("n", 4096), N("k", 4096)}, 3},
    {ROOF_KIND_GEMM, {N("m", 8192), N("n", 8192), N("k", 8192)}, 3},
    {ROOF_KIND_ATTENTION, {N("heads", 32), N("q_len", 1), N("kv_len", 8192), N("qk_width", 128)}, 4},
    {ROOF_KIND_ATTENTION, {N("heads", 32), N("q_len", 4096), N("kv_len", 4096), N("qk_width", 128)}, 4},
    {ROOF_KIND_TRIAD, {N("n", 1e7)}, 1},
    {ROOF_KIND_RMS_NORM, {N("rows", 64), N("width", 4096)}, 2},
    {ROOF_KIND_ALL_REDUCE, {N("devices", 8), N("bytes", 1e8)}, 2},
};

static void holds(const roof_machine *machine, const roof_operation *operation, roof_engine engine) {
    roof_constants constants;
    roof_verdict verdict;
    roof_expected expected;
    if (roof_judge(machine, operation, &verdict, NULL)) /* the machine has no roof for it */
        return;
    roof_constants_of(machine, engine, &constants);
    assert_int_equal(roof_expect(machine, &constants, operation, &expected, NULL), 0);
    double slack = 1 - 1e-12;
    if (expected.seconds < slack * verdict.seconds)
        fail_msg("%s on %s in %s: expected %g s, the bound is %g s", operation->name, machine->id,
                 roof_engine_name(engine), expected.seconds, verdict.seconds);
    assert_true(expected.low >= slack * verdict.seconds);
    assert_true(expected.low <= expected.seconds && expected.seconds <= expected.high);
    assert_near(expected.least, verdict.seconds, 1e-12);
}

/* Once as catalogued, once where launches and the steps of a link are known to take long. */
static void never_below_the_bound(void **state) {
    (void)state;
    roof_machine machine;
    for (size_t i = 0; roof_machine_at(i, &machine) == 0; i++)
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
            for (int engine = 0; engine < ROOF_ENGINE_COUNT; engine++) {
                roof_operation operation;
                roof_machine slow = machine;
                slow.launch = slow.link_latency = (roof_figure){.value = 50e-6, .origin = ROOF_ORIGIN_GIVEN};
                assert_int_equal(roof_operation_build(all[k].kind, all[k].arguments, all[k].count, &operation, NULL),
                                 0);
                holds(&machine, &operation, (roof_engine)engine);
                holds(&slow, &operation, (roof_engine)engine);
            }
}

/* A launch that is known is the launch that is counted, once a kernel. */
static void a_known_launch_is_used(void **state) {
    (void)state;
    roof_machine machine;
    roof_constants constants;
    assert_int_equal(roof_machine_find("h100-sxm", &machine, NULL, 0, NULL), 0);
    machine.launch = (roof_figure){.value = 20e-6, .origin = ROOF_ORIGIN_MEASURED, .source = "a chain of kernels"};
    roof_constants_of(&machine, ROOF_ENGINE_SERVING, &constants);
    assert_near(constants.value[ROOF_CONSTANT_LAUNCH].value, 20e-6, 1e-12);
    assert_int_equal(constants.value[ROOF_CONSTANT_LAUNCH].origin, ROOF_ORIGIN_MEASURED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_below_the_bound),
        cmocka_unit_test(a_known_launch_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
