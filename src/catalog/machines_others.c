/* Machines of vendors with few rows: Huawei, Groq, Tenstorrent, Fujitsu. Conventions and sources: docs/catalog.md. */
#include "catalog/machines.h"

/* A card a machine, laid out by hand: names, then peaks by unit, memory, link and the rest. */
/* clang-format off */

static const machine_row huawei_rows[] = {
    {.id = "ascend-910c", .name = "Huawei Ascend 910C", .aliases = "910c, huawei-ascend-910c",
     .architecture = "Da Vinci", .scope = "package (2 dies)", .memory_kind = "HBM2e", .link_kind = "Unified Bus",
     .year = 2025, .sources = "cloudmatrix epoch",
     .note = "two dies of 376; 780 and 800 TFLOP/s in the press; no FP8; memory kind not checked",
     .figures = (const machine_figure[]){
         MATRIX(F16, 752e12), MATRIX(BF16, 752e12), MATRIX(INT8, 1.504e15),
         SIZE(DRAM, 128 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 3.2e12, .from = "epoch"),
         LINK(392e9), LINK_DEVICES(384), END}},
};

static const machine_row groq_rows[] = {
    {.id = "lpu-v1", .name = "Groq LPU v1", .aliases = "groq, lpu, groqchip, groq-lpu-v1", .architecture = "TSP",
     .scope = "chip", .memory_kind = "SRAM on chip", .year = 2020, .sources = "epoch groq",
     .note = "230 MB of on-chip SRAM and no DRAM: the DRAM roof is the SRAM; models span hundreds of chips; 215-300 "
             "W",
     .figures = (const machine_figure[]){
         MATRIX(F16, 188e12), MATRIX(INT8, 750e12, .from = "epoch"),
         SIZE(DRAM, 230e6), BANDWIDTH(DRAM, 80e12, .from = "epoch"),
         POWER(215, .from = "epoch"), END}},
};

static const machine_row tenstorrent_rows[] = {
    {.id = "n150", .name = "Tenstorrent Wormhole n150", .aliases = "wormhole, wormhole-n150, tenstorrent-n150",
     .family = "wormhole", .architecture = "Wormhole", .scope = "board (1 ASIC)", .memory_kind = "GDDR6",
     .link_kind = "2x200G QSFP-DD + warp", .year = 2024, .sources = "ttdocs ttmetal",
     .note = "rates depend on math fidelity: FP8 at the lowest, FP16 and BF16 at the highest; L2 is the SRAM of all "
             "cores",
     .figures = (const machine_figure[]){
         MATRIX(F16, 74e12), MATRIX(BF16, 74e12), MATRIX(FP8, 262e12),
         SIZE(DRAM, 12 * GIB), BANDWIDTH(DRAM, 288e9), SIZE(L2, 108 * MIB),
         HOST_LINK(31.5e9), UNITS(72), CLOCK(1e9), POWER(160), END}},
    {.id = "n300", .name = "Tenstorrent Wormhole n300", .aliases = "wormhole-n300, tenstorrent-n300",
     .family = "wormhole", .architecture = "Wormhole", .scope = "board (2 ASICs)", .memory_kind = "GDDR6",
     .year = 2024, .sources = "ttdocs ttmetal",
     .note = "rates depend on math fidelity; software sees two devices; L2 is the SRAM of all cores",
     .figures = (const machine_figure[]){
         MATRIX(F16, 131e12), MATRIX(BF16, 131e12), MATRIX(FP8, 466e12),
         SIZE(DRAM, 24 * GIB), BANDWIDTH(DRAM, 576e9), SIZE(L2, 192 * MIB),
         HOST_LINK(31.5e9), UNITS(128), CLOCK(1e9), POWER(300), END}},
    {.id = "p150a", .name = "Tenstorrent Blackhole p150a",
     .aliases = "blackhole, p150, blackhole-p150a, tenstorrent-p150a", .architecture = "Blackhole",
     .scope = "board (1 ASIC)", .memory_kind = "GDDR6", .link_kind = "4x800G QSFP-DD", .year = 2025,
     .sources = "ttdocs ttmetal awesomeagents",
     .note = "120 cores since a firmware of February 2026, 140 before; BF16 at the highest fidelity (332 TFLOP/s at "
             "the middle one)",
     .figures = (const machine_figure[]){
         MATRIX(F16, 166e12), MATRIX(BF16, 166e12, .unchecked = true), MATRIX(FP8, 664e12),
         SIZE(DRAM, 32 * GIB), BANDWIDTH(DRAM, 512e9), SIZE(L2, 180 * MIB),
         LINK(400e9), HOST_LINK(63e9), UNITS(120), CLOCK(1.35e9), POWER(300), END}},
};

static const machine_row fujitsu_rows[] = {
    {.id = "a64fx", .name = "Fujitsu A64FX (FX1000)", .aliases = "fugaku, fujitsu-a64fx",
     .architecture = "A64FX SVE-512", .scope = "socket", .memory_kind = "HBM2", .year = 2020, .sources = "kerncraft",
     .note = "4 x 8 MB of L2, no L3; the FX700 runs at 1.8 GHz",
     .figures = (const machine_figure[]){
         VECTOR(F64, 3.379e12, .from = "formula kerncraft", .origin = ROOF_ORIGIN_DERIVED),
         VECTOR(F32, 6.758e12, .from = "formula kerncraft", .origin = ROOF_ORIGIN_DERIVED),
         VECTOR(F16, 13.5e12, .from = "formula kerncraft", .origin = ROOF_ORIGIN_DERIVED),
         SIZE(DRAM, 32 * GIB), BANDWIDTH(DRAM, 1.024e12), SIZE(L2, 32 * MIB),
         UNITS(48), CLOCK(2.2e9), END}},
};

const machine_table machines_huawei = {
    .vendor = "Huawei", .rows = huawei_rows, .count = sizeof huawei_rows / sizeof huawei_rows[0]};

const machine_table machines_groq = {
    .vendor = "Groq", .rows = groq_rows, .count = sizeof groq_rows / sizeof groq_rows[0]};

const machine_table machines_tenstorrent = {
    .vendor = "Tenstorrent", .rows = tenstorrent_rows, .count = sizeof tenstorrent_rows / sizeof tenstorrent_rows[0]};

const machine_table machines_fujitsu = {
    .vendor = "Fujitsu", .rows = fujitsu_rows, .count = sizeof fujitsu_rows / sizeof fujitsu_rows[0]};
