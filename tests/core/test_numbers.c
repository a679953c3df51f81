/* The one writer of numbers: a table of values and units, then properties over the whole range of doubles. */
#include <ctype.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/number.h"
#include "test.h"

static char text[NUMBER_SIZE];

static void assert_text(const char *got, const char *want) {
    if (strcmp(got, want) != 0)
        fail_msg("'%s', not '%s'", got, want);
}

static void significant_digits(void **state) {
    static const struct {
        double value;
        int digits;
        bool trim;
        const char *text;
    } cases[] = {
        {0, 3, false, "0"},
        {1.0298, 3, false, "1.03"},
        {39.54, 3, false, "39.5"},
        {221.4, 3, false, "221"},
        {999.6, 3, false, "1,000"},
        {15283.4, 3, false, "15,283"},
        {0.0831, 3, false, "0.0831"},
        {0.99951, 3, false, "1.00"},
        {9.996, 3, false, "10.0"},
        {99.96, 3, false, "100"},
        {1234567, 3, false, "1,234,567"},
        {-1500, 3, false, "-1,500"},
        {1e-5, 3, false, "1.00e-05"},
        {0.000123, 3, false, "0.000123"},
        {2e18, 3, false, "2.00e+18"},
        {1e-320, 3, false, "1.00e-320"},
        {1.7e308, 2, true, "1.7e+308"},
        {5, 2, false, "5.0"},
        {46, 3, true, "46"},
        {3.350, 4, true, "3.35"},
        {-2.5, 2, true, "-2.5"},
        {1.0049e-3, 3, true, "0.001"},
        {12.5, 2, false, "12"},
        {HUGE_VAL, 3, false, "inf"},
        {-HUGE_VAL, 3, false, "-inf"},
        {(double)NAN, 3, false, "-"},
        {9.99e14, 3, false, "999,000,000,000,000"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_text(number_digits(cases[i].value, cases[i].digits, cases[i].trim, text), cases[i].text);
    assert_text(number_short(2, text), "2");
    assert_text(number_short(2.5, text), "2.50");
    assert_text(number_short(1280, text), "1,280");
}

static void decimals(void **state) {
    (void)state;
    assert_text(number_fixed(1924.14, 1, text), "1,924.1");
    assert_text(number_fixed(-0.25, 1, text), "-0.2");
    assert_text(number_fixed(0, 2, text), "0.00");
    assert_text(number_fixed(44.15, 1, text), "44.1"); /* the double is a little less, and times ten it is 441.5 */
    assert_text(number_fixed(35.45, 1, text), "35.5"); /* and this one a little more */
    assert_text(number_fixed(1e300, 2, text), "1.00e+300");
    assert_text(number_whole(1279.5, text), "1,280");
    assert_text(number_whole(1e15, text), "1.00e+15");
    assert_text(number_coordinate(1234.5, 1, text), "1234.5");
    assert_text(number_coordinate(12, 1, text), "12");
    assert_text(number_coordinate(0.25, 1, text), "0.3");
    assert_text(number_coordinate(-0.04, 1, text), "0");
    assert_text(number_coordinate(1.23456789, 6, text), "1.234568");
}

static void quantities(void **state) {
    static const struct {
        double value;
        const char *unit, *text;
    } cases[] = {
        {26.73e12, "FLOP/s", "26.7 TFLOP/s"},
        {117.7e6, "B", "118 MB"},
        {3.514e-5, "s", "35.1 us"},
        {0.9996e-3, "s", "1.00 ms"},
        {4000, "s", "4,000 s"},
        {999.7e9, "B", "1.00 TB"},
        {0.25, "FLOP", "0.250 FLOP"},
        {0, "B", "0 B"},
        {3e-10, "s", "300 ps"},
        {1.04e-12, "s", "1.04 ps"},
        {1.1e-16, "s", "110 as"},
        {2e18, "FLOP", "2.00 EFLOP"},
        {6.3e24, "FLOP", "6.30 YFLOP"},
        {3.35e12, "B/s", "3.35 TB/s"},
        {999.9e9, "B/s", "1.00 TB/s"},
        {240.4, "tok/s", "240 tok/s"},
        {15283, "tok/s", "15.3 ktok/s"},
        {0.5, "tok/s", "0.500 tok/s"},
        {0.0042, "J", "4.20 mJ"},
        {1.98e9, "Hz", "1.98 GHz"},
        {HUGE_VAL, "s", "inf s"},
        {-3.5e-3, "s", "-3.50 ms"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_text(number_si(cases[i].value, cases[i].unit, text), cases[i].text);
    assert_text(number_quantity(2e12, "B/s", 3, true, text), "2 TB/s");
    assert_text(number_quantity(0.01675, "s", 2, false, text), "17 ms");
    assert_int_equal(strlen(number_si(1.5, "a unit that is far longer than any buffer", text)), NUMBER_SIZE - 1);
}

static void shares_and_factors(void **state) {
    static const struct {
        double share;
        const char *text;
    } cases[] = {
        {0.259, "25.9%"},    {0.2304, "23.0%"}, {0.7412, "74.1%"},  {0.0272, "2.7%"},  {0.95, "95%"},
        {0.07, "7%"},        {1, "100%"},       {0.9996, "100.0%"}, {0, "0%"},         {12.344, "1,234%"},
        {9.99981, "1,000%"}, {0.0004, "0.04%"}, {3e-9, "3e-07%"},   {-0.031, "-3.1%"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_text(number_percent(cases[i].share, text), cases[i].text);
    assert_text(number_factor(1.534, text), "1.53x");
    assert_text(number_factor(0.21, text), "0.210x");
    assert_text(number_factor(37.01, text), "37.0x");
    assert_text(number_factor(9.996, text), "10.0x");
    assert_text(number_factor(295.3, text), "295x");
}

/* ---- properties ---- */

/* The value that a reader takes from a quantity; a reader of its own, so that no mistake is made twice. */
static double read_back(const char *quantity, const char *unit) {
    static const char letters[] = "afpnum kMGTPEZY";
    char digits[NUMBER_SIZE];
    size_t used = 0;
    const char *at = quantity;
    for (; *at && *at != ' '; at++)
        if (*at != ',')
            digits[used++] = *at;
    digits[used] = '\0';
    const char *prefix = *++at && strcmp(at, unit) != 0 ? strchr(letters, *at) : strchr(letters, ' ');
    if (!prefix || strcmp(at + (*prefix != ' '), unit) != 0)
        fail_msg("'%s' does not end in a prefix and '%s'", quantity, unit);
    return strtod(digits, NULL) * pow(10, 3.0 * (double)(prefix - letters) - 18);
}

static uint64_t random_state = 88172645463325252u;

static double random_share(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

static void what_is_written_reads_back(void **state) {
    static const char *const units[] = {"FLOP/s", "B", "B/s", "s", "tok/s", "J", "W", "Hz", "FLOP"};
    (void)state;
    for (int i = 0; i < 200000; i++) {
        double value = pow(10, -18 + 42 * random_share());
        const char *unit = units[i % 9];
        double got = read_back(number_si(value, unit, text), unit);
        if (!(fabs(got / value - 1) <= 0.00501))
            fail_msg("%.17g %s is written '%s'", value, unit, text);
        if (strlen(text) > 26)
            fail_msg("%.17g %s is written '%s', too wide for a column", value, unit, text);
    }
}

static void nothing_reads_as_zero_that_is_not(void **state) {
    (void)state;
    for (int i = 0; i < 200000; i++) {
        double value = pow(10, -300 + 600 * random_share());
        int digits = 1 + i % 6;
        char si[NUMBER_SIZE], percent[NUMBER_SIZE];
        number_digits(value, digits, i % 2, text);
        number_si(value, "s", si);
        number_percent(value, percent);
        const char *const all[] = {text, si, percent};
        for (size_t j = 0; j < sizeof all / sizeof *all; j++)
            if (strcspn(all[j], "123456789e") == strcspn(all[j], "e"))
                fail_msg("%.17g is written '%s'", value, all[j]);
    }
}

/* A larger value never has a smaller text. */
static void texts_rise_with_their_values(void **state) {
    double last = 0;
    (void)state;
    for (double value = 1e-15; value < 1e20; value *= 1.0007) {
        double got = read_back(number_si(value, "Hz", text), "Hz");
        if (!(got >= last * (1 - 1e-12)))
            fail_msg("%.17g is written '%s', less than the value before it", value, text);
        last = got;
    }
}

/* With three digits no quantity takes more than eight characters before its unit: "0.000123" is the longest. */
static void prefixes_keep_texts_short(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        double value = pow(10, 26.99 * random_share());
        number_si(value, "B", text);
        if (strlen(text) > strlen("1.00 YB"))
            fail_msg("%.17g B is written '%s'", value, text);
    }
}

/* A comma locale changes what printf() writes; it must not change us. Where none is installed, nothing is shown. */
static void the_locale_does_not_matter(void **state) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "C"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setlocale(LC_ALL, names[i]))
            break;
    assert_text(number_si(3.35e12, "B/s", text), "3.35 TB/s");
    assert_text(number_three(1e-7, text), "1.00e-07");
    assert_text(number_percent(0.259, text), "25.9%");
    setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(significant_digits),
        cmocka_unit_test(decimals),
        cmocka_unit_test(quantities),
        cmocka_unit_test(shares_and_factors),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(nothing_reads_as_zero_that_is_not),
        cmocka_unit_test(texts_rise_with_their_values),
        cmocka_unit_test(prefixes_keep_texts_short),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
