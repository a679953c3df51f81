/* The wire format of Protocol Buffers, read from a file or from memory. A message is a range of bytes; content that
 * nobody asks for is passed over by seeking, so a file of any size costs one small buffer. protobuf.c is the only file
 * that knows the library behind it. */
#ifndef ROOFLINE_READ_ONNX_PROTOBUF_H
#define ROOFLINE_READ_ONNX_PROTOBUF_H

#include <stdint.h>

#include "roofline.h"

enum { PROTOBUF_BUFFER = 16 << 10 };

typedef struct protobuf_input {
    int file; /* descriptor, or -1 when the bytes are in memory */
    uint64_t size;
    const unsigned char *bytes; /* what is at hand: the buffer, or everything */
    uint64_t start, end;        /* offsets of what is at hand */
    unsigned char buffer[PROTOBUF_BUFFER];
} protobuf_input;

typedef enum protobuf_wire { PROTOBUF_VARINT, PROTOBUF_FIXED64, PROTOBUF_BYTES, PROTOBUF_FIXED32 = 5 } protobuf_wire;

typedef struct protobuf_message {
    protobuf_input *input;
    uint64_t at, end; /* next byte to read; first byte behind */
} protobuf_message;

typedef struct protobuf_field {
    uint32_t number;
    protobuf_wire wire;
    uint64_t value;           /* VARINT, FIXED32, FIXED64: the bits */
    protobuf_message content; /* BYTES: a message, a string or packed numbers */
    uint64_t offset;          /* of the field's tag */
} protobuf_field;

int protobuf_open(protobuf_input *input, const char *path, roof_error *error);
void protobuf_memory(protobuf_input *input, const void *bytes, size_t length);
void protobuf_close(protobuf_input *input);
protobuf_message protobuf_all(protobuf_input *input);

/* The next field, its length checked against the bytes left; the message moves behind it. 1: there was one; 0: the
 * message ends here; -1: broken, with the offset in `error`. `what` names the message for the error. */
int protobuf_next(protobuf_message *message, protobuf_field *field, const char *what, roof_error *error);
/* The next of packed varints: as protobuf_next(). */
int protobuf_varint(protobuf_message *packed, uint64_t *value, const char *what, roof_error *error);
/* The first `length` bytes of a message. -1 when they cannot be read. */
int protobuf_copy(const protobuf_message *message, void *out, size_t length, roof_error *error);

#endif
