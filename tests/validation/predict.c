/* From work to seconds, by each predictor; and what could explain a measurement that beats the bound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

enum { STEP_MAX = 256 };

static int judge(const roof_machine *machine, const roof_operation *operation, roof_sum *sum, roof_error *error) {
    roof_verdict verdict;
    if (roof_judge(machine, operation, &verdict, error))
        return -1;
    roof_sum_add(sum, operation, &verdict);
    return 0;
}

/* The same attention with `prefix` tokens in the cache before the first of its own. What rides along is left out. */
static int behind_prefix(roof_operation *operation, double prefix, roof_error *error) {
    const roof_kind_info *info = roof_kind_describe(operation->kind);
    roof_argument arguments[ROOF_SHAPE_MAX + ROOF_OPERAND_MAX];
    size_t count = 0, shape = 0, dtype = 0;
    for (size_t i = 0; i < info->parameter_count; i++) {
        roof_argument argument = {.name = info->parameters[i].name};
        if (info->parameters[i].type == ROOF_PARAMETER_DTYPE)
            argument.dtype = operation->dtype[dtype++];
        else
            argument.value = operation->shape[shape++];
        if (strcmp(argument.name, "kv_len") == 0)
            argument.value += prefix;
        arguments[count++] = argument;
    }
    roof_operation longer;
    if (roof_operation_build(operation->kind, arguments, count, &longer, error))
        return -1;
    longer.name = operation->name;
    longer.count = operation->count;
    *operation = longer;
    return 0;
}

/* A prefill behind a prefix, operation by operation. */
static int prefill_apart(const score_work *work, const roof_plan *plan, roof_sum *sum, roof_error *error) {
    static roof_operation operations[STEP_MAX];
    size_t count = roof_model_operations(work->model, plan, ROOF_PHASE_PREFILL, operations, STEP_MAX);
    if (count > STEP_MAX)
        return roof_fail(error, ROOF_EUNSUPPORTED, "a step of %zu operations", count);
    for (size_t i = 0; i < count; i++) {
        roof_operation *operation = &operations[i];
        if (operation->kind == ROOF_KIND_ATTENTION && work->prefix > 0 && behind_prefix(operation, work->prefix, error))
            return -1;
        if (judge(work->machine, operation, sum, error))
            return -1;
    }
    return 0;
}

static void add(roof_sum *sum, const roof_sum *other) {
    sum->seconds += other->seconds;
    for (size_t i = 0; i < sizeof sum->bound_seconds / sizeof sum->bound_seconds[0]; i++)
        sum->bound_seconds[i] += other->bound_seconds[i];
}

/* No engine gives more tokens a second than with a cache in all of the memory beside the weights. The sum is that of a
 * step in its kinds of bound, and the time for a token in its seconds. */
static int most_load(const score_work *work, const roof_plan *plan, roof_sum *sum, roof_error *error) {
    roof_constants constants;
    roof_serving serving;
    roof_constants_of(work->machine, work->engine, &constants);
    if (roof_model_serving(work->machine, &constants, work->model, plan, &serving, error))
        return -1;
    roof_plan full = *plan;
    full.batch = serving.load_batch;
    if (full.batch < 1)
        return roof_fail(error, ROOF_EARGUMENT, "not one sequence is thought to fit");
    if (roof_model_judge(work->machine, work->model, &full, ROOF_PHASE_DECODE, sum, error))
        return -1;
    sum->seconds = 1 / serving.load_bound;
    return 0;
}

static int run(const score_work *work, double touched, roof_sum *sum, roof_error *error) {
    roof_plan plan = work->plan;
    roof_sum step;
    plan.experts_touched = touched;
    if (work->serving == ROOF_REGIME_LOAD)
        return most_load(work, &plan, sum, error);
    if (work->prefill && work->prefix > 0) {
        if (prefill_apart(work, &plan, sum, error))
            return -1;
    } else if (work->prefill) {
        if (roof_model_judge(work->machine, work->model, &plan, ROOF_PHASE_PREFILL, &step, error))
            return -1;
        add(sum, &step);
    }
    for (double i = 0; i < work->steps; i++) {
        plan.context = work->first + i;
        if (roof_model_judge(work->machine, work->model, &plan, ROOF_PHASE_DECODE, &step, error))
            return -1;
        add(sum, &step);
    }
    return 0;
}

static double least_experts(const roof_model *model) {
    for (size_t i = 0; i < model->layer_count; i++)
        if (model->layers[i].mlp.kind == ROOF_MLP_MOE)
            return model->layers[i].mlp.top_k;
    return 0;
}

/* `kept`: bytes that never reach DRAM, all operations together. */
static int operations(const score_work *work, double kept, roof_sum *sum, roof_error *error) {
    for (size_t i = 0; i < work->operation_count; i++) {
        roof_operation operation = work->operations[i];
        double *bytes = &operation.bytes[ROOF_DRAM];
        *bytes = operation.least_bytes;
        double hit = fmin(*bytes, kept);
        *bytes -= hit;
        kept -= hit;
        if (judge(work->machine, &operation, sum, error))
            return -1;
    }
    return 0;
}

/* No machine with these roofs is faster: every mixture of experts touches the fewest it can. */
static int bound_seconds(const score_work *work, double *seconds, roof_bound *bound, roof_error *error) {
    roof_sum sum = {0};
    if (work->model ? run(work, least_experts(work->model), &sum, error) : operations(work, 0, &sum, error))
        return -1;
    *seconds = sum.seconds / work->share;
    *bound = roof_sum_bound(&sum);
    return 0;
}

