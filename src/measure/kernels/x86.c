/* The micro-kernels of x86-64: what each needs, computes and moves. Their code is in x86/. The tests read the assembled
 * loops back and compare them with these rows. */
#include <stddef.h>

/* A table made by macros: laid out by hand. */
/* clang-format off */

#include "measure/kernels/kernels.h"

/* x86/macros.inc has these offsets as numbers. */
_Static_assert(offsetof(compute_state, y) == 256 && offsetof(compute_state, accumulators) == 512 &&
               offsetof(compute_state, tiles) == 8704, "compute_state in x86/macros.inc");
_Static_assert(offsetof(stream_args, b) == 8 && offsetof(stream_args, c) == 16 && offsetof(stream_args, bytes) == 24 &&
               offsetof(stream_args, passes) == 32 && offsetof(stream_args, s) == 64 &&
               offsetof(stream_args, sum) == 128,
               "stream_args in x86/macros.inc");

#define AVX2 (FEATURE(AVX2) | FEATURE(FMA))

/* Name, isa, needs, pattern, dtype, result, lanes, terms, accumulators, times, FLOPs of an update of a lane */
#define COMPUTE(X)                                                                                                     \
    X(scalar_f64_add, "scalar", FEATURE(BASE), ADD, F64, F64, 1, 1, 12, 9, 1)                                          \
    X(scalar_f64_mul, "scalar", FEATURE(BASE), MUL, F64, F64, 1, 1, 12, 9, 1)                                          \
    X(scalar_f32_add, "scalar", FEATURE(BASE), ADD, F32, F32, 1, 1, 12, 9, 1)                                          \
    X(scalar_f32_mul, "scalar", FEATURE(BASE), MUL, F32, F32, 1, 1, 12, 9, 1)                                          \
    X(fma3_f64_fma, "fma3 scalar", FEATURE(FMA), FMA, F64, F64, 1, 1, 12, 9, 2)                                        \
    X(fma3_f32_fma, "fma3 scalar", FEATURE(FMA), FMA, F32, F32, 1, 1, 12, 9, 2)                                        \
    X(sse2_f64_add, "sse2", FEATURE(BASE), ADD, F64, F64, 2, 1, 12, 9, 1)                                              \
    X(sse2_f64_mul, "sse2", FEATURE(BASE), MUL, F64, F64, 2, 1, 12, 9, 1)                                              \
    X(sse2_f32_add, "sse2", FEATURE(BASE), ADD, F32, F32, 4, 1, 12, 9, 1)                                              \
    X(sse2_f32_mul, "sse2", FEATURE(BASE), MUL, F32, F32, 4, 1, 12, 9, 1)                                              \
    X(avx2_f64_fma, "avx2", AVX2, FMA, F64, F64, 4, 1, 12, 9, 2)                                                       \
    X(avx_f64_mul, "avx", FEATURE(AVX), MUL, F64, F64, 4, 1, 12, 9, 1)                                                 \
    X(avx_f64_add, "avx", FEATURE(AVX), ADD, F64, F64, 4, 1, 12, 9, 1)                                                 \
    X(avx2_f32_fma, "avx2", AVX2, FMA, F32, F32, 8, 1, 12, 9, 2)                                                       \
    X(avx_f32_mul, "avx", FEATURE(AVX), MUL, F32, F32, 8, 1, 12, 9, 1)                                                 \
    X(avx_f32_add, "avx", FEATURE(AVX), ADD, F32, F32, 8, 1, 12, 9, 1)                                                 \
    X(avx2_int8_dot, "avx2", AVX2, DOT, INT8, INT32, 8, 4, 8, 5, 8)                                                    \
    X(avx_vnni_int8_dot, "avx-vnni", AVX2 | FEATURE(AVX_VNNI), DOT, INT8, INT32, 8, 4, 14, 8, 8)                       \
    X(avx512_f64_fma, "avx512", FEATURE(AVX512), FMA, F64, F64, 8, 1, 24, 5, 2)                                        \
    X(avx512_f64_mul, "avx512", FEATURE(AVX512), MUL, F64, F64, 8, 1, 24, 5, 1)                                        \
    X(avx512_f64_add, "avx512", FEATURE(AVX512), ADD, F64, F64, 8, 1, 24, 5, 1)                                        \
    X(avx512_f64_mul_add, "avx512", FEATURE(AVX512), MUL_ADD, F64, F64, 8, 1, 24, 5, 1)                                \
    X(avx512_f64_fma_add, "avx512", FEATURE(AVX512), FMA_ADD, F64, F64, 8, 1, 24, 5, 1.5)                              \
    X(avx512_f32_fma, "avx512", FEATURE(AVX512), FMA, F32, F32, 16, 1, 24, 5, 2)                                       \
    X(avx512_f32_mul, "avx512", FEATURE(AVX512), MUL, F32, F32, 16, 1, 24, 5, 1)                                       \
    X(avx512_f32_add, "avx512", FEATURE(AVX512), ADD, F32, F32, 16, 1, 24, 5, 1)                                       \
    X(avx512_f32_mul_add, "avx512", FEATURE(AVX512), MUL_ADD, F32, F32, 16, 1, 24, 5, 1)                               \
    X(avx512_f32_fma_add, "avx512", FEATURE(AVX512), FMA_ADD, F32, F32, 16, 1, 24, 5, 1.5)                             \
    X(avx512_fp16_f16_fma, "avx512-fp16", FEATURE(AVX512) | FEATURE(AVX512_FP16), FMA, F16, F16, 32, 1, 24, 5, 2)      \
    X(avx512_fp16_f16_mul, "avx512-fp16", FEATURE(AVX512) | FEATURE(AVX512_FP16), MUL, F16, F16, 32, 1, 24, 5, 1)      \
    X(avx512_fp16_f16_add, "avx512-fp16", FEATURE(AVX512) | FEATURE(AVX512_FP16), ADD, F16, F16, 32, 1, 24, 5, 1)      \
    X(avx512_bf16_dot, "avx512-bf16", FEATURE(AVX512) | FEATURE(AVX512_BF16), DOT, BF16, F32, 16, 2, 28, 4, 4)         \
    X(avx512_vnni_int8_dot, "avx512-vnni", FEATURE(AVX512) | FEATURE(AVX512_VNNI), DOT, INT8, INT32, 16, 4, 24, 5, 8)  \
    X(avx512_int8_dot, "avx512", FEATURE(AVX512), DOT, INT8, INT32, 16, 4, 8, 5, 8)

