/* libFuzzer target of the readers of LIKWID, and the other CPU tools whose output is text; as found out, or forced, by
 * the length. */
#include "use_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const roof_profile_options options[] = {{0},
                                                   {.format = "likwid-csv"},
                                                   {.format = "likwid-bench"},
                                                   {.format = "likwid-bench-list"},
                                                   {.format = "advisor"},
                                                   {.format = "amduprof"}};
    use_profile(data, size, &options[size % (sizeof options / sizeof options[0])]);
    return 0;
}
