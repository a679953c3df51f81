/* Numbers as words: three significant digits and an SI prefix, so that a reason can be read aloud. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advice/text.h"

/* Three significant digits of a value below 999.5; rounding first, so that 9.999 reads 10.0. */
static advice_word three_digits(double value) {
    advice_word word;
    double size = fabs(value);
    int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    snprintf(word.text, sizeof word.text, "%.*f", decimals, value);
    return word;
}

advice_word advice_quantity(double value, const char *unit) {
    static const char prefixes[] = "num kMGTPE";
    int place = 3;
    double size = fabs(value);
    while (size >= 999.5 && place < 9) {
        size /= 1e3;
        place++;
    }
    while (size > 0 && size < 0.9995 && place > 0) {
        size *= 1e3;
        place--;
    }
    advice_word digits = three_digits(copysign(size, value)), word;
    char prefix[2] = {prefixes[place] == ' ' ? '\0' : prefixes[place], '\0'};
    snprintf(word.text, sizeof word.text, "%.12s %s%.12s", digits.text, prefix, unit);
    return word;
}

/* Thousands separated by commas, from the right. */
static void separate(const char *digits, char *out, size_t size) {
    size_t length = strlen(digits), n = 0;
    for (size_t i = 0; i < length && n + 2 < size; i++) {
        out[n++] = digits[i];
        if (i + 1 < length && (length - i - 1) % 3 == 0)
            out[n++] = ',';
    }
    out[n] = '\0';
}

advice_word advice_number(double value) {
    advice_word word;
    if (!(value >= 999.5)) {
        word = three_digits(value);
        if (value == floor(value))
            snprintf(word.text, sizeof word.text, "%.0f", value);
        return word;
    }
    if (value >= 1e15) {
        snprintf(word.text, sizeof word.text, "%.2e", value);
        return word;
    }
    char digits[ADVICE_WORD];
    snprintf(digits, sizeof digits, "%.0f", value);
    separate(digits, word.text, sizeof word.text);
    return word;
}

const char *advice_rate_unit(roof_dtype dtype) {
    roof_dtype math = roof_dtype_math(dtype);
    return math >= ROOF_INT32 && math <= ROOF_INT4 ? "OP/s" : "FLOP/s";
}

advice_word advice_percent(double share) {
    advice_word word;
    double percent = share * 100;
    if (percent > 0 && percent < 0.005) { /* next to nothing, but not nothing */
        snprintf(word.text, sizeof word.text, "%.1g%%", percent);
        return word;
    }
    int decimals = percent >= 9.95 || percent < 0.005 ? 0 : percent >= 0.995 ? 1 : 2;
    if (percent > 0 && percent < 0.005)
        return (advice_word){"<0.01%"};
    snprintf(word.text, sizeof word.text, "%.*f%%", decimals, percent);
    return word;
}
