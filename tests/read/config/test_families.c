/* Families with states, encoders, towers and layers of several shapes: what each makes of its keys. Totals named
 * "transformers" are those of the class of that name made from the same config (docs/oracle.md); the named models
 * hold most families (test_named.c), so here stands what a total does not show. */
#include "read/config/configs.h"
#include "roofline_read.h"

/* JSON as macro arguments, tables */
/* clang-format off */

static const roof_layer *layer_at(const roof_model *model, size_t index) {
    return &model->layers[model->order ? model->order[index] : 0];
}

static roof_model_file *named(const char *id) {
    roof_error error = {0};
    const roof_named_model *found = roof_named_model_find(id, &error);
    if (!found)
        fail_msg("%s", error.what);
    return read_text(found->config);
}

/* M*-E: state, attention, MLP or experts, one a layer. */
static void nemotron_letters(void **state) {
    (void)state;
    roof_model_file *file = named("nemotron-3-nano-30b-a3b");
    const roof_model *model = roof_model_file_model(file);
    const roof_layer *mamba = layer_at(model, 0), *experts = layer_at(model, 1), *attention = layer_at(model, 5);
    assert_int_equal(model->layer_count, 3);
    assert_int_equal(mamba->state.kind, ROOF_STATE_MAMBA2);
    assert_int_equal(mamba->attention.kind, ROOF_ATTENTION_NONE);
    assert_int_equal(mamba->mlp.kind, ROOF_MLP_NONE);
    assert_exact(mamba->norms, 1);
    assert_exact(mamba->count, 23);
    assert_int_equal(experts->mlp.kind, ROOF_MLP_MOE);
    assert_false(experts->mlp.gated);
    assert_true(experts->mlp.router_bias);
    assert_exact(experts->mlp.shared_width, 3712);
    assert_int_equal(experts->state.kind, ROOF_STATE_NONE);
    assert_int_equal(attention->attention.kind, ROOF_ATTENTION_FULL);
    assert_true(attention->attention.no_rope);
    assert_exact(attention->count, 6);
    assert_exact(cache_of(file), 6 * 2 * 2 * 128 * 2.0); /* only attention keeps a cache that grows */
    roof_model_file_free(file);
}

