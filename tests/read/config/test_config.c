/* config.json to a model: what each family means by its keys. Counts named "published" come from the model's card, its
 * checkpoint index or an issue thread; the rest follow from the sizes given. */
#include "read/config/configs.h"
#include "roofline_read.h"

/* JSON as macro arguments, tables */
/* clang-format off */

/* Qwen3-4B: head_dim is not hidden / heads. Exact count published in Abdullah-Taha9/ui-training issue 29. */
static void explicit_head_width(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
        "hidden_size": 2560,
        "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
            "intermediate_size": 9728,
        "hidden_act": "silu", "attention_bias": false, "tie_word_embeddings": true, "vocab_size": 151936,
            "sliding_window": null,
        "use_sliding_window": false, "max_window_layers": 36, "torch_dtype": "bfloat16"));
    const roof_model *model = roof_model_file_model(file);
    assert_exact(parameters_of(file).total, 4022468096.0);
    assert_exact(cache_of(file), 147456.0);
    assert_int_equal(model->layer_count, 1);
    assert_int_equal(model->layers[0].attention.kind, ROOF_ATTENTION_FULL);
    assert_exact(model->layers[0].count, 36);
    assert_int_equal(roof_model_file_warnings(file), 0);
    roof_model_file_free(file);
}

/* GPT-2: everything is implicit. 124 439 808 is in huggingface/transformers issue 14960. */
static void gpt2_implicit(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("architectures": ["GPT2LMHeadModel"], "model_type": "gpt2",
        "activation_function": "gelu_new",
        "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, "n_ctx": 1024, "n_inner": null, "vocab_size":
            50257,
        "layer_norm_epsilon": 1e-05));
    const roof_model *model = roof_model_file_model(file);
    roof_parameters p = parameters_of(file);
    assert_exact(p.total, 124439808.0);
    assert_exact(p.bytes, 497759232.0); /* no dtype stated: f32, and said aloud */
    assert_true(has_warning(file, "torch_dtype"));
    assert_true(has_note(file, "intermediate_size: absent, so 3072"));
    assert_true(has_note(file, "num_key_value_heads: absent, so 12 as num_attention_heads"));
    assert_exact(cache_of(file), 36864.0);
    assert_true(model->tied);
    assert_exact(model->positions, 1024);
    assert_exact(model->layers[0].mlp.width, 3072);
    assert_false(model->layers[0].mlp.gated);
    roof_model_file_free(file);
}

static void nested_and_null(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("architectures": ["TinyForConditionalGeneration"], "model_type":
        "tinyvl", "hidden_size": 1152,
        "num_hidden_layers": 27, "num_attention_heads": 16, "intermediate_size": 4304, "torch_dtype": "bfloat16",
        "text_config": {"model_type": "tinytext", "hidden_size": 1024, "num_hidden_layers": 10, "num_attention_heads":
            16,
        "num_key_value_heads": 4, "head_dim": null, "intermediate_size": 2816, "hidden_act": "silu", "vocab_size":
            32000,
        "tie_word_embeddings": true}, "vision_config": {"hidden_size": 1152, "num_hidden_layers": 27}));
    assert_exact(parameters_of(file).total, 145511424.0);
    assert_exact(cache_of(file), 10240.0);
    assert_string_equal(roof_model_file_model(file)->not_counted, "vision tower");
    assert_true(has_warning(file, "vision tower"));
    assert_true(has_warning(file, "'tinytext' is unknown"));
    roof_model_file_free(file);
    file = read_text(CONFIG("model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 10,
        "num_attention_heads": 16,
        "intermediate_size": 2816, "vocab_size": 32000, "hidden_act": "silu", "torch_dtype": "float16"));
    assert_exact(parameters_of(file).total, 194008064.0);
    assert_exact(cache_of(file), 40960.0);
    assert_int_equal(roof_model_file_model(file)->stored, ROOF_F16);
    roof_model_file_free(file);
}

static void missing_keys_are_all_named(void **state) {
    (void)state;
    assert_refused(CONFIG("model_type": "llama", "num_attention_heads": 16, "intermediate_size": 2816, "vocab_size":
        32000), ROOF_EFORMAT,
                   "keys 'num_hidden_layers', 'hidden_size' are missing");
    assert_refused(CONFIG("model_type": "mixtral", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads":
        4, "vocab_size": 100,
        "intermediate_size": 128), ROOF_EFORMAT, "keys 'num_local_experts', 'num_experts_per_tok' are missing");
    assert_refused("{}", ROOF_EFORMAT,
        "'num_hidden_layers', 'hidden_size', 'num_attention_heads', 'vocab_size', 'intermediate_size'");
}

