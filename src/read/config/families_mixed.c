/* Families with attention in more than one shape: sparse, compressed, shared, crossed, or different layer by layer. */
#include <math.h>
#include <string.h>

#include "read/config/config.h"

static void asked(reader *r, const char *const *keys, size_t count) {
    for (size_t i = 0; i < count; i++)
        (void)own_node(r, keys[i]);
}

#define ASKED(r, ...)                                                                                                  \
    do {                                                                                                               \
        static const char *const keys_[] = {__VA_ARGS__};                                                              \
        asked(r, keys_, sizeof keys_ / sizeof keys_[0]);                                                               \
    } while (0)

static bool in_list(const json_node *list, double value) {
    for (size_t i = 0; i < json_size(list); i++)
        if (json_number(json_at(list, i), -1) == value)
            return true;
    return false;
}

/* ---- DeepSeek V3.2 and GLM-5: an indexer in every layer, or the choice of an earlier one used again ---- */

static int indexed(reader *r) {
    ASKED(r, "indexer_rope_interleave", "index_share_for_mtp_iteration", "index_topk_freq", "index_skip_topk_offset");
    (void)own_needed(r, "index_topk");
    (void)own_needed(r, "index_n_heads");
    (void)own_needed(r, "index_head_dim");
    if (r->shape.q_rank == 0)
        return fail_at(r, ROOF_EFORMAT, "q_lora_rank", "an indexer needs 'q_lora_rank', and the file has none");
    r->shape.layer_types = NULL; /* "indexed_attention" throughout */
    return 0;
}

/* configuration_glm_moe_dsa.py: a letter a layer, or every so many layers. */
static bool chooses(reader *r, size_t index) {
    const char *pattern = own_text(r, "index_topk_pattern");
    const json_node *types = own_node(r, "indexer_types");
    if (types)
        return !json_text(json_at(types, index)) || strcmp(json_text(json_at(types, index)), "shared") != 0;
    if (pattern && index < strlen(pattern))
        return pattern[index] != 'S';
    double freq = own_node(r, "index_topk_freq") ? fmax(own_count(r, "index_topk_freq", 1), 1) : 1;
    double offset = own_node(r, "index_skip_topk_offset") ? own_count(r, "index_skip_topk_offset", 2) : 2;
    return fmod(fmax((double)index - offset + 1, 0), freq) == 0;
}

static int indexed_layer(reader *r, size_t index, roof_layer *out) {
    roof_attention_block *a = &out->attention;
    a->index_topk = own_count(r, "index_topk", 0);
    a->index_width = own_count(r, "index_head_dim", 0);
    a->index_heads = chooses(r, index) ? own_count(r, "index_n_heads", 0) : 0;
    return 0;
}

/* ---- DeepSeek V4 ---- */

enum { COMPRESS_INDEXED = 4, COMPRESS_ALL = 128 };

static int deepseek_v4(reader *r) {
    shape *s = &r->shape;
    ASKED(r, "compress_rope_theta", "hc_eps", "hc_sinkhorn_iters", "expert_dtype", "num_hash_layers", "compress_ratios",
          "qk_rope_head_dim", "compress_rates");
    s->q_rank = own_needed(r, "q_lora_rank");
    (void)own_needed(r, "o_lora_rank");
    (void)own_needed(r, "o_groups");
    (void)own_needed(r, "index_topk");
    (void)own_needed(r, "index_n_heads");
    (void)own_needed(r, "index_head_dim");
    (void)own_needed(r, "sliding_window");
    const json_node *list = own_node(r, "compress_ratios");
    if (!list && !s->layer_types)
        missing(r, "compress_ratios");
    if (list && json_size(list) < (size_t)s->layers)
        return fail_at(r, ROOF_EFORMAT, "compress_ratios", "key 'compress_ratios' lists %zu layers, not %.0f",
                       json_size(list), s->layers);
    s->v_width = s->head_width;
    return 0;
}

