/* A saved measurement against a new one, roof by roof. */
#include "cli/machine/saved.h"

#include <stdio.h>
#include <stdlib.h>
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

/* What the system reports stands over where a sweep ended, and the larger of two over the smaller: other programs only
 * make a cache look smaller. Memory may have been changed: the new size counts. */
static void keep_sizes(const roof_machine *before, roof_machine *out) {
    for (int level = ROOF_L3; level < ROOF_LEVEL_COUNT; level++) {
        const roof_figure *was = &before->size[level];
        roof_figure *now = &out->size[level];
        bool reported = was->origin == ROOF_ORIGIN_GIVEN && now->origin == ROOF_ORIGIN_MEASURED;
        bool larger = was->origin == now->origin && was->value > now->value;
        if (was->origin != ROOF_ORIGIN_UNKNOWN && (now->origin == ROOF_ORIGIN_UNKNOWN || reported || larger))
            *now = *was;
    }
}

static void keep_unknown(const roof_figure *was, roof_figure *now) {
    if (now->origin == ROOF_ORIGIN_UNKNOWN)
        *now = *was;
}

static void merge_machine(const roof_machine *before, roof_machine *out) {
    keep_higher(before, out);
    keep_sizes(before, out);
    keep_unknown(&before->clock, &out->clock);
    keep_unknown(&before->launch, &out->launch);
    keep_unknown(&before->link_latency, &out->link_latency);
    keep_unknown(&before->host_link, &out->host_link);
}

/* ---- series ---- */

static bool is_same_series(const roof_sample *a, const roof_sample *b) {
    return a->pattern == b->pattern && a->unit == b->unit && a->dtype == b->dtype && a->level == b->level &&
           a->threads == b->threads && a->from_node == b->from_node && a->to_node == b->to_node &&
           strcmp(a->isa, b->isa) == 0;
}

/* How many like the `at`-th series stand before it: with and without huge pages, say. */
static size_t place_among_same(const roof_measurement *in, size_t at) {
    size_t count = 0;
    for (size_t i = 0; i < at; i++)
        count += is_same_series(&in->samples[i], &in->samples[at]);
    return count;
}

/* The same series of the other run; NULL: it has none. */
static const roof_sample *find_same(const roof_measurement *other, const roof_measurement *in, size_t at) {
    size_t place = place_among_same(in, at);
    for (size_t i = 0; i < other->sample_count; i++)
        if (is_same_series(&other->samples[i], &in->samples[at]) && place-- == 0)
            return &other->samples[i];
    return NULL;
}

static bool is_better(const roof_sample *a, const roof_sample *b) {
    return roof_pattern_is_time(a->pattern) ? a->value < b->value : a->value > b->value;
}

/* The better of each series, in the order of the new run, then those that only the old one has. */
static void merge_samples(const roof_measurement *before, const roof_measurement *after, roof_measurement *out) {
    size_t most = before->sample_count + after->sample_count, count = 0;
    roof_sample *list = keep_or_die(calloc(most ? most : 1, sizeof *list));
    for (size_t i = 0; i < after->sample_count; i++) {
        const roof_sample *was = find_same(before, after, i);
        list[count++] = was && is_better(was, &after->samples[i]) ? *was : after->samples[i];
    }
    for (size_t i = 0; i < before->sample_count; i++)
        if (!find_same(after, before, i))
            list[count++] = before->samples[i];
    out->samples = list;
    out->sample_count = count;
}

int saved_same_cpu(const roof_measurement *before, const roof_measurement *after, roof_error *error) {
    if (strcmp(before->cpu, after->cpu) == 0)
        return 0;
    roof_fail(error, ROOF_EUNSUPPORTED, "the saved measurement is from another CPU, '%.95s', and was not replaced",
              before->cpu);
    roof_hint(error, "--replace overwrites it, --save FILE names another place, --no-save only shows them");
    return -1;
}

int saved_merge(const roof_measurement *before, const roof_measurement *after, roof_measurement *out,
                roof_error *error) {
    if (saved_same_cpu(before, after, error))
        return -1;
    if (before->threads != after->threads) {
        roof_fail(error, ROOF_EUNSUPPORTED, "the saved roofs used %d core%s and the new ones %d: they cannot be merged",
                  before->threads, before->threads == 1 ? "" : "s", after->threads);
        roof_hint(error, "--replace saves the new ones, --threads %d measures as before, --no-save only shows them",
                  before->threads);
        return -1;
    }
    *out = *after;
    merge_machine(&before->machine, &out->machine);
    merge_machine(&before->one, &out->one);
    merge_samples(before, after, out);
    saved_keep_calibrations(before, out);
    return 0;
}
