/* Operations as typed functions, for the model builder and the rooms to the right. They allocate nothing, handle no
 * strings and cost a few nanoseconds: a whole model is built and judged in under a microsecond. */
#ifndef ROOFLINE_WORK_OPS_H
#define ROOFLINE_WORK_OPS_H

#include <string.h>

#include "core/tables.h"

/* Places in operation.shape[]; the order of each kind's parameters in kinds.c (a test holds the two together). */
enum { GEMM_M, GEMM_N, GEMM_K, GEMM_BATCH, GEMM_BIAS, GEMM_WEIGHTS, GEMM_FORMAT };
enum { GEMM_NARROW = GEMM_FORMAT + 5, GEMM_SHAPE };
enum {
    GROUPED_TOKENS,
    GROUPED_EXPERTS,
    GROUPED_TOP_K,
    GROUPED_N,
    GROUPED_K,
    GROUPED_MATRICES,
    GROUPED_TOUCHED,
    GROUPED_BIAS,
    GROUPED_FORMAT,
    GROUPED_SHAPE = GROUPED_FORMAT + 5
};
/* A weight format inside a shape: bits, block_rows, block_cols, scale_bits, zero_bits, from GEMM_FORMAT or
 * GROUPED_FORMAT on. */
enum { FORMAT_BITS, FORMAT_BLOCK_ROWS, FORMAT_BLOCK_COLS, FORMAT_SCALE_BITS, FORMAT_ZERO_BITS };
enum {
    ATTENTION_BATCH,
    ATTENTION_HEADS,
    ATTENTION_KV_HEADS,
    ATTENTION_Q_LEN,
    ATTENTION_KV_LEN,
    ATTENTION_QK_WIDTH,
    ATTENTION_V_WIDTH,
    ATTENTION_WINDOW,
    ATTENTION_CHUNK,
    ATTENTION_CAUSAL,
    ATTENTION_UNFUSED,
    ATTENTION_LATENT,
    ATTENTION_APPEND
};
enum {
    RECURRENCE_BATCH,
    RECURRENCE_TOKENS,
    RECURRENCE_HEADS,
    RECURRENCE_KEY_HEADS,
    RECURRENCE_KEY_WIDTH,
    RECURRENCE_VALUE_WIDTH,
    RECURRENCE_DECAY,
    RECURRENCE_DELTA,
    RECURRENCE_CHUNK,
    RECURRENCE_RESUME
};
enum { GEMV_M, GEMV_N, GEMV_BATCH };
enum { NORM_ROWS, NORM_WIDTH, NORM_RESIDUAL, NORM_PLAIN };
enum { ELEMENTWISE_N, ELEMENTWISE_INPUTS, ELEMENTWISE_OUTPUTS, ELEMENTWISE_FLOPS };
enum { SOFTMAX_ROWS, SOFTMAX_WIDTH };
enum { REDUCTION_ROWS, REDUCTION_WIDTH };
enum { STREAM_N, STREAM_ALLOCATES };
enum { SPMV_ROWS, SPMV_NNZ, SPMV_COLS };
enum { STENCIL_POINTS, STENCIL_NX, STENCIL_NY, STENCIL_NZ, STENCIL_INPUTS, STENCIL_FLOPS, STENCIL_ALLOCATES };
enum { FFT_N, FFT_BATCH, FFT_PASSES, FFT_REAL };
enum { CUSTOM_FLOPS, CUSTOM_BYTES, CUSTOM_VECTOR, CUSTOM_L3, CUSTOM_L2, CUSTOM_L1, CUSTOM_LINK, CUSTOM_STEPS };
enum { EMBEDDING_TOKENS, EMBEDDING_WIDTH };
enum { CONVOLUTION_AXES = 3 }; /* depth, height, width */

