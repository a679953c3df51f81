/* The parts of an HTML page. */
#ifndef ROOFLINE_CHART_HTML_H
#define ROOFLINE_CHART_HTML_H

#include "chart/output.h"
#include "roofline.h"

extern const char html_style[], html_script[], html_script_hash[]; /* of the script: base64 of its SHA-256 */

int html_csv_table(chart_output *out, const roof_page_table *table, roof_error *error);
void html_sort_key(chart_output *out, double value); /* ` data-sort="..."` of a cell */

#endif
