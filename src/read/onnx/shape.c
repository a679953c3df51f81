/* Shapes of operators that move, rename, reduce or combine elements. Rules: the operator pages of ONNX, all versions.
 */
#include "read/onnx/shape.h"

#include <math.h>
#include <string.h>
#include <strings.h>

int onnx_shape_none(onnx_call *call) {
    (void)call;
    return 0;
}

int onnx_shape_same(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    for (size_t i = 0; in && i < call->out_count; i++)
        if (call->out[i])
            onnx_shape_of(call->out[i], in);
    return 0;
}

int onnx_shape_first(onnx_call *call) {
    if (onnx_in(call, 0) && onnx_out(call, 0))
        onnx_shape_of(onnx_out(call, 0), onnx_in(call, 0));
    return 0;
}

static int mismatch(onnx_call *call, const onnx_value *a, const onnx_value *b) {
    char first[80], second[80];
    return onnx_fail(call, ROOF_EFORMAT, "shapes %s and %s are incompatible", onnx_shape_text(a, first, sizeof first),
                     onnx_shape_text(b, second, sizeof second));
}

/* Widens `out` by one more operand; an unknown length beside a length above 1 is that length. */
static int widen(onnx_call *call, onnx_value *out, const onnx_value *in) {
    int rank = out->rank > in->rank ? out->rank : in->rank;
    onnx_value before = *out;
    for (int i = 0; i < rank; i++) { /* from the last axis */
        double a = i < before.rank ? before.dims[before.rank - 1 - i] : 1,
               b = i < in->rank ? in->dims[in->rank - 1 - i] : 1;
        if (a != b && a >= 0 && b >= 0 && a != 1 && b != 1)
            return mismatch(call, &before, in);
        out->dims[rank - 1 - i] = a == 1 ? b : b == 1 ? a : a < 0 ? b : a;
    }
    out->rank = rank;
    return 0;
}

int onnx_broadcast(onnx_call *call, const onnx_value *const *list, size_t count, onnx_value *out) {
    onnx_value wide = {.rank = 0};
    for (size_t i = 0; i < count; i++) {
        if (!list[i])
            continue;
        if (list[i]->rank < 0)
            return 0;
        if (widen(call, &wide, list[i]) != 0)
            return -1;
    }
    if (out)
        onnx_set_shape(out, out->type, wide.rank, wide.dims);
    return 0;
}

static int broadcast(onnx_call *call, int type) {
    onnx_value *out = onnx_out(call, 0);
    if (!out)
        return 0;
    out->type = out->stored_type = type;
    if (call->opset < 7 && call->in_count == 2 && onnx_attr_int(call, "broadcast", 0) != 0 && onnx_in(call, 0)) {
        onnx_set_shape(out, type, call->in[0]->rank,
                       call->in[0]->dims); /* the second stretches to the first, from `axis` */
        return 0;
    }
    return onnx_broadcast(call, (const onnx_value *const *)call->in, call->in_count, out);
}

int onnx_shape_broadcast(onnx_call *call) {
    return broadcast(call, onnx_in(call, 0) ? call->in[0]->type : ONNX_NONE);
}

int onnx_shape_compare(onnx_call *call) {
    return broadcast(call, ONNX_BOOL);
}

int onnx_shape_test(onnx_call *call) {
    if (onnx_in(call, 0) && onnx_out(call, 0))
        onnx_set_shape(call->out[0], ONNX_BOOL, call->in[0]->rank, call->in[0]->dims);
    return 0;
}

int onnx_shape_where(onnx_call *call) {
    return broadcast(call, onnx_in(call, 1) ? call->in[1]->type : ONNX_NONE);
}

int onnx_shape_dropout(onnx_call *call) {
    onnx_shape_same(call);
    if (onnx_out(call, 1) && call->opset >= 10)
        call->out[1]->type = call->out[1]->stored_type = ONNX_BOOL;
    return 0;
}

/* Before opset 6 types go by name: "FLOAT". */
static int type_named(const char *text) {
    for (int type = ONNX_NONE + 1; type < ONNX_TYPE_COUNT; type++)
        if (strcasecmp(onnx_type_of(type)->name, text) == 0)
            return type;
    return ONNX_NONE;
}

