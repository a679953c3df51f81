/* A BLAS found at run time, used with one thread a call: our own pinned threads call it side by side. */
#ifndef ROOFLINE_MEASURE_RUN_BLAS_H
#define ROOFLINE_MEASURE_RUN_BLAS_H

#include "roofline.h"

/* Fortran's interface, which every BLAS has; the last two are the lengths of the strings. */
typedef void blas_dgemm(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
                        const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
                        const double *beta, double *c, const int *ldc, size_t, size_t);
typedef void blas_sgemm(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
                        const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
                        const float *beta, float *c, const int *ldc, size_t, size_t);

typedef struct blas {
    void *library; /* NULL: none is open */
    char name[80]; /* "OpenBLAS 0.3.21 Zen"; the file's name where the library does not tell */
    blas_dgemm *dgemm;
    blas_sgemm *sgemm;
    void (*set_threads)(int threads); /* NULL: it has none of its own, or set_long is it */
    void (*set_long)(long threads);   /* BLIS */
    int threads;                      /* it had before */
} blas;

/* The names looked for, best first; NULL ends the list. */
const char *const *blas_names(void);
/* Open the first of `names` that has what is needed, and set it to one thread. */
int blas_open(const char *const *names, blas *out, roof_error *error);
void blas_close(blas *opened); /* gives its threads back */

/* Row-major C[m,n] = A[m,k] B[k,n], with rows of `ldb` and `ldc` elements; f64 or f32 by `dtype`. */
void blas_multiply(const blas *with, roof_dtype dtype, int m, int n, int k, const void *a, int lda, const void *b,
                   int ldb, void *c, int ldc);

#endif
