/* The answer for a graph as JSON (docs/json.md), CSV and a chart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph/graph.h"
#include "roofline_chart.h"
#include "roofline_read.h"

/* ---- JSON ---- */

static void dimensions_member(const roof_graph *graph, emit *json) {
    const roof_dimension *dimension;
    emit_array(json, "dimensions");
    for (size_t i = 0; (dimension = roof_graph_dimension(graph, i)); i++) {
        emit_row(json, NULL);
        emit_string(json, "name", dimension->name);
        emit_number(json, "value", dimension->value);
        emit_end(json);
    }
    emit_end(json);
}

static void graph_member(const graph_question *question, const roof_graph *graph, emit *json) {
    const roof_graph_info *info = roof_graph_about(graph);
    const roof_graph_unknown *unknown;
    emit_object(json, "graph");
    emit_string(json, "file", question->name);
    emit_string(json, "name", info->name);
    emit_string(json, "producer", info->producer);
    emit_number(json, "opset", info->opset > 0 ? info->opset : HUGE_VAL);
    emit_number(json, "nodes", info->nodes);
    emit_number(json, "parameters", info->parameters);
    emit_number(json, "weight_bytes", info->parameter_bytes);
    emit_number(json, "macs", info->macs);
    emit_number(json, "least_flops", info->least_flops);
    emit_number(json, "most_flops", info->most_flops);
    emit_number(json, "least_bytes", info->least_bytes);
    emit_number(json, "most_bytes", info->most_bytes);
    emit_bool(json, "at_least", info->at_least);
    dimensions_member(graph, json);
    emit_array(json, "unknown");
    for (size_t i = 0; (unknown = roof_graph_unknown_at(graph, i)); i++) {
        emit_row(json, NULL);
        emit_string(json, "operation", unknown->operation);
        emit_string(json, "why", unknown->why);
        emit_number(json, "nodes", unknown->nodes);
        emit_number(json, "share", unknown->share);
        emit_end(json);
    }
    emit_end(json);
    emit_end(json);
}

static void operation_json(const judged_operation *item, const char *node, double total, emit *json) {
    const roof_operation *operation = &item->operation;
    emit_row(json, NULL);
    emit_string(json, "name", operation->name);
    emit_string(json, "node", node);
    emit_string(json, "kind", roof_kind_name(operation->kind));
    emit_number(json, "times", operation->count);
    judged_json(item, total, json);
    emit_bool(json, "at_least", operation->at_least);
    expected_json(&item->expected, operation->count, true, json);
    emit_end(json);
}

static void point_json(const graph_question *question, const graph_row *row, emit *json) {
    const roof_sum *sum = &row->sum;
    size_t count;
    judged_operation *operations = graph_operations(question, row, &count);
    emit_object(json, NULL);
    if (question->machines.count > 1)
        emit_string(json, "machine", row->machine->id);
    dimensions_member(row->graph, json);
    emit_number(json, "macs", roof_graph_about(row->graph)->macs);
    emit_number(json, "flops", sum->flops);
    emit_number(json, "matrix_flops", sum->matrix_flops);
    emit_number(json, "bytes", sum->bytes);
    emit_number(json, "seconds", sum->seconds);
    emit_number(json, "most_seconds", row->most.seconds);
    expected_json(&row->expected, 1, true, json);
    emit_string(json, "bound", roof_bound_name(roof_sum_bound(sum)));
    emit_number(json, "intensity", sum->bytes > 0 ? sum->flops / sum->bytes : HUGE_VAL);
    emit_number(json, "attainable", sum->seconds > 0 ? sum->flops / sum->seconds : HUGE_VAL);
    emit_bool(json, "at_least", roof_graph_about(row->graph)->at_least);
    emit_array(json, "operations");
    for (size_t i = 0; i < count; i++)
        operation_json(&operations[i], roof_graph_node(row->graph, i), sum->seconds, json);
    emit_end(json);
    emit_end(json);
    free(operations);
}

void graph_json(const void *context, emit *json) {
    const graph_question *question = context;
    const roof_graph *graph = question->graphs[question->reading_count - 1];
    const char *warning;
    graph_member(question, graph, json);
    if (question->row_count > 0) {
        machines_json(&question->machines, json);
        engine_json(&question->constants, json);
        emit_array(json, "points");
        for (size_t i = 0; i < question->row_count; i++)
            point_json(question, &question->rows[i], json);
        emit_end(json);
        if (question->measured_seconds > 0) {
            emit_object(json, "measured");
            emit_number(json, "seconds", question->measured_seconds);
            emit_number(json, "headroom", question->measured_seconds / question->rows[0].sum.seconds);
            emit_end(json);
        }
        emit_array(json, "advice");
        advice_json(&question->advice, NULL, 0, json);
        emit_end(json);
    }
    emit_array(json, "warnings");
    for (size_t i = 0; (warning = roof_graph_warning(graph, i)); i++)
        emit_string(json, NULL, warning);
    emit_end(json);
}

