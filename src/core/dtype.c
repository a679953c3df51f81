/* Data types: names, exact sizes, the roof each multiplies under. One table, so that they cannot disagree. */
#include <ctype.h>
#include <string.h>

#include "core/dtype.h"

const dtype_row dtype_rows[ROOF_DTYPE_COUNT] = {
    [ROOF_DTYPE_NONE] = {"none", 0, ROOF_DTYPE_NONE, ""},
    [ROOF_F64] = {"f64", 64, ROOF_F64, " fp64 float64 double "},
    [ROOF_F32] = {"f32", 32, ROOF_F32, " fp32 float32 float single "},
    [ROOF_TF32] = {"tf32", 32, ROOF_TF32, " tensorfloat32 "}, /* 19 bits in the unit, 32 in memory */
    [ROOF_F16] = {"f16", 16, ROOF_F16, " fp16 float16 half "},
    [ROOF_BF16] = {"bf16", 16, ROOF_BF16, " bfloat16 bfloat "},
    [ROOF_FP8] = {"fp8", 8, ROOF_FP8, " f8 float8 fp8e4m3 e4m3 float8e4m3fn float8e4m3 f8e4m3 fp8e4m3fn w8fp "},
    [ROOF_FP8_E5M2] = {"fp8-e5m2", 8, ROOF_FP8, " fp8e5m2 e5m2 float8e5m2 f8e5m2 "},
    [ROOF_MXFP8] = {"mxfp8", 8.25, ROOF_FP8, " "},
    [ROOF_FP6] = {"fp6", 6, ROOF_FP6, " f6 float6 fp6e3m2 fp6e2m3 "},
    [ROOF_MXFP6] = {"mxfp6", 6.25, ROOF_FP6, " "},
    [ROOF_FP4] = {"fp4", 4, ROOF_FP4, " f4 float4 e2m1 fp4e2m1 "},
    [ROOF_MXFP4] = {"mxfp4", 4.25, ROOF_FP4, " "},
    [ROOF_NVFP4] = {"nvfp4", 4.5, ROOF_FP4, " "},
    [ROOF_INT32] = {"int32", 32, ROOF_INT32, " i32 s32 "},
    [ROOF_INT16] = {"int16", 16, ROOF_INT16, " i16 s16 "},
    [ROOF_INT8] = {"int8", 8, ROOF_INT8, " i8 s8 w8 q8 u8 uint8 "},
    [ROOF_INT4] = {"int4", 4, ROOF_INT4, " i4 s4 w4 q4 u4 uint4 "},
};

const char *roof_dtype_name(roof_dtype dtype) {
    return dtype_of(dtype)->name;
}

double roof_dtype_bits(roof_dtype dtype) {
    return dtype_of(dtype)->bits;
}

double roof_dtype_bytes(roof_dtype dtype) {
    return dtype_bytes(dtype);
}

roof_dtype roof_dtype_math(roof_dtype dtype) {
    return dtype_of(dtype)->math;
}

/* Lower case, letters and digits only, between spaces; a leading "torch." goes. 0 when it does not fit. */
static int reduce(const char *text, char *out, size_t size) {
    if (strncmp(text, "torch.", 6) == 0)
        text += 6;
    size_t n = 0;
    out[n++] = ' ';
    for (; *text; text++) {
        if (!isalnum((unsigned char)*text))
            continue;
        if (n + 2 >= size)
            return 0;
        out[n++] = (char)tolower((unsigned char)*text);
    }
    out[n++] = ' ';
    out[n] = '\0';
    return n > 2;
}

roof_dtype roof_dtype_parse(const char *text) {
    char key[32], name[32];
    if (!text || !reduce(text, key, sizeof key))
        return ROOF_DTYPE_NONE;
    for (int i = ROOF_DTYPE_NONE + 1; i < ROOF_DTYPE_COUNT; i++) {
        reduce(dtype_rows[i].name, name, sizeof name);
        if (strcmp(name, key) == 0 || strstr(dtype_rows[i].spellings, key))
            return (roof_dtype)i;
    }
    return ROOF_DTYPE_NONE;
}
