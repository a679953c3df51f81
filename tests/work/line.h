/* "gemm m=8 n=14336 k=4096 dtype=bf16" to an operation, as a user writes it. */
#ifndef ROOFLINE_TESTS_WORK_LINE_H
#define ROOFLINE_TESTS_WORK_LINE_H

#include <stdlib.h>

#include "test.h"

static inline int build_line(const char *line, roof_operation *out, roof_error *error) {
    static char text[512]; /* the words stay until the next call */
    roof_argument arguments[40];
    size_t count = 0;
    roof_kind kind;
    snprintf(text, sizeof text, "%s", line);
    char *word = strtok(text, " ");
    if (!word)
        return roof_fail(error, ROOF_EFORMAT, "empty line");
    if (roof_kind_find(word, &kind, error))
        return -1;
    for (word = strtok(NULL, " "); word; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        if (!equals || count == 40)
            return roof_fail(error, ROOF_EFORMAT, "'%s' is not name=value", word);
        *equals = '\0';
        arguments[count++] = (roof_argument){word, strtod(equals + 1, NULL), roof_dtype_parse(equals + 1)};
    }
    return roof_operation_build(kind, arguments, count, out, error);
}

/* The same for lines that must build. */
static inline roof_operation operation_of(const char *line) {
    roof_operation operation;
    roof_error error = {0};
    if (build_line(line, &operation, &error))
        fail_msg("%s: %s", line, error.what);
    return operation;
}

static inline double dram_bytes(const roof_operation *operation) {
    return operation->bytes[ROOF_DRAM];
}

#endif
