/* One grouped product of experts alone: rows padded to tiles, passes over the routed rows and over all tokens. */
#include "expect/defaults.h"
#include "expect/expect.h"
#include "work/ops.h"

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
    time->compute *= (rows + assumed(EXPERTS_PADDED_ROWS) * touched(shape)) / rows;
    time->passes +=
        pass_seconds(machine, constants, bytes * (rows * (from + to) + assumed(EXPERTS_TOKEN_PASSES) * tokens * wide));
    if (is_packed(operation) && reads_shared_memory(machine)) {
        time->compute /= assumed(EXPERTS_PACKED_SHARE);
        time->kernels += assumed(EXPERTS_PACKED_KERNELS);
    }
}
