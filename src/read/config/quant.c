/* How weights are stored: quantization_config of config.json, or the file beside it. One row of `methods` a scheme; an
 * unknown scheme is a format whose bytes are unknown, never a guess. Sources: docs/models.md, "Quantisation". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/config/config.h"
#include "read/match.h"

enum { COMPARISONS_MAX = 20000000 };

typedef struct scheme_reader {
    const char *name; /* quant_method */
    int (*read)(reader *r, const json_node *block, schemes *out);
} scheme_reader;

/* The number after "layers." where it stands alone, so that the many entries of other layers are passed over fast. */
static long layer_of(const char *entry) {
    const char *tail = strncmp(entry, "re:", 3) == 0 ? NULL : strstr(entry, "layers.");
    if (!tail)
        return -1;
    tail += strlen("layers.");
    size_t digits = strspn(tail, "0123456789");
    if (digits == 0 || digits > 6 || (tail[digits] != '.' && tail[digits] != '\0'))
        return -1;
    long layer = 0;
    for (size_t i = 0; i < digits; i++)
        layer = layer * 10 + (tail[i] - '0');
    return layer;
}

static int read_patterns(reader *r, const json_node *list, pattern_list *out) {
    size_t n = json_size(list);
    *out = (pattern_list){0};
    if (n == 0)
        return 0;
    out->patterns = keep(r, n * sizeof *out->patterns);
    for (size_t i = 0; out->patterns && i < n; i++) {
        const char *text = json_text(json_at(list, i));
        if (text && strcmp(text, "Linear") == 0)
            out->linear = true;
        else if (text)
            out->patterns[out->count++] = (module_name){.text = text, .layer = layer_of(text)};
    }
    return out->patterns ? 0 : -1;
}

static double number_of(const json_node *block, const char *key, double otherwise) {
    return json_number(json_get(block, key), otherwise);
}

static const char *text_of(const json_node *block, const char *key) {
    const char *text = json_text(json_get(block, key));
    return text ? text : "";
}

static void add_scheme(schemes *out, roof_format format) {
    out->format[out->count++] = format; /* the callers keep to SCHEME_MAX - 1 */
}

/* A scheme we cannot read: bytes are unknown and said to be. */
static int unknown_scheme(reader *r, schemes *out, const char *why, const char *word) {
    const char *name = keep_text(r, "unknown (%.40s)", word);
    warn(r, "%s '%.60s' is unknown: the bytes of the weights are unknown", why, word);
    add_scheme(out,
               (roof_format){
                   .name = name, .unknown = true, .dtype = r->shape.stored, .bits = roof_dtype_bits(r->shape.stored)});
    return r->failed ? -1 : 0;
}

static roof_dtype integer_dtype(double bits) {
    return bits == 8 ? ROOF_INT8
                     : ROOF_INT4; /* 2- and 3-bit codes are unpacked to a 4-bit element; `bits` has the size */
}

/* Of a group or block: whole, -1 and 0 for "all". */
static bool plausible_size(double size) {
    return size >= -1 && size <= 65536 && size == floor(size);
}

static bool plausible_bits(double bits) {
    return bits == 1 || bits == 2 || bits == 3 || bits == 4 || bits == 5 || bits == 6 || bits == 8;
}

static const char *group_name(reader *r, const char *method, double bits, double group) {
    return group > 0 ? keep_text(r, "%s-int%.0f-g%.0f", method, bits, group) : keep_text(r, "%s-int%.0f", method, bits);
}

/* Weight-only integers by groups: `zero_bits` a group for the zero point. */
static int grouped(reader *r, schemes *out, const char *method, const json_node *block, double scale_bits,
                   double zero_bits) {
    double bits = number_of(block, "bits", number_of(block, "w_bit", 4)),
           group = number_of(block, "group_size", number_of(block, "q_group_size", 128));
    if (!plausible_bits(bits) || !plausible_size(group))
        return unknown_scheme(r, out, "quantisation", method);
    add_scheme(out, (roof_format){.name = group_name(r, method, bits, group),
                                  .dtype = integer_dtype(bits),
                                  .bits = bits,
                                  .block_rows = 1,
                                  .block_cols = group > 0 ? group : 0,
                                  .scale_bits = scale_bits,
                                  .zero_bits = zero_bits < 0 ? bits : zero_bits});
    return 0;
}

