/* Collectives, seen from one device: bytes it sends, latency steps, and the memory it reads and writes. */
#include <math.h>

#include "work/ops.h"

void work_all_reduce(roof_operation *out, double devices, double bytes, roof_dtype dtype) {
    work_start(out, ROOF_ALL_REDUCE);
    out->shape[COLLECTIVE_DEVICES] = devices;
    out->shape[COLLECTIVE_BYTES] = bytes;
    out->dtype[0] = dtype;
    out->vector_dtype = work_vector_dtype(dtype);
    if (!(devices > 1 && bytes > 0))
        return;
    double part = (devices - 1) / devices * bytes;
    out->link_bytes = 2 * part; /* ring: reduce-scatter, then all-gather */
    out->link_steps = 2 * (devices - 1);
    out->vector_flops = part / roof_dtype_bytes(dtype);
    work_bytes(out, 2 * bytes);
}
