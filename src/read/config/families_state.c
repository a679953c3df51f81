/* Families whose layers, or some of them, keep a state of fixed size instead of a cache that grows. */
#include <math.h>
#include <string.h>

#include "read/config/config.h"

/* "auto", or absent: one for every 16 of the hidden width. */
static double time_step_rank(reader *r, const char *key) {
    const json_node *node = own_node(r, key);
    const char *word = json_text(node);
    if (node && !(word && strcmp(word, "auto") == 0))
        return own_needed(r, key);
    double rank = ceil(r->shape.hidden / 16);
    note(r, "%s: %s, so %.0f as hidden_size / 16", key, word ? "auto" : "absent", rank);
    return rank;
}

/* A number or "auto" (or absent): `otherwise`. */
static double number_or_auto(reader *r, const char *key, double otherwise) {
    const json_node *node = own_node(r, key);
    const char *word = json_text(node);
    if (!node || (word && strcmp(word, "auto") == 0)) {
        note(r, "%s: %s, so %.0f", key, word ? "auto" : "absent", otherwise);
        return otherwise;
    }
    return own_needed(r, key);
}

static double either(reader *r, const char *first, const char *second, double otherwise) {
    return own_node(r, first) ? own_count(r, first, otherwise) : own_count(r, second, otherwise);
}

/* ---- Mamba ---- */

static int mamba(reader *r) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    b->kind = ROOF_STATE_MAMBA;
    b->heads = floor(own_factor(r, "expand", 2) * s->hidden);
    b->value_width = 1;
    b->key_width = own_count(r, "state_size", 16);
    b->conv = own_count(r, "conv_kernel", 4);
    b->bias = own_flag(r, "use_bias", false);
    b->conv_bias = own_flag(r, "use_conv_bias", true);
    b->ranks[0] = time_step_rank(r, "time_step_rank");
    s->ffn = 0; /* newer files state the inner width, which follows from expand */
    s->norms = 1;
    return 0;
}

static int check_mamba2(reader *r) {
    const roof_state_block *b = &r->shape.state;
    if (r->missing[0] || (b->key_heads > 0 && fmod(b->heads, b->key_heads) == 0))
        return 0;
    return fail_at(r, ROOF_EFORMAT, NULL, "%.0f state heads cannot share %.0f groups evenly", b->heads, b->key_heads);
}

static int mamba2(reader *r) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    double width = floor(own_factor(r, "expand", 2) * s->hidden);
    b->kind = ROOF_STATE_MAMBA2;
    b->value_width = own_count(r, "head_dim", 64);
    b->heads = own_count(r, "num_heads", b->value_width > 0 ? floor(width / b->value_width) : 0);
    b->key_heads = own_count(r, "n_groups", 8);
    b->key_width = own_count(r, "state_size", 128);
    b->conv = own_count(r, "conv_kernel", 4);
    b->bias = own_flag(r, "use_bias", false);
    b->conv_bias = own_flag(r, "use_conv_bias", true);
    b->norm = width;
    b->chunk = own_count(r, "chunk_size", 256);
    (void)own_node(r, "time_step_rank");
    s->ffn = 0;
    s->norms = 1;
    if (!r->failed && b->heads * b->value_width != width)
        return fail_at(r, ROOF_EFORMAT, "num_heads",
                       "num_heads %.0f times head_dim %.0f is not expand times hidden %.0f", b->heads, b->value_width,
                       width);
    return check_mamba2(r);
}

