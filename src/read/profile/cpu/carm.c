/* The CARM tool (cache-aware roofline model): Results/Roofline/NAME_roofline.csv holds the roofs of a machine,
 * Results/Applications/NAME.csv measured programs. Bytes are all that loads and stores move: between L1 and the cores.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "read/profile/counts.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"
#include "read/profile/roofs.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { COLUMNS_MAX = 64, LABEL = 16 };

/* ---- roofs ---- */

typedef struct carm {
    roofs to;
    char labels[COLUMNS_MAX][LABEL]; /* of the first line: "L1", "L1", "L2" ... */
    size_t label_count;
    int isa, precision, threads, instruction;
} carm;

static void take_labels(carm *c, const csv_row *first, profile_job *job) {
    roofs_begin(&c->to, job, "carm-", first->count > 1 ? first->fields[1] : "", "CARM tool");
    for (size_t i = 0; i + 1 < first->count && i < 8; i += 2)
        if (i > 0 && strstr(first->fields[i], "Size:"))
            roofs_note(&c->to, "%.12s %.12s KB a core", first->fields[i], first->fields[i + 1]);
    c->label_count = first->count < COLUMNS_MAX ? first->count : COLUMNS_MAX;
    for (size_t i = 0; i < c->label_count; i++)
        snprintf(c->labels[i], LABEL, "%.15s", first->fields[i]);
}

static const char *cell(const csv_row *row, int at) {
    return at >= 0 && (size_t)at < row->count ? row->fields[at] : "";
}

static int take_roofs(carm *c, const csv_row *units, const csv_row *row, roof_error *error) {
    roof_dtype dtype = roofs_dtype(cell(row, c->precision));
    for (size_t i = 8; i < row->count && i < units->count && i < c->label_count; i++) {
        bool flops = strcasecmp(units->fields[i], "Gflop/s") == 0;
        double value;
        char label[96];
        if (!flops && strcasecmp(units->fields[i], "GB/s") != 0)
            continue;
        figure_kind kind = figure_read('.', row->fields[i], &value);
        if (kind == FIGURE_TEXT || (kind == FIGURE_NUMBER && !counts_plausible(value))) {
            roof_fail(error, ROOF_EFORMAT, "%s '%.40s' is not a number of zero or more", c->labels[i], row->fields[i]);
            if (error)
                error->line = row->line;
            return -1;
        }
        if (kind == FIGURE_ABSENT || !(value > 0)) /* the tool writes 0 for what it did not measure */
            continue;
        snprintf(label, sizeof label, "%.15s %.12s %.8s, %.8s threads%s%.8s", c->labels[i], cell(row, c->isa),
                 cell(row, c->precision), cell(row, c->threads), flops ? ", " : "",
                 flops ? cell(row, c->instruction) : "");
        int level = roofs_level(c->labels[i]);
        if (flops && dtype != ROOF_DTYPE_NONE)
            roofs_peak(&c->to, ROOF_VECTOR, dtype, value * 1e9, label);
        else if (!flops && level >= 0)
            roofs_bandwidth(&c->to, (roof_level)level, value * 1e9, label);
        else
            roofs_note(&c->to, "%s: %.6g", label, value);
    }
    return 0;
}

static int read_rows(carm *c, profile_job *job, lines *from) {
    csv_row first, units, row;
    bool whole = csv_next(from, ',', &first);
    if (!whole)
        return roof_fail(job->error, ROOF_EFORMAT, "the file of the CARM tool is empty");
    take_labels(c, &first, job);
    if (!csv_next(from, ',', &units))
        return roof_fail(job->error, ROOF_EFORMAT, "the file of the CARM tool ends after its first line");
    /* The header's fields live only until the next line: its units are kept as labels are. */
    char kept[COLUMNS_MAX][LABEL];
    size_t count = units.count < COLUMNS_MAX ? units.count : COLUMNS_MAX;
    c->isa = csv_column(&units, "ISA");
    c->precision = csv_column(&units, "Precision");
    c->threads = csv_column(&units, "Threads");
    c->instruction = csv_column(&units, "FP Inst.");
    for (size_t i = 0; i < count; i++)
        snprintf(kept[i], LABEL, "%.15s", units.fields[i]);
    units.count = count;
    for (size_t i = 0; i < count; i++)
        units.fields[i] = kept[i];
    while (csv_next(from, ',', &row)) {
        if (!lines_complete(from)) {
            build_info(job->out)->ended_early = true;
            build_info(job->out)->dropped++;
            break;
        }
        if (row.count > 8 && take_roofs(c, &units, &row, job->error))
            return -1;
    }
    return roofs_end(&c->to, job->error);
}

