/* perf stat in its three shapes. The texts are ours, in the shape of what perf writes; numbers said to be of real files
 * were compared with them by hand. */
#include "alloc/alloc.h"
#include "cpu.h"

/* A CG solver on an AMD MI300A (AMD's HPCTrainingExamples, CG-CPU/roofline_meas/perf.txt): 577,856,970 FLOPs in
 * 0.547887736 s. */
static const char text_amd[] = "[node01:3703761] a line of the program, 12 things\n"
                               "\n"
                               " Performance counter stats for 'mpirun -n 1 ./cg_cpu src/Dubcova2.pm 12345':\n"
                               "\n"
                               "       577,856,970      fp_ret_sse_avx_ops.all\n"
                               "     1,388,129,248      cycles\n"
                               "     3,207,785,086      instructions                     #    2.31  insn per cycle\n"
                               "\n"
                               "       0.547887736 seconds time elapsed\n"
                               "\n"
                               "       0.257156000 seconds user\n";

static void test_text(void **state) {
    (void)state;
    roof_profile *profile = read_good(text_amd);
    const roof_measured *cg = point(profile, 0);
    assert_string_equal(roof_profile_about(profile)->format->id, "perf-text");
    assert_string_equal(cg->name, "mpirun -n 1 ./cg_cpu src/Dubcova2.pm 12345");
    assert_count(cg->seconds, 0.547887736, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_of(cg, ROOF_DTYPE_NONE), 577856970, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(cg->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_MISSING);
    assert_non_null(strstr(cg->missing, "umc_cas_cmd.rd"));
    assert_true(warns(profile, "every precision together"));
    assert_int_equal(cg->line, 5);
    roof_profile_free(profile);
}

/* What the program prints before, between and behind perf's tables is no kernel, nor a hint at the decimal mark. */
static void test_lines_of_the_program(void **state) {
    (void)state;
    roof_profile *profile = read_good("12.7 GB/s\n"
                                      "1000 iterations\n"
                                      "0,25 residual\n"
                                      " Performance counter stats for './a':\n\n"
                                      "         1,000,000      fp_ret_sse_avx_ops.all\n"
                                      "12.7 GB/s\n"
                                      "       2.000000000 seconds time elapsed\n\n"
                                      "500 cycles\n"
                                      "0.5 fp_ret_sse_avx_ops.all\n");
    assert_int_equal(point_count(profile), 1);
    assert_exact(roof_profile_about(profile)->rows, 1);
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 1e6, ROOF_CERTAINTY_COUNTED);
    assert_count(point(profile, 0)->seconds, 2, ROOF_CERTAINTY_COUNTED);
    assert_false(warns(profile, "ends early"));
    roof_profile_free(profile);
    profile = read_good("77 fp_ret_sse_avx_ops.all\n"
                        "#           time             counts unit events\n"
                        "     1.000100000          1,000      fp_ret_sse_avx_ops.all\n"
                        "12 fp_ret_sse_avx_ops.all\n"
                        "     2.000200000          3,000      fp_ret_sse_avx_ops.all\n");
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 4000, ROOF_CERTAINTY_COUNTED);
    assert_false(warns(profile, "ends early"));
    roof_profile_free(profile);
    profile = read_good("512,,fp_ret_sse_avx_ops.all\n"
                        "# started on Thu Jan  1 00:00:00 2026\n\n"
                        "1000,,fp_ret_sse_avx_ops.all,2000000000,100.00,,\n"
                        "2000000000,ns,duration_time,2000000000,100.00,,\n");
    assert_int_equal(point_count(profile), 1);
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 1000, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

/* Sapphire Rapids, system wide, with groups of metrics (linux-perf-users, 2023-06-16): 226,054.13 ms of CPU clock on
 * 224.588 CPUs are the 1.0065 s that it says elapsed. */
static void test_metrics_are_no_counts(void **state) {
    (void)state;
    roof_profile *profile =
        read_good(" Performance counter stats for 'system wide':\n\n"
                  "        226,054.13 msec cpu-clock                 #  224.588 CPUs utilized\n"
                  "        45,940,682      cycles                    #    0.000 GHz\n"
                  "         7,044,516      branches                  #   31.163 K/sec\n"
                  "            62,169      branch-misses             #    0.88% of all branches\n"
                  "                        TopdownL1                 #     68.7 %  tma_backend_bound\n"
                  "                                                  #      3.1 %  tma_retiring\n\n"
                  "       1.006529767 seconds time elapsed\n\n");
    assert_exact(roof_profile_about(profile)->rows, 4);
    assert_count(point(profile, 0)->seconds, 1.006529767, ROOF_CERTAINTY_COUNTED);
    assert_exact(point(profile, 0)->clock, 0);
    roof_profile_free(profile);
}

