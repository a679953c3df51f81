/* Every idea for one phase of a plan: changed, judged again, kept in order. */
#include <stdio.h>

#include "advice/model_ideas.h"
#include "advice/text.h"
#include "advice/visit.h"

static bool is_pointwise(const roof_operation *operation) {
    roof_kind kind = operation->kind;
    return kind == ROOF_KIND_RMS_NORM || kind == ROOF_KIND_LAYER_NORM || kind == ROOF_KIND_ELEMENTWISE;
}

static void add_matrices(void *context, const roof_operation *operation, const roof_verdict *verdict) {
    if (!is_pointwise(operation))
        roof_sum_add(context, operation, verdict);
}

/* Replace the sum by that of everything but norms and elementwise work. */
static int drop_pointwise(advice_trial *trial) {
    const advice_question *question = trial->question;
    roof_sum sum = {0};
    if (advice_visit_phase(&trial->machine, question->model, &trial->plan, question->phase, add_matrices, &sum, NULL))
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
static void drop_expected_pointwise(advice_trial *trial) {
    const advice_question *question = trial->question;
    pointwise_cost cost = {.machine = &trial->machine, .constants = &trial->expectation.constants};
    roof_expected *time = &trial->expectation.time;
    if (advice_visit_phase(&trial->machine, question->model, &trial->plan, question->phase, add_pointwise, &cost,
                           NULL) ||
        cost.sum.seconds >= time->seconds)
        time->seconds = 0; /* not judged */
    else
        time->seconds -= cost.sum.seconds;
}

static bool expect_again(advice_trial *trial) {
    const advice_question *question = trial->question;
    advice_expectation *then = &trial->expectation;
    if (!then->asked)
        return true;
    if (roof_expect_phase(&trial->machine, &then->constants, question->model, &trial->plan, question->phase,
                          &then->time, NULL))
        return false;
    if (trial->pointwise_free)
        drop_expected_pointwise(trial);
    return true;
}

/* Tokens that all sequences get from one execution of the phase. */
static double tokens_of(const roof_point *point) {
    return point->tokens_per_second * point->seconds;
}

/* A change that cannot be judged (no such roof, no link) is no idea. */
static bool judge(advice_trial *trial) {
    const advice_question *question = trial->question;
    if (roof_model_point(&trial->machine, question->model, &trial->plan, question->phase, &trial->point, NULL))
        return false;
    if (trial->pointwise_free && drop_pointwise(trial))
        return false;
    if (!expect_again(trial))
        return false;
    trial->work = tokens_of(&trial->point) / tokens_of(&question->point);
    trial->speedup = trial->point.tokens_per_second / question->point.tokens_per_second;
    trial->bound = trial->point.bound;
    trial->fits = advice_fits(&trial->point.memory);
    return true;
}

/* What decides first is whether the plan fits: before the reason of the idea when that changes or fails. */
static bool say_memory(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
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

/* The question as it was asked, judged; the plan must be complete. */
static int begin(advice_question *question, const roof_engine *engine, roof_error *error) {
    question->expectation = advice_expecting(question->machine, engine);
    if (roof_model_point(question->machine, question->model, question->plan, question->phase, &question->point, error))
        return -1;
    if (!(question->point.tokens_per_second > 0))
        return roof_fail(error, ROOF_EUNSUPPORTED,
                         "%s of this plan takes no time that is known, so nothing can be compared with it",
                         roof_phase_name(question->phase));
    question->bound = question->point.bound;
    question->link_bytes = question->point.sum.link_bytes;
    return engine ? roof_expect_phase(question->machine, &question->expectation.constants, question->model,
                                      question->plan, question->phase, &question->expectation.time, error)
                  : 0;
}

static int advise(const roof_engine *engine, const roof_machine *machine, const roof_model *model,
                  const roof_plan *plan, roof_phase phase, const roof_machine *others, size_t other_count,
                  roof_advice *out, roof_error *error) {
    roof_plan complete = *plan;
    roof_plan_complete(model, &complete);
    advice_question question = {.machine = machine,
                                .model = model,
                                .plan = &complete,
                                .phase = phase,
                                .math = roof_model_math(model, &complete),
                                .judge = judge,
                                .because = model_because,
                                .decides = say_memory};
    if (begin(&question, engine, error))
        return -1;
    advice_list list = {.out = out};
    if (roof_model_parameters(model, &complete).bytes_unknown) /* a factor over part of the bytes would be a guess */
        return 0;
    return trial_all(&question, model_ideas, model_idea_count, others, other_count, &list);
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
