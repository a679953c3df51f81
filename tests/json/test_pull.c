/* The pull parser: every token, texts that come in pieces of any size, and memory that runs out. */
#include <stdlib.h>

#include "alloc/alloc.h"
#include "test.h"
#include "json/calls.h"
#include "json/pull.h"
#include "json/tree.h"

/* A feed of `step` bytes at a time. */
typedef struct drip {
    const char *text;
    size_t left, step;
} drip;

static size_t take(void *from, char *into, size_t room) {
    drip *d = from;
    size_t n = d->step < d->left ? d->step : d->left;
    n = n < room ? n : room;
    memcpy(into, d->text, n);
    d->text += n;
    d->left -= n;
    return n;
}

/* Tokens as one line: "{ k:a [ 0:1 0:2 ] }". */
static void spell(json_pull *p, char *out, size_t size) {
    static const char *const names[] = {"end", "{", "}", "[", "]", "k:", "t:", "0:", "w:"};
    size_t used = 0;
    for (json_token token; (token = json_next(p)) != JSON_END;) {
        if (token == JSON_FAILED) {
            snprintf(out + used, size - used, "! %s @%llu", p->what, (unsigned long long)p->start);
            return;
        }
        int texts = token == JSON_KEY || token == JSON_TEXT || token == JSON_NUMBER;
        used += (size_t)snprintf(out + used, size - used, "%s%.*s%c ", names[token], texts ? (int)p->length : 0,
                                 texts ? p->text : "", token == JSON_WORD ? p->word : ' ');
        assert_true(used < size);
    }
}

static const char sample[] =
    "\xEF\xBB\xBF{\"a\" : [1, -2.5e3 ,true,null],\n\"b\\n\\u00e9\\ud83d\\ude00\":{ },\"c\":[[],\"x\\\\\"] }\n";

static void pieces_of_any_size(void **state) {
    (void)state;
    char whole[1000], piece[1000], copy[sizeof sample];
    json_pull p;
    memcpy(copy, sample, sizeof sample);
    json_pull_memory(&p, copy, sizeof sample - 1);
    spell(&p, whole, sizeof whole);
    assert_string_equal(
        whole, "{  k:a  [  0:1  0:-2.5e3  w:t w:n ]  k:b\n\xC3\xA9\xF0\x9F\x98\x80  {  }  k:c  [  [  ]  t:x\\  ]  }  ");
    for (size_t step = 1; step < sizeof sample; step++) {
        drip d = {sample, sizeof sample - 1, step < 3 ? 3 : step}; /* the byte order mark comes in one piece */
        assert_int_equal(json_pull_feed(&p, take, &d), 0);
        spell(&p, piece, sizeof piece);
        json_pull_end(&p);
        assert_string_equal(piece, whole);
    }
}

/* A text longer than the first buffer keeps its place, and the memory grows with it alone. */
static void long_texts(void **state) {
    (void)state;
    enum { LONG = 300000, MANY = 40 };
    char *text = malloc((LONG + 10) * (size_t)MANY + 10), *at = text;
    json_pull p;
    assert_non_null(text);
    *at++ = '[';
    for (int i = 0; i < MANY; i++) {
        *at++ = '"';
        memset(at, 'a' + i % 26, LONG);
        at += LONG;
        memcpy(at, i + 1 < MANY ? "\", " : "\"]", 3);
        at += i + 1 < MANY ? 3 : 2;
    }
    drip d = {text, (size_t)(at - text), 5000};
    assert_int_equal(json_pull_feed(&p, take, &d), 0);
    assert_int_equal(json_next(&p), JSON_LIST);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(json_next(&p), JSON_TEXT);
        assert_int_equal(p.length, LONG);
        assert_true(p.text[0] == 'a' + i % 26 && p.text[LONG - 1] == p.text[0] && p.text[LONG] == '\0');
        assert_true(p.room <= 2 * 2 * LONG);
    }
    assert_int_equal(json_next(&p), JSON_END_LIST);
    assert_int_equal(json_next(&p), JSON_END);
    json_pull_end(&p);
    free(text);
}

