/* The words of page 13: engine classes, constants, regimes and terms, each a table. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "roofline_expected.h"

typedef struct engine_words {
    const char *name, *aliases, *summary; /* aliases: engines of the class, each between blanks */
} engine_words;

static const engine_words engines[ROOF_ENGINE_COUNT] = {
    [ROOF_ENGINE_UNKNOWN] = {"unknown", " ", "none of the known engines"},
    [ROOF_ENGINE_ALONE] = {"alone", " kernel ", "no engine: kernels by themselves, warm, captured in a graph"},
    [ROOF_ENGINE_GRAPH] = {"graph", " gpt-fast torch.compile compiled ",
                           "a model compiled or captured whole: gpt-fast"},
    [ROOF_ENGINE_SERVING] = {"serving", " vllm sglang tgi trtllm-pytorch ",
                             "vLLM, SGLang, TensorRT-LLM's PyTorch backend"},
    [ROOF_ENGINE_CPP] = {"cpp", " tensorrt-llm trt-llm trtllm tensorrt turbomind lmdeploy ", "TensorRT-LLM, TurboMind"},
    [ROOF_ENGINE_FASTER_TRANSFORMER] = {"fastertransformer", " ft ", "FasterTransformer"},
    [ROOF_ENGINE_LLAMA_CPP] = {"llama.cpp", " llamacpp llama-cpp llama ollama ggml ",
                               "llama.cpp and engines built on it"},
    [ROOF_ENGINE_MLX] = {"mlx", " mlx-lm ", "MLX"},
    [ROOF_ENGINE_EAGER] = {"eager", " pytorch transformers hf ",
                           "every kernel launched by the host, nothing fused: PyTorch"},
};

typedef struct constant_words {
    const char *name, *unit, *meaning;
} constant_words;

static const constant_words constants[ROOF_CONSTANT_COUNT] = {
    [ROOF_CONSTANT_STREAM] = {"stream", "", "share of the DRAM bandwidth that a long kernel streams"},
    [ROOF_CONSTANT_MATRIX_32] = {"matrix-32", "",
                                 "share of the matrix peak a large product of 32-bit operands sustains"},
    [ROOF_CONSTANT_MATRIX_16] = {"matrix-16", "", "the same for 16-bit operands"},
    [ROOF_CONSTANT_MATRIX_8] = {"matrix-8", "", "the same for 8-bit operands"},
    [ROOF_CONSTANT_MATRIX_4] = {"matrix-4", "", "the same for 4-bit operands"},
    [ROOF_CONSTANT_VECTOR] = {"vector", "", "share of the vector peak"},
    [ROOF_CONSTANT_GEMM] = {"gemm", "", "share of the sustained matrix rate products attain"},
    [ROOF_CONSTANT_ATTENTION] = {"attention", "", "share of the sustained matrix rate attention attains"},
    [ROOF_CONSTANT_EXPERTS] = {"experts", "", "the same for the grouped products of experts"},
    [ROOF_CONSTANT_PACKED_BYTES] = {"packed-bytes", "", "of the streamed rate, with weights unpacked before use"},
    [ROOF_CONSTANT_PACKED_MATH] = {"packed-math", "", "of the matrix rate, with weights unpacked before use"},
    [ROOF_CONSTANT_OVERLAP] = {"overlap", "", "exponent of the sum of compute and memory time"},
    [ROOF_CONSTANT_LAUNCH] = {"launch", "s", "launch, ramp and tail of one kernel"},
    [ROOF_CONSTANT_LINK] = {"link", "", "share of the link's bandwidth a collective attains"},
    [ROOF_CONSTANT_LINK_LATENCY] = {"link-latency", "s", "time of a collective with no bytes"},
    [ROOF_CONSTANT_LINK_PEER] = {"link-peer", "s", "additional latency per further device"},
    [ROOF_CONSTANT_LINK_TWO_SHOT] = {"link-two-shot", "s", "additional latency of a sum in two steps"},
    [ROOF_CONSTANT_SKEW] = {"skew", "s", "waiting for the slowest device at each collective"},
    [ROOF_CONSTANT_OTHERS] = {"others", "", "share of other prompts' prefill that falls between two tokens"},
};

