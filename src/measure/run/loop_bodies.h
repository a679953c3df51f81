/* Bodies of the loops of loops.h, included once a dtype and instruction set, with
 *   REAL     float or double        VECTOR_BYTES  of a vector          NAME(x)   the function's name here
 *   TARGET   the attribute that lets the compiler use the instruction set;  ISA, NEEDS  its name and features
 *   STORE_PAST(pointer, vector)  a store past the caches, pointer on a vector's boundary;  FENCE  after the last of
 * them; neither where the instruction set has none ADD_PRODUCT(sum, x, y)  of vectors, fused where the instruction set
 * can Several accumulators a sum: with one, the latency of an add would be measured, not the memory. */

#define LANES (VECTOR_BYTES / sizeof(REAL))
typedef REAL NAME(vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));
#define V NAME(vector)
#define AT(array, index) (*(const V *)((array) + (index)))
#define EIGHT(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

#define STORE_PLAIN(pointer, value) (*(V *)(pointer) = (value))
#define STREAM(name, STORE, END, vector_value, scalar_value)                                                           \
    TARGET static void NAME(name)(void *a_, const void *b_, const void *c_, double s_, size_t n) {                     \
        REAL *a = a_;                                                                                                  \
        const REAL *b = b_, *c = c_, s = (REAL)s_;                                                                     \
        size_t i = 0;                                                                                                  \
        (void)c, (void)s;                                                                                              \
        for (; i + 4 * LANES <= n; i += 4 * LANES) {                                                                   \
            V v0 = vector_value(i), v1 = vector_value(i + LANES), v2 = vector_value(i + 2 * LANES),                    \
              v3 = vector_value(i + 3 * LANES);                                                                        \
            STORE(a + i, v0);                                                                                          \
            STORE(a + i + LANES, v1);                                                                                  \
            STORE(a + i + 2 * LANES, v2);                                                                              \
            STORE(a + i + 3 * LANES, v3);                                                                              \
        }                                                                                                              \
        for (; i < n; i++)                                                                                             \
            a[i] = scalar_value;                                                                                       \
        END;                                                                                                           \
    }
#ifdef STORE_PAST
#define BOTH(name, vector_value, scalar_value)                                                                         \
    STREAM(name, STORE_PLAIN, (void)0, vector_value, scalar_value)                                                     \
    STREAM(name##_past, STORE_PAST, FENCE, vector_value, scalar_value)
#else
#define BOTH(name, vector_value, scalar_value) STREAM(name, STORE_PLAIN, (void)0, vector_value, scalar_value)
#endif

#define COPY_AT(i) AT(b, i)
#define SCALE_AT(i) (s * AT(b, i))
#define ADD_AT(i) (AT(b, i) + AT(c, i))
#define TRIAD_AT(i) (AT(b, i) + s * AT(c, i))
#define AXPY_AT(i) (AT(a, i) + s * AT(b, i))
BOTH(copy, COPY_AT, b[i])
BOTH(scale, SCALE_AT, s *b[i])
BOTH(add, ADD_AT, b[i] + c[i])
BOTH(triad, TRIAD_AT, b[i] + s * c[i])
STREAM(axpy, STORE_PLAIN, (void)0, AXPY_AT, a[i] + s * b[i])

/* Sums of a block are added up in f64: f32 keeps its digits, and a block is long enough to cost nothing. */
TARGET static double NAME(dot)(const void *x_, const void *y_, size_t n) {
    enum { BLOCK = 8192 };
    const REAL *x = x_, *y = y_;
    double sum = 0;
    for (size_t i = 0; i < n;) {
        size_t end = n - i > BLOCK ? i + BLOCK : n;
#define ZERO(k) V s##k = {0};
#define STEP(k) s##k = ADD_PRODUCT(s##k, AT(x, i + k * LANES), AT(y, i + k * LANES));
        EIGHT(ZERO)
        for (; i + 8 * LANES <= end; i += 8 * LANES) {
            EIGHT(STEP)
        }
        V all = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
        for (size_t k = 0; k < LANES; k++)
            sum += (double)all[k];
        for (; i < end; i++)
            sum += (double)(x[i] * y[i]);
    }
    return sum;
}

/* Four rows at once share the loads of x. */
TARGET static void NAME(gemv)(void *y_, const void *a_, const void *x_, size_t rows, size_t cols) {
    REAL *y = y_;
    const REAL *a = a_, *x = x_;
    size_t row = 0;
    for (; row + 4 <= rows; row += 4) {
        const REAL *r0 = a + row * cols, *r1 = r0 + cols, *r2 = r1 + cols, *r3 = r2 + cols;
        V s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};
        size_t i = 0;
        for (; i + 2 * LANES <= cols; i += 2 * LANES) {
            V x0 = AT(x, i), x1 = AT(x, i + LANES);
            s0 = ADD_PRODUCT(s0, AT(r0, i), x0);
            s1 = ADD_PRODUCT(s1, AT(r1, i), x0);
            s2 = ADD_PRODUCT(s2, AT(r2, i), x0);
            s3 = ADD_PRODUCT(s3, AT(r3, i), x0);
            t0 = ADD_PRODUCT(t0, AT(r0, i + LANES), x1);
            t1 = ADD_PRODUCT(t1, AT(r1, i + LANES), x1);
            t2 = ADD_PRODUCT(t2, AT(r2, i + LANES), x1);
            t3 = ADD_PRODUCT(t3, AT(r3, i + LANES), x1);
        }
        V sums[4] = {s0 + t0, s1 + t1, s2 + t2, s3 + t3};
        for (size_t k = 0; k < 4; k++) {
            REAL sum = 0;
            for (size_t lane = 0; lane < LANES; lane++)
                sum += sums[k][lane];
            for (size_t rest = i; rest < cols; rest++)
                sum += r0[k * cols + rest] * x[rest];
            y[row + k] = sum;
        }
    }
    for (; row < rows; row++)
        y[row] = (REAL)NAME(dot)(a + row * cols, x, cols);
}

