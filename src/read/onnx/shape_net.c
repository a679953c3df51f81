/* Shapes of network layers: windows, products, recurrences, attention, resizing. Rules: the operator pages of ONNX and
 * of ONNX Runtime's contributed operators (docs/ContribOperators.md there). */
#include "read/onnx/shape.h"

#include <math.h>
#include <string.h>

enum { AXES_MAX = ONNX_RANK_MAX - 2 };

/* --------------------------------------------------------------- windows -- */

static int list_or(onnx_call *call, const char *name, int count, double preset, double *out) {
    double list[2 * ONNX_RANK_MAX];
    int found = onnx_numbers(call, name, (size_t)-1, list, 2 * ONNX_RANK_MAX);
    if (found > 0 && found < count)
        return onnx_fail(call, ROOF_EFORMAT, "its %s has %d numbers, not %d", name, found, count);
    for (int i = 0; i < count; i++)
        out[i] = found > 0 ? list[i] : preset;
    return 0;
}

static int check_window(onnx_call *call, const onnx_window *window) {
    for (int i = 0; i < window->axes; i++)
        if (!(window->kernel[i] >= 1 && window->stride[i] >= 1 && window->dilation[i] >= 1))
            return onnx_fail(call, ROOF_EFORMAT,
                             "kernel %.0f, stride %.0f and dilation %.0f of axis %d must be at least 1",
                             window->kernel[i], window->stride[i], window->dilation[i], i);
    return 0;
}

/* auto_pad SAME_*: as much as makes the output ceil(input / stride) long. */
static double same_padding(double length, double stride, double reach) {
    return fmax((ceil(length / stride) - 1) * stride + reach - length, 0);
}

int onnx_window_of(onnx_call *call, const onnx_value *in, const onnx_value *weights, onnx_window *window) {
    double pads[2 * ONNX_RANK_MAX];
    int axes = window->axes = in->rank - 2;
    const char *pad = onnx_attr_text(call, "auto_pad", "NOTSET");
    if (axes < 1 || (weights && weights->rank != in->rank))
        return onnx_fail(call, ROOF_EFORMAT, "an input of %d dimensions and weights of %d do not make a convolution",
                         in->rank, weights ? weights->rank : in->rank);
    if (list_or(call, "kernel_shape", axes, 0, window->kernel) != 0 ||
        list_or(call, "strides", axes, 1, window->stride) != 0 ||
        list_or(call, "dilations", axes, 1, window->dilation) != 0 || list_or(call, "pads", 2 * axes, 0, pads) != 0 ||
        list_or(call, "output_padding", axes, 0, window->extra) != 0)
        return -1;
    for (int i = 0; i < axes; i++) {
        if (weights && weights->dims[i + 2] > 0)
            window->kernel[i] = weights->dims[i + 2];
        double reach = window->dilation[i] * (window->kernel[i] - 1) + 1;
        window->padding[i] = pads[i] + pads[i + axes];
        if (strncmp(pad, "SAME", 4) == 0 && in->dims[i + 2] >= 0)
            window->padding[i] = same_padding(in->dims[i + 2], window->stride[i], reach);
        else if (strcmp(pad, "VALID") == 0)
            window->padding[i] = 0;
    }
    return check_window(call, window);
}

/* Positions of a window along an axis; with `ceil_mode` a last one may hang over, if it begins inside. */
static double positions(double length, const onnx_window *window, int i, bool ceil_mode) {
    double reach = window->dilation[i] * (window->kernel[i] - 1) + 1, room = length + window->padding[i] - reach;
    if (length < 0)
        return -1;
    double count = (ceil_mode ? ceil(room / window->stride[i]) : floor(room / window->stride[i])) + 1;
    return fmax(count, 0);
}

static int no_room(onnx_call *call, const onnx_value *in, int axis) {
    char text[80];
    return onnx_fail(call, ROOF_EFORMAT, "its kernel is longer than axis %d of its input %s", axis,
                     onnx_shape_text(in, text, sizeof text));
}

