/* What the files of this room share. Private to it. */
#ifndef ROOFLINE_EXPECT_EXPECT_H
#define ROOFLINE_EXPECT_EXPECT_H

#include "roofline_expected.h"

/* Launches of one execution, and seconds of passes the bound does not have. */
typedef struct kernel_count {
    double kernels, passes;
} kernel_count;

kernel_count kernels_of(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation);

static inline bool is_alone(const roof_constants *constants) {
    return constants->engine == ROOF_ENGINE_ALONE;
}

static inline double constant_of(const roof_constants *constants, roof_constant which) {
    return constants->value[which].value;
}

/* Decode: one query a sequence, or a few that are drafted. */
roof_regime regime_of(const roof_operation *operation);

/* `count` executions of `one` added to `sum`: terms, seconds, kernels; not the interval. */
void expected_add(roof_expected *sum, const roof_expected *one, double count);
/* seconds, low and high from the terms, with the interval of `regime`. */
void expected_finish(roof_expected *expected, const roof_constants *constants, roof_regime regime);
/* Terms of one execution: roof_expect() without the interval. */
int expected_terms(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                   roof_expected *out, roof_error *error);

/* (a^p + b^p)^(1/p): the sum at 1, towards the maximum as p grows. */
double together(double a, double b, double p);

/* Of a CPU whose machine->sustained is known. */
int host_terms(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
               roof_expected *out, roof_error *error);
void host_constants(const roof_machine *machine, roof_constants *out);

#endif
