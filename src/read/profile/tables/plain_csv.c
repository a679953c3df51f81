/* Our own columns: name, seconds, calls, flops, bytes_dram ... (docs/profiles.md, "Our own CSV"). Any order; only name
 * and seconds must be there. What 'roofline profile -o table.csv' writes reads back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/profile/build.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"

enum {
    NAME,
    WHERE,
    CALLS,
    SECONDS,
    LEAST,
    MOST,
    FLOPS,
    MATRIX,
    UNIT,
    DTYPE,
    DRAM,
    L3,
    L2,
    L1,
    CLOCK,
    ACTIVE,
    AT_LEAST,
    COMPUTED,
    LACKING,
    COLUMN_COUNT
};

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
    [ACTIVE] = "matrix_active",
    [AT_LEAST] = "at_least",
    [COMPUTED] = "computed",
    [LACKING] = "missing",
};

static const double LARGEST = 1e30; /* sums of them stay numbers */

typedef struct table {
    profile_job *job;
    figure_style style;
    int at[COLUMN_COUNT];
    int flops[ROOF_UNIT_COUNT][ROOF_DTYPE_COUNT]; /* "flops_f64", "matrix_flops_bf16" */
    bool by_dtype;                                /* there is one of those */
    size_t width;                                 /* columns of the header */
    const char *lacking;                          /* what the last row said is missing */
} table;

static char separator_of(const char *line) {
    return strchr(line, '\t') ? '\t' : strchr(line, ';') && !strchr(line, ',') ? ';' : ',';
}

static void find_columns(const csv_row *header, table *to) {
    static const char *const prefixes[] = {[ROOF_VECTOR] = "flops", [ROOF_MATRIX] = "matrix_flops"};
    char name[48];
    to->width = header->count;
    to->by_dtype = false;
    for (int i = 0; i < COLUMN_COUNT; i++)
        to->at[i] = csv_column(header, column_names[i]);
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (int dtype = ROOF_DTYPE_NONE + 1; dtype < ROOF_DTYPE_COUNT; dtype++) {
            snprintf(name, sizeof name, "%s_%s", prefixes[unit], roof_dtype_name((roof_dtype)dtype));
            to->flops[unit][dtype] = csv_column(header, name);
            to->by_dtype |= to->flops[unit][dtype] >= 0;
        }
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

static const char *field(const csv_row *row, int at) {
    return at >= 0 && (size_t)at < row->count ? row->fields[at] : "";
}

static const char *cell(const table *from, const csv_row *row, int column) {
    return field(row, from->at[column]);
}

static int fail_at(const table *from, const csv_row *row, const char *what, const char *text, const char *why) {
    roof_fail(from->job->error, ROOF_EFORMAT, "%s '%.40s' %s", what, text, why);
    if (from->job->error)
        from->job->error->line = row->line;
    return -1;
}

/* 0: a number, or absent (`*certainty` says); -1: a word where a number should be. */
static int number_at(const table *from, const csv_row *row, int at, const char *name, double *value,
                     roof_certainty *certainty) {
    figure_kind kind = figure_read(from->style.decimal, field(row, at), value);
    *certainty = kind == FIGURE_NUMBER ? ROOF_CERTAINTY_COUNTED : ROOF_CERTAINTY_MISSING;
    if (kind == FIGURE_TEXT || (kind == FIGURE_NUMBER && *value < 0))
        return fail_at(from, row, name, field(row, at), "is not a number of zero or more");
    if (kind == FIGURE_NUMBER && *value > LARGEST)
        return fail_at(from, row, name, field(row, at), "is more than any run can have (1e30)");
    return 0;
}

static int number_of(const table *from, const csv_row *row, int column, double *value, roof_certainty *certainty) {
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(column_names[column], "|"), column_names[column]);
    return number_at(from, row, from->at[column], name, value, certainty);
}

