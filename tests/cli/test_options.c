/* The tables of verbs and options, and the parser. */
#include "test.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "cli/help.h"
#include "roofline_expected.h"

/* Parse words separated by blanks. */
static int parse(const char *line, cli_settings *out, roof_error *error) {
    static char copy[512];
    char *arguments[32];
    int count = 0;
    snprintf(copy, sizeof copy, "roofline %s", line);
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " "))
        arguments[count++] = at;
    *out = (cli_settings){0};
    return options_parse(count, arguments, out, error);
}

static void spellings(void **state) {
    static const char *const same[] = {
        "model x --batch 8 --on a,b -o f.csv --ops", "model x -b 8 --on a --on b -of.csv --ops",
        "model --batch=8 x --on=a,b --output f.csv --ops", "--color never model x -b8 --on a,b --output=f.csv --ops"};
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        cli_settings out;
        roof_error error;
        if (parse(same[i], &out, &error))
            fail_msg("%s: %s", same[i], error.what);
        assert_string_equal(out.verb->name, "model");
        assert_int_equal(out.word_count, 1);
        assert_string_equal(out.words[0], "x");
        assert_int_equal(out.model.batch.count, 1);
        assert_exact(out.model.batch.values[0], 8);
        assert_int_equal(out.on.count, 2);
        assert_string_equal(out.on.items[1], "b");
        assert_string_equal(out.output.items[0], "f.csv");
        assert_true(out.model.ops);
        settings_free(&out);
    }
}

static void words_after_two_hyphens(void **state) {
    cli_settings out;
    roof_error error;
    (void)state;
    assert_int_equal(parse("model -- --batch -x", &out, &error), 0);
    assert_int_equal(out.word_count, 2);
    assert_string_equal(out.words[0], "--batch");
    settings_free(&out);
}

static void one_hyphen_is_a_word(void **state) {
    cli_settings out;
    roof_error error;
    (void)state;
    assert_int_equal(parse("op gemm -o - --json", &out, &error), 0);
    assert_string_equal(out.output.items[0], "-");
    assert_true(out.json);
    settings_free(&out);
}

/* What every row of the table must be, so that help, man page and completions stay well-formed. */
static void the_table_is_sound(void **state) {
    (void)state;
    for (size_t i = 0; option_at(i); i++) {
        const cli_option *option = option_at(i);
        assert_true(strlen(option->name) > 1 &&
                    strspn(option->name, "abcdefghijklmnopqrstuvwxyz-") == strlen(option->name));
        assert_true(option->verbs != 0);
        assert_int_equal(option->kind == OPTION_SWITCH, option->value == NULL);
        assert_int_equal(option->kind == OPTION_CHOICE || option->kind == OPTION_ENGINE, option->choices != NULL);
        if (option->group != GROUP_HIDDEN)
            assert_true(strlen(option->summary) <= 54); /* one line of -h */
        for (size_t k = i + 1; option_at(k); k++) {
            bool share = option->verbs & option_at(k)->verbs;
            assert_false(share && strcmp(option->name, option_at(k)->name) == 0);
            assert_false(share && option->letter && option_at(k)->letter &&
                         strcmp(option->letter, option_at(k)->letter) == 0);
        }
    }
    for (size_t i = 0; verb_at(i); i++)
        assert_true(verb_at(i)->run && verb_at(i)->examples[0] && verb_at(i)->details);
}

