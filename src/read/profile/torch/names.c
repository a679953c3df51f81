/* Texts kept once each: a hash table over an arena. */
#include "read/profile/torch/names.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const char *text, size_t length) {
    uint64_t hash = length * UINT64_C(0x9E3779B97F4A7C15), word;
    for (; length >= 8; text += 8, length -= 8) {
        memcpy(&word, text, 8);
        hash = (hash ^ word) * UINT64_C(0xFF51AFD7ED558CCD);
        hash ^= hash >> 32;
    }
    for (; length > 0; text++, length--)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0xC4CEB9FE1A85EC53);
    return hash ^ hash >> 29;
}

static bool grow(texts *in) {
    size_t slots = in->slots ? in->slots * 2 : 128;
    uint32_t *table = calloc(slots, sizeof *table);
    struct texts_entry *entries = realloc(in->entries, slots / 2 * sizeof *entries);
    if (entries)
        in->entries = entries;
    if (!table || !entries) {
        free(table);
        return false;
    }
    for (size_t i = 0; i < in->count; i++) {
        size_t at = entries[i].hash & (slots - 1);
        while (table[at])
            at = (at + 1) & (slots - 1);
        table[at] = (uint32_t)i + 1;
    }
    free(in->table);
    in->table = table;
    in->slots = slots;
    return true;
}

uint32_t texts_find(texts *in, const char *text, size_t length, bool *is_new) {
    uint64_t hash = hash_of(text, length);
    *is_new = false;
    if (in->count + 1 > in->slots / 2 && !grow(in))
        return TEXTS_NONE;
    size_t at = hash & (in->slots - 1);
    for (; in->table[at]; at = (at + 1) & (in->slots - 1)) {
        const struct texts_entry *seen = &in->entries[in->table[at] - 1];
        if (seen->hash == hash && seen->length == length && memcmp(seen->text, text, length) == 0)
            return in->table[at] - 1;
    }
    char *copy = arena_get(&in->memory, length + 1);
    if (!copy)
        return TEXTS_NONE;
    memcpy(copy, text, length);
    *is_new = true;
    in->entries[in->count] = (struct texts_entry){hash, copy, length};
    in->table[at] = (uint32_t)++in->count;
    return (uint32_t)in->count - 1;
}

const char *texts_at(const texts *in, uint32_t number) {
    return in->entries[number].text;
}

void texts_free(texts *in) {
    free(in->entries);
    free(in->table);
    arena_free(&in->memory);
    *in = (texts){0};
}
