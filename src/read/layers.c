/* Shape to roof_model: what each layer is, alike layers folded into kinds, and how each role's matrices are stored. */
#include <string.h>

#include "read/config.h"

typedef enum sight { SIGHT_FULL, SIGHT_SLIDING, SIGHT_CHUNKED, SIGHT_BAD } sight;

enum { KIND_MAX = 255, ROLE_BITS = 10 };

/* What tells two layers apart. */
typedef struct layer_key {
    sight sight;
    bool moe;
    unsigned scheme[ROOF_ROLE_COUNT]; /* for each matrix of the role, 2 bits: stored as is, or scheme k - 1 */
} layer_key;

typedef struct build {
    reader *r;
    schemes quant;
    layer_key *keys; /* one a kind */
    roof_layer *kinds;
    size_t kind_count;
    unsigned char *order;
    bool mixed_told[ROOF_ROLE_COUNT];
} build;

static sight stated_sight(reader *r, size_t layer) {
    const char *type = json_text(json_at(r->shape.layer_types, layer));
    if (type && (strcmp(type, "full_attention") == 0 || strcmp(type, "attention") == 0))
        return SIGHT_FULL;
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
    if (s->layer_types)
        return stated_sight(r, layer);
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

static bool is_moe(reader *r, size_t layer) {
    const shape *s = &r->shape;
    const json_node *moe;
    switch (r->family->moe) {
    case MOE_ALL:
        return true;
    case MOE_QWEN:
        return divides(s->sparse_step, layer + 1) && !lists(field_node(r, FIELD_DENSE_LAYERS, NULL), layer);
    case MOE_FIRST_DENSE:
        return (double)layer >= s->dense_first && divides(s->moe_every, layer);
    case MOE_INTERLEAVED:
        moe = field_node(r, FIELD_MOE_LAYERS, NULL);
        return json_size(moe) > 0 ? lists(moe, layer) : divides(s->sparse_step, layer + 1);
    default:
        return false;
    }
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

/* The matrices of a role: their names inside a layer, in the spellings seen, and their sizes. */
typedef struct matrix_info {
    const char *names[4];
    double rows, cols;
} matrix_info;

static size_t attention_matrices(const reader *r, matrix_info out[MODULE_MAX]) {
    const shape *s = &r->shape;
    double h = s->hidden, q = s->heads * s->head_width, v = s->heads * (s->v_width > 0 ? s->v_width : s->head_width);
    size_t n = 0;
    if (r->family->latent) {
        if (s->q_rank > 0)
            out[n++] = (matrix_info){{"self_attn.q_a_proj"}, s->q_rank, h};
        out[n] = (matrix_info){{"self_attn.q_b_proj"}, q, s->q_rank > 0 ? s->q_rank : h};
        out[n++].names[0] = s->q_rank > 0 ? "self_attn.q_b_proj" : "self_attn.q_proj";
        out[n++] = (matrix_info){{"self_attn.kv_a_proj_with_mqa"}, s->kv_rank + s->rope_width, h};
        out[n++] = (matrix_info){{"self_attn.kv_b_proj"}, s->heads * (s->nope_width + s->v_width), s->kv_rank};
    } else {
        out[n++] = (matrix_info){{"self_attn.q_proj", "self_attn.qkv_proj"}, q, h};
        out[n++] = (matrix_info){{"self_attn.k_proj", "self_attn.qkv_proj"}, s->kv_heads * s->head_width, h};
        out[n++] = (matrix_info){{"self_attn.v_proj", "self_attn.qkv_proj"}, s->kv_heads * s->head_width, h};
    }
    out[n++] = (matrix_info){{"self_attn.o_proj"}, h, v};
    return n;
}

static size_t role_matrices(const reader *r, roof_role role, matrix_info out[MODULE_MAX]) {
    const shape *s = &r->shape;
    double h = s->hidden, dense = s->dense_ffn > 0 ? s->dense_ffn : s->ffn;
    switch (role) {
    case ROOF_ROLE_ATTENTION:
        return attention_matrices(r, out);
    case ROOF_ROLE_MLP:
        out[0] = (matrix_info){{"mlp.gate_proj", "mlp.gate_up_proj", "feed_forward.gate_proj"}, dense, h};
        out[1] = (matrix_info){{"mlp.up_proj", "mlp.gate_up_proj", "feed_forward.up_proj"}, dense, h};
        out[2] = (matrix_info){{"mlp.down_proj", "feed_forward.down_proj"}, h, dense};
        return 3;
    case ROOF_ROLE_EXPERTS:
        out[0] = (matrix_info){
            {"mlp.experts.0.gate_proj", "block_sparse_moe.experts.0.w1", "feed_forward.experts.gate_up_proj"},
            s->expert_width,
            h};
        out[1] = (matrix_info){
            {"mlp.experts.0.up_proj", "block_sparse_moe.experts.0.w3", "feed_forward.experts.gate_up_proj"},
            s->expert_width,
            h};
        out[2] = (matrix_info){
            {"mlp.experts.0.down_proj", "block_sparse_moe.experts.0.w2", "feed_forward.experts.down_proj"},
            h,
            s->expert_width};
        return 3;
    case ROOF_ROLE_SHARED:
        out[0] = (matrix_info){
            {"mlp.shared_experts.gate_proj", "mlp.shared_expert.gate_proj", "feed_forward.shared_expert.gate_proj"},
            s->shared_width,
            h};
        out[1] = (matrix_info){
            {"mlp.shared_experts.up_proj", "mlp.shared_expert.up_proj", "feed_forward.shared_expert.up_proj"},
            s->shared_width,
            h};
        out[2] = (matrix_info){
            {"mlp.shared_experts.down_proj", "mlp.shared_expert.down_proj", "feed_forward.shared_expert.down_proj"},
            h,
            s->shared_width};
        return 3;
    default:
        out[0] =
            (matrix_info){{"mlp.gate", "block_sparse_moe.gate", "mlp.router", "feed_forward.router"}, s->experts, h};
        return 1;
    }
}

static unsigned role_scheme(build *b, size_t layer, roof_role role) {
    const schemes *q = &b->quant;
    if (q->count == 0 || (q->experts_only && role != ROOF_ROLE_EXPERTS) || (role == ROOF_ROLE_ROUTER && !q->router_too))
        return 0;
    matrix_info matrices[MODULE_MAX];
    size_t n = role_matrices(b->r, role, matrices);
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
    static const char *const names[] = {"attention", "MLP", "expert", "shared expert", "router"};
    if (!b->mixed_told[role])
        warn(b->r, "%s matrices are stored in more than one format: counted with their average of %.3g bits",
             names[role], 8 * bytes / elements);
    b->mixed_told[role] = true;
    return (roof_format){
        .name = "mixed", .dtype = b->r->shape.stored, .bits = 8 * bytes / elements, .unknown = unknown};
}

static roof_format role_format(build *b, roof_role role, unsigned bits) {
    if (bits == 0)
        return roof_format_plain(b->r->shape.stored);
    matrix_info matrices[MODULE_MAX];
    size_t n = role_matrices(b->r, role, matrices);
    for (size_t i = 1; i < n; i++)
        if ((bits >> (2 * i) & 3) != (bits & 3))
            return mixed_format(b, role, matrices, n, bits);
    return b->quant.format[(bits & 3) - 1];
}

static bool same_key(const layer_key *a, const layer_key *b) {
    return a->sight == b->sight && a->moe == b->moe && memcmp(a->scheme, b->scheme, sizeof a->scheme) == 0;
}

static int add_layer(build *b, size_t layer) {
    layer_key key = {.sight = sight_of(b->r, layer), .moe = is_moe(b->r, layer)};
    for (int role = 0; role < ROOF_ROLE_COUNT; role++) {
        bool applies = role == ROOF_ROLE_ATTENTION || key.moe == (role != ROOF_ROLE_MLP);
        key.scheme[role] = applies ? role_scheme(b, layer, (roof_role)role) : 0;
    }
    if (b->r->failed)
        return -1;
    size_t kind = 0;
    while (kind < b->kind_count && !same_key(&b->keys[kind], &key))
        kind++;
    if (kind == KIND_MAX)
        return fail_at(b->r, ROOF_EUNSUPPORTED, NULL, "more than %d kinds of layers", KIND_MAX);
    roof_layer *out = &b->kinds[kind];
    b->order[layer] = (unsigned char)kind;
    if (kind == b->kind_count) {
        b->keys[b->kind_count++] = key;
        *out = (roof_layer){.attention = attention_block(b->r, key.sight),
                            .mlp = mlp_block(b->r, key.moe),
                            .norms = b->r->shape.norms,
                            .parallel = b->r->shape.parallel};
        for (int role = 0; role < ROOF_ROLE_COUNT; role++)
            out->format[role] = role_format(b, (roof_role)role, key.scheme[role]);
    }
    out->count++;
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

/* DeepSeek-V3 technical report, section 2.2: a prediction module is one more layer like the last, a projection of two
 * hidden vectors to one and three norms; table and head are shared with the model. */
static double prediction(const reader *r, const roof_model *model) {
    if (r->shape.mtp == 0)
        return 0;
    roof_layer last = model->layers[model->order ? model->order[(size_t)r->shape.layers - 1] : 0];
    last.count = 1;
    roof_model one = *model;
    one.layers = &last;
    one.layer_count = 1;
    one.order = NULL;
    one.extra_norms = 3;
    roof_plan plan = {0};
    roof_plan_complete(&one, &plan);
    roof_parameters p = roof_model_parameters(&one, &plan);
    return r->shape.mtp * (p.attention + p.mlp + p.norms + 2 * model->hidden * model->hidden);
}

static void fill_model(build *b) {
    reader *r = b->r;
    const shape *s = &r->shape;
    static const char *const head_names[4] = {"lm_head"}, *const table_names[4] = {"model.embed_tokens"};
    int head = b->quant.head_too ? quant_scheme(r, &b->quant, -1, head_names) : 0;
    int table = b->quant.embedding_too ? quant_scheme(r, &b->quant, -1, table_names) : 0;
    r->file->model = (roof_model){
        .family = r->family->label,
        .hidden = s->hidden,
        .vocab = s->vocab,
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
    b.keys = keep(r, (kinds + 1) * sizeof *b.keys);
    b.kinds = keep(r, (kinds + 1) * sizeof *b.kinds);
    b.order = keep(r, layers);
    if (r->failed)
        return -1;
    for (size_t i = 0; i < layers; i++)
        if (add_layer(&b, i) != 0)
            return -1;
    fill_model(&b);
    return r->failed ? -1 : 0;
}
