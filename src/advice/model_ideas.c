/* The ideas for a model, one row each: a row changes a copy of the plan, and nothing here states a factor. Ideas about
 * the machine are those of trial.c. */
#include <math.h>
#include <stdio.h>

#include "advice/model_ideas.h"
#include "advice/text.h"
#include "work/model.h"

bool advice_fits(const roof_memory *memory) {
    return memory->fits || memory->unknown;
}

static const double SCALES_ONLY = 0.99; /* judgement: a format that saves less differs in its scales alone */
static const double MOVED = 0.1;        /* judgement: share of the time that a bound must win to be named */

static bool saves_weights(const advice_question *question, const roof_plan *changed) {
    roof_parameters before = roof_model_parameters(question->model, question->plan);
    roof_parameters after = roof_model_parameters(question->model, changed);
    return !before.bytes_unknown && after.bytes < SCALES_ONLY * before.bytes;
}

/* ---- changes ---- */

/* Weight-only: fewer bytes, the multiplication stays as it was. The head goes along, so that a step reads nothing wide;
 * whether anything is left to narrow is asked without it. */
static bool store_weights(advice_trial *trial) {
    const advice_question *question = trial->question;
    roof_plan *plan = &trial->plan;
    roof_dtype math = roof_model_math(question->model, question->plan);
    plan->weights = roof_format_plain(trial->idea->dtype);
    if (trial->idea->dtype == ROOF_INT4) /* one 16-bit scale and one 4-bit zero point for 128 inputs */
        plan->weights = (roof_format){.name = "int4-g128",
                                      .dtype = ROOF_INT4,
                                      .bits = 4,
                                      .block_rows = 1,
                                      .block_cols = 128,
                                      .scale_bits = 16,
                                      .zero_bits = 4};
    if (!saves_weights(question, plan))
        return false;
    plan->math = math;
    plan->weights_head = true;
    return true;
}

static bool store_cache(advice_trial *trial) {
    const advice_question *question = trial->question;
    if (roof_dtype_bits(trial->plan.kv_cache) <= roof_dtype_bits(trial->idea->dtype))
        return false;
    trial->plan.kv_cache = trial->idea->dtype;
    bool steps = question->phase == ROOF_PHASE_PREFILL ||
                 question->phase == ROOF_PHASE_DECODE; /* encoders and towers keep none */
    double context = question->plan->context, now = roof_model_kv_bytes(question->model, question->plan, context);
    return steps && roof_model_kv_bytes(question->model, &trial->plan, context) < now; /* a state has its own dtype */
}

static bool store_both(advice_trial *trial) {
    return store_weights(trial) && store_cache(trial);
}

/* Weights and activations of linear layers multiplied in a narrower dtype, where the machine is faster in it. */
static bool multiply_in(advice_trial *trial) {
    const advice_question *question = trial->question;
    roof_dtype now = roof_model_math(question->model, question->plan);
    const roof_figure *before = roof_machine_peak(question->machine, ROOF_MATRIX, now);
    const roof_figure *after = roof_machine_peak(question->machine, ROOF_MATRIX, trial->idea->dtype);
    if (!before || !after || after->value <= before->value ||
        roof_dtype_math(now) == roof_dtype_math(trial->idea->dtype))
        return false;
    roof_plan narrow = trial->plan;
    narrow.weights = roof_format_plain(trial->idea->dtype);
    if (saves_weights(question, &narrow)) {
        trial->plan.weights = narrow.weights;
        trial->plan.weights_head = true;
    }
    trial->plan.math = trial->idea->dtype;
    return true;
}

static bool more_batch(advice_trial *trial) {
    const advice_question *question = trial->question;
    trial->plan.batch *= trial->idea->factor;
    return advice_fits(&question->point.memory);
}

/* The batch that just fits, where the one asked for does not or twice as many would not. */
static bool full_batch(advice_trial *trial) {
    const advice_question *question = trial->question;
    const roof_memory *memory = &question->point.memory;
    double batch = question->plan->batch, most = memory->batch_max;
    if (memory->unknown || most < 1 || most == batch || most >= 2 * batch)
        return false;
    trial->plan.batch = most;
    snprintf(trial->name, sizeof trial->name, "batch %s", advice_number(most).text);
    return true;
}

