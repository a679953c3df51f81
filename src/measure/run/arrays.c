/* What every kind of operation does with its arrays: shares of threads, values that can be checked, differences. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/run/run.h"

void run_share(size_t n, size_t unit, int threads, int rank, size_t *from, size_t *to) {
    size_t pieces = n / unit + (n % unit > 0), each = pieces / (size_t)threads, more = pieces % (size_t)threads;
    size_t at = (size_t)rank, first = at * each + (at < more ? at : more);
    size_t last = first + each + (at < more);
    *from = first * unit < n ? first * unit : n;
    *to = last * unit < n ? last * unit : n;
}

/* The top bits of a product with an odd number: neighbours differ, and nothing repeats with a vector's length. */
double run_value(int array, size_t index) {
    uint32_t mixed = ((uint32_t)index + (uint32_t)array * 0x632be5abU) * 0x9e3779b1U;
    return 0.5 * (1 + (mixed >> 30));
}

double run_element(const run_job *job, int array, size_t index) {
    const run_array *from = &job->arrays[array];
    double wide;
    float narrow;
    if (from->element == sizeof wide) {
        memcpy(&wide, from->bytes + index * sizeof wide, sizeof wide);
        return wide;
    }
    memcpy(&narrow, from->bytes + index * sizeof narrow, sizeof narrow);
    return (double)narrow;
}

static void put(const run_array *to, size_t index, double value) {
    float narrow = (float)value;
    if (to->element == sizeof value)
        memcpy(to->bytes + index * sizeof value, &value, sizeof value);
    else
        memcpy(to->bytes + index * sizeof narrow, &narrow, sizeof narrow);
}

void run_fill_array(run_job *job, int array, int rank) {
    const run_array *to = &job->arrays[array];
    size_t at, end;
    run_share(to->count, 64 / to->element, job->threads, rank, &at, &end);
    for (; at < end; at++)
        put(to, at, run_value(array, at));
}

void run_clear_array(run_job *job, int array, int rank) {
    const run_array *to = &job->arrays[array];
    size_t at, end;
    run_share(to->count, 64 / to->element, job->threads, rank, &at, &end);
    for (; at < end; at++)
        put(to, at, -1);
}

void run_add_array(run_job *job, size_t count, size_t element) {
    job->arrays[job->array_count++] = (run_array){.count = count, .element = element};
}

double run_difference(double got, double want) {
    double difference = fabs(got - want) / fmax(fabs(want), DBL_MIN);
    return isnan(difference) ? HUGE_VAL : difference;
}

double *run_partial(const run_job *job, int rank) {
    return &job->partial[rank * RUN_APART];
}
