/* roofline profile: the command line to a question, the question to an answer of one profile, of two, or of roofs only.
 */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/profile/profile.h"
#include "roofline_read.h"

/* ---- a file that holds roofs only ---- */

static bool holds_roofs_only(const profile_question *question) {
    return question->count == 0 && question->run_count == 0 && profile_file_machine(question);
}

static int machine_file(const void *context, roof_write write, void *to) {
    return roof_machine_write(profile_file_machine(context), write, to);
}

/* ---- the verb ---- */

int verb_profile(cli_settings *settings) {
    roof_error error = {0};
    if (settings->profile.formats)
        return answer_check(settings, false, &error) || fail_extra(settings, 0, &error) ? complain(&error)
                                                                                        : profile_formats(settings);
    profile_question *question = keep_or_die(calloc(1, sizeof *question));
    question->settings = settings;
    cli_answer answer = {.context = question,
                         .text = profile_text,
                         .csv = profile_csv,
                         .json = profile_json,
                         .chart = profile_chart,
                         .advice = profile_advice};
    int code = EXIT_INPUT;
    if (answer_check(settings, true, &error) || profile_ask(question, &error)) {
        code = complain(&error);
    } else {
        if (settings->profile.compare)
            answer = (cli_answer){.context = question,
                                  .text = profile_compare_text,
                                  .csv = profile_compare_csv,
                                  .json = profile_compare_json,
                                  .chart = profile_chart};
        else if (question->machine)
            profile_advise(question);
        if (holds_roofs_only(question))
            answer.json_file = machine_file;
        code = answer_and_require(settings, &answer, &question->facts);
    }
    profile_free(question);
    return code;
}
