/* Objects out of a stream: braces are counted outside of strings, nothing else is judged. */
#include "read/profile/objects.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

struct objects {
    stream *in;
    roof_error *error;
    char chunk[CHUNK];
    size_t held, at;
    char *text;
    size_t length, room;
    long line, begins;
    double lists, opened; /* lists that are open; of these, opened on this line */
    bool text_line, over, inside;
};

objects *objects_of(stream *in, roof_error *error) {
    objects *from = calloc(1, sizeof *from);
    if (!from) {
        roof_fail(error, ROOF_ENOMEM, "out of memory while reading measurements");
        return NULL;
    }
    from->in = in;
    from->error = error;
    from->line = 1;
    return from;
}

void objects_free(objects *from) {
    if (from)
        free(from->text);
    free(from);
}

/* The next byte, or -1 at the end. */
static int next_byte(objects *from) {
    if (from->at == from->held && !from->over) {
        from->at = 0;
        from->held = stream_read(from->in, from->chunk, CHUNK);
        from->over = from->held == 0;
    }
    if (from->over)
        return -1;
    int c = (unsigned char)from->chunk[from->at++];
    from->line += c == '\n';
    return c;
}

static int keep_byte(objects *from, int c) {
    if (from->length + 1 >= from->room) {
        if (from->room >= OBJECT_MAX_BYTES) {
            roof_fail(from->error, ROOF_EFORMAT, "a JSON object of more than 64 MiB");
            roof_hint(from->error, "save the result without the figures of each request");
            return -1;
        }
        size_t room = from->room ? from->room * 2 : 4096;
        char *larger = realloc(from->text, room);
        if (!larger)
            return roof_fail(from->error, ROOF_ENOMEM, "out of memory while reading measurements");
        from->text = larger;
        from->room = room;
    }
    from->text[from->length++] = (char)c;
    from->text[from->length] = '\0';
    return 0;
}

/* A byte outside of objects. true: an object begins. A line that begins with anything but JSON is one of a log, and the
 * '[' of "[INFO]" opens no list. */
static bool outside(objects *from, int c) {
    if (c == '\n') {
        from->text_line = false;
        from->opened = 0;
    } else if (from->text_line || c == ' ' || c == '\t' || c == '\r' || c == ',' || c == 0xEF || c == 0xBB ||
               c == 0xBF) {
        return false; /* the last three: a byte-order mark */
    } else if (c == '[') {
        from->lists++;
        from->opened++;
    } else if (c == ']' && from->lists > 0) {
        from->lists--;
        from->opened -= from->opened > 0;
    } else if (c != '{') {
        from->text_line = true;
        from->lists -= from->opened;
        from->opened = 0;
    }
    return c == '{' && !from->text_line;
}

const char *objects_next(objects *from, size_t *length, bool *failed) {
    int c;
    *failed = false;
    from->length = 0;
    while ((c = next_byte(from)) >= 0 && !outside(from, c))
        continue;
    if (c < 0)
        return NULL;
    from->begins = from->line;
    from->inside = true;
    from->opened = 0;
    bool quoted = false, escaped = false;
    for (long depth = 0; c >= 0; c = next_byte(from)) {
        if (keep_byte(from, c)) {
            *failed = true;
            return NULL;
        }
        if (quoted) {
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        quoted = c == '"';
        depth += (c == '{') - (c == '}');
        if (depth == 0) {
            from->inside = false;
            *length = from->length;
            return from->text;
        }
    }
    return NULL;
}

long objects_line(const objects *from) {
    return from->begins;
}

bool objects_cut(const objects *from) {
    return from->inside || from->lists > 0;
}