static void family_spellings(void **state) {
    (void)state;
    static const struct { const char *json; double cache; } rows[] = {
        {CONFIG("model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71,
            "num_kv_heads": 71,
            "multi_query": true, "new_decoder_architecture": false, "parallel_attn": true, "bias": false, "alibi":
                false, "vocab_size": 65024), 8192},
        {CONFIG("model_type": "falcon", "hidden_size": 8192, "num_hidden_layers": 60, "num_attention_heads": 128,
            "num_kv_heads": 8,
            "multi_query": true, "new_decoder_architecture": true, "parallel_attn": true, "bias": false, "vocab_size":
                65024), 122880},
        {CONFIG("model_type": "RefinedWeb", "hidden_size": 8192, "n_layer": 60, "n_head": 128, "n_head_kv": 8,
            "parallel_attn": true, "bias": false,
            "vocab_size": 65024), 122880},
        {CONFIG("model_type": "chatglm", "hidden_size": 4096, "num_layers": 28, "num_attention_heads": 32,
            "kv_channels": 128,
            "multi_query_attention": true, "multi_query_group_num": 2, "ffn_hidden_size": 13696, "padded_vocab_size":
                65024, "seq_length": 32768,
            "add_qkv_bias": true, "add_bias_linear": false, "tie_word_embeddings": false), 28672},
        {CONFIG("architectures": ["LLaMAForCausalLM"], "hidden_size": 4096, "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "intermediate_size": 11008, "vocab_size": 32000), 524288},
        {CONFIG("model_type": "gpt_bigcode", "n_embd": 6144, "n_layer": 40, "n_head": 48, "n_positions": 8192,
            "vocab_size": 49152), 20480},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_model_file *file = read_text(rows[i].json);
        assert_exact(cache_of(file), rows[i].cache);
        roof_model_file_free(file);
    }
}

/* intermediate_size of Qwen 1 is that of w1 and w2 together. */
static void qwen1_half_width(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("model_type": "qwen", "hidden_size": 5120, "num_hidden_layers": 40,
        "num_attention_heads": 40,
        "kv_channels": 128, "intermediate_size": 27392, "vocab_size": 152064, "no_bias": true, "tie_word_embeddings":
            false));
    assert_exact(parameters_of(file).mlp / 40, 210370560.0);
    assert_true(roof_model_file_model(file)->layers[0].attention.qkv_bias);
    roof_model_file_free(file);
}

/* Mixtral-8x7B: published 46.7 B in all, 12.9 B active. */
static void mixtral(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("architectures": ["MixtralForCausalLM"], "model_type": "mixtral",
        "hidden_size": 4096,
        "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
            "num_local_experts": 8,
        "num_experts_per_tok": 2, "vocab_size": 32000, "sliding_window": null, "tie_word_embeddings": false,
            "hidden_act": "silu",
        "torch_dtype": "bfloat16"));
    roof_parameters p = parameters_of(file);
    assert_exact(p.total, 46702792704.0);
    assert_exact(p.active, 12879925248.0);
    assert_exact(p.bytes, 93405585408.0);
    roof_model_file_free(file);
}

/* DeepSeek-V3: published 671 B, 37 B active, 14 B of prediction module with its copies of table and head. */
static void deepseek_v3(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("architectures": ["DeepseekV3ForCausalLM"], "model_type": "deepseek_v3",
        "hidden_size": 7168,
        "intermediate_size": 18432, "moe_intermediate_size": 2048, "num_hidden_layers": 61,
            "num_nextn_predict_layers": 1,
        "num_attention_heads": 128, "num_key_value_heads": 128, "n_routed_experts": 256, "n_shared_experts": 1,
            "num_experts_per_tok": 8,
        "first_k_dense_replace": 3, "moe_layer_freq": 1, "n_group": 8, "topk_group": 4, "q_lora_rank": 1536,
            "kv_lora_rank": 512,
        "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 129280,
            "tie_word_embeddings": false,
        "hidden_act": "silu", "torch_dtype": "bfloat16"));
    const roof_model *model = roof_model_file_model(file);
    roof_parameters p = parameters_of(file);
    assert_exact(p.total, 671026419200.0);
    assert_exact(p.active, 37552297472.0);
    assert_exact(p.attention / 61, 187107328.0);
    assert_exact(cache_of(file), 70272.0);
    assert_near(model->prediction_parameters, 11.6e9, 0.01);
    assert_int_equal(model->layer_count, 2);
    assert_exact(model->layers[model->order[0]].count, 3);
    assert_int_equal(model->layers[model->order[0]].mlp.kind, ROOF_MLP_DENSE);
    assert_int_equal(model->layers[model->order[60]].mlp.kind, ROOF_MLP_MOE);
    roof_model_file_free(file);
}

