/* The member "calibrations" of a machine file: what runs taught about the machine, an entry an engine. Format:
 * docs/calibrate.md, "In the machine file". */
#include <stdio.h>
#include <stdlib.h>

#include "read/machine/reader.h"
#include "roofline_expected.h"

static const double SECONDS_MOST = 1, SHARE_MOST = 1.5, EXPONENT_MOST = 100, FACTOR_MOST = 100, COUNT_MOST = 1e9;

/* ---- what a constant may be ---- */

/* A fit may find a little more than a roof where the roof is a datasheet's that the machine passes; more is none. */
static double most_of(roof_constant constant) {
    if (roof_constant_unit(constant)[0])
        return SECONDS_MOST;
    return constant == ROOF_CONSTANT_OVERLAP ? EXPONENT_MOST : SHARE_MOST;
}

/* ---- writing ---- */

static void write_constants(emit *json, const roof_calibration *from) {
    emit_array(json, "constants");
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++) {
        const roof_figure *value = &from->value[i];
        if (value->origin == ROOF_ORIGIN_UNKNOWN)
            continue;
        emit_row(json, NULL);
        emit_string(json, "name", roof_constant_name((roof_constant)i));
        emit_number(json, "value", value->value);
        emit_string(json, "origin", roof_origin_name(value->origin));
        if (value->source)
            emit_string(json, "source", value->source);
        if (from->spread[i] > 0)
            emit_number(json, "spread", from->spread[i]);
        emit_end(json);
    }
    emit_end(json);
}

static void write_intervals(emit *json, const roof_calibration *from) {
    emit_array(json, "intervals");
    for (int i = 0; i < ROOF_REGIME_COUNT; i++) {
        if (!(from->low[i] > 0 && from->high[i] > 0))
            continue;
        emit_row(json, NULL);
        emit_string(json, "regime", roof_regime_name((roof_regime)i));
        emit_number(json, "low", from->low[i]);
        emit_number(json, "high", from->high[i]);
        emit_end(json);
    }
    emit_end(json);
}

void calibrations_write(emit *json, const roof_machine *machine) {
    if (machine->calibration_count == 0)
        return;
    emit_array(json, "calibrations");
    for (size_t i = 0; i < machine->calibration_count; i++) {
        const roof_calibration *from = &machine->calibration[i];
        emit_object(json, NULL);
        emit_string(json, "engine", roof_engine_name(from->engine));
        emit_number(json, "runs", from->runs);
        if (from->date)
            emit_string(json, "date", from->date);
        if (from->source)
            emit_string(json, "source", from->source);
        write_constants(json, from);
        write_intervals(json, from);
        emit_end(json);
    }
    emit_end(json);
}

/* ---- reading ---- */

enum { KEY_SIZE = 40 };

/* One entry being read, and the item of its list we stand in: errors name both. */
typedef struct item {
    const machine_reader *in;
    const json_node *node;
    const char *list; /* "constants", "intervals" */
    size_t index;
    roof_calibration *out;
} item;

static const char *engine_name(int i) {
    return roof_engine_name((roof_engine)i);
}

static const char *constant_name(int i) {
    return roof_constant_name((roof_constant)i);
}

static const char *regime_name(int i) {
    return roof_regime_name((roof_regime)i);
}

static const char *origin_name(int i) {
    return roof_origin_name((roof_origin)(i + 1)); /* all but "unknown" */
}

static const char *key_of(const item *at, const char *key, char buffer[KEY_SIZE]) {
    snprintf(buffer, KEY_SIZE, "%s[%zu].%s", at->list, at->index, key);
    return buffer;
}

static int number_in(const item *at, const char *key, double least, double most, double *out) {
    char name[KEY_SIZE], place[PLACE_SIZE];
    const json_node *node = json_get(at->node, key);
    key_of(at, key, name);
    if (json_kind_of(node) != JSON_NODE_NUMBER)
        return machine_wrong_type(at->in, NULL, name, node, "a number");
    *out = json_number(node, 0);
    if (*out >= least && *out <= most)
        return 0;
    roof_fail(at->in->error, ROOF_EARGUMENT, "%s is %g: it must be %g to %g", machine_spell(at->in, NULL, name, place),
              *out, least, most);
    return machine_at(at->in, NULL);
}

static int choose_in(const item *at, const char *key, const char *(*name_of)(int), int count) {
    char name[KEY_SIZE];
    return machine_choose(at->in, NULL, key_of(at, key, name), json_get(at->node, key), name_of, count);
}

static int fail_twice(const item *at, const char *what) {
    char name[KEY_SIZE], place[PLACE_SIZE];
    snprintf(name, sizeof name, "%s[%zu]", at->list, at->index);
    roof_fail(at->in->error, ROOF_EFORMAT, "%s gives '%s' a second time", machine_spell(at->in, NULL, name, place),
              what);
    return machine_at(at->in, NULL);
}

