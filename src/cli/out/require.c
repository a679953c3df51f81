/* Conditions: NAME, a comparison, a value. */
#include "cli/out/require.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out/text.h"
#include "core/names.h"

static cli_fact *add(fact_list *facts, const char *prefix, const char *name) {
    if (facts->count == facts->capacity) {
        facts->capacity = facts->capacity ? facts->capacity * 2 : 32;
        facts->items = keep_or_die(realloc(facts->items, facts->capacity * sizeof *facts->items));
    }
    cli_fact *fact = &facts->items[facts->count++];
    memset(fact, 0, sizeof *fact);
    snprintf(fact->name, sizeof fact->name, "%s%s", prefix, name);
    memcpy(fact->place, facts->place, sizeof fact->place);
    return fact;
}

void fact_number(fact_list *facts, const char *prefix, const char *name, double value) {
    add(facts, prefix, name)->number = value;
}

void fact_word(fact_list *facts, const char *prefix, const char *name, const char *word) {
    snprintf(add(facts, prefix, name)->word, FACT_WORD, "%s", word);
}

void fact_memory(fact_list *facts, const char *prefix, const roof_memory *memory) {
    fact_number(facts, prefix, "memory.weights", memory->weights);
    fact_number(facts, prefix, "memory.kv_cache", memory->kv_cache);
    fact_number(facts, prefix, "memory.activations", memory->activations);
    fact_number(facts, prefix, "memory.total", memory->total);
    fact_number(facts, prefix, "memory.capacity", memory->capacity);
    fact_word(facts, prefix, "memory.fits", memory->fits ? "true" : "false");
}

void facts_free(fact_list *facts) {
    free(facts->items);
    *facts = (fact_list){0};
}

/* ---- conditions ---- */

enum { LESS = 1, EQUAL = 2, MORE = 4 };

static const struct {
    const char *text;
    int holds; /* for which outcomes of the comparison */
} comparisons[] = {{"<=", LESS | EQUAL}, {">=", MORE | EQUAL}, {"==", EQUAL},
                   {"!=", LESS | MORE},  {"<", LESS},          {">", MORE}};

typedef struct require_condition {
    const char *text, *value;
    char name[FACT_NAME];
    int comparison; /* index */
} require_condition;

static void trim(char *text) {
    size_t length = strlen(text), blanks = strspn(text, " ");
    while (length > blanks && text[length - 1] == ' ')
        length--;
    memmove(text, text + blanks, length - blanks);
    text[length - blanks] = '\0';
}

static int read_condition(const char *text, require_condition *out, roof_error *error) {
    size_t length = strcspn(text, "<>=!");
    out->text = text;
    for (int i = 0; i < (int)(sizeof comparisons / sizeof *comparisons); i++) {
        size_t sign = strlen(comparisons[i].text);
        if (length == 0 || length >= sizeof out->name || strncmp(text + length, comparisons[i].text, sign) != 0)
            continue;
        snprintf(out->name, sizeof out->name, "%.*s", (int)length, text);
        trim(out->name);
        out->value = text + length + sign + strspn(text + length + sign, " ");
        out->comparison = i;
        if (out->name[0] && *out->value)
            return 0;
    }
    roof_fail(error, ROOF_EARGUMENT, "--require '%.80s' is not a condition", text);
    roof_hint(error, "write it like 'decode.tokens_per_second>=1000' or 'decode.bound==memory'");
    return -1;
}

static const char *name_at(const void *context, size_t index) {
    return ((const fact_list *)context)->items[index].name;
}

static int fail_name(const require_condition *condition, const fact_list *facts, roof_error *error) {
    const char *best[2];
    name_list names = {facts->count, name_at, facts};
    size_t near = nearest_names(&names, condition->name, best, 2);
    roof_fail(error, ROOF_ENOTFOUND, "--require '%.80s': the answer has no '%s'", condition->text, condition->name);
    if (near > 1 && strcmp(best[0], best[1]) != 0)
        roof_hint(error, "did you mean '%s' or '%s'?", best[0], best[1]);
    else
        roof_hint(error, "did you mean '%s'?", near > 0 ? best[0] : facts->count > 0 ? facts->items[0].name : "bound");
    return -1;
}

/* 1: holds, 0: does not, -1: cannot be compared. */
static int holds(const require_condition *condition, const cli_fact *fact, roof_error *error) {
    int allowed = comparisons[condition->comparison].holds, outcome;
    double wanted;
    if (fact->word[0]) {
        if (allowed != EQUAL && allowed != (LESS | MORE))
            return roof_fail(error, ROOF_EARGUMENT,
                             "--require '%.80s': %s is a word: compare it with == or !=", condition->text, fact->name);
        return ((strcmp(fact->word, condition->value) == 0 ? EQUAL : LESS) & allowed) != 0;
    }
    char what[128];
    snprintf(what, sizeof what, "--require %s:", condition->name);
    if (number_read(what, condition->value, QUANTITY_ANY, &wanted, error))
        return -1;
    outcome = fact->number < wanted ? LESS : fact->number > wanted ? MORE : EQUAL;
    return !isnan(fact->number) && (outcome & allowed);
}

static void say_failed(const require_condition *condition, const cli_fact *fact, roof_error *error) {
    char number[NUMBER_SIZE];
    const char *value = fact->word[0]         ? fact->word
                        : isnan(fact->number) ? "unknown"
                                              : number_three(fact->number, number);
    if (!fact->word[0] && fabs(fact->number) < 0.001 && fact->number != 0)
        snprintf(number, sizeof number, "%.3g", fact->number);
    roof_fail(error, ROOF_OK, "requirement '%.80s' failed: %s is %s%s%s", condition->text, fact->name, value,
              fact->place[0] ? " " : "", fact->place);
}

static int check(const char *text, const fact_list *facts, bool *said, roof_error *error) {
    require_condition condition;
    bool known = false;
    if (read_condition(text, &condition, error))
        return -1;
    for (size_t i = 0; i < facts->count; i++) {
        roof_error failure = {0};
        if (strcmp(facts->items[i].name, condition.name) != 0)
            continue;
        known = true;
        int result = holds(&condition, &facts->items[i], &failure);
        if (result < 0) {
            *error = failure;
            return -1;
        }
        if (result == 0 && !*said) {
            say_failed(&condition, &facts->items[i], error);
            *said = true;
        }
    }
    return known ? 0 : fail_name(&condition, facts, error);
}

int require_check(const text_list *conditions, const fact_list *facts, roof_error *error) {
    bool failed = false;
    for (size_t i = 0; i < conditions->count; i++)
        if (check(conditions->items[i], facts, &failed, error))
            return -1;
    return failed;
}
