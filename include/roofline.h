/* roofline.h - what limits an operation on a machine, by how much, and what would help.
 *
 * #include <roofline.h>
 * #include <stdio.h>
 *
 * int main(void) {
 *     roof_argument shape[] = {{.name = "m", .value = 8}, {.name = "n", .value = 14336},
 *                              {.name = "k", .value = 4096}};
 *     roof_operation gemm;
 *     roof_machine machine;
 *     roof_verdict verdict;
 *     roof_error error;
 *     if (roof_operation_build(ROOF_KIND_GEMM, shape, 3, &gemm, &error) ||
 *         roof_machine_find("h100-sxm", &machine, NULL, 0, &error) ||
 *         roof_judge(&machine, &gemm, &verdict, &error))
 *         return fprintf(stderr, "%s\n", error.what), 1;
 *     printf("%s-bound, at least %.1f us\n", roof_bound_name(verdict.bound),
 *            verdict.seconds * 1e6);
 * }
 *
 * prints: memory-bound, at least 35.1 us
 *
 * Model    An operation takes max over roofs (FLOPs / peak, bytes / bandwidth, link bytes / link +
 *          latency); a phase takes the SUM over its operations. docs/model.md derives everything.
 * Units    SI base units in doubles: FLOP, byte, second, FLOP/s, byte/s. 1 GB = 1e9 bytes. An FMA
 *          is 2 FLOPs.
 * Values   Structs are plain: copy them, build them by hand. A member that is zero means the
 *          default its comment names. Zero is never "unknown": a figure is unknown when its origin
 *          is ROOF_ORIGIN_UNKNOWN.
 * Memory   Only handles own memory (opaque types, pages 9, 11 and 12). Strings in structs are
 *          static or belong to whoever made the struct. A pointer argument may be NULL only where
 *          its comment says so, and in three places always: the error, an array whose count is 0,
 *          a buffer whose size is 0.
 * Errors   What can fail takes a roof_error * last (NULL allowed) and returns -1 or NULL; 0 is
 *          success.
 * Threads  No global state, no output, no exit, no environment: safe from any thread.
 * Names    An enumerator carries its type's name (ROOF_BOUND_MEMORY). Data types, units and levels
 *          are words of the field and stay short: ROOF_BF16, ROOF_MATRIX, ROOF_DRAM.
 *
 * Pages, in rising difficulty:
 *
 *     roofline.h    1 basics  2 machines  3 operations  4 the verdict  5 work: shapes to operations
 *                   6 models  7 advice  8 the catalogue
 *     roofline_read.h      9 files         roofline_chart.h    10 charts
 *     roofline_measure.h  11 measuring     roofline_profile.h  12 profiles
 *     roofline_expected.h 13 expected times */
#ifndef ROOFLINE_H
#define ROOFLINE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* everything here is public, nothing else is */
#endif

/* ================================================================== 1. basics == */

/* Versions, errors, data types: what every other page uses. */

#define ROOF_VERSION "0.1.0"
const char *roof_version(void); /* version of the library actually linked */

typedef enum roof_status {
    ROOF_OK,
    ROOF_ENOMEM, /* out of memory */
    ROOF_EIO,    /* a file could not be read or written */
    /* input is not what it should be; `offset` and `line` say where, when known */
    ROOF_EFORMAT,
    ROOF_EUNSUPPORTED, /* understood, but this version cannot judge it */
    ROOF_ENOTFOUND,    /* no such machine, model, operation or roof */
    ROOF_EARGUMENT     /* a value is out of range or missing */
} roof_status;

/* What would help, for a program to say in the words of its own options. The library knows no
 * program. */
typedef enum roof_remedy {
    ROOF_REMEDY_NONE,
    ROOF_REMEDY_DTYPE, /* judge in another data type; subject: which, "f16" */
    /* say the link's bandwidth, one direction; subject: one, "64GB/s" */
    ROOF_REMEDY_LINK,
    /* ask for the whole operation; subject: an example, "gemm m=8 n=14336 k=4096" */
    ROOF_REMEDY_OPERATION,
    /* give a graph's open dimensions; subject: their names, "batch,sequence" */
    ROOF_REMEDY_DIMENSION,
    ROOF_REMEDY_DECIMAL,       /* say which sign is the decimal mark of the file */
    ROOF_REMEDY_MODEL,         /* name the model that was run */
    ROOF_REMEDY_MACHINE_FILE,  /* start from the file of a known machine; subject: its id */
    ROOF_REMEDY_LIST_MACHINES, /* look at what there is */
    ROOF_REMEDY_LIST_MODELS,
    ROOF_REMEDY_LIST_OPERATIONS,
    ROOF_REMEDY_LIST_PARAMETERS, /* subject: the kind of operation */
    ROOF_REMEDY_LIST_FORMATS,
    ROOF_REMEDY_COUNT
} roof_remedy;

typedef struct roof_error {
    roof_status code;
    long offset, line; /* place in the input, or -1 */
    char what[320];    /* one line, lower case, no full stop: "key 'hidden_size' is missing" */
    /* "" or one line to follow, whatever the program: "did you mean 'h100-sxm'?" */
    char hint[240];
    roof_remedy remedy; /* stands alone or after the hint */
    char subject[160];  /* what the remedy is about, or "" */
} roof_error;

/* Fill `error` (NULL allowed) printf-style and return -1, so that callers can `return
 * roof_fail(...)`. */
#ifdef __GNUC__
#define ROOF_PRINTF(at, first) __attribute__((__format__(__printf__, at, first)))
#else
#define ROOF_PRINTF(at, first)
#endif
int roof_fail(roof_error *error, roof_status code, const char *format, ...) ROOF_PRINTF(3, 4);
/* add the hint to an error already filled */
void roof_hint(roof_error *error, const char *format, ...) ROOF_PRINTF(2, 3);

/* add a remedy likewise; subject: "" for none */
void roof_suggest(roof_error *error, roof_remedy remedy, const char *subject);

