/* What every kernel here is built from. Compute: x0 = compute_state, x1 = iterations; x is in register 24, y in 25, the
 * accumulators are 0 to 23: at least latency x pipes of every core in docs/kernels.md. */
#define STATE_Y 256             /* offsets in kernels.h's structs; kernels_arm64.c checks them */
#define STATE_ACCUMULATORS 512
#define ARGS_A 0
#define ARGS_B 8
#define ARGS_C 16
#define ARGS_BYTES 24
#define ARGS_PASSES 32
#define ARGS_S 64
#define ARGS_SUM 128
#define ROUNDS 4                /* a loop body updates each accumulator this often: 96 instructions */

    .arch armv8.6-a+sve         /* what may be assembled; what runs is decided by the table's `needs` */
    .text
    .section .note.GNU-stack, "", %progbits
    .text

.macro function name
    .balign 64
    .globl \name
    .hidden \name
    .type \name, %function
\name:
    .cfi_startproc
    hint #34                    /* a landing pad where branch targets are checked */
.endm

.macro end_function name
    ret
    .cfi_endproc
    .size \name, . - \name
.endm

/* The lower halves of v8 to v15 belong to the caller. */
.macro save_vectors
    stp d8, d9, [sp, #-64]!
    .cfi_adjust_cfa_offset 64
    stp d10, d11, [sp, #16]
    stp d12, d13, [sp, #32]
    stp d14, d15, [sp, #48]
.endm

.macro restore_vectors
    ldp d10, d11, [sp, #16]
    ldp d12, d13, [sp, #32]
    ldp d14, d15, [sp, #48]
    ldp d8, d9, [sp], #64
    .cfi_adjust_cfa_offset -64
.endm

/* `what` for vectors 0 to 7 and a place. */
.macro eight what, at
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    \what \n, \at
    .endr
.endm

/* compute name, family: the accumulators' even and odd instruction, each a form of the family ("fma": accumulator,
 * x, y; "own": accumulator and x) with an operation, and the arrangement of the result and of the operands. */
.macro compute name, family, even, even_op, odd, odd_op, result, operand
    function \name
    save_vectors
    add x2, x0, #STATE_Y
    add x3, x0, #STATE_ACCUMULATORS
    \family\()_move ldr, \result
    .balign 64
1:
    .rept ROUNDS
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
    .if \n & 1
    \family\()_\odd \odd_op, \n, \result, \operand
    .else
    \family\()_\even \even_op, \n, \result, \operand
    .endif
    .endr
    .endr
    subs x1, x1, #1
    b.ne 1b
    \family\()_move str, \result
    restore_vectors
    end_function \name
.endm
