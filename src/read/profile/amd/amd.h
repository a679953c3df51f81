/* What the profilers of AMD GPUs share: rows of their tables, durations, and counters of a dispatch made into FLOPs and
 * bytes (docs/profiles/rocprof.md has the formulas). */
#ifndef ROOFLINE_READ_PROFILE_AMD_AMD_H
#define ROOFLINE_READ_PROFILE_AMD_AMD_H

#include <stdint.h>

#include "read/profile/build.h"
#include "read/profile/lines.h"

/* ---- counters ---- */

enum { AMD_OPERATIONS = 4, AMD_VECTORS = 12, AMD_MATRICES = 8 };

typedef enum amd_counter {
    AMD_VECTOR,                            /* add, mul, fma, trans of f64, of f32, of f16 */
    AMD_MATRIX = AMD_VECTOR + AMD_VECTORS, /* MFMA operations by dtype */
    AMD_READ = AMD_MATRIX + AMD_MATRICES,  /* requests of the L2 cache to memory */
    AMD_READ_32B,
    AMD_READ_128B,
    AMD_WRITE,
    AMD_WRITE_64B,
    AMD_FETCH_SIZE, /* the same traffic in kilobytes, as rocprof derives it */
    AMD_WRITE_SIZE,
    AMD_L2_READ, /* requests of the L1 caches to the L2 cache */
    AMD_L2_WRITE,
    AMD_L2_ATOMIC,
    AMD_L2_ATOMIC_RETURN,
    AMD_L1,
    AMD_MATRIX_BUSY,
    AMD_MATRIX_INSTRUCTIONS,
    AMD_MATRIX_SHARE, /* percent of the time */
    AMD_COUNTERS
} amd_counter;

typedef struct amd_column {
    amd_counter counter; /* AMD_COUNTERS: none that is needed */
    bool part;           /* one instance of many: TCC_HIT[3] */
    bool narrow, wide;   /* a name of MI200 and before; of MI300 and after */
} amd_column;

typedef struct amd_counts { /* of one dispatch, or of several together */
    double whole[AMD_COUNTERS], parts[AMD_COUNTERS];
    unsigned char has[AMD_COUNTERS];
    double lanes; /* of a wave; 0: 64 */
    double calls; /* dispatches in it */
    bool narrow, wide;
} amd_counts;

amd_column amd_find(const char *name);
/* `has_value` false: the cell is empty or no number that a counter can have. */
void amd_add(amd_counts *to, const amd_column *column, bool has_value, double value);
void amd_lacks(amd_counts *to, amd_counter counter); /* some dispatch has no such count */
/* FLOPs, bytes, activity of the matrix unit and what is missing; the time must be in the draft already. */
void amd_give(const amd_counts *from, draft *to, builder *warn);
/* A count as the profilers write it, 0 and up. */
bool amd_number(const char *cell, double *value);

/* ---- rows ---- */

typedef struct amd_table {
    profile_job *job;
    lines *from;
    csv_row row;
    size_t width;
    uint64_t header; /* hash of it */
    bool open_end;   /* the file ends in this row, and its last cell may have lost digits */
} amd_table;

/* The header is in `row` then. -1: error; it frees nothing: call amd_close() in any case. */
int amd_open(amd_table *table, profile_job *job);
void amd_close(amd_table *table);
/* 1: a row of as many cells as the header; 0: the end; -1: error. Damaged rows are dropped and counted. */
int amd_next(amd_table *table);
void amd_drop(amd_table *table);
const char *amd_cell(const amd_table *table, int column); /* "" where there is none */
int amd_fail_line(amd_table *table);                      /* -1, with the line put into the error */
uint64_t amd_hash(uint64_t hash, const char *text);       /* 0 to begin */

/* The duration between two times in ns. Missing, with a warning, where it cannot be told. */
roof_count amd_duration(amd_table *table, const char *start, const char *end);
/* Has the end of a launch all its digits? In the last cell of a file that ends in it: as many as the start has. */
bool amd_end_whole(const amd_table *table, int start, int end);

/* Is there such a column in the first line of a file? */
bool amd_names(const char *head, const char *column);

#endif
