/* The answer of `roofline op` as JSON (docs/json.md), CSV and a chart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/op.h"

/* ---- JSON and CSV ---- */

static void operation_json(const roof_operation *operation, const roof_kind_info *info, emit *json) {
    size_t value_at = 0, dtype_at = 0;
    emit_object(json, "operation");
    emit_string(json, "kind", info->name);
    emit_object(json, "shape");
    for (size_t i = 0; i < info->parameter_count; i++) {
        const roof_parameter *parameter = &info->parameters[i];
        if (parameter->type == ROOF_PARAMETER_DTYPE)
            emit_string(json, parameter->name, roof_dtype_name(operation->dtype[dtype_at++]));
        else
            emit_number(json, parameter->name, operation->shape[value_at++]);
    }
    emit_end(json);
    emit_string(json, "dtype", roof_dtype_name(operation->dtype[0]));
    emit_number(json, "flops", roof_operation_flops(operation));
    emit_number(json, "matrix_flops", operation->matrix_flops);
    emit_object(json, "bytes");
    emit_number(json, "dram", operation->bytes[ROOF_DRAM]);
    emit_number(json, "link", operation->link_bytes);
    emit_end(json);
    emit_bool(json, "at_least", operation->at_least);
    emit_end(json);
}

static void verdict_json(const roof_verdict *verdict, emit *json) {
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
    emit_end(json);
}

static void row_json(const op_question *question, const op_row *row, emit *json) {
    machine_json(row->machine, "machine", json);
    operation_json(&row->operation, question->info, json);
    verdict_json(&row->verdict, json);
    if (question->measured_seconds > 0) {
        emit_object(json, "measured");
        emit_number(json, "seconds", question->measured_seconds);
        emit_number(json, "headroom", question->measured_seconds / row->verdict.seconds);
        emit_end(json);
    }
}

void op_json(const void *context, emit *json) {
    const op_question *question = context;
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
        csv_number(out, row->operation.bytes[ROOF_DRAM]);
        csv_number(out, row->operation.link_bytes);
        csv_text(out, roof_bound_name(row->verdict.bound));
        csv_text(out, roof_verdict_roof(&row->verdict, roof, sizeof roof));
        csv_number(out, row->verdict.seconds);
        csv_number(out, row->verdict.intensity);
        csv_number(out, row->verdict.ridge > 0 ? row->verdict.ridge : HUGE_VAL);
        csv_number(out, row->verdict.attainable);
        csv_number(out, row->verdict.margin);
        csv_end(out);
    }
}

/* ---- charts ---- */

int op_chart(const void *context, roof_drawing *out, roof_error *error) {
    const op_question *question = context;
    if (question->machines.count > 1) {
        roof_fail(error, ROOF_EARGUMENT, "a chart shows one machine, and --on names %zu", question->machines.count);
        return -1;
    }
    if (question->row_count > ROOF_CHART_POINT_MAX) {
        roof_fail(error, ROOF_EARGUMENT, "a chart shows at most %d points, and the lists make %zu",
                  ROOF_CHART_POINT_MAX, question->row_count);
        roof_hint(error, "shorten a list, or step wider: 1..4096*4");
        return -1;
    }
    roof_operation *operations = keep_or_die(calloc(question->row_count, sizeof *operations));
    roof_verdict *verdicts = keep_or_die(calloc(question->row_count, sizeof *verdicts));
    for (size_t i = 0; i < question->row_count; i++) {
        operations[i] = question->rows[i].operation;
        verdicts[i] = question->rows[i].verdict;
    }
    int result = roof_chart_of_operations(question->machines.list, operations, verdicts, question->row_count, NULL, 0,
                                          out, error);
    free(operations);
    free(verdicts);
    return result;
}
