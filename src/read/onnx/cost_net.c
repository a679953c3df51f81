/* Costs of matrix work: convolutions, products, recurrences, attention. Formulas: docs/model.md; rules: docs/onnx.md.
 */
#include "read/onnx/cost.h"

#include <math.h>
#include <string.h>

#include "read/onnx/shape.h"
#include "work/kinds.h"
#include "work/ops.h"

/* An operand as it lies in memory: int8 codes of a dequantised tensor are read as such. */
static roof_dtype stored_dtype(const onnx_run *run, const onnx_value *value) {
    roof_dtype dtype = onnx_dtype(run, value->stored_type);
    return dtype == ROOF_DTYPE_NONE ? ROOF_INT32 : dtype;
}

static roof_dtype plain_dtype(const onnx_run *run, const onnx_value *value) {
    roof_dtype dtype = onnx_dtype(run, value->type);
    return dtype == ROOF_DTYPE_NONE ? ROOF_INT32 : dtype;
}

/* Both operands are codes: they are multiplied as codes. One alone is widened to the other. */
static roof_dtype math_of(const onnx_run *run, const onnx_value *a, const onnx_value *b) {
    bool codes = (a->quantised || a->type == a->stored_type) && (b->quantised || b->type == b->stored_type) &&
                 a->quantised == b->quantised;
    roof_dtype first = codes ? stored_dtype(run, a) : plain_dtype(run, a),
               second = codes ? stored_dtype(run, b) : plain_dtype(run, b);
    return roof_dtype_math(work_wider(first, second));
}

/* Scaling back what int8 products sum to, and the values of codes that are widened: a multiply an element. */
static double dequantise_flops(const onnx_value *value, roof_dtype math) {
    return value->quantised && roof_dtype_bits(math) > onnx_type_of(value->stored_type)->bits ? 2 * onnx_elements(value)
                                                                                              : 0;
}

static double weight_bytes(const onnx_run *run, const onnx_value *value) {
    return value && value->constant ? onnx_bytes(run, value) : 0;
}

/* ---------------------------------------------------------- convolutions -- */

static void put(roof_operation *operation, const char *name, double value) {
    int place = work_parameter_place(roof_kind_describe(operation->kind), name);
    if (place >= 0)
        operation->shape[place] = value;
}

static const char *const axis_names[3] = {"d", "h", "w"};

static void put_axis(roof_operation *operation, const char *name, int axis, double value) {
    char full[32] = "";
    strcat(strcat(strcat(full, name), "_"), axis_names[axis]);
    put(operation, full, value);
}

static void conv_shape(roof_operation *operation, const onnx_value *in, const onnx_window *window, bool transposed) {
    static const char *const kernels[3] = {"kd", "kh", "kw"};
    for (int axis = 0; axis < 3; axis++) {
        int at = axis - (3 - window->axes); /* a single axis is the width */
        put(operation, axis_names[axis], at < 0 ? 1 : in->dims[at + 2]);
        put(operation, kernels[axis], at < 0 ? 1 : window->kernel[at]);
        put_axis(operation, "stride", axis, at < 0 ? 1 : window->stride[at]);
        put_axis(operation, "dilation", axis, at < 0 ? 1 : window->dilation[at]);
        put_axis(operation, "padding", axis, at < 0 ? 0 : window->padding[at] / 2); /* half of both ends together */
        if (transposed)
            put_axis(operation, "output_padding", axis, at < 0 ? 0 : window->extra[at]);
    }
}

/* The total padding that leads to the output's length, whatever attribute said so. */
static void settle_padding(const onnx_value *in, const onnx_value *out, onnx_window *window) {
    for (int i = 0; i < window->axes; i++) {
        double reach = window->dilation[i] * (window->kernel[i] - 1) + 1;
        window->padding[i] = (in->dims[i + 2] - 1) * window->stride[i] + reach + window->extra[i] - out->dims[i + 2];
    }
}

/* Windows of more than three axes have no kind of their own. */
static void conv_of_many_axes(onnx_call *call, const onnx_window *window, const onnx_value *in,
                              const onnx_value *weights, bool transposed) {
    roof_operation operation;
    double kernel = 1, points = onnx_elements(transposed ? in : call->out[0]);
    for (int i = 0; i < window->axes; i++)
        kernel *= window->kernel[i];
    work_start(&operation, ROOF_KIND_CUSTOM);
    operation.dtype[0] = operation.matrix_dtype = operation.vector_dtype = math_of(call->run, in, weights);
    operation.shape[CUSTOM_FLOPS] = operation.matrix_flops = 2 * points * weights->dims[1] * kernel;
    operation.shape[CUSTOM_BYTES] = onnx_touched(call);
    work_bytes(&operation, onnx_touched(call));
    onnx_emit(call, &operation, true);
}

