/* Models of every architecture as plain structs, from their public configs, each with its exact parameter total.
 *
 * Totals: the same configuration instantiated on PyTorch's meta device by transformers 5.24 (flash-linear-attention 0.6
 * for the five rows marked fla), parameters added up; where a router's score correction is a buffer there it is added,
 * as checkpoints store it. Many equal the totals of published checkpoints: named where they do. */
#ifndef ROOFLINE_TESTS_WORK_ARCHITECTURES_H
#define ROOFLINE_TESTS_WORK_ARCHITECTURES_H

#include "roofline.h"

/* A model with room for all it points at: build with make_*(), use &a->model; never copy one. */
typedef struct architecture {
    roof_model model, encoder, vision;
    roof_layer layers[8], encoder_layers[2], vision_layers[2];
    roof_projection front[3], back[3];
} architecture;

typedef struct architecture_row {
    const char *name;
    void (*make)(architecture *);
    double total;  /* exact */
    double active; /* 0: as total */
} architecture_row;

static inline void store_as(roof_layer *layers, size_t count, roof_dtype dtype) {
    for (size_t i = 0; i < count; i++)
        for (int role = 0; role < ROOF_ROLE_COUNT; role++)
            layers[i].format[role] = roof_format_plain(dtype);
}

/* Layers and formats in place; `count` kinds of layers. */
static inline void finish_model(architecture *a, size_t count) {
    a->model.layers = a->layers;
    a->model.layer_count = count;
    a->model.stored = ROOF_BF16;
    a->model.embedding = a->model.head = roof_format_plain(ROOF_BF16);
    store_as(a->layers, count, ROOF_BF16);
}

static inline void finish_encoder(architecture *a, size_t count) {
    a->encoder.layers = a->encoder_layers;
    a->encoder.layer_count = count;
    a->encoder.bidirectional = a->encoder.headless = true;
    a->encoder.stored = ROOF_BF16;
    a->encoder.embedding = roof_format_plain(ROOF_BF16);
    store_as(a->encoder_layers, count, ROOF_BF16);
    a->model.encoder = &a->encoder;
}

static inline roof_attention_block gqa(double heads, double kv_heads, double width) {
    return (roof_attention_block){
        .kind = ROOF_ATTENTION_FULL, .heads = heads, .kv_heads = kv_heads, .head_width = width};
}

static inline roof_mlp_block gated_mlp(double width) {
    return (roof_mlp_block){.kind = ROOF_MLP_DENSE, .gated = true, .width = width};
}

static inline roof_mlp_block experts_mlp(double experts, double top_k, double width, double shared) {
    return (roof_mlp_block){.kind = ROOF_MLP_MOE,
                            .gated = true,
                            .experts = experts,
                            .top_k = top_k,
                            .width = width,
                            .shared_width = shared};
}

/* ---------------------------------------------------------- state-space models -- */

static inline void mamba_of(architecture *a, double hidden, double layers) { /* state-spaces/mamba-*-hf */
    *a = (architecture){.model = {.hidden = hidden, .vocab = 50280, .tied = true, .extra_norms = 1}};
    a->layers[0] = (roof_layer){.count = layers,
                                .norms = 1,
                                .state = {.kind = ROOF_STATE_MAMBA,
                                          .heads = 2 * hidden,
                                          .key_width = 16,
                                          .value_width = 1,
                                          .conv = 4,
                                          .conv_bias = true,
                                          .ranks = {hidden / 16}}};
    finish_model(a, 1);
}
static inline void make_mamba_130m(architecture *a) {
    mamba_of(a, 768, 24);
}
static inline void make_mamba_1b4(architecture *a) {
    mamba_of(a, 2048, 48);
}
static inline void make_mamba_2b8(architecture *a) {
    mamba_of(a, 2560, 64);
}

static inline roof_state_block mamba2_block(double heads, double width, double groups, double state, bool normed) {
    return (roof_state_block){.kind = ROOF_STATE_MAMBA2,
                              .heads = heads,
                              .value_width = width,
                              .key_heads = groups,
                              .key_width = state,
                              .conv = 4,
                              .conv_bias = true,
                              .norm = normed ? heads * width : 0};
}

