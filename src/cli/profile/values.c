/* Figures of placed kernels that every output shows. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "chart/kernel_name.h"
#include "cli/profile/profile.h"

static const double matters = 0.02; /* share of the run below which fixing a kernel helps little */

static roof_certainty weaker(roof_certainty a, roof_certainty b) {
    if (a == ROOF_CERTAINTY_MISSING || b == ROOF_CERTAINTY_MISSING || a == ROOF_CERTAINTY_AT_LEAST ||
        b == ROOF_CERTAINTY_AT_LEAST)
        return ROOF_CERTAINTY_AT_LEAST;
    return a == ROOF_CERTAINTY_COMPUTED || b == ROOF_CERTAINTY_COMPUTED ? ROOF_CERTAINTY_COMPUTED
                                                                        : ROOF_CERTAINTY_COUNTED;
}

static double calls_of(const roof_measured *measured) {
    return measured->calls > 0 ? measured->calls : 1;
}

static bool is_known(const roof_count *count) {
    return count->certainty != ROOF_CERTAINTY_MISSING;
}

/* Counters of the units that `wanted` names; a unit whose count is missing makes the sum "at least". */
static roof_count counted_flops(const roof_measured *m, bool matrix_only) {
    roof_count sum = {0};
    bool any = false, lacks = m->matrix_active > 0;
    for (size_t i = 0; i < m->flop_count; i++) {
        const struct roof_measured_flops *entry = &m->flops[i];
        lacks &= entry->unit != ROOF_MATRIX || !is_known(&entry->count) || !(entry->count.value > 0);
        if (matrix_only && entry->unit != ROOF_MATRIX)
            continue;
        sum.certainty = any ? weaker(sum.certainty, entry->count.certainty) : entry->count.certainty;
        sum.value += is_known(&entry->count) ? entry->count.value : 0;
        sum.from = sum.from ? sum.from : entry->count.from;
        any = true;
    }
    if (lacks && is_known(&sum))
        sum.certainty = ROOF_CERTAINTY_AT_LEAST;
    return sum;
}

static bool is_whole(const roof_count *count) {
    return count->certainty == ROOF_CERTAINTY_COUNTED || count->certainty == ROOF_CERTAINTY_COMPUTED;
}

static roof_count of_operation(const roof_measured *m, double flops) {
    return (roof_count){flops * calls_of(m), m->operation.at_least ? ROOF_CERTAINTY_AT_LEAST : ROOF_CERTAINTY_COMPUTED,
                        "shapes"};
}

roof_count profile_flops(const roof_placement *placed) {
    const roof_measured *m = placed->measured;
    roof_count sum = counted_flops(m, false);
    double shapes = m->has_operation ? roof_operation_flops(&m->operation) : 0;
    return !is_whole(&sum) && shapes > 0 ? of_operation(m, shapes) : sum;
}

roof_count profile_matrix_flops(const roof_placement *placed) {
    const roof_measured *m = placed->measured;
    roof_count all = counted_flops(m, false);
    if (!is_whole(&all) && m->has_operation && roof_operation_flops(&m->operation) > 0)
        return of_operation(m, m->operation.matrix_flops);
    return counted_flops(m, true);
}

roof_count profile_bytes(const roof_placement *placed, roof_level level) {
    const roof_measured *m = placed->measured;
    roof_count bytes = m->bytes[level];
    if (!is_known(&bytes) && level == ROOF_DRAM && m->has_operation && m->operation.bytes[ROOF_DRAM] > 0)
        return of_operation(m, m->operation.bytes[ROOF_DRAM]);
    return bytes;
}

const char *profile_level_key(roof_level level) {
    static const char *const keys[ROOF_LEVEL_COUNT] = {
        [ROOF_DRAM] = "dram", [ROOF_L3] = "l3", [ROOF_L2] = "l2", [ROOF_L1] = "l1"};
    return keys[level];
}

const char *profile_certainty_name(roof_certainty certainty) {
    static const char *const names[] = {[ROOF_CERTAINTY_MISSING] = "missing",
                                        [ROOF_CERTAINTY_AT_LEAST] = "at least",
                                        [ROOF_CERTAINTY_COUNTED] = "counted",
                                        [ROOF_CERTAINTY_COMPUTED] = "computed"};
    return names[certainty];
}

const char *profile_roof(const roof_placement *placed, char *buffer, size_t size) {
    if (placed->bound == ROOF_BOUND_COMPUTE)
        snprintf(buffer, size, "%s %s", roof_dtype_name(roof_dtype_math(placed->dtype)), roof_unit_name(placed->unit));
    else
        snprintf(buffer, size, "%s",
                 placed->bound == ROOF_BOUND_MEMORY ? roof_level_name(placed->level)
                 : placed->bound == ROOF_BOUND_LINK ? "link"
                                                    : "");
    return buffer;
}

double profile_fraction(const roof_placement *placed) {
    return placed->headroom > 0 ? 1 / placed->headroom : 0;
}

profile_sums profile_sum(const profile_question *question, size_t first, size_t count) {
    profile_sums sums = {0};
    for (size_t i = first; i < first + count; i++) {
        const roof_placement *placed = &question->placed[i];
        sums.seconds += placed->seconds;
        sums.calls += placed->measured->calls;
        sums.gain += placed->gain;
        sums.saved += placed->saved;
        sums.share[placed->standing] += placed->share;
        sums.points[placed->standing]++;
    }
    return sums;
}

double profile_share(const profile_question *question, double fraction, bool above) {
    double share = 0;
    for (size_t i = 0; i < question->count; i++) {
        const roof_placement *placed = &question->placed[i];
        bool judged = placed->standing == ROOF_STANDING_NEAR || placed->standing == ROOF_STANDING_BELOW;
        if (judged && (profile_fraction(placed) >= fraction) == above)
            share += placed->share;
    }
    return share;
}

const char *profile_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

const char *profile_short_name(const char *name, int width, char buffer[PROFILE_LABEL]) {
    return chart_kernel_name(name, width, buffer, PROFILE_LABEL);
}

bool profile_is_worth(const roof_placement *placed) {
    return placed->standing == ROOF_STANDING_BELOW && placed->saved >= matters;
}

void profile_warn(profile_file *file, const char *format, ...) {
    if (file->warning_count == PROFILE_WARNINGS)
        return;
    char *text = file->warnings[file->warning_count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof file->warnings[0], format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < file->warning_count; i++)
        if (strcmp(file->warnings[i], text) == 0)
            return;
    file->warning_count++;
}

const char *profile_warning(const profile_file *file, size_t index) {
    size_t own = 0;
    while (own < index && roof_profile_warning(file->profile, own))
        own++;
    const char *read = roof_profile_warning(file->profile, own);
    return read ? read : index - own < file->warning_count ? file->warnings[index - own] : NULL;
}
