/* Expected time of one operation, term by term. Formula: docs/expected.md, "One operation". */
#include <math.h>

#include "core/machine.h"
#include "expect/expect.h"
#include "work/ops.h"

static roof_constant matrix_constant(roof_dtype dtype) {
    double bits = roof_dtype_bits(roof_dtype_math(dtype));
    if (bits > 16)
        return ROOF_CONSTANT_MATRIX_32;
    return bits > 8 ? ROOF_CONSTANT_MATRIX_16 : bits > 4.5 ? ROOF_CONSTANT_MATRIX_8 : ROOF_CONSTANT_MATRIX_4;
}

static bool is_product(roof_kind kind) {
    return kind == ROOF_GEMM || kind == ROOF_GEMV || kind == ROOF_GROUPED_GEMM;
}

/* Weights narrower than what they are multiplied in are unpacked first. */
static bool is_packed(const roof_operation *operation) {
    return is_product(operation->kind) && operation->weight_bytes > 0 &&
           roof_dtype_bits(operation->dtype[DTYPE_B]) < roof_dtype_bits(operation->matrix_dtype);
}

/* What of the compute roof the kind reaches. */
static double compute_share(const roof_constants *constants, const roof_operation *operation) {
    double matrix = constant_of(constants, matrix_constant(operation->matrix_dtype));
    if (operation->kind == ROOF_ATTENTION)
        return matrix * constant_of(constants, ROOF_CONSTANT_ATTENTION);
    if (operation->kind == ROOF_GROUPED_GEMM)
        matrix *= constant_of(constants, ROOF_CONSTANT_EXPERTS);
    else if (is_product(operation->kind))
        matrix *= constant_of(constants, ROOF_CONSTANT_GEMM);
    return is_packed(operation) ? matrix * constant_of(constants, ROOF_CONSTANT_PACKED_MATH) : matrix;
}

static double memory_share(const roof_constants *constants, const roof_operation *operation) {
    double stream = constant_of(constants, ROOF_CONSTANT_STREAM);
    return is_packed(operation) ? stream * constant_of(constants, ROOF_CONSTANT_PACKED_BYTES) : stream;
}

double together(double a, double b, double p) {
    double more = fmax(a, b), less = fmin(a, b);
    if (p <= 1 || !(less > 0))
        return a + b;
    return more * pow(1 + pow(less / more, p), 1 / p);
}

roof_regime regime_of(const roof_operation *operation) {
    switch (operation->kind) {
    case ROOF_GEMM:
    case ROOF_GEMV:
        return ROOF_REGIME_GEMM;
    case ROOF_GROUPED_GEMM:
        return ROOF_REGIME_EXPERTS;
    case ROOF_ATTENTION:
        return operation->shape[ATTENTION_Q_LEN] > 16 ? ROOF_REGIME_PREFILL_ATTENTION : ROOF_REGIME_DECODE_ATTENTION;
    case ROOF_ALL_REDUCE:
    case ROOF_ALL_GATHER:
    case ROOF_REDUCE_SCATTER:
    case ROOF_ALL_TO_ALL:
    case ROOF_POINT_TO_POINT:
        return ROOF_REGIME_COLLECTIVE;
    default:
        return ROOF_REGIME_OPERATION;
    }
}

void expected_add(roof_expected *sum, const roof_expected *one, double count) {
    for (int i = 0; i < ROOF_TERM_COUNT; i++)
        sum->term[i] += count * one->term[i];
    sum->kernels += count * one->kernels;
}

void expected_finish(roof_expected *expected, const roof_constants *constants, roof_regime regime) {
    expected->seconds = 0;
    for (int i = 0; i < ROOF_TERM_COUNT; i++)
        expected->seconds += expected->term[i];
    expected->regime = regime;
    expected->confidence = 0.8;
    expected->low = expected->seconds * constants->low[regime];
    expected->high = expected->seconds * constants->high[regime];
}

static void collective_terms(const roof_machine *machine, const roof_constants *constants,
                             const roof_operation *operation, roof_expected *out) {
    double devices = operation->shape[COLLECTIVE_DEVICES];
    out->term[ROOF_TERM_COLLECTIVE] =
        roof_collective_seconds(machine, constants, operation->kind, operation->shape[COLLECTIVE_BYTES], devices);
    out->term[ROOF_TERM_SKEW] = devices > 1 ? constant_of(constants, ROOF_CONSTANT_SKEW) : 0;
}

int expected_terms(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                   roof_expected *out, roof_error *error) {
    roof_verdict verdict;
    if (machine->sustained && is_alone(constants))
        return host_terms(machine, constants, operation, out, error);
    if (roof_judge(machine, operation, &verdict, error))
        return -1;
    *out = (roof_expected){0};
    if (regime_of(operation) == ROOF_REGIME_COLLECTIVE) {
        collective_terms(machine, constants, operation, out);
        return 0;
    }
    double share = verdict.unit == ROOF_VECTOR ? constant_of(constants, ROOF_CONSTANT_VECTOR)
                                               : compute_share(constants, operation);
    double compute = verdict.compute_seconds / share;
    double memory = verdict.memory_seconds / memory_share(constants, operation);
    double both = together(compute, memory, constant_of(constants, ROOF_CONSTANT_OVERLAP));
    kernel_count count = kernels_of(machine, constants, operation);
    out->kernels = count.kernels;
    out->term[ROOF_TERM_COMPUTE] = compute;
    out->term[ROOF_TERM_MEMORY] = memory;
    out->term[ROOF_TERM_OVERLAP] = both - compute - memory;
    out->term[ROOF_TERM_LAUNCH] = count.kernels * constant_of(constants, ROOF_CONSTANT_LAUNCH);
    out->term[ROOF_TERM_PASSES] = count.passes;
    return 0;
}

int roof_expect(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                roof_expected *out, roof_error *error) {
    if (expected_terms(machine, constants, operation, out, error))
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
