/* What an SVG says: every number in words, escaped text, both colour schemes with their contrast, refusals. */
#include <stdlib.h>

#include "check.h"
#include "roofline_chart.h"
#include "samples.h"
#include "test.h"

static void every_number_is_in_the_text_alternative(void **state) {
    static const char *const needed[] = {
        "1.03 FLOP/byte",
        "3.45 TFLOP/s",
        "221 tok/s, 4.5 ms per step",
        "71.25 FLOP/byte",
        "15.3k tok/s, 17 ms",
        "98.6% of the time",
        "batch 1 (prefill): 591 FLOP/byte, 891 TFLOP/s, compute-bound",
        "1,499 FLOP/byte, 908 TFLOP/s",
        "HBM3 3.35 TB/s",
        "BF16 tensor 989 TFLOP/s",
        "FP8 tensor 1,979 TFLOP/s",
        "ridge 295 FLOP/byte",
        "FP8 KV cache: 1.53\xC3\x97 decode (from batch 256 to 109 FLOP/byte, 365 TFLOP/s)",
    };
    roof_chart chart = sample_chart(SAMPLE_LLAMA);
    drawing svg = drawing_of(&chart, 1080);
    (void)state;
    char *from = strstr(svg.bytes, "<desc"), *to = strstr(svg.bytes, "</desc>");
    assert_true(from && to && strstr(svg.bytes, "role=\"img\"") &&
                strstr(svg.bytes, "aria-labelledby=\"roof-title roof-desc\""));
    *to = '\0';
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!strstr(from, needed[i]))
            fail_msg("'%s' is not in: %s", needed[i], from);
    drawing_free(&svg);
}

/* ---- WCAG 2.1 relative luminance and contrast, from the colours in the style sheet ---- */

static double channel(unsigned byte) {
    double c = byte / 255.0;
    return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(unsigned long rgb) {
    return 0.2126 * channel(rgb >> 16 & 255) + 0.7152 * channel(rgb >> 8 & 255) + 0.0722 * channel(rgb & 255);
}

static unsigned long colour_of(const char *style, const char *class) {
    char rule[32];
    snprintf(rule, sizeof rule, ".%s{fill:#", class);
    const char *at = strstr(style, rule);
    if (!at)
        fail_msg("no rule for .%s", class);
    return strtoul(at + strlen(rule), NULL, 16);
}

static void check_contrast(const char *style) {
    static const char *const classes[] = {"ink", "mute", "m", "c", "n", "g"};
    double paper = luminance(colour_of(style, "bg"));
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        double text = luminance(colour_of(style, classes[i]));
        double contrast = (fmax(text, paper) + 0.05) / (fmin(text, paper) + 0.05);
        if (contrast < 4.5)
            fail_msg(".%s has a contrast of %.2f, less than 4.5", classes[i], contrast);
    }
}

static void colours_have_contrast_in_light_and_dark(void **state) {
    roof_chart chart = sample_chart(SAMPLE_LLAMA);
    drawing svg = drawing_of(&chart, 1080);
    (void)state;
    const char *dark = strstr(svg.bytes, "@media (prefers-color-scheme:dark){");
    assert_non_null(dark);
    check_contrast(svg.bytes);
    check_contrast(dark);
    assert_null(strstr(svg.bytes, "var("));
    drawing_free(&svg);
}

static void shapes_follow_the_rules(void **state) {
    roof_chart chart = sample_chart(SAMPLE_LLAMA);
    drawing svg = drawing_of(&chart, 1080);
    (void)state;
    assert_int_equal(count_of(svg.bytes, " bold\" stroke-width=\"2.6\""), 1);
    assert_int_equal(count_of(svg.bytes, "class=\"m ring point\""), 4);
    assert_int_equal(count_of(svg.bytes, "class=\"c ring point\""), 4);
    assert_int_equal(count_of(svg.bytes, "class=\"hole gl ghost\""), 2);
    assert_non_null(strstr(svg.bytes, ">ridge 295</text>"));
    assert_non_null(strstr(svg.bytes, ">batch 64 and 256</text>"));
    assert_non_null(strstr(svg.bytes, ">arithmetic intensity, FLOP per byte of HBM traffic</text>"));
    assert_null(strstr(svg.bytes, "e+"));
    drawing_free(&svg);
    chart = sample_chart(SAMPLE_CPU);
    svg = drawing_of(&chart, 1080);
    assert_int_equal(count_of(svg.bytes, "class=\"hole ml point\""), 2); /* rings: measured */
    assert_int_equal(count_of(svg.bytes, "class=\"gl headroom\""), 3);
    assert_non_null(strstr(svg.bytes, ">5.0\xC3\x97</text>"));
    assert_non_null(strstr(svg.bytes, ">27\xC3\x97</text>")); /* chained: 21.5 / 0.785 */
    assert_non_null(strstr(svg.bytes, ">L1 421 GB/s</text>"));
    drawing_free(&svg);
}

static void caller_text_cannot_break_the_markup(void **state) {
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    roof_chart_point point = chart.points[0];
    (void)state;
    point.label = "a<b>&\"c\"\x01\xFF</text><script>";
    chart.points = &point;
    chart.title = "1 < 2 & 3 > 2";
    drawing svg = drawing_of(&chart, 1080);
    check_xml(svg.bytes);
    assert_null(strstr(svg.bytes, "<script"));
    assert_non_null(strstr(svg.bytes, "<title id=\"roof-title\">1 &lt; 2 &amp; 3 &gt; 2</title>"));
    drawing_free(&svg);
}

static int refusal(const roof_chart *chart, double width, roof_error *error) {
    drawing out = {.bytes = malloc(DRAWING_MAX)};
    int result = roof_chart_svg(chart, width, drawing_write, &out, error);
    drawing_free(&out);
    return result;
}

