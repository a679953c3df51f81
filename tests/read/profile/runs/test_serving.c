/* Serving benchmarks and small tables of timed kernels. The texts are ours, in the shape of what the tools write;
 * figures of named runs are those of public results, compared with their files by hand. */
#include "alloc/alloc.h"
#include "runs.h"

/* As vllm bench serve saves it (BudEcosystem/simulator, Qwen3-4B on a CPU); one line, latencies in milliseconds. */
static const char vllm[] =
    "{\"date\": \"20260701-114932\", \"endpoint_type\": \"vllm\", \"backend\": \"vllm\", \"label\": null, "
    "\"model_id\": "
    "\"Qwen/Qwen3-4B\", \"num_prompts\": 3, \"request_rate\": \"inf\", \"burstiness\": 1.0, \"max_concurrency\": 1, "
    "\"duration\": 96.17361051496118, \"completed\": 3, \"failed\": 0, \"total_input_tokens\": 1536, "
    "\"total_output_tokens\": 1536, \"request_throughput\": 0.031193588178051266, \"request_goodput\": null, "
    "\"output_throughput\": 15.971117147162248, \"total_token_throughput\": 31.942234294324496, \"input_lens\": [512, "
    "512, "
    "512], \"ttfts\": [0.2, 0.22, 1.9], \"errors\": [\"\", \"{\", \"}\"], \"mean_ttft_ms\": 774.416523364683, "
    "\"median_ttft_ms\": 220.72670422494411, \"mean_tpot_ms\": 61.21859680168666, \"median_tpot_ms\": "
    "61.17967785009841, "
    "\"mean_itl_ms\": 61.2}";

/* As InferenceX saves it (SemiAnalysisAI/InferenceX, GLM-5 FP8): the same words without a unit, in seconds. */
#define INFERENCEX(TTFT, E2EL, TPOT)                                                                                   \
    "{\n  \"date\": \"20260213-075258\",\n  \"model_id\": \"zai-org/GLM-5-FP8\",\n  \"num_prompts\": 160,\n  "         \
    "\"request_rate\": \"inf\",\n  \"max_concurrency\": 16,\n  \"duration\": 50.745707761496305,\n  \"completed\": "   \
    "160,\n"                                                                                                           \
    "  \"good_completed\": null,\n  \"total_input_tokens\": 163840,\n  \"total_output_tokens\": 20480,\n  "            \
    "\"request_throughput\": 3.1529760261103545,\n  \"input_throughput\": 3228.647450737003,\n  "                      \
    "\"output_throughput\": "                                                                                          \
    "403.5809313421254,\n  \"median_ttft\": " TTFT ",\n  \"median_e2el\": " E2EL ",\n  \"median_tpot\": " TPOT "\n}"
static const char inferencex[] = INFERENCEX("0.29139942955225706", "4.5732344426214695", "0.033614915054966145");

static void test_vllm(void **state) {
    (void)state;
    roof_profile *profile = read_good(vllm);
    const roof_model_run *run = run_at(profile, 0);
    assert_string_equal(run->model, "Qwen/Qwen3-4B");
    assert_string_equal(run->engine, "vllm");
    assert_exact(run->prompt, 512);
    assert_exact(run->generate, 512);
    assert_exact(run->concurrency, 1);
    assert_exact(run->tensor, 0); /* not said */
    assert_near(run->ttft, 0.22072670422494411, 1e-12);
    assert_near(run->tpot, 0.06117967785009841, 1e-12);
    assert_exact(run->output_rate, 15.971117147162248);
    assert_exact(run->total_rate, 31.942234294324496);
    assert_exact(run->seconds, 96.17361051496118);
    assert_exact(run->decode_rate, 0);
    assert_quiet(profile);
    roof_profile_free(profile);
}

