/* Long series of numbers, cut out of a JSON text and read without the parser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/json.h"
#include "json/series.h"

static const char key[] = "\"windows\"";

enum { STAND_IN = 24, DIGITS_MAX = 9 };

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
        size_t start = (size_t)(quote - text), end = json_string_end(text, length, start);
        *at = end;
        if (end - start != sizeof key - 1 || memcmp(quote, key, sizeof key - 1) != 0)
            continue;
        size_t colon = skip_blanks(text, length, end);
        size_t value = colon < length && text[colon] == ':' ? skip_blanks(text, length, colon + 1) : length;
        if (value >= length || text[value] != '"')
            continue;
        end = json_string_end(text, length, value);
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

size_t series_read(const series *cut, const series_piece *piece, double scale, float *out, size_t most) {
    const unsigned char *at = (const unsigned char *)cut->from + piece->at, *end = at + piece->length;
    size_t count = 0;
    while (at < end) {
        const unsigned char *from = at;
        unsigned value = 0, digit;
        for (; at < end && (digit = *at - '0') <= 9; at++)
            value = value * 10 + digit; /* too many digits wrap, and are refused below */
        if (at == from || at - from > DIGITS_MAX || (at < end && (*at != ' ' || at + 1 == end)))
            return 0;
        if (count < most)
            out[count] = (float)(value * scale);
        count++;
        at++;
    }
    return count;
}
