/* roofline model: the command line to a question (or to a graph, or to a model shown), the question to an answer. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/graph/graph.h"
#include "cli/model/model.h"
#include "cli/models/models.h"

/* The phase that runs last first, as in the text. */
static size_t page_advice(const void *context, answer_advice out[ANSWER_ADVICE_MAX]) {
    const model_question *question = context;
    char place[FACT_PLACE];
    size_t count = 0;
    int phase;
    if (question->parameters.bytes_unknown || !question->last)
        return 0;
    model_row_place(question, question->last, place, sizeof place);
    for (size_t n = ROOF_PHASE_COUNT; n-- > 0;)
        if ((phase = model_phase(question, n)) >= 0) {
            snprintf(out[count].about, sizeof out[count].about, "What would help %s%s%s",
                     roof_phase_name((roof_phase)phase), place[0] ? " " : "", place);
            out[count++].set = &question->advice[phase];
        }
    return count;
}

/* When nothing fits there is no answer in words, only the error; the numbers of JSON are still worth having. */
static int answer_question(const cli_settings *settings, const model_question *question) {
    roof_error error = {0};
    cli_answer answer = {.context = question,
                         .text = model_text,
                         .csv = model_csv,
                         .json = model_json,
                         .chart = model_chart,
                         .machine = question->machines.list,
                         .advice = page_advice};
    if (question->last)
        return answer_and_require(settings, &answer, &question->facts);
    if (settings->json && answer_print(settings, &answer, &error))
        return complain(&error);
    fail_fit(&question->rows[question->row_count - 1], &error);
    return complain(&error);
}

static int show(const cli_settings *settings) {
    roof_error error = {0};
    bool good = answer_check(settings, false, &error) == 0 && fail_extra(settings, 1, &error) == 0 &&
                (settings->word_count > 0 || model_unnamed(&error) == 0) &&
                model_show(settings, settings->words[0], &error) == 0;
    return good ? EXIT_ANSWERED : complain(&error);
}

static int judge(const cli_settings *settings) {
    model_question *question = keep_or_die(calloc(1, sizeof *question));
    question->settings = settings;
    roof_error error = {0};
    int code = EXIT_ANSWERED;
    if (answer_check(settings, true, &error) || model_ask(question, &error)) {
        code = complain(&error);
    } else {
        if (settings->require.count > 0)
            model_facts(question);
        code = answer_question(settings, question);
    }
    model_free(question);
    return code;
}

static int fail_dimensions(const char *name, roof_error *error) {
    roof_fail(error, ROOF_EARGUMENT, "--dim sets a dimension of an ONNX graph, and '%.120s' is not one", name);
    roof_hint(error, "a language model takes --batch, --prompt, --generate and --context");
    return complain(error);
}

int verb_model(cli_settings *settings) {
    const char *name = settings->word_count > 0 ? settings->words[0] : "";
    roof_error error = {0};
    char path[4096];
    int graph = model_graph_path(name, path, sizeof path, &error);
    if (graph < 0)
        return complain(&error);
    if (graph)
        return fail_extra(settings, 1, &error) ? complain(&error) : graph_answer(settings, path);
    if (settings->model.dimensions.count > 0 && *name)
        return fail_dimensions(name, &error);
    return (settings->model.layers ? show : judge)(settings);
}
