/* What a GGUF file says before its weights begin: metadata and the table of tensors. header.c fills the structs and
 * judges nothing.
 *
 *     "GGUF" version | counts | key type value ... | name rank lengths type offset ... | padding | weights
 *                               metadata              tensors                                      never read */
#ifndef ROOFLINE_READ_GGUF_GGUF_H
#define ROOFLINE_READ_GGUF_GGUF_H

#include "read/arena.h"
#include "read/source.h"
#include "roofline.h"
#include "roofline_read.h"

/* A ggml type: `block` elements of a row take `bytes` bytes. */
typedef struct gguf_type {
    const char *name; /* "q4_k" */
    unsigned block, bytes;
    roof_dtype dtype; /* what its elements are most like */
    bool removed;     /* the number once had a meaning; ggml reads it no more */
} gguf_type;

enum { GGUF_TYPE_COUNT = 43, GGUF_RANK_MAX = 4, GGUF_NAME_MAX = 64 };
const gguf_type *gguf_type_at(uint32_t number); /* NULL: never defined */

/* Metadata of one key. Tokeniser keys are streamed past; other arrays are kept when they are short lists of numbers. */
typedef struct gguf_value {
    struct gguf_value *next;
    const char *key;
    const char *text;   /* strings, cut at 255 bytes; NULL for others */
    double number;      /* numbers and booleans; arrays: the first element */
    const double *list; /* arrays of numbers: `count` of them, or NULL when not kept */
    uint64_t count;
    bool is_array;
} gguf_value;

typedef struct gguf_tensor {
    const char *name;
    uint64_t shape[GGUF_RANK_MAX]; /* [0] varies fastest: the inputs of a matrix */
    unsigned rank;
    const gguf_type *type;
    uint64_t offset; /* from the start of the data section */
    uint64_t elements, bytes;
} gguf_tensor;

enum { GGUF_CHUNK = 128 };
typedef struct gguf_chunk {
    struct gguf_chunk *next;
    size_t count;
    gguf_tensor tensors[GGUF_CHUNK];
} gguf_chunk;

typedef struct gguf {
    gguf_value *values; /* in file order */
    gguf_chunk *chunks;
    uint64_t tensor_count, tokens; /* tokens: entries of the vocabulary, 0: none in the file */
    bool data_missing;             /* the file ends where the weights would begin */
} gguf;

/* Read one file. All that is kept lives in `memory`. -1 with the error filled: offset is the byte it is about. */
int gguf_read(source *s, arena *memory, gguf *out, roof_error *error);

const gguf_value *gguf_find(const gguf *g, const char *key); /* NULL */
double gguf_number(const gguf *g, const char *key, double otherwise);
const gguf_tensor *gguf_next(const gguf_chunk **chunk, size_t *index); /* NULL past the last */

/* A whole model: every part of a split file beside `path`. gguf_model.c. `path` may be NULL for bytes in memory. */
roof_model_file *gguf_read_model(source *s, const char *path, roof_error *error);

/* The totals of its tensors, of every part. */
int gguf_sum(source *s, const char *path, arena *memory, roof_weights *out, roof_error *error);

#endif
