/* The order of advice, and the ideas that change the machine: one table for models, operations and graphs. */
#include <stdio.h>
#include <string.h>

#include "advice/text.h"
#include "advice/trial.h"

static double factor_of(const roof_advice *advice) {
    return advice->expected > 0 ? advice->expected : advice->speedup;
}

static bool better(const roof_advice *a, const roof_advice *b) {
    return a->fits != b->fits ? a->fits : factor_of(a) > factor_of(b);
}

static void insert(advice_list *list, const roof_advice *advice) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->out[i].idea, advice->idea) == 0)
            return;
    int place = list->count;
    while (place > 0 && better(advice, &list->out[place - 1]))
        place--;
    if (place == ROOF_ADVICE_MAX)
        return;
    int last = list->count < ROOF_ADVICE_MAX ? list->count++ : ROOF_ADVICE_MAX - 1;
    memmove(&list->out[place + 1], &list->out[place], (size_t)(last - place) * sizeof *advice);
    list->out[place] = *advice;
}

static void scale(roof_figure *figures, size_t count, double factor) {
    for (size_t i = 0; i < count; i++)
        figures[i].value *= factor;
}

/* A measured CPU's rates by pattern go with its roofs; those of the changed machine lie in `own`. */
static bool take_rates(roof_machine *machine, roof_sustained *own) {
    if (!machine->sustained)
        return false;
    *own = *machine->sustained;
    machine->sustained = own;
    return true;
}

static void scale_compute(roof_machine *machine, roof_sustained *own, double factor) {
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        scale(machine->peak[unit], ROOF_DTYPE_COUNT, factor);
    scale(machine->narrow, ROOF_DTYPE_COUNT, factor);
    scale(machine->sparse, ROOF_DTYPE_COUNT, factor);
    if (!take_rates(machine, own))
        return;
    own->loads *= factor;
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        own->fma[i] *= factor;
}

static void scale_memory(roof_machine *machine, roof_sustained *own, double factor) {
    scale(machine->bandwidth, ROOF_LEVEL_COUNT, factor);
    if (!take_rates(machine, own))
        return;
    for (int traffic = 0; traffic < ROOF_TRAFFIC_COUNT; traffic++)
        for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
            own->traffic[traffic][level] *= factor;
}

static void scale_link(roof_machine *machine, double factor) {
    scale(&machine->link, 1, factor);
}

static double roof_value(const roof_machine *machine, roof_bound bound, roof_dtype dtype) {
    if (bound == ROOF_BOUND_LINK)
        return machine->link.value;
    if (bound != ROOF_BOUND_COMPUTE)
        return machine->bandwidth[ROOF_DRAM].value;
    const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, dtype);
    return peak ? peak->value : 0;
}

static void compare_roofs(const roof_machine *there, const roof_machine *here, roof_bound bound, roof_dtype dtype,
                          char *reason, size_t size) {
    char same[64] = "";
    double before = roof_value(here, bound, dtype), after = roof_value(there, bound, dtype);
    if (bound == ROOF_BOUND_LINK && before == after) {
        snprintf(reason, size, "the same link of %s", advice_quantity(after, "B/s").text);
        return;
    }
    if (bound == ROOF_BOUND_COMPUTE && before == after) { /* then memory makes what difference there is */
        snprintf(same, sizeof same, "the same %s roof; ", roof_dtype_name(dtype));
        bound = ROOF_BOUND_MEMORY;
        before = roof_value(here, bound, dtype);
        after = roof_value(there, bound, dtype);
    }
    bool compute = bound == ROOF_BOUND_COMPUTE;
    const char *what = compute ? roof_dtype_name(dtype) : bound == ROOF_BOUND_LINK ? "link" : "memory";
    const char *unit = compute ? advice_rate_unit(dtype) : "B/s";
    snprintf(reason, size, "%s%s at %s instead of %s", same, what, advice_quantity(after, unit).text,
             advice_quantity(before, unit).text);
}

bool advice_same_machine(const roof_machine *a, const roof_machine *b) {
    return a == b || (a->id && b->id && strcmp(a->id, b->id) == 0);
}

static void name_machine(const roof_machine *machine, char *name, size_t size) {
    const char *id = machine->id ? machine->id : machine->name;
    snprintf(name, size, "%.48s instead", id ? id : "the other machine");
}

/* ---- ideas that change the machine ---- */

static bool remove_launch(advice_trial *trial) {
    const roof_figure *launch = &trial->question->machine->launch;
    trial->machine.launch = (roof_figure){0};
    return advice_drop_launches(&trial->expectation) || (launch->origin != ROOF_ORIGIN_UNKNOWN && launch->value > 0);
}

