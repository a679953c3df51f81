/* Machine files: a roof_machine as JSON, written and read back to the same figures. Format: docs/catalog.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "read/emit.h"
#include "read/json.h"

#define SCHEMA "roofline/1"
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct member {
    const char *key;
    size_t at; /* offset in roof_machine */
} member;

static const member texts[] = {
    {"id", offsetof(roof_machine, id)},
    {"name", offsetof(roof_machine, name)},
    {"vendor", offsetof(roof_machine, vendor)},
    {"architecture", offsetof(roof_machine, architecture)},
    {"scope", offsetof(roof_machine, scope)},
    {"memory_kind", offsetof(roof_machine, memory_kind)},
    {"link_kind", offsetof(roof_machine, link_kind)},
    {"note", offsetof(roof_machine, note)},
};

static const member figures[] = {
    {"usable", offsetof(roof_machine, usable)},
    {"link_latency", offsetof(roof_machine, link_latency)},
    {"link_devices", offsetof(roof_machine, link_devices)},
    {"host_link", offsetof(roof_machine, host_link)},
    {"launch", offsetof(roof_machine, launch)},
    {"units", offsetof(roof_machine, units)},
    {"clock", offsetof(roof_machine, clock)},
    {"power", offsetof(roof_machine, power)},
    {"price", offsetof(roof_machine, price)},
};

static roof_figure *figure_at(roof_machine *machine, size_t at) {
    return (roof_figure *)(void *)((char *)machine + at);
}

static const roof_figure *figure_of(const roof_machine *machine, size_t at) {
    return (const roof_figure *)(const void *)((const char *)machine + at);
}

/* ---- writing ---- */

static void write_figure(emit *json, const roof_figure *figure) {
    emit_number(json, "value", figure->value);
    emit_string(json, "origin", roof_origin_name(figure->origin));
    if (figure->source)
        emit_string(json, "source", figure->source);
    if (figure->unchecked)
        emit_bool(json, "unchecked", true);
    emit_end(json);
}

static void write_compute(emit *json, roof_unit unit, roof_dtype dtype, const char *variant, const char *value,
                          const roof_figure *figure) {
    if (figure->origin == ROOF_UNKNOWN)
        return;
    emit_row(json, NULL);
    emit_string(json, "kind", "compute");
    emit_string(json, "unit", roof_unit_name(unit));
    emit_string(json, "dtype", roof_dtype_name(dtype));
    if (variant)
        emit_string(json, variant, value);
    write_figure(json, figure);
}

static void write_level(emit *json, const char *kind, roof_level level, const roof_figure *figure) {
    if (figure->origin == ROOF_UNKNOWN)
        return;
    emit_row(json, NULL);
    if (kind)
        emit_string(json, "kind", kind);
    emit_string(json, "level", roof_level_name(level));
    write_figure(json, figure);
}

static void write_roofs(emit *json, const roof_machine *machine) {
    emit_array(json, "roofs");
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
            write_compute(json, (roof_unit)unit, (roof_dtype)i, NULL, NULL, &machine->peak[unit][i]);
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        write_compute(json, ROOF_MATRIX, (roof_dtype)i, "accumulate", "f16", &machine->narrow[i]);
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        write_compute(json, ROOF_MATRIX, (roof_dtype)i, "sparsity", "2:4", &machine->sparse[i]);
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        write_level(json, "memory", (roof_level)level, &machine->bandwidth[level]);
    if (machine->link.origin != ROOF_UNKNOWN) {
        emit_row(json, NULL);
        emit_string(json, "kind", "link");
        write_figure(json, &machine->link);
    }
    emit_end(json);
}

