/* Names of values, a table a graph; a graph inside another sees the names around it.
 *
 *     main graph: slots -> value -> value        a name is looked up in its own graph first
 *         ^ outer
 *     body of an If, Loop or Scan: slots -> ... */
#include <string.h>

#include "read/onnx/run.h"

static size_t hash(const char *name) {
    size_t h = 1469598103u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return h ^ h >> 15;
}

static size_t slots_for(size_t names) {
    size_t slots = 16;
    while (slots < names)
        slots *= 2;
    return slots;
}

int onnx_scope_open(onnx_run *run, onnx_scope *scope, onnx_scope *outer, const onnx_graph *graph, size_t extra) {
    size_t names = extra + graph->node_count;
    for (const onnx_tensor *t = graph->tensors; t; t = t->next)
        names++;
    for (const onnx_declared *d = graph->inputs; d; d = d->next)
        names++;
    size_t slots = slots_for(names);
    scope->outer = outer;
    scope->mask = slots - 1;
    scope->slots = onnx_get(&run->pool, slots * sizeof *scope->slots);
    return scope->slots ? 0 : -1;
}

onnx_value *onnx_find_here(const onnx_scope *scope, const char *name) {
    onnx_value *value = scope->slots[hash(name) & scope->mask];
    while (value && strcmp(value->name, name) != 0)
        value = value->link;
    return value;
}

onnx_value *onnx_find(const onnx_scope *scope, const char *name) {
    onnx_value *value = NULL;
    for (; scope && !value; scope = scope->outer)
        value = onnx_find_here(scope, name);
    return value;
}

onnx_value *onnx_declare(onnx_run *run, onnx_scope *scope, const char *name) {
    onnx_value *value = onnx_find_here(scope, name);
    if (value)
        return value;
    value = onnx_get(&run->pool, sizeof *value);
    if (!value)
        return NULL;
    onnx_value **slot = &scope->slots[hash(name) & scope->mask];
    value->name = name;
    value->rank = -1;
    value->stored = -1;
    value->link = *slot;
    *slot = value;
    value->next = run->values;
    return run->values = value;
}

void onnx_take_over(onnx_value *out, onnx_value *inner) {
    onnx_shape_of(out, inner);
    out->stored_type = inner->stored_type;
    out->stored = inner->stored;
    out->data = inner->data;
    out->constant = inner->constant;
    out->quantised = inner->quantised;
    out->setting = inner->setting;
    out->base = onnx_root(inner);
}

/* ---- functions of the model ---- */

int onnx_functions_open(onnx_run *run) {
    run->function_mask = slots_for(run->file->function_count) - 1;
    run->functions = onnx_get(&run->pool, (run->function_mask + 1) * sizeof *run->functions);
    if (!run->functions)
        return -1;
    for (onnx_function *f = run->file->functions; f; f = f->next) {
        onnx_function **slot = &run->functions[hash(f->name) & run->function_mask];
        while (*slot) /* of two with one name the last in the file is meant */
            slot = &(*slot)->link;
        *slot = f;
    }
    return 0;
}

const onnx_function *onnx_function_find(const onnx_run *run, const onnx_node *node) {
    const onnx_function *f = run->functions[hash(node->op) & run->function_mask];
    while (f && (strcmp(f->name, node->op) != 0 || strcmp(f->domain, node->domain) != 0))
        f = f->link;
    return f;
}
