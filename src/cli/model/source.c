/* Names before paths: a file called like a model of the catalogue is reached as ./NAME. */
#include "cli/model/source.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/out/files.h"
#include "roofline_read.h"

static bool ends_in(const char *name, const char *ending) {
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

bool model_is_path(const char *name) {
    struct stat info;
    static const char *const endings[] = {".json", ".gguf", ".safetensors", ".onnx"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_in(name, endings[i]))
            return true;
    return strchr(name, '/') || stat(name, &info) == 0;
}

/* Graphs and other models of a folder; the first graph by name is `graph`. */
static void look_through(DIR *folder, char *graph, size_t size, size_t *graphs, size_t *others) {
    const struct dirent *entry;
    while ((entry = readdir(folder))) {
        const char *name = entry->d_name;
        *others += strcmp(name, "config.json") == 0 || ends_in(name, ".gguf") || ends_in(name, ".safetensors") ||
                   ends_in(name, ".index.json");
        if (!ends_in(name, ".onnx"))
            continue;
        if (*graphs == 0 || strcmp(name, graph) < 0)
            snprintf(graph, size, "%s", name);
        ++*graphs;
    }
}

int model_graph_path(const char *name, char *path, size_t size, roof_error *error) {
    char graph[256] = "";
    size_t graphs = 0, others = 0;
    if (!model_is_path(name))
        return 0;
    DIR *folder = opendir(name);
    if (!folder) {
        snprintf(path, size, "%s", name);
        return roof_is_graph(name);
    }
    look_through(folder, graph, sizeof graph, &graphs, &others);
    closedir(folder);
    if (others > 0 || graphs == 0)
        return 0;
    if (graphs > 1)
        return roof_fail(error, ROOF_EFORMAT, "folder '%.120s' holds %zu graphs: name one, such as '%.80s'", name,
                         graphs, graph);
    snprintf(path, size, "%s%s%s", name, name[strlen(name) - 1] == '/' ? "" : "/", graph);
    return 1;
}

static bool is_gguf(const char *path) {
    char magic[4] = "";
    FILE *file = fopen(path, "rb");
    bool found = file && fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "GGUF", 4) == 0;
    if (file)
        fclose(file);
    return found;
}

int model_source_read(const char *name, model_source *out, roof_error *error) {
    *out = (model_source){.named = roof_named_model_find(name, error)};
    if (out->named)
        out->file = roof_read_config(out->named->config, strlen(out->named->config), NULL, 0, error);
    else if (model_is_path(name))
        out->file = roof_read_model(name, error);
    if (!out->file && !out->named && model_is_path(name)) {
        name_file(name, error);
        if (error->code == ROOF_ENOTFOUND)
            error->code = ROOF_EIO; /* a file that is not there is bad input, not misuse */
    }
    if (!out->file)
        return -1;
    out->model = roof_model_file_model(out->file);
    out->gguf = !out->named && (ends_in(name, ".gguf") || is_gguf(name));
    out->id = out->named ? out->named->id : out->model->id;
    out->name = out->named ? out->named->name : out->model->name ? out->model->name : name;
    return 0;
}

void model_source_free(model_source *source) {
    roof_model_file_free(source->file);
    *source = (model_source){0};
}
