/* Kernels of scientific codes: streams, dot, axpy, sparse matrices, stencils, FFT; and work given as plain counts. */
#include <math.h>

#include "work/kinds.h"
#include "work/ops.h"

static void vector_work(roof_operation *operation, double flops, double bytes) {
    operation->vector_flops = flops;
    operation->vector_dtype = work_vector_dtype(operation->dtype[0]);
    work_bytes(operation, bytes);
}

/* Arrays read and written and FLOPs per element. A store to a line that is not in the cache reads it first
 * (write-allocate) unless it was read anyway, as in axpy. */
typedef struct stream {
    double reads, writes, flops;
} stream;

static stream stream_of(roof_kind kind) {
    switch (kind) {
    case ROOF_KIND_COPY:
        return (stream){1, 1, 0};
    case ROOF_KIND_SCALE:
        return (stream){1, 1, 1};
    case ROOF_KIND_ADD:
        return (stream){2, 1, 1};
    case ROOF_KIND_TRIAD:
        return (stream){2, 1, 2};
    case ROOF_KIND_DOT:
        return (stream){2, 0, 2};
    default: /* axpy */
        return (stream){2, 1, 2};
    }
}

void work_stream_cost(roof_operation *operation) {
    stream kernel = stream_of(operation->kind);
    bool allocates =
        operation->kind != ROOF_KIND_DOT && operation->kind != ROOF_KIND_AXPY && operation->shape[STREAM_ALLOCATES] > 0;
    double n = operation->shape[STREAM_N], arrays = kernel.reads + kernel.writes + allocates;
    vector_work(operation, n * kernel.flops, n * arrays * roof_dtype_bytes(operation->dtype[0]));
}

/* CSR: values, column indices, row pointers, x and y cross once. */
void work_spmv_cost(roof_operation *operation) {
    double rows = operation->shape[SPMV_ROWS], nnz = operation->shape[SPMV_NNZ];
    double cols = operation->shape[SPMV_COLS] > 0 ? operation->shape[SPMV_COLS] : rows;
    operation->shape[SPMV_COLS] = cols;
    double value = roof_dtype_bytes(operation->dtype[0]), index = roof_dtype_bytes(operation->dtype[1]);
    if (!(rows > 0)) {
        vector_work(operation, 0, 0);
        return;
    }
    vector_work(operation, 2 * nnz, nnz * (value + index) + (rows + 1) * index + (rows + cols) * value);
}

void work_stencil_cost(roof_operation *operation) {
    const double *shape = operation->shape;
    double points = shape[STENCIL_POINTS], sites = shape[STENCIL_NX] * shape[STENCIL_NY] * shape[STENCIL_NZ],
           arrays = shape[STENCIL_INPUTS] + 1 + (shape[STENCIL_ALLOCATES] > 0);
    double flops = shape[STENCIL_FLOPS] > 0 ? shape[STENCIL_FLOPS]
                                            : 2 * points - 1; /* a multiply a point and the adds between them */
    operation->shape[STENCIL_FLOPS] = flops;
    vector_work(operation, sites * flops, sites * arrays * roof_dtype_bytes(operation->dtype[0]));
}

/* 5 n log2 n for complex data, half of it for real data; a real transform writes n/2 + 1 complex points. */
void work_fft_cost(roof_operation *operation) {
    double n = operation->shape[FFT_N], batch = operation->shape[FFT_BATCH], passes = operation->shape[FFT_PASSES],
           bytes = roof_dtype_bytes(operation->dtype[0]);
    bool real = operation->shape[FFT_REAL] > 0;
    if (!(n > 0)) {
        vector_work(operation, 0, 0);
        return;
    }
    double points = real ? n + 2 * (floor(n / 2) + 1) : 4 * n; /* real numbers read and written a pass */
    vector_work(operation, batch * (real ? 2.5 : 5) * n * log2(n), batch * passes * points * bytes);
}

void work_custom(roof_operation *out, double matrix_flops, double bytes, roof_dtype dtype) {
    work_start(out, ROOF_KIND_CUSTOM);
    out->shape[CUSTOM_FLOPS] = matrix_flops;
    out->shape[CUSTOM_BYTES] = bytes;
    out->dtype[0] = dtype;
    work_custom_cost(out);
}

void work_custom_cost(roof_operation *operation) {
    const double *shape = operation->shape;
    bool vector = shape[CUSTOM_VECTOR] > 0;
    operation->matrix_flops = vector ? 0 : shape[CUSTOM_FLOPS];
    operation->vector_flops = vector ? shape[CUSTOM_FLOPS] : 0;
    operation->matrix_dtype = operation->vector_dtype = operation->dtype[0];
    work_bytes(operation, shape[CUSTOM_BYTES]);
    operation->bytes[ROOF_L3] = shape[CUSTOM_L3];
    operation->bytes[ROOF_L2] = shape[CUSTOM_L2];
    operation->bytes[ROOF_L1] = shape[CUSTOM_L1];
    operation->link_bytes = shape[CUSTOM_LINK];
    operation->link_steps = shape[CUSTOM_STEPS];
}
