/* Metadata of a GGUF file to the config.json of the same model: names are translated, and nothing else, so that what a
 * family does with a figure is written once, in the config reader. Keys: gguf-py/gguf/constants.py; which class each
 * architecture is: convert_hf_to_gguf.py of llama.cpp. */
#include <stdio.h>
#include <string.h>

#include "read/emit.h"
#include "read/gguf_model.h"
#include "read/match.h"

typedef struct architecture {
    const char *name, *type; /* general.architecture; model_type */
    const char *moe_type;    /* model_type where there are experts; NULL: the same */
} architecture;

static const architecture architectures[] = {
    {"llama", "llama", "mixtral"},
    {"mistral3", "mistral", "mixtral"},
    {"llama4", "llama4_text", NULL},
    {"qwen", "qwen", NULL},
    {"qwen2", "qwen2", NULL},
    {"qwen2vl", "qwen2", NULL},
    {"qwen2moe", "qwen2_moe", NULL},
    {"qwen3", "qwen3", NULL},
    {"qwen3vl", "qwen3", NULL},
    {"qwen3moe", "qwen3_moe", NULL},
    {"qwen3vlmoe", "qwen3_moe", NULL},
    {"gemma", "gemma", NULL},
    {"gemma2", "gemma2", NULL},
    {"gemma3", "gemma3_text", NULL},
    {"phi2", "phi", NULL},
    {"phi3", "phi3", NULL},
    {"phimoe", "phimoe", NULL},
    {"falcon", "falcon", NULL},
    {"gpt2", "gpt2", NULL},
    {"gptj", "gptj", NULL},
    {"gptneox", "gpt_neox", NULL},
    {"mpt", "mpt", NULL},
    {"starcoder", "gpt_bigcode", NULL},
    {"starcoder2", "starcoder2", NULL},
    {"bloom", "bloom", NULL},
    {"stablelm", "stablelm", NULL},
    {"baichuan", "baichuan", NULL},
    {"xverse", "xverse", NULL},
    {"internlm2", "internlm2", NULL},
    {"minicpm", "minicpm", NULL},
    {"chatglm", "chatglm", NULL},
    {"glm4", "glm4", NULL},
    {"glm4moe", "glm4_moe", NULL},
    {"command-r", "cohere", NULL},
    {"cohere2", "cohere2", NULL},
    {"dbrx", "dbrx", NULL},
    {"nemotron", "nemotron", NULL},
    {"olmo", "olmo", NULL},
    {"olmo2", "olmo2", NULL},
    {"olmoe", "olmoe", NULL},
    {"granite", "granite", NULL},
    {"granitemoe", "granitemoe", NULL},
    {"smollm3", "smollm3", NULL},
    {"deepseek", "deepseek", NULL},
    {"deepseek2", "deepseek_v2", NULL},
    {"gpt-oss", "gpt_oss", NULL},
    {"minimax-m2", "minimax_m2", NULL},
    {"lfm2", "llama", NULL},
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
    "decoder_start_token_id "
    "attention.output_scale moe_every_n_layers interleave_moe_layer_step max_position_embeddings";
/* Of these a value that is not 0 means layers that somebody has to understand. */
static const char structural[] = "ssm.* shortconv.* wkv.* attention.indexer.* *lora_rank* altup* laurel* *shared_kv* "
                                 "embedding_length_* *_block_count* full_attention_interval "
                                 "*expert* *sliding_window* *per_layer* *kda* attention.key_length* "
                                 "attention.value_length* features_length posnet.* convnext.* token_shift_count";

const gguf_value *arch_value(const gguf_file *f, const char *suffix) {
    char key[128];
    snprintf(key, sizeof key, "%.60s.%s", f->arch, suffix);
    return gguf_find(&f->header, key);
}

double arch_number(const gguf_file *f, const char *suffix) {
    const gguf_value *value = arch_value(f, suffix);
    double largest = value && !value->text ? value->number : 0;
    for (uint64_t i = 0; value && value->list && i < value->count; i++)
        largest = value->list[i] > largest ? value->list[i] : largest;
    return largest;
}

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

static const architecture *find_architecture(const gguf_file *f) {
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
    static const char expert_is_ffn[] = "mixtral phimoe olmoe granitemoe dbrx gpt_oss llama4_text minimax_m2";
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

static int check_keys(reader *r, const gguf_file *f) {
    size_t n = strlen(f->arch);
    for (const gguf_value *value = f->header.values; value; value = value->next) {
        if (strncmp(value->key, f->arch, n) != 0 || value->key[n] != '.')
            continue;
        const char *suffix = value->key + n + 1;
        bool known = match_list(read_elsewhere, suffix) || match_list(harmless, suffix);
        for (size_t i = 0; !known && i < sizeof renamed / sizeof renamed[0]; i++)
            known = strcmp(renamed[i].suffix, suffix) == 0;
        if (known || (!value->text && !value->is_array && value->number == 0))
            continue;
        if (match_list(structural, suffix))
            return fail_at(r, ROOF_EUNSUPPORTED, NULL,
                           "key '%.80s' changes the architecture in a way this version does not know", value->key);
        warn(r, "key '%.80s' is not known here and taken as harmless", value->key);
    }
    return r->failed ? -1 : 0;
}

static int check_needed(reader *r, const gguf_file *f) {
    static const char *const needed[] = {"embedding_length", "attention.head_count"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
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

const char *gguf_config(reader *r, gguf_file *file) {
    const architecture *a = find_architecture(file);
    if (!a)
        refuse(r, file);
    if (!a || check_needed(r, file) != 0 || check_keys(r, file) != 0)
        return NULL;
    size_t size = 8192 + (size_t)file->layers * 40;
    char *config = keep(r, size);
    if (!config)
        return NULL;
    const char *type = model_type(file, a);
    text out = {config, size};
    emit json = emit_to(append, &out);
    emit_object(&json, NULL);
    emit_string(&json, "model_type", type);
    emit_number(&json, "num_hidden_layers", file->layers);
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (renamed[i].key)
            number(&json, renamed[i].key, arch_number(file, renamed[i].suffix));
    emit_widths(&json, file);
    emit_ffn(&json, file, type);
    emit_vocab(&json, file);
    emit_pattern(&json, file);
    emit_special(&json, file, type);
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