static double ratio_of(reader *r, size_t index) {
    static const struct {
        const char *word;
        double ratio;
    } words[] = {{"sliding_attention", 0},
                 {"compressed_sparse_attention", COMPRESS_INDEXED},
                 {"heavily_compressed_attention", COMPRESS_ALL}};
    if (own_node(r, "compress_ratios"))
        return own_at(r, "compress_ratios", index, 0);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (layer_is(r, index, words[i].word))
            return words[i].ratio;
    return -1;
}

static int deepseek_v4_layer(reader *r, size_t index, roof_layer *out) {
    const shape *s = &r->shape;
    double ratio = ratio_of(r, index);
    if (ratio != 0 && ratio != COMPRESS_INDEXED && ratio != COMPRESS_ALL)
        return fail_at(r, ROOF_EUNSUPPORTED, own_node(r, "compress_ratios") ? "compress_ratios" : "layer_types",
                       "layer %zu has an unknown compression ratio: 0, 4 and 128 are known", index);
    roof_attention_block *a = &out->attention;
    memset(a, 0, sizeof *a);
    a->kind = ROOF_ATTENTION_COMPRESSED;
    a->heads = s->heads;
    a->kv_heads = 1;
    a->head_width = a->value_width = s->head_width;
    a->window = own_count(r, "sliding_window", 128);
    a->sinks = true;
    a->q_rank = s->q_rank;
    a->rope_width = own_node(r, "qk_rope_head_dim") ? own_count(r, "qk_rope_head_dim", 0) : s->head_width / 8;
    a->compress = ratio;
    a->out_rank = own_count(r, "o_lora_rank", 0);
    a->out_groups = own_count(r, "o_groups", 1);
    if (ratio == COMPRESS_INDEXED) {
        a->index_heads = own_count(r, "index_n_heads", 0);
        a->index_width = own_count(r, "index_head_dim", 0);
        a->index_topk = own_count(r, "index_topk", 0);
    }
    /* The first layers choose experts by a table of token ids, and have no score correction. */
    out->mlp.router_bias = (double)index >= own_count(r, "num_hash_layers", 3);
    return 0;
}

static int deepseek_v4_finish(reader *r, roof_model *model) {
    model->streams = own_count(r, "hc_mult", 4);
    model->prediction_parameters = 0;
    if (r->shape.mtp > 0)
        warn(r, "the prediction module of DeepSeek V4 is not counted: what it holds is not described");
    return 0;
}

/* ---- Gemma 4 ---- */

static int gemma4(reader *r) {
    shape *s = &r->shape;
    ASKED(r, "vocab_size_per_layer_input", "global_head_dim", "num_global_key_value_heads", "attention_k_eq_v",
          "use_double_wide_mlp", "moe_intermediate_size", "expert_intermediate_size", "use_bidirectional_attention");
    double more = own_node(r, "hidden_size_per_layer_input") ? own_count(r, "hidden_size_per_layer_input", 0) : 256;
    if (more > 0)
        return fail_at(r, ROOF_EUNSUPPORTED, "hidden_size_per_layer_input",
                       "an embedding table for every layer (hidden_size_per_layer_input %.0f) cannot be judged by this "
                       "version",
                       more);
    if (!own_flag(r, "enable_moe_block", false))
        return 0;
    s->experts = field_needed(r, FIELD_EXPERTS);
    s->top_k = field_needed(r, FIELD_TOP_K);
    s->expert_width = own_node(r, "expert_intermediate_size") ? own_needed(r, "expert_intermediate_size")
                                                              : own_needed(r, "moe_intermediate_size");
    return 0;
}

