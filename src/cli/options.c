/* The parser that reads a command line with the tables of verbs and options. */
#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/out/text.h"
#include "core/names.h"
#include "roofline_expected.h"

/* ---- errors that offer the nearest name ---- */

static const char *verb_name_at(const void *context, size_t index) {
    (void)context;
    return verb_at(index)->name;
}

static const char *option_name_at(const void *context, size_t index) {
    const unsigned *bit = context;
    return (option_at(index)->verbs & *bit) && option_at(index)->group != GROUP_HIDDEN ? option_at(index)->name : NULL;
}

static void hint_verbs(roof_error *error) {
    char list[sizeof error->hint] = "";
    for (size_t i = 0; verb_at(i); i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 i ? i + 1 < verb_count() ? ", " : " and " : "", verb_at(i)->name);
    roof_hint(error, "the verbs are %s", list);
}

static int unknown_verb(const char *name, roof_error *error) {
    if (name[0] == '-') {
        roof_fail(error, ROOF_EARGUMENT, "'%.60s' comes before the verb", name);
        roof_hint(error, "the verb comes first: roofline model llama-3.1-8b --on h100-sxm");
        return -1;
    }
    const char *best[2];
    name_list names = {verb_count(), verb_name_at, NULL};
    size_t near = nearest_names(&names, name, best, 2);
    roof_fail(error, ROOF_ENOTFOUND, "unknown verb '%.60s'", name);
    if (near > 0)
        roof_hint(error, "did you mean '%s'? 'roofline --help' lists all", best[0]);
    else
        hint_verbs(error);
    return -1;
}

static const cli_option *other_verb_option(const char *name, const cli_verb **owner) {
    for (size_t i = 0; option_at(i); i++)
        for (size_t k = 0; verb_at(k); k++)
            if ((option_at(i)->verbs & verb_at(k)->bit) && option_at(i)->group != GROUP_HIDDEN &&
                strcmp(option_at(i)->name, name) == 0) {
                *owner = verb_at(k);
                return option_at(i);
            }
    return NULL;
}

/* A word has one meaning: what a verb once called by another verb's word has a name of its own. */
static const char *new_name(const char *name, const cli_verb *verb) {
    static const struct {
        unsigned verbs;
        const char *name, *hint;
    } renamed[] = {{FOR_JUDGING, "compare", "--instead names the machines that the advice tries"},
                   {FOR_MODEL, "show", "--layers shows the model itself, layer by layer"}};
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if ((renamed[i].verbs & verb->bit) && strcmp(renamed[i].name, name) == 0)
            return renamed[i].hint;
    return NULL;
}

static int unknown_option(const char *name, const cli_verb *verb, roof_error *error) {
    const struct cli_verb *owner;
    const char *renamed = new_name(name, verb);
    if (renamed || other_verb_option(name, &owner)) {
        roof_fail(error, ROOF_EARGUMENT, "'roofline %s' takes no option '--%s'", verb->name, name);
        if (renamed)
            roof_hint(error, "%s", renamed);
        else
            roof_hint(error, "it belongs to 'roofline %s'", owner->name);
        return -1;
    }
    const char *best[2];
    name_list names = {option_count(), option_name_at, &verb->bit};
    size_t near = nearest_names(&names, name, best, 2);
    roof_fail(error, ROOF_ENOTFOUND, "unknown option '--%.60s'", name);
    if (near > 1)
        roof_hint(error, "did you mean '--%s' or '--%s'? 'roofline %s --help' lists all", best[0], best[1], verb->name);
    else if (near == 1)
        roof_hint(error, "did you mean '--%s'? 'roofline %s --help' lists all", best[0], verb->name);
    else
        roof_hint(error, "'roofline %s --help' lists all", verb->name);
    return -1;
}

/* ---- one value ---- */

