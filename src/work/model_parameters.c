/* Stored weights of a model: exact counts, and bytes by each role's format. docs/model.md, "Parameters". */
#include "work/model.h"
#include "work/state.h"

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
        matrix(t, ROOF_ROLE_QKV, a->q_rank, hidden);
        vector(t, a->q_rank);
        matrix(t, ROOF_ROLE_QKV, w->q_out, a->q_rank);
    } else {
        matrix(t, ROOF_ROLE_QKV, w->q_out, hidden);
    }
    matrix(t, ROOF_ROLE_QKV, row, hidden);
    vector(t, a->kv_rank);
    matrix(t, ROOF_ROLE_QKV, w->kv_out, a->kv_rank);
    if (a->qkv_bias)
        vector(t, row + (a->q_rank > 0 ? a->q_rank : w->q_out));
}

/* Keys and values come from rows of `source` wide: the layer's own, or the encoder's. */
static void plain(tally *t, const roof_attention_block *a, const attention_widths *w, double source) {
    double hidden = t->model->hidden;
    double keys = a->shared_kv ? 0 : w->kv_heads * w->qk;
    matrix(t, ROOF_ROLE_QKV, w->q_out, hidden);
    matrix(t, ROOF_ROLE_QKV, keys, source);
    matrix(t, ROOF_ROLE_QKV, w->kv_out - keys, source);
    if (a->head_gate)
        matrix(t, ROOF_ROLE_QKV, w->heads, hidden);
    if (a->qkv_bias)
        vector(t, w->q_out + w->kv_out - (a->no_k_bias ? keys : 0) + (a->head_gate ? w->heads : 0));
    vector(t, a->q_norm + a->k_norm);
}

/* DeepSeek V4: one row as key and value, what its summaries are made with, a grouped output. */
static void compressed(tally *t, const roof_attention_block *a, const attention_widths *w) {
    double hidden = t->model->hidden, series = compressed_series(a) * a->head_width;
    double groups = share(a->out_groups, t->tensor);
    matrix(t, ROOF_ROLE_QKV, a->q_rank, hidden);
    matrix(t, ROOF_ROLE_QKV, w->q_out, a->q_rank);
    matrix(t, ROOF_ROLE_QKV, a->head_width, hidden);
    matrix(t, ROOF_ROLE_QKV, 2 * series, hidden);
    vector(t, a->q_rank + a->head_width + a->compress * series + (series > 0 ? a->head_width : 0) + w->heads);
    matrix(t, ROOF_ROLE_OUTPUT, groups * a->out_rank, w->out / groups);
    matrix(t, ROOF_ROLE_OUTPUT, hidden, groups * a->out_rank);
    if (a->compress > 0 && a->index_heads > 0) {
        matrix(t, ROOF_ROLE_QKV, 4 * a->index_width, hidden);
        vector(t, 2 * a->compress * a->index_width + a->index_width);
    }
}

/* Queries, head weights, and (where keys are not summaries of their own) one key a token with a layer norm. */
static void indexer(tally *t, const roof_attention_block *a) {
    double hidden = t->model->hidden;
    if (!(a->index_heads > 0))
        return;
    matrix(t, ROOF_ROLE_QKV, a->index_heads * a->index_width, a->q_rank > 0 ? a->q_rank : hidden);
    matrix(t, ROOF_ROLE_ROUTER, a->index_heads, hidden);
    if (a->kind == ROOF_ATTENTION_COMPRESSED)
        return;
    matrix(t, ROOF_ROLE_QKV, a->index_width, hidden);
    vector(t, 2 * a->index_width);
}

static void attention(tally *t, const roof_attention_block *a, double source) {
    if (a->kind == ROOF_ATTENTION_NONE)
        return;
    attention_widths w = widths_of(a, t->tensor);
    indexer(t, a);
    if (a->kind == ROOF_ATTENTION_COMPRESSED) {
        compressed(t, a, &w);
        return;
    }
    if (a->kind == ROOF_ATTENTION_LATENT)
        latent(t, a, &w);
    else
        plain(t, a, &w, source);
    matrix(t, ROOF_ROLE_OUTPUT, t->model->hidden, w.out);
    if (a->output_bias)
        vector(t, t->model->hidden);
    if (a->sinks)
        vector(t, w.heads);
}

static void state(tally *t) {
    state_design d;
    state_describe(&t->layer->state, t->model->hidden, t->tensor, &d);
    for (size_t i = 0; i < d.count; i++) {
        matrix(t, ROOF_ROLE_STATE, d.matrices[i].outputs, d.matrices[i].inputs);
        if (d.matrices[i].bias)
            vector(t, d.matrices[i].outputs);
    }
    vector(t, d.vectors);
}

/* `copies` equal MLPs, `active` of which one token uses. */
static void feed_forward(tally *t, roof_role up, double width, double copies, double active) {
    const roof_mlp_block *mlp = &t->layer->mlp;
    bool routed = up == ROOF_ROLE_EXPERTS_UP && mlp->latent_width > 0;
    double hidden = routed ? mlp->latent_width : t->model->hidden, inner = share(width, t->tensor);
    double ups = mlp->gated ? 2 : 1;
    experts(t, up, inner, hidden, ups * copies, ups * active);
    experts(t, down_of(up), hidden, inner, copies, active);
    double bias = mlp->bias ? ups * inner + hidden : 0;
    vectors(t, bias * copies, bias * active);
}

static void channel_mix(tally *t, const roof_mlp_block *m) {
    double hidden = t->model->hidden, inner = share(m->width, t->tensor);
    matrix(t, ROOF_ROLE_UP, inner, hidden);
    matrix(t, ROOF_ROLE_DOWN, hidden, inner);
    if (m->gated)
        matrix(t, ROOF_ROLE_UP, hidden, hidden);
    vector(t, (m->gated ? 2 : 1) * hidden);
}