/* V2-Lite: q_lora_rank null means a plain q projection; published 15.7 B, 2.4 B active without the vocabulary tables. */
static void deepseek_v2_lite(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size":
        10944,
        "moe_intermediate_size": 1408, "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16,
            "n_routed_experts": 64,
        "n_shared_experts": 2, "num_experts_per_tok": 6, "first_k_dense_replace": 1, "q_lora_rank": null,
            "kv_lora_rank": 512,
        "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 102400, "torch_dtype":
            "bfloat16"));
    assert_exact(parameters_of(file).total, 15706484224.0);
    assert_exact(cache_of(file), 31104.0);
    roof_model_file_free(file);
}

static void alternating_window(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 24,
        "num_attention_heads": 64,
        "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "num_local_experts": 32,
            "num_experts_per_tok": 4,
        "vocab_size": 201088, "sliding_window": 128, "tie_word_embeddings": false, "layer_types":
            ["sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
            "full_attention", "sliding_attention",
        "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention",
            "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
            "full_attention", "sliding_attention",
        "full_attention"]));
    const roof_model *model = roof_model_file_model(file);
    roof_plan plan = {.kv_cache = ROOF_BF16};
    roof_plan_complete(model, &plan);
    assert_exact(roof_model_kv_bytes(model, &plan, 131072), 3224371200.0);
    assert_true(model->layers[0].attention.sinks);
    assert_true(model->layers[0].mlp.router_bias);
    roof_model_file_free(file);
}

static void windows_that_are_off(void **state) {
    (void)state;
    static const char *const rows[] = {
        CONFIG("model_type": "qwen2", "hidden_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 16,
            "num_key_value_heads": 4,
            "intermediate_size": 2816, "vocab_size": 32000, "tie_word_embeddings": true, "sliding_window": 4096,
                "use_sliding_window": false,
            "max_window_layers": 8),
        CONFIG("model_type": "mistral", "hidden_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 16,
            "num_key_value_heads": 4,
            "intermediate_size": 2816, "vocab_size": 32000, "tie_word_embeddings": true, "sliding_window": null),
        CONFIG("model_type": "mistral", "hidden_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 16,
            "num_key_value_heads": 4,
            "intermediate_size": 2816, "vocab_size": 32000, "tie_word_embeddings": true, "sliding_window": -1),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_model_file *file = read_text(rows[i]);
        roof_plan plan = {.kv_cache = ROOF_BF16};
        roof_plan_complete(roof_model_file_model(file), &plan);
        assert_exact(roof_model_kv_bytes(roof_model_file_model(file), &plan, 32768), 268435456.0);
        roof_model_file_free(file);
    }
}

/* Layer kinds in order: 's' sliding, 'f' full, 'c' chunked. */
static void assert_sights(const char *json, const char *want) {
    roof_model_file *file = read_text(json);
    const roof_model *model = roof_model_file_model(file);
    for (size_t i = 0; want[i]; i++) {
        roof_attention_kind kind = model->layers[model->order ? model->order[i] : 0].attention.kind;
        char got = kind == ROOF_ATTENTION_SLIDING ? 's' : kind == ROOF_ATTENTION_CHUNKED ? 'c' : 'f';
        if (got != want[i])
            fail_msg("layer %zu is '%c', not '%c'", i, got, want[i]);
    }
    roof_model_file_free(file);
}

#define TINY_CONFIG(...)                                                                                               \
    "{\"num_hidden_layers\": 8, \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_key_value_heads\": 2, "         \
    "\"vocab_size\": 100, \"intermediate_size\": 96, \"torch_dtype\": \"bfloat16\", " #__VA_ARGS__ "}"