static void test_seconds(void **state) {
    (void)state;
    roof_profile *profile = read_good(inferencex);
    const roof_model_run *run = run_at(profile, 0);
    assert_exact(run->ttft, 0.29139942955225706);
    assert_exact(run->tpot, 0.033614915054966145);
    assert_exact(run->prompt, 1024);
    assert_exact(run->generate, 128);
    assert_exact(run->concurrency, 16);
    assert_near(run->total_rate, 3632.228382079128, 1e-12); /* input and output */
    assert_warns(profile, "median_tpot names no unit: seconds");
    roof_profile_free(profile);

    profile = read_good(INFERENCEX("291.4", "4573.2", "33.61")); /* the same in milliseconds: the rates tell */
    assert_near(run_at(profile, 0)->tpot, 0.03361, 1e-12);
    assert_near(run_at(profile, 0)->ttft, 0.2914, 1e-12);
    assert_warns(profile, "median_tpot names no unit: milliseconds");
    roof_profile_free(profile);

    profile = read_good(INFERENCEX("0", "0", "0.00001")); /* of no use either way */
    assert_exact(run_at(profile, 0)->tpot, 0);
    assert_exact(run_at(profile, 0)->output_rate, 403.5809313421254);
    assert_warns(profile, "latencies are left out");
    roof_profile_free(profile);

    assert_refused("{\"model\": \"m\", \"median_tpot\": 20, \"median_ttft\": 50}", NULL, "seconds or milliseconds", -1);
}

static void test_unit_that_lies(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("{\"max_concurrency\": 16, \"output_throughput\": 403.58, \"median_ttft_ms\": 0.291, "
                  "\"median_tpot_ms\": 0.0336}");
    assert_exact(run_at(profile, 0)->tpot, 0);
    assert_exact(run_at(profile, 0)->ttft, 0);
    assert_warns(profile, "median_tpot_ms 0.0336 cannot be beside these rates");
    roof_profile_free(profile);

    profile = read_good("{\"max_concurrency\": 16, \"output_throughput\": 403.58, \"median_tpot_s\": 33.6}");
    assert_exact(run_at(profile, 0)->tpot, 0);
    roof_profile_free(profile);

    /* Few requests of many that are allowed: unusual, and possible. */
    profile = read_good("{\"max_concurrency\": 1000, \"output_throughput\": 50, \"median_tpot_ms\": 20}");
    assert_near(run_at(profile, 0)->tpot, 0.02, 1e-12);
    assert_exact(run_at(profile, 0)->concurrency, 1);
    roof_profile_free(profile);
}

static void test_what_is_not_said(void **state) {
    (void)state;
    roof_profile *profile = read_good("{\"median_tpot_ms\": 0.0, \"mean_tpot_ms\": 1.76, \"median_ttft_ms\": 606.88, "
                                      "\"completed\": 10, \"total_output_tokens\": 0}");
    assert_exact(run_at(profile, 0)->tpot, 0); /* nothing was timed: no mean in its place */
    assert_exact(run_at(profile, 0)->generate, 0);
    assert_near(run_at(profile, 0)->ttft, 0.60688, 1e-12);
    assert_exact(run_at(profile, 0)->concurrency, 0);
    roof_profile_free(profile);

    profile =
        read_good("{\"mean_tpot_ms\": 25, \"output_throughput\": 800, \"request_rate\": \"inf\", \"max_concurrency\": "
                  "null}");
    assert_exact(run_at(profile, 0)->tpot, 0.025);
    assert_near(run_at(profile, 0)->concurrency, 20, 1e-12); /* 800 tok/s of 25 ms each */
    assert_warns(profile, "20 decode at once on average");
    assert_warns(profile, "mean_tpot_ms is taken for the median");
    roof_profile_free(profile);

    profile = read_good("{\"median_tpot_ms\": 20, \"output_throughput\": 200, \"max_concurrency\": 64, \"failed\": 3}");
    assert_near(run_at(profile, 0)->concurrency, 4, 1e-12); /* 64 were allowed */
    assert_warns(profile, "up to 64 requests at once, of which 4 decode at once");
    assert_warns(profile, "3 requests failed");
    roof_profile_free(profile);
}

