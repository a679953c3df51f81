/* The only file that knows jansson. Without it every text is refused with the name of the missing package. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json/json.h"

enum { DEPTH_MAX = 64 };

const char *json_kind_name(json_kind kind) {
    static const char *const names[] = {"nothing",  "null",   "true or false", "a number",
                                        "a string", "a list", "an object"};
    return names[kind];
}

long json_line(const char *text, size_t length, long offset) {
    if (offset < 0)
        return -1;
    long line = 1;
    for (size_t i = 0; i < length && i < (size_t)offset; i++)
        line += text[i] == '\n';
    return line;
}

size_t json_string_end(const char *text, size_t length, size_t at) {
    for (at++; at < length;) {
        const char *quote = memchr(text + at, '"', length - at);
        if (!quote)
            return length;
        size_t end = (size_t)(quote - text), slashes = 0;
        while (slashes < end - at && text[end - 1 - slashes] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            return end + 1;
        at = end + 1;
    }
    return length;
}

static bool is_key(const char *text, size_t length, size_t end) {
    while (end < length && strchr(" \t\r\n", text[end]) && text[end])
        end++;
    return end < length && text[end] == ':';
}

static bool spells(const char *text, size_t start, size_t end, const char *key) {
    size_t n = strlen(key);
    return end - start == n + 2 && memcmp(text + start + 1, key, n) == 0;
}

long json_locate(const char *text, size_t length, const char *const *path, size_t depth) {
    size_t level = 0, matched = 0; /* open brackets; keys of the path whose value we stand in */
    for (size_t at = 0; at < length && depth > 0;) {
        char c = text[at];
        if (c == '"') {
            size_t end = json_string_end(text, length, at);
            if (level == matched + 1 && matched < depth && is_key(text, length, end) &&
                spells(text, at, end, path[matched]) && ++matched == depth)
                return (long)at;
            at = end;
            continue;
        }
        level += c == '{' || c == '[';
        if ((c == '}' || c == ']') && level > 0)
            level--;
        if (matched > level)
            matched = level; /* left the value of that key */
        else if (matched == level && level > 0 && c == ',')
            matched = level - 1; /* the key's value was no object */
        at++;
    }
    return -1;
}

#ifdef ROOFLINE_HAVE_JANSSON
#include <jansson.h>

/* The parser recurses a level per bracket: bound that before it starts. */
static int check_depth(const char *text, size_t length, roof_error *error) {
    size_t level = 0;
    for (size_t at = 0; at < length;) {
        if (text[at] == '"') {
            at = json_string_end(text, length, at);
            continue;
        }
        level += text[at] == '{' || text[at] == '[';
        if ((text[at] == '}' || text[at] == ']') && level > 0)
            level--;
        if (level > DEPTH_MAX) {
            roof_fail(error, ROOF_EFORMAT, "JSON nests deeper than %d levels", DEPTH_MAX);
            if (error) {
                error->offset = (long)at;
                error->line = json_line(text, length, (long)at);
            }
            return -1;
        }
        at++;
    }
    return 0;
}

/* Python writes Infinity and NaN, which are not JSON. A copy of the text with "" in their place (same length, so that
 * offsets hold), NULL when there is none of them; *failed when memory is short. */
static char *without_infinities(const char *text, size_t length, bool *failed) {
    static const char *const words[] = {"-Infinity", "Infinity", "NaN"};
    char *copy = NULL;
    for (size_t at = 0; at < length;) {
        size_t n = 0;
        if (text[at] == '"') {
            at = json_string_end(text, length, at);
            continue;
        }
        bool may = text[at] == '-' || text[at] == 'I' || text[at] == 'N';
        for (int w = 0; w < 3 && may && n == 0; w++)
            if (length - at >= strlen(words[w]) && memcmp(text + at, words[w], strlen(words[w])) == 0)
                n = strlen(words[w]);
        if (n > 0 && !copy) {
            copy = calloc(1, length + 1);
            *failed = !copy;
            if (!copy)
                return NULL;
            memcpy(copy, text, length);
        }
        if (n > 0) {
            memset(copy + at, ' ', n);
            copy[at] = copy[at + 1] = '"';
        }
        at += n > 0 ? n : 1;
    }
    return copy;
}

