/* Small tables of benchmarks: BabelStream (its --csv, and the published results), points of applications with an
 * intensity, and the semicolon tables of mixed benchmarks (ginkgo's roofline benchmark). */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "read/profile/counts.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"
#include "read/profile/roofs.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { COLUMNS_MAX = 8 };

typedef struct sheet {
    profile_job *job;
    const char *const *names; /* COLUMNS_MAX, NULL-ended: columns that must be there */
    int at[COLUMNS_MAX];
    const char *header; /* a word that only the header has: lines before it are skipped */
    char separator;
    size_t columns;   /* of the header */
    bool whole_lines; /* the tool ends every line: a last line without an end was cut */
    int (*take)(struct sheet *, const csv_row *);
    roofs machine;
    bool has_machine;
    double unit; /* bytes/s of one of the table's rates */
} sheet;

static const char *cell(const sheet *s, const csv_row *row, int column) {
    int at = s->at[column];
    return at >= 0 && (size_t)at < row->count ? row->fields[at] : "";
}

static double figure(const sheet *s, const csv_row *row, int column) {
    double value;
    char decimal = s->separator == ',' || !s->job->options.decimal ? '.' : s->job->options.decimal;
    return figure_read(decimal, cell(s, row, column), &value) == FIGURE_NUMBER && counts_plausible(value) ? value : -1;
}

static int drop(const sheet *s) {
    build_info(s->job->out)->dropped++;
    return 0;
}

static bool is_empty(const csv_row *row) {
    for (size_t i = 0; i < row->count; i++)
        if (row->fields[i][0])
            return false;
    return true;
}

static int find_header(sheet *s, lines *from) {
    csv_row row;
    size_t length;
    char *line;
    while ((line = lines_next(from, &length)) && !strstr(line, s->header))
        ;
    if (!line)
        return roof_fail(s->job->error, ROOF_EFORMAT, "there is no header with '%s'", s->header);
    s->unit = strstr(line, "mibytes") ? 1048576 : 1e6;
    csv_split(line, s->separator, &row);
    s->columns = row.count;
    for (int i = 0; i < COLUMNS_MAX && s->names[i]; i++) {
        s->at[i] = csv_column(&row, s->names[i]);
        if (s->at[i] < 0)
            return roof_fail(s->job->error, ROOF_EFORMAT, "there is no column '%s'", s->names[i]);
    }
    return 0;
}

static int read_sheet(sheet *s) {
    csv_row row;
    lines *from = lines_of(s->job->in, s->job->error);
    int result = from ? find_header(s, from) : -1;
    while (result == 0 && csv_next(from, s->separator, &row)) {
        if (is_empty(&row))
            continue;
        if (!lines_complete(from) && (row.count < s->columns || s->whole_lines)) {
            build_info(s->job->out)->ended_early = true;
            drop(s);
            break;
        }
        result = s->take(s, &row);
    }
    lines_free(from);
    return result == 0 && s->has_machine ? roofs_end(&s->machine, s->job->error) : result;
}

/* ---- BabelStream --csv ---- */

/* Arrays of n elements that a kernel reads and writes, FLOPs per element: BabelStream's own count. */
static const struct kernel {
    const char *name;
    double arrays, flops;
} kernels[] = {{"Copy", 2, 0}, {"Mul", 2, 1}, {"Add", 3, 1}, {"Triad", 3, 2}, {"Dot", 2, 2}, {"Nstream", 4, 2}};

