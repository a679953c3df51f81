/* Devices measured on a pretended CUDA driver (fake_cuda.c), which executes the PTX and knows its own true roofs. */
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "fake_cuda.h"
#include "measure/device/device.h"
#include "test.h"

static fake_cuda_state *fake;
static void *library;

static double simulated(void *context) {
    return ((const fake_cuda_state *)context)->clock;
}

/* A GPU whose roofs are round numbers, small enough to be interpreted. */
static void reset(int capability) {
    *fake = (fake_cuda_state){
        .devices = 1,
        .capability = capability,
        .memory = 4e9,
        .shared = 16e9,
        .link = 2e9,
        .launch = 4e-6,
        .clock = 100,
        .rate = {[FAKE_F32] = 1e9,
                 [FAKE_F64] = 0.5e9,
                 [FAKE_F16] = 2e9,
                 [FAKE_INT32] = 0.8e9,
                 [FAKE_DOT] = 4e9,
                 [FAKE_BF16_TILE] = 16e9,
                 [FAKE_F16_TILE] = 15e9,
                 [FAKE_HALF_TILE] = 30e9,
                 [FAKE_TF32_TILE] = 8e9,
                 [FAKE_F64_TILE] = 1e9,
                 [FAKE_INT8_TILE] = 32e9,
                 [FAKE_FP8_TILE] = 31e9},
    };
}

static roof_measurement *measure_with(roof_measure_options options, roof_error *error) {
    device_backend backend = device_cuda;
    time_source time = {simulated, fake};
    backend.library = FAKE_CUDA;
    options.effort = ROOF_EFFORT_QUICK;
    if (options.memory == 0)
        options.memory = 12 << 20;
    return measure_backend(&backend, 0, &time, &options, error);
}

static roof_measurement *measure(roof_error *error) {
    return measure_with((roof_measure_options){0}, error);
}

static void assert_clean(void) {
    assert_string_equal(fake->complaint, "");
    assert_int_equal(fake->contexts, 0);
    assert_int_equal(fake->modules, 0);
    assert_int_equal(fake->buffers, 0);
    assert_int_equal(fake->pinned, 0);
    assert_int_equal(fake->events, 0);
}

/* A roof is never above the truth, and little below. */
static void assert_roof(const roof_figure *roof, double truth, const char *name) {
    if (roof->origin != ROOF_ORIGIN_MEASURED || !(roof->value <= truth * (1 + 1e-6)) || !(roof->value >= 0.97 * truth))
        fail_msg("%s is %g (origin %d), not %g", name, roof->value, roof->origin, truth);
    assert_non_null(strstr(roof->source, "by CUDA: "));
}

static const struct {
    roof_unit unit;
    roof_dtype dtype;
    int class;
} peaks[] = {
    {ROOF_VECTOR, ROOF_F32, FAKE_F32},      {ROOF_VECTOR, ROOF_F64, FAKE_F64},
    {ROOF_VECTOR, ROOF_F16, FAKE_F16},      {ROOF_VECTOR, ROOF_INT32, FAKE_INT32},
    {ROOF_VECTOR, ROOF_INT8, FAKE_DOT},     {ROOF_MATRIX, ROOF_BF16, FAKE_BF16_TILE},
    {ROOF_MATRIX, ROOF_F16, FAKE_F16_TILE}, {ROOF_MATRIX, ROOF_TF32, FAKE_TF32_TILE},
    {ROOF_MATRIX, ROOF_F64, FAKE_F64_TILE}, {ROOF_MATRIX, ROOF_INT8, FAKE_INT8_TILE},
    {ROOF_MATRIX, ROOF_FP8, FAKE_FP8_TILE},
};
enum { PEAKS = sizeof peaks / sizeof peaks[0] };

static bool has_condition(const roof_measurement *measured, const char *what, const char *cause) {
    for (size_t i = 0; i < measured->condition_count; i++)
        if (strstr(measured->conditions[i].what, what) && strstr(measured->conditions[i].cause, cause))
            return true;
    return false;
}

static const roof_sample *sample_of(const roof_measurement *measured, roof_pattern pattern) {
    for (size_t i = 0; i < measured->sample_count; i++)
        if (measured->samples[i].pattern == pattern)
            return &measured->samples[i];
    return NULL;
}

