/* Messages of the ONNX format to structs. Field numbers: onnx.proto3 of ONNX 1.17 (IR version 10), github.com/onnx/onnx. */
#include "read/onnx_file.h"

#include <math.h>
#include <string.h>

enum model_field { MODEL_IR = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_OPSET = 8, MODEL_FUNCTION = 25 };
enum opset_field { OPSET_DOMAIN = 1, OPSET_VERSION = 2 };
enum graph_field { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_TENSOR = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12, GRAPH_INFO = 13, GRAPH_SPARSE = 15 };
enum node_field { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OP = 4, NODE_ATTRIBUTE = 5, NODE_DOMAIN = 7 };
enum attribute_field {
    ATTRIBUTE_NAME = 1, ATTRIBUTE_FLOAT = 2, ATTRIBUTE_INT = 3, ATTRIBUTE_TEXT = 4, ATTRIBUTE_TENSOR = 5, ATTRIBUTE_GRAPH = 6,
    ATTRIBUTE_FLOATS = 7, ATTRIBUTE_INTS = 8, ATTRIBUTE_REFERENCE = 21
};
enum tensor_field {
    TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_FLOATS = 4, TENSOR_INT32 = 5, TENSOR_INT64 = 7, TENSOR_NAME = 8, TENSOR_RAW = 9,
    TENSOR_DOUBLES = 10, TENSOR_UINT64 = 11
};
enum sparse_field { SPARSE_VALUES = 1, SPARSE_DIMS = 3 };
enum info_field { INFO_NAME = 1, INFO_TYPE = 2 };
enum type_field { TYPE_TENSOR = 1 };
enum tensor_type_field { TENSOR_TYPE_ELEMENT = 1, TENSOR_TYPE_SHAPE = 2 };
enum shape_field { SHAPE_DIM = 1 };
enum dim_field { DIM_VALUE = 1, DIM_PARAM = 2 };
enum function_field {
    FUNCTION_NAME = 1, FUNCTION_INPUT = 4, FUNCTION_OUTPUT = 5, FUNCTION_NODE = 7, FUNCTION_OPSET = 9, FUNCTION_DOMAIN = 10,
    FUNCTION_DEFAULT = 11
};

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

enum { POOL_BLOCK = 32 << 10 };

void *onnx_get(onnx_pool *pool, size_t size) {
    size = (size + 15) / 16 * 16;
    if (size > pool->left) {
        size_t block = size > POOL_BLOCK / 4 ? size : POOL_BLOCK;
        if (block > pool->limit - pool->used) {
            pool->failed = true;
            roof_fail(pool->error, ROOF_EUNSUPPORTED, "the graph needs more than %zu MB of memory", pool->limit >> 20);
            return NULL;
        }
        char *fresh = arena_get(pool->memory, block);
        if (!fresh) {
            pool->failed = true;
            roof_fail(pool->error, ROOF_ENOMEM, "out of memory while reading a graph");
            return NULL;
        }
        pool->used += block;
        if (block == size)
            return fresh; /* large: a block of its own */
        pool->at = fresh;
        pool->left = block;
    }
    void *out = pool->at;
    pool->at += size;
    pool->left -= size;
    return out;
}

typedef struct parser {
    onnx_pool *pool;
    roof_error *error;
    int depth;
} parser;

static int fail_at(parser *p, uint64_t offset) {
    if (p->error && p->error->code != ROOF_ENOMEM)
        p->error->offset = (long)offset;
    return -1;
}

static double whole(uint64_t bits) {
    return (double)(int64_t)bits;
}

/* A string of its own; NULL on error. */
static const char *text(parser *p, const protobuf_field *field, const char *what) {
    uint64_t length = field->content.end - field->content.at;
    if (field->wire != PROTOBUF_BYTES || length > ONNX_TEXT_MAX) {
        roof_fail(p->error, ROOF_EFORMAT, "broken ONNX file: a name in the %s is not a text of at most %d bytes", what, ONNX_TEXT_MAX);
        fail_at(p, field->offset);
        return NULL;
    }
    char *out = onnx_get(p->pool, (size_t)length + 1);
    return out && protobuf_copy(&field->content, out, (size_t)length, p->error) == 0 ? out : NULL;
}

static int put_text(parser *p, const protobuf_field *field, const char *what, const char **out) {
    *out = text(p, field, what);
    return *out ? 0 : -1;
}