int onnx_shape_cast(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *like = onnx_in(call, 1);
    double to = onnx_attr_int(call, "to", like ? like->type : type_named(onnx_attr_text(call, "to", "")));
    if (in && onnx_out(call, 0))
        onnx_set_shape(call->out[0], to > 0 && to < ONNX_TYPE_COUNT ? (int)to : ONNX_NONE, in->rank, in->dims);
    return 0;
}

static int constant_list(onnx_call *call, onnx_value *out, const onnx_attribute *from, int type) {
    double length = (double)from->count;
    onnx_set_shape(out, type, 1, &length);
    double *data = from->list ? onnx_new_data(call, out) : NULL;
    if (data)
        memcpy(data, from->list, from->count * sizeof *data);
    return 0;
}

static int constant_scalar(onnx_call *call, onnx_value *out, double value, int type) {
    onnx_set_shape(out, type, 0, NULL);
    double *data = onnx_new_data(call, out);
    if (data)
        *data = value;
    return 0;
}

int onnx_shape_constant(onnx_call *call) {
    onnx_value *out = onnx_out(call, 0);
    if (!out)
        return 0;
    const onnx_attribute *tensor = onnx_attr(call, "value"), *whole = onnx_attr(call, "value_int"),
                         *real = onnx_attr(call, "value_float");
    const onnx_attribute *wholes = onnx_attr(call, "value_ints"), *reals = onnx_attr(call, "value_floats");
    out->constant = true;
    if (tensor && tensor->tensor) {
        onnx_set_shape(out, tensor->tensor->type, tensor->tensor->rank, tensor->tensor->dims);
        out->data = tensor->tensor->data;
        out->setting = tensor->tensor->rank == 0;
        return 0;
    }
    out->setting = true;
    return whole    ? constant_scalar(call, out, whole->integer, ONNX_INT64)
           : real   ? constant_scalar(call, out, real->number, ONNX_FLOAT)
           : wholes ? constant_list(call, out, wholes, ONNX_INT64)
           : reals  ? constant_list(call, out, reals, ONNX_FLOAT)
                    : 0;
}

/* A shape given as numbers: the rank is known where its length is, even when the lengths are not. */
static void shape_from(const onnx_call *call, const onnx_value *list, onnx_value *out, int type) {
    (void)call;
    double count = onnx_elements(list), dims[ONNX_RANK_MAX];
    out->type = out->stored_type = type;
    if (count < 0 || count > ONNX_RANK_MAX)
        return;
    for (int i = 0; i < (int)count; i++)
        dims[i] = list->data && list->data[i] >= 0 ? list->data[i] : -1;
    onnx_set_shape(out, type, (int)count, dims);
}

int onnx_shape_constant_of(onnx_call *call) {
    const onnx_attribute *value = onnx_attr(call, "value");
    if (onnx_in(call, 0) && onnx_out(call, 0))
        shape_from(call, call->in[0], call->out[0], value && value->tensor ? value->tensor->type : ONNX_FLOAT);
    return 0;
}

int onnx_shape_shape(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    onnx_value *out = onnx_out(call, 0);
    if (!in || !out)
        return 0;
    out->type = out->stored_type = ONNX_INT64;
    out->constant = in->constant;
    if (in->rank < 0) {
        onnx_set_shape(out, ONNX_INT64, 1, (double[]){-1});
        return 0;
    }
    double start = onnx_attr_int(call, "start", 0), end = onnx_attr_int(call, "end", in->rank);
    start = fmax(fmin(start < 0 ? start + in->rank : start, in->rank), 0);
    end = fmax(fmin(end < 0 ? end + in->rank : end, in->rank), start);
    double length = end - start;
    onnx_set_shape(out, ONNX_INT64, 1, &length);
    double *data = onnx_new_data(call, out);
    for (int i = 0; data && i < (int)length; i++)
        data[i] = in->dims[(int)start + i] < 0 ? ONNX_UNKNOWN : in->dims[(int)start + i];
    return 0;
}

