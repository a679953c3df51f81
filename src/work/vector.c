/* Work of the vector unit: norms, softmax, elementwise, reductions, embedding, streams, sparse, stencils, FFT. */
#include <math.h>

#include "work/ops.h"

void work_norm(roof_operation *out, roof_kind kind, double rows, double width, bool residual, roof_dtype dtype, roof_dtype weights) {
    bool layer = kind == ROOF_LAYER_NORM;
    double elements = rows * width;
    work_start(out, kind);
    out->shape[NORM_ROWS] = rows;
    out->shape[NORM_WIDTH] = width;
    out->shape[NORM_RESIDUAL] = residual;
    out->shape[NORM_PLAIN] = weights == ROOF_DTYPE_NONE;
    out->dtype[0] = dtype;
    out->dtype[1] = weights;
    out->vector_flops = elements * ((layer ? FLOPS_LAYER_NORM : FLOPS_RMS_NORM) + residual);
    out->vector_dtype = work_vector_dtype(dtype);
    double vectors = (layer ? 2 : 1) * width * roof_dtype_bytes(weights); /* scale, and shift of a layer norm */
    out->weight_bytes = rows > 0 ? vectors : 0;
    work_bytes(out, elements * (residual ? 4 : 2) * roof_dtype_bytes(dtype) + out->weight_bytes);
}

void work_elementwise(roof_operation *out, double n, double inputs, double outputs, double flops, roof_dtype dtype) {
    work_start(out, ROOF_ELEMENTWISE);
    out->shape[ELEMENTWISE_N] = n;
    out->shape[ELEMENTWISE_INPUTS] = inputs;
    out->shape[ELEMENTWISE_OUTPUTS] = outputs;
    out->shape[ELEMENTWISE_FLOPS] = flops;
    out->dtype[0] = dtype;
    out->vector_flops = n * flops;
    out->vector_dtype = work_vector_dtype(dtype);
    work_bytes(out, n * (inputs + outputs) * roof_dtype_bytes(dtype));
}

void work_embedding(roof_operation *out, double tokens, double width, roof_dtype table, roof_dtype dtype) {
    work_start(out, ROOF_EMBEDDING);
    out->shape[EMBEDDING_TOKENS] = tokens;
    out->shape[EMBEDDING_WIDTH] = width;
    out->dtype[0] = dtype;
    out->dtype[1] = table;
    out->vector_dtype = work_vector_dtype(dtype);
    work_bytes(out, tokens * width * (roof_dtype_bytes(table) + roof_dtype_bytes(dtype)));
}
