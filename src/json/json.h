/* JSON as the readers see it: typed, read-only access to a parsed text. json.c is the only file that knows the parser.
 */
#ifndef ROOFLINE_READ_JSON_H
#define ROOFLINE_READ_JSON_H

#include "roofline.h"

typedef struct json_t json_node; /* NULL is fine everywhere: it has kind JSON_NODE_NONE and no members */

typedef enum json_kind {
    JSON_NODE_NONE,
    JSON_NODE_NULL,
    JSON_NODE_BOOL,
    JSON_NODE_NUMBER,
    JSON_NODE_TEXT,
    JSON_NODE_LIST,
    JSON_NODE_OBJECT
} json_kind;

/* Parse the whole text (any value may be the root). Duplicate keys, trailing text and nesting past 64 levels are errors
 * with line and byte offset. Integers of any size read as doubles. Free the root with json_free(). */
json_node *json_read(const char *text, size_t length, roof_error *error);
void json_free(json_node *root);

json_kind json_kind_of(const json_node *node);
const char *json_kind_name(json_kind kind); /* "a number", "a list" ... for messages */

/* Strings belong to the parsed text and live until json_free(). */
const json_node *json_get(const json_node *object, const char *key); /* NULL when absent or not an object */
const json_node *json_at(const json_node *list, size_t index);       /* NULL past the end */
size_t json_size(const json_node *node);                             /* members of a list or object */
double json_number(const json_node *node, double otherwise);
bool json_bool(const json_node *node, bool otherwise);
const char *json_text(const json_node *node); /* NULL when it is not a string */

/* Members of an object in file order: set *cursor to NULL, call until it returns false. */
bool json_next(const json_node *object, void **cursor, const char **key, const json_node **value);

/* Byte offset of the key at the end of `path` (one key a level, from the root object down), or -1. Lists are not
 * entered. */
long json_locate(const char *text, size_t length, const char *const *path, size_t depth);
/* Past the string that starts at `at` (an opening quote), or the end of a text in which it does not end. */
size_t json_string_end(const char *text, size_t length, size_t at);
long json_line(const char *text, size_t length, long offset); /* 1 for the first; -1 for offset -1 */

#endif
