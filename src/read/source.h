/* Bytes of a file (or of memory) read in small pieces through one buffer: what is skipped is never read, and nothing is
 * mapped, so a header costs the same whatever lies behind it. */
#ifndef ROOFLINE_READ_SOURCE_H
#define ROOFLINE_READ_SOURCE_H

#include <stdint.h>

#include "roofline.h"

enum { SOURCE_BUFFER = 1 << 16 };

typedef struct source {
    int file; /* -1: memory */
    const unsigned char *memory;
    uint64_t size;
    uint64_t start; /* of what the buffer holds */
    size_t held;
    int failure; /* errno of a failed read, or 0 */
    bool folder; /* what source_open() refused is a folder */
    unsigned char buffer[SOURCE_BUFFER];
} source;

int source_cannot(roof_error *error, const char *path, int why); /* -1, with the words of errno `why` */

/* -1 with the error filled: not there, not readable, not a regular file. */
int source_open(source *s, const char *path, roof_error *error);
void source_memory(source *s, const void *bytes, size_t length);
void source_close(source *s); /* also fine after a failed source_open */

bool source_read(source *s, uint64_t at, void *out, size_t n); /* all `n` bytes, or false */
/* The bytes from `at` on that the buffer holds, at least one; NULL at the end or when reading failed. */
const unsigned char *source_peek(source *s, uint64_t at, size_t *n);

uint32_t get_u32(const unsigned char bytes[4]); /* little-endian */
uint64_t get_u64(const unsigned char bytes[8]);

#endif
