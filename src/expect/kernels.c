/* How many kernels an operation is launched as, and the passes over activations that come with them. */
#include <math.h>

#include "core/machine.h"
#include "expect/expect.h"
#include "work/ops.h"

/* A product that multiplies in fewer bits than its input is handed in has it quantised first: read and written once
 * more. */
static kernel_count quantised(const roof_machine *machine, const roof_constants *constants,
                              const roof_operation *operation) {
    double rows = operation->shape[GEMM_M] * operation->shape[GEMM_K] * operation->shape[GEMM_BATCH];
    double bytes = rows * (roof_dtype_bytes(operation->dtype[DTYPE_A]) + 2 * roof_dtype_bytes(operation->matrix_dtype));
    const roof_figure *stream = &machine->bandwidth[ROOF_DRAM];
    double rate = figure_known(stream) ? stream->value * constant_of(constants, ROOF_CONSTANT_STREAM) : HUGE_VAL;
    return (kernel_count){.kernels = 2, .passes = bytes / rate};
}

kernel_count kernels_of(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation) {
    bool alone = is_alone(constants);
    switch (operation->kind) {
    case ROOF_GEMM:
        if (alone && roof_dtype_bits(operation->matrix_dtype) < roof_dtype_bits(operation->dtype[DTYPE_A]))
            return quantised(machine, constants, operation);
        return (kernel_count){.kernels = 1};
    case ROOF_ATTENTION:
        if (!alone) /* rotary embedding and cache write, then attention */
            return (kernel_count){.kernels = 2};
        return (kernel_count){.kernels = regime_of(operation) == ROOF_REGIME_PREFILL_ATTENTION ? 3.3 : 6};
    case ROOF_GROUPED_GEMM:
        return (kernel_count){.kernels = alone ? 4.5 : 2};
    default:
        return (kernel_count){.kernels = 1};
    }
}
