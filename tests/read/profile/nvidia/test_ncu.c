/* Nsight Compute CSV. The tables are ours, in the shape of what ncu writes; numbers of named files were compared with
 * those files by hand. */
#include <stdlib.h>

#include "alloc/alloc.h"
#include "reading.h"
#include "roofline_profile.h"

/* ---- tables ---- */

#define HEAD                                                                                                           \
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\","      \
    "\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define ROW_ON(DEVICE, ID, NAME, METRIC, UNIT, VALUE)                                                                  \
    "\"" ID "\",\"4711\",\"app\",\"127.0.0.1\",\"" NAME "\",\"1\",\"7\",\"(256, 1, 1)\",\"(64, 1, 1)\",\"" DEVICE      \
    "\",\"8.0\",\"Command line profiler metrics\",\"" METRIC "\",\"" UNIT "\",\"" VALUE "\"\n"
#define ROW(ID, NAME, METRIC, UNIT, VALUE) ROW_ON("0", ID, NAME, METRIC, UNIT, VALUE)
#define OP(X) "smsp__sass_thread_inst_executed_op_" X "_pred_on.sum"

#define AXPY "void axpy<float>(int, float, const float *, float *)"
#define FLASH "flash_fwd_kernel<Traits<128, 64>, true>(Params)"

/* Time and DRAM bytes of two kernels in units that differ; the tensor pipe of the second worked, and one count is
 * n/a. */
static const char two_kernels[] =
    "==PROF== Connected to process 4711 (/tmp/app)\n"
    "==WARNING== Unable to access the following 1 metrics: foo.\n"
    "some program output, with \"quotes\" and, commas\n"
    "\"and a quote that never closes, 1,2,3\n" HEAD ROW("0", AXPY, "gpu__time_duration.sum", "usecond", "412.48") ROW(
        "0", AXPY, "dram__bytes_read.sum", "Mbyte", "805.31") ROW("0", AXPY, "dram__bytes_write.sum", "Mbyte", "402.65")
        ROW("0", AXPY, OP("ffma"), "inst", "100,663,296") ROW("0", AXPY, OP("fadd"), "inst", "0")
            ROW("0", AXPY, OP("fmul"), "inst",
                "0") "12 more lines of the program, 34\n" ROW("1", FLASH, "gpu__time_duration.sum", "msecond", "1.25")
                ROW("1", FLASH, "dram__bytes_read.sum", "Gbyte", "0.27")
                    ROW("1", FLASH, "dram__bytes_write.sum", "Kbyte", "134,217.73")
                        ROW("1", FLASH, OP("ffma"), "inst", "1,073,741,824")
                            ROW("1", FLASH, OP("fadd"), "inst", "2,147,483,648")
                                ROW("1", FLASH, OP("fmul"), "inst", "n/a")
                                    ROW("1", FLASH, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
                                        "%", "63.20") "==PROF== Disconnected from process 4711\n";

/* ---- reading ---- */

static void assert_fails(const char *text, const char *part, long line) {
    roof_error error = {0};
    roof_profile *profile = read_text(text, NULL, &error);
    assert_null(profile);
    if (!strstr(error.what, part))
        fail_msg("'%s' does not say '%s'", error.what, part);
    if (line > 0)
        assert_int_equal(error.line, line);
    assert_true(error.hint[0] != '\0');
}

/* ---- the details page ---- */