/* The author's own files (state-spaces/mamba): d_model, n_layer, ssm_cfg, and a vocabulary that is padded. */
static int mamba_ssm(reader *r) {
    shape *s = &r->shape;
    const char *layer = own_text(r, "ssm_cfg.layer");
    bool second = layer && strcmp(layer, "Mamba2") == 0;
    double pad = own_count(r, "pad_vocab_size_multiple", 8);
    if (pad > 1)
        s->vocab = ceil(s->vocab / pad) * pad;
    s->norm = own_flag(r, "rms_norm", true) ? ROOF_NORM_RMS : ROOF_NORM_LAYER;
    roof_state_block *b = &s->state;
    double width = floor(own_factor(r, "ssm_cfg.expand", 2) * s->hidden);
    b->kind = second ? ROOF_STATE_MAMBA2 : ROOF_STATE_MAMBA;
    b->value_width = second ? own_count(r, "ssm_cfg.headdim", 64) : 1;
    b->heads = b->value_width > 0 ? floor(width / b->value_width) : 0;
    b->key_heads = second ? own_count(r, "ssm_cfg.ngroups", 1) : 0;
    b->key_width = own_count(r, "ssm_cfg.d_state", second ? 128 : 16);
    b->conv = own_count(r, "ssm_cfg.d_conv", 4);
    b->conv_bias = true;
    b->norm = second ? width : 0;
    b->ranks[0] = second ? 0 : ceil(s->hidden / 16);
    s->norms = 1;
    if (!node_is_off(own_node(r, "attn_layer_idx")) || own_count(r, "d_intermediate", 0) > 0)
        return fail_at(
            r, ROOF_EUNSUPPORTED, "attn_layer_idx",
            "a Mamba model with attention layers in the schema of mamba_ssm cannot be judged by this version");
    return second ? check_mamba2(r) : 0;
}

/* What the hybrids call it: mamba_*. */
static int mixed_mamba2(reader *r, double heads, double head, double state, double groups) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    b->kind = ROOF_STATE_MAMBA2;
    b->heads = own_count(r, "mamba_n_heads", heads);
    double inner =
        own_node(r, "mamba_d_ssm") ? own_needed(r, "mamba_d_ssm") : floor(own_factor(r, "mamba_expand", 2) * s->hidden);
    b->value_width = number_or_auto(r, "mamba_d_head", b->heads > 0 ? floor(inner / b->heads) : head);
    b->key_heads = own_count(r, "mamba_n_groups", groups);
    b->key_width = own_count(r, "mamba_d_state", state);
    b->conv = own_count(r, "mamba_d_conv", 4);
    b->bias = own_flag(r, "mamba_proj_bias", false);
    b->conv_bias = own_flag(r, "mamba_conv_bias", true);
    b->norm = b->heads * b->value_width;
    b->chunk = own_count(r, "mamba_chunk_size", 256);
    (void)own_node(r, "mamba_expand");
    if (!r->failed && b->heads * b->value_width != inner)
        return fail_at(r, ROOF_EFORMAT, "mamba_n_heads",
                       "mamba_n_heads %.0f times mamba_d_head %.0f is not the inner width %.0f", b->heads,
                       b->value_width, inner);
    return check_mamba2(r);
}

/* ---- Hybrids ---- */

static char *new_marks(reader *r) {
    char *marks = keep(r, (size_t)r->shape.layers + 1);
    if (marks) {
        memset(marks, 'M', (size_t)r->shape.layers);
        marks[(size_t)r->shape.layers] = '\0';
    }
    r->shape.marks = marks;
    return marks;
}

/* Zero-based (or one-based) layer numbers of a list, marked with `mark`. */
static int mark_listed(reader *r, const char *key, double first, char *marks, char mark) {
    const json_node *list = own_node(r, key);
    for (size_t i = 0; marks && i < json_size(list); i++) {
        double at = json_number(json_at(list, i), -1) - first;
        if (!(at >= 0 && at < r->shape.layers && at == floor(at)))
            return fail_at(r, ROOF_EFORMAT, key, "key '%s' names layer %g, and there are %.0f", key, at + first,
                           r->shape.layers);
        marks[(size_t)at] = mark;
    }
    return marks ? 0 : -1;
}

/* Attention in every period-th layer, from `offset` on. */
static int mark_period(reader *r, const char *key, double period, double offset) {
    char *marks = new_marks(r);
    if (period < 1)
        return fail_at(r, ROOF_EFORMAT, key, "key '%s' is 0", key);
    for (size_t i = 0; marks && i < (size_t)r->shape.layers; i++)
        if (fmod((double)i, period) == offset)
            marks[i] = '*';
    return marks ? 0 : -1;
}

