/* llama-bench in every form. The texts are ours, in the shape of what llama-bench writes; figures of named machines are
 * those of public results, compared with their files by hand. */
#include "alloc/alloc.h"
#include "runs.h"

/* As llama-bench printed it on a Strix Halo (kyuz0/amd-strix-halo-toolboxes, gemma-4-26B-A4B): log, table, build. */
static const char table[] =
    "ggml_cuda_init: found 1 ROCm devices (Total VRAM: 126976 MiB):\n"
    "  Device 0: AMD Radeon 8060S Graphics, gfx1151 (0x1151), VMM: no, Wave Size: 32, VRAM: 126976 MiB\n"
    "| model                          |       size |     params | backend    | ngl | fa | mmap |            test |    "
    "t/s |\n"
    "| ------------------------------ | ---------: | ---------: | ---------- | --: | -: | ---: | --------------: | "
    "-----: |\n"
    "| gemma4 26B.A4B BF16            |  47.02 GiB |    25.23 B | ROCm       |  99 |  1 |    0 |           pp512 | "
    "909.04 "
    "\xC2\xB1 7.54 |\n"
    "| gemma4 26B.A4B BF16            |  47.02 GiB |    25.23 B | ROCm       |  99 |  1 |    0 |           tg128 |  "
    "24.64 "
    "\xC2\xB1 0.00 |\n"
    "\nbuild: 0253fb21f (9187)\n";

#define CSV_HEAD                                                                                                       \
    "build_commit,build_number,cpu_info,gpu_info,backends,model_filename,model_type,model_size,model_n_params,n_"      \
    "batch,"                                                                                                           \
    "n_ubatch,n_threads,type_k,type_v,n_gpu_layers,n_prompt,n_gen,n_depth,test_time,avg_ns,stddev_ns,avg_ts,stddev_"   \
    "ts\n"
#define CSV_ROW(PROMPT, GEN, DEPTH, NS, TS, SPREAD)                                                                    \
    "\"abc1234\",\"1\",\"CPU\",\"NVIDIA GeForce RTX 4090\",\"CUDA\",\"m.gguf\",\"qwen3 4B F16\",\"8044936192\","       \
    "\"4022468096\",\"2048\",\"512\",\"8\",\"f16\",\"f16\",\"99\",\"" PROMPT "\",\"" GEN "\",\"" DEPTH                 \
    "\",\"2026-01-01T00:00:00Z\",\"" NS "\",\"0\",\"" TS "\",\"" SPREAD "\"\n"

/* A 4B model whose prompt is as slow as its answer; the arithmetic of what is expected is worked out below. */
static const char slow_prompt[] = CSV_HEAD CSV_ROW("128", "0", "0", "3867069486", "33.100000", "0.100000")
    CSV_ROW("0", "64", "0", "1805359661", "35.450000", "0.100000");

static void test_table(void **state) {
    (void)state;
    roof_profile *profile = read_good(table);
    const roof_model_run *run = run_at(profile, 0);
    assert_int_equal(run_count(profile), 1); /* prefill and decode of the same settings */
    assert_string_equal(roof_profile_about(profile)->tool, "llama-bench 0253fb21f (9187)");
    assert_string_equal(run->model, "gemma4 26B.A4B BF16");
    assert_string_equal(run->weights, "BF16");
    assert_string_equal(run->engine, "ROCm");
    assert_string_equal(run->device, "AMD Radeon 8060S Graphics");
    assert_exact(run->model_bytes, 47.02 * 1073741824.0); /* GiB of a device */
    assert_exact(run->parameters, 25.23e9);
    assert_exact(run->prompt, 512);
    assert_exact(run->generate, 128);
    assert_exact(run->prefill_rate, 909.04);
    assert_exact(run->decode_rate, 24.64);
    assert_near(run->spread, 7.54 / 909.04, 1e-12);
    assert_int_equal(run->kv_cache, ROOF_F16); /* a table leaves the default out */
    assert_true(run->apart);
    assert_int_equal(run->line, 5);
    assert_quiet(profile);
    roof_profile_free(profile);
}

#define SMALL "| model | size | params | backend | test | t/s |\n|-|-:|-:|-|-:|-:|\n"
#define SMALL_ROW(TEST, RATE) "| llama 7B mostly Q4_0 | 562.50 MiB | 6.74 B | CUDA | " TEST " | " RATE " |\n"