static inline void make_mamba2(architecture *a) { /* state-spaces/mamba2-2.7b */
    *a = (architecture){.model = {.hidden = 2560, .vocab = 50288, .tied = true, .extra_norms = 1}};
    a->layers[0] = (roof_layer){.count = 64, .norms = 1, .state = mamba2_block(80, 64, 1, 128, true)};
    finish_model(a, 1);
}

/* ------------------------------------------------------------ linear attention -- */

static inline void make_gla(architecture *a) { /* fla: GLA-7B */
    *a = (architecture){.model = {.hidden = 4096, .vocab = 32000, .extra_norms = 1}};
    a->layers[0] = (roof_layer){.count = 32,
                                .norms = 2,
                                .mlp = gated_mlp(11008),
                                .state = {.kind = ROOF_STATE_GATED_LINEAR,
                                          .heads = 16,
                                          .key_width = 128,
                                          .value_width = 256,
                                          .norm = 256,
                                          .ranks = {16}}};
    finish_model(a, 1);
}

static inline void make_hgrn2(architecture *a) { /* fla: HGRN2-340M; one row of lower bounds a layer */
    *a = (architecture){.model = {.hidden = 1024, .vocab = 32000, .extra_norms = 1}};
    a->layers[0] = (roof_layer){
        .count = 24,
        .norms = 2,
        .vectors = 1024,
        .mlp = gated_mlp(2816),
        .state = {.kind = ROOF_STATE_HGRN2, .heads = 8, .key_width = 128, .value_width = 128, .norm = 1024}};
    finish_model(a, 1);
}

static inline void make_delta_net(architecture *a) { /* fla: DeltaNet-1.3B */
    *a = (architecture){.model = {.hidden = 2048, .vocab = 32000, .extra_norms = 1}};
    a->layers[0] = (roof_layer){
        .count = 24,
        .norms = 2,
        .mlp = gated_mlp(5632),
        .state = {.kind = ROOF_STATE_DELTA, .heads = 16, .key_width = 128, .value_width = 128, .conv = 4, .norm = 128}};
    finish_model(a, 1);
}

static inline void make_rwkv6(architecture *a) { /* fla's RWKV6 defaults: keys half as wide as values */
    *a = (architecture){
        .model = {.hidden = 2048, .vocab = 32000, .extra_norms = 2, .norm = ROOF_NORM_LAYER}}; /* norm of the table */
    a->layers[0] = (roof_layer){
        .count = 24,
        .norms = 2,
        .mlp = {.kind = ROOF_MLP_CHANNEL_MIX, .gated = true, .width = 7168},
        .state = {.kind = ROOF_STATE_RWKV6, .heads = 4, .key_width = 256, .value_width = 512, .ranks = {32, 64}}};
    finish_model(a, 1);
}

static inline void make_rwkv7(architecture *a) { /* fla's RWKV7 defaults: 1.4B; the first layer mixes no values */
    *a = (architecture){.model = {.hidden = 2048, .vocab = 32000, .extra_norms = 2, .norm = ROOF_NORM_LAYER}};
    for (int i = 0; i < 2; i++)
        a->layers[i] = (roof_layer){.count = i == 0 ? 1 : 23,
                                    .norms = 2,
                                    .mlp = {.kind = ROOF_MLP_CHANNEL_MIX, .width = 8192},
                                    .state = {.kind = ROOF_STATE_RWKV7,
                                              .heads = 32,
                                              .key_width = 64,
                                              .value_width = 64,
                                              .ranks = {64, 64, i == 0 ? 0 : 16, 128}}};
    finish_model(a, 2);
}

/* --------------------------------------------------------------------- hybrids -- */

