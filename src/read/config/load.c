/* A config.json from a file or a pipe, with the quantisation file beside it; what a file is instead is said. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "read/arena.h"
#include "read/config/config.h"
#include "read/lfs.h"
#include "read/source.h"
#include "roofline_read.h"

enum { PATH_LENGTH_MAX = 4096, FILE_MAX = 64 << 20, PEEK = 512, PIPE_ROOM = 1 << 16 };

typedef struct bytes {
    char *data;
    size_t length;
} bytes;

/* Formats this version recognises and does not read, by their first bytes. */
typedef struct magic {
    const char *bytes;
    size_t length;
    const char *what;
} magic;

static const magic magics[] = {
    {"lmgg", 4, "a GGML file"},
    {"fmgg", 4, "a GGML file"},
    {"tjgg", 4, "a GGML file"},
    {"algg", 4, "a GGML file"},
    {"PK\3\4", 4, "a zip archive (a PyTorch checkpoint)"},
    {"\x80\x02", 2, "a pickle (an old PyTorch checkpoint)"},
    {"\x1f\x8b", 2, "a gzip file"},
    {"\x89HDF\r\n", 6, "an HDF5 file"},
};

/* ModelProto: field 1 (ir_version) as a varint of one byte, then the producer or the opset. */
static bool is_onnx(const unsigned char *head, size_t n) {
    return n > 3 && head[0] == 0x08 && head[1] > 0 && head[1] < 32 &&
           (head[2] == 0x12 || head[2] == 0x1a || head[2] == 0x3a || head[2] == 0x42);
}

static const char *what_is(const char *head, size_t n) {
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++)
        if (n >= magics[i].length && memcmp(head, magics[i].bytes, magics[i].length) == 0)
            return magics[i].what;
    const unsigned char *u = (const unsigned char *)head;
    return is_onnx(u, n) ? "an ONNX file" : NULL;
}

static int refuse_content(const bytes *file, const char *path, roof_error *error) {
    if (lfs_refuse(file->data, file->length, path, error) != 0)
        return -1;
    const char *what = what_is(file->data, file->length);
    if (!what)
        return 0;
    if (is_onnx((const unsigned char *)file->data, file->length))
        return roof_fail(error, ROOF_EUNSUPPORTED, "'%.150s' is an ONNX file: roof_read_graph() reads it", path);
    roof_fail(error, ROOF_EUNSUPPORTED, "'%.150s' is %s, which this version does not read", path, what);
    roof_hint(error, "name the config.json of the same model");
    return -1;
}

/* A pipe gives a config.json and nothing that is read by jumping about in it. */
static int refuse_piped(const bytes *head, const char *path, roof_error *error) {
    const unsigned char *u = (const unsigned char *)head->data;
    const char *what = head->length >= 4 && memcmp(u, "GGUF", 4) == 0               ? "a GGUF file"
                       : is_onnx(u, head->length)                                   ? "an ONNX file"
                       : head->length > 8 && u[8] == '{' && !u[5] && !u[6] && !u[7] ? "a safetensors file"
                                                                                    : NULL;
    if (!what)
        return 0;
    roof_fail(error, ROOF_EUNSUPPORTED, "'%.150s' is a pipe with %s in it, which can be read only as a file", path,
              what);
    roof_hint(error, "name the file itself; a config.json may come through a pipe");
    return -1;
}

/* Everything behind the head; `room` is the whole where that is known and one byte more, else a first guess. */
static int read_rest(arena *memory, FILE *stream, const char *path, size_t room, bytes *out, roof_error *error) {
    for (;; room *= 2) {
        char *larger = arena_get(memory, room + 1);
        if (!larger)
            return roof_fail(error, ROOF_ENOMEM, "out of memory while reading '%.150s'", path);
        if (out->length > 0)
            memcpy(larger, out->data, out->length);
        out->data = larger;
        out->length += fread(larger + out->length, 1, room - out->length, stream);
        if (ferror(stream))
            return source_cannot(error, path, errno);
        if (out->length > FILE_MAX)
            return roof_fail(error, ROOF_EFORMAT, "'%.150s' has more than %d bytes, which no config.json has", path,
                             FILE_MAX);
        if (out->length < room)
            return 0;
    }
}

/* The head alone for a file that cannot be a config.json, so that checkpoints of any size are named and not loaded. */
static int slurp(arena *memory, FILE *stream, const char *path, bytes *out, roof_error *error) {
    char head[PEEK];
    size_t n = fread(head, 1, sizeof head, stream);
    if (ferror(stream))
        return source_cannot(error, path, errno);
    long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    bool seekable = size >= 0 && fseek(stream, (long)n, SEEK_SET) == 0;
    bytes peek = {head, n};
    if ((!seekable && refuse_piped(&peek, path, error) != 0) || refuse_content(&peek, path, error) != 0)
        return -1;
    if (size > FILE_MAX)
        return roof_fail(error, ROOF_EFORMAT, "'%.150s' has %ld bytes; a config.json has at most %d", path, size,
                         FILE_MAX);
    *out = peek;
    return read_rest(memory, stream, path, seekable && (size_t)size >= n ? (size_t)size + 1 : PIPE_ROOM, out, error);
}

static int load(arena *memory, const char *path, bytes *out, roof_error *error) {
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return source_cannot(error, path, errno);
    int result = slurp(memory, stream, path, out, error);
    fclose(stream);
    return result;
}

bool is_pipe(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode);
}

static bool exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

/* Length of the folder part, its slash included. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The quantisation file beside a config.json, if there is one. */
static int load_sibling(arena *memory, const char *path, bytes *out, roof_error *error) {
    static const char *const names[] = {"hf_quant_config.json", "quantize_config.json"};
    size_t folder = folder_length(path);
    if (strcmp(path + folder, "config.json") != 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        char beside[PATH_LENGTH_MAX + 64];
        snprintf(beside, sizeof beside, "%.*s%s", (int)folder, path, names[i]);
        if (exists(beside))
            return load(memory, beside, out, error);
    }
    return 0;
}

static roof_model_file *read_both(arena *memory, const char *path, roof_error *error) {
    bytes config = {0}, quant = {0};
    if (load(memory, path, &config, error) != 0 || load_sibling(memory, path, &quant, error) != 0)
        return NULL;
    return roof_read_config(config.data, config.length, quant.data, quant.length, error);
}

roof_model_file *config_load(const char *path, roof_error *error) {
    arena memory = {0};
    roof_model_file *file = read_both(&memory, path, error);
    arena_free(&memory);
    return is_pipe(path) ? file : titled_from_path(file, path, error);
}
