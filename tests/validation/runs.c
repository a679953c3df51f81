/* Language models run by an engine: prefill, decode, and static batches from the first prompt token to the last output
 * token. docs/validation.md says how each metric is read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

static const roof_format int8_channel = {
    .name = "int8", .dtype = ROOF_INT8, .bits = 8, .block_rows = 1, .scale_bits = 16};
static const roof_format int4_g32 = {.name = "int4-g32",
                                     .dtype = ROOF_INT4,
                                     .bits = 4,
                                     .block_rows = 1,
                                     .block_cols = 32,
                                     .scale_bits = 16,
                                     .zero_bits = 16};
static const roof_format int4_g128 = {.name = "int4-g128",
                                      .dtype = ROOF_INT4,
                                      .bits = 4,
                                      .block_rows = 1,
                                      .block_cols = 128,
                                      .scale_bits = 16,
                                      .zero_bits = 4};
static const roof_format mlx_4bit = {.name = "4bit",
                                     .dtype = ROOF_INT4,
                                     .bits = 4,
                                     .block_rows = 1,
                                     .block_cols = 64,
                                     .scale_bits = 16,
                                     .zero_bits = 16};

/* How the tables name weights. `least_bits`: a GGUF scheme mixes block types, and this is its smallest. */
typedef struct weights {
    const char *name;
    roof_dtype plain, activations;
    const roof_format *format;
    double least_bits;
} weights;

static const weights schemes[] = {
    {"fp16", ROOF_F16, ROOF_F16, NULL, 0},
    {"bf16", ROOF_BF16, ROOF_BF16, NULL, 0},
    {"BF16", ROOF_BF16, ROOF_BF16, NULL, 0},
    {"fp8", ROOF_FP8, ROOF_F16, NULL, 0},
    {"int8", ROOF_DTYPE_NONE, ROOF_BF16, &int8_channel, 0},
    {"int4-g32", ROOF_DTYPE_NONE, ROOF_BF16, &int4_g32, 0},
    {"int4-g128", ROOF_DTYPE_NONE, ROOF_F16, &int4_g128, 0},
    {"4bit", ROOF_DTYPE_NONE, ROOF_F16, &mlx_4bit, 0},
    {"Q4_K_M", ROOF_DTYPE_NONE, ROOF_F16, NULL, 4.5},
    {"q4_k_m", ROOF_DTYPE_NONE, ROOF_F16, NULL, 4.5},
    {"Q4_K_XL", ROOF_DTYPE_NONE, ROOF_F16, NULL, 4.5},
    {"Q5_K_XL", ROOF_DTYPE_NONE, ROOF_F16, NULL, 5.5},
    {"Q8_K_XL", ROOF_DTYPE_NONE, ROOF_F16, NULL, 8.5},
    {"Q4_0", ROOF_DTYPE_NONE, ROOF_F16, NULL, 4.5},
    {"MXFP4", ROOF_DTYPE_NONE, ROOF_F16, NULL, 4.25},
    {"Q2_XXS", ROOF_DTYPE_NONE, ROOF_F16, NULL, 2.0625},
    {"Q3_XXS", ROOF_DTYPE_NONE, ROOF_F16, NULL, 2.0625},
    {"f16", ROOF_F16, ROOF_F16, NULL, 0},
    {"q4_0", ROOF_DTYPE_NONE, ROOF_F16, NULL, 4.5},
    {"q8_0", ROOF_DTYPE_NONE, ROOF_F16, NULL, 8.5},
    {"exl2-2.5bpw", ROOF_DTYPE_NONE, ROOF_F16, NULL, 2.5},
    {"exl2-3.0bpw", ROOF_DTYPE_NONE, ROOF_F16, NULL, 3},
    {"exl2-4.0bpw", ROOF_DTYPE_NONE, ROOF_F16, NULL, 4},
    {"exl2-5.0bpw", ROOF_DTYPE_NONE, ROOF_F16, NULL, 5},
};

static double bytes_of_file(const char *note) {
    double gib = note_number(note, "gguf_file_gib", note_number(note, "file_size_gb", 0));
    return gib * 1073741824;
}

/* A GGUF file's average where its size is stated, which is never above what its matrices take (the embedding is stored
 * in the fewest bits, and not read in full), else the least of the scheme. llama.cpp multiplies quantised weights in
 * INT8 where there is a roof for it. */
