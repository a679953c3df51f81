/* The measuring loop on a simulated clock: its roof is known, so is what disturbs it. */
#include <sched.h>
#include <stdlib.h>

#include "test.h"

#include "alloc/alloc.h"
#include "measure/engine/sampler.h"

/* A machine whose time passes only in its work. Every figure is exact but for what the simulation adds. */
typedef struct machine {
    double at;                      /* seconds */
    double step;                    /* the clock shows whole steps of this; 0: exact */
    double look;                    /* seconds that reading the clock takes */
    bool still;                     /* the clock shows nothing */
    double per_unit;                /* seconds of one unit at full speed, or cycles when `frequency` is set */
    double (*frequency)(double at); /* Hz; NULL: a unit takes per_unit seconds, an add 1/4 GHz */
    double contrary;                /* so many times longer takes work while the clock is above 4 GHz; 0: once */
    double slower;                  /* share by which work slows down each second */
    double preempted, stolen;       /* share of windows that lose `stolen` seconds */
    double crowd;                   /* ... and so many times a second of work */
    double chains_preempted;
    double ramp;         /* seconds during which everything takes three times as long */
    double every_second; /* seconds that every second piece of work waits for its turn */
    double first;        /* seconds that the first call takes on top */
    uint64_t random, runs, most_units, last_units, waits;
} machine;

static double shown(void *context) {
    machine *m = context;
    m->at += m->look;
    if (m->still)
        return 7;
    return m->step > 0 ? floor(m->at / m->step) * m->step : m->at;
}

/* 0 .. 1, the same every time: Knuth's MMIX generator. */
static double drawn(machine *m) {
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(m->random >> 11) / 9007199254740992.0;
}

static void pass(machine *m, double seconds) {
    m->at += m->at < m->ramp ? 3 * seconds : seconds * (1 + m->slower * m->at);
}

static void work(void *context, int rank, uint64_t units) {
    machine *m = context;
    assert_int_equal(rank, 0);
    m->runs++;
    m->last_units = units;
    m->most_units = units > m->most_units ? units : m->most_units;
    m->at += m->first;
    m->first = 0;
    double seconds = (double)units * m->per_unit / (m->frequency ? m->frequency(m->at) : 1);
    if (m->contrary > 0 && m->frequency(m->at) > 4e9)
        seconds *= m->contrary;
    pass(m, seconds);
    m->at += m->waits++ % 2 ? m->every_second : 0;
    if (drawn(m) < m->preempted + m->crowd * seconds)
        m->at += m->stolen * drawn(m);
}

static void chain(void *context, int rank, uint64_t adds) {
    machine *m = context;
    assert_int_equal(rank, 0);
    pass(m, (double)adds / (m->frequency ? m->frequency(m->at) : 4e9));
    m->at += m->waits++ % 2 ? m->every_second : 0;
    if (drawn(m) < m->chains_preempted)
        m->at += m->stolen * drawn(m);
}

static const window_policy policy = {
    .window = 40e-6,
    .warm = 0.02,
    .round = 0.02,
    .least = 0.05,
    .most = 0.5,
    .agree = 0.005,
    .percentile = 0.95,
};

static window_work work_of(machine *m) {
    return (window_work){.run = work, .chain = chain, .context = m, .amount = 100, .least_units = 1};
}

static int sample(machine *m, const window_work *what, const window_policy *how, roof_sample *out, roof_error *error) {
    time_source time = {.now = shown, .context = m};
    *out = (roof_sample){0};
    return sample_windows(&time, NULL, 1, what, how, out, error);
}

static void sampled(machine *m, const window_work *what, roof_sample *out) {
    roof_error error = {0};
    if (sample(m, what, &policy, out, &error) != 0)
        fail_msg("%s", error.what);
    assert_in_range(out->window_count, 1, 4096);
    assert_non_null(out->windows);
}

/* 100 in 2 ns: 5e10 a second, 12.5 a cycle of 4 GHz. */
static void an_exact_clock_gives_the_exact_roof(void **state) {
    (void)state;
    machine m = {.per_unit = 2e-9};
    window_work what = work_of(&m);
    roof_sample out;
    sampled(&m, &what, &out);
    assert_near(out.value, 5e10, 1e-9);
    assert_near(out.median, 5e10, 1e-9);
    assert_near(out.best, 5e10, 1e-9);
    assert_true(out.spread < 1e-9);
    assert_near(out.clock, 4e9, 1e-8);
    assert_near(out.per_cycle, 12.5, 1e-8);
    assert_near(out.window_seconds, 40e-6, 1e-4);
    assert_true(out.stable);
    assert_true(m.at >= 0.02 + 0.05); /* two rounds are over before `least` is */
    assert_true(m.at < 0.02 + 0.05 + 0.05);
    assert_near((double)out.windows[0], 5e10, 1e-6);
    free((void *)out.windows);
}

