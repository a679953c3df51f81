/* A pretended CUDA driver (fake_cuda.c): what a test sets and reads. The test finds it in the library as "fake_cuda".
 */
#ifndef ROOFLINE_TESTS_FAKE_CUDA_H
#define ROOFLINE_TESTS_FAKE_CUDA_H

enum {
    FAKE_F32,
    FAKE_F64,
    FAKE_F16,
    FAKE_INT32,
    FAKE_DOT,
    FAKE_BF16_TILE,
    FAKE_F16_TILE,
    FAKE_HALF_TILE,
    FAKE_TF32_TILE,
    FAKE_F64_TILE,
    FAKE_INT8_TILE,
    FAKE_FP8_TILE,
    FAKE_CLASSES
};

typedef struct fake_cuda_state {
    int devices, capability;     /* 10 * major + minor */
    long fail_at;                /* the call after so many fails, and all later ones but frees; 0: none */
    long calls;                  /* made so far, frees not counted */
    int wrong;                   /* 1 + class of arithmetic whose results are off by one; 0: none */
    int lying_events;            /* events say a thousandth of the time */
    int bad_ptx;                 /* modules that hold an mma do not load */
    double clock;                /* seconds, moved by launches and copies alone */
    double rate[FAKE_CLASSES];   /* FLOPs or operations a second */
    double memory, shared, link; /* bytes a second */
    double launch;               /* seconds a launch costs besides */
    long contexts, modules, buffers, pinned, events; /* alive */
    char complaint[200];                             /* what was called wrongly; "" */
} fake_cuda_state;
extern fake_cuda_state fake_cuda;

#endif
