/* Nsight Systems: the CSV of `nsys stats` (sums and traces of kernels) and TraceLens' sums of a trace. Times alone:
 * bytes and FLOPs are not in them. docs/profiles/nsys.md */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/profile/build.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"
#include "read/profile/nvidia/nsys.h"

enum { SUM_COLUMNS = 5, TRACE_COLUMNS = 4 };

typedef enum table_kind { NO_TABLE, KERNEL_SUM, COPY_SUM, KERNEL_TRACE, OTHER_TABLE } table_kind;

typedef struct table {
    profile_job *job;
    table_kind kind;
    char separator, decimal; /* by the head */
    int name, total, calls, least, most, start, device;
    double total_unit, least_unit, most_unit, start_unit; /* seconds */
    size_t columns;
    bool seen[OTHER_TABLE]; /* each kind is read once */
    bool combined;          /* the sum of kernels has the copies too (cuda_gpu_sum) */
    bool api;               /* a table of calls on the CPU was passed over */
    const char *missing;
    double first, last, busy, shortest; /* seconds */
} table;

/* ---- headers ---- */

/* "Total Time (ns)" as "Total Time", and 1e-9. Sums without a unit are nanoseconds, as old versions write them. */
static int column_with_unit(const csv_row *header, const char *name, double *unit) {
    for (size_t i = 0; i < header->count; i++) {
        const char *field = header->fields[i], *open = strchr(field, '(');
        size_t length = open ? (size_t)(open - field) : strlen(field), want = strlen(name);
        while (length > 0 && field[length - 1] == ' ')
            length--;
        if (length != want || strncmp(field, name, want) != 0)
            continue;
        char text[16] = "ns";
        if (open)
            snprintf(text, sizeof text, "%.*s", (int)strcspn(open + 1, ")"), open + 1);
        *unit = strcmp(text, "\xC2\xB5s") == 0 || strcmp(text, "\xCE\xBCs") == 0 ? 1e-6 : unit_factor(text);
        return *unit > 0 ? (int)i : -1;
    }
    return -1;
}

static int any_column(const csv_row *header, const char *const *names, double *unit) {
    int at = -1;
    for (; *names && at < 0; names++)
        at = column_with_unit(header, *names, unit);
    return at;
}

static bool is_header(const csv_row *row) {
    return row->count >= 4 && csv_column(row, "Name|Operation|Range|Kernel Name|Source|API Name") >= 0 &&
           !isdigit((unsigned char)row->fields[0][0]);
}

static void find_columns(table *to, const csv_row *header) {
    static const char *const totals[] = {"Total Time", "Total Kernel Time", "Total", "Duration", NULL};
    static const char *const leasts[] = {"Min", "Minimum", "Min Kernel Time", NULL};
    static const char *const mosts[] = {"Max", "Maximum", "Max Kernel Time", NULL};
    static const char *const starts[] = {"Start", NULL};
    to->columns = header->count;
    to->total = any_column(header, totals, &to->total_unit);
    to->least = any_column(header, leasts, &to->least_unit);
    to->most = any_column(header, mosts, &to->most_unit);
    to->start = any_column(header, starts, &to->start_unit);
    to->device = csv_column(header, "Device");
    to->name = csv_column(header, "Name|Kernel Name|Operation");
    to->calls = csv_column(header, "Instances|Count");
}

static table_kind kind_of(const table *t, const csv_row *header) {
    bool copies = csv_column(header, "Operation") >= 0 && csv_column(header, "Category") < 0;
    if (t->name < 0 || t->total < 0 || csv_column(header, "Num Calls") >= 0 || csv_column(header, "API Name") >= 0)
        return OTHER_TABLE;
    if (t->start >= 0)
        return csv_column(header, "GrdX") >= 0 || csv_column(header, "Strm") >= 0 ? KERNEL_TRACE : OTHER_TABLE;
    if (csv_column(header, "Instances") >= 0 && csv_column(header, "Range|Style|Domain|Source") < 0)
        return copies ? COPY_SUM : KERNEL_SUM;
    if (copies && t->calls >= 0)
        return COPY_SUM;
    return csv_column(header, "Total Kernel Time (ms)|Total Kernel Time (\xC2\xB5s)") >= 0 ? KERNEL_SUM : OTHER_TABLE;
}

