/* Tables of AMD's profilers: rows as wide as their header, and times in nanoseconds. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "read/profile/amd/amd.h"

/* ---- columns of a head ---- */

bool amd_names(const char *head, const char *column) {
    head += strncmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    head += strspn(head, " \r\n");
    size_t length = strlen(column);
    for (const char *at = head; *at && *at != '\n';) {
        at += strspn(at, " \"");
        size_t field = strcspn(at, ",\"\r\n");
        if (field == length && strncasecmp(at, column, length) == 0)
            return true;
        at += field;
        at += strspn(at, "\"\r");
        at += *at == ',';
    }
    return false;
}

/* ---- rows ---- */

uint64_t amd_hash(uint64_t hash, const char *text) {
    hash = hash ? hash : 0xCBF29CE484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
    return (hash ^ 0xFF) * 0x100000001B3u; /* "a" "b" is not "ab" */
}

static uint64_t row_hash(const csv_row *row) {
    uint64_t hash = 0;
    for (size_t i = 0; i < row->count; i++)
        hash = amd_hash(hash, row->fields[i]);
    return hash;
}

int amd_fail_line(amd_table *table) {
    if (table->job->error)
        table->job->error->line = table->row.line;
    return -1;
}

static bool is_blank(const csv_row *row) {
    return row->count == 1 && row->fields[0][0] == '\0' && !row->cut;
}

int amd_open(amd_table *table, profile_job *job) {
    table->job = job;
    table->from = lines_of(job->in, job->error);
    if (!table->from)
        return -1;
    do {
        if (!csv_next(table->from, ',', &table->row))
            return roof_fail(job->error, ROOF_EFORMAT, "the table has no header");
    } while (is_blank(&table->row));
    if (table->row.count == CSV_FIELDS_MAX && table->row.cut) {
        roof_fail(job->error, ROOF_EFORMAT, "the table has more than %d columns", CSV_FIELDS_MAX);
        return amd_fail_line(table);
    }
    table->width = table->row.count;
    table->header = row_hash(&table->row);
    return 0;
}

void amd_close(amd_table *table) {
    lines_free(table->from);
    table->from = NULL;
}

void amd_drop(amd_table *table) {
    build_info(table->job->out)->dropped++;
    build_info(table->job->out)->ended_early |= !lines_complete(table->from);
}

/* Words alone, and those of a header among them: files concatenate them. */
static bool is_header(const csv_row *row) {
    for (size_t i = 0; i < row->count; i++)
        if (isdigit((unsigned char)row->fields[i][0]))
            return false;
    return csv_column(row, "Kernel_Name|KernelName|End_Timestamp|EndNs|TotalDurationNs|HBMBw") >= 0;
}

int amd_next(amd_table *table) {
    while (csv_next(table->from, ',', &table->row)) {
        csv_row *row = &table->row;
        bool header = is_header(row);
        if (is_blank(row) || (header && row_hash(row) == table->header))
            continue;
        if (header && lines_complete(table->from)) {
            roof_fail(table->job->error, ROOF_EFORMAT,
                      "another header in the table: files of several runs or passes "
                      "concatenate them");
            roof_hint(table->job->error, "give each file alone; rocprof-compute joins its passes into pmc_perf.csv");
            return amd_fail_line(table);
        }
        bool complete = lines_complete(table->from);
        if (row->count == table->width && !row->cut) {
            table->open_end = !complete && !row->quoted[row->count - 1];
            return 1;
        }
        amd_drop(table);
    }
    return 0;
}

const char *amd_cell(const amd_table *table, int column) {
    return column >= 0 && (size_t)column < table->row.count ? table->row.fields[column] : "";
}

/* ---- times ---- */

/* Nanoseconds, exactly: a double does not hold those since 1970. `step`: of the last digit; 0: no time. */
static uint64_t ticks_of(const char *text, double *step) {
    size_t digits = strspn(text, "0123456789");
    const char *rest = text + digits;
    *step = 0;
    if (digits > 0 && digits <= 19 &&
        (*rest == '\0' || (*rest == '.' && rest[1 + strspn(rest + 1, "0123456789")] == '\0'))) {
        *step = 1;
        return strtoull(text, NULL, 10);
    }
    double value = strtod(text, (char **)&rest);
    const char *exponent = strpbrk(text, "eE"), *point = strchr(text, '.');
    if (rest == text || *rest != '\0' || !exponent || !(value >= 0 && value < 1.8e19))
        return 0;
    long decimals = point && point < exponent ? (long)(exponent - point) - 1 : 0;
    *step = pow(10, (double)(strtol(exponent + 1, NULL, 10) - decimals));
    *step = *step > 1 ? *step : 1;
    return (uint64_t)value;
}

static roof_count no_time(amd_table *table, const char *why, const char *text) {
    build_warning(table->job->out, "line %ld: %s ('%.40s'): the time is unknown", table->row.line, why, text);
    return (roof_count){0, ROOF_CERTAINTY_MISSING, NULL};
}

static roof_count rounded(amd_table *table, const char *text) {
    build_warning(table->job->out, "times such as '%.40s' were rounded, as spreadsheets do: how long it took is lost",
                  text);
    return (roof_count){0, ROOF_CERTAINTY_MISSING, NULL};
}

roof_count amd_duration(amd_table *table, const char *start, const char *end) {
    double before, after;
    uint64_t from = ticks_of(start, &before), to = ticks_of(end, &after);
    if (!*start && !*end)
        return (roof_count){0, ROOF_CERTAINTY_MISSING, NULL};
    if (before == 0 || after == 0)
        return no_time(table, "not a time in nanoseconds", before == 0 ? start : end);
    if (before > 1 || after > 1) { /* 1.62068E+14 */
        double width = to > from ? (double)(to - from) : 0;
        if (fmax(before, after) > 0.01 * width)
            return rounded(table, end);
    }
    if (to <= from)
        return no_time(table, to == from ? "it ends when it starts" : "it ends before it starts", end);
    return (roof_count){(double)(to - from) * 1e-9, ROOF_CERTAINTY_COUNTED, "end - start"};
}

bool amd_end_whole(const amd_table *table, int start, int end) {
    bool last = table->open_end && end >= 0 && (size_t)end + 1 == table->width;
    return !last || strlen(amd_cell(table, end)) >= strlen(amd_cell(table, start));
}
