/* If, Loop and Scan: graphs inside a graph, walked once each. */
#include <math.h>
#include <string.h>

#include "read/onnx/run.h"

static int walk_inside(onnx_call *call, onnx_scope *scope, const onnx_graph *graph) {
    onnx_run *run = call->run;
    if (run->depth >= ONNX_DEPTH_MAX)
        return onnx_fail(call, ROOF_EUNSUPPORTED, "graphs are nested more than %d deep", ONNX_DEPTH_MAX);
    run->depth++;
    int result = run->walk(run, scope, graph);
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
            onnx_take_over(call->out[i], inner);
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
    size_t from, to; /* its operations */
    work_done work;
    range more; /* what branches inside it could add */
    bool failed;
} branch;

static void warn_shapes(onnx_call *call, const branch *b) {
    const onnx_declared *a = b[0].graph->outputs, *other = b[1].graph->outputs;
    for (; a && other; a = a->next, other = other->next) {
        const onnx_value *first = output_of(&b[0].scope, a), *second = output_of(&b[1].scope, other);
        if (!first || !second || same_shape(first, second))
            continue;
        onnx_warn(call->run,
                  "If '%.80s' cannot be decided and its branches give different shapes: what follows assumes the "
                  "branch that is counted",
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
    onnx_warn(run, "If '%.80s': one branch does not fit these shapes (%.160s); the other is counted", call->node->name,
              run->error->what);
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
    bool first_is_less =
        b[0].work.flops < b[1].work.flops || (b[0].work.flops == b[1].work.flops && b[0].work.bytes <= b[1].work.bytes);
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
            onnx_keep(inner); /* carried on, or gathered outside */
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
static void settle_carried(onnx_call *call, onnx_value *out, const onnx_value *before, const onnx_value *after,
                           double trips) {
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
    onnx_warn(call->run, "the shape of '%.80s' changes with every iteration of '%.80s'", out->name, call->node->name);
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
    return isnan(trips) || trips > TRIPS_MAX
               ? ONNX_UNKNOWN
               : fmax(trips, 0); /* exporters write the largest integer for "until the condition fails" */
}

static void unknown_trips(onnx_call *call) {
    call->run->at_least = true;
    onnx_warn(call->run, "the trip count of %.40s '%.80s' depends on data: one iteration is counted", call->node->op,
              *call->node->name          ? call->node->name
              : call->node->output_count ? call->node->outputs[0]
                                         : "");
}

/* The count of iterations can depend on what the body says of its condition, so what it costs is multiplied afterwards.
 */
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
