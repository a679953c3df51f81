/* CSV as a table of a page: numbers at the right, in the unit of their column, with the exact value to sort by. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/html.h"
#include "chart/roofs.h"
#include "chart/svg.h"
#include "roofline_chart.h"

enum { COLUMN_MAX = 64, UNIT = 24 };

typedef struct csv_grid {
    char *bytes;        /* a copy of the text, cut into cells in place */
    const char **cells; /* rows of `columns`, the names first; what a short row lacks is "" */
    size_t columns, rows;
} csv_grid;

typedef struct csv_column {
    bool number, filled, hidden;
    bool words;         /* texts that may wrap */
    double least, most; /* sizes that are not zero */
    char unit[UNIT];    /* "": none; "unit": that of its row; "*": prefixes alone */
    number_unit scale;  /* of all its cells; factor 0: each has its own */
} csv_column;

/* ---- reading ---- */

/* The next cell, unquoted and ended in place; `*last` when its row ends with it. */
static char *next_cell(char **at, const char *end, bool *last) {
    char *start = *at, *to = *at, *from = *at;
    bool quoted = from < end && *from == '"';
    for (from += quoted; from < end; from++) {
        if (quoted && *from == '"') {
            if (from + 1 < end && from[1] == '"')
                from++;
            else {
                quoted = false;
                continue;
            }
        } else if (!quoted && (*from == ',' || *from == '\n')) {
            break;
        }
        *to++ = *from;
    }
    *last = from >= end || *from == '\n';
    *at = from + 1;
    if (to > start && *last && to[-1] == '\r')
        to--;
    *to = '\0';
    return start;
}

static void count_cells(const char *csv, size_t length, csv_grid *out) {
    bool quoted = false, first = true;
    out->columns = 1;
    for (size_t i = 0; i < length; i++) {
        quoted ^= csv[i] == '"';
        out->columns += first && !quoted && csv[i] == ',';
        out->rows += !quoted && csv[i] == '\n';
        first &= quoted || csv[i] != '\n';
    }
    out->rows += length > 0 && csv[length - 1] != '\n';
    out->columns = out->columns > COLUMN_MAX ? COLUMN_MAX : out->columns;
}

static bool read_grid(const char *csv, size_t length, csv_grid *out) {
    *out = (csv_grid){.bytes = malloc(length + 1)};
    count_cells(csv, length, out);
    out->cells = malloc((out->rows + 1) * out->columns * sizeof *out->cells);
    if (!out->bytes || !out->cells)
        return false;
    for (size_t i = 0; i < out->rows * out->columns; i++)
        out->cells[i] = "";
    memcpy(out->bytes, csv, length);
    char *at = out->bytes;
    const char *end = out->bytes + length;
    for (size_t row = 0; at < end && row < out->rows; row++) {
        bool last = false;
        for (size_t column = 0; !last; column++) {
            const char *cell = next_cell(&at, end, &last);
            if (column < out->columns)
                out->cells[row * out->columns + column] = cell;
        }
    }
    return true;
}

static void free_grid(csv_grid *grid) {
    free(grid->bytes);
    free(grid->cells);
}

static const char *cell_at(const csv_grid *grid, size_t row, size_t column) {
    return grid->cells[row * grid->columns + column];
}

/* Digits, point, exponent: whatever the locale says, and exact enough to be shown. */
static bool read_number(const char *text, double *out) {
    const char *at = text + (*text == '-');
    double value = 0;
    int digits = 0, exponent = 0, sign = 1, power = 0;
    for (bool fraction = false; (*at >= '0' && *at <= '9') || (*at == '.' && !fraction); at++) {
        if (*at == '.') {
            fraction = true;
            continue;
        }
        value = value * 10 + (*at - '0');
        exponent -= fraction;
        digits++;
    }
    if (digits > 0 && (*at == 'e' || *at == 'E')) {
        sign = at[1] == '-' ? -1 : 1;
        for (at += 1 + (at[1] == '-' || at[1] == '+'); *at >= '0' && *at <= '9' && power < 1000; at++)
            power = power * 10 + (*at - '0');
    }
    *out = (*text == '-' ? -value : value) * pow(10, exponent + sign * power);
    return digits > 0 && digits < 300 && !*at && isfinite(*out);
}

/* ---- columns ---- */

