/* Logarithmic scales, their decades, and the unit of a chart. */
#ifndef ROOFLINE_CHART_SCALE_H
#define ROOFLINE_CHART_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/number.h"

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

char *chart_decade(char out[NUMBER_SIZE], int exponent); /* 0.01, 1, 1,000, 10M */

#endif
