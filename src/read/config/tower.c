/* Vision towers: the vision transformer of a wrapper with what stands before and behind it, as a model of its own.
 * A tower that is not described in full is not counted, and the reason is given. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/config/config.h"

enum { FRONT_MAX = 1, BACK_MAX = 4 + 3 * 8, KINDS = 2, TOWER_LAYERS_MAX = 1024 };

/* What all of them have. */
typedef struct tower {
    reader *r;
    const json_node *config;
    const char *missing; /* the first key that is */
    double layers, hidden, heads, width, patch, channels, frames;
    roof_norm_kind norm;
    bool gated, qkv_bias, output_bias, mlp_bias;
    double positions, vectors, layer_vectors, extra_norms, rows;
    double chunk; /* patches a window has, in all layers but those of `full` */
    const json_node *full;
    bool patch_bias;
    roof_projection back[BACK_MAX];
    size_t back_count;
} tower;

/* The value of the first spelling, or `otherwise` (a class default); 0: it must be there. */
static double get(tower *t, const char *first, const char *second, double otherwise) {
    const json_node *node = json_get(t->config, first);
    if (json_kind_of(node) != JSON_NODE_NUMBER && second)
        node = json_get(t->config, second);
    double value = json_kind_of(node) == JSON_NODE_NUMBER ? json_number(node, 0) : otherwise;
    if (!(value >= 1 && value <= 1e7) && !t->missing)
        t->missing = first;
    return value;
}

static void back(tower *t, const char *name, double outputs, double inputs, double rate, bool bias) {
    if (t->back_count < BACK_MAX)
        t->back[t->back_count++] = (roof_projection){name, outputs, inputs, rate, bias};
}

/* Norm vectors of other widths than the tower's, as elements. */
static void more_norm(tower *t, double width, roof_norm_kind norm) {
    t->vectors += width * (norm == ROOF_NORM_LAYER ? 2 : 1);
}

/* Four patches to one token, through two matrices. */
static void merger(tower *t, double merge, double outputs, const char *name) {
    double wide = t->hidden * merge * merge, rate = 1 / (merge * merge);
    back(t, name, wide, wide, rate, true);
    back(t, name, outputs, wide, rate, true);
}

static void common(tower *t) {
    t->layers = get(t, "depth", "num_hidden_layers", 0);
    t->hidden = get(t, "hidden_size", NULL, 0);
    t->heads = get(t, "num_heads", "num_attention_heads", 0);
    t->width = get(t, "intermediate_size", NULL, 0);
    t->patch = get(t, "patch_size", "spatial_patch_size", 0);
    t->channels = get(t, "in_channels", "in_chans", 3);
    t->frames = 1;
}

static void qwen2_vl(tower *t) {
    t->layers = get(t, "depth", NULL, 32);
    t->hidden = get(t, "embed_dim", NULL, 1280);
    t->heads = get(t, "num_heads", NULL, 16);
    t->width = t->hidden * get(t, "mlp_ratio", NULL, 4);
    t->patch = get(t, "patch_size", "spatial_patch_size", 14);
    t->channels = get(t, "in_channels", "in_chans", 3);
    t->frames = get(t, "temporal_patch_size", NULL, 2);
    t->norm = ROOF_NORM_LAYER;
    t->qkv_bias = t->output_bias = t->mlp_bias = true;
    t->extra_norms = 1; /* in front of the merger */
    merger(t, get(t, "spatial_merge_size", NULL, 2), get(t, "hidden_size", NULL, 0), "merger");
}

static void qwen2_5_vl(tower *t) {
    t->layers = get(t, "depth", NULL, 32);
    t->hidden = get(t, "hidden_size", NULL, 1280);
    t->heads = get(t, "num_heads", NULL, 16);
    t->width = get(t, "intermediate_size", NULL, 3420);
    t->patch = get(t, "patch_size", "spatial_patch_size", 14);
    t->channels = get(t, "in_channels", "in_chans", 3);
    t->frames = get(t, "temporal_patch_size", NULL, 2);
    t->norm = ROOF_NORM_RMS;
    t->gated = t->qkv_bias = t->output_bias = t->mlp_bias = true;
    t->extra_norms = 1;
    t->full = json_get(t->config, "fullatt_block_indexes");
    double side = floor(get(t, "window_size", NULL, 112) / (t->patch > 0 ? t->patch : 1));
    t->chunk = t->full ? side * side : 0;
    merger(t, get(t, "spatial_merge_size", NULL, 2), get(t, "out_hidden_size", NULL, t->r->shape.hidden), "merger");
}

