/* Taking a model apart by judging it with pieces left out. */
#include "cli/models/architecture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

const char *attention_kind_name(roof_attention_kind kind) {
    static const char *const names[] = {"none", "full", "sliding", "chunked", "latent", "compressed"};
    return names[kind];
}

const char *state_kind_name(roof_state_kind kind) {
    static const char *const names[ROOF_STATE_KIND_COUNT] = {
        [ROOF_STATE_NONE] = "none",
        [ROOF_STATE_MAMBA] = "mamba",
        [ROOF_STATE_MAMBA2] = "mamba-2",
        [ROOF_STATE_DELTA] = "delta-net",
        [ROOF_STATE_GATED_DELTA] = "gated-delta-net",
        [ROOF_STATE_KIMI_DELTA] = "kimi-delta",
        [ROOF_STATE_LIGHTNING] = "lightning",
        [ROOF_STATE_GATED_LINEAR] = "gated-linear",
        [ROOF_STATE_HGRN2] = "hgrn-2",
        [ROOF_STATE_RWKV6] = "rwkv-6",
        [ROOF_STATE_RWKV7] = "rwkv-7",
        [ROOF_STATE_RGLRU] = "rg-lru",
        [ROOF_STATE_SHORT_CONV] = "short-conv",
    };
    return names[kind] ? names[kind] : "other";
}

const char *mlp_kind_name(roof_mlp_kind kind) {
    static const char *const names[] = {"none", "dense", "moe", "channel-mix"};
    return names[kind];
}

bool layer_has_role(const roof_layer *layer, roof_role role) {
    const roof_mlp_block *mlp = &layer->mlp;
    bool moe = mlp->kind == ROOF_MLP_MOE;
    if (role <= ROOF_ROLE_OUTPUT)
        return layer->attention.kind != ROOF_ATTENTION_NONE || layer->cross.kind != ROOF_ATTENTION_NONE;
    if (role <= ROOF_ROLE_DOWN)
        return moe ? mlp->dense_width > 0 : mlp->kind != ROOF_MLP_NONE;
    if (role <= ROOF_ROLE_EXPERTS_DOWN)
        return moe;
    if (role <= ROOF_ROLE_SHARED_DOWN)
        return moe && (mlp->shared_width > 0 || mlp->latent_width > 0);
    if (role == ROOF_ROLE_ROUTER)
        return moe || layer->attention.index_heads > 0;
    return layer->state.kind != ROOF_STATE_NONE;
}

/* ---- runs ---- */

/* Kinds in a row where no order is given. */
static size_t kind_at(const roof_model *model, size_t index) {
    if (model->order)
        return model->order[index];
    size_t kind = 0;
    double end = model->layers[0].count;
    while (kind + 1 < model->layer_count && (double)index >= end)
        end += model->layers[++kind].count;
    return kind;
}

bool layer_run(const roof_model *model, size_t kind, size_t n, size_t *first, size_t *last) {
    size_t layers = (size_t)roof_model_layers(model), at = 0;
    for (;; n--) {
        while (at < layers && kind_at(model, at) != kind)
            at++;
        if (at == layers)
            return false;
        *first = at + 1;
        while (at < layers && kind_at(model, at) == kind)
            at++;
        *last = at;
        if (n == 0)
            return true;
    }
}

/* ---- parts ---- */

/* The model with `layer` once as its only layer; without layers for NULL. */
static roof_model with_layer(const roof_model *model, const roof_layer *layer) {
    roof_model out = *model;
    out.layers = layer;
    out.layer_count = layer ? 1 : 0;
    out.order = NULL;
    return out;
}

static double mlp_of(const architecture *facts, const roof_layer *layer) {
    roof_model one = with_layer(facts->model, layer);
    return roof_model_parameters(&one, &facts->plan).mlp;
}

static void look_at(const architecture *facts, const roof_layer *layer, layer_facts *out) {
    roof_layer single = *layer, dense;
    single.count = 1;
    roof_model bare = with_layer(facts->model, NULL), one = with_layer(facts->model, &single);
    roof_parameters without = roof_model_parameters(&bare, &facts->plan),
                    with = roof_model_parameters(&one, &facts->plan);
    *out = (layer_facts){
        .parameters = with.total - without.total,
        .active = with.active - without.active,
        .attention = with.attention,
        .state = with.state,
        .mlp = with.mlp,
        .norms = with.norms - without.norms,
        .kv_bytes = roof_model_kv_bytes_per_token(&one, &facts->plan),
        .state_bytes = roof_model_state_bytes(&one, &facts->plan),
    };
    if (layer->mlp.kind != ROOF_MLP_MOE)
        return;
    dense = single;
    dense.mlp.experts = dense.mlp.top_k = 0;
    dense.mlp.router_bias = false;
    out->experts = with.mlp - mlp_of(facts, &dense);
}

/* ---- bytes by format ---- */

