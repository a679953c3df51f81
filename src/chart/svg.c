/* Shapes to SVG. One file serves light and dark: classes and a prefers-color-scheme block, no scripts, no variables. */
#include "chart/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/colours.h"
#include "chart/layout.h"
#include "roofline_chart.h"

static const char style[] = "<style>" CHART_STYLE_LIGHT "@media (prefers-color-scheme:dark){" CHART_STYLE_DARK
                            "}\ntext{font-variant-numeric:tabular-nums}</style>\n";

static void put_number(chart_output *out, double value) {
    char text[NUMBER_SIZE];
    chart_put(out, number_coordinate(value, 1, text));
}

static void put_attribute(chart_output *out, const char *name, double value) {
    chart_put(out, " ");
    chart_put(out, name);
    chart_put(out, "=\"");
    put_number(out, value);
    chart_put(out, "\"");
}

void chart_put_escaped(chart_output *out, const char *text) {
    for (unsigned code = chart_code(&text); code; code = chart_code(&text)) {
        char bytes[5] = {0};
        if (code == '&')
            chart_put(out, "&amp;");
        else if (code == '<')
            chart_put(out, "&lt;");
        else if (code == '>')
            chart_put(out, "&gt;");
        else if (code == '"')
            chart_put(out, "&quot;");
        else {
            chart_encode(code, bytes);
            chart_put(out, bytes);
        }
    }
}

/* ---- the text alternative ---- */

static void put_value(chart_output *out, double value, const char *unit) {
    char text[CHART_NAME];
    chart_put(out, number_quantity(value, unit, 3, true, text));
}

static void put_intensity(chart_output *out, double intensity) {
    char text[NUMBER_SIZE];
    chart_put(out, isinf(intensity) ? "infinite" : number_digits(intensity, 4, true, text));
    chart_put(out, " FLOP/byte, ");
}

static bool has_diamonds(const roof_chart *chart) {
    for (size_t i = 0; i < chart->point_count; i++)
        if (chart->points[i].shape == 1)
            return true;
    return false;
}

/* The first diamond's label names what they are. */
static const char *diamond_phase(const roof_chart *chart) {
    static const char *const others[] = {"encode", "vision"};
    for (size_t i = 0; i < chart->point_count; i++)
        for (size_t k = 0; chart->points[i].shape == 1 && chart->points[i].label && k < 2; k++)
            if (strncmp(chart->points[i].label, others[k], strlen(others[k])) == 0)
                return others[k];
    return "prefill";
}

/* Where circles and diamonds meet, the shape is said in words. */
static void put_phase(chart_output *out, const roof_chart *chart, const roof_chart_point *point) {
    const char *phase = point->shape == 1 ? diamond_phase(chart) : "decode";
    if (!has_diamonds(chart) || (point->label && strstr(point->label, phase)))
        return;
    chart_put(out, " (");
    chart_put(out, phase);
    chart_put(out, ")");
}

void chart_put_point(chart_output *out, const roof_chart *chart, const roof_chart_point *point) {
    chart_put_escaped(out, point->label && point->label[0] ? point->label : "unnamed");
    put_phase(out, chart, point);
}

static void describe_point(chart_output *out, const roof_chart *chart, const chart_roofs *roofs,
                           const roof_chart_point *point) {
    char text[NUMBER_SIZE];
    chart_put_point(out, chart, point);
    chart_put(out, ": ");
    put_intensity(out, point->intensity);
    put_value(out, point->attainable, "FLOP/s");
    if (point->bound != ROOF_BOUND_NONE) {
        chart_put(out, ", ");
        chart_put(out, roof_bound_name(point->bound));
        chart_put(out, "-bound");
    }
    if (point->detail && point->detail[0]) {
        chart_put(out, ", ");
        chart_put_escaped(out, point->detail);
    }
    if (point->share > 0 && !(point->detail && strstr(point->detail, "of the time"))) {
        chart_put(out, ", ");
        chart_put(out, number_percent(point->share, text));
        chart_put(out, " of the time");
    }
    if (point->measured && point->attainable > 0 && chart_point_roof(roofs, point) <= point->attainable) {
        chart_put(out, ", measured"); /* at its roof, or under a level's that does not bind it */
    } else if (point->measured && point->attainable > 0) {
        chart_put(out, ", measured, ");
        chart_put(out, number_digits(chart_point_roof(roofs, point) / point->attainable, 2, false, text));
        chart_put(out, "\xC3\x97 under its roof");
    }
}

