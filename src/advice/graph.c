/* Every idea for a list of operations: the variants the caller built, then the machine changed. */
#include <stdio.h>

#include "advice/driver.h"
#include "advice/expectation.h"
#include "advice/text.h"

typedef struct graph_question {
    const roof_machine *machine;
    const roof_operation *operations;
    size_t count;
    roof_sum sum;
    advice_expectation expectation;
    roof_dtype math; /* that most matrix FLOPs run in */
} graph_question;

typedef struct graph_trial {
    roof_machine machine;
    roof_sustained rates; /* of a changed machine that was measured */
    const roof_operation *operations;
    size_t count;
    double work;
    char name[64];
    roof_sum sum;
    advice_expectation expectation;
} graph_trial;

typedef struct graph_idea {
    const char *name;
    bool (*change)(const graph_question *question, graph_trial *trial); /* false: it does not apply */
    void (*reason)(const graph_question *question, const graph_trial *trial, char *reason, size_t size);
    bool cost, hardware;
} graph_idea;

/* ---- changes ---- */

static bool double_compute(const graph_question *question, graph_trial *trial) {
    advice_scale_compute(&trial->machine, &trial->rates, 2);
    return question->sum.flops > 0;
}

static bool double_memory(const graph_question *question, graph_trial *trial) {
    advice_scale_memory(&trial->machine, &trial->rates, 2);
    return question->sum.bytes > 0;
}

static bool remove_launch(const graph_question *question, graph_trial *trial) {
    const roof_figure *launch = &question->machine->launch;
    trial->machine.launch = (roof_figure){0};
    return advice_drop_launches(&trial->expectation) || (launch->origin != ROOF_ORIGIN_UNKNOWN && launch->value > 0);
}

static bool capture(const graph_question *question, graph_trial *trial) {
    return advice_capture(&trial->expectation, question->machine);
}

static bool other_machine(const graph_question *question, graph_trial *trial) {
    advice_name_machine(&trial->machine, trial->name, sizeof trial->name);
    advice_use_machine(&trial->expectation, &trial->machine);
    return !advice_same_machine(question->machine, &trial->machine);
}

/* ---- reasons ---- */

static void share_bound(const graph_question *question, roof_bound bound, char *reason, size_t size) {
    double share = question->sum.bound_seconds[bound] / question->sum.seconds;
    snprintf(reason, size, "%s binds %s of the time", roof_bound_name(bound), advice_percent(share).text);
}

static void because_compute(const graph_question *question, const graph_trial *trial, char *reason, size_t size) {
    (void)trial;
    share_bound(question, ROOF_BOUND_COMPUTE, reason, size);
}

static void because_memory(const graph_question *question, const graph_trial *trial, char *reason, size_t size) {
    (void)trial;
    share_bound(question, ROOF_BOUND_MEMORY, reason, size);
}

static void because_launch(const graph_question *question, const graph_trial *trial, char *reason, size_t size) {
    (void)trial;
    if (question->expectation.asked)
        advice_say_launches(&question->expectation, reason, size);
    else
        snprintf(reason, size, "%zu operations start at %s each", question->sum.operations,
                 advice_quantity(question->machine->launch.value, "s").text);
}

static void because_machine(const graph_question *question, const graph_trial *trial, char *reason, size_t size) {
    advice_compare_roofs(&trial->machine, question->machine, roof_sum_bound(&question->sum), question->math, reason,
                         size);
    advice_say_constants(&question->expectation, &trial->expectation, reason, size);
}

/* The work itself changed: what it moves, and what binds then. */
static void because_work(const graph_question *question, const graph_trial *trial, char *reason, size_t size) {
    roof_bound before = roof_sum_bound(&question->sum), after = roof_sum_bound(&trial->sum);
    snprintf(reason, size, "moves %s instead of %s%s%s%s%s", advice_quantity(trial->sum.bytes, "B").text,
             advice_quantity(question->sum.bytes, "B").text, trial->work > 1 ? " for more work" : "",
             after != before ? "; then " : "", after != before ? roof_bound_name(after) : "",
             after != before ? " binds" : "");
}

static const graph_idea ideas[] = {
    {.name = "no launch overhead", .change = remove_launch, .reason = because_launch},
    {.name = "captured graph", .change = capture, .reason = because_launch},
    {.name = "2x the FLOP/s", .change = double_compute, .reason = because_compute, .cost = true, .hardware = true},
    {.name = "2x the bandwidth", .change = double_memory, .reason = because_memory, .cost = true, .hardware = true},
};
static const graph_idea another_machine = {
    .change = other_machine, .reason = because_machine, .cost = true, .hardware = true};