static void add_format(architecture *facts, const char *name, bool unknown, double parameters, double bytes) {
    size_t i = 0;
    if (!(parameters > 0))
        return;
    while (i < facts->format_count && strcmp(facts->formats[i].name, name) != 0)
        i++;
    if (i == ARCHITECTURE_FORMATS)
        i--; /* more than anything stores: the last takes the rest */
    if (i == facts->format_count) {
        facts->formats[facts->format_count++] = (format_facts){.unknown = unknown};
        snprintf(facts->formats[i].name, sizeof facts->formats[i].name, "%s", name);
    }
    facts->formats[i].parameters += parameters;
    facts->formats[i].bytes += bytes;
}

/* A model of which all formats are hidden (their bytes are left out) but the one that is looked at. */
typedef struct probe {
    architecture *facts;
    roof_model model;
    roof_plan plan; /* the formats of the real one are put into the model */
    double rest;    /* bytes of norms and biases, and of an encoder beside the model */
    double count;   /* layers */
} probe;

static const roof_format hidden_format = {.name = "?", .unknown = true};

static double probe_bytes(const probe *p) {
    return roof_model_parameters(&p->model, &p->plan).bytes - p->rest;
}

static const char *format_name(const architecture *facts, const roof_format *format) {
    roof_dtype stored = facts->model->stored != ROOF_DTYPE_NONE ? facts->model->stored : facts->plan.activations;
    return format->name ? format->name : roof_dtype_name(format->dtype != ROOF_DTYPE_NONE ? format->dtype : stored);
}

static void look_in(probe *p, roof_format *slot, const roof_format *format) {
    *slot = roof_format_plain(ROOF_INT8); /* bytes are then weights */
    double parameters = probe_bytes(p);
    *slot = *format;
    double bytes = probe_bytes(p);
    *slot = hidden_format;
    add_format(p->facts, format_name(p->facts, format), format->unknown, parameters * p->count, bytes * p->count);
}

static void look_in_layer(probe *p, const roof_layer *layer) {
    roof_layer single = *layer;
    single.count = 1;
    for (int role = 0; role < ROOF_ROLE_COUNT; role++)
        single.format[role] = hidden_format;
    p->model.layers = &single;
    p->model.layer_count = 1;
    p->count = layer->count;
    p->rest = 0;
    p->rest = probe_bytes(p);
    for (int role = 0; role < ROOF_ROLE_COUNT; role++) {
        bool replaced = p->facts->plan.weights.dtype != ROOF_DTYPE_NONE && role != ROOF_ROLE_ROUTER;
        look_in(p, &single.format[role], replaced ? &p->facts->plan.weights : &layer->format[role]);
    }
    p->model.layers = NULL;
    p->model.layer_count = 0;
}

static void look_in_model(architecture *facts, const roof_model *model) {
    probe p = {.facts = facts, .model = with_layer(model, NULL), .plan = facts->plan, .count = 1};
    bool head = facts->plan.weights_head && facts->plan.weights.dtype != ROOF_DTYPE_NONE;
    p.plan.weights = (roof_format){0};
    p.plan.sparse = false;
    p.model.embedding = p.model.head = hidden_format;
    for (size_t i = 0; i < model->layer_count; i++)
        look_in_layer(&p, &model->layers[i]);
    p.count = 1;
    p.rest = 0;
    p.rest = probe_bytes(&p);
    look_in(&p, &p.model.embedding, &model->embedding);
    look_in(&p, &p.model.head, head ? &facts->plan.weights : &model->head);
}

/* What the formats leave over is norms and biases. */
static void look_at_formats(architecture *facts) {
    const roof_model *model = facts->model;
    double parameters = facts->parameters.total, bytes = facts->parameters.bytes;
    look_in_model(facts, model);
    if (model->encoder)
        look_in_model(facts, model->encoder);
    for (size_t i = 0; i < facts->format_count; i++) {
        parameters -= facts->formats[i].parameters;
        bytes -= facts->formats[i].bytes;
    }
    roof_format vectors = {0};
    add_format(facts, format_name(facts, &vectors), false, parameters, bytes);
}

void architecture_of(const roof_model *model, const roof_plan *plan, architecture *out) {
    *out = (architecture){.model = model, .plan = *plan};
    out->plan.sparse = false;
    roof_plan_complete(model, &out->plan);
    out->parameters = roof_model_parameters(model, &out->plan);
    out->kv_bytes = roof_model_kv_bytes_per_token(model, &out->plan);
    out->state_bytes = roof_model_state_bytes(model, &out->plan);
    out->layers = keep_or_die(calloc(model->layer_count + 1, sizeof *out->layers));
    for (size_t i = 0; i < model->layer_count; i++) {
        look_at(out, &model->layers[i], &out->layers[i]);
        out->experts += out->layers[i].experts * model->layers[i].count;
    }
    look_at_formats(out);
}

void architecture_free(architecture *facts) {
    free(facts->layers);
    *facts = (architecture){0};
}
