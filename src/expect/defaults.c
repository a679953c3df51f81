/* The tables of the expected time, and nothing else: what the room takes from no datasheet stands here with its
 * source. "Fitted" numbers minimise |ln(expected / measured)| over the rows their source names (docs/validation.md);
 * those "set on" rows were chosen with the rows in sight; "judgement" says that no measurement stands behind the
 * number. aiconfigurator: NVIDIA's published tables of kernels timed in captured graphs on A100, H100, H200 and L40S.
 */
#include "expect/defaults.h"

#include <string.h>

#define ALL ENGINE_ANY, FAMILY_ANY, NULL
#define IN(engine) ROOF_ENGINE_##engine, FAMILY_ANY, NULL
#define OF(constant) ROOF_CONSTANT_##constant

/* a row a line: constant, where it holds, value, source */
/* clang-format off */
const expect_default expect_defaults[] = {
    /* kernels alone */
    {OF(STREAM),       IN(ALONE), 0.83,   "fitted: streaming kernels on A100, H100, H200, L40S (0.77 to 0.95)"},
    {OF(MATRIX_32),    IN(ALONE), 0.75,   "judgement: as 16-bit operands without a power limit"},
    {OF(MATRIX_16),    IN(ALONE), 0.75,   "judgement: power limit or generation unknown"},
    {OF(MATRIX_8),     IN(ALONE), 0.65,   "judgement: power limit or generation unknown"},
    {OF(MATRIX_4),     IN(ALONE), 0.55,   "judgement: power limit or generation unknown"},
    {OF(VECTOR),       IN(ALONE), 0.50,   "one operation per instruction; the peak counts FMAs"},
    {OF(GEMM),         IN(ALONE), 1,      "by definition: products set the sustained rate"},
    {OF(ATTENTION),    IN(ALONE), 0.77,   "fitted: fused attention kernels, aiconfigurator"},
    {OF(EXPERTS),      IN(ALONE), 0.65,   "fitted: grouped kernels, aiconfigurator"},
    {OF(PACKED_BYTES), IN(ALONE), 1,      "products with narrow weights, aiconfigurator: no loss seen"},
    {OF(PACKED_MATH),  IN(ALONE), 1,      "products with narrow weights, aiconfigurator: no loss seen"},
    {OF(OVERLAP),      IN(ALONE), 3,      "fitted: products near the ridge (gpu-benches: 1.9 to 4.9)"},
    {OF(LAUNCH),       IN(ALONE), 3.3e-6, "fitted: kernels under 20 us in captured graphs"},
    {OF(SKEW),         IN(ALONE), 0,      "a collective by itself has no skew"},
    /* a model in an engine */
    {OF(STREAM),       ENGINE_ANY, FAMILY_ANY, "GDDR",  0.94, "set on decode of one sequence, GDDR"},
    {OF(STREAM),       ENGINE_ANY, FAMILY_ANY, "LPDDR", 0.82, "set on decode of one sequence, LPDDR"},
    {OF(STREAM),       ALL, 0.88,         "set on decode of one sequence, HBM"},
    {OF(MATRIX_16),    ENGINE_ANY, FAMILY_CDNA, NULL, 0.55, "set on static batches, MI300X"},
    {OF(MATRIX_16),    ENGINE_ANY, FAMILY_RDNA, NULL, 0.60, "set on llama.cpp runs of RDNA"},
    {OF(MATRIX_16),    ALL, 0.80,         "set on static batches and prefills"},
    {OF(MATRIX_8),     ENGINE_ANY, FAMILY_CDNA, NULL, 0.50, "set on static batches, MI300X"},
    {OF(MATRIX_8),     ALL, 0.72,         "set on static batches and prefills"},
    {OF(GEMM),         ALL, 1,            "by definition: products set the sustained rate"},
    {OF(ATTENTION),    ALL, 0.7,          "set on static batches of long prompts"},
    {OF(EXPERTS),      ALL, 0.55,         "set on serving of mixtures of experts"},
    {OF(PACKED_BYTES), ALL, 0.8,          "set on weight-only decode on A100"},
    {OF(PACKED_MATH),  ALL, 1,            "weight-only prefills: no loss seen"},
    {OF(OVERLAP),      ALL, 1,            "fitted exponents were 0.86 to 1.05"},
    {OF(LAUNCH),       ALL, 7e-6,         "judgement: middle of the engine classes"},
    {OF(LAUNCH),       IN(GRAPH), 4e-6,   "fitted: decode in gpt-fast"},
    {OF(LAUNCH),       IN(SERVING), 3.8e-6, "fitted: decode in vLLM, SGLang, TensorRT-LLM (PyTorch)"},
    {OF(LAUNCH),       IN(CPP), 8e-6,     "fitted: decode in TensorRT-LLM, TurboMind"},
    {OF(LAUNCH),       IN(FASTER_TRANSFORMER), 13e-6, "set on runs of FasterTransformer"},
    {OF(LAUNCH),       IN(EAGER), 12e-6,  "set on published launches of PyTorch"},
    {OF(SKEW),         ALL, 14e-6,        "set on tensor-parallel decode"},
    {OF(OTHERS),       ALL, 0.9,          "set on serving at a concurrency"},
    /* llama.cpp; `stream` is times that of the kind of memory */
    {OF(STREAM),       IN(LLAMA_CPP), 0.95, "fitted: llama.cpp decode, HIP and Vulkan"},
    {OF(STREAM),       ROOF_ENGINE_LLAMA_CPP, FAMILY_NVIDIA, NULL,  0.95, "fitted: llama.cpp decode, CUDA"},
    {OF(STREAM),       ROOF_ENGINE_LLAMA_CPP, FAMILY_NVIDIA, "HBM", 0.67, "fitted: llama.cpp decode, CUDA with HBM"},
    {OF(STREAM),       ROOF_ENGINE_LLAMA_CPP, FAMILY_APPLE, NULL,   0.94, "fitted: llama.cpp decode, Metal"},
    {OF(STREAM),       ROOF_ENGINE_LLAMA_CPP, FAMILY_OTHER, NULL,   0.87, "judgement: other back ends of llama.cpp"},
    {OF(GEMM),         IN(LLAMA_CPP), 0.55, "fitted: llama.cpp prefill, HIP and Vulkan"},
    {OF(GEMM),         ROOF_ENGINE_LLAMA_CPP, FAMILY_NVIDIA, NULL,  0.7,  "fitted: llama.cpp prefill, CUDA"},
    {OF(GEMM),         ROOF_ENGINE_LLAMA_CPP, FAMILY_APPLE, NULL,   1.05, "fitted: llama.cpp prefill, Metal"},
    {OF(GEMM),         ROOF_ENGINE_LLAMA_CPP, FAMILY_OTHER, NULL,   0.6,  "judgement: other back ends of llama.cpp"},
    {OF(ATTENTION),    IN(LLAMA_CPP), 0.17, "set on llama.cpp, long prompts"},
    {OF(EXPERTS),      IN(LLAMA_CPP), 0.45, "set on llama.cpp, mixtures of experts"},
    {OF(PACKED_MATH),  IN(LLAMA_CPP), 0.8,  "set on llama.cpp prefill, quantised weights"},
    {OF(PACKED_MATH),  ROOF_ENGINE_LLAMA_CPP, FAMILY_NVIDIA, NULL,  0.6,  "set on llama.cpp prefill, quantised, CUDA"},
    {OF(LAUNCH),       IN(LLAMA_CPP), 10e-6, "fitted: llama.cpp decode of small models"},
    /* MLX; the same */
    {OF(STREAM),       IN(MLX), 1,        "set on MLX decode"},
    {OF(GEMM),         IN(MLX), 0.63,     "set on MLX prefill"},
    {OF(ATTENTION),    IN(MLX), 0.17,     "judgement: as llama.cpp"},
    {OF(EXPERTS),      IN(MLX), 0.45,     "judgement: as llama.cpp"},
    {OF(PACKED_MATH),  IN(MLX), 0.8,      "judgement: as llama.cpp"},
    {OF(PACKED_MATH),  ROOF_ENGINE_MLX, FAMILY_NVIDIA, NULL, 0.6, "judgement: as llama.cpp"},
    {OF(LAUNCH),       IN(MLX), 7.5e-6,   "set on MLX decode of small models"},
};

