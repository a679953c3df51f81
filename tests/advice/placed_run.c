/* Runs of a model under a machine's roofs. The first numbers are those of a llama-bench result discussed in public
 * (github.com/beehive-lab/GPULlama3.java/pull/133), worked out by hand. */
#include "advice/fixtures.h"
#include "roofline_profile.h"

static roof_machine machine(const char *id) {
    roof_machine m;
    assert_int_equal(roof_machine_find(id, &m, NULL, 0, NULL), 0);
    return m;
}

static const roof_model_run qwen = {.model = "qwen3 4B F16",
                                    .weights = "F16",
                                    .parameters = 4022468096.0,
                                    .model_bytes = 8044936192.0,
                                    .concurrency = 1,
                                    .tensor = 1,
                                    .line = -1};

static roof_run_verdict place(const char *id, const roof_model *model, roof_model_run run) {
    roof_machine on = machine(id);
    roof_run_verdict out;
    assert_int_equal(roof_judge_run(&on, model, &run, &out, NULL), 0);
    assert_true(strlen(out.diagnosis) < sizeof out.diagnosis && strlen(out.decode.words) < sizeof out.decode.words);
    return out;
}

static void test_decode_from_size(void **state) {
    (void)state;
    roof_model_run run = qwen;
    run.generate = 64;
    run.decode_rate = 35.45;
    roof_run_verdict p = place("rtx-4090", NULL, run);
    assert_true(p.has_decode && !p.has_prefill);
    assert_int_equal(p.decode.limit, ROOF_BOUND_MEMORY);
    assert_near(p.decode.rate, 285.1929880064e9, 1e-12);
    assert_near(p.decode.fraction, 0.2829295515936508, 1e-12);
    assert_near(p.decode.bound, 125.29620819147947, 1e-12);
    assert_near(p.decode.headroom, 125.29620819147947 / 35.45, 1e-12); /* 3.53 */
    assert_near(p.decode.measured, 35.45, 1e-12);
    assert_says(p.decode.words,
                "35.5 tok/s of 125 at the roof (28.3%); 285 GB/s, 28.3% of DRAM's 1.01 TB/s; 8.04 GB per step");
    assert_says(
        p.diagnosis,
        "decode is below the memory roof (28.3% of DRAM's 1.01 TB/s): overhead- or kernel-bound, not memory-bound");
}

/* A token reads a part of such a model: its whole size would make a bound that a good engine beats. */
static void test_experts_by_name(void **state) {
    static const char *const mixtures[] = {"gemma4 26B.A4B BF16", "qwen3moe 30B-A3B Q4_K", "llama 8x7B Q4_0",
                                           "granite MoE 3B"};
    static const char *const dense[] = {"qwen3 4B F16", "llama A100 7B", "MoExample 7B", "a1 8B"};
    (void)state;
    roof_model_run run = qwen;
    run.generate = 64;
    run.decode_rate = 35.45;
    for (size_t i = 0; i < 4; i++) {
        run.model = mixtures[i];
        roof_run_verdict p = place("rtx-4090", NULL, run);
        assert_true(p.has_decode && p.decode.bound <= 0 && p.decode.fraction <= 0);
        assert_says(p.diagnosis, "a mixture of experts by its name: the file does not say how many experts");
        assert_int_equal(p.remedy, ROOF_REMEDY_MODEL);
        assert_says(p.decode.words, "a token reads some of its experts only");
        assert_says(p.decode.words, "so there is no bound");
        assert_null(strstr(p.decode.words, "the size of the model"));
        run.model = dense[i];
        assert_near(place("rtx-4090", NULL, run).decode.bound, 125.29620819147947, 1e-12);
    }
}

