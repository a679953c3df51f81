/* The calibrations a machine has, as text. */
#ifndef ROOFLINE_CLI_SAY_CALIBRATION_H
#define ROOFLINE_CLI_SAY_CALIBRATION_H

#include "cli/out/number.h"
#include "cli/out/text.h"
#include "roofline_expected.h"

const char *constant_text(roof_constant constant, double value, char buffer[NUMBER_SIZE]); /* "0.83", "3.3 us" */
/* Of what a calibration is: "serving", or "single operations". */
const char *calibrated_name(roof_engine engine);
/* A block an engine: constants with their spread, intervals, date and source; nothing without a calibration. */
void show_calibrations(const roof_machine *machine, text_out *out);

#endif
