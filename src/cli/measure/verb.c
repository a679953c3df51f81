/* roofline measure: the command line to a question, the question to an answer; what went wrong is told last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/measure/measure.h"
#include "cli/out/answer.h"

static int exclude(bool one, bool other, const char *names, roof_error *error) {
    return one && other ? roof_fail(error, ROOF_EARGUMENT, "%s exclude each other", names) : 0;
}

static int check(const cli_settings *settings, roof_error *error) {
    return answer_check(settings, true, error) || fail_extra(settings, 0, error) ||
                   exclude(settings->measure.quick, settings->measure.thorough, "--quick and --thorough", error) ||
                   exclude(settings->save, settings->measure.no_save, "--save and --no-save", error) ||
                   exclude(settings->measure.keep_best, settings->measure.replace, "--keep-best and --replace",
                           error) ||
                   exclude(settings->measure.keep_best, settings->measure.no_save, "--keep-best and --no-save",
                           error) ||
                   exclude(settings->measure.replace, settings->measure.no_save, "--replace and --no-save", error)
               ? -1
               : 0;
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

/* Beside data, what the last lines of the text say. */
static void warn(const measure_question *question) {
    size_t worse = question->outcome == MEASURE_MERGED ? measure_worse(question) : 0;
    if (worse > 0)
        fprintf(stderr,
                "note: %zu roof%s of this run %s more than 3%% lower than saved; the saved figure%s stay%s (--replace "
                "saves this run alone)\n",
                worse, worse == 1 ? "" : "s", worse == 1 ? "is" : "are", worse == 1 ? "" : "s", worse == 1 ? "s" : "");
    if (measure_lacks_memory(question))
        fprintf(stderr, "note: no DRAM bandwidth was found: what is saved has no memory roof\n");
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
    if (settings->json || settings->csv)
        warn(question);
    if (question->outcome != MEASURE_FAILED)
        return EXIT_ANSWERED;
    complain(&question->failure);
    return EXIT_INPUT;
}

int verb_measure(cli_settings *settings) {
    roof_error error = {0};
    if (check(settings, &error))
        return complain(&error);
    if (settings->measure.device && strcmp(settings->measure.device, "list") == 0)
        return measure_devices(settings);
    measure_question *question = keep_or_die(calloc(1, sizeof *question));
    question->settings = settings;
    int code = measure_ask(question, &error) ? complain(&error) : answer_measured(question);
    measure_free(question);
    return code;
}
