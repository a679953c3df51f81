/* Files on disk, and files that must be refused, each with its message and the byte where the fault begins. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "onnx_writer.h"

#include "roofline_read.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *temporary(char path[64]) {
    strcpy(path, "/tmp/roofline-onnx-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    return path;
}

static void save(const char *path, const void *data, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, length, file), length);
    fclose(file);
}

/* A product whose right side is node NODE... with what the caller adds to the graph. */
static model product(void) {
    model m = {0};
    input(&m, "x", FLOAT, "2,3");
    weights(&m, "w", FLOAT, "3,4");
    return m;
}

static void refused_at(model *m, const char *what, long offset) {
    roof_error error = {0};
    roof_graph *graph = roof_read_graph_bytes(m->file.data, m->file.length, NULL, &error);
    if (graph)
        fail_msg("read, not refused: %s", what);
    if (!strstr(error.what, what))
        fail_msg("'%s' does not say '%s'", error.what, what);
    if (offset >= 0)
        assert_int_equal(error.offset, offset);
    assert_true(error.offset < (long)m->file.length);
    discard(m);
}

/* Whatever byte a file ends at, it is refused or read, with a place inside the file. */
static void cut_anywhere(void **state) {
    (void)state;
    model m = product();
    numbers(&m, "s", "2,-1,2");
    node(&m, "MatMul", "x w", "t", "");
    node(&m, "Reshape", "t s", "y", "allowzero=0");
    output(&m, "y");
    finish(&m, 13);
    size_t refused = 0;
    for (size_t length = 0; length < m.file.length; length++) {
        roof_error error = {0};
        unsigned char *copy =
            malloc(length ? length : 1); /* of just that size, so that the sanitizer sees a byte too many */
        assert_non_null(copy);
        memcpy(copy, m.file.data, length);
        roof_graph *graph = roof_read_graph_bytes(copy, length, NULL, &error);
        refused += !graph;
        if (!graph && (error.code != ROOF_EFORMAT || error.offset > (long)length || !strstr(error.what, "ONNX file")))
            fail_msg("cut at %zu: '%s' at %ld", length, error.what, error.offset);
        roof_graph_free(graph);
        free(copy);
    }
    assert_true(refused > m.file.length - 20); /* the opset at the end can be missing */
    discard(&m);
}

