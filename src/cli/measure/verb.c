/* roofline measure: this machine's own roofs, and where they are kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/measure/measure.h"
#include "cli/out/answer.h"
#include "cli/out/files.h"
#include "cli/out/progress.h"
#include "cli/out/table.h"

/* ---- devices ---- */

static void devices_text(const void *context, text_out *out) {
    roof_device device;
    table_grid table = {0};
    (void)context;
    text_title(out, "Devices that can be measured", PAINT_NONE, "--device D");
    text_add(out, "\n");
    table_column_add(&table, NULL, "l", "device");
    table_column_add(&table, NULL, "l", "vendor");
    table_column_add(&table, NULL, "lf", "name");
    table_row(&table);
    table_cell_add(&table, PAINT_BOLD, "cpu");
    table_cell_add(&table, PAINT_NONE, "%s", "-");
    table_cell_add(&table, PAINT_NONE, "this machine's CPU");
    for (size_t i = 0; roof_device_at(i, &device) == 0; i++) {
        table_row(&table);
        table_cell_add(&table, PAINT_BOLD, "%s", device.id);
        table_cell_add(&table, PAINT_NONE, "%.24s", device.vendor);
        table_cell_add(&table, PAINT_NONE, "%.60s%s%s", device.name, device.is_cpu ? ", this CPU" : "",
                       device.untried ? ", a kind never tried" : "");
    }
    table_print(&table, out);
    table_free(&table);
}

static void devices_csv(const void *context, text_out *out) {
    roof_device device;
    (void)context;
    text_add(out, "id,name,vendor,driver,is_cpu,untried\n");
    for (size_t i = 0; roof_device_at(i, &device) == 0; i++) {
        csv_text(out, device.id);
        csv_text(out, device.name);
        csv_text(out, device.vendor);
        csv_text(out, device.driver);
        csv_bool(out, device.is_cpu);
        csv_bool(out, device.untried);
        csv_end(out);
    }
}

static void devices_json(const void *context, emit *json) {
    roof_device device;
    (void)context;
    emit_array(json, "devices");
    for (size_t i = 0; roof_device_at(i, &device) == 0; i++) {
        emit_row(json, NULL);
        emit_string(json, "id", device.id);
        emit_string(json, "name", device.name);
        emit_string(json, "vendor", device.vendor);
        emit_string(json, "driver", device.driver);
        emit_bool(json, "is_cpu", device.is_cpu);
        emit_bool(json, "untried", device.untried);
        emit_end(json);
    }
    emit_end(json);
}

static int list_devices(const cli_settings *settings) {
    roof_error error = {0};
    cli_answer answer = {.context = settings, .text = devices_text, .csv = devices_csv, .json = devices_json};
    return answer_print(settings, &answer, &error) ? complain(&error) : EXIT_ANSWERED;
}

/* ---- what was saved before ---- */

static int exclude(bool one, bool other, const char *names, roof_error *error) {
    return one && other ? roof_fail(error, ROOF_EARGUMENT, "%s exclude each other", names) : 0;
}

static int check(const cli_settings *settings, roof_error *error) {
    return answer_check(settings, true, error) || fail_extra(settings, 0, error) ||
                   exclude(settings->quick, settings->thorough, "--quick and --thorough", error) ||
                   exclude(settings->save, settings->no_save, "--save and --no-save", error) ||
                   exclude(settings->keep_best, settings->replace, "--keep-best and --replace", error) ||
                   exclude(settings->keep_best, settings->no_save, "--keep-best and --no-save", error) ||
                   exclude(settings->replace, settings->no_save, "--replace and --no-save", error)
               ? -1
               : 0;
}

/* Where to save, and what lies there. What goes wrong is told behind the answer, and nothing is saved. */
static int find_saved(measure_question *question) {
    const cli_settings *settings = question->settings;
    struct stat info;
    if (!settings->save && saved_path(settings->device, question->path, &question->failure))
        return -1;
    if (settings->save)
        snprintf(question->path, sizeof question->path, "%s", settings->save);
    if (settings->save && strlen(settings->save) >= sizeof question->path)
        return roof_fail(&question->failure, ROOF_EIO, "the name '%.60s...' is too long", settings->save);
    if (stat(question->path, &info) != 0 || (settings->save && !S_ISREG(info.st_mode)))
        return 0;
    if (!S_ISREG(info.st_mode)) { /* nobody asked for a pipe or a device to be written */
        roof_fail(&question->failure, ROOF_EIO, "cannot write '%.200s': not a regular file", question->path);
        roof_hint(&question->failure, "remove it, or say --save FILE");
        return -1;
    }
    question->file = machine_file_read(question->path, &question->failure);
    question->before = question->file ? roof_machine_file_measurement(question->file) : NULL;
    if (question->before || settings->replace)
        return 0;
    if (question->file)
        roof_fail(&question->failure, ROOF_EFORMAT, "'%.200s' holds no measurement, so it was not replaced",
                  question->path);
    roof_hint(&question->failure, "--replace overwrites it, --save FILE names another place");
    return -1;
}

