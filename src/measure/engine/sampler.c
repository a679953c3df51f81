/* The measuring loop: how long a window is, warm-up, rounds until two agree, and what is taken from all windows. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "measure/engine/sampler.h"
#include "measure/kernels/kernels.h"

enum {
    BATCH_MOST = 256,   /* windows that the threads do in one job, without sleeping between */
    KEPT_MOST = 4096,   /* windows kept; of more, every second, every fourth ... */
    ROUND_LEAST = 5,    /* windows that make a round */
    APART = 128,        /* bytes between what different threads write */
    START_LOOKS = 4096, /* at the clock, before a window starts without the others */
    CHAIN_LEAST = 2048, /* adds */
    TICKS = 400,        /* steps of the clock in a window: it is exact to a quarter of a percent */
    CHAIN_TICKS = 200,
    CALIBRATE_TRIES = 4,
    FIT_LEAST = 16, /* windows that tell how long one is */
    CHAIN_TRIES = 16,
    FEW = 4, /* windows are enough where even these had to wait */
};
static const double batch_seconds = 0.01, calibrate_seconds = 0.005, chain_most_seconds = 50e-6;
static const double patience = 0.01;                   /* for more than FEW windows of a batch */
static const double prepare_least_seconds = 0.05;      /* before the rounds, even where these are shorter */
static const uint64_t still_units = (uint64_t)1 << 20; /* of these, a clock that shows nothing stands still */

/* ---- the system's clock ---- */

/* Seconds since the whole second at which the source was made, which its context holds: as a double, a clock that has
 * run for years has steps of 15 ns. */
static double monotonic_now(void *context) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)((intptr_t)now.tv_sec - (intptr_t)context) + 1e-9 * (double)now.tv_nsec;
}

time_source time_monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (time_source){.now = monotonic_now, .context = (void *)(intptr_t)now.tv_sec};
}

/* ---- percentiles ---- */

double percentile_of(const double *sorted, size_t count, double fraction) {
    if (count == 0)
        return (double)NAN;
    double at = fraction * (double)(count - 1);
    size_t low = (size_t)at;
    if (low + 1 >= count)
        return sorted[count - 1];
    return sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]);
}

/* ---- batches of windows ---- */

/* Of one thread in one window: the chain follows the work. */
typedef struct stamp {
    double start, end, chain_start, chain_end;
} stamp;
typedef struct window {
    double value, clock;
} window;

typedef struct session {
    const time_source *time;
    team *team;
    const window_work *work;
    const window_policy *policy;
    int count;
    uint64_t units, adds;         /* of a window; 0 leaves the work or the chain out */
    int batch, batch_least;       /* windows of a job; so many are done even when `batch_end` is over */
    double batch_end, batch_over; /* the latter even when so many are not done, but FEW */
    double prepared, over;        /* by when the rounds begin; when nothing is begun again */
    double target, length;        /* seconds a window should take, and the least it does take */
    double overhead;              /* seconds a chain seems to take without its adds */
    double tick;                  /* steps of the clock; 0: none was seen */
    stamp *stamps;                /* by thread */
    double *clocks, *sorted;      /* of the threads in one window; of the windows */
    window *kept;
    size_t kept_count, round_from;
    uint64_t seen, stride; /* windows; every stride-th is kept */
    char apart[APART];
    _Atomic double go; /* when the next window starts */
    atomic_int limit;  /* window of the batch that is not done any more */
    char apart_too[APART];
} session;

static double now(const session *s) {
    return s->time->now(s->time->context);
}

static stamp *stamps_of(const session *s, int rank) {
    return s->stamps + (size_t)rank * (BATCH_MOST + APART / sizeof(stamp));
}

/* Returns the time. Threads leave a meeting one after another, hundreds of nanoseconds apart, more with many, and a
 * window would be longer by that: so the first thread says a time just ahead, and all look at the clock until then. */
static double start_together(session *s, int rank, double *before) {
    double start = now(s);
    if (rank == 0)
        atomic_store_explicit(&s->go, start + 0.5e-6 + 0.03e-6 * s->count, memory_order_release);
    double go = *before;
    for (int look = 0; look < START_LOOKS && (go == *before || start < go); look++) {
        go = atomic_load_explicit(&s->go, memory_order_acquire);
        start = now(s);
    }
    *before = go;
    return start;
}

