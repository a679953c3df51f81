/* Families of flash-linear-attention (fla): gated linear attention, delta nets, HGRN2, RWKV 6 and 7. Its training
 * configs rely on class defaults, which each function states. */
#include <math.h>
#include <string.h>

#include "read/config/config.h"

/* Its gated MLP: hidden_ratio * hidden * 2/3, to the next multiple of 256. */
static void fla_mlp(reader *r, double ratio, double multiple, double part) {
    shape *s = &r->shape;
    if (field_node(r, FIELD_FFN, NULL))
        return;
    double times = own_factor(r, "hidden_ratio", ratio);
    s->ffn = ceil(floor(s->hidden * times * part) / multiple) * multiple;
    note(r, "intermediate_size: absent, so %.0f from hidden_ratio %g", s->ffn, times);
}

static int fla_common(reader *r) {
    static const char *const quiet[] = {"attn_mode",   "hidden_ratio",       "fuse_norm",
                                        "fuse_swiglu", "fuse_cross_entropy", "fuse_linear_cross_entropy",
                                        "use_l2warp",  "elementwise_affine", "qk_activation",
                                        "clamp_min",   "use_lower_bound",    "allow_neg_eigval",
                                        "feature_map", "norm_first",         "norm_bias"};
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++)
        (void)own_node(r, quiet[i]);
    if (!node_is_off(own_node(r, "attn")))
        return fail_at(r, ROOF_EUNSUPPORTED, "attn",
                       "key 'attn' mixes attention layers into the %s family in a way this version does not know",
                       r->family->label);
    return 0;
}

static void fla_heads(reader *r, roof_state_kind kind, double heads, double expand_k, double expand_v) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    b->kind = kind;
    b->heads = own_count(r, "num_heads", heads);
    double keys = floor(own_factor(r, "expand_k", expand_k) * s->hidden + 0.5);
    double values = floor(own_factor(r, "expand_v", expand_v) * s->hidden + 0.5);
    b->key_width = b->heads > 0 ? keys / b->heads : 0;
    b->value_width = b->heads > 0 ? values / b->heads : 0;
    if (b->key_width != floor(b->key_width) || b->value_width != floor(b->value_width) || b->heads == 0)
        fail_at(r, ROOF_EFORMAT, "num_heads", "%.0f keys and %.0f values cannot be split among num_heads %.0f", keys,
                values, b->heads);
}

static int gla(reader *r) {
    fla_mlp(r, 4, 256, 2.0 / 3);
    fla_heads(r, ROOF_STATE_GATED_LINEAR, 4, 0.5, 1);
    roof_state_block *b = &r->shape.state;
    b->norm = b->value_width;
    b->ranks[0] = own_count(r, "gate_low_rank_dim", 16);
    b->conv = own_flag(r, "use_short_conv", false) ? own_count(r, "conv_size", 4) : 0;
    if (!own_flag(r, "use_output_gate", true) || !own_flag(r, "use_gk", true) || own_flag(r, "use_gv", false) ||
        own_node(r, "num_kv_heads"))
        return fail_at(
            r, ROOF_EUNSUPPORTED, NULL,
            "a gla model without use_output_gate or use_gk, or with use_gv or num_kv_heads, cannot be judged "
            "by this version");
    return fla_common(r);
}

static int delta_net(reader *r) {
    fla_mlp(r, 4, 256, 2.0 / 3);
    fla_heads(r, ROOF_STATE_DELTA, 16, 1, 1);
    roof_state_block *b = &r->shape.state;
    const char *norm = own_text(r, "qk_norm");
    b->norm = b->value_width;
    b->output_gate = own_flag(r, "use_gate", false);
    b->conv = own_flag(r, "use_short_conv", true) ? own_count(r, "conv_size", 4) : 0;
    (void)own_node(r, "use_output_norm");
    if (!own_flag(r, "use_beta", true) || (norm && strcmp(norm, "l2") != 0 && strcmp(norm, "sum") != 0))
        return fail_at(r, ROOF_EUNSUPPORTED, "use_beta",
                       "a delta_net model without use_beta, or with another qk_norm, cannot be judged by this version");
    return fla_common(r);
}

static int gated_deltanet(reader *r) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    fla_mlp(r, 4, 256, 2.0 / 3);
    b->kind = ROOF_STATE_GATED_DELTA;
    b->key_heads = own_count(r, "num_heads", 6);
    b->heads = own_node(r, "num_v_heads") ? own_needed(r, "num_v_heads") : b->key_heads;
    b->key_width = own_count(r, "head_dim", 256);
    b->value_width = floor(b->key_width * own_factor(r, "expand_v", 2));
    b->norm = b->value_width;
    b->conv = own_flag(r, "use_short_conv", true) ? own_count(r, "conv_size", 4) : 0;
    if (!own_flag(r, "use_gate", true))
        return fail_at(r, ROOF_EUNSUPPORTED, "use_gate",
                       "a gated_deltanet model without use_gate cannot be judged by this version");
    return fla_common(r);
}

