/* The list of readers. A line a format; the surest one reads a file. */
#include "read/profile/build.h"

/* clang-format off */
extern const profile_reader reader_plain_csv;
extern const profile_reader reader_ncu_details, reader_ncu_raw;
extern const profile_reader reader_perf_text, reader_perf_csv, reader_perf_json;
extern const profile_reader reader_llama_markdown, reader_llama_csv, reader_llama_json, reader_llama_sql;
extern const profile_reader reader_serving_json, reader_serving_text, reader_serving_csv, reader_genai_csv;
extern const profile_reader reader_timings, reader_shapes, reader_decode;

const profile_reader *const profile_readers[] = {
    /* Nsight Compute */
    &reader_ncu_details, &reader_ncu_raw,

    /* Nsight Systems, rocprof */

    /* PyTorch traces */

    /* perf, LIKWID, AMDuProf, Advisor, ERT, CARM, BabelStream */
    &reader_perf_text, &reader_perf_csv, &reader_perf_json,

    /* language models: llama-bench, serving */
    &reader_llama_markdown, &reader_llama_csv, &reader_llama_json, &reader_llama_sql,
    &reader_serving_json, &reader_serving_text, &reader_serving_csv, &reader_genai_csv,
    &reader_timings, &reader_shapes, &reader_decode,

    /* our own columns */
    &reader_plain_csv,
};
/* clang-format on */

const size_t profile_reader_count = sizeof profile_readers / sizeof profile_readers[0];
