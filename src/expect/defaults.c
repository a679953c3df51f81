/* The tables of the expected time, and nothing else: what the room takes from no data sheet stands here with its
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
    {OF(VECTOR),       IN(ALONE), 0.50,   "one operation an instruction; the peak counts fused ones"},
    {OF(GEMM),         IN(ALONE), 1,      "products set the sustained rate"},
    {OF(ATTENTION),    IN(ALONE), 0.77,   "fitted: fused attention kernels, aiconfigurator"},
    {OF(EXPERTS),      IN(ALONE), 0.65,   "fitted: grouped kernels, aiconfigurator"},
    {OF(PACKED_BYTES), IN(ALONE), 1,      "products with narrow weights, aiconfigurator: no loss"},
    {OF(PACKED_MATH),  IN(ALONE), 1,      "products with narrow weights, aiconfigurator: no loss"},
    {OF(OVERLAP),      IN(ALONE), 3,      "fitted: products near the ridge (gpu-benches: 1.9 to 4.9)"},
    {OF(LAUNCH),       IN(ALONE), 3.3e-6, "fitted: kernels under 20 us in captured graphs"},
    {OF(SKEW),         IN(ALONE), 0,      "a collective alone waits for nobody"},
    /* a model in an engine */
    {OF(STREAM),       ENGINE_ANY, FAMILY_ANY, "GDDR",  0.94, "set on decode of one sequence, GDDR"},
    {OF(STREAM),       ENGINE_ANY, FAMILY_ANY, "LPDDR", 0.82, "set on decode of one sequence, LPDDR"},
    {OF(STREAM),       ALL, 0.88,         "set on decode of one sequence, HBM"},
    {OF(MATRIX_16),    ENGINE_ANY, FAMILY_CDNA, NULL, 0.55, "set on static batches, MI300X"},
    {OF(MATRIX_16),    ENGINE_ANY, FAMILY_RDNA, NULL, 0.60, "set on llama.cpp runs of RDNA"},
    {OF(MATRIX_16),    ALL, 0.80,         "set on static batches and prefills"},
    {OF(MATRIX_8),     ENGINE_ANY, FAMILY_CDNA, NULL, 0.50, "set on static batches, MI300X"},
    {OF(MATRIX_8),     ALL, 0.72,         "set on static batches and prefills"},
    {OF(GEMM),         ALL, 1,            "products set the sustained rate"},
    {OF(ATTENTION),    ALL, 0.7,          "set on static batches of long prompts"},
    {OF(EXPERTS),      ALL, 0.55,         "set on serving of mixtures of experts"},
    {OF(PACKED_BYTES), ALL, 0.8,          "set on weight-only decode on A100"},
    {OF(PACKED_MATH),  ALL, 1,            "weight-only prefills: no loss seen"},
    {OF(OVERLAP),      ALL, 1,            "free exponents came out at 0.86 to 1.05"},
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

