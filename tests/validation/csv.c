/* Comma-separated tables, cut up in place: one pass counts, one pass cuts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/csv.h"

typedef struct cursor {
    char *at, *end;
    size_t line;
} cursor;

/* Cut one cell off; its text is moved to the left over quotes. *last: the record ends here. */
static char *next_cell(cursor *c, int *last) {
    char *start = c->at, *out = c->at;
    int quoted = 0;
    for (; c->at < c->end; c->at++) {
        char letter = *c->at;
        if (letter == '\n')
            c->line++;
        if (letter == '"') {
            if (quoted && c->at + 1 < c->end && c->at[1] == '"')
                *out++ = *c->at++;
            else
                quoted = !quoted;
        } else if (!quoted && (letter == ',' || letter == '\n')) {
            break;
        } else if (quoted || letter != '\r') {
            *out++ = letter;
        }
    }
    *last = c->at >= c->end || *c->at == '\n';
    if (c->at < c->end)
        c->at++;
    *out = '\0';
    return start;
}

static size_t count(const char *text, size_t length, char wanted) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += text[i] == wanted;
    return n;
}

static void read_names(cursor *c, csv_table *out) {
    int last = 0;
    while (!last)
        out->names[out->columns++] = next_cell(c, &last);
}

static void read_row(cursor *c, csv_table *out) {
    const char **row = out->cells + out->rows * out->columns;
    out->lines[out->rows] = c->line;
    int last = 0;
    for (size_t i = 0; !last; i++) {
        const char *cell = next_cell(c, &last);
        if (i < out->columns)
            row[i] = cell;
        if (last && i == 0 && !cell[0])
            return; /* an empty line */
    }
    out->rows++;
}

int csv_parse(char *text, size_t length, csv_table *out) {
    *out = (csv_table){.text = text};
    text[length] = '\0';
    const char *line_end = memchr(text, '\n', length);
    size_t columns = count(text, line_end ? (size_t)(line_end - text) : length, ',') + 1;
    size_t rows = count(text, length, '\n') + 1;
    out->names = calloc(columns, sizeof *out->names);
    out->cells = calloc(rows * columns, sizeof *out->cells);
    out->lines = calloc(rows, sizeof *out->lines);
    if (!out->names || !out->cells || !out->lines) {
        csv_free(out);
        return -1;
    }
    cursor c = {.at = text, .end = text + length, .line = 1};
    read_names(&c, out);
    for (size_t i = 0; i < rows * out->columns; i++)
        out->cells[i] = "";
    while (c.at < c.end)
        read_row(&c, out);
    return 0;
}

int csv_read(const char *path, csv_table *out) {
    *out = (csv_table){0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    size_t length = text ? fread(text, 1, (size_t)size, file) : 0;
    fclose(file);
    return text ? csv_parse(text, length, out) : -1;
}

void csv_free(csv_table *table) {
    free(table->text);
    free(table->names);
    free(table->cells);
    free(table->lines);
    *table = (csv_table){0};
}

const char *csv_text(const csv_table *table, size_t row, const char *column) {
    for (size_t i = 0; i < table->columns; i++)
        if (strcmp(table->names[i], column) == 0)
            return table->cells[row * table->columns + i];
    return "";
}

double csv_number(const csv_table *table, size_t row, const char *column) {
    const char *text = csv_text(table, row, column);
    char *end;
    double value = strtod(text, &end);
    return end != text ? value : (double)NAN;
}
