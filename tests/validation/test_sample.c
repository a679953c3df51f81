/* The bound is a bound on a sample of published measurements, and stays as tight as it was. The measurements are
 * others' (sample.csv names the source of each row); docs/validation.md holds the same figures for all rows. */
#include <stdlib.h>

#include "test.h"

#include "validation/score.h"

static score_set sample;

static int read_sample(void **state) {
    (void)state;
    csv_table table;
    if (csv_read(TEST_DATA "/sample.csv", &table))
        return -1;
    int failed = score_table(&sample, &table, NULL);
    csv_free(&table);
    return failed;
}

static int free_sample(void **state) {
    (void)state;
    score_free(&sample);
    return 0;
}

static void every_row_is_scored(void **state) {
    (void)state;
    assert_in_range(sample.count, 150, 200);
    for (size_t i = 0; i < sample.count; i++)
        if (sample.rows[i].skip[0])
            fail_msg("%s:%zu: %s", sample.rows[i].file, sample.rows[i].line, sample.rows[i].skip);
    for (size_t i = 0; i < reader_count; i++)
        if (strcmp(readers[i].file, "llm_inferencex_tokenpos") != 0) /* of a model that the catalogue does not have */
            assert_true(score_figures(&sample, BOUND, &(score_filter){.file = readers[i].file}).n > 0);
}

static void no_measurement_beats_the_bound_unexplained(void **state) {
    (void)state;
    for (size_t i = 0; i < sample.count; i++) {
        const score_row *row = &sample.rows[i];
        if (row->above && !row->explanation)
            fail_msg("%s:%zu on %s: bound %.4g s is above the measured %.4g s", row->file, row->line, row->device,
                     row->predicted[0], row->measured);
    }
}

/* Explained in docs/validation.md, and no more than these. */
static void the_explained_ones_are_known(void **state) {
    (void)state;
    static const struct {
        const char *file, *device;
        size_t above;
    } known[] = {
        {"aic_gemm", "L40S", 4},
        {"aic_moe", "L40S", 14},
    };
    size_t above = 0, expected = 0;
    for (size_t i = 0; i < sample.count; i++)
        above += sample.rows[i].above;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        figures f = score_figures(&sample, BOUND, &(score_filter){.file = known[i].file, .device = known[i].device});
        assert_int_equal(f.above, known[i].above);
        expected += known[i].above;
    }
    assert_int_equal(above, expected);
}

/* ln(bound / measured) of the sample, which leans to rows near the bound: a change of how work is counted moves these.
 * Update them only with a reason. */
static void medians_are_where_they_were(void **state) {
    (void)state;
    static const struct {
        const char *file, *regime;
        double signed_median;
    } expected[] = {
        {"aic_gemm", "gemm, memory", -0.134},
        {"aic_gemm", "gemm, compute", -0.257},
        {"aic_context_attention", "prefill attention, compute", -0.752},
        {"aic_context_attention", "prefill attention, memory", -1.291},
        {"aic_generation_attention", "decode attention, memory", -0.102},
        {"aic_mla", "latent prefill, memory", -0.719},
        {"aic_mla", "latent prefill, compute", -0.415},
        {"aic_mla", "latent decode, memory", -0.070},
        {"aic_mla", "latent decode, compute", -0.333},
        {"aic_moe", "moe, compute", -0.637},
        {"aic_moe", "moe, memory", 0.201},
        {"lbm_fluidx3d", "lattice Boltzmann, memory", -0.198},
        {"lbm_fluidx3d", "lattice Boltzmann, compute", -0.307},
        {"llm_trtllm_static", "static batch, memory", -0.193},
        {"llm_trtllm_static", "static batch, compute", -0.333},
        {"llm_trtllm_static", "static batch, link", -0.760},
        {"llm_trtllm_static", "prefill, compute", -0.356},
        {"llm_trtllm_static", "prefill, link", -0.546},
        {"llm_trtllm_static", "prefill, memory", -0.500},
        {"llm_fastertransformer", "static batch, memory", -0.319},
        {"llm_fastertransformer", "static batch, compute", -0.314},
        {"llm_fastertransformer", "static batch 1, memory", -0.340},
        {"llm_lmdeploy_static", "prefill, memory", -0.433},
        {"llm_lmdeploy_static", "decode batch 1, memory", -0.325},
        {"llm_lmdeploy_static", "static batch 1, memory", -0.377},
        {"llm_lmdeploy_static", "static batch, memory", -0.289},
        {"llm_lmdeploy_static", "decode, memory", -0.255},
        {"llm_lmdeploy_static", "prefill, compute", -0.395},
        {"llm_lmdeploy_static", "static batch, compute", -0.399},
        {"llm_gpt_fast", "decode batch 1, memory", -0.459},
        {"llm_rocm_vllm", "static batch 1, memory", -1.603},
        {"llm_rocm_vllm", "static batch, memory", -1.051},
        {"llm_serving_silicon_agg", "time per token, memory", -0.409},
        {"llm_trtllm_ifb", "most load, memory", -0.234},
        {"llm_trtllm_ifb", "most load, compute", -0.310},
        {"llm_trtllm_ifb", "most load, link", -0.372},
        {"llm_decode_small_tables", "decode batch 1, memory", -0.207},
        {"llm_decode_small_tables", "prefill, compute", -0.341},
        {"llm_llamacpp_mac", "prefill, compute", -0.619},
        {"llm_llamacpp_mac", "decode batch 1, memory", -0.203},
        {"llm_llamacpp_strixhalo", "prefill, compute", -1.374},
        {"llm_llamacpp_strixhalo", "decode batch 1, memory", -0.286},
        {"llm_llamacpp_xjdai", "decode batch 1, memory", -0.210},
        {"llm_llamacpp_xjdai", "prefill, compute", -0.330},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        figures f =
            score_figures(&sample, BOUND, &(score_filter){.file = expected[i].file, .regime = expected[i].regime});
        if (!(fabs(f.signed_median - expected[i].signed_median) <= 0.005))
            fail_msg("%s, %s: signed median %+.3f, was %+.3f", expected[i].file, expected[i].regime, f.signed_median,
                     expected[i].signed_median);
    }
}

