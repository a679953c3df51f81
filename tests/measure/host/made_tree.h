/* A made-up /proc and /sys in a folder of its own. */
#ifndef ROOFLINE_TESTS_MADE_TREE_H
#define ROOFLINE_TESTS_MADE_TREE_H

#include <stddef.h>

typedef struct made_tree {
    char root[256];
} made_tree;

void made_begin(made_tree *tree);
/* Write `text` into the file that `format` names below the root, with the folders it needs. */
void made_file(const made_tree *tree, const char *text, const char *format, ...) __attribute__((format(printf, 3, 4)));
void made_bytes(const made_tree *tree, const char *path, const void *bytes, size_t size);
void made_link(const made_tree *tree, const char *path, const char *target);
void made_end(made_tree *tree);

#endif
