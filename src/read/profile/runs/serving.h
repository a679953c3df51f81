/* One result of a serving benchmark as a record of vLLM's names (serving_forms.c), made into a run of a model. */
#ifndef ROOFLINE_READ_PROFILE_RUNS_SERVING_H
#define ROOFLINE_READ_PROFILE_RUNS_SERVING_H

#include "read/profile/runs/record.h"

/* -1: no memory, or a figure that is refused. A record without any result is dropped. */
int serving_take(profile_job *job, record *from);
/* Does the record hold at least one figure of a result? */
bool serving_is_result(const record *from);

#endif
