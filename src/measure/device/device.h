/* Devices other than the CPU: what every backend implements (device_opencl.c, device_cuda.c), and what is measured with
 * it (device.c). A kernel's FLOPs and bytes are data, in the table of its backend. */
#ifndef ROOFLINE_MEASURE_DEVICE_DEVICE_H
#define ROOFLINE_MEASURE_DEVICE_DEVICE_H

#include <stdint.h>

#include "measure/engine/sampler.h"

typedef enum device_need {
    DEVICE_NEEDS_NOTHING,
    DEVICE_NEEDS_F64,
    DEVICE_NEEDS_F16,
    DEVICE_NEEDS_DOT,
    DEVICE_NEEDS_CPU
} device_need;

typedef struct device_facts { /* as the driver reports them; 0: not reported */
    roof_device device;
    const char *scope;         /* "GPU", "CPU", "accelerator" */
    char platform[96];         /* "OpenCL 3.0 PoCL 3.1" */
    double memory, allocation; /* bytes; the largest single buffer */
    double cache, local;       /* bytes of the last cache; of local (shared) memory a work-group */
    int units;                 /* compute units, multiprocessors */
    int group_max;             /* work items in a work-group */
    int capability;            /* CUDA: 10 * major + minor */
    bool f64, f16, dot;
} device_facts;

/* Every kernel takes (a, b, c, n): three arrays and a count.
 * FMA   b holds vectors x and y. Work item i has `chains` accumulators; number k starts at (i & 3) + k in every lane.
 * An iteration (there are n) does acc = acc * x + y `steps` times to each. a[i] is the sum of the accumulators. DOT the
 * same with acc = acc + dot(bytes of acc, bytes of x): four signed bytes, 32-bit sums that wrap. DOT on MATRIX: a warp
 * adds the tile product of b's x (every element of A) and y (every element of B), `terms` products to an element,
 * `steps` times to each of `chains` tiles, which start at k; a[] is the sum of all tiles, 4 elements a work item. LOAD
 * at DRAM: each of b's n elements of four 32-bit integers is added to the sum a[i] of one work item. LOAD at L1: local
 * memory is filled with b[0 .. DEVICE_BOX). An iteration of item l of its group reads the elements l, l + 16, ... l +
 * 240, in turning order; a[i] is the sum of all that was read. COPY  a = b, TRIAD a = b + 3 c (f32), n elements of 16
 * bytes. LAUNCH a[0] += 1, once. */
typedef struct device_kernel {
    const char *name;           /* of the function in the text */
    const char *label;          /* "f32 fma, vectors of 8" */
    const char *text, *options; /* source; build options (OpenCL) */
    device_need need;
    int capability; /* least (CUDA) */
    roof_pattern pattern;
    roof_unit unit;
    roof_dtype dtype, held; /* of x and y; of an element of a, where it differs (NONE: the same) */
    roof_level level;       /* LOAD */
    bool narrow;            /* MATRIX: accumulates in f16 */
    int lanes, chains, steps, terms;
    double work; /* FLOPs or bytes of one iteration of one work item; memory: of one element */
} device_kernel;

enum { DEVICE_BOX = 512, DEVICE_ELEMENT = 16 };

typedef struct device_launch {
    void *program, *a, *b, *c; /* of build() and buffer(); b and c may be NULL */
    uint64_t n;
    size_t groups, group; /* work-groups; work items in each */
    int times;            /* so many launches, one after another */
} device_launch;

typedef struct device device; /* an opened device; each backend has its own */
typedef struct device_backend device_backend;

/* Functions return 0, or -1 with `error` filled; NULL likewise. `seconds`: the device's own clock, 0 when it has none.
 */
