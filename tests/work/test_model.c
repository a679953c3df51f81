/* A prefill and a decode step: published times, the operations, their order, plans that change them. */
#include "model_test.h"

/* Llama-3.1-8B, bf16, H100 SXM (989.4 TFLOP/s, 3.35 TB/s), fused, causal, head on the last position. */
static void published_times_at_2048(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 2048);
    assert_near(judged_sum(&machine, &e, &plan, ROOF_PHASE_PREFILL).seconds, 33.6e-3, 0.03);
    static const double decode[][2] = {{1, 4.56e-3}, {8, 5.15e-3}, {64, 9.81e-3}, {256, 25.8e-3}};
    for (size_t i = 0; i < 4; i++) {
        plan.batch = decode[i][0];
        assert_near(judged_sum(&machine, &e, &plan, ROOF_PHASE_DECODE).seconds, decode[i][1], 0.03);
    }
}

/* 1,024-token prompts, 256 generated, decode at 1,152. That table moves 3 passes a norm; ours moves 4, so prefill
 * intensity is lower (docs/model.md, "A step"); times are within 3 %. */
static void published_throughput_at_1152(void **state) {
    (void)state;
    static const struct {
        double batch, prefill, intensity, decode, step;
    } rows[] = {
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
        assert_int_equal(roof_model_point(&machine, &e.model, &plan, ROOF_PHASE_PREFILL, &prefill, NULL), 0);
        assert_int_equal(roof_model_point(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &decode, NULL), 0);
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
    names_in_order(&e, &plan, ROOF_PHASE_DECODE,
                   (const char *const[]){"embedding", "norms", "qkv", "attention", "o", "norms", "gate_up", "swiglu",
                                         "down", "norms", "lm_head", NULL});
    plan.eager = true;
    names_in_order(&e, &plan, ROOF_PHASE_PREFILL,
                   (const char *const[]){"embedding", "norms", "qkv", "rope", "cache_write", "attention", "o",
                                         "residual", "norms", "gate_up", "swiglu", "swiglu", "down", "residual",
                                         "norms", "lm_head", NULL});
    plan.eager = false;
    plan.tensor = 2;
    names_in_order(&e, &plan, ROOF_PHASE_DECODE,
                   (const char *const[]){"embedding", "all-reduce", "norms", "qkv", "attention", "o", "all-reduce",
                                         "norms", "gate_up", "swiglu", "down", "all-reduce", "norms", "lm_head", NULL});
    example_deepseek(&e);
    e.model.layers = &e.layers[1];
    e.model.layer_count = 1;
    plan = plan_of(&e, 1, 1024);
    names_in_order(&e, &plan, ROOF_PHASE_PREFILL,
                   (const char *const[]){
                       "embedding", "norms",      "q_down",      "q_up",   "kv_down",    "norms",       "kv_up",
                       "attention", "o",          "norms",       "router", "experts_up", "experts_act", "experts_down",
                       "shared_up", "shared_act", "shared_down", "norms",  "lm_head",    NULL});
    names_in_order(&e, &plan, ROOF_PHASE_DECODE,
                   (const char *const[]){
                       "embedding",    "norms",     "q_down",     "q_up",        "kv_down", "norms",      "q_absorb",
                       "attention",    "v_absorb",  "o",          "norms",       "router",  "experts_up", "experts_act",
                       "experts_down", "shared_up", "shared_act", "shared_down", "norms",   "lm_head",    NULL});
    example_gpt2(&e);
    plan = plan_of(&e, 1, 512);
    names_in_order(&e, &plan, ROOF_PHASE_PREFILL,
                   (const char *const[]){"embedding", "norms", "qkv", "attention", "o", "norms", "up", "activation",
                                         "down", "norms", "lm_head", NULL});
}

static void a_window_has_its_name_and_its_bytes(void **state) {
    (void)state;
    example e;
    example_gpt_oss(&e);
    roof_plan plan = plan_of(&e, 1, 8192);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
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
    void (*const makers[])(example *) = {example_llama, example_gpt2, example_mixtral, example_deepseek,
                                         example_gpt_oss};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        makers[i](&e);
        for (int phase = ROOF_PHASE_PREFILL; phase <= ROOF_PHASE_DECODE; phase++) {
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
    assert_int_equal(roof_model_operations(&e.model, &plan, ROOF_PHASE_DECODE, few, 2), 11);
    assert_string_equal(few[1].name, "norms");
    assert_int_equal(((unsigned char *)&few[2])[0], 0x55);
    assert_int_equal(roof_model_operations(&e.model, &plan, ROOF_PHASE_DECODE, NULL, 0), 11);
}

/* Every stored weight is read once a decode step but the embedding table, of which one row a token is read. */
static void decode_reads_each_weight_once(void **state) {
    (void)state;
    example e;
    void (*const makers[])(example *) = {example_llama,   example_qwen3,    example_gpt2,
                                         example_mixtral, example_deepseek, example_gpt_oss};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        makers[i](&e);
        roof_plan plan = plan_of(&e, 1, 1024);
        plan.experts_touched = e.layers[e.model.layer_count - 1].mlp.experts;
        operations all;
        operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
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
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
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
    roof_model_point(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &plain, NULL);
    plan.draft = 4;
    plan.acceptance = 0.8;
    roof_model_point(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &drafted, NULL);
    assert_near(drafted.tokens_per_second * drafted.seconds, (1 - pow(0.8, 5)) / 0.2, 1e-12);
    assert_true(drafted.seconds > plain.seconds && drafted.seconds < 1.02 * plain.seconds);
    plan.acceptance = 1;
    roof_model_point(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &drafted, NULL);
    assert_near(drafted.tokens_per_second * drafted.seconds, 5, 1e-12);
    plan.acceptance = 0;
    roof_model_point(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &drafted, NULL);
    assert_near(drafted.tokens_per_second * drafted.seconds, 1, 1e-12);
}

static void tensor_parallel_splits_and_reduces(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 16, 1024);
    operations one, eight;
    operations_of(&e, &plan, ROOF_PHASE_PREFILL, &one);
    plan.tensor = 8;
    operations_of(&e, &plan, ROOF_PHASE_PREFILL, &eight);
    static const char *const split[] = {"qkv", "attention", "o", "gate_up", "down", "lm_head"};
    for (size_t i = 0; i < sizeof split / sizeof *split; i++)
        assert_exact(8 * named(&eight, split[i])->matrix_flops, named(&one, split[i])->matrix_flops);
    assert_exact(executions(&eight, "all-reduce"), 2 * 32 + 1); /* and one for the table split by rows */
    /* a ring sends 2 (t - 1) / t of the buffer */
    assert_exact(named(&eight, "all-reduce")->link_bytes, 2 * 7.0 / 8 * 16 * 1024 * 4096 * 2);
    e.layers[0].parallel = true;
    operations_of(&e, &plan, ROOF_PHASE_PREFILL, &eight);
    assert_exact(executions(&eight, "all-reduce"), 32 + 1);
}

static void quantised_layers_multiply_where_they_say(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 8, 1024);
    operations all;
    plan.weights = roof_format_plain(ROOF_FP8);
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_int_equal(named(&all, "down")->matrix_dtype, ROOF_FP8);
    assert_exact(named(&all, "down")->bytes[ROOF_DRAM], 14336.0 * 4096 + 8 * (14336 + 2 * 4096)); /* fp8 in, bf16 out */
    assert_int_equal(named(&all, "lm_head")->matrix_dtype, ROOF_BF16);
    plan.math = ROOF_BF16;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_int_equal(named(&all, "down")->matrix_dtype, ROOF_BF16);
    assert_exact(named(&all, "down")->bytes[ROOF_DRAM], 14336.0 * 4096 + 8 * 2 * (14336 + 4096));
    plan.math = ROOF_DTYPE_NONE;
    plan.sparse = true;
    plan.weights = (roof_format){0};
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_true(named(&all, "down")->sparse && named(&all, "qkv")->sparse);
    assert_false(named(&all, "lm_head")->sparse || named(&all, "attention")->sparse);
}

