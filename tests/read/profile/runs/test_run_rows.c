/* Our own CSV of runs and operations. */
#include "alloc/alloc.h"
#include "runs.h"

#define HEAD "model,weights,metric,batch,prompt,generate,context,tensor,seconds,tokens_per_second\n"

static void each_metric_fills_its_figures(void **state) {
    (void)state;
    roof_profile *profile = read_good("# ours\n" HEAD "llama-3.1-8b,bf16,prefill,2,1000,,,,0.05,\n"
                                      "llama-3.1-8b,bf16,prefill,1,1000,,3000,1,,20000\n"
                                      "llama-3.1-8b,fp8,decode,16,,,2048,2,0.01,\n"
                                      "llama-3.1-8b,fp8,decode,16,1024,512,,2,,1600\n"
                                      "llama-3.1-8b,,tpot,32,1024,256,,1,0.02,\n"
                                      "llama-3.1-8b,,run,8,512,128,,1,2,\n");
    assert_int_equal(run_count(profile), 6);
    assert_near(run_at(profile, 0)->prefill_rate, 40000, 1e-12);
    assert_exact(run_at(profile, 0)->concurrency, 2);
    assert_exact(run_at(profile, 1)->depth, 2000);
    assert_exact(run_at(profile, 1)->prefill_rate, 20000);
    assert_exact(run_at(profile, 2)->tpot, 0.01);
    assert_true(run_at(profile, 2)->apart);
    assert_exact(run_at(profile, 2)->depth, 2048);
    assert_exact(run_at(profile, 2)->tensor, 2);
    assert_string_equal(run_at(profile, 2)->weights, "fp8");
    assert_exact(run_at(profile, 3)->tpot, 0.01);
    assert_exact(run_at(profile, 3)->depth, 1280);
    assert_exact(run_at(profile, 4)->tpot, 0.02);
    assert_false(run_at(profile, 4)->apart);
    assert_exact(run_at(profile, 5)->output_rate, 512);
    assert_int_equal(run_at(profile, 5)->line, 8);
    roof_profile_free(profile);
}

static void operations_are_built(void **state) {
    (void)state;
    roof_profile *profile = read_good("operation,seconds\ngemm m=8 n=14336 k=4096 dtype=bf16,40e-6\n"
                                      "attention heads=32 kv_heads=8 q_len=512 qk_width=128 causal,1e-4\n");
    const roof_measured *gemm = point(profile, 0), *attention = point(profile, 1);
    assert_true(gemm->has_operation && attention->has_operation);
    assert_int_equal(gemm->operation.kind, ROOF_KIND_GEMM);
    assert_exact(gemm->operation.matrix_flops, 2.0 * 8 * 14336 * 4096);
    assert_exact(gemm->seconds.value, 40e-6);
    assert_int_equal(attention->operation.kind, ROOF_KIND_ATTENTION);
    roof_profile_free(profile);
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    static const struct {
        const char *row, *words;
    } bad[] = {
        {"m,,prefil,1,8,,,,1,\n", "unknown metric 'prefil'"},
        {"m,,,1,8,,,,1,\n", "a row names no metric"},
        {"m,,prefill,1,,,,,1,\n", "no prompt (tokens of one) beside the metric 'prefill'"},
        {"m,,decode,1,9,,,,1,\n", "no context, and no prompt and generate, beside the metric 'decode'"},
        {"m,,tpot,1,9,,,,1,\n", "no generate (tokens of one answer) beside the metric 'tpot'"},
        {"m,,run,1,9,9,,,1,1\n", "both seconds and tokens_per_second"},
        {"m,,run,1,9,9,,,,\n", "no time above zero"},
        {"m,,run,1,9,9,,,-1,\n", "no time above zero"},
        {"m,,run,1,9,9,,,1e10,\n", "no run takes that long"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD "%s", bad[i].row);
        assert_refused(text, NULL, bad[i].words, 2);
    }
    assert_refused(HEAD "m,,prefill,-1,9,,,1,1,\n", NULL, "batch or tensor of less than one: '-1'", 2);
    assert_refused(HEAD "m,,prefill,1,9,,,0,1,\n", NULL, "batch or tensor of less than one: '0'", 2);
    assert_refused(HEAD "m,,prefill,1,-9,,,1,1,\n", NULL, "no number of tokens: '-9'", 2);
    assert_refused(HEAD "m,,decode,1,,,many,1,1,\n", NULL, "many", 2);
    assert_refused("operation,seconds\ngem m=8,1\n", NULL, "gem", 2);
    assert_refused("operation,seconds\ngemm m=8 n=8 k=8,\n", NULL, "no time above zero", 2);
    assert_refused("operation,seconds\ngemm m=8 n=8 k=x,1\n", NULL, "no value that can be read for 'k'", 2);
    assert_refused("operation,seconds\ngemm m=8 n=8 depth=1,1\n", NULL, "depth", 2);
    assert_refused("operation,seconds\ngemm m=8 n=8,1\n", NULL, "k", 2);
    assert_refused("operation,seconds\ngemm m=8 n=8 k=8 dtype=bf17,1\n", NULL, "no value that can be read for 'dtype'",
                   2);
}

static void rows_cut_short_are_told(void **state) {
    (void)state;
    roof_profile *profile = read_good(HEAD "m,,run,1,9,9,,,1,\nm,,run,1,9");
    assert_int_equal(run_count(profile), 1);
    assert_exact(roof_profile_about(profile)->dropped, 1);
    assert_true(roof_profile_about(profile)->ended_early);
    roof_profile_free(profile);
}

static void columns_of_spreadsheets(void **state) {
    (void)state;
    roof_profile *profile = read_good("# made by hand\nmodel;metric;prompt;seconds\nm;prefill;9;1.5\n");
    assert_int_equal(run_count(profile), 1);
    roof_profile_free(profile);
    profile = read_good("model\tmetric\tprompt\tseconds\nm\tprefill\t9\t1.5\n");
    assert_int_equal(run_count(profile), 1);
    roof_profile_free(profile);
    assert_refused("model;metric;prompt;seconds\nm;prefill;9;1,5\n", NULL, "1,5", 2);
}

static void no_memory(void **state) {
    (void)state;
    static const char *const texts[] = {HEAD "m,f16,run,8,9,9,,,1,\nn,,decode,1,,,64,,,30\n",
                                        "operation,seconds\ngemm m=8 n=8 k=8,1\ndot n=1e6,2e-5\n"};
    for (size_t i = 0; i < 2; i++)
        ALLOC_FAIL_EACH(n, {
            roof_error error = {0};
            roof_profile *profile = read_text(texts[i], NULL, &error);
            if (!profile && error.code != ROOF_ENOMEM)
                fail_msg("allocation %zu: '%s'", n, error.what);
            roof_profile_free(profile);
            assert_int_equal(alloc_live(), 0);
        })
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_metric_fills_its_figures), cmocka_unit_test(operations_are_built),
        cmocka_unit_test(what_is_missing_is_named),      cmocka_unit_test(rows_cut_short_are_told),
        cmocka_unit_test(columns_of_spreadsheets),       cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
