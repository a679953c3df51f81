/* An ONNX file as it stands: nodes, attributes, small tensors. file.c fills these structs; nothing here is judged.
 */
#ifndef ROOFLINE_READ_ONNX_FILE_H
#define ROOFLINE_READ_ONNX_FILE_H

#include "read/arena.h"
#include "read/onnx/protobuf.h"

enum {
    ONNX_RANK_MAX = 10,   /* dimensions of a tensor */
    ONNX_KEEP_MAX = 1024, /* elements of a tensor whose values are kept: enough for shapes, far from weights */
    ONNX_TEXT_MAX = 4096, /* longest name */
    ONNX_DEPTH_MAX = 24   /* graphs inside graphs */
};

/* Memory of one reading: large blocks from an arena, and a limit, so that no file can ask for more than fits. */
typedef struct onnx_pool {
    arena *memory;
    char *at;
    size_t left, used, limit;
    bool failed;
    roof_error *error;
} onnx_pool;
void *onnx_get(onnx_pool *pool, size_t size); /* zeroed; NULL with the error filled */

/* TensorProto.DataType */
typedef enum onnx_type {
    ONNX_NONE,
    ONNX_FLOAT,
    ONNX_UINT8,
    ONNX_INT8,
    ONNX_UINT16,
    ONNX_INT16,
    ONNX_INT32,
    ONNX_INT64,
    ONNX_STRING,
    ONNX_BOOL,
    ONNX_FLOAT16,
    ONNX_DOUBLE,
    ONNX_UINT32,
    ONNX_UINT64,
    ONNX_COMPLEX64,
    ONNX_COMPLEX128,
    ONNX_BFLOAT16,
    ONNX_FLOAT8E4M3FN,
    ONNX_FLOAT8E4M3FNUZ,
    ONNX_FLOAT8E5M2,
    ONNX_FLOAT8E5M2FNUZ,
    ONNX_UINT4,
    ONNX_INT4,
    ONNX_FLOAT4E2M1,
    ONNX_FLOAT8E8M0,
    ONNX_UINT2,
    ONNX_INT2,
    ONNX_TYPE_COUNT
} onnx_type;

typedef struct onnx_type_info {
    const char *name;
    double bits;
    roof_dtype dtype; /* that roofs know; NONE: moved, never multiplied */
    bool real, whole; /* floating point; integers and bool */
    bool weight;      /* tensors of it can be parameters */
} onnx_type_info;
const onnx_type_info *onnx_type_of(int type); /* that of NONE for what ONNX does not have */

typedef struct onnx_tensor {
    struct onnx_tensor *next;
    const char *name;
    int type, rank;
    double dims[ONNX_RANK_MAX], elements;
    double *data; /* all elements, or NULL when there are more than ONNX_KEEP_MAX or they are elsewhere */
} onnx_tensor;

typedef struct onnx_graph onnx_graph;

typedef struct onnx_attribute {
    struct onnx_attribute *next;
    const char *name, *text, *reference; /* reference: takes the value of the calling node's attribute of that name */
    double number, integer;
    bool has_number, has_integer;
    double *list; /* floats or ints, up to ONNX_KEEP_MAX of them */
    size_t count; /* all there are */
    onnx_tensor *tensor;
    onnx_graph *graph;
} onnx_attribute;

typedef struct onnx_node {
    struct onnx_node *next;
    const char *name, *op, *domain;
    const char **inputs, **outputs;
    size_t input_count, output_count;
    onnx_attribute *attributes;
    long offset;
} onnx_node;

typedef struct onnx_declared { /* a ValueInfoProto */
    struct onnx_declared *next;
    const char *name;
    int type;                        /* ONNX_NONE: not a tensor */
    int rank;                        /* -1: no shape is given */
    double dims[ONNX_RANK_MAX];      /* -1: open */
    const char *open[ONNX_RANK_MAX]; /* name of an open dimension, or NULL */
} onnx_declared;

struct onnx_graph {
    const char *name;
    onnx_node *nodes;
    onnx_tensor *tensors;
    onnx_declared *inputs, *outputs, *infos;
    size_t node_count;
};

typedef struct onnx_function {
    struct onnx_function *next, *link; /* the one before it in the file; in its hash slot */
    const char *name, *domain;
    const char **inputs, **outputs;
    size_t input_count, output_count;
    onnx_attribute *defaults;
    onnx_graph body;
    double opset; /* of the standard operators; 0: as the model */
} onnx_function;

typedef struct onnx_file {
    const char *producer;
    double ir_version, opset; /* opset 0: the standard operators are not imported */
    onnx_graph *graph;
    onnx_function *functions; /* the last one first */
    size_t function_count;
} onnx_file;

int onnx_file_read(onnx_file *file, protobuf_message message, onnx_pool *pool, roof_error *error);

#endif
