/* Where one level of the memory hierarchy ends and the next begins: from bandwidths over sizes, and what the system
 * says. */
#ifndef ROOFLINE_MEASURE_PLAN_SWEEP_H
#define ROOFLINE_MEASURE_PLAN_SWEEP_H

#include "measure/host/host.h"

enum { SWEEP_MAX = 128, PLATEAU_MAX = 8 };

/* Working sets from `least` to `most`, six an octave, three from 32 MiB on. Returns how many (at most SWEEP_MAX). */
size_t sweep_sizes(double least, double most, double *sizes);

typedef struct plateau {
    double first, last; /* working sets on it, smallest and largest */
    double knee;        /* where it ends: between `last` and the next size; 0: it goes on past the last size */
    double rate;        /* byte/s */
} plateau;

/* Plateaus of a curve, by rising size. At most PLATEAU_MAX. */
size_t find_plateaus(const double *sizes, const double *rates, size_t count, plateau *out);

typedef struct level_plan {
    bool seen;       /* the sweep shows a plateau that is this level */
    bool assumed;    /* DRAM: no plateau is it, and its sets lie past every cache that is reported or seen */
    bool refuted;    /* the reported size is wrong: `size` is the knee, or 0 when there is none */
    double size;     /* bytes, of the part that one core sees; 0: not known */
    double reported; /* bytes as the system says; 0: it does not */
    plateau plateau;
    double one, all; /* working set of one thread: running alone, and with all; 0: cannot be measured */
    int sharers;     /* threads of this measurement that share one of it */
} level_plan;

typedef struct level_plans {
    level_plan at[ROOF_LEVEL_COUNT];
    double most;       /* the largest set of the sweep */
    double cache;      /* bytes of the last cache, as one core sees it; 0: not known */
    double last_cache; /* bytes of the last cache, all its instances that the threads use together; 0: not known */
    double needs;      /* bytes a DRAM working set would need in all: what was missing when one or all is 0 */
} level_plans;

/* Give the plateaus their names. `reported` as host.cache. */
void name_levels(const plateau *plateaus, size_t count, double most, const double *reported, level_plans *out);
/* Working sets for `threads` threads within `memory` bytes in all. */
void choose_sets(const host *here, int threads, double memory, level_plans *levels);

#endif
