/* The sweep over working sets on one core, and what the levels come out as. */
#include "measure/plan/plan.h"

#include <math.h>
#include <stdio.h>

static const double from_memory = 8e6; /* sets this large are read chunk by chunk, with a whole pass before */
static const double pass_rate = 10e9;  /* byte/s: for how long a pass may take */

/* The first load kernel of the widest ISA that works; NULL: none. */
static const stream_kernel *load_kernel(const measure_plan *plan) {
    const stream_kernel *kernel, *best = NULL;
    for (size_t i = 0; (kernel = plan->bench->stream_at(i)); i++)
        if (kernel->pattern == ROOF_PATTERN_LOAD && kernel_fits(kernel->needs, plan->host) &&
            (!best || isa_rank(kernel->needs) > isa_rank(best->needs)) && plan->bench->prove_stream(kernel) == 0)
            best = kernel;
    return best;
}

/* Far past the last cache where that is possible. */
static double sweep_end(const measure_plan *plan) {
    bool quick = plan->options->effort == ROOF_EFFORT_QUICK;
    double end = 256 << 20, most = quick ? 512 << 20 : 1024 << 20;
    bool any = false;
    for (int level = ROOF_L3; level < ROOF_LEVEL_COUNT; level++) {
        end = fmax(end, (quick ? 6 : 8) * plan->host->cache[level]);
        any |= plan->host->cache[level] > 0;
    }
    if (!any)
        end = 512 << 20; /* nothing is reported */
    return fmin(fmin(end, most), plan->memory);
}

static int sweep_point(measure_plan *plan, const stream_kernel *kernel, double size, double *rate) {
    bool large = size >= from_memory;
    window_series series = {.pattern = ROOF_PATTERN_LOAD,
                            .stream = kernel,
                            .level = large          ? ROOF_DRAM
                                     : size > 300e3 ? ROOF_L3
                                                    : ROOF_L1,
                            .threads = 1,
                            .set = size,
                            .from_node = -1,
                            .to_node = -1};
    double least = plan->options->effort == ROOF_EFFORT_QUICK ? 2e-3 : 5e-3, pass = large ? size / pass_rate : 0;
    roof_sample sample;
    int status = plan_try(plan, &series, pass, fmax(least, pass), &sample);
    *rate = status ? 0 : sample.value;
    return status;
}

static void size_text(double bytes, char *buffer, size_t size) {
    if (bytes < 1e6)
        snprintf(buffer, size, "%.0f kB", bytes / 1e3);
    else
        snprintf(buffer, size, bytes < 1e7 ? "%.1f MB" : "%.0f MB", bytes / 1e6);
}

static void refuted_condition(measure_plan *plan, roof_level level) {
    const level_plan *at = &plan->levels.at[level];
    char what[160], reported[24], knee[24] = "no size";
    size_text(at->reported, reported, sizeof reported);
    if (at->size > 0)
        size_text(at->size, knee, sizeof knee);
    snprintf(what, sizeof what, "the system reports %s of %s for a core; the bandwidth shows %s", reported,
             roof_level_name(level), knee);
    condition_add(plan->out, what,
                  "a virtual machine that repeats a host's figure, or other programs that fill the cache",
                  "the measured size is used");
}

static void unseen_condition(measure_plan *plan, roof_level level) {
    char what[160];
    snprintf(what, sizeof what, "no part of the sweep is %s: its bandwidth is unknown", roof_level_name(level));
    condition_add(plan->out, what,
                  level == ROOF_DRAM
                      ? "too little memory for a sweep well past the caches, or a machine too busy to tell them apart"
                      : "other programs use the cache, or the machine was too busy",
                  level == ROOF_DRAM ? "allow more memory, or measure on a quiet machine"
                                     : "measure again on a quiet machine");
}