/* The FLOPs and bytes of our tables against those the driver counted, instruction by instruction. */
static void test_roofs_are_true(void **state) {
    (void)state;
    reset(89);
    roof_error error;
    roof_measurement *measured = measure(&error);
    if (!measured)
        fail_msg("%s", error.what);
    assert_string_equal(fake->complaint, "");
    for (int i = 0; i < PEAKS; i++)
        assert_roof(&measured->machine.peak[peaks[i].unit][peaks[i].dtype], fake->rate[peaks[i].class],
                    roof_dtype_name(peaks[i].dtype));
    assert_roof(&measured->machine.narrow[ROOF_F16], fake->rate[FAKE_HALF_TILE], "narrow f16");
    assert_roof(&measured->machine.bandwidth[ROOF_DRAM], fake->memory, "DRAM");
    assert_roof(&measured->machine.bandwidth[ROOF_L1], fake->shared, "shared memory");
    assert_roof(&measured->machine.host_link, fake->link, "host link");
    assert_near(measured->machine.launch.value, fake->launch, 0.01);
    assert_string_equal(measured->machine.id, "this-cuda-0");
    assert_string_equal(measured->machine.name, "Pretended GPU 0");
    assert_string_equal(measured->machine.scope, "GPU");
    assert_exact(measured->machine.size[ROOF_DRAM].value, 256 << 20);
    assert_int_equal(measured->machine.bandwidth[ROOF_L2].origin, ROOF_ORIGIN_UNKNOWN);
    assert_true(has_condition(measured, "never run", ""));
    assert_int_equal(measured->condition_count, 1);
    assert_int_equal(measured->sample_count,
                     3 + PEAKS + 1 + 1 + 1 + 2); /* memory, peaks, narrow, shared, launch, transfers */
    roof_measurement_free(measured);
    assert_clean();
}

static void test_samples_hold_their_windows(void **state) {
    (void)state;
    reset(75);
    roof_error error;
    roof_measurement *measured = measure(&error);
    assert_non_null(measured);
    const roof_sample *copy = sample_of(measured, ROOF_PATTERN_COPY),
                      *launch = sample_of(measured, ROOF_PATTERN_LAUNCH);
    assert_non_null(copy);
    assert_string_equal(copy->isa, "cuda");
    assert_true(copy->window_count >= 3 && copy->windows);
    assert_true(copy->best >= copy->value && copy->value >= copy->median);
    assert_exact(copy->set_bytes, 2 * (4 << 20));
    assert_true(launch->value <= launch->median && launch->best <= launch->value);
    /* Turing has no mma.sync of these shapes: no matrix roof is made up. */
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        assert_int_equal(measured->machine.peak[ROOF_MATRIX][i].origin, ROOF_ORIGIN_UNKNOWN);
    roof_measurement_free(measured);
    assert_clean();
}

/* From Hopper on mma.sync is not the peak: samples, but no roofs. */
static void test_matrix_of_hopper_is_no_roof(void **state) {
    (void)state;
    reset(90);
    roof_error error;
    roof_measurement *measured = measure(&error);
    assert_non_null(measured);
    size_t tiles = 0;
    for (size_t i = 0; i < measured->sample_count; i++)
        tiles += measured->samples[i].unit == ROOF_MATRIX;
    assert_int_equal(tiles, 7);
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++) {
        assert_int_equal(measured->machine.peak[ROOF_MATRIX][i].origin, ROOF_ORIGIN_UNKNOWN);
        assert_int_equal(measured->machine.narrow[i].origin, ROOF_ORIGIN_UNKNOWN);
    }
    assert_true(has_condition(measured, "matrix samples are not roofs", "mma.sync"));
    roof_measurement_free(measured);
    assert_clean();
}

