/* Metadata of one architecture: the value of `<arch>.suffix`, as one number or one for each layer. */
#include <stdio.h>

#include "read/gguf/model.h"

const gguf_value *arch_value(const gguf_file *f, const char *suffix) {
    char key[128];
    snprintf(key, sizeof key, "%.60s.%s", f->arch, suffix);
    return gguf_find(&f->header, key);
}

double arch_number(const gguf_file *f, const char *suffix) {
    const gguf_value *value = arch_value(f, suffix);
    double largest = value && !value->text ? value->number : 0;
    for (uint64_t i = 0; value && value->list && i < value->count; i++)
        largest = value->list[i] > largest ? value->list[i] : largest;
    return largest;
}

double arch_of_layer(const gguf_file *f, const char *suffix, size_t layer, double otherwise) {
    const gguf_value *value = arch_value(f, suffix);
    if (!value || value->text)
        return otherwise;
    if (!value->is_array)
        return value->number;
    return value->list && layer < value->count ? value->list[layer] : otherwise;
}
