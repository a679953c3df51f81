/* The micro-kernels of AArch64 as data: scalar code, NEON and its extensions, SVE of any length. Code: arm64/. */
#include <stddef.h>

#include "measure/kernels/kernels.h"

/* Offsets that arm64/macros.inc knows. */
_Static_assert(offsetof(compute_state, x) == 0 && offsetof(compute_state, y) == 256, "STATE_Y");
_Static_assert(offsetof(compute_state, accumulators) == 512, "STATE_ACCUMULATORS");
_Static_assert(offsetof(stream_args, a) == 0 && offsetof(stream_args, b) == 8 && offsetof(stream_args, c) == 16,
               "ARGS_A");
_Static_assert(offsetof(stream_args, bytes) == 24 && offsetof(stream_args, passes) == 32, "ARGS_BYTES");
_Static_assert(offsetof(stream_args, s) == 64 && offsetof(stream_args, sum) == 128, "ARGS_S");

enum { ACCUMULATORS = 24, ROUNDS = 4, UPDATES = ACCUMULATORS * ROUNDS };

/* Every kernel: its assembly, what it needs, unit, types, FLOPs of one instruction, result lanes, terms, columns. FLOPs
 * and lanes of SVE stand for 16 bytes; its lanes are given as 0. A mix of FMA and ADD counts 2 and 1 in turn: 1.5 a
 * lane. */
#define COMPUTE_KERNELS(K)                                                                                             \
    K(scalar, f64_fma, BASE, FMA, VECTOR, F64, F64, 2, 1, 1, 0)                                                        \
    K(scalar, f64_mul, BASE, MUL, VECTOR, F64, F64, 1, 1, 1, 0)                                                        \
    K(scalar, f64_add, BASE, ADD, VECTOR, F64, F64, 1, 1, 1, 0)                                                        \
    K(scalar, f32_fma, BASE, FMA, VECTOR, F32, F32, 2, 1, 1, 0)                                                        \
    K(scalar, f32_mul, BASE, MUL, VECTOR, F32, F32, 1, 1, 1, 0)                                                        \
    K(scalar, f32_add, BASE, ADD, VECTOR, F32, F32, 1, 1, 1, 0)                                                        \
    K(neon, f64_fma, BASE, FMA, VECTOR, F64, F64, 4, 2, 1, 0)                                                          \
    K(neon, f64_mul, BASE, MUL, VECTOR, F64, F64, 2, 2, 1, 0)                                                          \
    K(neon, f64_add, BASE, ADD, VECTOR, F64, F64, 2, 2, 1, 0)                                                          \
    K(neon, f64_mul_add, BASE, MUL_ADD, VECTOR, F64, F64, 2, 2, 1, 0)                                                  \
    K(neon, f64_fma_add, BASE, FMA_ADD, VECTOR, F64, F64, 3, 2, 1, 0)                                                  \
    K(neon, f32_fma, BASE, FMA, VECTOR, F32, F32, 8, 4, 1, 0)                                                          \
    K(neon, f32_mul, BASE, MUL, VECTOR, F32, F32, 4, 4, 1, 0)                                                          \
    K(neon, f32_add, BASE, ADD, VECTOR, F32, F32, 4, 4, 1, 0)                                                          \
    K(neon, f32_mul_add, BASE, MUL_ADD, VECTOR, F32, F32, 4, 4, 1, 0)                                                  \
    K(neon, f32_fma_add, BASE, FMA_ADD, VECTOR, F32, F32, 6, 4, 1, 0)                                                  \
    K(neon, f16_fma, FP16, FMA, VECTOR, F16, F16, 16, 8, 1, 0)                                                         \
    K(neon, f16_mul, FP16, MUL, VECTOR, F16, F16, 8, 8, 1, 0)                                                          \
    K(neon, f16_add, FP16, ADD, VECTOR, F16, F16, 8, 8, 1, 0)                                                          \
    K(neon, bf16_dot, BF16, DOT, VECTOR, BF16, F32, 16, 4, 2, 0)                                                       \
    K(neon, bf16_matrix, BF16, DOT, MATRIX, BF16, F32, 32, 4, 4, 2)                                                    \
    K(neon, int8_dot, DOTPROD, DOT, VECTOR, INT8, INT32, 32, 4, 4, 0)                                                  \
    K(neon, int8_matrix, I8MM, DOT, MATRIX, INT8, INT32, 64, 4, 8, 2)                                                  \
    K(sve, f64_fma, SVE, FMA, VECTOR, F64, F64, 4, 0, 1, 0)                                                            \
    K(sve, f64_mul, SVE, MUL, VECTOR, F64, F64, 2, 0, 1, 0)                                                            \
    K(sve, f64_add, SVE, ADD, VECTOR, F64, F64, 2, 0, 1, 0)                                                            \
    K(sve, f64_fma_add, SVE, FMA_ADD, VECTOR, F64, F64, 3, 0, 1, 0)                                                    \
    K(sve, f32_fma, SVE, FMA, VECTOR, F32, F32, 8, 0, 1, 0)                                                            \
    K(sve, f32_mul, SVE, MUL, VECTOR, F32, F32, 4, 0, 1, 0)                                                            \
    K(sve, f32_add, SVE, ADD, VECTOR, F32, F32, 4, 0, 1, 0)                                                            \
    K(sve, f32_fma_add, SVE, FMA_ADD, VECTOR, F32, F32, 6, 0, 1, 0)                                                    \
    K(sve, f16_fma, SVE, FMA, VECTOR, F16, F16, 16, 0, 1, 0)                                                           \
    K(sve, f16_mul, SVE, MUL, VECTOR, F16, F16, 8, 0, 1, 0)                                                            \
    K(sve, f16_add, SVE, ADD, VECTOR, F16, F16, 8, 0, 1, 0)                                                            \
    K(sve, bf16_dot, SVE_BF16, DOT, VECTOR, BF16, F32, 16, 0, 2, 0)                                                    \
    K(sve, bf16_matrix, SVE_BF16, DOT, MATRIX, BF16, F32, 32, 0, 4, 2)                                                 \
    K(sve, int8_dot, SVE, DOT, VECTOR, INT8, INT32, 32, 0, 4, 0)                                                       \
    K(sve, int8_matrix, SVE_I8MM, DOT, MATRIX, INT8, INT32, 64, 0, 8, 2)

