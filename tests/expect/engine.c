/* A model in an engine: kernels by layer, a phase as the sum of its operations, prompts behind a prefix and in
 * micro-batches, layers split over devices. */
#include "test.h"

#include "roofline_expected.h"

#include "work/models.h"

typedef struct setting {
    roof_machine machine;
    roof_constants constants;
    example example;
    roof_plan plan;
} setting;

static void set_up(setting *s, const char *machine, roof_engine engine, void (*make)(example *)) {
    roof_error error;
    assert_int_equal(roof_machine_find(machine, &s->machine, NULL, 0, &error), 0);
    roof_constants_of(&s->machine, engine, &s->constants);
    make(&s->example);
    s->plan = (roof_plan){.batch = 1, .prompt = 1024, .generate = 256, .tensor = 1};
    roof_plan_complete(&s->example.model, &s->plan);
}

static roof_expected phase_of(const setting *s, roof_phase phase) {
    roof_expected out;
    roof_error error;
    if (roof_expect_phase(&s->machine, &s->constants, &s->example.model, &s->plan, phase, &out, &error))
        fail_msg("%s", error.what);
    return out;
}

static roof_time observed(const setting *s, roof_regime regime, double prefix, double share) {
    roof_observation observation = {.machine = &s->machine,
                                    .model = &s->example.model,
                                    .plan = s->plan,
                                    .regime = regime,
                                    .prefix = prefix,
                                    .share = share};
    roof_time out;
    roof_error error;
    if (roof_observation_expect(&observation, &s->constants, &out, &error))
        fail_msg("%s", error.what);
    return out;
}

/* Outside the layers: embedding, the first norm, head. */
static double in_layers(const setting *s) {
    return phase_of(s, ROOF_PHASE_DECODE).kernels - 3;
}

/* Fused, a dense layer is qkv, rope with the cache write, attention, o, norm, gate and up, activation, down, norm;
 * experts take five kernels with top-k, sorting and adding up, and a router; a latent cache five more, a shared expert
 * three. */
static void kernels_of_layers(void **state) {
    (void)state;
    static const struct {
        void (*make)(example *);
        double fused, eager;
    } models[] = {
        {example_llama, 32 * 9, 32 * 15},
        {example_qwen3, 36 * 9, 36 * 16}, /* norms of queries and keys */
        {example_gpt2, 12 * 9, 12 * 13},  /* neither rope nor gate */
        {example_mixtral, 32 * 13, 32 * 20},
        {example_gpt_oss, 24 * 13, 24 * 20},
        {example_deepseek, 3 * (9 + 5) + 58 * (13 + 5 + 3), 1620},
    };
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        setting s;
        set_up(&s, "h100-sxm", ROOF_ENGINE_SERVING, models[i].make);
        assert_exact(in_layers(&s), models[i].fused);
        s.plan.eager = true;
        assert_exact(in_layers(&s), models[i].eager);
    }
}

static void a_phase_is_the_sum_of_its_operations(void **state) {
    (void)state;
    enum { MOST = 64 };
    setting s;
    roof_operation operations[MOST];
    roof_error error;
    set_up(&s, "h100-sxm", ROOF_ENGINE_SERVING, example_llama_70b);
    s.plan.tensor = 4;
    size_t count = roof_model_operations(&s.example.model, &s.plan, ROOF_PHASE_DECODE, operations, MOST);
    assert_in_range(count, 1, MOST);
    roof_expected list, phase = phase_of(&s, ROOF_PHASE_DECODE);
    assert_int_equal(roof_expect_operations(&s.machine, &s.constants, operations, count, &list, &error), 0);
    assert_exact(phase.seconds, list.seconds);
    assert_exact(phase.kernels, list.kernels);
    assert_near(phase.term[ROOF_TERM_SKEW], (2 * 80 + 1) * s.constants.value[ROOF_CONSTANT_SKEW].value, 1e-12);
    double terms = 0;
    for (int i = 0; i < ROOF_TERM_COUNT; i++)
        terms += phase.term[i];
    assert_near(phase.seconds, terms, 1e-15);
    assert_true(phase.low < phase.seconds && phase.seconds < phase.high);
}

static void a_phase_is_never_below_its_bound(void **state) {
    (void)state;
    static const char *const machines[] = {"h100-sxm", "a100-sxm-80", "rtx-4090", "mi300x", "l40s"};
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++)
        for (int engine = ROOF_ENGINE_GRAPH; engine < ROOF_ENGINE_COUNT; engine++) {
            setting s;
            set_up(&s, machines[m], (roof_engine)engine, example_llama);
            for (s.plan.batch = 1; s.plan.batch <= 256; s.plan.batch *= 4) {
                roof_time decode = observed(&s, ROOF_REGIME_DECODE, 0, 1);
                assert_true(decode.expected.seconds > decode.bound);
            }
        }
}

