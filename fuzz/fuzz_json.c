/* libFuzzer target of the JSON reader: the tree and, through a feed of small pieces, the stream of calls. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json/calls.h"
#include "json/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct drip {
    const uint8_t *at;
    size_t left;
} drip;

static size_t take(void *from, char *into, size_t room) {
    drip *d = from;
    size_t n = d->left < 7 ? d->left : 7;
    n = n < room ? n : room;
    memcpy(into, d->at, n);
    d->at += n;
    d->left -= n;
    return n;
}

static bool open_or_close(void *to, char bracket) {
    (void)bracket;
    return ++*(int *)to > 0;
}

static bool text(void *to, const char *bytes, size_t length) {
    return ++*(int *)to > 0 && (length == 0 || bytes[length - 1] != 1);
}

static bool word(void *to, char first) {
    return ++*(int *)to > 0 && strchr("tfn", first) != NULL;
}

static int list(void *to) {
    return *(int *)to > 1;
}

static void drop(void *to) {
    ++*(int *)to;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const json_calls calls = {open_or_close, open_or_close, text, text, text, word, list, drop};
    roof_error error = {0};
    json_ending end;
    int seen = 0;
    json_stream(take, &(drip){data, size}, &calls, &seen, &end, &error);
    json_node *root = json_read((const char *)data, size, &error);
    if (!root && (!error.what[0] || error.offset > (long)size))
        abort();
    json_free(root);
    return 0;
}
