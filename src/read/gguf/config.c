/* Metadata of a GGUF file to the config.json of the same model: names are translated, and nothing else, so that what a
 * family does with a figure is written once, in the config reader. Keys: gguf-py/gguf/constants.py; which class each
 * architecture is: convert_hf_to_gguf.py of llama.cpp. */
#include <stdio.h>
#include <string.h>

#include "read/gguf/model.h"
#include "read/match.h"
#include "json/write.h"

typedef struct architecture {
    const char *name, *type; /* general.architecture; model_type */
    const char *moe_type;    /* model_type where there are experts; NULL: the same */
    bool no_attention;       /* no heads at all */
    bool no_mlp;             /* no feed-forward width at all */
    bool states;             /* some layers keep a state of fixed size */
    const char *keys;        /* keys of structure that `say` reads, and nothing else */
    const char *listed;      /* keys that must have an entry a layer: they say what a layer is */
    void (*say)(emit *json, const gguf_file *f);
} architecture;

#define SSM "ssm.conv_kernel ssm.inner_size ssm.state_size ssm.time_step_rank "
#define KV_HEADS "attention.head_count_kv"
#define SSM_GROUPS SSM "ssm.group_count "

/* ARCHITECTURE("jamba", "jamba", then what it has beyond its two names) */
#define ARCHITECTURE(gguf_name, ...)                                                                                   \
    { .name = gguf_name, .type = __VA_ARGS__ }