/* Text goes to your callback; return nonzero to stop. `context` is yours and comes back as it was
 * given, so it may be NULL. */
typedef int (*roof_write)(void *context, const char *bytes, size_t length);

/* Data types. Sizes are exact: MXFP4 carries one 8-bit scale per 32 elements (4.25 bits), NVFP4 one
 * FP8 scale per 16 (4.5 bits), MXFP8 8.25, MXFP6 6.25. Sources: OCP MX v1.0; NVIDIA NVFP4 note
 * (docs/model.md, "Data types"). */
/* Laid out by hand: floats by width, then integers. */
/* clang-format off */
typedef enum roof_dtype {
    ROOF_DTYPE_NONE, /* not stated */
    ROOF_F64, ROOF_F32, ROOF_TF32, ROOF_F16, ROOF_BF16,
    ROOF_FP8,  /* e4m3 */
    ROOF_FP8_E5M2, ROOF_MXFP8, ROOF_FP6, ROOF_MXFP6, ROOF_FP4, ROOF_MXFP4, ROOF_NVFP4,
    ROOF_INT32, ROOF_INT16, ROOF_INT8, ROOF_INT4,
    ROOF_DTYPE_COUNT
} roof_dtype;
/* clang-format on */

const char *roof_dtype_name(roof_dtype dtype); /* "bf16"; "none" for ROOF_DTYPE_NONE */
/* stored bits per element, block scales included; 0 for NONE */
double roof_dtype_bits(roof_dtype dtype);
double roof_dtype_bytes(roof_dtype dtype); /* bits / 8 */
/* the roof it multiplies under: MXFP8 and FP8_E5M2 -> FP8, NVFP4 -> FP4 */
roof_dtype roof_dtype_math(roof_dtype dtype);
/* "bf16", "bfloat16", "torch.bfloat16", "half", "int8", "w4"...; NONE if unknown */
roof_dtype roof_dtype_parse(const char *text);

/* ================================================================ 2. machines == */

/* A machine is a set of roofs: peaks by unit and data type, bandwidths by level, a link. Every
 * figure carries where it came from. Build one by hand, find one on page 8, or read one on page
 * 9. */

/* Where a number came from travels with it. */
typedef enum roof_origin {
    ROOF_ORIGIN_UNKNOWN,
    ROOF_ORIGIN_DATASHEET,
    ROOF_ORIGIN_MEASURED,
    ROOF_ORIGIN_DERIVED,
    ROOF_ORIGIN_GIVEN
} roof_origin;
const char *roof_origin_name(roof_origin origin);

typedef struct roof_figure {
    double value;
    roof_origin origin; /* ROOF_ORIGIN_UNKNOWN: there is no value */
    bool unchecked;     /* the source itself is marked as not checked */
    const char *source; /* source keys as in docs/catalog.md, or a note; may be NULL */
} roof_figure;

/* MATRIX stands for tensor cores, MFMA, AMX and MXU. */
typedef enum roof_unit { ROOF_VECTOR, ROOF_MATRIX, ROOF_UNIT_COUNT } roof_unit;
/* HBM and GDDR count as DRAM. */
typedef enum roof_level { ROOF_DRAM, ROOF_L3, ROOF_L2, ROOF_L1, ROOF_LEVEL_COUNT } roof_level;
const char *roof_unit_name(roof_unit unit);
const char *roof_level_name(roof_level level);

typedef struct roof_machine {
    const char *id, *name; /* "h100-sxm", "NVIDIA H100 SXM 80 GB" */
    /* any may be NULL; scope: "GPU", "die", "socket" */
    const char *vendor, *architecture, *scope, *memory_kind, *link_kind, *note;
    int year; /* 0: not known */
    /* FLOP/s (OP/s for integers), DENSE, F32 accumulate (I32 for integers) */
    roof_figure peak[ROOF_UNIT_COUNT][ROOF_DTYPE_COUNT];
    roof_figure narrow[ROOF_DTYPE_COUNT];    /* matrix peak with F16 accumulate, a separate roof */
    roof_figure sparse[ROOF_DTYPE_COUNT];    /* matrix peak with 2:4 sparsity, a separate roof */
    roof_figure bandwidth[ROOF_LEVEL_COUNT]; /* byte/s */
    roof_figure size[ROOF_LEVEL_COUNT];      /* bytes; [ROOF_DRAM] is the capacity */
    roof_figure usable;                      /* bytes of DRAM the software sees, where known */
    /* byte/s, ONE direction, per device, inside the scale-up domain */
    roof_figure link;
    roof_figure link_latency; /* seconds per step */
    roof_figure link_devices; /* devices in the scale-up domain */
    roof_figure host_link;    /* byte/s, one direction */
    /* seconds of launch overhead an operation; unknown: none is counted */
    roof_figure launch;
    roof_figure units, clock, power, price; /* SMs, CUs or cores; Hz under matrix load; W; USD/h */
    /* page 13: what runs taught about it; NULL: nothing */
    const struct roof_calibration *calibration;
    size_t calibration_count;
    /* page 13: rates by pattern, where measured; NULL: not known */
    const struct roof_sustained *sustained;
} roof_machine;

/* The roof (dense) that work of `dtype` on `unit` runs under, or NULL. MATRIX falls back to VECTOR
 * where the machine has no matrix unit for the dtype (and takes the higher of both where it has
 * two). Aliases of a dtype share a roof. */
const roof_figure *roof_machine_peak(const roof_machine *machine, roof_unit unit, roof_dtype dtype);
/* The dtype to use instead where there is no roof (bf16 -> f16 -> f32 ...), or ROOF_DTYPE_NONE. */
roof_dtype roof_machine_substitute(const roof_machine *machine, roof_unit unit, roof_dtype dtype);
/* peak / DRAM bandwidth in FLOP per byte; 0 when either is unknown. */
double roof_machine_ridge(const roof_machine *machine, roof_unit unit, roof_dtype dtype);
/* Bandwidth of a memory bus as a driver reports it: bits / 8 * hertz * transfers a clock (2 for
 * double data rate). */
