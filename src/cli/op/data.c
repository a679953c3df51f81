/* The answer of `roofline op` as JSON (docs/json.md), CSV and a chart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/op/op.h"
#include "roofline_chart.h"

/* ---- JSON and CSV ---- */

static const char *const level_keys[ROOF_LEVEL_COUNT] = {
    [ROOF_DRAM] = "dram", [ROOF_L3] = "l3", [ROOF_L2] = "l2", [ROOF_L1] = "l1"};

static void operation_json(const roof_operation *operation, roof_level level, const roof_kind_info *info, emit *json) {
    emit_object(json, "operation");
    emit_string(json, "kind", info->name);
    emit_object(json, "shape");
    for (size_t i = 0; i < info->parameter_count; i++) {
        const roof_parameter *parameter = &info->parameters[i];
        double value = 0;
        roof_operation_parameter(operation, parameter->name, &value, NULL);
        if (parameter->type == ROOF_PARAMETER_DTYPE)
            emit_string(json, parameter->name, roof_dtype_name((roof_dtype)value));
        else
            emit_number(json, parameter->name, value);
    }
    emit_end(json);
    emit_string(json, "dtype", roof_dtype_name(operation->dtype[0]));
    emit_number(json, "flops", roof_operation_flops(operation));
    emit_number(json, "matrix_flops", operation->matrix_flops);
    emit_object(json, "bytes");
    emit_number(json, "dram", operation->bytes[ROOF_DRAM]);
    if (level != ROOF_DRAM)
        emit_number(json, level_keys[level], operation->bytes[level]);
    emit_number(json, "link", operation->link_bytes);
    emit_end(json);
    emit_bool(json, "at_least", operation->at_least);
    emit_end(json);
}

static void verdict_json(const op_row *row, emit *json) {
    const roof_verdict *verdict = &row->verdict;
    char roof[48];
    emit_object(json, "verdict");
    emit_string(json, "bound", roof_bound_name(verdict->bound));
    emit_string(json, "roof", roof_verdict_roof(verdict, roof, sizeof roof));
    emit_number(json, "seconds", verdict->seconds);
    emit_number(json, "compute_seconds", verdict->compute_seconds);
    emit_number(json, "memory_seconds", verdict->memory_seconds);
    emit_number(json, "link_seconds", verdict->link_seconds);
    emit_number(json, "launch_seconds", verdict->launch_seconds);
    emit_number(json, "intensity", verdict->intensity);
    emit_number(json, "ridge", verdict->ridge > 0 ? verdict->ridge : HUGE_VAL);
    emit_number(json, "attainable", verdict->attainable);
    emit_number(json, "margin", verdict->margin);
    expected_json(&row->expected, 1, true, json);
    emit_end(json);
}

static void run_json(const roof_run *run, emit *json) {
    emit_number(json, "median", run->median);
    emit_number(json, "worst", run->worst);
    emit_number(json, "executions", (double)run->times);
    emit_number(json, "threads", run->threads);
    emit_string(json, "level", roof_level_name(run->level));
    emit_bool(json, "near_edge", run->near_edge);
    emit_number(json, "set_bytes", run->set_bytes);
    emit_string(json, "method", run->method);
    emit_number(json, "error", run->error);
}

static void row_json(const op_question *question, const op_row *row, emit *json) {
    machine_json(row->machine, "machine", json);
    operation_json(&row->operation, row->level, question->info, json);
    verdict_json(row, json);
    if (row->measured > 0) {
        emit_object(json, "measured");
        emit_number(json, "seconds", row->measured);
        emit_number(json, "headroom", row->measured / row->verdict.seconds);
        if (row->run.times > 0)
            run_json(&row->run, json);
        emit_end(json);
    }
}

void op_json(const void *context, emit *json) {
    const op_question *question = context;
    engine_json(&question->constants, json);
    if (question->row_count == 1) {
        row_json(question, op_last_row(question), json);
    } else {
        emit_array(json, "points");
        for (size_t i = 0; i < question->row_count; i++) {
            emit_object(json, NULL);
            row_json(question, &question->rows[i], json);
            emit_end(json);
        }
        emit_end(json);
    }
    emit_array(json, "advice");
    advice_json(&question->advice, NULL, 0, json);
    emit_end(json);
}

