/* The member "measurement" of a machine file: what roofline measure found, series by series. Format: docs/catalog.md.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/machine/reader.h"
#include "roofline_read.h"

enum {
    SAMPLES_MAX = 4096,
    WINDOWS_MAX = 400, /* of one series that are written: evenly chosen when there are more */
    THREADS_MAX = 65536,
    ISA_MAX = 32,
    TEXT_MAX = 160
};

static const double PARTS = 10000; /* windows are written in ten-thousandths of the value */

/* ---- what a measurement and a sample hold, for writing and reading ---- */

typedef struct text_member {
    const char *key;
    size_t at, size;
    bool required;
} text_member;

#define TEXT(type, name, required)                                                                                     \
    { #name, offsetof(type, name), sizeof(((type *)0)->name), required }

static const text_member texts[] = {
    TEXT(roof_measurement, date, true),        TEXT(roof_measurement, cpu, false),
    TEXT(roof_measurement, kernel, false),     TEXT(roof_measurement, compiler, false),
    TEXT(roof_measurement, hypervisor, false), TEXT(roof_measurement, effort, false),
    TEXT(roof_measurement, version, false),
};

static const text_member condition_texts[] = {
    TEXT(roof_condition, what, true),
    TEXT(roof_condition, cause, false),
    TEXT(roof_condition, remedy, false),
};

/* Numbers. Those equal to `absent` are not known, and not written. */
typedef struct number_member {
    const char *key;
    size_t at;
    bool whole, required;
    double absent, least, most;
} number_member;

#define MEASURED(name) .key = #name, .at = offsetof(roof_measurement, name)
#define SAMPLE(name) .key = #name, .at = offsetof(roof_sample, name)

static const number_member counts[] = {
    {MEASURED(cpus), .whole = true, .least = 1, .most = THREADS_MAX},
    {MEASURED(cores), .whole = true, .least = 1, .most = THREADS_MAX},
    {MEASURED(threads), .whole = true, .least = 1, .most = THREADS_MAX},
    {MEASURED(seconds), .least = 0, .most = 1e9},
};

static const number_member numbers[] = {
    {SAMPLE(threads), .whole = true, .least = 1, .most = THREADS_MAX},
    {SAMPLE(from_node), .whole = true, .absent = -1, .least = 0, .most = THREADS_MAX},
    {SAMPLE(to_node), .whole = true, .absent = -1, .least = 0, .most = THREADS_MAX},
    {SAMPLE(set_bytes), .least = 0, .most = 1e18},
    {SAMPLE(value), .required = true, .least = 1e-15, .most = 1e30},
    {SAMPLE(median), .least = 0, .most = 1e30},
    {SAMPLE(best), .least = 0, .most = 1e30},
    {SAMPLE(spread), .absent = -1, .least = 0, .most = 1e15},
    {SAMPLE(moved), .absent = 1, .least = 0, .most = 100},
    {SAMPLE(clock), .least = 0, .most = 1e12},
    {SAMPLE(per_cycle), .least = 0, .most = 1e12},
    {SAMPLE(huge), .absent = -1, .least = 0, .most = 1},
    {SAMPLE(window_seconds), .least = 0, .most = 1e9},
};

/* ---- writing ---- */

static void write_numbers(emit *json, const void *from, const number_member *members, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)from + members[i].at;
        double value = members[i].whole ? *(const int *)(const void *)at : *(const double *)(const void *)at;
        if (value != members[i].absent && value >= members[i].least && value <= members[i].most)
            emit_number(json, members[i].key, value);
    }
}

static void write_texts(emit *json, const void *from, const text_member *members, size_t count) {
    char clean[TEXT_MAX];
    for (size_t i = 0; i < count; i++) {
        const char *text = (const char *)from + members[i].at;
        if (*text || members[i].required)
            emit_string(json, members[i].key, emit_clean(text, clean, sizeof clean));
    }
}