static void a_point_above_its_roof_is_refused(void **state) {
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    roof_chart_point point = chart.points[0];
    roof_error error = {0};
    (void)state;
    chart.points = &point;
    point.attainable = 7.98 * 3.35e12 * 1.0005; /* rounding */
    assert_int_equal(refusal(&chart, 1080, &error), 0);
    point.attainable = 7.98 * 3.35e12 * 1.01;
    assert_int_equal(refusal(&chart, 1080, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
    assert_string_equal(
        error.what,
        "point 'gemm 8x14336x4096' is above the roof: 27 TFLOP/s at 7.98 FLOP/B cannot pass 26.7 TFLOP/s on h100-sxm "
        "(HBM3 3.35 TB/s)");
    point.intensity = 1e4;
    point.attainable = 1.2e15;
    assert_int_equal(refusal(&chart, 1080, &error), -1);
    assert_non_null(strstr(error.what, "BF16 tensor 989 TFLOP/s"));
    point.attainable = (double)NAN;
    assert_int_equal(refusal(&chart, 1080, &error), -1);
    point.attainable = -1;
    assert_int_equal(refusal(&chart, 1080, &error), -1);
    assert_int_equal(refusal(&chart, 1080, NULL), -1);
}

static void impossible_requests_are_refused(void **state) {
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    roof_error error = {0};
    (void)state;
    assert_int_equal(refusal(&chart, 399, &error), -1);
    assert_int_equal(refusal(&chart, 4001, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
    chart.dtype = ROOF_FP4;
    assert_int_equal(refusal(&chart, 1080, &error), -1);
    assert_string_equal(error.what, "h100-sxm has no fp4 roof, so there is nothing to draw points under");
    chart = sample_chart(SAMPLE_GEMM);
    roof_machine machine = *chart.machine;
    machine.bandwidth[ROOF_DRAM].origin = ROOF_ORIGIN_UNKNOWN;
    chart.machine = &machine;
    assert_int_equal(refusal(&chart, 1080, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    chart = sample_chart(SAMPLE_GEMM);
    roof_chart_change change = {.from = 5};
    chart.changes = &change;
    assert_int_equal(refusal(&chart, 1080, &error), -1);
    chart = sample_chart(SAMPLE_GEMM);
    chart.point_count = 65;
    assert_int_equal(refusal(&chart, 1080, &error), -1);
    assert_string_equal(error.what, "65 points are too many for one chart: at most 64");
    chart.machine = NULL;
    assert_int_equal(refusal(&chart, 1080, &error), -1);
}

static int refuse_all(void *context, const char *bytes, size_t length) {
    (void)context, (void)bytes, (void)length;
    return 1;
}

static void a_callback_can_stop_the_drawing(void **state) {
    roof_chart chart = sample_chart(SAMPLE_LLAMA);
    roof_error error = {0};
    (void)state;
    assert_int_equal(roof_chart_svg(&chart, 1080, refuse_all, NULL, &error), -1);
    assert_int_equal(error.code, ROOF_EIO);
    assert_int_equal(roof_chart_text(&chart, 80, 24, false, false, refuse_all, NULL, &error), -1);
    assert_int_equal(error.code, ROOF_EIO);
}

static void points_off_the_axes_say_so(void **state) {
    roof_chart_point points[] = {
        {"copy", "", 0, 0, 0, ROOF_BOUND_MEMORY, 0, false, 0},
        {"registers", "1 us", HUGE_VAL, 500e12, 0, ROOF_BOUND_COMPUTE, 0, false, 0},
        {"tiny", "", 0.01, 0.03e12, 0, ROOF_BOUND_MEMORY, 0, false, 0},
        {"vast", "", 1e6, 900e12, 0, ROOF_BOUND_COMPUTE, 0, false, 0},
    };
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    (void)state;
    chart.points = points;
    chart.point_count = 4;
    chart.change_count = 0;
    drawing svg = drawing_of(&chart, 1080);
    assert_non_null(strstr(svg.bytes, ">no FLOPs</text>"));
    assert_non_null(strstr(svg.bytes, ">1 us, no HBM traffic</text>"));
    assert_non_null(strstr(svg.bytes, "registers: infinite FLOP/byte"));
    drawing_free(&svg);
}

/* Forty points on one vertical: names, numbers or shared labels, but every mark is drawn. */
static void a_crowded_vertical_is_drawn(void **state) {
    roof_chart_point points[40];
    char labels[40][16];
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    (void)state;
    for (int i = 0; i < 40; i++) {
        snprintf(labels[i], sizeof labels[i], "run %d", i + 1);
        points[i] = (roof_chart_point){.label = labels[i],
                                       .detail = "measured",
                                       .intensity = 100,
                                       .attainable = 300e12 / (1 + i * 0.3),
                                       .bound = ROOF_BOUND_MEMORY};
    }
    chart.points = points;
    chart.point_count = 40;
    chart.change_count = 0;
    drawing svg = drawing_of(&chart, 1080);
    assert_int_equal(count_of(svg.bytes, "id=\"roof-point-"), 40);
    check_xml(svg.bytes);
    drawing_free(&svg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_in_the_text_alternative),
        cmocka_unit_test(colours_have_contrast_in_light_and_dark),
        cmocka_unit_test(shapes_follow_the_rules),
        cmocka_unit_test(caller_text_cannot_break_the_markup),
        cmocka_unit_test(a_point_above_its_roof_is_refused),
        cmocka_unit_test(impossible_requests_are_refused),
        cmocka_unit_test(a_callback_can_stop_the_drawing),
        cmocka_unit_test(points_off_the_axes_say_so),
        cmocka_unit_test(a_crowded_vertical_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