/* Mixes of unequal parts. Name, isa, needs, pattern, dtype, lanes; FLOPs of an FMA or MUL; accumulators and times of
 * these, then of ADDs */
#define MIXES(X)                                                                                                       \
    X(scalar_f64_mul_add, "scalar", FEATURE(BASE), MUL_ADD, F64, 1, 1, 8, 7, 7, 8)                                     \
    X(scalar_f32_mul_add, "scalar", FEATURE(BASE), MUL_ADD, F32, 1, 1, 8, 7, 7, 8)                                     \
    X(sse2_f64_mul_add, "sse2", FEATURE(BASE), MUL_ADD, F64, 2, 1, 8, 7, 7, 8)                                         \
    X(sse2_f32_mul_add, "sse2", FEATURE(BASE), MUL_ADD, F32, 4, 1, 8, 7, 7, 8)                                         \
    X(avx_f64_mul_add, "avx", FEATURE(AVX), MUL_ADD, F64, 4, 1, 8, 7, 7, 8)                                            \
    X(avx_f32_mul_add, "avx", FEATURE(AVX), MUL_ADD, F32, 8, 1, 8, 7, 7, 8)                                            \
    X(avx2_f64_fma_add, "avx2", AVX2, FMA_ADD, F64, 4, 2, 9, 8, 6, 12)                                                 \
    X(avx2_f32_fma_add, "avx2", AVX2, FMA_ADD, F32, 8, 2, 9, 8, 6, 12)                                                 \
    X(avx2_f64_fma2_add, "avx2", AVX2, FMA_ADD, F64, 4, 2, 10, 8, 5, 8)                                                \
    X(avx2_f32_fma2_add, "avx2", AVX2, FMA_ADD, F32, 8, 2, 10, 8, 5, 8)

/* AMX: name, needs, dtype, result, terms */
#define TILES(X)                                                                                                       \
    X(amx_bf16_dot, "amx-bf16", FEATURE(AMX_BF16), BF16, F32, 32)                                                      \
    X(amx_int8_dot, "amx-int8", FEATURE(AMX_INT8), INT8, INT32, 64)

/* STREAMS(X): isa, needs, step */
#define STREAMS(X)                                                                                                     \
    X(sse2, FEATURE(BASE), 512)                                                                                        \
    X(avx2, AVX2, 1024)                                                                                                \
    X(avx512, FEATURE(AVX512), 1024)

#define DECLARE(name, ...) void kernel_##name(compute_state *state, uint64_t iterations);
COMPUTE(DECLARE)
MIXES(DECLARE)
TILES(DECLARE)