double roof_bus_bandwidth(double bits, double hertz, double transfers);
/* Usable bytes of DRAM: what software sees where known, else the size; 0 when unknown. */
double roof_machine_capacity(const roof_machine *machine);

/* ============================================================== 3. operations == */

/* An operation is its costs: FLOPs by unit and data type, bytes by level, what goes over the
 * link. The functions of page 5 fill one from a shape; a custom one is filled by hand. */

/* Laid out by hand: a row a family. */
/* clang-format off */
typedef enum roof_kind {
    ROOF_KIND_GEMM, ROOF_KIND_GEMV, ROOF_KIND_GROUPED_GEMM, ROOF_KIND_ATTENTION,
    ROOF_KIND_RECURRENCE, ROOF_KIND_CONV, ROOF_KIND_CONV_TRANSPOSED,
    ROOF_KIND_LAYER_NORM, ROOF_KIND_RMS_NORM, ROOF_KIND_SOFTMAX, ROOF_KIND_ELEMENTWISE,
    ROOF_KIND_REDUCTION, ROOF_KIND_EMBEDDING,
    ROOF_KIND_COPY, ROOF_KIND_SCALE, ROOF_KIND_ADD, ROOF_KIND_TRIAD, ROOF_KIND_DOT, ROOF_KIND_AXPY,
    ROOF_KIND_SPMV, ROOF_KIND_STENCIL, ROOF_KIND_FFT,
    ROOF_KIND_ALL_REDUCE, ROOF_KIND_ALL_GATHER, ROOF_KIND_REDUCE_SCATTER, ROOF_KIND_ALL_TO_ALL,
    ROOF_KIND_POINT_TO_POINT,
    ROOF_KIND_CUSTOM, ROOF_KIND_COUNT
} roof_kind;
/* clang-format on */

enum { ROOF_SHAPE_MAX = 28, ROOF_OPERAND_MAX = 5 };

/* Costs are those of ONE execution; `count` says how many there are. */
typedef struct roof_operation {
    roof_kind kind;
    /* its role: "qkv", "attention"; the kind's name when it stands alone */
    const char *name;
    double count;
    double shape[ROOF_SHAPE_MAX]; /* in the order of roof_kind_info(kind)->parameters */
    /* same order as the kind's dtype parameters; [0] is always `dtype`, the main one */
    roof_dtype dtype[ROOF_OPERAND_MAX];
    /* counted apart; vector: softmax, norms, activations, bias */
    double matrix_flops, vector_flops;
    roof_dtype matrix_dtype, vector_dtype; /* the roofs they run under */
    /* judge matrix_flops under machine->narrow / machine->sparse */
    bool narrow_accumulate, sparse;
    double bytes[ROOF_LEVEL_COUNT]; /* traffic; 0 above DRAM: not known, not judged there */
    /* parts of bytes[ROOF_DRAM]: weights read; KV cache read and written */
    double weight_bytes, cache_bytes;
    /* range of bytes[ROOF_DRAM] where it is an expectation (experts); else both equal it */
    double least_bytes, most_bytes;
    double link_bytes, link_steps; /* bytes one device sends over its link; latency steps */
    /* some cost is unknown and left out: totals are "at least" */
    bool at_least;
} roof_operation;

const char *roof_kind_name(roof_kind kind);                   /* "gemm" */
double roof_operation_flops(const roof_operation *operation); /* matrix + vector, one execution */

/* ============================================================= 4. the verdict == */

/* The heart: one operation under one machine's roofs, and sums of such verdicts. A phase is
 * never judged as one lump: its norms and activations have roofs of their own. */

typedef enum roof_bound {
    ROOF_BOUND_NONE,
    ROOF_BOUND_COMPUTE,
    ROOF_BOUND_MEMORY,
    ROOF_BOUND_LINK,
    ROOF_BOUND_LATENCY,
    ROOF_BOUND_COUNT
} roof_bound;
const char *roof_bound_name(roof_bound bound); /* "compute", "memory", "link", "latency", "none" */

typedef struct roof_verdict {
    roof_bound bound;
    roof_unit unit; /* of the work whose compute roof binds, or would */
    /* of that roof: VECTOR for matrix work where no matrix roof of the dtype is higher */
    roof_unit under;
    roof_dtype dtype; /* of that compute roof */
    roof_level level; /* of the memory roof that binds, or would */
    double seconds;   /* least possible time of ONE execution, launch included */
    double compute_seconds, memory_seconds, link_seconds, launch_seconds;
    double intensity; /* FLOPs / DRAM bytes; infinite without bytes */
    /* intensity at which compute would bind: compute roof / memory roof; 0 when either is
     * unknown */
    double ridge;
    double attainable; /* FLOP/s at that time */
    /* binding time / next time, >= 1; infinite when nothing else costs anything */
    double margin;
} roof_verdict;

/* Judge one execution. -1: a roof the work needs does not exist on the machine (the hint names the
 * substitute). */
int roof_judge(const roof_machine *machine, const roof_operation *operation, roof_verdict *verdict,
               roof_error *error);

/* The name of the roof that binds, e.g. "bf16 matrix", "DRAM", "link"; written to buffer, which is
 * returned. */
const char *roof_verdict_roof(const roof_verdict *verdict, char *buffer, size_t size);

/* A sum over operations: one phase. Start from zero; totals include each operation's count. */
typedef struct roof_sum {
    double seconds, flops, matrix_flops, attention_flops, bytes, weight_bytes, cache_bytes,
        link_bytes;
    double bound_seconds[ROOF_BOUND_COUNT]; /* seconds by roof_bound */
    double least_bytes, most_bytes;
    size_t operations;
    bool at_least;
} roof_sum;

void roof_sum_add(roof_sum *sum, const roof_operation *operation, const roof_verdict *verdict);
roof_bound roof_sum_bound(const roof_sum *sum); /* the bound with the largest share of the time */

