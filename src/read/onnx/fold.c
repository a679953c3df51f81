/* Constant folding. Integers are doubles here: exact up to 2^53, and shapes are far below. NaN is a value not known. */
#include "read/onnx/fold.h"

#include <math.h>

#include "read/onnx/shape.h"

#define BINARY(name, value)                                                                                            \
    double onnx_##name(double a, double b, bool whole) {                                                               \
        (void)whole;                                                                                                   \
        return isnan(a) || isnan(b) ? ONNX_UNKNOWN : (value);                                                          \
    }
#define UNARY(name, value)                                                                                             \
    double onnx_##name(double a, double b, bool whole) {                                                               \
        (void)b, (void)whole;                                                                                          \
        return isnan(a) ? ONNX_UNKNOWN : (value);                                                                      \
    }
BINARY(add, a + b)
BINARY(sub, a - b)
BINARY(mul, a *b)
BINARY(mod, b == 0 ? ONNX_UNKNOWN : a - b * floor(a / b))
BINARY(pow, pow(a, b))
BINARY(min, fmin(a, b))
BINARY(max, fmax(a, b))
BINARY(equal, a == b)
BINARY(less, a < b)
BINARY(greater, a > b)
BINARY(less_equal, a <= b)
BINARY(greater_equal, a >= b)
BINARY(and, a != 0 && b != 0)
BINARY(or, a != 0 || b != 0)
BINARY(xor, (a != 0) != (b != 0))
UNARY(not, a == 0)
UNARY(neg, -a)
UNARY(abs, fabs(a))
UNARY(floor, floor(a))
UNARY(ceil, ceil(a))
UNARY(round, nearbyint(a))
UNARY(sqrt, a < 0 ? ONNX_UNKNOWN : sqrt(a))
UNARY(exp, exp(a))
UNARY(log, a <= 0 ? ONNX_UNKNOWN : log(a))
UNARY(sign, (a > 0) - (a < 0))
UNARY(reciprocal, a == 0 ? ONNX_UNKNOWN : 1 / a)
UNARY(relu, fmax(a, 0))

double onnx_div(double a, double b, bool whole) {
    if (isnan(a) || isnan(b) || b == 0)
        return ONNX_UNKNOWN;
    return whole ? trunc(a / b) : a / b;
}

static bool known(const onnx_value *value) {
    return value && value->data && onnx_elements(value) >= 0;
}

static bool is_whole(const onnx_value *value) {
    return onnx_type_of(value->type)->whole;
}

static size_t count_of(const onnx_value *value) {
    return (size_t)onnx_elements(value);
}

/* Elements between neighbours of each axis. */
static void strides_of(const onnx_value *value, double strides[ONNX_RANK_MAX]) {
    double stride = 1;
    for (int i = value->rank - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= value->dims[i];
    }
}

/* out[i...] = in[offset + sum of i * stride]: what slices, transpositions and broadcasts come to. */
static void view(const onnx_value *out, double *data, const onnx_value *in, double offset, const double *strides) {
    double index[ONNX_RANK_MAX] = {0}, at = offset, end = onnx_elements(in);
    for (size_t n = count_of(out), i = 0; i < n; i++) {
        data[i] = at >= 0 && at < end ? in->data[(size_t)at] : ONNX_UNKNOWN;
        for (int axis = out->rank - 1; axis >= 0; axis--) {
            at += strides[axis];
            if (++index[axis] < out->dims[axis])
                break;
            at -= strides[axis] * out->dims[axis];
            index[axis] = 0;
        }
    }
}

/* `in` stretched to the shape of `out`, axes counted from the last. */
static void stretch(const onnx_value *out, double *data, const onnx_value *in) {
    double own[ONNX_RANK_MAX], strides[ONNX_RANK_MAX];
    strides_of(in, own);
    for (int i = 0; i < out->rank; i++) {
        int from = i - (out->rank - in->rank);
        strides[i] = from < 0 || in->dims[from] == 1 ? 0 : own[from];
    }
    view(out, data, in, 0, strides);
}

