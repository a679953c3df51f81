/* OpenCL on whatever implementation is installed (PoCL in the usual build), and without any. */
#include <math.h>
#include <string.h>

#include "measure/device/device.h"
#include "test.h"

static bool has_device(void) {
    device_facts facts;
    return device_opencl.find(&device_opencl, 0, &facts) == 0;
}

static void test_absent_library(void **state) {
    (void)state;
    device_backend backend = device_opencl;
    device_facts facts;
    roof_error error;
    backend.library = "libno-such-loader.so.1";
    assert_int_equal(backend.find(&backend, 0, &facts), -1);
    assert_null(backend.open(&backend, 0, &error));
    assert_true(error.code == ROOF_ENOTFOUND || error.code == ROOF_EUNSUPPORTED);
    backend.library = "libm.so.6"; /* a library, but not this one */
    assert_int_equal(backend.find(&backend, 0, &facts), -1);
}

static void test_ids(void **state) {
    (void)state;
    static const char *const bad[] = {"",          "opencl",          "opencl:",    "opencl:x",
                                      "opencl:-1", "opencl:12345678", "opencl:999", "vulkan:0"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        roof_error error = {0};
        assert_null(measure_device(bad[i], NULL, &error));
        assert_int_equal(error.code, ROOF_ENOTFOUND);
        assert_non_null(strstr(error.what, bad[i]));
        assert_true(error.hint[0] != '\0');
    }
    roof_device one;
    assert_int_equal(roof_device_at(1000, &one), -1);
    if (!has_device())
        skip();
    assert_int_equal(roof_device_at(0, &one), 0);
    assert_string_equal(one.id, "opencl:0");
    assert_true(one.name[0] && !one.untried);
}

/* FLOPs as data against the names of the types: "float8" has 8 lanes, an fma 2 FLOPs. */
static void test_table(void **state) {
    (void)state;
    const device_kernel *kernel;
    for (size_t i = 0; (kernel = opencl_kernel_at(i)) != NULL; i++) {
        if (!roof_pattern_is_compute(kernel->pattern))
            continue;
        char type[16];
        int chains, steps, lanes = 1;
        assert_int_equal(sscanf(kernel->options, "-D T=%15s -D S=%*s -D CHAINS=%d -D STEPS=%d", type, &chains, &steps),
                         3);
        sscanf(type + strcspn(type, "0123456789"), "%d", &lanes);
        assert_int_equal(lanes, kernel->lanes);
        assert_int_equal(chains, kernel->chains);
        assert_int_equal(steps, kernel->steps);
        assert_exact(kernel->work, (kernel->pattern == ROOF_PATTERN_DOT ? 8.0 : 2.0) * lanes * chains * steps);
    }
}

static const roof_figure *peak(const roof_measurement *measured, roof_dtype dtype) {
    return &measured->machine.peak[ROOF_VECTOR][dtype];
}

static void test_measure(void **state) {
    (void)state;
    if (!has_device())
        skip();
    roof_error error = {0};
    roof_measure_options options = {.effort = ROOF_EFFORT_QUICK, .memory = 3 * (96 << 20)};
    roof_measurement *measured = measure_device("opencl:0", &options, &error);
    if (!measured)
        fail_msg("%s", error.what);
    assert_string_equal(measured->machine.id, "this-opencl-0");
    assert_int_equal(measured->machine.peak[ROOF_MATRIX][ROOF_F16].origin, ROOF_ORIGIN_UNKNOWN);
    assert_int_equal(peak(measured, ROOF_F32)->origin, ROOF_ORIGIN_MEASURED);
    assert_non_null(strstr(peak(measured, ROOF_F32)->source, "by OpenCL: f32 fma, float"));
    assert_true(peak(measured, ROOF_F32)->value > 1e7 && peak(measured, ROOF_F32)->value < 1e16);
    assert_int_equal(peak(measured, ROOF_INT32)->origin, ROOF_ORIGIN_MEASURED);
    assert_int_equal(measured->machine.bandwidth[ROOF_L1].origin, ROOF_ORIGIN_MEASURED);
    assert_int_equal(measured->machine.launch.origin, ROOF_ORIGIN_MEASURED);
    for (size_t i = 0; i < measured->sample_count; i++) {
        const roof_sample *sample = &measured->samples[i];
        assert_string_equal(sample->isa, "opencl");
        assert_true(isfinite(sample->value) && sample->value > 0 && sample->window_count >= 3 && sample->windows);
        if (!roof_pattern_is_time(sample->pattern))
            assert_true(sample->best >= sample->value && sample->value >= sample->median);
    }
    roof_measurement_free(measured);
}