static int read_roofs(profile_job *job) {
    carm c = {0};
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_rows(&c, job, from) : -1;
    lines_free(from);
    return result;
}

static int is_roofs(const char *head, size_t length) {
    (void)length;
    return strncmp(head, "Name:,", 6) == 0 && strstr(head, "ISA,Precision,Threads") ? 92 : 0;
}

/* ---- programs ---- */

static int take_program(profile_job *job, const csv_row *row, const int at[5]) {
    double intensity, rate;
    draft launch = DRAFT_EMPTY;
    if (figure_read('.', cell(row, at[1]), &intensity) != FIGURE_NUMBER ||
        figure_read('.', cell(row, at[2]), &rate) != FIGURE_NUMBER || !counts_plausible(rate) ||
        !counts_plausible(intensity)) {
        build_info(job->out)->dropped++;
        return 0;
    }
    launch.name = cell(row, at[0])[0] ? cell(row, at[0]) : "program";
    launch.where = cell(row, at[4])[0] ? cell(row, at[4]) : NULL;
    launch.line = row->line;
    launch.seconds = (roof_count){1, ROOF_CERTAINTY_COUNTED, "rates: of each second of running"};
    draft_flops(&launch, ROOF_VECTOR, roofs_dtype(cell(row, at[3])), rate * 1e9, ROOF_CERTAINTY_COUNTED, "GFLOPS");
    if (intensity > 1e-12)
        draft_bytes(&launch, ROOF_L1, rate * 1e9 / intensity, ROOF_CERTAINTY_COUNTED, "GFLOPS / AI");
    launch.missing = "DRAM bytes, with counters of the memory controllers: the CARM tool counts at L1";
    build_info(job->out)->rows++;
    return build_launch(job->out, &launch);
}

static int read_programs(profile_job *job) {
    csv_row row;
    lines *from = lines_of(job->in, job->error);
    int at[5] = {-1, -1, -1, -1, -1}, result = from ? 0 : -1;
    static const char *const names[5] = {"Name", "AI", "GFLOPS", "Precision", "Method"};
    if (from && csv_next(from, ',', &row))
        for (size_t i = 0; i < LENGTH(names); i++)
            at[i] = csv_column(&row, names[i]);
    build_info(job->out)->tool = "CARM tool";
    build_warning(job->out, "the file's Time has no unit: its rates are used, and counts are of one second of running");
    while (result == 0 && csv_next(from, ',', &row)) {
        if (!lines_complete(from)) {
            build_info(job->out)->ended_early = true;
            build_info(job->out)->dropped++;
            break;
        }
        if (row.count > 1)
            result = take_program(job, &row, at);
    }
    lines_free(from);
    return result;
}

static int is_programs(const char *head, size_t length) {
    (void)length;
    return strncmp(head, "Date,Method,Name,ISA,Precision,Threads,AI,GFLOPS", 48) == 0 ? 92 : 0;
}

const profile_reader reader_carm = {
    .format = {"carm", "CARM tool roofs", "python3 run.py (Results/Roofline/NAME_Roofline.csv)",
               "a machine: measured bandwidths by level and peaks by precision; untried: written from documentation"},
    .recognise = is_roofs,
    .read = read_roofs,
};
const profile_reader reader_carm_programs = {
    .format = {"carm-programs", "CARM tool applications", "python3 DBI_AI_Calculator.py or PMU_AI_Calculator.py",
               "programs: FLOP/s and arithmetic intensity at L1; untried: written from documentation"},
    .recognise = is_programs,
    .read = read_programs,
};
