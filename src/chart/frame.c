/* The frame of a chart: how far the axes go, regions, grid, ticks, roofs and their labels. */
#include "chart/sheet.h"

#include "roofline_chart.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const chart_font tick_font = {13, 400}, axis_font = {13, 600}, roof_font = {13.5, 600}, dashed_font = {13, 400};

static const char *kept_format(chart_sheet *sheet, const char *format, const char *a, const char *b) {
    char text[CHART_LINE];
    snprintf(text, sizeof text, format, a, b);
    return chart_keep(sheet->layout, text);
}

/* ---- ranges ---- */

static const char *roof_name(const chart_sheet *sheet, const chart_roof *roof) {
    return sheet->narrow && roof != &sheet->roofs->memory ? roof->brief : roof->name;
}

/* One thing that must be visible to one side of the ridge: so many decades away, and so many pixels further for its
 * words. */
typedef struct reach {
    double decades, pixels;
} reach;

enum { REACH_MAX = 2 * CHART_TAG_MAX };
typedef struct reaches {
    reach of[REACH_MAX];
    size_t count;
} reaches;

static void add_reach(reaches *side, double decades, double pixels) {
    if (side->count < REACH_MAX)
        side->of[side->count++] = (reach){decades, pixels};
}

static double side_width(const reaches *side, double per_decade) {
    double width = 0;
    for (size_t i = 0; i < side->count; i++)
        width = fmax(width, side->of[i].decades * per_decade + side->of[i].pixels);
    return width;
}

/* Words wider than a third of the plot do not get all of their room: their label will wrap, bend or shorten. */
static double at_most_a_third(const chart_sheet *sheet, double pixels) {
    return fmin(pixels, 0.34 * (sheet->layout->right - sheet->layout->left));
}

static double point_words(const chart_sheet *sheet, const roof_chart_point *point) {
    double name = point->label ? chart_width(point->label, roof_font) : 0,
           detail = point->detail ? chart_width(point->detail, tick_font) : 0;
    return at_most_a_third(sheet, fmax(name, detail) + 30);
}

/* Points far under their roof have their names at their right; those on the flat roof leave its end to its own name. */
static void reach_points(const chart_sheet *sheet, reaches *left, reaches *right) {
    const chart_roofs *roofs = sheet->roofs;
    double bold = at_most_a_third(sheet, chart_width(roof_name(sheet, &roofs->bold), roof_font) + 28);
    for (size_t i = 0; i < sheet->chart->point_count; i++) {
        const roof_chart_point *point = &sheet->chart->points[i];
        if (!chart_has_place(point->intensity, point->attainable))
            continue;
        double from_ridge = log10(point->intensity / roofs->ridge);
        bool flat = point->attainable > 0.6 * chart_point_roof(roofs, point);
        add_reach(left, 0.3 - from_ridge, 0);
        add_reach(left, -from_ridge, 40);
        add_reach(right, from_ridge + 0.3, 0);
        add_reach(right, from_ridge, flat ? bold : point_words(sheet, point));
    }
}

static void reach_changes(const chart_sheet *sheet, reaches *left, reaches *right) {
    for (size_t i = 0; i < sheet->chart->change_count; i++) {
        const roof_chart_change *change = &sheet->chart->changes[i];
        if (!chart_has_place(change->intensity, change->attainable))
            continue;
        double from_ridge = log10(change->intensity / sheet->roofs->ridge);
        add_reach(left, 0.3 - from_ridge, 0);
        add_reach(right, from_ridge + 0.3, 0);
        add_reach(right, from_ridge, 40);
    }
}

