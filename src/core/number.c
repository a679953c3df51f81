/* The one writer of numbers. It prints digits itself: the C library's printf() asks the locale for its point, and a
 * table of results must read the same everywhere. */
#include "core/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- digits ---- */

enum { SCIENTIFIC_FROM = 15, PLAIN_FROM = -4 }; /* powers of ten between which digits are written without one */

static double power_of_ten(int exponent) {
    double power = 1;
    for (int i = 0; i < exponent; i++)
        power *= 10;
    return power;
}

typedef struct style {
    bool trim, commas, ties_up; /* ties go to the even digit, as printf() has them, or away from zero */
} style;

/* Digits of `whole` before `end`; returns where they start. */
static char *digits_before(char *end, uint64_t whole, bool commas) {
    int printed = 0;
    do {
        if (commas && printed > 0 && printed % 3 == 0)
            *--end = ',';
        *--end = (char)('0' + whole % 10);
        whole /= 10;
        printed++;
    } while (whole > 0);
    return end;
}

/* The whole number nearest to the exact product: 44.15 is a little less than its name, so ten times it is 441. */
static double nearest(double value, double unit, bool ties_up) {
    double scaled = value * unit, lost = fma(value, unit, -scaled), low = floor(scaled);
    bool tie = scaled - low >= 0.5 && scaled - low <= 0.5;
    return ties_up ? floor(scaled + 0.5) : tie && fabs(lost) > 0 ? low + (lost > 0) : rint(scaled);
}

/* A value below 1e15. Where more than 18 digits are asked for, fewer decimals are written.
 */
static char *print_fixed(double value, int decimals, style how, char buffer[NUMBER_SIZE]) {
    char text[NUMBER_SIZE], *end = text + sizeof text - 1, *start = end;
    while (decimals > 0 && fabs(value) * power_of_ten(decimals) >= 1e18)
        decimals--;
    uint64_t unit = (uint64_t)power_of_ten(decimals), all = (uint64_t)nearest(fabs(value), (double)unit, how.ties_up);
    uint64_t fraction = all % unit;
    *end = '\0';
    int places = decimals;
    while (how.trim && places > 0 && fraction % 10 == 0) {
        fraction /= 10;
        places--;
    }
    for (int i = 0; i < places; i++, fraction /= 10)
        *--start = (char)('0' + fraction % 10);
    if (places > 0)
        *--start = '.';
    start = digits_before(start, all / unit, how.commas);
    if (value < 0 && all > 0)
        *--start = '-';
    return memcpy(buffer, start, (size_t)(end - start) + 1);
}

static double mantissa_of(double value, int exponent) {
    return value / pow(10, exponent / 2) / pow(10, exponent - exponent / 2); /* 1e320 would be too large at once */
}

/* The power of ten of the first digit, once `value` is rounded to `digits`: 2 for 99.96 and three digits. */
static int exponent_of(double value, int digits) {
    int exponent = (int)floor(log10(fabs(value)));
    double most = power_of_ten(digits), first = fabs(mantissa_of(value, exponent)) * most / 10;
    return rint(first) >= most ? exponent + 1 : exponent;
}

/* "1.23e-05": the exponent has two digits at least, as printf() writes it. */
static char *print_scientific(double value, int digits, style how, char buffer[NUMBER_SIZE]) {
    int exponent = exponent_of(value, digits), size = exponent < 0 ? -exponent : exponent;
    char power[8] = {'e', exponent < 0 ? '-' : '+', '0', '\0'}, number[NUMBER_SIZE];
    strcpy(power + (size < 10 ? 3 : 2), print_fixed(size, 0, (style){0}, number));
    return strcat(print_fixed(mantissa_of(value, exponent), digits - 1, how, buffer), power);
}

/* Values that no digits can show; NULL for all others. */
static char *print_odd(double value, char buffer[NUMBER_SIZE]) {
    return isnan(value) ? strcpy(buffer, "-") : isinf(value) ? strcpy(buffer, value > 0 ? "inf" : "-inf") : NULL;
}

