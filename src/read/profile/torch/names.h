/* Texts kept once each, by number. */
#ifndef ROOFLINE_READ_PROFILE_TORCH_NAMES_H
#define ROOFLINE_READ_PROFILE_TORCH_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/arena.h"

#define TEXTS_NONE UINT32_MAX

typedef struct texts {
    arena memory;
    struct texts_entry {
        uint64_t hash;
        const char *text;
        size_t length;
    } * entries;
    uint32_t *table; /* open addressing; number + 1 */
    size_t count, slots;
} texts;

uint32_t texts_find(texts *in, const char *text, size_t length, bool *is_new); /* TEXTS_NONE: out of memory */
const char *texts_at(const texts *in, uint32_t number);
void texts_free(texts *in);

#endif