static int jamba(reader *r) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    b->kind = ROOF_STATE_MAMBA;
    b->heads = floor(own_factor(r, "mamba_expand", 2) * s->hidden);
    b->value_width = 1;
    b->key_width = own_count(r, "mamba_d_state", 16);
    b->conv = own_count(r, "mamba_d_conv", 4);
    b->bias = own_flag(r, "mamba_proj_bias", false);
    b->conv_bias = own_flag(r, "mamba_conv_bias", true);
    b->ranks[0] = time_step_rank(r, "mamba_dt_rank");
    b->norm = own_flag(r, "mamba_inner_layernorms", true) ? b->ranks[0] + 2 * b->key_width : 0;
    (void)own_node(r, "use_mamba_kernels");
    (void)own_node(r, "layers_block_type");
    s->layer_types = NULL; /* the periods say it, in all versions of the class */
    if (s->experts == 1)
        s->experts = 0; /* then every layer has the dense MLP */
    return mark_period(r, "attn_layer_period", own_count(r, "attn_layer_period", 8),
                       own_count(r, "attn_layer_offset", 4));
}

static int jamba_layer(reader *r, size_t index, roof_layer *out) {
    double period = own_count(r, "expert_layer_period", 2), offset = own_count(r, "expert_layer_offset", 1);
    const shape *s = &r->shape;
    bool moe = s->experts > 0 && period >= 1 && fmod((double)index, period) == offset;
    if (!moe)
        out->mlp = (roof_mlp_block){.kind = ROOF_MLP_DENSE, .gated = true, .width = s->ffn};
    return 0;
}

/* Nemotron-H writes a letter a layer; newer files a word. */
static int nemotron_words(reader *r) {
    static const struct {
        const char *word;
        char mark;
    } words[] = {{"linear_attention", 'M'}, {"mamba", 'M'}, {"full_attention", '*'},
                 {"attention", '*'},        {"mlp", '-'},   {"moe", 'E'}};
    char *marks = new_marks(r);
    for (size_t i = 0; marks && i < (size_t)r->shape.layers; i++) {
        size_t w = 0;
        while (w < sizeof words / sizeof words[0] && !layer_is(r, i, words[w].word))
            w++;
        if (w == sizeof words / sizeof words[0])
            return fail_at(r, ROOF_EUNSUPPORTED, "layers_block_type",
                           "key 'layers_block_type' has a kind of layer %zu that is unknown", i);
        marks[i] = words[w].mark;
    }
    return marks ? 0 : -1;
}

static int nemotron_marks(reader *r) {
    const char *pattern = own_text(r, "hybrid_override_pattern");
    shape *s = &r->shape;
    if (!pattern && s->layer_types)
        return nemotron_words(r);
    if (!pattern) {
        missing(r, "hybrid_override_pattern");
        return 0;
    }
    s->layer_types = NULL;
    if (strspn(pattern, "M*-E") != strlen(pattern))
        return fail_at(r, ROOF_EUNSUPPORTED, "hybrid_override_pattern",
                       "key 'hybrid_override_pattern' holds '%c', and M, *, - and E are known",
                       pattern[strspn(pattern, "M*-E")] >= ' ' ? pattern[strspn(pattern, "M*-E")] : '?');
    if (strlen(pattern) != (size_t)s->layers)
        return fail_at(r, ROOF_EFORMAT, "hybrid_override_pattern",
                       "key 'hybrid_override_pattern' lists %zu layers, not %.0f", strlen(pattern), s->layers);
    s->marks = keep_text(r, "%s", pattern);
    return s->marks ? 0 : -1;
}

static int nemotron_h(reader *r) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    b->kind = ROOF_STATE_MAMBA2;
    b->heads = own_count(r, "mamba_num_heads", 128);
    b->value_width = own_count(r, "mamba_head_dim", 64);
    b->key_heads = either(r, "mamba_n_groups", "n_groups", 8);
    b->key_width = own_count(r, "ssm_state_size", 128);
    b->conv = either(r, "mamba_d_conv", "conv_kernel", 4);
    b->bias = own_flag(r, "use_bias", own_flag(r, "mamba_proj_bias", false));
    b->conv_bias = own_flag(r, "use_conv_bias", true);
    b->norm = b->heads * b->value_width;
    b->chunk = either(r, "mamba_chunk_size", "chunk_size", 128);
    static const char *const derived[] = {"expand",
                                          "mamba_expand",
                                          "time_step_rank",
                                          "mamba_hidden_act",
                                          "mamba_ssm_cache_dtype",
                                          "mtp_hybrid_override_pattern",
                                          "mtp_layers_block_type",
                                          "moe_shared_expert_overlap"};
    for (size_t i = 0; i < sizeof derived / sizeof derived[0]; i++)
        (void)own_node(r, derived[i]);
    s->norms = 1;
    if (nemotron_marks(r) != 0 || r->missing[0])
        return r->failed ? -1 : 0;
    if (strchr(s->marks, 'E')) {
        s->experts = field_needed(r, FIELD_EXPERTS);
        s->top_k = field_needed(r, FIELD_TOP_K);
        s->expert_width = field_needed(r, FIELD_EXPERT_WIDTH);
        s->shared_width = own_count(r, "moe_shared_expert_intermediate_size", 0);
        (void)field_node(r, FIELD_SHARED_EXPERTS, NULL);
    }
    if (strchr(s->marks, '-'))
        (void)field_needed(r, FIELD_FFN);
    return check_mamba2(r);
}

