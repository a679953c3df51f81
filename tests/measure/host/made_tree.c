/* Made-up /proc and /sys. */
#include "made_tree.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

void made_begin(made_tree *tree) {
    snprintf(tree->root, sizeof tree->root,
             "/dev/shm/roofline-tree-XXXXXX"); /* thousands of small files: not on a disk */
    if (mkdtemp(tree->root))
        return;
    snprintf(tree->root, sizeof tree->root, "/tmp/roofline-tree-XXXXXX");
    assert_non_null(mkdtemp(tree->root));
}

static void make_folders(const made_tree *tree, char *path) {
    for (char *at = path + strlen(tree->root) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path, 0755);
        *at = '/';
    }
}

void made_bytes(const made_tree *tree, const char *path, const void *bytes, size_t size) {
    char full[1024];
    snprintf(full, sizeof full, "%s%s", tree->root, path);
    FILE *file = fopen(full, "wb");
    if (!file) {
        make_folders(tree, full);
        file = fopen(full, "wb");
    }
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void made_file(const made_tree *tree, const char *text, const char *format, ...) {
    char path[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    made_bytes(tree, path, text, strlen(text));
}

void made_link(const made_tree *tree, const char *path, const char *target) {
    char full[1024];
    snprintf(full, sizeof full, "%s%s", tree->root, path);
    make_folders(tree, full);
    assert_int_equal(symlink(target, full), 0);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where) {
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

void made_end(made_tree *tree) {
    nftw(tree->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
