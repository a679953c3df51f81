/* Numbers and quantities as text: the one place of the house where a number becomes words.
 *
 *     value        unit                    number_si       number_three    number_whole
 *     4.532e-3     s         3 digits      "4.53 ms"       "0.00453"       "0"
 *     3.35e12      B/s       SI prefix     "3.35 TB/s"     "3,350,0.."     "3,350,000,000,000"
 *     0.259                  number_percent: "25.9%"       number_factor(1.53): "1.53x"
 *
 * Rules that every writer keeps: a point and commas between thousands whatever the locale says; what is not
 * zero never reads as zero, unless the caller fixes the decimals; infinity is "inf" and a value that is no number is
 * "-". Nothing here allocates or keeps state. Each function fills the caller's buffer and returns it. */
#ifndef ROOFLINE_CORE_NUMBER_H
#define ROOFLINE_CORE_NUMBER_H

#include <stdbool.h>

enum { NUMBER_SIZE = 40 };

/* `digits` significant digits (1 to 15), and all digits before the point: "1.03", "39.5", "15,283". With `trim` zeros
 * at the end go: "2.50" is "2.5". From 1e15, and below 1e-4, a power of ten: "1.23e-05". */
char *number_digits(double value, int digits, bool trim, char buffer[NUMBER_SIZE]);
char *number_three(double value, char buffer[NUMBER_SIZE]); /* number_digits() of three, zeros kept: "2.00" */
char *number_short(double value, char buffer[NUMBER_SIZE]); /* the same, but whole numbers whole: "2", "2.50" */

/* `decimals` (0 to 12) after the point: "1,924.1". */
char *number_fixed(double value, int decimals, char buffer[NUMBER_SIZE]);
char *number_whole(double value, char buffer[NUMBER_SIZE]); /* "1,280" */
/* At most `decimals` after the point, zeros at the end dropped and no commas: "12.5" for files that programs read. */
char *number_coordinate(double value, int decimals, char buffer[NUMBER_SIZE]);

/* Three significant digits, an SI prefix (a to Y) and `unit` (cut to fit): "26.7 TFLOP/s", "118 MB", "35.1 us",
 * "110 ps". Seconds take no prefix above ("4,000 s"); only s, J, W and Hz take one below ("0.300 FLOP/B"). */
char *number_si(double value, const char *unit, char buffer[NUMBER_SIZE]);
/* The same with other digits, zeros at their end dropped with `trim`: "2 TB/s", "17 ms". */
char *number_quantity(double value, const char *unit, int digits, bool trim, char buffer[NUMBER_SIZE]);

/* A share as percent with one decimal, as a column wants it: "25.9%", "3.0%", "1,250%" from ten times on. A share of
 * exactly so many percent is written so ("95%"), and what one decimal cannot show keeps one digit ("0.04%"). */
char *number_percent(double share, char buffer[NUMBER_SIZE]);
char *number_factor(double value, char buffer[NUMBER_SIZE]); /* "1.53x", "12.0x", "0.823x" */

/* One unit for several values: multiply them by `factor` and write `prefix` before the unit. */
typedef struct number_unit {
    double factor;
    const char *prefix; /* "", "m", "u", "G" ... */
} number_unit;
/* The prefix with which `value` reads as 1 to 999; none for 0. */
number_unit number_for(double value);

#endif
