/* Logarithmic scales: where a value lies between two ends, and how its decades are written. */
#include "chart/scale.h"

#include <math.h>
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

char *chart_decade(char out[NUMBER_SIZE], int exponent) {
    static const char *const suffixes[] = {"", "M", "G", "T", "P", "E"};
    int step = exponent > 6 ? exponent / 3 - 1 : 0;
    if (step > 5 || exponent < -12)
        return strcpy(out, exponent < 0 ? "tiny" : "huge");
    if (step == 0)
        return number_fixed(pow(10, exponent), exponent < 0 ? -exponent : 0, out);
    number_whole(pow(10, exponent - 3 * (step + 1)), out);
    return strcat(out, suffixes[step]);
}
