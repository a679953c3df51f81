/* A chart becomes shapes with final coordinates: passes over header, frame, marks, labels and foot until all have a
 * place. */
#include "chart/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/sheet.h"
#include "roofline_chart.h"

/* ---- header ---- */

static int count_role(const chart_layout *layout, const char *role) {
    int count = 0;
    for (size_t i = 0; i < layout->count; i++)
        count += layout->items[i].role && strcmp(layout->items[i].role, role) == 0;
    return count;
}

/* Paragraphs stack from `y` down; each returns the baseline its successor starts from. */
static double paragraph(chart_sheet *sheet, const char *role, const char *class, const char *text, chart_font font,
                        double step, int lines, bool even, double y) {
    char wrapped[CHART_LINE_COUNT][CHART_LINE];
    bool whole;
    int used =
        text && text[0] ? chart_wrap(wrapped, lines, text, font, sheet->width - 2 * sheet->margin, even, &whole) : 0;
    for (int i = 0; i < used; i++, y += step) {
        chart_item *item = chart_add_text(sheet->layout, LAYER_PAGE, class, chart_keep(sheet->layout, wrapped[i]), font,
                                          ANCHOR_START, sheet->margin, y);
        item->role = role;
        item->index = count_role(sheet->layout, role) - 1;
    }
    return y;
}

/* Parts between middle dots stay whole where they can: "a · b" breaks at the dot. */
static int wrap_parts(char out[][CHART_LINE], int lines, const char *text, chart_font font, double room, bool *whole) {
    static const char dot[] = " \xC2\xB7 ";
    char line[CHART_LINE] = "";
    int used = 0;
    *whole = true;
    while (*text && used < lines) {
        const char *end = strstr(text, dot);
        size_t length = end ? (size_t)(end - text) : strlen(text);
        char longer[2 * CHART_LINE];
        snprintf(longer, sizeof longer, "%s%s%.*s", line, line[0] ? dot : "", (int)length, text);
        if (line[0] && chart_width(longer, font) > room) {
            *whole &= chart_fit(out[used++], line, font, room);
            line[0] = '\0';
            continue;
        }
        *whole &= strlen(longer) < sizeof line;
        snprintf(line, sizeof line, "%.*s", CHART_LINE - 1, longer);
        text += length + (end ? strlen(dot) : 0);
    }
    if (line[0] && used < lines)
        *whole &= chart_fit(out[used++], line, font, room);
    else
        *whole &= !line[0];
    return used;
}

static double draw_subtitle(chart_sheet *sheet, double y) {
    static const double sizes[] = {13.5, 13, 12.5};
    const char *text = sheet->chart->subtitle;
    char wrapped[CHART_LINE_COUNT][CHART_LINE];
    double room = sheet->width - 2 * sheet->margin;
    bool whole = false;
    if (!text || !text[0])
        return y;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && !sheet->narrow; i++)
        if (chart_width(text, (chart_font){sizes[i], 400}) <= room)
            return paragraph(sheet, "subtitle", "mute", text, (chart_font){sizes[i], 400}, 18, 1, false, y + 6) - 5;
    chart_font font = {sheet->narrow ? 12.5 : 13.5, 400};
    int used = wrap_parts(wrapped, 3, text, font, room, &whole);
    if (!whole)
        return paragraph(sheet, "subtitle", "mute", text, font, 18, 4, true, y + 6) - 5;
    y += 6;
    for (int i = 0; i < used; i++, y += 18)
        paragraph(sheet, "subtitle", "mute", wrapped[i], font, 18, 1, false, y);
    return y - 5;
}

