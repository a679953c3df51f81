/* roofline op --run: the operation itself on this machine, and at which level it is then judged. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/op/op.h"
#include "cli/out/progress.h"

static const double TOLERANCE = 0.03; /* a roof is known to about this */

/* ---- before anything is judged ---- */

/* The machine file that 'roofline measure' writes is of the machine "this"; "this:1" is one core of it. */
static bool is_one_core(const roof_machine *machine) {
    return machine->id && strcmp(machine->id, "this:1") == 0;
}

static bool is_this(const roof_machine *machine) {
    return machine->id && (strcmp(machine->id, "this") == 0 || is_one_core(machine));
}

static int not_this(const op_question *question, roof_error *error) {
    const roof_machine *machine = question->machines.list;
    if (question->machines.count > 1)
        roof_fail(error, ROOF_EARGUMENT, "--run executes on this machine alone, and --on names %zu",
                  question->machines.count);
    else
        roof_fail(error, ROOF_EARGUMENT, "--run executes on this machine, and --on names '%.60s'",
                  machine->id ? machine->id : "another");
    roof_hint(error, "judge it with --on this; 'roofline measure' finds its roofs");
    return -1;
}

/* One core has roofs of its own, where they were measured. */
static void take_one_core(op_question *question) {
    const roof_machine_file *file = question->machines.files[0];
    const roof_measurement *measurement = file ? roof_machine_file_measurement(file) : NULL;
    if (question->settings->threads != 1 || !measurement || measurement->threads <= 1 ||
        is_one_core(question->machines.list))
        return;
    question->machines.list[0] = measurement->one;
    question->machines.list[0].id = "this:1";
}

int op_run_check(op_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    if (!settings->run)
        return settings->threads > 0
                   ? roof_fail(error, ROOF_EARGUMENT, "--threads says how --run runs, and there is no --run")
                   : 0;
    if (settings->measured)
        return roof_fail(error, ROOF_EARGUMENT, "--run measures, so --measured has no place beside it");
    if (question->machines.count != 1 || !is_this(question->machines.list))
        return not_this(question, error);
    if (is_one_core(question->machines.list) && settings->threads > 1)
        return roof_fail(error, ROOF_EARGUMENT, "--threads %.0f: the roofs of this:1 are those of one core",
                         settings->threads);
    take_one_core(question);
    return 0;
}

/* ---- running ---- */

/* Judged with the bytes where they are found. */
static int place(op_row *row, roof_error *error) {
    double bytes = row->operation.bytes[ROOF_DRAM];
    if (!roof_operation_at_level(row->machine, &row->run, &row->operation))
        return roof_judge(row->machine, &row->operation, &row->verdict, error);
    row->level = row->run.level;
    if (roof_judge(row->machine, &row->operation, &row->verdict, error))
        return -1;
    row->verdict.level = row->level;
    row->verdict.intensity = bytes > 0 ? roof_operation_flops(&row->operation) / bytes : HUGE_VAL;
    return 0;
}

void op_as_asked(const op_row *row, roof_machine *machine, roof_operation *operation) {
    *machine = *row->machine;
    *operation = row->operation;
    if (row->level == ROOF_DRAM)
        return;
    machine->bandwidth[ROOF_DRAM] = machine->bandwidth[row->level];
    machine->memory_kind = roof_level_name(row->level);
    operation->bytes[ROOF_DRAM] = operation->least_bytes = operation->most_bytes = operation->bytes[row->level];
    operation->bytes[row->level] = 0;
}

static int run_row(op_row *row, const roof_run_options *options, roof_error *error) {
    if (roof_run_operation(row->machine, &row->operation, options, &row->run, error) || place(row, error))
        return -1;
    row->measured = row->run.seconds;
    return 0;
}

static int run_all(op_question *question, progress *shown, roof_error *error) {
    roof_run_options options = {.threads = is_one_core(question->machines.list) ? 1 : (int)question->settings->threads};
    for (size_t i = 0; i < question->row_count; i++) {
        if (shown && progress_step(shown, (double)i / (double)question->row_count, question->info->name))
            return roof_fail(error, ROOF_EIO, "interrupted: %zu of %zu were run", i, question->row_count);
        if (run_row(&question->rows[i], &options, error))
            return -1;
    }
    return 0;
}

