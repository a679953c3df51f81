/* The matrices of each role in one layer: their sizes, and their names as checkpoints spell them, which is how lists of
 * quantised modules speak of them. */
#include <string.h>

#include "read/config/config.h"

#define NAMES(...)                                                                                                     \
    { {__VA_ARGS__}, 0, 0 }

static matrix_info sized(matrix_info names, double rows, double cols) {
    names.rows = rows;
    names.cols = cols;
    return names;
}

static const matrix_info q_names = NAMES("self_attn.q_proj", "self_attn.qkv_proj", "mixer.q_proj", "attn.Wqkv"),
                         k_names = NAMES("self_attn.k_proj", "self_attn.qkv_proj", "mixer.k_proj", "attn.Wqkv"),
                         v_names = NAMES("self_attn.v_proj", "self_attn.qkv_proj", "mixer.v_proj", "attn.Wqkv"),
                         q_only_names = NAMES("self_attn.q_proj"), q_a_names = NAMES("self_attn.q_a_proj", "attn.wq_a"),
                         q_b_names = NAMES("self_attn.q_b_proj", "attn.wq_b"),
                         kv_a_names = NAMES("self_attn.kv_a_proj_with_mqa"), kv_b_names = NAMES("self_attn.kv_b_proj"),
                         o_names = NAMES("self_attn.o_proj", "self_attn.out_proj", "mixer.o_proj"),
                         index_q_names = NAMES("self_attn.indexer.wq_b", "attn.indexer.wq_b"),
                         index_k_names = NAMES("self_attn.indexer.wk"),
                         index_w_names = NAMES("self_attn.indexer.weights_proj", "self_attn.indexers_proj"),
                         row_names = NAMES("attn.wkv", "self_attn.kv_proj"),
                         summary_names = NAMES("attn.compressor.wkv", "attn.compressor.wgate", "self_attn.compressor"),
                         o_a_names = NAMES("attn.wo_a", "self_attn.o_a_proj"),
                         o_b_names = NAMES("attn.wo_b", "self_attn.o_b_proj");

static size_t indexer(const roof_attention_block *a, double hidden, matrix_info *out) {
    double from = a->q_rank > 0 ? a->q_rank : hidden;
    if (!(a->index_heads > 0))
        return 0;
    out[0] = sized(index_q_names, a->index_heads * a->index_width, from);
    out[1] = sized(index_k_names, a->index_width, hidden);
    return 2;
}

static size_t latent(const roof_attention_block *a, double hidden, matrix_info *out) {
    double q = a->heads * (a->nope_width + a->rope_width);
    size_t n = 0;
    if (a->q_rank > 0) {
        out[n++] = sized(q_a_names, a->q_rank, hidden);
        out[n++] = sized(q_b_names, q, a->q_rank);
    } else {
        out[n++] = sized(q_only_names, q, hidden);
    }
    out[n++] = sized(kv_a_names, a->kv_rank + a->rope_width, hidden);
    out[n++] = sized(kv_b_names, a->heads * (a->nope_width + a->value_width), a->kv_rank);
    return n + indexer(a, hidden, out + n);
}

static size_t compressed(const roof_attention_block *a, double hidden, matrix_info *out) {
    double series = a->compress > 0 ? 1 + (a->index_heads > 0) : 0;
    size_t n = 0;
    out[n++] = sized(q_a_names, a->q_rank, hidden);
    out[n++] = sized(q_b_names, a->heads * a->head_width, a->q_rank);
    out[n++] = sized(row_names, a->head_width, hidden);
    if (series > 0)
        out[n++] = sized(summary_names, 2 * series * a->head_width, hidden);
    if (a->index_heads > 0)
        out[n++] = sized(index_q_names, a->index_heads * a->index_width, a->q_rank);
    return n;
}

static size_t qkv(const roof_attention_block *a, double hidden, matrix_info *out) {
    if (a->kind == ROOF_ATTENTION_NONE)
        return 0;
    if (a->kind == ROOF_ATTENTION_LATENT)
        return latent(a, hidden, out);
    if (a->kind == ROOF_ATTENTION_COMPRESSED)
        return compressed(a, hidden, out);
    out[0] = sized(q_names, a->heads * a->head_width * (a->output_gate ? 2 : 1), hidden);
    if (a->shared_kv)
        return 1;
    out[1] = sized(k_names, a->kv_heads * a->head_width, hidden);
    out[2] = sized(v_names, a->kv_heads * a->value_width, hidden);
    return 3;
}

static size_t output(const roof_attention_block *a, double hidden, matrix_info *out) {
    if (a->kind == ROOF_ATTENTION_NONE)
        return 0;
    double width = a->heads * (a->value_width > 0 ? a->value_width : a->head_width);
    if (a->kind != ROOF_ATTENTION_COMPRESSED) {
        out[0] = sized(o_names, hidden, width);
        return 1;
    }
    out[0] = sized(o_a_names, a->out_groups * a->out_rank, width / a->out_groups);
    out[1] = sized(o_b_names, hidden, a->out_groups * a->out_rank);
    return 2;
}

/* Gate and up, then down. */
typedef struct mlp_names {
    matrix_info gate, up, down;
} mlp_names;