/* The title on one line if a size will do, else on two, at last on three; only a very long one is cut. */
static double draw_title(chart_sheet *sheet) {
    static const double sizes[] = {21, 20, 19, 18, 17, 16};
    const char *title = sheet->chart->title ? sheet->chart->title : "";
    size_t first = sheet->narrow ? 3 : 0, count = sizeof sizes / sizeof sizes[0], at = first;
    char wrapped[CHART_LINE_COUNT][CHART_LINE];
    double room = sheet->width - 2 * sheet->margin;
    bool whole = false;
    if (!sheet->narrow)
        while (at < 3 && chart_width(title, (chart_font){sizes[at], 600}) > room)
            at++;
    if (at == 3 || sheet->narrow)
        for (at = first; at + 1 < count &&
                         (chart_wrap(wrapped, 2, title, (chart_font){sizes[at], 600}, room, false, &whole), !whole);)
            at++;
    if (at + 1 == count)
        chart_wrap(wrapped, 2, title, (chart_font){sizes[at], 600}, room, false, &whole);
    double size = sizes[at];
    int lines = at + 1 == count && !whole ? 3 : 2;
    return paragraph(sheet, "title-line", "ink", title, (chart_font){size, 600}, size + 5, lines, true, 21 + size) - 5;
}

static void draw_header(chart_sheet *sheet) {
    const roof_chart *chart = sheet->chart;
    chart_font text = {sheet->narrow ? 12.5 : 13.5, 400}, strong = {text.size, 600};
    double y = draw_title(sheet);
    if (!(chart->title && chart->title[0]))
        y = 26;
    y = draw_subtitle(sheet, y);
    if (sheet->layout->note_above) {
        y = paragraph(sheet, "note-title", "ink", chart->note_title, strong, 18, 3, false, y + 11) - 11;
        y = paragraph(sheet, "note", "mute", chart->note, text, 18, 4, true, y + 11) - 11;
    }
    if (sheet->layout->under_above)
        y = paragraph(sheet, "under", "c", chart->under, text, 18, 3, false, y + 11) - 11;
    sheet->header = y;
}

/* ---- notes inside the plot ---- */

typedef struct text_block {
    char lines[2 * CHART_LINE_COUNT][CHART_LINE];
    int strong, count; /* the first `strong` lines are in ink and bold */
    double width;
    chart_font font;
} text_block;

static bool wrap_block(text_block *out, const char *strong, const char *text, chart_font font, int most, double width) {
    bool whole = true, also = true;
    chart_font bold = {font.size, 600};
    out->font = font;
    out->strong = strong && strong[0] ? chart_wrap(out->lines, most, strong, bold, width, true, &whole) : 0;
    out->count = out->strong +
                 (text && text[0] ? chart_wrap(out->lines + out->strong, most, text, font, width, true, &also) : 0);
    out->width = 0;
    for (int i = 0; i < out->count; i++)
        out->width = fmax(out->width, chart_width(out->lines[i], i < out->strong ? bold : font));
    return whole && also;
}

static bool put_block(chart_sheet *sheet, const text_block *block, const char *role, const char *class, double left,
                      double top, double step) {
    chart_layout *layout = sheet->layout;
    chart_quad box = chart_box(left - 6, top - 4, left + block->width + 6, top + block->count * step + 4);
    if (box.x[1] > layout->right + 6 || box.y[2] > layout->bottom - 30 || chart_blocked(layout, &box, -1))
        return false;
    for (int i = 0; i < block->count; i++) {
        bool strong = i < block->strong;
        chart_font font = {block->font.size, strong ? 600 : 400};
        chart_item *item =
            chart_add_text(layout, LAYER_LABEL, strong ? "ink" : class, chart_keep(layout, block->lines[i]), font,
                           ANCHOR_START, left, top + 13 + i * step);
        item->role = role;
        item->index = i;
    }
    return true;
}

/* The note stands in the free paper above the memory roof; where there is none it joins the header. */
static bool draw_note(chart_sheet *sheet) {
    static const double widths[] = {540, 470, 400, 340, 290, 250};
    const roof_chart *chart = sheet->chart;
    text_block block;
    if (sheet->layout->note_above || !((chart->note && chart->note[0]) || (chart->note_title && chart->note_title[0])))
        return true;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        for (double down = 4; down <= 16; down += 6)
            if (wrap_block(&block, chart->note_title, chart->note, (chart_font){13.5, 400}, 4, widths[i]) &&
                put_block(sheet, &block, "note", "mute", sheet->layout->left + 26, sheet->layout->top + down, 20))
                return true;
    sheet->layout->note_above = true;
    return false;
}