static void hybrids_place_their_attention(void **state) {
    (void)state;
    static const struct { const char *id; int attends[4]; roof_state_kind kind; double count; } rows[] = {
        {"jamba-52b", {4, 12, 20, 28}, ROOF_STATE_MAMBA, 4},
        {"qwen3-next-80b-a3b", {3, 7, 11, 47}, ROOF_STATE_GATED_DELTA, 12},
        {"kimi-linear-48b-a3b", {3, 7, 23, 26}, ROOF_STATE_KIMI_DELTA, 7},
        {"minimax-m1-456b", {7, 15, 71, 79}, ROOF_STATE_LIGHTNING, 10},
        {"granite-4.0-h-small-32b", {5, 15, 25, 35}, ROOF_STATE_MAMBA2, 4},
        {"lfm2-1.2b", {2, 5, 12, 14}, ROOF_STATE_SHORT_CONV, 6},
        {"recurrentgemma-2b", {2, 5, 8, 23}, ROOF_STATE_RGLRU, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_model_file *file = named(rows[i].id);
        const roof_model *model = roof_model_file_model(file);
        double attending = 0;
        for (size_t k = 0; k < model->layer_count; k++) {
            bool attends = model->layers[k].attention.kind != ROOF_ATTENTION_NONE;
            assert_true(attends != (model->layers[k].state.kind != ROOF_STATE_NONE));
            attending += attends ? model->layers[k].count : 0;
            if (!attends)
                assert_int_equal(model->layers[k].state.kind, rows[i].kind);
        }
        assert_exact(attending, rows[i].count);
        for (int a = 0; a < 4; a++)
            assert_true(layer_at(model, (size_t)rows[i].attends[a])->attention.kind != ROOF_ATTENTION_NONE);
        roof_model_file_free(file);
    }
}

/* Attention and state side by side. */
static void falcon_h1_has_both(void **state) {
    (void)state;
    roof_model_file *file = named("falcon-h1-7b");
    const roof_layer *layer = roof_model_file_model(file)->layers;
    assert_int_equal(layer->attention.kind, ROOF_ATTENTION_FULL);
    assert_int_equal(layer->state.kind, ROOF_STATE_MAMBA2);
    assert_exact(layer->state.norm, 0);
    assert_exact(cache_of(file), 44 * 2 * 2 * 128 * 2.0);
    roof_model_file_free(file);
}

static void gates_and_norms_of_qwen3_next(void **state) {
    (void)state;
    roof_model_file *file = named("qwen3-next-80b-a3b");
    const roof_model *model = roof_model_file_model(file);
    assert_true(layer_at(model, 3)->attention.output_gate);
    assert_exact(layer_at(model, 3)->attention.q_norm, 256);
    assert_true(layer_at(model, 0)->mlp.shared_gate);
    assert_exact(layer_at(model, 0)->state.key_heads, 16);
    roof_model_file_free(file);
}

/* The first layer of RWKV 7 has no value residual: its own kind. */
static void first_layer_of_rwkv7(void **state) {
    (void)state;
    roof_model_file *file = named("rwkv7-1.5b");
    const roof_model *model = roof_model_file_model(file);
    assert_int_equal(model->layer_count, 2);
    assert_exact(model->layers[0].count, 1);
    assert_exact(model->layers[0].state.ranks[2], 0);
    assert_exact(model->layers[1].state.ranks[2], 64);
    assert_int_equal(model->layers[1].mlp.kind, ROOF_MLP_CHANNEL_MIX);
    assert_exact(cache_of(file), 0);
    roof_model_file_free(file);
}

/* Training configs of fla leave sizes to class defaults. Totals: transformers with fla's classes. */
static void class_defaults_of_fla(void **state) {
    (void)state;
    static const struct { const char *json, *note; double total; } rows[] = {
        {CONFIG("model_type": "delta_net", "hidden_size": 2048, "num_hidden_layers": 24, "num_heads": 16,
            "hidden_ratio": 4, "intermediate_size": null, "attn": null, "use_gate": false, "use_beta": true,
            "use_short_conv": true, "conv_size": 4, "qk_norm": "l2", "tie_word_embeddings": false),
         "vocab_size: absent, so 32000, the class default of delta-net", 1365677056},
        {CONFIG("model_type": "gla", "hidden_size": 4096, "num_hidden_layers": 32, "num_heads": 16, "expand_k": 0.5,
            "expand_v": 1, "intermediate_size": 11008, "use_gk": true, "use_output_gate": true,
            "tie_word_embeddings": false), "gate_low_rank_dim: absent, so 16", 6741635072},
        {CONFIG("model_type": "hgrn2", "hidden_size": 1024, "num_hidden_layers": 24, "num_heads": 8,
            "expand_ratio": 128, "hidden_ratio": 4, "vocab_size": 32000, "tie_word_embeddings": false),
         "intermediate_size: absent, so 2816", 373916672},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_model_file *file = read_text(rows[i].json);
        assert_exact(parameters_of(file).total, rows[i].total);
        assert_true(has_note(file, rows[i].note));
        roof_model_file_free(file);
    }
}

/* state-spaces/mamba's own files; 2 768 345 600 with the table padded to 50280 rows. */
static void mamba_ssm_schema(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("d_model": 2560, "n_layer": 64, "vocab_size": 50277, "ssm_cfg": {},
        "rms_norm": true, "residual_in_fp32": true, "fused_add_norm": true, "pad_vocab_size_multiple": 8));
    assert_exact(parameters_of(file).total, 2768345600);
    roof_model_file_free(file);
}

/* params.json: Llama 3.1 8B and Mixtral 8x7B as their publishers ship them. */
static void params_json(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size":
        128256, "ffn_dim_multiplier": 1.3, "multiple_of": 1024, "norm_eps": 1e-05, "rope_theta": 500000.0,
        "use_scaled_rope": true));
    assert_exact(parameters_of(file).total, 8030261248);
    assert_true(has_warning(file, "whether the head is the table"));
    roof_model_file_free(file);
    file = read_text(CONFIG("dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32,
        "n_kv_heads": 8, "norm_eps": 1e-05, "vocab_size": 32000, "moe": {"num_experts_per_tok": 2, "num_experts": 8}));
    assert_exact(parameters_of(file).total, 46702792704);
    assert_exact(parameters_of(file).active, 12879925248);
    roof_model_file_free(file);
}

/* executorch's schema for Gemma 3 1B: 999 885 952, as the config.json of the same model. */
static void executorch_schema(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("dim": 1152, "ffn_dim_multiplier": 1, "hidden_dim": 6912, "n_heads": 4,
        "head_dim": 256, "n_kv_heads": 1, "n_layers": 26, "norm_type": "gemma3", "post_attention_norm": true,
        "post_ffn_norm": true, "vocab_size": 262144, "use_qk_norm": true, "attention_qkv_bias": false,
        "sliding_window": 512, "layer_types": ["sliding_attention", "full_attention", "sliding_attention",
        "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
        "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
        "full_attention", "sliding_attention", "full_attention"]));
    assert_exact(parameters_of(file).total, 999885952);
    assert_true(roof_model_file_model(file)->tied);
    roof_model_file_free(file);
}