static void test_two_kernels(void **state) {
    (void)state;
    roof_profile *profile = read_good(two_kernels);
    const roof_measured *axpy = point(profile, 0), *flash = point(profile, 1);
    assert_string_equal(roof_profile_about(profile)->format->id, "ncu-details");
    assert_int_equal(point_count(profile), 2);
    assert_string_equal(axpy->name, AXPY);
    assert_int_equal(axpy->line, 6);
    assert_count(axpy->seconds, 412.48e-6, ROOF_CERTAINTY_COUNTED);
    assert_count(axpy->bytes[ROOF_DRAM], 1207960000, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_on(axpy, ROOF_VECTOR, ROOF_F32), 201326592, ROOF_CERTAINTY_COUNTED);
    assert_null(axpy->missing);
    assert_string_equal(flash->name, FLASH);
    assert_count(flash->seconds, 1.25e-3, ROOF_CERTAINTY_COUNTED);
    assert_count(flash->bytes[ROOF_DRAM], 404217730, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_on(flash, ROOF_VECTOR, ROOF_F32), 4294967296, ROOF_CERTAINTY_AT_LEAST);
    assert_near(flash->matrix_active, 0.632, 1e-12);
    assert_int_equal(flops_on(flash, ROOF_MATRIX, ROOF_DTYPE_NONE).certainty, ROOF_CERTAINTY_MISSING);
    assert_non_null(strstr(flash->missing, "sm__ops_path_tensor_src_bf16_dst_fp32.sum"));
    assert_true(warns(profile, "Unable to access the following 1 metrics"));
    roof_profile_free(profile);
}

/* As ncu_details_a100_gemm.csv has it: no time but cycles and their rate, every level of memory, and tensor
 * instructions that are all HFMA2.MMA (104,857,600 x 32 = 3,355,443,200): no matrix work. */
static void test_every_level(void **state) {
    (void)state;
    roof_profile *profile = read_good(
        HEAD ROW("2", "gemm", "dram__bytes.sum", "byte", "4,394,965,922,944.00") ROW("2", "gemm", "l1tex__t_bytes.sum",
                                                                                     "byte", "171,805,402,726,400.00")
            ROW("2", "gemm", "lts__t_bytes.sum", "byte", "13,077,104,026,080.00")
                ROW("2", "gemm", "smsp__cycles_elapsed.avg", "cycle", "28,293,058,736.76")
                    ROW("2", "gemm", "smsp__cycles_elapsed.avg.per_second", "cycle/second", "764,999,997.55")
                        ROW("2", "gemm", "smsp__inst_executed_pipe_tensor.sum", "inst", "104,857,600.00")
                            ROW("2", "gemm", OP("ffma"), "inst", "34,359,738,368,000.00")
                                ROW("2", "gemm", OP("fadd"), "inst", "0.00") ROW("2", "gemm", OP("fmul"), "inst", "0")
                                    ROW("2", "gemm", OP("hadd"), "inst", "0") ROW("2", "gemm", OP("hmul"), "inst", "0")
                                        ROW("2", "gemm", OP("hfma"), "inst", "3,355,443,200.00"));
    const roof_measured *gemm = point(profile, 0);
    assert_count(gemm->seconds, 28293058736.76 / 764999997.55, ROOF_CERTAINTY_COUNTED);
    assert_near(gemm->clock, 764999997.55, 1e-12);
    assert_count(gemm->bytes[ROOF_DRAM], 4394965922944.0, ROOF_CERTAINTY_COUNTED);
    assert_count(gemm->bytes[ROOF_L2], 13077104026080.0, ROOF_CERTAINTY_COUNTED);
    assert_count(gemm->bytes[ROOF_L1], 171805402726400.0, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_on(gemm, ROOF_VECTOR, ROOF_F32), 2 * 34359738368000.0, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_on(gemm, ROOF_VECTOR, ROOF_F16), 4 * 3355443200.0, ROOF_CERTAINTY_COUNTED);
    assert_exact(gemm->matrix_active, 0);
    assert_null(gemm->missing);
    roof_profile_free(profile);
}

