/* The plan on a simulated machine: its rates are known, so the roofs must be exactly these. */
#include <stdlib.h>

#include "test.h"

#include "alloc/alloc.h"
#include "measure/plan/plan.h"

enum { KIB = 1024, MIB = 1024 * 1024, SERIES_MAX = 1024 };

typedef struct machine {
    double cache[3], rate[4]; /* L1, L2, L3: bytes of one core (L3: of all); load, byte/s of a core, DRAM last */
    double flops_a_second;    /* of one FLOP a lane: see rate_of_compute */
    double at;                /* seconds */
    double multiply;          /* what a dependent multiply seems to take */
    double clock[2];          /* first and later series */
    double waits;             /* seconds each series takes on top: other programs have the CPUs */
    bool unstable, no_memory, one_bad;
    double across; /* so many times faster, where nodes are told apart; 0: alike */
    double all;    /* what all cores reach of `threads` times one */
    int runs, told, stop_at;
    double done;
    window_series seen[SERIES_MAX]; /* what was timed */
} machine;

static void run_nothing(compute_state *state, uint64_t iterations) {
    (void)state, (void)iterations;
}

static void stream_nothing(stream_args *args) {
    (void)args;
}

#define COMPUTE(isa_, needs_, pattern_, dtype_, lanes_, flops_)                                                        \
    {                                                                                                                  \
        .name = isa_ "_" #dtype_ "_" #pattern_, .isa = isa_, .needs = needs_, .pattern = ROOF_PATTERN_##pattern_,      \
        .unit = ROOF_VECTOR, .dtype = ROOF_##dtype_, .result = ROOF_##dtype_, .flops = lanes_ * flops_ * 10,           \
        .accumulators = 10, .times = 1, .lanes = lanes_, .terms = 1, .run = run_nothing                                \
    }

/* FMA + ADD is the best on the widest vectors; two rows of it, the second better. */
static const compute_kernel compute_rows[] = {
    COMPUTE("sse2", FEATURE(BASE), MUL, F64, 2, 1),       COMPUTE("sse2", FEATURE(BASE), ADD, F64, 2, 1),
    COMPUTE("avx2", FEATURE(AVX2), FMA, F64, 4, 2),       COMPUTE("avx2", FEATURE(AVX2), MUL, F64, 4, 1),
    COMPUTE("avx2", FEATURE(AVX2), FMA_ADD, F64, 4, 2.5), COMPUTE("avx2", FEATURE(AVX2), FMA_ADD, F64, 4, 3),
    COMPUTE("avx2", FEATURE(AVX2), FMA, F32, 8, 2),       COMPUTE("avx512", FEATURE(AVX512), FMA, F64, 8, 2),
};

#define STREAM(isa_, needs_, pattern_, arrays_, moved_)                                                                \
    {                                                                                                                  \
        .name = isa_ "_" #pattern_, .isa = isa_, .needs = needs_, .pattern = ROOF_PATTERN_##pattern_,                  \
        .arrays = arrays_, .step = 512, .moved = moved_, .run = stream_nothing                                         \
    }

static const stream_kernel stream_rows[] = {
    STREAM("sse2", FEATURE(BASE), LOAD, 1, 1),        STREAM("avx2", FEATURE(AVX2), LOAD, 1, 1),
    STREAM("avx2", FEATURE(AVX2), STORE, 1, 2),       STREAM("avx2", FEATURE(AVX2), COPY, 2, 1.5),
    STREAM("avx2", FEATURE(AVX2), TRIAD, 3, 4 / 3.0), STREAM("avx2", FEATURE(AVX2), UPDATE, 1, 1),
    STREAM("avx2", FEATURE(AVX2), STORE_NT, 1, 1),    STREAM("avx2", FEATURE(AVX2), COPY_NT, 2, 1),
    STREAM("avx2", FEATURE(AVX2), TRIAD_NT, 3, 1),
};

static const compute_kernel *compute_at(size_t index) {
    return index < sizeof compute_rows / sizeof *compute_rows ? &compute_rows[index] : NULL;
}

