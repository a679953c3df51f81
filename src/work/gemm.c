/* Matrix products: weight formats, gemm, grouped gemm (experts). Formulas: docs/model.md, "Every kind". */
#include <math.h>

#include "work/kinds.h"
#include "work/ops.h"

/* Microscaling types: one 8-bit scale a block along the inputs (OCP MX v1.0: 32; NVFP4: 16). */
static roof_format block_scaled(roof_dtype dtype, double bits, double block) {
    return (roof_format){.name = roof_dtype_name(dtype),
                         .dtype = dtype,
                         .bits = bits,
                         .block_rows = 1,
                         .block_cols = block,
                         .scale_bits = 8,
                         .math = dtype};
}

roof_format roof_format_plain(roof_dtype dtype) {
    roof_format format = {.name = roof_dtype_name(dtype), .dtype = dtype, .bits = dtype_bits(dtype)};
    switch (dtype) {
    case ROOF_MXFP8:
        return block_scaled(dtype, 8, 32);
    case ROOF_MXFP6:
        return block_scaled(dtype, 6, 32);
    case ROOF_MXFP4:
        return block_scaled(dtype, 4, 32);
    case ROOF_NVFP4:
        return block_scaled(dtype, 4, 16);
    case ROOF_FP8:
    case ROOF_FP8_E5M2:
    case ROOF_FP6:
    case ROOF_FP4:
    case ROOF_INT8:
        format.math = dtype;
        return format;
    default:
        return format;
    }
}

/* Blocks along one side; a block of 0 spans all of it. */
static double blocks(double length, double block) {
    return block > 0 ? ceil(length / block) : 1;
}

double roof_format_bytes(const roof_format *format, double rows, double cols) {
    if (!(rows > 0 && cols > 0) || format->unknown) /* what is not known adds nothing; whoever asks says "at least" */
        return 0;
    double bits = rows * cols * format->bits;
    double extra = format->scale_bits + format->zero_bits;
    if (extra > 0)
        bits += blocks(rows, format->block_rows) * blocks(cols, format->block_cols) * extra;
    return bits / 8;
}

/* Said, else what the weight format multiplies in (weight-only formats: the activations' dtype), else the wider
 * operand. */
static roof_dtype gemm_math(roof_dtype said, const roof_format *weights, roof_dtype a, roof_dtype b) {
    if (said != ROOF_DTYPE_NONE)
        return said;
    if (weights)
        return weights->math != ROOF_DTYPE_NONE ? weights->math : a;
    return work_wider(a, b);
}

static void store_format(double *at, const roof_format *format) {
    at[FORMAT_BITS] = format->bits;
    at[FORMAT_BLOCK_ROWS] = format->block_rows;
    at[FORMAT_BLOCK_COLS] = format->block_cols;
    at[FORMAT_SCALE_BITS] = format->scale_bits;
    at[FORMAT_ZERO_BITS] = format->zero_bits;
}

static void store_dtypes(roof_operation *out, roof_dtype a, roof_dtype b, roof_dtype c, roof_dtype math) {
    out->dtype[DTYPE_MAIN] = out->dtype[DTYPE_A] = a;
    out->dtype[DTYPE_B] = b;
    out->dtype[DTYPE_C] = c;
    out->dtype[DTYPE_GEMM_MATH] = out->matrix_dtype = math;
    out->vector_dtype = work_vector_dtype(c);
}

/* A model's biases are read as they are stored, which may be wider than what is written. */
static double bias_bytes(roof_dtype stored, roof_dtype c) {
    return dtype_bytes(stored != ROOF_DTYPE_NONE ? stored : c);
}

void roof_gemm(const roof_gemm_shape *shape, roof_operation *out) {
    double m = shape->m, n = shape->n, k = shape->k, batch = shape->batch;
    const roof_format *weights = shape->weights;
    roof_dtype a = shape->a, b = weights ? weights->dtype : shape->b, c = shape->c;

    work_start(out, ROOF_KIND_GEMM);
    out->shape[GEMM_M] = m;
    out->shape[GEMM_N] = n;
    out->shape[GEMM_K] = k;
    out->shape[GEMM_BATCH] = batch;
    out->shape[GEMM_BIAS] = shape->bias;
    store_dtypes(out, a, b, c, gemm_math(shape->math, weights, a, b));
    if (weights) {
        out->shape[GEMM_WEIGHTS] = 1;
        store_format(out->shape + GEMM_FORMAT, weights);
        out->at_least = weights->unknown;
    }
    if (!(m > 0 && n > 0))
        return; /* nothing to make, so nothing is read */

    double b_bytes = weights ? roof_format_bytes(weights, n, k) : n * k * dtype_bytes(b);
    if (shape->bias) {
        b_bytes += n * bias_bytes(shape->bias_dtype, c);
        out->vector_flops = batch * m * n;
    }
    out->matrix_flops = 2 * batch * m * n * k;
    out->weight_bytes = weights ? batch * b_bytes : 0;
    work_bytes(out, batch * (m * k * dtype_bytes(a) + b_bytes + m * n * dtype_bytes(c)));
}