/* The same machine with -x, and -j: time is the CPU clock over the CPUs that it says were used. */
static void test_time_of_utilisation(void **state) {
    (void)state;
    roof_profile *csv = read_good("225851.20,msec,cpu-clock,225850700108,100.00,224.431,CPUs utilized\n"
                                  "976,,context-switches,225850504803,100.00,4.321,/sec\n"
                                  "52288305,,cycles,225850188531,100.00,0.000,GHz\n"
                                  ",225849327050,100.00,,,,TopdownL1\n"
                                  ",,,,,70.1,%  tma_backend_bound\n");
    assert_near(point(csv, 0)->seconds.value, 225.8512 / 224.431, 1e-12);
    assert_exact(roof_profile_about(csv)->rows, 3);
    roof_profile_free(csv);
    roof_profile *json =
        read_good("{\"counter-value\" : \"225904.823297\", \"unit\" : \"msec\", \"event\" : \"cpu-clock\", "
                  "\"event-runtime\" : 225904323425, \"pcnt-running\" : 100.00, \"metric-value\" : \"224.456872\", "
                  "\"metric-unit\" : \"CPUs utilized\"}\n"
                  "{\"event-runtime\" : 225902840555, \"pcnt-running\" : 100.00, \"metricgroup\" : \"TopdownL1\"}\n"
                  "{\"metric-value\" : \"69.950631\", \"metric-unit\" : \"%  tma_backend_bound\"}\n");
    assert_near(point(json, 0)->seconds.value, 225.904823297 / 224.456872, 1e-12);
    assert_exact(roof_profile_about(json)->rows, 1);
    assert_exact(roof_profile_about(json)->dropped, 0);
    roof_profile_free(json);
}

/* Not counted, not supported, half of the time: 1e9 + 4 x 2e9 FLOPs, at least. Intel's counters count an FMA twice
 * themselves (perf's event lists, "FP_ARITH_INST_RETIRED"): no factor. perf's value is scaled already. */
static const char partly[] = "# started on Thu Jan  1 00:00:00 2026\n"
                             "\n"
                             "1000000000,,fp_arith_inst_retired.scalar_double,2000000000,100.00,,\n"
                             "2000000000,,fp_arith_inst_retired.256b_packed_double,1000000000,50.00,,\n"
                             "<not counted>,,fp_arith_inst_retired.512b_packed_double,0,0.00,,\n"
                             "<not supported>,,fp_arith_inst_retired.128b_packed_double,0,100.00,,\n"
                             "2000000000,ns,duration_time,2000000000,100.00,,\n";

static void test_missing_is_not_zero(void **state) {
    (void)state;
    roof_profile *profile = read_good(partly);
    const roof_measured *program = point(profile, 0);
    assert_count(flops_of(program, ROOF_F64), 9e9, ROOF_CERTAINTY_AT_LEAST);
    assert_count(program->seconds, 2, ROOF_CERTAINTY_COUNTED);
    assert_true(warns(profile, "fp_arith_inst_retired.512b_packed_double was not counted"));
    assert_true(warns(profile, "ran 50% of the time"));
    assert_true(warns(profile, "only double precision"));
    assert_int_equal(program->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_MISSING);
    roof_profile_free(profile);
}

static void test_no_pmu(void **state) {
    (void)state;
    static const char vm[] = "<not supported>,,cycles,0,100.00,,\n"
                             "<not supported>,,fp_arith_inst_retired.256b_packed_double,0,100.00,,\n"
                             "7596464,ns,duration_time,7596464,100.00,2.070,G/sec\n"
                             "3.67,msec,task-clock,3670670,100.00,0.483,CPUs utilized\n";
    roof_error error = {0};
    assert_null(roof_read_profile_bytes(vm, strlen(vm), NULL, &error));
    assert_non_null(strstr(error.what, "no PMU here"));
    assert_non_null(strstr(error.hint, "0.007596 s"));
}