static const stream_kernel *stream_at(size_t index) {
    return index < sizeof stream_rows / sizeof *stream_rows ? &stream_rows[index] : NULL;
}

static int right_compute(const compute_kernel *kernel) {
    (void)kernel;
    return 0;
}

static int wrong_mul(const compute_kernel *kernel) {
    return kernel->pattern == ROOF_PATTERN_MUL ? -1 : 0;
}

static int right_stream(const stream_kernel *kernel) {
    (void)kernel;
    return 0;
}

static double now(void *context) {
    return ((machine *)context)->at;
}

static double multiply_cycles(void *context) {
    return ((machine *)context)->multiply;
}

/* By where the sets of all threads really lie, whatever the series says. */
static double rate_of_stream(const machine *m, const window_series *series) {
    static const double factor[ROOF_PATTERN_COUNT] = {
        [ROOF_PATTERN_LOAD] = 1,       [ROOF_PATTERN_STORE] = 0.4,    [ROOF_PATTERN_COPY] = 0.6,
        [ROOF_PATTERN_TRIAD] = 0.7,    [ROOF_PATTERN_UPDATE] = 1.2,   [ROOF_PATTERN_STORE_NT] = 0.5,
        [ROOF_PATTERN_COPY_NT] = 0.95, [ROOF_PATTERN_TRIAD_NT] = 1.25};
    int level = 0;
    while (level < 3 && series->set * (level == 2 ? series->threads : 1) > m->cache[level] * 1.02)
        level++;
    return m->rate[level] * factor[series->pattern] * series->threads;
}

static double value_of(const machine *m, const window_series *series) {
    double all = series->threads > 1 ? m->all : 1;
    if (series->from_node >= 0 && m->across > 0)
        all *= m->across;
    if (series->compute)
        return all * m->flops_a_second * series->compute->flops / 10 * series->threads;
    return series->stream ? all * rate_of_stream(m, series) : 100e-9;
}

static int run_series(void *context, const window_series *series, const window_policy *policy, roof_sample *out,
                      roof_error *error) {
    machine *m = context;
    m->at += m->waits + policy->warm + (m->unstable ? policy->most : policy->least);
    assert_true(policy->most >= policy->least && policy->round > 0 && policy->window > 0);
    assert_exact(policy->percentile, 0.95); /* as the source of each roof says */
    assert_true(m->runs < SERIES_MAX);
    m->seen[m->runs++] = *series;
    if (m->no_memory && m->runs == 40)
        return roof_fail(error, ROOF_ENOMEM, "no memory at all");
    if (m->one_bad && series->compute && series->compute->dtype == ROOF_F32)
        return roof_fail(error, ROOF_EUNSUPPORTED, "the clock does not advance");
    float *windows = malloc(10 * sizeof *windows);
    if (!windows)
        return roof_fail(error, ROOF_ENOMEM, "no memory for windows");
    out->value = out->median = out->best = value_of(m, series);
    for (int i = 0; i < 10; i++)
        windows[i] = (float)out->value;
    out->windows = windows;
    out->window_count = 10;
    out->window_seconds = policy->window;
    out->clock = m->clock[m->runs > 30];
    out->per_cycle = out->value / series->threads / out->clock;
    out->stable = !m->unstable;
    out->huge = 1;
    return 0;
}

static int progress(void *context, double done, const char *what) {
    machine *m = context;
    assert_true(done >= 0 && done <= 1);
    assert_true(strlen(what) > 0);
    m->done = done;
    return ++m->told == m->stop_at;
}

/* Rates as on a Zen 4: GB/s of one core. */
static machine zen4(void) {
    return (machine){.cache = {32 * KIB, MIB, 32.0 * MIB},
                     .rate = {180e9, 110e9, 78e9, 30e9},
                     .flops_a_second = 5.75e9,
                     .multiply = 3.001,
                     .clock = {2.87e9, 2.87e9},
                     .all = 1};
}

