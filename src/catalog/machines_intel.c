/* Intel accelerators, GPUs and CPUs. Conventions and sources: docs/catalog.md. */
#include "catalog/machines.h"

/* A card a machine, laid out by hand: names, then peaks by unit, memory, link and the rest. */
/* clang-format off */

static const machine_row rows[] = {
    {.id = "gaudi2", .name = "Intel Gaudi 2", .aliases = "gaudi-2, hl-225, intel-gaudi2", .architecture = "Gaudi2",
     .scope = "device", .memory_kind = "HBM2e", .link_kind = "24x100GbE RoCE (21 intra-node)", .year = 2022,
     .sources = "stas epoch gaudidocs",
     .note = "L2 is the shared SRAM; 21 of the 24 ports stay inside a node: 262.5 GB/s",
     .figures = (const machine_figure[]){
         MATRIX(F16, 432e12, .unchecked = true), MATRIX(BF16, 432e12, .from = "stas"),
         MATRIX(FP8, 865e12, .from = "epoch stas"),
         SIZE(DRAM, 96 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 2.46e12, .from = "epoch stas"), SIZE(L2, 48 * MIB),
         LINK(300e9), LINK_DEVICES(8), HOST_LINK(31.5e9), UNITS(2), CLOCK(1.65e9), POWER(600, .from = "epoch"),
         END}},
    {.id = "gaudi3", .name = "Intel Gaudi 3", .aliases = "gaudi-3, hl-325l, intel-gaudi3", .architecture = "Gaudi3",
     .scope = "device", .memory_kind = "HBM2e", .link_kind = "24x200GbE RoCE", .year = 2024,
     .sources = "stas gaudi3hc epoch genz",
     .note = "white paper 1835 TFLOP/s at 1750 MHz, shipping part 1678 at 1600 MHz; FP8 runs at the BF16 rate; "
             "memory is HBM2e",
     .figures = (const machine_figure[]){
         VECTOR(F32, 14.3e12, .from = "epoch"), VECTOR(BF16, 28.7e12),
         MATRIX(F32, 229e12, .from = "stas"), MATRIX(TF32, 459e12, .from = "epoch stas", .unchecked = true),
         MATRIX(F16, 459e12, .from = "stas", .unchecked = true), MATRIX(BF16, 1.678e15, .from = "epoch stas"),
         MATRIX(FP8, 1.678e15, .from = "epoch stas"),
         SIZE(DRAM, 128 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 3.67e12, .from = "epoch genz stas"),
         SIZE(L2, 96 * MIB), BANDWIDTH(L2, 12.8e12, .from = "gaudi3hc"),
         LINK(600e9), LINK_DEVICES(8), HOST_LINK(63e9), UNITS(8), CLOCK(1.6e9), POWER(900, .from = "epoch"), END}},
    {.id = "max-1550", .name = "Intel Data Center GPU Max 1550",
     .aliases = "ponte-vecchio, pvc, gpu-max-1550, intel-max-1550", .architecture = "Xe-HPC",
     .scope = "board (2 tiles)", .memory_kind = "HBM2e", .link_kind = "Xe Link (16)", .year = 2023,
     .sources = "klockwood epoch alcf torchtitan",
     .note = "board of two tiles, software can see each; a tile measured 256 TFLOP/s BF16 and 11 TFLOP/s FP64: far "
             "below half the peak",
     .figures = (const machine_figure[]){
         VECTOR(F64, 52.4e12), VECTOR(F32, 52.4e12, .from = "epoch"),
         MATRIX(TF32, 419e12), MATRIX(F16, 839e12), MATRIX(BF16, 839e12), MATRIX(INT8, 1.678e15),
         SIZE(DRAM, 128 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 3.277e12, .from = "epoch"), SIZE(L2, 408 * MIB),
         LINK_DEVICES(8), HOST_LINK(63e9), UNITS(128), CLOCK(1.6e9), POWER(600, .from = "epoch"), END}},
    {.id = "arc-a770", .name = "Intel Arc A770 16 GB", .aliases = "a770, arc-a770-16g, intel-arc-a770",
     .architecture = "Xe-HPG", .scope = "device", .memory_kind = "GDDR6", .year = 2022, .sources = "hmc",
     .note = "at the 2100 MHz graphics clock; 19.66 TFLOP/s at 2400 MHz",
     .figures = (const machine_figure[]){
         VECTOR(F32, 17.2e12, .from = "formula hmc", .origin = ROOF_ORIGIN_DERIVED),
         VECTOR(F16, 34.4e12, .from = "formula hmc", .origin = ROOF_ORIGIN_DERIVED),
         MATRIX(F16, 137.6e12, .from = "formula hmc", .origin = ROOF_ORIGIN_DERIVED),
         MATRIX(BF16, 137.6e12, .from = "formula hmc", .origin = ROOF_ORIGIN_DERIVED),
         MATRIX(INT8, 275.3e12, .from = "formula hmc", .origin = ROOF_ORIGIN_DERIVED),
         SIZE(DRAM, 16 * GIB), BANDWIDTH(DRAM, 560e9), SIZE(L2, 16 * MIB, .unchecked = true),
         HOST_LINK(31.5e9), UNITS(32), CLOCK(2.1e9), POWER(225), END}},
    {.id = "arc-b580", .name = "Intel Arc B580", .aliases = "b580, intel-arc-b580", .architecture = "Xe2-HPG",
     .scope = "device", .memory_kind = "GDDR6", .year = 2024, .sources = "hmc intelpages",
     .note = "at 2670 MHz; 14.6 TFLOP/s at 2850 MHz; INT4 from one page",
     .figures = (const machine_figure[]){
         VECTOR(F32, 13.67e12), VECTOR(F16, 27.3e12, .unchecked = true),
         MATRIX(F16, 117e12), MATRIX(BF16, 117e12), MATRIX(INT8, 233e12), MATRIX(INT4, 437e12, .unchecked = true),
         SIZE(DRAM, 12 * GIB), BANDWIDTH(DRAM, 456e9), SIZE(L2, 18 * MIB),
         HOST_LINK(15.75e9), UNITS(20), CLOCK(2.67e9), POWER(190), END}},
    {.id = "xeon-8380", .name = "Intel Xeon Platinum 8380",
     .aliases = "8380, xeon-platinum-8380, ice-lake-sp, intel-xeon-8380", .architecture = "Ice Lake-SP",
     .scope = "socket", .memory_kind = "8x DDR4-3200", .year = 2021, .sources = "hexus ginjfo wccftech",
     .note = "peaks at the base clock: heavy AVX-512 or AMX work can clock lower, turbo higher; measure; INT8 is "
             "VNNI",
     .figures = (const machine_figure[]){
         VECTOR(F64, 2.944e12, BY_FORMULA), VECTOR(F32, 5.888e12, BY_FORMULA),
         VECTOR(INT8, 23.552e12, BY_FORMULA, .unchecked = true),
         BANDWIDTH(DRAM, 204.8e9), SIZE(L3, 60 * MIB),
         UNITS(40), CLOCK(2.3e9), POWER(270), END}},
    {.id = "xeon-8480plus", .name = "Intel Xeon Platinum 8480+",
     .aliases = "8480+, xeon-8480+, xeon-platinum-8480+, intel-xeon-8480plus", .architecture = "Sapphire Rapids",
     .scope = "socket", .memory_kind = "8x DDR5-4800", .year = 2023, .sources = "amxwiki computerbase",
     .note = "peaks at the base clock: heavy AVX-512 or AMX work can clock lower, turbo higher; measure",
     .figures = (const machine_figure[]){
         VECTOR(F64, 3.584e12, .from = "formula amxwiki", .origin = ROOF_ORIGIN_DERIVED),
         VECTOR(F32, 7.168e12, .from = "formula amxwiki", .origin = ROOF_ORIGIN_DERIVED),
         MATRIX(BF16, 114.688e12, .from = "formula amxwiki", .origin = ROOF_ORIGIN_DERIVED),
         MATRIX(INT8, 229.376e12, .from = "formula amxwiki", .origin = ROOF_ORIGIN_DERIVED),
         BANDWIDTH(DRAM, 307.2e9), SIZE(L3, 105 * MIB),
         UNITS(56), CLOCK(2e9), POWER(350), END}},
    {.id = "xeon-8592plus", .name = "Intel Xeon Platinum 8592+",
     .aliases = "8592+, xeon-8592+, xeon-platinum-8592+, intel-xeon-8592plus", .architecture = "Emerald Rapids",
     .scope = "socket", .memory_kind = "8x DDR5-5600", .year = 2023, .sources = "techopse nowhyderabad",
     .note = "peaks at the base clock: heavy AVX-512 or AMX work can clock lower, turbo higher; measure",
     .figures = (const machine_figure[]){
         VECTOR(F64, 3.891e12, BY_FORMULA), VECTOR(F32, 7.782e12, BY_FORMULA),
         MATRIX(BF16, 124.518e12, BY_FORMULA), MATRIX(INT8, 249.037e12, BY_FORMULA),
         BANDWIDTH(DRAM, 358.4e9), SIZE(L3, 320 * MIB),
         UNITS(64), CLOCK(1.9e9), POWER(350), END}},
    {.id = "xeon-6980p", .name = "Intel Xeon 6980P", .aliases = "6980p, granite-rapids, intel-xeon-6980p",
     .architecture = "Granite Rapids", .scope = "socket", .memory_kind = "12x MRDIMM-8800", .year = 2024,
     .sources = "pcmasters wccftech",
     .note = "peaks at the base clock: heavy AVX-512 or AMX work can clock lower, turbo higher; measure; bandwidth "
             "needs MRDIMM-8800, DDR5-6400 gives 614 GB/s; AMX also has FP16",
     .figures = (const machine_figure[]){
         VECTOR(F64, 8.192e12, BY_FORMULA), VECTOR(F32, 16.384e12, BY_FORMULA),
         MATRIX(BF16, 262.144e12, BY_FORMULA), MATRIX(INT8, 524.288e12, BY_FORMULA),
         BANDWIDTH(DRAM, 844.8e9), SIZE(L3, 504 * MIB),
         UNITS(128), CLOCK(2e9), POWER(500), END}},
};

const machine_table machines_intel = {.vendor = "Intel", .rows = rows, .count = sizeof rows / sizeof rows[0]};
