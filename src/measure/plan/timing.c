/* The time of a measurement: each series gets its part of what is left, by weight, within bounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/plan/plan.h"

enum { WINDOWS_LEAST = 5 };

/* Budgets' worth of time after which what is still to come is left out. */
static const double end_after = 6;

const effort_facts *effort_of(const measure_plan *plan) {
    static const effort_facts efforts[] = {
        [ROOF_EFFORT_NORMAL] = {"normal", 21, 0.05, 0.002, 0.02, 0.3},
        [ROOF_EFFORT_QUICK] = {"quick", 4.4, 0.03, 0.001, 0.008, 0.1},
        [ROOF_EFFORT_THOROUGH] = {"thorough", 130, 0.1, 0.005, 0.05, 0.8},
    };
    return &efforts[plan->options->effort];
}

bool kernel_fits(feature_set needs, const host *here) {
    return (needs & ~here->features) == 0;
}

int isa_rank(feature_set needs) {
    int rank = 0;
    for (int bit = 0; bit < FEATURE_COUNT; bit++)
        if (needs >> bit & 1)
            rank = bit;
    return rank;
}

void names_add(name_list *list, const char *name) {
    size_t used = strlen(list->text);
    list->count++;
    if (list->left_out > 0 || used + strlen(name) + 2 >= sizeof list->text)
        list->left_out++;
    else
        snprintf(list->text + used, sizeof list->text - used, "%s%s", used > 0 ? ", " : "", name);
}

static bool is_of_threads(const window_series *series) {
    return series->pattern == ROOF_PATTERN_WAKE || series->pattern == ROOF_PATTERN_MEET;
}

void series_name(const window_series *series, char *buffer, size_t size) {
    const char *pattern = roof_pattern_name(series->pattern);
    const char *plural = series->threads == 1 ? "" : "s";
    if (series->compute)
        snprintf(buffer, size, "%s %s %s, %d core%s", series->compute->isa, roof_dtype_name(series->compute->dtype),
                 pattern, series->threads, plural);
    else if (is_of_threads(series))
        snprintf(buffer, size, "%s, %d core%s", pattern, series->threads, plural);
    else
        snprintf(buffer, size, "%s %s, %d core%s%s", roof_level_name(series->level), pattern, series->threads, plural,
                 series->plain_pages ? ", no huge pages" : "");
}

double plan_now(const measure_plan *plan) {
    return plan->bench->time.now(plan->bench->time.context);
}

int plan_tell(measure_plan *plan, const char *what) {
    const roof_measure_options *options = plan->options;
    double done = plan->total > 0 ? 1 - fmax(0, plan->left) / plan->total : 0;
    if (options->progress && options->progress(options->context, done, what))
        return roof_fail(plan->error, ROOF_EUNSUPPORTED, "the measurement was stopped; nothing was kept");
    return 0;
}

/* Seconds for a series of this weight: its part of the time left, so that what one saves another gets. */
static double part(const measure_plan *plan, double weight) {
    const effort_facts *effort = effort_of(plan);
    double left = plan->left > weight ? plan->left : weight;
    double seconds = (plan->deadline - plan_now(plan)) * weight / left;
    double least = effort->least * weight, most = effort->most * weight;
    return seconds < least ? least : seconds > most ? most : seconds;
}

/* Compute: windows of 40 microseconds. Memory: longer where the set is larger, so that a window is not a single pass.
 */
static double window_of(const window_series *series) {
    static const double memory[] = {[ROOF_DRAM] = 1e-3, [ROOF_L3] = 250e-6, [ROOF_L2] = 80e-6, [ROOF_L1] = 60e-6};
    return series->compute || is_of_threads(series) ? 40e-6 : memory[series->level];
}

