/* Costs of everything that is not matrix work. Vector FLOPs per element: docs/onnx.md, "Operators". */
#include "read/onnx/cost.h"

#include <math.h>
#include <string.h>

#include "read/onnx/shape.h"
#include "work/kinds.h"
#include "work/ops.h"

/* The dtype an operation is shown with: of its first output; 64-bit integers have no roof, so their bytes alone count.
 */
static roof_dtype shown_dtype(const onnx_call *call) {
    roof_dtype dtype = onnx_out(call, 0) ? onnx_dtype(call->run, call->out[0]->type) : ROOF_DTYPE_NONE;
    return dtype == ROOF_DTYPE_NONE ? ROOF_INT32 : dtype;
}

static double output_elements(const onnx_call *call) {
    return fmax(onnx_elements(onnx_out(call, 0)), 0);
}

/* Tensors that only say what to do (axes, sizes) are on the host; data of ONNX_KEEP_MAX elements or less with known
 * values. */
static bool is_setting(const onnx_value *value) {
    return !value || value->setting || (value->data && onnx_type_of(value->type)->whole);
}

/* An operation of plain counts: kinds that no shape of ours describes. */
static onnx_record *plain(onnx_call *call, double flops, double bytes, bool open) {
    roof_operation operation;
    work_start(&operation, ROOF_KIND_CUSTOM);
    operation.dtype[0] = shown_dtype(call);
    operation.shape[CUSTOM_FLOPS] = flops;
    operation.shape[CUSTOM_BYTES] = bytes;
    operation.shape[CUSTOM_VECTOR] = 1;
    work_kind_of(ROOF_KIND_CUSTOM)->cost(&operation);
    operation.vector_dtype = work_vector_dtype(operation.dtype[0]);
    return onnx_emit(call, &operation, open);
}

static onnx_record *elementwise(onnx_call *call, double flops, bool open) {
    roof_operation operation;
    double n = output_elements(call), size = roof_dtype_bytes(shown_dtype(call)), bytes = onnx_touched(call);
    double written = onnx_bytes(call->run, onnx_out(call, 0));
    work_start(&operation, ROOF_KIND_ELEMENTWISE);
    if (!(n > 0))
        return NULL;
    work_elementwise(&operation, n, (bytes - written) / (n * size), written / (n * size), flops, shown_dtype(call));
    work_bytes(&operation, bytes);
    for (size_t i = 0; i < call->in_count; i++)
        operation.weight_bytes +=
            call->in[i] && call->in[i]->constant && !call->in[i]->setting ? onnx_bytes(call->run, call->in[i]) : 0;
    return onnx_emit(call, &operation, open);
}

void onnx_cost_elementwise(onnx_call *call) {
    double flops = call->op->flops, inputs = 0;
    for (size_t i = 0; i < call->in_count; i++)
        inputs += call->in[i] != NULL;
    elementwise(call, flops < 0 ? -flops * fmax(inputs - 1, 1) : flops, true);
}

/* Bytes of the data that an operator moves: settings left out. */
static double moved(const onnx_call *call, bool only_written) {
    double total = 0;
    for (size_t i = 0; i < call->out_count; i++)
        total += onnx_bytes(call->run, call->out[i]);
    if (only_written)
        return 2 * total;
    for (size_t i = 0; i < call->in_count; i++)
        total += is_setting(call->in[i]) ? 0 : onnx_bytes(call->run, call->in[i]);
    return total;
}

static void copy(onnx_call *call, double bytes) {
    roof_operation operation;
    double size = roof_dtype_bytes(shown_dtype(call));
    if (!(bytes > 0))
        return;
    work_start(&operation, ROOF_KIND_COPY);
    operation.shape[STREAM_N] = bytes / 2 / size;
    operation.dtype[0] = shown_dtype(call);
    work_kind_of(ROOF_KIND_COPY)->cost(&operation);
    work_bytes(&operation, bytes);
    onnx_emit(call, &operation, false);
}

void onnx_cost_copy(onnx_call *call) {
    copy(call, moved(call, false));
}

void onnx_cost_part(onnx_call *call) {
    copy(call, moved(call, true));
}

void onnx_cost_write(onnx_call *call) {
    copy(call, moved(call, true) / 2);
}

/* In place where nothing else needs the old tensor: read and write of the updates. Else a copy of it all; the copy is
 * what the standard says, and counted. */
