/* Fields and family to the shape of the model: explicit beats derived, null means absent, and what is missing is named.
 */
#include <math.h>
#include <string.h>

#include "read/config/config.h"

/* Tokenizers write 1e30 for "no limit". */
static double context(reader *r) {
    double value = field_number(r, FIELD_CONTEXT, 0);
    return value >= 1 && value <= 1e9 ? floor(value) : 0;
}

/* Files that list a word for every layer may leave the number of them out. */
static double layers(reader *r) {
    const json_node *list = field_node(r, FIELD_LAYER_TYPES, NULL);
    if (!field_node(r, FIELD_LAYERS, NULL) && json_size(list) > 0) {
        note(r, "%s: absent, so %zu as layer_types lists", field_name(FIELD_LAYERS), json_size(list));
        return (double)json_size(list);
    }
    return field_needed(r, FIELD_LAYERS);
}

static void widths(reader *r) {
    shape *s = &r->shape;
    const family *f = r->family;
    s->layers = layers(r);
    s->hidden = field_needed(r, FIELD_HIDDEN);
    s->heads = f->no_attention ? 0 : field_needed(r, FIELD_HEADS);
    s->vocab = field_needed(r, FIELD_VOCAB);
    s->context = context(r);
    const char *key;
    double times = f->ffn_times;
    if (field_node(r, FIELD_FFN_TIMES, &key))
        times = factor_checked(r, key, field_number(r, FIELD_FFN_TIMES, 0), 1);
    if (times > 0 && !field_node(r, FIELD_FFN, NULL)) {
        s->ffn = floor(times * s->hidden);
        note(r, "%s: absent, so %.0f as %g times %s", field_name(FIELD_FFN), s->ffn, times, field_name(FIELD_HIDDEN));
    } else {
        s->ffn = f->no_mlp ? field_count(r, FIELD_FFN, 0) : field_needed(r, FIELD_FFN);
    }
    s->embedding_width = field_count(r, FIELD_EMBEDDING_WIDTH, s->hidden);
    if (f->learned)
        s->context = field_needed(r, FIELD_CONTEXT);
    s->positions = f->learned ? s->context + f->position_offset : 0;
}

static double preset_or(reader *r, field f, double otherwise) {
    for (int i = 0; i < PRESET_MAX && r->family->presets[i].value != 0; i++)
        if (r->family->presets[i].field == f)
            return field_node(r, f, NULL) ? field_count(r, f, otherwise) : field_needed(r, f);
    return field_count(r, f, otherwise);
}

static void heads(reader *r) {
    shape *s = &r->shape;
    if (r->family->no_attention)
        return;
    const char *kv = field_name(FIELD_KV_HEADS), *width = field_name(FIELD_HEAD_WIDTH);
    s->kv_heads = preset_or(r, FIELD_KV_HEADS, 0);
    if (s->kv_heads == 0) {
        s->kv_heads = s->heads;
        note(r, "%s: absent, so %.0f as %s", kv, s->heads, field_name(FIELD_HEADS));
    }
    if (r->family->latent)
        return;
    s->head_width = preset_or(r, FIELD_HEAD_WIDTH, 0);
    if (s->head_width > 0 || r->missing[0])
        return;
    s->head_width = floor(s->hidden / s->heads);
    if (s->head_width * s->heads != s->hidden)
        fail_at(r, ROOF_EFORMAT, field_name(FIELD_HEADS), "key '%s' is absent and %s %.0f is not a multiple of %s %.0f",
                width, field_name(FIELD_HIDDEN), s->hidden, field_name(FIELD_HEADS), s->heads);
    note(r, "%s: absent, so %.0f as %s / %s", width, s->head_width, field_name(FIELD_HIDDEN), field_name(FIELD_HEADS));
}

/* Where the file states `f`, the bits of `mask` follow it. */
static unsigned biased(reader *r, unsigned bias, field f, bool inverted, unsigned mask) {
    if (!field_node(r, f, NULL))
        return bias;
    return field_flag(r, f, false) != inverted ? bias | mask : bias & ~mask;
}

