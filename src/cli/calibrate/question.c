/* Constants of expected time from runs, to be saved with the machine. docs/calibrate.md.
 *
 *     files -> observations (runs.c) -> fit: which constants these runs hold -> a calibration of the machine */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/calibrate/calibrate.h"
#include "cli/out/files.h"
#include "roofline_read.h"

/* More constants must cut the error of runs left out to this share. */
static const double BETTER = 0.9;

/* ---- the machine ---- */

static int find_machine(calibrate_question *question, roof_error *error) {
    if (machines_named(question->settings, error) ||
        machines_asked(question->settings, &question->machines, &(machine_set){0}, error))
        return -1;
    question->machine = question->machines.list[0];
    question->machine.calibration = NULL;
    question->machine.calibration_count = 0;
    return 0;
}

/* ---- fitting ---- */

bool calibrate_error_known(double error) {
    return isfinite(error) && error >= 0;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median |ln(expected / measured)| of all times. */
static double error_of(const calibrate_question *question, const roof_constants *constants, double *scratch) {
    size_t count = 0;
    for (size_t i = 0; i < question->count; i++) {
        roof_time span;
        const roof_observation *of = &question->observations[i];
        if (roof_observation_expect(of, constants, &span, NULL) == 0)
            scratch[count++] = fabs(log(span.expected.seconds / of->seconds));
    }
    if (count == 0)
        return HUGE_VAL;
    qsort(scratch, count, sizeof *scratch, ascending);
    return (scratch[(count - 1) / 2] + scratch[count / 2]) / 2;
}

static const roof_calibration *find_old(const calibrate_question *question) {
    const roof_machine *machine = &question->machines.list[0];
    for (size_t i = 0; i < machine->calibration_count; i++)
        if (machine->calibration[i].engine == question->engine)
            return &machine->calibration[i];
    return NULL;
}

/* Was it fitted on one of these files? Then its error here is one in sample, and not to be told. */
static bool fitted_on_these(const calibrate_question *question, const roof_calibration *old) {
    for (size_t i = 0; i < question->file_count; i++)
        if (!old->source || strstr(old->source, profile_base(question->files[i].path)))
            return true;
    return false;
}

/* What most runs are made of. */
static const roof_constant few[] = {ROOF_CONSTANT_STREAM,   ROOF_CONSTANT_MATRIX_32,   ROOF_CONSTANT_MATRIX_16,
                                    ROOF_CONSTANT_MATRIX_8, ROOF_CONSTANT_MATRIX_4,    ROOF_CONSTANT_VECTOR,
                                    ROOF_CONSTANT_LAUNCH,   ROOF_CONSTANT_LINK,        ROOF_CONSTANT_SKEW,
                                    ROOF_CONSTANT_OTHERS,   ROOF_CONSTANT_LINK_LATENCY};

enum { FEW = sizeof few / sizeof *few };

static bool is_few(int constant) {
    for (size_t k = 0; k < FEW; k++)
        if (few[k] == (roof_constant)constant)
            return true;
    return false;
}

/* Of a larger fit that is not used: why each of the constants beyond the few is not there. */
static void explain_unused(const roof_fit_report *larger, roof_fit_report *report) {
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++) {
        roof_fitted *fitted = &report->constants[i];
        if (!is_few(i))
            snprintf(fitted->why, sizeof fitted->why, "%s",
                     larger->constants[i].identified ? "held-out runs are predicted no better with it"
                                                     : larger->constants[i].why);
    }
}

static bool is_larger(const roof_fit_report *report) {
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++)
        if (report->constants[i].identified && !is_few(i))
            return true;
    return false;
}

/* All constants that the runs hold, where that predicts runs left out better than the few that matter most: with few
 * runs the others fit their noise. */
static int fit_best(calibrate_question *question, double *scratch, roof_error *error) {
    roof_fit_report larger;
    roof_constants all = question->before;
    if (roof_fit(question->observations, question->count, NULL, 0, &all, &larger, scratch, error)) {
        question->report = larger;
        return -1;
    }
    if (is_larger(&larger) &&
        roof_fit(question->observations, question->count, few, FEW, &question->after, &question->report, scratch,
                 NULL) == 0 &&
        question->report.error_after <= larger.error_after / BETTER) {
        explain_unused(&larger, &question->report);
        return 0;
    }
    question->after = all;
    question->report = larger;
    return 0;
}

static bool told_before(const roof_fit_report *report, int at) {
    for (int i = 0; i < at; i++)
        if (strcmp(report->constants[i].why, report->constants[at].why) == 0)
            return true;
    return false;
}

/* Why those are not held that some run depends on: what is missing is said, and not what nobody asked about. */
static void hint_missing(const roof_fit_report *report, roof_error *error) {
    char line[240] = "";
    size_t used = 0;
    for (int i = 0; i < ROOF_CONSTANT_COUNT && used < sizeof line; i++) {
        const char *why = report->constants[i].why;
        if (told_before(report, i))
            continue;
        if (strstr(why, "needed") || strstr(why, "limit") || strstr(why, "would fit") || strstr(why, "leave it"))
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s: %s", used ? "; " : "",
                                     roof_constant_name((roof_constant)i), why);
        if (used > 120)
            break;
    }
    if (used > 0 && used < sizeof line)
        roof_hint(error, "%s (docs/calibrate.md: what each constant needs)", line);
    else
        roof_hint(error, "prefills of 3 lengths determine the matrix share, decode at 3 batch sizes the stream share: "
                         "docs/calibrate.md");
}