/* Prompt, answer and context alike, so that memory follows; a token is the least. */
static bool shorten(advice_trial *trial) {
    const advice_question *question = trial->question;
    roof_plan *plan = &trial->plan;
    const roof_model *model = question->model;
    double *lengths[] = {&plan->prompt, &plan->generate, &plan->context, &plan->source};
    bool fixed = model->encoder && model->encoder->context_max > 0; /* of the source */
    for (int i = 0; i < (fixed ? 3 : 4); i++)
        *lengths[i] = fmax(1, floor(*lengths[i] * trial->idea->factor));
    if (question->phase == ROOF_PHASE_DECODE) /* a state does not grow with the context */
        return plan->context < question->plan->context && roof_model_kv_bytes_per_token(model, question->plan) > 0;
    if (question->phase == ROOF_PHASE_PREFILL)
        return plan->prompt < question->plan->prompt;
    return question->phase == ROOF_PHASE_ENCODE && plan->source < question->plan->source;
}

static bool fuse(advice_trial *trial) {
    const advice_question *question = trial->question;
    trial->plan.eager = false;
    return question->plan->eager;
}

/* The other way round, shown where the score matrix makes it dear. */
static bool unfuse(advice_trial *trial) {
    const advice_question *question = trial->question;
    trial->plan.eager = true;
    return !question->plan->eager && question->phase != ROOF_PHASE_DECODE;
}

static bool fuse_pointwise(advice_trial *trial) {
    const advice_question *question = trial->question;
    trial->pointwise_free = true;
    return !question->plan->eager;
}

static bool sparsify(advice_trial *trial) {
    const advice_question *question = trial->question;
    trial->plan.sparse = true;
    roof_dtype math = roof_dtype_math(roof_model_math(question->model, question->plan));
    return !question->plan->sparse && question->machine->sparse[math].origin != ROOF_ORIGIN_UNKNOWN;
}

/* With a draft given: what doing without costs. With an acceptance only: four drafted tokens. */
static bool speculate(advice_trial *trial) {
    const advice_question *question = trial->question;
    roof_plan *plan = &trial->plan;
    bool drafted = plan->draft > 0;
    if (question->phase != ROOF_PHASE_DECODE || !(drafted || plan->acceptance > 0))
        return false;
    plan->draft = drafted ? 0 : trial->idea->factor;
    if (drafted)
        snprintf(trial->name, sizeof trial->name, "no speculative decoding");
    return true;
}

static void split_by(advice_trial *trial, double factor) {
    trial->plan.tensor *= factor;
    snprintf(trial->name, sizeof trial->name, "tensor parallel %s", advice_number(trial->plan.tensor).text);
}

static bool split(advice_trial *trial) {
    split_by(trial, trial->idea->factor);
    return true;
}

/* As many devices as the plan needs, where twice as many are not the answer already. */
static bool split_to_fit(advice_trial *trial) {
    const advice_question *question = trial->question;
    double devices = question->point.memory.devices, now = question->plan->tensor;
    if (advice_fits(&question->point.memory) || devices <= 2 * now)
        return false;
    split_by(trial, devices / now);
    return true;
}

/* ---- reasons ---- */

static double part_of(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

static double bound_share(const roof_point *point, roof_bound bound) {
    return part_of(point->sum.bound_seconds[bound], point->sum.seconds);
}

static const char *math_name(const advice_question *question, const roof_plan *plan) {
    return roof_dtype_name(roof_model_math(question->model, plan));
}

static const char *of_what(const advice_question *question) {
    return question->phase == ROOF_PHASE_DECODE ? "of the bytes of a step" : "of the bytes";
}

/* What holds a saving of bytes back: compute that binds already, or binds once the bytes are gone. */
static void say_bytes(const advice_trial *trial, const char *what, double part, char *reason, size_t size) {
    const advice_question *question = trial->question;
    double before = bound_share(&question->point, ROOF_BOUND_COMPUTE),
           after = bound_share(&trial->point, ROOF_BOUND_COMPUTE);
    const char *math = math_name(question, &trial->plan);
    char bytes[64];
    snprintf(bytes, sizeof bytes, "%s %s", advice_percent(part_of(part, question->point.sum.bytes)).text,
             of_what(question));
    if (before > 0.5)
        snprintf(reason, size, "compute binds %s of the time, whatever the bytes; %s %s", advice_percent(before).text,
                 what, bytes);
    else if (after > before + MOVED)
        snprintf(reason, size, "%s %s; then %s compute binds %s of the time", what, bytes, math,
                 advice_percent(after).text);
    else
        snprintf(reason, size, "%s %s", what, bytes);
}

static void because_weights(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    say_bytes(trial, "weights are", question->point.sum.weight_bytes, reason, size);
}

static void because_cache(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    say_bytes(trial, "the KV cache is", question->point.sum.cache_bytes, reason, size);
}

static void because_both(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    say_bytes(trial, "weights and KV cache are", question->point.sum.weight_bytes + question->point.sum.cache_bytes,
              reason, size);
}

static double peak_of(const roof_machine *machine, roof_dtype dtype) {
    const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, dtype);
    return peak ? peak->value : 0;
}

