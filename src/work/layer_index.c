/* The indexer of sparse attention: scores every key cheaply and keeps the best. Its keys are cached in fp8 with one f32
 * scale a key, as published. docs/model.md, "Sparse attention". */
#include "work/layer_design.h"
#include "work/ops.h"

enum { SCALE_BYTES = 4 };

double index_row_bytes(const roof_attention_block *block) {
    return block->index_heads > 0 ? block->index_width * dtype_bytes(ROOF_FP8) + SCALE_BYTES : 0;
}

/* Keys a query attends to: the best, or all while there are no more than those. */
double index_window(const roof_attention_block *block, double keys) {
    return block->index_topk > 0 && block->index_topk < keys ? block->index_topk : 0;
}

/* Beside linear layers in a float of 8 bits or fewer. Beside integer ones not: there may be no fp8 roof at all. */
static bool scores_in_fp8(roof_dtype math) {
    return dtype_bits(math) < 16 && math != ROOF_INT8 && math != ROOF_INT4;
}

/* Scores of `pairs` of query and key: a product and a weighted ReLU a head, then one comparison to choose. */
static void scores(step *s, double pairs, double rows) {
    const roof_attention_block *a = &s->layer->attention;
    const roof_plan *plan = s->plan;
    linear how;
    model_linear(s->model, plan, s->layer, matrix_role(MATRIX_INDEX_Q), &how);
    bool narrow = scores_in_fp8(how.math);
    double heads = a->index_heads, query = narrow ? dtype_bytes(ROOF_FP8) : dtype_bytes(plan->activations);
    roof_operation *operation = slot(s);
    double cache = rows * index_row_bytes(a), token = heads * (a->index_width * query + SCALE_BYTES);
    token += a->index_topk * SCALE_BYTES; /* where the chosen keys stand */
    work_custom(operation, 2 * pairs * heads * a->index_width, cache + s->tokens * token,
                narrow ? ROOF_FP8 : plan->activations);
    operation->cache_bytes = cache;
    operation->vector_flops = pairs * (3 * heads + 1);
    operation->vector_dtype = ROOF_F32;
    step_done(s, operation, "index");
}

/* `keys` keys in the cache, one for every `each` tokens. A key is written for every new one; scores are needed only
 * when there are more keys than are kept. */
void step_index(step *s, const layer_design *design, double each) {
    const roof_attention_block *a = &s->layer->attention;
    double keys = each > 0 ? floor(s->kv_len / each) : 0;
    if (!(a->index_heads > 0) || keys <= a->index_topk)
        return;
    step_matrices(s, design, "index_q", MATRIX_INDEX_Q, MATRIX_INDEX_Q, s->tokens);
    step_matrices(s, design, "index_weights", MATRIX_INDEX_WEIGHTS, MATRIX_INDEX_WEIGHTS, s->tokens);
    scores(s, s->sequences * compressed_pairs(s->q_len, s->kv_len, each, 0), s->sequences * keys);
}

/* The new keys: projected, normed, written. */
void step_index_keys(step *s, const layer_design *design) {
    const roof_attention_block *a = &s->layer->attention;
    if (!(a->index_heads > 0))
        return;
    double size = dtype_bytes(s->plan->activations);
    step_matrices(s, design, "index_k", MATRIX_INDEX_K, MATRIX_INDEX_K, s->tokens);
    roof_operation *operation = slot(s);
    work_norm(operation, ROOF_KIND_LAYER_NORM, s->tokens, a->index_width, false, s->plan->activations, s->stored);
    operation->cache_bytes = s->tokens * index_row_bytes(a);
    operation->vector_flops += FLOPS_ROPE * s->tokens * a->rope_width;
    work_bytes(operation, operation->bytes[ROOF_DRAM] - s->tokens * a->index_width * size + operation->cache_bytes);
    step_done(s, operation, "norms");
}

/* Sum over the last q_len of kv_len positions p of min(floor((p + 1) / each), most). */
double compressed_pairs(double q_len, double kv_len, double each, double most) {
    double whole = 0, ends[2] = {kv_len, kv_len - q_len};
    for (int i = 0; i < 2; i++) { /* sums over all positions below an end */
        double n = ends[i], top = floor(n / each);
        double full = most > 0 && most < top ? most : top; /* values below `full` occur `each` times */
        double sum = each * full * (full - 1) / 2 + (n + 1 - full * each) * full;
        whole += i == 0 ? sum : -sum;
    }
    return whole;
}
