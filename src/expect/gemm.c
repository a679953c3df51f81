/* One matrix product alone: its grid of tiles on the machine's units, splitting of the inner dimension, quantising of
 * what it reads. */
#include <math.h>

#include "core/machine.h"
#include "expect/defaults.h"
#include "expect/expect.h"
#include "work/ops.h"

/* Tiles are as wide as high; those of integer kernels twice as wide (seen on one GPU: no other one was timed with
 * them). */
static double tile_width(const roof_operation *operation) {
    return operation->matrix_dtype == ROOF_INT8 || operation->matrix_dtype == ROOF_INT4
               ? assumed(TILE_INTEGER_WIDTH) * assumed(TILE)
               : assumed(TILE);
}

static bool is_narrow(const roof_operation *operation) {
    return roof_dtype_bits(operation->matrix_dtype) < 16 || roof_dtype_bits(operation->dtype[DTYPE_B]) < 16;
}

static bool has_block_scales(const roof_operation *operation) {
    const double *format = operation->shape + GEMM_FORMAT;
    return format[FORMAT_SCALE_BITS] > 0 && format[FORMAT_BLOCK_COLS] > 0;
}

/* Activations handed over wider than they are multiplied are quantised first: read and written once more. */
static void quantise(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                     kernel_time *time) {
    const double *shape = operation->shape;
    double from = roof_dtype_bytes(operation->dtype[DTYPE_A]), to = roof_dtype_bytes(operation->matrix_dtype);
    if (!(to < from))
        return;
    double elements = shape[GEMM_M] * shape[GEMM_K] * shape[GEMM_BATCH];
    time->kernels = assumed(has_block_scales(operation) ? BLOCK_SCALE_KERNELS : TENSOR_SCALE_KERNELS);
    time->passes += pass_seconds(machine, constants, elements * (from + 2 * to));
}

/* Bandwidth of the cache that all units share: a datasheet has it seldom, measured ones are about three times DRAM's.
 */
static double shared_cache(const roof_machine *machine) {
    const roof_figure *l2 = figure_known(&machine->bandwidth[ROOF_L2]);
    return l2 ? l2->value : assumed(SHARED_CACHE_RATE) * machine->bandwidth[ROOF_DRAM].value;
}

/* Seconds of the passes of a product split in `parts` along its inner dimension. */
static double split_pass(const roof_machine *machine, const roof_operation *operation, double parts) {
    const double *shape = operation->shape;
    double elements = shape[GEMM_M] * shape[GEMM_N] * shape[GEMM_BATCH];
    return parts > 1 ? assumed(SPLIT_SECONDS) + assumed(SPLIT_BYTES) * elements * parts / shared_cache(machine) : 0;
}

/* Tiles go to the units in waves; the last wave leaves units idle. Libraries split long inner dimensions of wide
 * operands where that fills the machine better. */
static void lay_out(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                    kernel_time *time) {
    const double *shape = operation->shape;
    double m = shape[GEMM_M], n = shape[GEMM_N], k = shape[GEMM_K], units = machine->units.value;
    double high = assumed(TILE), width = tile_width(operation),
           tiles = ceil(m / high) * ceil(n / width) * shape[GEMM_BATCH];
    double whole = time->compute * tiles * high * width / (m * n * shape[GEMM_BATCH]); /* of all tiles, no unit idle */
    double p = constant_of(constants, ROOF_CONSTANT_OVERLAP), best = HUGE_VAL;
    bool narrow = is_narrow(operation);
    if (roof_dtype_bits(operation->matrix_dtype) < 16)
        whole *= (k + assumed(NARROW_INNER)) / k;
    for (double parts = 1; parts <= assumed(SPLIT_MOST); parts *= 2) {
        if (parts > 1 && narrow)
            break;
        double longer = parts > 1 ? fmax(1, parts * assumed(SPLIT_INNER) / k) : 1; /* no part is shorter in time */
        double fill = tiles * parts / (ceil(tiles * parts / units) * units);
        double pass = split_pass(machine, operation, parts);
        double compute = longer * whole / fill, seconds = together(compute, time->memory, p) + pass;
        if (seconds >= best)
            continue;
        best = seconds;
        time->compute = compute;
        time->fill = fill;
        time->split = pass;
    }
    time->passes += time->split;
}

void gemm_alone(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                kernel_time *time) {
    const double *shape = operation->shape;
    if (!(shape[GEMM_M] > 0 && shape[GEMM_N] > 0 && shape[GEMM_K] > 0 && shape[GEMM_BATCH] > 0))
        return;
    bool narrow = roof_dtype_bits(operation->matrix_dtype) < 16;
    if (narrow && has_block_scales(operation) && is_generation(machine, "Hopper"))
        time->compute /= assumed(BLOCK_SCALE_SHARE);
    quantise(machine, constants, operation, time);
    if (has_units(machine))
        lay_out(machine, constants, operation, time);
}
