/* The answer for a graph in words. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph/graph.h"
#include "cli/out/table.h"
#include "cli/say/explain.h"
#include "roofline_read.h"

enum { SUMS_SHOWN = 20, UNKNOWN_SHOWN = 4, LINE = 700 };

/* ---- title and notes ---- */

static void title(const graph_question *question, text_out *out) {
    char line[240], verdict[48];
    const graph_row *last = graph_last_row(question);
    roof_dtype math = graph_math(last->graph);
    roof_bound bound = roof_sum_bound(&last->sum);
    const char *on = last->machine->name ? last->machine->name : last->machine->id;
    char several[32];
    if (question->machines.count > 1) {
        snprintf(several, sizeof several, "%zu machines", question->machines.count);
        on = several;
    }
    snprintf(line, sizeof line, "%.100s%s%s on %.96s", question->name, math != ROOF_DTYPE_NONE ? " " : "",
             math != ROOF_DTYPE_NONE ? roof_dtype_name(math) : "", on);
    if (question->row_count > 1)
        snprintf(verdict, sizeof verdict, "least times");
    else if (bound == ROOF_BOUND_NONE)
        snprintf(verdict, sizeof verdict, roof_graph_about(last->graph)->at_least ? "unknown" : "no work");
    else
        snprintf(verdict, sizeof verdict, "%s-bound", roof_bound_name(bound));
    text_title(out, line, question->row_count > 1 ? PAINT_NONE : text_bound_paint(bound), "%s", verdict);
}

static void unknown_note(const roof_graph *graph, text_out *out) {
    const roof_graph_info *info = roof_graph_about(graph);
    const roof_graph_unknown *unknown;
    text_out line = {0};
    char number[NUMBER_SIZE], share[NUMBER_SIZE];
    size_t count = 0;
    while (roof_graph_unknown_at(graph, count))
        count++;
    if (count == 0)
        return;
    text_add(&line, "the cost of %s ", number_whole(info->unknown_nodes, number));
    text_add(&line,
             "of %s nodes (%s) is unknown, so the totals are at least these: ", number_whole(info->nodes, number),
             number_percent(info->unknown_nodes / info->nodes, share));
    for (size_t i = 0; (unknown = roof_graph_unknown_at(graph, i)); i++) {
        if (i == UNKNOWN_SHOWN && count > UNKNOWN_SHOWN + 1) {
            text_add(&line, "; and %zu more kinds", count - i);
            break;
        }
        text_add(&line, "%s%s %s (%s)", i ? "; " : "", number_whole(unknown->nodes, number), unknown->operation,
                 unknown->why);
    }
    text_note(out, PAINT_YELLOW, line.bytes);
    text_free(&line);
}

static void memory_note(const graph_row *row, text_out *out) {
    char weights[NUMBER_SIZE], capacity[NUMBER_SIZE], line[160];
    double size = roof_machine_capacity(row->machine), bytes = roof_graph_about(row->graph)->parameter_bytes;
    if (!(size > 0) || bytes <= size)
        return;
    snprintf(line, sizeof line, "does not fit: the weights alone are %s, and %s has %s", number_si(bytes, "B", weights),
             row->machine->id, number_si(size, "B", capacity));
    text_note(out, PAINT_YELLOW, line);
}

static void notes(const graph_question *question, const roof_graph *graph, text_out *out) {
    const char *warning;
    machines_notes(&question->machines, out);
    if (question->row_count > 0)
        memory_note(graph_last_row(question), out);
    for (size_t i = 0; (warning = roof_graph_warning(graph, i)); i++)
        text_note(out, PAINT_YELLOW, warning);
    unknown_note(graph, out);
}

/* ---- evidence ---- */

static const char *at_least(const roof_graph *graph) {
    return roof_graph_about(graph)->at_least ? ">= " : "";
}

static void time_line(const graph_row *row, text_out *out) {
    char value[NUMBER_SIZE + 4], number[NUMBER_SIZE], words[120];
    snprintf(value, sizeof value, "%s%s", at_least(row->graph), number_si(row->sum.seconds, "s", number));
    words[0] = '\0';
    if (row->most.seconds > row->sum.seconds)
        snprintf(words, sizeof words, "to %s, by the branches that data decides",
                 number_si(row->most.seconds, "s", number));
    else if (!roof_graph_about(row->graph)->at_least)
        snprintf(words, sizeof words, "at most %s runs a second", number_three(1 / row->sum.seconds, number));
    text_evidence(out, "least time", value, words);
}

static void expected_line(const graph_question *question, const graph_row *row, text_out *out) {
    char value[EXPECTED_SIZE + 4], number[EXPECTED_SIZE], words[EXPECTED_SIZE];
    if (!(row->expected.seconds > 0))
        return;
    snprintf(value, sizeof value, "%s%s", at_least(row->graph), expected_text(&row->expected, number));
    text_evidence(out, "expected", value, expected_note(&row->expected, row->sum.seconds, &question->constants, words));
}

