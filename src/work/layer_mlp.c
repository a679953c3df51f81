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

static void feed_forward(step *s, roof_role up, const mlp_names *names, double width) {
    const roof_mlp_block *m = &s->layer->mlp;
    double hidden = s->model->hidden, inner = share(width, s->tensor);
    linear how;
    model_linear(s->model, s->plan, s->layer, up, &how);
    step_linear(s, m->gated ? names->gated_up : names->plain_up, &how, s->tokens, (m->gated ? 2 : 1) * inner, hidden,
                m->bias);
    activation(s, names, s->tokens * inner);
    model_linear(s->model, s->plan, s->layer, down_of(up), &how);
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
                                                 .bias_dtype = s->stored,
                                                 .weights = how->format},
                      operation);
    operation->sparse = how->sparse;
    return operation;
}

/* Experts of a latent width stand behind one matrix into it and before one out of it. */
static void latent(step *s, bool into) {
    double width = s->layer->mlp.latent_width, hidden = s->model->hidden;
    if (!(width > 0))
        return;
    linear how;
    model_linear(s->model, s->plan, s->layer, into ? ROOF_ROLE_SHARED_UP : ROOF_ROLE_SHARED_DOWN, &how);
    step_linear(s, into ? "latent_down" : "latent_up", &how, s->tokens, into ? width : hidden, into ? hidden : width,
                false);
}

static void experts(step *s) {
    const roof_mlp_block *m = &s->layer->mlp;
    double hidden = m->latent_width > 0 ? m->latent_width : s->model->hidden, inner = share(m->width, s->tensor);
    double routed = s->tokens * m->top_k;
    linear how;
    latent(s, true);
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_EXPERTS_UP, &how);
    step_done(s, grouped(s, &how, inner, hidden, m->gated ? 2 : 1), expert_names.gated_up);
    activation(s, &expert_names, routed * inner);
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_EXPERTS_DOWN, &how);
    roof_operation *down = grouped(s, &how, hidden, inner, 1);
    down->vector_flops += routed * hidden; /* each row times its router weight */
    step_done(s, down, expert_names.down);
    latent(s, false);
}

/* RWKV: a squared ReLU between two matrices, of a token mixed with the one before; RWKV 6 has a receptance beside it.
 */
static void channel_mix(step *s) {
    const roof_mlp_block *m = &s->layer->mlp;
    double hidden = s->model->hidden, inner = share(m->width, s->tensor), mixes = m->gated ? 2 : 1;
    double size = dtype_bytes(s->plan->activations), kept = s->sequences * hidden * size;
    linear how;
    roof_operation *operation = slot(s);
    work_elementwise(operation, s->tokens * hidden, 1, mixes, 3 * mixes, s->plan->activations);
    operation->weight_bytes = mixes * hidden * dtype_bytes(s->stored);
    operation->cache_bytes = (s->phase == ROOF_PHASE_DECODE ? 2 : 1) * kept;
    work_bytes(operation, operation->bytes[ROOF_DRAM] + operation->weight_bytes + operation->cache_bytes);
    step_done(s, operation, "shift");
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_UP, &how);
    step_linear(s, dense_names.plain_up, &how, s->tokens, inner, hidden, false);
    if (m->gated)
        step_linear(s, "receptance", &how, s->tokens, hidden, hidden, false);
    step_elementwise(s, dense_names.plain_act, s->tokens * inner, 1, 2);
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_DOWN, &how);
    step_linear(s, dense_names.down, &how, s->tokens, hidden, inner, false);
    if (m->gated)
        step_elementwise(s, "gate", s->tokens * hidden, 2, FLOPS_GATED_ACTIVATION);
}

void step_mlp(step *s) {
    const roof_mlp_block *m = &s->layer->mlp;
    if (m->kind == ROOF_MLP_DENSE)
        feed_forward(s, ROOF_ROLE_UP, &dense_names, m->width);
    if (m->kind == ROOF_MLP_CHANNEL_MIX)
        channel_mix(s);
    if (m->kind != ROOF_MLP_MOE)
        return;
    router(s);
    experts(s);
    if (m->shared_width > 0)
        feed_forward(s, ROOF_ROLE_SHARED_UP, &shared_names, m->shared_width);
    if (m->dense_width > 0)
        feed_forward(s, ROOF_ROLE_UP, &dense_names, m->dense_width);
    double rows = mlp_rows(m);
    if (s->plan->eager && rows > 1)
        step_elementwise(s, "experts_combine", s->tokens * s->model->hidden, rows, rows - 1);
}