/* SGLang's bench_serving: a line a run, the server's settings inside. */
static const char sglang[] =
    "{\"backend\": \"sglang\", \"dataset_name\": \"random\", \"request_rate\": 8.0, \"max_concurrency\": 32, "
    "\"duration\": "
    "100.0, \"completed\": 500, \"total_input_tokens\": 256000, \"total_output_tokens\": 64000, "
    "\"request_throughput\": 5.0, "
    "\"input_throughput\": 2560.0, \"output_throughput\": 640.0, \"total_throughput\": 3200.0, "
    "\"mean_e2e_latency_ms\": "
    "5600.0, \"median_e2e_latency_ms\": 5500.0, \"median_ttft_ms\": 120.0, \"median_tpot_ms\": 42.0, \"concurrency\": "
    "28.0, "
    "\"accept_length\": 2.5, \"server_info\": {\"model_path\": \"meta-llama/Llama-3.1-70B\", \"tp_size\": 4, "
    "\"quantization\": \"fp8\", \"kv_cache_dtype\": \"fp8_e5m2\"}}\n"
    "{\"backend\": \"sglang\", \"max_concurrency\": 1, \"completed\": 10, \"duration\": 10.0, \"output_throughput\": "
    "50.0, "
    "\"median_ttft_ms\": 30.0, \"median_tpot_ms\": 19.5}\n";

static void test_sglang(void **state) {
    (void)state;
    roof_profile *profile = read_good(sglang);
    const roof_model_run *run = run_at(profile, 0);
    assert_int_equal(run_count(profile), 2);
    assert_string_equal(run->model, "meta-llama/Llama-3.1-70B");
    assert_string_equal(run->engine, "sglang");
    assert_string_equal(run->weights, "fp8");
    assert_int_equal(run->kv_cache, ROOF_FP8_E5M2);
    assert_exact(run->tensor, 4);
    assert_exact(run->prompt, 512);
    assert_exact(run->generate, 128);
    assert_exact(run->concurrency, 32);
    assert_near(run->tpot, 0.042, 1e-12);
    assert_exact(run->total_rate, 3200);
    assert_warns(profile, "speculative decoding yields 2.5 tokens per step");
    assert_int_equal(run_at(profile, 1)->line, 2);
    roof_profile_free(profile);
}

static void test_one_batch(void **state) {
    (void)state;
    roof_profile *profile = read_good(
        "{\"run_name\": \"default\", \"batch_size\": 8, \"input_len\": 1024, \"output_len\": 16, \"prefill_latency\": "
        "0.25, "
        "\"prefill_throughput\": 32768, \"median_decode_latency\": 0.0125, \"median_decode_throughput\": 640, "
        "\"total_latency\": 0.45, \"overall_throughput\": 18489}\n");
    const roof_model_run *run = run_at(profile, 0);
    assert_exact(run->prefill_rate, 32768);
    assert_exact(run->tpot, 0.0125);
    assert_exact(run->concurrency, 8);
    assert_exact(run->prompt, 1024);
    assert_exact(run->generate, 16);
    assert_quiet(profile);
    roof_profile_free(profile);
}

/* InferenceX's summary: rates a device, seconds. */
static void test_summary(void **state) {
    (void)state;
    roof_profile *profile = read_good(
        "[{\"hw\": \"h200\", \"tp\": 8, \"conc\": 64, \"model\": \"m\", \"framework\": \"trt\", \"precision\": "
        "\"fp8\", \"isl\": 1024, \"osl\": 1024, \"tput_per_gpu\": 800.0, \"output_tput_per_gpu\": 400.0, "
        "\"median_ttft\": 0.3, \"median_tpot\": 0.019, \"spec_decoding\": \"none\"}]");
    const roof_model_run *run = run_at(profile, 0);
    assert_exact(run->output_rate, 3200);
    assert_exact(run->total_rate, 6400);
    assert_exact(run->tensor, 8);
    assert_exact(run->concurrency, 64);
    assert_exact(run->tpot, 0.019);
    assert_string_equal(run->device, "h200");
    assert_string_equal(run->weights, "fp8");
    assert_string_equal(run->engine, "trt");
    roof_profile_free(profile);
}

