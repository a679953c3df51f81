/* Expected time of one operation, term by term. Formula: docs/expected.md, "One operation". */
#include <math.h>

#include "core/judge.h"
#include "core/machine.h"
#include "expect/expect.h"
#include "work/ops.h"

#define FOUR_BITS 4.5 /* an element of four bits with its share of a block's scale: nvfp4 */

static roof_constant matrix_constant(roof_dtype dtype) {
    double bits = dtype_bits(dtype_of(dtype)->math);
    if (bits > 16)
        return ROOF_CONSTANT_MATRIX_32;
    return bits > 8 ? ROOF_CONSTANT_MATRIX_16 : bits > FOUR_BITS ? ROOF_CONSTANT_MATRIX_8 : ROOF_CONSTANT_MATRIX_4;
}

/* What of the compute roof the kind reaches. */
static double compute_share(const roof_constants *constants, const roof_operation *operation) {
    double matrix = constant_of(constants, matrix_constant(operation->matrix_dtype));
    if (operation->kind == ROOF_KIND_ATTENTION)
        return matrix * constant_of(constants, ROOF_CONSTANT_ATTENTION);
    if (operation->kind == ROOF_KIND_GROUPED_GEMM)
        matrix *= constant_of(constants, ROOF_CONSTANT_EXPERTS);
    else if (is_product(operation->kind))
        matrix *= constant_of(constants, ROOF_CONSTANT_GEMM);
    return is_packed(operation) ? matrix * constant_of(constants, ROOF_CONSTANT_PACKED_MATH) : matrix;
}

/* llama.cpp multiplies quantised weights as 16-bit floats, with sums in 16 bits where those are faster. */
static double sums_in_16_bits(const roof_machine *machine, const roof_constants *constants,
                              const roof_operation *operation) {
    if (!is_packed(operation) || operation->narrow_accumulate || dtype_bits(operation->matrix_dtype) != 16)
        return 1;
    return narrow_gain(machine, constants->engine);
}

static double memory_share(const roof_constants *constants, const roof_operation *operation) {
    double stream = constant_of(constants, ROOF_CONSTANT_STREAM);
    return is_packed(operation) ? stream * constant_of(constants, ROOF_CONSTANT_PACKED_BYTES) : stream;
}

/* Where the machine states a latency of its link, or the algorithm was asked for, the bound's time is the least. */
static void collective_terms(const roof_machine *machine, const roof_constants *constants,
                             const roof_operation *operation, const judge_parts *parts, roof_expected *out) {
    bool one_way = operation->kind == ROOF_KIND_POINT_TO_POINT; /* says its bytes alone */
    double devices = one_way ? 2 : operation->shape[COLLECTIVE_DEVICES];
    double bytes = operation->shape[one_way ? 0 : COLLECTIVE_BYTES];
    double seconds = roof_collective_seconds(machine, constants, operation->kind, bytes, devices);
    out->term[ROOF_TERM_COLLECTIVE] = fmax(seconds, parts->seconds);
    out->term[ROOF_TERM_SKEW] = devices > 1 ? constant_of(constants, ROOF_CONSTANT_SKEW) : 0;
}

static kernel_time kernel_times(const roof_machine *machine, const roof_constants *constants,
                                const roof_operation *operation, const judge_parts *parts) {
    double matrix = compute_share(constants, operation);
    bool product = is_product(operation->kind) || operation->kind == ROOF_KIND_ATTENTION;
    bool vector = parts->unit == ROOF_VECTOR && !(product && is_alone(constants));
    double share = vector ? constant_of(constants, ROOF_CONSTANT_VECTOR) : matrix;
    share *= sums_in_16_bits(machine, constants, operation);
    kernel_time time = {.compute = parts->compute / share,
                        .memory = parts->memory / memory_share(constants, operation),
                        .kernels = kernels_of(constants, operation)};
    if (!is_alone(constants))
        return time;
    if (operation->kind == ROOF_KIND_GEMM)
        gemm_alone(machine, constants, operation, &time);
    else if (operation->kind == ROOF_KIND_ATTENTION)
        attention_alone(machine, constants, operation, matrix, &time);
    else if (operation->kind == ROOF_KIND_GROUPED_GEMM)
        experts_alone(machine, constants, operation, &time);
    return time;
}

static void fill_terms(const roof_constants *constants, kernel_time time, roof_expected *out) {
    out->kernels = time.kernels;
    out->fill = time.fill;
    out->term[ROOF_TERM_COMPUTE] = time.compute;
    out->term[ROOF_TERM_MEMORY] = time.memory;
    double both = together(time.compute, time.memory, constant_of(constants, ROOF_CONSTANT_OVERLAP));
    out->term[ROOF_TERM_OVERLAP] = both - time.compute - time.memory;
    out->term[ROOF_TERM_LAUNCH] = time.kernels * constant_of(constants, ROOF_CONSTANT_LAUNCH);
    out->term[ROOF_TERM_PASSES] = time.passes;
}

/* No execution takes less: of experts, one that touches the fewest. */
static double least_of(const roof_operation *operation, const judge_parts *parts) {
    double bytes = operation->bytes[ROOF_DRAM];
    if (operation->kind != ROOF_KIND_GROUPED_GEMM || !(operation->least_bytes < bytes))
        return parts->seconds;
    return fmax(parts->compute, parts->memory * operation->least_bytes / bytes);
}

int expected_terms(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                   roof_expected *out, double *bound, roof_error *error) {
    judge_parts parts;
    if (machine->sustained && is_alone(constants)) {
        int failed = host_terms(machine, constants, operation, out, error);
        *bound = out->least;
        return failed;
    }
    if (judge_apart(machine, operation, &parts, error))
        return -1;
    *bound = parts.seconds;
    *out = (roof_expected){.least = least_of(operation, &parts)};
    if (regime_of(operation) == ROOF_REGIME_COLLECTIVE) {
        collective_terms(machine, constants, operation, &parts, out);
        return 0;
    }
    fill_terms(constants, kernel_times(machine, constants, operation, &parts), out);
    return 0;
}

int roof_expect(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                roof_expected *out, roof_error *error) {
    double bound;
    if (expected_terms(machine, constants, operation, out, &bound, error))
        return -1;
    expected_finish(out, constants, regime_of(operation));
    return 0;
}

/* The regime with the most seconds gives the interval of a list. */
int roof_expect_operations(const roof_machine *machine, const roof_constants *constants,
                           const roof_operation *operations, size_t count, roof_expected *out, roof_error *error) {
    double of_regime[ROOF_REGIME_COUNT] = {0};
    roof_regime most = ROOF_REGIME_OPERATION;
    *out = (roof_expected){0};
    for (size_t i = 0; i < count; i++) {
        roof_expected one;
        if (roof_expect(machine, constants, &operations[i], &one, error))
            return -1;
        expected_add(out, &one, operations[i].count);
        of_regime[one.regime] += operations[i].count * one.seconds;
        if (of_regime[one.regime] > of_regime[most])
            most = one.regime;
    }
    expected_finish(out, constants, most);
    return 0;
}
