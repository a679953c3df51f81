/* Attention and MLP as matrices and learned vectors, each block after the modelling code of its family; docs/model.md,
 * "Parameters". */
#include "work/layer_design.h"

static const unsigned char roles[MATRIX_KINDS] = {
    [MATRIX_Q] = ROOF_ROLE_QKV,
    [MATRIX_K] = ROOF_ROLE_QKV,
    [MATRIX_V] = ROOF_ROLE_QKV,
    [MATRIX_HEAD_GATE] = ROOF_ROLE_QKV,
    [MATRIX_Q_DOWN] = ROOF_ROLE_QKV,
    [MATRIX_ROW] = ROOF_ROLE_QKV,
    [MATRIX_SUMMARY] = ROOF_ROLE_QKV,
    [MATRIX_INDEX_SUMMARY] = ROOF_ROLE_QKV,
    [MATRIX_Q_UP] = ROOF_ROLE_QKV,
    [MATRIX_KV_DOWN] = ROOF_ROLE_QKV,
    [MATRIX_KV_UP] = ROOF_ROLE_QKV,
    [MATRIX_INDEX_Q] = ROOF_ROLE_QKV,
    [MATRIX_INDEX_WEIGHTS] = ROOF_ROLE_ROUTER,
    [MATRIX_INDEX_K] = ROOF_ROLE_QKV,
    [MATRIX_O_DOWN] = ROOF_ROLE_OUTPUT,
    [MATRIX_O] = ROOF_ROLE_OUTPUT,
    [MATRIX_ROUTER] = ROOF_ROLE_ROUTER,
    [MATRIX_SHARED_GATE] = ROOF_ROLE_ROUTER,
    [MATRIX_LATENT_IN] = ROOF_ROLE_SHARED_UP,
    [MATRIX_EXPERTS_GATE] = ROOF_ROLE_EXPERTS_UP,
    [MATRIX_EXPERTS_UP] = ROOF_ROLE_EXPERTS_UP,
    [MATRIX_EXPERTS_DOWN] = ROOF_ROLE_EXPERTS_DOWN,
    [MATRIX_LATENT_OUT] = ROOF_ROLE_SHARED_DOWN,
    [MATRIX_SHARED_EXPERT_GATE] = ROOF_ROLE_SHARED_UP,
    [MATRIX_SHARED_EXPERT_UP] = ROOF_ROLE_SHARED_UP,
    [MATRIX_SHARED_EXPERT_DOWN] = ROOF_ROLE_SHARED_DOWN,
    [MATRIX_GATE] = ROOF_ROLE_UP,
    [MATRIX_UP] = ROOF_ROLE_UP,
    [MATRIX_RECEPTANCE] = ROOF_ROLE_UP,
    [MATRIX_DOWN] = ROOF_ROLE_DOWN,
};

roof_role matrix_role(matrix_kind kind) {
    return (roof_role)roles[kind];
}

double design_outputs(const layer_design *design, matrix_kind first, matrix_kind last) {
    double outputs = 0;
    for (int kind = first; kind <= (int)last; kind++)
        outputs += design_matrix(design, kind) ? design->at[kind].outputs * design->at[kind].copies : 0;
    return outputs;
}

static void start(layer_design *out) {
    out->present = 0;
    for (int i = 0; i < VECTOR_KINDS; i++)
        out->vectors[i] = 0;
}

/* A matrix without outputs or copies is none: keys and values of another layer, a dense part of width 0. */
static inline void copies(layer_design *out, matrix_kind kind, double outputs, double inputs, bool bias, double copies,
                          double active) {
    out->at[kind] = (layer_matrix){outputs, inputs, copies, active, bias};
    out->present |= (unsigned)(outputs > 0 && copies > 0) << kind;
}

static inline void matrix(layer_design *out, matrix_kind kind, double outputs, double inputs, bool bias) {
    copies(out, kind, outputs, inputs, bias, 1, 1);
}

/* ---- attention ---- */

/* DeepSeek-V2: queries may, keys and values do come from a narrow row with a norm of its own. */
static void latent(const roof_attention_block *a, const attention_widths *w, double hidden, layer_design *out) {
    if (a->q_rank > 0) {
        matrix(out, MATRIX_Q_DOWN, a->q_rank, hidden, a->qkv_bias);
        matrix(out, MATRIX_Q_UP, w->q_out, a->q_rank, false);
    } else {
        matrix(out, MATRIX_Q, w->q_out, hidden, a->qkv_bias);
    }
    matrix(out, MATRIX_KV_DOWN, a->kv_rank + a->rope_width, hidden, a->qkv_bias);
    matrix(out, MATRIX_KV_UP, w->kv_out, a->kv_rank, false);
    out->vectors[VECTORS_INNER_NORM] = a->q_rank + a->kv_rank;
}

static void plain(const roof_attention_block *a, const attention_widths *w, double hidden, double source,
                  layer_design *out) {
    double keys = a->shared_kv ? 0 : w->kv_heads * w->qk;
    matrix(out, MATRIX_Q, w->q_out, hidden, a->qkv_bias);
    matrix(out, MATRIX_K, keys, source, a->qkv_bias && !a->no_k_bias);
    matrix(out, MATRIX_V, w->kv_out - keys, source, a->qkv_bias);
    if (a->head_gate)
        matrix(out, MATRIX_HEAD_GATE, w->heads, hidden, a->qkv_bias);
    out->vectors[VECTORS_QUERY_NORM] = a->q_norm;
    out->vectors[VECTORS_KEY_NORM] = a->k_norm;
}

/* Rows a token adds to a summary: two where summaries overlap. */
static double series_of(const roof_attention_block *a) {
    return a->compress > 0 ? 1 + (a->index_heads > 0) : 0;
}

