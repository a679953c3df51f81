/* How an expected time is written: with its range, beside a bound, on a chart, and as JSON that adds up. */
#include "cli/say/expected.h"

#include <string.h>

#include "roofline_chart.h"
#include "test.h"

static const roof_expected step = {.seconds = 43.9e-6,
                                   .low = 37.8e-6,
                                   .high = 54.9e-6,
                                   .confidence = 0.8,
                                   .term = {[ROOF_TERM_MEMORY] = 40.6e-6, [ROOF_TERM_LAUNCH] = 3.3e-6},
                                   .kernels = 1};

static void range_in_one_unit(void **state) {
    char text[EXPECTED_SIZE];
    (void)state;
    assert_string_equal(expected_text(&step, text), "43.9 us (37.8-54.9)");
    roof_expected edge = {.seconds = 1.05e-3, .low = 0.892e-3, .high = 1.31e-3};
    assert_string_equal(expected_text(&edge, text), "1.05 ms (0.892-1.31)");
    roof_expected hour = {.seconds = 4000, .low = 3000, .high = 5000};
    assert_string_equal(expected_text(&hour, text), "4,000 s (3,000-5,000)");
}

static void note_names_the_engine(void **state) {
    char text[EXPECTED_SIZE];
    engine_constants constants = {.engine = ROOF_ENGINE_ALONE};
    (void)state;
    assert_string_equal(expected_note(&step, 35.1e-6, &constants, text), "1.25x the least, 80% interval, no engine");
    constants.engine = ROOF_ENGINE_SERVING;
    assert_string_equal(expected_note(&step, 35.1e-6, &constants, text), "1.25x the least, 80% interval, in serving");
    assert_string_equal(expected_note(&step, 0, &constants, text), "80% interval, in serving");
}

static void detail_only_where_it_fits(void **state) {
    static roof_drawing drawing;
    (void)state;
    strcpy(drawing.details[0], "221 tok/s, 4.5 ms");
    expected_detail(&step, 2, &drawing, 0);
    assert_string_equal(drawing.details[0], "221 tok/s, 4.5 ms; expected 44 us");
    strcpy(drawing.details[1], "61.9k tok/s"); /* says no time */
    expected_detail(&step, 2, &drawing, 1);
    assert_string_equal(drawing.details[1], "61.9k tok/s");
    memset(drawing.details[2], 'x', sizeof drawing.details[2] - 4);
    drawing.details[2][3] = ',';
    expected_detail(&step, 2, &drawing, 2);
    assert_null(strchr(drawing.details[2], ';'));
}

static void engine_without_a_word_is_the_default(void **state) {
    cli_settings settings = {0};
    (void)state;
    assert_int_equal(engine_asked(&settings, ROOF_ENGINE_GRAPH), ROOF_ENGINE_GRAPH);
    settings.engine = (engine_choice){true, ROOF_ENGINE_UNKNOWN};
    assert_int_equal(engine_asked(&settings, ROOF_ENGINE_GRAPH), ROOF_ENGINE_UNKNOWN);
}

static void json_terms_add_up(void **state) {
    text_out out = {0};
    (void)state;
    emit json = emit_to(text_write, &out);
    emit_object(&json, NULL);
    expected_json(&step, 2, true, &json);
    emit_end(&json);
    assert_int_equal(emit_finish(&json), 0);
    assert_non_null(strstr(out.bytes, "\"seconds\": 8.78e-05"));
    assert_non_null(strstr(out.bytes, "{\"name\": \"memory\", \"seconds\": 8.12e-05}"));
    assert_non_null(strstr(out.bytes, "{\"name\": \"launches\", \"seconds\": 6.6e-06}"));
    assert_null(strstr(out.bytes, "compute"));
    text_free(&out);
}

static void bill_shows_each_term_and_the_total(void **state) {
    text_out out = {0};
    expected_bill bill = {0};
    (void)state;
    bill_add(&bill, "decode", &step);
    bill_add(&bill, "nothing", &(roof_expected){0});
    bill_print(&bill, &out);
    assert_int_equal(bill.count, 1);
    assert_non_null(strstr(out.bytes, "decode, us"));
    assert_non_null(strstr(out.bytes, "    memory          40.6\n"));
    assert_non_null(strstr(out.bytes, "    launches         3.3\n"));
    assert_non_null(strstr(out.bytes, "    total           43.9\n"));
    assert_null(strstr(out.bytes, "skew"));
    text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_in_one_unit),         cmocka_unit_test(note_names_the_engine),
        cmocka_unit_test(detail_only_where_it_fits), cmocka_unit_test(engine_without_a_word_is_the_default),
        cmocka_unit_test(json_terms_add_up),         cmocka_unit_test(bill_shows_each_term_and_the_total),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