struct device_backend {
    const char *kind, *title, *library; /* "opencl" (as in "opencl:0"), "OpenCL", the soname that dlopen() gets */
    bool untried;
    int (*find)(const device_backend *self, size_t index,
                device_facts *out); /* -1 past the end: no library, no device */
    device *(*open)(const device_backend *self, size_t index, roof_error *error);
    void (*close)(device *at);                    /* after everything below was freed */
    const device_kernel *(*kernel)(size_t index); /* NULL past the end */
    void *(*build)(device *at, const device_kernel *kernel, roof_error *error);
    void (*discard)(device *at, void *program);
    void *(*buffer)(device *at, size_t bytes, roof_error *error);
    void (*release)(device *at, void *buffer);
    void *(*pin)(device *at, size_t bytes,
                 roof_error *error); /* host memory that the device reads directly; one at a time */
    void (*unpin)(device *at, void *memory);
    int (*move)(device *at, void *buffer, size_t offset, void *data, size_t bytes, bool to_device, double *seconds,
                roof_error *error);
    int (*launch)(device *at, const device_launch *what, double *seconds, roof_error *error);
};

extern const device_backend device_opencl, device_cuda;
const device_backend *device_backend_at(size_t index); /* NULL past the end */

const device_kernel *opencl_kernel_at(size_t index);
const device_kernel *cuda_kernel_at(size_t index);

/* ---- proof: what the arrays hold, and whether a kernel made of them what it should (device_proof.c) ---- */

enum { DEVICE_CHUNK = 1 << 20, PROOF_BYTES = 16384, PROOF_SETS = 3 };
/* b of a compute kernel or of local memory: PROOF_BYTES at most, the rest zero. `set` picks the numbers. */
void proof_fill(const device_kernel *kernel, int set, void *b);
uint64_t proof_iterations(int set);
size_t proof_item_bytes(const device_kernel *kernel); /* of a, a work item */
bool proof_holds(const device_kernel *kernel, int set, uint64_t n, size_t group, const void *a, size_t items);
/* DEVICE_CHUNK bytes of the arrays of memory kernels: 'a' is what is written before, 'b' and 'c' repeat chunk by chunk.
 */
void memory_fill(char array, void *chunk);
/* Every chunk of a after COPY or TRIAD. */
void memory_expect(roof_pattern pattern, void *chunk);
/* The sums of `items` work items after LOAD over `chunks` chunks. */
bool memory_sum_holds(const void *a, size_t items, size_t chunks);

/* ---- series: kernels timed on an open device (device_series.c) ---- */

typedef struct device_session {
    const device_backend *backend;
    device *at;
    device_facts facts;
    const time_source *time;
    roof_measurement *out;
    void *a, *b, *c;   /* device memory, `bytes` each */
    size_t bytes;      /* a whole number of chunks */
    void *host;        /* host memory for proofs, `host_bytes` */
    size_t host_bytes; /* two chunks at least */
    double window;     /* seconds a launch should take */
    int launches;      /* at most, a series */
    double deadline;   /* of the series under way */
    bool memory_filled;
} device_session;

/* Each fills `out` or returns -1 with `error`; either way the caller frees out->windows, which was NULL before. Of
 * `count` rivals for one roof the fastest is kept that computes rightly; returns which. */
int series_compute(device_session *session, const device_kernel *const *kernels, int count, roof_sample *out,
                   roof_error *error);
int series_memory(device_session *session, const device_kernel *const *kernels, int count, roof_sample *out,
                  roof_error *error);
int series_launch(device_session *session, const device_kernel *kernel, roof_sample *out, roof_error *error);
int series_transfer(device_session *session, bool to_device, roof_sample *out, roof_error *error);

/* Measure device `index` of a backend. Driver errors become conditions; NULL when nothing could be measured. */
roof_measurement *measure_backend(const device_backend *backend, size_t index, const time_source *time,
                                  const roof_measure_options *options, roof_error *error);
/* The same by id: "opencl:0". */
roof_measurement *measure_device(const char *id, const roof_measure_options *options, roof_error *error);

#endif
