/* What roofline calibrate says. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "cli/out/table.h"
#include "cli/say/calibration.h"

/* ---- what was read ---- */

static void say_file(const calibrate_question *question, size_t at, text_out *out) {
    const calibrate_file *file = &question->files[at];
    char line[CALIBRATE_REASON + 80];
    bool kernels = question->engine == ROOF_ENGINE_ALONE;
    text_add(out, "  %s: %zu %s%s, %zu time%s used\n", profile_base(file->path), file->runs,
             kernels ? "operation" : "run", file->runs == 1 ? "" : "s", file->times, file->times == 1 ? "" : "s");
    for (size_t i = 0; i < question->reason_count; i++) {
        const calibrate_reason *reason = &question->reasons[i];
        if (reason->file != at)
            continue;
        char where[32] = "";
        if (reason->line > 0)
            snprintf(where, sizeof where, " (line %ld%s)", reason->line, reason->count > 1 ? " first" : "");
        snprintf(line, sizeof line, "left out %zu%s: %s", reason->count, where, reason->why);
        text_paragraph(out, 4, 6, line);
    }
    for (size_t i = 0; roof_profile_warning(file->profile, i); i++) {
        text_add(out, "    ");
        text_start(out, PAINT_DIM);
        text_wrap(out, 4, 6, roof_profile_warning(file->profile, i));
        text_stop(out, PAINT_DIM);
    }
}

/* ---- constants ---- */

static void constant_row(const calibrate_question *question, roof_constant constant, table_grid *table) {
    const roof_fitted *fitted = &question->report.constants[constant];
    char number[NUMBER_SIZE];
    table_row(table);
    table_cell_add(table, PAINT_BOLD, "  %s", roof_constant_name(constant));
    table_text(table, constant_text(constant, fitted->before, number));
    table_text(table, constant_text(constant, fitted->after, number));
    table_text(table, fitted->spread > 0 ? number_percent(fitted->spread, number) : "-");
    table_text(table, roof_origin_name(question->before.value[constant].origin));
    table_cell_add(table, PAINT_DIM, "%s", roof_constant_meaning(constant));
}

static void constants_table(const calibrate_question *question, text_out *out) {
    table_grid table = {0};
    table_heads(&table, "l:  constant", ":before", ":after", ":+-", "l:before was", "lf:what it is");
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++)
        if (question->report.constants[i].identified)
            constant_row(question, (roof_constant)i, &table);
    table_print(&table, out);
    table_free(&table);
}

/* Constants with the same reason share a line. */
static bool said_before(const roof_fit_report *report, int at) {
    for (int i = 0; i < at; i++)
        if (!report->constants[i].identified && strcmp(report->constants[i].why, report->constants[at].why) == 0)
            return true;
    return false;
}

static void say_not_held(const calibrate_question *question, text_out *out) {
    const roof_fit_report *report = &question->report;
    bool any = false;
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++) {
        char line[640];
        if (report->constants[i].identified || said_before(report, i))
            continue;
        if (!any)
            text_paint(out, PAINT_BOLD, "\nNot determined by these runs (defaults kept)\n");
        any = true;
        size_t used = 0;
        for (int k = i; k < ROOF_CONSTANT_COUNT && used < sizeof line; k++)
            if (!report->constants[k].identified && strcmp(report->constants[k].why, report->constants[i].why) == 0)
                used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", used ? ", " : "",
                                         roof_constant_name((roof_constant)k));
        if (used < sizeof line && report->constants[i].why[0])
            snprintf(line + used, sizeof line - used, ": %s", report->constants[i].why);
        text_paragraph(out, 2, 4, line);
    }
}

/* ---- the error ---- */

static void add_error(double error, char *buffer, size_t size) {
    if (calibrate_error_known(error))
        snprintf(buffer, size, "%.3f", error);
    else
        snprintf(buffer, size, "not known");
}