static const char *const measured_heads[] = {"measured_seconds", "headroom", "median", "worst",
                                             "executions",       "threads",  "level",  "method"};

static bool any_measured(const op_question *question) {
    return op_last_row(question)->measured > 0;
}

static void measured_csv(const op_row *row, text_out *out) {
    bool run = row->run.times > 0;
    csv_number(out, row->measured);
    csv_number(out, row->measured / row->verdict.seconds);
    csv_number(out, run ? row->run.median : HUGE_VAL);
    csv_number(out, run ? row->run.worst : HUGE_VAL);
    csv_number(out, run ? (double)row->run.times : HUGE_VAL);
    csv_number(out, run ? row->run.threads : HUGE_VAL);
    csv_text(out, run ? roof_level_name(row->run.level) : "");
    csv_text(out, run ? row->run.method : "");
}

void op_csv(const void *context, text_out *out) {
    static const char *const heads[] = {"flops",   "matrix_flops", "bytes", "link_bytes", "bound", "roof",
                                        "seconds", "intensity",    "ridge", "attainable", "margin"};
    const op_question *question = context;
    char roof[48];
    csv_text(out, "machine");
    csv_text(out, "kind");
    for (size_t i = 0; i < question->info->parameter_count; i++)
        if (question->given[i].count)
            csv_text(out, question->info->parameters[i].name);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        csv_text(out, heads[i]);
    expected_csv_heads(out);
    for (size_t i = 0; any_measured(question) && i < sizeof measured_heads / sizeof *measured_heads; i++)
        csv_text(out, measured_heads[i]);
    csv_end(out);
    for (size_t r = 0; r < question->row_count; r++) {
        const op_row *row = &question->rows[r];
        csv_text(out, row->machine->id);
        csv_text(out, question->info->name);
        for (size_t i = 0; i < question->info->parameter_count; i++) {
            if (!question->given[i].count)
                continue;
            if (question->info->parameters[i].type == ROOF_PARAMETER_DTYPE)
                csv_text(out, roof_dtype_name((roof_dtype)row->values[i]));
            else
                csv_number(out, row->values[i]);
        }
        csv_number(out, roof_operation_flops(&row->operation));
        csv_number(out, row->operation.matrix_flops);
        csv_number(out, row->operation.bytes[row->level]);
        csv_number(out, row->operation.link_bytes);
        csv_text(out, roof_bound_name(row->verdict.bound));
        csv_text(out, roof_verdict_roof(&row->verdict, roof, sizeof roof));
        csv_number(out, row->verdict.seconds);
        csv_number(out, row->verdict.intensity);
        csv_number(out, row->verdict.ridge > 0 ? row->verdict.ridge : HUGE_VAL);
        csv_number(out, row->verdict.attainable);
        csv_number(out, row->verdict.margin);
        expected_csv(&row->expected, true, out);
        if (any_measured(question))
            measured_csv(row, out);
        csv_end(out);
    }
}

/* ---- charts ---- */

/* The roof drawn is that of the fastest level any row lies at: no point is above it. */
static void chart_machine(const op_question *question, roof_machine *out) {
    roof_operation operation;
    const op_row *fastest = op_last_row(question);
    for (size_t i = 0; i < question->row_count; i++)
        if (question->rows[i].level > fastest->level)
            fastest = &question->rows[i];
    op_as_asked(fastest, out, &operation);
}