static const double WHOLE_MAX = 9007199254740992.0; /* 2^53: doubles are exact up to it */

static void work_lines(const roof_graph *graph, text_out *out) {
    const roof_graph_info *info = roof_graph_about(graph);
    char value[NUMBER_SIZE + 4], number[NUMBER_SIZE], most[NUMBER_SIZE], words[160];
    snprintf(value, sizeof value, "%s%s", at_least(graph), number_si(info->macs, "MAC", number));
    if (info->most_flops > info->least_flops)
        snprintf(words, sizeof words, "%s to %s, by the branches that data decides",
                 number_si(info->least_flops, "FLOP", number), number_si(info->most_flops, "FLOP", most));
    else if (!(info->macs > 0))
        snprintf(words, sizeof words, "%s in all", number_si(info->least_flops, "FLOP", number));
    else
        snprintf(words, sizeof words, "%s%s%s in all", info->macs < WHOLE_MAX ? number_whole(info->macs, most) : "",
                 info->macs >= WHOLE_MAX ? ""
                 : info->at_least        ? " known; "
                                         : " exactly; ",
                 number_si(info->least_flops, "FLOP", number));
    text_evidence(out, "work", value, words);
    snprintf(value, sizeof value, "%s%s", at_least(graph), number_si(info->least_bytes, "B", number));
    words[0] = '\0';
    if (info->most_bytes > info->least_bytes)
        snprintf(words, sizeof words, "to %s; ", number_si(info->most_bytes, "B", number));
    if (info->least_bytes > 0)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s FLOP/B in all",
                 number_three(info->least_flops / info->least_bytes, number));
    text_evidence(out, "traffic", value, words);
}

static void file_lines(const roof_graph *graph, text_out *out) {
    const roof_graph_info *info = roof_graph_about(graph);
    char value[NUMBER_SIZE + 8], number[NUMBER_SIZE], words[200];
    size_t operations;
    roof_graph_operations(graph, &operations);
    snprintf(words, sizeof words, "%s as stored", number_si(info->parameter_bytes, "B", number));
    text_evidence(out, "parameters", number_whole(info->parameters, value), words);
    snprintf(value, sizeof value, "%s nodes", number_whole(info->nodes, number));
    int used = snprintf(words, sizeof words, "%s operations", number_whole((double)operations, number));
    if (info->opset > 0)
        used += snprintf(words + used, sizeof words - (size_t)used, "; opset %s", number_plain(info->opset, number));
    if (info->producer[0])
        snprintf(words + used, sizeof words - (size_t)used, ", %.80s", info->producer);
    text_evidence(out, "graph", value, words);
}

static void dimensions_line(const graph_question *question, const roof_graph *graph, text_out *out) {
    char words[LINE];
    graph_dimensions_text(question, graph, false, words, sizeof words);
    if (!words[0])
        return;
    text_add(out, "  %-12s  ", "dimensions");
    text_wrap(out, 16, 16, words);
}

static void measured_line(const graph_question *question, text_out *out) {
    char value[NUMBER_SIZE], share[NUMBER_SIZE], factor[NUMBER_SIZE], rate[NUMBER_SIZE], times[NUMBER_SIZE], words[160];
    double seconds = question->measured_seconds;
    if (!(seconds > 0))
        return;
    const roof_sum *sum = &question->rows[0].sum;
    snprintf(words, sizeof words, "%s of the roof, %s headroom; %s; %s the expected time",
             number_percent(sum->seconds / seconds, share), number_factor(seconds / sum->seconds, factor),
             number_si(sum->flops / seconds, "FLOP/s", rate),
             number_factor(seconds / question->rows[0].expected.seconds, times));
    text_evidence(out, "measured", number_si(seconds, "s", value), words);
}

static void against_line(const graph_question *question, text_out *out) {
    char line[256];
    if (!(question->settings->against > 0))
        return;
    roof_count_diagnose(&graph_last_row(question)->sum, question->settings->against, line, sizeof line);
    text_add(out, "  %-12s  ", "against");
    text_wrap(out, 16, 16, line);
}

/* "compute-bound for 62% of the time, memory-bound for 38%" */
static void because(const graph_row *row, text_out *out) {
    text_out line = {0};
    char share[NUMBER_SIZE];
    roof_bound first = roof_sum_bound(&row->sum);
    if (!(row->sum.seconds > 0))
        return;
    for (int pass = 0; pass < 2; pass++)
        for (int bound = ROOF_BOUND_COMPUTE; bound <= ROOF_BOUND_LATENCY; bound++) {
            double part = row->sum.bound_seconds[bound] / row->sum.seconds;
            if (((roof_bound)bound == first) != (pass == 0) || !(part > 0))
                continue;
            text_add(&line, "%s%s-bound %s%s", line.length ? ", " : "", roof_bound_name((roof_bound)bound),
                     line.length ? "" : "for ", number_percent(part, share));
            if (pass == 0)
                text_add(&line, " of the time");
        }
    text_paragraph(out, 2, 4, line.bytes);
    text_free(&line);
}

