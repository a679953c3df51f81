/* A model shown without judging it: layer by layer, parameters by part, bytes by format. */
#ifndef ROOFLINE_CLI_SHOW_H
#define ROOFLINE_CLI_SHOW_H

#include "cli/model/source.h"
#include "cli/models/architecture.h"
#include "cli/options.h"

typedef struct model_view {
    const cli_settings *settings;
    const model_source *source;
    const char *path; /* NULL: of the catalogue */
    bool has_weights;
    roof_weights weights;   /* what the files store, where there are any */
    const char *unreadable; /* why there is no model, only weights; else NULL */
    architecture facts;
} model_view;

void show_text(const void *view, text_out *out);
void show_csv(const void *view, text_out *out);
void show_json(const void *view, emit *json);
void weights_text(const model_view *view, text_out *out);
void weights_json(const model_view *view, emit *json);
/* Only what is stored, where `error` says that there is no model to show; -1: nothing stored either. */
int show_weights(const cli_settings *settings, const char *path, roof_error *error);
/* The whole of it: read, shown, freed. */
int show_model(const cli_settings *settings, const char *name, roof_error *error);

#endif