/* ai21labs/Jamba-v0.1: of 8 layers one attends, every other one has experts. */
static inline void make_jamba(architecture *a) {
    *a = (architecture){.model = {.hidden = 4096, .vocab = 65536, .extra_norms = 1}};
    roof_state_block mamba = {.kind = ROOF_STATE_MAMBA,
                              .heads = 8192,
                              .key_width = 16,
                              .value_width = 1,
                              .conv = 4,
                              .conv_bias = true,
                              .norm = 256 + 2 * 16,
                              .ranks = {256}};
    a->layers[0] = (roof_layer){.count = 12, .norms = 2, .state = mamba, .mlp = gated_mlp(14336)};
    a->layers[1] = (roof_layer){.count = 16, .norms = 2, .state = mamba, .mlp = experts_mlp(16, 2, 14336, 0)};
    a->layers[2] = (roof_layer){.count = 4, .norms = 2, .attention = gqa(32, 8, 128), .mlp = gated_mlp(14336)};
    a->layers[2].attention.no_rope = true;
    finish_model(a, 3);
}

/* Nemotron-H: mixers and MLPs are layers of their own; the MLP squares a ReLU between two matrices. */
static inline void nemotron_h_of(architecture *a, double hidden, double width, const double counts[3],
                                 roof_attention_block attention, roof_state_block state) {
    *a = (architecture){.model = {.hidden = hidden, .vocab = 131072, .extra_norms = 1}};
    a->layers[0] = (roof_layer){.count = counts[0], .norms = 1, .state = state};
    a->layers[1] = (roof_layer){.count = counts[1], .norms = 1, .attention = attention};
    a->layers[2] = (roof_layer){.count = counts[2], .norms = 1, .mlp = {.kind = ROOF_MLP_DENSE, .width = width}};
    a->layers[1].attention.no_rope = true;
    finish_model(a, 3);
}
static inline void make_nemotron_h_8b(architecture *a) { /* nvidia/Nemotron-H-8B-Base-8K */
    nemotron_h_of(a, 4096, 21504, (const double[]){24, 4, 24}, gqa(32, 8, 128), mamba2_block(128, 64, 8, 128, true));
}
static inline void make_nemotron_h_56b(architecture *a) { /* nvidia/Nemotron-H-56B-Base-8K */
    nemotron_h_of(a, 8192, 32768, (const double[]){54, 10, 54}, gqa(64, 8, 128), mamba2_block(256, 64, 8, 256, true));
}
static inline void
make_nemotron_3_nano(architecture *a) { /* nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16: 31.6B, 3.6B active */
    nemotron_h_of(a, 2688, 0, (const double[]){23, 6, 23}, gqa(32, 2, 128), mamba2_block(64, 64, 8, 128, true));
    a->layers[2].mlp = experts_mlp(128, 6, 1856, 3712);
    a->layers[2].mlp.gated = false;
    a->layers[2].mlp.router_bias = true;
}

/* Four layers ("ME*E") of the shapes of Nemotron 3 Super, whose experts work in a latent of 1024. */
static inline void make_nemotron_3_super(architecture *a) {
    nemotron_h_of(a, 4096, 0, (const double[]){1, 1, 2}, gqa(32, 2, 128), mamba2_block(128, 64, 8, 128, true));
    a->layers[2].mlp = experts_mlp(512, 22, 2688, 5376);
    a->layers[2].mlp.gated = false;
    a->layers[2].mlp.router_bias = true;
    a->layers[2].mlp.latent_width = 1024;
}

static inline void make_falcon_h1(architecture *a) { /* tiiuae/Falcon-H1-7B: both mixers in every layer */
    *a = (architecture){.model = {.hidden = 3072, .vocab = 130049, .extra_norms = 1}};
    a->layers[0] = (roof_layer){.count = 44,
                                .norms = 2,
                                .attention = gqa(12, 2, 128),
                                .state = mamba2_block(24, 128, 1, 256, false),
                                .mlp = gated_mlp(12288)};
    finish_model(a, 1);
}

static inline void make_granite_4_tiny(architecture *a) { /* ibm-granite/granite-4.0-h-tiny */
    *a = (architecture){.model = {.hidden = 1536, .vocab = 100352, .tied = true, .extra_norms = 1}};
    roof_mlp_block mlp = experts_mlp(64, 6, 512, 1024);
    a->layers[0] = (roof_layer){.count = 36, .norms = 2, .state = mamba2_block(48, 64, 1, 128, true), .mlp = mlp};
    a->layers[1] = (roof_layer){.count = 4, .norms = 2, .attention = gqa(12, 4, 128), .mlp = mlp};
    a->layers[1].attention.no_rope = true;
    finish_model(a, 2);
}

