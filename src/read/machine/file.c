/* Machine files: a roof_machine as JSON, read back to the same figures. Format: docs/catalog.md.
 *
 *     {"schema": "roofline/1", "machine": {...}, "measurement": {...}}      what 'measure' writes
 *     {"schema": "roofline/1", "id": ..., "roofs": [...]}                   the machine alone: members.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/machine/reader.h"
#include "roofline_read.h"

/* The machine in the root: the root itself, or its member "machine". */
static const json_node *unwrap(machine_reader *in, const json_node *root) {
    static const char *const known[] = {"schema", "machine", "measurement"};
    const json_node *schema = json_get(root, "schema"), *machine = json_get(root, "machine");
    if (json_kind_of(root) != JSON_NODE_OBJECT) {
        roof_fail(in->error, ROOF_EFORMAT, "a machine file is an object, not %s", json_kind_name(json_kind_of(root)));
        return NULL;
    }
    if (schema && (!json_text(schema) || strcmp(json_text(schema), MACHINE_SCHEMA) != 0)) {
        roof_fail(in->error, ROOF_EUNSUPPORTED, "schema is not '" MACHINE_SCHEMA "'");
        machine_at(in, "schema");
        return NULL;
    }
    if (!machine)
        return root;
    if (machine_check_keys(in, NULL, root, known, COUNT(known)))
        return NULL;
    if (json_kind_of(machine) != JSON_NODE_OBJECT) {
        machine_wrong_type(in, NULL, "machine", machine, "an object");
        return NULL;
    }
    in->path[in->depth++] = "machine";
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
    if (machine->bandwidth[ROOF_DRAM].origin == ROOF_ORIGIN_UNKNOWN)
        warn(file, "no DRAM bandwidth is given: work that touches memory cannot be judged");
    if (roof_machine_capacity(machine) <= 0)
        warn(file, "no DRAM size is given: whether a model fits is unknown");
}

static int read_tree(machine_reader *in, roof_machine_file *file) {
    const json_node *node = unwrap(in, file->root), *measurement = json_get(file->root, "measurement");
    if (!node || (measurement && measured_begin(in, measurement, &file->measured)) ||
        machine_read_members(in, node, true) || calibrations_read(in, node, &file->calibrations) ||
        (measurement && measured_read(in, measurement, &file->machine, file->measured)))
        return -1;
    warn_of_gaps(file);
    return 0;
}

static int read_into(roof_machine_file *file, const char *json, size_t length, roof_error *error) {
    file->root = json_read(json, length, error);
    machine_reader in = {.machine = &file->machine, .root = file->root, .error = error};
    return file->root ? read_tree(&in, file) : -1;
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
    measured_free(file->measured);
    free(file->calibrations);
    json_free(file->root);
    free(file);
}