static int fit(calibrate_question *question, roof_error *error) {
    double *scratch = keep_or_die(calloc(question->count, sizeof *scratch));
    question->old = find_old(question);
    question->old_error = HUGE_VAL;
    if (question->old && !fitted_on_these(question, question->old)) {
        roof_constants old;
        roof_constants_of(&question->machines.list[0], question->engine, &old);
        question->old_error = error_of(question, &old, scratch);
    }
    question->after = question->before;
    int result = fit_best(question, scratch, error);
    free(scratch);
    if (result && error->code == ROOF_EARGUMENT)
        error->code = ROOF_EUNSUPPORTED; /* what the runs hold is bad input, not misuse */
    if (result && !error->hint[0])
        hint_missing(&question->report, error);
    return result;
}

/* ---- what is to be saved ---- */

static void name_sources(calibrate_question *question) {
    size_t used = 0;
    for (size_t i = 0; i < question->file_count && used < sizeof question->source; i++) {
        const calibrate_file *file = &question->files[i];
        if (file->times > 0)
            used +=
                (size_t)snprintf(question->source + used, sizeof question->source - used, "%s%.80s (%zu time%s)",
                                 used ? ", " : "", profile_base(file->path), file->times, file->times == 1 ? "" : "s");
    }
}

static void add_calibration(calibrate_question *question, const char *date) {
    const roof_machine *machine = &question->machines.list[0];
    roof_calibration made = {.engine = question->engine, .runs = (double)question->count};
    made.date = date;
    made.source = question->source;
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++) {
        const roof_fitted *fitted = &question->report.constants[i];
        if (!fitted->identified)
            continue;
        made.value[i] =
            (roof_figure){.value = fitted->after, .origin = ROOF_ORIGIN_MEASURED, .source = question->source};
        made.spread[i] = fitted->spread;
    }
    memcpy(made.low, question->report.low, sizeof made.low);
    memcpy(made.high, question->report.high, sizeof made.high);
    for (size_t i = 0; i < machine->calibration_count; i++)
        if (machine->calibration[i].engine != question->engine)
            question->list[question->list_count++] = machine->calibration[i];
    question->list[question->list_count++] = made;
}

/* ---- where ---- */

static int find_path(calibrate_question *question, roof_error *error) {
    const char *name = question->settings->on.count ? question->settings->on.items[0] : "this";
    const char *given = question->settings->save ? question->settings->save : NULL;
    if (!given && !saved_is_name(name) && question->machines.files[0])
        given = name;
    if (given && strlen(given) >= sizeof question->path)
        return roof_fail(error, ROOF_EIO, "the name '%.60s...' is too long", given);
    if (given) {
        snprintf(question->path, sizeof question->path, "%s", given);
        return 0;
    }
    return saved_is_name(name) ? saved_path(name[4] == '-' ? name + 5 : NULL, question->path, error)
                               : saved_calibration_path(question->machine.id, question->path, error);
}

/* The machine as its file or the catalogue has it, with the new list. */
static int save_machine(calibrate_question *question, roof_error *error) {
    roof_machine_file *file = question->machines.files[0];
    const roof_measurement *measured = file ? roof_machine_file_measurement(file) : NULL;
    roof_machine machine = file ? *roof_machine_file_machine(file) : question->machine;
    machine.calibration = question->list;
    machine.calibration_count = question->list_count;
    if (!measured)
        return saved_write_machine(question->path, &machine, error);
    roof_measurement *copy = keep_or_die(malloc(sizeof *copy));
    *copy = *measured;
    copy->machine = machine;
    int result = saved_write(question->path, copy, error);
    free(copy);
    return result;
}

/* A fit that predicts runs it has not seen no better than the defaults has learnt nothing. */
static bool is_better(const calibrate_question *question, roof_error *error) {
    const roof_fit_report *report = &question->report;
    if (report->error_after < report->error_before)
        return true;
    roof_fail(error, ROOF_EUNSUPPORTED,
              "nothing was learnt: held-out runs are predicted no better than before (%.3f, %.3f)", report->error_after,
              report->error_before);
    roof_hint(error, "add runs with other lengths and batch sizes; --diff shows what these would change");
    return false;
}

/* ---- the whole question ---- */

int calibrate_ask(calibrate_question *question, roof_error *error) {
    if (calibrate_read(question, error) || find_machine(question, error) || calibrate_observe(question, error) ||
        fit(question, error))
        return -1;
    time_t now = time(NULL);
    struct tm when;
    if (gmtime_r(&now, &when))
        strftime(question->date, sizeof question->date, "%Y-%m-%dT%H:%M:%SZ", &when);
    name_sources(question);
    add_calibration(question, question->date);
    return question->settings->diff ? 0 : find_path(question, error);
}

void calibrate_save(calibrate_question *question) {
    if (!question->settings->diff && is_better(question, &question->failure))
        question->saved = save_machine(question, &question->failure) == 0;
}

void calibrate_free(calibrate_question *question) {
    for (size_t i = 0; i < question->file_count; i++)
        roof_profile_free(question->files[i].profile);
    run_models_free(&question->models);
    machines_free(&question->machines);
    free(question->observations);
    free(question->reasons);
    free(question);
}
