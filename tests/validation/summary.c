/* Targets and what was reached, with everything that is scored left out of the fits: the first table to read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

#define KIND(name) (1u << ROOF_REGIME_##name)

/* What the rows of a group have in common, and its targets; 0: none. `macro`: one of those the mean is over. */
typedef struct summary_group {
    const char *name, *file, *regime;
    unsigned kinds;
    double median, p90;
    bool macro;
} summary_group;

static const summary_group groups[] = {
    {"matrix products", "aic_gemm", NULL, 0, .080, .22, false},
    {"decode attention", "aic_generation_attention", NULL, 0, .11, 0, false},
    {"prefill attention", "aic_context_attention", NULL, 0, .15, 0, false},
    {"latent attention, decode", "aic_mla", "latent decode", 0, 0, 0, false},
    {"latent attention, prefill", "aic_mla", "latent prefill", 0, 0, 0, false},
    {"mixture of experts", "aic_moe", NULL, 0, .22, 0, false},
    {"collectives", NULL, NULL, KIND(COLLECTIVE), 0, 0, false},
    {"streams (lattice Boltzmann)", "lbm", NULL, 0, 0, 0, false},
    {"static batches and batch 1", NULL, NULL, KIND(RUN) | KIND(DECODE), .10, 0, true},
    {"TTFT without waiting", NULL, NULL, KIND(PREFILL), 0, 0, true},
    {"TPOT at a concurrency", NULL, NULL, KIND(TPOT), .15, 0, true},
    {"throughput at the largest batch", NULL, NULL, KIND(LOAD), 0, 0, true},
    {"llama.cpp decode", NULL, NULL, KIND(LLAMA_DECODE), .12, 0, true},
    {"llama.cpp prefill", NULL, NULL, KIND(LLAMA_PREFILL), .20, 0, true},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

#define MACRO_TARGET 0.18
#define COVERAGE_LEAST 0.75
#define COVERAGE_MOST 0.88
#define COVERAGE_ROWS 100

static score_filter filter_of(const summary_group *group) {
    return (score_filter){.file = group->file, .regime = group->regime, .kinds = group->kinds};
}

static void print_target(double target) {
    if (target > 0)
        printf(" %.3f |", target);
    else
        printf(" |");
}

static const char *verdict(double target, double reached) {
    if (!(target > 0))
        return "";
    return reached <= target ? "reached" : "**missed**";
}

/* A figure, or nothing where there is none. */
static void print_figure(double value) {
    if (isnan(value))
        printf(" |");
    else
        printf(" %.3f |", value);
}

static bool covers(double coverage) {
    return coverage >= COVERAGE_LEAST && coverage <= COVERAGE_MOST;
}

static void print_group(const score_set *score, const summary_group *group) {
    score_filter filter = filter_of(group);
    figures bound = score_figures(score, BOUND, &filter), f = score_figures(score, NEW_DEVICE, &filter);
    if (bound.n == 0)
        return;
    printf("| %s | %zu |", group->name, bound.n);
    const double reached[] = {bound.median, bound.p90, f.median, f.p90};
    for (size_t i = 0; i < 4; i++)
        print_figure(reached[i]);
    print_target(group->median);
    print_target(group->p90);
    bool missed = (group->median > 0 && f.median > group->median) || (group->p90 > 0 && f.p90 > group->p90);
    printf(" %s |", f.n == 0 ? "" : missed ? "**missed**" : verdict(group->median, f.median));
    if (f.n > 0)
        printf(" %.2f%s |", f.coverage, f.n < COVERAGE_ROWS || covers(f.coverage) ? "" : " **out**");
    else
        printf(" |");
    print_figure(score_figures(score, NEW_HARDWARE, &filter).median);
    print_figure(score_figures(score, NEW_FILE, &filter).median);
    print_figure(score_figures(score, IN_SAMPLE, &filter).median);
    printf("\n");
}

/* Mean of the medians of what models in engines give. */
static double macro(const score_set *score, score_predictor predictor) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < GROUPS; i++) {
        score_filter filter = filter_of(&groups[i]);
        figures f = score_figures(score, predictor, &filter);
        if (!groups[i].macro || f.n == 0)
            continue;
        sum += f.median;
        n++;
    }
    return sum / n;
}

static void print_macro(const score_set *score) {
    double reached = macro(score, NEW_DEVICE);
    if (isnan(reached))
        return;
    printf("| mean of the medians of models in engines | | %.3f | | %.3f | | %.3f | | %s | | %.3f | %.3f | %.3f |\n",
           macro(score, BOUND), reached, MACRO_TARGET, verdict(MACRO_TARGET, reached), macro(score, NEW_HARDWARE),
           macro(score, NEW_FILE), macro(score, IN_SAMPLE));
}

