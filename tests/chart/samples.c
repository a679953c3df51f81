/* Charts that several test programs draw. */
#include "samples.h"
#include "roofline_chart.h"

#define FIGURE(v)                                                                                                      \
    { .value = (v), .origin = ROOF_ORIGIN_DATASHEET }
#define MEASURED(v)                                                                                                    \
    { .value = (v), .origin = ROOF_ORIGIN_MEASURED }

const char *const sample_names[SAMPLE_COUNT] = {"llama", "gemm", "crowd", "cpu"};

static const roof_machine h100 = {
    .id = "h100-sxm",
    .name = "NVIDIA H100 SXM 80 GB",
    .vendor = "NVIDIA",
    .memory_kind = "HBM3",
    .peak = {[ROOF_MATRIX] = {[ROOF_BF16] = FIGURE(989.4e12),
                              [ROOF_F16] = FIGURE(989.4e12),
                              [ROOF_FP8] = FIGURE(1978.9e12),
                              [ROOF_INT8] = FIGURE(1978.9e12),
                              [ROOF_TF32] = FIGURE(494.7e12),
                              [ROOF_F64] = FIGURE(66.9e12)},
             [ROOF_VECTOR] = {[ROOF_F32] = FIGURE(66.9e12), [ROOF_F64] = FIGURE(33.5e12)}},
    .bandwidth = {[ROOF_DRAM] = FIGURE(3.35e12)},
    .size = {[ROOF_DRAM] = FIGURE(80e9)},
};

static const roof_machine cpu = {
    .id = "this",
    .name = "one core of an AMD EPYC virtual machine",
    .memory_kind = "192 MB stream",
    .peak = {[ROOF_VECTOR] = {[ROOF_F64] = MEASURED(107e9)}},
    .bandwidth = {[ROOF_DRAM] = MEASURED(46e9),
                  [ROOF_L3] = MEASURED(93e9),
                  [ROOF_L2] = MEASURED(161e9),
                  [ROOF_L1] = MEASURED(421e9)},
};

const roof_machine *sample_h100(void) {
    return &h100;
}

const roof_machine *sample_cpu(void) {
    return &cpu;
}

static const roof_chart_point llama_points[] = {
    {"decode, batch 1", "221 tok/s, 4.5 ms per step", 1.03, 3.45e12, 0.986, ROOF_BOUND_MEMORY, 0, false, 0},
    {"batch 8", "1.6k tok/s, 4.9 ms", 7.67, 25.7e12 * 0.999, 0.906, ROOF_BOUND_MEMORY, 0, false, 0},
    {"batch 64", "8.5k tok/s, 7.5 ms", 39.53, 132.4e12, 0.653, ROOF_BOUND_MEMORY, 0, false, 0},
    {"batch 256", "15.3k tok/s, 17 ms", 71.25, 238.6e12, 0.511, ROOF_BOUND_MEMORY, 0, false, 0},
    {"batch 1", "62.6k tok/s", 591, 891e12, 0.014, ROOF_BOUND_COMPUTE, 1, false, 0},
    {"batch 8", "63.7k tok/s", 1263, 906e12, 0.094, ROOF_BOUND_COMPUTE, 1, false, 0},
    {"batch 64", "63.8k tok/s", 1472, 908e12, 0.347, ROOF_BOUND_COMPUTE, 1, false, 0},
    {"batch 256", "63.8k tok/s", 1499, 908e12, 0.489, ROOF_BOUND_COMPUTE, 1, false, 0},
};
static const roof_chart_change llama_changes[] = {
    {3, "FP8 KV cache: 1.53\xC3\x97 decode", 109, 365e12},
    {7, "FP8 GEMMs: 1.82\xC3\x97 prefill", 1650, 1652e12},
};

