/* The list of models, and one model shown, as JSON and CSV. */
#include <math.h>
#include <string.h>

#include "cli/models/models.h"
#include "cli/out/answer.h"
#include "roofline_read.h"

static void known(emit *json, const char *key, double value) {
    emit_number(json, key, value > 0 ? value : HUGE_VAL);
}

/* Keys whose value is 0 or false are left out: most of a block's fields concern one kind. */
static void number(emit *json, const char *key, double value) {
    if (value != 0)
        emit_number(json, key, value);
}

static void flag(emit *json, const char *key, bool value) {
    if (value)
        emit_bool(json, key, value);
}

static void attention_json(const char *key, const roof_attention_block *a, emit *json) {
    if (a->kind == ROOF_ATTENTION_NONE)
        return;
    emit_row(json, key);
    emit_string(json, "kind", attention_kind_name(a->kind));
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"heads", a->heads},
                   {"kv_heads", a->kv_heads},
                   {"head_width", a->head_width},
                   {"value_width", a->value_width},
                   {"window", a->window},
                   {"q_rank", a->q_rank},
                   {"kv_rank", a->kv_rank},
                   {"nope_width", a->nope_width},
                   {"rope_width", a->rope_width},
                   {"q_norm", a->q_norm},
                   {"k_norm", a->k_norm},
                   {"index_heads", a->index_heads},
                   {"index_width", a->index_width},
                   {"index_topk", a->index_topk},
                   {"compress", a->compress},
                   {"out_rank", a->out_rank},
                   {"out_groups", a->out_groups}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        number(json, numbers[i].key, numbers[i].value);
    flag(json, "qkv_bias", a->qkv_bias);
    flag(json, "no_k_bias", a->no_k_bias);
    flag(json, "output_bias", a->output_bias);
    flag(json, "sinks", a->sinks);
    flag(json, "no_rope", a->no_rope);
    flag(json, "output_gate", a->output_gate);
    flag(json, "head_gate", a->head_gate);
    flag(json, "shared_kv", a->shared_kv);
    flag(json, "tied_kv", a->tied_kv);
    emit_end(json);
}

static void state_json(const roof_state_block *s, emit *json) {
    if (s->kind == ROOF_STATE_NONE)
        return;
    emit_row(json, "state");
    emit_string(json, "kind", state_kind_name(s->kind));
    number(json, "heads", s->heads);
    number(json, "key_heads", s->key_heads);
    number(json, "key_width", s->key_width);
    number(json, "value_width", s->value_width);
    number(json, "conv", s->conv);
    number(json, "norm", s->norm);
    number(json, "chunk", s->chunk);
    flag(json, "bias", s->bias);
    flag(json, "conv_bias", s->conv_bias);
    flag(json, "output_gate", s->output_gate);
    emit_row_array(json, "ranks");
    for (size_t i = 0; i < sizeof s->ranks / sizeof *s->ranks && s->ranks[i] > 0; i++)
        emit_number(json, NULL, s->ranks[i]);
    emit_end(json);
    emit_string(json, "dtype", roof_dtype_name(s->dtype != ROOF_DTYPE_NONE ? s->dtype : ROOF_F32));
    emit_end(json);
}

static void mlp_json(const roof_mlp_block *m, emit *json) {
    if (m->kind == ROOF_MLP_NONE)
        return;
    emit_row(json, "mlp");
    emit_string(json, "kind", mlp_kind_name(m->kind));
    emit_bool(json, "gated", m->gated);
    number(json, "width", m->width);
    number(json, "experts", m->experts);
    number(json, "top_k", m->top_k);
    number(json, "shared_width", m->shared_width);
    number(json, "dense_width", m->dense_width);
    number(json, "latent_width", m->latent_width);
    flag(json, "bias", m->bias);
    flag(json, "shared_gate", m->shared_gate);
    flag(json, "router_bias", m->router_bias);
    emit_end(json);
}

static void formats_json(const roof_layer *layer, emit *json) {
    static const char *const roles[ROOF_ROLE_COUNT] = {
        [ROOF_ROLE_QKV] = "qkv",
        [ROOF_ROLE_OUTPUT] = "output",
        [ROOF_ROLE_UP] = "up",
        [ROOF_ROLE_DOWN] = "down",
        [ROOF_ROLE_EXPERTS_UP] = "experts_up",
        [ROOF_ROLE_EXPERTS_DOWN] = "experts_down",
        [ROOF_ROLE_SHARED_UP] = "shared_up",
        [ROOF_ROLE_SHARED_DOWN] = "shared_down",
        [ROOF_ROLE_ROUTER] = "router",
        [ROOF_ROLE_STATE] = "state",
    };
    bool any = false;
    for (int role = 0; role < ROOF_ROLE_COUNT; role++)
        any |= layer->format[role].name && layer_has_role(layer, (roof_role)role);
    if (!any)
        return;
    emit_row(json, "formats");
    for (int role = 0; role < ROOF_ROLE_COUNT; role++)
        if (layer->format[role].name && layer_has_role(layer, (roof_role)role))
            emit_string(json, roles[role], layer->format[role].name);
    emit_end(json);
}

