/* roofline calibrate: the command line to a question, the question to an answer. docs/calibrate.md. */
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "cli/cli.h"
#include "cli/errors.h"

static int check(const cli_settings *settings, roof_error *error) {
    if (answer_check(settings, false, error))
        return -1;
    if (settings->on.count > 1)
        return roof_fail(error, ROOF_EARGUMENT, "a calibration is for one machine, and --on names %zu",
                         settings->on.count);
    if (settings->on.count == 1 && strcmp(settings->on.items[0], "this:1") == 0)
        return roof_fail(error, ROOF_EARGUMENT,
                         "a calibration is for the whole machine, and this:1 is one of its cores");
    return settings->save && settings->diff
               ? roof_fail(error, ROOF_EARGUMENT, "--diff saves nothing, and --output names a file to save to")
               : 0;
}

static int answer(calibrate_question *question) {
    roof_error error = {0};
    const cli_settings *settings = question->settings;
    cli_answer answer = {
        .context = question, .text = calibrate_text, .csv = calibrate_csv, .json = calibrate_json, .units = ""};
    calibrate_save(question);
    if (answer_print(settings, &answer, &error))
        return complain(&error);
    if (settings->diff || question->saved)
        return EXIT_ANSWERED;
    complain(&question->failure);
    return EXIT_INPUT;
}

int verb_calibrate(cli_settings *settings) {
    roof_error error = {0};
    calibrate_question *question = keep_or_die(calloc(1, sizeof *question));
    question->settings = settings;
    int code = check(settings, &error) || calibrate_ask(question, &error) ? complain(&error) : answer(question);
    calibrate_free(question);
    return code;
}
