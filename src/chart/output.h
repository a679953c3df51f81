/* Buffered text on its way to the caller's callback. */
#ifndef ROOFLINE_CHART_OUTPUT_H
#define ROOFLINE_CHART_OUTPUT_H

#include "roofline.h"

typedef struct chart_output {
    roof_write write;
    void *context;
    char bytes[4096];
    size_t used;
    bool stopped;        /* the callback wanted no more */
    const char *drawing; /* inside a page: the name of this drawing of it; NULL: an SVG file */
} chart_output;

void chart_put(chart_output *out, const char *text);
int chart_finish(chart_output *out, roof_error *error); /* -1 when the callback stopped the drawing */

#endif
