/* Label placement: positions beside the point in order of taste, then with a leader, then without the second line, then
 * a number. Tags are placed in several orders and the cheapest outcome is kept. */
#include "chart/place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double line_height = 17, clearance = 2, far_clearance = 4; /* labels on leaders keep more distance */

/* A place beside a mark: on which side, how many radii away, how many pixels more. Across 0 centres the label; down 0
 * puts its first line level with the mark. */
typedef struct label_spot {
    int across, down;
    double across_radii, across_more, down_radii, down_more;
} label_spot;

#define RIGHT_BELOW(more)                                                                                              \
    { 1, 1, 1, 3, 0.71, more }
static const label_spot slope_spots[] = {
    RIGHT_BELOW(2),      {1, 1, 1, 4, 0.5, 0}, RIGHT_BELOW(6),        {1, 1, 1, 7, 0.3, 0},     {1, 1, 0.71, 3, 1, 3},
    RIGHT_BELOW(12),     {1, 0, 1, 6, 0, 0},   {1, 0, 1, 8, 0, 8},    {-1, -1, 0.8, 3, 0.5, 2}, {-1, -1, 0.6, 2, 1, 3},
    {-1, 0, 1, 6, 0, 0}, {0, 1, 0, 0, 1, 5},   {-1, 1, 0.5, 2, 1, 4}, {0, -1, 0, 0, 1, 5},
};
static const label_spot flat_spots[] = {
    {1, 1, 0.3, -4, 1, 8},  {0, 1, 0, 0, 1, 8}, RIGHT_BELOW(4),      {-1, 1, 0.3, -4, 1, 8}, {1, 0, 1, 6, 0, 4},
    {-1, 1, 1, 3, 0.71, 4}, {1, 0, 1, 6, 0, 8}, {-1, 0, 1, 6, 0, 8}, {0, -1, 0, 0, 1, 6},
};
static const label_spot inside_spots[] = {
    {1, 0, 1, 7, 0, 0}, RIGHT_BELOW(2),         {1, -1, 0.8, 3, 0.6, 2},  {-1, 0, 1, 7, 0, 0},
    {0, 1, 0, 0, 1, 5}, {-1, 1, 1, 3, 0.71, 2}, {-1, -1, 0.8, 3, 0.6, 2}, {0, -1, 0, 0, 1, 5},
};
static const label_spot ghost_spots[] = {
    {-1, -1, 1, 6, 1, 8},  {-1, -1, 1, 6, 0, 0}, {-1, 0, 1, 10, 0, 0},  {0, -1, 0, 0, 1, 7}, {1, -1, 1, 4, 1, 4},
    {-1, -1, 1, 3, 1, 16}, {1, 0, 1, 8, 0, 0},   {1, 1, 1, 5, 0.71, 3}, {0, 1, 0, 0, 1, 6},  {-1, 1, 1, 5, 0.71, 3},
};
/* Of an upright arrow: beside it, then over its tip. The radius is half its length. */
static const label_spot factor_spots[] = {
    {1, 0, 0, 12, 0, 0},    {-1, 0, 0, 12, 0, 0},   {1, 0, 0, 16, 0, 16},  {1, 0, 0, 12, 0, -16},
    {-1, 0, 0, 16, 0, 16},  {-1, 0, 0, 12, 0, -16}, {0, -1, 0, 0, 1, 10},  {1, -1, 0, -7, 1, 10},
    {-1, -1, 0, -7, 1, 10}, {1, 0, 0, 22, 1, 14},   {-1, 0, 0, 22, 1, 14}, {0, -1, 0, 0, 1, 15},
    {1, -1, 0, -7, 1, 15},  {-1, -1, 0, -7, 1, 15}, {0, -1, 0, 0, 1, 22},  {1, -1, 0, -7, 1, 22},
    {-1, -1, 0, -7, 1, 22},
};
static const label_spot number_spots[] = {
    {1, 0, 1, 3, 0, 0},       {-1, 0, 1, 3, 0, 0},       {0, 1, 0, 0, 1, 2},        {0, -1, 0, 0, 1, 2},
    {1, 1, 0.71, 2, 0.71, 1}, {-1, 1, 0.71, 2, 0.71, 1}, {1, -1, 0.71, 2, 0.71, 1}, {-1, -1, 0.71, 2, 0.71, 1},
};

