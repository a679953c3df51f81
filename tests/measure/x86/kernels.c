/* The micro-kernels of x86-64 without cmocka and sanitizers, so that emulated CPUs can run them and their loops can be
 * read back: --list prints the tables for disassembly.sh; else the features that this CPU must be found to have
 * ("base,avx,fma,avx2"), and every kernel that needs no more is proved. */
#include <stdio.h>
#include <string.h>

#include "measure/host/host.h"

static const struct {
    const char *name;
    feature_set bit;
} feature_names[] = {
    {"base", FEATURE(BASE)},
    {"avx", FEATURE(AVX)},
    {"fma", FEATURE(FMA)},
    {"avx2", FEATURE(AVX2)},
    {"avx512", FEATURE(AVX512)},
    {"avx512_fp16", FEATURE(AVX512_FP16)},
    {"avx512_bf16", FEATURE(AVX512_BF16)},
    {"avx512_vnni", FEATURE(AVX512_VNNI)},
    {"avx_vnni", FEATURE(AVX_VNNI)},
    {"amx_bf16", FEATURE(AMX_BF16)},
    {"amx_int8", FEATURE(AMX_INT8)},
};

static void print_features(feature_set set) {
    const char *separator = "";
    for (size_t i = 0; i < sizeof feature_names / sizeof *feature_names; i++)
        if (set & feature_names[i].bit) {
            printf("%s%s", separator, feature_names[i].name);
            separator = ",";
        }
}

static feature_set features_named(const char *list) {
    feature_set set = 0;
    char words[128], word[32];
    snprintf(words, sizeof words, ",%s,", list);
    for (size_t i = 0; i < sizeof feature_names / sizeof *feature_names; i++) {
        snprintf(word, sizeof word, ",%s,", feature_names[i].name);
        if (strstr(words, word) != NULL)
            set |= feature_names[i].bit;
    }
    return set;
}

static int list(void) {
    const compute_kernel *compute;
    for (size_t i = 0; (compute = compute_kernel_at(i)) != NULL; i++)
        printf("compute %s %d %s %.17g %d %d %d %d %d\n", compute->name, compute->pattern,
               roof_dtype_name(compute->dtype), compute->flops, compute->accumulators, compute->times, compute->adds,
               compute->add_times, vector_bytes(compute));
    const stream_kernel *stream;
    for (size_t i = 0; (stream = stream_kernel_at(i)) != NULL; i++)
        printf("stream %s %d %d %d %.17g\n", stream->name, stream->pattern, stream_counted(stream), (int)stream->step,
               stream->flops);
    return 0;
}

static int proved(const char *name, int result) {
    if (result != 0)
        printf("FAILED %s: wrong result, or wrote elsewhere\n", name);
    return result == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    feature_set found = host_features(), wanted = argc == 2 ? features_named(argv[1]) : found;
    int ran = 0, left = 0, failed = found == wanted ? 0 : 1;
    printf("this CPU has ");
    print_features(found);
    printf("\n");
    const compute_kernel *compute;
    for (size_t i = 0; (compute = compute_kernel_at(i)) != NULL; i++)
        if ((compute->needs & ~found) == 0 && ++ran)
            failed += proved(compute->name, compute_prove(compute));
        else
            left++;
    const stream_kernel *stream;
    for (size_t i = 0; (stream = stream_kernel_at(i)) != NULL; i++)
        if ((stream->needs & ~found) == 0 && ++ran)
            failed += proved(stream->name, stream_prove(stream));
        else
            left++;
    failed += proved("chain_adds", chain_adds(1) != 64 || chain_adds(64) != 64 || chain_adds(0) != 0);
    failed += proved("chain_multiplies", chain_multiplies(65) != 128 || chain_multiplies(0) != 0);
    printf("%d kernels ran, %d need more than this CPU has, %d failures\n", ran, left, failed);
    return failed == 0 && ran > 0 ? 0 : 1;
}
