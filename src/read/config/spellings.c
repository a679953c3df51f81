/* One meaning, many spellings: the table of keys, and typed access to it. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "read/config/config.h"

enum { SPELLING_MAX = 10 };
typedef struct spelling {
    const char *keys[SPELLING_MAX]; /* the usual one first; "a.b" is b inside a */
    bool lax;                       /* spellings may differ: they are not quite the same thing */
} spelling;

static const spelling table[FIELD_COUNT] = {
    [FIELD_LAYERS] = {{"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, false},
    [FIELD_HIDDEN] = {{"hidden_size", "n_embd", "n_embed", "d_model", "dim"}, false},
    [FIELD_HEADS] = {{"num_attention_heads", "n_head", "n_heads", "num_heads"}, false},
    [FIELD_KV_HEADS] = {{"num_key_value_heads", "num_kv_heads", "n_head_kv", "attn_config.kv_n_heads", "n_kv_heads"},
                        false},
    [FIELD_HEAD_WIDTH] = {{"head_dim", "kv_channels", "attention_head_dim", "d_kv"}, false},
    [FIELD_FFN] = {{"intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim", "ffn_config.ffn_hidden_size", "d_ff",
                    "hidden_dim"},
                   false},
    [FIELD_FFN_TIMES] = {{"expansion_ratio"}, false},
    [FIELD_DENSE_FFN] = {{"intermediate_size_mlp"}, false},
    [FIELD_VOCAB] = {{"padded_vocab_size", "vocab_size"}, true},
    [FIELD_CONTEXT] = {{"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "max_sequence_length",
                        "n_ctx", "model_max_length"},
                       true},
    [FIELD_EMBEDDING_WIDTH] = {{"word_embed_proj_dim"}, false},
    [FIELD_TIED] = {{"tie_word_embeddings", "weight_tying", "tie_embedding", "tied_embeddings", "tie_embeddings"},
                    false},
    [FIELD_DTYPE] = {{"torch_dtype", "dtype", "params_dtype"}, true},
    [FIELD_ACTIVATION] = {{"hidden_act", "hidden_activation", "activation_function", "activation", "activation_type"},
                          true},
    [FIELD_ATTENTION_BIAS] = {{"attention_bias", "add_qkv_bias", "qkv_bias", "use_qkv_bias"}, false},
    [FIELD_BIAS] = {{"bias", "use_bias", "enable_bias", "add_bias_linear"}, false},
    [FIELD_NO_BIAS] = {{"no_bias"}, false},
    [FIELD_MLP_BIAS] = {{"mlp_bias"}, false},
    [FIELD_HEAD_BIAS] = {{"lm_head_bias"}, false},
    [FIELD_QK_NORM] = {{"use_qk_norm", "qk_layernorm", "attn_config.qk_ln"}, false},
    [FIELD_PARALLEL] = {{"parallel_attn", "use_parallel_residual"}, false},
    [FIELD_WINDOW] = {{"sliding_window", "sliding_window_size", "sliding_window_attention_size", "window_size"}, false},
    [FIELD_USE_WINDOW] = {{"use_sliding_window"}, false},
    [FIELD_WINDOW_FROM] = {{"max_window_layers"}, false},
    [FIELD_PATTERN] = {{"sliding_window_pattern", "_sliding_window_pattern"}, false},
    [FIELD_LAYER_TYPES] = {{"layer_types", "layers_block_type"}, false},
    [FIELD_CHUNK] = {{"attention_chunk_size"}, false},
    [FIELD_NO_ROPE_LAYERS] = {{"no_rope_layers"}, false},
    [FIELD_EXPERTS] = {{"num_local_experts", "num_experts", "n_routed_experts", "ffn_config.moe_num_experts",
                        "moe_num_experts"},
                       false},
    [FIELD_TOP_K] = {{"num_experts_per_tok", "experts_per_token", "ffn_config.moe_top_k", "moe_k", "top_k_experts",
                      "num_experts_per_token"},
                     false},
    [FIELD_EXPERT_WIDTH] = {{"moe_intermediate_size"}, false},
    [FIELD_SHARED_EXPERTS] = {{"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"}, false},
    [FIELD_SHARED_WIDTH] = {{"shared_expert_intermediate_size", "shared_intermediate_size"}, false},
    [FIELD_DENSE_FIRST] = {{"first_k_dense_replace"}, false},
    [FIELD_MOE_EVERY] = {{"moe_layer_freq"}, false},
    [FIELD_MOE_INTERLEAVE] = {{"interleave_moe_layer_step"}, false},
    [FIELD_SPARSE_STEP] = {{"decoder_sparse_step"}, false},
    [FIELD_DENSE_LAYERS] = {{"mlp_only_layers"}, false},
    [FIELD_MOE_LAYERS] = {{"moe_layers"}, false},
    [FIELD_ROUTER_BIAS] = {{"use_routing_bias", "moe_router_enable_expert_bias"}, false},
    [FIELD_TOPK_METHOD] = {{"topk_method"}, false},
    [FIELD_Q_RANK] = {{"q_lora_rank"}, false},
    [FIELD_KV_RANK] = {{"kv_lora_rank"}, false},
    [FIELD_NOPE_WIDTH] = {{"qk_nope_head_dim"}, false},
    [FIELD_ROPE_WIDTH] = {{"qk_rope_head_dim"}, false},
    [FIELD_V_WIDTH] = {{"v_head_dim"}, false},
    [FIELD_MTP] = {{"num_nextn_predict_layers", "num_mtp_modules"}, false},
    [FIELD_MTP_OFF] = {{"use_mtp"}, false},
    [FIELD_MULTI_QUERY] = {{"multi_query", "multi_query_attention"}, false},
    [FIELD_MULTI_GROUPS] = {{"multi_query_group_num"}, false},
    [FIELD_NEW_DECODER] = {{"new_decoder_architecture"}, false},
    [FIELD_PARALLEL_NORMS] = {{"num_ln_in_parallel_attn"}, false},
    [FIELD_ALIBI] = {{"alibi", "attn_config.alibi"}, false},
    [FIELD_ROPE] = {{"attn_config.rope"}, false},
    [FIELD_LEARNED] = {{"learned_pos_emb"}, false},
    [FIELD_NORM_BEFORE] = {{"do_layer_norm_before"}, false},
    [FIELD_VERSION] = {{"version"}, false},
    [FIELD_ATTENTION_LIST] = {{"attn_type_list"}, false},
    [FIELD_NEO_LAYERS] = {{"attention_layers"}, false},
    [FIELD_NEO_GROUPS] = {{"attention_types"}, false},
    [FIELD_QK_NORM_KIND] = {{"qk_norm_type"}, false},
};

const char *field_name(field f) {
    return f == FIELD_VOCAB ? "vocab_size" : table[f].keys[0];
}

static const json_node *member(const json_node *object, const char *key) {
    const char *dot = strchr(key, '.');
    if (!dot)
        return json_get(object, key);
    char outer[32];
    snprintf(outer, sizeof outer, "%.*s", (int)(dot - key), key);
    return json_get(json_get(object, outer), dot + 1);
}

static bool is_there(const json_node *node) {
    return json_kind_of(node) != JSON_NODE_NONE && json_kind_of(node) != JSON_NODE_NULL;
}

static bool same(const json_node *a, const json_node *b) {
    if (json_kind_of(a) != json_kind_of(b))
        return false;
    if (json_kind_of(a) == JSON_NODE_NUMBER)
        return json_number(a, 0) == json_number(b, 0);
    return json_bool(a, false) == json_bool(b, false);
}

static const char *schema_key(const reader *r, field f) {
    for (size_t i = 0; r->schema && r->schema->keys[i].key; i++)
        if (r->schema->keys[i].field == f)
            return r->schema->keys[i].key;
    return NULL;
}

static void remember(reader *r, const char *key) {
    for (size_t i = 0; i < r->own_count; i++)
        if (strcmp(r->own[i], key) == 0)
            return;
    if (r->own_count < OWN_MAX)
        r->own[r->own_count++] = key;
}

const json_node *field_node(reader *r, field f, const char **key) {
    const json_node *found = NULL;
    const char *first = NULL, *only = schema_key(r, f);
    if (only) {
        found = own_node(r, only);
        if (key)
            *key = only;
        return found;
    }
    for (int i = 0; i < SPELLING_MAX && table[f].keys[i]; i++) {
        const json_node *node = member(r->lm, table[f].keys[i]);
        if (!is_there(node))
            continue;
        r->used[f] |= (unsigned short)(1u << i);
        if (found && !table[f].lax && !same(found, node))
            fail_at(r, ROOF_EFORMAT, table[f].keys[i], "keys '%s' and '%s' mean the same and disagree", first,
                    table[f].keys[i]);
        if (!found) {
            found = node;
            first = table[f].keys[i];
        }
    }
    if (key)
        *key = first ? first : field_name(f);
    return found;
}

static int wrong_type(reader *r, const char *key, const json_node *node, const char *want) {
    return fail_at(r, ROOF_EFORMAT, key, "key '%s' is %s, not %s", key, json_kind_name(json_kind_of(node)), want);
}

double field_number(reader *r, field f, double otherwise) {
    const char *key;
    const json_node *node = field_node(r, f, &key);
    if (!node)
        return otherwise;
    if (json_kind_of(node) != JSON_NODE_NUMBER)
        wrong_type(r, key, node, "a number");
    return json_number(node, otherwise);
}

double field_count(reader *r, field f, double otherwise) {
    const char *key;
    if (!field_node(r, f, &key))
        return otherwise;
    double value = field_number(r, f, otherwise);
    if (!(value >= 0 && value <= 1099511627776.0 && value == floor(value))) {
        fail_at(r, ROOF_EFORMAT, key, "key '%s' is %g: it must be a whole number from 0 to 2^40", key, value);
        return otherwise;
    }
    return value;
}

static double preset_of(reader *r, field f) {
    for (int i = 0; i < PRESET_MAX && r->family->presets[i].value != 0; i++) {
        if (r->family->presets[i].field != f)
            continue;
        double value = r->family->presets[i].value;
        note(r, "%s: absent, so %.0f, the class default of %s", field_name(f), value, r->family->label);
        return value;
    }
    return 0;
}

double field_needed(reader *r, field f) {
    const char *key;
    if (field_node(r, f, &key)) {
        double value = field_count(r, f, 1);
        if (value < 1)
            fail_at(r, ROOF_EFORMAT, key, "key '%s' is 0", key);
        return value;
    }
    double value = preset_of(r, f);
    if (value > 0)
        return value;
    missing(r, key);
    return 1;
}

void missing(reader *r, const char *key) {
    size_t at = strlen(r->missing);
    snprintf(r->missing + at, sizeof r->missing - at, "%s'%s'", at ? ", " : "", key);
}

bool field_flag(reader *r, field f, bool otherwise) {
    const char *key;
    const json_node *node = field_node(r, f, &key);
    if (!node)
        return otherwise;
    if (json_kind_of(node) != JSON_NODE_BOOL)
        wrong_type(r, key, node, "true or false");
    return json_bool(node, otherwise);
}

const char *field_text(reader *r, field f) {
    const char *key;
    const json_node *node = field_node(r, f, &key);
    if (node && !json_text(node))
        wrong_type(r, key, node, "a string");
    return json_text(node);
}

const json_node *own_node(reader *r, const char *key) {
    remember(r, key);
    const json_node *node = member(r->lm, key);
    return is_there(node) ? node : NULL;
}

static double counted(reader *r, const char *key, double value, double otherwise) {
    if (value >= 0 && value <= 1099511627776.0 && value == floor(value))
        return value;
    fail_at(r, ROOF_EFORMAT, key, "key '%s' is %g: it must be a whole number from 0 to 2^40", key, value);
    return otherwise;
}

static double own_number(reader *r, const char *key, double otherwise) {
    const json_node *node = own_node(r, key);
    if (node && json_kind_of(node) != JSON_NODE_NUMBER)
        wrong_type(r, key, node, "a number");
    if (!node)
        note(r, "%s: absent, so %g, the class default of %s", key, otherwise, r->family->label);
    return json_number(node, otherwise);
}

/* Configs multiply widths by 1 to 4; a factor far beyond is damage, and widths stay finite below this. */
double factor_checked(reader *r, const char *key, double value, double otherwise) {
    static const double most = 4096;
    if (value > 0 && value <= most)
        return value;
    fail_at(r, ROOF_EFORMAT, key, "key '%s' is %g: it must be above 0 and at most %.0f", key, value, most);
    return otherwise;
}

double own_factor(reader *r, const char *key, double otherwise) {
    return factor_checked(r, key, own_number(r, key, otherwise), otherwise);
}

double own_layers(reader *r, const char *key) {
    double layers = own_needed(r, key);
    if (layers <= LAYERS_MAX)
        return layers;
    fail_at(r, ROOF_EFORMAT, key, "key '%s' is %.0f: at most %d layers can be read", key, layers, LAYERS_MAX);
    return 1;
}

double own_count(reader *r, const char *key, double otherwise) {
    return counted(r, key, own_number(r, key, otherwise), otherwise);
}

double own_needed(reader *r, const char *key) {
    if (!own_node(r, key)) {
        missing(r, key);
        return 1;
    }
    double value = own_count(r, key, 1);
    if (value < 1)
        fail_at(r, ROOF_EFORMAT, key, "key '%s' is 0", key);
    return value;
}

double own_at(reader *r, const char *key, size_t index, double otherwise) {
    const json_node *node = own_node(r, key);
    bool list = json_kind_of(node) == JSON_NODE_LIST;
    const json_node *item = list ? json_at(node, index) : node;
    if (list && json_kind_of(item) != JSON_NODE_NUMBER) {
        fail_at(r, ROOF_EFORMAT, key, "key '%s' has no number for layer %zu", key, index);
        return otherwise;
    }
    if (item && json_kind_of(item) != JSON_NODE_NUMBER)
        wrong_type(r, key, item, "a number or a list of them");
    return item ? counted(r, key, json_number(item, otherwise), otherwise) : otherwise;
}

bool own_flag(reader *r, const char *key, bool otherwise) {
    const json_node *node = own_node(r, key);
    if (node && json_kind_of(node) != JSON_NODE_BOOL)
        wrong_type(r, key, node, "true or false");
    return json_bool(node, otherwise);
}

const char *own_text(reader *r, const char *key) {
    const json_node *node = own_node(r, key);
    if (node && !json_text(node))
        wrong_type(r, key, node, "a string");
    return json_text(node);
}

bool field_is_used(const reader *r, const char *key) {
    for (size_t i = 0; i < r->own_count; i++)
        if (strcmp(r->own[i], key) == 0)
            return true;
    for (int f = 0; f < FIELD_COUNT; f++)
        for (int i = 0; i < SPELLING_MAX && table[f].keys[i]; i++)
            if ((r->used[f] >> i & 1) && strcmp(table[f].keys[i], key) == 0)
                return true;
    return false;
}

bool node_is_off(const json_node *node) {
    switch (json_kind_of(node)) {
    case JSON_NODE_NUMBER:
        return json_number(node, 0) == 0;
    case JSON_NODE_BOOL:
        return !json_bool(node, false);
    case JSON_NODE_TEXT:
        return !json_text(node)[0];
    case JSON_NODE_LIST:
    case JSON_NODE_OBJECT:
        return json_size(node) == 0;
    default:
        return true;
    }
}
