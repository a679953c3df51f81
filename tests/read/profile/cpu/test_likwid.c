/* LIKWID: tables as text and as CSV, marker regions, groups, likwid-bench. The texts are ours, in the shape of LIKWID
 * 5 (its tables as printed by likwid.lua, printOutput). */
#include "alloc/alloc.h"
#include "cpu.h"

#define RULE "+---------------------------+---------+-------------+\n"

/* CG on an AMD MI300A (HPCTrainingExamples, likwid_native_FLOPS_DP.txt): 577889172 FLOPs in 0.6494 s, where LIKWID
 * itself says 889.8334 MFLOP/s. */
static const char zen4[] =
    "INFO: You are running LIKWID in a cpuset with 8 CPUs. Taking given IDs as logical ID in cpuset\n"
    "--------------------------------------------------------------------------------\n"
    "CPU name:\tAMD Instinct MI300A Accelerator\n"
    "CPU type:\tAMD K19 (Zen4) architecture\n"
    "CPU clock:\t3.70 GHz\n"
    "--------------------------------------------------------------------------------\n"
    "172 iterations to converge\n"
    "--------------------------------------------------------------------------------\n"
    "Group 1: FLOPS_DP\n" RULE "|           Event           | Counter | HWThread 24 |\n" RULE
    "|      ACTUAL_CPU_CLOCK     |  FIXC1  |  1400946948 |\n"
    "| RETIRED_SSE_AVX_FLOPS_ALL |   PMC2  |   577889172 |\n"
    "|           MERGE           |   PMC3  |           0 |\n" RULE "\n" RULE
    "|        Metric        | HWThread 24 |\n" RULE "|  Runtime (RDTSC) [s] |      0.6494 |\n"
    "| Runtime unhalted [s] |      0.3787 |\n"
    "|      Clock [MHz]     |   3537.1431 |\n"
    "|     DP [MFLOP/s]     |    889.8334 |\n" RULE "\n";

static void test_text(void **state) {
    (void)state;
    roof_profile *profile = read_good(zen4);
    const roof_measured *cg = point(profile, 0);
    assert_string_equal(roof_profile_about(profile)->format->id, "likwid-text");
    assert_string_equal(roof_profile_about(profile)->device, "AMD Instinct MI300A Accelerator");
    assert_string_equal(cg->where, "FLOPS_DP");
    assert_count(cg->seconds, 0.6494, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_of(cg, ROOF_DTYPE_NONE), 577889172, ROOF_CERTAINTY_COUNTED);
    assert_near(cg->clock, 3537.1431e6, 1e-12);
    assert_near(flops_of(cg, ROOF_DTYPE_NONE).value / cg->seconds.value, 889.8334e6, 1e-4);
    assert_false(warns(profile, "the events are used"));
    roof_profile_free(profile);
}

/* L2: its own volume, which is REQUESTS_TO_L2_GRP1_ALL_NO_PF (93175570) x 64 to LIKWID's four digits. */
static void test_own_volume(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("CPU name:\tx\nCPU type:\ty\nGroup 1: L2\n" RULE "| Event | Counter | HWThread 24 |\n" RULE
                  "| REQUESTS_TO_L2_GRP1_ALL_NO_PF | PMC2 | 93175570 |\n" RULE RULE "| Metric | HWThread 24 |\n" RULE
                  "| Runtime (RDTSC) [s] | 0.3960 |\n"
                  "| L2 data volume [GBytes] | 5.9632 |\n" RULE);
    assert_count(point(profile, 0)->bytes[ROOF_L2], 5.9632e9, ROOF_CERTAINTY_COUNTED);
    assert_near(point(profile, 0)->bytes[ROOF_L2].value, 93175570 * 64.0, 1e-4);
    assert_non_null(strstr(point(profile, 0)->missing, "MEM_DP"));
    roof_profile_free(profile);
}

/* Two regions on two threads: counts summed, time of the slowest, calls; memory counters of a socket have a number on
 * one thread only; the statistics tables are not read again. */
#define REGION(NAME, T0, T1, CALLS)                                                                                    \
    "STRUCT,Info,3,,\nCPU name:,Intel(R) Xeon(R) Platinum 8360Y,,,\nCPU type:,Intel Icelake SP,,,\n"                   \
    "CPU clock:,2.39 GHz,,,\nTABLE,Region " NAME ",Group 1 Raw,MEM_DP,6\n"                                             \
    "Region Info,HWThread 0,HWThread 1,,\nRDTSC Runtime [s]," T0 "," T1 ",,\ncall count," CALLS "," CALLS ",,\n"       \
    "Event,Counter,HWThread 0,HWThread 1,\n"                                                                           \
    "FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE,PMC0,1000,500,\nFP_ARITH_INST_RETIRED_SCALAR_DOUBLE,PMC1,10,20,\n"       \
    "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE,PMC2,7,3,\nFP_ARITH_INST_RETIRED_512B_PACKED_DOUBLE,PMC3,1,1,\n"         \
    "CAS_COUNT_RD,MBOX0C0,100,-,\nCAS_COUNT_WR,MBOX0C1,50,-,\n"                                                        \
    "TABLE,Region " NAME ",Group 1 Raw STAT,MEM_DP,6\nEvent,Counter,Sum,Min,Max,Avg\n"                                 \
    "FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE STAT,PMC0,1500,500,1000,750\n"                                           \
    "TABLE,Region " NAME ",Group 1 Metric,MEM_DP,3\nMetric,HWThread 0,HWThread 1,,\n"                                  \
    "Runtime (RDTSC) [s]," T0 "," T1 ",,\nClock [MHz],3000,2000,,\nMemory data volume [GBytes],0.0000096,0,,\n"        \
    "TABLE,Region " NAME ",Group 1 Metric STAT,MEM_DP,3\nMetric,Sum,Min,Max,Avg\nClock [MHz] STAT,1,1,1,1\n"
