/* The tables of verbs and options, and the parser that reads a command line with them. */
#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/text.h"
#include "core/names.h"

#define FIELD(name) offsetof(cli_settings, name)
#define TOKENS                                                                                                         \
    { QUANTITY_COUNT, true, 1, 1e9 }

static const cli_option options[] = {
    {.name = "on",
     .value = "M",
     .verbs = FOR_JUDGING,
     .group = GROUP_MACHINE,
     .kind = OPTION_NAMES,
     .offset = FIELD(on),
     .summary = "the machine: a name or a machine file; several compare",
     .details = "A name from 'roofline machines' or the path of a machine file (JSON, the shape that 'roofline "
                "machines --show "
                "ID --json' prints). Names separated by commas are compared."},
    {.name = "compare",
     .value = "M,..",
     .verbs = FOR_JUDGING,
     .group = GROUP_MACHINE,
     .kind = OPTION_NAMES,
     .offset = FIELD(compare),
     .summary = "machines that the advice tries instead",
     .details = "Without it the advice tries the next step up from the same vendor."},
    {.name = "bandwidth",
     .value = "B/s",
     .verbs = FOR_JUDGING,
     .group = GROUP_MACHINE,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(bandwidth),
     .rule = {QUANTITY_BANDWIDTH, false, 1, 1e18},
     .summary = "memory bandwidth instead of the machine's: 3.0TB/s"},
    {.name = "peak",
     .value = "[D=]FLOP/s",
     .verbs = FOR_JUDGING,
     .group = GROUP_MACHINE,
     .kind = OPTION_TEXTS,
     .offset = FIELD(peak),
     .summary = "peak of a dtype instead: 800TFLOP/s, fp8=1.6PFLOP/s",
     .details = "Without a dtype it is the peak of the work's own dtype. May be repeated."},
    {.name = "capacity",
     .value = "BYTES",
     .verbs = FOR_JUDGING,
     .group = GROUP_MACHINE,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(capacity),
     .rule = {QUANTITY_BYTES, false, 1, 1e18},
     .summary = "memory capacity instead: 64GB"},
    {.name = "link",
     .value = "B/s",
     .verbs = FOR_JUDGING,
     .group = GROUP_MACHINE,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(link),
     .rule = {QUANTITY_BANDWIDTH, false, 1, 1e18},
     .summary = "link bandwidth instead, one direction: 450GB/s"},
    {.name = "launch",
     .value = "T",
     .verbs = FOR_JUDGING,
     .group = GROUP_MACHINE,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(launch),
     .rule = {QUANTITY_SECONDS, false, 0, 1},
     .summary = "launch overhead of each operation: 4us (default none)"},

    {.name = "dtype",
     .value = "D",
     .verbs = FOR_OP,
     .group = GROUP_WORK,
     .kind = OPTION_DTYPE,
     .offset = FIELD(dtype),
     .summary = "data type of the work: the parameter dtype=D"},
    {.name = "dtype",
     .value = "D",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_DTYPE,
     .offset = FIELD(dtype),
     .summary = "data type of weights, activations and KV cache",
     .details =
         "Below 16 bits the activations stay as they are. --weights, --activations and --kv-cache say it one by one."},
    {.name = "dim",
     .value = "NAME=LIST",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_TEXTS,
     .offset = FIELD(dimensions),
     .summary = "a graph's open dimension: batch=8 or sequence=128,512",
     .details =
         "For ONNX files, once a dimension; the error lists those that are open. The name of an integer input gives "
         "its value: a trip count. Several lists make every combination."},
    {.name = "no-fuse",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_SWITCH,
     .offset = FIELD(no_fuse),
     .summary = "a graph: every node alone; as --engine eager",
     .details = "Without it chains of elementwise operators ride with the operator that made their input."},
    {.name = "batch",
     .letter = "b",
     .value = "LIST",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_RANGE,
     .offset = FIELD(batch),
     .rule = TOKENS,
     .summary = "sequences at once (default 1): 8 or 1,8,64 or 1..512*2"},
    {.name = "prompt",
     .letter = "p",
     .value = "LIST",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_RANGE,
     .offset = FIELD(prompt),
     .rule = TOKENS,
     .summary = "prompt tokens a sequence (default 1024)"},
    {.name = "generate",
     .letter = "g",
     .value = "LIST",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_RANGE,
     .offset = FIELD(generate),
     .rule = TOKENS,
     .summary = "tokens generated a sequence (default 256)"},
    {.name = "context",
     .value = "LIST",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_RANGE,
     .offset = FIELD(context),
     .rule = TOKENS,
     .summary = "tokens in the cache at the judged decode step",
     .details = "Default: the prompt and half of what is generated."},
    {.name = "source",
     .value = "LIST",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_RANGE,
     .offset = FIELD(source),
     .rule = TOKENS,
     .summary = "tokens the encoder reads (default: fixed, or 1024)",
     .details =
         "Default: the fixed length of the encoder where it has one (Whisper: 1500), else 1024; of an encoder without "
         "a decoder the prompt."},
    {.name = "images",
     .value = "N",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(images),
     .rule = TOKENS,
     .summary = "images a sequence, for the vision tower (default 1)"},
    {.name = "image-tokens",
     .value = "N",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(image_tokens),
     .rule = TOKENS,
     .summary = "rows an image has in the vision tower: its patches",
     .details = "Default: as the model fixes it. Where the image size is free the tower is judged only with this."},
    {.name = "weights",
     .value = "FMT",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_TEXT,
     .offset = FIELD(weights),
     .summary = "weight format: fp8, int8, int4-g128, fp8-128x128 ...",
     .details = "A data type; '-gN' gives N inputs one 16-bit scale, '-RxC' a block of R outputs and C inputs one "
                "32-bit scale, and a "
                "last '-z' adds a zero point. Applies to linear layers; without it, as the file stores them."},
    {.name = "kv-cache",
     .value = "D",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_DTYPE,
     .offset = FIELD(kv_cache),
     .summary = "data type of the KV cache (default: the activations')"},
    {.name = "activations",
     .value = "D",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_DTYPE,
     .offset = FIELD(activations),
     .summary = "data type of activations (bf16; f16 where stored so)"},
    {.name = "math",
     .value = "D",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_DTYPE,
     .offset = FIELD(math),
     .summary = "data type the linear layers multiply in",
     .details = "Default: as the weight format says. bf16 with --weights fp8 means weight-only quantisation."},
    {.name = "engine",
     .value = "fused|eager",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_CHOICE,
     .offset = FIELD(engine),
     .choices = "fused|eager",
     .summary = "what is fused: attention, norms, gates; eager: nothing"},
    {.name = "tensor",
     .value = "LIST",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_RANGE,
     .offset = FIELD(tensor),
     .rule = {QUANTITY_COUNT, true, 1, 1024},
     .summary = "tensor-parallel degree (default 1)"},
    {.name = "draft",
     .value = "N",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(draft),
     .rule = {QUANTITY_COUNT, true, 0, 64},
     .summary = "speculative decoding: tokens drafted a step"},
    {.name = "acceptance",
     .value = "P",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(acceptance),
     .rule = {QUANTITY_SHARE, false, 0, 1},
     .summary = "chance that a drafted token is accepted: 0.7"},
    {.name = "utilisation",
     .value = "P",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(utilisation),
     .rule = {QUANTITY_SHARE, false, 0.01, 1},
     .summary = "share of memory the plan may use (default 0.95)"},
    {.name = "experts-touched",
     .value = "N",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(experts_touched),
     .rule = {QUANTITY_COUNT, false, 1, 1e6},
     .summary = "distinct experts a layer touches, if you measured it",
     .details = "Default: the expected number when tokens choose evenly."},
    {.name = "kv-block",
     .value = "N",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(kv_block),
     .rule = {QUANTITY_COUNT, true, 1, 65536},
     .summary = "tokens a block of the KV cache holds (default 1)"},
    {.name = "all-logits",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_SWITCH,
     .offset = FIELD(all_logits),
     .summary = "prefill computes logits for every position"},
    {.name = "sparse",
     .verbs = FOR_MODEL,
     .group = GROUP_WORK,
     .kind = OPTION_SWITCH,
     .offset = FIELD(sparse),
     .summary = "2:4 sparse weights under the sparse roof"},

    {.name = "phase",
     .value = "P",
     .verbs = FOR_MODEL,
     .group = GROUP_ANSWER,
     .kind = OPTION_CHOICE,
     .offset = FIELD(phase),
     .choices = "both|prefill|decode|encode|vision",
     .summary = "prefill, decode, encode or vision alone"},
    {.name = "ops",
     .verbs = FOR_MODEL,
     .group = GROUP_ANSWER,
     .kind = OPTION_SWITCH,
     .offset = FIELD(ops),
     .summary = "where the time goes, operation by operation"},
    {.name = "show",
     .verbs = FOR_MODEL,
     .group = GROUP_ANSWER,
     .kind = OPTION_SWITCH,
     .offset = FIELD(show_model),
     .summary = "the model itself, layer by layer; needs no machine",
     .details =
         "Layers, parameters by part, bytes by format, cache and state. With --explain also where each number came "
         "from that the file does not say."},
    {.name = "explain",
     .verbs = FOR_JUDGING,
     .group = GROUP_ANSWER,
     .kind = OPTION_SWITCH,
     .offset = FIELD(explain),
     .summary = "every formula with the numbers put in, and the sources"},
    {.name = "measured",
     .value = "X",
     .verbs = FOR_OP,
     .group = GROUP_ANSWER,
     .kind = OPTION_TEXT,
     .offset = FIELD(measured),
     .summary = "what you measured, 50us or 20TFLOP/s: the headroom"},
    {.name = "measured",
     .value = "X",
     .verbs = FOR_MODEL,
     .group = GROUP_ANSWER,
     .kind = OPTION_TEXT,
     .offset = FIELD(measured),
     .summary = "what you measured, 180tok/s or 5.5ms: the headroom",
     .details = "Tokens a second of all sequences together, or the time of a decode step (of the prefill with --phase "
                "prefill)."},
    {.name = "against",
     .value = "COUNT",
     .verbs = FOR_JUDGING,
     .group = GROUP_ANSWER,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(against),
     .rule = {QUANTITY_COUNT, false, 1, 1e30},
     .summary = "someone else's FLOP count, 118.01M: how it differs"},
    {.name = "require",
     .value = "EXPR",
     .verbs = FOR_JUDGING,
     .group = GROUP_ANSWER,
     .kind = OPTION_TEXTS,
     .offset = FIELD(require),
     .summary = "exit 3 unless it holds: 'decode.bound==memory'",
     .details = "KEY, one of < <= > >= == !=, and a value, with its unit if you like: 'prefill.seconds<50ms', "
                "'decode.tokens_per_second>=1000'. Keys "
                "are those of the JSON output; it must hold for every point. May be repeated."},

    {.name = "json",
     .verbs = FOR_EVERY,
     .group = GROUP_OUTPUT,
     .kind = OPTION_SWITCH,
     .offset = FIELD(json),
     .summary = "the answer as JSON, in SI units"},
    {.name = "csv",
     .verbs = FOR_EVERY,
     .group = GROUP_OUTPUT,
     .kind = OPTION_SWITCH,
     .offset = FIELD(csv),
     .summary = "the answer as CSV, in SI units"},
    {.name = "output",
     .letter = "o",
     .value = "FILE",
     .verbs = FOR_EVERY,
     .group = GROUP_OUTPUT,
     .kind = OPTION_TEXTS,
     .offset = FIELD(output),
     .summary = "write .svg .png .pdf .txt .json or .csv; - is stdout",
     .details = "The ending decides the format. A chart is written beside the answer; .txt, .json and .csv take its "
                "place. May be "
                "repeated. An existing file is replaced only once the new one is complete."},
    {.name = "chart",
     .verbs = FOR_JUDGING,
     .group = GROUP_OUTPUT,
     .kind = OPTION_SWITCH,
     .offset = FIELD(chart),
     .summary = "draw the roofline in the terminal"},
    {.name = "width",
     .value = "PX",
     .verbs = FOR_JUDGING,
     .group = GROUP_OUTPUT,
     .kind = OPTION_QUANTITY,
     .offset = FIELD(width),
     .rule = {QUANTITY_COUNT, true, 400, 4000},
     .summary = "width of a chart file (default 960)"},
    {.name = "color",
     .value = "WHEN",
     .verbs = FOR_EVERY | FOR_NONE,
     .group = GROUP_OUTPUT,
     .kind = OPTION_CHOICE,
     .offset = FIELD(colour),
     .choices = "auto|always|never",
     .summary = "auto, always or never",
     .details = "auto: on a terminal, unless NO_COLOR is set."},

    {.name = "vendor",
     .value = "V",
     .verbs = FOR_MACHINES,
     .group = GROUP_ANSWER,
     .kind = OPTION_TEXT,
     .offset = FIELD(vendor),
     .summary = "machines of one vendor"},
    {.name = "show",
     .value = "ID",
     .verbs = FOR_MACHINES,
     .group = GROUP_ANSWER,
     .kind = OPTION_TEXT,
     .offset = FIELD(show),
     .summary = "every figure of one machine, with origin and source"},
    {.name = "family",
     .value = "F",
     .verbs = FOR_MODELS,
     .group = GROUP_ANSWER,
     .kind = OPTION_TEXT,
     .offset = FIELD(family),
     .summary = "models of one family: llama, qwen3, deepseek ..."},
    {.name = "show",
     .value = "NAME",
     .verbs = FOR_MODELS,
     .group = GROUP_ANSWER,
     .kind = OPTION_TEXT,
     .offset = FIELD(show),
     .summary = "one model, layer by layer: as 'model NAME --show'"},
    {.name = "explain",
     .verbs = FOR_MODELS,
     .group = GROUP_ANSWER,
     .kind = OPTION_SWITCH,
     .offset = FIELD(explain),
     .summary = "with --show: where numbers came from, and the config"},

    {.name = "help",
     .verbs = FOR_EVERY | FOR_NONE,
     .group = GROUP_OTHER,
     .kind = OPTION_SWITCH,
     .offset = FIELD(long_help),
     .summary = "this help; -h is shorter"},
    {.name = "short-help",
     .letter = "h",
     .verbs = FOR_EVERY | FOR_NONE,
     .group = GROUP_OTHER,
     .kind = OPTION_SWITCH,
     .offset = FIELD(short_help),
     .hidden = true,
     .summary = "the short help"},
    {.name = "version",
     .verbs = FOR_EVERY | FOR_NONE,
     .group = GROUP_OTHER,
     .kind = OPTION_SWITCH,
     .offset = FIELD(version),
     .summary = "the version"},
    {.name = "generate",
     .value = "WHAT",
     .verbs = FOR_NONE,
     .group = GROUP_OTHER,
     .kind = OPTION_TEXT,
     .offset = FIELD(make),
     .hidden = true,
     .summary = "man, bash, zsh or fish: the man page or completions"},
};