/* A ring under each point, on its vertical; what was faster than the roof is drawn on it, and its label says so. */
static void add_ring(const op_row *row, size_t at, roof_drawing *out) {
    char time[NUMBER_SIZE], share[NUMBER_SIZE];
    double flops = roof_operation_flops(&row->operation);
    roof_chart_point *ring = &out->points[out->chart.point_count];
    *ring = out->points[at];
    ring->attainable = fmin(flops / row->measured, ring->attainable);
    ring->measured = true;
    snprintf(out->labels[out->chart.point_count], sizeof out->labels[0], "measured %s",
             number_si(row->measured, "s", time));
    snprintf(out->details[out->chart.point_count], sizeof out->details[0], "%s of the roof",
             number_percent(row->verdict.seconds / row->measured, share));
    ring->label = out->labels[out->chart.point_count];
    ring->detail = out->details[out->chart.point_count++];
}

static void add_rings(const op_question *question, roof_drawing *out) {
    if (!any_measured(question))
        return;
    for (size_t i = 0; i < question->row_count; i++)
        add_ring(&question->rows[i], i, out);
    char *claim = strstr(out->subtitle, "upper bound from the model, not a measurement");
    if (claim)
        snprintf(claim, sizeof out->subtitle - (size_t)(claim - out->subtitle),
                 "upper bound from the model, and rings: measured");
}

int op_chart(const void *context, roof_drawing *out, roof_error *error) {
    const op_question *question = context;
    if (machines_refuse_many(&question->machines, error))
        return -1;
    int most = any_measured(question) ? ROOF_CHART_POINT_MAX / 2 : ROOF_CHART_POINT_MAX;
    if (question->row_count > (size_t)most) {
        roof_fail(error, ROOF_EARGUMENT, "a chart shows at most %d points, and the lists make %zu", most,
                  question->row_count);
        roof_hint(error, "shorten a list, or step wider: 1..4096*4");
        return -1;
    }
    roof_operation *operations = keep_or_die(calloc(question->row_count, sizeof *operations));
    roof_verdict *verdicts = keep_or_die(calloc(question->row_count, sizeof *verdicts));
    for (size_t i = 0; i < question->row_count; i++) {
        operations[i] = question->rows[i].operation;
        verdicts[i] = question->rows[i].verdict;
    }
    roof_machine machine;
    chart_machine(question, &machine);
    int result = roof_chart_of_operations(&machine, operations, verdicts, question->row_count, NULL, 0, out, error);
    for (size_t i = 0; result == 0 && i < question->row_count; i++)
        expected_detail(&question->rows[i].expected, 3, out, i);
    if (result == 0)
        add_rings(question, out);
    free(operations);
    free(verdicts);
    return result;
}

/* ---- what --require may ask ---- */

static void row_facts(op_question *question, const op_row *row) {
    fact_list *facts = &question->facts;
    char roof[48];
    op_row_place(question, row, facts->place, sizeof facts->place);
    for (int i = 0; i < 2; i++) { /* the JSON's own keys, and the short ones people type */
        const char *prefix = i ? "" : "verdict.";
        fact_number(facts, prefix, "seconds", row->verdict.seconds);
        fact_word(facts, prefix, "bound", roof_bound_name(row->verdict.bound));
        fact_word(facts, prefix, "roof", roof_verdict_roof(&row->verdict, roof, sizeof roof));
        fact_number(facts, prefix, "intensity", row->verdict.intensity);
        fact_number(facts, prefix, "ridge", row->verdict.ridge > 0 ? row->verdict.ridge : (double)NAN);
        fact_number(facts, prefix, "attainable", row->verdict.attainable);
        fact_number(facts, prefix, "margin", row->verdict.margin);
        expected_facts(facts, prefix, &row->expected, true);
    }
    fact_number(facts, "operation.", "flops", roof_operation_flops(&row->operation));
    fact_number(facts, "operation.", "matrix_flops", row->operation.matrix_flops);
    fact_number(facts, "operation.", "bytes.dram", row->operation.bytes[ROOF_DRAM]);
    if (row->measured > 0) {
        fact_number(facts, "measured.", "seconds", row->measured);
        fact_number(facts, "measured.", "headroom", row->measured / row->verdict.seconds);
    }
}

void op_facts(op_question *question) {
    for (size_t i = 0; i < question->row_count; i++)
        row_facts(question, &question->rows[i]);
}
