/* Default constants from a data sheet alone, by engine class and family of hardware. docs/expected.md has the sources.
 */
#include <math.h>
#include <string.h>

#include "core/machine.h"
#include "expect/expect.h"

static bool contains(const char *text, const char *word) {
    return text && strstr(text, word);
}

static void derive(roof_constants *out, roof_constant which, double value, const char *source) {
    out->value[which] = (roof_figure){.value = value, .origin = ROOF_ORIGIN_DERIVED, .source = source};
}

/* ---- kinds of hardware, from what a data sheet says ---- */

typedef enum family { FAMILY_OTHER, FAMILY_NVIDIA, FAMILY_CDNA, FAMILY_RDNA, FAMILY_APPLE } family;

static family family_of(const roof_machine *machine) {
    if (is_cpu(machine)) /* of which no row was, whoever makes GPUs as well */
        return FAMILY_OTHER;
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
    return reads_shared_memory(machine) ? 0.69e-12 : 1.32e-12;
}

static double sustained(const roof_machine *machine, roof_dtype dtype, double energy, double otherwise) {
    const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, dtype);
    double joules = joules_a_flop(machine) * energy;
    if (!peak || !(joules > 0) || machine->power.origin == ROOF_ORIGIN_UNKNOWN)
        return otherwise;
    return fmin(0.90, pow(0.7 * machine->power.value / (joules * peak->value), 0.6));
}

/* A FLOP takes 0.70 of the energy when its operands are half as wide; integers, which need no alignment, less. */
static double sustained_narrow(const roof_machine *machine) {
    if (machine->peak[ROOF_MATRIX][ROOF_FP8].origin == ROOF_ORIGIN_UNKNOWN)
        return sustained(machine, ROOF_INT8, 0.45, 0.65);
    return sustained(machine, ROOF_FP8, 0.70, 0.65);
}

static void alone(const roof_machine *machine, roof_constants *out) {
    derive(out, ROOF_CONSTANT_STREAM, 0.83, "streaming kernels on A100, H100, H200, L40S");
    derive(out, ROOF_CONSTANT_MATRIX_32, 0.75, "unknown generation");
    derive(out, ROOF_CONSTANT_MATRIX_16, sustained(machine, ROOF_BF16, 1, 0.75), "power limit");
    derive(out, ROOF_CONSTANT_MATRIX_8, sustained_narrow(machine), "power limit");
    derive(out, ROOF_CONSTANT_MATRIX_4, sustained(machine, ROOF_FP4, 0.49, 0.55), "power limit");
    derive(out, ROOF_CONSTANT_VECTOR, 0.50, "one operation an instruction; the peak counts fused ones");
    derive(out, ROOF_CONSTANT_GEMM, 1, "products set the sustained rate");
    derive(out, ROOF_CONSTANT_ATTENTION, 0.77, "fused attention kernels");
    derive(out, ROOF_CONSTANT_EXPERTS, 0.65, "grouped kernels");
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
    [ROOF_ENGINE_SERVING] = 3.8e-6,
    [ROOF_ENGINE_CPP] = 8e-6,
    [ROOF_ENGINE_FASTER_TRANSFORMER] = 13e-6,
    [ROOF_ENGINE_LLAMA_CPP] = 10e-6,
    [ROOF_ENGINE_MLX] = 7.5e-6,
    [ROOF_ENGINE_EAGER] = 12e-6,
};

/* Weight-only kernels of 8 and 4 bits spend FLOPS_A_BYTE of the vector units on every byte they unpack, between the
 * bytes: 0.80 of the memory's rate on A100, 0.97 on RTX 4090. */
static double unpacked_between(const roof_machine *machine) {
    static const double FLOPS_A_BYTE = 2.4;
    const roof_figure *vector = roof_machine_peak(machine, ROOF_VECTOR, ROOF_F32);
    const roof_figure *memory = figure_known(&machine->bandwidth[ROOF_DRAM]);
    return vector && memory ? 1 / (1 + FLOPS_A_BYTE * memory->value / vector->value) : 0.8;
}