static bool is_local(const score_work *work) {
    return work->engine == ROOF_ENGINE_LLAMA_CPP || work->engine == ROOF_ENGINE_MLX;
}

void constants_for(const score_work *work, roof_constants *out) {
    bool alone = !work->model && work->engine == ROOF_ENGINE_UNKNOWN;
    roof_constants_of(work->machine, alone ? ROOF_ENGINE_ALONE : work->engine, out);
    if (!work->model) /* devices that do nothing else start together */
        out->value[ROOF_CONSTANT_SKEW].value = 0;
}

roof_observation observation_of(const score_work *work, double *times) {
    roof_observation out = {.machine = work->machine,
                            .operations = work->likely_count > 0 ? work->likely : work->operations,
                            .operation_count = work->likely_count > 0 ? work->likely_count : work->operation_count,
                            .model = work->model,
                            .plan = work->plan,
                            .prefix = work->prefix,
                            .share = work->share};
    *times = 1;
    if (!work->model)
        return out;
    if (work->serving) {
        out.regime = work->serving;
    } else if (work->prefill && work->steps > 0) {
        out.regime = ROOF_REGIME_RUN;
        out.plan.generate = work->steps + 1;
    } else if (work->prefill) {
        out.regime = is_local(work) ? ROOF_REGIME_LLAMA_PREFILL : ROOF_REGIME_PREFILL;
    } else {
        out.regime = is_local(work) ? ROOF_REGIME_LLAMA_DECODE : ROOF_REGIME_DECODE;
        out.plan.context = work->first + floor(work->steps / 2);
        *times = work->steps;
    }
    return out;
}

static int expected_seconds(const score_work *work, score_row *row, roof_error *error) {
    double times;
    roof_observation observation = observation_of(work, &times);
    roof_constants constants;
    roof_time span;
    constants_for(work, &constants);
    if (roof_observation_expect(&observation, &constants, &span, error))
        return -1;
    row->predicted[IN_SAMPLE] = span.expected.seconds * times;
    row->kind = span.expected.regime;
    row->low = constants.low[row->kind]; /* the bound, which ends it too, is no share of the time */
    row->high = span.expected.high / span.expected.seconds;
    return 0;
}

const char *const predictor_names[PREDICTOR_COUNT] = {
    [BOUND] = "bound",
    [NEW_DEVICE] = "expected, device left out",
    [NEW_HARDWARE] = "expected, hardware left out",
    [NEW_FILE] = "expected, file left out",
    [IN_SAMPLE] = "expected, in sample",
};

/* Conditions under which a measurement may be below the bound, each with the least time it allows. */
typedef struct score_explanation {
    const char *name, *text;
    double (*seconds)(const score_work *work); /* HUGE_VAL: does not apply */
} score_explanation;

static double level_size(const roof_machine *machine, roof_level level) {
    return machine->size[level].origin != ROOF_ORIGIN_UNKNOWN ? machine->size[level].value : 0;
}

/* The last level of cache keeps up to its size of what the repetition before left there. */
static double kept_in_cache(const score_work *work) {
    roof_sum sum = {0};
    double size = fmax(level_size(work->machine, ROOF_L2), level_size(work->machine, ROOF_L3));
    if (!work->repeated || operations(work, size, &sum, NULL))
        return HUGE_VAL;
    return sum.seconds;
}

/* Switches of NVLink 4 and later add up what devices send: each sends its bytes once and receives the sum. */
static double summed_in_switch(const score_work *work) {
    const char *link = work->machine->link_kind;
    if (work->model || work->operations[0].kind != ROOF_KIND_ALL_REDUCE || !link ||
        !(strstr(link, "NVLink4") || strstr(link, "NVLink5")))
        return HUGE_VAL;
    return work->operations[0].bytes[ROOF_DRAM] / 2 / work->machine->link.value; /* read once and written once */
}

static const score_explanation explanations[] = {
    {"cache", "timed over and over on the same operands, of which up to the size of the last cache stayed there",
     kept_in_cache},
    {"switch", "summed inside the switch, so that each device sends its bytes once, not twice", summed_in_switch},
};

const char *explanation_text(const char *name) {
    for (size_t i = 0; i < sizeof explanations / sizeof explanations[0]; i++)
        if (strcmp(explanations[i].name, name) == 0)
            return explanations[i].text;
    return "";
}

static void explain(const score_work *work, score_row *row) {
    for (size_t i = 0; !row->explanation && i < sizeof explanations / sizeof explanations[0]; i++)
        if (explanations[i].seconds(work) <= row->measured)
            row->explanation = explanations[i].name;
}

void predict(const score_work *work, score_row *row) {
    roof_error error;
    roof_bound bound;
    if (bound_seconds(work, &row->predicted[BOUND], &bound, &error) || expected_seconds(work, row, &error)) {
        leave_out(row, "%s", error.what);
        return;
    }
    row->predicted[NEW_DEVICE] = row->predicted[NEW_HARDWARE] = row->predicted[NEW_FILE] = (double)NAN;
    size_t used = strlen(row->regime);
    snprintf(row->regime + used, sizeof row->regime - used, ", %s", roof_bound_name(bound));
    row->above = row->predicted[BOUND] > row->measured;
    if (row->above)
        explain(work, row);
}