static int nemotron_layer(reader *r, size_t index, roof_layer *out) {
    const shape *s = &r->shape;
    char mark = s->marks[index];
    roof_mlp_block dense = out->mlp;
    memset(&out->mlp, 0, sizeof out->mlp);
    if (mark == '-' || mark == 'E')
        memset(&out->attention, 0, sizeof out->attention);
    if (mark == '-') {
        out->mlp = dense;
        out->mlp.kind = ROOF_MLP_DENSE;
        out->mlp.width = s->ffn;
        out->mlp.bias = s->bias & BIAS_MLP;
    }
    if (mark == 'E') {
        out->mlp.kind = ROOF_MLP_MOE;
        out->mlp.bias = s->bias & BIAS_MLP;
        out->mlp.width = s->expert_width;
        out->mlp.experts = s->experts;
        out->mlp.top_k = s->top_k;
        out->mlp.shared_width = s->shared_width;
        out->mlp.router_bias = true;
        out->mlp.latent_width = own_count(r, "moe_latent_size", 0);
    }
    return 0;
}

/* DeltaNet layers with attention in every full_attention_interval-th. */
static int gated_delta(reader *r) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    b->kind = ROOF_STATE_GATED_DELTA;
    b->heads = own_count(r, "linear_num_value_heads", 32);
    b->key_heads = own_count(r, "linear_num_key_heads", 16);
    b->key_width = own_count(r, "linear_key_head_dim", 128);
    b->value_width = own_count(r, "linear_value_head_dim", 128);
    b->conv = own_count(r, "linear_conv_kernel_dim", 4);
    b->norm = b->value_width;
    (void)own_node(r, "mamba_ssm_dtype");
    (void)own_node(r, "attn_output_gate");
    (void)own_node(r, "mtp_use_dedicated_embeddings");
    if (own_node(r, "mtp_num_hidden_layers"))
        s->mtp = own_count(r, "mtp_num_hidden_layers", 0);
    double interval =
        own_node(r, "full_attention_interval") || !s->layer_types ? own_count(r, "full_attention_interval", 4) : 4;
    return s->layer_types ? 0 : mark_period(r, "full_attention_interval", interval, interval - 1);
}

static int gated_attention_layer(reader *r, size_t index, roof_layer *out) {
    (void)r;
    (void)index;
    out->attention.output_gate = out->attention.kind != ROOF_ATTENTION_NONE;
    return 0;
}

static int kimi_linear(reader *r) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    b->kind = ROOF_STATE_KIMI_DELTA;
    b->heads = own_count(r, "linear_attn_config.num_heads", own_count(r, "linear_num_heads", 32));
    b->key_width = own_count(r, "linear_attn_config.head_dim", own_count(r, "linear_head_dim", 128));
    b->value_width = b->key_width;
    b->conv = own_count(r, "linear_attn_config.short_conv_kernel_size", own_count(r, "linear_conv_kernel_dim", 4));
    b->norm = b->value_width;
    b->ranks[0] = b->ranks[1] = b->key_width;
    (void)own_node(r, "linear_attn_config");
    (void)own_node(r, "mla_use_nope");
    s->no_rope = own_flag(r, "mla_use_nope", true);
    if (s->layer_types)
        return 0;
    if (own_node(r, "linear_attn_config.full_attn_layers")) {
        (void)own_node(r, "linear_attn_config.kda_layers");
        return mark_listed(r, "linear_attn_config.full_attn_layers", 1, new_marks(r), '*');
    }
    note(r, "linear_attn_config.full_attn_layers: absent, so every 4th layer, the class default of kimi-linear");
    char *marks = new_marks(r);
    for (size_t i = 4; marks && i < (size_t)s->layers; i += 4)
        marks[i] = '*';
    return marks ? 0 : -1;
}