/* A measured roof is what is sustained. */
static double unless_measured(const roof_figure *roof, double share) {
    return roof && roof->origin == ROOF_ORIGIN_MEASURED ? 1 : share;
}

static double engine_stream(const roof_machine *machine) {
    return unless_measured(&machine->bandwidth[ROOF_DRAM], streamed(machine));
}

static double engine_products(const roof_machine *machine, roof_dtype dtype, double energy, double otherwise) {
    return unless_measured(roof_machine_peak(machine, ROOF_MATRIX, dtype),
                           sustained(machine, dtype, energy, otherwise));
}

static void engine(const roof_machine *machine, roof_constants *out) {
    family kind = family_of(machine);
    double wide = engine_products(machine, ROOF_BF16, 1,
                                  kind == FAMILY_CDNA   ? 0.55
                                  : kind == FAMILY_RDNA ? 0.60
                                                        : 0.80);
    double narrow = engine_products(machine, ROOF_FP8, 0.70, kind == FAMILY_CDNA ? 0.50 : 0.72);
    derive(out, ROOF_CONSTANT_STREAM, engine_stream(machine), "kind of memory");
    derive(out, ROOF_CONSTANT_MATRIX_32, wide, "family of hardware");
    derive(out, ROOF_CONSTANT_MATRIX_16, wide, "family of hardware");
    derive(out, ROOF_CONSTANT_MATRIX_8, narrow, "family of hardware");
    derive(out, ROOF_CONSTANT_MATRIX_4, narrow, "family of hardware");
    derive(out, ROOF_CONSTANT_VECTOR, wide, "family of hardware");
    derive(out, ROOF_CONSTANT_GEMM, 1, "products set the sustained rate");
    derive(out, ROOF_CONSTANT_ATTENTION, 0.7, "static batches");
    derive(out, ROOF_CONSTANT_EXPERTS, 0.55, "serving");
    derive(out, ROOF_CONSTANT_PACKED_BYTES, unpacked_between(machine), "weight-only kernels");
    derive(out, ROOF_CONSTANT_PACKED_MATH, 1, "weight-only kernels");
    derive(out, ROOF_CONSTANT_OVERLAP, 1, "free exponents came out at 0.86 to 1.05");
    derive(out, ROOF_CONSTANT_LAUNCH, launches[out->engine], "engine class");
}

/* Consumer parts multiply 16-bit floats faster when they also add up in 16 bits: a roof of its own. */
double narrow_gain(const roof_machine *machine, roof_engine engine) {
    const roof_figure *wide = roof_machine_peak(machine, ROOF_MATRIX, ROOF_F16);
    const roof_figure *narrow = figure_known(&machine->narrow[ROOF_F16]);
    return engine == ROOF_ENGINE_LLAMA_CPP && wide && narrow ? narrow->value / wide->value : 1;
}

/* llama.cpp and MLX multiply quantised weights no faster than 16-bit floats, whatever roof 8-bit integers have. */
static void local_products(const roof_machine *machine, roof_constants *out) {
    const roof_figure *wide = roof_machine_peak(machine, ROOF_MATRIX, ROOF_F16);
    const roof_figure *narrow = roof_machine_peak(machine, ROOF_MATRIX, ROOF_INT8);
    double share = constant_of(out, ROOF_CONSTANT_MATRIX_16) * narrow_gain(machine, out->engine);
    if (wide && narrow) /* where integers are the slower ones, they keep the share they have elsewhere */
        derive(out, ROOF_CONSTANT_MATRIX_8,
               fmin(constant_of(out, ROOF_CONSTANT_MATRIX_8), share * wide->value / narrow->value),
               "as 16-bit operands");
}

/* Where integers have no matrix unit, the vector units unpack every weight while the next ones come: the share of the
 * memory's rate at which they keep up. */