/* =========================================== 5. work: shapes to operations == */

/* From m, n, k to FLOPs and bytes. By name through the table of kinds (what a command line
 * needs), or by typed functions (what a program that knows its shapes needs). */

/* What one parameter of a kind means; the command line, `roofline ops` and the docs are made from
 * this table. */
typedef enum roof_parameter_type {
    ROOF_PARAMETER_COUNT,
    ROOF_PARAMETER_REAL,
    ROOF_PARAMETER_FLAG,
    ROOF_PARAMETER_DTYPE
} roof_parameter_type;

typedef struct roof_parameter {
    const char *name; /* "m" */
    /* DTYPE parameters fill operation.dtype[], the others operation.shape[] */
    roof_parameter_type type;
    bool required;
    /* value when absent (for DTYPE a roof_dtype; NONE: same as `dtype`) */
    double preset;
    double least, most;  /* allowed range, inclusive */
    const char *summary; /* "rows of A and C" */
} roof_parameter;

typedef struct roof_kind_info {
    const char *name, *alias; /* alias: comma-separated, may be NULL */
    const char *summary;      /* "C[m,n] = A[m,k] B[k,n]" */
    const roof_parameter *parameters;
    size_t parameter_count;
    const char *flops, *bytes; /* formulas as text */
    const char *source;        /* where the formula comes from */
    const char *example;       /* "m=8 n=14336 k=4096" */
} roof_kind_info;

const roof_kind_info *roof_kind_describe(roof_kind kind); /* NULL past the end */
/* by name or alias; the hint offers the nearest */
int roof_kind_find(const char *name, roof_kind *kind, roof_error *error);

typedef struct roof_argument {
    const char *name;
    double value;
    roof_dtype dtype;
} roof_argument;

/* Build an operation of `kind` from named arguments (defaults filled in, ranges checked, unknown
 * names refused). */
int roof_operation_build(roof_kind kind, const roof_argument *arguments, size_t count,
                         roof_operation *out, roof_error *error);

/* The value of one parameter of an operation by the name its kind gives the parameter ("m" of a
 * gemm, "window" of an attention), so that no caller counts places in shape[]. *value is in the
 * parameter's own unit (roof_kind_describe()); of a dtype parameter it is the roof_dtype. A name
 * the kind does not have: -1, ROOF_EARGUMENT and the nearest names as the hint, *value untouched.
 */
int roof_operation_parameter(const roof_operation *operation, const char *name, double *value,
                             roof_error *error);

/* The formulas of an operation with its numbers put in, as lines of text ending in '\n'. Returns
 * the length it would have written (as snprintf). */
size_t roof_operation_explain(const roof_operation *operation, char *buffer, size_t size);

/* How a weight matrix is stored. bytes = rows*cols*bits/8 + blocks*(scale_bits + zero_bits)/8. */
typedef struct roof_format {
    const char *name; /* "bf16", "awq-int4-g128", "fp8-128x128" */
    bool unknown;     /* the file names a scheme we do not know: bytes are unknown */
    roof_dtype dtype; /* the element */
    double bits;      /* bits of one element's code, scales excluded */
    /* output rows that share a scale: 1 for group-wise, 128 for block-FP8; 0: all (per tensor) */
    double block_rows;
    double block_cols;            /* inputs that share a scale: the group size; 0: all of them */
    double scale_bits, zero_bits; /* per block */
    /* dtype the multiplication runs in; ROOF_DTYPE_NONE: that of the activations (weight-only) */
    roof_dtype math;
} roof_format;

/* every weight `dtype`; math = the same dtype when <= 8-bit float or int8, else activations' */
roof_format roof_format_plain(roof_dtype dtype);
double roof_format_bytes(const roof_format *format, double rows, double cols);

typedef struct roof_gemm_shape { /* C[m,n] = A[m,k] B[k,n], `batch` times */
    double batch, m, n, k;
    roof_dtype a, b, c;
    roof_dtype math;       /* NONE: the wider of a and b */
    bool bias;             /* + m*n vector FLOPs, + n elements of bias_dtype */
    roof_dtype bias_dtype; /* as stored; NONE: as c */
    /* B as stored (its bytes count as weight_bytes), or NULL: b elements */
    const roof_format *weights;
} roof_gemm_shape;
void roof_gemm(const roof_gemm_shape *shape, roof_operation *out);

/* The experts of one mixture-of-experts layer: `tokens` tokens each go to top_k of `experts` [k] ->
 * [n] matrices, `matrices` of them side by side (2: gate and up). Weight bytes: the expected
 * distinct experts, or `touched` when > 0; least_bytes and most_bytes carry the range. */
typedef struct roof_grouped_gemm_shape {
    double tokens, experts, top_k, n, k, matrices, touched;
    roof_dtype a, b, c, math;
    bool bias;
    roof_dtype bias_dtype; /* as stored; NONE: as c */
    const roof_format *weights;
} roof_grouped_gemm_shape;
void roof_grouped_gemm(const roof_grouped_gemm_shape *shape, roof_operation *out);

typedef struct roof_attention_shape { /* softmax(Q K') V, fused unless said */
    double batch, heads, kv_heads;
    double q_len; /* new tokens per sequence */
    /* all tokens per sequence, new ones included (kv_len >= q_len when causal) */
    double kv_len;
    double qk_width, v_width; /* per head */
    double window;            /* keys a query may see, itself included; 0: all */
    /* chunked attention: a query sees its own chunk only; 0: no chunks */
    double chunk;
    bool causal;
    /* scores cross DRAM (written and read by softmax, written and read again) */
    bool unfused;
    /* V is part of K (absorbed MLA): one cache row of qk_width serves both */
    bool latent;
    /* the new keys and values are written to the cache here (kv dtype) */
    bool append;
    roof_dtype q, kv, out, math; /* math NONE: the wider of q and kv, at least 16 bits */
} roof_attention_shape;
void roof_attention(const roof_attention_shape *shape, roof_operation *out);
/* Exact number of (query, key) pairs of one head and sequence. */
double roof_attention_pairs(double q_len, double kv_len, bool causal, double window, double chunk);

