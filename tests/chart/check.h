/* Drawings into memory, and what holds for each of them. */
#ifndef ROOFLINE_TESTS_CHART_CHECK_H
#define ROOFLINE_TESTS_CHART_CHECK_H

#include "roofline.h"
#include "roofline_chart.h"

enum { DRAWING_MAX = 1 << 20 };

typedef struct drawing {
    char *bytes;
    size_t length;
} drawing;

int drawing_write(void *context, const char *bytes, size_t length);
drawing drawing_of(const roof_chart *chart, double width); /* the SVG; fails the test when there is none */
drawing drawing_text(const roof_chart *chart, int columns, int rows, bool ascii, bool colour);
void drawing_free(drawing *done);

/* Tags balanced, attributes quoted, entities known, ids unique, text valid UTF-8. Fails the test with the place. */
void check_xml(const char *xml);
size_t count_of(const char *text, const char *part);

#endif
