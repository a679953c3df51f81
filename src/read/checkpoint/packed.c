/* How many weights a tensor stands for. Quantisers pack several into an integer and lay scales beside them; each row of
 * the table is one layout, told by names and types. Sources: docs/files.md, "Packed weights". */
#include <stdio.h>
#include <string.h>

#include "read/checkpoint/weights.h"
#include "read/match.h"
#include "roofline_read.h"

static bool is_type(const weight *w, const char *name) {
    return w && strcmp(w->type->name, name) == 0;
}

/* A text and its length: a hundred thousand names are held against each. */
typedef struct ending {
    const char *text;
    size_t length;
} ending;
#define END(text)                                                                                                      \
    { text, sizeof(text) - 1 }

static bool ends_in(const char *name, size_t n, const ending *end) {
    return n > end->length && name[n - 1] == end->text[end->length - 1] &&
           memcmp(name + n - end->length, end->text, end->length) == 0;
}

/* Weights a 32-bit word holds when the input side has `inputs`: exact or 0. */
static uint64_t by_inputs(const weight *w, uint64_t inputs) {
    return w->cols > 0 && inputs >= w->cols ? w->elements / w->cols * inputs : 0;
}

/* GPTQ packs along the inputs ([in / k, out], group scales [groups, out]), AWQ along the outputs ([in, out / k]). */
static uint64_t gptq_or_awq(const weight_set *set, const weight *w, size_t base) {
    const weight *scales = weights_find(set, w->name, base, ".scales"),
                 *order = weights_find(set, w->name, base, ".g_idx");
    const weight *zeros = weights_find(set, w->name, base, ".qzeros");
    if (!scales || w->cols == 0)
        return 0;
    if (scales->cols != w->cols)
        return by_inputs(w, scales->cols); /* AWQ */
    if (order)
        return order->elements * w->cols;
    if (!zeros || zeros->cols == 0 || zeros->cols > w->cols)
        return 0;
    return w->elements * w->cols / zeros->cols; /* zeros are packed by the same factor */
}

/* compressed-tensors: nibbles of NVFP4 in bytes; integers in words, whose width weight_scale's groups do not tell. */
static uint64_t compressed(const weight_set *set, const weight *w, size_t base) {
    (void)base;
    if (is_type(w, "U8"))
        return 2 * w->elements;
    return set->packed_bits > 0 ? (uint64_t)((double)w->elements * 32 / set->packed_bits) : 0;
}

/* MLX packs words along the inputs; the width of a norm before the matrix, or the config, tells how many bits. */
static uint64_t mlx(const weight_set *set, const weight *w, size_t base) {
    if (!is_type(w, "U32") || !weights_find(set, w->name, base, ".scales"))
        return w->elements;
    return set->packed_bits > 0 ? (uint64_t)((double)w->elements * 32 / set->packed_bits) : 0;
}

/* A plain ".weight" of bytes is packed when scales of 4-bit codes lie beside it. */
static uint64_t plain_weight(const weight_set *set, const weight *w, size_t base) {
    size_t whole = strlen(w->name);
    if (is_type(w, "U32"))
        return mlx(set, w, base);
    if (!is_type(w, "U8"))
        return w->elements;
    bool nf4 = weights_find(set, w->name, whole, ".absmax") && weights_find(set, w->name, whole, ".quant_map");
    bool nvfp4 = is_type(weights_find(set, w->name, base, ".weight_scale"), "F8_E4M3");
    return nf4 || nvfp4 ? 2 * w->elements : w->elements;
}

/* OCP MX blocks of gpt-oss: bytes of two codes, one scale byte a block. */
static uint64_t mx_blocks(const weight_set *set, const weight *w, size_t base) {
    return is_type(w, "U8") && weights_find(set, w->name, base, "_scales") ? 2 * w->elements : w->elements;
}

