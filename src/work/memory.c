/* What a plan needs of one device's memory. docs/model.md, "Memory". */
#include "work/layer_design.h"
#include "work/state.h"

enum { DEVICES_MAX = 1024 };
static const double BATCH_MAX = 1099511627776.0; /* 2^40: no plan holds more sequences */

/* Tokens of one sequence that a layer keeps, in whole blocks. */
static double kept(const roof_attention_block *block, double tokens, double size) {
    bool bounded = block->kind != ROOF_ATTENTION_FULL && block->kind != ROOF_ATTENTION_LATENT;
    double visible = bounded && block->window > 0 && block->window < tokens ? block->window : tokens;
    return size > 1 ? ceil(visible / size) * size : visible;
}

/* Rows of a summary that is not complete yet (DeepSeek V4). */
static double buffer_bytes(const roof_model *model, const roof_plan *plan, const roof_layer *layer) {
    const roof_attention_block *a = &layer->attention;
    if (a->kind != ROOF_ATTENTION_COMPRESSED)
        return 0;
    layer_design design;
    attention_describe(a, model->hidden, model->hidden, 1, &design);
    return a->compress * design_outputs(&design, MATRIX_SUMMARY, MATRIX_INDEX_SUMMARY) *
           roof_dtype_bytes(plan->activations);
}

/* Bytes that `tokens` tokens take in one layer. Summaries (DeepSeek V4) come one for every `compress` tokens, beside a
 * window of rows; index keys stand beside the rows, or beside the summaries. */
static double layer_bytes(const roof_plan *plan, const roof_layer *layer, double tokens, double tensor, double block) {
    const roof_attention_block *a = &layer->attention;
    if (a->kind == ROOF_ATTENTION_NONE || a->shared_kv)
        return 0;
    double row = cache_elements(a, tensor) * roof_dtype_bytes(plan->kv_cache);
    double bytes = row * kept(a, tokens, block), index = index_row_bytes(a);
    if (a->kind == ROOF_ATTENTION_COMPRESSED)
        return bytes + (a->compress > 0 ? (row + index) * tokens / a->compress : 0);
    return bytes + (index > 0 ? index * kept(a, tokens, block) : 0);
}

static double cross_bytes(const roof_plan *plan, const roof_layer *layer, double tensor) {
    if (layer->cross.kind == ROOF_ATTENTION_NONE)
        return 0;
    return cache_elements(&layer->cross, tensor) * roof_dtype_bytes(plan->kv_cache) * plan->source;
}

/* What grows with the context; nothing in an encoder, which keeps no cache. */
static double growing_bytes(const roof_model *model, const roof_plan *plan, double tokens, double tensor,
                            double block) {
    double bytes = 0;
    for (size_t i = 0; i < model->layer_count && !model->bidirectional; i++)
        bytes += model->layers[i].count * layer_bytes(plan, &model->layers[i], tokens, tensor, block);
    return bytes;
}

/* What does not: states, and in `cross` the keys and values of the source. */
static double fixed_bytes(const roof_model *model, const roof_plan *plan, double tensor, double *cross) {
    double states = 0;
    *cross = 0;
    for (size_t i = 0; i < model->layer_count; i++) {
        const roof_layer *layer = &model->layers[i];
        states += layer->count * (state_bytes(model, plan, layer, tensor) + buffer_bytes(model, plan, layer));
        *cross += layer->count * cross_bytes(plan, layer, tensor);
    }
    return states;
}

static double sequence_bytes(const roof_model *model, const roof_plan *plan, double tokens, double tensor,
                             double block) {
    double cross, states = fixed_bytes(model, plan, tensor, &cross);
    return growing_bytes(model, plan, tokens, tensor, block) + states + cross;
}

double roof_model_state_bytes(const roof_model *model, const roof_plan *plan) {
    double cross;
    return fixed_bytes(model, plan, plan->tensor, &cross);
}

double roof_model_kv_bytes_per_token(const roof_model *model, const roof_plan *plan) {
    return growing_bytes(model, plan, 1, plan->tensor, 1);
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

static double state_live(const roof_model *model, const roof_layer *layer, double tensor) {
    state_design d;
    state_describe(&layer->state, model->hidden, tensor, &d);
    double widest = 0;
    for (size_t i = 0; i < d.count; i++)
        widest = larger(widest, d.matrices[i].outputs + d.matrices[i].inputs);
    return widest;
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

/* Scores of one sequence of `length` tokens, written and read by an engine that does not fuse attention. */
static double score_elements(const roof_plan *plan, const roof_layer *layer, double length, double tensor) {
    if (!plan->eager || layer->attention.kind == ROOF_ATTENTION_NONE)
        return 0;
    return 2 * share(layer->attention.heads, tensor) * length * length;
}

/* Elements live at once while `tokens` tokens go through the layers, `length` of them in one sequence: the residual,
 * and the widest operation or `logits`. */
static double live(const roof_model *model, const roof_plan *plan, double tokens, double length, double logits,
                   double tensor) {
    double widest = logits;
    for (size_t i = 0; i < model->layer_count; i++) {
        const roof_layer *layer = &model->layers[i];
        double attention = tokens * attention_live(model, layer, tensor) + score_elements(plan, layer, length, tensor);
        widest = larger(widest, larger(attention, tokens * mlp_live(model, layer, tensor)));
        widest = larger(widest, tokens * state_live(model, layer, tensor));
    }
    return tokens * model->hidden + widest;
}

/* Of the model, or of its encoder or tower where one sequence or all its images take more. */
static double activation_bytes(const roof_model *model, const roof_plan *plan, double batch, double tensor) {
    double length = model->bidirectional ? plan->source : plan->prompt, verified = batch * (1 + plan->draft);
    double logits = larger(verified, plan->all_logits ? length : 1) * share(model->vocab, tensor);
    double tokens = larger(length, verified);
    double most = live(model, plan, tokens, length, model->headless ? 0 : logits, tensor);
    if (model->encoder)
        most = larger(most, live(model->encoder, plan, plan->source, plan->source, 0, tensor));
    if (model->vision)
        most = larger(most, live(model->vision, plan, plan->images * plan->patches, plan->patches, 0, tensor));
    return most * roof_dtype_bytes(plan->activations);
}

/* Of the model, its encoder and its vision tower: all of them stay loaded. */
static double stored_bytes(const roof_model *model, const roof_plan *plan, double tensor, bool *unknown) {
    const roof_model *parts[] = {model, model->encoder, model->vision};
    double bytes = 0;
    *unknown = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        weights w;
        if (!parts[i])
            continue;
        model_weights(parts[i], plan, tensor, &w);
        bytes += w.bytes;
        *unknown |= w.unknown;
    }
    return bytes;
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
    double stored = stored_bytes(model, plan, tensor, unknown);
    double sequence = sequence_bytes(model, plan, roof_plan_tokens(plan), tensor, plan->kv_block);
    return (budget){model, plan, tensor, allowed, stored, sequence};
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
    memory.state = plan->batch * roof_model_state_bytes(model, plan);
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
