/* A chart of measured kernels: rings under the roofs they use, their share of the time as area, and in words what has
 * no place on it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/kernel_name.h"
#include "chart/words.h"
#include "roofline_profile.h"

#define DOT " \xC2\xB7 "

enum {
    DRAWN_MOST = 24,
    LEVELS_MOST = 5,
    NAME_WIDTH = 26,
    PLACE_WIDTH = 14,
    NUMBERED = 100,
    NAME_SIZE = 128,
    CEILING_MAX = 3
};
static const double rounding = 1.0005;

typedef struct profile_picture {
    const roof_machine *machine;
    const roof_placement *placed;
    size_t count;
    bool levels;
    size_t drawn[DRAWN_MOST];        /* the most time first */
    size_t drawn_count, out_of_view; /* kernels beyond those */
    size_t homeless, above;          /* of those chosen: without a place; above their roof */
    char homeless_names[160], above_names[160];
    const size_t *order; /* by seconds to gain */
    roof_level inner;    /* a cache whose bytes place a kernel; DRAM: none */
    roof_drawing *out;
} profile_picture;

/* ---- which are drawn ---- */

static bool known(const roof_count *count) {
    return count->certainty != ROOF_CERTAINTY_MISSING;
}

static bool has_flops(const roof_placement *placed) {
    const roof_measured *m = placed->measured;
    for (size_t i = 0; i < m->flop_count; i++)
        if (known(&m->flops[i].count))
            return true;
    return placed->flops > 0;
}

/* The outermost level at which the kernel has a place across the chart. */
static roof_level outermost(const roof_placement *placed) {
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++)
        if (placed->intensity[level] > 0)
            return (roof_level)level;
    return ROOF_LEVEL_COUNT;
}

/* FLOPs that are none stand at the left edge; none of the two may be unknown. */
static bool has_place(const roof_placement *placed) {
    return placed->seconds > 0 && has_flops(placed) &&
           (outermost(placed) < ROOF_LEVEL_COUNT || (placed->flops <= 0 && known(&placed->measured->bytes[ROOF_DRAM])));
}

static void choose(profile_picture *picture) {
    size_t most = picture->levels ? LEVELS_MOST : DRAWN_MOST;
    for (size_t i = 0; i < picture->count; i++) {
        size_t at = picture->drawn_count < most ? picture->drawn_count : most;
        while (at > 0 && picture->placed[picture->drawn[at - 1]].seconds < picture->placed[i].seconds) {
            if (at < most)
                picture->drawn[at] = picture->drawn[at - 1];
            at--;
        }
        if (at < most)
            picture->drawn[at] = i;
        if (picture->drawn_count < most)
            picture->drawn_count++;
        else
            picture->out_of_view++;
    }
}

/* ---- names ---- */

static size_t index_of(const profile_picture *picture, const roof_placement *placed) {
    return (size_t)(placed - picture->placed);
}

static bool same_place(const roof_measured *a, const roof_measured *b) {
    return a->where == b->where || (a->where && b->where && strcmp(a->where, b->where) == 0);
}

static bool is_ranked(const profile_picture *picture, size_t at) {
    for (size_t i = 0; i < picture->count && i < NUMBERED; i++)
        if (picture->order[i] == at)
            return true;
    return false;
}

typedef struct namesakes {
    size_t earlier; /* of the same place, by seconds to gain */
    bool elsewhere;
} namesakes;

static void meet(const profile_picture *picture, size_t at, size_t other, const char *name, bool earlier,
                 namesakes *out) {
    const roof_measured *a = picture->placed[at].measured, *b = picture->placed[other].measured;
    char short_name[NAME_SIZE];
    if (strcmp(chart_kernel_name(b->name, NAME_WIDTH, short_name, sizeof short_name), name) != 0)
        return;
    out->elsewhere |= !same_place(a, b);
    out->earlier += earlier && same_place(a, b);
}