/* Every window, or WINDOWS_MAX of them evenly chosen, in ten-thousandths of the value. */
static void write_windows(emit *json, const roof_sample *sample) {
    char text[WINDOWS_MAX * 11 + 1];
    size_t count = sample->window_count < WINDOWS_MAX ? sample->window_count : WINDOWS_MAX, used = 0;
    if (!sample->windows || count == 0 || !(sample->value > 0))
        return;
    for (size_t i = 0; i < count; i++) {
        double part = (double)sample->windows[i * sample->window_count / count] / sample->value * PARTS;
        part = part >= 0 && part < 1e9 ? round(part) : part >= 1e9 ? 999999999 : 0;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.0f", i ? " " : "", fmin(part, 999999999));
    }
    emit_string(json, "windows", text);
}

static void write_sample(emit *json, const roof_sample *sample) {
    char isa[ISA_MAX];
    emit_row(json, NULL);
    emit_string(json, "pattern", roof_pattern_name(sample->pattern));
    emit_string(json, "isa", emit_clean(sample->isa ? sample->isa : "", isa, sizeof isa));
    if (roof_pattern_is_compute(sample->pattern))
        emit_string(json, "unit", roof_unit_name(sample->unit));
    else
        emit_string(json, "level", roof_level_name(sample->level));
    if (sample->dtype != ROOF_DTYPE_NONE)
        emit_string(json, "dtype", roof_dtype_name(sample->dtype));
    write_numbers(json, sample, numbers, COUNT(numbers));
    emit_bool(json, "stable", sample->stable);
    write_windows(json, sample);
    emit_end(json);
}

static void write_measurement(emit *json, const roof_measurement *measurement) {
    emit_object(json, "measurement");
    write_texts(json, measurement, texts, COUNT(texts));
    write_numbers(json, measurement, counts, COUNT(counts));
    if (measurement->one.id) {
        emit_object(json, "one");
        machine_write_texts(json, &measurement->one);
        machine_write_figures(json, &measurement->one);
        emit_end(json);
    }
    emit_array(json, "samples");
    for (size_t i = 0; i < measurement->sample_count; i++)
        write_sample(json, &measurement->samples[i]);
    emit_end(json);
    emit_array(json, "conditions");
    for (size_t i = 0; i < measurement->condition_count; i++) {
        emit_row(json, NULL);
        write_texts(json, &measurement->conditions[i], condition_texts, COUNT(condition_texts));
        emit_end(json);
    }
    emit_end(json);
    emit_end(json);
}

int roof_measurement_write(const roof_measurement *measurement, roof_write write, void *context) {
    emit json = emit_to(write, context);
    emit_object(&json, NULL);
    emit_string(&json, "schema", MACHINE_SCHEMA);
    emit_object(&json, "machine");
    machine_write_texts(&json, &measurement->machine);
    emit_array(&json, "roofs");
    machine_write_roofs(&json, &measurement->machine, measurement->threads);
    if (measurement->threads > 1)
        machine_write_roofs(&json, &measurement->one, 1);
    emit_end(&json);
    machine_write_figures(&json, &measurement->machine);
    calibrations_write(&json, &measurement->machine);
    emit_end(&json);
    write_measurement(&json, measurement);
    emit_end(&json);
    return emit_finish(&json);
}

/* ---- reading ---- */

static int read_number(const machine_reader *in, const json_node *node, const number_member *member, void *out) {
    char place[PLACE_SIZE];
    double value = member->absent;
    if (json_kind_of(node) == JSON_NODE_NONE && member->required)
        return machine_wrong_type(in, NULL, member->key, node, "a number");
    if (json_kind_of(node) != JSON_NODE_NONE && json_kind_of(node) != JSON_NODE_NUMBER)
        return machine_wrong_type(in, NULL, member->key, node, "a number");
    if (node) {
        value = json_number(node, 0);
        if (!(value >= member->least && value <= member->most) || (member->whole && floor(value) != value)) {
            roof_fail(in->error, ROOF_EFORMAT, "%s is %g: it must be %s%g to %g",
                      machine_spell(in, NULL, member->key, place), value, member->whole ? "a whole number, " : "",
                      member->least, member->most);
            return machine_at(in, member->key);
        }
    }
    char *at = (char *)out + member->at;
    if (member->whole)
        *(int *)(void *)at = (int)value;
    else
        *(double *)(void *)at = value;
    return 0;
}

