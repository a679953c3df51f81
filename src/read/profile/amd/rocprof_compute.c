/* What rocprof-compute writes beside its counters: roofline.csv, the roofs that it measured, becomes a machine; files
 * that describe the system measure nothing and are refused with what they tell. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "read/profile/amd/amd.h"
#include "read/profile/roofs.h"

/* ---- roofs ---- */

/* In Gbyte/s and Gflop/s. LDS is no level of a machine. */
static const struct roof_column {
    const char *name;
    int level; /* -1: a peak */
    roof_unit unit;
    roof_dtype dtype;
} roof_columns[] = {
    {"HBMBw", ROOF_DRAM, ROOF_VECTOR, ROOF_DTYPE_NONE},
    {"MALLBw", ROOF_L3, ROOF_VECTOR, ROOF_DTYPE_NONE},
    {"L2Bw", ROOF_L2, ROOF_VECTOR, ROOF_DTYPE_NONE},
    {"L1Bw", ROOF_L1, ROOF_VECTOR, ROOF_DTYPE_NONE},
    {"FP64Flops", -1, ROOF_VECTOR, ROOF_F64},
    {"FP32Flops", -1, ROOF_VECTOR, ROOF_F32},
    {"FP16Flops", -1, ROOF_VECTOR, ROOF_F16},
    {"BF16Flops", -1, ROOF_VECTOR, ROOF_BF16},
    {"FP8Flops", -1, ROOF_VECTOR, ROOF_FP8},
    {"I8Ops", -1, ROOF_VECTOR, ROOF_INT8},
    {"I32Ops", -1, ROOF_VECTOR, ROOF_INT32},
    {"MFMAF64Flops", -1, ROOF_MATRIX, ROOF_F64},
    {"MFMAF32Flops", -1, ROOF_MATRIX, ROOF_F32},
    {"MFMAF16Flops", -1, ROOF_MATRIX, ROOF_F16},
    {"MFMABF16Flops", -1, ROOF_MATRIX, ROOF_BF16},
    {"MFMAF8Flops", -1, ROOF_MATRIX, ROOF_FP8},
    {"MFMAF6Flops", -1, ROOF_MATRIX, ROOF_FP6},
    {"MFMAF4Flops", -1, ROOF_MATRIX, ROOF_FP4},
    {"MFMAI8Ops", -1, ROOF_MATRIX, ROOF_INT8},
    {"MFMA_FLOPs_F6F4", -1, ROOF_MATRIX, ROOF_FP6},
};
enum { ROOF_COLUMNS = sizeof roof_columns / sizeof roof_columns[0] };

typedef struct measured_roofs {
    amd_table table;
    int device, at[ROOF_COLUMNS];
    double first[ROOF_COLUMNS]; /* of the first device; 0: none */
    double apart;               /* the largest difference of another device, a share */
    size_t devices;
    roofs to;
} measured_roofs;

static int recognise(const char *head, size_t length) {
    (void)length;
    bool measured = amd_names(head, "HBMBw") && (amd_names(head, "L2Bw") || amd_names(head, "FP32Flops"));
    bool system = amd_names(head, "gpu_model") || (amd_names(head, "Node_Id") && amd_names(head, "Agent_Type"));
    return measured ? 95 : system ? 90 : 0;
}

static double cell_of(const measured_roofs *m, int column) {
    double value;
    bool last = m->table.open_end && (size_t)column + 1 == m->table.width;
    return column >= 0 && !last && amd_number(amd_cell(&m->table, column), &value) ? value : 0;
}

static void take_first(measured_roofs *m) {
    char name[96];
    const char *device = amd_cell(&m->table, m->device);
    snprintf(name, sizeof name, "AMD GPU %.40s, as rocprof-compute measured it", device[0] ? device : "0");
    roofs_begin(&m->to, m->table.job, "rocprof-compute-gpu-", device[0] ? device : "0", "rocprof-compute");
    m->to.machine->name = build_text(m->table.job->out, name);
    build_info(m->table.job->out)->device = m->to.machine->name;
    m->to.machine->vendor = "AMD";
    m->to.machine->scope = "GPU";
    for (int i = 0; i < ROOF_COLUMNS; i++) {
        double rate = m->first[i] = cell_of(m, m->at[i]);
        if (m->at[i] < 0)
            continue;
        if (roof_columns[i].level >= 0)
            roofs_bandwidth(&m->to, (roof_level)roof_columns[i].level, rate * 1e9, roof_columns[i].name);
        else
            roofs_peak(&m->to, roof_columns[i].unit, roof_columns[i].dtype, rate * 1e9, roof_columns[i].name);
    }
}