/* genai-perf and aiperf, by their documentation: a figure is an object with its unit. */
static const char export[] =
    "{\"request_throughput\": {\"unit\": \"requests/sec\", \"avg\": 1.5}, \"request_latency\": {\"unit\": \"ms\", "
    "\"avg\": "
    "6406.2, \"p50\": 5690.23}, \"time_to_first_token\": {\"unit\": \"ms\", \"avg\": 1146.31, \"p50\": 640.07}, "
    "\"inter_token_latency\": {\"unit\": \"us\", \"avg\": 30350, \"p50\": 30130}, \"output_token_throughput\": "
    "{\"unit\": "
    "\"tokens/sec\", \"avg\": 261.25}, \"output_sequence_length\": {\"unit\": \"tokens\", \"avg\": 174.45}, "
    "\"input_sequence_length\": {\"unit\": \"tokens\", \"avg\": 3000.05}, \"request_count\": {\"unit\": \"requests\", "
    "\"avg\": 40}, \"input_config\": {\"endpoint\": {\"model_names\": [\"qwen3-0.6b\"]}, \"loadgen\": "
    "{\"concurrency\": 10}}}";

static void test_export(void **state) {
    (void)state;
    roof_profile *profile = read_good(export);
    const roof_model_run *run = run_at(profile, 0);
    assert_string_equal(run->model, "qwen3-0.6b");
    assert_near(run->ttft, 0.64007, 1e-12);
    assert_near(run->tpot, 0.03013, 1e-12);
    assert_exact(run->output_rate, 261.25);
    assert_exact(run->prompt, 3000.05);
    assert_exact(run->generate, 174.45);
    assert_exact(run->concurrency, 10);
    roof_profile_free(profile);

    profile = read_good(
        "{\"time_to_first_token\": {\"unit\": \"parsec\", \"avg\": 3}, \"output_token_throughput\": {\"unit\": "
        "\"tokens/sec\", \"avg\": 5}}");
    assert_exact(run_at(profile, 0)->ttft, 0);
    assert_warns(profile, "time_to_first_token has the unit 'parsec'");
    roof_profile_free(profile);
}

static const char export_csv[] =
    "Metric,avg,min,max,p99,p50\n"
    "Time To First Token (ms),\"1,146.31\",249.48,\"3,485.23\",\"3,457.97\",640.07\n"
    "Request Latency (ms),\"6,406.20\",\"5,371.47\",\"9,608.72\",\"9,436.13\",\"5,690.23\"\n"
    "Inter Token Latency (ms),30.35,27.59,35.60,35.23,30.13\n"
    "Output Sequence Length (tokens),174.45,164.00,187.00,186.22,172.50\n"
    "Input Sequence Length (tokens),\"3,000.05\",\"2,999.00\",\"3,001.00\",\"3,001.00\",\"3,000.00\"\n"
    "\n"
    "Metric,Value\n"
    "Output Token Throughput (per sec),261.25\n"
    "Request Throughput (per sec),1.50\n"
    "Request Count (count),40.00\n";

static void test_export_csv(void **state) {
    (void)state;
    roof_profile *profile = read_good(export_csv);
    const roof_model_run *run = run_at(profile, 0);
    assert_int_equal(run_count(profile), 1);
    assert_near(run->ttft, 0.64007, 1e-12);
    assert_near(run->tpot, 0.03013, 1e-12);
    assert_exact(run->output_rate, 261.25);
    assert_exact(run->prompt, 3000.05);
    assert_near(run->concurrency, 261.25 * 0.03013, 1e-12);
    roof_profile_free(profile);
}

