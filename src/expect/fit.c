/* Constants from measured times: least absolute error of the logarithm, each constant along its own line in turn.
 * docs/expected.md, "Calibration". */
#include "expect/expect.h"

int roof_fit(const roof_observation *observations, size_t count, const roof_constant *free, size_t free_count,
             roof_constants *constants, roof_fit_report *report, double *scratch, roof_error *error) {
    (void)observations, (void)count, (void)free, (void)free_count, (void)constants, (void)report, (void)scratch;
    return roof_fail(error, ROOF_EUNSUPPORTED, "nothing can be fitted");
}