int onnx_shape_size(onnx_call *call) {
    double elements = onnx_elements(onnx_in(call, 0));
    return onnx_out(call, 0) ? constant_scalar(call, call->out[0], elements < 0 ? ONNX_UNKNOWN : elements, ONNX_INT64)
                             : 0;
}

/* One length that is not known follows from the number of elements. */
static void complete(onnx_value *out, const onnx_value *in) {
    int open = -1;
    double rest = 1, elements = onnx_elements(in);
    for (int i = 0; i < out->rank; i++) {
        if (out->dims[i] >= 0)
            rest *= out->dims[i];
        else if (open >= 0)
            return;
        else
            open = i;
    }
    if (open >= 0 && elements >= 0 && rest > 0)
        out->dims[open] = elements / rest;
}

int onnx_shape_reshape(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *list = onnx_in(call, 1);
    onnx_value *out = onnx_out(call, 0);
    double dims[ONNX_RANK_MAX];
    if (!in || !out)
        return 0;
    int count = onnx_numbers(call, "shape", 1, dims, ONNX_RANK_MAX);
    if (count < 0) {
        if (list)
            shape_from(call, list, out, in->type);
        return 0;
    }
    bool zero = onnx_attr_int(call, "allowzero", 0) != 0;
    for (int i = 0; i < count; i++)
        if (dims[i] == 0 && !zero)
            dims[i] = i < in->rank ? in->dims[i] : -1;
    onnx_set_shape(out, in->type, count, dims);
    complete(out, in);
    double before = onnx_elements(in), after = onnx_elements(out);
    if (before >= 0 && after >= 0 && before != after)
        return mismatch(call, in, out);
    return 0;
}

int onnx_shape_flatten(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    if (!in || in->rank < 0 || !onnx_out(call, 0))
        return 0;
    double axis = onnx_attr_int(call, "axis", 1);
    int at = (int)(axis < 0 ? axis + in->rank : axis);
    if (at < 0 || at > in->rank)
        return onnx_fail(call, ROOF_EFORMAT, "axis %.0f is outside a shape of %d", axis, in->rank);
    onnx_set_shape(call->out[0], in->type, 2,
                   (double[]){onnx_product(in->dims, at), onnx_product(in->dims + at, in->rank - at)});
    return 0;
}

static int bad_axis(onnx_call *call, double axis, int rank) {
    return onnx_fail(call, ROOF_EFORMAT, "axis %.0f is outside a shape of %d dimensions", axis, rank);
}

int onnx_shape_squeeze(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double axes[ONNX_RANK_MAX], dims[ONNX_RANK_MAX];
    bool gone[ONNX_RANK_MAX] = {false};
    if (!in || in->rank < 0 || !onnx_out(call, 0))
        return 0;
    int count = onnx_numbers(call, "axes", 1, axes, ONNX_RANK_MAX), rank = 0;
    if (count == -2)
        return 0;
    for (int i = 0; i < count; i++) {
        int axis = onnx_axis(axes[i], in->rank);
        if (axis < 0)
            return bad_axis(call, axes[i], in->rank);
        gone[axis] = true;
    }
    for (int i = 0; i < in->rank; i++) {
        if (count < 0 && in->dims[i] < 0)
            return 0;
        if (count < 0 ? in->dims[i] != 1 : !gone[i])
            dims[rank++] = in->dims[i];
        else if (in->dims[i] > 1)
            return onnx_fail(call, ROOF_EFORMAT, "it drops axis %d, which has %.0f elements", i, in->dims[i]);
    }
    onnx_set_shape(call->out[0], in->type, rank, dims);
    return 0;
}

int onnx_shape_unsqueeze(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double axes[ONNX_RANK_MAX], dims[ONNX_RANK_MAX];
    bool fresh[ONNX_RANK_MAX] = {false};
    if (!in || in->rank < 0 || !onnx_out(call, 0))
        return 0;
    int count = onnx_numbers(call, "axes", 1, axes, ONNX_RANK_MAX);
    if (count < 0)
        return 0;
    int rank = in->rank + count;
    if (rank > ONNX_RANK_MAX)
        return onnx_fail(call, ROOF_EUNSUPPORTED, "more than %d dimensions", ONNX_RANK_MAX);
    for (int i = 0; i < count; i++) {
        int axis = onnx_axis(axes[i], rank);
        if (axis < 0 || fresh[axis])
            return bad_axis(call, axes[i], rank);
        fresh[axis] = true;
    }
    for (int i = 0, from = 0; i < rank; i++)
        dims[i] = fresh[i] ? 1 : in->dims[from++];
    onnx_set_shape(call->out[0], in->type, rank, dims);
    return 0;
}

