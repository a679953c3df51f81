/* Scalar and 128-bit arithmetic: what every x86-64 CPU has, and scalar FMA. Twelve accumulators: enough for a latency
 * of five cycles at two a cycle. Where multiplies and adds go to pipes of their own there are eight accumulators of
 * multiplies and seven of adds: enough for a latency of three at two of each a cycle. Each is multiplied an odd
 * number of times, so that multiplying by -1 shows. */
#include "macros.inc"

compute kernel_scalar_f64_add, SCALAR64, movsd, 12, 9, sd, sse_add, sse_add
compute kernel_scalar_f64_mul, SCALAR64, movsd, 12, 9, sd, sse_mul, sse_mul
mix kernel_scalar_f64_mul_add, SCALAR64_X, movsd, sd, 56, sse_mul, 8, 1, sse_add, 7, 1
compute kernel_scalar_f32_add, SCALAR32, movss, 12, 9, ss, sse_add, sse_add
compute kernel_scalar_f32_mul, SCALAR32, movss, 12, 9, ss, sse_mul, sse_mul
mix kernel_scalar_f32_mul_add, SCALAR32_X, movss, ss, 56, sse_mul, 8, 1, sse_add, 7, 1

compute kernel_fma3_f64_fma, SCALAR64, movsd, 12, 9, sd, v_fma, v_fma
compute kernel_fma3_f32_fma, SCALAR32, movss, 12, 9, ss, v_fma, v_fma

compute kernel_sse2_f64_add, XMM, movapd, 12, 9, pd, sse_add, sse_add
compute kernel_sse2_f64_mul, XMM, movapd, 12, 9, pd, sse_mul, sse_mul
mix kernel_sse2_f64_mul_add, XMM_X, movapd, pd, 56, sse_mul, 8, 1, sse_add, 7, 1
compute kernel_sse2_f32_add, XMM, movaps, 12, 9, ps, sse_add, sse_add
compute kernel_sse2_f32_mul, XMM, movaps, 12, 9, ps, sse_mul, sse_mul
mix kernel_sse2_f32_mul_add, XMM_X, movaps, ps, 56, sse_mul, 8, 1, sse_add, 7, 1
