/* roofline machines: the catalogue as a table; one machine with every figure and its source. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/machine/listing.h"
#include "cli/machine/on.h"
#include "cli/machine/saved.h"
#include "cli/out/answer.h"
#include "cli/out/table.h"
#include "cli/say/calibration.h"
#include "cli/say/explain.h"
#include "core/names.h"

typedef struct machine_list {
    roof_machine *machines;
    size_t count, measured; /* the first of them were measured here */
    machine_set here;
    char names[TEXTS_MAX][SAVED_NAME];
} machine_list;

/* ---- choosing ---- */

static bool matches(const cli_settings *settings, const char *aliases, const roof_machine *machine) {
    const char *text = settings->word_count > 0 ? settings->words[0] : NULL;
    if (settings->vendor && !contains(machine->vendor, settings->vendor))
        return false;
    return contains(machine->id, text) || contains(machine->name, text) || contains(machine->architecture, text) ||
           contains(aliases, text);
}

static const char *id_at(const void *context, size_t index) {
    roof_machine *scratch = (roof_machine *)context;
    return roof_machine_at(index, scratch) == 0 ? scratch->id : NULL;
}

static const char *vendor_at(const void *context, size_t index) {
    roof_machine *scratch = (roof_machine *)context;
    return roof_machine_at(index, scratch) == 0 ? scratch->vendor : NULL;
}

static int fail_none(const cli_settings *settings, roof_error *error) {
    roof_machine scratch;
    const char *text = settings->word_count > 0 ? settings->words[0] : settings->vendor, *best[2];
    bool by_name = settings->word_count > 0;
    name_list names = {roof_machine_count(), by_name ? id_at : vendor_at, &scratch};
    size_t near = nearest_names(&names, text, best, 2);
    roof_fail(error, ROOF_ENOTFOUND, "no machine has '%.60s' in its %s", text, by_name ? "name" : "vendor");
    if (near > 0 && !by_name)
        roof_hint(error, "did you mean '%s'?", best[0]);
    else if (near > 1)
        roof_hint(error, "did you mean '%s' or '%s'? 'roofline machines' lists all", best[0], best[1]);
    else
        roof_hint(error, "'roofline machines' lists all");
    return -1;
}

/* What was measured here; a file that cannot be read is told of when it is named. */
static void choose_measured(const cli_settings *settings, machine_list *out) {
    roof_error ignored;
    size_t count = saved_names(out->names, TEXTS_MAX);
    for (size_t i = 0; i < count; i++) {
        text_list name = {.items = {out->names[i]}, .count = 1};
        if (machines_load(&name, "--on", &out->here, &ignored))
            continue;
        out->machines[out->count] = out->here.list[out->here.count - 1];
        out->count += matches(settings, out->names[i], &out->machines[out->count]);
    }
    out->measured = out->count;
}

static int choose(const cli_settings *settings, machine_list *out, roof_error *error) {
    size_t all = roof_machine_count();
    out->machines = keep_or_die(calloc(all + TEXTS_MAX, sizeof *out->machines));
    choose_measured(settings, out);
    for (size_t i = 0; i < all; i++) {
        roof_machine *machine = &out->machines[out->count];
        if (roof_machine_at(i, machine) == 0 && matches(settings, roof_machine_aliases(i), machine))
            out->count++;
    }
    return out->count > 0 ? 0 : fail_none(settings, error);
}

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
    table_cell_add(table, PAINT_NONE, "%s", short_name(machine));
}

