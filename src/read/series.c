/* Long series of numbers, cut out of a JSON text and read without the parser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/series.h"

static const char key[] = "\"windows\"";

enum { STAND_IN = 24, DIGITS_MAX = 9 };

/* Past the string that starts at `at` (an opening quote); `length` when it does not end. */
static size_t string_end(const char *text, size_t length, size_t at) {
    for (at++; at < length;) {
        const char *quote = memchr(text + at, '"', length - at);
        if (!quote)
            return length;
        size_t end = (size_t)(quote - text), slashes = 0;
        while (slashes < end - at && text[end - 1 - slashes] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            return end + 1;
        at = end + 1;
    }
    return length;
}

static size_t skip_blanks(const char *text, size_t length, size_t at) {
    while (at < length && text[at] && strchr(" \t\r\n", text[at]))
        at++;
    return at;
}

/* The next piece from *at on, and *at behind it. A text that is no JSON may give nonsense: the parser refuses it. */
static bool next_piece(const char *text, size_t length, size_t *at, series_piece *out) {
    while (*at < length) {
        const char *quote = memchr(text + *at, '"', length - *at);
        if (!quote)
            return false;
        size_t start = (size_t)(quote - text), end = string_end(text, length, start);
        *at = end;
        if (end - start != sizeof key - 1 || memcmp(quote, key, sizeof key - 1) != 0)
            continue;
        size_t colon = skip_blanks(text, length, end);
        size_t value = colon < length && text[colon] == ':' ? skip_blanks(text, length, colon + 1) : length;
        if (value >= length || text[value] != '"')
            continue;
        end = string_end(text, length, value);
        if (text[end - 1] != '"' || end - value < 2)
            return false; /* it does not end */
        *out = (series_piece){.at = value + 1, .length = end - value - 2};
        *at = end;
        return true;
    }
    return false;
}

/* Copy without the pieces. */
static void shorten(const char *text, size_t length, series *out) {
    size_t from = 0, used = 0;
    for (size_t i = 0; i < out->count; i++) {
        series_piece *piece = &out->pieces[i];
        memcpy(out->text + used, text + from, piece->at - from);
        used += piece->at - from;
        used += (size_t)snprintf(out->text + used, STAND_IN, "@%zu", i);
        from = piece->at + piece->length;
        piece->copied = used;
        piece->moved = from - used; /* wraps where the stand-in is longer, and wraps back */
    }
    memcpy(out->text + used, text + from, length - from);
    out->length = used + length - from;
}

int series_cut(const char *text, size_t length, series *out, roof_error *error) {
    series_piece piece;
    size_t at = 0;
    *out = (series){.from = text};
    while (next_piece(text, length, &at, &piece))
        out->count++;
    if (out->count == 0)
        return 0;
    out->pieces = calloc(out->count, sizeof *out->pieces);
    out->text = malloc(length + out->count * STAND_IN);
    if (!out->pieces || !out->text) {
        series_free(out);
        return roof_fail(error, ROOF_ENOMEM, "out of memory while reading a machine");
    }
    at = 0;
    for (size_t i = 0; i < out->count; i++)
        next_piece(text, length, &at, &out->pieces[i]);
    shorten(text, length, out);
    return 0;
}

void series_free(series *cut) {
    free(cut->pieces);
    free(cut->text);
    *cut = (series){0};
}

long series_place(const series *cut, long offset) {
    size_t moved = 0;
    for (size_t i = 0; i < cut->count && offset >= 0 && cut->pieces[i].copied <= (size_t)offset; i++)
        moved = cut->pieces[i].moved;
    return offset < 0 ? offset : (long)((size_t)offset + moved);
}

const series_piece *series_find(const series *cut, const char *stand_in) {
    size_t index = 0;
    if (*stand_in++ != '@' || !*stand_in)
        return NULL;
    for (; *stand_in >= '0' && *stand_in <= '9' && index <= cut->count; stand_in++)
        index = index * 10 + (size_t)(*stand_in - '0');
    return *stand_in || index >= cut->count ? NULL : &cut->pieces[index];
}

size_t series_count(const series *cut, const series_piece *piece) {
    const char *at = cut->from + piece->at, *end = at + piece->length;
    size_t count = 0, digits = 0;
    for (; at < end; at++) {
        bool blank = *at == ' ';
        if (blank ? digits == 0 : *at < '0' || *at > '9' || ++digits > DIGITS_MAX)
            return 0;
        count += blank;
        digits = blank ? 0 : digits;
    }
    return digits > 0 ? count + 1 : 0;
}

void series_read(const series *cut, const series_piece *piece, double scale, float *out) {
    const char *at = cut->from + piece->at, *end = at + piece->length;
    unsigned value = 0;
    for (; at < end; at++) {
        if (*at != ' ') {
            value = value * 10 + (unsigned)(*at - '0');
            continue;
        }
        *out++ = (float)(value * scale);
        value = 0;
    }
    if (piece->length > 0)
        *out = (float)(value * scale);
}
