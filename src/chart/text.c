/* A chart in a terminal: braille dots (or ASCII) for roofs, letters for points, a key below. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/columns.h"
#include "chart/metrics.h"
#include "chart/output.h"
#include "chart/roofs.h"
#include "roofline_chart.h"

enum { COLUMN_MAX = 400, ROW_MAX = 200, PLOT_ROWS_LEAST = 6 };
static const unsigned covered = 0x110000; /* by the wide character before it */

typedef enum text_ink { INK_PLAIN, INK_FAINT, INK_STRONG, INK_MEMORY, INK_COMPUTE, INK_CHANGE } text_ink;

typedef struct cell {
    unsigned code;      /* 0: free */
    unsigned char dots; /* of a braille pattern */
    unsigned char ink;
} cell;

typedef struct text_canvas {
    const roof_chart *chart;
    chart_roofs roofs;
    int columns, rows, left, plot_rows; /* the plot is to the right of `left`, rows 0 to plot_rows - 1 */
    bool ascii, colour;
    chart_scale x, y;
    char letter[ROOF_CHART_POINT_MAX];
    cell cells[ROW_MAX][COLUMN_MAX];
} text_canvas;

/* ---- cells ---- */

static bool is_free(const text_canvas *canvas, int row, int column) {
    return row >= 0 && row < canvas->rows && column >= 0 && column < canvas->columns &&
           !canvas->cells[row][column].code && !canvas->cells[row][column].dots;
}

static void put_cell(text_canvas *canvas, int row, int column, unsigned code, text_ink ink) {
    if (row >= 0 && row < canvas->rows && column >= 0 && column < canvas->columns)
        canvas->cells[row][column] = (cell){code, 0, (unsigned char)ink};
}

/* What a dumb terminal shows for the few signs this program writes. */
static unsigned plain(const text_canvas *canvas, unsigned code) {
    if (!canvas->ascii || code < 0x80)
        return code;
    return code == 0xD7     ? 'x'
           : code == 0xB7   ? '-'
           : code == 0x2026 ? '.'
           : code == 0x2192 ? '>'
           : code == 0x2019 ? '\''
                            : '?';
}

/* ASCII writes each character as one. */
static int cells_of(const text_canvas *canvas, unsigned code) {
    return canvas->ascii ? 1 : (int)chart_code_columns(code);
}

static int length_of(const text_canvas *canvas, const char *text) {
    int length = 0;
    for (unsigned code; (code = chart_code(&text)) != 0;)
        length += cells_of(canvas, code);
    return length;
}

/* Write text if all its cells and one on either side are free. */
static bool put_text(text_canvas *canvas, int row, int column, const char *text, text_ink ink) {
    int length = length_of(canvas, text);
    for (int i = -1; i <= length; i++)
        if (!is_free(canvas, row, column + i) && (i >= 0 && i < length))
            return false;
        else if ((i < 0 || i == length) && column + i >= 0 && column + i < canvas->columns &&
                 !is_free(canvas, row, column + i))
            return false;
    for (unsigned code; (code = chart_code(&text)) != 0; column += cells_of(canvas, code)) {
        if (cells_of(canvas, code) > 0)
            put_cell(canvas, row, column, plain(canvas, code), code == ' ' ? INK_PLAIN : ink);
        if (cells_of(canvas, code) == 2)
            put_cell(canvas, row, column + 1, covered, ink);
    }
    return true;
}

/* ---- roofs ---- */

static int row_of(const text_canvas *canvas, double attainable) {
    return (int)floor(chart_at(&canvas->y, attainable) / 4);
}

static int column_of(const text_canvas *canvas, double intensity) {
    return (int)floor(chart_at(&canvas->x, intensity) / 2);
}

static void put_dot(text_canvas *canvas, int x, int y, text_ink ink) {
    static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int row = y / 4, column = x / 2;
    if (y < 0 || row >= canvas->plot_rows || column < canvas->left || column >= canvas->columns)
        return;
    cell *at = &canvas->cells[row][column];
    if (at->code)
        return;
    at->dots |= bits[y % 4][x % 2];
    at->ink = (unsigned char)ink;
}

/* One roof from where its slope enters to the right end: min(peak, bandwidth * intensity), dotted for the dashed ones.
 */
