/* Scalar floating point. */
#include "macros.inc"

.macro scalar_fma op, n, result, operand
    \op \result\()\n, \operand\()24, \operand\()25, \result\()\n
.endm

.macro scalar_own op, n, result, operand
    \op \result\()\n, \result\()\n, \operand\()24
.endm

.macro scalar_move op, result
    .ifc \op, ldr
    ldr \result\()24, [x0]
    ldr \result\()25, [x2]
    .endif
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
    .ifc \result, d
    \op \result\()\n, [x3, #\n * 8]
    .else
    \op \result\()\n, [x3, #\n * 4]
    .endif
    .endr
.endm

    compute arm64_scalar_f64_fma, scalar, fma, fmadd, fma, fmadd, d, d
    compute arm64_scalar_f64_mul, scalar, own, fmul, own, fmul, d, d
    compute arm64_scalar_f64_add, scalar, own, fadd, own, fadd, d, d
    compute arm64_scalar_f32_fma, scalar, fma, fmadd, fma, fmadd, s, s
    compute arm64_scalar_f32_mul, scalar, own, fmul, own, fmul, s, s
    compute arm64_scalar_f32_add, scalar, own, fadd, own, fadd, s, s
