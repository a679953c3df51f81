/* Numbers and units as tools print them. */
#include "read/profile/figures.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIGURE_LENGTH = 64 };

/* Signs that group digits and are never a decimal mark: a blank, an apostrophe (typed or printed, as in Switzerland), a
 * no-break or thin space (UTF-8). */
static size_t grouping(const char *at) {
    if (*at == ' ' || *at == '\'')
        return 1;
    if (strncmp(at, "\xC2\xA0", 2) == 0)
        return 2;
    static const char *const signs[] = {"\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x99"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strncmp(at, signs[i], 3) == 0)
            return 3;
    return 0;
}

/* The shape of a number. */
typedef struct shape {
    bool number;
    int points, commas;
    char last;         /* which of the two came last; 0: none */
    int before, after; /* digits before the first sign, behind the last one */
    int digits;
    bool zero, grouped, exponent; /* starts with 0; has other grouping signs */
} shape;

static shape shape_of(const char *text) {
    shape s = {0};
    const char *at = text + strspn(text, " \t");
    at += *at == '+' || *at == '-';
    s.zero = *at == '0';
    for (; *at; at++) {
        if (isdigit((unsigned char)*at)) {
            s.digits++;
            s.after++;
            s.before += s.points + s.commas == 0;
        } else if (*at == '.' || *at == ',') {
            s.points += *at == '.';
            s.commas += *at == ',';
            s.last = *at;
            s.after = 0;
        } else if (grouping(at) && isdigit((unsigned char)at[grouping(at)])) {
            s.grouped = true;
            at += grouping(at) - 1;
        } else {
            break;
        }
    }
    if (s.digits > 0 && (*at == 'e' || *at == 'E')) {
        char *end;
        long power = strtol(at + 1, &end, 10);
        s.exponent = end > at + 1;
        (void)power;
        at = s.exponent ? end : at;
    }
    at += strspn(at, " \t");
    s.number = s.digits > 0 && *at == '\0';
    return s;
}

void figure_observe(figure_style *style, const char *text) {
    shape s = shape_of(text);
    if (!s.number)
        return;
    if (s.points + s.commas == 0) {
        if (s.digits >= 4 && !s.grouped)
            style->plain_large = true;
        return;
    }
    int signs = s.last == '.' ? s.points : s.commas, others = s.points + s.commas - signs;
    bool three = s.after == 3 && s.before >= 1 && s.before <= 3 && !s.zero && !s.exponent && !s.grouped;
    if (others > 0 || (signs == 1 && !three)) /* the last sign is the decimal mark */
        *(s.last == '.' ? &style->point_decimal : &style->comma_decimal) = true;
    else if (signs > 1) /* it groups */
        *(s.last == '.' ? &style->comma_decimal : &style->point_decimal) = true;
    else if (!style->example[0] || style->sign == s.last) {
        style->ambiguous = true;
        style->sign = s.last;
        snprintf(style->example, sizeof style->example, "%.30s", text + strspn(text, " \t"));
    } else {
        style->point_decimal = style->comma_decimal = true; /* "1.234" and "1,234" in one file */
    }
}

int figure_decide(figure_style *style, char decimal, roof_error *error) {
    if (decimal) {
        style->decimal = decimal;
        return 0;
    }
    if (style->point_decimal && style->comma_decimal) {
        roof_fail(error, ROOF_EFORMAT, "the numbers use both '.' and ',' as the decimal mark%s%s%s",
                  style->example[0] ? " ('" : "", style->example, style->example[0] ? "' is one)" : "");
        roof_hint(error, "export again with LC_ALL=C, or say which sign is the decimal mark");
        roof_suggest(error, ROOF_REMEDY_DECIMAL, "");
        return -1;
    }
    if (style->point_decimal || style->comma_decimal) {
        style->decimal = style->point_decimal ? '.' : ',';
    } else if (!style->ambiguous) {
        style->decimal = '.';
    } else if (style->plain_large) { /* 12345 is not grouped, so the sign in 1.234 is no grouping sign */
        style->decimal = style->sign;
    } else {
        roof_fail(error, ROOF_EFORMAT, "'%s' may be %c decimal or a thousand: nothing in the file says which",
                  style->example, style->sign);
        roof_hint(error, "export again with LC_ALL=C, or say which sign is the decimal mark");
        roof_suggest(error, ROOF_REMEDY_DECIMAL, "");
        return -1;
    }
    return 0;
}