#define SPOTS(list)                                                                                                    \
    { list, sizeof list / sizeof list[0] }
static const struct {
    const label_spot *spots;
    size_t count;
} near_spots[] = {
    [TAG_SLOPE] = SPOTS(slope_spots), [TAG_FLAT] = SPOTS(flat_spots),     [TAG_INSIDE] = SPOTS(inside_spots),
    [TAG_GHOST] = SPOTS(ghost_spots), [TAG_FACTOR] = SPOTS(factor_spots),
};

/* Where a leader goes: degrees clockwise from the right, and whether the label's start (1), middle (0) or end (-1)
 * meets it. Best first; ghosts lie above the roof, points below. */
typedef struct direction {
    double degrees;
    int across;
} direction;

static const direction point_directions[] = {
    {50, 1},   {90, 0},   {90, 1},   {20, 1},   {130, -1}, {90, -1},  {70, 1},  {110, -1}, {0, 1},
    {160, -1}, {180, -1}, {215, -1}, {240, -1}, {270, 0},  {270, -1}, {300, 1}, {330, 1},
};
static const direction ghost_directions[] = {
    {225, -1}, {200, -1}, {250, -1}, {180, -1}, {270, 0}, {270, -1}, {270, 1},  {290, 1},  {320, 1},
    {340, 1},  {0, 1},    {30, 1},   {60, 1},   {90, 0},  {90, 1},   {120, -1}, {150, -1},
};
static const double distances[] = {16, 26, 38, 52, 68, 86, 108, 134, 164, 200, 240};
enum {
    DIRECTIONS = sizeof point_directions / sizeof point_directions[0],
    DISTANCES = sizeof distances / sizeof distances[0]
};

typedef struct label_shape {
    const chart_tag_line *lines;
    double width, height;
} label_shape;

static label_shape measure(const chart_tag_line lines[2]) {
    label_shape out = {lines, chart_width(lines[0].text, lines[0].font), line_height - 3};
    if (lines[1].text) {
        out.width = fmax(out.width, chart_width(lines[1].text, lines[1].font));
        out.height += line_height;
    }
    return out;
}

static bool inside_plot(const chart_layout *layout, double left, double top, double right, double bottom) {
    return left >= layout->left + 4 && right <= layout->right && top >= layout->top && bottom <= layout->bottom - 4;
}

static bool is_free(const chart_layout *layout, const label_shape *label, double left, double top, double space,
                    int group) {
    double right = left + label->width, bottom = top + label->height;
    if (!inside_plot(layout, left, top, right, bottom))
        return false;
    chart_quad box = chart_box(left - space, top - space, right + space, bottom + space);
    return !chart_blocked(layout, &box, group);
}

static void write_label(chart_layout *layout, const label_shape *label, double left, double top, int across,
                        const chart_tag *tag) {
    chart_anchor anchor = across > 0 ? ANCHOR_START : across < 0 ? ANCHOR_END : ANCHOR_MIDDLE;
    double x = across > 0 ? left : across < 0 ? left + label->width : left + label->width / 2;
    for (int i = 0; i < 2 && label->lines[i].text; i++) {
        const chart_tag_line *line = &label->lines[i];
        chart_item *item = chart_add_text(layout, LAYER_LABEL, line->class, line->text, line->font, anchor, x,
                                          top + 11 + line_height * i);
        item->role = i ? "detail" : "label";
        item->index = tag->group;
        item->group = tag->group;
    }
}