static inline roof_attention_block gated_attention(double heads, double kv_heads) { /* Qwen3-Next and 3.5 */
    roof_attention_block block = gqa(heads, kv_heads, 256);
    block.output_gate = true;
    block.q_norm = block.k_norm = 256;
    return block;
}

static inline roof_state_block gated_delta(double key_heads, double heads) {
    return (roof_state_block){.kind = ROOF_STATE_GATED_DELTA,
                              .heads = heads,
                              .key_heads = key_heads,
                              .key_width = 128,
                              .value_width = 128,
                              .conv = 4,
                              .norm = 128};
}

/* Of 4 layers one attends. */
static inline void qwen_next_of(architecture *a, double hidden, double vocab, double layers, roof_mlp_block mlp,
                                roof_attention_block attention, roof_state_block state) {
    *a = (architecture){.model = {.hidden = hidden, .vocab = vocab, .extra_norms = 1}};
    a->layers[0] = (roof_layer){.count = layers * 3 / 4, .norms = 2, .state = state, .mlp = mlp};
    a->layers[1] = (roof_layer){.count = layers / 4, .norms = 2, .attention = attention, .mlp = mlp};
    finish_model(a, 2);
}
static inline void
make_qwen3_next(architecture *a) { /* Qwen/Qwen3-Next-80B-A3B-Instruct without its prediction block */
    roof_mlp_block mlp = experts_mlp(512, 10, 512, 512);
    mlp.shared_gate = true;
    qwen_next_of(a, 2048, 151936, 48, mlp, gated_attention(16, 2), gated_delta(16, 32));
}
static inline void make_qwen3_5_27b(architecture *a) { /* Qwen/Qwen3.5-27B, its language model */
    qwen_next_of(a, 5120, 248320, 64, gated_mlp(17408), gated_attention(24, 4), gated_delta(16, 48));
}
static inline void make_qwen3_5_35b(architecture *a) { /* Qwen/Qwen3.5-35B-A3B, its language model */
    roof_mlp_block mlp = experts_mlp(256, 8, 512, 512);
    mlp.shared_gate = true;
    qwen_next_of(a, 2048, 248320, 40, mlp, gated_attention(16, 2), gated_delta(16, 32));
}

static inline void make_kimi_linear(architecture *a) { /* moonshotai/Kimi-Linear-48B-A3B-Instruct */
    *a = (architecture){.model = {.hidden = 2304, .vocab = 163840, .extra_norms = 1}};
    roof_state_block delta = {.kind = ROOF_STATE_KIMI_DELTA,
                              .heads = 32,
                              .key_width = 128,
                              .value_width = 128,
                              .conv = 4,
                              .norm = 128,
                              .ranks = {128, 128}};
    roof_mlp_block mlp = experts_mlp(256, 8, 1024, 1024);
    mlp.router_bias = true;
    a->layers[0] = (roof_layer){.count = 1, .norms = 2, .state = delta, .mlp = gated_mlp(9216)};
    a->layers[1] = (roof_layer){.count = 19, .norms = 2, .state = delta, .mlp = mlp};
    a->layers[2] = (roof_layer){.count = 7,
                                .norms = 2,
                                .mlp = mlp,
                                .attention = {.kind = ROOF_ATTENTION_LATENT,
                                              .heads = 32,
                                              .kv_heads = 32,
                                              .value_width = 128,
                                              .kv_rank = 512,
                                              .nope_width = 128,
                                              .rope_width = 64,
                                              .no_rope = true}};
    finish_model(a, 3);
}

static inline void make_minimax_m1(architecture *a) { /* MiniMaxAI/MiniMax-M1-80k: of 8 layers one attends */
    *a = (architecture){.model = {.hidden = 6144, .vocab = 200064, .extra_norms = 1}};
    roof_mlp_block mlp = experts_mlp(32, 2, 9216, 0);
    a->layers[0] = (roof_layer){.count = 70,
                                .norms = 2,
                                .mlp = mlp,
                                .state = {.kind = ROOF_STATE_LIGHTNING,
                                          .heads = 64,
                                          .key_width = 128,
                                          .value_width = 128,
                                          .norm = 8192,
                                          .chunk = 256}};
    a->layers[1] = (roof_layer){.count = 10, .norms = 2, .attention = gqa(64, 8, 128), .mlp = mlp};
    finish_model(a, 2);
}

