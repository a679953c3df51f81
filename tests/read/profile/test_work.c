/* Reading takes time in proportion to the file, whatever it holds: the readers are built here once more with a call in
 * every basic block (-fsanitize-coverage=trace-pc), those calls are counted, and twice the rows must be about twice the
 * work. Each format is read with kernels of different names and of one name, summed by name and launch by launch.
 *
 *     head            what comes before the rows
 *     row             '#' is the number of the row, '@' the number of its name
 *     between, tail   what comes between two rows, and behind the last */
#include <stdlib.h>

#include "reading.h"

static size_t blocks;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    blocks++;
}

typedef struct format {
    const char *id, *head, *row, *between, *tail;
} format;

#define NCU_ROW(METRIC, UNIT, VALUE) "\"#\",\"4711\",\"k@\",\"0\",\"8.0\",\"" METRIC "\",\"" UNIT "\",\"" VALUE "\"\n"
#define LLAMA_ROW(PROMPT, GENERATE)                                                                                    \
    "\"abc\",\"1\",\"RTX 4090\",\"CUDA\",\"m@ F16\",\"8044936192\",\"4022468096\",\"" PROMPT "\",\"" GENERATE          \
    "\",\"1000000000\",\"100\"\n"
#define KERNEL_EVENT(CATEGORY)                                                                                         \
    "{\"ph\": \"X\", \"cat\": \"" CATEGORY "\", \"name\": \"k@\", \"pid\": 0, \"tid\": 7, \"ts\": #, \"dur\": 1, "     \
    "\"args\": {\"External id\": #, \"device\": 0, \"Input Dims\": [[16, 4096], [4096, 8]]}}"

static const format formats[] = {
    {"csv", "name,seconds,flops,dtype,bytes_dram\n", "k@,1.5,100,f32,200\n", "", ""},
    {"nsys", "Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),Name\n", "1,500,5,100,90,110,k@\n", "", ""},
    {"nsys",
     "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes "
     "(MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name\n",
     "#,50,1,1,1,1,1,1,1,1,0,0,,,,,GPU (0),1,7,k@\n", "", ""},
    {"ncu-details",
     "\"ID\",\"Process ID\",\"Kernel Name\",\"Device\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n",
     NCU_ROW("gpu__time_duration.sum", "ns", "100") NCU_ROW("dram__bytes.sum", "byte", "10"), "", ""},
    {"ncu-raw", "ID,Process ID,Kernel Name,dram__bytes.sum,gpu__time_duration.sum\n,,,byte,ns\n", "#,99,k@,500,40\n",
     "", ""},
    {"rocprof", "Dispatch_ID,Kernel_Name,GPU_ID,FETCH_SIZE,WRITE_SIZE,DurationNs\n", "#,k@,0,8192,8192,1500\n", "", ""},
    {"rocprofv3", "Kind,Agent_Id,Dispatch_Id,Kernel_Name,Start_Timestamp,End_Timestamp\n",
     "KERNEL_DISPATCH,1,#,k@,8819330200067564,8819330200116308\n", "", ""},
    {"rocprofv3-counters",
     "Dispatch_Id,Agent_Id,Process_Id,Kernel_Name,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n",
     "#,Agent 4,7,k@,TCC_EA0_RDREQ_sum,100,5000,6000\n", "", ""},
    {"rocprof-stats", "Name,Calls,TotalDurationNs,AverageNs,Percentage,MinNs,MaxNs\n", "k@,2,200,100,1,90,110\n", "",
     ""},
    {"perf-csv", "", "#.5,4,,fp_ret_sse_avx_ops.all,1000,100.00,,\n", "", ""},
    {"likwid-csv", "CPU name:,x,\n",
     "TABLE,Region k@,Group 1 Raw,G#,2\nEvent,Counter,HWThread 0\nRuntime (RDTSC),TSC,0.5\nCAS_COUNT_RD,MBOX0C0,100\n",
     "", ""},
    {"amduprof", "AMDuProfPcm Report\nType,app\n", "Name,k@\nThroughput,3.5\nBandwidth,0.2\n", "", ""},
    {"advisor",
     "ID\tFunction Call Sites and Loops\tTotal Time\tSelf Time\tSelf Elapsed Time\tType\tSelf GFLOP\tSelf Memory "
     "GB\tData Types\n",
     "#\tk@\t0.9s\t0.9s\t0.4s\tFunction\t17.1\t34.2\tFloat64\n", "", ""},
    {"carm-programs", "Date,Method,Name,ISA,Precision,Threads,AI,GFLOPS,Bandwidth,Time\n",
     "2024-01-01,PMU,k@,avx512,dp,8,0.125,10,80,5\n", "", ""},
    {"application-points", "Arithmetic Intensity,Total Flops,Time (s),Cycles,Label\n", "0.5,1e9,2.5,100,k@\n", "", ""},
    {"kineto", "{\"traceEvents\": [\n", KERNEL_EVENT("cpu_op") ",\n" KERNEL_EVENT("kernel"), ",\n", "]}\n"},
    {"kineto", "{\"traceEvents\": [\n", KERNEL_EVENT("cpu_op"), ",\n", "]}\n"},
    {"kineto", "{\"traceEvents\": [\n", KERNEL_EVENT("kernel"), ",\n", "]}\n"},
    {"llama-bench-csv",
     "build_commit,build_number,gpu_info,backends,model_type,model_size,model_n_params,n_prompt,n_gen,avg_ns,avg_ts\n",
     LLAMA_ROW("100", "0") LLAMA_ROW("0", "100"), "", ""},
    {"runs", "model,weights,metric,batch,prompt,generate,context,tensor,seconds\n", "m@,f16,prefill,1,512,0,0,1,0.5\n",
     "", ""},
    {"runs", "operation,seconds\n", "gemm m=# n=64 k=64 dtype=bf16,0.001\n", "", ""},
    {"timings", "kernel,mean_ms,flops,bytes\n", "k@,1.5,100,100\n", "", ""},
    {"timings", "m,n,k,dtype,latency_us\n", "16,6144,#,bf16,100.63\n", "", ""},
    {"llmcompass", "", "64, 12288, 12288, 0.1900ms, 101.7124Tflops\n", "", ""},
};