static const cli_verb verbs[] = {
    {.name = "op",
     .arguments = "KIND NAME=VALUE...",
     .bit = FOR_OP,
     .run = verb_op,
     .summary = "what limits one operation on a machine",
     .details = "KIND is one of 'roofline ops'; 'roofline ops KIND' says what its parameters mean. Any value may be a "
                "list or a range "
                "(m=1,8,64 or m=1..4096*2): the answer is then a table.",
     .examples = {"roofline op gemm m=8 n=14336 k=4096 --on h100-sxm",
                  "roofline op gemm m=1..4096*4 n=4096 k=4096 --on h100-sxm,mi300x",
                  "roofline op triad n=1e8 dtype=f64 --on a100-sxm-80 --measured 1.6ms"}},
    {.name = "model",
     .arguments = "NAME|FILE|FOLDER",
     .bit = FOR_MODEL,
     .run = verb_model,
     .summary = "what limits a model, and what would help",
     .details =
         "A name from 'roofline models', a config.json, a GGUF or safetensors file, an ONNX graph, or a folder that "
         "holds one; the content decides, not the name. Answers for one prefill and one decode step, for each "
         "batch asked for; for an encoder or a vision tower as its own phase, for a graph as one run.",
     .examples = {"roofline model llama-3.1-8b --on h100-sxm",
                  "roofline model llama-3.1-8b --on h100-sxm --batch 1,8,64,256 -o chart.svg",
                  "roofline model ./config.json --on mi300x --batch 256 --weights fp8 --ops",
                  "roofline model net.onnx --on h100-sxm --dim batch=1..64*2"}},
    {.name = "machines",
     .arguments = "[TEXT]",
     .bit = FOR_MACHINES,
     .run = verb_machines,
     .summary = "the machines it knows, each figure with its source",
     .details = "TEXT keeps the machines whose id, name, alias or architecture has it.",
     .examples = {"roofline machines --vendor amd", "roofline machines --show h100-sxm",
                  "roofline machines --show h100-sxm --json"}},
    {.name = "models",
     .arguments = "[TEXT]",
     .bit = FOR_MODELS,
     .run = verb_models,
     .summary = "the models it knows by name",
     .details = "TEXT keeps the models whose id, name or alias has it.",
     .examples = {"roofline models qwen", "roofline models --family gemma", "roofline models --show llama-3.1-8b"}},
    {.name = "ops",
     .arguments = "[KIND]",
     .bit = FOR_OPS,
     .run = verb_ops,
     .summary = "the kinds of operations, their parameters and formulas",
     .details = "KIND shows one of them in full.",
     .examples = {"roofline ops", "roofline ops attention"}},
};

