/* Expected times in words: the time with its range, the engine behind it, and its terms as a bill. */
#include "cli/say/expected.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out/table.h"
#include "roofline_chart.h"

roof_engine engine_asked(const cli_settings *settings, roof_engine otherwise) {
    return settings->engine.given ? settings->engine.engine : otherwise;
}

static bool is_cpu(const roof_machine *machine) {
    const char *scope = machine->scope ? machine->scope : "";
    return strcmp(scope, "socket") == 0 || strcmp(scope, "cores") == 0 || strncmp(scope, "CPU", 3) == 0;
}

roof_engine engine_usual(const machine_set *machines, bool gguf, const char **why) {
    bool cpus = machines->count > 0;
    for (size_t i = 0; i < machines->count; i++)
        cpus = cpus && is_cpu(&machines->list[i]);
    *why = cpus && !gguf ? "as is usual on a CPU" : NULL;
    return cpus || gguf ? ROOF_ENGINE_LLAMA_CPP : ROOF_ENGINE_SERVING;
}

void engine_constants_of(const cli_settings *settings, roof_engine otherwise, const machine_set *machines,
                         engine_constants *out) {
    out->engine = engine_asked(settings, otherwise);
    out->given = settings->engine.given;
    out->why = NULL;
    out->machines = machines;
    for (size_t i = 0; i < machines->count; i++)
        roof_constants_of(&machines->list[i], out->engine, &out->list[i]);
}

const roof_constants *engine_constants_on(const engine_constants *constants, const roof_machine *machine) {
    return &constants->list[machine - constants->machines->list];
}

/* What rounding leaves of a term is none. */
bool expected_has(const roof_expected *expected, roof_term term) {
    return fabs(expected->term[term]) > 1e-9 * expected->seconds;
}

/* ---- words ---- */

const char *expected_range(const roof_expected *expected, double factor, char buffer[EXPECTED_SIZE]) {
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    snprintf(buffer, EXPECTED_SIZE, "%s-%s", number_three(expected->low * factor, low),
             number_three(expected->high * factor, high));
    return buffer;
}

/* The unit is that of number_si(): no larger than seconds. */
static number_unit time_unit(double seconds) {
    number_unit unit = number_for(seconds);
    return unit.factor < 1 ? (number_unit){1, ""} : unit;
}

const char *expected_text(const roof_expected *expected, char buffer[EXPECTED_SIZE]) {
    char time[NUMBER_SIZE], ends[EXPECTED_SIZE];
    number_unit unit = time_unit(expected->seconds);
    snprintf(buffer, EXPECTED_SIZE, "%s %ss (%.80s)", number_three(expected->seconds * unit.factor, time), unit.prefix,
             expected_range(expected, unit.factor, ends));
    return buffer;
}

const char *expected_note(const roof_expected *expected, double bound, const engine_constants *constants,
                          char buffer[EXPECTED_SIZE]) {
    char factor[NUMBER_SIZE], times[NUMBER_SIZE + 16] = "";
    bool alone = constants->engine == ROOF_ENGINE_ALONE;
    if (bound > 0)
        snprintf(times, sizeof times, "%s the least, ", number_factor(expected->seconds / bound, factor));
    snprintf(buffer, EXPECTED_SIZE, "%s80%% interval, %s%s", times, alone ? "no engine" : "in ",
             alone ? "" : roof_engine_name(constants->engine));
    return buffer;
}

void expected_detail(const roof_expected *expected, int digits, roof_drawing *drawing, size_t point) {
    char rounded[NUMBER_SIZE], number[NUMBER_SIZE], words[2 * NUMBER_SIZE];
    char *detail = drawing->details[point];
    number_unit unit = time_unit(expected->seconds);
    if (!(expected->seconds > 0) || strcspn(detail, ",") == strlen(detail))
        return;
    snprintf(rounded, sizeof rounded, "%.*e", digits - 1, expected->seconds * unit.factor);
    snprintf(words, sizeof words, "; expected %s %ss", number_plain(strtod(rounded, NULL), number), unit.prefix);
    if (strlen(detail) + strlen(words) < sizeof drawing->details[point])
        strcat(detail, words);
}

/* ---- the bill ---- */

void bill_add(expected_bill *bill, const char *name, const roof_expected *expected) {
    if (bill->count == BILL_COLUMNS || !(expected->seconds > 0))
        return;
    bill->names[bill->count] = name;
    bill->items[bill->count++] = expected;
}

/* Decimals that show three digits of the total: the terms add up to it as they are printed, give or take the last. */
static int decimals_of(double total) {
    int whole = total >= 1 ? (int)floor(log10(total) + 1e-9) + 1 : 1;
    return whole >= 3 ? 0 : 3 - whole;
}

static bool bill_has(const expected_bill *bill, roof_term term) {
    for (size_t i = 0; i < bill->count; i++)
        if (expected_has(bill->items[i], term))
            return true;
    return false;
}

static void bill_cell(const roof_expected *expected, double value, table_grid *table) {
    char number[NUMBER_SIZE];
    double factor = time_unit(expected->seconds).factor;
    table_text(table, number_fixed(value * factor, decimals_of(expected->seconds * factor), number));
}

