/* libFuzzer target of the ONNX reader. Open dimensions are bound as the first error's hint says; whatever is read must
 * be countable, finite and not negative, and fused work never more than plain work. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "roofline.h"
#include "roofline_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DIMENSIONS = 8, NAME = 64 };

typedef struct binding {
    roof_dimension list[DIMENSIONS];
    char names[DIMENSIONS][NAME];
    size_t count;
} binding;

static void bind_hint(binding *b, const char *hint, double value) {
    for (const char *at = strstr(hint, "--dim "); at && b->count < DIMENSIONS; at = strstr(at, "--dim ")) {
        at += 6;
        size_t length = strcspn(at, "=");
        if (length >= NAME)
            return;
        memcpy(b->names[b->count], at, length);
        b->list[b->count].name = b->names[b->count];
        b->list[b->count++].value = value;
    }
}

static void use(const roof_graph *graph) {
    const roof_graph_info *info = roof_graph_about(graph);
    size_t count, length = strlen(info->name) + strlen(info->producer);
    const roof_operation *operations = roof_graph_operations(graph, &count);
    for (size_t i = 0; i < count; i++) {
        const roof_operation *o = &operations[i];
        if (!(o->count >= 0) || !(o->matrix_flops >= 0) || !(o->vector_flops >= 0) || !(o->bytes[ROOF_DRAM] >= 0))
            abort();
        length += strlen(o->name) + strlen(roof_graph_node(graph, i));
        char text[600];
        length += roof_operation_explain(o, text, sizeof text);
    }
    for (size_t i = 0; roof_graph_warning(graph, i); i++)
        length += strlen(roof_graph_warning(graph, i));
    for (size_t i = 0; roof_graph_unknown_at(graph, i); i++)
        length += strlen(roof_graph_unknown_at(graph, i)->operation);
    const char *name;
    double shape[4];
    for (size_t i = 0; roof_graph_tensor(graph, i, &name, shape, 4) != -1; i++)
        length += strlen(name);
    if (!(info->parameters >= 0) || !(info->macs >= 0) || info->unknown_nodes > info->nodes || length > SIZE_MAX / 2)
        abort();
}

static void read_once(const uint8_t *data, size_t size, bool eager) {
    binding b = {.count = 0};
    roof_error error = {0};
    roof_graph_options options = {.dimensions = b.list, .eager = eager};
    roof_graph *graph = roof_read_graph_bytes(data, size, &options, &error);
    if (!graph && strstr(error.hint, "--dim ")) {
        bind_hint(&b, error.hint, 2);
        options.dimension_count = b.count;
        memset(&error, 0, sizeof error);
        graph = roof_read_graph_bytes(data, size, &options, &error);
    }
    if (graph)
        use(graph);
    else if (!error.what[0] || error.offset > (long)size)
        abort();
    roof_graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_once(data, size, false);
    read_once(data, size, true);
    return 0;
}
