/* What the readers of machine files share: typed values, and errors that say where in the file they are. */
#include <stdio.h>
#include <string.h>

#include "core/names.h"
#include "read/machine/reader.h"

/* Put the place of `key` (NULL: of the list item) into the error that was just filled; of what is missing, that of the
 * object that lacks it. */
int machine_at(const machine_reader *in, const char *key) {
    const json_node *node = in->root, *found = NULL;
    for (size_t i = 0; i < in->depth; i++) {
        node = json_get(node, in->path[i]);
        found = node ? node : found;
    }
    if (in->list || key)
        node = json_get(node, in->list ? in->list : key);
    if (in->list && json_at(node, in->index))
        node = json_at(node, in->index);
    json_place(node ? node : found, in->error);
    return -1;
}

/* "roofs[3].value", "units", "units.value", "measurement.samples[3].value" */
const char *machine_spell(const machine_reader *in, const char *object, const char *key, char buffer[PLACE_SIZE]) {
    int used = 0;
    if (in->depth > 0 && strcmp(in->path[0], "machine") != 0)
        for (size_t i = 0; i < in->depth; i++)
            used += snprintf(buffer + used, PLACE_SIZE - (size_t)used, "%.12s%s", in->path[i],
                             in->list || object || key || i + 1 < in->depth ? "." : "");
    char *rest = buffer + used;
    size_t size = PLACE_SIZE - (size_t)used;
    if (in->list)
        snprintf(rest, size, "%s[%zu]%s%s", in->list, in->index, key ? "." : "", key ? key : "");
    else
        snprintf(rest, size, "%.24s%s%.24s", object ? object : "", object && key ? "." : "", key ? key : "");
    return buffer;
}

static const char *key_at(const void *context, size_t index) {
    return ((const char *const *)context)[index];
}

static int unknown_key(const machine_reader *in, const char *object, const char *key, const char *const *known,
                       size_t count) {
    char path[PLACE_SIZE];
    const char *best[1];
    name_list list = {.count = count, .at = key_at, .context = known};
    machine_spell(in, object, NULL, path);
    roof_fail(in->error, ROOF_EFORMAT, "%s%sunknown key '%.40s'", path, path[0] ? ": " : "", key);
    if (nearest_names(&list, key, best, 1) == 1)
        roof_hint(in->error, "did you mean '%s'?", best[0]);
    return machine_at(in, object ? object : key);
}

int machine_wrong_type(const machine_reader *in, const char *object, const char *key, const json_node *value,
                       const char *wanted) {
    char path[PLACE_SIZE];
    if (json_kind_of(value) == JSON_NODE_NONE)
        roof_fail(in->error, ROOF_EFORMAT, "%s is missing", machine_spell(in, object, key, path));
    else
        roof_fail(in->error, ROOF_EFORMAT, "%s is %s, not %s", machine_spell(in, object, key, path),
                  json_kind_name(json_kind_of(value)), wanted);
    return machine_at(in, object ? object : key);
}

/* What a terminal would obey. */
static bool is_control(unsigned char byte) {
    return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
}

int machine_text(const machine_reader *in, const char *object, const char *key, const json_node *value,
                 const char **out) {
    char path[PLACE_SIZE];
    *out = json_text(value);
    if (!*out)
        return value ? machine_wrong_type(in, object, key, value, "a string") : 0;
    for (const char *at = *out; *at; at++)
        if (is_control((unsigned char)*at)) {
            roof_fail(in->error, ROOF_EFORMAT, "%s holds a control character (byte 0x%02x)",
                      machine_spell(in, object, key, path), (unsigned)(unsigned char)*at);
            return machine_at(in, object ? object : key);
        }
    return 0;
}

/* A text that must be one of `names`; its index, or -1 after filling the error. */
int machine_choose(const machine_reader *in, const char *object, const char *key, const json_node *value,
                   const char *(*name_of)(int), int count) {
    char path[PLACE_SIZE], allowed[200] = "";
    const char *text = json_text(value);
    if (!text)
        return machine_wrong_type(in, object, key, value, "a string");
    for (int i = 0; i < count; i++) {
        if (name_equal(text, name_of(i)))
            return i;
        size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s%s", used ? ", " : "", name_of(i));
    }
    roof_fail(in->error, ROOF_EFORMAT, "%s '%.40s' is not one of %s", machine_spell(in, object, key, path), text,
              allowed);
    return machine_at(in, object ? object : key);
}

/* In SI units, from a latency to a rate of all computers there are: quotients of any two are finite. */
static const double FIGURE_LEAST = 1e-15, FIGURE_MOST = 1e27;

int machine_value(const machine_reader *in, const char *object, const json_node *node, const char *key,
                  bool may_be_zero, double *out) {
    char path[PLACE_SIZE];
    if (json_kind_of(node) != JSON_NODE_NUMBER)
        return machine_wrong_type(in, object, key, node, "a number");
    *out = json_number(node, 0);
    if ((*out >= FIGURE_LEAST && *out <= FIGURE_MOST) || (may_be_zero && *out == 0))
        return 0;
    if (*out > 0)
        roof_fail(in->error, ROOF_EARGUMENT, "%s is %g: no figure of a machine is below %g or above %g",
                  machine_spell(in, object, key, path), *out, FIGURE_LEAST, FIGURE_MOST);
    else
        roof_fail(in->error, ROOF_EARGUMENT, "%s is %g: it must be %s", machine_spell(in, object, key, path), *out,
                  may_be_zero ? "zero or more" : "above zero");
    return machine_at(in, object ? object : key);
}

