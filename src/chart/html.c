/* A chart as one HTML page: the drawing for wide and for narrow windows, tables, advice. Nothing is fetched, and only
 * our script may run. */
#include "chart/html.h"

#include <math.h>
#include <string.h>

#include "chart/roofs.h"
#include "chart/svg.h"
#include "roofline_chart.h"

enum { WIDE = 1080, NARROW = 440 };

/* ---- pieces ---- */

static void put_element(chart_output *out, const char *open, const char *text, const char *close) {
    if (!text || !text[0])
        return;
    chart_put(out, open);
    chart_put_escaped(out, text);
    chart_put(out, close);
}

static void put_all(chart_output *out, const char *const *pieces) {
    for (; *pieces; pieces++)
        chart_put(out, *pieces);
}

static void open_section(chart_output *out, const char *title, bool closed) {
    chart_put(out, closed ? "<details><summary>" : "<section><h2>");
    chart_put_escaped(out, title);
    chart_put(out, closed ? "</summary>\n" : "</h2>\n");
}

static void close_section(chart_output *out, bool closed) {
    chart_put(out, closed ? "</details>\n" : "</section>\n");
}

/* A wide table scrolls by itself: the keyboard has to reach it. */
static void open_scroll(chart_output *out, const char *title) {
    put_element(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", title, "\">\n");
}

