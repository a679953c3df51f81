/* Scales, widths, wrapping and overlap: the parts under a chart. */
#include "chart/geometry.h"
#include "chart/metrics.h"
#include "chart/roofs.h"
#include "chart/scale.h"
#include "chart/words.h"
#include "test.h"

static void decades_never_use_powers(void **state) {
    static const struct {
        int exponent;
        const char *text;
    } cases[] = {
        {-4, "0.0001"}, {-1, "0.1"}, {0, "1"},   {3, "1,000"}, {6, "1,000,000"},
        {7, "10M"},     {9, "1G"},   {12, "1T"}, {15, "1P"},
    };
    char text[NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(chart_decade(text, cases[i].exponent), cases[i].text);
    for (int exponent = -40; exponent < 60; exponent++)
        assert_null(strchr(chart_decade(text, exponent), '+'));
}

static void words_for_rates_and_times(void **state) {
    char text[NUMBER_SIZE];
    (void)state;
    assert_string_equal(chart_rate(text, 221), "221");
    assert_string_equal(chart_rate(text, 1645), "1.6k");
    assert_string_equal(chart_rate(text, 15283), "15.3k");
    assert_string_equal(chart_rate(text, 999.7), "1.0k");
    assert_string_equal(chart_rate(text, 128400), "128k");
    assert_string_equal(chart_rate(text, 2.5e6), "2.5M");
    assert_string_equal(number_quantity(0.01675, "s", 2, false, text), "17 ms");
    assert_string_equal(number_quantity(4.53e-3, "s", 2, false, text), "4.5 ms");
    assert_string_equal(number_quantity(35.12e-6, "s", 3, false, text), "35.1 us");
    assert_string_equal(number_quantity(1.25, "s", 3, false, text), "1.25 s");
    assert_string_equal(chart_factor(text, 1.526), "1.53");
    assert_string_equal(chart_factor(text, 3.7), "3.7");
    assert_string_equal(chart_factor(text, 69.2), "69");
}

static void scales_and_units(void **state) {
    chart_scale scale = {.low = 0, .high = 3, .from = 100, .to = 400};
    (void)state;
    assert_near(chart_at(&scale, 1), 100, 1e-12);
    assert_near(chart_at(&scale, 100), 300, 1e-12);
    assert_near(chart_per_decade(&scale), 100, 1e-12);
    assert_string_equal(chart_unit_of(989.4e12).prefix, "T");
    assert_string_equal(chart_unit_of(107e9).prefix, "G");
    assert_string_equal(chart_unit_of(2.5e12).prefix, "G");
    assert_string_equal(chart_unit_of(1.4e18).prefix, "P");
    assert_string_equal(chart_unit_of(5).prefix, "");
}

/* Inter, DejaVu Sans and Liberation Sans set these no wider (hmtx tables, units per em 2048 and 2816). */
static void widths_cover_common_fonts(void **state) {
    chart_font text = {1000, 400}, bold = {1000, 600};
    (void)state;
    assert_near(chart_width("0", text), 637, 1e-12);        /* DejaVu Sans 1303 / 2048 */
    assert_near(chart_width("W", text), 989, 1e-12);        /* DejaVu Sans 2025 / 2048 */
    assert_near(chart_width("0", bold), 696, 1e-12);        /* DejaVu Sans Bold 1425 / 2048 */
    assert_true(chart_width("\xE6\xB3\xA8", text) >= 1000); /* a CJK letter fills its square */
    assert_near(chart_width("ab", text), chart_width("a", text) + chart_width("b", text), 1e-12);
}

static void fitting_and_wrapping(void **state) {
    char out[CHART_LINE], lines[CHART_LINE_COUNT][CHART_LINE];
    chart_font font = {10, 400};
    bool whole;
    (void)state;
    assert_true(chart_fit(out, "short", font, 200));
    assert_string_equal(out, "short");
    assert_false(chart_fit(out, "a text that does not fit", font, 60));
    assert_non_null(strstr(out, "\xE2\x80\xA6"));
    assert_true(chart_width(out, font) <= 60);
    int used = chart_wrap(lines, 3, "one two three four five six", font, 80, false, &whole);
    assert_true(whole && used >= 2);
    for (int i = 0; i < used; i++)
        assert_true(chart_width(lines[i], font) <= 80);
    int even = chart_wrap(lines, 3, "one two three four five six", font, 110, true, &whole);
    assert_int_equal(even, 2);
    assert_true(fabs(chart_width(lines[0], font) - chart_width(lines[1], font)) < 30);
    assert_int_equal(chart_wrap(lines, 2, "far too many words for two short lines of text", font, 60, false, &whole),
                     2);
    assert_false(whole);
    assert_int_equal(chart_wrap(lines, 2, "   ", font, 60, false, &whole), 0);
}

/* Broken text becomes U+FFFD or a space, never broken output. */
static void broken_text_is_mended(void **state) {
    static const char *const broken[] = {
        "\xFF", "\xC3", "\xE2\x82", "\xED\xA0\x80", "\xC0\x80", "\xF4\x90\x80\x80", "\x01", "\xEF\xBF\xBE"};
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        const char *at = broken[i];
        unsigned code = chart_code(&at);
        assert_true(code == 0xFFFD || code == ' ');
        assert_true(at > broken[i]);
    }
    const char *fine = "\xE2\x82\xAC\xF0\x9F\x98\x80\xEF\xBF\xBD";
    char bytes[4];
    assert_int_equal(chart_code(&fine), 0x20AC);
    assert_int_equal(chart_code(&fine), 0x1F600);
    assert_int_equal(chart_code(&fine), 0xFFFD);
    assert_int_equal(chart_code(&fine), 0);
    assert_int_equal(chart_encode(0x1F600, bytes), 4);
    assert_memory_equal(bytes, "\xF0\x9F\x98\x80", 4);
}

