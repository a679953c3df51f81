/* The model a command line names: of the catalogue, a file or a folder. */
#ifndef ROOFLINE_CLI_MODEL_SOURCE_H
#define ROOFLINE_CLI_MODEL_SOURCE_H

#include <stdbool.h>

#include "roofline.h"
#include "roofline_read.h"

typedef struct model_source {
    const char *id, *name;         /* of the catalogue, else of the file */
    const roof_named_model *named; /* NULL: from a file */
    roof_model_file *file;
    const roof_model *model;
    bool gguf;
} model_source;

bool model_is_path(const char *name);
/* Is `name` a graph: an ONNX file, or a folder that holds one and nothing else a model is read from? 1: yes, and `path`
 * is the file; 0: no; -1: a folder with several. */
int model_graph_path(const char *name, char *path, size_t size, roof_error *error);
int model_source_read(const char *name, model_source *out, roof_error *error);
void model_source_free(model_source *source);

#endif