static void conv(onnx_call *call, const onnx_value *weights, const onnx_value *bias, bool transposed) {
    const onnx_value *in = onnx_in(call, 0), *out = call->out[0];
    double groups = onnx_attr_int(call, "group", 1);
    roof_operation operation;
    onnx_window window;
    if (onnx_window_of(call, in, weights, &window) != 0 || !(onnx_elements(out) > 0))
        return;
    if (window.axes > 3) {
        conv_of_many_axes(call, &window, in, weights, transposed);
        return;
    }
    if (transposed)
        settle_padding(in, out, &window);
    work_start(&operation, transposed ? ROOF_KIND_CONV_TRANSPOSED : ROOF_KIND_CONV);
    put(&operation, "batch", in->dims[0]);
    put(&operation, "in", in->dims[1]);
    put(&operation, "out", out->dims[1]);
    put(&operation, "groups", groups);
    put(&operation, "bias", bias != NULL);
    conv_shape(&operation, in, &window, transposed);
    roof_dtype math = math_of(call->run, in, weights);
    operation.dtype[0] = operation.dtype[1] = stored_dtype(call->run, in);
    operation.dtype[2] = stored_dtype(call->run, weights);
    operation.dtype[3] = plain_dtype(call->run, out);
    operation.dtype[4] = math;
    work_kind_of(operation.kind)->cost(&operation);
    operation.vector_flops += dequantise_flops(in, math) + dequantise_flops(weights, math);
    operation.weight_bytes = weight_bytes(call->run, weights) + weight_bytes(call->run, bias);
    work_bytes(&operation, onnx_touched(call));
    onnx_emit(call, &operation, true);
}

/* QLinearConv: x, scale, zero, w, scale, zero, scale and zero of the result, bias. */
void onnx_cost_conv(onnx_call *call) {
    bool quantised = strcmp(call->node->op, "QLinearConv") == 0;
    if (!onnx_has(call, quantised ? 3 : 1))
        return;
    if (quantised) {
        onnx_count_scales(call, 1, 3);
        onnx_count_scales(call, 4, 8);
        conv(call, onnx_in(call, 3), onnx_in(call, 8), false);
    } else if (strcmp(call->node->op, "ConvInteger") == 0) {
        onnx_count_scales(call, 2, 4);
        conv(call, onnx_in(call, 1), NULL, false);
    } else {
        conv(call, onnx_in(call, 1), onnx_in(call, 2), false);
    }
}

void onnx_cost_conv_transposed(onnx_call *call) {
    if (onnx_has(call, 1))
        conv(call, onnx_in(call, 1), onnx_in(call, 2), true);
}

/* -------------------------------------------------------------- products -- */

/* A stored matrix in a format of its exact average bits. */
static roof_format format_of(const onnx_run *run, const onnx_value *weights, roof_dtype math) {
    roof_format format = roof_format_plain(stored_dtype(run, weights));
    double elements = onnx_elements(weights);
    format.bits = elements > 0 ? 8 * onnx_bytes(run, weights) / elements : format.bits;
    format.block_rows = format.block_cols = format.scale_bits = format.zero_bits = 0;
    format.math = math;
    return format;
}

static roof_operation gemm(const onnx_run *run, const onnx_product_shape *p, const onnx_value *a, const onnx_value *b,
                           const onnx_value *c, bool bias) {
    roof_operation operation;
    bool swapped = a->constant && !b->constant; /* y = W x: the weights are the kind's B */
    const onnx_value *left = swapped ? b : a, *right = swapped ? a : b;
    roof_dtype math = math_of(run, a, b);
    roof_format format = format_of(run, right, math);
    roof_gemm_shape shape = {.batch = p->batch,
                             .m = swapped ? p->n : p->m,
                             .n = swapped ? p->m : p->n,
                             .k = p->k,
                             .a = stored_dtype(run, left),
                             .b = stored_dtype(run, right),
                             .c = plain_dtype(run, c),
                             .math = math,
                             .bias = bias,
                             .weights = right->constant ? &format : NULL};
    roof_gemm(&shape, &operation);
    operation.weight_bytes = weight_bytes(run, a) + weight_bytes(run, b);
    operation.vector_flops += dequantise_flops(a, math) + dequantise_flops(b, math);
    return operation;
}