int onnx_shape_transpose(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double perm[ONNX_RANK_MAX], dims[ONNX_RANK_MAX];
    if (!in || in->rank < 0 || !onnx_out(call, 0))
        return 0;
    int count = onnx_numbers(call, "perm", (size_t)-1, perm, ONNX_RANK_MAX);
    for (int i = 0; i < in->rank; i++) {
        int from = count < 0 ? in->rank - 1 - i : i < count ? onnx_axis(perm[i], in->rank) : -1;
        if (from < 0)
            return onnx_fail(call, ROOF_EFORMAT, "its perm does not fit %d dimensions", in->rank);
        dims[i] = in->dims[from];
    }
    onnx_set_shape(call->out[0], in->type, in->rank, dims);
    return 0;
}

int onnx_shape_concat(onnx_call *call) {
    onnx_value *out = onnx_out(call, 0);
    if (!out || !onnx_in(call, 0) || call->in[0]->rank < 0)
        return 0;
    onnx_value sum = *call->in[0];
    int axis = onnx_axis(onnx_attr_int(call, "axis", 1), sum.rank);
    if (axis < 0)
        return bad_axis(call, onnx_attr_int(call, "axis", 1), sum.rank);
    for (size_t n = 1; n < call->in_count; n++) {
        const onnx_value *in = call->in[n];
        if (!in || in->rank < 0) {
            sum.dims[axis] = -1;
            continue;
        }
        if (in->rank != sum.rank)
            return mismatch(call, &sum, in);
        for (int i = 0; i < sum.rank; i++) {
            if (i == axis)
                sum.dims[i] = sum.dims[i] < 0 || in->dims[i] < 0 ? -1 : sum.dims[i] + in->dims[i];
            else if (sum.dims[i] < 0)
                sum.dims[i] = in->dims[i];
            else if (in->dims[i] >= 0 && in->dims[i] != sum.dims[i])
                return mismatch(call, &sum, in);
        }
    }
    onnx_shape_of(out, &sum);
    return 0;
}

int onnx_shape_split(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double parts[ONNX_KEEP_MAX];
    if (!in || in->rank < 0 || call->out_count == 0)
        return 0;
    int axis = onnx_axis(onnx_attr_int(call, "axis", 0), in->rank);
    if (axis < 0)
        return bad_axis(call, onnx_attr_int(call, "axis", 0), in->rank);
    int count = onnx_numbers(call, "split", 1, parts, ONNX_KEEP_MAX);
    double whole = in->dims[axis], part = whole < 0 ? -1 : ceil(whole / (double)call->out_count);
    for (size_t i = 0; i < call->out_count; i++) {
        onnx_value *out = call->out[i];
        if (!out)
            continue;
        onnx_shape_of(out, in);
        if (count >= 0)
            out->dims[axis] = (int)i < count && parts[i] >= 0 ? parts[i] : -1;
        else
            out->dims[axis] = count == -2 || whole < 0 ? -1 : fmax(fmin(part, whole - part * (double)i), 0);
    }
    return 0;
}

/* Elements that start, end and step take of an axis. */
static double slice_length(double length, double start, double end, double step) {
    if (length < 0 || isnan(start) || isnan(end) || step == 0)
        return -1;
    start += start < 0 ? length : 0;
    end += end < 0 ? length : 0;
    if (step > 0) {
        start = fmin(fmax(start, 0), length);
        end = fmin(fmax(end, 0), length);
    } else {
        start = fmin(fmax(start, 0), length - 1);
        end = fmin(fmax(end, -1), length - 1);
    }
    return fmax(ceil((end - start) / step), 0);
}

