/* The members of a machine in its file: texts, roofs, sizes, single figures, into a roof_machine. */
#include <math.h>
#include <string.h>

#include "read/machine/reader.h"

static const char *kind_name(int i) {
    static const char *const names[] = {"compute", "memory", "link"};
    return names[i];
}

static const char *accumulate_name(int i) {
    return i == 0 ? "f32" : "f16";
}

static const char *sparsity_name(int i) {
    return i == 0 ? "none" : "2:4";
}

/* Which roof a compute entry means: its offset in roof_machine. */
static int place_compute(const machine_reader *in, const json_node *node, size_t *at) {
    const json_node *accumulate = json_get(node, "accumulate"), *sparsity = json_get(node, "sparsity");
    roof_dtype dtype;
    int unit = machine_choose(in, NULL, "unit", json_get(node, "unit"), machine_unit_name, ROOF_UNIT_COUNT);
    if (unit < 0 || machine_find_dtype(in, json_get(node, "dtype"), &dtype))
        return -1;
    int narrow = accumulate ? machine_choose(in, NULL, "accumulate", accumulate, accumulate_name, 2) : 0;
    int sparse = sparsity ? machine_choose(in, NULL, "sparsity", sparsity, sparsity_name, 2) : 0;
    if (narrow < 0 || sparse < 0)
        return -1;
    if (narrow + sparse > (unit == ROOF_MATRIX)) {
        roof_fail(in->error, ROOF_EFORMAT,
                  "%s[%zu]: a roof with f16 accumulate or 2:4 sparsity is one or the other, of the matrix unit",
                  in->list, in->index);
        return machine_at(in, NULL);
    }
    *at = offsetof(roof_machine, peak) + ((size_t)unit * ROOF_DTYPE_COUNT + dtype) * sizeof(roof_figure);
    if (narrow)
        *at = offsetof(roof_machine, narrow) + dtype * sizeof(roof_figure);
    if (sparse)
        *at = offsetof(roof_machine, sparse) + dtype * sizeof(roof_figure);
    return 0;
}

static int place_level(const machine_reader *in, const json_node *node, size_t first, size_t *at) {
    int level = machine_choose(in, NULL, "level", json_get(node, "level"), machine_level_name, ROOF_LEVEL_COUNT);
    *at = first + (size_t)level * sizeof(roof_figure);
    return level < 0 ? -1 : 0;
}

static int fail_again(const machine_reader *in) {
    roof_fail(in->error, ROOF_EFORMAT, "%s[%zu] gives a figure that was given before", in->list, in->index);
    return machine_at(in, NULL);
}

/* A roof may be given for several numbers of cores: the one for the most counts, all of them when none is named. */
static int keep(machine_reader *in, size_t at, const roof_figure *figure, double cores) {
    roof_figure *seen = machine_figure_at(&in->cores, at);
    if (seen->origin != ROOF_ORIGIN_UNKNOWN && seen->value == cores)
        return fail_again(in);
    if (seen->origin != ROOF_ORIGIN_UNKNOWN && seen->value > cores)
        return 0;
    *seen = (roof_figure){.value = cores, .origin = ROOF_ORIGIN_GIVEN};
    *machine_figure_at(in->machine, at) = *figure;
    return 0;
}

/* Measured files keep those of one core apart, and what fewer cores reached is never the whole machine's. */
static int keep_roof(machine_reader *in, size_t at, const roof_figure *figure, double cores) {
    if (in->one && cores == 1) {
        roof_figure *one = machine_figure_at(in->one, at);
        if (one->origin != ROOF_ORIGIN_UNKNOWN)
            return fail_again(in);
        *one = *figure;
    }
    return cores < in->threads ? 0 : keep(in, at, figure, cores);
}

#define FIGURE_KEYS "value", "origin", "source", "unchecked"

static int read_roof(machine_reader *in, const json_node *node) {
    static const char *const compute[] = {"kind", FIGURE_KEYS, "cores", "unit", "dtype", "accumulate", "sparsity"};
    static const char *const memory[] = {"kind", FIGURE_KEYS, "cores", "level"};
    static const char *const link[] = {"kind", FIGURE_KEYS, "cores"};
    static const struct {
        const char *const *keys;
        size_t count;
    } known[] = {{compute, COUNT(compute)}, {memory, COUNT(memory)}, {link, COUNT(link)}};
    roof_figure figure;
    size_t at = offsetof(roof_machine, link);
    double cores = HUGE_VAL;
    int kind = machine_choose(in, NULL, "kind", json_get(node, "kind"), kind_name, 3);
    if (kind < 0 || machine_check_keys(in, NULL, node, known[kind].keys, known[kind].count))
        return -1;
    if (kind == 0 && place_compute(in, node, &at))
        return -1;
    if (kind == 1 && place_level(in, node, offsetof(roof_machine, bandwidth), &at))
        return -1;
    if (json_get(node, "cores") && machine_value(in, NULL, json_get(node, "cores"), "cores", false, &cores))
        return -1;
    if (machine_figure(in, NULL, node, false, &figure))
        return -1;
    return keep_roof(in, at, &figure, cores);
}

