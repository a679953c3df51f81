/* How fast a PyTorch trace is read, beside its JSON alone, and the memory it takes: medians of RUNS readings.
 * usage: bench_trace [MEGABYTES [FILE]]: writes a synthetic trace of that size to FILE (/tmp/roofline_trace.json),
 * reads it, removes it. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "roofline_profile.h"
#include "json/pull.h"

enum { RUNS = 3 };

/* ---- a trace of decode steps: Python calls, operators with shapes, launches, kernels, flow arrows ---- */

static void write_operator(FILE *out, long id, double at, const char *name, long m, long n, long k) {
    fprintf(
        out,
        "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"pid\": 19392, \"tid\": 19392,\n    \"ts\": "
        "%.3f, \"dur\": 39.420,\n"
        "    \"args\": {\n      \"External id\": %ld,\"Record function id\": 0, \"Concrete Inputs\": [\"\", \"\", "
        "\"\", \"1\", \"1\"], "
        "\"Input type\": [\"c10::BFloat16\", \"c10::BFloat16\", \"c10::BFloat16\", \"Scalar\", \"Scalar\"], \"Input "
        "Strides\": [[1], [%ld, 1], "
        "[1, %ld], [], []], \"Input Dims\": [[%ld], [%ld, %ld], [%ld, %ld], [], []], \"Ev Idx\": %ld\n    }\n  },\n",
        name, at, id, k, k, n, m, k, k, n, id);
}

static void write_python(FILE *out, long id, double at) {
    fprintf(out,
            "  {\n    \"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"torch/nn/modules/linear.py(%ld): "
            "forward\", \"pid\": 19392, \"tid\": 19392,\n"
            "    \"ts\": %.3f, \"dur\": 65.361,\n    \"args\": {\n      \"Python parent id\": %ld, \"Python id\": %ld, "
            "\"Ev Idx\": %ld\n    }\n  },\n",
            100 + id % 40, at, id, id + 1, id);
}

static void write_kernel(FILE *out, long id, double at, const char *name) {
    fprintf(out,
            "  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 19392, "
            "\"tid\": 19392,\n    \"ts\": %.3f, \"dur\": 7.600,\n"
            "    \"args\": {\n      \"External id\": %ld, \"cbid\": 211, \"correlation\": %ld\n    }\n  },\n"
            "  {\n    \"ph\": \"s\", \"id\": %ld, \"pid\": 19392, \"tid\": 19392, \"ts\": %.3f,\n    \"cat\": "
            "\"ac2g\", \"name\": \"ac2g\"\n  },\n"
            "  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": 0, \"tid\": 7,\n    \"ts\": %.3f, "
            "\"dur\": %ld.%03ld,\n"
            "    \"args\": {\n      \"External id\": %ld, \"queued\": 0, \"device\": 0, \"context\": 1, \"stream\": 7, "
            "\"correlation\": %ld, \"registers per thread\": 168,\n"
            "      \"shared memory\": 0, \"blocks per SM\": 4.272727, \"warps per SM\": 17.09091, \"grid\": [564, 1, "
            "1], \"block\": [128, 1, 1], "
            "\"est. achieved occupancy %%\": 27\n    }\n  },\n"
            "  {\n    \"ph\": \"f\", \"id\": %ld, \"pid\": 0, \"tid\": 7, \"ts\": %.3f, \"cat\": \"ac2g\", \"name\": "
            "\"ac2g\", \"bp\": \"e\"\n  },\n",
            at, id, id + 8000, id + 8000, at, name, at + 9, 5 + id % 90, id % 1000, id, id + 8000, id + 8000, at + 9);
}

static void write_trace(FILE *out, double bytes) {
    static const char gemm[] = "void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_"
                               "tn_align8>(cutlass_80_wmma_tensorop_bf16::Params)";
    static const char add[] = "void at::native::vectorized_elementwise_kernel<4, "
                              "at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul> >(int, "
                              "at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)";
    static const char hopper[] = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_"
                                 "warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas";
    static const char *const kernels[] = {gemm, add, hopper};
    fprintf(out, "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\"id\": 0, \"name\": \"NVIDIA H100 80GB "
                 "HBM3\"}\n  ],\n"
                 "  \"record_shapes\": 1,\n  \"displayTimeUnit\": \"ms\",\n  \"traceEvents\": [\n");
    for (long id = 1; (double)ftell(out) < bytes; id++) {
        double at = 1419247332972.313 + 50 * (double)id;
        write_python(out, id, at);
        write_python(out, id + 7, at + 1);
        write_operator(out, id, at + 2, id % 5 ? "aten::addmm" : "aten::t", 1 + id % 64, 4096, 4096);
        write_kernel(out, id, at + 9, kernels[id % 3]);
    }
    fprintf(out, "  {\n    \"name\": \"process_name\", \"ph\": \"M\", \"ts\": 1419247332972.313, \"pid\": 0, \"tid\": "
                 "0, \"args\": {\"name\": \"python\"}\n  }\n]}\n");
}

/* ---- readings, each in a process of its own ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t take_bytes(void *from, char *into, size_t room) {
    return fread(into, 1, room, from);
}

static int parse_alone(const char *path) {
    FILE *in = fopen(path, "rb");
    json_pull p;
    json_token token;
    if (!in || json_pull_feed(&p, take_bytes, in))
        return 1;
    p.lenient = true;
    while ((token = json_next(&p)) > JSON_END)
        ;
    return token != JSON_END;
}

static int read_all(const char *path) {
    roof_error error = {0};
    roof_profile *profile = roof_read_profile(path, NULL, &error);
    if (!profile)
        fprintf(stderr, "%s\n", error.what);
    return profile == NULL;
}

typedef struct reading {
    double seconds, megabytes;
} reading;

static reading measure(int (*work)(const char *), const char *path) {
    struct rusage used;
    int status;
    double start = now();
    pid_t child = fork();
    if (child == 0)
        _exit(work(path));
    if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0)
        exit(1);
    return (reading){now() - start, (double)used.ru_maxrss / 1000};
}

static int compare(const void *a, const void *b) {
    double x = ((const reading *)a)->seconds, y = ((const reading *)b)->seconds;
    return (x > y) - (x < y);
}

static reading median(int (*work)(const char *), const char *path) {
    reading all[RUNS];
    for (int i = 0; i < RUNS; i++)
        all[i] = measure(work, path);
    qsort(all, RUNS, sizeof all[0], compare);
    return all[RUNS / 2];
}

int main(int argc, char **argv) {
    double megabytes = argc > 1 ? atof(argv[1]) : 200;
    const char *path = argc > 2 ? argv[2] : "/tmp/roofline_trace.json";
    FILE *out = fopen(path, "wb");
    if (!out)
        return 1;
    write_trace(out, megabytes * 1e6);
    double size = (double)ftell(out) / 1e6;
    if (fclose(out) != 0)
        return 1;
    reading alone = median(parse_alone, path), ours = median(read_all, path);
    printf("%.0f MB: JSON alone %.2f s (%.0f MB/s), read_profile %.2f s (%.0f MB/s): %.2f of its speed, %.1f MB of "
           "memory\n",
           size, alone.seconds, size / alone.seconds, ours.seconds, size / ours.seconds, alone.seconds / ours.seconds,
           ours.megabytes);
    remove(path);
    return 0;
}
