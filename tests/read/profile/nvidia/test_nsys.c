/* Nsight Systems and TraceLens. The tables are ours, in the shape of what the tools write; the numbers of the first are
 * those of a public profile of Llama-3.1-8B (dotLLM's profiling notes). */
#include <stdlib.h>

#include "alloc/alloc.h"
#include "reading.h"
#include "roofline_profile.h"

#ifdef ROOFLINE_HAVE_SQLITE
#include <sqlite3.h>
#endif

#define KERNELS "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
#define FLASH "50.1,99385786,32,3105805.8,3041179.0,2987340,3777790,216832.4,flash_attention_prefill_f16\n"
#define DEQUANT "19.0,37727461,193,195479.1,93278.0,22207,3320037,266509.9,\"void dequant<4, half>(int, float)\"\n"
#define CALLS                                                                                                          \
    "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"                        \
    "65.1,1417580893,293,4838160.0,2514360.0,6311,125393723,9731274.4,cuMemcpyHtoD_v2\n"

/* ---- reading ---- */

static roof_profile *read_plain(const char *text, roof_error *error) {
    return roof_read_profile_bytes(text, strlen(text), NULL, error);
}

static roof_profile *good(const char *text) {
    roof_error error = {0};
    roof_profile *profile = read_plain(text, &error);
    if (!profile)
        fail_msg("%s", error.what);
    return profile;
}

static void refused(const char *text, const char *part, const char *hint) {
    roof_error error = {0};
    if (read_plain(text, &error))
        fail_msg("read, but should be refused for '%s'", part);
    if (!strstr(error.what, part) || !strstr(error.hint, hint))
        fail_msg("'%s' (%s) does not say '%s' (%s)", error.what, error.hint, part, hint);
}

/* Saved again by a spreadsheet: the points group, and were the decimal mark of a thousandth of the time. */
static void test_thousands(void **state) {
    (void)state;
    static const char table[] = "Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),Name\n"
                                "50,\"99.385\",32,\"3.105\",\"2.987\",\"3.777\",k\n";
    refused(table, "'99.385' ns is not a whole number", "which sign is the decimal mark");
    roof_error error = {0};
    roof_profile *profile =
        roof_read_profile_bytes(table, strlen(table), &(roof_profile_options){.decimal = ','}, &error);
    assert_non_null(profile);
    assert_near(point_named(profile, "k")->seconds.value, 99.385e-6, 1e-15);
    assert_near(point_named(profile, "k")->least_seconds, 2.987e-6, 1e-15);
    roof_profile_free(profile);
}

/* The same where some figure says which mark is which; with semicolons between, as spreadsheets write there; with
 * tabs. */
static void saved_by_a_spreadsheet(void **state) {
    (void)state;
    static const char *const tables[] = {
        "Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),Name\n"
        "\"50,1\",\"99.385\",32,\"3.105,8\",\"2.987\",\"3.777\",\"void f<int, 2>(int)\"\n",
        "Time (%);Total Time (ns);Instances;Avg (ns);Min (ns);Max (ns);Name\r\n"
        "50,1;99.385;32;3.105,8;2.987;3.777;void f<int, 2>(int)\r\n",
        "Time (%);Total Time (ns);Instances;Avg (ns);Min (ns);Max (ns);Name\n"
        "50,1;99385;32;3105,8;2987;3777;\"void f<int, 2>(int)\"\n",
        "Time (%)\tTotal Time (ns)\tInstances\tAvg (ns)\tMin (ns)\tMax (ns)\tName\n"
        "50.1\t99385\t32\t3105.8\t2987\t3777\tvoid f<int, 2>(int)\n"};
    for (size_t i = 0; i < 4; i++) {
        roof_profile *profile = good(tables[i]);
        const roof_measured *kernel = point_named(profile, "void f<int, 2>(int)");
        assert_near(kernel->seconds.value, 99.385e-6, 1e-12);
        assert_near(kernel->least_seconds, 2.987e-6, 1e-12);
        assert_exact(kernel->calls, 32.0);
        assert_exact(roof_profile_about(profile)->dropped, 0.0);
        roof_profile_free(profile);
    }
    roof_profile *millions = good("Time (%);Total Time (ns);Instances;Name\n60;1.099.385.786;32;k\n");
    assert_near(point_named(millions, "k")->seconds.value, 1.099385786, 1e-12);
    roof_profile_free(millions);
    refused("Time (%);Total Time (ns);Instances;Name\n50;99.385;32;k\n", "'99.385' may be . decimal or a thousand",
            "which sign is the decimal mark");
    refused("Time (%);Total Time (ns);Instances;Name\n50,1;99.385,5;32;k\n40.5;12;3;l\n", "both '.' and ','",
            "which sign is the decimal mark");
}

