/* Serving: every quantity from its phases by hand, and how it moves with batch, devices and memory. */
#include "test.h"

#include "roofline_expected.h"

#include "expect/expect.h"
#include "work/models.h"

typedef struct setting {
    roof_machine machine;
    roof_constants constants;
    example example;
    roof_plan plan;
} setting;

static void set_up(setting *s, void (*make)(example *), double batch) {
    roof_error error;
    assert_int_equal(roof_machine_find("h100-sxm", &s->machine, NULL, 0, &error), 0);
    roof_constants_of(&s->machine, ROOF_ENGINE_SERVING, &s->constants);
    make(&s->example);
    s->plan = (roof_plan){.batch = batch, .prompt = 1000, .generate = 200, .tensor = 1};
    roof_plan_complete(&s->example.model, &s->plan);
}

static roof_serving serve(const setting *s) {
    roof_serving out;
    roof_error error;
    if (roof_model_serving(&s->machine, &s->constants, &s->example.model, &s->plan, &out, &error))
        fail_msg("%s", error.what);
    return out;
}

static roof_time phase_of(const setting *s, double batch, double context, roof_phase phase) {
    roof_plan plan = s->plan;
    roof_time out;
    roof_sum sum;
    plan.batch = batch;
    plan.context = context;
    assert_int_equal(
        roof_expect_phase(&s->machine, &s->constants, &s->example.model, &plan, phase, &out.expected, NULL), 0);
    assert_int_equal(roof_model_judge(&s->machine, &s->example.model, &plan, phase, &sum, NULL), 0);
    out.bound = sum.seconds;
    return out;
}

static double launched(const roof_expected *expected) {
    return expected->seconds - expected->term[ROOF_TERM_LAUNCH];
}

static void quantities_by_hand(void **state) {
    (void)state;
    setting s;
    set_up(&s, example_llama, 32);
    roof_serving got = serve(&s);
    roof_time prompt = phase_of(&s, 1, 1100, ROOF_PHASE_PREFILL), prompts = phase_of(&s, 32, 1100, ROOF_PHASE_PREFILL);
    roof_time step = phase_of(&s, 32, 1100, ROOF_PHASE_DECODE);
    double others = s.constants.value[ROOF_CONSTANT_OTHERS].value;
    assert_exact(got.ttft.expected.seconds, prompt.expected.seconds);
    assert_near(got.ttft.bound, prompt.bound, 1e-12);
    assert_exact(got.decode.expected.seconds, step.expected.seconds);
    assert_near(got.tpot.expected.seconds, step.expected.seconds + others * 31 / 200 * launched(&prompt.expected),
                1e-12);
    assert_near(got.tpot.expected.term[ROOF_TERM_OTHERS], others * 31 / 200 * launched(&prompt.expected), 1e-12);
    assert_near(got.tpot.bound, step.bound, 1e-12);
    double run = prompts.expected.seconds + 199 * step.expected.seconds;
    assert_near(got.run.expected.seconds, run, 1e-12);
    assert_near(got.run.bound, prompts.bound + 199 * step.bound, 1e-12);
    assert_near(got.run_tokens_per_second, 32 * 200 / run, 1e-12);
    assert_true(got.fits);
}

