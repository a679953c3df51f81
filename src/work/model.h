/* What the files of section 6 share: widths on one device, how a linear layer is stored and multiplied, and the step
 * that turns layers into operations. Private to the work room. */
#ifndef ROOFLINE_WORK_MODEL_H
#define ROOFLINE_WORK_MODEL_H

#include <math.h>

#include "roofline.h"

/* The part of `whole` units that the fullest of `degree` devices holds. */
static inline double share(double whole, double degree) {
    return degree > 1 ? ceil(whole / degree) : whole;
}

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

/* Widths of one attention block on one device. A KV head that cannot be split is kept by every device. */
typedef struct attention_widths {
    double heads, kv_heads;
    double qk, v;         /* per head */
    double q_out, kv_out; /* outputs of the projections; q_out counts an output gate */
    double out;           /* inputs of the output projection */
} attention_widths;

static inline double value_width(const roof_attention_block *block) {
    if (block->value_width > 0)
        return block->value_width;
    return block->kind == ROOF_ATTENTION_LATENT ? block->nope_width : block->head_width;
}

static inline attention_widths widths_of(const roof_attention_block *block, double tensor) {
    bool latent = block->kind == ROOF_ATTENTION_LATENT;
    attention_widths w;
    w.heads = share(block->heads, tensor);
    w.kv_heads = latent ? w.heads : share(block->kv_heads, tensor);
    w.qk = latent ? block->nope_width + block->rope_width : block->head_width;
    w.v = value_width(block);
    w.q_out = w.heads * w.qk * (block->output_gate ? 2 : 1);
    w.kv_out = latent ? w.heads * (block->nope_width + w.v) : w.kv_heads * (w.qk + (block->tied_kv ? 0 : w.v));
    if (block->shared_kv)
        w.kv_out = 0;
    w.out = w.heads * w.v;
    return w;
}

/* Elements one token adds to the cache of one layer on one device; the latent is one row that every device keeps. */
static inline double cache_elements(const roof_attention_block *block, double tensor) {
    if (block->kind == ROOF_ATTENTION_NONE || block->shared_kv)
        return 0;
    if (block->kind == ROOF_ATTENTION_LATENT)
        return block->kv_rank + block->rope_width;
    if (block->kind == ROOF_ATTENTION_COMPRESSED)
        return block->head_width;
    return share(block->kv_heads, tensor) * (block->head_width + value_width(block));
}

/* Learned vectors of hidden width in one norm. */
static inline double norm_vectors(roof_norm_kind norm) {
    static const double vectors[] = {
        [ROOF_NORM_RMS] = 1, [ROOF_NORM_LAYER] = 2, [ROOF_NORM_LAYER_NO_WEIGHT] = 0, [ROOF_NORM_LAYER_NO_BIAS] = 1};
    return vectors[norm];
}

static inline double embedding_width(const roof_model *model) {
    return model->embedding_width > 0 ? model->embedding_width : model->hidden;
}

/* How the matrices of one role are stored and multiplied under a plan. `format` may point at `own`: never copy one. */
typedef struct linear {
    const roof_format *format;
    roof_dtype math, input; /* input: the dtype activations are read in */
    bool sparse;
    roof_format own;
} linear;

/* The role of the matrix behind an MLP's first. */
static inline roof_role down_of(roof_role up) {
    return (roof_role)(up + 1);
}

void model_linear(const roof_model *model, const roof_plan *plan, const roof_layer *layer, roof_role role, linear *out);
void model_head(const roof_model *model, const roof_plan *plan, linear *out);
const roof_format *model_embedding(const roof_model *model, const roof_plan *plan, roof_format *own);
roof_dtype model_stored(const roof_model *model, const roof_plan *plan); /* dtype of norms and biases */

/* Stored weights of one device at a tensor degree. */
typedef struct weights {
    double attention, state, mlp, norms, active_mlp, embedding, head; /* elements */
    double bytes;
    bool unknown;
} weights;

void model_weights(const roof_model *model, const roof_plan *plan, double tensor, weights *out);