static int gptq(reader *r, const json_node *block, schemes *out) {
    out->head_too = json_bool(json_get(block, "lm_head"), false);
    return grouped(r, out, "gptq", block, 16, -1); /* qzeros are stored even when symmetric */
}

static int awq(reader *r, const json_node *block, schemes *out) {
    return grouped(r, out, "awq", block, 16, json_bool(json_get(block, "zero_point"), true) ? -1 : 0);
}

static int auto_round(reader *r, const json_node *block, schemes *out) {
    const char *type = text_of(block, "data_type");
    if (*type && strcmp(type, "int") != 0)
        return unknown_scheme(r, out, "auto-round data_type", type);
    return grouped(r, out, "auto-round", block, 16, -1);
}

/* The scheme with this format among those that name their modules, new if there is none; -1: too many. */
static int scheme_of(schemes *out, const roof_format *format) {
    for (size_t i = 0; i < out->count; i++)
        if (strcmp(out->format[i].name, format->name) == 0)
            return (int)i;
    if (out->count >= SCHEME_MAX - 2) /* one is left for the modules that are not named */
        return -1;
    add_scheme(out, *format);
    return (int)out->count - 1;
}

/* One more module in a list that can have `most`. */
static int list_add(reader *r, pattern_list *list, const char *module, size_t most) {
    if (!list->patterns)
        list->patterns = keep(r, most * sizeof *list->patterns);
    if (!list->patterns)
        return -1;
    list->patterns[list->count++] = (module_name){.text = module, .layer = layer_of(module)};
    return 0;
}

/* Modules with settings of their own, then all others; a false leaves one as it is. */
static int mlx(reader *r, const json_node *block, schemes *out) {
    const char *mode = text_of(block, "mode");
    if (*mode && strcmp(mode, "affine") != 0)
        return unknown_scheme(r, out, "mlx quantisation mode", mode);
    out->head_too = out->embedding_too = out->router_too = true;
    const char *key;
    const json_node *value = NULL;
    while (json_next_member(block, &value, &key)) {
        schemes one = {0};
        if (json_kind_of(value) == JSON_NODE_BOOL && !json_bool(value, true) &&
            list_add(r, &out->ignore, key, json_size(block)) != 0)
            return -1;
        if (json_kind_of(value) != JSON_NODE_OBJECT)
            continue;
        bool whole = json_get(value, "bits") && json_get(value, "group_size");
        if (whole && grouped(r, &one, "mlx", value, 16, 16) != 0)
            return -1;
        int scheme = !whole || one.format[0].unknown ? -1 : scheme_of(out, &one.format[0]);
        if (scheme < 0) {
            *out = (schemes){0};
            return unknown_scheme(r, out, "mlx quantisation of single modules, such as", key);
        }
        if (list_add(r, &out->targets[scheme], key, json_size(block)) != 0)
            return -1;
    }
    return grouped(r, out, "mlx", block, 16, 16);
}

static roof_format fp8_format(const char *name, double rows, double cols, double scale_bits) {
    return (roof_format){.name = name,
                         .dtype = ROOF_FP8,
                         .bits = 8,
                         .block_rows = rows,
                         .block_cols = cols,
                         .scale_bits = scale_bits,
                         .math = ROOF_FP8};
}

static roof_format mxfp4_format(roof_dtype math) {
    return (roof_format){.name = "mxfp4",
                         .dtype = ROOF_MXFP4,
                         .bits = 4,
                         .block_rows = 1,
                         .block_cols = 32,
                         .scale_bits = 8,
                         .math = math};
}

static int fp8(reader *r, const json_node *block, schemes *out) {
    const json_node *size = json_get(block, "weight_block_size");
    double rows = json_number(json_at(size, 0), 0), cols = json_number(json_at(size, 1), 0);
    if (!plausible_size(rows) || !plausible_size(cols) || rows < 0 || cols < 0)
        return unknown_scheme(r, out, "fp8 weight_block_size of method", "fp8");
    const char *name = rows > 0 ? keep_text(r, "fp8-%.0fx%.0f", rows, cols) : "fp8";
    const json_node *experts = json_get(r->lm, "expert_dtype");
    const char *expert_dtype = json_text(experts ? experts : json_get(block, "expert_dtype"));
    if (expert_dtype && strcmp(expert_dtype, "fp4") == 0) { /* a scale a 32, multiplied with 8-bit activations */
        add_scheme(out, mxfp4_format(ROOF_FP8));
        if (list_add(r, &out->targets[0], "experts", 1) != 0)
            return -1;
        note(r, "expert_dtype: fp4, so the experts are stored in mxfp4 and the rest in %s", name);
    }
    add_scheme(out, fp8_format(name, rows, cols, 32));
    return 0;
}