/* ---- CSV ---- */

static void csv_dimensions(const graph_question *question, const graph_row *row, text_out *out) {
    for (size_t k = 0; k < question->dimension_count; k++) {
        const roof_dimension *dimension;
        double value = HUGE_VAL;
        for (size_t i = 0; (dimension = roof_graph_dimension(row->graph, i)); i++)
            if (strcmp(dimension->name, question->names[k]) == 0)
                value = dimension->value;
        csv_number(out, value);
    }
}

void graph_csv(const void *context, text_out *out) {
    static const char *const heads[] = {"nodes",        "parameters", "weight_bytes", "macs",         "flops",
                                        "matrix_flops", "bytes",      "seconds",      "most_seconds", "bound",
                                        "intensity",    "attainable", "at_least"};
    const graph_question *question = context;
    csv_text(out, "machine");
    for (size_t k = 0; k < question->dimension_count; k++)
        csv_text(out, question->names[k]);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        csv_text(out, heads[i]);
    expected_csv_heads(out);
    csv_end(out);
    for (size_t i = 0; i < question->row_count; i++) {
        const graph_row *row = &question->rows[i];
        const roof_graph_info *info = roof_graph_about(row->graph);
        const roof_sum *sum = &row->sum;
        csv_text(out, row->machine->id);
        csv_dimensions(question, row, out);
        const double numbers[] = {info->nodes, info->parameters, info->parameter_bytes,
                                  info->macs,  sum->flops,       sum->matrix_flops,
                                  sum->bytes,  sum->seconds,     row->most.seconds};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            csv_number(out, numbers[k]);
        csv_text(out, roof_bound_name(roof_sum_bound(sum)));
        csv_number(out, sum->bytes > 0 ? sum->flops / sum->bytes : HUGE_VAL);
        csv_number(out, sum->seconds > 0 ? sum->flops / sum->seconds : HUGE_VAL);
        csv_bool(out, info->at_least);
        expected_csv(&row->expected, true, out);
        csv_end(out);
    }
}

/* ---- the chart ---- */

/* The highest roof that any operation runs under is the bold one: no point lies above it. */
static void choose_roof(const judged_operation *operations, size_t count, roof_drawing *out) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        const roof_verdict *verdict = &operations[i].verdict;
        const roof_figure *peak = roof_machine_peak(&out->machine, verdict->unit, verdict->dtype);
        if (!peak || peak->value <= most)
            continue;
        most = peak->value;
        out->chart.unit = verdict->unit;
        out->chart.dtype = verdict->dtype;
    }
}

static void add_point(const named_sum *kind, const roof_sum *total, roof_drawing *out) {
    size_t at = out->chart.point_count++;
    roof_chart_point *point = &out->points[at];
    char share[NUMBER_SIZE], time[NUMBER_SIZE];
    double peak = roof_machine_peak(&out->machine, out->chart.unit, out->chart.dtype)->value;
    double slope = out->machine.bandwidth[ROOF_DRAM].value * (kind->sum.flops / kind->sum.bytes);
    snprintf(out->labels[at], sizeof out->labels[at], "%.60s", kind->name);
    snprintf(out->details[at], sizeof out->details[at], "%s of the time, %s",
             number_percent(kind->sum.seconds / total->seconds, share), number_si(kind->sum.seconds, "s", time));
    *point = (roof_chart_point){.label = out->labels[at],
                                .detail = out->details[at],
                                .intensity = kind->sum.flops / kind->sum.bytes,
                                .attainable = kind->sum.flops / kind->sum.seconds,
                                .share = kind->sum.seconds / total->seconds,
                                .bound = roof_sum_bound(&kind->sum)};
    point->attainable = fmin(point->attainable, fmin(peak, slope)); /* vector work runs beside the matrix unit */
}

/* Each kind of operation a point, most time first; those without FLOPs or bytes have no place, and those
 * below a thousandth would only hide others: the foot says so. */
