/* roof_measure() on this machine: a quick run, stopped runs, and what it does not accept. How fast the machine is, is
 * not tested: others may use it. */
#include <sched.h>
#include <stdlib.h>

#include "test.h"

#include "alloc/alloc.h"
#include "measure/plan/rig.h"
#include "roofline_measure.h"

typedef struct watcher {
    int told, stop_at;
    double done;
} watcher;

static int watch(void *context, double done, const char *what) {
    watcher *at = context;
    assert_true(done >= at->done && done <= 1);
    assert_true(strlen(what) > 0);
    at->done = done;
    return ++at->told == at->stop_at;
}

static void check_figure(const roof_figure *figure) {
    if (figure->origin == ROOF_ORIGIN_UNKNOWN)
        return;
    assert_true(figure->value > 0 && figure->value < HUGE_VAL);
    assert_non_null(figure->source);
}

static void check_machine(const roof_machine *machine, int threads) {
    assert_string_equal(machine->id, "this");
    assert_exact(machine->units.value, threads);
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++)
            check_figure(&machine->peak[unit][dtype]);
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++) {
        check_figure(&machine->bandwidth[level]);
        check_figure(&machine->size[level]);
    }
    assert_int_equal(machine->peak[ROOF_VECTOR][ROOF_F64].origin, ROOF_ORIGIN_MEASURED);
    assert_int_equal(machine->peak[ROOF_VECTOR][ROOF_F32].origin, ROOF_ORIGIN_MEASURED);
}

static void check_sample(const roof_sample *sample, int threads) {
    assert_true(sample->value > 0 && sample->value < HUGE_VAL);
    assert_true(sample->threads == 1 || sample->threads == threads);
    assert_true(sample->window_count > 0);
    assert_non_null(sample->windows);
    assert_true(sample->moved >= 1 && sample->moved <= 2);
    if (roof_pattern_is_time(sample->pattern))
        assert_true(sample->value <= sample->median && sample->best <= sample->value);
    else
        assert_true(sample->value >= sample->median && sample->best >= sample->value);
}

static void a_quick_run(void **state) {
    (void)state;
    cpu_set_t before, after;
    watcher at = {0};
    roof_measure_options options = {.effort = ROOF_EFFORT_QUICK, .progress = watch, .context = &at, .memory = 512e6};
    roof_error error = {0};
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    roof_measurement *out = roof_measure(&options, &error);
    if (!out)
        fail_msg("%s", error.what);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
    assert_string_equal(out->effort, "quick");
    assert_true(at.told > 10);
    assert_true(out->threads >= 1 && out->threads <= out->cores);
    check_machine(&out->machine, out->threads);
    check_machine(&out->one, 1);
    for (size_t i = 0; i < out->sample_count; i++)
        check_sample(&out->samples[i], out->threads);
    /* Nothing that is wrong everywhere may be said of this CPU. */
    for (size_t i = 0; i < out->condition_count; i++)
        assert_null(strstr(out->conditions[i].what, "computed wrongly"));
    roof_measurement_free(out);
}

static void a_stopped_run(void **state) {
    (void)state;
    static const int stops[] = {1, 2, 6};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        watcher at = {.stop_at = stops[i]};
        roof_measure_options options = {.effort = ROOF_EFFORT_QUICK, .threads = 1, .progress = watch, .context = &at};
        roof_error error = {0};
        assert_null(roof_measure(&options, &error));
        assert_non_null(strstr(error.what, "stopped"));
        assert_int_equal(at.told, stops[i]);
    }
}

static void what_is_refused(void **state) {
    (void)state;
    const roof_measure_options refused[] = {
        {.threads = -1}, {.memory = -1}, {.memory = (double)NAN}, {.effort = (roof_effort)7}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        roof_error error = {0};
        assert_null(roof_measure(&refused[i], &error));
        assert_int_equal(error.code, ROOF_EARGUMENT);
    }
    roof_error error = {0};
    assert_null(roof_measure(&(roof_measure_options){.device = "abacus:0"}, &error));
    assert_true(strlen(error.what) > 0);
    roof_measurement_free(NULL);
}

static void threads_without_memory(void **state) {
    (void)state;
    static host here;
    host_read("", &here);
    for (size_t nth = 1;; nth++) {
        roof_error error = {0};
        alloc_start(nth);
        cpu_rig *rig = rig_start(&here, 1, &error);
        bool failed = alloc_failed();
        assert_true(failed == !rig);
        rig_stop(rig);
        assert_int_equal(alloc_live(), 0);
        if (!failed)
            break;
        assert_int_equal(error.code, ROOF_ENOMEM);
    }
    alloc_start(0);
}

/* ---- what a series says against a stopwatch: within a factor of 1.6, since others may use the machine ---- */

typedef struct stopwatch {
    compute_state state;
    stream_args args;
    _Alignas(64) unsigned char array[3][16384];
} stopwatch;

