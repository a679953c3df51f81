/* What attention and the MLP of a layer are made of: one description, from which parameters (model_parameters.c), the
 * operations of a step (layer_*.c) and the modules of a checkpoint (read/config/matrices.c) follow. A state layer has
 * its own: state.h.
 *
 *     attention_describe -> [Q 4096x4096] [K 1024x4096] [V 1024x4096] [O 4096x4096]   vectors: head norms, sinks ...
 *                            `--- step_matrices "qkv": one product ---'
 */
#ifndef ROOFLINE_WORK_LAYER_DESIGN_H
#define ROOFLINE_WORK_LAYER_DESIGN_H

#include "work/model.h"

/* In this order, so that those which one product of a step multiplies stand side by side. */
typedef enum matrix_kind {
    MATRIX_Q,
    MATRIX_K,
    MATRIX_V,
    MATRIX_HEAD_GATE,
    MATRIX_Q_DOWN,
    MATRIX_ROW,     /* compressed attention: the row that is key and value */
    MATRIX_SUMMARY, /* and what its summaries and their weights are made of */
    MATRIX_INDEX_SUMMARY,
    MATRIX_Q_UP,
    MATRIX_KV_DOWN, /* latent attention */
    MATRIX_KV_UP,
    MATRIX_INDEX_Q,
    MATRIX_INDEX_WEIGHTS,
    MATRIX_INDEX_K,
    MATRIX_O_DOWN, /* `copies` groups, each of its own inputs */
    MATRIX_O,
    MATRIX_ROUTER,
    MATRIX_SHARED_GATE,
    MATRIX_LATENT_IN, /* into the width of latent experts */
    MATRIX_EXPERTS_GATE,
    MATRIX_EXPERTS_UP,
    MATRIX_EXPERTS_DOWN,
    MATRIX_LATENT_OUT,
    MATRIX_SHARED_EXPERT_GATE,
    MATRIX_SHARED_EXPERT_UP,
    MATRIX_SHARED_EXPERT_DOWN,
    MATRIX_GATE,
    MATRIX_UP,
    MATRIX_RECEPTANCE,
    MATRIX_DOWN,
    MATRIX_KINDS
} matrix_kind;

typedef struct layer_matrix {
    double outputs, inputs; /* on one device */
    double copies, active;  /* equal ones, and how many of them one token uses */
    bool bias;              /* one element an output */
} layer_matrix;

/* Learned vectors by what reads them; biases are with their matrices, norms around blocks with the layer. */
typedef enum vector_kind {
    VECTORS_QUERY_NORM,
    VECTORS_KEY_NORM,
    VECTORS_INNER_NORM, /* of latents */
    VECTORS_SUMMARY,    /* position weights and norms of summaries */
    VECTORS_INDEX_NORM,
    VECTORS_SINKS,
    VECTORS_SHIFT, /* a token mixed with the one before */
    VECTOR_KINDS
} vector_kind;

typedef struct layer_design {
    unsigned present;              /* a bit a kind */
    layer_matrix at[MATRIX_KINDS]; /* of those alone: the others are not written */
    double vectors[VECTOR_KINDS];  /* elements */
} layer_design;

roof_role matrix_role(matrix_kind kind);
/* NULL: the layer has none of that kind. */
static inline const layer_matrix *design_matrix(const layer_design *design, int kind) {
    return design->present >> kind & 1 ? &design->at[kind] : NULL;
}

/* Of all from `first` to `last` together. */
double design_outputs(const layer_design *design, matrix_kind first, matrix_kind last);

/* On one device of `tensor`. `source`: width of the rows that keys and values are made of, the layer's own or those of
 * an encoder. Nothing for a block that is not there. */
void attention_describe(const roof_attention_block *block, double hidden, double source, double tensor,
                        layer_design *out);
void mlp_describe(const roof_mlp_block *block, double hidden, double tensor, layer_design *out);

/* ---- a step over what was described ---- */

/* One product of `rows` rows with all matrices from `first` to `last`, which read the same row; where only some have a
 * bias one product for those and one for the others. Nothing where the layer has none of them. */
void step_matrices(step *s, const layer_design *design, const char *name, matrix_kind first, matrix_kind last,
                   double rows);
void step_index_keys(step *s, const layer_design *design);
void step_index(step *s, const layer_design *design, double each);

#endif
