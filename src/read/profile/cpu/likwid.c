/* likwid-perfctr: its tables as text and as -O CSV, whole programs and marker regions. A region of a group is one
 * measured kernel: counts are summed over the threads, time is that of the slowest. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "read/profile/counts.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

typedef enum table { TABLE_NONE, TABLE_EVENTS, TABLE_METRICS, TABLE_REGION, TABLE_SKIPPED } table;

typedef struct volume { /* what LIKWID computed itself */
    double value;
    bool seen, partial;
} volume;

typedef struct likwid {
    profile_job *job;
    bool open; /* a group has begun */
    char region[256], group[96];
    table at;
    counts events;
    bool ruled;            /* the text table at hand has not been closed by its last rule */
    double expected, rows; /* of the -O table at hand, as its title says; so far */
    double runtime, unhalted, region_time, calls;
    double clock, clocks;                    /* sum and number of threads */
    volume bytes[ROOF_LEVEL_COUNT], rate[2]; /* rate: MFLOP/s, double and single */
    long line;
    char complaint[200]; /* the first error that LIKWID printed */
} likwid;

/* ---- a group is over ---- */

static roof_count seconds_of(const likwid *l) {
    if (l->region_time > 0)
        return (roof_count){l->region_time, ROOF_CERTAINTY_COUNTED, "RDTSC Runtime of the region, slowest thread"};
    if (l->runtime > 0)
        return (roof_count){l->runtime, ROOF_CERTAINTY_COUNTED, "Runtime (RDTSC)"};
    if (l->unhalted > 0) {
        build_warning(l->job->out, "the only time is 'Runtime unhalted': wall time is longer where the program waited");
        return (roof_count){l->unhalted, ROOF_CERTAINTY_COUNTED, "Runtime unhalted, not wall time"};
    }
    return (roof_count){0};
}

static bool has_flops(const draft *launch) {
    for (size_t i = 0; i < launch->flop_count; i++)
        if (launch->flops[i].count.certainty != ROOF_CERTAINTY_MISSING)
            return true;
    return false;
}

static double all_flops(const draft *launch) {
    double sum = 0;
    for (size_t i = 0; i < launch->flop_count; i++)
        sum += launch->flops[i].count.value;
    return sum;
}

/* LIKWID's own rate: the FLOPs where no event of ours gives them, a check where one does. */
static void give_rates(const likwid *l, draft *launch) {
    static const roof_dtype dtypes[] = {ROOF_F64, ROOF_F32};
    static const char *const from[] = {"LIKWID's DP rate x runtime", "LIKWID's SP rate x runtime"};
    double seconds = launch->seconds.value, rates = 0;
    bool known = has_flops(launch);
    for (int i = 0; i < 2; i++) {
        rates += l->rate[i].value * 1e6;
        if (l->rate[i].seen && !known && seconds > 0)
            draft_flops(launch, ROOF_VECTOR, dtypes[i], l->rate[i].value * 1e6 * seconds, ROOF_CERTAINTY_COUNTED,
                        from[i]);
    }
    double ours = all_flops(launch);
    if (known && rates > 0 && seconds > 0 && l->region_time <= 0 && fabs(ours / (rates * seconds) - 1) > 0.1)
        build_warning(l->job->out,
                      "group %s: the events make %.4g FLOPs, LIKWID's rate makes %.4g; the events are used", l->group,
                      ours, rates * seconds);
}

static void give_volumes(const likwid *l, draft *launch) {
    static const char *const from[ROOF_LEVEL_COUNT] = {
        [ROOF_DRAM] = "LIKWID: Memory data volume",
        [ROOF_L3] = "LIKWID: L3 data volume",
        [ROOF_L2] = "LIKWID: L2 data volume",
    };
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        if (l->bytes[level].seen && launch->bytes[level].certainty == ROOF_CERTAINTY_MISSING)
            draft_bytes(launch, (roof_level)level, l->bytes[level].value,
                        l->bytes[level].partial ? ROOF_CERTAINTY_AT_LEAST : ROOF_CERTAINTY_COUNTED, from[level]);
}

