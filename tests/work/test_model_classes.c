/* Mistakes that well-known calculators make, one test a class, named after it. */
#include "model_test.h"

static void llama_step(double batch, double tokens, roof_phase phase, operations *out) {
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, batch, tokens);
    operations_of(&e, &plan, phase, out);
}

/* 68.7 GB at batch 256 and 2,048 tokens: 8 KV heads are read, not 32. */
static void gqa_kv_bytes_with_fused_attention(void **state) {
    (void)state;
    operations all;
    llama_step(256, 2048, ROOF_PHASE_DECODE, &all);
    assert_exact(TOTAL(&all, cache_bytes), 256.0 * (2048 + 1) * 131072);
}

static void gqa_av_flops(void **state) {
    (void)state;
    operations all;
    llama_step(1, 2048, ROOF_PHASE_PREFILL, &all);
    double pairs = 2048.0 * 2049 / 2;
    assert_exact(named(&all, "attention")->matrix_flops, 4 * pairs * 32 * 128); /* scores and values, all 32 heads */
}

/* 0.042 GB a layer at 2,048 tokens: Q, K, V and an output of the width of Q; not one row of scores. */
static void score_matrix_output_under_flash_attention(void **state) {
    (void)state;
    operations all;
    llama_step(1, 2048, ROOF_PHASE_PREFILL, &all);
    double rows = 2 * 2048.0 * 4096 * 2, cache = 2 * 2048.0 * 1024 * 2;
    assert_exact(named(&all, "attention")->bytes[ROOF_DRAM], rows + 2 * cache); /* read once, written once */
    assert_exact(rows + cache, 41943040);
}

static void causal_halves_but_not_exactly(void **state) {
    (void)state;
    operations all;
    llama_step(1, 2048, ROOF_PHASE_PREFILL, &all);
    double full = 4.0 * 2048 * 2048 * 32 * 128;
    assert_exact(named(&all, "attention")->matrix_flops, full * 2049 / 4096);
}

/* Four new tokens on a cache of 100: they see 100, 101, 102 and 103 keys. */
static void cached_causal_with_more_keys_than_queries(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 100);
    plan.draft = 3;
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "attention")->matrix_flops, 4.0 * (100 + 101 + 102 + 103) * 32 * 128);
    assert_exact(named(&all, "lm_head")->matrix_flops, 4 * 2.0 * 4096 * 128256);
}

static void head_counts_twice_a_weight_times_batch_last_position_only(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 16, 512);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_PREFILL, &all);
    assert_exact(named(&all, "lm_head")->matrix_flops, 2 * 16.0 * 4096 * 128256);
    plan.all_logits = true;
    operations_of(&e, &plan, ROOF_PHASE_PREFILL, &all);
    assert_exact(named(&all, "lm_head")->matrix_flops, 2 * 16.0 * 512 * 4096 * 128256);
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "lm_head")->matrix_flops, 2 * 16.0 * 4096 * 128256);
}

static void embedding_is_not_a_gemm(void **state) {
    (void)state;
    operations all;
    llama_step(2, 512, ROOF_PHASE_PREFILL, &all);
    const roof_operation *embedding = named(&all, "embedding");
    assert_exact(embedding->matrix_flops, 0);
    assert_exact(embedding->bytes[ROOF_DRAM], 2 * 512 * 4096.0 * (2 + 2)); /* one row read and written a token */
}

static void a_tied_table_is_stored_once_and_read_as_head(void **state) {
    (void)state;
    example e;
    example_qwen3(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    double table = 151936.0 * 2560;
    roof_parameters tied = roof_model_parameters(&e.model, &plan);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "lm_head")->weight_bytes, 2 * table);
    assert_exact(tied.head, 0);
    e.model.tied = false;
    assert_exact(roof_model_parameters(&e.model, &plan).total - tied.total, table);
}