int onnx_shape_conv(onnx_call *call) {
    bool quantised = strcmp(call->node->op, "QLinearConv") == 0;
    const onnx_value *in = onnx_in(call, 0), *weights = onnx_in(call, quantised ? 3 : 1);
    onnx_value *out = onnx_out(call, 0);
    onnx_window window;
    double dims[ONNX_RANK_MAX];
    if (!in || !weights || !out)
        return 0;
    const onnx_value *zero = quantised ? onnx_in(call, 7) : NULL;
    out->type = out->stored_type = quantised                                    ? (zero ? zero->type : ONNX_UINT8)
                                   : strcmp(call->node->op, "ConvInteger") == 0 ? ONNX_INT32
                                                                                : in->type;
    if (in->rank < 0 || weights->rank < 0)
        return 0;
    if (onnx_window_of(call, in, weights, &window) != 0)
        return -1;
    double groups = onnx_attr_int(call, "group", 1);
    if (groups < 1 || (in->dims[1] >= 0 && weights->dims[1] >= 0 && in->dims[1] != weights->dims[1] * groups))
        return onnx_fail(call, ROOF_EFORMAT, "%.0f channels do not match weights for %.0f in %.0f groups", in->dims[1],
                         weights->dims[1], groups);
    dims[0] = in->dims[0];
    dims[1] = weights->dims[0];
    for (int i = 0; i < window.axes; i++) {
        dims[i + 2] = positions(in->dims[i + 2], &window, i, false);
        if (dims[i + 2] == 0 && in->dims[i + 2] > 0)
            return no_room(call, in, i + 2);
    }
    onnx_set_shape(out, out->type, in->rank, dims);
    return 0;
}

int onnx_shape_conv_transposed(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *weights = onnx_in(call, 1);
    onnx_window window;
    double dims[ONNX_RANK_MAX], said[ONNX_RANK_MAX], groups = onnx_attr_int(call, "group", 1);
    if (!in || !weights || in->rank < 0 || weights->rank < 0 || !onnx_out(call, 0))
        return 0;
    if (onnx_window_of(call, in, weights, &window) != 0)
        return -1;
    if (in->dims[1] >= 0 && weights->dims[0] >= 0 && in->dims[1] != weights->dims[0])
        return onnx_fail(call, ROOF_EFORMAT, "%.0f channels do not match weights for %.0f", in->dims[1],
                         weights->dims[0]);
    int count = onnx_numbers(call, "output_shape", (size_t)-1, said, ONNX_RANK_MAX);
    bool same = strncmp(onnx_attr_text(call, "auto_pad", "NOTSET"), "SAME", 4) == 0;
    dims[0] = in->dims[0];
    dims[1] = weights->dims[1] < 0 ? -1 : weights->dims[1] * groups;
    for (int i = 0; i < window.axes; i++) {
        double reach = window.dilation[i] * (window.kernel[i] - 1) + 1, length = in->dims[i + 2];
        double full = (length - 1) * window.stride[i] + reach + window.extra[i] - window.padding[i];
        if (count >= window.axes)
            full = said[count - window.axes + i];
        else if (same)
            full = length * window.stride[i];
        dims[i + 2] = length < 0 ? -1 : fmax(full, 0);
    }
    onnx_set_shape(call->out[0], in->type, in->rank, dims);
    return 0;
}

int onnx_shape_pool(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    onnx_window window;
    double dims[ONNX_RANK_MAX];
    if (!in || in->rank < 0)
        return 0;
    if (onnx_window_of(call, in, NULL, &window) != 0)
        return -1;
    bool ceil_mode = onnx_attr_int(call, "ceil_mode", 0) != 0;
    dims[0] = in->dims[0];
    dims[1] = in->dims[1];
    for (int i = 0; i < window.axes; i++) {
        dims[i + 2] = positions(in->dims[i + 2], &window, i, ceil_mode);
        if (dims[i + 2] == 0 && in->dims[i + 2] > 0)
            return no_room(call, in, i + 2);
    }
    onnx_set_shape(onnx_out(call, 0), in->type, in->rank, dims);
    onnx_set_shape(onnx_out(call, 1), ONNX_INT64, in->rank, dims);
    return 0;
}

int onnx_shape_global_pool(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    if (!in || in->rank < 0 || !onnx_out(call, 0))
        return 0;
    onnx_shape_of(call->out[0], in);
    for (int i = 2; i < in->rank; i++)
        call->out[0]->dims[i] = 1;
    return 0;
}

static double number_of(const onnx_value *value) {
    return value && value->data && onnx_elements(value) == 1 ? value->data[0] : ONNX_UNKNOWN;
}

static int scaled(onnx_call *call, const onnx_value *in, onnx_value *out, const double *scales, int count) {
    if (count != in->rank)
        return onnx_fail(call, ROOF_EFORMAT, "it has %d scales for %d dimensions", count, in->rank);
    for (int i = 0; i < in->rank; i++)
        out->dims[i] = in->dims[i] < 0 ? -1 : floor(in->dims[i] * scales[i]);
    return 0;
}