typedef struct layout {
    ending suffix;
    uint64_t (*weights)(const weight_set *set, const weight *w, size_t base); /* 0: not known */
} layout;

static const layout layouts[] = {
    {END(".qweight"), gptq_or_awq},
    {END(".weight_packed"), compressed},
    {END(".weight"), plain_weight},
    {END("_blocks"), mx_blocks},
};

/* What lies beside a packed tensor, and the tensor it must lie beside ("": none). */
static const struct {
    ending suffix;
    const char *mains[3];
} companions[] = {
    {END(".qzeros"), {".qweight"}},
    {END(".g_idx"), {".qweight"}},
    {END(".scales"), {".qweight", ".weight"}},
    {END(".biases"), {".weight"}},
    {END(".weight_scale"), {".weight", ".weight_packed"}},
    {END(".weight_scale_inv"), {".weight"}},
    {END(".weight_scale_2"), {".weight"}},
    {END(".weight_zero_point"), {".weight", ".weight_packed"}},
    {END(".weight_shape"), {".weight_packed"}},
    {END(".weight_g_idx"), {".weight_packed"}},
    {END(".weight_global_scale"), {".weight_packed"}},
    {END(".input_scale"), {".weight", ".weight_packed"}},
    {END(".input_global_scale"), {".weight", ".weight_packed"}},
    {END(".SCB"), {".weight"}},
    {END(".weight_format"), {".weight"}},
    {END(".absmax"), {""}},
    {END(".quant_map"), {""}},
    {END(".nested_absmax"), {""}},
    {END(".nested_quant_map"), {""}},
    {END("_scales"), {"_blocks"}},
    {END("_scale_inv"), {""}},
    {END(".k_scale"), {NULL}},
    {END(".v_scale"), {NULL}},
    {END(".q_scale"), {NULL}},
    {END(".output_scale"), {NULL}},
};

/* Ends and parts of names. */
static const ending buffer_ends[] = {END(".inv_freq"),     END(".masked_bias"),
                                     END(".position_ids"), END(".num_batches_tracked"),
                                     END(".attn_mask"),    END(".causal_mask")};
static const ending mask_ends[] = {END("attn.bias"), END("attention.bias")};
static const char *const buffer_parts[] = {".rotary_emb.", ".rotary_pos_emb."};

static bool is_companion(const weight_set *set, const weight *w, size_t n) {
    if (strstr(w->name, ".quant_state."))
        return true;
    for (size_t i = 0; i < sizeof companions / sizeof companions[0]; i++) {
        if (!ends_in(w->name, n, &companions[i].suffix))
            continue;
        size_t base = n - companions[i].suffix.length;
        if (!companions[i].mains[0])
            return true;
        for (int k = 0; k < 3 && companions[i].mains[k]; k++)
            if (weights_find(set, w->name, base, companions[i].mains[k]))
                return true;
    }
    return false;
}

/* Masks of GPT-2 and GPT-NeoX are kept as "attn.bias" and "attention.bias" of four dimensions. */
static bool is_buffer(const weight *w, size_t n) {
    for (size_t i = 0; i < sizeof buffer_ends / sizeof buffer_ends[0]; i++)
        if (ends_in(w->name, n, &buffer_ends[i]))
            return true;
    for (size_t i = 0; i < sizeof buffer_parts / sizeof buffer_parts[0]; i++)
        if (strstr(w->name, buffer_parts[i]))
            return true;
    bool mask = w->rank == 4 && (ends_in(w->name, n, &mask_ends[0]) || ends_in(w->name, n, &mask_ends[1]));
    return mask || is_type(w, "BOOL");
}