/* llm-analysis: hidden_dim is the hidden width there. */
static void llm_analysis_schema(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("name": "EleutherAI_gpt-neo-2.7B", "num_layers": 32, "n_head": 20,
        "hidden_dim": 2560, "vocab_size": 50257, "max_seq_len": 2048, "ffn_embed_dim": 10240, "model_type": "gpt_neo"));
    assert_exact(parameters_of(file).total, 2651307520);
    roof_model_file_free(file);
}

/* What an encoder has behind its layers is told by its class. Totals: transformers. */
static void heads_of_encoders(void **state) {
    (void)state;
#define BASE "\"model_type\": \"bert\", \"num_hidden_layers\": 12, \"hidden_size\": 768, \"num_attention_heads\": 12, " \
    "\"intermediate_size\": 3072, \"vocab_size\": 30522, \"max_position_embeddings\": 512, \"type_vocab_size\": 2, " \
    "\"torch_dtype\": \"float32\""
    static const struct { const char *json; double total; bool headless; } rows[] = {
        {"{\"architectures\": [\"BertModel\"], " BASE "}", 109482240, true},
        {"{\"architectures\": [\"BertForMaskedLM\"], " BASE "}", 109514298, false},
        {"{\"architectures\": [\"BertForPreTraining\"], " BASE "}", 110106428, false},
        {"{\"architectures\": [\"BertForQuestionAnswering\"], " BASE "}", 108893186, true},
        {"{\"architectures\": [\"BertForSequenceClassification\"], \"num_labels\": 3, " BASE "}", 109484547, true},
    };
#undef BASE
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_model_file *file = read_text(rows[i].json);
        const roof_model *model = roof_model_file_model(file);
        assert_exact(parameters_of(file).total, rows[i].total);
        assert_true(model->bidirectional);
        assert_int_equal(model->headless, rows[i].headless);
        roof_model_file_free(file);
    }
}

static void windows_of_modernbert(void **state) {
    (void)state;
    roof_model_file *file = named("modernbert-base");
    const roof_model *model = roof_model_file_model(file);
    for (size_t i = 0; i < 22; i++)
        assert_int_equal(layer_at(model, i)->attention.kind, i % 3 ? ROOF_ATTENTION_SLIDING : ROOF_ATTENTION_FULL);
    assert_exact(layer_at(model, 0)->norms, 1);
    assert_exact(layer_at(model, 3)->norms, 2);
    roof_model_file_free(file);
}

static void encoder_beside_the_decoder(void **state) {
    (void)state;
    roof_model_file *file = named("whisper-large-v3-turbo");
    const roof_model *model = roof_model_file_model(file), *encoder = model->encoder;
    assert_non_null(encoder);
    assert_exact(roof_model_layers(model), 4);
    assert_exact(roof_model_layers(encoder), 32);
    assert_exact(encoder->context_max, 1500);
    assert_exact(encoder->front[0].inputs, 3 * 128);
    assert_exact(encoder->front[0].rate, 2);
    assert_true(model->layers->cross.no_k_bias);
    assert_exact(parameters_of(file).encoder, 636968960); /* transformers: model.encoder */
    roof_model_file_free(file);
    file = named("flan-t5-base");
    model = roof_model_file_model(file);
    assert_true(model->layers->mlp.gated);
    assert_false(model->tied);
    assert_exact(model->vectors, 32 * 12);
    assert_int_equal(model->encoder->layers->cross.kind, ROOF_ATTENTION_NONE);
    roof_model_file_free(file);
}

#define LANGUAGE "\"num_hidden_layers\": 2, \"hidden_size\": 1024, \"num_attention_heads\": 8, " \
    "\"num_key_value_heads\": 4, \"head_dim\": 128, \"intermediate_size\": 2048, \"vocab_size\": 1000, " \
    "\"hidden_act\": \"silu\", \"max_position_embeddings\": 4096, \"tie_word_embeddings\": false, " \
    "\"torch_dtype\": \"bfloat16\""

