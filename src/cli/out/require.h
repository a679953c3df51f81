/* --require: conditions on named numbers and words of the answer. */
#ifndef ROOFLINE_CLI_OUT_REQUIRE_H
#define ROOFLINE_CLI_OUT_REQUIRE_H

#include "cli/options.h"

enum { FACT_NAME = 48, FACT_WORD = 24, FACT_PLACE = 96 };

/* One value of the answer under the key that the JSON output gives it. */
typedef struct cli_fact {
    char name[FACT_NAME], place[FACT_PLACE]; /* place: "at batch 8", "" when there is only one */
    char word[FACT_WORD];                    /* "" for numbers */
    double number;                           /* NaN: has no value */
} cli_fact;

typedef struct fact_list {
    cli_fact *items;
    size_t count, capacity;
    char place[FACT_PLACE]; /* given to the facts added next */
} fact_list;

void fact_number(fact_list *facts, const char *prefix, const char *name, double value);
void fact_word(fact_list *facts, const char *prefix, const char *name, const char *word);
void fact_memory(fact_list *facts, const char *prefix, const roof_memory *memory);
void facts_free(fact_list *facts);

/* 0: all hold. 1: one fails, and `error` says which with its value. -1: a condition cannot be understood. */
int require_check(const text_list *conditions, const fact_list *facts, roof_error *error);

#endif