/* A fixed state S[key_width, value_width] a head, carried from token to token (linear attention,
 * state-space models): S = decay S + k' v, y = q S. FLOPs: the least of the published algorithms
 * (docs/model.md, "Recurrence"). */
typedef struct roof_recurrence_shape {
    double batch, tokens;          /* sequences; new tokens each */
    double heads, key_heads;       /* of the state; of q and k (Mamba 2: groups), 0: as many */
    double key_width, value_width; /* per head */
    /* 0 none; 1 per head; 2 per key channel; 3 per element of the state (Mamba 1) */
    double decay;
    /* 0 none; 1 delta rule: v becomes beta (v - k S); 2 RWKV 7: S = S (decay + a' b) + k' v */
    double delta;
    /* count the chunked algorithm at this many tokens a chunk; 0: the least, the recurrent one */
    double chunk;
    bool resume;                /* the state before is read; it is always written */
    roof_dtype in, state, math; /* math NONE: that of `in`, at least 16 bits */
} roof_recurrence_shape;
void roof_recurrence(const roof_recurrence_shape *shape, roof_operation *out);

/* Expected number of distinct experts touched by `tokens` tokens, each choosing top_k of `experts`:
 * E (1 - (1 - k/E)^T); never below k nor above min(E, k*T). docs/model.md, "Mixture of experts". */
double roof_experts_touched(double experts, double top_k, double tokens);

/* ================================================================== 6. models == */

/* A language model as layers, a plan of how it is run, and the operations of a prefill or a
 * decode step. Nothing here allocates: a million plans can be judged a second. */

typedef enum roof_attention_kind {
    ROOF_ATTENTION_NONE,
    ROOF_ATTENTION_FULL,
    ROOF_ATTENTION_SLIDING,
    ROOF_ATTENTION_CHUNKED,
    ROOF_ATTENTION_LATENT,
    ROOF_ATTENTION_COMPRESSED
} roof_attention_kind;
/* CHANNEL_MIX is RWKV's. */
typedef enum roof_mlp_kind {
    ROOF_MLP_NONE,
    ROOF_MLP_DENSE,
    ROOF_MLP_MOE,
    ROOF_MLP_CHANNEL_MIX
} roof_mlp_kind;
/* LAYER has a weight and a bias. */
typedef enum roof_norm_kind {
    ROOF_NORM_RMS,
    ROOF_NORM_LAYER,
    ROOF_NORM_LAYER_NO_WEIGHT,
    ROOF_NORM_LAYER_NO_BIAS
} roof_norm_kind;

typedef struct roof_attention_block {
    roof_attention_kind kind;
    /* per head; value_width = head_width unless said */
    double heads, kv_heads, head_width, value_width;
    double window;                     /* SLIDING: keys visible; CHUNKED: chunk length */
    bool qkv_bias, output_bias, sinks; /* sinks: one learned logit per head */
    bool no_k_bias;                    /* qkv_bias leaves the keys out (Whisper) */
    /* no rotary embedding: NoPE, ALiBi, relative bias (models with a position table have none
     * anyway) */
    bool no_rope;
    /* parameters of the Q and K norms (0: none): head_width each, or all heads' width */
    double q_norm, k_norm;
    bool output_gate; /* q_proj also makes a gate of the same width */
    bool head_gate;   /* a [hidden] -> heads gate on the output */
    /* no K and V projections, no cache of its own: reads an earlier layer's cache (Gemma 3n, 4;
     * YOCO; CLA) */
    bool shared_kv;
    /* one projection makes keys and values; both are cached (Gemma 4 attention_k_eq_v) */
    bool tied_kv;
    double q_rank, kv_rank, nope_width, rope_width; /* LATENT; q_rank 0: plain q projection */
    /* Sparse attention: a query attends to the index_topk keys an indexer scores highest. The
     * indexer (DeepSeek V3.2, GLM-5): queries of index_heads * index_width from the q_rank latent
     * (else hidden), one key of index_width a token with a layer norm, cached, and a [hidden] ->
     * index_heads weighting. index_topk > 0 with index_heads 0: an earlier layer's choice is used
     * again. */
    double index_heads, index_width, index_topk;
    /* COMPRESSED (DeepSeek V4): queries from q_rank, one row of head_width a token that is key and
     * value, `window` of them in sight, and one learned summary row for every `compress` tokens (4
     * with an indexer over them, 128 without; 0: the window alone); the output goes through
     * out_groups matrices of heads * head_width / out_groups -> out_rank, then out_groups *
     * out_rank -> hidden. */
    double compress, out_rank, out_groups;
} roof_attention_block;

/* Layers whose memory is a state of fixed size. A head's state is key_width x value_width. What
 * each kind holds, by the modelling code it was published with: docs/model.md, "State layers". */
typedef enum roof_state_kind {
    ROOF_STATE_NONE,
    /* heads = inner width, value_width 1, key_width = state size N; ranks[0] = dt rank */
    ROOF_STATE_MAMBA,
    /* heads of value_width (head dim), key_heads = groups, key_width = state size N */
    ROOF_STATE_MAMBA2,
    ROOF_STATE_DELTA, /* DeltaNet: q, k, v, beta; output_gate adds g */
    /* Gated DeltaNet (Qwen3-Next, Qwen3.5): q, k, v, z, b, a; heads are those of the values */
    ROOF_STATE_GATED_DELTA,
    /* KDA: q, k, v, beta, low-rank decay and output gate: ranks[0] (decay), ranks[1] (gate) */
    ROOF_STATE_KIMI_DELTA,
    ROOF_STATE_LIGHTNING,    /* MiniMax-M1: q, k, v and an output gate, fixed decay a head */
    ROOF_STATE_GATED_LINEAR, /* GLA: q, k, v, output gate, low-rank decay: ranks[0] */
    ROOF_STATE_HGRN2,        /* q, forget gate (makes the keys too), values */
    ROOF_STATE_RWKV6,        /* ranks[0] token-shift mix, ranks[1] decay */
    ROOF_STATE_RWKV7,        /* ranks: decay, a, v (0 in the first layer), gate */
    /* Griffin: heads = blocks of the gates, value_width = channels a block */
    ROOF_STATE_RGLRU,
    ROOF_STATE_SHORT_CONV, /* LFM2: heads = channels; the state is the convolution's alone */
    ROOF_STATE_KIND_COUNT
} roof_state_kind;

