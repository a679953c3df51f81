/* What a plan needs of one device's memory. docs/model.md, "Memory". */
#include "work/model.h"

enum { DEVICES_MAX = 1024 };
static const double BATCH_MAX = 1099511627776.0; /* 2^40: no plan holds more sequences */

/* Tokens of one sequence that a layer keeps, in whole blocks. */
static double kept(const roof_attention_block *block, double tokens, double size) {
    bool bounded = block->kind == ROOF_ATTENTION_SLIDING || block->kind == ROOF_ATTENTION_CHUNKED;
    double visible = bounded && block->window > 0 && block->window < tokens ? block->window : tokens;
    return size > 1 ? ceil(visible / size) * size : visible;
}

static double token_bytes(const roof_plan *plan, const roof_layer *layer, double tensor) {
    return cache_elements(&layer->attention, tensor) * roof_dtype_bytes(plan->kv_cache) * layer->count;
}

static double sequence_bytes(const roof_model *model, const roof_plan *plan, double tokens, double tensor,
                             double block) {
    double bytes = 0;
    for (size_t i = 0; i < model->layer_count; i++) {
        const roof_layer *layer = &model->layers[i];
        bytes += token_bytes(plan, layer, tensor) * kept(&layer->attention, tokens, block);
    }
    return bytes;
}

double roof_model_kv_bytes_per_token(const roof_model *model, const roof_plan *plan) {
    return sequence_bytes(model, plan, 1, plan->tensor, 1);
}

double roof_model_kv_bytes(const roof_model *model, const roof_plan *plan, double context) {
    return sequence_bytes(model, plan, context, plan->tensor, 1);
}

double roof_kv_sequences(const roof_model *model, const roof_plan *plan, double budget, double tokens) {
    double bytes = sequence_bytes(model, plan, tokens, plan->tensor, plan->kv_block);
    if (!(budget > 0))
        return 0;
    return bytes > 0 ? floor(budget / bytes) : HUGE_VAL;
}

/* Elements a token has live while the layer's attention runs: input and output of the widest operation. */
static double attention_live(const roof_model *model, const roof_layer *layer, double tensor) {
    if (layer->attention.kind == ROOF_ATTENTION_NONE)
        return 0;
    attention_widths w = widths_of(&layer->attention, tensor);
    double projected = w.q_out + w.kv_out;
    return larger(model->hidden + projected, projected + w.out);
}

static double mlp_live(const roof_model *model, const roof_layer *layer, double tensor) {
    const roof_mlp_block *mlp = &layer->mlp;
    if (mlp->kind == ROOF_MLP_NONE)
        return 0;
    bool routed = mlp->kind == ROOF_MLP_MOE;
    double copies = routed ? mlp->top_k : 1, width = share(mlp->width, tensor);
    double beside = routed ? share(mlp->shared_width, tensor) + share(mlp->dense_width, tensor) : 0;
    double inner = copies * width + beside, up = (mlp->gated ? 2 : 1) * inner;
    return larger(model->hidden + up, larger(up + inner, inner + copies * model->hidden));
}

/* Scores of one sequence, written and read by an engine that does not fuse attention. */
static double score_elements(const roof_plan *plan, const roof_layer *layer, double tensor) {
    if (!plan->eager || layer->attention.kind == ROOF_ATTENTION_NONE)
        return 0;
    return 2 * share(layer->attention.heads, tensor) * plan->prompt * plan->prompt;
}

static double activation_bytes(const roof_model *model, const roof_plan *plan, double batch, double tensor) {
    double verified = batch * (1 + plan->draft);
    double tokens = larger(plan->prompt, verified), widest = 0;
    for (size_t i = 0; i < model->layer_count; i++) {
        const roof_layer *layer = &model->layers[i];
        double attention = tokens * attention_live(model, layer, tensor) + score_elements(plan, layer, tensor);
        widest = larger(widest, larger(attention, tokens * mlp_live(model, layer, tensor)));
    }
    double logits = larger(verified, plan->all_logits ? plan->prompt : 1) * share(model->vocab, tensor);
    return (tokens * model->hidden + larger(widest, logits)) * roof_dtype_bytes(plan->activations);
}

double roof_plan_tokens(const roof_plan *plan) {
    return larger(plan->prompt + plan->generate, plan->context);
}

typedef struct budget {
    const roof_model *model;
    const roof_plan *plan;
    double tensor, allowed;
    double weights, sequence; /* bytes; of one sequence's cache */
} budget;

static budget budget_at(const roof_model *model, const roof_plan *plan, double tensor, double allowed, bool *unknown) {
    weights w;
    model_weights(model, plan, tensor, &w);
    *unknown = w.unknown;
    double sequence = sequence_bytes(model, plan, roof_plan_tokens(plan), tensor, plan->kv_block);
    return (budget){model, plan, tensor, allowed, w.bytes, sequence};
}

static double needed(const budget *b, double batch) {
    return b->weights + batch * b->sequence + activation_bytes(b->model, b->plan, batch, b->tensor);
}

/* The largest whole batch that fits: `needed` grows with the batch, so halving finds it. */
static double largest_batch(const budget *b) {
    double low = 0, high = BATCH_MAX;
    if (b->sequence > 0)
        high = fmin(high, floor((b->allowed - b->weights) / b->sequence) + 1);
    if (!(high > 1) || needed(b, 1) > b->allowed)
        return 0;
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        if (needed(b, middle) <= b->allowed)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double devices_needed(const roof_model *model, const roof_plan *plan, double allowed) {
    bool unknown;
    for (double tensor = 1; tensor <= DEVICES_MAX; tensor *= 2) {
        budget b = budget_at(model, plan, tensor, allowed, &unknown);
        if (needed(&b, plan->batch) <= allowed)
            return tensor;
    }
    return 0;
}

roof_memory roof_model_memory(const roof_machine *machine, const roof_model *model, const roof_plan *plan) {
    roof_memory memory = {.capacity = roof_machine_capacity(machine)};
    memory.allowed = memory.capacity * plan->utilisation;
    bool unknown;
    budget b = budget_at(model, plan, plan->tensor, memory.allowed, &unknown);
    memory.weights = b.weights;
    memory.kv_cache = plan->batch * b.sequence;
    memory.activations = activation_bytes(model, plan, plan->batch, plan->tensor);
    memory.total = memory.weights + memory.kv_cache + memory.activations;
    memory.unknown = unknown || !(memory.capacity > 0);
    memory.fits = memory.total <= memory.allowed;
    if (memory.capacity > 0) {
        memory.batch_max = largest_batch(&b);
        memory.devices = devices_needed(model, plan, memory.allowed);
    }
    return memory;
}
