/* Streams in 128-bit vectors, two to an instruction, 256 bytes of each array an iteration.
 * x0 = stream_args; x1, x2, x3 = places in a, b, c; x4 = bytes left in this pass; x5 = passes left. */
#include "macros.inc"

/* The loop over passes and over the arrays; `body` does 128 bytes from an offset on. */
.macro passes body, op
    ldr x5, [x0, #ARGS_PASSES]
1:
    ldp x1, x2, [x0, #ARGS_A]
    ldp x3, x4, [x0, #ARGS_C]
    .balign 64
2:
    \body \op, 0
    \body \op, 128
    add x1, x1, #256
    add x2, x2, #256
    add x3, x3, #256
    subs x4, x4, #256
    b.ne 2b
    subs x5, x5, #1
    b.ne 1b
.endm

/* Vectors 0 to 7 (low) or 16 to 23 (high), from or to [at + offset]. */
.macro low op, at, offset
    \op q0, q1, [\at, #\offset]
    \op q2, q3, [\at, #\offset + 32]
    \op q4, q5, [\at, #\offset + 64]
    \op q6, q7, [\at, #\offset + 96]
.endm

.macro high op, at, offset
    \op q16, q17, [\at, #\offset]
    \op q18, q19, [\at, #\offset + 32]
    \op q20, q21, [\at, #\offset + 64]
    \op q22, q23, [\at, #\offset + 96]
.endm

.macro load_body op, offset
    low \op, x1, \offset
    add v16.2d, v16.2d, v0.2d
    add v17.2d, v17.2d, v1.2d
    add v18.2d, v18.2d, v2.2d
    add v19.2d, v19.2d, v3.2d
    add v20.2d, v20.2d, v4.2d
    add v21.2d, v21.2d, v5.2d
    add v22.2d, v22.2d, v6.2d
    add v23.2d, v23.2d, v7.2d
.endm

.macro triad_body op, offset
    low ldp, x2, \offset
    high ldp, x3, \offset
    fmla v0.2d, v16.2d, v31.2d
    fmla v1.2d, v17.2d, v31.2d
    fmla v2.2d, v18.2d, v31.2d
    fmla v3.2d, v19.2d, v31.2d
    fmla v4.2d, v20.2d, v31.2d
    fmla v5.2d, v21.2d, v31.2d
    fmla v6.2d, v22.2d, v31.2d
    fmla v7.2d, v23.2d, v31.2d
    low \op, x1, \offset
.endm

.macro update_body op, offset
    low ldp, x1, \offset
    fmul v0.2d, v0.2d, v31.2d
    fmul v1.2d, v1.2d, v31.2d
    fmul v2.2d, v2.2d, v31.2d
    fmul v3.2d, v3.2d, v31.2d
    fmul v4.2d, v4.2d, v31.2d
    fmul v5.2d, v5.2d, v31.2d
    fmul v6.2d, v6.2d, v31.2d
    fmul v7.2d, v7.2d, v31.2d
    low \op, x1, \offset
.endm

.macro store_body op, offset
    \op q31, q31, [x1, #\offset]
    \op q31, q31, [x1, #\offset + 32]
    \op q31, q31, [x1, #\offset + 64]
    \op q31, q31, [x1, #\offset + 96]
.endm

.macro copy_body op, offset
    low ldp, x2, \offset
    low \op, x1, \offset
.endm

    function arm64_neon_load
    .irp v, v16, v17, v18, v19, v20, v21, v22, v23
    movi \v\().2d, #0
    .endr
    passes load_body, ldp
    add x6, x0, #ARGS_SUM
    high stp, x6, 0
    .irp offset, 128, 160, 192, 224
    stp xzr, xzr, [x6, #\offset]
    stp xzr, xzr, [x6, #\offset + 16]
    .endr
    end_function arm64_neon_load

/* Without the sums, where adding might cost: the last 128 bytes are kept. */
.macro load_only_body op, offset
    low \op, x1, \offset
.endm

    function arm64_neon_load_only
    passes load_only_body, ldp
    add x6, x0, #ARGS_SUM
    low stp, x6, 0
    .irp offset, 128, 160, 192, 224
    stp xzr, xzr, [x6, #\offset]
    stp xzr, xzr, [x6, #\offset + 16]
    .endr
    end_function arm64_neon_load_only

/* The value to store, or the factor, is in every lane of 31. */
.macro with_value name, body, op
    function \name
    ldr d31, [x0, #ARGS_S]
    dup v31.2d, v31.d[0]
    passes \body, \op
    end_function \name
.endm

    with_value arm64_neon_store, store_body, stp
    with_value arm64_neon_store_nt, store_body, stnp
    with_value arm64_neon_triad, triad_body, stp
    with_value arm64_neon_triad_nt, triad_body, stnp
    with_value arm64_neon_update, update_body, stp
    with_value arm64_neon_copy, copy_body, stp
    with_value arm64_neon_copy_nt, copy_body, stnp
