/* The compact rows that the machine tables are written in; machine.c turns a row into a roof_machine.
 *
 *     {.id = "h100-sxm", ..., .sources = "a b", .figures = {MATRIX(BF16, 989.4e12), BANDWIDTH(DRAM, 3.35e12), ...}}
 *     a figure without a source of its own has those of its row; a figure that is not there is unknown, never zero */
#ifndef ROOFLINE_CATALOG_MACHINES_H
#define ROOFLINE_CATALOG_MACHINES_H

#include "roofline.h"

#define KIB 1024.0
#define MIB (1024.0 * KIB)
#define GIB (1024.0 * MIB)

typedef struct machine_figure {
    double value;
    const char *from;  /* source keys; NULL: those of the row */
    unsigned short at; /* which figure: its offset in roof_machine; 0 ends the list */
    bool unchecked;
    roof_origin origin; /* ROOF_ORIGIN_UNKNOWN stands for ROOF_ORIGIN_DATASHEET, the usual one */
} machine_figure;

/* VECTOR(F32, 19.5e12) or VECTOR(F32, 19.5e12, .from = "stas epoch", .unchecked = true) */
#define FIGURE(member, ...)                                                                                            \
    { .at = offsetof(roof_machine, member), .value = __VA_ARGS__ }
#define VECTOR(dtype, ...) FIGURE(peak[ROOF_VECTOR][ROOF_##dtype], __VA_ARGS__)
#define MATRIX(dtype, ...) FIGURE(peak[ROOF_MATRIX][ROOF_##dtype], __VA_ARGS__)
#define NARROW(dtype, ...) FIGURE(narrow[ROOF_##dtype], __VA_ARGS__)
#define SPARSE(dtype, ...) FIGURE(sparse[ROOF_##dtype], __VA_ARGS__)
#define BANDWIDTH(level, ...) FIGURE(bandwidth[ROOF_##level], __VA_ARGS__)
#define SIZE(level, ...) FIGURE(size[ROOF_##level], __VA_ARGS__)
#define USABLE(...) FIGURE(usable, __VA_ARGS__)
#define LINK(...) FIGURE(link, __VA_ARGS__)
#define LINK_DEVICES(...) FIGURE(link_devices, __VA_ARGS__)
#define HOST_LINK(...) FIGURE(host_link, __VA_ARGS__)
#define UNITS(...) FIGURE(units, __VA_ARGS__)
#define CLOCK(...) FIGURE(clock, __VA_ARGS__)
#define POWER(...) FIGURE(power, __VA_ARGS__)
#define PRICE(...) FIGURE(price, __VA_ARGS__)

/* Two sources that hundreds of figures share: units x clock x FLOPs a clock, and the dense peak doubled by 2:4
 * sparsity. */
#define BY_FORMULA .from = "formula", .origin = ROOF_ORIGIN_DERIVED
#define TWICE_DENSE .from = "sparse2x", .origin = ROOF_ORIGIN_DERIVED

#define END                                                                                                            \
    { .at = 0 }

typedef struct machine_row {
    const char *id, *name;
    const char *aliases; /* further names, separated by ", " */
    const char *family;  /* short name shared with other rows, or NULL; it is an alias or the id of one of them */
    const char *architecture, *scope, *memory_kind, *link_kind, *note;
    int year;
    const char *sources; /* keys for figures that name none themselves */
    const machine_figure *figures;
} machine_row;

typedef struct machine_table {
    const char *vendor;
    const machine_row *rows;
    size_t count;
} machine_table;

extern const machine_table machines_nvidia, machines_nvidia_rtx, machines_amd, machines_intel, machines_google,
    machines_aws, machines_apple, machines_huawei, machines_groq, machines_tenstorrent, machines_fujitsu;

#endif
