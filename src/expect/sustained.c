/* Rates by pattern from the samples of a measurement: what work reaches that is not the pattern of the roof. */
#include <math.h>
#include <string.h>

#include "roofline_expected.h"
#include "roofline_measure.h"

/* The traffic a pattern stands for; -1: none. Non-temporal stores write no less: the better of both counts. */
static int traffic_of(roof_pattern pattern) {
    switch (pattern) {
    case ROOF_PATTERN_LOAD:
        return ROOF_TRAFFIC_READ;
    case ROOF_PATTERN_COPY:
    case ROOF_PATTERN_COPY_NT:
        return ROOF_TRAFFIC_COPY;
    case ROOF_PATTERN_TRIAD:
    case ROOF_PATTERN_TRIAD_NT:
        return ROOF_TRAFFIC_TRIAD;
    case ROOF_PATTERN_UPDATE:
        return ROOF_TRAFFIC_UPDATE;
    default:
        return -1;
    }
}

/* Bytes of one vector register of an instruction set. */
static double vector_bytes(const char *isa) {
    static const struct {
        const char *begins;
        double bytes;
    } sets[] = {{"avx512", 64}, {"avx", 32}, {"sse", 16}, {"neon", 16}};
    for (size_t i = 0; isa && i < sizeof sets / sizeof sets[0]; i++)
        if (strncmp(isa, sets[i].begins, strlen(sets[i].begins)) == 0)
            return sets[i].bytes;
    return 0;
}

static void take(const roof_sample *sample, roof_sustained *out) {
    int traffic = traffic_of(sample->pattern);
    if (sample->pattern == ROOF_PATTERN_FMA && sample->unit == ROOF_VECTOR)
        out->fma[sample->dtype] = fmax(out->fma[sample->dtype], sample->value);
    if (traffic < 0)
        return;
    double *rate = &out->traffic[traffic][sample->level];
    *rate = fmax(*rate, sample->value);
    double vector = vector_bytes(sample->isa);
    if (sample->pattern == ROOF_PATTERN_LOAD && sample->level == ROOF_L1 && vector > 0 &&
        sample->value / vector > out->loads) {
        out->loads = sample->value / vector;
        out->vector = vector;
    }
}

/* Far memory is not the machine's own. */
static void take_all(const roof_measurement *measurement, int threads, roof_sustained *out) {
    *out = (roof_sustained){.threads = threads};
    for (size_t i = 0; i < measurement->sample_count; i++) {
        const roof_sample *sample = &measurement->samples[i];
        if (sample->threads == threads && sample->from_node == sample->to_node)
            take(sample, out);
    }
}

/* Several cores have several L1s, and where the roof allows it several L2s: less than one core's share of them was
 * disturbed, and what one core reached stands for all. */
static void scale_private(const roof_sustained *one, const roof_machine *machine, roof_sustained *out) {
    static const roof_level levels[] = {ROOF_L1, ROOF_L2};
    out->loads = fmax(out->loads, out->threads * one->loads);
    for (int traffic = 0; traffic < ROOF_TRAFFIC_COUNT; traffic++)
        for (int i = 0; i < 2; i++) {
            double *rate = &out->traffic[traffic][levels[i]], whole = out->threads * one->traffic[traffic][levels[i]];
            *rate = fmax(*rate, fmin(whole, machine->bandwidth[levels[i]].value));
        }
}

void roof_sustained_of(const roof_measurement *measurement, int threads, roof_sustained *out) {
    roof_sustained one;
    take_all(measurement, threads, out);
    if (threads <= 1)
        return;
    take_all(measurement, 1, &one);
    scale_private(&one, &measurement->machine, out);
}
