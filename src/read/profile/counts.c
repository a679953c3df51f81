/* Sums of raw events, and what they are worth together. */
#include "read/profile/counts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { EVENTS_MAX = 1 << 14 }; /* distinct events of one region */

/* ---- names ---- */

/* LIKWID's names begin otherwise: what they become. */
static const struct renamed {
    const char *from, *to;
} renamed[] = {
    {"FP_ARITH_INST_RETIRED_", "fp_arith_inst_retired."},
    {"FP_ARITH_INST_RETIRED2_", "fp_arith_inst_retired2."},
    {"RETIRED_SSE_AVX_FLOPS_ALL", "fp_ret_sse_avx_ops.all"},
    {"RETIRED_SSE_AVX_FLOPS_ADD", "fp_ret_sse_avx_ops.add_sub_flops"},
    {"RETIRED_SSE_AVX_FLOPS_MULT", "fp_ret_sse_avx_ops.mult_flops"},
    {"RETIRED_SSE_AVX_FLOPS_DIV", "fp_ret_sse_avx_ops.div_flops"},
    {"RETIRED_SSE_AVX_FLOPS_MAC", "fp_ret_sse_avx_ops.mac_flops"},
    {"CAS_COUNT_RD", "cas_count_read"},
    {"CAS_COUNT_WR", "cas_count_write"},
    {"data_read", "data_reads"}, /* uncore_imc_free_running_0/data_read/ */
    {"data_write", "data_writes"},
    {"L1D_REPLACEMENT", "l1d.replacement"},
    {"L2_TRANS_L1D_WB", "l2_trans.l1d_wb"},
    {"L2_LINES_IN_ALL", "l2_lines_in.all"},
    {"L2_LINES_OUT_NON_SILENT", "l2_lines_out.non_silent"},
};

static bool rename_event(const char *from, char out[COUNT_NAME]) {
    for (size_t i = 0; i < LENGTH(renamed); i++) {
        size_t length = strlen(renamed[i].from);
        bool prefix = renamed[i].from[length - 1] == '_';
        if (strncasecmp(from, renamed[i].from, length) != 0 || (!prefix && from[length] != '\0'))
            continue;
        snprintf(out, COUNT_NAME, "%s%.60s", renamed[i].to, from + length);
        return true;
    }
    return false;
}

static bool is_modifier(const char *text) {
    return *text && text[strspn(text, "ukhGHpPSDIWe")] == '\0';
}

void counts_name(const char *written, char out[COUNT_NAME]) {
    const char *slash = strchr(written, '/'), *from = slash ? slash + 1 : written;
    size_t length = slash ? strcspn(from, "/") : strlen(from);
    char bare[COUNT_NAME];
    snprintf(bare, sizeof bare, "%.*s", (int)(length < COUNT_NAME ? length : COUNT_NAME - 1), from);
    char *colon = strrchr(bare, ':');
    if (colon && is_modifier(colon + 1))
        *colon = '\0';
    if (!rename_event(bare, out))
        memcpy(out, bare, sizeof bare);
}