/* The nearest a measurement not above it comes to the bound, by file: the same row as among all measurements. */
static void the_tightest_rows_are_where_they_were(void **state) {
    (void)state;
    static const struct {
        const char *file;
        double ratio;
    } expected[] = {
        {"aic_gemm", 0.974},
        {"aic_context_attention", 0.813},
        {"aic_generation_attention", 0.999},
        {"aic_mla", 0.945},
        {"aic_moe", 0.991},
        {"lbm_fluidx3d", 0.921},
        {"llm_trtllm_static", 0.830},
        {"llm_fastertransformer", 0.731},
        {"llm_lmdeploy_static", 0.775},
        {"llm_gpt_fast", 0.719},
        {"llm_rocm_vllm", 0.350},
        {"llm_serving_silicon_agg", 0.832},
        {"llm_trtllm_ifb", 0.834},
        {"llm_decode_small_tables", 0.874},
        {"llm_llamacpp_mac", 0.829},
        {"llm_llamacpp_strixhalo", 0.825},
        {"llm_llamacpp_xjdai", 0.891},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        double most = 0;
        for (size_t k = 0; k < sample.count; k++)
            if (strcmp(sample.rows[k].file, expected[i].file) == 0 && !sample.rows[k].above)
                most = fmax(most, sample.rows[k].predicted[0] / sample.rows[k].measured);
        if (!(fabs(most - expected[i].ratio) <= 0.002))
            fail_msg("%s: nearest bound / measured is %.4f, was %.4f", expected[i].file, most, expected[i].ratio);
    }
}

static void parse(const char *text, csv_table *table) {
    size_t length = strlen(text);
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    assert_int_equal(csv_parse(copy, length, table), 0);
}

/* The examples of RFC 4180, section 2, and what real files add. */
static void tables_are_read(void **state) {
    (void)state;
    csv_table table;
    parse("a,b,c\r\n\"x, y\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n1.5,,\n\n2\n3,4,5,6", &table);
    assert_int_equal(table.columns, 3);
    assert_int_equal(table.rows, 4);
    assert_string_equal(csv_text(&table, 0, "a"), "x, y");
    assert_string_equal(csv_text(&table, 0, "b"), "say \"hi\"");
    assert_string_equal(csv_text(&table, 0, "c"), "two\nlines");
    assert_exact(csv_number(&table, 1, "a"), 1.5);
    assert_true(isnan(csv_number(&table, 1, "b")));
    assert_string_equal(csv_text(&table, 2, "c"), "");
    assert_string_equal(csv_text(&table, 3, "c"), "5");
    assert_string_equal(csv_text(&table, 0, "no such column"), "");
    assert_int_equal(table.lines[1], 4);
    csv_free(&table);
    parse("", &table);
    assert_int_equal(table.rows, 0);
    csv_free(&table);
}

/* llama.cpp adds up 16-bit products in 16 bits, which GeForce does at twice the rate (195 against 97.5 TFLOP/s) and an
 * A100 at the same (312). Figures of GPU-Benchmarks-on-LLM-Inference; the first would beat a bound with 32-bit sums. */
