/* Every architecture against numbers nobody here made: parameter totals, a framework's FLOP counter, published caches.
 */
#include "test.h"

#include "architectures.h"
#include "model_test.h"

/* Where the totals come from: architectures.h. */
static void totals_are_exact(void **state) {
    (void)state;
    static architecture a;
    for (size_t i = 0; i < ARCHITECTURES; i++) {
        architectures[i].make(&a);
        roof_parameters p = roof_model_parameters(&a.model, NULL);
        if (p.total != architectures[i].total)
            fail_msg("%s: %.0f parameters, not %.0f", architectures[i].name, p.total, architectures[i].total);
        assert_exact(p.embedding + p.head + p.attention + p.state + p.mlp + p.norms + p.encoder, p.total);
        assert_true(p.active > 0 && p.active <= p.total);
    }
}

/* Model cards: Nemotron 3 Nano 31.6 B with 3.6 B active, GLM-5 744 B with 40 B, Kimi Linear 48 B with 3 B (the head and
 * the table left out), MiniMax-M1 456 B with 45.9 B, Qwen3-Next 80 B with 3 B, Jamba 52 B with 12 B. */
static void active_counts_are_near_the_cards(void **state) {
    (void)state;
    static const struct {
        void (*make)(architecture *);
        double active;
        bool tables; /* the card counts embedding and head */
    } cards[] = {{make_nemotron_3_nano, 3.6e9, true}, {make_glm_5, 40e9, false},     {make_kimi_linear, 3e9, false},
                 {make_minimax_m1, 45.9e9, false},    {make_qwen3_next, 3e9, false}, {make_jamba, 12e9, true}};
    static architecture a;
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        cards[i].make(&a);
        roof_parameters p = roof_model_parameters(&a.model, NULL);
        assert_near(p.active - (cards[i].tables ? 0 : p.embedding + p.head), cards[i].active, 0.12);
    }
}

/* --------------------------------------------------------------- FLOP counter -- */

static double gemm_flops(const roof_model *model, const roof_plan *plan, roof_phase phase) {
    static roof_operation list[OPERATIONS_MAX];
    size_t count = roof_model_operations(model, plan, phase, list, OPERATIONS_MAX);
    double flops = 0;
    assert_true(count <= OPERATIONS_MAX);
    for (size_t i = 0; i < count; i++)
        if (list[i].kind == ROOF_KIND_GEMM || list[i].kind == ROOF_KIND_GROUPED_GEMM)
            flops += list[i].count * list[i].matrix_flops;
    return flops;
}

static roof_plan counted_plan(const roof_model *model, double batch, double tokens) {
    roof_plan plan = {.batch = batch, .prompt = tokens, .context = tokens, .all_logits = true};
    roof_plan_complete(model, &plan);
    return plan;
}

/* Small models of PyTorch's FlopCounterMode (torch 2.15, transformers 5.24, eager attention and experts): the sum of
 * aten.mm and aten.addmm, every position's logits included. */
static void small_llama(architecture *a) {
    *a = (architecture){.model = {.hidden = 512, .vocab = 1000, .extra_norms = 1}};
    a->layers[0] = (roof_layer){.count = 4, .norms = 2, .attention = gqa(8, 2, 64), .mlp = gated_mlp(1536)};
    finish_model(a, 1);
}
static void small_mixtral(architecture *a) {
    small_llama(a);
    a->layers[0].mlp = experts_mlp(8, 2, 768, 0);
}
static void small_qwen_moe(architecture *a) {
    small_llama(a);
    a->layers[0].attention = gqa(8, 8, 64);
    a->layers[0].mlp = experts_mlp(16, 4, 256, 640);
    a->layers[0].mlp.shared_gate = true;
}
static void small_deepseek(architecture *a) {
    small_llama(a);
    a->layers[0].count = 1;
    a->layers[0].attention = (roof_attention_block){.kind = ROOF_ATTENTION_LATENT,
                                                    .heads = 8,
                                                    .kv_heads = 8,
                                                    .value_width = 64,
                                                    .q_rank = 192,
                                                    .kv_rank = 64,
                                                    .nope_width = 64,
                                                    .rope_width = 32};
    a->layers[0].mlp = gated_mlp(768);
    a->layers[1] = a->layers[0];
    a->layers[1].count = 3;
    a->layers[1].mlp = experts_mlp(16, 4, 256, 256);
    finish_model(a, 2);
}
static void small_lfm2(architecture *a) {
    small_llama(a);
    a->model.tied = true;
    a->layers[0] = (roof_layer){.count = 3,
                                .norms = 2,
                                .mlp = gated_mlp(768),
                                .state = {.kind = ROOF_STATE_SHORT_CONV, .heads = 512, .value_width = 1, .conv = 3}};
    a->layers[1] = (roof_layer){.count = 1, .norms = 2, .attention = gqa(8, 2, 64), .mlp = gated_mlp(768)};
    finish_model(a, 2);
}
static void small_qwen_next(architecture *a) {
    roof_mlp_block mlp = experts_mlp(16, 4, 128, 128);
    mlp.shared_gate = true;
    roof_state_block delta = gated_delta(4, 8);
    delta.key_width = delta.value_width = delta.norm = 64;
    roof_attention_block attention = gqa(8, 2, 64);
    attention.output_gate = true;
    qwen_next_of(a, 512, 1000, 4, mlp, attention, delta);
}