/* Attention over 4096 tokens more, and nothing else. */
static void a_prefix_costs_attention(void **state) {
    (void)state;
    setting s;
    set_up(&s, "h100-sxm", ROOF_ENGINE_SERVING, example_llama);
    roof_time none = observed(&s, ROOF_REGIME_PREFILL, 0, 1), some = observed(&s, ROOF_REGIME_PREFILL, 4096, 1);
    double flops = 4.0 * 32 * 32 * 128 * 1024 * 4096;
    double rate =
        989.4e12 * s.constants.value[ROOF_CONSTANT_MATRIX_16].value * s.constants.value[ROOF_CONSTANT_ATTENTION].value;
    assert_near(some.expected.term[ROOF_TERM_COMPUTE] - none.expected.term[ROOF_TERM_COMPUTE], flops / rate, 2e-3);
    assert_exact(some.expected.kernels, none.expected.kernels);
    assert_true(some.bound > none.bound);
    roof_sum sum;
    assert_int_equal(roof_model_judge(&s.machine, &s.example.model, &s.plan, ROOF_PHASE_PREFILL, &sum, NULL), 0);
    assert_near(none.bound, sum.seconds, 1e-12);
}

/* llama.cpp reads the weights for every 512 tokens of a prompt; other engines once. */
static void prompts_go_in_micro_batches(void **state) {
    (void)state;
    setting s;
    set_up(&s, "rtx-4090", ROOF_ENGINE_LLAMA_CPP, example_llama);
    roof_expected once = phase_of(&s, ROOF_PHASE_PREFILL);
    s.plan.prompt = 512;
    roof_expected part = phase_of(&s, ROOF_PHASE_PREFILL);
    assert_near(once.kernels, 2 * part.kernels, 1e-12);
    assert_true(once.term[ROOF_TERM_MEMORY] > 1.9 * part.term[ROOF_TERM_MEMORY]);
    set_up(&s, "rtx-4090", ROOF_ENGINE_SERVING, example_llama);
    once = phase_of(&s, ROOF_PHASE_PREFILL);
    s.plan.prompt = 512;
    part = phase_of(&s, ROOF_PHASE_PREFILL);
    assert_exact(once.kernels, part.kernels);
    assert_true(once.term[ROOF_TERM_MEMORY] < 1.5 * part.term[ROOF_TERM_MEMORY]);
}

/* Two micro-batches on four devices: four parts of five steps, so 2 * 4 / 5 devices' worth. */
static void layers_split_over_devices(void **state) {
    (void)state;
    setting s;
    set_up(&s, "rtx-4090", ROOF_ENGINE_LLAMA_CPP, example_llama);
    roof_time one = observed(&s, ROOF_REGIME_LLAMA_PREFILL, 0, 1), four = observed(&s, ROOF_REGIME_LLAMA_PREFILL, 0, 4);
    assert_near(four.expected.seconds, one.expected.seconds * 5 / 8, 1e-12);
    assert_near(four.bound, one.bound / 4, 1e-12);
}

/* GeForce multiplies at twice the rate with sums in 16 bits, a roof of its own; llama.cpp uses that, and no more for
 * quantised weights. */
static void llama_cpp_multiplies_at_the_16_bit_rate(void **state) {
    (void)state;
    roof_machine machine;
    roof_constants c;
    assert_int_equal(roof_machine_find("rtx-4090", &machine, NULL, 0, NULL), 0);
    roof_constants_of(&machine, ROOF_ENGINE_LLAMA_CPP, &c);
    double floats = c.value[ROOF_CONSTANT_MATRIX_16].value * machine.narrow[ROOF_F16].value;
    double integers = c.value[ROOF_CONSTANT_MATRIX_8].value * machine.peak[ROOF_MATRIX][ROOF_INT8].value;
    assert_near(integers, floats, 1e-12);
    assert_true(floats > machine.peak[ROOF_MATRIX][ROOF_F16].value);
    assert_true(c.value[ROOF_CONSTANT_MATRIX_16].value < 1);
    setting f16, bf16;
    set_up(&f16, "rtx-4090", ROOF_ENGINE_LLAMA_CPP, example_llama);
    f16.plan.weights = roof_format_plain(ROOF_F16);
    f16.plan.activations = f16.plan.kv_cache = ROOF_F16;
    f16.plan.weights_head = true;
    roof_plan_engine(&f16.machine, ROOF_ENGINE_LLAMA_CPP, &f16.plan);
    assert_true(f16.plan.half_sums);
    set_up(&bf16, "rtx-4090", ROOF_ENGINE_LLAMA_CPP, example_llama);
    assert_near(2 * phase_of(&f16, ROOF_PHASE_PREFILL).term[ROOF_TERM_COMPUTE],
                phase_of(&bf16, ROOF_PHASE_PREFILL).term[ROOF_TERM_COMPUTE],
                0.01); /* of both parts, attention behind the first one included */
}

/* AMD and NVIDIA make both. */
static void a_cpu_is_no_gpu_of_its_vendor(void **state) {
    (void)state;
    roof_machine machine;
    roof_constants amd, intel;
    assert_int_equal(roof_machine_find("epyc-9654", &machine, NULL, 0, NULL), 0);
    roof_constants_of(&machine, ROOF_ENGINE_LLAMA_CPP, &amd);
    machine.vendor = "Intel";
    roof_constants_of(&machine, ROOF_ENGINE_LLAMA_CPP, &intel);
    assert_false(amd.known_machine);
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++)
        assert_exact(amd.value[i].value, intel.value[i].value);
}