static int fbgemm_fp8(reader *r, const json_node *block, schemes *out) {
    (void)r;
    (void)block;
    add_scheme(out, fp8_format("fbgemm-fp8", 1, 0, 32));
    return 0;
}

static int mxfp4(reader *r, const json_node *block, schemes *out) {
    (void)r;
    (void)block;
    out->experts_only = true;
    add_scheme(out, mxfp4_format(ROOF_DTYPE_NONE));
    return 0;
}

static roof_format nvfp4_format(double group, bool weight_only) {
    return (roof_format){.name = "nvfp4",
                         .dtype = ROOF_NVFP4,
                         .bits = 4,
                         .block_rows = 1,
                         .block_cols = group > 0 && plausible_size(group) ? group : 16,
                         .scale_bits = 8,
                         .math = weight_only ? ROOF_DTYPE_NONE : ROOF_FP4};
}

/* quant_algo to a format; false when it is not known. */
static bool modelopt_format(const char *algorithm, double group, roof_format *out) {
    static const struct {
        const char *word;
        double rows, cols;
    } fp8s[] = {
        {"FP8", 0, 0}, {"FP8_PER_CHANNEL_PER_TOKEN", 1, 0}, {"FP8_BLOCK_SCALES", 128, 128}, {"FP8_PB_WO", 128, 128}};
    static const char *const names[] = {"fp8", "fp8-channel", "fp8-128x128", "fp8-128x128"};
    for (size_t i = 0; i < sizeof fp8s / sizeof fp8s[0]; i++)
        if (strcmp(algorithm, fp8s[i].word) == 0) {
            *out = fp8_format(names[i], fp8s[i].rows, fp8s[i].cols, 32);
            return true;
        }
    bool nvfp4 = strcmp(algorithm, "NVFP4") == 0, awq8 = strcmp(algorithm, "W4A8_AWQ") == 0;
    if (nvfp4 || strcmp(algorithm, "W4A16_NVFP4") == 0) {
        *out = nvfp4_format(group, !nvfp4);
        return true;
    }
    if (!awq8 && strcmp(algorithm, "W4A16_AWQ") != 0 && strcmp(algorithm, "INT4_AWQ") != 0)
        return false;
    *out = (roof_format){.name = "modelopt-int4",
                         .dtype = ROOF_INT4,
                         .bits = 4,
                         .block_rows = 1,
                         .block_cols = group > 0 && plausible_size(group) ? group : 128,
                         .scale_bits = 16,
                         .math = awq8 ? ROOF_FP8 : ROOF_DTYPE_NONE};
    return true;
}

/* MIXED_PRECISION: each quantised module with its own algorithm, the others as they are. */
static int modelopt_mixed(reader *r, const json_node *layers, schemes *out) {
    const char *key;
    const json_node *value = NULL;
    while (json_next_member(layers, &value, &key)) {
        const char *algorithm = text_of(value, "quant_algo");
        roof_format format;
        int scheme =
            modelopt_format(algorithm, number_of(value, "group_size", 0), &format) ? scheme_of(out, &format) : -1;
        if (scheme < 0) {
            *out = (schemes){0};
            return unknown_scheme(r, out, "modelopt quant_algo of a single module", algorithm);
        }
        if (list_add(r, &out->targets[scheme], key, json_size(layers)) != 0)
            return -1;
    }
    return 0;
}

static int modelopt(reader *r, const json_node *block, schemes *out) {
    const char *algorithm = text_of(block, "quant_algo"), *cache = text_of(block, "kv_cache_quant_algo");
    const json_node *layers = json_get(block, "quantized_layers");
    roof_format format;
    if (*cache)
        note(r, "kv_cache_quant_algo: %.20s: the file is meant to run with an 8-bit KV cache; none is assumed", cache);
    if (!*algorithm)
        return 0; /* the block states a cache format only */
    out->head_too = true;
    if (strcmp(algorithm, "MIXED_PRECISION") == 0 && json_size(layers) > 0)
        return modelopt_mixed(r, layers, out);
    if (!modelopt_format(algorithm, number_of(block, "group_size", 0), &format))
        return unknown_scheme(r, out, "modelopt quant_algo", algorithm);
    add_scheme(out, format);
    return 0;
}

