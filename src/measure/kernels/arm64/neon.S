/* 128-bit vectors: NEON, and its half-precision, dot product, BF16 and matrix extensions. */
#include "macros.inc"

.macro neon_fma op, n, result, operand
    \op v\n\().\result, v24.\operand, v25.\operand
.endm

.macro neon_own op, n, result, operand
    \op v\n\().\result, v\n\().\result, v24.\operand
.endm

/* Half precision, by its codes: no `.arch` makes clang 14 take the names. Register 24 is x, 25 is y. */
#define FMLA_8H 0x4e590f00 /* fmla v0.8h, v24.8h, v25.8h */
#define FMUL_8H 0x6e581c00 /* fmul v0.8h, v0.8h, v24.8h */
#define FADD_8H 0x4e581400 /* fadd v0.8h, v0.8h, v24.8h */

.macro neon_fma_code code, n, result, operand
    .inst \code + \n
.endm

.macro neon_own_code code, n, result, operand
    .inst \code + \n * 33
.endm

.macro neon_move op, result
    .ifc \op, ldr
    ldr q24, [x0]
    ldr q25, [x2]
    .endif
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
    \op q\n, [x3, #\n * 16]
    .endr
.endm

    compute arm64_neon_f64_fma, neon, fma, fmla, fma, fmla, 2d, 2d
    compute arm64_neon_f64_mul, neon, own, fmul, own, fmul, 2d, 2d
    compute arm64_neon_f64_add, neon, own, fadd, own, fadd, 2d, 2d
    compute arm64_neon_f64_mul_add, neon, own, fmul, own, fadd, 2d, 2d
    compute arm64_neon_f64_fma_add, neon, fma, fmla, own, fadd, 2d, 2d
    compute arm64_neon_f32_fma, neon, fma, fmla, fma, fmla, 4s, 4s
    compute arm64_neon_f32_mul, neon, own, fmul, own, fmul, 4s, 4s
    compute arm64_neon_f32_add, neon, own, fadd, own, fadd, 4s, 4s
    compute arm64_neon_f32_mul_add, neon, own, fmul, own, fadd, 4s, 4s
    compute arm64_neon_f32_fma_add, neon, fma, fmla, own, fadd, 4s, 4s
    compute arm64_neon_f16_fma, neon, fma_code, FMLA_8H, fma_code, FMLA_8H, 8h, 8h
    compute arm64_neon_f16_mul, neon, own_code, FMUL_8H, own_code, FMUL_8H, 8h, 8h
    compute arm64_neon_f16_add, neon, own_code, FADD_8H, own_code, FADD_8H, 8h, 8h
    compute arm64_neon_bf16_dot, neon, fma, bfdot, fma, bfdot, 4s, 8h
    compute arm64_neon_bf16_matrix, neon, fma, bfmmla, fma, bfmmla, 4s, 8h
    compute arm64_neon_int8_dot, neon, fma, sdot, fma, sdot, 4s, 16b
    compute arm64_neon_int8_matrix, neon, fma, smmla, fma, smmla, 4s, 16b
