/* How many kernels an operation is launched as, and the passes over activations that come with them. */
#include "core/machine.h"
#include "expect/expect.h"
#include "work/ops.h"

double pass_seconds(const roof_machine *machine, const roof_constants *constants, double bytes) {
    const roof_figure *dram = figure_known(&machine->bandwidth[ROOF_DRAM]);
    return dram ? bytes / (dram->value * constant_of(constants, ROOF_CONSTANT_STREAM)) : 0;
}

/* A prefill splits what the projections hand over and writes the cache before it multiplies; a decode step writes the
 * cache (one row of a latent one, else two a head), splits the keys among the units and adds the parts up. */
static double attention_kernels(const roof_operation *operation) {
    if (operation->shape[ATTENTION_UNFUSED] > 0)
        return 3; /* scores, softmax, values */
    if (regime_of(operation) == ROOF_REGIME_PREFILL_ATTENTION)
        return is_handed_over(operation) ? 3.3 : 2;
    return operation->shape[ATTENTION_LATENT] > 0 ? 4 : 6;
}

double kernels_of(const roof_constants *constants, const roof_operation *operation) {
    bool alone = is_alone(constants);
    switch (operation->kind) {
    case ROOF_KIND_ATTENTION:
        if (alone || operation->shape[ATTENTION_UNFUSED] > 0)
            return attention_kernels(operation);
        return 2; /* rotary embedding and cache write together, then attention */
    case ROOF_KIND_GROUPED_GEMM:
        return alone ? 4 : 2.5; /* both of a mixture: top-k and sorting by expert before, adding up after */
    default:
        return 1;
    }
}
