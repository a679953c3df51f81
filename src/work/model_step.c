/* One prefill or decode step: embedding, layers, head; built, and judged when asked. docs/model.md, "A step". */
#include "work/model.h"
#include "work/ops.h"

/* Rows that are looked up beside a token's own: its position, its type. */
static double second_rows(const roof_model *model) {
    return (model->positions > 0) + (model->token_types > 0);
}

/* One row of the table (and of the positions) a token; a table split over devices leaves sums to add up. An encoder
 * with no table of its own reads its owner's. */
static void embedding(step *s) {
    const roof_model *model = s->model, *table_of = model->vocab > 0 ? model : s->owner;
    const roof_plan *plan = s->plan;
    roof_format own;
    const roof_format *table = model_embedding(table_of, plan, &own);
    double width = embedding_width(table_of), size = dtype_bytes(plan->activations), second = second_rows(model);
    roof_operation *operation = slot(s);
    work_embedding(operation, s->tokens, width, table->dtype, plan->activations);
    double row = roof_format_bytes(table, 1, width);
    if (second > 0) {
        row += second * roof_format_bytes(table, 1, model->hidden);
        operation->vector_flops = second * s->tokens * model->hidden;
    }
    work_bytes(operation, s->tokens * (row + width * size));
    operation->at_least = table->unknown;
    step_done(s, operation, "embedding");
    if (width != model->hidden) {
        linear how = {.format = table, .math = plan->activations, .input = plan->activations};
        step_linear(s, "embedding", &how, s->tokens, model->hidden, width, false);
    }
    step_all_reduce(s);
}

/* Rows made by convolutions or patches instead; positions are added to them. */
static void front(step *s) {
    const roof_model *model = s->model;
    step_projections(s, model->front, model->front_count);
    if (second_rows(model) > 0)
        step_elementwise(s, "positions", s->tokens * model->hidden, 1 + second_rows(model), second_rows(model));
}

/* Logits of the last position of each sequence, or of every position asked for. */
static void head(step *s) {
    const roof_model *model = s->model;
    double rows = s->tokens, width = embedding_width(model);
    if (s->phase == ROOF_PHASE_PREFILL && !s->plan->all_logits)
        rows = s->plan->batch;
    if (width != model->hidden) {
        roof_format own;
        linear how = {.format = model_embedding(model, s->plan, &own),
                      .math = s->plan->activations,
                      .input = s->plan->activations};
        step_linear(s, "lm_head", &how, rows, width, model->hidden, false);
    }
    linear how;
    model_head(model, s->plan, &how);
    step_linear(s, "lm_head", &how, rows, share(model->vocab, s->tensor), width, model->head_bias);
}

static void walk(step *s) {
    const roof_model *model = s->model;
    s->count = 1;
    s->loose = model->vectors;
    if (model->front_count > 0)
        front(s);
    else
        embedding(s);
    s->count = larger(model->extra_norms, 1); /* norms of the embedding, and the first layer's own */
    step_norm(s);
    for (size_t i = 0; i < model->layer_count; i++) {
        s->layer = &model->layers[i];
        s->count = s->layer->count;
        s->loose = s->count > 0 ? s->layer->vectors : 0;
        if (s->count > 0)
            step_layer(s);
    }
    s->count = 1;
    step_streams_end(s);
    step_projections(s, model->back, model->back_count);
    if (!model->headless && model->vocab > 0)
        head(s);
}

/* Sequences and tokens of a phase: those of an encoder or a tower are the source's and the images'. */
static void measure(step *s, const roof_plan *plan) {
    s->sequences = plan->batch;
    s->cached = s->phase == ROOF_PHASE_PREFILL || s->phase == ROOF_PHASE_DECODE;
    switch (s->phase) {
    case ROOF_PHASE_DECODE:
        s->q_len = 1 + plan->draft;
        s->kv_len = plan->context + plan->draft;
        break;
    case ROOF_PHASE_ENCODE:
        s->q_len = s->kv_len = plan->source;
        break;
    case ROOF_PHASE_VISION:
        s->sequences *= plan->images;
        s->q_len = s->kv_len = plan->patches;
        break;
    default:
        s->q_len = s->kv_len = plan->prompt;
    }
    s->tokens = s->sequences * s->q_len;
}

static void begin(step *s, const roof_model *model, const roof_plan *plan, roof_phase phase) {
    s->owner = model;
    s->model = phase_model(model, phase);
    s->plan = plan;
    s->phase = phase;
    s->stored = model_stored(s->model ? s->model : model, plan);
    s->tensor = plan->tensor;
    s->out = NULL;
    s->capacity = s->emitted = 0;
    s->machine = NULL;
    s->visit = NULL;
    s->tally = NULL;
    s->failed = false;
    measure(s, plan);
}

size_t roof_model_operations(const roof_model *model, const roof_plan *plan, roof_phase phase, roof_operation *out,
                             size_t capacity) {
    step s;
    begin(&s, model, plan, phase);
    s.out = out;
    s.capacity = out ? capacity : 0;
    if (s.model)
        walk(&s);
    return s.emitted;
}