static int read_numbers(const machine_reader *in, const json_node *node, const number_member *members, size_t count,
                        void *out) {
    for (size_t i = 0; i < count; i++)
        if (read_number(in, json_get(node, members[i].key), &members[i], out))
            return -1;
    return 0;
}

static int fail_length(const machine_reader *in, const char *key, size_t length, size_t most) {
    char place[PLACE_SIZE];
    machine_spell(in, NULL, key, place);
    if (length == 0)
        roof_fail(in->error, ROOF_EFORMAT, "%s is empty", place);
    else
        roof_fail(in->error, ROOF_EFORMAT, "%s has %zu bytes: %zu at most", place, length, most);
    return machine_at(in, key);
}

static int read_texts(const machine_reader *in, const json_node *node, const text_member *members, size_t count,
                      void *out) {
    for (size_t i = 0; i < count; i++) {
        const json_node *value = json_get(node, members[i].key);
        const char *text;
        if (machine_text(in, NULL, members[i].key, value, &text))
            return -1;
        if (!text && !members[i].required)
            continue;
        if (!text)
            return machine_wrong_type(in, NULL, members[i].key, value, "a string");
        size_t length = strlen(text);
        if (length >= members[i].size || (length == 0 && members[i].required))
            return fail_length(in, members[i].key, length, members[i].size - 1);
        memcpy((char *)out + members[i].at, text, length + 1);
    }
    return 0;
}

/* Every key of the tables, and `more`. */
static int check_keys(const machine_reader *in, const json_node *node, const text_member *text, size_t text_count,
                      const number_member *number, size_t number_count, const char *const *more) {
    const char *known[COUNT(numbers) + 16];
    size_t count = 0;
    for (size_t i = 0; i < text_count; i++)
        known[count++] = text[i].key;
    for (size_t i = 0; i < number_count; i++)
        known[count++] = number[i].key;
    for (; *more; more++)
        known[count++] = *more;
    return machine_check_keys(in, NULL, node, known, count);
}

static const char *pattern_name(int i) {
    return roof_pattern_name((roof_pattern)i);
}

static int read_isa(const machine_reader *in, const json_node *node, const char **out) {
    const json_node *value = json_get(node, "isa");
    const char *text = json_text(value);
    if (!text)
        return machine_wrong_type(in, NULL, "isa", value, "a string");
    size_t length = strlen(text);
    if (length >= ISA_MAX)
        return fail_length(in, "isa", length, ISA_MAX - 1);
    *out = text;
    return 0;
}

/* Of which unit and data type, or of which level. */
static int read_subject(const machine_reader *in, const json_node *node, roof_sample *out) {
    static const char *const compute[] = {"pattern", "isa", "unit", "dtype", "stable", "windows", NULL};
    static const char *const memory[] = {"pattern", "isa", "level", "dtype", "stable", "windows", NULL};
    int pattern = machine_choose(in, NULL, "pattern", json_get(node, "pattern"), pattern_name, ROOF_PATTERN_COUNT);
    if (pattern < 0)
        return -1;
    out->pattern = (roof_pattern)pattern;
    bool computes = roof_pattern_is_compute(out->pattern);
    if (check_keys(in, node, NULL, 0, numbers, COUNT(numbers), computes ? compute : memory) ||
        read_isa(in, node, &out->isa))
        return -1;
    int which = computes
                    ? machine_choose(in, NULL, "unit", json_get(node, "unit"), machine_unit_name, ROOF_UNIT_COUNT)
                    : machine_choose(in, NULL, "level", json_get(node, "level"), machine_level_name, ROOF_LEVEL_COUNT);
    if (which < 0)
        return -1;
    if (computes)
        out->unit = (roof_unit)which;
    else
        out->level = (roof_level)which;
    /* The first files called it so on CPUs, where nothing is launched. */
    if (out->pattern == ROOF_PATTERN_LAUNCH && strcmp(out->isa, "base") == 0)
        out->pattern = ROOF_PATTERN_WAKE;
    return computes || json_get(node, "dtype") ? machine_find_dtype(in, json_get(node, "dtype"), &out->dtype) : 0;
}