static int bitsandbytes(reader *r, const json_node *block, schemes *out) {
    bool four = json_bool(json_get(block, "load_in_4bit"), json_bool(json_get(block, "_load_in_4bit"), false));
    bool eight = json_bool(json_get(block, "load_in_8bit"), json_bool(json_get(block, "_load_in_8bit"), false));
    bool nested = json_bool(json_get(block, "bnb_4bit_use_double_quant"), false);
    if (!four && !eight)
        return unknown_scheme(r, out, "bitsandbytes without load_in_4bit or load_in_8bit, method", "bitsandbytes");
    out->router_too = true;
    if (four) /* one f32 a block of 64, or 8 bits and one f32 a 256 of those (QLoRA, section 3) */
        add_scheme(out, (roof_format){.name = "bnb-4bit",
                                      .dtype = ROOF_INT4,
                                      .bits = 4,
                                      .block_rows = 1,
                                      .block_cols = 64,
                                      .scale_bits = nested ? 8.125 : 32});
    else
        add_scheme(out, (roof_format){.name = "bnb-int8",
                                      .dtype = ROOF_INT8,
                                      .bits = 8,
                                      .block_rows = 1,
                                      .scale_bits = 32,
                                      .math = ROOF_INT8});
    return 0;
}

/* How many weights share a scale, by strategy: all, a row, a block, or a group of a row. false: not plausible. */
static bool compressed_blocks(const json_node *w, const char *strategy, roof_format *f) {
    const json_node *block = json_get(w, "block_structure");
    double size = number_of(w, "group_size", 0);
    f->block_rows = strcmp(strategy, "tensor") != 0;
    if (strcmp(strategy, "block") == 0) {
        f->block_rows = json_number(json_at(block, 0), 128);
        f->block_cols = json_number(json_at(block, 1), 128);
        return plausible_size(f->block_rows) && plausible_size(f->block_cols) && f->block_rows >= 1 &&
               f->block_cols >= 1;
    }
    if (f->block_rows > 0 && strcmp(strategy, "channel") != 0 && size > 0)
        f->block_cols = size;
    return true;
}

/* One group of compressed-tensors: what it stores, and what it multiplies in. */
static int compressed_group(reader *r, const json_node *group, schemes *out) {
    const json_node *w = json_get(group, "weights"), *a = json_get(group, "input_activations");
    const char *type = text_of(w, "type"), *strategy = text_of(w, "strategy");
    double bits = number_of(w, "num_bits", 0), size = number_of(w, "group_size", 0);
    bool floats = strcmp(type, "float") == 0;
    if (!plausible_bits(bits) || !plausible_size(size) || (!floats && strcmp(type, "int") != 0))
        return unknown_scheme(r, out, "compressed-tensors weights of type", *type ? type : "?");
    roof_format f = {.bits = bits, .scale_bits = 16};
    if (!compressed_blocks(w, strategy, &f))
        return unknown_scheme(r, out, "compressed-tensors block_structure of strategy", strategy);
    if (floats && bits == 4) {
        f = size == 32 ? mxfp4_format(ROOF_FP4) : nvfp4_format(size, false);
    } else if (floats) {
        f.dtype = f.math = ROOF_FP8;
        f.name = keep_text(r, "ct-fp8-%.10s", *strategy ? strategy : "tensor");
    } else {
        f.dtype = integer_dtype(bits);
        f.name = group_name(r, "ct", bits, f.block_cols);
        f.zero_bits = json_bool(json_get(w, "symmetric"), true) ? 0 : bits;
        f.math = number_of(a, "num_bits", 0) == 8 && bits == 8 ? ROOF_INT8 : ROOF_DTYPE_NONE;
    }
    if (node_is_off(a))
        f.math = ROOF_DTYPE_NONE;
    add_scheme(out, f);
    return read_patterns(r, json_get(group, "targets"), &out->targets[out->count - 1]);
}