static const architecture architectures[] = {
    ARCHITECTURE("llama", "llama", .moe_type = "mixtral"),
    ARCHITECTURE("mistral3", "mistral", .moe_type = "mixtral"),
    ARCHITECTURE("llama4", "llama4_text"),
    ARCHITECTURE("qwen", "qwen"),
    ARCHITECTURE("qwen2", "qwen2"),
    ARCHITECTURE("qwen2vl", "qwen2"),
    ARCHITECTURE("qwen2moe", "qwen2_moe"),
    ARCHITECTURE("qwen3", "qwen3"),
    ARCHITECTURE("qwen3vl", "qwen3"),
    ARCHITECTURE("qwen3moe", "qwen3_moe"),
    ARCHITECTURE("qwen3vlmoe", "qwen3_moe"),
    ARCHITECTURE("gemma", "gemma"),
    ARCHITECTURE("gemma2", "gemma2"),
    ARCHITECTURE("gemma3", "gemma3_text"),
    ARCHITECTURE("phi2", "phi"),
    ARCHITECTURE("phi3", "phi3"),
    ARCHITECTURE("phimoe", "phimoe"),
    ARCHITECTURE("falcon", "falcon"),
    ARCHITECTURE("gpt2", "gpt2"),
    ARCHITECTURE("gptj", "gptj"),
    ARCHITECTURE("gptneox", "gpt_neox"),
    ARCHITECTURE("mpt", "mpt"),
    ARCHITECTURE("starcoder", "gpt_bigcode"),
    ARCHITECTURE("starcoder2", "starcoder2"),
    ARCHITECTURE("bloom", "bloom"),
    ARCHITECTURE("stablelm", "stablelm"),
    ARCHITECTURE("baichuan", "baichuan"),
    ARCHITECTURE("xverse", "xverse"),
    ARCHITECTURE("internlm2", "internlm2"),
    ARCHITECTURE("minicpm", "minicpm"),
    ARCHITECTURE("chatglm", "chatglm"),
    ARCHITECTURE("glm4", "glm4"),
    ARCHITECTURE("glm4moe", "glm4_moe"),
    ARCHITECTURE("command-r", "cohere"),
    ARCHITECTURE("cohere2", "cohere2"),
    ARCHITECTURE("dbrx", "dbrx"),
    ARCHITECTURE("nemotron", "nemotron"),
    ARCHITECTURE("olmo", "olmo"),
    ARCHITECTURE("olmo2", "olmo2"),
    ARCHITECTURE("olmoe", "olmoe"),
    ARCHITECTURE("granite", "granite"),
    ARCHITECTURE("granitemoe", "granitemoe"),
    ARCHITECTURE("smollm3", "smollm3"),
    ARCHITECTURE("deepseek", "deepseek"),
    ARCHITECTURE("deepseek2", "deepseek_v2"),
    ARCHITECTURE("gpt-oss", "gpt_oss"),
    ARCHITECTURE("minimax-m2", "minimax_m2"),
    ARCHITECTURE("ernie4_5", "ernie4_5"),
    ARCHITECTURE("hunyuan-dense", "hunyuan_v1_dense"),
    ARCHITECTURE("exaone", "exaone"),
    ARCHITECTURE("seed_oss", "seed_oss"),
    ARCHITECTURE("arcee", "arcee"),
    ARCHITECTURE("mamba", "mamba", .no_attention = true, .no_mlp = true, .states = true, .keys = SSM "ssm.dt_b_c_rms",
                 .say = gguf_say_mamba),
    ARCHITECTURE("mamba2", "mamba2", .no_attention = true, .no_mlp = true, .states = true, .keys = SSM_GROUPS,
                 .say = gguf_say_mamba2),
    ARCHITECTURE("jamba", "jamba", .states = true, .keys = SSM, .listed = KV_HEADS, .say = gguf_say_jamba),
    ARCHITECTURE("nemotron_h", "nemotron_h", .states = true, .keys = SSM_GROUPS,
                 .listed = KV_HEADS " feed_forward_length", .say = gguf_say_nemotron_h),
    ARCHITECTURE("nemotron_h_moe", "nemotron_h", .states = true,
                 .keys = SSM_GROUPS "moe_latent_size expert_shared_feed_forward_length",
                 .listed = KV_HEADS " feed_forward_length", .say = gguf_say_nemotron_h),
    ARCHITECTURE("granitehybrid", "granitemoehybrid", .states = true, .keys = SSM_GROUPS, .listed = KV_HEADS,
                 .say = gguf_say_granite_hybrid),
    ARCHITECTURE("falcon-h1", "falcon_h1", .states = true, .keys = SSM_GROUPS, .say = gguf_say_falcon_h1),
    ARCHITECTURE("qwen3next", "qwen3_next", .states = true, .keys = SSM_GROUPS "full_attention_interval",
                 .say = gguf_say_gated_delta),
    ARCHITECTURE("qwen35", "qwen3_5_text", .states = true,
                 .keys = SSM_GROUPS "full_attention_interval nextn_predict_layers", .say = gguf_say_gated_delta),
    ARCHITECTURE("qwen35moe", "qwen3_5_moe_text", .states = true,
                 .keys = SSM_GROUPS "full_attention_interval nextn_predict_layers", .say = gguf_say_gated_delta),
    ARCHITECTURE("kimi-linear", "kimi_linear", .states = true, .keys = "ssm.conv_kernel kda.head_dim",
                 .listed = KV_HEADS, .say = gguf_say_kimi_linear),
    ARCHITECTURE("exaone4", "exaone4"),
    ARCHITECTURE("ernie4_5-moe", "ernie4_5_moe",
                 .keys = "interleave_moe_layer_step leading_dense_block_count expert_shared_feed_forward_length",
                 .say = gguf_say_ernie_moe),
    ARCHITECTURE("hunyuan-moe", "hunyuan_v1_moe",
                 .keys = "expert_count expert_used_count expert_shared_count expert_shared_feed_forward_length",
                 .say = gguf_say_hunyuan_moe),
    ARCHITECTURE("lfm2", "lfm2", .states = true, .keys = "shortconv.l_cache", .listed = KV_HEADS, .say = gguf_say_lfm2),
    ARCHITECTURE("lfm2moe", "lfm2_moe", .states = true, .keys = "shortconv.l_cache leading_dense_block_count",
                 .listed = KV_HEADS, .say = gguf_say_lfm2_moe),
    ARCHITECTURE("bert", "bert", .say = gguf_say_bert),
    ARCHITECTURE("nomic-bert", "nomic_bert", .say = gguf_say_bert),
    ARCHITECTURE("t5", "t5", .keys = "decoder_block_count attention.relative_buckets_count", .say = gguf_say_t5),
};

/* Figures that only change their name. Those of the second half stand only in files of the families that use them. */
static const struct {
    const char *suffix, *key;
} renamed[] = {
    {"block_count", NULL},
    {"embedding_length", "hidden_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"context_length", "max_position_embeddings"},
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_shared_count", "n_shared_experts"},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"},
    {"leading_dense_block_count", "first_k_dense_replace"},
    {"interleave_moe_layer_step", "interleave_moe_layer_step"},
    {"attention.sliding_window", "sliding_window"},
    {"attention.q_lora_rank", "q_lora_rank"},
    {"attention.kv_lora_rank", "kv_lora_rank"},
    {"nextn_predict_layers", "num_nextn_predict_layers"},
};

