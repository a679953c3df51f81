/* GGUF to a model: the metadata read as a config.json, then the tensor table put over it, then one checked against the
 * other. */
#define _POSIX_C_SOURCE 200809L
#include "read/gguf/model.h"
#include "read/checkpoint/weights.h"
#include "read/match.h"

#include "roofline_read.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_HERE = 4096, PARTS_MAX = 1024 };

/* ---- parts ---------------------------------------------------------------------------------------------------- */

/* NAME-00002-of-00003.gguf: where "00002" begins, or NULL. */
static const char *part_place(const char *path, unsigned *part, unsigned *parts) {
    size_t n = strlen(path), tail = strlen("-00001-of-00001.gguf");
    int used = 0;
    if (n < tail || sscanf(path + n - tail, "-%5u-of-%5u.gguf%n", part, parts, &used) != 2 || (size_t)used != tail)
        return NULL;
    return path + n - tail + 1;
}

static void append_chunks(gguf *to, const gguf *from) {
    gguf_chunk **last = &to->chunks;
    while (*last)
        last = &(*last)->next;
    *last = from->chunks;
    to->tensor_count += from->tensor_count;
    to->data_missing |= from->data_missing;
}

static int prefix_error(roof_error *error, const char *path) {
    char what[sizeof error->what];
    const char *name = strrchr(path, '/');
    if (!error || error->code == ROOF_ENOTFOUND)
        return -1;
    snprintf(what, sizeof what, "%.120s: %.190s", name ? name + 1 : path, error->what);
    memcpy(error->what, what, sizeof what);
    return -1;
}

static int read_part(source *s, const char *path, arena *memory, gguf *out, roof_error *error) {
    if (source_open(s, path, error) != 0)
        return -1;
    int result = gguf_read(s, memory, out, error);
    source_close(s);
    return result != 0 ? prefix_error(error, path) : 0;
}

static int missing_part(roof_error *error, const char *path, unsigned parts) {
    const char *name = strrchr(path, '/');
    roof_fail(error, ROOF_ENOTFOUND, "part '%.150s' of %u is missing: all parts of a split GGUF must be in one folder",
              name ? name + 1 : path, parts);
    return -1;
}

/* The file is part of several: read them all, the first one for its metadata. */
static int read_parts(source *s, const char *path, arena *memory, gguf *out, roof_error *error) {
    unsigned part, parts, count = (unsigned)gguf_number(out, "split.count", 0);
    char name[PATH_MAX_HERE + 1];
    const char *place = path && strlen(path) < PATH_MAX_HERE ? part_place(path, &part, &parts) : NULL;
    if (!place || parts != count || count > PARTS_MAX) {
        roof_fail(error, ROOF_EFORMAT, "the file is one of %u parts, and its name does not say which", count);
        roof_hint(error, "parts are named NAME-00001-of-%05u.gguf", count);
        return -1;
    }
    double tensors = gguf_number(out, "split.tensors.count", -1);
    source_close(s); /* each part is opened in turn */
    *out = (gguf){0};
    for (unsigned i = 1; i <= count; i++) {
        gguf one;
        snprintf(name, sizeof name, "%.*s%05u-of-%05u.gguf", (int)(place - path), path, i, count);
        if (read_part(s, name, memory, &one, error) != 0)
            return error && error->code == ROOF_ENOTFOUND ? missing_part(error, name, count) : -1;
        if (i == 1)
            *out = one;
        else
            append_chunks(out, &one);
    }
    if (tensors >= 0 && tensors != (double)out->tensor_count)
        return roof_fail(error, ROOF_EFORMAT,
                         "the %u parts hold %" PRIu64 " tensors, and split.tensors.count says %.0f", count,
                         out->tensor_count, tensors);
    return 0;
}

static int read_all(source *s, const char *path, arena *memory, gguf *out, roof_error *error) {
    if (gguf_read(s, memory, out, error) != 0)
        return -1;
    return gguf_number(out, "split.count", 0) > 1 ? read_parts(s, path, memory, out, error) : 0;
}

int gguf_sum(source *s, const char *path, arena *memory, roof_weights *out, roof_error *error) {
    gguf header;
    size_t index = 0;
    if (read_all(s, path, memory, &header, error) != 0)
        return -1;
    const gguf_chunk *chunk = header.chunks;
    *out = (roof_weights){.files = gguf_number(&header, "split.count", 1)};
    for (const gguf_tensor *t; (t = gguf_next(&chunk, &index));)
        weights_sum_add(out, t->name, t->type->name, (double)t->elements, (double)t->bytes);
    weights_sum_end(out);
    return 0;
}