static void unfused_engines_move_more(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 2048);
    roof_sum fused = judged_sum(&machine, &e, &plan, ROOF_PHASE_PREFILL);
    plan.eager = true;
    roof_sum eager = judged_sum(&machine, &e, &plan, ROOF_PHASE_PREFILL);
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
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    passes = 0;
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(all.list[i].name, "norms") == 0)
            passes += all.list[i].count * (all.list[i].bytes[ROOF_DRAM] - all.list[i].weight_bytes) / row;
    assert_exact(passes, 2 + 4 * 64);
    e.layers[0].norms = 4;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(executions(&all, "norms"), 1 + 4 * 32);
    e.layers[0].norms = 1;
    e.layers[0].parallel = true;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(executions(&all, "norms"), 1 + 32);
    assert_exact(all.list[all.count - 2].bytes[ROOF_DRAM] - all.list[all.count - 2].weight_bytes, 5 * row);
}

/* OPT-350M: a table of 512 under a hidden width of 1,024, one product in and one out. */
static void narrow_embeddings_are_projected(void **state) {
    (void)state;
    example e;
    example_gpt2(&e);
    e.model.hidden = 1024;
    e.model.embedding_width = 512;
    roof_plan plan = plan_of(&e, 2, 64);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_PREFILL, &all);
    assert_exact(executions(&all, "embedding"), 2);
    assert_exact(all.list[0].bytes[ROOF_DRAM], 128 * 2.0 * (512 + 1024 + 512)); /* row, position row, written row */
    assert_exact(all.list[1].matrix_flops, 2 * 128.0 * 512 * 1024);
    assert_exact(executions(&all, "lm_head"), 2);
    assert_exact(all.list[all.count - 2].matrix_flops, 2 * 2.0 * 1024 * 512);
    assert_exact(all.list[all.count - 1].matrix_flops, 2 * 2.0 * 512 * 50257);
}

