/* roofline_measure.h - page 11 of roofline.h: measuring. The roofs of the machine this runs on.
 *
 * A roof is a maximum. Work is timed in many short windows (30 to 50 microseconds for compute) on
 * pinned threads; the roof is the high percentile of the windows, the median and the spread stand
 * beside it. docs/measure.md has the method.
 *
 * Units as in roofline.h: FLOP/s (OP/s for integers), byte/s, seconds, bytes, Hz. A dot product of
 * k pairs is 2k FLOPs. Bytes are those the pattern names (copy: read one array, write one; update:
 * read and write one); `moved` says how many really move where a store first reads the line it
 * writes (write-allocate).
 *
 * These functions start threads, read the clock and /proc and /sys, and load libraries (OpenCL,
 * BLAS) at run time. They print nothing, keep no global state and restore the caller's affinity.
 * One measurement at a time, please. */
#ifndef ROOFLINE_MEASURE_H
#define ROOFLINE_MEASURE_H

#include "roofline_chart.h"
#include "roofline_read.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef enum roof_pattern {
    ROOF_PATTERN_FMA, /* acc += x * y: 2 FLOPs */
    ROOF_PATTERN_MUL, /* multiply only: the "no FMA" ceilings */
    ROOF_PATTERN_ADD,
    ROOF_PATTERN_MUL_ADD, /* separate multiplies and adds, half each */
    ROOF_PATTERN_FMA_ADD, /* FMAs and adds together: the peak where a core issues both at once */
    /* acc += dot(x, y) of narrow elements: VNNI, BF16 dot, AMX tiles, SDOT, BFMMLA */
    ROOF_PATTERN_DOT,
    ROOF_PATTERN_LOAD,
    ROOF_PATTERN_STORE,
    ROOF_PATTERN_COPY,
    ROOF_PATTERN_TRIAD, /* a = b + s * c */
    /* a = s * a, in place: reads and writes the same lines, so no write-allocate on top */
    ROOF_PATTERN_UPDATE,
    /* The next three store past the caches: no write-allocate. */
    ROOF_PATTERN_STORE_NT,
    ROOF_PATTERN_COPY_NT,
    ROOF_PATTERN_TRIAD_NT,
    ROOF_PATTERN_CHASE, /* dependent loads at random: seconds a load, not a rate */
    /* The next three are of devices other than the CPU. */
    ROOF_PATTERN_TO_DEVICE,
    ROOF_PATTERN_FROM_DEVICE,
    ROOF_PATTERN_LAUNCH, /* seconds per kernel in a chain */
    /* The last two are of the CPU's threads: seconds until sleeping threads have run and were
     * waited for; seconds until running ones have met, spinning. */
    ROOF_PATTERN_WAKE,
    ROOF_PATTERN_MEET,
    ROOF_PATTERN_COUNT
} roof_pattern;

const char *roof_pattern_name(roof_pattern pattern); /* "fma", "triad nt" */
bool roof_pattern_is_compute(roof_pattern pattern);  /* FMA .. DOT */
bool roof_pattern_is_memory(roof_pattern pattern);   /* LOAD .. TRIAD_NT */
/* CHASE, LAUNCH .. MEET: `value` is seconds, less is better */
bool roof_pattern_is_time(roof_pattern pattern);

typedef struct roof_sample { /* one series of windows of one kernel */
    roof_pattern pattern;
    const char *isa; /* "avx2"; "opencl" */
    roof_unit unit;
    roof_dtype dtype; /* compute: of the operands */
    /* memory and chase: where the working set lies. Compute: not used */
    roof_level level;
    int threads; /* that ran at once, one per core */
    /* NUMA: node of the threads, node of the memory; -1: not told apart */
    int from_node, to_node;
    /* memory, chase: working set of ONE thread, all arrays together */
    double set_bytes;
    /* the roof: high percentile of the windows, all threads together; see `pattern` */
    double value;
    double median, best; /* of the windows */
    double spread;       /* (90th - 10th percentile) / median */
    /* bytes really moved for a byte counted; 1 but for stores that allocate */
    double moved;
    /* Hz of a core during the windows, from a dependent integer chain; 0: not known */
    double clock;
    /* FLOPs or bytes a cycle of ONE core, median over the better windows; 0: not known */
    double per_cycle;
    double huge;           /* share of the working set on huge pages; -1: not known */
    bool stable;           /* two rounds in a row agreed */
    double window_seconds; /* typical length of a window */
    const float *windows;  /* each window's value, in order of time; may be NULL */
    size_t window_count;
} roof_sample;

typedef struct roof_condition { /* something that disturbed or limited the measurement */
    /* what was seen, with the numbers; the likely cause; what to do */
    char what[160], cause[160], remedy[160];
} roof_condition;

