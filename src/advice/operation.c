/* Every idea for one operation: its shape or dtypes changed and the costs built anew. Ideas about the machine are those
 * of trial.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advice/text.h"
#include "advice/trial.h"
#include "work/kinds.h"
#include "work/ops.h"

static const double GRID_FULL = 0.95; /* a grid that fills more of the units is not talked about */

/* ---- building anew ---- */

/* Costs of `operation` from its kind, shape and dtypes; its name, count and roofs stay. */
static bool rebuild(roof_operation *operation) {
    roof_argument arguments[WORK_ARGUMENT_MAX];
    roof_operation built;
    if (!work_kind_of(operation->kind) ||
        roof_operation_build(operation->kind, arguments, work_arguments(operation, arguments), &built, NULL))
        return false;
    built.name = operation->name;
    built.count = operation->count;
    built.sparse = operation->sparse;
    built.narrow_accumulate = operation->narrow_accumulate;
    *operation = built;
    return true;
}

static bool close_to(double a, double b) {
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static bool is_shaped(const roof_operation *operation) {
    roof_operation built = *operation;
    return operation->kind != ROOF_KIND_CUSTOM && rebuild(&built) &&
           close_to(built.matrix_flops, operation->matrix_flops) &&
           close_to(built.vector_flops, operation->vector_flops) &&
           close_to(built.bytes[ROOF_DRAM], operation->bytes[ROOF_DRAM]);
}

/* ---- changes ---- */

static bool is_product(const roof_operation *operation) {
    return operation->kind == ROOF_KIND_GEMM || operation->kind == ROOF_KIND_GEMV ||
           operation->kind == ROOF_KIND_GROUPED_GEMM;
}

/* The operand that is the matrix of weights: A of a gemv, else B. */
static int weights_place(roof_kind kind) {
    return kind == ROOF_KIND_GEMV ? DTYPE_A : DTYPE_B;
}

/* Where the shape of the kind keeps a weight format; -1: nowhere. */
static int format_place(roof_kind kind) {
    return kind == ROOF_KIND_GEMM ? GEMM_FORMAT : kind == ROOF_KIND_GROUPED_GEMM ? GROUPED_FORMAT : -1;
}

static roof_dtype weights_dtype(const roof_operation *operation) {
    return operation->dtype[weights_place(operation->kind)];
}

/* Plain elements of `dtype` instead of whatever the weights were stored as. */
static void set_weights(roof_operation *operation, roof_dtype dtype) {
    int place = format_place(operation->kind);
    operation->dtype[weights_place(operation->kind)] = dtype;
    if (place >= 0 && operation->shape[place + FORMAT_BITS] > 0) {
        memset(&operation->shape[place], 0, 5 * sizeof *operation->shape);
        operation->shape[place + FORMAT_BITS] = roof_dtype_bits(dtype);
    }
}

static bool narrow_weights(advice_trial *trial) {
    const advice_question *question = trial->question;
    roof_operation *operation = &trial->operation;
    if (!question->shaped || !is_product(operation) ||
        roof_dtype_bits(weights_dtype(operation)) <= roof_dtype_bits(trial->idea->dtype))
        return false;
    operation->dtype[DTYPE_GEMM_MATH] = operation->matrix_dtype; /* the multiplication stays as it is */
    set_weights(operation, trial->idea->dtype);
    return rebuild(operation);
}

static double matrix_peak(const roof_machine *machine, roof_dtype dtype) {
    const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, dtype);
    return peak ? peak->value : 0;
}

static bool is_faster(const advice_question *question, roof_dtype dtype) {
    double now = matrix_peak(question->machine, question->operation->matrix_dtype);
    return question->operation->matrix_flops > 0 && matrix_peak(question->machine, dtype) > now &&
           !question->operation->sparse && !question->operation->narrow_accumulate;
}

