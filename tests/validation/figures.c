/* Error figures and coverage of rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which a share of the values lies; between two values their mean by distance. */
double quantile(double *values, size_t n, double share) {
    if (n == 0)
        return (double)NAN;
    qsort(values, n, sizeof *values, compare_doubles);
    double place = share * (double)(n - 1);
    size_t below = (size_t)place;
    size_t above = below + 1 < n ? below + 1 : below;
    return values[below] + (place - (double)below) * (values[above] - values[below]);
}

static bool matches(const char *wanted, const char *text) {
    return !wanted || strcmp(wanted, text) == 0;
}

static bool begins(const char *wanted, const char *text) {
    return !wanted || strncmp(wanted, text, strlen(wanted)) == 0;
}

bool is_scored(const score_row *row) {
    return !row->skip[0] && !row->apart;
}

static bool chosen(const score_row *row, const score_filter *filter) {
    return is_scored(row) && begins(filter->file, row->file) && matches(filter->device, row->device) &&
           matches(filter->dtype, row->dtype) && begins(filter->regime, row->regime) &&
           (filter->kinds == 0 || filter->kinds & 1u << row->kind);
}

figures score_figures(const score_set *score, score_predictor predictor, const score_filter *filter) {
    figures out = {0};
    size_t inside = 0;
    double *errors = malloc((score->count + 1) * sizeof *errors);
    for (size_t i = 0; errors && i < score->count; i++) {
        const score_row *row = &score->rows[i];
        double predicted = row->predicted[predictor];
        if (!chosen(row, filter) || isnan(predicted))
            continue;
        out.above += row->above;
        inside += predicted * row->low <= row->measured && row->measured <= predicted * row->high;
        errors[out.n++] = log(predicted / row->measured);
    }
    out.signed_median = quantile(errors, out.n, 0.5);
    out.low = exp(-quantile(errors, out.n, 0.9));
    out.high = exp(-quantile(errors, out.n, 0.1));
    for (size_t i = 0; i < out.n; i++)
        errors[i] = fabs(errors[i]);
    out.median = quantile(errors, out.n, 0.5);
    out.p90 = quantile(errors, out.n, 0.9);
    out.coverage = out.n > 0 ? (double)inside / (double)out.n : (double)NAN;
    free(errors);
    return out;
}

size_t score_unexplained(const score_set *score) {
    size_t n = 0;
    for (size_t i = 0; i < score->count; i++)
        n += !score->rows[i].skip[0] && score->rows[i].above && !score->rows[i].explanation;
    return n;
}
