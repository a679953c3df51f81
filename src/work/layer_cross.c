/* Attention of a decoder over the encoder's output. Its keys and values are made once, in the prefill, and stay the
 * same for every token. docs/model.md, "Encoders". */
#include "work/layer_design.h"
#include "work/ops.h"

static void attend(step *s, const layer_design *design, const attention_widths *w) {
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
    bool makes = s->phase == ROOF_PHASE_PREFILL && design->vectors[VECTORS_KEY_NORM] > 0;
    double vectors = design->vectors[VECTORS_QUERY_NORM] + (makes ? design->vectors[VECTORS_KEY_NORM] : 0);
    vectors *= dtype_bytes(s->stored);
    if (vectors > 0) {
        double keys = makes ? s->sequences * plan->source * w->kv_heads : 0;
        operation->vector_flops += FLOPS_RMS_NORM * (s->tokens * w->heads + keys) * w->qk;
        operation->weight_bytes += vectors;
        work_bytes(operation, operation->bytes[ROOF_DRAM] + vectors);
    }
    step_done(s, operation, "cross_attention");
}

void step_cross(step *s) {
    const roof_model *encoder = s->model->encoder;
    attention_widths w = widths_of(&s->layer->cross, s->tensor);
    layer_design design;
    attention_describe(&s->layer->cross, s->model->hidden, encoder ? encoder->hidden : s->model->hidden, s->tensor,
                       &design);
    if (s->phase == ROOF_PHASE_PREFILL) /* keys and values of the whole source, written to the cache */
        step_matrices(s, &design, "cross_kv", MATRIX_K, MATRIX_V, s->sequences * s->plan->source);
    step_matrices(s, &design, "cross_q", MATRIX_Q, MATRIX_Q, s->tokens);
    attend(s, &design, &w);
    step_matrices(s, &design, "cross_o", MATRIX_O, MATRIX_O, s->tokens);
}
