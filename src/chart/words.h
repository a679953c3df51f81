/* Words that the builders of charts share. */
#ifndef ROOFLINE_CHART_WORDS_H
#define ROOFLINE_CHART_WORDS_H

#include "chart/roofs.h"
#include "roofline.h"
#include "roofline_chart.h"

/* Adds printf-style to a text of `size` bytes; what does not fit is left out. */
void chart_append(char *text, size_t size, const char *format, ...) ROOF_PRINTF(3, 4);
char *chart_rate(char out[NUMBER_SIZE], double value);   /* 221, 15.3k, 1.2M */
char *chart_factor(char out[NUMBER_SIZE], double value); /* 1.53, 3.7, 69 */
/* Start a drawing on a copy of the machine, with pointers to its own texts. */
void chart_begin(roof_drawing *out, const roof_machine *machine);
/* "Peaks: vendor figures, dense. Each operation reads and writes HBM once." */
void chart_say_peaks(roof_drawing *out, const char *variant);
const char *chart_memory(const roof_machine *machine); /* "HBM" or "DRAM" */

#endif
