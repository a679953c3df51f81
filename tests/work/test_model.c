/* A prefill and a decode step: published times, the operations, their order, plans that change them. */
#include "model_test.h"

/* Llama-3.1-8B, bf16, H100 SXM (989.4 TFLOP/s, 3.35 TB/s), fused, causal, head on the last position. */
static void published_times_at_2048(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 2048);
    assert_near(judged_sum(&machine, &e, &plan, ROOF_PREFILL).seconds, 33.6e-3, 0.03);
    static const double decode[][2] = {{1, 4.56e-3}, {8, 5.15e-3}, {64, 9.81e-3}, {256, 25.8e-3}};
    for (size_t i = 0; i < 4; i++) {
        plan.batch = decode[i][0];
        assert_near(judged_sum(&machine, &e, &plan, ROOF_DECODE).seconds, decode[i][1], 0.03);
    }
}

/* 1,024-token prompts, 256 generated, decode at 1,152. That table moves 3 passes a norm; ours moves 4, so prefill
 * intensity is lower (docs/model.md, "A step"); times are within 3 %. */
static void published_throughput_at_1152(void **state) {
    (void)state;
    static const struct { double batch, prefill, intensity, decode, step; } rows[] = {
        {1, 62589, 1.03, 221, 4.53e-3},
        {8, 63657, 7.67, 1645, 4.86e-3},
        {64, 63793, 39.5, 8479, 7.55e-3},
        {256, 63807, 71.2, 15283, 16.75e-3},
    };
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    for (size_t i = 0; i < 4; i++) {
        roof_plan plan = {.batch = rows[i].batch};
        roof_plan_complete(&e.model, &plan);
        assert_exact(plan.context, 1152);
        roof_point prefill, decode;
        assert_int_equal(roof_model_point(&machine, &e.model, &plan, ROOF_PREFILL, &prefill, NULL), 0);
        assert_int_equal(roof_model_point(&machine, &e.model, &plan, ROOF_DECODE, &decode, NULL), 0);
        assert_near(prefill.tokens_per_second, rows[i].prefill, 0.03);
        assert_near(decode.intensity, rows[i].intensity, 0.03);
        assert_near(decode.tokens_per_second, rows[i].decode, 0.03);
        assert_near(decode.seconds, rows[i].step, 0.03);
        assert_int_equal(prefill.bound, ROOF_BOUND_COMPUTE);
        assert_int_equal(decode.bound, ROOF_BOUND_MEMORY);
    }
}

static void names_in_order(const example *e, const roof_plan *plan, roof_phase phase, const char *const *names) {
    operations all;
    operations_of(e, plan, phase, &all);
    for (size_t i = 0; i < all.count; i++) {
        assert_non_null(names[i]);
        assert_string_equal(all.list[i].name, names[i]);
    }
    assert_null(names[all.count]);
}

static void operations_stand_in_order(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    names_in_order(&e, &plan, ROOF_DECODE, (const char *const[]){"embedding", "norms", "qkv", "attention", "o", "norms", "gate_up",
                   "swiglu", "down", "norms", "lm_head", NULL});
    plan.eager = true;
    names_in_order(&e, &plan, ROOF_PREFILL, (const char *const[]){"embedding", "norms", "qkv", "rope", "cache_write", "attention", "o",
                   "residual", "norms", "gate_up", "swiglu", "swiglu", "down", "residual", "norms", "lm_head", NULL});
    plan.eager = false;
    plan.tensor = 2;
    names_in_order(&e, &plan, ROOF_DECODE, (const char *const[]){"embedding", "all-reduce", "norms", "qkv", "attention", "o",
                   "all-reduce", "norms", "gate_up", "swiglu", "down", "all-reduce", "norms", "lm_head", NULL});
    example_deepseek(&e);
    e.model.layers = &e.layers[1];
    e.model.layer_count = 1;
    plan = plan_of(&e, 1, 1024);
    names_in_order(&e, &plan, ROOF_PREFILL, (const char *const[]){"embedding", "norms", "q_down", "q_up", "kv_down", "norms", "kv_up",
                   "attention", "o", "norms", "router", "experts_up", "experts_act", "experts_down", "shared_up", "shared_act",
                   "shared_down", "norms", "lm_head", NULL});
    names_in_order(&e, &plan, ROOF_DECODE, (const char *const[]){"embedding", "norms", "q_down", "q_up", "kv_down", "norms", "q_absorb",
                   "attention", "v_absorb", "o", "norms", "router", "experts_up", "experts_act", "experts_down", "shared_up",
                   "shared_act", "shared_down", "norms", "lm_head", NULL});
    example_gpt2(&e);
    plan = plan_of(&e, 1, 512);
    names_in_order(&e, &plan, ROOF_PREFILL, (const char *const[]){"embedding", "norms", "qkv", "attention", "o", "norms", "up",
                   "activation", "down", "norms", "lm_head", NULL});
}