static void layer_json(const roof_model *model, size_t kind, const layer_facts *facts, emit *json) {
    const roof_layer *layer = &model->layers[kind];
    size_t first, last;
    emit_object(json, NULL);
    emit_number(json, "count", layer->count);
    emit_row_array(json, "runs");
    for (size_t n = 0; layer_run(model, kind, n, &first, &last); n++) {
        emit_row_array(json, NULL);
        emit_number(json, NULL, (double)first);
        emit_number(json, NULL, (double)last);
        emit_end(json);
    }
    emit_end(json);
    emit_row(json, "parameters");
    emit_number(json, "total", facts->parameters);
    emit_number(json, "active", facts->active);
    emit_number(json, "attention", facts->attention);
    emit_number(json, "state", facts->state);
    emit_number(json, "mlp", facts->mlp - facts->experts);
    emit_number(json, "experts", facts->experts);
    emit_number(json, "norms", facts->norms);
    emit_end(json);
    emit_number(json, "kv_bytes_per_token", facts->kv_bytes);
    emit_number(json, "state_bytes", facts->state_bytes);
    attention_json("attention", &layer->attention, json);
    state_json(&layer->state, json);
    attention_json("cross_attention", &layer->cross, json);
    mlp_json(&layer->mlp, json);
    emit_number(json, "norm_vectors", layer->norms);
    flag(json, "parallel", layer->parallel);
    number(json, "vectors", layer->vectors);
    formats_json(layer, json);
    emit_end(json);
}

/* Everything of one model but what stands beside it. */
static void model_members(const architecture *facts, emit *json) {
    const roof_model *model = facts->model;
    const roof_parameters *p = &facts->parameters;
    emit_row(json, "parameters");
    emit_number(json, "total", p->total);
    emit_number(json, "active", p->active);
    emit_number(json, "embedding", p->embedding);
    emit_number(json, "attention", p->attention);
    emit_number(json, "state", p->state);
    emit_number(json, "mlp", p->mlp - facts->experts);
    emit_number(json, "experts", facts->experts);
    emit_number(json, "norms", p->norms);
    emit_number(json, "head", p->head);
    emit_number(json, "encoder", p->encoder);
    emit_end(json);
    emit_number(json, "weight_bytes", p->bytes_unknown ? HUGE_VAL : p->bytes);
    emit_number(json, "kv_bytes_per_token", facts->kv_bytes);
    emit_number(json, "state_bytes", facts->state_bytes);
    emit_number(json, "hidden", model->hidden);
    number(json, "vocab", model->vocab);
    number(json, "embedding_width", model->embedding_width != model->hidden ? model->embedding_width : 0);
    number(json, "positions", model->positions);
    number(json, "token_types", model->token_types);
    number(json, "extra_rows", model->extra_rows);
    number(json, "streams", model->streams);
    emit_bool(json, "tied", model->tied);
    flag(json, "head_bias", model->head_bias);
    flag(json, "bidirectional", model->bidirectional);
    flag(json, "headless", model->headless);
    emit_array(json, "layers");
    for (size_t i = 0; i < model->layer_count; i++)
        layer_json(model, i, &facts->layers[i], json);
    emit_end(json);
    emit_array(json, "formats");
    for (size_t i = 0; i < facts->format_count; i++) {
        const format_facts *format = &facts->formats[i];
        emit_row(json, NULL);
        emit_string(json, "format", format->name);
        emit_number(json, "parameters", format->parameters);
        emit_number(json, "bytes", format->unknown ? HUGE_VAL : format->bytes);
        emit_end(json);
    }
    emit_end(json);
}

static void tower_json(const char *key, const roof_model *tower, const roof_plan *plan, emit *json) {
    architecture facts;
    if (!tower)
        return;
    architecture_of(tower, plan, &facts);
    emit_object(json, key);
    model_members(&facts, json);
    emit_end(json);
    architecture_free(&facts);
}