static void corner(const chart_tag *tag, const label_spot *spot, const label_shape *label, double *left, double *top) {
    double dx = tag->radius * spot->across_radii + spot->across_more,
           dy = tag->radius * spot->down_radii + spot->down_more;
    *left = spot->across > 0   ? tag->x + dx
            : spot->across < 0 ? tag->x - dx - label->width
                               : tag->x - label->width / 2 + dx;
    *top = spot->down > 0 ? tag->y + dy : spot->down < 0 ? tag->y - dy - label->height : tag->y + dy - 6.5;
}

/* The rank of the first free spot (0 is the best), after writing the label there; -1 when all are taken. */
static int try_spots(chart_layout *layout, chart_tag *tag, const label_shape *label, const label_spot *spots,
                     size_t count) {
    for (size_t i = 0; i < count; i++) {
        double left, top;
        corner(tag, &spots[i], label, &left, &top);
        if (!is_free(layout, label, left, top, clearance, -1))
            continue;
        write_label(layout, label, left, top, spots[i].across, tag);
        return (int)i;
    }
    return -1;
}

static bool leader_is_free(const chart_layout *layout, const chart_tag *tag, double x1, double y1, double x2,
                           double y2) {
    chart_quad line = chart_segment(x1, y1, x2, y2, 1.5);
    return !chart_crosses(layout, &line, tag->group);
}

static void write_leader(chart_layout *layout, const chart_tag *tag, double x1, double y1, double x2, double y2) {
    chart_add(layout, (chart_item){.kind = ITEM_LINE,
                                   .layer = LAYER_LEADER,
                                   .class = "lead",
                                   .role = "leader",
                                   .index = tag->group,
                                   .group = tag->group,
                                   .x = {x1, x2},
                                   .y = {y1, y2},
                                   .corners = 2,
                                   .stroke = 1});
}

/* A label at the end of a leader of this length and direction. */
static bool try_leader(chart_layout *layout, chart_tag *tag, const label_shape *label, double distance, direction way) {
    double c = cos(way.degrees * 0.017453292519943295), s = sin(way.degrees * 0.017453292519943295);
    double x1 = tag->x + c * (tag->radius + 1.5), y1 = tag->y + s * (tag->radius + 1.5);
    double x2 = tag->x + c * (tag->radius + distance), y2 = tag->y + s * (tag->radius + distance);
    int across = way.across, down = s > 0.38 ? 1 : s < -0.38 ? -1 : 0;
    double inwards =
        down ? 10 : -3; /* a slanted leader meets the first letters from above or below, a level one stops short */
    double left = across > 0 ? x2 - inwards : across < 0 ? x2 + inwards - label->width : x2 - label->width / 2;
    double top = down > 0 ? y2 + 4 : down < 0 ? y2 - 4 - label->height : y2 - 6.5;
    if (!is_free(layout, label, left, top, far_clearance, -1) || !leader_is_free(layout, tag, x1, y1, x2, y2))
        return false;
    write_leader(layout, tag, x1, y1, x2, y2);
    write_label(layout, label, left, top, across, tag);
    return true;
}

static int try_leaders(chart_layout *layout, chart_tag *tag, const label_shape *label) {
    const direction *ways = tag->style == TAG_GHOST ? ghost_directions : point_directions;
    for (int i = 0; i < DISTANCES; i++)
        for (int j = 0; j < DIRECTIONS; j++)
            if (try_leader(layout, tag, label, distances[i], ways[j]))
                return i * DIRECTIONS + j;
    return -1;
}

static bool number_on_mark(chart_layout *layout, chart_tag *tag, const label_shape *label) {
    double left = tag->x - label->width / 2, top = tag->y - 7;
    if (tag->radius < 9 || !is_free(layout, label, left, top, clearance, tag->group))
        return false;
    tag->number_item = layout->count;
    chart_item *item = chart_add_text(layout, LAYER_LABEL, tag->hollow ? tag->class : "on", "00", label->lines->font,
                                      ANCHOR_MIDDLE, tag->x, tag->y + 4.5);
    item->role = "number";
    item->index = item->group = tag->group;
    item->on_mark = true;
    return true;
}