/* The other devices of the file are only compared. */
static void take_other(measured_roofs *m) {
    for (int i = 0; i < ROOF_COLUMNS; i++) {
        double rate = cell_of(m, m->at[i]), apart = rate > m->first[i] ? rate - m->first[i] : m->first[i] - rate;
        if (rate > 0 && m->first[i] > 0 && apart / m->first[i] > m->apart)
            m->apart = apart / m->first[i];
    }
}

static int take_devices(measured_roofs *m) {
    int more;
    while ((more = amd_next(&m->table)) > 0) {
        if (m->table.open_end)
            build_info(m->table.job->out)->ended_early = true;
        if (m->devices++ == 0)
            take_first(m);
        else
            take_other(m);
    }
    return more;
}

static int read_roofs(measured_roofs *m, profile_job *job) {
    if (amd_open(&m->table, job))
        return -1;
    m->device = csv_column(&m->table.row, "device|devID");
    for (int i = 0; i < ROOF_COLUMNS; i++)
        m->at[i] = csv_column(&m->table.row, roof_columns[i].name);
    if (take_devices(m))
        return -1;
    if (m->devices == 0)
        return roof_fail(job->error, ROOF_EFORMAT, "roofline.csv of rocprof-compute has no device under its header");
    if (m->devices > 1)
        build_warning(job->out, "%zu devices: the roofs are those of the first; the others differ by up to %.2g%%",
                      m->devices, 100 * m->apart);
    return roofs_end(&m->to, job->error);
}

/* ---- descriptions ---- */

static int refuse_agents(profile_job *job) {
    roof_fail(job->error, ROOF_EFORMAT, "this is the list of agents that rocprofv3 writes beside its measurements");
    roof_hint(job->error, "give the _kernel_trace.csv or _counter_collection.csv of the same run");
    return -1;
}

static int refuse_system(measured_roofs *m, profile_job *job) {
    if (amd_open(&m->table, job))
        return -1;
    int model = csv_column(&m->table.row, "gpu_model"), chip = csv_column(&m->table.row, "gpu_arch"),
        units = csv_column(&m->table.row, "cu_per_gpu");
    bool row = amd_next(&m->table) > 0;
    roof_fail(job->error, ROOF_EFORMAT, "this describes the system and measures nothing%s%.40s%s%.20s%s%.10s%s",
              row ? ": the GPU is an " : "", row ? amd_cell(&m->table, model) : "", row ? " (" : "",
              row ? amd_cell(&m->table, chip) : "", row ? ", " : "", row ? amd_cell(&m->table, units) : "",
              row ? " CUs)" : "");
    roof_hint(job->error, "give the pmc_perf.csv beside it, or roofline.csv for the measured roofs");
    return -1;
}

static int read_file(measured_roofs *m, profile_job *job) {
    size_t length;
    const char *head = stream_head(job->in, &length);
    if (amd_names(head, "Agent_Type"))
        return refuse_agents(job);
    return amd_names(head, "gpu_model") ? refuse_system(m, job) : read_roofs(m, job);
}

static int read_compute(profile_job *job) {
    arena memory = {0};
    measured_roofs *m = arena_get(&memory, sizeof *m);
    int result = m ? read_file(m, job) : roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
    if (m)
        amd_close(&m->table);
    arena_free(&memory);
    return result;
}

const profile_reader reader_rocprof_roofs = {
    .format = {"rocprof-compute-roofs", "rocprof-compute roofline.csv (measured roofs)",
               "rocprof-compute profile -n NAME --roof-only -- PROGRAM", "a machine: bandwidths and peaks"},
    .recognise = recognise,
    .read = read_compute,
};
