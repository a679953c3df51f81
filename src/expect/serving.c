/* What a plan gives when it serves: TTFT, a decode step, TPOT at a concurrency, a static batch, the largest batch that
 * fits. docs/expected.md, "Serving". */
#include <math.h>

#include "core/machine.h"
#include "expect/defaults.h"
#include "expect/expect.h"

typedef struct serving {
    const roof_machine *machine;
    const roof_constants *constants;
    const roof_model *model;
    bool bounded; /* bounds are asked for: else they stay 0 */
} serving;

/* One phase of a plan. */
static int span_of(const serving *of, const roof_plan *plan, roof_phase phase, roof_time *out, roof_error *error) {
    phase_case one = {.machine = of->machine, .constants = of->constants, .model = of->model, .plan = plan};
    return phase_expect(&one, phase, of->bounded, out, error);
}

static roof_time scaled(const roof_time *one, double factor) {
    roof_time out = {.bound = factor * one->bound};
    expected_add(&out.expected, &one->expected, factor);
    return out;
}

static void add_span(roof_time *sum, const roof_time *one, double factor) {
    sum->bound += factor * one->bound;
    expected_add(&sum->expected, &one->expected, factor);
}

/* A prompt that rides along with decode steps is launched with them. */
static double without_launches(const roof_expected *expected) {
    return expected->seconds - expected->term[ROOF_TERM_LAUNCH];
}

/* Prefill of other prompts between two tokens of a sequence: each of the others comes once in `generate` tokens, and no
 * more than STEP_TOKENS ride along at once. Launches are those of the step. */
static double others(const roof_plan *plan, const roof_constants *constants, const roof_expected *prompt) {
    double share = constant_of(constants, ROOF_CONSTANT_OTHERS) * (plan->batch - 1) / plan->generate;
    return without_launches(prompt) * fmin(share, assumed(STEP_TOKENS) / plan->prompt);
}

static int first_token(const serving *of, const roof_plan *plan, roof_time *out, roof_error *error) {
    roof_plan one = *plan;
    one.batch = 1;
    return span_of(of, &one, ROOF_PHASE_PREFILL, out, error);
}

static void next_token(const serving *of, const roof_plan *plan, const roof_time *first, const roof_time *step,
                       roof_time *out) {
    *out = scaled(step, 1);
    out->expected.term[ROOF_TERM_OTHERS] = others(plan, of->constants, &first->expected);
    expected_finish(&out->expected, of->constants, ROOF_REGIME_TPOT);
}

/* Decode steps are linear in the context: the one in the middle stands for all. */
static roof_plan in_the_middle(const roof_plan *plan) {
    roof_plan middle = *plan;
    middle.context = plan->prompt + floor(plan->generate / 2);
    return middle;
}

static int static_run(const serving *of, const roof_plan *plan, roof_time *out, roof_error *error) {
    roof_plan middle = in_the_middle(plan);
    roof_time prefill, step;
    if (span_of(of, plan, ROOF_PHASE_PREFILL, &prefill, error) || span_of(of, &middle, ROOF_PHASE_DECODE, &step, error))
        return -1;
    *out = scaled(&prefill, 1);
    add_span(out, &step, plan->generate - 1);
    expected_finish(&out->expected, of->constants, ROOF_REGIME_RUN);
    return 0;
}

/* Sequences of half their answer that `budget` bytes of a device hold; 0 where memory is not known. */
static double sequences_in(const serving *of, const roof_plan *plan, double budget) {
    roof_plan middle = in_the_middle(plan);
    double kv = roof_model_kv_bytes(of->model, plan, middle.context);
    return kv > 0 ? fmax(0, floor(budget / kv)) : 0;
}

/* Beside the weights an engine keeps ENGINE_BYTES on a device, leaves a tenth of the rest, uses no more than the plan
 * may, and schedules no more than SEQUENCES_MOST. What holds not one whole sequence has no load. */
static double load_batch(const serving *of, const roof_plan *plan, const roof_memory *memory) {
    if (memory->unknown || memory->batch_max < 1)
        return 0;
    double budget = fmin(assumed(ENGINE_MEMORY) * (memory->capacity - memory->weights - assumed(ENGINE_BYTES)),
                         memory->allowed - memory->weights);
    return fmin(assumed(SEQUENCES_MOST), sequences_in(of, plan, budget));
}

