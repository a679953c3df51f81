/* The one way errors are made: what went wrong, then a hint in the words of the field, then a remedy that a program
 * words with its own options. The library does not know the program. vsnprintf only: no allocation, no output. */
#include <stdarg.h>
#include <stdio.h>

#include "roofline.h"

const char *roof_version(void) {
    return ROOF_VERSION;
}

int roof_fail(roof_error *error, roof_status code, const char *format, ...) {
    if (!error)
        return -1;
    error->code = code;
    error->offset = error->line = -1;
    error->hint[0] = error->subject[0] = '\0';
    error->remedy = ROOF_REMEDY_NONE;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->what, sizeof error->what, format, arguments);
    va_end(arguments);
    return -1;
}

void roof_hint(roof_error *error, const char *format, ...) {
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
}

void roof_suggest(roof_error *error, roof_remedy remedy, const char *subject) {
    if (!error)
        return;
    error->remedy = remedy;
    snprintf(error->subject, sizeof error->subject, "%s", subject);
}
