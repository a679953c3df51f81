/* Attention: exact visible pairs, the cache rows anyone sees, FLOPs and bytes. Formulas: docs/model.md, "Attention". */
#include <math.h>

#include "work/kinds.h"
#include "work/ops.h"

static double clamp(double value, double least, double most) {
    return fmin(fmax(value, least), most);
}

/* Sum of min(p + 1, window) over the positions p = start .. start + count - 1: the ramp, then the flat part. */
static double ramp(double start, double count, double window) {
    double rising = window > 0 ? clamp(window - start, 0, count) : count;
    return rising * (2 * start + rising + 1) / 2 + (count - rising) * window;
}

/* Keys that a centred window of reach `reach` loses over the edge: sum of max(0, reach - p) over those positions. */
static double cut(double start, double count, double reach) {
    double short_of = clamp(reach - start, 0, count);
    return short_of * (reach - start) - short_of * (short_of - 1) / 2;
}

/* Pairs of `count` queries from position `start` on in a sequence of `size` keys. */
static double visible(double start, double count, double size, bool causal, double window) {
    if (causal)
        return ramp(start, count, window);
    if (!(window > 0) || window >= 2 * size)
        return count * size;
    double before = floor((window - 1) / 2), after = window - 1 - before;
    return count * window - cut(start, count, before) - cut(size - start - count, count, after);
}

/* Queries stand at the end of the sequence; a query before the first key sees nothing when causal, all keys else. */
double roof_attention_pairs(double q_len, double kv_len, bool causal, double window, double chunk) {
    if (!(q_len > 0 && kv_len > 0))
        return 0;
    if (q_len > kv_len) {
        if (!causal)
            return q_len * (window > 0 ? fmin(window, kv_len) : kv_len);
        q_len = kv_len;
    }
    double start = kv_len - q_len;
    if (!(chunk > 0))
        return visible(start, q_len, kv_len, causal, window);

    double inside = fmod(start, chunk); /* position of the first query in its chunk */
    double first = fmin(q_len, chunk - inside), left = q_len - first;
    double full = floor(left / chunk), last = left - full * chunk;
    double size =
        left > 0 ? chunk : fmin(chunk, inside + q_len); /* of the first chunk, which may be the last one too */
    return visible(inside, first, size, causal, window) + full * visible(0, chunk, chunk, causal, window) +
           (last > 0 ? visible(0, last, last, causal, window) : 0);
}

double work_attention_rows(double q_len, double kv_len, bool causal, double window, double chunk) {
    if (!(q_len > 0 && kv_len > 0))
        return 0;
    double start = fmax(kv_len - q_len, 0), oldest = 0;
    if (window > 0)
        oldest = fmax(oldest, start - (causal ? window - 1 : floor((window - 1) / 2)));
    if (chunk > 0)
        oldest = fmax(oldest, start - fmod(start, chunk));
    return kv_len - oldest;
}

/* The wider of both, never under 16 bits: 8-bit caches are widened before they are multiplied. */
static roof_dtype attention_math(const roof_attention_shape *shape) {
    if (shape->math != ROOF_DTYPE_NONE)
        return shape->math;
    roof_dtype math = work_wider(shape->q, shape->kv);
    return dtype_bits(math) < 16 ? ROOF_BF16 : math;
}

static void store(const roof_attention_shape *shape, roof_operation *out) {
    out->shape[ATTENTION_BATCH] = shape->batch;
    out->shape[ATTENTION_HEADS] = shape->heads;
    out->shape[ATTENTION_KV_HEADS] = shape->kv_heads;
    out->shape[ATTENTION_Q_LEN] = shape->q_len;
    out->shape[ATTENTION_KV_LEN] = shape->kv_len;
    out->shape[ATTENTION_QK_WIDTH] = shape->qk_width;
    out->shape[ATTENTION_V_WIDTH] = shape->v_width;
    out->shape[ATTENTION_WINDOW] = shape->window;
    out->shape[ATTENTION_CHUNK] = shape->chunk;
    out->shape[ATTENTION_CAUSAL] = shape->causal;
    out->shape[ATTENTION_UNFUSED] = shape->unfused;
    out->shape[ATTENTION_LATENT] = shape->latent;
    out->shape[ATTENTION_APPEND] = shape->append;
    out->dtype[DTYPE_MAIN] = out->dtype[DTYPE_Q] = shape->q;
    out->dtype[DTYPE_KV] = shape->kv;
    out->dtype[DTYPE_OUT] = shape->out;
    out->dtype[DTYPE_ATTENTION_MATH] = out->matrix_dtype = attention_math(shape);
    out->vector_dtype = ROOF_F32;
}

