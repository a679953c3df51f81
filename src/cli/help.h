/* Everything that is written from the tables of verbs and options: help, the man page, completions. */
#ifndef ROOFLINE_CLI_HELP_H
#define ROOFLINE_CLI_HELP_H

#include "cli/options.h"
#include "cli/out/text.h"

void help_short(const cli_verb *verb, text_out *out); /* -h; verb NULL: of the program */
void help_long(const cli_verb *verb, text_out *out);  /* --help */

/* man, bash, zsh or fish; -1 when `what` is none of them. */
int make_from_tables(const char *what, text_out *out, roof_error *error);

#endif