void onnx_fold_unary(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double *data = known(in) ? onnx_new_data(call, call->out[0]) : NULL;
    for (size_t i = 0; data && i < count_of(in); i++)
        data[i] = call->op->apply(in->data[i], 0, is_whole(in));
}

void onnx_fold_binary(onnx_call *call) {
    double other[ONNX_KEEP_MAX];
    onnx_value *out = call->out[0];
    for (size_t i = 0; i < call->in_count; i++)
        if (!known(call->in[i]) || call->in[i]->rank > out->rank)
            return;
    double *data = call->in_count > 0 ? onnx_new_data(call, out) : NULL;
    if (!data)
        return;
    stretch(out, data, call->in[0]);
    bool whole = is_whole(call->in[0]);
    for (size_t i = 1; i < call->in_count; i++) {
        stretch(out, other, call->in[i]);
        for (size_t e = 0; e < count_of(out); e++)
            data[e] = call->op->apply(data[e], other[e], whole);
    }
}

void onnx_fold_clip(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double least, most;
    if (!known(in))
        return;
    int low = onnx_numbers(call, NULL, 1, &least, 1), high = onnx_numbers(call, NULL, 2, &most, 1);
    if (low == -1)
        least = onnx_attr_float(call, "min", -HUGE_VAL);
    if (high == -1)
        most = onnx_attr_float(call, "max", HUGE_VAL);
    double *data = low == -2 || high == -2 ? NULL : onnx_new_data(call, call->out[0]);
    for (size_t i = 0; data && i < count_of(in); i++)
        data[i] = isnan(in->data[i]) ? ONNX_UNKNOWN : fmin(fmax(in->data[i], least), most);
}

void onnx_fold_where(onnx_call *call) {
    double yes[ONNX_KEEP_MAX], no[ONNX_KEEP_MAX];
    onnx_value *out = call->out[0];
    for (size_t i = 0; i < 3; i++)
        if (!known(onnx_in(call, i)) || call->in[i]->rank > out->rank)
            return;
    double *data = onnx_new_data(call, out);
    if (!data)
        return;
    stretch(out, data, call->in[0]);
    stretch(out, yes, call->in[1]);
    stretch(out, no, call->in[2]);
    for (size_t i = 0; i < count_of(out); i++)
        data[i] = isnan(data[i]) ? (yes[i] == no[i] ? yes[i] : ONNX_UNKNOWN) : data[i] != 0 ? yes[i] : no[i];
}

void onnx_fold_cast(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    onnx_value *out = call->out[0];
    double *data = known(in) ? onnx_new_data(call, out) : NULL;
    for (size_t i = 0; data && i < count_of(in); i++) {
        data[i] = is_whole(out) ? trunc(in->data[i]) : in->data[i];
        if (out->type == ONNX_BOOL && !isnan(in->data[i]))
            data[i] = in->data[i] != 0;
    }
}

void onnx_fold_copy(onnx_call *call) {
    if (known(onnx_in(call, 0)) && onnx_elements(call->in[0]) == onnx_elements(call->out[0]))
        call->out[0]->data = call->in[0]->data;
}

void onnx_fold_constant_of(onnx_call *call) {
    const onnx_attribute *value = onnx_attr(call, "value");
    double fill = value && value->tensor
                      ? (value->tensor->data && value->tensor->elements == 1 ? value->tensor->data[0] : ONNX_UNKNOWN)
                      : 0;
    double *data = onnx_new_data(call, call->out[0]);
    for (size_t i = 0; data && i < count_of(call->out[0]); i++)
        data[i] = fill;
}

/* Along an axis a tensor is `outer` blocks of `length` rows of `inner` elements. */
typedef struct layout {
    size_t outer, length, inner;
} layout;

static layout layout_of(const onnx_value *value, int axis) {
    return (layout){(size_t)onnx_product(value->dims, axis), (size_t)value->dims[axis],
                    (size_t)onnx_product(value->dims + axis + 1, value->rank - axis - 1)};
}