static host two_cores(void) {
    host here = {.cpu = "AMD EPYC 9R14",
                 .allowed_count = 2,
                 .core_count = 2,
                 .online = 2,
                 .node_count = 1,
                 .features = FEATURE(BASE) | FEATURE(AVX2),
                 .caches_from = "hwloc",
                 .available = 8e9,
                 .available_why = "MemAvailable",
                 .allowed = {{0, 0, 0}, {1, 1, 0}}};
    here.cache[ROOF_L1] = 32 * KIB, here.cache[ROOF_L2] = MIB, here.cache[ROOF_L3] = 32.0 * MIB,
    here.cache[ROOF_DRAM] = 16e9;
    here.sharing[ROOF_L1] = here.sharing[ROOF_L2] = 1, here.sharing[ROOF_L3] = 2;
    return here;
}

typedef struct given {
    machine *machine;
    host here;
    int threads;
    double memory;
    roof_effort effort;
    int (*prove)(const compute_kernel *kernel);
} given;

static given usual(machine *m) {
    return (given){.machine = m, .here = two_cores(), .threads = 2, .memory = 4e9, .prove = right_compute};
}

/* NULL with `error`. */
static roof_measurement *measure(const given *what, roof_error *error) {
    roof_measure_options options = {.effort = what->effort, .progress = progress, .context = what->machine};
    series_bench bench = {.run = run_series,
                          .multiply_cycles = multiply_cycles,
                          .compute_at = compute_at,
                          .stream_at = stream_at,
                          .prove_compute = what->prove,
                          .prove_stream = right_stream,
                          .time = {now, what->machine},
                          .context = what->machine};
    roof_measurement *out = measurement_new(error);
    if (!out)
        return NULL;
    snprintf(out->cpu, sizeof out->cpu, "%s", what->here.cpu);
    measure_plan plan = {.host = &what->here,
                         .bench = &bench,
                         .options = &options,
                         .out = out,
                         .error = error,
                         .threads = what->threads,
                         .memory = what->memory};
    if (plan_run(&plan) == 0)
        return out;
    roof_measurement_free(out);
    return NULL;
}

static const roof_condition *condition_with(const roof_measurement *at, const char *word) {
    for (size_t i = 0; i < at->condition_count; i++)
        if (strstr(at->conditions[i].what, word))
            return &at->conditions[i];
    return NULL;
}

static void roofs_are_the_best_of_each(void **state) {
    (void)state;
    for (int effort = ROOF_EFFORT_NORMAL; effort <= ROOF_EFFORT_THOROUGH; effort++) {
        machine m = zen4();
        given what = usual(&m);
        what.effort = (roof_effort)effort;
        roof_measurement *out = measure(&what, NULL);
        assert_non_null(out);
        assert_exact(out->one.peak[ROOF_VECTOR][ROOF_F64].value, 5.75e9 * 12);
        assert_exact(out->machine.peak[ROOF_VECTOR][ROOF_F64].value, 5.75e9 * 12 * 2);
        assert_exact(out->machine.peak[ROOF_VECTOR][ROOF_F32].value, 5.75e9 * 16 * 2);
        assert_int_equal(out->machine.peak[ROOF_MATRIX][ROOF_BF16].origin, ROOF_ORIGIN_UNKNOWN);
        assert_exact(out->one.bandwidth[ROOF_L1].value, 180e9 * 1.2);
        assert_near(out->one.bandwidth[ROOF_L2].value, 110e9 * 1.2, 1e-12); /* update: load 1, triad 0.7 */
        assert_near(out->machine.bandwidth[ROOF_DRAM].value, 75e9, 1e-12);  /* non-temporal triad, 1.25 */
        assert_non_null(strstr(out->machine.bandwidth[ROOF_DRAM].source, "triad nt, 2 cores"));
        assert_non_null(strstr(out->machine.peak[ROOF_VECTOR][ROOF_F64].source, "avx2 fma+add, 2 cores"));
        assert_exact(out->machine.size[ROOF_L1].value, 64 * KIB);
        assert_exact(out->one.size[ROOF_L1].value, 32 * KIB);
        assert_exact(out->machine.size[ROOF_L3].value, 32.0 * MIB);
        assert_int_equal(out->machine.size[ROOF_L3].origin, ROOF_ORIGIN_GIVEN);
        assert_exact(out->machine.clock.value, 2.87e9);
        assert_exact(out->machine.usable.value, 8e9);
        assert_int_equal(out->machine.launch.origin, ROOF_ORIGIN_UNKNOWN);
        assert_string_equal(out->machine.id, "this");
        assert_string_equal(out->machine.name, "AMD EPYC 9R14, 2 cores");
        assert_string_equal(out->one.name, "AMD EPYC 9R14, 1 core");
        assert_int_equal(out->condition_count, 0);
        roof_measurement_free(out);
    }
}