/* Left edge and foot of the labels under the compute roof. */
static bool find_flat_labels(const chart_sheet *sheet, double *left, double *bottom) {
    bool found = false;
    for (size_t t = 0; t < sheet->tag_count; t++)
        for (size_t i = 0; i < sheet->layout->count && sheet->tags[t].style == TAG_FLAT; i++) {
            const chart_item *item = &sheet->layout->items[i];
            if (item->kind != ITEM_TEXT || item->group != sheet->tags[t].group)
                continue;
            *left = found ? fmin(*left, item->box.x[0]) : item->box.x[0];
            *bottom = found ? fmax(*bottom, item->box.y[2]) : item->box.y[2];
            found = true;
        }
    return found;
}

/* Why points sit under the compute roof: below their labels. */
static bool draw_under(chart_sheet *sheet) {
    const chart_layout *layout = sheet->layout;
    const char *text = sheet->chart->under;
    text_block block;
    double left, bottom;
    if (layout->under_above || !text || !text[0])
        return true;
    double ridge = chart_at(&layout->x, sheet->roofs->ridge);
    bool found = find_flat_labels(sheet, &left, &bottom);
    for (int lines = 2; lines <= 3 && found; lines++)
        for (double top = bottom + 10; top < bottom + 120; top += 6)
            for (double x = left; x > ridge + 8; x -= 12)
                if (wrap_block(&block, NULL, text, (chart_font){12.5, 400}, lines, fmin(340, layout->right - x)) &&
                    put_block(sheet, &block, "under", "c", x, top, 16))
                    return true;
    sheet->layout->under_above = true;
    return false;
}

/* ---- foot ---- */

static void draw_foot(chart_sheet *sheet) {
    const roof_chart *chart = sheet->chart;
    chart_layout *layout = sheet->layout;
    const chart_font font = {12, 400};
    double y = layout->bottom + 46;
    if (sheet->numbers)
        y = chart_draw_list(sheet, y + 30) - 17;
    const char *foot = chart->foot ? chart->foot : "", *peaks = chart->peaks ? chart->peaks : "";
    double right = layout->right;
    bool one_line = peaks[0] && chart_width(foot, font) + chart_width(peaks, font) + 30 < right - sheet->margin;
    double next = paragraph(sheet, "foot", "mute", foot, font, 16, 4, false, y + 36);
    if (one_line) {
        chart_add_text(layout, LAYER_PAGE, "mute", chart_keep(layout, peaks), font, ANCHOR_END, right, y + 36)->role =
            "peaks";
        next = y + 52;
    } else {
        next = paragraph(sheet, "peaks", "mute", peaks, font, 16, 3, false, next);
    }
    layout->height = ceil(next > y + 36 ? next - 16 + 14 : y + 18);
}

/* ---- passes ---- */

static bool make_pass(chart_sheet *sheet) {
    chart_layout *layout = sheet->layout;
    layout->count = layout->pool_used = layout->tick_x_count = layout->tick_y_count = 0;
    layout->unplaced = 0;
    layout->full = false;
    draw_header(sheet);
    chart_draw_frame(sheet);
    if (!chart_draw_marks(sheet))
        return false;
    chart_label_roofs(sheet);
    if (!chart_label_marks(sheet) || !draw_note(sheet) || !draw_under(sheet))
        return false;
    draw_foot(sheet);
    return true;
}

/* Texts that cross the grid are drawn with a halo of paper. */
static void find_halos(chart_layout *layout) {
    for (size_t i = 0; i < layout->count; i++)
        for (size_t j = 0; j < layout->count && layout->items[i].kind == ITEM_TEXT; j++)
            if (layout->items[j].layer == LAYER_GRID && chart_touches(&layout->items[j], &layout->items[i].box))
                layout->items[i].halo = layout->items[i].layer == LAYER_LABEL;
}

