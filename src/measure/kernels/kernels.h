/* Micro-kernels as data: what each needs, computes and moves. The code is assembly (x86/, arm64/), so that no compiler
 * can fold it away; the tables are kernels_x86.c and kernels_arm64.c. */
#ifndef ROOFLINE_MEASURE_KERNELS_KERNELS_H
#define ROOFLINE_MEASURE_KERNELS_KERNELS_H

#include <stdint.h>

#include "roofline_measure.h"

/* What a CPU can do, one bit each; a kernel runs only where all its bits are set (host.h finds them). */
typedef enum feature {
    FEATURE_BASE, /* scalar code and what every CPU of the architecture has: SSE2, NEON */
    FEATURE_AVX,  /* 256-bit arithmetic, with its state; the next two have it too */
    FEATURE_FMA,  /* FMA3 with AVX state */
    FEATURE_AVX2,
    FEATURE_AVX512, /* F, DQ, BW, VL with ZMM state */
    FEATURE_AVX512_FP16,
    FEATURE_AVX512_BF16,
    FEATURE_AVX512_VNNI,
    FEATURE_AVX_VNNI,
    FEATURE_AMX_BF16, /* with the tile state granted to this process */
    FEATURE_AMX_INT8,
    FEATURE_FP16, /* AArch64: half-precision arithmetic (asimdhp) */
    FEATURE_DOTPROD,
    FEATURE_BF16, /* BFDOT, BFMMLA */
    FEATURE_I8MM,
    FEATURE_SVE,
    FEATURE_SVE_BF16,
    FEATURE_SVE_I8MM,
    FEATURE_COUNT
} feature;
typedef uint64_t feature_set;
#define FEATURE(name) ((feature_set)1 << FEATURE_##name)

enum { VECTOR_BYTES_MAX = 256, ACCUMULATORS_MAX = 32 }; /* SVE: up to 2048 bits */
enum { TILE_COLUMNS = 16, TILE_BYTES = 1024 };          /* AMX: 16 rows of 64 bytes */

/* Registers of a compute kernel, before and after. A kernel loads x, y and its accumulators, runs, and stores the
 * accumulators: the result proves that each iteration was executed. Vectors lie one after another at their real width.
 */
typedef struct compute_state {
    _Alignas(64) unsigned char x[VECTOR_BYTES_MAX], y[VECTOR_BYTES_MAX];
    _Alignas(64) unsigned char accumulators[ACCUMULATORS_MAX * VECTOR_BYTES_MAX];
    _Alignas(64) unsigned char tiles[8 * 1024]; /* AMX: x is tiles[0], y tiles[1]; accumulators as above, 1 KiB each */
} compute_state;

/* One iteration does, for every accumulator `a` in turn, one or more times:
 *   FMA  a += x * y     MUL  a *= x     ADD  a += x     DOT  a[i] += sum over pairs of x[..] * y[..]
 *   MUL_ADD: even accumulators MUL, odd ones ADD        FMA_ADD: even accumulators FMA, odd ones ADD (unless `adds`
 * says) `times` says how often each accumulator is updated in one iteration. Where `columns` is set the kernel
 * multiplies small matrices instead: result lanes are blocks of columns x columns, row after row, and a[r][c] += sum
 * over k < terms of x[r][k] * y[k][c]. x lies row after row. y lies column after column, but for TILE_COLUMNS in groups
 * of four bytes (AMX): four bytes of every column, then the next four. */
typedef struct compute_kernel {
    const char *name, *isa; /* "avx2_f64_fma", "avx2" */
    feature_set needs;
    roof_pattern pattern;
    roof_unit unit;
    roof_dtype dtype, result; /* of x and y; of the accumulators (DOT: wider) */
    double flops;            /* of ONE iteration; integer operations for int8. lanes 0: for each 16 bytes of a vector */
    int accumulators, times; /* independent chains; updates of each in one iteration */
    int lanes;               /* elements of a result vector; 0: by the length of an SVE vector (see vector_bytes) */
    int terms;               /* products that one result lane adds at once: 1; 2 for BF16 dot, 4 for int8 */
    int columns;             /* 0: vectors. BFMMLA, SMMLA: 2; AMX: TILE_COLUMNS */
    int adds, add_times;     /* mixed patterns: the last `adds` accumulators ADD, `add_times` times in one iteration;
                                0: every odd one does, `times` times */
    void (*run)(compute_state *state, uint64_t iterations); /* iterations >= 1 */
} compute_kernel;