static void reach_roofs(const chart_sheet *sheet, reaches *left, reaches *right) {
    const chart_roofs *roofs = sheet->roofs;
    add_reach(left, 0.7, 0);
    add_reach(left, 0, at_most_a_third(sheet, chart_width(roofs->memory.name, roof_font) + 24));
    add_reach(left, 0, at_most_a_third(sheet, chart_width("memory-bound", axis_font) + 28));
    add_reach(right, 0.5, 0);
    add_reach(right, 0, at_most_a_third(sheet, chart_width("compute-bound", axis_font) + 28));
    add_reach(right, 0, at_most_a_third(sheet, chart_width(roof_name(sheet, &roofs->bold), roof_font) + 20));
    for (size_t i = 0; i < roofs->peak_count; i++) {
        double width = chart_width(roof_name(sheet, &roofs->peaks[i]), dashed_font) + 12;
        add_reach(right, fmax(0, log10(roofs->peaks[i].value / roofs->peak)), at_most_a_third(sheet, width));
    }
    for (size_t i = 0; i < roofs->level_count; i++)
        add_reach(left, log10(roofs->levels[i].value / roofs->bandwidth),
                  at_most_a_third(sheet, chart_width(roofs->levels[i].name, dashed_font) + 16));
}

/* The largest number of pixels a decade at which everything fits. */
static void range_x(chart_sheet *sheet) {
    reaches left = {.count = 0}, right = {.count = 0};
    chart_layout *layout = sheet->layout;
    double width = layout->right - layout->left, low = 0, high = width, ridge = log10(sheet->roofs->ridge);
    reach_points(sheet, &left, &right);
    reach_changes(sheet, &left, &right);
    reach_roofs(sheet, &left, &right);
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (side_width(&left, middle) + side_width(&right, middle) <= width)
            low = middle;
        else
            high = middle;
    }
    double before = side_width(&left, high), after = side_width(&right, high), all = before + after;
    layout->x = (chart_scale){ridge - before / high * width / all, ridge + after / high * width / all, layout->left,
                              layout->right};
}

static void range_y(chart_sheet *sheet) {
    const chart_roofs *roofs = sheet->roofs;
    chart_layout *layout = sheet->layout;
    double height = layout->bottom - layout->top;
    double slope_end = layout->x.low + log10(roofs->bandwidth), low = fmin(log10(roofs->least_y), slope_end),
           high = log10(roofs->most_y);
    double above = 40, below = low < slope_end - 0.1 ? 84 : 60;
    double decades = fmax(high - low, 0.3) * height / (height - above - below);
    layout->y = (chart_scale){low - below / height * decades, low + (1 - below / height) * decades, layout->bottom,
                              layout->top};
}

/* ---- grid and ticks ---- */

static void tick_text(chart_sheet *sheet, bool across, double at, const char *text) {
    chart_layout *layout = sheet->layout;
    double half = chart_width(text, tick_font) / 2;
    if (across && (at - half < 2 || at + half > sheet->width - 2))
        return;
    chart_item *item =
        across ? chart_add_text(layout, LAYER_AXIS, "mute", text, tick_font, ANCHOR_MIDDLE, at, layout->bottom + 22)
               : chart_add_text(layout, LAYER_AXIS, "mute", text, tick_font, ANCHOR_END, layout->left - 10, at + 4.5);
    item->role = across ? "tick-x" : "tick-y";
}

/* The ridge's number stands in the row of the tick labels and wins. */
static bool hidden_by_ridge(const chart_sheet *sheet, const char *text, double at) {
    char number[NUMBER_SIZE], ridge[CHART_LINE];
    snprintf(ridge, sizeof ridge, "ridge %s", number_digits(sheet->roofs->ridge, 3, true, number));
    double room = (chart_width(ridge, axis_font) + chart_width(text, tick_font)) / 2 + 4;
    return fabs(at - chart_at(&sheet->layout->x, sheet->roofs->ridge)) < room;
}

static void add_tick(chart_sheet *sheet, bool across, double at) {
    chart_layout *layout = sheet->layout;
    size_t *count = across ? &layout->tick_x_count : &layout->tick_y_count;
    if (*count < CHART_TICK_MAX)
        (across ? layout->tick_x : layout->tick_y)[(*count)++] = at;
}

static bool is_inside(const chart_scale *scale, double at) {
    return at >= fmin(scale->from, scale->to) - 0.01 && at <= fmax(scale->from, scale->to) + 0.01;
}

