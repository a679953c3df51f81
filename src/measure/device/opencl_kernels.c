/* The OpenCL kernels: text, and the table that says what each computes and moves (device.h has their meaning). */
#include "measure/device/device.h"

/* OpenCL C in strings: a line of text a line. */
/* clang-format off */

/* One text for every width: T the vector, S its element, CHAINS accumulators, each updated 16 or 4 times an iteration. */
static const char fma_text[] =
    "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n"
    "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n"
    "#define EACH_8(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)\n"
    "#define EACH_10(M) EACH_8(M) M(8) M(9)\n"
    "#define EACH_12(M) EACH_10(M) M(10) M(11)\n"
    "#define EACH_16(M) EACH_12(M) M(12) M(13) M(14) M(15)\n"
    "#define EACH_OF_(n) EACH_##n\n"
    "#define EACH_OF(n) EACH_OF_(n)\n"
    "#define EACH EACH_OF(CHAINS)\n"
    "#define STEPS_OF_(n) STEPS_##n\n"
    "#define STEPS_OF(n) STEPS_OF_(n)\n"
    "#define FMA(r) fma(r, x, y)\n"
    "#define MAD(r) (r * x + y)\n"
    "#define DOT(r) (r + (uint)dot_4x8packed_ss_int(r, x))\n"
    "#define BEGIN(k) T r##k = (T)((S)((get_global_id(0) & 3) + k));\n"
    "#define STEP(k) r##k = UPDATE(r##k);\n"
    "#define END(k) sum += r##k;\n"
    "#define STEPS_4 EACH(STEP) EACH(STEP) EACH(STEP) EACH(STEP)\n"
    "#define STEPS_16 STEPS_4 STEPS_4 STEPS_4 STEPS_4\n"
    "kernel void compute(global T *a, global const T *b, global const T *c, ulong n) {\n"
    "    T x = b[0], y = b[1], sum = (T)((S)0);\n"
    "    EACH(BEGIN)\n"
    "    for (ulong i = 0; i < n; i++) { STEPS_OF(STEPS) }\n"
    "    EACH(END)\n"
    "    a[get_global_id(0)] = sum;\n"
    "}\n";

/* Arrays of 16-byte elements. Work items walk them side by side, in strides of all of them, as a GPU wants it; or, BLOCKS,
 * each a block of its own, as the threads of a CPU want it. */
static const char memory_text[] =
    "#ifdef BLOCKS\n"
    "#define SHARE ((n + get_global_size(0) - 1) / get_global_size(0))\n"
    "#define EACH_ELEMENT for (ulong i = get_global_id(0) * SHARE, end = min(i + SHARE, n); i < end; i++)\n"
    "#else\n"
    "#define EACH_ELEMENT for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "#endif\n"
    "kernel void load(global uint4 *a, global const uint4 *b, global const uint4 *c, ulong n) {\n"
    "    uint4 sum = (uint4)(0);\n"
    "    EACH_ELEMENT sum += b[i];\n"
    "    a[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void copy(global uint4 *a, global const uint4 *b, global const uint4 *c, ulong n) {\n"
    "    EACH_ELEMENT a[i] = b[i];\n"
    "}\n"
    "kernel void triad(global float4 *a, global const float4 *b, global const float4 *c, ulong n) {\n"
    "    EACH_ELEMENT a[i] = b[i] + 3.0f * c[i];\n"
    "}\n"
    "kernel void tiny(global uint4 *a, global const uint4 *b, global const uint4 *c, ulong n) {\n"
    "    if (get_global_id(0) == 0) a[0].x += 1;\n"
    "}\n";

/* The place moves by 16 elements a read, so that neighbours in a work-group read neighbours in memory. */
static const char local_text[] =
    "#define READ(r, k) r += box[place + ((offset + 16 * k) & 255)];\n"
    "kernel void inner(global uint4 *a, global const uint4 *b, global const uint4 *c, ulong n) {\n"
    "    local uint4 box[512];\n"
    "    uint place = get_local_id(0), offset = 0;\n"
    "    for (uint i = place; i < 512; i += get_local_size(0)) box[i] = b[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    uint4 p = (uint4)(0), q = p, r = p, s = p;\n"
    "    for (ulong i = 0; i < n; i++) {\n"
    "        READ(p, 0) READ(q, 1) READ(r, 2) READ(s, 3) READ(p, 4) READ(q, 5) READ(r, 6) READ(s, 7)\n"
    "        READ(p, 8) READ(q, 9) READ(r, 10) READ(s, 11) READ(p, 12) READ(q, 13) READ(r, 14) READ(s, 15)\n"
    "        offset += 16;\n"
    "    }\n"
    "    a[get_global_id(0)] = p + q + r + s;\n"
    "}\n";

