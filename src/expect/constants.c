/* Default constants from a data sheet alone, by engine class and family of hardware. docs/expected.md has the sources.
 */
#include <math.h>
#include <string.h>

#include "expect/expect.h"

static bool contains(const char *text, const char *word) {
    return text && strstr(text, word);
}

static void derive(roof_constants *out, roof_constant which, double value, const char *source) {
    out->value[which] = (roof_figure){.value = value, .origin = ROOF_DERIVED, .source = source};
}

/* ---- kinds of hardware, from what a data sheet says ---- */

typedef enum family { FAMILY_OTHER, FAMILY_NVIDIA, FAMILY_CDNA, FAMILY_RDNA, FAMILY_APPLE } family;

static family family_of(const roof_machine *machine) {
    if (contains(machine->vendor, "NVIDIA"))
        return FAMILY_NVIDIA;
    if (contains(machine->vendor, "Apple"))
        return FAMILY_APPLE;
    if (contains(machine->vendor, "AMD"))
        return contains(machine->architecture, "CDNA") ? FAMILY_CDNA : FAMILY_RDNA;
    return FAMILY_OTHER;
}

/* Of a data sheet's bandwidth, by kind of memory. */
static double streamed(const roof_machine *machine) {
    if (contains(machine->memory_kind, "GDDR"))
        return 0.94;
    if (contains(machine->memory_kind, "LPDDR"))
        return 0.82;
    return 0.88;
}

/* ---- an operation alone ---- */

/* The power limit, not the data sheet's clock, sets the sustained tensor rate: joules a FLOP at 16 bits, by how the
 * generation feeds its tensor units. 0: not known. */
static double joules_a_flop(const roof_machine *machine) {
    if (family_of(machine) != FAMILY_NVIDIA)
        return 0;
    return contains(machine->architecture, "Hopper") || contains(machine->architecture, "Blackwell") ? 0.69e-12
                                                                                                     : 1.32e-12;
}

static double sustained(const roof_machine *machine, roof_dtype dtype, double halvings, double otherwise) {
    const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, dtype);
    double joules = joules_a_flop(machine) * pow(0.70, halvings);
    if (!peak || !(joules > 0) || machine->power.origin == ROOF_UNKNOWN)
        return otherwise;
    return fmin(0.90, pow(0.7 * machine->power.value / (joules * peak->value), 0.6));
}

static void alone(const roof_machine *machine, roof_constants *out) {
    derive(out, ROOF_CONSTANT_STREAM, 0.83, "streaming kernels on A100, H100, H200, L40S");
    derive(out, ROOF_CONSTANT_MATRIX_32, 0.75, "unknown generation");
    derive(out, ROOF_CONSTANT_MATRIX_16, sustained(machine, ROOF_BF16, 0, 0.75), "power limit");
    derive(out, ROOF_CONSTANT_MATRIX_8, sustained(machine, ROOF_FP8, 1, 0.65), "power limit");
    derive(out, ROOF_CONSTANT_MATRIX_4, sustained(machine, ROOF_FP4, 2, 0.55), "power limit");
    derive(out, ROOF_CONSTANT_VECTOR, 0.83, "as the memory");
    derive(out, ROOF_CONSTANT_GEMM, 1, "products set the sustained rate");
    derive(out, ROOF_CONSTANT_ATTENTION, 0.77, "fused attention kernels");
    derive(out, ROOF_CONSTANT_EXPERTS, 0.39, "grouped kernels");
    derive(out, ROOF_CONSTANT_PACKED_BYTES, 1, "kernels alone");
    derive(out, ROOF_CONSTANT_PACKED_MATH, 1, "kernels alone");
    derive(out, ROOF_CONSTANT_OVERLAP, 3, "products near the ridge");
    derive(out, ROOF_CONSTANT_LAUNCH, 3.3e-6, "kernels in a captured graph");
}

/* ---- a model in an engine ---- */

/* Seconds a kernel of an engine adds. */
static const double launches[ROOF_ENGINE_COUNT] = {
    [ROOF_ENGINE_UNKNOWN] = 7e-6,
    [ROOF_ENGINE_GRAPH] = 4e-6,
    [ROOF_ENGINE_SERVING] = 5e-6,
    [ROOF_ENGINE_CPP] = 8e-6,
    [ROOF_ENGINE_FASTER_TRANSFORMER] = 12e-6,
    [ROOF_ENGINE_LLAMA_CPP] = 10e-6,
    [ROOF_ENGINE_MLX] = 7.5e-6,
    [ROOF_ENGINE_EAGER] = 12e-6,
};

static void engine(const roof_machine *machine, roof_constants *out) {
    family kind = family_of(machine);
    double wide = kind == FAMILY_CDNA ? 0.55 : kind == FAMILY_RDNA ? 0.60 : 0.80;
    double narrow = kind == FAMILY_CDNA ? 0.50 : 0.72;
    derive(out, ROOF_CONSTANT_STREAM, streamed(machine), "kind of memory");
    derive(out, ROOF_CONSTANT_MATRIX_32, wide, "family of hardware");
    derive(out, ROOF_CONSTANT_MATRIX_16, wide, "family of hardware");
    derive(out, ROOF_CONSTANT_MATRIX_8, narrow, "family of hardware");
    derive(out, ROOF_CONSTANT_MATRIX_4, narrow, "family of hardware");
    derive(out, ROOF_CONSTANT_VECTOR, wide, "family of hardware");
    derive(out, ROOF_CONSTANT_GEMM, 0.85, "static batches");
    derive(out, ROOF_CONSTANT_ATTENTION, 0.7, "static batches");
    derive(out, ROOF_CONSTANT_EXPERTS, 0.425, "static batches");
    derive(out, ROOF_CONSTANT_PACKED_BYTES, 0.8, "weight-only kernels");
    derive(out, ROOF_CONSTANT_PACKED_MATH, 1, "weight-only kernels");
    derive(out, ROOF_CONSTANT_OVERLAP, 1, "free exponents came out at 0.86 to 1.05");
    derive(out, ROOF_CONSTANT_LAUNCH, launches[out->engine], "engine class");
}

