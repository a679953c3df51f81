/* Writes small ONNX models into memory, so that tests own every byte they read. Field numbers are those of onnx.proto3.
 *
 *   model m = {0};
 *   input(&m, "x", FLOAT, "batch,3,224,224");     names and "?" are open dimensions, "!" is no shape at all
 *   weights(&m, "w", FLOAT, "64,3,7,7");          a tensor without data: only its shape is there
 *   numbers(&m, "axes", "0,2");                   an int64 tensor with data
 *   node(&m, "Conv", "x w", "y", "strides=[2,2] group=1 auto_pad='SAME_UPPER' alpha=0.5");
 *   output(&m, "y");
 *   finish(&m, 13);                               m.file holds the model, opset 13
 *   discard(&m); */
#ifndef ROOFLINE_TESTS_ONNX_WRITER_H
#define ROOFLINE_TESTS_ONNX_WRITER_H

#include <ctype.h>
#include <stdlib.h>

#include "roofline_read.h"
#include "test.h"

enum { FLOAT = 1, UINT8 = 2, INT8 = 3, INT32 = 6, INT64 = 7, BOOL = 9, FLOAT16 = 10, INT4 = 22 };

typedef struct bytes {
    unsigned char *data;
    size_t length, room;
} bytes;

static inline void put(bytes *out, const void *data, size_t length) {
    if (out->length + length > out->room) {
        out->room = 2 * (out->length + length) + 64;
        out->data = realloc(out->data, out->room);
        if (!out->data)
            abort();
    }
    if (length)
        memcpy(out->data + out->length, data, length);
    out->length += length;
}

static inline void put_varint(bytes *out, uint64_t value) {
    unsigned char byte;
    do {
        byte = (unsigned char)(value & 127);
        value >>= 7;
        byte |= value ? 128 : 0;
        put(out, &byte, 1);
    } while (value);
}

static inline void put_number(bytes *out, int field, int64_t value) {
    put_varint(out, (uint64_t)field << 3);
    put_varint(out, (uint64_t)value);
}

static inline void put_bytes(bytes *out, int field, const void *data, size_t length) {
    put_varint(out, (uint64_t)field << 3 | 2);
    put_varint(out, length);
    put(out, data, length);
}

static inline void put_text(bytes *out, int field, const char *text) {
    put_bytes(out, field, text, strlen(text));
}

/* Moves `message` into `out` as a field. */
static inline void put_message(bytes *out, int field, bytes *message) {
    put_bytes(out, field, message->data, message->length);
    free(message->data);
    *message = (bytes){0};
}

typedef struct model {
    bytes graph, file;
} model;

static inline void put_shape(bytes *type, const char *dims) {
    bytes shape = {0};
    while (*dims) {
        size_t length = strcspn(dims, ",");
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)length, dims);
        bytes dim = {0};
        if (isdigit((unsigned char)*text) || *text == '-')
            put_number(&dim, 1, strtoll(text, NULL, 10));
        else if (*text != '?')
            put_text(&dim, 2, text);
        put_message(&shape, 1, &dim);
        dims += length + (dims[length] == ',');
    }
    put_message(type, 2, &shape);
}

static inline void declare(bytes *graph, int field, const char *name, int type, const char *dims) {
    bytes info = {0}, kind = {0}, tensor = {0};
    put_number(&tensor, 1, type);
    if (*dims != '!')
        put_shape(&tensor, dims);
    put_message(&kind, 1, &tensor);
    put_text(&info, 1, name);
    put_message(&info, 2, &kind);
    put_message(graph, field, &info);
}

static inline void input(model *m, const char *name, int type, const char *dims) {
    declare(&m->graph, 11, name, type, dims);
}

static inline void output(model *m, const char *name) {
    declare(&m->graph, 12, name, FLOAT, "!");
}

static inline size_t put_dims(bytes *tensor, int field, const char *dims) {
    size_t count = 0;
    for (char *end; *dims; dims = *end == ',' ? end + 1 : end, count++)
        put_number(tensor, field, strtoll(dims, &end, 10));
    return count;
}

static inline void weights(model *m, const char *name, int type, const char *dims) {
    bytes tensor = {0};
    put_dims(&tensor, 1, dims);
    put_number(&tensor, 2, type);
    put_text(&tensor, 8, name);
    put_message(&m->graph, 5, &tensor);
}

static inline bytes number_tensor(const char *name, const char *values, bool scalar) {
    bytes tensor = {0}, raw = {0};
    int64_t count = 0;
    for (char *end; *values; values = *end == ',' ? end + 1 : end, count++) {
        int64_t value = strtoll(values, &end, 10);
        put(&raw, &value, sizeof value);
    }
    if (!scalar)
        put_number(&tensor, 1, count);
    put_number(&tensor, 2, INT64);
    put_text(&tensor, 8, name);
    put_message(&tensor, 9, &raw);
    return tensor;
}

static inline void numbers(model *m, const char *name, const char *values) {
    bytes tensor = number_tensor(name, values, false);
    put_message(&m->graph, 5, &tensor);
}

static inline void scalar(model *m, const char *name, const char *value) {
    bytes tensor = number_tensor(name, value, true);
    put_message(&m->graph, 5, &tensor);
}

static inline void put_words(bytes *out, int field, const char *words) {
    while (*words) {
        size_t length = strcspn(words, " ");
        put_bytes(out, field, words, length == 1 && *words == '_' ? 0 : length); /* "_" is an input left out */
        words += length + (words[length] == ' ');
    }
}