/* Towers beside the language model, with their projectors. Totals: transformers. */
static void towers(void **state) {
    (void)state;
    static const struct { const char *json; double vision, layers; } rows[] = {
        {"{\"model_type\": \"qwen2_vl\", " LANGUAGE ", \"vision_config\": {\"in_chans\": 3, \"hidden_size\": 1024, "
         "\"model_type\": \"qwen2_vl\", \"spatial_patch_size\": 14}}", 662649344, 32},
        {"{\"model_type\": \"qwen2_5_vl\", " LANGUAGE ", \"vision_config\": {\"depth\": 32, \"hidden_size\": 1280, "
         "\"intermediate_size\": 3420, \"num_heads\": 16, \"in_chans\": 3, \"out_hidden_size\": 2048, "
         "\"patch_size\": 14, "
         "\"window_size\": 112, \"fullatt_block_indexes\": [7, 15, 23, 31]}}", 668684288, 32},
        {"{\"model_type\": \"qwen3_vl\", \"text_config\": {\"model_type\": \"qwen3_vl_text\", " LANGUAGE "}, "
         "\"vision_config\": {\"depth\": 27, \"hidden_size\": 1152, \"intermediate_size\": 4304, \"num_heads\": 16, "
         "\"out_hidden_size\": 4096, \"patch_size\": 16, \"temporal_patch_size\": 2, "
         "\"num_position_embeddings\": 2304, "
         "\"deepstack_visual_indexes\": [8, 16, 24]}}", 576388336, 27},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_model_file *file = read_text(rows[i].json);
        const roof_model *model = roof_model_file_model(file);
        assert_non_null(model->vision);
        assert_null(model->not_counted);
        assert_exact(parameters_of(file).vision, rows[i].vision);
        assert_exact(roof_model_layers(model->vision), rows[i].layers);
        roof_model_file_free(file);
    }
}

static void towers_that_are_not_described(void **state) {
    (void)state;
    static const struct { const char *json, *why; } rows[] = {
        {"{\"model_type\": \"qwen3_vl\", \"text_config\": {\"model_type\": \"qwen3_vl_text\", " LANGUAGE "}, "
         "\"vision_config\": {\"hidden_size\": 1152}}", "vision_config does not say 'depth'"},
        {"{\"model_type\": \"minicpmv\", \"version\": 2.6, " LANGUAGE ", \"vision_config\": {\"hidden_size\": 1152}}",
         "its resampler is not supported"},
        {"{\"model_type\": \"brandnewvl\", \"text_config\": {\"model_type\": \"llama\", " LANGUAGE "}, "
         "\"vision_config\": {\"hidden_size\": 1152}}", "its type is not supported"},
        {"{\"model_type\": \"qwen2_vl\", " LANGUAGE ", \"vision_config\": {\"depth\": 0, "
         "\"hidden_size\": 64}}", "'depth'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_model_file *file = read_text(rows[i].json);
        assert_null(roof_model_file_model(file)->vision);
        assert_string_equal(roof_model_file_model(file)->not_counted, "vision tower");
        assert_true(has_warning(file, rows[i].why));
        roof_model_file_free(file);
    }
}

/* The indexer, and the compressed layers of V4. */
static void sparse_attention(void **state) {
    (void)state;
    roof_model_file *file = named("glm-5");
    const roof_attention_block *a = &roof_model_file_model(file)->layers->attention;
    assert_int_equal(a->kind, ROOF_ATTENTION_LATENT);
    assert_exact(a->index_heads, 32);
    assert_exact(a->index_topk, 2048);
    assert_exact(parameters_of(file).total, 743911218432); /* transformers */
    roof_model_file_free(file);
    file = named("deepseek-v4-flash");
    const roof_model *model = roof_model_file_model(file);
    assert_exact(model->streams, 4);
    assert_exact(layer_at(model, 0)->attention.compress, 0);
    assert_exact(layer_at(model, 2)->attention.compress, 4);
    assert_exact(layer_at(model, 2)->attention.index_heads, 64);
    assert_exact(layer_at(model, 3)->attention.compress, 128);
    assert_exact(layer_at(model, 3)->attention.index_heads, 0);
    assert_false(layer_at(model, 2)->mlp.router_bias); /* the first three choose by token id */
    assert_true(layer_at(model, 4)->mlp.router_bias);
    roof_model_file_free(file);
}

static void heads_that_differ_by_layer(void **state) {
    (void)state;
    roof_model_file *file = named("mimo-v2-flash-309b");
    const roof_attention_block *full = &layer_at(roof_model_file_model(file), 0)->attention,
                               *near = &layer_at(roof_model_file_model(file), 1)->attention;
    assert_exact(full->kv_heads, 4);
    assert_exact(full->value_width, 128);
    assert_false(full->sinks);
    assert_exact(near->kv_heads, 8);
    assert_exact(near->window, 128);
    assert_true(near->sinks);
    assert_int_equal(layer_at(roof_model_file_model(file), 0)->mlp.kind, ROOF_MLP_DENSE);
    roof_model_file_free(file);
    file = named("gemma-4-26b-a4b");
    full = &layer_at(roof_model_file_model(file), 5)->attention;
    assert_exact(full->head_width, 512);
    assert_exact(full->kv_heads, 2);
    assert_true(full->tied_kv);
    assert_exact(layer_at(roof_model_file_model(file), 0)->mlp.dense_width, 2112);
    roof_model_file_free(file);
}

static void layers_by_search(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("model_type": "nemotron-nas", "num_hidden_layers": 3, "hidden_size": 1024,
        "num_attention_heads": 8, "num_key_value_heads": null, "intermediate_size": null, "vocab_size": 1000,
        "max_position_embeddings": 4096, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "block_configs": [
        {"attention": {"no_op": false, "n_heads_in_group": 4}, "ffn": {"no_op": false, "ffn_mult": 1.3125}},
        {"attention": {"no_op": true, "n_heads_in_group": null}, "ffn": {"no_op": false, "ffn_mult": 2.625}},
        {"attention": {"no_op": false, "n_heads_in_group": 8}, "ffn": {"no_op": true, "ffn_mult": null}}]));
    const roof_model *model = roof_model_file_model(file);
    assert_int_equal(model->layer_count, 3);
    assert_exact(model->layers[0].attention.kv_heads, 2);
    assert_exact(model->layers[0].mlp.width, 1024); /* 2 * 1.3125 * 1024 / 3 = 896, to the next 256 */
    assert_exact(model->layers[1].mlp.width, 1792);
    assert_int_equal(model->layers[1].attention.kind, ROOF_ATTENTION_NONE);
    assert_exact(model->layers[1].norms, 1);
    assert_int_equal(model->layers[2].mlp.kind, ROOF_MLP_NONE);
    assert_exact(model->layers[2].attention.kv_heads, 1);
    roof_model_file_free(file);
}

