/* roofline model FILE.onnx: the command line to a question, the question to an answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/graph/graph.h"

/* Options that speak of a language model mean nothing here. */
static int refuse_options(const cli_settings *settings, roof_error *error) {
    const struct {
        const char *name;
        bool given;
    } options[] = {{"batch", settings->model.batch.count > 0},
                   {"prompt", settings->model.prompt.count > 0},
                   {"generate", settings->model.generate.count > 0},
                   {"context", settings->model.context.count > 0},
                   {"tensor", settings->model.tensor.count > 0},
                   {"weights", settings->model.weights != NULL},
                   {"kv-cache", settings->model.kv_cache != ROOF_DTYPE_NONE},
                   {"activations", settings->model.activations != ROOF_DTYPE_NONE},
                   {"math", settings->model.math != ROOF_DTYPE_NONE},
                   {"draft", settings->model.draft > 0},
                   {"phase", settings->model.phase != PHASE_BOTH}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given) {
            roof_fail(error, ROOF_EARGUMENT, "--%s applies to language models, and this is a graph", options[i].name);
            roof_hint(error, "a graph takes --dim NAME=VALUE and --dtype D");
            return -1;
        }
    return 0;
}

static size_t page_advice(const void *context, answer_advice out[ANSWER_ADVICE_MAX]) {
    const graph_question *question = context;
    char place[FACT_PLACE];
    if (question->row_count == 0) /* --layers */
        return 0;
    graph_dimensions_text(question, graph_last_row(question)->graph, true, place, sizeof place);
    snprintf(out[0].about, sizeof out[0].about, "What would help%s%s", place[0] ? " at " : "", place);
    out[0].set = &question->advice;
    return 1;
}

int graph_answer(const cli_settings *settings, const char *path) {
    graph_question *question = keep_or_die(calloc(1, sizeof *question));
    const char *slash = strrchr(path, '/');
    roof_error error = {0};
    question->settings = settings;
    question->path = path;
    question->name = slash && slash[1] ? slash + 1 : path;
    cli_answer answer = {.context = question,
                         .text = graph_text,
                         .csv = graph_csv,
                         .json = graph_json,
                         .chart = graph_chart,
                         .machine = question->machines.list,
                         .advice = page_advice};
    int code = EXIT_ANSWERED;
    if (answer_check(settings, true, &error) || refuse_options(settings, &error) || graph_ask(question, &error)) {
        code = complain(&error);
    } else {
        if (settings->require.count > 0 && !settings->model.layers)
            graph_facts(question);
        code = answer_and_require(settings, &answer, &question->facts);
    }
    graph_free(question);
    return code;
}
