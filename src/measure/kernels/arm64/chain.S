/* Dependent integer chains. x0 = how many, a multiple of CHAIN_STEP (64) and not 0; the result counts them. */
#include "macros.inc"

    function arm64_chain_adds
    mov x1, #1
    mov x2, x0
    mov x0, #0
    .balign 64
1:
    .rept 64
    add x0, x0, x1
    .endr
    subs x2, x2, #64
    b.ne 1b
    end_function arm64_chain_adds

/* Odd powers of a number that is its own inverse modulo 2^64: the product says whether the count was even. */
    function arm64_chain_multiplies
    mov x1, #0x7fffffffffffffff
    mov x2, x0
    mov x3, #1
    .balign 64
1:
    .rept 64
    mul x3, x3, x1
    .endr
    subs x2, x2, #64
    b.ne 1b
    mul x0, x0, x3
    end_function arm64_chain_multiplies