static int gemma4_layer(reader *r, size_t index, roof_layer *out) {
    const shape *s = &r->shape;
    roof_attention_block *a = &out->attention;
    double shared = own_node(r, "num_kv_shared_layers") ? own_count(r, "num_kv_shared_layers", 0) : 0;
    bool full = a->kind == ROOF_ATTENTION_FULL, equal = own_flag(r, "attention_k_eq_v", false);
    if (full) {
        a->head_width = own_node(r, "global_head_dim") ? own_needed(r, "global_head_dim") : 512;
        if (equal && own_node(r, "num_global_key_value_heads"))
            a->kv_heads = own_needed(r, "num_global_key_value_heads");
        a->tied_kv = equal;
    }
    a->value_width = a->head_width;
    a->q_norm = a->k_norm = a->head_width;
    if ((double)index >= s->layers - shared) {
        a->shared_kv = true;
        a->k_norm = 0;
        if (own_flag(r, "use_double_wide_mlp", false))
            out->mlp.width *= 2;
    }
    out->vectors = 1; /* layer_scalar */
    if (s->experts > 0) {
        out->mlp.kind = ROOF_MLP_MOE;
        out->mlp.dense_width = out->mlp.width;
        out->mlp.width = s->expert_width;
        out->mlp.experts = s->experts;
        out->mlp.top_k = s->top_k;
        out->norms = 7;
        out->vectors += s->hidden + s->experts; /* scales of the router and of each expert */
    }
    return 0;
}

/* ---- MiMo-V2: windows with heads of their own ---- */

static int mimo_v2(reader *r) {
    shape *s = &r->shape;
    ASKED(r, "swa_num_attention_heads", "swa_num_key_value_heads", "swa_head_dim", "swa_v_head_dim",
          "add_swa_attention_sink_bias", "add_full_attention_sink_bias", "attention_value_scale", "swa_rope_theta",
          "hybrid_block_size", "attention_chunk_size", "attention_projection_layout", "v_head_dim",
          "hybrid_layer_pattern", "sliding_window_size");
    if (own_node(r, "v_head_dim"))
        s->v_width = own_needed(r, "v_head_dim");
    if (!own_node(r, "hybrid_layer_pattern") && !s->layer_types)
        missing(r, "hybrid_layer_pattern");
    s->chunk = 0;
    return 0;
}

static int mimo_v2_layer(reader *r, size_t index, roof_layer *out) {
    roof_attention_block *a = &out->attention;
    bool sliding = own_node(r, "hybrid_layer_pattern") ? own_at(r, "hybrid_layer_pattern", index, 0) != 0
                                                       : layer_is(r, index, "sliding_attention");
    a->kind = ROOF_ATTENTION_FULL;
    a->window = 0;
    a->sinks = own_flag(r, sliding ? "add_swa_attention_sink_bias" : "add_full_attention_sink_bias", sliding);
    if (!sliding)
        return 0;
    double window = r->shape.window;
    if (window < 1)
        return fail_at(r, ROOF_EFORMAT, NULL, "key 'sliding_window' is missing, and layer %zu slides", index);
    a->kind = ROOF_ATTENTION_SLIDING;
    a->window = window;
    if (own_node(r, "swa_num_attention_heads"))
        a->heads = own_needed(r, "swa_num_attention_heads");
    a->kv_heads = own_node(r, "swa_num_key_value_heads") ? own_needed(r, "swa_num_key_value_heads") : 2 * a->kv_heads;
    if (own_node(r, "swa_head_dim"))
        a->head_width = own_needed(r, "swa_head_dim");
    if (own_node(r, "swa_v_head_dim"))
        a->value_width = own_needed(r, "swa_v_head_dim");
    return 0;
}

/* ---- Step 3.5 and 3.7 ---- */