static void list_text(const void *context, text_out *out) {
    const machine_list *list = context;
    static const char peaks[] = "TFLOP/s (dense)";
    table_grid table = {0};
    bool unchecked = false;
    text_title(out, "Machines", PAINT_NONE, "%zu of %zu", list->count - list->measured, roof_machine_count());
    text_add(out, "\n");
    table_column_add(&table, NULL, "l", "id");
    table_column_add(&table, NULL, "", "GB");
    table_column_add(&table, NULL, "", "GB/s");
    table_column_add(&table, peaks, "", "16-bit");
    table_column_add(&table, peaks, "", "8-bit");
    table_column_add(&table, peaks, "", "f64");
    table_column_add(&table, NULL, "", "ridge");
    table_column_add(&table, NULL, "ls", "name");
    for (size_t i = 0; i < list->count; i++)
        machine_row(&table, &list->machines[i]);
    table_print(&table, out);
    for (size_t i = 0; i < table.row_count * table.column_count; i++)
        unchecked |= table.cells[i].text[0] && table.cells[i].text[strlen(table.cells[i].text) - 1] == '?';
    table_free(&table);
    text_add(out, "\n");
    text_wrap(out, 0, 0,
              "ridge: FLOP/B at which 16-bit work turns from memory-bound to compute-bound. 16-bit is bf16, or f16 "
              "where there is "
              "no bf16; 8-bit is fp8, or int8.");
    if (unchecked)
        text_add(out, "?: the figure's source is not checked.\n");
    if (list->measured > 0)
        text_add(out, "this: measured here by 'roofline measure'.\n");
    text_add(out, "'roofline machines --show ID' gives every figure with its source.\n");
}

static void known_number(const roof_figure *figure, text_out *out) {
    csv_number(out, figure && figure->origin != ROOF_ORIGIN_UNKNOWN ? figure->value : HUGE_VAL);
}

static void list_csv(const void *context, text_out *out) {
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

static void list_json(const void *context, emit *json) {
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

typedef struct shown_machine {
    const roof_machine *machine;
    const roof_measurement *measurement; /* the whole of what was measured, or NULL */
    bool one;                            /* of one core only */
    const char *aliases;
} shown_machine;

typedef struct figure_row {
    char name[32];
    const char *unit;
    const roof_figure *figure;
    double ridge;
} figure_row;

enum { FIGURE_MAX = 4 * ROOF_DTYPE_COUNT + 2 * ROOF_LEVEL_COUNT + 12 };

static void add_figure(figure_row *rows, size_t *count, const roof_figure *figure, const char *unit, double ridge,
                       const char *name) {
    figure_row *row = &rows[(*count)++];
    *row = (figure_row){.unit = unit, .figure = figure, .ridge = ridge};
    snprintf(row->name, sizeof row->name, "%s", name);
}

/* One row of peaks for each dtype that has one. */
static void add_peaks(const roof_machine *machine, const roof_figure *figures, const char *what, figure_row *rows,
                      size_t *count) {
    const roof_figure *memory = &machine->bandwidth[ROOF_DRAM];
    char name[32];
    for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++) {
        if (figures[dtype].origin == ROOF_ORIGIN_UNKNOWN)
            continue;
        snprintf(name, sizeof name, "%s %s", roof_dtype_name((roof_dtype)dtype), what);
        bool integer = dtype >= ROOF_INT32 && dtype <= ROOF_INT4;
        add_figure(rows, count, &figures[dtype], integer ? "OP/s" : "FLOP/s",
                   memory->origin != ROOF_ORIGIN_UNKNOWN ? figures[dtype].value / memory->value : 0, name);
    }
}

static size_t all_figures(const roof_machine *machine, figure_row rows[FIGURE_MAX]) {
    size_t count = 0;
    char name[32];
    add_peaks(machine, machine->peak[ROOF_VECTOR], "vector", rows, &count);
    add_peaks(machine, machine->peak[ROOF_MATRIX], "matrix", rows, &count);
    add_peaks(machine, machine->narrow, "f16-accumulate", rows, &count);
    add_peaks(machine, machine->sparse, "2:4 sparse", rows, &count);
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++) {
        snprintf(name, sizeof name, "%s bandwidth", roof_level_name((roof_level)level));
        add_figure(rows, &count, &machine->bandwidth[level], "B/s", 0, name);
    }
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++) {
        snprintf(name, sizeof name, "%s size", roof_level_name((roof_level)level));
        add_figure(rows, &count, &machine->size[level], "B", 0, name);
    }
    add_figure(rows, &count, &machine->usable, "B", 0, "usable DRAM");
    add_figure(rows, &count, &machine->link, "B/s", 0, "link, one way");
    add_figure(rows, &count, &machine->link_latency, "s", 0, "link latency");
    add_figure(rows, &count, &machine->link_devices, "", 0, "linked devices");
    add_figure(rows, &count, &machine->host_link, "B/s", 0, "host link, one way");
    add_figure(rows, &count, &machine->launch, "s", 0, "launch");
    add_figure(rows, &count, &machine->units, "", 0, "units");
    add_figure(rows, &count, &machine->clock, "Hz", 0, "clock");
    add_figure(rows, &count, &machine->power, "W", 0, "power");
    add_figure(rows, &count, &machine->price, "USD/h", 0, "price");
    return count;
}

