/* Which reader a file belongs to, and the public face of a profile. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "read/profile/build.h"
#include "read/profile/lines.h"
#include "read/profile/stream.h"

const roof_profile_format *roof_profile_format_at(size_t index) {
    return index < profile_reader_count ? &profile_readers[index]->format : NULL;
}

static const char *format_name(const void *context, size_t index) {
    (void)context;
    return profile_readers[index]->format.id;
}

static const profile_reader *named_reader(const char *id, roof_error *error) {
    for (size_t i = 0; i < profile_reader_count; i++)
        if (name_equal(profile_readers[i]->format.id, id))
            return profile_readers[i];
    name_list names = {profile_reader_count, format_name, NULL};
    unknown_name(&names, "format", id, ROOF_REMEDY_LIST_FORMATS, error);
    return NULL;
}

/* ---- what an unknown file looks like ---- */

/* Text of two bytes a character: with its mark, or without one by the zeros in every other byte. */
static bool is_utf16(const char *head, size_t length) {
    size_t zeros[2] = {0};
    if (length >= 2 && (memcmp(head, "\xFF\xFE", 2) == 0 || memcmp(head, "\xFE\xFF", 2) == 0))
        return true;
    for (size_t i = 0; i < length; i++)
        zeros[i % 2] += head[i] == '\0';
    return length >= 4 && zeros[0] + zeros[1] > length / 3 && (zeros[0] == 0 || zeros[1] == 0);
}

static const char unknown_table[] = "is a table with unknown columns";

static const char *looks_like(const char *head, size_t length) {
    size_t binary = 0, commas = 0, ends = 0;
    for (size_t i = 0; i < length; i++) {
        binary += (unsigned char)head[i] < 9;
        commas += head[i] == ',' || head[i] == ';' || head[i] == '\t';
        ends += head[i] == '\n';
    }
    if (length == 0)
        return "is empty";
    if (strncmp(head, "SQLite format 3", 15) == 0)
        return "is an SQLite file without tables of kernels";
    if (is_utf16(head, length))
        return "is UTF-16 text, which PowerShell writes for '>'";
    if (length >= 3 && memcmp(head, "\x1f\x8b\x08", 3) == 0)
        return "is gzip within gzip: unpack it once";
    if (binary > length / 50)
        return "is binary: the profiler's own file, perhaps, and not an export";
    if (head[strspn(head, " \t\r\n")] == '{' || head[strspn(head, " \t\r\n")] == '[')
        return "is JSON in an unknown format";
    if (commas > ends)
        return unknown_table;
    return "is plain text in an unknown format";
}

/* What the text begins with, as far as it can be printed. */
static void begin_of(const char *head, size_t length, char *first, size_t size) {
    size_t end = strcspn(head, "\r\n");
    snprintf(first, size, "%.*s", (int)(end < size ? end : size - 1), head);
    if (is_utf16(head, length) || (unsigned char)first[0] < ' ')
        first[0] = '\0';
    for (char *at = first; *at; at++)
        if ((unsigned char)*at < ' ' || (unsigned char)*at >= 0x7F)
            *at = '?';
}

