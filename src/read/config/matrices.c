/* The matrices of each role in one layer, with their names as checkpoints spell them, which is how lists of quantised
 * modules speak of them. Sizes come from the layer's description; only its names are known here. */
#include <string.h>

#include "read/config/config.h"
#include "work/layer_design.h"

#define NAMES(...)                                                                                                     \
    { {__VA_ARGS__}, 0, 0 }

static matrix_info sized(matrix_info names, double rows, double cols) {
    names.rows = rows;
    names.cols = cols;
    return names;
}

/* Without a row: no list was seen that names it. */
static const matrix_info names_of[MATRIX_KINDS] = {
    [MATRIX_Q] = NAMES("self_attn.q_proj", "self_attn.qkv_proj", "mixer.q_proj", "attn.Wqkv"),
    [MATRIX_K] = NAMES("self_attn.k_proj", "self_attn.qkv_proj", "mixer.k_proj", "attn.Wqkv"),
    [MATRIX_V] = NAMES("self_attn.v_proj", "self_attn.qkv_proj", "mixer.v_proj", "attn.Wqkv"),
    [MATRIX_Q_DOWN] = NAMES("self_attn.q_a_proj", "attn.wq_a"),
    [MATRIX_ROW] = NAMES("attn.wkv", "self_attn.kv_proj"),
    [MATRIX_SUMMARY] = NAMES("attn.compressor.wkv", "attn.compressor.wgate", "self_attn.compressor"),
    [MATRIX_Q_UP] = NAMES("self_attn.q_b_proj", "attn.wq_b"),
    [MATRIX_KV_DOWN] = NAMES("self_attn.kv_a_proj_with_mqa"),
    [MATRIX_KV_UP] = NAMES("self_attn.kv_b_proj"),
    [MATRIX_INDEX_Q] = NAMES("self_attn.indexer.wq_b", "attn.indexer.wq_b"),
    [MATRIX_INDEX_WEIGHTS] = NAMES("self_attn.indexer.weights_proj", "self_attn.indexers_proj"),
    [MATRIX_INDEX_K] = NAMES("self_attn.indexer.wk"),
    [MATRIX_O_DOWN] = NAMES("attn.wo_a", "self_attn.o_a_proj"),
    [MATRIX_O] = NAMES("self_attn.o_proj", "self_attn.out_proj", "mixer.o_proj", "attn.wo_b", "self_attn.o_b_proj"),
    [MATRIX_ROUTER] = NAMES("mlp.gate", "block_sparse_moe.gate", "mlp.router", "feed_forward.router", "mixer.gate"),
    [MATRIX_SHARED_GATE] = NAMES("mlp.shared_expert_gate"),
    [MATRIX_LATENT_IN] = NAMES("mixer.fc1_latent_proj", "mlp.fc1_latent_proj"),
    [MATRIX_EXPERTS_GATE] = NAMES("mlp.experts.0.gate_proj", "block_sparse_moe.experts.0.w1",
                                  "feed_forward.experts.gate_up_proj", "mlp.experts.gate_up_proj", "ffn.experts.0.w1"),
    [MATRIX_EXPERTS_UP] = NAMES("mlp.experts.0.up_proj", "block_sparse_moe.experts.0.w3",
                                "feed_forward.experts.gate_up_proj", "mixer.experts.0.up_proj", "ffn.experts.0.w3"),
    [MATRIX_EXPERTS_DOWN] = NAMES("mlp.experts.0.down_proj", "block_sparse_moe.experts.0.w2",
                                  "feed_forward.experts.down_proj", "mixer.experts.0.down_proj", "ffn.experts.0.w2"),
    [MATRIX_LATENT_OUT] = NAMES("mixer.fc2_latent_proj", "mlp.fc2_latent_proj"),
    [MATRIX_SHARED_EXPERT_GATE] =
        NAMES("mlp.shared_experts.gate_proj", "mlp.shared_expert.gate_proj", "feed_forward.shared_expert.gate_proj",
              "ffn.shared_experts.w1", "shared_mlp.input_linear"),
    [MATRIX_SHARED_EXPERT_UP] =
        NAMES("mlp.shared_experts.up_proj", "mlp.shared_expert.up_proj", "feed_forward.shared_expert.up_proj",
              "mixer.shared_experts.up_proj", "ffn.shared_experts.w3"),
    [MATRIX_SHARED_EXPERT_DOWN] =
        NAMES("mlp.shared_experts.down_proj", "mlp.shared_expert.down_proj", "feed_forward.shared_expert.down_proj",
              "mixer.shared_experts.down_proj", "ffn.shared_experts.w2"),
    [MATRIX_GATE] = NAMES("mlp.gate_proj", "mlp.gate_up_proj", "feed_forward.gate_proj", "feed_forward.w1"),
    [MATRIX_UP] = NAMES("mlp.up_proj", "mlp.gate_up_proj", "feed_forward.up_proj", "mixer.up_proj", "feed_forward.w3"),
    [MATRIX_DOWN] = NAMES("mlp.down_proj", "feed_forward.down_proj", "mixer.down_proj", "feed_forward.w2"),
};