int roof_machine_write(const roof_machine *machine, roof_write write, void *context) {
    emit json = emit_to(write, context);
    emit_object(&json, NULL);
    emit_string(&json, "schema", SCHEMA);
    emit_object(&json, "machine");
    for (size_t i = 0; i < COUNT(texts); i++) {
        const char *const *text = (const char *const *)(const void *)((const char *)machine + texts[i].at);
        if (*text)
            emit_string(&json, texts[i].key, *text);
    }
    if (machine->year)
        emit_number(&json, "year", machine->year);
    write_roofs(&json, machine);
    emit_array(&json, "sizes");
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        write_level(&json, NULL, (roof_level)level, &machine->size[level]);
    emit_end(&json);
    for (size_t i = 0; i < COUNT(figures); i++) {
        const roof_figure *figure = figure_of(machine, figures[i].at);
        if (figure->origin == ROOF_UNKNOWN)
            continue;
        emit_row(&json, figures[i].key);
        write_figure(&json, figure);
    }
    emit_end(&json);
    emit_end(&json);
    return emit_finish(&json);
}

/* ---- reading ---- */

enum { WARNING_MAX = 4, WARNING_SIZE = 128, PATH_SIZE = 64 };

struct roof_machine_file {
    roof_machine machine;
    json_node *root; /* owns every string */
    char warnings[WARNING_MAX][WARNING_SIZE];
    size_t warning_count;
};

/* Where we are in the file, for messages, and what was given so far. */
typedef struct reader {
    roof_machine *machine;
    roof_machine cores; /* value: cores a roof was given for; origin: whether it was given */
    const char *text;
    size_t length;
    bool wrapped;     /* the machine is the member "machine" of the root */
    const char *list; /* "roofs", "sizes" or NULL */
    size_t index;     /* in that list */
    roof_error *error;
} reader;

/* Offset of item `index` of the list whose key is at `offset`, or `offset` itself. */
static long locate_item(const reader *in, long offset, size_t index) {
    size_t depth = 0, at = offset < 0 ? in->length : (size_t)offset;
    bool quoted = false;
    for (; at < in->length; at++) {
        char c = in->text[at];
        if (quoted || c == '"') {
            at += quoted && c == '\\';
            quoted = c == '"' ? !quoted : quoted;
            continue;
        }
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
        index -= depth == 1 && c == ',';
        if (depth == 1 && index == 0)
            break;
    }
    for (at++; at < in->length && in->text[at] && strchr(" \t\r\n", in->text[at]); at++)
        ;
    return at < in->length ? (long)at : offset;
}

/* Put the place of `key` (NULL: of the list item) into the error that was just filled. */
static int at_key(const reader *in, const char *key) {
    if (!in->error)
        return -1;
    const char *path[3];
    size_t depth = 0;
    if (in->wrapped)
        path[depth++] = "machine";
    if (in->list)
        path[depth++] = in->list;
    else if (key)
        path[depth++] = key;
    long offset = depth ? json_locate(in->text, in->length, path, depth) : -1;
    if (in->list)
        offset = locate_item(in, offset, in->index);
    in->error->offset = offset;
    in->error->line = json_line(in->text, in->length, offset);
    return -1;
}

/* "roofs[3].value", "units", "units.value" */
static const char *spell(const reader *in, const char *object, const char *key, char buffer[PATH_SIZE]) {
    if (in->list)
        snprintf(buffer, PATH_SIZE, "%s[%zu]%s%s", in->list, in->index, key ? "." : "", key ? key : "");
    else
        snprintf(buffer, PATH_SIZE, "%.24s%s%.24s", object ? object : "", object && key ? "." : "", key ? key : "");
    return buffer;
}

static const char *key_at(const void *context, size_t index) {
    return ((const char *const *)context)[index];
}

static int unknown_key(const reader *in, const char *object, const char *key, const char *const *known, size_t count) {
    char path[PATH_SIZE];
    const char *best[1];
    name_list list = {.count = count, .at = key_at, .context = known};
    spell(in, object, NULL, path);
    roof_fail(in->error, ROOF_EFORMAT, "%s%skey '%.40s' is not known here", path, path[0] ? ": " : "", key);
    if (nearest_names(&list, key, best, 1) == 1)
        roof_hint(in->error, "did you mean '%s'?", best[0]);
    return at_key(in, object ? object : key);
}