/* Mixtral: 2 experts at batch 1, 4.625 at 3, nearly all 8 at 32. One expert of one layer is 352,321,536 bytes. */
static void experts_read_grow_with_the_batch(void **state) {
    (void)state;
    static const double touched[][2] = {{1, 2}, {3, 4.625}, {8, 7.1990966796875}, {32, 7.999196380594235}};
    example e;
    example_mixtral(&e);
    for (size_t i = 0; i < 4; i++) {
        roof_plan plan = plan_of(&e, touched[i][0], 1024);
        operations all;
        operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
        double experts = named(&all, "experts_up")->weight_bytes + named(&all, "experts_down")->weight_bytes;
        assert_near(experts, touched[i][1] * 352321536, 1e-12);
        assert_exact(named(&all, "experts_up")->matrix_flops,
                     2 * touched[i][0] * 2 * 2 * 4096 * 14336); /* top 2 only */
        if (touched[i][0] == 3)
            assert_near(32 * experts, 52143587328.0, 1e-12);
    }
}

static void a_measured_number_of_experts_replaces_the_expectation(void **state) {
    (void)state;
    example e;
    example_deepseek(&e);
    roof_plan plan = plan_of(&e, 32, 1024);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    double expert = 2.0 * 7168 * 2048 * 2;
    const roof_operation *up = named(&all, "experts_up");
    assert_near(up->weight_bytes, 163.31384595038296 * expert, 1e-9);
    assert_true(up->least_bytes < up->bytes[ROOF_DRAM] && up->bytes[ROOF_DRAM] < up->most_bytes);
    plan.experts_touched = 170;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "experts_up")->weight_bytes, 170 * expert);
}

/* Fewer routed rows than experts still read weights and still cost time. */
static void fewer_routed_tokens_than_experts(void **state) {
    (void)state;
    example e;
    example_mixtral(&e);
    roof_machine machine = example_h100();
    double before = 0;
    for (double tokens = 1; tokens <= 4; tokens++) {
        roof_plan plan = plan_of(&e, 1, tokens);
        operations all;
        operations_of(&e, &plan, ROOF_PHASE_PREFILL, &all);
        assert_true(named(&all, "experts_up")->weight_bytes >= 2 * 2.0 * 4096 * 14336 * 2);
        roof_sum sum = judged_sum(&machine, &e, &plan, ROOF_PHASE_PREFILL);
        assert_true(sum.seconds > before);
        before = sum.seconds;
    }
}

static void shared_experts_run_for_every_token(void **state) {
    (void)state;
    example e;
    example_deepseek(&e);
    roof_plan plan = plan_of(&e, 64, 1024);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "shared_up")->matrix_flops, 2 * 64.0 * 2 * 2048 * 7168);
    assert_exact(named(&all, "shared_up")->weight_bytes, 2.0 * 2048 * 7168 * 2);
}

static void first_layers_may_be_dense(void **state) {
    (void)state;
    example e;
    example_deepseek(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(executions(&all, "gate_up"), 3);
    assert_exact(executions(&all, "experts_up"), 58);
    assert_exact(executions(&all, "attention"), 61);
    assert_exact(named(&all, "gate_up")->matrix_flops, 2 * 2.0 * 18432 * 7168);
}

/* Qwen3-4B: 32 heads of 128 over a hidden width of 2,560. */
static void explicit_head_width(void **state) {
    (void)state;
    example e;
    example_qwen3(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "qkv")->matrix_flops, 2 * 2560.0 * (4096 + 2 * 1024));
    assert_exact(named(&all, "o")->matrix_flops, 2 * 2560.0 * 4096);
    assert_exact(named(&all, "attention")->matrix_flops, 4 * 1024.0 * 32 * 128);
}

/* int4 weights leave the activations at 2 bytes and multiply in bf16. */
static void weight_only_quantisation_keeps_activations(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 32, 1024);
    plan.weights = roof_format_plain(ROOF_INT4);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    const roof_operation *down = named(&all, "down");
    assert_exact(down->bytes[ROOF_DRAM], 14336.0 * 4096 / 2 + 32 * 2 * (14336 + 4096));
    assert_int_equal(down->matrix_dtype, ROOF_BF16);
}