/* What the benchmarks print; two runs of a log. */
static const char printed[] = "Backend: vllm\nMaximum request concurrency: 32\n"
                              "100%|########| 32/32 [02:30<00:00,  4.71s/it]\n"
                              "# ============ Serving Benchmark Result ============\n"
                              "# Successful requests:                     32        \n"
                              "# Benchmark duration (s):                  150.87    \n"
                              "# Total input tokens:                      65536     \n"
                              "# Total generated tokens:                  65536     \n"
                              "# Request throughput (req/s):              0.21      \n"
                              "# Output token throughput (tok/s):         434.40    \n"
                              "# Total Token throughput (tok/s):          868.80    \n"
                              "# ---------------Time to First Token----------------\n"
                              "# Mean TTFT (ms):                          7279.56   \n"
                              "# Median TTFT (ms):                        7099.88   \n"
                              "# Mean TPOT (ms):                          70.14     \n"
                              "# Median TPOT (ms):                        70.23     \n"
                              "# ==================================================\n"
                              "============ Serving Benchmark Result ============\n"
                              "Successful requests:                     8\n"
                              "Output token throughput (tok/s):         100.00\n"
                              "Median TPOT (ms):                        9.50\n"
                              "==================================================\n";

static void test_printed(void **state) {
    (void)state;
    roof_profile *profile = read_good(printed);
    const roof_model_run *run = run_at(profile, 0);
    assert_int_equal(run_count(profile), 2);
    assert_exact(run->prompt, 2048);
    assert_exact(run->concurrency, 32);
    assert_near(run->tpot, 0.07023, 1e-12);
    assert_near(run->ttft, 7.09988, 1e-12);
    assert_exact(run->output_rate, 434.4);
    assert_exact(run->total_rate, 868.8);
    assert_exact(run->seconds, 150.87);
    assert_near(run_at(profile, 1)->tpot, 0.0095, 1e-12);
    roof_profile_free(profile);
}

/* A table of one's own (BudEcosystem/simulator): columns of two runs side by side. */
static const char table[] =
    "model,input_output,concurrency,tp1_out_toks,tp2_out_toks,tp2_speedup,tp1_tpot_ms,tp2_tpot_ms,tp1_ttft_ms,"
    "tp2_ttft_ms\r\n"
    "Qwen3-8B,200_300,100,472.1,748.9,1.59,201.1,127.2,3040.0,1909.0\r\n"
    "Qwen3-4B,512_512,1,16.0,23.0,1.44,61.2,42.2,774.0,721.0\r\n";

static void test_csv(void **state) {
    (void)state;
    roof_profile *profile = read_good(table);
    const roof_model_run *run = run_at(profile, 1);
    assert_int_equal(run_count(profile), 4);
    assert_string_equal(run->model, "Qwen3-8B");
    assert_exact(run->tensor, 2);
    assert_exact(run->prompt, 200);
    assert_exact(run->generate, 300);
    assert_exact(run->concurrency, 100);
    assert_exact(run->output_rate, 748.9);
    assert_near(run->tpot, 0.1272, 1e-12);
    assert_near(run->ttft, 1.909, 1e-12);
    assert_near(run_at(profile, 2)->tpot, 0.0612, 1e-12);
    roof_profile_free(profile);

    profile =
        read_good("model_id,max_concurrency,tensor_parallel_size,median_tpot_ms,output_throughput\nm,8,2,20.5,390.2\n");
    assert_exact(run_at(profile, 0)->tensor, 2);
    assert_near(run_at(profile, 0)->tpot, 0.0205, 1e-12);
    roof_profile_free(profile);
}