static int compressed(reader *r, const json_node *block, schemes *out) {
    const char *key;
    const json_node *group = NULL;
    out->head_too = true;
    if (json_size(json_get(block, "config_groups")) >= SCHEME_MAX)
        return unknown_scheme(r, out, "compressed-tensors with so many config_groups, format",
                              text_of(block, "format"));
    while (json_next_member(json_get(block, "config_groups"), &group, &key))
        if (compressed_group(r, group, out) != 0)
            return -1;
    if (out->count == 0)
        return unknown_scheme(r, out, "compressed-tensors without config_groups, format", text_of(block, "format"));
    if (!node_is_off(json_get(block, "kv_cache_scheme")))
        note(r, "kv_cache_scheme: the file is meant to run with a quantised KV cache; none is assumed");
    return 0;
}

static int quark(reader *r, const json_node *block, schemes *out) {
    const json_node *all = json_get(block, "global_quant_config"), *w = json_get(all, "weight"),
                    *a = json_get(all, "input_tensors");
    const char *dtype = text_of(w, "dtype"), *scheme = text_of(w, "qscheme");
    bool weight_only = node_is_off(a);
    double group = number_of(w, "group_size", 0);
    out->head_too = true;
    if (!node_is_off(json_get(block, "layer_quant_config")))
        return unknown_scheme(r, out, "quark layer_quant_config beside dtype", dtype);
    if (strcmp(dtype, "fp8_e4m3") == 0 && strcmp(scheme, "per_group") != 0)
        add_scheme(out, fp8_format("quark-fp8", strcmp(scheme, "per_channel") == 0, 0, 32));
    else if (strcmp(dtype, "fp4") == 0 && group == 32)
        add_scheme(out, mxfp4_format(ROOF_FP4));
    else if ((strcmp(dtype, "int4") == 0 || strcmp(dtype, "int8") == 0 || strcmp(dtype, "uint4") == 0) && group >= 0 &&
             plausible_size(group)) {
        double bits = dtype[strlen(dtype) - 1] - '0';
        add_scheme(out, (roof_format){.name = group_name(r, "quark", bits, group),
                                      .dtype = integer_dtype(bits),
                                      .bits = bits,
                                      .block_rows = strcmp(scheme, "per_tensor") != 0,
                                      .block_cols = group,
                                      .scale_bits = 16,
                                      .zero_bits = dtype[0] == 'u' ? bits : 0,
                                      .math = !weight_only && bits == 8 ? ROOF_INT8 : ROOF_DTYPE_NONE});
    } else
        return unknown_scheme(r, out, "quark dtype", dtype);
    if (weight_only)
        out->format[out->count - 1].math = ROOF_DTYPE_NONE;
    return 0;
}

static const scheme_reader methods[] = {
    {"fp8", fp8},
    {"fbgemm_fp8", fbgemm_fp8},
    {"mxfp4", mxfp4},
    {"modelopt", modelopt},
    {"modelopt_fp4", modelopt},
    {"compressed-tensors", compressed},
    {"gptq", gptq},
    {"awq", awq},
    {"auto-round", auto_round},
    {"intel/auto-round", auto_round},
    {"bitsandbytes", bitsandbytes},
    {"quark", quark},
    {"mlx", mlx},
};

/* Blocks that name no method are told by what they hold. */
static const char *method_of(const json_node *block) {
    const char *name = json_text(json_get(block, "quant_method"));
    if (name)
        return name;
    if (json_get(block, "quant_algo") || json_get(block, "kv_cache_quant_algo"))
        return "modelopt";
    if (json_get(block, "config_groups"))
        return "compressed-tensors";
    if (json_get(block, "desc_act"))
        return "gptq";
    if (json_get(block, "zero_point"))
        return "awq";
    if (json_get(block, "load_in_4bit") || json_get(block, "load_in_8bit"))
        return "bitsandbytes";
    return json_get(block, "bits") && json_get(block, "group_size") ? "mlx" : "";
}

