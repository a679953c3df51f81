/* Conditions of --require. */
#include "test.h"

#include "cli/out/require.h"

static fact_list facts;

static int set_up(void **state) {
    (void)state;
    snprintf(facts.place, sizeof facts.place, "at batch 8");
    fact_number(&facts, "decode.", "tokens_per_second", 1645);
    fact_number(&facts, "decode.", "seconds", 0.00486);
    fact_word(&facts, "decode.", "bound", "memory");
    fact_number(&facts, "batching.", "ridge_batch", (double)NAN);
    snprintf(facts.place, sizeof facts.place, "at batch 64");
    fact_number(&facts, "decode.", "tokens_per_second", 8479);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    facts_free(&facts);
    return 0;
}

static void assert_outcome(const char *condition, int wanted, const char *what) {
    text_list list = {{condition}, 1};
    roof_error error = {0};
    int outcome = require_check(&list, &facts, &error);
    if (outcome != wanted)
        fail_msg("'%s' gives %d: %s", condition, outcome, error.what);
    if (what)
        assert_string_equal(error.what, what);
}

static void holds(void **state) {
    static const char *const good[] = {"decode.tokens_per_second>=1000", "decode.tokens_per_second > 1.6k",
                                       "decode.tokens_per_second<=8479", "decode.seconds<5ms",
                                       "decode.seconds == 0.00486",      "decode.seconds!=1",
                                       "decode.bound==memory",           "decode.bound != compute",
                                       " decode.bound == memory"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_outcome(good[i], 0, NULL);
}

static void fails(void **state) {
    (void)state;
    /* it must hold for every point: the first that fails is named */
    assert_outcome("decode.tokens_per_second>=2000", 1,
                   "requirement 'decode.tokens_per_second>=2000' failed: decode.tokens_per_second is 1,645 at batch 8");
    assert_outcome("decode.tokens_per_second<2000", 1,
                   "requirement 'decode.tokens_per_second<2000' failed: decode.tokens_per_second is 8,479 at batch 64");
    assert_outcome("decode.bound==compute", 1,
                   "requirement 'decode.bound==compute' failed: decode.bound is memory at batch 8");
    /* what has no value satisfies nothing, not even != */
    assert_outcome("batching.ridge_batch>1", 1,
                   "requirement 'batching.ridge_batch>1' failed: batching.ridge_batch is unknown at batch 8");
    assert_outcome("batching.ridge_batch!=1", 1, NULL);
}

static void misuse(void **state) {
    (void)state;
    assert_outcome("decode.tok_s>=1", -1, "--require 'decode.tok_s>=1': the answer has no 'decode.tok_s'");
    assert_outcome("decode.bound=memory", -1, "--require 'decode.bound=memory' is not a condition");
    assert_outcome("decode.bound>memory", -1,
                   "--require 'decode.bound>memory': decode.bound is a word: compare it with == or !=");
    assert_outcome("decode.seconds<fast", -1, "--require decode.seconds: 'fast' is not a number");
    assert_outcome("decode.seconds<", -1, "--require 'decode.seconds<' is not a condition");
    assert_outcome(">=5", -1, "--require '>=5' is not a condition");
    assert_outcome("decode.seconds", -1, "--require 'decode.seconds' is not a condition");
    assert_outcome("", -1, "--require '' is not a condition");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds), cmocka_unit_test(fails), cmocka_unit_test(misuse)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
