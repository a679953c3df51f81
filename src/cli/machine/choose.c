/* --on, --instead and the overrides: from names on the command line to machines with their figures. */
#include "cli/machine/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/errors.h"
#include "cli/machine/saved.h"
#include "roofline_read.h"

static const double PEAK_MAX = 1e24;

static const char given[] = "the command line";

int machines_named(const cli_settings *settings, roof_error *error) {
    char path[SAVED_PATH];
    if (settings->on.count > 0 || (saved_path(NULL, path, NULL) == 0 && access(path, F_OK) == 0))
        return 0;
    roof_fail(error, ROOF_EARGUMENT, "no machine is named, and this one has not been measured yet");
    roof_hint(error, "add --on h100-sxm, or another of 'roofline machines', or run 'roofline measure' (about 30 s)");
    return -1;
}

static bool is_path(const char *name) {
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0);
}

static int load_file(const char *path, machine_set *out, roof_error *error) {
    roof_machine_file *file = machine_file_read(path, error);
    if (!file)
        return -1;
    out->files[out->count] = file;
    out->list[out->count] = *roof_machine_file_machine(file);
    saved_calibration_note(&out->list[out->count], out->notes[out->count], sizeof out->notes[0]);
    return 0;
}

/* What was measured here: all cores, or one. */
static int load_saved(const char *name, machine_set *out, roof_error *error) {
    bool one;
    roof_machine_file *file = saved_read(name, &one, error);
    if (!file)
        return -1;
    const roof_measurement *measurement = roof_machine_file_measurement(file);
    roof_machine *machine = &out->list[out->count];
    out->files[out->count] = file;
    if (one && !measurement)
        return roof_fail(error, ROOF_EFORMAT,
                         "the file saved for 'this' holds no measurement, so no single-core roofs");
    *machine = one ? measurement->one : *roof_machine_file_machine(file);
    machine->id = name;
    if (measurement)
        saved_note(measurement, name[4] == '-', out->notes[out->count], sizeof out->notes[0]);
    saved_calibration_note(machine, out->notes[out->count], sizeof out->notes[0]);
    return 0;
}

static int load_named(const char *name, machine_set *out, roof_error *error) {
    char also[160] = "";
    roof_machine *machine = &out->list[out->count];
    if (roof_machine_find(name, machine, also, sizeof also, error))
        return -1;
    if (also[0])
        snprintf(out->notes[out->count], sizeof out->notes[0], "%.30s means %.30s; also %.100s", name, machine->id,
                 also);
    out->calibrated[out->count] = saved_calibrations(machine, out->notes[out->count], sizeof out->notes[0]);
    saved_calibration_note(machine, out->notes[out->count], sizeof out->notes[0]);
    return 0;
}

int machines_load(const text_list *names, const char *option, machine_set *out, roof_error *error) {
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->items[i];
        if ((saved_is_name(name) ? load_saved : is_path(name) ? load_file : load_named)(name, out, error))
            return -1;
        const char *id = out->list[out->count].id;
        for (size_t k = 0; k < out->count; k++)
            if (id && out->list[k].id && strcmp(out->list[k].id, id) == 0)
                return roof_fail(error, ROOF_EARGUMENT, "%s names '%s' twice", option, id);
        out->count++;
    }
    return 0;
}

int machines_asked(const cli_settings *settings, machine_set *on, machine_set *others, roof_error *error) {
    static const text_list here = {.items = {"this"}, .count = 1};
    return machines_load(settings->on.count > 0 ? &settings->on : &here, "--on", on, error) ||
                   machines_load(&settings->instead, "--instead", others, error)
               ? -1
               : 0;
}

static roof_figure figure(double value) {
    return (roof_figure){.value = value, .origin = ROOF_ORIGIN_GIVEN, .source = given};
}

static bool is_known(const roof_figure *figure) {
    return figure->origin != ROOF_ORIGIN_UNKNOWN;
}

