/* 256-bit arithmetic: AVX, FMA3, AVX2 and AVX-VNNI. See compute_sse.S for the number of accumulators. */
#include "macros.inc"

compute kernel_avx2_f64_fma, YMM, vmovapd, 12, 9, pd, v_fma, v_fma
compute kernel_avx_f64_mul, YMM, vmovapd, 12, 9, pd, v_mul, v_mul
compute kernel_avx_f64_add, YMM, vmovapd, 12, 9, pd, v_add, v_add
mix kernel_avx_f64_mul_add, YMM_X, vmovapd, pd, 56, v_mul, 8, 1, v_add, 7, 1
compute kernel_avx2_f32_fma, YMM, vmovaps, 12, 9, ps, v_fma, v_fma
compute kernel_avx_f32_mul, YMM, vmovaps, 12, 9, ps, v_mul, v_mul
compute kernel_avx_f32_add, YMM, vmovaps, 12, 9, ps, v_add, v_add
mix kernel_avx_f32_mul_add, YMM_X, vmovaps, ps, 56, v_mul, 8, 1, v_add, 7, 1

/* FMA and ADD. Fifteen registers are left for both when y is read from memory, and FMAs take longer. One ADD to an
 * FMA, for two pipes of each (Zen): nine accumulators and six. Runs of eight were the best of some forty orders on a
 * Zen 4, by up to a tenth. Two FMAs to an ADD, for three pipes of which one only adds (Golden Cove): ten accumulators
 * and five. */
mix kernel_avx2_f64_fma_add, YMM_X, vmovapd, pd, 9, v_fma_memory, 9, 8, v_add, 6, 8
mix kernel_avx2_f32_fma_add, YMM_X, vmovaps, ps, 9, v_fma_memory, 9, 8, v_add, 6, 8
mix kernel_avx2_f64_fma2_add, YMM_X, vmovapd, pd, 40, v_fma_memory, 10, 2, v_add, 5, 1
mix kernel_avx2_f32_fma2_add, YMM_X, vmovaps, ps, 40, v_fma_memory, 10, 2, v_add, 5, 1

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