static void test_names_of_tests(void **state) {
    (void)state;
    static const struct {
        const char *row;
        double prompt, generate, depth, prefill, decode, total;
    } cases[] = {
        {SMALL_ROW("pp512", "10.5 \xC2\xB1 0.5"), 512, 0, 0, 10.5, 0, 0},
        {SMALL_ROW("pp 512", "10.5 +- 0.5"), 512, 0, 0, 10.5, 0, 0},        /* 2023 */
        {SMALL_ROW("tg 128", "10.5 \xB1 0.5"), 0, 128, 0, 0, 10.5, 0},      /* Latin-1 */
        {SMALL_ROW("pp2048 @ d65536", "10.5"), 2048, 0, 65536, 10.5, 0, 0}, /* n_depth */
        {SMALL_ROW("tg32 @ d4096", "10.5"), 0, 32, 4096, 0, 10.5, 0},
        {SMALL_ROW("pp512+tg128", "10.5"), 512, 128, 0, 0, 0, 10.5}, /* one rate of both: neither phase's */
        {SMALL_ROW("tg128@pp512", "10.5"), 0, 128, 512, 0, 10.5, 0}, /* ik_llama.cpp -gp */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, SMALL "%sbuild: a (1)\n", cases[i].row);
        roof_profile *profile = read_good(text);
        const roof_model_run *run = run_at(profile, 0);
        assert_exact(run->prompt, cases[i].prompt);
        assert_exact(run->generate, cases[i].generate);
        assert_exact(run->depth, cases[i].depth);
        assert_exact(run->prefill_rate, cases[i].prefill);
        assert_exact(run->decode_rate, cases[i].decode);
        assert_exact(run->total_rate, cases[i].total);
        assert_exact(run->model_bytes, 562.5 * 1048576);
        assert_string_equal(run->weights, "Q4_0");
        roof_profile_free(profile);
    }
    assert_refused(SMALL SMALL_ROW("ppl", "10.5"), NULL, "holds no measurement", -1);
}

static void test_pasted_table(void **state) {
    (void)state;
    roof_profile *profile =
        read_good(SMALL SMALL_ROW("pp512", "99.5") SMALL_ROW("pp1024", "88.5") SMALL_ROW("tg64", "9"));
    assert_int_equal(run_count(profile), 2); /* the answer goes with the prompt nearest before it */
    assert_exact(run_at(profile, 0)->generate, 0);
    assert_exact(run_at(profile, 1)->prompt, 1024);
    assert_exact(run_at(profile, 1)->decode_rate, 9);
    assert_warns(profile, "no 'build:' line");
    roof_profile_free(profile);
}

/* Two prompts and a generation of one model, and a generation of another one. */
static void test_pairs(void **state) {
    (void)state;
    roof_profile *profile = read_good(CSV_HEAD CSV_ROW("512", "0", "0", "1000000000", "512.0", "1.0")
                                          CSV_ROW("512", "0", "4096", "2000000000", "256.0", "1.0")
                                              CSV_ROW("0", "64", "4096", "3200000000", "20.0", "1.0")
                                                  CSV_ROW("0", "64", "8192", "6400000000", "10.0", "0.5"));
    assert_int_equal(run_count(profile), 3);
    assert_exact(run_at(profile, 0)->decode_rate, 0);
    assert_exact(run_at(profile, 0)->seconds, 1);
    assert_exact(run_at(profile, 1)->depth, 4096);
    assert_exact(run_at(profile, 1)->prefill_rate, 256);
    assert_exact(run_at(profile, 1)->decode_rate, 20);
    assert_exact(run_at(profile, 1)->spread, 0.05); /* the wider of both */
    assert_near(run_at(profile, 1)->seconds, 5.2, 1e-12);
    assert_exact(run_at(profile, 2)->prefill_rate, 0);
    assert_exact(run_at(profile, 2)->decode_rate, 10);
    assert_true(!run_at(profile, 2)->apart);
    roof_profile_free(profile);
}

