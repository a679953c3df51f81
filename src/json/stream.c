/* yajl behind json_stream(): the only file that knows it. */
#include "json/stream.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static double power_of_ten(int power) {
    static const double small[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
    return power < 12 ? small[power] : pow(10, power);
}

/* Digits and a power of ten: exact up to 15 digits and 10^22, as all that traces hold. */
bool json_figure(const char *text, size_t length, double *value) {
    const char *at = text, *end = text + length;
    bool negative = at < end && *at == '-';
    uint64_t digits = 0;
    int power = 0, count = 0;
    at += negative;
    for (bool point = false; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        count++;
        if (digits < UINT64_C(1000000000000000000))
            digits = digits * 10 + (uint64_t)(*at - '0'), power -= point;
        else
            power += !point;
    }
    if (at < end && (*at == 'e' || *at == 'E') && count > 0) {
        bool down = ++at < end && *at == '-';
        int exponent = 0, seen = 0;
        at += at < end && (*at == '-' || *at == '+');
        for (; at < end && *at >= '0' && *at <= '9'; at++, seen++)
            exponent = exponent < 10000 ? exponent * 10 + (*at - '0') : exponent;
        count = seen > 0 ? count : 0;
        power += down ? -exponent : exponent;
    }
    if (count == 0 || at != end)
        return false;
    double scale = power_of_ten(power < 0 ? -power : power);
    *value = (negative ? -1 : 1) * (power < 0 ? (double)digits / scale : (double)digits * scale);
    return fabs(*value) <= DBL_MAX;
}

#ifdef ROOFLINE_HAVE_YAJL
#include <yajl/yajl_parse.h>

enum {
    CHUNK = 1 << 16,
    BEFORE = 16,           /* bytes of the last chunk that stay in front: a word may have begun there */
    SILENCE_MAX = 4 << 20, /* bytes of one text */
    REPAIRS_MAX = 1000     /* damaged places before the rest is given up */
};

typedef struct parser {
    stream *in;
    const json_calls *calls;
    void *to;
    json_end *end;
    roof_error *error;
    yajl_handle yajl;
    char nested[JSON_DEPTH_MAX];
    int depth, repairs;
    bool muted, stopped, started, deep;
    double silent; /* bytes since the last call */
    double before; /* bytes of the file before the chunk */
    char *chunk;   /* inside buffer */
    size_t held;
    char buffer[BEFORE + CHUNK + 1];
} parser;

/* ---- yajl's calls ---- */

static int go_on(parser *p, bool fine) {
    p->silent = 0;
    p->stopped |= !fine;
    return fine;
}

static int open_with(parser *p, char bracket) {
    if (p->muted)
        return 1;
    p->started = true;
    if (p->depth == JSON_DEPTH_MAX) {
        p->deep = true;
        return go_on(p, false);
    }
    p->nested[p->depth++] = bracket;
    return go_on(p, p->calls->open(p->to, bracket));
}

static int close_with(parser *p, char bracket) {
    if (p->muted)
        return 1;
    p->depth -= p->depth > 0;
    return go_on(p, p->calls->close(p->to, bracket));
}

static int on_open_map(void *to) {
    return open_with(to, '{');
}

static int on_open_array(void *to) {
    return open_with(to, '[');
}

static int on_close_map(void *to) {
    return close_with(to, '{');
}

static int on_close_array(void *to) {
    return close_with(to, '[');
}

static int on_key(void *to, const unsigned char *text, size_t length) {
    parser *p = to;
    return p->muted ? 1 : go_on(p, p->calls->key(p->to, (const char *)text, length));
}

static int on_text(void *to, const unsigned char *text, size_t length) {
    parser *p = to;
    return p->muted ? 1 : go_on(p, p->calls->text(p->to, (const char *)text, length));
}

static int on_number(void *to, const char *text, size_t length) {
    parser *p = to;
    return p->muted ? 1 : go_on(p, p->calls->number(p->to, text, length));
}