/* Among those that the text numbers, and those drawn. */
static namesakes find_namesakes(const profile_picture *picture, size_t at, const char *name) {
    namesakes found = {0};
    bool earlier = true;
    for (size_t i = 0; i < picture->count && i < NUMBERED; i++) {
        if (picture->order[i] == at)
            earlier = false;
        else
            meet(picture, at, picture->order[i], name, earlier, &found);
    }
    for (size_t i = 0; i < picture->drawn_count; i++) {
        if (picture->drawn[i] == at)
            earlier = false;
        else if (!is_ranked(picture, picture->drawn[i]))
            meet(picture, at, picture->drawn[i], name, earlier, &found);
    }
    return found;
}

/* Kernels of one short name are told apart: by their place where that differs, else by a number, as in the text. */
static const char *label_of(const profile_picture *picture, size_t at, char *out, size_t size) {
    const roof_measured *m = picture->placed[at].measured;
    char place[NAME_SIZE];
    chart_kernel_name(m->name, NAME_WIDTH, out, size);
    namesakes found = find_namesakes(picture, at, out);
    if (found.elsewhere && m->where)
        chart_append(out, size, " (%s)", chart_kernel_name(m->where, PLACE_WIDTH, place, sizeof place));
    if (found.earlier > 0)
        chart_append(out, size, " #%zu", found.earlier + 1);
    return out;
}

/* "a, b and 3 more", as far as it fits. */
static void add_name(const profile_picture *picture, char *names, size_t size, size_t already, size_t at) {
    char brief[NAME_SIZE];
    if (already < 3)
        chart_append(names, size, "%s%s", already ? ", " : "", label_of(picture, at, brief, sizeof brief));
}

/* ---- roofs ---- */

static const roof_figure *peak_of(const roof_machine *machine, roof_unit unit, roof_dtype *dtype) {
    const roof_figure *peak = roof_machine_peak(machine, unit, *dtype);
    if (!peak && *dtype != ROOF_DTYPE_NONE) {
        *dtype = roof_machine_substitute(machine, unit, *dtype);
        peak = *dtype == ROOF_DTYPE_NONE ? NULL : roof_machine_peak(machine, unit, *dtype);
    }
    return peak;
}

typedef struct used_roof {
    roof_unit unit;
    roof_dtype dtype;
    double value;
} used_roof;

static void note_roof(const profile_picture *picture, roof_unit unit, roof_dtype dtype, used_roof used[], size_t *count,
                      size_t most) {
    const roof_figure *peak = peak_of(picture->machine, unit, &dtype);
    if (!peak)
        return;
    for (size_t i = 0; i < *count; i++)
        if (fabs(used[i].value / peak->value - 1) < 0.005)
            return;
    if (*count < most)
        used[(*count)++] = (used_roof){unit, dtype, peak->value};
}

/* FLOPs of no stated dtype may be of any: only the highest roof is above them all. */
static void note_highest(const profile_picture *picture, used_roof used[], size_t *count, size_t most) {
    used_roof best = {0};
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (int i = ROOF_DTYPE_NONE + 1; i < ROOF_DTYPE_COUNT; i++) {
            const roof_figure *peak = roof_machine_peak(picture->machine, (roof_unit)unit, (roof_dtype)i);
            if (peak && peak->value > best.value)
                best = (used_roof){(roof_unit)unit, (roof_dtype)i, peak->value};
        }
    if (best.value > 0)
        note_roof(picture, best.unit, best.dtype, used, count, most);
}

/* A kernel without FLOPs has no compute roof: any published one gives the picture its shape. */
static void any_roof(roof_drawing *out) {
    for (int unit = ROOF_UNIT_COUNT - 1; unit >= 0; unit--)
        for (int i = ROOF_DTYPE_NONE + 1; i < ROOF_DTYPE_COUNT; i++)
            if (roof_machine_peak(&out->machine, (roof_unit)unit, (roof_dtype)i)) {
                out->chart.unit = (roof_unit)unit;
                out->chart.dtype = (roof_dtype)i;
                return;
            }
}

static void add_ceiling(roof_drawing *out, const used_roof *roof) {
    char name[24];
    size_t at = out->chart.ceiling_count;
    if (at == CEILING_MAX)
        return;
    chart_dtype_name(roof_dtype_math(roof->dtype), name);
    snprintf(out->ceiling_names[at], sizeof out->ceiling_names[at], "%s %s", name, roof_unit_name(roof->unit));
    out->ceilings[at] = (roof_chart_ceiling){out->ceiling_names[at], roof->value};
    out->chart.ceiling_count++;
}