static void test_csv(void **state) {
    (void)state;
    roof_profile *profile = read_good(slow_prompt);
    const roof_model_run *run = run_at(profile, 0);
    assert_int_equal(run_count(profile), 1);
    assert_string_equal(run->model, "qwen3 4B F16");
    assert_string_equal(run->weights, "F16");
    assert_string_equal(run->engine, "CUDA");
    assert_string_equal(run->device, "NVIDIA GeForce RTX 4090");
    assert_exact(run->model_bytes, 8044936192.0);
    assert_exact(run->parameters, 4022468096.0);
    assert_exact(run->prefill_rate, 33.1);
    assert_exact(run->decode_rate, 35.45);
    assert_exact(run->concurrency, 1);
    assert_exact(run->tensor, 1);
    assert_int_equal(run->kv_cache, ROOF_F16);
    assert_string_equal(roof_profile_about(profile)->device, "NVIDIA GeForce RTX 4090");
    assert_quiet(profile);
    roof_profile_free(profile);
}

/* From the file to the verdict: 8,044,936,192 B x 35.45 /s = 285.2 GB/s of 1008; 125.3 tok/s at the roof; 2 x 4.022e9 x
 * 33.1 = 0.2663 TFLOP/s of 165.2. */
static void test_to_the_verdict(void **state) {
    (void)state;
    roof_profile *profile = read_good(slow_prompt);
    roof_machine machine = {.id = "rtx-4090", .name = "RTX 4090"};
    machine.bandwidth[ROOF_DRAM] = (roof_figure){1008e9, ROOF_ORIGIN_DATASHEET, false, NULL};
    machine.peak[ROOF_MATRIX][ROOF_F16] = (roof_figure){165.2e12, ROOF_ORIGIN_DATASHEET, false, NULL};
    roof_run_verdict placed;
    roof_error error = {0};
    assert_int_equal(roof_judge_run(&machine, NULL, run_at(profile, 0), &placed, &error), 0);
    assert_near(placed.decode.rate, 285.1929880064e9, 1e-12);
    assert_near(placed.decode.fraction, 0.2829295515936508, 1e-12);
    assert_near(placed.decode.bound, 125.29620819147947, 1e-12);
    assert_near(placed.decode.headroom, 125.29620819147947 / 35.45, 1e-12);
    assert_int_equal(placed.decode.limit, ROOF_BOUND_MEMORY);
    assert_near(placed.prefill.attained, 0.2662873879552e12, 1e-12);
    assert_near(placed.prefill.compute_fraction, 0.2662873879552 / 165.2, 1e-12);
    assert_non_null(strstr(placed.diagnosis, "the prompt is not batched"));
    assert_non_null(strstr(placed.diagnosis, "below the memory roof"));
    roof_profile_free(profile);
}

/* llama.cpp's README of 2023: 26 names over 27 fields ("opencl" was not named). The figures are the README's. */
static const char shifted[] =
    "build_commit,build_number,cuda,metal,gpu_blas,blas,cpu_info,gpu_info,model_filename,model_type,model_size,"
    "model_n_params,n_batch,n_threads,f16_kv,n_gpu_layers,main_gpu,mul_mat_q,tensor_split,n_prompt,n_gen,test_time,avg_"
    "ns,"
    "stddev_ns,avg_ts,stddev_ts\n"
    "\"3469684\",\"1275\",\"1\",\"0\",\"0\",\"1\",\"1\",\"13th Gen Intel(R) Core(TM) i9-13900K\",\"NVIDIA GeForce RTX "
    "3090 "
    "Ti\",\"models/7B/q4_0.gguf\",\"llama 7B mostly "
    "Q4_0\",\"3825065984\",\"6738415616\",\"512\",\"16\",\"1\",\"99\",\"0\","
    "\"1\",\"0.00\",\"512\",\"0\",\"2023-09-23T12:09:01Z\",\"212155977\",\"732372\",\"2413.341687\",\"8.305961\"\n"
    "\"3469684\",\"1275\",\"1\",\"0\",\"0\",\"1\",\"1\",\"13th Gen Intel(R) Core(TM) i9-13900K\",\"NVIDIA GeForce RTX "
    "3090 "
    "Ti\",\"models/7B/q4_0.gguf\",\"llama 7B mostly "
    "Q4_0\",\"3825065984\",\"6738415616\",\"512\",\"16\",\"1\",\"99\",\"0\","
    "\"1\",\"0.00\",\"0\",\"128\",\"2023-09-23T12:09:02Z\",\"969320879\",\"2728399\",\"132.052051\",\"0.371342\"\n";

