/* Counters of AMD GPUs: which names matter, and what they are worth together. */
#include "read/profile/amd/amd.h"

#include <string.h>

#include "read/profile/figures.h"

/* ---- names ---- */

/* As src/catalog/events.c has them; without "_sum", and "TCC_EA0" as "TCC_EA". */
static const char *const names[AMD_COUNTERS] = {
    "SQ_INSTS_VALU_ADD_F64",
    "SQ_INSTS_VALU_MUL_F64",
    "SQ_INSTS_VALU_FMA_F64",
    "SQ_INSTS_VALU_TRANS_F64",
    "SQ_INSTS_VALU_ADD_F32",
    "SQ_INSTS_VALU_MUL_F32",
    "SQ_INSTS_VALU_FMA_F32",
    "SQ_INSTS_VALU_TRANS_F32",
    "SQ_INSTS_VALU_ADD_F16",
    "SQ_INSTS_VALU_MUL_F16",
    "SQ_INSTS_VALU_FMA_F16",
    "SQ_INSTS_VALU_TRANS_F16",
    "SQ_INSTS_VALU_MFMA_MOPS_F16",
    "SQ_INSTS_VALU_MFMA_MOPS_BF16",
    "SQ_INSTS_VALU_MFMA_MOPS_F32",
    "SQ_INSTS_VALU_MFMA_MOPS_F64",
    "SQ_INSTS_VALU_MFMA_MOPS_I8",
    "SQ_INSTS_VALU_MFMA_MOPS_F8",
    "SQ_INSTS_VALU_MFMA_MOPS_F6F4",
    "SQ_INSTS_VALU_MFMA_MOPS_XF32",
    [AMD_READ] = "TCC_EA_RDREQ",
    [AMD_READ_32B] = "TCC_EA_RDREQ_32B",
    [AMD_READ_128B] = "TCC_BUBBLE",
    [AMD_WRITE] = "TCC_EA_WRREQ",
    [AMD_WRITE_64B] = "TCC_EA_WRREQ_64B",
    [AMD_FETCH_SIZE] = "FETCH_SIZE",
    [AMD_WRITE_SIZE] = "WRITE_SIZE",
    [AMD_L2_READ] = "TCP_TCC_READ_REQ",
    [AMD_L2_WRITE] = "TCP_TCC_WRITE_REQ",
    [AMD_L2_ATOMIC] = "TCP_TCC_ATOMIC_WITHOUT_RET_REQ",
    [AMD_L2_ATOMIC_RETURN] = "TCP_TCC_ATOMIC_WITH_RET_REQ",
    [AMD_L1] = "TCP_TOTAL_CACHE_ACCESSES",
    [AMD_MATRIX_BUSY] = "SQ_VALU_MFMA_BUSY_CYCLES",
    [AMD_MATRIX_INSTRUCTIONS] = "SQ_INSTS_MFMA",
    [AMD_MATRIX_SHARE] = "MfmaUtil",
};

static const struct {
    const char *name;
    amd_counter counter;
} others[] = {{"FetchSize", AMD_FETCH_SIZE}, {"WriteSize", AMD_WRITE_SIZE}};

static amd_counter counter_of(const char *name) {
    for (int i = 0; i < AMD_COUNTERS; i++)
        if (strcmp(name, names[i]) == 0)
            return (amd_counter)i;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i].name) == 0)
            return others[i].counter;
    return AMD_COUNTERS;
}

/* Counters of the caches come once for each of their channels, unless the name says that it is the sum. */
amd_column amd_find(const char *name) {
    char plain[48];
    size_t length = strcspn(name, "[");
    bool sum = length > 4 && name[length] == '\0' && strcmp(name + length - 4, "_sum") == 0;
    amd_column column = {.counter = AMD_COUNTERS,
                         .part = !sum && name[0] == 'T' && name[1] == 'C',
                         .wide = strncmp(name, "TCC_EA0_", 8) == 0 || strncmp(name, "TCC_BUBBLE", 10) == 0,
                         .narrow = strncmp(name, "TCC_EA_", 7) == 0};
    length -= sum ? 4 : 0;
    if (length >= sizeof plain)
        return column;
    memcpy(plain, name, length);
    plain[length] = '\0';
    if (strncmp(plain, "TCC_EA0_", 8) == 0)
        memmove(plain + 6, plain + 7, length - 6);
    column.counter = counter_of(plain);
    return column;
}