/* The same bytes multiplied under a faster roof: operands are narrowed on chip. */
static bool faster_math(advice_trial *trial) {
    const advice_question *question = trial->question;
    trial->operation.matrix_dtype = trial->idea->dtype;
    return is_product(&trial->operation) && is_faster(question, trial->idea->dtype);
}

static bool narrow_operands(advice_trial *trial) {
    const advice_question *question = trial->question;
    roof_operation *operation = &trial->operation;
    if (!question->shaped || !is_product(operation) || !is_faster(question, trial->idea->dtype))
        return false;
    int inputs = weights_place(operation->kind) == DTYPE_A ? DTYPE_B : DTYPE_A;
    operation->dtype[inputs] = operation->dtype[DTYPE_GEMM_MATH] = trial->idea->dtype;
    if (roof_dtype_bits(weights_dtype(operation)) > roof_dtype_bits(trial->idea->dtype))
        set_weights(operation, trial->idea->dtype);
    return rebuild(operation);
}

static bool with_rows(const advice_question *question, double rows, roof_operation *operation, roof_verdict *verdict) {
    *operation = *question->operation;
    operation->shape[GEMM_M] = rows;
    return rebuild(operation) && roof_judge(question->machine, operation, verdict, NULL) == 0;
}

/* Rows at which the compute and the memory time of a gemm meet; both are straight lines in m, so two points give them.
 */
static bool rows_at_ridge(const advice_question *question, double *rows) {
    double m = question->operation->shape[GEMM_M];
    roof_operation operation;
    roof_verdict one, two;
    if (!with_rows(question, m, &operation, &one) || !with_rows(question, 2 * m, &operation, &two))
        return false;
    double gap = one.memory_seconds - one.compute_seconds, left = two.memory_seconds - two.compute_seconds;
    *rows = ceil(m * (1 + gap / (gap - left)) * (1 - 1e-12)); /* a crossing on a whole number is that number */
    return gap > 0 && left<gap && * rows> m;
}

static bool more_rows(advice_trial *trial) {
    const advice_question *question = trial->question;
    double rows;
    if (!question->shaped || question->operation->kind != ROOF_KIND_GEMM || !rows_at_ridge(question, &rows))
        return false;
    snprintf(trial->name, sizeof trial->name, "m = %.0f", rows);
    trial->operation.shape[GEMM_M] = rows;
    return rebuild(&trial->operation);
}

static bool narrow_cache(advice_trial *trial) {
    const advice_question *question = trial->question;
    roof_operation *operation = &trial->operation;
    if (!question->shaped || operation->kind != ROOF_KIND_ATTENTION ||
        roof_dtype_bits(operation->dtype[DTYPE_KV]) <= roof_dtype_bits(trial->idea->dtype))
        return false;
    operation->dtype[DTYPE_ATTENTION_MATH] = operation->matrix_dtype;
    operation->dtype[DTYPE_KV] = trial->idea->dtype;
    return rebuild(operation);
}

static bool fuse_attention(advice_trial *trial) {
    const advice_question *question = trial->question;
    if (!question->shaped || question->operation->kind != ROOF_KIND_ATTENTION ||
        !(question->operation->shape[ATTENTION_UNFUSED] > 0))
        return false;
    trial->operation.shape[ATTENTION_UNFUSED] = 0;
    return rebuild(&trial->operation);
}

static roof_dtype narrower(roof_dtype dtype) {
    static const roof_dtype next[ROOF_DTYPE_COUNT] = {
        [ROOF_F64] = ROOF_F32,     [ROOF_F32] = ROOF_BF16,   [ROOF_TF32] = ROOF_BF16,
        [ROOF_F16] = ROOF_FP8,     [ROOF_BF16] = ROOF_FP8,   [ROOF_FP8] = ROOF_FP4,
        [ROOF_INT32] = ROOF_INT16, [ROOF_INT16] = ROOF_INT8, [ROOF_INT8] = ROOF_INT4,
    };
    return next[dtype];
}