static void test_shifted_header(void **state) {
    (void)state;
    roof_profile *profile = read_good(shifted);
    const roof_model_run *run = run_at(profile, 0);
    assert_exact(run->model_bytes, 3825065984.0);
    assert_exact(run->parameters, 6738415616.0);
    assert_exact(run->prefill_rate, 2413.341687);
    assert_exact(run->decode_rate, 132.052051);
    assert_string_equal(run->device, "NVIDIA GeForce RTX 3090 Ti");
    assert_string_equal(run->weights, "Q4_0");
    assert_null(run->engine); /* the flags stand before the fault: not used */
    assert_null(roof_profile_about(profile)->tool);
    assert_warns(profile, "26 columns over rows of 27 fields");
    roof_profile_free(profile);

    char broken[sizeof shifted]; /* a rate that is not tokens over time: nothing proves where the columns are */
    strcpy(broken, shifted);
    memcpy(strstr(broken, "2413.341687"), "9413.341687", 11);
    profile = read_good(broken);
    assert_int_equal(run_count(profile), 1);
    assert_exact(run_at(profile, 0)->prefill_rate, 0);
    assert_exact(roof_profile_about(profile)->dropped, 1);
    assert_warns(profile, "27 fields under a header of 26");
    roof_profile_free(profile);
}

#define JSON(TYPE, BYTES, PROMPT, GEN, DEPTH, NS, TS)                                                                  \
    "{\"build_commit\": \"c264f65ff\", \"build_number\": 9927, \"cpu_info\": \"AMD RYZEN\", \"gpu_info\": \"AMD "      \
    "Radeon "                                                                                                          \
    "8060S\", \"backends\": \"ROCm\", \"model_type\": \"" TYPE "\", \"model_size\": " BYTES                            \
    ", \"model_n_params\": 27320697856, \"type_k\": \"q8_0\", \"type_v\": \"q8_0\", \"n_gpu_layers\": 99, "            \
    "\"split_mode\": \"layer\", \"no_kv_offload\": false, \"tensor_split\": \"0.00\", \"n_prompt\": " PROMPT           \
    ", \"n_gen\": " GEN ", \"n_depth\": " DEPTH ", \"avg_ns\": " NS ", \"stddev_ns\": 1, \"avg_ts\": " TS              \
    ", \"stddev_ts\": 1.138945, \"samples_ns\": [ 1, 2 ],\"samples_ts\": [ 337.368, 335.626 ]}"

static const char json_lines[] =
    JSON("qwen35 27B Q8_0", "29036089344", "2048", "0", "0", "6093958498",
         "336.073121") "\n" JSON("qwen35 27B Q8_0", "29036089344", "2048", "0", "65536", "14448469000", "141.745") "\n";

static void test_json_lines(void **state) {
    (void)state;
    roof_profile *profile = read_good(json_lines);
    const roof_model_run *run = run_at(profile, 0);
    assert_int_equal(run_count(profile), 2); /* a curve over the depth */
    assert_string_equal(run->weights, "Q8_0");
    assert_exact(run->model_bytes, 29036089344.0);
    assert_exact(run->parameters, 27320697856.0);
    assert_exact(run->prefill_rate, 336.073121);
    assert_near(run->seconds, 6.093958498, 1e-12);
    assert_near(run->spread, 1.138945 / 336.073121, 1e-12);
    assert_int_equal(run->kv_cache, ROOF_INT8);
    assert_exact(run_at(profile, 1)->depth, 65536);
    assert_exact(run_at(profile, 1)->prefill_rate, 141.745);
    assert_string_equal(roof_profile_about(profile)->tool, "llama-bench c264f65ff (9927)");
    assert_quiet(profile);
    roof_profile_free(profile);
}