static void engines_by_class_and_by_name(void **state) {
    static const struct {
        const char *line;
        roof_engine engine;
    } cases[] = {
        {"op gemm --engine alone", ROOF_ENGINE_ALONE},         {"op gemm --engine=graph", ROOF_ENGINE_GRAPH},
        {"model x --engine vllm", ROOF_ENGINE_SERVING},        {"model x --engine TensorRT-LLM", ROOF_ENGINE_CPP},
        {"model x --engine llama.cpp", ROOF_ENGINE_LLAMA_CPP}, {"profile x --engine unknown", ROOF_ENGINE_UNKNOWN}};
    cli_settings out;
    roof_error error;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse(cases[i].line, &out, &error), 0);
        assert_true(out.engine.given);
        assert_int_equal(out.engine.engine, cases[i].engine);
        settings_free(&out);
    }
    assert_int_equal(parse("model x", &out, &error), 0);
    assert_false(out.engine.given);
    settings_free(&out);
    assert_int_equal(parse("model x --engine fused", &out, &error), -1);
    assert_non_null(strstr(error.what, "--engine 'fused'"));
    assert_non_null(strstr(error.hint, "fastertransformer"));
}

/* Every choice that completions offer is taken. */
static void engine_choices_are_engines(void **state) {
    (void)state;
    for (size_t i = 0; option_at(i); i++) {
        int count = 0;
        const option_choice *choice = option_at(i)->kind == OPTION_ENGINE ? option_at(i)->choices : NULL;
        for (; choice && choice->word; choice++, count++) {
            roof_engine engine;
            assert_int_equal(roof_engine_find(choice->word, &engine, NULL), 0);
            assert_int_equal(engine, choice->value);
            assert_string_equal(roof_engine_name(engine), choice->word);
        }
        assert_true(count == 0 || count == ROOF_ENGINE_COUNT);
    }
}

/* A word means one thing: what another verb calls so has a name of its own, which the error says. */
static void old_names_lead_to_the_new(void **state) {
    cli_settings out;
    roof_error error;
    (void)state;
    assert_int_equal(parse("model x --compare a", &out, &error), -1);
    assert_non_null(strstr(error.hint, "--instead"));
    assert_int_equal(parse("op gemm --compare=a", &out, &error), -1);
    assert_non_null(strstr(error.hint, "--instead"));
    assert_int_equal(parse("model x --show", &out, &error), -1);
    assert_non_null(strstr(error.hint, "--layers"));
    assert_int_equal(parse("profile a b --compare", &out, &error), 0);
    assert_true(out.profile.compare);
    assert_int_equal(parse("models --show x", &out, &error), 0);
    assert_string_equal(out.show, "x");
    settings_free(&out);
}

/* Every example and every option is in the help of its verb; no line passes 80 columns. */
static void help_is_complete(void **state) {
    (void)state;
    for (size_t i = 0; verb_at(i); i++) {
        text_out out = {0};
        help_long(verb_at(i), &out);
        for (size_t k = 0; k < 4 && verb_at(i)->examples[k]; k++)
            assert_non_null(strstr(out.bytes, verb_at(i)->examples[k]));
        for (size_t k = 0; option_at(k); k++) {
            char name[40];
            snprintf(name, sizeof name, "--%s", option_at(k)->name);
            if ((option_at(k)->verbs & verb_at(i)->bit) && option_at(k)->group != GROUP_HIDDEN)
                assert_non_null(strstr(out.bytes, name));
        }
        for (const char *line = out.bytes; *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= 80);
        text_free(&out);
    }
}

static void generated_files(void **state) {
    static const char *const kinds[] = {"man", "bash", "zsh", "fish"};
    roof_error error;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        text_out out = {0};
        assert_int_equal(make_from_tables(kinds[i], &out, &error), 0);
        assert_non_null(strstr(out.bytes, "kv")); /* an option made it there */
        text_free(&out);
    }
    text_out out = {0};
    assert_int_equal(make_from_tables("tcsh", &out, &error), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spellings),
                                       cmocka_unit_test(old_names_lead_to_the_new),
                                       cmocka_unit_test(words_after_two_hyphens),
                                       cmocka_unit_test(one_hyphen_is_a_word),
                                       cmocka_unit_test(the_table_is_sound),
                                       cmocka_unit_test(engines_by_class_and_by_name),
                                       cmocka_unit_test(engine_choices_are_engines),
                                       cmocka_unit_test(help_is_complete),
                                       cmocka_unit_test(generated_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
