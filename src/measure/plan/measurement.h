/* The handle roof_measure() gives out: it owns its samples, their windows and the strings of its machines. */
#ifndef ROOFLINE_MEASURE_PLAN_MEASUREMENT_H
#define ROOFLINE_MEASURE_PLAN_MEASUREMENT_H

#include "roofline_measure.h"

/* Empty, dated now, with the library's version. NULL: no memory. Free with roof_measurement_free(). */
roof_measurement *measurement_new(roof_error *error);
/* Add a copy of the sample and of its windows; isa stays the caller's (static). NULL: no memory. */
roof_sample *measurement_add(roof_measurement *measurement, const roof_sample *sample, roof_error *error);
/* A formatted string that lives as long as the measurement; NULL: no memory. */
const char *measurement_text(roof_measurement *measurement, const char *format, ...) ROOF_PRINTF(2, 3);

#endif