static roof_chart llama(void) {
    return (roof_chart){
        .title = "Decode is memory-bound at every batch size; prefill runs into the compute roof",
        .subtitle = "Llama-3.1-8B in BF16 on one NVIDIA H100 SXM 80 GB \xC2\xB7 1,024-token prompts, 256 generated "
                    "tokens \xC2\xB7 "
                    "upper bound from the model, not a measurement",
        .note_title = "Batch 1 \xE2\x86\x92 256: 69\xC3\x97 the tokens/s for 3.7\xC3\x97 the step time.",
        .note = "At 256 the KV cache is 69% of HBM traffic, so a larger batch no longer amortises the weights: shrink "
                "the KV cache instead.",
        .under = "prefill reaches 92% of the roof: norms and SwiGLU are memory-bound, 8% of its time",
        .foot = "\xE2\x97\x8F decode step  \xE2\x97\x86 prefill  \xE2\x97\x8B what-if \xC2\xB7 colour = what limits it "
                "\xC2\xB7 area = share of the "
                "request\xE2\x80\x99s time",
        .peaks = "Peaks: vendor figures, dense. Each op reads and writes HBM once.",
        .machine = &h100,
        .unit = ROOF_MATRIX,
        .dtype = ROOF_BF16,
        .others = {ROOF_FP8},
        .other_count = 1,
        .points = llama_points,
        .point_count = 8,
        .changes = llama_changes,
        .change_count = 2,
    };
}

static const roof_chart_point gemm_points[] = {
    {"gemm 8x14336x4096", "26.7 TFLOP/s, 35.1 us", 7.98, 26.7e12, 1, ROOF_BOUND_MEMORY, 0, false, 0},
};
static const roof_chart_change gemm_changes[] = {{0, "FP8 weights: 2.00x", 15.9, 53.2e12}};

static roof_chart gemm(void) {
    return (roof_chart){
        .title = "This gemm is memory-bound: 2.7% of the compute roof is within reach",
        .subtitle = "gemm m=8 n=14336 k=4096 in BF16 on one NVIDIA H100 SXM 80 GB \xC2\xB7 upper bound from the model, "
                    "not a measurement",
        .note_title = "37\xC3\x97 more FLOP per byte would reach the ridge.",
        .machine = &h100,
        .unit = ROOF_MATRIX,
        .dtype = ROOF_BF16,
        .points = gemm_points,
        .point_count = 1,
        .changes = gemm_changes,
        .change_count = 1,
        .peaks = "Peaks: vendor figures, dense.",
    };
}

static const roof_chart_point crowd_points[] = {
    {"embedding", "0.1%", 0.02, 0.06e12, 0.001, ROOF_BOUND_MEMORY, 0, false, 0},
    {"norms", "1.3%", 1.0, 3.2e12, 0.013, ROOF_BOUND_MEMORY, 0, false, 0},
    {"attention", "69.1%", 4.0, 13.3e12, 0.691, ROOF_BOUND_MEMORY, 0, false, 0},
    {"swiglu", "1.3%", 1.02, 3.3e12, 0.013, ROOF_BOUND_MEMORY, 0, false, 0},
    {"rope", "0.5%", 1.1, 3.4e12, 0.005, ROOF_BOUND_MEMORY, 0, false, 0},
    {"gate_up", "14.4%", 238.9, 797e12, 0.144, ROOF_BOUND_MEMORY, 0, false, 0},
    {"down", "7.2%", 237, 790e12, 0.072, ROOF_BOUND_MEMORY, 0, false, 0},
    {"qkv", "3.2%", 231.8, 775e12, 0.032, ROOF_BOUND_MEMORY, 0, false, 0},
    {"o", "2.2%", 227.6, 760e12, 0.022, ROOF_BOUND_MEMORY, 0, false, 0},
    {"lm_head", "2.0%", 240.5, 800e12, 0.02, ROOF_BOUND_MEMORY, 0, false, 0},
    {"prefill gate_up", "41%", 820, 980e12, 0.41, ROOF_BOUND_COMPUTE, 1, false, 0},
    {"prefill down", "20%", 815, 979e12, 0.2, ROOF_BOUND_COMPUTE, 1, false, 0},
    {"prefill qkv", "9%", 610, 975e12, 0.09, ROOF_BOUND_COMPUTE, 1, false, 0},
    {"prefill o", "6%", 580, 970e12, 0.06, ROOF_BOUND_COMPUTE, 1, false, 0},
    {"prefill attention", "4%", 512, 730e12, 0.04, ROOF_BOUND_COMPUTE, 1, false, 0},
    {"all-reduce", "3%", 100, 40e12, 0.03, ROOF_BOUND_LINK, 0, false, 0},
    {"prefill norms", "5%", 1.3, 4.1e12, 0.05, ROOF_BOUND_MEMORY, 1, false, 0},
    {"softmax", "unfused", 1.25, 4.0e12, 0.02, ROOF_BOUND_MEMORY, 1, false, 0},
    {"copy", "cache write", 0, 0, 0.01, ROOF_BOUND_MEMORY, 0, false, 0},
    {"on-chip gemm", "", 1e30, 600e12, 0.01, ROOF_BOUND_COMPUTE, 0, false, 0},
};