/* Sizes with a policy keep the shape's proportions: the smallest or largest of the scales for all axes. */
static void proportional(const onnx_value *in, onnx_value *out, const int *axes, const double *sizes, int count,
                         bool larger) {
    double scale = ONNX_UNKNOWN;
    for (int i = 0; i < count; i++) {
        double own = sizes[i] / in->dims[axes[i]];
        scale = isnan(scale) ? own : larger ? fmax(scale, own) : fmin(scale, own);
    }
    for (int i = 0; i < count; i++)
        out->dims[axes[i]] = in->dims[axes[i]] < 0 ? -1 : round(scale * in->dims[axes[i]]);
}

int onnx_shape_resize(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    onnx_value *out = onnx_out(call, 0);
    double list[ONNX_RANK_MAX], named[ONNX_RANK_MAX];
    int axes[ONNX_RANK_MAX], some;
    if (!in || in->rank < 0 || !out)
        return 0;
    onnx_shape_of(out, in);
    some = onnx_numbers(call, "axes", (size_t)-1, named, ONNX_RANK_MAX);
    for (int i = 0; i < in->rank; i++)
        axes[i] = i < some ? onnx_axis(named[i], in->rank) : i;
    for (int i = 0; i < some; i++)
        if (axes[i] < 0)
            return onnx_fail(call, ROOF_EFORMAT, "axis %.0f is outside a shape of %d dimensions", named[i], in->rank);
    int sizes = onnx_numbers(call, NULL, 3, list, ONNX_RANK_MAX), cuts = some >= 0 ? some : in->rank;
    bool by_size = sizes != -1 && sizes != 0;
    int scales = by_size ? 0 : onnx_numbers(call, NULL, call->opset < 11 ? 1 : 2, list, ONNX_RANK_MAX),
        count = by_size ? sizes : scales;
    if (count != cuts) {
        for (int i = 0; i < cuts; i++)
            out->dims[axes[i]] = -1;
        return 0;
    }
    const char *policy = onnx_attr_text(call, "keep_aspect_ratio_policy", "stretch");
    if (by_size && strcmp(policy, "stretch") != 0) {
        proportional(in, out, axes, list, cuts, strcmp(policy, "not_larger") != 0);
        return 0;
    }
    for (int i = 0; i < cuts; i++)
        out->dims[axes[i]] = by_size ? list[i] : in->dims[axes[i]] < 0 ? -1 : floor(in->dims[axes[i]] * list[i]);
    return 0;
}

int onnx_shape_upsample(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double scales[ONNX_RANK_MAX];
    if (!in || in->rank < 0 || !onnx_out(call, 0))
        return 0;
    onnx_shape_of(call->out[0], in);
    int count = onnx_numbers(call, "scales", 1, scales, ONNX_RANK_MAX);
    if (count == -1 && in->rank == 4) { /* opset 1 */
        double height = onnx_attr_float(call, "height_scale", ONNX_UNKNOWN),
               width = onnx_attr_float(call, "width_scale", ONNX_UNKNOWN);
        return isnan(height) || isnan(width) ? 0 : scaled(call, in, call->out[0], (double[]){1, 1, height, width}, 4);
    }
    if (count >= 0)
        return scaled(call, in, call->out[0], scales, count);
    for (int i = 0; i < in->rank; i++)
        call->out[0]->dims[i] = -1;
    return 0;
}

static int regroup(onnx_call *call, bool deeper) {
    const onnx_value *in = onnx_in(call, 0);
    double block = onnx_attr_int(call, "blocksize", 1), dims[4];
    if (!in || in->rank != 4 || !onnx_out(call, 0))
        return 0;
    if (block < 1)
        return onnx_fail(call, ROOF_EFORMAT, "its blocksize is %.0f", block);
    for (int i = 0; i < 4; i++) {
        double factor = i == 0 ? 1 : i == 1 ? block * block : 1 / block;
        dims[i] = in->dims[i] < 0 ? -1 : deeper ? floor(in->dims[i] * factor) : floor(in->dims[i] / factor);
    }
    onnx_set_shape(call->out[0], in->type, 4, dims);
    return 0;
}

int onnx_shape_depth_to_space(onnx_call *call) {
    return regroup(call, false);
}

int onnx_shape_space_to_depth(onnx_call *call) {
    return regroup(call, true);
}

int onnx_shape_roi_align(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *rois = onnx_in(call, 1);
    if (in && rois && in->rank == 4 && rois->rank == 2)
        onnx_set_shape(onnx_out(call, 0), in->type, 4,
                       (double[]){rois->dims[0], in->dims[1], onnx_attr_int(call, "output_height", 1),
                                  onnx_attr_int(call, "output_width", 1)});
    return 0;
}