static const char regions[] =
    "program output, with commas\n" REGION("triad", "0.5", "0.75", "4") REGION("sum", "0.25", "0.125", "1");

static void test_regions(void **state) {
    (void)state;
    roof_profile *profile = read_good(regions);
    assert_int_equal(point_count(profile), 2);
    const roof_measured *triad = point(profile, 0), *sum = point(profile, 1);
    assert_string_equal(triad->name, "triad");
    assert_string_equal(sum->name, "sum");
    assert_exact(triad->calls, 4);
    assert_count(triad->seconds, 0.75, ROOF_CERTAINTY_COUNTED);
    assert_count(sum->seconds, 0.25, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_of(triad, ROOF_F64), 2 * 1500 + 30 + 4 * 10 + 8 * 2, ROOF_CERTAINTY_COUNTED);
    assert_count(triad->bytes[ROOF_DRAM], 150 * 64, ROOF_CERTAINTY_COUNTED);
    assert_exact(triad->clock, 2500e6);
    assert_null(triad->missing);
    roof_profile_free(profile);
}

/* Groups are apart: their times are not the same run's. Old columns are "Core 0". Without metrics, the time is a row.
 */
static void test_groups(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("STRUCT,Info,3,\nCPU name:,x,\nTABLE,Group 1 Raw,Custom,3\nEvent,Counter,Core 0,Core 1\n"
                  "Runtime (RDTSC) [s],TSC,1.5e+00,1.5e+00\nCAS_COUNT_RD,MBOX0C0,100,0\n"
                  "CAS_COUNT_WR,MBOX0C1,1,0\nTABLE,Group 2 Raw,Other,3\nEvent,Counter,Core 0,Core 1\n"
                  "Runtime (RDTSC) [s],TSC,2.5e+00,2.5e+00\n"
                  "FP_ARITH_INST_RETIRED_SCALAR_SINGLE,PMC0,5,-\n"
                  "FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE,PMC1,5,word\n");
    assert_int_equal(point_count(profile), 2);
    assert_count(point(profile, 0)->seconds, 1.5, ROOF_CERTAINTY_COUNTED);
    assert_count(point(profile, 0)->bytes[ROOF_DRAM], 6464, ROOF_CERTAINTY_COUNTED);
    assert_string_equal(point(profile, 1)->where, "Other");
    assert_count(flops_of(point(profile, 1), ROOF_F32), 5 + 40, ROOF_CERTAINTY_AT_LEAST);
    assert_exact(roof_profile_about(profile)->dropped, 1);
    roof_profile_free(profile);
}

