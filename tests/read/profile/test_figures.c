/* Numbers as tools print them, and the decision about the decimal mark. */
#include "read/profile/figures.h"
#include "read/profile/lines.h"
#include "test.h"

static void expect_number(char decimal, const char *text, double want) {
    double value;
    figure_kind kind = figure_read(decimal, text, &value);
    if (kind != FIGURE_NUMBER || value < want || value > want)
        fail_msg("'%s' with %c is %g (kind %d), not %g", text, decimal ? decimal : '0', value, (int)kind, want);
}

static void expect_kind(char decimal, const char *text, figure_kind want) {
    double value;
    figure_kind kind = figure_read(decimal, text, &value);
    if (kind != want)
        fail_msg("'%s' with %c is of kind %d (%g), not %d", text, decimal ? decimal : '0', (int)kind, value, (int)want);
}

static void test_numbers(void **state) {
    (void)state;
    expect_number('.', "5,318,969,728.00", 5318969728.0);
    expect_number(',', "27.595.520", 27595520);
    expect_number(',', "65,77", 65.77);
    expect_number('.', "1.2e9", 1.2e9);
    expect_number(',', "1,2E-3", 1.2e-3);
    expect_number('.', "12 345", 12345);
    expect_number(',', "12 345,5", 12345.5);
    expect_number('.', "12'345.5", 12345.5);
    expect_number('.',
                  "12\xC2\xA0"
                  "345",
                  12345);
    expect_number(',',
                  "12\xE2\x80\xAF"
                  "345,25",
                  12345.25);
    expect_number('.',
                  "5\xE2\x80\x99"
                  "318\xE2\x80\x99"
                  "969.5",
                  5318969.5);                 /* Switzerland */
    expect_number('.', "12,34,567", 1234567); /* lakhs */
    expect_number('.', "+7", 7);
    expect_number('.', "-0.5", -0.5);
    expect_number('.', " 42 ", 42);
    expect_number('.', "1,234 ", 1234);
    expect_number(0, "1,234", 1234);
    expect_number('.', ".5", 0.5);
}

