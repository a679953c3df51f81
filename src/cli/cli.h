/* The doors of the command: the program, and a function a verb. */
#ifndef ROOFLINE_CLI_CLI_H
#define ROOFLINE_CLI_CLI_H

#include "cli/options.h"
#include "cli/out/text.h"

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

/* Families of models in the catalogue, each once, a blank between two: for completions. */
void models_families(text_out *out);

#endif
