/* Expected time of one operation on a CPU that was measured: each kind under the rate of its own traffic, not under the
 * best of all. docs/expected.md, "This machine". */
#include <math.h>
#include <string.h>

#include "core/machine.h"
#include "expect/defaults.h"
#include "expect/expect.h"
#include "work/ops.h"

/* ---- memory ---- */

static roof_traffic traffic_of(const roof_operation *operation) {
    switch (operation->kind) {
    case ROOF_KIND_COPY:
    case ROOF_KIND_SCALE:
    case ROOF_KIND_STENCIL:
        return ROOF_TRAFFIC_COPY;
    case ROOF_KIND_ADD:
    case ROOF_KIND_TRIAD:
        return ROOF_TRAFFIC_TRIAD;
    case ROOF_KIND_ELEMENTWISE:
        return operation->shape[ELEMENTWISE_INPUTS] > 1 ? ROOF_TRAFFIC_TRIAD : ROOF_TRAFFIC_COPY;
    default:
        return ROOF_TRAFFIC_READ;
    }
}

static double rate_of(const roof_machine *machine, roof_traffic traffic, roof_level level) {
    double rate = machine->sustained->traffic[traffic][level];
    const roof_figure *roof = figure_known(&machine->bandwidth[level]);
    return rate > 0 ? rate : roof ? roof->value : HUGE_VAL;
}

/* y = a x + y reads x alone, and y where it is written. */
static double axpy_seconds(const roof_machine *machine, double bytes, roof_level level) {
    return bytes / 3 / rate_of(machine, ROOF_TRAFFIC_READ, level) +
           bytes * 2 / 3 / rate_of(machine, ROOF_TRAFFIC_UPDATE, level);
}

static double level_seconds(const roof_machine *machine, const roof_operation *operation, roof_level level) {
    double bytes = operation->bytes[level];
    if (operation->kind == ROOF_KIND_AXPY)
        return axpy_seconds(machine, bytes, level);
    double rate = rate_of(machine, traffic_of(operation), level);
    return bytes / (operation->kind == ROOF_KIND_GEMV ? assumed(ROWS_SHARE) * rate : rate);
}

/* The slowest level. */
static double memory_seconds(const roof_machine *machine, const roof_operation *operation) {
    double most = 0;
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        if (operation->bytes[level] > 0)
            most = fmax(most, level_seconds(machine, operation, (roof_level)level));
    return most;
}

/* ---- the core ---- */

/* Loads that bytes do not tell: of single elements, and of neighbours that are found in L1 again and again. */
static double loads_of(const roof_machine *machine, const roof_operation *operation) {
    const double *shape = operation->shape;
    double lanes = machine->sustained->vector / roof_dtype_bytes(operation->dtype[DTYPE_MAIN]);
    if (operation->kind == ROOF_KIND_SPMV)
        return assumed(SPMV_LOADS) * shape[SPMV_NNZ];
    if (operation->kind == ROOF_KIND_STENCIL && lanes >= 1)
        return assumed(UNALIGNED_LOADS) * shape[STENCIL_POINTS] * shape[STENCIL_NX] * shape[STENCIL_NY] *
               shape[STENCIL_NZ] / lanes;
    return 0;
}

static double multiply_adds(const roof_machine *machine, roof_dtype dtype, double roof) {
    double rate = machine->sustained->fma[roof_dtype_math(dtype)];
    return rate > 0 ? fmin(rate, roof) : roof;
}

static double compute_seconds(const roof_machine *machine, const roof_operation *operation,
                              const roof_verdict *verdict) {
    double flops = roof_operation_flops(operation);
    double roof = verdict->compute_seconds > 0 ? flops / verdict->compute_seconds : HUGE_VAL;
    double share = operation->kind == ROOF_KIND_GEMM ? assumed(BLAS_SHARE) : 1;
    return flops / (share * multiply_adds(machine, verdict->dtype, roof));
}

static double load_seconds(const roof_machine *machine, const roof_operation *operation) {
    double loads = machine->sustained->loads;
    return loads > 0 ? loads_of(machine, operation) / loads : 0;
}

/* The next cache's latency is hidden behind loads of whole vectors, that of DRAM is not: there the time of the loads
 * adds to that of the traffic. Single elements leave the path free. */