static double unpacked(const roof_machine *machine, double bandwidth) {
    static const double FLOPS_A_WEIGHT = 28, BYTES_A_WEIGHT = 0.6;
    const roof_figure *vector = roof_machine_peak(machine, ROOF_VECTOR, ROOF_F32);
    if (!vector || !(bandwidth > 0) || roof_machine_peak(machine, ROOF_MATRIX, ROOF_INT8))
        return 1;
    return fmin(1, vector->value / FLOPS_A_WEIGHT * BYTES_A_WEIGHT / bandwidth);
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
                  : kind == FAMILY_NVIDIA ? 0.7
                  : kind == FAMILY_APPLE  ? 1.05
                  : kind == FAMILY_OTHER  ? 0.6
                                          : 0.55;
    double stream = bytes * engine_stream(machine);
    const roof_figure *memory = figure_known(&machine->bandwidth[ROOF_DRAM]);
    local_products(machine, out);
    derive(out, ROOF_CONSTANT_STREAM, stream, "kind of memory and backend");
    derive(out, ROOF_CONSTANT_GEMM, math, "backend");
    derive(out, ROOF_CONSTANT_ATTENTION, 0.17, "llama.cpp");
    derive(out, ROOF_CONSTANT_EXPERTS, 0.45, "llama.cpp");
    derive(out, ROOF_CONSTANT_PACKED_BYTES, mlx ? 1 : unpacked(machine, memory ? stream * memory->value : 0),
           "vector units unpack");
    derive(out, ROOF_CONSTANT_PACKED_MATH, kind == FAMILY_NVIDIA ? 0.6 : 0.8, "llama.cpp");
}

/* ---- collectives ---- */

/* Latency and bytes of a collective by whose code it is: engines bring kernels of their own; launched one by one, they
 * wait for the host; all others call the vendor's library. Fitted to collectives alone; docs/expected.md has the
 * errors. */
typedef struct link_constants {
    double share, latency, peer, two_shot;
} link_constants;

typedef enum link_code { LINK_LIBRARY, LINK_CAPTURED, LINK_LAUNCHED, LINK_CODES } link_code;

static const link_constants over_switch[LINK_CODES] = {
    [LINK_LIBRARY] = {0.65, 5.9e-6, 1.1e-6, 8e-6},
    [LINK_CAPTURED] = {0.70, 4.2e-6, 0.07e-6, 12e-6},
    [LINK_LAUNCHED] = {0.64, 20.4e-6, 0.41e-6, 4.8e-6},
};
static const link_constants over_bus[LINK_CODES] = {
    [LINK_LIBRARY] = {0.60, 4.9e-6, 1.7e-6, 0},
    [LINK_CAPTURED] = {0.47, 5.0e-6, 3.0e-6, 10e-6},
    [LINK_LAUNCHED] = {0.63, 20.4e-6, 2.6e-6, 0}, /* not measured: the bus of the one, the host of the other */
};

static link_code code_of(roof_engine engine) {
    switch (engine) {
    case ROOF_ENGINE_GRAPH:
    case ROOF_ENGINE_SERVING:
    case ROOF_ENGINE_CPP:
        return LINK_CAPTURED;
    case ROOF_ENGINE_EAGER:
        return LINK_LAUNCHED;
    default:
        return LINK_LIBRARY;
    }
}

static void links(const roof_machine *machine, roof_constants *out) {
    const link_constants *of = &(has_switch(machine) ? over_switch : over_bus)[code_of(out->engine)];
    const char *source = "all-reduces on A100, H100, H200 and L40S";
    derive(out, ROOF_CONSTANT_LINK, of->share, source);
    derive(out, ROOF_CONSTANT_LINK_LATENCY, of->latency, source);
    derive(out, ROOF_CONSTANT_LINK_PEER, of->peer, source);
    derive(out, ROOF_CONSTANT_LINK_TWO_SHOT, of->two_shot, source);
    derive(out, ROOF_CONSTANT_SKEW, is_alone(out) ? 0 : 14e-6, "models in engines");
    derive(out, ROOF_CONSTANT_OTHERS, 0.9, "serving at a concurrency");
}

