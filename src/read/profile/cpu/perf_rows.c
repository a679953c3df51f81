/* Rows of 'perf stat': text, -x and -j. The columns before the count (time of -I, CPU or socket of -A, number of CPUs)
 * are told by what follows them: a number, a unit or nothing, and the name of an event. */
#include "read/profile/cpu/perf.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "read/profile/figures.h"
#include "read/profile/lines.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { TOKENS_MAX = 12, PREFIX_MAX = 4, EVENT_LENGTH = 300 };

static bool is_number(const char *text) {
    size_t digits = strspn(text, "0123456789., '\xC2\xA0\xE2\x80\xAF\x89\x99");
    return isdigit((unsigned char)*text) && (text[digits] == '\0' || (strchr("eE", text[digits]) && text[digits + 1]));
}

static bool is_mark(const char *text) {
    return strcasecmp(text, "<not counted>") == 0 || strcasecmp(text, "<not supported>") == 0;
}

static bool is_unit(const char *text) {
    static const char *const units[] = {"msec", "ns",   "MiB", "KiB", "GiB", "MB",    "KB",     "GB",
                                        "B",    "Byte", "C",   "W",   "sec", "Bytes", "Joules", "kHz"};
    for (size_t i = 0; i < LENGTH(units); i++)
        if (strcasecmp(text, units[i]) == 0)
            return true;
    return false;
}

/* "cycles", "cpu_core/instructions/u", "{a,b}". "GB/s" is none: the slashes of a unit's event come in pairs. */
static bool is_event(const char *text) {
    size_t length = strlen(text);
    const char *slash = strchr(text, '/');
    if (slash && slash == strrchr(text, '/'))
        return false;
    return length > 1 && length < EVENT_LENGTH && (isalpha((unsigned char)*text) || *text == '{') &&
           !strpbrk(text, " \t%()\"");
}

double perf_bytes(const char *unit) {
    size_t length = strlen(unit);
    bool bytes = length > 0 && (unit[length - 1] == 'B' || strncasecmp(unit, "byte", 4) == 0);
    return bytes && unit_factor(unit) > 0 ? unit_factor(unit) : 0;
}

/* A column before the count: a time, "CPU3", "S0-D0-C0", a number of CPUs, "program-1234". */
static bool is_prefix(const char *text) {
    if (is_number(text))
        return true;
    size_t letters = strcspn(text, "0123456789");
    return strchr(text, '-') ? !strchr(text, ' ') : letters > 0 && letters <= 4 && text[letters];
}

static bool is_time(const char *text) {
    const char *mark = strpbrk(text, ".,");
    return is_number(text) && mark && strlen(mark) > 3;
}

/* ---- text ---- */

