/* Our own columns: name, seconds, calls, flops, bytes_dram ... (docs/profiles.md, "Our own CSV"). Any order; only name
 * and seconds must be there. What 'roofline profile -o table.csv' writes reads back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/profile/build.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"

enum { NAME, WHERE, CALLS, SECONDS, LEAST, MOST, FLOPS, MATRIX, UNIT, DTYPE, DRAM, L3, L2, L1, CLOCK, COLUMN_COUNT };

static const char *const column_names[COLUMN_COUNT] = {
    [NAME] = "name|kernel",
    [WHERE] = "where|device|rank",
    [CALLS] = "calls|launches|count",
    [SECONDS] = "seconds|time|time_s",
    [LEAST] = "least_seconds",
    [MOST] = "most_seconds",
    [FLOPS] = "flops|flop",
    [MATRIX] = "matrix_flops",
    [UNIT] = "unit",
    [DTYPE] = "dtype|precision",
    [DRAM] = "bytes_dram|bytes|dram_bytes",
    [L3] = "bytes_l3",
    [L2] = "bytes_l2",
    [L1] = "bytes_l1",
    [CLOCK] = "clock",
};

typedef struct table {
    profile_job *job;
    figure_style style;
    int at[COLUMN_COUNT];
} table;

static char separator_of(const char *line) {
    return strchr(line, '\t') ? '\t' : strchr(line, ';') && !strchr(line, ',') ? ';' : ',';
}

static void find_columns(const csv_row *header, table *to) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        to->at[i] = csv_column(header, column_names[i]);
}

static int recognise(const char *head, size_t length) {
    char line[4096];
    csv_row row;
    table columns;
    (void)length;
    snprintf(line, sizeof line, "%.*s", (int)(strcspn(head, "\r\n") < 4095 ? strcspn(head, "\r\n") : 4095), head);
    char *start = strncmp(line, "\xEF\xBB\xBF", 3) == 0 ? line + 3 : line;
    csv_split(start, separator_of(start), &row);
    find_columns(&row, &columns);
    return columns.at[NAME] >= 0 && columns.at[SECONDS] >= 0 ? 30 : 0;
}

static const char *cell(const table *from, const csv_row *row, int column) {
    int at = from->at[column];
    return at >= 0 && (size_t)at < row->count ? row->fields[at] : "";
}

/* 0: a number, or absent (`*certainty` says); -1: a word where a number should be. */
static int number_of(const table *from, const csv_row *row, int column, double *value, roof_certainty *certainty) {
    figure_kind kind = figure_read(from->style.decimal, cell(from, row, column), value);
    *certainty = kind == FIGURE_NUMBER ? ROOF_COUNTED : ROOF_MISSING;
    if (kind == FIGURE_TEXT || (kind == FIGURE_NUMBER && *value < 0)) {
        char names[64];
        snprintf(names, sizeof names, "%.*s", (int)strcspn(column_names[column], "|"), column_names[column]);
        roof_fail(from->job->error, ROOF_EFORMAT, "%s '%.40s' is not a number of zero or more", names,
                  cell(from, row, column));
        if (from->job->error)
            from->job->error->line = row->line;
        return -1;
    }
    return 0;
}

static int read_flops(const table *from, const csv_row *row, draft *launch) {
    double flops, matrix;
    roof_certainty has, has_matrix;
    if (number_of(from, row, FLOPS, &flops, &has) || number_of(from, row, MATRIX, &matrix, &has_matrix))
        return -1;
    const char *word = cell(from, row, DTYPE), *unit = cell(from, row, UNIT);
    roof_dtype dtype = word[0] ? roof_dtype_parse(word) : ROOF_DTYPE_NONE;
    if (word[0] && dtype == ROOF_DTYPE_NONE) {
        roof_fail(from->job->error, ROOF_EFORMAT, "dtype '%.40s' is not a data type", word);
        if (from->job->error)
            from->job->error->line = row->line;
        return -1;
    }
    double part = has_matrix == ROOF_MISSING ? 0 : matrix;
    if (has_matrix != ROOF_MISSING && matrix > 0)
        draft_flops(launch, ROOF_MATRIX, dtype, matrix, ROOF_COUNTED, "matrix_flops");
    if (has != ROOF_MISSING && flops - part > 0)
        draft_flops(launch, strcmp(unit, "matrix") == 0 && part <= 0 ? ROOF_MATRIX : ROOF_VECTOR, dtype, flops - part,
                    ROOF_COUNTED, "flops");
    return 0;
}

