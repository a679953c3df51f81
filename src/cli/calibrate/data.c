/* A calibration as JSON and CSV. */
#include <math.h>

#include "cli/calibrate/calibrate.h"

static void number_or_null(emit *json, const char *key, double value, bool known) {
    if (known)
        emit_number(json, key, value);
    else
        emit_null(json, key);
}

static void file_json(const calibrate_question *question, size_t at, emit *json) {
    const calibrate_file *file = &question->files[at];
    emit_object(json, NULL);
    emit_string(json, "path", file->path);
    emit_string(json, "format", roof_profile_about(file->profile)->format->id);
    emit_number(json, "runs", (double)file->runs);
    emit_number(json, "times", (double)file->times);
    emit_array(json, "left_out");
    for (size_t i = 0; i < question->reason_count; i++) {
        const calibrate_reason *reason = &question->reasons[i];
        if (reason->file != at)
            continue;
        emit_row(json, NULL);
        emit_string(json, "why", reason->why);
        emit_number(json, "count", (double)reason->count);
        number_or_null(json, "line", (double)reason->line, reason->line > 0);
        emit_end(json);
    }
    emit_end(json);
    emit_end(json);
}

static void constant_json(const calibrate_question *question, int i, emit *json) {
    const roof_fitted *fitted = &question->report.constants[i];
    const roof_figure *before = &question->before.value[i];
    emit_row(json, NULL);
    emit_string(json, "name", roof_constant_name((roof_constant)i));
    emit_string(json, "unit", roof_constant_unit((roof_constant)i));
    emit_number(json, "before", before->value);
    number_or_null(json, "after", fitted->after, fitted->identified);
    number_or_null(json, "spread", fitted->spread, fitted->identified && fitted->spread > 0);
    emit_bool(json, "identified", fitted->identified);
    emit_string(json, "origin_before", roof_origin_name(before->origin));
    emit_string(json, "source_before", before->source);
    if (!fitted->identified)
        emit_string(json, "why", fitted->why);
    emit_end(json);
}

static void error_json(const calibrate_question *question, emit *json) {
    const roof_fit_report *report = &question->report;
    emit_row(json, "error");
    emit_string(json, "what", "median |ln(expected / measured)|");
    number_or_null(json, "before", report->error_before, calibrate_error_known(report->error_before));
    number_or_null(json, "after_left_out", report->error_after, calibrate_error_known(report->error_after));
    number_or_null(json, "in_sample", report->in_sample, calibrate_error_known(report->in_sample));
    emit_number(json, "cases", (double)question->groups);
    if (question->old)
        number_or_null(json, "last_calibration", question->old_error, calibrate_error_known(question->old_error));
    emit_end(json);
}

static void intervals_json(const roof_fit_report *report, emit *json) {
    emit_array(json, "intervals");
    for (int i = 0; i < ROOF_REGIME_COUNT; i++) {
        if (!(report->low[i] > 0 && report->high[i] > 0))
            continue;
        emit_row(json, NULL);
        emit_string(json, "regime", roof_regime_name((roof_regime)i));
        emit_number(json, "low", report->low[i]);
        emit_number(json, "high", report->high[i]);
        emit_end(json);
    }
    emit_end(json);
}

void calibrate_json(const void *context, emit *json) {
    const calibrate_question *question = context;
    machine_json(&question->machine, "machine", json);
    emit_string(json, "engine", roof_engine_name(question->engine));
    emit_number(json, "times", (double)question->count);
    emit_array(json, "files");
    for (size_t i = 0; i < question->file_count; i++)
        file_json(question, i, json);
    emit_end(json);
    emit_array(json, "constants");
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++)
        constant_json(question, i, json);
    emit_end(json);
    error_json(question, json);
    intervals_json(&question->report, json);
    emit_string(json, "saved", question->saved ? question->path : NULL);
}

void calibrate_csv(const void *context, text_out *out) {
    const calibrate_question *question = context;
    text_add(out, "constant,unit,before,after,spread,identified,why\n");
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++) {
        const roof_fitted *fitted = &question->report.constants[i];
        csv_text(out, roof_constant_name((roof_constant)i));
        csv_text(out, roof_constant_unit((roof_constant)i));
        csv_number(out, question->before.value[i].value);
        csv_number(out, fitted->identified ? fitted->after : HUGE_VAL);
        csv_number(out, fitted->identified && fitted->spread > 0 ? fitted->spread : HUGE_VAL);
        csv_bool(out, fitted->identified);
        csv_text(out, fitted->identified ? "" : fitted->why);
        csv_end(out);
    }
}
