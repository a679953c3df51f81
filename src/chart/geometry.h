/* Parallelograms (boxes, turned boxes, thick lines, diamonds), and whether two of them overlap. */
#ifndef ROOFLINE_CHART_GEOMETRY_H
#define ROOFLINE_CHART_GEOMETRY_H

#include <stdbool.h>

typedef struct chart_quad {
    double x[4], y[4];
} chart_quad;

chart_quad chart_box(double left, double top, double right, double bottom);
chart_quad chart_turned(chart_quad quad, double x, double y, double degrees); /* about a point */
chart_quad chart_segment(double x1, double y1, double x2, double y2, double half_thickness);
chart_quad chart_grown(chart_quad box, double by);            /* of an upright box */
bool chart_overlap(const chart_quad *a, const chart_quad *b); /* touching is not overlapping */
bool chart_meets_segment(const chart_quad *quad, double x1, double y1, double x2, double y2, double half_thickness);
void chart_bounds(const chart_quad *quad, double *left, double *top, double *right, double *bottom);

#endif