/* The highest compute roof that a drawn kernel uses is bold, the others are dashed. */
static void choose_roofs(profile_picture *picture) {
    used_roof used[16];
    size_t count = 0, bold = 0;
    roof_drawing *out = picture->out;
    for (size_t i = 0; i < picture->drawn_count; i++) {
        const roof_placement *placed = &picture->placed[picture->drawn[i]];
        const roof_measured *m = placed->measured;
        for (size_t k = 0; k < m->flop_count; k++)
            if (known(&m->flops[k].count) && m->flops[k].count.value > 0)
                m->flops[k].dtype == ROOF_DTYPE_NONE
                    ? note_highest(picture, used, &count, 16)
                    : note_roof(picture, m->flops[k].unit, m->flops[k].dtype, used, &count, 16);
        if (m->has_operation && m->operation.matrix_flops > 0)
            note_roof(picture, ROOF_MATRIX, m->operation.matrix_dtype, used, &count, 16);
        if (placed->bound == ROOF_BOUND_COMPUTE)
            note_roof(picture, placed->unit, placed->dtype, used, &count, 16);
    }
    if (count == 0) {
        any_roof(out);
        return;
    }
    for (size_t i = 1; i < count; i++)
        if (used[i].value > used[bold].value)
            bold = i;
    out->chart.unit = used[bold].unit;
    out->chart.dtype = used[bold].dtype;
    for (size_t i = 0; i < count; i++)
        if (i != bold)
            add_ceiling(out, &used[i]);
}

static void dash_level(roof_drawing *out, roof_level level) {
    if (level == ROOF_DRAM || level >= ROOF_LEVEL_COUNT || out->machine.bandwidth[level].origin == ROOF_ORIGIN_UNKNOWN)
        return;
    for (size_t i = 0; i < out->chart.level_count; i++)
        if (out->chart.levels[i] == level)
            return;
    if (out->chart.level_count < 3)
        out->chart.levels[out->chart.level_count++] = level;
}

/* ---- points ---- */

static void say_detail(const roof_placement *placed, roof_drawing *out, size_t at) {
    char share[NUMBER_SIZE], part[NUMBER_SIZE];
    if (placed->headroom > 0)
        chart_append(out->details[at], sizeof out->details[at], "%s of its roof, ",
                     number_percent(1 / placed->headroom, part));
    chart_append(out->details[at], sizeof out->details[at], "%s of the time", number_percent(placed->share, share));
}

static roof_chart_point *add_point(profile_picture *picture, const roof_placement *placed, const char *level) {
    roof_drawing *out = picture->out;
    size_t at = out->chart.point_count++;
    char name[NAME_SIZE];
    chart_append(out->labels[at], sizeof out->labels[at], "%s%s%s",
                 label_of(picture, index_of(picture, placed), name, sizeof name), level[0] ? " " : "", level);
    roof_chart_point *point = &out->points[at];
    point->attainable = placed->attained;
    point->share = placed->share;
    point->bound = placed->bound;
    point->measured = true;
    return point;
}

/* The compute roof that this kernel's own work runs under. */
static double own_peak(const chart_roofs *roofs, const roof_placement *placed) {
    return placed->compute_fraction > 0 ? fmin(roofs->peak, placed->attained / placed->compute_fraction) : roofs->peak;
}

