/* Control characters (C0, DEL, C1) and those that reorder what is read (Unicode TR 9: embeddings, overrides, isolates)
 * as escapes: what a file is called must not move a cursor, clear a screen or hide a word. */
#include "cli/out/visible.h"

#include <stdio.h>

/* Bytes of the character at `at` that has to be spelt, and its code; 0: it may stay. */
static size_t steering(const unsigned char *at, size_t left, bool lines, unsigned *code) {
    *code = at[0];
    if (at[0] < 0x20 || at[0] == 0x7f)
        return at[0] == '\n' && lines ? 0 : 1;
    if (at[0] == 0xc2 && left > 1 && at[1] >= 0x80 && at[1] < 0xa0) {
        *code = at[1];
        return 2;
    }
    if (at[0] != 0xe2 || left < 3 || (at[1] != 0x80 && at[1] != 0x81))
        return 0;
    *code = 0x2000u | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    bool turns = (*code >= 0x202a && *code <= 0x202e) || (*code >= 0x2066 && *code <= 0x2069);
    return turns ? 3 : 0;
}

bool visible_steers(const char *bytes, size_t length, bool lines) {
    unsigned code;
    for (size_t i = 0; i < length; i++)
        if (steering((const unsigned char *)bytes + i, length - i, lines, &code) > 0)
            return true;
    return false;
}

void visible_spell(const char *bytes, size_t length, bool lines, char *to) {
    for (size_t i = 0, step; i < length; i += step) {
        unsigned code;
        step = steering((const unsigned char *)bytes + i, length - i, lines, &code);
        if (step == 0)
            *to++ = bytes[i], step = 1;
        else
            to += snprintf(to, VISIBLE_MOST + 1, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
    }
    *to = '\0';
}
