/* llama-bench as Markdown (with the log around it), CSV, JSON, JSON lines and SQL. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/profile/figures.h"
#include "read/profile/objects.h"
#include "read/profile/runs/llama_bench.h"

static void set_tool(builder *to, const char *commit, const char *number) {
    char text[96];
    roof_profile_info *info = build_info(to);
    if (info->tool || !commit)
        return;
    snprintf(text, sizeof text, "llama-bench %.40s%s%.20s%s", commit, number ? " (" : "", number ? number : "",
             number ? ")" : "");
    info->tool = build_text(to, text);
}

static void tool_of(builder *to, record *row) {
    char number[24];
    double build = record_number(row, "build_number");
    snprintf(number, sizeof number, "%.0f", build);
    set_tool(to, record_word(row, "build_commit"), build >= 0 ? number : NULL);
}

static int take(llama_file *file, record *row) {
    tool_of(file->job->out, row);
    return llama_take(file, row);
}

/* ---- lines of the program around a table ---- */

static void note_trouble(llama_file *file, const char *line) {
    bool trouble = strstr(line, "error") || strstr(line, "failed") || strstr(line, "unable");
    if (trouble && !file->trouble[0])
        snprintf(file->trouble, sizeof file->trouble, "%.*s", (int)strcspn(line, "\r\n"), line);
}

/* "  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9" or "ggml_vulkan: 0 = AMD Radeon | uma: 1" */
static void note_device(llama_file *file, const char *line) {
    const char *at = line + strspn(line, " "), *name = NULL;
    int number = 0, used = 0;
    if (sscanf(at, "Device %d: %n", &number, &used) == 1 && used > 0)
        name = at + used;
    else if (used = 0, sscanf(at, "ggml_vulkan: %d = %n", &number, &used) == 1 && used > 0)
        name = at + used;
    else if (strncmp(at, "ggml_metal_init: GPU name:", 26) == 0)
        name = at + 26 + strspn(at + 26, " ");
    if (!name)
        return;
    if (number >= 0 && number < 1024)
        file->devices = fmax(file->devices, number + 1);
    if (!file->device[0])
        snprintf(file->device, sizeof file->device, "%.*s", (int)strcspn(name, ",|\r\n"), name);
    for (size_t length = strlen(file->device); length > 0 && file->device[length - 1] == ' '; length--)
        file->device[length - 1] = '\0';
}

static void note_build(llama_file *file, const char *line) {
    char commit[48] = "", number[24] = "";
    if (sscanf(line, "build: %47s (%23[0-9])", commit, number) >= 1)
        set_tool(file->job->out, commit, number[0] ? number : NULL);
}

/* ---- Markdown ---- */

enum { COLUMNS = 64, CELL = 160 };

typedef struct markdown {
    llama_file file;
    lines *from;
    csv_row row;
    char names[COLUMNS][CELL];
    size_t columns;
    int test, rate, size, parameters;
    bool built; /* the build line was there */
    record taken;
} markdown;

/* The cells between bars. false: not a row, or one whose last bar is missing. */
static bool cells(char *line, csv_row *row) {
    char *at = line + strspn(line, " \t"), *last = strrchr(at, '|');
    if (*at != '|' || last == at || last[1 + strspn(last + 1, " \t\r")] != '\0')
        return false;
    *last = '\0';
    csv_split(at + 1, '|', row);
    return true;
}

static bool is_rule(const csv_row *row) {
    for (size_t i = 0; i < row->count; i++)
        if (row->fields[i][strspn(row->fields[i], "-: ")] != '\0')
            return false;
    return true;
}

static bool is_header(const csv_row *row) {
    return csv_column(row, "model") >= 0 && csv_column(row, "test") >= 0 && csv_column(row, "t/s") >= 0;
}

static void take_header(markdown *m) {
    m->columns = m->row.count < COLUMNS ? m->row.count : COLUMNS;
    for (size_t i = 0; i < m->columns; i++)
        snprintf(m->names[i], CELL, "%.150s", m->row.fields[i]);
    m->test = csv_column(&m->row, "test");
    m->rate = csv_column(&m->row, "t/s");
    m->size = csv_column(&m->row, "size");
    m->parameters = csv_column(&m->row, "params");
}