int onnx_shape_slice(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double starts[ONNX_RANK_MAX], ends[ONNX_RANK_MAX], axes[ONNX_RANK_MAX], steps[ONNX_RANK_MAX];
    onnx_value *out = onnx_out(call, 0);
    if (!in || in->rank < 0 || !out)
        return 0;
    onnx_shape_of(out, in);
    int count = onnx_numbers(call, "starts", 1, starts, ONNX_RANK_MAX),
        last = onnx_numbers(call, "ends", 2, ends, ONNX_RANK_MAX);
    int named = onnx_numbers(call, "axes", 3, axes, ONNX_RANK_MAX),
        stepped = onnx_numbers(call, NULL, 4, steps, ONNX_RANK_MAX);
    if (named == -2 || count == -1) { /* any axis may be cut */
        for (int i = 0; i < out->rank; i++)
            out->dims[i] = -1;
        return 0;
    }
    int cuts = named >= 0 ? named : count >= 0 ? count : (int)fmax(fmin(onnx_elements(onnx_in(call, 1)), in->rank), 0);
    for (int i = 0; i < cuts; i++) {
        int axis = onnx_axis(named >= 0 ? axes[i] : i, in->rank);
        if (axis < 0)
            return bad_axis(call, named >= 0 ? axes[i] : i, in->rank);
        bool known = i < count && i < last && stepped != -2;
        out->dims[axis] = known ? slice_length(in->dims[axis], starts[i], ends[i], i < stepped ? steps[i] : 1) : -1;
    }
    return 0;
}

int onnx_shape_gather(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *at = onnx_in(call, 1);
    double dims[2 * ONNX_RANK_MAX];
    int rank = 0;
    if (!in || !at || in->rank < 0 || at->rank < 0 || !onnx_out(call, 0))
        return 0;
    int axis = onnx_axis(onnx_attr_int(call, "axis", 0), in->rank);
    if (axis < 0)
        return bad_axis(call, onnx_attr_int(call, "axis", 0), in->rank);
    for (int i = 0; i < in->rank; i++) {
        if (i != axis)
            dims[rank++] = in->dims[i];
        for (int j = 0; i == axis && j < at->rank; j++)
            dims[rank++] = at->dims[j];
    }
    if (rank > ONNX_RANK_MAX)
        return onnx_fail(call, ROOF_EUNSUPPORTED, "more than %d dimensions", ONNX_RANK_MAX);
    onnx_set_shape(call->out[0], in->type, rank, dims);
    return 0;
}

int onnx_shape_gather_elements(onnx_call *call) {
    if (onnx_in(call, 0) && onnx_in(call, 1) && onnx_out(call, 0))
        onnx_set_shape(call->out[0], call->in[0]->type, call->in[1]->rank, call->in[1]->dims);
    return 0;
}

int onnx_shape_gather_nd(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *at = onnx_in(call, 1);
    double dims[2 * ONNX_RANK_MAX], batch = onnx_attr_int(call, "batch_dims", 0);
    int rank = 0;
    if (!in || !at || in->rank < 0 || at->rank < 1 || at->dims[at->rank - 1] < 0 || !onnx_out(call, 0))
        return 0;
    double first = batch + at->dims[at->rank - 1];
    for (int i = 0; i < at->rank - 1; i++)
        dims[rank++] = at->dims[i];
    for (int i = (int)fmin(first, in->rank); i < in->rank; i++)
        dims[rank++] = in->dims[i];
    if (rank <= ONNX_RANK_MAX)
        onnx_set_shape(call->out[0], in->type, rank, dims);
    return 0;
}

int onnx_shape_pad(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double pads[2 * ONNX_RANK_MAX], axes[ONNX_RANK_MAX];
    onnx_value *out = onnx_out(call, 0);
    if (!in || in->rank < 0 || !out)
        return 0;
    onnx_shape_of(out, in);
    int count = onnx_numbers(call, onnx_attr(call, "paddings") ? "paddings" : "pads", 1, pads, 2 * ONNX_RANK_MAX);
    int named = onnx_numbers(call, NULL, 3, axes, ONNX_RANK_MAX), cuts = named >= 0 ? named : in->rank;
    bool known = count == 2 * cuts && named != -2;
    for (int i = 0; i < (known ? cuts : in->rank); i++) {
        int axis = known && named >= 0 ? onnx_axis(axes[i], in->rank) : i;
        if (axis < 0)
            return bad_axis(call, axes[i], in->rank);
        out->dims[axis] = known && in->dims[axis] >= 0 ? fmax(in->dims[axis] + pads[i] + pads[i + cuts], 0) : -1;
    }
    return 0;
}