/* A list of files that speaks of nsys is none of its tables. */
static void lists_of_files(void **state) {
    (void)state;
    static const char list[] =
        "file,format,source,made by,bytes\n"
        "a.csv,nsys csv,somewhere,\"nsys stats, header Time (%),Total Time (ns),Instances\",3649\n"
        "b.csv,nsys csv,elsewhere,\"Start (ns) GrdX Strm, Num Calls\",12\n";
    refused(list, "a table with unknown columns", "name,seconds");
    refused(list, "'file', 'format', 'source', 'made by', 'bytes'", "would do");
}

static void check_flash(const roof_profile *profile) {
    const roof_measured *flash = point_named(profile, "flash_attention_prefill_f16");
    assert_exact(flash->calls, 32.0);
    assert_near(flash->seconds.value, 0.099385786, 1e-15);
    assert_near(flash->least_seconds, 0.00298734, 1e-15);
    assert_near(flash->most_seconds, 0.00377779, 1e-15);
    assert_int_equal(flash->flop_count, 0);
    assert_int_equal(flash->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_MISSING);
    assert_non_null(strstr(flash->missing, "ncu --set roofline"));
}

/* ---- sums ---- */

static void kernel_sums(void **state) {
    (void)state;
    roof_profile *profile = good(KERNELS FLASH DEQUANT);
    check_flash(profile);
    assert_exact(point_named(profile, "void dequant<4, half>(int, float)")->calls, 193.0);
    assert_int_equal(point_count(profile), 2);
    assert_string_equal(roof_profile_about(profile)->format->id, "nsys");
    roof_profile_free(profile);
}

static void versions_differ(void **state) {
    (void)state;
    /* gpukernsum of 2021: other names, no units but nanoseconds */
    roof_profile *profile = good("Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\n"
                                 "100.0,64000,2,32000.0,31000,33000,saxpy\n");
    assert_near(point_named(profile, "saxpy")->seconds.value, 64e-6, 1e-15);
    assert_near(point_named(profile, "saxpy")->least_seconds, 31e-6, 1e-15);
    roof_profile_free(profile);
    /* the :grid variant, in microseconds */
    profile = good(
        "Time (%),Total Time (us),Instances,Avg (us),Med (us),Min (us),Max (us),StdDev (us),GridXYZ,BlockXYZ,Name\r\n"
        "60.0,64.5,2,32.25,32.0,31,33,0.1,\"  64    1    1\",\" 256    1    1\",saxpy\r\n"
        "40.0,43.0,1,43.0,43.0,43,43,0.0,\" 128    1    1\",\" 256    1    1\",saxpy\r\n");
    assert_near(point_named(profile, "saxpy")->seconds.value, 107.5e-6, 1e-12);
    assert_exact(point_named(profile, "saxpy")->calls, 3.0);
    assert_near(point_named(profile, "saxpy")->least_seconds, 31e-6, 1e-15);
    roof_profile_free(profile);
}

static void reports_one_behind_the_other(void **state) {
    (void)state;
    roof_profile *profile =
        good("Generating SQLite file report1.sqlite from report1.nsys-rep\n"
             "Processing [report1.sqlite] with [/opt/nsys/reports/nvtx_sum.py]... \n"
             "SKIPPED: report1.sqlite does not contain NV Tools Extension (NVTX) data.\n\n"
             "Processing [report1.sqlite] with [/opt/nsys/reports/osrt_sum.py]... \n" CALLS "\n"
             "Processing [report1.sqlite] with [/opt/nsys/reports/cuda_gpu_kern_sum.py]... \n" KERNELS FLASH "\n"
             "Processing [report1.sqlite] with [/opt/nsys/reports/cuda_gpu_mem_time_sum.py]... \n"
             "Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Operation\n"
             "100.0,5000,4,1250.0,1250.0,1000,1500,10.0,[CUDA memcpy Host-to-Device]\n\n"
             "Processing [report1.sqlite] with [/opt/nsys/reports/cuda_gpu_mem_size_sum.py]... \n"
             "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation\n"
             "16.0,4,4.0,4.0,4.0,4.0,0.0,[CUDA memcpy Host-to-Device]\n\n" KERNELS FLASH);
    check_flash(profile);
    assert_int_equal(point_count(profile), 2);
    assert_near(point_named(profile, "[CUDA memcpy Host-to-Device]")->seconds.value, 5e-6, 1e-15);
    assert_true(warns(profile, "a second table of kernels or copies was left out"));
    roof_profile_free(profile);
}

