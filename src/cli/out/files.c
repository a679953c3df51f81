/* Files read whole into memory; files that appear only when they are complete: written beside their place and renamed.
 */
#include "cli/out/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/errors.h"

/* `durable`: it is on the disk, not only in memory, before it takes its name. */
static int write_stream(FILE *file, const text_out *out, bool durable) {
    bool written = out->length == 0 || fwrite(out->bytes, 1, out->length, file) == out->length;
    written = written && fflush(file) == 0 && (!durable || fsync(fileno(file)) == 0);
    int saved = errno;
    if (fclose(file) != 0) {
        saved = errno;
        written = false;
    }
    errno = saved;
    return written ? 0 : -1;
}

static int fail_write(const char *path, roof_error *error) {
    char why[96];
    return roof_fail(error, ROOF_EIO, "cannot write '%.200s': %s", path, system_reason(errno, why, sizeof why));
}

/* Pipes and devices cannot be replaced: write into them. */
static int write_in_place(const char *path, const text_out *out, roof_error *error) {
    FILE *file = fopen(path, "wb");
    return !file || write_stream(file, out, false) ? fail_write(path, error) : 0;
}

static mode_t usual_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int write_beside(const char *path, mode_t mode, const text_out *out, bool durable, roof_error *error) {
    size_t length = strlen(path);
    char *beside = copy_text(path, length + 7);
    memcpy(beside + length, ".XXXXXX", 8);
    int handle = mkstemp(beside);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "wb");
    bool done = file && fchmod(handle, mode) == 0;
    done = file && write_stream(file, out, durable) == 0 && done && rename(beside, path) == 0;
    if (!done) {
        fail_write(path, error);
        if (handle >= 0)
            unlink(beside);
    }
    free(beside);
    return done ? 0 : -1;
}

int file_write(const char *path, const text_out *out, bool durable, roof_error *error) {
    struct stat info;
    if (stat(path, &info) != 0)
        return write_beside(path, usual_mode(), out, durable, error);
    if (!S_ISREG(info.st_mode))
        return write_in_place(path, out, error);
    char *target = realpath(path, NULL); /* through a link: the file it leads to is replaced, not the link */
    if (!target)
        return fail_write(path, error);
    int result = write_beside(target, info.st_mode & 0777, out, durable, error); /* who may read it stays */
    free(target);
    return result;
}

/* The folder that `path` lies in, or the first above that is there: what is missing would be made in it. */
static char *folder_above(const char *path) {
    char *folder = copy_text(path, strlen(path)), *slash;
    struct stat info;
    do {
        slash = strrchr(folder, '/');
        if (!slash) {
            free(folder);
            return copy_text(".", 1);
        }
        slash[slash == folder] = '\0'; /* "/" stays */
    } while (slash > folder && stat(folder, &info) != 0 && errno == ENOENT);
    return folder;
}

int file_may_write(const char *path, roof_error *error) {
    struct stat info;
    bool is_there = stat(path, &info) == 0;
    if (is_there && !S_ISREG(info.st_mode))
        return access(path, W_OK) != 0 ? fail_write(path, error) : 0;
    char *target = is_there ? realpath(path, NULL) : NULL, *folder = folder_above(target ? target : path);
    int result = access(folder, W_OK | X_OK) != 0 ? fail_write(path, error) : 0;
    free(target);
    free(folder);
    return result;
}

int folders_make(const char *path, roof_error *error) {
    char *copy = copy_text(path, strlen(path)), why[96];
    int result = 0;
    for (char *at = strchr(copy + 1, '/'); at && result == 0; at = strchr(at + 1, '/')) {
        *at = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST && errno != EISDIR)
            result = roof_fail(error, ROOF_EIO, "cannot make the folder '%.200s': %s", copy,
                               system_reason(errno, why, sizeof why));
        *at = '/';
    }
    free(copy);
    return result;
}

char *read_whole(const char *path, size_t limit, size_t *length, roof_error *error) {
    FILE *file = fopen(path, "rb");
    text_out out = {0};
    char buffer[16384];
    size_t got = 0;
    while (file && out.length <= limit && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_bytes(&out, buffer, got);
    if (!file || ferror(file)) {
        char why[96];
        roof_fail(error, ROOF_EIO, "cannot read '%.200s': %s", path, system_reason(errno, why, sizeof why));
    } else if (out.length > limit) {
        roof_fail(error, ROOF_EFORMAT, "'%.200s' is larger than %zu bytes, too large for what it should be", path,
                  limit);
    } else {
        fclose(file);
        *length = out.length;
        return out.bytes ? out.bytes : copy_text("", 0);
    }
    if (file)
        fclose(file);
    text_free(&out);
    return NULL;
}

void name_file(const char *path, roof_error *error) {
    roof_error inner = *error;
    char where[32] = "", quoted[224];
    snprintf(quoted, sizeof quoted, strlen(path) > 150 ? "'%.150s" : "'%s'", path);
    if (strstr(inner.what, quoted)) /* a reader that names its file quotes it */
        return;
    if (inner.line > 0)
        snprintf(where, sizeof where, ", line %ld", inner.line);
    roof_fail(error, inner.code == ROOF_ENOTFOUND || inner.code == ROOF_EARGUMENT ? ROOF_EFORMAT : inner.code,
              "%.100s%s: %.200s", path, where, inner.what);
    error_keep_advice(error, &inner);
}
