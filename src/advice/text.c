/* Numbers of a reason, by value: a temporary lives as long as the call that prints it. */
#include "advice/text.h"

advice_word advice_quantity(double value, const char *unit) {
    advice_word word;
    number_si(value, unit, word.text);
    return word;
}

advice_word advice_number(double value) {
    advice_word word;
    number_short(value, word.text);
    return word;
}

advice_word advice_percent(double share) {
    advice_word word;
    number_percent(share, word.text);
    return word;
}

const char *advice_rate_unit(roof_dtype dtype) {
    roof_dtype math = roof_dtype_math(dtype);
    return math >= ROOF_INT32 && math <= ROOF_INT4 ? "OP/s" : "FLOP/s";
}
