/* Messages of the ONNX format to structs. Field numbers: onnx.proto3 of ONNX 1.17 (IR version 10),
 * github.com/onnx/onnx. Tensors: tensor.c. */
#include <math.h>
#include <string.h>

#include "read/onnx/parse.h"

enum model_field { MODEL_IR = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_OPSET = 8, MODEL_FUNCTION = 25 };
enum opset_field { OPSET_DOMAIN = 1, OPSET_VERSION = 2 };
enum graph_field {
    GRAPH_NODE = 1,
    GRAPH_NAME = 2,
    GRAPH_TENSOR = 5,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    GRAPH_INFO = 13,
    GRAPH_SPARSE = 15
};
enum node_field { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OP = 4, NODE_ATTRIBUTE = 5, NODE_DOMAIN = 7 };
enum attribute_field {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_FLOAT = 2,
    ATTRIBUTE_INT = 3,
    ATTRIBUTE_TEXT = 4,
    ATTRIBUTE_TENSOR = 5,
    ATTRIBUTE_GRAPH = 6,
    ATTRIBUTE_FLOATS = 7,
    ATTRIBUTE_INTS = 8,
    ATTRIBUTE_REFERENCE = 21
};
enum info_field { INFO_NAME = 1, INFO_TYPE = 2 };
enum type_field { TYPE_TENSOR = 1 };
enum tensor_type_field { TENSOR_TYPE_ELEMENT = 1, TENSOR_TYPE_SHAPE = 2 };
enum shape_field { SHAPE_DIM = 1 };
enum dim_field { DIM_VALUE = 1, DIM_PARAM = 2 };
enum function_field {
    FUNCTION_NAME = 1,
    FUNCTION_INPUT = 4,
    FUNCTION_OUTPUT = 5,
    FUNCTION_NODE = 7,
    FUNCTION_OPSET = 9,
    FUNCTION_DOMAIN = 10,
    FUNCTION_DEFAULT = 11
};

/* -------------------------------------------------------- declarations -- */

static int take_dimension(onnx_parser *p, const protobuf_field *field, void *context) {
    onnx_declared *out = context;
    int at = out->rank - 1;
    if (field->number == DIM_VALUE)
        out->dims[at] = fmax(onnx_whole(field->value), -1);
    else if (field->number == DIM_PARAM && onnx_put_text(p, field, "dimension", &out->open[at]) != 0)
        return -1;
    if (out->open[at] && !*out->open[at])
        out->open[at] = NULL; /* an empty name is none */
    return 0;
}

static int take_shape(onnx_parser *p, const protobuf_field *field, void *context) {
    onnx_declared *out = context;
    if (field->number != SHAPE_DIM)
        return 0;
    if (out->rank >= ONNX_RANK_MAX) {
        roof_fail(p->error, ROOF_EUNSUPPORTED, "'%.100s' has more than %d dimensions", out->name ? out->name : "",
                  ONNX_RANK_MAX);
        return onnx_fail_at(p, field->offset);
    }
    out->dims[out->rank++] = -1;
    return onnx_enter(p, field, "shape") != 0 ? -1 : onnx_each(p, field->content, "dimension", take_dimension, out);
}

static int take_tensor_type(onnx_parser *p, const protobuf_field *field, void *context) {
    onnx_declared *out = context;
    if (field->number == TENSOR_TYPE_ELEMENT)
        out->type = field->value < ONNX_TYPE_COUNT ? (int)field->value : ONNX_NONE;
    if (field->number != TENSOR_TYPE_SHAPE)
        return 0;
    out->rank = 0;
    return onnx_enter(p, field, "type") != 0 ? -1 : onnx_each(p, field->content, "shape", take_shape, out);
}

static int take_type(onnx_parser *p, const protobuf_field *field, void *context) {
    if (field->number != TYPE_TENSOR)
        return 0;
    return onnx_enter(p, field, "type") != 0 ? -1 : onnx_each(p, field->content, "type", take_tensor_type, context);
}

static int take_info(onnx_parser *p, const protobuf_field *field, void *context) {
    onnx_declared *out = context;
    if (field->number == INFO_NAME)
        return onnx_put_text(p, field, "value", &out->name);
    if (field->number != INFO_TYPE)
        return 0;
    return onnx_enter(p, field, "value") != 0 ? -1 : onnx_each(p, field->content, "type", take_type, out);
}

static onnx_declared *read_declared(onnx_parser *p, const protobuf_field *field) {
    onnx_declared *out = onnx_get(p->pool, sizeof *out);
    if (!out)
        return NULL;
    out->rank = -1;
    if (onnx_enter(p, field, "graph") != 0 || onnx_each(p, field->content, "value", take_info, out) != 0)
        return NULL;
    if (!out->name)
        out->name = "";
    return out;
}

