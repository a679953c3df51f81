/* The GGUF header: magic, metadata, tensor table (ggml/docs/gguf.md). Lengths are checked against the file before they
 * are believed; the tokeniser's arrays are walked over, the weights never touched. */
#include "read/gguf/gguf.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    VERSION_LEAST = 2,
    VERSION_MOST = 3,
    VALUES_MAX = 2048,
    LIST_MAX = 4096,
    TEXT_KEPT = 255,
    KEY_MAX = 255,
    NEST_MAX = 8,
    TENSORS_MAX = 1 << 17,
    ALIGNMENT_PRESET = 32,
    ALIGNMENT_MAX = 1 << 20
};
#define HEADER_MAX (UINT64_C(256) << 20) /* the longest known, a 256k-word tokeniser, takes 20 MB */
#define ELEMENTS_MAX (UINT64_C(1) << 50)
#define BYTES_MAX (UINT64_C(1) << 60)

/* Types of metadata values, in the order of their numbers. */
/* Types of metadata, as the file numbers them (enum gguf_type of ggml/include/gguf.h), and the bytes of one value. */
enum {
    TYPE_UINT8,
    TYPE_INT8,
    TYPE_UINT16,
    TYPE_INT16,
    TYPE_UINT32,
    TYPE_INT32,
    TYPE_FLOAT32,
    TYPE_BOOL,
    TYPE_STRING,
    TYPE_ARRAY,
    TYPE_UINT64,
    TYPE_INT64,
    TYPE_FLOAT64,
    TYPE_COUNT
};
static const unsigned char widths[] = {
    [TYPE_UINT8] = 1,  [TYPE_INT8] = 1,    [TYPE_UINT16] = 2,  [TYPE_INT16] = 2,  [TYPE_UINT32] = 4,
    [TYPE_INT32] = 4,  [TYPE_FLOAT32] = 4, [TYPE_BOOL] = 1,    [TYPE_STRING] = 0, [TYPE_ARRAY] = 0,
    [TYPE_UINT64] = 8, [TYPE_INT64] = 8,   [TYPE_FLOAT64] = 8,
};
static_assert(sizeof widths == TYPE_COUNT && TYPE_COUNT == 13, "a width for each type of the format");

typedef struct cursor {
    source *s;
    arena *memory;
    gguf *out;
    roof_error *error;
    uint64_t at;
    uint64_t alignment;
    gguf_value **last_value;
    size_t value_count;
    gguf_chunk **last_chunk;
    char *room; /* for names */
    size_t room_left;
    const char *what; /* what is being read, for messages */
} cursor;

static int refuse(cursor *c, uint64_t at, const char *format, ...) ROOF_PRINTF(3, 4);

static int refuse(cursor *c, uint64_t at, const char *format, ...) {
    char what[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    roof_fail(c->error, ROOF_EFORMAT, "%s", what);
    if (c->error)
        c->error->offset = at <= (uint64_t)INT64_MAX ? (long)at : -1;
    return -1;
}

static int no_memory(cursor *c) {
    return roof_fail(c->error, ROOF_ENOMEM, "out of memory while reading a GGUF header");
}

static int cut_short(cursor *c, uint64_t needed) {
    if (c->s->failure)
        return roof_fail(c->error, ROOF_EIO, "cannot read the GGUF header: %s", strerror(c->s->failure));
    uint64_t left = c->at < c->s->size ? c->s->size - c->at : 0;
    return refuse(c, c->s->size, "truncated at byte %" PRIu64 ": %s needs %" PRIu64 " bytes, %" PRIu64 " are left",
                  c->s->size, c->what, needed, left);
}

static int take(cursor *c, void *out, size_t n) {
    if (!source_read(c->s, c->at, out, n))
        return cut_short(c, n);
    c->at += n;
    return 0;
}

static int take_u32(cursor *c, uint32_t *out) {
    unsigned char bytes[4] = {0};
    int result = take(c, bytes, 4);
    *out = get_u32(bytes);
    return result;
}

static int take_u64(cursor *c, uint64_t *out) {
    unsigned char bytes[8] = {0};
    int result = take(c, bytes, 8);
    *out = get_u64(bytes);
    return result;
}

static int skip(cursor *c, uint64_t n) {
    if (n > c->s->size - c->at) /* `at` never passes the end */
        return cut_short(c, n);
    c->at += n;
    return c->at <= HEADER_MAX
               ? 0
               : refuse(c, c->at, "metadata of more than %" PRIu64 " bytes is not a GGUF header known here",
                        HEADER_MAX);
}

static char *keep_name(cursor *c, const char *text, size_t n) {
    enum { ROOM = 4096 };
    if (n + 1 > c->room_left) {
        c->room = arena_get(c->memory, ROOM);
        c->room_left = c->room ? ROOM : 0;
    }
    if (n + 1 > c->room_left)
        return NULL;
    char *copy = memcpy(c->room, text, n);
    c->room += n + 1;
    c->room_left -= n + 1;
    return copy;
}

/* A string into `text` (size `size`), cut when longer; unprintable bytes become '?', for names go into messages. */
static int take_text(cursor *c, char *text, size_t size, uint64_t *length) {
    if (take_u64(c, length) != 0)
        return -1;
    uint64_t start = c->at;
    size_t n = *length < size - 1 ? (size_t)*length : size - 1;
    if (*length > c->s->size - c->at)
        return cut_short(c, *length);
    if (take(c, text, n) != 0)
        return -1;
    text[n] = '\0';
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] > '~')
            text[i] = '?';
    c->at = start;
    return skip(c, *length);
}

