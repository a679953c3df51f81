/* From samples to the roofs of two machines: all cores together, and one alone. */
#include "measure/plan/plan.h"

#include <stdio.h>
#include <string.h>

typedef struct number {
    char text[32];
} number; /* "1,240" */

static number grouped(size_t value) {
    number out;
    if (value < 1000)
        snprintf(out.text, sizeof out.text, "%zu", value);
    else if (value < 1000000)
        snprintf(out.text, sizeof out.text, "%zu,%03zu", value / 1000, value % 1000);
    else
        snprintf(out.text, sizeof out.text, "%zu,%03zu,%03zu", value / 1000000, value / 1000 % 1000, value % 1000);
    return out;
}

static number duration(double seconds) {
    number out;
    if (seconds < 1e-3)
        snprintf(out.text, sizeof out.text, "%.0f us", seconds * 1e6);
    else
        snprintf(out.text, sizeof out.text, "%.1f ms", seconds * 1e3);
    return out;
}

static const char *kind_text(const roof_sample *sample, char *buffer, size_t size) {
    const char *pattern = roof_pattern_name(sample->pattern);
    if (sample->dtype == ROOF_F16 && sample->pattern != ROOF_PATTERN_DOT)
        snprintf(buffer, size, "%s %s with f16 accumulate", sample->isa, pattern);
    else
        snprintf(buffer, size, "%s %s", sample->isa, pattern);
    return buffer;
}

/* `figure` becomes the sample's roof where that is higher. -1: no memory. */
static int raise_to(const measure_plan *plan, roof_figure *figure, const roof_sample *sample, double value) {
    char kind[96];
    if (figure->origin != ROOF_ORIGIN_UNKNOWN && figure->value >= value)
        return 0;
    const char *source = measurement_text(
        plan->out, "measured %.10s: %s, %d core%s, 95th percentile of %s windows of %s", plan->out->date,
        kind_text(sample, kind, sizeof kind), sample->threads, sample->threads == 1 ? "" : "s",
        grouped(sample->window_count).text, duration(sample->window_seconds).text);
    *figure = (roof_figure){.value = value, .origin = ROOF_ORIGIN_MEASURED, .source = source};
    return source ? 0 : roof_fail(plan->error, ROOF_ENOMEM, "not enough memory for the roofs");
}

/* Of so many threads or fewer: where a disturbed run of all cores is below one core, one core's is a roof of both. */
static int take_samples(const measure_plan *plan, int threads, roof_machine *machine) {
    for (size_t i = 0; i < plan->out->sample_count; i++) {
        const roof_sample *sample = &plan->out->samples[i];
        roof_figure *figure = NULL;
        if (sample->threads > threads || sample->from_node >= 0)
            continue;
        if (roof_pattern_is_compute(sample->pattern))
            figure = &machine->peak[sample->unit][sample->dtype];
        else if (roof_pattern_is_memory(sample->pattern))
            figure = &machine->bandwidth[sample->level];
        if (figure && raise_to(plan, figure, sample, sample->value))
            return -1;
    }
    return 0;
}

/* The clock while the vector kernel of the most operations a second ran. */
static int take_clock(const measure_plan *plan, int threads, roof_machine *machine) {
    const roof_sample *best = NULL;
    for (size_t i = 0; i < plan->out->sample_count; i++) {
        const roof_sample *sample = &plan->out->samples[i];
        if (sample->threads == threads && roof_pattern_is_compute(sample->pattern) && sample->clock > 0 &&
            (!best || sample->value > best->value))
            best = sample;
    }
    return best ? raise_to(plan, &machine->clock, best, best->clock) : 0;
}

/* Of all that `threads` use: their own caches, and those they share, together. */
static int take_sizes(const measure_plan *plan, int threads, roof_machine *machine) {
    for (int level = ROOF_L3; level < ROOF_LEVEL_COUNT; level++) {
        const level_plan *at = &plan->levels.at[level];
        int sharers = at->sharers < threads ? at->sharers : threads;
        if (at->size <= 0 || sharers <= 0)
            continue;
        bool reported = at->reported > 0 && !at->refuted;
        int instances = (threads + sharers - 1) / sharers;
        const char *source = measurement_text(
            plan->out, reported ? "reported by %s%s" : "where the bandwidth falls in a sweep%s%s",
            reported ? plan->host->caches_from : "", at->seen && reported ? ", seen in the sweep" : "");
        if (!source)
            return roof_fail(plan->error, ROOF_ENOMEM, "not enough memory for the roofs");
        machine->size[level] =
            (roof_figure){at->size * instances, reported ? ROOF_ORIGIN_GIVEN : ROOF_ORIGIN_MEASURED, false, source};
    }
    return 0;
}

static void take_memory(const measure_plan *plan, roof_machine *machine) {
    const host *here = plan->host;
    if (here->cache[ROOF_DRAM] > 0)
        machine->size[ROOF_DRAM] =
            (roof_figure){here->cache[ROOF_DRAM], ROOF_ORIGIN_GIVEN, false, "reported by the system"};
    if (here->available_why && *here->available_why)
        machine->usable = (roof_figure){here->available, ROOF_ORIGIN_GIVEN, false, here->available_why};
}

static const char *vendor_of(const char *cpu) {
    static const char *const vendors[] = {"AMD", "Intel",    "Ampere",  "Apple", "NVIDIA",
                                          "AWS", "Qualcomm", "Fujitsu", "ARM",   "Arm"};
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
        if (strstr(cpu, vendors[i]))
            return vendors[i];
    return NULL;
}

static int fill(const measure_plan *plan, int threads, roof_machine *machine) {
    const char *cpu = plan->out->cpu[0] ? plan->out->cpu : "this machine";
    memset(machine, 0, sizeof *machine);
    machine->id = "this";
    machine->name = measurement_text(plan->out, "%s, %d core%s", cpu, threads, threads == 1 ? "" : "s");
    machine->vendor = vendor_of(cpu);
    machine->scope =
        threads == plan->host->core_count && plan->host->allowed_count == plan->host->online ? "socket" : "cores";
    machine->units = (roof_figure){threads, ROOF_ORIGIN_GIVEN, false, "cores measured with, one thread each"};
    if (!machine->name)
        return roof_fail(plan->error, ROOF_ENOMEM, "not enough memory for the roofs");
    take_memory(plan, machine);
    return take_samples(plan, threads, machine) || take_clock(plan, threads, machine) ||
                   take_sizes(plan, threads, machine)
               ? -1
               : 0;
}

int roofs_fill(const measure_plan *plan) {
    return fill(plan, plan->threads, &plan->out->machine) || fill(plan, 1, &plan->out->one) ? -1 : 0;
}