static void test_json_list(void **state) {
    (void)state;
    static const char text[] =
        "[INFO] loading\n[\n  " JSON("llama 7B all F32", "4", "512", "0", "0", "1000000000", "512") ",\n  " JSON(
            "llama 7B all F32", "4", "0", "10", "0", "1000000000", "10") "\n]\n";
    roof_profile *profile = read_good(text);
    assert_int_equal(run_count(profile), 1);
    assert_string_equal(run_at(profile, 0)->weights, "F32");
    assert_exact(run_at(profile, 0)->decode_rate, 10);
    assert_false(roof_profile_about(profile)->ended_early);
    roof_profile_free(profile);

    char cut[sizeof text]; /* killed behind its first test: that one is kept */
    snprintf(cut, sizeof cut, "%.*s", (int)(strstr(text, ",\n  {") - text), text);
    profile = read_good(cut);
    assert_exact(run_at(profile, 0)->prefill_rate, 512);
    assert_true(roof_profile_about(profile)->ended_early);
    roof_profile_free(profile);
    assert_refused(cut, &(roof_profile_options){.strict = true}, "ends early", -1);
}

/* Flags instead of a backend, and the cache by f16_kv: the JSON of 2023. */
static void test_old_json(void **state) {
    (void)state;
    roof_profile *profile = read_good(
        "[{\"build_commit\": \"3469684\", \"build_number\": 1275, \"cuda\": false, \"metal\": true, \"blas\": "
        "true, \"cpu_info\": \"M2\", \"gpu_info\": \"\", \"model_type\": \"llama 7B mostly Q4_0\", \"model_size\": "
        "3825065984, \"f16_kv\": false, \"n_prompt\": 512, \"n_gen\": 0, \"avg_ns\": 212365953, \"avg_ts\": "
        "2410.974041, \"stddev_ts\": 11.163766}]\n");
    assert_string_equal(run_at(profile, 0)->engine, "Metal");
    assert_string_equal(run_at(profile, 0)->device, "M2");
    assert_int_equal(run_at(profile, 0)->kv_cache, ROOF_F32);
    assert_exact(run_at(profile, 0)->parameters, 0);
    roof_profile_free(profile);
}

#define SQL_NAMES                                                                                                      \
    "build_commit, build_number, backends, model_type, model_size, model_n_params, n_prompt, n_gen, avg_ns, avg_ts"
static const char sql[] =
    "CREATE TABLE IF NOT EXISTS llama_bench (\n  build_commit TEXT,\n  n_gen INTEGER,\n  avg_ts REAL\n);\n\n"
    "INSERT INTO llama_bench (" SQL_NAMES
    ") VALUES ('abc', '12', 'CUDA', 'it''s 4B, (F16)', '8044936192', '4022468096', "
    "'128', '0', '1280000000', '100.000000');\n"
    "INSERT INTO llama_bench (" SQL_NAMES
    ") VALUES ('abc', '12', 'CUDA', 'it''s 4B, (F16)', '8044936192', '4022468096', "
    "'0', '64', '1280000000', '50.000000');\n";

static void test_sql(void **state) {
    (void)state;
    roof_profile *profile = read_good(sql);
    assert_int_equal(run_count(profile), 1);
    assert_string_equal(run_at(profile, 0)->model, "it's 4B, (F16)");
    assert_exact(run_at(profile, 0)->prefill_rate, 100);
    assert_exact(run_at(profile, 0)->decode_rate, 50);
    assert_exact(run_at(profile, 0)->model_bytes, 8044936192.0);
    assert_string_equal(roof_profile_about(profile)->tool, "llama-bench abc (12)");
    roof_profile_free(profile);
}

/* What moves a run away from the roofs of one device. */
static void test_settings(void **state) {
    (void)state;
    static const struct {
        const char *more, *words;
        double tensor;
        roof_dtype cache;
    } cases[] = {
        {"\"n_gpu_layers\": 20", "n_gpu_layers is 20", 1, ROOF_DTYPE_NONE},
        {"\"n_cpu_moe\": 8", "n_cpu_moe is 8", 1, ROOF_DTYPE_NONE},
        {"\"no_kv_offload\": true", "KV cache is in host memory", 1, ROOF_DTYPE_NONE},
        {"\"tensor_buft_overrides\": \"exps=CPU\"", "placed by hand (exps=CPU)", 1, ROOF_DTYPE_NONE},
        {"\"split_mode\": \"layer\", \"tensor_split\": \"0.50/0.50\"", "2 devices hold the layers", 1, ROOF_DTYPE_NONE},
        {"\"backends\": \"CUDA,RPC\"", "cross a network", 1, ROOF_DTYPE_NONE},
        {"\"split_mode\": \"row\", \"tensor_split\": \"1.00/1.00/1.00\"", NULL, 3, ROOF_DTYPE_NONE},
        {"\"type_k\": \"q4_0\", \"type_v\": \"f16\"", "taken as the narrower", 1, ROOF_INT4},
        {"\"type_k\": \"q5_1\", \"type_v\": \"q5_1\"", "no dtype here stands for it", 1, ROOF_DTYPE_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "{\"model_type\": \"llama\", \"gpu_info\": \"GPU\", \"n_prompt\": 0, \"n_gen\": 16, \"avg_ts\": 4, %s}",
            cases[i].more);
        roof_profile *profile = read_good(text);
        if (cases[i].words)
            assert_warns(profile, cases[i].words);
        else
            assert_quiet(profile);
        assert_exact(run_at(profile, 0)->tensor, cases[i].tensor);
        assert_int_equal(run_at(profile, 0)->kv_cache, cases[i].cache);
        roof_profile_free(profile);
    }
}