static double number_of(unsigned type, const unsigned char *bytes) {
    uint64_t u = widths[type] == 8 ? get_u64(bytes) : widths[type] == 4 ? get_u32(bytes) : bytes[0];
    if (widths[type] == 2)
        u = (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8;
    float single;
    double wide;
    uint32_t low = (uint32_t)u;
    switch (type) {
    case TYPE_INT8:
        return (int8_t)u;
    case TYPE_INT16:
        return (int16_t)u;
    case TYPE_INT32:
        return (int32_t)u;
    case TYPE_FLOAT32:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case TYPE_INT64:
        return (double)(int64_t)u;
    case TYPE_FLOAT64:
        memcpy(&wide, &u, sizeof wide);
        return wide;
    default:
        return (double)u;
    }
}

static int take_type(cursor *c, unsigned *type) {
    uint32_t number;
    uint64_t at = c->at;
    if (take_u32(c, &number) != 0)
        return -1;
    if (number >= TYPE_COUNT)
        return refuse(c, at, "%s has value type %" PRIu32 "; types go from 0 to %d", c->what, number, TYPE_COUNT - 1);
    *type = number;
    return 0;
}

static int skip_strings(cursor *c, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint64_t length;
        if (take_u64(c, &length) != 0 || skip(c, length) != 0)
            return -1;
    }
    return 0;
}

static int take_list(cursor *c, unsigned type, gguf_value *value) {
    double *list = NULL;
    if (value && value->count > 0 && value->count <= LIST_MAX) {
        list = arena_get(c->memory, (size_t)value->count * sizeof *list);
        if (!list)
            return no_memory(c);
    }
    if (!list)
        return 0;
    for (uint64_t i = 0; i < value->count; i++) {
        unsigned char bytes[8] = {0};
        if (!source_read(c->s, c->at + i * widths[type], bytes, widths[type]))
            return cut_short(c, value->count * widths[type]);
        list[i] = number_of(type, bytes);
    }
    value->list = list;
    value->number = list[0];
    return 0;
}

/* One array: kept in `value` when that is not NULL, else walked over. Arrays of arrays are walked over, level by level.
 */
static int take_array(cursor *c, gguf_value *value, int depth) {
    unsigned type;
    uint64_t at = c->at, count;
    if (take_type(c, &type) != 0 || take_u64(c, &count) != 0)
        return -1;
    if (depth >= NEST_MAX)
        return refuse(c, at, "%s nests arrays deeper than %d levels", c->what, NEST_MAX);
    unsigned least = type == TYPE_STRING ? 8 : type == TYPE_ARRAY ? 12 : widths[type];
    uint64_t left = c->s->size - c->at;
    if (count > left / least)
        return refuse(
            c, at, "truncated at byte %" PRIu64 ": %s is an array of %" PRIu64 " elements, %" PRIu64 " bytes are left",
            c->s->size, c->what, count, left);
    if (value) {
        value->is_array = true;
        value->count = count;
    }
    if (type == TYPE_STRING)
        return skip_strings(c, count);
    for (uint64_t i = 0; type == TYPE_ARRAY && i < count; i++)
        if (take_array(c, NULL, depth + 1) != 0)
            return -1;
    if (type == TYPE_ARRAY)
        return 0;
    return take_list(c, type, value) != 0 ? -1 : skip(c, count * widths[type]);
}

static int take_value(cursor *c, unsigned type, gguf_value *value) {
    unsigned char bytes[8] = {0};
    char text[TEXT_KEPT + 1];
    uint64_t length;
    if (type == TYPE_ARRAY)
        return take_array(c, value, 0);
    if (type != TYPE_STRING) {
        if (take(c, bytes, widths[type]) != 0)
            return -1;
        value->number = number_of(type, bytes);
        return 0;
    }
    if (take_text(c, text, sizeof text, &length) != 0)
        return -1;
    value->text = keep_name(c, text, strlen(text));
    return value->text ? 0 : no_memory(c);
}

