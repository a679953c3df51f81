/* Rate check: FLOP per clock and SM (or CU) times SMs times clock must give each figure of a row within 3 %.
 *
 * Rates, dense, an FMA counted as 2: NVIDIA architecture white papers and CUDA programming guide (throughput by compute
 * capability), AMD CDNA and RDNA white papers. Clocks are the rows' own. */
#include "lint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum column {
    F64_VECTOR,
    F32_VECTOR,
    F16_VECTOR,
    BF16_VECTOR,
    F64_MATRIX,
    TF32,
    F16,
    BF16,
    FP8,
    FP6,
    FP4,
    INT8,
    INT4,
    F16_NARROW,
    FP8_NARROW,
    COLUMN_COUNT
} column;

static const size_t figure_offset[COLUMN_COUNT] = {
    [F64_VECTOR] = offsetof(roof_machine, peak[ROOF_VECTOR][ROOF_F64]),
    [F32_VECTOR] = offsetof(roof_machine, peak[ROOF_VECTOR][ROOF_F32]),
    [F16_VECTOR] = offsetof(roof_machine, peak[ROOF_VECTOR][ROOF_F16]),
    [BF16_VECTOR] = offsetof(roof_machine, peak[ROOF_VECTOR][ROOF_BF16]),
    [F64_MATRIX] = offsetof(roof_machine, peak[ROOF_MATRIX][ROOF_F64]),
    [TF32] = offsetof(roof_machine, peak[ROOF_MATRIX][ROOF_TF32]),
    [F16] = offsetof(roof_machine, peak[ROOF_MATRIX][ROOF_F16]),
    [BF16] = offsetof(roof_machine, peak[ROOF_MATRIX][ROOF_BF16]),
    [FP8] = offsetof(roof_machine, peak[ROOF_MATRIX][ROOF_FP8]),
    [FP6] = offsetof(roof_machine, peak[ROOF_MATRIX][ROOF_FP6]),
    [FP4] = offsetof(roof_machine, peak[ROOF_MATRIX][ROOF_FP4]),
    [INT8] = offsetof(roof_machine, peak[ROOF_MATRIX][ROOF_INT8]),
    [INT4] = offsetof(roof_machine, peak[ROOF_MATRIX][ROOF_INT4]),
    [F16_NARROW] = offsetof(roof_machine, narrow[ROOF_F16]),
    [FP8_NARROW] = offsetof(roof_machine, narrow[ROOF_FP8]),
};

typedef struct architecture {
    const char *name;
    double rate[COLUMN_COUNT]; /* FLOP per clock and unit; 0: none, or not published */
} architecture;

/* f64, f32, f16, bf16 vector; f64, tf32, f16, bf16, fp8, fp6, fp4, int8, int4 matrix; f16, fp8 with f16 accumulate */
static const architecture architectures[] = {
    {"volta", {64, 128, 256, 0, 0, 0, 1024, 0, 0, 0, 0, 0, 0, 1024, 0}},
    {"turing", {4, 128, 256, 0, 0, 0, 1024, 0, 0, 0, 0, 2048, 4096, 1024, 0}},
    {"ga100", {64, 128, 512, 256, 128, 1024, 2048, 2048, 0, 0, 0, 4096, 8192, 2048, 0}},
    {"ga10x_pro", {4, 256, 256, 256, 0, 512, 1024, 1024, 0, 0, 0, 2048, 4096, 1024, 0}},
    {"ga10x_geforce", {4, 256, 256, 256, 0, 256, 512, 512, 0, 0, 0, 2048, 4096, 1024, 0}},
    {"orin", {4, 256, 512, 512, 0, 1024, 2048, 2048, 0, 0, 0, 4096, 8192, 2048, 0}},
    {"ada_pro", {4, 256, 256, 256, 0, 512, 1024, 1024, 2048, 0, 0, 2048, 4096, 1024, 2048}},
    {"ada_geforce", {4, 256, 256, 256, 0, 256, 512, 512, 1024, 0, 0, 2048, 4096, 1024, 2048}},
    {"hopper", {128, 256, 512, 512, 256, 2048, 4096, 4096, 8192, 0, 0, 8192, 0, 4096, 8192}},
    {"blackwell", {128, 256, 512, 512, 128, 4096, 8192, 8192, 16384, 16384, 32768, 16384, 0, 8192, 16384}},
    {"blackwell_ultra", {4, 256, 512, 512, 4, 4096, 8192, 8192, 16384, 16384, 49152, 512, 0, 8192, 16384}},
    {"blackwell_geforce", {4, 256, 256, 256, 0, 256, 512, 512, 1024, 1024, 4096, 2048, 0, 1024, 2048}},
    {"blackwell_pro", {4, 256, 256, 256, 0, 512, 1024, 1024, 2048, 2048, 4096, 2048, 0, 1024, 2048}},
    {"cdna1", {64, 128, 256, 0, 0, 0, 1024, 512, 0, 0, 0, 1024, 1024, 1024, 0}},
    {"cdna2", {128, 128, 256, 0, 256, 0, 1024, 1024, 0, 0, 0, 1024, 1024, 1024, 0}},
    {"cdna3", {128, 256, 256, 0, 256, 1024, 2048, 2048, 4096, 0, 0, 4096, 0, 2048, 4096}},
    {"cdna4", {128, 256, 256, 0, 128, 0, 4096, 4096, 8192, 16384, 16384, 8192, 0, 4096, 8192}},
    {"rdna3", {8, 256, 512, 0, 0, 0, 512, 512, 0, 0, 0, 512, 1024, 512, 0}},
    {"rdna4", {4, 256, 512, 0, 0, 0, 1024, 1024, 2048, 0, 0, 2048, 4096, 1024, 2048}},
};

