/* Headers of checkpoints: the pull parser over the pieces of a source, with what the readers of headers expect. */
#include "read/checkpoint/header.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static size_t feed(void *from, char *into, size_t room) {
    header *h = from;
    size_t n = 0;
    const unsigned char *piece = h->at < h->end ? source_peek(h->s, h->at, &n) : NULL;
    if (!piece)
        return 0;
    n = n < room ? n : room;
    n = n < h->end - h->at ? n : (size_t)(h->end - h->at);
    memcpy(into, piece, n);
    h->at += n;
    return n;
}

int header_begin(header *h, source *s, uint64_t from, uint64_t to, const char *what, roof_error *error) {
    *h = (header){.s = s, .from = from, .at = from, .end = to, .what = what, .error = error};
    if (json_pull_feed(&h->pull, feed, h) == 0)
        return 0;
    h->failed = true;
    return roof_fail(error, ROOF_ENOMEM, "out of memory while reading a checkpoint");
}

void header_end(header *h) {
    json_pull_end(&h->pull);
}

int header_fail(header *h, const char *format, ...) {
    char what[200];
    va_list arguments;
    if (h->failed)
        return -1;
    h->failed = true;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (h->s->failure)
        return roof_fail(h->error, ROOF_EIO, "cannot read the %s: %s", h->what, strerror(h->s->failure));
    if (h->pull.code == ROOF_ENOMEM)
        return roof_fail(h->error, ROOF_ENOMEM, "out of memory while reading a checkpoint");
    unsigned long long at = h->from + (h->token || h->pull.what[0] ? h->pull.start : h->pull.before + h->pull.at);
    roof_fail(h->error, ROOF_EFORMAT, "%s, byte %llu: %s", h->what, at, what);
    if (h->error)
        h->error->offset = (long)at;
    return -1;
}

/* The token just taken is not what should be there: its own beginning is the place. */
static int refuse(header *h, const char *why) {
    h->token = true;
    return header_fail(h, "%s", h->pull.what[0] ? h->pull.what : why);
}

int header_peek(header *h) {
    return json_peek_byte(&h->pull);
}

int header_need(header *h, json_token token) {
    if (json_next(&h->pull) == token)
        return 0;
    return refuse(h, token == JSON_OBJECT ? "an object expected" : "a list expected");
}

int header_number(header *h, double *out) {
    json_token token = json_next(&h->pull);
    if (token == JSON_FAILED)
        return refuse(h, "");
    return token == JSON_NUMBER && json_figure(h->pull.text, h->pull.length, out) ? 0 : refuse(h, "a number expected");
}

int header_whole(header *h, uint64_t *out) {
    json_token token = json_next(&h->pull);
    *out = 0;
    if (token == JSON_FAILED)
        return refuse(h, "");
    for (size_t i = 0; token == JSON_NUMBER && i < h->pull.length; i++) {
        unsigned digit = (unsigned)h->pull.text[i] - '0';
        if (digit > 9)
            return refuse(h, "a whole number expected");
        if (*out > (UINT64_MAX - 9) / 10)
            return refuse(h, "a number above 2^64");
        *out = *out * 10 + digit;
    }
    return token == JSON_NUMBER ? 0 : refuse(h, "a whole number expected");
}

int header_skip(header *h) {
    return json_skip(&h->pull) == 0 ? 0 : refuse(h, "");
}

/* The text of the token, fit to be printed. */
static void copy_text(const header *h, char *text, size_t size) {
    size_t n = 0;
    for (; n < h->pull.length && n + 1 < size; n++)
        text[n] = (char)(h->pull.text[n] < ' ' || h->pull.text[n] > '~' ? '?' : h->pull.text[n]);
    if (size > 0)
        text[n] = '\0';
}

int header_text(header *h, char *text, size_t size) {
    json_token token = json_next(&h->pull);
    if (token == JSON_FAILED)
        return refuse(h, "");
    if (token != JSON_TEXT)
        return refuse(h, "a text expected");
    copy_text(h, text, size);
    return 0;
}

int header_member(header *h, char *key, size_t size) {
    int more = json_more(&h->pull);
    if (more <= 0)
        return more < 0 ? refuse(h, "") : 0;
    if (json_next(&h->pull) == JSON_FAILED)
        return refuse(h, "");
    copy_text(h, key, size);
    return 1;
}

int header_item(header *h) {
    int more = json_more(&h->pull);
    return more < 0 ? refuse(h, "") : more;
}
