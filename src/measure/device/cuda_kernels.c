/* The CUDA kernels: PTX as text, and the table that says what each computes and moves (device.h has their meaning).
 * Source: PTX ISA 9.0, "Instruction Set": fma, dp4a, mma.sync; each module asks for the oldest version that has them.
 */
#include "measure/device/device.h"

/* PTX as macros: laid out by hand. */
/* clang-format off */

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Woverlength-strings" /* an unrolled loop is long, and every compiler takes it */
#endif

#define EACH_8(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)
#define EACH_16(M) EACH_8(M) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)
#define TIMES_8(text) text text text text text text text text
#define TIMES_16(text) TIMES_8(text) TIMES_8(text)

#define HEAD(version, target) ".version " version "\n.target " target "\n.address_size 64\n"
#define ENTRY(name)                                                                                                    \
    ".visible .entry " name "(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pn)\n{\n"                     \
    ".reg .pred p;\n.reg .b32 item, group, size, local, t, start;\n.reg .b64 a, b, c, n, i, all, at, wide;\n"           \
    "ld.param.u64 a, [pa];\nld.param.u64 b, [pb];\nld.param.u64 c, [pc];\nld.param.u64 n, [pn];\n"                      \
    "cvta.to.global.u64 a, a;\ncvta.to.global.u64 b, b;\ncvta.to.global.u64 c, c;\n"                                    \
    "mov.u32 group, %ctaid.x;\nmov.u32 size, %ntid.x;\nmov.u32 local, %tid.x;\nmad.lo.u32 item, group, size, local;\n"
#define LOOP(body)                                                                                                     \
    "mov.u64 i, 0;\nLOOP:\n" body "add.u64 i, i, 1;\nsetp.lt.u64 p, i, n;\n@p bra LOOP;\n"
/* `at`: where this work item's `bytes` bytes of a lie. */
#define PLACE(bytes) "mul.wide.u32 wide, item, " #bytes ";\nadd.u64 at, a, wide;\n"
#define END "ret;\n}\n"

/* ---- vector units: 16 accumulators, r0 .. r15, that start at (item & 3) + k ---- */

#define START "and.b32 start, item, 3;\n"
#define NUMBER(k) "add.u32 t, start, " #k ";\n"

#define F32_BEGIN(k) NUMBER(k) "cvt.rn.f32.u32 r" #k ", t;\n"
#define F32_STEP(k) "fma.rn.f32 r" #k ", r" #k ", x, y;\n"
#define F32_SUM(k) "add.rn.f32 sum, sum, r" #k ";\n"
static const char f32_text[] = HEAD("6.0", "sm_50") ENTRY("compute")
    ".reg .f32 x, y, sum, r<16>;\nld.global.f32 x, [b];\nld.global.f32 y, [b+4];\nmov.f32 sum, 0f00000000;\n" START
    EACH_16(F32_BEGIN) LOOP(TIMES_16(EACH_16(F32_STEP))) EACH_16(F32_SUM) PLACE(4) "st.global.f32 [at], sum;\n" END;

#define F64_BEGIN(k) NUMBER(k) "cvt.rn.f64.u32 r" #k ", t;\n"
#define F64_STEP(k) "fma.rn.f64 r" #k ", r" #k ", x, y;\n"
#define F64_SUM(k) "add.rn.f64 sum, sum, r" #k ";\n"
static const char f64_text[] = HEAD("6.0", "sm_50") ENTRY("compute")
    ".reg .f64 x, y, sum, r<16>;\nld.global.f64 x, [b];\nld.global.f64 y, [b+8];\nmov.f64 sum, 0d0000000000000000;\n" START
    EACH_16(F64_BEGIN) LOOP(TIMES_16(EACH_16(F64_STEP))) EACH_16(F64_SUM) PLACE(8) "st.global.f64 [at], sum;\n" END;

