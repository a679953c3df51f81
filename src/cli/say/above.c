/* Printing of hypotheses; which fit, and in which order, is the library's. */
#include "cli/say/above.h"

#include <stdio.h>
#include <string.h>

const char *above_words(const roof_hypothesis *found, size_t count, char *buffer, size_t size) {
    size_t used = 0;
    snprintf(buffer, size, "no usual mistake fits: check the time and the machine");
    for (size_t i = 0; i < count; i++) {
        const char *joint = used ? "; or " : "";
        size_t need = strlen(joint) + strlen(found[i].words);
        if (used + need >= size)
            break;
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", joint, found[i].words);
    }
    return buffer;
}
