/* A layer with a state of fixed size: its matrices, and the recurrence with convolution, gate and norms riding along,
 * as RoPE rides with attention. docs/model.md, "State layers". */
#include "work/model.h"
#include "work/ops.h"
#include "work/state.h"

static roof_dtype state_dtype(const roof_state_block *block) {
    return block->dtype != ROOF_DTYPE_NONE ? block->dtype : ROOF_F32;
}

/* In decode the kept inputs are read and written; a prefill only writes them. */
static double shifted_bytes(const step *s, const state_design *d) {
    double passes = s->phase == ROOF_PHASE_DECODE ? 2 : 1;
    return passes * s->sequences * d->shifted * dtype_bytes(s->plan->activations);
}

static void add_bytes(roof_operation *operation, double learned, double cache, double rest) {
    operation->weight_bytes += learned;
    operation->cache_bytes += cache;
    work_bytes(operation, operation->bytes[ROOF_DRAM] + learned + cache + rest);
}

/* Learned vectors of the convolution alone, and of everything else. */
static double conv_vectors(const step *s, const state_design *d) {
    return d->channels * (d->taps + s->layer->state.conv_bias) * dtype_bytes(s->stored);
}

static void convolution(step *s, const state_design *d) {
    roof_operation *operation = slot(s);
    bool silent = !(d->heads > 0);
    double flops = 2 * d->taps + (silent ? 2 : FLOPS_GATED_ACTIVATION - 1);
    work_elementwise(operation, s->tokens * d->channels, silent ? 3 : 1, 1, flops, s->plan->activations);
    add_bytes(operation, conv_vectors(s, d), shifted_bytes(s, d), 0);
    step_done(s, operation, "state_conv");
}

/* Tokens a chunk where nothing is fused: as published with the model, or 64 where the file states none. */
static double chunk_of(const step *s) {
    enum { CHUNK_USUAL = 64 };
    if (!s->plan->eager || s->phase == ROOF_PHASE_DECODE)
        return 0;
    return s->layer->state.chunk > 0 ? s->layer->state.chunk : CHUNK_USUAL;
}

static void recurrence(step *s, const state_design *d, bool conv_done) {
    const roof_plan *plan = s->plan;
    roof_operation *operation = slot(s);
    roof_recurrence(&(roof_recurrence_shape){.batch = s->sequences,
                                             .tokens = s->q_len,
                                             .heads = d->heads,
                                             .key_heads = d->key_heads,
                                             .key_width = d->key_width,
                                             .value_width = d->value_width,
                                             .decay = d->decay,
                                             .delta = d->delta,
                                             .chunk = chunk_of(s),
                                             .resume = s->phase == ROOF_PHASE_DECODE,
                                             .in = plan->activations,
                                             .state = state_dtype(&s->layer->state)},
                    operation);
    double vectors = d->vectors * dtype_bytes(s->stored), gate = s->tokens * d->gate * dtype_bytes(plan->activations);
    if (conv_done)
        add_bytes(operation, vectors - conv_vectors(s, d), 0, gate);
    else
        add_bytes(operation, vectors, shifted_bytes(s, d), gate);
    operation->vector_flops += s->tokens * (d->riding - (conv_done && !d->conv_apart ? conv_flops(d) : 0));
    step_done(s, operation, "state");
}

static void matrices(step *s, const state_design *d, const linear *how, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        const state_matrix *m = &d->matrices[i];
        step_linear(s, m->name, how, s->tokens, m->outputs, m->inputs, m->bias);
    }
}

void step_state(step *s) {
    state_design d;
    linear how;
    state_describe(&s->layer->state, s->model->hidden, s->tensor, &d);
    if (d.count == 0)
        return;
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_STATE, &how);
    bool alone = d.channels > 0 && (s->plan->eager || d.conv_apart || !(d.heads > 0));
    matrices(s, &d, &how, 0, d.before_conv);
    if (alone)
        convolution(s, &d);
    matrices(s, &d, &how, d.before_conv, d.count - 1);
    if (d.heads > 0)
        recurrence(s, &d, alone);
    matrices(s, &d, &how, d.count - 1, d.count);
}

/* Bytes of one sequence's state in one layer. */
double state_bytes(const roof_model *model, const roof_plan *plan, const roof_layer *layer, double tensor) {
    double bytes = 0, activations = roof_dtype_bytes(plan->activations);
    if (layer->mlp.kind == ROOF_MLP_CHANNEL_MIX)
        bytes += model->hidden * activations; /* the token before */
    if (layer->state.kind == ROOF_STATE_NONE)
        return bytes;
    state_design d;
    state_describe(&layer->state, model->hidden, tensor, &d);
    return bytes + d.recurrent * dtype_bytes(state_dtype(&layer->state)) + d.shifted * activations;
}