/* One point takes about a second, and a signal may end it at once; a list shows how far it is. */
int op_run_rows(op_question *question, roof_error *error) {
    if (!question->settings->run)
        return 0;
    if (question->row_count == 1)
        return run_all(question, NULL, error);
    progress shown = progress_start();
    int failed = run_all(question, &shown, error);
    progress_end(&shown);
    progress_release();
    return failed;
}

/* ---- what has to be said ---- */

static void note_level(const op_row *row, text_out *out) {
    char size[NUMBER_SIZE], line[240];
    const char *level = roof_level_name(row->run.level);
    number_si(row->run.set_bytes, "B", size);
    if (row->run.level != row->level)
        snprintf(line, sizeof line, "%s lie in %s, but no %s roof is known: judged at DRAM", size, level, level);
    else if (row->level != ROOF_DRAM)
        snprintf(line, sizeof line, "%s lie in %s: judged there%s", size, level,
                 row->run.near_edge ? "; that is near the size of a cache, so part may lie in the level beside" : "");
    else if (row->run.near_edge)
        snprintf(line, sizeof line, "%s are near the size of a cache: part of them may lie in it", size);
    else
        return;
    text_note(out, PAINT_DIM, line);
}

/* A time below the least time is a finding about the roof or the level, not about the operation. */
static void note_faster(const op_row *row, text_out *out) {
    char share[NUMBER_SIZE], roof[48], line[320];
    double faster = row->verdict.seconds / row->measured - 1;
    if (!(faster > TOLERANCE))
        return;
    bool memory = row->verdict.bound == ROOF_BOUND_MEMORY;
    snprintf(line, sizeof line,
             "faster than the %s roof by %s: %sthe roof was measured too low; 'roofline measure' "
             "measures it again",
             roof_verdict_roof(&row->verdict, roof, sizeof roof), number_percent(faster, share),
             memory ? "part of the data lay nearer than said, or " : "");
    text_note(out, PAINT_YELLOW, line);
}

/* Whether the kind counts reads before writes when asked to, and was not asked. */
static bool leaves_reads_out(const op_question *question, const op_row *row) {
    size_t place = 0;
    for (size_t i = 0; i < question->info->parameter_count; i++) {
        const roof_parameter *parameter = &question->info->parameters[i];
        if (strcmp(parameter->name, "write_allocate") == 0)
            return !(row->operation.shape[place] > 0);
        place += parameter->type != ROOF_PARAMETER_DTYPE;
    }
    return false;
}

static void note_stores(const op_question *question, const op_row *row, text_out *out) {
    bool plain = row->run.level != ROOF_L1 && !strstr(row->run.method, "non-temporal");
    if (plain && row->verdict.bound == ROOF_BOUND_MEMORY && leaves_reads_out(question, row))
        text_note(out, PAINT_DIM, "plain stores read the lines they write first: write_allocate=1 counts that, too");
}

static void note_meeting(const op_row *row, text_out *out) {
    if (row->run.threads > 1 && row->run.seconds < 3e-6)
        text_note(out, PAINT_DIM, "much of this is the threads' meeting: --threads 1 runs without");
}

/* Roofs of all cores over a run on fewer of them, or the other way round. */
static void note_cores(const op_row *row, text_out *out) {
    char line[200];
    int cores = row->machine->units.origin != ROOF_ORIGIN_UNKNOWN ? (int)row->machine->units.value : row->run.threads;
    if (cores == row->run.threads)
        return;
    snprintf(line, sizeof line, "the roofs are those of %d core%s, and %d ran: 'roofline measure --threads %d' fits",
             cores, cores == 1 ? "" : "s", row->run.threads, row->run.threads);
    text_note(out, PAINT_YELLOW, line);
}

void op_run_notes(const op_question *question, text_out *out) {
    if (op_last_row(question)->run.times > 0)
        note_cores(op_last_row(question), out);
    for (size_t i = 0; i < question->row_count; i++) {
        const op_row *row = &question->rows[i];
        if (row->run.times > 0 && question->row_count == 1) {
            note_level(row, out);
            note_stores(question, row, out);
            note_meeting(row, out);
        }
        if (row->run.times > 0)
            note_faster(row, out);
    }
}
