/* AMDuProfPcm roofline: key,value rows; Throughput is GFLOP/s and Bandwidth GB/s at DRAM. It gives rates and no time,
 * so that counts are those of one second of running. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "read/profile/counts.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"

typedef struct uprof {
    profile_job *job;
    char name[256];
    double throughput, bandwidth; /* -1: not said */
    long line;
    bool sections; /* a report of another mode */
} uprof;

static int give(uprof *u) {
    draft launch = DRAFT_EMPTY;
    if (u->throughput < 0 && u->bandwidth < 0)
        return 0;
    launch.name = u->name;
    launch.line = u->line;
    launch.seconds = (roof_count){1, ROOF_CERTAINTY_COUNTED, "rates: of each second of running"};
    if (u->throughput >= 0)
        draft_flops(&launch, ROOF_VECTOR, ROOF_DTYPE_NONE, u->throughput * 1e9, ROOF_CERTAINTY_COUNTED, "Throughput");
    if (u->bandwidth >= 0)
        draft_bytes(&launch, ROOF_DRAM, u->bandwidth * 1e9, ROOF_CERTAINTY_COUNTED, "Bandwidth");
    u->throughput = u->bandwidth = -1;
    build_warning(u->job->out, "the file has rates and no time: counts are those of one second of running");
    build_warning(u->job->out, "AMD counts FLOPs of every precision together: no dtype is assumed");
    return build_launch(u->job->out, &launch);
}

static int take_number(uprof *u, const csv_row *row, double *to) {
    if (*to >= 0 && give(u))
        return -1;
    if (u->line < 0)
        u->line = row->line;
    if (figure_read('.', row->fields[1], to) == FIGURE_NUMBER && counts_plausible(*to)) {
        build_info(u->job->out)->rows++;
        return 0;
    }
    *to = -1;
    roof_fail(u->job->error, ROOF_EFORMAT, "%.20s '%.40s' is not a number of zero or more", row->fields[0],
              row->fields[1]);
    if (u->job->error)
        u->job->error->line = row->line;
    return -1;
}

static int take_row(uprof *u, csv_row *row) {
    roof_profile_info *info = build_info(u->job->out);
    const char *key = row->fields[0], *value = row->count > 1 ? row->fields[1] : "";
    if (strcmp(key, "ModelName") == 0 || strcmp(key, "Processor Name:") == 0)
        info->device = build_text(u->job->out, value);
    else if (strcmp(key, "Name") == 0 && row->count > 1) {
        if (give(u))
            return -1;
        snprintf(u->name, sizeof u->name, "%s", value);
        u->line = row->line;
    } else if (strcmp(key, "Throughput") == 0 && row->count > 1)
        return take_number(u, row, &u->throughput);
    else if (strcmp(key, "Bandwidth") == 0 && row->count > 1)
        return take_number(u, row, &u->bandwidth);
    u->sections |= strstr(key, "METRICS") != NULL;
    return 0;
}

static int read_rows(uprof *u, lines *from) {
    csv_row row;
    counts_program(u->job, u->name, sizeof u->name);
    build_info(u->job->out)->tool = "AMDuProfPcm";
    while (csv_next(from, ',', &row)) {
        if (!lines_complete(from)) {
            build_info(u->job->out)->ended_early = true;
            build_info(u->job->out)->dropped++;
            break;
        }
        if (take_row(u, &row))
            return -1;
    }
    if (give(u))
        return -1;
    if (build_points(u->job->out) > 0)
        return 0;
    roof_fail(u->job->error, ROOF_EFORMAT, "the AMDuProfPcm report has no rows 'Throughput' and 'Bandwidth'%s",
              u->sections ? ": it is of another mode than roofline, whose figures have no time" : "");
    roof_hint(u->job->error, "AMDuProfPcm roofline -o out.csv -- ./program");
    return -1;
}

static int read_uprof(profile_job *job) {
    uprof u = {.job = job, .throughput = -1, .bandwidth = -1, .line = -1};
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_rows(&u, from) : -1;
    lines_free(from);
    return result;
}

static int is_uprof(const char *head, size_t length) {
    (void)length;
    return strncmp(head + strspn(head, "\xEF\xBB\xBF\r\n "), "AMDuProfPcm Report", 18) == 0 ? 95 : 0;
}

const profile_reader reader_amduprof = {
    .format = {"amduprof", "AMDuProfPcm roofline", "AMDuProfPcm roofline -o out.csv -- ./program",
               "a program: FLOP/s and DRAM bytes/s"},
    .recognise = is_uprof,
    .read = read_uprof,
};
