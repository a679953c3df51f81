/* Every type of ggml with the exact bytes of its blocks. Numbers: enum ggml_type in ggml/include/ggml.h; sizes: the
 * block_* structs of ggml/src/ggml-common.h, repeated as GGML_QUANT_SIZES in gguf-py/gguf/constants.py
 * (github.com/ggml-org/llama.cpp). */
#include "read/gguf/gguf.h"

#define GONE(text)                                                                                                     \
    { .name = text, .removed = true }

static const gguf_type table[GGUF_TYPE_COUNT] = {
    [0] = {"f32", 1, 4, ROOF_F32, false},
    [1] = {"f16", 1, 2, ROOF_F16, false},
    [2] = {"q4_0", 32, 18, ROOF_INT4, false},
    [3] = {"q4_1", 32, 20, ROOF_INT4, false},
    [4] = GONE("q4_2"),
    [5] = GONE("q4_3"),
    [6] = {"q5_0", 32, 22, ROOF_INT8, false},
    [7] = {"q5_1", 32, 24, ROOF_INT8, false},
    [8] = {"q8_0", 32, 34, ROOF_INT8, false},
    [9] = {"q8_1", 32, 36, ROOF_INT8, false},
    [10] = {"q2_k", 256, 84, ROOF_INT4, false},
    [11] = {"q3_k", 256, 110, ROOF_INT4, false},
    [12] = {"q4_k", 256, 144, ROOF_INT4, false},
    [13] = {"q5_k", 256, 176, ROOF_INT8, false},
    [14] = {"q6_k", 256, 210, ROOF_INT8, false},
    [15] = {"q8_k", 256, 292, ROOF_INT8, false},
    [16] = {"iq2_xxs", 256, 66, ROOF_INT4, false},
    [17] = {"iq2_xs", 256, 74, ROOF_INT4, false},
    [18] = {"iq3_xxs", 256, 98, ROOF_INT4, false},
    [19] = {"iq1_s", 256, 50, ROOF_INT4, false},
    [20] = {"iq4_nl", 32, 18, ROOF_INT4, false},
    [21] = {"iq3_s", 256, 110, ROOF_INT4, false},
    [22] = {"iq2_s", 256, 82, ROOF_INT4, false},
    [23] = {"iq4_xs", 256, 136, ROOF_INT4, false},
    [24] = {"i8", 1, 1, ROOF_INT8, false},
    [25] = {"i16", 1, 2, ROOF_INT16, false},
    [26] = {"i32", 1, 4, ROOF_INT32, false},
    [27] = {"i64", 1, 8, ROOF_INT32, false},
    [28] = {"f64", 1, 8, ROOF_F64, false},
    [29] = {"iq1_m", 256, 56, ROOF_INT4, false},
    [30] = {"bf16", 1, 2, ROOF_BF16, false},
    [31] = GONE("q4_0_4_4"),
    [32] = GONE("q4_0_4_8"),
    [33] = GONE("q4_0_8_8"),
    [34] = {"tq1_0", 256, 54, ROOF_INT4, false},
    [35] = {"tq2_0", 256, 66, ROOF_INT4, false},
    [36] = GONE("iq4_nl_4_4"),
    [37] = GONE("iq4_nl_4_8"),
    [38] = GONE("iq4_nl_8_8"),
    [39] = {"mxfp4", 32, 17, ROOF_MXFP4, false},
    [40] = {"nvfp4", 64, 36, ROOF_NVFP4, false},
    [41] = {"q1_0", 128, 18, ROOF_INT4, false},
    [42] = {"q2_0", 64, 18, ROOF_INT4, false},
};

const gguf_type *gguf_type_at(uint32_t number) {
    return number < GGUF_TYPE_COUNT ? &table[number] : NULL;
}
