/* Stored weights of a model: exact counts, and bytes by each role's format. docs/model.md, "Parameters". */
#include "work/model.h"

typedef struct tally {
    const roof_model *model;
    const roof_plan *plan;
    const roof_layer *layer;
    double tensor;
    double total, active; /* elements of one layer */
    double bytes;
    bool unknown;
} tally;

static void add_bytes(tally *t, const roof_format *format, double rows, double cols, double copies) {
    if (format->unknown)
        t->unknown = true;
    else
        t->bytes += roof_format_bytes(format, rows, cols) * copies;
}

/* `copies` matrices of rows outputs and cols inputs, `active` of which one token uses. */
static void experts(tally *t, roof_role role, double rows, double cols, double copies, double active) {
    linear how;
    model_linear(t->model, t->plan, t->layer, role, &how);
    add_bytes(t, how.format, rows, cols, copies);
    t->total += rows * cols * copies;
    t->active += rows * cols * active;
}

static void matrix(tally *t, roof_role role, double rows, double cols) {
    experts(t, role, rows, cols, 1, 1);
}

/* Norms and biases: `elements` in all, `active` for one token. */
static void vectors(tally *t, double elements, double active) {
    t->bytes += elements * roof_dtype_bytes(model_stored(t->model, t->plan));
    t->total += elements;
    t->active += active;
}

static void vector(tally *t, double elements) {
    vectors(t, elements, elements);
}

static void latent(tally *t, const roof_attention_block *a, const attention_widths *w) {
    double hidden = t->model->hidden, row = a->kv_rank + a->rope_width;
    if (a->q_rank > 0) {
        matrix(t, ROOF_ROLE_ATTENTION, a->q_rank, hidden);
        vector(t, a->q_rank);
        matrix(t, ROOF_ROLE_ATTENTION, w->q_out, a->q_rank);
    } else {
        matrix(t, ROOF_ROLE_ATTENTION, w->q_out, hidden);
    }
    matrix(t, ROOF_ROLE_ATTENTION, row, hidden);
    vector(t, a->kv_rank);
    matrix(t, ROOF_ROLE_ATTENTION, w->kv_out, a->kv_rank);
    if (a->qkv_bias)
        vector(t, row + (a->q_rank > 0 ? a->q_rank : w->q_out));
}

static void plain(tally *t, const roof_attention_block *a, const attention_widths *w) {
    double hidden = t->model->hidden;
    matrix(t, ROOF_ROLE_ATTENTION, w->q_out, hidden);
    matrix(t, ROOF_ROLE_ATTENTION, w->kv_heads * w->qk, hidden);
    matrix(t, ROOF_ROLE_ATTENTION, w->kv_heads * w->v, hidden);
    if (a->qkv_bias)
        vector(t, w->q_out + w->kv_out);
    vector(t, a->q_norm + a->k_norm);
}

static void attention(tally *t) {
    const roof_attention_block *a = &t->layer->attention;
    if (a->kind == ROOF_ATTENTION_NONE)
        return;
    attention_widths w = widths_of(a, t->tensor);
    if (a->kind == ROOF_ATTENTION_LATENT)
        latent(t, a, &w);
    else
        plain(t, a, &w);
    matrix(t, ROOF_ROLE_ATTENTION, t->model->hidden, w.out);
    if (a->output_bias)
        vector(t, t->model->hidden);
    if (a->sinks)
        vector(t, w.heads);
}

/* `copies` equal MLPs, `active` of which one token uses. */
static void feed_forward(tally *t, roof_role role, double width, double copies, double active) {
    const roof_mlp_block *mlp = &t->layer->mlp;
    double hidden = t->model->hidden, inner = share(width, t->tensor), ups = mlp->gated ? 2 : 1;
    experts(t, role, inner, hidden, ups * copies, ups * active);
    experts(t, role, hidden, inner, copies, active);
    double bias = mlp->bias ? ups * inner + hidden : 0;
    vectors(t, bias * copies, bias * active);
}

static void mlp(tally *t) {
    const roof_mlp_block *m = &t->layer->mlp;
    if (m->kind == ROOF_MLP_DENSE)
        feed_forward(t, ROOF_ROLE_MLP, m->width, 1, 1);
    if (m->kind != ROOF_MLP_MOE)
        return;
    matrix(t, ROOF_ROLE_ROUTER, m->experts, t->model->hidden);
    if (m->router_bias)
        vector(t, m->experts);
    feed_forward(t, ROOF_ROLE_EXPERTS, m->width, m->experts, m->top_k);
    if (m->shared_width > 0)
        feed_forward(t, ROOF_ROLE_SHARED, m->shared_width, 1, 1);
    if (m->shared_gate)
        matrix(t, ROOF_ROLE_ROUTER, 1, t->model->hidden);
    if (m->dense_width > 0)
        feed_forward(t, ROOF_ROLE_MLP, m->dense_width, 1, 1);
}

static double norm_elements(const roof_model *model) {
    return norm_vectors(model->norm) * model->hidden;
}

static void add_layer(tally t, const roof_layer *layer, weights *out) {
    t.layer = layer;
    attention(&t);
    out->attention += t.total * layer->count;
    t.total = t.active = 0;
    mlp(&t);
    out->mlp += t.total * layer->count;
    out->active_mlp += t.active * layer->count;
    t.total = 0;
    vector(&t, layer->norms * norm_elements(t.model));
    out->norms += t.total * layer->count;
    out->bytes += t.bytes * layer->count;
    out->unknown |= t.unknown;
}

/* Everything outside the layers; bytes and unknown end in `t`. */
static void add_ends(tally *t, weights *out) {
    const roof_model *model = t->model;
    double width = embedding_width(model), rows = share(model->vocab, t->tensor);
    roof_format own;
    const roof_format *table = model_embedding(model, t->plan, &own);
    add_bytes(t, table, rows, width, 1);
    add_bytes(t, table, model->positions, model->hidden, 1);
    out->embedding = rows * width + model->positions * model->hidden;
    if (width != model->hidden) {
        add_bytes(t, table, model->hidden, width, 2); /* into the layers and back */
        out->embedding += 2 * model->hidden * width;
    }
    if (!model->tied) {
        linear how;
        model_head(model, t->plan, &how);
        add_bytes(t, how.format, rows, width, 1);
        out->head = rows * width;
    }
    t->total = 0;
    vector(t, model->head_bias ? rows : 0);
    out->head += t->total;
    t->total = 0;
    vector(t, model->extra_norms * norm_elements(model));
    out->norms += t->total;
}

void model_weights(const roof_model *model, const roof_plan *plan, double tensor, weights *out) {
    *out = (weights){0};
    tally t = {.model = model, .plan = plan, .tensor = tensor};
    for (size_t i = 0; i < model->layer_count; i++)
        add_layer(t, &model->layers[i], out);
    add_ends(&t, out);
    out->bytes += t.bytes;
    out->unknown |= t.unknown;
}

roof_parameters roof_model_parameters(const roof_model *model, const roof_plan *plan) {
    weights w;
    model_weights(model, plan, 1, &w);
    double rest = w.embedding + w.head + w.attention + w.norms;
    return (roof_parameters){
        .total = rest + w.mlp,
        .active = rest + w.active_mlp,
        .embedding = w.embedding,
        .head = w.head,
        .attention = w.attention,
        .mlp = w.mlp,
        .norms = w.norms,
        .bytes = w.bytes,
        .bytes_unknown = w.unknown,
    };
}