enum { OPTION_COUNT = sizeof options / sizeof *options, VERB_COUNT = sizeof verbs / sizeof *verbs };

const cli_option *option_at(size_t index) {
    return index < OPTION_COUNT ? &options[index] : NULL;
}

const cli_verb *verb_at(size_t index) {
    return index < VERB_COUNT ? &verbs[index] : NULL;
}

const char *option_group_name(option_group group) {
    static const char *const names[] = {"Machine", "Work", "Answer", "Output", "Other"};
    return names[group];
}

/* ---- errors that offer the nearest name ---- */

static const char *verb_name_at(const void *context, size_t index) {
    (void)context;
    return verbs[index].name;
}

static const char *option_name_at(const void *context, size_t index) {
    const unsigned *bit = context;
    return (options[index].verbs & *bit) && !options[index].hidden ? options[index].name : NULL;
}

static int unknown_verb(const char *name, roof_error *error) {
    static const char later[] = " profile measure plan ";
    char key[32];
    snprintf(key, sizeof key, " %.24s ", name);
    if (strstr(later, key)) {
        roof_fail(error, ROOF_EUNSUPPORTED, "'%s' is not part of this version", name);
        roof_hint(error, "it answers 'op', 'model', 'machines', 'models' and 'ops'; 'roofline --help' shows how");
        return -1;
    }
    if (name[0] == '-') {
        roof_fail(error, ROOF_EARGUMENT, "'%.60s' stands before the verb", name);
        roof_hint(error, "the verb comes first: roofline model llama-3.1-8b --on h100-sxm");
        return -1;
    }
    const char *best[2];
    name_list names = {VERB_COUNT, verb_name_at, NULL};
    size_t near = nearest_names(&names, name, best, 2);
    roof_fail(error, ROOF_ENOTFOUND, "unknown verb '%.60s'", name);
    if (near > 0)
        roof_hint(error, "did you mean '%s'? 'roofline --help' lists all", best[0]);
    else
        roof_hint(error, "the verbs are op, model, machines, models and ops");
    return -1;
}