static void begin_table(table *t, const csv_row *header) {
    find_columns(t, header);
    t->kind = kind_of(t, header);
    t->api |= t->kind == OTHER_TABLE && csv_column(header, "Num Calls") >= 0;
    if (t->kind == OTHER_TABLE)
        return;
    bool kernels = t->seen[KERNEL_SUM] || t->seen[KERNEL_TRACE];
    if (t->seen[t->kind] || (t->kind != COPY_SUM && kernels) ||
        (t->kind == COPY_SUM && (t->seen[KERNEL_TRACE] || t->combined))) {
        build_warning(t->job->out, "line %ld: a second table of kernels or copies was left out", header->line);
        t->kind = OTHER_TABLE;
        return;
    }
    t->seen[t->kind] = true;
    t->combined |= csv_column(header, "Category") >= 0;
}

/* ---- rows ---- */

static figure_kind figure_at(const table *t, const csv_row *row, int column, double *value) {
    return column >= 0 ? figure_read(t->decimal, row->fields[column], value) : FIGURE_ABSENT;
}

static void read_device(table *t, const char *text, char *where, size_t size) {
    const char *open = strrchr(text, '(');
    char name[128];
    if (!text[0])
        return;
    snprintf(name, sizeof name, "%.*s", open && open > text ? (int)(open - text - (open[-1] == ' ')) : 127, text);
    if (open)
        snprintf(where, size, "GPU %.*s", (int)strcspn(open + 1, ")"), open + 1);
    if (!build_info(t->job->out)->device)
        build_info(t->job->out)->device = build_text(t->job->out, name);
}

static bool drop(table *t) {
    build_info(t->job->out)->dropped++;
    return true;
}

/* nsys counts whole nanoseconds: "99.385" ns is 99,385 that another program wrote in the locale of its user. */
static bool is_doubtful(const table *t, const csv_row *row) {
    figure_style one = {0};
    figure_observe(&one, row->fields[t->total]);
    if (t->job->options.decimal || t->decimal != '.' || t->total_unit > 1.5e-9 || !one.ambiguous || one.sign != '.')
        return false;
    roof_fail(t->job->error, ROOF_EFORMAT, "'%.30s' ns is not a whole number; is '.' a thousands separator?",
              row->fields[t->total]);
    roof_hint(t->job->error, "export again with nsys stats, or say which sign is the decimal mark");
    roof_suggest(t->job->error, ROOF_REMEDY_DECIMAL, "");
    if (t->job->error)
        t->job->error->line = row->line;
    return true;
}

/* false: out of memory, or a number that is refused. */
static bool read_row(table *t, const csv_row *row) {
    draft launch = DRAFT_EMPTY;
    double value, start;
    char where[40] = "";
    if (row->count != t->columns || row->cut || !row->fields[t->name][0])
        return drop(t);
    if (figure_at(t, row, t->total, &value) != FIGURE_NUMBER || value < 0)
        return drop(t);
    if (is_doubtful(t, row))
        return false;
    launch.seconds = (roof_count){value * t->total_unit, ROOF_CERTAINTY_COUNTED, "nsys"};
    if (t->kind != KERNEL_TRACE &&
        (figure_at(t, row, t->calls, &launch.calls) != FIGURE_NUMBER || !(launch.calls >= 1)))
        return drop(t);
    if (t->kind == KERNEL_TRACE && figure_at(t, row, t->start, &start) == FIGURE_NUMBER) {
        t->first = fmin(t->first, start * t->start_unit);
        t->last = fmax(t->last, start * t->start_unit + launch.seconds.value);
        t->busy += launch.seconds.value;
    }
    if (figure_at(t, row, t->least, &value) == FIGURE_NUMBER && value > 0)
        launch.least_seconds = value * t->least_unit;
    t->shortest = launch.least_seconds > 0 ? fmin(t->shortest, launch.least_seconds) : t->shortest;
    if (figure_at(t, row, t->most, &value) == FIGURE_NUMBER && value > 0)
        launch.most_seconds = value * t->most_unit;
    if (t->device >= 0)
        read_device(t, row->fields[t->device], where, sizeof where);
    launch.name = row->fields[t->name];
    launch.where = where[0] ? where : NULL;
    launch.line = row->line;
    launch.missing = t->kind == COPY_SUM || launch.name[0] == '[' ? NULL : t->missing;
    build_info(t->job->out)->rows++;
    return build_launch(t->job->out, &launch) == 0;
}

