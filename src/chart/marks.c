/* Points, what-if ghosts and arrows, which points share a label, and the words of every label. */
#include "chart/kernel_name.h"
#include "chart/sheet.h"

#include "roofline_chart.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const chart_font name_font = {13.5, 600}, detail_font = {12.5, 400}, green_font = {13, 600},
                        list_font = {12, 400}, number_font = {12, 600};

enum { GHOST_GROUP = ROOF_CHART_POINT_MAX, FACTOR_GROUP = GHOST_GROUP + ROOF_CHART_CHANGE_MAX };

typedef struct bound_class {
    const char *fill, *line, *text;
} bound_class;

/* Colour is what limits a point. */
static bound_class class_of(roof_bound bound) {
    static const bound_class classes[] = {
        [ROOF_BOUND_NONE] = {"n ring", "hole nl", "n"},    [ROOF_BOUND_COMPUTE] = {"c ring", "hole cl", "c"},
        [ROOF_BOUND_MEMORY] = {"m ring", "hole ml", "m"},  [ROOF_BOUND_LINK] = {"n ring", "hole nl", "n"},
        [ROOF_BOUND_LATENCY] = {"n ring", "hole nl", "n"},
    };
    return classes[bound >= ROOF_BOUND_NONE && bound <= ROOF_BOUND_LATENCY ? bound : ROOF_BOUND_NONE];
}

/* ---- where marks are ---- */

static bool any_share(const roof_chart *chart) {
    for (size_t i = 0; i < chart->point_count; i++)
        if (chart->points[i].share > 0)
            return true;
    return false;
}

/* Area is the share of the time; without shares all marks are alike. Diamonds reach further for the same area. */
static double radius_of(const chart_sheet *sheet, const roof_chart_point *point) {
    double least = point->measured ? 6 : 4.5;
    double radius = any_share(sheet->chart) ? fmax(least, sheet->slope_radius * sqrt(fmin(fmax(point->share, 0), 1)))
                    : point->measured       ? 8
                                            : 7;
    return point->shape == 1 ? radius * CHART_DIAMOND : radius;
}

/* A point without bytes stands at the right edge, one without FLOPs at the left; what has no height stands at the foot.
 */
static void locate(const chart_sheet *sheet, double intensity, double attainable, double radius, double *x, double *y) {
    const chart_layout *layout = sheet->layout;
    double low = layout->left + radius + 6, high = layout->right - radius - 6, foot = layout->bottom - radius - 8;
    bool placed = chart_has_place(intensity, attainable);
    *x = placed ? chart_at(&layout->x, intensity) : intensity > 1 ? high : low;
    *y = attainable > 0 && (placed || intensity > 1) ? fmin(chart_at(&layout->y, attainable), foot) : foot;
}

static void find_marks(chart_sheet *sheet) {
    for (size_t i = 0; i < sheet->chart->point_count; i++) {
        const roof_chart_point *point = &sheet->chart->points[i];
        sheet->mark_radius[i] = radius_of(sheet, point);
        locate(sheet, point->intensity, point->attainable, sheet->mark_radius[i], &sheet->mark_x[i], &sheet->mark_y[i]);
    }
}

static bool alike(const roof_chart_point *a, const roof_chart_point *b) {
    return a->bound == b->bound && a->shape == b->shape && a->measured == b->measured;
}

static double distance(const chart_sheet *sheet, size_t a, size_t b) {
    return hypot(sheet->mark_x[a] - sheet->mark_x[b], sheet->mark_y[a] - sheet->mark_y[b]);
}

/* The nearest earlier point alike with a label of its own, closer than one radius; itself when there is none. */
static int nearest_leader(const chart_sheet *sheet, size_t i) {
    const roof_chart_point *points = sheet->chart->points;
    double least = HUGE_VAL;
    int best = (int)i;
    for (size_t j = 0; j < i; j++) {
        double apart = distance(sheet, i, j), radius = fmax(sheet->mark_radius[i], sheet->mark_radius[j]);
        if (sheet->leader_of[j] != (int)j || !alike(&points[i], &points[j]) || apart >= fmin(radius, least))
            continue;
        least = apart;
        best = (int)j;
    }
    return best;
}

/* Points closer than one radius share a label, as do those that found no room before. */
static void find_leaders(chart_sheet *sheet) {
    for (size_t i = 0; i < sheet->chart->point_count; i++)
        sheet->leader_of[i] = sheet->joined[i] >= 0 ? sheet->leader_of[sheet->joined[i]] : nearest_leader(sheet, i);
}

