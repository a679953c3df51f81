/* The answer of `roofline op` in words. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/op/op.h"
#include "cli/out/table.h"
#include "cli/say/above.h"
#include "cli/say/explain.h"

enum { TITLE = 120 };

static const double TOLERANCE = 0.03; /* a roof is known to about this */

/* ---- words ---- */

static bool is_main_dtype(const roof_parameter *parameter) {
    return strcmp(parameter->name, "dtype") == 0;
}

/* Up to three required counts and nothing else: "8x14336x4096" says it all. */
static bool shape_is_short(const op_question *question) {
    size_t required = 0;
    for (size_t i = 0; i < question->info->parameter_count; i++) {
        const roof_parameter *parameter = &question->info->parameters[i];
        if (op_is_swept(question, i) ||
            (question->given[i].count && !parameter->required && parameter->type != ROOF_PARAMETER_DTYPE))
            return false;
        required += parameter->required;
    }
    return required >= 2 && required <= 3;
}

/* The parameters that were given, but not those that are swept nor the main dtype. */
static void shape_text(const op_question *question, const op_row *row, char *buffer, size_t size) {
    bool brief = shape_is_short(question), any = false;
    char value[48];
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < question->info->parameter_count && used < size; i++) {
        const roof_parameter *parameter = &question->info->parameters[i];
        if (!question->given[i].count || is_main_dtype(parameter) || op_is_swept(question, i))
            continue;
        bool plain = brief && parameter->required;
        op_value_text(parameter, row->values[i], value, sizeof value);
        used += (size_t)snprintf(buffer + used, size - used, "%s%s%s%s", any && plain ? "x" : " ",
                                 plain ? "" : parameter->name, plain ? "" : "=", value);
        any = true;
    }
}

static void title_text(const op_question *question, const op_row *row, char *buffer, size_t size) {
    char shape[TITLE], on[96];
    shape_text(question, row, shape, sizeof shape);
    const roof_machine *machine = question->machines.list;
    if (question->machines.count > 1)
        snprintf(on, sizeof on, "%zu machines", question->machines.count);
    else
        snprintf(on, sizeof on, "%s", machine->name ? machine->name : machine->id);
    bool dtypes = false;
    for (size_t i = 0; i < question->info->parameter_count; i++)
        dtypes |= is_main_dtype(&question->info->parameters[i]) && op_is_swept(question, i);
    snprintf(buffer, size, "%s%s%s%s on %s", question->info->name, shape, dtypes ? "" : " ",
             dtypes ? "" : roof_dtype_name(row->operation.dtype[0]), on);
}

/* ---- what a run has to say ---- */

static void note_level(const op_row *row, text_out *out) {
    char size[NUMBER_SIZE], line[240];
    const char *level = roof_level_name(row->run.level);
    number_si(row->run.set_bytes, "B", size);
    if (row->run.level != row->level)
        snprintf(line, sizeof line, "%s fit in %s, but no %s roof is known: judged at DRAM", size, level, level);
    else if (row->level != ROOF_DRAM)
        snprintf(line, sizeof line, "%s fit in %s: judged there%s", size, level,
                 row->run.near_edge ? "; close to the size of a cache, so part may be in the next level" : "");
    else if (row->run.near_edge)
        snprintf(line, sizeof line, "%s are close to the size of a cache: part of them may stay in it", size);
    else
        return;
    text_note(out, PAINT_DIM, line);
}

/* A time below the least time is a finding about the roof or the level, not about the operation. */
static void note_faster(const op_row *row, text_out *out) {
    char share[NUMBER_SIZE], roof[48], words[240], line[320];
    roof_hypothesis found[ROOF_HYPOTHESES];
    double faster = row->verdict.seconds / row->measured - 1;
    if (!(faster > TOLERANCE))
        return;
    size_t count = roof_operations_hypotheses(row->machine, &row->operation, 1, row->measured, found);
    snprintf(line, sizeof line, "faster than the %s roof by %s: %s",
             roof_verdict_roof(&row->verdict, roof, sizeof roof), number_percent(faster, share),
             above_words(found, count, words, sizeof words));
    text_note(out, PAINT_YELLOW, line);
}

/* Whether the kind counts reads before writes when asked to, and was not asked. */
static bool leaves_reads_out(const roof_operation *operation) {
    double allocates = 0;
    return roof_operation_parameter(operation, "write_allocate", &allocates, NULL) == 0 && !(allocates > 0);
}

