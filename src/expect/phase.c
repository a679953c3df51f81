/* Expected time of one phase of a model: the sum over its operations. */
#include "expect/expect.h"
#include "work/model.h"

typedef struct adding {
    const roof_machine *machine;
    const roof_constants *constants;
    roof_expected *sum;
} adding;

static int add_one(void *context, const roof_operation *operation, roof_error *error) {
    adding *to = context;
    roof_expected one;
    if (expected_terms(to->machine, to->constants, operation, &one, error))
        return -1;
    expected_add(to->sum, &one, operation->count);
    return 0;
}

static roof_regime phase_regime(const roof_constants *constants, roof_phase phase) {
    bool local = constants->engine == ROOF_ENGINE_LLAMA_CPP || constants->engine == ROOF_ENGINE_MLX;
    if (phase == ROOF_DECODE)
        return local ? ROOF_REGIME_LLAMA_DECODE : ROOF_REGIME_DECODE;
    return local ? ROOF_REGIME_LLAMA_PREFILL : ROOF_REGIME_PREFILL;
}

int roof_expect_phase(const roof_machine *machine, const roof_constants *constants, const roof_model *model,
                      const roof_plan *plan, roof_phase phase, roof_expected *out, roof_error *error) {
    *out = (roof_expected){0};
    adding to = {.machine = machine, .constants = constants, .sum = out};
    if (model_visit(model, plan, phase, add_one, &to, error))
        return -1;
    expected_finish(out, constants, phase_regime(constants, phase));
    return 0;
}