/* A stay of `batch` sequences from their prompts to their last token. `out->bound` takes all prompts in one prefill. */
static int stay(const serving *of, const roof_plan *plan, double batch, const roof_time *prompt, roof_time *out,
                roof_error *error) {
    roof_plan full = in_the_middle(plan);
    roof_time step, prompts;
    full.batch = batch;
    if (span_of(of, &full, ROOF_PHASE_DECODE, &step, error) || span_of(of, &full, ROOF_PHASE_PREFILL, &prompts, error))
        return -1;
    *out = scaled(&prompts, 0);
    out->bound = prompts.bound;
    add_span(out, &step, plan->generate);
    out->expected.least += prompts.expected.least;
    out->expected.term[ROOF_TERM_OTHERS] =
        constant_of(of->constants, ROOF_CONSTANT_OTHERS) * batch * without_launches(&prompt->expected);
    expected_finish(&out->expected, of->constants, ROOF_REGIME_LOAD);
    return 0;
}

/* The bound of the throughput takes as many sequences as all of the memory beside the weights holds. */
static int load_bound(const serving *of, const roof_plan *plan, const roof_memory *memory, double batch,
                      const roof_time *prompt, double *out, roof_error *error) {
    roof_time most;
    double full = fmax(batch, sequences_in(of, plan, memory->capacity - memory->weights));
    if (stay(of, plan, full, prompt, &most, error))
        return -1;
    *out = full * plan->generate / most.bound;
    return 0;
}

static int under_load(const serving *of, const roof_plan *plan, const roof_memory *memory, roof_serving *out,
                      roof_error *error) {
    out->load_batch = load_batch(of, plan, memory);
    if (out->load_batch < 1)
        return 0;
    if (stay(of, plan, out->load_batch, &out->ttft, &out->load, error) ||
        load_bound(of, plan, memory, out->load_batch, &out->ttft, &out->load_bound, error))
        return -1;
    double tokens = out->load_batch * plan->generate;
    out->load_tokens_per_second = tokens / out->load.expected.seconds;
    out->load_low = tokens / out->load.expected.high;
    out->load_high = fmin(tokens / out->load.expected.low, out->load_bound);
    return 0;
}

/* A time for every output token of the group, so that it does not depend on the batch that is thought to fit. */
static int load_token(const serving *of, const roof_plan *plan, const roof_time *prompt, roof_time *out,
                      roof_error *error) {
    roof_memory memory = roof_model_memory(of->machine, of->model, plan);
    roof_time load;
    double batch = load_batch(of, plan, &memory), rate = 0;
    if (batch < 1)
        return roof_fail(error, ROOF_EARGUMENT, "not one sequence is known to fit in memory");
    if (stay(of, plan, batch, prompt, &load, error) ||
        (of->bounded && load_bound(of, plan, &memory, batch, prompt, &rate, error)))
        return -1;
    *out = scaled(&load, 1 / (batch * plan->generate));
    out->bound = of->bounded ? 1 / rate : 0;
    expected_finish(&out->expected, of->constants, ROOF_REGIME_LOAD);
    return 0;
}

int serving_expect(const phase_case *one, roof_regime regime, bool bounded, roof_time *out, roof_error *error) {
    serving of = {.machine = one->machine, .constants = one->constants, .model = one->model, .bounded = bounded};
    roof_time first, step;
    if (regime != ROOF_REGIME_TPOT && regime != ROOF_REGIME_LOAD)
        return static_run(&of, one->plan, out, error);
    if (first_token(&of, one->plan, &first, error))
        return -1;
    if (regime == ROOF_REGIME_LOAD)
        return load_token(&of, one->plan, &first, out, error);
    if (span_of(&of, one->plan, ROOF_PHASE_DECODE, &step, error))
        return -1;
    next_token(&of, one->plan, &first, &step, out);
    return 0;
}

int roof_model_serving(const roof_machine *machine, const roof_constants *constants, const roof_model *model,
                       const roof_plan *plan, roof_serving *out, roof_error *error) {
    serving of = {.machine = machine, .constants = constants, .model = model, .bounded = true};
    *out = (roof_serving){0};
    if (first_token(&of, plan, &out->ttft, error) || span_of(&of, plan, ROOF_PHASE_DECODE, &out->decode, error) ||
        static_run(&of, plan, &out->run, error))
        return -1;
    next_token(&of, plan, &out->ttft, &out->decode, &out->tpot);
    roof_memory memory = roof_model_memory(machine, model, plan);
    out->fits = memory.fits || memory.unknown;
    if (out->fits)
        out->run_tokens_per_second = plan->batch * plan->generate / out->run.expected.seconds;
    return under_load(&of, plan, &memory, out, error);
}
