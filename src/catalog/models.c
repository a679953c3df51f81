/* Named models: one list over the groups, found by id or alias; a name without a size is answered with the sizes. */
#include "catalog/models.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/names.h"

typedef struct group {
    const roof_named_model *models;
    const size_t *count;
} group;

static const group groups[] = {
    {llama_models, &llama_model_count},     {mistral_models, &mistral_model_count},
    {qwen_models, &qwen_model_count},       {google_models, &google_model_count},
    {china_models, &china_model_count},     {open_models, &open_model_count},
    {recent_models, &recent_model_count},   {hybrid_models, &hybrid_model_count},
    {encoder_models, &encoder_model_count},
};

enum { GROUPS = sizeof groups / sizeof groups[0] };

size_t roof_named_model_count(void) {
    size_t count = 0;
    for (int i = 0; i < GROUPS; i++)
        count += *groups[i].count;
    return count;
}

const roof_named_model *roof_named_model_at(size_t index) {
    for (int i = 0; i < GROUPS; i++) {
        if (index < *groups[i].count)
            return &groups[i].models[index];
        index -= *groups[i].count;
    }
    return NULL;
}

static const char *id_at(const void *context, size_t index) {
    (void)context;
    return roof_named_model_at(index)->id;
}

/* `name` begins `id` and ends where a part of it ends, punctuation aside: "llama 3.1" begins "llama-3.1-8b". */
static bool begins(const char *name, const char *id) {
    for (;; id++) {
        while (*name && !isalnum((unsigned char)*name))
            name++;
        if (!*name)
            return *id == '-';
        while (*id && !isalnum((unsigned char)*id))
            id++;
        if (tolower((unsigned char)*name++) != tolower((unsigned char)*id))
            return false;
    }
}

/* "a name without its size": the hint lists the sizes. False when nothing begins so. */
static bool sizes(const char *name, roof_error *error) {
    char list[160] = "";
    size_t found = 0;
    for (size_t i = 0; i < roof_named_model_count(); i++) {
        const char *id = roof_named_model_at(i)->id;
        size_t at = strlen(list);
        if (!begins(name, id))
            continue;
        if (found++ < 8)
            snprintf(list + at, sizeof list - at, "%s%s", at ? ", " : "", id);
    }
    if (found == 0)
        return false;
    roof_fail(error, ROOF_ENOTFOUND, "model '%.60s' comes in more than one size or version", name);
    roof_hint(error, "one of %s%s", list, found > 8 ? ", ..." : "");
    if (found > 8)
        roof_suggest(error, ROOF_REMEDY_LIST_MODELS, "");
    return true;
}

/* Letter for letter but for case: "opt-1.3b" must not find "opt-13b", which compares equal loosely. */
static bool same_name(const char *name, const char *id, size_t length) {
    size_t i = 0;
    while (i < length && name[i] && tolower((unsigned char)name[i]) == tolower((unsigned char)id[i]))
        i++;
    return i == length && !name[i];
}

static bool exactly(const char *name, const roof_named_model *model) {
    if (same_name(name, model->id, strlen(model->id)))
        return true;
    for (const char *alias = model->aliases; *alias; alias += strspn(alias, ", ")) {
        size_t n = strcspn(alias, ",");
        if (same_name(name, alias, n))
            return true;
        alias += n;
    }
    return false;
}

static bool loosely(const char *name, const roof_named_model *model) {
    return name_equal(name, model->id) || name_in_list(name, model->aliases);
}

static const roof_named_model *find(const char *name, bool (*is)(const char *, const roof_named_model *)) {
    for (size_t i = 0; i < roof_named_model_count(); i++)
        if (is(name, roof_named_model_at(i)))
            return roof_named_model_at(i);
    return NULL;
}

const roof_named_model *roof_named_model_find(const char *name, roof_error *error) {
    const roof_named_model *model = find(name, exactly);
    model = model ? model : find(name, loosely);
    if (model)
        return model;
    if (sizes(name, error))
        return NULL;
    const name_list names = {.count = roof_named_model_count(), .at = id_at};
    unknown_name(&names, "model", name, ROOF_REMEDY_LIST_MODELS, error);
    return NULL;
}