static void say_error(const calibrate_question *question, text_out *out) {
    const roof_fit_report *report = &question->report;
    char before[16], after[16], inside[16], line[400];
    add_error(report->error_before, before, sizeof before);
    add_error(report->error_after, after, sizeof after);
    add_error(report->in_sample, inside, sizeof inside);
    text_paint(out, PAINT_BOLD, "\nError");
    text_add(out, ", median |ln(expected / measured)| of %zu time%s\n", question->count,
             question->count == 1 ? "" : "s");
    snprintf(line, sizeof line,
             "before %s; after %s with each case left out of its own fit (%zu cases; with all of them in the fit %s)",
             before, after, question->groups, inside);
    text_paragraph(out, 2, 2, line);
    if (!question->old)
        return;
    bool known = calibrate_error_known(question->old_error);
    add_error(question->old_error, inside, sizeof inside);
    snprintf(line, sizeof line, "the calibration of %.10s (%.0f times)%s%s%s",
             question->old->date ? question->old->date : "an unknown date", question->old->runs,
             known ? ", with an error here of " : "", known ? inside : "",
             question->settings->diff ? ", is kept" : ", is replaced");
    text_paragraph(out, 2, 2, line);
}

static void say_intervals(const calibrate_question *question, text_out *out) {
    const roof_fit_report *report = &question->report;
    char line[600] = "";
    size_t used = 0;
    for (int i = 0; i < ROOF_REGIME_COUNT && used < sizeof line; i++)
        if (report->low[i] > 0 && report->high[i] > 0)
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s %.2f-%.2f", used ? ", " : "",
                                     roof_regime_name((roof_regime)i), report->low[i], report->high[i]);
    text_paint(out, PAINT_BOLD, "80%% intervals");
    text_add(out, ", measured / expected\n  ");
    if (line[0] && used < sizeof line)
        snprintf(line + used, sizeof line - used, "; kinds with fewer than 5 measurements keep their defaults");
    text_wrap(out, 2, 2, line[0] ? line : "kept at their defaults: every kind has fewer than 5 measurements");
}

/* ---- the end ---- */

static void say_saved(const calibrate_question *question, text_out *out) {
    const char *name = question->settings->on.count ? question->settings->on.items[0] : "this";
    bool other = question->settings->save != NULL;
    if (question->settings->diff) {
        text_add(out, "\nNot saved (--diff).\n");
        return;
    }
    if (!question->saved) {
        text_add(out, "\nNot saved.\n");
        return;
    }
    text_add(out, "\nSaved in ");
    text_wrap(out, 9, 2, question->path);
    text_add(out, "Used from now on: %s--on %s --engine %s\n",
             question->engine == ROOF_ENGINE_ALONE ? "roofline op ... " : "roofline model NAME ",
             other ? question->path : name, roof_engine_name(question->engine));
}

static void say_title(const calibrate_question *question, text_out *out) {
    char title[160], before[16], after[16];
    const roof_machine *machine = &question->machine;
    add_error(question->report.error_before, before, sizeof before);
    add_error(question->report.error_after, after, sizeof after);
    snprintf(title, sizeof title, "Calibration of %s on %.80s", calibrated_name(question->engine),
             machine->name ? machine->name : machine->id);
    bool better = question->report.error_after < question->report.error_before;
    text_title(out, title, better ? PAINT_GREEN : PAINT_YELLOW, "error %s -> %s", before, after);
}

void calibrate_text(const void *context, text_out *out) {
    const calibrate_question *question = context;
    say_title(question, out);
    machines_notes(&question->machines, out);
    text_add(out, "\n");
    for (size_t i = 0; i < question->file_count; i++)
        say_file(question, i, out);
    text_add(out, "\n");
    constants_table(question, out);
    say_not_held(question, out);
    say_error(question, out);
    say_intervals(question, out);
    say_saved(question, out);
    text_add(out, "Bounds do not change: a calibration affects only the expected time.\n");
}
