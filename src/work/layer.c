/* One layer: attention and MLP, each ended by the junction that adds it to the residual and norms the sum. */
#include "work/model.h"
#include "work/ops.h"

/* Fused: reads every branch row and the residual, writes the residual and `norms` normed rows. */
static void fused_junction(step *s, double branches, double norms) {
    roof_operation *operation = step_norm_begin(s, true);
    double elements = s->tokens * s->model->hidden, rows = branches - 1, more = norms - 1;
    if (rows > 0 || more > 0) {
        double norm_flops = s->model->norm == ROOF_NORM_RMS ? FLOPS_RMS_NORM : FLOPS_LAYER_NORM;
        double vectors = more * operation->weight_bytes;
        operation->vector_flops += elements * (rows + more * norm_flops);
        operation->weight_bytes += vectors;
        work_bytes(operation, operation->bytes[ROOF_DRAM] + vectors +
                                  elements * (rows + more) * dtype_bytes(s->plan->activations));
    }
    step_done(s, operation, "norms");
}

static void eager_junction(step *s, double adds, double norms) {
    double elements = s->tokens * s->model->hidden, count = s->count;
    s->count = count * adds;
    step_elementwise(s, "residual", elements, 2, 1);
    s->count = count * norms;
    if (norms > 0)
        step_norm(s);
    s->count = count;
}

/* After a branch alone: norms beyond one are of the branch's own output (Gemma 2, 3), before it is added. */
static void junction(step *s, double branches, double norms) {
    double count = s->count;
    if (s->plan->eager || !(norms > 0)) {
        eager_junction(s, 1, norms);
        return;
    }
    if (norms > 1) {
        s->count = count * (norms - 1);
        step_norm(s);
        s->count = count;
    }
    fused_junction(s, branches, 1);
}

/* Attention and MLP read the same normed input and are added together. */
static void parallel_junction(step *s, double branches, double norms) {
    if (s->plan->eager || !(norms > 0))
        eager_junction(s, 2, norms);
    else
        fused_junction(s, branches, norms);
}

static void attention(step *s) {
    switch (s->layer->attention.kind) {
    case ROOF_ATTENTION_LATENT:
        step_latent(s);
        break;
    case ROOF_ATTENTION_COMPRESSED:
        step_compressed(s);
        break;
    default:
        step_attention(s);
    }
}

/* The end of a block: `branches` rows a token are added to the residual, and the sum is normed. */
static void end_block(step *s, double branches, double norms) {
    step_all_reduce(s);
    if (s->model->streams > 1)
        step_streams(s, branches);
    else
        junction(s, branches, norms);
}

static void parallel_layer(step *s, double rows) {
    attention(s);
    step_mlp(s);
    step_all_reduce(s);
    parallel_junction(s, 1 + rows, s->layer->norms);
}

void step_layer(step *s) {
    const roof_layer *layer = s->layer;
    bool attends = layer->attention.kind != ROOF_ATTENTION_NONE, feeds = layer->mlp.kind != ROOF_MLP_NONE;
    bool carries = layer->state.kind != ROOF_STATE_NONE, crosses = layer->cross.kind != ROOF_ATTENTION_NONE;
    double rows = s->plan->eager ? 1 : mlp_rows(&layer->mlp), mixers = attends + carries;
    if (attends && feeds && layer->parallel) {
        parallel_layer(s, rows);
        return;
    }
    double norms = layer->norms / larger((attends || carries) + crosses + feeds, 1);
    if (attends)
        attention(s);
    if (carries)
        step_state(s);
    if (attends || carries)
        end_block(s, s->plan->eager ? 1 : mixers, norms);
    if (crosses) {
        step_cross(s);
        end_block(s, 1, norms);
    }
    if (feeds) {
        step_mlp(s);
        end_block(s, rows, norms);
    }
}
