/* A GGUF file in memory, written value by value: for tests only. The layout follows ggml/docs/gguf.md.
 *
 *   gguf_writer w = {.version = 3};
 *   put_text(&w, "general.architecture", "llama");
 *   put_u32(&w, "llama.block_count", 1);
 *   put_tensor(&w, "token_embd.weight", 0, 2, (uint64_t[]){64, 100}, 25600);
 *   const unsigned char *bytes = gguf_bytes(&w, true, &length);        true: with a data section of zeros */
#ifndef ROOFLINE_TESTS_GGUF_WRITER_H
#define ROOFLINE_TESTS_GGUF_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { GGUF_WRITER_SIZE = 1 << 17 };

typedef struct gguf_writer {
    unsigned version;
    uint64_t alignment; /* 0: 32, not written */
    uint64_t pairs, tensors, data;
    size_t pair_length, tensor_length;
    unsigned char pair_bytes[GGUF_WRITER_SIZE], tensor_bytes[GGUF_WRITER_SIZE], all[3 * GGUF_WRITER_SIZE];
} gguf_writer;

static inline size_t put_le(unsigned char *to, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> (8 * i));
    return bytes;
}

static inline size_t put_string(unsigned char *to, const char *text) {
    size_t n = strlen(text);
    put_le(to, n, 8);
    memcpy(to + 8, text, n);
    return n + 8;
}

/* A key and its type; the caller appends the value at the returned place and adds its length. */
static inline unsigned char *put_key(gguf_writer *w, const char *key, unsigned type) {
    w->pairs++;
    w->pair_length += put_string(w->pair_bytes + w->pair_length, key);
    w->pair_length += put_le(w->pair_bytes + w->pair_length, type, 4);
    return w->pair_bytes + w->pair_length;
}

static inline void put_scalar(gguf_writer *w, const char *key, unsigned type, uint64_t value, size_t bytes) {
    w->pair_length += put_le(put_key(w, key, type), value, bytes);
}

static inline void put_u32(gguf_writer *w, const char *key, uint64_t value) {
    put_scalar(w, key, 4, value, 4);
}

static inline void put_text(gguf_writer *w, const char *key, const char *text) {
    w->pair_length += put_string(put_key(w, key, 8), text);
}

static inline void put_u32_list(gguf_writer *w, const char *key, const uint32_t *list, size_t n) {
    unsigned char *at = put_key(w, key, 9), *start = at;
    at += put_le(at, 4, 4);
    at += put_le(at, n, 8);
    for (size_t i = 0; i < n; i++)
        at += put_le(at, list[i], 4);
    w->pair_length += (size_t)(at - start);
}

/* `n` tokens "t0", "t1" ... */
static inline void put_tokens(gguf_writer *w, size_t n) {
    unsigned char *at = put_key(w, "tokenizer.ggml.tokens", 9), *start = at;
    at += put_le(at, 8, 4);
    at += put_le(at, n, 8);
    for (size_t i = 0; i < n; i++) {
        char text[24];
        snprintf(text, sizeof text, "t%zu", i);
        at += put_string(at, text);
    }
    w->pair_length += (size_t)(at - start);
}

static inline uint64_t put_padded(const gguf_writer *w, uint64_t n) {
    uint64_t a = w->alignment ? w->alignment : 32;
    return (n + a - 1) / a * a;
}

/* `bytes` is what the type's blocks take: the next tensor begins behind it. */
static inline void put_tensor(gguf_writer *w, const char *name, unsigned type, unsigned rank, const uint64_t *shape,
                              uint64_t bytes) {
    unsigned char *at = w->tensor_bytes + w->tensor_length, *start = at;
    at += put_string(at, name);
    at += put_le(at, rank, 4);
    for (unsigned i = 0; i < rank; i++)
        at += put_le(at, shape[i], 8);
    at += put_le(at, type, 4);
    at += put_le(at, w->data, 8);
    w->tensor_length += (size_t)(at - start);
    w->data = put_padded(w, w->data + bytes);
    w->tensors++;
}

/* Header, keys, table, padding. The data section, when asked for, is not written: its length is added to *length. */
static inline const unsigned char *gguf_bytes(gguf_writer *w, bool data, size_t *length) {
    unsigned char *at = w->all;
    memcpy(at, "GGUF", 4);
    at += 4;
    at += put_le(at, w->version, 4);
    at += put_le(at, w->tensors, 8);
    at += put_le(at, w->pairs, 8);
    memcpy(at, w->pair_bytes, w->pair_length);
    at += w->pair_length;
    memcpy(at, w->tensor_bytes, w->tensor_length);
    at += w->tensor_length;
    uint64_t n = put_padded(w, (uint64_t)(at - w->all));
    memset(at, 0, (size_t)(n - (uint64_t)(at - w->all)));
    *length = (size_t)(n + (data ? w->data : 0));
    return w->all;
}

#endif