static const json_node *list_of(const json_node *block) {
    static const char *const keys[] = {"modules_to_not_convert", "ignore",  "exclude_modules",
                                       "llm_int8_skip_modules",  "exclude", "ignored_layers"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (json_kind_of(json_get(block, keys[i])) == JSON_NODE_LIST)
            return json_get(block, keys[i]);
    return NULL;
}

static const json_node *block_of(const reader *r) {
    static const char *const keys[] = {"quantization_config", "quantization"};
    for (int i = 0; i < 2; i++)
        for (int inner = 0; inner < 2; inner++) {
            const json_node *block = json_get(inner ? r->lm : r->root, keys[i]);
            if (!node_is_off(block))
                return block;
        }
    const json_node *inside =
        json_get(r->quant, "quantization"); /* hf_quant_config.json; quantize_config.json has none */
    return inside ? inside : r->quant;
}

/* The path of a module of a layer as checkpoints write it, in the wrappers seen. */
static void path_of(char *out, size_t size, int wrapper, long layer, const char *module) {
    static const char *const roots[] = {"model.", "language_model.model.", "model.language_model."};
    if (layer < 0)
        snprintf(out, size, "%s%s", wrapper == 1 ? "language_model." : "", module);
    else
        snprintf(out, size, "%slayers.%ld.%s", roots[wrapper], layer, module);
}

static bool regex_hits(reader *r, const char *pattern, long layer, const char *module) {
    for (int wrapper = 0; wrapper < 3; wrapper++) {
        char path[160];
        path_of(path, sizeof path, wrapper, layer, module);
        match_result result = match_regex(pattern, path);
        if (result == MATCH_YES)
            return true;
        if (result == MATCH_UNREADABLE) {
            fail_at(r, ROOF_EUNSUPPORTED, "quantization_config",
                    "pattern '%.80s' of quantization_config cannot be read", pattern);
            return false;
        }
    }
    return false;
}

/* Entries that name layers are compared from the layer's number on: what wraps the model has many names. */
static bool entry_hits(reader *r, const char *entry, long layer, const char *module) {
    if (strncmp(entry, "re:", 3) == 0)
        return regex_hits(r, entry + 3, layer, module);
    char path[160];
    const char *tail = strstr(entry, "layers.");
    if (!tail) {
        path_of(path, sizeof path, 0, layer, module);
        return match_module(entry, path);
    }
    if (layer < 0)
        return false;
    tail += strlen("layers.");
    snprintf(path, sizeof path, "%ld.%s", layer, module);
    return match_path(tail, path);
}

static bool pattern_hits(reader *r, const module_name *p, long layer, const char *const *modules) {
    if (p->layer >= 0 && p->layer != layer)
        return false;
    for (int m = 0; m < MODULE_NAMES && modules[m] && !r->failed; m++) {
        if (++r->comparisons > COMPARISONS_MAX)
            fail_at(r, ROOF_EUNSUPPORTED, "quantization_config",
                    "the module lists of the quantisation are too long to compare");
        else if (entry_hits(r, p->text, layer, modules[m]))
            return true;
    }
    return false;
}

static bool list_hits(reader *r, const pattern_list *list, long layer, const char *const *modules) {
    for (size_t i = 0; i < list->count && !r->failed; i++)
        if (pattern_hits(r, &list->patterns[i], layer, modules))
            return true;
    return false;
}

static bool targeted(reader *r, const pattern_list *targets, long layer, const char *const *modules) {
    return targets->linear || targets->count == 0 || list_hits(r, targets, layer, modules);
}

int quant_scheme(reader *r, const schemes *q, long layer, const char *const *modules) {
    if (list_hits(r, &q->ignore, layer, modules))
        return 0;
    for (size_t i = 0; i < q->count; i++)
        if (targeted(r, &q->targets[i], layer, modules))
            return (int)i + 1;
    return 0;
}

int quant_read(reader *r, schemes *out) {
    const json_node *block = block_of(r);
    *out = (schemes){0};
    if (node_is_off(block))
        return 0;
    if (json_kind_of(block) != JSON_NODE_OBJECT)
        return fail_at(r, ROOF_EFORMAT, "quantization_config", "key 'quantization_config' is %s, not an object",
                       json_kind_name(json_kind_of(block)));
    const char *name = method_of(block);
    size_t row = 0, rows = sizeof methods / sizeof methods[0];
    while (row < rows && strcmp(methods[row].name, name) != 0)
        row++;
    if (row == rows)
        return unknown_scheme(r, out, "quant_method", *name ? name : "?");
    if (methods[row].read(r, block, out) != 0 || r->failed)
        return -1;
    if (list_of(block) && read_patterns(r, list_of(block), &out->ignore) != 0)
        return -1;
    bool beside = block == r->quant || block == json_get(r->quant, "quantization");
    if (out->count > 0)
        note(r, "weights: %s, as %s says", out->format[0].name,
             beside ? "the quantisation file beside it" : "quantization_config");
    return 0;
}