static void biases(reader *r) {
    const family *f = r->family;
    unsigned attention = f->attention_bias ? f->attention_bias : BIAS_QKV | BIAS_OUT,
             all = f->all_bias ? f->all_bias : BIAS_QKV | BIAS_OUT;
    unsigned bias = biased(r, f->bias, FIELD_BIAS, false, all);
    bias = biased(r, bias, FIELD_NO_BIAS, true, all);
    bias = biased(r, bias, FIELD_ATTENTION_BIAS, false, attention);
    bias = biased(r, bias, FIELD_MLP_BIAS, false, BIAS_MLP);
    r->shape.bias = biased(r, bias, FIELD_HEAD_BIAS, false, BIAS_HEAD);
}

static void norms(reader *r) {
    const family *f = r->family;
    shape *s = &r->shape;
    const char *key;
    s->norm = f->norm;
    s->norms = f->norms > 0 ? f->norms : 2;
    s->extra_norms = f->extra_norms > 0 ? f->extra_norms : 1;
    s->parallel = field_flag(r, FIELD_PARALLEL, f->parallel);
    field_node(r, FIELD_QK_NORM, &key);
    bool asked = field_flag(r, FIELD_QK_NORM, f->qk != QK_NONE && !f->qk_asked);
    if (asked && f->qk == QK_NONE)
        fail_at(r, ROOF_EUNSUPPORTED, key, "key '%s' is true, and what it means in the %s family is unknown", key,
                f->label);
    if (!asked || f->qk == QK_FREE)
        return;
    s->q_norm = s->head_width * (f->qk == QK_ALL ? s->heads : 1);
    s->k_norm = s->head_width * (f->qk == QK_ALL ? s->kv_heads : 1);
}

static bool stated_tie(reader *r, bool *tied) {
    if (field_node(r, FIELD_TIED, NULL)) {
        *tied = field_flag(r, FIELD_TIED, false);
        return true;
    }
    const json_node *above = r->lm != r->root ? json_get(r->root, field_name(FIELD_TIED)) : NULL;
    *tied = json_bool(above, false);
    return json_kind_of(above) == JSON_NODE_BOOL;
}

static void ties(reader *r) {
    bool tied;
    if (!stated_tie(r, &tied)) {
        tied = r->family->tied;
        note(r, "%s: absent, so %s, the default of the %s family", field_name(FIELD_TIED), tied ? "true" : "false",
             r->family->label);
        if (r->guessed)
            warn(r, "key '%s' is absent and the family is unknown: the output head is counted as weights of its own",
                 field_name(FIELD_TIED));
    }
    r->shape.tied = tied;
}

static roof_dtype stated_dtype(reader *r) {
    const char *name = field_text(r, FIELD_DTYPE);
    if (!name && r->lm != r->root) {
        name = json_text(json_get(r->root, "torch_dtype"));
        name = name ? name : json_text(json_get(r->root, "dtype"));
    }
    roof_dtype dtype = roof_dtype_parse(name);
    if (name && dtype == ROOF_DTYPE_NONE)
        warn(r, "key '%s' is '%.40s', which is not a known data type", field_name(FIELD_DTYPE), name);
    if (dtype != ROOF_DTYPE_NONE)
        return dtype;
    return json_bool(json_get(r->lm, "bf16"), false)   ? ROOF_BF16
           : json_bool(json_get(r->lm, "fp16"), false) ? ROOF_F16
           : json_bool(json_get(r->lm, "fp32"), false) ? ROOF_F32
                                                       : ROOF_DTYPE_NONE;
}

/* A missing dtype is what the framework makes of it, and said aloud: f32 for plain files, bf16 beside quantised
 * weights. */
static void dtypes(reader *r, bool quantised) {
    r->shape.stored = stated_dtype(r);
    if (r->shape.stored != ROOF_DTYPE_NONE)
        return;
    r->shape.stored = quantised ? ROOF_BF16 : ROOF_F32;
    warn(r,
         quantised
             ? "no '%s' in the file: weights that are not quantised are taken as %s"
             : "no '%s' in the file: weights are taken as %s, as transformers does; state the dtype if they are 16-bit",
         field_name(FIELD_DTYPE), roof_dtype_name(r->shape.stored));
    r->file->assumed_dtype = r->file->warnings.count;
}

