/* Tensors of an ONNX file: types, lists of numbers, values of small tensors. Field numbers: onnx.proto3 of ONNX 1.17
 * (IR version 10), github.com/onnx/onnx. */
#include <math.h>
#include <string.h>

#include "read/onnx/parse.h"

enum tensor_field {
    TENSOR_DIMS = 1,
    TENSOR_TYPE = 2,
    TENSOR_FLOATS = 4,
    TENSOR_INT32 = 5,
    TENSOR_INT64 = 7,
    TENSOR_NAME = 8,
    TENSOR_RAW = 9,
    TENSOR_DOUBLES = 10,
    TENSOR_UINT64 = 11
};
enum sparse_field { SPARSE_VALUES = 1, SPARSE_DIMS = 3 };

static const onnx_type_info types[ONNX_TYPE_COUNT] = {
    [ONNX_NONE] = {"none", 0, ROOF_DTYPE_NONE, false, false, false},
    [ONNX_FLOAT] = {"float", 32, ROOF_F32, true, false, true},
    [ONNX_UINT8] = {"uint8", 8, ROOF_INT8, false, true, true},
    [ONNX_INT8] = {"int8", 8, ROOF_INT8, false, true, true},
    [ONNX_UINT16] = {"uint16", 16, ROOF_INT16, false, true, true},
    [ONNX_INT16] = {"int16", 16, ROOF_INT16, false, true, true},
    [ONNX_INT32] = {"int32", 32, ROOF_INT32, false, true, true},
    [ONNX_INT64] = {"int64", 64, ROOF_DTYPE_NONE, false, true, false},
    [ONNX_STRING] = {"string", 0, ROOF_DTYPE_NONE, false, false, false},
    [ONNX_BOOL] = {"bool", 8, ROOF_INT8, false, true, false},
    [ONNX_FLOAT16] = {"float16", 16, ROOF_F16, true, false, true},
    [ONNX_DOUBLE] = {"double", 64, ROOF_F64, true, false, true},
    [ONNX_UINT32] = {"uint32", 32, ROOF_INT32, false, true, true},
    [ONNX_UINT64] = {"uint64", 64, ROOF_DTYPE_NONE, false, true, false},
    [ONNX_COMPLEX64] = {"complex64", 64, ROOF_F32, true, false, true},
    [ONNX_COMPLEX128] = {"complex128", 128, ROOF_F64, true, false, true},
    [ONNX_BFLOAT16] = {"bfloat16", 16, ROOF_BF16, true, false, true},
    [ONNX_FLOAT8E4M3FN] = {"float8e4m3fn", 8, ROOF_FP8, true, false, true},
    [ONNX_FLOAT8E4M3FNUZ] = {"float8e4m3fnuz", 8, ROOF_FP8, true, false, true},
    [ONNX_FLOAT8E5M2] = {"float8e5m2", 8, ROOF_FP8_E5M2, true, false, true},
    [ONNX_FLOAT8E5M2FNUZ] = {"float8e5m2fnuz", 8, ROOF_FP8_E5M2, true, false, true},
    [ONNX_UINT4] = {"uint4", 4, ROOF_INT4, false, true, true},
    [ONNX_INT4] = {"int4", 4, ROOF_INT4, false, true, true},
    [ONNX_FLOAT4E2M1] = {"float4e2m1", 4, ROOF_FP4, true, false, true},
    [ONNX_FLOAT8E8M0] = {"float8e8m0", 8, ROOF_FP8, true, false, true},
    [ONNX_UINT2] = {"uint2", 2, ROOF_INT4, false, true, true},
    [ONNX_INT2] = {"int2", 2, ROOF_INT4, false, true, true},
};

const onnx_type_info *onnx_type_of(int type) {
    return &types[type > 0 && type < ONNX_TYPE_COUNT ? type : ONNX_NONE];
}

/* ------------------------------------------------------------- numbers -- */

double onnx_single(uint64_t bits) {
    uint32_t small = (uint32_t)bits;
    float value;
    memcpy(&value, &small, sizeof value);
    return (double)value;
}