static void test_refusals(void **state) {
    (void)state;
    assert_refused("{\"schema_version\": 1, \"model\": \"m\", \"engine_kwargs\": {\"tensor_parallel_size\": 1}}", NULL,
                   "settings of a run", -1);
    assert_refused("{\"avg_latency\": 1.5, \"latencies\": [1.5], \"percentiles\": {}}", NULL, "vllm bench latency", -1);
    assert_refused("{\"request_throughput\": 1.5}", NULL, "no rate (output_throughput) and no latency", -1);
    assert_refused("{\"metadata\": {}, \"metrics\": {\"time_to_first_token\": {\"value\": 45, \"unit\": \"ms\"}}}\n",
                   NULL, "records of single requests", -1);
    assert_refused("{\"median_ttft_ms\": 0.0, \"median_tpot_ms\": 0.0, \"output_throughput\": 0.0, \"completed\": 0}",
                   NULL, "holds no measurement", -1);
    assert_refused("{\"output_throughput\": 5, \"output_throughput\": 6}", NULL, "not valid JSON", 1);
    assert_refused("{\"output_throughput\": 5,\n \"median_ttft_ms\": 3", NULL, "ends inside its only JSON object", -1);
    assert_refused("model,median_tpot_ms\nm,\"20,5\"\n", NULL, "'20,5': is the comma a decimal mark?", 2);
    assert_refused("timestamp,power_w,temperature_c,sm_clock_mhz\n2026-07-22T21:41:45Z,25.8,40,1027\n", NULL,
                   "samples of power and clock", 1);
    assert_refused("seq_len,sglang_layer_ref_ms,cute_megakernel_ms\n128,2.9,0.3\n", NULL, "without FLOPs and bytes", 1);
    assert_refused("m,n,k,latency\n16,16,16,5\n", NULL, "names no unit", 2);
    assert_refused("m,n,k,dtype,latency_us\n16,16,16,bf17,5\n", NULL, "dtype 'bf17' is not a data type", 2);
    assert_refused("m,n,k,dtype,latency_us\n16,16,16,bf16,12 34\n", NULL, "'12 34' is not a number", 2);
    assert_refused("kernel,mean_ms,flops\nk,1.5,\n", NULL, "neither FLOPs nor bytes", 2);
}

/* ---- timed kernels ---- */

static const roof_measured *point_at(const roof_profile *profile, size_t index) {
    size_t count;
    const roof_measured *points = roof_profile_points(profile, &count);
    assert_true(index < count);
    return &points[index];
}

static void test_gemms(void **state) {
    (void)state;
    /* alibaba/InferSim, bench_data/gemm/h20: no dtype in the file, so no bytes and no roof. */
    roof_profile *profile =
        read_good("m,k,n,latency_us,mfu\r\n16,2048,6144,10.63,0.127969\r\n32,2048,6144,10.74,0.25\r\n");
    const roof_measured *point = point_at(profile, 0);
    assert_string_equal(point->name, "gemm m=16 n=6144 k=2048");
    assert_near(point->seconds.value, 10.63e-6, 1e-12);
    assert_exact(point->flops[0].count.value, 2.0 * 16 * 2048 * 6144);
    assert_int_equal(point->flops[0].count.certainty, ROOF_CERTAINTY_COMPUTED);
    assert_int_equal(point->flops[0].dtype, ROOF_DTYPE_NONE);
    assert_int_equal(point->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_MISSING);
    assert_false(point->has_operation);
    assert_non_null(strstr(point->missing, "data type"));
    assert_warns(profile, "does not say the data type");
    roof_profile_free(profile);

    profile =
        read_good("m,n,k,dtype,latency_us\n16,6144,2048,bf16,10.63\n16,6144,2048,bf16,10.83\n16,6144,2048,fp8,6\n");
    point = point_at(profile, 0);
    assert_true(point->has_operation);
    assert_exact(point->calls, 2); /* the same shapes again */
    assert_near(point->seconds.value, 21.46e-6, 1e-12);
    assert_exact(point->operation.bytes[ROOF_DRAM], 2.0 * (16 * 2048 + 2048 * 6144 + 16 * 6144));
    assert_exact(point_at(profile, 1)->operation.bytes[ROOF_DRAM], 16 * 2048 + 2048 * 6144 + 2.0 * 16 * 6144);
    assert_int_equal(point->missing == NULL, 1);
    assert_quiet(profile);
    roof_profile_free(profile);
}

