/* What a class has or has not whatever the file says. Totals: those of the class of that name in transformers 5.24
 * made from the same config on the meta device. */
#include "read/config/configs.h"
#include "roofline_read.h"

/* JSON as macro arguments, tables */
/* clang-format off */

#define OPT "\"model_type\": \"opt\", \"vocab_size\": 50272, \"hidden_size\": 768, \"num_hidden_layers\": 12, " \
            "\"num_attention_heads\": 12, \"ffn_dim\": 3072, \"max_position_embeddings\": 2048, " \
            "\"do_layer_norm_before\": true, \"word_embed_proj_dim\": 768, \"activation_function\": \"relu\", " \
            "\"enable_bias\": true, "
#define SMALL "\"hidden_act\": \"silu\", \"vocab_size\": 1000, \"hidden_size\": 128, \"num_hidden_layers\": 2, " \
              "\"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"intermediate_size\": 224, " \
              "\"tie_word_embeddings\": false, "

static void totals_of_classes(void **state) {
    (void)state;
    static const struct { const char *json; double total; } rows[] = {
        {"{" OPT "\"layer_norm_elementwise_affine\": true}", 125239296},
        {"{" OPT "\"layer_norm_elementwise_affine\": false}", 125200896}, /* (2 * 12 + 1) norms of 2 * 768 */
        {"{" OPT "\"_remove_final_layer_norm\": true}", 125237760},
        {"{" SMALL "\"model_type\": \"glm4v_text\"}", 528000}, /* q, k, v biases in both */
        {"{" SMALL "\"model_type\": \"glm4v_text\", \"attention_bias\": false}", 528000},
        {CONFIG("model_type": "glm_ocr_text", "vocab_size": 59392, "hidden_size": 1024, "intermediate_size": 4096,
            "num_hidden_layers": 16, "num_attention_heads": 16, "num_key_value_heads": 8, "hidden_act": "silu",
            "tie_word_embeddings": false), 373359616},
        {CONFIG("model_type": "qwen2_5_omni_text", "vocab_size": 152064, "hidden_size": 3584,
            "intermediate_size": 18944, "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4,
            "hidden_act": "silu", "use_sliding_window": false, "tie_word_embeddings": false), 7615616512},
        {CONFIG("model_type": "minimax_m2", "vocab_size": 200064, "hidden_size": 3072, "intermediate_size": 1536,
            "num_hidden_layers": 62, "num_attention_heads": 48, "num_key_value_heads": 8, "head_dim": 128,
            "hidden_act": "silu", "num_experts_per_tok": 8, "num_local_experts": 256,
            "tie_word_embeddings": false), 228689764864}, /* 62 * 256 corrections of the router */
        /* as save_pretrained writes it: the default pattern, spelled out */
        {CONFIG("model_type": "llama4_text", "attention_chunk_size": 16, "head_dim": 32, "hidden_act": "silu",
            "hidden_size": 128, "interleave_moe_layer_step": 2, "intermediate_size": 224, "intermediate_size_mlp": 256,
            "layer_types": ["chunked_attention", "chunked_attention", "chunked_attention", "full_attention"],
            "moe_layers": [1, 3], "no_rope_layer_interval": 4, "no_rope_layers": [1, 1, 1, 0],
            "num_attention_heads": 8, "num_experts_per_tok": 1, "num_hidden_layers": 4, "num_key_value_heads": 2,
            "num_local_experts": 4, "use_qk_norm": true, "vocab_size": 1000, "tie_word_embeddings": false), 1642624},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_model_file *file = read_text(rows[i].json);
        assert_exact(parameters_of(file).total, rows[i].total);
        assert_false(has_warning(file, "llama-like"));
        roof_model_file_free(file);
    }
}

static void refused_with_reasons(void **state) {
    (void)state;
    assert_refused("{" SMALL "\"model_type\": \"hyperclovax\", \"use_post_norm\": true}", ROOF_EUNSUPPORTED,
                   "key 'use_post_norm' changes the architecture");
    /* yuan_hf_model.py, modeling_diffllama.py, modeling_esmc.py: none is llama-like, and no key tells */
    assert_refused("{" SMALL "\"model_type\": \"yuan\"}", ROOF_EUNSUPPORTED, "filters its tokens by convolutions");
    assert_refused("{" SMALL "\"model_type\": \"diffllama\"}", ROOF_EUNSUPPORTED, "difference of two attentions");
    assert_refused("{" SMALL "\"model_type\": \"esmc\"}", ROOF_EUNSUPPORTED, "an encoder of proteins");
    assert_refused("{" SMALL "\"model_type\": \"muse_glimmer\"}", ROOF_EUNSUPPORTED, "an attention gate");
    assert_refused("{" SMALL "\"model_type\": \"granite_swa\"}", ROOF_EUNSUPPORTED, "attention sinks");
}

/* A share of the recurrence that is no whole number would reach the totals. */
static void heads_divide_the_recurrence(void **state) {
    (void)state;
    assert_refused(CONFIG("model_type": "recurrent_gemma", "block_types": ["recurrent", "recurrent", "attention"],
                       "head_dim": 32, "hidden_size": 128, "intermediate_size": 384, "lru_width": 2560,
                       "num_attention_heads": 12, "num_key_value_heads": 1, "num_hidden_layers": 3,
                       "vocab_size": 1000), ROOF_EFORMAT,
                   "lru_width 2560 is no multiple of num_attention_heads 12");
}

/* modeling_modernbert.py: |i - j| <= local_attention / 2. */
static void sides_of_modernbert_windows(void **state) {
    (void)state;
    roof_model_file *file = read_text(CONFIG("model_type": "modernbert", "architectures": ["ModernBertForMaskedLM"],
        "hidden_size": 128, "intermediate_size": 192, "local_attention": 16, "max_position_embeddings": 512,
        "num_attention_heads": 4, "num_hidden_layers": 3, "vocab_size": 1000, "hidden_activation": "gelu",
        "layer_types": ["full_attention", "sliding_attention", "sliding_attention"]));
    const roof_model *model = roof_model_file_model(file);
    assert_exact(model->layers[model->order ? model->order[1] : 0].attention.window, 17);
    assert_exact(parameters_of(file).total, 564200);
    roof_model_file_free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_of_classes),
        cmocka_unit_test(refused_with_reasons),
        cmocka_unit_test(heads_divide_the_recurrence),
        cmocka_unit_test(sides_of_modernbert_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
