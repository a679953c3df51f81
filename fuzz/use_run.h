/* Runs of a model that were read: no figure below zero or endless, texts readable, and each can be placed. */
#ifndef ROOFLINE_FUZZ_USE_RUN_H
#define ROOFLINE_FUZZ_USE_RUN_H

#include <math.h>
#include <stdlib.h>

#include "roofline_profile.h"
#include "use_profile.h"

static inline void use_one_run(const roof_machine *machine, const roof_model_run *run) {
    const double figures[] = {run->parameters,  run->model_bytes, run->prompt,       run->generate,    run->depth,
                              run->concurrency, run->tensor,      run->prefill_rate, run->decode_rate, run->output_rate,
                              run->total_rate,  run->ttft,        run->tpot,         run->seconds,     run->spread};
    roof_run_verdict placed;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (!(figures[i] >= 0) || !isfinite(figures[i]))
            abort();
    if (use_text(run->device) + use_text(run->weights) > SIZE_MAX / 2)
        abort();
    if (roof_judge_run(machine, NULL, run, &placed, NULL))
        abort();
}

static inline void use_runs(const uint8_t *data, size_t size, const roof_profile_options *options) {
    roof_machine machine = {.id = "m"};
    machine.bandwidth[ROOF_DRAM] = (roof_figure){1e12, ROOF_ORIGIN_GIVEN, false, NULL};
    machine.peak[ROOF_MATRIX][ROOF_F16] = (roof_figure){1e14, ROOF_ORIGIN_GIVEN, false, NULL};
    roof_profile *profile = roof_read_profile_bytes(data, size, options, NULL);
    size_t count = 0;
    const roof_model_run *runs = profile ? roof_profile_runs(profile, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        use_one_run(&machine, &runs[i]);
    roof_profile_free(profile);
}

#endif
