/* Weight formats as people write them: "fp8", "int4-g128", "int4-g128-z", "fp8-128x128". */
#ifndef ROOFLINE_CLI_OUT_WEIGHT_FORMAT_H
#define ROOFLINE_CLI_OUT_WEIGHT_FORMAT_H

#include "roofline.h"

int format_parse(const char *text, roof_format *out, roof_error *error);

#endif
