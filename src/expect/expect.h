/* What the files of this room share. Private to it. */
#ifndef ROOFLINE_EXPECT_EXPECT_H
#define ROOFLINE_EXPECT_EXPECT_H

#include <string.h>

#include "roofline_expected.h"

/* One execution: seconds at the shares of the roofs that are reached, passes the bound does not have, launches. */
typedef struct kernel_time {
    double compute, memory, passes, kernels;
    double fill;  /* share of the units that a product's grid keeps busy; 0: not computed */
    double split; /* of passes: adding up a product that was split along its inner dimension */
} kernel_time;

static inline bool is_generation(const roof_machine *machine, const char *name) {
    return machine->architecture && strstr(machine->architecture, name);
}

/* NVIDIA's generations whose matrix units take their operands from shared memory instead of registers. */
static inline bool reads_shared_memory(const roof_machine *machine) {
    return is_generation(machine, "Hopper") || is_generation(machine, "Blackwell");
}

/* How much faster llama.cpp multiplies 16-bit floats where it adds up in 16 bits; 1 in other engines. */
double narrow_gain(const roof_machine *machine, roof_engine engine);
/* A matrix product of any kind. */
bool is_product(roof_kind kind);
/* Launches of one execution. */
double kernels_of(const roof_constants *constants, const roof_operation *operation);
/* Seconds to move bytes that the bound does not have. */
double pass_seconds(const roof_machine *machine, const roof_constants *constants, double bytes);

/* What is known of a kind when it runs alone, a file a kind. `time` holds the times without it. */
void gemm_alone(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                kernel_time *time);
void attention_alone(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                     double share, kernel_time *time);

void experts_alone(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                   kernel_time *time);

/* Attention of a layer that gets queries, keys and values in one buffer and splits them: it appends to a cache, or its
 * keys are wider than its values, which only those made from a latent row are. */
bool is_handed_over(const roof_operation *operation);
/* Weights narrower than what they are multiplied in are unpacked first. */
bool is_packed(const roof_operation *operation);

/* (a^p + b^p)^(1/p): the sum at 1, towards the maximum as p grows. */
double together(double a, double b, double p);

/* A GPU whose units (SMs, CUs, cores) are counted. */
static inline bool has_units(const roof_machine *machine) {
    return machine->scope && strncmp(machine->scope, "GPU", 3) == 0 && machine->units.origin != ROOF_ORIGIN_UNKNOWN &&
           machine->units.value > 0;
}

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
/* Terms of one execution, and its bound: roof_expect() without the interval. */
int expected_terms(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
                   roof_expected *out, double *bound, roof_error *error);

/* One phase of a plan in an engine. */
typedef struct phase_case {
    const roof_machine *machine;
    const roof_constants *constants;
    const roof_model *model;
    const roof_plan *plan;
    double prefix; /* tokens in the cache before a prefill's own */
} phase_case;

/* Parts a prompt goes through an engine in. */
double micro_batches(const roof_constants *constants, const roof_plan *plan);

/* Expected time and, when `bounded`, the bound. */
int phase_expect(const phase_case *of, roof_phase phase, bool bounded, roof_time *out, roof_error *error);

/* One of the times that roof_model_serving() tells, by itself: TPOT, LOAD (for every output token) or else RUN. Not
 * `bounded`: without its bound, in less time. */
int serving_expect(const phase_case *of, roof_regime regime, bool bounded, roof_time *out, roof_error *error);
int observation_expect(const roof_observation *observation, const roof_constants *constants, bool bounded,
                       roof_time *out, roof_error *error);

bool is_cpu(const roof_machine *machine);
/* Of a CPU whose machine->sustained is known. */
int host_terms(const roof_machine *machine, const roof_constants *constants, const roof_operation *operation,
               roof_expected *out, roof_error *error);
/* Of any CPU. */
void host_constants(const roof_machine *machine, roof_constants *out);

/* Devices of a scale-up domain have links to each other; else they share the host's bus. */
static inline bool has_switch(const roof_machine *machine) {
    return machine->link_kind && machine->link_devices.origin != ROOF_ORIGIN_UNKNOWN && machine->link_devices.value > 1;
}

#endif