static const char *missing_of(const draft *launch) {
    bool flops = has_flops(launch), bytes = launch->bytes[ROOF_DRAM].certainty != ROOF_CERTAINTY_MISSING;
    return flops && bytes ? NULL
           : flops        ? "DRAM bytes: likwid-perfctr -g MEM_DP (Intel) or -g MEM (AMD)"
           : bytes        ? "FLOPs: likwid-perfctr -g MEM_DP (Intel) or -g FLOPS_DP (AMD)"
                          : "FLOPs and DRAM bytes: likwid-perfctr -g MEM_DP (Intel), -g FLOPS_DP and -g MEM (AMD)";
}

/* A table that was not closed, or has fewer rows than it says, or a group without its time. */
static bool is_cut(const likwid *l, const draft *launch) {
    roof_profile_info *info = build_info(l->job->out);
    info->ended_early |= l->ruled || l->rows < l->expected || launch->seconds.certainty == ROOF_CERTAINTY_MISSING;
    return info->ended_early;
}

static int give(likwid *l) {
    char name[256];
    draft launch = DRAFT_EMPTY;
    if (!l->open)
        return 0;
    l->open = false;
    bool any = l->events.hardware > 0 || l->events.unsupported > 0 || l->runtime > 0 || l->region_time > 0;
    counts_program(l->job, name, sizeof name);
    launch.name = l->region[0] ? l->region : name;
    launch.where = l->group;
    launch.line = l->line;
    launch.calls = l->calls > 0 ? l->calls : 1;
    launch.seconds = seconds_of(l);
    counts_give(&l->events, &launch, l->job->out);
    if (is_cut(l, &launch))
        counts_partial(&launch);
    give_rates(l, &launch);
    give_volumes(l, &launch);
    launch.missing = missing_of(&launch);
    launch.clock = l->clocks > 0 ? l->clock / l->clocks : 0;
    if (any && launch.seconds.certainty == ROOF_CERTAINTY_MISSING)
        build_warning(l->job->out, "group %s has no runtime", l->group);
    return any ? build_launch(l->job->out, &launch) : 0;
}

static int begin(likwid *l, const char *region, const char *group, long line) {
    if (l->open && strcmp(region, l->region) == 0 && strcmp(group, l->group) == 0)
        return 0;
    if (give(l))
        return -1;
    counts_clear(&l->events);
    l->runtime = l->unhalted = l->region_time = l->calls = l->clock = l->clocks = 0;
    memset(l->bytes, 0, sizeof l->bytes);
    memset(l->rate, 0, sizeof l->rate);
    l->open = true;
    l->at = TABLE_NONE;
    l->ruled = false;
    l->expected = l->rows = 0;
    l->line = line;
    snprintf(l->region, sizeof l->region, "%s", region);
    snprintf(l->group, sizeof l->group, "%s", group);
    return 0;
}

/* ---- rows of a table ---- */

typedef struct cells { /* of one row, over the threads */
    double sum, most;
    size_t numbers, absent, words;
} cells;

static cells cells_of(const csv_row *row, size_t first) {
    cells all = {0};
    for (size_t i = first; i < row->count; i++) {
        double value;
        if (!row->fields[i][0])
            continue;
        figure_kind kind = figure_read('.', row->fields[i], &value);
        bool number = kind == FIGURE_NUMBER && counts_plausible(value);
        all.absent += kind == FIGURE_ABSENT;
        all.words += kind != FIGURE_ABSENT && !number;
        if (!number)
            continue;
        all.sum += value;
        all.most = all.numbers ? fmax(all.most, value) : value;
        all.numbers++;
    }
    return all;
}

static int take_event(likwid *l, const csv_row *row) {
    const char *name = row->fields[0], *counter = row->count > 1 ? row->fields[1] : "";
    cells all = cells_of(row, 2);
    build_info(l->job->out)->rows++;
    if (strncasecmp(name, "Runtime (RDTSC)", 15) == 0) {
        l->runtime = fmax(l->runtime, all.most);
        return 0;
    }
    /* A counter of a socket has a number on one of its threads and a dash on the others. */
    bool core = strncmp(counter, "PMC", 3) == 0 || strncmp(counter, "FIXC", 4) == 0;
    if (all.words > 0) {
        build_info(l->job->out)->dropped++;
        all.absent++;
    }
    if (all.numbers > 0 && counts_add(&l->events, name, true, all.sum, 0, 1, l->job->error))
        return -1;
    if (all.numbers == 0 || all.words > 0 || (core && all.absent > 0))
        return counts_add(&l->events, name, false, 0, 0, 1, l->job->error);
    return 0;
}

