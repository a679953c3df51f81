/* Language models that serve many requests at once, and small tables of one stream: time for a token at a concurrency,
 * throughput with all requests there from the start. docs/validation.md says how each metric is read. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "validation/score.h"

static bool text_has(const csv_table *table, size_t at, const char *column, const char *word) {
    return strstr(csv_text(table, at, column), word) != NULL;
}

/* TensorRT-LLM has two backends; the tables before its PyTorch backend are of compiled engines. */
static roof_engine engine_of_name(const char *name) {
    return strcmp(name, "TensorRT-LLM") == 0 ? ROOF_ENGINE_CPP : ROOF_ENGINE_SERVING;
}

/* A concurrency that stays: `batch` sequences decode at half of their answer while prompts of others come in. */
static void at_concurrency(score_work *work, double input, double output) {
    work->serving = ROOF_REGIME_TPOT;
    work->plan.prompt = input;
    work->plan.generate = output;
    work->plan.context = work->first = floor(input + output / 2);
    work->steps = 1;
}

/* ---- llm_serving_silicon_agg ---- */

/* Models whose files hold narrow weights are served as stored; FP4 is unpacked where no unit multiplies it. The cache
 * is not stated: engines keep it in 8 bits beside 8-bit weights. */
static const char *served_weights(const csv_table *table, size_t at, score_work *work) {
    bool stored = text_has(table, at, "model", "DeepSeek") || text_has(table, at, "model", "gpt-oss");
    const char *precision = csv_text(table, at, "precision");
    if (stored && text_has(table, at, "model", "gpt-oss"))
        work->plan.math = ROOF_BF16;
    if (strcmp(precision, "fp8") == 0 && !text_has(table, at, "engine", "sglang"))
        work->plan.kv_cache = ROOF_FP8;
    return stored ? "stored" : *precision ? precision : "bf16";
}

/* What one group of tensor-parallel devices ran; experts whole on a device or cut over all take the same bytes of it.
 */
static void check_layout(const csv_table *table, size_t at, score_row *row) {
    double tensor = csv_number(table, at, "tp");
    double experts = csv_number(table, at, "moe_tp") * csv_number(table, at, "moe_ep");
    if (csv_number(table, at, "attention_dp") > 1)
        leave_out(row, "attention of whole sequences on each device, experts over all");
    if (tensor > 8 || experts > tensor + 0.5)
        leave_out(row, "devices are not one tensor-parallel group of a machine");
    if (text_has(table, at, "flag", "concurrency"))
        leave_out(row, "flagged %s", csv_text(table, at, "flag"));
}

void read_concurrency(const csv_table *table, size_t at, score_row *row, score_work *work) {
    bool nominal = text_has(table, at, "flag", "inferencemax_lengths");
    double lengths = nominal ? 0.9 : 1; /* 80 to 100 % of what is said, evenly */
    double input = lengths * csv_number(table, at, "input_tokens");
    double output = lengths * csv_number(table, at, "output_tokens");
    snprintf(row->regime, sizeof row->regime, "time per token");
    snprintf(row->device, sizeof row->device, "%s", csv_text(table, at, "system"));
    snprintf(row->like, sizeof row->like, "%.48s/%.10s/%.16s/%.8s/%.8s", csv_text(table, at, "model"),
             csv_text(table, at, "engine"), csv_text(table, at, "engine_version"), csv_text(table, at, "input_tokens"),
             csv_text(table, at, "output_tokens"));
    row->batch = row->units = work->plan.batch = csv_number(table, at, "concurrency");
    row->tensor = work->plan.tensor = csv_number(table, at, "tp");
    row->measured = csv_number(table, at, "tpot_ms") * 1e-3;
    work->share = 1;
    work->engine = ROOF_ENGINE_SERVING;
    check_layout(table, at, row);
    if (csv_number(table, at, "ttft_ms") * 1e-3 > output * row->measured)
        leave_out(row, "requests waited longer than they ran: fewer than the concurrency at once");
    work->machine = known_machine(row->device, row);
    work->model = known_model(csv_text(table, at, "model"), row);
    if (row->skip[0])
        return;
    const char *weights = served_weights(table, at, work);
    snprintf(row->dtype, sizeof row->dtype, "%s", *csv_text(table, at, "precision") ? weights : "bf16");
    at_concurrency(work, input, output);
    finish_run(weights, "", row, work);
}

/* ---- llm_trtllm_ifb ---- */

/* Seconds for an output token of the group: how many sequences ran at once is not stated. */
void read_most_load(const csv_table *table, size_t at, score_row *row, score_work *work) {
    bool ours = begin_run(table, at, row, work);
    snprintf(row->regime, sizeof row->regime, "most load");
    row->measured = 1 / csv_number(table, at, "value");
    row->units = row->batch = 1;
    if (!ours)
        return;
    work->serving = ROOF_REGIME_LOAD;
    work->engine =
        text_has(table, at, "note", "PyTorch") ? ROOF_ENGINE_SERVING : engine_of_name(csv_text(table, at, "engine"));
    work->plan.batch = 1;
    work->plan.prompt = csv_number(table, at, "input_tokens");
    work->plan.generate = csv_number(table, at, "output_tokens");
    work->plan.kv_cache = roof_dtype_parse(csv_text(table, at, "kv_dtype"));
    work->model = known_model(csv_text(table, at, "model"), row);
    finish_run(csv_text(table, at, "weight_dtype"), "", row, work);
}

/* ---- llm_inferencex_tokenpos ---- */