/* Arithmetic that is off by one leaves its own roof out, and no other. */
static void test_wrong_results_leave_the_roof_out(void **state) {
    (void)state;
    for (int bad = 0; bad < PEAKS - 1; bad += 4) {
        reset(peaks[bad].unit == ROOF_MATRIX ? 80 : 61);
        fake->wrong = 1 + peaks[bad].class;
        roof_error error;
        roof_measurement *measured = measure(&error);
        assert_non_null(measured);
        for (int i = 0; i < PEAKS - 1; i++) {
            const roof_figure *roof = &measured->machine.peak[peaks[i].unit][peaks[i].dtype];
            bool there = i != bad && (peaks[i].unit == ROOF_VECTOR || peaks[bad].unit == ROOF_MATRIX);
            assert_int_equal(roof->origin, there ? ROOF_ORIGIN_MEASURED : ROOF_ORIGIN_UNKNOWN);
        }
        assert_true(has_condition(measured, "was not measured", "computes wrongly"));
        roof_measurement_free(measured);
        assert_clean();
    }
}

/* Events in seconds instead of milliseconds: a thousandth of the time would be a roof a thousand times too high. */
static void test_a_clock_that_lies_is_not_believed(void **state) {
    (void)state;
    reset(61);
    fake->lying_events = 1;
    roof_error error;
    roof_measurement *measured = measure(&error);
    assert_non_null(measured);
    assert_roof(&measured->machine.peak[ROOF_VECTOR][ROOF_F32], fake->rate[FAKE_F32], "f32");
    assert_roof(&measured->machine.bandwidth[ROOF_DRAM], fake->memory, "DRAM");
    assert_true(has_condition(measured, "host's clock", "contradict"));
    assert_int_equal(measured->condition_count, 2); /* said once */
    roof_measurement_free(measured);
    assert_clean();
}

static void test_a_module_that_does_not_load_is_named(void **state) {
    (void)state;
    reset(80);
    fake->bad_ptx = 1;
    roof_error error;
    roof_measurement *measured = measure(&error);
    assert_non_null(measured);
    assert_true(has_condition(measured, "bf16 mma m16n8k16 was not measured", "ptxas error   : Unknown modifier"));
    assert_int_equal(measured->machine.peak[ROOF_MATRIX][ROOF_BF16].origin, ROOF_ORIGIN_UNKNOWN);
    assert_int_equal(measured->machine.peak[ROOF_VECTOR][ROOF_F32].origin, ROOF_ORIGIN_MEASURED);
    roof_measurement_free(measured);
    assert_clean();
}

static void assert_not_above(const roof_figure *roof, double truth) {
    if (roof->origin != ROOF_ORIGIN_UNKNOWN)
        assert_true(roof->value > 0 && roof->value <= truth * (1 + 1e-6));
}

/* The device is lost at any call: everything is given back, no roof is wrong, and who asks is told. */
static void test_a_lost_device(void **state) {
    (void)state;
    long n = 1;
    for (bool whole = false; !whole; n += n < 30 ? 1 : n / 2) {
        reset(50);
        fake->fail_at = n;
        roof_error error = {0};
        roof_measurement *measured = measure(&error);
        whole = fake->calls < n;
        if (measured) {
            for (int i = 0; i < PEAKS; i++)
                assert_not_above(&measured->machine.peak[peaks[i].unit][peaks[i].dtype], fake->rate[peaks[i].class]);
            assert_not_above(&measured->machine.bandwidth[ROOF_DRAM], fake->memory);
            assert_not_above(&measured->machine.bandwidth[ROOF_L1], fake->shared);
            assert_not_above(&measured->machine.host_link, fake->link);
            if (measured->machine.launch.origin)
                assert_true(measured->machine.launch.value >= fake->launch * (1 - 1e-6));
            assert_true(whole || has_condition(measured, "was not measured", "CUDA failed to "));
        } else {
            assert_true(error.code != ROOF_OK && error.what[0]);
        }
        roof_measurement_free(measured);
        assert_clean();
    }
    assert_true(n > 500);
}