static void unknown_hardware_and_engines_have_wider_intervals(void **state) {
    (void)state;
    setting known, engine, machine;
    set_up(&known, "h100-sxm", ROOF_ENGINE_SERVING, example_llama);
    set_up(&engine, "h100-sxm", ROOF_ENGINE_UNKNOWN, example_llama);
    set_up(&machine, "gaudi3", ROOF_ENGINE_SERVING, example_llama);
    for (int r = ROOF_REGIME_PREFILL; r < ROOF_REGIME_COUNT; r++) {
        assert_true(known.constants.low[r] < 1 && known.constants.high[r] > 1);
        assert_true(engine.constants.low[r] < known.constants.low[r] &&
                    engine.constants.high[r] > known.constants.high[r]);
        assert_true(machine.constants.low[r] < known.constants.low[r] &&
                    machine.constants.high[r] > known.constants.high[r]);
    }
    assert_true(known.constants.known_machine && !machine.constants.known_machine);
}

/* What was measured is sustained already. */
static void measured_roofs_are_reached(void **state) {
    (void)state;
    setting s;
    set_up(&s, "h100-sxm", ROOF_ENGINE_SERVING, example_llama);
    assert_true(s.constants.value[ROOF_CONSTANT_STREAM].value < 1);
    s.machine.bandwidth[ROOF_DRAM].origin = ROOF_ORIGIN_MEASURED;
    s.machine.peak[ROOF_MATRIX][ROOF_BF16].origin = ROOF_ORIGIN_MEASURED;
    roof_constants_of(&s.machine, ROOF_ENGINE_SERVING, &s.constants);
    assert_exact(s.constants.value[ROOF_CONSTANT_STREAM].value, 1);
    assert_exact(s.constants.value[ROOF_CONSTANT_MATRIX_16].value, 1);
    assert_true(s.constants.value[ROOF_CONSTANT_MATRIX_8].value < 1);
}

/* Sums in 16 bits are for F16: not for BF16, not in MLX; and integers that are slower than floats (B300) are not made
 * faster by it. A bound holds for all of them. */
static void the_16_bit_rate_is_not_above_the_roof(void **state) {
    (void)state;
    static const struct {
        const char *machine;
        roof_engine engine;
        roof_dtype dtype, weights;
    } cases[] = {{"rtx-4090", ROOF_ENGINE_LLAMA_CPP, ROOF_BF16, ROOF_BF16},
                 {"rtx-3090", ROOF_ENGINE_MLX, ROOF_F16, ROOF_F16},
                 {"a10g", ROOF_ENGINE_LLAMA_CPP, ROOF_BF16, ROOF_BF16},
                 {"b300-sxm", ROOF_ENGINE_LLAMA_CPP, ROOF_BF16, ROOF_FP8},
                 {"b300-sxm", ROOF_ENGINE_MLX, ROOF_BF16, ROOF_INT8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setting s;
        roof_sum sum;
        set_up(&s, cases[i].machine, cases[i].engine, example_llama);
        s.plan.batch = 8;
        s.plan.prompt = 512;
        s.plan.activations = s.plan.kv_cache = cases[i].dtype;
        s.plan.weights = roof_format_plain(cases[i].weights);
        s.plan.weights_head = true;
        assert_int_equal(roof_model_judge(&s.machine, &s.example.model, &s.plan, ROOF_PHASE_PREFILL, &sum, NULL), 0);
        assert_true(phase_of(&s, ROOF_PHASE_PREFILL).seconds > sum.seconds);
    }
}

/* 32 heads and 8 KV heads on three devices: 11 and 3, which no kernel is built for, but a plan can be. */
static void parts_of_odd_plans(void **state) {
    (void)state;
    setting s;
    set_up(&s, "h100-sxm", ROOF_ENGINE_LLAMA_CPP, example_llama);
    s.plan.tensor = 3;
    assert_true(phase_of(&s, ROOF_PHASE_PREFILL).seconds > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_layers),
        cmocka_unit_test(a_phase_is_the_sum_of_its_operations),
        cmocka_unit_test(a_phase_is_never_below_its_bound),
        cmocka_unit_test(a_prefix_costs_attention),
        cmocka_unit_test(prompts_go_in_micro_batches),
        cmocka_unit_test(layers_split_over_devices),
        cmocka_unit_test(llama_cpp_multiplies_at_the_16_bit_rate),
        cmocka_unit_test(measured_roofs_are_reached),
        cmocka_unit_test(a_cpu_is_no_gpu_of_its_vendor),
        cmocka_unit_test(unknown_hardware_and_engines_have_wider_intervals),
        cmocka_unit_test(the_16_bit_rate_is_not_above_the_roof),
        cmocka_unit_test(parts_of_odd_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
