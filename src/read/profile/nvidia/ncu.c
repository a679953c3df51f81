/* Nsight Compute as CSV: which page a file is, its rows without the text around them, and the details page (a metric a
 * row). What ncu writes that holds no table is refused here, with what to do instead. */
#include "read/profile/nvidia/ncu.h"

#include <stdio.h>
#include <string.h>

/* ---- which file is it ---- */

/* The line without a byte-order mark. */
static const char *plain_line(const char *line) {
    return strncmp(line, "\xEF\xBB\xBF", 3) == 0 ? line + 3 : line;
}

/* "ID","Process ID",... with or without quotes: the separator; 0: no header. */
static char header_separator(const char *line) {
    const char *at = plain_line(line);
    size_t length = strcspn(at, "\r\n");
    bool quoted = *at == '"';
    at += quoted;
    if (strncmp(at, "ID", 2) != 0 || (quoted && at[2] != '"'))
        return 0;
    char separator = at[2 + quoted];
    const char *kernel = strstr(at, "Kernel Name");
    bool known = separator == ',' || separator == ';' || separator == '\t';
    return known && kernel && kernel < line + length ? separator : 0;
}

enum page { NO_PAGE, DETAILS, RAW };

static bool names_metric(const char *line) {
    const char *metric = strstr(line, "Metric Name");
    return metric && metric < line + strcspn(line, "\r\n");
}