/* Llama-3.1-8B in bf16: 16.06 GB of weights and 131072 bytes a token on 80 GB. */
static void the_largest_batch_by_hand(void **state) {
    (void)state;
    setting s;
    set_up(&s, example_llama, 1);
    roof_serving got = serve(&s);
    roof_memory memory = roof_model_memory(&s.machine, &s.example.model, &s.plan);
    assert_near(memory.weights, 16.06e9, 1e-3);
    double batch = floor(0.9 * (memory.capacity - memory.weights - 3e9) / (131072.0 * 1100));
    assert_exact(got.load_batch, batch);
    roof_time prompt = phase_of(&s, 1, 1100, ROOF_PHASE_PREFILL), step = phase_of(&s, batch, 1100, ROOF_PHASE_DECODE);
    double others = s.constants.value[ROOF_CONSTANT_OTHERS].value;
    double stay = others * batch * launched(&prompt.expected) + 200 * step.expected.seconds;
    assert_near(got.load.expected.seconds, stay, 1e-12);
    assert_near(got.load_tokens_per_second, batch * 200 / stay, 1e-12);
    assert_true(got.load_low < got.load_tokens_per_second && got.load_tokens_per_second < got.load_high);
    assert_true(got.load_tokens_per_second < got.load_bound);
    double most = floor((memory.capacity - memory.weights) / (131072.0 * 1100));
    double bound =
        phase_of(&s, most, 1100, ROOF_PHASE_PREFILL).bound + 200 * phase_of(&s, most, 1100, ROOF_PHASE_DECODE).bound;
    assert_near(got.load_bound, most * 200 / bound, 1e-12);
}

/* No more than 8192 tokens of prompts ride along with one step. */
static void prompts_that_ride_along_have_an_end(void **state) {
    (void)state;
    setting s;
    set_up(&s, example_llama, 512);
    s.plan.prompt = 16384;
    s.plan.generate = 16;
    s.plan.context = 16384;
    roof_serving got = serve(&s);
    assert_near(got.tpot.expected.term[ROOF_TERM_OTHERS], launched(&got.ttft.expected) / 2, 1e-12);
}

static void what_does_not_fit_has_no_throughput(void **state) {
    (void)state;
    setting s;
    set_up(&s, example_llama, 4096);
    roof_serving got = serve(&s);
    assert_false(got.fits);
    assert_exact(got.run_tokens_per_second, 0);
    assert_true(got.load_tokens_per_second > 0);
    set_up(&s, example_deepseek, 1);
    got = serve(&s);
    assert_false(got.fits);
    assert_exact(got.load_batch, 0);
    assert_exact(got.load_tokens_per_second, 0);
    assert_exact(got.load_bound, 0);
}

/* Weights that leave less than a whole sequence of what a plan may use, though more than nothing of the memory. */
static void what_holds_no_sequence_has_no_load(void **state) {
    (void)state;
    setting s;
    set_up(&s, example_llama, 1);
    roof_memory memory = roof_model_memory(&s.machine, &s.example.model, &s.plan);
    s.machine.usable.value = memory.weights + 4e9;
    s.plan.utilisation = (memory.weights + 0.05e9) / s.machine.usable.value;
    assert_exact(serve(&s).load_batch, 0);
    s.plan.utilisation = (memory.weights + 1e9) / s.machine.usable.value;
    assert_exact(serve(&s).load_batch, 6); /* 0.9 of 1 GB would be 6, too; 3 sequences are in half a GB */
    s.plan.utilisation = (memory.weights + 0.5e9) / s.machine.usable.value;
    assert_exact(serve(&s).load_batch, 3);
}

/* No end of a range is beyond the bound. */
static void ranges_end_at_the_bound(void **state) {
    (void)state;
    setting s;
    set_up(&s, example_llama, 2);
    s.constants.value[ROOF_CONSTANT_LAUNCH].value = 0;
    roof_serving got = serve(&s);
    assert_true(got.load_high <= got.load_bound);
    assert_true(got.decode.expected.low >= got.decode.bound);
    assert_true(got.decode.expected.seconds * s.constants.low[ROOF_REGIME_DECODE] < got.decode.bound);
    assert_true(got.tpot.expected.low >= got.tpot.bound);
    assert_true(got.run.expected.low >= got.run.bound);
    assert_true(got.ttft.expected.low >= got.ttft.bound);
}

static void larger_batches_are_slower_and_give_more(void **state) {
    (void)state;
    setting s;
    double step = 0, tokens = 0;
    for (double batch = 1; batch <= 256; batch *= 2) {
        set_up(&s, example_llama, batch);
        roof_serving got = serve(&s);
        assert_true(got.tpot.expected.seconds > step);
        assert_true(got.run_tokens_per_second > tokens);
        assert_true(got.tpot.expected.seconds >= got.decode.expected.seconds);
        assert_true(got.tpot.expected.seconds > got.tpot.bound);
        step = got.tpot.expected.seconds;
        tokens = got.run_tokens_per_second;
    }
}