static void architecture_json(const model_view *view, emit *json) {
    const roof_model *model = view->facts.model;
    emit_object(json, "architecture");
    emit_string(json, "family", model->family);
    known(json, "context_max", model->context_max);
    emit_row_array(json, "phases");
    for (int phase = 0; phase < ROOF_PHASE_COUNT; phase++)
        if (roof_model_has_phase(model, (roof_phase)phase))
            emit_string(json, NULL, roof_phase_name((roof_phase)phase));
    emit_end(json);
    model_members(&view->facts, json);
    known(json, "prediction_parameters", model->prediction_parameters);
    known(json, "vision_parameters", view->facts.parameters.vision);
    emit_string(json, "not_counted", model->not_counted);
    tower_json("encoder", model->encoder, &view->facts.plan, json);
    tower_json("vision", model->vision, &view->facts.plan, json);
    emit_end(json);
    emit_array(json, "notes");
    for (size_t i = 0; i < roof_model_file_notes(view->source->file); i++)
        emit_string(json, NULL, roof_model_file_note(view->source->file, i));
    emit_end(json);
    emit_array(json, "warnings");
    for (size_t i = 0; i < roof_model_file_warnings(view->source->file); i++)
        emit_string(json, NULL, roof_model_file_warning(view->source->file, i));
    emit_end(json);
}

void model_view_json(const void *context, emit *json) {
    const model_view *view = context;
    emit_string(json, "id", view->source->id);
    emit_string(json, "name", view->source->name);
    emit_row(json, "parameters");
    emit_number(json, "total", view->facts.parameters.total);
    emit_number(json, "active", view->facts.parameters.active);
    emit_end(json);
    emit_number(json, "layers", roof_model_layers(view->facts.model));
    emit_number(json, "weight_bytes", view->facts.parameters.bytes_unknown ? HUGE_VAL : view->facts.parameters.bytes);
    emit_number(json, "kv_bytes_per_token", view->facts.kv_bytes);
    known(json, "context_max", view->facts.model->context_max);
    emit_string(json, "source", view->source->named ? view->source->named->source : NULL);
    if (view->source->named)
        emit_string(json, "config", view->source->named->config);
    architecture_json(view, json);
    weights_json(view, json);
}

void model_view_csv(const void *context, text_out *out) {
    const model_view *view = context;
    const roof_model *model = view->facts.model;
    text_add(out, "first,last,attention,state,mlp,parameters,active_parameters,kv_bytes_per_token,state_bytes\n");
    for (size_t kind = 0; kind < model->layer_count; kind++) {
        const layer_facts *facts = &view->facts.layers[kind];
        size_t first, last;
        for (size_t n = 0; layer_run(model, kind, n, &first, &last); n++) {
            csv_number(out, (double)first);
            csv_number(out, (double)last);
            csv_text(out, attention_kind_name(model->layers[kind].attention.kind));
            csv_text(out, state_kind_name(model->layers[kind].state.kind));
            csv_text(out, mlp_kind_name(model->layers[kind].mlp.kind));
            csv_number(out, facts->parameters);
            csv_number(out, facts->active);
            csv_number(out, facts->kv_bytes);
            csv_number(out, facts->state_bytes);
            csv_end(out);
        }
    }
}

/* ---- all models ---- */

void models_csv(const void *context, text_out *out) {
    const model_list *list = context;
    text_add(out, "id,name,parameters,active_parameters,layers,weight_bytes,kv_bytes_per_token,context_max,source\n");
    for (size_t i = 0; i < list->count; i++) {
        const listed_model *row = &list->rows[i];
        double context_max = roof_model_file_model(row->file)->context_max;
        csv_text(out, row->named->id);
        csv_text(out, row->named->name);
        csv_number(out, row->parameters.total);
        csv_number(out, row->parameters.active);
        csv_number(out, row->layers);
        csv_number(out, row->parameters.bytes);
        csv_number(out, row->kv_bytes);
        csv_number(out, context_max > 0 ? context_max : HUGE_VAL);
        csv_text(out, row->named->source);
        csv_end(out);
    }
}

static void row_members(const listed_model *row, emit *json) {
    double context_max = roof_model_file_model(row->file)->context_max;
    emit_string(json, "id", row->named->id);
    emit_string(json, "name", row->named->name);
    emit_row(json, "parameters");
    emit_number(json, "total", row->parameters.total);
    emit_number(json, "active", row->parameters.active);
    emit_end(json);
    emit_number(json, "layers", row->layers);
    emit_number(json, "weight_bytes", row->parameters.bytes);
    emit_number(json, "kv_bytes_per_token", row->kv_bytes);
    emit_number(json, "context_max", context_max > 0 ? context_max : HUGE_VAL);
    emit_string(json, "source", row->named->source);
}

void models_json(const void *context, emit *json) {
    const model_list *list = context;
    emit_array(json, "models");
    for (size_t i = 0; i < list->count; i++) {
        emit_object(json, NULL);
        row_members(&list->rows[i], json);
        emit_end(json);
    }
    emit_end(json);
}
