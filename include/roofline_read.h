/* roofline_read.h - page 9 of roofline.h: files. Bytes become a model, a graph or a machine.
 *
 * The content decides what a file is, never its name. Only headers are read, whatever the size of
 * the weights behind them. Every length is checked against the bytes left; an error carries the
 * line or the byte. A key that changes the architecture and is not understood is refused by name.
 *
 * The handles of this page own their memory: free each with its own function (NULL is fine).
 * Strings and structs that a handle gives out live as long as it does. */
#ifndef ROOFLINE_READ_H
#define ROOFLINE_READ_H

#include "roofline.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- models ---- */

/* A model read from a file, with all memory it needs. */
typedef struct roof_model_file roof_model_file;

/* A Hugging Face config.json. `quant` (may be NULL) is a sibling hf_quant_config.json or
 * quantize_config.json. Both are memory of the caller, needed only during the call. NULL on error:
 * code, line and the key's name say what is wrong. */
roof_model_file *roof_read_config(const char *json, size_t length, const char *quant,
                                  size_t quant_length, roof_error *error);
/* file or folder; content decides */
roof_model_file *roof_read_model(const char *path, roof_error *error);
void roof_model_file_free(roof_model_file *file); /* NULL is fine */
/* Everything that is not quantised (matrices, embedding, head, norms and biases, of encoder and
 * vision tower too) becomes `dtype`: f64, f32, f16 or bf16, as if the file said so. -1: it is none
 * of these. */
int roof_model_file_convert(roof_model_file *file, roof_dtype dtype, roof_error *error);
const roof_model *roof_model_file_model(const roof_model_file *file);
size_t roof_model_file_warnings(const roof_model_file *file);
const char *roof_model_file_warning(const roof_model_file *file, size_t index);
/* Where figures came from when the file does not say: "num_key_value_heads: absent, so 32 as
 * num_attention_heads". */
size_t roof_model_file_notes(const roof_model_file *file);
const char *roof_model_file_note(const roof_model_file *file, size_t index);

/* What a checkpoint stores, told from its headers alone: a GGUF file, a safetensors file, the index
 * of its shards, or a folder of them. No memory to free. */
enum { ROOF_WEIGHTS_TYPES = 16, ROOF_WEIGHTS_LARGEST = 5 };
typedef struct roof_weights_type {
    char name[16];
    double tensors, parameters, bytes;
} roof_weights_type;
typedef struct roof_weights_tensor {
    char name[96];
    double parameters, bytes;
} roof_weights_tensor;
typedef struct roof_weights {
    /* weights: packed ones counted each; scales, zero points, masks and tables not at all */
    double parameters;
    /* some packed tensors do not say how many weights they hold: counted by element */
    bool at_least;
    double bytes, tensors, files; /* bytes: of the tensors, scales included */
    /* bytes of files that are git-LFS pointers: not in the figures above */
    double elsewhere;
    roof_weights_type types[ROOF_WEIGHTS_TYPES]; /* most bytes first */
    size_t type_count;
    roof_weights_tensor largest[ROOF_WEIGHTS_LARGEST];
    size_t largest_count;
} roof_weights;
int roof_read_weights(const char *path, roof_weights *out, roof_error *error);

/* A machine file: JSON of the shape that roof_machine_write() prints (docs/catalog.md, "Machine
 * files"). What is left out is unknown; warnings say which verdicts that costs. The strings live as
 * long as the handle. */
typedef struct roof_machine_file roof_machine_file;
roof_machine_file *roof_read_machine(const char *json, size_t length, roof_error *error);
const roof_machine *roof_machine_file_machine(const roof_machine_file *file);
size_t roof_machine_file_warnings(const roof_machine_file *file);
/* NULL past the end */
const char *roof_machine_file_warning(const roof_machine_file *file, size_t index);
void roof_machine_file_free(roof_machine_file *file); /* NULL is fine */
/* Write `machine` as a machine file that reads back to the same figures. -1 when `write` stopped.
 */
