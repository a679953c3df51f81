/* Private: what the parts of the config.json reader share.
 *
 *     JSON -> fields (one meaning, many spellings) -> shape (what the family makes of them) -> layers -> roof_model
 *             spellings.c                             shape.c, families_*.c                   layers.c, quant.c */
#ifndef ROOFLINE_READ_CONFIG_CONFIG_H
#define ROOFLINE_READ_CONFIG_CONFIG_H

#include "read/arena.h"
#include "roofline.h"
#include "roofline_read.h"
#include "json/tree.h"

/* A quantity that configs spell in many ways; spellings.c holds them. */
typedef enum field {
    FIELD_LAYERS,
    FIELD_HIDDEN,
    FIELD_HEADS,
    FIELD_KV_HEADS,
    FIELD_HEAD_WIDTH,
    FIELD_FFN,
    FIELD_FFN_TIMES,
    FIELD_DENSE_FFN,
    FIELD_VOCAB,
    FIELD_CONTEXT,
    FIELD_EMBEDDING_WIDTH,
    FIELD_TIED,
    FIELD_DTYPE,
    FIELD_ACTIVATION,
    FIELD_ATTENTION_BIAS,
    FIELD_BIAS,
    FIELD_NO_BIAS,
    FIELD_MLP_BIAS,
    FIELD_HEAD_BIAS,
    FIELD_QK_NORM,
    FIELD_PARALLEL,
    FIELD_WINDOW,
    FIELD_USE_WINDOW,
    FIELD_WINDOW_FROM,
    FIELD_PATTERN,
    FIELD_LAYER_TYPES,
    FIELD_CHUNK,
    FIELD_NO_ROPE_LAYERS,
    FIELD_EXPERTS,
    FIELD_TOP_K,
    FIELD_EXPERT_WIDTH,
    FIELD_SHARED_EXPERTS,
    FIELD_SHARED_WIDTH,
    FIELD_DENSE_FIRST,
    FIELD_MOE_EVERY,
    FIELD_MOE_INTERLEAVE,
    FIELD_SPARSE_STEP,
    FIELD_DENSE_LAYERS,
    FIELD_MOE_LAYERS,
    FIELD_ROUTER_BIAS,
    FIELD_TOPK_METHOD,
    FIELD_Q_RANK,
    FIELD_KV_RANK,
    FIELD_NOPE_WIDTH,
    FIELD_ROPE_WIDTH,
    FIELD_V_WIDTH,
    FIELD_MTP,
    FIELD_MTP_OFF,
    /* spelled by one family only */
    FIELD_MULTI_QUERY,
    FIELD_NEW_DECODER,
    FIELD_PARALLEL_NORMS,
    FIELD_ALIBI,
    FIELD_ROPE,
    FIELD_LEARNED,
    FIELD_NORM_BEFORE,
    FIELD_VERSION,
    FIELD_ATTENTION_LIST,
    FIELD_NEO_LAYERS,
    FIELD_NEO_GROUPS,
    FIELD_QK_NORM_KIND,
    FIELD_MULTI_GROUPS,
    FIELD_COUNT
} field;

enum { BIAS_QKV = 1, BIAS_OUT = 2, BIAS_MLP = 4, BIAS_HEAD = 8, BIAS_LINEAR = BIAS_QKV | BIAS_OUT | BIAS_MLP };
typedef enum window_rule {
    WINDOW_NONE,
    WINDOW_ALL,
    WINDOW_FLAGGED,
    WINDOW_PERIOD,
    WINDOW_CHUNKS,
    WINDOW_NEO
} window_rule;
typedef enum qk_rule {
    QK_NONE,
    QK_HEAD,
    QK_ALL,
    QK_FREE
} qk_rule; /* vectors of a head's width; of all heads; no weights */
typedef enum moe_rule { MOE_NONE, MOE_ALL, MOE_QWEN, MOE_FIRST_DENSE, MOE_INTERLEAVED, MOE_LISTED } moe_rule;

struct reader;
struct schema;
enum { OWN_MAX = 96 };
typedef struct preset {
    field field;
    double value;
} preset;
enum { PRESET_MAX = 6 };