/* ---- checks of the whole ---------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int check_names(reader *r, const gguf *g) {
    const gguf_chunk *chunk = g->chunks;
    size_t index = 0, n = 0;
    const char **names = keep(r, (size_t)(g->tensor_count + 1) * sizeof *names);
    if (!names)
        return -1;
    for (const gguf_tensor *t; (t = gguf_next(&chunk, &index));)
        names[n++] = t->name;
    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 1; i < n; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            return fail_at(r, ROOF_EFORMAT, NULL, "tensor '%s' appears twice", names[i]);
    return 0;
}

static int find_arch(reader *r, gguf_file *file) {
    const gguf_value *type = gguf_find(&file->header, "general.type"),
                     *arch = gguf_find(&file->header, "general.architecture");
    if (type && type->text && strcmp(type->text, "model") != 0)
        return fail_at(r, ROOF_EUNSUPPORTED, NULL, "the GGUF holds no model: its general.type is '%.40s'", type->text);
    if (!arch || !arch->text || !*arch->text)
        return fail_at(r, ROOF_EFORMAT, NULL, "key 'general.architecture' is missing");
    file->arch = arch->text;
    if (strcmp(file->arch, "clip") == 0) {
        fail_at(r, ROOF_EUNSUPPORTED, NULL,
                "the GGUF holds the projector of a vision or audio model, not the language model");
        roof_hint(r->error, "name the GGUF of the model it belongs to");
        return -1;
    }
    return 0;
}

/* Blocks a token passes: those that only predict further tokens stand behind them. */
static int find_layers(reader *r, gguf_file *file) {
    double blocks = arch_number(file, "block_count"), beside = arch_number(file, "nextn_predict_layers");
    if (!arch_value(file, "block_count"))
        return fail_at(r, ROOF_EFORMAT, NULL, "key '%.40s.block_count' is missing", file->arch);
    if (!(blocks >= 1 && blocks <= LAYERS_MAX && blocks == floor(blocks)))
        return fail_at(r, ROOF_EFORMAT, NULL, "key '%.40s.block_count' is %g: it must be a whole number from 1 to %d",
                       file->arch, blocks, LAYERS_MAX);
    if (strcmp(file->arch, "t5") == 0 && arch_number(file, "decoder_block_count") > 0) {
        blocks = arch_number(file, "decoder_block_count");
        if (!(blocks <= LAYERS_MAX && blocks == floor(blocks)))
            return fail_at(r, ROOF_EFORMAT, NULL, "key 't5.decoder_block_count' is %g: it must be from 1 to %d", blocks,
                           LAYERS_MAX);
    }
    file->layers =
        beside > 0 && beside < blocks && match_list("glm4moe qwen35 qwen35moe", file->arch) ? blocks - beside : blocks;
    return 0;
}

/* ---- the tensors over the model --------------------------------------------------------------------------------- */

static void set_heads(const gguf_file *f, size_t index, roof_attention_block *a) {
    if (a->kind == ROOF_ATTENTION_NONE || a->kind == ROOF_ATTENTION_LATENT)
        return;
    double heads = arch_of_layer(f, "attention.head_count", index, a->heads),
           kv = arch_of_layer(f, "attention.head_count_kv", index, a->kv_heads);
    double value = arch_number(f, "attention.value_length");
    if (heads <= 0 || kv <= 0) {
        *a = (roof_attention_block){.kind = ROOF_ATTENTION_NONE};
        return;
    }
    a->heads = heads;
    a->kv_heads = kv;
    if (value > 0)
        a->value_width = value;
}

static void set_attention(const gguf_layer *t, roof_attention_block *a) {
    if (a->kind == ROOF_ATTENTION_NONE)
        return;
    a->qkv_bias = t->facts & FACT_QKV_BIAS;
    a->output_bias = t->facts & FACT_OUT_BIAS;
    a->sinks = t->facts & FACT_SINKS;
    a->q_norm = t->q_norm;
    a->k_norm = t->k_norm;
}

static bool is_gated(const gguf_layer *t, roof_role up, roof_role down) {
    return t->role[up].weights > 1.5 * t->role[down].weights;
}

