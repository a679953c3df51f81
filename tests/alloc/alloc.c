/* The wrapped heap: see alloc.h. Blocks are counted in a small table of addresses, so that only those of the period
 * since alloc_start() are looked at. */
#include "alloc/alloc.h"

#include <stdint.h>
#include <string.h>

void *__real_malloc(size_t size);
void __real_free(void *block);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
void __wrap_free(void *block);

enum { SLOTS = 1 << 16 }; /* open addressing; far more than any test holds at once */
static struct {
    size_t nth, count, live;
    bool failed;
    void *blocks[SLOTS];
} heap;
static char removed; /* its address marks a slot that was used */

void alloc_start(size_t nth) {
    memset(&heap, 0, sizeof heap);
    heap.nth = nth;
}

size_t alloc_count(void) {
    return heap.count;
}

bool alloc_failed(void) {
    return heap.failed;
}

size_t alloc_live(void) {
    return heap.live;
}

static size_t slot_of(const void *block) {
    return (size_t)(((uintptr_t)block >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 48) % SLOTS;
}

static void *note(void *block) {
    if (!block || heap.live >= SLOTS / 2)
        return block;
    size_t at = slot_of(block);
    while (heap.blocks[at] && heap.blocks[at] != &removed)
        at = (at + 1) % SLOTS;
    heap.blocks[at] = block;
    heap.live++;
    return block;
}

static void forget(const void *block) {
    size_t at = slot_of(block);
    for (size_t tries = 0; tries < SLOTS && heap.blocks[at]; tries++, at = (at + 1) % SLOTS) {
        if (heap.blocks[at] == block) {
            heap.blocks[at] = &removed;
            heap.live--;
            return;
        }
    }
}

static bool fails(void) {
    if (++heap.count != heap.nth)
        return false;
    heap.failed = true;
    return true;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : note(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    if (fails() || (size && count > SIZE_MAX / size))
        return NULL;
    void *block = note(__real_malloc(count * size));
    return block ? memset(block, 0, count * size) : NULL;
}

void *__wrap_realloc(void *block, size_t size) {
    if (fails())
        return NULL;
    uintptr_t old = (uintptr_t)block; /* the block is gone after realloc; only its address is needed */
    void *moved = __real_realloc(block, size);
    if (!moved)
        return NULL;
    forget((const void *)old);
    return note(moved);
}

char *__wrap_strndup(const char *text, size_t size) {
    size_t length = strnlen(text, size);
    char *copy = __wrap_malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *__wrap_strdup(const char *text) {
    return __wrap_strndup(text, strlen(text));
}

void __wrap_free(void *block) {
    forget(block);
    __real_free(block);
}

void *alloc_malloc(size_t size) {
    return __wrap_malloc(size);
}

void alloc_free(void *block) {
    __wrap_free(block);
}