/* What the kernel counts without a PMU. */
static bool is_software(const char *name) {
    static const char *const names[] = {
        "task-clock",   "cpu-clock",  "duration_time",    "user_time",        "system_time",     "context-switches",
        "cs",           "migrations", "cpu-migrations",   "page-faults",      "faults",          "minor-faults",
        "major-faults", "dummy",      "alignment-faults", "emulation-faults", "cgroup-switches", "bpf-output",
    };
    for (size_t i = 0; i < LENGTH(names); i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

/* ---- sums ---- */

bool counts_plausible(double value) {
    return value >= 0 && value < 1e30;
}

static counted *find(const counts *from, const char *name) {
    for (size_t i = 0; i < from->count; i++)
        if (strcasecmp(from->all[i].name, name) == 0)
            return &from->all[i];
    return NULL;
}

const counted *counts_find(const counts *from, const char *name) {
    return find(from, name);
}

static counted *entry(counts *to, const char *name, roof_error *error) {
    counted *seen = find(to, name);
    if (seen)
        return seen;
    if (to->count == to->room) {
        size_t room = to->room ? to->room * 2 : 32;
        counted *larger = to->count < EVENTS_MAX ? realloc(to->all, room * sizeof *larger) : NULL;
        if (!larger) {
            if (to->count < EVENTS_MAX)
                roof_fail(error, ROOF_ENOMEM, "out of memory while reading measurements");
            else
                roof_fail(error, ROOF_EFORMAT, "more than %d different events in one region", EVENTS_MAX);
            return NULL;
        }
        to->all = larger;
        to->room = room;
    }
    counted *made = &to->all[to->count++];
    *made = (counted){.running = 1};
    snprintf(made->name, sizeof made->name, "%s", name);
    return made;
}

/* Only events that matter are kept, so that a file with thousands of others costs nothing. */
static bool matters(const char *name) {
    return roof_event_find(name) || strcasecmp(name, "cycles") == 0 || strcasecmp(name, "vfp_spec") == 0 ||
           strcasecmp(name, "ase_spec") == 0;
}

int counts_add(counts *to, const char *written, bool has_value, double value, double factor, double running,
               roof_error *error) {
    char name[COUNT_NAME];
    counts_name(written, name);
    if (!is_software(name))
        *(has_value ? &to->hardware : &to->unsupported) += 1;
    if (!matters(name))
        return 0;
    counted *sum = entry(to, name, error);
    if (!sum)
        return -1;
    if (has_value && counts_plausible(value)) {
        sum->counted = true;
        sum->value += factor > 0 ? value * factor : value;
        sum->bytes |= factor > 0;
        sum->running = fmin(sum->running, running);
    } else {
        sum->missing = true;
    }
    return 0;
}

void counts_program(const profile_job *job, char *out, size_t size) {
    const char *path = job->path, *slash = path ? strrchr(path, '/') : NULL;
    snprintf(out, size, "%s", !path ? "program" : slash ? slash + 1 : path);
}

static void weaken(roof_count *count) {
    if (count->certainty == ROOF_CERTAINTY_COUNTED)
        count->certainty = ROOF_CERTAINTY_AT_LEAST;
}

void counts_partial(draft *to) {
    for (size_t i = 0; i < to->flop_count; i++)
        weaken(&to->flops[i].count);
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        weaken(&to->bytes[level]);
}

void counts_clear(counts *from) {
    from->count = 0;
    from->hardware = from->unsupported = 0;
}

void counts_free(counts *from) {
    free(from->all);
    *from = (counts){0};
}

/* ---- totals and their parts ---- */

/* A total and the parts that make it: one of both is used. */
static const struct total {
    const char *whole, *parts[4];
} totals[] = {
    {"fp_ret_sse_avx_ops.all",
     {"fp_ret_sse_avx_ops.add_sub_flops", "fp_ret_sse_avx_ops.mult_flops", "fp_ret_sse_avx_ops.div_flops",
      "fp_ret_sse_avx_ops.mac_flops"}},
    {"fp_arith_inst_retired.scalar", {"fp_arith_inst_retired.scalar_double", "fp_arith_inst_retired.scalar_single"}},
    {"fp_arith_inst_retired.4_flops",
     {"fp_arith_inst_retired.128b_packed_single", "fp_arith_inst_retired.256b_packed_double"}},
    {"fp_arith_inst_retired.8_flops",
     {"fp_arith_inst_retired.256b_packed_single", "fp_arith_inst_retired.512b_packed_double"}},
    {"fp_fixed_ops_spec", {"fp_dp_fixed_ops_spec", "fp_sp_fixed_ops_spec", "fp_hp_fixed_ops_spec"}},
    {"fp_scale_ops_spec", {"fp_dp_scale_ops_spec", "fp_sp_scale_ops_spec", "fp_hp_scale_ops_spec"}},
    {"umc_cas_cmd.all", {"umc_cas_cmd.rd", "umc_cas_cmd.wr"}},
    {"unc_m_cas_count.all", {"unc_m_cas_count.rd", "unc_m_cas_count.wr"}},
    {"data_total", {"data_reads", "data_writes"}},
};

/* Events that are whole only together. A part that is not in the file makes the sum "at least". */
static const struct together {
    const char *parts[4];
} sets[] = {
    {{"fp_arith_inst_retired.scalar_double", "fp_arith_inst_retired.128b_packed_double",
      "fp_arith_inst_retired.256b_packed_double"}},
    {{"fp_arith_inst_retired.scalar_single", "fp_arith_inst_retired.128b_packed_single",
      "fp_arith_inst_retired.256b_packed_single"}},
    {{"fp_ret_sse_avx_ops.add_sub_flops", "fp_ret_sse_avx_ops.mult_flops", "fp_ret_sse_avx_ops.div_flops",
      "fp_ret_sse_avx_ops.mac_flops"}},
    {{"fp_fixed_ops_spec", "fp_scale_ops_spec"}},
    {{"fp_dp_fixed_ops_spec", "fp_dp_scale_ops_spec"}},
    {{"fp_sp_fixed_ops_spec", "fp_sp_scale_ops_spec"}},
    {{"cas_count_read", "cas_count_write"}},
    {{"umc_cas_cmd.rd", "umc_cas_cmd.wr"}},
    {{"unc_m_cas_count.rd", "unc_m_cas_count.wr"}},
    {{"data_reads", "data_writes"}},
    {{"l1d.replacement", "l2_trans.l1d_wb"}},
};

/* Counters of the same DRAM traffic, best first: only the first that is in the file is used. */
static const struct dram_counter {
    const char *prefix;
    int family;
} dram[] = {
    {"cas_count_", 0},       {"unc_m_cas_count", 1}, {"umc_cas_cmd", 2}, {"dram_channel_data_controller_", 3},
    {"data_reads", 4},       {"data_writes", 4},     {"data_total", 4},  {"LLC-", 5},
    {"ll_cache_miss_rd", 5},
};
enum { ESTIMATES = 5 }; /* misses of the last cache: prefetches and writes back are not in them */

static int family_of(const char *name) {
    for (size_t i = 0; i < LENGTH(dram); i++)
        if (strncasecmp(name, dram[i].prefix, strlen(dram[i].prefix)) == 0)
            return dram[i].family;
    return -1;
}

static bool is_counted(const counts *from, const char *name) {
    const counted *seen = find(from, name);
    return seen && seen->counted;
}

static bool all_counted(const counts *from, const char *const parts[4]) {
    for (size_t i = 0; i < 4 && parts[i]; i++) {
        const counted *seen = find(from, parts[i]);
        if (!seen || !seen->counted || seen->missing)
            return false;
    }
    return true;
}

static bool has_part(const char *const parts[4], const char *name) {
    for (size_t i = 0; i < 4 && parts[i]; i++)
        if (strcasecmp(parts[i], name) == 0)
            return true;
    return false;
}

/* A total that its parts make, or a part of a total that was counted. */
static bool is_covered(const counts *from, const char *name) {
    for (size_t i = 0; i < LENGTH(totals); i++) {
        bool parts = all_counted(from, totals[i].parts);
        if (strcasecmp(totals[i].whole, name) == 0 && parts)
            return true;
        if (has_part(totals[i].parts, name) && !parts && is_counted(from, totals[i].whole))
            return true;
    }
    return false;
}

/* ---- giving ---- */

static int best_family(const counts *from) {
    int best = ESTIMATES + 1;
    for (size_t i = 0; i < from->count; i++) {
        int family = family_of(from->all[i].name);
        if (family >= 0 && from->all[i].counted && family < best)
            best = family;
    }
    return best;
}

static void give_value(const counted *one, const roof_event *weights, roof_certainty certainty, draft *to) {
    if (one->bytes && weights->bytes > 0)
        draft_bytes(to, weights->level, one->value, certainty, weights->name);
    else if (weights->flops > 0 || weights->bytes > 0)
        draft_event(to, one->name, one->value, certainty);
    else if (one->value > 0) /* the matrix unit worked, and nothing says how much */
        draft_flops(to, weights->unit, weights->dtype, 0, ROOF_CERTAINTY_AT_LEAST, weights->name);
}

static void warn_one(const counted *one, const roof_event *weights, int family, builder *warn) {
    if (one->missing)
        build_warning(warn, "%s was not counted%s: its part is missing, not zero", one->name,
                      one->counted ? " everywhere" : "");
    if (one->counted && one->running < 0.8)
        build_warning(warn, "%s ran %.0f%% of the time: its count is the tool's estimate, scaled already", one->name,
                      one->running * 100);
    if (family == ESTIMATES)
        build_warning(warn, "DRAM bytes are %s x 64, at least: prefetches and writes back are not in it", one->name);
    else if (family >= 0)
        build_warning(warn, "memory counters count whole sockets: other programs' bytes are in them");
    if (weights->flops > 0 && weights->unit == ROOF_VECTOR && weights->dtype == ROOF_DTYPE_NONE && one->value > 0)
        build_warning(warn, "%s counts every precision together: no dtype is assumed", one->name);
    if (strstr(one->name, "_scale_ops_spec") && one->value > 0)
        build_warning(warn, "%s counts per 128 bits of vector: FLOPs are at least, for vectors of 128 bits", one->name);
}

static void give_one(const counts *from, const counted *one, int best, draft *to, builder *warn) {
    const roof_event *weights = roof_event_find(one->name);
    int family = family_of(one->name);
    if (!weights || is_covered(from, one->name) || (family >= 0 && family > best))
        return;
    if (family >= 0 && family < best && !one->counted && best <= ESTIMATES)
        return;
    bool partial = family == ESTIMATES || strstr(one->name, "_scale_ops_spec");
    warn_one(one, weights, family, warn);
    if (one->counted)
        give_value(one, weights, partial && one->value > 0 ? ROOF_CERTAINTY_AT_LEAST : ROOF_CERTAINTY_COUNTED, to);
    if (one->missing)
        draft_event(to, one->name, 0, ROOF_CERTAINTY_MISSING);
}

/* The parts of a set that nobody asked for. */
static void give_absent(const counts *from, const struct together *set, draft *to, builder *warn) {
    bool some = false;
    for (size_t i = 0; i < 4 && set->parts[i]; i++)
        some |= is_counted(from, set->parts[i]) && !is_covered(from, set->parts[i]);
    for (size_t i = 0; some && i < 4 && set->parts[i]; i++) {
        if (find(from, set->parts[i]) || is_covered(from, set->parts[i]))
            continue;
        draft_event(to, set->parts[i], 0, ROOF_CERTAINTY_MISSING);
        build_warning(warn, "%s is not in the file: the sum is at least", set->parts[i]);
    }
}

static void warn_widths(const counts *from, builder *warn) {
    bool doubles = is_counted(from, "fp_arith_inst_retired.256b_packed_double");
    bool singles = is_counted(from, "fp_arith_inst_retired.256b_packed_single");
    if ((doubles && !find(from, "fp_arith_inst_retired.512b_packed_double") &&
         !find(from, "fp_arith_inst_retired.8_flops")) ||
        (singles && !find(from, "fp_arith_inst_retired.512b_packed_single")))
        build_warning(warn, "512-bit instructions were not counted: FLOPs are whole only where AVX-512 is not used");
    if (doubles != singles && !find(from, "fp_arith_inst_retired.4_flops"))
        build_warning(warn, "only %s precision was counted: FLOPs of the other are not in the sum",
                      doubles ? "double" : "single");
    if ((find(from, "vfp_spec") || find(from, "ase_spec")) && !find(from, "fp_fixed_ops_spec"))
        build_warning(warn, "vfp_spec and ase_spec count instructions of any width: no FLOPs are made of them; count "
                            "fp_fixed_ops_spec and fp_scale_ops_spec");
}

/* A sum of several events is named after all of them. */
static void name_sum(roof_count *count) {
    static const struct {
        const char *prefix, *sum;
    } sums[] = {{"fp_arith_inst_retired.", "fp_arith_inst_retired.* x elements"},
                {"fp_arith_inst_retired2.", "fp_arith_inst_retired2.* x elements"},
                {"cas_count_", "(cas_count_read + cas_count_write) x 64"},
                {"dram_channel_data_controller_", "dram_channel_data_controller_* x 64"}};
    for (size_t i = 0; i < LENGTH(sums) && count->from; i++)
        if (strncmp(count->from, sums[i].prefix, strlen(sums[i].prefix)) == 0)
            count->from = sums[i].sum;
}

void counts_give(const counts *from, draft *to, builder *warn) {
    int best = best_family(from);
    for (size_t i = 0; i < from->count; i++)
        give_one(from, &from->all[i], best, to, warn);
    for (size_t i = 0; i < LENGTH(sets); i++)
        if (family_of(sets[i].parts[0]) < 0 || family_of(sets[i].parts[0]) == best)
            give_absent(from, &sets[i], to, warn);
    for (size_t i = 0; i < to->flop_count; i++)
        name_sum(&to->flops[i].count);
    name_sum(&to->bytes[ROOF_DRAM]);
    warn_widths(from, warn);
}