/* Collectives are given as bytes, whatever they are made of. */
static bool is_collective(roof_kind kind) {
    return kind >= ROOF_KIND_ALL_REDUCE && kind <= ROOF_KIND_POINT_TO_POINT;
}

/* Every operand one step narrower, for kinds that have no ideas of their own. */
static bool narrow_all(advice_trial *trial) {
    const advice_question *question = trial->question;
    roof_operation *operation = &trial->operation;
    if (!question->shaped || is_product(operation) || is_collective(operation->kind) ||
        narrower(operation->dtype[DTYPE_MAIN]) == ROOF_DTYPE_NONE)
        return false;
    for (int i = 0; i < ROOF_OPERAND_MAX; i++)
        if (narrower(operation->dtype[i]) != ROOF_DTYPE_NONE)
            operation->dtype[i] = narrower(operation->dtype[i]);
    snprintf(trial->name, sizeof trial->name, "%s operands", roof_dtype_name(operation->dtype[DTYPE_MAIN]));
    return rebuild(operation);
}

/* ---- reasons ---- */

static void because_bytes(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    const roof_verdict *now = &question->verdict;
    if (now->bound == ROOF_BOUND_COMPUTE) {
        snprintf(reason, size, "compute needs %s, memory only %s", advice_quantity(now->compute_seconds, "s").text,
                 advice_quantity(now->memory_seconds, "s").text);
        return;
    }
    const char *then = trial->verdict.bound != question->verdict.bound ? roof_bound_name(trial->verdict.bound) : NULL;
    snprintf(reason, size, "moves %s instead of %s%s%s%s", advice_quantity(trial->operation.bytes[ROOF_DRAM], "B").text,
             advice_quantity(question->operation->bytes[ROOF_DRAM], "B").text, then ? "; then " : "", then ? then : "",
             then ? " binds" : "");
}

static void say_part(const char *what, double seconds, const roof_verdict *verdict, char *reason, size_t size) {
    snprintf(reason, size, "%s needs %s of the %s", what, advice_quantity(seconds, "s").text,
             advice_quantity(verdict->seconds, "s").text);
}

/* A grid of tiles that does not fill the machine: why compute takes longer than its FLOPs. */
static void say_fill(const advice_question *question, char *reason, size_t size) {
    char clause[64];
    double fill = question->expectation.time.fill;
    if (!(fill > 0 && fill < GRID_FULL))
        return;
    snprintf(clause, sizeof clause, "the grid fills %s of the units", advice_percent(fill).text);
    advice_append(reason, size, clause);
}

static void because_rows(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    snprintf(reason, size, "free up to there: %s instead of %s FLOP/B, the ridge is at %s",
             advice_number(trial->verdict.intensity).text, advice_number(question->verdict.intensity).text,
             advice_number(question->verdict.ridge).text);
    say_fill(question, reason, size);
}

/* The words of a faster machine; faster multiplication has those of faster compute. */
static void because(const advice_trial *trial, roof_bound faster, char *reason, size_t size) {
    const roof_verdict *now = &trial->question->verdict;
    const struct {
        const char *what;
        double seconds;
    } parts[ROOF_BOUND_COUNT] = {
        [ROOF_BOUND_COMPUTE] = {"compute", now->compute_seconds},
        [ROOF_BOUND_MEMORY] = {"memory", now->memory_seconds},
        [ROOF_BOUND_LINK] = {"the link", now->link_seconds},
        [ROOF_BOUND_LATENCY] = {"the launch", now->launch_seconds},
    };
    say_part(parts[faster].what, parts[faster].seconds, now, reason, size);
    if (faster == ROOF_BOUND_COMPUTE)
        say_fill(trial->question, reason, size);
}

static void because_math(const advice_trial *trial, char *reason, size_t size) {
    because(trial, ROOF_BOUND_COMPUTE, reason, size);
}

/* ---- the table ---- */

