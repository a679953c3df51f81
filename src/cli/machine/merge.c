/* A saved measurement against a new one, roof by roof. */
#include "cli/machine/saved.h"

#include <stdio.h>
#include <string.h>

/* Roofs lie side by side in roof_machine: what each of them is. */
typedef struct roof_group {
    size_t at, count;
    const char *what; /* "vector"; NULL: levels */
} roof_group;

static const roof_group groups[] = {
    {offsetof(roof_machine, peak[ROOF_VECTOR]), ROOF_DTYPE_COUNT, "vector"},
    {offsetof(roof_machine, peak[ROOF_MATRIX]), ROOF_DTYPE_COUNT, "matrix"},
    {offsetof(roof_machine, narrow), ROOF_DTYPE_COUNT, "f16-accumulate"},
    {offsetof(roof_machine, sparse), ROOF_DTYPE_COUNT, "2:4 sparse"},
    {offsetof(roof_machine, bandwidth), ROOF_LEVEL_COUNT, NULL},
    {offsetof(roof_machine, link), 1, "link"},
};

enum { GROUPS = sizeof groups / sizeof *groups };

static double value_of(const roof_machine *machine, size_t at) {
    const roof_figure *figure = (const roof_figure *)(const void *)((const char *)machine + at);
    return figure->origin == ROOF_ORIGIN_UNKNOWN ? 0 : figure->value;
}

static void name_roof(const roof_group *group, size_t i, saved_change *out) {
    roof_dtype dtype = (roof_dtype)i;
    out->unit = "B/s";
    if (!group->what) {
        snprintf(out->name, sizeof out->name, "%s", roof_level_name((roof_level)i));
    } else if (group->count == 1) {
        snprintf(out->name, sizeof out->name, "%s", group->what);
    } else {
        snprintf(out->name, sizeof out->name, "%s %s", roof_dtype_name(dtype), group->what);
        out->unit = dtype >= ROOF_INT32 && dtype <= ROOF_INT4 ? "OP/s" : "FLOP/s";
    }
}

static size_t compare(const roof_machine *before, const roof_machine *after, int cores, saved_change *out) {
    size_t count = 0;
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < groups[g].count; i++) {
            size_t at = groups[g].at + i * sizeof(roof_figure);
            saved_change change = {.cores = cores, .before = value_of(before, at), .after = value_of(after, at)};
            name_roof(&groups[g], i, &change);
            if (change.before > 0 || change.after > 0)
                out[count++] = change;
        }
    return count;
}

size_t saved_changes(const roof_measurement *before, const roof_measurement *after,
                     saved_change out[SAVED_CHANGES_MAX]) {
    size_t count = 0;
    if (before->threads > 1 || after->threads > 1)
        count = compare(&before->one, &after->one, 1, out);
    return count + compare(&before->machine, &after->machine, after->threads, out + count);
}

void saved_keep_calibrations(const roof_measurement *before, roof_measurement *after) {
    if (strcmp(before->cpu, after->cpu) != 0)
        return;
    after->machine.calibration = before->machine.calibration;
    after->machine.calibration_count = before->machine.calibration_count;
}

static void keep_higher(const roof_machine *before, roof_machine *out) {
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < groups[g].count; i++) {
            size_t at = groups[g].at + i * sizeof(roof_figure);
            if (value_of(before, at) > value_of(out, at))
                memcpy((char *)out + at, (const char *)before + at, sizeof(roof_figure));
        }
}

int saved_same_cpu(const roof_measurement *before, const roof_measurement *after, roof_error *error) {
    if (strcmp(before->cpu, after->cpu) == 0)
        return 0;
    roof_fail(error, ROOF_EUNSUPPORTED, "the saved measurement is from another CPU, '%.95s', and was not replaced",
              before->cpu);
    roof_hint(error, "--replace overwrites it, --save FILE names another place");
    return -1;
}

int saved_merge(const roof_measurement *before, const roof_measurement *after, roof_measurement *out,
                roof_error *error) {
    if (saved_same_cpu(before, after, error))
        return -1;
    if (before->threads != after->threads) {
        roof_fail(error, ROOF_EUNSUPPORTED, "the saved roofs used %d core%s and the new ones %d: they cannot be merged",
                  before->threads, before->threads == 1 ? "" : "s", after->threads);
        roof_hint(error, "--replace saves the new ones, --threads %d measures as before", before->threads);
        return -1;
    }
    *out = *after;
    keep_higher(&before->machine, &out->machine);
    keep_higher(&before->one, &out->one);
    saved_keep_calibrations(before, out);
    return 0;
}
