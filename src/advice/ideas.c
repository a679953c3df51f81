/* The ideas for a model, one row each. A row changes a copy of the plan or the machine; nothing here states a factor.
 */
#include <math.h>
#include <stdio.h>

#include "advice/driver.h"
#include "advice/ideas.h"
#include "advice/text.h"
#include "work/model.h"

bool advice_fits(const roof_memory *memory) {
    return memory->fits || memory->unknown;
}

static bool saves_weights(const advice_question *question, const roof_plan *changed) {
    roof_parameters before = roof_model_parameters(question->model, question->plan);
    roof_parameters after = roof_model_parameters(question->model, changed);
    return !before.bytes_unknown && after.bytes < 0.99 * before.bytes; /* less is only scales */
}

/* ---- changes ---- */

/* Weight-only: fewer bytes, the multiplication stays as it was. The head goes along, so that a step reads nothing wide;
 * whether anything is left to narrow is asked without it. */
static bool store_weights(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    roof_plan *plan = &trial->plan;
    roof_dtype math = roof_model_math(question->model, question->plan);
    plan->weights = roof_format_plain(idea->dtype);
    if (idea->dtype == ROOF_INT4) /* one 16-bit scale and one 4-bit zero point for 128 inputs */
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

static bool store_cache(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    if (roof_dtype_bits(trial->plan.kv_cache) <= roof_dtype_bits(idea->dtype))
        return false;
    trial->plan.kv_cache = idea->dtype;
    bool steps = question->phase == ROOF_PHASE_PREFILL ||
                 question->phase == ROOF_PHASE_DECODE; /* encoders and towers keep none */
    double context = question->plan->context, now = roof_model_kv_bytes(question->model, question->plan, context);
    return steps && roof_model_kv_bytes(question->model, &trial->plan, context) < now; /* a state has its own dtype */
}

static bool store_both(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    return store_weights(question, idea, trial) && store_cache(question, idea, trial);
}

/* Weights and activations of linear layers multiplied in a narrower dtype, where the machine is faster in it. */
static bool multiply_in(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    roof_dtype now = roof_model_math(question->model, question->plan);
    const roof_figure *before = roof_machine_peak(question->machine, ROOF_MATRIX, now);
    const roof_figure *after = roof_machine_peak(question->machine, ROOF_MATRIX, idea->dtype);
    if (!before || !after || after->value <= before->value || roof_dtype_math(now) == roof_dtype_math(idea->dtype))
        return false;
    roof_plan narrow = trial->plan;
    narrow.weights = roof_format_plain(idea->dtype);
    if (saves_weights(question, &narrow)) {
        trial->plan.weights = narrow.weights;
        trial->plan.weights_head = true;
    }
    trial->plan.math = idea->dtype;
    return true;
}

static bool more_batch(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    trial->plan.batch *= idea->factor;
    return advice_fits(&question->point.memory);
}

/* The batch that just fits, where the one asked for does not or twice as many would not. */
static bool full_batch(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    const roof_memory *memory = &question->point.memory;
    double batch = question->plan->batch, most = memory->batch_max;
    (void)idea;
    if (memory->unknown || most < 1 || most == batch || most >= 2 * batch)
        return false;
    trial->plan.batch = most;
    snprintf(trial->name, sizeof trial->name, "batch %s", advice_number(most).text);
    return true;
}

/* Prompt, answer and context alike, so that memory follows; a token is the least. */
static bool shorten(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    roof_plan *plan = &trial->plan;
    const roof_model *model = question->model;
    double *lengths[] = {&plan->prompt, &plan->generate, &plan->context, &plan->source};
    bool fixed = model->encoder && model->encoder->context_max > 0; /* of the source */
    for (int i = 0; i < (fixed ? 3 : 4); i++)
        *lengths[i] = fmax(1, floor(*lengths[i] * idea->factor));
    if (question->phase == ROOF_PHASE_DECODE) /* a state does not grow with the context */
        return plan->context < question->plan->context && roof_model_kv_bytes_per_token(model, question->plan) > 0;
    if (question->phase == ROOF_PHASE_PREFILL)
        return plan->prompt < question->plan->prompt;
    return question->phase == ROOF_PHASE_ENCODE && plan->source < question->plan->source;
}

static bool fuse(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    (void)idea;
    trial->plan.eager = false;
    return question->plan->eager;
}

/* The other way round, shown where the score matrix makes it dear. */
static bool unfuse(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    (void)idea;
    trial->plan.eager = true;
    return !question->plan->eager && question->phase != ROOF_PHASE_DECODE;
}

static bool fuse_pointwise(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    (void)idea;
    trial->pointwise_free = true;
    return !question->plan->eager;
}

static bool remove_launch(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    (void)idea;
    const roof_figure *launch = &question->machine->launch;
    trial->machine.launch = (roof_figure){0};
    return advice_drop_launches(&trial->expectation) || (launch->origin != ROOF_ORIGIN_UNKNOWN && launch->value > 0);
}

static bool capture(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    (void)idea;
    return advice_capture(&trial->expectation, question->machine);
}

static bool sparsify(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    (void)idea;
    trial->plan.sparse = true;
    roof_dtype math = roof_dtype_math(roof_model_math(question->model, question->plan));
    return !question->plan->sparse && question->machine->sparse[math].origin != ROOF_ORIGIN_UNKNOWN;
}

/* With a draft given: what doing without costs. With an acceptance only: four drafted tokens. */
static bool speculate(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    roof_plan *plan = &trial->plan;
    bool drafted = plan->draft > 0;
    if (question->phase != ROOF_PHASE_DECODE || !(drafted || plan->acceptance > 0))
        return false;
    plan->draft = drafted ? 0 : idea->factor;
    if (drafted)
        snprintf(trial->name, sizeof trial->name, "no speculative decoding");
    return true;
}

static bool split(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    (void)question;
    trial->plan.tensor *= idea->factor;
    snprintf(trial->name, sizeof trial->name, "tensor parallel %s", advice_number(trial->plan.tensor).text);
    return true;
}

/* As many devices as the plan needs, where twice as many are not the answer already. */
static bool split_to_fit(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    double devices = question->point.memory.devices, now = question->plan->tensor;
    if (advice_fits(&question->point.memory) || devices <= 2 * now)
        return false;
    advice_idea row = *idea;
    row.factor = devices / now;
    return split(question, &row, trial);
}

static bool faster_compute(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    (void)question;
    advice_scale_compute(&trial->machine, &trial->rates, idea->factor);
    return true;
}

static bool faster_memory(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    (void)question;
    advice_scale_memory(&trial->machine, &trial->rates, idea->factor);
    return true;
}

static bool faster_link(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    advice_scale_link(&trial->machine, idea->factor);
    return question->point.sum.link_bytes > 0;
}

static bool other_machine(const advice_question *question, const advice_idea *idea, advice_trial *trial) {
    (void)idea;
    advice_name_machine(&trial->machine, trial->name, sizeof trial->name);
    advice_use_machine(&trial->expectation, &trial->machine);
    roof_plan_engine(&trial->machine, trial->expectation.constants.engine, &trial->plan);
    return !advice_same_machine(question->machine, &trial->machine);
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
static void say_bytes(const advice_question *question, const advice_trial *trial, const char *what, double part,
                      char *reason, size_t size) {
    double before = bound_share(&question->point, ROOF_BOUND_COMPUTE),
           after = bound_share(&trial->point, ROOF_BOUND_COMPUTE);
    const char *math = math_name(question, &trial->plan);
    char bytes[64];
    snprintf(bytes, sizeof bytes, "%s %s", advice_percent(part_of(part, question->point.sum.bytes)).text,
             of_what(question));
    if (before > 0.5)
        snprintf(reason, size, "compute binds %s of the time, whatever the bytes; %s %s", advice_percent(before).text,
                 what, bytes);
    else if (after > before + 0.1)
        snprintf(reason, size, "%s %s; then %s compute binds %s of the time", what, bytes, math,
                 advice_percent(after).text);
    else
        snprintf(reason, size, "%s %s", what, bytes);
}

static void because_weights(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    say_bytes(question, trial, "weights are", question->point.sum.weight_bytes, reason, size);
}

static void because_cache(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    say_bytes(question, trial, "the KV cache is", question->point.sum.cache_bytes, reason, size);
}

static void because_both(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    say_bytes(question, trial, "weights and KV cache are",
              question->point.sum.weight_bytes + question->point.sum.cache_bytes, reason, size);
}

static double peak_of(const roof_machine *machine, roof_dtype dtype) {
    const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, dtype);
    return peak ? peak->value : 0;
}

static void because_math(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    roof_dtype before = roof_model_math(question->model, question->plan);
    roof_dtype after = roof_model_math(question->model, &trial->plan);
    snprintf(reason, size, "the %s roof is %s, not %s; compute binds %s of the time, weights are %s %s",
             roof_dtype_name(after), advice_quantity(peak_of(&trial->machine, after), advice_rate_unit(after)).text,
             advice_quantity(peak_of(question->machine, before), advice_rate_unit(before)).text,
             advice_percent(bound_share(&question->point, ROOF_BOUND_COMPUTE)).text,
             advice_percent(part_of(question->point.sum.weight_bytes, question->point.sum.bytes)).text,
             of_what(question));
}

static void because_batch(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    const roof_sum *sum = &question->point.sum;
    double compute = bound_share(&question->point, ROOF_BOUND_COMPUTE);
    (void)trial;
    if (compute > 0.5)
        snprintf(reason, size, "compute binds %s of the time: more sequences bring as much more work",
                 advice_percent(compute).text);
    else
        snprintf(reason, size, "weights are %s %s and serve every sequence at once",
                 advice_percent(part_of(sum->weight_bytes, sum->bytes)).text, of_what(question));
}

static void because_length(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    const roof_sum *sum = &question->point.sum;
    if (question->phase == ROOF_PHASE_DECODE)
        because_cache(question, trial, reason, size);
    else
        snprintf(reason, size, "attention is %s of the FLOPs",
                 advice_percent(part_of(sum->attention_flops, sum->flops)).text);
}

static void because_fused(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    snprintf(reason, size, "%s to memory and back instead of %s", advice_quantity(trial->point.sum.bytes, "B").text,
             advice_quantity(question->point.sum.bytes, "B").text);
}

/* Share of the expected time that the change saves. */
static double expected_saving(const advice_question *question, const advice_trial *trial) {
    return 1 - trial->expectation.time.seconds / question->expectation.time.seconds;
}

static void because_pointwise(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    if (trial->expectation.asked && trial->expectation.time.seconds > 0) {
        snprintf(reason, size,
                 "norms and activations apart from the matrices take %s of the expected time, launches included: at "
                 "most that",
                 advice_percent(expected_saving(question, trial)).text);
        return;
    }
    double saved = question->point.sum.seconds - trial->point.sum.seconds;
    snprintf(reason, size, "norms and activations apart from the matrices take %s of the time: at most that",
             advice_percent(part_of(saved, question->point.sum.seconds)).text);
}

static void because_launch(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    if (question->expectation.asked) {
        advice_say_launches(&question->expectation, reason, size);
        return;
    }
    double saved = question->point.sum.seconds - trial->point.sum.seconds;
    snprintf(reason, size, "launches take %s of the time, %s each",
             advice_percent(part_of(saved, question->point.sum.seconds)).text,
             advice_quantity(question->machine->launch.value, "s").text);
}

static void because_compute(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    const char *phase = roof_phase_name(question->phase);
    const char *math = math_name(question, question->plan);
    double peak = peak_of(question->machine, roof_model_math(question->model, question->plan));
    double bound = bound_share(&question->point, ROOF_BOUND_COMPUTE);
    (void)trial;
    if (bound > 0)
        snprintf(reason, size, "compute binds %s of the time", advice_percent(bound).text);
    else
        snprintf(reason, size, "%s never touches the compute roof: %s of the %s peak", phase,
                 advice_percent(part_of(question->point.attainable, peak)).text, math);
}

static void because_memory(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    (void)trial;
    snprintf(reason, size, "memory binds %s of the time",
             advice_percent(bound_share(&question->point, ROOF_BOUND_MEMORY)).text);
}

static void because_link(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    (void)trial;
    snprintf(reason, size, "the link binds %s of the time",
             advice_percent(bound_share(&question->point, ROOF_BOUND_LINK)).text);
}

static void because_sparse(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    (void)trial;
    roof_dtype math = roof_model_math(question->model, question->plan);
    snprintf(reason, size, "the sparse %s roof is %s and half the weights stay; compute binds %s of the time",
             roof_dtype_name(math),
             advice_quantity(question->machine->sparse[roof_dtype_math(math)].value, advice_rate_unit(math)).text,
             advice_percent(bound_share(&question->point, ROOF_BOUND_COMPUTE)).text);
}

static void because_draft(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    const roof_plan *plan = trial->plan.draft > 0 ? &trial->plan : question->plan;
    snprintf(reason, size, "%s tokens expected of the %s judged in a step; the draft model's own time is not counted",
             advice_number(model_tokens_a_step(plan)).text, advice_number(plan->draft + 1).text);
}

static void because_split(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
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

static void because_machine(const advice_question *question, const advice_trial *trial, char *reason, size_t size) {
    advice_compare_roofs(&trial->machine, question->machine, question->point.bound,
                         roof_model_math(question->model, question->plan), reason, size);
    advice_say_constants(&question->expectation, &trial->expectation, reason, size);
}

/* ---- the table ---- */

const advice_idea advice_ideas[] = {
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
    {.name = "no launch overhead", .change = remove_launch, .reason = because_launch},
    {.name = "captured graph", .change = capture, .reason = because_launch},
    {.name = "half the context", .change = shorten, .reason = because_length, .cost = true, .factor = 0.5},
    {.name = "2:4 sparsity", .change = sparsify, .reason = because_sparse, .cost = true},
    {.name = "speculative decoding", .change = speculate, .reason = because_draft, .factor = 4},
    {.name = "tensor parallel", .change = split, .reason = because_split, .cost = true, .hardware = true, .factor = 2},
    {.name = "tensor parallel to fit", .change = split_to_fit, .reason = because_split, .cost = true, .hardware = true},
    {.name = "2x the FLOP/s",
     .change = faster_compute,
     .reason = because_compute,
     .cost = true,
     .hardware = true,
     .factor = 2},
    {.name = "2x the bandwidth",
     .change = faster_memory,
     .reason = because_memory,
     .cost = true,
     .hardware = true,
     .factor = 2},
    {.name = "2x the link", .change = faster_link, .reason = because_link, .cost = true, .hardware = true, .factor = 2},
};
const size_t advice_idea_count = sizeof advice_ideas / sizeof *advice_ideas;

const advice_idea advice_other_machine = {
    .name = "another machine", .change = other_machine, .reason = because_machine, .cost = true, .hardware = true};
