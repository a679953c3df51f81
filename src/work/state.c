/* Every kind of state layer as matrices, learned vectors, a convolution and a recurrence. Each function states one kind
 * after the modelling code it was published with; docs/model.md, "State layers", names them. */
#include "work/state.h"
#include "work/model.h"
#include "work/ops.h"

enum { FLOPS_SOFTPLUS = 4, FLOPS_ACTIVATION = 4 };

typedef struct sizes {
    double hidden, heads, key_heads, keys, width; /* keys: all key heads; width: all values */
    const roof_state_block *block;
} sizes;

static void matrix(state_design *out, const char *name, double outputs, double inputs, bool bias) {
    out->matrices[out->count++] = (state_matrix){name, outputs, inputs, bias};
}

static void first(state_design *out, const sizes *z, double outputs) {
    matrix(out, "state_in", outputs, z->hidden, z->block->bias);
}

static void convolution(state_design *out, const sizes *z, double channels) {
    out->before_conv = out->count;
    out->taps = z->block->conv;
    if (!(out->taps > 0))
        return;
    out->channels = channels;
    out->vectors += channels * (out->taps + z->block->conv_bias);
    out->shifted += channels * (out->taps - 1);
}

/* A recurrence of matrix states, whose decays and delta rule are those of `decay` and `delta`. */
static void recurrence(state_design *out, const sizes *z, double decay, double delta) {
    out->heads = z->heads;
    out->key_heads = z->key_heads;
    out->key_width = z->block->key_width;
    out->value_width = z->block->value_width;
    out->decay = decay;
    out->delta = delta;
    out->recurrent = z->width * out->key_width;
}

static void mamba(state_design *out, const sizes *z) {
    double rank = z->block->ranks[0], state = z->block->key_width;
    first(out, z, 2 * z->width);
    convolution(out, z, z->width);
    out->conv_apart = true;
    matrix(out, "state_x", rank + 2 * state, z->width, false);
    matrix(out, "state_dt", z->width, rank, true);
    recurrence(out, z, 3, 0);
    out->key_heads = 1;                     /* B and C are one row a token for all channels */
    out->vectors += z->width * (state + 1); /* A, D */
    out->gate = z->width;
    out->riding += z->width * (FLOPS_SOFTPLUS + 2); /* dt; D x added */
}

static void mamba2(state_design *out, const sizes *z) {
    double mixed = z->width + 2 * z->keys;
    first(out, z, z->width + mixed + z->heads);
    convolution(out, z, mixed);
    recurrence(out, z, 1, 0);
    out->vectors += 3 * z->heads; /* A, D, bias of dt */
    out->gate = z->width;
    out->riding += z->heads * FLOPS_SOFTPLUS + 2 * z->width;
}

static void delta_net(state_design *out, const sizes *z) {
    double mixed = 2 * z->keys + z->width;
    out->gate = z->block->output_gate ? z->width : 0;
    first(out, z, mixed + out->gate + z->heads);
    convolution(out, z, mixed);
    recurrence(out, z, 0, 1);
}

static void gated_delta(state_design *out, const sizes *z) {
    double mixed = 2 * z->keys + z->width;
    first(out, z, mixed + z->width + 2 * z->heads);
    convolution(out, z, mixed);
    recurrence(out, z, 1, 1);
    out->vectors += 2 * z->heads; /* A, bias of dt */
    out->gate = z->width;
    out->riding += z->heads * FLOPS_SOFTPLUS;
}

static void kimi_delta(state_design *out, const sizes *z) {
    double mixed = 2 * z->keys + z->width, decays = z->heads * z->block->key_width;
    double decay_rank = z->block->ranks[0], gate_rank = z->block->ranks[1];
    matrix(out, "state_in", mixed + z->heads + decay_rank + gate_rank, z->hidden, false);
    convolution(out, z, mixed);
    matrix(out, "state_decay", decays, decay_rank, false);
    matrix(out, "state_gate", z->width, gate_rank, z->block->bias);
    recurrence(out, z, 2, 1);
    out->vectors += decays + z->heads; /* bias of dt, A */
    out->gate = z->width;
    out->riding += decays * FLOPS_SOFTPLUS;
}

static void lightning(state_design *out, const sizes *z) {
    out->gate = z->width;
    first(out, z, 2 * z->keys + 2 * z->width);
    recurrence(out, z, 1, 0);
}

static void gated_linear(state_design *out, const sizes *z) {
    double mixed = 2 * z->keys + z->width, rank = z->block->ranks[0];
    out->gate = z->width;
    first(out, z, mixed + out->gate + rank);
    convolution(out, z, mixed);
    matrix(out, "state_decay", z->keys, rank, true);
    recurrence(out, z, 2, 0);
    out->riding += z->keys * FLOPS_SOFTPLUS;
}

static void hgrn2(state_design *out, const sizes *z) {
    first(out, z, 2 * z->keys + z->width);
    convolution(out, z, 2 * z->keys + z->width);
    recurrence(out, z, 2, 0);
    out->riding += z->keys * (FLOPS_SOFTPLUS + 1);
}