#define F16_BEGIN(k) NUMBER(k) "cvt.rn.f16.u32 h, t;\nmov.b32 r" #k ", {h, h};\n"
#define F16_STEP(k) "fma.rn.f16x2 r" #k ", r" #k ", x, y;\n"
#define F16_SUM(k) "add.f16x2 sum, sum, r" #k ";\n"
static const char f16_text[] = HEAD("6.0", "sm_53") ENTRY("compute")
    ".reg .b16 h;\n.reg .b32 x, y, sum, r<16>;\nld.global.u32 x, [b];\nld.global.u32 y, [b+4];\nmov.u32 sum, 0;\n" START
    EACH_16(F16_BEGIN) LOOP(TIMES_16(EACH_16(F16_STEP))) EACH_16(F16_SUM) PLACE(4) "st.global.u32 [at], sum;\n" END;

#define INT_SUM(k) "add.u32 sum, sum, r" #k ";\n"
#define INT32_BEGIN(k) NUMBER(k) "mov.u32 r" #k ", t;\n"
#define INT32_STEP(k) "mad.lo.u32 r" #k ", r" #k ", x, y;\n"
static const char int32_text[] = HEAD("6.0", "sm_50") ENTRY("compute")
    ".reg .b32 x, y, sum, r<16>;\nld.global.u32 x, [b];\nld.global.u32 y, [b+4];\nmov.u32 sum, 0;\n" START
    EACH_16(INT32_BEGIN) LOOP(TIMES_16(EACH_16(INT32_STEP))) EACH_16(INT_SUM) PLACE(4) "st.global.u32 [at], sum;\n" END;

#define DOT_STEP(k) "dp4a.s32.s32 r" #k ", r" #k ", x, r" #k ";\n"
static const char dot_text[] = HEAD("6.0", "sm_61") ENTRY("compute")
    ".reg .b32 x, sum, r<16>;\nld.global.u32 x, [b];\nmov.u32 sum, 0;\n" START
    EACH_16(INT32_BEGIN) LOOP(TIMES_16(EACH_16(DOT_STEP))) EACH_16(INT_SUM) PLACE(4) "st.global.u32 [at], sum;\n" END;

/* ---- matrix units: 8 tiles, of which a work item holds the registers q0 .. q7, r, s, u; tile k starts at k ---- */

#define FOUR(k) "{q" #k ", r" #k ", s" #k ", u" #k "}"
#define TWO(k) "{q" #k ", r" #k "}"

#define TILE_F32_BEGIN(k)                                                                                              \
    "mov.u32 t, " #k ";\ncvt.rn.f32.u32 q" #k ", t;\nmov.f32 r" #k ", q" #k ";\nmov.f32 s" #k ", q" #k ";\n"            \
    "mov.f32 u" #k ", q" #k ";\n"
#define TILE_F32_SUM(k)                                                                                                \
    "add.rn.f32 e, e, q" #k ";\nadd.rn.f32 f, f, r" #k ";\nadd.rn.f32 g, g, s" #k ";\nadd.rn.f32 h, h, u" #k ";\n"
#define TILE_F32(version, target, steps)                                                                               \
    HEAD(version, target) ENTRY("compute")                                                                             \
    ".reg .b32 x, y;\n.reg .f32 q<8>, r<8>, s<8>, u<8>, e, f, g, h;\nld.global.u32 x, [b];\nld.global.u32 y, [b+4];\n"   \
    "mov.f32 e, 0f00000000;\nmov.f32 f, e;\nmov.f32 g, e;\nmov.f32 h, e;\n" EACH_8(TILE_F32_BEGIN)                      \
    LOOP(TIMES_8(EACH_8(steps))) EACH_8(TILE_F32_SUM) PLACE(16) "st.global.v4.f32 [at], {e, f, g, h};\n" END
#define MMA(shape, types, k) "mma.sync.aligned." shape ".row.col." types " " FOUR(k) ", {x, x, x, x}, {y, y}, " FOUR(k) ";\n"