/* Half a minute before the answer: it could be interrupted, and the cause be removed. */
static void warn_unsaved(const measure_question *question, bool found) {
    roof_error error = question->failure;
    if (question->settings->no_save || (found && file_may_write(question->path, &error) == 0))
        return;
    fprintf(stderr, "roofline: warning: %s; measuring all the same\n", error.what);
}

/* ---- measuring ---- */

static roof_measurement *measure(const cli_settings *settings, roof_error *error) {
    progress at = progress_start();
    roof_measure_options options = {.effort = settings->quick      ? ROOF_EFFORT_QUICK
                                              : settings->thorough ? ROOF_EFFORT_THOROUGH
                                                                   : ROOF_EFFORT_NORMAL,
                                    .threads = (int)settings->threads,
                                    .memory = settings->memory,
                                    .device = settings->device,
                                    .progress = progress_step,
                                    .context = &at};
    roof_measurement *measurement = roof_measure(&options, error);
    if (progress_end(&at) && !measurement)
        roof_fail(error, ROOF_EIO, "interrupted: nothing was saved");
    return measurement;
}

size_t measure_worse(const measure_question *question) {
    size_t count = 0;
    for (size_t i = 0; i < question->change_count; i++)
        count += saved_is_worse(&question->changes[i]);
    return count;
}

/* What to save, if anything: `question->result`. */
static measure_outcome decide(measure_question *question) {
    const cli_settings *settings = question->settings;
    if (settings->no_save)
        return MEASURE_NOT_ASKED;
    if (!question->before || settings->replace)
        return MEASURE_SAVED;
    if (settings->keep_best) {
        if (saved_merge(question->before, question->fresh, &question->merged, &question->failure))
            return MEASURE_FAILED;
        question->result = &question->merged;
        return MEASURE_MERGED;
    }
    if (settings->diff)
        return MEASURE_COMPARED;
    if (saved_same_cpu(question->before, question->fresh, &question->failure))
        return MEASURE_FAILED;
    return measure_worse(question) > 0 ? MEASURE_KEPT : MEASURE_SAVED;
}

static void save(measure_question *question) {
    question->outcome = decide(question);
    if (question->before && question->outcome == MEASURE_SAVED)
        saved_keep_calibrations(question->before, question->fresh);
    if ((question->outcome == MEASURE_SAVED || question->outcome == MEASURE_MERGED) &&
        saved_write(question->path, question->result, &question->failure))
        question->outcome = MEASURE_FAILED;
}

static int measure_chart(const void *context, roof_drawing *out, roof_error *error) {
    return roof_chart_of_measurement(((const measure_question *)context)->result, out, error);
}

/* A chart that cannot be drawn, or a file that cannot be written, does not cost the answer: it took half a minute. */
static int print_without_files(const cli_settings *settings, const cli_answer *answer, const roof_error *why) {
    roof_error error = {0};
    cli_settings plain = *settings;
    plain.output.count = 0;
    plain.chart = false;
    if (answer_print(&plain, answer, &error))
        return complain(&error);
    return complain(why);
}

static int answer_measured(measure_question *question) {
    roof_error error = {0};
    const cli_settings *settings = question->settings;
    cli_answer answer = {.context = question,
                         .text = measure_text,
                         .csv = measure_csv,
                         .json_file = measure_json,
                         .chart = measure_chart,
                         .units = "set_bytes=B value=* median=* best=* clock=Hz window_seconds=s spread=% moved=%"};
    if (answer_print(settings, &answer, &error))
        return print_without_files(settings, &answer, &error);
    if ((settings->json || settings->csv) && question->outcome == MEASURE_KEPT)
        fprintf(stderr,
                "note: the saved measurement was kept: %zu roofs of this one are more than 3%% lower "
                "(--keep-best, --replace)\n",
                measure_worse(question));
    if (question->outcome != MEASURE_FAILED)
        return EXIT_ANSWERED;
    complain(&question->failure);
    return EXIT_INPUT;
}

static int run(measure_question *question) {
    roof_error error = {0};
    const cli_settings *settings = question->settings;
    bool found = (settings->no_save && !settings->diff) || find_saved(question) == 0;
    warn_unsaved(question, found);
    question->result = question->fresh = measure(settings, &error);
    if (!question->fresh)
        return complain(&error);
    if (question->before)
        question->change_count = saved_changes(question->before, question->fresh, question->changes);
    if (found)
        save(question);
    else
        question->outcome = MEASURE_FAILED;
    progress_release();
    return answer_measured(question);
}

int verb_measure(cli_settings *settings) {
    roof_error error = {0};
    if (check(settings, &error))
        return complain(&error);
    if (settings->device && strcmp(settings->device, "list") == 0)
        return list_devices(settings);
    measure_question *question = keep_or_die(calloc(1, sizeof *question));
    question->settings = settings;
    int code = run(question);
    roof_measurement_free(question->fresh);
    roof_machine_file_free(question->file);
    free(question);
    return code;
}