static void fact_line(const char *label, const char *value, text_out *out) {
    if (!value || !*value)
        return;
    text_add(out, "  %-13s", label);
    text_wrap(out, 15, 15, value);
}

static void show_text(const void *context, text_out *out) {
    const shown_machine *shown = context;
    const roof_machine *machine = shown->machine;
    figure_row rows[FIGURE_MAX];
    const roof_figure *figures[FIGURE_MAX];
    size_t count = all_figures(machine, rows);
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
    explain_keys(figures, count, out);
}

void machine_csv(const roof_machine *machine, text_out *out) {
    figure_row rows[FIGURE_MAX];
    size_t count = all_figures(machine, rows);
    text_add(out, "figure,value,unit,ridge,origin,checked,source\n");
    for (size_t i = 0; i < count; i++) {
        const roof_figure *figure = rows[i].figure;
        bool known = figure->origin != ROOF_ORIGIN_UNKNOWN;
        csv_text(out, rows[i].name);
        csv_number(out, known ? figure->value : HUGE_VAL);
        csv_text(out, rows[i].unit);
        csv_number(out, rows[i].ridge > 0 ? rows[i].ridge : HUGE_VAL);
        csv_text(out, roof_origin_name(figure->origin));
        csv_text(out, !known ? "" : figure->unchecked ? "false" : "true");
        csv_text(out, figure->source);
        csv_end(out);
    }
}

static void show_csv(const void *context, text_out *out) {
    machine_csv(((const shown_machine *)context)->machine, out);
}

static int show_json(const void *context, roof_write write, void *to) {
    const shown_machine *shown = context;
    return shown->measurement && !shown->one ? roof_measurement_write(shown->measurement, write, to)
                                             : roof_machine_write(shown->machine, write, to);
}

static int show_chart(const void *context, roof_drawing *out, roof_error *error) {
    const shown_machine *shown = context;
    if (shown->measurement)
        return roof_chart_of_measurement(shown->measurement, out, error);
    roof_fail(error, ROOF_EARGUMENT, "'%.60s' was not measured: only the roofs of measured machines are drawn alone",
              shown->machine->id);
    roof_hint(error, "'roofline op' and 'roofline model' draw work under its roofs");
    return -1;
}

static const char *aliases_of(const char *id) {
    roof_machine machine;
    for (size_t i = 0; roof_machine_at(i, &machine) == 0; i++)
        if (strcmp(machine.id, id) == 0)
            return roof_machine_aliases(i);
    return "";
}

static int show(const cli_settings *settings) {
    roof_error error = {0};
    machine_set set = {0};
    text_list names = {.items = {settings->show}, .count = 1};
    int code;
    if (machines_load(&names, "--show", &set, &error)) {
        code = complain(&error);
    } else {
        bool file = set.files[0];
        shown_machine shown = {.machine = set.list, .aliases = file ? "" : aliases_of(set.list[0].id)};
        shown.measurement = file ? roof_machine_file_measurement(set.files[0]) : NULL;
        shown.one = strcmp(settings->show, "this:1") == 0;
        cli_answer answer = {.context = &shown,
                             .text = show_text,
                             .csv = show_csv,
                             .json_file = show_json,
                             .chart = show_chart,
                             .csv_is_machine = true};
        code = answer_print(settings, &answer, &error) ? complain(&error) : EXIT_ANSWERED;
    }
    machines_free(&set);
    return code;
}

int verb_machines(cli_settings *settings) {
    roof_error error = {0};
    machine_list list = {0};
    cli_answer answer = {.context = &list, .text = list_text, .csv = list_csv, .json = list_json};
    int code = EXIT_ANSWERED;
    if (answer_check(settings, settings->show, &error) || fail_extra(settings, settings->show ? 0 : 1, &error))
        return complain(&error);
    if (settings->show)
        return show(settings);
    if (choose(settings, &list, &error) || answer_print(settings, &answer, &error))
        code = complain(&error);
    free(list.machines);
    machines_free(&list.here);
    return code;
}