static void output_gates_widen_q_and_read_a_row(void **state) {
    (void)state;
    example e;
    example_qwen3(&e);
    roof_plan plan = plan_of(&e, 4, 256);
    operations plain, gated;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &plain);
    e.layers[0].attention.output_gate = true;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &gated);
    assert_exact(named(&gated, "qkv")->matrix_flops - named(&plain, "qkv")->matrix_flops, 2 * 4.0 * 2560 * 4096);
    assert_exact(named(&gated, "attention")->bytes[ROOF_DRAM] - named(&plain, "attention")->bytes[ROOF_DRAM],
                 4 * 4096 * 2.0);
    plan.eager = true;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &gated);
    assert_exact(named(&gated, "gate")->bytes[ROOF_DRAM], 3 * 4 * 4096 * 2.0);
    assert_exact(named(&gated, "qk_norms")->bytes[ROOF_DRAM], 2 * 4 * (4096 + 1024) * 2.0 + 2 * 128 * 2);
}

static void chunks_and_unusual_windows_have_names(void **state) {
    (void)state;
    static const struct {
        roof_attention_kind kind;
        double window;
        const char *name;
    } rows[] = {
        {ROOF_ATTENTION_SLIDING, 4096, "attention w4096"},  {ROOF_ATTENTION_CHUNKED, 8192, "attention c8192"},
        {ROOF_ATTENTION_SLIDING, 4095, "attention window"}, {ROOF_ATTENTION_CHUNKED, 5000, "attention chunk"},
        {ROOF_ATTENTION_FULL, 4096, "attention"},
    };
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 10000);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        e.layers[0].attention.kind = rows[i].kind;
        e.layers[0].attention.window = rows[i].window;
        operations all;
        operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
        assert_non_null(named(&all, rows[i].name));
    }
}

/* Layers of pruned models may have lost their attention or their MLP. */
static void layers_may_lack_a_branch(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    e.layers[0].norms = 1;
    e.layers[0].mlp.kind = ROOF_MLP_NONE;
    roof_plan plan = plan_of(&e, 1, 128);
    plan.tensor = 2;
    names_in_order(&e, &plan, ROOF_PHASE_DECODE,
                   (const char *const[]){"embedding", "all-reduce", "norms", "qkv", "attention", "o", "all-reduce",
                                         "norms", "lm_head", NULL});
    assert_exact(roof_model_parameters(&e.model, &plan).mlp, 0);
    e.layers[0].mlp.kind = ROOF_MLP_DENSE;
    e.layers[0].attention.kind = ROOF_ATTENTION_NONE;
    names_in_order(&e, &plan, ROOF_PHASE_DECODE,
                   (const char *const[]){"embedding", "all-reduce", "norms", "gate_up", "swiglu", "down", "all-reduce",
                                         "norms", "lm_head", NULL});
    assert_exact(roof_model_parameters(&e.model, &plan).attention, 0);
    assert_exact(roof_model_kv_bytes_per_token(&e.model, &plan), 0);
    assert_true(roof_kv_sequences(&e.model, &plan, 1, 100) > 1e300); /* no cache: no end */
    roof_machine machine = example_h100();
    double most = roof_model_memory(&machine, &e.model, &plan).batch_max; /* activations alone bound it */
    plan.batch = most + 1;
    assert_true(most > 1e5);
    assert_false(roof_model_memory(&machine, &e.model, &plan).fits);
}