static bool capture(advice_trial *trial) {
    return advice_capture(&trial->expectation, trial->question->machine);
}

static bool faster_compute(advice_trial *trial) {
    scale_compute(&trial->machine, &trial->rates, trial->idea->factor);
    return true;
}

static bool faster_memory(advice_trial *trial) {
    scale_memory(&trial->machine, &trial->rates, trial->idea->factor);
    return true;
}

static bool faster_link(advice_trial *trial) {
    scale_link(&trial->machine, trial->idea->factor);
    return trial->question->link_bytes > 0;
}

static bool other_machine(advice_trial *trial) {
    name_machine(&trial->machine, trial->name, sizeof trial->name);
    advice_use_machine(&trial->expectation, &trial->machine);
    roof_plan_engine(&trial->machine, trial->expectation.constants.engine, &trial->plan);
    return !advice_same_machine(trial->question->machine, &trial->machine);
}

static void because_compute(const advice_trial *trial, char *reason, size_t size) {
    trial->question->because(trial, ROOF_BOUND_COMPUTE, reason, size);
}

static void because_memory(const advice_trial *trial, char *reason, size_t size) {
    trial->question->because(trial, ROOF_BOUND_MEMORY, reason, size);
}

static void because_link(const advice_trial *trial, char *reason, size_t size) {
    trial->question->because(trial, ROOF_BOUND_LINK, reason, size);
}

static void because_launch(const advice_trial *trial, char *reason, size_t size) {
    if (trial->question->expectation.asked)
        advice_say_launches(&trial->question->expectation, reason, size);
    else
        trial->question->because(trial, ROOF_BOUND_LATENCY, reason, size);
}

static void because_machine(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    compare_roofs(&trial->machine, question->machine, question->bound, question->math, reason, size);
    advice_say_constants(&question->expectation, &trial->expectation, reason, size);
}

/* clang-format off */
static const advice_idea machine_ideas[] = {
    {.name = "no launch overhead", .change = remove_launch,  .reason = because_launch},
    {.name = "captured graph",     .change = capture,        .reason = because_launch},
    {.name = "2x the FLOP/s",      .change = faster_compute, .reason = because_compute, .cost = true, .hardware = true, .factor = 2},
    {.name = "2x the bandwidth",   .change = faster_memory,  .reason = because_memory,  .cost = true, .hardware = true, .factor = 2},
    {.name = "2x the link",        .change = faster_link,    .reason = because_link,    .cost = true, .hardware = true, .factor = 2},
};
static const advice_idea another_machine = {
    .name = "another machine", .change = other_machine, .reason = because_machine, .cost = true, .hardware = true};
/* clang-format on */

/* ---- trying ---- */

advice_trial trial_begin(const advice_question *question, const advice_idea *idea, const roof_machine *machine) {
    advice_trial trial = {.question = question, .idea = idea, .machine = *machine, .fits = true, .work = 1};
    trial.expectation = question->expectation;
    trial.operations = question->operations;
    trial.count = question->count;
    if (question->plan)
        trial.plan = *question->plan;
    if (question->operation)
        trial.operation = *question->operation;
    return trial;
}

void trial_keep(advice_trial *trial, advice_list *list) {
    const advice_question *question = trial->question;
    const advice_idea *idea = trial->idea;
    if ((idea->change && !idea->change(trial)) || !question->judge(trial))
        return;
    roof_advice advice = {.speedup = trial->speedup,
                          .bound = trial->bound,
                          .after = trial->point,
                          .fits = trial->fits,
                          .cost = idea->cost,
                          .hardware = idea->hardware};
    snprintf(advice.idea, sizeof advice.idea, "%s", trial->name[0] ? trial->name : idea->name);
    if (!question->decides || !question->decides(trial, advice.reason, sizeof advice.reason))
        idea->reason(trial, advice.reason, sizeof advice.reason);
    advice_weigh(&advice, &question->expectation, &trial->expectation, trial->work);
    insert(list, &advice);
}

static void try_table(const advice_question *question, const advice_idea *ideas, size_t count, advice_list *list) {
    for (size_t i = 0; i < count; i++) {
        advice_trial trial = trial_begin(question, &ideas[i], question->machine);
        trial_keep(&trial, list);
    }
}

int trial_all(const advice_question *question, const advice_idea *ideas, size_t count, const roof_machine *others,
              size_t other_count, advice_list *list) {
    try_table(question, ideas, count, list);
    try_table(question, machine_ideas, sizeof machine_ideas / sizeof *machine_ideas, list);
    for (size_t i = 0; others && i < other_count; i++) {
        advice_trial trial = trial_begin(question, &another_machine, &others[i]);
        trial_keep(&trial, list);
    }
    return list->count;
}
