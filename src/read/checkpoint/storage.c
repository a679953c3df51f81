/* Piles of tensors to formats, and lists of layers to kinds. */
#include "read/checkpoint/storage.h"

#include <stdio.h>
#include <string.h>

enum { KINDS_MAX = 255, LAYER_MAX = 4096 };

void pile_add(pile *p, double weights, double bytes, const char *type, roof_dtype dtype) {
    size_t i = 0;
    p->weights += weights;
    p->bytes += bytes;
    while (i < PILE_TYPES && p->types[i] && strcmp(p->types[i], type) != 0)
        i++;
    if (i == PILE_TYPES)
        p->more = true;
    else
        p->types[i] = type;
    if (i == 0)
        p->dtype = dtype;
}

roof_format pile_format(reader *r, const pile *p) {
    const char *name = p->types[0];
    if (p->more)
        name = "mixed";
    else if (p->types[1])
        name =
            keep_text(r, "%s+%s%s%s", p->types[0], p->types[1], p->types[2] ? "+" : "", p->types[2] ? p->types[2] : "");
    return (roof_format){.name = name, .dtype = p->dtype, .bits = 8 * p->bytes / p->weights};
}

int layer_list_begin(reader *r, layer_list *list, size_t layers) {
    *list = (layer_list){.kinds = keep(r, (layers < KINDS_MAX ? layers + 1 : KINDS_MAX) * sizeof *list->kinds),
                         .order = keep(r, layers + 1)};
    return r->failed ? -1 : 0;
}

static bool same_format(const roof_format *a, const roof_format *b) {
    return a->bits == b->bits && a->dtype == b->dtype && a->unknown == b->unknown && a->block_rows == b->block_rows &&
           a->block_cols == b->block_cols && a->scale_bits == b->scale_bits && a->zero_bits == b->zero_bits &&
           a->math == b->math && (a->name == b->name || (a->name && b->name && strcmp(a->name, b->name) == 0));
}

static bool same_layer(const roof_layer *a, const roof_layer *b) {
    roof_layer left, right; /* layers of one origin are copies, padding included: their bytes compare */
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    for (int role = 0; role < ROOF_ROLE_COUNT; role++)
        if (!same_format(&left.format[role], &right.format[role]))
            return false;
    memset(left.format, 0, sizeof left.format);
    memset(right.format, 0, sizeof right.format);
    left.count = right.count = 0;
    return memcmp(&left, &right, sizeof left) == 0;
}

int layer_list_add(reader *r, layer_list *list, const roof_layer *layer) {
    size_t kind = 0;
    while (kind < list->kind_count && !same_layer(&list->kinds[kind], layer))
        kind++;
    if (kind == KINDS_MAX)
        return fail_at(r, ROOF_EUNSUPPORTED, NULL, "more than %d kinds of layers", KINDS_MAX);
    if (kind == list->kind_count) {
        memcpy(&list->kinds[kind], layer, sizeof *layer);
        list->kinds[list->kind_count++].count = 0;
    }
    list->kinds[kind].count++;
    list->order[list->length++] = (unsigned char)kind;
    return 0;
}

void layer_list_end(const layer_list *list, roof_model *model) {
    model->layers = list->kinds;
    model->layer_count = list->kind_count;
    model->order = list->kind_count > 1 ? list->order : NULL;
}

const roof_layer *model_layer(const roof_model *model, size_t index) {
    if (!((double)index < roof_model_layers(model)))
        return NULL;
    return &model->layers[model->order ? model->order[index] : 0];
}

const char *layer_of(const char *name, const char *prefix, size_t *layer) {
    size_t n = strlen(prefix), value = 0;
    if (strncmp(name, prefix, n) != 0)
        return NULL;
    const char *at = name + n;
    for (; *at >= '0' && *at <= '9' && value < LAYER_MAX; at++)
        value = 10 * value + (size_t)(*at - '0');
    if (at == name + n || *at != '.' || value >= LAYER_MAX)
        return NULL;
    *layer = value;
    return at + 1;
}