/* ---- values ---- */

enum { HAS_WHOLE = 1, HAS_PARTS = 2, LACKS_WHOLE = 4, LACKS_PARTS = 8 };

/* More than any run can count: such a number is damage, and would swallow the others. */
#define COUNT_MOST 1e21

bool amd_number(const char *cell, double *value) {
    return figure_read('.', cell, value) == FIGURE_NUMBER && *value >= 0 && *value <= COUNT_MOST;
}

void amd_add(amd_counts *to, const amd_column *column, bool has_value, double value) {
    to->narrow |= column->narrow;
    to->wide |= column->wide;
    if (column->counter == AMD_COUNTERS)
        return;
    unsigned char *has = &to->has[column->counter];
    if (!has_value) {
        *has |= column->part ? LACKS_PARTS : LACKS_WHOLE;
        return;
    }
    *has |= column->part ? HAS_PARTS : HAS_WHOLE;
    *(column->part ? &to->parts[column->counter] : &to->whole[column->counter]) += value;
}

void amd_lacks(amd_counts *to, amd_counter counter) {
    to->has[counter] |= LACKS_PARTS | LACKS_WHOLE;
}

typedef struct amount {
    double value;
    roof_certainty certainty;
} amount;

static amount amount_of(const amd_counts *from, int counter) {
    unsigned char has = from->has[counter];
    if (has & HAS_WHOLE && !(has & LACKS_WHOLE))
        return (amount){from->whole[counter], ROOF_CERTAINTY_COUNTED};
    if (has & HAS_PARTS && !(has & LACKS_PARTS))
        return (amount){from->parts[counter], ROOF_CERTAINTY_COUNTED};
    if (has & HAS_WHOLE)
        return (amount){from->whole[counter], ROOF_CERTAINTY_AT_LEAST};
    if (has & HAS_PARTS)
        return (amount){from->parts[counter], ROOF_CERTAINTY_AT_LEAST};
    return (amount){0, ROOF_CERTAINTY_MISSING};
}

static bool has_any(const amd_counts *from, int first, int count) {
    for (int i = first; i < first + count; i++)
        if (amount_of(from, i).certainty != ROOF_CERTAINTY_MISSING)
            return true;
    return false;
}

/* ---- FLOPs ---- */

static void give_event(draft *to, int counter, amount one, double factor) {
    draft_event(to, names[counter], one.value * factor, one.certainty);
}

/* A dtype too many is not told, and the others then are not all. */
static bool has_room(draft *to, double flops) {
    if (to->flop_count < ROOF_MEASURED_FLOPS)
        return true;
    if (flops > 0)
        to->flops[0].count.certainty = ROOF_CERTAINTY_AT_LEAST;
    return false;
}

/* The four operations of one dtype, where any was counted; zero or not. */
static void give_vector(const amd_counts *from, draft *to, bool zero) {
    double lanes = from->lanes > 0 ? from->lanes / 64 : 1;
    for (int first = AMD_VECTOR; first < AMD_MATRIX; first += AMD_OPERATIONS) {
        double sum = 0;
        for (int i = first; i < first + AMD_OPERATIONS; i++)
            sum += amount_of(from, i).value;
        if (!has_any(from, first, AMD_OPERATIONS) || (sum > 0) == zero || !has_room(to, sum))
            continue;
        for (int i = first; i < first + AMD_OPERATIONS; i++)
            give_event(to, i, amount_of(from, i), lanes);
    }
}

static void give_matrix(const amd_counts *from, draft *to) {
    for (int i = AMD_MATRIX; i < AMD_READ; i++) {
        amount one = amount_of(from, i);
        if (one.certainty != ROOF_CERTAINTY_MISSING && (one.value > 0 || one.certainty == ROOF_CERTAINTY_AT_LEAST) &&
            has_room(to, one.value))
            give_event(to, i, one, 1);
    }
}