/* attn_type_list: 0 lightning, 1 softmax. */
static int minimax(reader *r) {
    shape *s = &r->shape;
    const json_node *list = field_node(r, FIELD_ATTENTION_LIST, NULL);
    roof_state_block *b = &s->state;
    b->kind = ROOF_STATE_LIGHTNING;
    b->heads = s->heads;
    b->key_width = b->value_width = s->head_width;
    b->norm = s->heads * s->head_width;
    b->chunk = own_count(r, "block_size", 256);
    static const char *const constants[] = {"postnorm",
                                            "linear_attn_alpha_factor",
                                            "linear_attn_beta_factor",
                                            "full_attn_alpha_factor",
                                            "full_attn_beta_factor",
                                            "mlp_alpha_factor",
                                            "mlp_beta_factor",
                                            "layernorm_full_attention_alpha",
                                            "layernorm_full_attention_beta",
                                            "layernorm_linear_attention_alpha",
                                            "layernorm_linear_attention_beta",
                                            "layernorm_mlp_alpha",
                                            "layernorm_mlp_beta",
                                            "shared_moe_mode"};
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        (void)own_node(r, constants[i]);
    if (s->layer_types)
        return 0;
    if (!list)
        return mark_period(r, "attn_type_list", 2, 0);
    if (json_size(list) != (size_t)s->layers)
        return fail_at(r, ROOF_EFORMAT, "attn_type_list", "key 'attn_type_list' lists %zu layers, not %.0f",
                       json_size(list), s->layers);
    char *marks = new_marks(r);
    for (size_t i = 0; marks && i < json_size(list); i++)
        if (json_number(json_at(list, i), 0) == 1)
            marks[i] = '*';
    return marks ? 0 : -1;
}

static int granite_hybrid(reader *r) {
    shape *s = &r->shape;
    const char *positions = own_text(r, "position_embedding_type");
    s->no_rope = !positions || strcmp(positions, "rope") != 0;
    if (!s->layer_types && !new_marks(r))
        return -1;
    if (s->shared_width == 0)
        s->shared_width = own_count(r, "shared_intermediate_size", 1024);
    return mixed_mamba2(r, 128, 64, 256, 1);
}

/* The shared MLP is in every layer; without experts it is the only one. */
static int granite_layer(reader *r, size_t index, roof_layer *out) {
    (void)index;
    if (r->shape.experts == 0)
        out->mlp = (roof_mlp_block){.kind = ROOF_MLP_DENSE, .gated = true, .width = r->shape.shared_width};
    return 0;
}

static int bamba(reader *r) {
    (void)own_node(r, "attn_rotary_emb");
    (void)own_node(r, "z_loss_coefficient");
    if (mixed_mamba2(r, 128, 64, 256, 1) != 0)
        return -1;
    return r->shape.layer_types ? 0 : mark_listed(r, "attn_layer_indices", 0, new_marks(r), '*');
}

