/* Roofs of a chart, their names, the range of values it must show, and the refusal of points that cannot be. */
#include "chart/roofs.h"

#include "roofline_chart.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double allowance = 1.001; /* above its roof by rounding only */

void chart_dtype_name(roof_dtype dtype, char out[24]) {
    const char *name = roof_dtype_name(dtype);
    snprintf(out, 24, "%s%s", name[0] == 'f' && isdigit((unsigned char)name[1]) ? "FP" : "",
             name[0] == 'f' && isdigit((unsigned char)name[1]) ? name + 1 : name);
    for (char *at = out; *at; at++)
        *at = (char)toupper((unsigned char)*at);
}

static const roof_figure *known(const roof_figure *figure) {
    return figure->origin != ROOF_ORIGIN_UNKNOWN && figure->value > 0 && isfinite(figure->value) ? figure : NULL;
}

static bool is_integer(roof_dtype dtype) {
    return dtype >= ROOF_INT32 && dtype <= ROOF_INT4;
}

/* What engineers call the unit on their machine. */
static const char *unit_word(const roof_machine *machine, roof_unit unit, roof_dtype dtype) {
    const roof_figure *matrix = &machine->peak[ROOF_MATRIX][roof_dtype_math(dtype)];
    if (unit == ROOF_VECTOR || roof_machine_peak(machine, unit, dtype) != matrix)
        return "vector";
    return machine->vendor && strcmp(machine->vendor, "NVIDIA") == 0 ? "tensor" : "matrix";
}

static void name_peak(const chart_roofs *roofs, const roof_machine *machine, roof_unit unit, roof_dtype dtype,
                      chart_roof *roof) {
    char number[NUMBER_SIZE], name[24];
    const char *rate = is_integer(dtype) ? "OP/s" : "FLOP/s";
    chart_dtype_name(roof_dtype_math(dtype), name);
    number_digits(roof->value / roofs->unit.size, 3, true, number);
    snprintf(roof->name, sizeof roof->name, "%s %s %s %s%s", name, unit_word(machine, unit, dtype), number,
             roofs->unit.prefix, rate);
    snprintf(roof->brief, sizeof roof->brief, "%s %s %s%s", name, number, roofs->unit.prefix, rate);
}

static int find_bold(const roof_chart *chart, chart_roofs *out, roof_error *error) {
    const roof_machine *machine = chart->machine;
    const char *id = machine->id ? machine->id : "the machine";
    const roof_figure *peak = roof_machine_peak(machine, chart->unit, chart->dtype);
    if (!peak || !known(peak))
        return roof_fail(error, ROOF_EUNSUPPORTED, "%s has no %s roof, so there is nothing to draw points under", id,
                         roof_dtype_name(chart->dtype));
    const roof_figure *bandwidth = known(&machine->bandwidth[ROOF_DRAM]);
    if (!bandwidth)
        return roof_fail(error, ROOF_EUNSUPPORTED, "%s has no DRAM bandwidth, so its roofs have no ridge to draw", id);
    *out = (chart_roofs){.peak = peak->value, .bandwidth = bandwidth->value, .unit = chart_unit_of(peak->value)};
    out->ridge = out->peak / out->bandwidth;
    out->bold.value = out->peak;
    name_peak(out, machine, chart->unit, chart->dtype, &out->bold);
    snprintf(out->unit_name, sizeof out->unit_name, "%s%s", out->unit.prefix,
             is_integer(chart->dtype) ? "OP/s" : "FLOP/s");
    return 0;
}

static void name_memory(const roof_machine *machine, chart_roofs *out) {
    char quantity[CHART_NAME];
    const char *kind = machine->memory_kind && machine->memory_kind[0] ? machine->memory_kind : "DRAM";
    out->memory.value = out->bandwidth;
    snprintf(out->memory.name, sizeof out->memory.name, "%.40s %s", kind,
             number_quantity(out->bandwidth, "B/s", 3, true, quantity));
    strcpy(out->memory.brief, quantity);
    bool cache = kind[0] == 'L' && kind[1] >= '1' && kind[1] <= '3' && !kind[2]; /* work judged at a cache */
    strcpy(out->memory_kind, cache ? kind : strncmp(kind, "HBM", 3) == 0 ? "HBM" : "DRAM");
}

