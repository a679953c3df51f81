/* Foreign text on its way to a terminal or a table: names from files and options may hold anything. */
#ifndef ROOFLINE_CLI_OUT_VISIBLE_H
#define ROOFLINE_CLI_OUT_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>

enum { VISIBLE_MOST = 6 }; /* bytes that one byte may become: "\u202e" of three, "\x1b" of one */

/* Is there a character that steers a terminal or turns the direction of text? `lines`: a line feed may stay one. */
bool visible_steers(const char *bytes, size_t length, bool lines);
/* Those spelt ("\x1b", "\u202e") into `to`, which has room for VISIBLE_MOST times as many bytes and an end. */
void visible_spell(const char *bytes, size_t length, bool lines, char *to);

#endif
