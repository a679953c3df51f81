/* Operators of PyTorch by the shapes a trace records: FLOPs and compulsory bytes of one call. docs/profiles/kineto.md
 * has the list. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "read/profile/torch/kineto.h"
#include "work/ops.h"
#include "json/pull.h"

enum { TENSORS = 16, RANK = 8 };

typedef struct element {
    const char *name;
    roof_dtype dtype;
    double size;
    bool real; /* floating point: its operations are FLOPs */
} element;

static const element elements[] = {
    {"float", ROOF_F32, 4, true},
    {"c10::BFloat16", ROOF_BF16, 2, true},
    {"c10::Half", ROOF_F16, 2, true},
    {"double", ROOF_F64, 8, true},
    {"c10::Float8_e4m3fn", ROOF_FP8, 1, true},
    {"c10::Float8_e4m3fnuz", ROOF_FP8, 1, true},
    {"c10::Float8_e5m2", ROOF_FP8_E5M2, 1, true},
    {"c10::Float8_e5m2fnuz", ROOF_FP8_E5M2, 1, true},
    {"signed char", ROOF_INT8, 1, false},
    {"unsigned char", ROOF_INT8, 1, false},
    {"bool", ROOF_INT8, 1, false},
    {"short", ROOF_INT16, 2, false},
    {"short int", ROOF_INT16, 2, false},
    {"int", ROOF_INT32, 4, false},
    {"long int", ROOF_INT32, 8, false}, /* 64-bit integers have no roof; their bytes count */
    {"long", ROOF_INT32, 8, false},
};

typedef struct tensor {
    const element *type; /* NULL: a scalar, a list, or nothing */
    int rank;            /* -1: not plain lengths */
    double length[RANK];
} tensor;

typedef struct call {
    const kineto_rule *rule;
    tensor in[TENSORS];
    int count;
    const char *settings;
    roof_operation *out;
} call;

struct kineto_rule {
    const char *name;
    bool (*cost)(const call *from);
    double flops;         /* elementwise: FLOPs per element */
    signed char place[7]; /* where in the arguments the rule finds what it needs; -1: not there */
    bool main, settings;
};

/* ---- arguments ---- */

static const char *read_lengths(const char *at, tensor *to) {
    to->rank = 0;
    for (at++; *at && *at != ']';) {
        size_t length = strcspn(at, ",[]");
        double value = 0;
        if (*at == '[') { /* a list of tensors */
            to->rank = -1;
            for (int depth = 0; *at && (depth > 0 || *at != ']'); at++)
                depth += (*at == '[') - (*at == ']');
            break;
        }
        if (!json_figure(at, length, &value) || value < 0 || to->rank < 0 || to->rank == RANK)
            to->rank = -1;
        else
            to->length[to->rank++] = value;
        at += length + (at[length] == ',');
    }
    return *at ? at + 1 : at;
}

static void read_dims(const char *at, call *to) {
    if (*at != '[')
        return;
    for (at++; *at && *at != ']'; at += *at == ',') {
        if (*at != '[') { /* not a list of lengths */
            if (to->count < TENSORS)
                to->in[to->count++].rank = -1;
            at += strcspn(at, ",]");
            continue;
        }
        tensor spare, *into = to->count < TENSORS ? &to->in[to->count++] : &spare;
        at = read_lengths(at, into);
    }
}

static const element *element_of(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        if (strlen(elements[i].name) == length && memcmp(elements[i].name, name, length) == 0)
            return &elements[i];
    return NULL;
}

static void read_types(const char *at, call *to) {
    for (int i = 0; *at; i++) {
        size_t length = strcspn(at, "\n");
        if (i < to->count)
            to->in[i].type = element_of(at, length);
        at += length + (at[length] == '\n');
    }
}

/* Argument `place` as text; its length, 0 where there is none. */
static size_t setting(const call *from, int place, const char **text) {
    const char *at = from->settings;
    for (int i = 0; i < place && *at; i++)
        at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
    *text = at;
    return place < 0 ? 0 : strcspn(at, "\n");
}

static int flag(const call *from, int place) { /* 1, 0; -1: not said */
    const char *text;
    size_t length = setting(from, place, &text);
    if (length == 0)
        return -1;
    return *text == 'T' || *text == 't' || *text == '1' || *text == '2';
}

