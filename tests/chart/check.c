/* Drawings into memory, and a small checker of well-formed XML. */
#include "check.h"

#include <ctype.h>
#include <stdlib.h>

#include "roofline_chart.h"
#include "test.h"

int drawing_write(void *context, const char *bytes, size_t length) {
    drawing *to = context;
    assert_true(to->length + length < DRAWING_MAX);
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
    to->bytes[to->length] = '\0';
    return 0;
}

static drawing empty(void) {
    drawing out = {.bytes = malloc(DRAWING_MAX)};
    assert_non_null(out.bytes);
    out.bytes[0] = '\0';
    return out;
}

drawing drawing_of(const roof_chart *chart, double width) {
    roof_error error = {0};
    drawing out = empty();
    if (roof_chart_svg(chart, width, drawing_write, &out, &error))
        fail_msg("no drawing at %g: %s", width, error.what);
    return out;
}

drawing drawing_text(const roof_chart *chart, int columns, int rows, bool ascii, bool colour) {
    roof_error error = {0};
    drawing out = empty();
    if (roof_chart_text(chart, columns, rows, ascii, colour, drawing_write, &out, &error))
        fail_msg("no text at %d x %d: %s", columns, rows, error.what);
    return out;
}

void drawing_free(drawing *done) {
    free(done->bytes);
    done->bytes = NULL;
}

size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

/* ---- XML ---- */

enum { DEPTH_MAX = 32, ID_MAX = 2048, NAME_LENGTH = 48 };

typedef struct xml_reader {
    const char *start, *at;
    char open[DEPTH_MAX][NAME_LENGTH];
    int depth;
    char (*ids)[NAME_LENGTH];
    int id_count;
} xml_reader;

static void bad(const xml_reader *reader, const char *why) {
    fail_msg("XML, byte %ld: %s near '%.40s'", (long)(reader->at - reader->start), why, reader->at);
}

static void read_name(xml_reader *reader, char out[NAME_LENGTH]) {
    size_t length = 0;
    while (isalnum((unsigned char)*reader->at) || strchr("-:_", *reader->at)) {
        if (!*reader->at || length == NAME_LENGTH - 1)
            break;
        out[length++] = *reader->at++;
    }
    out[length] = '\0';
    if (!length)
        bad(reader, "a name is missing");
}

static void read_entity(xml_reader *reader) {
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (size_t i = 0; i < 4; i++)
        if (strncmp(reader->at, known[i], strlen(known[i])) == 0) {
            reader->at += strlen(known[i]);
            return;
        }
    bad(reader, "an unknown entity");
}

static void note_id(xml_reader *reader, const char *value, size_t length) {
    assert_true(length < NAME_LENGTH && reader->id_count < ID_MAX);
    for (int i = 0; i < reader->id_count; i++)
        if (strlen(reader->ids[i]) == length && memcmp(reader->ids[i], value, length) == 0)
            bad(reader, "an id twice");
    memcpy(reader->ids[reader->id_count], value, length);
    reader->ids[reader->id_count++][length] = '\0';
}

static void read_attribute(xml_reader *reader) {
    char name[NAME_LENGTH];
    read_name(reader, name);
    if (reader->at[0] != '=' || reader->at[1] != '"')
        bad(reader, "an attribute without a quoted value");
    const char *value = reader->at += 2;
    while (*reader->at && *reader->at != '"') {
        if (*reader->at == '<')
            bad(reader, "a bare < in a value");
        if (*reader->at == '&')
            read_entity(reader);
        else
            reader->at++;
    }
    if (strcmp(name, "id") == 0)
        note_id(reader, value, (size_t)(reader->at - value));
    if (!*reader->at++)
        bad(reader, "an open value");
}

static void read_tag(xml_reader *reader) {
    char name[NAME_LENGTH];
    bool closes = reader->at[1] == '/';
    reader->at += closes ? 2 : 1;
    read_name(reader, name);
    if (closes) {
        if (!reader->depth || strcmp(reader->open[--reader->depth], name) != 0 || *reader->at != '>')
            bad(reader, "a tag that closes nothing");
        reader->at++;
        return;
    }
    while (*reader->at == ' ') {
        reader->at++;
        read_attribute(reader);
    }
    if (reader->at[0] == '/' && reader->at[1] == '>') {
        reader->at += 2;
        return;
    }
    if (*reader->at++ != '>')
        bad(reader, "an open tag");
    assert_true(reader->depth < DEPTH_MAX);
    strcpy(reader->open[reader->depth++], name);
}

static void read_text(xml_reader *reader) {
    unsigned char byte = (unsigned char)*reader->at;
    int more = byte < 0x80 ? 0 : byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC2 ? 1 : -1;
    if (more < 0 || (byte < 0x20 && byte != '\n'))
        bad(reader, "a byte that is not text");
    for (reader->at++; more > 0; more--)
        if (((unsigned char)*reader->at++ & 0xC0) != 0x80)
            bad(reader, "broken UTF-8");
}

void check_xml(const char *xml) {
    xml_reader reader = {.start = xml, .at = xml, .ids = calloc(ID_MAX, sizeof *reader.ids)};
    assert_non_null(reader.ids);
    while (*reader.at) {
        if (*reader.at == '<')
            read_tag(&reader);
        else if (*reader.at == '&')
            read_entity(&reader);
        else
            read_text(&reader);
    }
    if (reader.depth)
        bad(&reader, "tags left open");
    free(reader.ids);
}
