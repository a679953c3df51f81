/* Walks a graph node by node: every output gets its shape, its values where they are known, and the operations it costs.
 * Branches, loops and functions are walked the same way. */
#include "read/onnx_run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "work/ops.h"

/* ------------------------------------------------------------ messages -- */

const char *onnx_keep_text(onnx_pool *pool, const char *text) {
    size_t length = strlen(text);
    char *out = onnx_get(pool, length + 1);
    return out ? memcpy(out, text, length) : NULL;
}

void onnx_warn(onnx_run *run, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct onnx_message *fresh = onnx_get(&run->results, sizeof *fresh);
    if (!fresh || !(fresh->text = onnx_keep_text(&run->results, text)))
        return;
    *run->warning_tail = fresh;
    run->warning_tail = &fresh->next;
}

int onnx_fail(onnx_call *call, roof_status code, const char *format, ...) {
    char text[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const onnx_node *node = call->node;
    roof_fail(call->run->error, code, "node '%.60s' (%.40s): %s", *node->name ? node->name : node->output_count ? node->outputs[0] : "",
              node->op, text);
    if (call->run->error)
        call->run->error->offset = node->offset;
    return -1;
}

/* -------------------------------------------------------------- scopes -- */

static size_t hash(const char *name) {
    size_t h = 1469598103u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return h ^ h >> 15;
}

int onnx_scope_open(onnx_run *run, onnx_scope *scope, onnx_scope *outer, const onnx_graph *graph, size_t extra) {
    size_t names = extra + graph->node_count, slots = 16;
    for (const onnx_tensor *t = graph->tensors; t; t = t->next)
        names++;
    for (const onnx_declared *d = graph->inputs; d; d = d->next)
        names++;
    while (slots < names)
        slots *= 2;
    scope->outer = outer;
    scope->mask = slots - 1;
    scope->slots = onnx_get(&run->pool, slots * sizeof *scope->slots);
    return scope->slots ? 0 : -1;
}

static onnx_value *find_here(const onnx_scope *scope, const char *name) {
    onnx_value *value = scope->slots[hash(name) & scope->mask];
    while (value && strcmp(value->name, name) != 0)
        value = value->link;
    return value;
}

onnx_value *onnx_find(const onnx_scope *scope, const char *name) {
    onnx_value *value = NULL;
    for (; scope && !value; scope = scope->outer)
        value = find_here(scope, name);
    return value;
}

onnx_value *onnx_declare(onnx_run *run, onnx_scope *scope, const char *name) {
    onnx_value *value = find_here(scope, name);
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
            onnx_value *value = *node->outputs[i] ? find_here(scope, node->outputs[i]) : NULL;
            if (value) {
                roof_fail(run->error, ROOF_EFORMAT, "'%.100s' is made twice: by node '%.80s' (%.40s) and before it", value->name,
                          node->name, node->op);
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
            return onnx_fail(call, ROOF_EFORMAT, "it reads '%.100s', which nothing makes", name);
        if (value && !value->made)
            return onnx_fail(call, ROOF_EFORMAT, "it reads '%.100s' before that is made: the graph has a cycle or is out of order", name);
        call->in[i] = value;
    }
    return 0;
}

static bool all_constant(const onnx_call *call) {
    for (size_t i = 0; i < call->in_count; i++)
        if (call->in[i] && !call->in[i]->constant)
            return false;
    return true;
}

static bool all_settings(const onnx_call *call) {
    for (size_t i = 0; i < call->in_count; i++)
        if (call->in[i] && !call->in[i]->setting)
            return false;
    return call->in_count > 0;
}

static bool shapes_known(onnx_value *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i] && list[i]->type != ONNX_STRING && onnx_elements(list[i]) < 0)
            return false;
    return true;
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
    onnx_value *out = onnx_out(call, 0);
    if (!call->op->cost)
        share_memory(call);
    else if (out && out->data && out->constant)
        return; /* worked out when the graph is loaded */
    else if (out && out->constant)
        return;
    else if (out && out->data && onnx_type_of(out->type)->whole)
        return; /* arithmetic on shapes */
    else if (!shapes_known(call->in, call->in_count) || !shapes_known(call->out, call->out_count))
        onnx_unknown(call, "a shape is not known");
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

