/* The count and the bytes of the tensors beside the model that config.json describes. */
#include "read/checkpoint/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/match.h"

/* What one tensor belongs to. */
typedef struct place {
    int role; /* of a layer's matrix, or one of the below */
    size_t layer;
} place;
enum { PLACE_VECTOR = -1, PLACE_TABLE = -2, PLACE_HEAD = -3, PLACE_TOWER = -4, PLACE_AHEAD = -5, PLACE_OTHER = -6 };

/* Module names inside a layer. The first row that fits counts. */
static const struct {
    const char *names;
    int role;
} modules[] = {
    {"*.bias *_bias *norm.* *norm[0-9].* *ln_[0-9a-z].* *_layernorm.* *layer_norm.* *.norm_*", PLACE_VECTOR},
    {"*shared_expert*gate_proj* *shared_expert*up_proj* *shared_mlp.input_linear*", ROOF_ROLE_SHARED_UP},
    {"*shared_expert*down_proj* *shared_mlp.output_linear*", ROOF_ROLE_SHARED_DOWN},
    {"*experts*gate_proj* *experts*up_proj* *experts*.w1.* *experts*.w3.* *block_sparse_moe.input_linear*",
     ROOF_ROLE_EXPERTS_UP},
    {"*experts*down_proj* *experts*.w2.* *block_sparse_moe.output_linear*", ROOF_ROLE_EXPERTS_DOWN},
    {"*q_proj.* *k_proj.* *v_proj.* *qkv_proj.* *query_key_value.* *Wqkv.* *W_pack.* *c_attn.* *q_a_proj.* *q_b_proj.* "
     "*kv_a_proj_with_mqa.* "
     "*kv_b_proj.* *.wq.* *.wk.* *.wv.* *.wqkv.*",
     ROOF_ROLE_QKV},
    {"*o_proj.* *out_proj.* *attn.c_proj.* *attn.dense.* *attention.dense.* *attention.wo.*", ROOF_ROLE_OUTPUT},
    {"*mlp.gate.* *router.* *block_sparse_moe.gate.* *shared_expert_gate.*", ROOF_ROLE_ROUTER},
    {"*gate_proj.* *up_proj.* *gate_up_proj.* *.c_fc.* *fc1.* *fc_in.* *dense_h_to_4h.* *.w1.* *.w3.*", ROOF_ROLE_UP},
    {"*down_proj.* *mlp.c_proj.* *fc2.* *fc_out.* *dense_4h_to_h.* *.w2.*", ROOF_ROLE_DOWN},
};

static const char towers[] = "vision* *.vision_* visual.* *.visual.* multi_modal_projector.* *.multi_modal_projector.* "
                             "mm_projector.* *.mm_projector.* audio_tower.* "
                             "*.audio_tower.* vpm.* apm.* resampler.* *.embed_vision.* *.embed_audio.* sam_model.* "
                             "*.sam_model.* *.qwen2_model.* projector.* *.projector.* "
                             "*image_newline *view_seperator talker.* token2wav.*";

/* "model.layers.12.mlp.gate.weight": 12, and "mlp.gate.weight". */
static const char *inside_layer(const char *name, size_t *layer) {
    static const char *const stacks[] = {"layers.", "h.", "blocks.", "layer."};
    for (const char *at = name; at; at = strchr(at, '.'), at = at ? at + 1 : NULL)
        for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
            const char *rest = layer_of(at, stacks[i], layer);
            if (rest)
                return rest;
        }
    return NULL;
}

/* What a name says, whatever its numbers: `rest` is what follows the layer's, or NULL. */
static int role_of(const weight *w, const char *rest) {
    bool vector = w->rank <= 1;
    if (match_list(towers, w->name))
        return PLACE_TOWER;
    if (strncmp(w->name, "mtp.", 4) == 0)
        return PLACE_AHEAD;
    for (size_t i = 0; rest && i < sizeof modules / sizeof modules[0]; i++)
        if (match_list(modules[i].names, rest))
            return modules[i].role;
    if (!rest && match_list("*lm_head.* *embed_out.* *output_layer.* output.weight", w->name))
        return vector ? PLACE_VECTOR : PLACE_HEAD;
    if (!rest && !vector && match_list("*embed* *wte.* *wpe.* *tok_embeddings.*", w->name))
        return PLACE_TABLE;
    return vector ? PLACE_VECTOR : PLACE_OTHER;
}

