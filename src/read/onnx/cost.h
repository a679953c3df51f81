/* Operations of the operators, by family. */
#ifndef ROOFLINE_READ_ONNX_COST_H
#define ROOFLINE_READ_ONNX_COST_H

#include "read/onnx/run.h"

/* cost.c; "flops" is the operator's own number */
void onnx_cost_elementwise(onnx_call *call); /* flops an element of the output, for each input but one when flops < 0 */
void onnx_cost_copy(onnx_call *call);        /* inputs and outputs cross memory once; 0 FLOPs */
void onnx_cost_part(onnx_call *call);        /* only what is written is read */
void onnx_cost_write(onnx_call *call);       /* nothing is read */
void onnx_cost_scatter(onnx_call *call);     /* the first input is copied, the last one written into it */
void onnx_cost_gather(onnx_call *call);
void onnx_cost_reduction(onnx_call *call); /* flops an element of the input */
void onnx_cost_pool(onnx_call *call);      /* flops an element of the window */
void onnx_cost_global_pool(onnx_call *call);
void onnx_cost_softmax(onnx_call *call);
void onnx_cost_norm(onnx_call *call); /* flops: 7 layer norm, 4 RMS norm */
void onnx_cost_group_norm(onnx_call *call);
void onnx_cost_skip_norm(onnx_call *call);
void onnx_cost_batch_norm(onnx_call *call);
void onnx_cost_lrn(onnx_call *call);
void onnx_cost_embed_norm(onnx_call *call);
void onnx_cost_resize(onnx_call *call);
void onnx_cost_quantize(onnx_call *call);
void onnx_cost_dequantize(onnx_call *call);

/* cost_net.c */
void onnx_cost_conv(onnx_call *call);
void onnx_cost_conv_transposed(onnx_call *call);
void onnx_cost_matmul(onnx_call *call);
void onnx_cost_matmul_bits(onnx_call *call);
void onnx_cost_einsum(onnx_call *call);
void onnx_cost_rnn(onnx_call *call); /* flops: gates */
void onnx_cost_attention(onnx_call *call);
void onnx_cost_ms_attention(onnx_call *call);
void onnx_cost_multi_head(onnx_call *call);
void onnx_cost_grouped_query(onnx_call *call);

#endif
