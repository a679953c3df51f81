/* 256-bit arithmetic: AVX2, FMA3 and AVX-VNNI. See compute_sse.S for the number of accumulators. */
#include "macros.inc"

compute kernel_avx2_f64_fma, YMM, vmovapd, 12, 9, pd, v_fma, v_fma
compute kernel_avx2_f64_mul, YMM, vmovapd, 12, 9, pd, v_mul, v_mul
compute kernel_avx2_f64_add, YMM, vmovapd, 12, 9, pd, v_add, v_add
compute kernel_avx2_f64_mul_add, YMM, vmovapd, 14, 9, pd, v_mul, v_add
compute kernel_avx2_f32_fma, YMM, vmovaps, 12, 9, ps, v_fma, v_fma
compute kernel_avx2_f32_mul, YMM, vmovaps, 12, 9, ps, v_mul, v_mul
compute kernel_avx2_f32_add, YMM, vmovaps, 12, 9, ps, v_add, v_add
compute kernel_avx2_f32_mul_add, YMM, vmovaps, 14, 9, ps, v_mul, v_add

/* FMA and ADD. Fourteen registers are left for both, and FMAs take longer: eight accumulators of FMAs and six of ADDs
 * keep two pipes of each busy (latency four and three), one ADD to an FMA (Zen). */
.macro pairs type, fma, add, rest:vararg
    v_fma ymm, 14, 15, \type, \fma
    v_add ymm, 14, 15, \type, \add
    .ifnb \rest
    pairs \type, \rest
    .endif
.endm

.macro fma_add name, move, type
    enter \name, YMM, \move, 14
    .p2align 6
1:
    .rept 2
    pairs \type, 0,8, 1,9, 2,10, 3,11, 4,12, 5,13, 6,8, 7,9, 0,10, 1,11, 2,12, 3,13
    pairs \type, 4,8, 5,9, 6,10, 7,11, 0,12, 1,13, 2,8, 3,9, 4,10, 5,11, 6,12, 7,13
    .endr
    dec %rsi
    jnz 1b
    leave \name, YMM, \move, 14
.endm

fma_add kernel_avx2_f64_fma_add, vmovapd, pd
fma_add kernel_avx2_f32_fma_add, vmovaps, ps

/* Two FMAs to an ADD: three pipes of which one only adds (Golden Cove). Ten accumulators and four. */
.macro two_to_one type, fma1, fma2, add, rest:vararg
    v_fma ymm, 14, 15, \type, \fma1
    v_fma ymm, 14, 15, \type, \fma2
    v_add ymm, 14, 15, \type, \add
    .ifnb \rest
    two_to_one \type, \rest
    .endif
.endm

.macro fma2_add name, move, type
    enter \name, YMM, \move, 14
    .p2align 6
1:
    .rept 2
    two_to_one \type, 0,1,10, 2,3,11, 4,5,12, 6,7,13, 8,9,10, 0,1,11, 2,3,12, 4,5,13, 6,7,10, 8,9,11
    two_to_one \type, 0,1,12, 2,3,13, 4,5,10, 6,7,11, 8,9,12, 0,1,13, 2,3,10, 4,5,11, 6,7,12, 8,9,13
    .endr
    dec %rsi
    jnz 1b
    leave \name, YMM, \move, 14
.endm

fma2_add kernel_avx2_f64_fma2_add, vmovapd, pd
fma2_add kernel_avx2_f32_fma2_add, vmovaps, ps

/* Int8 before VNNI: multiply bytes and add pairs (16 bits), add pairs of those (32 bits), add to the accumulator. */
    function kernel_avx2_int8_dot
    vmovdqa STATE_X(%rdi), %ymm14
    vmovdqa STATE_Y(%rdi), %ymm15
    vpcmpeqw %ymm13, %ymm13, %ymm13
    vpsrlw $15, %ymm13, %ymm13
    .irp i, 0,1,2,3,4,5,6,7
    vmovdqa STATE_ACCUMULATORS + 32 * \i(%rdi), %ymm\i
    .endr
    .p2align 6
1:
    .rept 5
    .irp i, 0,1,2,3,4,5,6,7
    vpmaddubsw %ymm15, %ymm14, %ymm12
    vpmaddwd %ymm13, %ymm12, %ymm12
    vpaddd %ymm12, %ymm\i, %ymm\i
    .endr
    .endr
    dec %rsi
    jnz 1b
    leave kernel_avx2_int8_dot, YMM, vmovdqa, 8

compute kernel_avx_vnni_int8_dot, YMM, vmovdqa, 14, 8, , v_int8_dot_vex, v_int8_dot_vex