static int step3(reader *r) {
    shape *s = &r->shape;
    ASKED(r, "attention_other_setting", "num_sliding_attention_heads", "moe_layers_enum", "use_head_wise_attn_gate",
          "swiglu_limits", "swiglu_limits_shared", "moe_router_scaling_factor", "moe_router_activation",
          "use_moe_router_bias", "need_fp32_gate", "partial_rotary_factors", "yarn_only_types", "norm_expert_weight",
          "share_expert_dim", "share_expert_dims", "att_impl_type", "use_moe", "mtp_layer_types",
          "mtp_mlp_layer_types");
    if (own_node(r, "num_attention_groups"))
        s->kv_heads = own_needed(r, "num_attention_groups");
    s->shared_width =
        own_node(r, "share_expert_dims") ? own_needed(r, "share_expert_dims") : own_needed(r, "share_expert_dim");
    if (own_node(r, "moe_router_bias") && !own_flag(r, "moe_router_bias", true))
        s->router_bias = false;
    return 0;
}

/* "3,4,5": the layers with experts. */
static bool listed_in_text(const char *list, size_t index) {
    while (list && *list) {
        char *end;
        unsigned long long value = 0;
        size_t digits = strspn(list, "0123456789");
        for (size_t i = 0; i < digits && i < 9; i++)
            value = value * 10 + (unsigned long long)(list[i] - '0');
        if (digits > 0 && value == index)
            return true;
        end = strchr(list, ',');
        list = end ? end + 1 : NULL;
    }
    return false;
}

static int step3_layer(reader *r, size_t index, roof_layer *out) {
    const shape *s = &r->shape;
    roof_attention_block *a = &out->attention;
    a->head_gate = true;
    a->value_width = a->head_width;
    if (a->kind == ROOF_ATTENTION_SLIDING) {
        if (own_node(r, "attention_other_setting.num_attention_heads"))
            a->heads = own_needed(r, "attention_other_setting.num_attention_heads");
        else if (own_node(r, "num_sliding_attention_heads"))
            a->heads = own_needed(r, "num_sliding_attention_heads");
        else
            return fail_at(r, ROOF_EFORMAT, NULL,
                           "key 'attention_other_setting' is missing: the heads of the sliding layers are unknown");
    }
    const char *moe = json_text(own_node(r, "moe_layers_enum"));
    if (moe && !listed_in_text(moe, index))
        out->mlp = (roof_mlp_block){.kind = ROOF_MLP_DENSE, .gated = true, .width = s->ffn};
    return 0;
}

/* ---- EXAONE 4: a window in three of four layers, written "LLLG" or 4 ---- */

static int exaone4(reader *r) {
    shape *s = &r->shape;
    const json_node *pattern = own_node(r, "sliding_window_pattern");
    const char *word = json_text(pattern);
    if (s->layer_types || s->window == 0)
        return 0;
    size_t last = word ? strspn(word, "L") : 0;
    if (word && (word[last] != 'G' || word[last + 1]))
        return fail_at(r, ROOF_EUNSUPPORTED, "sliding_window_pattern",
                       "key 'sliding_window_pattern' is '%.20s', and only patterns such as LLLG are known", word);
    s->period = word ? (double)last + 1 : json_number(pattern, 4);
    if (s->period < 1)
        s->window = 0;
    return 0;
}

/* ---- MiniCPM3: latent attention without experts ---- */

static int minicpm3(reader *r) {
    shape *s = &r->shape;
    if (own_node(r, "v_head_dim"))
        return 0;
    s->v_width = floor(s->hidden / s->heads);
    note(r, "v_head_dim: absent, so %.0f as hidden_size / num_attention_heads", s->v_width);
    return 0;
}

/* ---- Hunyuan: numbers that may be lists of one a layer ---- */

static int hunyuan_moe(reader *r) {
    shape *s = &r->shape;
    ASKED(r, "moe_topk", "num_shared_expert", "moe_intermediate_size", "moe_layer_num_skipped", "use_mixed_mlp_moe",
          "moe_drop_tokens", "moe_random_routing_dropped_token", "capacity_factor", "group_limited_greedy", "n_group",
          "num_experts", "norm_topk_prob", "use_rotary_pos_emb", "use_mla", "attention_head_dim",
          "add_classification_head", "anyres_pooling_size", "num_media_embeds", "position_embedding_xdrope");
    if (own_flag(r, "use_cla", false))
        return fail_at(r, ROOF_EUNSUPPORTED, "use_cla",
                       "key 'use_cla' shares caches between layers in a way this version does not know");
    ASKED(r, "use_cla", "cla_share_factor");
    s->experts = own_at(r, "num_experts", 0, 1);
    if (s->experts <= 1)
        s->experts = 0;
    return 0;
}