/* A field that must be a message. */
static int enter(parser *p, const protobuf_field *field, const char *what) {
    if (field->wire == PROTOBUF_BYTES)
        return 0;
    roof_fail(p->error, ROOF_EFORMAT, "broken ONNX file: field %u of the %s is a number, not a message", (unsigned)field->number, what);
    return fail_at(p, field->offset);
}

/* Calls `take` for every field of a message. */
typedef int (*taker)(parser *p, const protobuf_field *field, void *out);

static int each(parser *p, protobuf_message message, const char *what, taker take, void *out) {
    protobuf_field field;
    int more;
    while ((more = protobuf_next(&message, &field, what, p->error)) == 1)
        if (take(p, &field, out) != 0)
            return -1;
    return more;
}

/* ------------------------------------------------------------- numbers -- */

typedef struct numbers {
    double *data; /* room for ONNX_KEEP_MAX */
    size_t count; /* all there are */
} numbers;

static double single(uint64_t bits) {
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

static void add(numbers *list, double value) {
    if (list->count < ONNX_KEEP_MAX)
        list->data[list->count] = value;
    list->count++;
}

/* Packed numbers of a fixed width: many are counted, few are read. */
static int add_fixed(parser *p, const protobuf_message *content, size_t width, numbers *list) {
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
        add(list, width == 4 ? single(bits) : twice(bits));
    }
    return 0;
}

/* Packed varints take at least a byte each, so that content longer than ten bytes an element cannot be short. */
static int add_varints(parser *p, const protobuf_message *content, numbers *list) {
    protobuf_message rest = *content;
    uint64_t value;
    int more;
    if (rest.end - rest.at > 10 * ONNX_KEEP_MAX) {
        list->count += ONNX_KEEP_MAX + 1;
        return 0;
    }
    while ((more = protobuf_varint(&rest, &value, "list of numbers", p->error)) == 1)
        add(list, whole(value));
    return more;
}

/* One number, or a packed run of them. */
static int add_numbers(parser *p, const protobuf_field *field, numbers *list) {
    switch (field->wire) {
    case PROTOBUF_FIXED32:
        add(list, single(field->value));
        return 0;
    case PROTOBUF_FIXED64:
        add(list, twice(field->value));
        return 0;
    case PROTOBUF_VARINT:
        add(list, whole(field->value));
        return 0;
    default:
        return add_varints(p, &field->content, list);
    }
}

static int add_reals(parser *p, const protobuf_field *field, size_t width, numbers *list) {
    return field->wire == PROTOBUF_BYTES ? add_fixed(p, &field->content, width, list) : add_numbers(p, field, list);
}

static double *keep(parser *p, const numbers *list) {
    size_t count = list->count < ONNX_KEEP_MAX ? list->count : ONNX_KEEP_MAX;
    double *out = onnx_get(p->pool, (count ? count : 1) * sizeof *out);
    return out && count ? memcpy(out, list->data, count * sizeof *out) : out;
}

/* ------------------------------------------------------------- tensors -- */

typedef struct tensor_parse {
    onnx_tensor *out;
    numbers values;
    protobuf_field raw;
    bool has_raw, has_values;
    long offset;
} tensor_parse;

static int take_dim(parser *p, onnx_tensor *out, double dim, uint64_t offset) {
    if (out->rank < ONNX_RANK_MAX && dim >= 0) {
        out->dims[out->rank++] = dim;
        return 0;
    }
    if (dim < 0)
        roof_fail(p->error, ROOF_EFORMAT, "a tensor has a dimension of %.0f", dim); /* its name comes later in the file */
    else
        roof_fail(p->error, ROOF_EUNSUPPORTED, "a tensor has more than %d dimensions", ONNX_RANK_MAX);
    return fail_at(p, offset);
}

static int take_dims(parser *p, const protobuf_field *field, onnx_tensor *out) {
    if (field->wire != PROTOBUF_BYTES)
        return take_dim(p, out, whole(field->value), field->offset);
    protobuf_message rest = field->content;
    uint64_t value;
    int more;
    while ((more = protobuf_varint(&rest, &value, "tensor", p->error)) == 1)
        if (take_dim(p, out, whole(value), field->offset) != 0)
            return -1;
    return more;
}

