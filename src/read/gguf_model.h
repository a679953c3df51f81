/* Private: what the parts of the GGUF reader share on the way from a header to a model. */
#ifndef ROOFLINE_READ_GGUF_MODEL_H
#define ROOFLINE_READ_GGUF_MODEL_H

#include "read/gguf.h"
#include "read/storage.h"

typedef enum fact {
    FACT_QKV_BIAS = 1,
    FACT_OUT_BIAS = 2,
    FACT_MLP_BIAS = 4,
    FACT_SINKS = 8,
    FACT_ROUTER_BIAS = 16,
    FACT_SHARED_GATE = 32
} fact;

/* What the tensors say of one layer. */
typedef struct gguf_layer {
    pile role[ROOF_ROLE_COUNT];
    unsigned facts;
    double q_norm, k_norm, norms;
    double width, expert_width, experts, shared_width;
} gguf_layer;

/* What they say of the whole. */
typedef struct gguf_facts {
    gguf_layer *layers;
    size_t layer_count;
    pile embedding, head, vectors;     /* vectors: norms and biases, everywhere */
    double vocab, positions, width;    /* width: columns of the embedding table */
    double weights, bytes, prediction; /* of the model; of blocks that only predict further tokens, beside it */
    double skipped, unknown;           /* weights of tables that are computed, not learned; of tensors no one knows */
    size_t tensors;
    bool norm_weight, norm_bias, embedding_norm, head_bias, router_sigmoid;
    char unknown_names[160];
} gguf_facts;

/* A header and what it is about. */
typedef struct gguf_file {
    gguf header; /* of the part with the metadata; its tensors are those of all parts */
    const char *arch;
    gguf_facts facts;
    double layers;         /* blocks that every token passes */
    bool no_mlp, no_vocab; /* nothing says how wide the MLP, how long the vocabulary is */
} gguf_file;

/* `<arch>.suffix`; 0 or NULL when absent. Arrays: the largest element. */
const gguf_value *arch_value(const gguf_file *f, const char *suffix);
double arch_number(const gguf_file *f, const char *suffix);

/* gguf_tensors.c: what the tensors of a model are. `file` supplies arch and layers. */
int gguf_facts_read(reader *r, gguf_file *file);
/* gguf_config.c: the metadata as the config.json that a model of this architecture would have. NULL: error filled. */
const char *gguf_config(reader *r, gguf_file *file);

/* An error of the config reader, its key named as the GGUF names it. */
void gguf_own_words(const gguf_file *file, roof_error *error);

#endif
