/* Machine files written: a roof_machine as JSON. Format: docs/catalog.md, "Machine files". */
#include "read/machine/reader.h"
#include "roofline_read.h"

static const roof_figure *figure_of(const roof_machine *machine, size_t at) {
    return (const roof_figure *)(const void *)((const char *)machine + at);
}

static void write_figure(emit *json, const roof_figure *figure) {
    emit_number(json, "value", figure->value);
    emit_string(json, "origin", roof_origin_name(figure->origin));
    if (figure->source)
        emit_string(json, "source", figure->source);
    if (figure->unchecked)
        emit_bool(json, "unchecked", true);
    emit_end(json);
}

static void open_roof(emit *json, const char *kind, double cores) {
    emit_row(json, NULL);
    emit_string(json, "kind", kind);
    if (cores > 0)
        emit_number(json, "cores", cores);
}

static void write_compute(emit *json, double cores, roof_unit unit, roof_dtype dtype, const char *variant,
                          const char *value, const roof_figure *figure) {
    if (figure->origin == ROOF_ORIGIN_UNKNOWN)
        return;
    open_roof(json, "compute", cores);
    emit_string(json, "unit", roof_unit_name(unit));
    emit_string(json, "dtype", roof_dtype_name(dtype));
    if (variant)
        emit_string(json, variant, value);
    write_figure(json, figure);
}

void machine_write_roofs(emit *json, const roof_machine *machine, double cores) {
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
            write_compute(json, cores, (roof_unit)unit, (roof_dtype)i, NULL, NULL, &machine->peak[unit][i]);
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        write_compute(json, cores, ROOF_MATRIX, (roof_dtype)i, "accumulate", "f16", &machine->narrow[i]);
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        write_compute(json, cores, ROOF_MATRIX, (roof_dtype)i, "sparsity", "2:4", &machine->sparse[i]);
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++) {
        if (machine->bandwidth[level].origin == ROOF_ORIGIN_UNKNOWN)
            continue;
        open_roof(json, "memory", cores);
        emit_string(json, "level", roof_level_name((roof_level)level));
        write_figure(json, &machine->bandwidth[level]);
    }
    if (machine->link.origin == ROOF_ORIGIN_UNKNOWN)
        return;
    open_roof(json, "link", cores);
    write_figure(json, &machine->link);
}

void machine_write_texts(emit *json, const roof_machine *machine) {
    for (size_t i = 0; i < MACHINE_TEXTS; i++) {
        const char *const *text = (const char *const *)(const void *)((const char *)machine + machine_texts[i].at);
        if (*text)
            emit_string(json, machine_texts[i].key, *text);
    }
    if (machine->year)
        emit_number(json, "year", machine->year);
}

void machine_write_figures(emit *json, const roof_machine *machine) {
    emit_array(json, "sizes");
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++) {
        if (machine->size[level].origin == ROOF_ORIGIN_UNKNOWN)
            continue;
        emit_row(json, NULL);
        emit_string(json, "level", roof_level_name((roof_level)level));
        write_figure(json, &machine->size[level]);
    }
    emit_end(json);
    for (size_t i = 0; i < MACHINE_FIGURES; i++) {
        const roof_figure *figure = figure_of(machine, machine_figures[i].at);
        if (figure->origin == ROOF_ORIGIN_UNKNOWN)
            continue;
        emit_row(json, machine_figures[i].key);
        write_figure(json, figure);
    }
}

int roof_machine_write(const roof_machine *machine, roof_write write, void *context) {
    emit json = emit_to(write, context);
    emit_object(&json, NULL);
    emit_string(&json, "schema", MACHINE_SCHEMA);
    emit_object(&json, "machine");
    machine_write_texts(&json, machine);
    emit_array(&json, "roofs");
    machine_write_roofs(&json, machine, 0);
    emit_end(&json);
    machine_write_figures(&json, machine);
    calibrations_write(&json, machine);
    emit_end(&json);
    emit_end(&json);
    return emit_finish(&json);
}
