/* Every idea for one phase of a plan: changed, judged again, kept in order. */
#include <stdio.h>

#include "advice/driver.h"
#include "advice/ideas.h"
#include "advice/text.h"

static bool is_pointwise(const roof_operation *operation) {
    roof_kind kind = operation->kind;
    return kind == ROOF_KIND_RMS_NORM || kind == ROOF_KIND_LAYER_NORM || kind == ROOF_KIND_ELEMENTWISE;
}

static void add_matrices(void *context, const roof_operation *operation, const roof_verdict *verdict) {
    if (!is_pointwise(operation))
        roof_sum_add(context, operation, verdict);
}

/* Replace the sum by that of everything but norms and elementwise work. */
static int drop_pointwise(const advice_question *question, advice_trial *trial) {
    roof_sum sum = {0};
    if (advice_each(&trial->machine, question->model, &trial->plan, question->phase, add_matrices, &sum, NULL))
        return -1;
    double ratio = sum.seconds > 0 ? trial->point.seconds / sum.seconds : 1;
    trial->point.sum = sum;
    trial->point.bound = roof_sum_bound(&sum);
    trial->point.seconds = sum.seconds;
    trial->point.tokens_per_second *= ratio;
    return 0;
}

typedef struct pointwise_cost {
    const roof_machine *machine;
    const roof_constants *constants;
    roof_expected sum;
} pointwise_cost;

static void add_pointwise(void *context, const roof_operation *operation, const roof_verdict *verdict) {
    pointwise_cost *cost = context;
    roof_expected one;
    (void)verdict;
    if (!is_pointwise(operation) || roof_expect(cost->machine, cost->constants, operation, &one, NULL))
        return;
    cost->sum.seconds += operation->count * one.seconds;
}

/* Take norms and elementwise work off the expected time, their launches with them. */
static void drop_expected_pointwise(const advice_question *question, advice_trial *trial) {
    pointwise_cost cost = {.machine = &trial->machine, .constants = &trial->expectation.constants};
    roof_expected *time = &trial->expectation.time;
    if (advice_each(&trial->machine, question->model, &trial->plan, question->phase, add_pointwise, &cost, NULL) ||
        cost.sum.seconds >= time->seconds)
        time->seconds = 0; /* not judged */
    else
        time->seconds -= cost.sum.seconds;
}

static bool expect_again(const advice_question *question, advice_trial *trial) {
    advice_expectation *then = &trial->expectation;
    if (!then->asked)
        return true;
    if (roof_expect_phase(&trial->machine, &then->constants, question->model, &trial->plan, question->phase,
                          &then->time, NULL))
        return false;
    if (trial->pointwise_free)
        drop_expected_pointwise(question, trial);
    return true;
}

/* Tokens that all sequences get from one execution of the phase. */
static double tokens_of(const roof_point *point) {
    return point->tokens_per_second * point->seconds;
}

/* A change that cannot be judged (no such roof, no link) is no idea. */
static bool judge_again(const advice_question *question, advice_trial *trial) {
    if (roof_model_point(&trial->machine, question->model, &trial->plan, question->phase, &trial->point, NULL))
        return false;
    if (trial->pointwise_free && drop_pointwise(question, trial))
        return false;
    if (!expect_again(question, trial))
        return false;
    trial->work = tokens_of(&trial->point) / tokens_of(&question->point);
    trial->speedup = trial->point.tokens_per_second / question->point.tokens_per_second;
    return true;
}

/* What decides first is whether the plan fits: before the reason of the idea when that changes or fails. */
static bool say_memory(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    const roof_memory *memory = &trial->point.memory;
    advice_word total = advice_quantity(memory->total, "B"), capacity = advice_quantity(memory->capacity, "B");
    if (advice_fits(memory)) {
        snprintf(reason, size, "fits: %s of %s", total.text, capacity.text);
        return !advice_fits(&question->point.memory);
    }
    if (memory->total > memory->capacity)
        snprintf(reason, size, "does not fit: %s of %s", total.text, capacity.text);
    else
        snprintf(reason, size, "does not fit: %s of the %s that a plan may use of %s", total.text,
                 advice_quantity(memory->allowed, "B").text, capacity.text);
    return true;
}

static void consider(const advice_question *question, const advice_idea *idea, const roof_machine *machine,
                     advice_list *list) {
    advice_trial trial = {.machine = *machine, .plan = *question->plan, .expectation = question->expectation};
    if (!idea->change(question, idea, &trial) || !judge_again(question, &trial))
        return;
    roof_advice advice = {.speedup = trial.speedup,
                          .bound = trial.point.bound,
                          .after = trial.point,
                          .fits = advice_fits(&trial.point.memory),
                          .cost = idea->cost,
                          .hardware = idea->hardware};
    snprintf(advice.idea, sizeof advice.idea, "%s", trial.name[0] ? trial.name : idea->name);
    if (!say_memory(question, &trial, advice.reason, sizeof advice.reason))
        idea->reason(question, &trial, advice.reason, sizeof advice.reason);
    advice_weigh(&advice, &question->expectation, &trial.expectation, trial.work);
    advice_insert(list, &advice);
}

/* The question as it was asked, judged; the plan must be complete. */
static int begin(advice_question *question, const roof_engine *engine, roof_error *error) {
    question->expectation = advice_expecting(question->machine, engine);
    if (roof_model_point(question->machine, question->model, question->plan, question->phase, &question->point, error))
        return -1;
    if (!(question->point.tokens_per_second > 0))
        return roof_fail(error, ROOF_EUNSUPPORTED,
                         "%s of this plan takes no time that is known, so nothing can be compared with it",
                         roof_phase_name(question->phase));
    return engine ? roof_expect_phase(question->machine, &question->expectation.constants, question->model,
                                      question->plan, question->phase, &question->expectation.time, error)
                  : 0;
}

static int advise(const roof_engine *engine, const roof_machine *machine, const roof_model *model,
                  const roof_plan *plan, roof_phase phase, const roof_machine *others, size_t other_count,
                  roof_advice *out, roof_error *error) {
    roof_plan complete = *plan;
    roof_plan_complete(model, &complete);
    advice_question question = {.machine = machine, .model = model, .plan = &complete, .phase = phase};
    if (begin(&question, engine, error))
        return -1;
    advice_list list = {.out = out};
    if (roof_model_parameters(model, &complete).bytes_unknown) /* a factor over part of the bytes would be a guess */
        return 0;
    for (size_t i = 0; i < advice_idea_count; i++)
        consider(&question, &advice_ideas[i], machine, &list);
    for (size_t i = 0; others && i < other_count; i++)
        consider(&question, &advice_other_machine, &others[i], &list);
    return list.count;
}

int roof_advise_model(const roof_machine *machine, const roof_model *model, const roof_plan *plan, roof_phase phase,
                      const roof_machine *others, size_t other_count, roof_advice out[ROOF_ADVICE_MAX],
                      roof_error *error) {
    return advise(NULL, machine, model, plan, phase, others, other_count, out, error);
}

int roof_advise_model_in(roof_engine engine, const roof_machine *machine, const roof_model *model,
                         const roof_plan *plan, roof_phase phase, const roof_machine *others, size_t other_count,
                         roof_advice out[ROOF_ADVICE_MAX], roof_error *error) {
    return advise(&engine, machine, model, plan, phase, others, other_count, out, error);
}
