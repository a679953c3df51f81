/* libFuzzer target of the readers of Nsight Compute: as found out, forced, and with each decimal mark. */
#include "use_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const roof_profile_options options[] = {
        {0}, {.format = "ncu-details", .decimal = ','}, {.format = "ncu-raw", .decimal = '.', .launches = true}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        use_profile(data, size, &options[i]);
    return 0;
}