/* A family is a row of families.c: what its classes do when the file does not say. */
typedef struct family {
    const char *label;           /* "llama" */
    const char *types, *classes; /* model_type and architectures spellings, as globs between spaces */
    const char *source;          /* where the defaults come from */
    roof_norm_kind norm;
    double norms;               /* norm vectors a layer; 0 means 2 */
    double extra_norms;         /* outside the layers; 0 means 1 */
    bool parallel, plain, tied; /* plain: two FFN matrices, no gate; tied: when the file does not say */
    bool learned;               /* a table of learned positions */
    double position_offset;     /* rows the table has beyond the context */
    double ffn_times;           /* FFN width is this many hidden widths when not stated; 0: must be stated */
    unsigned bias;              /* biases when the file does not say */
    unsigned attention_bias;    /* what "attention_bias": true means; 0: QKV and OUT */
    unsigned all_bias;          /* what "bias": true or "no_bias": false means; 0: QKV and OUT */
    qk_rule qk;
    bool qk_asked; /* Q and K norms only where the file asks for them */
    window_rule window;
    double period; /* WINDOW_PERIOD, WINDOW_CHUNKS: every period-th layer sees everything */
    moe_rule moe;
    bool expert_is_ffn; /* the expert's width is intermediate_size */
    bool router_bias, shared_gate, shared_is_expert, expert_bias;
    bool latent, sinks, mtp, no_rope;
    bool no_attention, no_mlp;            /* none needs to be described: no layer has one, or `adjust` says it all */
    preset presets[PRESET_MAX];           /* class defaults that files rely on; value 0 ends the list */
    const char *ignore;                   /* keys that look structural and are known not to be, in this family */
    int (*adjust)(struct reader *reader); /* what no column can say; -1 with the error filled */
    /* What a single layer has beyond the columns: called with the layer they describe. */
    int (*layer)(struct reader *reader, size_t index, roof_layer *out);
    int (*finish)(struct reader *reader, roof_model *model); /* encoders, towers: called with the model read so far */
} family;

/* A row: FAMILY("gpt2", "gpt2", "GPT2LMHeadModel", "modeling_gpt2.py", then what its class does of its own accord) */
#define FAMILY(family_label, model_types, class_names, ...)                                                            \
    { .label = family_label, .types = model_types, .classes = class_names, .source = __VA_ARGS__ }

/* Families come in groups, one a file. */
typedef struct family_group {
    const family *rows;
    size_t count;
} family_group;
extern const family_group decoder_families, state_families, fla_families, mixed_families, encoder_families;

const family *family_find(const char *model_type, const char *class_name); /* NULL */
const family *family_llama(void);                                          /* for unknown types */
/* Another schema than that of config.json: recognised by its keys, read as one of the families. */
typedef struct schema {
    const char *label;
    const char *marks, *absent; /* keys that must all be there, and keys of which none may be */
    const char *types;          /* family it is read as, by its model_type, when the file names none */
    struct {
        field field;
        const char *key;
    } keys[16]; /* spellings that hold in this schema, before all others; NULL ends the list */
} schema;
const schema *schema_find(const json_node *root); /* NULL */
/* A type this version cannot judge: what it is, and the key that shows it. */
typedef struct unsupported {
    const char *types, *key, *what;
} unsupported;
const unsupported *family_unsupported(const char *model_type);

/* What the file means, before it is a roof_model. */
typedef struct shape {
    double layers, hidden, heads, kv_heads, head_width, ffn, dense_ffn, vocab, context, embedding_width, positions;
    bool tied, parallel;
    roof_norm_kind norm;
    double norms, extra_norms;
    unsigned bias;
    double q_norm, k_norm;
    roof_dtype stored;
    double window, chunk, period, window_from; /* 0: none */
    const json_node *layer_types;
    double experts, top_k, expert_width, shared_width, dense_first, moe_every, sparse_step, mtp;
    bool shared_gate, router_bias;
    double q_rank, kv_rank, nope_width, rope_width, v_width;
    bool no_rope;
    roof_state_block state; /* of every layer that `layer_types` or the family says is one of state */
    const char *marks;      /* a letter a layer, in families that say so: '*' attention, 'M' state, others theirs */
    double vectors;         /* of the whole model */
    double extra_rows;      /* of the embedding table, beyond the vocabulary */
} shape;

typedef struct text_list {
    struct text_item *first, **last;
    size_t count;
} text_list;
struct text_item {
    struct text_item *next;
    const char *text;
};

struct roof_model_file {
    arena memory;
    text_list warnings, notes;
    roof_model model;
    bool titled;          /* model.name is the file's own word */
    size_t assumed_dtype; /* the warning, from 1, that says so; 0: the dtype was stated */
};

typedef struct reader {
    const json_node *root, *lm; /* the file; the part that describes the language model */
    const char *lm_path[2];     /* keys from root to lm */
    size_t lm_depth;
    const json_node *quant; /* root of the sibling quantisation file, or NULL */
    const family *family;
    const char *model_type; /* for messages; never NULL */
    bool guessed;           /* the family is not known */
    shape shape;
    const struct schema *schema;      /* NULL: that of config.json */
    unsigned short used[FIELD_COUNT]; /* a bit a spelling that was looked at and counted */
    const char *own[OWN_MAX];         /* keys of one family that were asked for */
    size_t own_count;
    char missing[280]; /* names of missing keys */
    roof_model_file *file;
    roof_error *error;
    long comparisons; /* of modules with patterns, bounded */
    bool failed;      /* error is filled: stop at the next chance */
} reader;

