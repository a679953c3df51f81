/* Apple SoCs, judged as their GPU. Conventions and sources: docs/catalog.md. */
#include "catalog/machines.h"

/* A card a machine, laid out by hand: names, then peaks by unit, memory, link and the rest. */
/* clang-format off */

static const machine_row rows[] = {
    {.id = "m1", .name = "Apple M1 (8-core GPU)", .aliases = "apple-m1", .architecture = "Apple GPU",
     .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2020, .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 2.62e12), VECTOR(F16, 2.62e12),
         SIZE(DRAM, 16 * GIB), BANDWIDTH(DRAM, 68.3e9, .from = "llmfit"), SIZE(L3, 8 * MIB),
         UNITS(8), CLOCK(1.278e9), END}},
    {.id = "m1-pro", .name = "Apple M1 Pro (16-core GPU)", .aliases = "apple-m1-pro", .architecture = "Apple GPU",
     .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2021, .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 5.31e12), VECTOR(F16, 5.31e12),
         SIZE(DRAM, 32 * GIB), BANDWIDTH(DRAM, 200e9, .from = "llmfit"), SIZE(L3, 24 * MIB),
         UNITS(16), CLOCK(1.296e9), END}},
    {.id = "m1-max", .name = "Apple M1 Max (32-core GPU)", .aliases = "apple-m1-max", .architecture = "Apple GPU",
     .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2021, .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 10.62e12), VECTOR(F16, 10.62e12),
         SIZE(DRAM, 64 * GIB), BANDWIDTH(DRAM, 400e9, .from = "llmfit"), SIZE(L3, 48 * MIB),
         UNITS(32), CLOCK(1.296e9), END}},
    {.id = "m1-ultra", .name = "Apple M1 Ultra (64-core GPU)", .aliases = "apple-m1-ultra",
     .architecture = "Apple GPU", .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2022,
     .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 21.23e12), VECTOR(F16, 21.23e12),
         SIZE(DRAM, 128 * GIB), BANDWIDTH(DRAM, 800e9, .from = "llmfit"), SIZE(L3, 96 * MIB),
         UNITS(64), CLOCK(1.296e9), END}},
    {.id = "m2", .name = "Apple M2 (10-core GPU)", .aliases = "apple-m2", .architecture = "Apple GPU",
     .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2022, .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 3.58e12), VECTOR(F16, 3.58e12),
         SIZE(DRAM, 24 * GIB), BANDWIDTH(DRAM, 100e9, .from = "llmfit"), SIZE(L3, 8 * MIB),
         UNITS(10), CLOCK(1.398e9), END}},
    {.id = "m2-pro", .name = "Apple M2 Pro (19-core GPU)", .aliases = "apple-m2-pro", .architecture = "Apple GPU",
     .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2023, .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 6.8e12), VECTOR(F16, 6.8e12),
         SIZE(DRAM, 32 * GIB), BANDWIDTH(DRAM, 200e9, .from = "llmfit"), SIZE(L3, 24 * MIB),
         UNITS(19), CLOCK(1.398e9), END}},
    {.id = "m2-max", .name = "Apple M2 Max (38-core GPU)", .aliases = "apple-m2-max", .architecture = "Apple GPU",
     .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2023, .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 13.6e12), VECTOR(F16, 13.6e12),
         SIZE(DRAM, 96 * GIB), BANDWIDTH(DRAM, 400e9, .from = "llmfit"), SIZE(L3, 48 * MIB),
         UNITS(38), CLOCK(1.398e9), END}},
    {.id = "m2-ultra", .name = "Apple M2 Ultra (76-core GPU)", .aliases = "apple-m2-ultra",
     .architecture = "Apple GPU", .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2023,
     .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 27.2e12), VECTOR(F16, 27.2e12),
         SIZE(DRAM, 192 * GIB), BANDWIDTH(DRAM, 800e9, .from = "llmfit"), SIZE(L3, 96 * MIB),
         UNITS(76), CLOCK(1.398e9), END}},
    {.id = "m3", .name = "Apple M3 (10-core GPU)", .aliases = "apple-m3", .architecture = "Apple GPU",
     .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2023, .sources = "metalbench hmc llmfit",
     .note = "clock from a third party: other sites give 1.6 GHz (4.1 TFLOP/s)",
     .figures = (const machine_figure[]){
         VECTOR(F32, 3.58e12), VECTOR(F16, 3.58e12),
         SIZE(DRAM, 24 * GIB), BANDWIDTH(DRAM, 100e9, .from = "llmfit"),
         UNITS(10), CLOCK(1.398e9, .unchecked = true), END}},
    {.id = "m3-pro", .name = "Apple M3 Pro (18-core GPU)", .aliases = "apple-m3-pro", .architecture = "Apple GPU",
     .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2023, .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 6.44e12), VECTOR(F16, 6.44e12),
         SIZE(DRAM, 36 * GIB), BANDWIDTH(DRAM, 150e9, .from = "llmfit"),
         UNITS(18), CLOCK(1.398e9, .unchecked = true), END}},
    {.id = "m3-max-30", .name = "Apple M3 Max (30-core GPU)", .aliases = "apple-m3-max-30", .family = "m3-max",
     .architecture = "Apple GPU", .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2023,
     .sources = "metalbench hmc",
     .figures = (const machine_figure[]){
         VECTOR(F32, 10.74e12), VECTOR(F16, 10.74e12),
         SIZE(DRAM, 96 * GIB), BANDWIDTH(DRAM, 300e9),
         UNITS(30), CLOCK(1.398e9, .unchecked = true), END}},
    {.id = "m3-max-40", .name = "Apple M3 Max (40-core GPU)", .aliases = "m3-max, apple-m3-max-40",
     .family = "m3-max", .architecture = "Apple GPU", .scope = "GPU of SoC", .memory_kind = "LPDDR unified",
     .year = 2023, .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 14.32e12), VECTOR(F16, 14.32e12),
         SIZE(DRAM, 128 * GIB), BANDWIDTH(DRAM, 400e9, .from = "llmfit"),
         UNITS(40), CLOCK(1.398e9, .unchecked = true), END}},
    {.id = "m3-ultra", .name = "Apple M3 Ultra (80-core GPU)", .aliases = "apple-m3-ultra",
     .architecture = "Apple GPU", .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2025,
     .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 28.63e12), VECTOR(F16, 28.63e12),
         SIZE(DRAM, 512 * GIB), BANDWIDTH(DRAM, 819e9, .from = "llmfit"),
         UNITS(80), CLOCK(1.398e9, .unchecked = true), END}},
    {.id = "m4", .name = "Apple M4 (10-core GPU)", .aliases = "apple-m4", .architecture = "Apple GPU",
     .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2024, .sources = "metalbench hmc llmfit",
     .note = "1578 MHz (4.04 TFLOP/s) is listed too; 2.9 TFLOP/s was measured",
     .figures = (const machine_figure[]){
         VECTOR(F32, 3.76e12), VECTOR(F16, 3.76e12),
         SIZE(DRAM, 32 * GIB), BANDWIDTH(DRAM, 120e9, .from = "llmfit"),
         UNITS(10), CLOCK(1.47e9, .unchecked = true), END}},
    {.id = "m4-pro", .name = "Apple M4 Pro (20-core GPU)", .aliases = "apple-m4-pro", .architecture = "Apple GPU",
     .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2024, .sources = "metalbench hmc llmfit",
     .figures = (const machine_figure[]){
         VECTOR(F32, 8.08e12), VECTOR(F16, 8.08e12),
         SIZE(DRAM, 64 * GIB), BANDWIDTH(DRAM, 273e9, .from = "llmfit"),
         UNITS(20), CLOCK(1.578e9, .unchecked = true), END}},
    {.id = "m4-max-32", .name = "Apple M4 Max (32-core GPU)", .aliases = "apple-m4-max-32", .family = "m4-max",
     .architecture = "Apple GPU", .scope = "GPU of SoC", .memory_kind = "LPDDR unified", .year = 2024,
     .sources = "metalbench hmc",
     .figures = (const machine_figure[]){
         VECTOR(F32, 13.75e12), VECTOR(F16, 13.75e12),
         SIZE(DRAM, 36 * GIB), BANDWIDTH(DRAM, 410e9),
         UNITS(32), CLOCK(1.678e9, .unchecked = true), END}},
    {.id = "m4-max-40", .name = "Apple M4 Max (40-core GPU)", .aliases = "m4-max, apple-m4-max-40",
     .family = "m4-max", .architecture = "Apple GPU", .scope = "GPU of SoC", .memory_kind = "LPDDR unified",
     .year = 2024, .sources = "metalbench hmc llmfit",
     .note = "at 1678 MHz; other sites 18.4 TFLOP/s",
     .figures = (const machine_figure[]){
         VECTOR(F32, 17.18e12), VECTOR(F16, 17.18e12),
         SIZE(DRAM, 128 * GIB), BANDWIDTH(DRAM, 546e9, .from = "llmfit"),
         UNITS(40), CLOCK(1.678e9, .unchecked = true), END}},
};

const machine_table machines_apple = {.vendor = "Apple", .rows = rows, .count = sizeof rows / sizeof rows[0]};
