/* Shape to roof_model: what each layer is, alike layers folded into kinds, and how each role's matrices are stored. */
#include <string.h>

#include "read/config/config.h"

typedef enum sight { SIGHT_FULL, SIGHT_SLIDING, SIGHT_CHUNKED, SIGHT_STATE, SIGHT_BAD } sight;

enum { KIND_MAX = 255 };

typedef struct scheme_bits {
    unsigned role[ROOF_ROLE_COUNT]; /* for each matrix of the role, 2 bits: stored as is, or scheme k - 1 */
} scheme_bits;

typedef struct build {
    reader *r;
    schemes quant;
    scheme_bits *bits; /* one a kind */
    roof_layer *kinds;
    size_t kind_count;
    unsigned char *order;
    bool mixed_told[ROOF_ROLE_COUNT];
} build;

bool layer_is(const reader *r, size_t index, const char *word) {
    const char *type = json_text(json_at(r->shape.layer_types, index));
    return type && strcmp(type, word) == 0;
}

static bool any_of(const char *word, const char *const *list) {
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

static sight stated_sight(reader *r, size_t layer) {
    static const char *const full[] = {"full_attention", "attention", "indexed_attention", "hybrid", NULL};
    static const char *const state[] = {"linear_attention", "mamba", "conv", "recurrent", NULL};
    const char *type = json_text(json_at(r->shape.layer_types, layer));
    if (type && any_of(type, full))
        return SIGHT_FULL;
    if (type && any_of(type, state) && r->shape.state.kind != ROOF_STATE_NONE)
        return SIGHT_STATE;
    if (type && strcmp(type, "sliding_attention") == 0)
        return r->shape.window > 0 ? SIGHT_SLIDING : SIGHT_FULL;
    if (type && strcmp(type, "chunked_attention") == 0 && r->shape.chunk > 0)
        return SIGHT_CHUNKED;
    fail_at(r, ROOF_EUNSUPPORTED, "layer_types",
            "key 'layer_types' holds '%.40s' for layer %zu, which this version cannot judge", type ? type : "?", layer);
    return SIGHT_BAD;
}

/* GPT-Neo: attention_layers lists "global" and "local"; attention_types is the same as [[[pattern], repeats], ...]. */
static sight neo_sight(reader *r, size_t layer) {
    const char *word = json_text(json_at(field_node(r, FIELD_NEO_LAYERS, NULL), layer));
    const json_node *groups = field_node(r, FIELD_NEO_GROUPS, NULL);
    size_t at = layer;
    for (size_t g = 0; !word && g < json_size(groups); g++) {
        const json_node *group = json_at(groups, g), *pattern = json_at(group, 0);
        size_t length = json_size(pattern);
        double repeats = json_number(json_at(group, 1), 0);
        if (length > 0 && (double)at < repeats * (double)length)
            word = json_text(json_at(pattern, at % length));
        else
            at -= repeats > 0 && length > 0 ? (size_t)(repeats * (double)length) : 0;
    }
    if (!word && !groups)
        word = layer % 2 ? "local" : "global"; /* configuration_gpt_neo.py */
    if (word && strcmp(word, "global") == 0)
        return SIGHT_FULL;
    if (word && strcmp(word, "local") == 0)
        return SIGHT_SLIDING;
    fail_at(r, ROOF_EFORMAT, field_name(FIELD_NEO_GROUPS), "key '%s' does not say what layer %zu sees",
            field_name(FIELD_NEO_GROUPS), layer);
    return SIGHT_BAD;
}

static sight sight_of(reader *r, size_t layer) {
    const shape *s = &r->shape;
    if (s->marks)
        return s->marks[layer] == 'M' ? SIGHT_STATE : SIGHT_FULL;
    if (s->layer_types)
        return stated_sight(r, layer);
    if (r->family->no_attention)
        return SIGHT_STATE;
    double period = s->period > 0 ? s->period : 1;
    bool last = (size_t)period > 0 && (layer + 1) % (size_t)period == 0;
    const json_node *rotary;
    switch (r->family->window) {
    case WINDOW_ALL:
        return s->window > 0 ? SIGHT_SLIDING : SIGHT_FULL;
    case WINDOW_FLAGGED:
        return s->window > 0 && (double)layer >= s->window_from ? SIGHT_SLIDING : SIGHT_FULL;
    case WINDOW_PERIOD:
        return s->window > 0 && !last ? SIGHT_SLIDING : SIGHT_FULL;
    case WINDOW_NEO:
        return neo_sight(r, layer);
    case WINDOW_CHUNKS:
        rotary = field_node(r, FIELD_NO_ROPE_LAYERS, NULL);
        if (json_size(rotary) > 0)
            last = json_number(json_at(rotary, layer), 1) == 0; /* 1: rotary, which are the chunked ones */
        return s->chunk > 0 && !last ? SIGHT_CHUNKED : SIGHT_FULL;
    default:
        return SIGHT_FULL;
    }
}

static bool lists(const json_node *list, size_t layer) {
    for (size_t i = 0; i < json_size(list); i++)
        if (json_number(json_at(list, i), -1) == (double)layer)
            return true;
    return false;
}

static bool divides(double step, size_t number) {
    return step >= 1 && number % (size_t)step == 0;
}

/* "dense" or "sparse" a layer (transformers 5), which beats every rule. */
static bool stated_moe(reader *r, size_t layer, bool otherwise) {
    const json_node *list = own_node(r, "mlp_layer_types");
    const char *word = json_text(json_at(list, layer));
    if (!list)
        return otherwise;
    if (!word || (strcmp(word, "dense") != 0 && strcmp(word, "sparse") != 0))
        fail_at(r, ROOF_EFORMAT, "mlp_layer_types", "key 'mlp_layer_types' holds '%.40s' for layer %zu",
                word ? word : "?", layer);
    return word && strcmp(word, "sparse") == 0;
}

/* moe_layer_freq: every so many layers, or a list of 0 and 1. */
static bool moe_by_list(reader *r, size_t layer, const json_node *list) {
    const json_node *flag = json_at(list, layer);
    if (json_kind_of(flag) != JSON_NODE_NUMBER)
        fail_at(r, ROOF_EFORMAT, field_name(FIELD_MOE_EVERY), "key '%s' has no number for layer %zu",
                field_name(FIELD_MOE_EVERY), layer);
    return json_number(flag, 0) != 0;
}

static bool is_moe_by_rule(reader *r, size_t layer) {
    const shape *s = &r->shape;
    const json_node *moe;
    switch (r->family->moe) {
    case MOE_ALL:
        return true;
    case MOE_QWEN:
        return divides(s->sparse_step, layer + 1) && !lists(field_node(r, FIELD_DENSE_LAYERS, NULL), layer);
    case MOE_FIRST_DENSE:
        moe = field_node(r, FIELD_MOE_EVERY, NULL);
        if (json_kind_of(moe) == JSON_NODE_LIST)
            return moe_by_list(r, layer, moe);
        return (double)layer >= s->dense_first && divides(s->moe_every, layer);
    case MOE_INTERLEAVED:
        moe = field_node(r, FIELD_MOE_LAYERS, NULL);
        return json_size(moe) > 0 ? lists(moe, layer) : divides(s->sparse_step, layer + 1);
    default:
        return false;
    }
}

static bool is_moe(reader *r, size_t layer) {
    if (r->family->moe == MOE_NONE || r->shape.experts == 0)
        return false;
    return stated_moe(r, layer, is_moe_by_rule(r, layer));
}

static roof_attention_block attention_block(const reader *r, sight seen) {
    static const roof_attention_kind kinds[] = {ROOF_ATTENTION_FULL, ROOF_ATTENTION_SLIDING, ROOF_ATTENTION_CHUNKED};
    const shape *s = &r->shape;
    return (roof_attention_block){
        .kind = r->family->latent ? ROOF_ATTENTION_LATENT : kinds[seen],
        .heads = s->heads,
        .kv_heads = s->kv_heads,
        .head_width = s->head_width,
        .value_width = s->v_width > 0 ? s->v_width : s->head_width,
        .window = seen == SIGHT_SLIDING   ? s->window
                  : seen == SIGHT_CHUNKED ? s->chunk
                                          : 0,
        .qkv_bias = s->bias & BIAS_QKV,
        .output_bias = s->bias & BIAS_OUT,
        .sinks = r->family->sinks,
        .no_rope = s->no_rope,
        .q_norm = s->q_norm,
        .k_norm = s->k_norm,
        .q_rank = s->q_rank,
        .kv_rank = s->kv_rank,
        .nope_width = s->nope_width,
        .rope_width = s->rope_width,
    };
}

static roof_mlp_block mlp_block(const reader *r, bool moe) {
    const shape *s = &r->shape;
    if (!moe && s->ffn == 0 && r->family->no_mlp)
        return (roof_mlp_block){.kind = ROOF_MLP_NONE};
    roof_mlp_block block = {
        .kind = moe ? ROOF_MLP_MOE : ROOF_MLP_DENSE, .gated = !r->family->plain, .bias = s->bias & BIAS_MLP};
    if (!moe) {
        block.width = s->dense_ffn > 0 ? s->dense_ffn : s->ffn;
        return block;
    }
    block.width = s->expert_width;
    block.experts = s->experts;
    block.top_k = s->top_k;
    block.shared_width = s->shared_width;
    block.shared_gate = s->shared_gate;
    block.router_bias = s->router_bias;
    return block;
}

static bool of_experts(roof_role role) {
    return role == ROOF_ROLE_EXPERTS_UP || role == ROOF_ROLE_EXPERTS_DOWN;
}

static unsigned role_scheme(build *b, size_t layer, const roof_layer *l, roof_role role) {
    const schemes *q = &b->quant;
    if (q->count == 0 || (q->experts_only && !of_experts(role)) || (role == ROOF_ROLE_ROUTER && !q->router_too))
        return 0;
    matrix_info matrices[MODULE_MAX];
    size_t n = role_matrices(b->r, l, role, matrices);
    unsigned bits = 0;
    for (size_t i = 0; i < n; i++)
        bits |= (unsigned)quant_scheme(b->r, q, (long)layer, matrices[i].names) << (2 * i);
    return bits;
}

/* Some matrices of a role quantised, some not: one format with their average bits. What it multiplies in is then the
 * activations' dtype. */
static roof_format mixed_format(build *b, roof_role role, const matrix_info *matrices, size_t n, unsigned bits) {
    roof_format plain = roof_format_plain(b->r->shape.stored);
    double bytes = 0, elements = 0;
    bool unknown = false;
    for (size_t i = 0; i < n; i++) {
        unsigned scheme = bits >> (2 * i) & 3;
        const roof_format *f = scheme ? &b->quant.format[scheme - 1] : &plain;
        unknown |= f->unknown;
        bytes += roof_format_bytes(f, matrices[i].rows, matrices[i].cols);
        elements += matrices[i].rows * matrices[i].cols;
    }
    static const char *const names[] = {
        "query, key and value", "attention output",   "MLP up", "MLP down", "expert up", "expert down",
        "shared expert up",     "shared expert down", "router", "state"};
    if (!b->mixed_told[role])
        warn(b->r, "%s matrices are stored in more than one format: counted with their average of %.3g bits",
             names[role], 8 * bytes / elements);
    b->mixed_told[role] = true;
    return (roof_format){
        .name = "mixed", .dtype = b->r->shape.stored, .bits = 8 * bytes / elements, .unknown = unknown};
}

static roof_format role_format(build *b, const roof_layer *layer, roof_role role, unsigned bits) {
    if (bits == 0)
        return roof_format_plain(b->r->shape.stored);
    matrix_info matrices[MODULE_MAX];
    size_t n = role_matrices(b->r, layer, role, matrices);
    for (size_t i = 1; i < n; i++)
        if ((bits >> (2 * i) & 3) != (bits & 3))
            return mixed_format(b, role, matrices, n, bits);
    return b->quant.format[(bits & 3) - 1];
}

void layer_state(reader *r, roof_layer *out) {
    out->attention = (roof_attention_block){0};
    out->state = r->shape.state;
}

static int describe(reader *r, size_t index, roof_layer *out) {
    sight seen = sight_of(r, index);
    memset(out, 0, sizeof *out);
    if (seen == SIGHT_BAD)
        return -1;
    if (seen == SIGHT_STATE)
        layer_state(r, out);
    else
        out->attention = attention_block(r, seen);
    out->mlp = mlp_block(r, is_moe(r, index));
    out->norms = r->shape.norms;
    out->parallel = r->shape.parallel;
    if (!r->failed && r->family->layer && r->family->layer(r, index, out) != 0)
        return -1;
    return r->failed ? -1 : 0;
}

/* Bytes that only pad may differ: that would make two kinds of one, and no figure wrong. */
static bool same_layer(const roof_layer *a, const roof_layer *b) {
    return memcmp(&a->attention, &b->attention, sizeof a->attention) == 0 &&
           memcmp(&a->cross, &b->cross, sizeof a->cross) == 0 && memcmp(&a->mlp, &b->mlp, sizeof a->mlp) == 0 &&
           memcmp(&a->state, &b->state, sizeof a->state) == 0 && a->norms == b->norms && a->vectors == b->vectors &&
           a->parallel == b->parallel;
}

static size_t kind_of(const build *b, const roof_layer *layer, const scheme_bits *bits) {
    size_t kind = 0;
    while (kind < b->kind_count &&
           !(memcmp(&b->bits[kind], bits, sizeof *bits) == 0 && same_layer(&b->kinds[kind], layer)))
        kind++;
    return kind;
}

static int add_layer(build *b, size_t index) {
    roof_layer layer;
    scheme_bits bits;
    if (describe(b->r, index, &layer) != 0)
        return -1;
    const roof_mlp_block *mlp = &layer.mlp;
    if (mlp->kind == ROOF_MLP_MOE && !(mlp->top_k >= 1 && mlp->top_k <= mlp->experts))
        return fail_at(b->r, ROOF_EFORMAT, NULL, "layer %zu chooses %.0f of %.0f experts a token", index, mlp->top_k,
                       mlp->experts);
    for (int role = 0; role < ROOF_ROLE_COUNT; role++)
        bits.role[role] = role_scheme(b, index, &layer, (roof_role)role);
    if (b->r->failed)
        return -1;
    size_t kind = kind_of(b, &layer, &bits);
    if (kind == KIND_MAX)
        return fail_at(b->r, ROOF_EUNSUPPORTED, NULL, "more than %d kinds of layers", KIND_MAX);
    b->order[index] = (unsigned char)kind;
    if (kind == b->kind_count) {
        b->bits[kind] = bits;
        b->kinds[kind] = layer;
        for (int role = 0; role < ROOF_ROLE_COUNT; role++)
            b->kinds[kind].format[role] = role_format(b, &layer, (roof_role)role, bits.role[role]);
        b->kind_count++;
    }
    b->kinds[kind].count++;
    return b->r->failed ? -1 : 0;
}

static int check_lists(reader *r) {
    const shape *s = &r->shape;
    if (s->layer_types && json_size(s->layer_types) != (size_t)s->layers)
        return fail_at(r, ROOF_EFORMAT, "layer_types", "key 'layer_types' lists %zu layers, not %.0f",
                       json_size(s->layer_types), s->layers);
    if (s->experts > 0 && r->family->moe == MOE_INTERLEAVED && s->sparse_step != 1 && s->dense_ffn == 0)
        return fail_at(r, ROOF_EFORMAT, NULL, "key '%s' is missing", field_name(FIELD_DENSE_FFN));
    return 0;
}

/* The kind of the last layer that attends. */
static size_t last_attending(const reader *r, const roof_model *model) {
    size_t at = (size_t)r->shape.layers;
    while (model->order && at > 1 && model->layers[model->order[at - 1]].attention.kind == ROOF_ATTENTION_NONE)
        at--;
    return model->order ? model->order[at - 1] : 0;
}

/* DeepSeek-V3 technical report, section 2.2: a prediction module is one more layer like the last, a projection of two
 * hidden vectors to one and three norms; table and head are shared with the model. */
static double prediction(const reader *r, const roof_model *model) {
    if (r->shape.mtp == 0)
        return 0;
    roof_layer last = model->layers[last_attending(r, model)];
    last.count = 1;
    roof_model one = *model;
    one.layers = &last;
    one.layer_count = 1;
    one.order = NULL;
    one.extra_norms = 3;
    roof_plan plan = {0};
    roof_plan_complete(&one, &plan);
    roof_parameters p = roof_model_parameters(&one, &plan);
    return r->shape.mtp * (p.attention + p.state + p.mlp + p.norms + 2 * model->hidden * model->hidden);
}

static void fill_model(build *b) {
    reader *r = b->r;
    const shape *s = &r->shape;
    static const char *const head_names[] = {"lm_head", NULL}, *const table_names[] = {"model.embed_tokens", NULL};
    int head = b->quant.head_too ? quant_scheme(r, &b->quant, -1, head_names) : 0;
    int table = b->quant.embedding_too ? quant_scheme(r, &b->quant, -1, table_names) : 0;
    r->file->model = (roof_model){
        .family = r->family->label,
        .hidden = s->hidden,
        .vocab = s->vocab,
        .extra_rows = s->extra_rows,
        .embedding_width = s->embedding_width,
        .positions = s->positions,
        .tied = s->tied,
        .head_bias = s->bias & BIAS_HEAD,
        .norm = s->norm,
        .extra_norms = s->extra_norms,
        .layers = b->kinds,
        .layer_count = b->kind_count,
        .order = b->kind_count > 1 ? b->order : NULL,
        .embedding = table ? b->quant.format[table - 1] : roof_format_plain(s->stored),
        .head = head ? b->quant.format[head - 1] : roof_format_plain(s->stored),
        .stored = s->stored,
        .context_max = s->context,
        .vectors = s->vectors,
    };
    r->file->model.prediction_parameters = prediction(r, &r->file->model);
    if (r->file->model.prediction_parameters > 0)
        note(r, "%s: %.0f, listed beside the model", field_name(FIELD_MTP), s->mtp);
}

int layers_build(reader *r) {
    build b = {.r = r};
    size_t layers = (size_t)r->shape.layers, kinds = layers < KIND_MAX ? layers : KIND_MAX;
    if (check_lists(r) != 0 || quant_read(r, &b.quant) != 0)
        return -1;
    b.bits = keep(r, (kinds + 1) * sizeof *b.bits);
    b.kinds = keep(r, (kinds + 1) * sizeof *b.kinds);
    b.order = keep(r, layers);
    if (r->failed)
        return -1;
    for (size_t i = 0; i < layers; i++)
        if (add_layer(&b, i) != 0)
            return -1;
    fill_model(&b);
    if (!r->failed && r->family->finish && r->family->finish(r, &r->file->model) != 0)
        return -1;
    return r->failed ? -1 : 0;
}
