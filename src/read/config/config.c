/* roof_read_config: config.json to a model. Finds the language model inside wrappers, then fields, shape, layers. */
#include <stdio.h>
#include <string.h>

#include "read/config/config.h"
#include "roofline_read.h"

enum { FILE_MAX = 64 << 20 };

/* Where wrappers keep their language model. */
static const char *const nests[][2] = {
    {"text_config"}, {"llm_config"}, {"language_config"}, {"llm_cfg"}, {"thinker_config", "text_config"},
};

static void find_lm(reader *r) {
    r->lm = r->root;
    for (size_t i = 0; i < sizeof nests / sizeof nests[0]; i++) {
        const json_node *inner = json_get(r->root, nests[i][0]);
        size_t depth = 1;
        if (nests[i][1]) {
            inner = json_get(inner, nests[i][1]);
            depth = 2;
        }
        if (json_kind_of(inner) != JSON_NODE_OBJECT || json_size(inner) == 0)
            continue;
        r->lm = inner;
        memcpy(r->lm_path, nests[i], sizeof nests[i]);
        r->lm_depth = depth;
        note(r, "the language model is described by '%s'", nests[i][depth - 1]);
        return;
    }
}

static const char *text_or_empty(const char *text) {
    return text ? text : "";
}

static int refuse(reader *r, const char *model_type, const unsupported *no) {
    bool shown = json_get(r->lm, no->key) != NULL;
    char with[64] = "";
    if (shown)
        snprintf(with, sizeof with, " (key '%s')", no->key);
    return fail_at(r, ROOF_EUNSUPPORTED, shown ? no->key : "model_type",
                   "model type '%.40s' %s, which this version cannot judge%s", model_type, no->what, with);
}

/* A printable copy: names come from files and go into one-line messages. */
static const char *clean(reader *r, const char *text) {
    char *copy = keep(r, 64);
    if (!copy)
        return "";
    snprintf(copy, 64, "%.60s", text);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = '?';
    return copy;
}

/* Files of another schema may name no type, or that of the model they stand for. */
static void find_schema(reader *r) {
    r->schema = schema_find(r->root);
    if (!r->schema)
        return;
    note(r, "read as a file of %s", r->schema->label);
    if (!json_get(r->root, "model_type")) {
        r->model_type = r->schema->types;
        r->family = family_find(r->schema->types, NULL);
    }
}

static int find_family(reader *r) {
    find_schema(r);
    if (r->family)
        return 0;
    const json_node *places[] = {r->lm, r->root};
    for (int i = 0; i < 2; i++) {
        const char *type = clean(r, text_or_empty(json_text(json_get(places[i], "model_type"))));
        const char *class_name = text_or_empty(json_text(json_at(json_get(places[i], "architectures"), 0)));
        const unsupported *no = family_unsupported(type);
        if (r->failed)
            return -1;
        if (no)
            return refuse(r, type, no);
        r->model_type = i == 0 || (!*r->model_type && *type) ? type : r->model_type;
        r->family = family_find(type, class_name);
        if (r->family)
            return 0;
        if (*type && r->lm != r->root)
            break; /* the inner description names a type of its own */
    }
    r->family = family_llama();
    r->guessed = true;
    return 0;
}

static void note_towers(reader *r) {
    bool audio = json_get(r->root, "audio_config") != NULL;
    const char *why = NULL;
    bool vision = !node_is_off(tower_config(r)) && tower_read(r, &why) != 0;
    if (r->failed)
        return;
    if (vision || audio)
        r->file->model.not_counted = vision && audio ? "vision and audio towers"
                                     : vision        ? "vision tower"
                                                     : "audio tower";
    if (r->file->model.not_counted)
        warn(r, "%s not counted%s%s: the figures are those of the language model", r->file->model.not_counted,
             why ? ", as " : "", why ? why : "");
    else if (r->lm != r->root && !r->file->model.vision)
        warn(r, "only '%s' of the file is counted", r->lm_path[r->lm_depth - 1]);
}