/* Those of a role that have names, behind the `n` that are there. */
static size_t named(const layer_design *design, roof_role role, matrix_info *out, size_t n) {
    for (int kind = 0; kind < MATRIX_KINDS && n < MODULE_MAX; kind++) {
        const layer_matrix *m = design_matrix(design, kind);
        if (m && matrix_role((matrix_kind)kind) == role && names_of[kind].names[0])
            out[n++] = sized(names_of[kind], m->outputs * m->copies, m->inputs);
    }
    return n;
}

/* ---- state layers: one product of theirs is several modules ---- */

static const matrix_info in_names = NAMES("mamba.in_proj", "mixer.in_proj", "conv.in_proj", "self_attn.qkv_proj"),
                         out_names = NAMES("mamba.out_proj", "mixer.out_proj", "conv.out_proj", "linear_attn.out_proj",
                                           "self_attn.o_proj"),
                         x_names = NAMES("mamba.x_proj", "mixer.x_proj"),
                         dt_names = NAMES("mamba.dt_proj", "mixer.dt_proj"),
                         qkvz_names = NAMES("linear_attn.in_proj_qkvz", "linear_attn.in_proj_qkv"),
                         z_names = NAMES("linear_attn.in_proj_qkvz", "linear_attn.in_proj_z"),
                         ba_names = NAMES("linear_attn.in_proj_ba", "linear_attn.in_proj_b"),
                         qkv_names = NAMES("self_attn.q_proj", "attn.q_proj"),
                         g_names = NAMES("self_attn.g_proj", "attn.g_proj"),
                         low_names = NAMES("self_attn.f_a_proj", "self_attn.forget_gate.f_a_proj"),
                         high_names = NAMES("self_attn.f_b_proj", "self_attn.forget_gate.f_b_proj");

static size_t mamba(const roof_state_block *s, double hidden, double width, matrix_info *out) {
    out[0] = sized(in_names, 2 * width, hidden);
    out[1] = sized(x_names, s->ranks[0] + 2 * s->key_width, width);
    out[2] = sized(dt_names, width, s->ranks[0]);
    return 3;
}

static size_t gated_delta(const roof_state_block *s, double hidden, double width, matrix_info *out) {
    double keys = (s->key_heads > 0 ? s->key_heads : s->heads) * s->key_width;
    out[0] = sized(qkvz_names, 2 * keys + width, hidden);
    out[1] = sized(z_names, width, hidden);
    out[2] = sized(ba_names, 2 * s->heads, hidden);
    return 3;
}

static size_t kimi_delta(const roof_state_block *s, double hidden, double width, matrix_info *out) {
    double keys = s->heads * s->key_width;
    out[0] = sized(qkv_names, 2 * keys + width + s->heads, hidden);
    out[1] = sized(low_names, s->ranks[0] + s->ranks[1], hidden);
    out[2] = sized(high_names, keys + width, s->ranks[0]);
    return 3;
}

/* The other kinds: as much as tells one whole projection from another. */
static size_t others(const roof_state_block *s, double hidden, double width, matrix_info *out) {
    double keys = (s->key_heads > 0 ? s->key_heads : s->heads) * s->key_width;
    switch (s->kind) {
    case ROOF_STATE_MAMBA2:
        out[0] = sized(in_names, 2 * (width + keys) + s->heads, hidden);
        return 1;
    case ROOF_STATE_SHORT_CONV:
        out[0] = sized(in_names, 3 * width, hidden);
        return 1;
    case ROOF_STATE_LIGHTNING:
        out[0] = sized(in_names, 3 * width, hidden);
        out[1] = sized(g_names, width, hidden);
        return 2;
    default:
        out[0] = sized(qkv_names, 2 * keys + width, hidden);
        out[1] = sized(g_names, width, hidden);
        return 2;
    }
}

static size_t state(const roof_state_block *s, double hidden, matrix_info *out) {
    double width = s->heads * (s->value_width > 0 ? s->value_width : 1);
    if (s->kind == ROOF_STATE_NONE)
        return 0;
    size_t n = s->kind == ROOF_STATE_MAMBA         ? mamba(s, hidden, width, out)
               : s->kind == ROOF_STATE_GATED_DELTA ? gated_delta(s, hidden, width, out)
               : s->kind == ROOF_STATE_KIMI_DELTA  ? kimi_delta(s, hidden, width, out)
                                                   : others(s, hidden, width, out);
    out[n] = sized(out_names, hidden, width);
    return n + 1;
}

size_t role_matrices(const reader *r, const roof_layer *l, roof_role role, matrix_info out[MODULE_MAX]) {
    double hidden = r->shape.hidden;
    layer_design design;
    if (role == ROOF_ROLE_STATE)
        return state(&l->state, hidden, out);
    attention_describe(&l->attention, hidden, hidden, 1, &design);
    size_t n = named(&design, role, out, 0);
    mlp_describe(&l->mlp, hidden, 1, &design);
    return named(&design, role, out, n);
}
