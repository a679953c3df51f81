/* libFuzzer target of the readers of serving benchmarks and of small tables of timed kernels: as found out, or forced,
 * by the length. */
#include "use_profile.h"
#include "use_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const roof_profile_options options[] = {{0},
                                                   {.format = "serving-json"},
                                                   {.format = "serving-text"},
                                                   {.format = "serving-csv", .decimal = ','},
                                                   {.strict = true},
                                                   {.format = "genai-perf-csv"},
                                                   {.format = "timings"},
                                                   {.format = "llmcompass"},
                                                   {.format = "decodebench"}};
    const roof_profile_options *chosen = &options[size % (sizeof options / sizeof options[0])];
    use_profile(data, size, chosen);
    use_runs(data, size, chosen);
    return 0;
}
