/* The ground of the room: what a kind of operation is, how times meet, and what every term is made of. It calls no
 * other file but the tables.
 */
#include <math.h>

#include "core/machine.h"
#include "expect/defaults.h"
#include "expect/expect.h"
#include "work/ops.h"

/* ---- what an operation is ---- */

bool is_product(roof_kind kind) {
    return kind == ROOF_KIND_GEMM || kind == ROOF_KIND_GEMV || kind == ROOF_KIND_GROUPED_GEMM;
}

bool is_packed(const roof_operation *operation) {
    return is_product(operation->kind) && operation->weight_bytes > 0 &&
           dtype_bits(operation->dtype[DTYPE_B]) < dtype_bits(operation->matrix_dtype);
}

bool is_handed_over(const roof_operation *operation) {
    const double *shape = operation->shape;
    return shape[ATTENTION_APPEND] > 0 || shape[ATTENTION_QK_WIDTH] > shape[ATTENTION_V_WIDTH];
}

roof_regime regime_of(const roof_operation *operation) {
    switch (operation->kind) {
    case ROOF_KIND_GEMM:
    case ROOF_KIND_GEMV:
        return ROOF_REGIME_GEMM;
    case ROOF_KIND_GROUPED_GEMM:
        return ROOF_REGIME_EXPERTS;
    case ROOF_KIND_ATTENTION:
        return operation->shape[ATTENTION_Q_LEN] > assumed(DECODE_QUERIES) ? ROOF_REGIME_PREFILL_ATTENTION
                                                                           : ROOF_REGIME_DECODE_ATTENTION;
    case ROOF_KIND_ALL_REDUCE:
    case ROOF_KIND_ALL_GATHER:
    case ROOF_KIND_REDUCE_SCATTER:
    case ROOF_KIND_ALL_TO_ALL:
    case ROOF_KIND_POINT_TO_POINT:
        return ROOF_REGIME_COLLECTIVE;
    default:
        return ROOF_REGIME_OPERATION;
    }
}

/* ---- launches ---- */

/* A prefill splits what the projections hand over and writes the cache before it multiplies; a decode step writes the
 * cache (one row of a latent one, else two a head), splits the keys among the units and adds the parts up. */
static double attention_kernels(const roof_operation *operation) {
    if (operation->shape[ATTENTION_UNFUSED] > 0)
        return assumed(ATTENTION_UNFUSED_KERNELS);
    if (regime_of(operation) == ROOF_REGIME_PREFILL_ATTENTION)
        return assumed(is_handed_over(operation) ? ATTENTION_HANDED_OVER_KERNELS : ATTENTION_BARE_KERNELS);
    return operation->shape[ATTENTION_LATENT] > 0 ? assumed(ATTENTION_LATENT_KERNELS)
                                                  : assumed(ATTENTION_DECODE_KERNELS);
}

double kernels_of(const roof_constants *constants, const roof_operation *operation) {
    bool alone = is_alone(constants);
    switch (operation->kind) {
    case ROOF_KIND_ATTENTION:
        if (alone || operation->shape[ATTENTION_UNFUSED] > 0)
            return attention_kernels(operation);
        return assumed(ATTENTION_ENGINE_KERNELS);
    case ROOF_KIND_GROUPED_GEMM:
        return assumed(alone ? EXPERTS_KERNELS : EXPERTS_ENGINE_KERNELS);
    default:
        return 1;
    }
}

/* ---- times ---- */

double pass_seconds(const roof_machine *machine, const roof_constants *constants, double bytes) {
    const roof_figure *dram = figure_known(&machine->bandwidth[ROOF_DRAM]);
    return dram ? bytes / (dram->value * constant_of(constants, ROOF_CONSTANT_STREAM)) : 0;
}

double together(double a, double b, double p) {
    double more = fmax(a, b), less = fmin(a, b);
    if (p <= 1 || !(less > 0))
        return a + b;
    double ratio = less / more;
    if (p == 3) /* the default, without two calls of pow() */
        return more * cbrt(1 + ratio * ratio * ratio);
    return more * pow(1 + pow(ratio, p), 1 / p);
}

void expected_add(roof_expected *sum, const roof_expected *one, double count) {
    for (int i = 0; i < ROOF_TERM_COUNT; i++)
        sum->term[i] += count * one->term[i];
    sum->kernels += count * one->kernels;
    sum->least += count * one->least;
}

void expected_finish(roof_expected *expected, const roof_constants *constants, roof_regime regime) {
    expected->seconds = 0;
    for (int i = 0; i < ROOF_TERM_COUNT; i++)
        expected->seconds += expected->term[i];
    expected->regime = regime;
    expected->confidence = assumed(CONFIDENCE);
    expected->low = fmin(fmax(expected->seconds * constants->low[regime], expected->least), expected->seconds);
    expected->high = expected->seconds * constants->high[regime];
    if (regime == ROOF_REGIME_DECODE_ATTENTION) /* how many kernels split the keys differs most where they are few */
        expected->high += assumed(LONGER_LAUNCHES) * expected->term[ROOF_TERM_LAUNCH];
}
