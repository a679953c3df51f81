/* Memory of one reading: a list of blocks, all given back at once. The only two functions of this room that allocate.
 */
#ifndef ROOFLINE_READ_ARENA_H
#define ROOFLINE_READ_ARENA_H

#include <stddef.h>

typedef struct arena {
    struct arena_block *blocks;
} arena;

void *arena_get(arena *memory, size_t size); /* zeroed; NULL when there is no memory */
void arena_free(arena *memory);

#endif