static void add_points(const named_sum *names, size_t count, const roof_sum *total, roof_drawing *out) {
    double left_out = 0;
    char share[NUMBER_SIZE];
    for (size_t i = 0; i < count; i++) {
        const roof_sum *sum = &names[i].sum;
        if (sum->flops > 0 && sum->bytes > 0 && sum->seconds >= 0.001 * total->seconds && out->chart.point_count < 12)
            add_point(&names[i], total, out);
        else
            left_out += sum->seconds / total->seconds;
    }
    snprintf(out->foot, sizeof out->foot,
             "\xE2\x97\x8F kinds of operation, area = share of time \xC2\xB7 colour = what limits it");
    if (left_out > 0.0005)
        snprintf(out->foot + strlen(out->foot), sizeof out->foot - strlen(out->foot),
                 " \xC2\xB7 not drawn: %s of the time", number_percent(left_out, share));
}

static void say_title(const graph_question *question, const graph_row *row, roof_drawing *out) {
    char share[NUMBER_SIZE], time[NUMBER_SIZE], where[96];
    roof_bound bound = roof_sum_bound(&row->sum);
    graph_dimensions_text(question, row->graph, false, where, sizeof where);
    snprintf(out->title, sizeof out->title, "%.100s is %s-bound for %s of its time", question->name,
             roof_bound_name(bound), number_percent(row->sum.bound_seconds[bound] / row->sum.seconds, share));
    snprintf(out->subtitle, sizeof out->subtitle,
             "%s%s%s on one %.80s \xC2\xB7 at least %s \xC2\xB7 upper bound from the model, not a measurement",
             roof_dtype_name(graph_math(row->graph)), where[0] ? ", " : "", where,
             row->machine->name ? row->machine->name : row->machine->id, number_si(row->sum.seconds, "s", time));
    out->chart.title = out->title;
    out->chart.subtitle = out->subtitle;
    out->chart.foot = out->foot;
}

int graph_chart(const void *context, roof_drawing *out, roof_error *error) {
    const graph_question *question = context;
    const graph_row *row = graph_last_row(question);
    size_t count, name_count;
    if (machines_refuse_many(&question->machines, error))
        return -1;
    if (!(row->sum.flops > 0))
        return roof_fail(error, ROOF_EUNSUPPORTED, "the graph has no FLOPs to draw");
    judged_operation *operations = graph_operations(question, row, &count);
    named_sum *names = sums_by_name(operations, count, &name_count);
    out->machine = *row->machine;
    out->chart.machine = &out->machine;
    out->chart.points = out->points;
    out->chart.changes = out->changes;
    choose_roof(operations, count, out);
    add_points(names, name_count, &row->sum, out);
    say_title(question, row, out);
    free(names);
    free(operations);
    return 0;
}

/* ---- what --require may ask ---- */

void graph_facts(graph_question *question) {
    fact_list *facts = &question->facts;
    for (size_t i = 0; i < question->row_count; i++) {
        const graph_row *row = &question->rows[i];
        const roof_graph_info *info = roof_graph_about(row->graph);
        char where[FACT_PLACE - 40];
        graph_dimensions_text(question, row->graph, true, where, sizeof where);
        snprintf(facts->place, sizeof facts->place, "%s%s%s%.32s", where[0] ? "at " : "", where,
                 question->machines.count > 1 ? (where[0] ? " on " : "on ") : "",
                 question->machines.count > 1 ? row->machine->id : "");
        fact_number(facts, "graph.", "seconds", row->sum.seconds);
        expected_facts(facts, "graph.", &row->expected, true);
        fact_number(facts, "graph.", "flops", row->sum.flops);
        fact_number(facts, "graph.", "matrix_flops", row->sum.matrix_flops);
        fact_number(facts, "graph.", "macs", info->macs);
        fact_number(facts, "graph.", "bytes", row->sum.bytes);
        fact_number(facts, "graph.", "intensity", row->sum.bytes > 0 ? row->sum.flops / row->sum.bytes : (double)NAN);
        fact_number(facts, "graph.", "parameters", info->parameters);
        fact_number(facts, "graph.", "weight_bytes", info->parameter_bytes);
        fact_number(facts, "graph.", "nodes", info->nodes);
        fact_number(facts, "graph.", "unknown_nodes", info->unknown_nodes);
        fact_word(facts, "graph.", "bound", roof_bound_name(roof_sum_bound(&row->sum)));
    }
    facts->place[0] = '\0';
    if (question->measured_seconds > 0)
        fact_number(facts, "measured.", "headroom", question->measured_seconds / question->rows[0].sum.seconds);
}