/* A share must be above zero, as nothing would ever end; a time may be zero. */
static int read_constant(const item *at) {
    static const char *const known[] = {"name", "value", "origin", "source", "spread"};
    char name[KEY_SIZE];
    const json_node *source = json_get(at->node, "source");
    if (machine_check_keys(at->in, NULL, at->node, known, COUNT(known)))
        return -1;
    int which = choose_in(at, "name", constant_name, ROOF_CONSTANT_COUNT);
    int origin = which < 0 ? -1 : choose_in(at, "origin", origin_name, ROOF_ORIGIN_GIVEN);
    if (origin < 0)
        return -1;
    roof_constant constant = (roof_constant)which;
    roof_figure *value = &at->out->value[which];
    if (value->origin != ROOF_ORIGIN_UNKNOWN)
        return fail_twice(at, roof_constant_name(constant));
    *value = (roof_figure){.origin = (roof_origin)(origin + 1)};
    if (machine_text(at->in, NULL, key_of(at, "source", name), source, &value->source))
        return -1;
    double least = roof_constant_unit(constant)[0] || constant == ROOF_CONSTANT_OTHERS ? 0 : 1e-6;
    if (number_in(at, "value", least, most_of(constant), &value->value))
        return -1;
    return json_get(at->node, "spread") ? number_in(at, "spread", 0, FACTOR_MOST, &at->out->spread[which]) : 0;
}

static int read_interval(const item *at) {
    static const char *const known[] = {"regime", "low", "high"};
    if (machine_check_keys(at->in, NULL, at->node, known, COUNT(known)))
        return -1;
    int which = choose_in(at, "regime", regime_name, ROOF_REGIME_COUNT);
    if (which < 0)
        return -1;
    double *low = &at->out->low[which], *high = &at->out->high[which];
    if (*low > 0)
        return fail_twice(at, roof_regime_name((roof_regime)which));
    if (number_in(at, "low", 1 / FACTOR_MOST, FACTOR_MOST, low))
        return -1;
    return number_in(at, "high", *low, FACTOR_MOST, high);
}

static int read_items(const machine_reader *in, const json_node *node, const char *key, roof_calibration *out,
                      int (*read_one)(const item *)) {
    const json_node *list = json_get(node, key);
    if (list && json_kind_of(list) != JSON_NODE_LIST)
        return machine_wrong_type(in, NULL, key, list, "a list");
    for (size_t i = 0; i < json_size(list); i++) {
        item at = {.in = in, .node = json_at(list, i), .list = key, .index = i, .out = out};
        char name[KEY_SIZE];
        snprintf(name, sizeof name, "%s[%zu]", key, i);
        if (json_kind_of(at.node) != JSON_NODE_OBJECT)
            return machine_wrong_type(in, NULL, name, at.node, "an object");
        if (read_one(&at))
            return -1;
    }
    return 0;
}

static int read_text(const machine_reader *in, const json_node *node, const char *key, const char **out) {
    return machine_text(in, NULL, key, json_get(node, key), out);
}

static bool any_constant(const roof_calibration *of) {
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++)
        if (of->value[i].origin != ROOF_ORIGIN_UNKNOWN)
            return true;
    return false;
}

static int fail_entry(const machine_reader *in, const char *why, const char *what) {
    roof_fail(in->error, ROOF_EFORMAT, "%s[%zu]: %s%s", in->list, in->index, why, what);
    return machine_at(in, NULL);
}

static int read_calibration(machine_reader *in, const json_node *node) {
    static const char *const known[] = {"engine", "runs", "date", "source", "constants", "intervals"};
    roof_calibration *out = &in->calibrations[in->index];
    char place[PLACE_SIZE];
    if (machine_check_keys(in, NULL, node, known, COUNT(known)))
        return -1;
    int engine = machine_choose(in, NULL, "engine", json_get(node, "engine"), engine_name, ROOF_ENGINE_COUNT);
    if (engine < 0)
        return -1;
    out->engine = (roof_engine)engine;
    for (size_t i = 0; i < in->index; i++)
        if (in->calibrations[i].engine == out->engine)
            return fail_entry(in, "a second calibration of the engine ", roof_engine_name(out->engine));
    if (machine_value(in, NULL, json_get(node, "runs"), "runs", false, &out->runs))
        return -1;
    if (!(out->runs <= COUNT_MOST)) {
        roof_fail(in->error, ROOF_EARGUMENT, "%s is %g: it must be 1 to %g", machine_spell(in, NULL, "runs", place),
                  out->runs, COUNT_MOST);
        return machine_at(in, NULL);
    }
    if (read_text(in, node, "date", &out->date) || read_text(in, node, "source", &out->source) ||
        read_items(in, node, "constants", out, read_constant) || read_items(in, node, "intervals", out, read_interval))
        return -1;
    return any_constant(out) ? 0 : fail_entry(in, "it has no constant", "");
}

int calibrations_read(machine_reader *in, const json_node *node, roof_calibration **made) {
    const json_node *list = json_get(node, "calibrations");
    size_t count = json_kind_of(list) == JSON_NODE_LIST ? json_size(list) : 0;
    if (count > ROOF_ENGINE_COUNT) {
        roof_fail(in->error, ROOF_EFORMAT, "calibrations has %zu members: %d at most, one an engine", count,
                  ROOF_ENGINE_COUNT);
        return machine_at(in, "calibrations");
    }
    if (!list)
        return 0;
    in->calibrations = *made = calloc(count + 1, sizeof **made);
    if (!*made)
        return roof_fail(in->error, ROOF_ENOMEM, "out of memory while reading a machine");
    if (machine_read_list(in, node, "calibrations", read_calibration))
        return -1;
    in->machine->calibration = *made;
    in->machine->calibration_count = count;
    return 0;
}