static int run_operator(onnx_call *call) {
    if (call->op->shape(call) != 0)
        return -1;
    complete_outputs(call);
    bool constant = call->in_count > 0 && all_constant(call) && call->op->shape != onnx_if && call->op->shape != onnx_loop && call->op->shape != onnx_scan;
    for (size_t i = 0; i < call->out_count; i++)
        if (call->out[i]) {
            call->out[i]->constant = call->out[i]->constant || constant;
            call->out[i]->setting = call->out[i]->setting || (constant && all_settings(call));
        }
    onnx_value *out = onnx_out(call, 0);
    if (call->op->fold && out && !out->data && onnx_elements(out) >= 0 && onnx_elements(out) <= ONNX_KEEP_MAX)
        call->op->fold(call);
    if (call->op->shape != onnx_if && call->op->shape != onnx_loop && call->op->shape != onnx_scan)
        cost(call);
    return call->run->pool.failed ? -1 : 0;
}

static const onnx_function *function_of(const onnx_run *run, const onnx_node *node) {
    const onnx_function *function = run->file->functions;
    while (function && (strcmp(function->name, node->op) != 0 || strcmp(function->domain, node->domain) != 0))
        function = function->next;
    return function;
}

static void take_over(onnx_value *out, onnx_value *inner) {
    onnx_shape_of(out, inner);
    out->stored_type = inner->stored_type;
    out->stored = inner->stored;
    out->data = inner->data;
    out->constant = inner->constant;
    out->quantised = inner->quantised;
    out->setting = inner->setting;
    out->base = onnx_root(inner);
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
            take_over(inner, outer);
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
        onnx_value *inner = find_here(&scope, function->outputs[i]), *outer = onnx_out(call, i);
        if (inner && outer && inner != outer)
            take_over(outer, inner);
    }
    return result;
}

static void run_unknown(onnx_call *call) {
    complete_outputs(call);
    onnx_unknown(call, "not an operator we know");
}

static int run_node(onnx_run *run, onnx_scope *scope, const onnx_node *node) {
    size_t slots = node->input_count + node->output_count;
    onnx_value **list = onnx_get(&run->pool, (slots ? slots : 1) * sizeof(onnx_value *));
    if (!list)
        return -1;
    onnx_call call = {.run = run, .scope = scope, .node = node, .in = list, .out = list + node->input_count,
                      .in_count = node->input_count, .out_count = node->output_count, .opset = run->opset};
    for (size_t i = 0; i < node->output_count; i++)
        call.out[i] = *node->outputs[i] ? find_here(scope, node->outputs[i]) : NULL;
    if (find_inputs(&call) != 0)
        return -1;
    const onnx_function *function = function_of(run, node);
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
        onnx_value *value = find_here(scope, list->name);
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

/* -------------------------------------------- branches, loops and scans -- */

static int walk_inside(onnx_call *call, onnx_scope *scope, const onnx_graph *graph) {
    onnx_run *run = call->run;
    if (run->depth >= ONNX_DEPTH_MAX)
        return onnx_fail(call, ROOF_EUNSUPPORTED, "graphs are nested more than %d deep", ONNX_DEPTH_MAX);
    run->depth++;
    int result = onnx_walk(run, scope, graph);
    run->depth--;
    return result;
}

static const onnx_graph *body_of(onnx_call *call, const char *name) {
    const onnx_attribute *found = onnx_attr(call, name);
    if (found && found->graph)
        return found->graph;
    onnx_fail(call, ROOF_EFORMAT, "it has no graph '%s'", name);
    return NULL;
}

/* A scalar's value; NaN where it is not known. */
static double scalar(const onnx_value *value) {
    return value && value->data && onnx_elements(value) == 1 ? value->data[0] : ONNX_UNKNOWN;
}

static int walk_branch(onnx_call *call, onnx_scope *scope, const char *name, const onnx_graph **graph) {
    *graph = body_of(call, name);
    if (!*graph || onnx_scope_open(call->run, scope, call->scope, *graph, 0) != 0)
        return -1;
    return walk_inside(call, scope, *graph);
}

static onnx_value *output_of(const onnx_scope *scope, const onnx_declared *output) {
    return onnx_find(scope, output->name);
}

static void branch_outputs(onnx_call *call, const onnx_scope *scope, const onnx_graph *graph) {
    const onnx_declared *output = graph->outputs;
    for (size_t i = 0; i < call->out_count && output; i++, output = output->next) {
        onnx_value *inner = output_of(scope, output);
        if (call->out[i] && inner && inner->made)
            take_over(call->out[i], inner);
    }
}

typedef struct work_done {
    double flops, bytes;
} work_done;

static work_done work_between(const onnx_run *run, size_t from, size_t to) {
    work_done sum = {0, 0};
    for (size_t i = from; i < to; i++) {
        const roof_operation *operation = &run->records[i]->operation;
        if (run->records[i]->dead)
            continue;
        sum.flops += operation->count * roof_operation_flops(operation);
        sum.bytes += operation->count * operation->bytes[ROOF_DRAM];
    }
    return sum;
}

static void drop(onnx_run *run, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (run->records[i]->dead)
            continue;
        run->records[i]->dead = true;
        for (size_t r = 0; r < run->records[i]->read_count; r++)
            run->records[i]->reads[r]->uses--;
    }
}

