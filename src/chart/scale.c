/* Logarithmic scales and the printing of numbers without the C library's locale. */
#include "chart/scale.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

double chart_at(const chart_scale *scale, double value) {
    return scale->from + (log10(value) - scale->low) / (scale->high - scale->low) * (scale->to - scale->from);
}

double chart_per_decade(const chart_scale *scale) {
    return fabs(scale->to - scale->from) / (scale->high - scale->low);
}

chart_unit chart_unit_of(double peak) {
    static const chart_unit units[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (peak >= 10 * units[i].size)
            return units[i];
    return (chart_unit){1, ""};
}

/* Digits of `whole` before `end`, with a comma before every third when asked; returns where they start. */
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

static double power_of_ten(int exponent) {
    double power = 1;
    for (int i = 0; i < exponent; i++)
        power *= 10;
    return power;
}

/* Rounds half away from zero at `decimals`; beyond 1e15 only zeros could follow, so the value is cut there. */
static char *print_fixed(char out[CHART_NUMBER], double value, int decimals, bool trim, bool commas) {
    double scaled =
        fmin(floor(fabs(value) * power_of_ten(decimals) + 0.5), 1e15 * power_of_ten(decimals > 3 ? 3 : decimals));
    uint64_t all = (uint64_t)scaled, unit = (uint64_t)power_of_ten(decimals);
    char text[CHART_NUMBER], *end = text + sizeof text - 1, *start = end;
    *end = '\0';
    uint64_t fraction = all % unit;
    int places = decimals;
    while (trim && places > 0 && fraction % 10 == 0) {
        fraction /= 10;
        places--;
    }
    for (int i = 0; i < places; i++, fraction /= 10)
        *--start = (char)('0' + fraction % 10);
    if (places > 0)
        *--start = '.';
    start = digits_before(start, all / unit, commas);
    if (value < 0 && all > 0)
        *--start = '-';
    memcpy(out, start, (size_t)(end - start) + 1);
    return out;
}

char *chart_fixed(char out[CHART_NUMBER], double value, int decimals, bool trim) {
    return print_fixed(out, value, decimals, trim, true);
}

char *chart_coordinate(char out[CHART_NUMBER], double value) {
    return print_fixed(out, value, 1, true, false);
}

char *chart_significant(char out[CHART_NUMBER], double value, int digits, bool trim) {
    if (!(fabs(value) > 0))
        return chart_fixed(out, 0, 0, true);
    if (isinf(value))
        return strcpy(out, "infinite");
    int decimals = digits - 1 - (int)floor(log10(fabs(value)));
    if (decimals > 0 && fabs(value) * power_of_ten(decimals > 12 ? 12 : decimals) + 0.5 >= power_of_ten(digits))
        decimals--; /* 9.996 is 10.0, not 10.00 */
    return chart_fixed(out, value, decimals < 0 ? 0 : decimals > 12 ? 12 : decimals, trim);
}

char *chart_decade(char out[CHART_NUMBER], int exponent) {
    static const char *const suffixes[] = {"", "M", "G", "T", "P", "E"};
    int step = exponent > 6 ? exponent / 3 - 1 : 0;
    if (step > 5 || exponent < -12)
        return strcpy(out, exponent < 0 ? "tiny" : "huge");
    if (step == 0)
        return chart_fixed(out, pow(10, exponent), exponent < 0 ? -exponent : 0, false);
    chart_fixed(out, power_of_ten(exponent - 3 * (step + 1)), 0, false);
    return strcat(out, suffixes[step]);
}