/* A sign in a place where the decided style has none is no number: never ten or a thousand times too much. */
static void test_contradictions(void **state) {
    (void)state;
    static const struct {
        char decimal;
        const char *text;
    } bad[] = {{',', "1.5"},
               {'.', "1,5"},
               {'.', "1,23"},
               {',', "12.34"},
               {'.', "1234,567"},
               {',', "1,5.5"},
               {'.', "1.234.5"},
               {'.', "1,2345.6"},
               {',', "1.234,5,6"},
               {'.', "1.5,000"},
               {'.', "1,234,56"},
               {',', "0.12"},
               {'.', "12 34"},
               {'.', "1 2"},
               {'.', "1234 567"},
               {'.', "1'23'456"},
               {'.', "1 234'567"},
               {',', "1 234.567"},
               {'.', "1.234 567"},
               {'.', "12'3456"},
               {'.', "1 234 56"},
               {'.', "12\xC2\xA0"
                     "34"},
               {'.', "12\xE2\x80\xAF"
                     "3456"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_kind(bad[i].decimal, bad[i].text, FIGURE_TEXT);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!figure_misgrouped(bad[i].decimal, bad[i].text))
            fail_msg("'%s' is taken for well grouped", bad[i].text);
    assert_false(figure_misgrouped('.', "12 345.5"));
    assert_false(figure_misgrouped('.', "word"));
    assert_false(figure_misgrouped(0, "1,234"));
}

static void test_absent_and_words(void **state) {
    (void)state;
    static const char *const absent[] = {
        "", "  ", "n/a", "N/A", "nan", "-nan", "-", "(null)", "<not counted>", "<not supported>", "None"};
    static const char *const words[] = {"abc",
                                        "1x",
                                        "x1",
                                        "1e",
                                        "e5",
                                        "--1",
                                        "0x10",
                                        "inf",
                                        "1.2.3e4",
                                        "1e999",
                                        "1111111111111111111111111111111111111111111111111111111111111111111111"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        expect_kind('.', absent[i], FIGURE_ABSENT);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect_kind('.', words[i], FIGURE_TEXT);
}

static char decide(const char *const *texts, size_t count) {
    figure_style style = {0};
    roof_error error = {0};
    for (size_t i = 0; i < count; i++)
        figure_observe(&style, texts[i]);
    return figure_decide(&style, 0, &error) ? '?' : style.decimal;
}
#define DECIDE(...)                                                                                                    \
    decide((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void test_decisions(void **state) {
    (void)state;
    assert_int_equal(DECIDE("12", "3"), '.'); /* no sign at all: a C locale */
    assert_int_equal(DECIDE("0.5"), '.');
    assert_int_equal(DECIDE("0,5"), ',');
    assert_int_equal(DECIDE("1.234,5"), ',');
    assert_int_equal(DECIDE("1,234.5"), '.');
    assert_int_equal(DECIDE("1.234"), '?'); /* one and a bit, or a thousand */
    assert_int_equal(DECIDE("1,234"), '?');
    assert_int_equal(DECIDE("1.234", "1.5"), '.');
    assert_int_equal(DECIDE("1,234", "1,234,567"), '.');
    assert_int_equal(DECIDE("1.234", "1.234.567"), ',');
    assert_int_equal(DECIDE("1.234", "12345"), '.'); /* 12345 is not grouped, so nothing is */
    assert_int_equal(DECIDE("1,234", "12345"), ',');
    assert_int_equal(DECIDE("1.5", "1,5"), '?');
    assert_int_equal(DECIDE("1.234", "1,234"), '?');
    assert_int_equal(DECIDE("0.125"), '.'); /* a group does not begin with 0 */
    assert_int_equal(DECIDE("1.234e3"), '.');
    assert_int_equal(DECIDE("word", "n/a"), '.');
}

static void test_asked_mark(void **state) {
    (void)state;
    figure_style style = {0};
    figure_observe(&style, "1.234");
    assert_int_equal(figure_decide(&style, ',', NULL), 0);
    assert_int_equal(style.decimal, ',');
    roof_error error = {0};
    figure_style unsure = {0};
    figure_observe(&unsure, "1.234");
    assert_int_equal(figure_decide(&unsure, 0, &error), -1);
    assert_non_null(strstr(error.what, "'1.234'"));
    assert_int_equal(error.remedy, ROOF_REMEDY_DECIMAL);
}

static void test_units(void **state) {
    (void)state;
    assert_exact(unit_factor("usecond"), 1e-6);
    assert_exact(unit_factor("Mbyte"), 1e6);
    assert_exact(unit_factor("KiB"), 1024);
    assert_exact(unit_factor("MiB"), 1048576);
    assert_exact(unit_factor("%"), 0.01);
    assert_exact(unit_factor("Ghz"), 1e9);
    assert_near(unit_factor("cycle/nsecond"), 1e9, 1e-12);
    assert_near(unit_factor("Gbyte/second"), 1e9, 1e-12);
    assert_exact(unit_factor(""), 1);
    assert_exact(unit_factor(" ms "), 1e-3);
    assert_true(unit_factor("furlong") < 0);
    assert_true(unit_factor("byte/furlong") < 0);
}

/* ---- lines and fields ---- */

static void test_lines(void **state) {
    (void)state;
    static const char text[] = "\xEF\xBB\xBF"
                               "first\r\n\nthird";
    stream *in = stream_memory(text, sizeof text - 1, NULL);
    lines *from = lines_of(in, NULL);
    size_t length;
    assert_string_equal(lines_next(from, &length), "first");
    assert_int_equal(length, 5);
    assert_int_equal(lines_number(from), 1);
    lines_back(from);
    assert_string_equal(lines_next(from, &length), "first");
    assert_string_equal(lines_next(from, &length), "");
    assert_true(lines_complete(from));
    assert_string_equal(lines_next(from, &length), "third");
    assert_int_equal(lines_number(from), 3);
    assert_false(lines_complete(from));
    assert_null(lines_next(from, &length));
    lines_free(from);
    stream_close(in);
}

static void test_fields(void **state) {
    (void)state;
    static csv_row row;
    char line[] = " a , \"b, \"\"c\"\"\" ,,d\t e ,\"open";
    csv_split(line, ',', &row);
    assert_int_equal(row.count, 5);
    assert_string_equal(row.fields[0], "a");
    assert_string_equal(row.fields[1], "b, \"c\"");
    assert_true(row.quoted[1]);
    assert_string_equal(row.fields[2], "");
    assert_string_equal(row.fields[3], "d\t e");
    assert_string_equal(row.fields[4], "open");
    assert_true(row.cut);
    char tabs[] = "a\t\tb";
    csv_split(tabs, '\t', &row);
    assert_int_equal(row.count, 3);
    assert_string_equal(row.fields[1], "");
    assert_false(row.cut);
    char header[] = "Kernel Name,total TIME";
    csv_split(header, ',', &row);
    assert_int_equal(csv_column(&row, "name|kernelname"), 0);
    assert_int_equal(csv_column(&row, "total time"), 1);
    assert_int_equal(csv_column(&row, "time"), -1);
}

static void test_too_many_fields(void **state) {
    (void)state;
    static csv_row row;
    static char line[2 * CSV_FIELDS_MAX + 64];
    for (size_t i = 0; i < sizeof line - 1; i++)
        line[i] = i % 2 ? ',' : '1';
    csv_split(line, ',', &row);
    assert_int_equal(row.count, CSV_FIELDS_MAX);
    assert_true(row.cut);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_absent_and_words),
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_asked_mark),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_too_many_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