int roof_machine_write(const roof_machine *machine, roof_write write, void *context);

/* Graphs: an ONNX file as the operations it runs, in order, with every shape bound. Weights are
 * passed over, so a file of any size takes a few megabytes; external weight files are not needed.
 * docs/onnx.md has the operators and the rules. */
/* owns all memory it hands out; free it with roof_graph_free() */
typedef struct roof_graph roof_graph;

/* an open dimension of the inputs, or the value of an integer input */
typedef struct roof_dimension {
    /* "batch"; where the file gives no name, the input's name and axis: "input.0" */
    const char *name;
    double value;
} roof_dimension;

typedef struct roof_graph_options { /* zero (or NULL) means the defaults */
    /* binds names; the name of an integer scalar input binds its value ("sr", a trip count) */
    const roof_dimension *dimensions;
    size_t dimension_count;
    /* fuse nothing. Default: chains of elementwise operators ride with what made their input */
    bool eager;
    /* where an If cannot be decided, take the branch with more work. Default: less, a bound */
    bool most;
    /* judge f64, f32, f16 and bf16 tensors as this; NONE: as the file says */
    roof_dtype dtype;
} roof_graph_options;

typedef struct roof_graph_info {
    const char *name, *producer; /* "" where the file gives none */
    double ir_version, opset;    /* opset of the standard operators; 0: the file imports none */
    /* weights that operations read, each once; running statistics of batch norms left out */
    double parameters;
    double parameter_bytes; /* as stored, statistics included */
    /* multiply-accumulates of matrix work: the number that is published for vision models */
    double macs;
    /* operators met (both branches of an If); of those, with unknown cost */
    double nodes, unknown_nodes;
    /* range over branches that could not be decided; else both are the total */
    double least_flops, most_flops;
    double least_bytes, most_bytes;
    /* totals are "at least": unknown operators, shapes or trip counts */
    bool at_least;
} roof_graph_info;

typedef struct roof_graph_unknown { /* operators whose cost is not known */
    const char *operation;          /* "ai.onnx.ml:TreeEnsembleClassifier" */
    const char *why;                /* "unsupported operator", "a shape is not known" */
    double nodes, share;            /* how many; their share of all nodes, 0..1 */
} roof_graph_unknown;

/* NULL on error. Open dimensions that `options` does not bind are an error that lists them; the
 * hint can be pasted. */
roof_graph *roof_read_graph(const char *path, const roof_graph_options *options, roof_error *error);
roof_graph *roof_read_graph_bytes(const void *bytes, size_t length,
                                  const roof_graph_options *options, roof_error *error);
bool roof_is_graph(const char *path);    /* does the content look like an ONNX file? */
void roof_graph_free(roof_graph *graph); /* NULL is fine */
const roof_graph_info *roof_graph_about(const roof_graph *graph);
/* The operations; `name` is the operator, a fused chain joined by '+': "Conv+Relu". Loop bodies
 * have `count` > 1. `count` (may be NULL) receives how many there are. */
const roof_operation *roof_graph_operations(const roof_graph *graph, size_t *count);
/* the node behind an operation; NULL past the end */
const char *roof_graph_node(const roof_graph *graph, size_t index);
/* those bound, in order; NULL past the end */
const roof_dimension *roof_graph_dimension(const roof_graph *graph, size_t index);
/* NULL past the end */
const roof_graph_unknown *roof_graph_unknown_at(const roof_graph *graph, size_t index);
const char *roof_graph_warning(const roof_graph *graph, size_t index); /* NULL past the end */
/* Every tensor whose shape was inferred: its name and, in `shape`, up to `rank` lengths (-1: not
 * known). Returns its rank, -1 past the end, -2 when not even that is known. */
int roof_graph_tensor(const roof_graph *graph, size_t index, const char **name, double *shape,
                      int rank);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