static void add_volume(volume *to, double value, bool partial) {
    to->value += value;
    to->seen = true;
    to->partial |= partial;
}

static bool begins(const char *text, const char *prefix) {
    return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

static void take_metric(likwid *l, const csv_row *row) {
    const char *name = row->fields[0];
    cells all = cells_of(row, 1);
    static const struct {
        const char *name;
        roof_level level;
    } levels[] = {{"Memory data volume", ROOF_DRAM}, {"L3 data volume", ROOF_L3}, {"L2 data volume", ROOF_L2}};
    build_info(l->job->out)->rows++;
    if (all.numbers == 0)
        return;
    if (begins(name, "Runtime (RDTSC)"))
        l->runtime = fmax(l->runtime, all.most);
    else if (begins(name, "Runtime unhalted"))
        l->unhalted = fmax(l->unhalted, all.most);
    else if (begins(name, "Clock [MHz]")) {
        l->clock += all.sum * 1e6;
        l->clocks += (double)all.numbers;
    } else if (begins(name, "DP [MFLOP") || begins(name, "DP MFLOP"))
        add_volume(&l->rate[0], all.sum, false);
    else if (begins(name, "SP [MFLOP") || begins(name, "SP MFLOP"))
        add_volume(&l->rate[1], all.sum, false);
    for (size_t i = 0; i < LENGTH(levels); i++)
        if (begins(name, levels[i].name) && strstr(name, "[GBytes]"))
            add_volume(&l->bytes[levels[i].level], all.sum * 1e9, strstr(name, "channels") != NULL);
}

static void take_region(likwid *l, const csv_row *row) {
    cells all = cells_of(row, 1);
    if (begins(row->fields[0], "RDTSC Runtime"))
        l->region_time = fmax(l->region_time, all.most);
    else if (begins(row->fields[0], "call count"))
        l->calls = fmax(l->calls, all.most);
}

static table table_of(const csv_row *row) {
    for (size_t i = 1; i < row->count; i++)
        if (strcasecmp(row->fields[i], "Sum") == 0)
            return TABLE_SKIPPED; /* statistics over the threads */
    return strcasecmp(row->fields[0], "Event") == 0    ? TABLE_EVENTS
           : strcasecmp(row->fields[0], "Metric") == 0 ? TABLE_METRICS
                                                       : TABLE_REGION;
}

static int take_cells(likwid *l, const csv_row *row) {
    const char *first = row->count ? row->fields[0] : "";
    size_t length = strlen(first);
    if (!l->open || !first[0])
        return 0;
    if (strcasecmp(first, "Event") == 0 || strcasecmp(first, "Metric") == 0 || strcasecmp(first, "Region Info") == 0) {
        l->at = table_of(row);
        l->expected = l->at == TABLE_SKIPPED ? 0 : l->expected;
    } else if (length > 5 && strcmp(first + length - 5, " STAT") == 0)
        return 0;
    else if (l->at == TABLE_EVENTS) {
        l->rows++;
        return take_event(l, row);
    } else if (l->at == TABLE_METRICS) {
        l->rows++;
        take_metric(l, row);
    } else if (l->at == TABLE_REGION)
        take_region(l, row);
    return 0;
}

/* ---- titles ---- */

/* "Group 1: FLOPS_DP", "Region triad, Group 1: FLOPS_DP" */
static int take_title(likwid *l, char *line, long at, bool *taken) {
    char *group = begins(line, "Group ") ? line : begins(line, "Region ") ? strstr(line, ", Group ") : NULL;
    char *name = group ? strstr(group, ": ") : NULL;
    *taken = name != NULL;
    if (!name)
        return 0;
    if (group == line)
        return begin(l, "", name + 2, at);
    *group = '\0';
    return begin(l, line + 7, name + 2, at);
}

/* TABLE,Group 1 Raw,FLOPS_DP,6 and TABLE,Region triad,Group 1 Raw,FLOPS_DP,6 */
static int take_csv_title(likwid *l, const csv_row *row, long at) {
    bool region = row->count > 3 && begins(row->fields[1], "Region ");
    if (row->count < 3 || (!region && !begins(row->fields[1], "Group ")))
        return 0;
    int result = begin(l, region ? row->fields[1] + 7 : "", row->fields[region ? 3 : 2], at);
    size_t rows = region ? 4 : 3;
    double expected;
    l->at = TABLE_NONE;
    l->rows = 0;
    l->expected = row->count > rows && figure_read('.', row->fields[rows], &expected) == FIGURE_NUMBER ? expected : 0;
    return result;
}

static void take_device(likwid *l, const char *name) {
    roof_profile_info *info = build_info(l->job->out);
    name += strspn(name, " \t");
    if (!info->device && *name)
        info->device = build_text(l->job->out, name);
}

static int take_csv_line(likwid *l, char *line, long at) {
    csv_row row;
    csv_split(line, ',', &row);
    if (row.count > 1 && strcmp(row.fields[0], "CPU name:") == 0)
        take_device(l, row.fields[1]);
    if (strcmp(row.fields[0], "TABLE") == 0)
        return take_csv_title(l, &row, at);
    if (strcmp(row.fields[0], "STRUCT") == 0) {
        l->at = TABLE_NONE;
        return 0;
    }
    return take_cells(l, &row);
}

static int take_line(likwid *l, char *line, long at) {
    csv_row row;
    bool taken;
    if (begins(line, "TABLE,") || begins(line, "STRUCT,") || begins(line, "CPU name:,") ||
        (l->open && *line != '|' && l->at != TABLE_NONE && strchr(line, ',') && !strchr(line, '|')) ||
        begins(line, "Event,") || begins(line, "Metric,") || begins(line, "Region Info,"))
        return take_csv_line(l, line, at);
    int result = take_title(l, line, at, &taken);
    if (taken)
        return result;
    if (begins(line, "CPU name:\t"))
        take_device(l, line + 10);
    if (!l->complaint[0] && (begins(line, "ERROR") || begins(line, "Cannot ") || strstr(line, "not allowed")))
        snprintf(l->complaint, sizeof l->complaint, "%s", line);
    if (*line == '+')
        l->ruled = false;
    if (*line != '|')
        return 0;
    l->ruled = l->open;
    csv_split(line + 1, '|', &row);
    return take_cells(l, &row);
}

/* ---- reading ---- */

static int read_lines(likwid *l, lines *from) {
    size_t length;
    char *line;
    build_info(l->job->out)->tool = "likwid-perfctr";
    while ((line = lines_next(from, &length))) {
        if (!lines_complete(from)) {
            build_info(l->job->out)->ended_early = true;
            build_info(l->job->out)->dropped++;
            break;
        }
        if (take_line(l, line, lines_number(from)))
            return -1;
    }
    if (give(l))
        return -1;
    if (build_points(l->job->out) > 0)
        return 0;
    if (!l->complaint[0])
        return roof_fail(l->job->error, ROOF_EFORMAT, "likwid-perfctr's output has no table of counts");
    roof_fail(l->job->error, ROOF_EFORMAT, "likwid-perfctr measured nothing: it says '%.150s'", l->complaint);
    roof_hint(l->job->error, "'likwid-perfctr -a' lists the groups of this CPU");
    return -1;
}

static int read_perfctr(profile_job *job) {
    likwid l = {.job = job};
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_lines(&l, from) : -1;
    lines_free(from);
    counts_free(&l.events);
    return result;
}

static int is_text(const char *head, size_t length) {
    (void)length;
    bool cpu = strstr(head, "CPU name:\t") && strstr(head, "CPU type:\t");
    bool tables = strstr(head, "| Event") || (strstr(head, "Event ") && strstr(head, "Counter |"));
    return tables && (cpu || strstr(head, "Group ")) ? 90 : cpu ? 60 : 0;
}

static int is_csv(const char *head, size_t length) {
    (void)length;
    bool group = strstr(head, "TABLE,Group ") || strstr(head, "TABLE,Region ");
    return group ? 92 : strstr(head, "STRUCT,Info,") ? 85 : 0;
}

const profile_reader reader_likwid_text = {
    .format = {"likwid-text", "likwid-perfctr, text", "likwid-perfctr -C 0-7 -g MEM_DP ./program > FILE",
               "programs and marker regions: time, FLOPs and bytes by level"},
    .recognise = is_text,
    .read = read_perfctr,
};
const profile_reader reader_likwid_csv = {
    .format = {"likwid-csv", "likwid-perfctr -O", "likwid-perfctr -O -C 0-7 -g MEM_DP ./program > FILE",
               "programs and marker regions: time, FLOPs and bytes by level; untried: written from documentation"},
    .recognise = is_csv,
    .read = read_perfctr,
};
