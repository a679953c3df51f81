/* roofline models: the models known by name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/cli.h"
#include "cli/listing.h"
#include "cli/table.h"
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

static int choose(const char *text, model_list *out, roof_error *error) {
    size_t all = roof_named_model_count();
    out->rows = keep_or_die(calloc(all + 1, sizeof *out->rows));
    for (size_t i = 0; i < all; i++) {
        const roof_named_model *named = roof_named_model_at(i);
        if (!contains(named->id, text) && !contains(named->name, text) && !contains(named->aliases, text))
            continue;
        if (read_row(named, &out->rows[out->count], error))
            return -1;
        out->count++;
    }
    if (out->count > 0)
        return 0;
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

/* ---- one model ---- */

static void count_line(const char *what, double count, double total, text_out *out) {
    char whole[NUMBER_SIZE], share[NUMBER_SIZE];
    text_add(out, "  %-12s %19s  %5s%%\n", what, number_whole(count, whole),
             number_fixed(100 * count / total, 1, share));
}

static void show_text(const void *context, text_out *out) {
    const model_row *row = context;
    const roof_parameters *parameters = &row->parameters;
    char number[NUMBER_SIZE];
    text_title(out, row->named->name, PAINT_BOLD, "%s", row->named->id);
    text_add(out, "\n");
    count_line("parameters", parameters->total, parameters->total, out);
    count_line("embedding", parameters->embedding, parameters->total, out);
    count_line("attention", parameters->attention, parameters->total, out);
    count_line("mlp", parameters->mlp, parameters->total, out);
    count_line("norms", parameters->norms, parameters->total, out);
    count_line("head", parameters->head, parameters->total, out);
    if (parameters->active != parameters->total)
        count_line("active", parameters->active, parameters->total, out);
    text_add(out, "\n  %-12s %s\n", "layers", number_whole(row->layers, number));
    text_add(out, "  %-12s %s\n", "weights", number_si(parameters->bytes, "B", number));
    text_add(out, "  %-12s %s a token\n", "KV cache", number_si(row->kv_bytes, "B", number));
    text_add(out, "  %-12s ", "source");
    text_wrap(out, 15, 15, row->named->source ? row->named->source : "-");
    if (row->named->aliases && row->named->aliases[0]) {
        text_add(out, "  %-12s ", "also");
        text_wrap(out, 15, 15, row->named->aliases);
    }
    for (size_t i = 0; i < roof_model_file_notes(row->file); i++) {
        text_add(out, "  %-12s ", i ? "" : "notes");
        text_wrap(out, 15, 15, roof_model_file_note(row->file, i));
    }
    text_add(out, "\n");
    text_wrap(out, 0, 1, row->named->config); /* blanks in it stand between JSON tokens only */
}

static void show_csv(const void *context, text_out *out) {
    model_list one = {(model_row *)context, 1};
    list_csv(&one, out);
}

static void show_json(const void *context, emit *json) {
    const model_row *row = context;
    row_members(row, json);
    emit_string(json, "config", row->named->config);
}

static int show(const cli_settings *settings, roof_error *error) {
    const roof_named_model *named = roof_named_model_find(settings->show, error);
    model_row row;
    if (!named || read_row(named, &row, error))
        return -1;
    cli_answer answer = {.context = &row, .text = show_text, .csv = show_csv, .json = show_json};
    int result = answer_print(settings, &answer, error);
    roof_model_file_free(row.file);
    return result;
}

static int list(const cli_settings *settings, roof_error *error) {
    model_list rows = {0};
    cli_answer answer = {.context = &rows, .text = list_text, .csv = list_csv, .json = list_json};
    int result = choose(settings->word_count > 0 ? settings->words[0] : NULL, &rows, error) ||
                         answer_print(settings, &answer, error)
                     ? -1
                     : 0;
    free_list(&rows);
    return result;
}

int verb_models(cli_settings *settings) {
    roof_error error = {0};
    if (answer_check(settings, false, &error) || fail_extra(settings, settings->show ? 0 : 1, &error) ||
        (settings->show ? show : list)(settings, &error))
        return complain(&error);
    return EXIT_ANSWERED;
}
