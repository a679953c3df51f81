/* The table of verbs. */
#include "cli/cli.h"

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
    {.name = "profile",
     .arguments = "FILE...",
     .bit = FOR_PROFILE,
     .run = verb_profile,
     .summary = "measured kernels under their roofs, by time to gain",
     .details =
         "FILE is what a profiler or a benchmark wrote: 'roofline profile --formats' lists them. The content decides, "
         "not the name; gzip is unpacked; - is a pipe. Each kernel (or run of a language model) is placed under the "
         "roof "
         "that binds it, with its headroom; most seconds to gain first. A result above its "
         "roof is impossible, and likely mistakes are listed. Several files are read as one, or with --compare as "
         "before and after.",
     .examples = {"roofline profile kernels.csv --on h100-sxm",
                  "roofline profile trace.json.gz --on a100-sxm-80 -o chart.svg",
                  "roofline profile --compare before.csv after.csv --on h100-sxm",
                  "roofline profile kernels.csv --on h100-sxm --require 'share_above(0.6)>=0.8'"}},
    {.name = "measure",
     .arguments = "",
     .bit = FOR_MEASURE,
     .run = verb_measure,
     .summary = "this machine's own roofs, for --on this",
     .details =
         "Runs compute and memory kernels on pinned threads in many short windows; a roof is the 95th percentile. "
         "Takes "
         "under 30 s (--quick about 5 s, --thorough minutes) and half of the memory it may use at most. Best on a "
         "quiet "
         "machine: disturbances are reported. The answer is saved as a machine file, "
         "$XDG_DATA_HOME/roofline/machines/HOST.json (else ~/.local/share/...), where each roof is the "
         "highest of all runs; --replace saves this run alone. Nothing else is written. Exit codes: 0 measured; 1 it "
         "could not be measured or saved, or "
         "was interrupted; 2 misuse.",
     .examples = {"roofline measure", "roofline measure --quick --no-save", "roofline measure --diff",
                  "roofline measure --device list"}},
    {.name = "calibrate",
     .arguments = "FILE...",
     .bit = FOR_CALIBRATE,
     .run = verb_calibrate,
     .summary = "fit the expected time to your own runs",
     .details =
         "FILE is what llama-bench, a serving benchmark (vLLM, SGLang, genai-perf) or you wrote: 'roofline profile "
         "--formats' lists them, docs/calibrate.md has our own columns. Only constants that these runs determine "
         "are fitted; the others are named with the reason. The result is saved with the machine and used from then "
         "on for the expected time of that engine; a bound never changes. Exit codes: 0 fitted (and saved); 1 nothing "
         "could be read, fitted or saved; 2 misuse.",
     .examples = {"roofline calibrate llama-bench.json --on h100-sxm --model llama-3.1-8b",
                  "roofline calibrate vllm-*.json --on h100-sxm --engine vllm",
                  "roofline calibrate runs.csv --on mi300x --engine serving --diff",
                  "roofline calibrate kernels.csv --on this --engine alone"}},
    {.name = "machines",
     .arguments = "[TEXT]",
     .bit = FOR_MACHINES,
     .run = verb_machines,
     .summary = "the machines it knows, each figure with its source",
     .details = "TEXT keeps the machines with that text in id, name, alias or architecture.",
     .examples = {"roofline machines --vendor amd", "roofline machines --show h100-sxm",
                  "roofline machines --show h100-sxm --json"}},
    {.name = "models",
     .arguments = "[TEXT]",
     .bit = FOR_MODELS,
     .run = verb_models,
     .summary = "the models it knows by name",
     .details = "TEXT keeps the models with that text in id, name or alias.",
     .examples = {"roofline models qwen", "roofline models --family gemma", "roofline models --show llama-3.1-8b"}},
    {.name = "ops",
     .arguments = "[KIND]",
     .bit = FOR_OPS,
     .run = verb_ops,
     .summary = "the kinds of operations, their parameters and formulas",
     .details = "KIND shows one of them in full.",
     .examples = {"roofline ops", "roofline ops attention"}},
};

size_t verb_count(void) {
    return sizeof verbs / sizeof *verbs;
}

const cli_verb *verb_at(size_t index) {
    return index < verb_count() ? &verbs[index] : NULL;
}
