/* Counting: rows, skips by reason, violations, errors by file, device, dtype and regime, ranking. Tables in markdown.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which a share of the sorted values lies; between two values their mean by distance. */
static double quantile(const double *sorted, size_t n, double share) {
    if (n == 0)
        return (double)NAN;
    double place = share * (double)(n - 1);
    size_t below = (size_t)place;
    size_t above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

static bool matches(const char *wanted, const char *text) {
    return !wanted || strcmp(wanted, text) == 0;
}

static bool begins(const char *wanted, const char *text) {
    return !wanted || strncmp(wanted, text, strlen(wanted)) == 0;
}

figures score_figures(const score_set *score, size_t predictor, const char *file, const char *device, const char *dtype,
                      const char *regime) {
    figures out = {.median = (double)NAN, .p90 = (double)NAN, .signed_median = (double)NAN};
    double *errors = malloc((score->count + 1) * sizeof *errors);
    if (!errors)
        return out;
    for (size_t i = 0; i < score->count; i++) {
        const score_row *row = &score->rows[i];
        if (row->skip[0] || row->apart || !matches(file, row->file) || !matches(device, row->device) ||
            !matches(dtype, row->dtype) || !begins(regime, row->regime))
            continue;
        out.above += row->above;
        errors[out.n++] = log(row->predicted[predictor] / row->measured);
    }
    qsort(errors, out.n, sizeof *errors, compare_doubles);
    out.signed_median = quantile(errors, out.n, 0.5);
    for (size_t i = 0; i < out.n; i++)
        errors[i] = fabs(errors[i]);
    qsort(errors, out.n, sizeof *errors, compare_doubles);
    out.median = quantile(errors, out.n, 0.5);
    out.p90 = quantile(errors, out.n, 0.9);
    free(errors);
    return out;
}

size_t score_unexplained(const score_set *score) {
    size_t n = 0;
    for (size_t i = 0; i < score->count; i++)
        n += !score->rows[i].skip[0] && score->rows[i].above && !score->rows[i].explanation;
    return n;
}

/* ---- counts by file ---- */

static void report_files(const score_set *score) {
    printf("| file | rows | scored | apart | left out | bound > measured | unexplained |\n|-|-:|-:|-:|-:|-:|-:|\n");
    for (size_t f = 0; f < reader_count; f++) {
        size_t rows = 0, out = 0, apart = 0, above = 0, unexplained = 0;
        for (size_t i = 0; i < score->count; i++) {
            const score_row *row = &score->rows[i];
            if (strcmp(row->file, readers[f].file) != 0)
                continue;
            bool left_out = row->skip[0];
            rows++;
            out += left_out;
            apart += !left_out && row->apart;
            above += !left_out && row->above;
            unexplained += !left_out && row->above && !row->explanation;
        }
        if (rows > 0)
            printf("| %s | %zu | %zu | %zu | %zu | %zu | %zu |\n", readers[f].file, rows, rows - out - apart, apart,
                   out, above, unexplained);
    }
}

/* A distinct text and how often it came. */
typedef struct tally {
    const char *file, *text;
    size_t count;
} tally;

static void tally_add(tally *tallies, size_t *used, size_t most, const char *file, const char *text) {
    size_t i = 0;
    while (i < *used && (strcmp(tallies[i].file, file) != 0 || strcmp(tallies[i].text, text) != 0))
        i++;
    if (i == most)
        return;
    if (i == *used)
        tallies[(*used)++] = (tally){.file = file, .text = text};
    tallies[i].count++;
}

enum { TALLY_MAX = 1024 };

static const char *skip_text(const score_row *row) {
    return row->skip[0] ? row->skip : row->apart;
}

static const char *explanation_of(const score_row *row) {
    if (row->skip[0] || !row->above)
        return NULL;
    return row->explanation ? row->explanation : "unexplained";
}

static void report_tallies(const score_set *score, const char *title, const char *(*text)(const score_row *)) {
    static tally tallies[TALLY_MAX];
    size_t used = 0;
    for (size_t i = 0; i < score->count; i++)
        if (text(&score->rows[i]))
            tally_add(tallies, &used, TALLY_MAX, score->rows[i].file, text(&score->rows[i]));
    printf("\n| file | rows | %s |\n|-|-:|-|\n", title);
    for (size_t i = 0; i < used; i++)
        printf("| %s | %zu | %s |\n", tallies[i].file, tallies[i].count, tallies[i].text);
}

/* ---- errors by file, device, dtype, regime ---- */

static int compare_groups(const void *a, const void *b) {
    const score_row *x = *(const score_row *const *)a, *y = *(const score_row *const *)b;
    int order = strcmp(x->file, y->file);
    order = order ? order : strcmp(x->device, y->device);
    order = order ? order : strcmp(x->dtype, y->dtype);
    order = order ? order : strcmp(x->regime, y->regime);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static bool same_group(const score_row *a, const score_row *b) {
    return strcmp(a->file, b->file) == 0 && strcmp(a->device, b->device) == 0 && strcmp(a->dtype, b->dtype) == 0 &&
           strcmp(a->regime, b->regime) == 0;
}

/* Pointers to the scored rows, group after group. */
static const score_row **scored(const score_set *score, size_t *count) {
    const score_row **rows = malloc((score->count + 1) * sizeof *rows);
    *count = 0;
    if (!rows)
        return NULL;
    for (size_t i = 0; i < score->count; i++)
        if (!score->rows[i].skip[0] && !score->rows[i].apart)
            rows[(*count)++] = &score->rows[i];
    qsort(rows, *count, sizeof *rows, compare_groups);
    return rows;
}

static void print_figures(const figures *f) {
    printf(" %zu | %zu | %.3f | %.3f | %+.3f |", f->n, f->above, f->median, f->p90, f->signed_median);
}

static figures of_group(const score_row *const *rows, size_t n, size_t predictor) {
    score_row *copy = malloc((n + 1) * sizeof *copy);
    figures out = {0};
    if (!copy)
        return out;
    for (size_t i = 0; i < n; i++)
        copy[i] = *rows[i];
    out = score_figures(&(score_set){.rows = copy, .count = n}, predictor, NULL, NULL, NULL, NULL);
    free(copy);
    return out;
}

static void print_group(const score_row *const *rows, size_t n) {
    for (size_t p = 0; p < predictor_count; p++) {
        figures f = of_group(rows, n, p);
        figures bound = p > 0 ? of_group(rows, n, 0) : f;
        if (p > 0 && f.median == bound.median && f.p90 == bound.p90)
            continue; /* says the same */
        printf("| %s | %s | %s | %s | %s |", rows[0]->file, rows[0]->device, rows[0]->dtype, rows[0]->regime,
               predictors[p].name);
        print_figures(&f);
        printf("\n");
    }
}

static void report_groups(const score_set *score) {
    size_t count = 0;
    const score_row **rows = scored(score, &count);
    printf("\n| file | device | dtype | regime | predictor | n | above | median | p90 | signed median |\n"
           "|-|-|-|-|-|-:|-:|-:|-:|-:|\n");
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && same_group(rows[i], rows[next]);)
            next++;
        print_group(rows + i, next - i);
    }
    free(rows);
}

