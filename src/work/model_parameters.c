/* Stored weights of a model: exact counts, and bytes by each role's format. docs/model.md, "Parameters". */
#include "work/layer_design.h"
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

/* Norms and biases: `elements` in all, `active` for one token. */
static void vectors(tally *t, double elements, double active) {
    t->bytes += elements * roof_dtype_bytes(model_stored(t->model, t->plan));
    t->total += elements;
    t->active += active;
}

static void vector(tally *t, double elements) {
    vectors(t, elements, elements);
}

static void matrix(tally *t, roof_role role, const layer_matrix *m) {
    linear how;
    double elements = m->outputs * m->inputs, bias = m->bias ? m->outputs : 0;
    model_linear(t->model, t->plan, t->layer, role, &how);
    add_bytes(t, how.format, m->outputs, m->inputs, m->copies);
    t->total += elements * m->copies;
    t->active += elements * m->active;
    vectors(t, bias * m->copies, bias * m->active);
}

static void add_design(tally *t, const layer_design *design) {
    for (int kind = 0; kind < MATRIX_KINDS; kind++)
        if (design_matrix(design, kind))
            matrix(t, matrix_role((matrix_kind)kind), &design->at[kind]);
    for (int i = 0; i < VECTOR_KINDS; i++)
        vector(t, design->vectors[i]);
}

static void attention(tally *t, const roof_attention_block *block, double source) {
    layer_design design;
    attention_describe(block, t->model->hidden, source, t->tensor, &design);
    add_design(t, &design);
}

static void state(tally *t) {
    state_design d;
    state_describe(&t->layer->state, t->model->hidden, t->tensor, &d);
    for (size_t i = 0; i < d.count; i++) {
        const state_matrix *m = &d.matrices[i];
        matrix(t, ROOF_ROLE_STATE,
               &(layer_matrix){.bias = m->bias, .outputs = m->outputs, .inputs = m->inputs, .copies = 1, .active = 1});
    }
    vector(t, d.vectors);
}

static void mlp(tally *t) {
    layer_design design;
    mlp_describe(&t->layer->mlp, t->model->hidden, t->tensor, &design);
    add_design(t, &design);
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
