/* Named figures: looked up by name, read with care for decimal commas. */
#include "read/profile/runs/record.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/profile/figures.h"

void record_begin(record *to, const profile_job *job, long line) {
    to->count = 0;
    to->line = line;
    to->decimal = job->options.decimal;
    to->error = job->error;
    to->refused = false;
}

static void add(record *to, struct record_field field) {
    if (to->count < RECORD_FIELDS)
        to->fields[to->count++] = field;
}

void record_text(record *to, const char *key, const char *text) {
    add(to, (struct record_field){.key = key, .text = text});
}

void record_figure(record *to, const char *key, double number) {
    add(to, (struct record_field){.key = key, .number = number});
}

void record_json(record *to, const json_node *object) {
    const char *key;
    const json_node *value = NULL;
    while (json_next_member(object, &value, &key)) {
        json_kind kind = json_kind_of(value);
        if (kind == JSON_NODE_TEXT)
            record_text(to, key, json_text(value));
        else if (kind == JSON_NODE_NUMBER)
            record_figure(to, key, json_number(value, 0));
        else if (kind == JSON_NODE_BOOL)
            record_figure(to, key, json_bool(value, false));
    }
}

void record_row(record *to, const csv_row *header, const csv_row *row) {
    for (size_t i = 0; i < header->count && i < row->count; i++)
        record_text(to, header->fields[i], row->fields[i]);
}

static bool is_filler(char c) {
    return c == ' ' || c == '_';
}

static bool same_name(const char *a, const char *b, size_t length) {
    size_t i = 0;
    for (;; a++, i++) {
        while (is_filler(*a))
            a++;
        while (i < length && is_filler(b[i]))
            i++;
        if (*a == '\0' || i == length)
            return *a == '\0' && i == length;
        if (tolower((unsigned char)*a) != tolower((unsigned char)b[i]))
            return false;
    }
}

int record_find(const record *from, const char *names) {
    for (const char *name = names; *name;) {
        size_t length = strcspn(name, "|");
        for (size_t i = 0; i < from->count; i++)
            if (same_name(from->fields[i].key, name, length))
                return (int)i;
        name += length + (name[length] == '|');
    }
    return -1;
}

const char *record_word(const record *from, const char *names) {
    int at = record_find(from, names);
    const char *text = at < 0 ? NULL : from->fields[at].text;
    return text && text[0] ? text : NULL;
}

static double refuse_figure(record *from, const char *key, const char *text, const char *why, const char *hint) {
    if (!from->refused) {
        roof_fail(from->error, ROOF_EFORMAT, "%.40s '%.40s'%s", key, text, why);
        roof_hint(from->error, "%s", hint);
        roof_suggest(from->error, ROOF_REMEDY_DECIMAL, "");
        if (from->error)
            from->error->line = from->line;
    }
    from->refused = true;
    return (double)NAN;
}

double record_parse(record *from, const char *key, const char *text) {
    figure_style style = {0};
    double value;
    figure_observe(&style, text);
    bool comma = style.comma_decimal || (style.ambiguous && style.sign == ',');
    if (comma && !from->decimal)
        return refuse_figure(from, key, text, ": is the comma a decimal mark?",
                             "say which sign is the decimal mark (where it is the point, a comma groups thousands)");
    if (figure_misgrouped(from->decimal, text))
        return refuse_figure(from, key, text, " is not a number: its digits are not in groups of three",
                             "write it without signs between its digits, or say which one is the decimal mark");
    return figure_read(from->decimal, text, &value) == FIGURE_NUMBER ? value : (double)NAN;
}

double record_number(record *from, const char *names) {
    int at = record_find(from, names);
    if (at < 0)
        return (double)NAN;
    const struct record_field *field = &from->fields[at];
    return field->text ? record_parse(from, field->key, field->text) : field->number;
}

double record_positive(record *from, const char *names) {
    double value = record_number(from, names);
    return value > 0 && isfinite(value) ? value : 0;
}

void record_clean(roof_model_run *run) {
    double *const figures[] = {&run->parameters,  &run->model_bytes, &run->prompt,     &run->generate,
                               &run->depth,       &run->concurrency, &run->tensor,     &run->prefill_rate,
                               &run->decode_rate, &run->output_rate, &run->total_rate, &run->ttft,
                               &run->tpot,        &run->seconds,     &run->spread};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (!(*figures[i] >= 0 && *figures[i] <= 1e18))
            *figures[i] = 0;
}

/* ---- headers ---- */

int record_header(builder *to, const csv_row *row, csv_row *header) {
    header->count = row->count < RECORD_FIELDS ? row->count : RECORD_FIELDS;
    header->line = row->line;
    header->cut = row->cut;
    for (size_t i = 0; i < header->count; i++) {
        header->fields[i] = (char *)build_text(to, row->fields[i]);
        if (!header->fields[i])
            return -1;
    }
    return 0;
}

long record_header_line(const char *head, char separator, const char *const *columns, size_t count) {
    enum { HEADER_MAX = 8192 };
    char line[HEADER_MAX];
    csv_row row;
    for (const char *at = head; *at;) {
        size_t length = strcspn(at, "\n"), found = 0;
        size_t mark = at == head && strncmp(at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        bool json = at[strspn(at, " \t")] == '{'; /* its keys are no columns */
        if (length < HEADER_MAX && !json && memchr(at, separator, length)) {
            memcpy(line, at + mark, length - mark);
            line[length - mark] = '\0';
            line[strcspn(line, "\r")] = '\0';
            csv_split(line, separator, &row);
            while (found < count && csv_column(&row, columns[found]) >= 0)
                found++;
            if (found == count)
                return at - head;
        }
        at += length + (at[length] == '\n');
    }
    return -1;
}