/* DeepSeek-V2-Lite has no query rank; Arctic a dense MLP beside its experts. */
static void rarer_blocks_are_walked(void **state) {
    (void)state;
    example e;
    example_deepseek(&e);
    for (int i = 0; i < 2; i++) {
        e.layers[i].attention.q_rank = 0;
        e.layers[i].attention.qkv_bias = true;
    }
    e.layers[1].mlp.dense_width = 1024;
    roof_plan plan = plan_of(&e, 2, 64);
    plan.experts_touched = 256;
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "q")->matrix_flops, 2 * 2.0 * 7168 * 128 * 192);
    assert_exact(executions(&all, "gate_up"), 61);
    double table = e.model.vocab * e.model.hidden * 2;
    assert_exact(TOTAL(&all, weight_bytes), roof_model_parameters(&e.model, &plan).bytes - table);
    plan.eager = true;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "experts_combine")->bytes[ROOF_DRAM], 2 * 7168 * 2.0 * (8 + 1 + 1 + 1));
    e.layers[1].parallel = true;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(executions(&all, "residual"), 61 * 2); /* both branches are still added */
}

static void every_norm_reads_what_it_stores(void **state) {
    (void)state;
    static const double vectors[][2] = {
        {ROOF_NORM_RMS, 1}, {ROOF_NORM_LAYER, 2}, {ROOF_NORM_LAYER_NO_WEIGHT, 0}, {ROOF_NORM_LAYER_NO_BIAS, 1}};
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 64);
    for (size_t i = 0; i < 4; i++) {
        e.model.norm = (roof_norm_kind)vectors[i][0];
        assert_exact(roof_model_parameters(&e.model, &plan).norms, 65 * 4096 * vectors[i][1]);
        operations all;
        operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
        double table = e.model.vocab * e.model.hidden * 2;
        assert_exact(TOTAL(&all, weight_bytes), roof_model_parameters(&e.model, &plan).bytes - table);
    }
}

static void phases_and_layers_have_names_and_numbers(void **state) {
    (void)state;
    example e;
    example_deepseek(&e);
    assert_exact(roof_model_layers(&e.model), 61);
    assert_string_equal(roof_phase_name(ROOF_PHASE_PREFILL), "prefill");
    assert_string_equal(roof_phase_name(ROOF_PHASE_DECODE), "decode");
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
    assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &sum, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
    assert_non_null(strstr(error.what, "batch"));
    plan = plan_of(&e, 1, 1024);
    double *const sizes[] = {&plan.batch, &plan.prompt, &plan.context, &plan.tensor};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double kept = *sizes[i];
        *sizes[i] = 0;
        assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &sum, &error), -1);
        *sizes[i] = kept;
    }
    plan.draft = -1;
    assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &sum, &error), -1);
    plan.draft = 0;
    roof_point point;
    e.model.vocab = 0;
    assert_int_equal(roof_model_point(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &point, &error), -1);
    e.model.vocab = 128256;
    plan.activations = ROOF_DTYPE_NONE;
    assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &sum, &error), -1);
    plan = plan_of(&e, 1, 1024);
    plan.tensor = 2;
    machine.link = (roof_figure){0};
    assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &sum, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
}

static void unknown_weights_make_the_total_at_least(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    e.layers[0].format[ROOF_ROLE_DOWN] = (roof_format){.name = "mystery", .unknown = true};
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 1024);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_true(named(&all, "down")->at_least);
    assert_false(named(&all, "o")->at_least);
    assert_true(judged_sum(&machine, &e, &plan, ROOF_PHASE_DECODE).at_least);
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
        cmocka_unit_test(narrow_embeddings_are_projected),
        cmocka_unit_test(output_gates_widen_q_and_read_a_row),
        cmocka_unit_test(chunks_and_unusual_windows_have_names),
        cmocka_unit_test(layers_may_lack_a_branch),
        cmocka_unit_test(rarer_blocks_are_walked),
        cmocka_unit_test(every_norm_reads_what_it_stores),
        cmocka_unit_test(phases_and_layers_have_names_and_numbers),
        cmocka_unit_test(defaults_complete_a_plan),
        cmocka_unit_test(bad_plans_and_machines_are_refused),
        cmocka_unit_test(unknown_weights_make_the_total_at_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
