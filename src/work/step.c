/* The ground of a step: one operation built in a slot, then kept, judged or shown. The layers (layer_*.c) are made of
 * these, and the walk over them (model_step.c) stands above both:
 *
 *     model_step.c  walk -> layer.c  step_layer -> layer_attention.c, layer_mlp.c ... -> step.c  step_linear, step_norm
 * ...
 */
#include "core/judge.h"
#include "work/layer_design.h"
#include "work/ops.h"

static void read_loose(step *s, roof_operation *operation) {
    double bytes = s->loose * dtype_bytes(s->stored);
    operation->weight_bytes += bytes;
    operation->bytes[ROOF_DRAM] += bytes;
    operation->least_bytes += bytes;
    operation->most_bytes += bytes;
    s->loose = 0;
}

void step_done(step *s, roof_operation *operation, const char *name) {
    operation->name = name;
    operation->count = s->count;
    if (s->loose > 0)
        read_loose(s, operation);
    if (s->plan->half_sums && operation->matrix_dtype == ROOF_F16)
        operation->narrow_accumulate = true;
    s->emitted++;
    if (!s->machine && s->tally && operation->weight_bytes > 0)
        s->tally[roof_dtype_math(operation->matrix_dtype)] += operation->matrix_flops * operation->count;
    if (s->visit && !s->failed && s->visit(s->context, operation, s->error))
        s->failed = true;
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
                                 .bias_dtype = s->stored,
                                 .weights = how->format},
              operation);
    operation->sparse = how->sparse;
    step_done(s, operation, name);
}

void step_matrices(step *s, const layer_design *design, const char *name, matrix_kind first, matrix_kind last,
                   double rows) {
    double plain = 0, biased = 0, inputs = 0;
    for (int kind = first; kind <= (int)last; kind++) {
        const layer_matrix *m = design_matrix(design, kind);
        if (!m)
            continue;
        double outputs = m->outputs * m->copies;
        if (m->bias)
            biased += outputs;
        else
            plain += outputs;
        inputs = m->inputs;
    }
    if (!(inputs > 0))
        return;
    linear how;
    model_linear(s->model, s->plan, s->layer, matrix_role(first), &how);
    if (plain > 0)
        step_linear(s, name, &how, rows, plain, inputs, false);
    if (biased > 0)
        step_linear(s, name, &how, rows, biased, inputs, true);
}

roof_operation *step_norm_begin(step *s, bool residual) {
    roof_operation *operation = slot(s);
    roof_norm_kind norm = s->model->norm;
    roof_kind kind = norm == ROOF_NORM_RMS ? ROOF_KIND_RMS_NORM : ROOF_KIND_LAYER_NORM;
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

/* What stands before and behind the layers of an encoder or a vision tower: convolutions and patch embeddings as the
 * GEMM they are, poolers, projectors. docs/model.md, "Encoders". */
void step_projections(step *s, const roof_projection *projections, size_t count) {
    roof_format own;
    linear how = {.format = model_embedding(s->model, s->plan, &own),
                  .math = s->plan->activations,
                  .input = s->plan->activations};
    for (size_t i = 0; i < count; i++) {
        const roof_projection *p = &projections[i];
        double rows = p->rate > 0 ? s->tokens * p->rate : s->sequences;
        step_linear(s, p->name, &how, rows, p->outputs, p->inputs, p->bias);
    }
}