static void put_heads(chart_output *out, const char *const *heads, const char *unit_name) {
    chart_put(out, "<table>\n<thead><tr>");
    for (; *heads; heads++) {
        bool number = **heads == '>';
        chart_put(out, number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
        chart_put_escaped(out, strcmp(*heads, ">FLOP/s") == 0 ? unit_name : *heads + number);
        chart_put(out, "</th>");
    }
    chart_put(out, "</tr></thead>\n<tbody>\n");
}

static void put_figure_cell(chart_output *out, double value, const char *shown, const char *after) {
    chart_put(out, "<td class=\"number\"");
    html_sort_key(out, value);
    chart_put(out, ">");
    chart_put(out, isnan(value) ? "\xE2\x80\x93" : shown);
    chart_put(out, isnan(value) ? "" : after);
    chart_put(out, "</td>");
}

static void put_number(chart_output *out, double value, double shown, const char *after) {
    char text[NUMBER_SIZE];
    put_figure_cell(out, value, number_digits(shown, 3, true, text), after);
}

static void put_share(chart_output *out, double share) {
    char text[NUMBER_SIZE];
    put_figure_cell(out, share, number_percent(share, text), "");
}

/* ---- points ---- */

typedef struct point_columns { /* those that say something */
    bool bound, share, measured, detail;
    bool long_names;
    bool scaled; /* rates so far apart that each has its own unit */
} point_columns;

static point_columns columns_of(const roof_chart *chart, const chart_roofs *roofs) {
    point_columns columns = {0};
    for (size_t i = 0; i < chart->point_count; i++) {
        const roof_chart_point *point = &chart->points[i];
        columns.bound |= point->bound != ROOF_BOUND_NONE;
        columns.scaled |= point->attainable > 0 && point->attainable < 1e-4 * roofs->unit.size;
        columns.share |= point->share > 0;
        columns.measured |= point->measured;
        columns.detail |= point->detail && point->detail[0];
        columns.long_names |= point->label && strlen(point->label) > HTML_WORDS;
    }
    return columns;
}

static const char *rate_name(const chart_roofs *roofs) {
    return roofs->unit_name + strlen(roofs->unit.prefix);
}

static void put_rate(chart_output *out, const chart_roofs *roofs, double value) {
    char text[CHART_NAME];
    chart_put(out, "<td class=\"number\"");
    html_sort_key(out, value);
    chart_put(out, ">");
    chart_put(out, number_quantity(value, rate_name(roofs), 3, true, text));
    chart_put(out, "</td>");
}

/* Opens a row that a mark of the drawing names, and its first cell. */
static void open_row(chart_output *out, const char *role, size_t index, bool words, const char *mark) {
    char number[NUMBER_SIZE];
    const char *opening[] = {"<tr id=\"row-",
                             role,
                             "-",
                             number_coordinate((double)index, 1, number),
                             words ? "\"><th scope=\"row\" class=\"words\"><i class=\"mark"
                                   : "\"><th scope=\"row\"><i class=\"mark",
                             mark,
                             "\"></i><bdi>"};
    for (size_t i = 0; i < sizeof opening / sizeof opening[0]; i++)
        chart_put(out, opening[i]);
}

static void put_point(chart_output *out, const roof_chart *chart, const chart_roofs *roofs, size_t index,
                      point_columns columns) {
    static const char *const marks[2][2][3] = {
        {{" n", " m", " c"}, {" n diamond", " m diamond", " c diamond"}},
        {{" n hollow", " m hollow", " c hollow"}, {" n hollow diamond", " m hollow diamond", " c hollow diamond"}}};
    const roof_chart_point *point = &chart->points[index];
    int colour = point->bound == ROOF_BOUND_MEMORY ? 1 : point->bound == ROOF_BOUND_COMPUTE ? 2 : 0;
    double roof = chart_point_roof(roofs, point),
           part = roof > 0 && isfinite(roof) ? point->attainable / roof : (double)NAN;
    open_row(out, "point", index, columns.long_names, marks[point->measured][point->shape == 1][colour]);
    chart_put_point(out, chart, point);
    chart_put(out, "</bdi></th>");
    if (columns.bound) {
        const char *name = point->bound != ROOF_BOUND_NONE ? roof_bound_name(point->bound) : "\xE2\x80\x93";
        put_element(out,
                    colour == 1 ? "<td class=\"memory\">"
                    : colour    ? "<td class=\"compute\">"
                                : "<td>",
                    name, "</td>");
    }
    put_number(out, point->intensity, point->intensity, "");
    if (columns.scaled)
        put_rate(out, roofs, point->attainable);
    else
        put_number(out, point->attainable, point->attainable / roofs->unit.size, "");
    put_share(out, part);
    if (columns.measured)
        put_number(out, point->measured ? 1 / part : (double)NAN, 1 / part, "\xC3\x97");
    if (columns.share)
        put_share(out, point->share);
    if (columns.detail) {
        chart_put(out, "<td class=\"brief\">");
        chart_put_escaped(out, point->detail ? point->detail : "");
        chart_put(out, "</td>");
    }
    chart_put(out, "</tr>\n");
}

static void put_point_table(chart_output *out, const roof_chart *chart, const chart_roofs *roofs) {
    point_columns columns = columns_of(chart, roofs);
    const char *heads[12] = {"point"};
    size_t count = 1;
    if (columns.bound)
        heads[count++] = "limit";
    heads[count++] = ">FLOP/byte";
    heads[count++] = ">FLOP/s";
    heads[count++] = ">of its roof";
    if (columns.measured)
        heads[count++] = ">headroom";
    if (columns.share)
        heads[count++] = ">of the time";
    if (columns.detail)
        heads[count++] = "details";
    open_section(out, "Points", false);
    open_scroll(out, "Points");
    put_heads(out, heads, columns.scaled ? rate_name(roofs) : roofs->unit_name);
    for (size_t i = 0; i < chart->point_count; i++)
        put_point(out, chart, roofs, i, columns);
    chart_put(out, "</tbody></table></div>\n");
    close_section(out, false);
}

static void put_change_table(chart_output *out, const roof_chart *chart, const chart_roofs *roofs) {
    static const char *const heads[] = {"what if", "from", ">FLOP/byte", ">FLOP/s", NULL};
    open_section(out, "What-ifs drawn", false);
    open_scroll(out, "What-ifs drawn");
    put_heads(out, heads, roofs->unit_name);
    for (size_t i = 0; i < chart->change_count; i++) {
        const roof_chart_change *change = &chart->changes[i];
        const roof_chart_point *from = &chart->points[change->from];
        open_row(out, "ghost", i, true, from->shape == 1 ? " g hollow diamond" : " g hollow");
        chart_put_escaped(out, change->label && change->label[0] ? change->label : "what-if");
        chart_put(out, "</bdi></th><td><bdi>");
        chart_put_point(out, chart, from);
        chart_put(out, "</bdi></td>");
        put_number(out, change->intensity, change->intensity, "");
        put_number(out, change->attainable, change->attainable / roofs->unit.size, "");
        chart_put(out, "</tr>\n");
    }
    chart_put(out, "</tbody></table></div>\n");
    close_section(out, false);
}

static void put_roof_table(chart_output *out, const chart_roofs *roofs) {
    static const char *const heads[] = {"roof drawn", ">ridge, FLOP/byte", NULL};
    open_section(out, "Roofs", false);
    open_scroll(out, "Roofs");
    put_heads(out, heads, roofs->unit_name);
    const struct {
        const chart_roof *list;
        size_t count;
        bool peak;
    } groups[] = {{&roofs->bold, 1, true},
                  {&roofs->memory, 1, false},
                  {roofs->peaks, roofs->peak_count, true},
                  {roofs->levels, roofs->level_count, false}};
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (size_t i = 0; i < groups[g].count; i++) {
            const chart_roof *roof = &groups[g].list[i];
            double ridge = groups[g].peak ? roof->value / roofs->bandwidth : roofs->peak / roof->value;
            put_element(out, "<tr><th scope=\"row\">", roof->name, "</th>");
            put_number(out, ridge, ridge, "");
            chart_put(out, "</tr>\n");
        }
    chart_put(out, "</tbody></table></div>\n");
    close_section(out, false);
}

/* What is drawn, as tables. */
static void put_points(chart_output *out, const roof_chart *chart, const chart_roofs *roofs) {
    if (chart->point_count > 0)
        put_point_table(out, chart, roofs);
    else
        put_roof_table(out, roofs);
    if (chart->change_count > 0)
        put_change_table(out, chart, roofs);
}

/* ---- what stands around the chart ---- */

/* The expected factor where it was judged: the effect is its class. */
static void put_idea(chart_output *out, const roof_advice *idea) {
    char factor[NUMBER_SIZE];
    double shown = idea->expected > 0 ? idea->expected : idea->speedup;
    const char *opening[] = {"<li class=\"", roof_effect_name(idea->effect), "\"><b class=\"factor\">",
                             number_digits(shown, 3, false, factor), "\xC3\x97</b><div>"};
    for (size_t i = 0; i < sizeof opening / sizeof opening[0]; i++)
        chart_put(out, opening[i]);
    chart_put_escaped(out, idea->idea);
    if (!idea->fits)
        chart_put(out, "<i class=\"tag\">does not fit</i>");
    if (idea->cost && idea->effect == ROOF_EFFECT_HELPS)
        chart_put(out, idea->hardware ? "<i class=\"tag\">other hardware</i>" : "<i class=\"tag\">at a price</i>");
    chart_put(out, "</div>");
    put_element(out, "<span>", idea->reason, "</span>");
    chart_put(out, "</li>\n");
}

static void put_effect(chart_output *out, const struct roof_page_advice *advice, const char *title, roof_effect first,
                       roof_effect last) {
    bool any = false;
    for (size_t i = 0; i < advice->count; i++) {
        if (advice->items[i].effect != first && advice->items[i].effect != last)
            continue;
        if (!any)
            put_element(out, "<h3>", title, "</h3>\n<ul class=\"ideas\">\n");
        put_idea(out, &advice->items[i]);
        any = true;
    }
    chart_put(out, any ? "</ul>\n" : "");
}

static void put_advice(chart_output *out, const roof_page *page) {
    for (size_t i = 0; i < page->advice_count; i++) {
        const struct roof_page_advice *advice = &page->advice[i];
        if (advice->count == 0)
            continue;
        open_section(out, advice->about && advice->about[0] ? advice->about : "What would help", false);
        put_effect(out, advice, "helps", ROOF_EFFECT_HELPS, ROOF_EFFECT_HELPS);
        put_effect(out, advice, "helps little", ROOF_EFFECT_LITTLE, ROOF_EFFECT_LITTLE);
        put_effect(out, advice, "a waste", ROOF_EFFECT_WASTE, ROOF_EFFECT_WORSE);
        close_section(out, false);
    }
}

static void put_notes(chart_output *out, const roof_page *page) {
    for (size_t i = 0; i < page->note_count; i++)
        put_element(out, i ? "<li>" : "<ul class=\"notes\">\n<li>", page->notes[i], "</li>\n");
    chart_put(out, page->note_count ? "</ul>\n" : "");
}

static int put_tables(chart_output *out, const roof_page *page, roof_error *error) {
    int result = 0;
    for (size_t i = 0; result == 0 && i < page->table_count; i++) {
        const roof_page_table *table = &page->tables[i];
        const char *title = table->title && table->title[0] ? table->title : "Table";
        open_section(out, title, table->closed);
        open_scroll(out, title);
        result = html_csv_table(out, table, error);
        chart_put(out, "</div>\n");
        close_section(out, table->closed);
    }
    return result;
}

/* A text of several lines: escaping makes spaces of control characters, so each goes by itself. */
static void put_lines(chart_output *out, const char *text) {
    char line[512];
    while (*text) {
        size_t length = strcspn(text, "\n"), part = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, text, part);
        line[part] = '\0';
        chart_put_escaped(out, line);
        text += part;
        if (part == length) {
            chart_put(out, "\n");
            text += *text == '\n';
        }
    }
}