static void sums_that_are_no_kernels(void **state) {
    (void)state;
    roof_profile *profile =
        good("Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Source,Name\n"
             "100.0,5000,4,1250.0,1250.0,1000,1500,10.0,MPI,MPI_Send\n\n"
             "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Style,Range\n"
             "100.0,5000,4,1250.0,1250.0,1000,1500,10.0,PushPop,step\n\n"
             "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Category,Operation\n"
             "60.0,3000,1,3000.0,3000.0,3000,3000,0.0,CUDA_KERNEL,saxpy\n"
             "40.0,2000,1,2000.0,2000.0,2000,2000,0.0,MEMORY_OPER,[CUDA memset]\n\n"
             "Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Operation\n"
             "100.0,2000,1,2000.0,2000.0,2000,2000,0.0,[CUDA memset]\n");
    assert_int_equal(point_count(profile), 2);
    assert_near(point_named(profile, "saxpy")->seconds.value, 3e-6, 1e-15);
    assert_near(point_named(profile, "[CUDA memset]")->seconds.value, 2e-6, 1e-15);
    assert_exact(roof_profile_about(profile)->dropped, 0.0);
    roof_profile_free(profile);
}

static void calls_are_no_kernels(void **state) {
    (void)state;
    refused(CALLS, "calls on the CPU", "--report cuda_gpu_kern_sum --format csv");
    refused(KERNELS, "no table of kernels", "cuda_gpu_kern_sum");
    refused(" Time (%)  Total Time (ns)  Instances  Avg (ns)  Name\n --------  ---------------  ---------\n    50.1  "
            "99385786  32  3105805.8  k\n",
            "not CSV", "--format csv");
}

static void kernel_trace(void **state) {
    (void)state;
    roof_profile *profile = good("Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem "
                                 "(MB),DymSMem (MB),Bytes (MB),Throughput (MB/s),SrcMemKd,"
                                 "DstMemKd,Device,Ctx,Strm,Name\n"
                                 "1000000,2000,120,64,1,1,256,1,1,32,0.000,0.000,,,,,NVIDIA A100-SXM4-40GB "
                                 "(1),1,7,\"void axpy<float>(int, float*)\"\n"
                                 "1010000,3000,121,64,1,1,256,1,1,32,0.000,0.000,,,,,NVIDIA A100-SXM4-40GB "
                                 "(1),1,7,\"void axpy<float>(int, float*)\"\n"
                                 "1015000,5000,122,,,,,,,,,,4.000,800.0,Pageable,Device,NVIDIA A100-SXM4-40GB "
                                 "(1),1,7,[CUDA memcpy Host-to-Device]\n");
    const roof_measured *axpy = point_named(profile, "void axpy<float>(int, float*)");
    assert_exact(axpy->calls, 2.0);
    assert_near(axpy->seconds.value, 5e-6, 1e-12);
    assert_near(axpy->most_seconds, 3e-6, 1e-12);
    assert_string_equal(axpy->where, "GPU 1");
    assert_string_equal(roof_profile_about(profile)->device, "NVIDIA A100-SXM4-40GB");
    assert_near(roof_profile_about(profile)->total_seconds, 20e-6, 1e-9);
    assert_true(warns(profile, "idle at least 50%"));
    roof_profile_free(profile);
}

static void rows_that_are_damaged(void **state) {
    (void)state;
    roof_profile *profile = good(KERNELS FLASH "1.0,abc,2,1,1,1,1,0,k\n"
                                               "1.0,5,0,1,1,1,1,0,k\n"
                                               "1.0,5,1\n"
                                               "1.0,-5,1,1,1,1,1,0,k\n");
    assert_int_equal(point_count(profile), 1);
    assert_exact(roof_profile_about(profile)->dropped, 4.0);
    roof_profile_free(profile);
}