/* 1 GB is 1e9 bytes and 1 TB/s is 1e12: weights of 15.01 GB take 4.48 ms at 3.35 TB/s, not 4.17. */
static void decimal_units(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 1);
    roof_sum sum = judged_sum(&machine, &e, &plan, ROOF_PHASE_DECODE);
    assert_exact(sum.weight_bytes, 2 * (8030261248 - 128256.0 * 4096));
    assert_true(sum.seconds >= sum.weight_bytes / 3.35e12);
    assert_near(sum.seconds, 4.48e-3, 0.003);
}

static void sparse_roofs_are_asked_for(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 8, 2048);
    double dense = judged_sum(&machine, &e, &plan, ROOF_PHASE_PREFILL).seconds;
    plan.sparse = true;
    double sparse = judged_sum(&machine, &e, &plan, ROOF_PHASE_PREFILL).seconds;
    assert_true(sparse < dense / 1.5 && sparse > dense / 2);
    machine.sparse[ROOF_BF16] = (roof_figure){0};
    roof_sum sum;
    roof_error error;
    assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_PHASE_PREFILL, &sum, &error), -1);
}

/* FP8 weights on a machine without an FP8 roof are refused, and judged when they multiply in bf16. */
static void fp8_on_chips_without_it(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    machine.peak[ROOF_MATRIX][ROOF_FP8] = (roof_figure){0};
    roof_plan plan = plan_of(&e, 1, 1024);
    plan.weights = roof_format_plain(ROOF_FP8);
    roof_sum sum;
    roof_error error;
    assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &sum, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    assert_non_null(strstr(error.what, "fp8"));
    plan.math = ROOF_BF16;
    assert_int_equal(roof_model_judge(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &sum, &error), 0);
}

/* Llama-3.1-70B has 8 KV heads: 16 devices keep one each, as 8 do. */
static void kv_heads_replicate_beyond_their_number(void **state) {
    (void)state;
    example e;
    example_llama_70b(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    static const double kept[][2] = {{1, 8}, {2, 4}, {8, 1}, {16, 1}, {64, 1}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        plan.tensor = kept[i][0];
        assert_exact(roof_model_kv_bytes_per_token(&e.model, &plan), kept[i][1] * 2 * 80 * 128 * 2);
    }
    plan.tensor = 16;
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "qkv")->matrix_flops, 2 * 8192.0 * (4 + 2) * 128);
    assert_exact(named(&all, "attention")->cache_bytes, (1024 + 1) * 2 * 128 * 2.0);
}

static void the_cache_is_loaded_once(void **state) {
    (void)state;
    operations all;
    llama_step(64, 2048, ROOF_PHASE_DECODE, &all);
    double stored = 64.0 * 2048 * 131072, written = 64.0 * 131072;
    assert_exact(TOTAL(&all, cache_bytes), stored + written);
}

static void decode_flops_grow_with_the_cache(void **state) {
    (void)state;
    operations few, many;
    llama_step(1, 1000, ROOF_PHASE_DECODE, &few);
    llama_step(1, 3000, ROOF_PHASE_DECODE, &many);
    assert_exact(named(&many, "attention")->matrix_flops, 3 * named(&few, "attention")->matrix_flops);
    assert_exact(named(&few, "attention")->matrix_flops, 4 * 1000.0 * 32 * 128);
}

static void zero_and_one(void **state) {
    (void)state;
    example e;
    example_mixtral(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 1);
    plan.generate = 1;
    roof_sum prefill = judged_sum(&machine, &e, &plan, ROOF_PHASE_PREFILL),
             decode = judged_sum(&machine, &e, &plan, ROOF_PHASE_DECODE);
    assert_exact(prefill.seconds, decode.seconds); /* a prompt of one token is a decode step on an empty cache */
    assert_exact(prefill.bytes, decode.bytes);
    plan.batch = 0; /* nothing to do costs nothing but is still a list of operations */
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(TOTAL(&all, bytes[ROOF_DRAM]), 0);
    assert_exact(TOTAL(&all, matrix_flops) + TOTAL(&all, vector_flops), 0);
}

