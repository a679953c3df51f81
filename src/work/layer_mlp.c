/* The MLP of a layer: dense, or a router with experts. docs/model.md, "A step" and "Mixture of experts". */
#include "work/layer_design.h"
#include "work/ops.h"

typedef struct mlp_names {
    const char *gated_up, *plain_up, *gated_act, *plain_act, *down;
} mlp_names;

static const mlp_names dense_names = {"gate_up", "up", "swiglu", "activation", "down"};
static const mlp_names shared_names = {"shared_up", "shared_up", "shared_act", "shared_act", "shared_down"};
static const mlp_names expert_names = {"experts_up", "experts_up", "experts_act", "experts_act", "experts_down"};

static void activation(step *s, const mlp_names *names, double elements) {
    bool gated = s->layer->mlp.gated;
    const char *name = gated ? names->gated_act : names->plain_act;
    if (gated && !s->plan->eager) {
        step_elementwise(s, name, elements, 2, FLOPS_GATED_ACTIVATION);
        return;
    }
    step_elementwise(s, name, elements, 1, FLOPS_GATED_ACTIVATION - 1);
    if (gated)
        step_elementwise(s, name, elements, 2, 1);
}

/* `gate`: the kind of the first matrix; those of up and down follow. */
static void feed_forward(step *s, const layer_design *design, const mlp_names *names, matrix_kind gate,
                         matrix_kind down) {
    const layer_matrix *second = design_matrix(design, down);
    if (!second)
        return;
    step_matrices(s, design, s->layer->mlp.gated ? names->gated_up : names->plain_up, gate, (matrix_kind)(gate + 1),
                  s->tokens);
    activation(s, names, s->tokens * second->inputs);
    step_matrices(s, design, names->down, down, down, s->tokens);
}

/* One matrix [hidden] -> [experts], the shared expert's gate beside it; softmax over its outputs. */
static void router(step *s, const layer_design *design) {
    const roof_mlp_block *m = &s->layer->mlp;
    linear how;
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_ROUTER, &how);
    roof_operation *operation = slot(s);
    roof_gemm(&(roof_gemm_shape){.batch = 1,
                                 .m = s->tokens,
                                 .n = design_outputs(design, MATRIX_ROUTER, MATRIX_SHARED_GATE),
                                 .k = s->model->hidden,
                                 .a = how.input,
                                 .c = s->plan->activations,
                                 .math = how.math,
                                 .weights = how.format},
              operation);
    operation->vector_flops += s->tokens * m->experts * (FLOPS_SOFTMAX + m->router_bias);
    if (m->router_bias) {
        double bias = m->experts * dtype_bytes(s->stored);
        operation->weight_bytes += bias;
        work_bytes(operation, operation->bytes[ROOF_DRAM] + bias);
    }
    step_done(s, operation, "router");
}

/* One product of each chosen expert with `matrices` of this size: gate and up together, or down. */
static roof_operation *grouped(step *s, const layer_matrix *of, matrix_kind kind, double matrices) {
    const roof_mlp_block *m = &s->layer->mlp;
    linear how;
    model_linear(s->model, s->plan, s->layer, matrix_role(kind), &how);
    roof_operation *operation = slot(s);
    roof_grouped_gemm(&(roof_grouped_gemm_shape){.tokens = s->tokens,
                                                 .experts = m->experts,
                                                 .top_k = m->top_k,
                                                 .n = of->outputs,
                                                 .k = of->inputs,
                                                 .matrices = matrices,
                                                 .touched = s->plan->experts_touched,
                                                 .a = how.input,
                                                 .c = s->plan->activations,
                                                 .math = how.math,
                                                 .bias = of->bias,
                                                 .bias_dtype = s->stored,
                                                 .weights = how.format},
                      operation);
    operation->sparse = how.sparse;
    return operation;
}

/* Experts of a latent width stand behind one matrix into it and before one out of it. */
static void experts(step *s, const layer_design *design) {
    const layer_matrix *up = design_matrix(design, MATRIX_EXPERTS_UP);
    const layer_matrix *down = design_matrix(design, MATRIX_EXPERTS_DOWN);
    if (!up || !down)
        return;
    double routed = s->tokens * up->active;
    step_matrices(s, design, "latent_down", MATRIX_LATENT_IN, MATRIX_LATENT_IN, s->tokens);
    step_done(s, grouped(s, up, MATRIX_EXPERTS_UP, s->layer->mlp.gated ? 2 : 1), expert_names.gated_up);
    activation(s, &expert_names, routed * up->outputs);
    roof_operation *operation = grouped(s, down, MATRIX_EXPERTS_DOWN, 1);
    operation->vector_flops += routed * down->outputs; /* each row times its router weight */
    step_done(s, operation, expert_names.down);
    step_matrices(s, design, "latent_up", MATRIX_LATENT_OUT, MATRIX_LATENT_OUT, s->tokens);
}

/* RWKV: a squared ReLU between two matrices, of a token mixed with the one before; RWKV 6 has a receptance beside it.
 */
static void channel_mix(step *s, const layer_design *design) {
    const roof_mlp_block *m = &s->layer->mlp;
    double hidden = s->model->hidden, mixes = m->gated ? 2 : 1, inner = share(m->width, s->tensor);
    double size = dtype_bytes(s->plan->activations), kept = s->sequences * hidden * size;
    roof_operation *operation = slot(s);
    work_elementwise(operation, s->tokens * hidden, 1, mixes, 3 * mixes, s->plan->activations);
    operation->weight_bytes = design->vectors[VECTORS_SHIFT] * dtype_bytes(s->stored);
    operation->cache_bytes = (s->phase == ROOF_PHASE_DECODE ? 2 : 1) * kept;
    work_bytes(operation, operation->bytes[ROOF_DRAM] + operation->weight_bytes + operation->cache_bytes);
    step_done(s, operation, "shift");
    step_matrices(s, design, dense_names.plain_up, MATRIX_UP, MATRIX_UP, s->tokens);
    step_matrices(s, design, "receptance", MATRIX_RECEPTANCE, MATRIX_RECEPTANCE, s->tokens);
    step_elementwise(s, dense_names.plain_act, s->tokens * inner, 1, 2);
    step_matrices(s, design, dense_names.down, MATRIX_DOWN, MATRIX_DOWN, s->tokens);
    if (m->gated)
        step_elementwise(s, "gate", s->tokens * hidden, 2, FLOPS_GATED_ACTIVATION);
}

void step_mlp(step *s) {
    const roof_mlp_block *m = &s->layer->mlp;
    layer_design design;
    mlp_describe(m, s->model->hidden, s->tensor, &design);
    if (m->kind == ROOF_MLP_CHANNEL_MIX) {
        channel_mix(s, &design);
        return;
    }
    if (m->kind == ROOF_MLP_MOE) {
        router(s, &design);
        experts(s, &design);
        feed_forward(s, &design, &shared_names, MATRIX_SHARED_EXPERT_GATE, MATRIX_SHARED_EXPERT_DOWN);
    }
    feed_forward(s, &design, &dense_names, MATRIX_GATE, MATRIX_DOWN);
    double rows = mlp_rows(m);
    if (s->plan->eager && rows > 1)
        step_elementwise(s, "experts_combine", s->tokens * s->model->hidden, rows, rows - 1);
}
