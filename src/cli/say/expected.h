/* Expected times beside bounds, as every verb shows them. */
#ifndef ROOFLINE_CLI_SAY_EXPECTED_H
#define ROOFLINE_CLI_SAY_EXPECTED_H

#include "cli/machine/choose.h"
#include "cli/out/require.h"
#include "cli/say/explain.h"
#include "roofline_chart.h"
#include "roofline_expected.h"

enum { EXPECTED_SIZE = 4 * NUMBER_SIZE, BILL_COLUMNS = 8 };

/* --engine, or what the verb takes without it. */
roof_engine engine_asked(const cli_settings *settings, roof_engine otherwise);

/* Of a model without --engine: what runs it on all of these machines, and why, unless it is what is usual. */
roof_engine engine_usual(const machine_set *machines, bool gguf, const char **why);

/* The constants of every machine of a set, in its order. */
typedef struct engine_constants {
    roof_engine engine;
    bool given;      /* --engine said it */
    const char *why; /* "usual on a CPU"; or NULL */
    const machine_set *machines;
    roof_constants list[TEXTS_MAX];
} engine_constants;
void engine_constants_of(const cli_settings *settings, roof_engine otherwise, const machine_set *machines,
                         engine_constants *out);
const roof_constants *engine_constants_on(const engine_constants *constants, const roof_machine *machine);

bool expected_has(const roof_expected *expected, roof_term term);

/* ---- words ---- */

/* "4.90 ms (4.10-6.00)" */
const char *expected_text(const roof_expected *expected, char buffer[EXPECTED_SIZE]);
/* "4.10-6.00" in the unit of a column. */
const char *expected_range(const roof_expected *expected, double factor, char buffer[EXPECTED_SIZE]);
/* "1.30x the least, 80% interval, no engine" */
const char *expected_note(const roof_expected *expected, double bound, const engine_constants *constants,
                          char buffer[EXPECTED_SIZE]);
/* "; expected 21 ms" behind the words of a chart's point that say a time, where there is room. */
void expected_detail(const roof_expected *expected, int digits, roof_drawing *drawing, size_t point);

/* --explain: the terms of several expected times, a column each. */
typedef struct expected_bill {
    const char *names[BILL_COLUMNS];
    const roof_expected *items[BILL_COLUMNS];
    size_t count;
} expected_bill;
void bill_add(expected_bill *bill, const char *name, const roof_expected *expected);
void bill_print(const expected_bill *bill, text_out *out);
/* What the figures came from: the machine's that were used, then the constants that could have moved the time: of the
 * dtypes that were used, of collectives where there are any. */
void bill_sources(const expected_bill *bill, const engine_constants *constants, const roof_machine *machine,
                  const used_figures *used, text_out *out);
/* Both of one expected time: its terms, then where they came from. */
void expected_explain(const roof_expected *expected, const engine_constants *constants, const roof_machine *machine,
                      const used_figures *used, text_out *out);

/* ---- data ---- */

/* `expected{seconds,low,high,confidence,kernels,terms[]}`, of `count` executions; null without `known`. */
void expected_json(const roof_expected *expected, double count, bool known, emit *json);
void engine_json(const engine_constants *constants, emit *json); /* `engine` and `constants[]` */
void expected_csv_heads(text_out *out);
void expected_csv(const roof_expected *expected, bool known, text_out *out);
/* "decode.expected.seconds" as in the JSON, and "decode.expected_seconds" as in the CSV. */
void expected_facts(fact_list *facts, const char *prefix, const roof_expected *expected, bool known);

#endif
