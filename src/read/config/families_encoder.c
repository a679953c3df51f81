/* Encoders alone (BERT and its kin), and encoders beside a decoder (T5, Whisper). */
#include <math.h>
#include <string.h>

#include "read/config/config.h"

static const char *class_of(const reader *r) {
    const char *name = json_text(json_at(json_get(r->root, "architectures"), 0));
    return name ? name : "";
}

static bool ends(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* ---- Heads of encoders: which one a file has is the end of its class name ---- */

enum { LABELS = -1 }; /* as many outputs as the file has labels */
typedef struct encoder_head {
    const char *ending;
    bool transform, pooler, vocabulary; /* a square matrix a token and a norm; one a sequence; the tied table */
    double outputs, rate;               /* of a last small matrix; 0: none */
} encoder_head;

static const encoder_head heads[] = {
    {"ForMaskedLM", true, false, true, 0, 0},
    {"LMHeadModel", true, false, true, 0, 0},
    {"ForPreTraining", true, true, true, 2, 0},
    {"ForQuestionAnswering", false, false, false, 2, 1},
    {"ForTokenClassification", false, false, false, LABELS, 1},
    {"ForSequenceClassification", false, true, false, LABELS, 0},
    {"ForMultipleChoice", false, true, false, 1, 0},
    {"ForNextSentencePrediction", false, true, false, 2, 0},
    {"Model", false, true, false, 0, 0},
};

static double labels(const reader *r) {
    double count = json_number(json_get(r->root, "num_labels"), 0);
    size_t listed = json_size(json_get(r->root, "id2label"));
    return count > 0 ? count : listed > 0 ? (double)listed : 2;
}

static int add_head(reader *r, roof_model *model, const encoder_head *head, bool pooled) {
    roof_projection *back = keep(r, 3 * sizeof *back);
    double outputs = head->outputs == LABELS ? labels(r) : head->outputs, h = model->hidden;
    if (!back)
        return -1;
    size_t n = 0;
    if (head->transform)
        back[n++] = (roof_projection){"transform", h, h, 1, true};
    if (head->pooler && pooled)
        back[n++] = (roof_projection){"pooler", h, h, 0, true};
    if (outputs > 0)
        back[n++] = (roof_projection){"classifier", outputs, h, head->rate, true};
    model->back = n > 0 ? back : NULL;
    model->back_count = n;
    model->headless = !head->vocabulary;
    model->head_bias = head->vocabulary;
    if (head->transform)
        model->extra_norms++;
    model->tied = true; /* the small heads use no table, the large one uses that of the embedding */
    return 0;
}

static int encoder_head_of(reader *r, roof_model *model, bool pooled) {
    const char *name = class_of(r);
    model->bidirectional = true;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (ends(name, heads[i].ending))
            return add_head(r, model, &heads[i], pooled);
    if (*name)
        warn(r, "the head of class '%.60s' is unknown and not counted", name);
    return add_head(r, model, &heads[sizeof heads / sizeof heads[0] - 1], false);
}

static int bert_finish(reader *r, roof_model *model) {
    model->token_types = own_count(r, "type_vocab_size", 2);
    return encoder_head_of(r, model, true);
}

static int bert(reader *r) {
    const char *positions = own_text(r, "position_embedding_type");
    if (positions && strcmp(positions, "absolute") != 0)
        return fail_at(r, ROOF_EUNSUPPORTED, "position_embedding_type",
                       "key 'position_embedding_type' is '%.30s', and only absolute positions are known", positions);
    if (own_flag(r, "is_decoder", false) || own_flag(r, "add_cross_attention", false))
        return fail_at(r, ROOF_EUNSUPPORTED, "is_decoder", "a bert model as decoder cannot be judged by this version");
    return 0;
}

static int distilbert_finish(reader *r, roof_model *model) {
    const char *name = class_of(r);
    if (ends(name, "ForSequenceClassification") || ends(name, "ForMultipleChoice"))
        return encoder_head_of(r, model, true); /* its pre_classifier is a pooler */
    return encoder_head_of(r, model, false);
}

static int rotary_finish(reader *r, roof_model *model) {
    model->token_types = own_node(r, "type_vocab_size") ? own_count(r, "type_vocab_size", 0) : 0;
    return encoder_head_of(r, model, false);
}

static int nomic(reader *r) {
    const char *activation = field_text(r, FIELD_ACTIVATION);
    static const char *const off[] = {"qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias",
                                      "prenorm",       "num_experts",  "use_rms_norm"};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        if (!node_is_off(own_node(r, off[i])))
            return fail_at(r, ROOF_EUNSUPPORTED, off[i], "key '%s' is on, which is unknown for nomic_bert", off[i]);
    if (activation && strcmp(activation, "swiglu") != 0 && strcmp(activation, "silu") != 0)
        return fail_at(r, ROOF_EUNSUPPORTED, "activation_function",
                       "activation '%.20s' of nomic_bert is not known to be gated", activation);
    return 0;
}

/* Of gte and nomic in their own code: only the last matrix of the MLP has a bias. */
static int gte_layer(reader *r, size_t index, roof_layer *out) {
    (void)index;
    out->mlp.bias = false;
    out->vectors = r->shape.hidden;
    return 0;
}

static int modernbert(reader *r) {
    shape *s = &r->shape;
    s->window = 2 * floor(own_count(r, "local_attention", 128) / 2) + 1; /* half to each side, and the token itself */
    s->norm = own_flag(r, "norm_bias", false) ? ROOF_NORM_LAYER : ROOF_NORM_LAYER_NO_BIAS;
    (void)own_node(r, "global_attn_every_n_layers");
    (void)own_node(r, "decoder_bias");
    (void)own_node(r, "classifier_bias");
    return 0;
}

static int modernbert_layer(reader *r, size_t index, roof_layer *out) {
    double every =
        own_node(r, "global_attn_every_n_layers") ? fmax(own_count(r, "global_attn_every_n_layers", 3), 1) : 3;
    bool full = r->shape.layer_types ? layer_is(r, index, "full_attention") : fmod((double)index, every) == 0;
    out->attention.kind = full ? ROOF_ATTENTION_FULL : ROOF_ATTENTION_SLIDING;
    out->attention.window = full ? 0 : r->shape.window;
    out->norms = index == 0 ? 1 : 2; /* the embedding was normed a moment ago */
    return 0;
}

static int modernbert_finish(reader *r, roof_model *model) {
    static const char *const known[] = {"Model", "ForMaskedLM"};
    const char *name = class_of(r);
    model->bidirectional = true;
    bool masked = ends(name, known[1]);
    if (!masked && *name && !ends(name, known[0]))
        warn(r, "the head of class '%.60s' is unknown and not counted", name);
    roof_projection *back = keep(r, sizeof *back);
    if (!back)
        return -1;
    *back = (roof_projection){"transform", model->hidden, model->hidden, 1, own_flag(r, "classifier_bias", false)};
    model->tied = true;
    model->headless = !masked;
    if (!masked)
        return 0;
    model->back = back;
    model->back_count = 1;
    model->extra_norms++;
    model->head_bias = own_flag(r, "decoder_bias", true);
    return 0;
}

/* ---- An encoder beside the decoder ---- */

/* A copy of the model's outside and one kind of layer, for an encoder of `count` layers. */
static roof_model *new_encoder(reader *r, const roof_model *model, double count, roof_layer **only) {
    roof_model *encoder = keep(r, sizeof *encoder);
    roof_layer *layer = keep(r, sizeof *layer);
    if (!encoder || !layer)
        return NULL;
    *only = layer;
    *layer = model->layers[0];
    layer->count = count;
    memset(&layer->cross, 0, sizeof layer->cross);
    layer->norms = 2;
    *encoder = (roof_model){
        .id = "encoder",
        .name = "encoder",
        .family = model->family,
        .hidden = model->hidden,
        .embedding_width = model->hidden,
        .norm = model->norm,
        .extra_norms = 1,
        .layers = layer,
        .layer_count = 1,
        .embedding = model->embedding,
        .head = model->head,
        .stored = model->stored,
        .bidirectional = true,
        .headless = true,
    };
    return encoder;
}

static int t5(reader *r) {
    shape *s = &r->shape;
    s->layers = own_node(r, "num_decoder_layers") ? own_layers(r, "num_decoder_layers") : s->layers;
    s->head_width = own_needed(r, "d_kv");
    static const char *const asked[] = {"num_layers",
                                        "relative_attention_num_buckets",
                                        "relative_attention_max_distance",
                                        "is_gated_act",
                                        "is_encoder_decoder",
                                        "feed_forward_proj",
                                        "dense_act_fn",
                                        "output_past",
                                        "d_kv",
                                        "decoder_start_token_id"};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        (void)own_node(r, asked[i]);
    return 0;
}

static bool t5_gated(reader *r) {
    const char *kind = own_text(r, "feed_forward_proj");
    return own_node(r, "is_gated_act") ? own_flag(r, "is_gated_act", false) : kind && strncmp(kind, "gated", 5) == 0;
}

/* umT5 has a table of relative positions in every layer, the others one in the first. */
static double t5_positions(reader *r, bool every) {
    double buckets =
        own_node(r, "relative_attention_num_buckets") ? own_count(r, "relative_attention_num_buckets", 32) : 32;
    return (strcmp(r->model_type, "umt5") == 0) == every ? buckets * r->shape.heads : 0;
}

static int t5_layer(reader *r, size_t index, roof_layer *out) {
    (void)index;
    out->mlp.gated = t5_gated(r);
    out->cross = out->attention;
    out->norms = 3;
    out->vectors = t5_positions(r, true);
    return 0;
}

static int t5_finish(reader *r, roof_model *model) {
    double count = own_node(r, "num_layers") ? own_layers(r, "num_layers") : field_needed(r, FIELD_LAYERS);
    roof_layer *layer;
    roof_model *encoder = new_encoder(r, model, count, &layer);
    if (!encoder)
        return -1;
    model->vectors = encoder->vectors = t5_positions(r, false);
    model->encoder = encoder;
    return r->failed ? -1 : 0;
}

static int whisper(reader *r) {
    shape *s = &r->shape;
    s->layers = own_layers(r, "decoder_layers");
    s->heads = s->kv_heads = own_needed(r, "decoder_attention_heads");
    s->ffn = own_needed(r, "decoder_ffn_dim");
    s->positions = s->context = own_count(r, "max_target_positions", 448);
    s->head_width = floor(s->hidden / s->heads);
    (void)own_layers(r, "encoder_layers");
    (void)own_needed(r, "encoder_attention_heads");
    (void)own_needed(r, "encoder_ffn_dim");
    (void)own_count(r, "num_mel_bins", 80);
    static const char *const asked[] = {"max_source_positions",   "is_encoder_decoder", "classifier_proj_size",
                                        "use_weighted_layer_sum", "num_hidden_layers",  "scale_embedding"};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        (void)own_node(r, asked[i]);
    if (!r->missing[0] &&
        (s->head_width * s->heads != s->hidden || fmod(s->hidden, own_count(r, "encoder_attention_heads", 1)) != 0))
        return fail_at(r, ROOF_EFORMAT, "decoder_attention_heads",
                       "d_model %.0f is not a multiple of its attention heads", s->hidden);
    return 0;
}

static int whisper_layer(reader *r, size_t index, roof_layer *out) {
    (void)r;
    (void)index;
    out->attention.no_k_bias = true;
    out->cross = out->attention;
    out->norms = 3;
    return 0;
}

static int whisper_finish(reader *r, roof_model *model) {
    double d = model->hidden, mel = own_count(r, "num_mel_bins", 80);
    roof_layer *layer;
    roof_model *encoder = new_encoder(r, model, own_layers(r, "encoder_layers"), &layer);
    roof_projection *front = keep(r, 2 * sizeof *front);
    if (!encoder || !front)
        return -1;
    layer->attention.heads = layer->attention.kv_heads = own_needed(r, "encoder_attention_heads");
    layer->attention.head_width = layer->attention.value_width = d / layer->attention.heads;
    layer->mlp.width = own_needed(r, "encoder_ffn_dim");
    front[0] = (roof_projection){"convolution", d, 3 * mel, 2, true};
    front[1] = (roof_projection){"convolution", d, 3 * d, 1, true};
    encoder->front = front;
    encoder->front_count = 2;
    encoder->positions = encoder->context_max = own_count(r, "max_source_positions", 1500);
    model->encoder = encoder;
    return r->failed ? -1 : 0;
}

static const family rows[] = {
    FAMILY("bert", "bert", "BertModel BertForMaskedLM BertForPreTraining", "modeling_bert.py", .norm = ROOF_NORM_LAYER,
           .plain = true, .tied = true, .learned = true, .bias = BIAS_LINEAR, .adjust = bert, .finish = bert_finish,
           .ignore = "type_vocab_size position_embedding_type pooler_* directionality num_labels "
                     "gradient_checkpointing"),
    FAMILY("roberta", "roberta xlm-roberta camembert",
           "RobertaModel RobertaForMaskedLM XLMRobertaModel XLMRobertaForMaskedLM",
           "modeling_roberta.py, modeling_xlm_roberta.py", .norm = ROOF_NORM_LAYER, .plain = true, .tied = true,
           .learned = true, .bias = BIAS_LINEAR, .adjust = bert, .finish = bert_finish,
           .ignore = "type_vocab_size position_embedding_type output_past num_labels"),
    FAMILY("distilbert", "distilbert", "DistilBertModel DistilBertForMaskedLM", "modeling_distilbert.py",
           .norm = ROOF_NORM_LAYER, .plain = true, .tied = true, .learned = true, .bias = BIAS_LINEAR,
           .finish = distilbert_finish,
           .ignore = "sinusoidal_pos_embds tie_weights_ num_labels qa_dropout seq_classif_dropout"),
    FAMILY("nomic-bert", "nomic_bert", "NomicBertModel", "nomic-bert-2048 modeling_hf_nomic_bert.py",
           .norm = ROOF_NORM_LAYER, .tied = true, .adjust = nomic, .finish = rotary_finish,
           .ignore =
               "causal embd_pdrop expand_* mlp_* moe_* num_labels pad_vocab_size_multiple "
               "parallel_block parallel_block_tied_norm qkv_proj_bias router_* scale_attn* use_flash_attn use_xentropy "
               "ffn_div attn_pdrop fused_bias_fc fused_dropout_add_ln layer_norm_epsilon max_trained_positions "
               "rotary_* head_dim moe_every_n_layers"),
    FAMILY("gte", "new", "NewModel NewForMaskedLM", "Alibaba-NLP/new-impl modeling.py", .norm = ROOF_NORM_LAYER,
           .tied = true, .bias = BIAS_QKV | BIAS_OUT, .layer = gte_layer, .finish = rotary_finish,
           .ignore =
               "type_vocab_size pack_qkv layer_norm_type logn_attention_* unpad_inputs use_memory_efficient_attention "
               "position_embedding_type num_labels"),
    FAMILY("modernbert", "modernbert", "ModernBertModel ModernBertForMaskedLM", "modeling_modernbert.py",
           .norm = ROOF_NORM_LAYER_NO_BIAS, .extra_norms = 2, .tied = true, .adjust = modernbert,
           .layer = modernbert_layer, .finish = modernbert_finish,
           .ignore = "classifier_* decoder_bias sparse_pred* reference_compile repad_logits* deterministic_flash_attn "
                     "global_rope_theta local_rope_theta norm_bias num_labels layer_norm_eps gradient_checkpointing "
                     "position_embedding_type embedding_dropout initializer_cutoff_factor"),
    FAMILY("t5", "t5 mt5 umt5",
           "T5ForConditionalGeneration MT5ForConditionalGeneration UMT5ForConditionalGeneration "
           "T5WithLMHeadModel",
           "modeling_t5.py, modeling_umt5.py", .norm = ROOF_NORM_RMS, .plain = true, .tied = true, .no_rope = true,
           .adjust = t5, .layer = t5_layer, .finish = t5_finish,
           .ignore = "d_ff d_kv num_layers num_decoder_layers tokenizer_class scalable_attention"),
    FAMILY("whisper", "whisper", "WhisperForConditionalGeneration", "modeling_whisper.py", .norm = ROOF_NORM_LAYER,
           .plain = true, .tied = true, .bias = BIAS_LINEAR, .no_rope = true, .no_mlp = true,
           .presets = {{FIELD_HEADS, 1}, {FIELD_LAYERS, 1}}, .adjust = whisper, .layer = whisper_layer,
           .finish = whisper_finish,
           .ignore = "mask_* begin_suppress_tokens median_filter_width lang_ids alignment_heads num_hidden_layers "
                     "encoder_layerdrop decoder_layerdrop apply_spec_augment is_multilingual input_channels lang_to_id "
                     "task_to_id no_timestamps* prev_sot* max_initial_timestamp_index use_cache"),
};

const family_group encoder_families = {rows, sizeof rows / sizeof rows[0]};