static inline void make_lfm2(architecture *a) { /* LiquidAI/LFM2-1.2B */
    *a = (architecture){.model = {.hidden = 2048, .vocab = 65536, .tied = true, .extra_norms = 1}};
    a->layers[0] = (roof_layer){.count = 10,
                                .norms = 2,
                                .mlp = gated_mlp(8192),
                                .state = {.kind = ROOF_STATE_SHORT_CONV, .heads = 2048, .value_width = 1, .conv = 3}};
    a->layers[1] = (roof_layer){.count = 6, .norms = 2, .attention = gqa(32, 8, 64), .mlp = gated_mlp(8192)};
    a->layers[1].attention.q_norm = a->layers[1].attention.k_norm = 64;
    finish_model(a, 2);
}

/* The layers of google/recurrentgemma-2b in the proportions of transformers' default: 26 layers, every third attends.
 */
static inline void make_recurrent_gemma(architecture *a) {
    *a = (architecture){.model = {.hidden = 2560, .vocab = 256000, .tied = true, .extra_norms = 1}};
    roof_mlp_block mlp = {.kind = ROOF_MLP_DENSE, .gated = true, .bias = true, .width = 3840};
    a->layers[0] = (roof_layer){
        .count = 18,
        .norms = 2,
        .mlp = mlp,
        .state = {
            .kind = ROOF_STATE_RGLRU, .heads = 10, .value_width = 256, .conv = 4, .bias = true, .conv_bias = true}};
    a->layers[1] = (roof_layer){.count = 8, .norms = 2, .mlp = mlp, .attention = gqa(10, 10, 256)};
    a->layers[1].attention.kind = ROOF_ATTENTION_SLIDING;
    a->layers[1].attention.window = 2048;
    a->layers[1].attention.output_bias = true;
    finish_model(a, 2);
}

/* -------------------------------------------------------------- sparse attention -- */

static inline void sparse_latent_of(architecture *a, double hidden, double vocab, double layers, double dense,
                                    roof_attention_block attention, roof_mlp_block mlp) {
    *a = (architecture){.model = {.hidden = hidden, .vocab = vocab, .extra_norms = 1}};
    mlp.router_bias = true;
    a->layers[0] = (roof_layer){.count = 3, .norms = 2, .attention = attention, .mlp = gated_mlp(dense)};
    a->layers[1] = (roof_layer){.count = layers - 3, .norms = 2, .attention = attention, .mlp = mlp};
    finish_model(a, 2);
}
static inline void
make_deepseek_v3_2(architecture *a) { /* deepseek-ai/DeepSeek-V3.2-Exp without its prediction block */
    roof_attention_block attention = {.kind = ROOF_ATTENTION_LATENT,
                                      .heads = 128,
                                      .kv_heads = 128,
                                      .value_width = 128,
                                      .q_rank = 1536,
                                      .kv_rank = 512,
                                      .nope_width = 128,
                                      .rope_width = 64,
                                      .index_heads = 64,
                                      .index_width = 128,
                                      .index_topk = 2048};
    sparse_latent_of(a, 7168, 129280, 61, 18432, attention, experts_mlp(256, 8, 2048, 2048));
}
static inline void make_glm_5(architecture *a) { /* zai-org/GLM-5: 744B, 40B active */
    roof_attention_block attention = {.kind = ROOF_ATTENTION_LATENT,
                                      .heads = 64,
                                      .kv_heads = 64,
                                      .value_width = 256,
                                      .q_rank = 2048,
                                      .kv_rank = 512,
                                      .nope_width = 192,
                                      .rope_width = 64,
                                      .index_heads = 32,
                                      .index_width = 128,
                                      .index_topk = 2048};
    sparse_latent_of(a, 6144, 154880, 78, 12288, attention, experts_mlp(256, 8, 2048, 2048));
}

