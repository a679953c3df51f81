/* The chart of a measurement. Figures of the first: one guest with AVX-512, short windows (the table in
 * docs/measure.md). */
#include <stdlib.h>

#include "chart/layout.h"
#include "check.h"
#include "roofline_measure.h"
#include "test.h"

#define MEASURED(v)                                                                                                    \
    { .value = (v), .origin = ROOF_ORIGIN_MEASURED }

static const roof_sample guest_samples[] = {
    {.pattern = ROOF_PATTERN_FMA_ADD, .isa = "avx512", .dtype = ROOF_F64, .threads = 2, .value = 333e9},
    {.pattern = ROOF_PATTERN_FMA, .isa = "avx512", .dtype = ROOF_F64, .threads = 2, .value = 225e9},
    {.pattern = ROOF_PATTERN_FMA, .isa = "avx512", .dtype = ROOF_F32, .threads = 2, .value = 450e9},
    {.pattern = ROOF_PATTERN_MUL, .isa = "avx512", .dtype = ROOF_F64, .threads = 2, .value = 112e9},
    {.pattern = ROOF_PATTERN_ADD, .isa = "avx512", .dtype = ROOF_F64, .threads = 2, .value = 111e9},
    {.pattern = ROOF_PATTERN_FMA, .isa = "avx2", .dtype = ROOF_F64, .threads = 2, .value = 114e9},
    {.pattern = ROOF_PATTERN_FMA, .isa = "scalar", .dtype = ROOF_F64, .threads = 2, .value = 28e9},
    {.pattern = ROOF_PATTERN_FMA, .isa = "scalar", .dtype = ROOF_F64, .threads = 1, .value = 14e9},
    {.pattern = ROOF_PATTERN_CHASE, .isa = "base", .level = ROOF_L1, .threads = 1, .value = 1.2e-9},
    {.pattern = ROOF_PATTERN_CHASE, .isa = "base", .level = ROOF_L2, .threads = 1, .value = 4.5e-9},
    {.pattern = ROOF_PATTERN_CHASE, .isa = "base", .level = ROOF_L3, .threads = 1, .value = 36e-9},
    {.pattern = ROOF_PATTERN_CHASE, .isa = "base", .level = ROOF_DRAM, .threads = 1, .value = 149e-9},
};

static roof_measurement guest(void) {
    roof_measurement measurement = {
        .date = "2026-11-30T15:20:00Z",
        .cpu = "AMD EPYC 9R45",
        .threads = 2,
        .machine = {.id = "this",
                    .name = "AMD EPYC 9R45, 2 cores",
                    .peak = {[ROOF_VECTOR] = {[ROOF_F64] = MEASURED(333e9), [ROOF_F32] = MEASURED(666e9)}},
                    .bandwidth = {[ROOF_DRAM] = MEASURED(95e9),
                                  [ROOF_L3] = MEASURED(190e9),
                                  [ROOF_L2] = MEASURED(430e9),
                                  [ROOF_L1] = MEASURED(1100e9)}},
        .one = {.id = "this", .bandwidth = {[ROOF_DRAM] = MEASURED(46e9)}},
        .samples = guest_samples,
        .sample_count = sizeof guest_samples / sizeof guest_samples[0],
    };
    return measurement;
}

static roof_drawing drawn; /* large */

/* No label touches another thing, at any width. */
static void check_layouts(void) {
    chart_layout *layout = malloc(sizeof *layout);
    for (double width = 420; width < 1700; width += 90) {
        chart_roofs roofs;
        char fault[200];
        assert_int_equal(chart_roofs_of(&drawn.chart, &roofs, NULL), 0);
        assert_int_equal(chart_layout_make(&drawn.chart, &roofs, width, layout, NULL), 0);
        if (chart_layout_faults(layout, fault, sizeof fault))
            fail_msg("at width %g: %s", width, fault);
    }
    free(layout);
}

static void build(const roof_measurement *measurement) {
    roof_error error = {0};
    if (roof_chart_of_measurement(measurement, &drawn, &error))
        fail_msg("%s", error.what);
    drawing svg = drawing_of(&drawn.chart, 1080);
    check_xml(svg.bytes);
    drawing_free(&svg);
    drawing text = drawing_text(&drawn.chart, 80, 24, false, false);
    drawing_free(&text);
    check_layouts();
}