void onnx_cost_matmul(onnx_call *call) {
    onnx_product_shape p;
    const char *op = call->node->op;
    bool with_bias = strcmp(op, "Gemm") == 0 || strcmp(op, "FusedGemm") == 0;
    const onnx_value *a = onnx_in(call, 0), *b = onnx_in(call, strcmp(op, "QLinearMatMul") == 0 ? 3 : 1);
    const onnx_value *c = with_bias ? onnx_in(call, 2) : NULL, *out = call->out[0];
    if (!b || onnx_product_of(call, &p) != 0) {
        onnx_unknown(call, "an input or output is missing");
        return;
    }
    if (!(onnx_elements(out) > 0))
        return;
    roof_operation operation = gemm(call->run, &p, a, b, out, c != NULL);
    if (strcmp(op, "MatMulInteger") == 0)
        onnx_count_scales(call, 2, 4);
    if (strcmp(op, "QLinearMatMul") == 0) {
        onnx_count_scales(call, 1, 3);
        onnx_count_scales(call, 4, 8);
    }
    double alpha = onnx_attr_float(call, "alpha", 1), beta = onnx_attr_float(call, "beta", 1);
    operation.vector_flops += alpha != 1 ? onnx_elements(out) : 0;
    operation.vector_flops += c && beta != 1 ? onnx_elements(c) : 0;
    operation.weight_bytes += weight_bytes(call->run, c);
    work_bytes(&operation, onnx_touched(call));
    onnx_emit(call, &operation, true);
}

/* Weights of N rows of K codes in blocks with a scale, and a zero point where there is one. */
void onnx_cost_matmul_bits(onnx_call *call) {
    const onnx_run *run = call->run;
    onnx_value *in = onnx_in(call, 0), *codes = onnx_in(call, 1), *scales = onnx_in(call, 2), *zeros = onnx_in(call, 3);
    double n = onnx_attr_int(call, "N", 1), k = onnx_attr_int(call, "K", 1), bits = onnx_attr_int(call, "bits", 4);
    double block = onnx_attr_int(call, "block_size", 32), blocks = n * ceil(k / block), rows = onnx_elements(in) / k;
    roof_operation operation;
    if (!codes || !(rows > 0) || !(bits > 0) || !(block > 0)) {
        onnx_unknown(call, "its weights are unknown");
        return;
    }
    roof_dtype dtype = plain_dtype(run, in);
    roof_format format = {.name = "nbits",
                          .dtype = bits <= 4 ? ROOF_INT4 : ROOF_INT8,
                          .bits = bits,
                          .block_rows = 1,
                          .block_cols = block,
                          .scale_bits = scales ? 8 * onnx_bytes(run, scales) / blocks : 0,
                          .zero_bits = zeros ? 8 * onnx_bytes(run, zeros) / blocks : 0};
    roof_gemm_shape shape = {.batch = 1,
                             .m = rows,
                             .n = n,
                             .k = k,
                             .a = dtype,
                             .b = format.dtype,
                             .c = dtype,
                             .math = dtype,
                             .bias = onnx_in(call, 5) != NULL,
                             .weights = &format};
    roof_gemm(&shape, &operation);
    operation.weight_bytes = onnx_bytes(run, codes) + onnx_bytes(run, scales) + onnx_bytes(run, zeros);
    work_bytes(&operation, onnx_touched(call));
    onnx_count_parameter(call->run, codes, n * k);
    onnx_count_scales(call, 2, 4);
    onnx_emit(call, &operation, true);
}

/* ---------------------------------------------------------------- einsum -- */

static bool in_list(const int *labels, int rank, int label) {
    for (int i = 0; i < rank; i++)
        if (labels[i] == label)
            return true;
    return false;
}

static bool needed_later(const onnx_einsum *e, int from, int label) {
    for (int o = from; o <= e->operands; o++)
        if (in_list(e->labels[o], e->ranks[o], label))
            return true;
    return false;
}

typedef struct label_set {
    int labels[EINSUM_LABELS], count;
} label_set;

static void add_label(label_set *set, int label) {
    if (!in_list(set->labels, set->count, label))
        set->labels[set->count++] = label;
}

