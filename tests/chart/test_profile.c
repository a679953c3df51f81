/* Charts of measured kernels: who has a place, under which roof, and what is said of the others; names that fit. */
#include "chart/columns.h"
#include "chart/kernel_name.h"
#include "roofline_profile.h"
#include "test.h"

static void expect_name(const char *name, int width, const char *want) {
    char buffer[128];
    chart_kernel_name(name, width, buffer, sizeof buffer);
    if (strcmp(buffer, want) != 0)
        fail_msg("'%s' in %d columns is '%s', not '%s'", name, width, buffer, want);
}

static void test_kernel_names(void **state) {
    (void)state;
    expect_name("gemm", 20, "gemm");
    expect_name("void f<int>(float*)", 20, "void f<int>(float*)"); /* it fits as it is */
    expect_name("void flash::fwd_kernel<Traits<128, 64>, bool>(Params)", 24, "flash::fwd_kernel");
    expect_name("void at::native::vectorized_kernel<4, Functor<float>>(int)", 20, "vectorized_kernel");
    expect_name("(anonymous namespace)::soft_max(float const*, int)", 20, "soft_max");
    expect_name("unnamed>::gemm_naive(const float *, float *)", 20, "gemm_naive");
    expect_name("ns::Functor<int, float>::operator()(int, int) const", 28, "Functor::operator() const");
    expect_name("ampere_sgemm_128x64_tn_and_much_more", 20, "ampere_sgem..ch_more");
    expect_name("a<b and no end to this name at all", 20, "a<b and no .. at all");
    expect_name("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4", 8,
                "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4..\xC3\xBC\xC3\xA4");
#define CORE "\xE6\xA0\xB8" /* two columns wide */
    expect_name(CORE CORE CORE CORE CORE CORE, 12, CORE CORE CORE CORE CORE CORE);
    expect_name(CORE CORE CORE CORE CORE CORE CORE CORE, 12, CORE CORE CORE ".." CORE CORE);
    expect_name("", 8, "");
}

/* ---- charts ---- */

static roof_machine machine_of(void) {
    roof_machine machine = {.id = "box", .name = "A box", .memory_kind = "HBM2"};
    const roof_figure given = {.origin = ROOF_ORIGIN_GIVEN, .source = "test"};
    machine.peak[ROOF_VECTOR][ROOF_F32] = machine.bandwidth[ROOF_DRAM] = machine.bandwidth[ROOF_L2] =
        machine.size[ROOF_L2] = given;
    machine.peak[ROOF_VECTOR][ROOF_F32].value = 1e13;
    machine.bandwidth[ROOF_DRAM].value = 1e12;
    machine.bandwidth[ROOF_L2].value = 4e12;
    machine.size[ROOF_L2].value = 4e7;
    return machine;
}

static roof_measured kernel(const char *name, double seconds, double flops, double bytes) {
    roof_measured m = {
        .name = name, .calls = 1, .seconds = {seconds, ROOF_CERTAINTY_COUNTED, "test"}, .matrix_active = -1};
    if (flops >= 0) {
        m.flops[0].unit = ROOF_VECTOR;
        m.flops[0].dtype = ROOF_F32;
        m.flops[0].count = (roof_count){flops, ROOF_CERTAINTY_COUNTED, "test"};
        m.flop_count = 1;
    }
    if (bytes >= 0)
        m.bytes[ROOF_DRAM] = (roof_count){bytes, ROOF_CERTAINTY_COUNTED, "test"};
    return m;
}

static roof_drawing drawing;

static int draw(const roof_measured *measured, size_t count, bool levels, roof_error *error) {
    static roof_placement placed[64];
    roof_machine machine = machine_of();
    assert_int_equal(roof_place(&machine, measured, count, placed, error), 0);
    return roof_chart_of_profile(&machine, "file.csv", placed, count, levels, &drawing, error);
}

static char svg[1 << 18];

static int keep(void *context, const char *bytes, size_t length) {
    size_t *used = context;
    if (*used + length >= sizeof svg)
        return -1;
    memcpy(svg + *used, bytes, length);
    svg[ *used += length] = '\0';
    return 0;
}

static void draw_svg(double width) {
    roof_error error = {0};
    size_t used = 0;
    if (roof_chart_svg(&drawing.chart, width, keep, &used, &error))
        fail_msg("%s", error.what);
}

static int drop(void *context, const char *bytes, size_t length) {
    (void)bytes;
    *(size_t *)context += length;
    return 0;
}

