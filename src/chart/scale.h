/* Logarithmic scales, decades and numbers as text. Nothing here depends on the locale. */
#ifndef ROOFLINE_CHART_SCALE_H
#define ROOFLINE_CHART_SCALE_H

#include <stdbool.h>
#include <stddef.h>

/* Maps a value to a pixel (or cell) along one axis. */
typedef struct chart_scale {
    double low, high; /* log10 of the values at the ends */
    double from, to;  /* where they lie */
} chart_scale;

double chart_at(const chart_scale *scale, double value);
double chart_per_decade(const chart_scale *scale); /* always positive */

/* The unit of FLOP/s in which `peak` reads as 10 to 9,999, chosen once for a whole chart. */
typedef struct chart_unit {
    double size;
    const char *prefix;
} chart_unit;
chart_unit chart_unit_of(double peak);

/* Numbers as text, always with a point and with commas between thousands; each returns its buffer. */
enum { CHART_NUMBER = 48 };
char *chart_fixed(char out[CHART_NUMBER], double value, int decimals, bool trim);
char *chart_significant(char out[CHART_NUMBER], double value, int digits, bool trim); /* 1,979 keeps its four digits */
char *chart_coordinate(char out[CHART_NUMBER], double value); /* one decimal at most, no commas */
char *chart_decade(char out[CHART_NUMBER], int exponent);     /* 0.01, 1, 1,000, 10M */

#endif
