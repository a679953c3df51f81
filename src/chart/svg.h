/* What a page takes from the SVG: the drawing without its own head, and points told in words. */
#ifndef ROOFLINE_CHART_SVG_H
#define ROOFLINE_CHART_SVG_H

#include "chart/output.h"
#include "chart/roofs.h"
#include "roofline.h"
#include "roofline_chart.h"

/* One drawing of a page, of class `name`: without title, subtitle, style and description, which the page has. Marks
 * take the keyboard's focus and name their row in the page's tables; ids begin with `name`. */
int chart_svg_embed(chart_output *out, const char *name, const roof_chart *chart, const chart_roofs *roofs,
                    double width, roof_error *error);
/* The name of a point, with its phase where its shape says it: "batch 8 (prefill)". */
void chart_put_point(chart_output *out, const roof_chart *chart, const roof_chart_point *point);
/* Text of the caller: markup escaped, broken UTF-8 and control characters replaced. */
void chart_put_escaped(chart_output *out, const char *text);

#endif
