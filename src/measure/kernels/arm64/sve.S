/* Scalable vectors: the same code for every length. */
#include "macros.inc"

.macro sve_fma op, n, result, operand
    \op z\n\().\result, p0/m, z24.\operand, z25.\operand
.endm

.macro sve_dot op, n, result, operand
    \op z\n\().\result, z24.\operand, z25.\operand
.endm

.macro sve_own op, n, result, operand
    \op z\n\().\result, z\n\().\result, z24.\operand
.endm

.macro sve_move op, result
    .ifc \op, ldr
    ptrue p0.b
    ldr z24, [x0]
    ldr z25, [x2]
    .endif
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
    \op z\n, [x3, #\n, mul vl]
    .endr
.endm

    compute arm64_sve_f64_fma, sve, fma, fmla, fma, fmla, d, d
    compute arm64_sve_f64_mul, sve, own, fmul, own, fmul, d, d
    compute arm64_sve_f64_add, sve, own, fadd, own, fadd, d, d
    compute arm64_sve_f64_fma_add, sve, fma, fmla, own, fadd, d, d
    compute arm64_sve_f32_fma, sve, fma, fmla, fma, fmla, s, s
    compute arm64_sve_f32_mul, sve, own, fmul, own, fmul, s, s
    compute arm64_sve_f32_add, sve, own, fadd, own, fadd, s, s
    compute arm64_sve_f32_fma_add, sve, fma, fmla, own, fadd, s, s
    compute arm64_sve_f16_fma, sve, fma, fmla, fma, fmla, h, h
    compute arm64_sve_f16_mul, sve, own, fmul, own, fmul, h, h
    compute arm64_sve_f16_add, sve, own, fadd, own, fadd, h, h
    compute arm64_sve_bf16_dot, sve, dot, bfdot, dot, bfdot, s, h
    compute arm64_sve_bf16_matrix, sve, dot, bfmmla, dot, bfmmla, s, h
    compute arm64_sve_int8_dot, sve, dot, sdot, dot, sdot, s, b
    compute arm64_sve_int8_matrix, sve, dot, smmla, dot, smmla, s, b

/* int arm64_sve_bytes(void): the length of a vector. */
    function arm64_sve_bytes
    rdvl x0, #1
    end_function arm64_sve_bytes