static int hunyuan_layer(reader *r, size_t index, roof_layer *out) {
    const shape *s = &r->shape;
    double skipped = own_node(r, "moe_layer_num_skipped") ? own_count(r, "moe_layer_num_skipped", 0) : 0;
    if (s->experts == 0 || (double)index < skipped)
        return 0;
    roof_mlp_block *m = &out->mlp;
    m->kind = ROOF_MLP_MOE;
    m->experts = own_at(r, "num_experts", index, 0);
    m->top_k = own_at(r, "moe_topk", index, 1);
    m->width = own_at(r, "moe_intermediate_size", index, s->ffn);
    /* modeling_hunyuan_v1_moe.py has one shared MLP; the remote code as many as the list says */
    m->shared_width = s->ffn * (own_node(r, "num_shared_expert") ? own_at(r, "num_shared_expert", index, 1) : 1);
    if (m->top_k > m->experts)
        return fail_at(r, ROOF_EFORMAT, "moe_topk", "key 'moe_topk' is more than the %.0f experts there are",
                       m->experts);
    return 0;
}

/* ---- ERNIE 4.5 ---- */

static int ernie_moe(reader *r) {
    ASKED(r, "moe_layer_start_index", "moe_layer_end_index", "moe_layer_interval", "moe_norm_min", "moe_capacity",
          "moe_gate", "moe_use_aux_free", "moe_aux_loss_lambda", "moe_intermediate_size");
    return 0;
}

/* An index, or a list of one a modality: the text one is first. */
static double ernie_index(reader *r, const char *key, double otherwise) {
    const json_node *node = own_node(r, key);
    node = json_kind_of(node) == JSON_NODE_LIST ? json_at(node, 0) : node;
    double value = json_number(node, otherwise);
    return value < 0 ? r->shape.layers - 1 : value;
}

static int ernie_layer(reader *r, size_t index, roof_layer *out) {
    const shape *s = &r->shape;
    double interval = fmax(ernie_index(r, "moe_layer_interval", 1), 1), at = (double)index;
    bool moe = fmod(at + 1, interval) == 0 && at >= ernie_index(r, "moe_layer_start_index", 1) &&
               at <= ernie_index(r, "moe_layer_end_index", s->layers - 1);
    if (!moe)
        out->mlp =
            (roof_mlp_block){.kind = ROOF_MLP_DENSE, .gated = true, .bias = (s->bias & BIAS_MLP) != 0, .width = s->ffn};
    return 0;
}

/* ---- Mllama: some layers attend to the image instead of the text ---- */

static int mllama(reader *r) {
    const json_node *list = own_node(r, "cross_attention_layers");
    for (size_t i = 0; i < json_size(list); i++)
        if (!(json_number(json_at(list, i), -1) >= 0 && json_number(json_at(list, i), -1) < r->shape.layers))
            return fail_at(r, ROOF_EFORMAT, "cross_attention_layers",
                           "key 'cross_attention_layers' names layer %g of %.0f", json_number(json_at(list, i), -1),
                           r->shape.layers);
    if (json_size(list) > 0)
        warn(r,
             "the %zu layers of cross_attention_layers are counted as they run beside an image; text alone skips them",
             json_size(list));
    r->shape.extra_rows = 8; /* nn.Embedding(vocab_size + 8): the image token is read and never written */
    return 0;
}