static void bill_row(const expected_bill *bill, const char *name, const double values[BILL_COLUMNS],
                     table_grid *table) {
    table_row(table);
    table_cell_add(table, PAINT_NONE, "  %s", name);
    for (size_t i = 0; i < bill->count; i++)
        bill_cell(bill->items[i], values[i], table);
}

static void bill_terms(const expected_bill *bill, table_grid *table) {
    for (int i = 0; i < ROOF_TERM_COUNT; i++) {
        roof_term term = (roof_term)i;
        if (!bill_has(bill, term))
            continue;
        table_row(table);
        table_cell_add(table, PAINT_NONE, "  %s", roof_term_name(term));
        for (size_t k = 0; k < bill->count; k++)
            if (expected_has(bill->items[k], term))
                bill_cell(bill->items[k], bill->items[k]->term[term], table);
            else
                table_text(table, "-");
    }
}

static void bill_kernels(const expected_bill *bill, table_grid *table) {
    char number[NUMBER_SIZE];
    table_row(table);
    table_cell_add(table, PAINT_DIM, "  %s", "kernels");
    for (size_t i = 0; i < bill->count; i++)
        table_cell_add(table, PAINT_DIM, "%s",
                       bill->items[i]->kernels >= 100 ? number_whole(bill->items[i]->kernels, number)
                                                      : number_plain(bill->items[i]->kernels, number));
}

void bill_print(const expected_bill *bill, text_out *out) {
    table_grid table = {0};
    double totals[BILL_COLUMNS], lows[BILL_COLUMNS], highs[BILL_COLUMNS];
    if (bill->count == 0)
        return;
    table_column_add(&table, NULL, "l", "expected =");
    for (size_t i = 0; i < bill->count; i++) {
        table_column_add(&table, NULL, "", "%s%s%ss", bill->names[i], *bill->names[i] ? ", " : "",
                         time_unit(bill->items[i]->seconds).prefix);
        totals[i] = bill->items[i]->seconds;
        lows[i] = bill->items[i]->low;
        highs[i] = bill->items[i]->high;
    }
    bill_terms(bill, &table);
    bill_row(bill, "total", totals, &table);
    bill_row(bill, "80% from", lows, &table);
    bill_row(bill, "80% to", highs, &table);
    bill_kernels(bill, &table);
    table_print(&table, out);
    table_free(&table);
}

/* ---- constants ---- */

static int matrix_bits(roof_constant constant) {
    static const int bits[] = {32, 16, 8, 4};
    return constant >= ROOF_CONSTANT_MATRIX_32 && constant <= ROOF_CONSTANT_MATRIX_4
               ? bits[constant - ROOF_CONSTANT_MATRIX_32]
               : 0;
}

static bool uses_width(const used_figures *used, double bits) {
    for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++)
        if (used->peak[ROOF_MATRIX][dtype] && roof_dtype_bits((roof_dtype)dtype) > bits / 2 &&
            (roof_dtype_bits((roof_dtype)dtype) <= bits || bits > 16))
            return true;
    return false;
}

static bool constant_used(const expected_bill *bill, const used_figures *used, roof_constant constant) {
    if (matrix_bits(constant))
        return uses_width(used, matrix_bits(constant));
    if (constant >= ROOF_CONSTANT_LINK && constant <= ROOF_CONSTANT_SKEW)
        return bill_has(bill, ROOF_TERM_COLLECTIVE);
    return constant != ROOF_CONSTANT_OTHERS || bill_has(bill, ROOF_TERM_OTHERS);
}

static void bill_constants(const expected_bill *bill, const engine_constants *constants, const roof_machine *machine,
                           const used_figures *used, text_out *out) {
    const roof_constants *of = engine_constants_on(constants, machine);
    if (bill->count == 0)
        return;
    text_paint(out, PAINT_BOLD, "constants of %s on %s\n", roof_engine_name(constants->engine),
               machine->id ? machine->id : "the machine");
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++) {
        roof_constant constant = (roof_constant)i;
        roof_figure figure = of->value[i];
        if (!*roof_constant_unit(constant))
            figure.value = round(figure.value * 1000) / 1000;
        if (of->value[i].origin != ROOF_ORIGIN_UNKNOWN && constant_used(bill, used, constant))
            explain_figure(roof_constant_name(constant), &figure, roof_constant_unit(constant), 0, out);
    }
    if (!of->known_machine)
        text_note(out, PAINT_DIM, "no measured runs on this kind of hardware, so the intervals are wider");
}

void bill_sources(const expected_bill *bill, const engine_constants *constants, const roof_machine *machine,
                  const used_figures *used, text_out *out) {
    text_add(out, "\n");
    explain_sources(machine, used, out);
    bill_constants(bill, constants, machine, used, out);
}

void expected_explain(const roof_expected *expected, const engine_constants *constants, const roof_machine *machine,
                      const used_figures *used, text_out *out) {
    expected_bill bill = {0};
    bill_add(&bill, "", expected);
    bill_print(&bill, out);
    bill_sources(&bill, constants, machine, used, out);
}