static void matrix_flops_equal_a_framework_s_counter(void **state) {
    (void)state;
    static const struct {
        void (*make)(architecture *);
        double batch, tokens, flops;
    } rows[] = {
        {small_llama, 2, 64, 3218079744},
        {small_mixtral, 2, 64, 3222274048},
        {small_qwen_moe, 2, 64, 805306368.0 + 3025666048},
        {small_deepseek, 2, 64, 2586836992},
        {small_lfm2, 2, 64, 2312110080},
        {small_qwen_next, 1, 64, 1096548352},
        {make_mamba_130m, 1, 32, 8209170432},
    };
    static architecture a;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rows[i].make(&a);
        roof_plan plan = counted_plan(&a.model, rows[i].batch, rows[i].tokens);
        double flops = gemm_flops(&a.model, &plan, ROOF_PHASE_PREFILL);
        if (flops != rows[i].flops)
            fail_msg("row %zu: %.0f FLOPs, not %.0f", i, flops, rows[i].flops);
    }
}

/* BERT-large on 2 x 512 tokens; T5-small 2 x 512 to 2 x 4; Whisper-tiny on 30 s to 4 tokens, convolutions included. */
static void encoders_equal_the_counter(void **state) {
    (void)state;
    static architecture a;
    make_bert_large(&a);
    roof_plan plan = counted_plan(&a.model, 2, 512);
    assert_exact(gemm_flops(&a.model, &plan, ROOF_PHASE_ENCODE), 618479484928);
    make_t5_small(&a);
    plan = (roof_plan){.batch = 2, .source = 512, .prompt = 4, .all_logits = true};
    roof_plan_complete(&a.model, &plan);
    assert_exact(gemm_flops(&a.model, &plan, ROOF_PHASE_ENCODE) + gemm_flops(&a.model, &plan, ROOF_PHASE_PREFILL),
                 45712670720);
    make_whisper_tiny(&a);
    plan = (roof_plan){.prompt = 4, .all_logits = true};
    roof_plan_complete(&a.model, &plan);
    assert_exact(plan.source, 1500);
    assert_exact(gemm_flops(&a.model, &plan, ROOF_PHASE_ENCODE) + gemm_flops(&a.model, &plan, ROOF_PHASE_PREFILL),
                 1880064000.0 + 21295005696 + 3702991872);
}

/* --------------------------------------------------------------------- caches -- */

static roof_plan default_plan(const roof_model *model) {
    roof_plan plan = {0};
    roof_plan_complete(model, &plan);
    return plan;
}

/* Jamba, arXiv:2403.19887, table 1: 4 GB of KV cache at 256K tokens in 16 bits. Kimi Linear, arXiv:2510.26692: 3 KDA to
 * 1 MLA layer, so a quarter (7 of 27) of the latent rows. */
