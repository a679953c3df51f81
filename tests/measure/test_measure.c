/* roof_measure() on this machine: a quick run, stopped runs, and what it does not accept. How fast the machine is, is
 * not tested: others may use it. */
#include <sched.h>
#include <stdlib.h>

#include "test.h"

#include "alloc/alloc.h"
#include "measure/rig.h"
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
    if (figure->origin == ROOF_UNKNOWN)
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
    assert_int_equal(machine->peak[ROOF_VECTOR][ROOF_F64].origin, ROOF_MEASURED);
    assert_int_equal(machine->peak[ROOF_VECTOR][ROOF_F32].origin, ROOF_MEASURED);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(threads_without_memory),
        cmocka_unit_test(a_stopped_run),
        cmocka_unit_test(a_quick_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
