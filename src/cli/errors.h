/* Errors as the command says them: exit codes, the one style of a complaint, and the words of a remedy. The ground of
 * the room: every file of the command may fail, so this one calls no other. */
#ifndef ROOFLINE_CLI_ERRORS_H
#define ROOFLINE_CLI_ERRORS_H

#include "cli/options.h"

enum { EXIT_ANSWERED = 0, EXIT_INPUT = 1, EXIT_MISUSE = 2, EXIT_REQUIREMENT = 3 };

/* Print an error in the one style ("roofline: ...", "hint: ...") and return the exit code that goes with it: misuse for
 * a wrong argument or name, input for the rest. */
int complain(const roof_error *error);

/* A remedy in the words of our options: "--dtype f16"; "" for NONE. Returns buffer. */
const char *remedy_words(roof_remedy remedy, const char *subject, char *buffer, size_t size);

/* What helps: the error's hint and its remedy in the words of our options; "" when it has neither. Returns buffer. */
const char *error_advice(const roof_error *error, char *buffer, size_t size);

/* The advice of `from` behind an error that says more of it: hint, remedy and subject. */
void error_keep_advice(roof_error *error, const roof_error *from);

/* "... is not a data type", with those that are. */
int fail_dtype(const char *what, const char *value, roof_error *error);

/* More arguments than the verb takes. */
int fail_extra(const cli_settings *settings, size_t allowed, roof_error *error);

#endif