static int hgrn2(reader *r) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    fla_mlp(r, 4, 256, 2.0 / 3);
    double expand = own_count(r, "expand_ratio", 128);
    double keys = expand > 0 ? floor(s->hidden / expand) : 0;
    b->kind = ROOF_STATE_HGRN2;
    b->heads = own_node(r, "num_heads") ? own_needed(r, "num_heads") : keys;
    b->key_width = expand;
    b->value_width = b->heads > 0 ? s->hidden / b->heads : 0;
    b->norm = s->hidden;
    if (own_flag(r, "use_lower_bound", true))
        s->vectors = s->layers * s->hidden; /* a lower bound of the forget gates a layer */
    b->conv = own_flag(r, "use_short_conv", false) ? own_count(r, "conv_size", 4) : 0;
    if (b->value_width != floor(b->value_width) || b->heads == 0)
        return fail_at(r, ROOF_EFORMAT, "num_heads", "hidden_size %.0f cannot be split among num_heads %.0f", s->hidden,
                       b->heads);
    return fla_common(r);
}

static int rwkv_common(reader *r) {
    shape *s = &r->shape;
    bool bias = own_flag(r, "norm_bias", true);
    s->norm = bias ? ROOF_NORM_LAYER : ROOF_NORM_LAYER_NO_BIAS;
    s->extra_norms = own_flag(r, "norm_first", true) ? 2 : 1;
    return fla_common(r);
}

static int rwkv6(reader *r) {
    fla_mlp(r, 3.5, 32, 1);
    fla_heads(r, ROOF_STATE_RWKV6, 4, 0.5, 1);
    roof_state_block *b = &r->shape.state;
    b->ranks[0] = own_count(r, "proj_low_rank_dim", 32);
    b->ranks[1] = own_count(r, "gate_low_rank_dim", 64);
    return rwkv_common(r);
}

static int rwkv7(reader *r) {
    shape *s = &r->shape;
    roof_state_block *b = &s->state;
    fla_mlp(r, 4, 32, 1);
    b->kind = ROOF_STATE_RWKV7;
    b->key_width = b->value_width = own_count(r, "head_dim", 64);
    b->heads = b->key_width > 0 ? floor(s->hidden / b->key_width) : 0;
    b->ranks[0] = own_count(r, "decay_low_rank_dim", 64);
    b->ranks[1] = own_count(r, "a_low_rank_dim", 64);
    b->ranks[2] = own_count(r, "v_low_rank_dim", 16);
    b->ranks[3] = own_count(r, "gate_low_rank_dim", 128);
    (void)own_node(r, "num_heads");
    for (size_t i = 0; i < (size_t)s->layers; i++)
        if (own_at(r, "value_dim", i, s->hidden) != s->hidden)
            return fail_at(r, ROOF_EUNSUPPORTED, "value_dim",
                           "key 'value_dim' is not hidden_size, which this version cannot judge");
    return rwkv_common(r);
}

static int rwkv_layer(reader *r, size_t index, roof_layer *out) {
    out->mlp.kind = ROOF_MLP_CHANNEL_MIX;
    out->mlp.gated = r->shape.state.kind == ROOF_STATE_RWKV6;
    if (index == 0)
        out->state.ranks[2] = 0; /* the first layer makes the values the others mix in */
    return 0;
}

static const family rows[] = {
    FAMILY("gla", "gla", "GLAForCausalLM", "fla models/gla, layers/gla.py", .norm = ROOF_NORM_RMS, .no_attention = true,
           .no_mlp = true, .presets = {{FIELD_VOCAB, 32000}, {FIELD_LAYERS, 24}, {FIELD_HIDDEN, 2048}}, .adjust = gla),
    FAMILY("delta-net", "delta_net", "DeltaNetForCausalLM", "fla models/delta_net, layers/delta_net.py",
           .norm = ROOF_NORM_RMS, .no_attention = true, .no_mlp = true,
           .presets = {{FIELD_VOCAB, 32000}, {FIELD_LAYERS, 24}, {FIELD_HIDDEN, 2048}}, .adjust = delta_net),
    FAMILY("gated-deltanet", "gated_deltanet", "GatedDeltaNetForCausalLM",
           "fla models/gated_deltanet, layers/gated_deltanet.py", .norm = ROOF_NORM_RMS, .no_attention = true,
           .no_mlp = true, .presets = {{FIELD_VOCAB, 32000}, {FIELD_LAYERS, 21}, {FIELD_HIDDEN, 2048}},
           .adjust = gated_deltanet),
    FAMILY("hgrn2", "hgrn2", "HGRN2ForCausalLM", "fla models/hgrn2, layers/hgrn2.py", .norm = ROOF_NORM_RMS,
           .no_attention = true, .no_mlp = true,
           .presets = {{FIELD_VOCAB, 32000}, {FIELD_LAYERS, 24}, {FIELD_HIDDEN, 2048}}, .adjust = hgrn2),
    FAMILY("rwkv6", "rwkv6", "RWKV6ForCausalLM", "fla models/rwkv6, layers/rwkv6.py", .norm = ROOF_NORM_LAYER,
           .no_attention = true, .no_mlp = true,
           .presets = {{FIELD_VOCAB, 32000}, {FIELD_LAYERS, 24}, {FIELD_HIDDEN, 2048}}, .adjust = rwkv6,
           .layer = rwkv_layer),
    FAMILY("rwkv7", "rwkv7", "RWKV7ForCausalLM", "fla models/rwkv7, layers/rwkv7.py", .norm = ROOF_NORM_LAYER,
           .no_attention = true, .no_mlp = true,
           .presets = {{FIELD_VOCAB, 32000}, {FIELD_LAYERS, 24}, {FIELD_HIDDEN, 2048}}, .adjust = rwkv7,
           .layer = rwkv_layer),
};

const family_group fla_families = {rows, sizeof rows / sizeof rows[0]};
