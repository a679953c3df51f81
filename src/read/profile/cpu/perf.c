/* 'perf stat': text, -x (any separator) and -j, with -I, -A, --per-socket and -r. One program is one measured kernel.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "read/profile/counts.h"
#include "read/profile/cpu/perf.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"

enum { NAME_LENGTH = 512 };

typedef enum shape { SHAPE_TEXT, SHAPE_CSV, SHAPE_JSON } shape;

/* perf's own table in its text: what the program printed before and behind it is none of it. */
typedef enum table_kind { NO_TABLE, PROGRAM_TABLE, INTERVAL_TABLE } table_kind;

typedef struct perf {
    profile_job *job;
    shape shape;
    char separator, decimal;
    bool running;     /* of -x: rows say how long their counter ran, and what does not is no row */
    table_kind table; /* of the text: where the line at hand is */
    counts events;
    const char *name;                      /* of the profile */
    bool wide;                             /* the whole system, not one program */
    bool several;                          /* runs one behind the other, with no line between them */
    double rows;                           /* of the region at hand */
    double elapsed, duration;              /* "seconds time elapsed", duration_time; 0 */
    double cpu_seconds, cpu_wall;          /* task-clock or cpu-clock; the same over "CPUs utilized" */
    double task_seconds;                   /* task-clock alone */
    double time, before, first, spent;     /* of -I: this interval's end, the last one's, the first one's; so far; -1 */
    double longest;                        /* seconds that a counter ran */
    double in_interval, per_interval;      /* rows of this interval and of the first one */
    double hardware, unsupported, seconds; /* of the whole file */
    long line;
} perf;

/* ---- what a region took ---- */

static roof_count seconds_of(const perf *p, double interval) {
    if (p->several) {
        build_warning(p->job->out,
                      "the file holds several runs, one after the other: their counts are added up and their "
                      "time is unknown; write each run to a file of its own");
        return (roof_count){0};
    }
    if (p->elapsed > 0)
        return (roof_count){p->elapsed, ROOF_CERTAINTY_COUNTED, "seconds time elapsed"};
    if (p->time >= 0 && interval > 0)
        return (roof_count){interval, ROOF_CERTAINTY_COUNTED, "intervals"};
    if (p->duration > 0)
        return (roof_count){p->duration, ROOF_CERTAINTY_COUNTED, "duration_time"};
    if (p->cpu_wall > 0)
        return (roof_count){p->cpu_wall, ROOF_CERTAINTY_COUNTED, "CPU clock / CPUs utilized"};
    if (p->cpu_seconds > 0) {
        build_warning(p->job->out,
                      "the only time in the file is CPU time (%.3g s): wall time is shorter where several "
                      "CPUs worked, longer where the program waited; add -e duration_time",
                      p->cpu_seconds);
        return (roof_count){p->cpu_seconds, ROOF_CERTAINTY_COUNTED, "CPU clock, not wall time"};
    }
    return (roof_count){0};
}

static const char *missing_of(const draft *launch) {
    static const char flops[] = "FLOPs: perf stat -e fp_arith_inst_retired.{scalar,128b_packed,256b_packed,512b_packed}"
                                "_{double,single} (Intel), fp_ret_sse_avx_ops.all (AMD), "
                                "fp_fixed_ops_spec,fp_scale_ops_spec (Arm)";
    static const char bytes[] = "DRAM bytes: perf stat -a -e uncore_imc/cas_count_read/,uncore_imc/cas_count_write/ "
                                "(Intel servers), umc_cas_cmd.rd,umc_cas_cmd.wr (AMD Zen 4 and later)";
    static const char both[] =
        "FLOPs: perf stat -e fp_arith_inst_retired.* (Intel), fp_ret_sse_avx_ops.all (AMD); DRAM "
        "bytes: -a -e uncore_imc/cas_count_read/,uncore_imc/cas_count_write/, umc_cas_cmd.rd,wr";
    bool has = false;
    for (size_t i = 0; i < launch->flop_count; i++)
        has |= launch->flops[i].count.certainty != ROOF_CERTAINTY_MISSING;
    bool moved = launch->bytes[ROOF_DRAM].certainty != ROOF_CERTAINTY_MISSING;
    return has && moved ? NULL : has ? bytes : moved ? flops : both;
}

static void forget(perf *p) {
    p->hardware += p->events.hardware;
    counts_clear(&p->events);
    p->rows = p->elapsed = p->duration = p->cpu_seconds = p->cpu_wall = p->task_seconds = p->longest = 0;
    p->line = -1;
    p->several = false;
}