int onnx_shape_grid_sample(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *grid = onnx_in(call, 1);
    if (!in || !grid || in->rank < 3 || grid->rank != in->rank || !onnx_out(call, 0))
        return 0;
    onnx_shape_of(call->out[0], in);
    for (int i = 2; i < in->rank; i++)
        call->out[0]->dims[i] = grid->dims[i - 1];
    return 0;
}

/* -------------------------------------------------------------- products -- */

/* Where the operands of a product stand. */
static size_t second_of(const onnx_call *call) {
    return strcmp(call->node->op, "QLinearMatMul") == 0 ? 3 : 1;
}

static void swap_last(onnx_value *value) {
    double last = value->dims[value->rank - 1];
    value->dims[value->rank - 1] = value->dims[value->rank - 2];
    value->dims[value->rank - 2] = last;
}

/* The operands as matrices: vectors get the axis they lack, transpositions are done. False: a shape is not known. */
static bool operands(onnx_call *call, onnx_value *a, onnx_value *b) {
    const onnx_value *first = onnx_in(call, 0), *second = onnx_in(call, second_of(call));
    if (!first || !second || first->rank < 1 || second->rank < 1)
        return false;
    *a = *first;
    *b = *second;
    if (a->rank == 1)
        onnx_set_shape(a, a->type, 2, (double[]){1, first->dims[0]});
    else if (onnx_attr_int(call, "transA", 0) != 0)
        swap_last(a);
    if (b->rank == 1)
        onnx_set_shape(b, b->type, 2, (double[]){second->dims[0], 1});
    else if (onnx_attr_int(call, "transB", 0) != 0)
        swap_last(b);
    return true;
}

static int inner_mismatch(onnx_call *call, const onnx_value *a, const onnx_value *b) {
    char first[80], second[80];
    return onnx_fail(call, ROOF_EFORMAT, "%s times %s: the inner lengths %.0f and %.0f differ",
                     onnx_shape_text(a, first, sizeof first), onnx_shape_text(b, second, sizeof second),
                     a->dims[a->rank - 1], b->dims[b->rank - 2]);
}

static int product(onnx_call *call, onnx_value *out) {
    onnx_value a, b;
    if (!operands(call, &a, &b) || !out)
        return 0;
    double rows = a.dims[a.rank - 2], columns = b.dims[b.rank - 1], inner = a.dims[a.rank - 1],
           other = b.dims[b.rank - 2];
    if (inner >= 0 && other >= 0 && inner != other)
        return inner_mismatch(call, &a, &b);
    onnx_value heads[2] = {a, b};
    heads[0].rank -= 2;
    heads[1].rank -= 2;
    if (onnx_broadcast(call, (const onnx_value *const[]){&heads[0], &heads[1]}, 2, out) != 0)
        return -1;
    if (call->in[0]->rank > 1)
        out->dims[out->rank++] = rows;
    if (call->in[second_of(call)]->rank > 1)
        out->dims[out->rank++] = columns;
    return 0;
}

int onnx_shape_matmul(onnx_call *call) {
    onnx_value *out = onnx_out(call, 0);
    const char *op = call->node->op;
    const onnx_value *in = onnx_in(call, 0), *zero = onnx_in(call, 7);
    if (!out || !in)
        return 0;
    out->type = strcmp(op, "MatMulInteger") == 0          ? ONNX_INT32
                : strcmp(op, "QLinearMatMul") == 0        ? (zero ? zero->type : ONNX_UINT8)
                : strcmp(op, "MatMulIntegerToFloat") == 0 ? ONNX_FLOAT
                                                          : in->type;
    out->stored_type = out->type;
    return product(call, out);
}

int onnx_shape_gemm(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    onnx_value *out = onnx_out(call, 0), flat;
    if (!in || !out)
        return 0;
    out->type = out->stored_type = in->type;
    if (in->rank > 2 && call->opset < 7) { /* caffe2 exports: everything behind the first axis is one row */
        flat = *in;
        onnx_set_shape(&flat, in->type, 2, (double[]){in->dims[0], onnx_product(in->dims + 1, in->rank - 1)});
        call->in[0] = &flat;
        int result = product(call, out);
        call->in[0] = (onnx_value *)in;
        return result;
    }
    return product(call, out);
}