double roof_experts_touched(double experts, double top_k, double tokens) {
    if (!(tokens > 0 && experts > 0 && top_k > 0))
        return 0;
    double most = fmin(experts, top_k * tokens);
    if (top_k >= experts)
        return most;
    /* E (1 - (1 - k/E)^T), without losing digits when k/E is small */
    double expected = -experts * expm1(tokens * log1p(-top_k / experts));
    return fmin(fmax(expected, fmin(top_k, most)), most);
}

void roof_grouped_gemm(const roof_grouped_gemm_shape *shape, roof_operation *out) {
    double n = shape->n, k = shape->k, matrices = shape->matrices, routed = shape->tokens * shape->top_k;
    roof_format plain;
    const roof_format *weights = shape->weights;
    if (!weights) {
        plain = roof_format_plain(shape->b);
        plain.math = ROOF_DTYPE_NONE;
        weights = &plain;
    }

    work_start(out, ROOF_KIND_GROUPED_GEMM);
    out->shape[GROUPED_TOKENS] = shape->tokens;
    out->shape[GROUPED_EXPERTS] = shape->experts;
    out->shape[GROUPED_TOP_K] = shape->top_k;
    out->shape[GROUPED_N] = n;
    out->shape[GROUPED_K] = k;
    out->shape[GROUPED_MATRICES] = matrices;
    out->shape[GROUPED_TOUCHED] = shape->touched;
    out->shape[GROUPED_BIAS] = shape->bias;
    store_format(out->shape + GROUPED_FORMAT, weights);
    out->at_least = weights->unknown;
    roof_dtype b = weights->dtype;
    store_dtypes(out, shape->a, b, shape->c, gemm_math(shape->math, shape->weights, shape->a, b));
    if (!(routed > 0 && n > 0))
        return;

    double most = fmin(shape->experts, routed), least = fmin(shape->top_k, most);
    double touched =
        shape->touched > 0 ? shape->touched : roof_experts_touched(shape->experts, shape->top_k, shape->tokens);
    if (shape->touched > 0)
        least = most = touched;
    double expert =
        matrices * (roof_format_bytes(weights, n, k) + (shape->bias ? n * bias_bytes(shape->bias_dtype, shape->c) : 0));
    double rest = routed * (k * dtype_bytes(shape->a) + matrices * n * dtype_bytes(shape->c));
    out->matrix_flops = 2 * routed * n * k * matrices;
    out->vector_flops = shape->bias ? routed * n * matrices : 0;
    out->weight_bytes = touched * expert;
    out->bytes[ROOF_DRAM] = out->weight_bytes + rest;
    out->least_bytes = least * expert + rest;
    out->most_bytes = most * expert + rest;
}

/* The format a shape carries; what it leaves out (bits 0) is that of the plain dtype. */
static roof_format load_format(const double *at, roof_dtype dtype) {
    roof_format format = roof_format_plain(dtype);
    if (at[FORMAT_BITS] > 0)
        format.bits = at[FORMAT_BITS];
    if (at[FORMAT_BITS] + at[FORMAT_SCALE_BITS] + at[FORMAT_ZERO_BITS] > 0) {
        format.block_rows = at[FORMAT_BLOCK_ROWS];
        format.block_cols = at[FORMAT_BLOCK_COLS];
        format.scale_bits = at[FORMAT_SCALE_BITS];
        format.zero_bits = at[FORMAT_ZERO_BITS];
    }
    return format;
}