const expect_assumed expect_numbers[EXPECT_NUMBER_COUNT] = {
    [JOULES_FROM_REGISTERS]         = {1.32e-12, "J", "a 16-bit FLOP of matrix units that read registers", "set on products on A100, L40S"},
    [JOULES_FROM_SHARED_MEMORY]     = {0.69e-12, "J", "a 16-bit FLOP of matrix units that read shared memory", "set on products on H100, H200"},
    [ENERGY_FLOAT_8]                = {0.70, "", "of that, a FLOP on 8-bit floats", "set on products on H100, H200, L40S"},
    [ENERGY_INT_8]                  = {0.45, "", "of that, an operation on 8-bit integers, which need no alignment", "set on products on A100; Horowitz, ISSCC 2014"},
    [ENERGY_FLOAT_4]                = {0.49, "", "of that, a FLOP on 4-bit floats", "judgement: 0.70 twice"},
    [POWER_PART]                    = {0.7, "", "part of the power limit that matrix units get", "set with the energies"},
    [POWER_EXPONENT]                = {0.6, "", "exponent of power over need", "set with the energies"},
    [SUSTAINED_MOST]                = {0.90, "", "share of the peak that no long product passes", "set with the energies"},
    [UNPACK_BYTE_FLOPS]             = {2.4, "FLOP", "vector work to unpack a byte between loads", "set on weight-only decode on A100, RTX 4090"},
    [UNPACK_WEIGHT_FLOPS]           = {28, "FLOP", "vector work to unpack a weight where integers have no matrix unit", "set on llama.cpp on M1 Max, M2 Max"},
    [UNPACK_WEIGHT_BYTES]           = {0.6, "B", "a weight there, with its scales", "4 bits and scales of ggml blocks"},
    [ATTENTION_UNFUSED_KERNELS]     = {3, "", "attention that is not fused", "scores, softmax, values"},
    [ATTENTION_HANDED_OVER_KERNELS] = {3.3, "", "a prefill's attention that splits what it is handed and writes the cache", "set on aiconfigurator, context attention"},
    [ATTENTION_BARE_KERNELS]        = {2, "", "a prefill's attention called bare", "set on FlashAttention tables"},
    [ATTENTION_LATENT_KERNELS]      = {4, "", "a decode step's attention over a latent cache", "set on aiconfigurator, MLA"},
    [ATTENTION_DECODE_KERNELS]      = {6, "", "a decode step's attention: cache write, parts, adding up", "set on aiconfigurator, generation attention"},
    [ATTENTION_ENGINE_KERNELS]      = {2, "", "attention of an engine", "rotary embedding and cache write together, then attention"},
    [EXPERTS_KERNELS]               = {4, "", "a grouped product alone", "set on aiconfigurator, mixtures of experts"},
    [EXPERTS_ENGINE_KERNELS]        = {2.5, "", "a grouped product in an engine", "two products share top-k, sorting and adding up"},
    [TENSOR_SCALE_KERNELS]          = {2.7, "", "a product that quantises with a scale a tensor", "set on aiconfigurator; between two engines"},
    [BLOCK_SCALE_KERNELS]           = {1.6, "", "a product that quantises with scales of blocks", "set on aiconfigurator"},
    [TILE]                          = {64, "rows", "a tile of a product, in rows and columns", "set on aiconfigurator products"},
    [TILE_INTEGER_WIDTH]            = {2, "", "columns of a tile of integers, in tiles", "set on products on A100, the one GPU timed with them"},
    [SPLIT_MOST]                    = {8, "parts", "of an inner dimension", "judgement: more gain nothing in the tables"},
    [SPLIT_INNER]                   = {512, "", "inner dimension below which a part is no shorter in time", "set on aiconfigurator products"},
    [SPLIT_SECONDS]                 = {2e-6, "s", "one more step of a split kernel", "set on aiconfigurator products"},
    [SPLIT_BYTES]                   = {8, "B", "an element of a partial sum", "f32 written and read"},
    [SHARED_CACHE_RATE]             = {3, "", "times DRAM's bandwidth, of the cache all units share", "judgement: about what measured ones have"},
    [NARROW_INNER]                  = {256, "", "more of the inner dimension that a tile of 8 bits costs: pipeline and scales", "set on aiconfigurator 8-bit products"},
    [BLOCK_SCALE_SHARE]             = {0.88, "", "rate of Hopper with scales of blocks, of that without", "set on fp8 block products on H100, H200"},
    [DECODE_QUERIES]                = {16, "queries", "a sequence, up to which attention is a decode step", "judgement: the most that are drafted"},
    [ATTENTION_ROWS]                = {128, "rows", "of queries in a tile, and keys in a step", "FlashAttention's tiles"},
    [ATTENTION_LATENT_HEADS]        = {64, "heads", "in a tile of a decode step over a latent cache", "FlashMLA's tiles"},
    [EXPONENTIALS]                  = {16, "", "exponentials of a unit in a clock", "NVIDIA's SMs; AMD: a quarter of a wave's 64 lanes"},
    [ATTENTION_TILE_SECONDS]        = {5.8e-6, "s", "start, tail and final division of a tile", "set on short prefills, aiconfigurator"},
    [ATTENTION_BARE_SHARE]          = {1.17, "", "rate of a bare kernel, of that inside a layer", "FlashAttention 2 and 3: 73 and 76 % of the peak; layers 61 and 63 %"},
    [EXPERTS_PADDED_ROWS]           = {16, "rows", "that a touched expert computes beyond its own", "half of a tile of 32"},
    [EXPERTS_TOKEN_PASSES]          = {3, "", "passes over the row of a token", "gathering, scaling, scattering"},
    [EXPERTS_PACKED_SHARE]          = {0.5, "", "rate with weights unpacked into shared memory, of that without", "set on int4 experts on H100, H200"},
    [EXPERTS_PACKED_KERNELS]        = {6, "", "more kernels with such weights", "set on int4 experts on H100, H200"},
    [HOST_DEVICES]                  = {8, "devices", "on one bus of a host", "hosts of the published collectives"},
    [MICRO_BATCH]                   = {512, "tokens", "of a prompt at a time in llama.cpp", "its default -ub"},
    [STEP_TOKENS]                   = {8192, "tokens", "of prompts in one step", "judgement: chunked prefill of serving engines"},
    [ENGINE_BYTES]                  = {3e9, "B", "of a device that an engine keeps for itself", "judgement: workspaces and captured graphs"},
    [ENGINE_MEMORY]                 = {0.9, "", "of the rest that an engine uses", "TensorRT-LLM, default of kv_cache_free_gpu_memory_fraction"},
    [SEQUENCES_MOST]                = {2048, "sequences", "that an engine schedules", "default of TensorRT-LLM (max_batch_size)"},
    [BLAS_SHARE]                    = {0.9, "", "of the multiply-add rate that a BLAS keeps once operands are packed", "seen on the CPU of validation.md, This machine"},
    [ROWS_SHARE]                    = {0.8, "", "of the read rate when rows of a matrix are read side by side", "seen on the CPU of validation.md, This machine"},
    [SPMV_LOADS]                    = {3, "", "loads of a non-zero", "index, value, element of the vector"},
    [UNALIGNED_LOADS]               = {2, "", "lines of a neighbour's vector, which is not aligned", "seen on the CPU of validation.md, This machine"},
    [PACKING_PASSES]                = {2, "", "times the operands of a product cross L2 to be packed", "copied into blocks, and the result read again"},
    [LOOP_SECONDS]                  = {0.07e-6, "s", "entering a loop", "seen on the CPU of validation.md, This machine"},
    [MEETING_SECONDS]               = {0.3e-6, "s", "more for every doubling of the threads that meet", "seen on the CPU of validation.md, This machine"},
    [HOST_LOW]                      = {0.88, "", "low end of the interval on a measured CPU", "validation.md, This machine"},
    [HOST_HIGH]                     = {1.30, "", "high end of the interval on a measured CPU", "validation.md, This machine"},
    [CONFIDENCE]                    = {0.8, "", "of measured times lie in the interval", "by definition"},
    [UNLIKE]                        = {1.5, "", "times the logarithm of an interval's ends, on hardware or in an engine no row was of", "residuals of a generation that is left out"},
    [THROTTLED]                     = {0.10, "", "more of the high end without HBM: the power limit comes sooner", "products and prefills on L40S"},
    [LONGER_LAUNCHES]               = {0.3, "", "of the launches of a decode step's attention, more of the high end", "aiconfigurator, few keys"},
    [FIT_FIRST_STEP]                = {0.4, "", "first step of a logarithm", "judgement"},
    [FIT_LAST_STEP]                 = {0.002, "", "last step: a fifth of a percent", "judgement"},
    [FIT_SMOOTH]                    = {0.01, "", "errors below it count less: absolute values have corners to stick in", "judgement"},
    [FIT_BUMP]                      = {0.02, "", "step that shows what a constant does", "judgement"},
    [FIT_FELT]                      = {0.05, "", "movement by which a time depends on a constant, of the constant's own", "judgement"},
    [FIT_UNEXPLAINED]               = {0.02, "", "of what a constant does, below which the others do it already", "judgement"},
    [FIT_SPREAD_MOST]               = {1.0, "", "spread of a constant that runs hold", "judgement: a factor of two"},
    [FIT_HALF_WIDTH]                = {1.2816, "", "standard deviations in half an 80% interval", "normal distribution"},
    [FIT_SHARE_LEAST]               = {0.05, "", "least share of a roof", "judgement"},
    [FIT_SHARE_MOST]                = {1.3, "", "most of a share of a share", "judgement: bare kernels beat those of engines by 1.17"},
    [FIT_OVERLAP_MOST]              = {8, "", "most exponent: next to a maximum", "judgement"},
    [FIT_SECONDS_LEAST]             = {1e-9, "s", "least time of a constant", "judgement"},
    [FIT_SECONDS_MOST]              = {1e-3, "s", "most time of a constant", "judgement"},
    [FIT_NOISE_LEAST]               = {0.005, "", "growth of the error that chance explains", "judgement"},
    [FIT_NEAR_LIMIT]                = {0.001, "", "of a limit, at which a constant has run into it", "judgement"},
    [FIT_TRIED_LEAST]               = {0.1, "", "of a logarithm, the least that doubling or halving must still move", "judgement"},
    [FIT_TAIL]                      = {0.1, "", "of the runs below, and as many above, an interval", "80% interval"},
};

#define COLLECTIVES "fitted: all-reduces on A100, H100, H200 and L40S"
const link_constants expect_links[2][LINK_CODES] = {
    {
        [LINK_LIBRARY]  = {0.60, 4.9e-6,  1.7e-6,  0,     COLLECTIVES},
        [LINK_CAPTURED] = {0.47, 5.0e-6,  3.0e-6,  10e-6, COLLECTIVES},
        [LINK_LAUNCHED] = {0.63, 20.4e-6, 2.6e-6,  0,     "judgement: the bus of the one, the host of the other"},
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
