/* Lines out of a stream, fields out of lines. */
#include "read/profile/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 14, LINE_FIRST = 1 << 10 };

struct lines {
    stream *in;
    char chunk[CHUNK];
    size_t held, at;
    char *line;
    size_t length, room; /* room: what `line` holds beside its '\0', at most LINE_MAX_BYTES */
    long number;
    bool again, complete, over, cut;
};

lines *lines_of(stream *in, roof_error *error) {
    lines *from = calloc(1, sizeof *from);
    char *line = malloc(LINE_FIRST + 1);
    if (!from || !line) {
        free(from);
        free(line);
        roof_fail(error, ROOF_ENOMEM, "out of memory while reading measurements");
        return NULL;
    }
    from->in = in;
    from->line = line;
    from->room = LINE_FIRST;
    from->complete = true;
    return from;
}

void lines_free(lines *from) {
    if (from)
        free(from->line);
    free(from);
}

/* Room for lines of `length` bytes; false where that is more than a line may have, or than there is memory. */
static bool make_room(lines *from, size_t length) {
    size_t room = from->room;
    while (room < length && room < LINE_MAX_BYTES)
        room *= 2;
    if (room == from->room)
        return length <= room;
    char *larger = realloc(from->line, room + 1);
    if (!larger)
        return false;
    from->line = larger;
    from->room = room;
    return length <= room;
}

/* Move bytes up to the next line end into the line; true when the line has ended. */
static bool take(lines *from) {
    const char *start = from->chunk + from->at, *end = memchr(start, '\n', from->held - from->at);
    size_t length = end ? (size_t)(end - start) : from->held - from->at;
    make_room(from, from->length + length);
    size_t room = from->room - from->length;
    memcpy(from->line + from->length, start, length < room ? length : room);
    from->cut |= length > room;
    from->length += length < room ? length : room;
    from->at += length + (end != NULL);
    return end != NULL;
}

static void skip_mark(lines *from) {
    if (from->number == 1 && from->length >= 3 && memcmp(from->line, "\xEF\xBB\xBF", 3) == 0) {
        from->length -= 3;
        memmove(from->line, from->line + 3, from->length);
    }
}

char *lines_next(lines *from, size_t *length) {
    bool ended = false, any = false;
    if (from->again) {
        from->again = false;
        *length = from->length;
        return from->line;
    }
    from->length = 0;
    from->cut = false;
    while (!ended && !from->over) {
        if (from->at == from->held) {
            from->at = 0;
            from->held = stream_read(from->in, from->chunk, CHUNK);
            from->over = from->held == 0;
        }
        if (!from->over) {
            any = true;
            ended = take(from);
        }
    }
    if (!any)
        return NULL;
    from->complete = ended;
    from->number++;
    skip_mark(from);
    if (from->length > 0 && from->line[from->length - 1] == '\r')
        from->length--;
    from->line[from->length] = '\0';
    *length = from->length;
    return from->line;
}

void lines_back(lines *from) {
    from->again = true;
}

long lines_number(const lines *from) {
    return from->number;
}

bool lines_complete(const lines *from) {
    return from->complete;
}

/* ---- fields ---- */

static void trim_end(char *start, char *end) {
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = '\0';
}

/* One field from `at`; where the next begins, or NULL after the last. `open`: its quote did not close. */
static char *take_field(char *at, char separator, char **field, bool *quoted, bool *open) {
    while (*at == ' ' || (*at == '\t' && separator != '\t'))
        at++;
    *quoted = *at == '"';
    *open = false;
    if (!*quoted) {
        char *end = at + strcspn(at, (char[]){separator, '\0'});
        bool last = *end == '\0';
        *field = at;
        trim_end(at, end);
        return last ? NULL : end + 1;
    }
    char *to = *field = at + 1;
    for (at++; *at && !(*at == '"' && at[1] != '"'); at++) {
        at += *at == '"'; /* a doubled quote is one */
        *to++ = *at;
    }
    *open = *at == '\0';
    if (*at == '"')
        at++;
    at += strcspn(at, (char[]){separator, '\0'}); /* what follows a closing quote is dropped */
    bool last = *at == '\0';
    *to = '\0';
    return last ? NULL : at + 1;
}

void csv_split(char *line, char separator, csv_row *row) {
    row->count = 0;
    row->cut = false;
    for (char *at = line; at;) {
        if (row->count == CSV_FIELDS_MAX) {
            row->cut = true;
            return;
        }
        bool open;
        at = take_field(at, separator, &row->fields[row->count], &row->quoted[row->count], &open);
        row->count++;
        row->cut |= open;
    }
}

/* Does a quoted field stay open at the end of the line? Only a quote at the start of a field opens one: program output
 * between the rows may hold others. */
static bool is_open(const char *line, char separator) {
    bool open = false, start = true;
    for (; *line; line++) {
        if (open && *line == '"' && line[1] == '"')
            line++;
        else if (*line == '"' && (open || start))
            open = !open;
        start = !open && (*line == separator || (start && *line == ' '));
    }
    return open;
}

/* Put the following line behind the one that is held, joined by a blank. */
static bool join_next(lines *from) {
    size_t before = from->length, added;
    char *kept = malloc(before + 1);
    if (!kept)
        return false;
    memcpy(kept, from->line, before);
    kept[before] = ' ';
    bool fits = lines_next(from, &added) && make_room(from, before + 1 + added);
    if (fits) {
        memmove(from->line + before + 1, from->line, added + 1);
        memcpy(from->line, kept, before + 1);
        from->length = before + 1 + added;
    }
    free(kept);
    return fits;
}

enum { JOINED_MAX = 64 };

bool csv_next(lines *from, char separator, csv_row *row) {
    size_t length;
    char *line = lines_next(from, &length);
    if (!line)
        return false;
    row->line = lines_number(from);
    bool cut = from->cut;
    for (int joined = 0; is_open(from->line, separator) && joined < JOINED_MAX; joined++) {
        if (!join_next(from))
            break;
        cut |= from->cut;
    }
    csv_split(from->line, separator, row);
    row->cut |= cut;
    return true;
}

/* ---- columns ---- */

char csv_separator(const char *line) {
    static const char marks[] = ",;\t";
    size_t counts[sizeof marks] = {0}, best = 0;
    bool quoted = false;
    for (; *line && *line != '\n'; line++) {
        const char *mark = quoted ? NULL : strchr(marks, *line);
        quoted ^= *line == '"';
        if (mark && ++counts[mark - marks] > counts[best])
            best = (size_t)(mark - marks);
    }
    return marks[best];
}

static bool same_word(const char *a, const char *b, size_t length) {
    size_t i = 0;
    for (; *a; a++) {
        if (*a == ' ')
            continue;
        while (i < length && b[i] == ' ')
            i++;
        if (i == length || tolower((unsigned char)*a) != tolower((unsigned char)b[i]))
            return false;
        i++;
    }
    while (i < length && b[i] == ' ')
        i++;
    return i == length;
}

int csv_column(const csv_row *header, const char *names) {
    for (const char *name = names; *name;) {
        size_t length = strcspn(name, "|");
        for (size_t i = 0; i < header->count; i++)
            if (same_word(header->fields[i], name, length))
                return (int)i;
        name += length + (name[length] == '|');
    }
    return -1;
}