static bool window_is_on(reader *r) {
    bool stated = field_node(r, FIELD_USE_WINDOW, NULL) != NULL;
    if (r->family->window == WINDOW_FLAGGED && !stated)
        return false;
    return field_flag(r, FIELD_USE_WINDOW, true);
}

static void windows(reader *r) {
    const family *f = r->family;
    shape *s = &r->shape;
    s->layer_types = field_node(r, FIELD_LAYER_TYPES, NULL);
    const char *key;
    bool stated = field_node(r, FIELD_WINDOW, &key) != NULL;
    double width = stated                        ? field_number(r, FIELD_WINDOW, 0)
                   : f->window != WINDOW_FLAGGED ? preset_or(r, FIELD_WINDOW, 0)
                                                 : 0;
    bool on = window_is_on(r);
    double from = field_count(r, FIELD_WINDOW_FROM, s->layers);
    s->window = on && width > 0 ? width : 0;
    if (stated && s->window == 0)
        note(r, "%s: %s, so every layer sees the whole context", key,
             on ? "not above 0" : "use_sliding_window is not true");
    if (s->window > 0 && f->window == WINDOW_NONE && !s->layer_types)
        fail_at(r, ROOF_EUNSUPPORTED, key, "key '%s' is %g, and which layers of the %s family it rules is unknown", key,
                s->window, f->label);
    if (s->window > 0 && s->context > 0 && s->window >= s->context) {
        note(r, "%s: %.0f is no less than the longest context %.0f, so it never binds", key, s->window, s->context);
        s->window = 0;
    }
    s->window_from = f->window == WINDOW_FLAGGED ? from : 0;
    s->period = f->period > 0 ? field_count(r, FIELD_PATTERN, f->period) : 0;
    if (f->window == WINDOW_CHUNKS)
        s->chunk = preset_or(r, FIELD_CHUNK, 0);
}

/* 0 experts: dense. */
static bool stated_none(reader *r, field f) {
    const json_node *node = field_node(r, f, NULL);
    return json_kind_of(node) == JSON_NODE_NUMBER && json_number(node, 1) == 0;
}

static void experts(reader *r) {
    const family *f = r->family;
    shape *s = &r->shape;
    if (f->moe == MOE_NONE)
        return;
    if (stated_none(r, FIELD_EXPERTS)) {
        (void)field_node(r, FIELD_TOP_K, NULL);
        (void)field_node(r, FIELD_EXPERT_WIDTH, NULL);
        s->shared_width = field_count(r, FIELD_SHARED_WIDTH, 0);
        return;
    }
    s->experts = field_needed(r, FIELD_EXPERTS);
    s->top_k = field_needed(r, FIELD_TOP_K);
    s->expert_width = f->expert_is_ffn ? s->ffn : field_needed(r, FIELD_EXPERT_WIDTH);
    double shared = f->moe == MOE_FIRST_DENSE ? field_count(r, FIELD_SHARED_EXPERTS, 0) : 0;
    s->shared_width = f->shared_is_expert ? s->expert_width
                      : shared > 0        ? shared * s->expert_width
                                          : field_count(r, FIELD_SHARED_WIDTH, 0);
    s->shared_gate = f->shared_gate && s->shared_width > 0;
    s->dense_first = f->moe == MOE_FIRST_DENSE ? field_count(r, FIELD_DENSE_FIRST, 0) : 0;
    bool listed = json_kind_of(field_node(r, FIELD_MOE_EVERY, NULL)) == JSON_NODE_LIST;
    s->moe_every = f->moe == MOE_FIRST_DENSE && !listed ? field_count(r, FIELD_MOE_EVERY, 1) : 1;
    s->sparse_step = f->moe == MOE_QWEN          ? field_count(r, FIELD_SPARSE_STEP, 1)
                     : f->moe == MOE_INTERLEAVED ? field_count(r, FIELD_MOE_INTERLEAVE, 1)
                                                 : 1;
    s->dense_ffn = f->moe == MOE_INTERLEAVED ? field_count(r, FIELD_DENSE_FFN, 0) : s->ffn;
    const char *method = field_text(r, FIELD_TOPK_METHOD);
    s->router_bias = field_flag(r, FIELD_ROUTER_BIAS, method ? strcmp(method, "noaux_tc") == 0 : f->router_bias);
    if (s->top_k > s->experts && !r->missing[0])
        fail_at(r, ROOF_EFORMAT, field_name(FIELD_TOP_K), "key '%s' is %.0f, more than the %.0f experts there are",
                field_name(FIELD_TOP_K), s->top_k, s->experts);
}