static void qwen3_vl(tower *t) {
    common(t);
    t->frames = get(t, "temporal_patch_size", NULL, 2);
    t->norm = ROOF_NORM_LAYER;
    t->qkv_bias = t->output_bias = t->mlp_bias = t->patch_bias = true;
    t->positions = get(t, "num_position_embeddings", NULL, 2304);
    t->extra_norms = 1;
    double merge = get(t, "spatial_merge_size", NULL, 2), outputs = get(t, "out_hidden_size", NULL, 0);
    merger(t, merge, outputs, "merger");
    size_t stacked = json_size(json_get(t->config, "deepstack_visual_indexes"));
    if (stacked > 8 && !t->missing)
        t->missing = "deepstack_visual_indexes (up to 8)";
    for (size_t i = 0; i < stacked && i < 8; i++) {
        merger(t, merge, outputs, "deepstack");
        more_norm(t, t->hidden * merge * merge, ROOF_NORM_LAYER);
    }
}

static void glm4v(tower *t) {
    common(t);
    double merge = get(t, "spatial_merge_size", NULL, 2), outputs = get(t, "out_hidden_size", NULL, 0);
    double image = get(t, "image_size", NULL, 336);
    t->frames = get(t, "temporal_patch_size", NULL, 2);
    t->norm = ROOF_NORM_RMS;
    t->gated = t->patch_bias = true;
    t->qkv_bias = json_bool(json_get(t->config, "attention_bias"), false);
    t->positions = t->patch > 0 ? floor(image / t->patch) * floor(image / t->patch) : 0;
    t->extra_norms = 2;
    double inner = t->width, rate = 1 / (merge * merge);
    t->width = outputs; /* of the blocks; the merger has the stated width */
    back(t, "downsample", outputs, t->hidden * merge * merge, rate, true);
    back(t, "merger", outputs, outputs, rate, false);
    more_norm(t, outputs, ROOF_NORM_LAYER);
    back(t, "merger", 2 * inner, outputs, rate, false);
    back(t, "merger", outputs, inner, rate, false);
}

/* Image side over patch side, squared. */
static double patches(tower *t) {
    double image = get(t, "image_size", NULL, 0);
    double side = t->patch > 0 ? floor(image / t->patch) : 0;
    return side * side;
}

static void siglip(tower *t) {
    common(t);
    t->channels = get(t, "num_channels", NULL, 3);
    t->norm = ROOF_NORM_LAYER;
    t->qkv_bias = t->output_bias = t->mlp_bias = t->patch_bias = true;
    t->positions = t->rows = patches(t);
    t->extra_norms = 1;
}

static void gemma3(tower *t) {
    siglip(t);
    double tokens = json_number(json_get(t->r->root, "mm_tokens_per_image"), 256);
    back(t, "projector", t->r->shape.hidden, t->hidden, t->rows > 0 ? tokens / t->rows : 1, false);
    more_norm(t, t->hidden, ROOF_NORM_RMS);
}

static void intern_vit(tower *t) {
    common(t);
    double ratio = json_number(json_get(t->r->root, "downsample_ratio"), 0.5), llm = t->r->shape.hidden;
    const char *norm = json_text(json_get(t->config, "norm_type"));
    t->channels = get(t, "num_channels", NULL, 3);
    t->norm = norm && strcmp(norm, "rms_norm") == 0 ? ROOF_NORM_RMS : ROOF_NORM_LAYER;
    t->qkv_bias = json_bool(json_get(t->config, "qkv_bias"), true);
    t->output_bias = t->mlp_bias = t->patch_bias = true;
    t->positions = t->rows = patches(t) + 1;
    t->vectors = t->hidden; /* class token */
    t->layer_vectors = 2 * t->hidden;
    if (json_bool(json_get(t->config, "qk_normalization"), false))
        t->layer_vectors += 2 * t->hidden;
    double wide = ratio > 0 ? t->hidden / (ratio * ratio) : 0, rate = ratio * ratio;
    more_norm(t, wide, ROOF_NORM_LAYER);
    back(t, "projector", llm, wide, rate, true);
    back(t, "projector", llm, llm, rate, true);
}

static void llama4(tower *t) {
    common(t);
    double ratio = json_number(json_get(t->config, "pixel_shuffle_ratio"), 0.5), rate = ratio * ratio;
    double in = get(t, "projector_input_dim", NULL, 4096), out = get(t, "projector_output_dim", NULL, 4096);
    t->channels = get(t, "num_channels", NULL, 3);
    t->norm = ROOF_NORM_LAYER;
    t->qkv_bias = t->output_bias = t->mlp_bias = true;
    t->positions = t->rows = patches(t) + 1;
    t->vectors = t->hidden;
    t->extra_norms = 2;
    back(t, "adapter", in, ratio > 0 ? t->hidden / rate : 0, rate, false);
    back(t, "adapter", out, out, rate, false);
    back(t, "projector", t->r->shape.hidden, get(t, "vision_output_dim", NULL, 0), rate, false);
}

typedef struct tower_kind {
    const char *types; /* model_type of vision_config or of the file, exact, between spaces */
    void (*describe)(tower *t);
    const char *unknown; /* why it is not counted */
} tower_kind;

