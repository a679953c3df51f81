/* The pull parser: blanks, brackets and commas here, texts and numbers in their own functions. A token that crosses the
 * end of what is held makes the buffer move up and grow, so that it always lies in one piece and is changed in place.
 */
#include "json/pull.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/scalars.h"

enum { FIRST_ROOM = 1 << 16, TOKEN_MAX = 1 << 22 };
enum { A_VALUE, A_FIRST_ITEM, A_FIRST_KEY, A_KEY, AFTERWARDS }; /* what json_pull.expect says may come */

void json_pull_memory(json_pull *p, char *text, size_t length) {
    *p = (json_pull){.buffer = text, .held = length, .line = 1, .ended = true};
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) /* byte order mark */
        p->at = 3;
}

int json_pull_feed(json_pull *p, json_feed feed, void *from) {
    *p = (json_pull){.feed = feed, .from = from, .line = 1, .room = FIRST_ROOM, .buffer = malloc(FIRST_ROOM + 1)};
    if (!p->buffer)
        return -1;
    p->buffer[0] = '\0';
    return 0;
}

void json_pull_end(json_pull *p) {
    if (p->feed)
        free(p->buffer);
    p->buffer = NULL;
}

int json_refuse(json_pull *p, const char *format, ...) {
    if (p->what[0])
        return -1; /* the first finding counts */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->what, sizeof p->what, format, arguments);
    va_end(arguments);
    for (char *c = p->what; *c; c++)
        *c = (char)((unsigned char)*c < ' ' ? ' ' : (unsigned char)*c > '~' ? '?' : *c);
    p->code = ROOF_EFORMAT;
    p->start = p->before + p->at;
    p->start_line = p->line;
    return -1;
}

static int no_memory(json_pull *p) {
    json_refuse(p, "out of memory while reading JSON");
    p->hopeless = true;
    p->code = ROOF_ENOMEM;
    return -1;
}

int json_fail(const json_pull *p, roof_error *error) {
    roof_fail(error, p->code, p->code == ROOF_ENOMEM ? "%s" : "not valid JSON: %s", p->what);
    if (error && p->code != ROOF_ENOMEM) {
        error->offset = (long)p->start;
        error->line = p->start_line;
    }
    return -1;
}

/* ---- bytes ---- */

static bool grow(json_pull *p) {
    if (p->held < p->room)
        return true;
    if (p->room >= TOKEN_MAX) {
        json_refuse(p, "one text of more than %d bytes", TOKEN_MAX);
        p->hopeless = true;
        return false;
    }
    char *larger = realloc(p->buffer, 2 * p->room + 1);
    if (!larger) {
        no_memory(p);
        return false;
    }
    p->buffer = larger;
    p->room *= 2;
    return true;
}

/* More bytes behind those held; what lies before `keep` goes. false: there are none. */
static bool more(json_pull *p) {
    if (p->ended || p->what[0])
        return false;
    memmove(p->buffer, p->buffer + p->keep, p->held - p->keep);
    p->before += p->keep;
    p->at -= p->keep;
    p->held -= p->keep;
    p->keep = 0;
    if (!grow(p))
        return false;
    size_t got = p->feed(p->from, p->buffer + p->held, p->room - p->held);
    for (size_t i = p->held; p->lenient && i < p->held + got; i++)
        p->buffer[i] = (char)((unsigned char)p->buffer[i] < ' ' ? ' ' : p->buffer[i]);
    if (p->before == 0 && p->held == 0 && got >= 3 && memcmp(p->buffer, "\xEF\xBB\xBF", 3) == 0)
        p->at = 3;
    p->held += got;
    p->buffer[p->held] = '\0';
    p->ended = got == 0;
    return got > 0;
}

int json_peek_byte(json_pull *p) {
    for (;; p->at++) {
        while (p->at == p->held) {
            p->keep = p->at;
            if (!more(p))
                return -1;
        }
        char c = p->buffer[p->at];
        if (c == '\n')
            p->line++;
        else if (c != ' ' && c != '\t' && c != '\r')
            return (unsigned char)c;
    }
}

/* The byte `ahead` of the one at hand, read if need be; -1 at the end. The token so far stays. */
static int byte_at(json_pull *p, size_t ahead) {
    while (p->at + ahead >= p->held)
        if (!more(p))
            return -1;
    return (unsigned char)p->buffer[p->at + ahead];
}

