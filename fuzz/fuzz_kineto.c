/* libFuzzer target of the reader of PyTorch traces: grouped and launch by launch. */
#include "use_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const roof_profile_options options[] = {{.format = "kineto"}, {.format = "kineto", .launches = true}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        use_profile(data, size, &options[i]);
    return 0;
}