static bool is_zero(amount one) {
    return one.certainty == ROOF_CERTAINTY_COUNTED && one.value == 0;
}

/* Returns whether FLOPs are missing. A unit that was not counted is named as such: the others are not all. */
static bool give_flops(const amd_counts *from, draft *to) {
    bool vector = has_any(from, AMD_VECTOR, AMD_VECTORS), matrix = has_any(from, AMD_MATRIX, AMD_MATRICES);
    amount busy = amount_of(from, AMD_MATRIX_BUSY), issued = amount_of(from, AMD_MATRIX_INSTRUCTIONS),
           share = amount_of(from, AMD_MATRIX_SHARE);
    bool idle = is_zero(busy) || is_zero(issued) || is_zero(share);
    if (idle)
        to->matrix_active = 0;
    else if (share.certainty == ROOF_CERTAINTY_COUNTED && share.value <= 100 * from->calls)
        to->matrix_active = share.value / 100 / from->calls;
    if (!vector && !matrix)
        return true;
    if (!matrix && !idle)
        draft_flops(to, ROOF_MATRIX, ROOF_DTYPE_NONE, 0, ROOF_CERTAINTY_MISSING, "MFMA was not counted");
    if (!vector)
        draft_flops(to, ROOF_VECTOR, ROOF_DTYPE_NONE, 0, ROOF_CERTAINTY_MISSING,
                    "vector instructions were not counted");
    give_matrix(from, to);
    give_vector(from, to, false);
    give_vector(from, to, true);
    if (vector && matrix && to->flop_count == 0) /* all of the matrix counts are zero */
        draft_flops(to, ROOF_VECTOR, ROOF_F32, 0, ROOF_CERTAINTY_COUNTED, "SQ_INSTS_VALU_*");
    if (!vector && matrix && to->flop_count == 1)
        draft_flops(to, ROOF_MATRIX, ROOF_F16, 0, ROOF_CERTAINTY_COUNTED, "SQ_INSTS_VALU_MFMA_MOPS_*");
    return !vector || (!matrix && !idle);
}

/* ---- bytes ---- */

static double worth(int counter, double count) {
    return count * roof_event_find(names[counter])->bytes;
}

static double least(double a, double b) {
    return a < b ? a : b;
}

/* Reads are of 64 bytes, those of 32 are counted apart, and (MI300 and later) those of 128. Where that was not counted
 * the smallest size holds: at least. */
static amount memory_reads(const amd_counts *from) {
    amount all = amount_of(from, AMD_READ), small = amount_of(from, AMD_READ_32B),
           large = amount_of(from, AMD_READ_128B);
    if (all.certainty == ROOF_CERTAINTY_MISSING) {
        amount size = amount_of(from, AMD_FETCH_SIZE);
        return (amount){worth(AMD_FETCH_SIZE, size.value), size.certainty};
    }
    bool sure = all.certainty == ROOF_CERTAINTY_COUNTED && small.certainty == ROOF_CERTAINTY_COUNTED &&
                (!from->wide || large.certainty == ROOF_CERTAINTY_COUNTED);
    double of_32 = small.certainty == ROOF_CERTAINTY_COUNTED ? least(small.value, all.value) : all.value;
    double of_128 = least(large.value, all.value - of_32);
    return (amount){worth(AMD_READ, all.value) + worth(AMD_READ_32B, of_32) + worth(AMD_READ_128B, of_128),
                    sure ? ROOF_CERTAINTY_COUNTED : ROOF_CERTAINTY_AT_LEAST};
}

static amount memory_writes(const amd_counts *from) {
    amount all = amount_of(from, AMD_WRITE), full = amount_of(from, AMD_WRITE_64B);
    if (all.certainty == ROOF_CERTAINTY_MISSING) {
        amount size = amount_of(from, AMD_WRITE_SIZE);
        return (amount){worth(AMD_WRITE_SIZE, size.value), size.certainty};
    }
    bool sure = all.certainty == ROOF_CERTAINTY_COUNTED && full.certainty == ROOF_CERTAINTY_COUNTED;
    return (amount){worth(AMD_WRITE, all.value) + worth(AMD_WRITE_64B, least(full.value, all.value)),
                    sure ? ROOF_CERTAINTY_COUNTED : ROOF_CERTAINTY_AT_LEAST};
}

