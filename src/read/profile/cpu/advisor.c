/* Intel Advisor's survey report as CSV (--show-all-columns): loops and functions with their own time, FLOPs and memory
 * traffic. Its memory traffic is what loads and stores move: between L1 and the cores. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "read/profile/counts.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"
#include "read/profile/roofs.h"

enum { NAME, ELAPSED, SELF, GFLOP, MEMORY, L2, L3, DRAM, TYPES, COLUMNS };

static const char *const names[COLUMNS] = {
    [NAME] = "Function Call Sites and Loops|Function Call Sites And Loops|Loops and Functions",
    [ELAPSED] = "Self Elapsed Time",
    [SELF] = "Self Time",
    [GFLOP] = "Self GFLOP",
    [MEMORY] = "Self Memory GB|Self Memory, GB",
    [L2] = "Self L2 GB|Self L2, GB",
    [L3] = "Self L3 GB|Self L3, GB",
    [DRAM] = "Self DRAM GB|Self DRAM, GB",
    [TYPES] = "Data Types|Data Type",
};

typedef struct advisor {
    profile_job *job;
    int at[COLUMNS];
    char decimal;
} advisor;

static const char *cell(const advisor *a, const csv_row *row, int column) {
    int at = a->at[column];
    return at >= 0 && (size_t)at < row->count ? row->fields[at] : "";
}

/* "0.495s", "12.5"; "<0.01s" is no number. -1: none. */
static double figure(const advisor *a, const csv_row *row, int column) {
    char text[64];
    double value;
    snprintf(text, sizeof text, "%s", cell(a, row, column));
    size_t length = strlen(text);
    if (length > 1 && text[length - 1] == 's')
        text[length - 1] = '\0';
    return figure_read(a->decimal, text, &value) == FIGURE_NUMBER && counts_plausible(value) ? value : -1;
}

static roof_dtype dtype_of(const char *types) {
    bool f64 = strstr(types, "Float64") != NULL, f32 = strstr(types, "Float32") != NULL;
    return f64 == f32 ? ROOF_DTYPE_NONE : f64 ? ROOF_F64 : ROOF_F32;
}

static int take_row(const advisor *a, const csv_row *row) {
    static const struct {
        int column;
        roof_level level;
    } levels[] = {{MEMORY, ROOF_L1}, {L2, ROOF_L2}, {L3, ROOF_L3}, {DRAM, ROOF_DRAM}};
    draft launch = DRAFT_EMPTY;
    double elapsed = figure(a, row, ELAPSED), self = figure(a, row, SELF), flops = figure(a, row, GFLOP);
    launch.name = cell(a, row, NAME);
    launch.line = row->line;
    if (elapsed >= 0)
        launch.seconds = (roof_count){elapsed, ROOF_CERTAINTY_COUNTED, "Self Elapsed Time"};
    else if (self >= 0) {
        launch.seconds = (roof_count){self, ROOF_CERTAINTY_COUNTED, "Self Time, of all threads"};
        build_warning(a->job->out,
                      "there is no column 'Self Elapsed Time': times are CPU time of all threads together");
    }
    if (flops >= 0)
        draft_flops(&launch, ROOF_VECTOR, dtype_of(cell(a, row, TYPES)), flops * 1e9, ROOF_CERTAINTY_COUNTED,
                    "Self GFLOP");
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (figure(a, row, levels[i].column) >= 0)
            draft_bytes(&launch, levels[i].level, figure(a, row, levels[i].column) * 1e9, ROOF_CERTAINTY_COUNTED,
                        "Self Memory GB");
    if (flops < 0 || launch.bytes[ROOF_L1].certainty == ROOF_CERTAINTY_MISSING)
        launch.missing =
            "FLOPs and bytes: advisor --collect=tripcounts --flop, then --report=survey --show-all-columns";
    build_info(a->job->out)->rows++;
    return build_launch(a->job->out, &launch);
}

/* The header's separator: the one that makes most fields. */
static char separator_of(const char *line) {
    static const char marks[] = {',', '\t', ';'};
    size_t most = 0;
    char best = ',';
    for (size_t i = 0; i < sizeof marks; i++) {
        size_t count = 0;
        for (const char *at = line; *at; at++)
            count += *at == marks[i];
        if (count > most) {
            most = count;
            best = marks[i];
        }
    }
    return best;
}

static int read_rows(advisor *a, lines *from) {
    size_t length;
    char *line, separator = ',';
    csv_row row;
    while ((line = lines_next(from, &length)) && !strstr(line, "Call Sites and Loops") &&
           !strstr(line, "Loops and Functions"))
        ;
    if (!line)
        return roof_fail(a->job->error, ROOF_EFORMAT, "there is no header with 'Function Call Sites and Loops'");
    separator = separator_of(line);
    a->decimal = separator == ',' || a->job->options.decimal == 0 ? '.' : a->job->options.decimal;
    csv_split(line, separator, &row);
    for (int i = 0; i < COLUMNS; i++)
        a->at[i] = csv_column(&row, names[i]);
    build_info(a->job->out)->tool = "Intel Advisor";
    while (csv_next(from, separator, &row)) {
        const char *name = cell(a, &row, NAME);
        if (!lines_complete(from)) { /* Advisor ends every line */
            build_info(a->job->out)->ended_early = true;
            build_info(a->job->out)->dropped++;
            break;
        }
        if (!name[0] || name[0] == '-') /* a version of the loop above, already in its sum */
            continue;
        if (take_row(a, &row))
            return -1;
    }
    return 0;
}

static int read_advisor(profile_job *job) {
    advisor a = {.job = job};
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_rows(&a, from) : -1;
    lines_free(from);
    return result;
}

static int is_advisor(const char *head, size_t length) {
    (void)length;
    return strstr(head, "Function Call Sites and Loops") && strstr(head, "Self Time") ? 85 : 0;
}

const profile_reader reader_advisor = {
    .format =
        {"advisor", "Intel Advisor survey, CSV",
         "advisor --report=survey --show-all-columns --format=csv --report-output=FILE --project-dir=DIR",
         "loops and functions: own time, FLOPs, bytes between L1 and the cores; untried: written from documentation"},
    .recognise = is_advisor,
    .read = read_advisor,
};
