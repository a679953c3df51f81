/* Decoders of attention layers: what a model class does where its config.json does not say. A new family is a row.
 * Sources: the class of that name in huggingface/transformers (configuration_*.py, modeling_*.py) unless a row says
 * otherwise; docs/models.md lists them. */
#include <math.h>
#include <string.h>

#include "read/config/config.h"

static int qwen1(reader *r) {
    if (field_node(r, FIELD_FFN, NULL)) { /* modeling_qwen.py: w1 and w2 are intermediate_size / 2 wide */
        r->shape.ffn /= 2;
        note(r, "intermediate_size: %.0f is that of two matrices together in this family, so %.0f each",
             2 * r->shape.ffn, r->shape.ffn);
    }
    return 0;
}

static int falcon(reader *r) {
    shape *s = &r->shape;
    /* The first releases spell "40B style" by giving n_head_kv only. */
    bool grouped = field_flag(r, FIELD_NEW_DECODER, json_get(r->lm, "n_head_kv") != NULL);
    if (!grouped) {
        s->kv_heads = field_flag(r, FIELD_MULTI_QUERY, true) ? 1 : s->heads;
        note(r, "num_kv_heads: %.0f, as multi_query says (new_decoder_architecture is off)", s->kv_heads);
    } else {
        field_flag(r, FIELD_MULTI_QUERY, true);
    }
    s->parallel = grouped || s->parallel;
    s->norms = !s->parallel ? 2 : grouped ? field_count(r, FIELD_PARALLEL_NORMS, 2) : 1;
    field_flag(r, FIELD_ALIBI, false);
    return 0;
}

static int mpt(reader *r) {
    shape *s = &r->shape;
    if (!field_flag(r, FIELD_NO_BIAS, true))
        s->norm = ROOF_NORM_LAYER;
    bool rotary = field_flag(r, FIELD_ROPE, false), alibi = field_flag(r, FIELD_ALIBI, false);
    s->positions = field_flag(r, FIELD_LEARNED, !alibi && !rotary) && !alibi && !rotary ? s->context : 0;
    return 0;
}

static int bigcode(reader *r) {
    if (field_flag(r, FIELD_MULTI_QUERY, true)) {
        r->shape.kv_heads = 1;
        note(r, "num_key_value_heads: absent, so 1 as multi_query is true");
    }
    return 0;
}

static int opt(reader *r) {
    if (!field_flag(r, FIELD_NORM_BEFORE, true))
        r->shape.extra_norms = 0;
    if (own_flag(r, "_remove_final_layer_norm", false))
        r->shape.extra_norms = 0;
    if (!own_flag(r, "layer_norm_elementwise_affine", true))
        r->shape.norm = ROOF_NORM_LAYER_NO_WEIGHT;
    return 0;
}

/* Glm4vTextAttention has them whatever attention_bias says. */
static int glm4v(reader *r) {
    r->shape.bias |= BIAS_QKV;
    return 0;
}

static int stablelm(reader *r) {
    if (r->shape.parallel)
        r->shape.norms = 1;
    return 0;
}

static int chatglm(reader *r) {
    if (field_flag(r, FIELD_MULTI_QUERY, false))
        r->shape.kv_heads = field_needed(r, FIELD_MULTI_GROUPS);
    else
        (void)field_node(r, FIELD_MULTI_GROUPS, NULL);
    return 0;
}

static int minicpm(reader *r) {
    if (!node_is_off(json_get(r->lm, "sparse_config")))
        warn(r, "key 'sparse_config' is not judged: long contexts are counted with every key visible, so their "
                "attention is an upper bound");
    return 0;
}

static int minicpm_v(reader *r) {
    double version = field_number(r, FIELD_VERSION, 0);
    if (version != 2.6)
        return fail_at(r, ROOF_EUNSUPPORTED, "version",
                       "key 'version' is %g: only version 2.6 (a Qwen2 language model) is known of MiniCPM-V", version);
    return 0;
}

