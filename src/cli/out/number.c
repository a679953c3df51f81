/* Numbers as people type them. Reading is strict: the whole text must be one finite number of the right kind. */
#include "cli/out/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct unit_row {
    quantity kind;
    const char *names; /* spellings, each between spaces; a lone "-" is the bare number */
    double factor;
    bool small; /* takes m, u, n ... (and only those) instead of k, M, G ... */
} unit_row;

static const unit_row units[] = {
    {QUANTITY_COUNT, " - FLOP FLOPs ", 1, false},    {QUANTITY_BYTES, " - B ", 1, false},
    {QUANTITY_BANDWIDTH, " - B/s Bps B ", 1, false}, {QUANTITY_RATE, " - FLOP/s FLOPS FLOPs OP/s OPS ", 1, false},
    {QUANTITY_SECONDS, " s sec ", 1, true},          {QUANTITY_SHARE, " % ", 0.01, false},
    {QUANTITY_TOKENS, " - tok/s ", 1, false},
};

static const char *const examples[] = {
    [QUANTITY_COUNT] = "64, 4k or 1e12",          [QUANTITY_BYTES] = "64GB or 64e9",
    [QUANTITY_BANDWIDTH] = "3.35TB/s or 3.35e12", [QUANTITY_RATE] = "989.4TFLOP/s or 989.4e12",
    [QUANTITY_SECONDS] = "50ms or 0.05",          [QUANTITY_SHARE] = "0.95 or 95%",
    [QUANTITY_TOKENS] = "240 or 240tok/s",        [QUANTITY_AMOUNT] = "1000, 4k or 64GB",
    [QUANTITY_ANY] = "1000, 4k, 64GB or 50ms",
};

static const char *const nouns[] = {
    [QUANTITY_COUNT] = "a number", [QUANTITY_BYTES] = "a size",    [QUANTITY_BANDWIDTH] = "a bandwidth",
    [QUANTITY_RATE] = "a rate",    [QUANTITY_SECONDS] = "a time",  [QUANTITY_SHARE] = "a share",
    [QUANTITY_TOKENS] = "a rate",  [QUANTITY_AMOUNT] = "a number", [QUANTITY_ANY] = "a number",
};

/* The length of the decimal number that opens `text`, or 0. Hexadecimal, "inf" and "nan" are not numbers here. */
static size_t decimal(const char *text) {
    const char *at = text + (*text == '+' || *text == '-');
    size_t whole = strspn(at, "0123456789"), part = 0;
    at += whole;
    if (*at == '.') {
        part = strspn(at + 1, "0123456789");
        at += 1 + part;
    }
    if (whole + part == 0)
        return 0;
    if (*at == 'e' || *at == 'E') {
        const char *power = at + 1 + (at[1] == '+' || at[1] == '-');
        size_t digits = strspn(power, "0123456789");
        if (digits > 0)
            at = power + digits;
    }
    return (size_t)(at - text);
}

static bool is_unit(const unit_row *row, const char *name) {
    char key[16];
    int length = snprintf(key, sizeof key, " %s ", *name ? name : "-");
    return length < (int)sizeof key && !strchr(name, ' ') && strstr(row->names, key);
}

/* Take a prefix off `suffix`; false when none of the prefixes leads to the unit. */
static bool match(const unit_row *row, const char *suffix, double *factor) {
    static const struct {
        const char *text;
        double factor;
        bool small;
    } prefixes[] = {
        {"", 1, true},
        {"", 1, false},
        {"m", 1e-3, true},
        {"u", 1e-6, true},
        {"\xc2\xb5", 1e-6, true},
        {"n", 1e-9, true},
        {"p", 1e-12, true},
        {"f", 1e-15, true},
        {"a", 1e-18, true},
        {"Ki", 1024, false},
        {"Mi", 1048576, false},
        {"Gi", 1073741824, false},
        {"Ti", 1099511627776, false},
        {"k", 1e3, false},
        {"K", 1e3, false},
        {"M", 1e6, false},
        {"G", 1e9, false},
        {"T", 1e12, false},
        {"P", 1e15, false},
        {"E", 1e18, false},
        {"Z", 1e21, false},
        {"Y", 1e24, false},
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i].text);
        if (prefixes[i].small != row->small || strncmp(suffix, prefixes[i].text, length) != 0)
            continue;
        if (is_unit(row, suffix + length)) {
            *factor = prefixes[i].factor * row->factor;
            return true;
        }
    }
    return false;
}

static bool takes(quantity kind, quantity unit) {
    return kind == QUANTITY_ANY || kind == unit ||
           (kind == QUANTITY_AMOUNT && (unit == QUANTITY_COUNT || unit == QUANTITY_BYTES));
}

/* A bare number is always fine: seconds and shares say so here, the others by "-" (which takes a prefix too). */
static bool find_factor(const char *suffix, quantity kind, double *factor) {
    *factor = 1;
    if (!*suffix)
        return true;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (takes(kind, units[i].kind) && match(&units[i], suffix, factor))
            return true;
    return false;
}

int number_parse(const char *text, quantity kind, double *out) {
    char buffer[64];
    size_t length = decimal(text);
    double factor;
    if (length == 0 || length >= sizeof buffer)
        return -1;
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    const char *suffix = text + length + (text[length] == ' ');
    if ((text[length] == ' ' && !*suffix) || !find_factor(suffix, kind, &factor))
        return -1;
    /* 989.4T must be the double 989.4e12 is: let strtod scale decimal prefixes, multiply only the others */
    int power = (int)lround(log10(factor));
    bool written = fabs(factor / pow(10, power) - 1) < 1e-12 && !strpbrk(buffer, "eE");
    if (written)
        snprintf(buffer + length, sizeof buffer - length, "e%d", power);
    double value = strtod(buffer, NULL) * (written ? 1 : factor);
    if (!isfinite(value))
        return -1;
    *out = value;
    return 0;
}

int number_read(const char *what, const char *text, quantity kind, double *out, roof_error *error) {
    if (number_parse(text, kind, out) == 0)
        return 0;
    roof_fail(error, ROOF_EARGUMENT, "%s '%.60s' is not %s", what, text, nouns[kind]);
    roof_hint(error, "write it like %s", examples[kind]);
    return -1;
}

const char *number_plain(double value, char buffer[NUMBER_SIZE]) {
    snprintf(buffer, NUMBER_SIZE, value == floor(value) && fabs(value) < 1e15 ? "%.0f" : "%.6g", value);
    return buffer;
}

number_unit number_column(const double *values, size_t count) {
    double least = HUGE_VAL, most = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > 0) || !isfinite(values[i]))
            continue;
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    if (most <= 0)
        return (number_unit){1, ""};
    return number_for(most / least < 1e5 ? least : most);
}
