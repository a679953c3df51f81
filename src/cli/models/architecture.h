/* A model taken apart: its layers as runs of equal ones, parameters by part, bytes by format. Found by asking the
 * library about the model with pieces left out, so nothing is counted twice in two ways. */
#ifndef ROOFLINE_CLI_MODELS_ARCHITECTURE_H
#define ROOFLINE_CLI_MODELS_ARCHITECTURE_H

#include "cli/out/text.h"
#include "json/write.h"

typedef struct layer_facts { /* of ONE layer of a kind */
    double parameters, active;
    double attention, state, mlp, experts, norms; /* parts; experts: with their router, part of mlp */
    double kv_bytes, state_bytes;                 /* cache growth a token, fixed bytes a sequence */
} layer_facts;

enum { ARCHITECTURE_FORMATS = 16, ARCHITECTURE_PHASES = ROOF_PHASE_COUNT };

typedef struct format_facts { /* what is stored in one format */
    char name[32];
    double parameters, bytes;
    bool unknown; /* bytes are not known */
} format_facts;

typedef struct architecture {
    const roof_model *model;
    roof_plan plan; /* complete */
    roof_parameters parameters;
    double experts; /* part of parameters.mlp, routers included */
    double kv_bytes, state_bytes;
    layer_facts *layers; /* one a kind */
    format_facts formats[ARCHITECTURE_FORMATS];
    size_t format_count;
} architecture;

void architecture_of(const roof_model *model, const roof_plan *plan, architecture *out);
void architecture_free(architecture *facts);

/* The n-th run (from 0) of layers of one kind: first and last, from 1. False past the end. */
bool layer_run(const roof_model *model, size_t kind, size_t n, size_t *first, size_t *last);
bool layer_has_role(const roof_layer *layer, roof_role role); /* it has a matrix of that role */
const char *attention_kind_name(roof_attention_kind kind);    /* "full", "latent" */
const char *state_kind_name(roof_state_kind kind);            /* "mamba-2" */
const char *mlp_kind_name(roof_mlp_kind kind);

#endif
