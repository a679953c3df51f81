/* Google TPUs. Conventions and sources: docs/catalog.md. */
#include "catalog/machines.h"

/* A card a machine, laid out by hand: names, then peaks by unit, memory, link and the rest. */
/* clang-format off */

static const machine_row rows[] = {
    {.id = "tpu-v4", .name = "Google TPU v4", .aliases = "tpuv4, v4, google-tpu-v4", .architecture = "TPU v4",
     .scope = "chip", .memory_kind = "HBM2", .link_kind = "ICI 3D torus (6 links)", .year = 2021,
     .sources = "scalingbook klockwood epoch jouppi genz lightning stas",
     .note = "bandwidth 1200 or 1228 GB/s; link 6 x 45 GB/s; 192 W is the largest power measured, not a rating",
     .figures = (const machine_figure[]){
         MATRIX(BF16, 275e12, .from = "epoch genz lightning stas"), MATRIX(INT8, 275e12, .from = "epoch stas"),
         SIZE(DRAM, 32 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 1.228e12, .from = "epoch genz stas"),
         LINK(270e9, .unchecked = true), LINK_DEVICES(4096), UNITS(2), POWER(192), END}},
    {.id = "tpu-v5e", .name = "Google TPU v5e", .aliases = "v5e, v5litepod, tpu-v5-lite, google-tpu-v5e",
     .architecture = "TPU v5e", .scope = "chip", .memory_kind = "HBM2e", .link_kind = "ICI 2D torus (4 links)",
     .year = 2023, .sources = "tpudocs scalingbook lightning genz epoch stas",
     .note = "newer pages print 800 GiB/s (859 GB/s); L3 is the on-chip vector memory",
     .figures = (const machine_figure[]){
         MATRIX(BF16, 197e12, .from = "epoch genz lightning stas"), MATRIX(INT8, 394e12, .from = "epoch stas"),
         SIZE(DRAM, 16 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 819e9, .from = "epoch genz stas"),
         SIZE(L3, 128 * MIB),
         LINK(200e9), LINK_DEVICES(256), UNITS(1), PRICE(1.2, .from = "scalingbook", .unchecked = true), END}},
    {.id = "tpu-v5p", .name = "Google TPU v5p", .aliases = "v5p, google-tpu-v5p", .architecture = "TPU v5p",
     .scope = "chip", .memory_kind = "HBM2e", .link_kind = "ICI 3D torus (6 links)", .year = 2023,
     .sources = "tpudocs scalingbook epoch genz stas",
     .note = "FP8 at the BF16 rate; memory kind not checked",
     .figures = (const machine_figure[]){
         MATRIX(BF16, 459e12, .from = "epoch genz stas"), MATRIX(FP8, 459e12),
         MATRIX(INT8, 918e12, .from = "epoch stas"),
         SIZE(DRAM, 95 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 2.765e12, .from = "epoch genz stas"),
         LINK(600e9), LINK_DEVICES(8960), UNITS(2), END}},
    {.id = "tpu-v6e", .name = "Google TPU v6e (Trillium)", .aliases = "v6e, trillium, google-tpu-v6e",
     .architecture = "TPU v6e", .scope = "chip", .memory_kind = "HBM3", .link_kind = "ICI 2D torus (4 links)",
     .year = 2024, .sources = "tpudocs scalingbook epoch genz stas",
     .note = "memory kind not checked; 1638 or 1640 GB/s",
     .figures = (const machine_figure[]){
         MATRIX(BF16, 918e12, .from = "epoch genz stas"), MATRIX(FP8, 918e12, .from = "epoch stas"),
         MATRIX(INT8, 1.836e15, .from = "epoch stas"),
         SIZE(DRAM, 32 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 1.638e12, .from = "epoch genz"),
         LINK(400e9), LINK_DEVICES(256), UNITS(1), PRICE(0.85, .from = "economics", .unchecked = true), END}},
    {.id = "tpu7x", .name = "Google TPU7x (Ironwood)", .aliases = "ironwood, tpu-v7, tpu-v7x, google-tpu7x",
     .architecture = "TPU7x", .scope = "chip", .memory_kind = "HBM3e", .link_kind = "ICI 3D torus", .year = 2025,
     .sources = "tpudocs klockwood epoch stas",
     .note = "software sees two devices a chip, half each; power is an estimate; memory kind not checked",
     .figures = (const machine_figure[]){
         MATRIX(BF16, 2.307e15, .from = "epoch stas"), MATRIX(FP8, 4.614e15, .from = "epoch stas"),
         SIZE(DRAM, 192 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 7.37e12, .from = "epoch"),
         LINK(600e9), LINK_DEVICES(9216), UNITS(2), POWER(960, .from = "epoch", .unchecked = true), END}},
};

const machine_table machines_google = {.vendor = "Google", .rows = rows, .count = sizeof rows / sizeof rows[0]};
