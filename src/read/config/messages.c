/* Errors with their place, warnings and notes, and the memory they live in. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "read/config/config.h"
#include "roofline_read.h"

/* The member a message is about: "outer.inner" or a key of the language model, else one of the whole file. */
static const json_node *member_of(const reader *r, const char *key) {
    const json_node *model = r->root;
    char outer[64];
    const char *dot = strchr(key, '.');
    for (size_t i = 0; i < r->lm_depth; i++)
        model = json_get(model, r->lm_path[i]);
    if (dot) {
        snprintf(outer, sizeof outer, "%.*s", (int)(dot - key), key);
        model = json_get(model, outer);
        key = dot + 1;
    }
    const json_node *member = json_get(model, key);
    return member ? member : json_get(r->root, key);
}

int fail_at(reader *r, roof_status code, const char *key, const char *format, ...) {
    if (r->failed)
        return -1; /* the first finding counts */
    r->failed = true;
    char what[sizeof r->error->what];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    roof_fail(r->error, code, "%s", what);
    if (key)
        json_place(member_of(r, key), r->error);
    return -1;
}

void *keep(reader *r, size_t size) {
    void *memory = arena_get(&r->file->memory, size);
    if (!memory)
        fail_at(r, ROOF_ENOMEM, NULL, "out of memory while reading a model");
    return memory;
}

static const char *keep_list(reader *r, const char *format, va_list arguments) {
    char line[512];
    int n = vsnprintf(line, sizeof line, format, arguments);
    if (n < 0)
        n = 0;
    size_t size = (size_t)n < sizeof line ? (size_t)n + 1 : sizeof line;
    char *text = keep(r, size);
    return text ? memcpy(text, line, size) : NULL;
}

const char *keep_text(reader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = keep_list(r, format, arguments);
    va_end(arguments);
    return text;
}

static void append(reader *r, text_list *list, const char *text) {
    struct text_item *item = text ? keep(r, sizeof *item) : NULL;
    if (!item)
        return;
    item->text = text;
    *(list->last ? list->last : &list->first) = item;
    list->last = &item->next;
    list->count++;
}

void warn(reader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append(r, &r->file->warnings, keep_list(r, format, arguments));
    va_end(arguments);
}

void note(reader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append(r, &r->file->notes, keep_list(r, format, arguments));
    va_end(arguments);
}

static const char *text_at(const text_list *list, size_t index) {
    const struct text_item *item = list->first;
    while (item && index-- > 0)
        item = item->next;
    return item ? item->text : NULL;
}

size_t roof_model_file_warnings(const roof_model_file *file) {
    return file->warnings.count;
}

const char *roof_model_file_warning(const roof_model_file *file, size_t index) {
    return text_at(&file->warnings, index);
}

size_t roof_model_file_notes(const roof_model_file *file) {
    return file->notes.count;
}

const char *roof_model_file_note(const roof_model_file *file, size_t index) {
    return text_at(&file->notes, index);
}
