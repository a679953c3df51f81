/* What a roof is taken from: a percentile of many windows. */
#include <math.h>

#include "measure/engine/sampler.h"

double percentile_of(const double *sorted, size_t count, double fraction) {
    if (count == 0)
        return (double)NAN;
    double at = fraction * (double)(count - 1);
    size_t low = (size_t)at;
    if (low + 1 >= count)
        return sorted[count - 1];
    return sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]);
}