/* Lines of nsys itself between the tables: "Processing [x.sqlite] with ...", "SKIPPED: ...", titles. */
static bool is_remark(const csv_row *row) {
    static const char *const starts[] = {"Processing ", "SKIPPED", "Exporting", "Generating",
                                         "NOTICE",      "WARNING", "**"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(row->fields[0], starts[i], strlen(starts[i])) == 0)
            return true;
    return row->count == 1;
}

static int no_kernels(const table *t) {
    if (t->api)
        roof_fail(t->job->error, ROOF_EFORMAT, "these are calls on the CPU (cuda_api_sum, osrt_sum), not kernels");
    else
        roof_fail(t->job->error, ROOF_EFORMAT, "no table of kernels with rows in this output of nsys stats");
    roof_hint(t->job->error, "nsys stats --report cuda_gpu_kern_sum --format csv report.nsys-rep");
    return -1;
}

static int read_tables(table *t, lines *from) {
    csv_row row;
    int result = 0;
    while (result == 0 && csv_next(from, t->separator, &row)) {
        if (row.count == 1 && strstr(row.fields[0], "Total Time (ns)") && strstr(row.fields[0], "  ")) {
            result = roof_fail(t->job->error, ROOF_EFORMAT, "line %ld: a table for the screen, not CSV", row.line);
            roof_hint(t->job->error, "nsys stats --report cuda_gpu_kern_sum --format csv report.nsys-rep");
        } else if (is_remark(&row)) {
            t->kind = NO_TABLE;
        } else if (is_header(&row)) {
            begin_table(t, &row);
        } else if (t->kind != NO_TABLE && t->kind != OTHER_TABLE && !read_row(t, &row)) {
            result = -1;
        }
    }
    if (result == 0 && !lines_complete(from))
        build_warning(t->job->out, "the last line has no line end: its name may be cut");
    return result;
}

/* ---- how the figures are written: by the head ---- */

typedef bool (*line_look)(void *context, csv_row *row, const char *line, char separator);

/* Every line of the head as a row, until one is what was looked for. */
static bool look_at(const char *head, line_look look, void *context) {
    enum { LOOKED_AT = 8192 };
    char line[LOOKED_AT], text[LOOKED_AT];
    csv_row row;
    while (*head) {
        size_t mark = strncmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0, length = strcspn(head, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < LOOKED_AT ? length - mark : 0), head + mark);
        line[strcspn(line, "\r")] = '\0';
        strcpy(text, line);
        char separator = csv_separator(line);
        csv_split(line, separator, &row);
        if (look(context, &row, text, separator))
            return true;
        head += length + (head[length] == '\n');
    }
    return false;
}

typedef struct written {
    table *of;
    figure_style style;
} written;

/* Rows are split as the header is; each figure may tell the decimal mark. */
static bool look_at_figures(void *context, csv_row *row, const char *line, char separator) {
    written *to = context;
    char text[8192];
    if (is_header(row)) {
        to->of->separator = to->of->columns == 0 ? separator : to->of->separator;
        find_columns(to->of, row);
        to->of->kind = kind_of(to->of, row);
        return false;
    }
    if (to->of->kind == OTHER_TABLE)
        return false;
    snprintf(text, sizeof text, "%s", line);
    csv_split(text, to->of->separator, row);
    for (size_t i = 0; i < row->count && row->count == to->of->columns; i++)
        if ((int)i != to->of->name)
            figure_observe(&to->style, row->fields[i]);
    return false;
}

