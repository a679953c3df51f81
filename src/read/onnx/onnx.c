/* roof_read_graph: an ONNX file to named operations. Open dimensions are bound, the graph is walked, chains are fused.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/lfs.h"
#include "read/onnx/run.h"
#include "roofline_read.h"

enum { MEMORY_MAX = 40 << 20, RESULTS_MAX = 20 << 20, LISTED_MAX = 8 };

typedef struct tensor_shape {
    const char *name;
    int rank;
    double dims[];
} tensor_shape;

struct roof_graph {
    arena memory;
    roof_graph_info info;
    roof_operation *operations;
    const char **nodes;
    size_t operation_count;
    roof_dimension *dimensions;
    size_t dimension_count;
    roof_graph_unknown *unknown;
    size_t unknown_count;
    struct onnx_message *warnings;
    tensor_shape **tensors;
    size_t tensor_count;
};

/* ------------------------------------------------------------ dimensions -- */

static const roof_dimension *option(const onnx_run *run, const char *name) {
    for (size_t i = run->options->dimension_count; i-- > 0;) /* the last one said wins */
        if (strcmp(run->options->dimensions[i].name, name) == 0)
            return &run->options->dimensions[i];
    return NULL;
}

static int note_bound(onnx_run *run, const char *name, double value) {
    for (size_t i = 0; i < run->bound_count; i++)
        if (strcmp(run->bound[i].name, name) == 0)
            return 0;
    if (run->bound_count == run->bound_room) {
        size_t room = run->bound_room ? 2 * run->bound_room : 16;
        roof_dimension *list = onnx_get(&run->results, room * sizeof *list);
        if (!list)
            return -1;
        if (run->bound_count)
            memcpy(list, run->bound, run->bound_count * sizeof *list);
        run->bound = list;
        run->bound_room = room;
    }
    const char *kept = onnx_keep_text(&run->results, name);
    if (!kept)
        return -1;
    run->bound[run->bound_count++] = (roof_dimension){kept, value};
    return 0;
}

typedef struct open_list {
    char names[LISTED_MAX][64];
    size_t count, left_out;
} open_list;

static void note_open(open_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return;
    if (list->count == LISTED_MAX || strlen(name) >= sizeof list->names[0]) {
        list->left_out++;
        return;
    }
    snprintf(list->names[list->count++], sizeof list->names[0], "%s", name);
}

/* An open dimension goes by its own name, or by input and axis. */
static int bind_dimension(onnx_run *run, const onnx_declared *input, int axis, double *out, open_list *open) {
    char place[ONNX_TEXT_MAX + 16];
    snprintf(place, sizeof place, "%s.%d", input->name, axis);
    const roof_dimension *said = option(run, place);
    const char *name = input->open[axis] ? input->open[axis] : place;
    if (!said && input->open[axis])
        said = option(run, name);
    if (!said) {
        note_open(open, name);
        return 0;
    }
    if (!(said->value >= 0) || said->value > 1e15 || floor(said->value) != said->value)
        return roof_fail(run->error, ROOF_EARGUMENT,
                         "dimension %.60s=%g: it is a count, so it must be a whole number and at most 1e15", said->name,
                         said->value);
    *out = said->value;
    return note_bound(run, said->name, said->value);
}

static int refuse_open(const onnx_run *run, const open_list *open) {
    char names[280] = "", subject[sizeof run->error->subject] = "";
    size_t n = 0, s = 0;
    for (size_t i = 0; i < open->count && n < sizeof names && s < sizeof subject; i++) {
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", open->names[i]);
        int more = snprintf(subject + s, sizeof subject - s, "%s%s", i ? "," : "", open->names[i]);
        if (s + (size_t)more >= sizeof subject)
            subject[s] = '\0'; /* whole names only */
        s += (size_t)more;
    }
    if (open->left_out)
        snprintf(names + strlen(names), sizeof names - strlen(names), " and %zu more", open->left_out);
    roof_fail(run->error, ROOF_EARGUMENT, "the graph leaves dimensions open: %s", names);
    if (*subject)
        roof_suggest(run->error, ROOF_REMEDY_DIMENSION, subject);
    return -1;
}

static bool is_scalar(const onnx_declared *input) {
    return onnx_type_of(input->type)->whole && (input->rank == 0 || (input->rank == 1 && input->dims[0] == 1));
}