#define F16_TILE(k) MMA("m16n8k16", "f32.f16.f16.f32", k)
#define BF16_TILE(k) MMA("m16n8k16", "f32.bf16.bf16.f32", k)
#define TF32_TILE(k) MMA("m16n8k8", "f32.tf32.tf32.f32", k)
#define FP8_TILE(k) MMA("m16n8k32", "f32.e4m3.e4m3.f32", k)
#define INT8_TILE(k) MMA("m16n8k32", "s32.s8.s8.s32", k)
static const char f16_tile_text[] = TILE_F32("7.0", "sm_80", F16_TILE);
static const char bf16_tile_text[] = TILE_F32("7.0", "sm_80", BF16_TILE);
static const char tf32_tile_text[] = TILE_F32("7.0", "sm_80", TF32_TILE);
static const char fp8_tile_text[] = TILE_F32("8.4", "sm_89", FP8_TILE);

#define TILE_S32_BEGIN(k) "mov.u32 q" #k ", " #k ";\nmov.u32 r" #k ", " #k ";\nmov.u32 s" #k ", " #k ";\nmov.u32 u" #k ", " #k ";\n"
#define TILE_S32_SUM(k)                                                                                                \
    "add.u32 e, e, q" #k ";\nadd.u32 f, f, r" #k ";\nadd.u32 g, g, s" #k ";\nadd.u32 h, h, u" #k ";\n"
static const char int8_tile_text[] = HEAD("7.0", "sm_80") ENTRY("compute")
    ".reg .b32 x, y, q<8>, r<8>, s<8>, u<8>, e, f, g, h;\nld.global.u32 x, [b];\nld.global.u32 y, [b+4];\n"
    "mov.u32 e, 0;\nmov.u32 f, 0;\nmov.u32 g, 0;\nmov.u32 h, 0;\n" EACH_8(TILE_S32_BEGIN)
    LOOP(TIMES_8(EACH_8(INT8_TILE))) EACH_8(TILE_S32_SUM) PLACE(16) "st.global.v4.u32 [at], {e, f, g, h};\n" END;

#define TILE_F64_BEGIN(k) "mov.u32 t, " #k ";\ncvt.rn.f64.u32 q" #k ", t;\nmov.f64 r" #k ", q" #k ";\n"
#define TILE_F64_SUM(k) "add.rn.f64 e, e, q" #k ";\nadd.rn.f64 f, f, r" #k ";\n"
#define F64_TILE(k) "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 " TWO(k) ", {x}, {y}, " TWO(k) ";\n"
static const char f64_tile_text[] = HEAD("7.0", "sm_80") ENTRY("compute")
    ".reg .f64 x, y, q<8>, r<8>, e, f;\nld.global.f64 x, [b];\nld.global.f64 y, [b+8];\n"
    "mov.f64 e, 0d0000000000000000;\nmov.f64 f, e;\n" EACH_8(TILE_F64_BEGIN)
    LOOP(TIMES_8(EACH_8(F64_TILE))) EACH_8(TILE_F64_SUM) PLACE(16) "st.global.v2.f64 [at], {e, f};\n" END;

#define TILE_HALF_BEGIN(k) "mov.u32 t, " #k ";\ncvt.rn.f16.u32 half, t;\nmov.b32 q" #k ", {half, half};\nmov.b32 r" #k ", {half, half};\n"
#define TILE_HALF_SUM(k) "add.f16x2 e, e, q" #k ";\nadd.f16x2 f, f, r" #k ";\n"
#define HALF_TILE(k) "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 " TWO(k) ", {x, x, x, x}, {y, y}, " TWO(k) ";\n"
static const char half_tile_text[] = HEAD("7.0", "sm_80") ENTRY("compute")
    ".reg .b16 half;\n.reg .b32 x, y, q<8>, r<8>, e, f;\nld.global.u32 x, [b];\nld.global.u32 y, [b+4];\n"
    "mov.u32 e, 0;\nmov.u32 f, 0;\n" EACH_8(TILE_HALF_BEGIN)
    LOOP(TIMES_8(EACH_8(HALF_TILE))) EACH_8(TILE_HALF_SUM) PLACE(8) "st.global.v2.u32 [at], {e, f};\n" END;

/* ---- memory: 16-byte elements in strides of all work items ---- */

