/* The calibrations a machine has, as text. */
#include "cli/say/calibration.h"

#include <stdio.h>

#include "cli/out/table.h"

const char *constant_text(roof_constant constant, double value, char buffer[NUMBER_SIZE]) {
    const char *unit = roof_constant_unit(constant);
    return unit[0] ? number_si(value, unit, buffer) : number_three(value, buffer);
}

const char *calibrated_name(roof_engine engine) {
    return engine == ROOF_ENGINE_ALONE ? "single operations" : roof_engine_name(engine);
}

static void show_constants(const roof_calibration *of, text_out *out) {
    table_grid table = {0};
    char number[NUMBER_SIZE];
    table_heads(&table, "l:  constant", ":value", ":+-", "lf:what it is");
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++) {
        if (of->value[i].origin == ROOF_ORIGIN_UNKNOWN)
            continue;
        table_row(&table);
        table_cell_add(&table, PAINT_NONE, "  %s", roof_constant_name((roof_constant)i));
        table_text(&table, constant_text((roof_constant)i, of->value[i].value, number));
        table_text(&table, of->spread[i] > 0 ? number_percent(of->spread[i], number) : "-");
        table_cell_add(&table, PAINT_DIM, "%s", roof_constant_meaning((roof_constant)i));
    }
    table_print(&table, out);
    table_free(&table);
}

static void show_intervals(const roof_calibration *of, text_out *out) {
    char line[600] = "";
    size_t used = 0;
    for (int i = 0; i < ROOF_REGIME_COUNT && used < sizeof line; i++)
        if (of->low[i] > 0 && of->high[i] > 0)
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s %.2f-%.2f",
                                     used ? ", " : "80% interval of measured / expected: ",
                                     roof_regime_name((roof_regime)i), of->low[i], of->high[i]);
    if (!line[0])
        return;
    text_paragraph(out, 2, 4, line);
}

void show_calibrations(const roof_machine *machine, text_out *out) {
    for (size_t i = 0; i < machine->calibration_count; i++) {
        const roof_calibration *of = &machine->calibration[i];
        char line[700];
        text_paint(out, PAINT_BOLD, "\nCalibrated for %s\n", calibrated_name(of->engine));
        snprintf(line, sizeof line, "%.24s, %.0f times: %.600s", of->date ? of->date : "date unknown", of->runs,
                 of->source ? of->source : "source unknown");
        text_paragraph(out, 2, 4, line);
        show_constants(of, out);
        show_intervals(of, out);
    }
}