static void tracelens(void **state) {
    (void)state;
    roof_profile *profile =
        good("name,Count,Mean Kernel Time (\xC2\xB5s),Median Kernel Time (\xC2\xB5s),Std Kernel Time (\xC2\xB5s),Min "
             "Kernel Time (\xC2\xB5s),"
             "Max Kernel Time (\xC2\xB5s),Percentage (%),Cumulative Percentage (%),Total Kernel Time (ms),Category\n"
             "gemm.kd,4,12.5,12,1,10,15,80.0,80.0,0.05,GEMM\n");
    assert_near(point_named(profile, "gemm.kd")->seconds.value, 50e-6, 1e-12);
    assert_near(point_named(profile, "gemm.kd")->least_seconds, 10e-6, 1e-12);
    assert_near(point_named(profile, "gemm.kd")->most_seconds, 15e-6, 1e-12);
    assert_string_equal(roof_profile_about(profile)->format->id, "tracelens");
    roof_profile_free(profile);
}

static void every_cut(void **state) {
    (void)state;
    static const char whole[] = "Processing [a.sqlite] with [b.py]...\n" KERNELS FLASH DEQUANT;
    for (size_t n = 0; n < sizeof whole; n++) {
        char *cut = malloc(n ? n : 1);
        memcpy(cut, whole, n);
        roof_error error = {0};
        roof_profile *profile = roof_read_profile_bytes(cut, n, NULL, &error);
        if (!profile && !error.what[0])
            fail_msg("cut at %zu: no word", n);
        if (profile && whole[n - 1] != '\n' && !roof_profile_warning(profile, 0))
            fail_msg("cut at %zu: read as if it were whole", n);
        roof_profile_free(profile);
        free(cut);
    }
}

static void no_allocation_is_trusted(void **state) {
    (void)state;
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        roof_profile *profile = read_plain(KERNELS FLASH DEQUANT, &error);
        if (!profile && error.code != ROOF_ENOMEM)
            fail_msg("allocation %zu: '%s'", n, error.what);
        roof_profile_free(profile);
        assert_int_equal(alloc_live(), 0);
    });
    alloc_start(0);
}

/* ---- SQLite exports ---- */

#ifdef ROOFLINE_HAVE_SQLITE
static const char new_schema[] =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
    "CREATE TABLE TARGET_INFO_GPU (id INT, name TEXT);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, "
    "demangledName INTEGER, shortName INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, bytes INTEGER, copyKind "
    "INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, bytes INTEGER, value "
    "INTEGER);"
    "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100 80GB HBM3');"
    "INSERT INTO StringIds VALUES (1, 'void axpy<float>(int, float *)'), (2, 'axpy'), (3, 'gemm');"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 3000, 0, 7, 1, 2), (5000, 8000, 0, 7, 1, 2), (9000, 19000, "
    "1, 7, 3, 3),"
    "(20000, NULL, 0, 7, 3, 3), (30000, 29000, 0, 7, 3, 3), (40000, 41000, 0, 7, 99, 99);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (42000, 43000, 0, 500, 8), (44000, 45000, 0, 600, 1);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (46000, 51000, 0, 700, 0);";

static unsigned char *database(const char *script, sqlite3_int64 *length) {
    sqlite3 *db;
    char *why = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    if (sqlite3_exec(db, script, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s", why);
    unsigned char *bytes = sqlite3_serialize(db, "main", length, 0);
    sqlite3_close(db);
    assert_non_null(bytes);
    return bytes;
}

static roof_profile *read_database(const char *script, roof_error *error) {
    sqlite3_int64 length;
    unsigned char *bytes = database(script, &length);
    roof_profile *profile = roof_read_profile_bytes(bytes, (size_t)length, NULL, error);
    sqlite3_free(bytes);
    return profile;
}

static void check_export(const roof_profile *profile) {
    const roof_measured *axpy = point_named(profile, "void axpy<float>(int, float *)");
    assert_exact(axpy->calls, 2.0);
    assert_near(axpy->seconds.value, 5e-6, 1e-12);
    assert_near(axpy->least_seconds, 2e-6, 1e-12);
    assert_string_equal(axpy->where, "GPU 0");
    assert_string_equal(point_named(profile, "gemm")->where, "GPU 1");
    assert_near(point_named(profile, "gemm")->seconds.value, 10e-6, 1e-12);
    assert_exact(point_named(profile, "[CUDA memcpy Device-to-Device]")->bytes[ROOF_DRAM].value, 1000.0);
    assert_int_equal(point_named(profile, "[CUDA memcpy Host-to-Device]")->bytes[ROOF_DRAM].certainty,
                     ROOF_CERTAINTY_MISSING);
    assert_exact(point_named(profile, "[CUDA memset]")->bytes[ROOF_DRAM].value, 700.0);
    assert_string_equal(roof_profile_about(profile)->device, "NVIDIA H100 80GB HBM3");
    assert_exact(roof_profile_about(profile)->rows, 7.0);
    assert_exact(roof_profile_about(profile)->dropped, 2.0); /* no end; ends before it starts */
    assert_near(roof_profile_about(profile)->total_seconds, 50e-6, 1e-9);
}

static void sqlite_export(void **state) {
    (void)state;
    roof_error error = {0};
    roof_profile *profile = read_database(new_schema, &error);
    if (!profile)
        fail_msg("%s", error.what);
    check_export(profile);
    roof_profile_free(profile);
    /* the same from a file */
    sqlite3_int64 length;
    unsigned char *bytes = database(new_schema, &length);
    const char path[] = "nsys_test.sqlite";
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, (size_t)length, out), (size_t)length);
    fclose(out);
    sqlite3_free(bytes);
    profile = roof_read_profile(path, NULL, &error);
    remove(path);
    if (!profile)
        fail_msg("%s", error.what);
    check_export(profile);
    roof_profile_free(profile);
}

static void sqlite_old_and_bare_schemas(void **state) {
    (void)state;
    roof_error error = {0};
    roof_profile *profile =
        read_database("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, shortName TEXT);"
                      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1677777777000000001, 1677777777000000005, 'k');",
                      &error);
    if (!profile)
        fail_msg("%s", error.what);
    assert_near(point_named(profile, "k")->seconds.value, 4e-9, 1e-12); /* nanoseconds since 1970 do not fit a double */
    roof_profile_free(profile);
    assert_null(read_database("CREATE TABLE TARGET_INFO_GPU (name TEXT); CREATE TABLE StringIds (id, value);", &error));
    assert_non_null(strstr(error.what, "none of its 2 tables is CUPTI_ACTIVITY_KIND_KERNEL"));
    assert_null(read_database("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (name TEXT);", &error));
    assert_non_null(strstr(error.what, "no column start, end"));
    assert_null(read_database("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, shortName);", &error));
    assert_non_null(strstr(error.what, "no measurement"));
}

