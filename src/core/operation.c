/* Names of kinds; what binds a sum over operations. */
#include "core/tables.h"

const char *const kind_names[ROOF_KIND_COUNT] = {
    [ROOF_KIND_GEMM] = "gemm",
    [ROOF_KIND_GEMV] = "gemv",
    [ROOF_KIND_GROUPED_GEMM] = "grouped-gemm",
    [ROOF_KIND_ATTENTION] = "attention",
    [ROOF_KIND_RECURRENCE] = "recurrence",
    [ROOF_KIND_CONV] = "conv",
    [ROOF_KIND_CONV_TRANSPOSED] = "conv-transposed",
    [ROOF_KIND_LAYER_NORM] = "layer-norm",
    [ROOF_KIND_RMS_NORM] = "rms-norm",
    [ROOF_KIND_SOFTMAX] = "softmax",
    [ROOF_KIND_ELEMENTWISE] = "elementwise",
    [ROOF_KIND_REDUCTION] = "reduction",
    [ROOF_KIND_EMBEDDING] = "embedding",
    [ROOF_KIND_COPY] = "copy",
    [ROOF_KIND_SCALE] = "scale",
    [ROOF_KIND_ADD] = "add",
    [ROOF_KIND_TRIAD] = "triad",
    [ROOF_KIND_DOT] = "dot",
    [ROOF_KIND_AXPY] = "axpy",
    [ROOF_KIND_SPMV] = "spmv",
    [ROOF_KIND_STENCIL] = "stencil",
    [ROOF_KIND_FFT] = "fft",
    [ROOF_KIND_ALL_REDUCE] = "all-reduce",
    [ROOF_KIND_ALL_GATHER] = "all-gather",
    [ROOF_KIND_REDUCE_SCATTER] = "reduce-scatter",
    [ROOF_KIND_ALL_TO_ALL] = "all-to-all",
    [ROOF_KIND_POINT_TO_POINT] = "point-to-point",
    [ROOF_KIND_CUSTOM] = "custom",
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