static void more_devices_and_memory_hold_more(void **state) {
    (void)state;
    setting s;
    set_up(&s, example_llama_70b, 1);
    s.plan.tensor = 4;
    roof_serving four = serve(&s);
    s.plan.tensor = 8;
    roof_serving eight = serve(&s);
    assert_true(eight.load_batch > 2 * four.load_batch); /* the weights are split once more too */
    assert_true(eight.load_tokens_per_second > four.load_tokens_per_second);
    assert_true(eight.decode.expected.seconds < four.decode.expected.seconds);
    assert_true(eight.decode.expected.seconds > four.decode.expected.seconds / 2);
    s.machine.usable.value *= 2;
    assert_true(serve(&s).load_batch > eight.load_batch);
}

/* An observation of a load is a time for each output token of the group. */
static void observations_are_the_same_quantities(void **state) {
    (void)state;
    setting s;
    set_up(&s, example_llama, 16);
    roof_serving serving = serve(&s);
    roof_observation seen = {.machine = &s.machine, .model = &s.example.model, .plan = s.plan};
    roof_time out;
    seen.regime = ROOF_REGIME_TPOT;
    assert_int_equal(roof_observation_expect(&seen, &s.constants, &out, NULL), 0);
    assert_near(out.expected.seconds, serving.tpot.expected.seconds, 1e-12);
    assert_int_equal(out.expected.regime, ROOF_REGIME_TPOT);
    seen.regime = ROOF_REGIME_RUN;
    assert_int_equal(roof_observation_expect(&seen, &s.constants, &out, NULL), 0);
    assert_near(out.expected.seconds, serving.run.expected.seconds, 1e-12);
    seen.regime = ROOF_REGIME_LOAD;
    assert_int_equal(roof_observation_expect(&seen, &s.constants, &out, NULL), 0);
    assert_near(out.expected.seconds, 1 / serving.load_tokens_per_second, 1e-12);
    assert_near(out.bound, 1 / serving.load_bound, 1e-12);
    s.machine.usable.value = 10e9;
    assert_int_equal(roof_observation_expect(&seen, &s.constants, &out, NULL), -1);
}

/* What a fit asks for: the same time, and nothing spent on a bound. */
static void a_time_without_its_bound(void **state) {
    (void)state;
    static const roof_regime regimes[] = {ROOF_REGIME_PREFILL, ROOF_REGIME_DECODE, ROOF_REGIME_TPOT, ROOF_REGIME_RUN,
                                          ROOF_REGIME_LOAD};
    setting s;
    set_up(&s, example_llama, 16);
    roof_observation seen = {.machine = &s.machine, .model = &s.example.model, .plan = s.plan};
    for (size_t i = 0; i < sizeof regimes / sizeof *regimes; i++) {
        roof_time with, without;
        seen.regime = regimes[i];
        assert_int_equal(roof_observation_expect(&seen, &s.constants, &with, NULL), 0);
        assert_int_equal(observation_expect(&seen, &s.constants, false, &without, NULL), 0);
        assert_true(with.bound > 0);
        assert_exact(without.bound, 0);
        assert_memory_equal(&with.expected, &without.expected, sizeof with.expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_by_hand),
        cmocka_unit_test(the_largest_batch_by_hand),
        cmocka_unit_test(prompts_that_ride_along_have_an_end),
        cmocka_unit_test(what_does_not_fit_has_no_throughput),
        cmocka_unit_test(larger_batches_are_slower_and_give_more),
        cmocka_unit_test(more_devices_and_memory_hold_more),
        cmocka_unit_test(observations_are_the_same_quantities),
        cmocka_unit_test(a_time_without_its_bound),
        cmocka_unit_test(what_holds_no_sequence_has_no_load),
        cmocka_unit_test(ranges_end_at_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