/* Matrices that the architecture has and the table lacks, or the other way round. */
static int check_matrices(reader *r, const gguf_file *f, const gguf_layer *t, size_t index, const roof_layer *base) {
    bool attends = base->attention.kind != ROOF_ATTENTION_NONE;
    roof_role up = t->experts > 0 ? ROOF_ROLE_EXPERTS_UP : ROOF_ROLE_UP,
              down = t->experts > 0 ? ROOF_ROLE_EXPERTS_DOWN : ROOF_ROLE_DOWN;
    if (attends && (t->role[ROOF_ROLE_QKV].weights <= 0 || t->role[ROOF_ROLE_OUTPUT].weights <= 0))
        return fail_at(r, ROOF_EFORMAT, NULL, "layer %zu lacks matrices of its attention", index);
    if (base->state.kind != ROOF_STATE_NONE && t->role[ROOF_ROLE_STATE].weights <= 0)
        return fail_at(r, ROOF_EFORMAT, NULL, "layer %zu lacks matrices of its state", index);
    if (base->mlp.kind == ROOF_MLP_NONE)
        return 0;
    if (t->role[down].weights <= 0 || is_gated(t, up, down) != base->mlp.gated)
        return fail_at(r, ROOF_EFORMAT, NULL, "layer %zu has not the feed-forward matrices of a '%.40s' model", index,
                       f->arch);
    return 0;
}

static void set_mlp(const gguf_file *f, const gguf_layer *t, roof_mlp_block *mlp) {
    double top_k = mlp->top_k > 0 ? mlp->top_k : arch_number(f, "expert_used_count");
    roof_role up = t->experts > 0 ? ROOF_ROLE_EXPERTS_UP : ROOF_ROLE_UP,
              down = t->experts > 0 ? ROOF_ROLE_EXPERTS_DOWN : ROOF_ROLE_DOWN;
    *mlp = (roof_mlp_block){.kind = ROOF_MLP_NONE, .latent_width = mlp->latent_width};
    if (t->role[down].weights <= 0)
        return;
    mlp->kind = t->experts > 0 ? ROOF_MLP_MOE : ROOF_MLP_DENSE;
    mlp->gated = is_gated(t, up, down);
    mlp->bias = t->facts & FACT_MLP_BIAS;
    mlp->width = t->experts > 0 ? t->expert_width : t->width;
    if (t->experts <= 0)
        return;
    mlp->experts = t->experts;
    mlp->top_k = top_k;
    mlp->shared_width = t->shared_width;
    mlp->shared_gate = t->facts & FACT_SHARED_GATE;
    mlp->router_bias = t->facts & FACT_ROUTER_BIAS;
    mlp->dense_width = t->width;
}

static void set_formats(reader *r, const gguf_layer *t, roof_layer *layer) {
    for (int role = 0; role < ROOF_ROLE_COUNT; role++)
        layer->format[role] = t->role[role].weights > 0 ? pile_format(r, &t->role[role]) : (roof_format){0};
}

static roof_format unknown_format(void) {
    return (roof_format){.name = "unknown (no tensors)", .unknown = true, .dtype = ROOF_F16};
}

static int set_layer(reader *r, const gguf_file *f, size_t index, roof_layer *layer) {
    const gguf_layer *t = &f->facts.layers[index];
    if (f->states &&
        (layer->attention.kind != ROOF_ATTENTION_NONE) !=
            (arch_of_layer(f, "attention.head_count_kv", index, layer->attention.kind) > 0) &&
        arch_value(f, "attention.head_count_kv")->is_array)
        return fail_at(
            r, ROOF_EUNSUPPORTED, NULL,
            "layer %zu: key '%.40s.attention.head_count_kv' names layers of attention in no pattern of the class",
            index, f->arch);
    set_heads(f, index, &layer->attention);
    if (f->facts.tensors == 0) {
        if (layer->mlp.kind == ROOF_MLP_DENSE)
            layer->mlp.width = arch_of_layer(f, "feed_forward_length", index, layer->mlp.width);
        if (f->no_mlp || (layer->mlp.kind == ROOF_MLP_DENSE && layer->mlp.width <= 0))
            layer->mlp = (roof_mlp_block){.kind = ROOF_MLP_NONE};
        for (int role = 0; role < ROOF_ROLE_COUNT; role++)
            layer->format[role] = unknown_format();
        return 0;
    }
    if (check_matrices(r, f, t, index, layer) != 0)
        return -1;
    set_attention(t, &layer->attention);
    set_mlp(f, t, &layer->mlp);
    layer->norms = t->norms > 0 ? t->norms : layer->norms; /* norms without weights leave no tensor */
    set_formats(r, t, layer);
    if (layer->mlp.kind == ROOF_MLP_MOE && !(layer->mlp.top_k >= 1 && layer->mlp.top_k <= layer->mlp.experts))
        return fail_at(r, ROOF_EFORMAT, NULL, "layer %zu has %.0f experts, and key '%.40s.expert_used_count' is %g",
                       index, layer->mlp.experts, f->arch, layer->mlp.top_k);
    return r->failed ? -1 : 0;
}

