/* Raw events of one program or region, summed over its CPUs, then made into FLOPs and bytes by their weights: totals
 * and their parts are not counted twice, and what was not counted makes the sum "at least". perf and LIKWID share it.
 */
#ifndef ROOFLINE_READ_PROFILE_COUNTS_H
#define ROOFLINE_READ_PROFILE_COUNTS_H

#include "read/profile/build.h"

enum { COUNT_NAME = 96 };

typedef struct counted {
    char name[COUNT_NAME]; /* as roof_event_find() knows it */
    double value;          /* sum of what was counted */
    double running;        /* least share of the time the counter ran; 1 */
    bool counted, missing; /* some row had a number; some row had none */
    bool bytes;            /* the value is in bytes already, its unit said so */
} counted;

typedef struct counts {
    counted *all;
    size_t count, room;
    double hardware, unsupported; /* rows of hardware events with a number; rows that say <not supported> */
} counts;

/* "cpu_core/fp_arith_inst_retired.scalar_double/u" and "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE" to the name in the table.
 */
void counts_name(const char *written, char out[COUNT_NAME]);
/* Zero or more, and not larger than any counter, time or rate can be. */
bool counts_plausible(double value);
/* One row. `factor` > 0: the value is in a unit of bytes (1048576 for MiB); `running` 0..1. -1: out of memory. */
int counts_add(counts *to, const char *written, bool has_value, double value, double factor, double running,
               roof_error *error);
const counted *counts_find(const counts *from, const char *name);
/* FLOPs and bytes of all of them into a draft, and warnings about what is estimated, partial or system-wide. */
void counts_give(const counts *from, draft *to, builder *warn);
/* What a file that does not name its program is called: its own name. */
void counts_program(const profile_job *job, char *out, size_t size);
/* The file ends early: what was counted is a part. */
void counts_partial(draft *to);
void counts_clear(counts *from); /* keeps the memory */
void counts_free(counts *from);

#endif
