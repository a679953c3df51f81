/* CSV: a comma before every cell but the first of a row. */
#ifndef ROOFLINE_CLI_OUT_CSV_H
#define ROOFLINE_CLI_OUT_CSV_H

#include "cli/out/text.h"

void csv_text(text_out *out, const char *value);
void csv_number(text_out *out, double value); /* empty when not finite */
void csv_bool(text_out *out, bool value);
void csv_end(text_out *out);

#endif