static const option_choice *find_choice(const cli_option *option, const char *word) {
    for (const option_choice *choice = option->choices; choice->word; choice++)
        if (strcmp(choice->word, word) == 0)
            return choice;
    return NULL;
}

static int set_choice(const cli_option *option, const char *what, const char *value, int *out, roof_error *error) {
    const option_choice *found = find_choice(option, value);
    if (found) {
        *out = found->value;
        return 0;
    }
    char list[96] = "";
    for (const option_choice *choice = option->choices; choice->word; choice++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", choice->word);
    return roof_fail(error, ROOF_EARGUMENT, "%s '%.60s' is not one of %s", what, value, list);
}

static int set_quantity(const cli_option *option, const char *what, const char *value, double *out, roof_error *error) {
    range one = {0};
    if (range_parse(what, value, &option->rule, &one, error)) {
        range_free(&one);
        return -1;
    }
    bool single = one.count == 1;
    *out = one.values[0];
    range_free(&one);
    if (single)
        return 0;
    return roof_fail(error, ROOF_EARGUMENT, "%s '%.60s' is a list; one value is allowed", what, value);
}

static int set_dtype(const char *what, const char *value, roof_dtype *out, roof_error *error) {
    *out = roof_dtype_parse(value);
    return *out != ROOF_DTYPE_NONE ? 0 : fail_dtype(what, value, error);
}

/* A class, or an engine of one by its own name. */
static int set_engine(const char *what, const char *value, engine_choice *out, roof_error *error) {
    roof_error unknown;
    out->given = roof_engine_find(value, &out->engine, &unknown) == 0;
    if (out->given)
        return 0;
    roof_fail(error, ROOF_EARGUMENT, "%s '%.60s' is not a known engine", what, value);
    roof_hint(error, "%s", unknown.hint);
    return -1;
}

static int add_text(const char *what, const char *value, text_list *out, roof_error *error) {
    if (out->count == TEXTS_MAX)
        return roof_fail(error, ROOF_EARGUMENT, "%s is given more than %d times", what, TEXTS_MAX);
    if (!*value)
        return roof_fail(error, ROOF_EARGUMENT, "%s has an empty value", what);
    out->items[out->count++] = value;
    return 0;
}

/* Splits in place: the command line is ours. */
static int add_names(const char *what, char *value, text_list *out, roof_error *error) {
    for (char *at = value;;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = '\0';
        if (add_text(what, at, out, error))
            return -1;
        if (!comma)
            return 0;
        at = comma + 1;
    }
}

static int set_value(const cli_option *option, char *value, cli_settings *out, roof_error *error) {
    char what[32];
    void *field = (char *)out + option->offset;
    snprintf(what, sizeof what, "--%s", option->name);
    switch (option->kind) {
    case OPTION_SWITCH:
        *(bool *)field = true;
        return 0;
    case OPTION_TEXT:
        *(const char **)field = value;
        return *value ? 0 : roof_fail(error, ROOF_EARGUMENT, "%s has an empty value", what);
    case OPTION_TEXTS:
        return add_text(what, value, field, error);
    case OPTION_NAMES:
        return add_names(what, value, field, error);
    case OPTION_RANGE:
        return range_parse(what, value, &option->rule, field, error);
    case OPTION_QUANTITY:
        return set_quantity(option, what, value, field, error);
    case OPTION_DTYPE:
        return set_dtype(what, value, field, error);
    case OPTION_CHOICE:
        return set_choice(option, what, value, field, error);
    case OPTION_ENGINE:
        return set_engine(what, value, field, error);
    }
    return -1;
}

/* ---- the command line ---- */

static const cli_option *find(const char *name, size_t length, bool letter, unsigned bit) {
    for (size_t i = 0; option_at(i); i++) {
        const char *own = letter ? option_at(i)->letter : option_at(i)->name;
        if (own && (option_at(i)->verbs & bit) && strlen(own) == length && strncmp(own, name, length) == 0)
            return option_at(i);
    }
    return NULL;
}

typedef struct cursor {
    int at, count;
    char **arguments;
} cursor;

/* "--name", "--name=value", "-o", "-oFILE": the option at the cursor, with its value when it takes one. */
static int take_option(cursor *line, const cli_verb *verb, cli_settings *out, roof_error *error) {
    char *argument = line->arguments[line->at];
    bool letter = argument[1] != '-';
    char *name = argument + (letter ? 1 : 2), *equals = letter ? NULL : strchr(name, '=');
    size_t length = letter ? 1 : equals ? (size_t)(equals - name) : strlen(name);
    char *value = equals ? equals + 1 : letter && name[1] ? name + 1 : NULL;
    static const cli_verb none = {.name = "", .bit = FOR_NONE};
    const cli_option *option = find(name, length, letter, verb ? verb->bit : FOR_NONE);
    if (!option && letter)
        return roof_fail(error, ROOF_ENOTFOUND, "unknown option '%.60s'", argument);
    if (!option) {
        if (equals)
            *equals = '\0';
        return unknown_option(name, verb ? verb : &none, error);
    }
    if (!option->value)
        return value ? roof_fail(error, ROOF_EARGUMENT, "--%s takes no value, '%.60s' was given", option->name, value)
                     : set_value(option, NULL, out, error);
    if (!value && ++line->at < line->count)
        value = line->arguments[line->at];
    if (value)
        return set_value(option, value, out, error);
    roof_fail(error, ROOF_EARGUMENT, "--%s needs a value: %s", option->name, option->value);
    roof_hint(error, "%s", option->summary);
    return -1;
}

static int take_word(const char *word, cli_settings *out, roof_error *error) {
    if (out->word_count == WORDS_MAX)
        return roof_fail(error, ROOF_EARGUMENT, "more than %d arguments", WORDS_MAX);
    out->words[out->word_count++] = word;
    return 0;
}

static const cli_verb *find_verb(const char *name) {
    for (size_t i = 0; verb_at(i); i++)
        if (strcmp(verb_at(i)->name, name) == 0)
            return verb_at(i);
    return NULL;
}

static bool is_option(const char *argument) {
    return argument[0] == '-' && argument[1] != '\0';
}

/* What may stand without a verb: the options of FOR_NONE, up to the verb. */
static int take_verb(cursor *line, cli_settings *out, roof_error *error) {
    for (; line->at < line->count && is_option(line->arguments[line->at]); line->at++) {
        char *argument = line->arguments[line->at];
        bool letter = argument[1] != '-';
        size_t length = letter ? 1 : strcspn(argument + 2, "=");
        if (!find(argument + (letter ? 1 : 2), length, letter, FOR_NONE))
            return unknown_verb(argument, error);
        if (take_option(line, NULL, out, error))
            return -1;
    }
    if (line->at == line->count)
        return 0;
    const char *name = line->arguments[line->at++];
    if (strcmp(name, "help") == 0) {
        out->long_help = true;
        return take_verb(line, out, error);
    }
    out->verb = find_verb(name);
    return out->verb ? 0 : unknown_verb(name, error);
}

int options_parse(int count, char **arguments, cli_settings *out, roof_error *error) {
    cursor line = {1, count, arguments};
    bool words_only = false;
    if (take_verb(&line, out, error))
        return -1;
    for (; line.at < count; line.at++) {
        char *argument = arguments[line.at];
        if (!words_only && strcmp(argument, "--") == 0)
            words_only = true;
        else if (words_only || !is_option(argument) ? take_word(argument, out, error)
                                                    : take_option(&line, out->verb, out, error))
            return -1;
    }
    return 0;
}

void settings_free(cli_settings *settings) {
    model_settings *model = &settings->model;
    range *lists[] = {&model->batch, &model->prompt, &model->generate, &model->context, &model->source, &model->tensor};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        range_free(lists[i]);
}
