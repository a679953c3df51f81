/* rocprof, rocprofv2 and rocprof-compute: a dispatch a row, a counter (or one instance of it) a column. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "read/profile/amd/amd.h"

enum { PASSES_MAX = 64 };

typedef struct dispatches {
    amd_table table;
    int kernel, gpu, lanes, duration;
    int start[PASSES_MAX], end[PASSES_MAX]; /* of each pass */
    size_t starts, ends;
    bool counters;
    amd_column columns[CSV_FIELDS_MAX];
} dispatches;

static int recognise(const char *head, size_t length) {
    (void)length;
    bool kernel = amd_names(head, "Kernel_Name") || amd_names(head, "KernelName");
    bool row = amd_names(head, "Dispatch_ID") || amd_names(head, "Index") || amd_names(head, "GPU_ID") ||
               amd_names(head, "gpu-id");
    bool time = amd_names(head, "BeginNs") || amd_names(head, "Start_Timestamp") || amd_names(head, "DurationNs");
    bool other = amd_names(head, "Agent_Id") || amd_names(head, "Counter_Name");
    return kernel && row && !other ? (time || amd_names(head, "gpu-id") || amd_names(head, "GPU_ID") ? 92 : 40) : 0;
}

/* "Start_Timestamp" and, of further passes, "Start_Timestamp_3". */
static bool is_pass(const char *name, const char *base) {
    size_t length = strlen(base);
    if (strncasecmp(name, base, length) != 0)
        return false;
    const char *rest = name + length;
    return *rest == '\0' || (*rest == '_' && rest[1] && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

static void find_column(dispatches *d, int at) {
    const char *name = d->table.row.fields[at];
    d->columns[at] = amd_find(name);
    d->counters |= d->columns[at].counter != AMD_COUNTERS;
    if (d->starts < PASSES_MAX && (is_pass(name, "Start_Timestamp") || is_pass(name, "BeginNs")))
        d->start[d->starts++] = at;
    if (d->ends < PASSES_MAX && (is_pass(name, "End_Timestamp") || is_pass(name, "EndNs")))
        d->end[d->ends++] = at;
}

static int find_columns(dispatches *d) {
    const csv_row *header = &d->table.row;
    d->kernel = csv_column(header, "Kernel_Name|KernelName");
    d->gpu = csv_column(header, "GPU_ID|gpu-id");
    d->lanes = csv_column(header, "Wave_Size");
    d->duration = csv_column(header, "DurationNs");
    for (size_t i = 0; i < header->count; i++)
        find_column(d, (int)i);
    if (d->kernel >= 0)
        return 0;
    roof_fail(d->table.job->error, ROOF_EFORMAT, "the table has no column Kernel_Name");
    return amd_fail_line(&d->table);
}

/* ---- one row ---- */

/* The time of each pass, the median of them: passes with many counters are slower than others. */
static roof_count time_of(dispatches *d) {
    roof_count sorted[PASSES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < d->starts && i < d->ends; i++) {
        roof_count one = amd_duration(&d->table, amd_cell(&d->table, d->start[i]), amd_cell(&d->table, d->end[i]));
        if (one.certainty == ROOF_CERTAINTY_MISSING)
            continue;
        size_t at = count++;
        for (; at > 0 && sorted[at - 1].value > one.value; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = one;
    }
    if (count > 0)
        return sorted[(count - 1) / 2];
    double value;
    if (d->duration >= 0 && amd_number(amd_cell(&d->table, d->duration), &value) && value > 0)
        return (roof_count){value * 1e-9, ROOF_CERTAINTY_COUNTED, "DurationNs"};
    return (roof_count){0, ROOF_CERTAINTY_MISSING, NULL};
}

static void count_row(dispatches *d, amd_counts *counts) {
    double value;
    counts->calls = 1;
    if (d->lanes >= 0 && amd_number(amd_cell(&d->table, d->lanes), &value) && value <= 128)
        counts->lanes = value;
    for (size_t i = 0; i < d->table.width; i++) {
        const amd_column *column = &d->columns[i];
        if (column->counter == AMD_COUNTERS) {
            counts->wide |= column->wide;
            counts->narrow |= column->narrow;
            continue;
        }
        bool has = amd_number(d->table.row.fields[i], &value);
        amd_add(counts, column, has, has ? value : 0);
    }
}

/* The last cell of a file that ends in it may have lost digits: no matter where it is not needed. */
static bool ends_whole(const dispatches *d) {
    int last = (int)d->table.width - 1;
    if (!d->table.open_end)
        return true;
    for (size_t i = 0; i < d->starts; i++) {
        if (last == d->start[i])
            return false;
        if (i < d->ends && last == d->end[i])
            return amd_end_whole(&d->table, d->start[i], last);
    }
    return last != d->kernel && last != d->gpu && last != d->lanes && last != d->duration &&
           d->columns[last].counter == AMD_COUNTERS;
}

static int take_row(dispatches *d) {
    amd_counts counts = {0};
    char where[64] = "";
    draft launch = DRAFT_EMPTY;
    launch.name = amd_cell(&d->table, d->kernel);
    launch.line = d->table.row.line;
    if (!launch.name[0] || !ends_whole(d)) {
        amd_drop(&d->table);
        return 0;
    }
    launch.seconds = time_of(d);
    if (amd_cell(&d->table, d->gpu)[0])
        snprintf(where, sizeof where, "GPU %.40s", amd_cell(&d->table, d->gpu));
    launch.where = where[0] ? where : NULL;
    count_row(d, &counts);
    amd_give(&counts, &launch, d->table.job->out);
    build_info(d->table.job->out)->rows++;
    return build_launch(d->table.job->out, &launch);
}

static int read_rows(dispatches *d, profile_job *job) {
    if (amd_open(&d->table, job) || find_columns(d))
        return -1;
    build_info(job->out)->tool = "rocprof";
    int more;
    while ((more = amd_next(&d->table)) > 0)
        if (take_row(d))
            return -1;
    return more;
}

static int read_dispatches(profile_job *job) {
    arena memory = {0};
    dispatches *d = arena_get(&memory, sizeof *d);
    int result = d ? read_rows(d, job) : roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
    if (d)
        amd_close(&d->table);
    arena_free(&memory);
    return result;
}

const profile_reader reader_rocprof = {
    .format = {"rocprof", "rocprof and rocprof-compute CSV (pmc_perf.csv, results.csv, timestamps.csv)",
               "rocprof-compute profile -n NAME -- PROGRAM; rocprof -i counters.txt --timestamp on PROGRAM",
               "kernels: time, FLOPs by dtype, bytes by level"},
    .recognise = recognise,
    .read = read_dispatches,
};