/* What RWKV 6 and 7 share: `outputs` beside receptance and keys, a group norm with bias, the token before kept. */
static void rwkv(state_design *out, const sizes *z, double outputs, double delta) {
    first(out, z, 2 * z->keys + outputs);
    recurrence(out, z, 2, delta);
    out->before_conv = out->count;
    out->mixes = 6;
    out->vectors += out->mixes * z->hidden + 2 * z->width;
    out->shifted = z->hidden;
}

static void rwkv6(state_design *out, const sizes *z) {
    double mix = z->block->ranks[0], decay = z->block->ranks[1];
    matrix(out, "state_mix", 5 * mix, z->hidden, false);
    matrix(out, "state_mix", 5 * z->hidden, mix, false);
    matrix(out, "state_decay", decay, z->hidden, false);
    matrix(out, "state_decay", z->keys, decay, false);
    rwkv(out, z, 2 * z->width, 0);
    out->vectors += 2 * z->keys; /* decay, bonus of the present token */
    out->gate = z->width;
    out->riding += z->keys * (FLOPS_SOFTPLUS + 2);
}

static void rwkv7(state_design *out, const sizes *z) {
    const double *rank = z->block->ranks;
    static const char *const names[] = {"state_decay", "state_a", "state_v", "state_gate"};
    double lows = 0, wide[] = {z->keys, z->keys, z->width, z->width};
    for (int i = 0; i < 4; i++)
        lows += rank[i];
    matrix(out, "state_ranks", lows, z->hidden, false);
    for (int i = 0; i < 4; i++)
        if (rank[i] > 0)
            matrix(out, names[i], wide[i], rank[i], false);
    rwkv(out, z, z->width, 2);
    out->vectors += 5 * z->keys + (rank[2] > 0 ? z->width : 0); /* biases of decay, a and v; k_k, k_a, r_k */
    out->gate = rank[3] > 0 ? z->width : 0;
    out->riding += z->keys * (3 * FLOPS_SOFTPLUS + 8);
}

static void rglru(state_design *out, const sizes *z) {
    double block = z->block->value_width;
    first(out, z, 2 * z->width);
    convolution(out, z, z->width);
    out->conv_apart = true;
    matrix(out, "state_gates", 2 * z->width, block, true); /* one block a head: inputs of its own channels */
    recurrence(out, z, 3, 0);
    out->heads = z->width;
    out->key_width = out->value_width = out->key_heads = 1;
    out->recurrent = z->width;
    out->vectors += z->width;
    out->gate = z->width;
    out->riding += z->width * 2 * FLOPS_SOFTPLUS;
}

static void short_conv(state_design *out, const sizes *z) {
    first(out, z, 3 * z->width);
    convolution(out, z, z->width);
    out->riding += 2 * z->width; /* one gate before, one behind */
}

static void (*const designs[ROOF_STATE_KIND_COUNT])(state_design *, const sizes *) = {
    [ROOF_STATE_MAMBA] = mamba,
    [ROOF_STATE_MAMBA2] = mamba2,
    [ROOF_STATE_DELTA] = delta_net,
    [ROOF_STATE_GATED_DELTA] = gated_delta,
    [ROOF_STATE_KIMI_DELTA] = kimi_delta,
    [ROOF_STATE_LIGHTNING] = lightning,
    [ROOF_STATE_GATED_LINEAR] = gated_linear,
    [ROOF_STATE_HGRN2] = hgrn2,
    [ROOF_STATE_RWKV6] = rwkv6,
    [ROOF_STATE_RWKV7] = rwkv7,
    [ROOF_STATE_RGLRU] = rglru,
    [ROOF_STATE_SHORT_CONV] = short_conv,
};

double conv_flops(const state_design *d) {
    bool silent = !(d->heads > 0); /* a convolution alone has no activation behind it */
    return d->channels * (2 * d->taps + (silent ? 0 : FLOPS_ACTIVATION));
}

void state_describe(const roof_state_block *block, double hidden, double tensor, state_design *out) {
    *out = (state_design){0};
    if (block->kind <= ROOF_STATE_NONE || block->kind >= ROOF_STATE_KIND_COUNT)
        return;
    double key_heads = block->key_heads > 0 ? block->key_heads : block->heads;
    sizes z = {
        .hidden = hidden, .heads = share(block->heads, tensor), .key_heads = share(key_heads, tensor), .block = block};
    z.keys = z.key_heads * block->key_width;
    z.width = z.heads * (block->value_width > 0 ? block->value_width : 1);
    designs[block->kind](out, &z);
    matrix(out, "state_out", hidden, z.width, block->bias && block->kind != ROOF_STATE_KIMI_DELTA);
    out->width = z.width;
    out->vectors += block->norm;
    double normed = block->kind == ROOF_STATE_MAMBA ? block->norm : block->norm > 0 ? z.width : 0;
    out->riding += FLOPS_GATED_ACTIVATION * out->gate + FLOPS_RMS_NORM * normed;
    out->riding += 3 * out->mixes * hidden;
    if (!out->conv_apart)
        out->riding += conv_flops(out);
}