void onnx_fold_gather(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *at = onnx_in(call, 1);
    if (!known(in) || !known(at))
        return;
    layout from = layout_of(in, onnx_axis(onnx_attr_int(call, "axis", 0), in->rank));
    double *data = onnx_new_data(call, call->out[0]);
    size_t n = 0, picks = count_of(at);
    for (size_t o = 0; data && o < from.outer; o++) {
        for (size_t p = 0; p < picks; p++) {
            double row = at->data[p] < 0 ? at->data[p] + (double)from.length : at->data[p];
            bool inside = row >= 0 && row < (double)from.length;
            for (size_t i = 0; i < from.inner; i++)
                data[n++] = inside ? in->data[(o * from.length + (size_t)row) * from.inner + i] : ONNX_UNKNOWN;
        }
    }
}

void onnx_fold_concat(onnx_call *call) {
    onnx_value *out = call->out[0];
    for (size_t i = 0; i < call->in_count; i++)
        if (!known(call->in[i]))
            return;
    int axis = onnx_axis(onnx_attr_int(call, "axis", 1), out->rank);
    double *data = axis < 0 ? NULL : onnx_new_data(call, out);
    if (!data)
        return;
    size_t outer = layout_of(out, axis).outer, n = 0;
    for (size_t o = 0; o < outer; o++) {
        for (size_t i = 0; i < call->in_count; i++) {
            layout from = layout_of(call->in[i], axis);
            for (size_t e = 0; e < from.length * from.inner; e++)
                data[n++] = call->in[i]->data[o * from.length * from.inner + e];
        }
    }
}

void onnx_fold_slice(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double starts[ONNX_RANK_MAX], axes[ONNX_RANK_MAX], steps[ONNX_RANK_MAX], strides[ONNX_RANK_MAX], offset = 0;
    if (!known(in) || onnx_elements(call->out[0]) == 0)
        return;
    int count = onnx_numbers(call, "starts", 1, starts, ONNX_RANK_MAX),
        named = onnx_numbers(call, "axes", 3, axes, ONNX_RANK_MAX);
    int stepped = onnx_numbers(call, NULL, 4, steps, ONNX_RANK_MAX);
    strides_of(in, strides);
    for (int i = 0; i < count; i++) {
        int axis = onnx_axis(named >= 0 ? (i < named ? axes[i] : -99) : i, in->rank);
        if (axis < 0)
            return;
        double step = i < stepped ? steps[i] : 1, length = in->dims[axis],
               start = starts[i] < 0 ? starts[i] + length : starts[i];
        offset += fmin(fmax(start, 0), step > 0 ? length : length - 1) * strides[axis];
        strides[axis] *= step;
    }
    double *data = onnx_new_data(call, call->out[0]);
    if (data)
        view(call->out[0], data, in, offset, strides);
}

void onnx_fold_split(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double strides[ONNX_RANK_MAX], offset = 0;
    if (!known(in))
        return;
    int axis = onnx_axis(onnx_attr_int(call, "axis", 0), in->rank);
    strides_of(in, strides);
    for (size_t i = 0; i < call->out_count; i++) {
        onnx_value *out = call->out[i];
        if (!out || onnx_elements(out) < 0 || offset + out->dims[axis] > in->dims[axis])
            return;
        double *data = onnx_new_data(call, out);
        if (data && onnx_elements(out) > 0)
            view(out, data, in, offset * strides[axis], strides);
        offset += out->dims[axis];
    }
}

void onnx_fold_transpose(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double perm[ONNX_RANK_MAX], own[ONNX_RANK_MAX], strides[ONNX_RANK_MAX];
    double *data = known(in) ? onnx_new_data(call, call->out[0]) : NULL;
    if (!data)
        return;
    int count = onnx_numbers(call, "perm", (size_t)-1, perm, ONNX_RANK_MAX);
    strides_of(in, own);
    for (int i = 0; i < in->rank; i++)
        strides[i] = own[count < 0 ? in->rank - 1 - i : onnx_axis(perm[i], in->rank)];
    if (onnx_elements(in) == onnx_elements(call->out[0]) && onnx_elements(in) > 0)
        view(call->out[0], data, in, 0, strides);
}