static void a_window_has_its_name_and_its_bytes(void **state) {
    (void)state;
    example e;
    example_gpt_oss(&e);
    roof_plan plan = plan_of(&e, 1, 8192);
    operations all;
    operations_of(&e, &plan, ROOF_DECODE, &all);
    const roof_operation *narrow = named(&all, "attention w128"), *full = named(&all, "attention");
    double row = 2 * 8 * 64 * 2; /* a token of one layer */
    assert_exact(narrow->cache_bytes, (128 + 1) * row);
    assert_exact(full->cache_bytes, (8192 + 1) * row);
    assert_exact(narrow->matrix_flops, 4 * 128.0 * 64 * 64);
    assert_exact(narrow->count + full->count, 24);
}

/* Two operations judged apart and added are what the one-pass judge says. */
static void one_pass_equals_operation_by_operation(void **state) {
    (void)state;
    example e;
    roof_machine machine = example_h100();
    void (*const makers[])(example *) = {example_llama, example_gpt2, example_mixtral, example_deepseek, example_gpt_oss};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        makers[i](&e);
        for (int phase = ROOF_PREFILL; phase <= ROOF_DECODE; phase++) {
            roof_plan plan = plan_of(&e, 4, 700);
            operations all;
            operations_of(&e, &plan, (roof_phase)phase, &all);
            roof_sum sum = {0};
            for (size_t j = 0; j < all.count; j++) {
                roof_verdict verdict;
                assert_int_equal(roof_judge(&machine, &all.list[j], &verdict, NULL), 0);
                roof_sum_add(&sum, &all.list[j], &verdict);
            }
            roof_sum once = judged_sum(&machine, &e, &plan, (roof_phase)phase);
            assert_exact(once.seconds, sum.seconds);
            assert_exact(once.flops, sum.flops);
            assert_exact(once.bytes, sum.bytes);
            assert_exact(once.weight_bytes, sum.weight_bytes);
            assert_int_equal(once.operations, sum.operations);
        }
    }
}

static void a_short_buffer_gets_the_first_operations(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    roof_operation few[3];
    memset(few, 0x55, sizeof few);
    assert_int_equal(roof_model_operations(&e.model, &plan, ROOF_DECODE, few, 2), 11);
    assert_string_equal(few[1].name, "norms");
    assert_int_equal(((unsigned char *)&few[2])[0], 0x55);
    assert_int_equal(roof_model_operations(&e.model, &plan, ROOF_DECODE, NULL, 0), 11);
}

/* Every stored weight is read once a decode step but the embedding table, of which one row a token is read. */
static void decode_reads_each_weight_once(void **state) {
    (void)state;
    example e;
    void (*const makers[])(example *) = {example_llama, example_qwen3, example_gpt2, example_mixtral, example_deepseek, example_gpt_oss};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        makers[i](&e);
        roof_plan plan = plan_of(&e, 1, 1024);
        plan.experts_touched = e.layers[e.model.layer_count - 1].mlp.experts;
        operations all;
        operations_of(&e, &plan, ROOF_DECODE, &all);
        double table = e.model.tied ? 0 : e.model.vocab * e.model.hidden * 2;
        double positions = e.model.positions * e.model.hidden * 2;
        assert_exact(TOTAL(&all, weight_bytes), roof_model_parameters(&e.model, &plan).bytes - table - positions);
    }
}

