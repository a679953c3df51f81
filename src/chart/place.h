/* Names beside their points: every label finds a free place, or a number on the point and the name in a list. */
#ifndef ROOFLINE_CHART_PLACE_H
#define ROOFLINE_CHART_PLACE_H

#include "chart/items.h"
#include "roofline_chart.h"

typedef enum chart_tag_style { TAG_SLOPE, TAG_FLAT, TAG_INSIDE, TAG_GHOST, TAG_FACTOR } chart_tag_style;

enum { CHART_TAG_MAX = ROOF_CHART_POINT_MAX + 2 * ROOF_CHART_CHANGE_MAX };

typedef struct chart_tag_line {
    const char *text; /* NULL: no such line */
    const char *class;
    chart_font font;
} chart_tag_line;

typedef struct chart_tag {
    chart_tag_style style;
    double x, y, radius;       /* of the mark it names */
    int group;                 /* of the mark, unique to this tag */
    chart_tag_line form[2][2]; /* ways to write it, best first */
    int forms;
    const char *class; /* of a number in its stead */
    bool hollow;       /* the mark is a ring: a number on it is not on its colour */
    bool number_allowed;
    /* found: */
    bool placed;
    int number; /* 0: the name stands at the point */
    size_t number_item;
} chart_tag;

/* Place all tags. Those left with `placed` false found no room even for a number. */
void chart_place(chart_layout *layout, chart_tag *tags, size_t count, int *numbers);
/* A straight text along a line, above it (below it, or further off, when that fails), nearest to `prefer` (0..1). */
bool chart_place_along(chart_layout *layout, chart_item text, double x1, double y1, double x2, double y2,
                       double prefer);
/* The same text level, off the line, with a leader to it. */
bool chart_place_beside(chart_layout *layout, chart_item text, double x1, double y1, double x2, double y2);

#endif