/* Room is kept for two digits; the final number is written when all are known. */
static bool try_number(chart_layout *layout, chart_tag *tag) {
    chart_tag_line lines[2] = {{"00", tag->class, {12, 600}}, {0}};
    label_shape label = measure(lines);
    if (number_on_mark(layout, tag, &label))
        return true;
    size_t before = layout->count;
    if (try_spots(layout, tag, &label, number_spots, sizeof number_spots / sizeof number_spots[0]) < 0 &&
        try_leaders(layout, tag, &label) < 0)
        return false;
    for (tag->number_item = before; layout->items[tag->number_item].kind != ITEM_TEXT;)
        tag->number_item++;
    layout->items[tag->number_item].role = "number";
    return true;
}

static int try_near(chart_layout *layout, chart_tag *tag, int form) {
    label_shape label = measure(tag->form[form]);
    return try_spots(layout, tag, &label, near_spots[tag->style].spots, near_spots[tag->style].count);
}

static int try_far(chart_layout *layout, chart_tag *tag, int form) {
    label_shape label = measure(tag->form[form]);
    return try_leaders(layout, tag, &label);
}

/* Place one tag; the cost of the outcome. Ghosts would rather break their line than need a leader. */
static double place_one(chart_layout *layout, chart_tag *tag) {
    static const struct {
        int form;
        bool far;
    } plain[] = {{0, false}, {0, true}, {1, false}, {1, true}},
      ghost[] = {{0, false}, {1, false}, {0, true}, {1, true}};
    for (int stage = 0; stage < 4; stage++) {
        int form = tag->style == TAG_GHOST ? ghost[stage].form : plain[stage].form;
        bool far = tag->style == TAG_GHOST ? ghost[stage].far : plain[stage].far;
        if (form >= tag->forms || (far && tag->style == TAG_FACTOR))
            continue;
        int rank = far ? try_far(layout, tag, form) : try_near(layout, tag, form);
        tag->placed = rank >= 0;
        if (tag->placed)
            return (form ? 150 : 0) + (far ? 40 + rank : 3 * rank);
    }
    tag->placed = tag->number_allowed && try_number(layout, tag);
    tag->number = tag->placed;
    return tag->placed ? 2000 : 20000;
}

/* ---- the row of labels under the compute roof ---- */

static size_t flat_tags(const chart_tag *tags, size_t count, size_t out[CHART_TAG_MAX]) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (tags[i].style != TAG_FLAT || tags[i].placed)
            continue;
        size_t at = found++;
        for (; at > 0 && tags[out[at - 1]].x > tags[i].x; at--)
            out[at] = out[at - 1];
        out[at] = i;
    }
    return found;
}

/* Left edges of labels in one row: near their marks, in their order, apart from each other, inside the plot. */
static bool spread(const chart_layout *layout, const chart_tag *tags, const size_t *order, size_t count, double *left) {
    const double gap = 18;
    double least = layout->left + 4;
    for (size_t i = 0; i < count; i++) {
        double width = measure(tags[order[i]].form[0]).width;
        left[i] = fmax(least, tags[order[i]].x - 14);
        least = left[i] + width + gap;
    }
    double most = layout->right;
    for (size_t i = count; i-- > 0;) {
        left[i] = fmin(left[i], most - measure(tags[order[i]].form[0]).width);
        most = left[i] - gap;
    }
    return count > 0 && left[0] >= layout->left + 4;
}

