/* Indexes and folders of checkpoints. */
#define _POSIX_C_SOURCE 200809L
#include "read/checkpoint/shards.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/checkpoint/header.h"

enum { FILES_MAX = 8192, NAME_SIZE = 256 };

static const char *keep_copy(arena *memory, const char *text) {
    size_t n = strlen(text) + 1;
    char *copy = arena_get(memory, n);
    return copy ? memcpy(copy, text, n) : NULL;
}

static int no_memory(header *h) {
    h->failed = true;
    return roof_fail(h->error, ROOF_ENOMEM, "out of memory while reading a checkpoint's index");
}

/* An index names files of its own folder: nothing else may be opened on its word. */
static bool leaves_folder(const char *name) {
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return true;
    }
    return name[0] == '/';
}

/* Most entries name the file of the one before. */
static int add_file(header *h, arena *memory, index_file *out, const char *name) {
    for (size_t i = out->file_count; i-- > 0;)
        if (strcmp(out->files[i], name) == 0)
            return 0;
    if (leaves_folder(name))
        return header_fail(h, "it names the file '%.80s', which is outside its folder", name);
    if (out->file_count == FILES_MAX)
        return header_fail(h, "more than %d files", FILES_MAX);
    if (!out->files)
        out->files = arena_get(memory, FILES_MAX * sizeof *out->files);
    const char *copy = keep_copy(memory, name);
    if (!out->files || !copy)
        return no_memory(h);
    out->files[out->file_count++] = copy;
    return 0;
}

static int take_map(header *h, arena *memory, index_file *out) {
    char name[NAME_SIZE];
    int more;
    if (header_need(h, JSON_OBJECT) != 0)
        return -1;
    while ((more = header_member(h, NULL, 0)) > 0) {
        if (header_text(h, name, sizeof name) != 0 || add_file(h, memory, out, name) != 0)
            return -1;
        out->tensors++;
    }
    return more;
}

static int take_totals(header *h, index_file *out) {
    char key[40];
    int more;
    if (header_peek(h) != '{')
        return header_skip(h);
    if (header_need(h, JSON_OBJECT) != 0)
        return -1;
    while ((more = header_member(h, key, sizeof key)) > 0) {
        int c = header_peek(h);
        bool number = c >= '0' && c <= '9';
        double *to = strcmp(key, "total_size") == 0         ? &out->total_size
                     : strcmp(key, "total_parameters") == 0 ? &out->total_parameters
                                                            : NULL;
        if ((number && to ? header_number(h, to) : header_skip(h)) != 0)
            return -1;
    }
    return more;
}

static int take_root(header *h, arena *memory, index_file *out, bool *is_index) {
    char key[40];
    int more;
    if (header_need(h, JSON_OBJECT) != 0)
        return -1;
    while ((more = header_member(h, key, sizeof key)) > 0) {
        bool map = strcmp(key, "weight_map") == 0, totals = strcmp(key, "metadata") == 0;
        *is_index |= map;
        if ((map ? take_map(h, memory, out) : totals ? take_totals(h, out) : header_skip(h)) != 0)
            return -1;
    }
    return more;
}

int index_read(source *s, arena *memory, index_file *out, roof_error *error) {
    bool is_index = false;
    roof_error own = {0};
    header h;
    *out = (index_file){0};
    if (header_begin(&h, s, 0, s->size, "checkpoint index", error))
        return -1;
    h.error = &own;
    if (header_peek(&h) == '{') {
        int result = take_root(&h, memory, out, &is_index);
        out->text_after = result == 0 && header_peek(&h) >= 0;
        if (is_index && result != 0 && error)
            *error = own;
    }
    header_end(&h);
    return !is_index ? 0 : own.what[0] ? -1 : 1; /* broken or not, what is no index is for another reader to say */
}

static bool ends_in(const char *name, const char *suffix) {
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Is it a part of a split file, and not the first? */
static bool later_part(const char *name) {
    unsigned part, parts;
    size_t n = strlen(name), tail = strlen("-00001-of-00001.gguf");
    return n > tail && sscanf(name + n - tail, "-%5u-of-%5u.gguf", &part, &parts) == 2 && part > 1;
}

static int view_entry(const char *name, arena *memory, folder_view *out) {
    bool gguf = ends_in(name, ".gguf") && !later_part(name), safetensors = ends_in(name, ".safetensors");
    bool main_index = strcmp(name, "model.safetensors.index.json") == 0, onnx = ends_in(name, ".onnx");
    bool index = main_index || strcmp(name, "pytorch_model.bin.index.json") == 0;
    if (strcmp(name, "config.json") == 0)
        out->config = true;
    if (!gguf && !safetensors && !index && !onnx)
        return 0;
    const char *copy = keep_copy(memory, name);
    if (!copy)
        return -1;
    if (gguf) {
        out->gguf_count++;
        out->gguf = !out->gguf || strcmp(copy, out->gguf) < 0 ? copy : out->gguf;
    } else if (index) {
        out->index = main_index || !out->index ? copy : out->index;
    } else if (onnx) {
        out->onnx = !out->onnx || strcmp(copy, out->onnx) < 0 ? copy : out->onnx;
    } else if (out->safetensors_count < FILES_MAX) {
        out->safetensors[out->safetensors_count++] = copy;
    }
    return 0;
}

/* Without an index: model.safetensors alone where it is there; the second copy that some releases carry in another
 * layout ("consolidated") only when there is nothing else. */
static void choose(folder_view *out) {
    size_t kept = 0;
    qsort(out->safetensors, out->safetensors_count, sizeof *out->safetensors, by_text);
    for (size_t i = 0; i < out->safetensors_count; i++)
        if (strcmp(out->safetensors[i], "model.safetensors") == 0) {
            out->safetensors[0] = out->safetensors[i];
            out->safetensors_count = 1;
            return;
        }
    for (size_t i = 0; i < out->safetensors_count; i++)
        if (strncmp(out->safetensors[i], "consolidated", 12) != 0)
            out->safetensors[kept++] = out->safetensors[i];
    out->safetensors_count = kept > 0 ? kept : out->safetensors_count;
}

int folder_read(const char *folder, arena *memory, folder_view *out, roof_error *error) {
    *out = (folder_view){.safetensors = arena_get(memory, FILES_MAX * sizeof *out->safetensors)};
    DIR *stream = out->safetensors ? opendir(*folder ? folder : ".") : NULL;
    if (!stream)
        return out->safetensors ? 0 : roof_fail(error, ROOF_ENOMEM, "out of memory while reading a folder");
    int result = 0;
    for (struct dirent *entry; result == 0 && (entry = readdir(stream));)
        result = view_entry(entry->d_name, memory, out);
    closedir(stream);
    if (result != 0)
        return roof_fail(error, ROOF_ENOMEM, "out of memory while reading a folder");
    choose(out);
    return 0;
}