/* Two mixes of FMAs and adds, one 20 % faster: a short trial may mislead, so both are timed in full. */
static void close_rivals_are_both_timed(void **state) {
    (void)state;
    machine m = zen4();
    given what = usual(&m);
    roof_measurement *out = measure(&what, NULL);
    double most = 0;
    int found = 0;
    assert_non_null(out);
    for (size_t i = 0; i < out->sample_count; i++)
        if (out->samples[i].pattern == ROOF_PATTERN_FMA_ADD && out->samples[i].threads == 1) {
            found++;
            most = fmax(most, out->samples[i].value);
        }
    assert_int_equal(found, 2);
    assert_exact(out->one.peak[ROOF_VECTOR][ROOF_F64].value, most);
    roof_measurement_free(out);
}

/* What a store reads first is told beside its value, and raises no roof: nobody counted it. */
static void roofs_are_of_counted_bytes(void **state) {
    (void)state;
    machine m = zen4();
    given what = usual(&m);
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    double best[ROOF_LEVEL_COUNT] = {0};
    for (size_t i = 0; i < out->sample_count; i++) {
        const roof_sample *sample = &out->samples[i];
        if (sample->pattern == ROOF_PATTERN_STORE)
            assert_exact(sample->moved, sample->level == ROOF_L1 ? 1 : 2);
        if (roof_pattern_is_memory(sample->pattern) && sample->threads == 2 && sample->from_node < 0)
            best[sample->level] = fmax(best[sample->level], sample->value);
    }
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++) {
        assert_true(best[level] > 0);
        assert_exact(out->machine.bandwidth[level].value, best[level]);
    }
    roof_measurement_free(out);
}

static void windows_outlast_the_caches(void **state) {
    (void)state;
    machine m = zen4();
    given what = usual(&m);
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    int stores = 0;
    for (int i = 0; i < m.runs; i++)
        if (m.seen[i].level == ROOF_DRAM && m.seen[i].stream && m.seen[i].pattern != ROOF_PATTERN_LOAD) {
            assert_true(m.seen[i].cover >= 2 * 32.0 * MIB);
            assert_true(m.seen[i].set * m.seen[i].threads >= 4 * 32.0 * MIB);
            stores++;
        }
    assert_true(stores >= 12);
    roof_measurement_free(out);
}

static void budgets_hold(void **state) {
    (void)state;
    static const double most[] = {[ROOF_EFFORT_NORMAL] = 28, [ROOF_EFFORT_QUICK] = 5.5, [ROOF_EFFORT_THOROUGH] = 180};
    for (int effort = ROOF_EFFORT_NORMAL; effort <= ROOF_EFFORT_THOROUGH; effort++)
        for (int unstable = 0; unstable < 2; unstable++) {
            machine m = zen4();
            m.unstable = unstable;
            given what = usual(&m);
            what.effort = (roof_effort)effort;
            roof_measurement *out = measure(&what, NULL);
            assert_non_null(out);
            assert_true(out->seconds <= most[effort]);
            assert_exact(out->seconds, m.at);
            assert_true(m.told > 30 && m.done > 0.9);
            assert_true(!unstable == !condition_with(out, "did not settle"));
            roof_measurement_free(out);
        }
}

