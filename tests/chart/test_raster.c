/* PNG and PDF by librsvg, where it is installed; a clear refusal where it is not. */
#include <stdlib.h>

#include "check.h"
#include "roofline_chart.h"
#include "samples.h"
#include "test.h"

/* fontconfig and pango keep caches for the life of the process; the leak checker of the sanitizer build reports them.
 */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfontconfig\nleak:libpango\nleak:libglib\nleak:libgobject\nleak:librsvg\nleak:libcairo\n";
}

static drawing raster(const char *format, double scale, int *result, roof_error *error) {
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    drawing svg = drawing_of(&chart, 620), out = {.bytes = malloc(DRAWING_MAX)};
    *result = roof_chart_raster(svg.bytes, svg.length, format, scale, drawing_write, &out, error);
    drawing_free(&svg);
    return out;
}

static unsigned long big_endian(const char *bytes) {
    const unsigned char *at = (const unsigned char *)bytes;
    return (unsigned long)at[0] << 24 | (unsigned long)at[1] << 16 | (unsigned long)at[2] << 8 | at[3];
}

static void png_has_the_scaled_size(void **state) {
    roof_error error = {0};
    int result;
    drawing png = raster("png", 2, &result, &error);
    (void)state;
    if (result) { /* not installed */
        assert_int_equal(error.code, ROOF_EUNSUPPORTED);
        assert_non_null(strstr(error.hint, "apt-get install librsvg2-2"));
        drawing_free(&png);
        skip();
    }
    assert_memory_equal(png.bytes, "\x89PNG\r\n\x1A\n", 8);
    assert_int_equal(big_endian(png.bytes + 16), 1240); /* IHDR: the width, PNG specification 11.2.2 */
    assert_true(png.length > 5000);
    drawing_free(&png);
}

static void pdf_is_repeatable(void **state) {
    roof_error error = {0};
    int result, again;
    drawing pdf = raster("pdf", 1, &result, &error), second = raster("pdf", 1, &again, &error);
    (void)state;
    if (!result) {
        assert_memory_equal(pdf.bytes, "%PDF-", 5);
        assert_int_equal(pdf.length, second.length);
        assert_memory_equal(pdf.bytes, second.bytes, pdf.length);
    }
    drawing_free(&pdf);
    drawing_free(&second);
}

static void impossible_pictures_are_refused(void **state) {
    roof_error error = {0};
    int result;
    drawing out = raster("gif", 1, &result, &error);
    (void)state;
    assert_int_equal(result, -1);
    assert_string_equal(error.what, "'gif' is not a picture format: png, pdf");
    drawing_free(&out);
    out = raster("png", 0, &result, &error);
    assert_int_equal(result, -1);
    drawing_free(&out);
    assert_int_equal(roof_chart_raster("no svg", 6, "png", 1, drawing_write, NULL, &error), -1);
    assert_true(error.code == ROOF_EFORMAT || error.code == ROOF_EUNSUPPORTED);
}

static int refuse_all(void *context, const char *bytes, size_t length) {
    (void)context, (void)bytes, (void)length;
    return 1;
}

static void a_callback_can_stop_a_picture(void **state) {
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    drawing svg = drawing_of(&chart, 620);
    roof_error error = {0};
    (void)state;
    assert_int_equal(roof_chart_raster(svg.bytes, svg.length, "png", 1, refuse_all, NULL, &error), -1);
    assert_true(error.code == ROOF_EIO || error.code == ROOF_EUNSUPPORTED);
    drawing_free(&svg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(png_has_the_scaled_size),
        cmocka_unit_test(pdf_is_repeatable),
        cmocka_unit_test(impossible_pictures_are_refused),
        cmocka_unit_test(a_callback_can_stop_a_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
