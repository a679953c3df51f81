/* Operations that a graph costs, with the values they touch; parameters; what is not known. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/onnx/run.h"
#include "roofline_read.h"
#include "work/ops.h"

/* Room for one more in a list that doubles; the old list stays in the pool. */
static void *grow(onnx_pool *pool, void *list, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return list;
    size_t more = *room ? *room * 2 : 16;
    void *fresh = onnx_get(pool, more * size);
    if (!fresh)
        return NULL;
    if (count)
        memcpy(fresh, list, count * size);
    *room = more;
    return fresh;
}

void onnx_count_parameter(onnx_run *run, onnx_value *value, double elements) {
    if (!value || !value->constant || value->setting || onnx_elements(value) < 0 ||
        !onnx_type_of(value->stored_type)->weight)
        return;
    onnx_value *root = onnx_root(value);
    if (root->counted)
        return;
    root->counted = true;
    root->before = run->last_counted;
    run->last_counted = root;
    run->parameters += elements;
    run->parameter_bytes += onnx_bytes(run, value);
}

bool onnx_has(onnx_call *call, size_t index) {
    if (onnx_in(call, index))
        return true;
    onnx_unknown(call, "an input or output is missing");
    return false;
}

void onnx_count_scales(onnx_call *call, size_t first, size_t end) {
    for (size_t i = first; i < end && i < call->in_count; i++)
        onnx_count_parameter(call->run, call->in[i], 0);
}

void onnx_uncount_parameters(onnx_run *run, onnx_value *last, double parameters, double bytes) {
    for (; run->last_counted != last; run->last_counted = run->last_counted->before)
        run->last_counted->counted = false;
    run->parameters = parameters;
    run->parameter_bytes = bytes;
}

void onnx_keep(onnx_value *value) {
    onnx_root(value)->kept = true;
    onnx_root(value)->plain = onnx_root(value)->plain || value->quantised;
}

static bool among(onnx_value *const *list, size_t count, const onnx_value *value) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

double onnx_touched(const onnx_call *call) {
    double total = 0;
    for (size_t i = 0; i < call->in_count; i++) {
        double bytes = onnx_bytes(call->run, call->in[i]);
        if (bytes < 0)
            return -1;
        total += call->in[i] && among(call->in, i, call->in[i]) ? 0 : bytes;
    }
    for (size_t i = 0; i < call->out_count; i++) {
        double bytes = onnx_bytes(call->run, call->out[i]);
        if (bytes < 0)
            return -1;
        total += bytes;
    }
    return total;
}

static const char *node_name(const onnx_call *call) {
    const onnx_node *node = call->node;
    return *node->name ? node->name : node->output_count ? node->outputs[0] : "";
}

static onnx_record *new_record(onnx_run *run) {
    onnx_record **list = grow(&run->pool, run->records, run->record_count, &run->record_room, sizeof *list);
    if (!list)
        return NULL;
    run->records = list;
    onnx_record *record = onnx_get(&run->pool, sizeof *record);
    if (!record)
        return NULL;
    record->index = run->record_count;
    record->place = run->place;
    return run->records[run->record_count++] = record;
}

onnx_record *onnx_emit_some(onnx_call *call, roof_operation *operation, onnx_value *const *reads, size_t count,
                            onnx_value *output, bool open) {
    onnx_run *run = call->run;
    onnx_record *record = new_record(run);
    if (!record || !(record->reads = onnx_get(&run->pool, (count ? count : 1) * sizeof *record->reads)))
        return NULL;
    operation->name = call->node->op;
    record->operation = *operation;
    record->node = node_name(call);
    record->open = open;
    for (size_t i = 0; i < count; i++) {
        onnx_value *root = reads[i] ? onnx_root(reads[i]) : NULL;
        if (!root || among(record->reads, record->read_count, root))
            continue;
        record->reads[record->read_count++] = root;
        root->uses++;
        onnx_count_parameter(run, reads[i], onnx_elements(reads[i]));
    }
    record->output = output;
    if (output)
        output->maker = record;
    return record;
}

onnx_record *onnx_emit(onnx_call *call, roof_operation *operation, bool open) {
    if (operation->bytes[ROOF_DRAM] == 0)
        work_bytes(operation, fmax(onnx_touched(call), 0));
    onnx_record *record =
        onnx_emit_some(call, operation, call->in, call->in_count, onnx_out(call, 0), open && call->out_count == 1);
    for (size_t i = 1; record && i < call->out_count; i++)
        if (call->out[i])
            call->out[i]->maker = record;
    return record;
}

static const char *operator_name(onnx_run *run, const onnx_node *node) {
    char text[160];
    snprintf(text, sizeof text, "%.60s%s%.80s", node->domain, *node->domain ? ":" : "", node->op);
    return onnx_keep_text(&run->results, text);
}

static bool same_operator(const char *name, const onnx_node *node) {
    char text[160];
    snprintf(text, sizeof text, "%.60s%s%.80s", node->domain, *node->domain ? ":" : "", node->op);
    return strcmp(name, text) == 0;
}

static void count_unknown(onnx_run *run, const onnx_node *node, const char *why) {
    for (size_t i = 0; i < run->unknown_count; i++) {
        if (strcmp(run->unknown[i].why, why) == 0 && same_operator(run->unknown[i].operation, node)) {
            run->unknown[i].nodes++;
            return;
        }
    }
    roof_graph_unknown *list = grow(&run->results, run->unknown, run->unknown_count, &run->unknown_room, sizeof *list);
    const char *name = list ? operator_name(run, node) : NULL;
    if (!name)
        return;
    run->unknown = list;
    run->unknown[run->unknown_count++] = (roof_graph_unknown){.operation = name, .why = why, .nodes = 1};
}

void onnx_unknown(onnx_call *call, const char *why) {
    roof_operation operation;
    work_start(&operation, ROOF_KIND_CUSTOM);
    operation.at_least = true;
    operation.shape[CUSTOM_VECTOR] = 1;
    operation.dtype[0] = operation.vector_dtype = ROOF_F32;
    call->run->unknown_nodes++;
    count_unknown(call->run, call->node, why);
    onnx_emit_some(call, &operation, call->in, call->in_count, onnx_out(call, 0), false);
}