/* Where each series waits for the CPUs, no more than six budgets are spent, and what is missing is said. */
static void a_full_machine_does_not_take_for_ever(void **state) {
    (void)state;
    static const double waits_of[] = {0.1, 0.4, 1.6};
    for (int i = 0; i < 3; i++) {
        double waits = waits_of[i];
        machine m = zen4();
        m.waits = waits;
        given what = usual(&m);
        what.effort = ROOF_EFFORT_QUICK;
        roof_measurement *out = measure(&what, NULL);
        assert_non_null(out);
        const roof_condition *late = condition_with(out, "no time was left for ");
        assert_true(out->seconds < 6 * 4.4 + 2);
        assert_true(!late == (i == 0)); /* 0.1 s each: all are there */
        if (late)
            assert_true(out->seconds > 6 * 4.4 && strstr(late->what, " core") && strlen(late->remedy) > 0);
        if (out->machine.bandwidth[ROOF_DRAM].origin == ROOF_ORIGIN_UNKNOWN)
            assert_non_null(late);
        else
            assert_true(out->machine.bandwidth[ROOF_DRAM].value > 0);
        if (i < 2)
            assert_exact(out->one.peak[ROOF_VECTOR][ROOF_F64].value, 5.75e9 * 12);
        roof_measurement_free(out);
    }
}

static void quick_takes_the_widest_only(void **state) {
    (void)state;
    machine m = zen4();
    given what = usual(&m);
    what.effort = ROOF_EFFORT_QUICK;
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    for (size_t i = 0; i < out->sample_count; i++) {
        assert_string_not_equal(out->samples[i].isa, "sse2");
        assert_string_not_equal(out->samples[i].isa, "avx512"); /* the host has none */
        assert_true(out->samples[i].pattern != ROOF_PATTERN_MUL);
    }
    roof_measurement_free(out);
}

static void reported_cache_that_is_not_there(void **state) {
    (void)state;
    machine m = zen4();
    m.cache[2] = 16.0 * MIB;
    given what = usual(&m);
    what.here.cache[ROOF_L3] = 508e6;
    what.here.sharing[ROOF_L3] = 1;
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    assert_non_null(condition_with(out, "508 MB of L3"));
    assert_int_equal(out->one.size[ROOF_L3].origin, ROOF_ORIGIN_MEASURED);
    assert_in_range(out->one.size[ROOF_L3].value, 14 * MIB, 20 * MIB);
    assert_near(out->one.bandwidth[ROOF_DRAM].value, 37.5e9, 1e-12);
    assert_near(out->one.bandwidth[ROOF_L3].value, 78e9 * 1.2, 1e-12);
    roof_measurement_free(out);
}

static void too_little_memory(void **state) {
    (void)state;
    machine m = zen4();
    given what = usual(&m);
    what.memory = 100e6;
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    assert_int_equal(out->machine.bandwidth[ROOF_DRAM].origin, ROOF_ORIGIN_UNKNOWN);
    assert_int_equal(out->one.bandwidth[ROOF_DRAM].origin, ROOF_ORIGIN_UNKNOWN);
    assert_int_equal(out->machine.bandwidth[ROOF_L1].origin, ROOF_ORIGIN_MEASURED);
    assert_int_equal(out->machine.bandwidth[ROOF_L2].origin, ROOF_ORIGIN_MEASURED);
    assert_int_equal(out->machine.peak[ROOF_VECTOR][ROOF_F64].origin, ROOF_ORIGIN_MEASURED);
    assert_non_null(
        condition_with(out, "DRAM bandwidth of one core and of all is unknown: its working sets need 134 MB, 100 MB"));
    for (int i = 0; i < m.runs; i++)
        assert_true(m.seen[i].set * m.seen[i].threads <= 100e6);
    roof_measurement_free(out);
}

static void one_thread(void **state) {
    (void)state;
    machine m = zen4();
    given what = usual(&m);
    what.threads = 1;
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    for (size_t i = 0; i < out->sample_count; i++)
        assert_int_equal(out->samples[i].threads, 1);
    assert_exact(out->machine.bandwidth[ROOF_DRAM].value, out->one.bandwidth[ROOF_DRAM].value);
    assert_string_equal(out->machine.scope, "cores");
    roof_measurement_free(out);
}

