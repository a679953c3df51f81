/* DeepSeek V4: attention over a short window and over summaries of everything before it, each row key and value at
 * once; and several residual streams mixed around every block. docs/model.md, "Compressed attention". */
#include "work/layer_design.h"
#include "work/ops.h"

/* The inner norms, the row written to the cache, and every `compress` tokens a summary of them. */
static void rows(step *s, const layer_design *design) {
    const roof_attention_block *a = &s->layer->attention;
    double size = dtype_bytes(s->plan->activations), kv = dtype_bytes(s->plan->kv_cache);
    roof_operation *operation = slot(s);
    work_norm(operation, ROOF_KIND_RMS_NORM, s->tokens, design->vectors[VECTORS_INNER_NORM], false,
              s->plan->activations, s->stored);
    double cache = a->head_width * kv, more = -a->head_width * size; /* the row is written to the cache instead */
    operation->vector_flops += FLOPS_ROPE * s->tokens * a->rope_width;
    if (a->compress > 0) {
        double series = design_outputs(design, MATRIX_SUMMARY, MATRIX_INDEX_SUMMARY);
        cache += (a->head_width * kv + index_row_bytes(a)) / a->compress;
        more += series * size;
        operation->vector_flops += s->tokens * series / 2 * (FLOPS_SOFTMAX + 2);
        operation->weight_bytes += design->vectors[VECTORS_SUMMARY] * dtype_bytes(s->stored);
    }
    operation->cache_bytes = s->tokens * cache;
    work_bytes(operation, 2 * s->tokens * (a->q_rank + a->head_width) * size + operation->weight_bytes +
                              s->tokens * (cache + more));
    step_done(s, operation, "norms");
}

/* The window, then the summaries: more keys of the same attention. */
static void attend(step *s, double heads) {
    const roof_attention_block *a = &s->layer->attention;
    const roof_plan *plan = s->plan;
    roof_operation *operation = slot(s);
    roof_attention(&(roof_attention_shape){.batch = s->sequences,
                                           .heads = heads,
                                           .kv_heads = 1,
                                           .q_len = s->q_len,
                                           .kv_len = s->kv_len,
                                           .qk_width = a->head_width,
                                           .v_width = a->head_width,
                                           .window = a->window,
                                           .causal = true,
                                           .latent = true,
                                           .unfused = plan->eager,
                                           .q = plan->activations,
                                           .kv = plan->kv_cache,
                                           .out = plan->activations},
                   operation);
    operation->vector_flops += 2 * FLOPS_ROPE * s->tokens * heads * a->rope_width + 2 * s->tokens * heads;
    operation->weight_bytes += heads * dtype_bytes(s->stored); /* sinks */
    double more = operation->weight_bytes;
    if (a->compress > 0) {
        double keys = floor(s->kv_len / a->compress), seen = index_window(a, keys);
        double pairs = s->sequences * heads * compressed_pairs(s->q_len, s->kv_len, a->compress, seen);
        double read = seen > 0 ? fmin(keys, seen * s->q_len) : keys;
        double cache = s->sequences * read * a->head_width * dtype_bytes(plan->kv_cache);
        operation->matrix_flops += 4 * pairs * a->head_width;
        operation->vector_flops += FLOPS_SOFTMAX * pairs;
        operation->cache_bytes += cache;
        more += cache;
    }
    work_bytes(operation, operation->bytes[ROOF_DRAM] + more);
    step_done(s, operation, "attention");
}

/* Each group of heads has a matrix of its own into a narrow row. */
static void output(step *s, const layer_design *design) {
    const layer_matrix *down = design_matrix(design, MATRIX_O_DOWN);
    linear how;
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_OUTPUT, &how);
    roof_operation *operation = slot(s);
    roof_gemm(&(roof_gemm_shape){.batch = down ? down->copies : 0,
                                 .m = s->tokens,
                                 .n = down ? down->outputs : 0,
                                 .k = down ? down->inputs : 0,
                                 .a = how.input,
                                 .c = s->plan->activations,
                                 .math = how.math,
                                 .weights = how.format},
              operation);
    operation->sparse = how.sparse;
    step_done(s, operation, "o_down");
    step_matrices(s, design, "o", MATRIX_O, MATRIX_O, s->tokens);
}

void step_compressed(step *s) {
    const roof_attention_block *a = &s->layer->attention;
    layer_design design;
    attention_describe(a, s->model->hidden, s->model->hidden, s->tensor, &design);
    step_matrices(s, &design, "qkv", MATRIX_Q_DOWN, MATRIX_INDEX_SUMMARY, s->tokens);
    rows(s, &design);
    step_matrices(s, &design, "q_up", MATRIX_Q_UP, MATRIX_Q_UP, s->tokens);
    step_index(s, &design, a->compress);
    attend(s, share(a->heads, s->tensor));
    output(s, &design);
}

double stream_mix(double streams) {
    return streams > 1 ? (2 + streams) * streams : 0;
}

/* What each stream gives to the next block, takes from this one and from the others comes from one small matrix. A
 * fused kernel still has the streams it just wrote. */
static void weigh(step *s, double outputs, double scales) {
    double inputs = s->model->streams * s->model->hidden;
    roof_format own = roof_format_plain(s->stored);
    roof_operation *operation = slot(s);
    roof_gemm(&(roof_gemm_shape){.batch = 1,
                                 .m = s->tokens,
                                 .n = outputs,
                                 .k = inputs,
                                 .a = s->plan->activations,
                                 .c = s->plan->activations,
                                 .math = s->plan->activations,
                                 .bias = true,
                                 .bias_dtype = s->stored,
                                 .weights = &own},
              operation);
    scales *= dtype_bytes(s->stored);
    operation->weight_bytes += scales;
    work_bytes(operation, operation->bytes[ROOF_DRAM] + scales);
    if (!s->plan->eager)
        work_bytes(operation, operation->bytes[ROOF_DRAM] - s->tokens * inputs * dtype_bytes(s->plan->activations));
    step_done(s, operation, "streams");
}

/* `read` rows a token become `written`, each a sum over the streams. */
static void mix(step *s, double read, double written) {
    roof_operation *operation = slot(s);
    double flops = 2 * s->model->streams * written;
    work_elementwise(operation, s->tokens * s->model->hidden, read, written, flops, s->plan->activations);
    step_done(s, operation, "streams");
}

void step_streams(step *s, double branches) {
    double streams = s->model->streams, elements = s->tokens * s->model->hidden;
    double read = streams + branches, written = streams + 1;
    weigh(s, stream_mix(streams), 3);
    if (s->plan->eager) {
        mix(s, read, written);
        step_norm(s);
        return;
    }
    roof_operation *operation = step_norm_begin(s, false); /* the mixture for the next block is normed on the way */
    operation->vector_flops += 2 * streams * written * elements;
    work_bytes(operation,
               operation->bytes[ROOF_DRAM] + elements * (read + written - 2) * dtype_bytes(s->plan->activations));
    step_done(s, operation, "norms");
}

void step_streams_end(step *s) {
    if (!(s->model->streams > 1))
        return;
    weigh(s, s->model->streams, 1);
    mix(s, s->model->streams, 1);
}
