/* Runs of a model beside the times that their engine is expected to take. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/profile/profile.h"
#include "cli/say/expected.h"

/* "vLLM", "vllm 0.6.3" */
static bool engine_of_name(const char *name, roof_engine *out) {
    char word[40];
    roof_error ignored;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, " /"), name);
    return roof_engine_find(name, out, &ignored) == 0 || roof_engine_find(word, out, &ignored) == 0;
}

/* The engine a run names; of llama-bench, which names backends, llama.cpp; else that of --engine. */
static roof_engine engine_of(const profile_question *question, const profile_run *run) {
    roof_engine engine;
    if (strncmp(roof_profile_about(run->file->profile)->format->id, "llama", 5) == 0)
        return engine_asked(question->settings, ROOF_ENGINE_LLAMA_CPP);
    if (run->placed.run->engine && engine_of_name(run->placed.run->engine, &engine))
        return engine;
    return engine_asked(question->settings, ROOF_ENGINE_UNKNOWN);
}

static bool is_prefill(roof_regime regime) {
    return regime == ROOF_REGIME_PREFILL || regime == ROOF_REGIME_LLAMA_PREFILL;
}

/* The time of a phase as a rate: that measured, by how much longer it took. */
static void expect_time(const roof_observation *observation, const roof_constants *constants, profile_run *run) {
    roof_time span;
    profile_expected *out = is_prefill(observation->regime) ? &run->prefill : &run->decode;
    const struct roof_run_phase *phase = is_prefill(observation->regime) ? &run->placed.prefill : &run->placed.decode;
    if (!(phase->measured > 0) || roof_observation_expect(observation, constants, &span, NULL) ||
        !(span.expected.seconds > 0))
        return;
    double tokens = phase->measured * observation->seconds;
    *out = (profile_expected){.rate = tokens / span.expected.seconds,
                              .low = tokens / span.expected.high,
                              .high = tokens / span.expected.low,
                              .of_expected = span.expected.seconds / observation->seconds};
}

void profile_expect_run(const profile_question *question, profile_run *run) {
    roof_observation times[ROOF_RUN_TIMES];
    roof_constants constants;
    char left_out[200];
    run->engine = engine_of(question, run);
    if (!run->model)
        return;
    roof_constants_of(question->machine, run->engine, &constants);
    size_t count = roof_run_observations(question->machine, run->model->model, run->placed.run, run->engine, times,
                                         left_out, sizeof left_out);
    for (size_t i = 0; i < count; i++)
        expect_time(&times[i], &constants, run);
}
