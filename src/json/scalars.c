/* Texts and numbers of JSON: escapes, UTF-8 (RFC 3629), and numbers rounded correctly in any locale. */
#include "json/scalars.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define YES_4(from) [from] = true, [(from) + 1] = true, [(from) + 2] = true, [(from) + 3] = true
#define YES_16(from) YES_4(from), YES_4((from) + 4), YES_4((from) + 8), YES_4((from) + 12)

/* ' ' to '~' without '"' and '\\'. */
const bool json_is_plain[256] = {
    [' '] = true, ['!'] = true, ['#'] = true, YES_4('$'), YES_4('('),   YES_4(','),   YES_16('0'),
    YES_16('@'),  YES_4('P'),   YES_4('T'),   YES_4('X'), [']'] = true, ['^'] = true, ['_'] = true,
    YES_16('`'),  YES_4('p'),   YES_4('t'),   YES_4('x'), ['|'] = true, ['}'] = true, ['~'] = true,
};
const bool json_is_digit[256] = {
    YES_4('0'),   YES_4('4'),   ['8'] = true, ['9'] = true, ['+'] = true,
    ['-'] = true, ['.'] = true, ['e'] = true, ['E'] = true,
};

/* ---- escapes ---- */

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The four hexadecimal digits at `from`, or -1. */
static long hex_4(const char *from, const char *end) {
    long value = 0;
    if (end - from < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(from[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static char *put_utf8(char *to, long code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | (code >> 6));
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        if (code < 0x10000) {
            *to++ = (char)(0xE0 | (code >> 12));
        } else {
            *to++ = (char)(0xF0 | (code >> 18));
            *to++ = (char)(0x80 | ((code >> 12) & 0x3F));
        }
        *to++ = (char)(0x80 | ((code >> 6) & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

/* `*from` is behind "\u". The code it means, or -1; a pair of surrogates is one. */
static long take_code(const char **from, const char *end, bool lenient) {
    long code = hex_4(*from, end), low = -1;
    if (code < 0)
        return -1;
    *from += 4;
    if (code >= 0xD800 && code < 0xDC00 && end - *from >= 6 && (*from)[0] == '\\' && (*from)[1] == 'u')
        low = hex_4(*from + 2, end);
    if (low >= 0xDC00 && low < 0xE000) {
        *from += 6;
        return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    bool half = code >= 0xD800 && code < 0xE000;
    return half || code == 0 ? (lenient ? '?' : -1) : code;
}

bool json_unescape(char *text, size_t *length, bool lenient) {
    static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const char *from = memchr(text, '\\', *length), *end = text + *length;
    char *to = text + (from ? from - text : 0);
    while (from && from < end) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        const char *name = ++from < end && *from ? strchr(names, *from) : NULL;
        if (name) {
            *to++ = means[name - names];
            from++;
            continue;
        }
        long code = from < end && *from == 'u' ? (from++, take_code(&from, end, lenient)) : -1;
        if (code < 0)
            return false;
        to = put_utf8(to, code);
    }
    if (from)
        *length = (size_t)(to - text);
    return true;
}

/* Bytes of the character at `at`, 0 when it is none (overlong forms, surrogates and what lies beyond U+10FFFF are
 * none). */
static int utf8_length(const unsigned char *at, size_t left) {
    int n = at[0] < 0x80 ? 1 : at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF5 ? 4 : 0;
    if ((size_t)n > left)
        return 0;
    for (int i = 1; i < n; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90);
    bool outside = (at[0] == 0xED && at[1] >= 0xA0) || (at[0] == 0xF4 && at[1] >= 0x90);
    return overlong || outside ? 0 : n;
}

bool json_is_utf8(const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    for (int n; at < end; at += n)
        if ((n = utf8_length(at, (size_t)(end - at))) == 0)
            return false;
    return true;
}

/* ---- numbers ---- */

static const char *digits(const char *at, const char *end) {
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

bool json_is_number(const char *text, size_t length) {
    const char *at = text, *end = text + length, *from = at += length > 0 && *text == '-';
    at = digits(at, end);
    if (at == from || (*from == '0' && at - from > 1))
        return false;
    if (at < end && *at == '.') {
        from = ++at;
        at = digits(at, end);
        if (at == from)
            return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        from = at;
        at = digits(at, end);
        if (at == from)
            return false;
    }
    return at == end;
}

/* strtod of digits and an exponent: without a point no locale matters. 770 digits and whether anything follows them
 * decide how any double rounds (767 are enough: the longest number half way between two doubles has as many), so longer
 * ones are cut there. */
static double by_strtod(const char *text, size_t length) {
    enum { DIGITS = 770, FURTHEST = 100000000 };
    char copy[DIGITS + 32];
    const char *at = text, *end = text + length;
    size_t count = 0;
    long power = 0, exponent = 0;
    bool point = false, more = false;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.')
            point = true;
        if (*at < '0' || *at > '9')
            continue;
        bool kept = count < DIGITS;
        if (kept && (count > 0 || *at != '0'))
            copy[count++] = *at;
        more |= !kept && *at != '0';
        power += kept ? -(long)point : !point;
    }
    bool down = at + 1 < end && at[1] == '-';
    for (; at < end; at++)
        if (*at >= '0' && *at <= '9' && exponent < FURTHEST)
            exponent = exponent * 10 + (*at - '0');
    if (count == 0 || more)
        copy[count++] = more ? '1' : '0';
    snprintf(copy + count, sizeof copy - count, "e%ld", power - more + (down ? -exponent : exponent));
    double value = strtod(copy, NULL);
    return *text == '-' ? -value : value;
}

/* A number taken apart: digits * 10^power. */
typedef struct decimal {
    uint64_t digits;
    int power, count;     /* count: significant digits */
    bool negative, whole; /* whole: every digit is in `digits` */
} decimal;

static const char *take_digits(const char *at, const char *end, bool fraction, decimal *to) {
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (to->count == 19) {
            to->whole &= *at == '0';
            to->power += !fraction;
            continue;
        }
        to->digits = to->digits * 10 + (uint64_t)(*at - '0');
        to->count += to->digits > 0;
        to->power -= fraction;
    }
    return at;
}

static bool take_apart(const char *text, size_t length, decimal *out) {
    const char *at = text, *end = text + length;
    int exponent = 0;
    *out = (decimal){.negative = length > 0 && *text == '-', .whole = true};
    at = take_digits(at + out->negative, end, false, out);
    bool any = at > text + out->negative;
    if (at < end && *at == '.') {
        const char *from = ++at;
        at = take_digits(at, end, true, out);
        any |= at > from;
    }
    if (any && at < end && (*at == 'e' || *at == 'E')) {
        bool down = ++at < end && *at == '-';
        at += at < end && (*at == '-' || *at == '+');
        any = at < end && *at >= '0' && *at <= '9';
        for (; at < end && *at >= '0' && *at <= '9'; at++)
            exponent = exponent < 10000 ? exponent * 10 + (*at - '0') : exponent;
        out->power += down ? -exponent : exponent;
    }
    return any && at == end;
}

/* Up to 2^53 and 10^22 both parts are exact, so one division or product rounds correctly (Clinger 1990); the rest is
 * for strtod. */
bool json_figure(const char *text, size_t length, double *value) {
    static const double powers[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    decimal number;
    if (!take_apart(text, length, &number))
        return false;
    if (number.whole && number.digits <= UINT64_C(1) << 53 && number.power >= -22 && number.power <= 22) {
        double whole = (double)number.digits;
        *value = number.power < 0 ? whole / powers[-number.power] : whole * powers[number.power];
        *value = number.negative ? -*value : *value;
        return true;
    }
    *value = by_strtod(text, length);
    return fabs(*value) <= DBL_MAX;
}
