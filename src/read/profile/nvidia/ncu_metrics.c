/* The metrics of Nsight Compute that say how long a kernel took, what it computed and what it moved; the weights are
 * those of the catalogue. docs/profiles/ncu.md explains the choices. */
#include <math.h>
#include <string.h>

#include "read/profile/nvidia/ncu.h"

enum {
    SECONDS,
    CYCLES,
    CLOCK,
    DRAM_RATE,
    TENSOR_SHARE,
    TENSOR_COUNT, /* instructions */
    COUNTERS,     /* of bytes: one slot a row of counters[] */
    ROLLUPS = 3,
    OPERATIONS = 12,
    VECTORS = COUNTERS + 32, /* operation x rollup */
    SCALED = VECTORS + OPERATIONS * ROLLUPS,
    SOURCES = 9,
    TARGETS = 4,
    SPARSITIES = 3,
    TENSORS = SCALED + OPERATIONS, /* source x target x sparsity x rollup */
    SLOTS_USED = TENSORS + SOURCES * TARGETS * SPARSITIES * ROLLUPS
};
_Static_assert((int)SLOTS_USED <= (int)NCU_SLOTS, "room for every slot");

/* ---- names ---- */

/* Several names of one figure: the first is the best. The last ones are the labels of the details page. */
static const struct figure_name {
    const char *name;
    int slot;
    ncu_dimension dimension;
} figures[] = {
    {"gpu__time_duration.sum", SECONDS, NCU_TIME},
    {"gpu__time_duration.avg", SECONDS, NCU_TIME},
    {"gpu__time_duration.max", SECONDS, NCU_TIME},
    {"gpu__time_duration_measured_wallclock.sum", SECONDS, NCU_TIME},
    {"Duration", SECONDS, NCU_TIME},
    {"smsp__cycles_elapsed.avg", CYCLES, NCU_COUNT},
    {"sm__cycles_elapsed.avg", CYCLES, NCU_COUNT},
    {"gpc__cycles_elapsed.avg", CYCLES, NCU_COUNT},
    {"sm__cycles_elapsed.max", CYCLES, NCU_COUNT},
    {"smsp__cycles_elapsed.max", CYCLES, NCU_COUNT},
    {"gpc__cycles_elapsed.max", CYCLES, NCU_COUNT},
    {"Elapsed Cycles", CYCLES, NCU_COUNT},
    {"smsp__cycles_elapsed.avg.per_second", CLOCK, NCU_CLOCK},
    {"sm__cycles_elapsed.avg.per_second", CLOCK, NCU_CLOCK},
    {"gpc__cycles_elapsed.avg.per_second", CLOCK, NCU_CLOCK},
    {"SM Frequency", CLOCK, NCU_CLOCK},
    {"dram__bytes.sum.per_second", DRAM_RATE, NCU_RATE},
    {"Memory Throughput", DRAM_RATE, NCU_RATE},
};

enum counter {
    DRAM_BYTES,
    DRAM_READ,
    DRAM_WRITE,
    DRAM_SECTORS,
    DRAM_SECTORS_READ,
    DRAM_SECTORS_WRITE,
    XBAR_READ,
    XBAR_WRITE,
    XBAR_SECTORS_READ,
    XBAR_SECTORS_WRITE,
    LTS_TEX,
    LTS_TEX_READ,
    LTS_TEX_WRITE,
    LTS_BYTES,
    LTS_SECTORS,
    LTS_READ,
    LTS_WRITE,
    L1_BYTES,
    L1_SECTORS,
    L1_GLOBAL_READ,
    L1_GLOBAL_WRITE,
    L1_LOCAL_READ,
    L1_LOCAL_WRITE,
    COUNTER_COUNT
};
_Static_assert((int)COUNTER_COUNT <= (int)VECTORS - (int)COUNTERS, "room for every counter");

