/* The first bytes decide which reader a file gets, never its name; a folder is looked through for what it holds. */
#include "read/checkpoint/checkpoint.h"

#include <stdio.h>
#include <string.h>

#include "read/checkpoint/compare.h"
#include "read/gguf/gguf.h"
#include "roofline_read.h"

typedef struct session {
    arena memory;
    source *s;
    char folder[PATH_SIZE]; /* of the path, its slash included */
    checkpoint c;
    const char *asked; /* the file the path itself names: the caller puts its name in front of messages */
    roof_error *error;
} session;

static void join(char out[PATH_SIZE], const char *folder, const char *name) {
    snprintf(out, PATH_SIZE, "%s%s", folder, name);
}

static void set_folder(session *x, const char *path, bool is_folder) {
    const char *slash = strrchr(path, '/');
    size_t n = strlen(path);
    if (is_folder)
        snprintf(x->folder, sizeof x->folder, "%s%s", path, n > 0 && path[n - 1] == '/' ? "" : "/");
    else
        snprintf(x->folder, sizeof x->folder, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
}

static bool is_here(session *x, const char *name) {
    char path[PATH_SIZE];
    join(path, x->folder, name);
    bool here = source_open(x->s, path, NULL) == 0;
    source_close(x->s);
    return here;
}

/* The name of a bad shard in front of what is wrong with it. */
static int in_file(roof_error *error, const char *name) {
    char what[sizeof error->what];
    if (error && error->code != ROOF_ENOMEM) {
        snprintf(what, sizeof what, "%.120s: %.190s", name, error->what);
        memcpy(error->what, what, sizeof what);
    }
    return -1;
}

static int read_files(session *x, const char *const *names, size_t count) {
    char path[PATH_SIZE];
    for (size_t i = 0; i < count; i++) {
        join(path, x->folder, names[i]);
        if (source_open(x->s, path, NULL) != 0) {
            source_close(x->s);
            x->c.missing_name = x->c.missing++ ? x->c.missing_name : names[i];
            continue;
        }
        double elsewhere;
        bool pickle = !weights_is_safetensors(x->s) && !weights_pointer(x->s, &elsewhere) && strstr(names[i], ".bin");
        int result = pickle ? 0 : weights_read(&x->c.set, x->s, x->error);
        source_close(x->s);
        if (result != 0)
            return names[i] == x->asked ? -1 : in_file(x->error, names[i]);
    }
    return 0;
}

static int finish_set(session *x) {
    if (weights_sort(&x->c.set, x->error) != 0)
        return -1;
    weights_count(&x->c.set);
    return 0;
}

static int read_index(session *x, const char *name) {
    char path[PATH_SIZE];
    join(path, x->folder, name);
    if (source_open(x->s, path, x->error) != 0)
        return -1;
    int is_index = index_read(x->s, &x->memory, &x->c.index, x->error);
    source_close(x->s);
    return is_index < 0   ? in_file(x->error, name)
           : is_index > 0 ? read_files(x, x->c.index.files, x->c.index.file_count)
                          : 0;
}

/* ---- a model from config.json, with its tensors beside it ---------------------------------------------------------
 */

static roof_model_file *with_config(session *x) {
    char path[PATH_SIZE];
    join(path, x->folder, "config.json");
    roof_model_file *file = config_load(path, x->error);
    roof_error own = {0};
    reader r = {.file = file, .error = x->error ? x->error : &own};
    if (file && x->c.index.text_after)
        warn(&r, "text after the JSON of the index is ignored");
    if (file && (compare_model(&r, &x->c) != 0 || r.failed)) {
        roof_model_file_free(file);
        return NULL;
    }
    return file;
}

static void list_types(const roof_weights *w, char *out, size_t size) {
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < w->type_count && i < 4; i++) {
        int more = snprintf(out + n, size - n, "%s%s", i ? ", " : "", w->types[i].name);
        n = more > 0 && (size_t)more < size - n ? n + (size_t)more : n;
    }
}

