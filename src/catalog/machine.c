/* The catalogue of machines: rows of the vendors' tables expanded into roof_machine, and found by name. */
#include <stdio.h>
#include <string.h>

#include "catalog/machines.h"
#include "core/names.h"

static const machine_table *const tables[] = {
    &machines_nvidia, &machines_nvidia_rtx, &machines_amd,  &machines_intel,       &machines_google,  &machines_aws,
    &machines_apple,  &machines_huawei,     &machines_groq, &machines_tenstorrent, &machines_fujitsu,
};

enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

typedef struct entry {
    const machine_row *row; /* NULL past the end */
    const char *vendor;
} entry;

static entry entry_at(size_t index) {
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (index < tables[i]->count)
            return (entry){&tables[i]->rows[index], tables[i]->vendor};
        index -= tables[i]->count;
    }
    return (entry){NULL, NULL};
}

size_t roof_machine_count(void) {
    size_t count = 0;
    for (size_t i = 0; i < TABLE_COUNT; i++)
        count += tables[i]->count;
    return count;
}

static void expand(entry found, roof_machine *out) {
    const machine_row *row = found.row;
    *out = (roof_machine){
        .id = row->id,
        .name = row->name,
        .vendor = found.vendor,
        .architecture = row->architecture,
        .scope = row->scope,
        .memory_kind = row->memory_kind,
        .link_kind = row->link_kind,
        .note = row->note,
        .year = row->year,
    };
    for (const machine_figure *figure = row->figures; figure->at; figure++)
        *(roof_figure *)(void *)((char *)out + figure->at) = (roof_figure){
            .value = figure->value,
            .origin = figure->origin == ROOF_ORIGIN_UNKNOWN ? ROOF_ORIGIN_DATASHEET : figure->origin,
            .unchecked = figure->unchecked,
            .source = figure->from ? figure->from : row->sources,
        };
}

int roof_machine_at(size_t index, roof_machine *out) {
    entry found = entry_at(index);
    if (!found.row)
        return -1;
    expand(found, out);
    return 0;
}

const char *roof_machine_aliases(size_t index) {
    const machine_row *row = entry_at(index).row;
    return row && row->aliases ? row->aliases : "";
}

/* "NVIDIA GeForce RTX 4090" is found with and without the vendor. */
static bool answers_to(entry found, const char *name) {
    const machine_row *row = found.row;
    size_t vendor = strlen(found.vendor);
    return name_equal(name, row->id) || (row->aliases && name_in_list(name, row->aliases)) ||
           name_equal(name, row->name) ||
           (strncmp(row->name, found.vendor, vendor) == 0 && name_equal(name, row->name + vendor));
}

/* The other rows that share the short name, as "h100-pcie, h100-nvl". */
static void list_others(const machine_row *taken, const char *name, char *out, size_t size) {
    if (!out || size == 0)
        return;
    out[0] = '\0';
    if (!taken->family || !name_equal(name, taken->family))
        return;
    entry other;
    size_t length = 0;
    for (size_t i = 0; (other = entry_at(i)).row; i++) {
        if (other.row == taken || !other.row->family || strcmp(other.row->family, taken->family) != 0)
            continue;
        int wrote = snprintf(out + length, size - length, "%s%s", length ? ", " : "", other.row->id);
        if (wrote < 0 || (size_t)wrote >= size - length) {
            out[length] = '\0'; /* whole names only */
            return;
        }
        length += (size_t)wrote;
    }
}

static const char *id_at(const void *context, size_t index) {
    (void)context;
    return entry_at(index).row->id;
}

int roof_machine_find(const char *name, roof_machine *out, char *alternatives, size_t size, roof_error *error) {
    entry found;
    for (size_t i = 0; (found = entry_at(i)).row; i++) {
        if (!answers_to(found, name))
            continue;
        expand(found, out);
        list_others(found.row, name, alternatives, size);
        return 0;
    }
    if (alternatives && size > 0)
        alternatives[0] = '\0';
    name_list ids = {.count = roof_machine_count(), .at = id_at};
    return unknown_name(&ids, "machine", name, ROOF_REMEDY_LIST_MACHINES, error);
}
