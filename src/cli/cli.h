/* What the files of the command share: exit codes, the verbs, errors. */
#ifndef ROOFLINE_CLI_CLI_H
#define ROOFLINE_CLI_CLI_H

#include "cli/options.h"
#include "cli/out/text.h"

enum { EXIT_ANSWERED = 0, EXIT_INPUT = 1, EXIT_MISUSE = 2, EXIT_REQUIREMENT = 3 };

/* Each verb answers one command line and returns the exit code. */
int verb_op(cli_settings *settings);
int verb_model(cli_settings *settings);
int verb_profile(cli_settings *settings);
int verb_measure(cli_settings *settings);
int verb_calibrate(cli_settings *settings);
int verb_machines(cli_settings *settings);
int verb_models(cli_settings *settings);
int verb_ops(cli_settings *settings);

int cli_main(int count, char **arguments);

/* Print an error in the one style ("roofline: ...", "hint: ...") and return the exit code that goes with it: misuse for
 * a wrong argument or name, input for the rest. */
int complain(const roof_error *error);

int fail_dtype(const char *what, const char *value,
               roof_error *error); /* "... is not a data type", with the ones there are */
/* More arguments than the verb takes. */
int fail_extra(const cli_settings *settings, size_t allowed, roof_error *error);

#endif
