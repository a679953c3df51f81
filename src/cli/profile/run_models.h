/* The models that files of runs name. */
#ifndef ROOFLINE_CLI_PROFILE_RUN_MODELS_H
#define ROOFLINE_CLI_PROFILE_RUN_MODELS_H

#include "cli/model/source.h"
#include "roofline_profile.h"

enum { RUN_MODELS = 16 };

typedef struct run_models {
    model_source list[RUN_MODELS];
    const char *names[RUN_MODELS]; /* what the files call them; "" is the one that was asked for */
    size_t count;
    bool asked; /* --model: every run is of it */
} run_models;

/* Read --model; NULL: the files name theirs. */
int run_models_ask(run_models *models, const char *name, roof_error *error);
/* The model of a run, or NULL where the catalogue has none of that name. */
const model_source *run_models_find(run_models *models, const roof_model_run *run);
void run_models_free(run_models *models);

#endif