#define DECLARE_STREAM(name) void kernel_##name(stream_args *args);
#define DECLARE_STREAMS(isa, needs, step)                                                                              \
    DECLARE_STREAM(isa##_load) DECLARE_STREAM(isa##_load_only)                                                         \
    DECLARE_STREAM(isa##_store) DECLARE_STREAM(isa##_copy) DECLARE_STREAM(isa##_triad)                                 \
    DECLARE_STREAM(isa##_update)                                                                                       \
    DECLARE_STREAM(isa##_store_nt) DECLARE_STREAM(isa##_copy_nt) DECLARE_STREAM(isa##_triad_nt)
STREAMS(DECLARE_STREAMS)

#define COMPUTE_ROW(name_, isa_, needs_, pattern_, dtype_, result_, lanes_, terms_, accumulators_, times_, flops_)     \
    {.name = #name_, .isa = isa_, .needs = needs_, .pattern = ROOF_PATTERN_##pattern_, .unit = ROOF_VECTOR,            \
     .dtype = ROOF_##dtype_, .result = ROOF_##result_, .flops = flops_ * lanes_ * accumulators_ * times_,              \
     .accumulators = accumulators_, .times = times_, .lanes = lanes_, .terms = terms_, .run = kernel_##name_},

#define MIX_ROW(name_, isa_, needs_, pattern_, dtype_, lanes_, flops_, firsts_, times_, adds_, add_times_)             \
    {.name = #name_, .isa = isa_, .needs = needs_, .pattern = ROOF_PATTERN_##pattern_, .unit = ROOF_VECTOR,            \
     .dtype = ROOF_##dtype_, .result = ROOF_##dtype_,                                                                  \
     .flops = lanes_ * (flops_ * firsts_ * times_ + adds_ * add_times_), .accumulators = firsts_ + adds_,              \
     .times = times_, .lanes = lanes_, .terms = 1, .adds = adds_, .add_times = add_times_, .run = kernel_##name_},

#define TILE_ROW(name_, isa_, needs_, dtype_, result_, terms_)                                                         \
    {.name = #name_, .isa = isa_, .needs = needs_, .pattern = ROOF_PATTERN_DOT, .unit = ROOF_MATRIX,                   \
     .dtype = ROOF_##dtype_, .result = ROOF_##result_, .flops = 2.0 * terms_ * 256 * 6 * 20, .accumulators = 6,        \
     .times = 20, .lanes = 256, .terms = terms_, .columns = TILE_COLUMNS, .run = kernel_##name_},

static const compute_kernel compute_table[] = {COMPUTE(COMPUTE_ROW) MIXES(MIX_ROW) TILES(TILE_ROW)};

#define STREAM_ROW(isa_, suffix_, needs_, step_, pattern_, arrays_, flops_, moved_, sums_)                             \
    {.name = #isa_ "_" #suffix_, .isa = #isa_, .needs = needs_, .pattern = ROOF_PATTERN_##pattern_, .arrays = arrays_, \
     .step = step_, .flops = flops_, .moved = moved_, .sums = sums_, .run = kernel_##isa_##_##suffix_},

#define STREAM_ROWS(isa, needs, step)                                                                                  \
    STREAM_ROW(isa, load, needs, step, LOAD, 1, 0, 1, true)                                                            \
    STREAM_ROW(isa, load_only, needs, step, LOAD, 1, 0, 1, false)                                                      \
    STREAM_ROW(isa, store, needs, step, STORE, 1, 0, 2, false)                                                         \
    STREAM_ROW(isa, copy, needs, step, COPY, 2, 0, 1.5, false)                                                         \
    STREAM_ROW(isa, triad, needs, step, TRIAD, 3, 0.25, 4.0 / 3, false)                                                \
    STREAM_ROW(isa, update, needs, step, UPDATE, 1, 0.125, 1, false)                                                   \
    STREAM_ROW(isa, store_nt, needs, step, STORE_NT, 1, 0, 1, false)                                                   \
    STREAM_ROW(isa, copy_nt, needs, step, COPY_NT, 2, 0, 1, false)                                                     \
    STREAM_ROW(isa, triad_nt, needs, step, TRIAD_NT, 3, 0.25, 1, false)

static const stream_kernel stream_table[] = {STREAMS(STREAM_ROWS)};

const compute_kernel *compute_kernel_at(size_t index) {
    return index < sizeof compute_table / sizeof *compute_table ? &compute_table[index] : NULL;
}

const stream_kernel *stream_kernel_at(size_t index) {
    return index < sizeof stream_table / sizeof *stream_table ? &stream_table[index] : NULL;
}

int vector_bytes(const compute_kernel *kernel) {
    return kernel->lanes * (kernel->result == ROOF_F64 ? 8 : kernel->result == ROOF_F16 ? 2 : 4);
}