static void put_answer(chart_output *out, const roof_page *page, bool closed) {
    if (!page->text || !page->text[0])
        return;
    open_section(out, "The answer in words", closed);
    chart_put(out, "<pre class=\"scroll\" tabindex=\"0\">");
    put_lines(out, page->text);
    chart_put(out, "</pre>\n");
    close_section(out, closed);
}

static void put_foot(chart_output *out, const roof_page *page) {
    chart_put(out, "</main>\n<footer>\n");
    put_element(out, "<code>", page->command, "</code>\n");
    chart_put(out, "roofline ");
    chart_put(out, roof_version());
    chart_put(out, "\n</footer>\n<script>");
    put_all(out, html_script);
    chart_put(out, "</script>\n</body>\n</html>\n");
}

static void put_page_head(chart_output *out, const char *title, const char *subtitle) {
    chart_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                   "'unsafe-inline'; script-src 'sha256-");
    chart_put(out, html_script_hash);
    chart_put(out, "'; base-uri 'none'; form-action 'none'\">\n");
    put_element(out, "<title>", title, "</title>\n");
    chart_put(out, "<style>\n");
    put_all(out, html_style);
    chart_put(out, "</style>\n</head>\n<body>\n<main>\n");
    put_element(out, "<h1>", title, "</h1>\n");
    put_element(out, "<p class=\"quiet\">", subtitle, "</p>\n");
}

