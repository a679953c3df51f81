/* The parts of an HTML page. */
#ifndef ROOFLINE_CHART_HTML_H
#define ROOFLINE_CHART_HTML_H

#include "chart/output.h"
#include "roofline.h"
#include "roofline_chart.h"

extern const char *const html_style[], *const html_script[]; /* in pieces, NULL behind the last */
extern const char html_script_hash[];                        /* base64 of the script's SHA-256 */

enum { HTML_WORDS = 32, HTML_FIRST = 64 }; /* bytes: longer cells may wrap; how much of a very long one is shown */

int html_csv_table(chart_output *out, const roof_page_table *table, roof_error *error);
void html_sort_key(chart_output *out, double value); /* ` data-sort="..."` of a cell */

#endif