static void note_stores(const op_row *row, text_out *out) {
    bool plain = row->run.level != ROOF_L1 && !strstr(row->run.method, "non-temporal");
    if (plain && row->verdict.bound == ROOF_BOUND_MEMORY && leaves_reads_out(&row->operation))
        text_note(out, PAINT_DIM, "plain stores first read the lines they write; write_allocate=1 counts those reads");
}

static void note_meeting(const op_row *row, text_out *out) {
    if (row->run.threads > 1 && row->run.seconds < 3e-6)
        text_note(out, PAINT_DIM, "much of this time is thread synchronisation; --threads 1 avoids it");
}

/* Roofs of all cores over a run on fewer of them, or the other way round. */
static void note_cores(const op_row *row, text_out *out) {
    char line[200];
    int cores = row->machine->units.origin != ROOF_ORIGIN_UNKNOWN ? (int)row->machine->units.value : row->run.threads;
    if (cores == row->run.threads)
        return;
    snprintf(line, sizeof line, "the roofs are for %d core%s, but %d ran: use 'roofline measure --threads %d'", cores,
             cores == 1 ? "" : "s", row->run.threads, row->run.threads);
    text_note(out, PAINT_YELLOW, line);
}

static void run_notes(const op_question *question, text_out *out) {
    if (op_last_row(question)->run.times > 0)
        note_cores(op_last_row(question), out);
    for (size_t i = 0; i < question->row_count; i++) {
        const op_row *row = &question->rows[i];
        if (row->run.times > 0 && question->row_count == 1) {
            note_level(row, out);
            note_stores(row, out);
            note_meeting(row, out);
        }
        if (row->run.times > 0)
            note_faster(row, out);
    }
}

/* ---- evidence ---- */

static void time_line(const op_row *row, text_out *out) {
    char time[NUMBER_SIZE], flops[NUMBER_SIZE], bytes[NUMBER_SIZE], link[NUMBER_SIZE], note[200] = "";
    const roof_operation *operation = &row->operation;
    double work = roof_operation_flops(operation);
    size_t used = 0;
    if (work > 0)
        used += (size_t)snprintf(note + used, sizeof note - used, "%s, ", number_si(work, "FLOP", flops));
    used +=
        (size_t)snprintf(note + used, sizeof note - used, "%s%s of %s traffic", operation->at_least ? "at least " : "",
                         number_si(operation->bytes[row->level], "B", bytes),
                         row->level == ROOF_DRAM ? machine_memory(row->machine) : roof_level_name(row->level));
    if (operation->link_bytes > 0)
        snprintf(note + used, sizeof note - used, ", %s over the link", number_si(operation->link_bytes, "B", link));
    text_evidence(out, "least time", number_si(row->verdict.seconds, "s", time), note);
}

static void expected_line(const op_question *question, const op_row *row, text_out *out) {
    char value[EXPECTED_SIZE], note[EXPECTED_SIZE];
    if (row->expected.seconds > 0)
        text_evidence(out, "expected", expected_text(&row->expected, value),
                      expected_note(&row->expected, row->verdict.seconds, &question->constants, note));
}

static void intensity_line(const roof_verdict *verdict, text_out *out) {
    char value[NUMBER_SIZE + 8], number[NUMBER_SIZE], ridge[NUMBER_SIZE], factor[NUMBER_SIZE], note[96] = "";
    if (!(verdict->intensity > 0) || !isfinite(verdict->intensity))
        return;
    double ratio = verdict->ridge / verdict->intensity;
    if (verdict->ridge > 0)
        snprintf(note, sizeof note, "ridge is %s, %sx to the %s", number_three(verdict->ridge, ridge),
                 number_three(ratio >= 1 ? ratio : 1 / ratio, factor), ratio >= 1 ? "right" : "left");
    snprintf(value, sizeof value, "%s FLOP/B", number_three(verdict->intensity, number));
    text_evidence(out, "intensity", value, note);
}

static void attainable_line(const op_row *row, text_out *out) {
    char value[NUMBER_SIZE], share[NUMBER_SIZE], peak[NUMBER_SIZE], note[96] = "";
    double roof = op_compute_roof(row);
    if (!(row->verdict.attainable > 0))
        return;
    if (roof > 0)
        snprintf(note, sizeof note, "%s of the %s %s peak", number_percent(row->verdict.attainable / roof, share),
                 number_si(roof, "FLOP/s", peak), roof_dtype_name(roof_dtype_math(row->verdict.dtype)));
    text_evidence(out, "attainable", number_si(row->verdict.attainable, "FLOP/s", value), note);
}

