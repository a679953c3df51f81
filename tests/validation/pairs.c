/* Pairs of rows that differ in one choice: which is faster, and by how much. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

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

static const side_differs sides[SIDES] = {other_machine, other_batch, other_dtype, other_tensor};
const char *const side_names[SIDES] = {"machine", "batch", "dtype", "tensor"};

/* The only thing in which two rows differ, or -1. */
static int side_of(const score_row *a, const score_row *b) {
    int found = -1;
    for (int i = 0; i < SIDES; i++) {
        if (!sides[i](a, b))
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
    order = order ? order : strcmp(x->like, y->like);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static bool alike(const score_row *a, const score_row *b) {
    return strcmp(a->file, b->file) == 0 && strcmp(a->like, b->like) == 0;
}

/* Work a second of `b` over that of `a`. */
static double speedup(const score_row *a, const score_row *b, double seconds_a, double seconds_b) {
    return b->units / a->units * (seconds_a / seconds_b);
}

/* Errors of the factors of one side and predictor. */
typedef struct list {
    double *values;
    size_t n, capacity;
} list;

static int push(list *to, double value) {
    if (to->n == to->capacity) {
        size_t capacity = 2 * to->capacity + 1024;
        double *values = realloc(to->values, capacity * sizeof *values);
        if (!values)
            return -1;
        to->values = values;
        to->capacity = capacity;
    }
    to->values[to->n++] = value;
    return 0;
}

/* From the slower to the faster one as measured, which is the step somebody would think of. */
static int compare_pair(const score_row *a, const score_row *b, pairing *out, list errors[PREDICTOR_COUNT]) {
    double measured = speedup(a, b, a->measured, b->measured);
    if (measured < 1) {
        const score_row *swap = a;
        a = b;
        b = swap;
        measured = 1 / measured;
    }
    out->pairs++;
    for (size_t p = 0; p < PREDICTOR_COUNT; p++) {
        double predicted = speedup(a, b, a->predicted[p], b->predicted[p]);
        if (isnan(predicted))
            continue;
        out->right[p] += fabs(predicted - 1) < 1e-12 ? 0.5 : predicted > 1;
        out->class[p] += roof_effect_of(predicted) == roof_effect_of(measured);
        if (push(&errors[p], fabs(log(predicted / measured))))
            return -1;
    }
    return 0;
}

typedef struct collection {
    pairing *out;
    list errors[SIDES][PREDICTOR_COUNT];
} collection;

static int pair_group(const score_row *const *rows, size_t n, collection *to) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            int side = side_of(rows[i], rows[k]);
            double measured = speedup(rows[i], rows[k], rows[i]->measured, rows[k]->measured);
            if (side < 0 || !(measured > 0) || !(fabs(measured - 1) > 0))
                continue;
            if (compare_pair(rows[i], rows[k], &to->out[side], to->errors[side]))
                return -1;
        }
    return 0;
}

static void finish(collection *of) {
    for (size_t s = 0; s < SIDES; s++)
        for (size_t p = 0; p < PREDICTOR_COUNT; p++) {
            list *errors = &of->errors[s][p];
            of->out[s].right[p] /= (double)errors->n;
            of->out[s].class[p] /= (double)errors->n;
            of->out[s].factor[p] = quantile(errors->values, errors->n, 0.5);
            free(errors->values);
        }
}

int score_pairs(const score_set *score, const char *file, pairing out[SIDES]) {
    collection all = {.out = out};
    const score_row **rows = malloc((score->count + 1) * sizeof *rows);
    size_t count = 0;
    int failed = rows ? 0 : -1;
    memset(out, 0, SIDES * sizeof *out);
    for (size_t i = 0; rows && i < score->count; i++)
        if (is_scored(&score->rows[i]) && (!file || strncmp(score->rows[i].file, file, strlen(file)) == 0))
            rows[count++] = &score->rows[i];
    if (rows)
        qsort(rows, count, sizeof *rows, compare_likes);
    for (size_t i = 0, next; i < count && !failed; i = next) {
        for (next = i + 1; next < count && alike(rows[i], rows[next]);)
            next++;
        failed = pair_group(rows + i, next - i, &all);
    }
    free(rows);
    finish(&all);
    return failed;
}