static void put_before(char text[CHART_NAME], const char *name) {
    char rest[CHART_NAME];
    strcpy(rest, text);
    snprintf(text, CHART_NAME, "%s, %.60s", name, rest);
}

/* Roofs of one height are one line with both names: "FP8, INT8 tensor 1,979 TFLOP/s". */
static bool join_peak(chart_roofs *out, double value, roof_dtype dtype) {
    for (size_t i = 0; i < out->peak_count; i++) {
        if (fabs(out->peaks[i].value / value - 1) > 0.005)
            continue;
        char name[24];
        chart_dtype_name(roof_dtype_math(dtype), name);
        if (!strstr(out->peaks[i].name, name)) {
            put_before(out->peaks[i].name, name);
            put_before(out->peaks[i].brief, name);
        }
        return true;
    }
    return fabs(out->peak / value - 1) <= 0.005;
}

static void add_ceiling(const roof_chart_ceiling *ceiling, bool integer, chart_roofs *out) {
    char number[NUMBER_SIZE];
    chart_roof *roof = &out->peaks[out->peak_count++];
    roof->value = ceiling->value;
    number_digits(ceiling->value / out->unit.size, 3, true, number);
    snprintf(roof->name, sizeof roof->name, "%.50s %s %s%s", ceiling->name, number, out->unit.prefix,
             integer ? "OP/s" : "FLOP/s");
    snprintf(roof->brief, sizeof roof->brief, "%.50s %s", ceiling->name, number);
}

static void find_dashed(const roof_chart *chart, chart_roofs *out) {
    const roof_machine *machine = chart->machine;
    for (size_t i = 0; i < chart->other_count && i < CHART_ROOF_MAX; i++) {
        const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, chart->others[i]);
        if (!peak || !known(peak) || join_peak(out, peak->value, chart->others[i]))
            continue;
        chart_roof *roof = &out->peaks[out->peak_count++];
        roof->value = peak->value;
        name_peak(out, machine, ROOF_MATRIX, chart->others[i], roof);
    }
    for (size_t i = 0; i < chart->ceiling_count && out->peak_count < CHART_ROOF_MAX; i++)
        if (chart->ceilings[i].value > 0 && isfinite(chart->ceilings[i].value))
            add_ceiling(&chart->ceilings[i], is_integer(chart->dtype), out);
    for (size_t i = 0; i < chart->level_count && i < CHART_ROOF_MAX; i++) {
        roof_level level = chart->levels[i];
        if (level <= ROOF_DRAM || level >= ROOF_LEVEL_COUNT || !known(&machine->bandwidth[level]))
            continue;
        if (machine->bandwidth[level].value < out->bandwidth * 1.02)
            continue; /* it would lie on the memory roof */
        chart_roof *roof = &out->levels[out->level_count++];
        char quantity[CHART_NAME];
        roof->value = machine->bandwidth[level].value;
        snprintf(roof->name, sizeof roof->name, "%s %.60s", roof_level_name(level),
                 number_quantity(roof->value, "B/s", 3, true, quantity));
        strcpy(roof->brief, roof->name);
    }
}

double chart_roof_at(const chart_roofs *roofs, double intensity) {
    return fmin(roofs->peak, intensity * roofs->bandwidth);
}

double chart_point_roof(const chart_roofs *roofs, const roof_chart_point *point) {
    return point->reach > 0 ? point->reach : chart_roof_at(roofs, point->intensity);
}

bool chart_has_place(double intensity, double attainable) {
    return intensity >= 1e-9 && intensity <= 1e12 && attainable >= 1e-3 && attainable <= 1e30;
}