/* The best of many runs of about 40 microseconds: seconds of one unit. */
static double best_unit(const window_series *series, stopwatch *at) {
    time_source time = time_monotonic();
    const uint64_t units = series->compute ? 1000 : 20;
    double best = HUGE_VAL;
    if (series->compute)
        compute_prepare(series->compute, &at->state);
    at->args = (stream_args){.a = at->array[0], .b = at->array[1], .c = at->array[2], .bytes = 4096, .passes = units};
    for (int i = 0; i < 400; i++) {
        double start = time.now(time.context);
        if (series->compute)
            series->compute->run(&at->state, units);
        else
            series->stream->run(&at->args);
        double seconds = (time.now(time.context) - start) / (double)units;
        best = seconds > 0 ? fmin(best, seconds) : best;
    }
    return best;
}

static void check_against_stopwatch(const series_bench *bench, const window_series *series, double amount) {
    static stopwatch at;
    static const window_policy brief = {
        .window = 40e-6, .warm = 0.002, .round = 0.01, .least = 0.02, .most = 0.1, .agree = 0.01, .percentile = 0.95};
    double ratio = 0;
    for (int tries = 0; tries < 20 && !(ratio > 1 / 1.6 && ratio < 1.6); tries++) {
        roof_sample out = {0};
        roof_error error = {0};
        if (bench->run(bench->context, series, &brief, &out, &error))
            fail_msg("%s", error.what);
        free((void *)(uintptr_t)out.windows);
        ratio = out.best * best_unit(series, &at) / amount;
    }
    if (!(ratio > 1 / 1.6 && ratio < 1.6))
        fail_msg("%s: %.2f times the stopwatch", series->compute ? series->compute->name : series->stream->name, ratio);
}

static const compute_kernel *first_compute(const host *here) {
    const compute_kernel *kernel = NULL;
    for (size_t i = 0; (kernel = compute_kernel_at(i)) && (kernel->needs & ~here->features); i++)
        continue;
    return kernel;
}

static const stream_kernel *first_stream(const host *here, roof_pattern pattern) {
    const stream_kernel *kernel = NULL;
    for (size_t i = 0; (kernel = stream_kernel_at(i)); i++)
        if (kernel->pattern == pattern && !(kernel->needs & ~here->features))
            return kernel;
    return kernel;
}

static void rates_are_of_the_work_that_is_done(void **state) {
    (void)state;
    static host here;
    static const roof_pattern patterns[] = {ROOF_PATTERN_LOAD, ROOF_PATTERN_COPY, ROOF_PATTERN_TRIAD,
                                            ROOF_PATTERN_UPDATE};
    host_read("", &here);
    cpu_rig *rig = rig_start(&here, 1, NULL);
    assert_non_null(rig);
    series_bench bench = rig_bench(rig);
    window_series series = {.level = ROOF_L1, .threads = 1, .from_node = -1, .to_node = -1};
    series.compute = first_compute(&here);
    series.pattern = series.compute->pattern;
    check_against_stopwatch(&bench, &series, compute_flops(series.compute));
    series.compute = NULL;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        series.stream = first_stream(&here, series.pattern = patterns[i]);
        series.set = 4096.0 * series.stream->arrays;
        check_against_stopwatch(&bench, &series, 4096.0 * stream_counted(series.stream));
    }
    rig_stop(rig);
}

/* A load that waits for the one before takes three cycles at least on every CPU; in a build for debugging more. */
static void a_chase_counts_every_load(void **state) {
    (void)state;
    static host here;
    static const window_policy brief = {
        .window = 60e-6, .warm = 0.002, .round = 0.01, .least = 0.02, .most = 0.1, .agree = 0.01, .percentile = 0.95};
    host_read("", &here);
    cpu_rig *rig = rig_start(&here, 1, NULL);
    assert_non_null(rig);
    series_bench bench = rig_bench(rig);
    double off = MULTIPLY_CYCLES ? bench.multiply_cycles(bench.context) / MULTIPLY_CYCLES - 1 : 1, cycles = 0;
    window_series series = {
        .pattern = ROOF_PATTERN_CHASE, .level = ROOF_L1, .threads = 1, .set = 8192, .from_node = -1, .to_node = -1};
    for (int tries = 0; tries < 20 && fabs(off) < 0.02 && !(cycles > 2.9); tries++) {
        roof_sample out = {0};
        assert_int_equal(bench.run(bench.context, &series, &brief, &out, NULL), 0);
        free((void *)(uintptr_t)out.windows);
        cycles = out.best * out.clock;
    }
    rig_stop(rig);
    if (fabs(off) >= 0.02)
        skip(); /* no clock: an emulator, or a busy machine */
    if (!(cycles > 2.9))
        fail_msg("a load takes %.2f cycles", cycles);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(threads_without_memory),
        cmocka_unit_test(rates_are_of_the_work_that_is_done),
        cmocka_unit_test(a_chase_counts_every_load),
        cmocka_unit_test(a_stopped_run),
        cmocka_unit_test(a_quick_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