/* llama.cpp and MLX by what runs under them, which the vendor tells. */
static void local_engine(const roof_machine *machine, roof_constants *out) {
    family kind = family_of(machine);
    bool mlx = out->engine == ROOF_ENGINE_MLX, hbm = contains(machine->memory_kind, "HBM");
    double bytes = mlx                     ? 1.0
                   : kind == FAMILY_NVIDIA ? (hbm ? 0.67 : 0.95)
                   : kind == FAMILY_APPLE  ? 0.94
                   : kind == FAMILY_OTHER  ? 0.87
                                           : 0.95;
    double math = mlx                     ? 0.63
                  : kind == FAMILY_NVIDIA ? (hbm ? 0.55 : 0.73)
                  : kind == FAMILY_APPLE  ? 1.05
                  : kind == FAMILY_OTHER  ? 0.6
                                          : 0.55;
    derive(out, ROOF_CONSTANT_STREAM, bytes * streamed(machine), "kind of memory and backend");
    derive(out, ROOF_CONSTANT_GEMM, math, "backend");
    derive(out, ROOF_CONSTANT_ATTENTION, 0.17, "llama.cpp");
    derive(out, ROOF_CONSTANT_PACKED_BYTES, 1, "part of the backend's share");
    derive(out, ROOF_CONSTANT_PACKED_MATH, 0.8, "llama.cpp");
}

/* ---- collectives ---- */

static void links(const roof_machine *machine, roof_constants *out) {
    bool scale_up = machine->link_kind && machine->link_devices.origin != ROOF_UNKNOWN;
    derive(out, ROOF_CONSTANT_LINK, scale_up ? 0.8 : 0.47, "all-reduces of engines");
    derive(out, ROOF_CONSTANT_LINK_LATENCY, scale_up ? 4e-6 : 5e-6, "all-reduces of engines");
    derive(out, ROOF_CONSTANT_LINK_PEER, scale_up ? 0 : 3e-6, "all-reduces of engines");
    derive(out, ROOF_CONSTANT_LINK_TWO_SHOT, 10e-6, "all-reduces of engines");
    derive(out, ROOF_CONSTANT_SKEW, is_alone(out) ? 0 : 14e-6, "models in engines");
    derive(out, ROOF_CONSTANT_OTHERS, 0.9, "serving at a concurrency");
}

/* ---- intervals ---- */

typedef struct interval {
    double low, high;
} interval;

static const interval intervals[ROOF_REGIME_COUNT] = {
    [ROOF_REGIME_GEMM] = {0.86, 1.25},
    [ROOF_REGIME_PREFILL_ATTENTION] = {0.74, 1.42},
    [ROOF_REGIME_DECODE_ATTENTION] = {0.82, 1.35},
    [ROOF_REGIME_EXPERTS] = {0.70, 2.7},
    [ROOF_REGIME_COLLECTIVE] = {0.7, 1.5},
    [ROOF_REGIME_OPERATION] = {0.7, 1.5},
    [ROOF_REGIME_PREFILL] = {0.68, 1.46},
    [ROOF_REGIME_DECODE] = {0.78, 1.28},
    [ROOF_REGIME_RUN] = {0.78, 1.28},
    [ROOF_REGIME_TPOT] = {0.72, 1.39},
    [ROOF_REGIME_LOAD] = {0.78, 1.28},
    [ROOF_REGIME_LLAMA_PREFILL] = {0.58, 1.73},
    [ROOF_REGIME_LLAMA_DECODE] = {0.76, 1.31},
};

static void spread(roof_constants *out) {
    for (int i = 0; i < ROOF_REGIME_COUNT; i++) {
        out->low[i] = intervals[i].low;
        out->high[i] = intervals[i].high;
    }
}

static void calibrated(const roof_machine *machine, roof_constants *out) {
    for (size_t i = 0; i < machine->calibration_count; i++) {
        const roof_calibration *known = &machine->calibration[i];
        if (known->engine != out->engine)
            continue;
        for (int c = 0; c < ROOF_CONSTANT_COUNT; c++)
            if (known->value[c].origin != ROOF_UNKNOWN)
                out->value[c] = known->value[c];
        for (int r = 0; r < ROOF_REGIME_COUNT; r++)
            if (known->low[r] > 0 && known->high[r] > 0) {
                out->low[r] = known->low[r];
                out->high[r] = known->high[r];
            }
    }
}

void roof_constants_of(const roof_machine *machine, roof_engine class, roof_constants *out) {
    *out = (roof_constants){.engine = class};
    if (class == ROOF_ENGINE_ALONE)
        alone(machine, out);
    else
        engine(machine, out);
    if (class == ROOF_ENGINE_LLAMA_CPP || class == ROOF_ENGINE_MLX)
        local_engine(machine, out);
    links(machine, out);
    spread(out);
    out->known_machine = family_of(machine) == FAMILY_NVIDIA || family_of(machine) == FAMILY_APPLE;
    if (machine->sustained)
        host_constants(machine, out);
    calibrated(machine, out);
}