void onnx_cost_scatter(onnx_call *call) {
    const onnx_value *updates = onnx_in(call, call->in_count > 2 ? 2 : 1);
    copy(call, moved(call, true) + 2 * onnx_bytes(call->run, updates));
}

/* Rows of a table by number: an embedding when whole rows of the first axis are taken. */
void onnx_cost_gather(onnx_call *call) {
    const onnx_value *table = onnx_in(call, 0), *at = onnx_in(call, 1);
    roof_operation operation;
    if (!onnx_has(call, 1))
        return;
    double rows = onnx_elements(at), n = output_elements(call);
    if (onnx_attr_int(call, "axis", 0) != 0 || table->rank < 2 || !(rows > 0) || !(n > 0)) {
        copy(call, moved(call, true) + (is_setting(at) ? 0 : onnx_bytes(call->run, at)));
        return;
    }
    roof_dtype stored = onnx_dtype(call->run, table->stored_type);
    work_embedding(&operation, rows, n / rows, stored == ROOF_DTYPE_NONE ? shown_dtype(call) : stored,
                   shown_dtype(call));
    double share = onnx_elements(table) > 0 ? onnx_bytes(call->run, table) / onnx_elements(table) : 0;
    work_bytes(&operation,
               n * share + onnx_bytes(call->run, call->out[0]) + (is_setting(at) ? 0 : onnx_bytes(call->run, at)));
    onnx_emit(call, &operation, false);
}

void onnx_cost_reduction(onnx_call *call) {
    roof_operation operation;
    double elements = onnx_elements(onnx_in(call, 0)), rows = output_elements(call);
    if (!(elements > 0))
        return;
    work_start(&operation, ROOF_KIND_REDUCTION);
    operation.shape[REDUCTION_ROWS] = rows;
    operation.shape[REDUCTION_WIDTH] = rows > 0 ? elements / rows : 0;
    operation.dtype[0] = shown_dtype(call);
    work_kind_of(ROOF_KIND_REDUCTION)->cost(&operation);
    operation.vector_flops = fmax(elements * call->op->flops - rows, 0);
    work_bytes(&operation, moved(call, false));
    onnx_emit(call, &operation, false);
}

void onnx_cost_pool(onnx_call *call) {
    onnx_window window;
    double size = 1;
    if (onnx_window_of(call, call->in[0], NULL, &window) != 0)
        return;
    for (int i = 0; i < window.axes; i++)
        size *= window.kernel[i];
    plain(call, output_elements(call) * fmax(size * call->op->flops - 1, 0), moved(call, false), false);
}

void onnx_cost_global_pool(onnx_call *call) {
    onnx_cost_reduction(call);
}

/* Before opset 13 the axes from `axis` (default 1) on were one row; since then it is one axis (default the last). */
void onnx_cost_softmax(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    roof_operation operation;
    bool old = call->opset < 13 && !*call->node->domain;
    int axis = onnx_axis(onnx_attr_int(call, "axis", old ? 1 : -1), in->rank);
    double n = onnx_elements(in), width = axis < 0 ? n
                                          : old    ? onnx_product(in->dims + axis, in->rank - axis)
                                                   : in->dims[axis];
    if (!(n > 0))
        return;
    work_start(&operation, ROOF_KIND_SOFTMAX);
    operation.shape[SOFTMAX_ROWS] = n / width;
    operation.shape[SOFTMAX_WIDTH] = width;
    operation.dtype[0] = shown_dtype(call);
    work_kind_of(ROOF_KIND_SOFTMAX)->cost(&operation);
    work_bytes(&operation, moved(call, false));
    onnx_emit(call, &operation, false);
}

static void norm(onnx_call *call, double rows, double width, bool residual, double extra) {
    roof_operation operation;
    bool layer = call->op->flops == FLOPS_LAYER_NORM;
    const onnx_value *scale = onnx_in(call, residual ? 2 : 1);
    if (!(rows * width > 0))
        return;
    work_norm(&operation, layer ? ROOF_KIND_LAYER_NORM : ROOF_KIND_RMS_NORM, rows, width, residual, shown_dtype(call),
              scale ? onnx_dtype(call->run, scale->type) : ROOF_DTYPE_NONE);
    operation.vector_flops += extra * rows * width;
    work_bytes(&operation, onnx_touched(call));
    onnx_emit(call, &operation, !residual);
}

