/* The library says what would help as a remedy and a subject; the table here has the words with our options in them,
 * and no other file needs them:
 *
 *     roof_error { what: "v100 has no bf16 roof", hint: "f16 is the usual substitute", DTYPE, "f16" }
 *     hint: f16 is the usual substitute: --dtype f16 */
#include "cli/errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out/text.h"

/* `before` and `after` stand around the subject, or around each of its names when `each`. */
typedef struct remedy_shape {
    const char *before, *after;
    bool each;
} remedy_shape;

static const remedy_shape remedies[ROOF_REMEDY_COUNT] = {
    [ROOF_REMEDY_NONE] = {"", "", true},
    [ROOF_REMEDY_DTYPE] = {"--dtype ", "", false},
    [ROOF_REMEDY_LINK] = {"--link ", "", false},
    [ROOF_REMEDY_OPERATION] = {"roofline op ", "", false},
    [ROOF_REMEDY_DIMENSION] = {"--dim ", "=1", true},
    [ROOF_REMEDY_DECIMAL] = {"--decimal . or --decimal ,", "", false},
    [ROOF_REMEDY_MODEL] = {"name it with --model (a name or a config.json)", "", false},
    [ROOF_REMEDY_MACHINE_FILE] = {"'roofline machines --show ", " --json' prints a machine file to start from", false},
    [ROOF_REMEDY_LIST_MACHINES] = {"'roofline machines' lists all", "", false},
    [ROOF_REMEDY_LIST_MODELS] = {"'roofline models' lists all", "", false},
    [ROOF_REMEDY_LIST_OPERATIONS] = {"'roofline ops' lists all", "", false},
    [ROOF_REMEDY_LIST_PARAMETERS] = {"'roofline ops ", "' lists all", false},
    [ROOF_REMEDY_LIST_FORMATS] = {"'roofline profile --formats' lists all, with the command that writes each", "",
                                  false},
};

const char *remedy_words(roof_remedy remedy, const char *subject, char *buffer, size_t size) {
    const remedy_shape *shape = &remedies[remedy];
    size_t used = 0;
    buffer[0] = '\0';
    do {
        size_t length = shape->each ? strcspn(subject, ",") : strlen(subject);
        int added = snprintf(buffer + used, size - used, "%s%s%.*s%s", used ? " " : "", shape->before, (int)length,
                             subject, shape->after);
        if (used + (size_t)added >= size) {
            buffer[used] = '\0'; /* whole words only */
            break;
        }
        used += (size_t)added;
        subject += length + (subject[length] == ',');
    } while (*subject);
    return buffer;
}

const char *error_advice(const roof_error *error, char *buffer, size_t size) {
    char words[sizeof error->subject + 160];
    const char *hint = error->hint, *join = "";
    remedy_words(error->remedy, error->subject, words, sizeof words);
    if (hint[0] && words[0])
        join = hint[strlen(hint) - 1] == '?' ? " " : words[0] == '-' ? ": " : "; ";
    snprintf(buffer, size, "%s%s%s", hint, join, words);
    return buffer;
}

void error_keep_advice(roof_error *error, const roof_error *from) {
    memcpy(error->hint, from->hint, sizeof error->hint);
    memcpy(error->subject, from->subject, sizeof error->subject);
    error->remedy = from->remedy;
}

static void say_to_stderr(const char *begin, const char *text) {
    char *spelt = text_visible(text, strlen(text), false);
    fprintf(stderr, "%s%s\n", begin, spelt ? spelt : text);
    free(spelt);
}

int complain(const roof_error *error) {
    char advice[512];
    say_to_stderr("roofline: ", error->what);
    if (*error_advice(error, advice, sizeof advice))
        say_to_stderr("hint: ", advice);
    return error->code == ROOF_EARGUMENT || error->code == ROOF_ENOTFOUND ? EXIT_MISUSE : EXIT_INPUT;
}

int fail_dtype(const char *what, const char *value, roof_error *error) {
    roof_fail(error, ROOF_EARGUMENT, "%s '%.60s' is not a data type", what, value);
    char names[200] = "";
    for (int i = ROOF_DTYPE_NONE + 1; i < ROOF_DTYPE_COUNT; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), " %s", roof_dtype_name((roof_dtype)i));
    roof_hint(error, "the data types are%s", names);
    return -1;
}

int fail_extra(const cli_settings *settings, size_t allowed, roof_error *error) {
    if (settings->word_count <= allowed)
        return 0;
    roof_fail(error, ROOF_EARGUMENT, "'%.60s' is one argument too many", settings->words[allowed]);
    roof_hint(error, "roofline %s%s%s", settings->verb->name, *settings->verb->arguments ? " " : "",
              settings->verb->arguments);
    return -1;
}
