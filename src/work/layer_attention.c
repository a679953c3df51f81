/* Attention with a cache of keys and values: qkv, attention, o. docs/model.md, "A step". */
#include "work/layer_design.h"
#include "work/ops.h"

/* Names must outlive the operation, so the usual windows are spelt here. */
#define WINDOW(size)                                                                                                   \
    { size, "attention w" #size, "attention c" #size }
static const struct window_name {
    double window;
    const char *sliding, *chunked;
} window_names[] = {
    WINDOW(128),  WINDOW(256),  WINDOW(512),   WINDOW(1024),  WINDOW(2047),  WINDOW(2048),
    WINDOW(4096), WINDOW(8192), WINDOW(16384), WINDOW(32768), WINDOW(65536), WINDOW(131072),
};

static const char *attention_name(const roof_attention_block *block) {
    bool chunked = block->kind == ROOF_ATTENTION_CHUNKED;
    if (!chunked && block->kind != ROOF_ATTENTION_SLIDING)
        return "attention";
    for (size_t i = 0; i < sizeof window_names / sizeof *window_names; i++)
        if (window_names[i].window == block->window)
            return chunked ? window_names[i].chunked : window_names[i].sliding;
    return chunked ? "attention chunk" : "attention window";
}

static bool rotates(const step *s) {
    return !(s->model->positions > 0) && !s->layer->attention.no_rope;
}

static double head_norms(const layer_design *design) {
    return design->vectors[VECTORS_QUERY_NORM] + design->vectors[VECTORS_KEY_NORM];
}

/* Work that a fused kernel does on the way, and the vectors it reads for it. */
static void ride_along(const step *s, const layer_design *design, const attention_widths *w,
                       roof_operation *operation) {
    const roof_attention_block *a = &s->layer->attention;
    double q = w->heads * w->qk, k = a->shared_kv ? 0 : w->kv_heads * w->qk;
    double vectors = head_norms(design), more = 0, flops = 0;
    if (rotates(s))
        flops += FLOPS_ROPE * (q + k);
    flops += FLOPS_RMS_NORM * ((a->q_norm > 0 ? q : 0) + (a->k_norm > 0 ? k : 0));
    if (a->output_gate || a->head_gate) {
        flops += FLOPS_GATED_ACTIVATION * w->out;
        more += s->tokens * (a->output_gate ? w->out : w->heads) * dtype_bytes(s->plan->activations);
    }
    operation->vector_flops += s->tokens * flops;
    if (vectors > 0 || more > 0) {
        vectors *= dtype_bytes(s->stored);
        operation->weight_bytes += vectors;
        work_bytes(operation, operation->bytes[ROOF_DRAM] + vectors + more);
    }
}

static void cache_write(step *s, const attention_widths *w) {
    double elements = s->tokens * w->kv_heads * (w->qk + w->v);
    roof_operation *operation = slot(s);
    work_elementwise(operation, elements, 1, 1, 0, s->plan->activations);
    operation->cache_bytes = elements * dtype_bytes(s->plan->kv_cache);
    work_bytes(operation, elements * dtype_bytes(s->plan->activations) + operation->cache_bytes);
    step_done(s, operation, "cache_write");
}

/* What a fused kernel would have carried along, on its own. */
static void before_eager(step *s, const layer_design *design, const attention_widths *w) {
    double elements = s->tokens * (w->heads + w->kv_heads) * w->qk, norms = head_norms(design);
    if (norms > 0) {
        roof_operation *operation = slot(s);
        work_norm(operation, ROOF_KIND_RMS_NORM, s->tokens * (w->heads + w->kv_heads), w->qk, false,
                  s->plan->activations, ROOF_DTYPE_NONE);
        operation->weight_bytes = norms * dtype_bytes(s->stored);
        work_bytes(operation, operation->bytes[ROOF_DRAM] + operation->weight_bytes);
        step_done(s, operation, "qk_norms");
    }
    if (rotates(s))
        step_elementwise(s, "rope", elements, 1, FLOPS_ROPE);
    if (s->cached && !s->layer->attention.shared_kv)
        cache_write(s, w);
}

static void attend(step *s, const layer_design *design, const attention_widths *w) {
    const roof_attention_block *a = &s->layer->attention;
    const roof_plan *plan = s->plan;
    roof_operation *operation = slot(s);
    roof_attention(
        &(roof_attention_shape){.batch = s->sequences,
                                .heads = w->heads,
                                .kv_heads = w->kv_heads,
                                .q_len = s->q_len,
                                .kv_len = s->kv_len,
                                .qk_width = w->qk,
                                .v_width = w->v,
                                .causal = !s->model->bidirectional,
                                .unfused = plan->eager,
                                .append = !plan->eager && s->cached && !a->shared_kv,
                                .window = a->kind == ROOF_ATTENTION_SLIDING ? a->window : index_window(a, s->kv_len),
                                .chunk = a->kind == ROOF_ATTENTION_CHUNKED ? a->window : 0,
                                .q = plan->activations,
                                .kv = s->cached ? plan->kv_cache : plan->activations,
                                .out = plan->activations},
        operation);
    if (!s->cached)
        operation->cache_bytes = 0;
    if (a->sinks) {
        double sinks = design->vectors[VECTORS_SINKS] * dtype_bytes(s->stored);
        operation->vector_flops += 2 * s->tokens * w->heads; /* one exponential and one add a row */
        operation->weight_bytes += sinks;
        work_bytes(operation, operation->bytes[ROOF_DRAM] + sinks);
    }
    if (!plan->eager)
        ride_along(s, design, w, operation);
    step_done(s, operation, attention_name(a));
}

void step_attention(step *s) {
    const roof_attention_block *a = &s->layer->attention;
    attention_widths w = widths_of(a, s->tensor);
    layer_design design;
    attention_describe(a, s->model->hidden, s->model->hidden, s->tensor, &design);
    step_matrices(s, &design, "qkv", MATRIX_Q, MATRIX_HEAD_GATE, s->tokens);
    step_index_keys(s, &design);
    step_index(s, &design, 1);
    if (s->plan->eager)
        before_eager(s, &design, &w);
    attend(s, &design, &w);
    if (s->plan->eager && (a->output_gate || a->head_gate))
        step_elementwise(s, "gate", s->tokens * w.out, 2, FLOPS_GATED_ACTIVATION);
    step_matrices(s, &design, "o", MATRIX_O, MATRIX_O, s->tokens);
}