void onnx_fold_expand(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double *data =
        known(in) && in->rank <= call->out[0]->rank && onnx_elements(in) > 0 ? onnx_new_data(call, call->out[0]) : NULL;
    if (data)
        stretch(call->out[0], data, in);
}

void onnx_fold_range(onnx_call *call) {
    double start, step;
    if (onnx_numbers(call, NULL, 0, &start, 1) != 1 || onnx_numbers(call, NULL, 2, &step, 1) != 1)
        return;
    double *data = onnx_new_data(call, call->out[0]);
    for (size_t i = 0; data && i < count_of(call->out[0]); i++)
        data[i] = start + step * (double)i;
}

/* Every element goes to the output element that shares its other axes. */
static bool reduce(onnx_call *call, double (*apply)(double, double, bool)) {
    const onnx_value *in = onnx_in(call, 0);
    bool flags[ONNX_RANK_MAX];
    double strides[ONNX_RANK_MAX], index[ONNX_RANK_MAX] = {0}, stride = 1;
    bool filled[ONNX_KEEP_MAX] = {false};
    if (!known(in) || onnx_elements(in) == 0 || onnx_axes(call, flags) != 0)
        return false;
    double *data = onnx_new_data(call, call->out[0]);
    for (int i = in->rank - 1; i >= 0; i--) {
        strides[i] = flags[i] ? 0 : stride;
        stride *= flags[i] ? 1 : in->dims[i];
    }
    for (size_t e = 0; data && e < count_of(in); e++) {
        double at = 0;
        for (int i = 0; i < in->rank; i++)
            at += index[i] * strides[i];
        size_t to = (size_t)at;
        data[to] = filled[to] ? apply(data[to], in->data[e], is_whole(in)) : in->data[e];
        filled[to] = true;
        for (int i = in->rank - 1; i >= 0 && ++index[i] >= in->dims[i]; i--)
            index[i] = 0;
    }
    return data != NULL;
}

void onnx_fold_reduce(onnx_call *call) {
    reduce(call, call->op->apply);
}

void onnx_fold_mean(onnx_call *call) {
    onnx_value *out = call->out[0];
    if (!reduce(call, onnx_add))
        return;
    for (size_t i = 0; i < count_of(out); i++)
        out->data[i] = onnx_div(out->data[i], onnx_elements(call->in[0]) / onnx_elements(out), is_whole(out));
}

void onnx_fold_non_zero(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    if (!known(in) || call->out[0]->rank != 2)
        return;
    double strides[ONNX_RANK_MAX], *data = onnx_new_data(call, call->out[0]);
    size_t columns = (size_t)call->out[0]->dims[1], column = 0;
    strides_of(in, strides);
    for (size_t e = 0; data && e < count_of(in); e++) {
        if (in->data[e] == 0 || column >= columns)
            continue;
        for (int i = 0; i < in->rank; i++)
            data[(size_t)i * columns + column] = fmod(floor((double)e / strides[i]), in->dims[i]);
        column++;
    }
}

void onnx_fold_tile(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    onnx_value *out = call->out[0];
    double own[ONNX_RANK_MAX], index[ONNX_RANK_MAX] = {0};
    double *data = known(in) && onnx_elements(in) > 0 && in->rank == out->rank ? onnx_new_data(call, out) : NULL;
    strides_of(in ? in : out, own);
    for (size_t e = 0; data && e < count_of(out); e++) {
        double at = 0;
        for (int i = 0; i < out->rank; i++)
            at += fmod(index[i], in->dims[i]) * own[i];
        data[e] = in->data[(size_t)at];
        for (int i = out->rank - 1; i >= 0 && ++index[i] >= out->dims[i]; i--)
            index[i] = 0;
    }
}
