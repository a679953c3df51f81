/* The one way errors are made. vsnprintf only: no allocation, no output. */
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
    error->hint[0] = '\0';
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