/* "'file', 'format', ...": the first columns of a table. */
static void columns_of(char *line, char *out, size_t size) {
    enum { NAMED = 6 };
    csv_row row;
    size_t used = 0;
    csv_split(line, csv_separator(line), &row);
    for (size_t i = 0; i < row.count && i < NAMED && used + 40 < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s'%.24s'", i ? ", " : "", row.fields[i]);
    if (row.count > NAMED)
        snprintf(out + used, size - used, ", ...");
}

static void refuse_unknown(const char *head, size_t length, roof_error *error) {
    char first[256], columns[224];
    const char *like = looks_like(head, length);
    begin_of(head, length, first, sizeof first);
    if (like == unknown_table && first[0]) {
        columns_of(first, columns, sizeof columns);
        roof_fail(error, ROOF_EFORMAT, "not a recognised profile: it %s: %s", like, columns);
        roof_hint(error, "columns name,seconds,flops,bytes_dram would do");
        roof_suggest(error, ROOF_REMEDY_LIST_FORMATS, "");
        return;
    }
    roof_fail(error, ROOF_EFORMAT, "not a recognised profile: it %s%s%.60s%s", like, first[0] ? " (it begins '" : "",
              first, first[0] ? "')" : "");
    if (is_utf16(head, length))
        roof_hint(error, "iconv -f UTF-16 -t UTF-8 FILE > FILE.txt");
    else
        roof_suggest(error, ROOF_REMEDY_LIST_FORMATS, "");
}

static const profile_reader *find_reader(stream *in, roof_error *error) {
    size_t length;
    const char *head = stream_head(in, &length);
    const profile_reader *best = NULL;
    int surest = 0;
    for (size_t i = 0; i < profile_reader_count; i++) {
        int sure = profile_readers[i]->recognise(head, length);
        if (sure > surest) {
            surest = sure;
            best = profile_readers[i];
        }
    }
    if (best)
        return best;
    refuse_unknown(head, length, error);
    return NULL;
}

/* ---- the handle ---- */

/* "1 row or event", "23 rows or events" */
static const char *rows_of(double count, char text[48]) {
    snprintf(text, 48, fabs(count - 1) < 0.5 ? "%.0f row or event" : "%.0f rows or events", count);
    return text;
}

static int finish(roof_profile *profile, const stream *in) {
    builder *built = &profile->built;
    char kept[48], dropped[48];
    rows_of(built->info.rows, kept);
    rows_of(built->info.dropped, dropped);
    built->info.ended_early |= stream_cut(in);
    if (built->info.ended_early && built->options.strict)
        return roof_fail(built->error, ROOF_EFORMAT, "the file ends early, which strict reading refuses");
    if (built->info.dropped > 0 && built->options.strict)
        return roof_fail(built->error, ROOF_EFORMAT, "%s %s damaged, which strict reading refuses", dropped,
                         built->info.dropped > 1 ? "are" : "is");
    if (built->info.ended_early)
        build_warning(built, "the file ends early: %s kept, %.0f dropped", kept, built->info.dropped);
    else if (built->info.dropped > 0)
        build_warning(built, "%s %s damaged and dropped, %.0f kept", dropped, built->info.dropped > 1 ? "are" : "is",
                      built->info.rows);
    if (built->group_count == 0 && built->run_count == 0 && !built->has_machine) {
        const char *why = roof_profile_warning(profile, 0);
        roof_fail(built->error, ROOF_EFORMAT, "%s holds no measurement%s%s", built->info.format->name, why ? ": " : "",
                  why ? why : "");
        roof_hint(built->error, "%s", built->info.format->command);
        return -1;
    }
    profile->points = calloc(built->group_count + 1, sizeof *profile->points);
    if (!profile->points)
        return roof_fail(built->error, ROOF_ENOMEM, "out of memory while reading measurements");
    for (size_t i = 0; i < built->group_count; i++)
        profile->points[i] = built->groups[i].point;
    return 0;
}

static int read_with(roof_profile *profile, stream *in, const char *path, roof_error *error) {
    builder *built = &profile->built;
    const profile_reader *reader =
        built->options.format ? named_reader(built->options.format, error) : find_reader(in, error);
    if (!reader)
        return -1;
    built->info.format = &reader->format;
    profile_job job = {.in = in, .path = path, .out = built, .options = built->options, .error = error};
    if (reader->read(&job))
        return -1;
    if (stream_failed(in))
        return roof_fail(error, ROOF_EIO, "reading stopped: %s", strerror(stream_failed(in)));
    return finish(profile, in);
}

static roof_profile *read_stream(stream *in, const char *path, const roof_profile_options *options, roof_error *error) {
    roof_profile *profile = in ? calloc(1, sizeof *profile) : NULL;
    if (in && !profile)
        roof_fail(error, ROOF_ENOMEM, "out of memory while reading measurements");
    if (profile) {
        profile->built.options = options ? *options : (roof_profile_options){0};
        profile->built.error = error;
        if (read_with(profile, in, path, error)) {
            roof_profile_free(profile);
            profile = NULL;
        }
    }
    stream_close(in);
    return profile;
}

roof_profile *roof_read_profile(const char *path, const roof_profile_options *options, roof_error *error) {
    return read_stream(stream_open(path, error), path, options, error);
}

roof_profile *roof_read_profile_bytes(const void *bytes, size_t length, const roof_profile_options *options,
                                      roof_error *error) {
    return read_stream(stream_memory(bytes, length, error), NULL, options, error);
}

void roof_profile_free(roof_profile *profile) {
    if (!profile)
        return;
    free(profile->built.groups);
    free(profile->built.table);
    free(profile->built.runs);
    arena_free(&profile->built.memory);
    free(profile->points);
    free(profile);
}

const roof_profile_info *roof_profile_about(const roof_profile *profile) {
    return &profile->built.info;
}

const roof_measured *roof_profile_points(const roof_profile *profile, size_t *count) {
    if (count)
        *count = profile->built.group_count;
    return profile->points;
}

const roof_model_run *roof_profile_runs(const roof_profile *profile, size_t *count) {
    if (count)
        *count = profile->built.run_count;
    return profile->built.runs;
}

const roof_machine *roof_profile_machine(const roof_profile *profile) {
    return profile->built.has_machine ? &profile->built.machine : NULL;
}

const char *roof_profile_warning(const roof_profile *profile, size_t index) {
    return index < profile->built.warning_count ? profile->built.warnings[index] : NULL;
}
