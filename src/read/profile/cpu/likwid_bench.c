/* likwid-bench: its own output is a measured kernel; lists of its results ("flops peakflops_avx_fma 58556.46") are the
 * roofs of a machine. Kernels without "_sp" in their names are double precision, as LIKWID names them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "read/profile/counts.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"
#include "read/profile/roofs.h"

typedef struct bench {
    profile_job *job;
    char test[96];
    double seconds, flops, bytes, iterations;
    long line;
} bench;

static roof_dtype dtype_of(const char *kernel) {
    return strstr(kernel, "_int") ? ROOF_DTYPE_NONE : strstr(kernel, "_sp") ? ROOF_F32 : ROOF_F64;
}

/* ---- likwid-bench's own output ---- */

static int give(bench *b) {
    draft launch = DRAFT_EMPTY;
    if (!b->test[0])
        return 0;
    launch.name = b->test;
    launch.line = b->line;
    if (b->seconds > 0)
        launch.seconds = (roof_count){b->seconds, ROOF_CERTAINTY_COUNTED, "Time"};
    if (b->flops >= 0)
        draft_flops(&launch, ROOF_VECTOR, dtype_of(b->test), b->flops, ROOF_CERTAINTY_COMPUTED, "Number of Flops");
    if (b->bytes >= 0)
        draft_bytes(&launch, ROOF_L1, b->bytes, ROOF_CERTAINTY_COMPUTED, "Data volume");
    launch.missing = "DRAM bytes, with likwid-perfctr -g MEM around it: its loads and stores do not say the level";
    build_info(b->job->out)->rows++;
    int result = build_launch(b->job->out, &launch);
    b->test[0] = '\0';
    return result;
}

static double after(const char *line, const char *key) {
    size_t length = strlen(key);
    char *end;
    if (strncmp(line, key, length) != 0)
        return -1;
    double value = strtod(line + length, &end);
    return end > line + length && counts_plausible(value) ? value : -1;
}

static void keep(double *to, double value) {
    if (value >= 0)
        *to = value;
}

static int take_line(bench *b, char *line, long at) {
    if (strncmp(line, "Test: ", 6) == 0) {
        if (give(b))
            return -1;
        snprintf(b->test, sizeof b->test, "%s", line + 6);
        b->test[strcspn(b->test, " \t\r")] = '\0';
        b->seconds = b->flops = b->bytes = -1;
        b->line = at;
        return 0;
    }
    keep(&b->seconds, after(line, "Time:"));
    keep(&b->flops, after(line, "Number of Flops:"));
    keep(&b->bytes, after(line, "Data volume (Byte):"));
    return 0;
}

static int read_bench(profile_job *job) {
    bench b = {.job = job, .seconds = -1};
    size_t length;
    char *line;
    lines *from = lines_of(job->in, job->error);
    int result = from ? 0 : -1;
    build_info(job->out)->tool = "likwid-bench";
    while (result == 0 && (line = lines_next(from, &length))) {
        if (!lines_complete(from)) {
            build_info(job->out)->ended_early = true;
            build_info(job->out)->dropped++;
            break;
        }
        result = take_line(&b, line, lines_number(from));
    }
    if (result == 0)
        result = give(&b);
    lines_free(from);
    return result;
}

/* ---- lists of results ---- */

typedef struct listed {
    roofs to;
    double flops_unit, bytes_unit; /* of the last comment that names one; 0 */
    bool dram;                     /* the last comment speaks of DRAM */
} listed;

static void take_comment(listed *l, const char *line) {
    const char *core = strstr(line, " core");
    l->flops_unit = strstr(line, "MFlop/s") ? 1e6 : strstr(line, "GFlop/s") ? 1e9 : 0;
    l->bytes_unit = strstr(line, "MByte/s") ? 1e6 : strstr(line, "GByte/s") ? 1e9 : 0;
    l->dram = strstr(line, "DRAM") != NULL;
    while (core > line && core[-1] >= '0' && core[-1] <= '9')
        core--;
    if (core && strtod(core, NULL) > 0)
        l->to.machine->units = (roof_figure){strtod(core, NULL), ROOF_ORIGIN_MEASURED, false, "likwid-bench"};
}

static void take_flops(listed *l, const char *kernel, double value) {
    roof_dtype dtype = dtype_of(kernel);
    if (l->flops_unit > 0 && dtype != ROOF_DTYPE_NONE)
        roofs_peak(&l->to, ROOF_VECTOR, dtype, value * l->flops_unit, kernel);
    else
        roofs_note(&l->to, "%.40s: %.6g, %s", kernel, value, l->flops_unit > 0 ? "of integers" : "without a unit");
}

static void take_result(listed *l, char *words[4], size_t count) {
    double value;
    if (count < 3 || figure_read('.', words[count - 1], &value) != FIGURE_NUMBER || !counts_plausible(value)) {
        if (count >= 2)
            roofs_note(&l->to, "%.20s %.40s: nothing measured", words[0], words[1]);
        return;
    }
    if (strcmp(words[0], "flops") == 0)
        take_flops(l, words[1], value);
    else if (strcmp(words[0], "bw_load") == 0 && count == 4 && l->bytes_unit > 0)
        roofs_note(&l->to, "%.40s of %.20s: %.6g GB/s, level not said", words[1], words[2],
                   value * l->bytes_unit / 1e9);
    else if (l->dram && l->bytes_unit > 0 && strncmp(words[1], "MByte/s", 7) == 0)
        roofs_bandwidth(&l->to, ROOF_DRAM, value * 1e6, words[0]);
}

static int read_list(profile_job *job) {
    listed l = {0};
    size_t length;
    char *line;
    lines *from = lines_of(job->in, job->error);
    if (!from)
        return -1;
    roofs_begin(&l.to, job, "likwid-bench", "", "likwid-bench");
    while ((line = lines_next(from, &length))) {
        char *words[4], *rest = line;
        size_t count = 0;
        if (!lines_complete(from)) {
            build_info(job->out)->ended_early = true;
            build_info(job->out)->dropped++;
            break;
        }
        if (*line == '#') {
            take_comment(&l, line);
            continue;
        }
        while (count < 4 && *(rest += strspn(rest, " \t"))) {
            words[count++] = rest;
            rest += strcspn(rest, " \t");
            if (*rest)
                *rest++ = '\0';
        }
        take_result(&l, words, count);
    }
    lines_free(from);
    return roofs_end(&l.to, job->error);
}

static int is_bench(const char *head, size_t length) {
    (void)length;
    return strstr(head, "LIKWID MICRO BENCHMARK") || (strstr(head, "Number of Flops:") && strstr(head, "Test: ")) ? 90
                                                                                                                  : 0;
}

static int is_list(const char *head, size_t length) {
    (void)length;
    return strstr(head, "flops peakflops") ? 70 : 0;
}

const profile_reader reader_likwid_bench = {
    .format = {"likwid-bench", "likwid-bench", "likwid-bench -t triad -w S0:1GB > FILE",
               "kernels: time, FLOPs, bytes between L1 and the cores"},
    .recognise = is_bench,
    .read = read_bench,
};
const profile_reader reader_likwid_list = {
    .format = {"likwid-bench-list", "likwid-bench results, one per line",
               "lines 'flops KERNEL NUMBER' under a comment that names the unit (docs/profiles/likwid.md)",
               "a machine: measured peaks, and DRAM bandwidth where a comment says DRAM"},
    .recognise = is_list,
    .read = read_list,
};