static const cli_option *other_verb_option(const char *name, const cli_verb **owner) {
    for (size_t i = 0; i < OPTION_COUNT; i++)
        for (size_t k = 0; k < VERB_COUNT; k++)
            if ((options[i].verbs & verbs[k].bit) && !options[i].hidden && strcmp(options[i].name, name) == 0) {
                *owner = &verbs[k];
                return &options[i];
            }
    return NULL;
}

static int unknown_option(const char *name, const cli_verb *verb, roof_error *error) {
    const struct cli_verb *owner;
    if (other_verb_option(name, &owner)) {
        roof_fail(error, ROOF_EARGUMENT, "'roofline %s' takes no option '--%s'", verb->name, name);
        roof_hint(error, "it belongs to 'roofline %s'", owner->name);
        return -1;
    }
    const char *best[2];
    name_list names = {OPTION_COUNT, option_name_at, &verb->bit};
    size_t near = nearest_names(&names, name, best, 2);
    roof_fail(error, ROOF_ENOTFOUND, "unknown option '--%.60s'", name);
    if (near > 1)
        roof_hint(error, "did you mean '--%s' or '--%s'? 'roofline %s --help' lists all", best[0], best[1], verb->name);
    else if (near == 1)
        roof_hint(error, "did you mean '--%s'? 'roofline %s --help' lists all", best[0], verb->name);
    else
        roof_hint(error, "'roofline %s --help' lists all", verb->name);
    return -1;
}

