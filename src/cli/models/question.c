/* Which models of the catalogue a listing is about: each has to be read before its family is known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/models/models.h"
#include "core/names.h"
#include "roofline_read.h"

static int read_row(const roof_named_model *named, listed_model *row, roof_error *error) {
    *row =
        (listed_model){.named = named, .file = roof_read_config(named->config, strlen(named->config), NULL, 0, error)};
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

static bool has_word(const text_out *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list->bytes; at && (at = strstr(at, word)); at += length)
        if ((at == list->bytes || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

void models_families(text_out *out) {
    for (size_t i = 0; i < roof_named_model_count(); i++) {
        listed_model row;
        if (read_row(roof_named_model_at(i), &row, NULL))
            continue;
        const char *own = roof_model_file_model(row.file)->family;
        if (own && !has_word(out, own))
            text_add(out, "%s%s", out->length > 0 ? " " : "", own);
        roof_model_file_free(row.file);
    }
}

static int fail_family(const char *family, roof_error *error) {
    text_out families = {0};
    char names[160] = "";
    models_families(&families);
    roof_fail(error, ROOF_ENOTFOUND, "no model family is called '%.60s'", family);
    for (char *word = families.length > 0 ? strtok(families.bytes, " ") : NULL; word; word = strtok(NULL, " "))
        if (strlen(names) + strlen(word) + 8 < sizeof names)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? ", " : "", word);
    roof_hint(error, "families are %s ...", names);
    text_free(&families);
    return -1;
}

static bool is_named(const roof_named_model *named, const char *text) {
    return text_contains(named->id, text) || text_contains(named->name, text) || text_contains(named->aliases, text);
}

int models_choose(const cli_settings *settings, model_list *out, roof_error *error) {
    size_t all = roof_named_model_count();
    const char *text = settings->word_count > 0 ? settings->words[0] : NULL;
    size_t of_family = 0;
    out->rows = keep_or_die(calloc(all + 1, sizeof *out->rows));
    for (size_t i = 0; i < all; i++) {
        const roof_named_model *named = roof_named_model_at(i);
        listed_model *row = &out->rows[out->count];
        if (!settings->models.family && !is_named(named, text))
            continue;
        if (read_row(named, row, error))
            return -1;
        bool member = text_contains(roof_model_file_model(row->file)->family, settings->models.family);
        of_family += member;
        if (member && is_named(named, text))
            out->count++;
        else
            roof_model_file_free(row->file);
    }
    if (out->count > 0)
        return 0;
    if (of_family == 0 && settings->models.family)
        return fail_family(settings->models.family, error);
    name_list names = {all, id_at, NULL};
    roof_fail(error, ROOF_ENOTFOUND, "no model has '%.60s' in its name", text);
    if (offer_names(&names, text, 2, error) == 0)
        roof_hint(error, "any config.json can be read: roofline model FILE");
    roof_suggest(error, ROOF_REMEDY_LIST_MODELS, "");
    return -1;
}

void models_free(model_list *list) {
    for (size_t i = 0; i < list->count; i++)
        roof_model_file_free(list->rows[i].file);
    free(list->rows);
}