static const struct kernel *find_kernel(const char *name) {
    for (size_t i = 0; i < LENGTH(kernels); i++)
        if (strcasecmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}

static int take_stream(sheet *s, const csv_row *row) {
    const struct kernel *kernel = find_kernel(cell(s, row, 0));
    double times = figure(s, row, 1), elements = figure(s, row, 2), size = figure(s, row, 3), rate = figure(s, row, 4),
           least = figure(s, row, 5), most = figure(s, row, 6), mean = figure(s, row, 7);
    draft launch = DRAFT_EMPTY;
    if (!kernel || !(times > 0) || !(elements > 0) || !(size > 0) || !(mean > 0) || !(rate > 0))
        return drop(s);
    launch.name = kernel->name;
    launch.line = row->line;
    launch.calls = times;
    launch.seconds = (roof_count){mean * times, ROOF_CERTAINTY_COUNTED, "avg_runtime x num_times"};
    launch.least_seconds = least > 0 ? least : 0;
    launch.most_seconds = most > 0 ? most : 0;
    draft_bytes(&launch, ROOF_DRAM, kernel->arrays * elements * size * times, ROOF_CERTAINTY_COMPUTED,
                "arrays x elements");
    draft_flops(&launch, ROOF_VECTOR,
                size == 8   ? ROOF_F64
                : size == 4 ? ROOF_F32
                            : ROOF_DTYPE_NONE,
                kernel->flops * elements * times, ROOF_CERTAINTY_COMPUTED, "FLOPs per element");
    if (!s->has_machine)
        roofs_begin(&s->machine, s->job, "babelstream", "", "BabelStream");
    s->has_machine = true;
    roofs_bandwidth(&s->machine, ROOF_DRAM, rate * s->unit, kernel->name);
    return build_launch(s->job->out, &launch);
}

static int read_stream(profile_job *job) {
    static const char *const names[COLUMNS_MAX + 1] = {
        "function",    "num_times",   "n_elements", "sizeof", "max_mbytes_per_sec|max_mibytes_per_sec|max_mb_per_sec",
        "min_runtime", "max_runtime", "avg_runtime"};
    sheet s = {
        .job = job, .names = names, .header = "num_times", .separator = ',', .take = take_stream, .whole_lines = true};
    build_info(job->out)->tool = "BabelStream";
    return read_sheet(&s);
}

static int is_stream(const char *head, size_t length) {
    (void)length;
    return strstr(head, "function,num_times,n_elements,sizeof") ? 92 : 0;
}

/* ---- BabelStream's published results ---- */

static int take_result(sheet *s, const csv_row *row) {
    char where[160];
    int result = 0;
    snprintf(where, sizeof where, "%.40s %.80s%s", cell(s, row, 0), cell(s, row, 1),
             strcasecmp(cell(s, row, 2), "On") == 0 ? ", ECC" : "");
    for (int i = 3; i < 7 && result == 0; i++) {
        double rate = figure(s, row, i);
        draft launch = DRAFT_EMPTY;
        if (!(rate > 0)) {
            drop(s);
            continue;
        }
        launch.name = s->names[i];
        launch.where = where;
        launch.line = row->line;
        launch.seconds = (roof_count){1, ROOF_CERTAINTY_COUNTED, "rates: of each second of running"};
        draft_bytes(&launch, ROOF_DRAM, rate * 1e6, ROOF_CERTAINTY_COUNTED, "MB/s");
        launch.missing = "FLOPs, with BabelStream --csv: the table has bytes only, and no precision";
        build_info(s->job->out)->rows++;
        result = build_launch(s->job->out, &launch);
    }
    return result;
}

static int read_results(profile_job *job) {
    static const char *const names[COLUMNS_MAX + 1] = {"Platform", "Device", "ECC", "Copy", "Mul", "Add", "Triad"};
    sheet s = {.job = job, .names = names, .header = "Triad", .separator = ',', .take = take_result};
    build_info(job->out)->tool = "BabelStream";
    build_warning(job->out,
                  "the table has rates (MB/s) and no time: counts are those of one second of running; it holds "
                  "several devices, so that no machine is made of it");
    return read_sheet(&s);
}

static int is_results(const char *head, size_t length) {
    (void)length;
    return strncmp(head, "Platform,Device,ECC,Copy,Mul,Add,Triad", 38) == 0 ? 92 : 0;
}

/* ---- applications with an intensity ---- */

static int take_application(sheet *s, const csv_row *row) {
    double intensity = figure(s, row, 0), flops = figure(s, row, 1), seconds = figure(s, row, 2);
    draft launch = DRAFT_EMPTY;
    if (!(intensity > 0) || flops < 0 || !(seconds > 0))
        return drop(s);
    launch.name = cell(s, row, 3)[0] ? cell(s, row, 3) : "application";
    launch.line = row->line;
    launch.seconds = (roof_count){seconds, ROOF_CERTAINTY_COUNTED, "Time (s)"};
    draft_flops(&launch, ROOF_VECTOR, ROOF_DTYPE_NONE, flops, ROOF_CERTAINTY_COUNTED, "Total Flops");
    launch.missing = "bytes: the file gives an intensity and not its level; write bytes_dram or bytes_l1 (FLOPs / "
                     "intensity) in roofline's own CSV";
    build_info(s->job->out)->rows++;
    return build_launch(s->job->out, &launch);
}

static int read_applications(profile_job *job) {
    static const char *const names[COLUMNS_MAX + 1] = {"Arithmetic Intensity", "Total Flops", "Time (s)", "Label"};
    sheet s = {
        .job = job, .names = names, .header = "Arithmetic Intensity", .separator = ',', .take = take_application};
    build_warning(job->out,
                  "the file does not say at which level its intensities are, nor a precision: bytes are left out");
    return read_sheet(&s);
}

static int is_applications(const char *head, size_t length) {
    (void)length;
    return strncmp(head, "Arithmetic Intensity,Total Flops,Time (s)", 41) == 0 ? 90 : 0;
}

/* ---- mixed benchmarks ---- */

static int take_mix(sheet *s, const csv_row *row) {
    double seconds = figure(s, row, 1), flops = figure(s, row, 2), bytes = figure(s, row, 3);
    const char *type = cell(s, row, 0);
    char name[96];
    draft launch = DRAFT_EMPTY;
    if (!type[0] || !(seconds > 0) || flops < 0 || bytes < 0)
        return drop(s);
    snprintf(name, sizeof name, "%.30s, %.20s computations", type, cell(s, row, 4));
    launch.name = name;
    launch.line = row->line;
    launch.seconds = (roof_count){seconds * 1e-3, ROOF_CERTAINTY_COUNTED, "time [ms]"};
    draft_flops(&launch, ROOF_VECTOR, strcmp(type, "int32") == 0 ? ROOF_INT32 : roofs_dtype(type), flops,
                ROOF_CERTAINTY_COMPUTED, "computations");
    draft_bytes(&launch, ROOF_DRAM, bytes, ROOF_CERTAINTY_COMPUTED, "data [Bytes]");
    build_info(s->job->out)->rows++;
    return build_launch(s->job->out, &launch);
}

static int read_mix(profile_job *job) {
    static const char *const names[COLUMNS_MAX + 1] = {"Precision", "time [ms]", "computations", "data [Bytes]",
                                                       "Comp Its"};
    sheet s = {.job = job, .names = names, .header = "data [Bytes]", .separator = ';', .take = take_mix};
    return read_sheet(&s);
}

static int is_mix(const char *head, size_t length) {
    (void)length;
    return strstr(head, "BW [GB/s];") && strstr(head, "data [Bytes];") ? 90 : 0;
}

const profile_reader reader_babelstream = {
    .format = {"babelstream", "BabelStream --csv", "omp-stream --csv > FILE",
               "kernels with their exact bytes and FLOPs, and a machine: DRAM bandwidth"},
    .recognise = is_stream,
    .read = read_stream,
};
const profile_reader reader_babelstream_results = {
    .format = {"babelstream-results", "BabelStream results, one row per device", "results of BabelStream v1.0",
               "DRAM bandwidth reached by each device"},
    .recognise = is_results,
    .read = read_results,
};
const profile_reader reader_applications = {
    .format = {"application-points", "points of applications, CSV",
               "columns Arithmetic Intensity,Total Flops,Time (s),Cycles,Label", "programs: time and FLOPs"},
    .recognise = is_applications,
    .read = read_applications,
};
const profile_reader reader_mix = {
    .format = {"mixed-benchmark", "roofline benchmark of ginkgo, semicolons", "benchmark > FILE",
               "kernels of growing intensity: time, FLOPs, DRAM bytes"},
    .recognise = is_mix,
    .read = read_mix,
};
