/* Expected times whose free constants were fitted to rows that leave out the machine, the hardware generation or the
 * file of the row that is scored. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

/* Rows whose constants are fitted together, and which constants are free; all others keep their defaults. `most`: rows
 * of a fit of each kind of time, spread evenly over files, devices, dtypes and regimes. */
typedef struct family {
    const char *name;
    roof_constant free[5];
    size_t free_count, most;
} family;

static const family families[] = {
    {"kernels",
     {ROOF_CONSTANT_STREAM, ROOF_CONSTANT_LAUNCH, ROOF_CONSTANT_GEMM, ROOF_CONSTANT_ATTENTION, ROOF_CONSTANT_EXPERTS},
     5,
     250},
    {"streams", {ROOF_CONSTANT_STREAM, ROOF_CONSTANT_VECTOR}, 2, 250},
    {"collectives", {ROOF_CONSTANT_LINK, ROOF_CONSTANT_LINK_LATENCY, ROOF_CONSTANT_LINK_PEER}, 3, 400},
    {"engines", {ROOF_CONSTANT_LAUNCH, ROOF_CONSTANT_GEMM}, 2, 60},
    {"llama.cpp", {ROOF_CONSTANT_STREAM, ROOF_CONSTANT_LAUNCH, ROOF_CONSTANT_GEMM}, 3, 120},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static double factors_of_all[FAMILIES][ROOF_CONSTANT_COUNT]; /* for report_families() */

static size_t family_of(const score_row *row) {
    if (row->kind == ROOF_REGIME_COLLECTIVE)
        return 2;
    if (!row->work->model)
        return row->work->operations[0].kind == ROOF_KIND_CUSTOM ? 1 : 0;
    return row->kind == ROOF_REGIME_LLAMA_DECODE || row->kind == ROOF_REGIME_LLAMA_PREFILL ? 4 : 3;
}

/* ---- what is left out together ---- */

typedef const char *(*group_name)(const score_row *row);

static const char *machine_group(const score_row *row) {
    return row->work->machine->id;
}

static const char *hardware_group(const score_row *row) {
    return row->work->machine->architecture ? row->work->machine->architecture : row->work->machine->id;
}

static const char *file_group(const score_row *row) {
    return row->file;
}

static const struct {
    score_predictor predictor;
    group_name group;
} ways[] = {{NEW_DEVICE, machine_group}, {NEW_HARDWARE, hardware_group}, {NEW_FILE, file_group}};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* ---- the rows of a fit ---- */

static int compare_strata(const void *a, const void *b) {
    const score_row *x = *(score_row *const *)a, *y = *(score_row *const *)b;
    int order = (x->kind > y->kind) - (x->kind < y->kind);
    order = order ? order : strcmp(x->file, y->file);
    order = order ? order : strcmp(x->device, y->device);
    order = order ? order : strcmp(x->dtype, y->dtype);
    order = order ? order : strcmp(x->regime, y->regime);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static bool same_stratum(const score_row *a, const score_row *b) {
    return strcmp(a->file, b->file) == 0 && strcmp(a->device, b->device) == 0 && strcmp(a->dtype, b->dtype) == 0 &&
           strcmp(a->regime, b->regime) == 0;
}

/* Up to `each` rows of every stratum, from the middle of equal parts of it; `out` NULL counts. */
static size_t take(score_row **rows, size_t n, size_t each, score_row **out) {
    size_t taken = 0;
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && same_stratum(rows[i], rows[next]);)
            next++;
        size_t size = next - i, few = size < each ? size : each;
        for (size_t k = 0; k < few; k++, taken++)
            if (out)
                out[taken] = rows[i + (2 * k + 1) * size / (2 * few)];
    }
    return taken;
}

typedef struct fitting {
    const family *family;
    score_row **rows, **sample; /* all rows of the family; those of a fit */
    size_t count, sample_count;
    roof_observation *observations; /* of the sample */
    roof_constants *constants;      /* their defaults */
} fitting;

/* At most `most` rows of one kind, or one of every stratum. */
static size_t take_kind(score_row **rows, size_t n, size_t most, score_row **out) {
    size_t each = 1;
    while (each < n && take(rows, n, each + 1, NULL) <= most)
        each++;
    return take(rows, n, each, out);
}

