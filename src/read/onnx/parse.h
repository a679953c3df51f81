/* What the parsers of the messages share: walking a message, texts, lists of numbers, tensors. */
#ifndef ROOFLINE_READ_ONNX_PARSE_H
#define ROOFLINE_READ_ONNX_PARSE_H

#include "read/onnx/file.h"

typedef struct onnx_parser {
    onnx_pool *pool;
    roof_error *error;
    int depth; /* of the graph being read */
} onnx_parser;

/* ---- parse.c ---- */
typedef int (*onnx_taker)(onnx_parser *p, const protobuf_field *field, void *out);
/* Calls `take` for every field of a message. */
int onnx_each(onnx_parser *p, protobuf_message message, const char *what, onnx_taker take, void *out);
int onnx_enter(onnx_parser *p, const protobuf_field *field, const char *what); /* -1: the field is not a message */
int onnx_put_text(onnx_parser *p, const protobuf_field *field, const char *what, const char **out);
int onnx_fail_at(onnx_parser *p, uint64_t offset); /* adds the place to an error; -1 */
double onnx_whole(uint64_t bits);                  /* a signed varint */

/* ---- tensor.c ---- */
typedef struct onnx_numbers_list {
    double *data; /* room for ONNX_KEEP_MAX */
    size_t count; /* all there are */
} onnx_numbers_list;

double onnx_single(uint64_t bits);                                                          /* a float */
int onnx_add_numbers(onnx_parser *p, const protobuf_field *field, onnx_numbers_list *list); /* whole ones */
int onnx_add_reals(onnx_parser *p, const protobuf_field *field, size_t width, onnx_numbers_list *list);
double *onnx_keep_numbers(onnx_parser *p, const onnx_numbers_list *list);
onnx_tensor *onnx_read_tensor(onnx_parser *p, const protobuf_field *field);
onnx_tensor *onnx_read_sparse(onnx_parser *p, const protobuf_field *field);

#endif
