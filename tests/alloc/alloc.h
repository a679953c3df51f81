/* A heap for tests whose n-th allocation fails. Link with roofline_alloc(target); the linker's --wrap brings every
 * malloc, calloc, realloc, strdup, strndup and free of statically linked code here. Shared libraries keep their own
 * heap. Not for threads. */
#ifndef ROOFLINE_TESTS_ALLOC_H
#define ROOFLINE_TESTS_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Start counting; allocation number `nth` (from 1) fails, once. 0: none fails. */
void alloc_start(size_t nth);
/* Number of allocations tried since alloc_start(). */
size_t alloc_count(void);
/* Whether the failure asked for has happened. */
bool alloc_failed(void);
/* Blocks allocated since alloc_start() and not freed: 0 where nothing leaks. */
size_t alloc_live(void);

void *alloc_malloc(size_t size);
void alloc_free(void *block);

/* For every n: run `body`, an expression or a block, with the n-th allocation failing, until it needs fewer than n. */
#define ALLOC_FAIL_EACH(n, body)                                                                                       \
    for (size_t n = 1;; n++) {                                                                                         \
        alloc_start(n);                                                                                                \
        body;                                                                                                          \
        if (!alloc_failed())                                                                                           \
            break;                                                                                                     \
    }

#endif
