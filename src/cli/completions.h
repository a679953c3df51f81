/* Shell completions, written from the tables of verbs and options: verbs, options, and what an option takes. */
#ifndef ROOFLINE_CLI_COMPLETIONS_H
#define ROOFLINE_CLI_COMPLETIONS_H

#include "cli/out/text.h"

void make_bash(text_out *out);
void make_zsh(text_out *out);
void make_fish(text_out *out);

#endif
