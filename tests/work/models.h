/* Well-known models as plain structs, from their public configs, and a machine built by hand. Tests and bench share
 * them. */
#ifndef ROOFLINE_TESTS_WORK_MODELS_H
#define ROOFLINE_TESTS_WORK_MODELS_H

#include "roofline.h"

/* A model with room for its layers: call example_*(&e), use &e.model; never copy one. */
typedef struct example {
    roof_model model;
    roof_layer layers[4];
} example;

static inline void example_formats(example *e, roof_dtype dtype) {
    for (size_t i = 0; i < e->model.layer_count; i++)
        for (int role = 0; role < ROOF_ROLE_COUNT; role++)
            e->layers[i].format[role] = roof_format_plain(dtype);
    e->model.embedding = e->model.head = roof_format_plain(dtype);
    e->model.stored = dtype;
    e->model.layers = e->layers;
}

static inline roof_layer example_layer(double count, double heads, double kv_heads, double head_width, double width) {
    return (roof_layer){
        .count = count,
        .attention = {.kind = ROOF_ATTENTION_FULL, .heads = heads, .kv_heads = kv_heads, .head_width = head_width},
        .mlp = {.kind = ROOF_MLP_DENSE, .gated = true, .width = width},
        .norms = 2,
    };
}

static inline void example_llama(example *e) { /* meta-llama/Llama-3.1-8B */
    *e =
        (example){.model = {.id = "llama-3.1-8b", .hidden = 4096, .vocab = 128256, .extra_norms = 1, .layer_count = 1}};
    e->layers[0] = example_layer(32, 32, 8, 128, 14336);
    example_formats(e, ROOF_BF16);
}

static inline void example_llama_70b(example *e) { /* meta-llama/Llama-3.1-70B */
    *e = (example){
        .model = {.id = "llama-3.1-70b", .hidden = 8192, .vocab = 128256, .extra_norms = 1, .layer_count = 1}};
    e->layers[0] = example_layer(80, 64, 8, 128, 28672);
    example_formats(e, ROOF_BF16);
}

static inline void example_qwen3(example *e) { /* Qwen/Qwen3-4B: head width 128, not 2560 / 32 */
    *e = (example){
        .model = {.id = "qwen3-4b", .hidden = 2560, .vocab = 151936, .tied = true, .extra_norms = 1, .layer_count = 1}};
    e->layers[0] = example_layer(36, 32, 8, 128, 9728);
    e->layers[0].attention.q_norm = e->layers[0].attention.k_norm = 128;
    example_formats(e, ROOF_BF16);
}

static inline void example_gpt2(example *e) { /* openai-community/gpt2 */
    *e = (example){.model = {.id = "gpt2",
                             .hidden = 768,
                             .vocab = 50257,
                             .positions = 1024,
                             .tied = true,
                             .norm = ROOF_NORM_LAYER,
                             .extra_norms = 1,
                             .layer_count = 1}};
    e->layers[0] = example_layer(12, 12, 12, 64, 3072);
    e->layers[0].attention.qkv_bias = e->layers[0].attention.output_bias = e->layers[0].mlp.bias = true;
    e->layers[0].mlp.gated = false;
    example_formats(e, ROOF_F16);
}

static inline void example_mixtral(example *e) { /* mistralai/Mixtral-8x7B-v0.1 */
    *e = (example){.model = {.id = "mixtral-8x7b", .hidden = 4096, .vocab = 32000, .extra_norms = 1, .layer_count = 1}};
    e->layers[0] = example_layer(32, 32, 8, 128, 14336);
    e->layers[0].mlp.kind = ROOF_MLP_MOE;
    e->layers[0].mlp.experts = 8;
    e->layers[0].mlp.top_k = 2;
    example_formats(e, ROOF_BF16);
}

static inline void example_deepseek(example *e) { /* deepseek-ai/DeepSeek-V3, 3 dense layers, then 58 with experts */
    *e = (example){.model = {.id = "deepseek-v3", .hidden = 7168, .vocab = 129280, .extra_norms = 1, .layer_count = 2}};
    roof_attention_block latent = {.kind = ROOF_ATTENTION_LATENT,
                                   .heads = 128,
                                   .kv_heads = 128,
                                   .value_width = 128,
                                   .q_rank = 1536,
                                   .kv_rank = 512,
                                   .nope_width = 128,
                                   .rope_width = 64};
    e->layers[0] = (roof_layer){
        .count = 3, .attention = latent, .mlp = {.kind = ROOF_MLP_DENSE, .gated = true, .width = 18432}, .norms = 2};
    e->layers[1] = (roof_layer){.count = 58,
                                .attention = latent,
                                .norms = 2,
                                .mlp = {.kind = ROOF_MLP_MOE,
                                        .gated = true,
                                        .width = 2048,
                                        .experts = 256,
                                        .top_k = 8,
                                        .shared_width = 2048,
                                        .router_bias = true}};
    example_formats(e, ROOF_BF16);
}

static inline void example_gpt_oss(example *e) { /* openai/gpt-oss-20b: every other layer sees 128 tokens */
    *e = (example){.model = {.id = "gpt-oss-20b", .hidden = 2880, .vocab = 201088, .extra_norms = 1, .layer_count = 2}};
    for (int i = 0; i < 2; i++) {
        e->layers[i] = example_layer(12, 64, 8, 64, 2880);
        e->layers[i].attention.qkv_bias = e->layers[i].attention.output_bias = e->layers[i].attention.sinks = true;
        e->layers[i].mlp = (roof_mlp_block){.kind = ROOF_MLP_MOE,
                                            .gated = true,
                                            .bias = true,
                                            .width = 2880,
                                            .experts = 32,
                                            .top_k = 4,
                                            .router_bias = true};
    }
    e->layers[0].attention.kind = ROOF_ATTENTION_SLIDING;
    e->layers[0].attention.window = 128;
    example_formats(e, ROOF_BF16);
}

static inline roof_figure example_figure(double value) {
    return (roof_figure){.value = value, .origin = ROOF_ORIGIN_GIVEN};
}

static inline roof_machine example_h100(void) { /* H100 SXM 80 GB, dense: NVIDIA H100 datasheet */
    roof_machine m = {.id = "h100", .name = "H100 SXM"};
    m.peak[ROOF_MATRIX][ROOF_BF16] = m.peak[ROOF_MATRIX][ROOF_F16] = example_figure(989.4e12);
    m.peak[ROOF_MATRIX][ROOF_FP8] = m.peak[ROOF_MATRIX][ROOF_INT8] = example_figure(1978.9e12);
    m.peak[ROOF_VECTOR][ROOF_F32] = example_figure(66.9e12);
    m.sparse[ROOF_BF16] = example_figure(1978.9e12);
    m.bandwidth[ROOF_DRAM] = example_figure(3.35e12);
    m.size[ROOF_DRAM] = example_figure(80e9);
    m.link = example_figure(450e9);
    return m;
}

#endif
