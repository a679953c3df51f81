/* A graph that is being walked: values with their shapes, calls of operators, the operations they cost.
 *
 *     file.h  node "Conv" (x, w) -> y      call: inputs are values; the operator's row (ops.c) has two functions:
 *     scope   x: [1,3,224,224]  w: ...     shape -> y: [1,64,112,112]        cost -> operations, parameters */
#ifndef ROOFLINE_READ_ONNX_RUN_H
#define ROOFLINE_READ_ONNX_RUN_H

#include <math.h>

#include "read/onnx/file.h"
#include "roofline_read.h"

#define ONNX_UNKNOWN ((double)NAN) /* a value that is not known */

typedef struct onnx_record onnx_record;

typedef struct onnx_value {
    struct onnx_value *link, *next, *before; /* in its hash slot; in the list of all; parameter counted before it */
    const char *name;
    int type, stored_type;         /* of the elements; as they lie in memory (a dequantised tensor: int8) */
    int rank;                      /* -1: not known */
    double dims[ONNX_RANK_MAX];    /* -1: not known */
    double *data;                  /* elements where the values are known, or NULL; NaN: that one is not */
    double stored;                 /* bytes in memory where they are not elements times size; else -1 */
    bool made;                     /* its node was met */
    bool constant;                 /* depends on no input of the graph */
    bool setting;                  /* a scalar Constant: no weight */
    bool quantised;                /* the output of DequantizeLinear, which rides with its readers */
    bool kept, counted;            /* crosses the graph's border; counted as a parameter */
    bool plain;                    /* its codes cross the graph's border as numbers: dequantising is work of its own */
    const onnx_declared *declared; /* what the file says of it, or NULL */
    struct onnx_value *base;       /* whose memory it shares (Reshape, Identity ...), or NULL */
    size_t uses;                   /* operations that read it */
    onnx_record *maker;            /* operation that writes it, or NULL */
} onnx_value;

struct onnx_record { /* an operation and what it touches */
    roof_operation operation;
    const char *node;
    onnx_value **reads, *output; /* each read once, at the base of its memory */
    size_t read_count, index;
    int place;  /* operations of one place run equally often */
    bool open;  /* elementwise work may ride with it */
    bool rides; /* dequantising: no operation of its own where readers can do it */
    bool dead;  /* merged into another, or in a branch not taken */
};

typedef struct onnx_scope {
    struct onnx_scope *outer;
    onnx_value **slots;
    size_t mask;
} onnx_scope;

typedef struct onnx_frame { /* a call of a function in the model */
    const struct onnx_frame *outer;
    const onnx_node *node;
    const onnx_function *function;
} onnx_frame;

struct onnx_message {
    struct onnx_message *next;
    const char *text;
};

typedef struct onnx_run {
    const onnx_file *file;
    onnx_function **functions; /* those of the file, by name */
    size_t function_mask;
    const roof_graph_options *options;
    onnx_pool pool;    /* gone after the reading */
    onnx_pool results; /* live as long as the handle */
    roof_error *error;
    const onnx_frame *frame;
    double opset; /* of the standard operators, here */
    int place, places, depth;
    onnx_record **records;
    size_t record_count, record_room;
    onnx_value *values;
    double parameters, parameter_bytes;
    onnx_value *last_counted;
    double nodes, unknown_nodes;
    double range_flops, range_bytes; /* what undecided branches could add to (or, with `most`, save from) the total */
    bool at_least;
    roof_dimension *bound;
    size_t bound_count, bound_room;
    roof_graph_unknown *unknown;
    size_t unknown_count, unknown_room;
    /* onnx_walk(): the bodies of If, Loop and Scan are walked as the graph around them is. */
    int (*walk)(struct onnx_run *run, onnx_scope *scope, const onnx_graph *graph);
    struct onnx_message *warnings, **warning_tail;
} onnx_run;

typedef struct onnx_operator onnx_operator;

typedef struct onnx_call {
    onnx_run *run;
    onnx_scope *scope;
    const onnx_node *node;
    const onnx_operator *op;
    onnx_value **in, **out; /* NULL where left out */
    size_t in_count, out_count;
    double opset;
} onnx_call;

struct onnx_operator {
    const char *name;              /* "Conv"; of another domain: "com.microsoft:Attention" */
    int (*shape)(onnx_call *call); /* types and shapes of the outputs; -1 with the error */
    void (*fold)(onnx_call *call); /* values of the first output where they are known, or NULL */
    void (*cost)(onnx_call *call); /* the operations it is; NULL: none at all, the output shares memory */
    double flops;                  /* an element, where the costs are a multiple of it */
    double (*apply)(double a, double b, bool whole); /* of elementwise operators, for folding */
};