static int on_null(void *to) {
    parser *p = to;
    return p->muted ? 1 : go_on(p, p->calls->word(p->to, 'n'));
}

static int on_boolean(void *to, int value) {
    parser *p = to;
    return p->muted ? 1 : go_on(p, p->calls->word(p->to, value ? 't' : 'f'));
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_text,
    .yajl_start_map = on_open_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_close_map,
    .yajl_start_array = on_open_array,
    .yajl_end_array = on_close_array,
};

/* ---- a parser that stands where the last one stood ---- */

static int feed(parser *p, const char *text) {
    return yajl_parse(p->yajl, (const unsigned char *)text, strlen(text)) == yajl_status_ok ? 0 : -1;
}

/* A new parser inside `depth` brackets, behind a value there. */
static int restart(parser *p, int depth) {
    if (p->yajl)
        yajl_free(p->yajl);
    p->yajl = yajl_alloc(&callbacks, NULL, p);
    if (!p->yajl)
        return roof_fail(p->error, ROOF_ENOMEM, "out of memory while reading measurements");
    yajl_config(p->yajl, yajl_dont_validate_strings, 1);
    p->muted = true;
    p->depth = depth;
    for (int i = 0; i < depth; i++)
        feed(p, p->nested[i] == '{' ? "{\"\":" : "[");
    if (depth > 0)
        feed(p, "null");
    p->muted = false;
    p->silent = 0;
    return 0;
}

/* ---- chunks ---- */

/* Make `keep` bytes from `from` the front of the chunk and fill up the rest. */
static void refill(parser *p, const char *from, size_t keep) {
    size_t past = (size_t)(from - p->buffer) < BEFORE ? (size_t)(from - p->buffer) : BEFORE;
    p->before += (double)(from - p->chunk);
    memmove(p->buffer + BEFORE - past, from - past, past + keep);
    p->chunk = p->buffer + BEFORE;
    p->held = keep;
    for (size_t got = 1; p->held < CHUNK && got > 0;) {
        got = stream_read(p->in, p->chunk + p->held, CHUNK - p->held);
        for (size_t i = 0; i < got; i++) {
            unsigned char byte = (unsigned char)p->chunk[p->held + i];
            p->chunk[p->held + i] = (char)(byte < ' ' ? ' ' : byte);
        }
        p->held += got;
        if (p->held > CHUNK / 2)
            break;
    }
    p->chunk[p->held] = '\0';
}

