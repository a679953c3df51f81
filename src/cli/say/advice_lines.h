/* The signature of an answer: what helps, what helps little, what is a waste. */
#ifndef ROOFLINE_CLI_SAY_ADVICE_LINES_H
#define ROOFLINE_CLI_SAY_ADVICE_LINES_H

#include "cli/out/text.h"
#include "json/write.h"

typedef struct advice_set {
    roof_advice items[ROOF_ADVICE_MAX];
    size_t count;
} advice_set;

/* The factor that an idea is told with: the expected one where it was judged, else the bound's. */
double advice_factor(const roof_advice *advice);

/* The parts of such a line, for answers that have other ideas: its word, then items that are kept whole. The column of
 * the line is passed from one to the next, and begins as ADVICE_COLUMN. */
enum { ADVICE_COLUMN = 10 };
void advice_begin(roof_effect effect, paint colour, text_out *out);
int advice_put(const char *item, int column, text_out *out);

void advice_print(const advice_set *advice, text_out *out);   /* three lines, wrapped */
void advice_explain(const advice_set *advice, text_out *out); /* each idea with its reason */
void advice_json(const advice_set *advice, const char *phase, double batch,
                 emit *json); /* rows of an open array; phase may be NULL */

#endif