/* Is `word` among the words of the cell? */
static bool says(const table *from, const csv_row *row, int column, const char *word) {
    size_t length = strlen(word);
    for (const char *at = cell(from, row, column); *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* A lower bound, or from shapes, where the columns at_least and computed say so. */
static roof_certainty certainty_of(const table *from, const csv_row *row, const char *word) {
    return says(from, row, AT_LEAST, word)   ? ROOF_CERTAINTY_AT_LEAST
           : says(from, row, COMPUTED, word) ? ROOF_CERTAINTY_COMPUTED
                                             : ROOF_CERTAINTY_COUNTED;
}

/* Does the row say which part of its FLOPs was not counted ("n/a", or a matrix unit that was busy without FLOPs)? The
 * other parts are whole then, unless they have a word of their own. */
static bool says_lacking(const table *from, const csv_row *row) {
    double value;
    bool lacks = false, matrix = false;
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (int dtype = ROOF_DTYPE_NONE + 1; dtype < ROOF_DTYPE_COUNT; dtype++) {
            const char *text = field(row, from->flops[unit][dtype]);
            figure_kind kind = figure_read(from->style.decimal, text, &value);
            lacks |= kind == FIGURE_ABSENT && text[0];
            matrix |= unit == ROOF_MATRIX && kind == FIGURE_NUMBER && value > 0;
        }
    bool busy = figure_read(from->style.decimal, cell(from, row, ACTIVE), &value) == FIGURE_NUMBER && value > 0;
    return lacks || (busy && !matrix);
}

static roof_certainty dtype_certainty(const table *from, const csv_row *row, int unit, int dtype, bool lacking) {
    char word[48];
    snprintf(word, sizeof word, "%sflops_%s", unit == ROOF_MATRIX ? "matrix_" : "", roof_dtype_name((roof_dtype)dtype));
    if (says(from, row, AT_LEAST, word))
        return ROOF_CERTAINTY_AT_LEAST;
    roof_certainty all = certainty_of(from, row, "flops");
    return all == ROOF_CERTAINTY_AT_LEAST && lacking ? ROOF_CERTAINTY_COUNTED : all;
}

/* FLOPs by unit and dtype; what the total has beyond them is of no stated dtype. */
static int read_dtypes(const table *from, const csv_row *row, double total, draft *launch, bool *any) {
    double sum = 0, value;
    roof_certainty has;
    bool lacking = from->by_dtype && says_lacking(from, row);
    for (int unit = ROOF_UNIT_COUNT - 1; unit >= 0 && from->by_dtype; unit--)
        for (int dtype = ROOF_DTYPE_NONE + 1; dtype < ROOF_DTYPE_COUNT; dtype++) {
            int at = from->flops[unit][dtype];
            if (number_at(from, row, at, "flops", &value, &has))
                return -1;
            if (has == ROOF_CERTAINTY_MISSING && !field(row, at)[0])
                continue;
            draft_flops(launch, (roof_unit)unit, (roof_dtype)dtype, value,
                        has == ROOF_CERTAINTY_MISSING ? has : dtype_certainty(from, row, unit, dtype, lacking),
                        "flops");
            sum += has == ROOF_CERTAINTY_MISSING ? 0 : value;
            *any |= has != ROOF_CERTAINTY_MISSING;
        }
    if (*any && total > sum * (1 + 1e-9))
        draft_flops(launch, ROOF_VECTOR, ROOF_DTYPE_NONE, total - sum, certainty_of(from, row, "flops"), "flops");
    return 0;
}

static bool has_entry(const draft *launch, roof_unit unit) {
    bool has = false;
    for (size_t i = 0; i < launch->flop_count; i++)
        has |= launch->flops[i].unit == unit;
    return has;
}

/* What a row says of its FLOPs without a column of their dtype. */
typedef struct totals {
    double flops, matrix;
    roof_certainty has_flops, has_matrix;
    const char *dtype, *unit; /* words of the row; "" */
} totals;

static bool is_missing(roof_certainty certainty) {
    return certainty == ROOF_CERTAINTY_MISSING;
}

/* What a row cannot mean, and why. */
static int check_totals(const table *from, const csv_row *row, const totals *t) {
    bool no_dtype = t->dtype[0] && roof_dtype_parse(t->dtype) == ROOF_DTYPE_NONE;
    bool no_unit = t->unit[0] && strcmp(t->unit, "matrix") != 0 && strcmp(t->unit, "vector") != 0;
    bool more = !is_missing(t->has_flops) && !is_missing(t->has_matrix) && t->matrix > t->flops * (1 + 1e-9);
    const struct {
        bool wrong;
        int column;
        const char *name, *why;
    } faults[] = {{no_dtype, DTYPE, "dtype", "is not a data type"},
                  {no_unit, UNIT, "unit", "is neither matrix nor vector"},
                  {more, MATRIX, "matrix_flops", "is more than flops, which is the total"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].wrong)
            return fail_at(from, row, faults[i].name, cell(from, row, faults[i].column), faults[i].why);
    return 0;
}

/* The matrix part by its own column, the rest of the total by `unit`. */
static void add_totals(const totals *t, roof_certainty sure, draft *launch) {
    roof_dtype dtype = roof_dtype_parse(t->dtype);
    double matrix = is_missing(t->has_matrix) ? 0 : t->matrix, rest = t->flops - matrix;
    bool all_matrix = strcmp(t->unit, "matrix") == 0 && is_missing(t->has_matrix);
    if (matrix > 0)
        draft_flops(launch, ROOF_MATRIX, dtype, matrix, sure, "matrix_flops");
    if (!is_missing(t->has_flops) && (matrix <= 0 || rest > t->flops * 1e-9))
        draft_flops(launch, all_matrix ? ROOF_MATRIX : ROOF_VECTOR, dtype, rest, sure, "flops");
}

static int read_flops(const table *from, const csv_row *row, draft *launch) {
    totals t = {.dtype = cell(from, row, DTYPE), .unit = cell(from, row, UNIT)};
    roof_certainty sure = certainty_of(from, row, "flops");
    bool any = false;
    if (number_of(from, row, FLOPS, &t.flops, &t.has_flops) || number_of(from, row, MATRIX, &t.matrix, &t.has_matrix) ||
        read_dtypes(from, row, is_missing(t.has_flops) ? 0 : t.flops, launch, &any))
        return -1;
    bool no_matrix = !is_missing(t.has_matrix) && !(t.matrix > 0); /* counted, and none: that is no unknown */
    if (no_matrix && !has_entry(launch, ROOF_MATRIX))
        draft_flops(launch, ROOF_MATRIX, ROOF_DTYPE_NONE, 0, sure, "matrix_flops");
    if (any)
        return 0;
    if (check_totals(from, row, &t))
        return -1;
    add_totals(&t, sure, launch);
    return 0;
}

static int read_bytes(const table *from, const csv_row *row, draft *launch) {
    static const struct {
        int column;
        roof_level level;
        const char *word;
    } levels[] = {{DRAM, ROOF_DRAM, "dram"}, {L3, ROOF_L3, "l3"}, {L2, ROOF_L2, "l2"}, {L1, ROOF_L1, "l1"}};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        double value;
        roof_certainty has;
        if (number_of(from, row, levels[i].column, &value, &has))
            return -1;
        if (has != ROOF_CERTAINTY_MISSING)
            draft_bytes(launch, levels[i].level, value, certainty_of(from, row, levels[i].word), "bytes");
    }
    return 0;
}

static int read_rest(const table *from, const csv_row *row, draft *launch) {
    const struct {
        int column;
        double *to;
    } rest[] = {{LEAST, &launch->least_seconds},
                {MOST, &launch->most_seconds},
                {CLOCK, &launch->clock},
                {ACTIVE, &launch->matrix_active}};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        double value;
        roof_certainty has;
        if (number_of(from, row, rest[i].column, &value, &has))
            return -1;
        if (has != ROOF_CERTAINTY_MISSING && rest[i].column == ACTIVE && value > 1)
            return fail_at(from, row, "matrix_active", cell(from, row, ACTIVE), "is not a share of 0 to 1");
        if (has != ROOF_CERTAINTY_MISSING)
            *rest[i].to = value;
    }
    return 0;
}

