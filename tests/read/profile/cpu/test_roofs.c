/* Machines that benchmarks measured (ERT, CARM, BabelStream) and tables of measured programs (AMDuProf, Advisor, points
 * with an intensity). The texts are ours, in the shape of the real ones; figures of real files are named. */
#include "alloc/alloc.h"
#include "cpu.h"

static const roof_machine *machine_of(const roof_profile *profile) {
    const roof_machine *machine = roof_profile_machine(profile);
    assert_non_null(machine);
    return machine;
}

/* ---- ERT ---- */

/* Figures of a Cascade Lake machine (HPCL/roofline_python, roofline_cascadelake_DP.json). */
static const char cascade_lake[] =
    "{\"empirical\": {\"gbytes\": {\"data\": [[\"L1\", 13932.9], [\"L2\", 3608.6], [\"L3\", 1361.2], [\"DRAM\", 203.2],"
    " [\"Optane\", 12.5]]},\n"
    "\"gflops\": {\"data\": [[\"FP64 Vector GFLOPs\", 1749.95], [\"FP64 Vector GFLOPs FMA\", 3499.9],"
    " [\"FP64 Scalar GFLOPs\", 109.375]]},\n"
    "\"metadata\": {\"ERT_VERSION\": \"1.1.0\", \"HOSTNAME\": [\"cn624.example\", [], [\"10.0.0.1\"]],"
    " \"CONFIG\": {\"ERT_PRECISION\": [\"FP64\"]}}},\n\"spec\": {\"gbytes\": {\"data\": [[\"DRAM\", 281.6]]}}}\n";

static void test_ert(void **state) {
    (void)state;
    roof_profile *profile = read_good(cascade_lake);
    const roof_machine *machine = machine_of(profile);
    assert_string_equal(machine->id, "ert-cn624-example");
    assert_exact(machine->peak[ROOF_VECTOR][ROOF_F64].value, 3499.9e9);
    assert_int_equal(machine->peak[ROOF_VECTOR][ROOF_F64].origin, ROOF_ORIGIN_MEASURED);
    assert_string_equal(machine->peak[ROOF_VECTOR][ROOF_F64].source, "ERT 1.1.0: FP64 Vector GFLOPs FMA");
    assert_exact(machine->bandwidth[ROOF_DRAM].value, 203.2e9);
    assert_exact(machine->bandwidth[ROOF_L1].value, 13932.9e9);
    assert_int_equal(machine->size[ROOF_L1].origin, ROOF_ORIGIN_UNKNOWN);
    assert_non_null(strstr(machine->note, "Optane: 12.5 GB/s"));
    assert_non_null(strstr(machine->note, "FP64 Scalar GFLOPs: 109.375 GFLOP/s"));
    assert_non_null(strstr(machine->note, "specified DRAM: 281.6 GB/s"));
    assert_int_equal(point_count(profile), 0);
    roof_profile_free(profile);
}

/* NERSC's Edison (ERT's own Results): "GFLOPs" says no precision, and none is guessed. "STREAM HBM" is memory. */
static void test_ert_labels(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("{\"empirical\": {\"gbytes\": {\"data\": [[\"DRAM\", 83.0]]}, \"gflops\": {\"data\": "
                  "[[\"GFLOPs\", 355.79]]}, \"metadata\": {\"HOSTNAME\": \"edison\"}}}");
    const roof_machine *machine = machine_of(profile);
    assert_string_equal(machine->id, "ert-edison");
    assert_int_equal(machine->peak[ROOF_VECTOR][ROOF_F64].origin, ROOF_ORIGIN_UNKNOWN);
    assert_non_null(strstr(machine->note, "GFLOPs: 355.79 GFLOP/s, precision not said"));
    assert_true(warns(profile, "no compute roof"));
    roof_profile_free(profile);
    profile =
        read_good("{\"empirical\": {\"gbytes\": {\"data\": [[\"STREAM HBM\", 1500], [\"HBM\", 1600]]}, \"gflops\": "
                  "{\"data\": [[\"GFLOPs\", 7000], [\"FP32 GFLOPs\", 9000], [\"FP16 Tensor GFLOPs\", 90000]]}, "
                  "\"metadata\": {\"CONFIG\": {\"ERT_PRECISION\": [\"DP\"]}}}}");
    machine = machine_of(profile);
    assert_exact(machine->bandwidth[ROOF_DRAM].value, 1600e9);
    assert_non_null(strstr(machine->note, "STREAM HBM: 1500 GB/s"));
    assert_exact(machine->peak[ROOF_VECTOR][ROOF_F64].value, 7000e9);
    assert_exact(machine->peak[ROOF_VECTOR][ROOF_F32].value, 9000e9);
    assert_exact(machine->peak[ROOF_MATRIX][ROOF_F16].value, 90000e9);
    roof_profile_free(profile);
}