/* The first thread decides before all meet, and only once: so all hear the same. */
static bool may_go_on(session *s, int rank, int i) {
    if (rank == 0 && i > 0 && i < atomic_load(&s->limit)) {
        double at = now(s);
        if (i >= s->batch_least ? at >= s->batch_end : at >= (i < FEW ? s->prepared : fmin(s->batch_over, s->prepared)))
            atomic_store(&s->limit, i);
    }
    if (s->team)
        team_meet(s->team, s->count);
    return i < atomic_load(&s->limit);
}

static void batch_thread(void *context, int rank) {
    session *s = context;
    stamp *stamps = stamps_of(s, rank);
    double go = atomic_load(&s->go);
    if (s->team)
        team_meet(s->team, s->count); /* all have read it */
    for (int i = 0; may_go_on(s, rank, i); i++) {
        stamp at = {.start = s->team ? start_together(s, rank, &go) : now(s)};
        if (s->units > 0)
            s->work->run(s->work->context, rank, s->units);
        at.end = now(s);
        if (s->adds > 0) {
            s->work->chain(s->work->context, rank, CHAIN_STEP); /* work may have driven its code out of the caches */
            at.chain_start = now(s);
            s->work->chain(s->work->context, rank, s->adds);
            at.chain_end = now(s);
        }
        stamps[i] = at;
    }
}

/* `least` to `most` windows: so many as `seconds` allow; FEW of the least ones where other programs take the CPUs, so
 * that each window waits for its turn. s->batch is how many. */
static void run_batch(session *s, int least, int most, double seconds) {
    double begin = now(s);
    s->batch_least = least;
    s->batch_end = begin + seconds;
    s->batch_over = begin + fmax(patience, 2 * least * s->target);
    atomic_store(&s->limit, most);
    if (s->team)
        team_run(s->team, s->count, batch_thread, s);
    else
        batch_thread(s, 0);
    s->batch = atomic_load(&s->limit);
}

/* From the first start to the last end. */
static double window_seconds(const session *s, int i) {
    double start = HUGE_VAL, end = -HUGE_VAL;
    for (int rank = 0; rank < s->count; rank++) {
        start = fmin(start, stamps_of(s, rank)[i].start);
        end = fmax(end, stamps_of(s, rank)[i].end);
    }
    return end - start;
}

/* The least that any thread took for its share: a window's length where nothing disturbs it, not even a late start. */
static double least_share(const session *s) {
    double least = HUGE_VAL;
    for (int i = 0; i < s->batch; i++)
        for (int rank = 0; rank < s->count; rank++)
            least = fmin(least, stamps_of(s, rank)[i].end - stamps_of(s, rank)[i].start);
    return least;
}

