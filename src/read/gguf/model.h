/* Private: what the parts of the GGUF reader share on the way from a header to a model. */
#ifndef ROOFLINE_READ_GGUF_MODEL_H
#define ROOFLINE_READ_GGUF_MODEL_H

#include "read/checkpoint/storage.h"
#include "read/gguf/gguf.h"
#include "json/write.h"

typedef enum fact {
    FACT_QKV_BIAS = 1,
    FACT_OUT_BIAS = 2,
    FACT_MLP_BIAS = 4,
    FACT_SINKS = 8,
    FACT_ROUTER_BIAS = 16,
    FACT_SHARED_GATE = 32,
    FACT_CONV_BIAS = 64,
    FACT_STATE_NORM = 128,
    FACT_POSITIONS = 256, /* a table of relative positions */
    FACT_LATENT = 512     /* in front of the experts and behind them */
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
    bool conv_bias, state_norm; /* some layer has one */
    double token_types;         /* rows of a second table */
    gguf_layer encoder;         /* all layers of an encoder beside the model, together */
    size_t position_tables;     /* of relative positions, encoder and decoder */
    bool encoder_gated;
    char unknown_names[160];
} gguf_facts;

/* A header and what it is about. */
typedef struct gguf_file {
    gguf header; /* of the part with the metadata; its tensors are those of all parts */
    const char *arch;
    gguf_facts facts;
    double layers;         /* blocks that every token passes */
    bool no_mlp, no_vocab; /* nothing says how wide the MLP, how long the vocabulary is */
    bool states;           /* layers without attention are described: they keep a state */
} gguf_file;

/* keys.c: `<arch>.suffix`; 0 or NULL when absent. Arrays: the largest element. */
const gguf_value *arch_value(const gguf_file *f, const char *suffix);
double arch_number(const gguf_file *f, const char *suffix);
/* Element of a list with one entry a layer; the one figure for all; `otherwise` when the key is absent. */
double arch_of_layer(const gguf_file *f, const char *suffix, size_t layer, double otherwise);

/* tensors.c: what the tensors of a model are. `file` supplies arch and layers. */
int gguf_facts_read(reader *r, gguf_file *file);
/* config.c: the metadata as the config.json that a model of this architecture would have. NULL: error filled. */
const char *gguf_config(reader *r, gguf_file *file);

/* families.c: what the class of one architecture calls its own. */
void gguf_say_mamba(emit *json, const gguf_file *f);
void gguf_say_mamba2(emit *json, const gguf_file *f);
void gguf_say_falcon_h1(emit *json, const gguf_file *f);
void gguf_say_granite_hybrid(emit *json, const gguf_file *f);
void gguf_say_jamba(emit *json, const gguf_file *f);
void gguf_say_nemotron_h(emit *json, const gguf_file *f);
void gguf_say_gated_delta(emit *json, const gguf_file *f);
void gguf_say_kimi_linear(emit *json, const gguf_file *f);
void gguf_say_ernie_moe(emit *json, const gguf_file *f);
void gguf_say_hunyuan_moe(emit *json, const gguf_file *f);
void gguf_say_lfm2(emit *json, const gguf_file *f);
void gguf_say_lfm2_moe(emit *json, const gguf_file *f);
void gguf_say_bert(emit *json, const gguf_file *f);
void gguf_say_t5(emit *json, const gguf_file *f);

/* An error of the config reader, its key named as the GGUF names it. */
void gguf_own_words(const gguf_file *file, roof_error *error);

#endif
