/* Names before paths: a file called like a model of the catalogue is reached as ./NAME. */
#include "cli/model_source.h"

#include <string.h>
#include <sys/stat.h>

#include "cli/on.h"

bool model_is_path(const char *name) {
    struct stat info;
    static const char *const endings[] = {".json", ".gguf", ".safetensors", ".onnx"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (length > strlen(endings[i]) && strcmp(name + length - strlen(endings[i]), endings[i]) == 0)
            return true;
    return strchr(name, '/') || stat(name, &info) == 0;
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
    out->id = out->named ? out->named->id : out->model->id;
    out->name = out->named ? out->named->name : out->model->name ? out->model->name : name;
    return 0;
}

void model_source_free(model_source *source) {
    roof_model_file_free(source->file);
    *source = (model_source){0};
}
