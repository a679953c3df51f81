/* Expected time of one phase of a model: the sum over its operations. docs/expected.md, "A model in an engine". */
#include <string.h>

#include "core/machine.h"
#include "expect/expect.h"
#include "work/model.h"

typedef struct adding {
    const phase_case *of;
    roof_expected *sum;
    roof_sum *bound; /* or NULL */
} adding;

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

/* Consumer parts multiply 16-bit floats faster when they also add up in 16 bits, which llama.cpp asks for: a roof of
 * its own. */
static bool adds_in_16_bits(const phase_case *of, const roof_operation *operation) {
    return of->constants->engine == ROOF_ENGINE_LLAMA_CPP && operation->matrix_dtype == ROOF_F16 &&
           figure_known(&of->machine->narrow[ROOF_F16]);
}

static int add_bound(const adding *to, const roof_operation *operation, roof_error *error) {
    roof_verdict verdict;
    roof_operation fastest = *operation;
    fastest.narrow_accumulate = adds_in_16_bits(to->of, operation);
    if (roof_judge(to->of->machine, &fastest, &verdict, error))
        return -1;
    roof_sum_add(to->bound, &fastest, &verdict);
    return 0;
}

static int add_expected(const adding *to, const roof_operation *operation, roof_error *error) {
    roof_expected one;
    if (expected_terms(to->of->machine, to->of->constants, operation, &one, error))
        return -1;
    expected_add(to->sum, &one, operation->count);
    return to->bound ? add_bound(to, operation, error) : 0;
}

static int add_one(void *context, const roof_operation *operation, roof_error *error) {
    const adding *to = context;
    if (operation->kind != ROOF_ATTENTION || !(to->of->prefix > 0))
        return add_expected(to, operation, error);
    roof_operation longer = *operation;
    return behind_prefix(&longer, to->of->prefix, error) ? -1 : add_expected(to, &longer, error);
}

static roof_regime phase_regime(const roof_constants *constants, roof_phase phase) {
    bool local = constants->engine == ROOF_ENGINE_LLAMA_CPP || constants->engine == ROOF_ENGINE_MLX;
    if (phase == ROOF_DECODE)
        return local ? ROOF_REGIME_LLAMA_DECODE : ROOF_REGIME_DECODE;
    return local ? ROOF_REGIME_LLAMA_PREFILL : ROOF_REGIME_PREFILL;
}

int phase_expect(const phase_case *of, roof_phase phase, roof_expected *out, double *bound, roof_error *error) {
    roof_sum sum = {0};
    adding to = {.of = of, .sum = out, .bound = bound ? &sum : NULL};
    *out = (roof_expected){0};
    if (model_visit(of->model, of->plan, phase, add_one, &to, error))
        return -1;
    expected_finish(out, of->constants, phase_regime(of->constants, phase));
    if (bound)
        *bound = sum.seconds;
    return 0;
}

int roof_expect_phase(const roof_machine *machine, const roof_constants *constants, const roof_model *model,
                      const roof_plan *plan, roof_phase phase, roof_expected *out, roof_error *error) {
    phase_case of = {.machine = machine, .constants = constants, .model = model, .plan = plan};
    return phase_expect(&of, phase, out, NULL, error);
}
