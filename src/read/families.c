/* Families: one list over the groups, found by model_type or class, and the types that are refused by name. */
#include <string.h>

#include "read/config.h"
#include "read/match.h"

static const unsupported refused[] = {
    {"mamba mamba2 falcon_mamba", "state_size", "is a state-space model"},
    {"jamba", "attn_layer_period", "mixes attention with state-space layers"},
    {"nemotron_h*", "hybrid_override_pattern", "mixes attention with state-space layers"},
    {"zamba* bamba granitemoehybrid falcon_h1 plamo2", "mamba_d_state", "mixes attention with state-space layers"},
    {"gla delta_net gated_deltanet hgrn hgrn2 retnet rwkv* linear_attn", "attn_mode", "has linear attention"},
    {"qwen3_next qwen3_5*", "linear_num_key_heads", "mixes attention with linear-attention layers"},
    {"minimax minimax_m1 minimax_text_01 kimi_linear kimi_k3*", "attn_type_list",
     "mixes attention with linear-attention layers"},
    {"recurrent_gemma lfm2*", "layer_types", "mixes attention with other layers"},
    {"glm_moe_dsa deepseek_v32 deepseek_v3_2", "index_topk", "chooses its keys with an indexer"},
    {"deepseek_v4*", "compress_ratios", "compresses its cache layer by layer"},
    {"mllama*", "cross_attention_layers", "has cross-attention layers"},
    {"gemma3n* gemma4*", "num_kv_shared_layers", "shares caches between layers"},
    {"mimo_v2*", "hybrid_layer_pattern", "has two kinds of attention heads"},
    {"deci nemotron-nas", "block_configs", "has layers of different shapes"},
    {"bert roberta xlm-roberta distilbert albert electra deberta* mpnet nomic_bert modernbert", "type_vocab_size",
     "is an encoder"},
    {"t5 mt5 umt5 bart mbart marian m2m_100 pegasus led whisper speech_to_text", "is_encoder_decoder",
     "is an encoder and a decoder"},
    {"clip* siglip* vit dinov2 llava_vision", "patch_size", "is a vision model"},
};

static bool named(const char *globs, const char *name) {
    return name && *name && match_list(globs, name);
}

static const family_group *const groups[] = {&decoder_families, &state_families, &mixed_families, &encoder_families};

enum { GROUPS = sizeof groups / sizeof groups[0] };

static const family *find_by(const char *name, bool by_class) {
    for (int g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < groups[g]->count; i++) {
            const family *f = &groups[g]->rows[i];
            if (named(by_class ? f->classes : f->types, name))
                return f;
        }
    return NULL;
}

const family *family_find(const char *model_type, const char *class_name) {
    return model_type && *model_type ? find_by(model_type, false) : find_by(class_name, true);
}

const family *family_llama(void) {
    return &decoder_families.rows[0];
}

const unsupported *family_unsupported(const char *model_type, const char *class_name) {
    (void)class_name;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (named(refused[i].types, model_type))
            return &refused[i];
    return NULL;
}
