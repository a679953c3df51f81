/* The table of options: one row, of a line or two, makes the parser, the help, the man page and the completions.
 *
 *     KIND("name", "VALUE", verbs, GROUP, field of the settings, [limits or choices,] "summary", details, "letter") */
#include "cli/options.h"

/* clang-format off */
#define ROW(kind_, name_, value_, verbs_, group_, field_, ...)                                                         \
    {.name = name_, .value = value_, .verbs = verbs_, .group = GROUP_##group_, .kind = OPTION_##kind_,                 \
     .offset = offsetof(cli_settings, field_), __VA_ARGS__}
#define SWITCH(name, verbs, group, field, ...) ROW(SWITCH, name, NULL, verbs, group, field, .summary = __VA_ARGS__)
#define TEXT(name, value, verbs, group, field, ...) ROW(TEXT, name, value, verbs, group, field, .summary = __VA_ARGS__)
#define TEXTS(name, value, verbs, group, field, ...) ROW(TEXTS, name, value, verbs, group, field, .summary = __VA_ARGS__)
#define NAMES(name, value, verbs, group, field, ...) ROW(NAMES, name, value, verbs, group, field, .summary = __VA_ARGS__)
#define DTYPE(name, value, verbs, group, field, ...) ROW(DTYPE, name, value, verbs, group, field, .summary = __VA_ARGS__)
#define RANGE(name, value, verbs, group, field, limits, ...)                                                           \
    ROW(RANGE, name, value, verbs, group, field, .rule = limits, .summary = __VA_ARGS__)
#define QUANTITY(name, value, verbs, group, field, limits, ...)                                                        \
    ROW(QUANTITY, name, value, verbs, group, field, .rule = limits, .summary = __VA_ARGS__)
#define CHOICE(name, value, verbs, group, field, words, ...)                                                           \
    ROW(CHOICE, name, value, verbs, group, field, .choices = words, .summary = __VA_ARGS__)
#define ENGINE(name, value, verbs, group, field, words, ...)                                                           \
    ROW(ENGINE, name, value, verbs, group, field, .choices = words, .summary = __VA_ARGS__)

#define LIMITS(quantity, whole, least, most) {QUANTITY_##quantity, whole, least, most}
#define TOKENS LIMITS(COUNT, true, 1, 1e9)

enum { FOR_CHARTS = FOR_JUDGING | FOR_PROFILE | FOR_MEASURE | FOR_MACHINES, FOR_ANSWERS = FOR_EVERY & ~FOR_CALIBRATE };

/* ---- choices ---- */

static const option_choice phases[] = {
    {"both", PHASE_BOTH}, {"prefill", PHASE_PREFILL}, {"decode", PHASE_DECODE}, {"encode", PHASE_ENCODE},
    {"vision", PHASE_VISION}, {NULL, 0}};
static const option_choice levels[] = {{"dram", LEVELS_DRAM}, {"all", LEVELS_ALL}, {NULL, 0}};
static const option_choice colours[] = {
    {"auto", COLOUR_AUTO}, {"always", COLOUR_ALWAYS}, {"never", COLOUR_NEVER}, {NULL, 0}};
static const option_choice engines[] = {
    {"alone", ROOF_ENGINE_ALONE}, {"graph", ROOF_ENGINE_GRAPH}, {"serving", ROOF_ENGINE_SERVING},
    {"cpp", ROOF_ENGINE_CPP}, {"fastertransformer", ROOF_ENGINE_FASTER_TRANSFORMER},
    {"llama.cpp", ROOF_ENGINE_LLAMA_CPP}, {"mlx", ROOF_ENGINE_MLX}, {"eager", ROOF_ENGINE_EAGER},
    {"unknown", ROOF_ENGINE_UNKNOWN}, {NULL, 0}};

/* ---- details, for --help and the man page ---- */

#define NAMES_A_MACHINE                                                                                                \
    "A name from 'roofline machines', the path of a machine file (JSON as printed by 'roofline machines --show "       \
    "NAME --json'), or 'this': this machine as 'roofline measure' found it; 'this:1' is one of its cores, "            \
    "'this-opencl-0' a device. "
static const char on_details[] = NAMES_A_MACHINE "Names separated by commas are compared. Without --on: this.";
static const char on_profile_details[] = NAMES_A_MACHINE "Without --on: this.";
static const char instead_details[] =
    "Default: the next step up from the same vendor.";
