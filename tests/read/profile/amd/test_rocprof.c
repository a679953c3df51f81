/* rocprof, rocprofv3 and rocprof-compute. The tables are ours, in the shape of what the tools write. The figures of
 * vecCopy are those of the workload that rocprofiler-compute is tested with (ROCm/rocprofiler-compute,
 * tests/workloads/vcopy, MI100, MI200, MI300A): N = 1048576 doubles are copied, so 8388608 bytes are read and as many
 * written, which is the oracle. */
#include <stdlib.h>

#include "alloc/alloc.h"
#include "reading.h"
#include "roofline_profile.h"

#define COPY "vecCopy(double*, double*, double*, int, int) [clone .kd]"
#define COPIED 8388608.0

/* ---- reading ---- */

/* ---- a dispatch a row ---- */

#define FLOP_COLUMNS(DTYPE)                                                                                            \
    "SQ_INSTS_VALU_ADD_" DTYPE ",SQ_INSTS_VALU_MUL_" DTYPE ",SQ_INSTS_VALU_FMA_" DTYPE ",SQ_INSTS_VALU_TRANS_" DTYPE ","

/* MI200: every dispatch of the file with the counters that matter; several passes left columns with numbers behind
 * their names. */
static const char mi200[] = "Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size,wave_size,obj," FLOP_COLUMNS("F32") FLOP_COLUMNS(
    "F64") "SQ_INSTS_MFMA,SQ_INSTS_VALU_MFMA_MOPS_F16,wave_size_1,obj_1,TCC_EA_RDREQ_sum,TCC_EA_RDREQ_32B_"
           "sum,TCC_EA_WRREQ_sum,TCC_EA_WRREQ_64B_sum,TCC_EA_WRREQ[0],TCC_EA_WRREQ[1],TCP_TCC_READ_REQ_sum,"
           "TCP_TCC_WRITE_REQ_sum,TCP_TCC_ATOMIC_WITH_RET_REQ_sum,TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum,"
           "TCP_TOTAL_CACHE_ACCESSES_sum,Start_Timestamp,End_Timestamp\n"
           "0,\"" COPY
           "\",2,1048576,64,0x7fc6de634ec0,0,0,0,0,0,0,0,0,0,0,64,0x7f,131086.0,0.0,131072.0,131072.0,4096,4096,"
           "131072.0,131072.0,0.0,0.0,524288.0,1411551767635712,1411551767656192\n"
           "1,\"" COPY
           "\",2,1048576,64,0x7fc6de634ec0,0,0,0,0,0,0,0,0,0,0,64,0x7f,131086.0,0.0,91072.0,91072.0,2848,2848,"
           "131072.0,131072.0,0.0,0.0,524288.0,1411551767749472,1411551767765792\n"
           "2,\"" COPY
           "\",2,1048576,64,0x7fc6de634ec0,0,0,0,0,0,0,0,0,0,0,64,0x7f,131087.0,0.0,91113.0,91113.0,2853,2853,"
           "131072.0,131072.0,0.0,0.0,524288.0,1411551767786592,1411551767802112\n";

