/* safetensors headers: 8 bytes of length, then JSON with a member a tensor (huggingface/safetensors, README "Format").
 * The data behind them is never read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/checkpoint/header.h"
#include "read/checkpoint/weights.h"
#include "read/lfs.h"

enum { HEADER_MAX = 100000000, NAME_SIZE = 512, TENSORS_MAX = 1 << 19, FILES_MAX = 8192, RANK_MAX = 64 };

/* safetensors/src/tensor.rs, enum Dtype; and two spellings of torch builds for AMD. */
static const weight_type types[] = {
    {"BOOL", 8, ROOF_INT8},
    {"F4", 4, ROOF_FP4},
    {"F6_E2M3", 6, ROOF_FP6},
    {"F6_E3M2", 6, ROOF_FP6},
    {"U8", 8, ROOF_INT8},
    {"I8", 8, ROOF_INT8},
    {"F8_E5M2", 8, ROOF_FP8_E5M2},
    {"F8_E4M3", 8, ROOF_FP8},
    {"F8_E8M0", 8, ROOF_FP8},
    {"F8_E4M3FNUZ", 8, ROOF_FP8},
    {"F8_E5M2FNUZ", 8, ROOF_FP8_E5M2},
    {"I16", 16, ROOF_INT16},
    {"U16", 16, ROOF_INT16},
    {"F16", 16, ROOF_F16},
    {"BF16", 16, ROOF_BF16},
    {"I32", 32, ROOF_INT32},
    {"U32", 32, ROOF_INT32},
    {"F32", 32, ROOF_F32},
    {"C64", 64, ROOF_F32},
    {"F64", 64, ROOF_F64},
    {"I64", 64, ROOF_INT32},
    {"U64", 64, ROOF_INT32},
};

static const weight_type *type_of(const char *name) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

void weights_begin(weight_set *set, arena *memory) {
    *set = (weight_set){.memory = memory};
    set->last = &set->chunks;
}

static weight *next_slot(weight_set *set) {
    weight_chunk *chunk = *set->last;
    if (chunk && chunk->count == WEIGHT_CHUNK)
        set->last = &chunk->next;
    if (!*set->last)
        *set->last = arena_get(set->memory, sizeof **set->last);
    return *set->last ? &(*set->last)->items[(*set->last)->count++] : NULL;
}

static const char *keep_name(weight_set *set, const char *name) {
    enum { ROOM = 16384 };
    size_t n = strlen(name) + 1;
    if (n > set->room_left) {
        set->room = arena_get(set->memory, ROOM);
        set->room_left = set->room ? ROOM : 0;
    }
    if (n > set->room_left)
        return NULL;
    char *copy = memcpy(set->room, name, n);
    set->room += n;
    set->room_left -= n;
    return copy;
}

static int take_shape(header *h, const char *name, weight *w) {
    int more;
    w->elements = 1;
    if (header_need(h, JSON_LIST) != 0)
        return -1;
    while ((more = header_item(h)) > 0) {
        uint64_t size;
        if (header_whole(h, &size) != 0)
            return -1;
        if (++w->rank > RANK_MAX || (size > 0 && w->elements > (UINT64_C(1) << 50) / size))
            return header_fail(h, "tensor '%.100s' has more than 2^50 elements or %d dimensions", name, RANK_MAX);
        w->elements *= size;
        if (w->rank == 1)
            w->rows = size <= UINT32_MAX ? (uint32_t)size : 0;
        w->cols = size <= UINT32_MAX ? (uint32_t)size : 0;
    }
    return more;
}

static int take_offsets(header *h, uint64_t out[2]) {
    int count = 0, more;
    if (header_need(h, JSON_LIST) != 0)
        return -1;
    for (; (more = header_item(h)) > 0; count++)
        if (count == 2 || header_whole(h, &out[count]) != 0)
            return header_fail(h, "data_offsets are two numbers");
    return more < 0 || count == 2 ? more : header_fail(h, "data_offsets are two numbers");
}

enum { HAS_TYPE = 1, HAS_SHAPE = 2, HAS_OFFSETS = 4, HAS_ALL = 7 };

static int take_property(header *h, const char *key, const char *name, weight *w, uint64_t offsets[2]) {
    char type[24];
    if (strcmp(key, "shape") == 0)
        return take_shape(h, name, w) == 0 ? HAS_SHAPE : -1;
    if (strcmp(key, "data_offsets") == 0)
        return take_offsets(h, offsets) == 0 ? HAS_OFFSETS : -1;
    if (strcmp(key, "dtype") != 0)
        return header_skip(h) == 0 ? 0 : -1;
    if (header_text(h, type, sizeof type) != 0)
        return -1;
    w->type = type_of(type);
    return w->type ? HAS_TYPE : header_fail(h, "tensor '%.100s' has dtype '%s', which is unknown", name, type);
}