/* Files of the wide world name a model ("owner/name"), or a folder of the machine they were written on. */
static const char *written_name(reader *r) {
    static const char *const keys[] = {"_name_or_path", "name"};
    for (int i = 0; i < 2; i++) {
        const char *name = json_text(json_get(r->root, keys[i]));
        if (name && *name)
            return name;
    }
    return NULL;
}

static void name_model(reader *r) {
    const char *name = written_name(r);
    r->file->model.id = name ? clean(r, name) : r->family->label;
    r->file->titled = name && title_is_name(name);
    r->file->model.name = r->file->titled ? r->file->model.id : r->family->label;
}

static int check_root(reader *r) {
    if (json_kind_of(r->root) != JSON_NODE_OBJECT)
        return fail_at(r, ROOF_EFORMAT, NULL, "a config.json is an object, and this is %s",
                       json_kind_name(json_kind_of(r->root)));
    const json_node *inside = json_get(r->root, "quantization");
    if (json_get(inside, "quant_algo") && !json_get(r->root, "model_type") && !json_get(r->root, "architectures")) {
        fail_at(r, ROOF_EFORMAT, "quantization", "this is a quantisation file, not a model");
        roof_hint(r->error, "name the config.json beside it");
        return -1;
    }
    return 0;
}

static int read_model(reader *r) {
    if (check_root(r) != 0)
        return -1;
    find_lm(r);
    if (find_family(r) != 0 || shape_read(r) != 0 || layers_build(r) != 0 || keys_check(r) != 0)
        return -1;
    note_towers(r);
    name_model(r);
    return r->failed ? -1 : 0;
}

static int too_large(roof_error *error, size_t length) {
    return roof_fail(error, ROOF_EFORMAT, "the file has %zu bytes; a config.json has at most %d", length, FILE_MAX);
}

/* Unknown structure and missing keys together read badly: a type that is refused says so first, then what is missing.
 */
static int parse(reader *r, const char *text, size_t length, json_node **root, json_node **quant,
                 const char *quant_text, size_t quant_length) {
    *root = json_read(text, length, r->error);
    if (!*root)
        return -1;
    r->root = *root;
    if (quant_text && quant_length > 0) {
        *quant = json_read(quant_text, quant_length, r->error);
        if (!*quant) {
            char what[sizeof r->error->what];
            if (r->error && r->error->code == ROOF_EFORMAT) {
                snprintf(what, sizeof what, "quantisation file: %.290s", r->error->what);
                memcpy(r->error->what, what, sizeof what);
            }
            return -1;
        }
        r->quant = *quant;
    }
    return read_model(r);
}

roof_model_file *roof_read_config(const char *json, size_t length, const char *quant, size_t quant_length,
                                  roof_error *error) {
    if (length > FILE_MAX || quant_length > FILE_MAX) {
        too_large(error, length > quant_length ? length : quant_length);
        return NULL;
    }
    arena memory = {0};
    roof_model_file *file = arena_get(&memory, sizeof *file); /* it lives in its own arena */
    if (!file) {
        roof_fail(error, ROOF_ENOMEM, "out of memory while reading a model");
        return NULL;
    }
    file->memory = memory;
    json_node *root = NULL, *beside = NULL;
    reader r = {.model_type = "", .file = file, .error = error};
    int result = parse(&r, json, length, &root, &beside, quant, quant_length);
    json_free(root);
    json_free(beside);
    if (result == 0)
        return file;
    roof_model_file_free(file);
    return NULL;
}

void roof_model_file_free(roof_model_file *file) {
    if (!file)
        return;
    arena memory = file->memory;
    arena_free(&memory);
}

roof_model_file *titled_from_path(roof_model_file *file, const char *path, roof_error *error) {
    if (!file || title_from_path(file, path, error) == 0)
        return file;
    roof_model_file_free(file);
    return NULL;
}

const roof_model *roof_model_file_model(const roof_model_file *file) {
    return &file->model;
}