static char *trim(char *text) {
    text += strspn(text, " \t");
    for (size_t n = strlen(text); n > 0 && strchr(" \t", text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

/* Take "(54.18%)" off the end, and "( +-  0.05% )" of repeated runs. */
static const char *take_percent(char *line) {
    const char *found = NULL;
    for (;;) {
        char *text = trim(line), *open = strrchr(text, '(');
        size_t length = strlen(text);
        if (!open || length < 2 || text[length - 1] != ')' || !strchr(open, '%'))
            return found;
        *strchr(open, '%') = '\0';
        char *inside = trim(open + 1);
        if (strncmp(inside, "+-", 2) != 0 && is_number(inside))
            found = inside;
        *open = '\0';
    }
}

static void take_metric(char *line, perf_row *out) {
    char *mark = strstr(line, " # "), *tab = strstr(line, "\t# ");
    mark = mark && tab ? (mark < tab ? mark : tab) : mark ? mark : tab;
    if (!mark)
        return;
    *mark = '\0';
    char *text = trim(mark + 3);
    size_t length = strcspn(text, " \t");
    if (text[length] == '\0')
        return;
    text[length] = '\0';
    out->metric = text;
    out->metric_unit = trim(text + length + 1);
}

/* Where a word of a number ends: a locale may group its digits with single blanks, and columns are further apart. */
static size_t number_length(const char *at) {
    size_t length = strcspn(at, " \t");
    while (strspn(at, "0123456789 ") >= length && at[length] == ' ' && isdigit((unsigned char)at[length + 1]))
        length += 1 + strcspn(at + length + 1, " \t");
    return length;
}

static size_t split_words(char *line, char *words[TOKENS_MAX]) {
    size_t count = 0;
    for (char *at = line; count < TOKENS_MAX;) {
        at += strspn(at, " \t");
        if (!*at)
            break;
        words[count++] = at;
        at += *at == '<' && strchr(at, '>') ? strcspn(at, ">") + 1 : number_length(at);
        if (*at)
            *at++ = '\0';
    }
    return count;
}

bool perf_text_row(char *line, perf_row *out) {
    char *words[TOKENS_MAX];
    *out = (perf_row){0};
    out->running = take_percent(line);
    take_metric(line, out);
    size_t count = split_words(line, words), at = 0;
    while (at < count && at < PREFIX_MAX) {
        size_t left = count - at - 1;
        if ((is_number(words[at]) || is_mark(words[at])) &&
            ((left == 1 && is_event(words[at + 1])) ||
             (left == 2 && is_unit(words[at + 1]) && is_event(words[at + 2])))) {
            out->value = words[at];
            out->unit = left == 2 ? words[at + 1] : "";
            out->event = words[count - 1];
            out->time = at > 0 && is_time(words[0]) ? words[0] : NULL;
            out->part = at > (out->time ? 1 : 0);
            return true;
        }
        if (!is_prefix(words[at++]))
            return false;
    }
    return false;
}

/* ---- -x ---- */

static void take_rest(const csv_row *fields, size_t at, perf_row *out) {
    const char *numbers[2] = {0};
    size_t found = 0;
    for (; at < fields->count && found < 2; at++) {
        const char *text = fields->fields[at];
        size_t length = strlen(text);
        if (length > 0 && text[length - 1] == '%') /* the spread of repeated runs */
            continue;
        if (!is_number(text))
            return;
        numbers[found++] = text;
    }
    out->runtime = numbers[0];
    out->running = numbers[1];
    if (at + 1 < fields->count && strchr(fields->fields[at], '%') && !fields->fields[at + 1][0])
        at++;
    if (at + 1 < fields->count && is_number(fields->fields[at])) {
        out->metric = fields->fields[at];
        out->metric_unit = fields->fields[at + 1];
    }
}

bool perf_csv_row(char *line, char separator, perf_row *out) {
    csv_row fields;
    *out = (perf_row){0};
    csv_split(line, separator, &fields);
    for (size_t at = 0; at <= PREFIX_MAX && at + 2 < fields.count; at++) {
        const char *value = fields.fields[at], *unit = fields.fields[at + 1], *event = fields.fields[at + 2];
        if ((is_number(value) || is_mark(value) || (!*value && at <= 2)) && (!*unit || is_unit(unit)) &&
            is_event(event)) {
            out->value = value;
            out->unit = unit;
            out->event = event;
            out->time = at > 0 && is_time(fields.fields[0]) ? fields.fields[0] : NULL;
            out->part = at > (out->time ? 1 : 0);
            take_rest(&fields, at + 3, out);
            return true;
        }
        if (!is_prefix(value))
            return false;
    }
    return false;
}

/* How many lines are rows with a count, a run time and a share of the time. */
static int rows_of(const char *head, char separator) {
    char line[1024];
    perf_row row;
    int rows = 0;
    for (int seen = 0; *head && seen < 200; seen++) {
        size_t whole = strcspn(head, "\n"), length = whole < sizeof line - 1 ? whole : sizeof line - 1;
        memcpy(line, head, length);
        line[length] = '\0';
        head += whole + (head[whole] == '\n');
        rows += memchr(line, separator, length) && perf_csv_row(line, separator, &row) && row.running;
    }
    return rows;
}

char perf_separator(const char *head, int *rows) {
    static const char separators[] = {',', ';', '\t', '|', ':', '@', '!', '~', '^', '&'};
    char best = 0;
    *rows = 0;
    for (size_t i = 0; i < sizeof separators; i++) {
        int found = rows_of(head, separators[i]);
        if (found > *rows) {
            *rows = found;
            best = separators[i];
        }
    }
    return best;
}

/* ---- -j ---- */

/* A text in quotes or a bare word, taken in place; where it went on, or NULL. */
static char *take_value(char *at, const char **value) {
    at += strspn(at, " \t");
    if (*at == '"') {
        *value = ++at;
        while (*at && *at != '"')
            at += 1 + (*at == '\\' && at[1]);
        if (!*at)
            return NULL;
        *at++ = '\0';
        return at;
    }
    *value = at;
    at += strcspn(at, ",} \t");
    return *at && at > *value && **value != '{' ? at : NULL;
}

static void put_member(const char *key, const char *value, perf_row *out) {
    const struct {
        const char *key;
        const char **to;
    } members[] = {{"counter-value", &out->value},     {"unit", &out->unit},           {"event", &out->event},
                   {"event-runtime", &out->runtime},   {"interval", &out->time},       {"metric-value", &out->metric},
                   {"metric-unit", &out->metric_unit}, {"pcnt-running", &out->running}};
    for (size_t i = 0; i < LENGTH(members); i++)
        if (strcmp(members[i].key, key) == 0)
            *members[i].to = value;
    static const char *const places[] = {"cpu", "core", "die", "cluster", "socket", "node", "thread", "cgroup"};
    for (size_t i = 0; i < LENGTH(places); i++)
        out->part |= strcmp(places[i], key) == 0;
}

/* Members of one flat object. A comma before the closing brace, as some versions of perf write, is let through. */
static bool take_members(char *at, perf_row *out) {
    char *pending = NULL; /* where a bare word ends */
    for (;;) {
        const char *key, *value;
        at += strspn(at, " \t");
        char mark = *at;
        if (pending)
            *pending = '\0';
        if (mark == '}')
            return true;
        at += mark == ',';
        at += strspn(at, " \t");
        if (*at == '}')
            return true;
        if (*at != '"' || !(at = take_value(at, &key)))
            return false;
        at += strspn(at, " \t");
        if (*at != ':' || !(at = take_value(at + 1, &value)))
            return false;
        pending = at;
        if (value[-1] == '"')
            pending = NULL;
        put_member(key, value, out);
    }
}

bool perf_json_row(char *line, perf_row *out, bool *broken) {
    *out = (perf_row){0};
    *broken = false;
    line += strspn(line, " \t");
    if (*line != '{')
        return false;
    bool ours = strstr(line, "\"counter-value\"") || strstr(line, "\"metric-value\"") || strstr(line, "\"event\"");
    if (!take_members(line + 1, out)) {
        *broken = ours;
        return false;
    }
    if (!out->value || !out->event || !out->event[0])
        return false;
    if (!out->unit || strcmp(out->unit, "(null)") == 0)
        out->unit = "";
    return true;
}

/* A bare number behind a colon whose comma a digit follows: between members a quote would. */
bool perf_json_comma(const char *line) {
    for (const char *at = line; (at = strchr(at, ':')); at++) {
        const char *number = at + 1 + strspn(at + 1, " \t");
        const char *before = at;
        while (before > line && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        size_t digits = before > line && before[-1] == '"' ? strspn(number, "0123456789") : 0;
        if (digits > 0 && number[digits] == ',' && isdigit((unsigned char)number[digits + 1]))
            return true;
    }
    return false;
}
