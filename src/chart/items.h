/* A layout under construction: its items with final coordinates, what blocks a label, and the texts that were made on
 * the way. Coordinates are pixels from the top left corner of the canvas.
 *
 *     layout  { items[0] items[1] ... }        drawn layer by layer, in the order of chart_layer
 *     item    kind, layer, class, corners | centre and radius | text, font, anchor
 *             box   what a text or a mark covers (may be turned)     edge   upright box around all of it */
#ifndef ROOFLINE_CHART_ITEMS_H
#define ROOFLINE_CHART_ITEMS_H

#include "chart/geometry.h"
#include "chart/metrics.h"
#include "chart/roofs.h"
#include "roofline.h"

/* Drawn in this order. Lines of ROOF, ARROW and LEADER, all marks and all texts are obstacles to a label. */
typedef enum chart_layer {
    LAYER_REGION,
    LAYER_GRID,
    LAYER_AXIS,
    LAYER_ROOF,
    LAYER_ARROW,
    LAYER_LEADER,
    LAYER_MARK,
    LAYER_LABEL,
    LAYER_PAGE,
    LAYER_COUNT
} chart_layer;

typedef enum chart_item_kind { ITEM_GONE, ITEM_AREA, ITEM_LINE, ITEM_CIRCLE, ITEM_DIAMOND, ITEM_TEXT } chart_item_kind;
typedef enum chart_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END } chart_anchor;

typedef struct chart_item {
    chart_item_kind kind;
    chart_layer layer;
    const char *class; /* of the style sheet */
    const char *role;  /* makes the id, with `index` when it is not negative */
    int index;
    double x[4], y[4]; /* corners, ends, the centre, or where the text stands */
    int corners;
    double radius, stroke; /* stroke 0: none */
    const char *dash;      /* of a line, or NULL */
    const char *text;
    chart_font font;
    chart_anchor anchor;
    double angle;   /* of a text, degrees */
    int group;      /* marks of one label, its leader and its number, which may touch; -1: none */
    bool on_mark;   /* a number printed on its own marker */
    bool halo;      /* a text over a grid line */
    chart_quad box; /* what a text or mark covers */
    double edge[4]; /* of an upright box around all of it: left, top, right, bottom */
} chart_item;

enum { CHART_ITEM_MAX = 1024, CHART_POOL = 65536, CHART_TICK_MAX = 512 };

typedef struct chart_layout {
    double width, height;            /* of the canvas */
    double zoom;                     /* wide charts are laid out smaller, then everything grows, text too */
    double left, right, top, bottom; /* of the plot */
    chart_scale x, y;
    double tick_x[CHART_TICK_MAX], tick_y[CHART_TICK_MAX];
    size_t tick_x_count, tick_y_count;
    chart_item items[CHART_ITEM_MAX];
    size_t count;
    char pool[CHART_POOL];
    size_t pool_used;
    bool full;                    /* an item or a text did not fit in this struct */
    bool note_above, under_above; /* there was no free place in the plot */
    int unplaced;                 /* labels of roofs for which there was no free place */
} chart_layout;

/* Add an item; its `box` (of marks) and `edge` are computed here. Never NULL: when the layout is full, `full` is set
 * and the last item is overwritten. */
chart_item *chart_add(chart_layout *layout, chart_item item);
chart_item *chart_add_text(chart_layout *layout, chart_layer layer, const char *class, const char *text,
                           chart_font font, chart_anchor anchor, double x, double y);
/* A copy of `text` that lives as long as the layout; "?" when the pool is full. */
const char *chart_keep(chart_layout *layout, const char *text);
chart_quad chart_text_box(const char *text, chart_font font, chart_anchor anchor, double x, double y, double angle);
/* Whether `quad` touches an obstacle, those of `group` excepted (-1: none are). */
bool chart_blocked(const chart_layout *layout, const chart_quad *quad, int group);
/* The same for a leader, which may cross dashed roofs. */
bool chart_crosses(const chart_layout *layout, const chart_quad *line, int group);
bool chart_is_obstacle(const chart_item *item);
bool chart_touches(const chart_item *item, const chart_quad *quad); /* does the item's own shape touch `quad`? */

#endif