static roof_format gguf_format(const weights *how, const char *note, const score_work *work) {
    double parameters = roof_model_parameters(work->model, &work->plan).total;
    double bits = bytes_of_file(note) * 8 / parameters;
    roof_format format = {
        .name = how->name, .dtype = ROOF_INT4, .bits = bits > how->least_bits ? bits : how->least_bits};
    if (roof_machine_peak(work->machine, ROOF_MATRIX, ROOF_INT8))
        format.math = ROOF_INT8;
    return format;
}

/* The rest is stored in the activations' dtype; GGUF and MLX files quantise the embedding table too. */
static void set_stored(score_work *work, const weights *how) {
    bool table_too = how->least_bits > 0 || how->format == &mlx_4bit;
    work->stored = *work->model;
    work->stored.stored = how->activations;
    work->stored.embedding = table_too ? work->plan.weights : roof_format_plain(how->activations);
    work->model = &work->stored;
}

static bool set_weights(const char *name, const char *note, score_row *row, score_work *work) {
    if (strcmp(name, "stored") == 0) { /* as the model's own file */
        work->plan.activations = ROOF_BF16;
        return true;
    }
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        const weights *how = &schemes[i];
        if (strcmp(name, how->name) != 0)
            continue;
        roof_plan *plan = &work->plan;
        plan->activations = how->activations;
        if (how->plain != ROOF_DTYPE_NONE)
            plan->weights = roof_format_plain(how->plain);
        else
            plan->weights = how->format ? *how->format : gguf_format(how, note, work);
        plan->weights_head = how->plain != ROOF_FP8; /* TensorRT-LLM keeps the head in 16 bits */
        set_stored(work, how);
        return true;
    }
    leave_out(row, "unknown weights %s", name);
    return false;
}

/* What every row has. False when it is out already. */
bool begin_run(const csv_table *table, size_t at, score_row *row, score_work *work) {
    const char *note = csv_text(table, at, "note"), *device = csv_text(table, at, "gpu");
    double tensor = csv_number(table, at, "tp");
    snprintf(row->device, sizeof row->device, "%s", device);
    snprintf(row->dtype, sizeof row->dtype, "%s", csv_text(table, at, "weight_dtype"));
    snprintf(row->like, sizeof row->like, "%.48s/%.40s/%s/%s/%.24s", csv_text(table, at, "model"),
             csv_text(table, at, "engine"), csv_text(table, at, "input_tokens"), csv_text(table, at, "output_tokens"),
             csv_text(table, at, "metric"));
    row->batch = csv_number(table, at, "batch");
    row->tensor = tensor;
    if (strstr(note, "outlier") || strstr(note, "OUTLIER"))
        leave_out(row, "flagged outlier");
    if (strstr(note, "FLAG"))
        leave_out(row, "flagged batch_exceeds_kv_memory");
    work->plan.batch = row->batch;
    work->plan.tensor = tensor;
    work->share = 1;
    work->machine = known_machine(device, row);
    return !row->skip[0];
}

bool finish_run(const char *stored, const char *note, score_row *row, score_work *work) {
    if (!work->model || !set_weights(stored, note, row, work))
        return false;
    roof_plan_complete(work->model, &work->plan);
    return true;
}

static void finish(const csv_table *table, size_t at, score_row *row, score_work *work) {
    work->plan.kv_cache = roof_dtype_parse(csv_text(table, at, "kv_dtype"));
    finish_run(csv_text(table, at, "weight_dtype"), csv_text(table, at, "note"), row, work);
}

static void prompt(score_work *work, double tokens) {
    work->prefill = true;
    work->plan.prompt = tokens;
}

/* The first output token comes from the prompt, each later one from a decode step. */
static void whole_run(score_work *work, double input, double output) {
    prompt(work, input);
    work->first = input + 1;
    work->steps = output - 1;
}

static bool metric_is(const csv_table *table, size_t at, const char *name) {
    return strcmp(csv_text(table, at, "metric"), name) == 0;
}

static double unit_of(const csv_table *table, size_t at) {
    return strcmp(csv_text(table, at, "unit"), "ms") == 0 ? 1e-3 : 1;
}

