/* Nsight Compute as CSV: which page a file is, its rows without the text around them, and the details page (a metric a
 * row). What ncu writes that holds no table is refused here, with what to do instead. */
#include "read/profile/nvidia/ncu.h"

#include <stdio.h>
#include <string.h>

/* ---- which file is it ---- */

enum page { NO_PAGE, DETAILS, RAW };

static bool names_metric(const char *line) {
    const char *metric = strstr(line, "Metric Name");
    return metric && metric < line + strcspn(line, "\r\n");
}

static enum page find_page(const char *head) {
    for (const char *line = head; *line;) {
        if (ncu_header_separator(line))
            return names_metric(line) ? DETAILS : RAW;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return NO_PAGE;
}

/* Files of ncu, or made from them, that hold no table of ours. */
typedef struct refusal {
    const char *what, *hint;
    int sure;
} refusal;

#define EXPORT "export with: ncu --import FILE.ncu-rep --csv --page raw --print-units base"

static bool has_line(const char *head, const char *start) {
    for (const char *at = strstr(head, start); at; at = strstr(at + 1, start))
        if (at == head || at[-1] == '\n' || (unsigned char)at[-1] == 0xBF)
            return true;
    return false;
}

/* UTF-16 with "ID" in it. */
static bool is_wide(const char *head, size_t length) {
    if (length < 4 || memcmp(head, "\xFF\xFE", 2) != 0)
        return false;
    for (size_t i = 2; i + 4 <= length; i += 2)
        if (memcmp(head + i, "I\0D", 4) == 0)
            return true;
    return false;
}

static refusal find_refusal(const char *head, size_t length) {
    static const refusal refusals[] = {
        {"this is a report of Nsight Compute itself, not an export of it", EXPORT, 90},
        {"this is a pivot that somebody made of an Nsight Compute export: whose rows and units it kept is unknown",
         "give the file that ncu wrote: ncu --csv --page raw", 90},
        {"this is the version of Nsight Compute and no measurement", "measure with: ncu --csv --page raw PROGRAM", 85},
        {"this is the text page of Nsight Compute", EXPORT, 80},
        {"this table was made from an Nsight Compute export and has no kernel names and no units",
         "give the file that ncu wrote: ncu --csv --page raw", 25},
        {"this is UTF-16 text, which PowerShell writes for '>'", "iconv -f UTF-16 -t UTF-8 FILE > FILE.csv", 70},
    };
    const char *first = ncu_plain_line(head);
    size_t line = strcspn(first, "\r\n");
    const char *metric = strstr(first, "__"), *sum = strstr(first, ".sum");
    if (length >= 4 && memcmp(head, "NVR", 4) == 0)
        return refusals[0];
    if (strncmp(first + (*first == '"'), "Metric Name", 11) == 0)
        return refusals[1];
    if (has_line(head, "NVIDIA (R) Nsight Compute"))
        return refusals[2];
    if (strstr(head, "Section: ") && strstr(head, ", Stream ") && strstr(head, "Metric Name"))
        return refusals[3];
    if (metric && metric < first + line && sum && sum < first + line && strchr(first, ','))
        return refusals[4];
    return is_wide(head, length) ? refusals[5] : (refusal){NULL, NULL, 0};
}

static bool has_log(const char *head) {
    return has_line(head, "==PROF==") || has_line(head, "==ERROR==");
}

static int recognise_details(const char *head, size_t length) {
    enum page page = find_page(head);
    if (page != NO_PAGE)
        return page == DETAILS ? 95 : 0;
    refusal refused = find_refusal(head, length);
    return refused.sure ? refused.sure : has_log(head) ? 60 : 0;
}

static int recognise_raw(const char *head, size_t length) {
    (void)length;
    return find_page(head) == RAW ? 95 : 0;
}

/* ---- the details page ---- */

static bool same_launch(const ncu_file *file) {
    return file->open && strncmp(file->id, ncu_cell(file, NCU_ID), NCU_WORD - 1) == 0 &&
           strncmp(file->process, ncu_cell(file, NCU_PROCESS), NCU_WORD - 1) == 0;
}

/* ncu writes launch after launch. A table that was sorted otherwise would fall to pieces here. */
static int check_order(ncu_file *file) {
    double before, now;
    if (!file->open || strcmp(file->process, ncu_cell(file, NCU_PROCESS)) != 0 ||
        figure_read('.', file->id, &before) != FIGURE_NUMBER ||
        figure_read('.', ncu_cell(file, NCU_ID), &now) != FIGURE_NUMBER || now > before)
        return 0;
    roof_fail(file->job->error, ROOF_EFORMAT,
              "launch %.20s comes after launch %.20s: the rows are not in the order of ncu", ncu_cell(file, NCU_ID),
              file->id);
    roof_hint(file->job->error, "give the file as ncu wrote it, not sorted");
    return ncu_fail_at(file);
}

/* A row that ends early has no value; a value without its closing quote may have lost digits. */
static bool is_whole(const ncu_file *file) {
    size_t value = (size_t)file->column[NCU_FIGURE];
    bool last = value + 1 == file->row.count;
    return file->row.count > value && !(last && file->row.cut) && !(last && ncu_cut(file) && !file->row.quoted[value]);
}

static int take_metric(ncu_file *file) {
    ncu_metric metric;
    ncu_state state;
    double value, factor;
    const char *name = ncu_cell(file, NCU_METRIC), *unit = ncu_cell(file, NCU_UNIT);
    if (!ncu_metric_find(name, &metric))
        return 0;
    if (metric.rank && strcmp(name, "Memory Throughput") == 0 && strchr(unit, '%'))
        return 0; /* the same label for a share of the peak */
    if (ncu_number(file, ncu_cell(file, NCU_FIGURE), &state, &value))
        return -1;
    factor = state == NCU_GIVEN ? ncu_unit_factor(&metric, unit) : 1;
    if (factor < 0) {
        build_warning(file->job->out, "line %ld: the unit '%.40s' of %.80s is unknown; the value is left out",
                      file->row.line, unit, name);
        build_info(file->job->out)->dropped++;
        state = NCU_ABSENT;
    }
    ncu_give(&file->values, &metric, state, value * factor);
    return 0;
}

static int take_row(ncu_file *file) {
    if (!is_whole(file) || !ncu_cell(file, NCU_KERNEL)[0]) {
        ncu_drop(file);
        return 0;
    }
    if (!same_launch(file) && (check_order(file) || ncu_close(file) || ncu_begin(file)))
        return -1;
    build_info(file->job->out)->rows++;
    return take_metric(file);
}

static int read_details(ncu_file *file) {
    ncu_line line;
    while ((line = ncu_next(file)) == NCU_ROW)
        if (take_row(file))
            return -1;
    return (int)line;
}

/* The head is read first for its numbers alone: all of them together say what the decimal mark is. */
static int observe_head(ncu_file *file, profile_job *job) {
    size_t length;
    const char *head = stream_head(job->in, &length);
    while (length > 0 && head[length - 1] != '\n') /* the last line may be cut in a number */
        length--;
    stream *in = stream_memory(head, length, job->error);
    file->from = in ? lines_of(in, job->error) : NULL;
    for (ncu_line line = NCU_HEADER; file->from && line != NCU_END;) {
        line = ncu_next(file);
        ncu_metric metric;
        const char *value = ncu_cell(file, NCU_FIGURE);
        if (line == NCU_ROW && (ncu_cell(file, NCU_UNIT)[0] || ncu_metric_find(ncu_cell(file, NCU_METRIC), &metric)))
            figure_observe(&file->style, value);
    }
    bool done = file->from != NULL;
    lines_free(file->from);
    stream_close(in);
    file->from = NULL;
    file->separator = 0;
    file->trouble[0] = '\0';
    return done ? figure_decide(&file->style, job->options.decimal, job->error) : -1;
}

static void decide_certain(ncu_file *file) {
    const figure_style *s = &file->style;
    file->certain = file->job->options.decimal || s->point_decimal || s->comma_decimal || s->ambiguous;
}

/* ---- no table at all ---- */

static int refuse(ncu_file *file) {
    roof_error *error = file->job->error;
    size_t length;
    const char *head = stream_head(file->job->in, &length);
    refusal refused = find_refusal(head, length);
    if (refused.what) {
        roof_fail(error, ROOF_EFORMAT, "%s", refused.what);
        roof_hint(error, "%s", refused.hint);
        return -1;
    }
    if (file->trouble[0])
        roof_fail(error, ROOF_EFORMAT, "ncu wrote no table; it reported: %s", file->trouble);
    else
        roof_fail(error, ROOF_EFORMAT, "ncu wrote no table of kernels");
    roof_hint(error, "%s",
              strstr(file->trouble, "ERR_NVGPUCTRPERM") ? "let users read the counters, or run ncu as root"
              : file->trouble[0] ? "first make the program run without error, then: ncu --csv --page raw PROGRAM"
                                 : "ncu --csv --page raw --target-processes all PROGRAM");
    return -1;
}

/* ---- the whole file ---- */

/* Each header begins a page: the output of several runs may be joined. */
static int read_pages(ncu_file *file) {
    int line = ncu_next(file);
    if (line == NCU_END)
        return refuse(file);
    while (line == NCU_HEADER) {
        line = file->column[NCU_FIGURE] >= 0 && file->column[NCU_METRIC] >= 0 ? read_details(file) : ncu_read_raw(file);
        if (line >= 0 && ncu_close(file))
            return -1;
    }
    return line < 0 ? -1 : 0;
}

static int read_ncu(profile_job *job) {
    arena memory = {0};
    ncu_file *file = arena_get(&memory, sizeof *file);
    int result = -1;
    if (!file) {
        roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
        return -1;
    }
    profile_job quiet = *job; /* what is said in the head is said when it is read */
    quiet.out = NULL;
    file->job = &quiet;
    if (observe_head(file, job) == 0) {
        file->job = job;
        decide_certain(file);
        build_info(job->out)->tool = "ncu";
        file->from = lines_of(job->in, job->error);
        result = file->from ? read_pages(file) : -1;
        lines_free(file->from);
    }
    arena_free(&memory);
    return result;
}

const profile_reader reader_ncu_details = {
    .format = {"ncu-details", "Nsight Compute CSV, details page",
               "ncu --csv --metrics gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,... PROGRAM",
               "kernels: time, bytes by level, FLOPs by dtype, tensor activity, clock"},
    .recognise = recognise_details,
    .read = read_ncu,
};

const profile_reader reader_ncu_raw = {
    .format = {"ncu-raw", "Nsight Compute CSV, raw page",
               "ncu --csv --page raw --metrics gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,... "
               "PROGRAM",
               "kernels: time, bytes by level, FLOPs by dtype, tensor activity, clock"},
    .recognise = recognise_raw,
    .read = read_ncu,
};