static void draw_roof(text_canvas *canvas, double peak, double bandwidth, double from, double to, bool dashed) {
    int first = (int)floor(chart_at(&canvas->x, from)), last = (int)floor(chart_at(&canvas->x, to)), previous = -1;
    for (int x = first; x <= last && x < 2 * canvas->columns; x++) {
        double intensity = pow(10, canvas->x.low + (x + 0.5 - canvas->x.from) / (canvas->x.to - canvas->x.from) *
                                                       (canvas->x.high - canvas->x.low));
        double value = fmin(peak, intensity * bandwidth);
        int y = (int)floor(chart_at(&canvas->y, value));
        if (dashed && x % 4 >= 2) {
            previous = -1;
            continue;
        }
        int step = previous < 0 || previous <= y ? y : previous - 1; /* close the gap a steep slope leaves */
        unsigned sign = value >= peak ? (dashed ? '-' : '=') : dashed ? '.' : '/';
        for (int between = y; between <= step; between++)
            if (!canvas->ascii)
                put_dot(canvas, x, between, dashed ? INK_FAINT : INK_STRONG);
            else if (between >= 0 && between / 4 < canvas->plot_rows)
                put_cell(canvas, between / 4, x / 2, sign, dashed ? INK_FAINT : INK_STRONG);
        previous = y;
    }
}

static void draw_roofs(text_canvas *canvas) {
    const chart_roofs *roofs = &canvas->roofs;
    double low = pow(10, canvas->x.low), high = pow(10, canvas->x.high);
    for (size_t i = 0; i < roofs->peak_count; i++)
        draw_roof(canvas, roofs->peaks[i].value, roofs->bandwidth,
                  fmin(roofs->ridge, roofs->peaks[i].value / roofs->bandwidth), high, true);
    for (size_t i = 0; i < roofs->level_count; i++)
        draw_roof(canvas, HUGE_VAL, roofs->levels[i].value, low, roofs->peak / roofs->levels[i].value, true);
    draw_roof(canvas, roofs->peak, roofs->bandwidth, low, high, false);
}

static void draw_ridge(text_canvas *canvas) {
    int column = column_of(canvas, canvas->roofs.ridge);
    for (int row = row_of(canvas, canvas->roofs.peak) + 1; row < canvas->plot_rows; row++)
        if (is_free(canvas, row, column))
            put_cell(canvas, row, column, canvas->ascii ? ':' : 0x250A, INK_FAINT);
}

/* ---- names ---- */

static void name_flat(text_canvas *canvas, double value, const char *name, text_ink ink) {
    int row = row_of(canvas, value), column = canvas->columns - length_of(canvas, name);
    static const int shifts[] = {-1, -2, 1};
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++)
        if (put_text(canvas, row + shifts[i], column, name, ink))
            return;
}

/* Left of a slope, nearest to its middle. */
static void name_slope(text_canvas *canvas, double bandwidth, const char *name, text_ink ink) {
    int middle = canvas->plot_rows / 2;
    for (int step = 0; step < canvas->plot_rows; step++) {
        int row = middle + (step % 2 ? -(step + 1) / 2 : step / 2);
        double foot = pow(10, canvas->y.high - (row * 4 + 4) / canvas->y.from * (canvas->y.high - canvas->y.low));
        int column = column_of(canvas, foot / bandwidth) - 1 - length_of(canvas, name);
        if (row >= 0 && row < canvas->plot_rows && column > canvas->left && put_text(canvas, row, column, name, ink))
            return;
    }
}

static void draw_names(text_canvas *canvas) {
    const chart_roofs *roofs = &canvas->roofs;
    int ridge = column_of(canvas, roofs->ridge), foot = canvas->plot_rows - 1;
    put_text(canvas, foot, ridge - 1 - (int)strlen("memory-bound"), "memory-bound", INK_MEMORY);
    put_text(canvas, foot, ridge + 2, "compute-bound", INK_COMPUTE);
    name_flat(canvas, roofs->peak, roofs->bold.name, INK_STRONG);
    name_slope(canvas, roofs->bandwidth, roofs->memory.name, INK_STRONG);
    for (size_t i = 0; i < roofs->peak_count; i++)
        name_flat(canvas, roofs->peaks[i].value, roofs->peaks[i].name, INK_FAINT);
    for (size_t i = 0; i < roofs->level_count; i++)
        name_slope(canvas, roofs->levels[i].value, roofs->levels[i].name, INK_FAINT);
}

/* ---- axes ---- */

static void draw_y_axis(text_canvas *canvas) {
    double shift = log10(canvas->roofs.unit.size);
    int previous = -2;
    for (int row = 0; row < canvas->plot_rows; row++)
        put_cell(canvas, row, canvas->left, canvas->ascii ? '|' : 0x2502, INK_FAINT);
    for (int decade = (int)floor(canvas->y.high - shift); decade >= canvas->y.low - shift; decade--) {
        char text[NUMBER_SIZE];
        int row = row_of(canvas, pow(10, decade + shift));
        if (row < 0 || row >= canvas->plot_rows || row < previous + 2)
            continue;
        put_text(canvas, row, canvas->left - 1 - length_of(canvas, chart_decade(text, decade)), text, INK_FAINT);
        put_cell(canvas, row, canvas->left, canvas->ascii ? '+' : 0x2524, INK_FAINT);
        previous = row;
    }
}