static device *opened(void) {
    roof_error error;
    device *at = has_device() ? device_opencl.open(&device_opencl, 0, &error) : NULL;
    if (!at)
        skip();
    return at;
}

/* The first line of the driver's log, not a crash and not an empty excuse. */
static void test_build_errors(void **state) {
    (void)state;
    device *at = opened();
    roof_error error = {0};
    device_kernel broken = {.name = "compute",
                            .label = "broken",
                            .text = "kernel void compute(global int *a) { a[0] = nonsense; }\n",
                            .options = ""};
    assert_null(device_opencl.build(at, &broken, &error));
    assert_non_null(strstr(error.what, "OpenCL cannot build the kernel 'broken': "));
    assert_null(strchr(error.what, '\n'));
    device_kernel other = {.name = "absent",
                           .label = "other",
                           .text = "kernel void compute(global int *a) { a[0] = 1; }\n",
                           .options = ""};
    assert_null(device_opencl.build(at, &other, &error));
    assert_non_null(strstr(error.what, "OpenCL failed to make a kernel: "));
    device_opencl.close(at);
}

static void test_memory_errors(void **state) {
    (void)state;
    device *at = opened();
    roof_error error = {0};
    char bytes[16] = "0123456789abcde", back[16] = "";
    void *memory = device_opencl.buffer(at, 32, &error);
    assert_non_null(memory);
    assert_int_equal(device_opencl.move(at, memory, 16, bytes, 16, true, NULL, &error), 0);
    assert_int_equal(device_opencl.move(at, memory, 16, back, 16, false, NULL, &error), 0);
    assert_memory_equal(bytes, back, 16);
    assert_int_equal(device_opencl.move(at, memory, 24, bytes, 16, true, NULL, &error), -1);
    assert_non_null(strstr(error.what, "OpenCL failed to write to the device: "));
    device_opencl.release(at, memory);
    assert_null(device_opencl.buffer(at, (size_t)1 << 60, &error));
    assert_non_null(strstr(error.what, "OpenCL failed to get device memory: "));
    device_opencl.close(at);
}

/* A proof that accepts anything proves nothing: right results pass, each single wrong element does not. */
static void test_proofs_can_fail(void **state) {
    (void)state;
    const device_kernel kernel = {.pattern = ROOF_PATTERN_FMA, .dtype = ROOF_F32, .lanes = 2, .chains = 2, .steps = 4};
    enum { ITEMS = 8 };
    float x[2], y[2], a[ITEMS * 2], b[PROOF_BYTES / sizeof(float)];
    for (int set = 0; set < PROOF_SETS; set++) {
        proof_fill(&kernel, set, b);
        memcpy(x, b, sizeof x);
        memcpy(y, b + 2, sizeof y);
        for (int i = 0; i < ITEMS * 2; i++) {
            a[i] = 0;
            for (int k = 0; k < 2; k++) {
                float r = (float)((i / 2 & 3) + k);
                for (int u = 0; u < 4 * (int)proof_iterations(set); u++)
                    r = r * x[i % 2] + y[i % 2];
                a[i] += r;
            }
        }
        assert_true(proof_holds(&kernel, set, proof_iterations(set), 64, a, ITEMS));
        if (x[0] == 1 || x[1] == 1) /* the set that counts the updates; the others show that x counts */
            assert_false(proof_holds(&kernel, set, proof_iterations(set) + 1, 64, a, ITEMS));
        for (int i = 0; i < ITEMS * 2; i++) {
            a[i] += 1;
            assert_false(proof_holds(&kernel, set, proof_iterations(set), 64, a, ITEMS));
            a[i] -= 1;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_absent_library),  cmocka_unit_test(test_ids),
        cmocka_unit_test(test_table),           cmocka_unit_test(test_measure),
        cmocka_unit_test(test_build_errors),    cmocka_unit_test(test_memory_errors),
        cmocka_unit_test(test_proofs_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
