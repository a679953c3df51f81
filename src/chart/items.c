/* Items and obstacles: the ground that every pass of the layout stands on (layout.c). A pass adds items; whatever comes
 * later asks whether a place is still free. Texts that are made on the way live in the layout's own pool. */
#include "chart/items.h"

#include <math.h>
#include <string.h>

/* ---- items ---- */

static chart_quad around(double x, double y, double radius) {
    return chart_box(x - radius, y - radius, x + radius, y + radius);
}

static void find_edges(chart_item *item) {
    double *edge = item->edge;
    if (item->kind != ITEM_LINE && item->kind != ITEM_AREA) {
        chart_bounds(&item->box, &edge[0], &edge[1], &edge[2], &edge[3]);
        return;
    }
    edge[0] = edge[1] = HUGE_VAL;
    edge[2] = edge[3] = -HUGE_VAL;
    for (int i = 0; i < item->corners; i++) {
        edge[0] = fmin(edge[0], item->x[i] - item->stroke);
        edge[1] = fmin(edge[1], item->y[i] - item->stroke);
        edge[2] = fmax(edge[2], item->x[i] + item->stroke);
        edge[3] = fmax(edge[3], item->y[i] + item->stroke);
    }
}

chart_item *chart_add(chart_layout *layout, chart_item item) {
    if (layout->count == CHART_ITEM_MAX) {
        layout->full = true;
        layout->count--; /* the last is overwritten: the caller gets an item in any case */
    }
    double reach = item.radius + item.stroke / 2;
    if (item.kind == ITEM_CIRCLE)
        item.box = around(item.x[0], item.y[0], reach);
    else if (item.kind == ITEM_DIAMOND)
        item.box = (chart_quad){{item.x[0] - reach, item.x[0], item.x[0] + reach, item.x[0]},
                                {item.y[0], item.y[0] - reach, item.y[0], item.y[0] + reach}};
    find_edges(&item);
    layout->items[layout->count] = item;
    return &layout->items[layout->count++];
}

chart_quad chart_text_box(const char *text, chart_font font, chart_anchor anchor, double x, double y, double angle) {
    double width = chart_width(text, font), left = anchor == ANCHOR_START    ? x
                                                   : anchor == ANCHOR_MIDDLE ? x - width / 2
                                                                             : x - width;
    chart_quad box = chart_box(left, y - 0.8 * font.size, left + width, y + 0.25 * font.size);
    return fabs(angle) > 0 ? chart_turned(box, x, y, angle) : box;
}

chart_item *chart_add_text(chart_layout *layout, chart_layer layer, const char *class, const char *text,
                           chart_font font, chart_anchor anchor, double x, double y) {
    return chart_add(layout, (chart_item){.kind = ITEM_TEXT,
                                          .layer = layer,
                                          .class = class,
                                          .text = text,
                                          .font = font,
                                          .anchor = anchor,
                                          .x = {x},
                                          .y = {y},
                                          .index = -1,
                                          .group = -1,
                                          .box = chart_text_box(text, font, anchor, x, y, 0)});
}

const char *chart_keep(chart_layout *layout, const char *text) {
    size_t size = strlen(text) + 1;
    if (layout->pool_used + size > CHART_POOL) {
        layout->full = true;
        return "?";
    }
    char *at = layout->pool + layout->pool_used;
    layout->pool_used += size;
    return memcpy(at, text, size);
}

/* ---- obstacles ---- */

bool chart_is_obstacle(const chart_item *item) {
    if (item->kind == ITEM_LINE)
        return item->layer == LAYER_ROOF || item->layer == LAYER_ARROW || item->layer == LAYER_LEADER;
    return item->kind == ITEM_TEXT || item->kind == ITEM_CIRCLE || item->kind == ITEM_DIAMOND ||
           (item->kind == ITEM_AREA && item->layer == LAYER_ARROW);
}

bool chart_touches(const chart_item *item, const chart_quad *quad) {
    if (item->kind == ITEM_AREA) {
        chart_quad head = chart_box(item->edge[0], item->edge[1], item->edge[2], item->edge[3]);
        return chart_overlap(&head, quad);
    }
    if (item->kind != ITEM_LINE)
        return chart_overlap(&item->box, quad);
    for (int i = 0; i + 1 < item->corners; i++)
        if (chart_meets_segment(quad, item->x[i], item->y[i], item->x[i + 1], item->y[i + 1], item->stroke / 2))
            return true;
    return false;
}

static bool is_dashed_roof(const chart_item *item) {
    return item->dash && strcmp(item->role, "ridge-line") != 0;
}

static bool meets(const chart_layout *layout, const chart_quad *quad, int group, bool dashed) {
    double left, top, right, bottom;
    chart_bounds(quad, &left, &top, &right, &bottom);
    for (size_t i = 0; i < layout->count; i++) {
        const chart_item *item = &layout->items[i];
        if (item->edge[2] <= left || item->edge[0] >= right || item->edge[3] <= top || item->edge[1] >= bottom)
            continue;
        if (chart_is_obstacle(item) && (dashed || !is_dashed_roof(item)) && !(group >= 0 && item->group == group) &&
            chart_touches(item, quad))
            return true;
    }
    return false;
}

bool chart_blocked(const chart_layout *layout, const chart_quad *quad, int group) {
    return meets(layout, quad, group, true);
}

bool chart_crosses(const chart_layout *layout, const chart_quad *line, int group) {
    return meets(layout, line, group, false);
}
