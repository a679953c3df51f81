/* roofline models: the models known by name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/models/show.h"
#include "cli/out/answer.h"
#include "cli/out/table.h"
#include "core/names.h"

typedef struct model_row {
    const roof_named_model *named;
    roof_model_file *file;
    roof_parameters parameters;
    double layers, kv_bytes;
} model_row;

typedef struct model_list {
    model_row *rows;
    size_t count;
} model_list;

static int read_row(const roof_named_model *named, model_row *row, roof_error *error) {
    *row = (model_row){.named = named, .file = roof_read_config(named->config, strlen(named->config), NULL, 0, error)};
    if (!row->file)
        return -1;
    const roof_model *model = roof_model_file_model(row->file);
    roof_plan plan = {0};
    roof_plan_complete(model, &plan);
    row->parameters = roof_model_parameters(model, &plan);
    row->layers = roof_model_layers(model);
    row->kv_bytes = roof_model_kv_bytes_per_token(model, &plan);
    return 0;
}

static const char *id_at(const void *context, size_t index) {
    (void)context;
    return roof_named_model_at(index)->id;
}

/* Families of the catalogue, each once, as far as the hint holds them. */
static int fail_family(const char *family, roof_error *error) {
    char names[160] = "";
    roof_fail(error, ROOF_ENOTFOUND, "no model is of family '%.60s'", family);
    for (size_t i = 0; i < roof_named_model_count(); i++) {
        model_row row;
        if (read_row(roof_named_model_at(i), &row, NULL))
            continue;
        const char *own = roof_model_file_model(row.file)->family;
        if (own && !text_contains(names, own) && strlen(names) + strlen(own) + 8 < sizeof names)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? ", " : "", own);
        roof_model_file_free(row.file);
    }
    roof_hint(error, "families are %s ...", names);
    return -1;
}

static bool is_named(const roof_named_model *named, const char *text) {
    return text_contains(named->id, text) || text_contains(named->name, text) || text_contains(named->aliases, text);
}

static int choose(const cli_settings *settings, model_list *out, roof_error *error) {
    size_t all = roof_named_model_count();
    const char *text = settings->word_count > 0 ? settings->words[0] : NULL;
    size_t of_family = 0;
    out->rows = keep_or_die(calloc(all + 1, sizeof *out->rows));
    for (size_t i = 0; i < all; i++) {
        const roof_named_model *named = roof_named_model_at(i);
        model_row *row = &out->rows[out->count];
        if (!settings->family && !is_named(named, text))
            continue;
        if (read_row(named, row, error))
            return -1;
        bool member = text_contains(roof_model_file_model(row->file)->family, settings->family);
        of_family += member;
        if (member && is_named(named, text))
            out->count++;
        else
            roof_model_file_free(row->file);
    }
    if (out->count > 0)
        return 0;
    if (of_family == 0 && settings->family)
        return fail_family(settings->family, error);
    const char *best[2];
    name_list names = {all, id_at, NULL};
    size_t near = nearest_names(&names, text, best, 2);
    roof_fail(error, ROOF_ENOTFOUND, "no model has '%.60s' in its name", text);
    if (near > 1)
        roof_hint(error, "did you mean '%s' or '%s'? 'roofline models' lists all", best[0], best[1]);
    else
        roof_hint(error, "'roofline models' lists all; any config.json can be read: roofline model FILE");
    return -1;
}

static void free_list(model_list *list) {
    for (size_t i = 0; i < list->count; i++)
        roof_model_file_free(list->rows[i].file);
    free(list->rows);
}

/* "8.03B" */
static const char *billions(double count, char buffer[NUMBER_SIZE]) {
    char digits[NUMBER_SIZE];
    bool large = count >= 0.9995e9;
    snprintf(buffer, NUMBER_SIZE, "%s%s", number_three(count / (large ? 1e9 : 1e6), digits), large ? "B" : "M");
    return buffer;
}

/* ---- the table ---- */

