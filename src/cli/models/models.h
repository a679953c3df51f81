/* The models known by name, and one model shown without judging it: layer by layer, parameters by part, bytes by
 * format. */
#ifndef ROOFLINE_CLI_MODELS_MODELS_H
#define ROOFLINE_CLI_MODELS_MODELS_H

#include "cli/model/source.h"
#include "cli/models/architecture.h"
#include "cli/options.h"
#include "roofline_read.h"

typedef struct listed_model {
    const roof_named_model *named;
    roof_model_file *file;
    roof_parameters parameters;
    double layers, kv_bytes; /* KV cache growth a token */
} listed_model;

typedef struct model_list {
    listed_model *rows;
    size_t count;
} model_list;

typedef struct model_view {
    const cli_settings *settings;
    const model_source *source;
    const char *path; /* NULL: of the catalogue */
    bool has_weights;
    roof_weights weights;   /* what the files store, where there are any */
    const char *unreadable; /* why there is no model, only weights; else NULL */
    architecture facts;
} model_view;

/* Those that --family and the text keep. Freed also after -1. */
int models_choose(const cli_settings *settings, model_list *out, roof_error *error);
void models_free(model_list *list);

void models_text(const void *list, text_out *out);
void models_csv(const void *list, text_out *out);
void models_json(const void *list, emit *json);

/* ---- one model ---- */

/* The whole of it: read, shown, freed. */
int model_show(const cli_settings *settings, const char *name, roof_error *error);
/* Only what is stored, where `error` says that there is no model to show; -1: nothing stored either. */
int weights_show(const cli_settings *settings, const char *path, roof_error *error);

void model_view_text(const void *view, text_out *out);
void model_view_csv(const void *view, text_out *out);
void model_view_json(const void *view, emit *json);
void weights_text(const model_view *view, text_out *out);
void weights_json(const model_view *view, emit *json);

#endif
