/* Long series of numbers in a JSON text: strings under the key "windows". They are cut out before the parser sees the
 * text (which would take most of its time on them) and read here; the parsed text holds "@0", "@1" ... in their place.
 */
#ifndef ROOFLINE_READ_SERIES_H
#define ROOFLINE_READ_SERIES_H

#include "roofline.h"

typedef struct series_piece {
    size_t at, length; /* in the original text, without the quotes */
    size_t moved;      /* bytes of the original that lie before its end and are not in the copy */
    size_t copied;     /* where its stand-in ends in the copy */
} series_piece;

typedef struct series {
    const char *from; /* the original */
    char *text;       /* the copy to parse instead; NULL: nothing was cut */
    size_t length;
    series_piece *pieces;
    size_t count;
} series;

int series_cut(const char *text, size_t length, series *out, roof_error *error); /* -1: out of memory */
void series_free(series *cut);
long series_place(const series *cut, long offset); /* offset in the copy -> in the original */

/* What the text `stand_in` of the copy means: the piece, or NULL when it is none. */
const series_piece *series_find(const series *cut, const char *stand_in);
/* Its numbers, each times `scale`, into `out`, the first `most` of them. How many there are, or 0 when it is anything
 * but whole numbers of at most 9 digits with one blank between two. */
size_t series_read(const series *cut, const series_piece *piece, double scale, float *out, size_t most);

#endif