static window_policy policy_of(const measure_plan *plan, const window_series *series, double seconds) {
    const effort_facts *effort = effort_of(plan);
    double warm = plan->warm ? effort->rewarm : effort->warm;
    return (window_policy){.window = window_of(series),
                           .warm = fmax(warm, series->warm),
                           .round = seconds / 5,
                           .least = seconds * 2 / 5,
                           .most = seconds,
                           .agree = 0.01,
                           .percentile = 0.95};
}

/* -1 ends the measurement; 1: this series is left out. */
static int judge_failure(measure_plan *plan, const char *name, const roof_error *failure) {
    if (failure->code == ROOF_ENOMEM)
        return roof_fail(plan->error, ROOF_ENOMEM, "%s", failure->what);
    if (plan->failed.count == 0)
        snprintf(plan->failure, sizeof plan->failure, "%s", failure->what);
    names_add(&plan->failed, name);
    return 1;
}

static void describe(const window_series *series, roof_sample *out) {
    *out = (roof_sample){.pattern = series->pattern,
                         .isa = series->compute  ? series->compute->isa
                                : series->stream ? series->stream->isa
                                                 : "base",
                         .unit = series->compute ? series->compute->unit : ROOF_VECTOR,
                         .dtype = series->compute ? series->compute->dtype : ROOF_DTYPE_NONE,
                         .level = series->level,
                         .threads = series->threads,
                         .from_node = series->from_node,
                         .to_node = series->to_node,
                         .set_bytes = series->set,
                         .moved = series->stream && series->level != ROOF_L1 ? series->stream->moved : 1,
                         .huge = -1};
}

static int run_series(measure_plan *plan, const window_series *series, const window_policy *policy, roof_sample *out) {
    char name[96];
    roof_error failure = {0};
    series_name(series, name, sizeof name);
    describe(series, out);
    if (plan->bench->run(plan->bench->context, series, policy, out, &failure))
        return judge_failure(plan, name, &failure);
    plan->warm = true;
    if (!plan->clock_known)
        out->clock = out->per_cycle = 0;
    return 0;
}

static bool is_past(const measure_plan *plan, double budgets) {
    return plan_now(plan) - plan->start > budgets * effort_of(plan)->budget;
}

/* As soon as the budget is spent series take the least time each: it takes a full machine to come here. */
bool plan_hurries(const measure_plan *plan) {
    return is_past(plan, 3);
}

int plan_time(measure_plan *plan, const window_series *series, double weight, const roof_sample **kept) {
    char name[96];
    roof_sample sample;
    if (kept)
        *kept = NULL;
    series_name(series, name, sizeof name);
    if (plan_tell(plan, name))
        return -1;
    if (is_past(plan, end_after)) {
        names_add(&plan->late, name);
        plan->left -= weight;
        return 1;
    }
    window_policy policy = policy_of(plan, series, part(plan, weight));
    int status = run_series(plan, series, &policy, &sample);
    if (status == 0 && !sample.stable && sample.window_count < WINDOWS_LEAST &&
        !plan_hurries(plan)) { /* something got in between */
        free((void *)(uintptr_t)sample.windows);
        status = run_series(plan, series, &policy, &sample);
    }
    plan->left -= weight;
    if (status)
        return status;
    if (!sample.stable)
        names_add(&plan->unstable, name);
    const roof_sample *added = measurement_add(plan->out, &sample, plan->error);
    free((void *)(uintptr_t)sample.windows);
    if (kept)
        *kept = added;
    return added ? 0 : -1;
}

int plan_try(measure_plan *plan, const window_series *series, double warm, double seconds, roof_sample *out) {
    if (is_past(plan, end_after)) /* levels that were not seen have a condition of their own */
        return 1;
    window_policy policy = policy_of(plan, series, seconds);
    policy.warm = plan->warm ? warm : fmax(warm, policy.warm);
    policy.least = policy.round = seconds;
    int status = run_series(plan, series, &policy, out);
    if (status == 0)
        free((void *)(uintptr_t)out->windows);
    out->windows = NULL;
    out->window_count = 0;
    return status;
}