static void margin_line(const roof_verdict *verdict, text_out *out) {
    static const char *const names[] = {"compute", "memory", "link", "launch"};
    const double times[] = {verdict->compute_seconds, verdict->memory_seconds, verdict->link_seconds,
                            verdict->launch_seconds};
    char factor[NUMBER_SIZE], time[NUMBER_SIZE], note[96];
    int next = -1;
    for (int i = 0; i < 4; i++)
        if (i + 1 != (int)verdict->bound && times[i] > 0 && (next < 0 || times[i] > times[next]))
            next = i;
    if (next < 0)
        return;
    snprintf(note, sizeof note, "%s is the next limit, at %s", names[next], number_si(times[next], "s", time));
    text_evidence(out, "margin", number_factor(verdict->margin, factor), note);
}

static void measured_line(const op_row *row, text_out *out) {
    char value[NUMBER_SIZE], share[NUMBER_SIZE], factor[NUMBER_SIZE], bandwidth[NUMBER_SIZE], rate[NUMBER_SIZE],
        note[320];
    double seconds = row->measured, flops = roof_operation_flops(&row->operation);
    if (!(seconds > 0))
        return;
    int used = snprintf(note, sizeof note, "%s of the roof, %s headroom; %s",
                        number_percent(row->verdict.seconds / seconds, share),
                        number_factor(seconds / row->verdict.seconds, factor),
                        number_si(row->operation.bytes[row->level] / seconds, "B/s", bandwidth));
    if (flops > 0)
        used += snprintf(note + used, sizeof note - (size_t)used, ", %s", number_si(flops / seconds, "FLOP/s", rate));
    snprintf(note + used, sizeof note - (size_t)used, "; %s the expected time",
             number_factor(seconds / row->expected.seconds, factor));
    text_evidence(out, "measured", number_si(seconds, "s", value), note);
}

/* Prediction and reality in one line. */
static void run_lines(const op_row *row, text_out *out) {
    char value[NUMBER_SIZE], share[NUMBER_SIZE], least[NUMBER_SIZE], rate[NUMBER_SIZE], roof[48], times[NUMBER_SIZE],
        factor[NUMBER_SIZE], note[320];
    const roof_run *run = &row->run;
    bool compute = row->verdict.bound == ROOF_BOUND_COMPUTE;
    double amount = compute ? roof_operation_flops(&row->operation) : row->operation.bytes[row->level];
    snprintf(note, sizeof note, "%s, %s of the %s roof (least time %s), %d core%s, %s",
             number_si(amount / run->seconds, compute ? "FLOP/s" : "B/s", rate),
             number_percent(row->verdict.seconds / run->seconds, share),
             roof_verdict_roof(&row->verdict, roof, sizeof roof), number_si(row->verdict.seconds, "s", least),
             run->threads, run->threads == 1 ? "" : "s", run->method);
    text_evidence(out, "measured", number_si(run->seconds, "s", value), note);
    snprintf(note, sizeof note, "executions; %s the expected time; median %s, 90th percentile %s",
             number_factor(run->seconds / row->expected.seconds, factor), number_si(run->median, "s", least),
             number_si(run->worst, "s", rate));
    text_evidence(out, "repeated", number_whole((double)run->times, times), note);
}

static void against_line(const op_question *question, const op_row *row, text_out *out) {
    char line[256];
    roof_sum sum = {0};
    if (!(question->settings->against > 0))
        return;
    roof_sum_add(&sum, &row->operation, &row->verdict);
    roof_count_diagnose(&sum, question->settings->against, line, sizeof line);
    text_add(out, "\n  ");
    text_wrap(out, 2, 2, line);
}

static void explain(const op_question *question, text_out *out) {
    if (!question->settings->explain)
        return;
    used_figures used = {0};
    const op_row *row = op_last_row(question);
    roof_machine machine;
    roof_operation asked;
    op_as_asked(row, &machine, &asked);
    text_add(out, "\n");
    explain_operation(&asked, out);
    explain_verdict(row->machine, &row->operation, &row->verdict, out);
    used_by(&row->verdict, &row->operation, &used);
    expected_explain(&row->expected, &question->constants, row->machine, &used, out);
    text_add(out, "\n");
    advice_explain(&question->advice, out);
}