/* The matrix roof where the machine has one for the dtype, else the vector roof: the one that the work runs under. */
static void set_peak(roof_machine *machine, roof_dtype dtype, double value) {
    roof_dtype math = roof_dtype_math(dtype);
    roof_figure *matrix = &machine->peak[ROOF_MATRIX][math], *vector = &machine->peak[ROOF_VECTOR][math];
    bool has_matrix = is_known(matrix) || !is_known(vector);
    *(has_matrix ? matrix : vector) = figure(value);
    if (has_matrix && is_known(vector) && vector->value > value)
        *vector = figure(value);
}

static int override_peak(machine_set *set, const char *text, roof_dtype dtype, roof_error *error) {
    const char *equals = strchr(text, '='), *rate = equals ? equals + 1 : text;
    if (equals) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        dtype = roof_dtype_parse(name);
        if (dtype == ROOF_DTYPE_NONE)
            return fail_dtype("--peak", name, error);
    }
    double value;
    if (number_read("--peak", rate, QUANTITY_RATE, &value, error))
        return -1;
    if (!(value >= 1 && value <= PEAK_MAX))
        return roof_fail(error, ROOF_EARGUMENT, "--peak '%.60s' is out of range: 1 to %g FLOP/s are allowed", text,
                         PEAK_MAX);
    for (size_t i = 0; i < set->count; i++)
        set_peak(&set->list[i], dtype, value);
    return 0;
}

int machines_override(machine_set *set, const cli_settings *settings, roof_dtype dtype, roof_error *error) {
    for (size_t i = 0; i < set->count; i++) {
        roof_machine *machine = &set->list[i];
        if (settings->bandwidth > 0)
            machine->bandwidth[ROOF_DRAM] = figure(settings->bandwidth);
        if (settings->capacity > 0)
            machine->usable = machine->size[ROOF_DRAM] = figure(settings->capacity);
        if (settings->link > 0)
            machine->link = figure(settings->link);
        if (settings->launch > 0)
            machine->launch = figure(settings->launch);
    }
    for (size_t i = 0; i < settings->peak.count; i++)
        if (override_peak(set, settings->peak.items[i], dtype, error))
            return -1;
    return 0;
}

void machines_free(machine_set *set) {
    for (size_t i = 0; i < TEXTS_MAX; i++) {
        roof_machine_file_free(set->files[i]);
        roof_machine_file_free(set->calibrated[i]);
    }
}

const char *machine_memory(const roof_machine *machine) {
    return machine->memory_kind && strncmp(machine->memory_kind, "HBM", 3) == 0 ? "HBM" : "DRAM";
}

void machines_notes(const machine_set *set, text_out *out) {
    for (size_t i = 0; i < set->count; i++) {
        if (set->notes[i][0])
            text_note(out, PAINT_DIM, set->notes[i]);
        for (size_t k = 0; set->files[i] && k < roof_machine_file_warnings(set->files[i]); k++)
            text_note(out, PAINT_DIM, roof_machine_file_warning(set->files[i], k));
    }
}

size_t machines_beside(const machine_set *set, const machine_set *others, const roof_machine *on,
                       roof_machine out[MACHINES_BESIDE]) {
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++)
        if (&set->list[i] != on)
            out[count++] = set->list[i];
    for (size_t i = 0; i < others->count; i++)
        out[count++] = others->list[i];
    if (count == 0 && roof_machine_step_up(on, out) == 0)
        count = 1;
    return count;
}

int machines_refuse_many(const machine_set *set, roof_error *error) {
    return set->count > 1
               ? roof_fail(error, ROOF_EARGUMENT, "a chart shows one machine, and --on names %zu", set->count)
               : 0;
}

void machine_json(const roof_machine *machine, const char *key, emit *json) {
    emit_row(json, key);
    emit_string(json, "id", machine->id);
    emit_string(json, "name", machine->name);
    emit_end(json);
}

void machines_json(const machine_set *set, emit *json) {
    if (set->count == 1) {
        machine_json(set->list, "machine", json);
        return;
    }
    emit_array(json, "machines");
    for (size_t i = 0; i < set->count; i++)
        machine_json(&set->list[i], NULL, json);
    emit_end(json);
}
