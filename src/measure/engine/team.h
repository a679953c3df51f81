/* Threads that run at once, one pinned to each core, and memory that each touches first. */
#ifndef ROOFLINE_MEASURE_ENGINE_TEAM_H
#define ROOFLINE_MEASURE_ENGINE_TEAM_H

#include "measure/host/host.h"

typedef struct team team;

/* One thread a CPU of `cpus` (numbers of the system); NULL with an error. The calling thread is not one of them. */
team *team_start(const int *cpus, int count, roof_error *error);
int team_size(const team *team);
/* Run work(context, rank) on threads 0 .. count-1 and wait for them. */
void team_run(team *team, int count, void (*work)(void *context, int rank), void *context);
/* Threads 0 .. count-1 of the running team_run() meet here, spinning: they leave within a fraction of a microsecond. */
void team_meet(team *team, int count);
void team_stop(team *team); /* NULL is fine */
/* Ranks that could not be pinned to their CPU. */
int team_unpinned(const team *team);

/* Memory for one thread: anonymous, page-aligned, huge pages asked for when `huge`. Touch it from the thread that uses
 * it. NULL when there is none. */
typedef struct block {
    unsigned char *bytes;
    size_t size;
} block;
int block_take(block *out, size_t size, bool huge);
double block_huge_share(const block *block); /* of its touched pages, 0..1; -1: not known */
void block_give(block *block);

#endif