/* Does the region end before its end? perf's text closes with the time, and intervals have the same rows each. */
static bool is_cut(const perf *p) {
    roof_profile_info *info = build_info(p->job->out);
    bool open = p->shape == SHAPE_TEXT && p->time < 0 && p->elapsed <= 0;
    bool few = p->time >= 0 && p->in_interval < p->per_interval;
    info->ended_early |= open || few;
    return info->ended_early;
}

static int give(perf *p, double interval) {
    char where[48];
    draft launch = DRAFT_EMPTY;
    if (p->rows <= 0)
        return 0;
    launch.name = p->name;
    launch.line = p->line;
    launch.seconds = seconds_of(p, interval);
    if (p->job->options.launches && p->time >= 0) {
        snprintf(where, sizeof where, "until %.9g s", p->time);
        launch.where = where;
    }
    counts_give(&p->events, &launch, p->job->out);
    if (is_cut(p))
        counts_partial(&launch);
    launch.missing = missing_of(&launch);
    const counted *cycles = counts_find(&p->events, "cycles");
    if (cycles && cycles->counted && !cycles->missing && p->task_seconds > 1e-9 && !p->wide)
        launch.clock = cycles->value / p->task_seconds;
    if (launch.seconds.certainty == ROOF_CERTAINTY_MISSING)
        build_warning(p->job->out, "the file does not say how long '%.60s' ran", p->name);
    p->seconds += launch.seconds.value;
    build_info(p->job->out)->total_seconds += launch.seconds.value;
    int result = build_launch(p->job->out, &launch);
    forget(p);
    return result;
}

/* ---- intervals ---- */

/* How long the first interval was: it began at 0, unless the file begins in the middle. */
static double first_length(const perf *p, double next) {
    if (next > 0)
        return p->time <= 1.5 * next ? p->time : next;
    return fabs(p->longest - p->time) <= 0.1 * p->time ? p->time : 0;
}

static int at_time(perf *p, double time) {
    if (p->time < 0) {
        p->time = p->first = time;
        p->before = -1;
        return 0;
    }
    if (!(time > p->time))
        return 0;
    double length = p->before < 0 ? first_length(p, time - p->time) : p->time - p->before;
    p->spent += length;
    if (p->job->options.launches && give(p, length))
        return -1;
    if (p->before < 0)
        p->per_interval = p->in_interval;
    p->in_interval = 0;
    p->before = p->time;
    p->time = time;
    return 0;
}

static int give_last(perf *p) {
    double length = p->time < 0 ? 0 : p->before < 0 ? first_length(p, 0) : p->time - p->before;
    return give(p, p->job->options.launches ? length : length > 0 ? p->spent + length : p->spent);
}

/* ---- rows ---- */

static double number(const perf *p, const char *text) {
    double value;
    return text && figure_read(p->decimal, text, &value) == FIGURE_NUMBER && counts_plausible(value) ? value
                                                                                                     : (double)NAN;
}

/* Times are no counts. false: it is none of them. */
static bool take_clock(perf *p, const char *name, const perf_row *row, double value) {
    bool task = strcasecmp(name, "task-clock") == 0;
    if (strcasecmp(name, "duration_time") == 0) {
        double seconds = value * (row->unit[0] ? unit_factor(row->unit) : 1e-9);
        p->several |= p->duration > 0 && p->time < 0 && !row->part;
        p->duration = seconds > p->duration ? seconds : p->duration;
        return true;
    }
    if (!task && strcasecmp(name, "cpu-clock") != 0)
        return false;
    double seconds = value * (row->unit[0] ? unit_factor(row->unit) : 1e-6), used = number(p, row->metric);
    if (!(seconds > 0))
        return true;
    p->cpu_seconds += seconds;
    p->task_seconds += task ? seconds : 0;
    if (row->metric_unit && strcasecmp(row->metric_unit, "CPUs utilized") == 0 && used > 1e-6)
        p->cpu_wall = fmax(p->cpu_wall, seconds / used);
    return true;
}

static int take_row(perf *p, const perf_row *row) {
    char name[COUNT_NAME];
    double time = number(p, row->time), value = number(p, row->value), running = number(p, row->running);
    if (row->time && time >= 0 && at_time(p, time))
        return -1;
    if (p->line < 0)
        p->line = -2; /* set by the caller */
    p->rows++;
    p->in_interval++;
    build_info(p->job->out)->rows++;
    if (row->value && figure_misgrouped(p->decimal, row->value)) {
        build_info(p->job->out)->dropped++;
        build_warning(p->job->out, "'%.40s' of %.60s is not a number: its digits are not in groups of three",
                      row->value, row->event);
    }
    p->unsupported += row->value && strcasecmp(row->value, "<not supported>") == 0;
    double runtime = number(p, row->runtime) * 1e-9;
    p->longest = runtime > p->longest ? runtime : p->longest;
    counts_name(row->event, name);
    if (isfinite(value) && take_clock(p, name, row, value))
        return 0;
    return counts_add(&p->events, row->event, isfinite(value), value, perf_bytes(row->unit),
                      isfinite(running) ? running / 100 : 1, p->job->error);
}