/* Weights without a description: their totals, and what is missing to judge them. */
static roof_model_file *refuse_alone(session *x) {
    roof_weights w;
    char types[80];
    weights_sum(&x->c.set, &w);
    list_types(&w, types, sizeof types);
    if (w.tensors == 0 && x->c.index.tensors > 0)
        roof_fail(x->error, ROOF_EUNSUPPORTED,
                  "the index lists %zu tensors in %zu shards, %.0f bytes; no shard and no config.json is beside it",
                  x->c.index.tensors, x->c.index.file_count, x->c.index.total_size);
    else
        roof_fail(x->error, ROOF_EUNSUPPORTED,
                  "%.0f tensors, %s%.0f parameters, %.0f bytes (%s), and no config.json beside them says what they are",
                  w.tensors, w.at_least ? "at least " : "", w.parameters, w.bytes, types);
    roof_hint(x->error, "put the model's config.json into the same folder");
    return NULL;
}

static roof_model_file *judge_set(session *x) {
    if (finish_set(x) != 0)
        return NULL;
    return is_here(x, "config.json") ? with_config(x) : refuse_alone(x);
}

/* ---- what a path is ------------------------------------------------------------------------------------------------
 */

/* One file of tensors: all of them, where an index beside it names it. */
static int read_one(session *x, const char *path) {
    static const char index[] = "model.safetensors.index.json";
    const char *name = path + strlen(x->folder);
    source_close(x->s);
    if (is_here(x, index)) {
        if (read_index(x, index) != 0)
            return -1;
        for (size_t i = 0; i < x->c.index.file_count; i++)
            if (strcmp(x->c.index.files[i], name) == 0)
                return 0;
        x->c.index = (index_file){0}; /* it is the index of others */
        x->c.missing = 0;
        weights_begin(&x->c.set, &x->memory);
    }
    x->asked = name;
    return read_files(x, &name, 1);
}

typedef enum path_kind { PATH_OTHER, PATH_GGUF, PATH_WEIGHTS, PATH_INDEX, PATH_BAD } path_kind;

static path_kind kind_of(session *x) {
    char head[4] = {0};
    if (source_read(x->s, 0, head, 4) && memcmp(head, "GGUF", 4) == 0)
        return PATH_GGUF;
    if (weights_is_safetensors(x->s))
        return PATH_WEIGHTS;
    int is_index = index_read(x->s, &x->memory, &x->c.index, x->error);
    return is_index > 0 ? PATH_INDEX : is_index < 0 ? PATH_BAD : PATH_OTHER;
}

static int load_path(session *x, const char *path, path_kind kind) {
    set_folder(x, path, false);
    if (kind == PATH_INDEX)
        return read_files(x, x->c.index.files, x->c.index.file_count);
    return read_one(x, path);
}

static int load_folder(session *x, const folder_view *view) {
    if (view->index && read_index(x, view->index) != 0)
        return -1;
    return view->index ? 0 : read_files(x, view->safetensors, view->safetensors_count);
}

static roof_model_file *read_gguf(session *x, const char *path) {
    roof_model_file *file = source_open(x->s, path, x->error) == 0 ? gguf_read_model(x->s, path, x->error) : NULL;
    source_close(x->s);
    return file;
}

/* What of a folder the answer is about. Of several GGUF models (variants of one, usually) it is the first by name. */
static roof_model_file *say_taken(session *x, roof_model_file *file, const char *taken, const char *left,
                                  size_t models) {
    roof_error own = {0};
    reader r = {.file = file, .error = x->error ? x->error : &own};
    if (file && models > 1)
        warn(&r,
             "the folder holds %zu GGUF models: '%.100s' was taken, the first by name; name a file to judge another",
             models, taken);
    else if (file && left)
        warn(&r, "the folder holds %s and '%.100s': %s was taken", taken, left, taken);
    if (!r.failed)
        return file;
    roof_model_file_free(file);
    return NULL;
}