static void list_text(const void *context, text_out *out) {
    const model_list *list = context;
    static const char parameters[] = "parameters";
    table_grid table = {0};
    char number[NUMBER_SIZE];
    text_title(out, "Models", PAINT_NONE, "%zu of %zu", list->count, roof_named_model_count());
    text_add(out, "\n");
    table_column_add(&table, NULL, "l", "name");
    table_column_add(&table, parameters, "w", "total");
    table_column_add(&table, parameters, "", "active");
    table_column_add(&table, NULL, "w", "layers");
    table_column_add(&table, NULL, "", "KV B/token");
    table_column_add(&table, NULL, "", "context");
    for (size_t i = 0; i < list->count; i++) {
        const model_row *row = &list->rows[i];
        const roof_model *model = roof_model_file_model(row->file);
        table_row(&table);
        table_cell_add(&table, PAINT_BOLD, "%s", row->named->id);
        table_cell_add(&table, PAINT_NONE, "%s", billions(row->parameters.total, number));
        table_cell_add(&table, PAINT_NONE, "%s", billions(row->parameters.active, number));
        table_cell_add(&table, PAINT_NONE, "%s", number_whole(row->layers, number));
        table_cell_add(&table, PAINT_NONE, "%s", number_whole(row->kv_bytes, number));
        table_cell_add(&table, PAINT_NONE, "%s",
                       model->context_max > 0 ? number_whole(model->context_max, number) : "-");
    }
    table_print(&table, out);
    table_free(&table);
    text_add(out, "\nAny config.json can be read too: roofline model FILE.\n");
}

static void list_csv(const void *context, text_out *out) {
    const model_list *list = context;
    text_add(out, "id,name,parameters,active_parameters,layers,weight_bytes,kv_bytes_per_token,context_max,source\n");
    for (size_t i = 0; i < list->count; i++) {
        const model_row *row = &list->rows[i];
        double context_max = roof_model_file_model(row->file)->context_max;
        csv_text(out, row->named->id);
        csv_text(out, row->named->name);
        csv_number(out, row->parameters.total);
        csv_number(out, row->parameters.active);
        csv_number(out, row->layers);
        csv_number(out, row->parameters.bytes);
        csv_number(out, row->kv_bytes);
        csv_number(out, context_max > 0 ? context_max : HUGE_VAL);
        csv_text(out, row->named->source);
        csv_end(out);
    }
}

static void row_members(const model_row *row, emit *json) {
    double context_max = roof_model_file_model(row->file)->context_max;
    emit_string(json, "id", row->named->id);
    emit_string(json, "name", row->named->name);
    emit_row(json, "parameters");
    emit_number(json, "total", row->parameters.total);
    emit_number(json, "active", row->parameters.active);
    emit_end(json);
    emit_number(json, "layers", row->layers);
    emit_number(json, "weight_bytes", row->parameters.bytes);
    emit_number(json, "kv_bytes_per_token", row->kv_bytes);
    emit_number(json, "context_max", context_max > 0 ? context_max : HUGE_VAL);
    emit_string(json, "source", row->named->source);
}

static void list_json(const void *context, emit *json) {
    const model_list *list = context;
    emit_array(json, "models");
    for (size_t i = 0; i < list->count; i++) {
        emit_object(json, NULL);
        row_members(&list->rows[i], json);
        emit_end(json);
    }
    emit_end(json);
}

static int list(const cli_settings *settings, roof_error *error) {
    model_list rows = {0};
    cli_answer answer = {.context = &rows, .text = list_text, .csv = list_csv, .json = list_json};
    int result = choose(settings, &rows, error) || answer_print(settings, &answer, error) ? -1 : 0;
    free_list(&rows);
    return result;
}

int verb_models(cli_settings *settings) {
    roof_error error = {0};
    if (answer_check(settings, false, &error) || fail_extra(settings, settings->show ? 0 : 1, &error) ||
        (settings->show ? show_model(settings, settings->show, &error) : list(settings, &error)))
        return complain(&error);
    return EXIT_ANSWERED;
}
