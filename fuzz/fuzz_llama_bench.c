/* libFuzzer target of the readers of llama-bench: as found out, or forced, by the length. */
#include "use_profile.h"
#include "use_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const roof_profile_options options[] = {{0},
                                                   {.format = "llama-bench"},
                                                   {.format = "llama-bench-csv", .decimal = ','},
                                                   {.format = "llama-bench-json"},
                                                   {.format = "llama-bench-sql", .strict = true}};
    const roof_profile_options *chosen = &options[size % (sizeof options / sizeof options[0])];
    use_profile(data, size, chosen);
    use_runs(data, size, chosen);
    return 0;
}
