/* The expected time and the bound of one measured time. */
#include "expect/expect.h"

static int of_operations(const roof_observation *observation, const roof_constants *constants, roof_span *out,
                         roof_error *error) {
    roof_sum sum;
    if (roof_judge_operations(observation->machine, observation->operations, observation->operation_count, &sum, error))
        return -1;
    out->bound = sum.seconds;
    return roof_expect_operations(observation->machine, constants, observation->operations,
                                  observation->operation_count, &out->expected, error);
}

static int of_phase(const roof_observation *observation, const roof_constants *constants, roof_phase phase,
                    roof_span *out, roof_error *error) {
    phase_case of = {.machine = observation->machine,
                     .constants = constants,
                     .model = observation->model,
                     .plan = &observation->plan,
                     .prefix = phase == ROOF_PREFILL ? observation->prefix : 0};
    return phase_expect(&of, phase, &out->expected, &out->bound, error);
}

/* A time for every output token of the group, so that it does not depend on the batch that is thought to fit. */
static int of_load(const roof_serving *serving, const roof_plan *plan, roof_span *out, roof_error *error) {
    if (serving->load_batch < 1)
        return roof_fail(error, ROOF_EARGUMENT, "not one sequence is known to fit in memory");
    double tokens = serving->load_batch * plan->generate;
    for (int i = 0; i < ROOF_TERM_COUNT; i++)
        out->expected.term[i] = serving->load.expected.term[i] / tokens;
    out->expected.regime = ROOF_REGIME_LOAD;
    out->expected.kernels = serving->load.expected.kernels / tokens;
    out->bound = 1 / serving->load_bound;
    return 0;
}

static int of_serving(const roof_observation *observation, const roof_constants *constants, roof_span *out,
                      roof_error *error) {
    roof_serving serving;
    const roof_plan *plan = &observation->plan;
    if (roof_model_serving(observation->machine, constants, observation->model, plan, &serving, error))
        return -1;
    if (observation->regime == ROOF_REGIME_LOAD)
        return of_load(&serving, plan, out, error);
    *out = observation->regime == ROOF_REGIME_TPOT ? serving.tpot : serving.run;
    return 0;
}

static int of_model(const roof_observation *observation, const roof_constants *constants, roof_span *out,
                    roof_error *error) {
    switch (observation->regime) {
    case ROOF_REGIME_PREFILL:
    case ROOF_REGIME_LLAMA_PREFILL:
        return of_phase(observation, constants, ROOF_PREFILL, out, error);
    case ROOF_REGIME_DECODE:
    case ROOF_REGIME_LLAMA_DECODE:
        return of_phase(observation, constants, ROOF_DECODE, out, error);
    default:
        return of_serving(observation, constants, out, error);
    }
}

/* Devices that hold a share of the layers each work at the same time on the micro-batches of a prompt: with `parts` of
 * them on n devices, parts of n + parts - 1 steps are full. The bound takes as many parts as there are tokens. */
static double shared(const roof_observation *observation, const roof_constants *constants, double devices) {
    if (!observation->model || constants->engine != ROOF_ENGINE_LLAMA_CPP)
        return devices;
    double parts = micro_batches(constants, &observation->plan);
    return parts * devices / (devices + parts - 1);
}

int roof_observation_expect(const roof_observation *observation, const roof_constants *constants, roof_span *out,
                            roof_error *error) {
    double devices = observation->share > 1 ? observation->share : 1;
    *out = (roof_span){0};
    if (observation->model ? of_model(observation, constants, out, error)
                           : of_operations(observation, constants, out, error))
        return -1;
    roof_expected *expected = &out->expected;
    double share = shared(observation, constants, devices);
    out->bound /= devices;
    expected->least /= devices;
    for (int i = 0; i < ROOF_TERM_COUNT; i++)
        expected->term[i] /= share;
    expected_finish(expected, constants, expected->regime);
    return 0;
}