/* transformers' DeepseekV4Config as it stands (V4-Flash): 43 layers, of which 22 see summaries of 128 tokens and 21
 * choose among summaries of 4; three layers route by token and have no score correction. */
static inline void make_deepseek_v4(architecture *a) {
    *a = (architecture){.model = {.hidden = 4096, .vocab = 129280, .extra_norms = 1, .streams = 4}};
    roof_attention_block attention = {.kind = ROOF_ATTENTION_COMPRESSED,
                                      .heads = 64,
                                      .kv_heads = 1,
                                      .head_width = 512,
                                      .rope_width = 64,
                                      .q_rank = 1024,
                                      .window = 128,
                                      .compress = 128,
                                      .out_rank = 1024,
                                      .out_groups = 8};
    roof_mlp_block mlp = experts_mlp(256, 6, 2048, 2048), hashed = mlp;
    mlp.router_bias = true;
    a->layers[0] = (roof_layer){.count = 3, .norms = 2, .attention = attention, .mlp = hashed};
    a->layers[1] = (roof_layer){.count = 20, .norms = 2, .attention = attention, .mlp = mlp};
    attention.compress = 4;
    attention.index_heads = 64;
    attention.index_width = 128;
    attention.index_topk = 512;
    a->layers[2] = (roof_layer){.count = 20, .norms = 2, .attention = attention, .mlp = mlp};
    finish_model(a, 3);
}

/* --------------------------------------------------------------------- encoders -- */

static inline void bert_of(architecture *a, double hidden, double layers, double heads, double width) {
    *a = (architecture){.model = {.hidden = hidden,
                                  .vocab = 30522,
                                  .positions = 512,
                                  .token_types = 2,
                                  .norm = ROOF_NORM_LAYER,
                                  .extra_norms = 1,
                                  .bidirectional = true,
                                  .headless = true}};
    a->layers[0] = (roof_layer){.count = layers,
                                .norms = 2,
                                .attention = gqa(heads, heads, hidden / heads),
                                .mlp = {.kind = ROOF_MLP_DENSE, .bias = true, .width = width}};
    a->layers[0].attention.qkv_bias = a->layers[0].attention.output_bias = true;
    a->back[0] = (roof_projection){.name = "pooler", .outputs = hidden, .inputs = hidden, .bias = true};
    a->model.back = a->back;
    a->model.back_count = 1;
    finish_model(a, 1);
}
static inline void make_bert_large(architecture *a) { /* google-bert/bert-large-uncased, without its heads */
    bert_of(a, 1024, 24, 16, 4096);
}
static inline void make_gte_small(architecture *a) { /* thenlper/gte-small */
    bert_of(a, 384, 12, 12, 1536);
}

static inline void make_t5_small(architecture *a) { /* google-t5/t5-small */
    *a = (architecture){.model = {.hidden = 512, .vocab = 32128, .tied = true, .extra_norms = 1, .vectors = 32 * 8},
                        .encoder = {.hidden = 512, .extra_norms = 1, .vectors = 32 * 8}};
    roof_attention_block attention = gqa(8, 8, 64);
    attention.no_rope = true;
    roof_mlp_block mlp = {.kind = ROOF_MLP_DENSE, .width = 2048};
    a->encoder_layers[0] = (roof_layer){.count = 6, .norms = 2, .attention = attention, .mlp = mlp};
    a->layers[0] = (roof_layer){.count = 6, .norms = 3, .attention = attention, .cross = attention, .mlp = mlp};
    finish_model(a, 1);
    finish_encoder(a, 1);
}