static void grid_line(chart_sheet *sheet, bool across, double at) {
    chart_layout *layout = sheet->layout;
    chart_item line = {.kind = ITEM_LINE,
                       .layer = LAYER_GRID,
                       .class = "grid",
                       .role = "grid",
                       .index = -1,
                       .group = -1,
                       .corners = 2,
                       .stroke = 1};
    line.x[0] = across ? at : layout->left;
    line.x[1] = across ? at : layout->right;
    line.y[0] = across ? layout->top : at;
    line.y[1] = across ? layout->bottom : at;
    chart_add(layout, line);
}

static double widest_label(int first, int last) {
    char text[NUMBER_SIZE];
    double most = 0;
    for (int decade = first; decade <= last; decade++)
        most = fmax(most, chart_width(chart_decade(text, decade), tick_font));
    return most;
}

/* One axis being drawn: `unit` divides its values, every `every`th decade is named, and with less than two decades in
 * view (`fine`) the twos and fives too. */
typedef struct axis_plan {
    const chart_scale *scale;
    bool across, fine;
    double unit, per_decade;
    int first, last, every;
} axis_plan;

static axis_plan axis_of(const chart_sheet *sheet, bool across, double unit) {
    const chart_scale *scale = across ? &sheet->layout->x : &sheet->layout->y;
    double low = scale->low - log10(unit), high = scale->high - log10(unit), per_decade = chart_per_decade(scale);
    axis_plan out = {
        scale,           across, floor(high) - ceil(low) < 1 && per_decade > 150, unit, per_decade, (int)floor(low),
        (int)ceil(high), 1};
    out.every = (int)ceil((across ? widest_label(out.first, out.last) + 14 : 26) / per_decade);
    return out;
}

static bool has_tick(const axis_plan *axis, int digit) {
    return digit == 1 || axis->per_decade > 60 || (axis->per_decade > 30 && (digit == 2 || digit == 5));
}

/* The label at `digit` times ten to `decade`; NULL for none. */
static const char *label_at(const axis_plan *axis, int decade, int digit, char out[NUMBER_SIZE]) {
    if (digit == 1 && decade % axis->every == 0)
        return chart_decade(out, decade);
    bool named = axis->fine && (digit == 2 || digit == 5);
    return named ? number_fixed(digit * pow(10, decade), decade < 0 ? -decade : 0, out) : NULL;
}

static void draw_digit(chart_sheet *sheet, const axis_plan *axis, int decade, int digit) {
    char out[NUMBER_SIZE];
    double at = chart_at(axis->scale, digit * pow(10, decade) * axis->unit);
    if (!is_inside(axis->scale, at))
        return;
    if (digit == 1)
        grid_line(sheet, axis->across, at);
    if (has_tick(axis, digit))
        add_tick(sheet, axis->across, at);
    const char *text = label_at(axis, decade, digit, out);
    if (text && !(axis->across && hidden_by_ridge(sheet, text, at)))
        tick_text(sheet, axis->across, at, chart_keep(sheet->layout, text));
}

/* Grid, ticks and labels of one axis; labels never touch. */
static void draw_axis(chart_sheet *sheet, bool across, double unit) {
    axis_plan axis = axis_of(sheet, across, unit);
    for (int decade = axis.first; decade <= axis.last; decade++)
        for (int digit = 1; digit < 10; digit++)
            draw_digit(sheet, &axis, decade, digit);
}

static double widest_tick(const chart_sheet *sheet) {
    double unit = log10(sheet->roofs->unit.size), low = log10(sheet->roofs->least_y) - 1.5,
           high = log10(sheet->roofs->most_y) + 1;
    return widest_label((int)floor(low - unit), (int)(high - unit));
}

