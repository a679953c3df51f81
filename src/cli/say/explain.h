/* --explain: formulas with their numbers, and where the machine's figures came from. */
#ifndef ROOFLINE_CLI_SAY_EXPLAIN_H
#define ROOFLINE_CLI_SAY_EXPLAIN_H

#include "cli/out/text.h"

void explain_operation(const roof_operation *operation, text_out *out);
void explain_verdict(const roof_machine *machine, const roof_operation *operation, const roof_verdict *verdict,
                     text_out *out);

/* The machine's figures that verdicts used, each printed once with its origin and sources. */
typedef struct used_figures {
    bool peak[ROOF_UNIT_COUNT][ROOF_DTYPE_COUNT], memory[ROOF_LEVEL_COUNT], link, launch;
} used_figures;
void used_by(const roof_verdict *verdict, const roof_operation *operation, used_figures *used);
void explain_sources(const roof_machine *machine, const used_figures *used, text_out *out);

/* One line "  what   value   ridge   origin   source keys"; ridge 0: none. */
void explain_figure(const char *what, const roof_figure *figure, const char *unit, double ridge, text_out *out);
void explain_source(const char *key, const char *what, text_out *out); /* "  key   what it is" */

#endif
