/* Why a measurement may be above its roof, as one line: the library's hypotheses, in its words. */
#ifndef ROOFLINE_CLI_SAY_ABOVE_H
#define ROOFLINE_CLI_SAY_ABOVE_H

#include "roofline_profile.h"

/* As many of the list as have room, joined by "; or "; where the list is empty, that no usual mistake fits. */
const char *above_words(const roof_hypothesis *found, size_t count, char *buffer, size_t size);

#endif