static int take_tensor(header *h, const char *name, weight *w, uint64_t data_size) {
    char key[32];
    int more, has = 0;
    uint64_t offsets[2] = {0, 0};
    if (header_need(h, JSON_OBJECT) != 0)
        return -1;
    while ((more = header_member(h, key, sizeof key)) > 0) {
        int property = take_property(h, key, name, w, offsets);
        if (property < 0)
            return -1;
        if (property & has)
            return header_fail(h, "tensor '%.100s' has '%s' twice", name, key);
        has |= property;
    }
    if (more < 0)
        return -1;
    if (has != HAS_ALL)
        return header_fail(h, "tensor '%.100s' lacks '%s'", name,
                           !(has & HAS_TYPE)    ? "dtype"
                           : !(has & HAS_SHAPE) ? "shape"
                                                : "data_offsets");
    if (offsets[1] < offsets[0])
        return header_fail(h, "tensor '%.100s' ends before it begins", name);
    w->begin = offsets[0];
    w->bytes = offsets[1] - offsets[0];
    if (w->bytes != (w->elements * w->type->bits + 7) / 8)
        return header_fail(h, "tensor '%.100s' has %" PRIu64 " elements of %s, and %" PRIu64 " bytes", name,
                           w->elements, w->type->name, w->bytes);
    if (offsets[1] > data_size)
        return header_fail(h, "truncated: tensor '%.100s' ends at byte %" PRIu64 " of the data, which has %" PRIu64,
                           name, offsets[1], data_size);
    return 0;
}

static int take_member(weight_set *set, header *h, const char *name, uint64_t data_size) {
    if (strcmp(name, "__metadata__") == 0)
        return header_peek(h) == '{' ? header_skip(h) : header_fail(h, "__metadata__ is not an object");
    if (set->count >= TENSORS_MAX)
        return header_fail(h, "more than %d tensors", TENSORS_MAX);
    weight w = {.file = (uint16_t)set->files};
    if (take_tensor(h, name, &w, data_size) != 0)
        return -1;
    weight *slot = next_slot(set);
    w.name = keep_name(set, name);
    if (!slot || !w.name) {
        h->failed = true;
        return roof_fail(h->error, ROOF_ENOMEM, "out of memory while reading a safetensors header");
    }
    *slot = w;
    set->count++;
    return 0;
}

