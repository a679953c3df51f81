/* Formulas and sources as text. */
#include "cli/say/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out/number.h"
#include "cli/say/figures.h"

void explain_operation(const roof_operation *operation, text_out *out) {
    size_t length = roof_operation_explain(operation, NULL, 0);
    char *lines = keep_or_die(malloc(length + 1));
    roof_operation_explain(operation, lines, length + 1);
    for (char *line = lines; *line;) {
        size_t end = strcspn(line, "\n");
        text_add(out, "  ");
        if (end + 2 <= TEXT_COLUMNS) {
            text_add(out, "%.*s\n", (int)end, line);
        } else {
            char *copy = copy_text(line, end);
            text_wrap(out, 2, 6, copy);
            free(copy);
        }
        line += end + (line[end] == '\n');
    }
    free(lines);
}

static void term(const char *name, double amount, const char *unit, double seconds, text_out *out) {
    char count[NUMBER_SIZE], rate[NUMBER_SIZE], rate_unit[16], time[NUMBER_SIZE];
    if (!(seconds > 0))
        return;
    snprintf(rate_unit, sizeof rate_unit, "%s/s", unit);
    text_add(out, "    %-8s %s / %s = %s\n", name, number_si(amount, unit, count),
             number_si(amount / seconds, rate_unit, rate), number_si(seconds, "s", time));
}

void explain_verdict(const roof_machine *machine, const roof_operation *operation, const roof_verdict *verdict,
                     text_out *out) {
    char bytes[NUMBER_SIZE], rate[NUMBER_SIZE], steps[NUMBER_SIZE], time[NUMBER_SIZE], roof[48];
    double flops = verdict->unit == ROOF_MATRIX ? operation->matrix_flops : operation->vector_flops;
    text_add(out, "  time = max(compute, memory, link)%s\n", verdict->launch_seconds > 0 ? " + launch" : "");
    term("compute", flops, "FLOP", verdict->compute_seconds, out);
    term("memory", operation->bytes[verdict->level], "B", verdict->memory_seconds, out);
    if (verdict->link_seconds > 0)
        text_add(out, "    %-8s %s / %s + %s steps of latency = %s\n", "link",
                 number_si(operation->link_bytes, "B", bytes), number_si(machine->link.value, "B/s", rate),
                 number_whole(operation->link_steps, steps), number_si(verdict->link_seconds, "s", time));
    if (verdict->launch_seconds > 0)
        text_add(out, "    %-8s %s\n", "launch", number_si(verdict->launch_seconds, "s", time));
    text_add(out, "    the roof that binds is %s: %s\n", roof_verdict_roof(verdict, roof, sizeof roof),
             number_si(verdict->seconds, "s", time));
}

void used_by(const roof_verdict *verdict, const roof_operation *operation, used_figures *used) {
    if (verdict->compute_seconds > 0)
        used->peak[verdict->unit][roof_dtype_math(verdict->dtype)] = true;
    used->memory[verdict->level] |= verdict->memory_seconds > 0;
    used->link |= operation->link_bytes > 0;
    used->launch |= verdict->launch_seconds > 0;
}

void explain_figure(const char *what, const roof_figure *figure, const char *unit, double ridge, text_out *out) {
    char value[NUMBER_SIZE], number[NUMBER_SIZE], line[400];
    if (figure->origin == ROOF_ORIGIN_UNKNOWN) {
        text_add(out, "  %-18s unknown\n", what);
        return;
    }
    text_add(out, "  %-18s %-13s %6s  %-9s  ", what,
             *unit ? number_si(figure->value, unit, value) : number_plain(figure->value, value),
             ridge > 0 ? number_three(ridge, number) : "", roof_origin_name(figure->origin));
    snprintf(line, sizeof line, "%s%s", figure->source ? figure->source : "-",
             figure->unchecked ? " (not checked)" : "");
    text_wrap(out, 54, 54, line);
}

void explain_source(const char *key, const char *what, text_out *out) {
    text_add(out, "  %-18s ", key);
    text_wrap(out, 21, 21, what);
}

void explain_sources(const roof_machine *machine, const used_figures *used, text_out *out) {
    const roof_figure *figures[2 * ROOF_DTYPE_COUNT + 7];
    size_t count = 0;
    text_paint(out, PAINT_BOLD, "figures of %s\n", machine->id ? machine->id : "the machine");
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++) {
            /* a lookup may have taken the other unit's roof or another dtype's: name the one that was used */
            const roof_figure *figure =
                used->peak[unit][dtype] ? roof_machine_peak(machine, (roof_unit)unit, (roof_dtype)dtype) : NULL;
            char name[40];
            if (!figure)
                continue;
            bool vector = figure == &machine->peak[ROOF_VECTOR][dtype];
            snprintf(name, sizeof name, "%s %s", roof_dtype_name((roof_dtype)dtype),
                     roof_unit_name(vector ? ROOF_VECTOR : ROOF_MATRIX));
            explain_figure(name, figure, "FLOP/s", roof_machine_ridge(machine, (roof_unit)unit, (roof_dtype)dtype),
                           out);
            figures[count++] = figure;
        }
    const struct {
        bool used;
        const char *name, *unit;
        const roof_figure *figure;
    } rest[] = {{used->memory[ROOF_DRAM], "DRAM", "B/s", &machine->bandwidth[ROOF_DRAM]},
                {used->memory[ROOF_L3], "L3", "B/s", &machine->bandwidth[ROOF_L3]},
                {used->memory[ROOF_L2], "L2", "B/s", &machine->bandwidth[ROOF_L2]},
                {used->memory[ROOF_L1], "L1", "B/s", &machine->bandwidth[ROOF_L1]},
                {used->link, "link", "B/s", &machine->link},
                {used->link, "link latency", "s", &machine->link_latency},
                {used->launch, "launch", "s", &machine->launch}};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        if (!rest[i].used)
            continue;
        explain_figure(rest[i].name, rest[i].figure, rest[i].unit, 0, out);
        figures[count++] = rest[i].figure;
    }
    figures_sources(figures, count, explain_source, out);
}