/* ---- by regime ---- */

static void report_regimes(const score_set *score) {
    static tally tallies[TALLY_MAX];
    size_t used = 0;
    for (size_t i = 0; i < score->count; i++)
        if (!score->rows[i].skip[0] && !score->rows[i].apart)
            tally_add(tallies, &used, TALLY_MAX, score->rows[i].file, score->rows[i].regime);
    printf("\n| file | regime | predictor | n | above | median | p90 | signed median |\n|-|-|-|-:|-:|-:|-:|-:|\n");
    for (size_t i = 0; i < used; i++)
        for (size_t p = 0; p < predictor_count; p++) {
            figures f = score_figures(score, p, tallies[i].file, NULL, NULL, tallies[i].text);
            printf("| %s | %s | %s |", tallies[i].file, tallies[i].text, predictors[p].name);
            print_figures(&f);
            printf("\n");
        }
}

/* ---- the rows to look at ---- */

static double error_of(const score_row *row) {
    return log(row->predicted[0] / row->measured);
}

static int compare_errors(const void *a, const void *b) {
    double x = error_of(*(const score_row *const *)a), y = error_of(*(const score_row *const *)b);
    return (x < y) - (x > y);
}

static void print_row(const score_row *row, const char *label) {
    printf("| %s:%zu | %s | %s | %s | %s | %.4g | %.4g | %.3f | %s |\n", row->file, row->line, row->device, row->dtype,
           row->regime, row->like, row->predicted[0], row->measured, row->predicted[0] / row->measured, label);
}

static void print_row_head(void) {
    printf("\n| row | device | dtype | regime | shape | bound, s | measured, s | ratio | |\n|-|-|-|-|-|-:|-:|-:|-|\n");
}

static void report_worst(const score_set *score, size_t worst) {
    size_t count = 0;
    const score_row **rows = scored(score, &count);
    if (!rows)
        return;
    print_row_head();
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && strcmp(rows[i]->file, rows[next]->file) == 0;)
            next++;
        qsort(rows + i, next - i, sizeof *rows, compare_errors);
        for (size_t k = 0; k < worst && i + k < next; k++)
            print_row(rows[i + k], "tightest");
        for (size_t k = 0; k < worst && i + worst + k < next; k++)
            print_row(rows[next - 1 - k], "loosest");
    }
    free(rows);
}