static int keep_value(cursor *c, const char *key, const gguf_value *value, uint64_t at) {
    if (gguf_find(c->out, key))
        return refuse(c, at, "key '%.80s' appears twice", key);
    if (++c->value_count > VALUES_MAX)
        return refuse(c, at, "more than %d keys", VALUES_MAX);
    gguf_value *kept = arena_get(c->memory, sizeof *kept);
    if (!kept)
        return no_memory(c);
    *kept = *value;
    kept->key = keep_name(c, key, strlen(key));
    if (!kept->key)
        return no_memory(c);
    *c->last_value = kept;
    c->last_value = &kept->next;
    return 0;
}

static int take_pair(cursor *c) {
    static const char tokens[] = "tokenizer.ggml.tokens";
    char key[KEY_MAX + 1], what[KEY_MAX + 16];
    uint64_t at = c->at, length;
    unsigned type;
    gguf_value value = {0};
    c->what = "a key";
    if (take_text(c, key, sizeof key, &length) != 0)
        return -1;
    snprintf(what, sizeof what, "key '%.100s'", key);
    c->what = what;
    int result = take_type(c, &type) != 0 ? -1 : take_value(c, type, &value);
    c->what = "a key";
    if (result != 0)
        return -1;
    if (strcmp(key, tokens) == 0)
        c->out->tokens = value.count;
    return strncmp(key, "tokenizer.", 10) == 0 || length > KEY_MAX ? 0 : keep_value(c, key, &value, at);
}

static int check_magic(cursor *c, uint64_t counts[2]) {
    unsigned char magic[4];
    uint32_t version;
    c->what = "the head of a GGUF file";
    if (take(c, magic, 4) != 0 || take_u32(c, &version) != 0)
        return -1;
    if (memcmp(magic, "GGUF", 4) != 0)
        return refuse(c, 0, "not a GGUF file: it does not begin with 'GGUF'");
    if (version != 0 && (version & 0xffff) == 0) {
        roof_fail(c->error, ROOF_EUNSUPPORTED, "a big-endian GGUF file, which this version does not read");
        roof_hint(c->error, "turn it round with gguf-py's gguf_convert_endian.py, to little");
        return -1;
    }
    if (version < VERSION_LEAST || version > VERSION_MOST) {
        roof_fail(c->error, ROOF_EUNSUPPORTED, "GGUF version %" PRIu32 ": versions %d and %d are read", version,
                  VERSION_LEAST, VERSION_MOST);
        roof_hint(c->error, version == 1 ? "convert the model anew with llama.cpp's convert_hf_to_gguf.py"
                                         : "a newer roofline may read it");
        return -1;
    }
    return take_u64(c, &counts[0]) != 0 || take_u64(c, &counts[1]) != 0 ? -1 : 0;
}

static int take_shape(cursor *c, gguf_tensor *t) {
    uint32_t rank;
    uint64_t at = c->at;
    if (take_u32(c, &rank) != 0)
        return -1;
    if (rank > GGUF_RANK_MAX)
        return refuse(c, at, "tensor '%s' has %" PRIu32 " dimensions; ggml has at most %d", t->name, rank,
                      GGUF_RANK_MAX);
    t->rank = rank;
    t->elements = 1;
    for (unsigned i = 0; i < GGUF_RANK_MAX; i++)
        t->shape[i] = 1;
    for (unsigned i = 0; i < rank; i++) {
        if (take_u64(c, &t->shape[i]) != 0)
            return -1;
        if (t->shape[i] > ELEMENTS_MAX || (t->shape[i] > 0 && t->elements > ELEMENTS_MAX / t->shape[i]))
            return refuse(c, at, "tensor '%s' has more than 2^50 elements", t->name);
        t->elements *= t->shape[i];
    }
    return 0;
}

static int size_tensor(cursor *c, gguf_tensor *t, uint32_t number, uint64_t at) {
    t->type = gguf_type_at(number);
    if (!t->type)
        return refuse(c, at, "tensor '%s' has type %" PRIu32 ", which ggml did not define when this version was made",
                      t->name, number);
    if (t->type->removed)
        return refuse(c, at, "tensor '%s' has type %s (%" PRIu32 "), which ggml has removed: convert the model anew",
                      t->name, t->type->name, number);
    if (t->shape[0] % t->type->block != 0)
        return refuse(c, at, "tensor '%s' has rows of %" PRIu64 " elements: type %s stores blocks of %u", t->name,
                      t->shape[0], t->type->name, t->type->block);
    t->bytes = t->elements / t->type->block * t->type->bytes;
    return 0;
}

