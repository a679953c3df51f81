/* Attention alone: causal tiles of a prefill on the machine's units, with their exponentials; passes of the layer. */
#include <math.h>

#include "core/machine.h"
#include "expect/defaults.h"
#include "expect/expect.h"
#include "work/ops.h"

/* Query tiles, the pairs they multiply (whole tiles: half of the last one is masked where causal), and those of the
 * longest one. */
typedef struct tiling {
    double tiles, pairs, longest, width;
} tiling;

static tiling tiling_of(const roof_operation *operation) {
    const double *shape = operation->shape, rows = assumed(ATTENTION_ROWS);
    double queries = shape[ATTENTION_Q_LEN], keys = shape[ATTENTION_KV_LEN], window = shape[ATTENTION_WINDOW];
    double high = ceil(queries / rows), seen = window > 0 ? fmin(window + rows, keys) : keys;
    tiling out = {.tiles = shape[ATTENTION_BATCH] * shape[ATTENTION_HEADS] * high,
                  .width = shape[ATTENTION_QK_WIDTH] + shape[ATTENTION_V_WIDTH],
                  .longest = rows * rows * ceil(seen / rows)};
    out.pairs = operation->matrix_flops / (2 * out.width) * high * rows / queries;
    if (shape[ATTENTION_CAUSAL] > 0)
        out.pairs += out.tiles * rows * rows / 2;
    return out;
}

/* Seconds of one unit for so many pairs of so many tiles: products and exponentials overlap in part. */
static double unit_seconds(double pair, double exponential, double pairs, double tiles) {
    return pairs * sqrt(pair * pair + exponential * exponential) + tiles * assumed(ATTENTION_TILE_SECONDS);
}

static void tile(const roof_machine *machine, const roof_operation *operation, double share, kernel_time *time) {
    const roof_figure *peak = machine_peak(machine, ROOF_MATRIX, operation->matrix_dtype);
    if (!peak)
        return;
    tiling grid = tiling_of(operation);
    double units = machine->units.value;
    double pair = 2 * grid.width * units / (share * peak->value);
    double exponential = 1 / (assumed(EXPONENTIALS) * machine->clock.value);
    double all = unit_seconds(pair, exponential, grid.pairs, grid.tiles) / units;
    double longest = unit_seconds(pair, exponential, grid.longest, 1);
    time->compute = fmax(time->compute, fmax(all, longest));
}

/* What a layer reads once more, in 16 bits: its queries, and the keys and values that it appended to its cache. */
static double handed_over(const roof_operation *operation) {
    const double *shape = operation->shape;
    double rows = shape[ATTENTION_BATCH] * shape[ATTENTION_Q_LEN];
    double queries = shape[ATTENTION_HEADS] * shape[ATTENTION_QK_WIDTH];
    double pairs = shape[ATTENTION_KV_HEADS] * (shape[ATTENTION_QK_WIDTH] + shape[ATTENTION_V_WIDTH]);
    return 2 * rows * (queries + (shape[ATTENTION_APPEND] > 0 ? pairs : 0));
}

/* A latent cache is read by one tile a sequence and assumed(ATTENTION_LATENT_HEADS) heads. Waves of them beyond the
 * first cost as much as a tile of a prefill, which short sequences show; the first is in the launch. */
static void latent_waves(const roof_machine *machine, const roof_operation *operation, kernel_time *time) {
    const double *shape = operation->shape;
    double tiles = shape[ATTENTION_BATCH] * ceil(shape[ATTENTION_HEADS] / assumed(ATTENTION_LATENT_HEADS));
    double waves = ceil(tiles / machine->units.value);
    time->compute = fmax(time->compute, (waves - 1) * assumed(ATTENTION_TILE_SECONDS));
}

void attention_alone(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                     double share, kernel_time *time) {
    if (operation->shape[ATTENTION_UNFUSED] > 0)
        return;
    if (regime_of(operation) != ROOF_REGIME_PREFILL_ATTENTION) {
        if (operation->shape[ATTENTION_LATENT] > 0 && has_units(machine))
            latent_waves(machine, operation, time);
        return;
    }
    if (is_handed_over(operation)) {
        time->passes += pass_seconds(machine, constants, handed_over(operation));
    } else {
        double more = fmin(assumed(ATTENTION_BARE_SHARE), fmax(1 / share, 1)); /* never above the roof */
        share *= more;
        time->compute /= more;
    }
    if (has_units(machine) && figure_known(&machine->clock))
        tile(machine, operation, share, time);
}
