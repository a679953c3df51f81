/* What a plan gives when it serves: TTFT, a decode step, TPOT at a concurrency, a static batch, the largest batch that
 * fits. docs/expected.md, "Serving". */
#include <math.h>

#include "core/machine.h"
#include "expect/expect.h"

typedef struct serving {
    const roof_machine *machine;
    const roof_constants *constants;
    const roof_model *model;
} serving;

/* One phase of a plan, with its bound. */
static int span_of(const serving *of, const roof_plan *plan, roof_phase phase, roof_span *out, roof_error *error) {
    roof_sum sum;
    if (roof_model_judge(of->machine, of->model, plan, phase, &sum, error))
        return -1;
    out->bound = sum.seconds;
    return roof_expect_phase(of->machine, of->constants, of->model, plan, phase, &out->expected, error);
}

static roof_span scaled(const roof_span *one, double factor) {
    roof_span out = {.bound = factor * one->bound};
    expected_add(&out.expected, &one->expected, factor);
    return out;
}

static void add_span(roof_span *sum, const roof_span *one, double factor) {
    sum->bound += factor * one->bound;
    expected_add(&sum->expected, &one->expected, factor);
}

/* A prompt that rides along with decode steps is launched with them. */
static double without_launches(const roof_expected *expected) {
    return expected->seconds - expected->term[ROOF_TERM_LAUNCH];
}

/* Prefill of other prompts between two tokens of a sequence: each of the others comes once in `generate` tokens, and no
 * more than 8192 tokens ride along at once. */
static double others(const roof_plan *plan, const roof_constants *constants, const roof_expected *prompt) {
    double share = constant_of(constants, ROOF_CONSTANT_OTHERS) * (plan->batch - 1) / plan->generate;
    return without_launches(prompt) * fmin(share, fmax(8192 / plan->prompt, 1));
}

/* Decode steps are linear in the context: the one in the middle stands for all. */
static roof_plan in_the_middle(const roof_plan *plan) {
    roof_plan middle = *plan;
    middle.context = plan->prompt + floor(plan->generate / 2);
    return middle;
}

static int static_run(const serving *of, const roof_plan *plan, roof_span *out, roof_error *error) {
    roof_plan middle = in_the_middle(plan);
    roof_span prefill, step;
    if (span_of(of, plan, ROOF_PREFILL, &prefill, error) || span_of(of, &middle, ROOF_DECODE, &step, error))
        return -1;
    *out = scaled(&prefill, 1);
    add_span(out, &step, plan->generate - 1);
    expected_finish(&out->expected, of->constants, ROOF_REGIME_RUN);
    return 0;
}

/* Sequences that memory holds while they are half grown on average; 3 GB a device go to the engine. */
static double load_batch(const serving *of, const roof_plan *plan) {
    roof_plan middle = in_the_middle(plan);
    roof_memory memory = roof_model_memory(of->machine, of->model, plan);
    double kv = roof_model_kv_bytes(of->model, plan, middle.context);
    if (memory.unknown || !(kv > 0))
        return 0;
    return fmin(2048, fmax(0, floor(0.9 * (memory.capacity - memory.weights - 3e9) / kv)));
}

static int under_load(const serving *of, const roof_plan *plan, const roof_span *prompt, roof_serving *out,
                      roof_error *error) {
    roof_plan full = in_the_middle(plan);
    roof_span step;
    full.batch = out->load_batch = load_batch(of, plan);
    if (full.batch < 1)
        return 0;
    if (span_of(of, &full, ROOF_DECODE, &step, error))
        return -1;
    out->load = scaled(prompt, constant_of(of->constants, ROOF_CONSTANT_OTHERS) * full.batch);
    out->load.bound = full.batch * prompt->bound;
    add_span(&out->load, &step, plan->generate);
    expected_finish(&out->load.expected, of->constants, ROOF_REGIME_LOAD);
    double tokens = full.batch * plan->generate;
    out->load_tokens_per_second = tokens / out->load.expected.seconds;
    out->load_low = tokens / out->load.expected.high;
    out->load_high = tokens / out->load.expected.low;
    out->load_bound = tokens / out->load.bound;
    return 0;
}

int roof_model_serving(const roof_machine *machine, const roof_constants *constants, const roof_model *model,
                       const roof_plan *plan, roof_serving *out, roof_error *error) {
    serving of = {.machine = machine, .constants = constants, .model = model};
    roof_plan one = *plan;
    one.batch = 1;
    *out = (roof_serving){0};
    if (span_of(&of, &one, ROOF_PREFILL, &out->ttft, error) || span_of(&of, plan, ROOF_DECODE, &out->decode, error) ||
        static_run(&of, plan, &out->run, error))
        return -1;
    out->run_tokens_per_second = plan->batch * plan->generate / out->run.expected.seconds;
    out->tpot = scaled(&out->decode, 1);
    out->tpot.expected.term[ROOF_TERM_OTHERS] = others(plan, constants, &out->ttft.expected);
    expected_finish(&out->tpot.expected, constants, ROOF_REGIME_TPOT);
    roof_memory memory = roof_model_memory(machine, model, plan);
    out->fits = memory.fits || memory.unknown;
    return under_load(&of, plan, &out->ttft, out, error);
}
