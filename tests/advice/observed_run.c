/* Runs of a model as observations: which time is which, and what is left out with what words. */
#include "advice/fixtures.h"
#include "roofline_profile.h"

static roof_machine h100;
static roof_model_file *file;
static const roof_model *model;

static int read_model(void **state) {
    (void)state;
    const roof_named_model *named = roof_named_model_find("llama-3.1-8b", NULL);
    file = roof_read_config(named->config, strlen(named->config), NULL, 0, NULL);
    model = roof_model_file_model(file);
    return roof_machine_find("h100-sxm", &h100, NULL, 0, NULL);
}

static int free_model(void **state) {
    (void)state;
    roof_model_file_free(file);
    return 0;
}

static roof_observation times[ROOF_RUN_TIMES];
static char left_out[200];

static size_t observe(roof_model_run run, roof_engine engine) {
    return roof_run_observations(&h100, model, &run, engine, times, left_out, sizeof left_out);
}

static void llama_bench_tells_prefill_and_decode(void **state) {
    (void)state;
    roof_model_run run = {.prompt = 512, .concurrency = 1, .prefill_rate = 10240, .depth = 4096};
    assert_int_equal(observe(run, ROOF_ENGINE_LLAMA_CPP), 1);
    assert_int_equal(times[0].regime, ROOF_REGIME_LLAMA_PREFILL);
    assert_near(times[0].seconds, 0.05, 1e-12);
    assert_exact(times[0].prefix, 4096);
    assert_exact(times[0].plan.prompt, 512);
    run = (roof_model_run){.generate = 128, .concurrency = 1, .decode_rate = 100, .depth = 1000};
    assert_int_equal(observe(run, ROOF_ENGINE_LLAMA_CPP), 1);
    assert_int_equal(times[0].regime, ROOF_REGIME_LLAMA_DECODE);
    assert_near(times[0].seconds, 0.01, 1e-12);
    assert_exact(times[0].plan.context, 1064);
    assert_exact(times[0].prefix, 0);
    run = (roof_model_run){.prompt = 512, .generate = 128, .concurrency = 1, .total_rate = 320};
    assert_int_equal(observe(run, ROOF_ENGINE_LLAMA_CPP), 1);
    assert_int_equal(times[0].regime, ROOF_REGIME_RUN);
    assert_near(times[0].seconds, 2, 1e-12);
}

/* A model that both files of its runs name is one device's work or a group's. */
static void serving_is_what_it_says(void **state) {
    (void)state;
    roof_model_run run = {.prompt = 1024,
                          .generate = 256,
                          .concurrency = 16,
                          .tensor = 2,
                          .ttft = 0.2,
                          .tpot = 0.012,
                          .output_rate = 1200,
                          .weights = "fp8"};
    assert_int_equal(observe(run, ROOF_ENGINE_SERVING), 1);
    assert_string_equal(left_out, "a TTFT with 16 at once has waiting in it");
    assert_int_equal(times[0].regime, ROOF_REGIME_TPOT);
    assert_exact(times[0].seconds, 0.012);
    assert_exact(times[0].plan.batch, 16);
    assert_exact(times[0].plan.tensor, 2);
    assert_int_equal(times[0].plan.weights.dtype, ROOF_FP8);
    run.concurrency = 1;
    assert_int_equal(observe(run, ROOF_ENGINE_SERVING), 2);
    assert_string_equal(left_out, "");
    assert_int_equal(times[0].regime, ROOF_REGIME_PREFILL);
    assert_exact(times[0].seconds, 0.2);
    assert_int_equal(times[1].regime, ROOF_REGIME_DECODE);
    run = (roof_model_run){.prompt = 512, .generate = 128, .concurrency = 8, .output_rate = 512};
    assert_int_equal(observe(run, ROOF_ENGINE_SERVING), 1);
    assert_int_equal(times[0].regime, ROOF_REGIME_RUN);
    assert_near(times[0].seconds, 2, 1e-12);
    run = (roof_model_run){.prompt = 512, .generate = 128, .concurrency = 8, .prefill_rate = 4096, .tpot = 0.01};
    assert_int_equal(observe(run, ROOF_ENGINE_SERVING), 2);
    assert_near(times[0].seconds, 1, 1e-12);
    assert_int_equal(times[1].regime, ROOF_REGIME_DECODE); /* timed apart: nobody else's prefill is in it */
    assert_exact(times[1].plan.batch, 8);
}

static void what_is_not_known_is_not_guessed(void **state) {
    (void)state;
    static const struct {
        roof_model_run run;
        const char *words;
    } cases[] = {
        {{.ttft = 0.1}, "a prefill of unknown length"},
        {{.tpot = 0.01, .concurrency = 1}, "a decode step after an unknown context"},
        {{.tpot = 0.01, .concurrency = 4, .prompt = 10}, "a TPOT without the lengths of prompt and answer"},
        {{.output_rate = 100, .concurrency = 4}, "a throughput without the lengths of prompt and answer"},
        {{.output_rate = 100, .prompt = 10, .generate = 10}, "a throughput of an unknown number of requests at once"},
        {{.prompt = 10}, "no time of a phase"},
        {{.tpot = (double)NAN, .prompt = 10}, "no time of a phase"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(observe(cases[i].run, ROOF_ENGINE_SERVING), 0);
        assert_string_equal(left_out, cases[i].words);
    }
}

/* Times made by the model itself come back with no error. */
static void a_time_of_the_model_is_its_own(void **state) {
    (void)state;
    roof_constants constants;
    roof_time span;
    roof_model_run run = {.prompt = 1024, .generate = 256, .concurrency = 16, .tpot = 0.02};
    assert_int_equal(observe(run, ROOF_ENGINE_SERVING), 1);
    roof_constants_of(&h100, ROOF_ENGINE_SERVING, &constants);
    assert_int_equal(roof_observation_expect(&times[0], &constants, &span, NULL), 0);
    assert_true(span.expected.seconds > span.bound && span.bound > 0);
    run.tpot = span.expected.seconds;
    assert_int_equal(observe(run, ROOF_ENGINE_SERVING), 1);
    assert_exact(times[0].seconds, span.expected.seconds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(llama_bench_tells_prefill_and_decode),
        cmocka_unit_test(serving_is_what_it_says),
        cmocka_unit_test(what_is_not_known_is_not_guessed),
        cmocka_unit_test(a_time_of_the_model_is_its_own),
    };
    return cmocka_run_group_tests(tests, read_model, free_model);
}