roof_dtype roof_model_math(const roof_model *model, const roof_plan *plan) {
    double tally[ROOF_DTYPE_COUNT] = {0};
    roof_dtype most = plan->activations;
    step s;
    begin(&s, model, plan, roof_model_has_phase(model, ROOF_PHASE_PREFILL) ? ROOF_PHASE_PREFILL : ROOF_PHASE_ENCODE);
    s.tally = tally;
    if (s.model)
        walk(&s);
    for (int i = ROOF_DTYPE_NONE + 1; i < ROOF_DTYPE_COUNT; i++)
        if (tally[i] > tally[roof_dtype_math(most)])
            most = (roof_dtype)i;
    return most;
}

static int out_of_range(const char *name, double value, roof_error *error) {
    return roof_fail(error, ROOF_EARGUMENT, "%s is %g: it must be at least 1", name, value);
}

static bool in_range(double value) {
    return value >= 1 && value <= 1e15;
}

static int no_phase(const roof_model *model, roof_phase phase, roof_error *error) {
    if (phase == ROOF_PHASE_VISION)
        return roof_fail(error, ROOF_EARGUMENT, "the model has no vision tower that can be judged");
    if (!model->bidirectional)
        return roof_fail(error, ROOF_EARGUMENT, "the model has no encoder");
    return roof_fail(error, ROOF_EARGUMENT, "the model is an encoder: it has no %s", roof_phase_name(phase));
}

static int check_tokens(const roof_plan *plan, roof_phase phase, roof_error *error) {
    if (phase == ROOF_PHASE_ENCODE)
        return in_range(plan->source) ? 0 : out_of_range("source", plan->source, error);
    if (phase == ROOF_PHASE_VISION && !in_range(plan->images))
        return out_of_range("images", plan->images, error);
    if (phase == ROOF_PHASE_VISION)
        return in_range(plan->patches) ? 0 : out_of_range("patches", plan->patches, error);
    if (!in_range(plan->prompt))
        return out_of_range("prompt", plan->prompt, error);
    if (!in_range(plan->context))
        return out_of_range("context", plan->context, error);
    return 0;
}

static int check(const roof_model *model, const roof_plan *plan, roof_phase phase, roof_error *error) {
    const roof_model *walked = phase_model(model, phase);
    if (!walked)
        return no_phase(model, phase, error);
    if (!in_range(plan->batch))
        return out_of_range("batch", plan->batch, error);
    if (check_tokens(plan, phase, error))
        return -1;
    if (model->encoder && !in_range(plan->source))
        return out_of_range("source", plan->source, error);
    if (!(plan->draft >= 0 && plan->draft <= 1e6))
        return roof_fail(error, ROOF_EARGUMENT, "draft is %g: it must be from 0 to 1e6", plan->draft);
    if (!in_range(plan->tensor))
        return out_of_range("tensor degree", plan->tensor, error);
    if (!in_range(walked->hidden) || !in_range(model->vocab))
        return roof_fail(error, ROOF_EARGUMENT, "the model has no hidden width or no vocabulary");
    if (plan->activations == ROOF_DTYPE_NONE || plan->kv_cache == ROOF_DTYPE_NONE)
        return roof_fail(error, ROOF_EARGUMENT, "the plan is not complete: its activations or KV cache have no dtype");
    return 0;
}

int roof_model_judge(const roof_machine *machine, const roof_model *model, const roof_plan *plan, roof_phase phase,
                     roof_sum *sum, roof_error *error) {
    *sum = (roof_sum){0};
    if (check(model, plan, phase, error))
        return -1;
    step s;
    begin(&s, model, plan, phase);
    s.machine = machine;
    s.sum = sum;
    s.error = error;
    walk(&s);
    return s.failed ? -1 : 0;
}

int model_visit(const roof_model *model, const roof_plan *plan, roof_phase phase,
                int (*visit)(void *context, const roof_operation *operation, roof_error *error), void *context,
                roof_error *error) {
    if (check(model, plan, phase, error))
        return -1;
    step s;
    begin(&s, model, plan, phase);
    s.visit = visit;
    s.context = context;
    s.error = error;
    walk(&s);
    return s.failed ? -1 : 0;
}

/* Tokens of one sequence that a phase gets through. */
static double phase_tokens(const roof_plan *plan, roof_phase phase) {
    switch (phase) {
    case ROOF_PHASE_DECODE:
        return model_tokens_a_step(plan);
    case ROOF_PHASE_ENCODE:
        return plan->source;
    case ROOF_PHASE_VISION:
        return plan->images * plan->patches;
    default:
        return plan->prompt;
    }
}

int roof_model_point(const roof_machine *machine, const roof_model *model, const roof_plan *plan, roof_phase phase,
                     roof_point *point, roof_error *error) {
    *point = (roof_point){
        .phase = phase, .batch = plan->batch, .prompt = plan->prompt, .context = plan->context, .tensor = plan->tensor};
    if (roof_model_judge(machine, model, plan, phase, &point->sum, error))
        return -1;
    const roof_sum *sum = &point->sum;
    double tokens = phase_tokens(plan, phase);
    point->bound = roof_sum_bound(sum);
    point->seconds = sum->seconds;
    point->tokens_per_second = sum->seconds > 0 ? plan->batch * tokens / sum->seconds : 0;
    point->intensity = sum->bytes > 0 ? sum->flops / sum->bytes : 0;
    point->attainable = sum->seconds > 0 ? sum->flops / sum->seconds : 0;
    point->memory = roof_model_memory(machine, model, plan);
    return 0;
}