static void describe_roofs(chart_output *out, const chart_roofs *roofs) {
    char text[NUMBER_SIZE];
    chart_put(out, "Roofs: ");
    chart_put_escaped(out, roofs->memory.name);
    chart_put(out, "; ");
    chart_put_escaped(out, roofs->bold.name);
    for (size_t i = 0; i < roofs->peak_count; i++) {
        chart_put(out, "; ");
        chart_put_escaped(out, roofs->peaks[i].name);
    }
    for (size_t i = 0; i < roofs->level_count; i++) {
        chart_put(out, "; ");
        chart_put_escaped(out, roofs->levels[i].name);
    }
    chart_put(out, "; ridge ");
    chart_put(out, number_digits(roofs->ridge, 3, true, text));
    chart_put(out, " FLOP/byte.");
}

static void describe_change(chart_output *out, const roof_chart *chart, const roof_chart_change *change) {
    const char *from = chart->points[change->from].label;
    chart_put_escaped(out, change->label ? change->label : "what-if");
    chart_put(out, " (from ");
    chart_put_escaped(out, from ? from : "unnamed");
    chart_put(out, " to ");
    put_intensity(out, change->intensity);
    put_value(out, change->attainable, "FLOP/s");
    chart_put(out, ")");
}

static void put_sentence(chart_output *out, const char *text) {
    if (!text || !text[0])
        return;
    chart_put(out, " ");
    chart_put_escaped(out, text);
    if (!strchr(".!?", text[strlen(text) - 1]))
        chart_put(out, ".");
}

static void put_description(chart_output *out, const roof_chart *chart, const chart_roofs *roofs) {
    describe_roofs(out, roofs);
    for (size_t i = 0; i < chart->point_count; i++) {
        chart_put(out, i ? "; " : " Points: ");
        describe_point(out, chart, roofs, &chart->points[i]);
    }
    chart_put(out, chart->point_count ? "." : "");
    for (size_t i = 0; i < chart->change_count; i++) {
        chart_put(out, i ? "; " : " What-ifs: ");
        describe_change(out, chart, &chart->changes[i]);
    }
    chart_put(out, chart->change_count ? "." : "");
    put_sentence(out, chart->subtitle);
    put_sentence(out, chart->note_title);
    put_sentence(out, chart->note);
    put_sentence(out, chart->under);
}

/* ---- shapes ---- */

/* ` id="roof-point-3"`; with `attribute` "data-row": the row of a mark in the tables of a page. */
static void put_name(chart_output *out, const char *attribute, const char *first, const char *role, int index) {
    char number[16];
    snprintf(number, sizeof number, "-%d\"", index);
    const char *pieces[] = {" ", attribute, "=\"", first, "-", role, number};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        chart_put(out, pieces[i]);
}

static bool takes_focus(const chart_item *item) {
    return item->layer == LAYER_MARK && item->index >= 0 && item->role &&
           (strcmp(item->role, "point") == 0 || strcmp(item->role, "ghost") == 0);
}

static void open_tag(chart_output *out, const char *name, const chart_item *item) {
    bool mark = takes_focus(item);
    chart_put(out, "<");
    chart_put(out, name);
    if (item->role && item->index >= 0 && (mark || !out->drawing))
        put_name(out, "id", out->drawing ? out->drawing : "roof", item->role, item->index);
    if (mark && out->drawing) {
        put_name(out, "data-row", "row", item->role, item->index);
        chart_put(out, " tabindex=\"0\" role=\"img\"");
    }
    chart_put(out, " class=\"");
    chart_put(out, item->class);
    if (item->halo)
        chart_put(out, " halo");
    if (item->role) {
        chart_put(out, " ");
        chart_put(out, item->role);
    }
    chart_put(out, "\"");
    if (item->stroke > 0)
        put_attribute(out, "stroke-width", item->stroke);
}

static void put_path(chart_output *out, const chart_item *item) {
    open_tag(out, "path", item);
    if (item->kind == ITEM_LINE && item->corners > 2)
        chart_put(out, " fill=\"none\" stroke-linejoin=\"round\"");
    if (item->dash) {
        chart_put(out, " stroke-dasharray=\"");
        chart_put(out, item->dash);
        chart_put(out, "\"");
    }
    for (int i = 0; i < item->corners; i++) {
        chart_put(out, i ? "L" : " d=\"M");
        put_number(out, item->x[i]);
        chart_put(out, " ");
        put_number(out, item->y[i]);
    }
    chart_put(out, item->kind == ITEM_AREA ? "Z\"" : "\"");
}

