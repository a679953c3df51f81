/* The JSON writer: numbers that read back exactly, strings that are always valid UTF-8. */
#include "json/write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

emit emit_to(roof_write write, void *context) {
    return (emit){.write = write, .context = context};
}

static void put(emit *json, const char *bytes, size_t length) {
    if (!json->failed && length > 0 && json->write(json->context, bytes, length) != 0)
        json->failed = true;
}

static void put_text(emit *json, const char *text) {
    put(json, text, strlen(text));
}

const char *emit_format(double value, char buffer[EMIT_NUMBER_SIZE]) {
    if (!isfinite(value))
        return strcpy(buffer, "null");
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, EMIT_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    for (char *at = buffer; *at; at++) /* some locales write a comma */
        if (!strchr("0123456789+-e", *at))
            *at = '.';
    return buffer;
}

/* Length of the valid UTF-8 sequence at `text` (RFC 3629: no surrogates, no overlong forms), or 0. */
static size_t sequence(const unsigned char *text) {
    static const struct {
        unsigned char first, last, low, high; /* lead bytes; range of the second byte */
        size_t length;
    } forms[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last)
            continue;
        if (forms[i].length > 1 && (text[1] < forms[i].low || text[1] > forms[i].high))
            return 0;
        for (size_t at = 2; at < forms[i].length; at++)
            if (text[at] < 0x80 || text[at] > 0xbf)
                return 0;
        return forms[i].length;
    }
    return 0;
}

const char *emit_clean(const char *text, char *buffer, size_t size) {
    size_t used = 0;
    while (*text) {
        size_t length = sequence((const unsigned char *)text), step = length ? length : 1;
        if (used + step >= size)
            break;
        if (length)
            memcpy(buffer + used, text, length);
        else
            buffer[used] = '?';
        used += step;
        text += step;
    }
    buffer[used] = '\0';
    return buffer;
}

/* The escape of one character that cannot stand as it is, or NULL. */
static const char *escape(unsigned char c, char buffer[8]) {
    static const char plain[] = "\"\\\n\t\r\b\f", letters[] = "\"\\ntrbf";
    const char *found = c ? strchr(plain, c) : NULL;
    if (found)
        snprintf(buffer, 8, "\\%c", letters[found - plain]);
    else if (c < 0x20)
        snprintf(buffer, 8, "\\u%04x", (unsigned)c);
    else
        return NULL;
    return buffer;
}

static void quoted(emit *json, const char *text) {
    const unsigned char *at = (const unsigned char *)text, *from = at;
    char buffer[8];
    put_text(json, "\"");
    while (*at) {
        size_t length = sequence(at);
        const char *instead = length == 0 ? "\\ufffd" : escape(*at, buffer);
        if (!instead) {
            at += length;
            continue;
        }
        put(json, (const char *)from, (size_t)(at - from));
        put_text(json, instead);
        from = ++at;
    }
    put(json, (const char *)from, (size_t)(at - from));
    put_text(json, "\"");
}

static void new_line(emit *json) {
    put_text(json, "\n");
    for (int i = 0; i < json->depth; i++)
        put_text(json, "  ");
}

/* Comma, line break and key: what stands before every value. */
static void lead(emit *json, const char *key) {
    if (json->depth > 0) {
        int top = json->depth - 1;
        bool one_line = json->open[top].one_line;
        if (json->open[top].filled)
            put_text(json, one_line ? ", " : ",");
        if (!one_line)
            new_line(json);
        json->open[top].filled = true;
    }
    if (key) {
        quoted(json, key);
        put_text(json, ": ");
    }
}

static void open(emit *json, const char *key, const char *brackets, bool one_line) {
    if (json->depth == EMIT_DEPTH_MAX) {
        json->failed = true;
        return;
    }
    lead(json, key);
    put(json, brackets, 1);
    bool inherited = json->depth > 0 && json->open[json->depth - 1].one_line;
    json->open[json->depth].close = brackets[1];
    json->open[json->depth].filled = false;
    json->open[json->depth].one_line = one_line || inherited;
    json->depth++;
}

void emit_object(emit *json, const char *key) {
    open(json, key, "{}", false);
}

void emit_array(emit *json, const char *key) {
    open(json, key, "[]", false);
}

void emit_row(emit *json, const char *key) {
    open(json, key, "{}", true);
}

void emit_row_array(emit *json, const char *key) {
    open(json, key, "[]", true);
}

void emit_end(emit *json) {
    if (json->depth == 0)
        return;
    json->depth--;
    if (json->open[json->depth].filled && !json->open[json->depth].one_line)
        new_line(json);
    put(json, &json->open[json->depth].close, 1);
}

void emit_string(emit *json, const char *key, const char *text) {
    lead(json, key);
    if (text)
        quoted(json, text);
    else
        put_text(json, "null");
}

void emit_number(emit *json, const char *key, double value) {
    char buffer[EMIT_NUMBER_SIZE];
    lead(json, key);
    put_text(json, emit_format(value, buffer));
}

void emit_bool(emit *json, const char *key, bool value) {
    lead(json, key);
    put_text(json, value ? "true" : "false");
}

void emit_null(emit *json, const char *key) {
    emit_string(json, key, NULL);
}

int emit_finish(emit *json) {
    put_text(json, "\n");
    return json->failed ? -1 : 0;
}
