/* Which compute kernels are timed, on one core and on all. */
#include "measure/plan/plan.h"

#include <stdio.h>
#include <string.h>

static bool alike(const compute_kernel *left, const compute_kernel *right) {
    return left->unit == right->unit && left->dtype == right->dtype;
}

/* No kernel of the same unit and dtype has longer vectors. */
static bool is_widest(const measure_plan *plan, const compute_kernel *kernel) {
    const compute_kernel *other;
    for (size_t i = 0; (other = plan->bench->compute_at(i)); i++)
        if (kernel_fits(other->needs, plan->host) && alike(kernel, other) && vector_bytes(other) > vector_bytes(kernel))
            return false;
    return true;
}

/* Is there an FMA of the kernel's dtype here? Where there is none, multiplies and adds together are the peak. */
static bool has_fma(const measure_plan *plan, const compute_kernel *kernel) {
    const compute_kernel *other;
    for (size_t i = 0; (other = plan->bench->compute_at(i)); i++)
        if (kernel_fits(other->needs, plan->host) && other->pattern == ROOF_PATTERN_FMA &&
            other->dtype == kernel->dtype)
            return true;
    return false;
}

static bool is_chosen(const measure_plan *plan, const compute_kernel *kernel) {
    if (!kernel_fits(kernel->needs, plan->host))
        return false;
    if (plan->options->effort != ROOF_EFFORT_QUICK)
        return true;
    roof_pattern pattern = kernel->pattern;
    return is_widest(plan, kernel) &&
           (pattern == ROOF_PATTERN_FMA || pattern == ROOF_PATTERN_FMA_ADD || pattern == ROOF_PATTERN_DOT ||
            (pattern == ROOF_PATTERN_MUL_ADD && !has_fma(plan, kernel)));
}

double compute_weight(const measure_plan *plan) {
    const compute_kernel *kernel;
    double weight = 0;
    for (size_t i = 0; (kernel = plan->bench->compute_at(i)); i++)
        if (is_chosen(plan, kernel))
            weight += plan->threads == 1                                                         ? 1
                      : plan->options->effort == ROOF_EFFORT_THOROUGH || is_widest(plan, kernel) ? 2
                                                                                                 : 1;
    return weight;
}

typedef struct timed {
    const compute_kernel *kernel;
    double one;
} timed;

/* On all cores: the widest vectors with every pattern, and whatever comes near the best on one core. */
static bool matters(const measure_plan *plan, const timed *list, size_t count, const timed *item) {
    double best = 0;
    for (size_t i = 0; i < count; i++)
        if (alike(list[i].kernel, item->kernel) && list[i].one > best)
            best = list[i].one;
    return plan->options->effort == ROOF_EFFORT_THOROUGH || is_widest(plan, item->kernel) || item->one >= 0.9 * best;
}

/* More operations a cycle and element than any core can start: the clock or the kernel is wrong. */
static void check_possible(const measure_plan *plan, const compute_kernel *kernel, const roof_sample *sample) {
    const double pipes = 12; /* an FMA is 2: six vector units; the widest cores have four */
    char what[160];
    double elements = vector_bytes(kernel) / roof_dtype_bytes(kernel->dtype);
    if (kernel->unit == ROOF_MATRIX || sample->per_cycle <= pipes * elements)
        return;
    snprintf(what, sizeof what, "%s did %.0f operations per cycle, more than a core can", kernel->name,
             sample->per_cycle);
    condition_add(plan->out, what, "the clock was not measured well, or time is emulated",
                  "do not trust this roof; measure again");
}

static window_series series_of(const compute_kernel *kernel, int threads) {
    return (window_series){.pattern = kernel->pattern,
                           .compute = kernel,
                           .level = ROOF_L1,
                           .threads = threads,
                           .from_node = -1,
                           .to_node = -1};
}

static int time_kernel(measure_plan *plan, const compute_kernel *kernel, int threads, double *value) {
    window_series series = series_of(kernel, threads);
    const roof_sample *sample;
    if (plan_time(plan, &series, 1, &sample) < 0)
        return -1;
    if (sample)
        check_possible(plan, kernel, sample);
    *value = sample ? sample->value : 0;
    return 0;
}

/* The kernels that fit and compute what they should. */
static size_t proven(measure_plan *plan, const compute_kernel **list) {
    const compute_kernel *kernel;
    size_t count = 0;
    for (size_t i = 0; count < KERNELS_MAX && (kernel = plan->bench->compute_at(i)); i++) {
        if (!is_chosen(plan, kernel))
            continue;
        if (plan->bench->prove_compute(kernel) == 0)
            list[count++] = kernel;
        else
            names_add(&plan->wrong, kernel->name);
    }
    return count;
}

/* The same work, done with other chains or another mix: the fastest is the roof. */
static bool rivals(const compute_kernel *left, const compute_kernel *right) {
    return alike(left, right) && left->pattern == right->pattern && strcmp(left->isa, right->isa) == 0;
}

static int try_kernel(measure_plan *plan, timed *item) {
    window_series series = series_of(item->kernel, 1);
    roof_sample sample;
    int status = plan_try(plan, &series, 0.002, 0.006, &sample);
    item->one = status == 0 ? sample.value : 0;
    return status < 0 ? -1 : 0;
}

/* The best of a short trial among the rivals of item `at`, itself included; 0: it has none. */
static double best_rival(const timed *list, size_t count, size_t at) {
    double best = 0;
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (rivals(list[i].kernel, list[at].kernel)) {
            found++;
            best = list[i].one > best ? list[i].one : best;
        }
    return found > 1 ? best : 0;
}

/* All kernels but those that a rival leaves far behind in a short trial. A trial may be disturbed, so only a clear
 * loser is left out, and close rivals are all timed. Returns how many, -1: the measurement ends. */
static int choose(measure_plan *plan, const compute_kernel *const *list, size_t count, timed *out) {
    const double clear = 0.75;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        out[i] = (timed){list[i], 0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (k != i && rivals(list[i], list[k])) {
                if (try_kernel(plan, &out[i]))
                    return -1;
                break;
            }
    bool keep[KERNELS_MAX];
    for (size_t i = 0; i < count; i++)
        keep[i] = out[i].one <= 0 || out[i].one >= clear * best_rival(out, count, i);
    for (size_t i = 0; i < count; i++)
        if (keep[i])
            out[kept++] = out[i];
    return (int)kept;
}

int plan_compute(measure_plan *plan) {
    const compute_kernel *kernels[KERNELS_MAX];
    timed list[KERNELS_MAX];
    double ignored;
    int chosen = choose(plan, kernels, proven(plan, kernels), list);
    size_t count = chosen > 0 ? (size_t)chosen : 0;
    if (chosen < 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (time_kernel(plan, list[i].kernel, 1, &list[i].one))
            return -1;
    for (size_t i = 0; i < count && plan->threads > 1; i++)
        if (matters(plan, list, count, &list[i]) && time_kernel(plan, list[i].kernel, plan->threads, &ignored))
            return -1;
    return 0;
}