static void assumed_condition(measure_plan *plan) {
    char what[160], set[24];
    size_text(plan->levels.at[ROOF_DRAM].one, set, sizeof set);
    snprintf(what, sizeof what, "the sweep does not show where DRAM begins; measured with a working set of %s", set);
    condition_add(plan->out, what, "the sweep ends too soon after the caches, or the machine was too busy",
                  "the set is four times every cache that is reported: trust it, or measure again on a quiet machine");
}

static void unset_condition(measure_plan *plan, roof_level level) {
    const level_plan *at = &plan->levels.at[level];
    char what[160], needs[24], memory[24];
    if (level == ROOF_DRAM) {
        size_text(plan->levels.needs, needs, sizeof needs);
        size_text(plan->memory, memory, sizeof memory);
        snprintf(what, sizeof what, "DRAM bandwidth of %s is unknown: its working sets need %s, %s may be used",
                 at->one > 0 ? "all cores" : "one core and of all", needs, memory);
        condition_add(plan->out, what, "smaller sets would stay in the caches and show their bandwidth",
                      "allow more memory");
        return;
    }
    snprintf(what, sizeof what, "%s bandwidth of %s is unknown", roof_level_name(level),
             at->one > 0 ? "all cores" : "one core and of all");
    condition_add(plan->out, what,
                  "a core's part of it is hardly larger than the level before, or memory is too little for a set",
                  "measure with fewer threads or more memory");
}

static void level_conditions(measure_plan *plan) {
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++) {
        const level_plan *at = &plan->levels.at[level];
        if (at->refuted)
            refuted_condition(plan, (roof_level)level);
        bool wanted = level == ROOF_DRAM || at->reported > 0;
        if (level == ROOF_DRAM && plan->levels.needs > plan->memory)
            unset_condition(plan, ROOF_DRAM);
        else if (at->assumed)
            assumed_condition(plan);
        else if (!at->seen && wanted)
            unseen_condition(plan, (roof_level)level);
        else if (at->seen && (at->one <= 0 || at->all <= 0))
            unset_condition(plan, (roof_level)level);
    }
}

/* One more time over all sizes, from the largest down, so that the memory is taken once. The better rate counts. */
static int sweep(measure_plan *plan, const stream_kernel *kernel, const double *sizes, double *rates, size_t count) {
    for (size_t i = count; i-- > 0;) {
        double rate;
        if (i % 16 == 0 && plan_tell(plan, "where the caches end"))
            return -1;
        if (sweep_point(plan, kernel, sizes[i], &rate) < 0)
            return -1;
        rates[i] = fmax(rates[i], rate);
    }
    return 0;
}

/* Memory and every cache that is reported. */
static bool all_seen(const measure_plan *plan) {
    bool seen = plan->levels.at[ROOF_DRAM].seen;
    for (int level = ROOF_L3; level < ROOF_LEVEL_COUNT; level++)
        seen &= plan->levels.at[level].seen || plan->levels.at[level].reported <= 0;
    return seen;
}

int plan_sweep(measure_plan *plan) {
    double sizes[SWEEP_MAX], rates[SWEEP_MAX] = {0};
    plateau plateaus[PLATEAU_MAX];
    const stream_kernel *kernel = load_kernel(plan);
    size_t count = kernel ? sweep_sizes(8192, sweep_end(plan), sizes) : 0;
    int tries = plan->options->effort == ROOF_EFFORT_QUICK ? 2 : 3;
    do {
        if (sweep(plan, kernel, sizes, rates, count))
            return -1;
        size_t found = find_plateaus(sizes, rates, count, plateaus);
        name_levels(plateaus, found, count ? sizes[count - 1] : 0, plan->host->cache, &plan->levels);
    } while (--tries > 0 && !all_seen(plan) &&
             !plan_hurries(plan)); /* others may have disturbed it: a rate can only be too low */
    choose_sets(plan->host, plan->threads, plan->memory, &plan->levels);
    level_conditions(plan);
    return 0;
}
