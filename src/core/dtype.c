/* Data types: names, exact sizes, the roof each multiplies under. One row each. */
#include <ctype.h>
#include <string.h>

#include "core/tables.h"

const dtype_traits dtype_table[ROOF_DTYPE_COUNT] = {
    [ROOF_DTYPE_NONE] = {0, ROOF_DTYPE_NONE},
    [ROOF_F64] = {64, ROOF_F64},
    [ROOF_F32] = {32, ROOF_F32},
    [ROOF_TF32] = {32, ROOF_TF32}, /* 19 bits in the unit, 32 in memory */
    [ROOF_F16] = {16, ROOF_F16},
    [ROOF_BF16] = {16, ROOF_BF16},
    [ROOF_FP8] = {8, ROOF_FP8},
    [ROOF_FP8_E5M2] = {8, ROOF_FP8},
    [ROOF_MXFP8] = {8.25, ROOF_FP8},
    [ROOF_FP6] = {6, ROOF_FP6},
    [ROOF_MXFP6] = {6.25, ROOF_FP6},
    [ROOF_FP4] = {4, ROOF_FP4},
    [ROOF_MXFP4] = {4.25, ROOF_FP4},
    [ROOF_NVFP4] = {4.5, ROOF_FP4},
    [ROOF_INT32] = {32, ROOF_INT32},
    [ROOF_INT16] = {16, ROOF_INT16},
    [ROOF_INT8] = {8, ROOF_INT8},
    [ROOF_INT4] = {4, ROOF_INT4},
};

/* Further names stand between spaces, in the reduced form of reduce(). */
static const struct {
    const char *name, *spellings;
} names[ROOF_DTYPE_COUNT] = {
    [ROOF_DTYPE_NONE] = {"none", ""},
    [ROOF_F64] = {"f64", " fp64 float64 double "},
    [ROOF_F32] = {"f32", " fp32 float32 float single "},
    [ROOF_TF32] = {"tf32", " tensorfloat32 "},
    [ROOF_F16] = {"f16", " fp16 float16 half "},
    [ROOF_BF16] = {"bf16", " bfloat16 bfloat "},
    [ROOF_FP8] = {"fp8", " f8 float8 fp8e4m3 e4m3 float8e4m3fn float8e4m3 f8e4m3 fp8e4m3fn float8e4m3fnuz "},
    [ROOF_FP8_E5M2] = {"fp8-e5m2", " fp8e5m2 e5m2 float8e5m2 f8e5m2 float8e5m2fnuz "},
    [ROOF_MXFP8] = {"mxfp8", " "},
    [ROOF_FP6] = {"fp6", " f6 float6 fp6e3m2 fp6e2m3 "},
    [ROOF_MXFP6] = {"mxfp6", " "},
    [ROOF_FP4] = {"fp4", " f4 float4 e2m1 fp4e2m1 "},
    [ROOF_MXFP4] = {"mxfp4", " "},
    [ROOF_NVFP4] = {"nvfp4", " "},
    [ROOF_INT32] = {"int32", " i32 s32 "},
    [ROOF_INT16] = {"int16", " i16 s16 "},
    [ROOF_INT8] = {"int8", " i8 s8 w8 q8 u8 uint8 "},
    [ROOF_INT4] = {"int4", " i4 s4 w4 q4 u4 uint4 "},
};

const char *roof_dtype_name(roof_dtype dtype) {
    return names[(unsigned)dtype < ROOF_DTYPE_COUNT ? dtype : ROOF_DTYPE_NONE].name;
}

double roof_dtype_bits(roof_dtype dtype) {
    return dtype_bits(dtype);
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
        reduce(names[i].name, name, sizeof name);
        if (strcmp(name, key) == 0 || strstr(names[i].spellings, key))
            return (roof_dtype)i;
    }
    return ROOF_DTYPE_NONE;
}
