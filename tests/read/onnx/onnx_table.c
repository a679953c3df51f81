/* A tool: one line a file with what roof_read_graph() makes of it, for docs/onnx.md. Dimensions that a file leaves open
 * are bound by name=value arguments, else to 1. With -t also every tensor's shape, for a comparison with another
 * reader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "roofline.h"
#include "roofline_read.h"

enum { DIMENSIONS = 64 };

typedef struct binding {
    roof_dimension list[DIMENSIONS];
    char names[DIMENSIONS][128];
    size_t count;
} binding;

static void bind(binding *b, const char *text, size_t length) {
    const char *equals = memchr(text, '=', length);
    if (!equals || b->count == DIMENSIONS)
        return;
    char *name = b->names[b->count];
    snprintf(name, sizeof b->names[0], "%.*s", (int)(equals - text), text);
    b->list[b->count++] = (roof_dimension){.value = strtod(equals + 1, NULL)};
}

/* The open dimensions "a,b" each become 1. */
static int bind_open(binding *b, const roof_error *error) {
    size_t before = b->count;
    char one[sizeof error->subject + 4];
    if (error->remedy != ROOF_REMEDY_DIMENSION)
        return 0;
    for (const char *at = error->subject; *at;) {
        size_t length = strcspn(at, ",");
        snprintf(one, sizeof one, "%.*s=1", (int)length, at);
        bind(b, one, strlen(one));
        at += length + (at[length] == ',');
    }
    return b->count > before;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_tensors(const roof_graph *graph) {
    const char *name;
    double shape[16];
    int rank;
    for (size_t i = 0; (rank = roof_graph_tensor(graph, i, &name, shape, 16)) != -1; i++) {
        printf("tensor\t%s\t", name);
        for (int d = 0; d < rank; d++)
            printf("%s%.0f", d ? "," : "", shape[d]);
        printf("%s\n", rank == -2 ? "?" : rank == 0 ? "scalar" : "");
    }
}

static void print_graph(const char *path, const roof_graph *graph, const binding *b, double seconds) {
    const roof_graph_info *info = roof_graph_about(graph);
    size_t count;
    const char *slash = strrchr(path, '/');
    (void)roof_graph_operations(graph, &count);
    printf("| %s | %s%.0f | %.0f | %.0f | %zu | ", slash ? slash + 1 : path, info->at_least ? "at least " : "",
           info->macs, info->parameters, info->nodes, count);
    for (size_t i = 0; i < b->count; i++)
        printf("%s%s=%.0f", i ? " " : "", b->list[i].name, b->list[i].value);
    for (size_t i = 0; roof_graph_unknown_at(graph, i); i++)
        printf(" not known: %.0f %s (%s)", roof_graph_unknown_at(graph, i)->nodes,
               roof_graph_unknown_at(graph, i)->operation, roof_graph_unknown_at(graph, i)->why);
    for (size_t i = 0; roof_graph_warning(graph, i); i++)
        printf(" warning: %s", roof_graph_warning(graph, i));
    if (info->least_flops != info->most_flops)
        printf(" FLOPs %.0f to %.0f", info->least_flops, info->most_flops);
    printf(" | %.1f |\n", 1e3 * seconds);
}

static void print_operations(const roof_graph *graph) {
    size_t count;
    const roof_operation *operations = roof_graph_operations(graph, &count);
    for (size_t i = 0; i < count; i++)
        printf("  %-28s x%-4.0f matrix %-14.0f vector %-12.0f bytes %-12.0f weights %-10.0f %s %s  %s\n",
               operations[i].name, operations[i].count, operations[i].matrix_flops, operations[i].vector_flops,
               operations[i].bytes[ROOF_DRAM], operations[i].weight_bytes, roof_kind_name(operations[i].kind),
               roof_dtype_name(operations[i].matrix_dtype), roof_graph_node(graph, i));
}

int main(int count, char **arguments) {
    bool tensors = false, eager = false, operations = false, most = false;
    binding said = {.count = 0};
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "-t") == 0)
            tensors = true;
        else if (strcmp(arguments[i], "-e") == 0)
            eager = true;
        else if (strcmp(arguments[i], "-o") == 0)
            operations = true;
        else if (strcmp(arguments[i], "-m") == 0)
            most = true;
        else if (strchr(arguments[i], '='))
            bind(&said, arguments[i], strlen(arguments[i]));
    }
    for (int i = 1; i < count; i++) {
        if (arguments[i][0] == '-' || strchr(arguments[i], '='))
            continue;
        binding b = said;
        roof_error error = {0};
        roof_graph *graph;
        double start;
        for (;;) {
            for (size_t d = 0; d < b.count; d++)
                b.list[d].name = b.names[d];
            start = now();
            roof_graph_options options = {
                .dimensions = b.list, .dimension_count = b.count, .eager = eager, .most = most};
            graph = roof_read_graph(arguments[i], &options, &error);
            if (graph || !bind_open(&b, &error))
                break;
            memset(&error, 0, sizeof error);
        }
        if (!graph) {
            printf("| %s | refused: %s (byte %ld) |\n", arguments[i], error.what, error.offset);
            continue;
        }
        print_graph(arguments[i], graph, &b, now() - start);
        if (tensors)
            print_tensors(graph);
        if (operations)
            print_operations(graph);
        roof_graph_free(graph);
    }
    return 0;
}
