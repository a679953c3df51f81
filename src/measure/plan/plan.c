/* The order of a measurement, and what of it is not as it should be. */
#include "measure/plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* "17 series did not settle: a, b, c and 14 more" */
static void names_tell(const name_list *list, const char *format, char *what, size_t size) {
    snprintf(what, size, format, list->count, list->text);
    size_t used = strlen(what);
    if (list->left_out > 0)
        snprintf(what + used, size - used, " and %d more", list->left_out);
}

/* The chain of adds is the clock only where a chain of multiplies says the same. */
static void check_clock(measure_plan *plan) {
    char what[160];
    double cycles = MULTIPLY_CYCLES ? plan->bench->multiply_cycles(plan->bench->context) : 0;
    double off = MULTIPLY_CYCLES ? cycles / MULTIPLY_CYCLES - 1 : 0;
    plan->clock_known = off < 0.02 && off > -0.02;
    if (plan->clock_known)
        return;
    snprintf(what, sizeof what, "the clock is unknown: a dependent multiply took %.2f adds, not %d", cycles,
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
    name_condition(plan, &together, "all cores together attained less than one alone in %d series: %s",
                   "the cores disturb each other, or other programs use them",
                   "measure again on a quiet machine: the roofs of all cores are too low");
    name_condition(plan, &alone, "one core alone attained less than its share of all in %d series: %s",
                   "another program used that core, or its SMT sibling",
                   "measure again on a quiet machine: the roofs of one core are too low");
}

static void say_conditions(measure_plan *plan) {
    name_condition(plan, &plan->wrong, "%d kernels computed wrongly and were left out: %s",
                   "a fault of the CPU, the emulator or the kernel", "please report it with the CPU's name");
    name_condition(plan, &plan->failed, "%d series could not be measured: %s", plan->failure,
                   "their roofs are unknown");
    name_condition(plan, &plan->late, "no time was left for %d series: %s",
                   "other programs took the CPUs: the series before took many times longer than they should",
                   "measure again on a quiet machine: the roofs of these are unknown");
    name_condition(plan, &plan->unstable, "%d series did not settle: %s",
                   "other work on this machine, or a changing clock",
                   "measure again on a quiet machine, or thoroughly");
    drift_condition(plan);
    disturbed_condition(plan);
}

int plan_run(measure_plan *plan) {
    static int (*const phases[])(struct measure_plan *) = {plan_compute, plan_sweep, plan_memory};
    snprintf(plan->out->effort, sizeof plan->out->effort, "%s", effort_of(plan)->name);
    plan->start = plan_now(plan);
    plan->deadline = plan->start + effort_of(plan)->budget;
    plan->total = plan->left = compute_weight(plan) + memory_weight(plan);
    if (plan_tell(plan, "clock"))
        return -1;
    check_clock(plan);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (phases[i](plan))
            return -1;
    say_conditions(plan);
    plan->out->seconds = plan_now(plan) - plan->start;
    return roofs_fill(plan);
}