/* ---- one value ---- */

static int set_choice(const cli_option *option, const char *what, const char *value, int *out, roof_error *error) {
    const char *at = option->choices;
    for (int i = 0; *at; i++) {
        size_t length = strcspn(at, "|");
        if (strlen(value) == length && strncmp(at, value, length) == 0) {
            *out = i;
            return 0;
        }
        at += length + (at[length] == '|');
    }
    char choices[96];
    size_t used = 0;
    for (at = option->choices; *at && used + 3 < sizeof choices; at++) {
        choices[used++] = *at == '|' ? ',' : *at;
        if (*at == '|')
            choices[used++] = ' ';
    }
    choices[used] = '\0';
    return roof_fail(error, ROOF_EARGUMENT, "%s '%.60s' is not one of %s", what, value, choices);
}

static int set_quantity(const cli_option *option, const char *what, const char *value, double *out, roof_error *error) {
    range one = {0};
    if (range_parse(what, value, &option->rule, &one, error)) {
        range_free(&one);
        return -1;
    }
    bool single = one.count == 1;
    *out = one.values[0];
    range_free(&one);
    if (single)
        return 0;
    return roof_fail(error, ROOF_EARGUMENT, "%s '%.60s' is a list, and it takes one value", what, value);
}

static int set_dtype(const char *what, const char *value, roof_dtype *out, roof_error *error) {
    *out = roof_dtype_parse(value);
    return *out != ROOF_DTYPE_NONE ? 0 : fail_dtype(what, value, error);
}