void roof_attention(const roof_attention_shape *shape, roof_operation *out) {
    double q_len = shape->q_len, all_heads = shape->batch * shape->heads;
    double pairs = all_heads * roof_attention_pairs(q_len, shape->kv_len, shape->causal, shape->window, shape->chunk);
    double rows = work_attention_rows(q_len, shape->kv_len, shape->causal, shape->window, shape->chunk);
    double row = shape->latent ? shape->qk_width : shape->kv_heads * (shape->qk_width + shape->v_width);

    work_start(out, ROOF_KIND_ATTENTION);
    store(shape, out);
    out->matrix_flops = 2 * pairs * (shape->qk_width + shape->v_width);
    out->vector_flops = FLOPS_SOFTMAX * pairs;
    out->cache_bytes = shape->batch * (rows + (shape->append ? q_len : 0)) * row * dtype_bytes(shape->kv);
    double bytes =
        out->cache_bytes +
        all_heads * q_len * (shape->qk_width * dtype_bytes(shape->q) + shape->v_width * dtype_bytes(shape->out));
    if (shape->unfused)
        bytes += 4 * all_heads * q_len * rows * dtype_bytes(shape->out);
    work_bytes(out, bytes);
}

/* 0 means "the same": KV heads as heads, keys as queries, the values' width as the keys'. */
static double or_else(double value, double other) {
    return value > 0 ? value : other;
}

void work_attention_cost(roof_operation *operation) {
    const double *shape = operation->shape;
    roof_attention_shape attention = {
        .batch = shape[ATTENTION_BATCH],
        .heads = shape[ATTENTION_HEADS],
        .kv_heads = or_else(shape[ATTENTION_KV_HEADS], shape[ATTENTION_HEADS]),
        .q_len = shape[ATTENTION_Q_LEN],
        .kv_len = or_else(shape[ATTENTION_KV_LEN], shape[ATTENTION_Q_LEN]),
        .qk_width = shape[ATTENTION_QK_WIDTH],
        .v_width = or_else(shape[ATTENTION_V_WIDTH], shape[ATTENTION_QK_WIDTH]),
        .window = shape[ATTENTION_WINDOW],
        .chunk = shape[ATTENTION_CHUNK],
        .causal = shape[ATTENTION_CAUSAL] > 0,
        .unfused = shape[ATTENTION_UNFUSED] > 0,
        .latent = shape[ATTENTION_LATENT] > 0,
        .append = shape[ATTENTION_APPEND] > 0,
        .q = operation->dtype[DTYPE_Q],
        .kv = operation->dtype[DTYPE_KV],
        .out = operation->dtype[DTYPE_OUT],
        .math = operation->dtype[DTYPE_ATTENTION_MATH],
    };
    roof_attention(&attention, operation);
}

int work_attention_check(const roof_operation *operation, roof_error *error) {
    const double *shape = operation->shape;
    double heads = shape[ATTENTION_HEADS], kv_heads = shape[ATTENTION_KV_HEADS];
    double q_len = shape[ATTENTION_Q_LEN], kv_len = shape[ATTENTION_KV_LEN];
    if (kv_heads > 0 && fmod(heads, kv_heads) != 0)
        return roof_fail(error, ROOF_EARGUMENT, "kv_heads=%.0f does not divide heads=%.0f", kv_heads, heads);
    if (shape[ATTENTION_CAUSAL] > 0 && kv_len > 0 && kv_len < q_len) {
        roof_fail(error, ROOF_EARGUMENT,
                  "kv_len=%.0f is shorter than q_len=%.0f: causal attention counts the new tokens in kv_len", kv_len,
                  q_len);
        roof_hint(error, "kv_len=%.0f", q_len + kv_len);
        return -1;
    }
    if (shape[ATTENTION_LATENT] > 0 && shape[ATTENTION_V_WIDTH] > shape[ATTENTION_QK_WIDTH])
        return roof_fail(error, ROOF_EARGUMENT, "v_width=%.0f: latent values are part of the key row of %.0f",
                         shape[ATTENTION_V_WIDTH], shape[ATTENTION_QK_WIDTH]);
    return 0;
}