/* What to collect, kept as long as the profile: rows mostly say the same. */
static int read_lacking(table *from, const csv_row *row, draft *launch) {
    const char *text = cell(from, row, LACKING);
    if (!text[0])
        return 0;
    if (!from->lacking || strcmp(from->lacking, text) != 0)
        from->lacking = build_text(from->job->out, text);
    launch->missing = from->lacking;
    return from->lacking ? 0 : roof_fail(from->job->error, ROOF_ENOMEM, "out of memory while reading measurements");
}

static int read_row(table *from, const csv_row *row) {
    draft launch = DRAFT_EMPTY;
    roof_certainty has;
    double calls;
    launch.name = cell(from, row, NAME);
    launch.where = cell(from, row, WHERE)[0] ? cell(from, row, WHERE) : NULL;
    launch.line = row->line;
    if (number_of(from, row, CALLS, &calls, &has))
        return -1;
    if (has != ROOF_CERTAINTY_MISSING && !(calls > 0))
        return fail_at(from, row, "calls", cell(from, row, CALLS), "is not a number above zero");
    launch.calls = has == ROOF_CERTAINTY_MISSING ? 1 : calls;
    if (number_of(from, row, SECONDS, &launch.seconds.value, &launch.seconds.certainty) ||
        read_flops(from, row, &launch) || read_bytes(from, row, &launch) || read_rest(from, row, &launch) ||
        read_lacking(from, row, &launch))
        return -1;
    if (launch.seconds.certainty == ROOF_CERTAINTY_MISSING)
        launch.seconds.value = 0;
    else
        launch.seconds.certainty = certainty_of(from, row, "seconds");
    build_info(from->job->out)->rows++;
    return build_launch(from->job->out, &launch);
}