static void count_one(weight_set *set, weight *w) {
    size_t n = strlen(w->name);
    w->weights = 0;
    w->class = is_companion(set, w, n) ? WEIGHT_COMPANION : is_buffer(w, n) ? WEIGHT_BUFFER : WEIGHT_PLAIN;
    if (w->class != WEIGHT_PLAIN)
        return;
    w->weights = w->elements;
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        if (!ends_in(w->name, n, &layouts[i].suffix))
            continue;
        w->weights = layouts[i].weights(set, w, n - layouts[i].suffix.length);
        if (w->weights != w->elements)
            w->class = WEIGHT_PACKED;
        if (w->weights == 0 && w->elements > 0) {
            w->weights = w->elements;
            set->uncounted++;
        }
        return;
    }
}

/* MLX without a config: a norm's width is the inputs of the embedding table, whose words then tell the bits. */
static double guess_bits(const weight_set *set) {
    const weight *norm = NULL, *table = NULL;
    for (size_t i = 0; i < set->count; i++) {
        const weight *w = set->sorted[i];
        if (!norm && w->rank == 1 && match_list("*input_layernorm.weight *model.norm.weight", w->name))
            norm = w;
        if (!table && w->rank == 2 && is_type(w, "U32") && match_list("*embed_tokens.weight *wte.weight", w->name))
            table = w;
    }
    if (!norm || !table || norm->elements == 0)
        return 0;
    double bits = 32.0 * table->cols / (double)norm->elements;
    return bits == 2 || bits == 3 || bits == 4 || bits == 5 || bits == 6 || bits == 8 ? bits : 0;
}

void weights_count(weight_set *set) {
    set->uncounted = 0;
    if (set->packed_bits == 0)
        set->packed_bits = guess_bits(set);
    for (size_t i = 0; i < set->count; i++)
        count_one(set, set->sorted[i]);
}

/* ---- the summary ------------------------------------------------------------------------------------------------ */

static void add_type(roof_weights *out, const char *type, double weights, double bytes) {
    size_t i = 0;
    while (i < out->type_count && strcmp(out->types[i].name, type) != 0)
        i++;
    if (i == ROOF_WEIGHTS_TYPES)
        return;
    if (i == out->type_count)
        snprintf(out->types[out->type_count++].name, sizeof out->types[0].name, "%s", type);
    out->types[i].tensors++;
    out->types[i].parameters += weights;
    out->types[i].bytes += bytes;
}

static void add_largest(roof_weights *out, const char *name, double weights, double bytes) {
    size_t i = out->largest_count;
    while (i > 0 && out->largest[i - 1].bytes < bytes)
        i--;
    if (i == ROOF_WEIGHTS_LARGEST)
        return;
    out->largest_count += out->largest_count < ROOF_WEIGHTS_LARGEST;
    for (size_t k = out->largest_count - 1; k > i; k--)
        out->largest[k] = out->largest[k - 1];
    snprintf(out->largest[i].name, sizeof out->largest[i].name, "%s", name);
    out->largest[i].parameters = weights;
    out->largest[i].bytes = bytes;
}

void weights_sum_add(roof_weights *out, const char *name, const char *type, double weights, double bytes) {
    out->tensors++;
    out->parameters += weights;
    out->bytes += bytes;
    add_type(out, type, weights, bytes);
    add_largest(out, name, weights, bytes);
}

void weights_sum_end(roof_weights *out) {
    for (size_t i = 1; i < out->type_count; i++) /* few: insertion */
        for (size_t k = i; k > 0 && out->types[k].bytes > out->types[k - 1].bytes; k--) {
            struct roof_weights_type swap = out->types[k];
            out->types[k] = out->types[k - 1];
            out->types[k - 1] = swap;
        }
}

void weights_sum(const weight_set *set, roof_weights *out) {
    *out =
        (roof_weights){.files = (double)set->files, .elsewhere = set->elsewhere_bytes, .at_least = set->uncounted > 0};
    for (size_t i = 0; i < set->count; i++) {
        const weight *w = set->sorted[i];
        weights_sum_add(out, w->name, w->type->name, (double)w->weights, (double)w->bytes);
    }
    weights_sum_end(out);
}
