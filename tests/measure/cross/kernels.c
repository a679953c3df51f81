/* Every kernel of this architecture that this CPU can run computes what it says, with a plain main(): cmocka is seldom
 * at hand for another architecture. Arguments: the features this CPU must be found to have ("base,fp16"), and the bytes
 * of its SVE vector (0: none). Oracles: compute_expected() is plain arithmetic, and the emulator knows the
 * instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/host/host.h"

static int failures, checks;

static void check(bool good, const char *name, const char *what) {
    checks++;
    if (good)
        return;
    failures++;
    printf("FAILED %s: %s\n", name, what);
}

static const struct {
    const char *name;
    feature feature;
} feature_names[] = {
    {"base", FEATURE_BASE}, {"fp16", FEATURE_FP16}, {"dotprod", FEATURE_DOTPROD},   {"bf16", FEATURE_BF16},
    {"i8mm", FEATURE_I8MM}, {"sve", FEATURE_SVE},   {"sve_bf16", FEATURE_SVE_BF16}, {"sve_i8mm", FEATURE_SVE_I8MM},
};

static feature_set features_named(const char *list) {
    feature_set set = 0;
    char words[128];
    snprintf(words, sizeof words, ",%s,", list);
    for (size_t i = 0; i < sizeof feature_names / sizeof *feature_names; i++) {
        char word[32];
        snprintf(word, sizeof word, ",%s,", feature_names[i].name);
        if (strstr(words, word) != NULL)
            set |= (feature_set)1 << feature_names[i].feature;
    }
    return set;
}

/* The registers v8 to v15 belong to the caller, their lower halves: call `run` with numbers there and look again. */
static bool keeps_registers(uintptr_t run, void *argument, uint64_t iterations) {
    double after[8];
    register void *x0 __asm__("x0") = argument;
    register uint64_t x1 __asm__("x1") = iterations;
    register double *x19 __asm__("x19") = after;
    register uintptr_t x20 __asm__("x20") = run;
    __asm__ volatile(
        "fmov d8, #1.0\n fmov d9, #2.0\n fmov d10, #3.0\n fmov d11, #4.0\n"
        "fmov d12, #5.0\n fmov d13, #6.0\n fmov d14, #7.0\n fmov d15, #8.0\n"
        "blr x20\n"
        "stp d8, d9, [x19]\n stp d10, d11, [x19, #16]\n stp d12, d13, [x19, #32]\n stp d14, d15, [x19, #48]\n"
        : "+r"(x0), "+r"(x1)
        : "r"(x19), "r"(x20)
        : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x30",
          "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16",
          "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "cc",
          "memory");
    for (int i = 0; i < 8; i++)
        if (after[i] != i + 1)
            return false;
    return true;
}

static double value_at(const compute_kernel *kernel, const unsigned char *place) {
    if (kernel->result == ROOF_INT32) {
        int32_t value;
        memcpy(&value, place, sizeof value);
        return value;
    }
    if (kernel->result == ROOF_F64) {
        double value;
        memcpy(&value, place, sizeof value);
        return value;
    }
    if (kernel->result == ROOF_F16) {
        __fp16 value;
        memcpy(&value, place, sizeof value);
        return value;
    }
    float value;
    memcpy(&value, place, sizeof value);
    return (double)value;
}

/* More iterations than compute_prove() does, lane by lane. */
static bool right_after(const compute_kernel *kernel, uint64_t iterations) {
    static compute_state before, state;
    compute_prepare(kernel, &before);
    state = before;
    bool good = keeps_registers((uintptr_t)kernel->run, &state, iterations);
    int lanes = compute_lanes(kernel), size = vector_bytes(kernel) / lanes;
    for (int index = 0; index < kernel->accumulators; index++)
        for (int lane = 0; lane < lanes; lane++) {
            const unsigned char *place = state.accumulators + index * vector_bytes(kernel) + lane * size;
            good = good && value_at(kernel, place) == compute_expected(kernel, &before, index, lane, iterations);
        }
    return good;
}