static bool is_absent(const char *text) {
    static const char *const words[] = {"",     "n/a",    "na",   "nan",     "-nan",          "-",
                                        "null", "(null)", "none", "no data", "<not counted>", "<not supported>"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

/* How long the sign is that groups digits here; 0: none does. A blank that no digit follows ends the number. */
static size_t sign_at(char decimal, const char *at) {
    size_t blank = grouping(at);
    if (blank > 0)
        return isdigit((unsigned char)at[blank]) ? blank : 0;
    return (*at == '.' || *at == ',') && *at != decimal;
}

/* A sign that groups stands before three digits (two between groups of commas, as in 12,34,567), is the same in all of
 * the number, and is never behind the decimal mark: "1.5" where ',' is decimal is no 15, and "12 34" no 1234. */
static bool well_grouped(char decimal, const char *text) {
    size_t digits = 0;
    const char *first = NULL; /* the sign that groups */
    bool fraction = false;
    for (const char *at = text + (*text == '+' || *text == '-');;) {
        if (isdigit((unsigned char)*at)) {
            digits++;
            at++;
            continue;
        }
        size_t sign = sign_at(decimal, at);
        if (fraction && (sign > 0 || *at == decimal))
            return false;
        if (!fraction && first && (sign > 0 && !grouping(at) ? digits < 2 || digits > 3 : digits != 3))
            return false;
        if (sign > 0 && (first ? strncmp(at, first, sign) != 0 : digits < 1 || digits > 3))
            return false;
        if (*at == 'e' || *at == 'E' || at[strspn(at, " \t")] == '\0')
            return true;
        fraction |= *at == decimal;
        first = sign > 0 ? at : first;
        digits = 0;
        at += sign > 0 ? sign : 1;
    }
}

bool figure_misgrouped(char decimal, const char *text) {
    text += strspn(text, " \t");
    return shape_of(text).number && !well_grouped(decimal ? decimal : '.', text);
}

figure_kind figure_read(char decimal, const char *text, double *value) {
    char plain[FIGURE_LENGTH];
    size_t used = 0;
    *value = (double)NAN;
    text += strspn(text, " \t");
    if (is_absent(text))
        return FIGURE_ABSENT;
    if (!shape_of(text).number)
        return FIGURE_TEXT;
    if (strlen(text) >= sizeof plain || !well_grouped(decimal ? decimal : '.', text))
        return FIGURE_TEXT;
    for (const char *at = text; *at && used + 1 < sizeof plain; at++) {
        size_t group = grouping(at); /* at the end too */
        if (group) {
            at += group - 1;
            continue;
        }
        if (*at == '.' || *at == ',') {
            if (*at == (decimal ? decimal : '.'))
                plain[used++] = '.';
            continue;
        }
        plain[used++] = *at;
    }
    plain[used] = '\0';
    char *end;
    *value = strtod(plain, &end);
    return *end == '\0' && isfinite(*value) ? FIGURE_NUMBER : FIGURE_TEXT;
}

/* ---- units ---- */

static const struct unit {
    const char *name;
    double factor;
} units[] = {
    {"", 1},         {"inst", 1},       {"sector", 1},       {"request", 1},
    {"cycle", 1},    {"cycles", 1},     {"warp", 1},         {"thread", 1},
    {"block", 1},    {"count", 1},      {"byte", 1},         {"bytes", 1},
    {"b", 1},        {"%", 0.01},       {"percent", 0.01},   {"ratio", 1},
    {"s", 1},        {"sec", 1},        {"second", 1},       {"seconds", 1},
    {"ms", 1e-3},    {"msec", 1e-3},    {"msecond", 1e-3},   {"us", 1e-6},
    {"usec", 1e-6},  {"usecond", 1e-6}, {"\xC2\xB5s", 1e-6}, {"\xCE\xBCs", 1e-6},
    {"ns", 1e-9},    {"nsec", 1e-9},    {"nsecond", 1e-9},   {"ps", 1e-12},
    {"kbyte", 1e3},  {"mbyte", 1e6},    {"gbyte", 1e9},      {"tbyte", 1e12},
    {"kb", 1e3},     {"mb", 1e6},       {"gb", 1e9},         {"tb", 1e12},
    {"kib", 1024},   {"mib", 1048576},  {"gib", 1073741824}, {"tib", 1099511627776},
    {"hz", 1},       {"khz", 1e3},      {"mhz", 1e6},        {"ghz", 1e9},
    {"flop", 1},     {"kflop", 1e3},    {"mflop", 1e6},      {"gflop", 1e9},
    {"tflop", 1e12}, {"kinst", 1e3},    {"minst", 1e6},      {"ginst", 1e9},
};

static double simple_factor(const char *unit, size_t length) {
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i].name) == length && strncasecmp(unit, units[i].name, length) == 0)
            return units[i].factor;
    return -1;
}

/* "Gbyte/second": one unit over another. */
double unit_factor(const char *unit) {
    unit += strspn(unit, " ");
    size_t length = strlen(unit);
    while (length > 0 && unit[length - 1] == ' ')
        length--;
    const char *slash = memchr(unit, '/', length);
    if (!slash)
        return simple_factor(unit, length);
    double above = simple_factor(unit, (size_t)(slash - unit)),
           below = simple_factor(slash + 1, length - (size_t)(slash - unit) - 1);
    return above < 0 || below < 0 ? -1 : above / below;
}