/* --------------------------------------------------------------- nodes -- */

static onnx_graph *read_graph(onnx_parser *p, const protobuf_field *field);

typedef struct attribute_parse {
    onnx_attribute *out;
    onnx_numbers_list list;
} attribute_parse;

static int take_text(onnx_parser *p, const protobuf_field *field, onnx_attribute *out) {
    if (field->wire == PROTOBUF_BYTES && field->content.end - field->content.at > ONNX_TEXT_MAX)
        return 0; /* data, like a tokeniser's vocabulary */
    return onnx_put_text(p, field, "attribute", &out->text);
}

static int take_attribute(onnx_parser *p, const protobuf_field *field, void *context) {
    attribute_parse *a = context;
    onnx_attribute *out = a->out;
    switch ((enum attribute_field)field->number) {
    case ATTRIBUTE_NAME:
        return onnx_put_text(p, field, "attribute", &out->name);
    case ATTRIBUTE_REFERENCE:
        return onnx_put_text(p, field, "attribute", &out->reference);
    case ATTRIBUTE_FLOAT:
        out->number = onnx_single(field->value);
        out->has_number = true;
        return 0;
    case ATTRIBUTE_INT:
        out->integer = onnx_whole(field->value);
        out->has_integer = true;
        return 0;
    case ATTRIBUTE_TEXT:
        return take_text(p, field, out);
    case ATTRIBUTE_TENSOR:
        return (out->tensor = onnx_read_tensor(p, field)) ? 0 : -1;
    case ATTRIBUTE_GRAPH:
        return (out->graph = read_graph(p, field)) ? 0 : -1;
    case ATTRIBUTE_FLOATS:
        return onnx_add_reals(p, field, 4, &a->list);
    case ATTRIBUTE_INTS:
        return onnx_add_numbers(p, field, &a->list);
    }
    return 0;
}

static onnx_attribute *read_attribute(onnx_parser *p, const protobuf_field *field) {
    double room[ONNX_KEEP_MAX];
    attribute_parse a = {.out = onnx_get(p->pool, sizeof *a.out), .list.data = room};
    if (!a.out || onnx_enter(p, field, "node") != 0 ||
        onnx_each(p, field->content, "attribute", take_attribute, &a) != 0)
        return NULL;
    a.out->count = a.list.count;
    if (!a.out->name)
        a.out->name = "";
    if (a.list.count > 0 && a.list.count <= ONNX_KEEP_MAX && !(a.out->list = onnx_keep_numbers(p, &a.list)))
        return NULL;
    return a.out;
}

