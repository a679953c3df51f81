/* A pull parser for JSON. */
#include "json/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, NUMBER_MAX = 64 };

void scan_begin(scan *j, source *s, uint64_t from, uint64_t to, const char *what, roof_error *error) {
    *j = (scan){.s = s, .at = from, .end = to, .what = what, .error = error};
}

int scan_fail(scan *j, const char *format, ...) {
    char what[200];
    va_list arguments;
    if (j->failed)
        return -1;
    j->failed = true;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (j->s->failure)
        return roof_fail(j->error, ROOF_EIO, "cannot read the %s: %s", j->what, strerror(j->s->failure));
    roof_fail(j->error, ROOF_EFORMAT, "%s, byte %llu: %s", j->what, (unsigned long long)j->at, what);
    if (j->error)
        j->error->offset = (long)j->at;
    return -1;
}

/* The next byte, not taken; -1 at the end. */
static int look(scan *j) {
    if (j->at >= j->end || j->failed)
        return -1;
    if (j->left == 0) {
        j->piece = source_peek(j->s, j->at, &j->left);
        if (!j->piece) {
            j->left = 0;
            return -1;
        }
    }
    return *j->piece;
}

static void step(scan *j) {
    j->at++;
    j->piece++;
    j->left--;
}

int scan_peek(scan *j) {
    int c;
    while ((c = look(j)) == ' ' || c == '\n' || c == '\t' || c == '\r')
        step(j);
    return c;
}

bool scan_take(scan *j, char c) {
    if (scan_peek(j) != (unsigned char)c)
        return false;
    step(j);
    return true;
}

int scan_need(scan *j, char c) {
    if (scan_take(j, c))
        return 0;
    return look(j) < 0 ? scan_fail(j, "the text ends where '%c' should be", c) : scan_fail(j, "'%c' is missing", c);
}

static int hex_digits(scan *j) {
    for (int i = 0; i < 4; i++) {
        int c = look(j);
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
            return scan_fail(j, "\\u needs four hexadecimal digits");
        step(j);
    }
    return 0;
}

/* What a backslash makes of the next character; 0 with the error filled when it is none. */
static int escaped(scan *j) {
    static const char from[] = "\"\\/bfnrtu", to[] = "\"\\/?????";
    int c = look(j);
    const char *at = c > 0 ? strchr(from, c) : NULL;
    if (!at) {
        scan_fail(j, "no such escape in a string");
        return 0;
    }
    step(j);
    if (c == 'u')
        return hex_digits(j) == 0 ? '?' : 0;
    return to[at - from];
}

/* Characters up to the next that ends or escapes something, straight from the piece at hand. */
static void take_run(scan *j, char *text, size_t size, size_t *n) {
    size_t i = 0;
    for (; i < j->left && j->at + i < j->end; i++) {
        unsigned char c = j->piece[i];
        if (c == '"' || c == '\\' || c < ' ')
            break;
        if (*n + 1 < size)
            text[(*n)++] = c > '~' ? '?' : (char)c;
    }
    j->at += i;
    j->piece += i;
    j->left -= i;
}

int scan_text(scan *j, char *text, size_t size) {
    size_t n = 0;
    if (scan_need(j, '"') != 0)
        return -1;
    for (int c; (c = look(j)) != '"';) {
        if (c < 0)
            return scan_fail(j, "a string does not end");
        if (c < ' ')
            return scan_fail(j, "a control character in a string");
        if (c != '\\') {
            take_run(j, text, size, &n);
            continue;
        }
        step(j);
        if ((c = escaped(j)) == 0)
            return -1;
        if (n + 1 < size)
            text[n++] = (char)c;
    }
    step(j);
    if (size > 0)
        text[n] = '\0';
    return 0;
}

int scan_number(scan *j, double *out) {
    char text[NUMBER_MAX];
    size_t n = 0;
    char *end;
    scan_peek(j);
    for (int c; (c = look(j)) > 0 && strchr("+-.0123456789eE", c) && n + 1 < sizeof text; step(j))
        text[n++] = (char)c;
    text[n] = '\0';
    *out =
        strtod(text, &end); /* the point is a point: the library never sets a locale, and headers hold whole numbers */
    return n > 0 && *end == '\0' ? 0 : scan_fail(j, "no number");
}

int scan_whole(scan *j, uint64_t *out) {
    int c = scan_peek(j);
    *out = 0;
    if (c < '0' || c > '9')
        return scan_fail(j, "no whole number");
    for (; (c = look(j)) >= '0' && c <= '9'; step(j)) {
        if (*out > (UINT64_MAX - 9) / 10)
            return scan_fail(j, "a number above 2^64");
        *out = *out * 10 + (uint64_t)(c - '0');
    }
    return c == '.' || c == 'e' || c == 'E' ? scan_fail(j, "no whole number") : 0;
}

static int skip_word(scan *j) {
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        if (look(j) != words[i][0])
            continue;
        for (const char *w = words[i]; *w; w++, step(j))
            if (look(j) != *w)
                return scan_fail(j, "no value");
        return 0;
    }
    return scan_fail(j, look(j) < 0 ? "the text ends where a value should be" : "no value");
}

static int skip_scalar(scan *j) {
    double number;
    int c = scan_peek(j);
    if (c == '"')
        return scan_text(j, NULL, 0);
    return c == '-' || (c >= '0' && c <= '9') ? scan_number(j, &number) : skip_word(j);
}

/* One level at a time, so that depth costs no stack: `closers` remembers what each level ends with. */
int scan_skip(scan *j) {
    char closers[DEPTH_MAX];
    bool first = false;
    for (int depth = 0;;) {
        int c = scan_peek(j);
        if (depth > 0 && first && c == closers[depth - 1]) {
            step(j);
            depth--;
        } else {
            if (depth > 0 && closers[depth - 1] == '}' && (scan_text(j, NULL, 0) != 0 || scan_need(j, ':') != 0))
                return -1;
            c = scan_peek(j);
            if (c == '{' || c == '[') {
                if (depth == DEPTH_MAX)
                    return scan_fail(j, "values nest deeper than %d levels", DEPTH_MAX);
                closers[depth++] = c == '{' ? '}' : ']';
                step(j);
                first = true;
                continue;
            }
            if (skip_scalar(j) != 0)
                return -1;
        }
        while (depth > 0 && scan_peek(j) == closers[depth - 1]) {
            step(j);
            depth--;
        }
        if (depth == 0)
            return 0;
        if (scan_need(j, ',') != 0)
            return -1;
        first = false;
    }
}

int scan_member(scan *j, bool *first, char *key, size_t size) {
    if (scan_take(j, '}'))
        return 0;
    if (!*first && scan_need(j, ',') != 0)
        return -1;
    *first = false;
    return scan_text(j, key, size) != 0 || scan_need(j, ':') != 0 ? -1 : 1;
}

int scan_element(scan *j, bool *first) {
    if (scan_take(j, ']'))
        return 0;
    if (!*first && scan_need(j, ',') != 0)
        return -1;
    *first = false;
    return 1;
}