static void draw_x_axis(text_canvas *canvas) {
    char text[NUMBER_SIZE], number[NUMBER_SIZE], line[CHART_NAME];
    int row = canvas->plot_rows;
    for (int column = canvas->left; column < canvas->columns; column++)
        put_cell(canvas, row, column,
                 canvas->ascii            ? (column == canvas->left ? '+' : '-')
                 : column == canvas->left ? 0x2514
                                          : 0x2500,
                 INK_FAINT);
    snprintf(line, sizeof line, "ridge %s", number_digits(canvas->roofs.ridge, 3, true, number));
    int ridge = column_of(canvas, canvas->roofs.ridge), last = canvas->columns - length_of(canvas, line);
    put_cell(canvas, row, ridge, canvas->ascii ? '+' : 0x2534, INK_STRONG);
    int start = ridge - length_of(canvas, line) / 2;
    put_text(canvas, row + 1, start > last ? last : start, line, INK_STRONG);
    for (int decade = (int)ceil(canvas->x.low); decade <= canvas->x.high; decade++) {
        int column = column_of(canvas, pow(10, decade)), length = length_of(canvas, chart_decade(text, decade));
        if (column + length / 2 >= canvas->columns || !put_text(canvas, row + 1, column - length / 2, text, INK_FAINT))
            continue;
        put_cell(canvas, row, column, canvas->ascii ? '+' : 0x252C, INK_FAINT);
    }
    snprintf(line, sizeof line, "FLOP per byte of %s traffic", canvas->roofs.memory_kind);
    put_text(canvas, row + 2, canvas->columns - length_of(canvas, line), line, INK_FAINT);
}

/* ---- points ---- */

static text_ink ink_of(roof_bound bound) {
    return bound == ROOF_BOUND_MEMORY ? INK_MEMORY : bound == ROOF_BOUND_COMPUTE ? INK_COMPUTE : INK_PLAIN;
}

static void cell_of(const text_canvas *canvas, double intensity, double attainable, int *row, int *column) {
    bool placed = chart_has_place(intensity, attainable);
    *column = placed ? column_of(canvas, intensity) : intensity > 1 ? canvas->columns - 1 : canvas->left + 1;
    *row = attainable > 0 && (placed || intensity > 1) ? row_of(canvas, attainable) : canvas->plot_rows - 1;
    *row = *row < 0 ? 0 : *row >= canvas->plot_rows ? canvas->plot_rows - 1 : *row;
}