static bool try_row_at(chart_layout *layout, chart_tag *tags, const size_t *order, size_t count, const double *left,
                       double top) {
    for (size_t i = 0; i < count; i++) {
        chart_tag *tag = &tags[order[i]];
        label_shape label = measure(tag->form[0]);
        double x1 = tag->x, y1 = tag->y + tag->radius + 2,
               x2 = fmin(fmax(x1, left[i] + 10), left[i] + label.width - 10);
        if (top - y1 < 8 || !is_free(layout, &label, left[i], top, clearance, -1) ||
            !leader_is_free(layout, tag, x1, y1, x2, top - 3))
            return false;
        if (fabs(x2 - x1) > 2.5 * (top - y1) + 60)
            return false; /* a flat leader is hard to follow */
        write_leader(layout, tag, x1, y1, x2, top - 3);
        write_label(layout, &label, left[i], top, 1, tag);
    }
    return true;
}

static void place_row(chart_layout *layout, chart_tag *tags, size_t count) {
    size_t order[CHART_TAG_MAX], found = flat_tags(tags, count, order);
    double left[CHART_TAG_MAX], roof = HUGE_VAL;
    if (found < 2 || !spread(layout, tags, order, found, left))
        return;
    for (size_t i = 0; i < found; i++)
        roof = fmin(roof, tags[order[i]].y);
    for (double top = roof + 32; top < roof + 130; top += 4) {
        size_t items = layout->count;
        if (try_row_at(layout, tags, order, found, left, top)) {
            for (size_t i = 0; i < found; i++)
                tags[order[i]].placed = true;
            return;
        }
        layout->count = items;
    }
}

/* ---- all tags ---- */

static double sort_key(const chart_tag *tag, int order) {
    return order == 0 ? tag->x : order == 1 ? -tag->x : order == 2 ? tag->y : -tag->y;
}

/* The first four orders go along the axes, the others are shuffled, always in the same way. */
static void make_order(const chart_tag *tags, size_t count, int order, size_t sequence[CHART_TAG_MAX]) {
    unsigned state = (unsigned)order * 2654435761u;
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        if (order >= 4) {
            state = state * 1664525u + 1013904223u;
            at = (state >> 16) % (i + 1);
            sequence[i] = sequence[at];
        } else {
            for (; at > 0 && sort_key(&tags[sequence[at - 1]], order) > sort_key(&tags[i], order); at--)
                sequence[at] = sequence[at - 1];
        }
        sequence[at] = i;
    }
}

static double place_in_order(chart_layout *layout, chart_tag *tags, size_t count, int order) {
    size_t sequence[CHART_TAG_MAX];
    double cost = 0;
    make_order(tags, count, order, sequence);
    for (size_t i = 0; i < count; i++) {
        tags[i].placed = false;
        tags[i].number = 0;
    }
    place_row(layout, tags, count);
    for (size_t i = 0; i < count; i++)
        if (!tags[sequence[i]].placed)
            cost += place_one(layout, &tags[sequence[i]]);
    return cost;
}

/* Numbers rise from left to right, whatever order the tags were placed in. */
static void write_numbers(chart_layout *layout, chart_tag *tags, size_t count, int *numbers) {
    for (;;) {
        chart_tag *next = NULL;
        for (size_t i = 0; i < count; i++)
            if (tags[i].number && layout->items[tags[i].number_item].text[0] == '0' && (!next || tags[i].x < next->x))
                next = &tags[i];
        if (!next)
            return;
        char text[16];
        snprintf(text, sizeof text, "%d", ++*numbers);
        next->number = *numbers;
        layout->items[next->number_item].text = chart_keep(layout, text);
    }
}

void chart_place(chart_layout *layout, chart_tag *tags, size_t count, int *numbers) {
    size_t items = layout->count;
    int orders = count <= 12 ? 24 : count <= 24 ? 8 : 2; /* crowds share labels anyway */
    double least = HUGE_VAL;
    int best = 0;
    for (int order = 0; order < orders && count > 0 && least > 0; order++) {
        double cost = place_in_order(layout, tags, count, order);
        layout->count = items;
        if (cost < least) {
            least = cost;
            best = order;
        }
    }
    if (count > 0)
        place_in_order(layout, tags, count, best);
    write_numbers(layout, tags, count, numbers);
}

/* ---- texts along roofs ---- */

