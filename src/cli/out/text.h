/* A growing piece of output, with colours that are only there when asked for. Running out of memory ends the program.
 */
#ifndef ROOFLINE_CLI_OUT_TEXT_H
#define ROOFLINE_CLI_OUT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "roofline.h"

typedef enum paint {
    PAINT_NONE,
    PAINT_BOLD,
    PAINT_DIM,
    PAINT_RED,
    PAINT_GREEN,
    PAINT_YELLOW,
    PAINT_BLUE,
    PAINT_MAGENTA
} paint;

typedef struct text_out {
    char *bytes; /* always ends in '\0' once something was added */
    size_t length, capacity;
    bool colour, utf8;
    struct text_out *title, *notes; /* where they go as well, unwrapped; of notes a line each. NULL: nowhere */
} text_out;

enum { TEXT_COLUMNS = 80 };

void text_add(text_out *out, const char *format, ...) ROOF_PRINTF(2, 3);
void text_bytes(text_out *out, const char *bytes, size_t length);
void text_paint(text_out *out, paint colour, const char *format, ...) ROOF_PRINTF(3, 4);
void text_start(text_out *out, paint colour); /* the escape sequences alone; nothing without colour */
void text_stop(text_out *out, paint colour);
void text_free(text_out *out);
/* Foreign text as it may be shown: a copy for the caller to free, or NULL where `bytes` may be shown as they are. Text
 * that is added is shown so; what is written by text_bytes() and text_write() is not. `lines`: line feeds may stay. */
char *text_visible(const char *bytes, size_t length, bool lines);
int text_write(void *out, const char *bytes, size_t length); /* a roof_write whose context is a text_out */

/* Words of `sentence` in lines of at most TEXT_COLUMNS, the first after `first` columns already used, the others
 * indented. */
void text_wrap(text_out *out, int first, int indent, const char *sentence);

/* A line of its own, wrapped: the first begins at column `first`. */
void text_paragraph(text_out *out, int first, int indent, const char *sentence);
/* "  ...", dim, on one line. */
void text_remark(text_out *out, const char *format, ...) ROOF_PRINTF(2, 3);

/* "  note: ..." under the title, wrapped. */
void text_note(text_out *out, paint colour, const char *text);

/* "  name          value                 note ...", the note wrapped under itself; "" is none. */
void text_evidence(text_out *out, const char *name, const char *value, const char *note);

/* The title line: `title` in bold, a verdict at the right end (on a line of its own when both do not fit). */
void text_title(text_out *out, const char *title, paint colour, const char *format, ...) ROOF_PRINTF(4, 5);

size_t text_width(const char *bytes, size_t length); /* columns on a terminal (chart/columns.h) */
paint text_bound_paint(roof_bound bound);

/* What errno says, in the style of our errors: "no such file or directory". */
const char *system_reason(int number, char *buffer, size_t size);

void *keep_or_die(void *memory); /* `memory`, or the end of the program when it is NULL */
char *copy_text(const char *text, size_t length);
bool text_contains(const char *where, const char *what); /* whatever the case; a NULL `what` is in everything */

#endif