/* Of a convolution: each setting is one value for every axis in use, then one an axis (-1: as the common one). */
enum {
    CONVOLUTION_BATCH,
    CONVOLUTION_IN,
    CONVOLUTION_OUT,
    CONVOLUTION_SIZE,
    CONVOLUTION_KERNEL = CONVOLUTION_SIZE + CONVOLUTION_AXES,
    CONVOLUTION_STRIDE = CONVOLUTION_KERNEL + CONVOLUTION_AXES,
    CONVOLUTION_DILATION = CONVOLUTION_STRIDE + 1 + CONVOLUTION_AXES,
    CONVOLUTION_PADDING = CONVOLUTION_DILATION + 1 + CONVOLUTION_AXES,
    CONVOLUTION_GROUPS = CONVOLUTION_PADDING + 1 + CONVOLUTION_AXES,
    CONVOLUTION_BIAS,
    CONVOLUTION_OUTPUT_PADDING
};
enum { POINT_BYTES }; /* point to point */
enum { COLLECTIVE_DEVICES, COLLECTIVE_BYTES, COLLECTIVE_TREE, COLLECTIVE_TWO_SHOT };

/* Places in operation.dtype[]; [0] is the main one. */
enum { DTYPE_MAIN, DTYPE_A, DTYPE_B, DTYPE_C, DTYPE_GEMM_MATH };
enum { DTYPE_STATE = 1, DTYPE_RECURRENCE_MATH };
enum { DTYPE_Q = 1, DTYPE_KV, DTYPE_OUT, DTYPE_ATTENTION_MATH };

/* Vector FLOPs per element (docs/model.md, "Every kind"). */
enum { FLOPS_SOFTMAX = 5, FLOPS_RMS_NORM = 4, FLOPS_LAYER_NORM = 7, FLOPS_GATED_ACTIVATION = 5, FLOPS_ROPE = 3 };

/* Everything zero but the kind, its name and a count of one. */
static inline void work_start(roof_operation *out, roof_kind kind) {
    char *at = (char *)out; /* in small pieces: compilers turn one large memset into a slow string instruction */
    size_t done = 0;
    for (; done + 64 <= sizeof *out; done += 64)
        memset(at + done, 0, 64);
    memset(at + done, 0, sizeof *out % 64);
    out->kind = kind;
    out->name = kind_names[kind];
    out->count = 1;
}

/* DRAM traffic that is not an expectation. */
static inline void work_bytes(roof_operation *out, double bytes) {
    out->bytes[ROOF_DRAM] = out->least_bytes = out->most_bytes = bytes;
}

/* Vector work in anything but f64 is done in f32. */
static inline roof_dtype work_vector_dtype(roof_dtype dtype) {
    return dtype == ROOF_F64 ? ROOF_F64 : ROOF_F32;
}

/* The operand with more bits; the first when they are alike. */
static inline roof_dtype work_wider(roof_dtype a, roof_dtype b) {
    return dtype_bits(b) > dtype_bits(a) ? b : a;
}

/* A norm over `rows` rows of `width`: kind is ROOF_KIND_RMS_NORM or ROOF_KIND_LAYER_NORM. `residual`: the fused
 * junction (read the branch's output and the residual, write the residual and the normed row). `weights` NONE: no
 * learned vector. */
void work_norm(roof_operation *out, roof_kind kind, double rows, double width, bool residual, roof_dtype dtype,
               roof_dtype weights);

/* `outputs` arrays of n elements from `inputs` arrays, `flops` an element. A gated activation: 2, 1,
 * FLOPS_GATED_ACTIVATION; a residual add: 2, 1, 1. */
void work_elementwise(roof_operation *out, double n, double inputs, double outputs, double flops, roof_dtype dtype);

/* One row of the table read and written for each token; 0 FLOPs. */
void work_embedding(roof_operation *out, double tokens, double width, roof_dtype table, roof_dtype dtype);

/* Matrix work of no kind of its own. */
void work_custom(roof_operation *out, double matrix_flops, double bytes, roof_dtype dtype);

/* A ring all-reduce of a buffer of `bytes` bytes of `dtype` that each of `devices` holds. */
void work_all_reduce(roof_operation *out, double devices, double bytes, roof_dtype dtype);

/* Keys (rows of the cache) of one sequence and KV head that at least one query sees. */
double work_attention_rows(double q_len, double kv_len, bool causal, double window, double chunk);

#endif
