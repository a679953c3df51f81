/* A model shown without judging it: layer by layer, parameters by part, bytes by format. */
#ifndef ROOFLINE_CLI_SHOW_H
#define ROOFLINE_CLI_SHOW_H

#include "cli/architecture.h"
#include "cli/options.h"
#include "cli/model_source.h"

typedef struct model_view {
    const cli_settings *settings;
    const model_source *source;
    architecture facts;
} model_view;

void show_text(const void *view, text_out *out);
void show_csv(const void *view, text_out *out);
void show_json(const void *view, emit *json);
/* The whole of it: read, shown, freed. */
int show_model(const cli_settings *settings, const char *name, roof_error *error);

#endif
