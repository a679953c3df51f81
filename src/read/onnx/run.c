/* Walks a graph node by node: every output gets its shape, its values where they are known, and the operations it
 * costs. Functions of the model are walked the same way. */
#include <string.h>

#include "read/onnx/cost.h"

static double bound_value(const onnx_run *run, const char *name) {
    for (size_t i = 0; i < run->bound_count; i++)
        if (strcmp(run->bound[i].name, name) == 0)
            return run->bound[i].value;
    return -1;
}

void onnx_take_declared(const onnx_run *run, onnx_value *value, const onnx_declared *declared) {
    onnx_set_shape(value, declared->type, declared->rank, declared->dims);
    for (int i = 0; i < declared->rank; i++)
        if (declared->dims[i] < 0 && declared->open[i])
            value->dims[i] = bound_value(run, declared->open[i]);
}

static int declare_tensors(onnx_run *run, onnx_scope *scope, const onnx_graph *graph) {
    for (const onnx_tensor *tensor = graph->tensors; tensor; tensor = tensor->next) {
        onnx_value *value = onnx_declare(run, scope, tensor->name);
        if (!value)
            return -1;
        onnx_set_shape(value, tensor->type, tensor->rank, tensor->dims);
        value->data = tensor->data;
        value->made = value->constant = true;
    }
    return 0;
}

/* Outputs first, so that a read before its write can be told from a name that does not exist. */
static int declare_outputs(onnx_run *run, onnx_scope *scope, const onnx_graph *graph) {
    for (const onnx_node *node = graph->nodes; node; node = node->next) {
        for (size_t i = 0; i < node->output_count; i++) {
            onnx_value *value = *node->outputs[i] ? onnx_find_here(scope, node->outputs[i]) : NULL;
            if (value) {
                roof_fail(run->error, ROOF_EFORMAT,
                          "'%.100s' has two producers: node '%.80s' (%.40s) and one before it", value->name, node->name,
                          node->op);
                if (run->error)
                    run->error->offset = node->offset;
                return -1;
            }
            if (*node->outputs[i] && !onnx_declare(run, scope, node->outputs[i]))
                return -1;
        }
    }
    return 0;
}

/* --------------------------------------------------------------- nodes -- */

static int find_inputs(onnx_call *call) {
    for (size_t i = 0; i < call->in_count; i++) {
        const char *name = call->node->inputs[i];
        onnx_value *value = *name ? onnx_find(call->scope, name) : NULL;
        if (*name && !value)
            return onnx_fail(call, ROOF_EFORMAT, "it reads '%.100s', which no node produces", name);
        if (value && !value->made)
            return onnx_fail(call, ROOF_EFORMAT,
                             "it reads '%.100s' before it is produced: the graph has a cycle or is out of order", name);
        call->in[i] = value;
    }
    return 0;
}

static bool all_constant(const onnx_call *call) {
    bool any = false;
    for (size_t i = 0; i < call->in_count; i++) {
        if (call->in[i] && !call->in[i]->constant)
            return false;
        any = any || call->in[i];
    }
    return any;
}

static bool all_settings(const onnx_call *call) {
    for (size_t i = 0; i < call->in_count; i++)
        if (call->in[i] && !call->in[i]->setting)
            return false;
    return call->in_count > 0;
}

/* Why the cost of a call cannot be told, or NULL. Numbers without a type or a shape have no bytes; text has any. */
static const char *not_known(onnx_value *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (list[i] && onnx_elements(list[i]) < 0)
            return "a shape is unknown";
        if (list[i] && onnx_type_of(list[i]->stored_type)->bits == 0)
            return "an element type is unknown";
    }
    return NULL;
}

/* The output lies where the first input lies. */
static void share_memory(onnx_call *call) {
    onnx_value *in = onnx_in(call, 0), *out = onnx_out(call, 0);
    if (!in || !out || in->type != out->type)
        return;
    out->base = onnx_root(in);
    out->stored = in->stored;
    out->stored_type = in->stored_type;
    out->quantised = in->quantised;
    out->setting = in->setting;
}

static void cost(onnx_call *call) {
    const onnx_value *out = onnx_out(call, 0);
    if (!call->op->cost)
        share_memory(call);
    if (!call->op->cost || call->op->cost == onnx_cost_nothing)
        return;
    bool on_shapes = out && out->data && onnx_type_of(out->type)->whole;
    if (on_shapes || (out && out->constant)) /* worked out on the host, or when the graph is loaded */
        return;
    const char *why = not_known(call->in, call->in_count);
    if (!why)
        why = not_known(call->out, call->out_count);
    if ((!onnx_in(call, 0) && call->op->cost != onnx_cost_write) || (!out && call->op->cost != onnx_cost_rnn))
        why = "an input or output is missing";
    if (why)
        onnx_unknown(call, why);
    else
        call->op->cost(call);
}

