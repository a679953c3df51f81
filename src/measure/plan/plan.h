/* Which series are run and what becomes of them. The plan knows the host, the tables of kernels and a bench; the bench
 * times one series. Tests put a simulated machine in place of the bench.
 *
 *     kernels x levels x cores -> series -> bench -> samples -> the best of each pattern -> roofs (roofs.c) */
#ifndef ROOFLINE_MEASURE_PLAN_PLAN_H
#define ROOFLINE_MEASURE_PLAN_PLAN_H

#include "measure/engine/sampler.h"
#include "measure/plan/measurement.h"
#include "measure/plan/sweep.h"

typedef struct window_series { /* one thing to time */
    roof_pattern pattern;
    const compute_kernel *compute; /* FMA .. DOT */
    const stream_kernel *stream;   /* LOAD .. TRIAD_NT */
    roof_level level;              /* where `set` lies */
    int threads;
    double set;             /* bytes of one thread, all arrays together */
    double cover;           /* bytes that all threads together pass over in each window, at least */
    double warm;            /* seconds of warm-up, at least */
    bool plain_pages;       /* no huge pages asked for */
    int from_node, to_node; /* NUMA: nodes of the threads and of the memory; -1: wherever they are */
} window_series;

typedef struct series_bench {
    /* 0: `out` is filled. -1 with `error`: ROOF_ENOMEM ends the measurement, anything else leaves this series out. */
    int (*run)(void *context, const window_series *series, const window_policy *policy, roof_sample *out,
               roof_error *error);
    double (*multiply_cycles)(void *context); /* cycles of a dependent multiply by the chain of adds; 0: not known */
    const compute_kernel *(*compute_at)(size_t index);
    const stream_kernel *(*stream_at)(size_t index);
    int (*prove_compute)(const compute_kernel *kernel);
    int (*prove_stream)(const stream_kernel *kernel);
    time_source time;
    void *context;
} series_bench;

enum { KERNELS_MAX = 256 };

typedef struct name_list { /* a list in a sentence: "a, b, c and 4 more" */
    char text[84];         /* a condition says it behind 64 bytes of its own */
    int count, left_out;
} name_list;

typedef struct measure_plan {
    const host *host;
    const series_bench *bench;
    const roof_measure_options *options;
    roof_measurement *out;
    roof_error *error;
    int threads;
    double memory;          /* bytes that all working sets together may take */
    double start, deadline; /* seconds of the bench's clock */
    double left, total;     /* weight of the series still to come; of all */
    bool warm, clock_known;
    level_plans levels;
    name_list wrong, unstable, failed, late;
    char failure[160]; /* why the first of `failed` failed */
} measure_plan;

/* Measure with this bench. -1: stopped by the caller, or no memory. `options` may not be NULL. */
int plan_run(measure_plan *plan);

/* Bytes for the working sets: half of what may be used, since the rest is for the page cache and whoever else is here;
 * less where the options say so. */
double memory_to_use(const roof_measure_options *options, const host *here);
/* One a core, and no more than the time that a cgroup grants or the options say. */
int threads_to_use(const roof_measure_options *options, const host *here);

/* ---- timing.c: for the phases below ---- */

typedef struct effort_facts {
    const char *name;
    double budget;       /* seconds */
    double warm, rewarm; /* before the first series of all; before each other one */
    double least, most;  /* seconds of a series of weight 1 */
} effort_facts;
const effort_facts *effort_of(const measure_plan *plan);
double plan_now(const measure_plan *plan); /* seconds of the bench's clock */
void names_add(name_list *list, const char *name);
/* Tell the caller what comes next; -1: the caller wants to stop. */
int plan_tell(measure_plan *plan, const char *what);
bool plan_hurries(const measure_plan *plan); /* far behind its time: nothing is tried twice */
/* Time a series and keep it. 0: kept (`kept` points to it, NULL allowed); 1: left out; -1: the measurement ends. */
int plan_time(measure_plan *plan, const window_series *series, double weight, const roof_sample **kept);
/* `seconds` of it after `warm` seconds, not kept: for trials and sweeps. `out` has no windows. */
int plan_try(measure_plan *plan, const window_series *series, double warm, double seconds, roof_sample *out);
void series_name(const window_series *series, char *buffer, size_t size); /* "avx2 f64 fma, 2 cores" */

/* The phases: 0 or -1. */
int plan_compute(measure_plan *plan); /* compute_series.c */
int plan_sweep(measure_plan *plan);   /* sweep_series.c */
int plan_memory(measure_plan *plan);  /* memory_series.c */
double compute_weight(const measure_plan *plan);
double memory_weight(const measure_plan *plan);

/* Kernels a host can run. Rank of an ISA: the highest feature it needs. */
bool kernel_fits(feature_set needs, const host *here);
int isa_rank(feature_set needs);

/* roofs.c: samples to the machines. Pure but for the strings. -1: no memory. */
int roofs_fill(const measure_plan *plan);

#endif
