/* libFuzzer target of the readers of Nsight Compute: as found out, or forced with a decimal mark; by the length, to
 * read once. */
#include "use_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const roof_profile_options options[] = {
        {0}, {.format = "ncu-details", .decimal = ','}, {.format = "ncu-raw", .decimal = '.', .launches = true}};
    use_profile(data, size, &options[size % (sizeof options / sizeof options[0])]);
    return 0;
}