/* Raw events of bytes; a second name is what newer chips call it. */
static const struct counter_name {
    const char *name, *newer;
} counters[COUNTER_COUNT] = {
    [DRAM_BYTES] = {"dram__bytes.sum", NULL},
    [DRAM_READ] = {"dram__bytes_read.sum", "dram__bytes_op_read.sum"},
    [DRAM_WRITE] = {"dram__bytes_write.sum", "dram__bytes_op_write.sum"},
    [DRAM_SECTORS] = {"dram__sectors.sum", NULL},
    [DRAM_SECTORS_READ] = {"dram__sectors_read.sum", "dram__sectors_op_read.sum"},
    [DRAM_SECTORS_WRITE] = {"dram__sectors_write.sum", "dram__sectors_op_write.sum"},
    [XBAR_READ] = {"l1tex__m_xbar2l1tex_read_bytes.sum", NULL},
    [XBAR_WRITE] = {"l1tex__m_l1tex2xbar_write_bytes.sum", NULL},
    [XBAR_SECTORS_READ] = {"l1tex__m_xbar2l1tex_read_sectors.sum", NULL},
    [XBAR_SECTORS_WRITE] = {"l1tex__m_l1tex2xbar_write_sectors.sum", NULL},
    [LTS_TEX] = {"lts__t_sectors_srcunit_tex.sum", NULL},
    [LTS_TEX_READ] = {"lts__t_sectors_srcunit_tex_op_read.sum", NULL},
    [LTS_TEX_WRITE] = {"lts__t_sectors_srcunit_tex_op_write.sum", NULL},
    [LTS_BYTES] = {"lts__t_bytes.sum", NULL},
    [LTS_SECTORS] = {"lts__t_sectors.sum", NULL},
    [LTS_READ] = {"lts__t_sectors_op_read.sum", NULL},
    [LTS_WRITE] = {"lts__t_sectors_op_write.sum", NULL},
    [L1_BYTES] = {"l1tex__t_bytes.sum", NULL},
    [L1_SECTORS] = {"l1tex__t_sectors.sum", NULL},
    [L1_GLOBAL_READ] = {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", NULL},
    [L1_GLOBAL_WRITE] = {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", NULL},
    [L1_LOCAL_READ] = {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", NULL},
    [L1_LOCAL_WRITE] = {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", NULL},
};

/* Add, multiply, fused; then the packed F32 ones of newer chips. */
#define SASS(OP) "smsp__sass_thread_inst_executed_op_" OP "_pred_on.sum"
static const struct operation_name {
    const char *name, *event;
} operations[OPERATIONS] = {
    {"dadd", SASS("dadd")}, {"dmul", SASS("dmul")},   {"dfma", SASS("dfma")},   {"fadd", SASS("fadd")},
    {"fmul", SASS("fmul")}, {"ffma", SASS("ffma")},   {"hadd", SASS("hadd")},   {"hmul", SASS("hmul")},
    {"hfma", SASS("hfma")}, {"fadd2", SASS("fadd2")}, {"fmul2", SASS("fmul2")}, {"ffma2", SASS("ffma2")},
};
enum { HFMA = 8, PACKED = 9 };

static const struct source_name {
    const char *name;
    const char *event;
} sources[SOURCES] = {
    {"bf16", "sm__ops_path_tensor_src_bf16_dst_fp32.sum"},
    {"fp16", "sm__ops_path_tensor_src_fp16.sum"},
    {"tf32", "sm__ops_path_tensor_src_tf32_dst_fp32.sum"},
    {"fp64", "sm__ops_path_tensor_src_fp64.sum"},
    {"fp8", "sm__ops_path_tensor_src_fp8.sum"},
    {"fp6", "sm__ops_path_tensor_src_fp6.sum"},
    {"fp4", "sm__ops_path_tensor_src_fp4.sum"},
    {"int8", "sm__ops_path_tensor_src_int8.sum"},
    {"int4", "sm__ops_path_tensor_src_int4.sum"},
};

static const char *after(const char *text, const char *start) {
    size_t length = strlen(start);
    return text && strncmp(text, start, length) == 0 ? text + length : NULL;
}

/* ".sum", ".sum.per_second", ".sum.per_cycle_elapsed": 0, 1, 2; -1 for others. */
static int rollup_of(const char *text) {
    static const char *const names[ROLLUPS] = {".sum", ".sum.per_second", ".sum.per_cycle_elapsed"};
    for (int i = 0; i < ROLLUPS; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    return -1;
}

static bool put(ncu_metric *metric, int slot, int rank, ncu_dimension dimension) {
    *metric = (ncu_metric){.slot = slot, .rank = rank, .dimension = dimension};
    return true;
}

/* smsp__sass_thread_inst_executed_op_ffma_pred_on.sum, and derived__..._x2: a rate a cycle that has its weight. */
static bool find_vector(const char *name, ncu_metric *metric) {
    const char *scaled = after(name, "derived__smsp__");
    const char *rest = scaled ? scaled : after(name, "smsp__");
    if (!rest)
        rest = after(name, "sm__");
    rest = after(rest, "sass_thread_inst_executed_op_");
    for (int i = 0; rest && i < OPERATIONS; i++) {
        const char *end = after(after(rest, operations[i].name), "_pred_on");
        if (!end)
            continue;
        if (scaled)
            return (strcmp(end, "_x2") == 0 || strcmp(end, "_x4") == 0) && put(metric, SCALED + i, 0, NCU_COUNT);
        int rollup = rollup_of(end);
        return rollup >= 0 && put(metric, VECTORS + i * ROLLUPS + rollup, 0, NCU_COUNT);
    }
    return false;
}

static int tensor_slot(int source, int target, int sparsity, int rollup) {
    return TENSORS + ((source * TARGETS + target) * SPARSITIES + sparsity) * ROLLUPS + rollup;
}

/* sm__ops_path_tensor_src_fp16_dst_fp32_sparsity_off.sum */
static bool find_tensor(const char *name, ncu_metric *metric) {
    static const char *const targets[TARGETS] = {"", "_dst_fp16", "_dst_fp32", "_dst_bf16"};
    static const char *const sparsities[SPARSITIES] = {"", "_sparsity_off", "_sparsity_on"};
    const char *rest = after(name, "sm__ops_path_tensor_src_");
    for (int i = 0; rest && i < SOURCES; i++) {
        const char *target = after(rest, sources[i].name);
        for (int t = TARGETS - 1; target && t >= 0; t--) {
            const char *sparsity = after(target, targets[t]);
            for (int s = SPARSITIES - 1; sparsity && s >= 0; s--) {
                const char *end = after(sparsity, sparsities[s]);
                if (end && rollup_of(end) >= 0)
                    return put(metric, tensor_slot(i, t, s, rollup_of(end)), 0, NCU_COUNT);
            }
        }
    }
    return false;
}

/* Anything that says whether the tensor pipe worked: shares, and counts of its instructions. */
static bool find_activity(const char *name, ncu_metric *metric) {
    if (!strstr(name, "pipe_tensor") && !strstr(name, "pipe_tc_") && !strstr(name, "pipe_tc."))
        return false;
    if (strstr(name, ".avg.pct_of_peak_sustained_elapsed"))
        return put(metric, TENSOR_SHARE, 0, NCU_SHARE);
    if (strstr(name, ".avg.pct_of_peak_sustained_active"))
        return put(metric, TENSOR_SHARE, 1, NCU_SHARE);
    const char *rest = strstr(name, "inst_executed_pipe_");
    size_t length = strlen(name);
    return rest && length > 4 && strcmp(name + length - 4, ".sum") == 0 && put(metric, TENSOR_COUNT, 0, NCU_COUNT);
}

bool ncu_metric_find(const char *name, ncu_metric *metric) {
    int rank = 0;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        rank = i > 0 && figures[i].slot == figures[i - 1].slot ? rank + 1 : 0;
        if (strcmp(figures[i].name, name) == 0)
            return put(metric, figures[i].slot, rank, figures[i].dimension);
    }
    for (int i = 0; i < COUNTER_COUNT; i++)
        if (strcmp(counters[i].name, name) == 0 || (counters[i].newer && strcmp(counters[i].newer, name) == 0))
            return put(metric, COUNTERS + i, 0, strstr(name, "bytes") ? NCU_BYTES : NCU_COUNT);
    return find_vector(name, metric) || find_tensor(name, metric) || find_activity(name, metric);
}

/* ---- units ---- */

/* "s", "usecond", "ns": a prefix of one letter ("\xC2\xB5": of two bytes) at most. */
static bool is_time(const char *unit) {
    static const char *const words[] = {"s", "sec", "second", "seconds"};
    for (size_t skip = 0; skip <= 2 && skip < strlen(unit); skip++)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (strcmp(unit + skip, words[i]) == 0)
                return true;
    return false;
}

static bool measures(ncu_dimension dimension, const char *unit) {
    bool bytes = strstr(unit, "byte") || strchr(unit, 'B'), over = strchr(unit, '/') != NULL;
    bool percent = strchr(unit, '%') != NULL;
    switch (dimension) {
    case NCU_TIME:
        return is_time(unit);
    case NCU_BYTES:
        return bytes && !over;
    case NCU_RATE:
        return bytes && over;
    case NCU_CLOCK:
        return strchr(unit, 'z') || (strstr(unit, "cycle") && over);
    case NCU_SHARE:
        return percent || !unit[0];
    case NCU_COUNT:
        break;
    }
    return !bytes && !percent && !is_time(unit);
}

double ncu_unit_factor(const ncu_metric *metric, const char *unit) {
    if (!measures(metric->dimension, unit))
        return -1;
    if (metric->dimension == NCU_COUNT && (strcmp(unit, "op") == 0 || strcmp(unit, "ops") == 0))
        return 1;
    return metric->dimension == NCU_SHARE ? 0.01 : unit_factor(unit);
}

/* ---- values ---- */

void ncu_give(ncu_values *values, const ncu_metric *metric, ncu_state state, double value) {
    int slot = metric->slot;
    ncu_state before = (ncu_state)values->state[slot];
    if (state == NCU_GIVEN && !(value >= 0 && isfinite(value)))
        state = NCU_ABSENT;
    bool pipe = slot == TENSOR_SHARE || slot == TENSOR_COUNT; /* parts of it: the busiest, the most */
    bool better = state > before || (state == before && metric->rank < values->rank[slot]) ||
                  (state == NCU_GIVEN && pipe && metric->rank == values->rank[slot] && value > values->value[slot]);
    if (!better)
        return;
    values->state[slot] = (unsigned char)state;
    values->rank[slot] = (unsigned char)metric->rank;
    values->value[slot] = state == NCU_GIVEN ? value : 0;
}

static bool given(const ncu_values *values, int slot) {
    return values->state[slot] == NCU_GIVEN;
}

typedef struct times {
    double seconds, cycles; /* 0: not known */
} times;

typedef struct amount {
    ncu_state state;
    double value;
    bool rate; /* made of a rate and the time */
} amount;

/* A count: as it is, or its rate times the time. */
static amount amount_of(const ncu_values *values, int slot, const times *t) {
    if (given(values, slot))
        return (amount){NCU_GIVEN, values->value[slot], false};
    if (given(values, slot + 1) && t->seconds > 0)
        return (amount){NCU_GIVEN, values->value[slot + 1] * t->seconds, true};
    if (given(values, slot + 2) && t->cycles > 0)
        return (amount){NCU_GIVEN, values->value[slot + 2] * t->cycles, true};
    bool absent = values->state[slot] || values->state[slot + 1] || values->state[slot + 2];
    return (amount){absent ? NCU_ABSENT : NCU_NONE, 0, false};
}

static amount vector_amount(const ncu_values *values, int operation, const times *t) {
    amount a = amount_of(values, VECTORS + operation * ROLLUPS, t);
    if (a.state == NCU_GIVEN)
        a.value *= roof_event_find(operations[operation].event)->flops;
    else if (given(values, SCALED + operation) && t->cycles > 0)
        a = (amount){NCU_GIVEN, values->value[SCALED + operation] * t->cycles, true};
    return a;
}

/* ---- FLOPs ---- */

#define SUMS(A, M, F, W)                                                                                               \
    { NULL, A, M, A " + " M, F " x " W, F " x " W " + " A, F " x " W " + " M, F " x " W " + " A " + " M }

static const struct precision {
    roof_dtype dtype;
    const char *from[8]; /* by which of add, multiply, fused were counted */
    const char *rates;
} precisions[] = {
    {ROOF_F64, SUMS("dadd", "dmul", "dfma", "2"), "dfma x 2 + dadd + dmul, from rates and the time"},
    {ROOF_F32, SUMS("fadd", "fmul", "ffma", "2"), "ffma x 2 + fadd + fmul, from rates and the time"},
    {ROOF_F16, SUMS("hadd x 2", "hmul x 2", "hfma", "4"), "hfma x 4 + (hadd + hmul) x 2, from rates and the time"},
};
enum { PRECISIONS = 3 };

typedef struct sum {
    roof_unit unit;
    roof_dtype dtype;
    double flops;
    roof_certainty certainty;
    const char *from;
} sum;

/* One of add, multiply, fused alone is a part. False: nothing of this precision was asked for. */
static bool sum_vector(const ncu_values *values, int precision, const times *t, sum *out) {
    unsigned counted = 0, asked = 0;
    bool rate = false;
    *out = (sum){ROOF_VECTOR, precisions[precision].dtype, 0, ROOF_CERTAINTY_MISSING, NULL};
    for (int i = 0; i < 6; i++) { /* three, and the packed ones of F32 */
        if (i >= 3 && precision != 1)
            break;
        amount a = vector_amount(values, i < 3 ? precision * 3 + i : PACKED + i - 3, t);
        asked |= a.state != NCU_NONE ? 1u << i : 0;
        counted |= a.state == NCU_GIVEN ? 1u << i : 0;
        rate |= a.rate;
        out->flops += a.value;
    }
    if (counted)
        out->certainty = (counted & 7) == 7 && asked == counted ? ROOF_CERTAINTY_COUNTED : ROOF_CERTAINTY_AT_LEAST;
    out->from = rate ? precisions[precision].rates : precisions[precision].from[counted & 7];
    if (!out->from)
        out->from = counted ? "packed F32 only" : "n/a";
    return asked != 0;
}

/* The same work may be given as a total, by what it sums into, and by sparsity: the most complete of them. */
static amount tensor_amount(const ncu_values *values, int source, const times *t) {
    amount whole = {NCU_NONE, 0, false}, parts = {NCU_NONE, 0, false};
    for (int target = 0; target < TARGETS; target++) {
        amount total = amount_of(values, tensor_slot(source, target, 0, 0), t);
        for (int s = 1; s < SPARSITIES && total.state != NCU_GIVEN; s++) {
            amount split = amount_of(values, tensor_slot(source, target, s, 0), t);
            amount other = amount_of(values, tensor_slot(source, target, 3 - s, 0), t);
            if (split.state == NCU_GIVEN)
                total = (amount){NCU_GIVEN, split.value + other.value, split.rate};
        }
        amount *into = target == 0 ? &whole : &parts;
        if (total.state > into->state)
            into->state = total.state;
        into->value += total.value;
        into->rate |= total.rate;
    }
    return whole.state == NCU_GIVEN && whole.value >= parts.value ? whole : parts.state > whole.state ? parts : whole;
}

static bool sum_tensor(const ncu_values *values, int source, const times *t, sum *out) {
    const roof_event *event = roof_event_find(sources[source].event);
    amount a = tensor_amount(values, source, t);
    *out = (sum){ROOF_MATRIX, event->dtype, a.value * event->flops,
                 a.state == NCU_GIVEN ? ROOF_CERTAINTY_COUNTED : ROOF_CERTAINTY_MISSING, event->name};
    return a.state != NCU_NONE;
}

/* On chips like the A100 the instruction HFMA2.MMA, with which the compiler also loads constants, runs in the tensor
 * pipe: then its instructions are those of hfma, 32 threads each, and no matrix work is missing. */
static bool only_half_fma(const ncu_values *values) {
    double threads = values->value[VECTORS + HFMA * ROLLUPS], warps = values->value[TENSOR_COUNT];
    return given(values, VECTORS + HFMA * ROLLUPS) && given(values, TENSOR_COUNT) && warps > 0 &&
           fabs(threads - 32 * warps) <= 1e-3 * threads;
}

static bool tensor_works(const ncu_values *values) {
    return values->value[TENSOR_SHARE] > 0 || values->value[TENSOR_COUNT] > 0;
}

static double matrix_active(const ncu_values *values) {
    if (only_half_fma(values))
        return 0;
    if (given(values, TENSOR_SHARE))
        return fmin(values->value[TENSOR_SHARE], 1);
    return given(values, TENSOR_COUNT) && !(values->value[TENSOR_COUNT] > 0) ? 0 : -1;
}

typedef struct lacking {
    bool time, bytes, flops, matrix;
} lacking;

/* Those of `which`: work that was counted, work that was not, and counts of zero. */
static void add_sums(draft *launch, const sum *sums, size_t count, int which) {
    for (size_t i = 0; i < count; i++) {
        int kind = sums[i].flops > 0 ? 0 : sums[i].certainty == ROOF_CERTAINTY_MISSING ? 1 : 2;
        if (kind != which)
            continue;
        if (launch->flop_count < ROOF_MEASURED_FLOPS)
            draft_flops(launch, sums[i].unit, sums[i].dtype, sums[i].flops, sums[i].certainty, sums[i].from);
        else if (which < 2) /* no room for it: then all of the rest is a part */
            launch->flops[0].count.certainty = ROOF_CERTAINTY_AT_LEAST;
    }
}

static bool any_matrix(const sum *sums, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (sums[i].unit == ROOF_MATRIX && sums[i].flops > 0)
            return true;
    return false;
}

static void fill_flops(const ncu_values *values, const times *t, draft *launch, lacking *lack) {
    sum sums[PRECISIONS + SOURCES + 1];
    size_t count = 0;
    for (int i = 0; i < PRECISIONS; i++)
        count += sum_vector(values, i, t, &sums[count]);
    lack->flops = count == 0;
    for (size_t i = 0; i < count; i++)
        lack->flops |= sums[i].certainty != ROOF_CERTAINTY_COUNTED;
    for (int i = 0; i < SOURCES; i++)
        count += sum_tensor(values, i, t, &sums[count]);
    lack->matrix = tensor_works(values) && !only_half_fma(values) && !any_matrix(sums, count);
    if (lack->matrix)
        sums[count++] = (sum){.unit = ROOF_MATRIX, .from = "the tensor pipe worked, its FLOPs are not counted"};
    for (int which = 0; which < 3; which++)
        add_sums(launch, sums, count, which);
}

/* ---- bytes ---- */

#define PART " (a part: not all were counted)"

/* The ways to count the bytes of a level, best first. `whole`: together they are all of the traffic. */
static const struct choice {
    roof_level level;
    int count;
    enum counter of[4];
    bool whole;
    const char *from, *part;
} choices[] = {
    {ROOF_DRAM, 1, {DRAM_BYTES}, true, "dram__bytes.sum", ""},
    {ROOF_DRAM,
     2,
     {DRAM_READ, DRAM_WRITE},
     true,
     "dram__bytes_read.sum + dram__bytes_write.sum",
     "dram__bytes_read.sum or dram__bytes_write.sum alone"},
    {ROOF_DRAM, 1, {DRAM_SECTORS}, true, "dram__sectors.sum x 32", ""},
    {ROOF_DRAM,
     2,
     {DRAM_SECTORS_READ, DRAM_SECTORS_WRITE},
     true,
     "(dram__sectors_read.sum + dram__sectors_write.sum) x 32",
     "dram__sectors_read.sum or dram__sectors_write.sum alone, x 32"},
    {ROOF_L2,
     2,
     {XBAR_READ, XBAR_WRITE},
     true,
     "l1tex__m_xbar2l1tex_read_bytes.sum + l1tex__m_l1tex2xbar_write_bytes.sum",
     "l1tex__m_* bytes" PART},
    {ROOF_L2,
     2,
     {XBAR_SECTORS_READ, XBAR_SECTORS_WRITE},
     true,
     "(l1tex__m_xbar2l1tex_read_sectors.sum + l1tex__m_l1tex2xbar_write_sectors.sum) x 32",
     "l1tex__m_* sectors x 32" PART},
    {ROOF_L2, 1, {LTS_TEX}, true, "lts__t_sectors_srcunit_tex.sum x 32", ""},
    {ROOF_L2, 1, {LTS_BYTES}, true, "lts__t_bytes.sum", ""},
    {ROOF_L2, 1, {LTS_SECTORS}, true, "lts__t_sectors.sum x 32", ""},
    {ROOF_L2,
     2,
     {LTS_TEX_READ, LTS_TEX_WRITE},
     false,
     "lts__t_sectors_srcunit_tex_op_read and _write x 32 (atomics not counted)",
     "lts__t_sectors_srcunit_tex_op_* x 32" PART},
    {ROOF_L2,
     2,
     {LTS_READ, LTS_WRITE},
     false,
     "lts__t_sectors_op_read and _write x 32 (atomics not counted)",
     "lts__t_sectors_op_* x 32" PART},
    {ROOF_L1, 1, {L1_BYTES}, true, "l1tex__t_bytes.sum", ""},
    {ROOF_L1, 1, {L1_SECTORS}, true, "l1tex__t_sectors.sum x 32", ""},
    {ROOF_L1,
     4,
     {L1_GLOBAL_READ, L1_GLOBAL_WRITE, L1_LOCAL_READ, L1_LOCAL_WRITE},
     false,
     "l1tex__t_sectors_pipe_lsu_mem_* x 32 (atomics and textures not counted)",
     "l1tex__t_sectors_pipe_lsu_mem_* x 32" PART},
};
enum { CHOICES = sizeof choices / sizeof choices[0] };

static int sum_choice(const ncu_values *values, const struct choice *choice, double *bytes) {
    int found = 0;
    *bytes = 0;
    for (int i = 0; i < choice->count; i++)
        if (given(values, COUNTERS + (int)choice->of[i])) {
            *bytes += values->value[COUNTERS + choice->of[i]] * roof_event_find(counters[choice->of[i]].name)->bytes;
            found++;
        }
    return found;
}

/* The first choice that is whole; else the first of which there is anything. */
static void fill_level(const ncu_values *values, roof_level level, draft *launch) {
    const struct choice *best = NULL;
    double bytes = 0, all = 0;
    bool whole = false;
    int best_found = 0;
    for (int i = 0; i < CHOICES && !whole; i++) {
        int found = choices[i].level == level ? sum_choice(values, &choices[i], &all) : 0;
        bool complete = found > 0 && found == choices[i].count && choices[i].whole;
        if (found == 0 || (best && !complete))
            continue;
        best = &choices[i];
        best_found = found;
        bytes = all;
        whole = complete;
    }
    if (best)
        draft_bytes(launch, level, bytes, whole ? ROOF_CERTAINTY_COUNTED : ROOF_CERTAINTY_AT_LEAST,
                    best_found == best->count ? best->from : best->part);
}

static void fill_bytes(const ncu_values *values, const times *t, draft *launch) {
    fill_level(values, ROOF_DRAM, launch);
    fill_level(values, ROOF_L2, launch);
    fill_level(values, ROOF_L1, launch);
    roof_count *dram = &launch->bytes[ROOF_DRAM];
    if (dram->certainty != ROOF_CERTAINTY_COUNTED && given(values, DRAM_RATE) && t->seconds > 0)
        *dram = (roof_count){values->value[DRAM_RATE] * t->seconds, ROOF_CERTAINTY_COUNTED,
                             values->rank[DRAM_RATE] ? "Memory Throughput x time (derived)"
                                                     : "dram__bytes.sum.per_second x time (derived)"};
}

/* ---- all of it ---- */

static times fill_seconds(const ncu_values *values, draft *launch) {
    double clock = values->value[CLOCK], cycles = values->value[CYCLES], seconds = values->value[SECONDS];
    if (seconds > 0)
        launch->seconds = (roof_count){seconds, ROOF_CERTAINTY_COUNTED, "gpu__time_duration"};
    else if (cycles > 0 && clock > 0)
        launch->seconds = (roof_count){cycles / clock, ROOF_CERTAINTY_COUNTED, "elapsed cycles / clock (derived)"};
    launch->clock = clock > 0 ? clock : seconds > 0 && cycles > 0 ? cycles / seconds : 0;
    return (times){.seconds = launch->seconds.value,
                   .cycles = cycles > 0 ? cycles : launch->seconds.value * launch->clock};
}

#define ASK " missing: ncu --csv --page raw --metrics "
#define TIME_METRICS "gpu__time_duration.sum,"
#define BYTE_METRICS "dram__bytes_read.sum,dram__bytes_write.sum,"
#define FLOP_METRICS                                                                                                   \
    SASS("dadd")                                                                                                       \
    "," SASS("dmul") "," SASS("dfma") "," SASS("fadd") "," SASS("fmul") "," SASS("ffma") "," SASS("hadd") "," SASS(    \
        "hmul") "," SASS("hfma") ","
#define TENSOR_METRICS                                                                                                 \
    "sm__ops_path_tensor_src_bf16_dst_fp32.sum,sm__ops_path_tensor_src_fp16.sum,"                                      \
    "sm__ops_path_tensor_src_tf32_dst_fp32.sum,sm__ops_path_tensor_src_fp8.sum,sm__ops_path_tensor_src_int8.sum,"      \
    "sm__ops_path_tensor_src_fp64.sum,"
#define ACTIVE_METRIC "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"

/* By what lacks: FLOPs 1, tensor FLOPs 2, bytes 4. The time is asked for again each time: one run measures it all. */
static const char *const asks[8] = {
    [1] = "FLOPs" ASK TIME_METRICS FLOP_METRICS ACTIVE_METRIC,
    [2] = "FLOPs of the tensor pipe" ASK TIME_METRICS TENSOR_METRICS ACTIVE_METRIC,
    [3] = "FLOPs, also of the tensor pipe," ASK TIME_METRICS FLOP_METRICS TENSOR_METRICS ACTIVE_METRIC,
    [4] = "DRAM bytes" ASK TIME_METRICS BYTE_METRICS ACTIVE_METRIC,
    [5] = "DRAM bytes and FLOPs" ASK TIME_METRICS BYTE_METRICS FLOP_METRICS ACTIVE_METRIC,
    [6] = "DRAM bytes and FLOPs of the tensor pipe" ASK TIME_METRICS BYTE_METRICS TENSOR_METRICS ACTIVE_METRIC,
    [7] = "DRAM bytes and FLOPs, also of the tensor pipe," ASK TIME_METRICS BYTE_METRICS FLOP_METRICS TENSOR_METRICS
        ACTIVE_METRIC,
};

static const char *ask_for(const lacking *lack) {
    const char *ask = asks[(lack->flops ? 1 : 0) + (lack->matrix ? 2 : 0) + (lack->bytes ? 4 : 0)];
    if (!lack->time)
        return ask;
    return ask ? asks[7] : "the time" ASK "gpu__time_duration.sum";
}

void ncu_fill(const ncu_values *values, draft *launch) {
    lacking lack = {0};
    times t = fill_seconds(values, launch);
    fill_flops(values, &t, launch, &lack);
    fill_bytes(values, &t, launch);
    launch->matrix_active = matrix_active(values);
    lack.time = launch->seconds.certainty == ROOF_CERTAINTY_MISSING;
    lack.bytes = launch->bytes[ROOF_DRAM].certainty != ROOF_CERTAINTY_COUNTED;
    launch->missing = ask_for(&lack);
}