/* ---- lines ---- */

/* A program is named by its command line, whole however long; without one, by the file. */
static int name_program(perf *p, const char *command) {
    char own[NAME_LENGTH];
    counts_program(p->job, own, sizeof own);
    p->name = build_text(p->job->out, command ? command : own);
    return p->name ? 0 : roof_fail(p->job->error, ROOF_ENOMEM, "out of memory while reading measurements");
}

/* "Performance counter stats for 'make -j' (5 runs):" */
static int begin_program(perf *p, char *title) {
    if (give_last(p))
        return -1;
    p->time = p->before = -1;
    p->spent = p->in_interval = p->per_interval = 0;
    char *from = strchr(title, '\''), *end = strrchr(title, '\'');
    p->wide = strstr(title, "system wide") != NULL;
    const char *runs = end ? strstr(end, " runs)") : NULL;
    if (runs)
        build_warning(p->job->out, "counts and seconds are means of repeated runs (-r), of one run each");
    if (!from || end <= from)
        return name_program(p, NULL);
    *end = '\0';
    return name_program(p, from + 1);
}

static bool take_elapsed(perf *p, char *line) {
    if (!strstr(line, "seconds time elapsed"))
        return false;
    line += strspn(line, " \t");
    line[strcspn(line, " \t")] = '\0';
    double seconds = number(p, line);
    if (seconds > 0)
        p->elapsed = seconds;
    return true;
}

/* A row of perf's, and none of the program's that looks like one. */
static bool split(const perf *p, char *line, perf_row *row, bool *broken) {
    *broken = false;
    if (p->shape == SHAPE_JSON)
        return perf_json_row(line, row, broken);
    if (p->shape == SHAPE_CSV)
        return perf_csv_row(line, p->separator, row) && (row->running || !p->running);
    return p->table != NO_TABLE && perf_text_row(line, row) && (row->time || p->table == PROGRAM_TABLE);
}

/* Where the lines behind this one are. */
static table_kind table_after(const perf *p, const char *line) {
    if (strstr(line, "Performance counter stats for"))
        return PROGRAM_TABLE;
    if (line[strspn(line, " \t")] == '#' && strstr(line, "counts unit events"))
        return INTERVAL_TABLE;
    return strstr(line, "seconds time elapsed") ? NO_TABLE : p->table;
}

static int refuse_comma(const perf *p, const char *line, long at) {
    if (p->shape != SHAPE_JSON || line[strspn(line, " \t")] != '{' || !perf_json_comma(line))
        return 0;
    roof_fail(p->job->error, ROOF_EFORMAT,
              "no JSON: its numbers have a decimal comma, as perf stat -j writes in the locale of its user");
    roof_hint(p->job->error, "run it again with LC_ALL=C: LC_ALL=C perf stat -j ..., or write -x';' instead of -j");
    if (p->job->error)
        p->job->error->line = at;
    return -1;
}

static int take_line(perf *p, char *line, long at) {
    perf_row row;
    bool broken;
    p->table = table_after(p, line);
    if (strstr(line, "Performance counter stats for"))
        return begin_program(p, line);
    if (strncmp(line, "# started on", 12) == 0 && p->rows > 0)
        return begin_program(p, line + strlen(line));
    if (line[strspn(line, " \t")] == '#' || (p->shape == SHAPE_TEXT && take_elapsed(p, line)))
        return 0;
    if (refuse_comma(p, line, at))
        return -1;
    if (!split(p, line, &row, &broken)) {
        build_info(p->job->out)->dropped += broken;
        return 0;
    }
    int result = take_row(p, &row);
    if (p->line == -2)
        p->line = at;
    return result;
}

/* ---- the decimal mark, by the head ---- */

/* Numbers that no locale groups: their only sign is the decimal mark. */
static void observe_plain(const char *text, figure_style *style) {
    const char *sign = text ? strpbrk(text, ".,") : NULL;
    if (sign && !strpbrk(sign + 1, ".,"))
        *(*sign == '.' ? &style->point_decimal : &style->comma_decimal) = true;
}

static void observe(perf *p, char *line, figure_style *style) {
    perf_row row;
    bool broken;
    p->table = table_after(p, line);
    if (strstr(line, "seconds time elapsed")) {
        line += strspn(line, " \t");
        line[strcspn(line, " \t")] = '\0';
        observe_plain(line, style);
        return;
    }
    if (line[strspn(line, " \t")] == '#' || !split(p, line, &row, &broken))
        return;
    if (p->shape == SHAPE_TEXT)
        figure_observe(style, row.value);
    else
        observe_plain(row.value, style);
    observe_plain(row.time, style);
    observe_plain(row.running, style);
    observe_plain(row.metric, style);
}