void report_violations(const score_set *score) {
    print_row_head();
    for (size_t i = 0; i < score->count; i++)
        if (explanation_of(&score->rows[i]))
            print_row(&score->rows[i], explanation_of(&score->rows[i]));
}

/* ---- ranking: of two rows that differ in one thing, which is faster ---- */

typedef bool (*side_differs)(const score_row *a, const score_row *b);

static bool other_machine(const score_row *a, const score_row *b) {
    return strcmp(a->device, b->device) != 0;
}

static bool other_batch(const score_row *a, const score_row *b) {
    return a->batch < b->batch || a->batch > b->batch;
}

static bool other_dtype(const score_row *a, const score_row *b) {
    return strcmp(a->dtype, b->dtype) != 0;
}

static bool other_tensor(const score_row *a, const score_row *b) {
    return a->tensor < b->tensor || a->tensor > b->tensor;
}

static const struct {
    const char *name;
    side_differs differs;
} sides[] = {{"machine", other_machine}, {"batch", other_batch}, {"dtype", other_dtype}, {"tensor", other_tensor}};

enum { SIDES = sizeof sides / sizeof sides[0] };

/* The only thing in which two rows differ, or -1. */
static int side_of(const score_row *a, const score_row *b) {
    int found = -1;
    for (int i = 0; i < SIDES; i++) {
        if (!sides[i].differs(a, b))
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

static int compare_likes(const void *a, const void *b) {
    const score_row *x = *(const score_row *const *)a, *y = *(const score_row *const *)b;
    int order = strcmp(x->file, y->file);
    return order ? order : strcmp(x->like, y->like);
}

static double rate(const score_row *row, double seconds) {
    return row->units / seconds;
}

/* 1 when the same row is faster in both, 1/2 when the prediction sees no difference. */
static double agrees(const score_row *a, const score_row *b, size_t predictor) {
    double seen = rate(a, a->measured) - rate(b, b->measured);
    double said = rate(a, a->predicted[predictor]) / rate(b, b->predicted[predictor]) - 1;
    if (fabs(said) < 1e-12)
        return 0.5;
    return (said > 0) == (seen > 0);
}

static void rank_group(const score_row *const *rows, size_t n, ranking out[SIDES]) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            int side = side_of(rows[i], rows[k]);
            double apart = rate(rows[i], rows[i]->measured) - rate(rows[k], rows[k]->measured);
            if (side < 0 || !(fabs(apart) > 0))
                continue;
            out[side].pairs++;
            for (size_t p = 0; p < predictor_count; p++)
                out[side].right[p] += agrees(rows[i], rows[k], p);
        }
}

static void rank_file(const score_set *score, const char *file, ranking out[SIDES]) {
    size_t count = 0, ours = 0;
    const score_row **rows = scored(score, &count);
    memset(out, 0, SIDES * sizeof *out);
    if (!rows)
        return;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i]->file, file) == 0)
            rows[ours++] = rows[i];
    qsort(rows, ours, sizeof *rows, compare_likes);
    for (size_t i = 0, next; i < ours; i = next) {
        for (next = i + 1; next < ours && compare_likes(&rows[i], &rows[next]) == 0;)
            next++;
        rank_group(rows + i, next - i, out);
    }
    free(rows);
    for (size_t s = 0; s < SIDES; s++)
        for (size_t p = 0; p < predictor_count && out[s].pairs > 0; p++)
            out[s].right[p] /= (double)out[s].pairs;
}

ranking score_ranking(const score_set *score, const char *file, const char *side) {
    ranking all[SIDES];
    rank_file(score, file, all);
    for (size_t s = 0; s < SIDES; s++)
        if (strcmp(sides[s].name, side) == 0)
            return all[s];
    return (ranking){0};
}

static void report_ranking(const score_set *score) {
    printf("\n| file | differs in | pairs |");
    for (size_t p = 0; p < predictor_count; p++)
        printf(" %s right |", predictors[p].name);
    printf("\n|-|-|-:|");
    for (size_t p = 0; p < predictor_count; p++)
        printf("-:|");
    printf("\n");
    for (size_t f = 0; f < reader_count; f++) {
        ranking all[SIDES];
        rank_file(score, readers[f].file, all);
        for (size_t s = 0; s < SIDES; s++) {
            if (all[s].pairs == 0)
                continue;
            printf("| %s | %s | %zu |", readers[f].file, sides[s].name, all[s].pairs);
            for (size_t p = 0; p < predictor_count; p++)
                printf(" %.3f |", all[s].right[p]);
            printf("\n");
        }
    }
}

void report(const score_set *score, size_t worst) {
    report_files(score);
    report_tallies(score, "left out or apart because", skip_text);
    report_tallies(score, "bound > measured because", explanation_of);
    report_regimes(score);
    report_groups(score);
    report_ranking(score);
    report_worst(score, worst);
}