#define STRIDE                                                                                                         \
    "mov.u32 t, %nctaid.x;\nmul.wide.u32 all, t, size;\ncvt.u64.u32 i, item;\n"                                         \
    "shl.b64 wide, i, 4;\nadd.u64 at, a, wide;\nadd.u64 b, b, wide;\nadd.u64 c, c, wide;\nshl.b64 wide, all, 4;\n"
#define WALK(body)                                                                                                     \
    "setp.ge.u64 p, i, n;\n@p bra DONE;\nLOOP:\n" body                                                                  \
    "add.u64 at, at, wide;\nadd.u64 b, b, wide;\nadd.u64 c, c, wide;\nadd.u64 i, i, all;\nsetp.lt.u64 p, i, n;\n@p bra LOOP;\nDONE:\n"

static const char load_text[] = HEAD("6.0", "sm_50") ENTRY("load")
    ".reg .b32 q, r, s, u, e, f, g, h;\nmov.u32 e, 0;\nmov.u32 f, 0;\nmov.u32 g, 0;\nmov.u32 h, 0;\n" STRIDE
    WALK("ld.global.v4.u32 {q, r, s, u}, [b];\nadd.u32 e, e, q;\nadd.u32 f, f, r;\nadd.u32 g, g, s;\nadd.u32 h, h, u;\n")
    PLACE(16) "st.global.v4.u32 [at], {e, f, g, h};\n" END;
static const char copy_text[] = HEAD("6.0", "sm_50") ENTRY("copy")
    ".reg .b32 q, r, s, u;\n" STRIDE
    WALK("ld.global.v4.u32 {q, r, s, u}, [b];\nst.global.v4.u32 [at], {q, r, s, u};\n") END;
static const char triad_text[] = HEAD("6.0", "sm_50") ENTRY("triad")
    ".reg .f32 q, r, s, u, e, f, g, h, three;\nmov.f32 three, 0f40400000;\n" STRIDE
    WALK("ld.global.v4.f32 {q, r, s, u}, [b];\nld.global.v4.f32 {e, f, g, h}, [c];\n"
         "fma.rn.f32 q, e, three, q;\nfma.rn.f32 r, f, three, r;\nfma.rn.f32 s, g, three, s;\nfma.rn.f32 u, h, three, u;\n"
         "st.global.v4.f32 [at], {q, r, s, u};\n") END;

/* Shared memory. volatile: the same places are read in every iteration, and must be. */
#define READ(k)                                                                                                        \
    "ld.volatile.shared.v4.u32 {q, r, s, u}, [t+" #k "];\nadd.u32 e, e, q;\nadd.u32 f, f, r;\nadd.u32 g, g, s;\nadd.u32 h, h, u;\n"
static const char shared_text[] = HEAD("6.0", "sm_50") ENTRY("inner")
    ".shared .align 16 .b8 box[8192];\n"
    ".reg .b32 q, r, s, u, e, f, g, h, box_at;\nmov.u32 box_at, box;\nmov.u32 e, 0;\nmov.u32 f, 0;\nmov.u32 g, 0;\nmov.u32 h, 0;\n"
    "mov.u32 start, local;\nFILL:\nmul.wide.u32 wide, start, 16;\nadd.u64 at, b, wide;\nld.global.v4.u32 {q, r, s, u}, [at];\n"
    "shl.b32 t, start, 4;\nadd.u32 t, t, box_at;\nst.shared.v4.u32 [t], {q, r, s, u};\nadd.u32 start, start, size;\n"
    "setp.lt.u32 p, start, 512;\n@p bra FILL;\nbar.sync 0;\n"
    "shl.b32 t, local, 4;\nadd.u32 t, t, box_at;\n"
    LOOP(READ(0) READ(256) READ(512) READ(768) READ(1024) READ(1280) READ(1536) READ(1792)
         READ(2048) READ(2304) READ(2560) READ(2816) READ(3072) READ(3328) READ(3584) READ(3840))
    PLACE(16) "st.global.v4.u32 [at], {e, f, g, h};\n" END;