static int mllama_layer(reader *r, size_t index, roof_layer *out) {
    if (!in_list(own_node(r, "cross_attention_layers"), (double)index))
        return 0;
    out->cross = out->attention;
    out->cross.no_rope = true;
    out->cross.q_norm = out->cross.k_norm = out->cross.head_width;
    memset(&out->attention, 0, sizeof out->attention);
    out->vectors = 2; /* the gates of both branches */
    return 0;
}

/* ---- Models made by search: every layer has a shape of its own (Nemotron-Super, DeciLM) ---- */

/* modeling_decilm.py: two thirds of twice the multiple, to the next 256. */
static double deci_width(const shape *s, double times) {
    return ceil(floor(2 * times * s->hidden / 3) / 256) * 256;
}

static int deci(reader *r) {
    shape *s = &r->shape;
    ASKED(r, "block_configs", "num_key_value_heads_per_layer");
    const json_node *blocks = own_node(r, "block_configs"), *heads = own_node(r, "num_key_value_heads_per_layer");
    if (!blocks && !heads)
        missing(r, "block_configs");
    const json_node *list = blocks ? blocks : heads;
    if (list && json_size(list) != (size_t)s->layers)
        return fail_at(r, ROOF_EFORMAT, blocks ? "block_configs" : "num_key_value_heads_per_layer",
                       "key '%s' lists %zu layers, not %.0f",
                       blocks ? "block_configs" : "num_key_value_heads_per_layer", json_size(list), s->layers);
    if (heads && !blocks && s->ffn == 0)
        missing(r, "intermediate_size");
    return 0;
}

static int deci_attention(reader *r, size_t index, const json_node *block, roof_layer *out) {
    double groups = json_number(json_get(block, "n_heads_in_group"), 0);
    if (json_bool(json_get(block, "no_op"), false)) {
        memset(&out->attention, 0, sizeof out->attention);
        out->norms--;
        return 0;
    }
    if (json_bool(json_get(block, "replace_with_linear"), false))
        return fail_at(
            r, ROOF_EUNSUPPORTED, "block_configs",
            "layer %zu of block_configs has a linear layer for its attention, which this version cannot judge", index);
    if (groups < 1 || fmod(out->attention.heads, groups) != 0)
        return fail_at(r, ROOF_EFORMAT, "block_configs",
                       "layer %zu of block_configs has no n_heads_in_group that divides %.0f", index,
                       out->attention.heads);
    out->attention.kv_heads = out->attention.heads / groups;
    return 0;
}

static int deci_layer(reader *r, size_t index, roof_layer *out) {
    const shape *s = &r->shape;
    const json_node *block = json_at(own_node(r, "block_configs"), index), *ffn = json_get(block, "ffn");
    out->mlp = (roof_mlp_block){.kind = ROOF_MLP_DENSE, .gated = true, .width = s->ffn};
    if (!block) {
        out->attention.kv_heads = own_at(r, "num_key_value_heads_per_layer", index, out->attention.kv_heads);
        if (out->attention.kv_heads < 1 || fmod(out->attention.heads, out->attention.kv_heads) != 0)
            return fail_at(r, ROOF_EFORMAT, "num_key_value_heads_per_layer",
                           "%.0f attention heads cannot share %.0f KV heads evenly", out->attention.heads,
                           out->attention.kv_heads);
        return 0;
    }
    if (deci_attention(r, index, json_get(block, "attention"), out) != 0)
        return -1;
    if (json_bool(json_get(ffn, "replace_with_linear"), false))
        return fail_at(r, ROOF_EUNSUPPORTED, "block_configs",
                       "layer %zu of block_configs has a linear layer for its MLP, which this version cannot judge",
                       index);
    double times = json_number(json_get(ffn, "ffn_mult"), 0),
           width = json_number(json_get(ffn, "intermediate_size"), 0);
    out->mlp.width = width > 0 ? width : deci_width(s, times);
    if (json_bool(json_get(ffn, "no_op"), false)) {
        memset(&out->mlp, 0, sizeof out->mlp);
        out->norms--;
    } else if (!(out->mlp.width >= 1 && out->mlp.width <= 1e9)) {
        return fail_at(r, ROOF_EFORMAT, "block_configs", "layer %zu of block_configs has no ffn_mult", index);
    }
    return 0;
}

