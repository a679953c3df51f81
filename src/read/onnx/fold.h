/* Values of small tensors, for shapes that a graph computes. Each fills the first output where its inputs are known. */
#ifndef ROOFLINE_READ_ONNX_FOLD_H
#define ROOFLINE_READ_ONNX_FOLD_H

#include "read/onnx/run.h"

void onnx_fold_unary(onnx_call *call);  /* by the operator's apply(a, 0) */
void onnx_fold_binary(onnx_call *call); /* by apply(a, b), over all inputs in turn */
void onnx_fold_clip(onnx_call *call);
void onnx_fold_where(onnx_call *call);
void onnx_fold_cast(onnx_call *call);
void onnx_fold_copy(onnx_call *call); /* the same elements in another shape */
void onnx_fold_constant_of(onnx_call *call);
void onnx_fold_gather(onnx_call *call);
void onnx_fold_concat(onnx_call *call);
void onnx_fold_slice(onnx_call *call);
void onnx_fold_split(onnx_call *call);
void onnx_fold_transpose(onnx_call *call);
void onnx_fold_expand(onnx_call *call);
void onnx_fold_range(onnx_call *call);
void onnx_fold_reduce(onnx_call *call); /* by apply(sum so far, next) */
void onnx_fold_mean(onnx_call *call);
void onnx_fold_non_zero(onnx_call *call);
void onnx_fold_tile(onnx_call *call);

double onnx_add(double a, double b, bool whole), onnx_sub(double a, double b, bool whole),
    onnx_mul(double a, double b, bool whole);
double onnx_div(double a, double b, bool whole), onnx_mod(double a, double b, bool whole),
    onnx_pow(double a, double b, bool whole);
double onnx_min(double a, double b, bool whole), onnx_max(double a, double b, bool whole);
double onnx_equal(double a, double b, bool whole), onnx_less(double a, double b, bool whole),
    onnx_greater(double a, double b, bool whole);
double onnx_less_equal(double a, double b, bool whole), onnx_greater_equal(double a, double b, bool whole);
double onnx_and(double a, double b, bool whole), onnx_or(double a, double b, bool whole),
    onnx_xor(double a, double b, bool whole);
double onnx_not(double a, double b, bool whole), onnx_neg(double a, double b, bool whole),
    onnx_abs(double a, double b, bool whole);
double onnx_floor(double a, double b, bool whole), onnx_ceil(double a, double b, bool whole),
    onnx_round(double a, double b, bool whole);
double onnx_sqrt(double a, double b, bool whole), onnx_exp(double a, double b, bool whole),
    onnx_log(double a, double b, bool whole);
double onnx_sign(double a, double b, bool whole), onnx_reciprocal(double a, double b, bool whole),
    onnx_relu(double a, double b, bool whole);

#endif