/* It can be drawn at every width, and in text. */
static void expect_drawable(void) {
    roof_error error = {0};
    size_t length = 0;
    for (double width = 400; width <= 1400; width += 250)
        if (roof_chart_svg(&drawing.chart, width, drop, &length, &error))
            fail_msg("%s", error.what);
    assert_int_equal(roof_chart_text(&drawing.chart, 80, 22, true, false, drop, &length, &error), 0);
    assert_true(length > 1000);
}

static void test_places(void **state) {
    (void)state;
    roof_error error = {0};
    const roof_measured measured[] = {kernel("near", 1e-3, 1e8, 8e8), kernel("below", 2e-3, 2e9, 2e8),
                                      kernel("no_flops", 1e-3, -1, 5e8), kernel("no_bytes", 1e-3, 1e9, -1),
                                      kernel("above", 1e-3, 3e10, 1e9)};
    assert_int_equal(draw(measured, 5, false, &error), 0);
    assert_int_equal(drawing.chart.point_count, 2);
    assert_string_equal(drawing.labels[0], "below"); /* the most time first */
    assert_string_equal(drawing.labels[1], "near");
    assert_non_null(strstr(drawing.note, "Above their roof, so not drawn: above"));
    assert_non_null(strstr(drawing.note, "no_flops, no_bytes"));
    assert_near(drawing.points[1].reach, 1.25e11, 1e-9); /* 0.125 FLOP/B at 1 TB/s */
    assert_near(drawing.points[0].share, 2. / 6, 1e-9);
    expect_drawable();
}

/* 1.5 TB/s of 1 MB fit L2 and not DRAM: under the roof of L2, with a word. */
static void test_in_a_cache(void **state) {
    (void)state;
    roof_error error = {0};
    const roof_measured measured[] = {kernel("hot", 1e-6, 1e5, 1.5e6)};
    assert_int_equal(draw(measured, 1, false, &error), 0);
    assert_int_equal(drawing.chart.point_count, 1);
    assert_non_null(strstr(drawing.labels[0], "(in L2?)"));
    assert_int_equal(drawing.chart.level_count, 1);
    expect_drawable();
}

static void test_levels(void **state) {
    (void)state;
    roof_error error = {0};
    roof_measured measured[8];
    for (size_t i = 0; i < 8; i++) {
        measured[i] = kernel("stencil", 1e-3 * (double)(i + 1), 1e9, 2e8);
        measured[i].bytes[ROOF_L2] = (roof_count){1e9, ROOF_CERTAINTY_COUNTED, "test"};
    }
    assert_int_equal(draw(measured, 8, true, &error), 0);
    assert_int_equal(drawing.chart.point_count, 10); /* five kernels at two levels */
    assert_string_equal(drawing.labels[1], "stencil L2");
    assert_non_null(strstr(drawing.note, "3 more kernels"));
    expect_drawable();
}

static void test_many(void **state) {
    (void)state;
    roof_error error = {0};
    roof_measured measured[60];
    for (size_t i = 0; i < 60; i++)
        measured[i] = kernel("kernel", 1e-3, 1e7 * (double)(i + 1), 1e8 + 1e7 * (double)i);
    assert_int_equal(draw(measured, 60, false, &error), 0);
    assert_int_equal(drawing.chart.point_count, 24);
    assert_non_null(strstr(drawing.note, "36 more kernels take 60% of the time"));
    expect_drawable();
}

/* The arrow is that of the kernel that the title names, however little room it has: the small one far below its roof
 * comes second. */
static void test_arrow_of_the_title(void **state) {
    (void)state;
    roof_error error = {0};
    const double factors[] = {1.8, 2, 4, 8};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        const roof_measured measured[] = {kernel("heavy", 1e-3, 1e10 / factors[i], 2e7),
                                          kernel("near", 9e-4, 8.5e9, 3e8), kernel("tiny", 5e-5, 1e4, 1e5)};
        assert_int_equal(draw(measured, 3, false, &error), 0);
        assert_non_null(strstr(drawing.title, "heavy could save up to"));
        for (double width = 480; width <= 1400; width += 230) {
            draw_svg(width);
            if (!strstr(svg, "\"roof-headroom-0\""))
                fail_msg("no arrow at %g pixels, factor %g", width, factors[i]);
        }
    }
}

/* What runs near its roof leads when it is a good part of the time, else what is worth most. */
static void test_titles(void **state) {
    (void)state;
    roof_error error = {0};
    roof_measured measured[] = {kernel("slow", 1e-3, 1e8, 2e8), kernel("near", 5e-5, 4e8, 2e7)};
    assert_int_equal(draw(measured, 2, false, &error), 0);
    assert_string_equal(drawing.title, "Fixing slow could save up to 76.2% of the time");
    measured[1] = kernel("near", 1e-3, 8e9, 4e8);
    assert_int_equal(draw(measured, 2, false, &error), 0);
    assert_string_equal(drawing.title, "50% of the time runs near its roof; slow could save up to 40%");
}