static void half_sums_have_their_own_roof(void **state) {
    (void)state;
    csv_table table;
    score_set all = {0};
    parse("gpu,gpu_count,tp,batch,model,engine,weight_dtype,kv_dtype,input_tokens,output_tokens,metric,value,note\n"
          "4080 16GB,1,1,1,Llama-3-8B,llama.cpp,fp16,fp16,1024,0,prefill_throughput,6758.9,\n"
          "A100 PCIe 80GB,1,1,1,Llama-3-8B,llama.cpp,fp16,fp16,1024,0,prefill_throughput,7504.24,\n",
          &table);
    assert_int_equal(score_table(&all, &table, "llm_llamacpp_xjdai"), 0);
    assert_int_equal(all.count, 2);
    assert_string_equal(all.rows[0].skip, "");
    assert_false(all.rows[0].above);
    const double flops = 2 * 6.98e9 * 1024; /* the matrices of the layers; attention and vector work come on top */
    assert_near(all.rows[0].predicted[0] * 195e12 / flops, 1.1, 0.1);
    assert_near(all.rows[1].predicted[0] * 312e12 / flops, 1.1, 0.1);
    score_free(&all);
    csv_free(&table);
}

static void statistics_are_right(void **state) {
    (void)state;
    score_row rows[] = {
        {.file = "f", .device = "d", .dtype = "t", .regime = "decode, memory", .measured = 1, .predicted = {0.5}},
        {.file = "f", .device = "d", .dtype = "t", .regime = "decode, compute", .measured = 1, .predicted = {0.25}},
        {.file = "f", .device = "d", .dtype = "t", .regime = "prefill", .measured = 1, .predicted = {2}, .above = true},
        {.file = "f", .device = "d", .dtype = "t", .regime = "decode", .skip = "why", .measured = 1, .predicted = {9}},
        {.file = "g", .device = "d", .dtype = "t", .regime = "decode", .measured = 1, .predicted = {(double)NAN}},
    };
    for (size_t i = 0; i < 5; i++) {
        rows[i].kind = i == 2 ? ROOF_REGIME_PREFILL : ROOF_REGIME_DECODE;
        rows[i].low = 0.4;
        rows[i].high = 2;
    }
    score_set all = {.rows = rows, .count = 5};
    figures f = score_figures(&all, BOUND, &(score_filter){.file = "f"});
    assert_int_equal(f.n, 3);
    assert_int_equal(f.above, 1);
    assert_near(f.median, log(2), 1e-12);
    assert_near(f.signed_median, -log(2), 1e-12);
    assert_near(f.p90, 1.8 * log(2), 1e-12);
    assert_near(f.coverage, 2.0 / 3, 1e-12); /* 1 is in [0.2, 1] and in [0.8, 4], not in [0.1, 0.5] */
    assert_near(f.high, exp(1.8 * log(2)), 1e-12);
    assert_int_equal(score_figures(&all, BOUND, &(score_filter){.device = "d", .dtype = "t", .regime = "decode"}).n, 2);
    assert_int_equal(score_figures(&all, BOUND, &(score_filter){.kinds = 1u << ROOF_REGIME_PREFILL}).n, 1);
    assert_int_equal(score_figures(&all, BOUND, &(score_filter){.file = "g"}).n, 0);
    assert_int_equal(score_unexplained(&all), 1);
}

static void pairs_are_counted(void **state) {
    (void)state;
    score_row rows[] = {
        {.file = "f", .device = "x", .like = "s", .units = 1, .measured = 1, .predicted = {0.5, 0.5}},
        {.file = "f", .device = "y", .like = "s", .units = 1, .measured = 2, .predicted = {0.6, 0.5}},
        {.file = "f", .device = "z", .like = "s", .units = 1, .measured = 3, .predicted = {0.1, 0.5}},
        {.file = "f", .device = "x", .like = "other", .units = 1, .measured = 3, .predicted = {0.1, 0.5}},
    };
    score_set all = {.rows = rows, .count = 4};
    pairing pairs[SIDES];
    assert_int_equal(score_pairs(&all, "f", pairs), 0);
    assert_int_equal(pairs[0].pairs, 3); /* machine */
    assert_exact(pairs[0].right[0], 1.0 / 3);
    assert_exact(pairs[0].right[1], 0.5);
    /* factors 2, 3 and 1.5 measured; 1.2, 0.2 and 1/6 predicted, and none by the other */
    assert_near(pairs[0].factor[0], log(9), 1e-12);
    assert_near(pairs[0].factor[1], log(2), 1e-12);
    assert_near(pairs[0].class[0], 1.0 / 3, 1e-12);
    assert_exact(pairs[0].class[1], 0);
    assert_int_equal(pairs[1].pairs, 0);
    assert_int_equal(score_pairs(&all, NULL, pairs), 0);
    assert_int_equal(pairs[0].pairs, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_scored),
        cmocka_unit_test(no_measurement_beats_the_bound_unexplained),
        cmocka_unit_test(the_explained_ones_are_known),
        cmocka_unit_test(medians_are_where_they_were),
        cmocka_unit_test(the_tightest_rows_are_where_they_were),
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(half_sums_have_their_own_roof),
        cmocka_unit_test(statistics_are_right),
        cmocka_unit_test(pairs_are_counted),
    };
    return cmocka_run_group_tests(tests, read_sample, free_sample);
}
