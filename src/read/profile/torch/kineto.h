/* Between the parts of the reader of PyTorch traces: operators and their shapes, events, and what becomes of them.
 *
 *     cpu_op "aten::mm" [8,4096][4096,14336]  --External id-->  cuda_runtime  --correlation-->  kernel "gemm_..." dur
 *     shapes give FLOPs and bytes                                                               the time */
#ifndef ROOFLINE_READ_PROFILE_TORCH_KINETO_H
#define ROOFLINE_READ_PROFILE_TORCH_KINETO_H

#include "read/profile/build.h"

/* ---- kineto_shapes.c: what an operator of PyTorch costs ---- */

enum { KINETO_NAME = 1 << 15, KINETO_TEXT = 2048 }; /* names of templates take 5 KB and more */

typedef struct kineto_rule kineto_rule;

typedef struct kineto_operator {
    const char *name;
    const char *dims;     /* "[[4096,4096,],[4096,11008,],]" */
    const char *types;    /* one a line: "c10::BFloat16\nScalar\n" */
    const char *settings; /* "Concrete Inputs", one a line */
} kineto_operator;

const kineto_rule *kineto_rule_of(const char *name); /* NULL: an operator whose cost is not known */
bool kineto_rule_is_main(const kineto_rule *rule);   /* matrix work, attention, a norm: helpers inside are part of it */
bool kineto_rule_uses_settings(const kineto_rule *rule); /* numbers beside the shapes decide too */
/* The cost of one call by its shapes; false: they do not suffice. */
bool kineto_cost(const kineto_rule *rule, const kineto_operator *from, roof_operation *out);

/* ---- kineto_events.c: operators and the kernels they launched ---- */

typedef struct kineto_event {
    char phase, cat[32], name[KINETO_NAME];
    double start, seconds;                       /* microseconds as in the file; -1: none */
    double external, correlation, device, bytes; /* -1: none */
    double pid, tid;                             /* a number, or one made of the text */
    char dims[KINETO_TEXT], types[KINETO_TEXT], settings[KINETO_TEXT];
    size_t dims_length, types_length, settings_length;
    bool too_long; /* the shapes did not fit */
    bool name_cut; /* nor did the name */
    struct kineto_counter {
        char name[96];
        double value;
    } counters[32];
    size_t counter_count;
} kineto_event;

typedef struct kineto kineto;

kineto *kineto_new(profile_job *job); /* NULL: out of memory, with the error filled */
void kineto_free(kineto *all);
bool kineto_take(kineto *all, const kineto_event *event); /* false: out of memory, with the error filled */
void kineto_device(kineto *all, const char *name);        /* of the file's deviceProperties */
int kineto_finish(kineto *all, bool early);               /* everything that waited goes to the builder; warnings */

#endif
