/* roof_read_model: a path to a model. The content decides what a file is; a folder means the config.json in it.
 *
 *     path -> GGUF, safetensors, an index, a folder of them    checkpoint/
 *          -> a config.json, or a pipe with one                config/load.c */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/checkpoint/checkpoint.h"
#include "read/config/config.h"
#include "roofline.h"
#include "roofline_read.h"

enum { PATH_LENGTH_MAX = 4096 };

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

roof_model_file *roof_read_model(const char *path, roof_error *error) {
    char inside[PATH_LENGTH_MAX + 16];
    size_t n = strlen(path);
    if (n >= PATH_LENGTH_MAX) {
        roof_fail(error, ROOF_EARGUMENT, "a path of %zu characters is too long", n);
        return NULL;
    }
    bool handled = false;
    roof_model_file *checkpoint = is_pipe(path) ? NULL : checkpoint_read(path, &handled, error);
    if (handled)
        return checkpoint;
    snprintf(inside, sizeof inside, "%s", path);
    if (is_folder(path)) {
        snprintf(inside + n, sizeof inside - n, "%sconfig.json", n > 0 && path[n - 1] == '/' ? "" : "/");
        if (access(inside, F_OK) != 0) {
            roof_fail(error, ROOF_ENOTFOUND, "folder '%.200s' has no config.json, GGUF, safetensors or ONNX file",
                      path);
            roof_hint(error, "a config.json of another name is read when it is named itself");
            return NULL;
        }
    }
    return config_load(inside, error);
}
