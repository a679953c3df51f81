/* An answer as one page of HTML. */
#ifndef ROOFLINE_CLI_OUT_PAGE_H
#define ROOFLINE_CLI_OUT_PAGE_H

#include "cli/out/answer.h"
#include "roofline_chart.h"

/* `drawing`: NULL when nothing can be drawn; then `undrawn` says why. */
int page_write(const cli_settings *settings, const cli_answer *answer, const roof_drawing *drawing, const char *undrawn,
               text_out *out, roof_error *error);

#endif