/* A list of whole numbers, "[2, 2]" or "2": how many; at most `most`. */
static int whole_numbers(const call *from, int place, double *out, int most) {
    const char *text;
    size_t length = setting(from, place, &text);
    int count = 0;
    for (const char *end = text + length; text < end && count < most;) {
        size_t digits = 0;
        while (text + digits < end && ((text[digits] >= '0' && text[digits] <= '9') || text[digits] == '-'))
            digits++;
        if (digits == 0)
            text++;
        else if (json_figure(text, digits, &out[count]))
            count++;
        text += digits;
    }
    return count;
}

/* Tensor `place`, or NULL. */
static const tensor *given(const call *from, int place) {
    const tensor *t = place >= 0 && place < from->count ? &from->in[place] : NULL;
    return t && t->type && t->rank >= 0 ? t : NULL;
}

static double product_of(const tensor *t, int first, int end) {
    double n = 1;
    for (int i = first; i < end; i++)
        n *= t->length[i];
    return n;
}

static double count_of(const tensor *t) {
    return t ? product_of(t, 0, t->rank) : 0;
}

static double bytes_of(const tensor *t) {
    return t ? count_of(t) * t->type->size : 0;
}

static double last_of(const tensor *t, int back) {
    return t->rank >= back ? t->length[t->rank - back] : 1;
}

/* ---- matrix work ---- */

typedef struct product {
    double batch, m, n, k, bytes;
    bool weights; /* one matrix for all rows */
} product;

/* A[.., m, k] B[.., k, n], or B[n, k] when `turned`; the leading axes are repeated as PyTorch does. */
static bool find_product(const tensor *a, const tensor *b, bool turned, product *out) {
    double lead_a = product_of(a, 0, a->rank > 2 ? a->rank - 2 : 0);
    double lead_b = product_of(b, 0, b->rank > 2 ? b->rank - 2 : 0);
    bool vector = b->rank == 1;
    if (a->rank == 0 || b->rank == 0)
        return false;
    out->m = a->rank == 1 ? 1 : last_of(a, 2);
    out->k = last_of(a, 1);
    out->n = vector ? 1 : turned ? last_of(b, 2) : last_of(b, 1);
    out->weights = b->rank <= 2;
    out->batch = fmax(lead_a, lead_b);
    if ((vector || turned ? last_of(b, 1) : last_of(b, 2)) != out->k || (lead_a != lead_b && fmin(lead_a, lead_b) != 1))
        return false;
    if (out->weights) {
        out->m *= lead_a;
        out->batch = 1;
    }
    return out->m * out->n * out->k * out->batch > 0;
}

static bool multiply(const call *from, int at_a, int at_b, int at_bias, bool turned, roof_dtype result) {
    const tensor *a = given(from, at_a), *b = given(from, at_b), *bias = given(from, at_bias);
    product p;
    if (!a || !b || !find_product(a, b, turned, &p))
        return false;
    double out = p.batch * p.m * p.n;
    bool row = bias && bias->rank <= 1 && count_of(bias) == p.n;
    roof_dtype c = result == ROOF_DTYPE_NONE ? a->type->dtype : result;
    roof_gemm(&(roof_gemm_shape){.batch = p.batch,
                                 .m = p.m,
                                 .n = p.n,
                                 .k = p.k,
                                 .a = a->type->dtype,
                                 .b = b->type->dtype,
                                 .c = c,
                                 .bias = row},
              from->out);
    double bytes = bytes_of(a) + bytes_of(b) + bytes_of(bias) + out * roof_dtype_bytes(c);
    if (bias && !row)
        from->out->vector_flops += out;
    work_bytes(from->out, bytes);
    return true;
}

static bool cost_product(const call *from) {
    return multiply(from, 0, 1, -1, false, ROOF_DTYPE_NONE);
}

static bool cost_added_product(const call *from) {
    return multiply(from, 1, 2, 0, false, ROOF_DTYPE_NONE);
}

static bool cost_linear(const call *from) {
    return multiply(from, 0, 1, 2, true, ROOF_DTYPE_NONE);
}

/* The dtype of the result is a number of c10::ScalarType: 5 half, 6 float, 15 bfloat16. */
static bool cost_scaled_product(const call *from) {
    double type = 0;
    roof_dtype result = ROOF_BF16;
    if (whole_numbers(from, 6, &type, 1) == 1)
        result = type == 5 ? ROOF_F16 : type == 6 ? ROOF_F32 : ROOF_BF16;
    return multiply(from, 0, 1, -1, false, result);
}