/* All widths are there: whole. A total and its parts are not added. */
static void test_sets_and_totals(void **state) {
    (void)state;
    roof_profile *profile = read_good("10,,fp_arith_inst_retired.scalar_double,100,100.00,,\n"
                                      "20,,fp_arith_inst_retired.128b_packed_double:u,100,100.00,,\n"
                                      "30,,cpu_core/fp_arith_inst_retired.256b_packed_double/u,100,100.00,,\n"
                                      "5,,cpu_atom/fp_arith_inst_retired.256b_packed_double/,100,100.00,,\n"
                                      "12,,fp_arith_inst_retired.scalar,100,100.00,,\n"
                                      "1000000,ns,duration_time,100,100.00,,\n");
    /* The total of scalars holds single ones too, which were not counted apart: it replaces the part. */
    assert_count(flops_of(point(profile, 0), ROOF_F64), 2 * 20 + 4 * 35, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 12, ROOF_CERTAINTY_COUNTED);
    assert_true(warns(profile, "512-bit instructions were not counted"));
    roof_profile_free(profile);
    profile = read_good("100,,fp_ret_sse_avx_ops.all,1,100.00,,\n60,,fp_ret_sse_avx_ops.mac_flops,1,100.00,,\n");
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 100, ROOF_CERTAINTY_COUNTED);
    assert_true(warns(profile, "does not say how long"));
    roof_profile_free(profile);
    profile =
        read_good("100,,fp_ret_sse_avx_ops.add_sub_flops,1,100.00,,\n60,,fp_ret_sse_avx_ops.mac_flops,1,100.00,,\n");
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 160, ROOF_CERTAINTY_AT_LEAST);
    assert_true(warns(profile, "mult_flops is not in the file"));
    roof_profile_free(profile);
}

/* Memory: MiB as perf scales the uncore, plain counts x 64, a read without its write, misses of the last cache. */
static void test_memory(void **state) {
    (void)state;
    roof_profile *profile = read_good("S0,1,100.50,MiB,uncore_imc_0/cas_count_read/,1,100.00,,\n"
                                      "S0,1,20.25,MiB,uncore_imc_0/cas_count_write/,1,100.00,,\n"
                                      "S1,1,10.00,MiB,uncore_imc_1/cas_count_read/,1,100.00,,\n"
                                      "S1,1,5.00,MiB,uncore_imc_1/cas_count_write/,1,100.00,,\n"
                                      "S0,1,7,,LLC-load-misses,1,100.00,,\n");
    assert_count(point(profile, 0)->bytes[ROOF_DRAM], 135.75 * 1048576, ROOF_CERTAINTY_COUNTED);
    assert_true(warns(profile, "whole sockets"));
    roof_profile_free(profile);
    profile = read_good("1000,,umc_cas_cmd.rd,1,100.00,,\n");
    assert_count(point(profile, 0)->bytes[ROOF_DRAM], 64000, ROOF_CERTAINTY_AT_LEAST);
    roof_profile_free(profile);
    profile = read_good("1000;;LLC-load-misses;1;100,00;;\n2000000;ns;duration_time;1;100,00;;\n");
    assert_count(point(profile, 0)->bytes[ROOF_DRAM], 64000, ROOF_CERTAINTY_AT_LEAST);
    assert_true(warns(profile, "prefetches"));
    roof_profile_free(profile);
}

/* Arm: FP_FIXED_OPS_SPEC counts operations; FP_SCALE_OPS_SPEC operations per 128 bits of the vector length, which the
 * file does not have (Arm ARM, PMU events 0x80C0, 0x80C1). */
static void test_arm(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("500,,fp_fixed_ops_spec,1,100.00,,\n300,,fp_scale_ops_spec,1,100.00,,\n9,,vfp_spec,1,100.00,,\n");
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 800, ROOF_CERTAINTY_AT_LEAST);
    roof_profile_free(profile);
    profile = read_good("500,,vfp_spec,1,100.00,,\n900,,ase_spec,1,100.00,,\n");
    assert_int_equal(point(profile, 0)->flop_count, 0);
    assert_true(warns(profile, "count instructions"));
    roof_profile_free(profile);
}

