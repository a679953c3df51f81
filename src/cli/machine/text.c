/* The catalogue as a table, and one machine with every figure and its source, in words. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/machine/machines.h"
#include "cli/out/number.h"
#include "cli/out/table.h"
#include "cli/say/calibration.h"
#include "cli/say/explain.h"
#include "cli/say/figures.h"

/* ---- the table ---- */

/* The first dtype of a list that ends with NONE for which there is a roof. */
static const roof_figure *peak_of(const roof_machine *machine, const roof_dtype *dtypes) {
    for (; *dtypes != ROOF_DTYPE_NONE; dtypes++) {
        const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, *dtypes);
        if (peak)
            return peak;
    }
    return NULL;
}

static const roof_dtype sixteen[] = {ROOF_BF16, ROOF_F16, ROOF_DTYPE_NONE},
                        eight[] = {ROOF_FP8, ROOF_INT8, ROOF_DTYPE_NONE},
                        double_precision[] = {ROOF_F64, ROOF_DTYPE_NONE};

static void figure_cell(table_grid *table, const roof_figure *figure, double factor) {
    char number[NUMBER_SIZE];
    if (figure && figure->origin != ROOF_ORIGIN_UNKNOWN)
        table_cell_add(table, PAINT_NONE, "%s%s", number_three(figure->value * factor, number),
                       figure->unchecked ? "?" : "");
    else
        table_cell_add(table, PAINT_DIM, "-");
}

/* The name without the vendor that it opens with: the id says enough. */
static const char *short_name(const roof_machine *machine) {
    size_t length = machine->vendor ? strlen(machine->vendor) : 0;
    bool opens = length > 0 && strncasecmp(machine->name, machine->vendor, length) == 0 && machine->name[length] == ' ';
    return machine->name + (opens ? length + 1 : 0);
}

static void machine_row(table_grid *table, const roof_machine *machine) {
    char number[NUMBER_SIZE];
    const roof_figure *peak = peak_of(machine, sixteen);
    bool ridge = peak && machine->bandwidth[ROOF_DRAM].origin != ROOF_ORIGIN_UNKNOWN;
    table_row(table);
    table_cell_add(table, PAINT_BOLD, "%s", machine->id);
    figure_cell(table, &machine->size[ROOF_DRAM], 1e-9);
    figure_cell(table, &machine->bandwidth[ROOF_DRAM], 1e-9);
    figure_cell(table, peak, 1e-12);
    figure_cell(table, peak_of(machine, eight), 1e-12);
    figure_cell(table, peak_of(machine, double_precision), 1e-12);
    table_cell_add(table, ridge ? PAINT_NONE : PAINT_DIM, "%s",
                   ridge ? number_three(peak->value / machine->bandwidth[ROOF_DRAM].value, number) : "-");
    table_text(table, short_name(machine));
}

void machine_list_text(const void *context, text_out *out) {
    const machine_list *list = context;
    static const char peaks[] = "TFLOP/s (dense)";
    table_grid table = {0};
    bool unchecked = false;
    text_title(out, "Machines", PAINT_NONE, "%zu of %zu", list->count - list->measured, roof_machine_count());
    text_add(out, "\n");
    table_heads(&table, "l:id", ":GB", ":GB/s");
    table_column_add(&table, peaks, "", "16-bit");
    table_column_add(&table, peaks, "", "8-bit");
    table_column_add(&table, peaks, "", "f64");
    table_heads(&table, ":ridge", "ls:name");
    for (size_t i = 0; i < list->count; i++)
        machine_row(&table, &list->machines[i]);
    table_print(&table, out);
    for (size_t i = 0; i < table.row_count * table.column_count; i++)
        unchecked |= table.cells[i].text[0] && table.cells[i].text[strlen(table.cells[i].text) - 1] == '?';
    table_free(&table);
    text_add(out, "\n");
    text_wrap(out, 0, 0,
              "ridge: arithmetic intensity (FLOP/B) at which 16-bit work turns from memory-bound to compute-bound. "
              "16-bit is bf16, or f16 "
              "where there is "
              "no bf16; 8-bit is fp8, or int8.");
    if (unchecked)
        text_add(out, "?: the figure's source is not checked.\n");
    if (list->measured > 0)
        text_add(out, "this: measured here by 'roofline measure'.\n");
    text_add(out, "'roofline machines --show NAME' gives every figure with its source.\n");
}

/* ---- one machine ---- */

static void fact_line(const char *label, const char *value, text_out *out) {
    if (!value || !*value)
        return;
    text_add(out, "  %-13s", label);
    text_wrap(out, 15, 15, value);
}

void machine_figures_text(const void *context, text_out *out) {
    const shown_machine *shown = context;
    const roof_machine *machine = shown->machine;
    figure_row rows[FIGURE_MAX];
    const roof_figure *figures[FIGURE_MAX];
    size_t count = figures_of(machine, rows);
    char year[8] = "", unknown[600] = "";
    if (machine->year > 0)
        snprintf(year, sizeof year, "%d", machine->year);
    text_title(out, machine->name ? machine->name : machine->id, PAINT_BOLD, "%s", machine->id);
    text_add(out, "\n");
    fact_line("vendor", machine->vendor, out);
    fact_line("architecture", machine->architecture, out);
    fact_line("one row is a", machine->scope, out);
    fact_line("memory", machine->memory_kind, out);
    fact_line("link", machine->link_kind, out);
    fact_line("year", year, out);
    fact_line("also", shown->aliases, out);
    fact_line("note", machine->note, out);
    text_add(out, "\n");
    text_paint(out, PAINT_DIM, "  %-18s %-13s %6s  %-9s  %s", "figure", "value", "ridge", "origin", "sources");
    text_add(out, "\n");
    for (size_t i = 0; i < count; i++) {
        figures[i] = rows[i].figure;
        size_t used = strlen(unknown);
        if (rows[i].figure->origin == ROOF_ORIGIN_UNKNOWN)
            snprintf(unknown + used, sizeof unknown - used, "%s%s", used ? ", " : "", rows[i].name);
        else
            explain_figure(rows[i].name, rows[i].figure, rows[i].unit, rows[i].ridge, out);
    }
    if (unknown[0]) {
        text_add(out, "\n");
        fact_line("unknown", unknown, out);
    }
    show_calibrations(machine, out);
    if (shown->measurement) /* each figure says how it was measured */
        return;
    text_paint(out, PAINT_BOLD, "\nSources\n");
    figures_sources(figures, count, explain_source, out);
}