enum { ROOF_CONDITION_MAX = 24 };

/* Everything one run found. Owned by the handle it came with (roof_measure() or a machine file). */
typedef struct roof_measurement {
    char date[32]; /* "2026-11-30T15:20:00Z" */
    /* hypervisor: "" when none is seen */
    char cpu[96], kernel[96], compiler[96], hypervisor[32], effort[16], version[16];
    /* CPUs online; cores this process may use; threads measured with */
    int cpus, cores, threads;
    double seconds;       /* it took */
    roof_machine machine; /* roofs of all cores (`cores` threads) together */
    /* roofs of one core alone; its shared levels are what one core gets */
    roof_machine one;
    const roof_sample *samples;
    size_t sample_count;
    roof_condition conditions[ROOF_CONDITION_MAX];
    size_t condition_count;
} roof_measurement;

/* Less than 30 s; about 5 s; as long as every pattern takes. */
typedef enum roof_effort {
    ROOF_EFFORT_NORMAL,
    ROOF_EFFORT_QUICK,
    ROOF_EFFORT_THOROUGH
} roof_effort;

typedef struct roof_measure_options { /* zero (or NULL) means the defaults */
    roof_effort effort;
    int threads;   /* at most this many; 0: every core the process may use */
    double memory; /* use at most this many bytes; 0: what the process may have */
    /* NULL or "cpu": the CPU; else an id of roof_device_at(): "opencl:0" */
    const char *device;
    /* Called before each series; `done` 0..1. Nonzero stops: roof_measure() then fails, nothing is
     * half-measured. */
    int (*progress)(void *context, double done, const char *what);
    void *context;
} roof_measure_options;

/* Measure. NULL on error. A kernel whose result is wrong is left out and named in the conditions.
 */
roof_measurement *roof_measure(const roof_measure_options *options, roof_error *error);
/* of roof_measure() only; NULL is fine */
void roof_measurement_free(roof_measurement *measurement);

/* "amd-epyc-9r14-2": names this machine for its file: the CPU's name and how many CPUs are online.
 * Returns buffer. */
const char *roof_measure_host(char *buffer, size_t size);

/* The CPU's name as roof_measurement.cpu has it: tells whether a measurement is of this machine.
 * Returns buffer. */
const char *roof_measure_cpu(char *buffer, size_t size);

/* ---- other devices: OpenCL (any ICD), CUDA (driver API); both found at run time ---- */

typedef struct roof_device {
    char id[24], name[96], vendor[64], driver[96]; /* id: "opencl:0" */
    bool is_cpu; /* an OpenCL implementation on this machine's CPU */
    /* this kind of device was never run by its authors: docs/devices.md */
    bool untried;
} roof_device;
int roof_device_at(size_t index, roof_device *out); /* -1 past the end */

/* ---- running an operation itself ---- */

typedef struct roof_run_options { /* zero (or NULL) means the defaults */
    int threads;                  /* 0: all cores */
    double seconds;               /* time to spend; 0: one second */
} roof_run_options;

typedef struct roof_run { /* what one execution of the operation took */
    /* best (a low percentile of many executions), median and 90th percentile */
    double seconds, median, worst;
    size_t times; /* executions */
    int threads;
    /* where its working set lies: repeated executions find it there */
    roof_level level;
    /* within a factor of two of a cache's size: part of it may lie in the level beside */
    bool near_edge;
    double set_bytes; /* of all threads */
    /* "avx2 triad, non-temporal stores"; "OpenBLAS 0.3.21 dgemm" */
    char method[96];
    /* largest relative difference from a plain computation of the same */
    double error;
} roof_run;

bool roof_can_run(roof_kind kind);
/* Run it. `machine` gives the cache sizes that decide the level. -1: no kernel for it, too little
 * memory, wrong result. */
int roof_run_operation(const roof_machine *machine, const roof_operation *operation,
                       const roof_run_options *options, roof_run *out, roof_error *error);

/* Put the bytes of `operation` where a run found them: under the level's own roof, where that is
 * known. False: they stay at DRAM. */
bool roof_operation_at_level(const roof_machine *machine, const roof_run *run,
                             roof_operation *operation);

/* ---- the file (src/read): a machine file with a member "measurement" beside "machine" ---- */

/* Write a machine file: the roofs of all cores and of one (`cores`), and every sample. -1 when
 * `write` stopped. */
int roof_measurement_write(const roof_measurement *measurement, roof_write write, void *context);
/* What the file's member "measurement" holds, or NULL. Lives as long as `file`. */
const roof_measurement *roof_machine_file_measurement(const roof_machine_file *file);

/* ---- the chart (src/chart): the measured roofs with every level and the ceilings under the peak
 * ---- */

int roof_chart_of_measurement(const roof_measurement *measurement, roof_drawing *out,
                              roof_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