/* A marker region as text; its time is its own, not that of the program. */
static void test_region_as_text(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("CPU name:\tx\nCPU type:\ty\nRegion matrix, vector, Group 1: FLOPS_SP\n" RULE
                  "| Region Info | HWThread 0 | HWThread 1 |\n" RULE "| RDTSC Runtime [s] | 0.250000 | 0.500000 |\n"
                  "| call count | 10 | 10 |\n" RULE RULE "| Event | Counter | HWThread 0 | HWThread 1 |\n" RULE
                  "| FP_ARITH_INST_RETIRED_SCALAR_SINGLE | PMC0 | 4 | 6 |\n"
                  "| FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE | PMC1 | 1 | 0 |\n"
                  "| FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE | PMC2 | 1 | 1 |\n" RULE RULE
                  "| Event | Counter | Sum | Min | Max | Avg |\n" RULE
                  "| FP_ARITH_INST_RETIRED_SCALAR_SINGLE STAT | PMC0 | 10 | 4 | 6 | 5 |\n" RULE);
    assert_int_equal(point_count(profile), 1);
    assert_string_equal(point(profile, 0)->name, "matrix, vector");
    assert_count(point(profile, 0)->seconds, 0.5, ROOF_CERTAINTY_COUNTED);
    assert_exact(point(profile, 0)->calls, 10);
    assert_count(flops_of(point(profile, 0), ROOF_F32), 10 + 4 + 16, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

/* Only a rate: FLOPs are the rate times the runtime. A rate that disagrees with the events is told. */
static void test_rates(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("CPU name:\tx\nCPU type:\ty\nGroup 1: FLOPS_SP\n" RULE "| Event | Counter | HWThread 0 |\n" RULE
                  "| SOME_EVENT | PMC2 | 5 |\n" RULE RULE "| Metric | HWThread 0 |\n" RULE
                  "| Runtime (RDTSC) [s] | 2 |\n| SP [MFLOP/s] | 100 |\n" RULE);
    assert_count(flops_of(point(profile, 0), ROOF_F32), 2e8, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
    char text[sizeof zen4];
    strcpy(text, zen4);
    memcpy(strstr(text, "889.8334"), "444.9000", 8);
    profile = read_good(text);
    assert_true(warns(profile, "the events are used"));
    assert_exact(flops_of(point(profile, 0), ROOF_DTYPE_NONE).value, 577889172);
    roof_profile_free(profile);
}

static void test_refused(void **state) {
    (void)state;
    assert_refused("CPU name:\tAMD\nCPU type:\tZen4\nERROR - [perfgroup.c:830] No such file or directory.\n"
                   "Access to performance group MEM_DP not allowed\n",
                   "measured nothing: it says 'ERROR - [perfgroup.c:830]");
    assert_refused("STRUCT,Info,3,\nCPU name:,x,\n", "no table of counts");
    assert_refused("# compute peaks (MFlop/s)\nflops peakflops \n", "holds no roof");
}

/* likwid-bench on one core of an AMD MI300A (HPCTrainingExamples, likwid_bench.txt). */
static const char listed[] = "# compute peaks (MFlop/s, 1 core)\nflops peakflops 9461.99\nflops peakflops_sse_fma \n"
                             "flops peakflops_avx512_fma 58699.75\nflops peakflops_sp_avx_fma 100000\n"
                             "# load bandwidth by working set (MByte/s, 1 core)\nbw_load load_avx512 16kB 211858.92\n"
                             "# triad (stream) DRAM (MByte/s + MFlop/s, 1 core)\ntriad MFlops/s: 1633.30\n"
                             "triad MByte/s: 26132.74\n";

static void test_bench_list(void **state) {
    (void)state;
    roof_profile *profile = read_good(listed);
    const roof_machine *machine = roof_profile_machine(profile);
    assert_non_null(machine);
    assert_exact(machine->peak[ROOF_VECTOR][ROOF_F64].value, 58699.75e6);
    assert_exact(machine->peak[ROOF_VECTOR][ROOF_F32].value, 100e9);
    assert_exact(machine->bandwidth[ROOF_DRAM].value, 26132.74e6);
    assert_int_equal(machine->bandwidth[ROOF_L1].origin, ROOF_ORIGIN_UNKNOWN);
    assert_int_equal(machine->bandwidth[ROOF_DRAM].origin, ROOF_ORIGIN_MEASURED);
    assert_exact(machine->units.value, 1);
    assert_non_null(strstr(machine->note, "16kB: 211.859 GB/s, level not said"));
    assert_non_null(strstr(machine->note, "peakflops_sse_fma: nothing measured"));
    roof_profile_free(profile);
}

static const char bench[] = "LIKWID MICRO BENCHMARK\nTest: stream\nUsing 1 threads\nTime:\t\t\t2.000000e+00 sec\n"
                            "Number of Flops:\t4000000000\nMFlops/s:\t\t2000.00\nData volume (Byte):\t48000000000\n"
                            "MByte/s:\t\t24000.00\nTest: copy_sp\nTime:\t1 sec\nNumber of Flops:\t0\n"
                            "Data volume (Byte):\t8000\n";

static void test_bench(void **state) {
    (void)state;
    roof_profile *profile = read_good(bench);
    assert_count(flops_of(point(profile, 0), ROOF_F64), 4e9, ROOF_CERTAINTY_COMPUTED);
    assert_count(point(profile, 0)->bytes[ROOF_L1], 48e9, ROOF_CERTAINTY_COMPUTED);
    assert_int_equal(point(profile, 0)->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_MISSING);
    assert_count(point(profile, 0)->seconds, 2, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_of(point(profile, 1), ROOF_F32), 0, ROOF_CERTAINTY_COMPUTED);
    roof_profile_free(profile);
}

static void test_cut(void **state) {
    (void)state;
    cut_everywhere(zen4, "likwid-text");
    cut_everywhere(regions, "likwid-csv");
    cut_everywhere(bench, "likwid-bench");
    cut_everywhere(listed, "likwid-bench-list");
}

static void test_no_memory(void **state) {
    (void)state;
    static const char *const texts[] = {zen4, regions, listed, bench};
    for (size_t i = 0; i < 4; i++)
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
        cmocka_unit_test(test_text),    cmocka_unit_test(test_own_volume), cmocka_unit_test(test_regions),
        cmocka_unit_test(test_groups),  cmocka_unit_test(test_rates),      cmocka_unit_test(test_region_as_text),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_bench_list), cmocka_unit_test(test_bench),
        cmocka_unit_test(test_cut),     cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