static void draw_titles(chart_sheet *sheet) {
    chart_layout *layout = sheet->layout;
    const chart_roofs *roofs = sheet->roofs;
    chart_add_text(layout, LAYER_AXIS, "ink", roofs->unit_name, axis_font, ANCHOR_START, sheet->margin,
                   layout->top - 14)
        ->role = "unit-y";
    const char *format =
        sheet->narrow ? "FLOP per byte of %s traffic%s" : "arithmetic intensity, FLOP per byte of %s traffic%s";
    chart_add_text(layout, LAYER_AXIS, "ink", kept_format(sheet, format, roofs->memory_kind, ""), axis_font, ANCHOR_END,
                   layout->right, layout->bottom + 46)
        ->role = "unit-x";
}

/* ---- regions and ridge ---- */

static void draw_regions(chart_sheet *sheet) {
    chart_layout *layout = sheet->layout;
    const chart_roofs *roofs = sheet->roofs;
    double ridge = chart_at(&layout->x, roofs->ridge), roof = chart_at(&layout->y, roofs->peak);
    double start = chart_at(&layout->y, roofs->bandwidth * pow(10, layout->x.low));
    chart_item area = {.kind = ITEM_AREA,
                       .layer = LAYER_REGION,
                       .class = "tm",
                       .role = "memory-region",
                       .index = -1,
                       .group = -1,
                       .corners = 4,
                       .x = {layout->left, layout->left, ridge, ridge},
                       .y = {layout->bottom, start, roof, layout->bottom}};
    chart_add(layout, area);
    area = (chart_item){.kind = ITEM_AREA,
                        .layer = LAYER_REGION,
                        .class = "tc",
                        .role = "compute-region",
                        .index = -1,
                        .group = -1,
                        .corners = 4,
                        .x = {ridge, ridge, layout->right, layout->right},
                        .y = {layout->bottom, roof, roof, layout->bottom}};
    chart_add(layout, area);
}

static void draw_ridge(chart_sheet *sheet) {
    chart_layout *layout = sheet->layout;
    char number[NUMBER_SIZE];
    double x = chart_at(&layout->x, sheet->roofs->ridge), y = chart_at(&layout->y, sheet->roofs->peak);
    chart_add(layout, (chart_item){.kind = ITEM_LINE,
                                   .layer = LAYER_ROOF,
                                   .class = "roof2",
                                   .role = "ridge-line",
                                   .index = -1,
                                   .group = -1,
                                   .x = {x, x},
                                   .y = {y, layout->bottom},
                                   .corners = 2,
                                   .stroke = 1.2,
                                   .dash = "2 4"});
    const char *text = kept_format(sheet, "ridge %s%s", number_digits(sheet->roofs->ridge, 3, true, number), "");
    chart_add_text(layout, LAYER_AXIS, "ink", text, axis_font, ANCHOR_MIDDLE, x, layout->bottom + 22)->role =
        "ridge-value";
}

/* ---- roofs ---- */

static void roof_line(chart_sheet *sheet, const char *role, int index, bool bold, const double *x, const double *y,
                      int corners) {
    chart_item line = {.kind = ITEM_LINE,
                       .layer = LAYER_ROOF,
                       .class = bold ? "roof" : "roof2",
                       .role = role,
                       .index = index,
                       .group = -1,
                       .corners = corners,
                       .stroke = bold ? 2.6 : 1.3,
                       .dash = bold ? NULL : "6 4"};
    for (int i = 0; i < corners; i++) {
        line.x[i] = x[i];
        line.y[i] = y[i];
    }
    chart_add(sheet->layout, line);
}

/* Where a slope of this bandwidth enters the plot: at the left, or at the bottom. */
static void slope_start(const chart_layout *layout, double bandwidth, double *x, double *y) {
    double low = fmax(layout->x.low, layout->y.low - log10(bandwidth));
    *x = chart_at(&layout->x, pow(10, low));
    *y = chart_at(&layout->y, bandwidth * pow(10, low));
}

/* Work whose data lie in a cache meets the same peak, left of the ridge. */
static void extend_peak(chart_sheet *sheet, double ridge, double top) {
    double left = ridge;
    for (size_t i = 0; i < sheet->roofs->level_count; i++)
        left = fmin(left, chart_at(&sheet->layout->x, sheet->roofs->peak / sheet->roofs->levels[i].value));
    left = fmax(left, sheet->layout->left);
    if (left < ridge - 1)
        roof_line(sheet, "cached-peak", -1, false, (double[]){left, ridge - 5}, (double[]){top, top}, 2);
}