static json_token failed(json_pull *p, const char *wanted) {
    enum { LONGEST_WORD = 10 };
    int c = json_peek_byte(p);
    p->cut = !p->what[0] && byte_at(p, LONGEST_WORD) < 0 && (c < 0 || strchr("tfnNI-i", c)); /* "tru" may be the end */
    if (c >= 0)
        return json_refuse(p, "%s expected near '%.16s'", wanted, p->buffer + p->at);
    if (p->depth > 0)
        return json_refuse(p, "the text ends inside the %s that begins on line %ld",
                           p->nested[p->depth - 1] == '{' ? "object" : "list", p->opened[p->depth - 1]);
    return json_refuse(p, p->before + p->at == 0 ? "the text is empty" : "the text ends where a value should be");
}

/* ---- tokens ---- */

/* The text whose opening quote is at hand: found, then its escapes resolved where it lies. */
static json_token take_text(json_pull *p, json_token token) {
    size_t n = 1;
    bool plain = true, ascii = true;
    for (;; n++) {
        const unsigned char *bytes = (const unsigned char *)p->buffer + p->at;
        size_t left = p->held - p->at;
        while (n < left && json_is_plain[bytes[n]])
            n++;
        if (n >= left) {
            if (byte_at(p, n) < 0) {
                p->cut = !p->what[0];
                return json_refuse(p, "a text does not end: '%.16s'", p->buffer + p->at);
            }
            n--;
            continue;
        }
        if (bytes[n] == '"')
            break;
        if (bytes[n] < ' ')
            return json_refuse(p, "a line break or control character in the text '%.*s'", n < 24 ? (int)n - 1 : 24,
                               p->buffer + p->at + 1);
        ascii &= bytes[n] < 0x80;
        if (bytes[n] == '\\') {
            plain = false;
            n += byte_at(p, n + 1) >= 0; /* whatever is escaped ends nothing */
        }
    }
    p->text = p->buffer + p->at + 1;
    p->length = n - 1;
    if (!plain && !json_unescape(p->text, &p->length, p->lenient))
        return json_refuse(p, "an escape that is not allowed in the text '%.*s'", p->length < 24 ? (int)p->length : 24,
                           p->text);
    if (!ascii && !p->lenient && !json_is_utf8(p->text, p->length))
        return json_refuse(p, "the text '%.*s' is not UTF-8", p->length < 24 ? (int)p->length : 24, p->text);
    p->text[p->length] = '\0';
    p->at += n + 1;
    return token;
}

static json_token take_number(json_pull *p) {
    size_t n = 0;
    for (int c; (c = byte_at(p, n)) >= 0 && json_is_digit[c];)
        n++;
    p->text = p->buffer + p->at;
    p->length = n;
    if (!json_is_number(p->text, n))
        return json_refuse(p, "no number as JSON writes it: '%.*s'", n < 32 ? (int)n : 32, p->text);
    p->at += n;
    return JSON_NUMBER;
}

/* Words that printf and Python write where JSON has none come last; with `lenient` all of them are known. */
static json_token take_word(json_pull *p) {
    static const char *const words[] = {"true",      "false", "null", "NaN",  "Infinity", "-Infinity",
                                        "-nan(ind)", "-inf",  "-nan", "-NaN", "nan",      "inf"};
    enum { STRICT = 6, LENIENT = 12 };
    int count = p->lenient ? LENIENT : STRICT;
    byte_at(p, sizeof "-nan(ind)");
    for (int i = 0; i < count; i++)
        if (strncmp(p->buffer + p->at, words[i], strlen(words[i])) == 0) {
            p->word = i < 3 ? words[i][0] : 'N';
            p->text = p->buffer + p->at;
            p->length = strlen(words[i]);
            p->at += p->length;
            return JSON_WORD;
        }
    return p->buffer[p->at] == '-' ? take_number(p) : failed(p, "a value");
}

static json_token open_bracket(json_pull *p, char bracket) {
    if (p->depth == JSON_DEPTH_MAX) {
        p->hopeless = true;
        return json_refuse(p, "brackets nest deeper than %d levels", JSON_DEPTH_MAX);
    }
    p->opened[p->depth] = p->line;
    p->nested[p->depth++] = bracket;
    p->expect = bracket == '{' ? A_FIRST_KEY : A_FIRST_ITEM;
    p->at++;
    return bracket == '{' ? JSON_OBJECT : JSON_LIST;
}

