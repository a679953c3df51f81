/* Buffered text on its way to the caller's callback. */
#include "chart/output.h"

#include <string.h>

static void flush(chart_output *out) {
    if (out->used && !out->stopped)
        out->stopped = out->write(out->context, out->bytes, out->used) != 0;
    out->used = 0;
}

void chart_put(chart_output *out, const char *text) {
    size_t length = strlen(text);
    while (length && !out->stopped) {
        size_t room = sizeof out->bytes - out->used, part = length < room ? length : room;
        memcpy(out->bytes + out->used, text, part);
        out->used += part;
        text += part;
        length -= part;
        if (out->used == sizeof out->bytes)
            flush(out);
    }
}

int chart_finish(chart_output *out, roof_error *error) {
    flush(out);
    return out->stopped ? roof_fail(error, ROOF_EIO, "the drawing could not be written") : 0;
}
