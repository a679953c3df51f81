/* Constants of a machine in an engine: what its datasheet tells of the table in defaults.c, what was measured or
 * calibrated in its place, and the intervals. */
#include <math.h>
#include <string.h>

#include "core/machine.h"
#include "expect/defaults.h"
#include "expect/expect.h"

static bool contains(const char *text, const char *word) {
    return text && strstr(text, word);
}

static void derive(roof_constants *out, roof_constant which, double value, const char *source) {
    out->value[which] = (roof_figure){.value = value, .origin = ROOF_ORIGIN_DERIVED, .source = source};
}

/* ---- kinds of hardware, from what a datasheet says ---- */

static expect_family family_of(const roof_machine *machine) {
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

static const expect_default *row_of(const roof_machine *machine, int engine, roof_constant which) {
    return expect_default_of(which, engine, family_of(machine), machine->memory_kind);
}

/* The table's value as it stands. */
static void take(const roof_machine *machine, roof_constant which, roof_constants *out) {
    const expect_default *row = row_of(machine, (int)out->engine, which);
    derive(out, which, row->value, row->source);
}

/* ---- the share of a roof that is sustained ---- */

/* The power limit, not the datasheet's clock, sets the sustained tensor rate: joules a FLOP at 16 bits, by how the
 * generation feeds its tensor units. 0: not known. */
static double joules_a_flop(const roof_machine *machine) {
    if (family_of(machine) != FAMILY_NVIDIA)
        return 0;
    return assumed(reads_shared_memory(machine) ? JOULES_FROM_SHARED_MEMORY : JOULES_FROM_REGISTERS);
}

typedef struct sourced {
    double value;
    const char *source;
} sourced;

/* `energy`: of a FLOP, of that at 16 bits. Where the power limit is not known, the table's value of `which`. */
static sourced sustained(const roof_machine *machine, int engine, roof_constant which, roof_dtype dtype,
                         double energy) {
    const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, dtype);
    const expect_default *row = row_of(machine, engine, which);
    double joules = joules_a_flop(machine) * energy;
    if (!peak || !(joules > 0) || machine->power.origin == ROOF_ORIGIN_UNKNOWN)
        return (sourced){row->value, row->source};
    double part = assumed(POWER_PART) * machine->power.value / (joules * peak->value);
    return (sourced){fmin(assumed(SUSTAINED_MOST), pow(part, assumed(POWER_EXPONENT))), "power limit"};
}

/* ---- an operation alone ---- */

static void alone(const roof_machine *machine, roof_constants *out) {
    static const roof_constant taken[] = {
        ROOF_CONSTANT_STREAM,    ROOF_CONSTANT_MATRIX_32, ROOF_CONSTANT_VECTOR,       ROOF_CONSTANT_GEMM,
        ROOF_CONSTANT_ATTENTION, ROOF_CONSTANT_EXPERTS,   ROOF_CONSTANT_PACKED_BYTES, ROOF_CONSTANT_PACKED_MATH,
        ROOF_CONSTANT_OVERLAP,   ROOF_CONSTANT_LAUNCH,
    };
    bool floats = machine->peak[ROOF_MATRIX][ROOF_FP8].origin != ROOF_ORIGIN_UNKNOWN;
    sourced wide = sustained(machine, ROOF_ENGINE_ALONE, ROOF_CONSTANT_MATRIX_16, ROOF_BF16, 1);
    sourced narrow = sustained(machine, ROOF_ENGINE_ALONE, ROOF_CONSTANT_MATRIX_8, floats ? ROOF_FP8 : ROOF_INT8,
                               assumed(floats ? ENERGY_FLOAT_8 : ENERGY_INT_8));
    sourced least = sustained(machine, ROOF_ENGINE_ALONE, ROOF_CONSTANT_MATRIX_4, ROOF_FP4, assumed(ENERGY_FLOAT_4));
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        take(machine, taken[i], out);
    derive(out, ROOF_CONSTANT_MATRIX_16, wide.value, wide.source);
    derive(out, ROOF_CONSTANT_MATRIX_8, narrow.value, narrow.source);
    derive(out, ROOF_CONSTANT_MATRIX_4, least.value, least.source);
}

/* ---- a model in an engine ---- */

/* Weight-only kernels of 8 and 4 bits spend vector work on every byte they unpack, between the bytes. */
static void unpacked_between(const roof_machine *machine, roof_constants *out) {
    const roof_figure *vector = roof_machine_peak(machine, ROOF_VECTOR, ROOF_F32);
    const roof_figure *memory = figure_known(&machine->bandwidth[ROOF_DRAM]);
    if (vector && memory)
        derive(out, ROOF_CONSTANT_PACKED_BYTES, 1 / (1 + assumed(UNPACK_BYTE_FLOPS) * memory->value / vector->value),
               expect_numbers[UNPACK_BYTE_FLOPS].source);
    else
        take(machine, ROOF_CONSTANT_PACKED_BYTES, out);
}

/* A measured roof is what is sustained. */
static sourced unless_measured(const roof_figure *roof, sourced otherwise) {
    return roof && roof->origin == ROOF_ORIGIN_MEASURED ? (sourced){1, "the roof was measured"} : otherwise;
}

/* Of the datasheet's bandwidth, by kind of memory. */
static sourced engine_stream(const roof_machine *machine) {
    const expect_default *row = row_of(machine, ENGINE_ANY, ROOF_CONSTANT_STREAM);
    return unless_measured(&machine->bandwidth[ROOF_DRAM], (sourced){row->value, row->source});
}