/* "link_bytes" has the unit of "bytes", "bytes_l2" that of "bytes_". */
static bool names_column(const char *entry, size_t length, const char *name) {
    if (entry[length - 1] == '_')
        return strncmp(entry, name, length) == 0;
    size_t whole = strlen(name);
    return whole >= length && strncmp(name + whole - length, entry, length) == 0 &&
           (whole == length || name[whole - length - 1] == '_');
}

static void find_unit(const char *units, const char *name, char out[UNIT]) {
    size_t best = 0;
    for (const char *at = units ? units : ""; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, "= "), whole = strcspn(at, " ");
        if (length < whole && length > best && whole - length <= UNIT && names_column(at, length, name)) {
            memcpy(out, at + length + 1, whole - length - 1);
            out[whole - length - 1] = '\0';
            best = length;
        }
        at += whole;
    }
}

/* Ratios and the like read best as they are. */
static bool takes_prefix(const char *unit) {
    size_t length = strlen(unit);
    return length > 0 && strcmp(unit, "%") != 0 && strcmp(unit, "x") != 0 &&
           !(length > 2 && strcmp(unit + length - 2, "/B") == 0);
}

static void look_at(const csv_grid *grid, const char *units, size_t at, csv_column *out) {
    *out = (csv_column){.number = true, .least = HUGE_VAL, .scale = {1, ""}};
    for (size_t row = 1; row < grid->rows; row++) {
        const char *cell = cell_at(grid, row, at);
        double value = 0;
        out->filled |= *cell != '\0';
        out->words |= strlen(cell) > HTML_WORDS;
        out->number &= !*cell || read_number(cell, &value);
        if (fabs(value) > 0) {
            out->least = fmin(out->least, fabs(value));
            out->most = fmax(out->most, fabs(value));
        }
    }
    out->number &= out->filled;
    if (!out->number)
        return;
    find_unit(units, cell_at(grid, 0, at), out->unit);
    if (strcmp(out->unit, "unit") == 0 || strcmp(out->unit, "*") == 0)
        out->scale.factor = 0;
    else if (takes_prefix(out->unit)) /* over more than five decades no one prefix reads well */
        out->scale = out->most / out->least > 1e5 ? (number_unit){0, ""} : number_for(out->most);
}

/* ---- writing ---- */

/* "least_seconds" is "least time": its unit may be milliseconds. */
static void put_words(chart_output *out, const csv_column *column, const char *name) {
    static const char seconds[] = "seconds";
    size_t length = strlen(name), end = sizeof seconds - 1;
    bool timed = strcmp(column->unit, "s") == 0 && length >= end && strcmp(name + length - end, seconds) == 0;
    char text[96];
    size_t i = 0;
    for (; i < length - (timed ? end : 0) && i + sizeof seconds < sizeof text; i++)
        text[i] = (char)(name[i] == '_' ? ' ' : name[i]);
    strcpy(text + i, timed ? "time" : "");
    chart_put_escaped(out, text);
}

/* The beginning is enough to know a very long text by; it opens to the rest. */
static void put_text(chart_output *out, const char *text) {
    char first[HTML_FIRST + 1];
    size_t length = strlen(text), cut = HTML_FIRST;
    if (length <= 2 * HTML_FIRST) {
        chart_put_escaped(out, text);
        return;
    }
    while (cut > HTML_FIRST / 2 && ((unsigned char)text[cut] & 0xC0) == 0x80)
        cut--;
    memcpy(first, text, cut);
    first[cut] = '\0';
    chart_put(out, "<details><summary>");
    chart_put_escaped(out, first);
    chart_put(out, "\xE2\x80\xA6</summary>");
    chart_put_escaped(out, text);
    chart_put(out, "</details>");
}

/* A page has the letter that terminals lack. */
static void put_prefix(chart_output *out, number_unit unit) {
    chart_put(out, *unit.prefix == 'u' ? "\xC2\xB5" : unit.prefix);
}