static void draw_roofs(chart_sheet *sheet) {
    const chart_layout *layout = sheet->layout;
    const chart_roofs *roofs = sheet->roofs;
    double ridge = chart_at(&layout->x, roofs->ridge), top = chart_at(&layout->y, roofs->peak), x, y;
    for (size_t i = 0; i < roofs->peak_count; i++) { /* from the memory roof, above or below the bold one */
        double value = roofs->peaks[i].value, height = chart_at(&layout->y, value);
        double bend = chart_at(&layout->x, value / roofs->bandwidth);
        if (bend > ridge)
            roof_line(sheet, "peak", (int)i, false, (double[]){ridge, bend, layout->right},
                      (double[]){top, height, height}, 3);
        else
            roof_line(sheet, "peak", (int)i, false, (double[]){fmax(bend, layout->left), layout->right},
                      (double[]){height, height}, 2);
    }
    for (size_t i = 0; i < roofs->level_count; i++) {
        slope_start(layout, roofs->levels[i].value, &x, &y);
        roof_line(sheet, "level", (int)i, false,
                  (double[]){x, chart_at(&layout->x, roofs->peak / roofs->levels[i].value)}, (double[]){y, top}, 2);
    }
    extend_peak(sheet, ridge, top);
    slope_start(layout, roofs->bandwidth, &x, &y);
    roof_line(sheet, "bold", -1, true, (double[]){x, ridge, layout->right}, (double[]){y, top, top}, 3);
    chart_add(sheet->layout, (chart_item){.kind = ITEM_CIRCLE,
                                          .layer = LAYER_ROOF,
                                          .class = "hole roof",
                                          .role = "ridge",
                                          .index = -1,
                                          .group = -1,
                                          .x = {ridge},
                                          .y = {top},
                                          .radius = 4,
                                          .stroke = 2});
}

void chart_draw_frame(chart_sheet *sheet) {
    chart_layout *layout = sheet->layout;
    layout->left = ceil(fmax(sheet->margin + widest_tick(sheet) + 12, sheet->margin + 34));
    layout->right = sheet->width - sheet->margin - (sheet->narrow ? 0 : 8);
    layout->top = sheet->header + 36;
    layout->bottom = layout->top + round(fmin(fmax(0.443 * sheet->width, 430), 620) + sheet->taller);
    range_x(sheet);
    range_y(sheet);
    draw_regions(sheet);
    draw_axis(sheet, true, 1);
    draw_axis(sheet, false, sheet->roofs->unit.size);
    draw_titles(sheet);
    draw_ridge(sheet);
    draw_roofs(sheet);
}

/* ---- labels of roofs ---- */

/* The middle of the longest stretch of a slope between the marks on it, as a share of its length. */
static double longest_stretch(const chart_layout *layout, double x1, double y1, double x2, double y2) {
    double from = x1, best = 0, middle = (x1 + x2) / 2;
    for (;;) {
        double next = x2, after = x2;
        for (size_t i = 0; i < layout->count; i++) {
            const chart_item *item = &layout->items[i];
            double on = y1 + (y2 - y1) * (item->x[0] - x1) / (x2 - x1);
            if (item->layer == LAYER_MARK && item->x[0] > from && item->x[0] < next &&
                fabs(item->y[0] - on) < item->radius + 24) {
                next = item->x[0];
                after = next + item->radius;
            }
        }
        if (next - from > best) {
            best = next - from;
            middle = (from + next) / 2;
        }
        if (next >= x2)
            return (middle - x1) / (x2 - x1);
        from = after;
    }
}