static void only_attention_layers_grow(void **state) {
    (void)state;
    static architecture a;
    make_jamba(&a);
    roof_plan plan = default_plan(&a.model);
    assert_exact(roof_model_kv_bytes_per_token(&a.model, &plan), 4 * 2 * 1024 * 2);
    assert_exact(roof_model_kv_bytes(&a.model, &plan, 262144) - roof_model_state_bytes(&a.model, &plan), 4294967296);
    make_kimi_linear(&a);
    plan = default_plan(&a.model);
    assert_exact(roof_model_kv_bytes_per_token(&a.model, &plan), 7 * 576 * 2);
    make_mamba_2b8(&a);
    plan = default_plan(&a.model);
    assert_exact(roof_model_kv_bytes_per_token(&a.model, &plan), 0);
    assert_exact(roof_model_kv_bytes(&a.model, &plan, 1), roof_model_kv_bytes(&a.model, &plan, 1e6));
}

/* By the shapes the modelling code allocates: f32 recurrent state, 16-bit inputs of the convolution before the last. */
static void states_are_fixed(void **state) {
    (void)state;
    static const struct {
        void (*make)(architecture *);
        double bytes;
    } rows[] = {
        {make_mamba_130m, 24 * (1536 * 16 * 4 + 1536 * 3 * 2.0)},
        {make_mamba2, 64 * (80 * 64 * 128 * 4 + (5120 + 2 * 128) * 3 * 2.0)},
        {make_qwen3_next, 36 * (32 * 128 * 128 * 4 + (2 * 2048 + 4096) * 3 * 2.0)},
        {make_kimi_linear, 20 * (32 * 128 * 128 * 4 + 3 * 4096 * 3 * 2.0)},
        {make_minimax_m1, 70 * (64 * 128 * 128 * 4.0)},
        {make_rwkv7, 24 * (32 * 64 * 64 * 4 + 2 * 2048 * 2.0)}, /* one token before the time mix, one before the MLP */
        {make_lfm2, 10 * (2048 * 2 * 2.0)},
        {make_falcon_h1, 44 * (24 * 128 * 256 * 4 + (3072 + 2 * 256) * 3 * 2.0)},
    };
    static architecture a;
    roof_machine h100 = example_h100();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rows[i].make(&a);
        roof_plan plan = default_plan(&a.model);
        assert_exact(roof_model_state_bytes(&a.model, &plan), rows[i].bytes);
        plan.batch = 7;
        roof_memory memory = roof_model_memory(&h100, &a.model, &plan);
        assert_exact(memory.state, 7 * rows[i].bytes);
        assert_near(memory.kv_cache, 7 * roof_model_kv_bytes(&a.model, &plan, plan.prompt + plan.generate), 1e-12);
        assert_near(memory.total, memory.weights + memory.kv_cache + memory.activations, 1e-12);
    }
}

