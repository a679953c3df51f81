/* Tables: widths from the contents, one blank line nowhere, no trailing blanks. */
#include "cli/out/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/columns.h"

void table_column_add(table_grid *table, const char *group, const char *flags, const char *head, ...) {
    if (table->column_count == TABLE_COLUMNS)
        return;
    table_column *column = &table->columns[table->column_count++];
    *column = (table_column){.group = group,
                             .left = strchr(flags, 'l'),
                             .shrink = strchr(flags, 's') || strchr(flags, 'f'),
                             .fold = strchr(flags, 'f'),
                             .wide = strchr(flags, 'w')};
    va_list arguments;
    va_start(arguments, head);
    vsnprintf(column->head, sizeof column->head, head, arguments);
    va_end(arguments);
}

void table_heads_add(table_grid *table, const char *const *heads) {
    for (; *heads; heads++) {
        char flags[8];
        size_t length = strcspn(*heads, ":");
        snprintf(flags, sizeof flags, "%.*s", (int)length, *heads);
        table_column_add(table, NULL, flags, "%s", *heads + length + 1);
    }
}

void table_row(table_grid *table) {
    if (table->row_count == table->capacity) {
        table->capacity = table->capacity ? table->capacity * 2 : 16;
        table->cells = keep_or_die(realloc(table->cells, table->capacity * table->column_count * sizeof *table->cells));
    }
    memset(table->cells + table->row_count * table->column_count, 0, table->column_count * sizeof *table->cells);
    table->row_count++;
    table->at = 0;
}

void table_cell_add(table_grid *table, paint colour, const char *format, ...) {
    if (table->at == table->column_count)
        return;
    table_cell *cell = &table->cells[(table->row_count - 1) * table->column_count + table->at++];
    cell->colour = colour;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cell->text, sizeof cell->text, format, arguments);
    va_end(arguments);
}

typedef struct layout {
    int width[TABLE_COLUMNS], gap[TABLE_COLUMNS];
} layout;

static int columns_of(const char *text) {
    return (int)text_width(text, strlen(text));
}

static int total(const table_grid *table, const layout *plan) {
    int sum = 0;
    for (size_t i = 0; i < table->column_count; i++)
        sum += plan->gap[i] + plan->width[i];
    return sum;
}

static bool opens_group(const table_grid *table, size_t i) {
    return table->columns[i].group && (i == 0 || table->columns[i - 1].group != table->columns[i].group);
}

static size_t group_end(const table_grid *table, size_t i) {
    size_t end = i + 1;
    while (end < table->column_count && table->columns[end].group == table->columns[i].group)
        end++;
    return end;
}

/* The heading over several columns must fit above them. */
static void widen_groups(const table_grid *table, layout *plan) {
    for (size_t i = 0; i < table->column_count; i++) {
        if (!opens_group(table, i))
            continue;
        size_t end = group_end(table, i);
        int width = plan->width[i];
        for (size_t k = i + 1; k < end; k++)
            width += plan->gap[k] + plan->width[k];
        int lack = columns_of(table->columns[i].group) - width;
        if (lack > 0)
            plan->width[i] += lack;
    }
}

/* Too wide: first narrower gaps, then the columns that may be cut. */
static void squeeze(const table_grid *table, layout *plan) {
    for (int gap = 2; gap >= 1; gap--)
        for (size_t i = 1; i < table->column_count && total(table, plan) > TEXT_COLUMNS; i++)
            if (plan->gap[i] > gap)
                plan->gap[i] = gap;
    for (size_t i = table->column_count; i-- > 0;) {
        int excess = total(table, plan) - TEXT_COLUMNS;
        if (excess <= 0 || !table->columns[i].shrink)
            continue;
        plan->width[i] = plan->width[i] - excess > 8 ? plan->width[i] - excess : 8;
    }
}