/* "25.23 B" parameters: billions, and "47.02 GiB" of file. */
static double scaled(record *row, const char *key, char *text) {
    size_t digits = strspn(text, "0123456789.,eE+-");
    static const struct {
        const char *word;
        double factor;
    } counts[] = {{"K", 1e3}, {"M", 1e6}, {"B", 1e9}, {"T", 1e12}};
    const char *word = text + digits + strspn(text + digits, " ");
    double factor = strstr(word, "iB") ? unit_factor(word) : -1;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (strcmp(word, counts[i].word) == 0)
            factor = counts[i].factor;
    char number[CELL];
    snprintf(number, sizeof number, "%.*s", (int)(digits < 60 ? digits : 60), text);
    return factor > 0 ? record_parse(row, key, number) * factor : (double)NAN;
}

/* "909.04 ± 7.54", whatever became of the sign on its way. */
static void rate_and_spread(record *row, const char *text) {
    static const char digits[] = "0123456789.,";
    char number[CELL];
    const char *names[] = {"avg_ts", "stddev_ts"};
    for (int i = 0; i < 2 && *text; i++) {
        size_t length = strspn(text, digits);
        snprintf(number, sizeof number, "%.*s", (int)(length < 60 ? length : 60), text);
        double value = record_parse(row, "t/s", number);
        if (isfinite(value))
            record_figure(row, names[i], value);
        text += length;
        text += strcspn(text, digits);
    }
}

static int take_markdown(markdown *m) {
    record *row = &m->taken;
    double prompt, generate, depth;
    record_begin(row, m->file.job, lines_number(m->from));
    if (m->row.count != m->columns || !llama_test(m->row.fields[m->test], &prompt, &generate, &depth)) {
        build_info(m->file.job->out)->dropped++;
        return 0;
    }
    for (size_t i = 0; i < m->columns; i++)
        if ((int)i != m->test && (int)i != m->rate && (int)i != m->size && (int)i != m->parameters)
            record_text(row, m->names[i], m->row.fields[i]);
    record_text(row, "test", m->row.fields[m->test]);
    record_figure(row, "n_prompt", prompt);
    record_figure(row, "n_gen", generate);
    if (depth > 0)
        record_figure(row, "n_depth", depth);
    if (m->size >= 0)
        record_figure(row, "model_size", scaled(row, "size", m->row.fields[m->size]));
    if (m->parameters >= 0)
        record_figure(row, "model_n_params", scaled(row, "params", m->row.fields[m->parameters]));
    rate_and_spread(row, m->row.fields[m->rate]);
    return llama_take(&m->file, row);
}

static int markdown_line(markdown *m, char *line) {
    roof_profile_info *info = build_info(m->file.job->out);
    bool bar = line[strspn(line, " \t")] == '|';
    m->built |= strncmp(line, "build:", 6) == 0;
    if (!bar) {
        note_build(&m->file, line);
        note_device(&m->file, line);
        note_trouble(&m->file, line);
        return 0;
    }
    if (!cells(line, &m->row)) {
        info->dropped += m->columns > 0;
        info->ended_early |= !lines_complete(m->from);
        return 0;
    }
    if (is_rule(&m->row))
        return 0;
    if (is_header(&m->row)) {
        take_header(m);
        return 0;
    }
    return m->columns > 0 ? take_markdown(m) : 0;
}

static int read_markdown(profile_job *job) {
    markdown m = {.file = {.job = job}, .from = lines_of(job->in, job->error)};
    size_t length;
    char *line;
    int result = m.from ? 0 : -1;
    while (result == 0 && (line = lines_next(m.from, &length)) != NULL)
        result = markdown_line(&m, line);
    if (result == 0 && m.file.count > 0 && !m.built)
        build_warning(job->out, "no 'build:' line, which llama-bench writes last: rows may be missing after the table");
    lines_free(m.from);
    return llama_finish(&m.file, result);
}

