/* The MLP of a layer: dense, or a router with experts. docs/model.md, "A step" and "Mixture of experts". */
#include "work/model.h"
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

static void feed_forward(step *s, roof_role role, const mlp_names *names, double width) {
    const roof_mlp_block *m = &s->layer->mlp;
    double hidden = s->model->hidden, inner = share(width, s->tensor);
    linear how;
    model_linear(s->model, s->plan, s->layer, role, &how);
    step_linear(s, m->gated ? names->gated_up : names->plain_up, &how, s->tokens, (m->gated ? 2 : 1) * inner, hidden,
                m->bias);
    activation(s, names, s->tokens * inner);
    step_linear(s, names->down, &how, s->tokens, hidden, inner, m->bias);
}

/* One matrix [hidden] -> [experts], the shared expert's gate beside it; softmax over its outputs. */
static void router(step *s) {
    const roof_mlp_block *m = &s->layer->mlp;
    linear how;
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_ROUTER, &how);
    roof_operation *operation = slot(s);
    roof_gemm(&(roof_gemm_shape){.batch = 1,
                                 .m = s->tokens,
                                 .n = m->experts + m->shared_gate,
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

static roof_operation *grouped(step *s, const linear *how, double outputs, double inputs, double matrices) {
    const roof_mlp_block *m = &s->layer->mlp;
    roof_operation *operation = slot(s);
    roof_grouped_gemm(&(roof_grouped_gemm_shape){.tokens = s->tokens,
                                                 .experts = m->experts,
                                                 .top_k = m->top_k,
                                                 .n = outputs,
                                                 .k = inputs,
                                                 .matrices = matrices,
                                                 .touched = s->plan->experts_touched,
                                                 .a = how->input,
                                                 .c = s->plan->activations,
                                                 .math = how->math,
                                                 .bias = m->bias,
                                                 .weights = how->format},
                      operation);
    operation->sparse = how->sparse;
    return operation;
}

static void experts(step *s) {
    const roof_mlp_block *m = &s->layer->mlp;
    double hidden = s->model->hidden, inner = share(m->width, s->tensor), routed = s->tokens * m->top_k;
    linear how;
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_EXPERTS, &how);
    step_done(s, grouped(s, &how, inner, hidden, m->gated ? 2 : 1), expert_names.gated_up);
    activation(s, &expert_names, routed * inner);
    roof_operation *down = grouped(s, &how, hidden, inner, 1);
    down->vector_flops += routed * hidden; /* each row times its router weight */
    step_done(s, down, expert_names.down);
}

void step_mlp(step *s) {
    const roof_mlp_block *m = &s->layer->mlp;
    if (m->kind == ROOF_MLP_DENSE)
        feed_forward(s, ROOF_ROLE_MLP, &dense_names, m->width);
    if (m->kind != ROOF_MLP_MOE)
        return;
    router(s);
    experts(s);
    if (m->shared_width > 0)
        feed_forward(s, ROOF_ROLE_SHARED, &shared_names, m->shared_width);
    if (m->dense_width > 0)
        feed_forward(s, ROOF_ROLE_MLP, &dense_names, m->dense_width);
    double rows = mlp_rows(m);
    if (s->plan->eager && rows > 1)
        step_elementwise(s, "experts_combine", s->tokens * s->model->hidden, rows, rows - 1);
}