static void test_prompt_not_batched(void **state) {
    (void)state;
    roof_model_run run = qwen;
    run.prompt = 128;
    run.prefill_rate = 33.1;
    roof_run_verdict p = place("rtx-4090", NULL, run);
    assert_true(p.has_prefill && !p.has_decode);
    assert_near(p.prefill.attained, 0.2662873879552e12, 1e-12);
    assert_near(p.prefill.compute_fraction, 0.2662873879552 / 165.15, 1e-12);
    assert_says(p.prefill.words, "266 GFLOP/s, 0.2% of the f16 matrix roof");
    /* alone, the rate is below what even one token a pass allows */
    assert_says(p.diagnosis, "the prompt looks not batched: 33.1 tok/s");
    run.decode_rate = 35.45;
    run.generate = 64;
    p = place("rtx-4090", NULL, run);
    assert_says(p.diagnosis,
                "the prompt is not batched: its tokens are processed one at a time (33.1 tok/s beside 35.5 in decode)");
    assert_says(p.diagnosis, "decode is below the memory roof (28.3%");
    run.prefill_rate = 6000; /* a prompt that is */
    p = place("rtx-4090", NULL, run);
    assert_null(strstr(p.diagnosis, "batched"));
    run.prefill_rate = 35.45 * 1.26;
    assert_null(strstr(place("rtx-4090", NULL, run).diagnosis, "batched"));
}

/* 8 G parameters in f32 over 40 GB/s: 1.25 tokens/s at most (vLLM issue 7379). */
static void test_slow_host(void **state) {
    (void)state;
    roof_machine host = {.id = "host", .name = "host"};
    host.peak[ROOF_VECTOR][ROOF_F32] = example_figure(1e12);
    host.bandwidth[ROOF_DRAM] = example_figure(40e9);
    roof_model_run run = {.weights = "F32", .parameters = 8e9, .decode_rate = 1.0};
    roof_run_verdict p;
    assert_int_equal(roof_judge_run(&host, NULL, &run, &p, NULL), 0);
    assert_near(p.decode.bound, 1.25, 1e-12);
    assert_near(p.decode.fraction, 0.8, 1e-12);
    assert_string_equal(p.diagnosis, "");
}

static void test_faster_than_roof(void **state) {
    (void)state;
    roof_model_run run = qwen;
    run.decode_rate = 200; /* 1.6 times the 125.3 */
    roof_run_verdict p = place("rtx-4090", NULL, run);
    assert_true(p.decode.headroom < 1);
    assert_says(p.diagnosis, "decode is 1.60x faster than the roof");
    assert_says(p.diagnosis, "split over 2 or more devices");
    assert_says(p.diagnosis, "speculative decoding that yields 1.60 tokens per step");
    assert_says(p.diagnosis, "weights of 5.04 GB or less");
    run.model_bytes = 100e6; /* a model that the 72 MB of L2 hold most of */
    run.parameters = 50e6;
    run.decode_rate = 15000;
    assert_says(place("rtx-4090", NULL, run).diagnosis, "a good part of the 100 MB may stay in the cache of 75.5 MB");
}

/* llama.cpp sums f16 in f16: 200 TFLOP/s are 1.21 of the f32-accumulate roof, 0.61 of the other. */
/* An untied embedding table is in the file and not read: a few per cent are no mystery. */
static void test_just_above(void **state) {
    (void)state;
    roof_model_run run = qwen;
    run.decode_rate = 1.05 * 125.29620819147947;
    roof_run_verdict p = place("rtx-4090", NULL, run);
    assert_says(p.diagnosis, "an embedding table beside the head, which is not read");
    assert_null(strstr(p.diagnosis, "speculative"));
}