static void because_math(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    roof_dtype before = roof_model_math(question->model, question->plan);
    roof_dtype after = roof_model_math(question->model, &trial->plan);
    snprintf(reason, size, "the %s roof is %s, not %s; compute binds %s of the time, weights are %s %s",
             roof_dtype_name(after), advice_quantity(peak_of(&trial->machine, after), advice_rate_unit(after)).text,
             advice_quantity(peak_of(question->machine, before), advice_rate_unit(before)).text,
             advice_percent(bound_share(&question->point, ROOF_BOUND_COMPUTE)).text,
             advice_percent(part_of(question->point.sum.weight_bytes, question->point.sum.bytes)).text,
             of_what(question));
}

static void because_batch(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    const roof_sum *sum = &question->point.sum;
    double compute = bound_share(&question->point, ROOF_BOUND_COMPUTE);
    if (compute > 0.5)
        snprintf(reason, size, "compute binds %s of the time: more sequences bring as much more work",
                 advice_percent(compute).text);
    else
        snprintf(reason, size, "weights are %s %s and serve every sequence at once",
                 advice_percent(part_of(sum->weight_bytes, sum->bytes)).text, of_what(question));
}

static void because_length(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    const roof_sum *sum = &question->point.sum;
    if (question->phase == ROOF_PHASE_DECODE)
        because_cache(trial, reason, size);
    else
        snprintf(reason, size, "attention is %s of the FLOPs",
                 advice_percent(part_of(sum->attention_flops, sum->flops)).text);
}

static void because_fused(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    snprintf(reason, size, "%s to memory and back instead of %s", advice_quantity(trial->point.sum.bytes, "B").text,
             advice_quantity(question->point.sum.bytes, "B").text);
}

/* Share of the expected time that the change saves. */
static double expected_saving(const advice_trial *trial) {
    const advice_question *question = trial->question;
    return 1 - trial->expectation.time.seconds / question->expectation.time.seconds;
}

static void because_pointwise(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    if (trial->expectation.asked && trial->expectation.time.seconds > 0) {
        snprintf(reason, size,
                 "norms and activations apart from the matrices take %s of the expected time, launches included: at "
                 "most that",
                 advice_percent(expected_saving(trial)).text);
        return;
    }
    double saved = question->point.sum.seconds - trial->point.sum.seconds;
    snprintf(reason, size, "norms and activations apart from the matrices take %s of the time: at most that",
             advice_percent(part_of(saved, question->point.sum.seconds)).text);
}

static void because_sparse(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    roof_dtype math = roof_model_math(question->model, question->plan);
    snprintf(reason, size, "the sparse %s roof is %s and half the weights stay; compute binds %s of the time",
             roof_dtype_name(math),
             advice_quantity(question->machine->sparse[roof_dtype_math(math)].value, advice_rate_unit(math)).text,
             advice_percent(bound_share(&question->point, ROOF_BOUND_COMPUTE)).text);
}

static void because_draft(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    const roof_plan *plan = trial->plan.draft > 0 ? &trial->plan : question->plan;
    snprintf(reason, size, "%s tokens expected of the %s judged in a step; the draft model's own time is not counted",
             advice_number(model_tokens_a_step(plan)).text, advice_number(plan->draft + 1).text);
}

