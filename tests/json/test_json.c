/* Access to JSON, places in it, and the patterns of quantisation configs (Python's re.match and fnmatch as the oracle:
 * each expectation was what they answer). */
#include "read/match.h"
#include "test.h"
#include "json/tree.h"

static void kinds_and_values(void **state) {
    (void)state;
    static const char text[] =
        "\xEF\xBB\xBF{\"a\": 1.5, \"b\": [true, null, \"x\"], \"c\": {\"d\": 12345678901234567890123}}";
    roof_error error = {0};
    json_node *root = json_read(text, sizeof text - 1, &error);
    assert_non_null(root);
    assert_exact(json_number(json_get(root, "a"), 0), 1.5);
    assert_int_equal(json_size(json_get(root, "b")), 3);
    assert_true(json_bool(json_at(json_get(root, "b"), 0), false));
    assert_int_equal(json_kind_of(json_at(json_get(root, "b"), 1)), JSON_NODE_NULL);
    assert_string_equal(json_text(json_at(json_get(root, "b"), 2)), "x");
    assert_near(json_number(json_get(json_get(root, "c"), "d"), 0), 1.2345678901234568e22, 1e-15);
    assert_null(json_at(json_get(root, "b"), 3));
    assert_null(json_get(root, "z"));
    assert_int_equal(json_kind_of(NULL), JSON_NODE_NONE);
    assert_exact(json_number(NULL, 7), 7);
    const char *key;
    const json_node *value = NULL;
    size_t members = 0;
    while (json_next_member(root, &value, &key))
        members++;
    assert_int_equal(members, 3);
    json_free(root);
    json_free(NULL);
}

static void errors_have_places(void **state) {
    (void)state;
    static const struct {
        const char *text, *what;
        long line, offset;
    } rows[] = {
        {"{\"a\": 1,\n\"a\": 2}", "key 'a' appears twice", 2, 9},
        {"{\"a\": }", "a value expected near '}'", 1, 6},
        {"", "the text is empty", 1, 0},
        {"{} {}", "the end of the text expected near '{}'", 1, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_error error = {0};
        assert_null(json_read(rows[i].text, strlen(rows[i].text), &error));
        if (!strstr(error.what, rows[i].what))
            fail_msg("'%s', not '%s'", error.what, rows[i].what);
        assert_int_equal(error.line, rows[i].line);
        assert_int_equal(error.offset, rows[i].offset);
    }
}

static void places_of_nodes(void **state) {
    (void)state;
    static const char text[] =
        "{\"x\": \"\\\"k\\\": 1\",\n \"in\": {\"k\": 2},\n \"l\": [{\"k\": 3},\n 5],\n \"k\": 4}";
    roof_error error;
    json_node *root = json_read(text, sizeof text - 1, &error);
    const struct {
        const json_node *node;
        long line;
        const char *at;
    } rows[] = {
        {json_get(root, "k"), 5, "\"k\": 4"},
        {json_get(json_get(root, "in"), "k"), 2, "\"k\": 2"},
        {json_at(json_get(root, "l"), 1), 4, "5]"},
        {json_at(json_get(root, "l"), 0), 3, "{\"k\": 3"},
    };
    assert_non_null(root);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_place(rows[i].node, &error);
        assert_int_equal(error.line, rows[i].line);
        assert_ptr_equal(text + error.offset, strstr(text, rows[i].at));
    }
    json_place(NULL, &error);
    assert_int_equal(error.offset, -1);
    json_free(root);
}

static void globs(void **state) {
    (void)state;
    assert_true(match_list("*norm_eps*", "rms_norm_eps"));
    assert_false(match_list("norm", "rms_norm"));
    assert_true(match_list("a*b*c", "axxbyyc"));
    assert_false(match_list("a*b*c", "axxbyy"));
    assert_true(match_list("?b", "ab"));
    assert_true(match_list("one two*", "twofold"));
    assert_false(match_list("one two", "twofold"));
    assert_false(match_list(NULL, "one"));
    assert_true(match_module("gate", "model.layers.3.mlp.gate"));
    assert_false(match_module("gate", "model.layers.3.mlp.gate_proj"));
    assert_true(match_module("self_attn", "model.layers.3.self_attn.q_proj"));
    assert_true(match_path("61*", "61.self_attn.q_proj"));
    assert_false(match_path("6", "61.self_attn.q_proj"));
    assert_true(match_path("*.self_attn", "6.self_attn.q_proj"));
    assert_false(match_module("", "a.b"));
}

static void regular_expressions(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *text;
        match_result want;
    } rows[] = {
        {".*mlp\\.(gate|up|gate_up|down)_proj.*", "model.layers.0.mlp.down_proj", MATCH_YES},
        {".*mlp\\.(gate|up|gate_up|down)_proj.*", "model.layers.0.mlp.experts.0.down_proj", MATCH_NO},
        {"lm_head", "lm_head", MATCH_YES},
        {"head", "lm_head", MATCH_NO}, /* re.match starts at the start */
        {"model\\.layers\\.\\d+\\.mlp\\.gate$", "model.layers.12.mlp.gate", MATCH_YES},
        {"model\\.layers\\.\\d+\\.mlp\\.gate$", "model.layers.12.mlp.gate_proj", MATCH_NO},
        {"^model.layers.[0-9]+.self_attn", "model.layers.5.self_attn.o_proj", MATCH_YES},
        {"[^m]odel", "model", MATCH_NO},
        {"(?:a|b)(c|d)", "bd", MATCH_YES},
        {"a|b", "b", MATCH_YES},
        {"colou?r", "color", MATCH_YES},
        {"(?!x).*", "y", MATCH_UNREADABLE},
        {"(ab)+", "abab", MATCH_UNREADABLE},
        {"a{2}", "aa", MATCH_UNREADABLE},
        {"(a", "a", MATCH_UNREADABLE},
        {".*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*z", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         MATCH_UNREADABLE}, /* gives up */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (match_regex(rows[i].pattern, rows[i].text) != rows[i].want)
            fail_msg("'%s' on '%s' is not %d", rows[i].pattern, rows[i].text, (int)rows[i].want);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_values),    cmocka_unit_test(errors_have_places),
        cmocka_unit_test(places_of_nodes),     cmocka_unit_test(globs),
        cmocka_unit_test(regular_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