static bool try_along(chart_layout *layout, chart_item *text, double x, double y, double degrees, double offset) {
    double width = chart_width(text->text, text->font), radians = degrees * 0.017453292519943295;
    text->x[0] = x + sin(radians) * offset;
    text->y[0] = y - cos(radians) * offset;
    if (text->anchor == ANCHOR_END)
        text->x[0] += width / 2;
    text->angle = degrees;
    text->box = chart_text_box(text->text, text->font, text->anchor, text->x[0], text->y[0], degrees);
    double left, top, right, bottom;
    chart_bounds(&text->box, &left, &top, &right, &bottom);
    if (!inside_plot(layout, left, top, right - 0.01, bottom) || chart_blocked(layout, &text->box, -1))
        return false;
    chart_add(layout, *text);
    return true;
}

bool chart_place_along(chart_layout *layout, chart_item text, double x1, double y1, double x2, double y2,
                       double prefer) {
    double length = hypot(x2 - x1, y2 - y1), width = chart_width(text.text, text.font);
    double degrees = atan2(y2 - y1, x2 - x1) * 57.29577951308232;
    if (text.anchor == ANCHOR_END)
        prefer = (length - width / 2) / length;
    const double offsets[] = {10, -(9 + 0.75 * text.font.size), 25,
                              -(24 + 0.75 * text.font.size)}; /* the far ones clear the marks */
    for (int side = 0; side < 4; side++) {
        for (double step = 0; step < length; step += 5)
            for (int sign = -1; sign <= 1; sign += 2) {
                double at = prefer * length + sign * step;
                if (at < width / 2 || at > length - width / 2 + 0.01)
                    continue;
                double x = x1 + (x2 - x1) * at / length, y = y1 + (y2 - y1) * at / length;
                if (try_along(layout, &text, x, y, degrees, offsets[side]))
                    return true;
            }
    }
    return false;
}

static bool try_beside(chart_layout *layout, chart_item *text, double width, double x, double y, double away) {
    double baseline = away < 0 ? y + away : y + away + 0.8 * text->font.size, above = 0.8 * text->font.size,
           below = 0.25 * text->font.size;
    text->angle = 0;
    for (int across = 1; across >= -1; across--) {
        text->anchor = across > 0 ? ANCHOR_START : across < 0 ? ANCHOR_END : ANCHOR_MIDDLE;
        text->x[0] = x - across * 8;
        text->y[0] = baseline;
        double left = across > 0 ? text->x[0] : across < 0 ? text->x[0] - width : text->x[0] - width / 2;
        if (!inside_plot(layout, left, baseline - above, left + width, baseline + below))
            continue;
        text->box = chart_box(left, baseline - above, left + width, baseline + below);
        chart_quad room = chart_grown(text->box, clearance),
                   line = chart_segment(x, y + (away < 0 ? -4 : 4), x, y + away + (away < 0 ? 4 : -4), 1);
        if (chart_blocked(layout, &room, -1) || chart_crosses(layout, &line, -1))
            continue;
        chart_add(layout, (chart_item){.kind = ITEM_LINE,
                                       .layer = LAYER_LEADER,
                                       .class = "lead",
                                       .role = "roof-leader",
                                       .index = -1,
                                       .group = -1,
                                       .x = {x, x},
                                       .y = {y + (away < 0 ? -2 : 2), y + away + (away < 0 ? 4 : -3)},
                                       .corners = 2,
                                       .stroke = 1});
        chart_add(layout, *text);
        return true;
    }
    return false;
}

bool chart_place_beside(chart_layout *layout, chart_item text, double x1, double y1, double x2, double y2) {
    double width = chart_width(text.text, text.font);
    for (double away = 18; away < 320; away += 4)
        for (int side = -1; side <= 1; side += 2)
            for (double at = 0.98; at > 0; at -= 0.04)
                if (try_beside(layout, &text, width, x1 + (x2 - x1) * at, y1 + (y2 - y1) * at, side * away))
                    return true;
    return false;
}