static const roof_operation *find(const roof_model *model, const roof_plan *plan, roof_phase phase, const char *name) {
    static roof_operation list[OPERATIONS_MAX];
    size_t count = roof_model_operations(model, plan, phase, list, OPERATIONS_MAX);
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

static void a_decode_step_reads_and_writes_the_state(void **state) {
    (void)state;
    static architecture a;
    make_qwen3_next(&a);
    roof_plan plan = default_plan(&a.model);
    plan.batch = 5;
    double kept = 5 * (32 * 128 * 128 * 4 + 8192 * 3 * 2.0);
    const roof_operation *step = find(&a.model, &plan, ROOF_PHASE_DECODE, "state");
    assert_exact(step->cache_bytes, 2 * kept);
    double once = step->matrix_flops;
    assert_exact(once, 5 * 32 * 6.0 * 128 * 128);
    const roof_operation *prefill = find(&a.model, &plan, ROOF_PHASE_PREFILL, "state");
    assert_exact(prefill->cache_bytes, kept);                /* starts from nothing, written once */
    assert_exact(prefill->matrix_flops, plan.prompt * once); /* the least: the recurrent count */
    plan.eager = true;
    prefill = find(&a.model, &plan, ROOF_PHASE_PREFILL, "state");
    assert_true(prefill->matrix_flops > plan.prompt * once); /* the chunked algorithm does more */
    a.layers[0].state.dtype = ROOF_BF16;
    plan.eager = false;
    step = find(&a.model, &plan, ROOF_PHASE_DECODE, "state");
    assert_exact(step->cache_bytes, 2 * (kept - 5 * 32 * 128 * 128 * 2.0));
}

/* Yang et al., arXiv:2412.06464, the chunk-wise form: with chunks as long as a token nothing is added to the
 * recurrence. */
static void chunks_add_the_pairs_inside_them(void **state) {
    (void)state;
    roof_recurrence_shape shape = {.batch = 2,
                                   .tokens = 256,
                                   .heads = 4,
                                   .key_width = 64,
                                   .value_width = 32,
                                   .decay = 1,
                                   .in = ROOF_BF16,
                                   .state = ROOF_F32};
    roof_operation recurrent, chunked;
    roof_recurrence(&shape, &recurrent);
    assert_exact(recurrent.matrix_flops, 2 * 4 * 256 * 4.0 * 64 * 32);
    shape.chunk = 64;
    roof_recurrence(&shape, &chunked);
    double pairs = 4 * 64 * 65 / 2;
    assert_exact(chunked.matrix_flops, recurrent.matrix_flops + 2 * 4 * pairs * 2 * (64 + 32));
    assert_exact(chunked.cache_bytes, recurrent.cache_bytes * (1 + 2 * 3)); /* three states between four chunks */
}

/* ------------------------------------------------------------- sparse attention -- */

/* DeepSeek-V3.2-Exp report: 656-byte rows aside, the index key is 128 fp8 values and one f32 scale. */
static void an_indexer_caches_its_keys(void **state) {
    (void)state;
    static architecture a;
    make_deepseek_v3_2(&a);
    roof_plan plan = default_plan(&a.model);
    assert_exact(roof_model_kv_bytes_per_token(&a.model, &plan), 61 * (576 * 2 + 132));
    plan.context = 100000;
    const roof_operation *attention = find(&a.model, &plan, ROOF_PHASE_DECODE, "attention");
    assert_exact(attention->matrix_flops, 2 * 128 * 2048.0 * (576 + 512)); /* only the chosen keys */
    const roof_operation *index = find(&a.model, &plan, ROOF_PHASE_DECODE, "index");
    assert_exact(index->matrix_flops, 2 * 64 * 128 * 100000.0);
    assert_exact(index->cache_bytes, 100000 * 132.0);
    static const struct {
        roof_dtype layers, scores;
    } math[] = {{ROOF_BF16, ROOF_BF16}, {ROOF_FP8, ROOF_FP8}, {ROOF_INT8, ROOF_BF16}};
    for (size_t i = 0; i < sizeof math / sizeof math[0]; i++) {
        plan.weights = roof_format_plain(math[i].layers);
        assert_int_equal(find(&a.model, &plan, ROOF_PHASE_DECODE, "index")->matrix_dtype, math[i].scores);
    }
    plan.context = 2048; /* all keys are kept: nothing to choose */
    assert_null(find(&a.model, &plan, ROOF_PHASE_DECODE, "index"));
    assert_non_null(find(&a.model, &plan, ROOF_PHASE_DECODE, "index_k"));
}

static double brute_pairs(double q_len, double kv_len, double each, double most) {
    double sum = 0;
    for (double p = kv_len - q_len; p < kv_len; p++) {
        double seen = floor((p + 1) / each);
        sum += most > 0 && seen > most ? most : seen;
    }
    return sum;
}

static void summaries_are_seen_exactly(void **state) {
    (void)state;
    static architecture a;
    make_deepseek_v4(&a);
    roof_plan plan = default_plan(&a.model);
    static const double prompts[] = {1, 3, 4, 5, 127, 128, 129, 1000, 2047, 2048, 4097};
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++) {
        plan.prompt = prompts[i];
        roof_operation list[OPERATIONS_MAX];
        size_t count = roof_model_operations(&a.model, &plan, ROOF_PHASE_PREFILL, list, OPERATIONS_MAX), kind = 0;
        for (size_t j = 0; j < count; j++) {
            if (strcmp(list[j].name, "attention") != 0)
                continue;
            double each = kind < 2 ? 128 : 4, most = kind < 2 ? 0 : 512;
            double pairs = roof_attention_pairs(prompts[i], prompts[i], true, 128, 0);
            pairs += brute_pairs(prompts[i], prompts[i], each, most);
            assert_exact(list[j].matrix_flops, 4 * 64 * 512 * pairs);
            kind++;
        }
        assert_int_equal(kind, 3);
    }
    /* 43 rows a token, and a summary for every 4 (with its index key) or 128 */
    assert_near(roof_model_kv_bytes_per_token(&a.model, &plan), 43 * 1024 + 20 * (1024 + 132) / 4.0 + 23 * 8, 1e-12);
}