/* Whole numbers of at most 9 digits with one blank between two, each times `scale`; the first WINDOWS_MAX go into
 * `out`. How many there are, 0 when the text is anything else. */
static size_t read_series(const json_node *text, double scale, float *out) {
    enum { DIGITS_MAX = 9 };
    const char *at = json_text(text), *end = at + json_text_length(text);
    size_t count = 0;
    while (at < end) {
        const char *from = at;
        unsigned value = 0, digit;
        for (; at < end && (digit = (unsigned char)*at - (unsigned)'0') <= 9; at++)
            value = value * 10 + digit; /* too many digits wrap, and are refused below */
        if (at == from || at - from > DIGITS_MAX || (at < end && (*at != ' ' || at + 1 == end)))
            return 0;
        if (count < WINDOWS_MAX)
            out[count] = (float)(value * scale);
        count++;
        at++;
    }
    return count;
}

static int read_windows(const machine_reader *in, const json_node *node, roof_sample *out) {
    const json_node *value = json_get(node, "windows");
    char place[PLACE_SIZE];
    if (!value)
        return 0;
    if (!json_text(value))
        return machine_wrong_type(in, NULL, "windows", value, "a string");
    float *windows = in->measured->windows + in->measured->window_count;
    size_t count = read_series(value, out->value / PARTS, windows);
    if (count > 0 && count <= WINDOWS_MAX) {
        out->windows = windows;
        out->window_count = count;
        in->measured->window_count += count;
        return 0;
    }
    machine_spell(in, NULL, "windows", place);
    if (count > 0)
        roof_fail(in->error, ROOF_EFORMAT, "%s has %zu numbers: %d at most", place, count, WINDOWS_MAX);
    else
        roof_fail(in->error, ROOF_EFORMAT, "%s is not a list of whole numbers with one blank between them", place);
    return machine_at(in, "windows");
}

static int read_sample(machine_reader *in, const json_node *node) {
    roof_sample *sample = &in->measured->samples[in->index];
    const json_node *stable = json_get(node, "stable");
    if (read_subject(in, node, sample) || read_numbers(in, node, numbers, COUNT(numbers), sample))
        return -1;
    if (json_kind_of(stable) != JSON_NODE_BOOL)
        return machine_wrong_type(in, NULL, "stable", stable, "true or false");
    sample->stable = json_bool(stable, false);
    return read_windows(in, node, sample);
}

/* A list of objects that is not longer than it may be. */
static int check_list(const machine_reader *in, const json_node *node, const char *key, size_t most) {
    const json_node *list = json_get(node, key);
    if (json_kind_of(list) != JSON_NODE_LIST || json_size(list) <= most)
        return 0;
    roof_fail(in->error, ROOF_EFORMAT, "measurement.%s has %zu members: %zu at most", key, json_size(list), most);
    return machine_at(in, key);
}

static int read_samples(machine_reader *in, const json_node *node) {
    size_t count = json_size(json_get(node, "samples")), windows = 1;
    if (check_list(in, node, "samples", SAMPLES_MAX))
        return -1;
    for (size_t i = 0; i < count; i++) /* two bytes a number at least */
        windows += json_text_length(json_get(json_at(json_get(node, "samples"), i), "windows")) / 2 + 1;
    in->measured->samples = calloc(count + 1, sizeof *in->measured->samples);
    in->measured->windows = calloc(windows, sizeof *in->measured->windows);
    if (!in->measured->samples || !in->measured->windows)
        return roof_fail(in->error, ROOF_ENOMEM, "out of memory while reading a machine");
    in->measured->measurement.samples = in->measured->samples;
    in->measured->measurement.sample_count = count;
    return machine_read_list(in, node, "samples", read_sample);
}