/* A run that failed leaves lines that only llama.cpp begins so. */
static bool is_failed_log(const char *head) {
    static const char *const starts[] = {
        "ggml_cuda_init:", "ggml_vulkan:", "ggml_metal_init:", "llama_model_load:", "main: error:", "load_backend:"};
    bool ours = false;
    for (const char *at = head; *at; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n'))
        for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
            ours |= strncmp(at, starts[i], strlen(starts[i])) == 0;
    return ours && (strstr(head, "error") || strstr(head, "failed"));
}

/* A line of the head that is a row with these columns, or (failed runs) lines that only llama.cpp writes. */
static int recognise_markdown(const char *head, size_t length) {
    (void)length;
    char line[4096];
    csv_row row;
    for (const char *at = head; *at;) {
        size_t end = strcspn(at, "\n");
        if (end < sizeof line && at[strspn(at, " \t")] == '|') {
            memcpy(line, at, end);
            line[end] = '\0';
            if (cells(line, &row) && is_header(&row))
                return 90;
        }
        at += end + (at[end] == '\n');
    }
    return is_failed_log(head) ? 20 : 0;
}

/* ---- CSV ---- */

static const char *const csv_columns[] = {"model_type|model_filename", "n_gen", "avg_ts|avg_ns"};
enum { CSV_NEEDED = sizeof csv_columns / sizeof csv_columns[0] };

static int leave_out(llama_file *file, const csv_row *row, bool last, const char *why) {
    build_info(file->job->out)->ended_early |= last;
    return llama_drop(file, row->line, why);
}

static int take_csv(llama_file *file, const csv_row *header, csv_row *row, bool last) {
    record taken;
    builder *out = file->job->out;
    record_begin(&taken, file->job, row->line);
    if (row->count == header->count && !row->cut) {
        if (last && !row->quoted[row->count - 1])
            build_warning(out, "line %ld, the last, has no end: its last figure may be cut", row->line);
        record_row(&taken, header, row);
        return llama_aligned(&taken) ? take(file, &taken)
                                     : leave_out(file, row, last,
                                                 "the column test_time has no time: the fields are not those "
                                                 "of the header");
    }
    int from = llama_shifted(header, row, file->job);
    if (from < 0) {
        char why[96];
        snprintf(why, sizeof why, "%zu fields under a header of %zu", row->count, header->count);
        return leave_out(file, row, last, why);
    }
    build_warning(out,
                  "the header names %zu columns over rows of %zu fields: read from the end, where time x rate gives "
                  "the tokens of each test; columns before '%s' are not used",
                  header->count, row->count, header->fields[from]);
    for (size_t i = (size_t)from; i < header->count; i++)
        record_text(&taken, header->fields[i], row->fields[i + 1]);
    return take(file, &taken);
}

static int csv_rows(llama_file *file, lines *from) {
    csv_row header = {.count = 0}, row;
    int result = 0;
    while (result == 0 && csv_next(from, ',', &row)) {
        size_t found = 0;
        while (found < CSV_NEEDED && csv_column(&row, csv_columns[found]) >= 0)
            found++;
        if (found == CSV_NEEDED) {
            result = record_header(file->job->out, &row, &header);
            if (result)
                roof_fail(file->job->error, ROOF_ENOMEM, "out of memory while reading measurements");
        } else if (header.count == 0 || row.count == 1) { /* the log's lines, and blank ones */
            note_trouble(file, row.fields[0]);
            bool begun = header.count > 0 && row.fields[0][0] && (row.cut || !lines_complete(from));
            build_info(file->job->out)->dropped += begun;
            build_info(file->job->out)->ended_early |= begun;
        } else {
            result = take_csv(file, &header, &row, !lines_complete(from));
        }
    }
    return result;
}

static int read_csv(profile_job *job) {
    llama_file file = {.job = job};
    lines *from = lines_of(job->in, job->error);
    int result = from ? csv_rows(&file, from) : -1;
    lines_free(from);
    return llama_finish(&file, result);
}

static int recognise_csv(const char *head, size_t length) {
    (void)length;
    return record_header_line(head, ',', csv_columns, CSV_NEEDED) >= 0 ? 90 : 0;
}

/* ---- JSON, JSON lines ---- */

static int take_object(llama_file *file, const char *text, size_t length, long line, roof_error *first) {
    roof_error error = {0};
    record row;
    json_node *root = json_read(text, length, &error);
    if (!root) {
        if (error.code == ROOF_ENOMEM || error.code == ROOF_EUNSUPPORTED) {
            if (file->job->error)
                *file->job->error = error;
            return -1;
        }
        build_info(file->job->out)->dropped++;
        error.line = line + (error.line > 0 ? error.line - 1 : 0);
        if (!first->what[0])
            *first = error;
        return 0;
    }
    record_begin(&row, file->job, line);
    record_json(&row, root);
    int result = take(file, &row);
    json_free(root);
    return result;
}

static int json_rows(llama_file *file, objects *from) {
    roof_error first = {0};
    size_t length;
    bool failed;
    const char *text;
    while ((text = objects_next(from, &length, &failed)) != NULL)
        if (take_object(file, text, length, objects_line(from), &first))
            return -1;
    if (failed)
        return -1;
    roof_profile_info *info = build_info(file->job->out);
    info->ended_early |= objects_cut(from);
    if (file->count > 0 || !first.what[0])
        return 0;
    if (file->job->error)
        *file->job->error = first;
    return -1;
}

static int read_json(profile_job *job) {
    llama_file file = {.job = job};
    objects *from = objects_of(job->in, job->error);
    int result = from ? json_rows(&file, from) : -1;
    objects_free(from);
    return llama_finish(&file, result);
}

/* Is it there as a key, and not as a column's name in quotes? */
static bool has_key(const char *head, const char *key) {
    for (const char *at = head; (at = strstr(at, key)) != NULL;) {
        at += strlen(key);
        if (at[strspn(at, " ")] == ':')
            return true;
    }
    return false;
}

static int recognise_json(const char *head, size_t length) {
    (void)length;
    return has_key(head, "\"n_gen\"") && (has_key(head, "\"avg_ts\"") || has_key(head, "\"avg_ns\"")) ? 95 : 0;
}

/* ---- SQL ---- */

/* Fields of "(a, 'b', c)" from behind the bracket, split in place; the closing one, or NULL. */
static char *sql_list(char *at, csv_row *row) {
    row->count = 0;
    for (;;) {
        at += strspn(at, " \t");
        bool quoted = *at == '\'';
        char *start = at += quoted, *to = at;
        while (*at && (quoted ? *at != '\'' || at[1] == '\'' : *at != ',' && *at != ')')) {
            at += quoted && *at == '\''; /* a doubled quote is one */
            *to++ = *at++;
        }
        if (*at == '\0' || row->count == RECORD_FIELDS)
            return NULL;
        at += quoted;
        at += strspn(at, " \t");
        char end = *at;
        *to = '\0';
        row->fields[row->count++] = start;
        if (end == ')')
            return at;
        if (end != ',')
            return NULL;
        at++;
    }
}

static int sql_line(llama_file *file, char *line, long number, bool last) {
    csv_row names, values;
    char *at = strchr(line, '('), *end = at ? sql_list(at + 1, &names) : NULL;
    at = end ? strstr(end + 1, "VALUES") : NULL;
    at = at ? strchr(at, '(') : NULL;
    end = at ? sql_list(at + 1, &values) : NULL;
    if (!end || end[1] != ';' || names.count != values.count) {
        build_info(file->job->out)->dropped++;
        build_info(file->job->out)->ended_early |= last;
        return 0;
    }
    record row;
    record_begin(&row, file->job, number);
    record_row(&row, &names, &values);
    return take(file, &row);
}

static int read_sql(profile_job *job) {
    llama_file file = {.job = job};
    lines *from = lines_of(job->in, job->error);
    size_t length;
    char *line;
    int result = from ? 0 : -1;
    while (result == 0 && (line = lines_next(from, &length)) != NULL) {
        if (strncmp(line, "INSERT INTO", 11) == 0)
            result = sql_line(&file, line, lines_number(from), !lines_complete(from));
        else
            note_trouble(&file, line);
    }
    lines_free(from);
    return llama_finish(&file, result);
}

static int recognise_sql(const char *head, size_t length) {
    (void)length;
    bool statements = strstr(head, "CREATE TABLE") || strstr(head, "INSERT INTO");
    return statements && strstr(head, "n_gen") && strstr(head, "avg_ts") ? 95 : 0;
}

/* ---- readers ---- */

#define GIVES "runs of a model: prefill and decode rates, size, device, depth of the cache"

const profile_reader reader_llama_markdown = {
    .format = {"llama-bench", "llama-bench table (Markdown, with its log)", "llama-bench -m model.gguf > bench.md",
               GIVES},
    .recognise = recognise_markdown,
    .read = read_markdown,
};
const profile_reader reader_llama_csv = {
    .format = {"llama-bench-csv", "llama-bench CSV", "llama-bench -m model.gguf -o csv > bench.csv", GIVES},
    .recognise = recognise_csv,
    .read = read_csv,
};
const profile_reader reader_llama_json = {
    .format = {"llama-bench-json", "llama-bench JSON or JSON lines", "llama-bench -m model.gguf -o jsonl > bench.jsonl",
               GIVES},
    .recognise = recognise_json,
    .read = read_json,
};
const profile_reader reader_llama_sql = {
    .format = {"llama-bench-sql", "llama-bench SQL", "llama-bench -m model.gguf -o sql > bench.sql", GIVES},
    .recognise = recognise_sql,
    .read = read_sql,
};