void read_token_position(const csv_table *table, size_t at, score_row *row, score_work *work) {
    begin_run(table, at, row, work);
    if (strcmp(csv_text(table, at, "metric"), "tpot_median") != 0)
        leave_out(row, "metric %s is not that of a step", csv_text(table, at, "metric"));
    snprintf(row->regime, sizeof row->regime, "time per token");
    row->units = row->batch;
    row->measured = csv_number(table, at, "value");
    work->engine = ROOF_ENGINE_SERVING;
    if (row->skip[0])
        return;
    work->model = known_model(csv_text(table, at, "model"), row);
    at_concurrency(work, csv_number(table, at, "input_tokens"), csv_number(table, at, "output_tokens"));
    finish_run("stored", "", row, work);
}

/* ---- llm_rocm_vllm ---- */

void read_rocm(const csv_table *table, size_t at, score_row *row, score_work *work) {
    double input = csv_number(table, at, "input_tokens"), output = csv_number(table, at, "output_tokens");
    bool ours = begin_run(table, at, row, work);
    snprintf(row->regime, sizeof row->regime, row->batch > 1 ? "static batch" : "static batch 1");
    row->units = row->batch * output;
    row->measured = csv_number(table, at, "value");
    if (strcmp(csv_text(table, at, "metric"), "e2e_latency_batch") != 0)
        leave_out(row, "not stated whether tokens of prompts count");
    if (!text_has(table, at, "source_date", "2025-09-01"))
        leave_out(row, "an older release of the same engine");
    if (!ours || row->skip[0])
        return;
    work->engine = ROOF_ENGINE_SERVING;
    work->prefill = true;
    work->plan.prompt = input;
    work->first = input + 1;
    work->steps = output - 1;
    work->plan.kv_cache = roof_dtype_parse(csv_text(table, at, "kv_dtype"));
    work->model = known_model(csv_text(table, at, "model"), row);
    finish_run("fp8", "", row, work);
}

/* ---- llm_decode_small_tables ---- */

typedef struct small_engine {
    const char *name;
    roof_engine engine;
    const char *four_bits; /* what it stores where the table says no more than 4 bits */
    bool splits_layers;    /* over devices, instead of every matrix */
} small_engine;

static const small_engine small_engines[] = {
    {"llama.cpp", ROOF_ENGINE_LLAMA_CPP, "q4_k_m", true},
    {"llama.cpp CUDA no FA", ROOF_ENGINE_LLAMA_CPP, "q4_k_m", true},
    {"MLC-LLM", ROOF_ENGINE_GRAPH, "int4-g32", false},
    {"vLLM", ROOF_ENGINE_SERVING, "int4-g128", false},
    {"HuggingFace", ROOF_ENGINE_EAGER, "int4-g128", false},
    {"TinyChat", ROOF_ENGINE_UNKNOWN, "int4-g128", false},
    {"ExLlamaV2", ROOF_ENGINE_UNKNOWN, "int4-g128", true},
    {"exllama", ROOF_ENGINE_UNKNOWN, "int4-g128", true},
};

static const small_engine *small_engine_of(const char *name) {
    for (size_t i = 0; i < sizeof small_engines / sizeof small_engines[0]; i++)
        if (strcmp(small_engines[i].name, name) == 0)
            return &small_engines[i];
    return NULL;
}

static const char *small_weights(const small_engine *engine, const char *name) {
    return strcmp(name, "4bit") == 0 || strstr(name, "4-g128") ? engine->four_bits : name;
}

/* "short" prompts are a few tokens; a latency is that of a step in the middle. */
static void small_work(const csv_table *table, size_t at, score_row *row, score_work *work) {
    double input = csv_number(table, at, "input_tokens"), output = csv_number(table, at, "output_tokens");
    double value = csv_number(table, at, "value"), before = input >= 0 ? input : 4;
    snprintf(row->regime, sizeof row->regime, "decode batch 1");
    row->units = 1;
    work->first = before + 1;
    work->steps = output;
    if (text_has(table, at, "metric", "prefill_throughput")) {
        snprintf(row->regime, sizeof row->regime, "prefill");
        row->measured = input / value;
        work->prefill = true;
        work->plan.prompt = input;
        work->steps = 0;
    } else if (text_has(table, at, "metric", "latency")) {
        row->measured = value * 1e-3;
        work->first = before + floor(output / 2);
        work->steps = 1;
    } else {
        row->measured = output / value;
    }
}

void read_small_tables(const csv_table *table, size_t at, score_row *row, score_work *work) {
    const small_engine *engine = small_engine_of(csv_text(table, at, "engine"));
    bool ours = begin_run(table, at, row, work);
    if (!engine)
        leave_out(row, "engine not known");
    /* 140 GB a token at 6.9 tokens a second are more than one device at a time can read. */
    if (engine && engine->splits_layers && text_has(table, at, "gpu", "A10G") &&
        text_has(table, at, "weight_dtype", "fp16"))
        leave_out(row, "said to be split by layers, which it cannot have been");
    if (!ours || !engine)
        return;
    small_work(table, at, row, work);
    work->engine = engine->engine;
    work->plan.eager = engine->engine == ROOF_ENGINE_EAGER;
    if (engine->splits_layers)
        work->plan.tensor = 1;
    work->plan.kv_cache = roof_dtype_parse(csv_text(table, at, "kv_dtype"));
    work->model = known_model(csv_text(table, at, "model"), row);
    finish_run(small_weights(engine, csv_text(table, at, "weight_dtype")), "", row, work);
}