/* The value of an integer input, by its name: it may decide a branch or a length. */
static int bind_scalar(onnx_run *run, const onnx_declared *input, onnx_value *value) {
    const roof_dimension *said = is_scalar(input) ? option(run, input->name) : NULL;
    if (!said)
        return 0;
    value->data = onnx_get(&run->pool, sizeof *value->data);
    if (!value->data)
        return -1;
    value->data[0] = said->value;
    return note_bound(run, said->name, said->value);
}

static int bind_input(onnx_run *run, onnx_scope *scope, const onnx_declared *input, open_list *open) {
    onnx_value *value = onnx_declare(run, scope, input->name);
    if (!value)
        return -1;
    value->made = true;
    onnx_set_shape(value, input->type, input->rank, input->dims);
    if (input->type == ONNX_NONE)
        onnx_warn(run, "input '%.100s' is not a tensor: what follows from it is unknown", input->name);
    else if (input->rank < 0)
        onnx_warn(run, "input '%.100s' has no shape: what follows from it is unknown", input->name);
    for (int i = 0; i < input->rank; i++) {
        if (input->dims[i] < 0 && bind_dimension(run, input, i, &value->dims[i], open) != 0)
            return -1;
        if (input->dims[i] == 0)
            onnx_warn(run, "input '%.100s' has no elements: axis %d is 0 long", input->name, i);
    }
    return bind_scalar(run, input, value);
}

/* Tensors are listed among the inputs too before IR version 4. */
static int declare_tensors(onnx_run *run, onnx_scope *scope) {
    for (const onnx_tensor *tensor = run->file->graph->tensors; tensor; tensor = tensor->next) {
        onnx_value *value = onnx_declare(run, scope, tensor->name);
        if (!value)
            return -1;
        value->constant = true;
    }
    return 0;
}

static bool is_tensor(const onnx_scope *scope, const char *name) {
    const onnx_value *value = onnx_find(scope, name);
    return value && value->constant;
}

static int refuse_unused(const onnx_run *run) {
    for (size_t i = 0; i < run->options->dimension_count; i++) {
        const char *name = run->options->dimensions[i].name;
        bool used = false;
        for (size_t b = 0; b < run->bound_count && !used; b++)
            used = strcmp(run->bound[b].name, name) == 0;
        if (used)
            continue;
        roof_fail(run->error, ROOF_EARGUMENT, "the graph has no open dimension '%.80s'", name);
        if (run->bound_count)
            roof_hint(run->error, "it has %.60s%s", run->bound[0].name, run->bound_count > 1 ? " and others" : "");
        return -1;
    }
    return 0;
}

static int bind_inputs(onnx_run *run, onnx_scope *scope) {
    const onnx_graph *graph = run->file->graph;
    open_list open = {.count = 0};
    if (declare_tensors(run, scope) != 0)
        return -1;
    for (const onnx_declared *input = graph->inputs; input; input = input->next)
        if (!is_tensor(scope, input->name) && bind_input(run, scope, input, &open) != 0)
            return -1;
    if (open.count || open.left_out)
        return refuse_open(run, &open);
    return refuse_unused(run);
}

/* --------------------------------------------------------------- results -- */

static void mark_outputs(const onnx_run *run, const onnx_scope *scope) {
    for (const onnx_declared *output = run->file->graph->outputs; output; output = output->next) {
        onnx_value *value = onnx_find(scope, output->name);
        if (value)
            onnx_keep(value);
    }
}

static bool is_matrix(const roof_operation *operation) {
    return operation->matrix_flops > 0;
}

static void total(const onnx_run *run, roof_graph *graph) {
    roof_graph_info *info = &graph->info;
    double flops = 0, bytes = 0;
    for (size_t i = 0; i < graph->operation_count; i++) {
        const roof_operation *operation = &graph->operations[i];
        flops += operation->count * roof_operation_flops(operation);
        bytes += operation->count * operation->bytes[ROOF_DRAM];
        info->macs += is_matrix(operation) ? operation->count * operation->matrix_flops / 2 : 0;
        info->at_least = info->at_least || operation->at_least;
    }
    info->at_least = info->at_least || run->at_least;
    info->least_flops = run->options->most ? flops - run->range_flops : flops;
    info->most_flops = run->options->most ? flops : flops + run->range_flops;
    info->least_bytes = run->options->most ? fmin(bytes - run->range_bytes, bytes) : bytes;
    info->most_bytes = run->options->most ? bytes : bytes + run->range_bytes;
}

