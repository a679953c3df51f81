/* How an answer leaves the program: as text, JSON, CSV or a chart, to stdout or to files. */
#ifndef ROOFLINE_CLI_ANSWER_H
#define ROOFLINE_CLI_ANSWER_H

#include "cli/require.h"
#include "cli/text.h"
#include "read/emit.h"

typedef struct cli_answer {
    const void *context;
    void (*text)(const void *context, text_out *out);
    void (*csv)(const void *context, text_out *out);
    void (*json)(const void *context, emit *json); /* the members of the top object; "schema" is already written */
    int (*json_file)(const void *context, roof_write write, void *to); /* the whole JSON text instead; NULL: as above */
    int (*chart)(const void *context, roof_drawing *out, roof_error *error); /* NULL: nothing to draw */
} cli_answer;

/* Check what was asked for before anything is computed: formats that the verb has, endings that exist. */
int answer_check(const cli_settings *settings, bool draws, roof_error *error);
int answer_print(const cli_settings *settings, const cli_answer *answer, roof_error *error);

/* Print the answer, then say which --require failed. Returns the exit code. */
int answer_and_require(const cli_settings *settings, const cli_answer *answer, const fact_list *facts);

/* Where text goes: colour and Unicode as the terminal and the environment allow. */
text_out terminal_text(int colour);
int print_out(const text_out *out, roof_error *error); /* to stdout */

/* CSV: a comma before every cell but the first of a row. */
void csv_text(text_out *out, const char *value);
void csv_number(text_out *out, double value); /* empty when not finite */
void csv_bool(text_out *out, bool value);
void csv_end(text_out *out);

#endif