static void test_ert_refused(void **state) {
    (void)state;
    assert_refused("{\"empirical\": {\"gbytes\": {\"data\": [[\"DRAM\", \"83\"]]}}}", "gbytes.data[0] is not a pair");
    assert_refused("{\"empirical\": {\"gbytes\": {\"data\": [[\"DRAM\", -1]]}}}", "gbytes.data[0] is not a pair");
    assert_refused("{\"empirical\": {\"gbytes\": {\"data\": [[\"tape\", 1]]}}}", "holds no roof");
    assert_refused("{\"empirical\": {\"gbytes\": 3}}", "is a list");
    assert_refused("{\"empirical\": {\"gbytes\": {\"data\": [[", "");
}

/* ---- CARM ---- */

/* The columns of the CARM tool's run.py (update_csv). */
static const char carm[] =
    "Name:,myhost,L1 Size:,48,L2 Size:,1280,L3 Size:,36864,,L1,L1,L2,L2,L3,L3,DRAM,DRAM,FP,FP,FP FMA,FP_FMA\n"
    "Date,ISA,Precision,Threads,Loads,Stores,Interleaved,DRAM Bytes,FP Inst.,GB/s,I/Cycle,GB/s,I/Cycle,GB/s,I/Cycle,"
    "GB/s,I/Cycle,Gflop/s,I/Cycle,Gflop/s,I/Cycle\n"
    "2024-01-01,scalar,dp,1,2,1,No,524288,add,100.5,3,50.25,2,20,1,10,0.5,8,2,16,2\n"
    "2024-01-01,avx512,dp,8,2,1,No,524288,add,6400,2,3200,1,800,0.5,90.5,0.1,400,2,800,2\n"
    "2024-01-01,avx512,sp,8,2,1,No,524288,fma,6300,2,0,0,800,0.5,90,0.1,1600,2,0,0\n";

static void test_carm(void **state) {
    (void)state;
    roof_profile *profile = read_good(carm);
    const roof_machine *machine = machine_of(profile);
    assert_string_equal(machine->id, "carm-myhost");
    assert_exact(machine->bandwidth[ROOF_L1].value, 6400e9);
    assert_exact(machine->bandwidth[ROOF_L2].value, 3200e9);
    assert_exact(machine->bandwidth[ROOF_DRAM].value, 90.5e9);
    assert_exact(machine->peak[ROOF_VECTOR][ROOF_F64].value, 800e9);
    assert_exact(machine->peak[ROOF_VECTOR][ROOF_F32].value, 1600e9);
    assert_string_equal(machine->peak[ROOF_VECTOR][ROOF_F64].source, "CARM tool: FP FMA avx512 dp, 8 threads, add");
    assert_non_null(strstr(machine->note, "L1 Size: 48 KB"));
    roof_profile_free(profile);
}

static const char carm_programs[] =
    "Date,Method,Name,ISA,Precision,Threads,AI,GFLOPS,Bandwidth,Time\n"
    "2024-01-01,PMU,spmv,avx512,dp,8,0.125,10,80,5\n2024-01-01,DBI,x,y,?,8,oops,10,8,5\n";

static void test_carm_programs(void **state) {
    (void)state;
    roof_profile *profile = read_good(carm_programs);
    assert_int_equal(point_count(profile), 1);
    assert_count(flops_of(point(profile, 0), ROOF_F64), 10e9, ROOF_CERTAINTY_COUNTED);
    assert_count(point(profile, 0)->bytes[ROOF_L1], 80e9, ROOF_CERTAINTY_COUNTED);
    assert_exact(roof_profile_about(profile)->dropped, 1);
    roof_profile_free(profile);
}

/* ---- AMDuProf ---- */