static int refuse(const roof_chart *chart, const chart_roofs *roofs, const roof_chart_point *point, roof_error *error) {
    char got[CHART_NAME], most[CHART_NAME], intensity[NUMBER_SIZE];
    bool memory = point->intensity * roofs->bandwidth < roofs->peak;
    roof_fail(error, ROOF_EARGUMENT, "point '%.60s' is above the roof: %s at %s FLOP/B cannot pass %s on %.40s (%s)",
              point->label ? point->label : "", number_quantity(point->attainable, "FLOP/s", 3, true, got),
              number_digits(point->intensity, 3, true, intensity),
              number_quantity(chart_point_roof(roofs, point), "FLOP/s", 3, true, most),
              chart->machine->id ? chart->machine->id : "this machine", memory ? roofs->memory.name : roofs->bold.name);
    roof_hint(error, "check its time and counts, or draw it under the roof of the dtype it ran in");
    return -1;
}

static int check_point(const roof_chart *chart, const chart_roofs *roofs, const roof_chart_point *point,
                       roof_error *error) {
    if (!(point->intensity >= 0) || !(point->attainable >= 0) || isinf(point->attainable))
        return roof_fail(error, ROOF_EARGUMENT,
                         "point '%.60s' has no place: its intensity or FLOP/s is not a number of zero or more",
                         point->label ? point->label : "");
    if (point->attainable > chart_point_roof(roofs, point) * allowance)
        return refuse(chart, roofs, point, error);
    return 0;
}

static void widen(chart_roofs *out, double x, double y) {
    out->least_x = fmin(out->least_x, x);
    out->most_x = fmax(out->most_x, x);
    out->least_y = fmin(out->least_y, y);
    out->most_y = fmax(out->most_y, y);
}

static void find_range(const roof_chart *chart, chart_roofs *out) {
    out->least_x = out->most_x = out->ridge;
    out->least_y = out->most_y = out->peak;
    for (size_t i = 0; i < out->peak_count; i++)
        widen(out, out->peaks[i].value / out->bandwidth, out->peaks[i].value);
    for (size_t i = 0; i < out->level_count; i++)
        widen(out, out->peak / out->levels[i].value, out->peak);
    for (size_t i = 0; i < chart->point_count; i++)
        if (chart_has_place(chart->points[i].intensity, chart->points[i].attainable))
            widen(out, chart->points[i].intensity, chart->points[i].attainable);
    for (size_t i = 0; i < chart->change_count; i++)
        if (chart_has_place(chart->changes[i].intensity, chart->changes[i].attainable))
            widen(out, chart->changes[i].intensity, chart->changes[i].attainable);
}

static int check_counts(const roof_chart *chart, roof_error *error) {
    if (!chart->machine || (chart->point_count && !chart->points) || (chart->change_count && !chart->changes))
        return roof_fail(error, ROOF_EARGUMENT, "a chart needs a machine, and its points where it counts some");
    if (chart->point_count > ROOF_CHART_POINT_MAX)
        return roof_fail(error, ROOF_EARGUMENT, "%zu points are too many for one chart: at most %d", chart->point_count,
                         ROOF_CHART_POINT_MAX);
    if (chart->change_count > ROOF_CHART_CHANGE_MAX)
        return roof_fail(error, ROOF_EARGUMENT, "%zu what-ifs are too many for one chart: at most %d",
                         chart->change_count, ROOF_CHART_CHANGE_MAX);
    for (size_t i = 0; i < chart->change_count; i++)
        if (chart->changes[i].from >= chart->point_count)
            return roof_fail(error, ROOF_EARGUMENT, "a what-if starts from point %zu, but the chart has %zu",
                             chart->changes[i].from, chart->point_count);
    return 0;
}

int chart_roofs_of(const roof_chart *chart, chart_roofs *out, roof_error *error) {
    if (check_counts(chart, error) || find_bold(chart, out, error))
        return -1;
    name_memory(chart->machine, out);
    find_dashed(chart, out);
    for (size_t i = 0; i < chart->point_count; i++)
        if (check_point(chart, out, &chart->points[i], error))
            return -1;
    find_range(chart, out);
    return 0;
}
