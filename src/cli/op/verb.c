/* roofline op: the command line to a question, the question to an answer. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/op/op.h"

static size_t page_advice(const void *context, answer_advice out[ANSWER_ADVICE_MAX]) {
    const op_question *question = context;
    char place[FACT_PLACE];
    op_row_place(question, op_last_row(question), place, sizeof place);
    snprintf(out[0].about, sizeof out[0].about, "What would help%s%s", place[0] ? " " : "", place);
    out[0].set = &question->advice;
    return 1;
}

int verb_op(cli_settings *settings) {
    op_question *question = keep_or_die(calloc(1, sizeof *question));
    question->settings = settings;
    roof_error error = {0};
    cli_answer answer = {.context = question,
                         .text = op_text,
                         .csv = op_csv,
                         .json = op_json,
                         .chart = op_chart,
                         .machine = question->machines.list,
                         .advice = page_advice};
    int code = EXIT_ANSWERED;
    if (answer_check(settings, true, &error) || op_ask(question, &error)) {
        code = complain(&error);
    } else {
        if (settings->require.count > 0)
            op_facts(question);
        code = answer_and_require(settings, &answer, &question->facts);
    }
    op_free(question);
    return code;
}
