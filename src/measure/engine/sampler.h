/* The measuring loop: windows, percentiles, when to stop. Knows neither kernels nor threads by name, and takes its
 * clock from outside, so that tests run it on a simulated one.
 *
 *     |warm-up| window window window | window window window | ...      a window: every thread does `units` of work
 *             |        round         |        round         |          stop: the best no longer improves, or time is up
 */
#ifndef ROOFLINE_MEASURE_ENGINE_SAMPLER_H
#define ROOFLINE_MEASURE_ENGINE_SAMPLER_H

#include "measure/engine/team.h"

typedef struct time_source {
    double (*now)(void *context); /* seconds, never running backwards */
    void *context;
} time_source;
time_source time_monotonic(void);

/* One thread's share of a window. `units` is how much to do (iterations, passes); calibrated by the loop. */
typedef struct window_work {
    void (*run)(void *context, int rank, uint64_t units);
    void (*chain)(void *context, int rank, uint64_t adds); /* dependent adds, one cycle each; NULL: no clock is taken */
    void *context;
    double amount;        /* FLOPs, bytes or loads of ONE unit of ONE thread */
    uint64_t least_units; /* a window is a whole number of these */
    bool is_time;         /* value = seconds / amount instead of amount / seconds */
} window_work;

typedef struct window_policy {
    double window;             /* seconds a window should take */
    double warm;               /* seconds of warm-up before the first window */
    double round, least, most; /* seconds of one round; stop after `least` at the earliest, `most` at the latest */
    double agree;              /* two rounds whose roofs differ by less than this are stable */
    double percentile;         /* of the windows that is the roof: 0.95; for times the same from below */
} window_policy;

/* Windows of `count` threads of `team` (NULL: in the calling thread). Fills value, median, best, spread, clock,
 * per_cycle, stable, window_seconds, windows (malloc, owned by the caller) and window_count of `out`. -1: no memory, or
 * no window could be timed. On a machine full of other work it takes no longer than warm + 2 * max(most, 0.05 s) +
 * most, and a few windows that were begun before: then there are fewer windows, no clock, or an error. A window's value
 * is the sum over its threads divided by the time from the first start to the last end. */
int sample_windows(const time_source *time, team *team, int count, const window_work *work, const window_policy *policy,
                   roof_sample *out, roof_error *error);

double percentile_of(const double *sorted, size_t count, double fraction); /* linear between neighbours; NaN for none */

#endif
