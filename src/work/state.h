/* What a state layer is made of: one description by its kind, from which parameters, operations and memory follow. */
#ifndef ROOFLINE_WORK_STATE_H
#define ROOFLINE_WORK_STATE_H

#include "roofline.h"

enum { STATE_MATRIX_MAX = 10 };

typedef struct state_matrix {
    const char *name; /* of its operation */
    double outputs, inputs;
    bool bias;
} state_matrix;

/* Widths on one device. */
typedef struct state_design {
    state_matrix matrices[STATE_MATRIX_MAX];                       /* in order; the last is the output projection */
    size_t count, before_conv;                                     /* how many run before the convolution */
    double vectors;                                                /* learned elements that are no matrix */
    double heads, key_heads, key_width, value_width, decay, delta; /* the recurrence; heads 0: there is none */
    double width;                                                  /* values of a token: heads * value_width */
    double channels, taps;                                         /* of the convolution */
    bool conv_apart;           /* a matrix needs all its outputs: it cannot ride with the recurrence */
    double mixes;              /* vectors of hidden width a token is mixed with its predecessor by */
    double recurrent, shifted; /* elements kept: of the recurrence; of convolution and token shift */
    double gate;               /* elements of an output gate a token */
    double riding;             /* vector FLOPs a token of all that rides with the recurrence */
} state_design;

double conv_flops(const state_design *d); /* a token */
void state_describe(const roof_state_block *block, double hidden, double tensor, state_design *out);

#endif