/* Shape is case: a to z, then digits, for circles; capitals for diamonds. */
static char letter_at(int index, bool diamond) {
    static const char circles[] = "abcdefghijklmnopqrstuvwxyz0123456789@&%$#!?;,~",
                      diamonds[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ<>{}[]()";
    return diamond ? diamonds[index % (int)(sizeof diamonds - 1)] : circles[index % (int)(sizeof circles - 1)];
}

/* Points of one shape in one cell share its letter. */
static void draw_points(text_canvas *canvas) {
    int used[2] = {0, 0};
    for (size_t i = 0; i < canvas->chart->point_count; i++) {
        const roof_chart_point *point = &canvas->chart->points[i];
        int row, column, other_row, other_column;
        cell_of(canvas, point->intensity, point->attainable, &row, &column);
        canvas->letter[i] = 0;
        for (size_t j = 0; j < i && !canvas->letter[i]; j++) {
            cell_of(canvas, canvas->chart->points[j].intensity, canvas->chart->points[j].attainable, &other_row,
                    &other_column);
            if (other_row == row && other_column == column && canvas->chart->points[j].shape == point->shape)
                canvas->letter[i] = canvas->letter[j];
        }
        if (!canvas->letter[i])
            canvas->letter[i] = letter_at(used[point->shape == 1]++, point->shape == 1);
        put_cell(canvas, row, column, (unsigned char)canvas->letter[i], ink_of(point->bound));
    }
    for (size_t i = 0; i < canvas->chart->change_count; i++) {
        int row, column;
        cell_of(canvas, canvas->chart->changes[i].intensity, canvas->chart->changes[i].attainable, &row, &column);
        if (row >= 0 && (canvas->cells[row][column].code < '!' || canvas->cells[row][column].code == '/' ||
                         canvas->cells[row][column].code == '='))
            put_cell(canvas, row, column, canvas->ascii ? '*' : 0x25CB, INK_CHANGE);
    }
}

/* ---- output ---- */

static void put_code(chart_output *out, unsigned code) {
    char bytes[5] = {0};
    chart_encode(code, bytes);
    chart_put(out, bytes);
}

static void put_ink(chart_output *out, const text_canvas *canvas, text_ink ink) {
    static const char *const codes[] = {"\033[0m",    "\033[0;2m",        "\033[0;1m",
                                        "\033[0;34m", "\033[0;38;5;166m", "\033[0;32m"};
    if (canvas->colour)
        chart_put(out, codes[ink]);
}

static unsigned shown(const cell *at) {
    return at->code ? at->code : at->dots ? 0x2800u + at->dots : ' ';
}

static void put_row(chart_output *out, const text_canvas *canvas, int row) {
    int last = canvas->columns;
    text_ink current = INK_PLAIN;
    while (last > 0 && shown(&canvas->cells[row][last - 1]) == ' ')
        last--;
    for (int column = 0; column < last; column++) {
        const cell *at = &canvas->cells[row][column];
        unsigned code = shown(at);
        if (code == covered)
            continue;
        if (code != ' ' && at->ink != current)
            put_ink(out, canvas, current = (text_ink)at->ink);
        put_code(out, code);
    }
    if (current != INK_PLAIN)
        put_ink(out, canvas, INK_PLAIN);
    chart_put(out, "\n");
}

static void put_plain(chart_output *out, const text_canvas *canvas, const char *text, int most) {
    for (unsigned code; (code = chart_code(&text)) != 0 && (most -= cells_of(canvas, code)) >= 0;)
        put_code(out, plain(canvas, code));
}

static void put_pad(chart_output *out, int count) {
    while (count-- > 0)
        chart_put(out, " ");
}

typedef struct key_row {
    char mark[5];
    char text[160];
    text_ink ink;
} key_row;

static int make_key(const text_canvas *canvas, bool details,
                    key_row out[ROOF_CHART_POINT_MAX + ROOF_CHART_CHANGE_MAX]) {
    int count = 0;
    for (size_t i = 0; i < canvas->chart->point_count; i++) {
        const roof_chart_point *point = &canvas->chart->points[i];
        key_row *row = &out[count++];
        *row = (key_row){.mark = {canvas->letter[i]}, .ink = ink_of(point->bound)};
        snprintf(row->text, sizeof row->text, "%.70s%s%.70s", point->label ? point->label : "unnamed",
                 details && point->detail && point->detail[0] ? ", " : "",
                 details && point->detail ? point->detail : "");
    }
    for (size_t i = 0; i < canvas->chart->change_count; i++) {
        key_row *row = &out[count++];
        *row = (key_row){.ink = INK_CHANGE};
        chart_encode(canvas->ascii ? '*' : 0x25CB, row->mark);
        snprintf(row->text, sizeof row->text, "%.150s",
                 canvas->chart->changes[i].label ? canvas->chart->changes[i].label : "what-if");
    }
    return count;
}

static int key_columns(const text_canvas *canvas, const key_row *rows, int count, int *width) {
    int widest = 10;
    for (int i = 0; i < count; i++)
        widest = length_of(canvas, rows[i].text) > widest ? length_of(canvas, rows[i].text) : widest;
    *width = widest + 4 > canvas->columns ? canvas->columns : widest + 4;
    int columns = (canvas->columns + 2) / *width;
    return columns < 1 ? 1 : columns;
}

static int key_lines(const text_canvas *canvas, const key_row *rows, int count) {
    int width, columns = key_columns(canvas, rows, count, &width);
    return (count + columns - 1) / columns;
}

/* Down the columns, as people read lists. */
static void put_key(chart_output *out, const text_canvas *canvas, const key_row *rows, int count) {
    int width, columns = key_columns(canvas, rows, count, &width), lines = (count + columns - 1) / columns;
    for (int line = 0; line < lines; line++) {
        for (int i = line; i < count; i += lines) {
            int room = width - 4 < canvas->columns - 2 ? canvas->columns - 2 : width - 4,
                length = length_of(canvas, rows[i].text);
            put_ink(out, canvas, rows[i].ink);
            chart_put(out, rows[i].mark);
            put_ink(out, canvas, INK_PLAIN);
            chart_put(out, " ");
            put_plain(out, canvas, rows[i].text, columns > 1 ? length : room);
            if (i + lines < count)
                put_pad(out, width - 2 - length);
        }
        chart_put(out, "\n");
    }
}

/* The title over as many lines as it needs. */
static void put_title(chart_output *out, const text_canvas *canvas) {
    const char *text = canvas->chart->title;
    while (text && *text) {
        const char *end = text, *at = text;
        int length = 0;
        for (unsigned code = ' '; code; length += code ? cells_of(canvas, code) : 0) {
            const char *before = at;
            code = chart_code(&at);
            if ((code == ' ' || code == 0) && (length <= canvas->columns || end == text))
                end = before;
            if (length > canvas->columns && end != text)
                break;
        }
        put_ink(out, canvas, INK_STRONG);
        while (text < end)
            put_code(out, plain(canvas, chart_code(&text)));
        put_ink(out, canvas, INK_PLAIN);
        chart_put(out, "\n");
        while (*text == ' ')
            text++;
    }
}

/* ---- ranges ---- */

static void set_scales(text_canvas *canvas) {
    const chart_roofs *roofs = &canvas->roofs;
    double low = fmin(log10(roofs->least_x) - 0.3, log10(roofs->ridge) - 0.8),
           high = fmax(log10(roofs->most_x) + 0.3, log10(roofs->ridge) + 0.8);
    double foot = fmin(log10(roofs->least_y), low + log10(roofs->bandwidth)), top = log10(roofs->most_y),
           decades = top - foot;
    double above = decades * (roofs->peak_count ? 1.6 : 2.6) / canvas->plot_rows,
           below = decades * 1.6 / canvas->plot_rows;
    char text[NUMBER_SIZE];
    canvas->left = 2;
    for (int decade = (int)floor(foot - below - log10(roofs->unit.size));
         decade <= top + above - log10(roofs->unit.size); decade++) {
        int length = length_of(canvas, chart_decade(text, decade)) + 1;
        canvas->left = length > canvas->left ? length : canvas->left;
    }
    canvas->x = (chart_scale){low, high, 2 * (canvas->left + 1), 2 * canvas->columns};
    canvas->y = (chart_scale){foot - below, top + above, 4 * canvas->plot_rows, 0};
}

static void put_drawing(chart_output *out, text_canvas *canvas, int rows) {
    key_row key[ROOF_CHART_POINT_MAX + ROOF_CHART_CHANGE_MAX];
    bool details = true;
    int count = make_key(canvas, details, key), lines = key_lines(canvas, key, count);
    if (lines > (rows + 2) / 3) { /* names only, rather than a key larger than the chart */
        details = false;
        lines = key_lines(canvas, key, make_key(canvas, details, key));
    }
    int titles =
        canvas->chart->title ? (length_of(canvas, canvas->chart->title) + canvas->columns - 1) / canvas->columns : 0;
    canvas->plot_rows = rows - 4 - lines - titles;
    if (canvas->plot_rows < PLOT_ROWS_LEAST)
        canvas->plot_rows = PLOT_ROWS_LEAST;
    canvas->rows = canvas->plot_rows + 3;
    set_scales(canvas);
    draw_roofs(canvas);
    draw_y_axis(canvas);
    draw_points(canvas);
    draw_ridge(canvas);
    draw_names(canvas);
    draw_x_axis(canvas);
    make_key(canvas, details, key); /* now with letters */
    put_title(out, canvas);
    put_plain(out, canvas, canvas->roofs.unit_name, canvas->columns);
    chart_put(out, "\n");
    for (int row = 0; row < canvas->rows; row++)
        put_row(out, canvas, row);
    put_key(out, canvas, key, count);
}

int roof_chart_text(const roof_chart *chart, int columns, int rows, bool ascii, bool colour, roof_write write,
                    void *context, roof_error *error) {
    if (columns < 32 || columns > COLUMN_MAX || rows < 10 || rows > ROW_MAX - 8)
        return roof_fail(error, ROOF_EARGUMENT,
                         "a terminal chart needs 32 to %d columns and 10 to %d rows, not %d x %d", COLUMN_MAX,
                         ROW_MAX - 8, columns, rows);
    chart_roofs roofs;
    if (chart_roofs_of(chart, &roofs, error))
        return -1;
    text_canvas *canvas = calloc(1, sizeof *canvas);
    if (!canvas)
        return roof_fail(error, ROOF_ENOMEM, "out of memory for a terminal chart");
    canvas->chart = chart;
    canvas->roofs = roofs;
    canvas->columns = columns;
    canvas->ascii = ascii;
    canvas->colour = colour;
    chart_output out = {.write = write, .context = context};
    put_drawing(&out, canvas, rows);
    free(canvas);
    return chart_finish(&out, error);
}