static json_token take_value(json_pull *p, int c) {
    p->expect = AFTERWARDS;
    if (c == '"')
        return take_text(p, JSON_TEXT);
    if (c >= '0' && c <= '9')
        return take_number(p);
    return c == '{' || c == '[' ? open_bracket(p, (char)c) : c < 0 ? failed(p, "a value") : take_word(p);
}

static json_token take_key(json_pull *p, int c) {
    if (c != '"')
        return failed(p, p->expect == A_FIRST_KEY ? "a key or '}'" : "a key");
    if (take_text(p, JSON_KEY) == JSON_FAILED)
        return JSON_FAILED;
    /* Looking for the colon must not move the key away. */
    size_t n = 0;
    uint64_t start = p->start;
    long line = p->start_line;
    for (c = byte_at(p, n); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = byte_at(p, ++n))
        p->line += c == '\n';
    p->text = p->buffer + (start - p->before) + 1;
    p->at += n;
    if (c != ':')
        return failed(p, "':'");
    p->at++;
    p->start_line = line;
    p->expect = A_VALUE;
    return JSON_KEY;
}

/* At hand is what follows a value or an opening bracket. */
static int close_or_go_on(json_pull *p) {
    int c = json_peek_byte(p);
    bool object = p->nested[p->depth - 1] == '{';
    if (c == (object ? '}' : ']')) {
        p->start = p->before + p->at++;
        p->start_line = p->line;
        p->depth--;
        p->expect = AFTERWARDS;
        return 0;
    }
    if (p->expect != AFTERWARDS)
        return 1;
    if (c != ',') {
        failed(p, object ? "',' or '}'" : "',' or ']'");
        return -1;
    }
    p->at++;
    p->expect = object ? A_KEY : A_VALUE;
    return 1;
}

int json_more(json_pull *p) {
    if (p->what[0])
        return -1;
    return p->depth == 0 ? json_refuse(p, "no list and no object is open here") : close_or_go_on(p);
}

json_token json_next(json_pull *p) {
    if (p->what[0])
        return JSON_FAILED;
    if (p->depth > 0 && p->expect != A_VALUE && p->expect != A_KEY) {
        char bracket = p->nested[p->depth - 1];
        int follows = close_or_go_on(p);
        if (follows <= 0)
            return follows < 0 ? JSON_FAILED : bracket == '{' ? JSON_END_OBJECT : JSON_END_LIST;
    }
    int c = json_peek_byte(p);
    p->keep = p->at;
    p->start = p->before + p->at;
    p->start_line = p->line;
    if (p->depth == 0 && p->expect == AFTERWARDS)
        return c < 0 && !p->what[0] ? JSON_END : failed(p, "the end of the text");
    bool key = p->expect == A_KEY || p->expect == A_FIRST_KEY;
    return key ? take_key(p, c) : take_value(p, c);
}

int json_skip(json_pull *p) {
    int depth = p->depth;
    do {
        json_token token = json_next(p);
        if (token == JSON_FAILED || token == JSON_END)
            return -1;
    } while (p->depth > depth);
    return 0;
}

/* ---- going on after a failure ---- */

/* How many bytes from the '}' at hand to the comma of "}, {\"", 0 when something else follows. */
static size_t comma_of_next(json_pull *p) {
    size_t n = 1, comma;
    int c;
    while ((c = byte_at(p, n)) == ' ' || c == '\n' || c == '\r' || c == '\t')
        n++;
    comma = n;
    if (c != ',')
        return 0;
    while ((c = byte_at(p, ++n)) == ' ' || c == '\n' || c == '\r' || c == '\t')
        ;
    if (c != '{')
        return 0;
    while ((c = byte_at(p, ++n)) == ' ' || c == '\n' || c == '\r' || c == '\t')
        ;
    return c == '"' ? comma : 0;
}

bool json_resume(json_pull *p, int depth) {
    p->what[0] = '\0';
    p->depth = depth; /* the brackets further out are as they were */
    p->expect = AFTERWARDS;
    for (;;) {
        const char *brace = memchr(p->buffer + p->at, '}', p->held - p->at);
        p->at = brace ? (size_t)(brace - p->buffer) : p->held;
        p->keep = p->at;
        size_t comma = brace ? comma_of_next(p) : 0;
        p->at += comma;
        if (comma > 0)
            return true;
        if (brace)
            p->at++;
        else if (!more(p))
            return false;
    }
}
