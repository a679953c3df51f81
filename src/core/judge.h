/* The inner loop of sweeps. Private to the library. */
#ifndef ROOFLINE_CORE_JUDGE_H
#define ROOFLINE_CORE_JUDGE_H

#include "roofline.h"

/* As roof_judge(), then roof_sum_add(), without making the rest of a verdict. */
int judge_add(const roof_machine *machine, const roof_operation *operation, roof_sum *sum, roof_error *error);

/* Seconds of the operation's compute, of its memory traffic and over the link, the bound time, and the unit of the
 * first: roof_judge() without the rest of a verdict. */
typedef struct judge_parts {
    double compute, memory, link, seconds;
    roof_unit unit;
} judge_parts;

int judge_apart(const roof_machine *machine, const roof_operation *operation, judge_parts *out, roof_error *error);

#endif