int onnx_product_of(onnx_call *call, onnx_product_shape *out) {
    onnx_value a, b;
    const onnx_value *result = onnx_out(call, 0);
    if (!operands(call, &a, &b) || !result)
        return -1;
    *out = (onnx_product_shape){.batch = 1, .m = a.dims[a.rank - 2], .n = b.dims[b.rank - 1], .k = a.dims[a.rank - 1]};
    double elements = onnx_elements(result), one = out->m * out->n;
    out->batch = one > 0 ? elements / one : 0;
    if (b.rank == 2) { /* one matrix for all rows */
        out->m *= out->batch;
        out->batch = out->batch > 0 ? 1 : 0;
    } else if (onnx_product(b.dims, b.rank - 2) == 1) {
        out->m *= out->batch;
        out->batch = out->batch > 0 ? 1 : 0;
    } else if (onnx_product(a.dims, a.rank - 2) == 1) {
        out->n *= out->batch;
        out->batch = out->batch > 0 ? 1 : 0;
    }
    return 0;
}

int onnx_shape_matmul_bits(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double n = onnx_attr_int(call, "N", -1), k = onnx_attr_int(call, "K", -1);
    if (!in || in->rank < 1 || !onnx_out(call, 0))
        return 0;
    if (n < 1 || k < 1 || (in->dims[in->rank - 1] >= 0 && in->dims[in->rank - 1] != k))
        return onnx_fail(call, ROOF_EFORMAT, "its weights are %.0f by %.0f, its input has rows of %.0f", n, k,
                         in->dims[in->rank - 1]);
    onnx_shape_of(call->out[0], in);
    call->out[0]->dims[in->rank - 1] = n;
    return 0;
}

/* ---------------------------------------------------------------- einsum -- */

enum { ELLIPSIS = 52 }; /* labels: 26 small, 26 capital letters, then the axes of "..." */

static int label_of(char c) {
    return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' + 26 : -1;
}

static const char *term(const char *text, int *labels, int *rank, int ellipsis) {
    *rank = 0;
    for (; *text && *text != ',' && *text != '-'; text++) {
        int label = label_of(*text);
        if (*text == '.') {
            while (text[1] == '.')
                text++;
            for (int i = 0; i < ellipsis && *rank < ONNX_RANK_MAX; i++)
                labels[(*rank)++] = ELLIPSIS + i;
        } else if (label >= 0 && *rank < ONNX_RANK_MAX) {
            labels[(*rank)++] = label;
        } else if (*text != ' ') {
            return NULL;
        }
    }
    return text;
}

static int letters_in(const char *text) {
    int count = 0;
    for (; *text && *text != ',' && *text != '-'; text++)
        count += label_of(*text) >= 0;
    return count;
}

static bool has_ellipsis(const char *text) {
    while (*text && *text != ',' && *text != '-')
        if (*text++ == '.')
            return true;
    return false;
}