typedef struct roof_state_block {
    roof_state_kind kind;
    double heads, key_heads;       /* of the state; of q and k (MAMBA2: groups), 0: as many */
    double key_width, value_width; /* per head */
    /* taps of the short convolution (0: none) over all that the kind convolves */
    double conv;
    /* of the input and output projections (KIMI_DELTA: of the output gate); of the convolution */
    bool bias, conv_bias;
    bool output_gate; /* DELTA only: the other kinds have theirs always or never */
    double norm;      /* learned elements of inner norms: MAMBA2 gated norm = heads * value_width,
                         GATED_DELTA and KIMI_DELTA value_width, LIGHTNING heads * value_width,
                         Jamba's MAMBA dt rank + 2 N; 0: none */
    double ranks[4];
    /* tokens a chunk in prefill as the config says; 0: not stated */
    double chunk;
    /* of the recurrent state; NONE: f32. The convolution's is that of the activations */
    roof_dtype dtype;
} roof_state_block;

typedef struct roof_mlp_block {
    roof_mlp_kind kind;
    /* gated: 3 matrices, else 2. CHANNEL_MIX gated: a receptance [hidden, hidden] (RWKV 6) */
    bool gated, bias;
    double width;          /* DENSE: FFN width; MOE: width of one expert */
    double experts, top_k; /* MOE */
    /* MOE: width of the always-active expert(s) together; 0: none */
    double shared_width;
    bool shared_gate;    /* a [hidden] -> 1 gate on the shared expert */
    bool router_bias;    /* E parameters: a router bias or a score correction */
    double dense_width;  /* MOE with a dense MLP beside it (Arctic); 0: none */
    double latent_width; /* MOE: experts read and write this width, behind [hidden] -> latent and
                            latent -> [hidden] (moe_latent_size; router and shared experts stay at
                            hidden); 0: none */
} roof_mlp_block;

/* Storage of each role's matrices. A role whose matrices are stored in several formats carries
 * their average bits. */
/* Laid out by hand: a row a block. */
/* clang-format off */
typedef enum roof_role {
    /* attention: what makes queries, keys and values (latent: all down and up), and what follows */
    ROOF_ROLE_QKV, ROOF_ROLE_OUTPUT,
    ROOF_ROLE_UP, ROOF_ROLE_DOWN,    /* dense MLP: gate and up, down */
    ROOF_ROLE_EXPERTS_UP, ROOF_ROLE_EXPERTS_DOWN, ROOF_ROLE_SHARED_UP, ROOF_ROLE_SHARED_DOWN,
    /* router, gate of the shared expert, weights of an indexer's heads */
    ROOF_ROLE_ROUTER,
    ROOF_ROLE_STATE,                 /* every matrix of a state layer */
    ROOF_ROLE_COUNT
} roof_role;
/* clang-format on */

typedef struct roof_layer { /* layers that are exactly alike */
    double count;
    /* with a state too: both read the same normed input and are added (Falcon-H1, Hymba) */
    roof_attention_block attention;
    roof_mlp_block mlp;
    /* norm vectors of hidden width in the layer: 2 usual, 1 parallel, 4 Gemma 2/3 */
    double norms;
    bool parallel; /* attention and MLP read the same normed input */
    roof_format format[ROOF_ROLE_COUNT];
    roof_state_block state;
    /* attention over the encoder's output, after the layer's own; NONE: none */
    roof_attention_block cross;
    /* further learned elements: layer scales, the token-shift mixes RWKV does not list above */
    double vectors;
} roof_layer;

/* A matrix in front of the layers or behind them: convolutions and patch embeddings as the GEMM
 * they are, poolers, projectors. */
typedef struct roof_projection {
    const char *name; /* "patch_embedding"; static */
    double outputs, inputs;
    /* rows per token of the layers: 1; 2 before a stride of 2; 0.25 behind a 2 x 2 merge; 0: one
     * row a sequence */
    double rate;
    bool bias;
} roof_projection;

typedef struct roof_model {
    const char *id, *name, *family;
    double hidden, vocab;
    /* rows the embedding table has beyond `vocab`, which the head lacks: tokens that are read and
     * never written (Mllama: 8) */
    double extra_rows;
    /* OPT-350M, ALBERT: != hidden, with two projections; else = hidden */
    double embedding_width;
    double positions; /* rows of a learned position table; 0: none */
    bool tied;        /* the head is the embedding table, stored once */
    bool head_bias;
    roof_norm_kind norm;
    /* norm vectors of hidden width outside the layers: final 1, embedding norm +1 */
    double extra_norms;
    const roof_layer *layers; /* distinct kinds */
    size_t layer_count;
    /* kind of each layer in execution order, or NULL; sum of counts long */
    const unsigned char *order;
    roof_format embedding, head;
    roof_dtype stored;  /* dtype the file states; NONE: it states none */
    double context_max; /* 0: not stated */
    /* multi-token-prediction blocks, listed beside the model, never in it */
    double prediction_parameters;
    const char *not_counted; /* "vision tower", or NULL */
    /* Encoders and towers. An encoder-only model is bidirectional and has ROOF_PHASE_ENCODE alone.
     * An encoder-decoder is its decoder, with `encoder` beside it; a vision-language model is its
     * language model, with `vision` beside it. Both are models themselves: vocab 0, rows from
     * `front`, or from the owner's embedding table when it has no front (T5). */
    bool bidirectional; /* every token sees every other */
    /* no output head at all (BERT without its LM head, encoders) */
    bool headless;
    /* rows of a second table of hidden width, one looked up a token (BERT) */
    double token_types;
    /* residual streams with learned mixing around every block (DeepSeek V4 hc_mult); 0: one, as
     * usual */
    double streams;
    /* further learned elements: class tokens, relative-position tables */
    double vectors;
    const roof_projection *front, *back; /* stored as `embedding`; `back` follows the last norm */
    size_t front_count, back_count;
    /* NULL: none. `context_max` of one: the rows per sequence or image has, when it is fixed */
    const struct roof_model *encoder, *vision;
} roof_model;