static const advice_idea ideas[] = {
    {.name = "8-bit weights", .change = narrow_weights, .reason = because_bytes, .cost = true, .dtype = ROOF_FP8},
    {.name = "4-bit weights", .change = narrow_weights, .reason = because_bytes, .cost = true, .dtype = ROOF_INT4},
    {.name = "larger m", .change = more_rows, .reason = because_rows},
    {.name = "fp8 math", .change = faster_math, .reason = because_math, .cost = true, .dtype = ROOF_FP8},
    {.name = "int8 math", .change = faster_math, .reason = because_math, .cost = true, .dtype = ROOF_INT8},
    {.name = "fp8 operands and math",
     .change = narrow_operands,
     .reason = because_bytes,
     .cost = true,
     .dtype = ROOF_FP8},
    {.name = "int8 operands and math",
     .change = narrow_operands,
     .reason = because_bytes,
     .cost = true,
     .dtype = ROOF_INT8},
    {.name = "nvfp4 operands and math",
     .change = narrow_operands,
     .reason = because_bytes,
     .cost = true,
     .dtype = ROOF_NVFP4},
    {.name = "fp8 KV cache", .change = narrow_cache, .reason = because_bytes, .cost = true, .dtype = ROOF_FP8},
    {.name = "fused attention", .change = fuse_attention, .reason = because_bytes},
    {.name = "narrower operands", .change = narrow_all, .reason = because_bytes, .cost = true},
};

/* Work a second, so that more rows count as more work; operations without FLOPs are compared by time. */
static double work_of(const advice_trial *trial) {
    const advice_question *question = trial->question;
    double before = roof_operation_flops(question->operation), after = roof_operation_flops(&trial->operation);
    return before > 0 && question->operation->kind == ROOF_KIND_GEMM ? after / before : 1;
}

static int judge(const roof_machine *machine, const roof_operation *operation, roof_verdict *verdict,
                 advice_expectation *expectation, roof_error *error) {
    if (roof_judge(machine, operation, verdict, error))
        return -1;
    return expectation->asked ? roof_expect(machine, &expectation->constants, operation, &expectation->time, error) : 0;
}

static bool judge_trial(advice_trial *trial) {
    if (judge(&trial->machine, &trial->operation, &trial->verdict, &trial->expectation, NULL) ||
        !(trial->verdict.seconds > 0))
        return false;
    trial->work = work_of(trial);
    trial->speedup = trial->work * trial->question->verdict.seconds / trial->verdict.seconds;
    trial->bound = trial->verdict.bound;
    return true;
}

static int advise(const roof_engine *engine, const roof_machine *machine, const roof_operation *operation,
                  const roof_machine *others, size_t other_count, roof_advice *out, roof_error *error) {
    advice_question question = {.machine = machine,
                                .operation = operation,
                                .shaped = is_shaped(operation),
                                .math = operation->matrix_dtype,
                                .judge = judge_trial,
                                .because = because,
                                .expectation = advice_expecting(machine, engine)};
    if (judge(machine, operation, &question.verdict, &question.expectation, error))
        return -1;
    if (!(question.verdict.seconds > 0))
        return roof_fail(error, ROOF_EARGUMENT, "%s has no work, so nothing can be compared with it",
                         operation->name ? operation->name : roof_kind_name(operation->kind));
    question.bound = question.verdict.bound;
    question.link_bytes = operation->link_bytes;
    advice_list list = {.out = out};
    return trial_all(&question, ideas, sizeof ideas / sizeof *ideas, others, other_count, &list);
}

int roof_advise_operation(const roof_machine *machine, const roof_operation *operation, const roof_machine *others,
                          size_t other_count, roof_advice out[ROOF_ADVICE_MAX], roof_error *error) {
    return advise(NULL, machine, operation, others, other_count, out, error);
}

int roof_advise_operation_in(roof_engine engine, const roof_machine *machine, const roof_operation *operation,
                             const roof_machine *others, size_t other_count, roof_advice out[ROOF_ADVICE_MAX],
                             roof_error *error) {
    return advise(&engine, machine, operation, others, other_count, out, error);
}
