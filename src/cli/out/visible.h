/* Foreign text on its way to a terminal or a table: names from files and options may hold anything. */
#ifndef ROOFLINE_CLI_OUT_VISIBLE_H
#define ROOFLINE_CLI_OUT_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>

/* A copy in which characters that steer a terminal or turn the direction of text are spelt ("\x1b", "\u202e"); NULL
 * where there are none. Freed by the caller. `lines`: a line feed may stay one. Length 0-terminated in the copy. */
char *visible_copy(const char *bytes, size_t length, bool lines);

#endif
