/* One grouped product of experts alone: rows padded to tiles, passes over the routed rows and over all tokens. */
#include "expect/expect.h"
#include "work/ops.h"

/* Rows that a touched expert computes beyond its own: half of a tile of 32. */
static const double padded_rows = 16;
/* Gathering, scaling and scattering: times that a pass reads and writes a token's row, whatever experts it goes to. */
static const double token_passes = 3;
/* Weights that are unpacked, where matrix units take operands from shared memory and they go through it once more: of
 * the rate without, and further kernels that sort and pad what is read. */
static const double packed_share = 0.5, packed_kernels = 6;

/* Of `rows` over `experts` at random, or as many as the shape says. */
static double touched(const double *shape) {
    if (shape[GROUPED_TOUCHED] > 0)
        return shape[GROUPED_TOUCHED];
    return roof_experts_touched(shape[GROUPED_EXPERTS], shape[GROUPED_TOP_K], shape[GROUPED_TOKENS]);
}

void experts_alone(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                   kernel_time *time) {
    const double *shape = operation->shape;
    double tokens = shape[GROUPED_TOKENS], rows = tokens * shape[GROUPED_TOP_K];
    if (!(rows > 0 && shape[GROUPED_N] > 0 && shape[GROUPED_K] > 0))
        return;
    double from = shape[GROUPED_K], to = shape[GROUPED_N] * shape[GROUPED_MATRICES];
    double wide = shape[GROUPED_K] > shape[GROUPED_N] ? shape[GROUPED_K] : shape[GROUPED_N];
    double bytes = roof_dtype_bytes(operation->dtype[DTYPE_A]);
    time->compute *= (rows + padded_rows * touched(shape)) / rows;
    time->passes += pass_seconds(machine, constants, bytes * (rows * (from + to) + token_passes * tokens * wide));
    if (is_packed(operation) && reads_shared_memory(machine)) {
        time->compute /= packed_share;
        time->kernels += packed_kernels;
    }
}