static const graph_idea another_way = {.reason = because_work};

/* ---- judging again ---- */

static int expect(const roof_machine *machine, const roof_operation *operations, size_t count, advice_expectation *out,
                  roof_error *error) {
    return out->asked ? roof_expect_operations(machine, &out->constants, operations, count, &out->time, error) : 0;
}

/* A change that cannot be judged (no such roof) is no idea. */
static void consider(const graph_question *question, const graph_idea *idea, graph_trial *trial, bool cost,
                     advice_list *list) {
    if (idea->change && !idea->change(question, trial))
        return;
    if (roof_judge_operations(&trial->machine, trial->operations, trial->count, &trial->sum, NULL) ||
        !(trial->sum.seconds > 0) ||
        expect(&trial->machine, trial->operations, trial->count, &trial->expectation, NULL))
        return;
    roof_advice advice = {.speedup = trial->work * question->sum.seconds / trial->sum.seconds,
                          .bound = roof_sum_bound(&trial->sum),
                          .fits = true,
                          .cost = cost,
                          .hardware = idea->hardware};
    advice.after = (roof_point){.sum = trial->sum,
                                .bound = advice.bound,
                                .seconds = trial->sum.seconds,
                                .intensity = trial->sum.bytes > 0 ? trial->sum.flops / trial->sum.bytes : 0,
                                .attainable = trial->sum.flops / trial->sum.seconds};
    snprintf(advice.idea, sizeof advice.idea, "%s", trial->name[0] ? trial->name : idea->name);
    idea->reason(question, trial, advice.reason, sizeof advice.reason);
    advice_weigh(&advice, &question->expectation, &trial->expectation, trial->work);
    advice_insert(list, &advice);
}

static graph_trial begin(const graph_question *question, const roof_machine *machine) {
    return (graph_trial){.machine = *machine,
                         .operations = question->operations,
                         .count = question->count,
                         .work = 1,
                         .expectation = question->expectation};
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

/* The list is that of `question`, judged; the changes go to `out`. */
static int advise(graph_question *question, const roof_variant *variants, size_t variant_count,
                  const roof_machine *others, size_t other_count, roof_advice *out, roof_error *error) {
    const roof_machine *machine = question->machine;
    if (roof_judge_operations(machine, question->operations, question->count, &question->sum, error) ||
        expect(machine, question->operations, question->count, &question->expectation, error))
        return -1;
    advice_list list = {.out = out};
    if (!(question->sum.seconds > 0))
        return 0; /* no work whose cost is known: nothing to compare with */
    for (size_t i = 0; variants && i < variant_count; i++) {
        graph_trial trial = begin(question, machine);
        trial.operations = variants[i].operations;
        trial.count = variants[i].count;
        trial.work = variants[i].work > 0 ? variants[i].work : 1;
        snprintf(trial.name, sizeof trial.name, "%s", variants[i].idea);
        consider(question, &another_way, &trial, variants[i].cost, &list);
    }
    for (size_t i = 0; i < sizeof ideas / sizeof *ideas; i++) {
        graph_trial trial = begin(question, machine);
        consider(question, &ideas[i], &trial, ideas[i].cost, &list);
    }
    for (size_t i = 0; others && i < other_count; i++) {
        graph_trial trial = begin(question, &others[i]);
        consider(question, &another_machine, &trial, true, &list);
    }
    return list.count;
}

static graph_question ask(const roof_engine *engine, const roof_machine *machine, const roof_operation *operations,
                          size_t count) {
    return (graph_question){.machine = machine,
                            .operations = operations,
                            .count = count,
                            .math = advice_main_math(operations, count),
                            .expectation = advice_expecting(machine, engine)};
}

int roof_advise_operations(const roof_machine *machine, const roof_operation *operations, size_t count,
                           const roof_variant *variants, size_t variant_count, const roof_machine *others,
                           size_t other_count, roof_advice out[ROOF_ADVICE_MAX], roof_error *error) {
    graph_question question = ask(NULL, machine, operations, count);
    return advise(&question, variants, variant_count, others, other_count, out, error);
}

int roof_advise_operations_in(roof_engine engine, const roof_machine *machine, const roof_operation *operations,
                              size_t count, const roof_variant *variants, size_t variant_count,
                              const roof_machine *others, size_t other_count, roof_advice out[ROOF_ADVICE_MAX],
                              roof_error *error) {
    graph_question question = ask(&engine, machine, operations, count);
    return advise(&question, variants, variant_count, others, other_count, out, error);
}
