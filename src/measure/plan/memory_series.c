/* Which stream kernels are timed, at which level and on how many cores; latency; the effect of huge pages; NUMA. */
#include "measure/plan/plan.h"

#include <math.h>
#include <stdio.h>

static const roof_level order[] = {ROOF_DRAM, ROOF_L3, ROOF_L2, ROOF_L1}; /* the largest first: memory is taken once */
static const double level_weights[ROOF_LEVEL_COUNT] = {[ROOF_DRAM] = 3, [ROOF_L3] = 1.5, [ROOF_L2] = 1, [ROOF_L1] = 1};
enum { LINE = 64 };
static const double settle_load = 100e-9; /* seconds a load of a line that is not in its cache yet */
static const double drain_rate = 10e9;    /* byte/s: how fast old lines leave the caches, at least */

static bool is_non_temporal(roof_pattern pattern) {
    return pattern >= ROOF_PATTERN_STORE_NT && pattern <= ROOF_PATTERN_TRIAD_NT;
}

static bool is_asked(const measure_plan *plan, roof_pattern pattern, roof_level level) {
    if (!is_non_temporal(pattern))
        return true;
    return level == ROOF_DRAM || (level == ROOF_L3 && plan->options->effort == ROOF_EFFORT_THOROUGH);
}

static int pattern_count(const measure_plan *plan, roof_level level) {
    int count = 0;
    for (int pattern = ROOF_PATTERN_LOAD; pattern <= ROOF_PATTERN_TRIAD_NT; pattern++)
        count += is_asked(plan, (roof_pattern)pattern, level);
    return count;
}

double memory_weight(const measure_plan *plan) {
    double weight = 5; /* latency, launch, huge pages */
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        weight += level_weights[order[i]] * pattern_count(plan, order[i]) * (plan->threads > 1 ? 2 : 1);
    return weight;
}

/* Seconds in which a series replaces what its predecessor left in the caches. */
static double drain(const measure_plan *plan, roof_level level) {
    return level == ROOF_DRAM ? 2 * plan->levels.cache / drain_rate : 0;
}

static window_series series_of(const measure_plan *plan, const stream_kernel *kernel, roof_level level, int threads) {
    const level_plan *at = &plan->levels.at[level];
    window_series made = {.pattern = kernel->pattern,
                          .stream = kernel,
                          .level = level,
                          .threads = threads,
                          .set = threads == 1 ? at->one : at->all,
                          .from_node = -1,
                          .to_node = -1};
    /* What the series before left in the caches must be gone. */
    made.warm = drain(plan, level);
    /* Lines that were written stay in a cache until it needs their place: a window must be longer than that. */
    if (level == ROOF_DRAM && kernel->pattern != ROOF_PATTERN_LOAD)
        made.cover = 2 * (threads == 1 ? plan->levels.cache : plan->levels.last_cache);
    return made;
}

/* Kernels of the widest ISA for a pattern, and of the next where there is time. Returns how many. */
static size_t candidates(const measure_plan *plan, roof_pattern pattern, const stream_kernel **out) {
    int widest = -1, next = -1, rank;
    const stream_kernel *kernel;
    size_t count = 0;
    for (size_t i = 0; (kernel = plan->bench->stream_at(i)); i++) {
        if (kernel->pattern != pattern || !kernel_fits(kernel->needs, plan->host))
            continue;
        rank = isa_rank(kernel->needs);
        if (rank > widest)
            next = widest, widest = rank;
        else if (rank < widest && rank > next)
            next = rank;
    }
    int least = plan->options->effort == ROOF_EFFORT_QUICK || next < 0 ? widest : next;
    for (size_t i = 0; count < KERNELS_MAX && (kernel = plan->bench->stream_at(i)); i++)
        if (kernel->pattern == pattern && kernel_fits(kernel->needs, plan->host) && isa_rank(kernel->needs) >= least)
            out[count++] = kernel;
    return count;
}

static size_t proven(measure_plan *plan, roof_pattern pattern, const stream_kernel **out) {
    size_t kept = 0, count = candidates(plan, pattern, out);
    for (size_t i = 0; i < count; i++)
        if (plan->bench->prove_stream(out[i]) == 0)
            out[kept++] = out[i];
        else
            names_add(&plan->wrong, out[i]->name);
    return kept;
}

/* The best of the candidates in a short trial on one core. NULL: none could be tried. */
static int pick(measure_plan *plan, const stream_kernel **list, size_t count, roof_level level,
                const stream_kernel **best) {
    double most = 0;
    int widest = 0;
    for (size_t i = 0; i < count; i++)
        widest = isa_rank(list[i]->needs) > widest ? isa_rank(list[i]->needs) : widest;
    *best = count == 1 ? list[0] : NULL;
    for (size_t i = 0; i < count && count > 1; i++) {
        roof_sample sample;
        window_series trial = series_of(plan, list[i], level, 1);
        int status = plan_try(plan, &trial, drain(plan, level), level == ROOF_DRAM ? 0.02 : 0.004, &sample);
        if (status < 0)
            return -1;
        double score =
            sample.value * (isa_rank(list[i]->needs) == widest ? 1.03 : 1); /* a trial is no finer than that */
        if (status == 0 && score > most) {
            most = score;
            *best = list[i];
        }
    }
    return 0;
}

typedef struct kernel_picks {
    const stream_kernel *at[ROOF_LEVEL_COUNT][ROOF_PATTERN_COUNT];
} kernel_picks;

static int time_stream(measure_plan *plan, const stream_kernel *kernel, roof_level level, int threads, double weight) {
    window_series series = series_of(plan, kernel, level, threads);
    return plan_time(plan, &series, weight, NULL) < 0 ? -1 : 0;
}

