/* This machine's own roofs: measured, held against those saved before, and merged with them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/measure/measure.h"
#include "cli/out/files.h"
#include "cli/out/progress.h"
#include "roofline_read.h"

/* ---- which series ---- */

/* Cores of the series that use the most: all of them. A device's series count as one core. */
int measure_cores(const roof_measurement *measurement) {
    int most = 0;
    for (size_t i = 0; i < measurement->sample_count; i++)
        if (measurement->samples[i].threads > most)
            most = measurement->samples[i].threads;
    return most;
}

static const roof_machine *machine_of(const roof_measurement *measurement, int threads) {
    return threads == measure_cores(measurement) ? &measurement->machine : threads == 1 ? &measurement->one : NULL;
}

bool measure_is_roof(const roof_measurement *measurement, const roof_sample *sample) {
    const roof_machine *machine = machine_of(measurement, sample->threads);
    if (!machine)
        return false;
    if (roof_pattern_is_compute(sample->pattern))
        return machine->peak[sample->unit][sample->dtype].value == sample->value;
    return roof_pattern_is_memory(sample->pattern) && machine->bandwidth[sample->level].value == sample->value;
}

/* ---- what was saved before ---- */

/* Where to save, and what lies there. What goes wrong is told behind the answer, and nothing is saved. */
static int find_saved(measure_question *question) {
    const cli_settings *settings = question->settings;
    struct stat info;
    if (!settings->save && saved_path(settings->measure.device, question->path, &question->failure))
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
    if (question->before || settings->measure.replace)
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
    if (question->settings->measure.no_save || (found && file_may_write(question->path, &error) == 0))
        return;
    fprintf(stderr, "roofline: warning: %s; measuring all the same\n", error.what);
}

/* ---- measuring ---- */

static roof_measurement *measure(const cli_settings *settings, roof_error *error) {
    progress at = progress_start();
    roof_measure_options options = {.effort = settings->measure.quick      ? ROOF_EFFORT_QUICK
                                              : settings->measure.thorough ? ROOF_EFFORT_THOROUGH
                                                                           : ROOF_EFFORT_NORMAL,
                                    .threads = (int)settings->threads,
                                    .memory = settings->measure.memory,
                                    .device = settings->measure.device,
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

bool measure_lacks_memory(const measure_question *question) {
    bool saved = question->outcome == MEASURE_SAVED || question->outcome == MEASURE_MERGED;
    return saved && question->result->machine.bandwidth[ROOF_DRAM].origin == ROOF_ORIGIN_UNKNOWN;
}

/* What to save, if anything: `question->result`. */
static measure_outcome decide(measure_question *question) {
    const cli_settings *settings = question->settings;
    if (settings->measure.no_save)
        return MEASURE_NOT_ASKED;
    if (!question->before || settings->measure.replace)
        return MEASURE_SAVED;
    if (settings->diff && !settings->measure.keep_best)
        return MEASURE_COMPARED;
    if (saved_merge(question->before, question->fresh, &question->merged, &question->failure))
        return MEASURE_FAILED;
    question->result = &question->merged;
    return MEASURE_MERGED;
}

static void save(measure_question *question) {
    question->outcome = decide(question);
    if (question->before && question->outcome == MEASURE_SAVED)
        saved_keep_calibrations(question->before, question->fresh);
    if ((question->outcome == MEASURE_SAVED || question->outcome == MEASURE_MERGED) &&
        saved_write(question->path, question->result, &question->failure))
        question->outcome = MEASURE_FAILED;
}

int measure_ask(measure_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    bool found = (settings->measure.no_save && !settings->diff) || find_saved(question) == 0;
    warn_unsaved(question, found);
    question->result = question->fresh = measure(settings, error);
    if (!question->fresh)
        return -1;
    if (question->before)
        question->change_count = saved_changes(question->before, question->fresh, question->changes);
    if (found)
        save(question);
    else
        question->outcome = MEASURE_FAILED;
    progress_release();
    return 0;
}

void measure_free(measure_question *question) {
    roof_measurement_free(question->fresh);
    roof_machine_file_free(question->file);
    free((void *)question->merged.samples); /* the list is ours, the windows are not */
    free(question);
}
