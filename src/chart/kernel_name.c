/* Kernel names that fit: what compilers add goes first, then namespaces, then the middle. */
#include "chart/kernel_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "chart/columns.h"

enum { PLAIN = 1024 };

static int columns_of(const char *text) {
    return (int)chart_columns(text, strlen(text));
}

/* The end of a bracketed part that begins at `at`, or NULL when it never closes. */
static const char *past(const char *at, char open, char close) {
    int depth = 0;
    for (; *at; at++) {
        depth += *at == open;
        depth -= *at == close;
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

static bool after_operator(const char *start, const char *at) {
    static const char word[] = "operator";
    size_t length = sizeof word - 1;
    return (size_t)(at - start) >= length && strncmp(at - length, word, length) == 0;
}

/* Without "void " in front, template arguments, parameters and the unnamed namespace (some tools lose its '<'). */
static void strip_arguments(const char *from, char to[PLAIN]) {
    static const char *const unnamed[] = {"(anonymous namespace)::", "<unnamed>::", "unnamed>::"};
    const char *start = from;
    size_t used = 0;
    if (strncmp(from, "void ", 5) == 0)
        from += 5;
    while (*from && used + 1 < PLAIN) {
        bool opens = (*from == '<' || *from == '(') && !after_operator(start, from);
        const char *end = opens ? past(from, *from, *from == '<' ? '>' : ')') : NULL;
        for (size_t i = 0; i < sizeof unnamed / sizeof *unnamed; i++)
            if (strncmp(from, unnamed[i], strlen(unnamed[i])) == 0)
                end = from + strlen(unnamed[i]);
        if (end)
            from = end;
        else
            to[used++] = *from++;
    }
    while (used > 0 && to[used - 1] == ' ')
        used--;
    to[used] = '\0';
}

/* Behind the last "::" that has a name behind it; an operator keeps its class. */
static const char *last_name(const char *name) {
    const char *last = name, *before = name;
    for (const char *at = strstr(name, "::"); at; at = strstr(at + 2, "::"))
        if (at[2]) {
            before = last;
            last = at + 2;
        }
    return strncmp(last, "operator", 8) == 0 ? before : last;
}

/* "flash_fwd_sp..kernel": a little more of the start than of the end. */
static void cut_middle(const char *name, int width, char *buffer, size_t size) {
    int all = columns_of(name), right = (width - 2) * 2 / 5, left = width - 2 - right;
    if (all <= width || width < 8) {
        snprintf(buffer, size, "%.*s", (int)chart_columns_cut(name, (size_t)width), name);
        return;
    }
    const char *end = name + chart_columns_cut(name, (size_t)(all - right));
    if (columns_of(end) > right) /* a wide character stands across */
        end = name + chart_columns_cut(name, (size_t)(all - right + 1));
    snprintf(buffer, size, "%.*s..%s", (int)chart_columns_cut(name, (size_t)left), name, end);
}

const char *chart_kernel_name(const char *name, int width, char *buffer, size_t size) {
    char plain[PLAIN];
    const char *shown = name;
    if (columns_of(name) > width) {
        strip_arguments(name, plain);
        shown = plain[0] ? plain : name;
    }
    if (columns_of(shown) > width)
        shown = last_name(shown);
    cut_middle(shown, width, buffer, size);
    return buffer;
}
