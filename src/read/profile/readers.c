/* The list of readers. A line a format; the surest one reads a file. */
#include "read/profile/build.h"

/* clang-format off */
extern const profile_reader reader_plain_csv, reader_run_rows;
extern const profile_reader reader_nsys, reader_nsys_sqlite, reader_tracelens;
extern const profile_reader reader_ncu_details, reader_ncu_raw;
extern const profile_reader reader_rocprof, reader_rocprofv3, reader_rocprofv3_counters, reader_rocprof_stats;
extern const profile_reader reader_rocprof_roofs;
extern const profile_reader reader_perf_text, reader_perf_csv, reader_perf_json;
extern const profile_reader reader_kineto;
extern const profile_reader reader_llama_markdown, reader_llama_csv, reader_llama_json, reader_llama_sql;
extern const profile_reader reader_serving_json, reader_serving_text, reader_serving_csv, reader_genai_csv;
extern const profile_reader reader_timings, reader_shapes, reader_decode;
extern const profile_reader reader_likwid_text, reader_likwid_csv, reader_likwid_bench, reader_likwid_list;
extern const profile_reader reader_amduprof, reader_advisor, reader_ert, reader_carm, reader_carm_programs;
extern const profile_reader reader_babelstream, reader_babelstream_results, reader_applications, reader_mix;

const profile_reader *const profile_readers[] = {
    /* Nsight Compute */
    &reader_ncu_details, &reader_ncu_raw,

    /* Nsight Systems, rocprof */
    &reader_rocprof, &reader_rocprofv3, &reader_rocprofv3_counters, &reader_rocprof_stats, &reader_rocprof_roofs,
    &reader_nsys,
    &reader_nsys_sqlite,

    /* PyTorch traces */
    &reader_kineto,
    &reader_tracelens,

    /* perf, LIKWID, AMDuProf, Advisor, ERT, CARM, BabelStream */
    &reader_perf_text, &reader_perf_csv, &reader_perf_json,
    &reader_likwid_text, &reader_likwid_csv, &reader_likwid_bench, &reader_likwid_list,
    &reader_amduprof, &reader_advisor, &reader_ert, &reader_carm, &reader_carm_programs,
    &reader_babelstream, &reader_babelstream_results, &reader_applications, &reader_mix,

    /* language models: llama-bench, serving */
    &reader_llama_markdown, &reader_llama_csv, &reader_llama_json, &reader_llama_sql,
    &reader_serving_json, &reader_serving_text, &reader_serving_csv, &reader_genai_csv,
    &reader_timings, &reader_shapes, &reader_decode,

    /* our own columns */
    &reader_plain_csv,
    &reader_run_rows,
};
/* clang-format on */

const size_t profile_reader_count = sizeof profile_readers / sizeof profile_readers[0];
