/* roofline op --run: the operation itself on this machine, and at which level it is then judged. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/op/op.h"
#include "cli/out/progress.h"
#include "roofline_read.h"

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
    if (!settings->op.run)
        return settings->threads > 0 ? roof_fail(error, ROOF_EARGUMENT, "--threads applies only with --run") : 0;
    if (settings->measured)
        return roof_fail(error, ROOF_EARGUMENT, "--run and --measured exclude each other");
    if (question->machines.count != 1 || !is_this(question->machines.list))
        return not_this(question, error);
    if (is_one_core(question->machines.list) && settings->threads > 1)
        return roof_fail(error, ROOF_EARGUMENT, "--threads %.0f: this:1 has the roofs of one core", settings->threads);
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
    if (!question->settings->op.run)
        return 0;
    if (question->row_count == 1)
        return run_all(question, NULL, error);
    progress shown = progress_start();
    int failed = run_all(question, &shown, error);
    progress_end(&shown);
    progress_release();
    return failed;
}