/* What could not be inferred may be said by the file itself. */
static void complete_outputs(onnx_call *call) {
    for (size_t i = 0; i < call->out_count; i++) {
        onnx_value *out = call->out[i], said = {.rank = -1};
        if (!out || !out->declared || out->declared->rank < 0)
            continue;
        onnx_take_declared(call->run, &said, out->declared);
        if (out->rank < 0)
            onnx_set_shape(out, out->type ? out->type : said.type, said.rank, said.dims);
        for (int d = 0; out->rank == said.rank && d < out->rank; d++)
            out->dims[d] = out->dims[d] < 0 ? said.dims[d] : out->dims[d];
    }
}

/* Values that depend on no input; a node without inputs says for itself whether it is one. */
static void mark_constant(onnx_call *call) {
    bool constant = call->op->cost != onnx_cost_nothing && all_constant(call);
    for (size_t i = 0; constant && i < call->out_count; i++) {
        if (!call->out[i])
            continue;
        call->out[i]->constant = true;
        call->out[i]->setting = call->out[i]->setting || all_settings(call);
    }
}

static int run_operator(onnx_call *call) {
    if (call->op->shape(call) != 0)
        return -1;
    complete_outputs(call);
    mark_constant(call);
    onnx_value *out = onnx_out(call, 0);
    if (call->op->fold && out && !out->data && onnx_elements(out) >= 0 && onnx_elements(out) <= ONNX_KEEP_MAX)
        call->op->fold(call);
    cost(call);
    return call->run->pool.failed ? -1 : 0;
}

static int run_function(onnx_call *call, const onnx_function *function) {
    onnx_run *run = call->run;
    onnx_scope scope;
    if (run->depth >= ONNX_DEPTH_MAX)
        return onnx_fail(call, ROOF_EUNSUPPORTED, "functions are nested more than %d deep", ONNX_DEPTH_MAX);
    if (onnx_scope_open(run, &scope, NULL, &function->body, function->input_count) != 0)
        return -1;
    for (size_t i = 0; i < function->input_count; i++) {
        onnx_value *inner = onnx_declare(run, &scope, function->inputs[i]), *outer = onnx_in(call, i);
        if (!inner)
            return -1;
        inner->made = true;
        if (outer && outer != inner)
            onnx_take_over(inner, outer);
    }
    onnx_frame frame = {run->frame, call->node, function};
    double opset = run->opset;
    run->frame = &frame;
    run->opset = function->opset > 0 ? function->opset : opset;
    run->depth++;
    int result = onnx_walk(run, &scope, &function->body);
    run->depth--;
    run->opset = opset;
    run->frame = frame.outer;
    for (size_t i = 0; result == 0 && i < function->output_count; i++) {
        onnx_value *inner = onnx_find_here(&scope, function->outputs[i]), *outer = onnx_out(call, i);
        if (inner && outer && inner != outer)
            onnx_take_over(outer, inner);
    }
    return result;
}

static void run_unknown(onnx_call *call) {
    complete_outputs(call);
    onnx_unknown(call, "unsupported operator");
}

static int run_node(onnx_run *run, onnx_scope *scope, const onnx_node *node) {
    size_t slots = node->input_count + node->output_count;
    onnx_value **list = onnx_get(&run->pool, (slots ? slots : 1) * sizeof(onnx_value *));
    if (!list)
        return -1;
    onnx_call call = {.run = run,
                      .scope = scope,
                      .node = node,
                      .in = list,
                      .out = list + node->input_count,
                      .in_count = node->input_count,
                      .out_count = node->output_count,
                      .opset = run->opset};
    for (size_t i = 0; i < node->output_count; i++)
        call.out[i] = *node->outputs[i] ? onnx_find_here(scope, node->outputs[i]) : NULL;
    if (find_inputs(&call) != 0)
        return -1;
    const onnx_function *function = onnx_function_find(run, node);
    call.op = function ? NULL : onnx_operator_find(node);
    run->nodes += !function;
    int result = 0;
    if (function)
        result = run_function(&call, function);
    else if (call.op)
        result = run_operator(&call);
    else
        run_unknown(&call);
    for (size_t i = 0; i < node->output_count; i++)
        if (call.out[i])
            call.out[i]->made = true;
    return result != 0 || run->pool.failed || run->results.failed ? -1 : 0;
}

static void note_declared(onnx_scope *scope, const onnx_declared *list) {
    for (; list; list = list->next) {
        onnx_value *value = onnx_find_here(scope, list->name);
        if (value)
            value->declared = list;
    }
}

int onnx_walk(onnx_run *run, onnx_scope *scope, const onnx_graph *graph) {
    if (declare_tensors(run, scope, graph) != 0 || declare_outputs(run, scope, graph) != 0)
        return -1;
    note_declared(scope, graph->infos);
    note_declared(scope, graph->outputs);
    for (const onnx_node *node = graph->nodes; node; node = node->next)
        if (run_node(run, scope, node) != 0)
            return -1;
    return 0;
}