/* FLOPs by the definition: a multiplication and an addition for each term of each lane, or one of them. */
static double flops_by_definition(const compute_kernel *kernel) {
    double updates = (double)kernel->accumulators * kernel->times * compute_lanes(kernel);
    switch (kernel->pattern) {
    case ROOF_PATTERN_FMA:
    case ROOF_PATTERN_DOT:
        return updates * 2 * kernel->terms;
    case ROOF_PATTERN_FMA_ADD:
        return updates * 1.5;
    default:
        return updates;
    }
}

static void check_compute(const compute_kernel *kernel, int sve_bytes) {
    check(compute_prove(kernel) == 0, kernel->name, "wrong result, or wrote elsewhere");
    check(right_after(kernel, 64), kernel->name, "wrong after 64 iterations, or registers lost");
    check(right_after(kernel, 100), kernel->name, "wrong after 100 iterations, or registers lost");
    check(compute_flops(kernel) == flops_by_definition(kernel), kernel->name, "FLOPs");
    check(kernel->lanes != 0 || vector_bytes(kernel) == sve_bytes, kernel->name, "length of a vector");
}

static bool keeps_registers_streaming(const stream_kernel *kernel) {
    static _Alignas(64) unsigned char arrays[3][2048];
    stream_args args = {.a = arrays[0], .b = arrays[1], .c = arrays[2], .bytes = 2 * kernel->step, .passes = 2};
    return keeps_registers((uintptr_t)kernel->run, &args, 0);
}

static void check_stream(const stream_kernel *kernel) {
    check(stream_prove(kernel) == 0, kernel->name, "wrong result, or wrote elsewhere");
    check(keeps_registers_streaming(kernel), kernel->name, "registers lost");
}

static void check_chains(void) {
    static const uint64_t counts[][2] = {{0, 0},    {1, 64},      {63, 64},        {64, 64},
                                         {65, 128}, {1000, 1024}, {100000, 100032}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        check(chain_adds(counts[i][0]) == counts[i][1], "chain_adds", "count");
        check(chain_multiplies(counts[i][0]) == counts[i][1], "chain_multiplies", "count");
    }
}

/* The tables, for disassembly.sh. */
static int list(void) {
    const compute_kernel *compute;
    for (size_t i = 0; (compute = compute_kernel_at(i)) != NULL; i++)
        printf("compute %s %g %d %d\n", compute->name, compute->flops, compute->accumulators, compute->times);
    const stream_kernel *stream;
    for (size_t i = 0; (stream = stream_kernel_at(i)) != NULL; i++)
        printf("stream %s %s %d %d %g\n", stream->name, roof_pattern_name(stream->pattern), stream_counted(stream),
               (int)stream->step, stream->flops);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    if (argc != 3) {
        fprintf(stderr, "usage: cross_kernels FEATURE,... SVE-BYTES | --list\n");
        return 2;
    }
    feature_set wanted = features_named(argv[1]), found = host_features();
    int sve_bytes = atoi(argv[2]), ran = 0, left = 0;
    check(found == wanted, "features", "not those of this CPU");
    const compute_kernel *compute;
    for (size_t i = 0; (compute = compute_kernel_at(i)) != NULL; i++)
        if ((compute->needs & ~wanted) == 0) {
            check_compute(compute, sve_bytes);
            ran++;
        } else
            left++;
    const stream_kernel *stream;
    for (size_t i = 0; (stream = stream_kernel_at(i)) != NULL; i++)
        if ((stream->needs & ~wanted) == 0) {
            check_stream(stream);
            ran++;
        } else
            left++;
    check_chains();
    check(ran > 0 && (left == 0) == (wanted == features_named("base,fp16,dotprod,bf16,i8mm,sve,sve_bf16,sve_i8mm")),
          "kernels", "each has its features");
    printf("%d kernels ran, %d need more than this CPU has; %d checks, %d failed\n", ran, left, checks, failures);
    return failures == 0 ? 0 : 1;
}
