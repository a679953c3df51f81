/* Lists and ranges of a parameter, and the combinations of several. */
#include "cli/out/range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out/text.h"

typedef struct reading { /* one list being read */
    const char *what, *text;
    const range_rule *rule;
    range *out;
    roof_error *error;
} reading;

void range_append(range *out, double value) {
    if ((out->count & (out->count - 1)) == 0)
        out->values = keep_or_die(realloc(out->values, (out->count ? out->count * 2 : 1) * sizeof(double)));
    out->values[out->count++] = value;
}

static int add(const reading *list, double value) {
    const range_rule *rule = list->rule;
    char number[NUMBER_SIZE], least[NUMBER_SIZE], most[NUMBER_SIZE];
    if (list->out->count == RANGE_MAX)
        return roof_fail(list->error, ROOF_EARGUMENT, "%s '%.60s' has more than %d values", list->what, list->text,
                         RANGE_MAX);
    if (rule->whole && value != floor(value))
        return roof_fail(list->error, ROOF_EARGUMENT, "%s %s is not a whole number", list->what,
                         number_plain(value, number));
    if (!(value >= rule->least && value <= rule->most))
        return roof_fail(list->error, ROOF_EARGUMENT, "%s %s is out of range: %s to %s are allowed", list->what,
                         number_plain(value, number), number_plain(rule->least, least), number_plain(rule->most, most));
    range_append(list->out, value);
    return 0;
}

static int value_of(const reading *list, const char *from, size_t length, double *value) {
    char buffer[64];
    if (length > 0 && length < sizeof buffer) {
        memcpy(buffer, from, length);
        buffer[length] = '\0';
        return number_read(list->what, buffer, list->rule->kind, value, list->error);
    }
    roof_fail(list->error, ROOF_EARGUMENT, "%s '%.60s' has an empty or overlong value", list->what, list->text);
    roof_hint(list->error, "write a list like 1,8,64 or a range like 1..512*2 or 1..16+1");
    return -1;
}

/* Where the step begins in what follows "..": its last '*', or its last '+' that is not part of an exponent. */
static size_t step_at(const char *end, size_t length) {
    for (size_t i = length; i-- > 1;)
        if (end[i] == '*' || (end[i] == '+' && end[i - 1] != 'e' && end[i - 1] != 'E'))
            return i;
    return length;
}

static int add_span(const reading *list, const char *item, size_t length, size_t dots) {
    const char *end = item + dots + 2;
    size_t rest = length - dots - 2, sign = step_at(end, rest);
    bool multiply = sign < rest && end[sign] == '*';
    double first, last, step = 1;
    if (value_of(list, item, dots, &first) || value_of(list, end, sign, &last) ||
        (sign < rest && value_of(list, end + sign + 1, rest - sign - 1, &step)))
        return -1;
    if (last < first)
        return roof_fail(list->error, ROOF_EARGUMENT, "%s '%.*s' is empty: its end is below its start", list->what,
                         (int)length, item);
    if (multiply ? !(step > 1 && first > 0) : !(step > 0))
        return roof_fail(list->error, ROOF_EARGUMENT, "%s '%.*s' never ends: %s", list->what, (int)length, item,
                         multiply ? "a factor must be above 1 and the start above 0" : "a step must be above 0");
    double slack = last * 1e-12; /* steps that are not exact in binary still reach the end */
    for (size_t i = 0;; i++) {
        double value = multiply ? first * pow(step, (double)i) : first + step * (double)i;
        if (value > last + slack)
            return 0;
        if (add(list, value))
            return -1;
    }
}

static int add_item(const reading *list, const char *item, size_t length) {
    for (size_t i = 0; i + 1 < length; i++)
        if (item[i] == '.' && item[i + 1] == '.')
            return add_span(list, item, length, i);
    double value;
    return value_of(list, item, length, &value) || add(list, value) ? -1 : 0;
}

int range_parse(const char *what, const char *text, const range_rule *rule, range *out, roof_error *error) {
    reading list = {what, text, rule, out, error};
    range_free(out);
    for (const char *item = text;; item++) {
        size_t length = strcspn(item, ",");
        if (add_item(&list, item, length))
            return -1;
        item += length;
        if (!*item)
            return 0;
    }
}

void range_one(range *out, double value) {
    range_free(out);
    range_append(out, value);
}

void range_free(range *list) {
    free(list->values);
    *list = (range){0};
}

size_t range_points(const range *const lists[], size_t count, roof_error *error) {
    double points = 1;
    for (size_t i = 0; i < count; i++)
        points *= lists[i]->count ? (double)lists[i]->count : 1;
    if (points <= RANGE_MAX)
        return (size_t)points;
    char number[NUMBER_SIZE], most[NUMBER_SIZE];
    roof_fail(error, ROOF_EARGUMENT, "the lists make %s combinations: at most %s are judged at once",
              number_whole(points, number), number_whole(RANGE_MAX, most));
    roof_hint(error, "shorten a list, or step wider: 1..4096*4");
    return 0;
}

void range_point(const range *const lists[], size_t count, size_t index, double *values) {
    for (size_t i = count; i-- > 0;) {
        size_t length = lists[i]->count;
        if (length == 0)
            continue;
        values[i] = lists[i]->values[index % length];
        index /= length;
    }
}