/* ---- drawing them ---- */

static void draw_mark(chart_sheet *sheet, size_t i) {
    const roof_chart_point *point = &sheet->chart->points[i];
    bound_class class = class_of(point->bound);
    chart_add(sheet->layout, (chart_item){.kind = point->shape == 1 ? ITEM_DIAMOND : ITEM_CIRCLE,
                                          .layer = LAYER_MARK,
                                          .role = "point",
                                          .index = (int)i,
                                          .group = sheet->leader_of[i],
                                          .class = point->measured ? class.line : class.fill,
                                          .x = {sheet->mark_x[i]},
                                          .y = {sheet->mark_y[i]},
                                          .radius = sheet->mark_radius[i],
                                          .stroke = point->measured ? 3 : 1.8});
}

/* Large marks first, so that none hides a smaller one. */
static void draw_points(chart_sheet *sheet) {
    size_t order[ROOF_CHART_POINT_MAX];
    for (size_t i = 0; i < sheet->chart->point_count; i++) {
        size_t at = i;
        for (; at > 0 && sheet->mark_radius[order[at - 1]] < sheet->mark_radius[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (size_t i = 0; i < sheet->chart->point_count; i++)
        draw_mark(sheet, order[i]);
}

/* An arrow whose head ends at (x2, y2); a very short one is a head only. */
static void draw_arrow(chart_sheet *sheet, const char *role, int index, int group, double x1, double y1, double x2,
                       double y2) {
    double length = hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
    if (!(length >= 3))
        return;
    double head = fmin(8, length), half = 0.56 * head, bx = x2 - ux * head, by = y2 - uy * head;
    if (length > head + 1)
        chart_add(sheet->layout, (chart_item){.kind = ITEM_LINE,
                                              .layer = LAYER_ARROW,
                                              .class = "gl",
                                              .role = role,
                                              .index = index,
                                              .group = group,
                                              .x = {x1, bx},
                                              .y = {y1, by},
                                              .corners = 2,
                                              .stroke = 2.2});
    chart_add(sheet->layout, (chart_item){.kind = ITEM_AREA,
                                          .layer = LAYER_ARROW,
                                          .class = "g",
                                          .role = "head",
                                          .index = -1,
                                          .group = group,
                                          .x = {x2, bx - uy * half, bx + uy * half, x2},
                                          .y = {y2, by + ux * half, by - ux * half, y2},
                                          .corners = 3});
}

static void draw_ghost(chart_sheet *sheet, size_t i) {
    const roof_chart_change *change = &sheet->chart->changes[i];
    bool diamond = sheet->chart->points[change->from].shape == 1;
    double radius = diamond ? 7 : 5.5, x, y, from_x = sheet->mark_x[change->from], from_y = sheet->mark_y[change->from];
    locate(sheet, change->intensity, change->attainable, radius, &x, &y);
    double length = hypot(x - from_x, y - from_y), start = sheet->mark_radius[change->from] + 1.5, end = radius + 2;
    if (length < sheet->mark_radius[change->from])
        return; /* nothing to see: the text alternative has it */
    if (length > start + end)
        draw_arrow(sheet, "change", (int)i, GHOST_GROUP + (int)i, from_x + (x - from_x) * start / length,
                   from_y + (y - from_y) * start / length, x - (x - from_x) * end / length,
                   y - (y - from_y) * end / length);
    chart_add(sheet->layout, (chart_item){.kind = diamond ? ITEM_DIAMOND : ITEM_CIRCLE,
                                          .layer = LAYER_MARK,
                                          .class = "hole gl",
                                          .role = "ghost",
                                          .index = (int)i,
                                          .group = GHOST_GROUP + (int)i,
                                          .x = {x},
                                          .y = {y},
                                          .radius = radius,
                                          .stroke = 2});
}

/* ---- headroom ---- */

typedef struct headroom {
    size_t point;
    double factor, x, from, to; /* vertical, pixels */
} headroom;

/* To the next measured point on the same vertical, else to the roof: arrows are chained, never drawn over each other.
 */
static bool find_headroom(const chart_sheet *sheet, size_t i, headroom *out) {
    const roof_chart *chart = sheet->chart;
    const roof_chart_point *point = &chart->points[i];
    if (!point->measured || !chart_has_place(point->intensity, point->attainable))
        return false;
    double reach = chart_point_roof(sheet->roofs, point), end = chart_at(&sheet->layout->y, reach) + 4;
    for (size_t j = 0; j < chart->point_count; j++) {
        bool above = sheet->mark_y[j] < sheet->mark_y[i] - 1 && fabs(sheet->mark_x[j] - sheet->mark_x[i]) < 1.5;
        double foot = sheet->mark_y[j] + sheet->mark_radius[j] + 3;
        bool chained = chart->points[j].measured && !(point->reach > 0); /* with a roof of its own: to that */
        if (above && chained && foot > end) {
            reach = chart->points[j].attainable;
            end = foot;
        }
    }
    *out =
        (headroom){i, reach / point->attainable, sheet->mark_x[i], sheet->mark_y[i] - sheet->mark_radius[i] - 3, end};
    return out->factor > 1;
}

/* Share of the time that the roof would save. */
static double gain_of(const chart_sheet *sheet, const headroom *room) {
    return sheet->chart->points[room->point].share * (1 - 1 / room->factor);
}

static const double usual_arrow = 20, short_arrow = 9, most_taller = 200; /* pixels */
static const double near_roof = 0.6; /* what reaches this much of its roof is not worth an arrow before others */

static bool before(const chart_sheet *sheet, const headroom *a, const headroom *b) {
    double left = gain_of(sheet, a), right = gain_of(sheet, b);
    if ((int)a->point == sheet->named || (int)b->point == sheet->named)
        return (int)a->point == sheet->named;
    return left > right || (left >= right && a->factor > b->factor);
}

/* The point below its roof with most of the time to gain: its arrow stands before all others. */
static void find_named(chart_sheet *sheet) {
    double most = 0.01;
    headroom room;
    sheet->named = -1;
    for (size_t i = 0; i < sheet->chart->point_count && sheet->chart->change_count == 0; i++)
        if (find_headroom(sheet, i, &room) && room.factor > 1 / near_roof && gain_of(sheet, &room) > most) {
            most = gain_of(sheet, &room);
            sheet->named = (int)i;
        }
}

/* Make room for the arrow worth most: a taller plot, then smaller marks too. False: there is more room now. Where none
 * can be made there are no arrows at all: one at another point would name the wrong kernel. */
static bool make_room(chart_sheet *sheet) {
    headroom room;
    const double least_radius = 10;
    find_named(sheet);
    if (sheet->named < 0 || sheet->arrows == 0 || !find_headroom(sheet, (size_t)sheet->named, &room) ||
        room.from - room.to >= short_arrow)
        return true;
    double lack = short_arrow + 0.5 - (room.from - room.to), height = sheet->layout->bottom - sheet->layout->top,
           drawn =
               (sheet->layout->y.high - sheet->layout->y.low) * (1 - 100 / height), /* decades between the margins */
        needed = sheet->taller + lack / log10(room.factor) * drawn;
    if (needed > most_taller && sheet->slope_radius > least_radius) {
        sheet->slope_radius = least_radius;
        return false;
    }
    if (needed > most_taller) {
        sheet->arrows = 0;
        return true;
    }
    sheet->taller = ceil(needed);
    return false;
}

/* The arrows worth drawing: the most time to gain, then the largest factors; with the what-ifs never above
 * three. */
static size_t choose_headroom(const chart_sheet *sheet, headroom out[ROOF_CHART_CHANGE_MAX]) {
    size_t found = 0, most = ROOF_CHART_CHANGE_MAX - sheet->chart->change_count;
    most = most < (size_t)sheet->arrows ? most : (size_t)sheet->arrows;
    for (size_t i = 0; i < sheet->chart->point_count && most > 0; i++) {
        headroom next;
        if (!find_headroom(sheet, i, &next) ||
            next.from - next.to < ((int)i == sheet->named ? short_arrow : usual_arrow))
            continue;
        size_t at = found < most ? found : most;
        for (; at > 0 && before(sheet, &next, &out[at - 1]); at--)
            if (at < most)
                out[at] = out[at - 1];
        if (at < most)
            out[at] = next;
        found += found < most;
    }
    return found;
}

bool chart_draw_marks(chart_sheet *sheet) {
    find_marks(sheet);
    if (!make_room(sheet))
        return false;
    find_leaders(sheet);
    for (size_t i = 0; i < sheet->chart->change_count && sheet->arrows; i++)
        draw_ghost(sheet, i);
    headroom arrows[ROOF_CHART_CHANGE_MAX];
    size_t count = choose_headroom(sheet, arrows);
    for (size_t i = 0; i < count; i++)
        draw_arrow(sheet, "headroom", (int)arrows[i].point, FACTOR_GROUP + (int)i, arrows[i].x, arrows[i].from,
                   arrows[i].x, arrows[i].to);
    draw_points(sheet);
    return true;
}

/* ---- words ---- */

/* How far two texts agree from the start, cut back to whole words. */
static size_t common_start(const char *a, const char *b) {
    size_t same = 0, word = 0;
    while (a[same] && a[same] == b[same]) {
        same++;
        if (a[same - 1] == ' ')
            word = same;
    }
    return a[same] == b[same] ? same : word;
}

static size_t common_end(const char *a, const char *b) {
    size_t la = strlen(a), lb = strlen(b), same = 0, word = 0;
    while (same < la && same < lb && a[la - same - 1] == b[lb - same - 1]) {
        same++;
        if (a[la - same] == ' ')
            word = same;
    }
    return word;
}

typedef struct joined_texts {
    const char *of[ROOF_CHART_POINT_MAX];
    size_t count, start, end; /* bytes that all share at both ends */
} joined_texts;

static void collect(const chart_sheet *sheet, size_t leader, bool details, joined_texts *out) {
    out->count = 0;
    for (size_t i = leader; i < sheet->chart->point_count; i++) {
        const roof_chart_point *point = &sheet->chart->points[i];
        const char *text = details ? point->detail : point->label;
        if (sheet->leader_of[i] == (int)leader)
            out->of[out->count++] = text ? text : "";
    }
    /* "decode, batch 1" and "batch 8" share "batch " */
    const char *comma = details ? NULL : strstr(out->of[0], ", ");
    const char *first = comma && out->count > 1 && common_start(comma + 2, out->of[1]) > 0 ? comma + 2 : out->of[0];
    out->start = strlen(first);
    out->end = details ? out->start : 0;
    for (size_t i = 1; i < out->count; i++) {
        size_t start = common_start(first, out->of[i]), end = common_end(first, out->of[i]);
        out->start = start < out->start ? start : out->start;
        out->end = end < out->end ? end : out->end;
    }
}

/* "batch 64 and 256"; "63.7k, 63.8k and 63.9k tok/s". Equal neighbours are named once, "batch 1" behind "decode, batch
 * 1" too. */
static size_t drop_repeats(joined_texts *texts) {
    size_t kept = 1;
    for (size_t i = 1; i < texts->count; i++)
        if (strcmp(texts->of[i], texts->of[kept - 1]) != 0 && texts->of[i][texts->start] != '\0')
            texts->of[kept++] = texts->of[i];
    return texts->count = kept;
}

static void enumerate(const joined_texts *texts, char *out, size_t size) {
    size_t used = 0, end = texts->end;
    for (size_t i = 0; i < texts->count && used < size; i++) {
        const char *text = texts->of[i] + (i ? texts->start : 0);
        int length = (int)(strlen(text) - (i + 1 < texts->count ? end : 0));
        used += (size_t)snprintf(out + used, size - used, "%s%.*s",
                                 i == 0                  ? ""
                                 : i + 1 == texts->count ? " and "
                                                         : ", ",
                                 length, text);
    }
}

static void join_names(const chart_sheet *sheet, size_t leader, double room, char *out, size_t size) {
    joined_texts texts;
    collect(sheet, leader, false, &texts);
    size_t count = drop_repeats(&texts);
    if (count <= 3)
        enumerate(&texts, out, size);
    if (count == 1 || (count <= 3 && chart_width(out, name_font) <= room))
        return;
    if (texts.start > 0)
        snprintf(out, size, "%s to %s (%zu)", texts.of[0], texts.of[count - 1] + texts.start, count);
    else
        snprintf(out, size, "%s and %zu more", texts.of[0], count - 1);
}

/* One detail for all: the same, or a few that differ in one place; else none. */
static void join_details(const chart_sheet *sheet, size_t leader, double room, char *out, size_t size) {
    joined_texts texts;
    collect(sheet, leader, true, &texts);
    size_t count = drop_repeats(&texts);
    bool simple = count <= 3;
    for (size_t i = 0; i < count && count > 1; i++) {
        const char *middle = texts.of[i] + texts.start;
        size_t length = strlen(middle);
        simple &=
            length > texts.end && !memchr(middle, ' ', length - texts.end) && !memchr(middle, ',', length - texts.end);
    }
    out[0] = '\0';
    if (simple)
        enumerate(&texts, out, size);
    if (count > 1 && chart_width(out, detail_font) > room)
        out[0] = '\0';
}

/* Points that the axes cannot hold say why; measured ones first of all. */
static void add_reason(const chart_sheet *sheet, const roof_chart_point *point, char *out, size_t size) {
    char reason[64], detail[CHART_LINE];
    if (chart_has_place(point->intensity, point->attainable))
        return;
    if (point->intensity > 1)
        snprintf(reason, sizeof reason, "no %.40s traffic", sheet->roofs->memory_kind);
    else
        snprintf(reason, sizeof reason, "no FLOPs");
    snprintf(detail, sizeof detail, "%s", out);
    snprintf(out, size, "%s%s%s", point->measured ? reason : detail, detail[0] ? ", " : "",
             point->measured ? detail : reason);
}

static const char *fitted(chart_sheet *sheet, const char *text, chart_font font, double most) {
    char out[CHART_LINE];
    chart_fit(out, text, font, most);
    return out[0] ? chart_keep(sheet->layout, out) : NULL;
}

/* "a, b, c" as far as whole parts fit; NULL: not even the first does. */
static const char *whole_parts(chart_sheet *sheet, const char *text, chart_font font, double most) {
    char out[2 * CHART_LINE];
    snprintf(out, sizeof out, "%s", text);
    while (out[0] && chart_width(out, font) > most) {
        char *comma = NULL;
        for (char *at = strstr(out, ", "); at; at = strstr(at + 2, ", "))
            comma = at;
        *(comma ? comma : out) = '\0';
    }
    return out[0] ? chart_keep(sheet->layout, out) : NULL;
}

/* What follows a kernel's name in its label: " and 2 more", " #2", " (rank 1)", " L2". */
static const char *tail_of(const char *label) {
    static const char *const starts[] = {" and ", " #", " ("};
    const char *space = strrchr(label, ' '), *tail = space ? space : label + strlen(label);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const char *found = strstr(label, starts[i]);
        tail = found && found < tail ? found : tail;
    }
    return tail;
}

/* A name that is too wide loses what compilers add, then its middle; what tells it from others stays. */
static const char *fitted_name(chart_sheet *sheet, const char *label, chart_font font, double most) {
    const char *tail = tail_of(label);
    char name[CHART_LINE], brief[CHART_LINE], shown[2 * CHART_LINE];
    snprintf(name, sizeof name, "%.*s", (int)(tail - label), label);
    snprintf(shown, sizeof shown, "%s", label);
    for (int columns = (int)strlen(name); columns >= 8 && chart_width(shown, font) > most; columns--)
        snprintf(shown, sizeof shown, "%s%s", chart_kernel_name(name, columns, brief, sizeof brief), tail);
    return fitted(sheet, shown, font, most);
}

/* ---- tags ---- */

static chart_tag *new_tag(chart_sheet *sheet, chart_tag_style style, int group, double x, double y, double radius) {
    chart_tag *tag = &sheet->tags[sheet->tag_count++];
    *tag = (chart_tag){.style = style, .group = group, .x = x, .y = y, .radius = radius, .forms = 1};
    return tag;
}

static chart_tag_style style_of(const chart_sheet *sheet, size_t i) {
    const roof_chart_point *point = &sheet->chart->points[i];
    const chart_layout *layout = sheet->layout;
    if (!chart_has_place(point->intensity, point->attainable))
        return TAG_INSIDE;
    double roof = chart_at(&layout->y, chart_point_roof(sheet->roofs, point));
    if (sheet->mark_y[i] - roof > (point->intensity < sheet->roofs->ridge ? 12 : 60))
        return TAG_INSIDE;
    return point->intensity < sheet->roofs->ridge ? TAG_SLOPE : point->measured ? TAG_INSIDE : TAG_FLAT;
}

static double label_room(const chart_sheet *sheet) {
    return sheet->narrow ? 170 : 250;
}

/* "221 tok/s, 4.5 ms; expected 6.6 ms": the last clause is left out where there is no room for all of it. */
static void drop_clause(char *detail, double room) {
    char *clause = strstr(detail, "; ");
    if (clause && chart_width(detail, detail_font) > room)
        *clause = '\0';
}

static void name_point(const chart_sheet *sheet, size_t i, double room, char name[CHART_LINE],
                       char detail[CHART_LINE]) {
    join_names(sheet, i, room, name, CHART_LINE);
    join_details(sheet, i, room, detail, CHART_LINE);
    drop_clause(detail, room);
    add_reason(sheet, &sheet->chart->points[i], detail, CHART_LINE);
    if (!name[0])
        snprintf(name, CHART_LINE, "unnamed");
}

static void tag_point(chart_sheet *sheet, size_t i) {
    const roof_chart_point *point = &sheet->chart->points[i];
    bound_class class = class_of(point->bound);
    char name[CHART_LINE], detail[CHART_LINE];
    name_point(sheet, i, label_room(sheet), name, detail);
    chart_tag *tag =
        new_tag(sheet, style_of(sheet, i), (int)i, sheet->mark_x[i], sheet->mark_y[i], sheet->mark_radius[i]);
    const char *shown = (point->measured ? fitted_name : fitted)(sheet, name, name_font, label_room(sheet));
    tag->form[0][0] = (chart_tag_line){shown, class.text, name_font};
    tag->form[0][1] = (chart_tag_line){whole_parts(sheet, detail, detail_font, label_room(sheet)), "mute", detail_font};
    tag->form[1][0] = tag->form[0][0];
    tag->forms = tag->form[0][1].text ? 2 : 1;
    tag->class = class.text;
    tag->hollow = point->measured;
    tag->number_allowed = true;
}

static void tag_ghost(chart_sheet *sheet, const chart_item *ghost) {
    double room = sheet->narrow ? 215 : label_room(sheet); /* "FP8 KV cache and weights" is whole */
    const char *text = sheet->chart->changes[ghost->index].label, *colon;
    text = text && text[0] ? text : "what-if";
    chart_tag *tag = new_tag(sheet, TAG_GHOST, ghost->group, ghost->x[0], ghost->y[0], ghost->radius);
    tag->form[0][0] = (chart_tag_line){fitted(sheet, text, green_font, room), "g", green_font};
    tag->class = "g";
    tag->number_allowed = true;
    if ((colon = strstr(text, ": ")) == NULL || colon == text || colon[2] == '\0')
        return;
    char first[CHART_LINE];
    snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
    int two = chart_width(text, green_font) > room ? 0 : 1; /* one line only if it is whole */
    tag->form[two][0] = (chart_tag_line){fitted(sheet, first, green_font, room), "g", green_font};
    tag->form[two][1] = (chart_tag_line){fitted(sheet, colon + 2, green_font, room), "g", green_font};
    tag->forms = two + 1;
}

static void tag_factor(chart_sheet *sheet, const chart_item *arrow) {
    headroom room;
    char number[NUMBER_SIZE], text[CHART_LINE];
    if (!find_headroom(sheet, (size_t)arrow->index, &room))
        return;
    snprintf(text, sizeof text, "%s\xC3\x97", number_digits(room.factor, 2, false, number));
    chart_tag *tag =
        new_tag(sheet, TAG_FACTOR, arrow->group, room.x, (room.from + room.to) / 2, (room.from - room.to) / 2);
    tag->form[0][0] = (chart_tag_line){chart_keep(sheet->layout, text), "g", green_font};
}

/* An arrow without room for its words is left out, with its ghost; the text alternative still has it. */
static void drop_arrow(chart_layout *layout, int group) {
    for (size_t i = 0; i < layout->count; i++)
        if (layout->items[i].group == group)
            layout->items[i].kind = ITEM_GONE;
}

/* Let a point without room share the label of the nearest point that has one, alike if there is one. */
static bool join_nearest(chart_sheet *sheet, size_t i) {
    double least = HUGE_VAL;
    size_t best = i;
    for (size_t t = 0; t < sheet->tag_count; t++) {
        size_t j = (size_t)sheet->tags[t].group;
        if (j >= sheet->chart->point_count || j == i)
            continue;
        double cost = distance(sheet, i, j) + (alike(&sheet->chart->points[i], &sheet->chart->points[j]) ? 0 : 1e6);
        if (cost < least) {
            least = cost;
            best = j;
        }
    }
    size_t later = i > best ? i : best;
    if (best == i)
        return false;
    if (sheet->joined[later] < 0)
        sheet->joined[later] = (int)(i > best ? best : i);
    return true;
}

/* The one worth most stays longest. */
static bool fewer_arrows(chart_sheet *sheet) {
    sheet->arrows = sheet->arrows > 1 && sheet->named >= 0 ? 1 : 0;
    return true;
}

/* What to do about a tag without a place. True when the pass must be made again. */
static bool give_way(chart_sheet *sheet, const chart_tag *tag) {
    if (tag->group == FACTOR_GROUP && sheet->named >= 0)
        return fewer_arrows(sheet);
    if (tag->group >= GHOST_GROUP)
        drop_arrow(sheet->layout, tag->group);
    else if (join_nearest(sheet, (size_t)tag->group))
        return true;
    else if (sheet->arrows)
        return fewer_arrows(sheet);
    else
        sheet->layout->unplaced++;
    return false;
}

bool chart_label_marks(chart_sheet *sheet) {
    chart_layout *layout = sheet->layout;
    size_t marks = layout->count;
    sheet->tag_count = 0;
    sheet->numbers = 0;
    for (size_t i = 0; i < marks; i++) {
        const chart_item *item = &layout->items[i];
        if (item->layer == LAYER_MARK && strcmp(item->role, "ghost") == 0)
            tag_ghost(sheet, item);
        else if (item->layer == LAYER_ARROW && strcmp(item->role, "headroom") == 0)
            tag_factor(sheet, item);
    }
    for (size_t i = 0; i < sheet->chart->point_count; i++)
        if (sheet->leader_of[i] == (int)i)
            tag_point(sheet, i);
    chart_place(layout, sheet->tags, sheet->tag_count, &sheet->numbers);
    bool again = false;
    for (size_t i = 0; i < sheet->tag_count; i++)
        if (!sheet->tags[i].placed)
            again |= give_way(sheet, &sheet->tags[i]);
    return !again;
}

/* ---- the list ---- */

/* In the list there is room for more than at the point. */
static const char *list_text(chart_sheet *sheet, const chart_tag *tag, double most) {
    char text[2 * CHART_LINE], name[CHART_LINE], detail[CHART_LINE];
    const char *second = tag->form[0][1].text;
    if (tag->style == TAG_GHOST) {
        snprintf(text, sizeof text, "%s%s%s", tag->form[0][0].text, second ? ": " : "", second ? second : "");
        return fitted(sheet, text, list_font, most);
    }
    name_point(sheet, (size_t)tag->group, most, name, detail);
    snprintf(text, sizeof text, "%s%s%s", name, detail[0] ? ", " : "", detail);
    const char *whole = whole_parts(sheet, text, list_font, most);
    return whole ? whole : fitted(sheet, text, list_font, most);
}

static const chart_tag *numbered(const chart_sheet *sheet, int number) {
    for (size_t i = 0; i < sheet->tag_count; i++)
        if (sheet->tags[i].number == number)
            return &sheet->tags[i];
    return NULL;
}

double chart_draw_list(chart_sheet *sheet, double y) {
    const double step = 17, indent = 22, gap = 24;
    double width = sheet->width - 2 * sheet->margin, widest = 100;
    for (int i = 1; i <= sheet->numbers; i++)
        widest =
            fmax(widest, chart_width(list_text(sheet, numbered(sheet, i), width - indent), list_font) + indent + gap);
    int columns = (int)fmax(1, floor((width + gap) / widest)), rows = (sheet->numbers + columns - 1) / columns;
    for (int i = 0; i < sheet->numbers; i++) {
        const chart_tag *tag = numbered(sheet, i + 1);
        double x = sheet->margin + i / rows * widest, at = y + i % rows * step;
        char number[16];
        snprintf(number, sizeof number, "%d", i + 1);
        chart_add_text(sheet->layout, LAYER_PAGE, tag->class, chart_keep(sheet->layout, number), number_font,
                       ANCHOR_END, x + 16, at)
            ->role = "list";
        chart_add_text(sheet->layout, LAYER_PAGE, "mute", list_text(sheet, tag, width - indent), list_font,
                       ANCHOR_START, x + indent, at)
            ->role = "list";
    }
    return y + rows * step;
}