/* Looked at by name elsewhere in this file. */
static const char read_elsewhere[] =
    "feed_forward_length expert_feed_forward_length attention.key_length attention.value_length "
    "attention.key_length_mla "
    "attention.value_length_mla attention.sliding_window_pattern vocab_size rope.dimension_count expert_gating_func";
/* Change no shape and no cost. */
static const char harmless[] =
    "rope.* *_epsilon *epsilon *_scale *softcapping attention.scale attention.max_alibi_bias attention.clamp_kqv "
    "attention.causal "
    "tensor_data_layout use_parallel_residual expert_weights_* expert_group_count expert_group_used_count "
    "attention.temperature_* logit_scale "
    "n_deepstack_layers pooling_type attention.key_length_swa attention.value_length_swa swiglu_clamp* rope_* "
    "decoder_start_token_id classifier.output_labels "
    "attention.output_scale moe_every_n_layers interleave_moe_layer_step max_position_embeddings";
/* Of these a value that is not 0 means layers that somebody has to understand. */
static const char structural[] = "ssm.* shortconv.* wkv.* attention.indexer.* *lora_rank* altup* laurel* *shared_kv* "
                                 "embedding_length_* *_block_count* full_attention_interval "
                                 "*expert* *sliding_window* *per_layer* *kda* attention.key_length* "
                                 "attention.value_length* features_length posnet.* convnext.* token_shift_count";

typedef struct text {
    char *at;
    size_t left;
} text;

static int append(void *context, const char *bytes, size_t n) {
    text *t = context;
    if (n >= t->left)
        return -1;
    memcpy(t->at, bytes, n);
    t->at += n;
    t->left -= n;
    *t->at = '\0';
    return 0;
}

/* LFM2 of which nothing says how long its convolutions are: the layers of attention alone. */
static const architecture bare_lfm2 = {.name = "lfm2", .type = "llama"};

static const architecture *find_architecture(const gguf_file *f) {
    if (strcmp(f->arch, "lfm2") == 0 && f->facts.tensors == 0 && !arch_value(f, "shortconv.l_cache"))
        return &bare_lfm2;
    for (size_t i = 0; i < sizeof architectures / sizeof architectures[0]; i++)
        if (strcmp(architectures[i].name, f->arch) == 0)
            return &architectures[i];
    return NULL;
}

static bool is(const gguf_file *f, const char *arch) {
    return strcmp(f->arch, arch) == 0;
}

static const char *model_type(const gguf_file *f, const architecture *a) {
    bool experts = arch_number(f, "expert_count") > 0;
    /* Since V3 routing is by sigmoid with a correction (expert_gating_func 2); files of before carry the tensor only.
     */
    if (is(f, "deepseek2") && (f->facts.router_sigmoid || arch_number(f, "expert_gating_func") == 2))
        return "deepseek_v3";
    if (is(f, "t5") && f->facts.position_tables > 2) /* one in every layer */
        return "umt5";
    if (is(f, "olmo2") && arch_number(f, "attention.sliding_window") > 0)
        return "olmo3";
    return experts && a->moe_type ? a->moe_type : a->type;
}

static void number(emit *json, const char *key, double value) {
    if (value > 0)
        emit_number(json, key, value);
}

static void emit_widths(emit *json, const gguf_file *f) {
    double key = arch_number(f, "attention.key_length"), value = arch_number(f, "attention.value_length");
    double key_mla = arch_number(f, "attention.key_length_mla"),
           value_mla = arch_number(f, "attention.value_length_mla");
    double rope = arch_number(f, "rope.dimension_count");
    if (arch_number(f, "attention.kv_lora_rank") <= 0) {
        number(json, "head_dim", key);
        return;
    }
    key = key_mla > 0 ? key_mla : key; /* key_length is then that of the compressed cache */
    number(json, "qk_rope_head_dim", rope);
    number(json, "qk_nope_head_dim", key - rope);
    number(json, "v_head_dim", value_mla > 0 ? value_mla : value);
}