/* Names that differ in numbers only are the same here, and a checkpoint has few that do not. */
enum { MEMO_SIZE = 512 };
typedef struct memo {
    uint64_t key; /* 0: empty */
    int role;
} memo;

static uint64_t key_of(const weight *w) {
    uint64_t key = UINT64_C(14695981039346656037) + (w->rank <= 1); /* FNV-1a */
    for (const char *at = w->name; *at; at++) {
        bool digit = *at >= '0' && *at <= '9';
        if (digit && at > w->name && at[-1] >= '0' && at[-1] <= '9')
            continue;
        key = (key ^ (digit ? '#' : (unsigned char)*at)) * UINT64_C(1099511628211);
    }
    return key ? key : 1;
}

typedef struct tally {
    pile (*layers)[ROOF_ROLE_COUNT];
    pile table, head, vectors;
    double weights, bytes, tower, ahead;
    size_t tensors;
    bool tied_copy;
    char others[160];
    memo memos[MEMO_SIZE];
} tally;

static place place_of(tally *t, const weight *w, double layers) {
    uint64_t key = key_of(w);
    memo *m = &t->memos[key % MEMO_SIZE];
    place p = {0};
    const char *rest = inside_layer(w->name, &p.layer);
    if (m->key != key)
        *m = (memo){key, role_of(w, rest)};
    p.role = rest && m->role != PLACE_TOWER && (double)p.layer >= layers ? PLACE_AHEAD : m->role;
    return p;
}

static void remember(tally *t, const weight *w) {
    size_t at = strlen(t->others);
    if (w->weights > 0 && at + strlen(w->name) + 3 < sizeof t->others)
        snprintf(t->others + at, sizeof t->others - at, "%s%s", at ? ", " : "", w->name);
}

static void add(tally *t, const roof_model *model, const weight *w) {
    place p = place_of(t, w, roof_model_layers(model));
    double weights = (double)w->weights, bytes = (double)w->bytes;
    if (p.role == PLACE_TOWER || p.role == PLACE_AHEAD) {
        *(p.role == PLACE_TOWER ? &t->tower : &t->ahead) += weights;
        return;
    }
    if (w->class == WEIGHT_BUFFER)
        return;
    if (p.role == PLACE_HEAD && model->tied) {
        t->tied_copy = true;
        return;
    }
    pile *to = p.role >= 0             ? &t->layers[p.layer][p.role]
               : p.role == PLACE_TABLE ? &t->table
               : p.role == PLACE_HEAD  ? &t->head
                                       : &t->vectors;
    if (p.role == PLACE_OTHER)
        remember(t, w);
    if (w->class == WEIGHT_COMPANION)
        to->bytes += bytes;
    else
        pile_add(to, weights, bytes, w->type->name, w->type->dtype);
    t->weights += weights;
    t->bytes += bytes;
    t->tensors++;
}

static int count_all(reader *r, const weight_set *set, tally *t) {
    size_t layers = (size_t)roof_model_layers(&r->file->model);
    t->layers = keep(r, (layers + 1) * sizeof *t->layers);
    for (size_t i = 0; t->layers && i < set->count; i++)
        add(t, &r->file->model, set->sorted[i]);
    return r->failed ? -1 : 0;
}

/* As stored, multiplied as the config says unless the weights turn out to be 16 bits and more. */
static void replace(reader *r, const pile *p, roof_format *format) {
    if (p->weights <= 0)
        return;
    roof_format real = pile_format(r, p);
    real.math = real.bits < 12 && format->bits < 12 ? format->math : ROOF_DTYPE_NONE;
    if (fabs(real.bits - format->bits) < 1e-9 && format->block_cols == 0 && format->block_rows == 0)
        return;
    *format = real;
}