/* Arrays of a stream kernel. `bytes` of each array, a multiple of the kernel's `step`; passes over it, one after
 * another. */
typedef struct stream_args {
    unsigned char *a;            /* written (load: read); 64-byte aligned */
    const unsigned char *b, *c;  /* read, where the pattern has them */
    uint64_t bytes, passes;      /* both >= 1 */
    _Alignas(64) double s[8];    /* triad, update: the factor, in every lane. store: the value written */
    _Alignas(64) double sum[32]; /* load: proof that everything was read, added up by the kernel as its `check` says */
} stream_args;

typedef struct stream_kernel {
    const char *name, *isa;
    feature_set needs;
    roof_pattern pattern;
    int arrays;    /* 1 load, store, update; 2 copy; 3 triad */
    uint64_t step; /* bytes of each array in one iteration of the loop */
    double flops;  /* a byte of one array: triad 2 an element, update 1 */
    double moved;  /* bytes moved for a byte counted, below the level that keeps the lines: copy 1.5, triad 4/3 */
    bool sums;     /* load: `sum` is the 64-bit integer sum, lane by lane, of one pass over the array times passes;
                      else only the last vectors are kept */
    void (*run)(stream_args *args);
} stream_kernel;

/* Bytes that the pattern names, for each byte of one array: of every array one, but an update reads and writes its own.
 */
static inline int stream_counted(const stream_kernel *kernel) {
    return kernel->pattern == ROOF_PATTERN_UPDATE ? 2 : kernel->arrays;
}

/* NULL past the end. Of this architecture only, whatever the CPU has: check `needs`. */
const compute_kernel *compute_kernel_at(size_t index);
const stream_kernel *stream_kernel_at(size_t index);
/* Bytes of a vector of the kernel's ISA on this CPU (SVE: its length). */
int vector_bytes(const compute_kernel *kernel);
/* FLOPs of one iteration on this CPU. */
static inline double compute_flops(const compute_kernel *kernel) {
    return kernel->lanes ? kernel->flops : kernel->flops * vector_bytes(kernel) / 16;
}
/* Elements of a result vector on this CPU. */
static inline int compute_lanes(const compute_kernel *kernel) {
    return kernel->lanes ? kernel->lanes : vector_bytes(kernel) / (int)roof_dtype_bytes(kernel->result);
}

/* The clock: a chain of dependent integer adds in general registers (register to register: an add of a constant may be
 * folded away), one cycle each. Runs `adds` of them, rounded up to a multiple of CHAIN_STEP, which is returned. */
enum { CHAIN_STEP = 64 };
uint64_t chain_adds(uint64_t adds);
/* A second opinion: dependent 64-bit multiplies; MULTIPLY_CYCLES each on the CPUs named in docs/kernels.md. */
#ifdef __x86_64__
enum { MULTIPLY_CYCLES = 3 };
#else
enum { MULTIPLY_CYCLES = 0 }; /* AArch64: 2 to 5 by core, so there is no second opinion */
#endif
uint64_t chain_multiplies(uint64_t multiplies);

/* Put small exact numbers into `state`, so that `compute_expected` is exact for at least 100 iterations. */
void compute_prepare(const compute_kernel *kernel, compute_state *state);
/* What lane `lane` of accumulator `index` holds after `iterations` of a prepared state, by plain arithmetic. */
double compute_expected(const compute_kernel *kernel, const compute_state *before, int index, int lane,
                        uint64_t iterations);
/* 0: every lane of every accumulator is as expected after a few iterations, and after one. -1: the kernel computes
 * wrongly. */
int compute_prove(const compute_kernel *kernel);
/* 0: the kernel wrote (load: summed) what its pattern says over small arrays, and nothing outside them. */
int stream_prove(const stream_kernel *kernel);

#endif