static void because_split(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    double devices = trial->plan.tensor / question->plan->tensor;
    double expected = advice_expected_factor(&question->expectation, &trial->expectation, trial->work);
    if (expected > 0) {
        snprintf(reason, size, "%.2fx per device on %s times the devices; collectives take %s of the expected time",
                 expected / devices, advice_number(devices).text,
                 advice_percent(advice_collectives(&trial->expectation)).text);
        return;
    }
    snprintf(reason, size, "%.2fx per device on %s times the devices; the link binds %s of the time",
             trial->speedup / devices, advice_number(devices).text,
             advice_percent(bound_share(&trial->point, ROOF_BOUND_LINK)).text);
}

/* ---- the words of a faster machine ---- */

static void say_compute(const advice_trial *trial, char *reason, size_t size) {
    const advice_question *question = trial->question;
    double peak = peak_of(question->machine, question->math), bound = bound_share(&question->point, ROOF_BOUND_COMPUTE);
    if (bound > 0)
        snprintf(reason, size, "compute binds %s of the time", advice_percent(bound).text);
    else
        snprintf(reason, size, "%s never touches the compute roof: %s of the %s peak", roof_phase_name(question->phase),
                 advice_percent(part_of(question->point.attainable, peak)).text, roof_dtype_name(question->math));
}

static void say_launch(const advice_trial *trial, char *reason, size_t size) {
    const roof_sum *before = &trial->question->point.sum;
    snprintf(reason, size, "kernel launch overhead is %s of the time, %s each",
             advice_percent(part_of(before->seconds - trial->point.sum.seconds, before->seconds)).text,
             advice_quantity(trial->question->machine->launch.value, "s").text);
}

void model_because(const advice_trial *trial, roof_bound faster, char *reason, size_t size) {
    if (faster == ROOF_BOUND_COMPUTE)
        say_compute(trial, reason, size);
    else if (faster == ROOF_BOUND_LATENCY)
        say_launch(trial, reason, size);
    else
        snprintf(reason, size, "%s binds %s of the time", faster == ROOF_BOUND_LINK ? "the link" : "memory",
                 advice_percent(bound_share(&trial->question->point, faster)).text);
}

/* ---- the table ---- */

const advice_idea model_ideas[] = {
    {.name = "2x batch", .change = more_batch, .reason = because_batch, .factor = 2},
    {.name = "largest batch", .change = full_batch, .reason = because_batch},
    {.name = "fp8 weights", .change = store_weights, .reason = because_weights, .cost = true, .dtype = ROOF_FP8},
    {.name = "int8 weights", .change = store_weights, .reason = because_weights, .cost = true, .dtype = ROOF_INT8},
    {.name = "int4 weights", .change = store_weights, .reason = because_weights, .cost = true, .dtype = ROOF_INT4},
    {.name = "fp8 KV cache", .change = store_cache, .reason = because_cache, .cost = true, .dtype = ROOF_FP8},
    {.name = "fp8 KV cache and weights", .change = store_both, .reason = because_both, .cost = true, .dtype = ROOF_FP8},
    {.name = "fp8 weights and math", .change = multiply_in, .reason = because_math, .cost = true, .dtype = ROOF_FP8},
    {.name = "int8 weights and math", .change = multiply_in, .reason = because_math, .cost = true, .dtype = ROOF_INT8},
    {.name = "nvfp4 weights and math",
     .change = multiply_in,
     .reason = because_math,
     .cost = true,
     .dtype = ROOF_NVFP4},
    {.name = "fused operations", .change = fuse, .reason = because_fused},
    {.name = "nothing fused", .change = unfuse, .reason = because_fused},
    {.name = "fused norms and activations", .change = fuse_pointwise, .reason = because_pointwise},
    {.name = "half the context", .change = shorten, .reason = because_length, .cost = true, .factor = 0.5},
    {.name = "2:4 sparsity", .change = sparsify, .reason = because_sparse, .cost = true},
    {.name = "speculative decoding", .change = speculate, .reason = because_draft, .factor = 4},
    {.name = "tensor parallel", .change = split, .reason = because_split, .cost = true, .hardware = true, .factor = 2},
    {.name = "tensor parallel to fit", .change = split_to_fit, .reason = because_split, .cost = true, .hardware = true},
};
const size_t model_idea_count = sizeof model_ideas / sizeof *model_ideas;
