/* The loops of operations that are run, for every dtype and instruction set that this architecture may have. */
#include "measure/run/loops.h"

#ifdef __aarch64__
#include <arm_neon.h>
#endif
#ifdef __x86_64__
#include <immintrin.h>
#define FENCE _mm_sfence()
#define STORE_PAST(pointer, value) _mm_stream_si128((__m128i *)(void *)(pointer), (__m128i)(value))
#endif

/* What every CPU of the architecture has. */
#define TARGET
#ifdef __x86_64__
#define ISA "sse2"
#elif defined(__aarch64__)
#define ISA "neon"
#else
#define ISA "plain"
#endif
#define NEEDS FEATURE(BASE)
#define VECTOR_BYTES 16
#define REAL double
#define NAME(name) base_f64_##name
#ifdef __aarch64__
#define ADD_PRODUCT(sum, x, y) ((NAME(vector))vfmaq_f64((float64x2_t)(sum), (float64x2_t)(x), (float64x2_t)(y)))
#else
#define ADD_PRODUCT(sum, x, y) ((sum) + (x) * (y))
#endif
#include "measure/run/loop_bodies.h"
#define REAL float
#define NAME(name) base_f32_##name
#ifdef __aarch64__
#define ADD_PRODUCT(sum, x, y) ((NAME(vector))vfmaq_f32((float32x4_t)(sum), (float32x4_t)(x), (float32x4_t)(y)))
#else
#define ADD_PRODUCT(sum, x, y) ((sum) + (x) * (y))
#endif
#include "measure/run/loop_bodies.h"
#undef TARGET
#undef ISA
#undef NEEDS
#undef VECTOR_BYTES

#ifdef __x86_64__
#undef STORE_PAST
#define STORE_PAST(pointer, value) _mm256_stream_si256((__m256i *)(void *)(pointer), (__m256i)(value))
#define TARGET __attribute__((__target__("avx2,fma")))
#define ISA "avx2"
#define NEEDS (FEATURE(AVX2) | FEATURE(FMA))
#define VECTOR_BYTES 32
#define REAL double
#define NAME(name) avx2_f64_##name
#define ADD_PRODUCT(sum, x, y) ((NAME(vector))_mm256_fmadd_pd((__m256d)(x), (__m256d)(y), (__m256d)(sum)))
#include "measure/run/loop_bodies.h"
#define REAL float
#define NAME(name) avx2_f32_##name
#define ADD_PRODUCT(sum, x, y) ((NAME(vector))_mm256_fmadd_ps((__m256)(x), (__m256)(y), (__m256)(sum)))
#include "measure/run/loop_bodies.h"
#undef TARGET
#undef ISA
#undef NEEDS
#undef VECTOR_BYTES

#undef STORE_PAST
#define STORE_PAST(pointer, value) _mm512_stream_si512((__m512i *)(void *)(pointer), (__m512i)(value))
#define TARGET __attribute__((__target__("avx512f,avx512dq,avx512bw,avx512vl")))
#define ISA "avx512"
#define NEEDS FEATURE(AVX512)
#define VECTOR_BYTES 64
#define REAL double
#define NAME(name) avx512_f64_##name
#define ADD_PRODUCT(sum, x, y) ((NAME(vector))_mm512_fmadd_pd((__m512d)(x), (__m512d)(y), (__m512d)(sum)))
#include "measure/run/loop_bodies.h"
#define REAL float
#define NAME(name) avx512_f32_##name
#define ADD_PRODUCT(sum, x, y) ((NAME(vector))_mm512_fmadd_ps((__m512)(x), (__m512)(y), (__m512)(sum)))
#include "measure/run/loop_bodies.h"
#endif

const loops *loops_at(size_t index) {
    const loops *const rows[] = {
#ifdef __x86_64__
        &avx512_f64_row, &avx512_f32_row, &avx2_f64_row, &avx2_f32_row,
#endif
        &base_f64_row,   &base_f32_row,
    };
    return index < sizeof rows / sizeof *rows ? rows[index] : NULL;
}

const loops *loops_for(feature_set features, roof_dtype dtype) {
    const loops *row;
    for (size_t i = 0; (row = loops_at(i)); i++)
        if (row->dtype == dtype && (row->needs & ~features) == 0)
            return row;
    return NULL;
}
