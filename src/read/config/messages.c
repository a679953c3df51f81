/* Errors with their place, warnings and notes, and the memory they live in. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "read/config/config.h"

static long place_of(const reader *r, const char *key) {
    const char *path[4] = {r->lm_path[0], r->lm_path[1]};
    char outer[64];
    size_t depth = r->lm_depth;
    const char *dot = strchr(key, '.');
    if (dot) {
        snprintf(outer, sizeof outer, "%.*s", (int)(dot - key), key);
        path[depth++] = outer;
        key = dot + 1;
    }
    path[depth++] = key;
    long place = json_locate(r->text, r->length, path, depth);
    return place >= 0 ? place : json_locate(r->text, r->length, &key, 1);
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
    if (r->error && key) {
        r->error->offset = place_of(r, key);
        r->error->line = json_line(r->text, r->length, r->error->offset);
    }
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
