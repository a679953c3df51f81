/* The bench of this CPU: a team of pinned threads, their registers and memory. */
#ifndef ROOFLINE_MEASURE_RIG_H
#define ROOFLINE_MEASURE_RIG_H

#include "measure/plan.h"

typedef struct rig rig;

/* Threads on host->allowed[0 .. threads). NULL with an error. */
rig *rig_start(const host *host, int threads, roof_error *error);
void rig_stop(rig *rig); /* NULL is fine */
bench rig_bench(rig *rig);
int rig_unpinned(const rig *rig);

#endif