static inline void whisper_of(architecture *a, double hidden, double layers, double heads) {
    *a = (architecture){.model = {.hidden = hidden,
                                  .vocab = 51865,
                                  .tied = true,
                                  .positions = 448,
                                  .norm = ROOF_NORM_LAYER,
                                  .extra_norms = 1},
                        .encoder = {.hidden = hidden,
                                    .positions = 1500,
                                    .norm = ROOF_NORM_LAYER,
                                    .extra_norms = 1,
                                    .context_max = 1500},
                        .front = {{.name = "conv1", .outputs = hidden, .inputs = 80 * 3, .rate = 2, .bias = true},
                                  {.name = "conv2", .outputs = hidden, .inputs = hidden * 3, .rate = 1, .bias = true}}};
    roof_attention_block attention = gqa(heads, heads, hidden / heads);
    attention.qkv_bias = attention.no_k_bias = attention.output_bias = true;
    roof_mlp_block mlp = {.kind = ROOF_MLP_DENSE, .bias = true, .width = 4 * hidden};
    a->encoder_layers[0] = (roof_layer){.count = layers, .norms = 2, .attention = attention, .mlp = mlp};
    a->layers[0] = (roof_layer){.count = layers, .norms = 3, .attention = attention, .cross = attention, .mlp = mlp};
    a->encoder.front = a->front;
    a->encoder.front_count = 2;
    finish_model(a, 1);
    finish_encoder(a, 1);
}
static inline void make_whisper_tiny(architecture *a) { /* openai/whisper-tiny */
    whisper_of(a, 384, 4, 6);
}
static inline void make_whisper_small(architecture *a) { /* openai/whisper-small */
    whisper_of(a, 768, 12, 12);
}

static const architecture_row architectures[] = {
    {"mamba-130m", make_mamba_130m, 129135360, 0},     /* = the checkpoint */
    {"mamba-1.4b", make_mamba_1b4, 1372178432, 0},     /* = the checkpoint */
    {"mamba-2.8b", make_mamba_2b8, 2768345600, 0},     /* = the checkpoint */
    {"mamba2-2.7b", make_mamba2, 2702599680, 0},       /* = the checkpoint */
    {"gla-7b", make_gla, 6741635072, 0},               /* fla */
    {"hgrn2-340m", make_hgrn2, 373916672, 0},          /* fla */
    {"delta-net-1.3b", make_delta_net, 1365677056, 0}, /* fla */
    {"rwkv6", make_rwkv6, 1360224256, 0},              /* fla */
    {"rwkv7", make_rwkv7, 1366644736, 0},              /* fla */
    {"jamba-v0.1", make_jamba, 51570323328, 0},        /* = the checkpoint */
    {"nemotron-h-8b", make_nemotron_h_8b, 8100852736, 0},
    {"nemotron-h-56b", make_nemotron_h_56b, 56324350464, 0},
    {"nemotron-3-nano", make_nemotron_3_nano, 31577937344.0 + 23 * 128, 0},
    {"nemotron-3-super", make_nemotron_3_super, 6965246336.0 + 2 * 512, 0},
    {"falcon-h1-7b", make_falcon_h1, 7585519712, 0},
    {"granite-4.0-h-tiny", make_granite_4_tiny, 6939037248, 0},
    {"qwen3-next-80b", make_qwen3_next, 79674391296, 0},
    {"qwen3.5-27b", make_qwen3_5_27b, 26895998464, 0},
    {"qwen3.5-35b-a3b", make_qwen3_5_35b, 34660610688, 0},
    {"kimi-linear-48b", make_kimi_linear, 49122675072.0 + 26 * 256, 0}, /* = the checkpoint */
    {"minimax-m1", make_minimax_m1, 456089655296, 0},                   /* = the checkpoint */
    {"lfm2-1.2b", make_lfm2, 1170340608, 0},                            /* = the checkpoint */
    {"recurrent-gemma", make_recurrent_gemma, 2010263040, 0},
    {"deepseek-v3.2", make_deepseek_v3_2, 671877929216.0 + 58 * 256, 0},
    {"glm-5", make_glm_5, 743911199232.0 + 75 * 256, 0},
    {"deepseek-v4-flash", make_deepseek_v4, 284325869015.0 + 40 * 256, 0},
    {"bert-large", make_bert_large, 335141888, 0},       /* = the checkpoint */
    {"gte-small", make_gte_small, 33360000, 0},          /* = the checkpoint */
    {"t5-small", make_t5_small, 60506624, 0},            /* = the checkpoint */
    {"whisper-tiny", make_whisper_tiny, 37760640, 0},    /* = the checkpoint */
    {"whisper-small", make_whisper_small, 241734912, 0}, /* = the checkpoint */
};
enum { ARCHITECTURES = sizeof architectures / sizeof *architectures };

#endif
