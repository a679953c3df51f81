/* The order of a measurement and its time: each series gets its part of what is left, by weight, within bounds. */
#include "measure/plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS_LEAST = 5 };

/* Budgets' worth of time after which what is still to come is left out. */
static const double end_after = 6;

typedef struct effort_facts {
    const char *name;
    double budget;       /* seconds */
    double warm, rewarm; /* before the first series of all; before each other one */
    double least, most;  /* seconds of a series of weight 1 */
} effort_facts;

static const effort_facts *effort_of(const measure_plan *plan) {
    static const effort_facts efforts[] = {
        [ROOF_EFFORT_NORMAL] = {"normal", 21, 0.05, 0.002, 0.02, 0.3},
        [ROOF_EFFORT_QUICK] = {"quick", 4.4, 0.03, 0.001, 0.008, 0.1},
        [ROOF_EFFORT_THOROUGH] = {"thorough", 130, 0.1, 0.005, 0.05, 0.8},
    };
    return &efforts[plan->options->effort];
}

/* Where nothing says how much memory there is, no more than this is taken. */
static const double memory_unknown = 256 << 20;

double memory_to_use(const roof_measure_options *options, const host *here) {
    bool known = here->available_why && *here->available_why;
    if (!known)
        return options->memory > 0 ? options->memory : memory_unknown;
    return options->memory > 0 ? fmin(options->memory, here->available / 2) : here->available / 2;
}