static void latent(reader *r) {
    shape *s = &r->shape;
    if (!r->family->latent)
        return;
    s->q_rank = field_count(r, FIELD_Q_RANK, 0);
    s->kv_rank = field_needed(r, FIELD_KV_RANK);
    s->nope_width = field_needed(r, FIELD_NOPE_WIDTH);
    s->rope_width = field_needed(r, FIELD_ROPE_WIDTH);
    s->v_width = field_needed(r, FIELD_V_WIDTH);
    s->head_width = s->nope_width + s->rope_width;
    s->kv_heads = s->heads;
}

static int check_missing(reader *r) {
    bool several = strchr(r->missing, ',') != NULL;
    if (r->missing[0])
        fail_at(r, ROOF_EFORMAT, NULL, "%s %s %s missing", several ? "keys" : "key", r->missing,
                several ? "are" : "is");
    return r->failed ? -1 : 0;
}

static int check_layers(reader *r) {
    double layers = r->shape.layers;
    if (layers > LAYERS_MAX)
        return fail_at(r, ROOF_EFORMAT, field_name(FIELD_LAYERS), "key '%s' is %.0f: at most %d layers can be read",
                       field_name(FIELD_LAYERS), layers, LAYERS_MAX);
    return 0;
}

static int check(reader *r) {
    shape *s = &r->shape;
    if (r->family->no_attention)
        return 0;
    if (s->kv_heads > s->heads || fmod(s->heads, s->kv_heads) != 0)
        return fail_at(r, ROOF_EFORMAT, field_name(FIELD_KV_HEADS),
                       "%.0f attention heads cannot share %.0f KV heads evenly", s->heads, s->kv_heads);
    return 0;
}

/* An unknown type must show that its MLP is of a kind we know. */
static int check_guess(reader *r) {
    if (!r->guessed || r->failed)
        return r->failed ? -1 : 0;
    const char *activation = field_text(r, FIELD_ACTIVATION);
    if (!activation || (!strstr(activation, "silu") && !strstr(activation, "swi")))
        return fail_at(
            r, ROOF_EUNSUPPORTED, activation ? "hidden_act" : NULL,
            "model type '%.40s' is unknown, and without a silu 'hidden_act' its MLP could have two matrices or three",
            r->model_type);
    warn(r,
         "model type '%.40s' is unknown: read as a llama-like decoder (RMS norm, gated MLP, no biases unless stated)",
         r->model_type);
    return 0;
}

int shape_read(reader *r) {
    widths(r);
    heads(r);
    latent(r);
    experts(r);
    if (check_missing(r) != 0 || check_layers(r) != 0)
        return -1;
    r->shape.no_rope = r->family->no_rope;
    biases(r);
    norms(r);
    ties(r);
    windows(r);
    dtypes(r, r->quant || !node_is_off(json_get(r->lm, "quantization_config")) ||
                  !node_is_off(json_get(r->root, "quantization_config")) ||
                  !node_is_off(json_get(r->root, "quantization")));
    r->shape.mtp = r->family->mtp && field_flag(r, FIELD_MTP_OFF, true) ? field_count(r, FIELD_MTP, 0) : 0;
    (void)field_node(r, FIELD_ACTIVATION, NULL);
    if (!r->failed && r->family->adjust && r->family->adjust(r) != 0)
        return -1;
    if (check_missing(r) != 0 || check(r) != 0)
        return -1;
    return check_guess(r);
}