static bool same_shape(const onnx_value *a, const onnx_value *b) {
    return a->rank == b->rank && (a->rank <= 0 || memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0);
}

typedef struct range {
    double flops, bytes;
} range;

typedef struct branch {
    onnx_scope scope;
    const onnx_graph *graph;
    size_t from, to;     /* its operations */
    work_done work;
    range more;          /* what branches inside it could add */
    bool failed;
} branch;

static void warn_shapes(onnx_call *call, const branch *b) {
    const onnx_declared *a = b[0].graph->outputs, *other = b[1].graph->outputs;
    for (; a && other; a = a->next, other = other->next) {
        const onnx_value *first = output_of(&b[0].scope, a), *second = output_of(&b[1].scope, other);
        if (!first || !second || same_shape(first, second))
            continue;
        onnx_warn(call->run, "If '%.80s' is not decided and its branches give other shapes: what follows is for the branch counted",
                  call->node->name);
        return;
    }
}

/* A branch whose shapes contradict each other cannot be the one that runs; the other is. */
static int try_branch(onnx_call *call, branch *b, const char *name) {
    onnx_run *run = call->run;
    range before = {run->range_flops, run->range_bytes};
    onnx_value *counted = run->last_counted;
    double parameters = run->parameters, bytes = run->parameter_bytes;
    b->from = run->record_count;
    b->failed = walk_branch(call, &b->scope, name, &b->graph) != 0;
    if (b->failed)
        onnx_uncount_parameters(run, counted, parameters, bytes);
    b->to = run->record_count;
    b->work = work_between(run, b->from, b->to);
    b->more = (range){run->range_flops - before.flops, run->range_bytes - before.bytes};
    run->range_flops = before.flops;
    run->range_bytes = before.bytes;
    return b->failed && (run->pool.failed || run->results.failed || !b->graph) ? -1 : 0;
}

static int one_branch_left(onnx_call *call, branch *b) {
    onnx_run *run = call->run;
    if (b[0].failed && b[1].failed)
        return -1;
    branch *good = &b[b[0].failed], *bad = &b[!b[0].failed];
    onnx_warn(run, "If '%.80s': one branch does not fit these shapes (%.160s); the other is counted", call->node->name, run->error->what);
    *run->error = (roof_error){.offset = -1, .line = -1};
    drop(run, bad->from, bad->to);
    branch_outputs(call, &good->scope, good->graph);
    run->range_flops += good->more.flops;
    run->range_bytes += good->more.bytes;
    return 0;
}

/* From the branch counted to the farthest end of either, nested ranges included. */
static void widen_range(onnx_run *run, const branch *kept, const branch *other) {
    double far = run->options->most ? -1 : 1;
    run->range_flops += fmax(kept->more.flops, far * (other->work.flops - kept->work.flops) + other->more.flops);
    run->range_bytes += fmax(kept->more.bytes, far * (other->work.bytes - kept->work.bytes) + other->more.bytes);
}

/* Both branches are walked; the one counted is that with less work, or with more on demand, and the difference is the
 * range. */
static int both_branches(onnx_call *call) {
    onnx_run *run = call->run;
    branch b[2] = {{.graph = NULL}, {.graph = NULL}};
    if (try_branch(call, &b[0], "then_branch") != 0 || try_branch(call, &b[1], "else_branch") != 0)
        return -1;
    if (b[0].failed || b[1].failed)
        return one_branch_left(call, b);
    bool first_is_less = b[0].work.flops < b[1].work.flops || (b[0].work.flops == b[1].work.flops && b[0].work.bytes <= b[1].work.bytes);
    const branch *kept = &b[first_is_less == run->options->most], *other = &b[first_is_less != run->options->most];
    warn_shapes(call, b);
    drop(run, other->from, other->to);
    branch_outputs(call, &kept->scope, kept->graph);
    for (size_t i = 0; i < call->out_count; i++) {
        if (!call->out[i])
            continue;
        call->out[i]->data = NULL;
        call->out[i]->constant = false;
    }
    widen_range(run, kept, other);
    return 0;
}