static double overlap_of(const roof_constants *constants, const roof_operation *operation) {
    bool added = operation->kind == ROOF_KIND_STENCIL && operation->bytes[ROOF_DRAM] > 0;
    return added ? 1 : constant_of(constants, ROOF_CONSTANT_OVERLAP);
}

/* A product's operands are copied into blocks first, and its result is read again: each twice across L2. Every thread
 * packs all of B. */
static double packing_seconds(const roof_machine *machine, const roof_operation *operation) {
    const double *shape = operation->shape;
    if (operation->kind != ROOF_KIND_GEMM)
        return 0;
    double a = shape[GEMM_M] * shape[GEMM_K], b = shape[GEMM_K] * shape[GEMM_N], c = shape[GEMM_M] * shape[GEMM_N];
    double bytes =
        shape[GEMM_BATCH] * (a + machine->sustained->threads * b + c) * roof_dtype_bytes(operation->dtype[DTYPE_MAIN]);
    return assumed(PACKING_PASSES) * bytes / rate_of(machine, ROOF_TRAFFIC_READ, ROOF_L2);
}

int host_terms(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
               roof_expected *out, roof_error *error) {
    roof_verdict verdict;
    if (roof_judge(machine, operation, &verdict, error))
        return -1;
    double memory = memory_seconds(machine, operation);
    double compute = fmax(compute_seconds(machine, operation, &verdict), load_seconds(machine, operation));
    *out = (roof_expected){.kernels = 1, .least = verdict.seconds};
    out->term[ROOF_TERM_COMPUTE] = compute;
    out->term[ROOF_TERM_MEMORY] = memory;
    out->term[ROOF_TERM_OVERLAP] = together(compute, memory, overlap_of(constants, operation)) - compute - memory;
    out->term[ROOF_TERM_LAUNCH] = constant_of(constants, ROOF_CONSTANT_LAUNCH);
    out->term[ROOF_TERM_PASSES] = packing_seconds(machine, operation);
    return 0;
}

/* ---- constants ---- */

static void measured(roof_constants *out, roof_constant which, double value) {
    out->value[which] = (roof_figure){.value = value, .origin = ROOF_ORIGIN_MEASURED, .source = "measured"};
}

/* Entering a loop, and the meeting of its threads: of measured runs of operations on a few thousand elements. */
static double launch_seconds(int threads) {
    return assumed(LOOP_SECONDS) + assumed(MEETING_SECONDS) * log2(fmax(threads, 1));
}

/* Nothing is launched on a CPU: its threads meet. */
static void meet(const roof_machine *machine, int threads, roof_constants *out) {
    if (is_alone(out) && !figure_known(&machine->launch))
        out->value[ROOF_CONSTANT_LAUNCH] = (roof_figure){
            .value = launch_seconds(threads), .origin = ROOF_ORIGIN_DERIVED, .source = "threads of a CPU meet"};
}

static void sustained_constants(const roof_machine *machine, roof_constants *out) {
    const roof_sustained *sustained = machine->sustained;
    const roof_figure *roof = figure_known(&machine->bandwidth[ROOF_DRAM]);
    double read = sustained->traffic[ROOF_TRAFFIC_READ][ROOF_DRAM];
    if (roof && read > 0)
        measured(out, ROOF_CONSTANT_STREAM, fmin(1, read / roof->value));
    const roof_figure *peak = machine_peak(machine, ROOF_VECTOR, ROOF_F32);
    if (peak && sustained->fma[ROOF_F32] > 0) {
        double share = fmin(1, sustained->fma[ROOF_F32] / peak->value);
        measured(out, ROOF_CONSTANT_VECTOR, share);
        measured(out, ROOF_CONSTANT_MATRIX_32, assumed(BLAS_SHARE) * share);
        measured(out, ROOF_CONSTANT_MATRIX_16, assumed(BLAS_SHARE) * share);
    }
    for (int i = 0; i < ROOF_REGIME_COUNT; i++)
        if (is_alone(out))
            out->low[i] = assumed(HOST_LOW), out->high[i] = assumed(HOST_HIGH);
    meet(machine, sustained->threads, out);
}

bool is_cpu(const roof_machine *machine) {
    return machine->sustained || (machine->scope && strcmp(machine->scope, "socket") == 0);
}

void host_constants(const roof_machine *machine, roof_constants *out) {
    const roof_figure *cores = figure_known(&machine->units);
    if (machine->sustained)
        sustained_constants(machine, out);
    else
        meet(machine, cores ? (int)cores->value : 1, out);
}