/* GPT-2: 2 FLOPs a weight of each matrix and token; the table counts once, as head. */
static void decode_flops_are_two_a_weight(void **state) {
    (void)state;
    example e;
    example_mixtral(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    operations all;
    operations_of(&e, &plan, ROOF_DECODE, &all);
    /* 25,497,174,016 without attention: 2 * (active - embedding - norms) */
    assert_exact(TOTAL(&all, matrix_flops) - 32 * named(&all, "attention")->matrix_flops, 25497174016);
}

/* Leviathan, Kalman and Matias 2023, equation 1. */
static void speculation_yields_the_accepted_tokens(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 1024);
    roof_point plain, drafted;
    roof_model_point(&machine, &e.model, &plan, ROOF_DECODE, &plain, NULL);
    plan.draft = 4;
    plan.acceptance = 0.8;
    roof_model_point(&machine, &e.model, &plan, ROOF_DECODE, &drafted, NULL);
    assert_near(drafted.tokens_per_second * drafted.seconds, (1 - pow(0.8, 5)) / 0.2, 1e-12);
    assert_true(drafted.seconds > plain.seconds && drafted.seconds < 1.02 * plain.seconds);
    plan.acceptance = 1;
    roof_model_point(&machine, &e.model, &plan, ROOF_DECODE, &drafted, NULL);
    assert_near(drafted.tokens_per_second * drafted.seconds, 5, 1e-12);
    plan.acceptance = 0;
    roof_model_point(&machine, &e.model, &plan, ROOF_DECODE, &drafted, NULL);
    assert_near(drafted.tokens_per_second * drafted.seconds, 1, 1e-12);
}

static void tensor_parallel_splits_and_reduces(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 16, 1024);
    operations one, eight;
    operations_of(&e, &plan, ROOF_PREFILL, &one);
    plan.tensor = 8;
    operations_of(&e, &plan, ROOF_PREFILL, &eight);
    static const char *const split[] = {"qkv", "attention", "o", "gate_up", "down", "lm_head"};
    for (size_t i = 0; i < sizeof split / sizeof *split; i++)
        assert_exact(8 * named(&eight, split[i])->matrix_flops, named(&one, split[i])->matrix_flops);
    assert_exact(executions(&eight, "all-reduce"), 2 * 32 + 1); /* and one for the table split by rows */
    /* a ring sends 2 (t - 1) / t of the buffer */
    assert_exact(named(&eight, "all-reduce")->link_bytes, 2 * 7.0 / 8 * 16 * 1024 * 4096 * 2);
    e.layers[0].parallel = true;
    operations_of(&e, &plan, ROOF_PREFILL, &eight);
    assert_exact(executions(&eight, "all-reduce"), 32 + 1);
}

static void quantised_layers_multiply_where_they_say(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 8, 1024);
    operations all;
    plan.weights = roof_format_plain(ROOF_FP8);
    operations_of(&e, &plan, ROOF_DECODE, &all);
    assert_int_equal(named(&all, "down")->matrix_dtype, ROOF_FP8);
    assert_exact(named(&all, "down")->bytes[ROOF_DRAM], 14336.0 * 4096 + 8 * (14336 + 2 * 4096)); /* fp8 in, bf16 out */
    assert_int_equal(named(&all, "lm_head")->matrix_dtype, ROOF_BF16);
    plan.math = ROOF_BF16;
    operations_of(&e, &plan, ROOF_DECODE, &all);
    assert_int_equal(named(&all, "down")->matrix_dtype, ROOF_BF16);
    assert_exact(named(&all, "down")->bytes[ROOF_DRAM], 14336.0 * 4096 + 8 * 2 * (14336 + 4096));
    plan.math = ROOF_DTYPE_NONE;
    plan.sparse = true;
    plan.weights = (roof_format){0};
    operations_of(&e, &plan, ROOF_DECODE, &all);
    assert_true(named(&all, "down")->sparse && named(&all, "qkv")->sparse);
    assert_false(named(&all, "lm_head")->sparse || named(&all, "attention")->sparse);
}

static void unfused_engines_move_more(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 2048);
    roof_sum fused = judged_sum(&machine, &e, &plan, ROOF_PREFILL);
    plan.eager = true;
    roof_sum eager = judged_sum(&machine, &e, &plan, ROOF_PREFILL);
    assert_exact(eager.matrix_flops, fused.matrix_flops);
    assert_true(eager.bytes > 2 * fused.bytes && eager.seconds > fused.seconds);
}

