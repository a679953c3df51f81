/* A chart turned into shapes with final coordinates. svg.c only prints them; tests check them for collisions. */
#ifndef ROOFLINE_CHART_LAYOUT_H
#define ROOFLINE_CHART_LAYOUT_H

#include "chart/items.h"
#include "roofline_chart.h"

/* Made for `width` pixels. `layout` is large: allocate it. */
int chart_layout_make(const roof_chart *chart, const chart_roofs *roofs, double width, chart_layout *layout,
                      roof_error *error);

/* How many things are wrong (overlapping texts, a text on a marker, roof or arrow, a text outside the canvas); the
 * first is described in `buffer`. Zero is the promise. */
size_t chart_layout_faults(const chart_layout *layout, char *buffer, size_t size);

#endif