/* spellings.c: values by meaning. A null is absent; the first spelling present counts; others that disagree are an
 * error.
 */
const char *field_name(field f); /* the usual spelling */
const json_node *field_node(reader *r, field f, const char **key);
double field_number(reader *r, field f, double otherwise); /* any number: -1 means "off" in some keys */
double field_count(reader *r, field f, double otherwise);  /* a whole number from 0 to 2^40 */
double field_needed(reader *r, field f);                   /* same, at least 1; notes it as missing when absent */
bool field_flag(reader *r, field f, bool otherwise);
const char *field_text(reader *r, field f);
/* Keys of one family, by name, in the language model or `object`. `otherwise` is a class default and noted when used;
 * own_needed() notes the key as missing instead. Null is absent. */
const json_node *own_node(reader *r, const char *key);
double own_count(reader *r, const char *key, double otherwise);
double own_needed(reader *r, const char *key);
/* `value` of `key` where it can multiply a width, else an error and `otherwise`. */
double factor_checked(reader *r, const char *key, double value, double otherwise);
double own_factor(reader *r, const char *key, double otherwise); /* what a width is multiplied by */
double own_layers(reader *r, const char *key);                   /* needed; at most LAYERS_MAX */
bool own_flag(reader *r, const char *key, bool otherwise);
const char *own_text(reader *r, const char *key);
void missing(reader *r, const char *key); /* reported together, once the shape is read */
double own_at(reader *r, const char *key, size_t index, double otherwise); /* a number, or one of a list a layer */
bool field_is_used(const reader *r, const char *key);                      /* exact spelling, dotted for nested ones */
bool node_is_off(const json_node *node);                                   /* null, false, 0, "", [] or {} */

/* Messages. All take the key they are about, so that the place can be found. */
int fail_at(reader *r, roof_status code, const char *key, const char *format, ...) ROOF_PRINTF(4, 5);
void warn(reader *r, const char *format, ...) ROOF_PRINTF(2, 3);
void note(reader *r, const char *format, ...) ROOF_PRINTF(2, 3);
const char *keep_text(reader *r, const char *format, ...)
    ROOF_PRINTF(2, 3); /* lives as long as the file; NULL: failed is set */
void *keep(reader *r, size_t size);

/* shape.c, layers.c, unasked_keys.c, quant.c: the steps, each -1 with the error filled. */
int shape_read(reader *r);
int layers_build(reader *r);
int keys_check(reader *r);

/* layers.c: what a layer sees when the columns alone decide; layer_is() asks for a word of layer_types. */
bool layer_is(const reader *r, size_t index, const char *word);
void layer_state(reader *r, roof_layer *out); /* the state in the place of the attention */

/* tower.c: the vision tower of a wrapper; -1 with the reason when it is not counted. */
const json_node *tower_config(const reader *r); /* NULL */
int tower_read(reader *r, const char **why);

/* title.c: what a model is called that its file does not name: its folder, or the file itself. -1: no memory. */
bool title_is_name(const char *text);
int title_from_path(roof_model_file *file, const char *path, roof_error *error);
/* load.c: a config.json and the quantisation file beside it, with its title. NULL: error filled. */
roof_model_file *config_load(const char *path, roof_error *error);
bool is_pipe(const char *path); /* or a device: its bytes come once */
/* config.c: the same, for a model that was just read. NULL: `file` is freed, or was NULL. */
roof_model_file *titled_from_path(roof_model_file *file, const char *path, roof_error *error);

enum { LAYERS_MAX = 4096 }; /* of one stack: they are walked one by one */

enum { SCHEME_MAX = 4, MODULE_MAX = 8, MODULE_NAMES = 6 };

/* The matrices of a role in one layer: their names in the spellings seen, and their sizes. */
typedef struct matrix_info {
    const char *names[MODULE_NAMES]; /* the last is NULL */
    double rows, cols;
} matrix_info;
size_t role_matrices(const reader *r, const roof_layer *layer, roof_role role, matrix_info out[MODULE_MAX]);

/* Names of modules as a file lists them. */
typedef struct module_name {
    const char *text;
    long layer; /* the one layer it names; -1: any */
} module_name;

typedef struct pattern_list {
    module_name *patterns;
    size_t count;
    bool linear; /* "Linear" is among them: every linear layer */
} pattern_list;

/* How the weights are quantised. */
typedef struct schemes {
    size_t count; /* schemes; 0: nothing is quantised */
    roof_format format[SCHEME_MAX];
    pattern_list targets[SCHEME_MAX]; /* modules each applies to; empty: all linear layers */
    pattern_list ignore;              /* modules left as they are */
    bool experts_only, head_too, embedding_too, router_too;
} schemes;
int quant_read(reader *r, schemes *out);
/* 0: as stored; k: scheme k - 1. `layer` < 0 for modules outside the layers. */
int quant_scheme(reader *r, const schemes *q, long layer, const char *const *modules);

#endif