static void window_patterns(void **state) {
    (void)state;
    assert_sights(TINY_CONFIG("model_type": "mistral", "sliding_window": 16), "ssssssss");
    assert_sights(TINY_CONFIG("model_type": "mistral", "sliding_window": 16, "max_position_embeddings": 16),
        "ffffffff");
    assert_sights(TINY_CONFIG("model_type": "qwen2", "sliding_window": 16, "use_sliding_window": true,
        "max_window_layers": 5), "fffffsss");
    assert_sights(TINY_CONFIG("model_type": "gemma2", "head_dim": 16), "sfsfsfsf");
    assert_sights(TINY_CONFIG("model_type": "gemma3_text", "head_dim": 16, "sliding_window": 16), "sssssfss");
    assert_sights(TINY_CONFIG("model_type": "gemma3_text", "head_dim": 16, "sliding_window": 16,
        "sliding_window_pattern": 2), "sfsfsfsf");
    assert_sights(TINY_CONFIG("model_type": "cohere2"), "sssfsssf");
    assert_sights(TINY_CONFIG("model_type": "olmo3"), "sssfsssf");
    assert_sights(CONFIG("model_type": "gpt_neo", "num_layers": 8, "hidden_size": 64, "num_heads": 4, "vocab_size":
        100, "torch_dtype": "float32",
        "intermediate_size": null, "max_position_embeddings": 64, "window_size": 16, "attention_types": [[["global",
            "local"], 2], [["local"], 4]]),
                  "fsfsssss");
    assert_sights(TINY_CONFIG("model_type": "llama4_text", "num_local_experts": 4, "num_experts_per_tok": 1,
        "intermediate_size_mlp": 96),
                  "cccfcccf");
}

/* 'm' a mixture, 'd' dense. */
static void assert_mixtures(const char *json, const char *want) {
    roof_model_file *file = read_text(json);
    const roof_model *model = roof_model_file_model(file);
    for (size_t i = 0; want[i]; i++) {
        char got = model->layers[model->order ? model->order[i] : 0].mlp.kind == ROOF_MLP_MOE ? 'm' : 'd';
        if (got != want[i])
            fail_msg("layer %zu is '%c', not '%c'", i, got, want[i]);
    }
    roof_model_file_free(file);
}

static void mixture_patterns(void **state) {
    (void)state;
    assert_mixtures(TINY_CONFIG("model_type": "qwen3_moe", "num_experts": 4, "num_experts_per_tok": 2,
        "moe_intermediate_size": 8,
        "decoder_sparse_step": 2, "mlp_only_layers": [3]), "dmdddmdm");
    assert_mixtures(TINY_CONFIG("model_type": "deepseek", "n_routed_experts": 4, "num_experts_per_tok": 2,
        "moe_intermediate_size": 8,
        "first_k_dense_replace": 1, "moe_layer_freq": 2), "ddmdmdmd");
    assert_mixtures(TINY_CONFIG("model_type": "llama4_text", "num_local_experts": 4, "num_experts_per_tok": 1,
        "intermediate_size_mlp": 96,
        "interleave_moe_layer_step": 2), "dmdmdmdm");
    assert_mixtures(TINY_CONFIG("model_type": "llama4_text", "num_local_experts": 4, "num_experts_per_tok": 1,
        "intermediate_size_mlp": 96,
        "moe_layers": [0, 7]), "mddddddm");
}

/* gemma-3-4b's file leaves heads and vocabulary to the class; 3 880 099 328 is in keras-hub gemma3_presets.py
 * (4b_text), which has 262 144 rows of vocabulary where the class has 262 208. */
static void class_defaults(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("model_type": "gemma3", "text_config": {"model_type": "gemma3_text",
        "hidden_size": 2560,
        "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024}, "vision_config": {"hidden_size":
            1152},
        "torch_dtype": "bfloat16"));
    assert_exact(parameters_of(file).total, 3880099328.0 + 64 * 2560);
    assert_true(has_note(file, "vocab_size: absent, so 262208, the class default of gemma3"));
    roof_model_file_free(file);
}

/* Old and new spelling, and what a small 350M OPT does differently: published 331 196 416 (facebook/opt-350m). */
static void opt_350m(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("model_type": "opt", "num_hidden_layers": 24, "hidden_size": 1024,
        "num_attention_heads": 16,
        "ffn_dim": 4096, "max_position_embeddings": 2048, "vocab_size": 50272, "word_embed_proj_dim": 512,
            "do_layer_norm_before": false,
        "torch_dtype": "float16"));
    assert_exact(parameters_of(file).total, 331196416.0);
    roof_model_file_free(file);
}