TARGET static void NAME(spmv)(void *y_, const void *values_, const int32_t *columns, const int32_t *starts,
                              const void *x_, size_t from, size_t to) {
    REAL *y = y_;
    const REAL *values = values_, *x = x_;
    for (size_t row = from; row < to; row++) {
        int32_t at = starts[row], end = starts[row + 1];
        REAL s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (; at + 4 <= end; at += 4) {
            s0 += values[at] * x[columns[at]];
            s1 += values[at + 1] * x[columns[at + 1]];
            s2 += values[at + 2] * x[columns[at + 2]];
            s3 += values[at + 3] * x[columns[at + 3]];
        }
        for (; at < end; at++) {
            __asm__("" : "+r"(at)); /* rows are short: a vectorised rest costs more than it gains */
            s0 += values[at] * x[columns[at]];
        }
        y[row] = (s0 + s1) + (s2 + s3);
    }
}

TARGET static REAL NAME(stencil_site)(const stencil_line *line, size_t x) {
    REAL sum = 0;
    for (int p = 0; p < line->points; p++) {
        ptrdiff_t at = (ptrdiff_t)x + line->dx[p], last = (ptrdiff_t)line->nx - 1;
        at = at < 0 ? 0 : at > last ? last : at;
        sum += (REAL)line->weight[p] * ((const REAL *)line->at[p])[at];
    }
    return sum;
}

/* Sites by the ends of the line one by one, those between in four vectors at a time. Streaming stores start on a
 * boundary. Inlined with the number of points known, the pointers and weights of the usual stencils stay in registers.
 */