static int by_size(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* From the windows themselves: there are enough for the nearest one. */
static double spread_of(const roof_sample *sample) {
    size_t count = sample->window_count;
    float *sorted = malloc(count * sizeof *sorted);
    memcpy(sorted, sample->windows, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    double spread = (double)(sorted[count * 9 / 10] - sorted[count / 10]) / (double)sorted[count / 2];
    free(sorted);
    return spread;
}

static void preempted_windows_move_the_median_only(void **state) {
    (void)state;
    machine m = {.per_unit = 2e-9, .preempted = 0.6, .chains_preempted = 0.1, .stolen = 100e-6};
    window_work what = work_of(&m);
    roof_sample out;
    sampled(&m, &what, &out);
    assert_near(out.value, 5e10, 1e-9);
    assert_true(out.median < 4.9e10);
    assert_near(out.spread, spread_of(&out), 0.02);
    assert_near(out.clock, 4e9, 1e-8);
    assert_near(out.per_cycle, 12.5, 1e-8);
    assert_true(out.stable);
    free((void *)out.windows);

    m = (machine){.per_unit = 2e-9, .preempted = 0.3, .stolen = 100e-6};
    sampled(&m, &what, &out);
    assert_near(out.value, 5e10, 1e-9);
    assert_near(out.median, 5e10, 1e-9); /* 70 % of the windows are whole */
    double mean = 0;
    for (size_t i = 0; i < out.window_count; i++)
        mean += (double)out.windows[i] / (double)out.window_count;
    assert_true(mean < 4.6e10);
    free((void *)out.windows);
}

/* Most of the calibration, too, sees windows that are a hundred times too long. */
static void a_crowded_machine_still_gets_short_windows(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        machine m = {.per_unit = 2e-9, .preempted = 0.3, .crowd = 5e3, .stolen = 5e-3, .random = seed};
        window_work what = work_of(&m);
        roof_sample out;
        sampled(&m, &what, &out);
        assert_near(out.best, 5e10, 1e-9);
        assert_near(out.value, 5e10, 0.02);
        assert_true((double)m.last_units * 2e-9 >= 20e-6);
        assert_true((double)m.last_units * 2e-9 <= 80e-6);
        free((void *)out.windows);
    }
}

/* Load that leaves a program its turn every 20 ms: what comes before the rounds may not take seconds by that. */
static void waiting_for_the_cpus_ends_in_time(void **state) {
    (void)state;
    static const window_policy quick = {.window = 40e-6,
                                        .warm = 0.001,
                                        .round = 0.004,
                                        .least = 0.008,
                                        .most = 0.02,
                                        .agree = 0.01,
                                        .percentile = 0.95};
    const window_policy *const policies[] = {&policy, &quick};
    const double per_unit[] = {2e-9, 200e-9};
    for (int i = 0; i < 8; i++) {
        const window_policy *how = policies[i % 2];
        machine m = {.per_unit = per_unit[i / 2 % 2], .every_second = 0.02, .random = 1};
        window_work what = work_of(&m);
        roof_sample out;
        roof_error error = {0};
        if (i >= 4)
            what.chain = NULL;
        if (sample(&m, &what, how, &out, &error) == 0) {
            assert_true(out.value < 5e10 * 2e-9 / m.per_unit * (1 + 1e-9)); /* never above the truth */
            assert_near(out.best, 100 / m.per_unit, 1e-9);
            assert_true(out.window_count >= 1);
            free((void *)out.windows);
        } else {
            assert_non_null(strstr(error.what, "other programs took the CPUs"));
        }
        assert_true(m.at < how->warm + 2 * fmax(how->most, 0.05) + how->most + 5 * 0.02);
    }
}

/* Every piece of work waits: there is no window whose length is known, and no roof is made up. */
static void a_machine_that_never_has_time_gives_no_roof(void **state) {
    (void)state;
    machine m = {.per_unit = 2e-9, .preempted = 1, .stolen = 0.04, .random = 1};
    window_work what = work_of(&m);
    roof_sample out;
    roof_error error = {0};
    if (sample(&m, &what, &policy, &out, &error) == 0) {
        assert_true(out.best <= 5e10 * (1 + 1e-9));
        free((void *)out.windows);
    }
    assert_true(m.at < policy.warm + 3 * policy.most + 5 * 0.04);
}

static void the_first_windows_do_not_count(void **state) {
    (void)state;
    machine m = {.per_unit = 2e-9, .ramp = 0.018, .first = 0.003};
    window_work what = work_of(&m);
    roof_sample out;
    sampled(&m, &what, &out);
    for (size_t i = 0; i < out.window_count; i++)
        assert_near((double)out.windows[i], 5e10, 1e-6);
    assert_near(out.window_seconds, 40e-6, 1e-4); /* at the full speed, not at that of the calibration */
    assert_near(out.clock, 4e9, 1e-8);
    free((void *)out.windows);

    m = (machine){.per_unit = 2e-9, .ramp = 0.035}; /* longer than the warm-up: the first round is void */
    sampled(&m, &what, &out);
    for (size_t i = 0; i < out.window_count; i++)
        assert_near((double)out.windows[i], 5e10, 1e-6);
    assert_near(out.window_seconds, 40e-6, 1e-4);
    assert_true(out.stable);
    free((void *)out.windows);
}

static void a_drift_is_never_stable(void **state) {
    (void)state;
    machine m = {.per_unit = 2e-9, .slower = 2}; /* 4 % a round */
    window_work what = work_of(&m);
    roof_sample out;
    sampled(&m, &what, &out);
    assert_false(out.stable);
    assert_true(m.at > policy.most);
    assert_true(m.at < policy.most + 0.1);
    assert_in_range(out.window_count, 2048, 4096); /* of some 10000: thinned out, from beginning to end */
    assert_true((double)out.windows[0] > 4.7e10);
    assert_true((double)out.windows[out.window_count - 1] < 2.6e10);
    for (size_t i = 1; i < out.window_count; i++)
        assert_true(out.windows[i] <= out.windows[i - 1]);
    double first = 1 / (double)out.windows[100] - 1 / (double)out.windows[0];
    double last = 1 / (double)out.windows[out.window_count - 1] - 1 / (double)out.windows[out.window_count - 101];
    assert_true(last > 1.2 * first && last < 2.5 * first); /* evenly: a window takes twice as long at the end */
    free((void *)out.windows);
}

static void a_coarse_clock_makes_windows_longer(void **state) {
    (void)state;
    const double steps[] = {1e-6, 10e-6}, looks[] = {0, 25e-9};
    for (int i = 0; i < 4; i++) {
        machine m = {.per_unit = 2e-9, .step = steps[i % 2], .look = looks[i / 2]};
        window_work what = work_of(&m);
        roof_sample out;
        sampled(&m, &what, &out);
        assert_near(out.value, 5e10, 0.003);
        assert_near(out.median, 5e10, 0.003);
        assert_true(out.window_seconds > 390 * m.step);
        assert_near(out.clock, 4e9, 0.006);
        assert_near(out.per_cycle, 12.5, 0.004);
        free((void *)out.windows);
    }
}

static void too_coarse_a_clock_is_an_error(void **state) {
    (void)state;
    machine m = {.per_unit = 2e-9, .step = 4e-3, .look = 25e-9}; /* the timer tick of a kernel with HZ=250 */
    window_work what = work_of(&m);
    roof_sample out;
    roof_error error = {0};
    assert_int_equal(sample(&m, &what, &policy, &out, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    assert_non_null(strstr(error.what, "steps of 0.004 s"));
    assert_true(error.hint[0] != '\0');
    assert_null(out.windows);
    m = (machine){.per_unit = 2e-6, .step = 4e-3}; /* looking moves nothing: found out by working */
    assert_int_equal(sample(&m, &what, &policy, &out, &error), -1);
    assert_non_null(strstr(error.what, "too coarse"));
}

static void a_clock_that_stands_still_is_an_error(void **state) {
    (void)state;
    machine m = {.per_unit = 2e-9, .still = true};
    window_work what = work_of(&m);
    roof_sample out;
    roof_error error = {0};
    assert_int_equal(sample(&m, &what, &policy, &out, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    assert_non_null(strstr(error.what, "does not advance"));
    assert_in_range(m.runs, 1, 200);
}

static double until_midnight(void *context) {
    machine *m = context;
    return fmin(m->at, 0);
}

static void a_clock_that_stops_is_an_error(void **state) {
    (void)state;
    const double stops[] = {1e-4, 1e-2, 0.04}; /* in the calibration, the warm-up, a round */
    for (int i = 0; i < 3; i++) {
        machine m = {.per_unit = 2e-9};
        window_work what = work_of(&m);
        roof_sample out;
        roof_error error = {0};
        time_source time = {.now = until_midnight, .context = &m};
        m.at = -stops[i];
        assert_int_equal(sample_windows(&time, NULL, 1, &what, &policy, &out, &error), -1);
        assert_non_null(strstr(error.what, "does not advance"));
    }
}

/* A chase: 100 loads in 9 us are 90 ns each. */
static void times_are_taken_from_below(void **state) {
    (void)state;
    machine m = {.per_unit = 9e-6, .preempted = 0.6, .stolen = 100e-6};
    window_work what = work_of(&m);
    what.is_time = true;
    roof_sample out;
    sampled(&m, &what, &out);
    assert_near(out.value, 90e-9, 1e-6);
    assert_near(out.best, 90e-9, 1e-6);
    assert_true(out.median > 91e-9);
    assert_true(out.spread > 0.1);
    assert_true(out.best <= out.value);
    assert_exact(out.per_cycle, 0);
    assert_near(out.clock, 4e9, 1e-6);
    free((void *)out.windows);
}

/* A clock rate of 3.7 GHz, every third 5 ms of 4.2 GHz; a unit takes 8 cycles for 100. */
static double jumping(double at) {
    return (uint64_t)(at / 5e-3) % 3 == 1 ? 4.2e9 : 3.7e9;
}

static void work_per_cycle_does_not_depend_on_the_clock(void **state) {
    (void)state;
    machine m = {.per_unit = 8, .frequency = jumping, .preempted = 0.1, .chains_preempted = 0.1, .stolen = 100e-6};
    window_work what = work_of(&m);
    roof_sample out;
    sampled(&m, &what, &out);
    assert_near(out.value, 4.2e9 * 12.5, 1e-6);
    assert_near(out.clock, 4.2e9, 1e-6);
    assert_near(out.per_cycle, 12.5, 1e-6);
    free((void *)out.windows);

    /* Now the better windows are those of the slow clock. */
    m = (machine){.per_unit = 8, .frequency = jumping, .contrary = 2};
    sampled(&m, &what, &out);
    assert_near(out.value, 3.7e9 * 12.5, 1e-6);
    assert_near(out.clock, 3.7e9, 1e-6);
    free((void *)out.windows);
}

/* Reading a clock costs time; it must not make the chain look slow. */
static void looking_at_the_clock_is_not_charged_to_the_chain(void **state) {
    (void)state;
    machine m = {.per_unit = 8, .frequency = jumping, .look = 30e-9};
    window_work what = work_of(&m);
    roof_sample out;
    sampled(&m, &what, &out);
    assert_near(out.clock, 4.2e9, 1e-6);
    assert_near(out.value, 4.2e9 * 12.5, 0.001); /* one look in 40 us */
    free((void *)out.windows);
}

static void a_unit_longer_than_a_window_is_a_window(void **state) {
    (void)state;
    machine m = {.per_unit = 0.06, .first = 0.1};
    window_work what = work_of(&m);
    roof_sample out;
    sampled(&m, &what, &out);
    assert_near(out.window_seconds, 0.06, 1e-6);
    assert_near(out.value, 100 / 0.06, 1e-6);
    assert_in_range(m.most_units, 1, 1);
    assert_in_range(out.window_count, 9, 9); /* a round of 5; the next was cut short */
    assert_false(out.stable);
    assert_in_range(m.runs, 11, 16);
    free((void *)out.windows);
}

static void stepped(void *context, int rank, uint64_t units) {
    assert_true(units % 48 == 0);
    work(context, rank, units);
}

static void a_round_does_not_outlast_the_most(void **state) {
    (void)state;
    machine m = {.per_unit = 2e-9};
    window_work what = work_of(&m);
    window_policy endless = policy;
    endless.round = 10;
    roof_sample out;
    assert_int_equal(sample(&m, &what, &endless, &out, NULL), 0);
    assert_true(m.at > policy.most && m.at < policy.most + 0.05);
    assert_false(out.stable);
    free((void *)out.windows);
}

static void windows_are_whole_numbers_of_the_least_units(void **state) {
    (void)state;
    machine m = {.per_unit = 2e-9};
    window_work what = work_of(&m);
    what.run = stepped;
    what.least_units = 48;
    what.chain = NULL;
    roof_sample out;
    sampled(&m, &what, &out);
    assert_near(out.value, 5e10, 1e-9);
    assert_near((double)m.last_units * 2e-9, 40e-6, 0.003);
    assert_exact(out.clock, 0); /* no chain: not known */
    assert_exact(out.per_cycle, 0);
    free((void *)out.windows);
}

static void work_without_amount_is_refused(void **state) {
    (void)state;
    machine m = {.per_unit = 2e-9};
    window_work what = work_of(&m);
    roof_sample out;
    roof_error error = {0};
    what.amount = 0;
    assert_int_equal(sample(&m, &what, &policy, &out, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
    assert_in_range(m.runs, 0, 0);
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    ALLOC_FAIL_EACH(n, {
        machine m = {.per_unit = 2e-9};
        window_work what = work_of(&m);
        roof_sample out;
        roof_error error = {0};
        int status = sample(&m, &what, &policy, &out, &error);
        assert_int_equal(status, alloc_failed() ? -1 : 0);
        assert_int_equal(error.code, alloc_failed() ? ROOF_ENOMEM : ROOF_OK);
        assert_int_equal(alloc_live(), alloc_failed() ? 0 : 1); /* the windows are the caller's */
        free((void *)out.windows);
    });
    assert_in_range(alloc_count(), 3, 20);
    alloc_start(0);
}

static void percentiles_lie_between_neighbours(void **state) {
    (void)state;
    const double sorted[] = {1, 2, 4, 8, 16};
    assert_exact(percentile_of(sorted, 5, 0), 1);
    assert_exact(percentile_of(sorted, 5, 0.5), 4);
    assert_exact(percentile_of(sorted, 5, 1), 16);
    assert_near(percentile_of(sorted, 5, 0.95), 14.4, 1e-12);
    assert_exact(percentile_of(sorted, 1, 0.3), 1);
    assert_true(isnan(percentile_of(sorted, 0, 0.5)));
}

/* ---- the real clock and real threads: only what holds on a loaded machine ---- */

typedef struct spin {
    char apart[128];
    volatile uint64_t count;
    char apart_too[128];
} spin;

static void count_up(void *context, int rank, uint64_t units) {
    spin *spins = context;
    for (uint64_t i = 0; i < units; i++)
        spins[rank].count = spins[rank].count + 1;
}

static void real_threads_are_timed(void **state) {
    (void)state;
    int cpus[] = {0, 0}; /* where there is one CPU only, both are on it */
    spin *spins = calloc(2, sizeof *spins);
    roof_error error = {0};
    team *pair = team_start(cpus, 2, &error);
    assert_non_null(pair);
    time_source time = time_monotonic();
    window_work what = {.run = count_up, .context = spins, .amount = 1, .least_units = 1};
    window_policy brief = policy;
    brief.most = 0.1;
    for (int count = 1; count <= 2; count++) {
        roof_sample out = {0};
        assert_int_equal(sample_windows(&time, pair, count, &what, &brief, &out, &error), 0);
        assert_true(out.value > 0 && out.value < 1e11);
        assert_true(out.best >= out.value && out.value >= out.median);
        assert_true(out.window_count > 0);
        free((void *)out.windows);
    }
    assert_true(spins[0].count > spins[1].count && spins[1].count > 0);
    team_stop(pair);
    free(spins);
}

/* A unit lasts a microsecond, whatever the CPU: two threads do two in that time, and a time is one's own. */
static void take_time(void *context, int rank, uint64_t units) {
    (void)rank;
    const time_source *time = context;
    double end = time->now(time->context) + 1e-6 * (double)units;
    while (time->now(time->context) < end)
        continue;
}

/* The best window of a few series: on a crowded machine there is sooner or later one in which both threads run. */
static double best_of(team *pair, window_work *what, double enough) {
    double best = 0;
    for (int series = 0; series < 20 && (what->is_time ? best == 0 || best > enough : best < enough); series++) {
        roof_sample out = {0};
        assert_int_equal(sample_windows(what->context, pair, 2, what, &policy, &out, NULL), 0);
        best = out.best;
        free((void *)out.windows);
    }
    return best;
}

static void threads_add_up_in_a_rate_but_not_in_a_time(void **state) {
    (void)state;
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    int cpus[CPU_SETSIZE], count = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set))
            cpus[count++] = cpu;
    if (count < 2)
        skip();
    team *pair = team_start(cpus, 2, NULL);
    assert_non_null(pair);
    time_source time = time_monotonic();
    window_work what = {.run = take_time, .context = &time, .amount = 1, .least_units = 1};
    double rate = best_of(pair, &what, 1.5e6);
    assert_true(rate > 1.5e6 && rate < 2.05e6);
    what.is_time = true;
    double seconds = best_of(pair, &what, 1.3e-6);
    assert_true(seconds > 0.95e-6 && seconds < 1.3e-6);
    team_stop(pair);
}

/* Two simulated threads: what each has done of its time, of which the second is always 10 us later. */
typedef struct shifted {
    double at[2][16];
} shifted;
static _Thread_local int own_rank;

static void take_rank(void *context, int rank) {
    (void)context;
    own_rank = rank;
}

static double shown_shifted(void *context) {
    return ((shifted *)context)->at[own_rank][0] + 10e-6 * own_rank;
}

static void shifted_work(void *context, int rank, uint64_t units) {
    ((shifted *)context)->at[rank][0] += 1e-6 * (double)units;
}

static void shifted_chain(void *context, int rank, uint64_t adds) {
    ((shifted *)context)->at[rank][0] += 1e-9 * (double)adds;
}

/* 40 us of each, and 50 us between the first start and the last end. What is done a cycle is one thread's. */
static void a_thread_that_starts_late_makes_the_window_longer(void **state) {
    (void)state;
    int cpus[] = {0, 0};
    shifted at = {0};
    roof_sample out = {0};
    team *pair = team_start(cpus, 2, NULL);
    assert_non_null(pair);
    team_run(pair, 2, take_rank, NULL);
    time_source time = {.now = shown_shifted, .context = &at};
    window_work what = {.run = shifted_work, .chain = shifted_chain, .context = &at, .amount = 1, .least_units = 1};
    assert_int_equal(sample_windows(&time, pair, 2, &what, &policy, &out, NULL), 0);
    assert_near(out.value, 2 * 40 / 50e-6, 1e-6);
    assert_near(out.median, 2 * 40 / 50e-6, 1e-6);
    assert_near(out.clock, 1e9, 1e-6);
    assert_near(out.per_cycle, 40 / 50e-6 / 1e9, 1e-6);
    free((void *)out.windows);
    team_stop(pair);
}

static void the_monotonic_clock_moves(void **state) {
    (void)state;
    time_source time = time_monotonic();
    double first = time.now(time.context), before = first;
    assert_true(first >= 0 && first < 60); /* counted from when it was made: exact for years */
    for (int i = 0; i < 10000; i++) {
        double after = time.now(time.context);
        assert_true(after >= before);
        before = after;
    }
    assert_true(before > first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_clock_gives_the_exact_roof),
        cmocka_unit_test(preempted_windows_move_the_median_only),
        cmocka_unit_test(a_crowded_machine_still_gets_short_windows),
        cmocka_unit_test(waiting_for_the_cpus_ends_in_time),
        cmocka_unit_test(a_machine_that_never_has_time_gives_no_roof),
        cmocka_unit_test(the_first_windows_do_not_count),
        cmocka_unit_test(a_drift_is_never_stable),
        cmocka_unit_test(a_coarse_clock_makes_windows_longer),
        cmocka_unit_test(too_coarse_a_clock_is_an_error),
        cmocka_unit_test(a_clock_that_stands_still_is_an_error),
        cmocka_unit_test(a_clock_that_stops_is_an_error),
        cmocka_unit_test(times_are_taken_from_below),
        cmocka_unit_test(work_per_cycle_does_not_depend_on_the_clock),
        cmocka_unit_test(looking_at_the_clock_is_not_charged_to_the_chain),
        cmocka_unit_test(a_unit_longer_than_a_window_is_a_window),
        cmocka_unit_test(a_round_does_not_outlast_the_most),
        cmocka_unit_test(windows_are_whole_numbers_of_the_least_units),
        cmocka_unit_test(work_without_amount_is_refused),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(percentiles_lie_between_neighbours),
        cmocka_unit_test(real_threads_are_timed),
        cmocka_unit_test(threads_add_up_in_a_rate_but_not_in_a_time),
        cmocka_unit_test(a_thread_that_starts_late_makes_the_window_longer),
        cmocka_unit_test(the_monotonic_clock_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