static const char peak_details[] =
    "Without a dtype: the peak for the work's own dtype. May be repeated.";
static const char dtype_model_details[] =
    "Below 16 bits, activations keep their type. --weights, --activations and --kv-cache set each separately.";
static const char dim_details[] =
    "For ONNX files, once per dimension; the error lists the open dimensions. Naming an integer input sets its "
    "value, such as a trip count. Several lists make every combination.";
static const char no_fuse_details[] =
    "By default, chains of elementwise operators are fused into the operator that makes their input.";
static const char context_details[] =
    "Default: the prompt plus half of the generated tokens.";
static const char source_details[] =
    "Default: the encoder's fixed length if it has one (Whisper: 1500), else 1024; for an encoder without a "
    "decoder, the prompt.";
static const char image_tokens_details[] =
    "Default: as the model fixes it. If the image size is free, the vision tower is judged only with this option.";
static const char weights_details[] =
    "A data type; '-gN' adds a 16-bit scale per N inputs, '-RxC' a 32-bit scale per block of R outputs and C "
    "inputs, and a final '-z' a zero point. Applies to linear layers. Default: as stored in the file.";
static const char math_details[] =
    "Default: set by the weight format. bf16 with --weights fp8 means weight-only quantisation.";
static const char engine_judging_details[] =
    "graph (gpt-fast, torch.compile), serving (vllm, sglang), cpp (tensorrt-llm, turbomind), fastertransformer, "
    "llama.cpp, mlx, eager, unknown, or alone: kernels without an engine. Engine names are accepted too. "
    "Default: serving for a model, llama.cpp for a GGUF file and on a CPU, graph for an ONNX graph, alone for an "
    "operation, and the engine that a profile names for its runs. With eager nothing is fused; bounds do not depend "
    "on the engine otherwise.";
static const char experts_touched_details[] =
    "Default: the expected number under uniform routing.";
static const char layers_details[] =
    "Layers, parameters by part, bytes by format, cache and state. --explain adds the origin of each number "
    "that is not in the file.";
static const char run_details[] =
    "On this machine only, judged with --on this: copy, scale, add, triad, dot, axpy, gemv, gemm (through a BLAS "
    "found at run time), spmv, stencil and simple elementwise, in f64 and f32. The operation is repeated for about a "
    "second; the time is the 5th percentile, and the result is checked against a plain computation. The method: "
    "docs/running.md.";
static const char measured_model_details[] =
    "Tokens a second over all sequences, or the time of one decode step (with --phase prefill: of the prefill).";
static const char require_judging_details[] =
    "KEY, one of < <= > >= == !=, and a value, with its unit if you like: 'prefill.seconds<50ms', "
    "'decode.tokens_per_second>=1000'. Keys are the JSON output's; the condition must hold for every point. May be "
    "repeated.";
static const char model_details[] =
    "For runs of a language model. By default the model name in the file is looked up; if 'roofline models' "
    "does not list it, profile judges the run by the model's size and parameters, and calibrate leaves the run out.";
static const char require_profile_details[] =
    "KEY, one of < <= > >= == !=, and a value. share_above(X) is the share of time in kernels that attain at least X "
    "of their roof, share_below(X) in kernels that attain less; points, seconds, gain, saved, worst.headroom; "
    "points.headroom, points.roof_share, points.bound and the like must hold for every kernel, prefill.* and "
    "decode.* for every run. May be repeated.";
static const char diff_measure_details[] =
    "With --keep-best or --replace the result is saved all the same.";
static const char keep_best_details[] =
    "Of each roof the higher figure of this run and those before, with the date on which it was measured. Both runs "
    "must use the same number of cores. Without --diff that is the default.";
static const char engine_calibrate_details[] =
    "A class (graph, serving, cpp, fastertransformer, llama.cpp, mlx, eager, unknown; alone: single operations) or "
    "the name of an engine (vllm, sglang, tensorrt-llm, gpt-fast). Default: the class named in the files.";
static const char saved_details[] =
    "Default: a machine file or 'this' is updated in place; for a machine of the catalogue, "
    "$XDG_DATA_HOME/roofline/machines/calibrated/ID.json (else ~/.local/share/...), which --on ID reads from then "
    "on. An existing file is replaced only once the new one is complete.";
static const char output_details[] =
    "The ending decides the format. A chart (.svg .png .pdf) and a page (.html: the chart with its tables and the "
    "advice, in one file) are written beside the answer; .txt, .json and .csv take its place. May be repeated. An "
    "existing file is replaced only once the new one is complete.";