/* Intervals: sums, or each apart; a last interval with fewer rows is a cut. Both sockets, a spread from -r. */
#define INTERVAL(TIME, A, B)                                                                                           \
    TIME ",S0,4," A ",,fp_ret_sse_avx_ops.all,1000,100.00,,\n" TIME ",S1,4," B                                         \
         ",,fp_ret_sse_avx_ops.all,1000,100.00,,\n"
static const char intervals[] =
    INTERVAL("     0.500", "100", "50") INTERVAL("     1.0001", "200", "50") INTERVAL("     1.5002", "7", "3");

static void test_intervals(void **state) {
    (void)state;
    roof_profile *profile = read_good(intervals);
    assert_count(point(profile, 0)->seconds, 1.5002, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 410, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
    profile = read_good_with(intervals, &(roof_profile_options){.launches = true});
    assert_int_equal(point_count(profile), 3);
    assert_near(point(profile, 1)->seconds.value, 0.5001, 1e-9);
    assert_exact(flops_of(point(profile, 1), ROOF_DTYPE_NONE).value, 250);
    assert_string_equal(point(profile, 1)->where, "until 1.0001 s");
    roof_profile_free(profile);
    char cut[sizeof intervals];
    strcpy(cut, intervals);
    *strstr(cut, "     1.5002,S1") = '\0';
    profile = read_good(cut);
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 407, ROOF_CERTAINTY_AT_LEAST);
    assert_true(warns(profile, "ends early"));
    roof_profile_free(profile);
}

/* One interval out of the middle of a run: how long it was is not known (perf writes the time since the start). */
static void test_interval_of_unknown_length(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("{\"interval\" : 11.127757275, \"counter-value\" : \"85715898.000000\", \"unit\" : \"\", \"event\" : "
                  "\"IDQ.MITE_UOPS\", \"event-runtime\" : 988376123, \"pcnt-running\" : 100.00, \"metric-value\" : "
                  "\"0.000000\", \"metric-unit\" : \"(null)\"}\n");
    assert_int_equal(point(profile, 0)->seconds.certainty, ROOF_CERTAINTY_MISSING);
    roof_profile_free(profile);
}