/* One core: the best kernel of each pattern, or every one when there is time. */
static int one_core(measure_plan *plan, roof_level level, roof_pattern pattern, const stream_kernel **chosen) {
    const stream_kernel *list[KERNELS_MAX];
    size_t count = proven(plan, pattern, list);
    if (count == 0)
        return 0;
    if (pick(plan, list, count, level, chosen))
        return -1;
    bool every = plan->options->effort == ROOF_EFFORT_THOROUGH;
    for (size_t i = 0; i < count; i++)
        if ((every || list[i] == *chosen) &&
            time_stream(plan, list[i], level, 1, level_weights[level] / (every ? (double)count : 1)))
            return -1;
    return 0;
}

static int all_levels(measure_plan *plan, int threads, kernel_picks *picks) {
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const level_plan *at = &plan->levels.at[order[i]];
        for (int pattern = ROOF_PATTERN_LOAD; pattern <= ROOF_PATTERN_TRIAD_NT; pattern++) {
            const stream_kernel **chosen = &picks->at[order[i]][pattern];
            if (!is_asked(plan, (roof_pattern)pattern, order[i]) || (threads == 1 ? at->one : at->all) <= 0)
                continue;
            if (threads == 1 ? one_core(plan, order[i], (roof_pattern)pattern, chosen)
                             : *chosen && time_stream(plan, *chosen, order[i], threads, level_weights[order[i]]))
                return -1;
        }
    }
    return 0;
}

static int latency(measure_plan *plan) {
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const level_plan *at = &plan->levels.at[order[i]];
        window_series series = {
            .pattern = ROOF_PATTERN_CHASE,
            .level = order[i],
            .threads = 1,
            .set = at->one,
            .warm = order[i] == ROOF_DRAM ? 0 : 2 * at->one / LINE * settle_load, /* until it lies there */
            .from_node = -1,
            .to_node = -1};
        if (at->one > 0 && plan_time(plan, &series, order[i] == ROOF_DRAM ? 2 : 0.5, NULL) < 0)
            return -1;
    }
    return 0;
}

/* DRAM load once more without huge pages: the pair of samples shows what they are worth. */
static int plain_pages(measure_plan *plan, const kernel_picks *picks) {
    const stream_kernel *kernel = picks->at[ROOF_DRAM][ROOF_PATTERN_LOAD];
    int threads = plan->levels.at[ROOF_DRAM].all > 0 ? plan->threads : 1;
    if (!kernel || plan->options->effort == ROOF_EFFORT_QUICK)
        return 0;
    window_series series = series_of(plan, kernel, ROOF_DRAM, threads);
    series.plain_pages = true;
    return plan_time(plan, &series, 1, NULL) < 0 ? -1 : 0;
}

static int cores_of(const measure_plan *plan, int node) {
    int count = 0;
    for (int i = 0; i < plan->threads; i++)
        count += plan->host->allowed[i].node == node;
    return count;
}

/* Threads of the first node on memory of each node. */
static int nodes(measure_plan *plan, const kernel_picks *picks) {
    const stream_kernel *kernel = picks->at[ROOF_DRAM][ROOF_PATTERN_LOAD];
    int from = plan->host->allowed[0].node;
    if (plan->host->node_count < 2 || from < 0 || !kernel)
        return 0;
    for (int to = 0; to < HOST_NODES_MAX; to++) {
        int threads = cores_of(plan, from) < cores_of(plan, to) ? cores_of(plan, from) : cores_of(plan, to);
        if (threads == 0)
            continue;
        window_series series = series_of(plan, kernel, ROOF_DRAM, threads);
        series.set = fmax(plan->levels.at[ROOF_DRAM].one, plan->levels.needs) / threads;
        series.from_node = from;
        series.to_node = to;
        if (plan->levels.needs <= plan->memory && plan_time(plan, &series, 1, NULL) < 0)
            return -1;
    }
    return 0;
}

/* What it costs that all threads work on one operation: from sleep, and when they run already. */
static int threads_together(measure_plan *plan) {
    window_series series = {.level = ROOF_L1, .threads = plan->threads, .from_node = -1, .to_node = -1};
    series.pattern = ROOF_PATTERN_WAKE;
    if (plan_time(plan, &series, 0.5, NULL) < 0)
        return -1;
    series.pattern = ROOF_PATTERN_MEET;
    return plan->threads > 1 && plan_time(plan, &series, 0.5, NULL) < 0 ? -1 : 0;
}

static void huge_condition(measure_plan *plan) {
    for (size_t i = 0; i < plan->out->sample_count; i++) {
        const roof_sample *sample = &plan->out->samples[i];
        char what[160];
        if (sample->level != ROOF_DRAM || sample->pattern != ROOF_PATTERN_LOAD || sample->huge < 0)
            continue;
        if (sample->huge < 0.5) {
            snprintf(what, sizeof what, "only %.0f%% of the DRAM working set was on huge pages", 100 * sample->huge);
            condition_add(plan->out, what, "transparent huge pages are off, or memory is in too many pieces",
                          "set /sys/kernel/mm/transparent_hugepage/enabled to madvise");
        }
        return; /* the first is the one that asked for them */
    }
}

int plan_memory(measure_plan *plan) {
    kernel_picks picks = {0};
    if (all_levels(plan, 1, &picks) || latency(plan))
        return -1;
    if (plan->threads > 1 && all_levels(plan, plan->threads, &picks))
        return -1;
    if (plain_pages(plan, &picks) || nodes(plan, &picks) || threads_together(plan))
        return -1;
    huge_condition(plan);
    return 0;
}
