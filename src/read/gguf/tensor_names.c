/* The tensor names of llama.cpp (gguf-py/gguf/constants.py, TENSOR_NAMES) and what each is to a model. */
#include "read/gguf/model.h"
#include "read/match.h"

#include <stdio.h>
#include <string.h>

enum { VECTOR = -1, NORM = -2, Q_NORM = -3, K_NORM = -4, COMPUTED = -5 };

typedef struct tensor_row {
    const char *names; /* globs of what follows "blk.N." */
    int role;          /* roof_role, or one of the above */
    unsigned fact;
} tensor_row;

static const tensor_row rows[] = {
    {"attn_q.weight attn_k.weight attn_v.weight attn_qkv.weight attn_gate.weight", ROOF_ROLE_QKV, 0},
    {"attn_q_a.weight attn_q_b.weight attn_kv_a_mqa.weight attn_kv_b.weight attn_k_b.weight attn_v_b.weight",
     ROOF_ROLE_QKV, 0},
    {"attn_output.weight", ROOF_ROLE_OUTPUT, 0},
    {"ffn_gate.weight ffn_up.weight", ROOF_ROLE_UP, 0},
    {"ffn_down.weight", ROOF_ROLE_DOWN, 0},
    {"ffn_gate_exps.weight ffn_up_exps.weight ffn_gate_up_exps.weight ffn_gate.*.weight ffn_up.*.weight",
     ROOF_ROLE_EXPERTS_UP, 0},
    {"ffn_down_exps.weight ffn_down.*.weight", ROOF_ROLE_EXPERTS_DOWN, 0},
    {"ffn_gate_shexp.weight ffn_up_shexp.weight", ROOF_ROLE_SHARED_UP, 0},
    {"ffn_down_shexp.weight", ROOF_ROLE_SHARED_DOWN, 0},
    {"ffn_gate_inp.weight", ROOF_ROLE_ROUTER, 0},
    {"ffn_gate_inp_shexp.weight", ROOF_ROLE_ROUTER, FACT_SHARED_GATE},
    {"ssm_in.weight ssm_x.weight ssm_dt.weight ssm_ba.weight ssm_alpha.weight ssm_beta.weight ssm_out.weight "
     "ssm_f_a.weight ssm_f_b.weight ssm_g_a.weight ssm_g_b.weight "
     "shortconv.in_proj.weight shortconv.out_proj.weight",
     ROOF_ROLE_STATE, 0},
    {"ffn_latent_down.weight", ROOF_ROLE_SHARED_UP, FACT_LATENT},
    {"ffn_latent_up.weight", ROOF_ROLE_SHARED_DOWN, FACT_LATENT},
    {"ssm_conv1d.bias", VECTOR, FACT_CONV_BIAS},
    {"ssm_norm.weight ssm_dt_norm.weight ssm_b_norm.weight ssm_c_norm.weight", VECTOR, FACT_STATE_NORM},
    {"ssm_a ssm_d ssm_dt.bias ssm_conv1d.weight ssm_conv1d_q.weight ssm_conv1d_k.weight ssm_conv1d_v.weight "
     "shortconv.conv.weight",
     VECTOR, 0},
    {"cross_attn_q.weight cross_attn_k.weight cross_attn_v.weight", ROOF_ROLE_QKV, 0},
    {"attn_o.weight cross_attn_o.weight", ROOF_ROLE_OUTPUT, 0},
    {"attn_rel_b.weight", VECTOR, FACT_POSITIONS},
    {"cross_attn_norm.weight", NORM, 0},
    {"attn_q.bias attn_k.bias attn_v.bias attn_qkv.bias", VECTOR, FACT_QKV_BIAS},
    {"attn_output.bias", VECTOR, FACT_OUT_BIAS},
    {"ffn_gate.bias ffn_up.bias ffn_down.bias ffn_gate_exps.bias ffn_up_exps.bias ffn_down_exps.bias", VECTOR,
     FACT_MLP_BIAS},
    {"exp_probs_b.bias exp_probs_b ffn_gate_inp.bias", VECTOR, FACT_ROUTER_BIAS},
    {"attn_sinks.weight attn_sinks", VECTOR, FACT_SINKS},
    {"attn_q_norm.weight", Q_NORM, 0},
    {"attn_k_norm.weight", K_NORM, 0},
    {"attn_q_a_norm.weight attn_kv_a_norm.weight *_norm.bias *_norm_2.bias", VECTOR, 0},
    {"attn_norm.weight attn_norm_2.weight ffn_norm.weight post_attention_norm.weight post_ffw_norm.weight "
     "layer_output_norm.weight attn_output_norm.weight attn_post_norm.weight ffn_post_norm.weight",
     NORM, 0},
    {"attn_rot_embd* rope_freqs* rope_factors_*", COMPUTED, 0},
};