static void zoom(chart_layout *layout, double by) {
    layout->zoom = by;
    layout->height = ceil(layout->height * by);
    for (size_t i = 0; i < layout->tick_x_count; i++)
        layout->tick_x[i] *= by;
    for (size_t i = 0; i < layout->tick_y_count; i++)
        layout->tick_y[i] *= by;
    layout->left *= by;
    layout->right *= by;
    layout->top *= by;
    layout->bottom *= by;
    for (size_t i = 0; i < layout->count; i++) {
        chart_item *item = &layout->items[i];
        for (int corner = 0; corner < 4; corner++) {
            item->x[corner] *= by;
            item->y[corner] *= by;
            item->box.x[corner] *= by;
            item->box.y[corner] *= by;
            item->edge[corner] *= by;
        }
        item->radius *= by;
        item->stroke *= by;
        item->font.size *= by;
    }
}

int chart_layout_make(const roof_chart *chart, const chart_roofs *roofs, double width, chart_layout *layout,
                      roof_error *error) {
    if (!(width >= 400 && width <= 4000))
        return roof_fail(error, ROOF_EARGUMENT, "a chart is 400 to 4000 pixels wide");
    double by = width <= 1080 ? 1 : 1 + (width / 1080 - 1) / 2; /* half the extra width is room, half is size */
    chart_sheet sheet = {
        .chart = chart, .roofs = roofs, .layout = layout, .width = width / by, .narrow = width < 800, .arrows = 3};
    sheet.margin = sheet.narrow ? 20 : 32;
    sheet.slope_radius = sheet.narrow ? 14 : 17;
    for (int i = 0; i < ROOF_CHART_POINT_MAX; i++)
        sheet.joined[i] = -1;
    layout->note_above = layout->under_above = false;
    for (int pass = 0; !make_pass(&sheet); pass++)
        if (pass > ROOF_CHART_POINT_MAX + 5)
            return roof_fail(error, ROOF_EUNSUPPORTED, "the labels of this chart find no place at %d pixels",
                             (int)width);
    layout->width = width;
    find_halos(layout);
    zoom(layout, by);
    if (layout->full)
        return roof_fail(error, ROOF_EUNSUPPORTED, "this chart has more to draw than fits");
    return 0;
}

/* ---- the promise ---- */

static void describe(char *buffer, size_t size, size_t faults, const char *what, const char *a, const char *b) {
    if (faults == 0 && size)
        snprintf(buffer, size, "%s: '%.60s' and '%.60s'", what, a ? a : "", b ? b : "");
}

static bool inside_canvas(const chart_layout *layout, const chart_quad *box) {
    double left, top, right, bottom;
    chart_bounds(box, &left, &top, &right, &bottom);
    return left >= 0 && top >= 0 && right <= layout->width && bottom <= layout->height;
}

static const char *name_of(const chart_item *item) {
    return item->text ? item->text : item->role;
}

size_t chart_layout_faults(const chart_layout *layout, char *buffer, size_t size) {
    size_t faults = (size_t)layout->unplaced;
    if (faults && size)
        snprintf(buffer, size, "%d roofs or what-ifs without a label", layout->unplaced);
    for (size_t i = 0; i < layout->count; i++) {
        const chart_item *text = &layout->items[i];
        if (text->kind != ITEM_TEXT)
            continue;
        if (!inside_canvas(layout, &text->box))
            describe(buffer, size, faults++, "outside the canvas", text->text, NULL);
        if (text->font.size < 12)
            describe(buffer, size, faults++, "smaller than 12 pixels", text->text, NULL);
        for (size_t j = 0; j < layout->count; j++) {
            const chart_item *other = &layout->items[j];
            if ((other->kind == ITEM_TEXT && j <= i) || !chart_is_obstacle(other) ||
                (text->on_mark && other->group == text->group))
                continue;
            if (chart_touches(other, &text->box))
                describe(buffer, size, faults++, "overlap", text->text, name_of(other));
        }
    }
    return faults;
}
