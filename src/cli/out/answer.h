/* How an answer leaves the program: as text, JSON, CSV or a chart, to stdout or to files. */
#ifndef ROOFLINE_CLI_OUT_ANSWER_H
#define ROOFLINE_CLI_OUT_ANSWER_H

#include "cli/out/csv.h"
#include "cli/out/require.h"
#include "cli/out/text.h"
#include "cli/say/advice_lines.h"
#include "roofline_chart.h"
#include "json/write.h"

enum { ANSWER_ADVICE_MAX = ROOF_PHASE_COUNT };
typedef struct answer_advice {
    char about[FACT_PLACE + 48]; /* "What would help decode at batch 64" */
    const advice_set *set;
} answer_advice;

typedef struct cli_answer {
    const void *context;
    void (*text)(const void *context, text_out *out);
    void (*csv)(const void *context, text_out *out);
    void (*json)(const void *context, emit *json); /* the members of the top object; "schema" is already written */
    int (*json_file)(const void *context, roof_write write, void *to); /* the whole JSON text instead; NULL: as above */
    int (*chart)(const void *context, roof_drawing *out, roof_error *error); /* NULL: nothing to draw */
    /* For a page, each may be left out: */
    const roof_machine *machine; /* its figures are shown with their sources; NULL: the chart's */
    size_t (*advice)(const void *context, answer_advice out[ANSWER_ADVICE_MAX]); /* how many sets */
    const char *units;   /* of columns of the CSV beyond the usual ones: "prefill_roof=tok/s" */
    bool csv_is_machine; /* the CSV is a table of the machine's figures already */
} cli_answer;

/* Check what was asked for before anything is computed: formats that the verb has, endings that exist. */
int answer_check(const cli_settings *settings, bool draws, roof_error *error);
int answer_print(const cli_settings *settings, const cli_answer *answer, roof_error *error);

/* Print the answer, then say which --require failed. Returns the exit code. */
int answer_and_require(const cli_settings *settings, const cli_answer *answer, const fact_list *facts);

/* Where text goes: colour and Unicode as the terminal and the environment allow. */
text_out terminal_text(int colour);
int print_out(const text_out *out, roof_error *error); /* to stdout */

#endif