static int store_as_found(reader *r, const tally *t) {
    roof_model *model = &r->file->model;
    size_t layers = (size_t)roof_model_layers(model);
    layer_list list;
    if (layer_list_begin(r, &list, layers) != 0)
        return -1;
    for (size_t i = 0; i < layers; i++) {
        roof_layer layer;
        memcpy(&layer, model_layer(model, i), sizeof layer);
        for (int role = 0; role < ROOF_ROLE_COUNT; role++)
            replace(r, &t->layers[i][role], &layer.format[role]);
        if (layer_list_add(r, &list, &layer) != 0)
            return -1;
    }
    layer_list_end(&list, model);
    replace(r, &t->table, &model->embedding);
    replace(r, &t->head, &model->head);
    if (t->vectors.weights > 0)
        model->stored = t->vectors.dtype;
    return r->failed ? -1 : 0;
}

static roof_parameters parameters_of(const roof_model *model) {
    roof_plan plan = {0};
    roof_plan_complete(model, &plan);
    return roof_model_parameters(model, &plan);
}

static void tell_aside(reader *r, const tally *t) {
    if (t->tower > 0)
        note(r, "tensors of other towers: %.0f weights, not counted", t->tower);
    if (t->ahead > 0)
        note(r, "tensors that predict further tokens: %.0f weights, listed beside the model", t->ahead);
    if (t->tied_copy)
        note(r, "the output head is stored though it is tied to the embedding: not counted twice");
}

/* The index alone: its total against what the config makes. */
static int compare_index(reader *r, const checkpoint *c) {
    const roof_model *model = &r->file->model;
    roof_parameters p = parameters_of(model);
    double stated = c->index.total_size;
    if (c->missing > 0)
        warn(r, "%zu of %zu shards are not there, the first '%.80s': only the index can be compared", c->missing,
             c->index.file_count, c->missing_name);
    double copy = model->tied ? roof_format_bytes(&model->embedding, model->vocab, model->hidden) : 0,
           off = stated - p.bytes;
    bool with_copy = copy > 0 && fabs(off - copy) < 0.5;
    if (stated <= 0 || p.bytes_unknown)
        note(r, "the index lists %zu tensors", c->index.tensors);
    else if (fabs(off) > 0.001 * stated && !with_copy)
        warn(r, "the index says %.0f bytes in %zu tensors, config.json makes %.0f: a difference of %.0f", stated,
             c->index.tensors, p.bytes, off);
    else
        note(r, "the index says %.0f bytes in %zu tensors, as config.json makes%s (%+.0f)", stated, c->index.tensors,
             with_copy ? " with the output head, which is tied, stored too" : "", with_copy ? off - copy : off);
    return r->failed ? -1 : 0;
}

int compare_model(reader *r, const checkpoint *c) {
    const weight_set *set = &c->set;
    roof_model *model = &r->file->model;
    tally *t = keep(r, sizeof *t);
    if (!t)
        return -1;
    if (set->elsewhere > 0)
        warn(r,
             "%zu of the checkpoint's files are git-LFS pointers: %.0f bytes are elsewhere, and their tensors are not "
             "compared",
             set->elsewhere, set->elsewhere_bytes);
    if (set->count == 0 || c->missing > 0 || set->elsewhere > 0)
        return c->index.tensors > 0 ? compare_index(r, c) : r->failed ? -1 : 0;
    if (count_all(r, set, t) != 0)
        return -1;
    roof_parameters p = parameters_of(model);
    bool same = t->weights == p.total;
    if (!same)
        warn(r,
             "the %zu tensors beside config.json hold %s%.0f parameters, it describes %.0f: a difference of %.0f%s%s",
             t->tensors, set->uncounted > 0 ? "at least " : "", t->weights, p.total, t->weights - p.total,
             t->others[0] ? "; unrecognised tensors: " : "", t->others);
    if (fabs(t->bytes - p.bytes) > 0.001 * t->bytes || p.bytes_unknown) {
        warn(r, "the tensors take %.0f bytes, config.json makes %s%.0f: %s", t->bytes,
             p.bytes_unknown ? "at least " : "", p.bytes,
             same ? "counted as the headers say" : "counted as config.json says");
        if (same && store_as_found(r, t) != 0)
            return -1;
    }
    if (same)
        note(r, "checked against the headers: %.0f parameters in %zu tensors, %.0f bytes (%+.0f)", t->weights,
             t->tensors, t->bytes, t->bytes - parameters_of(model).bytes);
    tell_aside(r, t);
    return r->failed ? -1 : 0;
}