/* ---- intervals ---- */

typedef struct interval {
    double low, high;
} interval;

static const interval intervals[ROOF_REGIME_COUNT] = {
    [ROOF_REGIME_GEMM] = {0.86, 1.20},
    [ROOF_REGIME_PREFILL_ATTENTION] = {0.77, 1.24},
    [ROOF_REGIME_DECODE_ATTENTION] = {0.81, 1.16},
    [ROOF_REGIME_EXPERTS] = {0.64, 1.62},
    [ROOF_REGIME_COLLECTIVE] = {0.68, 1.65},
    [ROOF_REGIME_OPERATION] = {0.82, 1.50},
    [ROOF_REGIME_PREFILL] = {0.82, 1.56},
    [ROOF_REGIME_DECODE] = {0.85, 1.14},
    [ROOF_REGIME_RUN] = {0.93, 1.33},
    [ROOF_REGIME_TPOT] = {0.80, 1.24},
    [ROOF_REGIME_LOAD] = {0.70, 1.16},
    [ROOF_REGIME_LLAMA_PREFILL] = {0.79, 1.47},
    [ROOF_REGIME_LLAMA_DECODE] = {0.83, 1.13},
};

/* A machine or an engine unlike those the constants were fitted on: the residuals of a generation that is left out are
 * about half as wide again. */
static const double unlike = 1.5;

/* Models on hardware or in an engine that no row was of: as many times the logarithm. */
static double widened(const roof_constants *constants) {
    double machine = constants->known_machine ? 1 : unlike;
    return constants->engine == ROOF_ENGINE_UNKNOWN ? unlike * machine : machine;
}

static bool is_of_model(int regime) {
    return regime >= ROOF_REGIME_PREFILL;
}

/* Boards without HBM run into their power limit sooner: more of their products and prefills take longer. */
static const double throttled = 0.10;

static bool throttles(const roof_machine *machine, int regime) {
    return !contains(machine->memory_kind, "HBM") &&
           (regime == ROOF_REGIME_GEMM || regime == ROOF_REGIME_PREFILL_ATTENTION);
}

/* A kernel on a vendor that no row was of. */
static double widened_kernel(const roof_machine *machine) {
    return family_of(machine) == FAMILY_NVIDIA ? 1 : unlike;
}

static void spread(const roof_machine *machine, roof_constants *out) {
    for (int i = 0; i < ROOF_REGIME_COUNT; i++) {
        double wide = is_of_model(i) ? widened(out) : i == ROOF_REGIME_COLLECTIVE ? 1 : widened_kernel(machine);
        out->low[i] = pow(intervals[i].low, wide);
        out->high[i] = pow(intervals[i].high + (throttles(machine, i) ? throttled : 0), wide);
    }
}

/* Runs of its like were among those the defaults were chosen on. */
static bool known(const roof_machine *machine, roof_engine class) {
    family kind = family_of(machine);
    bool local = class == ROOF_ENGINE_LLAMA_CPP || class == ROOF_ENGINE_MLX;
    return kind == FAMILY_NVIDIA || kind == FAMILY_APPLE || (kind == FAMILY_RDNA && local);
}

static void calibrated(const roof_machine *machine, roof_constants *out) {
    for (size_t i = 0; i < machine->calibration_count; i++) {
        const roof_calibration *known = &machine->calibration[i];
        if (known->engine != out->engine)
            continue;
        for (int c = 0; c < ROOF_CONSTANT_COUNT; c++)
            if (known->value[c].origin != ROOF_ORIGIN_UNKNOWN)
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
    if (figure_known(&machine->launch))
        out->value[ROOF_CONSTANT_LAUNCH] = machine->launch;
    links(machine, out);
    out->known_machine = known(machine, class);
    spread(machine, out);
    if (is_cpu(machine))
        host_constants(machine, out);
    calibrated(machine, out);
}