static void test_copy_of_mi200(void **state) {
    (void)state;
    roof_profile *profile = read_good(mi200);
    const roof_measured *copy = point(profile, 0);
    assert_string_equal(roof_profile_about(profile)->format->id, "rocprof");
    assert_int_equal(point_count(profile), 1);
    assert_string_equal(copy->name, COPY);
    assert_string_equal(copy->where, "GPU 2");
    assert_exact(copy->calls, 3);
    assert_count(copy->seconds, (20480 + 16320 + 15520) * 1e-9, ROOF_CERTAINTY_COUNTED);
    assert_near(copy->least_seconds, 15520e-9, 1e-12);
    assert_near(copy->most_seconds, 20480e-9, 1e-12);
    assert_count(copy->bytes[ROOF_L2], 3 * 2 * COPIED, ROOF_CERTAINTY_COUNTED);
    assert_count(copy->bytes[ROOF_DRAM], 64.0 * (131086 + 131086 + 131087 + 131072 + 91072 + 91113),
                 ROOF_CERTAINTY_COUNTED);
    assert_true(copy->bytes[ROOF_DRAM].value <= 3.005 * 2 * COPIED); /* a part of the writes stayed in the cache */
    assert_count(copy->bytes[ROOF_L1], 3 * 64 * 524288.0, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(copy->bytes[ROOF_L3].certainty, ROOF_CERTAINTY_MISSING);
    assert_count(flops_on(copy, ROOF_VECTOR, ROOF_F64), 0, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_on(copy, ROOF_VECTOR, ROOF_F32), 0, ROOF_CERTAINTY_COUNTED);
    assert_exact(copy->matrix_active, 0);
    assert_null(copy->missing);
    roof_profile_free(profile);
}

/* MI300A: other names, reads of 128 bytes, and times that a spreadsheet rounded. CRLF. */
static const char mi300[] =
    "Dispatch_ID,GPU_ID,Wave_Size,Kernel_Name,TCC_EA0_RDREQ_sum,TCC_EA0_RDREQ_32B_sum,TCC_BUBBLE_sum,TCC_EA0_WRREQ_sum,"
    "TCC_EA0_WRREQ_64B_sum,TCP_TCC_READ_REQ_sum,TCP_TCC_WRITE_REQ_sum,TCP_TCC_ATOMIC_WITH_RET_REQ_sum,"
    "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum,XCC_Index_6,Start_Timestamp,End_Timestamp\r\n"
    "0,2,64,\"vecCopy(double*, double*, double*, int, int) (.kd)\",65585,0,65536,131072,131072,65536,131072,0,0,0,"
    "1.62068E+14,1.62068E+14\r\n";

static void test_copy_of_mi300(void **state) {
    (void)state;
    roof_profile *profile = read_good(mi300);
    const roof_measured *copy = point(profile, 0);
    assert_count(copy->bytes[ROOF_L2], 2 * COPIED, ROOF_CERTAINTY_COUNTED); /* 128 bytes a read, 64 a write */
    assert_count(copy->bytes[ROOF_DRAM], 128.0 * 65536 + 64 * (65585 - 65536) + 64.0 * 131072, ROOF_CERTAINTY_COUNTED);
    assert_near(copy->bytes[ROOF_DRAM].value, 2 * COPIED, 1e-3);
    assert_count(copy->bytes[ROOF_L3], copy->bytes[ROOF_DRAM].value, ROOF_CERTAINTY_COUNTED);
    assert_count(copy->seconds, 0, ROOF_CERTAINTY_MISSING);
    assert_true(warns(profile, "'1.62068E+14' were rounded"));
    assert_true(warns(profile, "Infinity Cache"));
    assert_non_null(strstr(copy->missing, "time: rocprofv3 --kernel-trace"));
    assert_int_equal(copy->flop_count, 0);
    roof_profile_free(profile);
}

/* MI100: every cache channel alone, summed; it has no counters of FLOPs. */
static void test_channels(void **state) {
    (void)state;
    roof_profile *profile = read_good("Index,KernelName,gpu-id,TCC_EA_RDREQ[0],TCC_EA_RDREQ[1],TCC_EA_RDREQ_32B[0],"
                                      "TCC_EA_RDREQ_32B[1],TCC_EA_WRREQ[0],TCC_EA_WRREQ[1],TCC_EA_WRREQ_64B[0],"
                                      "TCC_EA_WRREQ_64B[1],DispatchNs,BeginNs,EndNs,CompleteNs\n"
                                      "0,\"k(int, int) [clone .kd]\",0,100,50,10,0,30,30,20,10,5,1000,3000,9000\n"
                                      "1,k.kd,1,100,,10,0,30,30,20,10,5,1000,2000,9000\n");
    const roof_measured *k = point(profile, 0);
    assert_count(k->bytes[ROOF_DRAM], 140 * 64 + 10 * 32 + 30 * 64 + 30 * 32, ROOF_CERTAINTY_COUNTED);
    assert_count(k->seconds, 2000e-9, ROOF_CERTAINTY_COUNTED); /* the kernel, not from its dispatch to its completion */
    assert_string_equal(k->where, "GPU 0");
    assert_non_null(strstr(k->missing, "SQ_INSTS_VALU_{ADD"));
    assert_null(strstr(k->missing, "RDREQ"));
    assert_int_equal(k->flop_count, 0);
    assert_string_equal(point(profile, 1)->where, "GPU 1");
    assert_count(point(profile, 1)->bytes[ROOF_DRAM], 90 * 64 + 10 * 32 + 30 * 64 + 30 * 32, ROOF_CERTAINTY_AT_LEAST);
    assert_non_null(strstr(point(profile, 1)->missing, "TCC_EA_RDREQ_sum"));
    roof_profile_free(profile);
}

/* 1048576 threads with an F32 FMA and an F64 add each, 2 FLOPs and 1; and a product of two matrices of 1024 x 1024 of
 * f16, which are 4194304 units of 512 FLOPs. */
static void test_flops(void **state) {
    (void)state;
    roof_profile *profile = read_good("Dispatch_ID,Kernel_Name,GPU_ID,Wave_Size," FLOP_COLUMNS("F32") FLOP_COLUMNS(
        "F64") "SQ_INSTS_VALU_MFMA_MOPS_F16,SQ_INSTS_VALU_MFMA_MOPS_F64,MfmaUtil,Start_Timestamp,End_Timestamp\n"
               "0,fma,0,64,0,0,16384,0,16384,0,0,0,0,0,0,1000,2000\n"
               "1,gemm,0,64,0,0,0,0,0,0,0,0,4194304,0,62.5,1000,2000\n"
               "2,narrow,0,32,0,0,32768,0,0,0,0,0,0,0,0,1000,2000\n");
    assert_count(flops_on(point(profile, 0), ROOF_VECTOR, ROOF_F32), 2 * 1048576.0, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_on(point(profile, 0), ROOF_VECTOR, ROOF_F64), 1048576, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_on(point(profile, 1), ROOF_MATRIX, ROOF_F16), 2.0 * 1024 * 1024 * 1024, ROOF_CERTAINTY_COUNTED);
    assert_near(point(profile, 1)->matrix_active, 0.625, 1e-12);
    assert_count(flops_on(point(profile, 2), ROOF_VECTOR, ROOF_F32), 2 * 1048576.0, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

/* What was not counted makes the rest a lower bound, and is asked for. */
static void test_parts(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("Dispatch_ID,Kernel_Name,GPU_ID,SQ_INSTS_VALU_ADD_F32,SQ_INSTS_VALU_MUL_F32,TCC_EA0_RDREQ_sum,"
                  "TCC_EA0_WRREQ_sum,TCP_TCC_READ_REQ_sum,Start_Timestamp,End_Timestamp\n"
                  "0,k,0,10,20,1000,500,7,1000,2000\n");
    const roof_measured *k = point(profile, 0);
    assert_count(flops_on(k, ROOF_VECTOR, ROOF_F32), 64 * 30, ROOF_CERTAINTY_AT_LEAST);
    assert_count(flops_on(k, ROOF_MATRIX, ROOF_DTYPE_NONE), 0, ROOF_CERTAINTY_MISSING);
    assert_int_equal(k->flop_count, 2);
    assert_count(k->bytes[ROOF_DRAM], 32 * 1000 + 32 * 500,
                 ROOF_CERTAINTY_AT_LEAST);                             /* the smallest that a request can be */
    assert_count(k->bytes[ROOF_L2], 128 * 7, ROOF_CERTAINTY_AT_LEAST); /* writes were not counted */
    assert_non_null(strstr(k->missing, "TCC_BUBBLE_sum"));
    assert_non_null(strstr(k->missing, "SQ_INSTS_VALU_MFMA_MOPS_"));
    roof_profile_free(profile);
    profile =
        read_good("Dispatch_ID,Kernel_Name,GPU_ID,FETCH_SIZE,WriteSize,TCP_TCC_READ_REQ_sum,TCP_TCC_WRITE_REQ_sum,"
                  "TCP_TCC_ATOMIC_WITH_RET_REQ_sum,TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum,DurationNs\n"
                  "0,k,0,8192,8192.5,10,10,0,0,1500\n");
    assert_count(point(profile, 0)->bytes[ROOF_DRAM], 2 * COPIED + 512, ROOF_CERTAINTY_COUNTED);
    assert_count(point(profile, 0)->bytes[ROOF_L2], 64 * 20,
                 ROOF_CERTAINTY_AT_LEAST); /* reads of 64 bytes or of 128? */
    assert_count(point(profile, 0)->seconds, 1.5e-6, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

/* Each pass has its times; the first is often the slowest. Times since 1970 do not fit a double. */
static void test_passes(void **state) {
    (void)state;
    roof_profile *profile = read_good("\xEF\xBB\xBF"
                                      "Dispatch_ID,Kernel_Name,GPU_ID,Start_Timestamp,End_Timestamp,Start_Timestamp_1,"
                                      "End_Timestamp_1,Start_Timestamp_2,End_Timestamp_2\n\n"
                                      "0,k,0,1000,9000,1000,3000,1732981000000000001,1732981000000002502\n");
    assert_count(point(profile, 0)->seconds, 2501e-9, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

static void test_odd_cells(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("Dispatch_ID,Kernel_Name,GPU_ID,FETCH_SIZE,WRITE_SIZE,Start_Timestamp,End_Timestamp\n"
                  "0,a,0,N/A,4,1000,2000\n"
                  "1,b,0,-3,1e300,1000,1000\n"
                  "2,c,0,nan,inf,2000,1000\n"
                  "3,d,0,1,1\n"
                  "4,e,0,1,1,x,2000\n");
    assert_int_equal(point_count(profile), 4);
    assert_count(point(profile, 0)->bytes[ROOF_DRAM], 4096, ROOF_CERTAINTY_AT_LEAST);
    assert_count(point(profile, 1)->bytes[ROOF_DRAM], 0, ROOF_CERTAINTY_MISSING);
    assert_count(point(profile, 1)->seconds, 0, ROOF_CERTAINTY_MISSING);
    assert_count(point(profile, 2)->bytes[ROOF_DRAM], 0, ROOF_CERTAINTY_MISSING);
    assert_count(point(profile, 2)->seconds, 0, ROOF_CERTAINTY_MISSING);
    assert_count(point(profile, 3)->seconds, 0, ROOF_CERTAINTY_MISSING);
    assert_exact(roof_profile_about(profile)->dropped, 1);
    assert_true(warns(profile, "line 3: it ends when it starts"));
    assert_true(warns(profile, "line 4: it ends before it starts"));
    assert_true(warns(profile, "line 6: not a time in nanoseconds ('x')"));
    roof_profile_free(profile);
}

/* ---- rocprofv3 ---- */

#define ADD "void addition_kernel<float>(float*, float const*, float const*, int, int)"
#define SUB "subtract_kernel(float*, float const*, float const*, int, int)"

/* Four rows of ROCm/rocprofiler-sdk, source/docs/data/kernel_trace.csv, and one of a newer file. */
static const char trace[] =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Start_Timestamp\","
    "\"End_Timestamp\",\"Grid_Size_X\"\n"
    "\"KERNEL_DISPATCH\",1,1,1,16,\"" ADD "\",8819330200067564,8819330200116308,1024\n"
    "\"KERNEL_DISPATCH\",1,2,5,16,\"" ADD "\",8819330200118678,8819330200219573,1024\n"
    "\"KERNEL_DISPATCH\",1,1,2,19,\"" SUB "\",8819330200120456,8819330200223721,1024\n"
    "\"KERNEL_DISPATCH\",\"Agent 7\",2,6,19,\"" SUB "\",8819330200225499,8819330200364618,1024\n";

static void test_trace(void **state) {
    (void)state;
    roof_profile *profile = read_good(trace);
    assert_string_equal(roof_profile_about(profile)->format->id, "rocprofv3");
    assert_int_equal(point_count(profile), 3);
    assert_string_equal(point(profile, 0)->name, ADD);
    assert_string_equal(point(profile, 0)->where, "agent 1");
    assert_exact(point(profile, 0)->calls, 2);
    assert_count(point(profile, 0)->seconds, (48744 + 100895) * 1e-9, ROOF_CERTAINTY_COUNTED);
    assert_string_equal(point(profile, 2)->where, "agent 7");
    assert_count(point(profile, 2)->seconds, 139119e-9, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(point(profile, 0)->flop_count, 0);
    assert_non_null(strstr(point(profile, 0)->missing, "pmc: "));
    roof_profile_free(profile);
}

/* The rows of source/docs/data/memory_copy_trace.csv; no line end after the last. */
static const char copies[] =
    "\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Destination_Agent_Id\",\"Correlation_Id\",\"Start_Timestamp\","
    "\"End_Timestamp\"\n"
    "\"MEMORY_COPY\",\"MEMORY_COPY_HOST_TO_DEVICE\",0,1,0,14955949675563,14955950239443\n"
    "\"MEMORY_COPY\",\"MEMORY_COPY_DEVICE_TO_HOST\",1,0,0,14955952733485,14955953315285";

static void test_copies(void **state) {
    (void)state;
    roof_profile *profile = read_good(copies);
    assert_int_equal(point_count(profile), 2);
    assert_string_equal(point(profile, 0)->name, "MEMORY_COPY_HOST_TO_DEVICE");
    assert_string_equal(point(profile, 0)->where, "agent 0 to 1");
    assert_count(point(profile, 0)->seconds, 563880e-9, ROOF_CERTAINTY_COUNTED);
    assert_count(point(profile, 1)->seconds, 581800e-9, ROOF_CERTAINTY_COUNTED);
    assert_non_null(strstr(point(profile, 1)->missing, "sizes of copies"));
    roof_profile_free(profile);
}

#define COUNTER_HEAD                                                                                                   \
    "\"Dispatch_Id\",\"Agent_Id\",\"Process_Id\",\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\",\"Start_"          \
    "Timestamp\",\"End_Timestamp\"\n"

/* Two dispatches of one kernel, one of another; the last of them lacks a counter. Rows in the order of counters. */
static const char counters[] =
    COUNTER_HEAD "1,\"Agent 4\",7,\"k(int, int)\",\"TCC_EA0_RDREQ_sum\",100.000000,5000,6000\n"
                 "2,\"Agent 4\",7,\"k(int, int)\",\"TCC_EA0_RDREQ_sum\",200.000000,7000,9000\n"
                 "3,\"Agent 4\",7,\"other\",\"TCC_EA0_RDREQ_sum\",1,9100,9200\n"
                 "1,\"Agent 4\",7,\"k(int, int)\",\"TCC_EA0_RDREQ_32B_sum\",10,5000,6000\n"
                 "2,\"Agent 4\",7,\"k(int, int)\",\"TCC_EA0_RDREQ_32B_sum\",0,7000,9000\n"
                 "1,\"Agent 4\",7,\"k(int, int)\",\"TCC_BUBBLE_sum\",50,5000,6000\n"
                 "2,\"Agent 4\",7,\"k(int, int)\",\"TCC_BUBBLE_sum\",50,7000,9000\n"
                 "1,\"Agent 4\",7,\"k(int, int)\",\"WRITE_SIZE\",1,5000,6000\n"
                 "2,\"Agent 4\",7,\"k(int, int)\",\"WRITE_SIZE\",3,7000,9000\n"
                 "1,\"Agent 4\",7,\"k(int, int)\",\"SQ_INSTS_VALU_ADD_F32\",5,5000,6000\n";

static void test_counters(void **state) {
    (void)state;
    roof_profile *profile = read_good(counters);
    const roof_measured *k = point(profile, 0);
    assert_string_equal(roof_profile_about(profile)->format->id, "rocprofv3-counters");
    assert_int_equal(point_count(profile), 2);
    assert_exact(k->calls, 2);
    assert_string_equal(k->where, "agent 4");
    assert_count(k->seconds, 3000e-9, ROOF_CERTAINTY_COUNTED); /* once a dispatch, not once a row */
    assert_near(k->least_seconds, 1000e-9, 1e-12);
    assert_near(k->most_seconds, 2000e-9, 1e-12);
    assert_count(k->bytes[ROOF_DRAM], 190 * 64 + 10 * 32 + 100 * 128 + 4 * 1024, ROOF_CERTAINTY_COUNTED);
    assert_count(flops_on(k, ROOF_VECTOR, ROOF_F32), 5 * 64, ROOF_CERTAINTY_AT_LEAST);
    assert_count(point(profile, 1)->bytes[ROOF_DRAM], 32, ROOF_CERTAINTY_AT_LEAST);
    roof_profile_free(profile);
    roof_error error = {0};
    profile = read_text(counters, &(roof_profile_options){.launches = true}, &error);
    assert_non_null(profile);
    assert_int_equal(point_count(profile), 3);
    assert_count(point(profile, 1)->bytes[ROOF_DRAM], 150 * 64 + 50 * 128 + 3 * 1024, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

/* As source/docs/data/counter_collection.csv: no times; instances of one counter in rows of their own are summed. */
static void test_counters_without_times(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("\"Dispatch_Id\",\"Agent_Id\",\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\"\n"
                  "1,1,\"" ADD "\",\"SQ_WAVES\",16384\n"
                  "2,1,\"" SUB "\",\"SQ_WAVES\",16384\n"
                  "5,1,\"" ADD "\",\"SQ_WAVES\",16384\n"
                  "5,1,\"" ADD "\",\"TCP_TOTAL_CACHE_ACCESSES\",3\n"
                  "5,1,\"" ADD "\",\"TCP_TOTAL_CACHE_ACCESSES\",4\n");
    assert_exact(point(profile, 0)->calls, 2);
    assert_exact(point(profile, 1)->calls, 1);
    assert_count(point(profile, 0)->seconds, 0, ROOF_CERTAINTY_MISSING);
    assert_count(point(profile, 0)->bytes[ROOF_L1], 7 * 64, ROOF_CERTAINTY_AT_LEAST);
    assert_non_null(strstr(point(profile, 0)->missing, "time: "));
    roof_profile_free(profile);
}

static const char totals[] =
    "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\",\"StdDev\"\n"
    "\"NormKernel2(int, double const*, double*)\",1001,3754094,3750.343656,0.2962,3520,4320,105.963559\n"
    "\"__amd_rocclr_fillBufferAligned\",1,5920,5920.000000,4.671e-04,5920,5920,0.00000000e+00\n";

static void test_totals(void **state) {
    (void)state;
    roof_profile *profile = read_good(totals);
    assert_string_equal(roof_profile_about(profile)->format->id, "rocprof-stats");
    assert_exact(point(profile, 0)->calls, 1001);
    assert_count(point(profile, 0)->seconds, 3754094e-9, ROOF_CERTAINTY_COUNTED);
    assert_near(point(profile, 0)->least_seconds, 3520e-9, 1e-12);
    assert_near(point(profile, 0)->most_seconds, 4320e-9, 1e-12);
    assert_count(point(profile, 1)->seconds, 5920e-9, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

/* ---- measured roofs ---- */

/* Two devices of tests/workloads/vcopy/MI200/roofline.csv, with the misspelt column. */
static const char roofs[] =
    "device,HBMBw,HBMBwLow,hbmBwHigh,L2Bw,L1Bw,LDSBw,FP32Flops,FP32FlopsLow,FP64Flops,MFMABF16Flops,MFMAI8Ops\n"
    "0,1388.9302,1388.3835,1389.4768,5018.2891,9226.7266,17717.834,20941.971,20881.785,20272.537,170483.16,166402.27\n"
    "1,1389.3043,1388.6895,1389.9192,5029.6997,9239.2627,18243.783,20985.506,20918.434,20301.832,170928.06,166923.81\n";

static void test_roofs(void **state) {
    (void)state;
    roof_profile *profile = read_good(roofs);
    const roof_machine *machine = roof_profile_machine(profile);
    assert_non_null(machine);
    assert_int_equal(point_count(profile), 0);
    assert_near(machine->bandwidth[ROOF_DRAM].value, 1388.9302e9, 1e-12);
    assert_near(machine->bandwidth[ROOF_L2].value, 5018.2891e9, 1e-12);
    assert_near(machine->bandwidth[ROOF_L1].value, 9226.7266e9, 1e-12);
    assert_int_equal(machine->bandwidth[ROOF_L3].origin, ROOF_ORIGIN_UNKNOWN);
    assert_near(machine->peak[ROOF_VECTOR][ROOF_F32].value, 20941.971e9, 1e-12);
    assert_near(machine->peak[ROOF_VECTOR][ROOF_F64].value, 20272.537e9, 1e-12);
    assert_near(machine->peak[ROOF_MATRIX][ROOF_BF16].value, 170483.16e9, 1e-12);
    assert_near(machine->peak[ROOF_MATRIX][ROOF_INT8].value, 166402.27e9, 1e-12);
    assert_int_equal(machine->peak[ROOF_MATRIX][ROOF_F16].origin, ROOF_ORIGIN_UNKNOWN);
    assert_int_equal(machine->bandwidth[ROOF_DRAM].origin, ROOF_ORIGIN_MEASURED);
    assert_string_equal(machine->id, "rocprof-compute-gpu-0");
    assert_true(warns(profile, "2 devices"));
    roof_profile_free(profile);
    profile = read_good("device,HBMBw,MALLBw,L2Bw,FP16Flops,MFMAF4Flops,MFMAF8Flops\n"
                        "3,6237.3418,8496.8027,N/A,38558.672,9769632,2456336.2\n");
    machine = roof_profile_machine(profile);
    assert_near(machine->bandwidth[ROOF_L3].value, 8496.8027e9, 1e-12);
    assert_int_equal(machine->bandwidth[ROOF_L2].origin, ROOF_ORIGIN_UNKNOWN);
    assert_near(machine->peak[ROOF_MATRIX][ROOF_FP4].value, 9769632e9, 1e-12);
    assert_near(machine->peak[ROOF_MATRIX][ROOF_FP8].value, 2456336.2e9, 1e-12);
    assert_string_equal(machine->id, "rocprof-compute-gpu-3");
    roof_profile_free(profile);
}

/* ---- refusals ---- */

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *what, *hint;
        long line;
    } bad[] = {
        {"\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_"
         "Timestamp\"\n"
         "\"HSA_CORE_API\",\"hsa_agent_get_info\",197,197,3,1507843974754471,1507843974755014\n",
         "calls that the host made", "_kernel_trace.csv", -1},
        {"\"Kind\",\"Operation\",\"Start_Timestamp\",\"End_Timestamp\"\n\"SCRATCH_MEMORY\",\"ALLOC\",1,2\n",
         "neither kernels nor copies", "_kernel_trace.csv", -1},
        {"\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\nhipMemcpy,2,583182462,291591231,99.7\n",
         "'hipMemcpy' is not a kernel: these are totals of calls", "_kernel_stats.csv", 2},
        {"\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n\"HIP_API\",2,583182462,291591231,99."
         "7\n",
         "totals of whole domains", "_kernel_stats.csv", 2},
        {"workload_name,command,hostname,gpu_model,gpu_arch,cu_per_gpu,hbm_bw\npath,\"./vcopy -n "
         "1,000\",a,MI200,gfx90a,104,"
         "1638.4\n",
         "measures nothing: the GPU is an MI200 (gfx90a, 104 CUs)", "pmc_perf.csv", -1},
        {"workload_name,gpu_model,gpu_arch\n", "describes the system and measures nothing", "pmc_perf.csv", -1},
        {"\"Node_Id\",\"Logical_Node_Id\",\"Agent_Type\"\n0,0,\"CPU\"\n", "list of agents", "_kernel_trace.csv", -1},
        {"Dispatch_ID,Kernel_Name,GPU_ID,FETCH_SIZE,Start_Timestamp,End_Timestamp\n0,k,0,5,1,2\n"
         "Dispatch_ID,Kernel_Name,GPU_ID,WRITE_SIZE,Start_Timestamp,End_Timestamp\n0,k,0,5,1,2\n",
         "another header in the table", "each file alone", 3},
        {"Dispatch_ID,Kernel_Name,GPU_ID,Start_Timestamp,End_Timestamp\n", "holds no measurement", "rocprof", -1},
        {"{\n  \"rocprofiler-sdk-tool\": [ {\"metadata\": {\"pid\": 1}} ]\n}\n", "JSON of rocprofv3",
         "_kernel_trace.csv", -1},
        {COUNTER_HEAD, "holds no measurement", "rocprofv3 --pmc", -1},
        {"device,HBMBw,L2Bw,FP32Flops\n", "no device under its header", "", -1},
        {"device,HBMBw,L2Bw,FP32Flops\n0,N/A,nan,-1\n", "holds no roof", "", -1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        roof_error error = {.line = -1};
        roof_profile *profile = read_text(bad[i].text, NULL, &error);
        if (profile)
            fail_msg("case %zu: read", i);
        if (!strstr(error.what, bad[i].what) || !strstr(error.hint, bad[i].hint) || error.line != bad[i].line)
            fail_msg("case %zu: '%s', hint '%s', line %ld", i, error.what, error.hint, error.line);
    }
}

static void test_database(void **state) {
    (void)state;
    static const char head[] = "SQLite format 3\0\x10\0 CREATE TABLE `rocpd_kernel_dispatch_0000` (\"id\" INTEGER)";
    roof_error error = {0};
    assert_null(roof_read_profile_bytes(head, sizeof head, NULL, &error));
    assert_non_null(strstr(error.what, "database (rocpd)"));
    assert_non_null(strstr(error.hint, "rocpd convert -i"));
}

/* Traces of several ranks concatenate them have the same header: they are one. */
static void test_joined(void **state) {
    (void)state;
    char text[2 * sizeof trace];
    snprintf(text, sizeof text, "%s%s", trace, trace);
    roof_profile *profile = read_good(text);
    assert_exact(point(profile, 0)->calls, 4);
    assert_exact(roof_profile_about(profile)->dropped, 0);
    roof_profile_free(profile);
}

/* Forced to be what they are not, files give an error and no point. */
static void test_forced(void **state) {
    (void)state;
    static const char *const formats[] = {"rocprof", "rocprofv3", "rocprofv3-counters", "rocprof-stats",
                                          "rocprof-compute-roofs"};
    static const char *const texts[] = {"", "\n\n", "a,b\n1,2\n", "x\n\"never closed", ",,,\n,,,\n"};
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            roof_error error = {0};
            assert_null(read_text(texts[i], &(roof_profile_options){.format = formats[f]}, &error));
            assert_true(error.what[0] != '\0');
        }
}

/* ---- cut files ---- */

static const roof_measured *find_point(const roof_profile *profile, const roof_measured *like) {
    for (size_t i = 0; i < point_count(profile); i++) {
        const roof_measured *one = point(profile, i);
        if (strcmp(one->name, like->name) == 0 &&
            strcmp(one->where ? one->where : "", like->where ? like->where : "") == 0)
            return one;
    }
    return NULL;
}

/* A count that is called whole is that of the whole file; a part is not more. */
static void compare_count(roof_count cut, roof_count whole, size_t length) {
    if (cut.certainty == ROOF_CERTAINTY_COUNTED && cut.value != whole.value)
        fail_msg("cut at %zu: %g is called whole, and is %g", length, cut.value, whole.value);
    if (cut.certainty == ROOF_CERTAINTY_AT_LEAST && cut.value > whole.value)
        fail_msg("cut at %zu: %g is at least %g", length, whole.value, cut.value);
    if (cut.certainty == ROOF_CERTAINTY_MISSING && cut.value != 0)
        fail_msg("cut at %zu: %g is missing", length, cut.value);
}

static void compare_cut(const roof_profile *cut, const roof_profile *whole, size_t length) {
    for (size_t i = 0; i < point_count(cut); i++) {
        const roof_measured *part = point(cut, i), *full = find_point(whole, part);
        if (!full)
            fail_msg("cut at %zu: '%s' is not in the file", length, part->name);
        if (part->calls > full->calls)
            fail_msg("cut at %zu: %g calls of %g", length, part->calls, full->calls);
        if (part->calls != full->calls)
            continue;
        compare_count(part->seconds, full->seconds, length);
        for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
            compare_count(part->bytes[level], full->bytes[level], length);
        for (size_t k = 0; k < part->flop_count; k++)
            compare_count(part->flops[k].count, flops_on(full, part->flops[k].unit, part->flops[k].dtype), length);
    }
}

static void compare_machines(const roof_machine *cut, const roof_machine *whole, size_t length) {
    for (int level = 0; cut && level < ROOF_LEVEL_COUNT; level++)
        if (cut->bandwidth[level].origin != ROOF_ORIGIN_UNKNOWN &&
            cut->bandwidth[level].value != whole->bandwidth[level].value)
            fail_msg("cut at %zu: a bandwidth of %g", length, cut->bandwidth[level].value);
    for (int dtype = 0; cut && dtype < ROOF_DTYPE_COUNT; dtype++)
        for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
            if (cut->peak[unit][dtype].origin != ROOF_ORIGIN_UNKNOWN &&
                cut->peak[unit][dtype].value != whole->peak[unit][dtype].value)
                fail_msg("cut at %zu: a peak of %g", length, cut->peak[unit][dtype].value);
}

static size_t commas(const char *start, const char *end) {
    size_t count = 0;
    bool quoted = false;
    for (; start < end; start++) {
        quoted ^= *start == '"';
        count += !quoted && *start == ',';
    }
    return count;
}

/* Does the cut fall into a row, before its last cell? */
static bool inside_row(const char *text, size_t n) {
    size_t start = n, header = strcspn(text, "\n");
    while (start > 0 && text[start - 1] != '\n')
        start--;
    return start > header && n > start && commas(text + start, text + n) < commas(text, text + header);
}

static void cut_everywhere(const char *text) {
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
            compare_machines(roof_profile_machine(profile), roof_profile_machine(whole), n);
            if (inside_row(text, n) && (!roof_profile_about(profile)->ended_early || !warns(profile, "ends early")))
                fail_msg("cut at %zu ('%.40s'): no word about it", n, text + (n > 30 ? n - 30 : 0));
        }
        roof_profile_free(profile);
        free(cut);
    }
    assert_true(answers > 0);
    roof_profile_free(whole);
}

static const char *const texts[] = {mi200, mi300, trace, copies, counters, totals, roofs};

static void test_cut_everywhere(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        cut_everywhere(texts[i]);
}

static void test_no_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ALLOC_FAIL_EACH(n, {
            roof_error error = {0};
            roof_profile *profile = read_text(texts[i], NULL, &error);
            if (!profile && error.code != ROOF_ENOMEM)
                fail_msg("text %zu, allocation %zu: '%s'", i, n, error.what);
            roof_profile_free(profile);
            assert_int_equal(alloc_live(), 0);
        })
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy_of_mi200),
        cmocka_unit_test(test_copy_of_mi300),
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_flops),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_odd_cells),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_counters_without_times),
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_roofs),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_database),
        cmocka_unit_test(test_joined),
        cmocka_unit_test(test_forced),
        cmocka_unit_test(test_cut_everywhere),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