static layout natural_layout(const table_grid *table) {
    layout plan = {{0}, {0}};
    for (size_t i = 0; i < table->column_count; i++) {
        plan.width[i] = columns_of(table->columns[i].head);
        plan.gap[i] = table->columns[i].wide ? 3 : 2;
        for (size_t row = 0; row < table->row_count; row++) {
            int width = columns_of(table->cells[row * table->column_count + i].text);
            if (width > plan.width[i])
                plan.width[i] = width;
        }
    }
    widen_groups(table, &plan);
    return plan;
}

static layout make_layout(const table_grid *table) {
    layout plan = natural_layout(table);
    squeeze(table, &plan);
    return plan;
}

void table_text(table_grid *table, const char *text) {
    table_cell_add(table, PAINT_NONE, "%s", text);
}

int table_width(const table_grid *table) {
    layout plan = natural_layout(table);
    for (size_t i = 0; i < table->column_count; i++)
        plan.gap[i] = plan.gap[i] > 2 ? 2 : plan.gap[i];
    return total(table, &plan);
}

typedef struct pen { /* blanks are owed, and paid only when something follows: no line ends in one */
    text_out *out;
    int owed;
} pen;

static void put(pen *line, const char *text, int width, bool left, paint colour) {
    bool whole = columns_of(text) <= width;
    size_t bytes = chart_columns_cut(text, (size_t)(whole ? width : width - 1));
    int columns = (int)text_width(text, bytes) + !whole;
    if (!left)
        line->owed += width - columns;
    if (*text) {
        text_add(line->out, "%*s", line->owed, "");
        text_paint(line->out, colour, "%.*s%s", (int)bytes, text, whole ? "" : line->out->utf8 ? "\xe2\x80\xa6" : "~");
        line->owed = 0;
    } else {
        line->owed += columns;
    }
    if (left)
        line->owed += width - columns;
}

/* The last cell of a row, over as many lines as it needs; text_wrap() ends each but the last line. */
static void put_folded(pen *line, const char *text, const layout *plan, size_t count) {
    int indent = plan->gap[count - 1];
    for (size_t i = 0; i + 1 < count; i++)
        indent += plan->gap[i] + plan->width[i];
    text_add(line->out, "%*s", line->owed, "");
    text_wrap(line->out, indent, indent, text);
    line->out->length--; /* the row ends its line itself */
    line->owed = 0;
}

static void print_groups(const table_grid *table, const layout *plan, text_out *out) {
    pen line = {out, 0};
    bool any = false;
    for (size_t i = 0; i < table->column_count; i++)
        any |= table->columns[i].group != NULL;
    for (size_t i = 0; any && i < table->column_count; i++) {
        line.owed += plan->gap[i];
        if (!opens_group(table, i)) {
            line.owed += plan->width[i];
            continue;
        }
        size_t end = group_end(table, i);
        int width = plan->width[i];
        for (size_t k = i + 1; k < end; k++)
            width += plan->gap[k] + plan->width[k];
        put(&line, table->columns[i].group, width, table->columns[i].left || end > i + 1, PAINT_DIM);
        i = end - 1;
    }
    if (any)
        text_add(out, "\n");
}

void table_print(const table_grid *table, text_out *out) {
    layout plan = make_layout(table);
    print_groups(table, &plan, out);
    pen line = {out, 0};
    for (size_t i = 0; i < table->column_count; i++) {
        line.owed += plan.gap[i];
        put(&line, table->columns[i].head, plan.width[i], table->columns[i].left, PAINT_DIM);
    }
    text_add(out, "\n");
    for (size_t row = 0; row < table->row_count; row++) {
        line.owed = 0;
        for (size_t i = 0; i < table->column_count; i++) {
            const table_cell *cell = &table->cells[row * table->column_count + i];
            line.owed += plan.gap[i];
            if (table->columns[i].fold)
                put_folded(&line, cell->text, &plan, table->column_count);
            else
                put(&line, cell->text, plan.width[i], table->columns[i].left, cell->colour);
        }
        text_add(out, "\n");
    }
}

void table_free(table_grid *table) {
    free(table->cells);
    *table = (table_grid){0};
}