static int add_text(const char *what, const char *value, text_list *out, roof_error *error) {
    if (out->count == TEXTS_MAX)
        return roof_fail(error, ROOF_EARGUMENT, "%s is given more than %d times", what, TEXTS_MAX);
    if (!*value)
        return roof_fail(error, ROOF_EARGUMENT, "%s has an empty value", what);
    out->items[out->count++] = value;
    return 0;
}

/* Splits in place: the command line is ours. */
static int add_names(const char *what, char *value, text_list *out, roof_error *error) {
    for (char *at = value;;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = '\0';
        if (add_text(what, at, out, error))
            return -1;
        if (!comma)
            return 0;
        at = comma + 1;
    }
}

static int set_value(const cli_option *option, char *value, cli_settings *out, roof_error *error) {
    char what[32];
    void *field = (char *)out + option->offset;
    snprintf(what, sizeof what, "--%s", option->name);
    switch (option->kind) {
    case OPTION_SWITCH:
        *(bool *)field = true;
        return 0;
    case OPTION_TEXT:
        *(const char **)field = value;
        return *value ? 0 : roof_fail(error, ROOF_EARGUMENT, "%s has an empty value", what);
    case OPTION_TEXTS:
        return add_text(what, value, field, error);
    case OPTION_NAMES:
        return add_names(what, value, field, error);
    case OPTION_RANGE:
        return range_parse(what, value, &option->rule, field, error);
    case OPTION_QUANTITY:
        return set_quantity(option, what, value, field, error);
    case OPTION_DTYPE:
        return set_dtype(what, value, field, error);
    case OPTION_CHOICE:
        return set_choice(option, what, value, field, error);
    }
    return -1;
}