/* A cache whose roof the kernel stands under though it is above DRAM's: the bytes of a call fit it. */
static roof_level cache_of(const profile_picture *picture, const chart_roofs *roofs, const roof_placement *placed) {
    static const roof_level caches[] = {ROOF_L3, ROOF_L2};
    const roof_machine *machine = picture->machine;
    double calls = placed->measured->calls > 0 ? placed->measured->calls : 1;
    double bytes = placed->intensity[ROOF_DRAM] > 0 ? placed->flops / placed->intensity[ROOF_DRAM] / calls : HUGE_VAL;
    if (placed->bound != ROOF_BOUND_MEMORY || placed->attained > own_peak(roofs, placed) * rounding)
        return ROOF_LEVEL_COUNT;
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        const roof_figure *size = &machine->size[caches[i]], *bandwidth = &machine->bandwidth[caches[i]];
        if (size->origin != ROOF_ORIGIN_UNKNOWN && bandwidth->origin != ROOF_ORIGIN_UNKNOWN && bytes <= size->value &&
            placed->attained <= placed->intensity[ROOF_DRAM] * bandwidth->value)
            return caches[i];
    }
    return ROOF_LEVEL_COUNT;
}

/* A ring stands at the FLOPs a byte of the level that binds it: there its arrow ends on that level's roof. */
static roof_level level_of(const roof_placement *placed) {
    bool inner = placed->bound == ROOF_BOUND_MEMORY && placed->level != ROOF_DRAM &&
                 placed->standing != ROOF_STANDING_ABOVE && placed->intensity[placed->level] > 0;
    return inner ? placed->level : outermost(placed);
}

static void add_one(profile_picture *picture, const chart_roofs *roofs, const roof_placement *placed) {
    roof_level level = level_of(placed);
    const char *word = level == ROOF_DRAM || level == ROOF_LEVEL_COUNT ? "" : roof_level_name(level);
    double reach = placed->attained * placed->headroom,
           intensity = level < ROOF_LEVEL_COUNT ? placed->intensity[level] : 0;
    if (placed->standing == ROOF_STANDING_ABOVE) {
        roof_level cache = cache_of(picture, roofs, placed);
        if (cache == ROOF_LEVEL_COUNT) {
            add_name(picture, picture->above_names, sizeof picture->above_names, picture->above++,
                     index_of(picture, placed));
            return;
        }
        word = cache == ROOF_L2 ? "(in L2?)" : "(in L3?)";
        reach = fmin(own_peak(roofs, placed), intensity * picture->machine->bandwidth[cache].value);
        dash_level(picture->out, cache);
    } else if (placed->bound == ROOF_BOUND_MEMORY) {
        dash_level(picture->out, placed->level);
    }
    if (level > ROOF_DRAM && level < ROOF_LEVEL_COUNT)
        picture->inner = level;
    roof_chart_point *point = add_point(picture, placed, word);
    say_detail(placed, picture->out, picture->out->chart.point_count - 1);
    point->intensity = intensity;
    point->reach = fmax(reach, reach > 0 ? point->attainable : 0);
    if (placed->bound == ROOF_BOUND_NONE)
        point->reach = fmax(chart_roof_at(roofs, intensity), point->attainable);
}

/* What the level's roof allows, and how much of it was reached. */
static void say_level(const roof_placement *placed, roof_level level, bool first, roof_drawing *out) {
    char part[NUMBER_SIZE], *detail = out->details[out->chart.point_count - 1];
    size_t size = sizeof out->details[0];
    if (placed->level_fraction[level] > 0)
        chart_append(detail, size, "%s of %s%s", number_percent(placed->level_fraction[level], part),
                     roof_level_name(level), first ? ", " : "");
    if (first)
        chart_append(detail, size, "%s of the time", number_percent(placed->share, part));
}

/* One ring a level. The arrow is that of the roof that binds, at its level; of compute at the outermost. */
static void add_levels(profile_picture *picture, const chart_roofs *roofs, const roof_placement *placed) {
    bool first = true;
    if (outermost(placed) == ROOF_LEVEL_COUNT) { /* no FLOPs: the left edge, whatever the level */
        add_one(picture, roofs, placed);
        return;
    }
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++) {
        const roof_figure *bandwidth = &picture->machine->bandwidth[level];
        if (!(placed->intensity[level] > 0))
            continue;
        double roof = own_peak(roofs, placed);
        if (bandwidth->origin != ROOF_ORIGIN_UNKNOWN)
            roof = fmin(roof, placed->intensity[level] * bandwidth->value);
        if (placed->attained > roof * 1.005) {
            add_name(picture, picture->above_names, sizeof picture->above_names, picture->above++,
                     index_of(picture, placed));
            continue;
        }
        bool binds = placed->bound == ROOF_BOUND_MEMORY ? placed->level == (roof_level)level : first;
        roof_chart_point *point = add_point(picture, placed, roof_level_name((roof_level)level));
        point->intensity = placed->intensity[level];
        point->reach = binds ? fmax(roof, point->attainable) : point->attainable;
        say_level(placed, (roof_level)level, first, picture->out);
        dash_level(picture->out, (roof_level)level);
        first = false;
    }
}