static int read_condition(machine_reader *in, const json_node *node) {
    static const char *const none[] = {NULL};
    roof_condition *condition = &in->measured->measurement.conditions[in->index];
    if (check_keys(in, node, condition_texts, COUNT(condition_texts), NULL, 0, none))
        return -1;
    in->measured->measurement.condition_count = in->index + 1;
    return read_texts(in, node, condition_texts, COUNT(condition_texts), condition);
}

int measured_begin(machine_reader *in, const json_node *node, measured **out) {
    static const char *const more[] = {"one", "samples", "conditions", NULL};
    machine_reader here = *in;
    here.depth = 0;
    if (json_kind_of(node) != JSON_NODE_OBJECT)
        return machine_wrong_type(&here, NULL, "measurement", node, "an object");
    measured *made = *out = calloc(1, sizeof *made);
    if (!made)
        return roof_fail(in->error, ROOF_ENOMEM, "out of memory while reading a machine");
    here.path[0] = "measurement";
    here.depth = 1;
    if (check_keys(&here, node, texts, COUNT(texts), counts, COUNT(counts), more) ||
        read_texts(&here, node, texts, COUNT(texts), &made->measurement) ||
        read_numbers(&here, node, counts, COUNT(counts), &made->measurement))
        return -1;
    in->one = &made->measurement.one;
    in->threads = made->measurement.threads;
    in->measured = made;
    return 0;
}

/* Texts and figures of one core: as given, else those of the machine. Its roofs are there already. */
static int read_one(machine_reader *in, const json_node *node, const roof_machine *machine, roof_machine *one) {
    roof_machine rest = *machine;
    rest.calibration = NULL; /* learnt with all cores */
    rest.calibration_count = 0;
    if (node && json_kind_of(node) != JSON_NODE_OBJECT)
        return machine_wrong_type(in, NULL, "one", node, "an object");
    machine_reader here = *in;
    here.path[here.depth++] = "one";
    here.machine = &rest;
    here.cores = (roof_machine){0};
    if (node) {
        rest = (roof_machine){0};
        if (machine_read_members(&here, node, false))
            return -1;
    }
    memcpy(rest.peak, one->peak, sizeof rest.peak);
    memcpy(rest.narrow, one->narrow, sizeof rest.narrow);
    memcpy(rest.sparse, one->sparse, sizeof rest.sparse);
    memcpy(rest.bandwidth, one->bandwidth, sizeof rest.bandwidth);
    rest.link = one->link;
    *one = rest;
    return 0;
}

/* Rates by pattern go with the roofs of as many cores. Other devices have no loads of a core. */
static void sustain(measured *out, roof_machine *machine) {
    roof_sustained_of(&out->measurement, out->measurement.threads, &out->all);
    roof_sustained_of(&out->measurement, 1, &out->one);
    machine->sustained = out->measurement.machine.sustained = out->all.loads > 0 ? &out->all : NULL;
    out->measurement.one.sustained = out->one.loads > 0 ? &out->one : NULL;
}

int measured_read(machine_reader *in, const json_node *node, roof_machine *machine, measured *out) {
    in->path[0] = "measurement";
    in->depth = 1;
    out->measurement.machine = *machine;
    if (read_one(in, json_get(node, "one"), machine, &out->measurement.one) || read_samples(in, node) ||
        check_list(in, node, "conditions", ROOF_CONDITION_MAX) ||
        machine_read_list(in, node, "conditions", read_condition))
        return -1;
    sustain(out, machine);
    return 0;
}

void measured_free(measured *made) {
    if (!made)
        return;
    free(made->samples);
    free(made->windows);
    free(made);
}

const roof_measurement *roof_machine_file_measurement(const roof_machine_file *file) {
    return file->measured ? &file->measured->measurement : NULL;
}
