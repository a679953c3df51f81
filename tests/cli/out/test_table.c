/* Tables and titles: alignment, one blank where two do not fit, nothing past 80 columns, no blank at the end of a line.
 */
#include "test.h"

#include <stdlib.h>

#include "cli/out/table.h"

static void check_lines(const text_out *out) {
    const char *line = out->bytes;
    while (*line) {
        size_t length = strcspn(line, "\n");
        assert_true(text_width(line, length) <= TEXT_COLUMNS);
        assert_true(length == 0 || line[length - 1] != ' ');
        line += length + 1;
    }
}

static void aligns(void **state) {
    static const char group[] = "both";
    table_grid table = {0};
    text_out out = {0};
    (void)state;
    table_column_add(&table, NULL, "l", "name");
    table_column_add(&table, group, "w", "a");
    table_column_add(&table, group, "", "b");
    table_row(&table);
    table_cell_add(&table, PAINT_NONE, "x");
    table_cell_add(&table, PAINT_NONE, "1");
    table_cell_add(&table, PAINT_NONE, "1,000");
    table_row(&table);
    table_cell_add(&table, PAINT_NONE, "%s", "");
    table_cell_add(&table, PAINT_NONE, "22");
    table_print(&table, &out);
    assert_string_equal(out.bytes, "         both\n"
                                   "  name    a      b\n"
                                   "  x       1  1,000\n"
                                   "         22\n");
    text_free(&out);
    table_free(&table);
}

static void squeezes_and_cuts(void **state) {
    table_grid table = {0};
    text_out out = {0};
    (void)state;
    table_column_add(&table, NULL, "ls", "name");
    for (int i = 0; i < 8; i++)
        table_column_add(&table, NULL, "w", "%d", i);
    table_row(&table);
    table_cell_add(&table, PAINT_NONE, "a name of more than twenty characters");
    for (int i = 0; i < 8; i++)
        table_cell_add(&table, PAINT_NONE, "123456");
    table_print(&table, &out);
    check_lines(&out);
    assert_non_null(strstr(out.bytes, "~")); /* what was cut says so */
    text_free(&out);
    table_free(&table);
}

static void folds(void **state) {
    table_grid table = {0};
    text_out out = {0};
    (void)state;
    table_column_add(&table, NULL, "l", "kind");
    table_column_add(&table, NULL, "lf", "what");
    table_row(&table);
    table_cell_add(&table, PAINT_NONE, "%060d", 1);
    table_cell_add(&table, PAINT_NONE, "words that go on and on past the end");
    table_print(&table, &out);
    check_lines(&out);
    assert_non_null(strstr(out.bytes, "end\n"));
    text_free(&out);
    table_free(&table);
}

static void titles(void **state) {
    text_out out = {0};
    (void)state;
    text_title(&out, "short", PAINT_NONE, "%s-bound", "memory");
    assert_int_equal(out.length, 81);
    out.length = 0;
    text_title(&out, "a title of some seventy characters, which leaves no room for the verdict", PAINT_NONE,
               "memory-bound");
    check_lines(&out);
    text_free(&out);
}

static void colours(void **state) {
    text_out plain = {0}, painted = {.colour = true};
    (void)state;
    text_paint(&plain, PAINT_GREEN, "helps");
    text_paint(&painted, PAINT_GREEN, "helps");
    assert_string_equal(plain.bytes, "helps");
    assert_string_equal(painted.bytes, "\033[32mhelps\033[0m");
    text_free(&plain);
    text_free(&painted);
}

static void wraps(void **state) {
    text_out out = {0};
    (void)state;
    for (int i = 0; i < 3; i++)
        text_wrap(
            &out, 0, 4,
            "word word word word word word word word word word word word word word word word word word word word");
    check_lines(&out);
    out.length = 0;
    text_wrap(&out, 0, 4, "");
    assert_string_equal(out.bytes, "\n");
    out.length = 0;
    text_wrap(&out, 0, 4,
              "https://example.org/a-word-that-is-longer-than-a-line-cannot-be-broken-and-stands-as-it-is-whole");
    assert_int_equal(out.bytes[out.length - 1], '\n');
    text_free(&out);
}

/* As terminals count: East Asian wide characters and emoji two, combining marks none (the tables of Unicode). */
static void counts_columns(void **state) {
    static const struct {
        const char *text;
        size_t columns;
    } rows[] = {{"kernel", 6},       {"\xC3\xA4rger", 5},     {"a\xCC\x88rger", 5}, {"\xE6\xA0\xB8\xE5\xBF\x83", 4},
                {"\xED\x95\x9C", 2}, {"\xF0\x9F\x9A\x80", 2}, {"\xE2\x80\xA6", 1},  {"\xEF\xBC\xA1", 2},
                {"e\xE2\x80\x8B", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(text_width(rows[i].text, strlen(rows[i].text)), rows[i].columns);
}

static void aligns_wide_characters(void **state) {
    table_grid table = {0};
    text_out out = {.utf8 = true};
    (void)state;
    table_column_add(&table, NULL, "ls", "name");
    table_column_add(&table, NULL, "", "a");
    table_row(&table);
    table_cell_add(&table, PAINT_NONE, "\xE6\xA0\xB8\xE5\xBF\x83");
    table_cell_add(&table, PAINT_NONE, "1");
    table_row(&table);
    table_cell_add(&table, PAINT_NONE, "name5");
    table_cell_add(&table, PAINT_NONE, "2");
    table_print(&table, &out);
    assert_string_equal(out.bytes, "  name   a\n"
                                   "  \xE6\xA0\xB8\xE5\xBF\x83   1\n"
                                   "  name5  2\n");
    text_free(&out);
    table_free(&table);
}

/* Forty wide characters are cut where a half of one would not fit. */
static void cuts_wide_characters(void **state) {
    table_grid table = {0};
    text_out out = {.utf8 = true};
    char name[TABLE_CELL] = "";
    (void)state;
    for (int i = 0; i < 30; i++)
        strcat(name, "\xE6\xA0\xB8");
    table_column_add(&table, NULL, "ls", "name");
    for (int i = 0; i < 5; i++)
        table_column_add(&table, NULL, "", "%d", i);
    table_row(&table);
    table_cell_add(&table, PAINT_NONE, "%s", name);
    for (int i = 0; i < 5; i++)
        table_cell_add(&table, PAINT_NONE, "12345");
    table_print(&table, &out);
    check_lines(&out);
    const char *row = strchr(out.bytes, '\n') + 1;
    assert_int_equal(text_width(row, strlen(row) - 1), TEXT_COLUMNS);
    text_free(&out);
    table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(aligns),
                                       cmocka_unit_test(squeezes_and_cuts),
                                       cmocka_unit_test(counts_columns),
                                       cmocka_unit_test(aligns_wide_characters),
                                       cmocka_unit_test(cuts_wide_characters),
                                       cmocka_unit_test(folds),
                                       cmocka_unit_test(titles),
                                       cmocka_unit_test(colours),
                                       cmocka_unit_test(wraps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
