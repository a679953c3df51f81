/* What the operators ask of a call: inputs, attributes, sizes; and what they say of it: errors and warnings. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "read/onnx/run.h"

onnx_value *onnx_in(const onnx_call *call, size_t index) {
    return index < call->in_count ? call->in[index] : NULL;
}

onnx_value *onnx_out(const onnx_call *call, size_t index) {
    return index < call->out_count ? call->out[index] : NULL;
}

static const onnx_attribute *named(const onnx_attribute *list, const char *name) {
    while (list && strcmp(list->name, name) != 0)
        list = list->next;
    return list;
}

/* Inside a function an attribute may stand for one of the calling node. */
static const onnx_attribute *resolve(const onnx_frame *frame, const onnx_attribute *found) {
    while (found && found->reference && frame) {
        const onnx_attribute *outer = named(frame->node->attributes, found->reference);
        found = outer ? outer : named(frame->function->defaults, found->reference);
        frame = frame->outer;
    }
    return found && found->reference ? NULL : found;
}

const onnx_attribute *onnx_attr(const onnx_call *call, const char *name) {
    return resolve(call->run->frame, named(call->node->attributes, name));
}

double onnx_attr_int(const onnx_call *call, const char *name, double otherwise) {
    const onnx_attribute *found = onnx_attr(call, name);
    return found && found->has_integer ? found->integer : otherwise;
}

double onnx_attr_float(const onnx_call *call, const char *name, double otherwise) {
    const onnx_attribute *found = onnx_attr(call, name);
    return found && found->has_number ? found->number : otherwise;
}

const char *onnx_attr_text(const onnx_call *call, const char *name, const char *otherwise) {
    const onnx_attribute *found = onnx_attr(call, name);
    return found && found->text ? found->text : otherwise;
}

static int copy_numbers(const double *from, double count, double *out, int room) {
    if (!from || count > room)
        return -2;
    for (int i = 0; i < (int)count; i++)
        if (isnan(out[i] = from[i]))
            return -2;
    return (int)count;
}

int onnx_numbers(const onnx_call *call, const char *attribute, size_t index, double *out, int room) {
    const onnx_attribute *found = attribute ? onnx_attr(call, attribute) : NULL;
    if (found && found->count == 0 && found->has_integer)
        return copy_numbers(&found->integer, 1, out, room);
    if (found)
        return found->count == 0 ? 0 : copy_numbers(found->list, (double)found->count, out, room);
    const onnx_value *value = onnx_in(call, index);
    if (!value)
        return -1;
    double elements = onnx_elements(value);
    return elements == 0 ? 0 : elements < 0 ? -2 : copy_numbers(value->data, elements, out, room);
}

double onnx_product(const double *dims, int count) {
    double product = 1;
    for (int i = 0; i < count; i++) {
        if (dims[i] < 0)
            return -1;
        product *= dims[i];
    }
    return product;
}

double onnx_elements(const onnx_value *value) {
    return !value || value->rank < 0 ? -1 : onnx_product(value->dims, value->rank);
}

static bool is_float(int type) {
    return type == ONNX_FLOAT || type == ONNX_FLOAT16 || type == ONNX_BFLOAT16 || type == ONNX_DOUBLE;
}

roof_dtype onnx_dtype(const onnx_run *run, int type) {
    if (run->options->dtype != ROOF_DTYPE_NONE && is_float(type))
        return run->options->dtype;
    return onnx_type_of(type)->dtype;
}

double onnx_type_bytes(const onnx_run *run, int type) {
    if (run->options->dtype != ROOF_DTYPE_NONE && is_float(type))
        return roof_dtype_bytes(run->options->dtype);
    return onnx_type_of(type)->bits / 8;
}

double onnx_bytes(const onnx_run *run, const onnx_value *value) {
    if (!value)
        return 0;
    double elements = onnx_elements(value);
    return value->stored >= 0 ? value->stored : elements < 0 ? -1 : elements * onnx_type_bytes(run, value->type);
}

onnx_value *onnx_root(onnx_value *value) {
    while (value->base)
        value = value->base;
    return value;
}

int onnx_axis(double axis, int rank) {
    if (axis < 0)
        axis += rank;
    return axis >= 0 && axis < rank ? (int)axis : -1;
}

void onnx_set_shape(onnx_value *out, int type, int rank, const double *dims) {
    if (!out)
        return;
    out->type = out->stored_type = type;
    out->rank = rank;
    for (int i = 0; i < rank; i++)
        out->dims[i] = dims[i];
}

void onnx_shape_of(onnx_value *out, const onnx_value *from) {
    onnx_set_shape(out, from->type, from->rank, from->dims);
}

double *onnx_new_data(onnx_call *call, onnx_value *out) {
    double elements = onnx_elements(out);
    if (elements < 0 || elements > ONNX_KEEP_MAX)
        return NULL;
    out->data = onnx_get(&call->run->pool, (elements > 0 ? (size_t)elements : 1) * sizeof(double));
    return out->data;
}

const char *onnx_shape_text(const onnx_value *value, char *buffer, size_t size) {
    size_t n = (size_t)snprintf(buffer, size, value->rank < 0 ? "of unknown shape" : "[");
    for (int i = 0; i < value->rank && n < size; i++)
        n += value->dims[i] < 0 ? (size_t)snprintf(buffer + n, size - n, "%s?", i ? "," : "")
                                : (size_t)snprintf(buffer + n, size - n, "%s%.0f", i ? "," : "", value->dims[i]);
    if (value->rank >= 0 && n < size)
        snprintf(buffer + n, size - n, "]");
    return buffer;
}

/* ------------------------------------------------------------ messages -- */

const char *onnx_keep_text(onnx_pool *pool, const char *text) {
    size_t length = strlen(text);
    char *out = onnx_get(pool, length + 1);
    return out ? memcpy(out, text, length) : NULL;
}

void onnx_warn(onnx_run *run, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct onnx_message *fresh = onnx_get(&run->results, sizeof *fresh);
    if (!fresh || !(fresh->text = onnx_keep_text(&run->results, text)))
        return;
    *run->warning_tail = fresh;
    run->warning_tail = &fresh->next;
}

int onnx_fail(onnx_call *call, roof_status code, const char *format, ...) {
    char text[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const onnx_node *node = call->node;
    roof_fail(call->run->error, code, "node '%.60s' (%.40s): %s",
              *node->name          ? node->name
              : node->output_count ? node->outputs[0]
                                   : "",
              node->op, text);
    if (call->run->error)
        call->run->error->offset = node->offset;
    return -1;
}