/* ------------------------------------------------------------------ shared keys -- */

static void shared_keys_have_no_weights_and_no_cache(void **state) {
    (void)state;
    static architecture a;
    small_llama(&a);
    a.layers[1] = a.layers[0];
    a.layers[1].attention.shared_kv = true;
    finish_model(&a, 2);
    roof_plan plan = default_plan(&a.model);
    roof_parameters p = roof_model_parameters(&a.model, NULL);
    assert_exact(p.attention, 8.0 * 2 * 512 * 512 + 4.0 * 2 * 128 * 512);
    assert_exact(roof_model_kv_bytes_per_token(&a.model, &plan), 4 * 2 * 128 * 2);
    a.model.layer_count = 1;
    a.layers[0] = a.layers[1];
    const roof_operation *attention = find(&a.model, &plan, ROOF_PHASE_DECODE, "attention");
    assert_exact(attention->cache_bytes, plan.context * 2 * 128 * 2); /* read, but nothing is added */
    a.layers[0].attention.shared_kv = false;
    a.layers[0].attention.tied_kv = true;
    assert_exact(roof_model_parameters(&a.model, NULL).attention, 4.0 * (2 * 512 * 512 + 128 * 512));
    assert_exact(roof_model_kv_bytes_per_token(&a.model, &plan), 4 * 2 * 128 * 2); /* both are cached all the same */
}

static void latent_experts_are_narrow(void **state) {
    (void)state;
    static architecture a;
    small_mixtral(&a);
    double before = roof_model_parameters(&a.model, NULL).mlp;
    a.layers[0].mlp.latent_width = 128;
    double after = roof_model_parameters(&a.model, NULL).mlp;
    assert_exact(before - after, 4 * (8 * 3.0 * 768 * (512 - 128) - 2 * 512 * 128));
    roof_plan plan = default_plan(&a.model);
    assert_exact(find(&a.model, &plan, ROOF_PHASE_PREFILL, "experts_up")->matrix_flops, 1024 * 2 * 2 * 2.0 * 768 * 128);
    assert_exact(find(&a.model, &plan, ROOF_PHASE_PREFILL, "latent_down")->matrix_flops, 1024 * 2.0 * 512 * 128);
}

/* ------------------------------------------------------------------------ phases -- */

static void encoders_have_their_phases(void **state) {
    (void)state;
    static architecture a;
    roof_machine h100 = example_h100();
    roof_point point;
    roof_error error;
    make_bert_large(&a);
    roof_plan plan = default_plan(&a.model);
    assert_true(roof_model_has_phase(&a.model, ROOF_PHASE_ENCODE));
    assert_false(roof_model_has_phase(&a.model, ROOF_PHASE_PREFILL) ||
                 roof_model_has_phase(&a.model, ROOF_PHASE_DECODE));
    assert_int_equal(roof_model_point(&h100, &a.model, &plan, ROOF_PHASE_DECODE, &point, &error), -1);
    assert_string_equal(error.what, "the model is an encoder: it has no decode");
    assert_int_equal(roof_model_operations(&a.model, &plan, ROOF_PHASE_DECODE, NULL, 0), 0);
    assert_int_equal(roof_model_point(&h100, &a.model, &plan, ROOF_PHASE_ENCODE, &point, &error), 0);
    assert_exact(point.sum.cache_bytes, 0);
    assert_exact(point.memory.kv_cache, 0);
    make_whisper_tiny(&a);
    plan = default_plan(&a.model);
    assert_true(roof_model_has_phase(&a.model, ROOF_PHASE_ENCODE) && roof_model_has_phase(&a.model, ROOF_PHASE_DECODE));
    assert_false(roof_model_has_phase(&a.model, ROOF_PHASE_VISION));
    assert_int_equal(roof_model_point(&h100, &a.model, &plan, ROOF_PHASE_VISION, &point, &error), -1);
    assert_string_equal(error.what, "the model has no vision tower that can be judged");
    assert_exact(roof_model_kv_bytes(&a.model, &plan, 100), 4 * 2 * 384 * 2.0 * (100 + 1500));
    assert_exact(roof_model_kv_bytes_per_token(&a.model, &plan), 4 * 2 * 384 * 2);
    assert_null(find(&a.model, &plan, ROOF_PHASE_DECODE, "cross_kv")); /* made once, in the prefill */
    assert_non_null(find(&a.model, &plan, ROOF_PHASE_PREFILL, "cross_kv"));
    assert_exact(find(&a.model, &plan, ROOF_PHASE_DECODE, "cross_attention")->cache_bytes, 1500 * 2 * 384 * 2);
    small_llama(&a);
    assert_false(roof_model_has_phase(&a.model, ROOF_PHASE_ENCODE));
}