int onnx_if(onnx_call *call) {
    double condition = scalar(onnx_in(call, 0));
    if (isnan(condition))
        return both_branches(call);
    onnx_scope scope;
    const onnx_graph *graph;
    if (walk_branch(call, &scope, condition != 0 ? "then_branch" : "else_branch", &graph) != 0)
        return -1;
    branch_outputs(call, &scope, graph);
    return 0;
}

/* Walk a body once. */
static int walk_body(onnx_call *call, onnx_scope *scope, const onnx_graph *body) {
    onnx_run *run = call->run;
    int place = run->place;
    run->place = ++run->places;
    int result = walk_inside(call, scope, body);
    run->place = place;
    for (const onnx_declared *output = body->outputs; result == 0 && output; output = output->next) {
        onnx_value *inner = output_of(scope, output);
        if (inner)
            onnx_root(inner)->kept = true; /* carried on, or gathered outside */
    }
    return result;
}

/* A value of the body that takes another element or state each time: its shape stands, its value does not. */
static onnx_value *carried(onnx_call *call, onnx_scope *scope, const char *name, const onnx_value *outer) {
    onnx_value *inner = onnx_declare(call->run, scope, name);
    if (!inner)
        return NULL;
    inner->made = true;
    if (outer) {
        onnx_shape_of(inner, outer);
        inner->stored_type = outer->stored_type;
    }
    return inner;
}

/* The shape a carried value ends with: that of the body's output, open where an iteration changes it. */
static void settle_carried(onnx_call *call, onnx_value *out, const onnx_value *before, const onnx_value *after, double trips) {
    if (!out || !after)
        return;
    onnx_shape_of(out, after);
    if (!before || trips == 1 || same_shape(before, after))
        return;
    if (before->rank != after->rank)
        out->rank = -1;
    for (int i = 0; i < out->rank; i++)
        if (before->dims[i] != after->dims[i])
            out->dims[i] = -1;
    onnx_warn(call->run, "'%.80s' changes its shape in every iteration of '%.80s'", out->name, call->node->name);
}

/* A scan output: one more axis, as long as there are iterations. */
static void stack_output(onnx_value *out, const onnx_value *inner, double trips, int axis) {
    if (!out || !inner)
        return;
    onnx_shape_of(out, inner);
    if (inner->rank < 0 || inner->rank >= ONNX_RANK_MAX) {
        out->rank = -1;
        return;
    }
    axis = axis < 0 ? axis + inner->rank + 1 : axis;
    axis = axis < 0 || axis > inner->rank ? 0 : axis;
    for (int i = inner->rank; i > axis; i--)
        out->dims[i] = out->dims[i - 1];
    out->dims[axis] = trips;
    out->rank = inner->rank + 1;
}

static const onnx_declared *skip(const onnx_declared *list, size_t count) {
    while (list && count-- > 0)
        list = list->next;
    return list;
}

#define TRIPS_MAX 1e9

/* How often a Loop runs: NaN when that depends on data. A condition that the body computes makes M a limit only. */
static double loop_trips(onnx_call *call, const onnx_scope *scope, const onnx_graph *body) {
    const onnx_value *limit = onnx_in(call, 0), *condition = onnx_in(call, 1);
    double go = condition ? scalar(condition) : 1;
    if (go == 0)
        return 0;
    const onnx_value *again = body->outputs ? output_of(scope, body->outputs) : NULL;
    const onnx_value *passed = body->inputs && body->inputs->next ? onnx_find(scope, body->inputs->next->name) : NULL;
    bool steady = again && (scalar(again) == 1 || (passed && onnx_root((onnx_value *)again) == passed));
    double trips = steady && !isnan(go) ? scalar(limit) : ONNX_UNKNOWN;
    return isnan(trips) || trips > TRIPS_MAX ? ONNX_UNKNOWN : fmax(trips, 0); /* exporters write the largest integer for "until the condition fails" */
}

static void unknown_trips(onnx_call *call) {
    call->run->at_least = true;
    onnx_warn(call->run, "how often %.40s '%.80s' runs depends on data: one iteration is counted", call->node->op,
              *call->node->name ? call->node->name : call->node->output_count ? call->node->outputs[0] : "");
}

/* The count of iterations can depend on what the body says of its condition, so what it costs is multiplied afterwards. */
static void multiply(onnx_run *run, size_t from, range before, double trips) {
    run->range_flops = before.flops + (run->range_flops - before.flops) * trips;
    run->range_bytes = before.bytes + (run->range_bytes - before.bytes) * trips;
    for (size_t i = from; i < run->record_count; i++) {
        run->records[i]->operation.count *= trips;
        if (trips == 0)
            drop(run, i, i + 1);
    }
}