static int read_row(const table *from, const csv_row *row) {
    static const struct {
        int column;
        roof_level level;
    } levels[] = {{DRAM, ROOF_DRAM}, {L3, ROOF_L3}, {L2, ROOF_L2}, {L1, ROOF_L1}};
    draft launch = DRAFT_EMPTY;
    roof_certainty has;
    double calls, value;
    launch.name = cell(from, row, NAME);
    launch.where = cell(from, row, WHERE)[0] ? cell(from, row, WHERE) : NULL;
    launch.line = row->line;
    if (number_of(from, row, CALLS, &calls, &has))
        return -1;
    launch.calls = has == ROOF_MISSING || !(calls > 0) ? 1 : calls;
    if (number_of(from, row, SECONDS, &launch.seconds.value, &launch.seconds.certainty) ||
        read_flops(from, row, &launch))
        return -1;
    if (launch.seconds.certainty == ROOF_MISSING)
        launch.seconds.value = 0;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (number_of(from, row, levels[i].column, &value, &has))
            return -1;
        if (has != ROOF_MISSING)
            draft_bytes(&launch, levels[i].level, value, ROOF_COUNTED, "bytes");
    }
    if (number_of(from, row, LEAST, &value, &has) == 0 && has != ROOF_MISSING)
        launch.least_seconds = value;
    if (number_of(from, row, MOST, &value, &has) == 0 && has != ROOF_MISSING)
        launch.most_seconds = value;
    if (number_of(from, row, CLOCK, &value, &has) == 0 && has != ROOF_MISSING)
        launch.clock = value;
    build_info(from->job->out)->rows++;
    return build_launch(from->job->out, &launch);
}

/* The head is looked at twice: its numbers decide the decimal mark. */
static int decide_style(profile_job *job, char separator, figure_style *style) {
    size_t length;
    const char *head = stream_head(job->in, &length);
    char line[4096];
    csv_row row;
    while (*head) {
        size_t whole = strcspn(head, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(whole < sizeof line - 1 ? whole : sizeof line - 1), head);
        csv_split(line, separator, &row);
        for (size_t i = 0; i < row.count; i++)
            if (row.quoted[i] || separator != ',')
                figure_observe(style, row.fields[i]);
            else if (strchr(row.fields[i], '.'))
                style->point_decimal = true; /* commas separate: the point can only be the decimal mark */
        head += whole + (head[whole] == '\n');
    }
    return figure_decide(style, job->options.decimal, job->error);
}

static int read_table(profile_job *job, lines *from) {
    size_t length;
    char *first = lines_next(from, &length);
    table columns = {.job = job};
    if (!first)
        return 0;
    char separator = separator_of(first);
    lines_back(from);
    csv_row header, next;
    if (!csv_next(from, separator, &header) || decide_style(job, separator, &columns.style))
        return -1;
    find_columns(&header, &columns);
    while (csv_next(from, separator, &next)) {
        if (next.count == 1 && (next.fields[0][0] == '\0' || next.fields[0][0] == '#'))
            continue;
        if (cell(&columns, &next, NAME)[0] == '\0') {
            build_info(job->out)->dropped++;
            continue;
        }
        if (read_row(&columns, &next))
            return -1;
    }
    return 0;
}

static int read_plain(profile_job *job) {
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_table(job, from) : -1;
    lines_free(from);
    return result;
}

const profile_reader reader_plain_csv = {
    .format = {"csv", "CSV with roofline's own columns",
               "write name,seconds,flops,bytes_dram (docs/profiles.md); 'roofline profile ... -o table.csv' writes it",
               "kernels: time, calls, FLOPs and bytes by level"},
    .recognise = recognise,
    .read = read_plain,
};