static void put_mark(chart_output *out, const chart_item *item) {
    bool circle = item->kind == ITEM_CIRCLE;
    open_tag(out, circle ? "circle" : "path", item);
    if (circle) {
        put_attribute(out, "cx", item->x[0]);
        put_attribute(out, "cy", item->y[0]);
        put_attribute(out, "r", item->radius);
        return;
    }
    const double dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    for (int i = 0; i < 4; i++) {
        chart_put(out, i ? "L" : " d=\"M");
        put_number(out, item->x[0] + dx[i] * item->radius);
        chart_put(out, " ");
        put_number(out, item->y[0] + dy[i] * item->radius);
    }
    chart_put(out, "Z\"");
}

static void put_turn(chart_output *out, const chart_item *item) {
    char angle[NUMBER_SIZE];
    chart_put(out, " transform=\"translate(");
    put_number(out, item->x[0]);
    chart_put(out, " ");
    put_number(out, item->y[0]);
    chart_put(out, ") rotate(");
    chart_put(out, number_coordinate(item->angle, 2, angle));
    chart_put(out, ")\"");
}

static void put_text(chart_output *out, const chart_item *item) {
    static const char *const anchors[] = {[ANCHOR_START] = "start", [ANCHOR_MIDDLE] = "middle", [ANCHOR_END] = "end"};
    open_tag(out, "text", item);
    if (fabs(item->angle) > 0) {
        put_turn(out, item);
    } else {
        put_attribute(out, "x", item->x[0]);
        put_attribute(out, "y", item->y[0]);
    }
    if (item->anchor != ANCHOR_START) {
        chart_put(out, " text-anchor=\"");
        chart_put(out, anchors[item->anchor]);
        chart_put(out, "\"");
    }
    put_attribute(out, "font-size", item->font.size);
    if (item->font.weight != 400)
        put_attribute(out, "font-weight", item->font.weight);
    chart_put(out, ">");
    chart_put_escaped(out, item->text);
    chart_put(out, "</text>\n");
}

static void put_item(chart_output *out, const roof_chart *chart, const chart_roofs *roofs, const chart_item *item) {
    if (item->kind == ITEM_TEXT) {
        put_text(out, item);
        return;
    }
    const char *name = item->kind == ITEM_CIRCLE ? "circle" : "path";
    if (item->kind == ITEM_CIRCLE || item->kind == ITEM_DIAMOND)
        put_mark(out, item);
    else
        put_path(out, item);
    if (!takes_focus(item) || (!out->drawing && strcmp(item->role, "ghost") == 0)) {
        chart_put(out, "/>\n");
        return;
    }
    chart_put(out, "><title>"); /* what a pointer over the mark shows */
    if (strcmp(item->role, "ghost") == 0)
        describe_change(out, chart, &chart->changes[item->index]);
    else
        describe_point(out, chart, roofs, &chart->points[item->index]);
    chart_put(out, "</title></");
    chart_put(out, name);
    chart_put(out, ">\n");
}

static void put_ticks(chart_output *out, const chart_layout *layout) {
    const double length = 4 * layout->zoom;
    chart_put(out, "<path class=\"ax axis\" d=\"M");
    put_number(out, layout->left);
    chart_put(out, " ");
    put_number(out, layout->bottom);
    chart_put(out, "H");
    put_number(out, layout->right);
    chart_put(out, "\"/>\n<path class=\"ax ticks\" stroke-opacity=\".55\" d=\"");
    for (size_t i = 0; i < layout->tick_x_count; i++) {
        chart_put(out, "M");
        put_number(out, layout->tick_x[i]);
        chart_put(out, " ");
        put_number(out, layout->bottom);
        chart_put(out, "v");
        put_number(out, length);
    }
    for (size_t i = 0; i < layout->tick_y_count; i++) {
        chart_put(out, "M");
        put_number(out, layout->left - length);
        chart_put(out, " ");
        put_number(out, layout->tick_y[i]);
        chart_put(out, "h");
        put_number(out, length);
    }
    chart_put(out, "\"/>\n");
}

