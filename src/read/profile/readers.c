/* The list of readers. A line a format; the surest one reads a file. */
#include "read/profile/build.h"

/* clang-format off */
extern const profile_reader reader_plain_csv;
extern const profile_reader reader_ncu_details, reader_ncu_raw;
extern const profile_reader reader_perf_text, reader_perf_csv, reader_perf_json;
extern const profile_reader reader_kineto;

const profile_reader *const profile_readers[] = {
    /* Nsight Compute */
    &reader_ncu_details, &reader_ncu_raw,

    /* Nsight Systems, rocprof */

    /* PyTorch traces */
    &reader_kineto,

    /* perf, LIKWID, AMDuProf, Advisor, ERT, CARM, BabelStream */
    &reader_perf_text, &reader_perf_csv, &reader_perf_json,

    /* language models: llama-bench, serving */

    /* our own columns */
    &reader_plain_csv,
};
/* clang-format on */

const size_t profile_reader_count = sizeof profile_readers / sizeof profile_readers[0];