static int minimax(reader *r) {
    const json_node *list = field_node(r, FIELD_ATTENTION_LIST, NULL);
    for (size_t i = 0; i < json_size(list); i++)
        if (json_number(json_at(list, i), 0) != 1)
            return fail_at(r, ROOF_EUNSUPPORTED, "attn_type_list",
                           "key 'attn_type_list' has a linear-attention layer, which this version cannot judge");
    const char *kind = field_text(r, FIELD_QK_NORM_KIND);
    if (kind && strcmp(kind, "per_layer") != 0)
        return fail_at(r, ROOF_EUNSUPPORTED, "qk_norm_type", "key 'qk_norm_type' is '%s', which is unknown", kind);
    return 0;
}

/* params.json of Llama: two thirds of four hidden widths, times a factor, to the next multiple. */
static void params_width(reader *r) {
    shape *s = &r->shape;
    if (s->ffn > 0)
        return;
    double multiple = own_needed(r, "multiple_of"), width = floor(2 * (4 * s->hidden) / 3);
    if (own_node(r, "ffn_dim_multiplier"))
        width = floor(own_factor(r, "ffn_dim_multiplier", 1) * width);
    s->ffn = ceil(width / multiple) * multiple;
    note(r, "hidden_dim: absent, so %.0f from multiple_of and ffn_dim_multiplier", s->ffn);
}

static int params(reader *r) {
    shape *s = &r->shape;
    const char *norm = own_text(r, "norm_type");
    bool gemma3 = norm && strcmp(norm, "gemma3") == 0;
    params_width(r);
    if (own_node(r, "moe")) {
        s->experts = own_needed(r, "moe.num_experts");
        s->top_k = own_needed(r, "moe.num_experts_per_tok");
        s->expert_width = s->ffn;
    }
    s->norms += own_flag(r, "post_attention_norm", false) + own_flag(r, "post_ffn_norm", false);
    if (own_flag(r, "attention_qkv_bias", false))
        s->bias |= BIAS_QKV;
    if (gemma3 && !field_node(r, FIELD_TIED, NULL)) {
        s->tied = true;
        note(r, "tied: as norm_type is gemma3, whose head is its table");
    } else if (!field_node(r, FIELD_TIED, NULL)) {
        warn(r, "files of this schema do not say whether the head is the table: it is counted as weights of its own");
    }
    return 0;
}

static int params_layer(reader *r, size_t index, roof_layer *out) {
    const shape *s = &r->shape;
    (void)index;
    if (s->experts > 0)
        out->mlp = (roof_mlp_block){
            .kind = ROOF_MLP_MOE, .gated = true, .width = s->ffn, .experts = s->experts, .top_k = s->top_k};
    return 0;
}

static int seed_oss(reader *r) {
    if (own_flag(r, "attention_out_bias", false))
        r->shape.bias |= BIAS_OUT;
    return 0;
}

static int hunyuan_dense(reader *r) {
    static const char *const off[] = {"use_cla", "use_mla", "cla_share_factor", "num_experts"};
    for (int i = 0; i < 4; i++)
        (void)own_node(r, off[i]);
    if (own_flag(r, "use_cla", false))
        return fail_at(r, ROOF_EUNSUPPORTED, "use_cla",
                       "key 'use_cla' shares caches between layers in a way this version does not know");
    return 0;
}

/* Two slopes of its activation are learned. */
static int apertus_layer(reader *r, size_t index, roof_layer *out) {
    (void)r;
    (void)index;
    out->vectors = 2;
    return 0;
}

enum { NEOX_BIAS = BIAS_LINEAR, CODE_BIAS = BIAS_MLP | BIAS_HEAD };