static const tower_kind kinds[] = {
    {"qwen2_vl", qwen2_vl, NULL},
    {"qwen2_5_vl", qwen2_5_vl, NULL},
    {"qwen3_vl qwen3_vl_moe qwen3_5 qwen3_5_moe", qwen3_vl, NULL},
    {"glm4v glm4v_moe", glm4v, NULL},
    {"gemma3", gemma3, NULL},
    {"internvl_chat", intern_vit, NULL},
    {"llama4", llama4, NULL},
    {"minicpmv", NULL, "its resampler is not supported"},
    {"mllama", NULL, "its tiles and gated layers are not supported"},
};

const json_node *tower_config(const reader *r) {
    static const char *const keys[] = {"vision_config", "visual", "vision_cfg", "vision_tower_cfg", "vision_encoder"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (json_get(r->root, keys[i]))
            return json_get(r->root, keys[i]);
    return NULL;
}

static bool has_word(const char *list, const char *word) {
    size_t n = strlen(word);
    for (const char *at = list; n > 0 && (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

static const tower_kind *kind_of(const reader *r) {
    const char *type = json_text(json_get(r->root, "model_type"));
    for (size_t i = 0; type && i < sizeof kinds / sizeof kinds[0]; i++)
        if (has_word(kinds[i].types, type))
            return &kinds[i];
    return NULL;
}

static bool sees_all(const tower *t, double layer) {
    if (!(t->chunk > 0))
        return true;
    for (size_t i = 0; i < json_size(t->full); i++)
        if (json_number(json_at(t->full, i), -1) == layer)
            return true;
    return false;
}

static void fill_layer(const tower *t, bool full, roof_layer *out) {
    double head = t->hidden / t->heads;
    *out = (roof_layer){
        .attention = {.kind = full ? ROOF_ATTENTION_FULL : ROOF_ATTENTION_CHUNKED,
                      .heads = t->heads,
                      .kv_heads = t->heads,
                      .head_width = head,
                      .value_width = head,
                      .window = full ? 0 : t->chunk,
                      .qkv_bias = t->qkv_bias,
                      .output_bias = t->output_bias},
        .mlp = {.kind = ROOF_MLP_DENSE, .gated = t->gated, .bias = t->mlp_bias, .width = t->width},
        .norms = 2,
        .vectors = t->layer_vectors,
    };
    for (int role = 0; role < ROOF_ROLE_COUNT; role++)
        out->format[role] = roof_format_plain(t->r->shape.stored);
}

static int build(tower *t) {
    reader *r = t->r;
    roof_model *model = keep(r, sizeof *model);
    roof_layer *layers = keep(r, KINDS * sizeof *layers);
    unsigned char *order = keep(r, (size_t)t->layers);
    roof_projection *front = keep(r, sizeof *front), *back_list = keep(r, sizeof t->back);
    if (!model || !layers || !order || !front || !back_list)
        return -1;
    size_t count = t->chunk > 0 ? KINDS : 1;
    fill_layer(t, true, &layers[0]);
    fill_layer(t, false, &layers[1]);
    for (size_t i = 0; i < (size_t)t->layers; i++) {
        order[i] = !sees_all(t, (double)i);
        layers[order[i]].count++;
    }
    *front = (roof_projection){"patch_embedding", t->hidden, t->channels * t->frames * t->patch * t->patch, 1,
                               t->patch_bias};
    memcpy(back_list, t->back, sizeof t->back);
    *model = (roof_model){
        .id = "vision",
        .name = "vision tower",
        .family = "vision",
        .hidden = t->hidden,
        .embedding_width = t->hidden,
        .positions = t->positions,
        .norm = t->norm,
        .extra_norms = t->extra_norms,
        .layers = layers,
        .layer_count = count,
        .order = count > 1 ? order : NULL,
        .embedding = roof_format_plain(r->shape.stored),
        .head = roof_format_plain(r->shape.stored),
        .stored = r->shape.stored,
        .context_max = t->rows,
        .bidirectional = true,
        .headless = true,
        .vectors = t->vectors,
        .front = front,
        .front_count = 1,
        .back = back_list,
        .back_count = t->back_count,
    };
    r->file->model.vision = model;
    note(r, "the vision tower is listed beside the model, in %s as stored", roof_dtype_name(r->shape.stored));
    return 0;
}

int tower_read(reader *r, const char **why) {
    const tower_kind *kind = kind_of(r);
    tower t = {.r = r, .config = tower_config(r)};
    *why = kind ? kind->unknown : "its type is not supported";
    if (!kind || kind->unknown)
        return -1;
    kind->describe(&t);
    if (!t.missing && (t.layers > TOWER_LAYERS_MAX || fmod(t.layers, 1) != 0 || fmod(t.hidden, t.heads) != 0))
        t.missing = "hidden_size as a multiple of its heads";
    if (t.missing) {
        *why = keep_text(r, "vision_config does not say '%s'", t.missing);
        return -1;
    }
    return build(&t);
}