static void nodes_are_told_apart(void **state) {
    (void)state;
    machine m = zen4();
    m.across = 9; /* what is measured between nodes is told, and no roof */
    given what = usual(&m);
    what.here.node_count = 2;
    what.here.allowed[1].node = 1;
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    int local = 0, remote = 0;
    for (size_t i = 0; i < out->sample_count; i++) {
        local += out->samples[i].from_node == 0 && out->samples[i].to_node == 0;
        remote += out->samples[i].from_node == 0 && out->samples[i].to_node == 1;
    }
    assert_int_equal(local, 1);
    assert_int_equal(remote, 1);
    assert_near(out->machine.bandwidth[ROOF_DRAM].value, 75e9, 1e-12);
    assert_near(out->one.bandwidth[ROOF_DRAM].value, 37.5e9, 1e-12);
    roof_measurement_free(out);
}

static void limits_bound_memory_and_threads(void **state) {
    (void)state;
    host here = two_cores();
    roof_measure_options options = {0};
    assert_exact(memory_to_use(&options, &here), 4e9); /* half of 8e9 */
    options.memory = 1e9;
    assert_exact(memory_to_use(&options, &here), 1e9);
    options.memory = 1e12; /* no more than there is */
    assert_exact(memory_to_use(&options, &here), 4e9);
    here.available_why = ""; /* not known: a condition asks for the option */
    assert_exact(memory_to_use(&options, &here), 1e12);
    options.memory = 0;
    assert_exact(memory_to_use(&options, &here), 256.0 * MIB);
    here.core_count = 8;
    assert_int_equal(threads_to_use(&options, &here), 8);
    options.threads = 3;
    assert_int_equal(threads_to_use(&options, &here), 3);
    options.threads = 99;
    assert_int_equal(threads_to_use(&options, &here), 8);
    here.quota = 2.9; /* CPUs: of three threads each would wait for its turn */
    assert_int_equal(threads_to_use(&options, &here), 2);
    here.quota = 0.5;
    assert_int_equal(threads_to_use(&options, &here), 1);
    here.quota = 0;
    here.core_count = 0; /* not known */
    assert_int_equal(threads_to_use(&options, &here), 1);
}

static void bad_conditions_are_named(void **state) {
    (void)state;
    machine m = zen4();
    m.multiply = 3.2;
    m.all = 0.4;
    m.one_bad = true;
    given what = usual(&m);
    what.prove = wrong_mul;
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    if (MULTIPLY_CYCLES == 3) {
        assert_non_null(condition_with(out, "the clock is unknown: a dependent multiply took 3.20 adds, not 3"));
        assert_int_equal(out->machine.clock.origin, ROOF_ORIGIN_UNKNOWN);
    }
    assert_non_null(condition_with(out, "2 kernels computed wrongly and were left out: sse2_F64_MUL, avx2_F64_MUL"));
    assert_non_null(condition_with(out, "could not be measured: avx2 f32 fma, 1 core"));
    assert_int_equal(out->machine.peak[ROOF_VECTOR][ROOF_F32].origin, ROOF_ORIGIN_UNKNOWN);
    assert_non_null(condition_with(out, "all cores together attained less than one alone"));
    assert_exact(out->machine.peak[ROOF_VECTOR][ROOF_F64].value, out->one.peak[ROOF_VECTOR][ROOF_F64].value);
    assert_exact(out->machine.bandwidth[ROOF_L1].value, out->one.bandwidth[ROOF_L1].value);
    assert_non_null(strstr(out->machine.bandwidth[ROOF_L1].source, "update, 1 core"));
    for (size_t i = 0; i < out->sample_count && MULTIPLY_CYCLES == 3; i++) {
        assert_exact(out->samples[i].clock, 0);
        assert_exact(out->samples[i].per_cycle, 0);
    }
    roof_measurement_free(out);
}

