/* core/number.h by value, so that a clause with several numbers is one call; and the unit of a rate. */
#ifndef ROOFLINE_ADVICE_TEXT_H
#define ROOFLINE_ADVICE_TEXT_H

#include "core/number.h"
#include "roofline.h"

enum { ADVICE_WORD = NUMBER_SIZE };
typedef struct advice_word {
    char text[ADVICE_WORD];
} advice_word;

advice_word advice_quantity(double value, const char *unit); /* 15.0 GB, 3.35 TB/s, 4.53 ms */
advice_word advice_number(double value);                     /* 1.03, 71.2, 295, 15,283; whole numbers whole: 2 */
advice_word advice_percent(double share);                    /* 97.2%, 2.7%, 0.04%, 0% */
const char *advice_rate_unit(roof_dtype dtype);              /* FLOP/s, OP/s for integers */

#endif