static void put_pieces(chart_output *out, const char *const *pieces, size_t count) {
    for (size_t i = 0; i < count; i++)
        chart_put(out, pieces[i]);
}

static void put_head(chart_output *out, const roof_chart *chart, const chart_roofs *roofs, const chart_layout *layout) {
    char width[NUMBER_SIZE], height[NUMBER_SIZE];
    number_coordinate(layout->width, 1, width);
    number_coordinate(layout->height, 1, height);
    const char *opening[] = {"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ",
                             width,
                             " ",
                             height,
                             "\" width=\"",
                             width,
                             "\" height=\"",
                             height,
                             "\" role=\"img\" aria-labelledby=\"roof-title roof-desc\" font-family=\"" CHART_FONTS
                             "\">\n<title id=\"roof-title\">"};
    put_pieces(out, opening, sizeof opening / sizeof opening[0]);
    chart_put_escaped(out, chart->title && chart->title[0] ? chart->title : "Roofline");
    chart_put(out, "</title>\n<desc id=\"roof-desc\">");
    put_description(out, chart, roofs);
    chart_put(out, "</desc>\n");
    chart_put(out, style);
    const char *paper[] = {"<rect class=\"bg\" width=\"", width, "\" height=\"", height, "\"/>\n"};
    put_pieces(out, paper, sizeof paper / sizeof paper[0]);
}

/* A group, not an image: what is inside can be reached. */
static void put_page_head(chart_output *out, const chart_layout *layout) {
    char width[NUMBER_SIZE], height[NUMBER_SIZE];
    const char *opening[] = {"<svg class=\"",
                             out->drawing,
                             "\" viewBox=\"0 0 ",
                             number_coordinate(layout->width, 1, width),
                             " ",
                             number_coordinate(layout->height, 1, height),
                             "\" role=\"group\" aria-label=\"Roofline chart; its numbers are in the table below\">\n"};
    put_pieces(out, opening, sizeof opening / sizeof opening[0]);
}

static void put_layers(chart_output *out, const roof_chart *chart, const chart_roofs *roofs,
                       const chart_layout *layout) {
    static const char *const names[LAYER_COUNT] = {"regions", "grid",   "axes",   "roofs", "arrows",
                                                   "leaders", "points", "labels", "page"};
    for (int layer = 0; layer < LAYER_COUNT; layer++) {
        chart_put(out, "<g class=\"");
        chart_put(out, names[layer]);
        chart_put(out, "\">\n");
        if (layer == LAYER_AXIS)
            put_ticks(out, layout);
        for (size_t i = 0; i < layout->count; i++)
            if ((int)layout->items[i].layer == layer && layout->items[i].kind != ITEM_GONE)
                put_item(out, chart, roofs, &layout->items[i]);
        chart_put(out, "</g>\n");
    }
}

static chart_layout *make_layout(const roof_chart *chart, const chart_roofs *roofs, double width, roof_error *error) {
    chart_layout *layout = malloc(sizeof *layout);
    if (!layout)
        roof_fail(error, ROOF_ENOMEM, "out of memory for the layout of a chart");
    else if (chart_layout_make(chart, roofs, width, layout, error) == 0)
        return layout;
    free(layout);
    return NULL;
}

int roof_chart_svg(const roof_chart *chart, double width, roof_write write, void *context, roof_error *error) {
    chart_roofs roofs;
    if (chart_roofs_of(chart, &roofs, error))
        return -1;
    chart_layout *layout = make_layout(chart, &roofs, width, error);
    if (!layout)
        return -1;
    chart_output out = {.write = write, .context = context};
    put_head(&out, chart, &roofs, layout);
    put_layers(&out, chart, &roofs, layout);
    chart_put(&out, "</svg>\n");
    free(layout);
    return chart_finish(&out, error);
}

int chart_svg_embed(chart_output *out, const char *name, const roof_chart *chart, const chart_roofs *roofs,
                    double width, roof_error *error) {
    roof_chart bare = *chart;
    bare.title = bare.subtitle = NULL;
    chart_layout *layout = make_layout(&bare, roofs, width, error);
    if (!layout)
        return -1;
    out->drawing = name;
    put_page_head(out, layout);
    put_layers(out, chart, roofs, layout);
    chart_put(out, "</svg>\n");
    out->drawing = NULL;
    free(layout);
    return 0;
}