static void test_no_library_and_no_device(void **state) {
    (void)state;
    device_facts facts;
    device_backend backend = device_cuda;
    roof_error error;
    backend.library = "libno-such-driver.so.1";
    assert_int_equal(backend.find(&backend, 0, &facts), -1);
    assert_null(backend.open(&backend, 0, &error));
    assert_non_null(strstr(error.what, "libno-such-driver.so.1 is missing"));
    backend.library = "libm.so.6"; /* a library without the functions */
    assert_int_equal(backend.find(&backend, 0, &facts), -1);
    reset(80);
    fake->devices = 2;
    backend.library = FAKE_CUDA;
    assert_int_equal(backend.find(&backend, 1, &facts), 0);
    assert_string_equal(facts.device.id, "cuda:1");
    assert_true(facts.device.untried && !facts.device.is_cpu);
    assert_string_equal(facts.device.driver, "CUDA 12.4");
    assert_int_equal(backend.find(&backend, 2, &facts), -1);
    fake->devices = 0;
    assert_int_equal(backend.find(&backend, 0, &facts), -1);
    assert_null(measure(&error));
    assert_int_equal(error.code, ROOF_ENOTFOUND);
    assert_clean();
}

static int stop_after_three(void *context, double done, const char *what) {
    int *calls = context;
    assert_true(done >= 0 && done < 1 && what[0]);
    return ++*calls > 3;
}

static void test_progress_stops_it(void **state) {
    (void)state;
    reset(80);
    int calls = 0;
    roof_error error;
    assert_null(measure_with((roof_measure_options){.progress = stop_after_three, .context = &calls}, &error));
    assert_int_equal(calls, 4);
    assert_non_null(strstr(error.what, "stopped"));
    assert_clean();
}

static void test_too_little_memory(void **state) {
    (void)state;
    reset(80);
    roof_error error;
    assert_null(measure_with((roof_measure_options){.memory = 6 << 20}, &error));
    assert_int_equal(error.code, ROOF_EARGUMENT);
    assert_non_null(strstr(error.what, "12 MiB"));
    assert_clean();
}

/* FLOPs as data: the loop of every compute kernel holds chains * steps instructions, and no other arithmetic. */
static void test_ptx_loops_hold_what_the_table_says(void **state) {
    (void)state;
    const device_kernel *kernel;
    size_t checked = 0;
    for (size_t i = 0; (kernel = cuda_kernel_at(i)) != NULL; i++) {
        const char *loop = strstr(kernel->text, "LOOP:"), *end = loop ? strstr(loop, "bra LOOP") : NULL;
        if (!roof_pattern_is_compute(kernel->pattern))
            continue;
        assert_non_null(end);
        const char *name = kernel->unit == ROOF_MATRIX   ? "\nmma.sync."
                           : kernel->dtype == ROOF_INT8  ? "\ndp4a."
                           : kernel->dtype == ROOF_INT32 ? "\nmad.lo.u32"
                                                         : "\nfma.rn.";
        int found = 0, lines = 0;
        for (const char *at = loop; (at = strchr(at, '\n')) != NULL && at < end; at++) {
            found += strncmp(at, name, strlen(name)) == 0;
            lines++;
        }
        assert_int_equal(found, kernel->chains * kernel->steps);
        assert_int_equal(lines, found + 3); /* add, setp, bra */
        int m = 0, n = 0, k = 0;
        double flops = kernel->dtype == ROOF_INT8 ? 8 : 2.0 * kernel->lanes; /* of one instruction of one work item */
        if (kernel->unit == ROOF_MATRIX) {
            assert_int_equal(sscanf(strstr(loop, "aligned."), "aligned.m%dn%dk%d", &m, &n, &k), 3);
            assert_int_equal(k, kernel->terms);
            flops = 2.0 * m * n * k / 32;
        }
        assert_exact(kernel->work, flops * found);
        checked++;
    }
    assert_int_equal(checked, 12);
}

int main(void) {
    library = dlopen(FAKE_CUDA, RTLD_NOW);
    fake = library ? dlsym(library, "fake_cuda") : NULL;
    if (!fake)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roofs_are_true),
        cmocka_unit_test(test_samples_hold_their_windows),
        cmocka_unit_test(test_matrix_of_hopper_is_no_roof),
        cmocka_unit_test(test_wrong_results_leave_the_roof_out),
        cmocka_unit_test(test_a_clock_that_lies_is_not_believed),
        cmocka_unit_test(test_a_module_that_does_not_load_is_named),
        cmocka_unit_test(test_a_lost_device),
        cmocka_unit_test(test_no_library_and_no_device),
        cmocka_unit_test(test_progress_stops_it),
        cmocka_unit_test(test_too_little_memory),
        cmocka_unit_test(test_ptx_loops_hold_what_the_table_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