static void crossed_layers(void **state) {
    (void)state;
    roof_model_file *file = read_text("{\"model_type\": \"mllama_text_model\", \"cross_attention_layers\": [1], "
                                      LANGUAGE "}");
    const roof_layer *cross = layer_at(roof_model_file_model(file), 1);
    assert_int_equal(cross->attention.kind, ROOF_ATTENTION_NONE);
    assert_int_equal(cross->cross.kind, ROOF_ATTENTION_FULL);
    assert_exact(cross->cross.q_norm, 128);
    assert_exact(layer_at(roof_model_file_model(file), 0)->cross.heads, 0);
    /* modeling_mllama.py: nn.Embedding(vocab_size + 8, hidden), a head of vocab_size rows without a bias. */
    const roof_model *model = roof_model_file_model(file);
    roof_parameters parameters = roof_model_parameters(model, &(roof_plan){0});
    assert_exact(parameters.embedding, (model->vocab + 8) * model->hidden);
    assert_exact(parameters.head, model->tied ? 0 : model->vocab * model->hidden);
    roof_model_file_free(file);
}

static void windows_of_exaone(void **state) {
    (void)state;
    roof_model_file *file = named("exaone-4.0-32b");
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(layer_at(roof_model_file_model(file), i)->attention.kind,
                         i % 4 == 3 ? ROOF_ATTENTION_FULL : ROOF_ATTENTION_SLIDING);
    roof_model_file_free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nemotron_letters), cmocka_unit_test(hybrids_place_their_attention),
        cmocka_unit_test(falcon_h1_has_both), cmocka_unit_test(gates_and_norms_of_qwen3_next),
        cmocka_unit_test(first_layer_of_rwkv7), cmocka_unit_test(class_defaults_of_fla),
        cmocka_unit_test(mamba_ssm_schema), cmocka_unit_test(params_json), cmocka_unit_test(executorch_schema),
        cmocka_unit_test(llm_analysis_schema), cmocka_unit_test(heads_of_encoders),
        cmocka_unit_test(windows_of_modernbert), cmocka_unit_test(encoder_beside_the_decoder), cmocka_unit_test(towers),
        cmocka_unit_test(towers_that_are_not_described), cmocka_unit_test(sparse_attention),
        cmocka_unit_test(heads_that_differ_by_layer), cmocka_unit_test(layers_by_search),
        cmocka_unit_test(crossed_layers), cmocka_unit_test(windows_of_exaone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
