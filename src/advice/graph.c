/* Every idea for a list of operations: the variants the caller built. Ideas about the machine are those of trial.c. */
#include <stdio.h>

#include "advice/text.h"
#include "advice/trial.h"

/* ---- reasons ---- */

static void because(const advice_trial *trial, roof_bound faster, char *reason, size_t size) {
    const roof_sum *sum = &trial->question->point.sum;
    if (faster == ROOF_BOUND_LATENCY)
        snprintf(reason, size, "%zu operations start at %s each", sum->operations,
                 advice_quantity(trial->question->machine->launch.value, "s").text);
    else
        snprintf(reason, size, "%s binds %s of the time", roof_bound_name(faster),
                 advice_percent(sum->bound_seconds[faster] / sum->seconds).text);
}

/* The work itself changed: what it moves, and what binds then. */
static void because_work(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    roof_bound before = question->bound, after = trial->bound;
    snprintf(reason, size, "moves %s instead of %s%s%s%s%s", advice_quantity(trial->point.sum.bytes, "B").text,
             advice_quantity(question->point.sum.bytes, "B").text, trial->work > 1 ? " for more work" : "",
             after != before ? "; then " : "", after != before ? roof_bound_name(after) : "",
             after != before ? " binds" : "");
}

/* ---- judging ---- */

static int expect(const roof_machine *machine, const roof_operation *operations, size_t count, advice_expectation *out,
                  roof_error *error) {
    return out->asked ? roof_expect_operations(machine, &out->constants, operations, count, &out->time, error) : 0;
}

static bool judge(advice_trial *trial) {
    const roof_sum *before = &trial->question->point.sum;
    roof_sum sum;
    if (roof_judge_operations(&trial->machine, trial->operations, trial->count, &sum, NULL) || !(sum.seconds > 0) ||
        expect(&trial->machine, trial->operations, trial->count, &trial->expectation, NULL))
        return false;
    trial->bound = roof_sum_bound(&sum);
    trial->speedup = trial->work * before->seconds / sum.seconds;
    trial->point = (roof_point){.sum = sum,
                                .bound = trial->bound,
                                .seconds = sum.seconds,
                                .intensity = sum.bytes > 0 ? sum.flops / sum.bytes : 0,
                                .attainable = sum.flops / sum.seconds};
    return true;
}

roof_dtype advice_main_math(const roof_operation *operations, size_t count) {
    double flops[ROOF_DTYPE_COUNT] = {0};
    roof_dtype best = ROOF_DTYPE_NONE;
    for (size_t i = 0; i < count; i++) {
        bool matrix = operations[i].matrix_flops > 0;
        flops[matrix ? operations[i].matrix_dtype : operations[i].vector_dtype] +=
            operations[i].count * roof_operation_flops(&operations[i]);
    }
    for (int i = ROOF_DTYPE_NONE + 1; i < ROOF_DTYPE_COUNT; i++)
        if (flops[i] > flops[best] || best == ROOF_DTYPE_NONE)
            best = (roof_dtype)i;
    return best;
}

static void try_variants(const advice_question *question, const roof_variant *variants, size_t count,
                         advice_list *list) {
    for (size_t i = 0; variants && i < count; i++) {
        advice_idea idea = {.name = variants[i].idea, .reason = because_work, .cost = variants[i].cost};
        advice_trial trial = trial_begin(question, &idea, question->machine);
        trial.operations = variants[i].operations;
        trial.count = variants[i].count;
        trial.work = variants[i].work > 0 ? variants[i].work : 1;
        trial_keep(&trial, list);
    }
}

/* The list is that of `question`, judged; the changes go to `out`. */
static int advise(advice_question *question, const roof_variant *variants, size_t variant_count,
                  const roof_machine *others, size_t other_count, roof_advice *out, roof_error *error) {
    roof_sum *sum = &question->point.sum;
    if (roof_judge_operations(question->machine, question->operations, question->count, sum, error) ||
        expect(question->machine, question->operations, question->count, &question->expectation, error))
        return -1;
    if (!(sum->seconds > 0))
        return 0; /* no work whose cost is known: nothing to compare with */
    question->bound = roof_sum_bound(sum);
    question->link_bytes = sum->link_bytes;
    advice_list list = {.out = out};
    try_variants(question, variants, variant_count, &list);
    return trial_all(question, NULL, 0, others, other_count, &list);
}

static advice_question ask(const roof_engine *engine, const roof_machine *machine, const roof_operation *operations,
                           size_t count) {
    return (advice_question){.machine = machine,
                             .operations = operations,
                             .count = count,
                             .math = advice_main_math(operations, count),
                             .judge = judge,
                             .because = because,
                             .expectation = advice_expecting(machine, engine)};
}

int roof_advise_operations(const roof_machine *machine, const roof_operation *operations, size_t count,
                           const roof_variant *variants, size_t variant_count, const roof_machine *others,
                           size_t other_count, roof_advice out[ROOF_ADVICE_MAX], roof_error *error) {
    advice_question question = ask(NULL, machine, operations, count);
    return advise(&question, variants, variant_count, others, other_count, out, error);
}

int roof_advise_operations_in(roof_engine engine, const roof_machine *machine, const roof_operation *operations,
                              size_t count, const roof_variant *variants, size_t variant_count,
                              const roof_machine *others, size_t other_count, roof_advice out[ROOF_ADVICE_MAX],
                              roof_error *error) {
    advice_question question = ask(&engine, machine, operations, count);
    return advise(&question, variants, variant_count, others, other_count, out, error);
}