static int keep_operations(onnx_run *run, roof_graph *graph) {
    size_t count = 0;
    for (size_t i = 0; i < run->record_count; i++)
        count += !run->records[i]->dead;
    graph->operations = onnx_get(&run->results, (count ? count : 1) * sizeof *graph->operations);
    graph->nodes = onnx_get(&run->results, (count ? count : 1) * sizeof *graph->nodes);
    if (!graph->operations || !graph->nodes)
        return -1;
    for (size_t i = 0; i < run->record_count; i++) {
        const onnx_record *record = run->records[i];
        if (record->dead)
            continue;
        size_t at = graph->operation_count++;
        graph->operations[at] = record->operation;
        graph->operations[at].name = onnx_keep_text(&run->results, record->operation.name);
        graph->nodes[at] = onnx_keep_text(&run->results, record->node);
    }
    return run->results.failed ? -1 : 0;
}

static int keep_tensors(onnx_run *run, roof_graph *graph) {
    size_t count = 0;
    for (const onnx_value *value = run->values; value; value = value->next)
        count++;
    graph->tensors = onnx_get(&run->results, (count ? count : 1) * sizeof(tensor_shape *));
    if (!graph->tensors)
        return -1;
    for (const onnx_value *value = run->values; value; value = value->next) {
        int rank = value->rank < 0 ? 0 : value->rank;
        tensor_shape *out = onnx_get(&run->results, sizeof *out + (size_t)rank * sizeof(double));
        if (!out || !(out->name = onnx_keep_text(&run->results, value->name)))
            return -1;
        out->rank = value->rank;
        if (rank)
            memcpy(out->dims, value->dims, (size_t)rank * sizeof(double));
        graph->tensors[graph->tensor_count++] = out;
    }
    return 0;
}

static int keep_info(onnx_run *run, roof_graph *graph) {
    graph->info.name = onnx_keep_text(&run->results, run->file->graph->name);
    graph->info.producer = onnx_keep_text(&run->results, run->file->producer);
    graph->info.ir_version = run->file->ir_version;
    graph->info.opset = run->file->opset;
    graph->info.parameters = run->parameters;
    graph->info.parameter_bytes = run->parameter_bytes;
    graph->info.nodes = run->nodes;
    graph->info.unknown_nodes = run->unknown_nodes;
    for (size_t i = 0; i < run->unknown_count; i++)
        run->unknown[i].share = run->unknown[i].nodes / fmax(run->nodes, 1);
    graph->dimensions = run->bound;
    graph->dimension_count = run->bound_count;
    graph->unknown = run->unknown;
    graph->unknown_count = run->unknown_count;
    graph->warnings = run->warnings;
    return run->results.failed ? -1 : 0;
}

/* ------------------------------------------------------------------ read -- */

static int read_into(roof_graph *graph, onnx_run *run, protobuf_message message) {
    onnx_file file;
    onnx_scope scope;
    if (onnx_file_read(&file, message, &run->pool, run->error) != 0)
        return -1;
    run->file = &file;
    run->opset = file.opset > 0 ? file.opset : 1;
    run->warning_tail = &run->warnings;
    size_t inputs = 0;
    for (const onnx_declared *input = file.graph->inputs; input; input = input->next)
        inputs++;
    if (file.graph->node_count == 0)
        onnx_warn(run, "the graph has no nodes: nothing is computed");
    if (onnx_functions_open(run) != 0 || onnx_scope_open(run, &scope, NULL, file.graph, inputs) != 0 ||
        bind_inputs(run, &scope) != 0 || onnx_walk(run, &scope, file.graph) != 0)
        return -1;
    mark_outputs(run, &scope);
    if (!run->options->eager)
        onnx_fuse(run);
    if (run->pool.failed || keep_operations(run, graph) != 0 || keep_tensors(run, graph) != 0 ||
        keep_info(run, graph) != 0)
        return -1;
    total(run, graph);
    return 0;
}

