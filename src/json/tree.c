/* The tree on top of the pull parser. Nodes wait on a stack until their bracket closes; then the members of that object
 * or list move together into `done`, where they stay:
 *
 *     waiting   ... object { a b c          closed ->   ... object (items = 7, size = 3)
 *     done      ...                                     ... [7] a [8] b [9] c
 */
#include "json/tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json/pull.h"

struct json_node {
    const char *key; /* of a member; the root's is the copy of the text, which the tree owns */
    const char *text;
    double number;
    union {
        size_t index; /* of the first item in `done`, while the tree grows */
        const json_node *first;
    } items;
    size_t size; /* items; bytes of a text */
    size_t at;
    long line;
    json_kind kind;
};

typedef struct node_list {
    json_node *nodes;
    size_t count, room;
} node_list;

typedef struct tree_builder {
    json_pull pull;
    node_list waiting, done;
    size_t bracket[JSON_DEPTH_MAX]; /* of each open object or list: its place in `waiting` */
    bool no_memory;
} tree_builder;

const char *json_kind_name(json_kind kind) {
    static const char *const names[] = {"nothing",  "null",   "true or false", "a number",
                                        "a string", "a list", "an object"};
    return names[kind];
}

/* ---- growing ---- */

static json_node *add(tree_builder *b, node_list *to, size_t count) {
    if (to->count + count > to->room) {
        size_t room = 2 * to->room + count + 64;
        json_node *larger = realloc(to->nodes, room * sizeof *larger);
        if (!larger) {
            b->no_memory = true;
            return NULL;
        }
        to->nodes = larger;
        to->room = room;
    }
    to->count += count;
    return &to->nodes[to->count - count];
}

typedef struct key_entry {
    const json_node *node;
    uint64_t hash;
} key_entry;

static int by_hash(const void *a, const void *b) {
    const key_entry *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    int order = strcmp(x->node->key, y->node->key);
    return order ? order : x->node->at < y->node->at ? -1 : 1;
}