/* trtllm_static and lmdeploy_static. */
void read_static(const csv_table *table, size_t at, score_row *row, score_work *work) {
    double input = csv_number(table, at, "input_tokens"), output = csv_number(table, at, "output_tokens");
    double value = csv_number(table, at, "value");
    bool ours = begin_run(table, at, row, work);
    work->engine = ROOF_ENGINE_CPP; /* TensorRT-LLM, TurboMind */
    row->units = row->batch * output;
    snprintf(row->regime, sizeof row->regime, "prefill");
    if (metric_is(table, at, "output_throughput_per_gpu") || metric_is(table, at, "output_throughput")) {
        snprintf(row->regime, sizeof row->regime, row->batch > 1 ? "static batch" : "static batch 1");
        row->measured = row->units / value;
        if (metric_is(table, at, "output_throughput_per_gpu"))
            row->measured /= row->tensor;
        whole_run(work, input, output);
    } else if (metric_is(table, at, "first_token_latency") || metric_is(table, at, "first_token_latency_min")) {
        row->measured = value * unit_of(table, at);
        row->batch = row->units = work->plan.batch = 1; /* the least of many is that of a prompt alone */
        prompt(work, input);
    } else if (metric_is(table, at, "per_token_latency_p50")) {
        snprintf(row->regime, sizeof row->regime, row->batch > 1 ? "decode" : "decode batch 1");
        row->measured = value * unit_of(table, at);
        row->units = row->batch;
        work->first = input + 1 + floor(output / 2);
        work->steps = 1;
    } else {
        leave_out(row, "metric %s is not that of one run", csv_text(table, at, "metric"));
    }
    if (!ours || row->skip[0])
        return;
    work->model = known_model(csv_text(table, at, "model"), row);
    finish(table, at, row, work);
}

/* A pipeline of p stages keeps at most p parts of the batch in flight: no step is faster than that of one part. */
void read_fastertransformer(const csv_table *table, size_t at, score_row *row, score_work *work) {
    double input = csv_number(table, at, "input_tokens"), output = csv_number(table, at, "output_tokens");
    const char *note = csv_text(table, at, "note");
    double stages = note_number(note, "pp", 1);
    bool ours = begin_run(table, at, row, work);
    work->engine = ROOF_ENGINE_FASTER_TRANSFORMER;
    snprintf(row->regime, sizeof row->regime, row->batch > 1 ? "static batch" : "static batch 1");
    row->units = row->batch * output;
    row->measured = csv_number(table, at, "value") * unit_of(table, at);
    if (!ours)
        return;
    work->plan.batch = fmax(row->batch / stages, 1);
    work->model = known_gpt(note, row);
    whole_run(work, input, output);
    finish(table, at, row, work);
}

void read_gpt_fast(const csv_table *table, size_t at, score_row *row, score_work *work) {
    double input = csv_number(table, at, "input_tokens"), output = csv_number(table, at, "output_tokens");
    bool ours = begin_run(table, at, row, work);
    work->engine = ROOF_ENGINE_GRAPH;
    snprintf(row->regime, sizeof row->regime, "decode batch 1");
    row->units = output;
    row->measured = output / csv_number(table, at, "value");
    if (!metric_is(table, at, "decode_throughput"))
        leave_out(row, "metric %s is derived from another row", csv_text(table, at, "metric"));
    if (!ours || row->skip[0])
        return;
    work->model = known_model(csv_text(table, at, "model"), row);
    work->first = input + 1;
    work->steps = output;
    finish(table, at, row, work);
}

/* Several devices hold a share of the layers each: one stream gains nothing, a prompt in parts may overlap. */
void read_llamacpp(const csv_table *table, size_t at, score_row *row, score_work *work) {
    double input = csv_number(table, at, "input_tokens"), output = csv_number(table, at, "output_tokens");
    double value = csv_number(table, at, "value");
    bool decode = metric_is(table, at, "decode_throughput"), ours = begin_run(table, at, row, work);
    snprintf(row->regime, sizeof row->regime, decode ? "decode batch 1" : "prefill");
    row->units = decode ? output : input;
    row->measured = row->units / value;
    row->tensor = csv_number(table, at, "gpu_count");
    work->engine = strstr(csv_text(table, at, "engine"), "MLX") || strstr(csv_text(table, at, "engine"), "mlx")
                       ? ROOF_ENGINE_MLX
                       : ROOF_ENGINE_LLAMA_CPP;
    if (!ours)
        return;
    work->model = known_model(csv_text(table, at, "model"), row);
    if (strstr(csv_text(table, at, "model"), "DeepSeek-V4"))
        row->apart = "kernel missing: compressed attention runs on generic kernels";
    if (strcmp(row->dtype, "BF16") == 0 && strstr(csv_text(table, at, "engine"), "vulkan"))
        row->apart = "kernel missing: BF16 products under Vulkan";
    if (decode) {
        work->first = input + 1;
        work->steps = output;
    } else {
        prompt(work, input);
        work->prefix = note_number(csv_text(table, at, "note"), "depth", 0);
        work->share = row->tensor;
    }
    finish(table, at, row, work);
}