int threads_to_use(const roof_measure_options *options, const host *here) {
    int threads = here->core_count > 0 ? here->core_count : 1;
    if (here->quota > 0 && here->quota < threads)
        threads = here->quota < 1 ? 1 : (int)here->quota;
    return options->threads > 0 && options->threads < threads ? options->threads : threads;
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

/* "17 series did not settle: a, b, c and 14 more" */
static void names_tell(const name_list *list, const char *format, char *what, size_t size) {
    snprintf(what, size, format, list->count, list->text);
    size_t used = strlen(what);
    if (list->left_out > 0)
        snprintf(what + used, size - used, " and %d more", list->left_out);
}

void series_name(const window_series *series, char *buffer, size_t size) {
    const char *pattern = roof_pattern_name(series->pattern);
    const char *plural = series->threads == 1 ? "" : "s";
    if (series->compute)
        snprintf(buffer, size, "%s %s %s, %d core%s", series->compute->isa, roof_dtype_name(series->compute->dtype),
                 pattern, series->threads, plural);
    else if (series->pattern == ROOF_PATTERN_LAUNCH)
        snprintf(buffer, size, "%s, %d core%s", pattern, series->threads, plural);
    else
        snprintf(buffer, size, "%s %s, %d core%s%s", roof_level_name(series->level), pattern, series->threads, plural,
                 series->plain_pages ? ", no huge pages" : "");
}

static double now(const measure_plan *plan) {
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
    double seconds = (plan->deadline - now(plan)) * weight / left;
    double least = effort->least * weight, most = effort->most * weight;
    return seconds < least ? least : seconds > most ? most : seconds;
}

/* Compute: windows of 40 microseconds. Memory: longer where the set is larger, so that a window is not a single pass.
 */
static double window_of(const window_series *series) {
    static const double memory[] = {[ROOF_DRAM] = 1e-3, [ROOF_L3] = 250e-6, [ROOF_L2] = 80e-6, [ROOF_L1] = 60e-6};
    return series->compute || series->pattern == ROOF_PATTERN_LAUNCH ? 40e-6 : memory[series->level];
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
    return now(plan) - plan->start > budgets * effort_of(plan)->budget;
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

/* The chain of adds is the clock only where a chain of multiplies says the same. */
static void check_clock(measure_plan *plan) {
    char what[160];
    double cycles = MULTIPLY_CYCLES ? plan->bench->multiply_cycles(plan->bench->context) : 0;
    double off = MULTIPLY_CYCLES ? cycles / MULTIPLY_CYCLES - 1 : 0;
    plan->clock_known = off < 0.02 && off > -0.02;
    if (plan->clock_known)
        return;
    snprintf(what, sizeof what, "the clock is not known: a dependent multiply took %.2f adds, not %d", cycles,
             MULTIPLY_CYCLES);
    condition_add(plan->out, what, "an emulator, a CPU that the chains were not made for, or a busy machine",
                  "figures per cycle are left out; the roofs do not depend on them");
}

static void name_condition(measure_plan *plan, const name_list *list, const char *format, const char *cause,
                           const char *remedy) {
    char what[160];
    if (list->count == 0)
        return;
    names_tell(list, format, what, sizeof what);
    condition_add(plan->out, what, cause, remedy);
}

static void drift_condition(measure_plan *plan) {
    char what[160];
    double least = 0, most = 0;
    for (size_t i = 0; i < plan->out->sample_count; i++) {
        const roof_sample *sample = &plan->out->samples[i];
        if (!roof_pattern_is_compute(sample->pattern) || sample->clock <= 0 || sample->unit == ROOF_MATRIX)
            continue;
        least = least == 0 || sample->clock < least ? sample->clock : least;
        most = sample->clock > most ? sample->clock : most;
    }
    if (most <= least * 1.03)
        return;
    snprintf(what, sizeof what, "the clock was between %.2f and %.2f GHz", least / 1e9, most / 1e9);
    condition_add(plan->out, what, "boost by load and temperature, or wide vectors at a lower clock",
                  "compare series per cycle; for one clock, fix the frequency and measure again");
}

static bool same_work(const roof_sample *left, const roof_sample *right) {
    return left->pattern == right->pattern && left->unit == right->unit && left->dtype == right->dtype &&
           left->level == right->level && left->from_node == right->from_node && strcmp(left->isa, right->isa) == 0;
}

/* "L2 store", "avx2 fma" */
static void work_name(const roof_sample *sample, char *buffer, size_t size) {
    bool memory = roof_pattern_is_memory(sample->pattern);
    snprintf(buffer, size, "%s %s", memory ? roof_level_name(sample->level) : sample->isa,
             roof_pattern_name(sample->pattern));
}

/* All cores together do no less than one, and one alone no less than its share of them: if they do, something is wrong,
 * and averaging would hide it. */
static void compare_cores(const roof_sample *one, const roof_sample *all, name_list *together, name_list *alone) {
    char name[64];
    if (one->threads != 1 || all->threads <= 1 || roof_pattern_is_time(one->pattern) || !same_work(one, all))
        return;
    work_name(all, name, sizeof name);
    if (all->value < 0.9 * one->value)
        names_add(together, name);
    else if (one->value < 0.9 * all->value / all->threads)
        names_add(alone, name);
}

/* Another kernel did the same work faster on as many cores. */
static bool is_beaten(const roof_measurement *out, const roof_sample *sample) {
    for (size_t i = 0; i < out->sample_count; i++)
        if (out->samples[i].threads == sample->threads && same_work(&out->samples[i], sample) &&
            out->samples[i].value > sample->value)
            return true;
    return false;
}

static void disturbed_condition(measure_plan *plan) {
    const roof_sample *samples = plan->out->samples;
    name_list together = {0}, alone = {0};
    for (size_t i = 0; i < plan->out->sample_count; i++)
        for (size_t j = 0; j < plan->out->sample_count; j++)
            if (!is_beaten(plan->out, &samples[i]) && !is_beaten(plan->out, &samples[j]))
                compare_cores(&samples[i], &samples[j], &together, &alone);
    name_condition(plan, &together, "all cores together reached less than one alone in %d series: %s",
                   "the cores disturb each other, or other programs use them",
                   "measure again on a quiet machine: the roofs of all cores are too low");
    name_condition(plan, &alone, "one core alone reached less than its share of all in %d series: %s",
                   "another program used that core, or its SMT sibling",
                   "measure again on a quiet machine: the roofs of one core are too low");
}

static void say_conditions(measure_plan *plan) {
    name_condition(plan, &plan->wrong, "%d kernels computed wrongly and were left out: %s",
                   "a fault of the CPU, the emulator or the kernel", "please report it with the CPU's name");
    name_condition(plan, &plan->failed, "%d series could not be measured: %s", plan->failure,
                   "their roofs are not known");
    name_condition(plan, &plan->late, "no time was left for %d series: %s",
                   "other programs took the CPUs: the series before took many times longer than they should",
                   "measure again on a quiet machine: the roofs of these are not known");
    name_condition(plan, &plan->unstable, "%d series did not settle: %s",
                   "other work on this machine, or a changing clock",
                   "measure again on a quiet machine, or thoroughly");
    drift_condition(plan);
    disturbed_condition(plan);
}

int plan_run(measure_plan *plan) {
    static int (*const phases[])(struct measure_plan *) = {plan_compute, plan_sweep, plan_memory};
    snprintf(plan->out->effort, sizeof plan->out->effort, "%s", effort_of(plan)->name);
    plan->start = now(plan);
    plan->deadline = plan->start + effort_of(plan)->budget;
    plan->total = plan->left = compute_weight(plan) + memory_weight(plan);
    if (plan_tell(plan, "clock"))
        return -1;
    check_clock(plan);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (phases[i](plan))
            return -1;
    say_conditions(plan);
    plan->out->seconds = now(plan) - plan->start;
    return roofs_fill(plan);
}
