/* Names of kinds; what binds a sum over operations. */
#include "core/tables.h"

const char *const kind_names[ROOF_KIND_COUNT] = {
    [ROOF_GEMM] = "gemm",
    [ROOF_GEMV] = "gemv",
    [ROOF_GROUPED_GEMM] = "grouped-gemm",
    [ROOF_ATTENTION] = "attention",
    [ROOF_RECURRENCE] = "recurrence",
    [ROOF_CONV] = "conv",
    [ROOF_CONV_TRANSPOSED] = "conv-transposed",
    [ROOF_LAYER_NORM] = "layer-norm",
    [ROOF_RMS_NORM] = "rms-norm",
    [ROOF_SOFTMAX] = "softmax",
    [ROOF_ELEMENTWISE] = "elementwise",
    [ROOF_REDUCTION] = "reduction",
    [ROOF_EMBEDDING] = "embedding",
    [ROOF_COPY] = "copy",
    [ROOF_SCALE] = "scale",
    [ROOF_ADD] = "add",
    [ROOF_TRIAD] = "triad",
    [ROOF_DOT] = "dot",
    [ROOF_AXPY] = "axpy",
    [ROOF_SPMV] = "spmv",
    [ROOF_STENCIL] = "stencil",
    [ROOF_FFT] = "fft",
    [ROOF_ALL_REDUCE] = "all-reduce",
    [ROOF_ALL_GATHER] = "all-gather",
    [ROOF_REDUCE_SCATTER] = "reduce-scatter",
    [ROOF_ALL_TO_ALL] = "all-to-all",
    [ROOF_POINT_TO_POINT] = "point-to-point",
    [ROOF_CUSTOM] = "custom",
};

const char *roof_kind_name(roof_kind kind) {
    return kind >= 0 && kind < ROOF_KIND_COUNT ? kind_names[kind] : "?";
}

double roof_operation_flops(const roof_operation *operation) {
    return operation->matrix_flops + operation->vector_flops;
}

roof_bound roof_sum_bound(const roof_sum *sum) {
    roof_bound most = ROOF_BOUND_NONE;
    for (int i = ROOF_BOUND_COMPUTE; i <= ROOF_BOUND_LATENCY; i++)
        if (sum->bound_seconds[i] > sum->bound_seconds[most])
            most = (roof_bound)i;
    return most;
}