static int take_tensor(cursor *c, gguf_tensor *t) {
    char name[GGUF_NAME_MAX + 1];
    uint64_t at = c->at, length;
    uint32_t number;
    c->what = "the tensor table";
    if (take_text(c, name, sizeof name, &length) != 0)
        return -1;
    if (length > GGUF_NAME_MAX)
        return refuse(c, at, "a tensor name of %" PRIu64 " bytes; GGUF allows %d", length, GGUF_NAME_MAX);
    t->name = keep_name(c, name, (size_t)length);
    if (!t->name)
        return no_memory(c);
    at = c->at;
    return take_shape(c, t) != 0 || take_u32(c, &number) != 0 || take_u64(c, &t->offset) != 0 ||
                   size_tensor(c, t, number, at) != 0
               ? -1
               : 0;
}

static gguf_tensor *next_slot(cursor *c) {
    gguf_chunk *chunk = *c->last_chunk;
    if (chunk && chunk->count == GGUF_CHUNK)
        c->last_chunk = &chunk->next;
    if (!*c->last_chunk)
        *c->last_chunk = arena_get(c->memory, sizeof **c->last_chunk);
    chunk = *c->last_chunk;
    return chunk ? &chunk->tensors[chunk->count++] : NULL;
}

static uint64_t padded(const cursor *c, uint64_t n) {
    return (n + c->alignment - 1) / c->alignment * c->alignment;
}

/* ggml lays tensors one behind the other and refuses files that do not (gguf_init_from_file_impl in ggml/src/gguf.cpp).
 */
static int check_data(cursor *c) {
    uint64_t start = padded(c, c->at), expected = 0, size = c->s->size;
    const gguf_chunk *chunk = c->out->chunks;
    size_t index = 0;
    c->out->data_missing = c->out->tensor_count > 0 && size <= start;
    for (const gguf_tensor *t; (t = gguf_next(&chunk, &index));) {
        if (t->offset != expected)
            return refuse(c, c->at,
                          "tensor '%s' is said to begin at %" PRIu64 " of the data; the one before it ends at %" PRIu64,
                          t->name, t->offset, expected);
        uint64_t left = size > start && size - start > expected ? size - start - expected : 0;
        if (t->bytes > left && !c->out->data_missing)
            return refuse(c, size,
                          "truncated at byte %" PRIu64 ": tensor '%s' needs %" PRIu64 " bytes, %" PRIu64 " are left",
                          size, t->name, t->bytes, left);
        expected = padded(c, expected + t->bytes);
        if (expected > BYTES_MAX)
            return refuse(c, c->at, "the tensors take more than 2^60 bytes");
    }
    return 0;
}

static int take_alignment(cursor *c) {
    double alignment = gguf_number(c->out, "general.alignment", ALIGNMENT_PRESET);
    c->alignment = alignment >= 1 && alignment <= ALIGNMENT_MAX ? (uint64_t)alignment : 0;
    if (c->alignment == 0 || (c->alignment & (c->alignment - 1)) != 0)
        return refuse(c, c->at, "key 'general.alignment' is %g: it must be a power of two up to %d", alignment,
                      ALIGNMENT_MAX);
    return 0;
}

static int take_tensors(cursor *c, uint64_t count) {
    enum { LEAST = 8 + 4 + 4 + 8 };
    c->what = "the tensor table";
    if (count > TENSORS_MAX)
        return refuse(c, 8, "the file says it has %" PRIu64 " tensors; at most %d are read", count, TENSORS_MAX);
    if (count > (c->s->size - c->at) / LEAST)
        return cut_short(c, count * LEAST);
    for (; count > 0; count--) {
        gguf_tensor *t = next_slot(c);
        if (!t)
            return no_memory(c);
        if (take_tensor(c, t) != 0)
            return -1;
        c->out->tensor_count++;
    }
    return 0;
}

int gguf_read(source *s, arena *memory, gguf *out, roof_error *error) {
    uint64_t counts[2]; /* tensors, keys */
    *out = (gguf){0};
    cursor c = {
        .s = s, .memory = memory, .out = out, .error = error, .last_value = &out->values, .last_chunk = &out->chunks};
    if (check_magic(&c, counts) != 0)
        return -1;
    for (; counts[1] > 0; counts[1]--)
        if (take_pair(&c) != 0)
            return -1;
    return take_alignment(&c) != 0 || take_tensors(&c, counts[0]) != 0 ? -1 : check_data(&c);
}

const gguf_value *gguf_find(const gguf *g, const char *key) {
    const gguf_value *value = g->values;
    while (value && strcmp(value->key, key) != 0)
        value = value->next;
    return value;
}

double gguf_number(const gguf *g, const char *key, double otherwise) {
    const gguf_value *value = gguf_find(g, key);
    return value && !value->text && (!value->is_array || value->list) ? value->number : otherwise;
}

const gguf_tensor *gguf_next(const gguf_chunk **chunk, size_t *index) {
    while (*chunk && *index == (*chunk)->count) {
        *chunk = (*chunk)->next;
        *index = 0;
    }
    return *chunk ? &(*chunk)->tensors[(*index)++] : NULL;
}