int onnx_shape_expand(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *list = onnx_in(call, 1);
    onnx_value target = {.rank = -1};
    if (!in || !list || !onnx_out(call, 0))
        return 0;
    shape_from(call, list, &target, in->type);
    onnx_value *out = onnx_out(call, 0);
    out->type = out->stored_type = in->type;
    return onnx_broadcast(call, (const onnx_value *const[]){in, &target}, 2, out);
}

int onnx_shape_tile(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double times[ONNX_RANK_MAX];
    if (!in || in->rank < 0 || !onnx_out(call, 0))
        return 0;
    int count = onnx_numbers(call, NULL, 1, times, ONNX_RANK_MAX);
    onnx_shape_of(call->out[0], in);
    for (int i = 0; i < in->rank; i++)
        call->out[0]->dims[i] = count == in->rank && in->dims[i] >= 0 && times[i] >= 0 ? in->dims[i] * times[i] : -1;
    return 0;
}

static double number_of(const onnx_value *value) {
    return value && value->data && onnx_elements(value) == 1 ? value->data[0] : ONNX_UNKNOWN;
}

int onnx_shape_range(onnx_call *call) {
    double start = number_of(onnx_in(call, 0)), limit = number_of(onnx_in(call, 1)), step = number_of(onnx_in(call, 2));
    double length = fmax(ceil((limit - start) / step), 0);
    bool known = !isnan(start) && !isnan(limit) && !isnan(step) && step != 0 && length < 1e15;
    if (onnx_in(call, 0) && onnx_out(call, 0))
        onnx_set_shape(call->out[0], call->in[0]->type, 1, known ? &length : (double[]){-1});
    return 0;
}

int onnx_shape_one_hot(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *values = onnx_in(call, 2);
    double depth = number_of(onnx_in(call, 1)), dims[ONNX_RANK_MAX];
    if (!in || !values || in->rank < 0 || in->rank >= ONNX_RANK_MAX || !onnx_out(call, 0))
        return 0;
    int rank = in->rank + 1, axis = onnx_axis(onnx_attr_int(call, "axis", -1), rank);
    if (axis < 0)
        return bad_axis(call, onnx_attr_int(call, "axis", -1), rank);
    for (int i = 0, from = 0; i < rank; i++)
        dims[i] = i == axis ? (depth >= 0 ? depth : -1) : in->dims[from++];
    onnx_set_shape(call->out[0], values->type, rank, dims);
    return 0;
}

int onnx_shape_top_k(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double k;
    if (!in || in->rank < 0)
        return 0;
    int axis = onnx_axis(onnx_attr_int(call, "axis", -1), in->rank);
    if (axis < 0)
        return bad_axis(call, onnx_attr_int(call, "axis", -1), in->rank);
    int count = onnx_numbers(call, "k", 1, &k, 1);
    for (size_t i = 0; i < call->out_count; i++) {
        if (!call->out[i])
            continue;
        onnx_set_shape(call->out[i], i == 0 ? in->type : ONNX_INT64, in->rank, in->dims);
        call->out[i]->dims[axis] = count == 1 && k >= 0 ? k : -1;
    }
    return 0;
}

int onnx_axes(const onnx_call *call, bool flags[ONNX_RANK_MAX]) {
    const onnx_value *in = onnx_in(call, 0);
    double axes[ONNX_RANK_MAX];
    int count = onnx_numbers(call, "axes", 1, axes, ONNX_RANK_MAX);
    if (count == -2 || !in || in->rank < 0)
        return -1;
    bool all = count <= 0 && onnx_attr_int(call, "noop_with_empty_axes", 0) == 0;
    for (int i = 0; i < ONNX_RANK_MAX; i++)
        flags[i] = all;
    for (int i = 0; i < count; i++)
        if (onnx_axis(axes[i], in->rank) >= 0)
            flags[onnx_axis(axes[i], in->rank)] = true;
    return 0;
}

