/* The bench of this CPU: a team of pinned threads, their registers and memory. */
#ifndef ROOFLINE_MEASURE_PLAN_RIG_H
#define ROOFLINE_MEASURE_PLAN_RIG_H

#include "measure/plan/plan.h"

typedef struct cpu_rig cpu_rig;

/* Threads on host->allowed[0 .. threads). NULL with an error. */
cpu_rig *rig_start(const host *here, int threads, roof_error *error);
void rig_stop(cpu_rig *rig); /* NULL is fine */
series_bench rig_bench(cpu_rig *rig);
int rig_unpinned(const cpu_rig *rig);

#endif
