/* Launches into groups, and the handle that owns a profile. */
#include "read/profile/build.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

static size_t utf8_length(const unsigned char *at) {
    size_t length = at[0] < 0x80                    ? 1
                    : at[0] >= 0xC2 && at[0] < 0xE0 ? 2
                    : at[0] >= 0xE0 && at[0] < 0xF0 ? 3
                    : at[0] >= 0xF0 && at[0] < 0xF5 ? 4
                                                    : 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

/* Control characters and bytes that are no UTF-8 become '?', so that every output can print the text. */
static void clean(char *text) {
    unsigned char *at = (unsigned char *)text;
    while (*at) {
        size_t length = utf8_length(at);
        if (length == 0 || *at < ' ' || *at == 0x7F) {
            *at++ = '?';
            continue;
        }
        at += length;
    }
}

const char *build_text(builder *to, const char *text) {
    if (!text)
        return NULL;
    size_t length = strlen(text);
    char *copy = arena_get(&to->memory, length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    clean(copy);
    return copy;
}

void build_warning(builder *to, const char *format, ...) {
    char text[WARNING_LENGTH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    clean(text);
    for (size_t i = 0; i < to->warning_count; i++)
        if (strcmp(to->warnings[i], text) == 0)
            return;
    if (to->warning_count < WARNINGS_MAX)
        strcpy(to->warnings[to->warning_count++], text);
}

/* ---- drafts ---- */

static roof_certainty weaker(roof_certainty a, roof_certainty b) {
    if (a == ROOF_CERTAINTY_MISSING || b == ROOF_CERTAINTY_MISSING || a == ROOF_CERTAINTY_AT_LEAST ||
        b == ROOF_CERTAINTY_AT_LEAST)
        return ROOF_CERTAINTY_AT_LEAST;
    return a == ROOF_CERTAINTY_COMPUTED || b == ROOF_CERTAINTY_COMPUTED ? ROOF_CERTAINTY_COMPUTED
                                                                        : ROOF_CERTAINTY_COUNTED;
}

/* The sum of two parts: a part that is missing makes it a lower bound; two missing parts stay missing. */
static void add_count(roof_count *sum, const roof_count *part) {
    if (sum->certainty == ROOF_CERTAINTY_MISSING && part->certainty == ROOF_CERTAINTY_MISSING)
        return;
    sum->certainty = weaker(sum->certainty, part->certainty);
    sum->value += part->value;
    if (!sum->from)
        sum->from = part->from;
}

static struct roof_measured_flops *entry_of(struct roof_measured_flops *entries, size_t *count, roof_unit unit,
                                            roof_dtype dtype) {
    for (size_t i = 0; i < *count; i++)
        if (entries[i].unit == unit && entries[i].dtype == dtype)
            return &entries[i];
    if (*count == ROOF_MEASURED_FLOPS)
        return NULL;
    entries[*count] = (struct roof_measured_flops){.unit = unit, .dtype = dtype};
    return &entries[(*count)++];
}

static bool is_new(const roof_count *count) {
    return count->certainty == ROOF_CERTAINTY_MISSING && !count->from;
}

static void put_count(roof_count *to, const roof_count *part) {
    if (is_new(to))
        *to = *part;
    else
        add_count(to, part);
}

void draft_flops(draft *to, roof_unit unit, roof_dtype dtype, double flops, roof_certainty certainty,
                 const char *from) {
    struct roof_measured_flops *entry = entry_of(to->flops, &to->flop_count, unit, dtype);
    roof_count part = {certainty == ROOF_CERTAINTY_MISSING ? 0 : flops, certainty, from ? from : ""};
    if (entry)
        put_count(&entry->count, &part);
}

void draft_bytes(draft *to, roof_level level, double bytes, roof_certainty certainty, const char *from) {
    roof_count part = {certainty == ROOF_CERTAINTY_MISSING ? 0 : bytes, certainty, from ? from : ""};
    put_count(&to->bytes[level], &part);
}

bool draft_event(draft *to, const char *event, double count, roof_certainty certainty) {
    const roof_event *weights = roof_event_find(event);
    if (!weights)
        return false;
    if (weights->flops != 0)
        draft_flops(to, weights->unit, weights->dtype, count * weights->flops, certainty, weights->name);
    if (weights->bytes != 0)
        draft_bytes(to, weights->level, count * weights->bytes, certainty, weights->name);
    return true;
}

/* ---- groups ---- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t hash_of(const draft *launch) {
    uint64_t hash = mix(0xCBF29CE484222325u, launch->name, strlen(launch->name) + 1);
    if (launch->where)
        hash = mix(hash, launch->where, strlen(launch->where));
    if (launch->operation)
        hash = mix(hash, launch->operation->shape, sizeof launch->operation->shape);
    return hash;
}

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_shape(const roof_operation *a, const roof_operation *b) {
    return a->kind == b->kind && memcmp(a->shape, b->shape, sizeof a->shape) == 0 &&
           memcmp(a->dtype, b->dtype, sizeof a->dtype) == 0;
}

static bool belongs(const launch_group *to, const draft *launch) {
    return strcmp(to->raw_name, launch->name) == 0 && same_text(to->raw_where, launch->where) &&
           to->point.has_operation == (launch->operation != NULL) &&
           (!launch->operation || same_shape(&to->point.operation, launch->operation));
}

static int grow(builder *to) {
    size_t slots = to->slots ? to->slots * 2 : 256;
    uint32_t *table = calloc(slots, sizeof *table);
    launch_group *groups = realloc(to->groups, slots / 2 * sizeof *groups);
    if (groups)
        to->groups = groups;
    if (!table || !groups) {
        free(table);
        return -1;
    }
    for (size_t i = 0; i < to->group_count; i++) {
        size_t at = to->groups[i].hash & (slots - 1);
        while (table[at])
            at = (at + 1) & (slots - 1);
        table[at] = (uint32_t)i + 1;
    }
    free(to->table);
    to->table = table;
    to->slots = slots;
    return 0;
}

static char *keep(builder *to, const char *text) {
    char *copy = text ? arena_get(&to->memory, strlen(text) + 1) : NULL;
    return copy ? strcpy(copy, text) : NULL;
}

static launch_group *find_group(builder *to, const draft *launch) {
    uint64_t hash = hash_of(launch);
    if (to->options.launches) /* every launch is new: no two may queue for one slot */
        hash = mix(hash, &to->group_count, sizeof to->group_count);
    if (to->group_count + 1 > to->slots / 2 && grow(to))
        return NULL;
    size_t at = hash & (to->slots - 1);
    for (; to->table[at]; at = (at + 1) & (to->slots - 1)) {
        launch_group *seen = &to->groups[to->table[at] - 1];
        if (!to->options.launches && seen->hash == hash && belongs(seen, launch))
            return seen;
    }
    launch_group made = {.hash = hash, .raw_name = keep(to, launch->name), .raw_where = keep(to, launch->where)};
    made.point = (roof_measured){.name = build_text(to, launch->name),
                                 .where = build_text(to, launch->where),
                                 .matrix_active = -1,
                                 .line = launch->line};
    if (!made.raw_name || !made.point.name || (launch->where && (!made.raw_where || !made.point.where)))
        return NULL;
    to->groups[to->group_count] = made;
    to->table[at] = (uint32_t)++to->group_count;
    return &to->groups[to->group_count - 1];
}

void build_each(builder *to) {
    to->options.launches = true;
}

/* Counts of a launch added to those of the group, whose first launch gives the figures as they are. */
static void add_counts(roof_measured *point, const draft *launch, bool first) {
    for (size_t i = 0; i < launch->flop_count; i++) {
        const struct roof_measured_flops *part = &launch->flops[i];
        size_t before = point->flop_count;
        struct roof_measured_flops *entry = entry_of(point->flops, &point->flop_count, part->unit, part->dtype);
        if (!entry)
            continue;
        if (first)
            entry->count = part->count;
        else if (point->flop_count > before) /* earlier launches had none of these */
            entry->count = (roof_count){part->count.value, ROOF_CERTAINTY_AT_LEAST, part->count.from};
        else
            add_count(&entry->count, &part->count);
    }
    for (size_t i = 0; i < point->flop_count && !first; i++) {
        bool given = false;
        for (size_t k = 0; k < launch->flop_count; k++)
            given |= launch->flops[k].unit == point->flops[i].unit && launch->flops[k].dtype == point->flops[i].dtype;
        if (!given && point->flops[i].count.certainty != ROOF_CERTAINTY_MISSING)
            point->flops[i].count.certainty = ROOF_CERTAINTY_AT_LEAST;
    }
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++) {
        if (first)
            point->bytes[level] = launch->bytes[level];
        else
            add_count(&point->bytes[level], &launch->bytes[level]);
    }
}

/* A mean weighted by time. */
static double blend(double mean, double weight, double value, double more, double none) {
    if (!(value > none))
        return mean;
    return mean > none && weight > 0 ? (mean * weight + value * more) / (weight + more) : value;
}

int build_launch(builder *to, const draft *launch) {
    launch_group *into = find_group(to, launch);
    if (!into)
        return roof_fail(to->error, ROOF_ENOMEM, "out of memory while reading measurements");
    roof_measured *point = &into->point;
    bool first = !(point->calls > 0);
    double before = point->seconds.value, time = launch->seconds.value, each = time / launch->calls;
    double least = launch->least_seconds > 0 ? launch->least_seconds : each;
    double most = launch->most_seconds > 0 ? launch->most_seconds : each;
    add_counts(point, launch, first);
    if (first)
        point->seconds = launch->seconds;
    else
        add_count(&point->seconds, &launch->seconds);
    if (launch->seconds.certainty != ROOF_CERTAINTY_MISSING) {
        point->least_seconds = point->least_seconds > 0 ? fmin(point->least_seconds, least) : least;
        point->most_seconds = fmax(point->most_seconds, most);
    }
    point->clock = blend(point->clock, before, launch->clock, time, 0);
    point->matrix_active = blend(point->matrix_active, before, launch->matrix_active, time, -1);
    point->calls += launch->calls;
    if (launch->missing)
        point->missing = launch->missing;
    if (launch->operation) {
        point->has_operation = true;
        point->operation = *launch->operation;
    }
    return 0;
}

/* ---- the rest ---- */

int build_run(builder *to, const roof_model_run *run) {
    if (to->run_count == to->run_room) {
        size_t room = to->run_room ? to->run_room * 2 : 16;
        roof_model_run *larger = realloc(to->runs, room * sizeof *larger);
        if (!larger)
            return roof_fail(to->error, ROOF_ENOMEM, "out of memory while reading measurements");
        to->runs = larger;
        to->run_room = room;
    }
    roof_model_run *copy = &to->runs[to->run_count++];
    *copy = *run;
    copy->model = build_text(to, run->model);
    copy->engine = build_text(to, run->engine);
    copy->device = build_text(to, run->device);
    copy->weights = build_text(to, run->weights);
    return 0;
}

roof_machine *build_machine(builder *to) {
    to->has_machine = true;
    return &to->machine;
}

roof_profile_info *build_info(builder *to) {
    return &to->info;
}

size_t build_points(const builder *to) {
    return to->group_count;
}