/* `template` behind `at`, with its numbers. */
static char *put(char *at, const char *template, int row, int name) {
    for (; *template; template ++)
        if (*template == '#' || *template == '@')
            at += sprintf(at, "%d", *template == '#' ? row + 1 : name);
        else
            *at++ = *template;
    *at = '\0';
    return at;
}

static size_t work(const format *of, int rows, bool one_name, bool launches) {
    size_t room = strlen(of->head) + strlen(of->tail) + 1 + (size_t)rows * (strlen(of->row) + strlen(of->between) + 64);
    char *text = malloc(room), *at = text;
    assert_non_null(text);
    at = put(at, of->head, 0, 0);
    for (int i = 0; i < rows; i++) {
        at = put(at, of->row, i, one_name ? 0 : i);
        at = put(at, i + 1 < rows ? of->between : of->tail, i, i);
    }
    roof_error error = {0};
    blocks = 0;
    roof_profile *profile =
        roof_read_profile_bytes(text, (size_t)(at - text), &(roof_profile_options){.launches = launches}, &error);
    if (!profile)
        fail_msg("%s: %s (line %ld)", of->id, error.what, error.line);
    assert_string_equal(roof_profile_about(profile)->format->id, of->id);
    assert_true(roof_profile_about(profile)->rows >= rows);
    roof_profile_free(profile);
    free(text);
    return blocks;
}

/* What the rows of a file cost beyond those of its half, so that the head, which is read several times, is left out. */
static void test_work_is_linear(void **state) {
    (void)state;
    enum { ROWS = 400 };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        for (int way = 0; way < 4; way++) {
            bool one_name = way & 1, launches = way & 2;
            size_t some = work(&formats[i], ROWS, one_name, launches);
            size_t twice = work(&formats[i], 2 * ROWS, one_name, launches);
            size_t fourfold = work(&formats[i], 4 * ROWS, one_name, launches);
            double once = (double)(twice - some), more = (double)(fourfold - twice);
            assert_true(twice > some + ROWS);
            if (more > 2.3 * once)
                fail_msg("%s, %s%s: %d more rows cost %.0f blocks, twice as many %.0f", formats[i].id,
                         one_name ? "one name" : "different names", launches ? ", each launch" : "", ROWS, once, more);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_work_is_linear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
