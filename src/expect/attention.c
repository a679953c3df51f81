/* Attention alone: causal tiles of a prefill on the machine's units, with their exponentials; passes of the layer. */
#include <math.h>

#include "core/machine.h"
#include "expect/expect.h"
#include "work/ops.h"

enum { ROWS = 128 }; /* of queries in a tile, and of keys in a step */

/* Units of NVIDIA's and AMD's GPUs make so many exponentials a clock (a quarter of a wave's 64 lanes there). */
static const double exponentials = 16;
/* Start, tail and the final division of one tile: what is left of short sequences. */
static const double tile_seconds = 5.8e-6;

/* Of the share that attention inside a layer reaches: bare kernels are the ones their authors tune (FlashAttention 2
 * has 73 % of an A100's peak, 3 76 % of an H100's). */
static const double bare_share = 1.17;

/* Query tiles, the pairs they multiply (whole tiles: half of the last one is masked where causal), and those of the
 * longest one. */
typedef struct tiling {
    double tiles, pairs, longest, width;
} tiling;

static tiling tiling_of(const roof_operation *operation) {
    const double *shape = operation->shape;
    double queries = shape[ATTENTION_Q_LEN], keys = shape[ATTENTION_KV_LEN], window = shape[ATTENTION_WINDOW];
    double high = ceil(queries / ROWS), seen = window > 0 ? fmin(window + ROWS, keys) : keys;
    tiling out = {.tiles = shape[ATTENTION_BATCH] * shape[ATTENTION_HEADS] * high,
                  .width = shape[ATTENTION_QK_WIDTH] + shape[ATTENTION_V_WIDTH],
                  .longest = ROWS * ROWS * ceil(seen / ROWS)};
    out.pairs = operation->matrix_flops / (2 * out.width) * high * ROWS / queries;
    if (shape[ATTENTION_CAUSAL] > 0)
        out.pairs += out.tiles * ROWS * ROWS / 2;
    return out;
}

/* Seconds of one unit for so many pairs of so many tiles: products and exponentials overlap in part. */
static double unit_seconds(double pair, double exponential, double pairs, double tiles) {
    return pairs * sqrt(pair * pair + exponential * exponential) + tiles * tile_seconds;
}

static void tile(const roof_machine *machine, const roof_operation *operation, double share, kernel_time *time) {
    const roof_figure *peak = machine_peak(machine, ROOF_MATRIX, operation->matrix_dtype);
    if (!peak)
        return;
    tiling grid = tiling_of(operation);
    double units = machine->units.value;
    double pair = 2 * grid.width * units / (share * peak->value);
    double exponential = 1 / (exponentials * machine->clock.value);
    double all = unit_seconds(pair, exponential, grid.pairs, grid.tiles) / units;
    double longest = unit_seconds(pair, exponential, grid.longest, 1);
    time->compute = fmax(time->compute, fmax(all, longest));
}

bool is_handed_over(const roof_operation *operation) {
    const double *shape = operation->shape;
    return shape[ATTENTION_APPEND] > 0 || shape[ATTENTION_QK_WIDTH] > shape[ATTENTION_V_WIDTH];
}

/* What a layer reads once more, in 16 bits: its queries, and the keys and values that it appended to its cache. */
static double handed_over(const roof_operation *operation) {
    const double *shape = operation->shape;
    double rows = shape[ATTENTION_BATCH] * shape[ATTENTION_Q_LEN];
    double queries = shape[ATTENTION_HEADS] * shape[ATTENTION_QK_WIDTH];
    double pairs = shape[ATTENTION_KV_HEADS] * (shape[ATTENTION_QK_WIDTH] + shape[ATTENTION_V_WIDTH]);
    return 2 * rows * (queries + (shape[ATTENTION_APPEND] > 0 ? pairs : 0));
}

void attention_alone(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                     double share, kernel_time *time) {
    if (regime_of(operation) != ROOF_REGIME_PREFILL_ATTENTION || operation->shape[ATTENTION_UNFUSED] > 0)
        return;
    if (is_handed_over(operation)) {
        time->passes += pass_seconds(machine, constants, handed_over(operation));
    } else {
        double more = fmin(bare_share, fmax(1 / share, 1)); /* never above the roof */
        share *= more;
        time->compute /= more;
    }
    if (has_units(machine) && figure_known(&machine->clock))
        tile(machine, operation, share, time);
}