static void reduced(const onnx_call *call, const bool *flags, int type) {
    const onnx_value *in = call->in[0];
    bool keep = onnx_attr_int(call, "keepdims", 1) != 0;
    double dims[ONNX_RANK_MAX];
    int rank = 0;
    for (int i = 0; i < in->rank; i++)
        if (!flags[i] || keep)
            dims[rank++] = flags[i] ? 1 : in->dims[i];
    onnx_set_shape(onnx_out(call, 0), type, rank, dims);
}

int onnx_shape_reduce(onnx_call *call) {
    bool flags[ONNX_RANK_MAX];
    if (onnx_in(call, 0) && onnx_axes(call, flags) == 0)
        reduced(call, flags, call->in[0]->type);
    return 0;
}

int onnx_shape_arg(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    bool flags[ONNX_RANK_MAX] = {false};
    if (!in || in->rank < 0)
        return 0;
    int axis = onnx_axis(onnx_attr_int(call, "axis", 0), in->rank);
    if (axis < 0)
        return bad_axis(call, onnx_attr_int(call, "axis", 0), in->rank);
    flags[axis] = true;
    reduced(call, flags, ONNX_INT64);
    return 0;
}

int onnx_shape_non_zero(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double count = -1, elements = onnx_elements(in);
    if (!in || !onnx_out(call, 0))
        return 0;
    for (int i = 0; in->data && i < (int)elements; i++)
        count = isnan(in->data[i]) ? HUGE_VAL : fmax(count, 0) + (in->data[i] != 0);
    onnx_set_shape(call->out[0], ONNX_INT64, 2, (double[]){in->rank, count < HUGE_VAL ? count : -1});
    return 0;
}

int onnx_shape_random(onnx_call *call) {
    double dims[ONNX_RANK_MAX];
    int count = onnx_numbers(call, "shape", (size_t)-1, dims, ONNX_RANK_MAX);
    double type = onnx_attr_int(call, "dtype", ONNX_FLOAT);
    if (onnx_out(call, 0) && count >= 0)
        onnx_set_shape(call->out[0], type > 0 && type < ONNX_TYPE_COUNT ? (int)type : ONNX_FLOAT, count, dims);
    return 0;
}

int onnx_shape_quantize(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *zero = onnx_in(call, 2);
    double type = onnx_attr_int(call, "output_dtype", zero ? zero->type : ONNX_UINT8);
    if (in && onnx_out(call, 0))
        onnx_set_shape(call->out[0], type > 0 && type < ONNX_TYPE_COUNT ? (int)type : ONNX_UINT8, in->rank, in->dims);
    return 0;
}

/* The real numbers behind the codes lie in memory as codes with their scales. */
int onnx_shape_dequantize(onnx_call *call) {
    onnx_value *in = onnx_in(call, 0), *scale = onnx_in(call, 1), *out = onnx_out(call, 0);
    if (!in || !scale || !out)
        return 0;
    onnx_set_shape(out, scale->type, in->rank, in->dims);
    double bytes[3] = {onnx_bytes(call->run, in), onnx_bytes(call->run, scale),
                       onnx_bytes(call->run, onnx_in(call, 2))};
    if ((call->run->options->eager && !in->constant) || bytes[0] < 0 || bytes[1] < 0 || bytes[2] < 0)
        return 0;
    out->quantised = true;
    out->base = onnx_root(in);
    out->stored_type = in->stored_type;
    out->stored = bytes[0] + bytes[1] + bytes[2];
    return 0;
}

int onnx_shape_dynamic_quantize(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    if (!in)
        return 0;
    onnx_set_shape(onnx_out(call, 0), ONNX_UINT8, in->rank, in->dims);
    onnx_set_shape(onnx_out(call, 1), ONNX_FLOAT, 0, NULL);
    onnx_set_shape(onnx_out(call, 2), ONNX_UINT8, 0, NULL);
    return 0;
}