/* ---- RecurrentGemma ---- */

static int recurrent_gemma(reader *r) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    double width = own_node(r, "lru_width") ? own_needed(r, "lru_width") : s->hidden;
    if (s->heads > 0 && fmod(width, s->heads) != 0)
        return fail_at(r, ROOF_EFORMAT, "lru_width", "lru_width %.0f is no multiple of num_attention_heads %.0f", width,
                       s->heads);
    b->kind = ROOF_STATE_RGLRU;
    b->heads = s->heads;
    b->value_width = width / s->heads;
    b->conv = own_count(r, "conv1d_width", 4);
    b->bias = b->conv_bias = true;
    s->ffn = floor(s->ffn / 2);
    note(r, "intermediate_size: that of two matrices together in this family, so %.0f each", s->ffn);
    ASKED(r, "attention_window_size", "block_types", "lru_width", "w_init_variance_scale",
          "final_w_init_variance_scale", "logits_soft_cap", "layers_block_type");
    s->window = own_count(r, "attention_window_size", 2048);
    s->layer_types = NULL;
    const json_node *types = own_node(r, "block_types");
    char *marks = keep(r, (size_t)s->layers + 1);
    for (size_t i = 0; marks && i < (size_t)s->layers; i++) {
        const char *word = types && json_size(types) > 0 ? json_text(json_at(types, i % json_size(types)))
                           : i % 3 == 2                  ? "attention"
                                                         : "recurrent";
        marks[i] = word && strcmp(word, "recurrent") == 0 ? 'M' : '*';
    }
    s->marks = marks;
    return marks ? 0 : -1;
}

static int recurrent_gemma_layer(reader *r, size_t index, roof_layer *out) {
    (void)index;
    out->mlp.bias = true;
    if (out->attention.kind != ROOF_ATTENTION_NONE) {
        out->attention.kind = ROOF_ATTENTION_SLIDING;
        out->attention.window = r->shape.window;
        out->attention.output_bias = true;
    }
    return 0;
}