void onnx_cost_norm(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    int axis = onnx_axis(onnx_attr_int(call, "axis", -1), in->rank);
    double width = axis < 0 ? 1 : onnx_product(in->dims + axis, in->rank - axis), n = onnx_elements(in);
    norm(call, width > 0 ? n / width : 0, width, false, 0);
}

/* One row an image and channel, or an image and group of channels. */
void onnx_cost_group_norm(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0);
    double n = onnx_elements(in),
           groups = onnx_attr_int(call, "num_groups", onnx_attr_int(call, "groups", in->rank > 1 ? in->dims[1] : 1));
    double rows = in->rank > 0 ? in->dims[0] * groups : 1;
    norm(call, rows, rows > 0 ? n / rows : 0, false, 0);
}

/* Residual add and norm in one, with the sum as a last output; a bias is one more add. */
void onnx_cost_skip_norm(onnx_call *call) {
    if (!onnx_has(call, 1))
        return;
    const onnx_value *in = onnx_in(call, 0);
    double width = in->rank > 0 ? in->dims[in->rank - 1] : 1, n = onnx_elements(in);
    bool layer = call->op->flops == FLOPS_LAYER_NORM;
    norm(call, width > 0 ? n / width : 0, width, true, onnx_in(call, layer ? 4 : 3) != NULL);
}

/* In inference the statistics fold into one scale and one shift a channel. */
void onnx_cost_batch_norm(onnx_call *call) {
    for (size_t i = 3; i < 5; i++)
        if (onnx_in(call, i))
            onnx_count_parameter(call->run, call->in[i], 0);
    call->out_count = 1;
    elementwise(call, 2, true);
}

/* x / (k + alpha / size * sum of size squares) ^ beta: squares, sums, then scale, shift, power and division. */
void onnx_cost_lrn(onnx_call *call) {
    double size = onnx_attr_int(call, "size", 1);
    plain(call, output_elements(call) * (size + 4), moved(call, false), false);
}

/* Rows of two or three tables are added and normed. */
void onnx_cost_embed_norm(onnx_call *call) {
    if (!onnx_has(call, 2))
        return;
    double n = output_elements(call),
           tables = 1 + (onnx_in(call, 3) != NULL) + (onnx_in(call, 4) != NULL && onnx_in(call, 1) != NULL);
    double row = onnx_type_bytes(call->run, call->out[0]->type), vectors = 0, ids = 0;
    for (size_t i = 5; i < 7; i++)
        vectors += onnx_bytes(call->run, onnx_in(call, i));
    for (size_t i = 0; i < 2; i++)
        ids += onnx_bytes(call->run, onnx_in(call, i));
    plain(call, n * (FLOPS_LAYER_NORM + tables - 1), n * row * (tables + 1) + vectors + ids, false);
}

/* Taps an output element mixes: 2 or 4 along every axis that changes; a product and a sum each. */
void onnx_cost_resize(onnx_call *call) {
    const onnx_value *in = onnx_in(call, 0), *out = call->out[0];
    const char *mode = onnx_attr_text(call, "mode", "nearest");
    double taps = strcmp(mode, "cubic") == 0                                     ? 4
                  : strcmp(mode, "linear") == 0 || strcmp(mode, "bilinear") == 0 ? 2
                                                                                 : 1,
           all = 1;
    for (int i = 0; i < in->rank && i < out->rank; i++)
        all *= in->dims[i] != out->dims[i] ? taps : 1;
    if (all > 1)
        plain(call, output_elements(call) * (2 * all - 1), moved(call, false), false);
    else
        copy(call, moved(call, false));
}

void onnx_cost_quantize(onnx_call *call) {
    onnx_count_scales(call, 1, 3);
    onnx_cost_elementwise(call);
}

/* Rides with its readers, unless nothing is fused or nobody inside the graph reads it. */
void onnx_cost_dequantize(onnx_call *call) {
    bool rides = onnx_out(call, 0)->quantised;
    onnx_count_scales(call, 1, 3);
    onnx_record *record = elementwise(call, call->op->flops, !rides);
    if (!record || !rides)
        return;
    double n = onnx_elements(call->out[0]);
    work_bytes(&record->operation,
               onnx_bytes(call->run, call->out[0]) + n * onnx_type_bytes(call->run, call->out[0]->type));
    record->rides = true;
}