/* DeepSeek V4: one row as key and value, what its summaries are made with (values and their weights), a grouped output.
 */
static void compressed(const roof_attention_block *a, const attention_widths *w, double hidden, double tensor,
                       layer_design *out) {
    double series = series_of(a) * a->head_width, groups = share(a->out_groups, tensor);
    double indexed = a->compress > 0 && a->index_heads > 0 ? a->index_width : 0;
    matrix(out, MATRIX_Q_DOWN, a->q_rank, hidden, false);
    matrix(out, MATRIX_Q_UP, w->q_out, a->q_rank, false);
    matrix(out, MATRIX_ROW, a->head_width, hidden, false);
    matrix(out, MATRIX_SUMMARY, 2 * series, hidden, false);
    matrix(out, MATRIX_INDEX_SUMMARY, 4 * indexed, hidden, false);
    copies(out, MATRIX_O_DOWN, a->out_rank, w->out / groups, false, groups, groups);
    matrix(out, MATRIX_O, hidden, groups * a->out_rank, false);
    out->vectors[VECTORS_INNER_NORM] = a->q_rank + a->head_width;
    out->vectors[VECTORS_SUMMARY] = a->compress * (series + 2 * indexed) + (series > 0 ? a->head_width : 0) + indexed;
    out->vectors[VECTORS_SINKS] = w->heads;
}

/* Queries, head weights, and (where keys are not summaries of their own) one key a token with a layer norm. */
static void indexer(const roof_attention_block *a, double hidden, layer_design *out) {
    if (!(a->index_heads > 0))
        return;
    matrix(out, MATRIX_INDEX_Q, a->index_heads * a->index_width, a->q_rank > 0 ? a->q_rank : hidden, false);
    matrix(out, MATRIX_INDEX_WEIGHTS, a->index_heads, hidden, false);
    if (a->kind == ROOF_ATTENTION_COMPRESSED)
        return;
    matrix(out, MATRIX_INDEX_K, a->index_width, hidden, false);
    out->vectors[VECTORS_INDEX_NORM] = 2 * a->index_width;
}

void attention_describe(const roof_attention_block *a, double hidden, double source, double tensor, layer_design *out) {
    start(out);
    if (a->kind == ROOF_ATTENTION_NONE)
        return;
    attention_widths w = widths_of(a, tensor);
    if (a->kind == ROOF_ATTENTION_COMPRESSED)
        compressed(a, &w, hidden, tensor, out);
    else if (a->kind == ROOF_ATTENTION_LATENT)
        latent(a, &w, hidden, out);
    else
        plain(a, &w, hidden, source, out);
    indexer(a, hidden, out);
    if (a->kind == ROOF_ATTENTION_COMPRESSED)
        return;
    matrix(out, MATRIX_O, hidden, w.out, a->output_bias);
    if (a->sinks)
        out->vectors[VECTORS_SINKS] = w.heads;
}

/* ---- MLP ---- */

/* `many` equal MLPs, `active` of which one token uses; `gate`: the kind of the gate, before those of up and down. */
static void feed_forward(const roof_mlp_block *m, matrix_kind gate, matrix_kind down, double inner, double hidden,
                         double many, double active, layer_design *out) {
    if (m->gated)
        copies(out, gate, inner, hidden, m->bias, many, active);
    copies(out, (matrix_kind)(gate + 1), inner, hidden, m->bias, many, active);
    if (inner > 0)
        copies(out, down, hidden, inner, m->bias, many, active);
}

static void dense(const roof_mlp_block *m, double width, double hidden, double tensor, layer_design *out) {
    feed_forward(m, MATRIX_GATE, MATRIX_DOWN, share(width, tensor), hidden, 1, 1, out);
}

static void experts(const roof_mlp_block *m, double hidden, double tensor, layer_design *out) {
    double width = m->latent_width > 0 ? m->latent_width : hidden;
    matrix(out, MATRIX_ROUTER, m->experts, hidden, m->router_bias);
    matrix(out, MATRIX_SHARED_GATE, m->shared_gate, hidden, false);
    matrix(out, MATRIX_LATENT_IN, m->latent_width, hidden, false);
    feed_forward(m, MATRIX_EXPERTS_GATE, MATRIX_EXPERTS_DOWN, share(m->width, tensor), width, m->experts, m->top_k,
                 out);
    if (m->latent_width > 0)
        matrix(out, MATRIX_LATENT_OUT, hidden, m->latent_width, false);
    feed_forward(m, MATRIX_SHARED_EXPERT_GATE, MATRIX_SHARED_EXPERT_DOWN, share(m->shared_width, tensor), hidden, 1, 1,
                 out);
    dense(m, m->dense_width, hidden, tensor, out);
}

/* RWKV: a squared ReLU between two matrices; RWKV 6 has a receptance beside it. */
static void channel_mix(const roof_mlp_block *m, double hidden, double tensor, layer_design *out) {
    double inner = share(m->width, tensor);
    matrix(out, MATRIX_UP, inner, hidden, false);
    if (m->gated)
        matrix(out, MATRIX_RECEPTANCE, hidden, hidden, false);
    matrix(out, MATRIX_DOWN, hidden, inner, false);
    out->vectors[VECTORS_SHIFT] = (m->gated ? 2 : 1) * hidden;
}

void mlp_describe(const roof_mlp_block *m, double hidden, double tensor, layer_design *out) {
    start(out);
    if (m->kind == ROOF_MLP_DENSE)
        dense(m, m->width, hidden, tensor, out);
    if (m->kind == ROOF_MLP_CHANNEL_MIX)
        channel_mix(m, hidden, tensor, out);
    if (m->kind == ROOF_MLP_MOE)
        experts(m, hidden, tensor, out);
}