static int parser_error(const json_error_t *from, size_t length, roof_error *error) {
    if (json_error_code(from) == json_error_out_of_memory ||
        !from->text[0]) /* it has no words for a failed allocation */
        return roof_fail(error, ROOF_ENOMEM, "out of memory while reading JSON");
    roof_fail(error, ROOF_EFORMAT, "not valid JSON: %s", length == 0 ? "the text is empty" : from->text);
    if (!error)
        return -1;
    for (char *c = error->what; *c; c++) /* the parser quotes the text it met, control characters and all */
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
    error->offset = from->position;
    error->line = from->line > 0 ? from->line : 1;
    return -1;
}

json_node *json_read(const char *text, size_t length, roof_error *error) {
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* byte order mark */
    if (check_depth(text, length, error) != 0)
        return NULL;
    bool failed = false;
    char *copy = without_infinities(text, length, &failed);
    if (failed) {
        roof_fail(error, ROOF_ENOMEM, "out of memory while reading JSON");
        return NULL;
    }
    json_error_t failure = {0};
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL;
    json_t *root = json_loadb((copy ? copy : text) + mark, length - mark, flags, &failure);
    free(copy);
    if (root)
        return root;
    parser_error(&failure, length, error);
    if (error && error->offset >= 0)
        error->offset += (long)mark;
    return NULL;
}

void json_free(json_node *root) {
    json_decref(root);
}

json_kind json_kind_of(const json_node *node) {
    if (!node)
        return JSON_NODE_NONE;
    switch (json_typeof(node)) {
    case JSON_OBJECT:
        return JSON_NODE_OBJECT;
    case JSON_ARRAY:
        return JSON_NODE_LIST;
    case JSON_STRING:
        return JSON_NODE_TEXT;
    case JSON_INTEGER:
    case JSON_REAL:
        return JSON_NODE_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE:
        return JSON_NODE_BOOL;
    default:
        return JSON_NODE_NULL;
    }
}

const json_node *json_get(const json_node *object, const char *key) {
    return json_object_get(object, key);
}

const json_node *json_at(const json_node *list, size_t index) {
    return json_array_get(list, index);
}

size_t json_size(const json_node *node) {
    return json_is_object(node) ? json_object_size(node) : json_array_size(node);
}

double json_number(const json_node *node, double otherwise) {
    return json_is_number(node) ? json_number_value(node) : otherwise;
}

bool json_bool(const json_node *node, bool otherwise) {
    return json_is_boolean(node) ? json_is_true(node) : otherwise;
}

const char *json_text(const json_node *node) {
    return json_string_value(node);
}

bool json_next(const json_node *object, void **cursor, const char **key, const json_node **value) {
    json_t *writable =
        (json_t *)(uintptr_t)object; /* iterating does not write; the parser's interface lacks the const */
    if (!json_is_object(object))
        return false;
    *cursor = *cursor ? json_object_iter_next(writable, *cursor) : json_object_iter(writable);
    if (!*cursor)
        return false;
    *key = json_object_iter_key(*cursor);
    *value = json_object_iter_value(*cursor);
    return true;
}

#else

json_node *json_read(const char *text, size_t length, roof_error *error) {
    (void)text;
    (void)length;
    roof_fail(error, ROOF_EUNSUPPORTED, "this build cannot read JSON: jansson was not found when it was made");
    roof_hint(error, "apt-get install libjansson-dev pkg-config, then build again");
    return NULL;
}

void json_free(json_node *root) {
    (void)root;
}

json_kind json_kind_of(const json_node *node) {
    (void)node;
    return JSON_NODE_NONE;
}

const json_node *json_get(const json_node *object, const char *key) {
    (void)object;
    (void)key;
    return NULL;
}

const json_node *json_at(const json_node *list, size_t index) {
    (void)list;
    (void)index;
    return NULL;
}

size_t json_size(const json_node *node) {
    (void)node;
    return 0;
}

double json_number(const json_node *node, double otherwise) {
    (void)node;
    return otherwise;
}

bool json_bool(const json_node *node, bool otherwise) {
    (void)node;
    return otherwise;
}

const char *json_text(const json_node *node) {
    (void)node;
    return NULL;
}

bool json_next(const json_node *object, void **cursor, const char **key, const json_node **value) {
    (void)object;
    (void)cursor;
    (void)key;
    (void)value;
    return false;
}

#endif
