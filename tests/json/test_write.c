/* The JSON writer: exact numbers, valid UTF-8, well-formed nesting. */
#include "test.h"

#include <stdlib.h>

#include "json/write.h"

typedef struct buffer {
    char bytes[4096];
    size_t length, stop_at; /* stop_at: refuse what would pass it; 0: take all */
} buffer;

static int take(void *context, const char *bytes, size_t length) {
    buffer *out = context;
    if ((out->stop_at && out->length + length > out->stop_at) || out->length + length >= sizeof out->bytes)
        return 1;
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
    out->bytes[out->length] = '\0';
    return 0;
}

static void assert_string(const char *text, const char *wanted) {
    buffer out = {.length = 0};
    emit json = emit_to(take, &out);
    emit_string(&json, NULL, text);
    assert_int_equal(emit_finish(&json), 0);
    char line[512];
    snprintf(line, sizeof line, "%s\n", wanted);
    assert_string_equal(out.bytes, line);
}

static void strings(void **state) {
    (void)state;
    assert_string(NULL, "null");
    assert_string("", "\"\"");
    assert_string("a \"b\" \\c/", "\"a \\\"b\\\" \\\\c/\"");
    assert_string("\n\r\t\b\f\x01\x1f", "\"\\n\\r\\t\\b\\f\\u0001\\u001f\"");
    assert_string("\x7f\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\x7f\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
    /* RFC 3629: overlong forms, surrogates, beyond U+10FFFF, lone and cut sequences are not UTF-8 */
    assert_string("\xc0\xaf", "\"\\ufffd\\ufffd\"");
    assert_string("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
    assert_string("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    assert_string("\x80z", "\"\\ufffdz\"");
    assert_string("\xe2\x82", "\"\\ufffd\\ufffd\"");
    assert_string("\xff\xfe", "\"\\ufffd\\ufffd\"");
}

static void numbers(void **state) {
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {1, "1"},
                 {0.1, "0.1"},
                 {989.4e12, "989400000000000"},
                 {1.0 / 3, "0.3333333333333333"},
                 {5e-324, "4.94065645841247e-324"},
                 {1e300, "1e+300"},
                 {HUGE_VAL, "null"},
                 {-HUGE_VAL, "null"},
                 {(double)NAN, "null"}};
    char text[EMIT_NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(emit_format(cases[i].value, text), cases[i].text);
}

/* Every finite double reads back to the same bits (a 64-bit xorshift for the patterns). */
static void numbers_read_back(void **state) {
    uint64_t bits = 88172645463325252u;
    char text[EMIT_NUMBER_SIZE];
    (void)state;
    for (int i = 0; i < 100000; i++) {
        double value, again;
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        again = strtod(emit_format(value, text), NULL);
        assert_memory_equal(&again, &value, sizeof value);
    }
}

static void nesting(void **state) {
    buffer out = {.length = 0};
    emit json = emit_to(take, &out);
    (void)state;
    emit_object(&json, NULL);
    emit_row(&json, "row");
    emit_number(&json, "x", 1.5);
    emit_row_array(&json, "list");
    emit_bool(&json, NULL, true);
    emit_null(&json, NULL);
    emit_end(&json);
    emit_end(&json);
    emit_array(&json, "empty");
    emit_end(&json);
    emit_array(&json, "rows");
    emit_number(&json, NULL, 1);
    emit_object(&json, NULL);
    emit_end(&json);
    emit_end(&json);
    emit_end(&json);
    assert_int_equal(emit_finish(&json), 0);
    assert_string_equal(out.bytes, "{\n  \"row\": {\"x\": 1.5, \"list\": [true, null]},\n  \"empty\": [],\n  \"rows\": "
                                   "[\n    1,\n    {}\n  ]\n}\n");
}

static void failures(void **state) {
    buffer out = {.stop_at = 4};
    emit json = emit_to(take, &out);
    (void)state;
    emit_array(&json, NULL);
    emit_string(&json, NULL, "longer than four");
    emit_end(&json);
    assert_int_equal(emit_finish(&json), -1);

    out = (buffer){.length = 0};
    json = emit_to(take, &out);
    for (int i = 0; i < EMIT_DEPTH_MAX + 1; i++)
        emit_array(&json, NULL);
    assert_int_equal(emit_finish(&json), -1);
    emit_end(&json);
    json = emit_to(take, &out);
    emit_end(&json); /* closing nothing is harmless */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(strings), cmocka_unit_test(numbers),
                                       cmocka_unit_test(numbers_read_back), cmocka_unit_test(nesting),
                                       cmocka_unit_test(failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
