/* What the listing verbs share: looking for a text in names. */
#ifndef ROOFLINE_CLI_LISTING_H
#define ROOFLINE_CLI_LISTING_H

#include <stdbool.h>

bool contains(const char *where, const char *what); /* whatever the case; a NULL `what` is in everything */

#endif
