/* Recurrent, hybrid and encoder architectures of GGUF: their metadata under the names that the config.json of the class
 * has. Keys: gguf-py/gguf/constants.py; what the converter writes under each: llama.cpp's conversion/ folder. */
#include <math.h>

#include "read/gguf/model.h"

static double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

static void number(emit *json, const char *key, double value) {
    if (value > 0)
        emit_number(json, key, value);
}

static void renamed(emit *json, const gguf_file *f, const char *key, const char *suffix) {
    number(json, key, arch_number(f, suffix));
}

/* The config states a factor whose product with the hidden width is rounded down. */
static void expansion(emit *json, const gguf_file *f, const char *key) {
    double hidden = arch_number(f, "embedding_length"), inner = arch_number(f, "ssm.inner_size");
    double factor = ratio(inner, hidden);
    number(json, key, floor(factor * hidden) < inner ? nextafter(factor, HUGE_VAL) : factor);
}

/* Without tensors nothing says whether there is a bias, and the class default holds. */
static void convolution_bias(emit *json, const gguf_file *f, const char *key) {
    if (f->facts.tensors > 0)
        emit_bool(json, key, f->facts.conv_bias);
}

void gguf_say_mamba(emit *json, const gguf_file *f) {
    expansion(json, f, "expand");
    renamed(json, f, "state_size", "ssm.state_size");
    renamed(json, f, "conv_kernel", "ssm.conv_kernel");
    renamed(json, f, "time_step_rank", "ssm.time_step_rank");
    convolution_bias(json, f, "use_conv_bias");
}

/* ssm.time_step_rank is the number of heads in everything after Mamba. */
void gguf_say_mamba2(emit *json, const gguf_file *f) {
    double heads = arch_number(f, "ssm.time_step_rank");
    expansion(json, f, "expand");
    number(json, "num_heads", heads);
    number(json, "head_dim", ratio(arch_number(f, "ssm.inner_size"), heads));
    renamed(json, f, "n_groups", "ssm.group_count");
    renamed(json, f, "state_size", "ssm.state_size");
    renamed(json, f, "conv_kernel", "ssm.conv_kernel");
    convolution_bias(json, f, "use_conv_bias");
}

static void mixed_mamba2(emit *json, const gguf_file *f) {
    double heads = arch_number(f, "ssm.time_step_rank");
    number(json, "mamba_n_heads", heads);
    number(json, "mamba_d_head", ratio(arch_number(f, "ssm.inner_size"), heads));
    renamed(json, f, "mamba_n_groups", "ssm.group_count");
    renamed(json, f, "mamba_d_state", "ssm.state_size");
    renamed(json, f, "mamba_d_conv", "ssm.conv_kernel");
    convolution_bias(json, f, "mamba_conv_bias");
}

void gguf_say_falcon_h1(emit *json, const gguf_file *f) {
    renamed(json, f, "mamba_d_ssm", "ssm.inner_size");
    mixed_mamba2(json, f);
    emit_bool(json, "mamba_rms_norm", f->facts.state_norm);
}

static bool attends(const gguf_file *f, size_t layer) {
    return arch_of_layer(f, "attention.head_count_kv", layer, 1) > 0;
}

static void kinds_of_layers(emit *json, const gguf_file *f, const char *attention, const char *state) {
    emit_array(json, "layer_types");
    for (size_t i = 0; (double)i < f->layers; i++)
        emit_string(json, NULL, attends(f, i) ? attention : state);
    emit_end(json);
}

void gguf_say_granite_hybrid(emit *json, const gguf_file *f) {
    const gguf_value *rope = arch_value(f, "rope.scaling.finetuned"); /* where the converter says it */
    kinds_of_layers(json, f, "attention", "mamba");
    expansion(json, f, "mamba_expand");
    mixed_mamba2(json, f);
    emit_string(json, "position_embedding_type", rope && rope->number != 0 ? "rope" : "nope");
    if (arch_number(f, "expert_count") > 0)
        return;
    emit_number(json, "num_local_experts", 0);
    emit_number(json, "num_experts_per_tok", 0);
    renamed(json, f, "shared_intermediate_size", "feed_forward_length");
}

/* Attention in every period-th layer; where the layers follow no period, the reader of the layers says so. */
void gguf_say_jamba(emit *json, const gguf_file *f) {
    size_t count = (size_t)f->layers, first = 0, second;
    while (first < count && !attends(f, first))
        first++;
    second = first + 1;
    while (second < count && !attends(f, second))
        second++;
    double period = second < count ? (double)(second - first) : f->layers;
    emit_number(json, "attn_layer_period", period);
    emit_number(json, "attn_layer_offset", fmod((double)first, period));
    expansion(json, f, "mamba_expand");
    renamed(json, f, "mamba_d_state", "ssm.state_size");
    renamed(json, f, "mamba_d_conv", "ssm.conv_kernel");
    renamed(json, f, "mamba_dt_rank", "ssm.time_step_rank");
    convolution_bias(json, f, "mamba_conv_bias");
    if (f->facts.tensors > 0)
        emit_bool(json, "mamba_inner_layernorms", f->facts.state_norm);
}

