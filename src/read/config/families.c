/* Families: one list over the groups, found by model_type or class, and the types that are refused by name. */
#include <string.h>

#include "read/config/config.h"
#include "read/match.h"

static const unsupported refused[] = {
    {"zamba* plamo2 hymba", "mamba_d_state", "mixes attention with state-space layers in a way of its own"},
    {"retnet hgrn rwkv linear_attn abc gsa lightnet log_linear_mamba2 samba", "attn_mode", "has linear attention"},
    {"kimi_k3* glm5_next* olmo_hybrid", "linear_attn_config", "mixes attention with linear-attention layers"},
    {"minimax_m3*", "sparse_attention_config", "selects its keys by block"},
    {"gemma3n* gemma4_assistant", "num_kv_shared_layers", "has an embedding table for every layer"},
    {"albert electra deberta* mpnet longformer big_bird", "type_vocab_size", "is a different kind of encoder"},
    {"bart mbart marian m2m_100 pegasus led longt5 speech_to_text", "is_encoder_decoder",
     "is an encoder and a decoder"},
    {"clip* siglip* vit dinov2 llava_vision", "patch_size", "is a vision model"},
    {"yuan", "model_type", "filters its tokens by convolutions inside the attention"},
    {"diffllama", "lambda_std_dev", "takes the difference of two attentions"},
    {"esmc", "model_type", "is an encoder of proteins"},
    {"muse_glimmer*", "model_type", "has an attention gate that no key tells"},
    {"granite_swa", "model_type", "has attention sinks"},
    {"longcat*", "zero_expert_num", "has two attention blocks per layer and zero-computation experts"},
};

static bool named(const char *globs, const char *name) {
    return name && *name && match_list(globs, name);
}

static const family_group *const groups[] = {&decoder_families, &state_families, &fla_families, &mixed_families,
                                             &encoder_families};

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

const unsupported *family_unsupported(const char *model_type) {
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (named(refused[i].types, model_type))
            return &refused[i];
    return NULL;
}