static sourced engine_products(const roof_machine *machine, roof_constant which, roof_dtype dtype, double energy) {
    return unless_measured(roof_machine_peak(machine, ROOF_MATRIX, dtype),
                           sustained(machine, ENGINE_ANY, which, dtype, energy));
}

static void engine(const roof_machine *machine, roof_constants *out) {
    static const roof_constant taken[] = {ROOF_CONSTANT_GEMM,    ROOF_CONSTANT_ATTENTION,   ROOF_CONSTANT_EXPERTS,
                                          ROOF_CONSTANT_OVERLAP, ROOF_CONSTANT_PACKED_MATH, ROOF_CONSTANT_LAUNCH};
    sourced stream = engine_stream(machine), wide, narrow;
    wide = engine_products(machine, ROOF_CONSTANT_MATRIX_16, ROOF_BF16, 1);
    narrow = engine_products(machine, ROOF_CONSTANT_MATRIX_8, ROOF_FP8, assumed(ENERGY_FLOAT_8));
    derive(out, ROOF_CONSTANT_STREAM, stream.value, stream.source);
    derive(out, ROOF_CONSTANT_MATRIX_32, wide.value, wide.source);
    derive(out, ROOF_CONSTANT_MATRIX_16, wide.value, wide.source);
    derive(out, ROOF_CONSTANT_MATRIX_8, narrow.value, narrow.source);
    derive(out, ROOF_CONSTANT_MATRIX_4, narrow.value, narrow.source);
    derive(out, ROOF_CONSTANT_VECTOR, wide.value, wide.source);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        take(machine, taken[i], out);
    unpacked_between(machine, out);
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
    const roof_figure *vector = roof_machine_peak(machine, ROOF_VECTOR, ROOF_F32);
    if (!vector || !(bandwidth > 0) || roof_machine_peak(machine, ROOF_MATRIX, ROOF_INT8))
        return 1;
    double weights = vector->value / assumed(UNPACK_WEIGHT_FLOPS);
    return fmin(1, weights * assumed(UNPACK_WEIGHT_BYTES) / bandwidth);
}

/* llama.cpp and MLX by what runs under them, which the vendor tells. Their rows of `stream` are of the rate that the
 * kind of memory streams. */
static void local_engine(const roof_machine *machine, roof_constants *out) {
    const expect_default *bytes = row_of(machine, (int)out->engine, ROOF_CONSTANT_STREAM);
    const roof_figure *memory = figure_known(&machine->bandwidth[ROOF_DRAM]);
    double stream = bytes->value * engine_stream(machine).value;
    bool unpacks = out->engine == ROOF_ENGINE_LLAMA_CPP;
    local_products(machine, out);
    derive(out, ROOF_CONSTANT_STREAM, stream, bytes->source);
    derive(out, ROOF_CONSTANT_PACKED_BYTES, unpacks ? unpacked(machine, memory ? stream * memory->value : 0) : 1,
           "vector units unpack");
}

/* ---- collectives ---- */

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
    const link_constants *of = &expect_links[has_switch(machine)][code_of(out->engine)];
    derive(out, ROOF_CONSTANT_LINK, of->share, of->source);
    derive(out, ROOF_CONSTANT_LINK_LATENCY, of->latency, of->source);
    derive(out, ROOF_CONSTANT_LINK_PEER, of->peer, of->source);
    derive(out, ROOF_CONSTANT_LINK_TWO_SHOT, of->two_shot, of->source);
    take(machine, ROOF_CONSTANT_SKEW, out);
    take(machine, ROOF_CONSTANT_OTHERS, out);
}

/* ---- intervals ---- */

/* Models on hardware or in an engine that no row was of: as many times the logarithm. */
static double widened(const roof_constants *constants) {
    double machine = constants->known_machine ? 1 : assumed(UNLIKE);
    return constants->engine == ROOF_ENGINE_UNKNOWN ? assumed(UNLIKE) * machine : machine;
}

static bool is_of_model(int regime) {
    return regime >= ROOF_REGIME_PREFILL;
}

/* Boards without HBM run into their power limit sooner: more of their products and prefills take longer. */
static bool throttles(const roof_machine *machine, int regime) {
    return !contains(machine->memory_kind, "HBM") &&
           (regime == ROOF_REGIME_GEMM || regime == ROOF_REGIME_PREFILL_ATTENTION);
}

/* A kernel on a vendor that no row was of. */
static double widened_kernel(const roof_machine *machine) {
    return family_of(machine) == FAMILY_NVIDIA ? 1 : assumed(UNLIKE);
}

static void spread(const roof_machine *machine, roof_constants *out) {
    for (int i = 0; i < ROOF_REGIME_COUNT; i++) {
        double wide = is_of_model(i) ? widened(out) : i == ROOF_REGIME_COLLECTIVE ? 1 : widened_kernel(machine);
        out->low[i] = pow(expect_intervals[i].low, wide);
        out->high[i] = pow(expect_intervals[i].high + (throttles(machine, i) ? assumed(THROTTLED) : 0), wide);
    }
}

/* Runs of its like were among those the defaults were chosen on. */
static bool known(const roof_machine *machine, roof_engine class) {
    expect_family kind = family_of(machine);
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
