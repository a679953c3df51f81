/* A page: what is drawn can be reached and is in a table, hostile text stays text, nothing is fetched, only our script
 * runs. */
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "roofline_chart.h"
#include "samples.h"
#include "test.h"

static drawing page_of(const roof_chart *chart, const roof_page *page) {
    drawing out = {.bytes = malloc(DRAWING_MAX)};
    roof_error error = {0};
    if (roof_chart_html(chart, page, drawing_write, &out, &error))
        fail_msg("no page: %s", error.what);
    return out;
}

static char *copy_of(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(malloc(size), text, size);
}

/* What stands between the tags, ended in place. */
static char *part_of(char *page, const char *open, const char *close) {
    char *from = strstr(page, open);
    assert_non_null(from);
    from += strlen(open);
    char *to = strstr(from, close);
    assert_non_null(to);
    *to = '\0';
    return from;
}

/* The body of the page is well-formed, its ids are unique (check_xml), and nothing is fetched from anywhere. */
static void check_page(const drawing *page) {
    static const char *const never[] = {"href=", " src=", "url(", "@import", "http:", " style=\""};
    char *copy = malloc(page->length + 1), *main_part = malloc(page->length + 32);
    memcpy(copy, page->bytes, page->length + 1);
    sprintf(main_part, "<main>%s</main>", part_of(copy, "<main>", "</main>"));
    check_xml(main_part);
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
        if (strstr(page->bytes, never[i]))
            fail_msg("'%s' in a page: %.80s", never[i], strstr(page->bytes, never[i]));
    assert_int_equal(count_of(page->bytes, "<script"), 1);
    assert_int_equal(count_of(page->bytes, "<h1>"), 1);
    assert_int_equal(strncmp(page->bytes, "<!DOCTYPE html>\n<html lang=\"en\">", 32), 0);
    free(copy);
    free(main_part);
}

static void every_point_has_a_mark_and_a_row(void **state) {
    (void)state;
    for (int which = 0; which < SAMPLE_COUNT; which++) {
        roof_chart chart = sample_chart(which);
        drawing page = page_of(&chart, NULL);
        check_page(&page);
        for (size_t i = 0; i < chart.point_count; i++) {
            char text[80];
            snprintf(text, sizeof text, "data-row=\"row-point-%zu\" tabindex=\"0\" role=\"img\"", i);
            assert_int_equal(count_of(page.bytes, text), 2); /* wide and narrow */
            snprintf(text, sizeof text, "<tr id=\"row-point-%zu\">", i);
            assert_int_equal(count_of(page.bytes, text), 1);
        }
        for (size_t i = 0; i < chart.change_count; i++) {
            char text[80];
            snprintf(text, sizeof text, "<tr id=\"row-ghost-%zu\">", i);
            assert_int_equal(count_of(page.bytes, text), 1);
        }
        drawing_free(&page);
    }
}

static void many_points_stay_small(void **state) {
    static char labels[ROOF_CHART_POINT_MAX][48];
    roof_chart_point points[ROOF_CHART_POINT_MAX];
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    (void)state;
    for (int i = 0; i < ROOF_CHART_POINT_MAX; i++) {
        snprintf(labels[i], sizeof labels[i], "kernel of some length, number %d", i);
        points[i] = (roof_chart_point){.label = labels[i],
                                       .detail = "12.3 us, 4.5% of its roof",
                                       .intensity = 0.1 * (i + 1),
                                       .attainable = 0.1 * (i + 1) * 1e11,
                                       .share = 1.0 / ROOF_CHART_POINT_MAX,
                                       .bound = ROOF_BOUND_MEMORY,
                                       .measured = true};
    }
    chart.points = points;
    chart.point_count = ROOF_CHART_POINT_MAX;
    chart.change_count = 0;
    drawing page = page_of(&chart, NULL);
    check_page(&page);
    assert_int_equal(count_of(page.bytes, "<tr id=\"row-point-"), ROOF_CHART_POINT_MAX);
    assert_true(page.length < 200000);
    drawing_free(&page);
}

