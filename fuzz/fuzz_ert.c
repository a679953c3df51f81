/* libFuzzer target of the readers of measured roofs: ERT, CARM, BabelStream; as found out, or forced, by the length. */
#include "use_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const roof_profile_options options[] = {{0},
                                                   {.format = "ert"},
                                                   {.format = "carm"},
                                                   {.format = "carm-programs"},
                                                   {.format = "babelstream"},
                                                   {.format = "mixed-benchmark"}};
    use_profile(data, size, &options[size % (sizeof options / sizeof options[0])]);
    return 0;
}