/* CG on an AMD MI300A (HPCTrainingExamples, cg_cpu_roofline.csv). 577856970 FLOPs (perf) in the solver's 0.1644 s are
 * 3.515e9 a second: Throughput is GFLOP/s. */
static const char uprof[] = "AMDuProfPcm Report\nFamily,0x19\nModelName,AMD Instinct MI300A Accelerator\nType,app\n"
                            "Name,cg_cpu\nThroughput,3.5099\nBandwidth,0.2673\nName,other\nThroughput,1\nBandwidth,2\n";

static void test_amduprof(void **state) {
    (void)state;
    roof_profile *profile = read_good(uprof);
    const roof_measured *cg = point(profile, 0);
    assert_string_equal(cg->name, "cg_cpu");
    assert_string_equal(roof_profile_about(profile)->device, "AMD Instinct MI300A Accelerator");
    assert_near(flops_of(cg, ROOF_DTYPE_NONE).value / cg->seconds.value, 577856970 / 0.1644, 5e-3);
    assert_near(cg->bytes[ROOF_DRAM].value, 0.2673e9, 1e-12);
    assert_true(warns(profile, "one second of running"));
    assert_string_equal(point(profile, 1)->name, "other");
    roof_profile_free(profile);
    assert_refused("AMDuProfPcm Report\nProcessor Name:,x\nCORE METRICS\nMetric,System (Aggregated)\n"
                   "Retired SSE/AVX Flops(GFLOPs),0.57\n",
                   "of another mode than roofline");
    assert_refused("AMDuProfPcm Report\nThroughput,fast\n", "Throughput 'fast' is not a number");
}

/* ---- Advisor ---- */

/* The columns that Advisor's Python example names: Self GFLOPS = Self GFLOP / Self Elapsed Time, Self AI = Self GFLOPS
 * / (Self Memory GB / Self Elapsed Time). Versions of a loop begin with a dash and are in the sum above them. */
static const char advisor[] =
    "ID\tFunction Call Sites and Loops\tTotal Time\tSelf Time\tSelf Elapsed Time\tType\tSelf GFLOP\tSelf Memory GB\t"
    "Data Types\n"
    "14\t\"[loop in main at mmult.cpp:79]\"\t0.990s\t0.990s\t0.495s\tVectorized Versions\t17.1\t34.2\tFloat64\n"
    "6\t-[loop in main at mmult.cpp:79]\t0.550s\t0.550s\t0.275s\tVectorized (Body)\t17.1\t34.2\tFloat64\n"
    "2\tinit\t<0.01s\t<0.01s\t<0.01s\tFunction\t\t\t\n";