double work_format_blocks(const roof_operation *operation) {
    bool grouped = operation->kind == ROOF_KIND_GROUPED_GEMM;
    const double *format = operation->shape + (grouped ? GROUPED_FORMAT : GEMM_FORMAT);
    if (!(format[FORMAT_SCALE_BITS] + format[FORMAT_ZERO_BITS] > 0))
        return 0;
    return blocks(operation->shape[grouped ? GROUPED_N : GEMM_N], format[FORMAT_BLOCK_ROWS]) *
           blocks(operation->shape[grouped ? GROUPED_K : GEMM_K], format[FORMAT_BLOCK_COLS]);
}

void work_gemm_cost(roof_operation *operation) {
    const double *shape = operation->shape;
    const double *at = shape + GEMM_FORMAT;
    roof_format format = load_format(at, operation->dtype[DTYPE_B]);
    bool weights = shape[GEMM_WEIGHTS] > 0 || at[FORMAT_BITS] + at[FORMAT_SCALE_BITS] + at[FORMAT_ZERO_BITS] > 0;
    roof_gemm_shape gemm = {
        .batch = shape[GEMM_BATCH],
        .m = shape[GEMM_M],
        .n = shape[GEMM_N],
        .k = shape[GEMM_K],
        .a = operation->dtype[DTYPE_A],
        .b = operation->dtype[DTYPE_B],
        .c = operation->dtype[DTYPE_C],
        .math = operation->dtype[DTYPE_GEMM_MATH],
        .bias = shape[GEMM_BIAS] > 0,
        .weights = weights ? &format : NULL,
    };
    if (gemm.math == ROOF_DTYPE_NONE) /* operands speak for themselves here: int4 for B alone is weight-only */
        gemm.math = work_wider(gemm.a, gemm.b);
    bool narrow = shape[GEMM_NARROW] > 0;
    roof_gemm(&gemm, operation);
    operation->shape[GEMM_NARROW] = operation->narrow_accumulate = narrow;
}

/* y = A x: a gemm with one column, with A as the weights. */
void work_gemv_cost(roof_operation *operation) {
    double m = operation->shape[GEMV_M], n = operation->shape[GEMV_N], batch = operation->shape[GEMV_BATCH];
    roof_dtype a = operation->dtype[DTYPE_A], x = operation->dtype[DTYPE_B], y = operation->dtype[DTYPE_C];
    roof_dtype math = operation->dtype[DTYPE_GEMM_MATH];
    store_dtypes(operation, a, x, y, math != ROOF_DTYPE_NONE ? math : work_wider(a, x));
    if (!(m > 0))
        return;
    operation->matrix_flops = 2 * batch * m * n;
    work_bytes(operation, batch * (m * n * dtype_bytes(a) + n * dtype_bytes(x) + m * dtype_bytes(y)));
}

void work_grouped_gemm_cost(roof_operation *operation) {
    const double *shape = operation->shape;
    roof_format format = load_format(shape + GROUPED_FORMAT, operation->dtype[DTYPE_B]);
    roof_grouped_gemm_shape grouped = {
        .tokens = shape[GROUPED_TOKENS],
        .experts = shape[GROUPED_EXPERTS],
        .top_k = shape[GROUPED_TOP_K],
        .n = shape[GROUPED_N],
        .k = shape[GROUPED_K],
        .matrices = shape[GROUPED_MATRICES],
        .touched = shape[GROUPED_TOUCHED],
        .a = operation->dtype[DTYPE_A],
        .b = operation->dtype[DTYPE_B],
        .c = operation->dtype[DTYPE_C],
        .math = operation->dtype[DTYPE_GEMM_MATH],
        .bias = shape[GROUPED_BIAS] > 0,
        .weights = &format,
    };
    if (grouped.math == ROOF_DTYPE_NONE)
        grouped.math = work_wider(grouped.a, grouped.b);
    roof_grouped_gemm(&grouped, operation);
}

int work_grouped_gemm_check(const roof_operation *operation, roof_error *error) {
    const double *shape = operation->shape;
    double experts = shape[GROUPED_EXPERTS], top_k = shape[GROUPED_TOP_K];
    if (top_k > experts)
        return roof_fail(error, ROOF_EARGUMENT,
                         "top_k=%.0f: a token cannot choose more than the %.0f experts there are", top_k, experts);
    if (shape[GROUPED_TOUCHED] > experts)
        return roof_fail(error, ROOF_EARGUMENT, "touched=%g: there are only %.0f experts", shape[GROUPED_TOUCHED],
                         experts);
    return 0;
}