/* ---- the command line ---- */

static const cli_option *find(const char *name, size_t length, bool letter, unsigned bit) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const char *own = letter ? options[i].letter : options[i].name;
        if (own && (options[i].verbs & bit) && strlen(own) == length && strncmp(own, name, length) == 0)
            return &options[i];
    }
    return NULL;
}

typedef struct cursor {
    int at, count;
    char **arguments;
} cursor;

/* "--name", "--name=value", "-o", "-oFILE": the option at the cursor, with its value when it takes one. */
static int take_option(cursor *line, const cli_verb *verb, cli_settings *out, roof_error *error) {
    char *argument = line->arguments[line->at];
    bool letter = argument[1] != '-';
    char *name = argument + (letter ? 1 : 2), *equals = letter ? NULL : strchr(name, '=');
    size_t length = letter ? 1 : equals ? (size_t)(equals - name) : strlen(name);
    char *value = equals ? equals + 1 : letter && name[1] ? name + 1 : NULL;
    static const cli_verb none = {.name = "", .bit = FOR_NONE};
    const cli_option *option = find(name, length, letter, verb ? verb->bit : FOR_NONE);
    if (!option && letter)
        return roof_fail(error, ROOF_ENOTFOUND, "unknown option '%.60s'", argument);
    if (!option) {
        if (equals)
            *equals = '\0';
        return unknown_option(name, verb ? verb : &none, error);
    }
    if (!option->value)
        return value ? roof_fail(error, ROOF_EARGUMENT, "--%s takes no value, '%.60s' was given", option->name, value)
                     : set_value(option, NULL, out, error);
    if (!value && ++line->at < line->count)
        value = line->arguments[line->at];
    if (value)
        return set_value(option, value, out, error);
    roof_fail(error, ROOF_EARGUMENT, "--%s needs a value: %s", option->name, option->value);
    roof_hint(error, "%s", option->summary);
    return -1;
}

static int take_word(const char *word, cli_settings *out, roof_error *error) {
    if (out->word_count == WORDS_MAX)
        return roof_fail(error, ROOF_EARGUMENT, "more than %d arguments", WORDS_MAX);
    out->words[out->word_count++] = word;
    return 0;
}

static const cli_verb *find_verb(const char *name) {
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

static bool is_option(const char *argument) {
    return argument[0] == '-' && argument[1] != '\0';
}

/* What may stand without a verb: the options of FOR_NONE, up to the verb. */
static int take_verb(cursor *line, cli_settings *out, roof_error *error) {
    for (; line->at < line->count && is_option(line->arguments[line->at]); line->at++) {
        char *argument = line->arguments[line->at];
        bool letter = argument[1] != '-';
        size_t length = letter ? 1 : strcspn(argument + 2, "=");
        if (!find(argument + (letter ? 1 : 2), length, letter, FOR_NONE))
            return unknown_verb(argument, error);
        if (take_option(line, NULL, out, error))
            return -1;
    }
    if (line->at == line->count)
        return 0;
    const char *name = line->arguments[line->at++];
    if (strcmp(name, "help") == 0) {
        out->long_help = true;
        return take_verb(line, out, error);
    }
    out->verb = find_verb(name);
    return out->verb ? 0 : unknown_verb(name, error);
}

int options_parse(int count, char **arguments, cli_settings *out, roof_error *error) {
    cursor line = {1, count, arguments};
    bool words_only = false;
    if (take_verb(&line, out, error))
        return -1;
    for (; line.at < count; line.at++) {
        char *argument = arguments[line.at];
        if (!words_only && strcmp(argument, "--") == 0)
            words_only = true;
        else if (words_only || !is_option(argument) ? take_word(argument, out, error)
                                                    : take_option(&line, out->verb, out, error))
            return -1;
    }
    return 0;
}

void settings_free(cli_settings *settings) {
    range *lists[] = {&settings->batch,   &settings->prompt, &settings->generate,
                      &settings->context, &settings->source, &settings->tensor};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        range_free(lists[i]);
}