static void what_is_no_json(void **state) {
    (void)state;
    static const struct {
        const char *text, *tokens;
    } rows[] = {
        {"", "! the text is empty @0"},
        {"[1,]", "[  0:1  ! a value expected near ']' @3"},
        {"[1 2]", "[  0:1  ! ',' or ']' expected near '2]' @3"},
        {"{\"a\" 1}", "{  ! ':' expected near '1}' @5"},
        {"{a: 1}", "{  ! a key or '}' expected near 'a: 1}' @1"},
        {"{\"a\": 1,}", "{  k:a  0:1  ! a key expected near '}' @8"},
        {"[01]", "[  ! no number as JSON writes it: '01' @1"},
        {"[1.]", "[  ! no number as JSON writes it: '1.' @1"},
        {"[-]", "[  ! no number as JSON writes it: '-' @1"},
        {"[+1]", "[  ! a value expected near '+1]' @1"},
        {"[\"a\nb\"]", "[  ! a line break or control character in the text 'a' @1"},
        {"[\"\\x\"]", "[  ! an escape that is not allowed in the text '\\x' @1"},
        {"[\"\\ud800\"]", "[  ! an escape that is not allowed in the text '\\ud800' @1"},
        {"[\"\xC0\xAF\"]", "[  ! the text '?\?' is not UTF-8 @1"},
        {"[\"\xED\xA0\x80\"]", "[  ! the text '?\?\?' is not UTF-8 @1"},
        {"[1] 2", "[  0:1  ]  ! the end of the text expected near '2' @4"},
        {"[\n[1", "[  [  0:1  ! the text ends inside the list that begins on line 2 @4"},
        {"[tru]", "[  ! a value expected near 'tru]' @1"},
        {"]", "! a value expected near ']' @0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char copy[100], tokens[400] = "";
        json_pull p;
        snprintf(copy, sizeof copy, "%s", rows[i].text);
        json_pull_memory(&p, copy, strlen(copy));
        spell(&p, tokens, sizeof tokens);
        assert_string_equal(tokens, rows[i].tokens);
        assert_int_equal(json_next(&p), JSON_FAILED); /* and it stays so */
    }
}

static void values_are_skipped(void **state) {
    (void)state;
    char text[] = "{\"a\": {\"b\": [1, {\"c\": 2}]}, \"d\": 3, \"e\": [4, [5], 6]}";
    json_pull p;
    json_pull_memory(&p, text, sizeof text - 1);
    assert_int_equal(json_next(&p), JSON_OBJECT);
    assert_int_equal(json_more(&p), 1);
    assert_int_equal(json_next(&p), JSON_KEY);
    assert_int_equal(json_skip(&p), 0);
    assert_int_equal(json_more(&p), 1);
    assert_int_equal(json_next(&p), JSON_KEY);
    assert_string_equal(p.text, "d");
    assert_int_equal(json_skip(&p), 0);
    assert_int_equal(json_more(&p), 1);
    assert_int_equal(json_next(&p), JSON_KEY);
    assert_int_equal(json_next(&p), JSON_LIST);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(json_more(&p), 1);
        assert_int_equal(json_skip(&p), 0);
    }
    assert_int_equal(json_more(&p), 0);
    assert_int_equal(json_more(&p), 0);
    assert_int_equal(json_next(&p), JSON_END);
    assert_int_equal(json_more(&p), -1);
}

/* Duplicates among many keys are found without comparing each with each, and the first repeated one is named. */
static void many_keys(void **state) {
    (void)state;
    enum { KEYS = 20000 };
    char *text = malloc(KEYS * 20 + 100), *at = text;
    roof_error error;
    assert_non_null(text);
    at += sprintf(at, "{");
    for (int i = 0; i < KEYS; i++)
        at += sprintf(at, "\"k%d\": %d,\n", i, i);
    json_node *root = NULL;
    sprintf(at, "\"last\": 1}");
    root = json_read(text, strlen(text), &error);
    assert_non_null(root);
    assert_int_equal(json_size(root), KEYS + 1);
    json_free(root);
    sprintf(at, "\"k7\": 1, \"k3\": 2}");
    assert_null(json_read(text, strlen(text), &error));
    assert_string_equal(error.what, "not valid JSON: key 'k7' stands twice in one object");
    assert_int_equal(error.line, KEYS + 1);
    free(text);
}

static void each_allocation_fails(void **state) {
    (void)state;
    static const char text[] =
        "{\"a\": [1, 2, {\"b\": [\"x\", \"y\"]}], \"1\": 1, \"2\": 1, \"3\": 1, \"4\": 1, \"5\": 1, "
        "\"6\": 1, \"7\": 1, \"8\": 1, \"9\": 1}";
    json_node *root;
    roof_error error = {0};
    ALLOC_FAIL_EACH(n, {
        root = json_read(text, sizeof text - 1, &error);
        json_free(root);
        assert_int_equal(alloc_live(), 0);
        if (!root)
            assert_int_equal(error.code, ROOF_ENOMEM);
    })
    assert_non_null(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_any_size), cmocka_unit_test(long_texts), cmocka_unit_test(what_is_no_json),
        cmocka_unit_test(values_are_skipped), cmocka_unit_test(many_keys),  cmocka_unit_test(each_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