/* A view under the name of the table would run whatever its author liked. */
static void sqlite_views_do_not_run(void **state) {
    (void)state;
    roof_error error = {0};
    assert_null(read_database("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE r(start, end, shortName) AS "
                              "(SELECT 1, 2, 'k' UNION ALL "
                              "SELECT start + 1, end + 1, 'k' FROM r) SELECT * FROM r;",
                              &error));
    assert_true(error.what[0] != '\0');
}

static void sqlite_damage(void **state) {
    (void)state;
    sqlite3_int64 length;
    unsigned char *bytes = database(new_schema, &length);
    for (sqlite3_int64 n = 0; n < length; n += n < 600 ? 1 : 61) {
        unsigned char *cut = malloc(n ? (size_t)n : 1);
        memcpy(cut, bytes, (size_t)n);
        roof_error error = {0};
        roof_profile *profile = roof_read_profile_bytes(cut, (size_t)n, NULL, &error);
        if (!profile && !error.what[0])
            fail_msg("cut at %ld: no word", (long)n);
        roof_profile_free(profile);
        free(cut);
    }
    for (sqlite3_int64 n = 0; n < length; n += 7) { /* a byte changed */
        roof_error error = {0};
        bytes[n] ^= 0x55;
        roof_profile *profile = roof_read_profile_bytes(bytes, (size_t)length, NULL, &error);
        bytes[n] ^= 0x55;
        if (!profile && !error.what[0])
            fail_msg("byte %ld: no word", (long)n);
        roof_profile_free(profile);
    }
    sqlite3_free(bytes);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thousands),
        cmocka_unit_test(saved_by_a_spreadsheet),
        cmocka_unit_test(lists_of_files),
        cmocka_unit_test(kernel_sums),
        cmocka_unit_test(versions_differ),
        cmocka_unit_test(reports_one_behind_the_other),
        cmocka_unit_test(sums_that_are_no_kernels),
        cmocka_unit_test(calls_are_no_kernels),
        cmocka_unit_test(kernel_trace),
        cmocka_unit_test(rows_that_are_damaged),
        cmocka_unit_test(tracelens),
        cmocka_unit_test(every_cut),
        cmocka_unit_test(no_allocation_is_trusted),
#ifdef ROOFLINE_HAVE_SQLITE
        cmocka_unit_test(sqlite_export),
        cmocka_unit_test(sqlite_old_and_bare_schemas),
        cmocka_unit_test(sqlite_views_do_not_run),
        cmocka_unit_test(sqlite_damage),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
