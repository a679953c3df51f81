/* roofline models, and a model without a machine: roofline models --show NAME, roofline model NAME --layers. */
#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/model/model.h"
#include "cli/models/models.h"
#include "cli/out/answer.h"
#include "roofline_read.h"

int model_show(const cli_settings *settings, const char *name, roof_error *error) {
    model_source source;
    roof_plan plan = {0};
    if (model_source_read(name, &source, error))
        return model_is_path(name) ? weights_show(settings, name, error) : -1;
    int result = model_base_plan(settings, &plan, error);
    if (result == 0) {
        model_view view = {.settings = settings, .source = &source};
        cli_answer answer = {.context = &view, .text = model_view_text, .csv = model_view_csv, .json = model_view_json};
        view.path = source.named ? NULL : name;
        view.has_weights = view.path && roof_read_weights(name, &view.weights, NULL) == 0;
        architecture_of(source.model, &plan, &view.facts);
        result = answer_print(settings, &answer, error);
        architecture_free(&view.facts);
    }
    model_source_free(&source);
    return result;
}

static int list(const cli_settings *settings, roof_error *error) {
    model_list rows = {0};
    cli_answer answer = {.context = &rows, .text = models_text, .csv = models_csv, .json = models_json};
    int result = models_choose(settings, &rows, error) || answer_print(settings, &answer, error) ? -1 : 0;
    models_free(&rows);
    return result;
}

int verb_models(cli_settings *settings) {
    roof_error error = {0};
    if (answer_check(settings, false, &error) || fail_extra(settings, settings->show ? 0 : 1, &error) ||
        (settings->show ? model_show(settings, settings->show, &error) : list(settings, &error)))
        return complain(&error);
    return EXIT_ANSWERED;
}