static int take_tensor(parser *p, const protobuf_field *field, void *context) {
    tensor_parse *t = context;
    switch ((enum tensor_field)field->number) {
    case TENSOR_DIMS:
        return take_dims(p, field, t->out);
    case TENSOR_TYPE:
        t->out->type = field->value < 1000 ? (int)field->value : 1000;
        return 0;
    case TENSOR_NAME:
        return put_text(p, field, "tensor", &t->out->name);
    case TENSOR_RAW:
        t->raw = *field;
        t->has_raw = true;
        return enter(p, field, "tensor");
    case TENSOR_FLOATS:
        t->has_values = true;
        return add_reals(p, field, 4, &t->values);
    case TENSOR_DOUBLES:
        t->has_values = true;
        return add_reals(p, field, 8, &t->values);
    case TENSOR_INT32:
    case TENSOR_INT64:
    case TENSOR_UINT64:
        t->has_values = true;
        return add_numbers(p, field, &t->values);
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
        return single(bits);
    case ONNX_DOUBLE:
        return twice(bits);
    case ONNX_FLOAT16:
        return half(bits);
    case ONNX_BFLOAT16:
        return single(bits << 16);
    case ONNX_INT8:
        return signed_of(bits, 8);
    case ONNX_INT16:
        return signed_of(bits, 16);
    case ONNX_INT32:
        return signed_of(bits, 32);
    case ONNX_INT64:
        return whole(bits);
    default:
        return (double)bits;
    }
}

/* float16 and bfloat16 in int32_data are the bits of each element. */
static void values_of(parser *p, tensor_parse *t) {
    onnx_tensor *out = t->out;
    if ((double)t->values.count != out->elements || out->elements > ONNX_KEEP_MAX)
        return;
    out->data = keep(p, &t->values);
    for (size_t i = 0; out->data && i < t->values.count; i++)
        if (out->type == ONNX_FLOAT16 || out->type == ONNX_BFLOAT16)
            out->data[i] = raw_value(out->type, (uint64_t)fmax(fmin(out->data[i], 65535), 0));
}