static const family rows[] = {
    FAMILY("llama", "llama yi internlm2 aquila xverse",
           "LlamaForCausalLM LLaMAForCausalLM YiForCausalLM InternLM2ForCausalLM",
           "modeling_llama.py; facebookresearch/llama model.py", .norm = ROOF_NORM_RMS, .ignore = "max_window_layers"),
    FAMILY("internlm", "internlm", "InternLMForCausalLM", "InternLM modeling_internlm.py", .norm = ROOF_NORM_RMS,
           .bias = BIAS_QKV | BIAS_OUT),
    FAMILY("smollm3", "smollm3", "SmolLM3ForCausalLM", "modeling_smollm3.py", .norm = ROOF_NORM_RMS, .tied = true,
           .window = WINDOW_FLAGGED, .ignore = "no_rope_layers no_rope_layer_interval"),
    FAMILY("mistral", "mistral ministral ministral3", "MistralForCausalLM", "modeling_mistral.py",
           .norm = ROOF_NORM_RMS, .window = WINDOW_ALL),
    FAMILY("mixtral", "mixtral", "MixtralForCausalLM", "modeling_mixtral.py", .norm = ROOF_NORM_RMS,
           .window = WINDOW_ALL, .moe = MOE_ALL, .expert_is_ffn = true),
    FAMILY("qwen", "qwen", "QWenLMHeadModel", "Qwen modeling_qwen.py", .norm = ROOF_NORM_RMS, .bias = BIAS_QKV,
           .all_bias = BIAS_OUT | BIAS_MLP, .ffn_times = 4, .adjust = qwen1),
    FAMILY("qwen2", "qwen2 qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text qwen2_5_omni_text", "Qwen2ForCausalLM",
           "modeling_qwen2.py, modeling_qwen2_5_omni.py", .norm = ROOF_NORM_RMS, .bias = BIAS_QKV,
           .attention_bias = BIAS_QKV, .window = WINDOW_FLAGGED),
    FAMILY("minicpm-v", "minicpmv", "MiniCPMV", "MiniCPM-V-2_6 modeling_minicpmv.py", .norm = ROOF_NORM_RMS,
           .bias = BIAS_QKV, .attention_bias = BIAS_QKV, .window = WINDOW_FLAGGED, .adjust = minicpm_v),
    FAMILY("mimo", "mimo", "MiMoForCausalLM", "MiMo modeling_mimo.py", .norm = ROOF_NORM_RMS, .bias = BIAS_QKV,
           .attention_bias = BIAS_QKV, .window = WINDOW_FLAGGED, .mtp = true),
    FAMILY("qwen2-moe", "qwen2_moe", "Qwen2MoeForCausalLM", "modeling_qwen2_moe.py", .norm = ROOF_NORM_RMS,
           .bias = BIAS_QKV, .attention_bias = BIAS_QKV, .window = WINDOW_FLAGGED, .moe = MOE_QWEN,
           .shared_gate = true),
    FAMILY("qwen3", "qwen3 qwen3_vl qwen3_vl_text", "Qwen3ForCausalLM", "modeling_qwen3.py", .norm = ROOF_NORM_RMS,
           .qk = QK_HEAD, .window = WINDOW_FLAGGED),
    FAMILY("qwen3-moe", "qwen3_moe qwen3_vl_moe qwen3_vl_moe_text", "Qwen3MoeForCausalLM", "modeling_qwen3_moe.py",
           .norm = ROOF_NORM_RMS, .qk = QK_HEAD, .window = WINDOW_FLAGGED, .moe = MOE_QWEN),
    FAMILY("gemma", "gemma", "GemmaForCausalLM", "modeling_gemma.py", .norm = ROOF_NORM_RMS, .tied = true,
           .presets = {{FIELD_HEAD_WIDTH, 256}}),
    FAMILY("gemma2", "gemma2", "Gemma2ForCausalLM", "modeling_gemma2.py", .norm = ROOF_NORM_RMS, .norms = 4,
           .tied = true, .window = WINDOW_PERIOD, .period = 2,
           .presets = {{FIELD_HEAD_WIDTH, 256}, {FIELD_WINDOW, 4096}}),
    FAMILY("gemma3", "gemma3 gemma3_text", "Gemma3ForCausalLM Gemma3ForConditionalGeneration",
           "configuration_gemma3.py (Gemma3TextConfig), modeling_gemma3.py", .norm = ROOF_NORM_RMS, .norms = 4,
           .tied = true, .qk = QK_HEAD, .window = WINDOW_PERIOD, .period = 6,
           .ignore = "global_local_attention_pattern",
           .presets = {{FIELD_HEADS, 8},
                       {FIELD_KV_HEADS, 4},
                       {FIELD_HEAD_WIDTH, 256},
                       {FIELD_VOCAB, 262208},
                       {FIELD_WINDOW, 4096}}),
    FAMILY("phi", "phi mixformer-sequential phi-msft", "PhiForCausalLM MixFormerSequentialForCausalLM",
           "modeling_phi.py", .norm = ROOF_NORM_LAYER, .norms = 1, .parallel = true, .plain = true,
           .bias = BIAS_LINEAR | BIAS_HEAD, .ffn_times = 4),
    FAMILY("phi3", "phi3 phi4 phi3_v phi4mm", "Phi3ForCausalLM", "modeling_phi3.py", .norm = ROOF_NORM_RMS,
           .window = WINDOW_ALL),
    FAMILY("phimoe", "phimoe", "PhiMoEForCausalLM", "modeling_phimoe.py", .norm = ROOF_NORM_LAYER, .window = WINDOW_ALL,
           .moe = MOE_ALL, .expert_is_ffn = true),
    FAMILY("gpt2", "gpt2", "GPT2LMHeadModel", "modeling_gpt2.py", .norm = ROOF_NORM_LAYER, .plain = true, .tied = true,
           .learned = true, .ffn_times = 4, .bias = BIAS_LINEAR),
    FAMILY("gpt-neo", "gpt_neo", "GPTNeoForCausalLM", "modeling_gpt_neo.py", .norm = ROOF_NORM_LAYER, .plain = true,
           .tied = true, .learned = true, .ffn_times = 4, .bias = BIAS_OUT | BIAS_MLP, .window = WINDOW_NEO,
           .presets = {{FIELD_WINDOW, 256}}),
    FAMILY("gpt-neox", "gpt_neox", "GPTNeoXForCausalLM", "modeling_gpt_neox.py", .norm = ROOF_NORM_LAYER,
           .parallel = true, .plain = true, .bias = NEOX_BIAS),
    FAMILY("gpt-j", "gptj", "GPTJForCausalLM", "modeling_gptj.py", .norm = ROOF_NORM_LAYER, .norms = 1,
           .parallel = true, .plain = true, .ffn_times = 4, .bias = CODE_BIAS),
    FAMILY("codegen", "codegen", "CodeGenForCausalLM", "modeling_codegen.py", .norm = ROOF_NORM_LAYER, .norms = 1,
           .parallel = true, .plain = true, .ffn_times = 4, .bias = CODE_BIAS),
    FAMILY("opt", "opt", "OPTForCausalLM", "modeling_opt.py", .norm = ROOF_NORM_LAYER, .plain = true, .tied = true,
           .learned = true, .position_offset = 2, .bias = BIAS_LINEAR, .all_bias = BIAS_LINEAR, .adjust = opt),
    FAMILY("bloom", "bloom", "BloomForCausalLM", "modeling_bloom.py", .norm = ROOF_NORM_LAYER, .extra_norms = 2,
           .plain = true, .tied = true, .ffn_times = 4, .bias = BIAS_LINEAR),
    FAMILY("falcon", "falcon RefinedWeb RefinedWebModel", "FalconForCausalLM RWForCausalLM",
           "modeling_falcon.py; vllm falcon.py (head tied when the file does not say)", .norm = ROOF_NORM_LAYER,
           .parallel = true, .plain = true, .tied = true, .ffn_times = 4, .all_bias = BIAS_LINEAR, .adjust = falcon),
    FAMILY("mpt", "mpt", "MptForCausalLM MPTForCausalLM", "modeling_mpt.py; llm-foundry configuration_mpt.py",
           .norm = ROOF_NORM_LAYER_NO_BIAS, .plain = true, .tied = true, .ffn_times = 4, .all_bias = BIAS_LINEAR,
           .adjust = mpt),
    FAMILY("starcoder", "gpt_bigcode", "GPTBigCodeForCausalLM", "modeling_gpt_bigcode.py", .norm = ROOF_NORM_LAYER,
           .plain = true, .tied = true, .learned = true, .ffn_times = 4, .bias = BIAS_LINEAR, .adjust = bigcode),
    FAMILY("starcoder2", "starcoder2", "Starcoder2ForCausalLM", "modeling_starcoder2.py", .norm = ROOF_NORM_LAYER,
           .plain = true, .tied = true, .bias = BIAS_LINEAR, .all_bias = BIAS_LINEAR, .window = WINDOW_ALL),
    FAMILY("stablelm", "stablelm stablelm_epoch", "StableLmForCausalLM StableLMEpochForCausalLM",
           "modeling_stablelm.py", .norm = ROOF_NORM_LAYER, .attention_bias = BIAS_QKV, .qk = QK_ALL, .qk_asked = true,
           .adjust = stablelm),
    FAMILY("baichuan", "baichuan", "BaichuanForCausalLM BaiChuanForCausalLM", "Baichuan2 modeling_baichuan.py",
           .norm = ROOF_NORM_RMS),
    FAMILY("chatglm", "chatglm", "ChatGLMModel ChatGLMForConditionalGeneration", "ChatGLM2 modeling_chatglm.py",
           .norm = ROOF_NORM_RMS, .attention_bias = BIAS_QKV, .all_bias = BIAS_OUT | BIAS_MLP, .adjust = chatglm),
    FAMILY("glm", "glm", "GlmForCausalLM", "modeling_glm.py", .norm = ROOF_NORM_RMS, .attention_bias = BIAS_QKV),
    FAMILY("glm4", "glm4 glm_ocr glm_ocr_text", "Glm4ForCausalLM GlmOcrForConditionalGeneration",
           "modeling_glm4.py, modeling_glm_ocr.py", .norm = ROOF_NORM_RMS, .norms = 4, .attention_bias = BIAS_QKV),
    FAMILY("glm4v", "glm4v glm4v_text", "Glm4vForConditionalGeneration", "modeling_glm4v.py", .norm = ROOF_NORM_RMS,
           .norms = 4, .bias = BIAS_QKV, .attention_bias = BIAS_QKV, .adjust = glm4v),
    FAMILY("glm4-moe", "glm4_moe glm4v_moe_text", "Glm4MoeForCausalLM", "modeling_glm4_moe.py", .norm = ROOF_NORM_RMS,
           .attention_bias = BIAS_QKV, .qk = QK_HEAD, .qk_asked = true, .moe = MOE_FIRST_DENSE, .router_bias = true,
           .mtp = true),
    FAMILY("cohere", "cohere", "CohereForCausalLM", "modeling_cohere.py", .norm = ROOF_NORM_LAYER_NO_BIAS, .norms = 1,
           .parallel = true, .tied = true, .qk = QK_ALL, .qk_asked = true),
    FAMILY("cohere2", "cohere2", "Cohere2ForCausalLM", "modeling_cohere2.py", .norm = ROOF_NORM_LAYER_NO_BIAS,
           .norms = 1, .parallel = true, .tied = true, .window = WINDOW_PERIOD, .period = 4,
           .presets = {{FIELD_WINDOW, 4096}}),
    FAMILY("olmo", "olmo", "OlmoForCausalLM", "modeling_olmo.py", .norm = ROOF_NORM_LAYER_NO_WEIGHT),
    FAMILY("olmo2", "olmo2", "Olmo2ForCausalLM", "modeling_olmo2.py", .norm = ROOF_NORM_RMS, .qk = QK_ALL),
    FAMILY("olmo3", "olmo3", "Olmo3ForCausalLM", "modeling_olmo3.py", .norm = ROOF_NORM_RMS, .qk = QK_ALL,
           .window = WINDOW_PERIOD, .period = 4, .presets = {{FIELD_WINDOW, 4096}}),
    FAMILY("olmoe", "olmoe", "OlmoeForCausalLM", "modeling_olmoe.py", .norm = ROOF_NORM_RMS, .qk = QK_ALL,
           .moe = MOE_ALL, .expert_is_ffn = true),
    FAMILY("granite", "granite", "GraniteForCausalLM", "modeling_granite.py", .norm = ROOF_NORM_RMS),
    FAMILY("granite-moe", "granitemoe granitemoeshared", "GraniteMoeForCausalLM GraniteMoeSharedForCausalLM",
           "modeling_granitemoe.py", .norm = ROOF_NORM_RMS, .moe = MOE_ALL, .expert_is_ffn = true),
    FAMILY("minicpm", "minicpm", "MiniCPMForCausalLM", "MiniCPM modeling_minicpm.py", .norm = ROOF_NORM_RMS,
           .tied = true, .ignore = "sparse_config", .adjust = minicpm),
    FAMILY("dbrx", "dbrx", "DbrxForCausalLM", "modeling_dbrx.py", .norm = ROOF_NORM_LAYER_NO_BIAS, .moe = MOE_ALL,
           .expert_is_ffn = true),
    FAMILY("nemotron", "nemotron", "NemotronForCausalLM", "modeling_nemotron.py", .norm = ROOF_NORM_LAYER,
           .plain = true),
    FAMILY("deepseek", "deepseek", "DeepseekForCausalLM", "DeepSeek-MoE modeling_deepseek.py", .norm = ROOF_NORM_RMS,
           .moe = MOE_FIRST_DENSE),
    FAMILY("deepseek-v2", "deepseek_v2", "DeepseekV2ForCausalLM", "DeepSeek-V2 modeling_deepseek.py",
           .norm = ROOF_NORM_RMS, .moe = MOE_FIRST_DENSE, .latent = true, .ignore = "head_dim qk_head_dim"),
    FAMILY("deepseek-v3", "deepseek_v3 kimi_k2", "DeepseekV3ForCausalLM",
           "DeepSeek-V3 modeling_deepseek.py, inference/model.py", .norm = ROOF_NORM_RMS, .moe = MOE_FIRST_DENSE,
           .latent = true, .router_bias = true, .mtp = true, .ignore = "head_dim qk_head_dim"),
    FAMILY("gpt-oss", "gpt_oss", "GptOssForCausalLM", "modeling_gpt_oss.py; openai/gpt-oss model.py",
           .norm = ROOF_NORM_RMS, .bias = BIAS_LINEAR, .sinks = true, .window = WINDOW_PERIOD, .period = 2,
           .moe = MOE_ALL, .expert_is_ffn = true, .router_bias = true, .presets = {{FIELD_WINDOW, 128}}),
    FAMILY("llama4", "llama4 llama4_text", "Llama4ForCausalLM Llama4ForConditionalGeneration",
           "modeling_llama4.py, configuration_llama4.py", .norm = ROOF_NORM_RMS, .qk = QK_FREE, .window = WINDOW_CHUNKS,
           .period = 4, .moe = MOE_INTERLEAVED, .expert_is_ffn = true, .shared_is_expert = true,
           .presets = {{FIELD_CHUNK, 8192}}, .ignore = "no_rope_layers no_rope_layer_interval"),
    FAMILY("minimax-m2", "minimax_m2", "MiniMaxM2ForCausalLM", "modeling_minimax_m2.py", .norm = ROOF_NORM_RMS,
           .qk = QK_ALL, .moe = MOE_ALL, .expert_is_ffn = true, .mtp = true, .router_bias = true,
           .ignore = "mtp_transformer_layers", .adjust = minimax),
    FAMILY("params", "params", "",
           "meta-llama/llama-models model.py; mistral-inference args.py; executorch llama model_args.py",
           .norm = ROOF_NORM_RMS, .qk = QK_HEAD, .qk_asked = true, .window = WINDOW_ALL, .no_mlp = true,
           .adjust = params, .layer = params_layer,
           .ignore = "ffn_dim_multiplier multiple_of n_layers dim apply_* use_hf_rope act_fn norm_eps use_scaled_rope "
                     "embedding_scale_factor qk_norm_before_rope norm_type moe vision_encoder rope_scaling_factor "
                     "max_batch_size quantization_args lora_args sliding_window_pattern_"),
    FAMILY("arcee", "arcee", "ArceeForCausalLM", "modeling_arcee.py", .norm = ROOF_NORM_RMS, .plain = true),
    FAMILY("seed-oss", "seed_oss", "SeedOssForCausalLM", "modeling_seed_oss.py", .norm = ROOF_NORM_RMS,
           .bias = BIAS_QKV, .attention_bias = BIAS_QKV, .adjust = seed_oss),
    FAMILY("apertus", "apertus", "ApertusForCausalLM", "modeling_apertus.py", .norm = ROOF_NORM_RMS, .plain = true,
           .qk = QK_HEAD, .layer = apertus_layer),
    FAMILY("exaone", "exaone", "ExaoneForCausalLM", "EXAONE-3.5 modeling_exaone.py", .norm = ROOF_NORM_RMS),
    FAMILY("hunyuan-dense", "hunyuan_v1_dense", "HunYuanDenseV1ForCausalLM", "modeling_hunyuan_v1_dense.py",
           .norm = ROOF_NORM_RMS, .qk = QK_HEAD, .adjust = hunyuan_dense),
    FAMILY("ernie4.5", "ernie4_5", "Ernie4_5ForCausalLM Ernie4_5_ForCausalLM", "modeling_ernie4_5.py",
           .norm = ROOF_NORM_RMS, .tied = true, .all_bias = BIAS_LINEAR, .presets = {{FIELD_HEAD_WIDTH, 128}}),
    FAMILY("dots1", "dots1", "Dots1ForCausalLM", "modeling_dots1.py", .norm = ROOF_NORM_RMS, .qk = QK_HEAD,
           .window = WINDOW_FLAGGED, .moe = MOE_FIRST_DENSE, .router_bias = true),
    FAMILY("glm4-moe-lite", "glm4_moe_lite", "Glm4MoeLiteForCausalLM", "modeling_glm4_moe_lite.py",
           .norm = ROOF_NORM_RMS, .moe = MOE_FIRST_DENSE, .latent = true, .router_bias = true, .mtp = true,
           .presets = {{FIELD_DENSE_FIRST, 1}}, .ignore = "head_dim qk_head_dim"),
    FAMILY("youtu", "youtu youtu_llm", "YoutuForCausalLM", "modeling_youtu.py", .norm = ROOF_NORM_RMS, .latent = true,
           .tied = true, .ignore = "head_dim qk_head_dim embedding_initializer_range"),
    FAMILY("solar-open", "solar_open", "SolarOpenForCausalLM", "modeling_solar_open.py", .norm = ROOF_NORM_RMS,
           .attention_bias = BIAS_QKV, .moe = MOE_FIRST_DENSE, .no_mlp = true, .router_bias = true,
           .presets = {{FIELD_HEAD_WIDTH, 128}}, .ignore = "intermediate_size"),
    FAMILY("flex-olmo", "flex_olmo", "FlexOlmoForCausalLM", "modeling_flex_olmo.py", .norm = ROOF_NORM_RMS,
           .qk = QK_ALL, .moe = MOE_ALL, .expert_is_ffn = true),
};

const family_group decoder_families = {rows, sizeof rows / sizeof rows[0]};
