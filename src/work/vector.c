/* Work of the vector unit inside networks: norms, softmax, elementwise, reductions, embedding. Formulas: docs/model.md.
 */
#include <math.h>

#include "work/kinds.h"
#include "work/ops.h"

void work_norm(roof_operation *out, roof_kind kind, double rows, double width, bool residual, roof_dtype dtype,
               roof_dtype weights) {
    bool layer = kind == ROOF_KIND_LAYER_NORM;
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
    double vectors = (layer ? 2 : 1) * width * dtype_bytes(weights); /* scale, and shift of a layer norm */
    out->weight_bytes = rows > 0 ? vectors : 0;
    work_bytes(out, elements * (residual ? 4 : 2) * dtype_bytes(dtype) + out->weight_bytes);
}

void work_elementwise(roof_operation *out, double n, double inputs, double outputs, double flops, roof_dtype dtype) {
    work_start(out, ROOF_KIND_ELEMENTWISE);
    out->shape[ELEMENTWISE_N] = n;
    out->shape[ELEMENTWISE_INPUTS] = inputs;
    out->shape[ELEMENTWISE_OUTPUTS] = outputs;
    out->shape[ELEMENTWISE_FLOPS] = flops;
    out->dtype[0] = dtype;
    out->vector_flops = n * flops;
    out->vector_dtype = work_vector_dtype(dtype);
    work_bytes(out, n * (inputs + outputs) * dtype_bytes(dtype));
}

void work_embedding(roof_operation *out, double tokens, double width, roof_dtype table, roof_dtype dtype) {
    work_start(out, ROOF_KIND_EMBEDDING);
    out->shape[EMBEDDING_TOKENS] = tokens;
    out->shape[EMBEDDING_WIDTH] = width;
    out->dtype[0] = dtype;
    out->dtype[1] = table;
    out->vector_dtype = work_vector_dtype(dtype);
    work_bytes(out, tokens * width * (dtype_bytes(table) + dtype_bytes(dtype)));
}

void work_norm_cost(roof_operation *operation) {
    const double *shape = operation->shape;
    roof_dtype weights = shape[NORM_PLAIN] > 0 ? ROOF_DTYPE_NONE : operation->dtype[1];
    work_norm(operation, operation->kind, shape[NORM_ROWS], shape[NORM_WIDTH], shape[NORM_RESIDUAL] > 0,
              operation->dtype[0], weights);
}

void work_elementwise_cost(roof_operation *operation) {
    const double *shape = operation->shape;
    work_elementwise(operation, shape[ELEMENTWISE_N], shape[ELEMENTWISE_INPUTS], shape[ELEMENTWISE_OUTPUTS],
                     shape[ELEMENTWISE_FLOPS], operation->dtype[0]);
}

void work_embedding_cost(roof_operation *operation) {
    work_embedding(operation, operation->shape[EMBEDDING_TOKENS], operation->shape[EMBEDDING_WIDTH],
                   operation->dtype[1], operation->dtype[0]);
}

void work_softmax_cost(roof_operation *operation) {
    double elements = operation->shape[SOFTMAX_ROWS] * operation->shape[SOFTMAX_WIDTH];
    operation->vector_flops = FLOPS_SOFTMAX * elements;
    operation->vector_dtype = work_vector_dtype(operation->dtype[0]);
    work_bytes(operation, 2 * elements * dtype_bytes(operation->dtype[0]));
}

void work_reduction_cost(roof_operation *operation) {
    double rows = operation->shape[REDUCTION_ROWS], width = operation->shape[REDUCTION_WIDTH];
    operation->vector_flops = rows * fmax(width - 1, 0);
    operation->vector_dtype = work_vector_dtype(operation->dtype[0]);
    work_bytes(operation, rows * (width + 1) * dtype_bytes(operation->dtype[0]));
}