/* The sum over operations of the largest time, never the largest of the summed times. */
static void sum_of_maxima_not_maximum_of_sums(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 2048);
    roof_sum sum = judged_sum(&machine, &e, &plan, ROOF_PHASE_PREFILL);
    double compute = sum.matrix_flops / 989.4e12, memory = sum.bytes / 3.35e12;
    assert_true(sum.seconds > 1.05 * (compute > memory ? compute : memory));
    assert_true(sum.seconds < compute + memory);
    assert_near(sum.bound_seconds[ROOF_BOUND_COMPUTE] + sum.bound_seconds[ROOF_BOUND_MEMORY], sum.seconds, 1e-12);
}

/* ------------------------------------------------- what quantisation buys -- */

/* Weight bytes and matrix FLOPs alone, as in the back-of-the-envelope rule. */
static double bare_seconds(const roof_machine *machine, const roof_plan *plan, const example *e) {
    operations all;
    operations_of(e, plan, ROOF_PHASE_DECODE, &all);
    roof_operation down = *named(&all, "down");
    roof_verdict verdict;
    down.bytes[ROOF_DRAM] = down.weight_bytes;
    down.vector_flops = 0;
    assert_int_equal(roof_judge(machine, &down, &verdict, NULL), 0);
    return verdict.seconds;
}

/* 989 TFLOP/s over 3.35 TB/s: int4 weights with bf16 math pay 4x until batch 74 and nothing from 295 on. */
static void int4_weights_pay_until_the_ridge(void **state) {
    (void)state;
    static const double speedup[][2] = {{1, 4},  {8, 4}, {64, 4}, {128, 2.306436567164179}, {256, 1.1532182835820894},
                                        {512, 1}};
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    machine.peak[ROOF_MATRIX][ROOF_BF16] = example_figure(989e12);
    for (size_t i = 0; i < sizeof speedup / sizeof *speedup; i++) {
        roof_plan plan = plan_of(&e, speedup[i][0], 1024);
        double before = bare_seconds(&machine, &plan, &e);
        plan.weights = roof_format_plain(ROOF_INT4);
        assert_near(before / bare_seconds(&machine, &plan, &e), speedup[i][1], 1e-12);
    }
}

/* Batch 64, 8,192 tokens each: 15.01 GB of weights beside 68.72 GB of cache, so FP8 weights give at most 1.098x. */
static void fp8_weights_beside_a_long_cache(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 64, 8192);
    roof_sum before = judged_sum(&machine, &e, &plan, ROOF_PHASE_DECODE);
    assert_near(before.weight_bytes, 15.01e9, 1e-3);
    assert_near(before.cache_bytes, 68.72e9, 1e-3);
    plan.weights = roof_format_plain(ROOF_FP8);
    plan.weights_head = true;
    roof_sum after = judged_sum(&machine, &e, &plan, ROOF_PHASE_DECODE);
    assert_near((before.weight_bytes + before.cache_bytes) / (after.weight_bytes + after.cache_bytes),
                1.0984582959442215, 1e-4);
    assert_true(before.seconds / after.seconds <= 1.0985 && before.seconds / after.seconds > 1.09);
}

/* What helps flips with the batch: the example chart at 1,152 tokens. Its FP8 weights multiply in bf16; FP8 math too
 * would give 1.16 at batch 256, where the bf16 products stand near their ridge. */
static void the_best_idea_flips_with_the_batch(void **state) {
    (void)state;
    static const struct { double batch, cache, weights; } rows[] = {{1, 1.005, 1.98}, {256, 1.53, 1.06}};
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    for (size_t i = 0; i < 2; i++) {
        roof_plan plan = plan_of(&e, rows[i].batch, 1152);
        double base = judged_sum(&machine, &e, &plan, ROOF_PHASE_DECODE).seconds;
        plan.kv_cache = ROOF_FP8;
        assert_near(base / judged_sum(&machine, &e, &plan, ROOF_PHASE_DECODE).seconds, rows[i].cache, 0.01);
        plan.kv_cache = ROOF_BF16;
        plan.weights = roof_format_plain(ROOF_FP8);
        plan.weights_head = true;
        plan.math = ROOF_BF16;
        assert_near(base / judged_sum(&machine, &e, &plan, ROOF_PHASE_DECODE).seconds, rows[i].weights, 0.02);
    }
}

