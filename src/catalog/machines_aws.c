/* AWS accelerators and CPUs. Conventions and sources: docs/catalog.md. */
#include "catalog/machines.h"

/* A card a machine, laid out by hand: names, then peaks by unit, memory, link and the rest. */
/* clang-format off */

static const machine_row rows[] = {
    {.id = "inferentia2", .name = "AWS Inferentia2", .aliases = "inf2, aws-inferentia2",
     .architecture = "NeuronCore-v2 x2", .scope = "chip", .memory_kind = "HBM2e", .link_kind = "NeuronLink-v2",
     .year = 2022, .sources = "neuron epoch",
     .note = "one page prints 820 GiB/s: two HBM2e stacks give 819 GB/s, so GB is right; link direction unclear",
     .figures = (const machine_figure[]){
         MATRIX(F32, 47.5e12), MATRIX(TF32, 190e12, .from = "epoch"), MATRIX(F16, 190e12),
         MATRIX(BF16, 190e12, .from = "epoch"), MATRIX(FP8, 190e12, .from = "epoch"),
         MATRIX(INT8, 380e12, .from = "epoch"),
         SIZE(DRAM, 32 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 820e9, .from = "epoch"), SIZE(L2, 48 * MIB),
         LINK(96e9, .unchecked = true), LINK_DEVICES(12), UNITS(2), END}},
    {.id = "trainium1", .name = "AWS Trainium1", .aliases = "trn1, trainium, aws-trainium1", .family = "trainium",
     .architecture = "NeuronCore-v2 x2", .scope = "chip", .memory_kind = "HBM2e", .link_kind = "NeuronLink-v2",
     .year = 2022, .sources = "neuron epoch",
     .note = "bandwidth as Inferentia2; 9.8 TB/s in circulation is an instance total; link direction unclear",
     .figures = (const machine_figure[]){
         MATRIX(F32, 47.5e12), MATRIX(TF32, 190e12, .from = "epoch"), MATRIX(F16, 190e12),
         MATRIX(BF16, 190e12, .from = "epoch"), MATRIX(FP8, 190e12), MATRIX(INT8, 380e12),
         SIZE(DRAM, 32 * GIB), BANDWIDTH(DRAM, 820e9), SIZE(L2, 48 * MIB),
         LINK(192e9, .unchecked = true), LINK_DEVICES(16), UNITS(2), END}},
    {.id = "trainium2", .name = "AWS Trainium2", .aliases = "trn2, aws-trainium2", .family = "trainium",
     .architecture = "NeuronCore-v3 x8", .scope = "chip", .memory_kind = "HBM3", .link_kind = "NeuronLink-v3",
     .year = 2024, .sources = "neuron epoch stas",
     .note = "2563 TFLOP/s marketed is FP8 with 4:1 sparsity; core page x 8 gives 632 and 1264; link direction "
             "unclear",
     .figures = (const machine_figure[]){
         MATRIX(F32, 181e12, .from = "stas"), MATRIX(TF32, 667e12, .from = "stas", .unchecked = true),
         MATRIX(F16, 667e12, .from = "stas"), MATRIX(BF16, 667e12, .from = "epoch stas"),
         MATRIX(FP8, 1.299e15, .from = "epoch stas"),
         SIZE(DRAM, 96 * GIB, .from = "epoch"), BANDWIDTH(DRAM, 2.9e12, .from = "epoch stas"), SIZE(L2, 224 * MIB),
         LINK(640e9, .unchecked = true), LINK_DEVICES(64), UNITS(8), POWER(500, .from = "epoch"),
         PRICE(1.65, .from = "economics", .unchecked = true), END}},
    {.id = "trainium3", .name = "AWS Trainium3", .aliases = "trn3, aws-trainium3", .family = "trainium",
     .architecture = "NeuronCore-v4 x8", .scope = "chip", .memory_kind = "HBM3e", .link_kind = "NeuronLink-v4",
     .year = 2025, .sources = "neuron epoch",
     .note = "MXFP4 at the MXFP8 rate; the link figure is not consistent between pages (704 GB/s by its lanes)",
     .figures = (const machine_figure[]){
         MATRIX(F32, 183e12), MATRIX(F16, 671e12), MATRIX(BF16, 671e12, .from = "epoch"),
         MATRIX(FP8, 2.517e15, .from = "epoch"), MATRIX(FP4, 2.517e15, .from = "epoch"),
         SIZE(DRAM, 144 * GIB), BANDWIDTH(DRAM, 4.9e12), SIZE(L2, 256 * MIB),
         LINK(1.28e12, .unchecked = true), LINK_DEVICES(144, .unchecked = true), UNITS(8), END}},
    {.id = "graviton3", .name = "AWS Graviton3", .aliases = "c7g, aws-graviton3", .architecture = "Neoverse V1",
     .scope = "socket", .memory_kind = "8x DDR5-4800", .year = 2021, .sources = "graviton",
     .figures = (const machine_figure[]){
         VECTOR(F64, 2.662e12, .from = "formula graviton", .origin = ROOF_ORIGIN_DERIVED, .unchecked = true),
         VECTOR(F32, 5.325e12, .from = "formula graviton", .origin = ROOF_ORIGIN_DERIVED, .unchecked = true),
         BANDWIDTH(DRAM, 307.2e9), SIZE(L3, 32 * MIB),
         UNITS(64), CLOCK(2.6e9), END}},
    {.id = "graviton4", .name = "AWS Graviton4", .aliases = "c8g, r8g, aws-graviton4", .architecture = "Neoverse V2",
     .scope = "socket", .memory_kind = "12x DDR5-5600", .year = 2024, .sources = "graviton",
     .note = "2.7 or 2.8 GHz in sources",
     .figures = (const machine_figure[]){
         VECTOR(F64, 4.301e12, .from = "formula graviton", .origin = ROOF_ORIGIN_DERIVED, .unchecked = true),
         VECTOR(F32, 8.602e12, .from = "formula graviton", .origin = ROOF_ORIGIN_DERIVED, .unchecked = true),
         BANDWIDTH(DRAM, 537.6e9), SIZE(L3, 36 * MIB),
         UNITS(96), CLOCK(2.8e9), END}},
};

const machine_table machines_aws = {.vendor = "AWS", .rows = rows, .count = sizeof rows / sizeof rows[0]};