/* As in the text: the one with most to gain has the name alone. */
static void test_namesakes(void **state) {
    (void)state;
    roof_error error = {0};
    roof_measured measured[] = {kernel("f<1>(int, int, float *, float *)", 3e-3, 2.5e10, 1e9),
                                kernel("f<2>(int, int, float *, float *)", 2e-3, 1e9, 2e8)};
    assert_int_equal(draw(measured, 2, false, &error), 0);
    assert_string_equal(drawing.labels[0], "f #2");
    assert_string_equal(drawing.labels[1], "f");
    measured[0].where = "rank 0";
    measured[1].where = "rank 1";
    assert_int_equal(draw(measured, 2, false, &error), 0);
    assert_string_equal(drawing.labels[0], "f (rank 0)");
    assert_string_equal(drawing.labels[1], "f (rank 1)");
}

/* Narrow charts drop whole parts; nothing ends in an ellipsis, and what tells two names apart stays. */
static void test_whole_parts(void **state) {
    (void)state;
    roof_error error = {0};
    const roof_measured measured[] = {kernel("flash::flash_forward_kern<a, b>(int, float *)", 3e-3, 2e10, 1e8),
                                      kernel("flash::flash_forward_kern<c, d>(int, float *)", 2e-3, 1e8, 2e8),
                                      kernel("a_kernel_with_quite_a_long_name", 1e-3, 2e7, 2e8)};
    assert_int_equal(draw(measured, 3, false, &error), 0);
    for (double width = 420; width <= 1000; width += 100) {
        draw_svg(width);
        const char *texts = strstr(svg, "<g class=\"labels\">");
        assert_non_null(texts);
        const char *cut = strstr(texts, "\xE2\x80\xA6");
        if (cut)
            fail_msg("a text is cut at %g pixels: %.60s", width, cut - 50);
        if (!strstr(texts, "kern #2"))
            fail_msg("nothing tells the two apart at %g pixels", width);
    }
}

/* L2 binds: the ring stands at the FLOPs a byte of L2, under L2's roof, where the arrow ends. */
static void test_bound_by_l2(void **state) {
    (void)state;
    roof_error error = {0};
    roof_measured measured[] = {kernel("inner", 1e-3, 1e9, 1e7)};
    measured[0].bytes[ROOF_L2] = (roof_count){1e9, ROOF_CERTAINTY_COUNTED, "test"};
    assert_int_equal(draw(measured, 1, false, &error), 0);
    assert_string_equal(drawing.labels[0], "inner L2");
    assert_near(drawing.points[0].intensity, 1, 1e-9);
    assert_near(drawing.points[0].reach, 4e12, 1e-9);
    assert_int_equal(drawing.chart.levels[0], ROOF_L2);
    assert_non_null(strstr(drawing.foot, "L2 at a name = per byte of L2"));
    expect_drawable();
}

/* Rows of a chart in a terminal stay inside it, whatever the names. */
static void test_wide_names(void **state) {
    (void)state;
    roof_error error = {0};
    size_t used = 0;
    const roof_measured measured[] = {
        kernel(CORE CORE CORE CORE CORE CORE CORE CORE CORE CORE CORE CORE, 1e-3, 1e8, 8e8),
        kernel("e\xCC\x81l\xC3\xA8ve", 2e-3, 2e9, 2e8)};
    assert_int_equal(draw(measured, 2, false, &error), 0);
    assert_int_equal(roof_chart_text(&drawing.chart, 44, 22, false, false, keep, &used, &error), 0);
    for (const char *line = svg; *line; line += strcspn(line, "\n") + 1)
        assert_true(chart_columns(line, strcspn(line, "\n")) <= 44);
}

static void test_nothing(void **state) {
    (void)state;
    roof_error error = {0};
    const roof_measured measured[] = {kernel("no_flops", 1e-3, -1, 5e8)};
    assert_int_equal(draw(measured, 1, false, &error), -1);
    assert_non_null(strstr(error.what, "no kernel has a place"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_names),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_in_a_cache),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_arrow_of_the_title),
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_namesakes),
        cmocka_unit_test(test_whole_parts),
        cmocka_unit_test(test_bound_by_l2),
        cmocka_unit_test(test_wide_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
