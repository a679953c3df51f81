/* What the files of a model store, from their headers alone. */
#include <stdio.h>
#include <string.h>

#include "cli/models/models.h"
#include "cli/out/answer.h"
#include "cli/out/table.h"
#include "roofline_read.h"

static void types_table(const roof_weights *weights, text_out *out) {
    table_grid table = {0};
    char number[NUMBER_SIZE];
    table_heads(&table, "l:stored as", ":tensors", ":weights", ":bytes", ":bits each");
    for (size_t i = 0; i < weights->type_count; i++) {
        const struct roof_weights_type *type = &weights->types[i];
        table_row(&table);
        table_text(&table, type->name);
        table_text(&table, number_whole(type->tensors, number));
        table_text(&table, number_whole(type->parameters, number));
        table_text(&table, number_whole(type->bytes, number));
        table_text(&table, type->parameters > 0 ? number_fixed(8 * type->bytes / type->parameters, 2, number) : "-");
    }
    table_row(&table);
    table_text(&table, "all");
    table_text(&table, number_whole(weights->tensors, number));
    table_cell_add(&table, PAINT_NONE, "%s%s", weights->at_least ? ">= " : "",
                   number_whole(weights->parameters, number));
    table_text(&table, number_whole(weights->bytes, number));
    table_text(&table,
               weights->parameters > 0 ? number_fixed(8 * weights->bytes / weights->parameters, 2, number) : "-");
    table_print(&table, out);
    table_free(&table);
}

void weights_text(const model_view *view, text_out *out) {
    const roof_weights *weights = &view->weights;
    char number[NUMBER_SIZE], line[160];
    const char *after = "";
    if (!view->has_weights)
        return;
    if (weights->tensors > 0)
        types_table(weights, out);
    if (weights->tensors + weights->elsewhere > 0)
        after = "\n";
    if (weights->elsewhere > 0) {
        snprintf(line, sizeof line, "%s in files that are git-LFS pointers: not in these figures",
                 number_si(weights->elsewhere, "B", number));
        text_paragraph(out, 2, 2, line);
    }
    text_add(out, "%s", after);
}

void weights_json(const model_view *view, emit *json) {
    const roof_weights *weights = &view->weights;
    if (!view->has_weights)
        return;
    emit_object(json, "weights");
    emit_number(json, "parameters", weights->parameters);
    emit_bool(json, "at_least", weights->at_least);
    emit_number(json, "bytes", weights->bytes);
    emit_number(json, "tensors", weights->tensors);
    emit_number(json, "files", weights->files);
    emit_number(json, "elsewhere", weights->elsewhere);
    emit_array(json, "types");
    for (size_t i = 0; i < weights->type_count; i++) {
        emit_row(json, NULL);
        emit_string(json, "type", weights->types[i].name);
        emit_number(json, "tensors", weights->types[i].tensors);
        emit_number(json, "parameters", weights->types[i].parameters);
        emit_number(json, "bytes", weights->types[i].bytes);
        emit_end(json);
    }
    emit_end(json);
    emit_array(json, "largest");
    for (size_t i = 0; i < weights->largest_count; i++) {
        emit_row(json, NULL);
        emit_string(json, "tensor", weights->largest[i].name);
        emit_number(json, "parameters", weights->largest[i].parameters);
        emit_number(json, "bytes", weights->largest[i].bytes);
        emit_end(json);
    }
    emit_end(json);
    emit_end(json);
}

/* ---- weights without a model ---- */

static void alone_text(const void *context, text_out *out) {
    const model_view *view = context;
    text_title(out, view->path, PAINT_YELLOW, "weights alone");
    text_note(out, PAINT_YELLOW, view->unreadable);
    text_add(out, "\n");
    weights_text(view, out);
}

static void alone_csv(const void *context, text_out *out) {
    const model_view *view = context;
    text_add(out, "type,tensors,parameters,bytes\n");
    for (size_t i = 0; i < view->weights.type_count; i++) {
        const struct roof_weights_type *type = &view->weights.types[i];
        csv_text(out, type->name);
        csv_number(out, type->tensors);
        csv_number(out, type->parameters);
        csv_number(out, type->bytes);
        csv_end(out);
    }
}

static void alone_json(const void *context, emit *json) {
    const model_view *view = context;
    weights_json(view, json);
    emit_array(json, "warnings");
    emit_string(json, NULL, view->unreadable);
    emit_end(json);
}

int weights_show(const cli_settings *settings, const char *path, roof_error *error) {
    model_view view = {.settings = settings, .path = path, .has_weights = true};
    cli_answer answer = {.context = &view, .text = alone_text, .csv = alone_csv, .json = alone_json};
    char why[sizeof error->what];
    if (error->code != ROOF_EUNSUPPORTED || roof_read_weights(path, &view.weights, NULL) ||
        !(view.weights.tensors + view.weights.elsewhere > 0))
        return -1;
    snprintf(why, sizeof why, "%s", error->what);
    view.unreadable = why;
    return answer_print(settings, &answer, error);
}