static void test_figures(void **state) {
    (void)state;
    static const char comma[] = CSV_HEAD CSV_ROW("128", "0", "0", "1280000000", "100,5", "0");
    assert_refused(comma, NULL, "'100,5': is the comma a decimal mark?", 2);
    roof_error error = {0};
    roof_profile *profile = read_text(comma, &(roof_profile_options){.decimal = ','}, &error);
    assert_non_null(profile);
    assert_exact(run_at(profile, 0)->prefill_rate, 100.5);
    roof_profile_free(profile);

    profile = read_good(CSV_HEAD CSV_ROW("128", "0", "0", "1280000000", "", "")); /* the time is enough */
    assert_near(run_at(profile, 0)->prefill_rate, 100, 1e-12);
    roof_profile_free(profile);

    profile = read_good(CSV_HEAD CSV_ROW("128", "0", "0", "1280000000", "140", "0"));
    assert_warns(profile, "is 179.2 tokens, not the 128 of the test");
    assert_exact(run_at(profile, 0)->prefill_rate, 140);
    roof_profile_free(profile);
    assert_refused(CSV_HEAD CSV_ROW("128", "0", "0", "1280000000", "100000", "0"), NULL,
                   "no row can be used: line 2: it has no rate", -1);

    profile =
        read_good(CSV_HEAD CSV_ROW("0", "64", "0", "1280000000", "50", "0") CSV_ROW("128", "0", "0", "", "nan", ""));
    assert_int_equal(run_count(profile), 1);
    assert_exact(roof_profile_about(profile)->dropped, 1);
    assert_warns(profile, "line 3: it has no rate (avg_ts) that can be");
    roof_profile_free(profile);
}

static void test_refusals(void **state) {
    (void)state;
    assert_refused(
        "llama_model_load: error loading model: missing tensor\nmain: error: failed to load model 'm.gguf'\n", NULL,
        "it says: llama_model_load: error loading model", -1);
    assert_refused(SMALL, NULL, "holds no measurement", -1);
    assert_refused(CSV_HEAD, NULL, "holds no measurement", -1);
    assert_refused(CSV_HEAD CSV_ROW("0", "0", "0", "1", "1", "0"), NULL, "neither n_prompt nor n_gen", -1);
    assert_refused("[\n]\n{\"n_gen\": 1, \"avg_ts\": 5, }\n", NULL, "not valid JSON", 3);
    assert_refused("{\"n_gen\": 1, \"n_gen\": 2, \"avg_ts\": 5}\n", NULL, "not valid JSON", 1);
}

static void test_cut(void **state) {
    (void)state;
    assert_true(cut_everywhere(table) > 100);
    assert_true(cut_everywhere(slow_prompt) > 200);
    assert_true(cut_everywhere(shifted) > 200);
    assert_true(cut_everywhere(json_lines) > 500);
    assert_true(cut_everywhere(sql) > 200);
}

static void test_no_memory(void **state) {
    (void)state;
    static const char *const texts[] = {table, slow_prompt, shifted, json_lines, sql};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
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
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_names_of_tests),
        cmocka_unit_test(test_pasted_table),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_to_the_verdict),
        cmocka_unit_test(test_shifted_header),
        cmocka_unit_test(test_json_lines),
        cmocka_unit_test(test_json_list),
        cmocka_unit_test(test_old_json),
        cmocka_unit_test(test_sql),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