static int take_node(onnx_parser *p, const protobuf_field *field, void *context) {
    onnx_node *out = context;
    onnx_attribute *attribute;
    switch ((enum node_field)field->number) {
    case NODE_INPUT:
        return onnx_put_text(p, field, "node", &out->inputs[out->input_count++]);
    case NODE_OUTPUT:
        return onnx_put_text(p, field, "node", &out->outputs[out->output_count++]);
    case NODE_NAME:
        return onnx_put_text(p, field, "node", &out->name);
    case NODE_OP:
        return onnx_put_text(p, field, "node", &out->op);
    case NODE_DOMAIN:
        return onnx_put_text(p, field, "node", &out->domain);
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

static int count_names(onnx_parser *p, const protobuf_field *field, void *context) {
    (void)p;
    name_counts *counts = context;
    counts->firsts += field->number == counts->first;
    counts->seconds += field->number == counts->second;
    return 0;
}

static const char **room_for_names(onnx_parser *p, size_t count) {
    return onnx_get(p->pool, (count ? count : 1) * sizeof(const char *));
}

static onnx_node *read_node(onnx_parser *p, const protobuf_field *field) {
    name_counts counts = {.first = NODE_INPUT, .second = NODE_OUTPUT};
    onnx_node *out = onnx_get(p->pool, sizeof *out);
    if (!out || onnx_enter(p, field, "graph") != 0 || onnx_each(p, field->content, "node", count_names, &counts) != 0)
        return NULL;
    out->offset = (long)field->offset;
    out->name = out->op = out->domain = "";
    out->inputs = room_for_names(p, counts.firsts);
    out->outputs = room_for_names(p, counts.seconds);
    if (!out->inputs || !out->outputs || onnx_each(p, field->content, "node", take_node, out) != 0)
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

static int put_declared(onnx_parser *p, const protobuf_field *field, onnx_declared ***tail) {
    onnx_declared *fresh = read_declared(p, field);
    if (!fresh)
        return -1;
    **tail = fresh;
    *tail = &fresh->next;
    return 0;
}

static int put_node(onnx_parser *p, const protobuf_field *field, graph_parse *g) {
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

static int take_graph(onnx_parser *p, const protobuf_field *field, void *context) {
    graph_parse *g = context;
    switch ((enum graph_field)field->number) {
    case GRAPH_NODE:
        return put_node(p, field, g);
    case GRAPH_NAME:
        return onnx_put_text(p, field, "graph", &g->out->name);
    case GRAPH_TENSOR:
        return put_tensor(g, onnx_read_tensor(p, field));
    case GRAPH_SPARSE:
        return put_tensor(g, onnx_read_sparse(p, field));
    case GRAPH_INPUT:
        return put_declared(p, field, &g->input);
    case GRAPH_OUTPUT:
        return put_declared(p, field, &g->output);
    case GRAPH_INFO:
        return put_declared(p, field, &g->info);
    }
    return 0;
}

static onnx_graph *read_graph(onnx_parser *p, const protobuf_field *field) {
    onnx_graph *out = onnx_get(p->pool, sizeof *out);
    if (!out || onnx_enter(p, field, "model") != 0)
        return NULL;
    if (p->depth >= ONNX_DEPTH_MAX) {
        roof_fail(p->error, ROOF_EUNSUPPORTED, "graphs are nested more than %d deep", ONNX_DEPTH_MAX);
        onnx_fail_at(p, field->offset);
        return NULL;
    }
    out->name = "";
    graph_parse g = begin_graph(out);
    p->depth++;
    int result = onnx_each(p, field->content, "graph", take_graph, &g);
    p->depth--;
    return result == 0 ? out : NULL;
}

typedef struct import {
    const char *domain;
    double version;
} import;

static int take_import(onnx_parser *p, const protobuf_field *field, void *context) {
    import *out = context;
    if (field->number == OPSET_VERSION)
        out->version = onnx_whole(field->value);
    return field->number == OPSET_DOMAIN ? onnx_put_text(p, field, "opset", &out->domain) : 0;
}

/* Only the standard domain matters: custom domains are known by their operators' names. */
static int read_import(onnx_parser *p, const protobuf_field *field, double *opset) {
import found = {"", 0 };
    if (onnx_enter(p, field, "model") != 0 || onnx_each(p, field->content, "opset", take_import, &found) != 0)
        return -1;
    if (!*found.domain || strcmp(found.domain, "ai.onnx") == 0)
        *opset = found.version;
    return 0;
}

typedef struct function_parse {
    onnx_function *out;
    graph_parse body;
} function_parse;

static int take_function(onnx_parser *p, const protobuf_field *field, void *context) {
    function_parse *f = context;
    onnx_attribute *fresh;
    switch ((enum function_field)field->number) {
    case FUNCTION_NAME:
        return onnx_put_text(p, field, "function", &f->out->name);
    case FUNCTION_DOMAIN:
        return onnx_put_text(p, field, "function", &f->out->domain);
    case FUNCTION_INPUT:
        return onnx_put_text(p, field, "function", &f->out->inputs[f->out->input_count++]);
    case FUNCTION_OUTPUT:
        return onnx_put_text(p, field, "function", &f->out->outputs[f->out->output_count++]);
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

static int read_function(onnx_parser *p, const protobuf_field *field, onnx_file *file) {
    name_counts counts = {.first = FUNCTION_INPUT, .second = FUNCTION_OUTPUT};
    onnx_function *out = onnx_get(p->pool, sizeof *out);
    if (!out || onnx_enter(p, field, "model") != 0 ||
        onnx_each(p, field->content, "function", count_names, &counts) != 0)
        return -1;
    out->name = out->domain = out->body.name = "";
    out->inputs = room_for_names(p, counts.firsts);
    out->outputs = room_for_names(p, counts.seconds);
    function_parse f = {.out = out, .body = begin_graph(&out->body)};
    if (!out->inputs || !out->outputs || onnx_each(p, field->content, "function", take_function, &f) != 0)
        return -1;
    out->next = file->functions;
    file->functions = out;
    file->function_count++;
    return 0;
}

static int take_model(onnx_parser *p, const protobuf_field *field, void *context) {
    onnx_file *file = context;
    switch ((enum model_field)field->number) {
    case MODEL_IR:
        file->ir_version = onnx_whole(field->value);
        return 0;
    case MODEL_PRODUCER:
        return onnx_put_text(p, field, "model", &file->producer);
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
    onnx_parser p = {.pool = pool, .error = error};
    *file = (onnx_file){.producer = ""};
    if (onnx_each(&p, message, "model", take_model, file) != 0)
        return -1;
    return file->graph ? 0 : roof_fail(error, ROOF_EFORMAT, "broken ONNX file: it holds no graph");
}
