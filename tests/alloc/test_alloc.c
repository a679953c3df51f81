/* The failing heap itself: fails exactly where asked, and sees what leaks. */
#include "test.h"

#include <stdlib.h>

#include "alloc/alloc.h"

/* Three allocations; frees what it got whatever fails. */
static bool three(void) {
    char *first = malloc(10);
    char *second = first ? strdup("two") : NULL;
    char *third = second ? realloc(second, 100) : NULL;
    bool whole = third != NULL;
    free(third ? third : second);
    free(first);
    return whole;
}

static void test_each_fails_once(void **state) {
    (void)state;
    size_t failures = 0, last = 0;
    ALLOC_FAIL_EACH(n, {
        bool whole = three();
        assert_int_equal(whole, !alloc_failed());
        assert_int_equal(alloc_live(), 0);
        failures += alloc_failed();
        last = n;
    });
    assert_int_equal(failures, 3);
    assert_int_equal(last, 4);
    assert_int_equal(alloc_count(), 3);
}

static void test_leak_is_seen(void **state) {
    (void)state;
    char *kept = NULL;
    alloc_start(0);
    kept = calloc(2, 8);
    assert_non_null(kept);
    assert_int_equal(kept[0] | kept[15], 0);
    assert_int_equal(alloc_live(), 1);
    free(kept);
    assert_int_equal(alloc_live(), 0);
    assert_true(three());
    assert_false(alloc_failed());
}

static void test_realloc_keeps_the_old_block(void **state) {
    (void)state;
    alloc_start(2);
    char *block = malloc(4);
    char *grown = realloc(block, 4000);
    assert_null(grown);
    assert_int_equal(alloc_live(), 1);
    free(grown ? grown : block);
    assert_int_equal(alloc_live(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fails_once),
        cmocka_unit_test(test_leak_is_seen),
        cmocka_unit_test(test_realloc_keeps_the_old_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
