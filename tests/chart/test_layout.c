/* The promise of the layout: on thousands of pseudo-random charts no label overlaps anything or leaves the canvas. */
#include <stdlib.h>

#include "chart/layout.h"
#include "check.h"
#include "random_chart.h"
#include "roofline_chart.h"
#include "samples.h"
#include "test.h"

/* Unoptimised builds with sanitizers look at fewer. */
#ifdef NDEBUG
enum { CHARTS = 2500 };
#else
enum { CHARTS = 200 };
#endif

static void check_layout(const roof_chart *chart, double width, chart_layout *layout, const char *name) {
    chart_roofs roofs;
    roof_error error = {0};
    char fault[256] = "";
    if (chart_roofs_of(chart, &roofs, &error) || chart_layout_make(chart, &roofs, width, layout, &error))
        fail_msg("%s at %g: %s", name, width, error.what);
    size_t faults = chart_layout_faults(layout, fault, sizeof fault);
    if (faults)
        fail_msg("%s at %g pixels: %zu faults, first: %s", name, width, faults, fault);
    assert_true(layout->width == width && layout->height >= 300);
    assert_false(layout->full);
}

static void samples_have_no_faults(void **state) {
    static const double widths[] = {400, 480, 620, 760, 900, 1080, 1280, 1600, 2400, 4000};
    chart_layout *layout = malloc(sizeof *layout);
    (void)state;
    for (int which = 0; which < SAMPLE_COUNT; which++)
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
            roof_chart chart = sample_chart(which);
            check_layout(&chart, widths[i], layout, sample_names[which]);
        }
    free(layout);
}

static void random_charts_have_no_faults(void **state) {
    static const double widths[] = {620, 1080, 1600, 500, 800, 2000};
    chart_layout *layout = malloc(sizeof *layout);
    random_chart *chance = malloc(sizeof *chance);
    (void)state;
    for (unsigned seed = 1; seed <= CHARTS; seed++) {
        char name[32];
        snprintf(name, sizeof name, "seed %u", seed);
        make_random_chart(chance, seed);
        check_layout(&chance->chart, widths[seed % 6], layout, name);
    }
    free(chance);
    free(layout);
}

static void random_charts_are_well_formed_and_repeatable(void **state) {
    random_chart *chance = malloc(sizeof *chance);
    (void)state;
    for (unsigned seed = 1; seed <= CHARTS / 6; seed++) {
        make_random_chart(chance, seed);
        double width = 500 + seed % 400 * 7;
        drawing first = drawing_of(&chance->chart, width), second = drawing_of(&chance->chart, width);
        assert_int_equal(first.length, second.length);
        assert_memory_equal(first.bytes, second.bytes, first.length);
        check_xml(first.bytes);
        drawing_free(&first);
        drawing_free(&second);
        for (int ascii = 0; ascii < 2; ascii++) {
            drawing text = drawing_text(&chance->chart, 40 + (int)seed % 100, 12 + (int)seed % 40, ascii, seed % 2);
            for (const char *at = text.bytes; ascii && *at; at++)
                assert_true((unsigned char)*at < 0x80);
            drawing_free(&text);
        }
    }
    free(chance);
}

/* Every point's name is in the drawing: at the point, in a shared label, or in the list. */
static void every_point_has_a_mark(void **state) {
    random_chart *chance = malloc(sizeof *chance);
    (void)state;
    for (unsigned seed = 1; seed <= CHARTS / 6; seed++) {
        make_random_chart(chance, seed);
        drawing svg = drawing_of(&chance->chart, 900);
        assert_int_equal(count_of(svg.bytes, "id=\"roof-point-"), chance->chart.point_count);
        assert_true(count_of(svg.bytes, "id=\"roof-ghost-") <= chance->chart.change_count);
        assert_true(count_of(svg.bytes, "-name") >= 2); /* the memory roof and the bold roof */
        drawing_free(&svg);
    }
    free(chance);
}

/* The checker itself sees what it must: two texts in one place, a text outside, a text on a mark. */
static void the_checker_finds_faults(void **state) {
    chart_layout *layout = calloc(1, sizeof *layout);
    char fault[256];
    (void)state;
    layout->width = layout->height = 500;
    chart_font font = {13, 400};
    chart_add_text(layout, LAYER_LABEL, "ink", "first", font, ANCHOR_START, 100, 100)->role = "label";
    assert_int_equal(chart_layout_faults(layout, fault, sizeof fault), 0);
    chart_add_text(layout, LAYER_LABEL, "ink", "second", font, ANCHOR_START, 110, 104)->role = "label";
    assert_int_equal(chart_layout_faults(layout, fault, sizeof fault), 1);
    assert_non_null(strstr(fault, "'first' and 'second'"));
    layout->items[1].kind = ITEM_GONE;
    chart_add(
        layout,
        (chart_item){
            .kind = ITEM_CIRCLE, .layer = LAYER_MARK, .role = "point", .group = 1, .x = {105}, .y = {98}, .radius = 5});
    assert_int_equal(chart_layout_faults(layout, fault, sizeof fault), 1);
    layout->items[2].kind = ITEM_GONE;
    chart_add(layout, (chart_item){.kind = ITEM_LINE,
                                   .layer = LAYER_ROOF,
                                   .role = "bold",
                                   .group = -1,
                                   .x = {0, 500},
                                   .y = {97, 97},
                                   .corners = 2,
                                   .stroke = 2});
    assert_int_equal(chart_layout_faults(layout, fault, sizeof fault), 1);
    layout->items[3].kind = ITEM_GONE;
    chart_add_text(layout, LAYER_LABEL, "ink", "outside", font, ANCHOR_START, 490, 300)->role = "label";
    assert_int_equal(chart_layout_faults(layout, fault, sizeof fault), 1);
    assert_non_null(strstr(fault, "outside the canvas"));
    free(layout);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_finds_faults),     cmocka_unit_test(samples_have_no_faults),
        cmocka_unit_test(random_charts_have_no_faults), cmocka_unit_test(random_charts_are_well_formed_and_repeatable),
        cmocka_unit_test(every_point_has_a_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