/* The roof of a prefill follows the name of the weights, whatever stands around it. */
static void test_weight_names(void **state) {
    (void)state;
    static const struct {
        const char *weights, *roof;
    } rows[] = {{"F16", "f16 matrix"},
                {"qwen3 4B F16", "f16 matrix"},
                {"Q4_K - Medium", "int8 matrix"},
                {"llama 7B mostly Q4_0", "int8 matrix"},
                {"IQ2_XS", "int8 matrix"},
                {"fp8", "fp8 matrix"},
                {"qwen3", "bf16 matrix"},
                {"", "bf16 matrix"},
                {NULL, "bf16 matrix"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        roof_model_run run = qwen;
        run.prompt = 512;
        run.prefill_rate = 5000;
        run.weights = rows[i].weights;
        assert_says(place("rtx-4090", NULL, run).prefill.words, rows[i].roof);
    }
}

static void test_prefill_above(void **state) {
    (void)state;
    roof_model_run run = qwen;
    run.prompt = 4096;
    run.prefill_rate = 200e12 / (2 * 4022468096.0);
    roof_run_verdict p = place("rtx-4090", NULL, run);
    assert_near(p.prefill.fraction, 200 / 165.15, 1e-9);
    assert_says(p.diagnosis,
                "prefill is 1.21x faster than the roof; with f16 sums the roof is 330 TFLOP/s, of which this is 60.6%");
}

static void test_missing_size(void **state) {
    (void)state;
    roof_model_run run = {.model = "?", .decode_rate = 50};
    roof_run_verdict p = place("rtx-4090", NULL, run);
    assert_exact(p.decode.bound, 0);
    assert_exact(p.decode.fraction, 0);
    assert_near(p.decode.measured, 50, 1e-12);
    assert_says(p.diagnosis, "the model's size is unknown");
    assert_says(p.decode.words, "the model's size is unknown");
    run = qwen;
    p = place("rtx-4090", NULL, run);
    assert_false(p.has_decode || p.has_prefill);
    assert_says(p.diagnosis, "states no rate");
}

/* 64 requests: a step of the dense 8 GB model reads it once for all of them. */
static void test_serving(void **state) {
    (void)state;
    roof_model_run run = qwen;
    run.concurrency = 64;
    run.prompt = 1000;
    run.generate = 200;
    run.tpot = 16e-3; /* 7.98 ms at the roof */
    run.output_rate = 3900;
    run.ttft = 0.1;
    roof_run_verdict p = place("rtx-4090", NULL, run);
    assert_near(p.decode.measured, 64 / 16e-3, 1e-12);
    assert_near(p.decode.least_seconds, 8044936192.0 / 1.008e12, 1e-12);
    assert_near(p.decode.bound, 64 * 125.29620819147947, 1e-12);
    assert_near(p.prefill.measured, 1000 / 0.1, 1e-12);
    assert_int_equal(p.prefill.limit, ROOF_BOUND_COMPUTE);
    assert_near(p.prefill.least_seconds, 2 * 4022468096.0 * 1000 / 165.15e12, 1e-12);
    assert_says(p.prefill.words, "from the TTFT of 100 ms, waiting included");
    assert_null(strstr(p.diagnosis, "output is")); /* 3900 of 4000 */
    run.output_rate = 2000;
    p = place("rtx-4090", NULL, run);
    assert_says(p.diagnosis, "output is 2,000 tok/s, not the 4,000 of 64 requests at 16.0 ms/token");
    assert_says(p.diagnosis, "all requests together attain 24.9% of the batch's bound");
}

static void test_split(void **state) {
    (void)state;
    roof_model_run run = qwen;
    run.tensor = 2;
    run.decode_rate = 200;
    roof_run_verdict p = place("rtx-4090", NULL, run);
    assert_near(p.decode.bound, 2 * 125.29620819147947, 1e-12);
    assert_near(p.decode.fraction, 200 / (2 * 125.29620819147947), 1e-12);
}

/* With the model itself the bound is that of the model command. */
static void test_with_model(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine on = machine("h100-sxm");
    roof_model_run run = {.model = "Llama-3.1-8B",
                          .weights = "bf16",
                          .prompt = 1000,
                          .generate = 200,
                          .concurrency = 16,
                          .tpot = 10e-3,
                          .ttft = 50e-3};
    roof_run_verdict p;
    assert_int_equal(roof_judge_run(&on, &e.model, &run, &p, NULL), 0);
    roof_plan plan = plan_of(&e.model, (roof_plan){.batch = 16, .prompt = 1000, .generate = 200});
    roof_point point;
    assert_int_equal(roof_model_point(&on, &e.model, &plan, ROOF_PHASE_DECODE, &point, NULL), 0);
    assert_near(p.decode.bound, point.tokens_per_second, 1e-12);
    assert_near(p.decode.least_seconds, point.seconds, 1e-12);
    plan.batch = 1;
    assert_int_equal(roof_model_point(&on, &e.model, &plan, ROOF_PHASE_PREFILL, &point, NULL), 0);
    assert_near(p.prefill.least_seconds, point.seconds, 1e-12);
    run.weights = "fp8"; /* half the bytes of the linear layers */
    roof_run_verdict narrow;
    assert_int_equal(roof_judge_run(&on, &e.model, &run, &narrow, NULL), 0);
    assert_true(narrow.decode.bound > 1.3 * p.decode.bound);
    run.weights = "Q4_K - Medium"; /* as its size says */
    run.model_bytes = 4.92e9;
    run.parameters = 8.03e9;
    run.concurrency = 1;
    run.prompt = 0;
    run.generate = 128;
    assert_int_equal(roof_judge_run(&on, &e.model, &run, &narrow, NULL), 0);
    assert_near(narrow.decode.least_seconds, 4.6e9 / 3.35e12, 0.07); /* the embedding table is not read */
    assert_int_equal(narrow.decode.limit, ROOF_BOUND_MEMORY);
}

static void test_hostile(void **state) {
    (void)state;
    static const double odd[] = {0, -1, 1e-300, 1, 1000, 1e12, 1e300, HUGE_VAL, (double)NAN};
    enum { ODD = sizeof odd / sizeof *odd };
    example e;
    example_llama(&e);
    roof_machine on = machine("h100-sxm");
    unsigned seed = 3;
    for (int i = 0; i < 4000; i++) {
        double pick[12];
        for (int j = 0; j < 12; j++) {
            seed = seed * 1664525u + 1013904223u;
            pick[j] = odd[(seed >> 8) % ODD];
        }
        roof_model_run run = {.parameters = pick[0],
                              .model_bytes = pick[1],
                              .prompt = pick[2],
                              .generate = pick[3],
                              .depth = pick[4],
                              .concurrency = pick[5],
                              .tensor = pick[6],
                              .prefill_rate = pick[7],
                              .decode_rate = pick[8],
                              .output_rate = pick[9],
                              .ttft = pick[10],
                              .tpot = pick[11]};
        run.weights = i % 3 == 0 ? "Q4_K - Medium" : i % 3 == 1 ? "fp8" : NULL;
        roof_run_verdict p;
        if (roof_judge_run(&on, i % 2 ? &e.model : NULL, &run, &p, NULL))
            continue;
        assert_false(isnan(p.decode.measured) || isnan(p.decode.bound) || isnan(p.decode.headroom) ||
                     isnan(p.decode.rate));
        assert_false(isnan(p.prefill.measured) || isnan(p.prefill.bound) || isnan(p.prefill.headroom));
    }
}

static void test_no_figures(void **state) {
    (void)state;
    roof_machine none = {.id = "nothing"};
    roof_run_verdict p;
    roof_error error;
    assert_int_equal(roof_judge_run(&none, NULL, &qwen, &p, &error), -1);
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode_from_size),
        cmocka_unit_test(test_prompt_not_batched),
        cmocka_unit_test(test_experts_by_name),
        cmocka_unit_test(test_slow_host),
        cmocka_unit_test(test_faster_than_roof),
        cmocka_unit_test(test_prefill_above),
        cmocka_unit_test(test_just_above),
        cmocka_unit_test(test_weight_names),
        cmocka_unit_test(test_missing_size),
        cmocka_unit_test(test_serving),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_with_model),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_no_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
