/* git-LFS pointers, as the specification of git-lfs has them. */
#include "read/lfs.h"

#include <stdio.h>
#include <string.h>

bool lfs_pointer(const void *head, size_t length, double *bytes) {
    static const char version[] = "version https://git-lfs.github.com/spec/";
    char text[LFS_HEAD + 1];
    if (length < sizeof version - 1 || memcmp(head, version, sizeof version - 1) != 0)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)(length < LFS_HEAD ? length : LFS_HEAD), (const char *)head);
    const char *line = strstr(text, "\nsize ");
    if (!line || sscanf(line, "\nsize %lf", bytes) != 1 || !(*bytes >= 0))
        *bytes = -1;
    return true;
}

int lfs_refuse(const void *head, size_t length, const char *path, roof_error *error) {
    double bytes;
    if (!lfs_pointer(head, length, &bytes))
        return 0;
    char elsewhere[64] = "";
    if (bytes >= 0)
        snprintf(elsewhere, sizeof elsewhere, " (%.0f bytes are elsewhere)", bytes);
    roof_fail(error, ROOF_EFORMAT, "'%.150s' is a git-LFS pointer, not the file itself%s", path, elsewhere);
    roof_hint(error, "git lfs pull");
    return -1;
}