static int choose(fitting *f) {
    qsort(f->rows, f->count, sizeof *f->rows, compare_strata);
    f->sample = calloc(f->count, sizeof(score_row *));
    f->observations = calloc(f->count, sizeof *f->observations);
    f->constants = calloc(f->count, sizeof *f->constants);
    if (!f->sample || !f->observations || !f->constants)
        return -1;
    for (size_t i = 0, next; i < f->count; i = next) {
        for (next = i + 1; next < f->count && f->rows[i]->kind == f->rows[next]->kind;)
            next++;
        f->sample_count += take_kind(f->rows + i, next - i, f->family->most, f->sample + f->sample_count);
    }
    for (size_t i = 0; i < f->sample_count; i++) {
        const score_work *work = f->sample[i]->work;
        double times;
        constants_for(work, &f->constants[i]);
        f->observations[i] = observation_of(work, &times);
        f->observations[i].seconds = f->sample[i]->measured / times;
        f->observations[i].constants = &f->constants[i];
    }
    return 0;
}

static void release(fitting *f) {
    free(f->rows);
    free(f->sample);
    free(f->observations);
    free(f->constants);
}

/* ---- fits ---- */

/* What the free constants are multiplied by, from all rows but a group. -1: none are left. */
static int factors(const fitting *f, size_t without, double out[ROOF_CONSTANT_COUNT]) {
    roof_constants from = f->constants[0], to = from;
    for (int c = 0; c < ROOF_CONSTANT_COUNT; c++)
        out[c] = 1;
    if (roof_fit_rest(f->observations, f->sample_count, without, f->family->free, f->family->free_count, &to, NULL))
        return -1;
    for (size_t k = 0; k < f->family->free_count; k++) {
        roof_constant which = f->family->free[k];
        if (from.value[which].value > 0)
            out[which] = to.value[which].value / from.value[which].value;
    }
    return 0;
}

static void predict_with(score_row *row, score_predictor predictor, const double factor[ROOF_CONSTANT_COUNT]) {
    double times;
    roof_constants constants;
    roof_time span;
    roof_observation observation = observation_of(row->work, &times);
    constants_for(row->work, &constants);
    for (int c = 0; c < ROOF_CONSTANT_COUNT; c++)
        constants.value[c].value *= factor[c];
    if (!roof_observation_expect(&observation, &constants, &span, NULL))
        row->predicted[predictor] = span.expected.seconds * times;
}

/* What one or two groups know of the rest is chance. */
static bool has_groups(const fitting *f, group_name group) {
    enum { LEAST = 3 };
    const char *seen[LEAST];
    size_t n = 0;
    for (size_t i = 0; i < f->count && n < LEAST; i++) {
        bool is_new = true;
        for (size_t k = 0; k < n; k++)
            is_new &= strcmp(seen[k], group(f->rows[i])) != 0;
        if (is_new)
            seen[n++] = group(f->rows[i]);
    }
    return n == LEAST;
}

/* One way to leave out: a fit for each group, for the rows of that group. */
static void leave_each_out(fitting *f, score_predictor predictor, group_name group) {
    for (size_t i = 0; i < f->count; i++) {
        const char *name = group(f->rows[i]);
        double factor[ROOF_CONSTANT_COUNT];
        if (!isnan(f->rows[i]->predicted[predictor]))
            continue;
        for (size_t k = 0; k < f->sample_count; k++)
            f->observations[k].group = strcmp(group(f->sample[k]), name) == 0;
        if (factors(f, 1, factor))
            return;
        for (size_t k = i; k < f->count; k++)
            if (strcmp(group(f->rows[k]), name) == 0)
                predict_with(f->rows[k], predictor, factor);
    }
}

static int fit_family(const score_set *score, size_t which) {
    fitting f = {.family = &families[which], .rows = calloc(score->count + 1, sizeof(score_row *))};
    int failed = f.rows ? 0 : -1;
    for (size_t i = 0; f.rows && i < score->count; i++)
        if (is_scored(&score->rows[i]) && family_of(&score->rows[i]) == which)
            f.rows[f.count++] = &score->rows[i];
    if (f.count > 0 && !failed)
        failed = choose(&f);
    if (f.count > 0 && !failed) {
        factors(&f, ROOF_NO_GROUP, factors_of_all[which]);
        for (size_t w = 0; w < WAYS; w++)
            if (has_groups(&f, ways[w].group))
                leave_each_out(&f, ways[w].predictor, ways[w].group);
    }
    release(&f);
    return failed;
}

int predict_left_out(score_set *score) {
    for (size_t i = 0; i < FAMILIES; i++)
        if (fit_family(score, i))
            return -1;
    return 0;
}

void report_families(void) {
    printf("\n| fitted together | free constants, and what all rows would multiply their defaults by |\n|-|-|\n");
    for (size_t i = 0; i < FAMILIES; i++) {
        printf("| %s |", families[i].name);
        for (size_t k = 0; k < families[i].free_count; k++) {
            roof_constant which = families[i].free[k];
            printf("%s %s", k > 0 ? "," : "", roof_constant_name(which));
            if (factors_of_all[i][which] > 0)
                printf(" %.3f", factors_of_all[i][which]);
        }
        printf(" |\n");
    }
}