/* What makes queries, keys and values in the layers of attention, and the state in the others. */
static const struct {
    const char *arch;
    bool every; /* whatever the layer is */
    tensor_row row;
} state_rows[] = {
    {"qwen3next qwen35*", true, {"attn_qkv.weight attn_gate.weight", ROOF_ROLE_STATE, 0}},
    {"kimi-linear", false, {"attn_q.weight attn_k.weight attn_v.weight attn_output.weight", ROOF_ROLE_STATE, 0}},
};

static const tensor_row *row_of(const gguf_file *f, const char *name, size_t layer) {
    for (size_t i = 0; i < sizeof state_rows / sizeof state_rows[0]; i++)
        if (match_list(state_rows[i].arch, f->arch) && match_list(state_rows[i].row.names, name) &&
            (state_rows[i].every || arch_of_layer(f, "attention.head_count_kv", layer, 1) <= 0))
            return &state_rows[i].row;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (match_list(rows[i].names, name))
            return &rows[i];
    return NULL;
}

static void add(pile *p, const gguf_tensor *t) {
    pile_add(p, (double)t->elements, (double)t->bytes, t->type->name, t->type->dtype);
}

static void remember_unknown(gguf_facts *facts, const gguf_tensor *t) {
    size_t at = strlen(facts->unknown_names);
    facts->unknown += (double)t->elements;
    if (at + strlen(t->name) + 3 < sizeof facts->unknown_names)
        snprintf(facts->unknown_names + at, sizeof facts->unknown_names - at, "%s%s", at ? ", " : "", t->name);
}

static void add_widths(gguf_layer *layer, const tensor_row *row, const gguf_tensor *t) {
    double inputs = (double)t->shape[0];
    int role = row->fact & FACT_LATENT ? -1 : row->role;
    switch (role) {
    case ROOF_ROLE_DOWN:
        layer->width = inputs;
        break;
    case ROOF_ROLE_SHARED_DOWN:
        layer->shared_width = inputs;
        break;
    case ROOF_ROLE_EXPERTS_DOWN: /* stacked, or a tensor an expert in files of before April 2024 */
        layer->expert_width = inputs;
        layer->experts += (double)t->shape[2];
        break;
    default:
        break;
    }
}

static void add_block(gguf_file *file, gguf_layer *layer, size_t index, const char *name, const gguf_tensor *t) {
    gguf_facts *facts = &file->facts;
    const tensor_row *row = row_of(file, name, index);
    if (!row) {
        remember_unknown(facts, t);
        return;
    }
    if (row->role == COMPUTED) {
        facts->skipped += (double)t->elements;
        return;
    }
    layer->facts |= row->fact;
    facts->conv_bias |= (row->fact & FACT_CONV_BIAS) != 0;
    facts->state_norm |= (row->fact & FACT_STATE_NORM) != 0;
    facts->position_tables += (row->fact & FACT_POSITIONS) != 0;
    if (row->role >= 0) {
        add(&layer->role[row->role], t);
        add_widths(layer, row, t);
    } else {
        add(&facts->vectors, t);
    }
    layer->norms += row->role == NORM;
    layer->q_norm += row->role == Q_NORM ? (double)t->elements : 0;
    layer->k_norm += row->role == K_NORM ? (double)t->elements : 0;
}