static int wrong_type(const reader *in, const char *object, const char *key, const json_node *value,
                      const char *wanted) {
    char path[PATH_SIZE];
    if (json_kind_of(value) == JSON_NODE_NONE)
        roof_fail(in->error, ROOF_EFORMAT, "%s is missing", spell(in, object, key, path));
    else
        roof_fail(in->error, ROOF_EFORMAT, "%s is %s, not %s", spell(in, object, key, path),
                  json_kind_name(json_kind_of(value)), wanted);
    return at_key(in, object ? object : key);
}

/* A text that must be one of `names`; its index, or -1 after filling the error. */
static int choose(const reader *in, const char *object, const char *key, const json_node *value,
                  const char *(*name_of)(int), int count) {
    char path[PATH_SIZE], allowed[128] = "";
    const char *text = json_text(value);
    if (!text)
        return wrong_type(in, object, key, value, "a string");
    for (int i = 0; i < count; i++) {
        if (name_equal(text, name_of(i)))
            return i;
        size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s%s", used ? ", " : "", name_of(i));
    }
    roof_fail(in->error, ROOF_EFORMAT, "%s '%.40s' is not one of %s", spell(in, object, key, path), text, allowed);
    return at_key(in, object ? object : key);
}

static const char *origin_name(int i) {
    return roof_origin_name((roof_origin)(i + 1)); /* all but "unknown" */
}

static const char *unit_name(int i) {
    return roof_unit_name((roof_unit)i);
}

static const char *level_name(int i) {
    return roof_level_name((roof_level)i);
}

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

static int read_value(const reader *in, const char *object, const json_node *node, const char *key, bool may_be_zero,
                      double *out) {
    char path[PATH_SIZE];
    if (json_kind_of(node) != JSON_NODE_NUMBER)
        return wrong_type(in, object, key, node, "a number");
    *out = json_number(node, 0);
    if (*out > 0 || (may_be_zero && *out == 0))
        return 0;
    roof_fail(in->error, ROOF_EARGUMENT, "%s is %g: it must be %s", spell(in, object, key, path), *out,
              may_be_zero ? "zero or more" : "above zero");
    return at_key(in, object ? object : key);
}

/* value, origin, source, unchecked: the part every figure has. A figure without origin was given by whoever wrote the
 * file. */
static int read_figure(const reader *in, const char *object, const json_node *node, bool may_be_zero,
                       roof_figure *out) {
    const json_node *origin = json_get(node, "origin"), *source = json_get(node, "source"),
                    *unchecked = json_get(node, "unchecked");
    *out = (roof_figure){.origin = ROOF_GIVEN};
    if (read_value(in, object, json_get(node, "value"), "value", may_be_zero, &out->value))
        return -1;
    if (origin) {
        int i = choose(in, object, "origin", origin, origin_name, ROOF_GIVEN);
        if (i < 0)
            return -1;
        out->origin = (roof_origin)(i + 1);
    }
    if (source && !json_text(source))
        return wrong_type(in, object, "source", source, "a string");
    if (unchecked && json_kind_of(unchecked) != JSON_NODE_BOOL)
        return wrong_type(in, object, "unchecked", unchecked, "true or false");
    out->source = json_text(source);
    out->unchecked = json_bool(unchecked, false);
    return 0;
}

static int check_keys(const reader *in, const char *object, const json_node *node, const char *const *known,
                      size_t count) {
    void *cursor = NULL;
    const char *key;
    const json_node *value;
    while (json_next(node, &cursor, &key, &value)) {
        size_t i = 0;
        while (i < count && strcmp(key, known[i]) != 0)
            i++;
        if (i == count)
            return unknown_key(in, object, key, known, count);
    }
    return 0;
}

