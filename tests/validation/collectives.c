/* Collectives timed alone: a row to one operation. Kernels that engines bring are captured in a graph or launched by
 * the host; the rest is NVIDIA's or AMD's library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

static const struct {
    const char *name;
    roof_kind kind;
} kinds[] = {
    {"all_reduce", ROOF_KIND_ALL_REDUCE},
    {"all_gather", ROOF_KIND_ALL_GATHER},
    {"reduce_scatter", ROOF_KIND_REDUCE_SCATTER},
    {"alltoall", ROOF_KIND_ALL_TO_ALL},
};

static bool is(const csv_table *table, size_t at, const char *column, const char *text) {
    return strcmp(csv_text(table, at, column), text) == 0;
}

static void build(const char *collective, double devices, double bytes, const char *dtype, score_row *row,
                  score_work *work) {
    roof_error error;
    const roof_argument arguments[] = {
        {.name = "devices", .value = devices},
        {.name = "bytes", .value = bytes},
        {.name = "dtype", .dtype = strcmp(dtype, "int8") == 0 ? ROOF_INT8 : ROOF_BF16},
    };
    work->operation_count = 1;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, collective) == 0) {
            if (roof_operation_build(kinds[i].kind, arguments, 3, &work->operations[0], &error))
                leave_out(row, "%s", error.what);
            return;
        }
    leave_out(row, "%s is not a collective", collective);
}

/* The shortest names leave the size of the memory out, which is of no consequence here. */
static const char *full_name(const char *device) {
    if (strcmp(device, "H200-SXM") == 0)
        return "H200-SXM-141GB";
    return strcmp(device, "A100-SXM") == 0 ? "A100-SXM4-80GB" : device;
}

/* What both tables have. Rows differ in bytes and devices, which is no choice of anybody's: they are not paired. */
static void begin(const csv_table *table, size_t at, score_row *row, score_work *work) {
    const char *device = full_name(csv_text(table, at, "gpu"));
    snprintf(row->device, sizeof row->device, "%s", device);
    snprintf(row->regime, sizeof row->regime, "%s", csv_text(table, at, "collective"));
    snprintf(row->like, sizeof row->like, "%zu", row->line);
    row->batch = row->units = row->tensor = 1;
    work->share = 1;
    work->repeated = true;
    work->machine = known_machine(device, row);
}

static bool is_old(const csv_table *table, size_t at) {
    bool hopper = is(table, at, "gpu", "H100-SXM-80GB") || is(table, at, "gpu", "H200-SXM-141GB");
    return hopper && is(table, at, "engine", "nccl") && !is(table, at, "engine_version", "2.29.2");
}

void read_collective(const csv_table *table, size_t at, score_row *row, score_work *work) {
    const char *kernel = csv_text(table, at, "kernel"), *dtype = csv_text(table, at, "dtype");
    begin(table, at, row, work);
    snprintf(row->dtype, sizeof row->dtype, "%s", dtype);
    row->measured = csv_number(table, at, "latency_us") * 1e-6;
    if (strcmp(kernel, "NCCL") != 0)
        work->engine = strstr(kernel, "eager") ? ROOF_ENGINE_EAGER : ROOF_ENGINE_SERVING;
    if (is_old(table, at))
        leave_out(row, "an older release of the same library");
    build(csv_text(table, at, "collective"), csv_number(table, at, "num_gpus"), csv_number(table, at, "message_bytes"),
          dtype, row, work);
}

/* "8GiB" */
static double payload(const char *text) {
    static const char *const units[] = {"KiB", "MiB", "GiB"};
    char *end;
    double value = strtod(text, &end);
    for (size_t i = 0; i < 3; i++, value *= 1024)
        if (strcmp(end, units[i]) == 0)
            return value * 1024;
    return 0;
}

/* Bus bandwidth is what each device sends in a ring, a second. */
void read_bus_bandwidth(const csv_table *table, size_t at, score_row *row, score_work *work) {
    const char *algorithm = csv_text(table, at, "algo");
    double devices = csv_number(table, at, "num_gpus"), bytes = payload(csv_text(table, at, "payload"));
    double sent = (devices - 1) / devices * bytes * (is(table, at, "collective", "all_reduce") ? 2 : 1);
    begin(table, at, row, work);
    row->measured = sent / (csv_number(table, at, "value") * 1e9);
    if (strncmp(algorithm, "NVLS", 4) == 0 || strstr(algorithm, "SHARP"))
        leave_out(row, "summed in the switch");
    if (strstr(csv_text(table, at, "note"), "includes launch"))
        leave_out(row, "includes launches by the host");
    build(csv_text(table, at, "collective"), devices, bytes, "half", row, work);
}
