/* Streams in scalable vectors: eight an iteration while there are eight, then one after another, so that any length of
 * vector fits. x0 = stream_args; x1, x2, x3 = places in a, b, c; x4 = 8-byte words left in this pass; x5 = passes left;
 * x6 = words in eight vectors; x7 = words done of the rest. */
#include "macros.inc"

/* The loop over passes and over the arrays: `\body\()_eight` does eight vectors, `\body\()_one` what predicate p1 says. */
.macro passes body
    ptrue p0.d
    cntd x6, all, mul #8
    ldr x5, [x0, #ARGS_PASSES]
1:
    ldp x1, x2, [x0, #ARGS_A]
    ldp x3, x4, [x0, #ARGS_C]
    lsr x4, x4, #3
    subs x4, x4, x6
    b.lo 3f
    .balign 64
2:
    \body\()_eight
    incb x1, all, mul #8
    incb x2, all, mul #8
    incb x3, all, mul #8
    subs x4, x4, x6
    b.hs 2b
3:
    adds x4, x4, x6
    b.eq 5f
    mov x7, #0
    whilelo p1.d, x7, x4
4:
    \body\()_one
    incd x7
    whilelo p1.d, x7, x4
    b.mi 4b
5:
    subs x5, x5, #1
    b.ne 1b
.endm

.macro vector_load n, at
    ld1d {z\n\().d}, p0/z, [\at, #\n, mul vl]
.endm

.macro vector_store n, at
    st1d {z\n\().d}, p0, [\at, #\n, mul vl]
.endm

.macro vector_fill n, at
    st1d {z31.d}, p0, [\at, #\n, mul vl]
.endm

.macro load_eight
    eight vector_load, x1
    add z16.d, z16.d, z0.d
    add z17.d, z17.d, z1.d
    add z18.d, z18.d, z2.d
    add z19.d, z19.d, z3.d
    add z20.d, z20.d, z4.d
    add z21.d, z21.d, z5.d
    add z22.d, z22.d, z6.d
    add z23.d, z23.d, z7.d
.endm

.macro load_one
    ld1d {z0.d}, p1/z, [x1, x7, lsl #3] /* zero past the end */
    add z16.d, z16.d, z0.d
.endm

.macro store_eight
    eight vector_fill, x1
.endm

.macro store_one
    st1d {z31.d}, p1, [x1, x7, lsl #3]
.endm

.macro copy_eight
    eight vector_load, x2
    eight vector_store, x1
.endm

.macro copy_one
    ld1d {z0.d}, p1/z, [x2, x7, lsl #3]
    st1d {z0.d}, p1, [x1, x7, lsl #3]
.endm

.macro vector_triad n, at
    ld1d {z16.d}, p0/z, [\at, #\n, mul vl]
    fmla z\n\().d, p0/m, z16.d, z31.d
.endm

.macro triad_eight
    eight vector_load, x2
    eight vector_triad, x3
    eight vector_store, x1
.endm

.macro triad_one
    ld1d {z0.d}, p1/z, [x2, x7, lsl #3]
    ld1d {z16.d}, p1/z, [x3, x7, lsl #3]
    fmla z0.d, p1/m, z16.d, z31.d
    st1d {z0.d}, p1, [x1, x7, lsl #3]
.endm

.macro vector_update n, at
    ld1d {z\n\().d}, p0/z, [\at, #\n, mul vl]
    fmul z\n\().d, z\n\().d, z31.d
.endm

.macro update_eight
    eight vector_update, x1
    eight vector_store, x1
.endm

.macro update_one
    ld1d {z0.d}, p1/z, [x1, x7, lsl #3]
    fmul z0.d, z0.d, z31.d
    st1d {z0.d}, p1, [x1, x7, lsl #3]
.endm

.macro clear_sum
    add x6, x0, #ARGS_SUM
    .irp offset, 0, 32, 64, 96, 128, 160, 192, 224
    stp xzr, xzr, [x6, #\offset]
    stp xzr, xzr, [x6, #\offset + 16]
    .endr
.endm

    function arm64_sve_load
    .irp z, z16, z17, z18, z19, z20, z21, z22, z23
    mov \z\().d, #0
    .endr
    passes load
    clear_sum
    .irp z, z17, z18, z19, z20, z21, z22, z23
    add z16.d, z16.d, \z\().d
    .endr
    st1d {z16.d}, p0, [x6]
    end_function arm64_sve_load

/* Without the sums, where adding might cost: the last vector is kept. */
.macro load_only_eight
    eight vector_load, x1
.endm

.macro load_only_one
    ld1d {z7.d}, p1/z, [x1, x7, lsl #3]
.endm

    function arm64_sve_load_only
    passes load_only
    clear_sum
    st1d {z7.d}, p0, [x6]
    end_function arm64_sve_load_only

/* The value to store, or the factor, is in every lane of 31. */
.macro with_value name, body
    function \name
    ldr d31, [x0, #ARGS_S]
    mov z31.d, d31
    passes \body
    end_function \name
.endm

    with_value arm64_sve_store, store
    with_value arm64_sve_copy, copy
    with_value arm64_sve_triad, triad
    with_value arm64_sve_update, update