/* One contraction of what is there with the next operand. Labels of both that the rest needs are the batch, labels of
 * one side are rows or columns, labels that nobody needs any more are summed over. */
static onnx_product_shape contract(const onnx_einsum *e, label_set *left, int next) {
    onnx_product_shape p = {1, 1, 1, 1};
    label_set all = *left, kept = {.count = 0};
    for (int i = 0; i < e->ranks[next]; i++)
        add_label(&all, e->labels[next][i]);
    for (int i = 0; i < all.count; i++) {
        int label = all.labels[i];
        bool a = in_list(left->labels, left->count, label), b = in_list(e->labels[next], e->ranks[next], label);
        bool later = needed_later(e, next + 1, label);
        double *factor = !later ? &p.k : a && b ? &p.batch : a ? &p.m : &p.n;
        *factor *= e->length[label];
        if (later)
            add_label(&kept, label);
    }
    *left = kept;
    return p;
}

/* Two operands: batch x m x n x k products, counted exactly. More: from left to right. One: a sum over what is dropped.
 */
void onnx_cost_einsum(onnx_call *call) {
    onnx_einsum e;
    label_set left = {.count = 0};
    if (onnx_einsum_parse(call, &e) != 0) {
        onnx_unknown(call, "an input or output is missing");
        return;
    }
    if (!(onnx_elements(call->out[0]) > 0))
        return;
    for (int i = 0; i < e.ranks[0]; i++)
        add_label(&left, e.labels[0][i]);
    if (e.operands == 1) {
        onnx_cost_reduction(call);
        return;
    }
    roof_operation operation = {0};
    double flops = 0;
    for (int next = 1; next < e.operands; next++) {
        onnx_product_shape p = contract(&e, &left, next);
        operation = gemm(call->run, &p, call->in[0], call->in[next], call->out[0], false);
        flops += operation.matrix_flops;
    }
    operation.matrix_flops = flops;
    operation.weight_bytes = 0;
    for (size_t i = 0; i < call->in_count; i++)
        operation.weight_bytes += weight_bytes(call->run, call->in[i]);
    work_bytes(&operation, onnx_touched(call));
    onnx_emit(call, &operation, true);
}

/* ----------------------------------------------------------- recurrences -- */

typedef struct recurrence {
    double steps, batch, directions, hidden, width, gates;
    const onnx_value *in, *weights, *again;
} recurrence;

/* Vector FLOPs a hidden unit and step: sums of the pre-activations with bias, activations (sigmoid 4, tanh 1), the
 * state. */
static double gate_flops(const onnx_call *call, double gates) {
    bool peepholes = onnx_in(call, 7) != NULL;
    return gates == 4 ? 8 + 3 * 4 + 2 * 1 + 4 + (peepholes ? 6 : 0) : gates == 3 ? 6 + 2 * 4 + 1 + 5 : 3;
}

/* The inputs of all steps are multiplied at once. */
static void project_input(onnx_call *call, const recurrence *r) {
    onnx_product_shape p = {1, r->steps * r->batch, r->directions * r->gates * r->hidden, r->width};
    roof_operation operation = gemm(call->run, &p, r->in, r->weights, r->in, false);
    double size = onnx_type_bytes(call->run, r->in->type);
    work_bytes(&operation, onnx_bytes(call->run, r->in) + onnx_bytes(call->run, r->weights) + p.m * p.n * size);
    onnx_value *reads[2] = {call->in[0], call->in[1]};
    onnx_emit_some(call, &operation, reads, 2, NULL, false);
}

/* Then step by step, in every direction: the state times R, and the gates. Fused, R is read once and stays on chip; not
 * fused, every step reads it. */
static void recur(onnx_call *call, const recurrence *r, double others) {
    const onnx_run *run = call->run;
    bool eager = run->options->eager;
    onnx_product_shape p = {1, (eager ? 1 : r->steps) * r->batch, r->gates * r->hidden, r->hidden};
    roof_operation operation = gemm(run, &p, r->in, r->again, r->in, false);
    double size = onnx_type_bytes(run, r->in->type), again = onnx_bytes(run, r->again) / r->directions;
    double written = 0, state = r->batch * r->hidden * size, all = p.m * p.n * size;
    for (size_t i = 0; i < call->out_count; i++)
        written += onnx_bytes(run, call->out[i]);
    operation.count = r->directions * (eager ? r->steps : 1);
    operation.vector_flops += gate_flops(call, r->gates) * p.m * r->hidden;
    operation.weight_bytes = again + others / r->directions;
    work_bytes(&operation, all + again + (eager ? 4 * state : (written + others) / r->directions));
    onnx_emit_some(call, &operation, call->in, call->in_count, onnx_out(call, 0), false);
}