static const double factor_targets[SIDES] = {.12, .06, .10, .12}; /* machine, batch, dtype, tensor */

/* Targets are of choices somebody has who serves a model. */
static void print_factors_of(const score_set *score, const char *title, const char *files, bool targets) {
    pairing pairs[SIDES];
    if (score_pairs(score, files, pairs))
        return;
    for (size_t s = 0; s < SIDES; s++) {
        const pairing *p = &pairs[s];
        if (p->pairs == 0)
            continue;
        printf("| %s, %s | %zu |", title, side_names[s], p->pairs);
        print_figure(p->factor[BOUND]);
        print_figure(p->factor[NEW_DEVICE]);
        print_target(targets ? factor_targets[s] : 0);
        printf(" %s |",
               isnan(p->factor[NEW_DEVICE]) || !targets ? "" : verdict(factor_targets[s], p->factor[NEW_DEVICE]));
        const double shares[] = {p->right[BOUND], p->right[NEW_DEVICE], p->class[BOUND], p -> class[NEW_DEVICE]};
        for (size_t i = 0; i < 4; i++)
            print_figure(shares[i]);
        printf("\n");
    }
}

static void print_factors(const score_set *score) {
    printf(
        "\n| factor of changing the | pairs | bound | expected, device left out | target | | faster one named, bound | "
        "expected | same class of advice, bound | expected |\n|-|-:|-:|-:|-:|-|-:|-:|-:|-:|\n");
    print_factors_of(score, "models", "llm_", true);
    print_factors_of(score, "kernels", "aic_", false);
}

/* Groups of 100 rows or more of one file and device whose intervals hold too few or too many. */
static void print_coverage(const score_set *score) {
    size_t all = 0, inside = 0;
    printf("\n| intervals outside %.2f to %.2f: file | device | n | coverage | 80 %% of measured / expected |\n"
           "|-|-|-:|-:|-|\n",
           COVERAGE_LEAST, COVERAGE_MOST);
    for (size_t i = 0; i < score->count; i++) {
        const score_row *row = &score->rows[i];
        bool first = is_scored(row);
        for (size_t k = 0; k < i && first; k++)
            first = !is_scored(&score->rows[k]) || strcmp(score->rows[k].file, row->file) != 0 ||
                    strcmp(score->rows[k].device, row->device) != 0;
        if (!first)
            continue;
        figures f = score_figures(score, NEW_DEVICE, &(score_filter){.file = row->file, .device = row->device});
        if (f.n < COVERAGE_ROWS)
            continue;
        all++;
        inside += covers(f.coverage);
        if (!covers(f.coverage))
            printf("| %s | %s | %zu | %.2f | %.2f to %.2f |\n", row->file, row->device, f.n, f.coverage, f.low, f.high);
    }
    printf("\n%zu of %zu groups of %d rows or more inside.\n", inside, all, COVERAGE_ROWS);
}

static void print_intervals(const score_set *score) {
    printf("\n| 80 %% of measured / expected, device left out | n | lie between | the model says | coverage |\n"
           "|-|-:|-|-|-:|\n");
    for (int kind = 0; kind < ROOF_REGIME_COUNT; kind++) {
        figures f = score_figures(score, NEW_DEVICE, &(score_filter){.kinds = 1u << kind});
        const score_row *any = NULL;
        for (size_t i = 0; i < score->count && !any; i++)
            if (is_scored(&score->rows[i]) && score->rows[i].kind == (roof_regime)kind)
                any = &score->rows[i];
        if (any && f.n > 0)
            printf("| %s | %zu | %.2f to %.2f | %.2f to %.2f | %.2f |\n", roof_regime_name((roof_regime)kind), f.n,
                   f.low, f.high, any->low, any->high, f.coverage);
    }
}

void report_summary(const score_set *score) {
    printf(
        "| | n | bound: median | p90 | expected, device left out: median | p90 | target: median | p90 | | coverage | "
        "hardware left out | file left out | in sample (not to be quoted) |\n"
        "|-|-:|-:|-:|-:|-:|-:|-:|-|-:|-:|-:|-:|\n");
    for (size_t i = 0; i < GROUPS; i++)
        print_group(score, &groups[i]);
    print_macro(score);
    print_factors(score);
    print_intervals(score);
    print_coverage(score);
    report_families();
    printf("\n");
}
