/* The recurrence of a linear-attention or state-space layer: one state of fixed size a head. docs/model.md,
 * "Recurrence". */
#include <math.h>

#include "work/kinds.h"
#include "work/ops.h"

/* FLOPs of one element of a state whose decay is its own (Mamba 1): the decay's product and exponential, its product
 * with the state, the input's product and sum, the output's product and sum. */
enum { FLOPS_SELECTIVE = 7 };

static double key_heads(const roof_recurrence_shape *shape) {
    return shape->key_heads > 0 ? shape->key_heads : shape->heads;
}

/* Matrix FLOPs of one head and sequence. Every token updates the state by one or more outer products and reads it once
 * or more; chunks add the products inside a chunk. */
static double head_flops(const roof_recurrence_shape *shape) {
    static const double of_keys[] = {2, 6, 10}, of_values[] = {2, 4, 8}; /* a pair inside a chunk, by delta rule */
    double key = shape->key_width, value = shape->value_width, flops = shape->tokens * key * value;
    flops *= 4 + 2 * shape->delta;
    if (!(shape->chunk > 0))
        return flops;
    int rule = (int)fmin(shape->delta, 2);
    double pairs = roof_attention_pairs(shape->tokens, shape->tokens, true, 0, shape->chunk);
    flops += pairs * (of_keys[rule] * key + of_values[rule] * value);
    if (rule > 0) /* a triangular matrix inverted a chunk */
        flops += shape->tokens * shape->chunk * shape->chunk / 3;
    return flops;
}

/* Vector FLOPs of one head and sequence: the decays, put on keys and queries and once on the state where that is less
 * than on the state of every token; the delta rule's scaled difference. */
static double head_vector_flops(const roof_recurrence_shape *shape) {
    double state = shape->key_width * shape->value_width, flops = 0;
    if (shape->decay > 0)
        flops += fmin(shape->tokens * state, shape->tokens * 2 * shape->key_width + state);
    if (shape->delta > 0)
        flops += shape->tokens * 2 * shape->value_width;
    return flops;
}

/* Elements one token brings in and takes out: q, k, v, y, its decays and what the delta rule scales by. */
static double token_elements(const roof_recurrence_shape *shape) {
    double heads = shape->heads, keys = heads * shape->key_width;
    double elements = 2 * key_heads(shape) * shape->key_width + 2 * heads * shape->value_width;
    if (shape->decay > 0)
        elements += shape->decay == 2 ? keys : heads;
    if (shape->delta > 0)
        elements += shape->delta == 1 ? heads : 2 * keys;
    return elements;
}

static roof_dtype math_of(const roof_recurrence_shape *shape) {
    if (shape->math != ROOF_DTYPE_NONE)
        return shape->math;
    return dtype_bits(shape->in) < 16 ? ROOF_BF16 : shape->in;
}

static void store(const roof_recurrence_shape *shape, roof_operation *out) {
    out->shape[RECURRENCE_BATCH] = shape->batch;
    out->shape[RECURRENCE_TOKENS] = shape->tokens;
    out->shape[RECURRENCE_HEADS] = shape->heads;
    out->shape[RECURRENCE_KEY_HEADS] = shape->key_heads;
    out->shape[RECURRENCE_KEY_WIDTH] = shape->key_width;
    out->shape[RECURRENCE_VALUE_WIDTH] = shape->value_width;
    out->shape[RECURRENCE_DECAY] = shape->decay;
    out->shape[RECURRENCE_DELTA] = shape->delta;
    out->shape[RECURRENCE_CHUNK] = shape->chunk;
    out->shape[RECURRENCE_RESUME] = shape->resume;
    out->dtype[DTYPE_MAIN] = shape->in;
    out->dtype[DTYPE_STATE] = shape->state;
    out->dtype[DTYPE_RECURRENCE_MATH] = out->matrix_dtype = math_of(shape);
    out->vector_dtype = work_vector_dtype(shape->in);
}

void roof_recurrence(const roof_recurrence_shape *shape, roof_operation *out) {
    double all = shape->batch * shape->heads, state = all * shape->key_width * shape->value_width;
    double passes = shape->tokens > 0 ? 1 + shape->resume : 0;
    work_start(out, ROOF_KIND_RECURRENCE);
    store(shape, out);
    if (shape->decay == 3) {
        out->vector_flops = FLOPS_SELECTIVE * shape->tokens * state;
    } else {
        out->matrix_flops = all * head_flops(shape);
        out->vector_flops = all * head_vector_flops(shape);
    }
    if (shape->chunk > 0 && shape->tokens > shape->chunk) /* states between chunks cross memory */
        passes += 2 * (ceil(shape->tokens / shape->chunk) - 1);
    out->cache_bytes = passes * state * dtype_bytes(shape->state);
    work_bytes(out, out->cache_bytes + shape->batch * shape->tokens * token_elements(shape) * dtype_bytes(shape->in));
}

void work_recurrence_cost(roof_operation *operation) {
    const double *shape = operation->shape;
    roof_recurrence_shape recurrence = {
        .batch = shape[RECURRENCE_BATCH],
        .tokens = shape[RECURRENCE_TOKENS],
        .heads = shape[RECURRENCE_HEADS],
        .key_heads = shape[RECURRENCE_KEY_HEADS],
        .key_width = shape[RECURRENCE_KEY_WIDTH],
        .value_width = shape[RECURRENCE_VALUE_WIDTH],
        .decay = shape[RECURRENCE_DECAY],
        .delta = shape[RECURRENCE_DELTA],
        .chunk = shape[RECURRENCE_CHUNK],
        .resume = shape[RECURRENCE_RESUME] > 0,
        .in = operation->dtype[DTYPE_MAIN],
        .state = operation->dtype[DTYPE_STATE],
        .math = operation->dtype[DTYPE_RECURRENCE_MATH],
    };
    roof_recurrence(&recurrence, operation);
}

double work_recurrence_pairs(const roof_operation *operation) {
    double tokens = operation->shape[RECURRENCE_TOKENS], chunk = operation->shape[RECURRENCE_CHUNK];
    return chunk > 0 ? roof_attention_pairs(tokens, tokens, true, 0, chunk) : 0;
}
