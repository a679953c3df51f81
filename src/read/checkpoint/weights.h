/* The tensors of a checkpoint, of one file or many: names, types, sizes; and how many weights each stands for. A packed
 * matrix is several tensors (codes, scales, zero points) that stand for one:
 *
 *     layers.0.mlp.up.qweight  I32 [512, 14336]   8 codes of 4 bits a word: 4096 x 14336 weights
 *     layers.0.mlp.up.scales   F16 [32, 14336]    one for every 128 inputs: no weights of its own */
#ifndef ROOFLINE_READ_CHECKPOINT_WEIGHTS_H
#define ROOFLINE_READ_CHECKPOINT_WEIGHTS_H

#include "read/arena.h"
#include "read/source.h"
#include "roofline.h"
#include "roofline_read.h"

typedef struct weight_type {
    const char *name; /* as the file spells it, "BF16" */
    unsigned bits;
    roof_dtype dtype;
} weight_type;

typedef enum weight_class {
    WEIGHT_PLAIN,     /* elements are weights */
    WEIGHT_PACKED,    /* several weights an element */
    WEIGHT_COMPANION, /* scales, zero points, shapes of a packed tensor: bytes, no weights */
    WEIGHT_BUFFER     /* masks, rotary tables, counters: no weights */
} weight_class;

typedef struct weight {
    const char *name;
    const weight_type *type;
    uint64_t begin, bytes;      /* in the data section of its file */
    uint64_t elements, weights; /* weights: set by weights_count() */
    uint32_t rows, cols;        /* first and last dimension; 0 when they do not fit */
    uint16_t file, rank;
    uint8_t class;
} weight;

enum { WEIGHT_CHUNK = 256 };
typedef struct weight_chunk {
    struct weight_chunk *next;
    size_t count;
    weight items[WEIGHT_CHUNK];
} weight_chunk;

typedef struct weight_set {
    arena *memory;
    weight_chunk *chunks, **last;
    char *room;
    size_t room_left;
    weight **sorted; /* by name, after weights_sort() */
    size_t count, files;
    double file_bytes;
    size_t elsewhere; /* files that are git-LFS pointers */
    double elsewhere_bytes;
    double packed_bits; /* bits of a packed weight where a file of its own states them; 0: not stated */
    size_t uncounted;   /* packed tensors of which nothing says how many weights they hold */
} weight_set;

void weights_begin(weight_set *set, arena *memory);
/* One safetensors file. -1 with the error filled. A git-LFS pointer counts as elsewhere. */
int weights_read(weight_set *set, source *s, roof_error *error);
bool weights_is_safetensors(source *s);
int weights_sort(weight_set *set, roof_error *error); /* refuses a name that is there twice */
void weights_count(weight_set *set);                  /* packed.c */
const weight *weights_find(const weight_set *set, const char *base, size_t length, const char *suffix);
void weights_sum(const weight_set *set, roof_weights *out);
void weights_sum_add(roof_weights *out, const char *name, const char *type, double weights, double bytes);
void weights_sum_end(roof_weights *out); /* puts types in order */

bool weights_pointer(source *s, double *bytes); /* lfs_pointer() of a file */

#endif