static uint64_t hash_of(const char *text) {
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

/* The first member whose key an earlier one has too, or NULL. */
static const json_node *find_twice(tree_builder *b, const json_node *members, size_t count) {
    enum { FEW = 8 };
    const json_node *found = NULL;
    if (count <= FEW) {
        for (size_t i = 1; i < count; i++)
            for (size_t j = 0; j < i; j++)
                if (strcmp(members[i].key, members[j].key) == 0)
                    return &members[i];
        return NULL;
    }
    key_entry *entries = malloc(count * sizeof *entries);
    if (!entries) {
        b->no_memory = true;
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        entries[i] = (key_entry){&members[i], hash_of(members[i].key)};
    qsort(entries, count, sizeof *entries, by_hash);
    for (size_t i = 1; i < count; i++)
        if (entries[i].hash == entries[i - 1].hash && strcmp(entries[i].node->key, entries[i - 1].node->key) == 0 &&
            (!found || entries[i].node->at < found->at))
            found = entries[i].node;
    free(entries);
    return found;
}

static int close_bracket(tree_builder *b) {
    size_t place = b->bracket[b->pull.depth], count = b->waiting.count - place - 1;
    json_node *bracket = &b->waiting.nodes[place];
    const json_node *twice = bracket->kind == JSON_NODE_OBJECT ? find_twice(b, bracket + 1, count) : NULL;
    if (twice) {
        json_refuse(&b->pull, "key '%.60s' appears twice in one object", twice->key);
        b->pull.start = twice->at;
        b->pull.start_line = twice->line;
        return -1;
    }
    bracket->items.index = b->done.count;
    bracket->size = count;
    json_node *to = count > 0 ? add(b, &b->done, count) : bracket;
    if (!to || b->no_memory)
        return -1;
    if (count > 0)
        memcpy(to, bracket + 1, count * sizeof *to);
    b->waiting.count = place + 1;
    return 0;
}

static void fill(json_node *node, json_pull *p, json_token token) {
    switch (token) {
    case JSON_NUMBER:
        node->kind = JSON_NODE_NUMBER;
        if (!json_figure(p->text, p->length, &node->number)) {
            json_refuse(p, "the number '%.*s' is too large", p->length < 32 ? (int)p->length : 32, p->text);
            p->start = node->at;
            p->start_line = node->line;
        }
        break;
    case JSON_TEXT:
        node->kind = JSON_NODE_TEXT;
        node->text = p->text;
        node->size = p->length;
        break;
    case JSON_WORD:
        node->kind = p->word == 'n' ? JSON_NODE_NULL : p->word == 'N' ? JSON_NODE_TEXT : JSON_NODE_BOOL;
        node->number = p->word == 't';
        node->text = p->word == 'N' ? "" : NULL;
        break;
    default:
        node->kind = token == JSON_OBJECT ? JSON_NODE_OBJECT : JSON_NODE_LIST;
    }
}

static int take_tokens(tree_builder *b) {
    json_pull *p = &b->pull;
    const char *key = NULL;
    size_t at = 0;
    long line = 0;
    for (json_token token; (token = json_next(p)) != JSON_END;) {
        if (token == JSON_FAILED)
            return -1;
        if (token == JSON_KEY) {
            key = p->text;
            at = (size_t)p->start;
            line = p->start_line;
            continue;
        }
        if (token == JSON_END_OBJECT || token == JSON_END_LIST) {
            if (close_bracket(b))
                return -1;
            continue;
        }
        json_node *node = add(b, &b->waiting, 1);
        if (!node)
            return -1;
        *node = (json_node){.key = key, .at = key ? at : (size_t)p->start, .line = key ? line : p->start_line};
        fill(node, p, token);
        if (token == JSON_OBJECT || token == JSON_LIST)
            b->bracket[p->depth - 1] = b->waiting.count - 1;
        key = NULL;
    }
    return 0;
}

/* Indices become pointers now that no node moves any more. */
static json_node *finish(tree_builder *b, char *copy) {
    json_node *nodes = b->done.nodes;
    nodes[0] = b->waiting.nodes[0];
    for (size_t i = 0; i < b->done.count; i++)
        if (nodes[i].kind >= JSON_NODE_LIST)
            nodes[i].items.first = nodes + nodes[i].items.index;
    nodes[0].key = copy;
    return nodes;
}

json_node *json_read(const char *text, size_t length, roof_error *error) {
    tree_builder b = {0};
    char *copy = malloc(length + 1);
    if (!copy || !add(&b, &b.done, 1)) {
        free(copy);
        roof_fail(error, ROOF_ENOMEM, "out of memory while reading JSON");
        return NULL;
    }
    if (length > 0) /* memcpy() takes no NULL, not even for 0 bytes */
        memcpy(copy, text, length);
    copy[length] = '\0';
    json_pull_memory(&b.pull, copy, length);
    json_node *root = take_tokens(&b) == 0 ? finish(&b, copy) : NULL;
    free(b.waiting.nodes);
    if (root)
        return root;
    if (b.no_memory)
        roof_fail(error, ROOF_ENOMEM, "out of memory while reading JSON");
    else
        json_fail(&b.pull, error);
    free(b.done.nodes);
    free(copy);
    return NULL;
}

void json_free(json_node *root) {
    if (root)
        free((char *)(uintptr_t)root->key); /* made by json_read() */
    free(root);
}

/* ---- looking ---- */

json_kind json_kind_of(const json_node *node) {
    return node ? node->kind : JSON_NODE_NONE;
}

size_t json_size(const json_node *node) {
    return node && node->kind >= JSON_NODE_LIST ? node->size : 0;
}

const json_node *json_get(const json_node *object, const char *key) {
    const json_node *members = json_kind_of(object) == JSON_NODE_OBJECT ? object->items.first : NULL;
    for (size_t i = 0; members && i < object->size; i++)
        if (strcmp(members[i].key, key) == 0)
            return &members[i];
    return NULL;
}

const json_node *json_at(const json_node *list, size_t index) {
    return json_kind_of(list) == JSON_NODE_LIST && index < list->size ? &list->items.first[index] : NULL;
}

double json_number(const json_node *node, double otherwise) {
    return json_kind_of(node) == JSON_NODE_NUMBER ? node->number : otherwise;
}

bool json_bool(const json_node *node, bool otherwise) {
    return json_kind_of(node) == JSON_NODE_BOOL ? node->number > 0 : otherwise;
}

const char *json_text(const json_node *node) {
    return json_kind_of(node) == JSON_NODE_TEXT ? node->text : NULL;
}

size_t json_text_length(const json_node *node) {
    return json_kind_of(node) == JSON_NODE_TEXT ? node->size : 0;
}

bool json_next_member(const json_node *object, const json_node **cursor, const char **key) {
    if (json_kind_of(object) != JSON_NODE_OBJECT || object->size == 0)
        return false;
    const json_node *next = *cursor ? *cursor + 1 : object->items.first;
    if (next == object->items.first + object->size)
        return false;
    *cursor = next;
    *key = next->key;
    return true;
}

void json_place(const json_node *node, roof_error *error) {
    if (!error)
        return;
    error->offset = node ? (long)node->at : -1;
    error->line = node ? node->line : -1;
}
