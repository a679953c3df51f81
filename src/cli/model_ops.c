/* --ops: where the time of a phase goes; --explain: every formula of it with its numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/explain.h"
#include "cli/model.h"
#include "cli/table.h"

typedef struct named_sum {
    const char *name;
    roof_sum sum;
} named_sum;

/* Operations of the same name together, in the order of first use. */
static size_t add_up(const model_operation *operations, size_t count, named_sum *out) {
    size_t names = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < names && strcmp(out[k].name, operations[i].operation.name) != 0)
            k++;
        if (k == names)
            out[names++] = (named_sum){.name = operations[i].operation.name};
        roof_sum_add(&out[k].sum, &operations[i].operation, &operations[i].verdict);
    }
    return names;
}

static int by_time(const void *a, const void *b) {
    double left = ((const named_sum *)a)->sum.seconds, right = ((const named_sum *)b)->sum.seconds;
    return left < right ? 1 : left > right ? -1 : 0;
}

/* Decimals that show four digits of the largest value in a column that adds up. */
static int decimals_for(double largest) {
    int whole = largest >= 1 ? (int)floor(log10(largest)) + 1 : 1;
    return whole >= 4 ? 1 : 4 - whole;
}

typedef struct sum_columns {
    number_unit flops, bytes, time;
    int flops_decimals, bytes_decimals, time_decimals;
} sum_columns;

static void add_cells(const named_sum *row, double total, const sum_columns *columns, bool bar, bool utf8,
                      table_grid *table) {
    char number[NUMBER_SIZE], blocks[64] = "";
    const roof_sum *sum = &row->sum;
    roof_bound bound = roof_sum_bound(sum);
    table_row(table);
    table_cell_add(table, PAINT_NONE, "%s", row->name);
    table_cell_add(table, PAINT_NONE, "%s",
                   number_fixed(sum->flops * columns->flops.factor, columns->flops_decimals, number));
    table_cell_add(table, PAINT_NONE, "%s",
                   number_fixed(sum->bytes * columns->bytes.factor, columns->bytes_decimals, number));
    table_cell_add(table, PAINT_NONE, "%s", sum->bytes > 0 ? number_three(sum->flops / sum->bytes, number) : "-");
    table_cell_add(table, text_bound_paint(bound), "%s", roof_bound_name(bound));
    table_cell_add(table, PAINT_NONE, "%s",
                   number_fixed(sum->seconds * columns->time.factor, columns->time_decimals, number));
    if (!bar)
        return;
    int length = (int)lround(sum->seconds / total * 16);
    for (int i = 0; i < length; i++)
        strcat(blocks, utf8 ? "\xe2\x96\x88" : "#"); /* at most 16 of 3 bytes */
    table_cell_add(table, PAINT_NONE, "%s%%", number_fixed(100 * sum->seconds / total, 1, number));
    table_cell_add(table, text_bound_paint(bound), "%s", blocks);
}

void model_operations_table(const model_question *question, const model_row *row, roof_phase phase, text_out *out) {
    size_t count;
    model_operation *operations = model_operations(question, row, phase, &count);
    named_sum *names = keep_or_die(calloc(count + 1, sizeof *names));
    named_sum total = {.name = "total", .sum = row->point[phase].sum};
    size_t name_count = add_up(operations, count, names);
    qsort(names, name_count, sizeof *names, by_time);

    sum_columns columns = {
        number_for(total.sum.flops), number_for(total.sum.bytes), number_for(total.sum.seconds), 0, 0, 0};
    columns.flops_decimals = decimals_for(total.sum.flops * columns.flops.factor);
    columns.bytes_decimals = decimals_for(total.sum.bytes * columns.bytes.factor);
    columns.time_decimals = decimals_for(total.sum.seconds * columns.time.factor);

    table_grid table = {0};
    char place[FACT_PLACE];
    model_row_place(question, row, place, sizeof place);
    text_add(out, "\n  ");
    text_paint(out, PAINT_BOLD, "%s", roof_phase_name(phase));
    text_add(out, "%s%s: where the time goes\n", place[0] ? " " : "", place);
    table_column_add(&table, NULL, "l", "operation");
    table_column_add(&table, NULL, "", "%sFLOP", columns.flops.prefix);
    table_column_add(&table, NULL, "", "%sB", columns.bytes.prefix);
    table_column_add(&table, NULL, "", "FLOP/B");
    table_column_add(&table, NULL, "l", "bound");
    table_column_add(&table, NULL, "", "%ss", columns.time.prefix);
    table_column_add(&table, NULL, "", "share");
    table_column_add(&table, NULL, "l", "%s", "");
    for (size_t i = 0; i < name_count; i++)
        add_cells(&names[i], total.sum.seconds, &columns, true, out->utf8, &table);
    add_cells(&total, total.sum.seconds, &columns, false, out->utf8, &table);
    table_print(&table, out);
    table_free(&table);
    free(names);
    free(operations);
}

void model_explain(const model_question *question, const model_row *row, text_out *out) {
    used_figures used = {0};
    for (int phase = ROOF_PREFILL; phase <= ROOF_DECODE; phase++) {
        size_t count;
        if (!question->asked[phase])
            continue;
        model_operation *operations = model_operations(question, row, (roof_phase)phase, &count);
        text_add(out, "\n");
        text_paint(out, PAINT_BOLD, "%s, operation by operation\n", roof_phase_name((roof_phase)phase));
        for (size_t i = 0; i < count; i++) {
            char number[NUMBER_SIZE];
            text_add(out, "\n  ");
            text_paint(out, PAINT_BOLD, "%s", operations[i].operation.name);
            text_add(out, ", %s times\n", number_whole(operations[i].operation.count, number));
            explain_operation(&operations[i].operation, out);
            explain_verdict(row->machine, &operations[i].operation, &operations[i].verdict, out);
            used_by(&operations[i].verdict, &operations[i].operation, &used);
        }
        free(operations);
    }
    text_add(out, "\n");
    explain_sources(row->machine, &used, out);
    if (roof_model_file_notes(question->file) > 0)
        text_paint(out, PAINT_BOLD, "\nread from the model's file\n");
    for (size_t i = 0; i < roof_model_file_notes(question->file); i++) {
        text_add(out, "  ");
        text_wrap(out, 2, 4, roof_model_file_note(question->file, i));
    }
}