/* Instructions of the tensor pipe have no FLOPs: their shape is not counted. */
static void test_tensor_instructions_are_no_flops(void **state) {
    (void)state;
    roof_profile *profile =
        read_good(HEAD ROW("0", "wmma", "gpu__time_duration.sum", "ns", "7,744")
                      ROW("0", "wmma", "dram__bytes.sum", "byte", "415,488")
                          ROW("0", "wmma", "sm__inst_executed_pipe_tensor.sum", "inst", "10,000")
                              ROW("0", "wmma", OP("hfma"), "inst", "9") ROW("0", "wmma", OP("hadd"), "inst", "0")
                                  ROW("0", "wmma", OP("hmul"), "inst", "1,234,567"));
    const roof_measured *wmma = point(profile, 0);
    assert_int_equal(flops_on(wmma, ROOF_MATRIX, ROOF_DTYPE_NONE).certainty, ROOF_CERTAINTY_MISSING);
    assert_exact(wmma->matrix_active, -1);
    assert_non_null(wmma->missing);
    assert_count(flops_on(wmma, ROOF_VECTOR, ROOF_F16), 36 + 2 * 1234567.0, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

static void test_tensor_operations(void **state) {
    (void)state;
#define TENSOR(X) "sm__ops_path_tensor_src_" X ".sum"
    roof_profile *profile = read_good(
        HEAD ROW("0", "mm", "gpu__time_duration.sum", "ns", "7,744,000") ROW("0", "mm", TENSOR("bf16_dst_fp32"), "",
                                                                             "2,048,000")
            ROW("0", "mm", TENSOR("fp16"), "", "512,000,000") ROW("0", "mm", TENSOR("fp16_dst_fp16"), "", "500,000,000")
                ROW("0", "mm", TENSOR("fp16_dst_fp32"), "", "12,000,000") ROW("0", "mm", TENSOR("fp8_sparsity_off"), "",
                                                                              "7,000,000")
                    ROW("0", "mm", TENSOR("fp8_sparsity_on"), "", "2,000,000") ROW("0", "mm", TENSOR("int8"), "", "0")
                        ROW("0", "mm", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "%", "40"));
    const roof_measured *mm = point(profile, 0);
    assert_count(flops_on(mm, ROOF_MATRIX, ROOF_BF16), 2048000, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_on(mm, ROOF_MATRIX, ROOF_F16), 512000000, ROOF_CERTAINTY_COUNTED); /* not the parts again */
    assert_count(flops_on(mm, ROOF_MATRIX, ROOF_FP8), 9000000, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_on(mm, ROOF_MATRIX, ROOF_INT8), 0, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(flops_on(mm, ROOF_MATRIX, ROOF_DTYPE_NONE).from == NULL, 1);
    roof_profile_free(profile);
}

/* As `ncu --csv --set detailed` labels them; "Memory Throughput" appears twice, once as a share. */
static void test_labels(void **state) {
    (void)state;
    roof_profile *profile = read_good(HEAD ROW("0", "copy", "Duration", "us", "292.93")
                                          ROW("0", "copy", "Elapsed Cycles", "cycle", "762,918")
                                              ROW("0", "copy", "Memory Throughput", "%", "91.25")
                                                  ROW("0", "copy", "Memory Throughput", "Gbyte/second", "605.32")
                                                      ROW("0", "copy", "SM Frequency", "Ghz", "2.60")
                                                          ROW("0", "copy", "Function Cache Configuration", "", "none"));
    const roof_measured *copy = point(profile, 0);
    assert_count(copy->seconds, 292.93e-6, ROOF_CERTAINTY_COUNTED);
    assert_count(copy->bytes[ROOF_DRAM], 605.32e9 * 292.93e-6, ROOF_CERTAINTY_COUNTED);
    assert_non_null(strstr(copy->bytes[ROOF_DRAM].from, "derived"));
    assert_near(copy->clock, 2.6e9, 1e-12);
    assert_non_null(copy->missing);
    assert_null(strstr(copy->missing, "dram__bytes"));
    roof_profile_free(profile);
}

/* What --set roofline gives: instructions a cycle, those of FMA with their weight; the share of the peak is no count.
 */
static void test_rates(void **state) {
    (void)state;
    roof_profile *profile = read_good(
        HEAD ROW("0", "k", "gpu__time_duration.sum", "ms", "2.00")
            ROW("0", "k", "smsp__cycles_elapsed.avg.per_second", "cycle/nsecond", "1.50")
                ROW("0", "k", OP("fadd") ".per_cycle_elapsed", "inst/cycle", "10.25")
                    ROW("0", "k", OP("fmul") ".per_cycle_elapsed", "inst/cycle", "0")
                        ROW("0", "k", "derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2", "inst", "200.5")
                            ROW("0", "k", "derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2", "inst", "33,792")
                                ROW("0", "k", OP("ffma") ".pct_of_peak_sustained_elapsed", "%", "99.00")
                                    ROW("0", "k", "dram__bytes.sum.per_second", "Tbyte/second", "1.25"));
    const roof_measured *k = point(profile, 0);
    assert_count(flops_on(k, ROOF_VECTOR, ROOF_F32), 3e6 * (10.25 + 200.5), ROOF_CERTAINTY_COUNTED);
    assert_count(k->bytes[ROOF_DRAM], 2.5e9, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

static void test_parts_are_lower_bounds(void **state) {
    (void)state;
    roof_profile *profile = read_good(
        HEAD ROW("0", "k", "gpu__time_duration.sum", "ns", "9,589,248")
            ROW("0", "k", "dram__bytes_op_read.sum", "byte", "54,207,744")
                ROW("0", "k", "dram__bytes_op_write.sum", "byte", "n/a") ROW("0", "k", OP("ffma"), "inst", "1,000,000")
                    ROW("0", "k", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "4,194,304")
                        ROW("0", "k", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", "2,097,152"));
    const roof_measured *k = point(profile, 0);
    assert_count(k->bytes[ROOF_DRAM], 54207744, ROOF_CERTAINTY_AT_LEAST);
    assert_count(k->bytes[ROOF_L1], 32 * (4194304.0 + 2097152.0), ROOF_CERTAINTY_AT_LEAST);
    assert_count(flops_on(k, ROOF_VECTOR, ROOF_F32), 2e6, ROOF_CERTAINTY_AT_LEAST);
    assert_int_equal(k->bytes[ROOF_L2].certainty, ROOF_CERTAINTY_MISSING);
    assert_non_null(strstr(k->missing, "dram__bytes_read.sum"));
    roof_profile_free(profile);
}

/* The same launch has a kernel several times: counts are summed, and another device is another point. */
static void test_launches(void **state) {
    (void)state;
    static const char text[] =
        HEAD ROW("0", "k", "gpu__time_duration.sum", "ns", "1,000,000") ROW("0", "k", "dram__bytes.sum", "byte", "10")
            ROW("1", "k", "gpu__time_duration.sum", "ns", "3,000,000") ROW("1", "k", "dram__bytes.sum", "byte", "30")
                ROW_ON("1", "2", "k", "gpu__time_duration.sum", "ns", "5,000,000")
                    ROW("3", "k", "gpu__time_duration.sum", "ns", "4,000,000");
    roof_profile *profile = read_good(text);
    const roof_measured *k = point(profile, 0);
    assert_int_equal(point_count(profile), 2);
    assert_exact(k->calls, 3);
    assert_count(k->seconds, 8e-3, ROOF_CERTAINTY_COUNTED);
    assert_near(k->least_seconds, 1e-3, 1e-12);
    assert_near(k->most_seconds, 4e-3, 1e-12);
    assert_count(k->bytes[ROOF_DRAM], 40, ROOF_CERTAINTY_AT_LEAST); /* the third launch has none */
    assert_string_equal(point(profile, 1)->where, "device 1");
    roof_profile_free(profile);
    roof_error error = {0};
    profile = read_text(text, &(roof_profile_options){.launches = true}, &error);
    assert_non_null(profile);
    assert_int_equal(point_count(profile), 4);
    roof_profile_free(profile);
}

/* The layout of 2021 and 2022: other columns, rules in rows of their own, rows shorter than the header; Windows line
 * ends and a byte-order mark. */
static void test_old_layout(void **state) {
    (void)state;
#define OLD(ID, REST)                                                                                                  \
    "\"" ID                                                                                                            \
    "\",\"43201\",\"python3.10\",\"127.0.0.1\",\"void f<(int)1>(A, B)\",\"2023-May-09 15:22:21\",\"1\",\"7\"," REST    \
    "\r\n"
    roof_profile *profile = read_good(
        "\xEF\xBB\xBF\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel "
        "Time\",\"Context\",\"Stream\","
        "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\",\"Rule Type\",\"Rule "
        "Description\"\r\n" OLD("0", "\"Command line profiler metrics\",\"dram__bytes.sum\",\"byte\",\"384\",")
            OLD("0", "\"Command line profiler metrics\",\"sm__cycles_elapsed.avg\",\"cycle\",\"8,382.70\",") OLD(
                "0", "\"Command line profiler "
                     "metrics\",\"sm__cycles_elapsed.avg.per_second\",\"cycle/second\",\"999,845,384.51\",")
                OLD("0", "\"LaunchStats\",\"\",\"\",\"\",\"LaunchConfiguration\",\"WRN\",\"A wave of blocks, 50.0% of "
                         "1,000\"")
                    OLD("0",
                        "\"Launch Statistics\",\"Function Cache Configuration\",\"\",\"cudaFuncCachePreferNone\","));
    const roof_measured *f = point(profile, 0);
    assert_count(f->bytes[ROOF_DRAM], 384, ROOF_CERTAINTY_COUNTED);
    assert_count(f->seconds, 8382.70 / 999845384.51, ROOF_CERTAINTY_COUNTED);
    assert_exact(roof_profile_about(profile)->dropped, 0);
    roof_profile_free(profile);
}

/* ---- locales ---- */

#define IN_LOCALE(BYTES, WRITTEN, TIME, SHARE)                                                                         \
    HEAD ROW("0", "k", "dram__bytes_read.sum", "byte", BYTES) ROW("0", "k", "dram__bytes_write.sum", "byte", WRITTEN)  \
        ROW("0", "k", "gpu__time_duration.sum", "ns", TIME)                                                            \
            ROW("0", "k", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", SHARE)

static void test_locales_agree(void **state) {
    (void)state;
    static const char *const texts[] = {IN_LOCALE("27,595,520", "1,024", "117,344", "65.77"),
                                        IN_LOCALE("27.595.520", "1.024", "117.344", "65,77")};
    for (size_t i = 0; i < 2; i++) {
        roof_profile *profile = read_good(texts[i]);
        assert_count(point(profile, 0)->bytes[ROOF_DRAM], 27595520 + 1024, ROOF_CERTAINTY_COUNTED);
        assert_count(point(profile, 0)->seconds, 117344e-9, ROOF_CERTAINTY_COUNTED);
        roof_profile_free(profile);
    }
}

static void test_ambiguous_numbers(void **state) {
    (void)state;
    static const char text[] = HEAD ROW("0", "k", "gpu__time_duration.sum", "ns", "117.344");
    static const struct {
        char decimal;
        double seconds;
    } read_as[] = {{'.', 117.344e-9}, {',', 117344e-9}};
    assert_fails(text, "117.344", 0);
    for (size_t i = 0; i < 2; i++) {
        roof_error error = {0};
        roof_profile *profile = read_text(text, &(roof_profile_options){.decimal = read_as[i].decimal}, &error);
        assert_non_null(profile);
        assert_count(point(profile, 0)->seconds, read_as[i].seconds, ROOF_CERTAINTY_COUNTED);
        roof_profile_free(profile);
    }
}

/* Behind the head that was looked at: a number that says otherwise, and one that nothing has explained. */
static char *long_text(const char *value, const char *last) {
    static const char row[] = ROW("0", "k", "lts__t_sector_hit_rate.pct", "%%", "%s");
    enum { ROWS = 600 };
    size_t size = sizeof HEAD + ROWS * (sizeof row + 16) + 1024;
    char *text = malloc(size);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, size, "%s", HEAD);
    for (int i = 0; i < ROWS; i++)
        used += (size_t)snprintf(text + used, size - used, row, value);
    snprintf(text + used, size - used, ROW("0", "k", "gpu__time_duration.sum", "ns", "%s"), last);
    return text;
}

static void test_late_numbers(void **state) {
    (void)state;
    static const struct {
        const char *value, *last, *part;
    } bad[] = {
        {"33.26", "1.234.567", "contradicts"}, {"33,26", "1,234,567", "contradicts"}, {"33", "117.344", "says which"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = long_text(bad[i].value, bad[i].last);
        assert_fails(text, bad[i].part, 602);
        free(text);
    }
    char *text = long_text("33,26", "117.344");
    roof_profile *profile = read_good(text);
    assert_count(point(profile, 0)->seconds, 117344e-9, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
    free(text);
}

/* ---- the raw page ---- */

#define RAW_HEAD                                                                                                       \
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Device\",\"CC\",\"device__attribute_display_name\","                      \
    "\"dram__bytes_read.sum\",\"dram__bytes_write.sum\",\"gpu__time_duration.sum\","                                   \
    "\"lts__t_sectors_srcunit_tex.sum\",\"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed\","          \
    "\"sm__throughput.avg.pct_of_peak_sustained_elapsed\"\n"
#define RAW_UNITS "\"\",\"\",\"\",\"\",\"\",\"\",\"Mbyte\",\"Kbyte\",\"us\",\"sector\",\"%\",\"%\"\n"
#define RAW_ROW(ID, NAME, READ, WRITE, TIME)                                                                           \
    "\"" ID "\",\"99\",\"" NAME "\",\"0\",\"10.0\",\"NVIDIA B200\",\"" READ "\",\"" WRITE "\",\"" TIME                 \
    "\",\"1000\",\"0\",\"12.5\"\n"

static const char raw_page[] = "==PROF== Connected to process 99 (/usr/bin/python3.12)\n" RAW_HEAD RAW_UNITS RAW_ROW(
    "0", "decode<1, 2>(P)", "1.5", "20", "9.92") RAW_ROW("1", "merge(P)", "n/a", "7", "23.87")
    RAW_ROW("2", "decode<1, 2>(P)", "2.5", "0", "10.08");

static void test_raw_page(void **state) {
    (void)state;
    roof_profile *profile = read_good(raw_page);
    const roof_measured *decode = point(profile, 0), *merge = point(profile, 1);
    assert_string_equal(roof_profile_about(profile)->format->id, "ncu-raw");
    assert_string_equal(roof_profile_about(profile)->device, "NVIDIA B200");
    assert_exact(decode->calls, 2);
    assert_count(decode->seconds, 20e-6, ROOF_CERTAINTY_COUNTED);
    assert_count(decode->bytes[ROOF_DRAM], 4e6 + 20e3, ROOF_CERTAINTY_COUNTED);
    assert_count(decode->bytes[ROOF_L2], 64000, ROOF_CERTAINTY_COUNTED);
    assert_exact(decode->matrix_active, 0);
    assert_count(merge->bytes[ROOF_DRAM], 7e3, ROOF_CERTAINTY_AT_LEAST);
    assert_non_null(strstr(decode->missing, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"));
    roof_profile_free(profile);
}

/* Two runs, one behind the other; a resaved table with ';' and without quotes. */
static void test_joined_and_resaved(void **state) {
    (void)state;
    roof_profile *profile =
        read_good(RAW_HEAD RAW_UNITS RAW_ROW("0", "a(P)", "1.5", "20", "9.92") "==PROF== again\n" HEAD ROW(
            "0", "a(P)", "gpu__time_duration.sum", "ns", "80"));
    assert_exact(point(profile, 0)->calls, 2);
    assert_count(point(profile, 0)->seconds, 10e-6, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
    profile = read_good("ID;Process ID;Kernel Name;Metric Name;Metric Unit;Metric Value\n"
                        "0;1;k;gpu__time_duration.sum;us;9,92\n0;1;k;dram__bytes.sum;byte;1.234.567\n");
    assert_count(point(profile, 0)->seconds, 9.92e-6, ROOF_CERTAINTY_COUNTED);
    assert_count(point(profile, 0)->bytes[ROOF_DRAM], 1234567, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

/* ---- what must fail ---- */

static void test_refusals(void **state) {
    (void)state;
    assert_fails("==PROF== Connected to process 242674 (/usr/bin/python3.12)\n"
                 "==ERROR== The application returned an error code (1).\n",
                 "The application returned an error code (1).", 0);
    assert_fails("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n", "ERR_NVGPUCTRPERM", 0);
    assert_fails("==PROF== Connected to process 1 (a)\n==WARNING== No kernels were profiled.\n", "no table of kernels",
                 0);
    assert_fails("\"Metric Name\",\"\",\"dram__bytes.sum\"\n\"Kernel Name\",\"k\",1\n", "pivot", 0);
    assert_fails("Time,dram__bytes.sum,lts__t_bytes.sum\n1e-5,7864448.0,28043680.0\n", "no kernel names", 0);
    assert_fails("\xEF\xBB\xBFNVIDIA (R) Nsight Compute Command Line Profiler\nVersion 2026.2.1.0\n", "the version of",
                 0);
    assert_fails(
        "==PROF== Connected to process 1 (a)\n  k (64, 1, 1)x(32, 1, 1), Context 1, Stream 7, Device 0, CC 8.0\n"
        "    Section: Command line profiler metrics\n    Metric Name       Metric Unit Metric Value\n",
        "text page", 0);
    roof_error error = {0};
    assert_null(roof_read_profile_bytes("NVR\0\1\0\0\0report", 14, NULL, &error));
    assert_non_null(strstr(error.what, "report of Nsight Compute itself"));
    assert_null(roof_read_profile_bytes("\xFF\xFE\"\0I\0D\0\"\0,\0", 12, NULL, &error));
    assert_non_null(strstr(error.what, "UTF-16"));
    assert_fails(HEAD, "holds no measurement", 0);
    assert_fails(RAW_HEAD RAW_ROW("0", "k", "1.5", "2", "3"), "row of units", 2);
    assert_fails(HEAD ROW("1", "k", "gpu__time_duration.sum", "us", "1.5")
                     ROW("0", "k", "gpu__time_duration.sum", "us", "2.5"),
                 "not in the order", 3);
}

/* --print-metric-instances values; a word where a number should be. */
static void test_odd_values(void **state) {
    (void)state;
    roof_profile *profile = read_good(HEAD ROW("0", "k", "gpu__time_duration.sum", "ns", "1,000,000 (400,000; 600,000)")
                                          ROW("0", "k", "dram__bytes.sum", "byte", "many"));
    assert_count(point(profile, 0)->seconds, 1e-3, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(point(profile, 0)->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_MISSING);
    assert_exact(roof_profile_about(profile)->dropped, 1);
    roof_profile_free(profile);
}

static void test_unknown_units(void **state) {
    (void)state;
    roof_profile *profile = read_good(
        HEAD ROW("0", "k", "gpu__time_duration.sum", "fortnight", "1.5") ROW("0", "k", "dram__bytes.sum", "", "2.5")
            ROW("0", "k", "lts__t_bytes.sum", "us", "2.5") ROW("0", "k", "l1tex__t_bytes.sum", "byte", "-7"));
    const roof_measured *k = point(profile, 0);
    assert_int_equal(k->seconds.certainty, ROOF_CERTAINTY_MISSING);
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        assert_int_equal(k->bytes[level].certainty, ROOF_CERTAINTY_MISSING);
    assert_true(warns(profile, "line 2: the unit 'fortnight' of gpu__time_duration.sum is unknown"));
    assert_exact(roof_profile_about(profile)->dropped, 3);
    roof_profile_free(profile);
}

/* ---- cut files ---- */

static const roof_measured *find_point(const roof_profile *profile, const roof_measured *like) {
    for (size_t i = 0; i < point_count(profile); i++)
        if (strcmp(point(profile, i)->name, like->name) == 0)
            return point(profile, i);
    return NULL;
}

/* A count that is called whole is that of the whole file; a part is not more; nothing is a silent zero. */
static void compare_count(roof_count cut, roof_count whole, size_t length) {
    if (cut.certainty == ROOF_CERTAINTY_COUNTED && fabs(cut.value / whole.value - 1) > 1e-12 &&
        cut.value != whole.value)
        fail_msg("cut at %zu: %g is called whole, and is %g", length, cut.value, whole.value);
    if (cut.certainty == ROOF_CERTAINTY_AT_LEAST && cut.value > whole.value)
        fail_msg("cut at %zu: %g is at least %g", length, whole.value, cut.value);
}

static void compare_cut(const roof_profile *cut, const roof_profile *whole, size_t length) {
    for (size_t i = 0; i < point_count(whole); i++) {
        const roof_measured *full = point(whole, i), *part = find_point(cut, full);
        if (!part || part->calls != full->calls)
            continue;
        compare_count(part->seconds, full->seconds, length);
        for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
            compare_count(part->bytes[level], full->bytes[level], length);
        compare_count(flops_on(part, ROOF_VECTOR, ROOF_F32), flops_on(full, ROOF_VECTOR, ROOF_F32), length);
    }
}

/* Does the cut fall into a row, before its last quote or (without quotes) its line end? */
static bool inside_row(const char *text, size_t n, bool quoted) {
    size_t start = n;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    bool row = quoted ? text[start] == '"' && text[start + 1] >= '0' && text[start + 1] <= '9'
                      : text[start] >= '0' && text[start] <= '9';
    size_t end = start + strcspn(text + start, "\n");
    return row && n > start && (quoted ? n < end : n <= end);
}

static void cut_everywhere(const char *text, bool quoted) {
    roof_profile *whole = read_good(text);
    size_t answers = 0;
    for (size_t n = 0; n < strlen(text); n++) {
        char *cut = malloc(n ? n : 1);
        roof_error error = {0};
        assert_non_null(cut);
        memcpy(cut, text, n);
        roof_profile *profile = roof_read_profile_bytes(cut, n, NULL, &error);
        if (!profile && !error.what[0])
            fail_msg("cut at %zu: no answer and no error", n);
        if (profile) {
            answers++;
            compare_cut(profile, whole, n);
            if (inside_row(text, n, quoted) &&
                (!roof_profile_about(profile)->ended_early || !warns(profile, "ends early")))
                fail_msg("cut at %zu: no word about it", n);
        }
        roof_profile_free(profile);
        free(cut);
    }
    assert_true(answers > 30);
    roof_profile_free(whole);
}

static void test_cut_details(void **state) {
    (void)state;
    cut_everywhere(strstr(two_kernels, "\"ID\""), true);
    cut_everywhere(two_kernels, true);
}

static void test_cut_raw(void **state) {
    (void)state;
    cut_everywhere(strstr(raw_page, "\"ID\""), true);
    cut_everywhere("ID,Process ID,Kernel Name,dram__bytes.sum,gpu__time_duration.sum\n,,,byte,us\n"
                   "0,1,k,123456,12.5\n1,1,abc,123456,12.5\n2,1,k,123456,12.5\n",
                   false);
}

/* ---- memory ---- */

static void test_no_memory(void **state) {
    (void)state;
    static const char *const texts[] = {two_kernels, raw_page};
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
        cmocka_unit_test(test_two_kernels),
        cmocka_unit_test(test_every_level),
        cmocka_unit_test(test_tensor_instructions_are_no_flops),
        cmocka_unit_test(test_tensor_operations),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_parts_are_lower_bounds),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_old_layout),
        cmocka_unit_test(test_locales_agree),
        cmocka_unit_test(test_ambiguous_numbers),
        cmocka_unit_test(test_late_numbers),
        cmocka_unit_test(test_raw_page),
        cmocka_unit_test(test_joined_and_resaved),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_unknown_units),
        cmocka_unit_test(test_odd_values),
        cmocka_unit_test(test_cut_details),
        cmocka_unit_test(test_cut_raw),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
