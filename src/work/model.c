/* Plans and what they make of a model: defaults, formats by role, the cache. */
#include "work/model.h"

static roof_dtype half_or_bf16(roof_dtype dtype) {
    return dtype == ROOF_F16 ? ROOF_F16 : ROOF_BF16;
}

static void preset(double *value, double otherwise) {
    if (!(*value > 0))
        *value = otherwise;
}

void roof_plan_complete(const roof_model *model, roof_plan *plan) {
    preset(&plan->batch, 1);
    preset(&plan->prompt, model->encoder ? 1 : 1024);
    preset(&plan->generate, 256);
    preset(&plan->context, plan->prompt + plan->generate / 2);
    preset(&plan->tensor, 1);
    preset(&plan->utilisation, 0.95);
    preset(&plan->kv_block, 1);
    if (model->bidirectional)
        preset(&plan->source, plan->prompt);
    if (model->encoder)
        preset(&plan->source, model->encoder->context_max > 0 ? model->encoder->context_max : 1024);
    if (model->vision) {
        preset(&plan->images, 1);
        preset(&plan->patches, model->vision->context_max);
    }
    if (plan->activations == ROOF_DTYPE_NONE)
        plan->activations = half_or_bf16(model->stored);
    if (plan->kv_cache == ROOF_DTYPE_NONE)
        plan->kv_cache = plan->activations;
}

const char *roof_phase_name(roof_phase phase) {
    static const char *const names[ROOF_PHASE_COUNT] = {[ROOF_PHASE_PREFILL] = "prefill",
                                                        [ROOF_PHASE_DECODE] = "decode",
                                                        [ROOF_PHASE_ENCODE] = "encode",
                                                        [ROOF_PHASE_VISION] = "vision"};
    return phase >= 0 && phase < ROOF_PHASE_COUNT ? names[phase] : "?";
}

bool roof_model_has_phase(const roof_model *model, roof_phase phase) {
    return phase_model(model, phase) != NULL;
}

double roof_model_layers(const roof_model *model) {
    double layers = 0;
    for (size_t i = 0; i < model->layer_count; i++)
        layers += model->layers[i].count;
    return layers;
}

roof_dtype model_stored(const roof_model *model, const roof_plan *plan) {
    if (model->stored != ROOF_DTYPE_NONE)
        return model->stored;
    return plan && plan->activations != ROOF_DTYPE_NONE ? plan->activations : ROOF_BF16;
}

/* A format nobody filled in holds plain elements of the stored dtype. */
static const roof_format *stated(const roof_model *model, const roof_plan *plan, const roof_format *format,
                                 roof_format *own) {
    if (format->unknown || format->bits > 0)
        return format;
    *own = roof_format_plain(format->dtype != ROOF_DTYPE_NONE ? format->dtype : model_stored(model, plan));
    return own;
}

const roof_format *model_embedding(const roof_model *model, const roof_plan *plan, roof_format *own) {
    return stated(model, plan, &model->embedding, own);
}

/* 2:4 keeps two of four elements, each with a 2-bit index: (bits + 2) / 2 a stored position. */
static void make_sparse(linear *out) {
    if (out->format != &out->own)
        out->own = *out->format;
    out->own.bits = (out->own.bits + 2) / 2;
    out->format = &out->own;
    out->sparse = true;
}

static void finish(const roof_plan *plan, bool chosen, linear *out) {
    roof_dtype activations = plan ? plan->activations : ROOF_DTYPE_NONE;
    out->sparse = false;
    out->math = chosen && plan->math != ROOF_DTYPE_NONE ? plan->math : out->format->math;
    if (out->math == ROOF_DTYPE_NONE)
        out->math = activations;
    out->input = roof_dtype_bits(out->math) < 16 ? out->math : activations;
    if (chosen && plan->sparse)
        make_sparse(out);
}

void model_linear(const roof_model *model, const roof_plan *plan, const roof_layer *layer, roof_role role,
                  linear *out) {
    bool chosen = plan && role != ROOF_ROLE_ROUTER;
    bool replaced = chosen && plan->weights.dtype != ROOF_DTYPE_NONE;
    out->format = stated(model, plan, replaced ? &plan->weights : &layer->format[role], &out->own);
    finish(plan, chosen, out);
}

void model_head(const roof_model *model, const roof_plan *plan, linear *out) {
    bool chosen = plan && plan->weights_head && !model->tied;
    bool replaced = chosen && plan->weights.dtype != ROOF_DTYPE_NONE;
    const roof_format *own = model->tied ? &model->embedding : &model->head;
    out->format = stated(model, plan, replaced ? &plan->weights : own, &out->own);
    finish(plan, chosen, out);
}

double model_tokens_a_step(const roof_plan *plan) {
    double chance = plan->acceptance;
    if (!(plan->draft > 0) || !(chance > 0))
        return 1;
    return chance < 1 ? (1 - pow(chance, plan->draft + 1)) / (1 - chance) : plan->draft + 1;
}