static int set_layers(reader *r, const gguf_file *f, roof_model *model) {
    layer_list list;
    size_t count = (size_t)f->layers;
    if (layer_list_begin(r, &list, count) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const roof_layer *base = model_layer(model, i);
        roof_layer layer;
        if (!base)
            return fail_at(r, ROOF_EFORMAT, NULL, "layer %zu is not described", i);
        memcpy(&layer, base, sizeof layer);
        if (set_layer(r, f, i, &layer) != 0 || layer_list_add(r, &list, &layer) != 0)
            return -1;
    }
    layer_list_end(&list, model);
    return 0;
}

/* What normalises: a weight and a bias, a weight alone, or nothing that is stored. */
static roof_norm_kind norm_kind(const gguf_facts *t, roof_norm_kind base) {
    if (!t->norm_weight && !t->embedding_norm)
        return ROOF_NORM_LAYER_NO_WEIGHT;
    if (t->norm_bias)
        return ROOF_NORM_LAYER;
    return base == ROOF_NORM_RMS ? base : ROOF_NORM_LAYER_NO_BIAS;
}

/* The encoder's layers are one kind, whose formats are the averages of all. */
static void set_encoder(reader *r, const gguf_facts *t, roof_model *model) {
    roof_model *encoder = keep(r, sizeof *encoder);
    roof_layer *layer = keep(r, sizeof *layer);
    if (!encoder || !layer)
        return;
    *encoder = *model->encoder;
    *layer = encoder->layers[0];
    set_formats(r, &t->encoder, layer);
    encoder->layers = layer;
    encoder->stored = model->stored;
    encoder->embedding = model->embedding;
    model->encoder = encoder;
}

static void set_ends(reader *r, const gguf_file *f, roof_model *model) {
    const gguf_facts *t = &f->facts;
    model->vocab = f->no_vocab ? 0 : model->vocab;
    if (t->tensors == 0) {
        model->embedding = model->head = unknown_format();
        model->stored = ROOF_DTYPE_NONE;
        return;
    }
    model->norm = norm_kind(t, model->norm);
    if (t->norm_weight || t->embedding_norm)
        model->extra_norms = t->norm_weight + t->embedding_norm;
    model->head_bias = t->head_bias;
    model->tied = t->head.weights <= 0;
    model->positions = t->positions;
    model->prediction_parameters = t->prediction;
    model->stored = t->vectors.weights > 0 ? t->vectors.dtype : ROOF_F32;
    model->embedding_width = t->width;
    model->embedding = t->embedding.weights > 0 ? pile_format(r, &t->embedding) : unknown_format();
    model->head = t->head.weights > 0 ? pile_format(r, &t->head) : (roof_format){0};
    if (model->encoder)
        set_encoder(r, t, model);
}

/* The count of the tensor table against what the model makes of the same figures. */
static int check_totals(reader *r, const gguf_file *f, const roof_model *model) {
    const gguf_facts *t = &f->facts;
    roof_plan plan = {0};
    roof_plan_complete(model, &plan);
    roof_parameters p = roof_model_parameters(model, &plan);
    double off = t->weights - p.total, bytes_off = t->bytes - p.bytes;
    if (fabs(off) > 0.01 * t->weights)
        return fail_at(r, ROOF_EUNSUPPORTED, NULL,
                       "the tensors hold %.0f weights, the metadata of '%.40s' describes %.0f%s%.100s", t->weights,
                       f->arch, p.total, t->unknown > 0 ? "; unrecognised tensors: " : "", t->unknown_names);
    if (off != 0)
        warn(r, "the tensors hold %.0f weights, the model described by the metadata %.0f: a difference of %.0f%s%s",
             t->weights, p.total, off, t->unknown > 0 ? "; unrecognised tensors: " : "", t->unknown_names);
    if (off == 0 && fabs(bytes_off) > 0.5)
        warn(r, "the tensors take %.0f bytes, the model as judged %.0f: a difference of %.0f", t->bytes, p.bytes,
             bytes_off);
    note(r, "weights: %.0f in %zu tensors, %.0f bytes, %.4f bits each", t->weights, t->tensors, t->bytes,
         8 * t->bytes / t->weights);
    return 0;
}

