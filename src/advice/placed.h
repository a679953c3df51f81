/* Between judging a measured kernel and saying why: the roofs it stands under, each with the time it allows. Private to
 * the room. */
#ifndef ROOFLINE_ADVICE_PLACED_H
#define ROOFLINE_ADVICE_PLACED_H

#include "roofline_profile.h"

/* Thresholds and their reasons: docs/profiles/placed.md. */
#define PLACED_ABOVE 1.005   /* more than this share of a roof is above it */
#define PLACED_NEAR 0.6      /* at least this share is near it */
#define PLACED_LAUNCH 3.3e-6 /* seconds of one kernel's launch, ramp and tail inside a graph, where none is known */
#define PLACED_LAUNCHES 5.0  /* a call of fewer launches' time is held by them */
#define PLACED_SMALL 2e-6    /* seconds of work that do not fill a GPU */

/* One roof that the kernel's work runs under. */
typedef struct placed_roof {
    roof_bound bound;
    roof_unit unit;           /* of a compute roof */
    roof_dtype dtype;         /* whose roof it is */
    roof_dtype asked;         /* what was measured; another where the machine has no roof for it */
    const char *variant;      /* "", "sparse ", "f16-accumulate " */
    roof_level level;         /* of a memory roof */
    roof_certainty certainty; /* of the work */
    double work, limit;       /* FLOPs, bytes of all calls; FLOP/s, byte/s */
    double seconds;           /* least, of all calls */
} placed_roof;

enum { PLACED_ROOFS = ROOF_MEASURED_FLOPS + ROOF_LEVEL_COUNT + 1 };

typedef struct placing {
    const roof_machine *machine;
    const roof_measured *measured;
    roof_placement *out;
    placed_roof roofs[PLACED_ROOFS];
    size_t count;
    const placed_roof *binding; /* NULL: none */
    roof_certainty flops;       /* of all of them; ROOF_CERTAINTY_MISSING: none is known */
    bool matrix_missing;        /* the matrix pipe was busy and its work is not counted */
    bool bytes, dram;           /* bytes of some level, of DRAM are known */
    bool bytes_at_least;
    bool roofless, levelless; /* FLOPs, bytes that no roof of the machine stands over */
    bool untyped;             /* FLOPs whose dtype is not stated */
    double moved_from;        /* share of DRAM's roof before the bytes were judged at a cache; 0: they were not */
} placing;

static inline double placed_fraction(const placing *p, const placed_roof *roof) {
    return roof->seconds / p->out->seconds;
}
static inline double placed_calls(const roof_measured *measured) {
    return measured->calls > 0 ? measured->calls : 1;
}

/* Clauses joined by "; ", each put in whole or not at all. */
typedef struct clauses {
    char *text;
    size_t size, used;
} clauses;
bool clauses_add(clauses *to, const char *format, ...) ROOF_PRINTF(2, 3);

/* "f32 vector", "DRAM", "the link"; written to buffer, which is returned. */
const char *placed_roof_name(const placed_roof *roof, char *buffer, size_t size);

/* The roof of `*dtype`, or of the dtype to use instead, which is put there; NULL when there is none. */
const roof_figure *placed_compute_roof(const roof_machine *machine, roof_unit unit, roof_dtype *dtype);

/* The clock that a roof is for, in Hz; 0: not known. A machine's clock is the one under matrix load, and where it has a
 * matrix unit its vector roofs may be for another. */
double placed_clock(const roof_machine *machine, const placed_roof *roof);

/* A run's figures without those no run can have. */
roof_model_run placed_run_sane(const roof_model_run *run);
/* The plan that a run was of, its weights as the run names them; complete. */
roof_plan placed_run_plan(const roof_machine *machine, const roof_model *model, const roof_model_run *run,
                          double requests);

/* Fill p->out->diagnosis. */
void placed_say(placing *p);
/* Why a kernel stands above its roof: the hypotheses that fit, best first. `out` holds ROOF_HYPOTHESES. */
size_t above_list(const placing *p, roof_hypothesis *out);
void placed_say_above(const placing *p, clauses *to);

/* A phase of a model that beats its bound. */
typedef struct above_phase {
    const roof_machine *machine;
    bool known;  /* the model is; else its size alone */
    bool stated; /* somebody said how the weights were stored and how many requests ran at once */
    roof_phase phase;
    roof_bound limit;
    double over;           /* of the rate reached to the bound, > PLACED_ABOVE */
    double bytes, devices; /* of the weights; 0: not known */
    double attained, peak; /* FLOP/s */
    roof_dtype math;       /* of the peak */
} above_phase;
size_t above_phase_list(const above_phase *a, roof_hypothesis *out);

#endif