static int decide(perf *p) {
    size_t length;
    const char *head = stream_head(p->job->in, &length);
    figure_style style = {.point_decimal = p->shape == SHAPE_CSV && p->separator == ','};
    char line[1024];
    while (*head) {
        size_t whole = strcspn(head, "\n"), taken = whole < sizeof line - 1 ? whole : sizeof line - 1;
        memcpy(line, head, taken);
        line[taken] = '\0';
        if (head[whole])
            observe(p, line, &style);
        head += whole + (head[whole] == '\n');
    }
    p->table = NO_TABLE;
    if (figure_decide(&style, p->job->options.decimal, p->job->error))
        return -1;
    p->decimal = style.decimal;
    return 0;
}

/* ---- reading ---- */

static int finish(perf *p) {
    if (give_last(p))
        return -1;
    if (p->hardware > 0 || p->unsupported <= 0)
        return 0;
    roof_fail(
        p->job->error, ROOF_EFORMAT,
        "no PMU here: every event is <not supported>, as in a virtual machine that does not pass counters through");
    if (p->seconds > 0)
        roof_hint(p->job->error,
                  "count on the host, or take FLOPs and bytes from the operation's shape and %.4g s as its time",
                  p->seconds);
    else
        roof_hint(p->job->error,
                  "count on the host, or take FLOPs and bytes from the operation's shape and measure its time");
    return -1;
}

static int read_lines(perf *p, lines *from) {
    size_t length;
    char *line;
    if (name_program(p, NULL))
        return -1;
    while ((line = lines_next(from, &length))) {
        if (!lines_complete(from)) { /* perf ends every line */
            build_info(p->job->out)->ended_early = true;
            build_info(p->job->out)->dropped++;
            break;
        }
        if (take_line(p, line, lines_number(from)))
            return -1;
    }
    return finish(p);
}

static int read_shape(profile_job *job, shape kind) {
    perf p = {.job = job, .shape = kind, .time = -1, .before = -1, .line = -1};
    size_t length;
    int rows;
    if (kind == SHAPE_CSV) {
        p.separator = perf_separator(stream_head(job->in, &length), &rows);
        p.running = rows > 0;
        p.separator = p.separator ? p.separator : ',';
    }
    if (decide(&p))
        return -1;
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_lines(&p, from) : -1;
    lines_free(from);
    counts_free(&p.events);
    return result;
}

static int read_text(profile_job *job) {
    return read_shape(job, SHAPE_TEXT);
}

static int read_csv(profile_job *job) {
    return read_shape(job, SHAPE_CSV);
}

static int read_json(profile_job *job) {
    return read_shape(job, SHAPE_JSON);
}

/* ---- recognising ---- */

static int is_text(const char *head, size_t length) {
    (void)length;
    if (strstr(head, "Performance counter stats for"))
        return 95;
    const char *title = strstr(head, "counts unit events");
    return title && memchr(head, '#', (size_t)(title - head)) ? 90 : 0;
}

static int is_csv(const char *head, size_t length) {
    int rows;
    (void)length;
    char separator = strstr(head, "Performance counter stats for") ? 0 : perf_separator(head, &rows);
    return separator ? 80 : 0;
}

static int is_json(const char *head, size_t length) {
    (void)length;
    const char *open = strchr(head, '{');
    bool value = open && (strstr(open, "\"counter-value\"") || strstr(open, "\"metric-value\""));
    return value && (strstr(open, "\"event-runtime\"") || strstr(open, "\"event\"") || strstr(open, "\"pcnt-running\""))
               ? 92
               : 0;
}

const profile_reader reader_perf_text = {
    .format = {"perf-text", "perf stat, text", "perf stat -o FILE -e EVENTS ./program",
               "programs: time, FLOPs and bytes by the events counted"},
    .recognise = is_text,
    .read = read_text,
};
const profile_reader reader_perf_csv = {
    .format = {"perf-csv", "perf stat -x", "perf stat -x, -o FILE -e duration_time,EVENTS ./program",
               "programs: time, FLOPs and bytes by the events counted"},
    .recognise = is_csv,
    .read = read_csv,
};
const profile_reader reader_perf_json = {
    .format = {"perf-json", "perf stat -j", "perf stat -j -o FILE -e duration_time,EVENTS ./program",
               "programs: time, FLOPs and bytes by the events counted"},
    .recognise = is_json,
    .read = read_json,
};
