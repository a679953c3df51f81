/* Shapes of outputs, by family of operators; a function each, named after what the output is like. */
#ifndef ROOFLINE_READ_ONNX_SHAPE_H
#define ROOFLINE_READ_ONNX_SHAPE_H

#include "read/onnx/run.h"

/* shape.c */
int onnx_shape_same(onnx_call *call);      /* every output as the first input */
int onnx_shape_first(onnx_call *call);     /* the first output as the first input; the others stay unknown */
int onnx_shape_broadcast(onnx_call *call); /* all inputs together */
int onnx_shape_compare(onnx_call *call);   /* the same, of type bool */
int onnx_shape_test(onnx_call *call);      /* as the first input, of type bool */
int onnx_shape_where(onnx_call *call);
int onnx_shape_dropout(onnx_call *call);
int onnx_shape_cast(onnx_call *call);
int onnx_shape_constant(onnx_call *call);
int onnx_shape_constant_of(onnx_call *call);
int onnx_shape_shape(onnx_call *call);
int onnx_shape_size(onnx_call *call);
int onnx_shape_reshape(onnx_call *call);
int onnx_shape_flatten(onnx_call *call);
int onnx_shape_squeeze(onnx_call *call);
int onnx_shape_unsqueeze(onnx_call *call);
int onnx_shape_transpose(onnx_call *call);
int onnx_shape_concat(onnx_call *call);
int onnx_shape_split(onnx_call *call);
int onnx_shape_slice(onnx_call *call);
int onnx_shape_gather(onnx_call *call);
int onnx_shape_gather_elements(onnx_call *call); /* as the indices */
int onnx_shape_gather_nd(onnx_call *call);
int onnx_shape_pad(onnx_call *call);
int onnx_shape_expand(onnx_call *call);
int onnx_shape_tile(onnx_call *call);
int onnx_shape_range(onnx_call *call);
int onnx_shape_one_hot(onnx_call *call);
int onnx_shape_top_k(onnx_call *call);
int onnx_shape_reduce(onnx_call *call);
int onnx_shape_arg(onnx_call *call);
int onnx_shape_non_zero(onnx_call *call);
int onnx_shape_random(onnx_call *call); /* from attribute shape */
int onnx_shape_quantize(onnx_call *call);
int onnx_shape_dequantize(onnx_call *call);
int onnx_shape_dynamic_quantize(onnx_call *call);
int onnx_shape_none(onnx_call *call); /* nothing is known */
int onnx_broadcast(onnx_call *call, const onnx_value *const *list, size_t count, onnx_value *out);
/* The axes a reduction works on as flags; -1: not known. */
int onnx_axes(const onnx_call *call, bool flags[ONNX_RANK_MAX]);

/* shape_net.c */
int onnx_shape_conv(onnx_call *call);
int onnx_shape_conv_transposed(onnx_call *call);
int onnx_shape_pool(onnx_call *call);
int onnx_shape_global_pool(onnx_call *call);
int onnx_shape_matmul(onnx_call *call);
int onnx_shape_gemm(onnx_call *call);
int onnx_shape_matmul_bits(onnx_call *call);
int onnx_shape_einsum(onnx_call *call);
int onnx_shape_rnn(onnx_call *call);
int onnx_shape_batch_norm(onnx_call *call); /* statistics, one a channel, beside the output */
int onnx_shape_norm(onnx_call *call);       /* mean and deviation beside the output */
int onnx_shape_resize(onnx_call *call);
int onnx_shape_upsample(onnx_call *call);
int onnx_shape_depth_to_space(onnx_call *call);
int onnx_shape_space_to_depth(onnx_call *call);
int onnx_shape_attention(onnx_call *call);
int onnx_shape_ms_attention(onnx_call *call);
int onnx_shape_multi_head(onnx_call *call);
int onnx_shape_grouped_query(onnx_call *call);
int onnx_shape_embed_norm(onnx_call *call);
int onnx_shape_roi_align(onnx_call *call);
int onnx_shape_grid_sample(onnx_call *call);

typedef struct onnx_window { /* of a convolution or pooling, for `axes` spatial axes */
    int axes;
    double kernel[ONNX_RANK_MAX], stride[ONNX_RANK_MAX], dilation[ONNX_RANK_MAX],
        padding[ONNX_RANK_MAX];  /* padding: both ends */
    double extra[ONNX_RANK_MAX]; /* output_padding */
} onnx_window;
/* Kernel lengths from attribute kernel_shape, else those of `weights`. -1 with the error. */
int onnx_window_of(onnx_call *call, const onnx_value *in, const onnx_value *weights, onnx_window *window);

typedef struct onnx_product_shape { /* C = A B */
    double batch, m, n, k;
} onnx_product_shape;
int onnx_product_of(onnx_call *call, onnx_product_shape *product); /* MatMul and its kin; -1 with the error */

typedef struct onnx_heads { /* what every attention operator comes to */
    double batch, heads, kv_heads, q_len, past, kv_len, qk_width, v_width, window;
    bool causal;
} onnx_heads;
bool onnx_heads_of(onnx_call *call, onnx_heads *heads); /* ai.onnx Attention; false: not known */
bool onnx_heads_of_ms_attention(onnx_call *call, onnx_heads *heads);
bool onnx_heads_of_multi_head(onnx_call *call, onnx_heads *heads);
bool onnx_heads_of_grouped_query(onnx_call *call, onnx_heads *heads);

enum { EINSUM_OPERANDS = 8, EINSUM_LABELS = 64 };
typedef struct onnx_einsum {
    int operands, labels[EINSUM_OPERANDS + 1][ONNX_RANK_MAX], ranks[EINSUM_OPERANDS + 1]; /* the last one: the output */
    double length[EINSUM_LABELS];
} onnx_einsum;
int onnx_einsum_parse(onnx_call *call, onnx_einsum *out); /* -1 with the error; 1: a shape is not known */

#endif