static const char *const regimes[ROOF_REGIME_COUNT] = {
    [ROOF_REGIME_GEMM] = "gemm",
    [ROOF_REGIME_PREFILL_ATTENTION] = "prefill attention",
    [ROOF_REGIME_DECODE_ATTENTION] = "decode attention",
    [ROOF_REGIME_EXPERTS] = "experts",
    [ROOF_REGIME_COLLECTIVE] = "collective",
    [ROOF_REGIME_OPERATION] = "operation",
    [ROOF_REGIME_PREFILL] = "prefill",
    [ROOF_REGIME_DECODE] = "decode",
    [ROOF_REGIME_RUN] = "run",
    [ROOF_REGIME_TPOT] = "tpot",
    [ROOF_REGIME_LOAD] = "load",
    [ROOF_REGIME_LLAMA_PREFILL] = "llama.cpp prefill",
    [ROOF_REGIME_LLAMA_DECODE] = "llama.cpp decode",
};

static const char *const terms[ROOF_TERM_COUNT] = {
    [ROOF_TERM_COMPUTE] = "compute", [ROOF_TERM_MEMORY] = "memory",        [ROOF_TERM_OVERLAP] = "overlap",
    [ROOF_TERM_LAUNCH] = "launches", [ROOF_TERM_PASSES] = "passes",        [ROOF_TERM_COLLECTIVE] = "collectives",
    [ROOF_TERM_SKEW] = "skew",       [ROOF_TERM_OTHERS] = "other prompts",
};

const char *roof_engine_name(roof_engine engine) {
    return (unsigned)engine < ROOF_ENGINE_COUNT ? engines[engine].name : "unknown";
}

const char *roof_engine_summary(roof_engine engine) {
    return (unsigned)engine < ROOF_ENGINE_COUNT ? engines[engine].summary : engines[0].summary;
}

const char *roof_constant_name(roof_constant constant) {
    return (unsigned)constant < ROOF_CONSTANT_COUNT ? constants[constant].name : "";
}

const char *roof_constant_unit(roof_constant constant) {
    return (unsigned)constant < ROOF_CONSTANT_COUNT ? constants[constant].unit : "";
}

const char *roof_constant_meaning(roof_constant constant) {
    return (unsigned)constant < ROOF_CONSTANT_COUNT ? constants[constant].meaning : "";
}

const char *roof_regime_name(roof_regime regime) {
    return (unsigned)regime < ROOF_REGIME_COUNT ? regimes[regime] : "";
}

const char *roof_term_name(roof_term term) {
    return (unsigned)term < ROOF_TERM_COUNT ? terms[term] : "";
}

/* `word` in lower case, at most `size` - 1 of it. */
static void lower(const char *word, char *out, size_t size) {
    size_t i = 0;
    for (; word[i] && i + 1 < size; i++)
        out[i] = (char)tolower((unsigned char)word[i]);
    out[i] = '\0';
}

int roof_engine_find(const char *name, roof_engine *engine, roof_error *error) {
    char word[40], between[48];
    lower(name, word, sizeof word);
    snprintf(between, sizeof between, " %s ", word);
    for (int i = 0; i < ROOF_ENGINE_COUNT; i++)
        if (strcmp(word, engines[i].name) == 0 || (word[0] && strstr(engines[i].aliases, between))) {
            *engine = (roof_engine)i;
            return 0;
        }
    roof_fail(error, ROOF_ENOTFOUND, "'%.60s' is not an engine class", name);
    roof_hint(error,
              "graph, serving (vllm, sglang), cpp (tensorrt-llm, turbomind), fastertransformer, llama.cpp, mlx, eager "
              "or unknown");
    return -1;
}

int roof_constant_find(const char *name, roof_constant *constant, roof_error *error) {
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++)
        if (strcmp(name, constants[i].name) == 0) {
            *constant = (roof_constant)i;
            return 0;
        }
    roof_fail(error, ROOF_ENOTFOUND, "'%.60s' is not a constant", name);
    roof_hint(error, "stream, matrix-16, matrix-8, gemm, attention, experts, launch, link, skew ... ");
    return -1;
}