static int put_figure(chart_output *out, const roof_chart *chart, const chart_roofs *roofs, roof_error *error) {
    chart_put(out, "<figure>\n");
    if (chart_svg_embed(out, "wide", chart, roofs, WIDE, error) ||
        chart_svg_embed(out, "narrow", chart, roofs, NARROW, error))
        return -1;
    chart_put(out, "<div id=\"tip\" aria-hidden=\"true\" hidden=\"\"></div>\n</figure>\n");
    return 0;
}

static const char *first_of(const char *a, const char *b, const char *otherwise) {
    return a && a[0] ? a : b && b[0] ? b : otherwise;
}

int roof_chart_html(const roof_chart *chart, const roof_page *page, roof_write write, void *context,
                    roof_error *error) {
    static const roof_page nothing = {0};
    chart_roofs roofs;
    chart_output out = {.write = write, .context = context};
    if (chart && chart_roofs_of(chart, &roofs, error))
        return -1;
    page = page ? page : &nothing;
    put_page_head(&out, first_of(page->title, chart ? chart->title : NULL, "Roofline"), chart ? chart->subtitle : NULL);
    if (chart && put_figure(&out, chart, &roofs, error))
        return -1;
    put_notes(&out, page);
    if (chart)
        put_points(&out, chart, &roofs);
    put_advice(&out, page);
    bool open = page->advice_count == 0 && !(chart && chart->point_count == 0); /* the words hold the advice */
    if (open)
        put_answer(&out, page, false);
    if (put_tables(&out, page, error))
        return -1;
    if (!open)
        put_answer(&out, page, true);
    put_foot(&out, page);
    return chart_finish(&out, error);
}