/* A roof for whose name there is no room is left out, unless it is one of the two bold ones. */
static void drop_roof(chart_layout *layout, const char *name_role, int index) {
    for (size_t i = 0; i < layout->count && index >= 0; i++)
        if (layout->items[i].layer == LAYER_ROOF && layout->items[i].index == index &&
            strncmp(layout->items[i].role, name_role, 4) == 0)
            layout->items[i].kind = ITEM_GONE;
    layout->unplaced += index < 0;
}

typedef struct line_name {
    const chart_roof *roof;
    const char *role; /* of the text; a dashed roof's own role begins like it */
    int index;        /* -1: a bold roof */
} line_name;

static void label_line(chart_sheet *sheet, line_name name, const double from[2], const double to[2]) {
    bool flat = fabs(from[1] - to[1]) < 0.001, bold = name.index < 0;
    chart_item text = {.kind = ITEM_TEXT,
                       .layer = LAYER_LABEL,
                       .class = bold ? "ink" : "mute",
                       .role = name.role,
                       .index = name.index,
                       .group = -1,
                       .font = bold ? roof_font : dashed_font,
                       .text = chart_keep(sheet->layout, roof_name(sheet, name.roof)),
                       .anchor = flat ? ANCHOR_END : ANCHOR_MIDDLE};
    double prefer = flat ? 1 : longest_stretch(sheet->layout, from[0], from[1], to[0], to[1]);
    if (chart_place_along(sheet->layout, text, from[0], from[1], to[0], to[1], prefer))
        return;
    text.text = chart_keep(sheet->layout, name.roof->brief);
    if (!chart_place_along(sheet->layout, text, from[0], from[1], to[0], to[1], prefer) &&
        !chart_place_beside(sheet->layout, text, from[0], from[1], to[0], to[1]))
        drop_roof(sheet->layout, name.role, name.index);
}

/* At the foot of the ridge, or a little higher where marks stand there; without room a region goes unnamed. */
static void name_region(chart_sheet *sheet, const char *class, const char *word, const char *role, chart_anchor anchor,
                        double x) {
    chart_layout *layout = sheet->layout;
    for (double y = layout->bottom - 13; y > layout->bottom - 110; y -= 16) {
        chart_quad box = chart_text_box(word, axis_font, anchor, x, y, 0);
        if (box.x[0] < layout->left || box.x[1] > layout->right || chart_blocked(layout, &box, -1))
            continue;
        chart_add_text(layout, LAYER_LABEL, class, word, axis_font, anchor, x, y)->role = role;
        return;
    }
}

void chart_label_roofs(chart_sheet *sheet) {
    chart_layout *layout = sheet->layout;
    const chart_roofs *roofs = sheet->roofs;
    double ridge = chart_at(&layout->x, roofs->ridge), top = chart_at(&layout->y, roofs->peak), x, y;
    name_region(sheet, "m", "memory-bound", "memory-word", ANCHOR_END, ridge - 12);
    name_region(sheet, "c", "compute-bound", "compute-word", ANCHOR_START, ridge + 12);
    label_line(sheet, (line_name){&roofs->bold, "bold-name", -1}, (double[]){ridge, top},
               (double[]){layout->right, top});
    slope_start(layout, roofs->bandwidth, &x, &y);
    label_line(sheet, (line_name){&roofs->memory, "memory-name", -1}, (double[]){x, y}, (double[]){ridge, top});
    for (size_t i = 0; i < roofs->peak_count; i++) {
        double height = chart_at(&layout->y, roofs->peaks[i].value);
        double bend = fmax(layout->left, chart_at(&layout->x, roofs->peaks[i].value / roofs->bandwidth));
        label_line(sheet, (line_name){&roofs->peaks[i], "peak-name", (int)i}, (double[]){bend, height},
                   (double[]){layout->right, height});
    }
    for (size_t i = 0; i < roofs->level_count; i++) {
        slope_start(layout, roofs->levels[i].value, &x, &y);
        double end = chart_at(&layout->x, roofs->peak / roofs->levels[i].value);
        label_line(sheet, (line_name){&roofs->levels[i], "level-name", (int)i}, (double[]){x, y}, (double[]){end, top});
    }
}
