/* DTYPE, then "-gN" or "-RxC", then "-z". */
#include "cli/out/weight_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A count of at most 9 digits right after `prefix`; the place after it, or NULL. */
static const char *count_after(const char *at, const char *prefix, double *out) {
    size_t length = strlen(prefix), digits = strncmp(at, prefix, length) == 0 ? strspn(at + length, "0123456789") : 0;
    if (digits == 0 || digits > 9 || at[length] == '0')
        return NULL;
    *out = (double)strtol(at + length, NULL, 10);
    return at + length + digits;
}

/* Group scales are 16 bits (GPTQ, AWQ), block scales 32 (DeepSeek's fp8); a zero point is as wide as the element. */
static const char *read_blocks(const char *at, roof_format *out) {
    double first, second;
    const char *end = count_after(at, "-g", &first);
    if (end) {
        out->block_rows = 1;
        out->block_cols = first;
        out->scale_bits = 16;
        return end;
    }
    end = count_after(at, "-", &first);
    const char *last = end ? count_after(end, "x", &second) : NULL;
    if (!last)
        return at;
    out->block_rows = first;
    out->block_cols = second;
    out->scale_bits = 32;
    return last;
}

int format_parse(const char *text, roof_format *out, roof_error *error) {
    char name[32];
    for (size_t length = strlen(text); length > 0; length--) { /* the longest dtype that opens the text */
        if (length >= sizeof name || text[length - 1] == '-' || (text[length] != '\0' && text[length] != '-'))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        roof_dtype dtype = roof_dtype_parse(name);
        if (dtype == ROOF_DTYPE_NONE)
            continue;
        *out = roof_format_plain(dtype);
        out->name = text;
        const char *rest = read_blocks(text + length, out);
        if (strcmp(rest, "-z") == 0 && out->scale_bits > 0) {
            out->zero_bits = out->bits;
            rest += 2;
        }
        if (!*rest)
            return 0;
    }
    roof_fail(error, ROOF_EARGUMENT, "--weights '%.60s' is not a weight format", text);
    roof_hint(error, "write it like bf16, fp8, int8, int4, int4-g128, int4-g128-z or fp8-128x128");
    return -1;
}
