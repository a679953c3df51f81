/* A growing piece of output, its colours and its line breaks. */
#include "cli/out/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "chart/columns.h"
#include "cli/out/visible.h"

void *keep_or_die(void *memory) {
    if (memory)
        return memory;
    fputs("roofline: out of memory\n", stderr);
    exit(1);
}

const char *system_reason(int number, char *buffer, size_t size) {
    snprintf(buffer, size, "%s", strerror(number));
    buffer[0] = (char)tolower((unsigned char)buffer[0]);
    return buffer;
}

bool text_contains(const char *where, const char *what) {
    if (!what)
        return true;
    size_t length = strlen(what);
    for (; where && *where; where++)
        if (strncasecmp(where, what, length) == 0)
            return true;
    return length == 0;
}

char *copy_text(const char *from, size_t length) {
    char *copy = keep_or_die(malloc(length + 1));
    memcpy(copy, from, length);
    copy[length] = '\0';
    return copy;
}

char *text_visible(const char *bytes, size_t length, bool lines) {
    if (!visible_steers(bytes, length, lines))
        return NULL;
    char *copy = keep_or_die(malloc(length * VISIBLE_MOST + 1));
    visible_spell(bytes, length, lines, copy);
    return copy;
}

static void reserve(text_out *out, size_t more) {
    if (out->length + more + 1 <= out->capacity)
        return;
    out->capacity = (out->length + more + 1) * 2;
    out->bytes = keep_or_die(realloc(out->bytes, out->capacity));
}

void text_bytes(text_out *out, const char *bytes, size_t length) {
    reserve(out, length);
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
    out->bytes[out->length] = '\0';
}

/* The `length` bytes behind the end become part of the text, spelt where they would steer a terminal. */
static void show_foreign(text_out *out, size_t length) {
    char *spelt = text_visible(out->bytes + out->length, length, true);
    if (spelt)
        text_bytes(out, spelt, strlen(spelt));
    else
        out->length += length;
    free(spelt);
}

static void add(text_out *out, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0) {
        reserve(out, (size_t)length);
        vsnprintf(out->bytes + out->length, (size_t)length + 1, format, again);
        show_foreign(out, (size_t)length);
    }
    va_end(again);
}

void text_add(text_out *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(out, format, arguments);
    va_end(arguments);
}

void text_start(text_out *out, paint colour) {
    static const char *const codes[] = {"",         "\033[1m",  "\033[2m",  "\033[31m",
                                        "\033[32m", "\033[33m", "\033[34m", "\033[35m"};
    if (out->colour)
        text_bytes(out, codes[colour], strlen(codes[colour]));
}

void text_stop(text_out *out, paint colour) {
    static const char end[] = "\033[0m";
    if (out->colour && colour != PAINT_NONE)
        text_bytes(out, end, sizeof end - 1);
}

void text_paint(text_out *out, paint colour, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_start(out, colour);
    add(out, format, arguments);
    text_stop(out, colour);
    va_end(arguments);
}

void text_free(text_out *out) {
    free(out->bytes);
    *out = (text_out){0};
}

int text_write(void *out, const char *bytes, size_t length) {
    text_bytes(out, bytes, length);
    return 0;
}

size_t text_width(const char *bytes, size_t length) {
    return chart_columns(bytes, length);
}

/* Bytes up to the next blank; a word longer than a line ends with the line (or behind a ',', else a '+' or '/', before
 * it). */
static size_t word_length(const char *sentence, int indent) {
    size_t length = strcspn(sentence, " "), most = TEXT_COLUMNS - (size_t)indent;
    if (text_width(sentence, length) <= most)
        return length;
    static const char *const breaks[] = {",", "+/_."};
    size_t whole = chart_columns_cut(sentence, most);
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++)
        for (length = whole; length > whole / 4; length--)
            if (strchr(breaks[i], sentence[length - 1]))
                return length;
    return whole > 0 ? whole : strcspn(sentence, " ");
}

static int wrap_visible(text_out *out, int first, int indent, const char *sentence) {
    int column = first;
    bool start = true, broken = false;
    while (*sentence) {
        size_t length = word_length(sentence, indent);
        int width = (int)text_width(sentence, length);
        if (!start && (broken || column + 1 + width > TEXT_COLUMNS)) {
            text_add(out, "\n%*s", indent, "");
            column = indent;
        } else if (!start) {
            text_add(out, " ");
            column++;
        }
        text_bytes(out, sentence, length);
        column += width;
        start = false;
        sentence += length;
        broken = *sentence && *sentence != ' ';
        sentence += strspn(sentence, " ");
    }
    return column;
}

/* Words of `sentence` from column `first` on; returns the column after the last. */
static int wrap_words(text_out *out, int first, int indent, const char *sentence) {
    char *spelt = text_visible(sentence, strlen(sentence), false);
    int column = wrap_visible(out, first, indent, spelt ? spelt : sentence);
    free(spelt);
    return column;
}

void text_wrap(text_out *out, int first, int indent, const char *sentence) {
    wrap_words(out, first, indent, sentence);
    text_add(out, "\n");
}

void text_paragraph(text_out *out, int first, int indent, const char *sentence) {
    text_add(out, "%*s", first, "");
    text_wrap(out, first, indent, sentence);
}

void text_remark(text_out *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_add(out, "  ");
    text_start(out, PAINT_DIM);
    add(out, format, arguments);
    text_stop(out, PAINT_DIM);
    text_add(out, "\n");
    va_end(arguments);
}

paint text_bound_paint(roof_bound bound) {
    static const paint colours[] = {PAINT_NONE, PAINT_MAGENTA, PAINT_BLUE, PAINT_YELLOW, PAINT_YELLOW};
    return colours[bound];
}

void text_note(text_out *out, paint colour, const char *text) {
    text_add(out, "  ");
    text_paint(out, colour, "note: ");
    text_wrap(out, 8, 8, text);
    if (out->notes)
        text_add(out->notes, "%s\n", text);
}

void text_title(text_out *out, const char *title, paint colour, const char *format, ...) {
    char verdict[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict, sizeof verdict, format, arguments);
    va_end(arguments);
    int right = (int)text_width(verdict, strlen(verdict));
    if (out->title && out->title->length == 0)
        text_add(out->title, "%s: %s", title, verdict);
    text_start(out, PAINT_BOLD);
    int used = wrap_words(out, 0, 2, title);
    text_stop(out, PAINT_BOLD);
    if (used + 2 + right > TEXT_COLUMNS) {
        text_add(out, "\n");
        used = 0;
    }
    text_add(out, "%*s", TEXT_COLUMNS - used - right, "");
    text_paint(out, colour, "%s", verdict);
    text_add(out, "\n");
}

void text_evidence(text_out *out, const char *name, const char *value, const char *note) {
    enum { NAME = 12, VALUE = 20 }; /* VALUE: "4.90 ms (4.10-6.00)" */
    int width = (int)text_width(value, strlen(value)), first = 2 + NAME + 2, second = first + VALUE + 2;
    if (!*note) {
        text_add(out, "  %-*s  %s\n", NAME, name, value);
        return;
    }
    text_add(out, "  %-*s  %-*s  ", NAME, name, VALUE, value);
    text_wrap(out, width > VALUE ? first + width + 2 : second, second, note);
}