static int find_dtype(const reader *in, const json_node *value, roof_dtype *out) {
    const char *names[ROOF_DTYPE_COUNT], *text = json_text(value), *best[1];
    char path[PATH_SIZE];
    if (!text)
        return wrong_type(in, NULL, "dtype", value, "a string");
    *out = roof_dtype_math(roof_dtype_parse(text));
    if (*out != ROOF_DTYPE_NONE)
        return 0;
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        names[i] = i ? roof_dtype_name((roof_dtype)i) : NULL;
    name_list list = {.count = ROOF_DTYPE_COUNT, .at = key_at, .context = names};
    roof_fail(in->error, ROOF_EFORMAT, "%s '%.40s' is not a data type", spell(in, NULL, "dtype", path), text);
    if (nearest_names(&list, text, best, 1) == 1)
        roof_hint(in->error, "did you mean '%s'?", best[0]);
    return at_key(in, "dtype");
}

/* Which roof a compute entry means: its offset in roof_machine. */
static int place_compute(const reader *in, const json_node *node, size_t *at) {
    const json_node *accumulate = json_get(node, "accumulate"), *sparsity = json_get(node, "sparsity");
    roof_dtype dtype;
    int unit = choose(in, NULL, "unit", json_get(node, "unit"), unit_name, ROOF_UNIT_COUNT);
    if (unit < 0 || find_dtype(in, json_get(node, "dtype"), &dtype))
        return -1;
    int narrow = accumulate ? choose(in, NULL, "accumulate", accumulate, accumulate_name, 2) : 0;
    int sparse = sparsity ? choose(in, NULL, "sparsity", sparsity, sparsity_name, 2) : 0;
    if (narrow < 0 || sparse < 0)
        return -1;
    if (narrow + sparse > (unit == ROOF_MATRIX)) {
        roof_fail(in->error, ROOF_EFORMAT,
                  "%s[%zu]: a roof with f16 accumulate or 2:4 sparsity is one or the other, of the matrix unit",
                  in->list, in->index);
        return at_key(in, NULL);
    }
    *at = offsetof(roof_machine, peak) + ((size_t)unit * ROOF_DTYPE_COUNT + dtype) * sizeof(roof_figure);
    if (narrow)
        *at = offsetof(roof_machine, narrow) + dtype * sizeof(roof_figure);
    if (sparse)
        *at = offsetof(roof_machine, sparse) + dtype * sizeof(roof_figure);
    return 0;
}

static int place_level(const reader *in, const json_node *node, size_t first, size_t *at) {
    int level = choose(in, NULL, "level", json_get(node, "level"), level_name, ROOF_LEVEL_COUNT);
    *at = first + (size_t)level * sizeof(roof_figure);
    return level < 0 ? -1 : 0;
}

/* A roof may be given for several numbers of cores: the one for the most counts, all of them when none is named. */
static int keep(reader *in, size_t at, const roof_figure *figure, double cores) {
    roof_figure *seen = figure_at(&in->cores, at);
    if (seen->origin != ROOF_UNKNOWN && seen->value == cores) {
        roof_fail(in->error, ROOF_EFORMAT, "%s[%zu] gives a figure that was given before", in->list, in->index);
        return at_key(in, NULL);
    }
    if (seen->origin != ROOF_UNKNOWN && seen->value > cores)
        return 0;
    *seen = (roof_figure){.value = cores, .origin = ROOF_GIVEN};
    *figure_at(in->machine, at) = *figure;
    return 0;
}

#define FIGURE_KEYS "value", "origin", "source", "unchecked"

static int read_roof(reader *in, const json_node *node) {
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
    int kind = choose(in, NULL, "kind", json_get(node, "kind"), kind_name, 3);
    if (kind < 0 || check_keys(in, NULL, node, known[kind].keys, known[kind].count))
        return -1;
    if (kind == 0 && place_compute(in, node, &at))
        return -1;
    if (kind == 1 && place_level(in, node, offsetof(roof_machine, bandwidth), &at))
        return -1;
    if (json_get(node, "cores") && read_value(in, NULL, json_get(node, "cores"), "cores", false, &cores))
        return -1;
    if (read_figure(in, NULL, node, false, &figure))
        return -1;
    return keep(in, at, &figure, cores);
}