/* Of a long list the first are named, and the others counted: no name is cut. */
static void long_lists_are_counted(void **state) {
    (void)state;
    machine m = zen4();
    m.unstable = true;
    given what = usual(&m);
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    const roof_condition *found = condition_with(out, "series did not settle: ");
    assert_non_null(found);
    int all = 0, more = 0, named = 1;
    const char *tail = strstr(found->what, " and ");
    assert_non_null(tail);
    assert_int_equal(sscanf(found->what, "%d", &all), 1);
    assert_int_equal(sscanf(tail, " and %d more", &more), 1);
    assert_string_equal(found->what + strlen(found->what) - 5, " more");
    for (const char *at = strstr(found->what, ": ") + 2; at < tail; at++)
        named += strncmp(at, "core, ", 6) == 0 || strncmp(at, "cores, ", 7) == 0;
    assert_int_equal(named + more, all);
    roof_measurement_free(out);
}

static void one_core_that_is_slow_alone_is_named(void **state) {
    (void)state;
    machine m = zen4();
    m.all = 1.3; /* as if one core alone had been held back */
    given what = usual(&m);
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    assert_non_null(condition_with(out, "one core alone attained less than its share of all"));
    assert_null(condition_with(out, "all cores together"));
    roof_measurement_free(out);
}

static void a_clock_that_drifts_is_named(void **state) {
    (void)state;
    machine m = zen4();
    m.clock[0] = 3.4e9; /* all compute series: nothing to say */
    given what = usual(&m);
    roof_measurement *out = measure(&what, NULL);
    assert_non_null(out);
    assert_null(condition_with(out, "the clock was"));
    roof_measurement_free(out);
    m = zen4();
    m.clock[0] = 3.4e9;
    m.runs = 25; /* the change comes among them */
    out = measure(&what, NULL);
    assert_non_null(out);
    assert_non_null(condition_with(out, "the clock was between 2.87 and 3.40 GHz"));
    roof_measurement_free(out);
}

static void stopped(void **state) {
    (void)state;
    int stops[] = {1, 2, 10, 25, 40, 60};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        machine m = zen4();
        roof_error error = {0};
        m.stop_at = stops[i];
        given what = usual(&m);
        assert_null(measure(&what, &error));
        assert_non_null(strstr(error.what, "stopped"));
        assert_int_equal(m.told, stops[i]);
    }
}

static void no_memory_ends_it(void **state) {
    (void)state;
    machine m = zen4();
    roof_error error = {0};
    m.no_memory = true;
    given what = usual(&m);
    assert_null(measure(&what, &error));
    assert_int_equal(error.code, ROOF_ENOMEM);
    assert_int_equal(m.runs, 40);
}

/* Whatever allocation fails: an error that says so, and nothing kept. */
static void every_allocation_can_fail(void **state) {
    (void)state;
    size_t nth = 1;
    for (bool failed = true; failed; nth++) {
        machine m = zen4();
        roof_error error = {0};
        given what = usual(&m);
        what.effort = ROOF_EFFORT_QUICK;
        alloc_start(nth);
        roof_measurement *out = measure(&what, &error);
        failed = alloc_failed();
        assert_true(failed == !out);
        if (failed)
            assert_int_equal(error.code, ROOF_ENOMEM);
        roof_measurement_free(out);
        assert_int_equal(alloc_live(), 0);
    }
    assert_true(nth > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roofs_are_the_best_of_each),
        cmocka_unit_test(close_rivals_are_both_timed),
        cmocka_unit_test(roofs_are_of_counted_bytes),
        cmocka_unit_test(windows_outlast_the_caches),
        cmocka_unit_test(budgets_hold),
        cmocka_unit_test(a_full_machine_does_not_take_for_ever),
        cmocka_unit_test(quick_takes_the_widest_only),
        cmocka_unit_test(reported_cache_that_is_not_there),
        cmocka_unit_test(too_little_memory),
        cmocka_unit_test(one_thread),
        cmocka_unit_test(nodes_are_told_apart),
        cmocka_unit_test(limits_bound_memory_and_threads),
        cmocka_unit_test(bad_conditions_are_named),
        cmocka_unit_test(long_lists_are_counted),
        cmocka_unit_test(one_core_that_is_slow_alone_is_named),
        cmocka_unit_test(a_clock_that_drifts_is_named),
        cmocka_unit_test(stopped),
        cmocka_unit_test(no_memory_ends_it),
        cmocka_unit_test(every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
