/* DeepSeek V4: attention over a short window and over summaries of everything before it, each row key and value at
 * once; and several residual streams mixed around every block. docs/model.md, "Compressed attention". */
#include "work/model.h"
#include "work/ops.h"

double compressed_series(const roof_attention_block *block) {
    return block->compress > 0 ? 1 + (block->index_heads > 0) : 0;
}

/* Outputs made of the hidden row: query latent, key row, and what the summaries of keys and of index keys are made of.
 */
static double first_outputs(const roof_attention_block *a) {
    double series = 2 * compressed_series(a) * a->head_width; /* values and their gates */
    return a->q_rank + a->head_width + series + (a->index_heads > 0 && a->compress > 0 ? 4 * a->index_width : 0);
}

/* The inner norms, the row written to the cache, and every `compress` tokens a summary of them. */
static void rows(step *s) {
    const roof_attention_block *a = &s->layer->attention;
    double size = dtype_bytes(s->plan->activations), kv = dtype_bytes(s->plan->kv_cache);
    roof_operation *operation = slot(s);
    work_norm(operation, ROOF_KIND_RMS_NORM, s->tokens, a->q_rank + a->head_width, false, s->plan->activations,
              s->stored);
    double cache = a->head_width * kv, more = -a->head_width * size; /* the row is written to the cache instead */
    operation->vector_flops += FLOPS_ROPE * s->tokens * a->rope_width;
    if (a->compress > 0) {
        double series = first_outputs(a) - a->q_rank - a->head_width;
        cache += (a->head_width * kv + index_row_bytes(a)) / a->compress;
        more += series * size;
        operation->vector_flops += s->tokens * series / 2 * (FLOPS_SOFTMAX + 2);
        double normed = a->head_width + (a->index_heads > 0 ? a->index_width : 0);
        operation->weight_bytes += (normed + a->compress * series / 2) * dtype_bytes(s->stored);
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

static void output(step *s, double heads) {
    const roof_attention_block *a = &s->layer->attention;
    double groups = share(a->out_groups, s->tensor);
    linear how;
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_OUTPUT, &how);
    roof_operation *operation = slot(s);
    roof_gemm(&(roof_gemm_shape){.batch = groups,
                                 .m = s->tokens,
                                 .n = a->out_rank,
                                 .k = heads * a->head_width / groups,
                                 .a = how.input,
                                 .c = s->plan->activations,
                                 .math = how.math,
                                 .weights = how.format},
              operation);
    operation->sparse = how.sparse;
    step_done(s, operation, "o_down");
    step_linear(s, "o", &how, s->tokens, s->model->hidden, groups * a->out_rank, false);
}

void step_compressed(step *s) {
    const roof_attention_block *a = &s->layer->attention;
    double heads = share(a->heads, s->tensor);
    linear how;
    model_linear(s->model, s->plan, s->layer, ROOF_ROLE_QKV, &how);
    step_linear(s, "qkv", &how, s->tokens, first_outputs(a), s->model->hidden, false);
    rows(s);
    step_linear(s, "q_up", &how, s->tokens, heads * a->head_width, a->q_rank, false);
    if (a->compress > 0)
        step_index(s, &how, a->compress);
    attend(s, heads);
    output(s, heads);
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
