/* How a checkpoint really stores its weights, told from its tensors and put into a model: shared by GGUF and
 * safetensors. */
#ifndef ROOFLINE_READ_CHECKPOINT_STORAGE_H
#define ROOFLINE_READ_CHECKPOINT_STORAGE_H

#include "read/config/config.h"

/* Tensors that are judged as one, of whatever types. */
enum { PILE_TYPES = 3 };
typedef struct pile {
    double weights, bytes;
    const char *types[PILE_TYPES]; /* distinct names; NULL past the last */
    bool more;                     /* than PILE_TYPES */
    roof_dtype dtype;              /* of the type that came first */
} pile;

void pile_add(pile *p, double weights, double bytes, const char *type, roof_dtype dtype);
/* A weight-only format whose bytes are exactly those of the pile: its average bits, scales included. */
roof_format pile_format(reader *r, const pile *p);

/* Layers of a model, one after the other, folded into kinds again. */
typedef struct layer_list {
    roof_layer *kinds; /* their `count` is how many there are */
    size_t kind_count, length;
    unsigned char *order;
} layer_list;

int layer_list_begin(reader *r, layer_list *list, size_t layers);
int layer_list_add(reader *r, layer_list *list, const roof_layer *layer);
void layer_list_end(const layer_list *list, roof_model *model);
const roof_layer *model_layer(const roof_model *model, size_t index); /* as executed; NULL past the last */

/* "blk.12.attn_q.weight" with prefix "blk.": 12 and "attn_q.weight". NULL when it is no such name. */
const char *layer_of(const char *name, const char *prefix, size_t *layer);

#endif
