/* Numbers in, and the unit of a column. */
#include "test.h"

#include "cli/out/number.h"
#include "cli/out/weight_format.h"

static void assert_reads(const char *text, quantity kind, double wanted) {
    double value = -1;
    if (number_parse(text, kind, &value) != 0)
        fail_msg("'%s' is not read", text);
    if (value != wanted)
        fail_msg("'%s' is %.17g, not %.17g", text, value, wanted);
}

static void assert_refused(const char *text, quantity kind) {
    double value = 42;
    if (number_parse(text, kind, &value) == 0)
        fail_msg("'%s' is read as %.17g", text, value);
    assert_true(value == 42); /* untouched */
}

static void reads_what_people_write(void **state) {
    (void)state;
    assert_reads("8", QUANTITY_COUNT, 8);
    assert_reads("1e12", QUANTITY_COUNT, 1e12);
    assert_reads("1E3", QUANTITY_COUNT, 1000);
    assert_reads("4k", QUANTITY_COUNT, 4000);
    assert_reads("4Ki", QUANTITY_COUNT, 4096);
    assert_reads("118.01M", QUANTITY_COUNT, 118.01e6);
    assert_reads("118.01MFLOP", QUANTITY_COUNT, 118.01e6);
    assert_reads("2E", QUANTITY_COUNT, 2e18);
    assert_reads(".5", QUANTITY_COUNT, 0.5);
    assert_reads("5.", QUANTITY_COUNT, 5);
    assert_reads("-3", QUANTITY_COUNT, -3);
    assert_reads("+3", QUANTITY_COUNT, 3);
    assert_reads("3.0TB/s", QUANTITY_BANDWIDTH, 3e12);
    assert_reads("3.35 TB/s", QUANTITY_BANDWIDTH, 3.35e12);
    assert_reads("450GB", QUANTITY_BANDWIDTH, 450e9);
    assert_reads("989.4TFLOP/s", QUANTITY_RATE, 989.4e12);
    assert_reads("989.4T", QUANTITY_RATE, 989.4e12);
    assert_reads("2POP/s", QUANTITY_RATE, 2e15);
    assert_reads("64GB", QUANTITY_BYTES, 64e9);
    assert_reads("80GiB", QUANTITY_BYTES, 80.0 * 1024 * 1024 * 1024);
    assert_reads("50ms", QUANTITY_SECONDS, 0.05);
    assert_reads("4us", QUANTITY_SECONDS, 4e-6);
    assert_reads("4\xc2\xb5s", QUANTITY_SECONDS, 4e-6);
    assert_reads("7ns", QUANTITY_SECONDS, 7e-9);
    assert_reads("0.05", QUANTITY_SECONDS, 0.05);
    assert_reads("95%", QUANTITY_SHARE, 0.95);
    assert_reads("0.95", QUANTITY_SHARE, 0.95);
    assert_reads("240tok/s", QUANTITY_TOKENS, 240);
    assert_reads("50ms", QUANTITY_ANY, 0.05);
    assert_reads("3GB", QUANTITY_ANY, 3e9);
}

static void refuses_everything_else(void **state) {
    static const char *const bad[] = {"",      " ",      "x",    "1x",  "1 ",  " 1",  "1,5",  "nan",
                                      "inf",   "-inf",   "0x10", "1e",  "1e+", "--1", "1..2", "1 2",
                                      "1e400", "-1e999", "k",    "1kk", "5m",  "1mB", "1 - "};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(bad[i], QUANTITY_COUNT);
    assert_refused("50m", QUANTITY_SECONDS);
    assert_refused("50Ms", QUANTITY_SECONDS);
    assert_refused("50GB", QUANTITY_SECONDS);
    assert_refused("50ms", QUANTITY_BYTES);
    assert_refused("5mB", QUANTITY_BYTES);
    assert_refused("3TB/s", QUANTITY_RATE);
    assert_refused("0000000000000000000000000000000000000000000000000000000000000000000001", QUANTITY_COUNT);
}

static void errors_show_how(void **state) {
    roof_error error;
    double value;
    (void)state;
    assert_int_equal(number_read("--bandwidth", "fast", QUANTITY_BANDWIDTH, &value, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
    assert_string_equal(error.what, "--bandwidth 'fast' is not a bandwidth");
    assert_string_equal(error.hint, "write it like 3.35TB/s or 3.35e12");
}

/* One unit for a whole column: the smallest value's, unless the largest would be unreadable in it. */
static void columns(void **state) {
    const double close[] = {4.53e-3, 16.8e-3, 0}, far[] = {1e-9, 2.0};
    (void)state;
    assert_string_equal(number_column(close, 3).prefix, "m");
    assert_string_equal(number_column(far, 2).prefix, "");
    assert_string_equal(number_column(close, 0).prefix, "");
}

static void plain_numbers(void **state) {
    char text[NUMBER_SIZE];
    (void)state;
    assert_string_equal(number_plain(4096, text), "4096");
    assert_string_equal(number_plain(0.5, text), "0.5");
}

static void weight_formats(void **state) {
    roof_format format;
    roof_error error;
    (void)state;
    assert_int_equal(format_parse("int4-g128", &format, &error), 0);
    assert_near(roof_format_bytes(&format, 4096, 4096), 4096.0 * 4096 * (4 + 16.0 / 128) / 8, 1e-12);
    assert_int_equal(format_parse("int4-g128-z", &format, &error), 0);
    assert_near(roof_format_bytes(&format, 4096, 4096), 4096.0 * 4096 * (4 + 20.0 / 128) / 8, 1e-12);
    assert_int_equal(format_parse("fp8-128x128", &format, &error), 0);
    assert_near(roof_format_bytes(&format, 256, 256), 256.0 * 256 + 4 * 4, 1e-12);
    assert_int_equal(format_parse("bf16", &format, &error), 0);
    assert_near(roof_format_bytes(&format, 10, 10), 200, 0);
    assert_int_equal(format_parse("fp8-e5m2", &format, &error), 0);
    assert_int_equal(format.dtype, ROOF_FP8_E5M2);
    static const char *const bad[] = {"",       "-",        "int4-",         "int4-g",      "int4-g0", "int4-128",
                                      "int4-z", "fp8-128x", "fp8-128x128x2", "int4-g128-q", "x-g128"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (format_parse(bad[i], &format, &error) == 0)
            fail_msg("'%s' is read as a format", bad[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_people_write), cmocka_unit_test(refuses_everything_else),
        cmocka_unit_test(errors_show_how),         cmocka_unit_test(columns),
        cmocka_unit_test(plain_numbers),           cmocka_unit_test(weight_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