static void hostile_text_stays_text(void **state) {
    static const char name[] =
        "</script><script>alert(1)</script>\"'><img src=x onerror=1>\xE2\x80\xAEgnp.\xFF\x01&amp;";
    static const char csv[] = "name,\"<b>\"\n\"</td><script>\"\"x\"\"\",\xE2\x80\xAE\n";
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    roof_chart_point point = chart.points[0];
    roof_advice advice = {
        .idea = "<script>", .effect = ROOF_EFFECT_HELPS, .speedup = 2, .reason = "</li>\"", .fits = true};
    const struct roof_page_advice set = {"<h2>", &advice, 1};
    const roof_page_table table = {.title = "\"><script>", .csv = csv, .length = sizeof csv - 1, .units = "<b>=<i>"};
    const char *const notes[] = {name};
    const roof_page page = {.advice = &set,
                            .advice_count = 1,
                            .tables = &table,
                            .table_count = 1,
                            .notes = notes,
                            .note_count = 1,
                            .title = name,
                            .text = name,
                            .command = name};
    (void)state;
    point.label = point.detail = name;
    chart.points = &point;
    chart.subtitle = name;
    drawing out = page_of(&chart, &page);
    assert_int_equal(count_of(out.bytes, "<script"), 1);
    assert_int_equal(count_of(out.bytes, "</script"), 1);
    assert_null(strstr(out.bytes, "<img"));
    assert_null(strstr(out.bytes, "\xE2\x80\xAE")); /* would write what follows backwards */
    assert_non_null(strstr(out.bytes, "&lt;/td&gt;&lt;script&gt;&quot;x&quot;"));
    assert_non_null(strstr(out.bytes, "<h1>&lt;/script&gt;"));
    char *main_part = malloc(out.length + 32);
    sprintf(main_part, "<main>%s</main>", part_of(out.bytes, "<main>", "</main>"));
    check_xml(main_part);
    free(main_part);
    drawing_free(&out);
}

/* ---- tables ---- */

static char *table_text(const char *csv, const char *units) {
    const roof_page_table table = {.title = "T", .csv = csv, .length = strlen(csv), .units = units};
    const roof_page page = {.tables = &table, .table_count = 1, .title = "only a table"};
    drawing out = page_of(NULL, &page);
    check_page(&out);
    char *copy = copy_of(part_of(out.bytes, "<tbody>\n", "</tbody>"));
    drawing_free(&out);
    return copy;
}

static void numbers_have_units_and_their_value(void **state) {
    (void)state;
    char *body = table_text("name,link_bytes,seconds\nfirst,1.5e6,0.0123\nsecond,,0.25\n", "seconds=s bytes=B");
    assert_string_equal(body, "<tr><td>first</td><td class=\"number\" data-sort=\"1.5e6\">1.5</td>"
                              "<td class=\"number\" data-sort=\"0.0123\">12.3</td></tr>\n"
                              "<tr><td>second</td><td class=\"number\" data-sort=\"\">\xE2\x80\x93</td>"
                              "<td class=\"number\" data-sort=\"0.25\">250</td></tr>\n");
    free(body);
    body = table_text("figure,value,unit\nDRAM,3.35e12,B/s\nclock,1.83e9,Hz\nunits,132,\n", "value=unit");
    assert_non_null(strstr(body, ">3.35 TB/s</td></tr>"));
    assert_non_null(strstr(body, ">1.83 GHz</td></tr>"));
    assert_non_null(strstr(body, ">132</td></tr>"));
    free(body);
    body = table_text("share,bytes_l2\n0.25,1\n0.5,1e9\n", "share=% bytes_=B"); /* nine decades: each its own prefix */
    assert_non_null(strstr(body, ">25.0</td>"));
    assert_non_null(strstr(body, ">1 GB</td>"));
    free(body);
}

static void broken_tables_are_no_danger(void **state) {
    static const char *const tables[] = {
        "",           "\n",           "a",      "a,b\n1\n1,2,3\n", "\"a",
        "a\r\n1\r\n", "a,a\n\"1\"\"", "\n\n\n", ",,,\n,,,\n",      "a\n-\n.\n1e\n1e999\n"};
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        const roof_page_table table = {.title = "T", .csv = tables[i], .length = strlen(tables[i]), .units = "a=s ="};
        const roof_page page = {.tables = &table, .table_count = 1};
        drawing out = page_of(NULL, &page);
        check_page(&out);
        drawing_free(&out);
    }
}