static enum page find_page(const char *head) {
    for (const char *line = head; *line;) {
        if (header_separator(line))
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
        {"this is a pivot that somebody made of an Nsight Compute export: whose rows and units it kept is not known",
         "give the file that ncu wrote: ncu --csv --page raw", 90},
        {"this is the version of Nsight Compute and no measurement", "measure with: ncu --csv --page raw PROGRAM", 85},
        {"this is the text page of Nsight Compute", EXPORT, 80},
        {"this table was made from an Nsight Compute export and has no kernel names and no units",
         "give the file that ncu wrote: ncu --csv --page raw", 25},
        {"this is UTF-16 text, which PowerShell writes for '>'", "iconv -f UTF-16 -t UTF-8 FILE > FILE.csv", 70},
    };
    const char *first = plain_line(head);
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

/* ---- rows ---- */

/* What ncu says about itself between the rows. */
static void note_log(ncu_file *file, const char *line) {
    bool error = strncmp(line, "==ERROR== ", 10) == 0;
    if (!error && !(strncmp(line, "==WARNING== ", 12) == 0 && strstr(line, "metric")))
        return;
    const char *text = line + (error ? 10 : 12);
    if (error && !file->trouble[0])
        snprintf(file->trouble, sizeof file->trouble, "%.200s", text);
    if (file->job->out)
        build_warning(file->job->out, "ncu says: %.200s", text);
}

static void find_columns(ncu_file *file) {
    static const char *const names[NCU_COLUMNS] = {"ID", "Process ID",  "Kernel Name", "Device",
                                                   "CC", "Metric Name", "Metric Unit", "Metric Value"};
    for (int i = 0; i < NCU_COLUMNS; i++)
        file->column[i] = csv_column(&file->row, names[i]);
    file->width = file->row.count;
}

/* A row begins with the number of the launch, or (units) with nothing, in the first field. */
static bool begins_row(const char *line, char separator) {
    if (*line == '"')
        return line[1] >= '0' && line[1] <= '9' ? true : line[1] == '"' && line[2] == separator;
    return *line >= '0' && *line <= '9' ? line[strspn(line, "0123456789")] == separator : *line == separator;
}

/* The file ends in this line, which may be all that is left of a row. */
static bool ends_in_row(const ncu_file *file, const char *line) {
    return ncu_cut(file) && (*line == '"' || (*line && line[strspn(line, "0123456789")] == '\0'));
}

ncu_line ncu_next(ncu_file *file) {
    size_t length;
    for (char *line = lines_next(file->from, &length); line; line = lines_next(file->from, &length)) {
        char separator = header_separator(line);
        bool row = file->separator && (begins_row(line, file->separator) || ends_in_row(file, line));
        if (!separator && !row) {
            note_log(file, line);
            continue;
        }
        file->separator = separator ? separator : file->separator;
        csv_split(line, file->separator, &file->row);
        file->row.line = lines_number(file->from);
        if (separator) {
            find_columns(file);
            return NCU_HEADER;
        }
        if (file->row.count >= 4 || file->row.cut || ncu_cut(file))
            return NCU_ROW;
    }
    return NCU_END;
}

bool ncu_cut(const ncu_file *file) {
    return !lines_complete(file->from);
}

const char *ncu_cell(const ncu_file *file, int column) {
    int at = file->column[column];
    return at >= 0 && (size_t)at < file->row.count ? file->row.fields[at] : "";
}

void ncu_drop(ncu_file *file) {
    build_info(file->job->out)->dropped++;
    build_info(file->job->out)->ended_early |= ncu_cut(file);
}

/* ---- numbers ---- */

static int fail_at(ncu_file *file) {
    if (file->job->error)
        file->job->error->line = file->row.line;
    return -1;
}

int ncu_number(ncu_file *file, const char *cell, ncu_state *state, double *value) {
    char text[80]; /* without the instances that may follow: "3 (1; 2)" */
    snprintf(text, sizeof text, "%.*s", (int)strcspn(cell, "("), cell);
    figure_style one = {0};
    char decimal = file->style.decimal;
    figure_observe(&one, text);
    if ((one.point_decimal && decimal == ',') || (one.comma_decimal && decimal == '.')) {
        roof_fail(file->job->error, ROOF_EFORMAT, "'%.40s' contradicts the numbers before it, where '%c' is decimal",
                  text, decimal);
        roof_hint(file->job->error, "export again with LC_ALL=C");
        return fail_at(file);
    }
    if (one.ambiguous && !file->certain) {
        roof_fail(file->job->error, ROOF_EFORMAT,
                  "'%.40s' may be %c decimal or a thousand: nothing before it says which", text, one.sign);
        roof_hint(file->job->error, "export again with LC_ALL=C, or say which sign is the decimal mark");
        roof_suggest(file->job->error, ROOF_REMEDY_DECIMAL, "");
        return fail_at(file);
    }
    file->certain |= one.point_decimal || one.comma_decimal;
    figure_kind kind = figure_read(decimal, text, value);
    *state = kind == FIGURE_NUMBER ? NCU_GIVEN : NCU_ABSENT;
    if (kind == FIGURE_TEXT)
        build_info(file->job->out)->dropped++;
    return 0;
}

static void decide_certain(ncu_file *file) {
    const figure_style *s = &file->style;
    file->certain = file->job->options.decimal || s->point_decimal || s->comma_decimal || s->ambiguous;
}

/* ---- launches ---- */

static void keep(char *to, size_t size, const char *text) {
    size_t length = strlen(text);
    length = length < size - 1 ? length : size - 1;
    memcpy(to, text, length);
    to[length] = '\0';
}

int ncu_begin(ncu_file *file) {
    roof_profile_info *info = build_info(file->job->out);
    const char *device = ncu_cell(file, NCU_DEVICE), *cc = ncu_cell(file, NCU_CC);
    keep(file->name, sizeof file->name, ncu_cell(file, NCU_KERNEL));
    keep(file->id, sizeof file->id, ncu_cell(file, NCU_ID));
    keep(file->process, sizeof file->process, ncu_cell(file, NCU_PROCESS));
    file->where[0] = '\0';
    if (device[0] && strcmp(device, "0") != 0)
        snprintf(file->where, sizeof file->where, "device %.40s", device);
    if (cc[0] && !info->device) {
        char text[64];
        snprintf(text, sizeof text, "compute capability %.40s", cc);
        info->device = build_text(file->job->out, text);
    }
    memset(&file->values, 0, sizeof file->values);
    file->line = file->row.line;
    file->open = true;
    return 0;
}

int ncu_close(ncu_file *file) {
    if (!file->open)
        return 0;
    draft launch = DRAFT_EMPTY;
    launch.name = file->name;
    launch.where = file->where[0] ? file->where : NULL;
    launch.line = file->line;
    ncu_fill(&file->values, &launch);
    file->open = false;
    return build_launch(file->job->out, &launch);
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
    return fail_at(file);
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
        build_warning(file->job->out, "line %ld: the unit '%.40s' of %.80s is not known; the value is left out",
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

int ncu_read_details(ncu_file *file) {
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
        line = file->column[NCU_FIGURE] >= 0 && file->column[NCU_METRIC] >= 0 ? ncu_read_details(file)
                                                                              : ncu_read_raw(file);
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
