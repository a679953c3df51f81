/* What a row of the catalogue must obey. The tests run it on every row and on rows broken on purpose. */
#ifndef ROOFLINE_TESTS_LINT_H
#define ROOFLINE_TESTS_LINT_H

#include "roofline.h"

enum { LINT_SIZE = 200 };

/* Figures of a machine lie side by side from `peak` to the end of the struct. */
#define FIGURES_FIRST offsetof(roof_machine, peak)
#define FIGURES_COUNT ((sizeof(roof_machine) - FIGURES_FIRST) / sizeof(roof_figure))
const roof_figure *figure_number(const roof_machine *machine, size_t index);

/* NULL when all is well, else what is wrong, written to `buffer`. */
const char *lint_machine(const roof_machine *machine, char buffer[LINT_SIZE]);

/* FLOP per clock and unit times units times clock against every rate of the row. Adds the number of figures compared.
 */
const char *lint_rates(const roof_machine *machine, size_t *compared, char buffer[LINT_SIZE]);

#endif