/* Tokens the model yields a decode step and sequence: the accepted draft and one of its own. */
double model_tokens_a_step(const roof_plan *plan);

/* One walk over the layers of a phase. Each operation is built in a slot, then kept, judged or both. */
typedef struct step {
    const roof_model *model;
    const roof_model *owner; /* of the encoder or tower that is walked; the same as `model` for its own phases */
    const roof_plan *plan;
    roof_phase phase;
    double sequences, q_len, kv_len, tokens, tensor; /* tokens: sequences * q_len */
    bool cached;                                     /* keys and values go to a cache; encoders and towers keep none */
    double count;                                    /* executions of what is being emitted */
    const roof_layer *layer;
    roof_dtype stored; /* of norms and biases */
    double loose;      /* learned elements of no operation of their own, read with the next one (layer scales, position
                          tables) */
    roof_operation *out; /* written up to `capacity`; may be NULL */
    size_t capacity, emitted;
    const roof_machine *machine; /* judged and added to `sum`, unless NULL */
    roof_sum *sum;
    roof_error *error;
    bool failed;
    int (*visit)(void *context, const roof_operation *operation,
                 roof_error *error); /* each is shown to it, unless NULL */
    void *context;
    double *tally; /* matrix FLOPs of the linear layers by dtype, unless NULL; not while judging */
    roof_operation scratch;
} step;

/* Show every operation of a phase of a complete plan to `visit`, in order; it returns -1 to stop. For rooms to the
 * right: they need no memory for a list. */
int model_visit(const roof_model *model, const roof_plan *plan, roof_phase phase,
                int (*visit)(void *context, const roof_operation *operation, roof_error *error), void *context,
                roof_error *error);

static inline roof_operation *slot(step *s) {
    return s->emitted < s->capacity ? &s->out[s->emitted] : &s->scratch;
}

void step_done(step *s, roof_operation *operation, const char *name);
void step_linear(step *s, const char *name, const linear *how, double rows, double outputs, double inputs, bool bias);
roof_operation *step_norm_begin(step *s, bool residual); /* of one hidden row a token, in a slot */
void step_norm(step *s);
void step_elementwise(step *s, const char *name, double elements, double inputs, double flops); /* one output */
void step_all_reduce(step *s); /* nothing on one device */
void step_layer(step *s);
void step_attention(step *s);
void step_latent(step *s);
void step_mlp(step *s);
void step_state(step *s);
void step_cross(step *s);
void step_compressed(step *s);
void step_streams(step *s, double branches); /* the junction of models with several residual streams */
void step_streams_end(step *s);              /* the streams become one */
void step_projections(step *s, const roof_projection *projections, size_t count);

/* Sparse attention. */
double index_row_bytes(const roof_attention_block *block);           /* of one cached index key */
double index_window(const roof_attention_block *block, double keys); /* keys a query attends to; 0: all */
double compressed_pairs(double q_len, double kv_len, double each, double most);

/* DeepSeek V4. */
double stream_mix(double streams); /* outputs of the matrix that mixes the streams */

double state_bytes(const roof_model *model, const roof_plan *plan, const roof_layer *layer, double tensor);

/* The model whose layers a phase runs, or NULL where it has no such phase. */
static inline const roof_model *phase_model(const roof_model *model, roof_phase phase) {
    if (phase == ROOF_PHASE_VISION)
        return model->vision;
    if (model->bidirectional)
        return phase == ROOF_PHASE_ENCODE ? model : NULL;
    return phase == ROOF_PHASE_ENCODE ? model->encoder : model;
}

/* Rows of hidden width that the MLP leaves to be added up: one, or one a chosen (all together when they are latent),
 * shared and dense expert. */
static inline double mlp_rows(const roof_mlp_block *mlp) {
    if (mlp->kind != ROOF_MLP_MOE)
        return mlp->kind != ROOF_MLP_NONE;
    return (mlp->latent_width > 0 ? 1 : mlp->top_k) + (mlp->shared_width > 0) + (mlp->dense_width > 0);
}

#endif