static inline void put_attribute(bytes *out, const char *text, size_t length) {
    const char *equals = memchr(text, '=', length), *value = equals + 1;
    bytes attribute = {0};
    put_bytes(&attribute, 1, text, (size_t)(equals - text));
    char word[256];
    snprintf(word, sizeof word, "%.*s", (int)(length - (size_t)(value - text)), value);
    if (*word == '@') { /* takes the value of the caller's attribute */
        put_text(&attribute, 21, word + 1);
        put_number(&attribute, 20, 2);
    } else if (*word == '\'') {
        put_bytes(&attribute, 4, word + 1, strlen(word) - 2);
        put_number(&attribute, 20, 3);
    } else if (*word == '[' && strchr(word, '.')) {
        float number;
        for (char *at = word + 1, *end; *at && *at != ']'; at = *end == ',' ? end + 1 : end) {
            number = strtof(at, &end);
            put_varint(&attribute, 7 << 3 | 5);
            put(&attribute, &number, sizeof number);
        }
        put_number(&attribute, 20, 6);
    } else if (*word == '[') {
        word[strlen(word) - 1] = '\0';
        put_dims(&attribute, 8, word + 1);
        put_number(&attribute, 20, 7);
    } else if (strchr(word, '.')) {
        float number = strtof(word, NULL);
        put_varint(&attribute, 2 << 3 | 5);
        put(&attribute, &number, sizeof number);
        put_number(&attribute, 20, 1);
    } else {
        put_number(&attribute, 3, strtoll(word, NULL, 10));
        put_number(&attribute, 20, 2);
    }
    put_message(out, 5, &attribute);
}

/* An operator of another domain is written "com.microsoft:Attention". */
static inline bytes begin_node(const char *op, const char *inputs, const char *outputs, const char *attributes) {
    bytes out = {0};
    const char *colon = strchr(op, ':');
    put_words(&out, 1, inputs);
    put_words(&out, 2, outputs);
    put_text(&out, 4, colon ? colon + 1 : op);
    while (*attributes) {
        size_t length = strcspn(attributes, " ");
        put_attribute(&out, attributes, length);
        attributes += length + (attributes[length] == ' ');
    }
    if (colon)
        put_bytes(&out, 7, op, (size_t)(colon - op));
    return out;
}

static inline void node(model *m, const char *op, const char *inputs, const char *outputs, const char *attributes) {
    bytes out = begin_node(op, inputs, outputs, attributes);
    put_message(&m->graph, 1, &out);
}

/* A node with graphs as attributes: "then_branch", "else_branch", "body". The graphs are moved into it. */
static inline void node_with_graphs(model *m, const char *op, const char *inputs, const char *outputs,
                                    const char *attributes, const char *first, model *a, const char *second, model *b) {
    bytes out = begin_node(op, inputs, outputs, attributes);
    for (int i = 0; i < (b ? 2 : 1); i++) {
        bytes attribute = {0};
        put_text(&attribute, 1, i ? second : first);
        put_message(&attribute, 6, i ? &b->graph : &a->graph);
        put_number(&attribute, 20, 5);
        put_message(&out, 5, &attribute);
    }
    put_message(&m->graph, 1, &out);
}

static inline void discard_graph(model *m) {
    free(m->graph.data);
    m->graph = (bytes){0};
}

/* A function of the model: the nodes of `body`, which is moved into it. */
static inline void function(model *m, const char *domain, const char *name, const char *inputs, const char *outputs,
                            model *body) {
    bytes out = {0};
    put_text(&out, 1, name);
    put_words(&out, 4, inputs);
    put_words(&out, 5, outputs);
    for (size_t at = 0; at < body->graph.length;) { /* nodes are field 1 of a graph and field 7 of a function */
        unsigned char tag = 7 << 3 | 2;
        size_t length = 0, shift = 0, start = ++at;
        do
            length |= (size_t)(body->graph.data[at] & 127) << shift;
        while (shift += 7, body->graph.data[at++] & 128);
        put(&out, &tag, 1);
        put(&out, body->graph.data + start, at - start + length);
        at += length;
    }
    put_text(&out, 10, domain);
    put_message(&m->file, 25, &out);
    discard_graph(body);
}

static inline void finish(model *m, int opset) {
    bytes import = {0};
    put_number(&m->file, 1, 8);
    put_text(&m->file, 2, "test");
    put_text(&m->graph, 2, "net");
    put_message(&m->file, 7, &m->graph);
    put_text(&import, 1, "");
    put_number(&import, 2, opset);
    put_message(&m->file, 8, &import);
}

static inline void discard(model *m) {
    free(m->graph.data);
    free(m->file.data);
    *m = (model){0};
}

/* Read what was written; fails the test when it is refused. */
static inline roof_graph *read_model_with(model *m, const roof_graph_options *options) {
    roof_error error = {0};
    roof_graph *graph = roof_read_graph_bytes(m->file.data, m->file.length, options, &error);
    if (!graph)
        fail_msg("refused: %s (byte %ld) %s", error.what, error.offset, error.hint);
    return graph;
}

static inline roof_graph *read_model(model *m, int opset) {
    finish(m, opset);
    roof_graph *graph = read_model_with(m, NULL);
    discard(m);
    return graph;
}

/* The shape of a tensor as text: "1,64,112,112", "?" where the rank is not known, "-1" for a length not known. */
static inline const char *shape_of(const roof_graph *graph, const char *wanted) {
    static char text[160];
    const char *name;
    double shape[16];
    int rank;
    for (size_t i = 0; (rank = roof_graph_tensor(graph, i, &name, shape, 16)) != -1; i++) {
        if (strcmp(name, wanted) != 0)
            continue;
        size_t n = 0;
        text[0] = '\0';
        for (int d = 0; d < rank; d++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%.0f", d ? "," : "", shape[d]);
        return rank == -2 ? "?" : text;
    }
    return "absent";
}

#endif