static int read_size(machine_reader *in, const json_node *node) {
    static const char *const known[] = {"level", FIGURE_KEYS};
    roof_figure figure;
    size_t at;
    if (machine_check_keys(in, NULL, node, known, COUNT(known)) ||
        place_level(in, node, offsetof(roof_machine, size), &at) || machine_figure(in, NULL, node, false, &figure))
        return -1;
    return keep(in, at, &figure, HUGE_VAL);
}

/* {"value": ...} or the bare number. */
static int read_single(const machine_reader *in, const machine_member *member, const json_node *node,
                       roof_figure *out) {
    const char *key = member->key;
    static const char *const known[] = {FIGURE_KEYS};
    if (json_kind_of(node) == JSON_NODE_NUMBER) {
        *out = (roof_figure){.origin = ROOF_ORIGIN_GIVEN};
        return machine_value(in, NULL, node, key, member->may_be_zero, &out->value);
    }
    if (json_kind_of(node) != JSON_NODE_OBJECT)
        return machine_wrong_type(in, NULL, key, node, "a number or an object");
    if (machine_check_keys(in, key, node, known, COUNT(known)))
        return -1;
    return machine_figure(in, key, node, member->may_be_zero, out);
}

static int read_year(const machine_reader *in, const json_node *node, int *year) {
    double value = json_number(node, 0);
    if (!node)
        return 0;
    if (json_kind_of(node) != JSON_NODE_NUMBER)
        return machine_wrong_type(in, NULL, "year", node, "a number");
    if (!(value >= 1900 && value <= 2200)) {
        roof_fail(in->error, ROOF_EARGUMENT, "year is %g: it must be 1900 to 2200", value);
        return machine_at(in, "year");
    }
    *year = (int)value;
    return 0;
}

static int check_machine_keys(const machine_reader *in, const json_node *node, bool roofs) {
    const char *known[MACHINE_TEXTS + MACHINE_FIGURES + 5];
    size_t count = 0;
    for (size_t i = 0; i < MACHINE_TEXTS; i++)
        known[count++] = machine_texts[i].key;
    for (size_t i = 0; i < MACHINE_FIGURES; i++)
        known[count++] = machine_figures[i].key;
    known[count++] = "year";
    known[count++] = "sizes";
    if (roofs) {
        known[count++] = "roofs";
        known[count++] = "calibrations";
    }
    if (in->depth == 0)
        known[count++] = "schema";
    return machine_check_keys(in, NULL, node, known, count);
}

static int read_texts(const machine_reader *in, const json_node *node) {
    for (size_t i = 0; i < MACHINE_TEXTS; i++) {
        const json_node *value = json_get(node, machine_texts[i].key);
        const char *text;
        if (machine_text(in, NULL, machine_texts[i].key, value, &text))
            return -1;
        if (!text && i == 0) /* only the id must be there */
            return machine_wrong_type(in, NULL, machine_texts[i].key, value, "a string");
        *(const char **)(void *)((char *)in->machine + machine_texts[i].at) = text;
    }
    if (in->machine->id[0] == '\0') {
        roof_fail(in->error, ROOF_EFORMAT, "id is empty");
        return machine_at(in, "id");
    }
    if (!in->machine->name)
        in->machine->name = in->machine->id;
    return 0;
}

static int read_roofs(machine_reader *in, const json_node *node) {
    const json_node *roofs = json_get(node, "roofs");
    if (!roofs || (json_kind_of(roofs) == JSON_NODE_LIST && json_size(roofs) == 0)) {
        roof_fail(in->error, ROOF_EFORMAT, "the machine has no roofs: key 'roofs' is missing or empty");
        roof_suggest(in->error, ROOF_REMEDY_MACHINE_FILE, "h100-sxm");
        return machine_at(in, "roofs");
    }
    return machine_read_list(in, node, "roofs", read_roof);
}

int machine_read_members(machine_reader *in, const json_node *node, bool roofs) {
    if (check_machine_keys(in, node, roofs) || read_texts(in, node) ||
        read_year(in, json_get(node, "year"), &in->machine->year) || (roofs && read_roofs(in, node)) ||
        machine_read_list(in, node, "sizes", read_size))
        return -1;
    for (size_t i = 0; i < MACHINE_FIGURES; i++) {
        const json_node *value = json_get(node, machine_figures[i].key);
        roof_figure *figure = machine_figure_at(in->machine, machine_figures[i].at);
        if (value && read_single(in, &machine_figures[i], value, figure))
            return -1;
    }
    return 0;
}
