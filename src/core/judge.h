/* The inner loop of sweeps: times and bound of an operation without the rest of a verdict. Private to the library. */
#ifndef ROOFLINE_CORE_JUDGE_H
#define ROOFLINE_CORE_JUDGE_H

#include "roofline.h"

typedef struct judged {
    double compute, memory, link, launch, seconds; /* seconds: the largest of the first three, and launch */
    double peak;                                   /* of the compute roof; 0 without FLOPs */
    roof_unit unit;
    roof_dtype dtype;
    roof_level level;
    roof_bound bound;
} judged;

/* As roof_judge(). */
int judge_times(const roof_machine *machine, const roof_operation *operation, judged *out, roof_error *error);
/* As roof_sum_add(). */
void sum_add(roof_sum *sum, const roof_operation *operation, double seconds, roof_bound bound);

#endif