static const char *origin_name(int i) {
    return roof_origin_name((roof_origin)(i + 1)); /* all but "unknown" */
}

const char *machine_unit_name(int i) {
    return roof_unit_name((roof_unit)i);
}

const char *machine_level_name(int i) {
    return roof_level_name((roof_level)i);
}

/* value, origin, source, unchecked: the part every figure has. A figure without origin was given by whoever wrote the
 * file. */
int machine_figure(const machine_reader *in, const char *object, const json_node *node, bool may_be_zero,
                   roof_figure *out) {
    const json_node *origin = json_get(node, "origin"), *source = json_get(node, "source"),
                    *unchecked = json_get(node, "unchecked");
    *out = (roof_figure){.origin = ROOF_ORIGIN_GIVEN};
    if (machine_value(in, object, json_get(node, "value"), "value", may_be_zero, &out->value))
        return -1;
    if (origin) {
        int i = machine_choose(in, object, "origin", origin, origin_name, ROOF_ORIGIN_GIVEN);
        if (i < 0)
            return -1;
        out->origin = (roof_origin)(i + 1);
    }
    if (machine_text(in, object, "source", source, &out->source))
        return -1;
    if (unchecked && json_kind_of(unchecked) != JSON_NODE_BOOL)
        return machine_wrong_type(in, object, "unchecked", unchecked, "true or false");
    out->unchecked = json_bool(unchecked, false);
    return 0;
}

int machine_check_keys(const machine_reader *in, const char *object, const json_node *node, const char *const *known,
                       size_t count) {
    const char *key;
    const json_node *value = NULL;
    size_t at = 0; /* keys mostly come in the order in which they are known */
    while (json_next_member(node, &value, &key)) {
        size_t tried = 0;
        while (tried < count && strcmp(key, known[at]) != 0) {
            at = at + 1 < count ? at + 1 : 0;
            tried++;
        }
        if (tried == count)
            return unknown_key(in, object, key, known, count);
    }
    return 0;
}

int machine_find_dtype(const machine_reader *in, const json_node *value, roof_dtype *out) {
    const char *names[ROOF_DTYPE_COUNT], *text = json_text(value), *best[1];
    char path[PLACE_SIZE];
    if (!text)
        return machine_wrong_type(in, NULL, "dtype", value, "a string");
    *out = roof_dtype_math(roof_dtype_parse(text));
    if (*out != ROOF_DTYPE_NONE)
        return 0;
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        names[i] = i ? roof_dtype_name((roof_dtype)i) : NULL;
    name_list list = {.count = ROOF_DTYPE_COUNT, .at = key_at, .context = names};
    roof_fail(in->error, ROOF_EFORMAT, "%s '%.40s' is not a data type", machine_spell(in, NULL, "dtype", path), text);
    if (nearest_names(&list, text, best, 1) == 1)
        roof_hint(in->error, "did you mean '%s'?", best[0]);
    return machine_at(in, "dtype");
}

/* ---- members ---- */

const machine_member machine_texts[MACHINE_TEXTS] = {
    {"id", offsetof(roof_machine, id), false},
    {"name", offsetof(roof_machine, name), false},
    {"vendor", offsetof(roof_machine, vendor), false},
    {"architecture", offsetof(roof_machine, architecture), false},
    {"scope", offsetof(roof_machine, scope), false},
    {"memory_kind", offsetof(roof_machine, memory_kind), false},
    {"link_kind", offsetof(roof_machine, link_kind), false},
    {"note", offsetof(roof_machine, note), false},
};

const machine_member machine_figures[MACHINE_FIGURES] = {
    {"usable", offsetof(roof_machine, usable), false},
    {"link_latency", offsetof(roof_machine, link_latency), true},
    {"link_devices", offsetof(roof_machine, link_devices), false},
    {"host_link", offsetof(roof_machine, host_link), false},
    {"launch", offsetof(roof_machine, launch), true},
    {"units", offsetof(roof_machine, units), false},
    {"clock", offsetof(roof_machine, clock), false},
    {"power", offsetof(roof_machine, power), false},
    {"price", offsetof(roof_machine, price), true},
};

roof_figure *machine_figure_at(roof_machine *machine, size_t at) {
    return (roof_figure *)(void *)((char *)machine + at);
}

int machine_read_list(machine_reader *in, const json_node *node, const char *key,
                      int (*read_item)(machine_reader *, const json_node *)) {
    const json_node *list = json_get(node, key);
    if (list && json_kind_of(list) != JSON_NODE_LIST)
        return machine_wrong_type(in, NULL, key, list, "a list");
    in->list = key;
    for (in->index = 0; in->index < json_size(list); in->index++) {
        const json_node *item = json_at(list, in->index);
        if (json_kind_of(item) != JSON_NODE_OBJECT)
            return machine_wrong_type(in, NULL, NULL, item, "an object");
        if (read_item(in, item))
            return -1;
    }
    in->list = NULL;
    return 0;
}