/* ---- the decimal mark ---- */

/* Only where a number stands: a name may look like one. */
static void observe_row(const table *from, const csv_row *row, char separator, figure_style *style) {
    for (size_t i = 0; i < row->count; i++) {
        bool number = false;
        for (int c = CALLS; c < COLUMN_COUNT && !number; c++)
            number = from->at[c] == (int)i && c != UNIT && c != DTYPE && c < AT_LEAST;
        for (int unit = 0; unit < ROOF_UNIT_COUNT && !number; unit++)
            for (int dtype = 0; dtype < ROOF_DTYPE_COUNT && !number; dtype++)
                number = dtype != ROOF_DTYPE_NONE && from->flops[unit][dtype] == (int)i;
        if (!number)
            continue;
        if (row->quoted[i] || separator != ',')
            figure_observe(style, row->fields[i]);
        else if (strchr(row->fields[i], '.'))
            style->point_decimal = true; /* commas separate: the point can only be the decimal mark */
    }
}

/* The head is looked at before it is read: its numbers decide the decimal mark. */
static int decide_style(table *from, char separator) {
    profile_job *job = from->job;
    size_t length;
    const char *head = stream_head(job->in, &length);
    char line[4096];
    csv_row row;
    head += strcspn(head, "\n");
    while (*head) {
        head++;
        size_t whole = strcspn(head, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(whole < sizeof line - 1 ? whole : sizeof line - 1), head);
        csv_split(line, separator, &row);
        observe_row(from, &row, separator, &from->style);
        head += whole;
    }
    return figure_decide(&from->style, job->options.decimal, job->error);
}

/* ---- the table ---- */

/* A last line that does not end may be cut in a number: with too few fields it is dropped, else it is doubted. */
static bool is_cut(const table *from, const lines *in, const csv_row *row) {
    bool broken = row->cut || (!lines_complete(in) && row->count < from->width);
    if (!lines_complete(in) && !broken)
        build_warning(from->job->out, "the last line has no end: its last column may be cut");
    return broken;
}

static int read_rows(table *columns, lines *from, char separator) {
    csv_row next;
    while (csv_next(from, separator, &next)) {
        if (next.count == 1 && (next.fields[0][0] == '\0' || next.fields[0][0] == '#'))
            continue;
        if (is_cut(columns, from, &next)) {
            build_info(columns->job->out)->dropped++;
            build_info(columns->job->out)->ended_early |= !lines_complete(from);
            continue;
        }
        if (cell(columns, &next, NAME)[0] == '\0') {
            build_info(columns->job->out)->dropped++;
            continue;
        }
        if (read_row(columns, &next))
            return -1;
    }
    return 0;
}

static int read_table(profile_job *job, lines *from) {
    size_t length;
    char *first = lines_next(from, &length);
    table columns = {.job = job};
    csv_row header;
    if (!first)
        return 0;
    char separator = separator_of(first);
    lines_back(from);
    if (!csv_next(from, separator, &header))
        return 0;
    find_columns(&header, &columns);
    if (columns.at[NAME] < 0 || columns.at[SECONDS] < 0) {
        roof_fail(job->error, ROOF_EFORMAT, "the first line has no column '%s'",
                  columns.at[NAME] < 0 ? "name" : "seconds");
        roof_hint(job->error, "it names the columns: name,seconds,flops,bytes_dram (docs/profiles.md)");
        return -1;
    }
    if (csv_column(&header, "standing") >= 0) /* judged before: its rows are kernels, also those of one name */
        build_each(job->out);
    return decide_style(&columns, separator) || read_rows(&columns, from, separator) ? -1 : 0;
}

static int read_plain(profile_job *job) {
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_table(job, from) : -1;
    lines_free(from);
    return result;
}

const profile_reader reader_plain_csv = {
    .format = {"csv", "CSV with roofline's own columns",
               "write name,seconds,flops,bytes_dram (docs/profiles.md), or save the answer of a profile as CSV",
               "kernels: time, calls, FLOPs and bytes by level"},
    .recognise = recognise,
    .read = read_plain,
};
