/* Charts allocate one block; when it is refused they say so, and nothing is left behind when they fail later. */
#include "alloc/alloc.h"
#include "check.h"
#include "roofline_chart.h"
#include "samples.h"
#include "test.h"

static int swallow(void *context, const char *bytes, size_t length) {
    (void)context, (void)bytes, (void)length;
    return 0;
}

static void svg_survives_every_refusal(void **state) {
    roof_chart chart = sample_chart(SAMPLE_LLAMA);
    (void)state;
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        int result = roof_chart_svg(&chart, 1080, swallow, NULL, &error);
        assert_int_equal(result, alloc_failed() ? -1 : 0);
        assert_int_equal(error.code, alloc_failed() ? ROOF_ENOMEM : ROOF_OK);
        assert_int_equal(alloc_live(), 0);
    })
}

static void text_survives_every_refusal(void **state) {
    roof_chart chart = sample_chart(SAMPLE_LLAMA);
    (void)state;
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        int result = roof_chart_text(&chart, 80, 24, false, false, swallow, NULL, &error);
        assert_int_equal(result, alloc_failed() ? -1 : 0);
        assert_int_equal(error.code, alloc_failed() ? ROOF_ENOMEM : ROOF_OK);
        assert_int_equal(alloc_live(), 0);
    })
}

static void html_survives_every_refusal(void **state) {
    const roof_page_table table = {.title = "T", .csv = "a,b\n1,2\n", .length = 8};
    const roof_page page = {.tables = &table, .table_count = 1};
    roof_chart chart = sample_chart(SAMPLE_LLAMA);
    (void)state;
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        int result = roof_chart_html(&chart, &page, swallow, NULL, &error);
        assert_int_equal(result, alloc_failed() ? -1 : 0);
        assert_int_equal(error.code, alloc_failed() ? ROOF_ENOMEM : ROOF_OK);
        assert_int_equal(alloc_live(), 0);
    })
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svg_survives_every_refusal),
        cmocka_unit_test(text_survives_every_refusal),
        cmocka_unit_test(html_survives_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