static int read_size(reader *in, const json_node *node) {
    static const char *const known[] = {"level", FIGURE_KEYS};
    roof_figure figure;
    size_t at;
    if (check_keys(in, NULL, node, known, COUNT(known)) || place_level(in, node, offsetof(roof_machine, size), &at) ||
        read_figure(in, NULL, node, false, &figure))
        return -1;
    return keep(in, at, &figure, HUGE_VAL);
}

static int read_list(reader *in, const json_node *node, const char *key,
                     int (*read_item)(reader *, const json_node *)) {
    const json_node *list = json_get(node, key);
    if (list && json_kind_of(list) != JSON_NODE_LIST)
        return wrong_type(in, NULL, key, list, "a list");
    in->list = key;
    for (in->index = 0; in->index < json_size(list); in->index++) {
        const json_node *item = json_at(list, in->index);
        if (json_kind_of(item) != JSON_NODE_OBJECT)
            return wrong_type(in, NULL, NULL, item, "an object");
        if (read_item(in, item))
            return -1;
    }
    in->list = NULL;
    return 0;
}

/* {"value": ...} or the bare number. */
static int read_single(const reader *in, const char *key, const json_node *node, roof_figure *out) {
    static const char *const known[] = {FIGURE_KEYS};
    if (json_kind_of(node) == JSON_NODE_NUMBER) {
        *out = (roof_figure){.origin = ROOF_GIVEN};
        return read_value(in, NULL, node, key, true, &out->value);
    }
    if (json_kind_of(node) != JSON_NODE_OBJECT)
        return wrong_type(in, NULL, key, node, "a number or an object");
    if (check_keys(in, key, node, known, COUNT(known)))
        return -1;
    return read_figure(in, key, node, true, out);
}

static int read_year(const reader *in, const json_node *node, int *year) {
    double value = json_number(node, 0);
    if (!node)
        return 0;
    if (json_kind_of(node) != JSON_NODE_NUMBER)
        return wrong_type(in, NULL, "year", node, "a number");
    if (!(value >= 1900 && value <= 2200)) {
        roof_fail(in->error, ROOF_EARGUMENT, "year is %g: it must be 1900 to 2200", value);
        return at_key(in, "year");
    }
    *year = (int)value;
    return 0;
}

static int check_machine_keys(const reader *in, const json_node *node) {
    const char *known[COUNT(texts) + COUNT(figures) + 4];
    size_t count = 0;
    for (size_t i = 0; i < COUNT(texts); i++)
        known[count++] = texts[i].key;
    for (size_t i = 0; i < COUNT(figures); i++)
        known[count++] = figures[i].key;
    known[count++] = "year";
    known[count++] = "roofs";
    known[count++] = "sizes";
    if (!in->wrapped)
        known[count++] = "schema";
    return check_keys(in, NULL, node, known, count);
}

static int read_texts(const reader *in, const json_node *node) {
    for (size_t i = 0; i < COUNT(texts); i++) {
        const json_node *value = json_get(node, texts[i].key);
        const char *text = json_text(value);
        if (!text && (value || i == 0)) /* only the id must be there */
            return wrong_type(in, NULL, texts[i].key, value, "a string");
        *(const char **)(void *)((char *)in->machine + texts[i].at) = text;
    }
    if (in->machine->id[0] == '\0') {
        roof_fail(in->error, ROOF_EFORMAT, "id is empty");
        return at_key(in, "id");
    }
    if (!in->machine->name)
        in->machine->name = in->machine->id;
    return 0;
}