static roof_graph *read_graph(protobuf_message message, const roof_graph_options *options, roof_error *error) {
    static const roof_graph_options none = {0};
    arena kept = {0}, scratch = {0};
    roof_error own = {0};
    onnx_run run = {.options = options ? options : &none, .walk = onnx_walk, .error = error ? error : &own};
    run.error->offset = run.error->line = -1;
    run.pool = (onnx_pool){.memory = &scratch, .limit = MEMORY_MAX, .error = run.error};
    run.results = (onnx_pool){.memory = &kept, .limit = RESULTS_MAX, .error = run.error};
    roof_graph *graph = onnx_get(&run.results, sizeof *graph);
    if (graph && read_into(graph, &run, message) != 0)
        graph = NULL;
    arena_free(&scratch);
    if (!graph) {
        arena_free(&kept);
        return NULL;
    }
    graph->memory = kept;
    return graph;
}

roof_graph *roof_read_graph_bytes(const void *bytes, size_t length, const roof_graph_options *options,
                                  roof_error *error) {
    protobuf_input input;
    protobuf_memory(&input, bytes, length);
    return read_graph(protobuf_all(&input), options, error);
}

static int refuse_pointer(protobuf_input *input, const char *path, roof_error *error) {
    char head[LFS_HEAD];
    protobuf_message all = protobuf_all(input);
    size_t length = input->size < sizeof head ? (size_t)input->size : sizeof head;
    return protobuf_copy(&all, head, length, NULL) != 0 ? 0 : lfs_refuse(head, length, path, error);
}

/* ModelProto: the IR version (1 to 99) first, then another field of the message. */
static bool looks_like_onnx(protobuf_input *input) {
    unsigned char head[4];
    protobuf_message all = protobuf_all(input);
    if (input->size < sizeof head || protobuf_copy(&all, head, sizeof head, NULL) != 0)
        return false;
    int field = head[2] >> 3, wire = head[2] & 7;
    return head[0] == 0x08 && head[1] > 0 && head[1] < 100 && field >= 2 && field <= 8 && (wire == 0 || wire == 2);
}

static int refuse_content(protobuf_input *input, const char *path, roof_error *error) {
    if (refuse_pointer(input, path, error) != 0)
        return -1;
    if (looks_like_onnx(input))
        return 0;
    return roof_fail(error, ROOF_EFORMAT, "'%.150s' is not an ONNX file: it does not begin with an IR version", path);
}

roof_graph *roof_read_graph(const char *path, const roof_graph_options *options, roof_error *error) {
    protobuf_input input;
    if (protobuf_open(&input, path, error) != 0)
        return NULL;
    roof_graph *graph =
        refuse_content(&input, path, error) == 0 ? read_graph(protobuf_all(&input), options, error) : NULL;
    protobuf_close(&input);
    return graph;
}

bool roof_is_graph(const char *path) {
    protobuf_input input;
    if (protobuf_open(&input, path, NULL) != 0)
        return false;
    bool yes = looks_like_onnx(&input);
    protobuf_close(&input);
    return yes;
}

void roof_graph_free(roof_graph *graph) {
    if (!graph)
        return;
    arena memory = graph->memory; /* the handle lies in it */
    arena_free(&memory);
}

/* ------------------------------------------------------------- accessors -- */

const roof_graph_info *roof_graph_about(const roof_graph *graph) {
    return &graph->info;
}

const roof_operation *roof_graph_operations(const roof_graph *graph, size_t *count) {
    if (count)
        *count = graph->operation_count;
    return graph->operations;
}

const char *roof_graph_node(const roof_graph *graph, size_t index) {
    return index < graph->operation_count ? graph->nodes[index] : NULL;
}

const roof_dimension *roof_graph_dimension(const roof_graph *graph, size_t index) {
    return index < graph->dimension_count ? &graph->dimensions[index] : NULL;
}

const roof_graph_unknown *roof_graph_unknown_at(const roof_graph *graph, size_t index) {
    return index < graph->unknown_count ? &graph->unknown[index] : NULL;
}

const char *roof_graph_warning(const roof_graph *graph, size_t index) {
    const struct onnx_message *message = graph->warnings;
    while (message && index-- > 0)
        message = message->next;
    return message ? message->text : NULL;
}

int roof_graph_tensor(const roof_graph *graph, size_t index, const char **name, double *shape, int rank) {
    if (index >= graph->tensor_count)
        return -1;
    const tensor_shape *tensor = graph->tensors[graph->tensor_count - 1 - index];
    *name = tensor->name;
    for (int i = 0; i < tensor->rank && i < rank; i++)
        shape[i] = tensor->dims[i];
    return tensor->rank < 0 ? -2 : tensor->rank;
}
