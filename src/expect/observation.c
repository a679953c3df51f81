/* The expected time and the bound of one measured time. */
#include "expect/expect.h"

static int of_operations(const roof_observation *observation, const roof_constants *constants, bool bounded,
                         roof_time *out, roof_error *error) {
    roof_sum sum = {0};
    if (bounded &&
        roof_judge_operations(observation->machine, observation->operations, observation->operation_count, &sum, error))
        return -1;
    out->bound = sum.seconds;
    return roof_expect_operations(observation->machine, constants, observation->operations,
                                  observation->operation_count, &out->expected, error);
}

static int of_model(const roof_observation *observation, const roof_constants *constants, bool bounded, roof_time *out,
                    roof_error *error) {
    phase_case of = {.machine = observation->machine,
                     .constants = constants,
                     .model = observation->model,
                     .plan = &observation->plan};
    switch (observation->regime) {
    case ROOF_REGIME_PREFILL:
    case ROOF_REGIME_LLAMA_PREFILL:
        of.prefix = observation->prefix;
        return phase_expect(&of, ROOF_PHASE_PREFILL, bounded, out, error);
    case ROOF_REGIME_DECODE:
    case ROOF_REGIME_LLAMA_DECODE:
        return phase_expect(&of, ROOF_PHASE_DECODE, bounded, out, error);
    default:
        return serving_expect(&of, observation->regime, bounded, out, error);
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

int observation_expect(const roof_observation *observation, const roof_constants *constants, bool bounded,
                       roof_time *out, roof_error *error) {
    double devices = observation->share > 1 ? observation->share : 1;
    *out = (roof_time){0};
    if (observation->model ? of_model(observation, constants, bounded, out, error)
                           : of_operations(observation, constants, bounded, out, error))
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

int roof_observation_expect(const roof_observation *observation, const roof_constants *constants, roof_time *out,
                            roof_error *error) {
    return observation_expect(observation, constants, true, out, error);
}
