/* Loose names and the nearest ones. */
#include "test.h"

#include "core/names.h"

static const char *at(const void *context, size_t index) {
    return ((const char *const *)context)[index];
}

static const char *const machines[] = {"a100-sxm-80", "h100-sxm", "h100-pcie", "h100-nvl", NULL, "rtx-4090", "tpu-v5e"};
static const name_list list = {.count = 7, .at = at, .context = machines};

static void names_are_compared_loosely(void **state) {
    (void)state;
    assert_true(name_equal("H100 SXM", "h100-sxm"));
    assert_true(name_equal("--rtx_4090", "RTX 4090"));
    assert_false(name_equal("h100", "h100-sxm"));
    assert_false(name_equal("h100-sxm", "h100"));
    assert_false(name_equal("", ""));
    assert_false(name_equal("-", "."));
    assert_true(name_in_list("V100", "v100,Tesla V100 SXM2"));
    assert_true(name_in_list("tesla-v100-sxm2", "v100, Tesla V100 SXM2"));
    assert_false(name_in_list("tesla", "v100,Tesla V100 SXM2"));
    assert_false(name_in_list("", "v100,,a"));
}

static void nearest_come_first_in_table_order(void **state) {
    (void)state;
    const char *best[8];
    assert_int_equal(nearest_names(&list, "h1000", best, 8), 3);
    assert_string_equal(best[0], "h100-sxm");
    assert_string_equal(best[1], "h100-pcie");
    assert_int_equal(nearest_names(&list, "h1000", best, 2), 2);
    assert_true(nearest_names(&list, "a100-sxn-80", best, 8) >= 1);
    assert_string_equal(best[0], "a100-sxm-80");
    assert_int_equal(nearest_names(&list, "4090", best, 8), 1); /* the end of a name */
    assert_string_equal(best[0], "rtx-4090");
    assert_int_equal(nearest_names(&list, "quantum", best, 8), 0);
    assert_int_equal(nearest_names(&list, "x", best, 8), 0);
    assert_int_equal(nearest_names(&list, "", best, 8), 0);
}

static void long_names_are_safe(void **state) {
    (void)state;
    char name[4096];
    memset(name, 'h', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const char *best[2];
    roof_error error;
    assert_int_equal(nearest_names(&list, name, best, 2), 0);
    assert_int_equal(unknown_name(&list, "machine", name, ROOF_REMEDY_LIST_MACHINES, &error), -1);
    assert_string_equal(error.hint, "");
    assert_int_equal(error.remedy, ROOF_REMEDY_LIST_MACHINES);
}

static void the_error_offers_them(void **state) {
    (void)state;
    roof_error error;
    assert_int_equal(unknown_name(&list, "machine", "h1000", ROOF_REMEDY_LIST_MACHINES, &error), -1);
    assert_int_equal(error.code, ROOF_ENOTFOUND);
    assert_string_equal(error.what, "unknown machine 'h1000'");
    assert_string_equal(error.hint, "did you mean 'h100-sxm' or 'h100-pcie'?");
    assert_int_equal(error.remedy, ROOF_REMEDY_LIST_MACHINES);
    unknown_name(&list, "machine", "tpu-v5", ROOF_REMEDY_NONE, &error);
    assert_string_equal(error.hint, "did you mean 'tpu-v5e'?");
    unknown_name(&list, "machine", "quantum", ROOF_REMEDY_NONE, &error);
    assert_string_equal(error.hint, "");
    assert_int_equal(unknown_name(&list, "machine", "quantum", ROOF_REMEDY_NONE, NULL), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_compared_loosely),
        cmocka_unit_test(nearest_come_first_in_table_order),
        cmocka_unit_test(long_names_are_safe),
        cmocka_unit_test(the_error_offers_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