static void tell(reader *r, const gguf_file *f, const roof_model *model) {
    double quiet = 0;
    for (size_t i = 0; !f->states && i < (size_t)f->layers; i++)
        quiet += model_layer(model, i)->attention.kind == ROOF_ATTENTION_NONE;
    if (f->facts.tensors == 0)
        warn(r, "the file has no tensors: shapes are known, the bytes of the weights are not");
    if (f->no_mlp || f->no_vocab)
        warn(r, "nothing in the file says %s: %s not counted",
             f->no_mlp ? "how wide the feed-forward blocks are" : "how long the vocabulary is",
             f->no_mlp && f->no_vocab ? "they and the vocabulary are"
             : f->no_mlp              ? "they are"
                                      : "embedding and head are");
    if (quiet > 0 && f->facts.tensors == 0)
        warn(r, "%.0f of %.0f layers have no KV heads: they keep no cache, and what they do instead is not counted",
             quiet, f->layers);
    if (f->header.data_missing)
        warn(r, "the data section is missing: the file holds a header without its weights");
    if (f->facts.skipped > 0)
        note(r, "tables of rotary factors (%.0f elements) are not counted as weights", f->facts.skipped);
    if (f->facts.prediction > 0)
        note(r, "blocks after the last layer predict further tokens: %.0f weights, listed beside the model",
             f->facts.prediction);
}

static void name_model(reader *r, const gguf_file *f, roof_model *model) {
    static const char *const keys[] = {"general.name", "general.basename"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const gguf_value *name = gguf_find(&f->header, keys[i]);
        if (name && name->text && *name->text) {
            model->id = model->name = keep_text(r, "%.60s", name->text);
            r->file->titled = true;
            return;
        }
    }
    r->file->titled = false; /* the config made of the metadata names nothing */
}

static int apply(reader *r, const gguf_file *f) {
    roof_model *model = &r->file->model;
    name_model(r, f, model);
    if (set_layers(r, f, model) != 0)
        return -1;
    set_ends(r, f, model);
    if (r->failed || (f->facts.tensors > 0 && check_totals(r, f, model) != 0))
        return -1;
    tell(r, f, model);
    return r->failed ? -1 : 0;
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static bool has_router_correction(const gguf *g) {
    const gguf_chunk *chunk = g->chunks;
    size_t index = 0;
    for (const gguf_tensor *t; (t = gguf_next(&chunk, &index));)
        if (strstr(t->name, ".exp_probs_b"))
            return true;
    return false;
}

/* Metadata as a config.json, through the config reader; `scratch` is a file that only lends its memory. */
static roof_model_file *read_as_config(reader *r, gguf_file *file) {
    if (find_arch(r, file) != 0 || find_layers(r, file) != 0 || check_names(r, &file->header) != 0)
        return NULL;
    file->facts.router_sigmoid = has_router_correction(&file->header);
    if (gguf_facts_read(r, file) != 0)
        return NULL;
    const char *config = gguf_config(r, file);
    if (!config)
        return NULL;
    roof_model_file *model = roof_read_config(config, strlen(config), NULL, 0, r->error);
    if (!model) {
        r->error->offset = r->error->line = -1; /* places in a text nobody wrote */
        gguf_own_words(file, r->error);
    }
    return model;
}

static void move_warnings(reader *to, const roof_model_file *from) {
    for (size_t i = 0; i < roof_model_file_warnings(from); i++)
        warn(to, "%s", roof_model_file_warning(from, i));
}

roof_model_file *gguf_read_model(source *s, const char *path, roof_error *error) {
    roof_error own = {0};
    roof_model_file scratch = {0};
    reader first = {.file = &scratch, .error = error ? error : &own};
    gguf_file file = {0};
    roof_model_file *model = NULL;
    if (read_all(s, path, &scratch.memory, &file.header, first.error) == 0)
        model = read_as_config(&first, &file);
    reader second = {.file = model, .error = first.error};
    if (model)
        move_warnings(&second, &scratch);
    if (model && apply(&second, &file) != 0) {
        roof_model_file_free(model);
        model = NULL;
    }
    arena_free(&scratch.memory);
    return path ? titled_from_path(model, path, error) : model;
}