/* Saved again by a spreadsheet: semicolons between, and what the figures show is the decimal mark; else it is asked. */
static void test_semicolons(void **state) {
    (void)state;
    static const char *const tables[] = {"m;n;k;dtype;latency_us\r\n16;6144;2048;bf16;1.010,63\r\n",
                                         "m;n;k;dtype;latency_us\n16;6144;2048;bf16;1010,63\n",
                                         "m;n;k;dtype;latency_us\n16;6144;2048;bf16;1010.63\n",
                                         "m\tn\tk\tdtype\tlatency_us\n16\t6144\t2048\tbf16\t1010.63\n"};
    for (size_t i = 0; i < 4; i++) {
        roof_profile *profile = read_good(tables[i]);
        assert_near(point_at(profile, 0)->seconds.value, 1010.63e-6, 1e-12);
        assert_true(point_at(profile, 0)->has_operation);
        assert_quiet(profile);
        roof_profile_free(profile);
    }
    static const char doubtful[] = "m;n;k;dtype;latency_us\n16;64;32;bf16;10,630\n";
    assert_refused(doubtful, NULL, "'10,630' may be , decimal or a thousand", -1);
    roof_profile *profile = read_good_with(doubtful, &(roof_profile_options){.decimal = ','});
    assert_near(point_at(profile, 0)->seconds.value, 10.63e-6, 1e-12);
    roof_profile_free(profile);
    profile = read_good("kernel;mean_ms;flops;bytes\nk;1,5;2000;3000\n");
    assert_near(point_at(profile, 0)->seconds.value, 1.5e-3, 1e-12);
    roof_profile_free(profile);
}

/* A name is whole up to 4,095 bytes, and said to be cut beyond. */
static void test_long_names(void **state) {
    (void)state;
    static char text[16000], name[5000];
    memset(name, 'k', 4095);
    snprintf(text, sizeof text, "kernel,mean_ms,flops,bytes\n%s,1,2000,3000\nk,1,2000,3000\n", name);
    roof_profile *profile = read_good(text);
    assert_string_equal(point_at(profile, 0)->name, name);
    assert_quiet(profile);
    roof_profile_free(profile);
    name[4095] = 'k';
    snprintf(text, sizeof text, "kernel,mean_ms,flops,bytes\n%s,1,2000,3000\n", name);
    profile = read_good(text);
    assert_int_equal(strlen(point_at(profile, 0)->name), 4095);
    assert_warns(profile, "cut after 4095 bytes");
    roof_profile_free(profile);
}

/* PrincetonUniversity/LLMCompass, matmul_A100: 2 x 64 x 12288 x 12288 / 0.19 ms = 101.7 TFLOP/s, as the file says. */
static const char shapes[] = "64, 12288, 12288, 0.1900ms, 101.7124Tflops\n8192, 64, 64, 0.0296ms, 2.2700Tflops";

static void test_shapes(void **state) {
    (void)state;
    roof_profile *profile = read_good(shapes);
    assert_near(point_at(profile, 0)->seconds.value, 0.19e-3, 1e-12);
    assert_exact(point_at(profile, 0)->flops[0].count.value, 2.0 * 64 * 12288 * 12288);
    assert_near(point_at(profile, 1)->seconds.value, 29.6e-6, 1e-12);
    assert_string_equal(point_at(profile, 1)->name, "matmul 8192 x 64 x 64");
    roof_profile_free(profile);

    profile = read_good("64, 12288, 12288, 0.1900ms, 101.7124Tflops\n8192, 64, 64, 0.0296us, 2.2700Tflops\n");
    assert_exact(roof_profile_about(profile)->rows, 1); /* a unit that the rate contradicts */
    assert_warns(profile, "line 2: the rate times the time");
    roof_profile_free(profile);
}

