/* roofline model NAME --show, and roofline models --show NAME: a model without a machine. */
#include "cli/model/model.h"
#include "cli/models/show.h"
#include "cli/out/answer.h"

int show_model(const cli_settings *settings, const char *name, roof_error *error) {
    model_source source;
    roof_plan plan = {0};
    if (model_source_read(name, &source, error))
        return model_is_path(name) ? show_weights(settings, name, error) : -1;
    int result = base_plan(settings, &plan, error);
    if (result == 0) {
        model_view view = {.settings = settings, .source = &source};
        cli_answer answer = {.context = &view, .text = show_text, .csv = show_csv, .json = show_json};
        view.path = source.named ? NULL : name;
        view.has_weights = view.path && roof_read_weights(name, &view.weights, NULL) == 0;
        architecture_of(source.model, &plan, &view.facts);
        result = answer_print(settings, &answer, error);
        architecture_free(&view.facts);
    }
    model_source_free(&source);
    return result;
}