static const family rows[] = {
    FAMILY("deepseek-v3.2", "deepseek_v32 deepseek_v3_2 glm_moe_dsa", "DeepseekV32ForCausalLM GlmMoeDsaForCausalLM",
           "modeling_deepseek_v32.py, modeling_glm_moe_dsa.py; DeepSeek-V3.2-Exp inference/model.py",
           .norm = ROOF_NORM_RMS, .moe = MOE_FIRST_DENSE, .latent = true, .router_bias = true, .mtp = true,
           .ignore = "head_dim qk_head_dim index_topk_pattern indexer_types", .adjust = indexed,
           .layer = indexed_layer),
    FAMILY("deepseek-v4", "deepseek_v4", "DeepseekV4ForCausalLM", "modeling_deepseek_v4.py", .norm = ROOF_NORM_RMS,
           .moe = MOE_FIRST_DENSE, .no_mlp = true, .router_bias = true, .mtp = true,
           .ignore = "num_nextn_predict_layers partial_rotary_factor", .window = WINDOW_ALL,
           .presets = {{FIELD_HEAD_WIDTH, 512}}, .adjust = deepseek_v4, .layer = deepseek_v4_layer,
           .finish = deepseek_v4_finish),
    FAMILY("gemma4", "gemma4 gemma4_text gemma4_unified gemma4_unified_text",
           "Gemma4ForCausalLM Gemma4ForConditionalGeneration", "modeling_gemma4.py, configuration_gemma4.py",
           .norm = ROOF_NORM_RMS, .norms = 4, .tied = true, .qk = QK_HEAD, .window = WINDOW_PERIOD, .period = 6,
           .presets = {{FIELD_HEAD_WIDTH, 256}, {FIELD_WINDOW, 512}}, .adjust = gemma4, .layer = gemma4_layer),
    FAMILY("mimo-v2", "mimo_v2 mimo_v2_flash", "MiMoV2FlashForCausalLM MiMoV2ForCausalLM", "modeling_mimo_v2_flash.py",
           .norm = ROOF_NORM_RMS, .attention_bias = BIAS_QKV, .window = WINDOW_ALL, .moe = MOE_FIRST_DENSE,
           .router_bias = true, .mtp = true, .adjust = mimo_v2, .layer = mimo_v2_layer),
    FAMILY("step3", "step3p5 step3p7 step3p5_flash", "Step3p5ForCausalLM Step3p7ForConditionalGeneration",
           "modeling_step3p7.py, configuration_step3p7.py", .norm = ROOF_NORM_RMS, .qk = QK_HEAD, .window = WINDOW_ALL,
           .moe = MOE_FIRST_DENSE, .router_bias = true, .mtp = true, .ignore = "n_shared_experts",
           .presets = {{FIELD_HEAD_WIDTH, 128}}, .adjust = step3, .layer = step3_layer),
    FAMILY("exaone4", "exaone4", "Exaone4ForCausalLM", "modeling_exaone4.py", .norm = ROOF_NORM_RMS, .qk = QK_HEAD,
           .window = WINDOW_PERIOD, .adjust = exaone4),
    FAMILY("exaone-moe", "exaone_moe", "ExaoneMoeForCausalLM", "modeling_exaone_moe.py", .norm = ROOF_NORM_RMS,
           .qk = QK_HEAD, .window = WINDOW_PERIOD, .moe = MOE_FIRST_DENSE, .router_bias = true, .mtp = true,
           .adjust = exaone4),
    FAMILY("minicpm3", "minicpm3", "MiniCPM3ForCausalLM", "modeling_minicpm3.py", .norm = ROOF_NORM_RMS, .latent = true,
           .tied = true, .ignore = "head_dim qk_head_dim", .presets = {{FIELD_V_WIDTH, 64}}, .adjust = minicpm3),
    FAMILY("hunyuan-moe", "hunyuan_v1_moe hunyuan", "HunYuanMoEV1ForCausalLM", "modeling_hunyuan_v1_moe.py",
           .norm = ROOF_NORM_RMS, .qk = QK_HEAD, .adjust = hunyuan_moe, .layer = hunyuan_layer),
    FAMILY("ernie4.5-moe", "ernie4_5_moe", "Ernie4_5_MoeForCausalLM Ernie4_5_MoEForCausalLM",
           "modeling_ernie4_5_moe.py", .norm = ROOF_NORM_RMS, .tied = true, .all_bias = BIAS_LINEAR | BIAS_HEAD,
           .moe = MOE_FIRST_DENSE, .router_bias = true, .adjust = ernie_moe, .layer = ernie_layer),
    FAMILY("mllama", "mllama mllama_text_model", "MllamaForCausalLM MllamaForConditionalGeneration",
           "modeling_mllama.py", .norm = ROOF_NORM_RMS, .adjust = mllama, .layer = mllama_layer),
    FAMILY("deci", "deci nemotron-nas", "DeciLMForCausalLM", "Llama-3_3-Nemotron-Super-49B-v1 modeling_decilm.py",
           .norm = ROOF_NORM_RMS, .no_mlp = true, .adjust = deci, .layer = deci_layer),
    FAMILY("recurrent-gemma", "recurrent_gemma", "RecurrentGemmaForCausalLM", "modeling_recurrent_gemma.py",
           .norm = ROOF_NORM_RMS, .tied = true, .adjust = recurrent_gemma, .layer = recurrent_gemma_layer),
};

const family_group mixed_families = {rows, sizeof rows / sizeof rows[0]};