static const char tiny_text[] = HEAD("6.0", "sm_50") ENTRY("tiny")
    "setp.ne.u32 p, item, 0;\n@p bra DONE;\nld.global.u32 t, [a];\nadd.u32 t, t, 1;\nst.global.u32 [a], t;\nDONE:\n" END;

#define MEMORY(function, source, kind, bytes)                                                                          \
    {.name = function, .label = function, .text = source, .capability = 50, .pattern = kind, .dtype = ROOF_F32, .work = bytes}
#define VECTOR(what, source, least, kind, of, width, flops)                                                            \
    {.name = "compute", .label = what, .text = source, .capability = least, .pattern = kind, .dtype = of, .lanes = width,    \
     .chains = 16, .steps = 16, .work = flops * 16.0 * 16}
/* `flops` of one mma of a warp. */
#define TILES(what, source, least, of, kept, width, depth, flops)                                                      \
    {.name = "compute", .label = what, .text = source, .capability = least, .pattern = ROOF_PATTERN_DOT, .unit = ROOF_MATRIX,  \
     .dtype = of, .held = kept, .lanes = width, .chains = 8, .steps = 8, .terms = depth, .work = flops / 32.0 * 8 * 8}

static const device_kernel kernels[] = {
    MEMORY("load", load_text, ROOF_PATTERN_LOAD, 16),
    MEMORY("copy", copy_text, ROOF_PATTERN_COPY, 32),
    MEMORY("triad", triad_text, ROOF_PATTERN_TRIAD, 48),
    VECTOR("f32 fma", f32_text, 50, ROOF_PATTERN_FMA, ROOF_F32, 1, 2),
    VECTOR("f64 fma", f64_text, 50, ROOF_PATTERN_FMA, ROOF_F64, 1, 2),
    VECTOR("f16 fma, vectors of 2", f16_text, 53, ROOF_PATTERN_FMA, ROOF_F16, 2, 4),
    VECTOR("int32 mad", int32_text, 50, ROOF_PATTERN_FMA, ROOF_INT32, 1, 2),
    {.name = "compute", .label = "int8 dot, 4 bytes", .text = dot_text, .capability = 61, .pattern = ROOF_PATTERN_DOT,
     .dtype = ROOF_INT8, .held = ROOF_INT32, .lanes = 1, .chains = 16, .steps = 16, .work = 8.0 * 16 * 16},
    TILES("bf16 mma m16n8k16", bf16_tile_text, 80, ROOF_BF16, ROOF_F32, 4, 16, 4096),
    TILES("f16 mma m16n8k16", f16_tile_text, 80, ROOF_F16, ROOF_F32, 4, 16, 4096),
    {.name = "compute", .label = "f16 mma m16n8k16, f16 sums", .text = half_tile_text, .capability = 80,
     .pattern = ROOF_PATTERN_DOT, .unit = ROOF_MATRIX, .dtype = ROOF_F16, .narrow = true, .lanes = 4, .chains = 8, .steps = 8,
     .terms = 16, .work = 4096 / 32.0 * 8 * 8},
    TILES("tf32 mma m16n8k8", tf32_tile_text, 80, ROOF_TF32, ROOF_F32, 4, 8, 2048),
    TILES("f64 mma m8n8k4", f64_tile_text, 80, ROOF_F64, ROOF_F64, 2, 4, 512),
    TILES("int8 mma m16n8k32", int8_tile_text, 80, ROOF_INT8, ROOF_INT32, 4, 32, 8192),
    TILES("fp8 mma m16n8k32", fp8_tile_text, 89, ROOF_FP8, ROOF_F32, 4, 32, 8192),
    {.name = "inner", .label = "shared memory read", .text = shared_text, .capability = 50, .pattern = ROOF_PATTERN_LOAD,
     .dtype = ROOF_F32, .level = ROOF_L1, .steps = 16, .work = 16.0 * 16},
    {.name = "tiny", .label = "tiny kernel", .text = tiny_text, .capability = 50, .pattern = ROOF_PATTERN_LAUNCH},
};

const device_kernel *cuda_kernel_at(size_t index) {
    return index < sizeof kernels / sizeof kernels[0] ? &kernels[index] : NULL;
}
