/* Words that the builders of charts share: numbers as people say them, and where the roofs come from. */
#include "chart/words.h"

#include "roofline_chart.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void chart_append(char *text, size_t size, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

char *chart_rate(char out[NUMBER_SIZE], double value) {
    const char *suffix = value >= 999500 ? "M" : value >= 999.5 ? "k" : "";
    double scaled = value >= 999500 ? value / 1e6 : value >= 999.5 ? value / 1e3 : value;
    if (suffix[0] && scaled < 99.95)
        number_fixed(scaled, 1, out);
    else
        number_digits(scaled, 3, true, out);
    return strcat(out, suffix);
}

char *chart_factor(char out[NUMBER_SIZE], double value) {
    return number_digits(value, value < 2 ? 3 : 2, false, out);
}

const char *chart_memory(const roof_machine *machine) {
    return machine->memory_kind && strncmp(machine->memory_kind, "HBM", 3) == 0 ? "HBM" : "DRAM";
}

void chart_begin(roof_drawing *out, const roof_machine *machine) {
    memset(out, 0, sizeof *out);
    out->machine = *machine;
    out->chart = (roof_chart){.title = out->title,
                              .subtitle = out->subtitle,
                              .note_title = out->note_title,
                              .note = out->note,
                              .under = out->under,
                              .foot = out->foot,
                              .peaks = out->peaks,
                              .machine = &out->machine,
                              .points = out->points,
                              .changes = out->changes,
                              .ceilings = out->ceilings,
                              .unit = ROOF_MATRIX};
    for (size_t i = 0; i < ROOF_CHART_POINT_MAX; i++) {
        out->points[i].label = out->labels[i];
        out->points[i].detail = out->details[i];
    }
    for (size_t i = 0; i < ROOF_CHART_CHANGE_MAX; i++)
        out->changes[i].label = out->change_labels[i];
}

void chart_say_peaks(roof_drawing *out, const char *variant) {
    const roof_machine *machine = &out->machine;
    const roof_figure *peak = roof_machine_peak(machine, out->chart.unit, out->chart.dtype),
                      *memory = &machine->bandwidth[ROOF_DRAM];
    bool measured = peak && peak->origin == ROOF_ORIGIN_MEASURED && memory->origin == ROOF_ORIGIN_MEASURED;
    bool vendor = peak && peak->origin == ROOF_ORIGIN_DATASHEET && memory->origin == ROOF_ORIGIN_DATASHEET;
    chart_append(out->peaks, sizeof out->peaks, "%s, %s%s. Each operation reads and writes %s once.",
                 measured ? "Roofs: measured"
                 : vendor ? "Peaks: vendor figures"
                          : "Roofs: given or derived",
                 variant, (peak && peak->unchecked) || memory->unchecked ? ", not checked" : "", chart_memory(machine));
}
