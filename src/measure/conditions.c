/* What disturbed or limited a measurement, in words. */
#include <stdio.h>

#include "measure/host.h"

void condition_add(roof_measurement *out, const char *what, const char *cause, const char *remedy) {
    if (out->condition_count >= ROOF_CONDITION_MAX)
        return;
    roof_condition *at = &out->conditions[out->condition_count++];
    snprintf(at->what, sizeof at->what, "%s", what);
    snprintf(at->cause, sizeof at->cause, "%s", cause);
    snprintf(at->remedy, sizeof at->remedy, "%s", remedy);
}
