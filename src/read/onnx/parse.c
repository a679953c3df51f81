/* Walking the messages of an ONNX file: memory of a pool, names, fields one after another, and errors with their place.
 * A message is a run of fields; a field is a number, or bytes that may be a message again. */
#include "read/onnx/parse.h"

enum { POOL_BLOCK = 32 << 10 };

void *onnx_get(onnx_pool *pool, size_t size) {
    size = (size + 15) / 16 * 16;
    if (size > pool->left) {
        size_t block = size > POOL_BLOCK / 4 ? size : POOL_BLOCK;
        if (block > pool->limit - pool->used) {
            pool->failed = true;
            roof_fail(pool->error, ROOF_EUNSUPPORTED, "the graph needs more than %zu MB of memory", pool->limit >> 20);
            return NULL;
        }
        char *fresh = arena_get(pool->memory, block);
        if (!fresh) {
            pool->failed = true;
            roof_fail(pool->error, ROOF_ENOMEM, "out of memory while reading a graph");
            return NULL;
        }
        pool->used += block;
        if (block == size)
            return fresh; /* large: a block of its own */
        pool->at = fresh;
        pool->left = block;
    }
    void *out = pool->at;
    pool->at += size;
    pool->left -= size;
    return out;
}

int onnx_fail_at(onnx_parser *p, uint64_t offset) {
    if (p->error && p->error->code != ROOF_ENOMEM)
        p->error->offset = (long)offset;
    return -1;
}

double onnx_whole(uint64_t bits) {
    return (double)(int64_t)bits;
}

/* A string of its own; NULL on error. */
static const char *text(onnx_parser *p, const protobuf_field *field, const char *what) {
    uint64_t length = field->content.end - field->content.at;
    if (field->wire != PROTOBUF_BYTES || length > ONNX_TEXT_MAX) {
        roof_fail(p->error, ROOF_EFORMAT, "broken ONNX file: a name in the %s is not a text of at most %d bytes", what,
                  ONNX_TEXT_MAX);
        onnx_fail_at(p, field->offset);
        return NULL;
    }
    char *out = onnx_get(p->pool, (size_t)length + 1);
    return out && protobuf_copy(&field->content, out, (size_t)length, p->error) == 0 ? out : NULL;
}

int onnx_put_text(onnx_parser *p, const protobuf_field *field, const char *what, const char **out) {
    *out = text(p, field, what);
    return *out ? 0 : -1;
}

/* A field that must be a message. */
int onnx_enter(onnx_parser *p, const protobuf_field *field, const char *what) {
    if (field->wire == PROTOBUF_BYTES)
        return 0;
    roof_fail(p->error, ROOF_EFORMAT, "broken ONNX file: field %u of the %s is a number, not a message",
              (unsigned)field->number, what);
    return onnx_fail_at(p, field->offset);
}

int onnx_each(onnx_parser *p, protobuf_message message, const char *what, onnx_taker take, void *out) {
    protobuf_field field;
    int more;
    while ((more = protobuf_next(&message, &field, what, p->error)) == 1)
        if (take(p, &field, out) != 0)
            return -1;
    return more;
}