int onnx_loop(onnx_call *call) {
    onnx_run *run = call->run;
    const onnx_graph *body = body_of(call, "body");
    onnx_scope scope;
    size_t start = run->record_count, states = call->in_count > 2 ? call->in_count - 2 : 0, i = 0;
    range before = {run->range_flops, run->range_bytes};
    if (!body || onnx_scope_open(run, &scope, call->scope, body, 0) != 0)
        return -1;
    for (const onnx_declared *input = body->inputs; input; input = input->next, i++) {
        onnx_value *outer = i < 2 ? NULL : onnx_in(call, i), *inner = carried(call, &scope, input->name, outer);
        if (!inner)
            return -1;
        if (i < 2)
            onnx_set_shape(inner, i == 0 ? ONNX_INT64 : ONNX_BOOL, 0, NULL);
    }
    if (walk_body(call, &scope, body) != 0)
        return -1;
    double trips = loop_trips(call, &scope, body), times = isnan(trips) ? 1 : trips;
    if (isnan(trips))
        unknown_trips(call);
    multiply(run, start, before, times);
    const onnx_declared *output = skip(body->outputs, 1);
    for (i = 0; i < call->out_count && output; i++, output = output->next) {
        const onnx_value *inner = output_of(&scope, output);
        if (i < states)
            settle_carried(call, call->out[i], onnx_in(call, i + 2), inner, times);
        else
            stack_output(call->out[i], inner, isnan(trips) ? -1 : trips, 0);
    }
    return 0;
}

/* One element of a scan input along its axis. */
static void element_of(onnx_value *inner, const onnx_value *outer, int axis) {
    if (!outer || outer->rank < 1)
        return;
    axis = axis < 0 ? axis + outer->rank : axis;
    inner->type = inner->stored_type = outer->type;
    inner->rank = outer->rank - 1;
    for (int i = 0; i < inner->rank; i++)
        inner->dims[i] = outer->dims[i < axis ? i : i + 1];
}

enum { SCAN_MAX = 64 };

static double listed_axis(onnx_call *call, const char *name, size_t index) {
    double axes[SCAN_MAX];
    int count = onnx_numbers(call, name, (size_t)-1, axes, SCAN_MAX);
    return (int)index < count ? axes[index] : 0;
}

/* Before opset 9 a Scan had lengths as its first input and a batch axis before all others: that form is not walked. */
int onnx_scan(onnx_call *call) {
    onnx_run *run = call->run;
    const onnx_graph *body = body_of(call, "body");
    double scans = onnx_attr_int(call, "num_scan_inputs", 0);
    onnx_scope scope;
    if (!body || onnx_scope_open(run, &scope, call->scope, body, 0) != 0)
        return -1;
    if (call->opset < 9) {
        onnx_unknown(call, "the Scan of opset 8");
        return 0;
    }
    if (scans < 1 || scans > (double)call->in_count)
        return onnx_fail(call, ROOF_EFORMAT, "it has %zu inputs and scans %.0f of them", call->in_count, scans);
    size_t states = call->in_count - (size_t)scans, i = 0;
    double trips = -1;
    for (const onnx_declared *input = body->inputs; input && i < call->in_count; input = input->next, i++) {
        onnx_value *outer = onnx_in(call, i), *inner = carried(call, &scope, input->name, i < states ? outer : NULL);
        if (!inner)
            return -1;
        if (i < states)
            continue;
        double axis = listed_axis(call, "scan_input_axes", i - states);
        int at = outer ? onnx_axis(axis, outer->rank) : -1;
        element_of(inner, outer, at);
        trips = at >= 0 ? fmax(trips, outer->dims[at]) : trips;
    }
    if (trips < 0)
        unknown_trips(call);
    size_t start = run->record_count;
    double times = trips < 0 ? 1 : trips;
    range before = {run->range_flops, run->range_bytes};
    if (walk_body(call, &scope, body) != 0)
        return -1;
    multiply(run, start, before, times);
    const onnx_declared *output = body->outputs;
    for (i = 0; i < call->out_count && output; i++, output = output->next) {
        const onnx_value *inner = output_of(&scope, output);
        if (i < states)
            settle_carried(call, call->out[i], onnx_in(call, i), inner, times);
        else
            stack_output(call->out[i], inner, trips, (int)listed_axis(call, "scan_output_axes", i - states));
    }
    return 0;
}
