/* The bound is a bound on a sample of published measurements and stays as tight as it was; the expected time stays as
 * near. The measurements are others' (sample.csv names the source of each row); docs/validation.md has the figures of
 * all rows. sample_held.csv is what `score --table sample.csv --held` prints: renew it only with a reason. */
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
    assert_in_range(sample.count, 300, 400);
    for (size_t i = 0; i < sample.count; i++)
        if (sample.rows[i].skip[0])
            fail_msg("%s:%zu: %s", sample.rows[i].file, sample.rows[i].line, sample.rows[i].skip);
    size_t files = 0;
    for (size_t i = 0; i < reader_count; i++)
        files += score_figures(&sample, BOUND, &(score_filter){.file = readers[i].file}).n > 0;
    assert_in_range(files, 20, reader_count);
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
        {"aic_comm", "H100-SXM-80GB", 2},
        {"aic_comm", "H200-SXM-141GB", 5},
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

static double held_value(const csv_table *held, size_t at, const char **of, const char **regime) {
    *of = csv_text(held, at, "of");
    *regime = csv_text(held, at, "regime");
    return csv_number(held, at, "value");
}

/* A change of how work is counted moves these, either way. */
static void check_bound_of(const char *file, const char *regime, double was) {
    figures f = score_figures(&sample, BOUND, &(score_filter){.file = file, .regime = regime});
    if (!(fabs(f.signed_median - was) <= 0.005))
        fail_msg("%s, %s: ln(bound / measured) is %+.4f, was %+.4f", file, regime, f.signed_median, was);
}

static void check_tightest(const char *file, double was) {
    double is = score_tightest(&sample, file);
    if (!(fabs(is - was) <= 0.002))
        fail_msg("%s: nearest bound / measured is %.4f, was %.4f", file, is, was);
}

/* Better is welcome; worse by a twentieth is not. */
static void check_kind(const char *kind, double was, double covered) {
    unsigned bit = 0;
    for (int i = 0; i < ROOF_REGIME_COUNT; i++)
        bit |= strcmp(roof_regime_name((roof_regime)i), kind) == 0 ? 1u << i : 0;
    figures f = score_figures(&sample, IN_SAMPLE, &(score_filter){.kinds = bit});
    if (!(f.median <= 1.05 * was))
        fail_msg("%s: median |ln(expected / measured)| is %.4f, was %.4f", kind, f.median, was);
    if (!(f.coverage >= covered - 0.05))
        fail_msg("%s: intervals hold %.2f of the measured times, held %.2f", kind, f.coverage, covered);
}

static void figures_are_where_they_were(void **state) {
    (void)state;
    csv_table held;
    size_t kinds = 0;
    assert_int_equal(csv_read(TEST_DATA "/sample_held.csv", &held), 0);
    for (size_t i = 0; i < held.rows; i++) {
        const char *of, *regime, *figure = csv_text(&held, i, "figure");
        double was = held_value(&held, i, &of, &regime);
        if (strcmp(figure, "bound") == 0)
            check_bound_of(of, regime, was);
        else if (strcmp(figure, "tightest") == 0)
            check_tightest(of, was);
        else
            check_kind(of, was, csv_number(&held, i, "coverage"));
        kinds += strcmp(figure, "expected") == 0;
    }
    csv_free(&held);
    assert_in_range(kinds, 12, ROOF_REGIME_COUNT);
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
        cmocka_unit_test(figures_are_where_they_were),
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(half_sums_have_their_own_roof),
        cmocka_unit_test(statistics_are_right),
        cmocka_unit_test(pairs_are_counted),
    };
    return cmocka_run_group_tests(tests, read_sample, free_sample);
}