/* nsys separates with commas and has a decimal point in every locale; a program that saved its table again may not. */
static int find_style(table *t) {
    size_t length;
    written to = {.of = t};
    t->separator = ',';
    t->decimal = t->job->options.decimal ? t->job->options.decimal : '.';
    look_at(stream_head(t->job->in, &length), look_at_figures, &to);
    t->kind = NO_TABLE;
    bool shown = to.style.point_decimal || to.style.comma_decimal;
    if (!shown && t->separator == ',')
        return 0;
    if (figure_decide(&to.style, t->job->options.decimal, t->job->error))
        return -1;
    t->decimal = to.style.decimal;
    return 0;
}

static int read_with(profile_job *job, table *t) {
    if (find_style(t))
        return -1;
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_tables(t, from) : -1;
    lines_free(from);
    return result == 0 && build_points(job->out) == 0 ? no_kernels(t) : result;
}

static int read_nsys(profile_job *job) {
    table t = {.job = job, .missing = NSYS_MISSING, .first = HUGE_VAL, .last = -HUGE_VAL, .shortest = HUGE_VAL};
    int result = read_with(job, &t);
    if (result == 0 && t.last > t.first)
        nsys_span(job->out, t.first, t.last, t.busy);
    return result;
}

/* Some versions print nanoseconds under a header that says microseconds: no launch of a whole training step then is
 * shorter than milliseconds. It is read as it says, and doubted aloud. */
static int read_tracelens(profile_job *job) {
    enum { MANY = 10 };
    const char *missing = "FLOPs and bytes, from the trace that the table was made of";
    table t = {.job = job, .missing = missing, .first = HUGE_VAL, .last = -HUGE_VAL, .shortest = HUGE_VAL};
    int result = read_with(job, &t);
    if (result == 0 && build_points(job->out) >= MANY && t.shortest > 1e-3 && t.shortest < HUGE_VAL)
        build_warning(job->out,
                      "the shortest of all launches took %.3g ms: nanoseconds under a header in microseconds?",
                      t.shortest * 1e3);
    return result;
}

void nsys_span(builder *to, double first, double last, double busy) {
    double idle = 100 * (1 - busy / (last - first));
    build_info(to)->total_seconds = last - first;
    if (idle > 20)
        build_warning(to, "the GPU was idle at least %.3g%% of the trace (%.3g of %.3g s)", idle, last - first - busy,
                      last - first);
}

/* ---- which files ---- */

/* A header of sums or of a trace, the same for the screen, or what nsys stats says before one. The words alone, in the
 * cells of a list of files, are none. */
static bool is_ours(void *context, csv_row *row, const char *line, char separator) {
    static const char *const totals[] = {"Total Time", NULL}, *const starts[] = {"Start", NULL};
    double unit;
    (void)context;
    (void)separator;
    if (strncmp(line, "Processing [", 12) == 0 && strstr(line, "] with ["))
        return true;
    if (strstr(line, "Total Time (ns)  "))
        return true;
    if (row->count < 4 || !is_header(row))
        return false;
    return (any_column(row, totals, &unit) >= 0 && csv_column(row, "Instances|Num Calls|Count|Operation") >= 0) ||
           (any_column(row, starts, &unit) >= 0 && csv_column(row, "GrdX") >= 0 && csv_column(row, "Strm") >= 0);
}

static int recognise_csv(const char *head, size_t length) {
    (void)length;
    bool words = strstr(head, "Total Time") || strstr(head, "GrdX") || strstr(head, "Processing [");
    return words && look_at(head, is_ours, NULL) ? 90 : 0;
}

static int recognise_tracelens(const char *head, size_t length) {
    (void)length;
    return strncmp(head, "name,Count,", 11) == 0 && strstr(head, "Total Kernel Time (") ? 90 : 0;
}

const profile_reader reader_nsys = {
    .format = {"nsys", "Nsight Systems statistics, CSV",
               "nsys stats --report cuda_gpu_kern_sum --format csv report.nsys-rep", "kernels: time, calls"},
    .recognise = recognise_csv,
    .read = read_nsys,
};

const profile_reader reader_tracelens = {
    .format = {"tracelens", "TraceLens kernel summary, CSV",
               "TraceLens_generate_perf_report_pytorch --profile_json_path trace.json", "kernels: time, calls"},
    .recognise = recognise_tracelens,
    .read = read_tracelens,
};
