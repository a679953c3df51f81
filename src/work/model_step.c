/* One prefill or decode step: embedding, layers, head; built, and judged when asked. docs/model.md, "A step". */
#include "core/judge.h"
#include "work/model.h"
#include "work/ops.h"

void step_done(step *s, roof_operation *operation, const char *name) {
    operation->name = name;
    operation->count = s->count;
    s->emitted++;
    if (!s->machine || s->failed)
        return;
    if (judge_add(s->machine, operation, s->sum, s->error))
        s->failed = true;
}

void step_linear(step *s, const char *name, const linear *how, double rows, double outputs, double inputs, bool bias) {
    roof_operation *operation = slot(s);
    roof_gemm(&(roof_gemm_shape){.batch = 1,
                                 .m = rows,
                                 .n = outputs,
                                 .k = inputs,
                                 .a = how->input,
                                 .c = s->plan->activations,
                                 .math = how->math,
                                 .bias = bias,
                                 .weights = how->format},
              operation);
    operation->sparse = how->sparse;
    step_done(s, operation, name);
}

roof_operation *step_norm_begin(step *s, bool residual) {
    roof_operation *operation = slot(s);
    roof_norm_kind norm = s->model->norm;
    roof_kind kind = norm == ROOF_NORM_RMS ? ROOF_RMS_NORM : ROOF_LAYER_NORM;
    roof_dtype vectors = norm == ROOF_NORM_LAYER_NO_WEIGHT ? ROOF_DTYPE_NONE : s->stored;
    work_norm(operation, kind, s->tokens, s->model->hidden, residual, s->plan->activations, vectors);
    if (norm == ROOF_NORM_LAYER_NO_BIAS) { /* scale without shift: half the vectors of a layer norm */
        operation->weight_bytes /= 2;
        work_bytes(operation, operation->bytes[ROOF_DRAM] - operation->weight_bytes);
    }
    return operation;
}

void step_norm(step *s) {
    step_done(s, step_norm_begin(s, false), "norms");
}

void step_elementwise(step *s, const char *name, double elements, double inputs, double flops) {
    roof_operation *operation = slot(s);
    work_elementwise(operation, elements, inputs, 1, flops, s->plan->activations);
    step_done(s, operation, name);
}

void step_all_reduce(step *s) {
    if (!(s->tensor > 1))
        return;
    roof_operation *operation = slot(s);
    roof_dtype dtype = s->plan->activations;
    work_all_reduce(operation, s->tensor, s->tokens * s->model->hidden * dtype_bytes(dtype), dtype);
    step_done(s, operation, "all-reduce");
}

/* One row of the table (and of the positions) a token; a table split over devices leaves sums to add up. */
static void embedding(step *s) {
    const roof_model *model = s->model;
    const roof_plan *plan = s->plan;
    roof_format own;
    const roof_format *table = model_embedding(model, plan, &own);
    double width = embedding_width(model), size = dtype_bytes(plan->activations);
    roof_operation *operation = slot(s);
    work_embedding(operation, s->tokens, width, table->dtype, plan->activations);
    double row = roof_format_bytes(table, 1, width);
    if (model->positions > 0) {
        row += roof_format_bytes(table, 1, model->hidden);
        operation->vector_flops = s->tokens * model->hidden;
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

/* Logits of the last position of each sequence, or of every position asked for. */
static void head(step *s) {
    const roof_model *model = s->model;
    double rows = s->tokens, width = embedding_width(model);
    if (s->phase == ROOF_PREFILL && !s->plan->all_logits)
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
    embedding(s);
    s->count = larger(model->extra_norms, 1); /* norms of the embedding, and the first layer's own */
    step_norm(s);
    for (size_t i = 0; i < model->layer_count; i++) {
        s->layer = &model->layers[i];
        s->count = s->layer->count;
        if (s->count > 0)
            step_layer(s);
    }
    s->count = 1;
    head(s);
}

static void begin(step *s, const roof_model *model, const roof_plan *plan, roof_phase phase) {
    s->model = model;
    s->plan = plan;
    s->phase = phase;
    s->stored = model_stored(model, plan);
    s->q_len = phase == ROOF_PREFILL ? plan->prompt : 1 + plan->draft;
    s->kv_len = phase == ROOF_PREFILL ? plan->prompt : plan->context + plan->draft;
    s->tokens = plan->batch * s->q_len;
    s->tensor = plan->tensor;
    s->out = NULL;
    s->capacity = s->emitted = 0;
    s->machine = NULL;
    s->failed = false;
}

size_t roof_model_operations(const roof_model *model, const roof_plan *plan, roof_phase phase, roof_operation *out,
                             size_t capacity) {
    step s;
    begin(&s, model, plan, phase);
    s.out = out;
    s.capacity = out ? capacity : 0;
    walk(&s);
    return s.emitted;
}

static int out_of_range(const char *name, double value, roof_error *error) {
    return roof_fail(error, ROOF_EARGUMENT, "%s is %g: it must be at least 1", name, value);
}

static bool in_range(double value) {
    return value >= 1 && value <= 1e15;
}

static int check(const roof_model *model, const roof_plan *plan, roof_error *error) {
    if (!in_range(plan->batch))
        return out_of_range("batch", plan->batch, error);
    if (!in_range(plan->prompt))
        return out_of_range("prompt", plan->prompt, error);
    if (!in_range(plan->context))
        return out_of_range("context", plan->context, error);
    if (!(plan->draft >= 0 && plan->draft <= 1e6))
        return roof_fail(error, ROOF_EARGUMENT, "draft is %g: it must be from 0 to 1e6", plan->draft);
    if (!in_range(plan->tensor))
        return out_of_range("tensor degree", plan->tensor, error);
    if (!in_range(model->hidden) || !in_range(model->vocab))
        return roof_fail(error, ROOF_EARGUMENT, "the model has no hidden width or no vocabulary");
    if (plan->activations == ROOF_DTYPE_NONE || plan->kv_cache == ROOF_DTYPE_NONE)
        return roof_fail(error, ROOF_EARGUMENT, "the plan is not complete: its activations or KV cache have no dtype");
    return 0;
}

int roof_model_judge(const roof_machine *machine, const roof_model *model, const roof_plan *plan, roof_phase phase,
                     roof_sum *sum, roof_error *error) {
    *sum = (roof_sum){0};
    if (check(model, plan, error))
        return -1;
    step s;
    begin(&s, model, plan, phase);
    s.machine = machine;
    s.sum = sum;
    s.error = error;
    walk(&s);
    return s.failed ? -1 : 0;
}

int roof_model_point(const roof_machine *machine, const roof_model *model, const roof_plan *plan, roof_phase phase,
                     roof_point *point, roof_error *error) {
    *point = (roof_point){
        .phase = phase, .batch = plan->batch, .prompt = plan->prompt, .context = plan->context, .tensor = plan->tensor};
    if (roof_model_judge(machine, model, plan, phase, &point->sum, error))
        return -1;
    const roof_sum *sum = &point->sum;
    double tokens = phase == ROOF_PREFILL ? plan->prompt : model_tokens_a_step(plan);
    point->bound = roof_sum_bound(sum);
    point->seconds = sum->seconds;
    point->tokens_per_second = sum->seconds > 0 ? plan->batch * tokens / sum->seconds : 0;
    point->intensity = sum->bytes > 0 ? sum->flops / sum->bytes : 0;
    point->attainable = sum->seconds > 0 ? sum->flops / sum->seconds : 0;
    point->memory = roof_model_memory(machine, model, plan);
    return 0;
}