/* ---- tables ---- */

static void operations_table(const graph_question *question, text_out *out) {
    const graph_row *row = graph_last_row(question);
    size_t count;
    judged_operation *operations = graph_operations(question, row, &count);
    if (count > 0)
        sums_table(operations, count, &row->sum, row->expected.seconds, question->settings->model.ops ? 0 : SUMS_SHOWN,
                   true, out);
    free(operations);
}

static number_unit unit_of(const graph_question *question, bool time) {
    double *values = keep_or_die(calloc(question->row_count, sizeof *values));
    for (size_t i = 0; i < question->row_count; i++)
        values[i] = time ? question->rows[i].expected.seconds
                         : question->rows[i].sum.flops / fmax(question->rows[i].sum.seconds, 1e-300);
    number_unit unit = number_column(values, question->row_count);
    free(values);
    return unit;
}

static void rows_table(const graph_question *question, text_out *out) {
    table_grid table = {0};
    char number[NUMBER_SIZE];
    number_unit time = unit_of(question, true), rate = unit_of(question, false);
    if (question->machines.count > 1)
        table_column_add(&table, NULL, "ls", "machine");
    for (size_t i = 0; i < question->dimension_count; i++)
        if (question->values[i].count > 1)
            table_column_add(&table, NULL, "s", "%s", question->names[i]);
    table_column_add(&table, NULL, "lw", "bound");
    table_column_add(&table, NULL, "", "least %ss", time.prefix);
    table_heads(&table, ":expected", ":FLOP/B");
    table_column_add(&table, NULL, "", "%sFLOP/s", rate.prefix);
    for (size_t i = 0; i < question->row_count; i++) {
        const graph_row *row = &question->rows[i];
        roof_bound bound = roof_sum_bound(&row->sum);
        const roof_dimension *dimension;
        table_row(&table);
        if (question->machines.count > 1)
            table_text(&table, row->machine->id);
        for (size_t k = 0; k < question->dimension_count; k++)
            for (size_t d = 0; question->values[k].count > 1 && (dimension = roof_graph_dimension(row->graph, d)); d++)
                if (strcmp(dimension->name, question->names[k]) == 0)
                    table_text(&table, number_whole(dimension->value, number));
        table_cell_add(&table, text_bound_paint(bound), "%s", roof_bound_name(bound));
        table_cell_add(&table, PAINT_NONE, "%s%s", at_least(row->graph),
                       number_three(row->sum.seconds * time.factor, number));
        table_text(&table, number_three(row->expected.seconds * time.factor, number));
        table_text(&table, row->sum.bytes > 0 ? number_three(row->sum.flops / row->sum.bytes, number) : "-");
        table_text(&table,
                   row->sum.seconds > 0 ? number_three(row->sum.flops / row->sum.seconds * rate.factor, number) : "-");
    }
    table_print(&table, out);
    table_free(&table);
}

static void explain(const graph_question *question, text_out *out) {
    const graph_row *row = graph_last_row(question);
    used_figures used = {0};
    size_t count;
    if (!question->settings->explain)
        return;
    judged_operation *operations = graph_operations(question, row, &count);
    for (size_t i = 0; i < count; i++)
        explain_judged(&operations[i], roof_graph_node(row->graph, i), row->machine, &used, out);
    free(operations);
    text_add(out, "\n");
    expected_explain(&row->expected, &question->constants, row->machine, &used, out);
    text_add(out, "\n");
    advice_explain(&question->advice, out);
}

/* ---- without a machine ---- */

static void show(const graph_question *question, text_out *out) {
    const roof_graph *graph = question->graphs[question->reading_count - 1];
    text_title(out, question->name, PAINT_BOLD, "%s", "onnx");
    notes(question, graph, out);
    text_add(out, "\n");
    work_lines(graph, out);
    file_lines(graph, out);
    dimensions_line(question, graph, out);
}

void graph_text(const void *context, text_out *out) {
    const graph_question *question = context;
    if (question->settings->model.layers) {
        show(question, out);
        return;
    }
    const graph_row *row = graph_last_row(question);
    char place[FACT_PLACE];
    title(question, out);
    notes(question, row->graph, out);
    text_add(out, "\n");
    if (question->row_count > 1) {
        rows_table(question, out);
        graph_dimensions_text(question, row->graph, true, place, sizeof place);
        text_add(out, "\n  %s%son %s:\n", place, place[0] ? " " : "", row->machine->id);
    }
    if (row->sum.seconds > 0)
        time_line(row, out);
    expected_line(question, row, out);
    work_lines(row->graph, out);
    file_lines(row->graph, out);
    dimensions_line(question, row->graph, out);
    measured_line(question, out);
    against_line(question, out);
    text_add(out, "\n");
    operations_table(question, out);
    text_add(out, "\n");
    because(row, out);
    explain(question, out);
    text_add(out, "\n");
    advice_print(&question->advice, out);
}
