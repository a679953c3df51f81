/* The models that files of runs name, each looked up and read once. */
#include "cli/profile/run_models.h"

#include <string.h>

static long index_of(const run_models *models, const char *name) {
    for (size_t i = 0; i < models->count; i++)
        if (strcmp(models->names[i], name) == 0)
            return (long)i;
    return -1;
}

/* Read the model that a file names, as it is and without what comes before a '/' ("meta-llama/Llama-3.1-8B"). */
static bool read_named(const char *name, model_source *out) {
    const char *slash = strrchr(name, '/');
    roof_error ignored = {0};
    const char *const tries[] = {name, slash ? slash + 1 : name};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        if (roof_named_model_find(tries[i], &ignored) && model_source_read(tries[i], out, &ignored) == 0)
            return true;
    model_source_free(out);
    return false;
}

int run_models_ask(run_models *models, const char *name, roof_error *error) {
    if (!name)
        return 0;
    models->asked = true;
    models->names[models->count] = "";
    return model_source_read(name, &models->list[models->count++], error);
}

const model_source *run_models_find(run_models *models, const roof_model_run *run) {
    const char *name = models->asked ? "" : run->model;
    if (!name)
        return NULL;
    if (index_of(models, name) < 0 && models->count < RUN_MODELS) {
        models->names[models->count] = name;
        read_named(name, &models->list[models->count++]);
    }
    long at = index_of(models, name);
    return at >= 0 && models->list[at].model ? &models->list[at] : NULL;
}

void run_models_free(run_models *models) {
    for (size_t i = 0; i < models->count; i++)
        model_source_free(&models->list[i]);
}
