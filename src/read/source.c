/* pread through one buffer. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "read/source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int source_cannot(roof_error *error, const char *path, int why) {
    const char *text = strerror(why); /* capitalised, and our errors are not */
    return roof_fail(error, why == ENOENT ? ROOF_ENOTFOUND : ROOF_EIO, "cannot read '%.200s': %c%s", path,
                     tolower((unsigned char)text[0]), text + 1);
}

static void reset(source *s) {
    s->file = -1;
    s->memory = NULL;
    s->size = s->start = 0;
    s->held = 0;
    s->failure = 0;
    s->folder = false;
}

int source_open(source *s, const char *path, roof_error *error) {
    struct stat status;
    reset(s);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) { /* not opened: who writes a pipe would see it closed */
        s->folder = S_ISDIR(status.st_mode);
        return roof_fail(error, ROOF_EIO, "cannot read '%.200s': not a regular file", path);
    }
    s->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (s->file < 0 || fstat(s->file, &status) != 0)
        return source_cannot(error, path, errno);
    s->folder = S_ISDIR(status.st_mode);
    if (!S_ISREG(status.st_mode))
        return roof_fail(error, ROOF_EIO, "cannot read '%.200s': not a regular file", path);
    s->size = (uint64_t)status.st_size;
    return 0;
}

void source_memory(source *s, const void *bytes, size_t length) {
    reset(s);
    s->memory = bytes;
    s->size = length;
}

void source_close(source *s) {
    if (s->file >= 0)
        close(s->file);
    s->file = -1;
}

static bool fill(source *s, uint64_t at) {
    s->start = at;
    s->held = 0;
    if (s->file < 0 || s->failure)
        return false;
    ssize_t n;
    do
        n = pread(s->file, s->buffer, sizeof s->buffer, (off_t)at);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        s->failure = errno;
    s->held = n > 0 ? (size_t)n : 0;
    return n > 0;
}

const unsigned char *source_peek(source *s, uint64_t at, size_t *n) {
    if (at >= s->size)
        return NULL;
    if (s->memory) {
        *n = (size_t)(s->size - at);
        return s->memory + at;
    }
    if ((at < s->start || at - s->start >= s->held) && !fill(s, at))
        return NULL;
    *n = s->held - (size_t)(at - s->start);
    return s->buffer + (at - s->start);
}

bool source_read(source *s, uint64_t at, void *out, size_t n) {
    unsigned char *to = out;
    while (n > 0) {
        size_t piece;
        const unsigned char *from = source_peek(s, at, &piece);
        if (!from)
            return false;
        piece = piece < n ? piece : n;
        memcpy(to, from, piece);
        to += piece;
        at += piece;
        n -= piece;
    }
    return true;
}

uint32_t get_u32(const unsigned char bytes[4]) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint64_t get_u64(const unsigned char bytes[8]) {
    return get_u32(bytes) | (uint64_t)get_u32(bytes + 4) << 32;
}