/* What passes between the L2 cache and memory is what the L3 (Infinity Cache) of MI300 and later serves, too. */
static bool give_memory(const amd_counts *from, draft *to) {
    amount reads = memory_reads(from), writes = memory_writes(from);
    const roof_level levels[] = {ROOF_DRAM, ROOF_L3};
    if (reads.certainty == ROOF_CERTAINTY_MISSING && writes.certainty == ROOF_CERTAINTY_MISSING)
        return true;
    for (int i = 0; i < (from->wide ? 2 : 1); i++) {
        draft_bytes(to, levels[i], reads.value, reads.certainty, "L2-memory reads + writes");
        draft_bytes(to, levels[i], writes.value, writes.certainty, "L2-memory reads + writes");
    }
    return to->bytes[ROOF_DRAM].certainty != ROOF_CERTAINTY_COUNTED;
}

/* Reads of MI300 and later fetch lines of 128 bytes, twice what the table says; which of both it is shows in the names
 * of other counters only. */
static void give_caches(const amd_counts *from, draft *to) {
    if (has_any(from, AMD_L2_READ, 4))
        for (int i = AMD_L2_READ; i <= AMD_L2_ATOMIC_RETURN; i++) {
            amount one = amount_of(from, i);
            if (i == AMD_L2_READ && !from->wide && !from->narrow && one.certainty == ROOF_CERTAINTY_COUNTED &&
                one.value > 0)
                one.certainty = ROOF_CERTAINTY_AT_LEAST;
            give_event(to, i, one, i == AMD_L2_READ && from->wide ? 2 : 1);
        }
    amount lookups = amount_of(from, AMD_L1);
    if (lookups.certainty != ROOF_CERTAINTY_MISSING)
        give_event(to, AMD_L1, lookups, 1);
}

/* ---- what is missing ---- */

#define TIME_ASK "time: rocprofv3 --kernel-trace (rocprof --timestamp on)"
#define FLOP_ASK                                                                                                       \
    "FLOPs (MI200 and later): pmc: SQ_INSTS_VALU_{ADD,MUL,FMA,TRANS}_{F16,F32,F64} "                                   \
    "SQ_INSTS_VALU_MFMA_MOPS_{F16,BF16,F32,F64,I8}"
#define BYTE_ASK                                                                                                       \
    "DRAM bytes: pmc: TCC_EA_RDREQ_sum TCC_EA_RDREQ_32B_sum TCC_EA_WRREQ_sum TCC_EA_WRREQ_64B_sum (MI300: "            \
    "TCC_EA0_..., and TCC_BUBBLE_sum)"
#define ALL_ASK "; rocprof-compute profile collects them all"

static const char *const asks[8] = {
    [1] = TIME_ASK,
    [2] = FLOP_ASK ALL_ASK,
    [3] = TIME_ASK "; " FLOP_ASK ALL_ASK,
    [4] = BYTE_ASK ALL_ASK,
    [5] = TIME_ASK "; " BYTE_ASK ALL_ASK,
    [6] = BYTE_ASK "; " FLOP_ASK ALL_ASK,
    [7] = TIME_ASK "; " BYTE_ASK "; " FLOP_ASK ALL_ASK,
};

void amd_give(const amd_counts *from, draft *to, builder *warn) {
    bool time = to->seconds.certainty == ROOF_CERTAINTY_MISSING;
    bool flops = give_flops(from, to), bytes = give_memory(from, to);
    give_caches(from, to);
    to->missing = asks[time + 2 * flops + 4 * bytes];
    if (from->wide && to->bytes[ROOF_DRAM].certainty != ROOF_CERTAINTY_MISSING)
        build_warning(warn,
                      "DRAM bytes are all that passed beyond the L2 cache: the Infinity Cache may have served a part");
}
