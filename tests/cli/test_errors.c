/* A remedy in the words of our options: every one has words, and every option in them exists. */
#include "test.h"

#include "cli/errors.h"

static void assert_options_exist(const char *words) {
    char name[32];
    for (const char *at = strstr(words, "--"); at; at = strstr(at + 2, "--")) {
        bool known = false;
        size_t length = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");
        snprintf(name, sizeof name, "%.*s", (int)length, at + 2);
        for (size_t i = 0; option_at(i) && !known; i++)
            known = strcmp(option_at(i)->name, name) == 0;
        if (!known)
            fail_msg("'%s' names no option: %s", name, words);
    }
}

static void test_every_remedy_has_words(void **state) {
    char words[200];
    (void)state;
    assert_string_equal(remedy_words(ROOF_REMEDY_NONE, "", words, sizeof words), "");
    for (int i = ROOF_REMEDY_NONE + 1; i < ROOF_REMEDY_COUNT; i++) {
        remedy_words((roof_remedy)i, "f16", words, sizeof words);
        if (!words[0])
            fail_msg("remedy %d has no words", i);
        assert_options_exist(words);
    }
}

static void assert_advice(const char *hint, roof_remedy remedy, const char *subject, const char *wanted) {
    char advice[512];
    roof_error error;
    roof_fail(&error, ROOF_EARGUMENT, "wrong");
    roof_hint(&error, "%s", hint);
    roof_suggest(&error, remedy, subject);
    assert_string_equal(error_advice(&error, advice, sizeof advice), wanted);
}

static void test_hint_and_remedy_are_one_sentence(void **state) {
    (void)state;
    assert_advice("", ROOF_REMEDY_NONE, "", "");
    assert_advice("look again", ROOF_REMEDY_NONE, "", "look again");
    assert_advice("", ROOF_REMEDY_DTYPE, "f16", "--dtype f16");
    assert_advice("f16 is the usual substitute", ROOF_REMEDY_DTYPE, "f16", "f16 is the usual substitute: --dtype f16");
    assert_advice("did you mean 'h100-sxm'?", ROOF_REMEDY_LIST_MACHINES, "",
                  "did you mean 'h100-sxm'? 'roofline machines' lists all");
    assert_advice("choose another machine", ROOF_REMEDY_LIST_MACHINES, "",
                  "choose another machine; 'roofline machines' lists all");
    assert_advice("", ROOF_REMEDY_DIMENSION, "batch,sequence", "--dim batch=1 --dim sequence=1");
}

static void test_words_are_whole(void **state) {
    char words[24];
    (void)state;
    assert_string_equal(remedy_words(ROOF_REMEDY_DIMENSION, "batch,sequence", words, sizeof words), "--dim batch=1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_remedy_has_words),
        cmocka_unit_test(test_hint_and_remedy_are_one_sentence),
        cmocka_unit_test(test_words_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
