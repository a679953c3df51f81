/* Moving data: %rdi is the arguments. The passes are a loop in here; one iteration moves a step of each array. */
#include "macros.inc"

/* %rsi, %rdx and %rcx walk through a, b and c; %r9 is the end of a; %r8 counts passes. */
.macro enter_stream
    mov ARGS_PASSES(%rdi), %r8
1:
    mov ARGS_A(%rdi), %rsi
    mov ARGS_B(%rdi), %rdx
    mov ARGS_C(%rdi), %rcx
    mov ARGS_BYTES(%rdi), %r9
    add %rsi, %r9
    .p2align 6
2:
.endm

.macro leave_stream vector, step, arrays
    add $\step, %rsi
    .if \arrays > 1
    add $\step, %rdx
    .endif
    .if \arrays > 2
    add $\step, %rcx
    .endif
    cmp %r9, %rsi
    jne 2b
    dec %r8
    jnz 1b
.endm

/* `group` moves two vectors at offset `at` of each array; as many groups as make a step. Larger
 * groups lost a tenth of the first level's rate on a Zen 4. */
.macro groups step, vector, bytes, x, s, load, store, group
    .set at, 0
    .rept \step / (2 * \bytes)
    \group \vector, \bytes, \s, \load, \store
    .set at, at + 2 * \bytes
    .endr
.endm

.macro stream name, arrays, step, vector, bytes, x, s, load, store, group, after
    function \name
    \load ARGS_S(%rdi), %\vector\s
    enter_stream
    groups \step, \vector, \bytes, \x, \s, \load, \store, \group
    leave_stream \vector, \step, \arrays
    \after
    end_function \name, \vector
.endm

.macro store_group vector, bytes, s, load, store
    .irp i, 0,1
    \store %\vector\s, at + \bytes * \i(%rsi)
    .endr
.endm

.macro copy_group vector, bytes, s, load, store
    .irp i, 0,1
    \load at + \bytes * \i(%rdx), %\vector\i
    .endr
    .irp i, 0,1
    \store %\vector\i, at + \bytes * \i(%rsi)
    .endr
.endm

.macro triad_group vector, bytes, s, load, store
    .irp i, 0,1
    \load at + \bytes * \i(%rcx), %\vector\i
    .endr
    .irp i, 0,1
    .ifc \vector, xmm
    mulpd %xmm\s, %xmm\i
    addpd at + \bytes * \i(%rdx), %xmm\i
    .else
    vfmadd213pd at + \bytes * \i(%rdx), %\vector\s, %\vector\i
    .endif
    .endr
    .irp i, 0,1
    \store %\vector\i, at + \bytes * \i(%rsi)
    .endr
.endm

/* In place: what a line holds is read, multiplied and written back. */
.macro update_group vector, bytes, s, load, store
    .irp i, 0,1
    .ifc \vector, xmm
    \load at + \bytes * \i(%rsi), %xmm\i
    mulpd %xmm\s, %xmm\i
    .else
    vmulpd at + \bytes * \i(%rsi), %\vector\s, %\vector\i
    .endif
    .endr
    .irp i, 0,1
    \store %\vector\i, at + \bytes * \i(%rsi)
    .endr
.endm

/* All rows of one width. Non-temporal stores are done when sfence is. */
.macro streams isa, step, vector, bytes, x, s, load, store, store_nt
    stream kernel_\isa\()_store, 1, \step, \vector, \bytes, \x, \s, \load, \store, store_group
    stream kernel_\isa\()_copy, 2, \step, \vector, \bytes, \x, \s, \load, \store, copy_group
    stream kernel_\isa\()_triad, 3, \step, \vector, \bytes, \x, \s, \load, \store, triad_group
    stream kernel_\isa\()_update, 1, \step, \vector, \bytes, \x, \s, \load, \store, update_group
    stream kernel_\isa\()_store_nt, 1, \step, \vector, \bytes, \x, \s, \load, \store_nt, store_group, sfence
    stream kernel_\isa\()_copy_nt, 2, \step, \vector, \bytes, \x, \s, \load, \store_nt, copy_group, sfence
    stream kernel_\isa\()_triad_nt, 3, \step, \vector, \bytes, \x, \s, \load, \store_nt, triad_group, sfence
.endm

streams sse2, 512, XMM, movapd, movapd, movntpd
streams avx2, 1024, YMM, vmovapd, vmovapd, vmovntpd
streams avx512, 1024, ZMM, vmovapd, vmovapd, vmovntpd

/* Loads. Eight sums of 64-bit integers, added up at the end: each addition reads memory, so none can be left out. */
.macro load_sum name, step, vector, bytes, x, s, load, store
    function \name
    .irp i, 0,1,2,3,4,5,6,7
    .ifc \vector, xmm
    pxor %xmm\i, %xmm\i
    .else
    vpxor %xmm\i, %xmm\i, %xmm\i
    .endif
    .endr
    enter_stream
    .set at, 0
    .rept \step / (8 * \bytes)
    .irp i, 0,1,2,3,4,5,6,7
    add_lanes \vector, "at(%rsi)", \i
    .set at, at + \bytes
    .endr
    .endr
    leave_stream \vector, \step, 1
    .irp i, 1,2,3,4,5,6,7
    add_lanes \vector, %\vector\i, 0
    .endr
    \store %\vector\()0, ARGS_SUM(%rdi)
    end_function \name, \vector
.endm

.macro add_lanes vector, from, i
    .ifc \vector, xmm
    paddq \from, %xmm\i
    .else
    vpaddq \from, %\vector\i, %\vector\i
    .endif
.endm

/* Loads and nothing else: for a core that can load more often than it can add. Only the last vector is kept. */
.macro load_only name, step, vector, bytes, x, s, load, store
    function \name
    enter_stream
    .set at, 0
    .rept \step / (8 * \bytes)
    .irp i, 0,1,2,3,4,5,6,7
    \load at(%rsi), %\vector\i
    .set at, at + \bytes
    .endr
    .endr
    leave_stream \vector, \step, 1
    \store %\vector\()7, ARGS_SUM(%rdi)
    end_function \name, \vector
.endm

load_sum kernel_sse2_load, 512, XMM, movdqa, movdqa
load_sum kernel_avx2_load, 1024, YMM, vmovdqa, vmovdqa
load_sum kernel_avx512_load, 1024, ZMM, vmovdqa64, vmovdqa64
load_only kernel_sse2_load_only, 512, XMM, movapd, movapd
load_only kernel_avx2_load_only, 1024, YMM, vmovapd, vmovapd
load_only kernel_avx512_load_only, 1024, ZMM, vmovapd, vmovapd