static roof_model_file *read_folder(session *x, const char *path, bool *handled) {
    folder_view view;
    char inside[PATH_SIZE];
    set_folder(x, path, true);
    *handled = true;
    if (folder_read(path, &x->memory, &view, x->error) != 0)
        return NULL;
    bool tensors = view.index || view.safetensors_count > 0;
    if (view.config || (tensors && !view.gguf)) {
        *handled = tensors || view.gguf;
        if (!*handled || load_folder(x, &view) != 0)
            return NULL;
        return say_taken(x, judge_set(x), "config.json", view.gguf ? view.gguf : view.onnx, 0);
    }
    *handled = view.gguf != NULL;
    if (!*handled)
        return NULL;
    join(inside, x->folder, view.gguf);
    roof_model_file *file = read_gguf(x, inside);
    if (!file)
        in_file(x->error, view.gguf);
    return say_taken(x, file, view.gguf,
                     view.index ? view.index
                     : tensors  ? view.safetensors[0]
                                : view.onnx,
                     view.gguf_count);
}

static roof_model_file *read_path(session *x, const char *path, bool *handled) {
    if (source_open(x->s, path, NULL) != 0)
        return x->s->folder ? read_folder(x, path, handled) : NULL;
    path_kind kind = kind_of(x);
    *handled = kind != PATH_OTHER;
    if (kind == PATH_GGUF)
        return gguf_read_model(x->s, path, x->error);
    if (kind != PATH_WEIGHTS && kind != PATH_INDEX)
        return NULL;
    return load_path(x, path, kind) == 0 ? judge_set(x) : NULL;
}

static session *begin(arena *memory, roof_error *error) {
    session *x = arena_get(memory, sizeof *x);
    if (x)
        x->s = arena_get(memory, sizeof *x->s); /* too large for a stack */
    if (!x || !x->s) {
        roof_fail(error, ROOF_ENOMEM, "out of memory while reading a model");
        return NULL;
    }
    source_memory(x->s, NULL, 0);
    x->error = error;
    weights_begin(&x->c.set, &x->memory);
    return x;
}

static void end(session *x, arena *memory) {
    if (x) {
        source_close(x->s);
        arena_free(&x->memory);
    }
    arena_free(memory);
}

roof_model_file *checkpoint_read(const char *path, bool *handled, roof_error *error) {
    arena memory = {0};
    session *x = begin(&memory, error);
    *handled = !x;
    roof_model_file *file = x ? read_path(x, path, handled) : NULL;
    end(x, &memory);
    return file;
}

/* ---- the summary ---------------------------------------------------------------------------------------------------
 */

/* 0: the set is filled; 1: `out` is; -1. */
static int load_any(session *x, const char *path, roof_weights *out) {
    folder_view view;
    if (source_open(x->s, path, NULL) != 0) {
        set_folder(x, path, true);
        if (!x->s->folder)
            return source_open(x->s, path, x->error);
        return folder_read(path, &x->memory, &view, x->error) != 0 ? -1 : load_folder(x, &view);
    }
    path_kind kind = kind_of(x);
    if (kind == PATH_GGUF)
        return gguf_sum(x->s, path, &x->memory, out, x->error) == 0 ? 1 : -1;
    if (kind == PATH_WEIGHTS || kind == PATH_INDEX)
        return load_path(x, path, kind);
    return kind == PATH_BAD
               ? -1
               : roof_fail(x->error, ROOF_EUNSUPPORTED, "'%.150s' holds no weights this version can list", path);
}

int roof_read_weights(const char *path, roof_weights *out, roof_error *error) {
    arena memory = {0};
    session *x = begin(&memory, error);
    *out = (roof_weights){0};
    int result = x ? load_any(x, path, out) : -1;
    if (result == 0 && (result = finish_set(x)) == 0)
        weights_sum(&x->c.set, out);
    end(x, &memory);
    return result < 0 ? -1 : 0;
}