static void all_levels_and_ceilings(void **state) {
    (void)state;
    roof_measurement measurement = guest();
    build(&measurement);
    assert_string_equal(
        drawn.title,
        "Two cores attain 333 GFLOP/s in FP64 and 95 GB/s from DRAM: work below 3.5 FLOP per byte is memory-bound");
    assert_int_equal(drawn.chart.level_count, 3);
    assert_int_equal(drawn.chart.ceiling_count, 3);
    assert_string_equal(drawn.ceilings[0].name, "FMA alone");
    assert_string_equal(drawn.ceilings[1].name, "no FMA,");
    assert_string_equal(drawn.ceilings[2].name, "scalar,");
    assert_true(drawn.ceilings[2].value == 28e9); /* of two cores, not the one-core sample */
    assert_string_equal(drawn.note, "Random load: L1 1.2 ns, L2 4.5 ns, L3 36 ns, DRAM 149 ns.");
    assert_string_equal(drawn.note_title, "One core alone gets 48.4% of the DRAM bandwidth.");
    drawing svg = drawing_of(&drawn.chart, 1080);
    assert_non_null(strstr(svg.bytes, "no FMA, 112 GFLOP/s"));
    assert_non_null(strstr(svg.bytes, "L2 430 GB/s"));
    drawing_free(&svg);
}

/* What was not measured is not drawn. */
static void little_was_measured(void **state) {
    (void)state;
    roof_measurement measurement = guest();
    measurement.sample_count = 1;
    measurement.threads = 1;
    measurement.machine.bandwidth[ROOF_L3] = (roof_figure){0};
    roof_sample one = guest_samples[6];
    one.threads = 1;
    measurement.samples = &one;
    measurement.machine.peak[ROOF_VECTOR][ROOF_F64].value = one.value;
    build(&measurement);
    assert_int_equal(drawn.chart.ceiling_count, 0); /* its only sample is the peak */
    assert_string_equal(drawn.note_title, "");
    assert_string_equal(drawn.note, "");
    assert_non_null(strstr(drawn.title, "One core attains "));
    drawing svg = drawing_of(&drawn.chart, 800);
    assert_null(strstr(svg.bytes, "L3 "));
    drawing_free(&svg);
}

static void nothing_to_draw(void **state) {
    (void)state;
    roof_measurement measurement = guest();
    roof_error error = {0};
    memset(measurement.machine.peak, 0, sizeof measurement.machine.peak);
    assert_int_equal(roof_chart_of_measurement(&measurement, &drawn, &error), -1);
    assert_non_null(strstr(error.what, "no compute roof was measured"));
    measurement = guest();
    measurement.machine.bandwidth[ROOF_DRAM] = (roof_figure){0};
    assert_int_equal(roof_chart_of_measurement(&measurement, &drawn, &error), -1);
    assert_non_null(strstr(error.what, "DRAM"));
}

/* A ceiling of integers reads OP/s, and single precision stands in where there is no FP64. */
static void other_types(void **state) {
    (void)state;
    roof_measurement measurement = guest();
    memset(measurement.machine.peak, 0, sizeof measurement.machine.peak);
    measurement.machine.peak[ROOF_VECTOR][ROOF_F32] = (roof_figure)MEASURED(450e9);
    build(&measurement);
    assert_non_null(strstr(drawn.title, "in FP32"));
    measurement.machine.peak[ROOF_VECTOR][ROOF_F32] = (roof_figure){0};
    measurement.machine.peak[ROOF_VECTOR][ROOF_INT8] = (roof_figure)MEASURED(1780e9);
    build(&measurement);
    assert_non_null(strstr(drawn.title, "TOP/s in INT8"));
    assert_non_null(strstr(drawn.title, " OP per byte"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_levels_and_ceilings),
        cmocka_unit_test(little_was_measured),
        cmocka_unit_test(nothing_to_draw),
        cmocka_unit_test(other_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