static void boxes_overlap_or_not(void **state) {
    chart_quad a = chart_box(0, 0, 10, 10), b = chart_box(9, 9, 20, 20), c = chart_box(10, 0, 20, 10);
    (void)state;
    assert_true(chart_overlap(&a, &b));
    assert_false(chart_overlap(&a, &c)); /* they touch */
    chart_quad diamond = {{15, 20, 15, 10}, {0, 5, 10, 5}}, corner = chart_box(10, 0, 12, 2);
    assert_false(chart_overlap(&diamond, &corner)); /* inside its bounds, outside the shape */
    chart_quad turned = chart_turned(chart_box(0, -1, 20, 1), 0, 0, 45), far = chart_box(12, 0, 20, 4);
    assert_false(chart_overlap(&turned, &far));
    assert_true(chart_meets_segment(&a, -5, 5, 15, 5, 1));
    assert_false(chart_meets_segment(&a, -5, 12, 15, 12, 1));
    assert_false(chart_meets_segment(&a, 11.5, -5, 11.5, 15, 1));
    assert_false(chart_meets_segment(&a, 12, 12, 30, 30, 1));
}

static void dtypes_read_as_engineers_write_them(void **state) {
    char name[24];
    (void)state;
    chart_dtype_name(ROOF_F64, name);
    assert_string_equal(name, "FP64");
    chart_dtype_name(ROOF_BF16, name);
    assert_string_equal(name, "BF16");
    chart_dtype_name(ROOF_FP8, name);
    assert_string_equal(name, "FP8");
    chart_dtype_name(ROOF_TF32, name);
    assert_string_equal(name, "TF32");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decades_never_use_powers), cmocka_unit_test(words_for_rates_and_times),
        cmocka_unit_test(scales_and_units),         cmocka_unit_test(widths_cover_common_fonts),
        cmocka_unit_test(fitting_and_wrapping),     cmocka_unit_test(broken_text_is_mended),
        cmocka_unit_test(boxes_overlap_or_not),     cmocka_unit_test(dtypes_read_as_engineers_write_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