static void print_block(const op_question *question, text_out *out) {
    const op_row *row = op_last_row(question);
    time_line(row, out);
    expected_line(question, row, out);
    if (row->verdict.bound != ROOF_BOUND_LINK) {
        intensity_line(&row->verdict, out);
        attainable_line(row, out);
    }
    margin_line(&row->verdict, out);
    if (row->run.times > 0)
        run_lines(row, out);
    else
        measured_line(row, out);
    against_line(question, row, out);
}

static void table_columns(const op_question *question, const number_unit *time, const number_unit *rate,
                          table_grid *table) {
    if (question->machines.count > 1)
        table_column_add(table, NULL, "ls", "machine");
    for (size_t i = 0; i < question->info->parameter_count; i++)
        if (op_is_swept(question, i))
            table_column_add(table, NULL, "", "%s", question->info->parameters[i].name);
    table_column_add(table, NULL, "lw", "bound");
    table_column_add(table, NULL, "", "least %ss", time->prefix);
    table_heads(table, ":expected", ":FLOP/B");
    table_column_add(table, NULL, "", "%sFLOP/s", rate->prefix);
    table_heads(table, ":of peak", ":margin");
    if (op_last_row(question)->run.times > 0) {
        table_column_add(table, NULL, "l", "level");
        table_column_add(table, NULL, "", "run, %ss", time->prefix);
        table_column_add(table, NULL, "", "of roof");
    }
}

static void table_cells(const op_question *question, const op_row *row, number_unit time, number_unit rate,
                        table_grid *table) {
    char number[NUMBER_SIZE];
    double roof = op_compute_roof(row);
    const roof_verdict *verdict = &row->verdict;
    table_row(table);
    if (question->machines.count > 1)
        table_text(table, row->machine->id);
    for (size_t i = 0; i < question->info->parameter_count; i++) {
        char value[48];
        if (!op_is_swept(question, i))
            continue;
        op_value_text(&question->info->parameters[i], row->values[i], value, sizeof value);
        table_text(table, value);
    }
    table_cell_add(table, text_bound_paint(verdict->bound), "%s", roof_bound_name(verdict->bound));
    table_text(table, number_three(verdict->seconds * time.factor, number));
    table_text(table, number_three(row->expected.seconds * time.factor, number));
    table_text(table, isfinite(verdict->intensity) ? number_three(verdict->intensity, number) : "-");
    table_text(table, number_three(verdict->attainable * rate.factor, number));
    if (roof > 0)
        table_text(table, number_percent(verdict->attainable / roof, number));
    else
        table_text(table, "-");
    table_text(table, isfinite(verdict->margin) ? number_factor(verdict->margin, number) : "-");
    if (row->run.times > 0) {
        table_cell_add(table, PAINT_NONE, "%s%s", roof_level_name(row->run.level), row->run.near_edge ? " ~" : "");
        table_text(table, number_three(row->measured * time.factor, number));
        table_text(table, number_percent(verdict->seconds / row->measured, number));
    }
}

static void print_table(const op_question *question, text_out *out) {
    double *values = keep_or_die(malloc(question->row_count * sizeof *values));
    for (size_t i = 0; i < question->row_count; i++)
        values[i] = question->rows[i].expected.seconds;
    number_unit time = number_column(values, question->row_count);
    for (size_t i = 0; i < question->row_count; i++)
        values[i] = question->rows[i].verdict.attainable;
    number_unit rate = number_column(values, question->row_count);
    free(values);
    table_grid table = {0};
    table_columns(question, &time, &rate, &table);
    for (size_t i = 0; i < question->row_count; i++)
        table_cells(question, &question->rows[i], time, rate, &table);
    table_print(&table, out);
    table_free(&table);
}

void op_text(const void *context, text_out *out) {
    const op_question *question = context;
    const op_row *row = op_last_row(question);
    char title[TITLE * 2], place[FACT_PLACE];
    bool one = question->row_count == 1;
    title_text(question, row, title, sizeof title);
    if (one)
        text_title(out, title, text_bound_paint(row->verdict.bound), "%s-bound", roof_bound_name(row->verdict.bound));
    else
        text_title(out, title, PAINT_NONE, "least times");
    machines_notes(&question->machines, out);
    run_notes(question, out);
    text_add(out, "\n");
    (one ? print_block : print_table)(question, out);
    explain(question, out);
    op_row_place(question, row, place, sizeof place);
    text_add(out, "\n");
    if (place[0])
        text_add(out, "  %s:\n", place);
    advice_print(&question->advice, out);
}