static const char color_details[] =
    "auto: on a terminal, unless NO_COLOR is set.";

/* ---- the rows ---- */

static const cli_option options[] = {
    NAMES("on", "M", FOR_JUDGING, MACHINE, on, "the machine: a name or a machine file; several compare", on_details),
    NAMES("on", "M", FOR_PROFILE | FOR_CALIBRATE, MACHINE, on,
        "the machine it ran on: a name or a machine file", on_profile_details),
    NAMES("instead", "M,..", FOR_JUDGING, MACHINE, instead, "machines that the advice tries instead", instead_details),
    QUANTITY("bandwidth", "B/s", FOR_JUDGING | FOR_PROFILE, MACHINE, bandwidth, LIMITS(BANDWIDTH, false, 1, 1e18),
        "memory bandwidth instead of the machine's: 3.0TB/s"),
    TEXTS("peak", "[D=]FLOP/s", FOR_JUDGING | FOR_PROFILE, MACHINE, peak,
        "peak of a dtype instead: 800TFLOP/s, fp8=1.6PFLOP/s", peak_details),
    QUANTITY("capacity", "BYTES", FOR_JUDGING | FOR_PROFILE, MACHINE, capacity, LIMITS(BYTES, false, 1, 1e18),
        "memory capacity instead: 64GB"),
    QUANTITY("link", "B/s", FOR_JUDGING | FOR_PROFILE, MACHINE, link, LIMITS(BANDWIDTH, false, 1, 1e18),
        "link bandwidth instead, one direction: 450GB/s"),
    QUANTITY("launch", "T", FOR_JUDGING, MACHINE, launch, LIMITS(SECONDS, false, 0, 1),
        "launch overhead of each operation: 4us (default none)"),
    DTYPE("dtype", "D", FOR_OP, WORK, dtype, "data type of the work: the parameter dtype=D"),
    DTYPE("dtype", "D", FOR_MODEL, WORK, dtype, "data type of weights, activations and KV cache", dtype_model_details),
    TEXTS("dim", "NAME=LIST", FOR_MODEL, WORK, model.dimensions,
        "a graph's open dimension: batch=8 or sequence=128,512", dim_details),
    SWITCH("no-fuse", FOR_MODEL, WORK, model.no_fuse,
        "a graph: every node alone, as --engine eager does", no_fuse_details),
    RANGE("batch", "LIST", FOR_MODEL, WORK, model.batch, TOKENS,
        "batch size (default 1): 8 or 1,8,64 or 1..512*2", NULL, "b"),
    RANGE("prompt", "LIST", FOR_MODEL, WORK, model.prompt, TOKENS,
        "prompt tokens per sequence (default 1024)", NULL, "p"),
    RANGE("generate", "LIST", FOR_MODEL, WORK, model.generate, TOKENS,
        "tokens generated per sequence (default 256)", NULL, "g"),
    RANGE("context", "LIST", FOR_MODEL, WORK, model.context, TOKENS,
        "tokens in the cache at the judged decode step", context_details),
    RANGE("source", "LIST", FOR_MODEL, WORK, model.source, TOKENS,
        "tokens the encoder reads (default: fixed, or 1024)", source_details),
    QUANTITY("images", "N", FOR_MODEL, WORK, model.images, TOKENS,
        "images per sequence, for the vision tower (default 1)"),
    QUANTITY("image-tokens", "N", FOR_MODEL, WORK, model.image_tokens, TOKENS,
        "rows per image in the vision tower (its patches)", image_tokens_details),
    TEXT("weights", "FMT", FOR_MODEL, WORK, model.weights,
        "weight format: fp8, int8, int4-g128, fp8-128x128 ...", weights_details),
    DTYPE("kv-cache", "D", FOR_MODEL, WORK, model.kv_cache, "data type of the KV cache (default: the activations')"),
    DTYPE("activations", "D", FOR_MODEL, WORK, model.activations,
        "data type of activations (bf16; f16 where stored so)"),
    DTYPE("math", "D", FOR_MODEL, WORK, model.math, "data type the linear layers multiply in", math_details),
    ENGINE("engine", "E", FOR_JUDGING | FOR_PROFILE, WORK, engine, engines,
        "engine whose kernels the expected time assumes", engine_judging_details),
    RANGE("tensor", "LIST", FOR_MODEL, WORK, model.tensor, LIMITS(COUNT, true, 1, 1024),
        "tensor-parallel degree (default 1)"),
    QUANTITY("draft", "N", FOR_MODEL, WORK, model.draft, LIMITS(COUNT, true, 0, 64),
        "speculative decoding: tokens drafted per step"),
    QUANTITY("acceptance", "P", FOR_MODEL, WORK, model.acceptance, LIMITS(SHARE, false, 0, 1),
        "chance that a drafted token is accepted: 0.7"),
    QUANTITY("utilisation", "P", FOR_MODEL, WORK, model.utilisation, LIMITS(SHARE, false, 0.01, 1),
        "share of memory the plan may use (default 0.95)"),
    QUANTITY("experts-touched", "N", FOR_MODEL, WORK, model.experts_touched, LIMITS(COUNT, false, 1, 1e6),
        "distinct experts each layer touches, if measured", experts_touched_details),
    QUANTITY("kv-block", "N", FOR_MODEL, WORK, model.kv_block, LIMITS(COUNT, true, 1, 65536),
        "tokens per block of the KV cache (default 1)"),
    SWITCH("all-logits", FOR_MODEL, WORK, model.all_logits, "prefill computes logits for every position"),
    SWITCH("sparse", FOR_MODEL, WORK, model.sparse, "2:4 sparse weights under the sparse roof"),
    CHOICE("phase", "P", FOR_MODEL, ANSWER, model.phase, phases, "prefill, decode, encode or vision alone"),
    SWITCH("ops", FOR_MODEL, ANSWER, model.ops, "where the time goes, operation by operation"),
    SWITCH("layers", FOR_MODEL, ANSWER, model.layers,
        "the model itself, layer by layer; needs no machine", layers_details),
    SWITCH("explain", FOR_JUDGING | FOR_PROFILE, ANSWER, explain,
        "every formula with its numbers, and the sources"),
    TEXT("measured", "X", FOR_OP, ANSWER, measured, "what you measured, 50us or 20TFLOP/s: the headroom"),
    SWITCH("run", FOR_OP, ANSWER, op.run, "run it here and show its time under the roof", run_details),
    QUANTITY("threads", "N", FOR_OP, ANSWER, threads, LIMITS(COUNT, true, 1, 1024),
        "with --run: cores to use (default all)"),
    TEXT("measured", "X", FOR_MODEL, ANSWER, measured,
        "what you measured, 180tok/s or 5.5ms: the headroom", measured_model_details),
    QUANTITY("against", "COUNT", FOR_JUDGING, ANSWER, against, LIMITS(COUNT, false, 1, 1e30),
        "someone else's FLOP count, 118.01M: how it differs"),
    TEXTS("require", "EXPR", FOR_JUDGING, ANSWER, require,
        "exit 3 unless it holds: 'decode.bound==memory'", require_judging_details),
    TEXT("model", "NAME", FOR_PROFILE | FOR_CALIBRATE, WORK, named_model,
        "the model that was run: a name or a config.json", model_details),
    TEXT("format", "ID", FOR_PROFILE | FOR_CALIBRATE, WORK, format,
        "read the files as this format, whatever they look like"),
    TEXT("decimal", "MARK", FOR_PROFILE | FOR_CALIBRATE, WORK, decimal,
        "the files' decimal mark, . or , (default: detected)"),
    SWITCH("strict", FOR_PROFILE | FOR_CALIBRATE, WORK, strict, "a file that ends early or has bad rows is an error"),
    SWITCH("launches", FOR_PROFILE, WORK, profile.launches, "one row per launch, not grouped by kernel"),
    SWITCH("formats", FOR_PROFILE, ANSWER, profile.formats, "the formats it reads, and the command that makes each"),
    QUANTITY("top", "N", FOR_PROFILE, ANSWER, profile.top, LIMITS(COUNT, true, 1, 100000),
        "kernels listed (default 20); the rest is summed"),
    SWITCH("compare", FOR_PROFILE, ANSWER, profile.compare, "two files, before and after: what changed"),
    TEXTS("require", "EXPR", FOR_PROFILE, ANSWER, require,
        "exit 3 unless it holds: 'share_above(0.6)>=0.8'", require_profile_details),
    CHOICE("level", "dram|all", FOR_PROFILE, OUTPUT, profile.levels, levels,
        "charts only; all: one ring per memory level, 5 kernels"),
    SWITCH("quick", FOR_MEASURE, WORK, measure.quick, "about 5 s: fewer series, shorter each"),
    SWITCH("thorough", FOR_MEASURE, WORK, measure.thorough, "minutes: every pattern of every instruction set"),
    QUANTITY("threads", "N", FOR_MEASURE, WORK, threads, LIMITS(COUNT, true, 1, 65536),
        "at most this many cores (default: all it may use)"),
    QUANTITY("memory", "SIZE", FOR_MEASURE, WORK, measure.memory, LIMITS(BYTES, false, 1, 1e18),
        "use at most this much memory: 512MB"),
    TEXT("device", "D", FOR_MEASURE, WORK, measure.device, "cpu (default), opencl:0 ..., or list: the devices here"),
    SWITCH("samples", FOR_MEASURE, ANSWER, measure.samples, "every series: median, spread, windows, stability"),
    SWITCH("explain", FOR_MEASURE, ANSWER, explain, "the origin of every roof, and every series"),
    SWITCH("diff", FOR_MEASURE, ANSWER, diff,
        "the saved roofs against the new ones; saves nothing", diff_measure_details),
    SWITCH("keep-best", FOR_MEASURE, OUTPUT, measure.keep_best,
        "with --diff: save all the same, as without --diff", keep_best_details),
    SWITCH("replace", FOR_MEASURE, OUTPUT, measure.replace, "save this run alone, even where its roofs are lower"),
    TEXT("save", "FILE", FOR_MEASURE, OUTPUT, save, "save there instead of where --on this looks"),
    SWITCH("no-save", FOR_MEASURE, OUTPUT, measure.no_save, "save nothing"),
    TEXT("engine", "E", FOR_CALIBRATE, WORK, calibrate.engine,
        "engine of the runs: vllm ...; alone: operations", engine_calibrate_details),
    SWITCH("diff", FOR_CALIBRATE, ANSWER, diff, "what would change, and the error; saves nothing"),
    TEXT("output", "FILE", FOR_CALIBRATE, OUTPUT, save,
        "save the machine file there, for --on FILE", saved_details, "o"),
    SWITCH("json", FOR_EVERY, OUTPUT, json, "the answer as JSON, in SI units"),
    SWITCH("csv", FOR_EVERY, OUTPUT, csv, "the answer as CSV, in SI units"),
    TEXTS("output", "FILE", FOR_ANSWERS, OUTPUT, output,
        "write .html .svg .png .pdf .txt .json .csv (-: stdout)", output_details, "o"),
    SWITCH("chart", FOR_CHARTS, OUTPUT, chart, "draw the roofline in the terminal"),
    QUANTITY("width", "PX", FOR_CHARTS, OUTPUT, width, LIMITS(COUNT, true, 400, 4000),
        "width of a chart file (default 960)"),
    CHOICE("color", "WHEN", FOR_EVERY | FOR_NONE, OUTPUT, colour, colours, "auto, always or never", color_details),
    TEXT("vendor", "V", FOR_MACHINES, ANSWER, machines.vendor, "machines of one vendor"),
    TEXT("show", "NAME", FOR_MACHINES, ANSWER, show, "every figure of one machine, with origin and source"),
    TEXT("family", "F", FOR_MODELS, ANSWER, models.family, "models of one family: llama, qwen3, deepseek ..."),
    TEXT("show", "NAME", FOR_MODELS, ANSWER, show, "one model, layer by layer: as 'model NAME --layers'"),
    SWITCH("explain", FOR_MODELS, ANSWER, explain, "with --show: where numbers came from, and the config"),
    SWITCH("help", FOR_EVERY | FOR_NONE, OTHER, long_help, "this help; -h is shorter"),
    SWITCH("short-help", FOR_EVERY | FOR_NONE, HIDDEN, short_help, "the short help", NULL, "h"),
    SWITCH("version", FOR_EVERY | FOR_NONE, OTHER, version, "the version"),
    TEXT("generate", "WHAT", FOR_NONE, HIDDEN, make, "man, bash, zsh or fish: the man page or completions"),
};
/* clang-format on */

size_t option_count(void) {
    return sizeof options / sizeof *options;
}

const cli_option *option_at(size_t index) {
    return index < option_count() ? &options[index] : NULL;
}

const char *option_group_name(option_group group) {
    static const char *const names[] = {"Machine", "Work", "Answer", "Output", "Other"};
    return names[group];
}
