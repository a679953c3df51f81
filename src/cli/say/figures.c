/* Every figure of a machine in one order, for all that list them: 'roofline machines --show', its CSV, the page of an
 * answer. A row:  "bf16 matrix"  989.4e12  FLOP/s  ridge 295  datasheet  h100-ds */
#include "cli/say/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/out/csv.h"

enum { SOURCES = 128 };

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

size_t figures_of(const roof_machine *machine, figure_row rows[FIGURE_MAX]) {
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

void machine_csv(const roof_machine *machine, text_out *out) {
    figure_row rows[FIGURE_MAX];
    size_t count = figures_of(machine, rows);
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

/* A source that is not a key stands for itself. */
void figures_sources(const roof_figure *const figures[], size_t count, source_teller *tell, text_out *out) {
    const char *seen[SOURCES];
    size_t lengths[SOURCES], seen_count = 0;
    for (size_t i = 0; i < count; i++) {
        const char *at = figures[i]->origin != ROOF_ORIGIN_UNKNOWN && figures[i]->source ? figures[i]->source : "";
        for (; *at; at += strspn(at, " ")) {
            size_t length = strcspn(at, " ");
            char key[64];
            bool known = length >= sizeof key || seen_count == SOURCES;
            for (size_t k = 0; !known && k < seen_count; k++)
                known = lengths[k] == length && strncmp(seen[k], at, length) == 0;
            snprintf(key, sizeof key, "%.*s", (int)length, at);
            if (!known && roof_source_text(key)) {
                seen[seen_count] = at;
                lengths[seen_count++] = length;
                tell(key, roof_source_text(key), out);
            }
            at += length;
        }
    }
}