#define STENCIL(name, STORE, BOUNDARY, END)                                                                            \
    TARGET static inline __attribute__((__always_inline__)) void NAME(name##_of)(const stencil_line *line,             \
                                                                                 const int points) {                   \
        REAL *out = line->out;                                                                                         \
        const REAL *in[MOST_STENCIL_POINTS];                                                                           \
        V weight[MOST_STENCIL_POINTS];                                                                                 \
        size_t x = line->from, radius = (size_t)line->radius;                                                          \
        size_t last = line->nx > radius ? line->nx - radius : 0;                                                       \
        last = last < line->to ? last : line->to;                                                                      \
        for (int p = 0; p < points; p++) {                                                                             \
            in[p] = (const REAL *)line->at[p] + line->dx[p];                                                           \
            weight[p] = (V){0} + (REAL)line->weight[p];                                                                \
        }                                                                                                              \
        for (; x < line->to && (x < radius || ((uintptr_t)(out + x) & (BOUNDARY - 1))); x++)                           \
            out[x] = NAME(stencil_site)(line, x);                                                                      \
        size_t first = x;                                                                                              \
        for (; x + 4 * LANES <= last; x += 4 * LANES) {                                                                \
            V s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};                                                                  \
            for (int p = 0; p < points; p++) {                                                                         \
                s0 = ADD_PRODUCT(s0, weight[p], AT(in[p], x));                                                         \
                s1 = ADD_PRODUCT(s1, weight[p], AT(in[p], x + LANES));                                                 \
                s2 = ADD_PRODUCT(s2, weight[p], AT(in[p], x + 2 * LANES));                                             \
                s3 = ADD_PRODUCT(s3, weight[p], AT(in[p], x + 3 * LANES));                                             \
            }                                                                                                          \
            STORE(out + x, s0);                                                                                        \
            STORE(out + x + LANES, s1);                                                                                \
            STORE(out + x + 2 * LANES, s2);                                                                            \
            STORE(out + x + 3 * LANES, s3);                                                                            \
        }                                                                                                              \
        while (x < last) { /* the last vector may overlap the one before: the same numbers once more */                \
            if (x + LANES > last && (BOUNDARY > sizeof(REAL) || last < first + LANES))                                 \
                break;                                                                                                 \
            x = x + LANES > last ? last - LANES : x;                                                                   \
            V sum = {0};                                                                                               \
            for (int p = 0; p < points; p++)                                                                           \
                sum = ADD_PRODUCT(sum, weight[p], AT(in[p], x));                                                       \
            STORE(out + x, sum);                                                                                       \
            x += LANES;                                                                                                \
        }                                                                                                              \
        for (; x < line->to; x++)                                                                                      \
            out[x] = NAME(stencil_site)(line, x);                                                                      \
        END;                                                                                                           \
    }                                                                                                                  \
    TARGET static void NAME(name)(const stencil_line *line) {                                                          \
        switch (line->points) {                                                                                        \
        case 3:                                                                                                        \
            NAME(name##_of)(line, 3);                                                                                  \
            break;                                                                                                     \
        case 5:                                                                                                        \
            NAME(name##_of)(line, 5);                                                                                  \
            break;                                                                                                     \
        case 7:                                                                                                        \
            NAME(name##_of)(line, 7);                                                                                  \
            break;                                                                                                     \
        default:                                                                                                       \
            NAME(name##_of)(line, line->points);                                                                       \
        }                                                                                                              \
    }
STENCIL(stencil, STORE_PLAIN, sizeof(REAL), (void)0)
#ifdef STORE_PAST
STENCIL(stencil_past, STORE_PAST, VECTOR_BYTES, FENCE)
#endif

#ifdef STORE_PAST
#define PAST(name) NAME(name)
#else
#define PAST(name) NULL
#endif
static const loops NAME(row) = {
    .isa = ISA,
    .needs = NEEDS,
    .dtype = sizeof(REAL) == 8 ? ROOF_F64 : ROOF_F32,
    .stream = {NAME(copy), NAME(scale), NAME(add), NAME(triad), NAME(axpy)},
    .past_caches = {PAST(copy_past), PAST(scale_past), PAST(add_past), PAST(triad_past), NULL},
    .dot = NAME(dot),
    .gemv = NAME(gemv),
    .spmv = NAME(spmv),
    .stencil = NAME(stencil),
    .stencil_past = PAST(stencil_past),
};

#undef LANES
#undef V
#undef AT
#undef EIGHT
#undef STORE_PLAIN
#undef STREAM
#undef BOTH
#undef COPY_AT
#undef SCALE_AT
#undef ADD_AT
#undef TRIAD_AT
#undef AXPY_AT
#undef ZERO
#undef STEP
#undef STENCIL
#undef PAST
#undef ADD_PRODUCT
#undef REAL
#undef NAME