static int by_size(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Hz in window i, the upper median of its threads: one preempted in its chain shows too little. 0: no chain. */
static double window_clock(const session *s, int i) {
    int timed = 0;
    for (int rank = 0; rank < s->count && s->adds > 0; rank++) {
        const stamp *at = stamps_of(s, rank) + i;
        double seconds = at->chain_end - at->chain_start - s->overhead;
        if (seconds > 0)
            s->clocks[timed++] = (double)s->adds / seconds;
    }
    qsort(s->clocks, (size_t)timed, sizeof s->clocks[0], by_size);
    return timed ? s->clocks[timed / 2] : 0;
}

static bool is_positive(double seconds) {
    return seconds > 0 && seconds < HUGE_VAL;
}

/* ---- how long ---- */

static int stands_still(roof_error *error) {
    roof_fail(error, ROOF_EUNSUPPORTED, "the clock does not advance while the kernel runs, so no window can be timed");
    roof_hint(error, "see /sys/devices/system/clocksource/clocksource0/current_clocksource");
    return -1;
}

static int too_coarse(const session *s, roof_error *error) {
    roof_fail(error, ROOF_EUNSUPPORTED,
              "the clock moves in steps of %.3g s, too coarse: windows would take %.3g s, "
              "a round is %.3g s",
              s->tick, TICKS * s->tick, s->policy->round);
    roof_hint(error, "see /sys/devices/system/clocksource/clocksource0/current_clocksource");
    return -1;
}

static int set_tick(session *s, double tick, roof_error *error) {
    s->tick = fmax(s->tick, tick);
    s->target = fmax(s->policy->window, TICKS * s->tick);
    return TICKS * s->tick > s->policy->round ? too_coarse(s, error) : 0;
}

/* The least step between two looks at the clock: its resolution or what a look costs. 0 where looking moves nothing. */
static double find_tick(const session *s) {
    enum { LOOKS = 1 << 18, STEPS = 32 };
    double least = HUGE_VAL, before = now(s);
    int steps = 0;
    for (int look = 0; look < LOOKS && steps < STEPS; look++) {
        double after = now(s);
        if (after > before) {
            least = fmin(least, after - before);
            steps++;
        }
        before = after;
    }
    return steps ? least : 0;
}

/* Other programs took the time that was meant for all that comes before the rounds. */
static bool is_late(const session *s) {
    return now(s) >= s->prepared;
}

/* Least seconds of a few windows (the first may be slow, any may be preempted): no more than it takes to be sure. */
static double least_window(session *s) {
    double least = HUGE_VAL, total = 0, most = fmax(calibrate_seconds, 8 * s->target);
    for (int i = 0; i < CALIBRATE_TRIES && (i < 1 || (i < 2 && !is_late(s)) || total < most); i++) {
        run_batch(s, 1, 1, 0);
        double seconds = least_share(s);
        least = fmin(least, seconds);
        total += seconds;
    }
    return least;
}

/* So many times more units next: more than twice where the clock tells how far it is. */
static uint64_t growth(const session *s, double seconds) {
    return seconds > 8 * s->tick ? (uint64_t)fmin(16, fmax(2, s->target / seconds / 2)) : 2;
}

/* More units until a window takes long enough. A single least unit may be longer: then windows are that long.
 * Where it is late, the windows of the rounds tell the rest. */
static int calibrate(session *s, roof_error *error) {
    if (set_tick(s, find_tick(s), error) != 0)
        return -1;
    bool nothing = false; /* the clock did not move in a window so far: what it shows next is one step */
    for (uint64_t times = 1, more = 2;; times *= more, more = 2) {
        s->units = times * s->work->least_units;
        double seconds = least_window(s);
        if (!is_positive(seconds)) {
            nothing = true;
            if (times >= still_units)
                return stands_still(error);
            continue;
        }
        if (nothing && set_tick(s, seconds, error) != 0)
            return -1;
        nothing = false;
        s->length = seconds;
        if (seconds >= s->target || s->units > UINT64_MAX / 4 || is_late(s))
            return 0;
        more = growth(s, seconds);
    }
}

/* Fewer or more units, so that a window of s->length takes `target`. */
static void fit_units(session *s) {
    double before = (double)(s->units / s->work->least_units);
    double times = fmax(1, ceil(before * fmin(s->target / s->length, 16) - 1e-9));
    s->units = (uint64_t)times * s->work->least_units;
    s->length *= times / before;
}

static bool is_brief(const session *s) {
    return s->length < s->target / 2 && s->units < UINT64_MAX / 64;
}

/* Work until the clock rate has settled; then the units for a window at that rate. Where all windows of the calibration
 * were preempted it saw long ones: then the first good one is far too short, and the units grow until it is not. */
static int warm_up(session *s, double begin, roof_error *error) {
    bool is_over, brief;
    do {
        run_batch(s, s->units > s->work->least_units ? FIT_LEAST : CALIBRATE_TRIES, BATCH_MOST,
                  fmin(batch_seconds, s->policy->warm / 4));
        double least = least_share(s);
        if (!is_positive(least))
            return stands_still(error);
        s->length = fmin(s->length, least);
        brief = is_brief(s);
        is_over = now(s) - begin >= s->policy->warm;
        if (brief || is_over)
            fit_units(s);
    } while ((brief && !is_late(s)) || !is_over);
    return 0;
}

static double least_chain(session *s, uint64_t adds) {
    double least = HUGE_VAL;
    s->adds = adds;
    run_batch(s, CHAIN_TRIES, CHAIN_TRIES, 0);
    for (int i = 0; i < s->batch; i++)
        for (int rank = 0; rank < s->count; rank++)
            least = fmin(least, stamps_of(s, rank)[i].chain_end - stamps_of(s, rank)[i].chain_start);
    return least;
}

/* Adds for a tenth of a window, more where the clock is coarse; none where it is late, and the clock stays unknown.
 * Reading the clock takes time, and some of that hides behind the chain: what a chain costs beyond its adds is told
 * from a short one and a long one. */
static void size_chain(session *s) {
    if (!s->work->chain)
        return;
    uint64_t units = s->units, adds = CHAIN_LEAST;
    double target = fmax(fmin(s->target / 10, chain_most_seconds), CHAIN_TICKS * s->tick);
    s->units = 0;
    s->prepared = fmax(s->prepared, now(s) + patience);
    double seconds = least_chain(s, adds);
    while (seconds < target && adds < CHAIN_LEAST * still_units && !is_late(s))
        seconds = least_chain(s, adds *= 2);
    bool long_enough = is_positive(seconds) && !is_late(s);
    double brief = long_enough ? least_chain(s, CHAIN_STEP) : 0, one = (seconds - brief) / (double)(adds - CHAIN_STEP);
    s->overhead = fmax(0, fmin(brief, brief - CHAIN_STEP * one));
    s->units = units;
    s->adds = long_enough ? adds : 0;
}

/* ---- rounds ---- */

/* Half as many windows for twice as long: they stay evenly spaced and in order. */
static void thin_out(session *s) {
    s->kept_count /= 2;
    for (size_t i = 0; i < s->kept_count; i++)
        s->kept[i] = s->kept[2 * i];
    s->round_from = (s->round_from + 1) / 2;
    s->stride *= 2;
}

/* A rate is that of all threads together; a time is what one load takes, however many threads wait for theirs. */
static double value_of(const session *s, double seconds) {
    double amount = (double)s->units * s->work->amount;
    return s->work->is_time ? seconds / amount : amount * s->count / seconds;
}

/* The windows of the last batch that could be timed: how many. */
static int keep_batch(session *s) {
    int timed = 0;
    for (int i = 0; i < s->batch; i++) {
        double seconds = window_seconds(s, i);
        if (!is_positive(seconds))
            continue;
        timed++;
        if (s->seen++ % s->stride != 0)
            continue;
        s->kept[s->kept_count++] = (window){.value = value_of(s, seconds), .clock = window_clock(s, i)};
        if (s->kept_count == KEPT_MOST)
            thin_out(s);
    }
    return timed;
}

/* The time of the rounds is over. FEW windows are done in any case: a single one may have waited for its turn. */
static bool is_spent(const session *s, double begin, double at) {
    return at - begin >= s->policy->most && s->seen >= FEW;
}

static int run_round(session *s, double begin, roof_error *error) {
    double from = now(s), at = from;
    s->round_from = s->kept_count;
    uint64_t before = s->seen;
    do {
        double left = fmax(0, fmin(from + s->policy->round, begin + s->policy->most) - at);
        run_batch(s, 1, BATCH_MOST, fmin(batch_seconds, left));
        if (keep_batch(s) == 0)
            return stands_still(error);
        s->length = fmin(s->length, least_share(s));
        at = now(s);
    } while (!is_spent(s, begin, at) && (at - from < s->policy->round || s->seen - before < ROUND_LEAST));
    return 0;
}

static size_t sort_values(session *s, size_t from) {
    size_t count = s->kept_count - from;
    for (size_t i = 0; i < count; i++)
        s->sorted[i] = s->kept[from + i].value;
    qsort(s->sorted, count, sizeof s->sorted[0], by_size);
    return count;
}

static double roof_of(const session *s, size_t sorted) {
    return percentile_of(s->sorted, sorted, s->work->is_time ? 1 - s->policy->percentile : s->policy->percentile);
}

/* Only now was there a window that nothing disturbed, and it was short: those so far are forgotten. */
static void begin_again(session *s) {
    fit_units(s);
    s->kept_count = 0;
    s->seen = 0;
    s->stride = 1;
}

static int run_rounds(session *s, bool *stable, roof_error *error) {
    double begin = now(s), at = begin, before = 0;
    *stable = false;
    while (!(*stable && at - begin >= s->policy->least) && !is_spent(s, begin, at)) {
        if (run_round(s, begin, error) != 0)
            return -1;
        if (is_brief(s) && now(s) < s->over) {
            begin_again(s);
            begin = at = now(s);
            before = 0;
            *stable = false;
            continue;
        }
        size_t count = sort_values(s, s->round_from);
        double roof = roof_of(s, count);
        *stable = before > 0 && count >= ROUND_LEAST && fabs(roof - before) <= s->policy->agree * fmax(roof, before);
        before = roof;
        at = now(s);
    }
    return 0;
}

/* ---- what is taken ---- */

/* The clock must belong to the roof: only windows at least as good as the median count, each with the chain right after
 * it. A chain that was preempted shows a slow clock: it is lost in the median and in the high percentile. */
static void take_clock(session *s, roof_sample *out) {
    size_t clocks = 0;
    for (size_t i = 0; i < s->kept_count; i++) {
        const window *w = &s->kept[i];
        if (w->clock > 0 && (s->work->is_time ? w->value <= out->median : w->value >= out->median))
            s->sorted[clocks++] = w->clock;
    }
    qsort(s->sorted, clocks, sizeof s->sorted[0], by_size);
    out->clock = clocks ? percentile_of(s->sorted, clocks, s->policy->percentile) : 0;
    out->per_cycle = 0;
    if (clocks == 0 || s->work->is_time)
        return;
    size_t count = 0;
    for (size_t i = 0; i < s->kept_count; i++)
        if (s->kept[i].clock > 0 && s->kept[i].value >= out->median)
            s->sorted[count++] = s->kept[i].value / s->count / s->kept[i].clock;
    qsort(s->sorted, count, sizeof s->sorted[0], by_size);
    out->per_cycle = percentile_of(s->sorted, count, 0.5);
}

/* Every window waited for its turn, so their length was never seen. */
static int too_busy(const session *s, roof_error *error) {
    roof_fail(error, ROOF_EUNSUPPORTED, "other programs took the CPUs: no window of %.2g s could be timed", s->target);
    roof_hint(error, "measure again on a quiet machine");
    return -1;
}

static int take_sample(session *s, roof_sample *out, roof_error *error) {
    size_t count = sort_values(s, 0);
    if (count == 0)
        return stands_still(error);
    float *windows = malloc(count * sizeof *windows);
    if (!windows)
        return roof_fail(error, ROOF_ENOMEM, "no memory for %zu windows", count);
    for (size_t i = 0; i < count; i++)
        windows[i] = (float)s->kept[i].value;
    out->windows = windows;
    out->window_count = count;
    out->value = roof_of(s, count);
    out->median = percentile_of(s->sorted, count, 0.5);
    out->best = s->work->is_time ? s->sorted[0] : s->sorted[count - 1];
    out->spread = (percentile_of(s->sorted, count, 0.9) - percentile_of(s->sorted, count, 0.1)) / out->median;
    double amount = (double)s->units * s->work->amount;
    out->window_seconds = s->work->is_time ? amount * out->median : amount * s->count / out->median;
    take_clock(s, out);
    return 0;
}

static int measure(session *s, roof_sample *out, roof_error *error) {
    double begin = now(s), most = s->policy->most;
    s->prepared = begin + s->policy->warm + fmax(most, prepare_least_seconds);
    s->over = s->prepared + fmax(most, prepare_least_seconds);
    if (calibrate(s, error) != 0 || warm_up(s, begin, error) != 0)
        return -1;
    size_chain(s);
    bool stable;
    if (run_rounds(s, &stable, error) != 0)
        return -1;
    if (s->length < s->target / 8 && s->units < UINT64_MAX / 64)
        return too_busy(s, error);
    if (take_sample(s, out, error) != 0)
        return -1;
    out->stable = stable;
    return 0;
}

int sample_windows(const time_source *time, team *crew, int count, const window_work *work, const window_policy *policy,
                   roof_sample *out, roof_error *error) {
    if (count < 1 || work->least_units < 1 || !(work->amount > 0))
        return roof_fail(error, ROOF_EARGUMENT, "a window of %d threads with %g of work a unit cannot be timed", count,
                         work->amount);
    size_t threads = (size_t)count, rows = threads * (BATCH_MOST + APART / sizeof(stamp));
    session s = {
        .time = time,
        .team = crew,
        .work = work,
        .policy = policy,
        .count = count,
        .stride = 1,
        .stamps = malloc(rows * sizeof(stamp)),
        .clocks = malloc(threads * sizeof(double)),
        .sorted = malloc(KEPT_MOST * sizeof(double)),
        .kept = malloc(KEPT_MOST * sizeof(window)),
    };
    int status = -1;
    if (s.stamps && s.clocks && s.sorted && s.kept)
        status = measure(&s, out, error);
    else
        roof_fail(error, ROOF_ENOMEM, "no memory to time windows of %d threads", count);
    free(s.stamps);
    free(s.clocks);
    free(s.sorted);
    free(s.kept);
    return status;
}
