/* Tags, varints and fixed numbers by nanopb; seeking by us, as nanopb passes over content by reading it. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "read/onnx/protobuf.h"
#include "read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef ROOFLINE_HAVE_NANOPB
#include <pb_decode.h>
#endif

int protobuf_open(protobuf_input *input, const char *path, roof_error *error) {
    struct stat status;
    memset(input, 0, sizeof *input);
    input->bytes = input->buffer;
    errno = 0;
    bool other = stat(path, &status) == 0 && !S_ISREG(status.st_mode); /* who writes a pipe would see it closed */
    input->file = other ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (input->file < 0 && !other)
        return source_cannot(error, path, errno);
    if (!other && fstat(input->file, &status) == 0 && S_ISREG(status.st_mode)) {
        input->size = (uint64_t)status.st_size;
        return 0;
    }
    protobuf_close(input);
    return roof_fail(error, ROOF_EIO, "cannot read '%.200s': it is not a regular file", path);
}

void protobuf_memory(protobuf_input *input, const void *bytes, size_t length) {
    input->file = -1;
    input->bytes = bytes;
    input->size = input->end = length;
    input->start = 0;
}

void protobuf_close(protobuf_input *input) {
    if (input->file >= 0)
        close(input->file);
    input->file = -1;
}

protobuf_message protobuf_all(protobuf_input *input) {
    return (protobuf_message){.input = input, .end = input->size};
}

/* Bring the byte at `at` into the buffer; how many follow it there, 0 when it cannot be read. */
static size_t at_hand(protobuf_input *input, uint64_t at) {
    if (at < input->start || at >= input->end) {
        ssize_t got = input->file < 0 ? 0 : pread(input->file, input->buffer, PROTOBUF_BUFFER, (off_t)at);
        if (got <= 0)
            return 0;
        input->start = at;
        input->end = at + (uint64_t)got;
    }
    return (size_t)(input->end - at);
}

static bool copy(protobuf_input *input, uint64_t at, unsigned char *out, size_t length) {
    while (length > 0) {
        size_t n = at_hand(input, at);
        if (n == 0)
            return false;
        if (n > length)
            n = length;
        memcpy(out, input->bytes + (at - input->start), n);
        out += n;
        at += n;
        length -= n;
    }
    return true;
}

int protobuf_copy(const protobuf_message *message, void *out, size_t length, roof_error *error) {
    if (length <= message->end - message->at && copy(message->input, message->at, out, length))
        return 0;
    return roof_fail(error, ROOF_EIO, "cannot read the file at byte %.0f", (double)message->at);
}

#ifdef ROOFLINE_HAVE_NANOPB
static bool read_on(pb_istream_t *stream, pb_byte_t *out, size_t length) {
    protobuf_message *message = stream->state;
    if (!copy(message->input, message->at, out, length))
        return false;
    message->at += length;
    return true;
}

static pb_istream_t stream_of(protobuf_message *message) {
    return (pb_istream_t){.callback = read_on, .state = message, .bytes_left = (size_t)(message->end - message->at)};
}

static int broken(uint64_t offset, const char *what, roof_error *error) {
    roof_fail(error, ROOF_EFORMAT, "broken ONNX file: the %s ends inside a number, or the number is too long", what);
    if (error)
        error->offset = (long)offset;
    return -1;
}

static int too_long(const protobuf_field *field, uint64_t left, const char *what, roof_error *error) {
    roof_fail(error, ROOF_EFORMAT, "broken ONNX file: field %u of the %s has %.0f bytes, but only %.0f are left",
              (unsigned)field->number, what, (double)field->value, (double)left);
    if (error)
        error->offset = (long)field->offset;
    return -1;
}

static int bad_wire(const protobuf_field *field, const char *what, roof_error *error) {
    roof_fail(error, ROOF_EFORMAT, "broken ONNX file: the %s has a field %u of wire type %d", what,
              (unsigned)field->number, (int)field->wire);
    if (error)
        error->offset = (long)field->offset;
    return -1;
}

static bool number(pb_istream_t *stream, protobuf_field *field) {
    uint32_t small = 0;
    switch (field->wire) {
    case PROTOBUF_FIXED64:
        return pb_decode_fixed64(stream, &field->value);
    case PROTOBUF_FIXED32:
        if (!pb_decode_fixed32(stream, &small))
            return false;
        field->value = small;
        return true;
    default:
        return pb_decode_varint(stream, &field->value);
    }
}

int protobuf_next(protobuf_message *message, protobuf_field *field, const char *what, roof_error *error) {
    if (message->at >= message->end)
        return 0;
    pb_istream_t stream = stream_of(message);
    pb_wire_type_t kind;
    bool end;
    *field = (protobuf_field){.offset = message->at};
    if (!pb_decode_tag(&stream, &kind, &field->number, &end))
        return broken(field->offset, what, error);
    int wire = (int)kind;
    field->wire = (protobuf_wire)wire;
    if (field->number == 0 || wire == 3 || wire == 4 || wire > 5) /* groups are older than ONNX */
        return bad_wire(field, what, error);
    if (!number(&stream, field))
        return broken(field->offset, what, error);
    if (field->wire != PROTOBUF_BYTES)
        return 1;
    uint64_t left = message->end - message->at;
    if (field->value > left)
        return too_long(field, left, what, error);
    field->content = (protobuf_message){.input = message->input, .at = message->at, .end = message->at + field->value};
    message->at += field->value;
    return 1;
}

int protobuf_varint(protobuf_message *packed, uint64_t *value, const char *what, roof_error *error) {
    if (packed->at >= packed->end)
        return 0;
    uint64_t offset = packed->at;
    pb_istream_t stream = stream_of(packed);
    return pb_decode_varint(&stream, value) ? 1 : broken(offset, what, error);
}

#else

static int absent(roof_error *error) {
    roof_fail(error, ROOF_EUNSUPPORTED, "this build cannot read ONNX files: it was built without nanopb");
    roof_hint(error, "Debian: apt-get install libnanopb-dev, then build again");
    return -1;
}

int protobuf_next(protobuf_message *message, protobuf_field *field, const char *what, roof_error *error) {
    (void)message, (void)field, (void)what;
    return absent(error);
}

int protobuf_varint(protobuf_message *packed, uint64_t *value, const char *what, roof_error *error) {
    (void)packed, (void)value, (void)what;
    return absent(error);
}
#endif