/* ---- attention ---- */

/* place: the causal flag; 1: heads before tokens ([B, H, L, D]), 0: after them; where starts of sequences of several
 * lengths may be given (0: nowhere), which the shapes do not tell. A tensor behind q, k and v is a mask. */
static bool cost_attention(const call *from) {
    const tensor *q = given(from, 0), *k = given(from, 1), *v = given(from, 2);
    bool heads_first = from->rule->place[1] == 1;
    int head = heads_first ? 1 : 2, token = heads_first ? 2 : 1, causal = flag(from, from->rule->place[0]);
    if (!q || !k || !v || q->rank != 4 || k->rank != 4 || v->rank != 4 || k->length[token] != v->length[token] ||
        q->length[0] != k->length[0] || count_of(q) * count_of(k) * count_of(v) == 0 ||
        (from->rule->place[2] > 0 && given(from, from->rule->place[2])))
        return false;
    double q_len = q->length[token], kv_len = k->length[token];
    if (q_len != kv_len && causal != 0)
        return false; /* which keys a query sees then differs from kernel to kernel */
    roof_attention(&(roof_attention_shape){.batch = q->length[0],
                                           .heads = q->length[head],
                                           .kv_heads = k->length[head],
                                           .q_len = q_len,
                                           .kv_len = kv_len,
                                           .qk_width = q->length[3],
                                           .v_width = v->length[3],
                                           .causal = causal != 0,
                                           .q = q->type->dtype,
                                           .kv = k->type->dtype,
                                           .out = q->type->dtype},
                   from->out);
    work_bytes(from->out, from->out->bytes[ROOF_DRAM] + bytes_of(given(from, 3)));
    from->out->at_least = causal < 0; /* not said: the fewer FLOPs */
    return true;
}

/* ---- convolutions ---- */

enum { CONV_BIAS, CONV_STRIDE, CONV_PADDING, CONV_DILATION, CONV_TRANSPOSED, CONV_OUTPUT_PADDING, CONV_GROUPS };

static int add_argument(roof_argument *to, int count, const char *name, double value) {
    to[count] = (roof_argument){.name = name, .value = value};
    return count + 1;
}

/* One setting an axis (one value serves all), as arguments "stride_h", "stride_w". */
static int add_setting(const call *from, int place, int axes, const char *const names[3], roof_argument *to,
                       int count) {
    double values[3];
    int got = whole_numbers(from, place, values, 3);
    for (int i = 0; i < axes && got > 0; i++)
        count = add_argument(to, count, names[3 - axes + i], values[got == axes ? i : 0]);
    return count;
}

static bool cost_conv(const call *from) {
    static const char *const sizes[] = {"d", "h", "w"}, *const kernels[] = {"kd", "kh", "kw"};
    static const char *const strides[] = {"stride_d", "stride_h", "stride_w"};
    static const char *const paddings[] = {"padding_d", "padding_h", "padding_w"};
    static const char *const dilations[] = {"dilation_d", "dilation_h", "dilation_w"};
    static const char *const outputs[] = {"output_padding_d", "output_padding_h", "output_padding_w"};
    const signed char *place = from->rule->place;
    const tensor *x = given(from, 0), *w = given(from, 1);
    bool turned = flag(from, place[CONV_TRANSPOSED]) == 1;
    double groups = 1;
    roof_argument arguments[32];
    const char *said;
    if (!x || !w || x->rank != w->rank || x->rank < 3 || x->rank > 5 || count_of(x) * count_of(w) == 0 ||
        setting(from, place[CONV_STRIDE], &said) == 0 || whole_numbers(from, place[CONV_GROUPS], &groups, 1) != 1)
        return false;
    int axes = x->rank - 2, count = 0;
    count = add_argument(arguments, count, "batch", x->length[0]);
    count = add_argument(arguments, count, "in", x->length[1]);
    count = add_argument(arguments, count, "out", turned ? w->length[1] * groups : w->length[0]);
    count = add_argument(arguments, count, "groups", groups);
    count = add_argument(arguments, count, "bias", given(from, place[CONV_BIAS]) != NULL);
    for (int i = 0; i < axes; i++) {
        count = add_argument(arguments, count, sizes[3 - axes + i], x->length[2 + i]);
        count = add_argument(arguments, count, kernels[3 - axes + i], w->length[2 + i]);
    }
    count = add_setting(from, place[CONV_STRIDE], axes, strides, arguments, count);
    count = add_setting(from, place[CONV_PADDING], axes, paddings, arguments, count);
    count = add_setting(from, place[CONV_DILATION], axes, dilations, arguments, count);
    if (turned)
        count = add_setting(from, place[CONV_OUTPUT_PADDING], axes, outputs, arguments, count);
    arguments[count++] = (roof_argument){.name = "dtype", .value = x->type->dtype, .dtype = x->type->dtype};
    return roof_operation_build(turned ? ROOF_KIND_CONV_TRANSPOSED : ROOF_KIND_CONV, arguments, (size_t)count,
                                from->out, NULL) == 0;
}

