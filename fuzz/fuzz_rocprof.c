/* libFuzzer target of the readers of rocprof, rocprofv3 and rocprof-compute: as found out, or forced; by the length, to
 * read once. */
#include "use_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const roof_profile_options options[] = {{0},
                                                   {0},
                                                   {.format = "rocprof"},
                                                   {.format = "rocprofv3-counters", .launches = true},
                                                   {.format = "rocprof-stats"}};
    use_profile(data, size, &options[size % (sizeof options / sizeof options[0])]);
    return 0;
}