/* A layer is what its lists say: KV heads, a feed-forward width, or neither. */
void gguf_say_nemotron_h(emit *json, const gguf_file *f) {
    double heads = arch_number(f, "ssm.time_step_rank");
    char marks[4097];
    size_t n = 0;
    for (; (double)n < f->layers && n < sizeof marks - 1; n++)
        marks[n] = attends(f, n)                                          ? '*'
                   : !(arch_of_layer(f, "feed_forward_length", n, 0) > 0) ? 'M'
                   : arch_number(f, "expert_count") > 0                   ? 'E'
                                                                          : '-';
    marks[n] = '\0';
    emit_string(json, "hybrid_override_pattern", marks);
    number(json, "mamba_num_heads", heads);
    number(json, "mamba_head_dim", ratio(arch_number(f, "ssm.inner_size"), heads));
    renamed(json, f, "n_groups", "ssm.group_count");
    renamed(json, f, "ssm_state_size", "ssm.state_size");
    renamed(json, f, "conv_kernel", "ssm.conv_kernel");
    renamed(json, f, "moe_shared_expert_intermediate_size", "expert_shared_feed_forward_length");
    renamed(json, f, "moe_latent_size", "moe_latent_size");
    convolution_bias(json, f, "use_conv_bias");
}

/* Files of before the key was written have attention in every fourth layer, the class default. */
void gguf_say_gated_delta(emit *json, const gguf_file *f) {
    double heads = arch_number(f, "ssm.time_step_rank");
    number(json, "linear_num_value_heads", heads);
    number(json, "linear_value_head_dim", ratio(arch_number(f, "ssm.inner_size"), heads));
    renamed(json, f, "linear_num_key_heads", "ssm.group_count");
    renamed(json, f, "linear_key_head_dim", "ssm.state_size");
    renamed(json, f, "linear_conv_kernel_dim", "ssm.conv_kernel");
    renamed(json, f, "full_attention_interval", "full_attention_interval");
}

void gguf_say_kimi_linear(emit *json, const gguf_file *f) {
    emit_object(json, "linear_attn_config");
    renamed(json, f, "num_heads", "attention.head_count");
    renamed(json, f, "head_dim", "kda.head_dim");
    renamed(json, f, "short_conv_kernel_size", "ssm.conv_kernel");
    emit_array(json, "full_attn_layers");
    for (size_t i = 0; (double)i < f->layers; i++)
        if (attends(f, i))
            emit_number(json, NULL, (double)i + 1);
    emit_end(json);
    emit_end(json);
}

void gguf_say_ernie_moe(emit *json, const gguf_file *f) {
    renamed(json, f, "moe_layer_interval", "interleave_moe_layer_step");
    emit_number(json, "moe_layer_start_index", arch_number(f, "leading_dense_block_count"));
}

void gguf_say_hunyuan_moe(emit *json, const gguf_file *f) {
    renamed(json, f, "num_experts", "expert_count");
    renamed(json, f, "moe_topk", "expert_used_count");
    renamed(json, f, "num_shared_expert", "expert_shared_count");
}

void gguf_say_lfm2(emit *json, const gguf_file *f) {
    kinds_of_layers(json, f, "full_attention", "conv");
    renamed(json, f, "conv_L_cache", "shortconv.l_cache");
    emit_bool(json, "block_auto_adjust_ff_dim", false); /* the converter writes the adjusted width */
}

void gguf_say_lfm2_moe(emit *json, const gguf_file *f) {
    kinds_of_layers(json, f, "full_attention", "conv");
    renamed(json, f, "conv_L_cache", "shortconv.l_cache");
    renamed(json, f, "num_dense_layers", "leading_dense_block_count");
}

void gguf_say_bert(emit *json, const gguf_file *f) {
    const gguf_value *kinds = gguf_find(&f->header, "tokenizer.ggml.token_type_count");
    if (f->facts.tensors > 0)
        emit_number(json, "type_vocab_size", f->facts.token_types);
    else if (kinds)
        number(json, "type_vocab_size", kinds->number);
}

/* block_count is that of the encoder. */
void gguf_say_t5(emit *json, const gguf_file *f) {
    renamed(json, f, "num_layers", "block_count");
    emit_number(json, "num_decoder_layers", f->layers);
    renamed(json, f, "d_kv", "attention.key_length");
    renamed(json, f, "relative_attention_num_buckets", "attention.relative_buckets_count");
    emit_string(json, "feed_forward_proj", f->facts.encoder_gated ? "gated" : "plain");
}