static const mlp_names dense_names = {
    NAMES("mlp.gate_proj", "mlp.gate_up_proj", "feed_forward.gate_proj", "feed_forward.w1"),
    NAMES("mlp.up_proj", "mlp.gate_up_proj", "feed_forward.up_proj", "mixer.up_proj", "feed_forward.w3"),
    NAMES("mlp.down_proj", "feed_forward.down_proj", "mixer.down_proj", "feed_forward.w2")};
static const mlp_names expert_names = {
    NAMES("mlp.experts.0.gate_proj", "block_sparse_moe.experts.0.w1", "feed_forward.experts.gate_up_proj",
          "mlp.experts.gate_up_proj", "ffn.experts.0.w1"),
    NAMES("mlp.experts.0.up_proj", "block_sparse_moe.experts.0.w3", "feed_forward.experts.gate_up_proj",
          "mixer.experts.0.up_proj", "ffn.experts.0.w3"),
    NAMES("mlp.experts.0.down_proj", "block_sparse_moe.experts.0.w2", "feed_forward.experts.down_proj",
          "mixer.experts.0.down_proj", "ffn.experts.0.w2")};
static const mlp_names shared_names = {
    NAMES("mlp.shared_experts.gate_proj", "mlp.shared_expert.gate_proj", "feed_forward.shared_expert.gate_proj",
          "ffn.shared_experts.w1", "shared_mlp.input_linear"),
    NAMES("mlp.shared_experts.up_proj", "mlp.shared_expert.up_proj", "feed_forward.shared_expert.up_proj",
          "mixer.shared_experts.up_proj", "ffn.shared_experts.w3"),
    NAMES("mlp.shared_experts.down_proj", "mlp.shared_expert.down_proj", "feed_forward.shared_expert.down_proj",
          "mixer.shared_experts.down_proj", "ffn.shared_experts.w2")};
static const matrix_info latent_in_names = NAMES("mixer.fc1_latent_proj", "mlp.fc1_latent_proj"),
                         latent_out_names = NAMES("mixer.fc2_latent_proj", "mlp.fc2_latent_proj"),
                         router_names = NAMES("mlp.gate", "block_sparse_moe.gate", "mlp.router", "feed_forward.router",
                                              "mixer.gate"),
                         shared_gate_names = NAMES("mlp.shared_expert_gate");

static size_t mlp(const mlp_names *names, bool gated, double width, double hidden, bool down, matrix_info *out) {
    if (down) {
        out[0] = sized(names->down, hidden, width);
        return 1;
    }
    out[0] = sized(names->up, width, hidden);
    out[1] = sized(names->gate, width, hidden);
    return gated ? 2 : 1;
}

static size_t shared(const roof_mlp_block *m, double hidden, bool down, matrix_info *out) {
    size_t n = 0;
    if (m->shared_width > 0)
        n = mlp(&shared_names, m->gated, m->shared_width, hidden, down, out);
    if (m->latent_width > 0 && down)
        out[n++] = sized(latent_out_names, hidden, m->latent_width);
    if (m->latent_width > 0 && !down)
        out[n++] = sized(latent_in_names, m->latent_width, hidden);
    return n;
}

static size_t router(const roof_layer *l, double hidden, matrix_info *out) {
    size_t n = 0;
    if (l->mlp.kind == ROOF_MLP_MOE)
        out[n++] = sized(router_names, l->mlp.experts, hidden);
    if (l->mlp.shared_gate)
        out[n++] = sized(shared_gate_names, 1, hidden);
    if (l->attention.index_heads > 0)
        out[n++] = sized(index_w_names, l->attention.index_heads, hidden);
    return n;
}

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
    double hidden = r->shape.hidden, inner = l->mlp.latent_width > 0 ? l->mlp.latent_width : hidden;
    const roof_mlp_block *m = &l->mlp;
    double dense = m->kind == ROOF_MLP_MOE ? m->dense_width : m->width;
    bool down = role == ROOF_ROLE_DOWN || role == ROOF_ROLE_EXPERTS_DOWN || role == ROOF_ROLE_SHARED_DOWN;
    switch (role) {
    case ROOF_ROLE_QKV:
        return qkv(&l->attention, hidden, out);
    case ROOF_ROLE_OUTPUT:
        return output(&l->attention, hidden, out);
    case ROOF_ROLE_UP:
    case ROOF_ROLE_DOWN:
        return dense > 0 ? mlp(&dense_names, m->gated, dense, hidden, down, out) : 0;
    case ROOF_ROLE_EXPERTS_UP:
    case ROOF_ROLE_EXPERTS_DOWN:
        return m->kind == ROOF_MLP_MOE ? mlp(&expert_names, m->gated, m->width, inner, down, out) : 0;
    case ROOF_ROLE_SHARED_UP:
    case ROOF_ROLE_SHARED_DOWN:
        return shared(m, hidden, down, out);
    case ROOF_ROLE_ROUTER:
        return router(l, hidden, out);
    case ROOF_ROLE_STATE:
        return state(&l->state, hidden, out);
    default:
        return 0;
    }
}