/* Stored weights. Sources and derivation: docs/model.md, "Parameters". */
typedef struct roof_parameters {
    /* tied table once; active: with the experts one token chooses */
    double total, active;
    /* parts of total; head 0 when tied */
    double embedding, head, attention, state, mlp, norms, encoder;
    /* listed beside the model, not in total; its bytes are not in `bytes` */
    double vision;
    double vision_bytes;
    /* as stored, scales included; norms and biases at `stored` (or activations') dtype */
    double bytes;
    bool bytes_unknown; /* a format is unknown: `bytes` is what the known part takes */
} roof_parameters;

typedef enum roof_phase {
    ROOF_PHASE_PREFILL,
    ROOF_PHASE_DECODE,
    ROOF_PHASE_ENCODE,
    ROOF_PHASE_VISION,
    ROOF_PHASE_COUNT
} roof_phase;
const char *roof_phase_name(roof_phase phase);
/* Encoder-only models have ENCODE alone; ENCODE (once over the source) and VISION (once over the
 * images) come before PREFILL. */
bool roof_model_has_phase(const roof_model *model, roof_phase phase);

/* How a model is run. Zero means the default that roof_plan_complete() puts in. */
typedef struct roof_plan {
    double batch;            /* sequences; default 1 */
    double prompt, generate; /* tokens; defaults 1024 (1 behind an encoder), 256 */
    /* decode is judged with this many tokens in the cache; default prompt + generate/2 */
    double context;
    roof_dtype activations; /* default: the file's 16-bit dtype, else bf16 */
    roof_dtype kv_cache;    /* default: activations */
    /* dtype NONE: as the file stores them; else every linear layer (not embedding, router,
     * norms) */
    roof_format weights;
    /* dtype linear layers multiply in; NONE: as their format says (bf16 makes fp8 weight-only) */
    roof_dtype math;
    bool weights_head; /* `weights` replaces the head's format too */
    bool eager;        /* fuse nothing */
    bool all_logits;   /* prefill computes logits for every position */
    /* f16 products add up in 16 bits: judged under machine->narrow, which has to be known */
    bool half_sums;
    /* judge linear layers under the 2:4 roof, weights at half + 2-bit indices a kept element */
    bool sparse;
    double tensor; /* tensor-parallel degree; default 1 */
    /* speculative decoding: tokens drafted per step, chance each is accepted */
    double draft, acceptance;
    double experts_touched; /* measured distinct experts a layer; 0: expectation */
    double utilisation;     /* share of memory the plan may use; default 0.95 */
    double kv_block;        /* tokens per cache block; default 1 */
    /* encoder tokens per sequence; default: the encoder's fixed length, else 1024; encoder-only:
     * prompt */
    double source;
    /* a sequence; rows an image has in the vision tower; defaults 1 and the tower's fixed length */
    double images, patches;
} roof_plan;

void roof_plan_complete(const roof_model *model, roof_plan *plan); /* put in the defaults */
/* Tokens one sequence keeps in the cache at most: prompt and answer, or the context when that is
 * longer. */
double roof_plan_tokens(const roof_plan *plan);
roof_parameters roof_model_parameters(const roof_model *model, const roof_plan *plan);
/* Cache growth per token of one sequence while every layer still grows, on one device of the plan.
 */
double roof_model_kv_bytes_per_token(const roof_model *model, const roof_plan *plan);
/* Bytes of one sequence that do not grow: recurrent and convolution states, on one device of the
 * plan. */
double roof_model_state_bytes(const roof_model *model, const roof_plan *plan);
/* Cache of one sequence at `context` tokens (windows honoured, states and the encoder's keys and
 * values included), on one device. */
double roof_model_kv_bytes(const roof_model *model, const roof_plan *plan, double context);
double roof_model_layers(const roof_model *model); /* sum of counts */

/* The operations of one phase (a prefill of the whole prompt, or one decode step), for one device
 * of the plan. `plan` must be complete. Returns how many there are; writes at most `capacity`.
 * Pure, no allocation. */
size_t roof_model_operations(const roof_model *model, const roof_plan *plan, roof_phase phase,
                             roof_operation *out, size_t capacity);

/* The dtype that most FLOPs of the linear layers run in, in a prefill (encoder-only: encode) of the
 * plan, which must be complete. */
roof_dtype roof_model_math(const roof_model *model, const roof_plan *plan);

typedef struct roof_memory { /* bytes on one device */
    /* allowed = capacity * utilisation */
    double weights, kv_cache, activations, total, capacity, allowed;
    double state;       /* the part of kv_cache that does not grow with the context */
    bool fits, unknown; /* unknown: capacity or a weight format is not known */
    /* the largest batch that fits at prompt + generate tokens; 0: not even one */
    double batch_max;
    /* least tensor-parallel degree (1, 2, 4 ...) at which the plan fits; 0: none up to 1024 */
    double devices;
} roof_memory;
roof_memory roof_model_memory(const roof_machine *machine, const roof_model *model,
                              const roof_plan *plan);
/* Whole sequences of `tokens` tokens that a cache budget holds, in blocks of plan->kv_block tokens.
 */
double roof_kv_sequences(const roof_model *model, const roof_plan *plan, double budget,
                         double tokens);