static void put_head(chart_output *out, const csv_column *column, const char *name) {
    chart_put(out, column->number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
    put_words(out, column, name);
    if (column->unit[0] && column->scale.factor > 0) {
        chart_put(out, ", ");
        put_prefix(out, column->scale);
        chart_put_escaped(out, strcmp(column->unit, "x") == 0 ? "\xC3\x97" : column->unit);
    }
    chart_put(out, "</th>");
}

static void put_plain(chart_output *out, double value) {
    char text[NUMBER_SIZE];
    bool whole = fabs(value) < 1e15 && floor(value) >= value;
    chart_put(out, whole ? number_fixed(value, 0, text) : number_digits(value, 4, true, text));
}

static void put_value(chart_output *out, const csv_column *column, const char *row_unit, double value) {
    char text[NUMBER_SIZE];
    const char *unit = strcmp(column->unit, "unit") == 0 ? row_unit
                       : strcmp(column->unit, "*") == 0  ? ""
                                                         : column->unit;
    if (!column->unit[0]) {
        put_plain(out, value);
        return;
    }
    if (strcmp(unit, "%") == 0) { /* one number of decimals for a whole column */
        chart_put(out, number_fixed(value * 100, 1, text));
        return;
    }
    if (column->scale.factor > 0) {
        chart_put(out, number_digits(value * column->scale.factor, 3, true, text));
        return;
    }
    number_unit scale = *unit || column->unit[0] == '*' ? number_for(value) : (number_unit){1, ""};
    chart_put(out, number_digits(value * scale.factor, 3, true, text));
    if (*unit || *scale.prefix)
        chart_put(out, " ");
    put_prefix(out, scale);
    chart_put_escaped(out, unit);
}

static void put_cell(chart_output *out, const csv_column *column, const char *cell, const char *row_unit) {
    double value;
    if (!column->number) {
        chart_put(out, column->words ? "<td class=\"words\">" : "<td>");
        put_text(out, cell);
    } else {
        chart_put(out, "<td class=\"number\" data-sort=\"");
        chart_put_escaped(out, cell);
        chart_put(out, "\">");
        if (*cell && read_number(cell, &value))
            put_value(out, column, row_unit, value);
        else
            chart_put(out, "\xE2\x80\x93");
    }
    chart_put(out, "</td>");
}

static void put_grid(chart_output *out, const csv_grid *grid, const csv_column *columns, size_t unit_at) {
    chart_put(out, "<table>\n<thead><tr>");
    for (size_t i = 0; i < grid->columns; i++)
        if (!columns[i].hidden)
            put_head(out, &columns[i], cell_at(grid, 0, i));
    chart_put(out, "</tr></thead>\n<tbody>\n");
    for (size_t row = 1; row < grid->rows; row++) {
        chart_put(out, "<tr>");
        for (size_t i = 0; i < grid->columns; i++)
            if (!columns[i].hidden)
                put_cell(out, &columns[i], cell_at(grid, row, i),
                         unit_at < grid->columns ? cell_at(grid, row, unit_at) : "");
        chart_put(out, "</tr>\n");
    }
    chart_put(out, "</tbody></table>\n");
}

int html_csv_table(chart_output *out, const roof_page_table *table, roof_error *error) {
    csv_grid grid;
    csv_column columns[COLUMN_MAX];
    bool whole = read_grid(table->csv, table->length, &grid), row_units = false;
    size_t unit_at = COLUMN_MAX;
    for (size_t i = 0; whole && i < grid.columns; i++) {
        look_at(&grid, table->units, i, &columns[i]);
        row_units |= strcmp(columns[i].unit, "unit") == 0;
        columns[i].hidden = !columns[i].filled;
        if (grid.rows > 0 && strcmp(cell_at(&grid, 0, i), "unit") == 0)
            unit_at = i;
    }
    if (row_units && unit_at < COLUMN_MAX)
        columns[unit_at].hidden = true;
    if (whole)
        put_grid(out, &grid, columns, unit_at);
    free_grid(&grid);
    return whole ? 0 : roof_fail(error, ROOF_ENOMEM, "out of memory for a table of a page");
}

void html_sort_key(chart_output *out, double value) {
    char text[NUMBER_SIZE], exponent[NUMBER_SIZE];
    chart_put(out, " data-sort=\"");
    if (fabs(value) > 0 && isfinite(value)) {
        double power = floor(log10(fabs(value)));
        chart_put(out, number_coordinate(value / pow(10, power), 6, text));
        chart_put(out, "e");
        chart_put(out, number_coordinate(power, 0, exponent));
    } else if (!isnan(value)) {
        chart_put(out, fabs(value) > 0 ? "Infinity" : "0");
    }
    chart_put(out, "\"");
}