/* ---- norms, softmax, elementwise ---- */

/* place: the weight; 1 when it is an RMS norm. */
static bool cost_norm(const call *from) {
    const tensor *x = given(from, 0), *weight = given(from, from->rule->place[0]);
    double width = weight ? count_of(weight) : 0, normal[RANK];
    if (!x || x->rank == 0)
        return false;
    if (!weight) {
        int got = whole_numbers(from, 1, normal, RANK);
        width = got > 0 ? 1 : 0;
        for (int i = 0; i < got; i++)
            width *= normal[i];
    }
    if (!(width > 0) || !(count_of(x) > 0) || fmod(count_of(x), width) != 0 || !x->type->real)
        return false;
    work_norm(from->out, from->rule->place[1] == 1 ? ROOF_KIND_RMS_NORM : ROOF_KIND_LAYER_NORM, count_of(x) / width,
              width, false, x->type->dtype, weight ? weight->type->dtype : ROOF_DTYPE_NONE);
    return true;
}

static bool cost_softmax(const call *from) {
    const tensor *x = given(from, 0);
    double axis = -1;
    if (!x || x->rank == 0 || !x->type->real || !(count_of(x) > 0))
        return false;
    whole_numbers(from, 1, &axis, 1);
    axis += axis < 0 ? x->rank : 0;
    if (!(axis >= 0 && axis < x->rank))
        return false;
    double width = x->length[(int)axis];
    const roof_argument arguments[] = {{.name = "rows", .value = count_of(x) / width},
                                       {.name = "width", .value = width},
                                       {.name = "dtype", .value = x->type->dtype, .dtype = x->type->dtype}};
    return roof_operation_build(ROOF_KIND_SOFTMAX, arguments, 3, from->out, NULL) == 0;
}

/* The widest of the tensors: floating point before integers, more bytes before fewer. */
static const element *result_type(const call *from) {
    const element *best = NULL;
    for (int i = 0; i < from->count; i++) {
        const tensor *t = given(from, i);
        if (t && (!best || t->type->real > best->real || (t->type->real == best->real && t->type->size > best->size)))
            best = t->type;
    }
    return best;
}

/* Elements of the tensors laid over each other; 0: they do not fit. */
static double broadcast(const call *from) {
    double length[RANK] = {0}, n = 1;
    int rank = 0;
    for (int i = 0; i < from->count; i++) {
        const tensor *t = given(from, i);
        for (int k = 1; t && k <= t->rank; k++) {
            double *axis = &length[RANK - k], other = last_of(t, k);
            if (k > rank || *axis == 1)
                *axis = other;
            else if (other != 1 && other != *axis)
                return 0;
        }
        rank = t && t->rank > rank ? t->rank : rank;
    }
    for (int k = 1; k <= rank; k++)
        n *= length[RANK - k];
    return n;
}

static double input_bytes(const call *from) {
    double total = 0;
    for (int i = 0; i < from->count; i++)
        total += bytes_of(given(from, i));
    return total;
}

/* An operation on `n` elements that moves `bytes`, `written` of them out. */
static bool plain(const call *from, double n, double bytes, double written, double flops, const element *type) {
    if (!(n > 0) || !(bytes > 0))
        return false;
    double size = n * roof_dtype_bytes(type->dtype);
    work_elementwise(from->out, n, (bytes - written) / size, written / size, type->real ? flops : 0, type->dtype);
    work_bytes(from->out, bytes);
    return true;
}

/* place[0] 1: the result is of bool. */
static bool cost_elementwise(const call *from) {
    const element *type = result_type(from);
    double n = type ? broadcast(from) : 0, written = n * (from->rule->place[0] == 1 ? 1 : type ? type->size : 0);
    return plain(from, n, input_bytes(from) + written, written, from->rule->flops, type);
}