static void emit_ffn(emit *json, gguf_file *f, const char *type) {
    static const char expert_is_ffn[] =
        "mixtral phimoe olmoe granitemoe granitemoehybrid jamba dbrx gpt_oss llama4_text minimax_m2";
    double dense = arch_number(f, "feed_forward_length"), expert = arch_number(f, "expert_feed_forward_length");
    for (size_t i = 0; dense <= 0 && i < f->facts.layer_count; i++)
        dense = f->facts.layers[i].width > 0 ? f->facts.layers[i].width : f->facts.layers[i].expert_width;
    f->no_mlp = dense <= 0 && expert <= 0;
    if (f->no_mlp)
        dense = arch_number(f, "embedding_length"); /* taken out again */
    bool same = expert > 0 && match_list(expert_is_ffn, type);
    number(json, "intermediate_size", same ? expert : dense > 0 ? dense : expert);
    if (!same)
        number(json, "moe_intermediate_size", expert);
    else if (strcmp(type, "llama4_text") == 0)
        number(json, "intermediate_size_mlp", dense);
}

static void emit_vocab(emit *json, gguf_file *f) {
    double vocab = f->facts.vocab > 0 ? f->facts.vocab : arch_number(f, "vocab_size");
    if (vocab <= 0)
        vocab = (double)f->header.tokens;
    f->no_vocab = vocab <= 0;
    emit_number(json, "vocab_size", f->no_vocab ? 1 : vocab); /* taken out again */
}

static void emit_pattern(emit *json, const gguf_file *f) {
    const gguf_value *pattern = arch_value(f, "attention.sliding_window_pattern");
    if (!pattern || arch_number(f, "attention.sliding_window") <= 0)
        return;
    if (!pattern->list) {
        number(json, "sliding_window_pattern", pattern->number);
        return;
    }
    emit_array(json, "layer_types");
    for (size_t i = 0; (double)i < f->layers && i < pattern->count; i++)
        emit_string(json, NULL, pattern->list[i] != 0 ? "sliding_attention" : "full_attention");
    emit_end(json);
}

/* What the class of one family calls its own. */
static void emit_special(emit *json, const gguf_file *f, const char *type) {
    double kv = arch_number(f, "attention.head_count_kv");
    bool tensors = f->header.tensor_count > 0;
    if (strcmp(type, "falcon") == 0) {
        emit_bool(json, "new_decoder_architecture", kv > 1);
        emit_bool(json, "multi_query", kv == 1);
    } else if (strcmp(type, "gpt_bigcode") == 0) {
        emit_bool(json, "multi_query", kv == 1);
    } else if (strcmp(type, "chatglm") == 0) {
        emit_bool(json, "multi_query_attention", true);
        number(json, "multi_query_group_num", kv);
    } else if (strcmp(type, "mpt") == 0) {
        emit_bool(json, "alibi", f->facts.positions == 0);
    } else if (strcmp(type, "deepseek_v3") == 0) {
        emit_string(json, "topk_method", "noaux_tc");
    } else if (strcmp(type, "gpt_neox") == 0 || strcmp(type, "stablelm") == 0) {
        const gguf_value *parallel = arch_value(f, "use_parallel_residual");
        if (parallel)
            emit_bool(json, "use_parallel_residual", parallel->number != 0);
    } else if (strcmp(type, "qwen2") == 0 || strcmp(type, "qwen3") == 0) {
        emit_bool(json, "use_sliding_window", arch_number(f, "attention.sliding_window") > 0);
    }
    if (tensors)
        emit_bool(json, "tie_word_embeddings", f->facts.head.weights == 0);
}

static int check_keys(reader *r, const gguf_file *f, const architecture *a) {
    size_t n = strlen(f->arch);
    for (const gguf_value *value = f->header.values; value; value = value->next) {
        if (strncmp(value->key, f->arch, n) != 0 || value->key[n] != '.')
            continue;
        const char *suffix = value->key + n + 1;
        bool known = match_list(read_elsewhere, suffix) || match_list(harmless, suffix) ||
                     (a->keys && match_list(a->keys, suffix));
        for (size_t i = 0; !known && i < sizeof renamed / sizeof renamed[0]; i++)
            known = strcmp(renamed[i].suffix, suffix) == 0;
        if (known || (!value->text && !value->is_array && value->number == 0))
            continue;
        if (match_list(structural, suffix))
            return fail_at(r, ROOF_EUNSUPPORTED, NULL,
                           "key '%.80s' changes the architecture in a way this version does not know", value->key);
        warn(r, "unknown key '%.80s' taken as harmless", value->key);
    }
    return r->failed ? -1 : 0;
}

