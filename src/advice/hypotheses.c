/* The table of hypotheses. r is the rate over the roof. Scores are judgement: how often each is met, and how much of
 * the excess it would explain; docs/profiles/placed.md prints the table.
 */
#include "advice/hypotheses.h"

#include <math.h>

#include "advice/placed.h"

#define ANY 0, HUGE_VAL, 0

/* a row a line: name, score, r from, r to, factor, what else must hold, source */
/* clang-format off */
const hypothesis_row hypothesis_rows[HYPOTHESES] = {
    [CLOCK_MEASURED]    = {"clock, measured", 0.97, ANY, "the kernel's clock is above the machine's and explains r; not for DRAM and links, which have their own clock", "the file states both numbers"},
    [CACHE]             = {"cache", 0.95, ANY, "DRAM, bytes computed from shapes: those of a call fit L2 or L3", "every measurement above a bound in [validation](../validation.md) was of this kind"},
    [CACHE_COUNTED]     = {"cache, bytes counted", 0.5, ANY, "the same of counted bytes: a counter at DRAM cannot be wrong in this way, a program's own figure can", "judgement"},
    [ONE_CALL]          = {"time of one call", 0.85, 0.03, PLACED_ABOVE, 0, "two calls or more; the range is that of r / calls", "judgement: met often, explains all of r"},
    [TIME_UNIT]         = {"time in another unit", 0.8, 0.05, PLACED_ABOVE, 0, "the range is that of r / 10^3, 10^6 or 10^9", "judgement: explains all of r"},
    [CLOCK_CATALOGUE]   = {"catalogue clock", 0.75, 0, 1.2, 0, "no clock was measured", "boost clocks lie less than that above those of datasheet peaks (H100: 1980 and 1830 MHz)"},
    [PARTLY_CACHED]     = {"partly in a cache", 0.72, ANY, "bytes computed from shapes, and r with the size of L2 or L3 taken off the bytes is under the roof", "what a cache keeps from call to call does not cross DRAM again"},
    [OTHER_ROOF]        = {"another compute roof", 0.7, 0.5, PLACED_ABOVE, 0, "f16 accumulate, 2:4 sparse, the matrix unit, the next narrower dtypes: the lowest that the rate fits under; the range is its share of that roof", "judgement"},
    [OTHER_ROOF_FAR]    = {"another compute roof, far below it", 0.4, 0, 0.5, 0, "the same", "judgement"},
    [VARIANT]           = {"another variant of the card", 0.68, 0.5, PLACED_ABOVE, 0, "an id of the catalogue with the same first word; the range is its share of that roof", "judgement"},
    [ARCHITECTURE]      = {"another machine of the architecture", 0.35, 0.5, PLACED_ABOVE, 0, "of the same vendor; the range is its share of that roof", "judgement"},
    [MEASURED_ROOF]     = {"the roof was measured", 0.66, 0, 1.5, 0, "a loop may miss the peak ([measuring](../measure.md))", "judgement"},
    [KB_AS_KIB]         = {"KB taken as KiB", 0.65, PLACED_ABOVE, 1.024 * PLACED_ABOVE, 1.024, "counted bytes", "arithmetic; the score is judgement"},
    [MB_AS_MIB]         = {"MB taken as MiB", 0.6, PLACED_ABOVE, 1.048576 * PLACED_ABOVE, 1.048576, "counted bytes", "arithmetic; the score is judgement"},
    [GB_AS_GIB]         = {"GB taken as GiB", 0.55, PLACED_ABOVE, 1.073741824 * PLACED_ABOVE, 1.073741824, "counted bytes", "arithmetic; the score is judgement"},
    [SOCKETS]           = {"sockets", 0.62, 0, 4, 0, "the machine is one socket: counters of the whole system beside the roof of one; the range is that of sockets", "judgement"},
    [FLOPS_TWICE]       = {"FLOPs counted twice", 0.6, 1.2, 2.1, 2, "an FMA's 2 doubled again, or MACs doubled that were FLOPs", "judgement"},
    [FLOPS_TWICE_NEAR]  = {"FLOPs counted twice, r small", 0.3, 0, 1.2, 2, "the same", "judgement: a factor of 2 is much for so little"},
    [SHAPES_TWICE]      = {"FLOPs of shapes counted twice", 0.4, 1.2, 2.1, 2, "computed from shapes", "judgement: shapes count right more often than a program's own figures"},
    [SHAPES_TWICE_NEAR] = {"FLOPs of shapes counted twice, r small", 0.1, 0, 1.2, 2, "the same", "judgement"},
    [BYTES_TWICE]       = {"bytes counted twice", 0.6, 1.1, 2.1, 2, "counted bytes: reads and writes added to a total that has both", "judgement"},
    [SECTORS]           = {"sectors", 0.6, 9.6, 33.6, 32, "counted bytes, multiplied by a sector's 32 once too often", "judgement"},
    [BITS]              = {"bits as bytes", 0.5, 3.2, 8.4, 8, "counted bytes", "judgement"},
    [RUN_QUANTISED]     = {"a model: fewer bits a weight", 0.9, ANY, "memory binds and nobody said how the weights are stored", "judgement: most published rates are of quantised weights"},
    [RUN_HALF_SUMS]     = {"a model: f16 sums", 0.85, ANY, "a prefill that compute binds fits under that roof", "llama.cpp's F16 kernels, [validation](../validation.md)"},
    [RUN_CACHED]        = {"a model: in the cache", 0.8, 2, HUGE_VAL, 0, "a decode; the range is that of twice the largest cache, in weights of a device", "judgement"},
    [RUN_DEVICES]       = {"a model: more devices", 0.75, 1.2, HUGE_VAL, 0, "a decode on one device", "judgement"},
    [RUN_SPECULATION]   = {"a model: speculative decoding", 0.7, 1.2, HUGE_VAL, 0, "a decode", "judgement"},
    [RUN_BATCH]         = {"a model: larger batch", 0.68, 1.2, HUGE_VAL, 0, "a decode whose batch no file states", "judgement"},
    [RUN_TABLE]         = {"a model: embedding table", 0.65, 0, 1.3, 0, "a decode of a model of which the size alone is known: a table beside the head is not read", "tables of the catalogue's models are up to that part"},
    [RUN_EXPERTS]       = {"a model: mixture of experts", 0.6, ANY, "a decode of a model of which the size alone is known", "judgement"},
    [RUN_BYTES]         = {"a model: fewer weight bytes", 0.55, ANY, "a decode that memory binds", "judgement: the file states the weights"},
    [RUN_OTHER]         = {"a model: prefix cache, another machine, another model", 0.5, ANY, "a prefill", "judgement"},
};
/* clang-format on */

bool hypothesis_takes(hypothesis which, double r) {
    return r >= hypothesis_rows[which].low && r <= hypothesis_rows[which].high;
}

void hypotheses_sort(roof_hypothesis *found, size_t count) {
    for (size_t i = 1; i < count; i++) {
        roof_hypothesis moved = found[i];
        size_t place = i;
        for (; place > 0 && found[place - 1].score < moved.score; place--)
            found[place] = found[place - 1];
        found[place] = moved;
    }
}
