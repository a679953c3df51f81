/* Writes JSON through a roof_write callback: no tree, no allocation. Keys keep the order they are written in.
 *
 *   emit json = emit_to(write, context);
 *   emit_object(&json, NULL);                  a key is NULL at the root and inside arrays
 *   emit_string(&json, "id", "h100-sxm");
 *   emit_row(&json, "roof");                   an object on one line
 *   emit_number(&json, "value", 3.35e12);      infinities and NaN become null
 *   emit_end(&json);
 *   emit_end(&json);
 *   return emit_finish(&json);                 the last newline; -1 when the callback ever stopped */
#ifndef ROOFLINE_JSON_WRITE_H
#define ROOFLINE_JSON_WRITE_H

#include "roofline.h"

enum { EMIT_DEPTH_MAX = 24, EMIT_NUMBER_SIZE = 32 };

typedef struct emit {
    roof_write write;
    void *context;
    int depth;
    struct {
        char close;  /* '}' or ']' */
        bool filled; /* something was written in it */
        bool one_line;
    } open[EMIT_DEPTH_MAX];
    bool failed; /* the callback stopped, or containers were nested too deep */
} emit;

emit emit_to(roof_write write, void *context);
void emit_object(emit *json, const char *key);
void emit_array(emit *json, const char *key);
void emit_row(emit *json, const char *key);                      /* an object on one line */
void emit_row_array(emit *json, const char *key);                /* an array on one line */
void emit_end(emit *json);                                       /* closes the innermost object or array */
void emit_string(emit *json, const char *key, const char *text); /* NULL becomes null; invalid UTF-8 becomes U+FFFD */
void emit_number(emit *json, const char *key, double value);     /* the shortest decimal that reads back exactly */
void emit_bool(emit *json, const char *key, bool value);
void emit_null(emit *json, const char *key);
int emit_finish(emit *json);

/* `text` cut to `size` bytes between characters, with '?' for what is not UTF-8: as long when it is read back. */
const char *emit_clean(const char *text, char *buffer, size_t size);

/* The shortest decimal that reads back to `value`, with a point whatever the locale; "null" when it is not finite. */
const char *emit_format(double value, char buffer[EMIT_NUMBER_SIZE]);

#endif