char *number_digits(double value, int digits, bool trim, char buffer[NUMBER_SIZE]) {
    style how = {.trim = trim, .commas = true};
    if (print_odd(value, buffer))
        return buffer;
    if (!(fabs(value) > 0))
        return strcpy(buffer, "0");
    int exponent = exponent_of(value, digits);
    if (exponent >= SCIENTIFIC_FROM || exponent < PLAIN_FROM)
        return print_scientific(value, digits, how, buffer);
    return print_fixed(value, digits - 1 > exponent ? digits - 1 - exponent : 0, how, buffer);
}

char *number_three(double value, char buffer[NUMBER_SIZE]) {
    return number_digits(value, 3, false, buffer);
}

char *number_short(double value, char buffer[NUMBER_SIZE]) {
    return value >= floor(value) && value <= floor(value) ? number_whole(value, buffer) : number_three(value, buffer);
}

char *number_fixed(double value, int decimals, char buffer[NUMBER_SIZE]) {
    style how = {.commas = true};
    if (print_odd(value, buffer))
        return buffer;
    if (fabs(value) >= power_of_ten(SCIENTIFIC_FROM))
        return number_three(value, buffer);
    return print_fixed(value, decimals, how, buffer);
}

char *number_whole(double value, char buffer[NUMBER_SIZE]) {
    return number_fixed(value, 0, buffer);
}

char *number_coordinate(double value, int decimals, char buffer[NUMBER_SIZE]) {
    double most = power_of_ten(SCIENTIFIC_FROM);
    return print_fixed(fmin(fmax(value, -most), most), decimals, (style){.trim = true, .ties_up = true}, buffer);
}

/* ---- quantities ---- */

static const number_unit prefixes[] = {
    {1e18, "a"}, {1e15, "f"}, {1e12, "p"},  {1e9, "n"},   {1e6, "u"},   {1e3, "m"},   {1, ""},      {1e-3, "k"},
    {1e-6, "M"}, {1e-9, "G"}, {1e-12, "T"}, {1e-15, "P"}, {1e-18, "E"}, {1e-21, "Z"}, {1e-24, "Y"},
};
enum { PREFIX_COUNT = sizeof prefixes / sizeof *prefixes, PREFIX_NONE = 6 };

number_unit number_for(double value) {
    if (!(fabs(value) > 0) || isinf(value))
        return prefixes[PREFIX_NONE];
    int steps = (int)floor(exponent_of(value, 3) / 3.0), place = PREFIX_NONE + steps;
    return prefixes[place < 0 ? 0 : place >= PREFIX_COUNT ? PREFIX_COUNT - 1 : place];
}

char *number_quantity(double value, const char *unit, int digits, bool trim, char buffer[NUMBER_SIZE]) {
    number_unit scale = number_for(value);
    bool seconds = strcmp(unit, "s") == 0;
    bool divisible = seconds || strcmp(unit, "J") == 0 || strcmp(unit, "W") == 0 || strcmp(unit, "Hz") == 0;
    if ((scale.factor > 1 && !divisible) || (scale.factor < 1 && seconds))
        scale = prefixes[PREFIX_NONE];
    number_digits(value * scale.factor, digits, trim, buffer);
    strcat(strcat(buffer, " "), scale.prefix);
    size_t used = strlen(buffer), length = strlen(unit), most = NUMBER_SIZE - 1 - used;
    length = length < most ? length : most;
    memcpy(buffer + used, unit, length);
    buffer[used + length] = '\0';
    return buffer;
}

char *number_si(double value, const char *unit, char buffer[NUMBER_SIZE]) {
    return number_quantity(value, unit, 3, false, buffer);
}

/* ---- shares and factors ---- */

char *number_percent(double share, char buffer[NUMBER_SIZE]) {
    double percent = share * 100, size = fabs(percent);
    if (fabs(percent - round(percent)) <= 1e-12 * size || size >= 999.95)
        number_whole(round(percent), buffer);
    else if (size < 0.05)
        number_digits(percent, 1, false, buffer);
    else
        number_fixed(percent, 1, buffer);
    return strcat(buffer, "%");
}

char *number_factor(double value, char buffer[NUMBER_SIZE]) {
    return strcat(number_three(value, buffer), "x");
}
