/* Lists and ranges, and the combinations of several. */
#include "test.h"

#include "cli/out/range.h"

static const range_rule counts = {QUANTITY_COUNT, true, 0, 1e15}, reals = {QUANTITY_ANY, false, 0, 1e30};

static void assert_list(const char *text, const range_rule *rule, const double *wanted, size_t count) {
    range list = {0};
    roof_error error;
    if (range_parse("m", text, rule, &list, &error))
        fail_msg("'%s': %s", text, error.what);
    assert_int_equal(list.count, count);
    for (size_t i = 0; i < count; i++)
        assert_near(list.values[i], wanted[i], 1e-12);
    range_free(&list);
}
#define assert_values(text, rule, ...)                                                                                 \
    assert_list(text, rule, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void lists(void **state) {
    (void)state;
    assert_values("8", &counts, 8);
    assert_values("1,8,64", &counts, 1, 8, 64);
    assert_values("64,1,64", &counts, 64, 1, 64); /* order and repetition are the caller's */
    assert_values("1..512*2", &counts, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512);
    assert_values("1..500*2", &counts, 1, 2, 4, 8, 16, 32, 64, 128, 256);
    assert_values("1..4", &counts, 1, 2, 3, 4);
    assert_values("1..16+5", &counts, 1, 6, 11, 16);
    assert_values("4..4", &counts, 4);
    assert_values("1,8..64*2", &counts, 1, 8, 16, 32, 64);
    assert_values("1k..4k*2", &counts, 1000, 2000, 4000);
    assert_values("0..1+0.1", &reals, 0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1);
    assert_values("1e+2..3e+2+1e+2", &reals, 100, 200, 300);
    assert_values("0..0", &counts, 0);
}

static void assert_refused(const char *text, const char *what) {
    range list = {0};
    roof_error error = {0};
    if (range_parse("m", text, &counts, &list, &error) == 0)
        fail_msg("'%s' is read", text);
    assert_string_equal(error.what, what);
    range_free(&list);
}

static void refusals(void **state) {
    (void)state;
    assert_refused("", "m '' has an empty or overlong value");
    assert_refused(",", "m ',' has an empty or overlong value");
    assert_refused("1,", "m '1,' has an empty or overlong value");
    assert_refused("..5", "m '..5' has an empty or overlong value");
    assert_refused("1..", "m '1..' has an empty or overlong value");
    assert_refused("1..5*", "m '1..5*' has an empty or overlong value");
    assert_refused("1..0", "m '1..0' is empty: its end is below its start");
    assert_refused("0..8*2", "m '0..8*2' never ends: a factor must be above 1 and the start above 0");
    assert_refused("1..8*1", "m '1..8*1' never ends: a factor must be above 1 and the start above 0");
    assert_refused("1..8+0", "m '1..8+0' never ends: a step must be above 0");
    assert_refused("1..8*0.5", "m '1..8*0.5' never ends: a factor must be above 1 and the start above 0");
    assert_refused("nan", "m 'nan' is not a number");
    assert_refused("1..inf", "m 'inf' is not a number");
    assert_refused("1e999", "m '1e999' is not a number");
    assert_refused("-1", "m -1 is out of range: 0 to 1e+15 are allowed");
    assert_refused("1e16", "m 1e+16 is out of range: 0 to 1e+15 are allowed");
    assert_refused("1.5", "m 1.5 is not a whole number");
    assert_refused("1..4*1.5", "m 1.5 is not a whole number");
    assert_refused("1..1000000", "m '1..1000000' has more than 10000 values");
    assert_refused("1...5", "m '1...5' is empty: its end is below its start"); /* 1 to .5 */
}

static void combinations(void **state) {
    double first[] = {1, 2}, second[] = {10, 20, 30};
    range a = {first, 2}, none = {NULL, 0}, b = {second, 3};
    const range *const lists_[] = {&a, &none, &b};
    double values[3] = {0, -7, 0};
    roof_error error;
    (void)state;
    assert_int_equal(range_points(lists_, 3, &error), 6);
    range_point(lists_, 3, 4, values);
    assert_exact(values[0], 2);
    assert_exact(values[1], -7); /* absent lists are left alone */
    assert_exact(values[2], 20);
    assert_int_equal(range_points(NULL, 0, &error), 1);
}

static void too_many_combinations(void **state) {
    static double many[200];
    range a = {many, 200};
    const range *const lists_[] = {&a, &a, &a, &a, &a, &a, &a, &a, &a};
    roof_error error;
    (void)state;
    assert_int_equal(range_points(lists_, 2, &error), 0);
    assert_string_equal(error.what, "the lists make 40,000 combinations: at most 10,000 are judged at once");
    assert_int_equal(range_points(lists_, 9, &error), 0); /* no overflow on the way */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists), cmocka_unit_test(refusals),
                                       cmocka_unit_test(combinations), cmocka_unit_test(too_many_combinations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