const onnx_operator *onnx_operator_find(const onnx_node *node);
const onnx_operator *onnx_operator_at(size_t index); /* NULL past the end */
void onnx_cost_nothing(onnx_call *call); /* of operators that cost nothing and whose output is not their input */

/* ---- scope.c: names ---- */
int onnx_scope_open(onnx_run *run, onnx_scope *scope, onnx_scope *outer, const onnx_graph *graph, size_t extra);
onnx_value *onnx_declare(onnx_run *run, onnx_scope *scope, const char *name); /* NULL: out of memory */
onnx_value *onnx_find(const onnx_scope *scope, const char *name);
onnx_value *onnx_find_here(const onnx_scope *scope, const char *name); /* not in the graphs around it */
void onnx_take_over(onnx_value *out, onnx_value *inner);               /* the same tensor under another name */

int onnx_functions_open(onnx_run *run); /* of run->file; -1: out of memory */
const onnx_function *onnx_function_find(const onnx_run *run, const onnx_node *node); /* NULL: an operator */

/* ---- run.c: walking ---- */
int onnx_walk(onnx_run *run, onnx_scope *scope, const onnx_graph *graph);
void onnx_take_declared(const onnx_run *run, onnx_value *value, const onnx_declared *declared);

/* ---- flow.c ---- */
int onnx_if(onnx_call *call);
int onnx_loop(onnx_call *call);
int onnx_scan(onnx_call *call);

/* ---- call.c: messages ---- */
void onnx_warn(onnx_run *run, const char *format, ...) ROOF_PRINTF(2, 3);
const char *onnx_keep_text(onnx_pool *pool, const char *text);
int onnx_fail(onnx_call *call, roof_status code, const char *format, ...) ROOF_PRINTF(3, 4); /* names the node */

/* ---- call.c: what a call is made of ---- */
onnx_value *onnx_in(const onnx_call *call, size_t index); /* NULL where absent */
onnx_value *onnx_out(const onnx_call *call, size_t index);
const onnx_attribute *onnx_attr(const onnx_call *call, const char *name);
double onnx_attr_int(const onnx_call *call, const char *name, double otherwise);
double onnx_attr_float(const onnx_call *call, const char *name, double otherwise);
const char *onnx_attr_text(const onnx_call *call, const char *name, const char *otherwise);
/* Whole numbers of an attribute, or where absent of input `index`. How many; -1: there are none; -2: values not known.
 */
int onnx_numbers(const onnx_call *call, const char *attribute, size_t index, double *out, int room);
double onnx_elements(const onnx_value *value);                   /* -1: not known */
double onnx_product(const double *dims, int count);              /* -1 when one is not known */
double onnx_bytes(const onnx_run *run, const onnx_value *value); /* in memory; 0 for NULL, -1: not known */
roof_dtype onnx_dtype(const onnx_run *run, int type);            /* as it is judged */
double onnx_type_bytes(const onnx_run *run, int type);
onnx_value *onnx_root(onnx_value *value);
int onnx_axis(double axis, int rank);                        /* negative axes count from the end; -1: outside */
void onnx_shape_of(onnx_value *out, const onnx_value *from); /* copy type and shape */
void onnx_set_shape(onnx_value *out, int type, int rank, const double *dims);
double *onnx_new_data(onnx_call *call, onnx_value *out); /* room for its values, NULL when they are too many */
const char *onnx_shape_text(const onnx_value *value, char *buffer, size_t size); /* "[1,3,?]" */

/* ---- emit.c: operations ---- */
/* One operation of this call; reads all inputs and writes all outputs unless its bytes are set already (not 0). */
onnx_record *onnx_emit(onnx_call *call, roof_operation *operation, bool open);
/* The same with the values it touches given: for calls that are several operations. */
onnx_record *onnx_emit_some(onnx_call *call, roof_operation *operation, onnx_value *const *reads, size_t count,
                            onnx_value *output, bool open);
void onnx_keep(onnx_value *value); /* it crosses the border of the graph or of a body */
void onnx_unknown(onnx_call *call, const char *why);
bool onnx_has(onnx_call *call, size_t index); /* false, and the cost is not known, where that input is left out */
double onnx_touched(const onnx_call *call);   /* bytes of all distinct inputs and of the outputs; -1: not known */
void onnx_count_parameter(onnx_run *run, onnx_value *value, double elements); /* elements 0: a statistic */
void onnx_count_scales(onnx_call *call, size_t first, size_t end); /* scales and zero points: bytes, no parameters */
void onnx_uncount_parameters(onnx_run *run, onnx_value *last, double parameters, double bytes); /* back to what was */

/* ---- fuse.c ---- */
void onnx_fuse(onnx_run *run);

#endif