static int by_place(const void *a, const void *b) {
    const weight *left = *(const weight *const *)a, *right = *(const weight *const *)b;
    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    return (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

/* A place in the list of tensors: what a file adds begins at one. */
typedef struct spot {
    weight_chunk *chunk;
    size_t index;
} spot;

static spot spot_now(const weight_set *set) {
    weight_chunk *chunk = *set->last;
    return (spot){chunk, chunk ? chunk->count : 0};
}

static weight *next_weight(const weight_set *set, spot *at) {
    if (!at->chunk)
        at->chunk = set->chunks; /* the list was empty at the time */
    while (at->chunk && at->index == at->chunk->count)
        *at = (spot){at->chunk->next, 0};
    return at->chunk ? &at->chunk->items[at->index++] : NULL;
}

/* Tensors follow one another without holes and end where the file ends. */
static int check_places(weight_set *set, header *h, size_t count, spot from, uint64_t data_size) {
    size_t n = 0;
    const weight **order = arena_get(set->memory, (count + 1) * sizeof *order);
    uint64_t at = 0;
    if (!order)
        return roof_fail(h->error, ROOF_ENOMEM, "out of memory while reading a safetensors header");
    for (const weight *w; n < count && (w = next_weight(set, &from));)
        order[n++] = w;
    qsort(order, n, sizeof *order, by_place);
    for (size_t i = 0; i < n; at += order[i++]->bytes)
        if (order[i]->begin != at)
            return header_fail(h, "tensor '%.100s' begins at byte %" PRIu64 " of the data, %s byte %" PRIu64,
                               order[i]->name, order[i]->begin,
                               order[i]->begin < at ? "inside the one that ends at" : "after a hole that begins at",
                               at);
    if (at != data_size)
        return header_fail(h, "the tensors end at byte %" PRIu64 " of the data, which has %" PRIu64, at, data_size);
    return 0;
}

static int take_members(weight_set *set, header *h, uint64_t data_size) {
    char name[NAME_SIZE];
    size_t before = set->count;
    spot from = spot_now(set);
    int more;
    if (header_need(h, JSON_OBJECT) != 0)
        return -1;
    while ((more = header_member(h, name, sizeof name)) > 0)
        if (take_member(set, h, name, data_size) != 0)
            return -1;
    if (more < 0)
        return -1;
    if (header_peek(h) >= 0)
        return header_fail(h, "text after the closing brace");
    return check_places(set, h, set->count - before, from, data_size);
}

static int take_header(weight_set *set, source *s, uint64_t length, roof_error *error) {
    header h;
    int result = header_begin(&h, s, 8, 8 + length, "safetensors header", error);
    if (result == 0)
        result = take_members(set, &h, s->size - 8 - length);
    header_end(&h);
    return result;
}

/* compressed-tensors keeps the true shape of each packed matrix as two numbers among the data; the words of the first
 * one tell the bits of all. */
static const weight *packed_beside(const weight_set *set, const weight *shape, spot at) {
    size_t n = strlen(shape->name) - strlen("shape");
    for (const weight *w; (w = next_weight(set, &at));)
        if (strncmp(w->name, shape->name, n) == 0 && strcmp(w->name + n, "packed") == 0)
            return w;
    return NULL;
}

static const weight *first_shape(const weight_set *set, spot at) {
    static const char end[] = ".weight_shape";
    for (const weight *w; (w = next_weight(set, &at));) {
        size_t n = w->bytes == 16 ? strlen(w->name) : 0;
        if (n >= sizeof end && strcmp(w->name + n - (sizeof end - 1), end) == 0)
            return w;
    }
    return NULL;
}

static void find_packed_bits(weight_set *set, source *s, spot from, uint64_t data) {
    const weight *shape = set->packed_bits > 0 ? NULL : first_shape(set, from);
    const weight *packed = shape ? packed_beside(set, shape, from) : NULL;
    unsigned char bytes[16];
    if (!packed || !source_read(s, data + shape->begin, bytes, sizeof bytes))
        return;
    double bits = (double)packed->bytes * 8 / ((double)get_u64(bytes) * (double)get_u64(bytes + 8));
    if (bits >= 1 && bits <= 8)
        set->packed_bits = bits;
}

bool weights_is_safetensors(source *s) {
    unsigned char head[9];
    if (!source_read(s, 0, head, sizeof head))
        return false;
    uint64_t length = get_u64(head);
    return head[8] == '{' && length >= 2 && length < (UINT64_C(1) << 40);
}

int weights_read(weight_set *set, source *s, roof_error *error) {
    unsigned char head[8] = {0};
    double pointer = -1;
    if (set->files >= FILES_MAX)
        return roof_fail(error, ROOF_EFORMAT, "more than %d files", FILES_MAX);
    if (weights_pointer(s, &pointer)) {
        if (pointer < 0)
            return roof_fail(error, ROOF_EFORMAT, "a git-LFS pointer without the size of its file");
        set->elsewhere++;
        set->elsewhere_bytes += pointer;
        return 0;
    }
    if (!source_read(s, 0, head, sizeof head))
        return roof_fail(error, ROOF_EFORMAT, "not a safetensors file: it has %" PRIu64 " bytes", s->size);
    uint64_t length = get_u64(head);
    if (length > HEADER_MAX)
        return roof_fail(error, ROOF_EFORMAT,
                         "not a safetensors file: its header would have %" PRIu64 " bytes; at most %d are allowed",
                         length, HEADER_MAX);
    if (length > s->size - 8)
        return roof_fail(error, ROOF_EFORMAT,
                         "truncated at byte %" PRIu64 ": the safetensors header needs %" PRIu64 " bytes, %" PRIu64
                         " are left",
                         s->size, length, s->size - 8);
    spot from = spot_now(set);
    if (take_header(set, s, length, error) != 0)
        return -1;
    find_packed_bits(set, s, from, 8 + length);
    set->files++;
    set->file_bytes += (double)s->size;
    return 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const weight *const *)a)->name, (*(const weight *const *)b)->name);
}

int weights_sort(weight_set *set, roof_error *error) {
    size_t n = 0;
    set->sorted = arena_get(set->memory, (set->count + 1) * sizeof *set->sorted);
    if (!set->sorted)
        return roof_fail(error, ROOF_ENOMEM, "out of memory while reading safetensors headers");
    for (weight_chunk *chunk = set->chunks; chunk; chunk = chunk->next)
        for (size_t i = 0; i < chunk->count; i++)
            set->sorted[n++] = &chunk->items[i];
    qsort(set->sorted, n, sizeof *set->sorted, by_name);
    for (size_t i = 1; i < n; i++)
        if (strcmp(set->sorted[i - 1]->name, set->sorted[i]->name) == 0)
            return roof_fail(error, ROOF_EFORMAT, "tensor '%.150s' appears twice", set->sorted[i]->name);
    return 0;
}

const weight *weights_find(const weight_set *set, const char *base, size_t length, const char *suffix) {
    char name[NAME_SIZE + 32];
    size_t low = 0, high = set->count;
    snprintf(name, sizeof name, "%.*s%s", (int)length, base, suffix);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(set->sorted[middle]->name, name);
        if (order == 0)
            return set->sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool weights_pointer(source *s, double *bytes) {
    char head[LFS_HEAD];
    size_t length = s->size < sizeof head ? (size_t)s->size : sizeof head;
    return source_read(s, 0, head, length) && lfs_pointer(head, length, bytes);
}