/* ---- the script ---- */

static uint32_t turn(uint32_t word, int by) {
    return word >> by | word << (32 - by);
}

/* SHA-256 as in FIPS 180-4; its constants are roots of primes, computed here. */
static void sha256_block(uint32_t sum[8], const uint32_t k[64], const unsigned char *block) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, sum, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t one =
            s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        uint32_t two =
            (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        sum[i] += s[i];
}

static uint32_t root_bits(int prime, bool cube) {
    long double root = cube ? cbrtl(prime) : sqrtl(prime);
    return (uint32_t)((root - floorl(root)) * 4294967296.0L);
}

static void sha256_base64(const char *text, char out[48]) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t k[64], sum[8];
    for (int number = 2, found = 0; found < 64; number++) {
        bool prime = true;
        for (int d = 2; d * d <= number; d++)
            prime &= number % d != 0;
        if (!prime)
            continue;
        if (found < 8)
            sum[found] = root_bits(number, false);
        k[found++] = root_bits(number, true);
    }
    size_t length = strlen(text), blocks = (length + 9 + 63) / 64;
    unsigned char *padded = calloc(blocks, 64), hash[33] = {0};
    memcpy(padded, text, length);
    padded[length] = 0x80;
    for (int i = 0; i < 8; i++)
        padded[blocks * 64 - 1 - (size_t)i] = (unsigned char)((uint64_t)length * 8 >> (8 * i));
    for (size_t i = 0; i < blocks; i++)
        sha256_block(sum, k, padded + 64 * i);
    free(padded);
    for (int i = 0; i < 32; i++)
        hash[i] = (unsigned char)(sum[i / 4] >> (24 - 8 * (i % 4)));
    for (int i = 0; i < 11; i++) {
        uint32_t three = (uint32_t)hash[3 * i] << 16 | (uint32_t)hash[3 * i + 1] << 8 | hash[3 * i + 2];
        for (int d = 0; d < 4; d++)
            out[4 * i + d] = digits[three >> (18 - 6 * d) & 63];
    }
    strcpy(out + 43, "=");
}

static void only_the_script_of_the_hash_runs(void **state) {
    char hash[48], policy[96];
    roof_chart chart = sample_chart(SAMPLE_GEMM);
    (void)state;
    sha256_base64("abc", hash); /* FIPS 180-4, example 1 */
    assert_string_equal(hash, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    drawing page = page_of(&chart, NULL);
    char *copy = copy_of(page.bytes);
    sha256_base64(part_of(copy, "<script>", "</script>"), hash);
    snprintf(policy, sizeof policy, "script-src 'sha256-%s'", hash);
    if (!strstr(page.bytes, policy))
        fail_msg("the script's hash is %s: write it into src/chart/html_assets.c", hash);
    assert_non_null(strstr(page.bytes, "content=\"default-src 'none';"));
    free(copy);
    drawing_free(&page);
}

static int refuse_all(void *context, const char *bytes, size_t length) {
    (void)context, (void)bytes, (void)length;
    return 1;
}

static void refusals(void **state) {
    roof_chart chart = sample_chart(SAMPLE_LLAMA);
    roof_error error = {0};
    (void)state;
    assert_int_equal(roof_chart_html(&chart, NULL, refuse_all, NULL, &error), -1);
    assert_int_equal(error.code, ROOF_EIO);
    chart.point_count = 65;
    assert_int_equal(roof_chart_html(&chart, NULL, refuse_all, NULL, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_has_a_mark_and_a_row),
        cmocka_unit_test(many_points_stay_small),
        cmocka_unit_test(hostile_text_stays_text),
        cmocka_unit_test(numbers_have_units_and_their_value),
        cmocka_unit_test(broken_tables_are_no_danger),
        cmocka_unit_test(only_the_script_of_the_hash_runs),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