/* Rows that are checked: all of the architectures above that state a clock. `vector_hz`: clock of the vector and FP64
 * figures where it is not the row's matrix clock. Not here: h100-nvl, h200-nvl, b300-sxm, gb300 (no clock published)
 * and jetson-t5000-thor (a Blackwell of its own). */
typedef struct checked {
    const char *id, *architecture;
    double vector_hz;
    unsigned exempt; /* bits of columns, with the reason beside them */
} checked;

#define BIT(column) (1u << (column))
#define MATRIX_ALL (~0u << F64_MATRIX)

static const checked rows[] = {
    {"v100-sxm2-16", "volta", 0, 0},
    {"v100-sxm2-32", "volta", 0, 0},
    {"v100-pcie", "volta", 0, 0},
    {"t4", "turing", 0, 0},
    {"a100-sxm-40", "ga100", 0, 0},
    {"a100-sxm-80", "ga100", 0, 0},
    {"a100-pcie-40", "ga100", 0, 0},
    {"a100-pcie-80", "ga100", 0, 0},
    {"a30", "ga100", 0, 0},
    {"a10", "ga10x_pro", 0, 0},
    {"a10g", "ga10x_geforce", 0, BIT(INT8) | BIT(INT4)}, /* half of the rate; from no datasheet, marked not checked */
    {"a40", "ga10x_pro", 0, 0},
    {"rtx-a6000", "ga10x_pro", 0, 0},
    {"l4", "ada_pro", 0, 0},
    {"l40", "ada_geforce", 0, BIT(INT8) | BIT(INT4)}, /* the datasheet prints half of what the silicon would give */
    {"l40s", "ada_pro", 0, BIT(INT4)},                /* same */
    {"rtx-6000-ada", "ada_pro", 0, 0},
    {"h100-sxm", "hopper", 1.98e9, 0},
    {"h100-pcie", "hopper", 1.755e9, 0},
    {"h800-sxm", "hopper", 1.98e9, BIT(F64_VECTOR) | BIT(F64_MATRIX)}, /* FP64 cut for export */
    {"h20", "hopper", 0, ~0u},                                         /* cut for export: no rate of Hopper holds */
    {"h200-sxm", "hopper", 1.98e9, 0},
    {"gh200-96", "hopper", 1.98e9, 0},
    {"gh200-144", "hopper", 1.98e9, 0},
    {"b200-sxm", "blackwell", 1.965e9,
     MATRIX_ALL & ~BIT(F64_MATRIX)}, /* peaks are at 1.856 GHz, the clock is its limit */
    {"gb200", "blackwell", 0, 0},
    {"rtx-3060-12g", "ga10x_geforce", 0, 0},
    {"rtx-3090", "ga10x_geforce", 0, 0},
    {"rtx-3090-ti", "ga10x_geforce", 0, 0},
    {"rtx-4060-ti-16g", "ada_geforce", 0, 0},
    {"rtx-4070", "ada_geforce", 0, 0},
    {"rtx-4070-super", "ada_geforce", 0, 0},
    {"rtx-4080", "ada_geforce", 0, 0},
    {"rtx-4090", "ada_geforce", 0, 0},
    {"rtx-5070-ti", "blackwell_geforce", 0, 0},
    {"rtx-5080", "blackwell_geforce", 0, 0},
    {"rtx-5090", "blackwell_geforce", 0, 0},
    {"rtx-pro-6000", "blackwell_pro", 0, 0},
    {"rtx-pro-6000-server", "blackwell_pro", 0, 0},
    {"rtx-pro-6000-maxq", "blackwell_pro", 0, 0},
    {"jetson-agx-orin-64", "orin", 0, 0},
    {"dgx-spark", "blackwell_geforce", 0, 0},
    {"mi100", "cdna1", 0, 0},
    {"mi210", "cdna2", 0, 0},
    {"mi250x", "cdna2", 0, 0},
    {"mi250x-gcd", "cdna2", 0, 0},
    {"mi300a", "cdna3", 0, 0},
    {"mi300x", "cdna3", 0, 0},
    {"mi325x", "cdna3", 0, 0},
    {"mi350x", "cdna4", 0, 0},
    {"mi355x", "cdna4", 0, 0},
    {"rx-7900-xtx", "rdna3", 0, 0},
    {"rx-9070-xt", "rdna4", 0, 0},
    {"ryzen-ai-max-395", "rdna3", 0, 0},
};

static const checked *find_row(const char *id) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].id, id) == 0)
            return &rows[i];
    return NULL;
}

static const double *find_rates(const char *name) {
    for (size_t i = 0; i < sizeof architectures / sizeof architectures[0]; i++)
        if (strcmp(architectures[i].name, name) == 0)
            return architectures[i].rate;
    return NULL;
}

const char *lint_rates(const roof_machine *machine, size_t *compared, char buffer[LINT_SIZE]) {
    const checked *row = find_row(machine->id);
    const double *rates = row ? find_rates(row->architecture) : NULL;
    for (int c = 0; rates && c < COLUMN_COUNT; c++) {
        const roof_figure *figure = (const roof_figure *)(const void *)((const char *)machine + figure_offset[c]);
        double clock = c <= F64_MATRIX && row->vector_hz > 0 ? row->vector_hz : machine->clock.value;
        if (figure->origin == ROOF_ORIGIN_UNKNOWN || rates[c] <= 0 || (row->exempt & BIT(c)))
            continue;
        double want = rates[c] * machine->units.value * clock;
        ++*compared;
        if (fabs(figure->value / want - 1) <= 0.03)
            continue;
        snprintf(buffer, LINT_SIZE, "%s: figure %d is %g, its rate gives %g", machine->id, c, figure->value, want);
        return buffer;
    }
    return NULL;
}
