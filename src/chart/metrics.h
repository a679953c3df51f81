/* Widths of text, fitting and wrapping. Widths are those of the widest of three common sans fonts, so that a box is
 * never too small whichever of them the viewer has. */
#ifndef ROOFLINE_CHART_METRICS_H
#define ROOFLINE_CHART_METRICS_H

#include <stdbool.h>
#include <stddef.h>

enum { CHART_LINE = 512, CHART_LINE_COUNT = 8 };

typedef struct chart_font {
    double size;
    int weight; /* 400 or 600 */
} chart_font;

/* The next code point of UTF-8 text, which moves on; control characters are spaces; broken bytes and
 * characters that reorder text are U+FFFD. 0 at the end. */
unsigned chart_code(const char **text);
size_t chart_encode(unsigned code, char out[4]); /* UTF-8 of a code point; its length */

double chart_width(const char *text, chart_font font);
/* A clean copy no wider than `most`, ended by an ellipsis when something had to go. Returns false when it had to. */
bool chart_fit(char out[CHART_LINE], const char *text, chart_font font, double most);
/* Words over at most `lines` lines of width `most`; `even` makes them about equally long. Returns how many were used;
 * the last ends with an ellipsis when the text is longer, and `*whole` says so. */
int chart_wrap(char out[][CHART_LINE], int lines, const char *text, chart_font font, double most, bool even,
               bool *whole);

#endif
