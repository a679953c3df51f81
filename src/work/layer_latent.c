/* Latent attention: one compressed row a token is cached. Prefill expands it to keys and values; decode multiplies the
 * expansion into queries and outputs instead and attends over the rows themselves. docs/model.md, "Latent attention".
 */
#include "work/layer_design.h"
#include "work/ops.h"

/* The inner norms, and the cache row written on the way. */
static void inner_norms(step *s, const layer_design *design) {
    const roof_attention_block *a = &s->layer->attention;
    double row = a->kv_rank + a->rope_width, size = dtype_bytes(s->plan->activations);
    roof_operation *operation = slot(s);
    work_norm(operation, ROOF_KIND_RMS_NORM, s->tokens, design->vectors[VECTORS_INNER_NORM], false,
              s->plan->activations, s->stored);
    operation->cache_bytes = s->tokens * row * dtype_bytes(s->plan->kv_cache);
    if (!a->no_rope)
        operation->vector_flops += FLOPS_ROPE * s->tokens * a->rope_width;
    work_bytes(operation, operation->bytes[ROOF_DRAM] + s->tokens * a->rope_width * size + operation->cache_bytes);
    step_done(s, operation, "norms");
}

static void attend(step *s, const attention_widths *w, bool absorbed) {
    const roof_attention_block *a = &s->layer->attention;
    const roof_plan *plan = s->plan;
    roof_operation *operation = slot(s);
    roof_attention(&(roof_attention_shape){.batch = s->sequences,
                                           .heads = w->heads,
                                           .kv_heads = absorbed ? 1 : w->kv_heads,
                                           .q_len = s->q_len,
                                           .kv_len = s->kv_len,
                                           .qk_width = absorbed ? a->kv_rank + a->rope_width : w->qk,
                                           .v_width = absorbed ? a->kv_rank : w->v,
                                           .causal = true,
                                           .window = index_window(a, s->kv_len),
                                           .latent = absorbed,
                                           .unfused = plan->eager,
                                           .q = plan->activations,
                                           .kv = absorbed ? plan->kv_cache : plan->activations,
                                           .out = plan->activations},
                   operation);
    if (!a->no_rope)
        operation->vector_flops += FLOPS_ROPE * s->tokens * w->heads * a->rope_width;
    if (!absorbed)
        operation->cache_bytes = 0; /* keys and values come from kv_up, not from the cache */
    step_done(s, operation, "attention");
}

/* One small matrix a head, taken out of kv_up. */
static void absorb(step *s, const char *name, const linear *how, double heads, double outputs, double inputs) {
    roof_operation *operation = slot(s);
    roof_gemm(&(roof_gemm_shape){.batch = heads,
                                 .m = s->tokens,
                                 .n = outputs,
                                 .k = inputs,
                                 .a = how->input,
                                 .c = s->plan->activations,
                                 .math = how->math,
                                 .weights = how->format},
              operation);
    operation->sparse = how->sparse;
    step_done(s, operation, name);
}

void step_latent(step *s) {
    const roof_attention_block *a = &s->layer->attention;
    attention_widths w = widths_of(a, s->tensor);
    layer_design design;
    linear how;
    attention_describe(a, s->model->hidden, s->model->hidden, s->tensor, &design);
    step_matrices(s, &design, "q_down", MATRIX_Q_DOWN, MATRIX_Q_DOWN, s->tokens);
    step_matrices(s, &design, "q_up", MATRIX_Q_UP, MATRIX_Q_UP, s->tokens);
    step_matrices(s, &design, "q", MATRIX_Q, MATRIX_Q, s->tokens);
    step_matrices(s, &design, "kv_down", MATRIX_KV_DOWN, MATRIX_KV_DOWN, s->tokens);
    inner_norms(s, &design);
    step_index_keys(s, &design);
    step_index(s, &design, 1);
    if (s->phase == ROOF_PHASE_PREFILL) {
        step_matrices(s, &design, "kv_up", MATRIX_KV_UP, MATRIX_KV_UP, s->tokens);
        attend(s, &w, false);
    } else {
        model_linear(s->model, s->plan, s->layer, matrix_role(MATRIX_KV_UP), &how);
        absorb(s, "q_absorb", &how, w.heads, a->kv_rank, a->nope_width);
        attend(s, &w, true);
        absorb(s, "v_absorb", &how, w.heads, w.v, a->kv_rank);
    }
    step_matrices(s, &design, "o", MATRIX_O, MATRIX_O, s->tokens);
}