/* ------------------------------------------------------- latent attention -- */

/* DeepSeek-V3: queries and keys are 192 wide, values 128; 85,899,345,920 FLOPs a layer for 1,024 unmasked tokens. */
static void latent_widths_differ(void **state) {
    (void)state;
    example e;
    example_deepseek(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_PREFILL, &all);
    assert_exact(named(&all, "attention")->matrix_flops, 85899345920.0 * 1025 / 2048);
    assert_exact(named(&all, "kv_up")->matrix_flops, 2 * 1024.0 * 128 * (128 + 128) * 512);
    assert_exact(TOTAL(&all, cache_bytes), 1024 * 70272.0); /* the latent rows, written; K and V are never cached */
}

/* Decode reads one latent row a token for all heads: B L 576 elements; FLOPs 2 B L H (576 + 512). */
static void latent_decode_is_absorbed(void **state) {
    (void)state;
    example e;
    example_deepseek(&e);
    roof_plan plan = plan_of(&e, 4, 1024);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "attention")->matrix_flops, 2 * 4 * 1024.0 * 128 * (576 + 512));
    assert_exact(TOTAL(&all, cache_bytes), 4 * (1024 + 1) * 70272.0);
    assert_exact(named(&all, "q_absorb")->matrix_flops, 2 * 4.0 * 128 * 128 * 512);
    assert_exact(named(&all, "q_absorb")->weight_bytes + named(&all, "v_absorb")->weight_bytes, 2 * 512.0 * 128 * 256);
    plan.tensor = 8;
    operations_of(&e, &plan, ROOF_PHASE_DECODE, &all);
    assert_exact(named(&all, "attention")->matrix_flops, 2 * 4 * 1024.0 * 16 * (576 + 512));
    assert_exact(TOTAL(&all, cache_bytes), 4 * (1024 + 1) * 70272.0); /* every device reads and keeps all of it */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gqa_kv_bytes_with_fused_attention),
        cmocka_unit_test(gqa_av_flops),
        cmocka_unit_test(score_matrix_output_under_flash_attention),
        cmocka_unit_test(causal_halves_but_not_exactly),
        cmocka_unit_test(cached_causal_with_more_keys_than_queries),
        cmocka_unit_test(head_counts_twice_a_weight_times_batch_last_position_only),
        cmocka_unit_test(embedding_is_not_a_gemm),
        cmocka_unit_test(a_tied_table_is_stored_once_and_read_as_head),
        cmocka_unit_test(experts_read_grow_with_the_batch),
        cmocka_unit_test(a_measured_number_of_experts_replaces_the_expectation),
        cmocka_unit_test(fewer_routed_tokens_than_experts),
        cmocka_unit_test(shared_experts_run_for_every_token),
        cmocka_unit_test(first_layers_may_be_dense),
        cmocka_unit_test(explicit_head_width),
        cmocka_unit_test(weight_only_quantisation_keeps_activations),
        cmocka_unit_test(decimal_units),
        cmocka_unit_test(sparse_roofs_are_asked_for),
        cmocka_unit_test(fp8_on_chips_without_it),
        cmocka_unit_test(kv_heads_replicate_beyond_their_number),
        cmocka_unit_test(the_cache_is_loaded_once),
        cmocka_unit_test(decode_flops_grow_with_the_cache),
        cmocka_unit_test(zero_and_one),
        cmocka_unit_test(sum_of_maxima_not_maximum_of_sums),
        cmocka_unit_test(int4_weights_pay_until_the_ridge),
        cmocka_unit_test(fp8_weights_beside_a_long_cache),
        cmocka_unit_test(the_best_idea_flips_with_the_batch),
        cmocka_unit_test(latent_widths_differ),
        cmocka_unit_test(latent_decode_is_absorbed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