static int raw_of(parser *p, tensor_parse *t) {
    onnx_tensor *out = t->out;
    double bits = onnx_type_of(out->type)->bits, length = (double)(t->raw.content.end - t->raw.content.at);
    if (length != ceil(out->elements * bits / 8)) {
        roof_fail(p->error, ROOF_EFORMAT, "tensor '%.80s' has %.0f elements of %s but %.0f bytes", out->name ? out->name : "",
                  out->elements, onnx_type_of(out->type)->name, length);
        return fail_at(p, t->raw.offset);
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

static onnx_tensor *read_tensor(parser *p, const protobuf_field *field) {
    double room[ONNX_KEEP_MAX];
    tensor_parse t = {.values.data = room, .offset = (long)field->offset};
    t.out = onnx_get(p->pool, sizeof *t.out);
    if (!t.out || enter(p, field, "graph") != 0 || each(p, field->content, "tensor", take_tensor, &t) != 0)
        return NULL;
    onnx_tensor *out = t.out;
    out->elements = 1;
    for (int i = 0; i < out->rank; i++)
        out->elements *= out->dims[i];
    if (!out->name)
        out->name = "";
    if (out->type <= ONNX_NONE || out->type >= ONNX_TYPE_COUNT) {
        roof_fail(p->error, ROOF_EFORMAT, "tensor '%.100s' has data type %d, which ONNX does not have", out->name, out->type);
        fail_at(p, field->offset);
        return NULL;
    }
    if (t.has_values)
        values_of(p, &t);
    else if (t.has_raw && raw_of(p, &t) != 0)
        return NULL;
    return out;
}

/* A sparse tensor is a tensor whose values are not kept. */
static int take_sparse(parser *p, const protobuf_field *field, void *context) {
    onnx_tensor *out = context;
    if (field->number == SPARSE_DIMS)
        return take_dims(p, field, out);
    if (field->number != SPARSE_VALUES)
        return 0;
    onnx_tensor *values = read_tensor(p, field);
    if (!values)
        return -1;
    out->name = values->name;
    out->type = values->type;
    return 0;
}

static onnx_tensor *read_sparse(parser *p, const protobuf_field *field) {
    onnx_tensor *out = onnx_get(p->pool, sizeof *out);
    if (!out || enter(p, field, "graph") != 0 || each(p, field->content, "sparse tensor", take_sparse, out) != 0)
        return NULL;
    out->elements = 1;
    for (int i = 0; i < out->rank; i++)
        out->elements *= out->dims[i];
    if (!out->name)
        out->name = "";
    return out;
}

/* -------------------------------------------------------- declarations -- */

static int take_dimension(parser *p, const protobuf_field *field, void *context) {
    onnx_declared *out = context;
    int at = out->rank - 1;
    if (field->number == DIM_VALUE)
        out->dims[at] = fmax(whole(field->value), -1);
    else if (field->number == DIM_PARAM && put_text(p, field, "dimension", &out->open[at]) != 0)
        return -1;
    if (out->open[at] && !*out->open[at])
        out->open[at] = NULL; /* an empty name is none */
    return 0;
}

static int take_shape(parser *p, const protobuf_field *field, void *context) {
    onnx_declared *out = context;
    if (field->number != SHAPE_DIM)
        return 0;
    if (out->rank >= ONNX_RANK_MAX) {
        roof_fail(p->error, ROOF_EUNSUPPORTED, "'%.100s' has more than %d dimensions", out->name ? out->name : "", ONNX_RANK_MAX);
        return fail_at(p, field->offset);
    }
    out->dims[out->rank++] = -1;
    return enter(p, field, "shape") != 0 ? -1 : each(p, field->content, "dimension", take_dimension, out);
}

static int take_tensor_type(parser *p, const protobuf_field *field, void *context) {
    onnx_declared *out = context;
    if (field->number == TENSOR_TYPE_ELEMENT)
        out->type = field->value < ONNX_TYPE_COUNT ? (int)field->value : ONNX_NONE;
    if (field->number != TENSOR_TYPE_SHAPE)
        return 0;
    out->rank = 0;
    return enter(p, field, "type") != 0 ? -1 : each(p, field->content, "shape", take_shape, out);
}

static int take_type(parser *p, const protobuf_field *field, void *context) {
    if (field->number != TYPE_TENSOR)
        return 0;
    return enter(p, field, "type") != 0 ? -1 : each(p, field->content, "type", take_tensor_type, context);
}

static int take_info(parser *p, const protobuf_field *field, void *context) {
    onnx_declared *out = context;
    if (field->number == INFO_NAME)
        return put_text(p, field, "value", &out->name);
    if (field->number != INFO_TYPE)
        return 0;
    return enter(p, field, "value") != 0 ? -1 : each(p, field->content, "type", take_type, out);
}

static onnx_declared *read_declared(parser *p, const protobuf_field *field) {
    onnx_declared *out = onnx_get(p->pool, sizeof *out);
    if (!out)
        return NULL;
    out->rank = -1;
    if (enter(p, field, "graph") != 0 || each(p, field->content, "value", take_info, out) != 0)
        return NULL;
    if (!out->name)
        out->name = "";
    return out;
}

/* --------------------------------------------------------------- nodes -- */

static onnx_graph *read_graph(parser *p, const protobuf_field *field);

typedef struct attribute_parse {
    onnx_attribute *out;
    numbers list;
} attribute_parse;

static int take_text(parser *p, const protobuf_field *field, onnx_attribute *out) {
    if (field->wire == PROTOBUF_BYTES && field->content.end - field->content.at > ONNX_TEXT_MAX)
        return 0; /* data, like a tokeniser's vocabulary */
    return put_text(p, field, "attribute", &out->text);
}

static int take_attribute(parser *p, const protobuf_field *field, void *context) {
    attribute_parse *a = context;
    onnx_attribute *out = a->out;
    switch ((enum attribute_field)field->number) {
    case ATTRIBUTE_NAME:
        return put_text(p, field, "attribute", &out->name);
    case ATTRIBUTE_REFERENCE:
        return put_text(p, field, "attribute", &out->reference);
    case ATTRIBUTE_FLOAT:
        out->number = single(field->value);
        out->has_number = true;
        return 0;
    case ATTRIBUTE_INT:
        out->integer = whole(field->value);
        out->has_integer = true;
        return 0;
    case ATTRIBUTE_TEXT:
        return take_text(p, field, out);
    case ATTRIBUTE_TENSOR:
        return (out->tensor = read_tensor(p, field)) ? 0 : -1;
    case ATTRIBUTE_GRAPH:
        return (out->graph = read_graph(p, field)) ? 0 : -1;
    case ATTRIBUTE_FLOATS:
        return add_reals(p, field, 4, &a->list);
    case ATTRIBUTE_INTS:
        return add_numbers(p, field, &a->list);
    }
    return 0;
}

static onnx_attribute *read_attribute(parser *p, const protobuf_field *field) {
    double room[ONNX_KEEP_MAX];
    attribute_parse a = {.out = onnx_get(p->pool, sizeof *a.out), .list.data = room};
    if (!a.out || enter(p, field, "node") != 0 || each(p, field->content, "attribute", take_attribute, &a) != 0)
        return NULL;
    a.out->count = a.list.count;
    if (!a.out->name)
        a.out->name = "";
    if (a.list.count > 0 && a.list.count <= ONNX_KEEP_MAX && !(a.out->list = keep(p, &a.list)))
        return NULL;
    return a.out;
}

static int take_node(parser *p, const protobuf_field *field, void *context) {
    onnx_node *out = context;
    onnx_attribute *attribute;
    switch ((enum node_field)field->number) {
    case NODE_INPUT:
        return put_text(p, field, "node", &out->inputs[out->input_count++]);
    case NODE_OUTPUT:
        return put_text(p, field, "node", &out->outputs[out->output_count++]);
    case NODE_NAME:
        return put_text(p, field, "node", &out->name);
    case NODE_OP:
        return put_text(p, field, "node", &out->op);
    case NODE_DOMAIN:
        return put_text(p, field, "node", &out->domain);
    case NODE_ATTRIBUTE:
        if (!(attribute = read_attribute(p, field)))
            return -1;
        attribute->next = out->attributes;
        out->attributes = attribute;
        return 0;
    }
    return 0;
}

typedef struct name_counts {
    uint32_t first, second; /* field numbers */
    size_t firsts, seconds;
} name_counts;

static int count_names(parser *p, const protobuf_field *field, void *context) {
    (void)p;
    name_counts *counts = context;
    counts->firsts += field->number == counts->first;
    counts->seconds += field->number == counts->second;
    return 0;
}

static const char **room_for_names(parser *p, size_t count) {
    return onnx_get(p->pool, (count ? count : 1) * sizeof(const char *));
}

static onnx_node *read_node(parser *p, const protobuf_field *field) {
    name_counts counts = {.first = NODE_INPUT, .second = NODE_OUTPUT};
    onnx_node *out = onnx_get(p->pool, sizeof *out);
    if (!out || enter(p, field, "graph") != 0 || each(p, field->content, "node", count_names, &counts) != 0)
        return NULL;
    out->offset = (long)field->offset;
    out->name = out->op = out->domain = "";
    out->inputs = room_for_names(p, counts.firsts);
    out->outputs = room_for_names(p, counts.seconds);
    if (!out->inputs || !out->outputs || each(p, field->content, "node", take_node, out) != 0)
        return NULL;
    if (strcmp(out->domain, "ai.onnx") == 0)
        out->domain = ""; /* the same domain by another name */
    return out;
}

/* -------------------------------------------------------------- graphs -- */

typedef struct graph_parse {
    onnx_graph *out;
    onnx_node **node;
    onnx_tensor **tensor;
    onnx_declared **input, **output, **info;
} graph_parse;

static graph_parse begin_graph(onnx_graph *out) {
    return (graph_parse){out, &out->nodes, &out->tensors, &out->inputs, &out->outputs, &out->infos};
}

static int put_declared(parser *p, const protobuf_field *field, onnx_declared ***tail) {
    onnx_declared *fresh = read_declared(p, field);
    if (!fresh)
        return -1;
    **tail = fresh;
    *tail = &fresh->next;
    return 0;
}

static int put_node(parser *p, const protobuf_field *field, graph_parse *g) {
    onnx_node *fresh = read_node(p, field);
    if (!fresh)
        return -1;
    *g->node = fresh;
    g->node = &fresh->next;
    g->out->node_count++;
    return 0;
}

static int put_tensor(graph_parse *g, onnx_tensor *fresh) {
    if (!fresh)
        return -1;
    *g->tensor = fresh;
    g->tensor = &fresh->next;
    return 0;
}

static int take_graph(parser *p, const protobuf_field *field, void *context) {
    graph_parse *g = context;
    switch ((enum graph_field)field->number) {
    case GRAPH_NODE:
        return put_node(p, field, g);
    case GRAPH_NAME:
        return put_text(p, field, "graph", &g->out->name);
    case GRAPH_TENSOR:
        return put_tensor(g, read_tensor(p, field));
    case GRAPH_SPARSE:
        return put_tensor(g, read_sparse(p, field));
    case GRAPH_INPUT:
        return put_declared(p, field, &g->input);
    case GRAPH_OUTPUT:
        return put_declared(p, field, &g->output);
    case GRAPH_INFO:
        return put_declared(p, field, &g->info);
    }
    return 0;
}

static onnx_graph *read_graph(parser *p, const protobuf_field *field) {
    onnx_graph *out = onnx_get(p->pool, sizeof *out);
    if (!out || enter(p, field, "model") != 0)
        return NULL;
    if (p->depth >= ONNX_DEPTH_MAX) {
        roof_fail(p->error, ROOF_EUNSUPPORTED, "graphs are nested more than %d deep", ONNX_DEPTH_MAX);
        fail_at(p, field->offset);
        return NULL;
    }
    out->name = "";
    graph_parse g = begin_graph(out);
    p->depth++;
    int result = each(p, field->content, "graph", take_graph, &g);
    p->depth--;
    return result == 0 ? out : NULL;
}

typedef struct import {
    const char *domain;
    double version;
} import;

static int take_import(parser *p, const protobuf_field *field, void *context) {
    import *out = context;
    if (field->number == OPSET_VERSION)
        out->version = whole(field->value);
    return field->number == OPSET_DOMAIN ? put_text(p, field, "opset", &out->domain) : 0;
}

/* Only the standard domain matters: custom domains are known by their operators' names. */
static int read_import(parser *p, const protobuf_field *field, double *opset) {
    import found = {"", 0};
    if (enter(p, field, "model") != 0 || each(p, field->content, "opset", take_import, &found) != 0)
        return -1;
    if (!*found.domain || strcmp(found.domain, "ai.onnx") == 0)
        *opset = found.version;
    return 0;
}

typedef struct function_parse {
    onnx_function *out;
    graph_parse body;
} function_parse;

static int take_function(parser *p, const protobuf_field *field, void *context) {
    function_parse *f = context;
    onnx_attribute *fresh;
    switch ((enum function_field)field->number) {
    case FUNCTION_NAME:
        return put_text(p, field, "function", &f->out->name);
    case FUNCTION_DOMAIN:
        return put_text(p, field, "function", &f->out->domain);
    case FUNCTION_INPUT:
        return put_text(p, field, "function", &f->out->inputs[f->out->input_count++]);
    case FUNCTION_OUTPUT:
        return put_text(p, field, "function", &f->out->outputs[f->out->output_count++]);
    case FUNCTION_NODE:
        return put_node(p, field, &f->body);
    case FUNCTION_OPSET:
        return read_import(p, field, &f->out->opset);
    case FUNCTION_DEFAULT:
        if (!(fresh = read_attribute(p, field)))
            return -1;
        fresh->next = f->out->defaults;
        f->out->defaults = fresh;
        return 0;
    }
    return 0;
}

static int read_function(parser *p, const protobuf_field *field, onnx_file *file) {
    name_counts counts = {.first = FUNCTION_INPUT, .second = FUNCTION_OUTPUT};
    onnx_function *out = onnx_get(p->pool, sizeof *out);
    if (!out || enter(p, field, "model") != 0 || each(p, field->content, "function", count_names, &counts) != 0)
        return -1;
    out->name = out->domain = out->body.name = "";
    out->inputs = room_for_names(p, counts.firsts);
    out->outputs = room_for_names(p, counts.seconds);
    function_parse f = {.out = out, .body = begin_graph(&out->body)};
    if (!out->inputs || !out->outputs || each(p, field->content, "function", take_function, &f) != 0)
        return -1;
    out->next = file->functions;
    file->functions = out;
    return 0;
}

static int take_model(parser *p, const protobuf_field *field, void *context) {
    onnx_file *file = context;
    switch ((enum model_field)field->number) {
    case MODEL_IR:
        file->ir_version = whole(field->value);
        return 0;
    case MODEL_PRODUCER:
        return put_text(p, field, "model", &file->producer);
    case MODEL_GRAPH:
        return (file->graph = read_graph(p, field)) ? 0 : -1;
    case MODEL_OPSET:
        return read_import(p, field, &file->opset);
    case MODEL_FUNCTION:
        return read_function(p, field, file);
    }
    return 0;
}

int onnx_file_read(onnx_file *file, protobuf_message message, onnx_pool *pool, roof_error *error) {
    parser p = {.pool = pool, .error = error};
    *file = (onnx_file){.producer = ""};
    if (each(&p, message, "model", take_model, file) != 0)
        return -1;
    return file->graph ? 0 : roof_fail(error, ROOF_EFORMAT, "broken ONNX file: it holds no graph");
}