static void test_advisor(void **state) {
    (void)state;
    roof_profile *profile = read_good(advisor);
    assert_int_equal(point_count(profile), 2);
    const roof_measured *loop = point(profile, 0);
    assert_string_equal(loop->name, "[loop in main at mmult.cpp:79]");
    assert_count(loop->seconds, 0.495, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_of(loop, ROOF_F64), 17.1e9, ROOF_CERTAINTY_COUNTED);
    assert_count(loop->bytes[ROOF_L1], 34.2e9, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(point(profile, 1)->seconds.certainty, ROOF_CERTAINTY_MISSING);
    assert_non_null(strstr(point(profile, 1)->missing, "--flop"));
    roof_profile_free(profile);
}

/* ---- BabelStream ---- */

static const char stream[] =
    "BabelStream\nVersion: "
    "5.0\nfunction,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime\n"
    "Copy,100,33554432,8,21000.5,0.02556,0.03,0.026\nTriad,100,33554432,8,24000,0.03355,0.04,0.034\n";

static void test_babelstream(void **state) {
    (void)state;
    roof_profile *profile = read_good(stream);
    const roof_measured *triad = point(profile, 1);
    assert_exact(triad->calls, 100);
    assert_count(triad->bytes[ROOF_DRAM], 3.0 * 33554432 * 8 * 100, ROOF_CERTAINTY_COMPUTED);
    assert_count(flops_of(triad, ROOF_F64), 2.0 * 33554432 * 100, ROOF_CERTAINTY_COMPUTED);
    assert_near(triad->seconds.value, 3.4, 1e-12);
    assert_near(triad->bytes[ROOF_DRAM].value / 100 / triad->least_seconds, 24000e6, 1e-2);
    assert_exact(machine_of(profile)->bandwidth[ROOF_DRAM].value, 24000e6);
    roof_profile_free(profile);
}

/* BabelStream's published results, v1.0: NVIDIA K40c without and with ECC. */
static void test_babelstream_results(void **state) {
    (void)state;
    roof_profile *profile = read_good("Platform,Device,ECC,Copy,Mul,Add,Triad,Best GB/s,Peak,Percentage\n"
                                      "NVIDIA,K40c,Off,213696.013,214286.39,217204.275,217420.998,217,288,75.5\n"
                                      "NVIDIA,K40c,On,190354.872,190199.107,,190991.101,191,252,75.8\n,,,,,,,,,\n");
    assert_int_equal(point_count(profile), 7);
    assert_string_equal(point(profile, 3)->name, "Triad");
    assert_count(point(profile, 3)->bytes[ROOF_DRAM], 217420.998e6, ROOF_CERTAINTY_COUNTED);
    assert_string_equal(point(profile, 4)->where, "NVIDIA K40c, ECC");
    assert_exact(roof_profile_about(profile)->dropped, 1);
    assert_null(roof_profile_machine(profile));
    roof_profile_free(profile);
}

/* ---- points ---- */

static const char points[] =
    "Arithmetic Intensity,Total Flops,Time (s),Cycles,Label\n"
    "0.082450347,1.10E+12,27.730967,36896071151,MM scalar\n0.53255571,1.37E+12,2.983024,1,NBody";

static void test_application_points(void **state) {
    (void)state;
    roof_profile *profile = read_good(points);
    assert_int_equal(point_count(profile), 2);
    assert_string_equal(point(profile, 1)->name, "NBody");
    assert_count(flops_of(point(profile, 0), ROOF_DTYPE_NONE), 1.1e12, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(point(profile, 0)->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_MISSING);
    assert_true(warns(profile, "at which level"));
    roof_profile_free(profile);
}

/* Ginkgo's roofline benchmark on an AMD EPYC 7742 (thoasm/roofline-benchmark): 2147483648 bytes in 6.62864 ms are the
 * 323.97028 GB/s that it prints. */
static void test_mixed_benchmark(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("   Precision;    [GOP/s];  BW [GB/s];  time [ms]; computations; data [Bytes]; Outer Its; "
                  "Inner Its; Comp Its; # Elements\n"
                  "      double;  364.46656;  323.97028;    6.62864;   2415919104;   2147483648;      "
                  "   4;         8;        0;  268435456\n");
    const roof_measured *mix = point(profile, 0);
    assert_near(mix->bytes[ROOF_DRAM].value / mix->seconds.value, 323.97028e9, 1e-6);
    assert_near(flops_of(mix, ROOF_F64).value / mix->seconds.value, 364.46656e9, 1e-6);
    roof_profile_free(profile);
}

static const char *const texts[] = {cascade_lake, carm, carm_programs, uprof, advisor, stream, points};
static const char *const formats[] = {NULL,      "carm",        "carm-programs",     "amduprof",
                                      "advisor", "babelstream", "application-points"};

static void test_cut(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        cut_everywhere(texts[i], formats[i]);
}

static void test_no_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ALLOC_FAIL_EACH(n, {
            roof_error error = {0};
            roof_profile *profile = roof_read_profile_bytes(texts[i], strlen(texts[i]), NULL, &error);
            if (!profile && error.code != ROOF_ENOMEM && i > 0) /* i = 0: the JSON parser's own words */
                fail_msg("text %zu, allocation %zu: '%s'", i, n, error.what);
            roof_profile_free(profile);
            assert_int_equal(alloc_live(), 0);
        })
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ert),
        cmocka_unit_test(test_ert_labels),
        cmocka_unit_test(test_ert_refused),
        cmocka_unit_test(test_carm),
        cmocka_unit_test(test_carm_programs),
        cmocka_unit_test(test_amduprof),
        cmocka_unit_test(test_advisor),
        cmocka_unit_test(test_babelstream),
        cmocka_unit_test(test_babelstream_results),
        cmocka_unit_test(test_application_points),
        cmocka_unit_test(test_mixed_benchmark),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