/* How long is the word at `at` that JSON does not have but printf writes? 0: none. */
static size_t odd_word(const char *at) {
    static const char *const words[] = {"-Infinity", "Infinity", "-nan(ind)", "-inf", "-nan",
                                        "-NaN",      "NaN",      "nan",       "inf"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return strlen(words[i]);
    return 0;
}

/* Where to go on behind a NaN or Infinity next to the place of an error, or NULL. */
static const char *behind_odd_word(const parser *p, const char *at) {
    for (int back = 2; back >= -1; back--) {
        const char *from = at - back;
        size_t length = from >= p->buffer && from < p->chunk + p->held ? odd_word(from) : 0;
        if (length > 0 && from + length >= at)
            return from + length;
    }
    return NULL;
}

/* Is "}, {\"" at `at`? Then the comma, else NULL. */
static const char *between_items(const char *at) {
    const char *comma = at + 1 + strspn(at + 1, " ");
    const char *brace = *comma == ',' ? comma + 1 + strspn(comma + 1, " ") : comma;
    return *comma == ',' && *brace == '{' && brace[1 + strspn(brace + 1, " ")] == '"' ? comma : NULL;
}

/* From `at` on, the comma between two items; NULL when there is none left. */
static const char *next_item(parser *p, const char *at) {
    enum { AHEAD = 256 }; /* blanks and line ends between two items are fewer */
    for (;;) {
        const char *limit = p->chunk + p->held, *brace = memchr(at, '}', (size_t)(limit - at));
        const char *comma = brace ? between_items(brace) : NULL;
        if (comma)
            return comma;
        if (brace && limit - brace > AHEAD) {
            at = brace + 1;
            continue;
        }
        size_t kept = brace ? (size_t)(limit - brace) : 0;
        refill(p, brace ? brace : limit, kept);
        if (p->held == kept)
            return NULL;
        at = p->chunk;
    }
}

/* After an error of yajl at `at`: where to go on, or NULL at the end of the text. -1 as `*result`: give up. */
static const char *repair(parser *p, const char *at, int *result) {
    int list = p->calls->list(p->to);
    if ((size_t)(p->chunk + p->held - at) < BEFORE) {
        size_t rest = (size_t)(p->chunk + p->held - at);
        refill(p, at, rest);
        at = p->chunk;
    }
    const char *behind = p->depth > 0 ? behind_odd_word(p, at) : NULL;
    if (behind) {
        *result = restart(p, p->depth);
        return *result ? NULL : behind;
    }
    if (list == 0) {
        *result =
            roof_fail(p->error, ROOF_EFORMAT, "this is not JSON at byte %.0f", p->before + (double)(at - p->chunk));
        if (p->error)
            p->error->offset = (long)(p->before + (double)(at - p->chunk));
        return NULL;
    }
    p->end->damaged++;
    if (p->depth < list || ++p->repairs > REPAIRS_MAX) { /* the list is over, or hopeless */
        p->end->early = p->depth >= list;
        return NULL;
    }
    p->calls->drop(p->to);
    *result = restart(p, list);
    return *result ? NULL : next_item(p, at);
}

static int stop(parser *p) {
    if (!p->deep)
        return -1;
    roof_fail(p->error, ROOF_EFORMAT, "nested deeper than %d brackets near byte %.0f", JSON_DEPTH_MAX, p->before);
    return -1;
}

static int too_long(parser *p) {
    roof_fail(p->error, ROOF_EFORMAT, "one text of more than %d bytes near byte %.0f", SILENCE_MAX, p->before);
    return -1;
}

static int parse(parser *p) {
    const char *at = p->chunk;
    int result = 0;
    for (;;) {
        size_t length = (size_t)(p->chunk + p->held - at);
        if (length == 0) {
            refill(p, at, 0);
            at = p->chunk;
            length = p->held;
        }
        if (length == 0)
            return 0;
        p->silent += (double)length;
        yajl_status status = yajl_parse(p->yajl, (const unsigned char *)at, length);
        if (p->stopped)
            return stop(p);
        if (p->silent > SILENCE_MAX)
            return too_long(p);
        if (status == yajl_status_ok) {
            at += length;
            continue;
        }
        size_t used = yajl_get_bytes_consumed(p->yajl);
        at = repair(p, at + (used < length ? used : length), &result);
        if (!at)
            return result;
    }
}

int json_stream(stream *in, const json_calls *calls, void *to, json_end *end, roof_error *error) {
    parser p;
    memset(&p, 0, offsetof(parser, buffer) + BEFORE); /* the chunk is filled before it is looked at */
    p.in = in;
    p.calls = calls;
    p.to = to;
    p.end = end;
    p.error = error;
    *end = (json_end){0};
    p.chunk = p.buffer + BEFORE;
    int result = restart(&p, 0);
    if (result == 0) {
        refill(&p, p.chunk, 0);
        if (p.held >= 3 && memcmp(p.chunk, "\xEF\xBB\xBF", 3) == 0)
            memset(p.chunk, ' ', 3);
        result = parse(&p);
    }
    if (result == 0) {
        yajl_complete_parse(p.yajl);
        end->early |= p.depth > 0 || !p.started;
    }
    if (p.yajl)
        yajl_free(p.yajl);
    return result;
}

#else

int json_stream(stream *in, const json_calls *calls, void *to, json_end *end, roof_error *error) {
    (void)in;
    (void)calls;
    (void)to;
    *end = (json_end){0};
    roof_fail(error, ROOF_EUNSUPPORTED, "this is a trace in JSON, and this build has no yajl");
    roof_hint(error, "build with libyajl-dev installed");
    return -1;
}

#endif