static int check_needed(reader *r, const gguf_file *f, const architecture *a) {
    static const char *const needed[] = {"embedding_length", "attention.head_count"};
    for (size_t i = 0; i < (a->no_attention ? 1 : sizeof needed / sizeof needed[0]); i++) {
        const gguf_value *value = arch_value(f, needed[i]);
        if (!value)
            return fail_at(r, ROOF_EFORMAT, NULL, "key '%.40s.%s' is missing", f->arch, needed[i]);
        if (!(arch_number(f, needed[i]) >= 1))
            return fail_at(r, ROOF_EFORMAT, NULL, "key '%.40s.%s' is %s", f->arch, needed[i],
                           value->text ? "a string, not a number" : "0");
    }
    return 0;
}

static int refuse(reader *r, const gguf_file *f) {
    fail_at(r, ROOF_EUNSUPPORTED, NULL, "GGUF architecture '%.40s' is not one this version can judge", f->arch);
    roof_hint(r->error, "name the config.json of the same model: more of those are read");
    return -1;
}

static int check_listed(reader *r, const gguf_file *f, const architecture *a) {
    static const char *const suffixes[] = {"attention.head_count_kv", "feed_forward_length"};
    for (size_t i = 0; a->listed && i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const gguf_value *value = arch_value(f, suffixes[i]);
        if (match_list(a->listed, suffixes[i]) && !(value && value->list && (double)value->count >= f->layers))
            return fail_at(r, ROOF_EFORMAT, NULL, "key '%.40s.%s' has no entry for each of %.0f layers", f->arch,
                           suffixes[i], f->layers);
    }
    return 0;
}

static int refuse_bare_t5(reader *r, const gguf_file *f) {
    if (!is(f, "t5") || f->facts.tensors > 0)
        return 0;
    return fail_at(r, ROOF_EUNSUPPORTED, NULL,
                   "a T5 file without tensors does not say whether its feed-forward blocks are gated");
}

const char *gguf_config(reader *r, gguf_file *file) {
    const architecture *a = find_architecture(file);
    if (!a)
        refuse(r, file);
    if (!a || check_needed(r, file, a) != 0 || check_keys(r, file, a) != 0 || check_listed(r, file, a) != 0 ||
        refuse_bare_t5(r, file) != 0)
        return NULL;
    size_t size = 8192 + (size_t)file->layers * 48;
    char *config = keep(r, size);
    if (!config)
        return NULL;
    const char *type = model_type(file, a);
    file->states = a->states;
    text out = {config, size};
    emit json = emit_to(append, &out);
    emit_object(&json, NULL);
    emit_string(&json, "model_type", type);
    if (!is(file, "t5"))
        emit_number(&json, "num_hidden_layers", file->layers);
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (renamed[i].key && !(a->keys && match_list(a->keys, renamed[i].suffix)))
            number(&json, renamed[i].key, arch_number(file, renamed[i].suffix));
    emit_widths(&json, file);
    if (!a->no_mlp)
        emit_ffn(&json, file, type);
    emit_vocab(&json, file);
    emit_pattern(&json, file);
    emit_special(&json, file, type);
    if (a->say)
        a->say(&json, file);
    emit_string(&json, "torch_dtype", "float32"); /* what the tensors say replaces it */
    emit_end(&json);
    if (emit_finish(&json) != 0)
        fail_at(r, ROOF_EFORMAT, NULL, "metadata too long to read");
    return r->failed ? NULL : config;
}

void gguf_own_words(const gguf_file *file, roof_error *error) {
    for (size_t i = 0; error && i < sizeof renamed / sizeof renamed[0]; i++) {
        char quoted[64], what[sizeof error->what];
        if (!renamed[i].key)
            continue;
        snprintf(quoted, sizeof quoted, "'%s'", renamed[i].key);
        const char *at = strstr(error->what, quoted);
        if (!at)
            continue;
        snprintf(what, sizeof what, "%.*s'%.40s.%s'%s", (int)(at - error->what), error->what, file->arch,
                 renamed[i].suffix, at + strlen(quoted));
        memcpy(error->what, what, sizeof what);
    }
}
