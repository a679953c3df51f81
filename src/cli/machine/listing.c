/* Looking for a text in names. */
#include "cli/machine/listing.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

bool contains(const char *where, const char *what) {
    if (!what)
        return true;
    size_t length = strlen(what);
    for (; where && *where; where++)
        if (strncasecmp(where, what, length) == 0)
            return true;
    return length == 0;
}