static double twice(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void add(onnx_numbers_list *list, double value) {
    if (list->count < ONNX_KEEP_MAX)
        list->data[list->count] = value;
    list->count++;
}

/* Packed numbers of a fixed width: many are counted, few are read. */
static int add_fixed(onnx_parser *p, const protobuf_message *content, size_t width, onnx_numbers_list *list) {
    uint64_t count = (content->end - content->at) / width;
    if (list->count + count > ONNX_KEEP_MAX) {
        list->count += (size_t)count;
        return 0;
    }
    protobuf_message rest = *content;
    for (; count > 0; count--, rest.at += width) {
        uint64_t bits = 0;
        if (protobuf_copy(&rest, &bits, width, p->error) != 0)
            return -1;
        add(list, width == 4 ? onnx_single(bits) : twice(bits));
    }
    return 0;
}

/* Packed varints take at least a byte each, so that content longer than ten bytes an element cannot be short. */
static int add_varints(onnx_parser *p, const protobuf_message *content, onnx_numbers_list *list) {
    protobuf_message rest = *content;
    uint64_t value;
    int more;
    if (rest.end - rest.at > 10 * ONNX_KEEP_MAX) {
        list->count += ONNX_KEEP_MAX + 1;
        return 0;
    }
    while ((more = protobuf_varint(&rest, &value, "list of numbers", p->error)) == 1)
        add(list, onnx_whole(value));
    return more;
}

/* One number, or a packed run of them. */
int onnx_add_numbers(onnx_parser *p, const protobuf_field *field, onnx_numbers_list *list) {
    switch (field->wire) {
    case PROTOBUF_FIXED32:
        add(list, onnx_single(field->value));
        return 0;
    case PROTOBUF_FIXED64:
        add(list, twice(field->value));
        return 0;
    case PROTOBUF_VARINT:
        add(list, onnx_whole(field->value));
        return 0;
    default:
        return add_varints(p, &field->content, list);
    }
}

int onnx_add_reals(onnx_parser *p, const protobuf_field *field, size_t width, onnx_numbers_list *list) {
    return field->wire == PROTOBUF_BYTES ? add_fixed(p, &field->content, width, list)
                                         : onnx_add_numbers(p, field, list);
}

double *onnx_keep_numbers(onnx_parser *p, const onnx_numbers_list *list) {
    size_t count = list->count < ONNX_KEEP_MAX ? list->count : ONNX_KEEP_MAX;
    double *out = onnx_get(p->pool, (count ? count : 1) * sizeof *out);
    return out && count ? memcpy(out, list->data, count * sizeof *out) : out;
}

/* ------------------------------------------------------------- tensors -- */

typedef struct tensor_parse {
    onnx_tensor *out;
    onnx_numbers_list values;
    protobuf_field raw;
    bool has_raw, has_values;
    long offset;
} tensor_parse;

static int take_dim(onnx_parser *p, onnx_tensor *out, double dim, uint64_t offset) {
    if (out->rank < ONNX_RANK_MAX && dim >= 0) {
        out->dims[out->rank++] = dim;
        return 0;
    }
    if (dim < 0)
        roof_fail(p->error, ROOF_EFORMAT, "a tensor has a dimension of %.0f",
                  dim); /* its name comes later in the file */
    else
        roof_fail(p->error, ROOF_EUNSUPPORTED, "a tensor has more than %d dimensions", ONNX_RANK_MAX);
    return onnx_fail_at(p, offset);
}

static int take_dims(onnx_parser *p, const protobuf_field *field, onnx_tensor *out) {
    if (field->wire != PROTOBUF_BYTES)
        return take_dim(p, out, onnx_whole(field->value), field->offset);
    protobuf_message rest = field->content;
    uint64_t value;
    int more;
    while ((more = protobuf_varint(&rest, &value, "tensor", p->error)) == 1)
        if (take_dim(p, out, onnx_whole(value), field->offset) != 0)
            return -1;
    return more;
}

static int take_tensor(onnx_parser *p, const protobuf_field *field, void *context) {
    tensor_parse *t = context;
    switch ((enum tensor_field)field->number) {
    case TENSOR_DIMS:
        return take_dims(p, field, t->out);
    case TENSOR_TYPE:
        t->out->type = field->value < 1000 ? (int)field->value : 1000;
        return 0;
    case TENSOR_NAME:
        return onnx_put_text(p, field, "tensor", &t->out->name);
    case TENSOR_RAW:
        t->raw = *field;
        t->has_raw = true;
        return onnx_enter(p, field, "tensor");
    case TENSOR_FLOATS:
        t->has_values = true;
        return onnx_add_reals(p, field, 4, &t->values);
    case TENSOR_DOUBLES:
        t->has_values = true;
        return onnx_add_reals(p, field, 8, &t->values);
    case TENSOR_INT32:
    case TENSOR_INT64:
    case TENSOR_UINT64:
        t->has_values = true;
        return onnx_add_numbers(p, field, &t->values);
    }
    return 0;
}

static double half(uint64_t bits) {
    double sign = bits >> 15 & 1 ? -1 : 1, fraction = (double)(bits & 1023);
    int exponent = (int)(bits >> 10 & 31);
    if (exponent == 31)
        return sign * HUGE_VAL;
    return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static double signed_of(uint64_t bits, int width) {
    uint64_t sign = UINT64_C(1) << (width - 1);
    return bits & sign ? -(double)((~bits & (sign - 1)) + 1) : (double)bits;
}

static double raw_value(int type, uint64_t bits) {
    switch (type) {
    case ONNX_FLOAT:
        return onnx_single(bits);
    case ONNX_DOUBLE:
        return twice(bits);
    case ONNX_FLOAT16:
        return half(bits);
    case ONNX_BFLOAT16:
        return onnx_single(bits << 16);
    case ONNX_INT8:
        return signed_of(bits, 8);
    case ONNX_INT16:
        return signed_of(bits, 16);
    case ONNX_INT32:
        return signed_of(bits, 32);
    case ONNX_INT64:
        return onnx_whole(bits);
    default:
        return (double)bits;
    }
}

/* float16 and bfloat16 in int32_data are the bits of each element. */
static void values_of(onnx_parser *p, tensor_parse *t) {
    onnx_tensor *out = t->out;
    if ((double)t->values.count != out->elements || out->elements > ONNX_KEEP_MAX)
        return;
    out->data = onnx_keep_numbers(p, &t->values);
    for (size_t i = 0; out->data && i < t->values.count; i++)
        if (out->type == ONNX_FLOAT16 || out->type == ONNX_BFLOAT16)
            out->data[i] = raw_value(out->type, (uint64_t)fmax(fmin(out->data[i], 65535), 0));
}

static int raw_of(onnx_parser *p, tensor_parse *t) {
    onnx_tensor *out = t->out;
    double bits = onnx_type_of(out->type)->bits, length = (double)(t->raw.content.end - t->raw.content.at);
    if (length != ceil(out->elements * bits / 8)) {
        roof_fail(p->error, ROOF_EFORMAT, "tensor '%.80s' has %.0f elements of %s but %.0f bytes",
                  out->name ? out->name : "", out->elements, onnx_type_of(out->type)->name, length);
        return onnx_fail_at(p, t->raw.offset);
    }
    if (out->elements > ONNX_KEEP_MAX || bits < 8 || bits > 64)
        return 0;
    out->data = onnx_get(p->pool, (size_t)fmax(out->elements, 1) * sizeof *out->data);
    if (!out->data)
        return -1;
    protobuf_message rest = t->raw.content;
    size_t width = (size_t)bits / 8;
    for (size_t i = 0; i < (size_t)out->elements; i++, rest.at += width) {
        uint64_t value = 0;
        if (protobuf_copy(&rest, &value, width, p->error) != 0)
            return -1;
        out->data[i] = raw_value(out->type, value);
    }
    return 0;
}

onnx_tensor *onnx_read_tensor(onnx_parser *p, const protobuf_field *field) {
    double room[ONNX_KEEP_MAX];
    tensor_parse t = {.values.data = room, .offset = (long)field->offset};
    t.out = onnx_get(p->pool, sizeof *t.out);
    if (!t.out || onnx_enter(p, field, "graph") != 0 || onnx_each(p, field->content, "tensor", take_tensor, &t) != 0)
        return NULL;
    onnx_tensor *out = t.out;
    out->elements = 1;
    for (int i = 0; i < out->rank; i++)
        out->elements *= out->dims[i];
    if (!out->name)
        out->name = "";
    if (out->type <= ONNX_NONE || out->type >= ONNX_TYPE_COUNT) {
        roof_fail(p->error, ROOF_EFORMAT, "tensor '%.100s' has data type %d, which ONNX does not define", out->name,
                  out->type);
        onnx_fail_at(p, field->offset);
        return NULL;
    }
    if (t.has_values)
        values_of(p, &t);
    else if (t.has_raw && raw_of(p, &t) != 0)
        return NULL;
    return out;
}

/* A sparse tensor is a tensor whose values are not kept. */
static int take_sparse(onnx_parser *p, const protobuf_field *field, void *context) {
    onnx_tensor *out = context;
    if (field->number == SPARSE_DIMS)
        return take_dims(p, field, out);
    if (field->number != SPARSE_VALUES)
        return 0;
    onnx_tensor *values = onnx_read_tensor(p, field);
    if (!values)
        return -1;
    out->name = values->name;
    out->type = values->type;
    return 0;
}

onnx_tensor *onnx_read_sparse(onnx_parser *p, const protobuf_field *field) {
    onnx_tensor *out = onnx_get(p->pool, sizeof *out);
    if (!out || onnx_enter(p, field, "graph") != 0 ||
        onnx_each(p, field->content, "sparse tensor", take_sparse, out) != 0)
        return NULL;
    out->elements = 1;
    for (int i = 0; i < out->rank; i++)
        out->elements *= out->dims[i];
    if (!out->name)
        out->name = "";
    return out;
}