static int read_machine(reader *in, const json_node *node) {
    if (check_machine_keys(in, node) || read_texts(in, node) ||
        read_year(in, json_get(node, "year"), &in->machine->year))
        return -1;
    const json_node *roofs = json_get(node, "roofs");
    if (!roofs || (json_kind_of(roofs) == JSON_NODE_LIST && json_size(roofs) == 0)) {
        roof_fail(in->error, ROOF_EFORMAT, "the machine has no roofs: key 'roofs' is missing or empty");
        roof_hint(in->error, "'roofline machines --show h100-sxm --json' prints a machine file to start from");
        return at_key(in, "roofs");
    }
    if (read_list(in, node, "roofs", read_roof) || read_list(in, node, "sizes", read_size))
        return -1;
    for (size_t i = 0; i < COUNT(figures); i++) {
        const json_node *value = json_get(node, figures[i].key);
        if (value && read_single(in, figures[i].key, value, figure_at(in->machine, figures[i].at)))
            return -1;
    }
    return 0;
}

/* The machine in the root: the root itself, or its member "machine". */
static const json_node *unwrap(reader *in, const json_node *root) {
    static const char *const known[] = {"schema", "machine"};
    const json_node *schema = json_get(root, "schema"), *machine = json_get(root, "machine");
    if (json_kind_of(root) != JSON_NODE_OBJECT) {
        roof_fail(in->error, ROOF_EFORMAT, "a machine file is an object, not %s", json_kind_name(json_kind_of(root)));
        return NULL;
    }
    if (schema && (!json_text(schema) || strcmp(json_text(schema), SCHEMA) != 0)) {
        roof_fail(in->error, ROOF_EUNSUPPORTED, "schema is not '" SCHEMA "'");
        at_key(in, "schema");
        return NULL;
    }
    if (!machine)
        return root;
    if (check_keys(in, NULL, root, known, COUNT(known)))
        return NULL;
    if (json_kind_of(machine) != JSON_NODE_OBJECT) {
        wrong_type(in, NULL, "machine", machine, "an object");
        return NULL;
    }
    in->wrapped = true;
    return machine;
}

static void warn(roof_machine_file *file, const char *text) {
    snprintf(file->warnings[file->warning_count++], WARNING_SIZE, "%s: %s", file->machine.id, text);
}

/* What is left out is allowed, and said. */
static void warn_of_gaps(roof_machine_file *file) {
    const roof_machine *machine = &file->machine;
    bool compute = false;
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        compute |= roof_machine_peak(machine, ROOF_MATRIX, (roof_dtype)i) != NULL;
    if (!compute)
        warn(file, "no compute roof is given: only memory and link are judged");
    if (machine->bandwidth[ROOF_DRAM].origin == ROOF_UNKNOWN)
        warn(file, "no DRAM bandwidth is given: work that touches memory cannot be judged");
    if (roof_machine_capacity(machine) <= 0)
        warn(file, "no DRAM size is given: whether a model fits is unknown");
}

static int read_into(roof_machine_file *file, const char *json, size_t length, roof_error *error) {
    reader in = {.machine = &file->machine, .text = json, .length = length, .error = error};
    file->root = json_read(json, length, error);
    if (!file->root)
        return -1;
    const json_node *node = unwrap(&in, file->root);
    if (!node || read_machine(&in, node))
        return -1;
    warn_of_gaps(file);
    return 0;
}

roof_machine_file *roof_read_machine(const char *json, size_t length, roof_error *error) {
    roof_machine_file *file = calloc(1, sizeof *file);
    if (!file) {
        roof_fail(error, ROOF_ENOMEM, "out of memory while reading a machine");
        return NULL;
    }
    if (read_into(file, json, length, error) == 0)
        return file;
    roof_machine_file_free(file);
    return NULL;
}

const roof_machine *roof_machine_file_machine(const roof_machine_file *file) {
    return &file->machine;
}

size_t roof_machine_file_warnings(const roof_machine_file *file) {
    return file->warning_count;
}

const char *roof_machine_file_warning(const roof_machine_file *file, size_t index) {
    return index < file->warning_count ? file->warnings[index] : NULL;
}

void roof_machine_file_free(roof_machine_file *file) {
    if (!file)
        return;
    json_free(file->root);
    free(file);
}