/* Without "->" the output has the labels that occur once, in order of the alphabet, behind the ellipsis. */
static void implicit_output(onnx_einsum *e, int ellipsis) {
    int *out = e->labels[e->operands], *rank = &e->ranks[e->operands], times[EINSUM_LABELS] = {0};
    static const char order[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    for (int o = 0; o < e->operands; o++)
        for (int i = 0; i < e->ranks[o]; i++)
            times[e->labels[o][i]]++;
    *rank = 0;
    for (int i = 0; i < ellipsis && *rank < ONNX_RANK_MAX; i++)
        out[(*rank)++] = ELLIPSIS + i;
    for (const char *c = order; *c && *rank < ONNX_RANK_MAX; c++)
        if (times[label_of(*c)] == 1)
            out[(*rank)++] = label_of(*c);
}

static int bad_equation(onnx_call *call, const char *equation) {
    return onnx_fail(call, ROOF_EFORMAT, "its equation '%.100s' does not fit its inputs", equation);
}

/* Lengths of the labels of one operand. -1 where they contradict those before. */
static int take_lengths(onnx_einsum *e, int operand, const onnx_value *in) {
    for (int i = 0; i < e->ranks[operand]; i++) {
        double length = in->dims[i], *known = &e->length[e->labels[operand][i]];
        if (*known >= 0 && length >= 0 && *known != length && *known != 1 && length != 1)
            return -1;
        if (*known < 0 || *known == 1)
            *known = length;
    }
    return 0;
}

/* The term of input `o` begins at `*at`, which moves behind it. -1: it does not fit; 1: the input's shape is not known.
 */
static int parse_input(onnx_call *call, onnx_einsum *e, int o, const char **at, int *ellipsis) {
    const onnx_value *in = onnx_in(call, (size_t)o);
    if (!in || in->rank < 0)
        return 1;
    *ellipsis = has_ellipsis(*at) ? in->rank - letters_in(*at) : 0;
    if (*ellipsis < 0 || *ellipsis > ONNX_RANK_MAX)
        return -1;
    *at = term(*at, e->labels[o], &e->ranks[o], *ellipsis);
    if (!*at || e->ranks[o] != in->rank || take_lengths(e, o, in) != 0)
        return -1;
    return o + 1 < e->operands && *(*at)++ != ',' ? -1 : 0;
}

/* What stands behind "->", or what the inputs imply. */
static int parse_output(onnx_einsum *e, const char *at, int ellipsis) {
    if (*at == '\0') {
        implicit_output(e, ellipsis);
        return 0;
    }
    if (at[0] != '-' || at[1] != '>')
        return -1;
    at = term(at + 2, e->labels[e->operands], &e->ranks[e->operands], ellipsis);
    return at && *at == '\0' ? 0 : -1;
}

int onnx_einsum_parse(onnx_call *call, onnx_einsum *e) {
    const char *equation = onnx_attr_text(call, "equation", ""), *at = equation;
    int widest = 0, ellipses[EINSUM_OPERANDS] = {0};
    if (call->in_count < 1 || call->in_count > EINSUM_OPERANDS)
        return onnx_fail(call, ROOF_EUNSUPPORTED, "%zu operands; at most %d are counted", call->in_count,
                         EINSUM_OPERANDS);
    memset(e, 0, sizeof *e);
    for (int i = 0; i < EINSUM_LABELS; i++)
        e->length[i] = -1;
    e->operands = (int)call->in_count;
    for (int o = 0; o < e->operands; o++) {
        int result = parse_input(call, e, o, &at, &ellipses[o]);
        if (result != 0)
            return result < 0 ? bad_equation(call, equation) : 1;
        widest = ellipses[o] > widest ? ellipses[o] : widest;
    }
    for (int o = 0; o < e->operands; o++)
        if (ellipses[o] > 0 && ellipses[o] != widest)
            return onnx_fail(call, ROOF_EUNSUPPORTED, "ellipses of different lengths in '%.100s'", equation);
    return parse_output(e, at, widest) == 0 ? 0 : bad_equation(call, equation);
}

int onnx_shape_einsum(onnx_call *call) {
    onnx_einsum e;
    double dims[ONNX_RANK_MAX];
    int result = onnx_einsum_parse(call, &e);
    if (result != 0)
        return result < 0 ? -1 : 0;
    for (int i = 0; i < e.ranks[e.operands]; i++)
        dims[i] = e.length[e.labels[e.operands][i]];
    onnx_set_shape(onnx_out(call, 0), call->in[0]->type, e.ranks[e.operands], dims);
    return 0;
}

/* ----------------------------------------------------------- recurrences -- */

int onnx_shape_rnn(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *again = onnx_in(call, 2);
    if (!in || !again || in->rank != 3 || again->rank != 3)
        return in && again && in->rank >= 0 && again->rank >= 0
                   ? onnx_fail(call, ROOF_EFORMAT, "its input and weights need 3 dimensions")
                   : 0;
    bool batch_first = onnx_attr_int(call, "layout", 0) != 0;
    double hidden = again->dims[2], steps = in->dims[batch_first], batch = in->dims[!batch_first],
           directions = again->dims[0];
    double whole[2][4] = {{steps, directions, batch, hidden}, {batch, steps, directions, hidden}};
    double last[2][3] = {{directions, batch, hidden}, {batch, directions, hidden}};
    onnx_set_shape(onnx_out(call, 0), in->type, 4, whole[batch_first]);
    onnx_set_shape(onnx_out(call, 1), in->type, 3, last[batch_first]);
    onnx_set_shape(onnx_out(call, 2), in->type, 3, last[batch_first]);
    return 0;
}

/* Means and deviations, one a row, follow the output (and in SkipLayerNormalization the sum comes last). */
int onnx_shape_norm(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    if (!in)
        return 0;
    onnx_set_shape(onnx_out(call, 0), in->type, in->rank, in->dims);
    onnx_set_shape(onnx_out(call, 3), in->type, in->rank, in->dims);
    int axis = in->rank > 0 ? onnx_axis(onnx_attr_int(call, "axis", -1), in->rank) : -1;
    for (size_t i = 1; i < 3 && axis >= 0; i++) {
        onnx_value *out = onnx_out(call, i);
        if (!out)
            continue;
        onnx_set_shape(out, ONNX_FLOAT, in->rank, in->dims);
        for (int d = axis; d < out->rank; d++)
            out->dims[d] = 1;
    }
    return 0;
}

/* Before opset 14 exporters name the statistics among the outputs; inference leaves them alone. */
int onnx_shape_batch_norm(onnx_call *call) {
    const onnx_value *scale = onnx_in(call, 1);
    for (size_t i = 1; scale && i < call->out_count; i++)
        if (call->out[i])
            onnx_shape_of(call->out[i], scale);
    return onnx_shape_first(call);
}

/* ------------------------------------------------------------- attention -- */

static double dim(const onnx_value *value, int axis) {
    return value && axis < value->rank ? value->dims[axis] : -1;
}

static bool complete(const onnx_heads *h) {
    return h->batch >= 0 && h->heads >= 1 && h->kv_heads >= 1 && h->q_len >= 0 && h->past >= 0 && h->kv_len >= 0 &&
           h->qk_width >= 0 && h->v_width >= 0;
}

/* [batch, heads, length, width], or [batch, length, heads * width] with the heads in an attribute. */
static void rows_of(const onnx_value *value, double heads, double *length, double *own_heads, double *width) {
    bool split = value->rank == 4;
    *own_heads = split ? value->dims[1] : heads;
    *length = dim(value, split ? 2 : 1);
    *width = split ? value->dims[3] : heads > 0 && dim(value, 2) >= 0 ? floor(dim(value, 2) / heads) : -1;
}

bool onnx_heads_of(onnx_call *call, onnx_heads *h) {
    const onnx_value *q = onnx_in(call, 0), *k = onnx_in(call, 1), *v = onnx_in(call, 2), *past = onnx_in(call, 4);
    double fresh, heads;
    if (!q || !k || !v || q->rank < 3 || k->rank < 3 || v->rank < 3)
        return false;
    *h = (onnx_heads){
        .batch = q->dims[0], .past = past ? dim(past, 2) : 0, .causal = onnx_attr_int(call, "is_causal", 0) != 0};
    rows_of(q, onnx_attr_int(call, "q_num_heads", -1), &h->q_len, &h->heads, &h->qk_width);
    rows_of(k, onnx_attr_int(call, "kv_num_heads", -1), &fresh, &h->kv_heads, &h->qk_width);
    rows_of(v, onnx_attr_int(call, "kv_num_heads", -1), &fresh, &heads, &h->v_width);
    h->kv_len = h->past < 0 || fresh < 0 ? -1 : h->past + fresh;
    return complete(h);
}

int onnx_shape_attention(onnx_call *call) {
    onnx_heads h;
    const onnx_value *q = onnx_in(call, 0);
    if (!onnx_heads_of(call, &h))
        return 0;
    if (q->rank == 4)
        onnx_set_shape(onnx_out(call, 0), q->type, 4, (double[]){h.batch, h.heads, h.q_len, h.v_width});
    else
        onnx_set_shape(onnx_out(call, 0), q->type, 3, (double[]){h.batch, h.q_len, h.heads * h.v_width});
    onnx_set_shape(onnx_out(call, 1), q->type, 4, (double[]){h.batch, h.kv_heads, h.kv_len, h.qk_width});
    onnx_set_shape(onnx_out(call, 2), q->type, 4, (double[]){h.batch, h.kv_heads, h.kv_len, h.v_width});
    onnx_set_shape(onnx_out(call, 3), q->type, 4, (double[]){h.batch, h.heads, h.q_len, h.kv_len});
    return 0;
}

/* Input [batch, length, hidden] times weights [hidden, q + k + v]; past and present [2, batch, heads, length, width].
 */
bool onnx_heads_of_ms_attention(onnx_call *call, onnx_heads *h) {
    const onnx_value *in = onnx_in(call, 0), *weights = onnx_in(call, 1), *past = onnx_in(call, 4);
    double heads = onnx_attr_int(call, "num_heads", -1), sizes[3];
    if (!in || in->rank != 3 || !weights || weights->rank != 2 || heads < 1)
        return false;
    if (onnx_numbers(call, "qkv_hidden_sizes", (size_t)-1, sizes, 3) != 3)
        sizes[0] = sizes[1] = sizes[2] = weights->dims[1] < 0 ? -1 : weights->dims[1] / 3;
    *h = (onnx_heads){.batch = in->dims[0],
                      .heads = heads,
                      .kv_heads = heads,
                      .q_len = in->dims[1],
                      .past = past ? dim(past, 3) : 0,
                      .qk_width = floor(sizes[0] / heads),
                      .v_width = floor(sizes[2] / heads),
                      .causal = onnx_attr_int(call, "unidirectional", 0) != 0};
    h->kv_len = h->past < 0 || h->q_len < 0 ? -1 : h->past + h->q_len;
    return complete(h);
}

int onnx_shape_ms_attention(onnx_call *call) {
    onnx_heads h;
    if (!onnx_heads_of_ms_attention(call, &h))
        return 0;
    int type = call->in[0]->type;
    onnx_set_shape(onnx_out(call, 0), type, 3, (double[]){h.batch, h.q_len, h.heads * h.v_width});
    onnx_set_shape(onnx_out(call, 1), type, 5, (double[]){2, h.batch, h.heads, h.kv_len, h.qk_width});
    return 0;
}

/* Query [batch, length, heads * width], or all three packed as [batch, length, heads, 3, width]; keys likewise, packed
 * with the values as [batch, length, heads, 2, width], or [batch, heads, length, width] of another sequence. */
bool onnx_heads_of_multi_head(onnx_call *call, onnx_heads *h) {
    const onnx_value *q = onnx_in(call, 0), *k = onnx_in(call, 1), *v = onnx_in(call, 2), *past = onnx_in(call, 6);
    double heads = onnx_attr_int(call, "num_heads", -1), fresh = -1, same = heads;
    if (!q || q->rank < 3 || heads < 1)
        return false;
    *h = (onnx_heads){.batch = q->dims[0],
                      .heads = heads,
                      .kv_heads = heads,
                      .q_len = q->dims[1],
                      .past = past ? dim(past, 2) : 0,
                      .causal = onnx_attr_int(call, "unidirectional", 0) != 0};
    h->qk_width = h->v_width = q->rank == 5 ? q->dims[4] : q->dims[2] < 0 ? -1 : floor(q->dims[2] / heads);
    if (q->rank == 5 || !k)
        fresh = h->q_len;
    else if (k->rank == 5)
        fresh = k->dims[1];
    else
        rows_of(k, heads, &fresh, &same, &h->qk_width);
    if (v && k && k->rank != 5)
        rows_of(v, heads, &same, &same, &h->v_width);
    h->kv_len = h->past < 0 || fresh < 0 ? -1 : h->past + fresh;
    return complete(h);
}

static void cache_outputs(onnx_call *call, const onnx_heads *h, int type) {
    onnx_set_shape(onnx_out(call, 0), type, 3, (double[]){h->batch, h->q_len, h->heads * h->v_width});
    onnx_set_shape(onnx_out(call, 1), type, 4, (double[]){h->batch, h->kv_heads, h->kv_len, h->qk_width});
    onnx_set_shape(onnx_out(call, 2), type, 4, (double[]){h->batch, h->kv_heads, h->kv_len, h->v_width});
}

int onnx_shape_multi_head(onnx_call *call) {
    onnx_heads h;
    if (onnx_heads_of_multi_head(call, &h))
        cache_outputs(call, &h, call->in[0]->type);
    return 0;
}

/* Query [batch, length, heads * width]; without key and value it holds all three. Caches [batch, kv heads, length,
 * width]. A total length that is known counts; else the cache and the new tokens. */
bool onnx_heads_of_grouped_query(onnx_call *call, onnx_heads *h) {
    const onnx_value *q = onnx_in(call, 0), *k = onnx_in(call, 1), *past = onnx_in(call, 3);
    double heads = onnx_attr_int(call, "num_heads", -1), kv = onnx_attr_int(call, "kv_num_heads", heads),
           total = number_of(onnx_in(call, 6));
    if (!q || q->rank != 3 || heads < 1 || kv < 1)
        return false;
    *h = (onnx_heads){.batch = q->dims[0],
                      .heads = heads,
                      .kv_heads = kv,
                      .q_len = q->dims[1],
                      .past = past ? dim(past, 2) : 0,
                      .causal = true,
                      .window = fmax(onnx_attr_int(call, "local_window_size", -1), 0)};
    h->qk_width = h->v_width = q->dims[2] < 0 ? -1 : floor(q->dims[2] / (k ? heads : heads + 2 * kv));
    h->kv_len = total >= h->q_len ? total : h->past < 0 ? -1 : h->past + h->q_len;
    return complete(h);
}

int onnx_shape_grouped_query(onnx_call *call) {
    onnx_heads h;
    if (onnx_heads_of_grouped_query(call, &h))
        cache_outputs(call, &h, call->in[0]->type);
    return 0;
}

int onnx_shape_embed_norm(onnx_call *call) {
    const onnx_value *ids = onnx_in(call, 0), *table = onnx_in(call, 2);
    if (!ids || !table || ids->rank != 2 || table->rank != 2)
        return 0;
    double shape[3] = {ids->dims[0], ids->dims[1], table->dims[1]};
    onnx_set_shape(onnx_out(call, 0), table->type, 3, shape);
    onnx_set_shape(onnx_out(call, 1), ONNX_INT32, 1, shape); /* the mask's length of each sequence */
    onnx_set_shape(onnx_out(call, 2), table->type, 3, shape);
    return 0;
}
