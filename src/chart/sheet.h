/* One pass of a layout: what the files that build it share. */
#ifndef ROOFLINE_CHART_SHEET_H
#define ROOFLINE_CHART_SHEET_H

#include "chart/items.h"
#include "chart/place.h"
#include "roofline_chart.h"

typedef struct chart_sheet {
    const roof_chart *chart;
    const chart_roofs *roofs;
    chart_layout *layout;
    double width, margin; /* before the zoom */
    double header;        /* where the plot's space begins */
    double slope_radius;  /* of a mark with all of the time */
    bool narrow;
    double mark_x[ROOF_CHART_POINT_MAX], mark_y[ROOF_CHART_POINT_MAX], mark_radius[ROOF_CHART_POINT_MAX];
    int leader_of[ROOF_CHART_POINT_MAX]; /* the point whose label this point shares; itself when it has its own */
    int joined[ROOF_CHART_POINT_MAX];    /* forced sharing, kept from pass to pass; -1: none */
    chart_tag tags[CHART_TAG_MAX];
    size_t tag_count;
    int numbers;
    int arrows;    /* how many arrows of headroom may be drawn; 0: they left the points no room, and what-ifs go too */
    int named;     /* the point with most of the time to gain, whose arrow comes first; -1: none */
    double taller; /* pixels of height beyond the usual, so that its arrow has room */
} chart_sheet;

void chart_draw_frame(chart_sheet *sheet);  /* scales, regions, grid, axes, roofs */
void chart_label_roofs(chart_sheet *sheet); /* once the marks are known */
/* Marks, ghosts, arrows. False when the arrow worth most found no room: there is more now, and the pass must be made
 * again. */
bool chart_draw_marks(chart_sheet *sheet);
/* Names of ghosts, arrows and points. False when a point found no room at all: it now shares another's label and the
 * pass must be made again. */
bool chart_label_marks(chart_sheet *sheet);
double chart_draw_list(chart_sheet *sheet, double y); /* the names of numbered points; where it ends */

/* Marks of one outline cover this much more in each direction when they are diamonds of the same area. */
#define CHART_DIAMOND 1.2533

#endif