/* The first tensor is written, the others are read. */
static bool cost_moved(const call *from) {
    const tensor *out = given(from, 0);
    const element *type = result_type(from);
    return out && plain(from, count_of(out), input_bytes(from), bytes_of(out), from->rule->flops, type);
}

static bool cost_copy(const call *from) {
    const tensor *x = given(from, 0);
    return x && plain(from, count_of(x), 2 * bytes_of(x), bytes_of(x), 0, x->type);
}

static bool cost_write(const call *from) {
    const tensor *x = given(from, 0);
    return x && plain(from, count_of(x), bytes_of(x), bytes_of(x), 0, x->type);
}

/* What is read; the smaller result is not in the shapes. */
static bool cost_reduction(const call *from) {
    const tensor *x = given(from, 0);
    if (!x || !plain(from, count_of(x), bytes_of(x), 0, from->rule->flops, x->type))
        return false;
    from->out->at_least = true;
    return true;
}

/* Rows of tensor place[0] by the numbers in tensor place[1]. */
static bool cost_rows(const call *from) {
    const tensor *table = given(from, from->rule->place[0]), *at = given(from, from->rule->place[1]);
    double axis = 0;
    if (!table || !at || table->rank == 0)
        return false;
    whole_numbers(from, from->rule->place[2], &axis, 1);
    axis += axis < 0 ? table->rank : 0;
    if (!(axis >= 0 && axis < table->rank) || !(table->length[(int)axis] > 0))
        return false;
    double n = count_of(table) / table->length[(int)axis] * count_of(at);
    return plain(from, n, 2 * n * table->type->size + bytes_of(at), n * table->type->size, 0, table->type);
}

/* ---- the table ---- */

#define MAIN(name, cost, ...)                                                                                          \
    { name, cost, 0, {__VA_ARGS__}, true, false }
#define SAID(name, cost, ...)                                                                                          \
    { name, cost, 0, {__VA_ARGS__}, true, true }
#define EACH(name, flops)                                                                                              \
    { name, cost_elementwise, flops, {0}, false, false }
#define TEST(name)                                                                                                     \
    { name, cost_elementwise, 1, {1}, false, false }
#define PART(name, cost, flops)                                                                                        \
    { name, cost, flops, {0}, false, false }

