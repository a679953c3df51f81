/* Attention of a decoder over the encoder's output. Its keys and values are made once, in the prefill, and stay the
 * same for every token. docs/model.md, "Encoders". */
#include "work/model.h"
#include "work/ops.h"

static double encoder_width(const step *s) {
    return s->model->encoder ? s->model->encoder->hidden : s->model->hidden;
}

/* Keys and values of the whole source, written to the cache. */
static void keys_and_values(step *s, const linear *how, const attention_widths *w) {
    const roof_attention_block *a = &s->layer->cross;
    double rows = s->sequences * s->plan->source, width = encoder_width(s);
    if (a->no_k_bias) {
        step_linear(s, "cross_kv", how, rows, w->kv_heads * w->qk, width, false);
        step_linear(s, "cross_kv", how, rows, w->kv_heads * w->v, width, a->qkv_bias);
    } else {
        step_linear(s, "cross_kv", how, rows, w->kv_out, width, a->qkv_bias);
    }
}

static void attend(step *s, const attention_widths *w) {
    const roof_attention_block *a = &s->layer->cross;
    const roof_plan *plan = s->plan;
    roof_operation *operation = slot(s);
    roof_attention(&(roof_attention_shape){.batch = s->sequences,
                                           .heads = w->heads,
                                           .kv_heads = w->kv_heads,
                                           .q_len = s->q_len,
                                           .kv_len = plan->source,
                                           .qk_width = w->qk,
                                           .v_width = w->v,
                                           .unfused = plan->eager,
                                           .q = plan->activations,
                                           .kv = plan->kv_cache,
                                           .out = plan->activations},
                   operation);
    /* Keys are normed when they are made. */
    bool makes = s->phase == ROOF_PHASE_PREFILL && a->k_norm > 0;
    double vectors = (a->q_norm + (makes ? a->k_norm : 0)) * dtype_bytes(s->stored);
    if (vectors > 0) {
        double keys = makes ? s->sequences * plan->source * w->kv_heads : 0;
        operation->vector_flops += FLOPS_RMS_NORM * (s->tokens * w->heads + keys) * w->qk;
        operation->weight_bytes += vectors;
        work_bytes(operation, operation->bytes[ROOF_DRAM] + vectors);
    }
    step_done(s, operation, "cross_attention");
}

void step_cross(step *s) {
    const roof_attention_block *a = &s->layer->cross;
    attention_widths w = widths_of(a, s->tensor);
    linear how;
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_QKV, &how);
    if (s->phase == ROOF_PHASE_PREFILL)
        keys_and_values(s, &how, &w);
    step_linear(s, "cross_q", &how, s->tokens, w.q_out, s->model->hidden, a->qkv_bias);
    attend(s, &w);
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_OUTPUT, &how);
    step_linear(s, "cross_o", &how, s->tokens, s->model->hidden, w.out, a->output_bias);
}
