/* stdio and zlib behind one stream. The only file that knows zlib. */
#define _POSIX_C_SOURCE 200809L
#include "read/profile/stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/source.h"

#ifdef ROOFLINE_HAVE_ZLIB
#include <zlib.h>
#endif

enum { PACKED = 1 << 16 };

struct stream {
    FILE *file; /* NULL: memory */
    const char *bytes;
    size_t length, at;
    char head[STREAM_HEAD + 1];
    size_t head_length, head_at;
    bool headed, packed, ended, cut;
    int failure;
#ifdef ROOFLINE_HAVE_ZLIB
    z_stream unpack;
    unsigned char buffer[PACKED];
#endif
};

static size_t read_raw(stream *in, void *out, size_t size) {
    if (in->file) {
        errno = 0;
        size_t got = fread(out, 1, size, in->file);
        if (got < size && ferror(in->file))
            in->failure = errno ? errno : EIO;
        return got;
    }
    size_t left = in->length - in->at, got = left < size ? left : size;
    if (got > 0)
        memcpy(out, in->bytes + in->at, got);
    in->at += got;
    return got;
}

#ifdef ROOFLINE_HAVE_ZLIB
static void begin_unpacking(stream *in, const char *first, size_t length) {
    memcpy(in->buffer, first, length);
    in->unpack = (z_stream){.next_in = in->buffer, .avail_in = (uInt)length};
    in->packed = inflateInit2(&in->unpack, 15 + 16) == Z_OK; /* 16: gzip */
    in->cut = in->ended = !in->packed;
}

/* One member after another: gzip files may be joined. */
static size_t read_packed(stream *in, void *out, size_t size) {
    in->unpack.next_out = out;
    in->unpack.avail_out = (uInt)size;
    while (in->unpack.avail_out > 0 && !in->ended) {
        if (in->unpack.avail_in == 0) {
            in->unpack.next_in = in->buffer;
            in->unpack.avail_in = (uInt)read_raw(in, in->buffer, PACKED);
        }
        if (in->unpack.avail_in == 0) {
            in->ended = in->cut = true;
            break;
        }
        int result = inflate(&in->unpack, Z_NO_FLUSH);
        if (result == Z_STREAM_END) {
            if (in->unpack.avail_in == 0) {
                in->unpack.next_in = in->buffer;
                in->unpack.avail_in = (uInt)read_raw(in, in->buffer, PACKED);
            }
            in->ended = in->unpack.avail_in == 0 || in->unpack.next_in[0] != 0x1f || inflateReset(&in->unpack) != Z_OK;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            in->ended = in->cut = true;
        }
    }
    return size - in->unpack.avail_out;
}
#endif

static size_t read_any(stream *in, void *out, size_t size) {
#ifdef ROOFLINE_HAVE_ZLIB
    if (in->packed)
        return read_packed(in, out, size);
#endif
    return in->ended ? 0 : read_raw(in, out, size);
}

static int is_gzip(const char *bytes, size_t length) {
    return length >= 3 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0;
}

/* A byte order mark of UTF-8 says nothing, and no reader need know of it. */
static void skip_mark(stream *in) {
    if (in->head_length < 3 || memcmp(in->head, "\xEF\xBB\xBF", 3) != 0)
        return;
    in->head_length -= 3;
    memmove(in->head, in->head + 3, in->head_length);
}

/* The head is read at once, so that a packed file is known before anybody looks. */
static int begin(stream *in, roof_error *error) {
    in->head_length = read_raw(in, in->head, STREAM_HEAD);
    in->headed = true;
    if (in->failure)
        return -1;
    if (is_gzip(in->head, in->head_length)) {
#ifdef ROOFLINE_HAVE_ZLIB
        char first[STREAM_HEAD];
        size_t length = in->head_length;
        memcpy(first, in->head, length);
        begin_unpacking(in, first, length);
        in->head_length = read_packed(in, in->head, STREAM_HEAD);
#else
        roof_fail(error, ROOF_EUNSUPPORTED, "this is a gzip file, and this build has no zlib");
        roof_hint(error, "unpack it with gunzip first");
        return -1;
#endif
    }
    (void)error;
    skip_mark(in);
    in->head[in->head_length] = '\0';
    return 0;
}

static stream *make(roof_error *error) {
    stream *in = calloc(1, sizeof *in);
    if (!in)
        roof_fail(error, ROOF_ENOMEM, "out of memory while reading measurements");
    return in;
}

stream *stream_open(const char *path, roof_error *error) {
    stream *in = make(error);
    if (!in)
        return NULL;
    errno = 0;
    in->file = fopen(path, "rb");
    if (!in->file || begin(in, error)) {
        if (!in->file || in->failure)
            source_cannot(error, path, in->failure ? in->failure : errno);
        stream_close(in);
        return NULL;
    }
    return in;
}

stream *stream_memory(const void *bytes, size_t length, roof_error *error) {
    stream *in = make(error);
    if (!in)
        return NULL;
    in->bytes = bytes;
    in->length = length;
    if (begin(in, error)) {
        stream_close(in);
        return NULL;
    }
    return in;
}

void stream_close(stream *in) {
    if (!in)
        return;
#ifdef ROOFLINE_HAVE_ZLIB
    if (in->packed)
        inflateEnd(&in->unpack);
#endif
    if (in->file)
        fclose(in->file);
    free(in);
}

const char *stream_head(stream *in, size_t *length) {
    *length = in->head_length;
    return in->head;
}

size_t stream_read(stream *in, void *out, size_t size) {
    size_t left = in->head_length - in->head_at, got = left < size ? left : size;
    if (left > 0) {
        memcpy(out, in->head + in->head_at, got);
        in->head_at += got;
        return got;
    }
    return read_any(in, out, size);
}

bool stream_cut(const stream *in) {
    return in->cut;
}

int stream_failed(const stream *in) {
    return in->failure;
}