static roof_chart crowd(void) {
    return (roof_chart){
        .title = "Attention over the KV cache takes 69% of a decode step; every other operation is a rounding error "
                 "beside it, prefill included",
        .subtitle = "Llama-3.1-8B in BF16 on one NVIDIA H100 SXM 80 GB \xC2\xB7 batch 256, context 1,152 \xC2\xB7 "
                    "upper bound from the model, "
                    "not a measurement",
        .note_title = "Where the step goes.",
        .note = "The five operations near the ridge would cross it at batch 320; attention never will.",
        .foot = "\xE2\x97\x8F decode \xE2\x97\x86 prefill \xC2\xB7 colour = what limits it \xC2\xB7 area = share of "
                "the phase\xE2\x80\x99s time",
        .peaks = "Peaks: vendor figures, dense.",
        .machine = &h100,
        .unit = ROOF_MATRIX,
        .dtype = ROOF_BF16,
        .others = {ROOF_FP8, ROOF_INT8, ROOF_F64},
        .other_count = 3,
        .points = crowd_points,
        .point_count = sizeof crowd_points / sizeof crowd_points[0],
    };
}

static const roof_chart_point cpu_points[] = {
    {"triad", "2.8 GFLOP/s", 0.0625, 2.85e9, 0, ROOF_BOUND_MEMORY, 0, true, 0},
    {"dot", "2.9 GFLOP/s, adds in order", 0.125, 2.95e9, 0, ROOF_BOUND_MEMORY, 0, true, 0},
    {"GEMM 512, i-k-j loops", "22 GFLOP/s", 32, 21.5e9, 0, ROOF_BOUND_COMPUTE, 0, true, 0},
    {"GEMM 512, i-j-k loops", "0.78 GFLOP/s", 32, 0.785e9, 0, ROOF_BOUND_COMPUTE, 0, true, 0},
};

static roof_chart cpu_chart(void) {
    return (roof_chart){
        .title = "Swapping two loops made this GEMM 27\xC3\x97 faster; blocking can give up to 5.0\xC3\x97 more",
        .subtitle = "One core of an AMD EPYC virtual machine, FP64, gcc -O3 -march=native \xC2\xB7 all points and "
                    "roofs measured (best of 5 runs, "
                    "shared host)",
        .foot = "\xE2\x97\x8B measured \xC2\xB7 colour = what limits it at best \xC2\xB7 green arrow = headroom to the "
                "roof",
        .machine = &cpu,
        .unit = ROOF_VECTOR,
        .dtype = ROOF_F64,
        .levels = {ROOF_L1, ROOF_L2, ROOF_L3},
        .level_count = 3,
        .points = cpu_points,
        .point_count = 4,
    };
}

roof_chart sample_chart(int which) {
    static roof_chart (*const makers[SAMPLE_COUNT])(void) = {llama, gemm, crowd, cpu_chart};
    return makers[which]();
}
