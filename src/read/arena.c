/* A list of malloc'd blocks. */
#include "read/arena.h"

#include <stdint.h>
#include <stdlib.h>

struct arena_block {
    struct arena_block *next;
    max_align_t start[]; /* what the caller gets */
};

void *arena_get(arena *memory, size_t size) {
    if (size > SIZE_MAX - sizeof(struct arena_block))
        return NULL;
    struct arena_block *block = calloc(1, sizeof *block + size);
    if (!block)
        return NULL;
    block->next = memory->blocks;
    memory->blocks = block;
    return block->start;
}

void arena_free(arena *memory) {
    for (struct arena_block *block = memory->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    memory->blocks = NULL;
}
