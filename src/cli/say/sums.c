/* Operations added up by name, and the table that shows them. */
#include "cli/say/sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out/number.h"
#include "cli/out/table.h"

judged_operation *judge_each(const roof_machine *machine, const roof_constants *constants,
                             const roof_operation *operations, size_t count) {
    judged_operation *out = keep_or_die(calloc(count + 1, sizeof *out));
    for (size_t i = 0; i < count; i++) {
        out[i].operation = operations[i];
        roof_judge(machine, &operations[i], &out[i].verdict, NULL); /* judged before, as part of a sum */
        roof_expect(machine, constants, &operations[i], &out[i].expected, NULL);
    }
    return out;
}

void explain_judged(const judged_operation *item, const char *node, const roof_machine *machine, used_figures *used,
                    text_out *out) {
    const roof_operation *operation = &item->operation;
    char number[NUMBER_SIZE];
    text_out head = {0};
    text_add(&head, "%s%s%s, ", operation->name, node && node[0] ? " " : "", node ? node : "");
    text_add(&head, operation->count == 1 ? "once" : "%s times", number_whole(operation->count, number));
    text_add(out, "\n  ");
    text_start(out, PAINT_BOLD);
    text_wrap(out, 2, 4, head.bytes);
    text_stop(out, PAINT_BOLD);
    text_free(&head);
    explain_operation(operation, out);
    explain_verdict(machine, operation, &item->verdict, out);
    used_by(&item->verdict, operation, used);
}

void judged_json(const judged_operation *item, double total, emit *json) {
    const roof_operation *operation = &item->operation;
    double count = operation->count, seconds = item->verdict.seconds * count;
    char roof[48];
    emit_number(json, "flops", roof_operation_flops(operation) * count);
    emit_number(json, "matrix_flops", operation->matrix_flops * count);
    emit_number(json, "bytes", operation->bytes[ROOF_DRAM] * count);
    emit_number(json, "seconds", seconds);
    emit_number(json, "share", total > 0 ? seconds / total : 0);
    emit_string(json, "bound", roof_bound_name(item->verdict.bound));
    emit_number(json, "intensity", item->verdict.intensity);
    emit_string(json, "roof", roof_verdict_roof(&item->verdict, roof, sizeof roof));
}

static int by_time(const void *a, const void *b) {
    double left = ((const named_sum *)a)->sum.seconds, right = ((const named_sum *)b)->sum.seconds;
    return left < right ? 1 : left > right ? -1 : 0;
}

named_sum *sums_by_name(const judged_operation *operations, size_t count, size_t *names) {
    named_sum *out = keep_or_die(calloc(count + 1, sizeof *out));
    *names = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < *names && strcmp(out[k].name, operations[i].operation.name) != 0)
            k++;
        if (k == *names)
            out[(*names)++] = (named_sum){.name = operations[i].operation.name};
        out[k].times += operations[i].operation.count;
        roof_sum_add(&out[k].sum, &operations[i].operation, &operations[i].verdict);
        out[k].expected += operations[i].operation.count * operations[i].expected.seconds;
    }
    qsort(out, *names, sizeof *out, by_time);
    return out;
}

/* Decimals that show four digits of the largest value in a column that adds up. */
static int decimals_for(double largest) {
    int whole = largest >= 1 ? (int)floor(log10(largest)) + 1 : 1;
    return whole >= 4 ? 1 : 4 - whole;
}

typedef struct sum_columns {
    number_unit flops, bytes, time;
    int flops_decimals, bytes_decimals, time_decimals;
    bool counted;
} sum_columns;

enum { BAR = 8, COUNTED_BAR = 4 };

/* "Conv+BatchNormalization+Relu" as "Conv+BatchNorm+Relu"; what is still too long is cut by the table. */
static void short_name(const char *name, char out[TABLE_CELL]) {
    static const char tail[] = "Normalization";
    size_t used = 0, cut = sizeof tail - 1 - strlen("Norm");
    out[0] = '\0';
    while (*name && used < TABLE_CELL) {
        size_t length = strcspn(name, "+"), keep = length;
        if (length >= sizeof tail - 1 && strncmp(name + length - (sizeof tail - 1), tail, sizeof tail - 1) == 0)
            keep -= cut;
        used += (size_t)snprintf(out + used, TABLE_CELL - used, "%s%.*s", used ? "+" : "", (int)keep, name);
        name += length + (name[length] == '+');
    }
}