#define DECLARE(set, what, ...) void arm64_##set##_##what(compute_state *state, uint64_t iterations);
COMPUTE_KERNELS(DECLARE)

#define ROW(set, what, feature, pattern_, unit_, from, to, of_one, lanes_, terms_, columns_)                           \
    {.name = #set "_" #what,                                                                                           \
     .isa = #set,                                                                                                      \
     .needs = FEATURE(feature),                                                                                        \
     .pattern = ROOF_PATTERN_##pattern_,                                                                               \
     .unit = ROOF_##unit_,                                                                                             \
     .dtype = ROOF_##from,                                                                                             \
     .result = ROOF_##to,                                                                                              \
     .flops = of_one * UPDATES,                                                                                        \
     .accumulators = ACCUMULATORS,                                                                                     \
     .times = ROUNDS,                                                                                                  \
     .lanes = lanes_,                                                                                                  \
     .terms = terms_,                                                                                                  \
     .columns = columns_,                                                                                              \
     .run = arm64_##set##_##what},
static const compute_kernel compute_kernels[] = {COMPUTE_KERNELS(ROW)};

/* Streams: the set, the pattern, arrays, FLOPs a byte of one array (of F64, eight bytes: triad two, update one).
 * `moved` is 1: what cores of this architecture read before they write is not known, and 1 is the least
 * (docs/kernels.md). */
#define STREAM_KERNELS(K)                                                                                              \
    K(neon, load, BASE, LOAD, 1, 0, true)                                                                              \
    K(neon, load_only, BASE, LOAD, 1, 0, false)                                                                        \
    K(neon, store, BASE, STORE, 1, 0, false)                                                                           \
    K(neon, copy, BASE, COPY, 2, 0, false)                                                                             \
    K(neon, triad, BASE, TRIAD, 3, 0.25, false)                                                                        \
    K(neon, update, BASE, UPDATE, 1, 0.125, false)                                                                     \
    K(neon, store_nt, BASE, STORE_NT, 1, 0, false)                                                                     \
    K(neon, copy_nt, BASE, COPY_NT, 2, 0, false)                                                                       \
    K(neon, triad_nt, BASE, TRIAD_NT, 3, 0.25, false)                                                                  \
    K(sve, load, SVE, LOAD, 1, 0, true)                                                                                \
    K(sve, load_only, SVE, LOAD, 1, 0, false)                                                                          \
    K(sve, store, SVE, STORE, 1, 0, false)                                                                             \
    K(sve, copy, SVE, COPY, 2, 0, false)                                                                               \
    K(sve, triad, SVE, TRIAD, 3, 0.25, false)                                                                          \
    K(sve, update, SVE, UPDATE, 1, 0.125, false)

/* SVE: whole vectors of every power of two; an array of any other length ends in a part of one. */
enum { STEP_neon = 256, STEP_sve = 1024 };

#define DECLARE_STREAM(set, what, ...) void arm64_##set##_##what(stream_args *args);
STREAM_KERNELS(DECLARE_STREAM)

#define STREAM_ROW(set, what, feature, pattern_, arrays_, flops_, sums_)                                               \
    {.name = #set "_" #what,                                                                                           \
     .isa = #set,                                                                                                      \
     .needs = FEATURE(feature),                                                                                        \
     .pattern = ROOF_PATTERN_##pattern_,                                                                               \
     .arrays = arrays_,                                                                                                \
     .step = STEP_##set,                                                                                               \
     .flops = flops_,                                                                                                  \
     .moved = 1,                                                                                                       \
     .sums = sums_,                                                                                                    \
     .run = arm64_##set##_##what},
static const stream_kernel stream_kernels[] = {STREAM_KERNELS(STREAM_ROW)};

int arm64_sve_bytes(void);
uint64_t arm64_chain_adds(uint64_t adds);
uint64_t arm64_chain_multiplies(uint64_t multiplies);

const compute_kernel *compute_kernel_at(size_t index) {
    return index < sizeof compute_kernels / sizeof *compute_kernels ? &compute_kernels[index] : NULL;
}

const stream_kernel *stream_kernel_at(size_t index) {
    return index < sizeof stream_kernels / sizeof *stream_kernels ? &stream_kernels[index] : NULL;
}

int vector_bytes(const compute_kernel *kernel) {
    return kernel->lanes != 0 ? kernel->lanes * (int)roof_dtype_bytes(kernel->result) : arm64_sve_bytes();
}

static uint64_t whole_steps(uint64_t count) {
    return (count + CHAIN_STEP - 1) / CHAIN_STEP * CHAIN_STEP;
}

uint64_t chain_adds(uint64_t adds) {
    return adds == 0 ? 0 : arm64_chain_adds(whole_steps(adds));
}

uint64_t chain_multiplies(uint64_t multiplies) {
    return multiplies == 0 ? 0 : arm64_chain_multiplies(whole_steps(multiplies));
}
