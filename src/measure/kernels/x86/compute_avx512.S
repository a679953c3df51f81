/* 512-bit arithmetic: 32 registers, so 24 accumulators and more: enough for a latency of six cycles at four a cycle. */
#include "macros.inc"

compute kernel_avx512_f64_fma, ZMM, vmovapd, 24, 5, pd, v_fma, v_fma
compute kernel_avx512_f64_mul, ZMM, vmovapd, 24, 5, pd, v_mul, v_mul
compute kernel_avx512_f64_add, ZMM, vmovapd, 24, 5, pd, v_add, v_add
compute kernel_avx512_f64_mul_add, ZMM, vmovapd, 24, 5, pd, v_mul, v_add
compute kernel_avx512_f64_fma_add, ZMM, vmovapd, 24, 5, pd, v_fma, v_add
compute kernel_avx512_f32_fma, ZMM, vmovaps, 24, 5, ps, v_fma, v_fma
compute kernel_avx512_f32_mul, ZMM, vmovaps, 24, 5, ps, v_mul, v_mul
compute kernel_avx512_f32_add, ZMM, vmovaps, 24, 5, ps, v_add, v_add
compute kernel_avx512_f32_mul_add, ZMM, vmovaps, 24, 5, ps, v_mul, v_add
compute kernel_avx512_f32_fma_add, ZMM, vmovaps, 24, 5, ps, v_fma, v_add

compute kernel_avx512_fp16_f16_fma, ZMM, vmovaps, 24, 5, ph, v_fma, v_fma
compute kernel_avx512_fp16_f16_mul, ZMM, vmovaps, 24, 5, ph, v_mul, v_mul
compute kernel_avx512_fp16_f16_add, ZMM, vmovaps, 24, 5, ph, v_add, v_add

compute kernel_avx512_bf16_dot, ZMM, vmovaps, 28, 4, , v_bf16_dot, v_bf16_dot
compute kernel_avx512_vnni_int8_dot, ZMM, vmovdqa64, 24, 5, , v_int8_dot, v_int8_dot

/* Int8 before VNNI, as in compute_avx2.S. */
    function kernel_avx512_int8_dot
    vmovdqa64 STATE_X(%rdi), %zmm30
    vmovdqa64 STATE_Y(%rdi), %zmm31
    vpternlogd $255, %zmm29, %zmm29, %zmm29
    vpsrlw $15, %zmm29, %zmm29
    .irp i, 0,1,2,3,4,5,6,7
    vmovdqa64 STATE_ACCUMULATORS + 64 * \i(%rdi), %zmm\i
    .endr
    .p2align 6
1:
    .rept 5
    .irp i, 0,1,2,3,4,5,6,7
    vpmaddubsw %zmm31, %zmm30, %zmm28
    vpmaddwd %zmm29, %zmm28, %zmm28
    vpaddd %zmm28, %zmm\i, %zmm\i
    .endr
    .endr
    dec %rsi
    jnz 1b
    leave kernel_avx512_int8_dot, ZMM, vmovdqa64, 8