/* Some perfs write ", }": a comma before the brace. Braces of the program are not perf's. */
static void test_json_of_a_broken_perf(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("{\"step\": 3, \"loss\": {\"a\": 1}}\n"
                  "{\"counter-value\" : \"1000.000000\", \"unit\" : \"\", \"event\" : \"fp_ret_sse_avx_ops.all\", "
                  "\"event-runtime\" : 5, \"pcnt-running\" : 60.00, }\n"
                  "{\"counter-value\" : \"<not counted>\", \"event\" : \"umc_cas_cmd.rd\", \"event-runtime\" : 0, "
                  "\"pcnt-running\" : 0.00}\n"
                  "{\"counter-value\" : \"2000000.000000\", \"unit\" : \"ns\", \"event\" : \"duration_time\"}\n"
                  "{\"counter-value\" : \"12\", \"event\" : }\n");
    const roof_measured *program = point(profile, 0);
    assert_count(flops_of(program, ROOF_DTYPE_NONE), 1000, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(program->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_MISSING);
    assert_count(program->seconds, 0.002, ROOF_CERTAINTY_COUNTED);
    assert_true(warns(profile, "ran 60%"));
    assert_exact(roof_profile_about(profile)->dropped, 1);
    roof_profile_free(profile);
}

/* Repeated runs, several programs in one file, German numbers. */
static void test_repeated_and_appended(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("# started on Mon Jan  1\n\n Performance counter stats for './a' (5 runs):\n\n"
                  "       577.856.970      fp_ret_sse_avx_ops.all     ( +-  0,05% )  (54,18%)\n"
                  "          1.500,25 msec task-clock                 #    0,990 CPUs utilized  ( +-  1,00% )\n"
                  "     3.000.500.000      cycles                     #    2,000 GHz\n\n"
                  "           1,51500 +- 0,00120 seconds time elapsed  ( +-  0,08% )\n\n"
                  "# started on Mon Jan  1\n\n Performance counter stats for './b':\n\n"
                  "               117      fp_ret_sse_avx_ops.all\n\n       0,250000000 seconds time elapsed\n\n");
    assert_int_equal(point_count(profile), 2);
    assert_string_equal(point(profile, 0)->name, "./a");
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 577856970, ROOF_CERTAINTY_COUNTED);
    assert_count(point(profile, 0)->seconds, 1.515, ROOF_CERTAINTY_COUNTED);
    assert_near(point(profile, 0)->clock, 3000500000 / 1.50025, 1e-9);
    assert_true(warns(profile, "ran 54%"));
    assert_true(warns(profile, "means of repeated runs"));
    assert_count(point(profile, 1)->seconds, 0.25, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
    profile = read_good("100,,fp_ret_sse_avx_ops.all,0.05%,1,40.00,,\n");
    assert_true(warns(profile, "ran 40%"));
    roof_profile_free(profile);
}

/* Each CPU, core or thread has rows of its own: counts are summed. */
static void test_every_cpu(void **state) {
    (void)state;
    roof_profile *profile = read_good(" Performance counter stats for 'system wide':\n\n"
                                      "CPU0               1,000      fp_ret_sse_avx_ops.all\n"
                                      "CPU1               2,000      fp_ret_sse_avx_ops.all\n"
                                      "S0-D0-C1        2  3,000      fp_ret_sse_avx_ops.all\n"
                                      "my-prog-4711      4,000      fp_ret_sse_avx_ops.all:u\n"
                                      "CPU3       <not counted>      fp_ret_sse_avx_ops.all\n\n"
                                      "       2.000000000 seconds time elapsed\n\n");
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 10000, ROOF_CERTAINTY_AT_LEAST);
    assert_true(warns(profile, "not counted everywhere"));
    roof_profile_free(profile);
    profile = read_good(
        "{\"cpu\" : \"0\", \"counter-value\" : \"8\", \"event\" : \"umc_cas_cmd.all\", \"event-runtime\" : 1}\n"
        "{\"cpu\" : \"1\", \"counter-value\" : \"9\", \"event\" : \"umc_cas_cmd.all\", \"event-runtime\" : 1}\n");
    assert_count(point(profile, 0)->bytes[ROOF_DRAM], 17 * 64, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
    profile = read_good("CPU0|500||fp_ret_sse_avx_ops.all|1|100.00||\nCPU1|600||fp_ret_sse_avx_ops.all|1|100.00||\n");
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 1100, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

/* Blocks joined by the shell, with no line between them: counts of both beside the time of one would be twice the rate.
 */
static void test_joined_without_a_line(void **state) {
    static const char one[] = "1000000000,,fp_arith_inst_retired.scalar_double,2000000000,100.00,,\n"
                              "2000000000,ns,duration_time,2000000000,100.00,,\n";
    static const char cpus[] = "CPU0,1000000000,,fp_arith_inst_retired.scalar_double,2000000000,100.00,,\n"
                               "CPU0,2000000000,ns,duration_time,2000000000,100.00,,\n"
                               "CPU1,1000000000,,fp_arith_inst_retired.scalar_double,2000000000,100.00,,\n"
                               "CPU1,2000000000,ns,duration_time,2000000000,100.00,,\n";
    char both[2 * sizeof one];
    (void)state;
    snprintf(both, sizeof both, "%s%s", one, one);
    roof_profile *profile = read_good(both);
    assert_int_equal(point(profile, 0)->seconds.certainty, ROOF_CERTAINTY_MISSING);
    assert_true(warns(profile, "several runs, one after the other"));
    roof_profile_free(profile);
    profile = read_good(one);
    assert_count(point(profile, 0)->seconds, 2, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
    profile = read_good(cpus); /* one run, told CPU by CPU */
    assert_count(point(profile, 0)->seconds, 2, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

static void test_refused(void **state) {
    (void)state;
    assert_refused(" Performance counter stats for './a':\n\n", "holds no measurement");
    assert_refused(" Performance counter stats for './a':\n\n  117.344  cycles\n", "may be . decimal or a thousand");
    assert_refused("117,,cycles,1,100", "holds no measurement");
    assert_refused_with("{\"a\": 1}\n", &(roof_profile_options){.format = "perf-json"}, "holds no measurement");
    assert_refused_with("100,,fp_ret_sse_avx_ops.all,1,100.00,,\n100", &(roof_profile_options){.strict = true},
                        "ends early");
}

/* perf stat -j in a locale with a decimal comma writes no JSON. */
static void test_json_of_another_locale(void **state) {
    (void)state;
    static const char text[] =
        "{\"counter-value\" : \"1234,560000\", \"unit\" : \"msec\", \"event\" : \"task-clock\", "
        "\"event-runtime\" : 1234560000, \"pcnt-running\" : 100,00, \"metric-value\" : "
        "\"0,992000\", \"metric-unit\" : \"CPUs utilized\"}\n"
        "{\"counter-value\" : \"1000,000000\", \"unit\" : \"\", \"event\" : "
        "\"fp_ret_sse_avx_ops.all\", \"event-runtime\" : 1234560000, \"pcnt-running\" : 100,00}\n";
    roof_error error = {0};
    assert_null(roof_read_profile_bytes(text, strlen(text), NULL, &error));
    assert_non_null(strstr(error.what, "decimal comma"));
    assert_non_null(strstr(error.hint, "LC_ALL=C"));
    assert_int_equal(error.line, 1);
}

/* Digits in groups of three with blanks between are one number; other groups are none, and said. */
static void test_blanks_between_digits(void **state) {
    (void)state;
    roof_profile *profile = read_good(" Performance counter stats for './a':\n\n"
                                      "        12 577 856      fp_ret_sse_avx_ops.all\n"
                                      "             12 34      cycles\n\n"
                                      "       2,000000000 seconds time elapsed\n");
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 12577856, ROOF_CERTAINTY_COUNTED);
    assert_true(warns(profile, "'12 34' of cycles is not a number"));
    roof_profile_free(profile);
    profile = read_good("#           time socket cpus             counts unit events\n"
                        "     1.000100000 S0       16         12 345      fp_ret_sse_avx_ops.all\n"
                        "     1.000100000 S1       16              5      fp_ret_sse_avx_ops.all\n");
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 12350, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

/* However long the command line is. */
static void test_long_command(void **state) {
    (void)state;
    static char text[12000], command[9000];
    memset(command, 'x', sizeof command - 1);
    snprintf(text, sizeof text,
             " Performance counter stats for '%s':\n\n 1,000 cycles\n\n 2.000000000 seconds time elapsed\n", command);
    roof_profile *profile = read_good(text);
    assert_string_equal(point(profile, 0)->name, command);
    roof_profile_free(profile);
}

/* Numbers beyond any counter are not believed. */
static void test_hostile(void **state) {
    (void)state;
    roof_profile *profile = read_good("1e308,,fp_arith_inst_retired.scalar_double,1,100.00,,\n"
                                      "-5,,fp_arith_inst_retired.scalar_single,1,100.00,,\n"
                                      "10,,cycles,1,100.00,,\n");
    assert_int_equal(flops_of(point(profile, 0), ROOF_F64).certainty, ROOF_CERTAINTY_MISSING);
    roof_profile_free(profile);
}

static void test_cut(void **state) {
    (void)state;
    cut_everywhere(text_amd, "perf-text");
    cut_everywhere(partly, "perf-csv");
}

static void test_no_memory(void **state) {
    (void)state;
    static const char *const texts[] = {text_amd, partly, intervals};
    for (size_t i = 0; i < 3; i++)
        ALLOC_FAIL_EACH(n, {
            roof_error error = {0};
            roof_profile *profile = roof_read_profile_bytes(texts[i], strlen(texts[i]), NULL, &error);
            if (!profile && error.code != ROOF_ENOMEM)
                fail_msg("allocation %zu: '%s'", n, error.what);
            roof_profile_free(profile);
            assert_int_equal(alloc_live(), 0);
        })
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_lines_of_the_program),
        cmocka_unit_test(test_metrics_are_no_counts),
        cmocka_unit_test(test_time_of_utilisation),
        cmocka_unit_test(test_missing_is_not_zero),
        cmocka_unit_test(test_no_pmu),
        cmocka_unit_test(test_sets_and_totals),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_arm),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_interval_of_unknown_length),
        cmocka_unit_test(test_json_of_a_broken_perf),
        cmocka_unit_test(test_repeated_and_appended),
        cmocka_unit_test(test_every_cpu),
        cmocka_unit_test(test_joined_without_a_line),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_json_of_another_locale),
        cmocka_unit_test(test_blanks_between_digits),
        cmocka_unit_test(test_long_command),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