#define OPTIONS(type, element, chains, steps, update)                                                                  \
    "-D T=" type " -D S=" element " -D CHAINS=" #chains " -D STEPS=" #steps " -D UPDATE=" update
#define COMPUTE(type, element, of, width, number, repeat, what, needs, update)                                         \
    {.name = "compute", .label = what, .text = fma_text, .options = OPTIONS(type, element, number, repeat, update),     \
     .need = needs, .pattern = ROOF_PATTERN_FMA, .dtype = of, .lanes = width, .chains = number, .steps = repeat,        \
     .work = 2.0 * width * number * repeat}
#define F32(type, width, number, repeat)                                                                               \
    COMPUTE(type, "float", ROOF_F32, width, number, repeat, "f32 fma, " type, DEVICE_NEEDS_NOTHING, "FMA")
#define F64(type, width, number, repeat)                                                                               \
    COMPUTE(type, "double", ROOF_F64, width, number, repeat, "f64 fma, " type, DEVICE_NEEDS_F64, "FMA")
#define F16(type, width, number, repeat)                                                                               \
    COMPUTE(type, "half", ROOF_F16, width, number, repeat, "f16 fma, " type, DEVICE_NEEDS_F16, "FMA")
#define INT32(type, width, number, repeat)                                                                             \
    COMPUTE(type, "uint", ROOF_INT32, width, number, repeat, "int32 mad, " type, DEVICE_NEEDS_NOTHING, "MAD")
#define MEMORY(function, kind, bytes)                                                                                  \
    {.name = function, .label = function ", blocks", .text = memory_text, .options = "-D BLOCKS",                       \
     .need = DEVICE_NEEDS_CPU, .pattern = kind, .dtype = ROOF_F32, .work = bytes},                                      \
    {.name = function, .label = function, .text = memory_text, .options = "", .pattern = kind, .dtype = ROOF_F32,       \
     .work = bytes}

/* In the order they are measured: should the time run out, the first matter most. */
static const device_kernel kernels[] = {
    MEMORY("load", ROOF_PATTERN_LOAD, 16),
    MEMORY("copy", ROOF_PATTERN_COPY, 32),
    MEMORY("triad", ROOF_PATTERN_TRIAD, 48),
    F32("float8", 8, 10, 4), F32("float4", 4, 12, 4), F32("float", 1, 16, 16), F32("float2", 2, 16, 16), F32("float16", 16, 8, 4),
    F64("double4", 4, 12, 4), F64("double", 1, 16, 16), F64("double2", 2, 16, 16), F64("double8", 8, 8, 4),
    F16("half2", 2, 16, 16), F16("half8", 8, 10, 4), F16("half", 1, 16, 16), F16("half4", 4, 12, 4), F16("half16", 16, 8, 4),
    {.name = "compute", .label = "int8 dot, 4 bytes", .text = fma_text,
     .options = OPTIONS("uint", "uint", 16, 16, "DOT") " -cl-std=CL3.0",
     .need = DEVICE_NEEDS_DOT, .pattern = ROOF_PATTERN_DOT, .dtype = ROOF_INT8, .held = ROOF_INT32, .lanes = 1, .chains = 16,
     .steps = 16, .work = 8.0 * 16 * 16},
    INT32("uint8", 8, 10, 4), INT32("uint", 1, 16, 16), INT32("uint4", 4, 12, 4),
    {.name = "inner", .label = "local memory read", .text = local_text, .options = "", .pattern = ROOF_PATTERN_LOAD,
     .dtype = ROOF_F32, .level = ROOF_L1, .steps = 16, .work = 16.0 * 16},
    {.name = "tiny", .label = "tiny kernel", .text = memory_text, .options = "", .pattern = ROOF_PATTERN_LAUNCH},
};

const device_kernel *opencl_kernel_at(size_t index) {
    return index < sizeof kernels / sizeof kernels[0] ? &kernels[index] : NULL;
}
