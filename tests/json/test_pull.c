/* The pull parser: every token, texts that come in pieces of any size, and memory that runs out. */
#include <math.h>
#include <stdlib.h>

#include "alloc/alloc.h"
#include "test.h"
#include "json/calls.h"
#include "json/pull.h"
#include "json/tree.h"
#include "json/write.h"

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
    assert_string_equal(error.what, "not valid JSON: key 'k7' appears twice in one object");
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
    alloc_start(0);
    assert_non_null(root);
}

/* ---- random trees, written by our writer and read back ---- */

typedef struct sheet {
    char text[1 << 16];
    size_t used;
} sheet;

static int keep(void *to, const char *bytes, size_t length) {
    sheet *s = to;
    assert_true(s->used + length < sizeof s->text);
    memcpy(s->text + s->used, bytes, length);
    s->text[s->used += length] = '\0';
    return 0;
}

static unsigned long seed = 20261201;

static unsigned draw(unsigned below) {
    seed = (seed * 6364136223846793005u + 1442695040888963407u) & 0xFFFFFFFFFFFFFFFFu;
    return (unsigned)(seed >> 33) % below;
}

static const char *draw_text(char *text) {
    static const char *const parts[] = {"a", "\"", "\\", "\n", "\t", "\x01", "\xC3\xA9", "\xF0\x9F\x98\x80",
                                        "/", " ",  "}",  ","};
    text[0] = '\0';
    for (unsigned i = draw(9); i-- > 0;)
        strcat(text, parts[draw(sizeof parts / sizeof parts[0])]);
    return text;
}

/* Write a random value and, into `plan`, the tokens it must read back as. */
static void write_random(emit *out, const char *key, int depth, sheet *plan) {
    char text[80], line[200];
    double number = (draw(2) ? 1 : -1) * ldexp(draw(1u << 30), (int)draw(200) - 100);
    unsigned kind = draw(depth > 5 ? 4 : 6), count = draw(5);
    if (key)
        keep(plan, line, (size_t)snprintf(line, sizeof line, "k:%s|", key));
    if (kind == 0) {
        emit_string(out, key, draw_text(text));
        keep(plan, line, (size_t)snprintf(line, sizeof line, "t:%s|", text));
    } else if (kind == 1) {
        emit_number(out, key, number);
        keep(plan, line, (size_t)snprintf(line, sizeof line, "0:%a|", number));
    } else if (kind < 4) {
        kind == 2 ? emit_bool(out, key, count % 2) : emit_null(out, key);
        keep(plan, line, (size_t)snprintf(line, sizeof line, "w:%c|", kind == 3 ? 'n' : count % 2 ? 't' : 'f'));
    } else {
        kind == 4 ? emit_object(out, key) : emit_array(out, key);
        keep(plan, kind == 4 ? "{" : "[", 1);
        for (unsigned i = 0; i < count; i++) {
            snprintf(text, sizeof text, "%u", i);
            strcat(text, count % 2 ? "\n\"" : "");
            write_random(out, kind == 4 ? text : NULL, depth + 1, plan);
        }
        emit_end(out);
        keep(plan, kind == 4 ? "}" : "]", 1);
    }
}

static void read_plan(json_pull *p, sheet *to) {
    static const char *const brackets[] = {"", "{", "}", "[", "]"};
    char line[200];
    double number;
    for (json_token token; (token = json_next(p)) != JSON_END;) {
        assert_int_not_equal(token, JSON_FAILED);
        int n = 0;
        if (token == JSON_NUMBER && json_figure(p->text, p->length, &number))
            n = snprintf(line, sizeof line, "0:%a|", number);
        else if (token == JSON_KEY || token == JSON_TEXT)
            n = snprintf(line, sizeof line, "%c:%s|", token == JSON_KEY ? 'k' : 't', p->text);
        else if (token == JSON_WORD)
            n = snprintf(line, sizeof line, "w:%c|", p->word);
        else
            n = snprintf(line, sizeof line, "%s", brackets[token]);
        keep(to, line, (size_t)n);
    }
}

static void random_trees(void **state) {
    static sheet text, plan, got;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        text.used = plan.used = got.used = 0;
        emit out = emit_to(keep, &text);
        write_random(&out, NULL, 0, &plan);
        assert_int_equal(emit_finish(&out), 0);
        json_pull p;
        drip d = {text.text, text.used, 1 + draw(40)};
        assert_int_equal(json_pull_feed(&p, take, &d), 0);
        read_plan(&p, &got);
        json_pull_end(&p);
        assert_string_equal(got.text, plan.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_any_size), cmocka_unit_test(long_texts), cmocka_unit_test(what_is_no_json),
        cmocka_unit_test(values_are_skipped), cmocka_unit_test(many_keys),  cmocka_unit_test(each_allocation_fails),
        cmocka_unit_test(random_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
