/* Rows of an Nsight Compute CSV, of either page: found between lines of the program and of ncu, numbers with their
 * decimal mark, and the launch that the rows at hand belong to.
 *
 *     ==PROF== Connected to process 4711       what ncu says of itself
 *     "ID","Process ID","Kernel Name", ...     a header, possibly several in a file
 *     "0","4711","axpy", ...                   a row begins with the number of its launch */
#include <stdio.h>
#include <string.h>

#include "read/profile/nvidia/ncu.h"

/* The line without a byte-order mark. */
const char *ncu_plain_line(const char *line) {
    return strncmp(line, "\xEF\xBB\xBF", 3) == 0 ? line + 3 : line;
}

/* "ID","Process ID",... with or without quotes: the separator; 0: no header. */
char ncu_header_separator(const char *line) {
    const char *at = ncu_plain_line(line);
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
        char separator = ncu_header_separator(line);
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

int ncu_fail_at(ncu_file *file) {
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
        return ncu_fail_at(file);
    }
    if (one.ambiguous && !file->certain) {
        roof_fail(file->job->error, ROOF_EFORMAT,
                  "'%.40s' may be %c decimal or a thousand: nothing before it says which", text, one.sign);
        roof_hint(file->job->error, "export again with LC_ALL=C, or say which sign is the decimal mark");
        roof_suggest(file->job->error, ROOF_REMEDY_DECIMAL, "");
        return ncu_fail_at(file);
    }
    file->certain |= one.point_decimal || one.comma_decimal;
    figure_kind kind = figure_read(decimal, text, value);
    *state = kind == FIGURE_NUMBER ? NCU_GIVEN : NCU_ABSENT;
    if (kind == FIGURE_TEXT)
        build_info(file->job->out)->dropped++;
    return 0;
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
