/* Tables of a document that the code owns: the document keeps each between two marks, and a test holds it to what the
 * code prints (run the test program with --update to rewrite the document):
 *
 *     <!-- table: intervals -->
 *     ... printed ...
 *     <!-- end -->
 */
#ifndef ROOFLINE_TESTS_DOCUMENT_H
#define ROOFLINE_TESTS_DOCUMENT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct document_table {
    const char *name;
    void (*print)(FILE *out);
} document_table;

static inline char *document_read(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        size_t size = (size_t)ftell(file);
        rewind(file);
        text = calloc(size + 1, 1);
        if (text && fread(text, 1, size, file) != size)
            text[0] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

/* The table whose opening mark `line` is; NULL: it is none. */
static inline const document_table *document_mark(const char *line, const document_table *tables, size_t count) {
    char mark[80];
    for (size_t i = 0; i < count; i++) {
        snprintf(mark, sizeof mark, "<!-- table: %s -->\n", tables[i].name);
        if (strncmp(line, mark, strlen(mark)) == 0)
            return &tables[i];
    }
    return NULL;
}

/* `text` with every table printed anew, to `out`; returns how many tables there were. */
static inline size_t document_print(const char *text, const document_table *tables, size_t count, FILE *out) {
    size_t found = 0;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        const document_table *table = document_mark(line, tables, count);
        fprintf(out, "%.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
        if (!table)
            continue;
        const char *end = strstr(line, "<!-- end -->");
        table->print(out);
        line = end ? end : line + strlen(line);
        found++;
    }
    return found;
}

/* 0: the document has every table, and as it is printed (after an update: now). 1: not, and stderr says where. */
static inline int document_check(const char *path, const document_table *tables, size_t count, bool update) {
    char *text = document_read(path), *made = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&made, &size);
    if (!text || !out)
        return fprintf(stderr, "%s: cannot be read\n", path), 1;
    size_t found = document_print(text, tables, count, out);
    fclose(out);
    bool same = strcmp(text, made) == 0;
    if (!same && update) {
        FILE *file = fopen(path, "wb");
        same = file && fwrite(made, 1, size, file) == size;
        if (file)
            fclose(file);
    }
    size_t at = 0, line = 1;
    while (!same && text[at] && text[at] == made[at])
        line += text[at++] == '\n';
    if (!same)
        fprintf(stderr,
                "%s:%zu: not what the code has; run this test with --update\n  document: %.60s\n  code:     %.60s\n",
                path, line, text + at, made + at);
    if (found != count)
        fprintf(stderr, "%s: %zu tables of %zu\n", path, found, count);
    free(text);
    free(made);
    return same && found == count ? 0 : 1;
}

#endif