static void unknown_structure_is_refused(void **state) {
    (void)state;
    assert_refused(TINY_CONFIG("model_type": "llama", "num_experts": 8), ROOF_EUNSUPPORTED,
        "key 'num_experts' changes the architecture");
    assert_refused(TINY_CONFIG("model_type": "llama", "sliding_window": 128), ROOF_EUNSUPPORTED,
        "key 'sliding_window'");
    assert_refused(TINY_CONFIG("model_type": "brandnew", "hidden_act": "silu", "mamba_d_state": 16),
        ROOF_EUNSUPPORTED, "'mamba_d_state'");
    assert_refused(TINY_CONFIG("model_type": "brandnew", "hidden_act": "gelu"), ROOF_EUNSUPPORTED,
        "model type 'brandnew' is unknown");
    assert_refused(TINY_CONFIG("model_type": "kimi_k3", "linear_attn_config": {"head_dim": 8}), ROOF_EUNSUPPORTED,
        "key 'linear_attn_config'");
    assert_refused(TINY_CONFIG("model_type": "minimax_m3", "sparse_attention_config": {"block": 8}), ROOF_EUNSUPPORTED,
        "key 'sparse_attention_config'");
    assert_refused(TINY_CONFIG("model_type": "qwen3", "layer_types": ["linear_attention", 0, 0, 0, 0, 0, 0, 0]),
        ROOF_EUNSUPPORTED,
                   "'linear_attention'");
    assert_refused(TINY_CONFIG("model_type": "phi", "qk_layernorm": true), ROOF_EUNSUPPORTED, "'qk_layernorm'");
}

static void off_values_and_harmless_keys_pass(void **state) {
    (void)state;
    roof_model_file *file = read_text(TINY_CONFIG("model_type": "llama", "num_experts": 0, "sliding_window": null,
        "mamba_d_state": false,
        "cross_attention_layers": [], "rope_scaling": {"factor": 8.0}, "attention_dropout": 0.1, "bos_token_id": 1));
    assert_int_equal(roof_model_file_warnings(file), 0);
    roof_model_file_free(file);
    file = read_text(TINY_CONFIG("model_type": "llama", "frobnication": 3));
    assert_true(has_warning(file, "1 unknown key taken as harmless: frobnication"));
    roof_model_file_free(file);
}

static void python_numbers(void **state) {
    (void)state;
    roof_model_file *file = read_text(TINY_CONFIG("model_type": "llama", "rope_theta": Infinity, "initializer_range":
        NaN,
        "model_max_length": 1000000000000000019884624838656));
    roof_model_file_free(file);
}

static void contradictions(void **state) {
    (void)state;
    assert_refused(TINY_CONFIG("model_type": "llama", "n_head": 8), ROOF_EFORMAT,
        "'num_attention_heads' and 'n_head' mean the same and disagree");
    assert_refused(CONFIG("model_type": "llama", "num_hidden_layers": 8, "hidden_size": 64, "num_attention_heads": 4,
        "num_key_value_heads": 3,
        "vocab_size": 100, "intermediate_size": 96), ROOF_EFORMAT, "cannot share 3 KV heads");
    assert_refused(CONFIG("model_type": "llama", "num_hidden_layers": 8, "hidden_size": 65, "num_attention_heads": 4,
        "vocab_size": 100,
        "intermediate_size": 96), ROOF_EFORMAT, "not a multiple of num_attention_heads");
    assert_refused(TINY_CONFIG("model_type": "mixtral", "num_local_experts": 2, "num_experts_per_tok": 4),
        ROOF_EFORMAT, "more than the 2 experts");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_head_width), cmocka_unit_test(gpt2_implicit), cmocka_unit_test(nested_and_null),
        cmocka_unit_test(missing_keys_are_all_named), cmocka_unit_test(family_spellings),
            cmocka_unit_test(qwen1_half_width),
        cmocka_unit_test(mixtral), cmocka_unit_test(deepseek_v3), cmocka_unit_test(deepseek_v2_lite),
            cmocka_unit_test(alternating_window),
        cmocka_unit_test(windows_that_are_off), cmocka_unit_test(window_patterns), cmocka_unit_test(mixture_patterns),
        cmocka_unit_test(class_defaults), cmocka_unit_test(opt_350m), cmocka_unit_test(unknown_structure_is_refused),
        cmocka_unit_test(off_values_and_harmless_keys_pass), cmocka_unit_test(python_numbers),
            cmocka_unit_test(contradictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