static void broken_wire(void **state) {
    (void)state;
    model m = {0};
    put_number(&m.file, 1, 8);
    put_varint(&m.file, 7 << 3 | 2); /* the graph says it has 1000 bytes */
    put_varint(&m.file, 1000);
    put(&m.file, "\x0a\x00", 2);
    refused_at(&m, "broken ONNX file: field 7 of the model has 1000 bytes, but only 2 are left", 2);

    put_number(&m.file, 1, 8);
    put(&m.file, "\x3b", 1); /* field 7, wire type 3: a group */
    refused_at(&m, "broken ONNX file: the model has a field 7 of wire type 3", 2);

    put_number(&m.file, 1, 8);
    put(&m.file, "\x07\x01", 2); /* field 0 */
    refused_at(&m, "the model has a field 0", 2);

    put_number(&m.file, 1, 8);
    put_number(&m.file, 7, 5);
    refused_at(&m, "field 7 of the model is a number, not a message", 2);

    put_number(&m.file, 1, 8);
    put(&m.file, "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12); /* eleven bytes of varint */
    refused_at(&m, "ends inside a number, or the number is too long", 2);

    put_number(&m.file, 1, 8);
    refused_at(&m, "broken ONNX file: it holds no graph", -1);
}

static void bad_tensors(void **state) {
    (void)state;
    model m = product();
    size_t at = m.graph.length;
    weights(&m, "v", 99, "3");
    finish(&m, 13);
    /* in front of the graph: IR version 2, producer 6, the graph's tag and length 2 */
    refused_at(&m, "tensor 'v' has data type 99, which ONNX does not define", (long)(at + 2 + 6 + 2));

    m = product();
    weights(&m, "v", FLOAT, "3,-1");
    finish(&m, 13);
    refused_at(&m, "a tensor has a dimension of -1", -1);

    m = product();
    weights(&m, "v", FLOAT, "1,1,1,1,1,1,1,1,1,1,1");
    finish(&m, 13);
    refused_at(&m, "has more than 10 dimensions", -1);

    m = product();
    bytes tensor = {0};
    put_number(&tensor, 1, 3);
    put_number(&tensor, 2, INT64);
    put_text(&tensor, 8, "v");
    put_text(&tensor, 9, "short");
    put_message(&m.graph, 5, &tensor);
    finish(&m, 13);
    refused_at(&m, "tensor 'v' has 3 elements of int64 but 5 bytes", -1);
}

static void bad_graphs(void **state) {
    (void)state;
    static const struct {
        const char *op, *inputs, *outputs, *attributes, *what;
    } rows[] = {
        {"MatMul", "x w2", "y", "", "node 'y' (MatMul): it reads 'w2', which no node produces"},
        {"MatMul", "x x", "y", "", "node 'y' (MatMul): [2,3] times [2,3]: the inner lengths 3 and 2 differ"},
        {"Add", "x w", "y", "", "node 'y' (Add): shapes [2,3] and [3,4] are incompatible"},
        {"Relu", "x", "x", "", "'x' has two producers"},
        {"Transpose", "x", "y", "perm=[0,5]", "its perm does not fit 2 dimensions"},
        {"Concat", "x w", "y", "axis=7", "axis 7 is outside a shape of 2 dimensions"},
        {"Conv", "x w", "y", "", "do not make a convolution"},
        {"Flatten", "x", "y", "axis=9", "axis 9 is outside"},
        {"Einsum", "x w", "y", "equation='ij,kl,mn->i'", "its equation 'ij,kl,mn->i' does not fit its inputs"},
        {"If", "x", "y", "", "it has no graph 'then_branch'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        model m = product();
        node(&m, rows[i].op, rows[i].inputs, rows[i].outputs, rows[i].attributes);
        finish(&m, 13);
        refused_at(&m, rows[i].what, -1);
    }
}

static void cycle(void **state) {
    (void)state;
    model m = product();
    size_t at = m.graph.length;
    node(&m, "Add", "x b", "a", "");
    node(&m, "Relu", "a", "b", "");
    finish(&m, 13);
    refused_at(&m, "node 'a' (Add): it reads 'b' before it is produced: the graph has a cycle or is out of order",
               (long)at + 10);
}

/* Graphs inside graphs inside graphs. */
static void too_deep(void **state) {
    (void)state;
    model inner = {0};
    output(&inner, "x");
    for (int i = 0; i < 40; i++) {
        model outer = {0};
        node_with_graphs(&outer, "If", "x", "y", "", "then_branch", &inner, NULL, NULL);
        inner = outer;
    }
    finish(&inner, 13);
    refused_at(&inner, "graphs are nested more than 24 deep", -1);
}

/* Small files that ask for much: a thousand tensors cost a thousand entries, and memory ends at a limit. */
static void memory_is_limited(void **state) {
    (void)state;
    model m = product();
    for (int i = 0; i < 400000; i++)
        declare(&m.graph, 13, "v", FLOAT, "1,2");
    finish(&m, 13);
    refused_at(&m, "the graph needs more than 40 MB of memory", -1);
}

static void pointer_and_others(void **state) {
    (void)state;
    char path[64];
    roof_error error = {0};
    const char *pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:b9c15a9a\nsize 133093491\n";
    save(temporary(path), pointer, strlen(pointer));
    assert_null(roof_read_graph(path, NULL, &error));
    assert_non_null(strstr(error.what, "is a git-LFS pointer, not the file itself (133093491 bytes are elsewhere)"));
    assert_string_equal(error.hint, "git lfs pull");
    /* One that does not say how large its file is. */
    const char *unsized = "version https://git-lfs.github.com/spec/v1\noid sha256:b9c15a9a\n";
    save(path, unsized, strlen(unsized));
    assert_null(roof_read_graph(path, NULL, &error));
    assert_says(error.what, "is a git-LFS pointer, not the file itself");
    assert_null(strstr(error.what, "elsewhere"));
    assert_false(roof_is_graph(path));
    save(path, "{\"model_type\": \"llama\"}", 23);
    assert_null(roof_read_graph(path, NULL, &error));
    assert_non_null(strstr(error.what, "is not an ONNX file: it does not begin with an IR version"));
    assert_false(roof_is_graph(path));
    unlink(path);
    assert_null(roof_read_graph(path, NULL, &error));
    assert_int_equal(error.code, ROOF_ENOTFOUND);
    assert_null(roof_read_graph("/tmp", NULL, &error));
    assert_int_equal(error.code, ROOF_EIO);
}

static void recognised(void **state) {
    (void)state;
    char path[64];
    roof_error error = {0};
    model m = product();
    node(&m, "MatMul", "x w", "y", "");
    finish(&m, 13);
    save(temporary(path), m.file.data, m.file.length);
    assert_true(roof_is_graph(path));
    roof_graph *graph = roof_read_graph(path, NULL, &error);
    assert_non_null(graph);
    assert_string_equal(roof_graph_about(graph)->producer, "test");
    assert_string_equal(roof_graph_about(graph)->name, "net");
    assert_exact(roof_graph_about(graph)->opset, 13);
    assert_exact(roof_graph_about(graph)->ir_version, 8);
    assert_exact(roof_graph_about(graph)->macs, 24);
    roof_graph_free(graph);
    assert_null(roof_read_model(path, &error)); /* a graph is no language model; the message says what reads it */
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    assert_non_null(strstr(error.what, "is an ONNX file: roof_read_graph() reads it"));
    unlink(path);
    discard(&m);
}

/* 3 GB of weights as holes in a file: passed over by seeking, read in the memory of a small graph. */
static void large_weights(void **state) {
    (void)state;
    enum { TENSORS = 3 };
    const int64_t rows = 16384, size = rows * rows * 4;
    char path[64];
    int file = open(temporary(path), O_WRONLY);
    assert_true(file >= 0);
    bytes head = {0}, tail = {0};
    model m = {0};
    char name[8] = "w0", last[8] = "x", to[8] = "t0";
    input(&m, "x", FLOAT, "1,16384");
    for (int i = 0; i < TENSORS; i++, name[1]++, to[1]++) {
        char inputs[32];
        sprintf(inputs, "%s %s", last, name);
        node(&m, "MatMul", inputs, to, "");
        strcpy(last, to);
    }
    output(&m, last);
    uint64_t total = m.graph.length;
    bytes tensors[TENSORS] = {{0}};
    for (int i = 0; i < TENSORS; i++) {
        bytes inner = {0};
        put_dims(&inner, 1, "16384,16384");
        put_number(&inner, 2, FLOAT);
        name[1] = (char)('0' + i);
        put_text(&inner, 8, name);
        put_varint(&inner, 9 << 3 | 2);
        put_varint(&inner, (uint64_t)size);
        put_varint(&tensors[i], 5 << 3 | 2);
        put_varint(&tensors[i], inner.length + (uint64_t)size);
        put(&tensors[i], inner.data, inner.length);
        free(inner.data);
        total += tensors[i].length + (uint64_t)size;
    }
    put_number(&head, 1, 8);
    put_varint(&head, 7 << 3 | 2);
    put_varint(&head, total);
    off_t at = pwrite(file, head.data, head.length, 0);
    at += pwrite(file, m.graph.data, m.graph.length, at);
    for (int i = 0; i < TENSORS; i++) {
        at += pwrite(file, tensors[i].data, tensors[i].length, at);
        at += size;
        free(tensors[i].data);
    }
    bytes import = {0};
    put_number(&import, 2, 13);
    put_message(&tail, 8, &import);
    at += pwrite(file, tail.data, tail.length, at);
    close(file);
    assert_true(at > 3000000000);

    struct rusage before, after;
    roof_error error = {0};
    getrusage(RUSAGE_SELF, &before);
    roof_graph *graph = roof_read_graph(path, NULL, &error);
    getrusage(RUSAGE_SELF, &after);
    unlink(path);
    if (!graph)
        fail_msg("%s", error.what);
    assert_exact(roof_graph_about(graph)->macs, 3.0 * 16384 * 16384);
    assert_exact(roof_graph_about(graph)->parameter_bytes, 3.0 * (double)size);
    assert_true(after.ru_maxrss - before.ru_maxrss < 64 << 10); /* KiB */
    roof_graph_free(graph);
    discard(&m);
    free(head.data);
    free(tail.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(broken_wire),
        cmocka_unit_test(bad_tensors),
        cmocka_unit_test(bad_graphs),
        cmocka_unit_test(cycle),
        cmocka_unit_test(too_deep),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(pointer_and_others),
        cmocka_unit_test(recognised),
        cmocka_unit_test(large_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