/* Sorted by name; a '_' at the end of an operator (in place) is left away before looking. */
/* clang-format off */
static const kineto_rule rules[] = {
    MAIN("aten::_addmm_activation", cost_added_product, 0),
    SAID("aten::_convolution", cost_conv, 2, 3, 4, 5, 6, 7, 8),
    SAID("aten::_efficient_attention_forward", cost_attention, 9, 0, 4),
    SAID("aten::_flash_attention_forward", cost_attention, 8, 0, 3),
    SAID("aten::_fused_rms_norm", cost_norm, 2, 1),
    SAID("aten::_log_softmax", cost_softmax, 0),
    SAID("aten::_scaled_dot_product_cudnn_attention", cost_attention, 6, 1),
    SAID("aten::_scaled_dot_product_efficient_attention", cost_attention, 6, 1),
    SAID("aten::_scaled_dot_product_flash_attention", cost_attention, 4, 1),
    SAID("aten::_scaled_dot_product_flash_attention_for_cpu", cost_attention, 4, 1),
    SAID("aten::_scaled_dot_product_fused_attention_overrideable", cost_attention, 5, 1),
    SAID("aten::_scaled_mm", cost_scaled_product, 0),
    SAID("aten::_softmax", cost_softmax, 0),
    EACH("aten::abs", 1),
    EACH("aten::add", 1),
    EACH("aten::addcdiv", 3),
    EACH("aten::addcmul", 3),
    MAIN("aten::addmm", cost_added_product, 0),
    MAIN("aten::addmv", cost_added_product, 0),
    PART("aten::amax", cost_reduction, 1),
    PART("aten::amin", cost_reduction, 1),
    PART("aten::argmax", cost_reduction, 1),
    PART("aten::argmin", cost_reduction, 1),
    MAIN("aten::baddbmm", cost_added_product, 0),
    MAIN("aten::bmm", cost_product, 0),
    EACH("aten::clamp", 2),
    EACH("aten::clamp_min", 1),
    PART("aten::clone", cost_copy, 0),
    PART("aten::contiguous", cost_copy, 0),
    SAID("aten::conv1d", cost_conv, 2, 3, 4, 5, -1, -1, 6),
    SAID("aten::conv2d", cost_conv, 2, 3, 4, 5, -1, -1, 6),
    SAID("aten::conv3d", cost_conv, 2, 3, 4, 5, -1, -1, 6),
    SAID("aten::convolution", cost_conv, 2, 3, 4, 5, 6, 7, 8),
    SAID("aten::convolution_overrideable", cost_conv, 2, 3, 4, 5, 6, 7, 8),
    PART("aten::copy", cost_moved, 0),
    EACH("aten::cos", 1),
    SAID("aten::cudnn_convolution", cost_conv, -1, 3, 2, 4, -1, -1, 5),
    EACH("aten::div", 1),
    {"aten::embedding", cost_rows, 0, {0, 1, -1}, false, false},
    TEST("aten::eq"),
    EACH("aten::erf", 1),
    EACH("aten::exp", 1),
    PART("aten::fill", cost_write, 0),
    TEST("aten::ge"),
    EACH("aten::gelu", 4),
    TEST("aten::gt"),
    {"aten::index_select", cost_rows, 0, {0, 2, 1}, false, true},
    SAID("aten::layer_norm", cost_norm, 2, 0),
    TEST("aten::le"),
    MAIN("aten::linear", cost_linear, 0),
    EACH("aten::log", 1),
    SAID("aten::log_softmax", cost_softmax, 0),
    TEST("aten::lt"),
    MAIN("aten::matmul", cost_product, 0),
    PART("aten::max", cost_reduction, 1),
    EACH("aten::maximum", 1),
    PART("aten::mean", cost_reduction, 1),
    EACH("aten::minimum", 1),
    SAID("aten::miopen_convolution", cost_conv, 2, 4, 3, 5, -1, -1, 6),
    SAID("aten::mkldnn_convolution", cost_conv, 2, 4, 3, 5, -1, -1, 6),
    MAIN("aten::mm", cost_product, 0),
    EACH("aten::mul", 1),
    MAIN("aten::mv", cost_product, 0),
    SAID("aten::native_layer_norm", cost_norm, 2, 0),
    TEST("aten::ne"),
    EACH("aten::neg", 1),
    EACH("aten::pow", 1),
    EACH("aten::reciprocal", 1),
    EACH("aten::relu", 1),
    SAID("aten::rms_norm", cost_norm, 2, 1),
    EACH("aten::rsqrt", 1),
    EACH("aten::rsub", 1),
    SAID("aten::scaled_dot_product_attention", cost_attention, 5, 1),
    EACH("aten::sigmoid", 4),
    EACH("aten::silu", 4),
    EACH("aten::sin", 1),
    SAID("aten::softmax", cost_softmax, 0),
    EACH("aten::sqrt", 1),
    EACH("aten::sub", 1),
    PART("aten::sum", cost_reduction, 1),
    EACH("aten::tanh", 1),
    PART("aten::zero", cost_write, 0),
    SAID("flash_attn::_flash_attn_forward", cost_attention, 5, 0),
};
/* clang-format on */

static int compare_names(const void *name, const void *rule) {
    return strcmp(name, ((const kineto_rule *)rule)->name);
}

const kineto_rule *kineto_rule_of(const char *name) {
    char plain_name[96];
    size_t length = strlen(name);
    if (length == 0 || length >= sizeof plain_name)
        return NULL;
    memcpy(plain_name, name, length + 1);
    if (plain_name[length - 1] == '_')
        plain_name[length - 1] = '\0';
    return bsearch(plain_name, rules, sizeof rules / sizeof rules[0], sizeof rules[0], compare_names);
}

bool kineto_rule_is_main(const kineto_rule *rule) {
    return rule && rule->main;
}

bool kineto_rule_uses_settings(const kineto_rule *rule) {
    return rule && rule->settings;
}

bool kineto_cost(const kineto_rule *rule, const kineto_operator *from, roof_operation *out) {
    call one = {.rule = rule, .settings = from->settings, .out = out};
    *out = (roof_operation){0};
    read_dims(from->dims, &one);
    read_types(from->types, &one);
    if (!rule->cost(&one))
        return false;
    return roof_operation_flops(out) <= 1e30 && out->bytes[ROOF_DRAM] > 0 && out->bytes[ROOF_DRAM] <= 1e30;
}
