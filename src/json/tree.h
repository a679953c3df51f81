/* A JSON text as a tree of nodes that know where they stand: for configurations, machine files and results.
 *
 *     root -> [ key "a", at, line | number 1 ][ key "b" ... | list ] -> [ number ][ text ]
 *
 * The members of an object and the items of a list lie side by side, in the order of the file. */
#ifndef ROOFLINE_JSON_TREE_H
#define ROOFLINE_JSON_TREE_H

#include "roofline.h"

typedef struct json_node json_node; /* NULL is fine everywhere: it has kind JSON_NODE_NONE and no members */

typedef enum json_kind {
    JSON_NODE_NONE,
    JSON_NODE_NULL,
    JSON_NODE_BOOL,
    JSON_NODE_NUMBER,
    JSON_NODE_TEXT,
    JSON_NODE_LIST,
    JSON_NODE_OBJECT
} json_kind;

/* Read the whole text (any value may be the root). Duplicate keys, text behind the value and brackets nested deeper
 * than JSON_DEPTH_MAX are errors with line and byte offset. Integers of any size are doubles; NaN and Infinity, which
 * Python writes, are empty texts. The text is copied. Free the root with json_free(). */
json_node *json_read(const char *text, size_t length, roof_error *error);
void json_free(json_node *root);

json_kind json_kind_of(const json_node *node);
const char *json_kind_name(json_kind kind); /* "a number", "a list" ... for messages */

/* Strings belong to the tree and live until json_free(). */
const json_node *json_get(const json_node *object, const char *key); /* NULL when absent or not an object */
const json_node *json_at(const json_node *list, size_t index);       /* NULL past the end */
size_t json_size(const json_node *node);                             /* members of a list or object */
double json_number(const json_node *node, double otherwise);
bool json_bool(const json_node *node, bool otherwise);
const char *json_text(const json_node *node); /* NULL when it is not a string */
size_t json_text_length(const json_node *node);

/* Members of an object in file order: set *cursor to NULL, call until it returns false. */
bool json_next_member(const json_node *object, const json_node **cursor, const char **key);

/* Put the place of a node into an error: that of its key, where it is a member of an object. NULL: no place (-1). */
void json_place(const json_node *node, roof_error *error);

#endif
