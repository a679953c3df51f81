/* Helpers of the model tests: the operations of a step, found and added up by name. */
#ifndef ROOFLINE_TESTS_WORK_MODEL_TEST_H
#define ROOFLINE_TESTS_WORK_MODEL_TEST_H

#include "test.h"

#include "models.h"

enum { OPERATIONS_MAX = 128 };

typedef struct operations {
    roof_operation list[OPERATIONS_MAX];
    size_t count;
} operations;

/* A complete plan of `batch` sequences; prompt and decode context are both `tokens`. */
static inline roof_plan plan_of(const example *e, double batch, double tokens) {
    roof_plan plan = {.batch = batch, .prompt = tokens, .context = tokens};
    roof_plan_complete(&e->model, &plan);
    return plan;
}

static inline void operations_of(const example *e, const roof_plan *plan, roof_phase phase, operations *out) {
    out->count = roof_model_operations(&e->model, plan, phase, out->list, OPERATIONS_MAX);
    assert_true(out->count > 0 && out->count <= OPERATIONS_MAX);
}

/* The first operation of that name; fails when there is none. */
static inline const roof_operation *named(const operations *all, const char *name) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].name, name) == 0)
            return &all->list[i];
    fail_msg("no operation '%s'", name);
    return NULL;
}

static inline double executions(const operations *all, const char *name) {
    double count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].name, name) == 0)
            count += all->list[i].count;
    return count;
}

/* Sum over the whole step of the field at `offset` of each operation. */
static inline double total(const operations *all, size_t offset) {
    double sum = 0;
    for (size_t i = 0; i < all->count; i++)
        sum += all->list[i].count * *(const double *)((const char *)&all->list[i] + offset);
    return sum;
}
#define TOTAL(all, field) total(all, offsetof(roof_operation, field))

static inline roof_sum judged_sum(const roof_machine *machine, const example *e, const roof_plan *plan,
                                  roof_phase phase) {
    roof_sum sum;
    roof_error error;
    if (roof_model_judge(machine, &e->model, plan, phase, &sum, &error))
        fail_msg("%s", error.what);
    return sum;
}

#endif