static void add_cells(const named_sum *row, double total, const sum_columns *columns, bool bar, bool utf8,
                      table_grid *table) {
    char number[NUMBER_SIZE], blocks[64] = "";
    const roof_sum *sum = &row->sum;
    roof_bound bound = roof_sum_bound(sum);
    table_row(table);
    char name[TABLE_CELL];
    short_name(row->name, name);
    table_text(table, name);
    if (columns->counted)
        table_text(table, number_whole(row->times, number));
    table_text(table, number_fixed(sum->flops * columns->flops.factor, columns->flops_decimals, number));
    table_text(table, number_fixed(sum->bytes * columns->bytes.factor, columns->bytes_decimals, number));
    table_text(table, sum->bytes > 0 ? number_three(sum->flops / sum->bytes, number) : "-");
    table_cell_add(table, text_bound_paint(bound), "%s", roof_bound_name(bound));
    table_text(table, number_fixed(sum->seconds * columns->time.factor, columns->time_decimals, number));
    table_text(table, number_fixed(row->expected * columns->time.factor, columns->time_decimals, number));
    if (!bar)
        return;
    int length = total > 0 ? (int)lround(sum->seconds / total * (columns->counted ? COUNTED_BAR : BAR)) : 0;
    for (int i = 0; i < length; i++)
        strcat(blocks, utf8 ? "\xe2\x96\x88" : "#"); /* at most 16 of 3 bytes */
    table_cell_add(table, PAINT_NONE, "%s%%", number_fixed(total > 0 ? 100 * sum->seconds / total : 0, 1, number));
    table_cell_add(table, text_bound_paint(bound), "%s", blocks);
}

static void add_sum(roof_sum *to, const roof_sum *from) {
    to->seconds += from->seconds;
    to->flops += from->flops;
    to->bytes += from->bytes;
    for (int bound = 0; bound < ROOF_BOUND_COUNT; bound++)
        to->bound_seconds[bound] += from->bound_seconds[bound];
}

static void add_columns(const sum_columns *columns, table_grid *table) {
    table_column_add(table, NULL, "ls", "operation");
    if (columns->counted)
        table_column_add(table, NULL, "", "times");
    table_column_add(table, NULL, "", "%sFLOP", columns->flops.prefix);
    table_column_add(table, NULL, "", "%sB", columns->bytes.prefix);
    table_heads(table, ":FLOP/B", "l:bound");
    table_column_add(table, NULL, "", "%ss", columns->time.prefix);
    table_heads(table, ":expected", ":share");
    table_column_add(table, NULL, "l", "%s", "");
}

void sums_table(const judged_operation *operations, size_t count, const roof_sum *total, double expected, size_t rows,
                bool counted, text_out *out) {
    size_t name_count;
    named_sum *names = sums_by_name(operations, count, &name_count);
    named_sum all = {.name = "total", .sum = *total, .expected = expected}, rest = {0};
    char others[48];
    size_t shown = rows > 0 && name_count > rows ? rows - 1 : name_count;
    sum_columns columns = {number_for(total->flops),
                           number_for(total->bytes),
                           number_for(fmax(expected, total->seconds)),
                           0,
                           0,
                           0,
                           counted};
    columns.flops_decimals = decimals_for(total->flops * columns.flops.factor);
    columns.bytes_decimals = decimals_for(total->bytes * columns.bytes.factor);
    columns.time_decimals = decimals_for(total->seconds * columns.time.factor);
    table_grid table = {0};
    add_columns(&columns, &table);
    for (size_t i = 0; i < name_count; i++) {
        all.times += names[i].times;
        if (i < shown) {
            add_cells(&names[i], total->seconds, &columns, true, out->utf8, &table);
            continue;
        }
        rest.times += names[i].times;
        rest.expected += names[i].expected;
        add_sum(&rest.sum, &names[i].sum);
    }
    snprintf(others, sizeof others, "%zu others", name_count - shown);
    rest.name = others;
    if (shown < name_count)
        add_cells(&rest, total->seconds, &columns, true, out->utf8, &table);
    add_cells(&all, total->seconds, &columns, false, out->utf8, &table);
    table_print(&table, out);
    table_free(&table);
    free(names);
}
