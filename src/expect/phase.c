/* Expected time of one phase of a model: the sum over its operations. docs/expected.md, "A model in an engine". */
#include <math.h>

#include "core/machine.h"
#include "expect/defaults.h"
#include "expect/expect.h"
#include "work/kinds.h"
#include "work/model.h"
#include "work/ops.h"

typedef struct adding {
    const phase_case *of;
    roof_time *sum;
} adding;

/* The same attention with `prefix` tokens in the cache before the first of its own. What rides along is left out. */
static roof_operation behind_prefix(const roof_operation *operation, double prefix) {
    roof_operation longer = *operation;
    longer.shape[ATTENTION_KV_LEN] += prefix;
    work_attention_cost(&longer);
    longer.name = operation->name;
    longer.count = operation->count;
    longer.narrow_accumulate = operation->narrow_accumulate;
    return longer;
}

static int add(const adding *to, const roof_operation *operation, roof_error *error) {
    roof_expected one;
    double bound;
    if (expected_terms(to->of->machine, to->of->constants, operation, &one, &bound, error))
        return -1;
    expected_add(&to->sum->expected, &one, operation->count);
    to->sum->bound += bound * operation->count;
    return 0;
}

static int add_one(void *context, const roof_operation *operation, roof_error *error) {
    const adding *to = context;
    if (operation->kind != ROOF_KIND_ATTENTION || !(to->of->prefix > 0))
        return add(to, operation, error);
    roof_operation longer = behind_prefix(operation, to->of->prefix);
    return add(to, &longer, error);
}

static roof_regime phase_regime(const roof_constants *constants, roof_phase phase) {
    bool local = constants->engine == ROOF_ENGINE_LLAMA_CPP || constants->engine == ROOF_ENGINE_MLX;
    if (phase == ROOF_PHASE_DECODE)
        return local ? ROOF_REGIME_LLAMA_DECODE : ROOF_REGIME_DECODE;
    return local ? ROOF_REGIME_LLAMA_PREFILL : ROOF_REGIME_PREFILL;
}

static int walk(const phase_case *of, roof_phase phase, roof_time *out, roof_error *error) {
    adding to = {.of = of, .sum = out};
    return model_visit(of->model, of->plan, phase, add_one, &to, error);
}

/* llama.cpp takes a prompt through the layers a micro-batch at a time, and reads the weights for each part: as
 * many times the part in the middle, for time is linear in what is cached before it. */
static int in_parts(const phase_case *of, double parts, roof_expected *out, roof_error *error) {
    roof_plan plan = *of->plan;
    phase_case part = *of;
    roof_time one = {0};
    plan.prompt = ceil(of->plan->prompt / parts);
    part.plan = &plan;
    part.prefix += (parts - 1) * plan.prompt / 2;
    if (walk(&part, ROOF_PHASE_PREFILL, &one, error))
        return -1;
    expected_add(out, &one.expected, parts);
    return 0;
}

double micro_batches(const roof_constants *constants, const roof_plan *plan) {
    return constants->engine == ROOF_ENGINE_LLAMA_CPP ? ceil(plan->prompt / assumed(MICRO_BATCH)) : 1;
}

/* The bound is that of the whole prompt: parts that read the weights again are llama.cpp's choice. */
int phase_expect(const phase_case *of, roof_phase phase, bool bounded, roof_time *out, roof_error *error) {
    double parts = phase == ROOF_PHASE_PREFILL ? micro_batches(of->constants, of->plan) : 1;
    *out = (roof_time){0};
    if ((bounded || parts <= 1) && walk(of, phase, out, error))
        return -1;
    if (parts > 1) {
        double least = out->expected.least;
        out->expected = (roof_expected){0};
        if (in_parts(of, parts, &out->expected, error))
            return -1;
        out->expected.least = least;
    }
    if (!bounded)
        out->bound = 0;
    expected_finish(&out->expected, of->constants, phase_regime(of->constants, phase));
    return 0;
}

void roof_plan_engine(const roof_machine *machine, roof_engine engine, roof_plan *plan) {
    plan->half_sums = engine == ROOF_ENGINE_LLAMA_CPP && figure_known(&machine->narrow[ROOF_F16]);
}

int roof_expect_phase(const roof_machine *machine, const roof_constants *constants, const roof_model *model,
                      const roof_plan *plan, roof_phase phase, roof_expected *out, roof_error *error) {
    phase_case of = {.machine = machine, .constants = constants, .model = model, .plan = plan};
    roof_time span;
    if (phase_expect(&of, phase, true, &span, error))
        return -1;
    *out = span.expected;
    return 0;
}