static int falcon_h1(reader *r) {
    r->shape.layer_types = NULL;
    if (mixed_mamba2(r, 128, 64, 256, 1) != 0)
        return -1;
    if (!own_flag(r, "mamba_rms_norm", false))
        r->shape.state.norm = 0;
    static const char *const more[] = {"mamba_norm_before_gate", "projectors_bias", "mamba_use_mlp",
                                       "ssm_multipliers",        "mlp_multipliers", "mlp_expansion_factor",
                                       "attn_layer_indices"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        (void)own_node(r, more[i]);
    return 0;
}

/* Attention and state side by side in every layer. */
static int falcon_h1_layer(reader *r, size_t index, roof_layer *out) {
    (void)index;
    out->state = r->shape.state;
    return 0;
}

static void short_convolution(reader *r) {
    roof_state_block *b = &r->shape.state;
    b->kind = ROOF_STATE_SHORT_CONV;
    b->heads = r->shape.hidden;
    b->value_width = 1;
    b->conv = own_count(r, "conv_L_cache", 3);
    b->bias = b->conv_bias = own_flag(r, "conv_bias", false);
    static const char *const same[] = {"conv_dim",
                                       "conv_dim_out",
                                       "block_dim",
                                       "block_mlp_init_scale",
                                       "block_norm_eps",
                                       "block_out_init_scale",
                                       "block_use_swiglu",
                                       "block_use_xavier_init",
                                       "conv_use_xavier_init",
                                       "use_pos_enc",
                                       "theta",
                                       "block_ff_dim",
                                       "tie_embedding"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        (void)own_node(r, same[i]);
    if (own_node(r, "tie_embedding"))
        r->shape.tied = own_flag(r, "tie_embedding", true);
}

static int lfm2_marks(reader *r) {
    if (r->shape.layer_types)
        return 0;
    if (own_node(r, "full_attn_idxs"))
        return mark_listed(r, "full_attn_idxs", 0, new_marks(r), '*');
    missing(r, "layer_types");
    return 0;
}

static int lfm2(reader *r) {
    shape *s = &r->shape;
    short_convolution(r);
    if (own_node(r, "block_ff_dim"))
        s->ffn = own_needed(r, "block_ff_dim");
    double stated = s->ffn, multiple = own_count(r, "block_multiple_of", 256);
    double times = own_factor(r, "block_ffn_dim_multiplier", 1);
    if (own_flag(r, "block_auto_adjust_ff_dim", true) && multiple >= 1 && times > 0) {
        s->ffn = ceil(floor(times * floor(2 * stated / 3)) / multiple) * multiple;
        note(r, "intermediate_size: %.0f as block_auto_adjust_ff_dim makes of %.0f", s->ffn, stated);
    }
    s->dense_ffn = 0;
    return lfm2_marks(r);
}

static int lfm2_moe(reader *r) {
    shape *s = &r->shape;
    short_convolution(r);
    s->dense_first = own_count(r, "num_dense_layers", 2);
    s->router_bias = own_flag(r, "use_expert_bias", true);
    return lfm2_marks(r);
}

static const family rows[] = {
    FAMILY("mamba", "mamba falcon_mamba", "MambaForCausalLM FalconMambaForCausalLM",
           "modeling_mamba.py, modeling_falcon_mamba.py", .norm = ROOF_NORM_RMS, .tied = true, .no_attention = true,
           .no_mlp = true, .adjust = mamba,
           .ignore =
               "time_step_* residual_in_fp32 rescale_prenorm_residual use_mambapy use_falcon_mambapy mixer_rms_eps "
               "fuse_* use_associative_scan ssm_cfg n_layer d_model d_inner mamba_*"),
    FAMILY("mamba2", "mamba2", "Mamba2ForCausalLM", "modeling_mamba2.py", .norm = ROOF_NORM_RMS, .no_attention = true,
           .no_mlp = true, .adjust = mamba2,
           .ignore = "time_step_* residual_in_fp32 rescale_prenorm_residual norm_before_gate rms_norm fuse_*"),
    FAMILY("mamba-ssm", "mamba_ssm", "MambaLMHeadModel",
           "state-spaces/mamba mamba_ssm/models/config_mamba.py, modules/mamba_simple.py, mamba2.py",
           .norm = ROOF_NORM_RMS, .tied = true, .no_attention = true, .no_mlp = true, .adjust = mamba_ssm,
           .ignore = "residual_in_fp32 fused_add_norm ssm_cfg attn_cfg tie_embeddings"),
    FAMILY("jamba", "jamba", "JambaForCausalLM", "modeling_jamba.py", .norm = ROOF_NORM_RMS, .moe = MOE_ALL,
           .expert_is_ffn = true, .no_rope = true, .adjust = jamba, .layer = jamba_layer,
           .presets = {{FIELD_EXPERTS, 16}, {FIELD_TOP_K, 2}},
           .ignore = "use_mambapy use_associative_scan calc_logits_for_entire_prompt layers_block_type"),
    FAMILY("nemotron-h", "nemotron_h", "NemotronHForCausalLM", "modeling_nemotron_h.py", .norm = ROOF_NORM_RMS,
           .plain = true, .no_rope = true, .no_mlp = true, .mtp = true, .presets = {{FIELD_HEAD_WIDTH, 128}},
           .ignore = "time_step_* residual_in_fp32 rescale_prenorm_residual mtp_* layers_block_type use_mamba_kernels",
           .adjust = nemotron_h, .layer = nemotron_layer),
    FAMILY("qwen3-next", "qwen3_next", "Qwen3NextForCausalLM", "modeling_qwen3_next.py", .norm = ROOF_NORM_RMS,
           .qk = QK_HEAD, .moe = MOE_QWEN, .shared_gate = true, .presets = {{FIELD_HEAD_WIDTH, 256}},
           .adjust = gated_delta, .layer = gated_attention_layer),
    FAMILY("qwen3.5", "qwen3_5 qwen3_5_text", "Qwen3_5ForCausalLM Qwen3_5ForConditionalGeneration",
           "modeling_qwen3_5.py", .norm = ROOF_NORM_RMS, .qk = QK_HEAD, .presets = {{FIELD_HEAD_WIDTH, 256}},
           .adjust = gated_delta, .layer = gated_attention_layer, .ignore = "mlp_only_layers"),
    FAMILY("qwen3.5-moe", "qwen3_5_moe qwen3_5_moe_text", "Qwen3_5MoeForCausalLM Qwen3_5MoeForConditionalGeneration",
           "modeling_qwen3_5_moe.py", .norm = ROOF_NORM_RMS, .qk = QK_HEAD, .moe = MOE_QWEN, .no_mlp = true,
           .shared_gate = true, .presets = {{FIELD_HEAD_WIDTH, 256}}, .adjust = gated_delta,
           .layer = gated_attention_layer, .ignore = "intermediate_size"),
    FAMILY("kimi-linear", "kimi_linear", "KimiLinearForCausalLM", "modeling_kimi_linear.py", .norm = ROOF_NORM_RMS,
           .moe = MOE_FIRST_DENSE, .latent = true, .router_bias = true, .adjust = kimi_linear, .mtp = true,
           .ignore =
               "head_dim qk_head_dim linear_attn_config moe_router_activation_func moe_renormalize use_grouped_topk "
               "num_expert_group"),
    FAMILY("minimax", "minimax minimax_m1 minimax_text_01 MiniMaxText01 MiniMaxM1",
           "MiniMaxForCausalLM MiniMaxM1ForCausalLM MiniMaxText01ForCausalLM", "modeling_minimax.py",
           .norm = ROOF_NORM_RMS, .moe = MOE_ALL, .expert_is_ffn = true, .adjust = minimax),
    FAMILY("granite-hybrid", "granitemoehybrid", "GraniteMoeHybridForCausalLM", "modeling_granitemoehybrid.py",
           .norm = ROOF_NORM_RMS, .moe = MOE_ALL, .expert_is_ffn = true, .adjust = granite_hybrid,
           .layer = granite_layer, .presets = {{FIELD_SHARED_WIDTH, 1024}},
           .ignore = "normalization_function time_step_limit"),
    FAMILY("bamba", "bamba", "BambaForCausalLM", "modeling_bamba.py", .norm = ROOF_NORM_RMS, .adjust = bamba),
    FAMILY("falcon-h1", "falcon_h1", "FalconH1ForCausalLM", "modeling_falcon_h1.py", .norm = ROOF_NORM_RMS,
           .adjust = falcon_h1, .layer = falcon_h1_layer, .ignore = "time_step_limit layers_block_type"),
    FAMILY("lfm2", "lfm2", "Lfm2ForCausalLM", "modeling_lfm2.py", .norm = ROOF_NORM_RMS, .qk = QK_HEAD, .tied = true,
           .adjust = lfm2),
    FAMILY("lfm2-moe", "lfm2_moe", "Lfm2MoeForCausalLM", "modeling_lfm2_moe.py", .norm = ROOF_NORM_RMS, .qk = QK_HEAD,
           .tied = true, .moe = MOE_FIRST_DENSE, .adjust = lfm2_moe),
};

const family_group state_families = {rows, sizeof rows / sizeof rows[0]};
