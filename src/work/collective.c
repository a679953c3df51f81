/* Collectives, seen from one device: bytes it sends, latency steps, and the memory it reads and writes. */
#include <math.h>

#include "work/kinds.h"
#include "work/ops.h"

/* Bytes one device sends, and how many times it waits for the link. */
typedef struct schedule {
    double sent, steps;
} schedule;

/* Ring: 2 (g - 1) steps. Two-shot: every device talks to all others at once, twice. Tree: up and down, whole buffers.
 */
static schedule all_reduce(const roof_operation *operation, double g, double bytes) {
    double part = (g - 1) / g * bytes;
    if (operation->shape[COLLECTIVE_TREE] > 0)
        return (schedule){2 * bytes, 2 * ceil(log2(g))};
    if (operation->shape[COLLECTIVE_TWO_SHOT] > 0)
        return (schedule){2 * part, 2};
    return (schedule){2 * part, 2 * (g - 1)};
}

/* Memory traffic of one device: what it holds before, read, and what it holds after, written. */
static double memory_bytes(roof_kind kind, double g, double bytes) {
    switch (kind) {
    case ROOF_KIND_ALL_GATHER:
    case ROOF_KIND_REDUCE_SCATTER:
        return bytes + bytes / g;
    case ROOF_KIND_POINT_TO_POINT:
        return bytes;
    default:
        return 2 * bytes;
    }
}

void work_collective_cost(roof_operation *operation) {
    roof_kind kind = operation->kind;
    bool one_way = kind == ROOF_KIND_POINT_TO_POINT;
    double g = one_way ? 2 : operation->shape[COLLECTIVE_DEVICES];
    double bytes = operation->shape[one_way ? POINT_BYTES : COLLECTIVE_BYTES];
    operation->vector_dtype = work_vector_dtype(operation->dtype[0]);
    if (!(g > 1 && bytes > 0))
        return;
    double part = (g - 1) / g * bytes;
    schedule plan = {part, g - 1};
    if (one_way)
        plan = (schedule){bytes, 1};
    else if (kind == ROOF_KIND_ALL_REDUCE)
        plan = all_reduce(operation, g, bytes);
    operation->link_bytes = plan.sent;
    operation->link_steps = plan.steps;
    if (kind == ROOF_KIND_ALL_REDUCE || kind == ROOF_KIND_REDUCE_SCATTER)
        operation->vector_flops = part / dtype_bytes(operation->dtype[0]); /* one add an element received */
    work_bytes(operation, memory_bytes(kind, g, bytes));
}

int work_collective_check(const roof_operation *operation, roof_error *error) {
    if (operation->shape[COLLECTIVE_TREE] > 0 && operation->shape[COLLECTIVE_TWO_SHOT] > 0)
        return roof_fail(error, ROOF_EARGUMENT, "tree and two_shot are two algorithms: choose one");
    return 0;
}

void work_all_reduce(roof_operation *out, double devices, double bytes, roof_dtype dtype) {
    work_start(out, ROOF_KIND_ALL_REDUCE);
    out->shape[COLLECTIVE_DEVICES] = devices;
    out->shape[COLLECTIVE_BYTES] = bytes;
    out->dtype[0] = dtype;
    work_collective_cost(out);
}