#define NUMBER(name, value, unit, what, source) [name] = {value, unit, what, source},
const expect_assumed expect_numbers[EXPECT_NUMBER_COUNT] = {
#include "expect/numbers.inc"
};

#define COLLECTIVES "fitted: all-reduces on A100, H100, H200 and L40S"
const link_constants expect_links[2][LINK_CODES] = {
    {
        [LINK_LIBRARY]  = {0.60, 4.9e-6,  1.7e-6,  0,     COLLECTIVES},
        [LINK_CAPTURED] = {0.47, 5.0e-6,  3.0e-6,  10e-6, COLLECTIVES},
        [LINK_LAUNCHED] = {0.63, 20.4e-6, 2.6e-6,  0,     "judgement: this link's bandwidth, the other's host latency"},
    }, {
        [LINK_LIBRARY]  = {0.65, 5.9e-6,  1.1e-6,  8e-6,   COLLECTIVES},
        [LINK_CAPTURED] = {0.70, 4.2e-6,  0.07e-6, 12e-6,  COLLECTIVES},
        [LINK_LAUNCHED] = {0.64, 20.4e-6, 0.41e-6, 4.8e-6, COLLECTIVES},
    },
};

const expect_interval expect_intervals[ROOF_REGIME_COUNT] = {
    [ROOF_REGIME_GEMM]              = {0.86, 1.20, "aiconfigurator, GPU left out"},
    [ROOF_REGIME_PREFILL_ATTENTION] = {0.77, 1.24, "aiconfigurator, GPU left out"},
    [ROOF_REGIME_DECODE_ATTENTION]  = {0.81, 1.16, "aiconfigurator, GPU left out"},
    [ROOF_REGIME_EXPERTS]           = {0.64, 1.62, "aiconfigurator, GPU left out"},
    [ROOF_REGIME_COLLECTIVE]        = {0.68, 1.65, "aiconfigurator, GPU left out"},
    [ROOF_REGIME_OPERATION]         = {0.82, 1.50, "FluidX3D, gpu-benches"},
    [ROOF_REGIME_PREFILL]           = {0.82, 1.56, "TensorRT-LLM, TurboMind"},
    [ROOF_REGIME_DECODE]            = {0.85, 1.14, "gpt-fast, TurboMind, small tables"},
    [ROOF_REGIME_RUN]               = {0.93, 1.33, "FasterTransformer, TensorRT-LLM, TurboMind, vLLM on MI300X"},
    [ROOF_REGIME_TPOT]              = {0.80, 1.24, "TensorRT-LLM, vLLM, SGLang on H100 and H200"},
    [ROOF_REGIME_LOAD]              = {0.70, 1.16, "TensorRT-LLM on A100, H100, H200, GH200, L40S"},
    [ROOF_REGIME_LLAMA_PREFILL]     = {0.79, 1.47, "GeForce, workstation, data-centre, Apple, Ryzen AI Max"},
    [ROOF_REGIME_LLAMA_DECODE]      = {0.83, 1.13, "GeForce, workstation, data-centre, Apple, Ryzen AI Max"},
};
/* clang-format on */

const size_t expect_default_count = sizeof expect_defaults / sizeof *expect_defaults;

/* How much the row says about the case; -1: it is of another. */
static int match(const expect_default *row, int engine, expect_family family, const char *memory) {
    bool other_engine = row->engine != ENGINE_ANY && row->engine != engine;
    bool other_family = row->family != FAMILY_ANY && row->family != family;
    bool other_memory = row->memory && !(memory && strstr(memory, row->memory));
    if (other_engine || other_family || other_memory)
        return -1;
    return 4 * (row->engine != ENGINE_ANY) + 2 * (row->family != FAMILY_ANY) + (row->memory != NULL);
}

const expect_default *expect_default_of(roof_constant constant, int engine, expect_family family, const char *memory) {
    const expect_default *best = NULL;
    int most = -1;
    for (size_t i = 0; i < expect_default_count; i++) {
        const expect_default *row = &expect_defaults[i];
        int score = row->constant == constant ? match(row, engine, family, memory) : -1;
        if (score > most) {
            most = score;
            best = row;
        }
    }
    return best;
}
