/* Every figure of a machine, and what its sources are. */
#ifndef ROOFLINE_CLI_SAY_FIGURES_H
#define ROOFLINE_CLI_SAY_FIGURES_H

#include "cli/out/text.h"

typedef struct figure_row {
    char name[32];
    const char *unit;
    const roof_figure *figure;
    double ridge; /* of a peak, in FLOP/B; 0: none */
} figure_row;

enum { FIGURE_MAX = 4 * ROOF_DTYPE_COUNT + 2 * ROOF_LEVEL_COUNT + 12 };

/* Peaks that are known, then everything else, known or not. How many. */
size_t figures_of(const roof_machine *machine, figure_row rows[FIGURE_MAX]);

/* What the source keys of the figures mean, each once, in the order of first use. */
typedef void source_teller(const char *key, const char *what, text_out *out);
void figures_sources(const roof_figure *const figures[], size_t count, source_teller *tell, text_out *out);

/* Every figure with unit, origin and source, a row each. */
void machine_csv(const roof_machine *machine, text_out *out);

#endif
