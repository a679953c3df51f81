/* Keys nobody asked for: those known to be harmless pass, those that change the architecture stop the reading, the rest
 * are named in a warning. */
#include <stdio.h>
#include <string.h>

#include "read/config/config.h"
#include "read/match.h"

/* Do not change shapes or costs: token ids, dropout, initialisation, scaling by constants, positions by rotation, text
 * generation, training. */
static const char harmless[] = "_* architectures model_type auto_map torch_dtype dtype params_dtype "
                               "transformers_version transformers.js_config* quantization_config quantization "
                               "*token_id *token_ids *_token *_token_index *_index tokenizer* *dropout* *pdrop "
                               "*layerdrop drop_path_rate initializer* init_* *_init "
                               "*norm_eps* *norm_epsilon layernorm_epsilon rmsnorm norm_type normalization_function "
                               "rope_* rotary_* *rope_theta partial_rotary_factor rope "
                               "*rope_local_base_freq local_rope_theta use_mrope original_rope "
                               "original_max_position_embeddings use_dynamic_ntk use_logn_attn pos_emb "
                               "hidden_act* hidden_activation activation* act_fn mlp_hidden_act pretraining_tp ep_size "
                               "seq_aux *aux_loss* *z_loss* norm_topk_prob "
                               "routed_scaling_factor scoring_func topk_group n_group router_jitter_noise "
                               "input_jitter_noise norm_topk_prob swiglu_limit use_cache "
                               "initial_context_length *softcap* query_pre_attn_scalar cache_implementation "
                               "*_multiplier logits_scaling logit_scale scale_* "
                               "mup_denominator dim_model_base mup_* attn_implementation attention_softmax_in_fp32 "
                               "*softmax_in_fp32 softmax_scale clip_qkv apply_* "
                               "fp32_residual_connection post_layer_norm bias_dropout_fusion summary_* "
                               "task_specific_params gradient_checkpointing bf16 fp16 fp32 onnx_safe "
                               "use_flash_attn flash_attn flash_rotary fused_dense resid_pdrop bad_words_ids do_sample "
                               "early_stopping exponential_decay_length_penalty finetuning_task "
                               "id2label label2id *length_penalty max_length min_length max_new_tokens "
                               "*no_repeat_ngram_size num_beam* num_return_sequences prefix "
                               "problem_type remove_invalid_values repetition_penalty return_dict* temperature "
                               "tf_legacy_loss top_k top_p typical_p torchscript "
                               "diversity_penalty use_bfloat16 is_decoder output_* suppress_tokens forced_* "
                               "chunk_size_feed_forward separator model_max_length "
                               "max_position_embeddings n_ctx seq_length max_sequence_length vocab_size "
                               "padded_vocab_size mask_value kv_channels_unused inference_runner max_batch_size "
                               "pad_key_length pre_allocate_kv_cache validate_runner_input pad_token eos_token "
                               "bos_token name verbose embedding_fraction interpolate_factor "
                               "rms_norm* use_rms_norm logits_to_keep num_logits_to_keep unsloth* trained_with* "
                               "moe_router_dtype reorder_and_upcast_attn attn_output_multiplier "
                               "classifier_dropout tie_encoder_decoder long_factor short_factor architecture "
                               "full_attn_mod use_res_clamp tokenizer_name init_config "
                               "attn_config ffn_config rope_interleave max_seq_len n_positions torch_dtype "
                               "use_pretrained_backbone base_model_tp_plan";

/* Of these a value that is not off means a structure somebody has to understand. */
static const char structural[] =
    "*expert* *moe* *mla* *lora_rank* *window* *layer_types* *ssm* *mamba* *linear_attn* "
    "linear_* index_* *indexer* *compress* *cross* *encoder* "
    "*sparse* *mtp* *nextn* *conv* *hybrid* *attn_type* *attention_type* *_pattern "
    "*chunk* *latent* *recurrent* *state_size* *kv_shared* "
    "*head_dim* *num_*heads* *_heads n_head* block_configs *intermediate_size* "
    "*hidden_dim* *ffn* *mlp* altup* laurel* *per_layer* *bias* "
    "*qk_norm* *qk_layernorm* *norm_before* use_*post_norm* *parallel* *_lora* *no_rope* *attn_gate* "
    "*output_gate* *sink* *alibi* *cla* *yoco* *memory* *engram* "
    "multi_query* *group_num* new_decoder* learned_pos* *_layers *layers_* layer_* tie_* "
    "weight_tying *embed* expand* *ratio* "
    "attention_layers attn attn_mode *deepstack* *_routed_* *vocab_size*";

/* Beside a language model: parts of another tower, counted nowhere. */
static const char other_tower[] = "vision* *vision* image* *image* video* *video* audio* *audio* mm_* *visual* "
                                  "query_num slice_* *resampler* projector* vit_* *patch* "
                                  "multimodal* thinker* talker* tts* version drop_vision_last_layer";

static bool wraps(const json_node *root) {
    return json_get(root, "vision_config") || json_get(root, "audio_config") || json_get(root, "visual");
}

typedef struct unknown_list {
    char names[200];
    size_t count;
} unknown_list;

static void remember(unknown_list *list, const char *key) {
    size_t at = strlen(list->names);
    if (list->count++ < 12)
        snprintf(list->names + at, sizeof list->names - at, "%s%.40s", at ? ", " : "", key);
}

static int check_key(reader *r, const char *key, const json_node *value, unknown_list *unknown) {
    if (node_is_off(value) || field_is_used(r, key) || match_list(r->family->ignore, key) || match_list(harmless, key))
        return 0;
    if (wraps(r->root) && match_list(other_tower, key))
        return 0;
    if (match_list(structural, key))
        return fail_at(r, ROOF_EUNSUPPORTED, key,
                       "key '%.60s' changes the architecture in a way this version does not know (family %s)", key,
                       r->guessed ? "unknown" : r->family->label);
    remember(unknown, key);
    return 0;
}

/* Sections that fields are read from are checked member by member. */
static int check_section(reader *r, const char *section, unknown_list *unknown) {
    static const char quiet[] =
        "attn_config.attn_* attn_config.prefix_lm attn_config.alibi_bias_max attn_config.rope_* "
        "ffn_config.ffn_act_fn ffn_config.moe_jitter_eps ffn_config.moe_loss_weight "
        "ffn_config.moe_normalize_expert_weights "
        "ffn_config.ffn_type ffn_config.uniform_expert_assignment *.model_type *.torch_dtype ffn_config.fc_type "
        "attn_config.softmax_scale attn_config.clip_qkv attn_config.kv_n_heads";
    const char *key;
    const json_node *value = NULL;
    while (json_next_member(json_get(r->lm, section), &value, &key)) {
        char path[96];
        snprintf(path, sizeof path, "%s.%.60s", section, key);
        if (!match_list(quiet, path) && check_key(r, path, value, unknown) != 0)
            return -1;
    }
    return 0;
}

int keys_check(reader *r) {
    const char *key;
    const json_node *value = NULL;
    unknown_list unknown = {0};
    while (json_next_member(r->lm, &value, &key))
        if (check_key(r, key, value, &unknown) != 0)
            return -1;
    if (check_section(r, "attn_config", &unknown) != 0 || check_section(r, "ffn_config", &unknown) != 0)
        return -1;
    if (unknown.count > 0)
        warn(r, "%zu unknown key%s taken as harmless: %s%s", unknown.count, unknown.count == 1 ? "" : "s",
             unknown.names, unknown.count > 12 ? ", ..." : "");
    return r->failed ? -1 : 0;
}