static void add_flag(gguf_facts *facts, bool *flag, const gguf_tensor *t) {
    *flag = true;
    add(&facts->vectors, t);
}

/* Tensors outside the layers. */
static void add_end(gguf_file *file, const gguf_tensor *t) {
    gguf_facts *facts = &file->facts;
    const char *name = t->name;
    if (strcmp(name, "token_embd.weight") == 0) {
        add(&facts->embedding, t);
        facts->width = (double)t->shape[0];
        facts->vocab = (double)t->shape[1];
    } else if (strcmp(name, "position_embd.weight") == 0) {
        add(&facts->embedding, t);
        facts->positions = (double)t->shape[1];
    } else if (strcmp(name, "token_types.weight") == 0) {
        add(&facts->embedding, t);
        facts->token_types = (double)t->shape[1];
    } else if (strcmp(name, "output.weight") == 0) {
        add(&facts->head, t);
    } else if (strcmp(name, "output.bias") == 0) {
        add_flag(facts, &facts->head_bias, t);
    } else if (match_list("output_norm.weight dec.output_norm.weight", name)) {
        add_flag(facts, &facts->norm_weight, t);
    } else if (strcmp(name, "output_norm.bias") == 0 || strcmp(name, "token_embd_norm.bias") == 0) {
        add_flag(facts, &facts->norm_bias, t);
    } else if (strcmp(name, "token_embd_norm.weight") == 0) {
        add_flag(facts, &facts->embedding_norm, t);
    } else if (match_list("rope_freqs* rope_factors_*", name)) {
        facts->skipped += (double)t->elements;
    } else {
        remember_unknown(facts, t);
    }
}

static bool is_counted_apart(gguf_facts *facts, const gguf_tensor *t, const char *name, size_t layer) {
    if (!name || layer < facts->layer_count)
        return false;
    facts->prediction += (double)t->elements;
    return true;
}

static void add_tensor(gguf_file *file, const gguf_tensor *t) {
    gguf_facts *facts = &file->facts;
    size_t layer;
    const char *name = layer_of(t->name, "enc.blk.", &layer);
    double before = facts->skipped;
    facts->tensors++;
    if (name) {
        add_block(file, &facts->encoder, layer, name, t);
    } else if (strcmp(t->name, "enc.output_norm.weight") == 0) {
        add(&facts->vectors, t);
    } else {
        name = layer_of(t->name, "blk.", &layer);
        if (!name)
            name = layer_of(t->name, "dec.blk.", &layer);
        if (is_counted_apart(facts, t, name, layer))
            return;
        if (name)
            add_block(file, &facts->layers[layer], layer, name, t);
        else
            add_end(file, t);
    }
    if (facts->skipped == before) {
        facts->weights += (double)t->elements;
        facts->bytes += (double)t->bytes;
    }
}

int gguf_facts_read(reader *r, gguf_file *file) {
    gguf_facts *facts = &file->facts;
    const gguf_chunk *chunk = file->header.chunks;
    size_t index = 0;
    facts->layer_count = (size_t)file->layers;
    facts->layers = keep(r, (facts->layer_count + 1) * sizeof *facts->layers);
    if (!facts->layers)
        return -1;
    for (const gguf_tensor *t; (t = gguf_next(&chunk, &index));)
        add_tensor(file, t);
    const pile *up = &facts->encoder.role[ROOF_ROLE_UP], *down = &facts->encoder.role[ROOF_ROLE_DOWN];
    facts->encoder_gated = up->weights > 1.5 * down->weights;
    return 0;
}