typedef struct roof_point { /* one phase of one plan on one machine */
    roof_phase phase;
    double batch, prompt, context, tensor;
    roof_sum sum;
    roof_bound bound;
    double seconds;               /* of the prefill, or of one decode step */
    double tokens_per_second;     /* all sequences together, one tensor-parallel group */
    double intensity, attainable; /* FLOPs / DRAM bytes; FLOP/s */
    roof_memory memory;
} roof_point;
/* Operations, verdicts and their sum in one go. No allocation. */
int roof_model_point(const roof_machine *machine, const roof_model *model, const roof_plan *plan,
                     roof_phase phase, roof_point *point, roof_error *error);
/* The same without the memory plan: the inner loop of sweeps. */
int roof_model_judge(const roof_machine *machine, const roof_model *model, const roof_plan *plan,
                     roof_phase phase, roof_sum *sum, roof_error *error);

/* ================================================================== 7. advice == */

/* What would help, and what would be a waste of time: every idea is tried by changing the work
 * or the machine and judging again. */

/* What an idea brings, by its speedup: at least 1.10, 1.02, 0.98, or less. */
typedef enum roof_effect {
    ROOF_EFFECT_HELPS,
    ROOF_EFFECT_LITTLE,
    ROOF_EFFECT_WASTE,
    ROOF_EFFECT_WORSE
} roof_effect;
const char *roof_effect_name(roof_effect effect);
roof_effect roof_effect_of(double speedup);

typedef struct roof_advice {
    char idea[64]; /* "fp8 KV cache" */
    roof_effect effect;
    /* tokens/s (or FLOP/s) after / before: the work or machine was really changed and judged */
    double speedup;
    /* the same of the expected time (page 13), then in order and effect too; 0: not judged */
    double expected;
    roof_bound bound; /* what limits it after the change */
    char reason[160]; /* one line with the number that decides */
    bool fits;        /* the changed plan fits in memory */
    bool cost;        /* it has a price: answer quality, or hardware */
    bool hardware;    /* the price is other or more hardware */
    /* roof_advise_model(): the phase after the change, as the charts draw it */
    roof_point after;
} roof_advice;

enum { ROOF_ADVICE_MAX = 32 };

/* Every idea for one phase of a plan, best first. `others` (may be NULL) are machines to compare
 * with. Returns the number written, or -1. */
int roof_advise_model(const roof_machine *machine, const roof_model *model, const roof_plan *plan,
                      roof_phase phase, const roof_machine *others, size_t other_count,
                      roof_advice out[ROOF_ADVICE_MAX], roof_error *error);
int roof_advise_operation(const roof_machine *machine, const roof_operation *operation,
                          const roof_machine *others, size_t other_count,
                          roof_advice out[ROOF_ADVICE_MAX], roof_error *error);

/* A list of operations: a graph, a profile. */
int roof_judge_operations(const roof_machine *machine, const roof_operation *operations,
                          size_t count, roof_sum *sum, roof_error *error);

/* the same work done another way: in another dtype, fused, with a larger batch */
typedef struct roof_variant {
    const char *idea; /* "batch 16" */
    const roof_operation *operations;
    size_t count;
    /* how much more of it is done: 2 for a doubled batch; 0: as much */
    double work;
    bool cost;
} roof_variant;

/* As roof_advise_model(), for a list of operations: each variant judged, then the machine changed.
 */
int roof_advise_operations(const roof_machine *machine, const roof_operation *operations,
                           size_t count, const roof_variant *variants, size_t variant_count,
                           const roof_machine *others, size_t other_count,
                           roof_advice out[ROOF_ADVICE_MAX], roof_error *error);

/* Batching, the master lever. A batch that does not exist is 0 with a word of why. */
typedef struct roof_batching {
    double ridge_batch; /* decode's weight matrices cross the ridge */
    /* cache traffic equals weight traffic: beyond it batching pays little */
    double kv_equals_weights_batch;
    double capacity_batch;                         /* memory is full */
    const char *ridge_why, *kv_why, *capacity_why; /* NULL when the number exists */
    const char *first; /* "kv cache", "capacity" or "ridge": which comes first */
} roof_batching;
int roof_model_batching(const roof_machine *machine, const roof_model *model, const roof_plan *plan,
                        roof_batching *out, roof_error *error);

/* The catalogue's next step up: same vendor and kind of memory, not older, the smallest bandwidth
 * that is >= 1.2 times this one's. -1 when there is none. */
int roof_machine_step_up(const roof_machine *machine, roof_machine *out);

/* Someone else's FLOP count beside ours: says in one line when it looks like a MAC count (ratio 2),
 * misses attention, credits the masked half, or agrees. Returns the length as snprintf. */
size_t roof_count_diagnose(const roof_sum *ours, double claimed, char *buffer, size_t size);

/* One line with the numbers: "decode is memory-bound because ...". Returns the length as snprintf.
 */
size_t roof_point_because(const roof_machine *machine, const roof_model *model,
                          const roof_plan *plan, const roof_point *point, char *buffer,
                          size_t size);

/* ============================================================ 8. the catalogue == */

/* Machines and models by name. Figures carry source keys (docs/catalog.md); models are small
 * configs. */

size_t roof_machine_count(void);
int roof_machine_at(size_t index, roof_machine *out); /* -1 past the end */
/* By id or alias (case and punctuation do not matter). `alternatives` (may be NULL) receives a
 * comma-separated list of the other variants an ambiguous alias could have meant, "" when it was
 * exact. The error offers the nearest names. */
int roof_machine_find(const char *name, roof_machine *out, char *alternatives, size_t size,
                      roof_error *error);
/* comma-separated, "" when none */
const char *roof_machine_aliases(size_t index);
/* what a source key means, or NULL */
const char *roof_source_text(const char *key);

/* config: JSON text */
typedef struct roof_named_model {
    const char *id, *name, *aliases, *config, *source;
} roof_named_model;
size_t roof_named_model_count(void);
const roof_named_model *roof_named_model_at(size_t index);
const roof_named_model *roof_named_model_find(const char *name, roof_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