static void add_points(profile_picture *picture, const chart_roofs *roofs) {
    for (size_t i = 0; i < picture->drawn_count; i++) {
        const roof_placement *placed = &picture->placed[picture->drawn[i]];
        if (!has_place(placed))
            add_name(picture, picture->homeless_names, sizeof picture->homeless_names, picture->homeless++,
                     picture->drawn[i]);
        else
            (picture->levels ? add_levels : add_one)(picture, roofs, placed);
    }
}

/* ---- words ---- */

typedef struct title_facts {
    double share[4]; /* of the time, by standing */
    double most;     /* share of the time that the best could save */
    size_t best;     /* `count`: none */
} title_facts;

static title_facts gather_facts(const profile_picture *picture) {
    title_facts facts = {.best = picture->count};
    for (size_t i = 0; i < picture->count; i++) {
        const roof_placement *placed = &picture->placed[i];
        facts.share[placed->standing] += placed->share;
        if (placed->standing == ROOF_STANDING_BELOW && placed->saved > facts.most) {
            facts.most = placed->saved;
            facts.best = i;
        }
    }
    return facts;
}

/* What is near its roof leads only when it is a good part; else what is worth most. */
static void say_title(const profile_picture *picture) {
    static const double good_part = 0.0995;
    title_facts facts = gather_facts(picture);
    char number[NUMBER_SIZE], name[NAME_SIZE];
    roof_drawing *out = picture->out;
    double close = facts.share[ROOF_STANDING_NEAR];
    bool worth = facts.best < picture->count && facts.most >= 0.01, leads = close >= good_part;
    if (leads)
        chart_append(out->title, sizeof out->title, "%s of the time runs near its roof", number_percent(close, number));
    if (worth)
        chart_append(out->title, sizeof out->title, "%s %s could save up to %s%s", leads ? ";" : "Fixing",
                     label_of(picture, facts.best, name, sizeof name), number_percent(facts.most, number),
                     leads ? "" : " of the time");
    if (leads || worth)
        return;
    if (facts.share[ROOF_STANDING_UNKNOWN] >= 0.5)
        chart_append(out->title, sizeof out->title, "%s of the time cannot be judged",
                     number_percent(facts.share[ROOF_STANDING_UNKNOWN], number));
    else if (facts.share[ROOF_STANDING_ABOVE] >= 0.1)
        chart_append(out->title, sizeof out->title, "%s of the time is faster than its roof allows",
                     number_percent(facts.share[ROOF_STANDING_ABOVE], number));
    else if (close > 0)
        chart_append(out->title, sizeof out->title, "Only %s of the time runs near its roof",
                     number_percent(close, number));
    else
        chart_append(out->title, sizeof out->title, "No kernel is near its roof");
}

static void say_subtitle(const profile_picture *picture, const char *name) {
    roof_drawing *out = picture->out;
    char number[NUMBER_SIZE], count[NUMBER_SIZE];
    double seconds = 0;
    for (size_t i = 0; i < picture->count; i++)
        seconds += picture->placed[i].seconds;
    chart_append(out->subtitle, sizeof out->subtitle, "%.80s%s%s kernel%s, %s on one %.80s" DOT "measured",
                 name ? name : "", name ? ": " : "", number_whole((double)picture->count, count),
                 picture->count == 1 ? "" : "s", number_quantity(seconds, "s", 3, false, number),
                 out->machine.name ? out->machine.name : "machine");
}

