/* The catalogue and one machine as CSV and JSON, and the chart of a measured one. */
#include <math.h>

#include "cli/machine/machines.h"
#include "cli/out/csv.h"
#include "cli/say/figures.h"
#include "roofline_chart.h"
#include "roofline_read.h"

/* ---- the list ---- */

static void known_number(const roof_figure *figure, text_out *out) {
    csv_number(out, figure && figure->origin != ROOF_ORIGIN_UNKNOWN ? figure->value : HUGE_VAL);
}

void machine_list_csv(const void *context, text_out *out) {
    const machine_list *list = context;
    text_add(out, "id,name,vendor,architecture,year,capacity,bandwidth");
    for (int dtype = ROOF_DTYPE_NONE + 1; dtype < ROOF_DTYPE_COUNT; dtype++)
        if (roof_dtype_math((roof_dtype)dtype) == (roof_dtype)dtype)
            text_add(out, ",%s", roof_dtype_name((roof_dtype)dtype));
    text_add(out, "\n");
    for (size_t i = 0; i < list->count; i++) {
        const roof_machine *machine = &list->machines[i];
        csv_text(out, machine->id);
        csv_text(out, machine->name);
        csv_text(out, machine->vendor);
        csv_text(out, machine->architecture);
        csv_number(out, machine->year > 0 ? machine->year : HUGE_VAL);
        known_number(&machine->size[ROOF_DRAM], out);
        known_number(&machine->bandwidth[ROOF_DRAM], out);
        for (int dtype = ROOF_DTYPE_NONE + 1; dtype < ROOF_DTYPE_COUNT; dtype++)
            if (roof_dtype_math((roof_dtype)dtype) == (roof_dtype)dtype)
                known_number(roof_machine_peak(machine, ROOF_MATRIX, (roof_dtype)dtype), out);
        csv_end(out);
    }
}

void machine_list_json(const void *context, emit *json) {
    const machine_list *list = context;
    emit_array(json, "machines");
    for (size_t i = 0; i < list->count; i++) {
        const roof_machine *machine = &list->machines[i];
        const roof_figure *memory = &machine->size[ROOF_DRAM], *bandwidth = &machine->bandwidth[ROOF_DRAM];
        emit_object(json, NULL);
        emit_string(json, "id", machine->id);
        emit_string(json, "name", machine->name);
        emit_string(json, "vendor", machine->vendor);
        emit_string(json, "architecture", machine->architecture);
        emit_number(json, "year", machine->year > 0 ? machine->year : HUGE_VAL);
        emit_number(json, "capacity", memory->origin != ROOF_ORIGIN_UNKNOWN ? memory->value : HUGE_VAL);
        emit_number(json, "bandwidth", bandwidth->origin != ROOF_ORIGIN_UNKNOWN ? bandwidth->value : HUGE_VAL);
        emit_row(json, "peak");
        for (int dtype = ROOF_DTYPE_NONE + 1; dtype < ROOF_DTYPE_COUNT; dtype++) {
            const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, (roof_dtype)dtype);
            if (peak && roof_dtype_math((roof_dtype)dtype) == (roof_dtype)dtype)
                emit_number(json, roof_dtype_name((roof_dtype)dtype), peak->value);
        }
        emit_end(json);
        emit_end(json);
    }
    emit_end(json);
}

/* ---- one machine ---- */

void machine_figures_csv(const void *context, text_out *out) {
    machine_csv(((const shown_machine *)context)->machine, out);
}

int machine_file_json(const void *context, roof_write write, void *to) {
    const shown_machine *shown = context;
    return shown->measurement && !shown->one ? roof_measurement_write(shown->measurement, write, to)
                                             : roof_machine_write(shown->machine, write, to);
}

int machine_chart(const void *context, roof_drawing *out, roof_error *error) {
    const shown_machine *shown = context;
    if (shown->measurement)
        return roof_chart_of_measurement(shown->measurement, out, error);
    roof_fail(error, ROOF_EARGUMENT, "'%.60s' was not measured: only the roofs of measured machines are drawn alone",
              shown->machine->id);
    roof_hint(error, "'roofline op' and 'roofline model' draw work under its roofs");
    return -1;
}