static const char kernels[] = "kernel,variant,problem_size,m,n,k,block_size,mean_ms,median_ms,flops,theoretical_bytes\n"
                              "saxpy,base,1048576,0,0,0,128,0.019372,0.017152,2097152.0,12582912.0\n"
                              "saxpy,base,1048576,0,0,0,256,0.017690,0.016271,2097152.0,12582912.0\n";

static void test_kernels(void **state) {
    (void)state;
    roof_profile *profile = read_good(kernels);
    const roof_measured *point = point_at(profile, 0);
    assert_string_equal(point->name, "saxpy base problem_size=1048576 block_size=128");
    assert_near(point->seconds.value, 19.372e-6, 1e-12);
    assert_exact(point->bytes[ROOF_DRAM].value, 12582912);
    assert_int_equal(point->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_COMPUTED);
    assert_exact(point->flops[0].count.value, 2097152);
    assert_near(point_at(profile, 1)->seconds.value, 17.690e-6, 1e-12);
    roof_profile_free(profile);
}

/* meinie0826/Roofline-Analysis, decodebench: the bytes of the cache alone, and no FLOPs. */
static const char decode[] = "{\n  \"gpu\": \"NVIDIA B200\",\n  \"backend\": \"flashattn_kvcache\",\n  "
                             "\"workload_id\": \"gqa_bf16_b1_ctx8k_p64\",\n  "
                             "\"kv_dtype\": \"bf16\",\n  \"kernel_latency_avg_us\": 126.40383906662464,\n  "
                             "\"kernel_latency_p50_us\": 125.568,\n  "
                             "\"approx_kv_bytes_read\": 33554432,\n  \"fallback_reason\": null\n}\n";

static void test_decode(void **state) {
    (void)state;
    roof_profile *profile = read_good(decode);
    const roof_measured *point = point_at(profile, 0);
    assert_string_equal(point->name, "flashattn_kvcache gqa_bf16_b1_ctx8k_p64");
    assert_string_equal(point->where, "NVIDIA B200");
    assert_near(point->seconds.value, 126.40383906662464e-6, 1e-12);
    assert_exact(point->bytes[ROOF_DRAM].value, 33554432);
    assert_int_equal(point->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_AT_LEAST);
    assert_exact((double)point->flop_count, 0);
    assert_non_null(strstr(point->missing, "FLOPs"));
    roof_profile_free(profile);
}

/* ---- cut files, no memory ---- */

static const char *const texts[] = {vllm,    inferencex, sglang, export,  export_csv,
                                    printed, table,      shapes, kernels, decode};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static void test_cut(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        char closed[4096]; /* every text ends its last line */
        snprintf(closed, sizeof closed, "%s\n", texts[i]);
        cut_everywhere(closed);
    }
    assert_true(cut_everywhere(sglang) > 150);
    assert_true(cut_everywhere(printed) > 300);
}

static void test_no_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++)
        ALLOC_FAIL_EACH(n, {
            roof_error error = {0};
            roof_profile *profile = read_text(texts[i], NULL, &error);
            if (!profile && error.code != ROOF_ENOMEM)
                fail_msg("allocation %zu of text %zu: '%s'", n, i, error.what);
            roof_profile_free(profile);
            assert_int_equal(alloc_live(), 0);
        })
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vllm),
        cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_unit_that_lies),
        cmocka_unit_test(test_what_is_not_said),
        cmocka_unit_test(test_sglang),
        cmocka_unit_test(test_one_batch),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_export),
        cmocka_unit_test(test_export_csv),
        cmocka_unit_test(test_printed),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_gemms),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_semicolons),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