/* "Above their roof, so not drawn: a, b, c and 5 more" */
static void say_names(roof_drawing *out, const char *why, const char *names, size_t count) {
    char number[NUMBER_SIZE];
    if (count == 0)
        return;
    chart_append(out->note, sizeof out->note, "%s%s, so not drawn: %s", out->note[0] ? ". " : "", why, names);
    if (count > 3)
        chart_append(out->note, sizeof out->note, " and %s more", number_whole((double)(count - 3), number));
}

static void say_left_out(const profile_picture *picture) {
    roof_drawing *out = picture->out;
    say_names(out, "Above their roof", picture->above_names, picture->above);
    say_names(out, "FLOPs or bytes not known", picture->homeless_names, picture->homeless);
    if (picture->out_of_view > 0) {
        char share[NUMBER_SIZE], count[NUMBER_SIZE];
        double rest = 0;
        for (size_t i = 0; i < picture->count; i++)
            rest += picture->placed[i].share;
        for (size_t i = 0; i < picture->drawn_count; i++)
            rest -= picture->placed[picture->drawn[i]].share;
        chart_append(out->note, sizeof out->note, "%s%s more kernel%s %s of the time", out->note[0] ? ". " : "",
                     number_whole((double)picture->out_of_view, count), picture->out_of_view > 1 ? "s take" : " takes",
                     number_percent(fmax(rest, 0), share));
    }
}

static void say_rest(const profile_picture *picture) {
    roof_drawing *out = picture->out;
    chart_append(out->foot, sizeof out->foot,
                 "\xE2\x97\x8B measured kernel, area = share of the time" DOT "colour = what limits it" DOT
                 "arrow = headroom%s",
                 picture->levels ? DOT "one ring a memory level" : "");
    if (!picture->levels && picture->inner)
        chart_append(out->foot, sizeof out->foot, DOT "%s at a name = per byte of %s", roof_level_name(picture->inner),
                     roof_level_name(picture->inner));
    const roof_figure *peak = roof_machine_peak(&out->machine, out->chart.unit, out->chart.dtype),
                      *memory = &out->machine.bandwidth[ROOF_DRAM];
    bool measured = peak && peak->origin == ROOF_ORIGIN_MEASURED && memory->origin == ROOF_ORIGIN_MEASURED;
    bool vendor = peak && peak->origin == ROOF_ORIGIN_DATASHEET && memory->origin == ROOF_ORIGIN_DATASHEET;
    chart_append(out->peaks, sizeof out->peaks, "%s%s. Bytes and FLOPs: as the profile has them.",
                 measured ? "Roofs: measured"
                 : vendor ? "Peaks: vendor figures, dense"
                          : "Roofs: given or derived",
                 (peak && peak->unchecked) || memory->unchecked ? ", not checked" : "");
}

static int draw_profile(const roof_machine *machine, const char *name, const roof_placement *placed, size_t count,
                        bool levels, const size_t *order, roof_drawing *out, roof_error *error) {
    profile_picture picture = {
        .machine = machine, .placed = placed, .count = count, .levels = levels, .order = order, .out = out};
    chart_roofs roofs;
    chart_begin(out, machine);
    choose(&picture);
    choose_roofs(&picture);
    if (chart_roofs_of(&out->chart, &roofs, error))
        return -1;
    add_points(&picture, &roofs);
    if (out->chart.point_count == 0) {
        roof_fail(error, ROOF_EUNSUPPORTED, "no kernel has a place on a chart: %s",
                  picture.above > 0 ? "they are above their roofs"
                  : count > 0       ? "FLOPs and bytes are not both known of any"
                                    : "there are none");
        return -1;
    }
    say_title(&picture);
    say_subtitle(&picture, name);
    say_left_out(&picture);
    say_rest(&picture);
    return 0;
}

int roof_chart_of_profile(const roof_machine *machine, const char *name, const roof_placement *placed, size_t count,
                          bool levels, roof_drawing *out, roof_error *error) {
    size_t *order = malloc((count + 1) * sizeof *order);
    if (!order)
        return roof_fail(error, ROOF_ENOMEM, "out of memory for a chart of %zu kernels", count);
    roof_rank(placed, count, order);
    int result = draw_profile(machine, name, placed, count, levels, order, out, error);
    free(order);
    return result;
}
