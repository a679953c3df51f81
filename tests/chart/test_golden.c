/* Whole drawings against files in golden/. With ROOFLINE_UPDATE=1 in the environment the files are rewritten instead:
 * look at them before committing. */
#include <stdlib.h>

#include "check.h"
#include "roofline_chart.h"
#include "samples.h"
#include "test.h"

static void compare(const char *name, const drawing *got) {
    char path[512];
    snprintf(path, sizeof path, "%s/golden/%s", TEST_DATA, name);
    if (getenv("ROOFLINE_UPDATE")) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(got->bytes, 1, got->length, file), got->length);
        assert_int_equal(fclose(file), 0);
        return;
    }
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing: run with ROOFLINE_UPDATE=1", path);
    char *want = malloc(DRAWING_MAX);
    size_t length = fread(want, 1, DRAWING_MAX - 1, file), at = 0;
    fclose(file);
    while (at < length && at < got->length && want[at] == got->bytes[at])
        at++;
    if (length != got->length || at < length)
        fail_msg("%s differs at byte %zu: '%.60s'", name, at, got->bytes + at);
    free(want);
}

static void svg_files(void **state) {
    static const double widths[SAMPLE_COUNT] = {1080, 620, 1600, 1080};
    (void)state;
    for (int which = 0; which < SAMPLE_COUNT; which++) {
        char name[64];
        roof_chart chart = sample_chart(which);
        drawing svg = drawing_of(&chart, widths[which]);
        check_xml(svg.bytes);
        snprintf(name, sizeof name, "%s-%d.svg", sample_names[which], (int)widths[which]);
        compare(name, &svg);
        drawing_free(&svg);
    }
}

static void html_file(void **state) {
    static const char csv[] = "machine,m,bytes,seconds,bound\nh100-sxm,8,118063104,3.524e-05,memory\n";
    const roof_page_table table = {"Every figure", csv, sizeof csv - 1, "seconds=s bytes=B", false};
    const roof_advice ideas[] = {
        {.idea = "8-bit weights",
         .effect = ROOF_EFFECT_HELPS,
         .speedup = 1.99,
         .reason = "fewer bytes",
         .fits = true,
         .cost = true},
        {.idea = "2x the FLOP/s", .effect = ROOF_EFFECT_WASTE, .speedup = 1, .reason = "memory binds", .fits = true}};
    const struct roof_page_advice advice = {"What would help", ideas, 2};
    const char *const notes[] = {"a note"};
    const roof_page page = {.advice = &advice,
                            .advice_count = 1,
                            .tables = &table,
                            .table_count = 1,
                            .notes = notes,
                            .note_count = 1,
                            .text = "gemm\n  least time  35.2 us\n",
                            .command = "roofline op gemm"};
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    drawing html = {.bytes = malloc(DRAWING_MAX)};
    (void)state;
    assert_int_equal(roof_chart_html(&chart, &page, drawing_write, &html, NULL), 0);
    compare("gemm.html", &html);
    drawing_free(&html);
}

static void check_widths(const drawing *text, int columns) {
    int length = 0;
    for (const char *at = text->bytes; *at; at++) {
        length = *at == '\n' ? 0 : length + (((unsigned char)*at & 0xC0) != 0x80);
        assert_true(length <= columns);
    }
}

static void terminal_files(void **state) {
    static const struct {
        int which, columns, rows;
        bool ascii, colour;
        const char *name;
    } cases[] = {
        {SAMPLE_LLAMA, 80, 30, false, false, "llama-80.txt"},
        {SAMPLE_LLAMA, 40, 24, false, false, "llama-40.txt"},
        {SAMPLE_LLAMA, 80, 24, true, false, "llama-80-ascii.txt"},
        {SAMPLE_CPU, 80, 24, false, false, "cpu-80.txt"},
        {SAMPLE_CROWD, 40, 20, true, false, "crowd-40-ascii.txt"},
        {SAMPLE_GEMM, 80, 20, false, true, "gemm-80-colour.txt"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        roof_chart chart = sample_chart(cases[i].which);
        drawing text = drawing_text(&chart, cases[i].columns, cases[i].rows, cases[i].ascii, cases[i].colour);
        if (!cases[i].colour)
            check_widths(&text, cases[i].columns);
        compare(cases[i].name, &text);
        drawing_free(&text);
    }
}

static void small_terminals_are_refused(void **state) {
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    roof_error error = {0};
    (void)state;
    assert_int_equal(roof_chart_text(&chart, 20, 24, false, false, drawing_write, NULL, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
    assert_int_equal(roof_chart_text(&chart, 80, 5, false, false, drawing_write, NULL, &error), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svg_files),
        cmocka_unit_test(html_file),
        cmocka_unit_test(terminal_files),
        cmocka_unit_test(small_terminals_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
