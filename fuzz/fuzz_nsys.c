/* libFuzzer target of the readers of Nsight Systems: tables, TraceLens' among them, and databases. */
#include <string.h>

#include "use_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const roof_profile_options sums = {.format = "nsys"}, tracelens = {.format = "tracelens", .launches = true};
    static const roof_profile_options export = {.format = "nsys-sqlite"};
    if (size >= 6 && memcmp(data, "SQLite", 6) == 0) {
        use_profile(data, size, &export);
        return 0;
    }
    use_profile(data, size, size >= 4 && memcmp(data, "name", 4) == 0 ? &tracelens : &sums);
    return 0;
}