void onnx_cost_rnn(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *again = onnx_in(call, 2);
    if (!onnx_has(call, 1) || !onnx_has(call, 2))
        return;
    bool batch_first = onnx_attr_int(call, "layout", 0) != 0;
    recurrence r = {.steps = in->dims[batch_first],
                    .batch = in->dims[!batch_first],
                    .directions = again->dims[0],
                    .hidden = again->dims[2],
                    .width = in->dims[2],
                    .gates = call->op->flops,
                    .in = in,
                    .weights = onnx_in(call, 1),
                    .again = again};
    if (!(r.steps * r.batch * r.directions * r.hidden > 0))
        return;
    double others = 0;
    for (size_t i = 3; i < call->in_count; i++)
        others += onnx_bytes(call->run, call->in[i]);
    project_input(call, &r);
    recur(call, &r, others);
}

/* ------------------------------------------------------------- attention -- */

/* Scores stay on chip unless nothing is fused. `cache`: keys and values of the past are read and the new ones appended.
 */
static void attend(onnx_call *call, const onnx_heads *h, onnx_value *const *reads, size_t count) {
    roof_operation operation;
    const onnx_value *out = call->out[0];
    if (!(h->batch * h->q_len > 0))
        return;
    roof_dtype dtype = plain_dtype(call->run, out);
    roof_attention_shape shape = {.batch = h->batch,
                                  .heads = h->heads,
                                  .kv_heads = h->kv_heads,
                                  .q_len = h->q_len,
                                  .kv_len = h->kv_len,
                                  .qk_width = h->qk_width,
                                  .v_width = h->v_width,
                                  .window = h->window,
                                  .causal = h->causal && h->kv_len >= h->q_len,
                                  .unfused = call->run->options->eager,
                                  .append = onnx_out(call, 1) != NULL,
                                  .q = dtype,
                                  .kv = dtype,
                                  .out = dtype,
                                  .math = dtype};
    roof_attention(&shape, &operation);
    onnx_emit_some(call, &operation, reads, count, onnx_out(call, 0), false);
}

static void attend_where_known(onnx_call *call, bool (*heads_of)(onnx_call *call, onnx_heads *h)) {
    onnx_heads h;
    if (heads_of(call, &h))
        attend(call, &h, call->in, call->in_count);
    else
        onnx_unknown(call, "its heads are unknown");
}

void onnx_cost_attention(onnx_call *call) {
    attend_where_known(call, onnx_heads_of);
}

void onnx_cost_multi_head(onnx_call *call) {
    attend_where_known(call, onnx_heads_of_multi_head);
}

void onnx_cost_grouped_query(onnx_call *call) {
    attend_where_known(call, onnx_heads_of_grouped_query);
}

/* The projection to queries, keys and values is part of the operator. */
void onnx_cost_ms_attention(onnx_call *call) {
    onnx_heads h;
    const onnx_value *in = onnx_in(call, 0), *weights = onnx_in(call, 1), *bias = onnx_in(call, 2);
    if (!onnx_heads_of_ms_attention(call, &h)) {
        onnx_unknown(call, "its heads are unknown");
        return;
    }
    onnx_product_shape p = {1, h.batch * h.q_len, weights->dims[1], weights->dims[0]};
    if (!(p.m * p.n > 0))
        return;
    roof_operation operation = gemm(call->run, &p, in, weights, in, bias != NULL);
    double made = p.m * p.n * onnx_type_bytes(call->run, in->type);
    operation.weight_bytes += weight_bytes(call->run, bias);
    work_bytes(&operation,
               onnx_bytes(call->run, in) + onnx_bytes(call->run, weights) + onnx_bytes(call->run, bias) + made);
    onnx_value *reads[3] = {call->in[0], call->in[1], onnx_in(call, 2)};
    onnx_emit_some(call, &operation, reads, 3, NULL, false);
    attend(call, &h, call->in_count > 3 ? call->in + 3 : call->in, call->in_count > 3 ? call->in_count - 3 : 0);
}