static void mlp(tally *t) {
    const roof_mlp_block *m = &t->layer->mlp;
    if (m->kind == ROOF_MLP_DENSE)
        feed_forward(t, ROOF_ROLE_UP, m->width, 1, 1);
    if (m->kind == ROOF_MLP_CHANNEL_MIX)
        channel_mix(t, m);
    if (m->kind != ROOF_MLP_MOE)
        return;
    matrix(t, ROOF_ROLE_ROUTER, m->experts, t->model->hidden);
    if (m->router_bias)
        vector(t, m->experts);
    feed_forward(t, ROOF_ROLE_EXPERTS_UP, m->width, m->experts, m->top_k);
    if (m->latent_width > 0) {
        matrix(t, ROOF_ROLE_SHARED_UP, m->latent_width, t->model->hidden);
        matrix(t, ROOF_ROLE_SHARED_DOWN, t->model->hidden, m->latent_width);
    }
    if (m->shared_width > 0)
        feed_forward(t, ROOF_ROLE_SHARED_UP, m->shared_width, 1, 1);
    if (m->shared_gate)
        matrix(t, ROOF_ROLE_ROUTER, 1, t->model->hidden);
    if (m->dense_width > 0)
        feed_forward(t, ROOF_ROLE_UP, m->dense_width, 1, 1);
}

static double norm_elements(const roof_model *model) {
    return norm_vectors(model->norm) * model->hidden;
}

static void add_layer(tally t, const roof_layer *layer, weights *out) {
    const roof_model *model = t.model;
    double streams = model->streams, blocks = (layer->attention.kind || layer->state.kind) + (layer->mlp.kind != 0);
    t.layer = layer;
    attention(&t, &layer->attention, model->hidden);
    attention(&t, &layer->cross, model->encoder ? model->encoder->hidden : model->hidden);
    out->attention += t.total * layer->count;
    t.total = 0;
    state(&t);
    out->state += t.total * layer->count;
    t.total = t.active = 0;
    mlp(&t);
    out->mlp += t.total * layer->count;
    out->active_mlp += t.active * layer->count;
    t.total = 0;
    vector(&t, layer->norms * norm_elements(model) + layer->vectors);
    if (streams > 1) /* matrix and bias of the mixing, three scales, around every block */
        vector(&t, blocks * (stream_mix(streams) * (streams * model->hidden + 1) + 3));
    out->norms += t.total * layer->count;
    out->bytes += t.bytes * layer->count;
    out->unknown |= t.unknown;
}

/* Matrices in front of the layers or behind them, stored as the embedding is. */
static void add_projections(tally *t, const roof_format *table, const roof_projection *projections, size_t count,
                            double *elements) {
    for (size_t i = 0; i < count; i++) {
        const roof_projection *p = &projections[i];
        add_bytes(t, table, p->outputs, p->inputs, 1);
        *elements += p->outputs * p->inputs;
        t->total = 0;
        vector(t, p->bias ? p->outputs : 0);
        *elements += t->total;
    }
}

/* Everything outside the layers; bytes and unknown end in `t`. */
static void add_ends(tally *t, weights *out) {
    const roof_model *model = t->model;
    double width = embedding_width(model), rows = share(model->vocab, t->tensor);
    double table_rows = share(model->vocab + model->extra_rows, t->tensor);
    double second = model->positions + model->token_types, streams = model->streams;
    roof_format own;
    const roof_format *table = model_embedding(model, t->plan, &own);
    add_bytes(t, table, table_rows, width, 1);
    add_bytes(t, table, second, model->hidden, 1);
    out->embedding = table_rows * width + second * model->hidden;
    if (width != model->hidden && model->vocab > 0) {
        add_bytes(t, table, model->hidden, width, 2); /* into the layers and back */
        out->embedding += 2 * model->hidden * width;
    }
    add_projections(t, table, model->front, model->front_count, &out->embedding);
    add_projections(t, table, model->back, model->back_count, &out->head);
    if (!model->tied && !model->headless) {
        linear how;
        model_head(model, t->plan, &how);
        add_bytes(t, how.format, rows, width, 1);
        out->head += rows * width;
    }
    t->total = 0;
    vector(t, model->head_bias ? rows : 0);
    out->head += t->total;
    t->total = 0;
    vector(t, model->extra_norms * norm_elements(model) + model->vectors);
    if (streams > 1)
        vector(t, streams * (streams * model->hidden + 1) + 1);
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

static double all(const weights *w) {
    return w->embedding + w->head + w->attention + w->state + w->norms + w->mlp;
}

roof_parameters roof_model_parameters(const roof_model *model, const roof_plan *plan) {
    weights w, encoder = {0}, vision = {0};
    model_weights(model, plan, 1, &w);
    if (model->encoder)
        model_weights(model->encoder, plan, 1, &encoder);
    if (model->vision)
        model_weights(model->vision, plan, 1, &vision);
    double total = all(&w) + all(&encoder);
    return (roof_parameters){
        .total = total,
        .active = total - w.mlp + w.active_mlp,
        .embedding = w.embedding,
        .head = w.head,
        .attention = w.attention,
        .state = w.state,
        .mlp = w.mlp,
        .norms = w.norms,
        .encoder = all(&encoder),
        .vision = all(&vision),
        .vision_bytes = vision.bytes,
        .bytes = w.bytes + encoder.bytes,
        .bytes_unknown = w.unknown || encoder.unknown,
    };
}
