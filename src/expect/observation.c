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
    roof_sum sum;
    if (roof_model_judge(observation->machine, observation->model, &observation->plan, phase, &sum, error))
        return -1;
    out->bound = sum.seconds;
    return roof_expect_phase(observation->machine, constants, observation->model, &observation->plan, phase,
                             &out->expected, error);
}

static int of_model(const roof_observation *observation, const roof_constants *constants, roof_span *out,
                    roof_error *error) {
    roof_serving serving;
    roof_regime regime = observation->regime;
    if (regime == ROOF_REGIME_PREFILL || regime == ROOF_REGIME_LLAMA_PREFILL)
        return of_phase(observation, constants, ROOF_PREFILL, out, error);
    if (regime == ROOF_REGIME_DECODE || regime == ROOF_REGIME_LLAMA_DECODE)
        return of_phase(observation, constants, ROOF_DECODE, out, error);
    if (roof_model_serving(observation->machine, constants, observation->model, &observation->plan, &serving, error))
        return -1;
    *out = regime == ROOF_REGIME_TPOT ? serving.tpot : regime == ROOF_REGIME_LOAD ? serving.load : serving.run;
    return 0;
}

int roof_observation_expect(const roof_observation *observation, const roof_constants *constants, roof_span *out,
                            roof_error *error) {
    double share = observation->share > 1 ? observation->share : 1;
    *out = (roof_span){0};
    if (observation->model ? of_model(observation, constants, out, error)
                           : of_operations(observation, constants, out, error))
        return -1;
    roof_expected *expected = &out->expected;
    out->bound /= share;
    for (int i = 0; i < ROOF_TERM_COUNT; i++)
        expected->term[i] /= share;
    expected_finish(expected, constants, expected->regime);
    return 0;
}