/* openai/clip-vit-large-patch14-336, as LLaVA-1.5 uses it: 24 layers of 1024 with a class token, 303,507,456 parameters
 * (transformers' CLIPVisionModel), before the projector; 576 patches and the class token. */
static void a_vision_tower_stands_beside_the_model(void **state) {
    (void)state;
    static architecture a;
    small_llama(&a);
    double before = roof_model_parameters(&a.model, NULL).total;
    a.vision = (roof_model){.hidden = 1024,
                            .positions = 577,
                            .vectors = 1024,
                            .norm = ROOF_NORM_LAYER,
                            .extra_norms = 2,
                            .bidirectional = true,
                            .headless = true,
                            .context_max = 577,
                            .layers = a.vision_layers,
                            .layer_count = 1,
                            .front = a.front,
                            .front_count = 1};
    a.front[0] = (roof_projection){.name = "patch_embedding", .outputs = 1024, .inputs = 3 * 14 * 14, .rate = 1};
    a.vision_layers[0] = (roof_layer){.count = 24,
                                      .norms = 2,
                                      .attention = gqa(16, 16, 64),
                                      .mlp = {.kind = ROOF_MLP_DENSE, .bias = true, .width = 4096}};
    a.vision_layers[0].attention.qkv_bias = a.vision_layers[0].attention.output_bias = true;
    store_as(a.vision_layers, 1, ROOF_BF16);
    a.vision.embedding = roof_format_plain(ROOF_BF16);
    a.model.vision = &a.vision;
    roof_parameters p = roof_model_parameters(&a.model, NULL);
    assert_exact(p.total, before);
    assert_exact(p.vision, 303507456);
    assert_exact(p.vision_bytes, 2 * p.vision);
    roof_plan plan = default_plan(&a.model);
    assert_exact(plan.patches, 577);
    roof_machine h100 = example_h100();
    roof_point one, four;
    assert_int_equal(roof_model_point(&h100, &a.model, &plan, ROOF_PHASE_VISION, &one, NULL), 0);
    plan.images = 4;
    assert_int_equal(roof_model_point(&h100, &a.model, &plan, ROOF_PHASE_VISION, &four, NULL), 0);
    assert_near(four.sum.flops, 4 * one.sum.flops, 1e-12); /* images do not see each other */
    assert_near(one.memory.weights, p.bytes + p.vision_bytes, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_are_exact),
        cmocka_unit_test(active_counts_are_near_the_cards),
        cmocka_unit_test(matrix_flops_equal_a_framework_s_counter),
        cmocka_unit_test(encoders_equal_the_counter),
        cmocka_unit_test(only_attention_layers_grow),
        cmocka_unit_test(states_are_fixed),
        cmocka_unit_test(a_decode_step_reads_and_writes_the_state),
        cmocka_unit_test(chunks_add_the_pairs_inside_them),
        cmocka_unit_test(an_indexer_caches_its_keys),
        cmocka_unit_test(summaries_are_seen_exactly),
        cmocka_unit_test(shared_keys_have_no_weights_and_no_cache),
        cmocka_unit_test(latent_experts_are_narrow),
        cmocka_unit_test(encoders_have_their_phases),
        cmocka_unit_test(a_vision_tower_stands_beside_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
