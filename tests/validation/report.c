/* Counting: rows, skips by reason, violations, errors by file, device, dtype and regime, ranking. Tables in markdown.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

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
        if (is_scored(&score->rows[i]))
            rows[(*count)++] = &score->rows[i];
    qsort(rows, *count, sizeof *rows, compare_groups);
    return rows;
}

/* A line for each predictor that has figures; `label` is printed before. */
static void print_lines(const score_set *score, const char *label, const score_filter *filter) {
    for (int p = 0; p < PREDICTOR_COUNT; p++) {
        figures f = score_figures(score, (score_predictor)p, filter);
        if (f.n == 0)
            continue;
        printf("| %s | %s | %zu | %zu | %.3f | %.3f | %+.3f |", label, predictor_names[p], f.n, f.above, f.median,
               f.p90, f.signed_median);
        if (p == BOUND)
            printf(" |\n");
        else
            printf(" %.2f |\n", f.coverage);
    }
}

#define FIGURES_HEAD "predictor | n | above | median | p90 | signed median | coverage |"
#define FIGURES_RULE "-|-:|-:|-:|-:|-:|-:|"

static void report_groups(const score_set *score) {
    size_t count = 0;
    const score_row **rows = scored(score, &count);
    printf("\n| file | device | dtype | regime | " FIGURES_HEAD "\n|-|-|-|-|" FIGURES_RULE "\n");
    for (size_t i = 0, next; i < count; i = next) {
        char label[256];
        const score_row *row = rows[i];
        for (next = i + 1; next < count && same_group(rows[i], rows[next]);)
            next++;
        snprintf(label, sizeof label, "%s | %s | %s | %s", row->file, row->device, row->dtype, row->regime);
        print_lines(
            score, label,
            &(score_filter){.file = row->file, .device = row->device, .dtype = row->dtype, .regime = row->regime});
    }
    free(rows);
}

/* ---- by one column ---- */

static const char *regime_text(const score_row *row) {
    return is_scored(row) ? row->regime : NULL;
}

static const char *device_text(const score_row *row) {
    return is_scored(row) ? row->device : NULL;
}

static const char *dtype_text(const score_row *row) {
    return is_scored(row) ? row->dtype : NULL;
}

static const char *no_text(const score_row *row) {
    return is_scored(row) ? "" : NULL;
}

static void report_by(const score_set *score, const char *title, const char *(*text)(const score_row *)) {
    static tally tallies[TALLY_MAX];
    size_t used = 0;
    for (size_t i = 0; i < score->count; i++)
        if (text(&score->rows[i]))
            tally_add(tallies, &used, TALLY_MAX, score->rows[i].file, text(&score->rows[i]));
    printf("\n| file%s%s | " FIGURES_HEAD "\n|-|%s" FIGURES_RULE "\n", title[0] ? " | " : "", title,
           title[0] ? "-|" : "");
    for (size_t i = 0; i < used; i++) {
        char label[160];
        score_filter filter = {.file = tallies[i].file};
        const char *wanted = tallies[i].text;
        if (text == device_text)
            filter.device = wanted;
        else if (text == dtype_text)
            filter.dtype = wanted;
        else
            filter.regime = wanted;
        snprintf(label, sizeof label, "%s%s%s", tallies[i].file, title[0] ? " | " : "", wanted);
        print_lines(score, label, &filter);
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

/* ---- pairs that differ in one choice ---- */

static void report_pairs(const score_set *score) {
    printf(
        "\n| file | differs in | pairs | predictor | faster one named | error of the factor | same class of advice |\n"
        "|-|-|-:|-|-:|-:|-:|\n");
    for (size_t f = 0; f < reader_count; f++) {
        pairing all[SIDES];
        if (score_pairs(score, readers[f].file, all))
            return;
        for (size_t s = 0; s < SIDES; s++)
            for (size_t p = 0; p < PREDICTOR_COUNT && all[s].pairs > 0; p++)
                if (!isnan(all[s].factor[p]))
                    printf("| %s | %s | %zu | %s | %.3f | %.3f | %.3f |\n", readers[f].file, side_names[s],
                           all[s].pairs, predictor_names[p], all[s].right[p], all[s].factor[p], all[s].class[p]);
    }
}

void report(const score_set *score, size_t worst) {
    report_summary(score);
    report_files(score);
    report_tallies(score, "left out or apart because", skip_text);
    report_tallies(score, "bound > measured because", explanation_of);
    report_by(score, "", no_text);
    report_by(score, "regime", regime_text);
    report_by(score, "device", device_text);
    report_by(score, "dtype", dtype_text);
    report_pairs(score);
    report_groups(score);
    report_worst(score, worst);
}