/* Gemma 2: four norms a layer; Falcon and GPT-J: one, and both branches added at once. */
static void norms_are_counted_as_stated(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 1);
    operations all;
    double row = 4096 * 2, passes;
    operations_of(&e, &plan, ROOF_DECODE, &all);
    passes = 0;
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(all.list[i].name, "norms") == 0)
            passes += all.list[i].count * (all.list[i].bytes[ROOF_DRAM] - all.list[i].weight_bytes) / row;
    assert_exact(passes, 2 + 4 * 64);
    e.layers[0].norms = 4;
    operations_of(&e, &plan, ROOF_DECODE, &all);
    assert_exact(executions(&all, "norms"), 1 + 4 * 32);
    e.layers[0].norms = 1;
    e.layers[0].parallel = true;
    operations_of(&e, &plan, ROOF_DECODE, &all);
    assert_exact(executions(&all, "norms"), 1 + 32);
    assert_exact(all.list[all.count - 2].bytes[ROOF_DRAM] - all.list[all.count - 2].weight_bytes, 5 * row);
}

static void defaults_complete_a_plan(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = {0};
    roof_plan_complete(&e.model, &plan);
    assert_exact(plan.batch, 1);
    assert_exact(plan.prompt, 1024);
    assert_exact(plan.generate, 256);
    assert_exact(plan.context, 1152);
    assert_exact(plan.utilisation, 0.95);
    assert_int_equal(plan.activations, ROOF_BF16);
    e.model.stored = ROOF_F16;
    plan = (roof_plan){.kv_cache = ROOF_FP8, .prompt = 100, .generate = 50};
    roof_plan_complete(&e.model, &plan);
    assert_int_equal(plan.activations, ROOF_F16);
    assert_int_equal(plan.kv_cache, ROOF_FP8);
    assert_exact(plan.context, 125);
    e.model.stored = ROOF_F32;
    plan = (roof_plan){0};
    roof_plan_complete(&e.model, &plan);
    assert_int_equal(plan.activations, ROOF_BF16);
}

static void bad_plans_and_machines_are_refused(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_sum sum;
    roof_error error;
    roof_plan plan = plan_of(&e, 1, 1024);
    plan.batch = (double)NAN;
    assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_DECODE, &sum, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
    assert_non_null(strstr(error.what, "batch"));
    plan = plan_of(&e, 1, 1024);
    plan.activations = ROOF_DTYPE_NONE;
    assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_DECODE, &sum, &error), -1);
    plan = plan_of(&e, 1, 1024);
    plan.tensor = 2;
    machine.link = (roof_figure){0};
    assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_DECODE, &sum, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
}

static void unknown_weights_make_the_total_at_least(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    e.layers[0].format[ROOF_ROLE_MLP] = (roof_format){.name = "mystery", .unknown = true};
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 1024);
    operations all;
    operations_of(&e, &plan, ROOF_DECODE, &all);
    assert_true(named(&all, "down")->at_least);
    assert_false(named(&all, "o")->at_least);
    assert_true(judged_sum(&machine, &e, &plan, ROOF_DECODE).at_least);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_times_at_2048),
        cmocka_unit_test(published_throughput_at_1152),
        cmocka_unit_test(operations_stand_in_order),
        cmocka_unit_test(a_window_has_its_name_and_its_bytes),
        cmocka_unit_test(one_pass_equals_operation_by_operation),
        cmocka_unit_test(a_short_buffer_gets_the_first_operations),
        cmocka_unit_test(decode_reads_each_weight_once),
        cmocka_unit_test(decode_flops_are_two_a_weight),
        cmocka_unit_test(speculation_yields_the_accepted_tokens),
        cmocka_unit_test(tensor_parallel_splits_and_reduces),
        cmocka_unit_test(quantised_layers_multiply_where_they_say),
        cmocka_unit_test(unfused_engines_move_more),
        cmocka_unit_test(norms_are_counted_as_stated),
        cmocka_unit_test(defaults_complete_a_plan),
        cmocka_unit_test(bad_plans_and_machines_are_refused),
        cmocka_unit_test(unknown_weights_make_the_total_at_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
